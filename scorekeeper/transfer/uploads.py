"""Files that were sent and wait to be brought in: kept for an hour, each for its club alone."""

from __future__ import annotations

import re
import secrets
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

LONGEST_WAIT = 3600  # seconds
MOST_BYTES = 1_000_000_000  # of all files together
TOKEN = re.compile(r"[\w-]{22}", re.ASCII)


class NoRoom(Exception):
    """Too many files wait already."""


class UploadStore:
    """A folder of files; a file's token opens it, for the same club only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, club_id: int, file: BinaryIO) -> str:
        """Keep a file; its token. Raises NoRoom, and OSError where the disk is full; then nothing of it is kept."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for path, _, since in self._files("*"):
            if time.time() - since > LONGEST_WAIT:
                path.unlink(missing_ok=True)
        token = secrets.token_urlsafe(16)
        try:
            with self._path(club_id, token).open("xb") as kept:
                shutil.copyfileobj(file, kept)
            if sum(size for _, size, _ in self._files()) > MOST_BYTES:
                raise NoRoom
        except BaseException:
            self.drop(club_id, token)
            raise
        return token

    def open(self, club_id: int, token: str) -> BinaryIO | None:
        """A file that waits for that club; None if it is gone."""
        with suppress(FileNotFoundError):
            if TOKEN.fullmatch(token):
                return self._path(club_id, token).open("rb")
        return None

    def drop(self, club_id: int, token: str) -> None:
        self._path(club_id, token).unlink(missing_ok=True)

    def _path(self, club_id: int, token: str) -> Path:
        return self.folder / f"{club_id}.{token}.jsonl"

    def _files(self, which: str = "*.jsonl") -> list[tuple[Path, int, float]]:
        """Every file with its size and since when it waits; another process may take one away meanwhile."""
        found = []
        for path in self.folder.glob(which):
            with suppress(FileNotFoundError):
                about = path.stat()
                found.append((path, about.st_size, about.st_mtime))
        return found

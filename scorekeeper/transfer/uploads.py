"""Uploaded files that wait for confirmation of their import: kept for an hour, for one club only."""

from __future__ import annotations

import re
import secrets
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

LONGEST_WAIT = 3600  # seconds
MOST_BYTES = 1_000_000_000  # in all files together
TOKEN = re.compile(r"[\w-]{22}", re.ASCII)


class NoRoom(Exception):
    """The store is full."""


class UploadStore:
    """A folder of uploaded files; a token opens a file, for the same club only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, club_id: int, file: BinaryIO) -> str:
        """Store a file and return its token. Raises NoRoom, or OSError if the disk is full; then nothing is stored."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for path, _, since in self._files():
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
        """Open a stored file of that club; None if it is gone."""
        with suppress(FileNotFoundError):
            if TOKEN.fullmatch(token):
                return self._path(club_id, token).open("rb")
        return None

    def drop(self, club_id: int, token: str) -> None:
        self._path(club_id, token).unlink(missing_ok=True)

    def _path(self, club_id: int, token: str) -> Path:
        return self.folder / f"{club_id}.{token}.jsonl"

    def _files(self) -> list[tuple[Path, int, float]]:
        """Return every file with its size and modification time; another process may delete files meanwhile."""
        found = []
        for path in self.folder.iterdir():
            with suppress(FileNotFoundError):
                about = path.stat()
                found.append((path, about.st_size, about.st_mtime))
        return found

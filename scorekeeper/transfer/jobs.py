"""Large files are previewed and imported by a process of their own, and anybody in the club sees how far it is.

What it does is in a small file beside the uploads, which every worker reads. It works for the worker that started it:
when that one stops, it stops. It takes its turn with the other files that are read, writes once a second that it is
alive, and looks whether somebody has canceled.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

from flask import Flask

from scorekeeper.database.session import db
from scorekeeper.models import Club
from scorekeeper.scoring.problems import Refused
from scorekeeper.transfer.importer import import_into_club
from scorekeeper.transfer.preview import Report, preview_import
from scorekeeper.transfer.reader import LineRefused
from scorekeeper.transfer.report import said
from scorekeeper.transfer.uploads import UploadStore

LARGE = 2_000_000  # bytes; a smaller file is read while its request waits, in about a second
MOST_JOBS = 4  # of a server, those that wait for their turn among them
BEAT = 1  # seconds between two signs of life
DEAD = 30  # seconds without one
LOOK, BRING = ("look", "bring")
WORKING, DONE, REFUSED, CANCELED, STOPPED = ("working", "done", "refused", "canceled", "stopped")


def is_large(size: int) -> bool:
    return size > LARGE


class Busy(Exception):
    """Too many large files are read already, or another one for this club."""


class Canceled(BaseException):
    """Somebody has canceled, or the server stops; nothing that tidies up may take it for an error."""


@dataclass(frozen=True)
class Job:
    """What is done with a file, and how far that is, in bytes; `said` is what came of it, or why it was refused."""

    token: str
    what: str
    file: str
    size: int
    read: int = 0
    state: str = WORKING
    said: list[str] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict)
    at: float = field(default_factory=time.time)

    @property
    def percent(self) -> int:
        return min(100, 100 * self.read // max(self.size, 1))

    @property
    def works(self) -> bool:
        return self.state == WORKING


class JobStore:
    """The jobs of the clubs, at most one each, in the folder of the uploads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, club_id: int, token: str = "") -> Job | None:
        """The job of a club, if it is about that file; one that gave no sign of life for long has stopped."""
        with suppress(FileNotFoundError, ValueError, TypeError):
            job = Job(**json.loads(self._path(club_id).read_text(encoding="utf-8")))
            if job.state == WORKING and abs(time.time() - job.at) > DEAD:
                job = replace(job, state=STOPPED)
            return job if token in ("", job.token) else None
        return None

    def start(self, club_id: int, job: Job, app: Flask) -> None:
        """Start a process for a job. Raises Busy."""
        jobs = [self.find(int(path.name.split(".")[0])) for path in self.folder.glob("*.job")]
        mine = self.find(club_id)
        if sum(each.works for each in jobs if each) >= MOST_JOBS or (mine and mine.works):
            raise Busy
        self._cancel(club_id).unlink(missing_ok=True)
        self.write(club_id, job)
        command = [
            sys.executable,
            "-m",
            "scorekeeper.transfer.import_process",
            str(club_id),
            job.token,
            str(os.getpid()),
        ]
        start_process(command, _environment(app))

    def write(self, club_id: int, job: Job) -> None:
        new = self._path(club_id).with_suffix(f".{os.getpid()}.new")
        new.write_text(json.dumps(asdict(job)), encoding="utf-8")
        new.replace(self._path(club_id))

    def cancel(self, club_id: int) -> None:
        """Ask a club's job to stop."""
        self._cancel(club_id).touch()

    def is_canceled(self, club_id: int) -> bool:
        return self._cancel(club_id).exists()

    def drop(self, club_id: int) -> None:
        for path in (self._path(club_id), self._cancel(club_id)):
            path.unlink(missing_ok=True)

    def _path(self, club_id: int) -> Path:
        return self.folder / f"{club_id}.job"

    def _cancel(self, club_id: int) -> Path:
        return self.folder / f"{club_id}.cancel"


def start_process(command: list[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a process that no page waits for; it says in a file what comes of it."""
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)  # noqa: S603


def _environment(app: Flask) -> Mapping[str, str]:
    """The settings that the process needs to find the same database and the same files."""
    here = {"INSTANCE": app.instance_path, "DATABASE_URL": app.config["DATABASE_URL"]}
    return os.environ | {f"SCOREKEEPER_{name}": str(value) for name, value in here.items()}


# --- the process --------------------------------------------------------------------------------------------------


class Worker:
    """Does a job, and says once a second how far it is."""

    def __init__(self, club_id: int, job: Job, store: JobStore, parent: int) -> None:
        self.club_id, self.job, self.store, self.parent = club_id, job, store, parent
        self._read = 0
        self._unwanted = self._over = False
        self._ended = Event()

    def run(self, uploads: UploadStore, places: Any) -> None:
        signs = Thread(target=self._give_signs, daemon=True)
        signs.start()
        try:
            end = self._work(uploads, places)
        except Canceled:
            end = replace(self.job, state=STOPPED if self._over else CANCELED)
        except LineRefused as refused:
            end = replace(self.job, state=REFUSED, said=[str(refused)], report={"line": refused.line})
        except Refused as refused:
            end = replace(self.job, state=REFUSED, said=[str(refused)])
        except BaseException:
            end = replace(self.job, state=STOPPED)
            raise
        finally:
            self._ended.set()
            signs.join()
            self.store.write(self.club_id, replace(end, at=time.time()))

    def _work(self, uploads: UploadStore, places: Any) -> Job:
        club = db.session.get_one(Club, self.club_id)
        while (give_back := places.take(club.key)) is None:
            self._progress(0)
            time.sleep(BEAT / 4)
        file = uploads.open(self.club_id, self.job.token)
        try:
            if file is None:
                return replace(self.job, state=STOPPED)
            with file:
                do = preview_import if self.job.what == LOOK else import_into_club
                report = do(club, file, self._progress)
        finally:
            give_back()
        if self.job.what == BRING:
            uploads.drop(self.club_id, self.job.token)
        told = said(report, done=self.job.what == BRING)
        return replace(self.job, state=DONE, said=told, report=_kept(report), read=self.job.size)

    def _progress(self, read: int) -> None:
        self._read = read
        if self._unwanted or self._over:
            raise Canceled

    def _give_signs(self) -> None:
        while not self._ended.wait(BEAT):
            self._unwanted = self.store.is_canceled(self.club_id)
            self._over = os.getppid() != self.parent
            with suppress(OSError):  # a full disk is no reason to stop
                self.store.write(self.club_id, replace(self.job, read=self._read, at=time.time()))


def _kept(report: Report) -> dict[str, Any]:
    """What the page of a preview asks of a report."""
    return {name: getattr(report, name) for name in ("name", "takes_name", "changes_something")}

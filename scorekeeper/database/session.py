"""Database access: the global `db`, and `db_write` for every unit of work that writes.

Python's SQLite driver would begin transactions late and allow lost updates, so its implicit transactions are disabled:
each transaction declares at its start whether it will write.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    ColumnElement,
    Connection,
    DateTime,
    Dialect,
    Engine,
    LargeBinary,
    MetaData,
    Text,
    TypeDecorator,
    cast,
    event,
    func,
    inspect,
    text,
    type_coerce,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, InvalidRequestError, SQLAlchemyError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.orm.exc import ObjectDeletedError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from scorekeeper.config import THREADS, SettingProblem

from . import sqlite
from .errors import DatabaseRefused, Trouble
from .sqlite import Turns

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"
Some = TypeVar("Some")
BUSY_SECONDS = 10
IDLE_SECONDS = 2  # after which a connection to PostgreSQL is tested before use
DRAFT_SECONDS = 1  # seconds; the taps are in the page too, so saving a draft must not block a thread for long

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)


db = SQLAlchemy(model_class=Base)

if TYPE_CHECKING:
    Model = Base
else:
    Model = db.Model


class UtcDateTime(TypeDecorator[datetime]):
    """A timezone-aware timestamp, always in UTC; needed because SQLite drops the time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        if value is None or value.tzinfo:
            return value and value.astimezone(UTC)
        return value.replace(tzinfo=UTC)


# Compressed JSON that no query looks into: rules of games, and details of results.

# Compression dictionary of common texts, the most frequent last. Never change it: stored values could not be read.
WORDS = b"""\
{"id":"classic","name":"Classic Setback","summary":"Partners. High, Low, Jack, Game. The dealer may steal a 4. To 11. \
Ties play on.","source":"004","table":{"players":[4],"sides":"teams","teams":[2],"partner_right":2,"call":"any",\
"direction":"left"},"deck":{"ranks":"AKQJT98765432","jokers":0,"deal":null,"hand":6,"kitty":0,"kitty_to":"bidder",\
"undealt":"stock","draw":"none","rob":"nobody","misdeal":0},"trump":{"by":"lead","order":"A K Q J T 9 8 7 6 5 4 3 2",\
"jokers":"ranked","turned":{},"gift":0,"run":0},"play":{"follow":"follow-or-trump"},"auction":{"rounds":"single",\
"min":2,"max":4,"specials":[],"dealer":"match-max","all_pass":"next-dealer","forced_bid":null,"pass_cost":0,\
"seller":"nobody","cap":"maximum","max_again":"dealer"},"points":[{"key":"high","card":"highest","owner":"taker",\
"worth":1,"captured":null},{"key":"low","card":"lowest","owner":"taker","worth":1,"captured":null},{"key":"jack",\
"card":"J","owner":"taker","worth":1,"captured":null},{"key":"game","card":"game","owner":"taker","worth":1,\
"captured":null}],"game":{"values":{"T":10,"A":4,"K":3,"Q":2,"J":1},"award":"most","at_least":41,"tie":"nobody",\
"tie_points":[]},"settle":{"made":"taken","set":"bid","defenders":"taken"},"win":{"target":11,"eligible":"anyone",\
"both":["highest","play-on"],"early":null,"order":[],"all_points":"nobody","hands":null,"lost_at":null,\
"lost_sets":null,"counted":"up"}}{"bid:2:made":1,"bid:2:squares":4,"bid:2:taken":1,"bid:2:worth":2,"change:bidder":1,\
"change:defender":1,"change:partner":1,"hands:bidder":1,"hands:defender":1,"hands:partner":1,"out:2:4,0":1,\
"point:left_joker:got":1,"point:right_jack:seen":1,"point:game:got":1,"point:game:seen":1,"point:high:got":1,\
"point:high:seen":1,"point:jack:got":1,"point:jack:seen":1,"point:low:got":1,"point:low:seen":1,"took:bidder":1,\
"took:defender":1,"took:partner":1,"trump:C:made":1,"trump:C:squares":1,"trump:C:taken":1,"trump:C:worth":1,\
"vs:1:games":1,"vs:1:hands":1,"vs:1:lost":1,"vs:1:squares":1,"vs:1:swing":1,"with:1:games":1,"with:1:hands":1,\
"with:1:inflicted":1,"with:1:lost":1,"with:1:sets":1,"with:1:squares":1,"with:1:swing":1,"with:1:won":1}"""


class PackedText(TypeDecorator[str]):
    """JSON text, compressed with zlib."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> bytes:
        packer = zlib.compressobj(zdict=WORDS)
        return packer.compress(value.encode()) + packer.flush()

    def process_result_value(self, value: bytes | None, _dialect: Dialect) -> Any:
        return value and zlib.decompressobj(zdict=WORDS).decompress(value).decode()


class PackedJson(PackedText):
    """Like PackedText, but parsed; None in a row that an outer join has not matched."""

    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes:
        return super().process_bind_param(to_json(value), dialect)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Any:
        return value and json.loads(super().process_result_value(value, dialect))


class as_json(FunctionElement[str]):  # noqa: N801 (used as an SQL function)
    """Aggregate all rows of a query into a JSON list of lists of these columns, as text, unordered.

    Loads the rows that belong to a row in the same query. Without rows: "[]" on SQLite, None on PostgreSQL.
    """

    type = Text()
    inherit_cache = True


@compiles(as_json, "sqlite")
def _as_json_sqlite(element: as_json, compiler: SQLCompiler, **options: object) -> str:
    return f"json_group_array(json_array({compiler.process(element.clauses, **options)}))"


@compiles(as_json, "postgresql")
def _as_json_postgresql(element: as_json, compiler: SQLCompiler, **options: object) -> str:
    return f"json_agg(json_build_array({compiler.process(element.clauses, **options)}))::text"


class _JsonTexts(TypeDecorator[list[Any]]):
    """JSON texts, joined by commas."""

    impl = Text
    cache_ok = True

    def process_result_value(self, value: str | None, _dialect: Dialect) -> list[Any]:
        return json.loads(f"[{value or ''}]")  # type: ignore[no-any-return]


def all_values(column: ColumnElement[Any]) -> ColumnElement[list[Any]]:
    """Aggregate the values of a JSON column into a list: parsed as one text, three times faster than singly."""
    return type_coerce(func.aggregate_strings(cast(column, Text), ","), _JsonTexts)


to_json = json.JSONEncoder(separators=(",", ":")).encode  # the format of every JSON column


def now() -> datetime:
    return datetime.now(UTC)


def in_slices(values: Iterable[Some], size: int) -> Iterator[list[Some]]:
    """Split `values` into lists of at most `size`, because a statement has a limited number of parameters."""
    rest = iter(values)
    while some := list(islice(rest, size)):
        yield some


def init_app(app: Flask) -> None:
    """Bind the database to `app`. The tables are created by `scorekeeper migrate`."""
    url = database_url(app.config["DATABASE_URL"])
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", engine_options(url))
    try:
        db.init_app(app)
    except ModuleNotFoundError as error:
        missing = f"DATABASE_URL needs the Python package {error.name}, which is not installed."
        raise SettingProblem(f"{missing} For PostgreSQL: pip install 'setback-scorekeeper[postgres]'.") from None
    if make_url(url).get_backend_name() == "postgresql":
        app.teardown_appcontext(_end_page)  # teardown functions run in reverse order: this one runs first
    with app.app_context():
        (_prepare_sqlite if db.engine.dialect.name == "sqlite" else _prepare_postgresql)(db.engine)


def database_url(url: str) -> str:
    """Rewrite the usual PostgreSQL URL schemes to the driver used here, psycopg."""
    for scheme in ("postgres://", "postgresql://"):
        if url.startswith(scheme):
            return "postgresql+psycopg://" + url.removeprefix(scheme)
    return url


# Parameters are not logged: they include club keys and form tokens.
ENGINE_DEFAULTS = {"hide_parameters": True, "json_serializer": to_json}


def engine_options(url: str) -> dict[str, Any]:
    backend = make_url(url).get_backend_name()
    if backend == "sqlite":
        return {"connect_args": {"timeout": BUSY_SECONDS}, **ENGINE_DEFAULTS}
    if backend != "postgresql":
        raise DatabaseRefused(Trouble.NO_URL)
    return {
        "isolation_level": "REPEATABLE READ",  # a page makes several queries, which must all see one snapshot
        "pool_size": THREADS + 1,  # one per thread, and one for the backup thread
        "max_overflow": THREADS,
        "pool_use_lifo": True,  # the most recently used connection has its statements prepared
        **ENGINE_DEFAULTS,
    }


def _prepare_sqlite(engine: Engine) -> None:
    event.listen(engine, "connect", _open_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    sqlite.watch(engine)
    if engine.url.database not in (None, "", ":memory:"):
        _turns[engine] = Turns(f"{engine.url.database}-turns", BUSY_SECONDS)


def _prepare_postgresql(engine: Engine) -> None:
    """Replace a connection that was lost meanwhile, as when the server was restarted.

    Connections are tested after IDLE_SECONDS only, because a test is one more round trip. So a page may find that the
    database is away, and is answered at the next try.
    """

    @event.listens_for(engine, "checkout")
    def test(driver: Any, record: Any, _fairy: object) -> None:
        if time.monotonic() - record.info.get("used", inf) > IDLE_SECONDS:
            try:
                engine.dialect.do_ping(driver)
            except engine.dialect.loaded_dbapi.Error:
                raise InvalidatePoolError from None

    @event.listens_for(engine, "checkin")
    def note(_driver: object, record: Any) -> None:
        record.info["used"] = time.monotonic()


# For SQLite only: PostgreSQL queues those who wait for a row lock.
_turns: WeakKeyDictionary[Engine, Turns] = WeakKeyDictionary()


def _turn(longest: float | None) -> AbstractContextManager[None]:
    """Hold the turn to write while the `with` block runs."""
    turns = _turns.get(db.engine)
    return turns.turn(longest) if turns else nullcontext()


def _open_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # no implicit transactions
    sqlite.set_up(connection)
    record.info["patience"] = connection.execute("PRAGMA busy_timeout").fetchone()[0]


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("writes"):
        connection.exec_driver_sql("BEGIN")
        return
    durable = options.get("durable", True)
    # Set by each writer, because connections are reused and the pragma has no effect inside a transaction.
    connection.connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}").close()
    longest = options.get("longest")
    with nullcontext() if longest is None else _with_busy_timeout(connection, longest):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def _with_busy_timeout(connection: Connection, longest: float) -> Iterator[None]:
    """Set SQLite's busy timeout to at most `longest` seconds."""
    driver, usual = connection.connection, connection.info["patience"]
    driver.execute(f"PRAGMA busy_timeout = {min(usual, int(longest * 1000))}").close()
    try:
        yield
    finally:
        driver.execute(f"PRAGMA busy_timeout = {usual}").close()


def write_options(dialect: str) -> dict[str, Any]:
    """Return the execution options of a connection that is going to write.

    On PostgreSQL a writer waits for a row lock and must then see what the previous writer has committed, which
    REPEATABLE READ would reject.
    """
    return {"writes": True} if dialect == "sqlite" else {"isolation_level": "READ COMMITTED"}


# Not FOR UPDATE: inserting rows that refer to the locked row, such as a draft of the game's next hand, stays possible.
LOCK_MODE = {"key_share": True}


@contextmanager
def db_write(*locks: Any, longest: float | None = None) -> Iterator[Session]:
    """Run the `with` block as one write transaction: committed at its end, rolled back on an exception.

    `locks` are the rows (a club, one of its games) whose writers must take turns, always in this order, to prevent
    deadlocks. They are refreshed under the lock; ObjectDeletedError if one is gone. Objects loaded before are refreshed
    on next use. `longest` limits the seconds to wait for the turn, and again for other programs; OperationalError after
    that.
    """
    session = db.session()
    if session.info.get("writing"):
        raise RuntimeError("db_write() inside db_write(): a unit of work is one transaction")
    if session.new or session.dirty or session.deleted:
        raise RuntimeError("something was changed before db_write() began: it would be lost")
    end_reading()  # a read transaction cannot be upgraded to a write transaction
    session.info["writing"] = True
    try:
        with _turn(longest):
            _begin_writing(session, longest)
            for lock in locks:
                try:
                    session.refresh(lock, with_for_update=LOCK_MODE)
                except InvalidRequestError:  # deleted by another request meanwhile
                    raise ObjectDeletedError(inspect(lock)) from None
            yield session
            session.flush()
            session.commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        session.info["writing"] = False


@contextmanager
def db_write_or_join(*locks: Any) -> Iterator[Session]:
    """Like `db_write`, but joins the transaction under way, if any, which must already hold the locks."""
    if db.session().info.get("writing"):
        yield db.session()
    else:
        with db_write(*locks) as session:
            yield session


def _begin_writing(session: Session, longest: float | None) -> None:
    dialect = db.engine.dialect.name
    options = write_options(dialect) | ({} if longest is None else {"longest": longest})
    connection = session.connection(execution_options=options)
    if dialect == "postgresql" and longest is not None:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {int(longest * 1000)}")


def is_reading() -> bool:
    """True if the request's session has begun a transaction; most requests of hand entry never make a session."""
    return db.session.registry.has() and db.session().in_transaction()


def end_reading() -> None:
    """End the read-only transaction, if there is one; all objects are refreshed on next use.

    It commits: after a ROLLBACK psycopg forgets its prepared statements, and PostgreSQL plans each of them again for
    the next page, which is half of its work.
    """
    try:
        if is_reading():
            db.session.commit()
    except SQLAlchemyError:  # the connection was lost
        db.session.rollback()


def _end_page(_error: BaseException | None) -> None:
    """End a request's read transaction with a COMMIT, which keeps PostgreSQL's statements prepared (see `end_reading`).

    Runs before the session is closed; changes made without `db_write` are lost as always. Loaded objects are detached
    first, because a response that is still streamed reads its club from them.
    """
    session = db.session() if db.session.registry.has() else None
    if session and not (session.new or session.dirty or session.deleted):
        session.expunge_all()
        session.expire_on_commit = False  # a streamed response is sent after this, from objects already loaded
        end_reading()


@contextmanager
def db_write_nondurable() -> Iterator[Connection]:
    """Run a write transaction that need not wait for the disk, and may be lost in a power failure.

    Uses its own connection and leaves the session's transaction alone. SQLite gives up after DRAFT_SECONDS if others
    write; for PostgreSQL, statements sent together are one transaction, without BEGIN and COMMIT.
    """
    is_sqlite = db.engine.dialect.name == "sqlite"
    options: dict[str, Any] = {"isolation_level": "AUTOCOMMIT"}
    if is_sqlite:
        options = {"writes": True, "durable": False, "longest": DRAFT_SECONDS}
    with (
        _turn(DRAFT_SECONDS),
        db.engine.connect().execution_options(**options) as connection,
        connection.begin() if is_sqlite else in_one_round_trip(connection),
    ):
        if not is_sqlite:
            connection.exec_driver_sql("SELECT set_config('synchronous_commit', 'off', true)")
        yield connection


@contextmanager
def in_one_round_trip(connection: Connection) -> Iterator[None]:
    """Send the statements of the `with` block to PostgreSQL together at its end; rows they return are not read."""
    driver: Any = connection.connection.driver_connection
    together = driver.pipeline() if connection.dialect.name == "postgresql" else nullcontext()
    with driver_errors(connection.dialect), together:
        yield


@contextmanager
def driver_errors(dialect: Dialect) -> Iterator[None]:
    """Raise errors of the driver as those of SQLAlchemy, for calls that it does not make."""
    error_type = dialect.loaded_dbapi.Error
    try:
        yield
    except error_type as error:
        raise DBAPIError.instance(None, None, error, error_type, dialect=dialect) from error


@event.listens_for(db.session, "before_flush")
def _writers_only(session: Session, _context: object, _instances: object) -> None:
    if not session.info.get("writing"):
        raise RuntimeError("the database is written to inside db_write() only")


def migrate_database(app: Flask) -> None:
    """Create the schema of `app`'s database or migrate it to the latest revision; raises DatabaseRefused."""
    with app.app_context():
        sqlite.make_file(db.engine)
        if check_is_current((Trouble.NEWER, Trouble.FOREIGN)):
            from alembic import command  # takes half as long to import as Flask and SQLAlchemy together

            command.upgrade(migrations(), "head")
        db.engine.dispose()  # a forked worker must not share a connection


def migrations() -> Config:
    """Return Alembic's configuration."""
    from alembic.config import Config

    return Config(MIGRATIONS / "alembic.ini")


def check_is_current(unwanted: Collection[Trouble] = tuple(Trouble)) -> Trouble | None:
    """Compare the database schema with this program's; None if it is current.

    Raises DatabaseRefused for a difference in `unwanted`.
    """
    trouble, _ = _difference()
    if trouble and trouble in unwanted:
        db.engine.dispose()
        raise DatabaseRefused(trouble)
    return trouble


def is_older() -> bool:
    """True if the schema is from an older version, so that migrating will change it and it may contain data."""
    if db.engine.dialect.name == "sqlite" and not Path(str(db.engine.url.database)).is_file():
        return False
    trouble, was_migrated = _difference()
    return was_migrated and trouble is Trouble.OLDER


def _difference() -> tuple[Trouble | None, bool]:
    """Return how the schema differs from the one of this program, and whether it was ever migrated."""
    known = _revisions()
    with db.engine.connect() as connection:
        tables = inspect(connection)
        versions = text("SELECT version_num FROM alembic_version")
        found = set(connection.scalars(versions)) if tables.has_table("alembic_version") else set()
        names = [] if found or db.engine.dialect.name != "sqlite" else tables.get_table_names()
    if set(names) - {"alembic_version"}:  # tables, but no migration history
        return Trouble.FOREIGN, False
    if found - set(known):
        return Trouble.NEWER, True
    return None if found == {known[-1]} else Trouble.OLDER, bool(found)


@cache
def _revisions() -> list[str]:
    """Return all revisions of this program, oldest first; migration file names begin with their revision number."""
    return sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))

"""The database: one `db`, and `db_write` around every unit of work that writes.

SQLite's driver would begin its transactions late and lose read-modify-write
races, so it is told to begin none, and every transaction here says at its
beginning whether it is going to write.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    Connection,
    DateTime,
    Dialect,
    Engine,
    MetaData,
    Text,
    TypeDecorator,
    event,
    inspect,
    select,
    text,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import InvalidRequestError, SQLAlchemyError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Mapped, Session
from sqlalchemy.orm.exc import ObjectDeletedError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from scorekeeper.config import THREADS, SettingProblem

from . import file as database_file
from .errors import DatabaseRefused, Trouble
from .turns import Turns

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"
Some = TypeVar("Some")
BUSY_SECONDS = 10
DRAFT_SECONDS = 1  # what was tapped is on its page anyway: whoever only taps holds no thread for long

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
    """A moment, always aware and in UTC; SQLite alone would forget the time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        if value is None or value.tzinfo:
            return value and value.astimezone(UTC)
        return value.replace(tzinfo=UTC)


class as_json(FunctionElement[str]):  # noqa: N801  (used as a function of SQL)
    """All rows of a query, each a list of these columns, as the text of one JSON list, in no order; None without rows.

    So what belongs to a row comes with it, in one query.
    """

    type = Text()
    inherit_cache = True


@compiles(as_json, "sqlite")
def _as_json_sqlite(element: as_json, compiler: SQLCompiler, **options: object) -> str:
    return f"json_group_array(json_array({compiler.process(element.clauses, **options)}))"


@compiles(as_json, "postgresql")
def _as_json_postgresql(element: as_json, compiler: SQLCompiler, **options: object) -> str:
    return f"json_agg(json_build_array({compiler.process(element.clauses, **options)}))::text"


to_json = partial(json.dumps, separators=(",", ":"))  # as every column of JSON has it


def now() -> datetime:
    return datetime.now(UTC)


def in_slices(values: Iterable[Some], size: int) -> Iterator[list[Some]]:
    """Some values at a time: a statement takes no more."""
    rest = iter(values)
    while some := list(islice(rest, size)):
        yield some


def init_app(app: Flask) -> None:
    """Bind the database to `app`; its tables come from `scorekeeper migrate`."""
    url = database_url(app.config["DATABASE_URL"])
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", engine_options(url))
    try:
        db.init_app(app)
    except ModuleNotFoundError as error:
        missing = f"DATABASE_URL needs the Python package {error.name}, which is not installed."
        raise SettingProblem(f"{missing} For PostgreSQL: pip install 'setback-scorekeeper[postgres]'.") from None
    if make_url(url).get_backend_name() == "postgresql":
        app.teardown_appcontext(_end_page)  # the last one goes first
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            _prepare_sqlite(db.engine)


def database_url(url: str) -> str:
    """`url` with PostgreSQL's own spellings led to the driver that is used here."""
    for scheme in ("postgres://", "postgresql://"):
        if url.startswith(scheme):
            return "postgresql+psycopg://" + url.removeprefix(scheme)
    return url


# No parameters are logged: a club's key and a form's token are among them.
USUAL = {"hide_parameters": True, "json_serializer": to_json}


def engine_options(url: str) -> dict[str, Any]:
    backend = make_url(url).get_backend_name()
    if backend == "sqlite":
        return {"connect_args": {"timeout": BUSY_SECONDS}, **USUAL}
    if backend != "postgresql":
        raise DatabaseRefused(Trouble.NO_URL)
    return {
        "isolation_level": "REPEATABLE READ",  # a page is several queries: they must all see the same moment
        "pool_size": THREADS + 1,  # one for each thread, and for the one that makes backups: none is made twice
        "max_overflow": THREADS,
        "pool_use_lifo": True,  # the one that was used last: it has its statements prepared
        "pool_pre_ping": True,  # the database may have been away meanwhile
        **USUAL,
    }


def _prepare_sqlite(engine: Engine) -> None:
    event.listen(engine, "connect", _open_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    database_file.watch(engine)
    if engine.url.database not in (None, "", ":memory:"):
        _turns[engine] = Turns(f"{engine.url.database}-turns", BUSY_SECONDS)


# Of SQLite's: PostgreSQL lets those who wait for a row stand in line.
_turns: WeakKeyDictionary[Engine, Turns] = WeakKeyDictionary()


def _turn(longest: float | None = None) -> AbstractContextManager[None]:
    """The turn of a writer, for as long as it writes."""
    turns = _turns.get(db.engine)
    return turns.turn(longest) if turns else nullcontext()


def _open_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself
    database_file.set_up(connection)
    record.info["patience"] = connection.execute("PRAGMA busy_timeout").fetchone()[0]


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("writes"):
        connection.exec_driver_sql("BEGIN")
        return
    durable = options.get("durable", True)
    # A connection is used again, so each writer sets it: a transaction that is under way cannot.
    connection.exec_driver_sql(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    longest = options.get("longest")
    with nullcontext() if longest is None else _impatient(connection, longest):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def _impatient(connection: Connection, longest: float) -> Iterator[None]:
    """Wait for other programs' writers at most so many seconds."""
    driver, usual = connection.connection, connection.info["patience"]
    driver.execute(f"PRAGMA busy_timeout = {min(usual, int(longest * 1000))}").close()
    try:
        yield
    finally:
        driver.execute(f"PRAGMA busy_timeout = {usual}").close()


def write_options(dialect: str) -> dict[str, Any]:
    """What a connection is told when its unit of work is going to write.

    On PostgreSQL a writer waits for the row it locks and then has to see what the writer
    before it has committed, which REPEATABLE READ would refuse.
    """
    return {"writes": True} if dialect == "sqlite" else {"isolation_level": "READ COMMITTED"}


# No stronger: a row that refers to a locked one can be put in meanwhile, such as what is tapped of a game's next hand.
LOCK_MODE = {"key_share": True}


@contextmanager
def db_write(*locks: Any, longest: float | None = None) -> Iterator[Session]:
    """One unit of work that writes: all of it is committed, or none.

    `locks` are the rows (a club, a game of it) whose writers have to take turns, always in
    this order, so that no two wait for each other; their values are read again under the
    lock, and ObjectDeletedError is raised where one is gone. What was loaded before is read
    again on its next use. Whoever can do without waits so many seconds at most for a turn,
    and as long for other programs; else OperationalError.
    """
    session = db.session()
    if session.info.get("writing"):
        raise RuntimeError("db_write() inside db_write(): a unit of work is one transaction")
    if session.new or session.dirty or session.deleted:
        raise RuntimeError("something was changed before db_write() began: it would be lost")
    end_reading(session)  # a transaction that began as a reader cannot become a writer
    session.info["writing"] = True
    try:
        with _turn(longest):
            _begin_writing(session, longest)
            for lock in locks:
                try:
                    session.refresh(lock, with_for_update=LOCK_MODE)
                except InvalidRequestError:  # somebody has deleted it meanwhile
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
    """Like `db_write`, or part of the unit of work that is under way, which has locked what it needs."""
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


def end_reading(session: Session) -> None:
    """End a transaction that has only read; everything is read again on its next use.

    It is committed: after a ROLLBACK psycopg forgets the statements that it has prepared, and PostgreSQL has to plan
    each of them again with the next page, which is half of its work.
    """
    try:
        session.commit()
    except SQLAlchemyError:  # the connection is lost
        session.rollback()


def _end_page(_error: BaseException | None) -> None:
    """End what a page has read with a COMMIT, which keeps PostgreSQL's statements prepared (see `end_reading`).

    It goes before the session is closed; what somebody has changed without `db_write` is lost, as always. What was
    read is let go first: a file is still to be sent, and has to know which club it is of.
    """
    session = db.session() if db.session.registry.has() else None
    if session and not (session.new or session.dirty or session.deleted):
        session.expunge_all()
        session.expire_on_commit = False  # an answer may be sent piece by piece after this, from what was read
        end_reading(session)


def lock_row(session: Session, column: Mapped[int], value: int, *, shared: bool) -> None:
    """Keep out whoever locks the row with that value, until this unit of work ends; whoever shares it does not wait.

    SQLite has one writer at a time anyway.
    """
    if db.engine.dialect.name != "sqlite":
        rows = select(column).where(column == value)
        session.connection().execute(rows.with_for_update(read=shared, key_share=not shared))


@contextmanager
def db_write_nondurable() -> Iterator[Connection]:
    """A unit of work that may be lost when the machine loses its power, so that it need not wait for the disk.

    It has a connection of its own, leaves the session's transaction alone, and gives up soon where others write.
    """
    dialect = db.engine.dialect.name
    options = write_options(dialect) | ({"durable": False, "longest": DRAFT_SECONDS} if dialect == "sqlite" else {})
    with _turn(DRAFT_SECONDS), db.engine.connect().execution_options(**options) as connection, connection.begin():
        if dialect == "postgresql":
            connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
        yield connection


@event.listens_for(db.session, "before_flush")
def _writers_only(session: Session, _context: object, _instances: object) -> None:
    if not session.info.get("writing"):
        raise RuntimeError("the database is written to inside db_write() only")


def migrate_database(app: Flask) -> None:
    """Bring the schema of `app`'s database up to date, made where there is none; raises DatabaseRefused."""
    with app.app_context():
        database_file.make_file(db.engine)
        if check_is_current((Trouble.NEWER, Trouble.FOREIGN)):
            from alembic import command  # takes half as long to load as Flask and SQLAlchemy together

            command.upgrade(migrations(), "head")
        db.engine.dispose()  # no connection is left for a forked worker to share


def migrations() -> Config:
    """Alembic's settings: where the migrations are."""
    from alembic.config import Config

    return Config(MIGRATIONS / "alembic.ini")


def check_is_current(unwanted: Collection[Trouble] = tuple(Trouble)) -> Trouble | None:
    """How the schema differs from the one that this program knows, None where it does not.

    Raises DatabaseRefused where that is one of `unwanted`.
    """
    trouble, _ = _difference()
    if trouble and trouble in unwanted:
        db.engine.dispose()
        raise DatabaseRefused(trouble)
    return trouble


def is_older() -> bool:
    """Whether the schema is that of an older program: migrating will change it, and there may be something in it."""
    if db.engine.dialect.name == "sqlite" and not Path(str(db.engine.url.database)).is_file():
        return False
    trouble, was_migrated = _difference()
    return was_migrated and trouble is Trouble.OLDER


def _difference() -> tuple[Trouble | None, bool]:
    """How the schema differs from the one that this program knows, and whether it was ever migrated."""
    known = _revisions()
    with db.engine.connect() as connection:
        tables = inspect(connection)
        versions = text("SELECT version_num FROM alembic_version")
        found = set(connection.scalars(versions)) if tables.has_table("alembic_version") else set()
        names = [] if found or db.engine.dialect.name != "sqlite" else tables.get_table_names()
    if set(names) - {"alembic_version"}:  # more than an empty history of migrations
        return Trouble.FOREIGN, False
    if found - set(known):
        return Trouble.NEWER, True
    return None if found == {known[-1]} else Trouble.OLDER, bool(found)


@cache
def _revisions() -> list[str]:
    """Every revision that this program knows, the latest last: the files of migrations begin with their numbers."""
    return sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))

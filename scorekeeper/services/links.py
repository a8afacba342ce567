"""Links: whoever opens one may watch, score or manage a club, or watch or score one game of it.

A link's secret is made from its `uid` and the server's secret key, and stored nowhere: the database has its hash. So a
copy of the database opens nothing, and a manager can show the code of a link again.
"""

from __future__ import annotations

import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from flask import current_app
from sqlalchemy import ColumnElement, and_, bindparam, exists, func, or_, select, update
from sqlalchemy.orm import aliased, joinedload

from scorekeeper.database.reading import Reading
from scorekeeper.database.session import as_json, db, db_write, db_write_nondurable, now
from scorekeeper.models import (
    BEGUN_LAST,
    MANAGE,
    NAME_LENGTH,
    ROLES,
    SCORE,
    WATCH,
    Change,
    Club,
    Game,
    Link,
    acting_as,
    acting_name,
    new_link_uid,
    tidy_name,
)
from scorekeeper.scoring.problems import refusal

from . import club_log

MOST_HELD = 4  # of one club, by one browser
MOST_LINKS = 200  # of one club, at the same time
MOST_REQUESTS = 20  # of one club, that wait at the same time
IS_NEW = timedelta(hours=24)  # for which a manage link cannot shut out the club's first one
USED_EVERY = timedelta(hours=1)  # how often it is written down that a link is used
IS_OPEN = and_(Link.revoked_at.is_(None), ~Link.waits)  # whether a link lets anybody in
IS_WAITING = and_(Link.revoked_at.is_(None), Link.waits)
SECRET_LENGTH = 22  # letters of 6 bits each
FIRST_LABEL = "First link"
TABLE_LABELS = {WATCH: "Board", SCORE: "Second phone"}
FROM_SERVER = "Made on the server"


class HeldLink(NamedTuple):
    """A link that a browser holds, read with its club. `game` is the number of the only game that it opens, if any.

    `is_due` says that it is time to write down that it is used.
    """

    id: int
    uid: str
    role: str
    game: int | None
    is_revoked: bool
    waits: bool
    is_due: bool

    @property
    def is_open(self) -> bool:
        """Whether it lets anybody in."""
        return not (self.is_revoked or self.waits)

    def covers(self, number: int | None) -> bool:
        """Whether it opens that game; a link of a club opens all of them."""
        return self.game is None or self.game == number


class TooMany(Exception):
    """There are so many links of the club already that nobody could tell them apart."""


# --- secrets ----------------------------------------------------------------------------------------------------------


def secret_of(uid: str) -> str:
    """The secret of the link with that uid, as this server makes it: 132 bits."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    return urlsafe_b64encode(hmac.digest(key, f"link {uid}".encode(), sha256)).decode()[:SECRET_LENGTH]


def hash_of(secret: str) -> str:
    """What the database has of a secret."""
    return sha256(secret.encode()).hexdigest()


def secret_to_show(link: Link) -> str | None:
    """The secret of a link; None where another server has made it, or where it was a club's address once."""
    secret = secret_of(link.uid)
    return secret if hash_of(secret) == link.hash else None


# --- made and revoked -------------------------------------------------------------------------------------------------


def new_link(club: Club, role: str, label: str, *, game: Game | None = None) -> Link:
    """A link to be added to a unit of work. Raises ValueError for a role that there is not."""
    if role not in ROLES or (game is not None and role == MANAGE):
        raise ValueError(f"no link can let anybody {role}")
    uid = new_link_uid()
    while secret_of(uid).startswith("-"):  # `scorekeeper export` would take it for an option
        uid = new_link_uid()
    label = tidy_name(label)[:NAME_LENGTH].strip()
    secret, by = hash_of(secret_of(uid)), acting_name.get()
    return Link(club=club, game=game, role=role, label=label, uid=uid, hash=secret, by=by)


def make(club: Club, role: str, label: str, *, game: Game | None = None) -> Link:
    """Make a link of a club, or of a game of it. Raises TooMany."""
    with db_write(club) as session:
        _check_number(club, Link.revoked_at.is_(None), MOST_LINKS)
        session.add(link := new_link(club, role, label, game=game))
        note(link, "made")
    return link


def _check_number(club: Club, which: ColumnElement[bool], most: int) -> None:
    if (db.session.scalar(select(func.count(Link.id)).where(Link.club_id == club.id, which)) or 0) >= most:
        raise TooMany


def note(link: Link, event: str) -> None:
    """Write an entry of the club's log about a link (made, granted, used, revoked), inside a unit of work."""
    game = link.game.number if link.game else None
    after = {"event": event, "label": link.label, "role": link.role, "game": game}
    club_log.add(link.club, club_log.LINK, None, after, subject=link.uid)


def revoke(link: Link) -> None:
    """Let nobody in by that link any more. Raises Refused for the last one to manage the club: nobody could then."""
    with db_write(link.club):
        if managing(link.club) == [link]:
            raise refusal("last-manager", "This is the only link that can manage the club. Make another one first.")
        if link.revoked_at is None:
            link.revoked_at = now()
            if not link.waits:
                note(link, "revoked")


def managing(club: Club) -> list[Link]:
    """The open links to manage a club, the first one first."""
    mine = Link.club_id == club.id, Link.role == MANAGE, IS_OPEN
    return list(db.session.scalars(select(Link).where(*mine).order_by(Link.created_at, Link.id)))


def new_until(club: Club, ids: Collection[int]) -> datetime | None:
    """When these manage links become old enough to revoke the first one; None if they already may.

    The first link itself, and any that is older than IS_NEW, may.
    """
    first, *others = managing(club)
    mine = [link.created_at for link in others if link.id in ids]
    if first.id in ids or not mine or min(mine) + IS_NEW <= now():
        return None
    return min(mine) + IS_NEW


def rescue(club: Club, role: str, *, alone: bool) -> Link:
    """Make a link on the server. `alone`: revoke all others to manage the club, and remove its passphrase."""
    with db_write(club) as session:
        for link in managing(club) if alone else ():
            link.revoked_at = now()
            note(link, "revoked")
        if alone and club.passphrase:
            club.passphrase = None
            club_log.add(club, club_log.PASSPHRASE, None, {"event": "removed"})
        session.add(link := new_link(club, role, FROM_SERVER))
        note(link, "made")
    return link


def clubs_called(text: str, *which: ColumnElement[bool]) -> list[Club]:
    """The clubs with that key, or with a link, open or revoked, whose secret or address it is; or that number, or name.

    Of `which` clubs, if that is given.
    """
    key = (text.partition("/c/")[2] or text.partition("/l/")[2] or text).partition("/")[0]
    by_link = Club.id == select(Link.club_id).where(Link.hash == hash_of(key)).scalar_subquery()
    clubs = select(Club).where(*which)
    if found := db.session.scalars(clubs.where(or_(Club.key == key, by_link))).all():
        return list(found)
    wanted, names = tidy_name(text).casefold(), db.session.execute(select(Club.id, Club.name).where(*which)).all()
    # A name cannot take a number from its club.
    ids = [number for number, _ in names if wanted == str(number)]
    ids = ids or [number for number, name in names if wanted == name.casefold()]
    return list(db.session.scalars(clubs.where(Club.id.in_(ids)).order_by(Club.id)))


def find(secret: str) -> Link | None:
    """The link with that secret; one that was revoked, or waits, opens nothing and is not found."""
    mine = Link.hash == hash_of(secret), IS_OPEN
    return db.session.scalar(select(Link).where(*mine))


def find_old(keys: Sequence[str]) -> list[Link]:
    """The links that were these clubs' addresses once, in the order of the keys."""
    found = db.session.scalars(select(Link).where(Link.hash.in_([hash_of(key) for key in keys])))
    by_hash = {link.hash: link for link in found}
    return [by_hash[hash_of(key)] for key in keys if hash_of(key) in by_hash]


# --- asked for --------------------------------------------------------------------------------------------------------


def ask(club: Club, role: str, label: str, *, game: Game | None = None) -> Link:
    """Ask for a link, which waits for a manager to grant it. Raises TooMany."""
    with db_write(club) as session:
        _check_number(club, IS_WAITING, MOST_REQUESTS)
        session.add(link := new_link(club, role, label, game=game))
        # Nobody but the phone that asked can use it, and nobody has given it yet.
        link.hash, link.waits, link.by = hash_of(secrets.token_urlsafe()), True, None
    return link


def grant(link: Link) -> None:
    """Let the phone in that asked."""
    with db_write(link.club):
        link.waits, link.by = False, acting_name.get()
        note(link, "granted")


def giver_of(ids: Sequence[int]) -> str | None:
    """Who gave somebody the link that was opened last of these, by name: the one to ask for more."""
    found = db.session.execute(select(Link.id, Link.by).where(Link.id.in_(ids), Link.by.is_not(None)))
    by_id: dict[int, str | None] = dict(found.all())
    return next((by_id[number] for number in ids if number in by_id), None)


# --- read with a club -------------------------------------------------------------------------------------------------

_game = aliased(Game)
_of_browser = Link.uid.in_([bindparam(f"link_{index}") for index in range(MOST_HELD)])
_due = and_(Link.revoked_at.is_(None), or_(Link.last_used_at.is_(None), Link.last_used_at < bindparam("due")))
_about = Link.id, Link.uid, Link.role, _game.number, Link.revoked_at.is_not(None), Link.waits, _due
_with_game = select(as_json(*_about)).select_from(Link).outerjoin(_game, Link.game_id == _game.id)
_held = _with_game.where(Link.club_id == Club.id, _of_browser).correlate(Club)
# What a query of a club, or of a game with its club, brings along: the links of that club that a browser holds. To a
# club that was deleted there are none.
HELD: ColumnElement[str] = _held.where(Club.deleted_at.is_(None)).scalar_subquery()
HELD_OF_DELETED: ColumnElement[str] = _held.where(Club.deleted_at.is_not(None)).scalar_subquery()

# Whether anybody asks for a link of the club.
IS_ASKED = exists().where(Link.club_id == Club.id, IS_WAITING).correlate(Club)


def asked(uids: Iterable[str] = ()) -> dict[str, object]:
    """What a query with HELD is asked with: the uids of the links that a browser holds of that club."""
    known = [*uids, *[""] * MOST_HELD][:MOST_HELD]
    return {f"link_{index}": uid for index, uid in enumerate(known)} | {"due": now() - USED_EVERY}


def read_held(rows: str | None) -> tuple[HeldLink, ...]:
    """The links that HELD has brought."""
    return tuple([HeldLink(*row[:4], *map(bool, row[4:])) for row in json.loads(rows)]) if rows else ()


def still_open(ids: Iterable[int]) -> set[int]:
    """Those of these links, by their ids, that let anybody in."""
    mine = Link.id.in_(list(ids)), IS_OPEN
    with db.engine.connect() as connection:
        found = set(connection.scalars(select(Link.id).where(*mine)))
        connection.commit()  # see session.end_reading
    return found


def write_used(link_id: int) -> None:
    """Write down that a link is used, where that is due; its first use is an entry of the club's log."""
    link = db.session.get(Link, link_id)
    if link is not None and link.last_used_at is None:
        with db_write(link.club):
            if link.last_used_at is None:
                link.last_used_at = now()
                note(link, "used")
        return
    with db_write_nondurable() as connection:
        connection.execute(update(Link).where(Link.id == link_id).values(last_used_at=now()))


class LastChange(NamedTuple):
    """What was done last in a club's games: when, in which game, and who is scoring there."""

    at: datetime
    game: int
    by: str | None


RECENT_GAMES = 20  # begun last: somebody scores in one of them


_recent = select(Game.id).where(Game.club_id == bindparam("club")).order_by(*BEGUN_LAST).limit(RECENT_GAMES)
_changes = select(Change.at, Game.number, Change.by).join(Game, Change.game_id == Game.id)
_latest = _changes.where(Game.id.in_(_recent), Change.seq == Game.version)
LAST_CHANGE = Reading(_latest.order_by(Change.at.desc()).limit(1))  # put together once: every club's page asks


def last_change(club_id: int) -> LastChange | None:
    """The last change of a hand in the games that were begun last."""
    row = LAST_CHANGE.ask(club=club_id).one_or_none()
    return LastChange(*row) if row else None


def labels_in(game_id: int) -> dict[int, str]:
    """The labels of the links by which a game was changed, revoked ones too, by the links' ids."""
    used = select(Change.link_id).where(Change.game_id == game_id)
    return dict(db.session.execute(select(Link.id, Link.label).where(Link.id.in_(used))).all())


# --- of a browser, of all its clubs -----------------------------------------------------------------------------------


def open_links(uids: Iterable[str]) -> list[Link]:
    """The links with these uids that let somebody in, with their clubs, those of deleted clubs too."""
    found = select(Link).where(Link.uid.in_(list(uids)), IS_OPEN)
    return list(db.session.scalars(found.options(joinedload(Link.club), joinedload(Link.game))))


def requests_of(club_id: int) -> list[Link]:
    """The links that were asked for and wait for a manager, the first to ask first."""
    waiting = select(Link).where(Link.club_id == club_id, IS_WAITING)
    return list(db.session.scalars(waiting.order_by(Link.id)))


def table_secret(club: Club, role: str = WATCH) -> str | None:
    """The secret of the link that a table shows to other phones, to watch (as the board does) or to score; None where
    there is none, or a manager has revoked it."""
    link = _of_table(club, role)
    return secret_to_show(link) if link is not None and link.revoked_at is None else None


def make_for_board(club: Club) -> None:
    """Make the link to watch for a club that never had one: it is older than the board's code. Nobody asks for it."""
    if _of_table(club, WATCH) is None:
        with acting_as(None):
            make(club, WATCH, TABLE_LABELS[WATCH])


def _of_table(club: Club, role: str) -> Link | None:
    """A club's latest link of that role that has the label of such links."""
    named = Link.club_id == club.id, Link.role == role, Link.label == TABLE_LABELS[role], Link.game_id.is_(None)
    return db.session.scalar(select(Link).where(*named).order_by(Link.id.desc()).limit(1))

"""Capability links: anyone who opens one may watch, score or manage a club, or watch or score one of its games.

A link's secret is an HMAC of its `uid` with the server's secret key; only a hash of the secret is stored. So a copy of
the database grants no access, and a manager can display a link again.
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

MOST_HELD = 4  # links of one club in one browser
MOST_LINKS = 200  # unrevoked links of one club
MOST_REQUESTS = 20  # pending requests of one club
NEW_LINK_AGE = timedelta(hours=24)  # while a manage link is newer, it cannot revoke the club's first one
USE_UPDATE_INTERVAL = timedelta(hours=1)  # minimum interval between updates of `last_used_at`
IS_OPEN = and_(Link.revoked_at.is_(None), ~Link.waits)  # the link grants access
IS_WAITING = and_(Link.revoked_at.is_(None), Link.waits)
SECRET_LENGTH = 22  # characters of 6 bits each
FIRST_LABEL = "First link"
TABLE_LABELS = {WATCH: "Board", SCORE: "Second phone"}
FROM_SERVER = "Made on the server"


class HeldLink(NamedTuple):
    """A link held by a browser, read with its club. `game` is the number of the only game that it opens; None for all.

    `is_due` is true if `last_used_at` should be updated.
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
        """True if the link grants access."""
        return not (self.is_revoked or self.waits)


class TooMany(Exception):
    """The club has too many links, or too many pending requests."""


# --- secrets ----------------------------------------------------------------------------------------------------------


def secret_of(uid: str) -> str:
    """Derive the secret of a link on this server: 132 bits."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    return urlsafe_b64encode(hmac.digest(key, f"link {uid}".encode(), sha256)).decode()[:SECRET_LENGTH]


def hash_of(secret: str) -> str:
    """Return the hash of a secret, which is what the database stores."""
    return sha256(secret.encode()).hexdigest()


def secret_to_show(link: Link) -> str | None:
    """Return a link's secret; None if it was made on another server, or is a club's old key."""
    secret = secret_of(link.uid)
    return secret if hash_of(secret) == link.hash else None


# --- made and revoked -------------------------------------------------------------------------------------------------


def new_link(club: Club, role: str, label: str, *, game: Game | None = None, token: str = "") -> Link:
    """Create a link, without adding it to the session; `token` sets its uid. Raises ValueError for an invalid role."""
    if role not in ROLES or (game is not None and role == MANAGE):
        raise ValueError(f"no link can let anybody {role}")
    uid = secret_of(f"{club.key} {token}")[:12] if token else new_link_uid()
    while secret_of(uid).startswith("-"):  # `scorekeeper export` would parse it as an option
        uid = secret_of(f"{uid} {token}")[:12] if token else new_link_uid()
    label = tidy_name(label)[:NAME_LENGTH].strip()
    secret, by = hash_of(secret_of(uid)), acting_name.get() or None
    return Link(club=club, game=game, role=role, label=label, uid=uid, hash=secret, by=by)


def make(club: Club, role: str, label: str, *, game: Game | None = None, token: str = "") -> Link:
    """Create a link of a club, or of one of its games; at most one per `token` until revoked. Raises TooMany."""
    with db_write(club) as session:
        link = new_link(club, role, label, game=game, token=token)
        earlier = session.scalar(select(Link).where(Link.club_id == club.id, Link.uid == link.uid))
        if earlier and earlier.revoked_at is None:
            return earlier
        if earlier:
            link = new_link(club, role, label, game=game)
        _check_number(club, Link.revoked_at.is_(None), MOST_LINKS)
        session.add(link)
        log_event(link, "made")
    return link


def _check_number(club: Club, which: ColumnElement[bool], most: int) -> None:
    if (db.session.scalar(select(func.count(Link.id)).where(Link.club_id == club.id, which)) or 0) >= most:
        raise TooMany


def log_event(link: Link, event: str) -> None:
    """Log an event of a link (made, granted, used, revoked), inside the caller's transaction."""
    game = link.game.number if link.game else None
    after = {"event": event, "label": link.label, "role": link.role, "game": game}
    club_log.add(link.club, club_log.LINK, None, after, subject=link.uid)


def revoke(link: Link) -> None:
    """Revoke a link. Raises Refused for the last open link that can manage the club."""
    with db_write(link.club):
        if managing(link.club) == [link]:
            raise refusal("last-manager", "This is the only link that can manage the club. Make another one first.")
        if link.revoked_at is None:
            link.revoked_at = now()
            if not link.waits:
                log_event(link, "revoked")


def managing(club: Club) -> list[Link]:
    """Return the open manage links of a club, oldest first."""
    mine = Link.club_id == club.id, Link.role == MANAGE, IS_OPEN
    return list(db.session.scalars(select(Link).where(*mine).order_by(Link.created_at, Link.id)))


def new_until(club: Club, ids: Collection[int]) -> datetime | None:
    """Return when these manage links become old enough to revoke the first one; None if they already may.

    The first link itself may, and any that is older than NEW_LINK_AGE.
    """
    first, *others = managing(club)
    mine = [link.created_at for link in others if link.id in ids]
    if first.id in ids or not mine or min(mine) + NEW_LINK_AGE <= now():
        return None
    return min(mine) + NEW_LINK_AGE


def make_recovery_link(club: Club, role: str, *, alone: bool) -> Link:
    """Create a link from the server's command line. `alone` revokes all other manage links, and the passphrase."""
    with db_write(club) as session:
        for link in managing(club) if alone else ():
            link.revoked_at = now()
            log_event(link, "revoked")
        if alone and club.passphrase:
            club.passphrase = None
            club_log.add(club, club_log.PASSPHRASE, None, {"event": "removed"})
        session.add(link := new_link(club, role, FROM_SERVER))
        log_event(link, "made")
    return link


def find_clubs(text: str, *which: ColumnElement[bool]) -> list[Club]:
    """Find clubs by key, by a link's secret or URL (even if revoked), by number, or by name, in this order.

    `which` are additional conditions.
    """
    key = (text.partition("/c/")[2] or text.partition("/l/")[2] or text).partition("/")[0]
    by_link = Club.id == select(Link.club_id).where(Link.hash == hash_of(key)).scalar_subquery()
    clubs = select(Club).where(*which)
    if found := db.session.scalars(clubs.where(or_(Club.key == key, by_link))).all():
        return list(found)
    wanted, names = tidy_name(text).casefold(), db.session.execute(select(Club.id, Club.name).where(*which)).all()
    # A number takes precedence: no club can be hidden by another one's name.
    ids = [number for number, _ in names if wanted == str(number)]
    ids = ids or [number for number, name in names if wanted == name.casefold()]
    return list(db.session.scalars(clubs.where(Club.id.in_(ids)).order_by(Club.id)))


def find(secret: str) -> Link | None:
    """Return the open link with that secret; None if there is none, or it is revoked or pending."""
    mine = Link.hash == hash_of(secret), IS_OPEN
    return db.session.scalar(select(Link).where(*mine))


# --- requests ---------------------------------------------------------------------------------------------------------


def request_link(club: Club, role: str, label: str, *, game: Game | None) -> Link:
    """Create a pending link, to be granted by a manager. Raises TooMany."""
    with db_write(club) as session:
        _check_number(club, IS_WAITING, MOST_REQUESTS)
        session.add(link := new_link(club, role, label, game=game))
        # Random, so that only the requesting phone can use the link, by its uid. Granted by no one yet.
        link.hash, link.waits, link.by = hash_of(secrets.token_urlsafe()), True, None
    return link


def grant(link: Link) -> None:
    """Grant a pending link."""
    with db_write(link.club):
        link.waits, link.by = False, acting_name.get()
        log_event(link, "granted")


def giver_of(ids: Sequence[int]) -> str | None:
    """Return the name of the person who gave the first of these links that has one: whom to ask for more."""
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
# Subquery for queries of a club, or of a game with its club: the club's links that the browser holds, unless deleted.
HELD: ColumnElement[str] = _held.where(Club.deleted_at.is_(None)).scalar_subquery()
HELD_OF_DELETED: ColumnElement[str] = _held.where(Club.deleted_at.is_not(None)).scalar_subquery()

# Condition: the club has pending requests.
IS_ASKED = exists().where(Link.club_id == Club.id, IS_WAITING).correlate(Club)


def held_parameters(uids: Iterable[str]) -> dict[str, object]:
    """Return the parameters of a query with HELD; `uids` are the links that the browser holds of that club."""
    known = [*uids, *[""] * MOST_HELD][:MOST_HELD]
    return {f"link_{index}": uid for index, uid in enumerate(known)} | {"due": now() - USE_UPDATE_INTERVAL}


def read_held(rows: str | None) -> tuple[HeldLink, ...]:
    """Parse the result of HELD."""
    return tuple([HeldLink(*row[:4], *map(bool, row[4:])) for row in json.loads(rows)]) if rows else ()


def still_open(ids: Iterable[int]) -> set[int]:
    """Return those of these link ids that grant access."""
    mine = Link.id.in_(list(ids)), IS_OPEN
    with db.engine.connect() as connection:
        found = set(connection.scalars(select(Link.id).where(*mine)))
        connection.commit()  # see session.end_reading
    return found


def write_used(link_id: int) -> None:
    """Update when a link was last used; its first use is logged in the club log."""
    link = db.session.get(Link, link_id)
    if link is not None and link.last_used_at is None:
        with db_write(link.club):
            if link.last_used_at is None:
                link.last_used_at = now()
                log_event(link, "used")
        return
    with db_write_nondurable() as connection:
        connection.execute(update(Link).where(Link.id == link_id).values(last_used_at=now()))


class LastChange(NamedTuple):
    """The latest change in a club's games: time, game number, and scorer."""

    at: datetime
    game: int
    by: str | None


RECENT_GAMES = 20  # number of games searched, by start time: scoring happens in one of them


_recent = select(Game.id).where(Game.club_id == bindparam("club")).order_by(*BEGUN_LAST).limit(RECENT_GAMES)
_changes = select(Change.at, Game.number, Change.by).join(Game, Change.game_id == Game.id)
_latest = _changes.where(Game.id.in_(_recent), Change.seq == Game.version)
LAST_CHANGE = Reading(_latest.order_by(Change.at.desc()).limit(1))  # built once: runs for every club's page


def last_change(club_id: int) -> LastChange | None:
    """Return the latest change of a hand in the games started last."""
    row = LAST_CHANGE.ask(club=club_id).one_or_none()
    return LastChange(*row) if row else None


def labels_in(game_id: int) -> dict[int, str]:
    """Return the labels of all links that changed a game, even revoked ones, by link id."""
    used = select(Change.link_id).where(Change.game_id == game_id)
    return dict(db.session.execute(select(Link.id, Link.label).where(Link.id.in_(used))).all())


# --- of a browser, in all clubs ---------------------------------------------------------------------------------------


def open_links(uids: Iterable[str]) -> list[Link]:
    """Return the links with these uids that grant access, with their clubs, even deleted ones."""
    found = select(Link).where(Link.uid.in_(list(uids)), IS_OPEN)
    return list(db.session.scalars(found.options(joinedload(Link.club), joinedload(Link.game))))


def requests_of(club_id: int) -> list[Link]:
    """Return the pending links of a club, oldest first."""
    waiting = select(Link).where(Link.club_id == club_id, IS_WAITING)
    return list(db.session.scalars(waiting.order_by(Link.id)))


def table_secret(club: Club, role: str = WATCH) -> str | None:
    """Return the secret of the table link shown to other phones, to watch (on the board) or to score.

    None if there is none or it was revoked.
    """
    link = _of_table(club, role)
    return secret_to_show(link) if link is not None and link.revoked_at is None else None


def make_for_board(club: Club) -> None:
    """Create the watch link of a club that is older than the board's code; attributed to no one."""
    if _of_table(club, WATCH) is None:
        with acting_as(None):
            make(club, WATCH, TABLE_LABELS[WATCH])


def _of_table(club: Club, role: str) -> Link | None:
    """Return a club's latest link with that role and the label of table links."""
    named = Link.club_id == club.id, Link.role == role, Link.label == TABLE_LABELS[role], Link.game_id.is_(None)
    return db.session.scalar(select(Link).where(*named).order_by(Link.id.desc()).limit(1))

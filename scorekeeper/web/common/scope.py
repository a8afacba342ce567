"""The one place where an address becomes a club, and a number a game, a season or a player of it; else 404.

Access is checked here too: this browser must hold a link whose role satisfies roles.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Protocol, TypeVar

from flask import Blueprint, abort, current_app, g, redirect, render_template, request, session, url_for
from sqlalchemy import bindparam, select
from sqlalchemy.orm import selectinload
from werkzeug import Response

from scorekeeper.database.session import db
from scorekeeper.models import MANAGE, ROLES, Club, Game, Link, Player, Season
from scorekeeper.services import deleted_items, links
from scorekeeper.services.game_reader import Snapshot, read_page

from . import access, after_response, link_cookie, throttling
from .errors import ClubDeleted, GameDeleted

OLD_COOKIE = "clubs"  # where a session kept the keys of clubs when they were secrets

# Put together once: it runs with every request.
CLUB = select(Club, links.HELD, links.IS_ASKED).where(Club.key == bindparam("key"))
DELETED = select(Club, links.HELD_OF_DELETED).where(Club.key == bindparam("key"))
AFTER_DELETION = {"clubs.take_back"}  # what can be done of a club that was deleted


class HasKey(Protocol):
    """A club, or what was read of one."""

    @property
    def id(self) -> int: ...

    @property
    def key(self) -> str: ...


class HasClub(Protocol):
    """What was read of a game, with its club, and the links that this browser holds of it."""

    @property
    def club(self) -> HasKey: ...

    @property
    def held(self) -> tuple[links.HeldLink, ...]: ...


View = TypeVar("View", bound=Callable[..., Any])
# Reads a game by its club's key, its number, and the uids of the links that this browser holds of the club.
Read = Callable[[str, int, Sequence[str]], HasClub | None]


def scoped(blueprint: Blueprint) -> Blueprint:
    """Let a blueprint's addresses begin with a club's key, and hand its views the club as g.club."""
    blueprint.url_value_preprocessor(enter_club)
    return blueprint


def game_scoped(blueprint: Blueprint, read: Read) -> Blueprint:
    """Let a blueprint's addresses begin with a club's key and a game's number, and hand its views the game.

    `read` reads the game by both, or gives None, which is 404; the views find it as g.snapshot and its club as g.club.
    """

    def load_game(endpoint: str | None, values: dict[str, Any] | None) -> None:
        if values is None or "key" not in values:
            return
        key = values.pop("key")
        _enter_game(endpoint, key, values.pop("number"), read)

    blueprint.url_value_preprocessor(load_game)
    return blueprint


def reads_game(read: Read) -> Callable[[View], View]:
    """Let a view of a scoped blueprint be handed its game as g.snapshot, read with its club in one go, or 404."""

    def mark(view: View) -> View:
        view.reads_game = read  # type: ignore[attr-defined]
        return view

    return mark


def enter_club(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Find the club that an address is about, by its key, and what this browser may do there; else 404, or 403."""
    if values is None or "key" not in values:
        return
    key, read = values.pop("key"), getattr(current_app.view_functions.get(endpoint or ""), "reads_game", None)
    if read:
        _enter_game(endpoint, key, values.pop("number"), read)
    else:
        club, mine = _read_club(key)
        _let_in(endpoint, key, club, mine, values.get("number"))


def _enter_game(endpoint: str | None, key: str, number: int, read: Read) -> None:
    game = read(key, number, link_cookie.held_of(key))
    club, mine = (game.club, game.held) if game else _read_club(key)
    _let_in(endpoint, key, club, mine, number, game)
    g.snapshot = game or no_game(number)


def _read_club(key: str) -> tuple[Club | None, tuple[links.HeldLink, ...]]:
    """The club with that key, and the links that this browser holds of it."""
    row = db.session.execute(CLUB, {"key": key} | links.asked(link_cookie.held_of(key))).one_or_none()
    g.is_asked = bool(row and row[2])
    return (row[0], links.read_held(row[1])) if row else (None, ())


def _let_in(
    endpoint: str | None,
    key: str,
    club: HasKey | None,
    mine: tuple[links.HeldLink, ...],
    number: int | None,
    game: HasClub | None = None,
) -> None:
    """Hand the views their club where a link that this browser holds opens it; else 404, or 403."""
    if club is None or not mine:
        club, mine = _read_deleted(key, endpoint)
    g.club = club
    g.access = access.Access(club.key, club.id, mine, number, game)
    g.access.check(endpoint)
    link_cookie.remember(key)
    if isinstance(club, Club) and (number is None or request.method == "GET"):  # a change of a game reads no ratings
        after_response.catch_up(club)


def _read_deleted(key: str, endpoint: str | None) -> tuple[Club, tuple[links.HeldLink, ...]]:
    """The deleted club that this browser has links of, where it is to be taken back; else its members are told."""
    uids = link_cookie.held_of(key)
    row = db.session.execute(DELETED, {"key": key} | links.asked(uids)).one_or_none() if uids else None
    mine = [link for link in links.read_held(row[1]) if link.is_open] if row else []
    if row is None or not mine:
        _turn_away(key)
    if endpoint not in AFTER_DELETION:
        raise ClubDeleted(row[0], any(link.role == MANAGE for link in mine))
    return row[0], tuple(mine)


def _turn_away(key: str) -> NoReturn:
    """Answer 404 to whoever holds no link of that club; an address from before leads to where it is now.

    Who tries many is asked to wait, unless this browser is known to the club.
    """
    throttling.refuse_over(throttling.KEYS)
    if link := find_by_old_key(key):
        _go_on(key, link)
    throttling.count(throttling.KEYS, key)
    abort(404)


def find_by_old_key(key: str) -> Link | None:
    """The link that a club's address was once, while it lets anybody in."""
    found = links.find(key)
    return found if found is not None and links.secret_to_show(found) is None else None


def _go_on(key: str, link: Link) -> None:
    """From an address with a club's old key to the same with its new one; from a browser that is new here, to join."""
    take_over_old_cookie()
    if link.uid in link_cookie.held_of(link.club.key):
        address = request.full_path if request.query_string else request.path
        abort(redirect(address.replace(f"/{key}/", f"/{link.club.key}/", 1), 307))
    if request.method == "GET":
        abort(redirect(f"/l/{key}", 303))


def take_over_old_cookie() -> None:
    """Hold as links what this browser's session has as the keys of clubs."""
    keys = session.pop(OLD_COOKIE, None)
    for link in reversed(links.find_old([str(key) for key in keys])) if keys else ():
        link_cookie.keep(link.club.key, link.uid)


def find_game(number: int) -> Game:
    """That game of this club, or 404."""
    query = select(Game).where(Game.club_id == g.club.id, Game.number == number).options(selectinload(Game.hands))
    return db.session.scalar(query) or no_game(number)


def no_game(number: int) -> NoReturn:
    """Say that there is no such game, or that it was deleted and can be taken back."""
    if deleted_items.find_game(g.club.id, number):
        raise GameDeleted(number)
    abort(404)


def find_snapshot(number: int) -> Snapshot:
    """That game of this club as its pages read it, or 404."""
    key = g.club.key
    return read_page(key, number, link_cookie.held_of(key)) or no_game(number)


def find_season(number: int) -> Season:
    """That season of this club, or 404."""
    return db.session.scalar(select(Season).where(Season.club_id == g.club.id, Season.id == number)) or abort(404)


def find_player(player_id: int) -> Player:
    """That player of this club, or 404."""
    found = select(Player).where(Player.club_id == g.club.id, Player.id == player_id)
    return db.session.scalar(found) or abort(404)


def render(template: str, **about: object) -> str:
    """A page of this club."""
    return render_template(template, club=g.club, **about)


def go_to(endpoint: str, **values: Any) -> Response:
    """From a form that was sent to a page of this club."""
    return redirect(url_for(endpoint, key=g.club.key, **values), 303)


def remembered() -> list[Link]:
    """The clubs that this browser has been to, the latest first: of each a link that opens it, or a game of it."""
    take_over_old_cookie()
    known = [uid for uids in link_cookie.held().values() for uid in uids]
    found = links.open_links(known) if known else []
    found.sort(key=lambda link: (link.game is None, ROLES.index(link.role)))
    best = {link.club.key: link for link in found}
    return [best[key] for key in link_cookie.held() if key in best]

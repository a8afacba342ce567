"""The one place where an address becomes a club, and a number a game, a season or a player of it; else 404."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol, TypeVar

from flask import Blueprint, abort, current_app, g, session
from sqlalchemy import bindparam, select
from sqlalchemy.orm import selectinload

from scorekeeper import trash
from scorekeeper.db import db
from scorekeeper.models import Club, Game, Player, Season
from scorekeeper.snapshot import Snapshot, read_snapshot

from . import throttling
from .errors import GameDeleted

MOST_CLUBS = 20
COOKIE = "clubs"

# Put together once: it runs with every request.
CLUB = select(Club).where(Club.key == bindparam("key"))


class HasKey(Protocol):
    """A club, or what was read of one."""

    @property
    def key(self) -> str: ...


class HasClub(Protocol):
    """What was read of a game, with its club."""

    @property
    def club(self) -> HasKey: ...


Found = TypeVar("Found", bound=HasKey)
View = TypeVar("View", bound=Callable[..., Any])
Read = Callable[[str, int], HasClub | None]


def scoped(blueprint: Blueprint) -> Blueprint:
    """Let a blueprint's addresses begin with a club's key, and hand its views the club as g.club."""
    blueprint.url_value_preprocessor(_enter_club)
    return blueprint


def game_scoped(blueprint: Blueprint, read: Read) -> Blueprint:
    """Let a blueprint's addresses begin with a club's key and a game's number, and hand its views the game.

    `read` reads the game by both, or gives None, which is 404; the views find it as g.snapshot and its club as g.club.
    """

    def load_game(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        if values is None or "key" not in values:
            return
        key = values.pop("key")
        _enter_game(key, values.pop("number"), read)

    blueprint.url_value_preprocessor(load_game)
    return blueprint


def reads_game(read: Read) -> Callable[[View], View]:
    """Let a view of a scoped blueprint be handed its game as g.snapshot, read with its club in one go, or 404."""

    def mark(view: View) -> View:
        view.reads_game = read  # type: ignore[attr-defined]
        return view

    return mark


def _enter_club(endpoint: str | None, values: dict[str, Any] | None) -> None:
    if values is None or "key" not in values:
        return
    key, read = values.pop("key"), getattr(current_app.view_functions.get(endpoint or ""), "reads_game", None)
    if read:
        _enter_game(key, values.pop("number"), read)
    else:
        g.club = _club_or_404(key, db.session.scalar(CLUB, {"key": key}))
        remember(g.club)


def _enter_game(key: str, number: int, read: Read) -> None:
    game = read(key, number)
    g.club = _club_or_404(key, game.club if game else db.session.scalar(CLUB, {"key": key}))
    remember(g.club)
    g.snapshot = game or no_game(number)


def _club_or_404(key: str, club: Found | None) -> Found:
    """The club that was found, or 404. Who tries many keys is asked to wait, unless this browser knows the club."""
    if key not in session.get(COOKIE, []):
        throttling.refuse_over(throttling.KEYS)
        if club is None:
            throttling.count(throttling.KEYS, key)
    return club if club is not None else abort(404)


def find_game(number: int) -> Game:
    """That game of this club, or 404."""
    query = select(Game).where(Game.club_id == g.club.id, Game.number == number).options(selectinload(Game.hands))
    return db.session.scalar(query) or no_game(number)


def no_game(number: int) -> NoReturn:
    """Say that there is no such game, or that it was deleted and can be taken back."""
    if trash.find_game(g.club.id, number):
        raise GameDeleted(number)
    abort(404)


def find_snapshot(number: int) -> Snapshot:
    """That game of this club as its pages read it, or 404."""
    return read_snapshot(g.club.key, number) or no_game(number)


def find_season(number: int) -> Season:
    """That season of this club, or 404."""
    return db.session.scalar(select(Season).where(Season.club_id == g.club.id, Season.id == number)) or abort(404)


def find_player(player_id: int) -> Player:
    """That player of this club, or 404."""
    found = select(Player).where(Player.club_id == g.club.id, Player.id == player_id)
    return db.session.scalar(found) or abort(404)


def remember(club: HasKey) -> None:
    """Keep the way back to a club in this browser's cookie, the latest first."""
    keys = session.get(COOKIE, [])
    if keys[:1] != [club.key]:
        session[COOKIE] = [club.key, *(key for key in keys if key != club.key)][:MOST_CLUBS]


def remembered() -> list[Club]:
    """The clubs that this browser has been to, the latest first."""
    keys = session.get(COOKIE, [])
    found = {club.key: club for club in db.session.scalars(select(Club).where(Club.key.in_(keys)))} if keys else {}
    return [found[key] for key in keys if key in found]

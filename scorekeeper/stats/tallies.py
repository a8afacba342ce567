"""Tallies: what is counted of every finished game, kept up to date in the transaction that changes the game.

Nothing in them is the truth: `rebuild` makes them again from the hands, and stats.verify says where they are wrong.
"""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, delete, select, tuple_, update
from sqlalchemy.orm import selectinload, undefer

from scorekeeper.db import db, now
from scorekeeper.models import (
    ABANDONED,
    COUNTING,
    Club,
    Division,
    Game,
    Player,
    Result,
    Season,
    Seat,
    Tally,
    seated_by_hand,
)

from . import ratings
from .counts import FORM_LENGTH, SUMS, Counted, PlayerId, count_game
from .credit import FINISHED
from .detail import VS, of_kind
from .schemes import Scheme

CHUNK = 200  # games that are read at once


class Place(NamedTuple):
    """A game's position in the order in which games were played."""

    played: date
    number: int


def counts(game: Game) -> bool:
    """Whether a game counts: it was finished, and neither abandoned nor left out."""
    return game.state != ABANDONED and not game.left_out and game.score().outcome is not None


def update_tallies(game: Game) -> None:
    """Count a game as it is now, or no longer; inside the transaction that changed it."""
    db.session.flush()
    if counts(game) or _results(game):
        writer = TallyWriter(game.club_id)
        writer.enter(game)
        writer.close()


class TallyWriter:
    """Counts games into a club's tallies; what depends on all games together is computed once, by `close`.

    Inside one transaction. The club is locked: two games that finish at once take turns.
    """

    def __init__(self, club_id: int, *, reopens: bool = True) -> None:
        self.club_id = club_id
        self._reopens = reopens
        db.session.execute(select(Club.id).where(Club.id == club_id).with_for_update(key_share=True))
        self._divisions: dict[tuple[int | None, str, int, int], int] = {}
        self._ids = _player_ids(club_id)
        self._credit: dict[int | None, str] = {None: FINISHED}
        self._added: dict[tuple[int, PlayerId], Added] = defaultdict(Added)
        self._earliest: Place | None = None
        self._players: set[PlayerId] = set()

    def enter(self, game: Game) -> None:
        """Put a game in the place of what was counted of it before."""
        before, after = _results(game), self._count(game)
        for result in before:
            self._add(result, -1)
            db.session.delete(result)
        db.session.flush()
        for result in after:
            self._add(result, 1)
        self._rate_again(before, after)
        db.session.add_all(after)
        if self._reopens:
            _reopen(game, before, after)
        db.session.flush()

    def _count(self, game: Game) -> list[Result]:
        if not counts(game):
            return []
        score = game.score()
        hands = [hand.facts for hand in game.hands[: len(score.hands)]]
        seated = [[self._ids[name.casefold()] for name in names] for names in seated_by_hand(game.names, hands)]
        trumps = [facts.get("trump") for facts in hands]
        counted = count_game(game.table, score, trumps, seated, self._credit_in(game.season_id))
        division = self._division(game)
        return [_result(game, division, player, part) for player, part in counted.items()]

    def _credit_in(self, season_id: int | None) -> str:
        """Whom the games of a season count for; those of no season count for who finished them."""
        if season_id not in self._credit:
            settings = db.session.scalars(select(Season.settings).where(Season.id == season_id)).one()
            self._credit[season_id] = Scheme.from_dict(settings).credit
        return self._credit[season_id]

    def _division(self, game: Game) -> int:
        kind = game.season_id, game.rules["id"], game.players, game.teams
        if kind not in self._divisions:
            self._divisions[kind] = _find_division(self.club_id, *kind)
        return self._divisions[kind]

    def _add(self, result: Result, times: int) -> None:
        added = self._added[result.division_id, result.player_id]
        for name in SUMS:
            added.sums[name] += times * getattr(result, name)
        for name, number in result.detail.items():
            added.detail[name] += times * number

    def _rate_again(self, before: list[Result], after: list[Result]) -> None:
        """Ratings stay as they are where the game came out as it did before; else all after it are worked out again."""
        if ratings.said(before) == ratings.said(after):
            ratings.copy(before, after)
            return
        for result in (*before, *after):
            place = Place(result.played, result.number)
            self._earliest = min(self._earliest or place, place)
            self._players.add(result.player_id)

    def close(self) -> None:
        """Add up, and rate."""
        for (division_id, player_id), added in self._added.items():
            _add_up(division_id, player_id, added)
        if self._earliest is not None:
            ratings.rate(self.club_id, self._earliest, self._players)
        mark_changed(self.club_id)
        db.session.flush()


MOST_MARK = 2**31 - 1  # the largest number of the column


def mark_changed(club_id: int) -> None:
    """Mark that what a club's tables are made from has changed; inside the transaction that changes it."""
    db.session.execute(update(Club).where(Club.id == club_id).values(books=1 + secrets.randbelow(MOST_MARK)))


class Added:
    """What comes to a tally."""

    def __init__(self) -> None:
        self.sums: Counter[str] = Counter()
        self.detail: Counter[str] = Counter()


def _player_ids(club_id: int) -> dict[str, PlayerId]:
    rows = db.session.execute(select(Player.name, Player.id).where(Player.club_id == club_id))
    return {name.casefold(): number for name, number in rows}


def _results(game: Game) -> list[Result]:
    found = select(Result).where(Result.game_id == game.id).options(undefer(Result.detail))
    return list(db.session.scalars(found.execution_options(populate_existing=True)))


def _find_division(club_id: int, season_id: int | None, rules_id: str, players: int, teams: int) -> int:
    same = select(Division.id).where(
        Division.club_id == club_id,
        Division.season_id.is_(None) if season_id is None else Division.season_id == season_id,
        Division.rules_id == rules_id,
        Division.players == players,
        Division.teams == teams,
    )
    found = db.session.scalar(same)
    if found is not None:
        return found
    division = Division(club_id=club_id, season_id=season_id, rules_id=rules_id, players=players, teams=teams)
    db.session.add(division)
    db.session.flush()
    return division.id


def _result(game: Game, division_id: int, player_id: PlayerId, part: Counted) -> Result:
    return Result(
        game_id=game.id,
        player_id=player_id,
        club_id=game.club_id,
        division_id=division_id,
        played=game.played,
        number=game.number,
        seat=part.seat,
        unit=part.unit,
        place=part.place,
        detail=_without_zeros(part.detail),
        **{name: part.sums[name] for name in SUMS},
    )


def _without_zeros(counter: Counter[str]) -> dict[str, int]:
    return {name: counter[name] for name in sorted(counter) if counter[name]}


# --- adding up ----------------------------------------------------------------------------------------------------


def _add_up(division_id: int, player_id: PlayerId, added: Added) -> None:
    """Add to a player's tally; one that nothing is left of goes."""
    key = {"division_id": division_id, "player_id": player_id}
    tally = db.session.get(Tally, key, options=(undefer(Tally.detail),), populate_existing=True)
    if tally is None:
        tally = Tally(**key, **dict.fromkeys(SUMS, 0), detail={}, form=[], beaten={})
        db.session.add(tally)
    for name in SUMS:
        setattr(tally, name, getattr(tally, name) + added.sums[name])
    tally.detail = _without_zeros(_sum(tally.detail, added.detail))
    tally.form = _form(division_id, player_id)
    tally.beaten = {other: met["won"] for other, met in of_kind(tally.detail, VS).items() if met.get("won")}
    tally.last_played = date.fromisoformat(tally.form[-1][0]) if tally.form else None
    db.session.flush()
    if not (tally.games or tally.hands):
        db.session.delete(tally)


def _sum(one: dict[str, int], other: Counter[str]) -> Counter[str]:
    total = Counter(one)
    total.update(other)  # not `+`, which would drop what is below zero
    return total


def _form(division_id: int, player_id: PlayerId) -> list[list[Any]]:
    """The last games there, the latest last: when, which, and how it ended."""
    found = (
        select(Result.played, Result.number, Result.won, Result.shared)
        .where(Result.division_id == division_id, Result.player_id == player_id, Result.games > Result.forfeits)
        .order_by(Result.played.desc(), Result.number.desc())
        .limit(FORM_LENGTH)
    )
    rows = db.session.execute(found).all()
    return [
        [played.isoformat(), number, "W" if won else "S" if shared else "L"]
        for played, number, won, shared in reversed(rows)
    ]


# --- seasons that were closed -------------------------------------------------------------------------------------


def _reopen(game: Game, before: list[Result], after: list[Result]) -> None:
    """A closed season is open again when a game of it changes, comes or goes; it says which."""
    divisions = {result.division_id for result in (*before, *after)}
    seasons = select(Season).join(Division).where(Division.id.in_(divisions), Season.closed_at.is_not(None))
    for season in db.session.scalars(seasons):
        season.closed_at = None
        season.reopened = {"at": now().isoformat(), "game": game.number}


def rate_again(club_id: int, since: tuple[date, int], players: set[PlayerId]) -> None:
    """Rate a club's games again from there on, with the club locked."""
    writer = TallyWriter(club_id)
    ratings.rate(club_id, since, players)
    writer.close()


# --- all of them --------------------------------------------------------------------------------------------------


def rebuild(club: Club) -> None:
    """Make a club's tallies again from the hands; inside a transaction. No game has changed: closed seasons stay so."""
    mine = select(Division.id).where(Division.club_id == club.id)
    for column in (Tally.division_id, Result.division_id, Division.id):
        unwanted = delete(column.class_).where(column.in_(mine))
        db.session.execute(unwanted.execution_options(synchronize_session=False))
    db.session.expire_all()
    db.session.execute(update(Club).where(Club.id == club.id).values(counted=COUNTING))
    writer = TallyWriter(club.id, reopens=False)
    for game in all_games(club):
        writer.enter(game)
    writer.close()


def all_games(club: Club, *asked: ColumnElement[bool]) -> Iterator[Game]:
    """A club's games in the order in which they were played, a few hundred at a time in memory; all, or some."""
    loading = selectinload(Game.hands), selectinload(Game.seats).joinedload(Seat.player)
    last: tuple[Any, ...] = (date.min, 0)
    while True:
        behind = tuple_(Game.played, Game.number) > tuple_(*last)
        found = select(Game).where(Game.club_id == club.id, behind, *asked).order_by(Game.played, Game.number)
        games = list(db.session.scalars(found.limit(CHUNK).options(*loading)))
        if not games:
            return
        yield from games
        last = games[-1].played, games[-1].number
        db.session.flush()
        for game in games:
            db.session.expunge(game)

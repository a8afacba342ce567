"""A ladder: everybody stands on a rung, and whoever beats somebody above moves up. docs/league.md has the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Row, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result

from .query import Choice, Duels, Entry, Gathered, Record, ResultRow, chosen_games
from .schemes import SWAP, Scheme


class Bout(NamedTuple):
    """A game as a ladder sees it: who took part, seat by seat, and who beat whom; nobody where several sides won."""

    played: date
    number: int
    players: tuple[Entry, ...]
    winners: tuple[Entry, ...]
    losers: tuple[Entry, ...]


class Step(NamedTuple):
    """A move up: in which game, who, from which rung to which, and past whom. Rungs are numbered from 1."""

    bout: Bout
    player: Entry
    start: int
    end: int
    past: Entry


class Ladder:
    """The players of a table in their order, the first on the top rung; others are not on it. Some begin on a rung."""

    def __init__(self, scheme: Scheme, players: Collection[Entry], start: Sequence[Entry] = ()) -> None:
        self._scheme, self._players = scheme, players
        self.order = [one for one in start if one in players]
        self.steps: list[Step] = []

    def play(self, bouts: Iterable[Bout]) -> Ladder:
        """Let games move the players, in their order. Whoever plays for the first time starts on a new bottom rung."""
        for bout in bouts:
            self.order += [one for one in bout.players if one in self._players and one not in self.order]
            was = {one: rung for rung, one in enumerate(self.order)}
            for winner in sorted((one for one in bout.winners if one in was), key=was.__getitem__):
                near = [one for one in bout.losers if one in was and self._reaches(was, winner, one)]
                self._climb(winner, near, bout)
        return self

    def _reaches(self, was: dict[Entry, int], winner: Entry, loser: Entry) -> bool:
        """Whether a player stood near enough to challenge the other one."""
        return not self._scheme.reach or was[winner] - was[loser] <= self._scheme.reach

    def _climb(self, winner: Entry, losers: Sequence[Entry], bout: Bout) -> None:
        start = self.order.index(winner)
        end = min((self.order.index(one) for one in losers), default=start)
        if end >= start:
            return
        past = self.order[end]
        if self._scheme.climb == SWAP:
            self.order[start], self.order[end] = past, winner
        else:
            self.order.insert(end, self.order.pop(start))
        self.steps.append(Step(bout, winner, start + 1, end + 1, past))


@dataclass(frozen=True)
class OnLadder:
    """The numbers of the games chosen, with the games that make the ladder, and who was put on which rung before."""

    found: Gathered
    bouts: Sequence[Bout]
    start: Sequence[Entry] = ()

    @cached_property
    def records(self) -> dict[Entry, Record]:
        """Those of whoever was put on a rung, too, before the first game."""
        return {one: Record() for one in self.start} | self.found.records

    def duels(self, level: Sequence[Entry]) -> Duels:
        return self.found.duels(level)

    def before(self, night: date) -> OnLadder:
        return OnLadder(self.found.before(night), [bout for bout in self.bouts if bout.played < night], self.start)


def bouts_of(rows: Iterable[ResultRow | Row[Any]]) -> list[Bout]:
    """The games of a ladder, from the results of players, or of pairs, in the order in which they were played."""
    counting = (row for row in rows if row.games)
    return [_bout(list(game)) for _, game in groupby(counting, key=lambda row: row.game_id)]


def _bout(game: Sequence[ResultRow | Row[Any]]) -> Bout:
    losers = [row.player_id for row in game if not (row.won or row.shared)]
    winners = [row.player_id for row in game if row.won]
    return Bout(game[0].played, game[0].number, tuple(row.player_id for row in game), tuple(winners), tuple(losers))


def chosen_bouts(club: Club, choice: Choice) -> list[Bout]:
    """The games chosen as a ladder of players sees them."""
    columns = Result.game_id, Result.player_id, Result.played, Result.number, Result.games, Result.won, Result.shared
    found = select(*columns).where(*chosen_games(club, choice))
    return bouts_of(db.session.execute(found.order_by(Result.played, Result.number, Result.seat, Result.player_id)))

"""A ladder: everybody stands on a rung, and whoever beats somebody above moves up. docs/league.md has the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Row, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result

from .query import Choice, Entry, ResultRow, chosen_games
from .schemes import SWAP, Scheme


class LadderGame(NamedTuple):
    """A game as a ladder sees it: who took part, seat by seat, and who beat whom; nobody where several sides won."""

    played: date
    number: int
    players: tuple[Entry, ...]
    winners: tuple[Entry, ...]
    losers: tuple[Entry, ...]


class Step(NamedTuple):
    """A move up: in which game, who, from which rung to which, and past whom. Rungs are numbered from 1."""

    game: LadderGame
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

    def play(self, games: Iterable[LadderGame]) -> Ladder:
        """Let games move the players, in their order. Whoever plays for the first time starts on a new bottom rung."""
        for game in games:
            self.order += [one for one in game.players if one in self._players and one not in self.order]
            was = {one: rung for rung, one in enumerate(self.order)}
            for winner in sorted((one for one in game.winners if one in was), key=was.__getitem__):
                highest = was[winner] - self._scheme.reach if self._scheme.reach else 0  # that may be challenged
                near = [one for one in game.losers if one in was and was[one] >= highest]
                self._climb(winner, near, game)
        return self

    def _climb(self, winner: Entry, losers: Sequence[Entry], game: LadderGame) -> None:
        start = self.order.index(winner)
        end = min((self.order.index(one) for one in losers), default=start)
        if end >= start:
            return
        past = self.order[end]
        if self._scheme.climb == SWAP:
            self.order[start], self.order[end] = past, winner
        else:
            self.order.insert(end, self.order.pop(start))
        self.steps.append(Step(game, winner, start + 1, end + 1, past))


def ladder_games(rows: Iterable[ResultRow | Row[Any]]) -> list[LadderGame]:
    """The games of a ladder, from the results of players, or of pairs, in the order in which they were played."""
    found = []
    for _, counting in groupby((row for row in rows if row.games), key=lambda row: row.game_id):
        game = list(counting)
        winners = [row.player_id for row in game if row.won]
        losers = [row.player_id for row in game if not (row.won or row.shared)]
        players = [row.player_id for row in game]
        found.append(LadderGame(game[0].played, game[0].number, tuple(players), tuple(winners), tuple(losers)))
    return found


def chosen_ladder_games(club: Club, choice: Choice) -> list[LadderGame]:
    """The games chosen as a ladder of players sees them."""
    columns = Result.game_id, Result.player_id, Result.played, Result.number, Result.games, Result.won, Result.shared
    found = select(*columns).where(*chosen_games(club, choice))
    return ladder_games(db.session.execute(found.order_by(Result.played, Result.number, Result.seat, Result.player_id)))

"""A cache of games scored by the scoring core, shared by all pages and by saving.

The key is the text of everything that the value depends on. So a value can never belong to other rules or hands, and a
rolled back change leaves nothing behind.
"""

from __future__ import annotations

import json
import sys
from typing import NamedTuple

from scorekeeper.database.cache import BoundedCache
from scorekeeper.scoring.game import Game, GameScore, replay
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.hand_facts import Facts
from scorekeeper.scoring.record import FORMAT, read_game, read_hand

MOST_HANDS = 1_000  # over all cached games: enough for fifty tables; a hand with its score takes 3 kB


class GameText(NamedTuple):
    """A game's rules, size, starting scores and hands, as JSON: all inputs of its score."""

    rules: str
    players: int
    teams: int
    start: str | None
    hands: tuple[str, ...]


class Replayed(NamedTuple):
    """A replayed game: its hands as entered (`facts`), as read (`played`), and the score."""

    text: GameText
    facts: tuple[Facts, ...]
    played: Game
    score: GameScore

    @property
    def scores(self) -> tuple[HandScore, ...]:
        """Return the scored hands, including those after the end, up to the first that cannot be scored."""
        return (*self.score.hands, *self.score.beyond)


def _weight(game: Replayed) -> int:
    return len(game.facts) + 1  # a game without hands also takes memory


_cache = BoundedCache[Replayed](MOST_HANDS, _weight)


def replayed(text: GameText) -> Replayed:
    """Return the replayed game. Raises Refused if a hand that counts cannot be scored."""
    return _cache.get_or_make(text, lambda: _replay(text))


def _replay(text: GameText) -> Replayed:
    # Once in memory: it is part of the key of every cached game and of every row of a score sheet.
    text = text._replace(rules=sys.intern(text.rules))
    before = _cache.get(text._replace(hands=text.hands[:-1])) if text.hands else None
    if before:  # the same game with one more hand: only that hand is read and scored
        facts = json.loads(text.hands[-1])
        played = before.played._replace(hands=(*before.played.hands, read_hand(facts, before.played.table)))
        return Replayed(text, (*before.facts, facts), played, replay(played, before.scores))
    hands = [json.loads(hand) for hand in text.hands]
    record = {"format": FORMAT, "rules": json.loads(text.rules), "players": text.players, "teams": text.teams}
    start = {} if text.start is None else {"start": json.loads(text.start)}
    played = read_game({**record, **start, "hands": hands})
    return Replayed(text, tuple(hands), played, replay(played))

"""A cache of games scored by the scoring core, shared by all pages and by saving.

What is kept is found by all that it follows from, as text. So it can never be that of other rules or other hands, and
a change that is rolled back leaves nothing behind.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import NamedTuple

from scorekeeper.database.cache import BoundedCache
from scorekeeper.scoring.game import Game, GameScore, replay
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.hand_facts import Facts
from scorekeeper.scoring.record import FORMAT, read_game, read_hand

MOST_HANDS = 1_000  # of all games that are kept: fifty tables with theirs; a hand with its score takes 3 kB


class GameText(NamedTuple):
    """A game's rules, size, scores at the start, and hands, as their JSON: all that its score follows from."""

    rules: str
    players: int
    teams: int
    start: str | None
    hands: tuple[str, ...]


class Replayed(NamedTuple):
    """The hands of a game as they were written down, as they were played, and what they come to."""

    text: GameText
    facts: tuple[Facts, ...]
    played: Game
    score: GameScore

    @property
    def scores(self) -> tuple[HandScore, ...]:
        """The hands as they were scored, those behind the end too, up to the first that cannot be."""
        return (*self.score.hands, *self.score.beyond)


def _weight(game: Replayed) -> int:
    return len(game.facts) + 1  # a game without a hand is something, too


_kept = BoundedCache[Replayed](MOST_HANDS, _weight)


def replayed(text: GameText) -> Replayed:
    """A game played through. Raises Refused where a hand that counts cannot be scored."""
    return _kept.get_or_make(text, lambda: _replay(text))


@lru_cache(maxsize=64)
def _one_text(rules: str) -> str:
    """The same rules as one object: every game that is kept, and every row of a score sheet, is known by them."""
    return rules


def _replay(text: GameText) -> Replayed:
    text = text._replace(rules=_one_text(text.rules))
    before = _kept.get(text._replace(hands=text.hands[:-1]))
    if before:  # the same game with one hand more: only that one is read and scored
        facts = json.loads(text.hands[-1])
        played = before.played._replace(hands=(*before.played.hands, read_hand(facts, before.played.table)))
        return Replayed(text, (*before.facts, facts), played, replay(played, before.scores))
    hands = [json.loads(hand) for hand in text.hands]
    record = {"format": FORMAT, "rules": json.loads(text.rules), "players": text.players, "teams": text.teams}
    start = {} if text.start is None else {"start": json.loads(text.start)}
    played = read_game({**record, **start, "hands": hands})
    return Replayed(text, tuple(hands), played, replay(played))

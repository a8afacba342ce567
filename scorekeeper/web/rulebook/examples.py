"""Worked examples of a rule set: hands that the simulator's players played, each scored as any other hand is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import NamedTuple

from scorekeeper.models import Facts
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.points import NOT_DEALT
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import write_hand
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.simulator import draw_styles
from scorekeeper.simulator.hands import Played, play_hand, tell

MOST_DEALT = 60  # hands that are looked through for an example of each kind
SEED = "worked examples"


class Example(NamedTuple):
    """A hand as a game record has it (its points, no tricks), what it comes to, and which card each point was."""

    facts: Facts
    score: HandScore
    cards: Mapping[str, Card | None]


def _is_split(score: HandScore) -> bool:
    """A made bid of which the others took something too."""
    return score.made and sum(points > 0 for points in score.earned.values()) > 1


def _is_set(score: HandScore) -> bool:
    return score.bidder is not None and not score.made


def _has_nobodys(score: HandScore) -> bool:
    """A point that is nobody's: its card was buried or not dealt, or Game was tied."""
    return score.made and any(point.side is None for point in score.points.values())


KINDS: tuple[Callable[[HandScore], bool], ...] = (_is_split, _is_set, _has_nobodys)


def examples(table: Table) -> tuple[Example, ...]:
    """Up to three hands at that table: a made bid, a set one, and one with a point that nobody has.

    They follow each other: the scores of one are those before the next. The same table has the same examples always.
    """
    return _examples(table.rules, table.players, table.teams)


@lru_cache(maxsize=64)
def _examples(rules: RuleSet, players: int, teams: int) -> tuple[Example, ...]:
    table = Table(rules, players, teams)
    found: dict[int, tuple[Played, HandScore]] = {}
    for played, score in _dealt(table):
        kind = next((kind for kind, test in enumerate(KINDS) if kind not in found and test(score)), None)
        if kind is not None:
            found[kind] = played, score
        if len(found) == len(KINDS):
            break
    return tuple(_in_a_row(table, [found[kind] for kind in sorted(found)]))


def _dealt(table: Table) -> Iterator[tuple[Played, HandScore]]:
    """Hands as they come, but for those in which a simulated player did what odd house rules do not allow.

    Nor those without a point where a player looks through the rest of the pack and would have kept it.
    """
    rng = Random(SEED)  # noqa: S311
    styles = draw_styles(rng, table.players)
    for number in range(MOST_DEALT):
        played = play_hand(table, rng, styles, number % table.players + 1, table.at_zero)
        try:
            score = score_hand(table, played.hand)
        except Refused:
            continue
        if table.rules.deck.rob == "nobody" or all(point.why != NOT_DEALT for point in score.points.values()):
            yield played, score


def _in_a_row(table: Table, chosen: list[tuple[Played, HandScore]]) -> Iterator[Example]:
    totals: Mapping[Unit, int] = table.at_zero
    for played, score in chosen:
        counts = dict[str | int, int](score.counts.items()) if score.counts and table.game_key else None
        hand = tell(table, played, score=score)._replace(game_counts=counts)
        after = score_hand(table, hand, before=totals)
        totals = after.totals
        yield Example(write_hand(hand), after, _point_cards(table, played))


def _point_cards(table: Table, played: Played) -> Mapping[str, Card | None]:
    """The card that each point was, by what was played."""
    seen = {card for trick in played.hand.tricks or () for card in trick.cards}
    return table.trumps[played.hand.trump or ""].point_cards(table.cards - seen)

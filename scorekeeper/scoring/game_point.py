"""The Game point: which side has the most card points, as far as their counts tell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from .cards import Card
from .known_cards import knows_all_buried
from .rules.fields import GameRules
from .table import Seat, Side, Sides, Table

BURIED = "buried"
NOT_DEALT = "not dealt"
NOT_CAPTURED = "not captured"
TIED = "tied"
BELOW_THRESHOLD = "below threshold"


class PointScore(NamedTuple):
    """Who has a point (None: nobody), the card that it is where that is known, and why nobody has it.

    `why` is `buried`, `not dealt`, `not captured`, `tied` or `below threshold`, and None where somebody has it.
    `captured`: the side won it from another, and that is worth something else under these rules.

    >>> PointScore("A", "AH")
    PointScore(side='A', card='AH', why=None, captured=False)
    """

    side: Side | None
    card: Card | None = None
    why: str | None = None
    captured: bool = False


NOBODY_TIED = PointScore(None, None, TIED)
NOBODY_BELOW = PointScore(None, None, BELOW_THRESHOLD)


def decide_game(rules: GameRules, counts: Mapping[Side, int]) -> PointScore:
    """Whose the Game point is, from the card points of every side.

    It goes to the one side with the most; under `game.award = at-least` only from `game.at_least` card points on.

    >>> from scorekeeper.scoring import find_rules
    >>> decide_game(find_rules("double-jack").game, {"A": 43, "B": 37}).side
    'A'
    >>> decide_game(find_rules("double-jack").game, {"A": 40, "B": 40}).why
    'tied'
    """
    top = max(counts.values())
    leaders = [side for side, count in counts.items() if count == top]
    if len(leaders) > 1:
        return NOBODY_TIED
    return _alone(leaders[0], top, rules)


def break_tie(
    table: Table, dealer: Seat, sides: Sides, takers: Mapping[str, Side | None], tied: Collection[Side]
) -> PointScore:
    """A tied Game, given to the side that `game.tie` favors if it is among the tied; `takers` have the other points."""
    game = table.rules.game
    favored: Mapping[str, list[Side | None]] = {
        "nobody": [],
        "bidder": [sides.bidding],
        "dealer": [sides.of_seat[dealer]],
        "eldest": [sides.of_seat[table.next_seat(dealer)]],
        "points": [takers.get(point) for point in game.tie_points],
    }
    winner = next((side for side in favored[game.tie] if side is not None), None)
    return PointScore(winner) if winner in tied else NOBODY_TIED


def leaders(counts: Mapping[Side, int]) -> tuple[Side, ...]:
    """The sides with the most card points."""
    top = max(counts.values())
    return tuple(side for side, count in counts.items() if count == top)


def _alone(side: Side, count: int, rules: GameRules) -> PointScore:
    """What a side gets that has the most card points alone."""
    return NOBODY_BELOW if rules.award == "at-least" and count < rules.at_least else PointScore(side)


# --- from the counts of some sides ------------------------------------------------------------------------------


def dealt_card_points(table: Table, buried: Collection[Card] = ()) -> tuple[int, int]:
    """The least and the most card points that were dealt, with those buried cards known.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> dealt_card_points(Table(find_rules("west-michigan-6")), ["TH", "2C"])
    (70, 70)
    >>> dealt_card_points(Table(find_rules("west-michigan-6")))
    (60, 80)
    """
    values = sorted([table.value[card] for card in table.deck if card not in buried])
    unknown = len(values) - table.dealt
    least = 0 if table.short_tricks else sum(values[: len(values) - unknown])
    return least, sum(values[max(unknown, 0) :])


def game_total(table: Table, buried: Collection[Card] = ()) -> int | None:
    """All card points that were dealt, which the sides' counts add up to; None where that is not certain.

    It is certain where every card that was not dealt is known.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> game_total(Table(find_rules("west-michigan-6")), ["TH", "2C"])
    70
    >>> game_total(Table(find_rules("west-michigan-6")), ["TH"]) is None
    True
    """
    least, most = dealt_card_points(table, buried)
    return most if least == most else None


def fill_counts(
    table: Table, sides: Collection[Side], buried: Collection[Card], counts: Mapping[Side, int]
) -> dict[Side, int]:
    """The counts given, and that of the last side where it follows because every buried card is known.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> fill_counts(Table(find_rules("west-michigan-6")), "AB", ["TH", "2C"], {"A": 30})
    {'A': 30, 'B': 40}
    """
    missing = [side for side in sides if side not in counts]
    if len(missing) != 1 or not knows_all_buried(table, buried):
        return dict(counts)
    rest = dealt_card_points(table, buried)[1] - sum(counts.values())
    return dict(counts) if rest < 0 else {side: counts.get(side, rest) for side in sides}


def decide_from_counts(
    table: Table, sides: Collection[Side], buried: Collection[Card], counts: Mapping[Side, int]
) -> PointScore | None:
    """Whose the Game point is whatever the sides without a count took; None while it is open.

    `sides` are all sides of the hand, `buried` the buried cards that are known, `counts` the card points of some sides.
    Counts that add up to more than was dealt decide nothing.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> decide_from_counts(Table(find_rules("west-michigan-6")), "AB", [], {"A": 47}).side
    'A'
    >>> decide_from_counts(Table(find_rules("double-jack")), "AB", [], {"A": 40}).why
    'below threshold'
    >>> decide_from_counts(Table(find_rules("classic")), "AB", [], {"A": 40}) is None
    True
    """
    counts = fill_counts(table, sides, buried, counts)
    if len(counts) == len(sides):
        return decide_game(table.rules.game, counts)
    least, most = (total - sum(counts.values()) for total in dealt_card_points(table, buried))
    unknown = [side for side in sides if side not in counts]
    ends = set(_possible_ends(table.rules.game, counts, unknown, _Rest(max(0, least), most, len(unknown))))
    if len({end.side for end in ends}) != 1:
        return None
    return NOBODY_BELOW if NOBODY_BELOW in ends else ends.pop()


class _Rest(NamedTuple):
    """The card points left for the sides without a count: the least, the most, and how many sides share them."""

    least: int
    most: int
    sides: int

    def may_stay_within(self, top: int) -> bool:
        """Whether they can be shared so that no side has more than `top`."""
        return self.least <= self.most and self.least <= top * self.sides

    def lowest_lone_top(self, above: int) -> int:
        """The fewest card points above `above` with which one side can lead all the others who share."""
        even = (max(self.least, 1) + 2 * self.sides - 2) // self.sides
        return max(above + 1, even)

    def may_tie_above(self, top: int) -> bool:
        """Whether two of these sides can tie for the most with more than `top`."""
        lowest = (max(top + 1, -(-total // self.sides)) for total in range(self.least, self.most + 1))
        return any(2 * tie <= total for total, tie in zip(range(self.least, self.most + 1), lowest, strict=True))


def _possible_ends(
    rules: GameRules, counts: Mapping[Side, int], unknown: Collection[Side], rest: _Rest
) -> Iterator[PointScore]:
    """Every way in which Game can still be decided."""
    top = max(counts.values(), default=-1)
    leaders = [side for side, count in counts.items() if count == top]
    if len(leaders) == 1 and rest.may_stay_within(top - 1):
        yield _alone(leaders[0], top, rules)
    if len(leaders) > 1 and rest.may_stay_within(top):
        yield NOBODY_TIED
    if leaders and max(rest.least, top) <= min(rest.most, top * rest.sides):
        yield NOBODY_TIED
    if rest.may_tie_above(top):
        yield NOBODY_TIED
    if (lowest := rest.lowest_lone_top(top)) <= rest.most:
        for count in (lowest, rest.most):
            yield from (_alone(side, count, rules) for side in unknown)

"""What a finished game came to as one: what records, partners and charts of many games read, a row a game.

- `hands`: all hands, also those that everybody passed
- `sides`: each unit with its final score, W, S or L, and the ids of the players whom the game counts for
- `bids`: by the bid, the numbers of OF_A_BID (see counts)
- `pairs`: of two players in one team, "3-8", the numbers of TOGETHER; only of games that teams play
- `deeds`: what a record can be made of: [value, hand, players], players as they sat in that hand; and, of a game whose
  scores count down, that they do
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.table import Table, Unit

from .counts import INFLICTED, SETS, Counted, PlayerId
from .detail import BID, WITH, of_kind

TOGETHER = ("games", "won", "shared", "lost", "hands", "swing", SETS, INFLICTED)
OF_A_BID = ("taken", "made", "worth", "squares")
BID_MADE, COMEBACK, SWEEP, COUNTED_DOWN = ("bid", "comeback", "sweep", "counted_down")
LETTERS = {"won": "W", "shared": "S", "lost": "L"}
Seated = Sequence[Sequence[PlayerId]]


class Done(NamedTuple):
    """What somebody did in a hand (a comeback: after it, 0: before the first): so many points, by these players."""

    value: int
    hand: int
    players: list[PlayerId]


def count_whole_game(
    table: Table,
    score: GameScore,
    seated: Seated,
    counted: Mapping[PlayerId, Counted],
    start: Mapping[Unit, int] | None = None,
) -> dict[str, Any]:
    """The numbers of a game by the columns of GameCount, ready for JSON; `counted` is what it was for each player."""
    return {
        "rules_id": table.rules.id,
        "teams": table.teams,
        "hands": len(score.hands),
        "sides": _sides(table, score, counted),
        "bids": _bids(counted),
        "pairs": _pairs(counted) if table.teams else {},
        "deeds": _deeds(table, score, seated, start or {}),
    }


def _sides(table: Table, score: GameScore, counted: Mapping[PlayerId, Counted]) -> list[list[Any]]:
    return [_side(score.totals[unit], [one for one in counted.items() if one[1].unit == unit]) for unit in table.units]


def _side(total: int, credited: list[tuple[PlayerId, Counted]]) -> list[Any]:
    sitting = sorted(credited, key=lambda one: one[1].seat)
    ended = [letter for name, letter in LETTERS.items() for _, part in sitting[:1] if part.sums[name]]
    return [total, "".join(ended), [player for player, _ in sitting]]


def _bids(counted: Mapping[PlayerId, Counted]) -> dict[str, list[int]]:
    bids: dict[str, list[int]] = {}
    for part in counted.values():
        for bid, numbers in of_kind(part.detail, BID).items():
            sums = bids.get(bid, [0] * len(OF_A_BID))
            mine = (numbers.get(name, 0) for name in OF_A_BID)
            bids[bid] = [one + other for one, other in zip(sums, mine, strict=True)]
    return dict(sorted(bids.items()))


def _pairs(counted: Mapping[PlayerId, Counted]) -> dict[str, list[int]]:
    pairs = {
        f"{one}-{other}": [numbers.get(name, 0) for name in TOGETHER]
        for one, part in counted.items()
        for other, numbers in of_kind(part.detail, WITH).items()
        if one < int(other)
    }
    return dict(sorted(pairs.items()))


# --- deeds --------------------------------------------------------------------------------------------------------


def _deeds(table: Table, score: GameScore, seated: Seated, start: Mapping[Unit, int]) -> dict[str, Any]:
    bid, comeback = _highest_bid(table, score, seated), _comeback(table, score, seated, start)
    sweeps = [list(done) for done in _sweeps(table, score, seated)]
    deeds: dict[str, Any] = {BID_MADE: bid and list(bid), COMEBACK: comeback and list(comeback), SWEEP: sweeps}
    deeds[COUNTED_DOWN] = table.rules.win.counted == "down"
    return {name: done for name, done in deeds.items() if done}


def _highest_bid(table: Table, score: GameScore, seated: Seated) -> Done | None:
    """The highest bid that was made; of equals the first."""
    made = [
        Done(hand.bid or 0, index, [seated[index - 1][(hand.bidder or 1) - 1]])
        for index, hand in enumerate(score.hands, 1)
        if hand.status == "scored" and hand.made and not table.is_without_bid(hand.bid)
    ]
    return max(made, key=lambda done: done.value, default=None)


def _sweeps(table: Table, score: GameScore, seated: Seated) -> Iterator[Done]:
    """Every hand in which one side, bidding or not, took every point that the rules have."""
    for index, hand in enumerate(score.hands, 1):
        winners = {point.side for point in hand.points.values()}
        if hand.status == "scored" and hand.sides and len(winners) == 1 and (side := winners.pop()):
            seats = [seat for seat in table.seats if hand.sides.of_seat[seat] == side]
            yield Done(hand.earned[side], index, [seated[index - 1][seat - 1] for seat in seats])


def _comeback(table: Table, score: GameScore, seated: Seated, start: Mapping[Unit, int]) -> Done | None:
    """The largest deficit of a side that won alone to the best of the others, where there was one."""
    if len(score.winners) != 1 or not score.hands:
        return None
    winner = score.winners[0]
    totals = [{unit: start.get(unit, 0) for unit in table.units}, *(hand.totals for hand in score.hands)]
    behind = [_behind(now, winner) for now in totals]
    if max(behind) <= 0:
        return None
    players = [seated[-1][seat - 1] for seat in table.seats_of(winner)]
    return Done(max(behind), behind.index(max(behind)), players)


def _behind(totals: Mapping[Unit, int], unit: Unit) -> int:
    return max(total for other, total in totals.items() if other != unit) - totals[unit]

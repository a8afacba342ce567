"""Whom a finished game counts for, where somebody sat down in another player's place: a season's choice.

`finished`: for who finished it. `most`: for who played most hands of the seat, and where two played as many, for the
one who finished it. `both`: for these two. A hand always counts for who played it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

FINISHED, MOST, BOTH = CREDITS = ("finished", "most", "both")
Credited = list[tuple[int, ...]]  # the ids of players, seat by seat


def credited(hands: Sequence[Sequence[int]], finished: Sequence[int], rule: str) -> Credited:
    """The players whom a game counts for, seat by seat; the one who finished it first.

    `hands` are the players in each hand that was scored, one a seat, `finished` those who sat there at the end. A game
    counts once for a player, also for one who changed seats: with `both`, in the seat where the player finished, or
    else in the first; and where somebody played most hands of two seats, `most` leaves all seats to who finished.
    """
    if rule == FINISHED:
        return [(player,) for player in finished]
    most = [_most_hands([players[seat] for players in hands], last) for seat, last in enumerate(finished)]
    if rule == BOTH:
        return _both(finished, most)
    return [(player,) for player in (most if len(set(most)) == len(most) else finished)]


def _most_hands(sat: Sequence[int], last: int) -> int:
    """Who played most hands of a seat; of those who played as many the one who finished, or else the first."""
    hands = Counter([*sat])
    return last if not hands or hands[last] == max(hands.values()) else max(hands, key=lambda player: hands[player])


def _both(finished: Sequence[int], most: Sequence[int]) -> Credited:
    seats: Credited = []
    known = set(finished)
    for last, longest in zip(finished, most, strict=True):
        seats.append((last,) if longest in known else (last, longest))
        known.add(longest)
    return seats

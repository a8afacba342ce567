"""Sentences of a game's story: the result, who was behind, the turning point, the bids, where the chances come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scorekeeper.web.common.numbers import counted, percent, times
from scorekeeper.web.common.words import ended, listed

FROM_PAPER = "Scored on paper: there is only a final score."
FORFEITED = "The game was not played."
NO_HAND = "No hands yet."
NO_CHANCES = "This game is too long to work out the chances to win."
OTHER_ENDS = "Under these rules a game can end in more ways than by its score, so there are no chances to win."


def result(win: str, lead: int, hands: int) -> str:
    """Who won: `win` is "Ann and Cy win, 14 to 8", `lead` their points ahead of all others (0: say nothing of it)."""
    by = f", by {counted(lead, 'point')}" if lead else ""
    took = f", in {counted(hands, 'hand')}" if hands else ""
    return f"{win}{by}{took}."


def abandoned(hands: int, totals: str) -> str:
    return f"The game was abandoned after {counted(hands, 'hand')}: {totals}"


def nobody_leads(hands: int, totals: str) -> str:
    return f"After {counted(hands, 'hand')} nobody leads: {totals}"


def leads(hands: int, leader: str, players: int, totals: str, chance: float | None) -> str:
    """Who leads, and their chance to win, if it is known; `players` is how many the leader is."""
    after = f"After {counted(hands, 'hand')} {leader}"
    if chance is None:
        return f"{after} leads: {totals}" if players == 1 else f"{after} lead: {totals}"
    if players == 1:
        return f"{after} leads: {totals} The chance to win is {percent(chance)}."
    return f"{after} lead: {totals} Their chance to win is {percent(chance)}."


def lead_changed(often: int) -> str:
    return f"The lead changed {times(often)}."


def furthest_behind(winner: str, players: int, points: int, hand: int, chance: float | None) -> str:
    """Where the winner was furthest behind, after `hand` (0: before the first); never, with points of 0 or less."""
    was = "was" if players == 1 else "were"
    if points <= 0:
        return f"{winner} {was} never behind."
    when = f"after hand {hand}" if hand else "before the first hand"
    by = counted(points, "point")
    if chance is None:
        return f"{winner} {was} furthest behind {when}: by {by}."
    return f"{winner} {was} furthest behind {when}: by {by}, with {_a_chance(chance)} to win."


def _a_chance(chance: float) -> str:
    """A 13% chance; an 8% chance, an 11% chance."""
    said = percent(chance)
    return f"{'an' if said[0] == '8' or said in ('11%', '18%') else 'a'} {said} chance"


def happened(call: str, changes: Sequence[str], *, is_set: bool) -> str:
    """What happened in a hand: `call` is "Ann’s team bid 2, took 4", or that all passed; then the penalties."""
    return "; ".join([f"{call}, set" if is_set else call, *changes])


def turning_point(hand: int, happened: str, whose: str, before: float, after: float) -> str:
    """The hand after which the winner was ahead for good, and what happened in it."""
    rose = f"{whose}’s chance to win rose from {percent(before)} to {percent(after)}"
    return f"{ended(f'The turning point was hand {hand}: {happened}')} {rose}."


def bids_said(bids: int, sets: Counter[str]) -> str:
    """How many bids were set, and whose, by first names as they are said at that table; empty where nobody bid."""
    if not bids:
        return ""
    if bids == 1:
        return "The only bid was set." if sets else "The only bid was made."
    every = "Both" if bids == 2 else f"All {bids}"
    if not sets:
        return f"{every} bids were made."
    if sets.total() == bids:
        return f"{every} bids were set: {_whose(sets)}."
    return f"{sets.total()} of {bids} bids {'was' if sets.total() == 1 else 'were'} set: {_whose(sets)}."


def _whose(sets: Counter[str]) -> str:
    """Ann’s twice and Bo’s once; of a single one just whose it was."""
    if sets.total() == 1:
        return f"{next(iter(sets))}’s"
    return listed([f"{name}’s {times(number)}" for name, number in sets.items()])


def chances_from_the_club(own: int, off: int) -> str:
    """The chances were made with so many hands of the club, and may be off by so many points."""
    return (
        f"The chances are made with {counted(own, 'hand')} that your club played at tables like this one before this "
        f"game, and a few that the computer played. They may be off by up to {counted(off, 'point')}."
    )


def chances_from_the_computer(off: int, *, exact: bool) -> str:
    rules, points = "" if exact else " under nearly the same rules", counted(off, "point")
    return (
        f"The chances come from hands that the computer played{rules}, because your club had played too few at tables "
        f"like this one before this game. If your club plays differently, they may be off by up to {points}."
    )

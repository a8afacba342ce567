"""Sentences of a game's story: the result, who was behind, the turning point, the bids, where the chances come from."""

from __future__ import annotations

from collections import Counter

from scorekeeper.web.common.numbers import counted, percent

from .words import listed, short_names

FROM_PAPER = "Scored on paper: there is only a final score."
FORFEITED = "The game was not played."
NO_HAND = "No hands yet."
NO_CHANCES = "This game is too long to work out the chances to win."
TIMES = {1: "once", 2: "twice"}


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


def lead_changed(times: int) -> str:
    return f"The lead changed {_times(times)}."


def furthest_behind(winner: str, players: int, points: int, hand: int, chance: float | None) -> str:
    """Where the winner was furthest behind, after `hand` (0: before the first); never, with points of 0 or less."""
    was = "was" if players == 1 else "were"
    if points <= 0:
        return f"{winner} {was} never behind."
    when = f"after hand {hand}" if hand else "before the first hand"
    by = counted(points, "point")
    if chance is None:
        return f"{winner} {was} furthest behind {when}: by {by}."
    return f"{winner} {was} furthest behind {when}: by {by}, with a {percent(chance)} chance to win."


def turning_point(hand: int, call: str, whose: str, before: float, after: float, *, made: bool) -> str:
    """The hand by which a chance to win rose most; `call` is "Ann’s team bid 2, took 4"."""
    happened = call if made else f"{call}, set"
    rose = f"{whose}’s chance to win rose from {percent(before)} to {percent(after)}"
    return f"The turning point was hand {hand}: {happened}. {rose}."


def bids_said(bids: int, sets: Counter[str]) -> str:
    """How many bids were set, and whose; empty where nobody bid."""
    if not bids:
        return ""
    if bids == 1:
        return "The only bid was set." if sets else "The only bid was made."
    if not sets:
        return f"All {bids} bids were made."
    return f"{sets.total()} of {bids} bids {'was' if sets.total() == 1 else 'were'} set: {_whose(sets)}."


def _whose(sets: Counter[str]) -> str:
    """Ann’s twice and Bo’s once; of a single one just whose it was."""
    names = list(sets)
    shorts = short_names(names)
    if sets.total() == 1:
        return f"{shorts[0]}’s"
    return listed([f"{short}’s {_times(sets[name])}" for name, short in zip(names, shorts, strict=True)])


def _times(number: int) -> str:
    return TIMES.get(number, f"{number} times")


def chances_from_the_club(own: int, off: int) -> str:
    """The chances were made with so many hands of the club, and may be off by so many points."""
    return (
        f"The chances are made with {counted(own, 'hand')} that your club played at tables like this one before this "
        f"game, and a few that the computer played. They may be off by up to {off} points."
    )


def chances_from_the_computer(off: int, *, exact: bool) -> str:
    rules = "" if exact else " under nearly the same rules"
    return (
        f"The chances come from hands that the computer played{rules}, because your club had played too few at tables "
        f"like this one before this game. If your club plays differently, they may be off by up to {off} points."
    )

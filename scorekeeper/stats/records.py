"""Records: the highest, the longest, the furthest behind, from what each game came to (see game_counts).

Whoever did it first holds a record. Rule sets have records of their own: 7 points a hand and 4 are not compared. A
winning streak goes on from one rule set to another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from .counts import PlayerId
from .game_counts import BID_MADE, COMEBACK, COUNTED_DOWN, SWEEP
from .game_query import Played

STREAK = "streak"


class Deed(NamedTuple):
    """What somebody did in a game, in that `hand` of it where it was done in one."""

    value: int
    played: date
    number: int
    players: tuple[PlayerId, ...] = ()
    hand: int = 0
    since: int = 0  # of a streak, the game in which it began; of a comeback, the hand after which it did


@dataclass(frozen=True, slots=True)
class Best:
    """A record: who holds it, and in how many later games the same was done again."""

    deed: Deed
    again: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A record by its key, of games under one rule set; `rules_id` is empty where that makes no difference."""

    key: str
    rules_id: str
    best: Best


class Runs(NamedTuple):
    """Games that players have won one after another, alone or with partners; a tied game ends it.

    Of those that have ended the longest of each player, in the order in which they did.
    """

    going_on: dict[PlayerId, Deed]
    ended: list[Deed]


@dataclass(frozen=True)
class Deeds:
    """What the games so far came to: as much as it takes to say their records, and to go on with later games."""

    games: int = 0
    nights: int = 0
    night: date | None = None  # the last one
    by_rules: Counter[str] = field(default_factory=Counter)  # how many games
    bests: dict[tuple[str, str], Best] = field(default_factory=dict)  # by rule set and record
    runs: Runs = field(default_factory=lambda: Runs({}, []))


def add_deeds(before: Deeds, games: Sequence[Played], members: Collection[PlayerId]) -> Deeds:
    """The same with later games, in their order. Guests hold no records; nothing in `before` is changed."""
    members = frozenset(members)
    by_rules, bests = before.by_rules.copy(), before.bests.copy()
    for rules_id, number in Counter(game.rules_id for game in games).items():
        by_rules[rules_id] += number
        mine = [game for game in games if game.rules_id == rules_id]
        for key, kind in RECORDS.items():
            record = best(_nearest(mine, kind, members), lowest=kind.lowest)
            if record:
                bests[rules_id, key] = _higher(bests.get((rules_id, key)), record, lowest=kind.lowest)
    nights = {game.played for game in games}
    new = len(nights - {before.night})
    last = games[-1].played if games else before.night
    runs = add_runs(before.runs, games, members)
    return Deeds(before.games + len(games), before.nights + new, last, by_rules, bests, runs)


def _higher(before: Best | None, later: Best, *, lowest: bool) -> Best:
    """The record of games and of later ones; equals are counted with the one that was first."""
    if before is None or (later.deed.value < before.deed.value if lowest else later.deed.value > before.deed.value):
        return later
    if later.deed.value != before.deed.value:
        return before
    return Best(before.deed, before.again + 1 + later.again)


def records(done: Deeds) -> list[Found]:
    """All records: the streak, then each rule set's, the one with most games first."""
    streak = best(streaks(done.runs))
    found = [Found(STREAK, "", streak)] if streak else []
    for rules_id, _ in done.by_rules.most_common():
        found += [Found(key, rules_id, done.bests[rules_id, key]) for key in RECORDS if (rules_id, key) in done.bests]
    return found


def _nearest(games: Iterable[Played], kind: Kind, members: frozenset[PlayerId]) -> list[Deed]:
    """The members' deeds in the games that went farthest, in their order: the record and its equals are among them.

    In no game not looked at somebody went as far: of thousands, only some are looked at for what was done and by whom.
    """
    reached: dict[int, list[Played]] = defaultdict(list)
    for game in games:
        if (value := kind.reach(game)) is not None:
            reached[value].append(game)
    done: list[Deed] = []
    sign = -1 if kind.lowest else 1
    for value in sorted(reached, reverse=not kind.lowest):
        done += _without_guests((deed for game in reached[value] for deed in kind.deeds(game)), members)
        if any(sign * deed.value >= sign * value for deed in done):
            break
    return sorted(done, key=lambda deed: (deed.played, deed.number))


def best(deeds: Iterable[Deed], *, lowest: bool = False) -> Best | None:
    """The record among some deeds, which are in the order in which they were done.

    Sides and players who did the same in the same game hold it together; a game counts once.
    """
    found = list(deeds)
    if not found:
        return None
    value = (min if lowest else max)([deed.value for deed in found])
    same = [deed for deed in found if deed.value == value]
    first = same[0]
    held = [player for deed in same if _is_together(first, deed) for player in deed.players]
    again = len({deed.number for deed in same} - {first.number})
    players = tuple(dict.fromkeys(held))
    return Best(Deed(value, first.played, first.number, players, first.hand, first.since), again)


def _is_together(first: Deed, deed: Deed) -> bool:
    return (first.number, first.hand, first.since) == (deed.number, deed.hand, deed.since)


def _without_guests(deeds: Iterable[Deed], members: frozenset[PlayerId]) -> list[Deed]:
    """The deeds without what guests alone have done; who is named did them, but for the guests."""
    found = []
    for deed in deeds:
        if members.issuperset(deed.players):  # nearly always
            found.append(deed)
        elif players := tuple(player for player in deed.players if player in members):
            found.append(deed._replace(players=players))
    return found


# --- how far a game went --------------------------------------------------------------------------------------------
# Nobody in it, guests included, can have gone farther; None where nobody did anything of the kind. A score that counts
# down to 0 is neither a high nor a low one.


def _highest(game: Played) -> int | None:
    return None if game.deeds.get(COUNTED_DOWN) else max([int(side[0]) for side in game.sides])


def _lowest(game: Played) -> int | None:
    return None if game.deeds.get(COUNTED_DOWN) else min([int(side[0]) for side in game.sides])


def _lead(game: Played) -> int | None:
    """Of the highest score to the next, whoever won."""
    *_, second, first = sorted([int(side[0]) for side in game.sides])
    return first - second or None


def _set(game: Played) -> int | None:
    return sum([taken - made for taken, made, *_ in game.bids.values()]) or None


def _highest_bid(game: Played) -> int | None:
    return game.deeds[BID_MADE][0] if BID_MADE in game.deeds else None


def _behind(game: Played) -> int | None:
    return game.deeds[COMEBACK][0] if COMEBACK in game.deeds else None


def _sweep(game: Played) -> int | None:
    return max([value for value, *_ in game.deeds.get(SWEEP, ())], default=None)


# --- of a game ----------------------------------------------------------------------------------------------------


def scores(game: Played) -> list[Deed]:
    """The final score of every side."""
    return [_deed(game, total, players) for total, _, players in game.sides]


def margins(game: Played) -> list[Deed]:
    """By how much it was won, where one side alone won it; a tie that the bid decided has no margin."""
    return [
        _deed(game, margin, players)
        for index, (total, ended, players) in enumerate(game.sides)
        if ended == "W" and (margin := total - _most([*game.sides[:index], *game.sides[index + 1 :]])) > 0
    ]


def _most(sides: Sequence[Sequence[Any]]) -> int:
    return max(int(total) for total, *_ in sides)


def lengths(game: Played) -> list[Deed]:
    """How many hands it took, also those that everybody passed."""
    return [_deed(game, game.hands)] if game.hands else []


def sets(game: Played) -> list[Deed]:
    """How many of its bids were set."""
    number = sum(taken - made for taken, made, *_ in game.bids.values())
    return [_deed(game, number)] if number else []


def bids(game: Played) -> list[Deed]:
    """The highest bid that was made."""
    done = game.deeds.get(BID_MADE)
    return [_deed(game, done[0], done[2], hand=done[1])] if done else []


def comebacks(game: Played) -> list[Deed]:
    """How far behind the winner was."""
    done = game.deeds.get(COMEBACK)
    return [_deed(game, done[0], done[2], since=done[1])] if done else []


def sweeps(game: Played) -> list[Deed]:
    """The hands in which one side took every point."""
    return [_deed(game, value, players, hand=hand) for value, hand, players in game.deeds.get(SWEEP, ())]


def _deed(game: Played, value: int, players: Iterable[PlayerId] = (), *, hand: int = 0, since: int = 0) -> Deed:
    return Deed(value, game.played, game.number, tuple(players), hand, since)


class Kind(NamedTuple):
    """A kind of record: the deeds of a game, how far it went at most, and whether the lowest is the record."""

    deeds: Callable[[Played], list[Deed]]
    reach: Callable[[Played], int | None]
    lowest: bool = False


RECORDS = {
    "highest": Kind(scores, _highest),
    "lowest": Kind(scores, _lowest, lowest=True),
    "margin": Kind(margins, _lead),
    "comeback": Kind(comebacks, _behind),
    "bid": Kind(bids, _highest_bid),
    "sweep": Kind(sweeps, _sweep),
    "length": Kind(lengths, lambda game: game.hands or None),
    "sets": Kind(sets, _set),
}


# --- of many games ------------------------------------------------------------------------------------------------


def add_runs(before: Runs, games: Iterable[Played], members: Collection[PlayerId]) -> Runs:
    """The same after later games; nothing in `before` is changed. Guests have none."""
    runs, ended = before.going_on.copy(), before.ended.copy()
    for game in games:
        for _, letter, players in game.sides:
            for player in players:
                if letter == "W" and player in members:
                    runs[player] = _one_more(runs.get(player), game, player)
                elif run := runs.pop(player, None):
                    ended.append(run)
    return Runs(runs, _longest(ended))


def _one_more(run: Deed | None, game: Played, player: PlayerId) -> Deed:
    return _deed(game, run.value + 1 if run else 1, [player], since=run.since if run else game.number)


def _longest(runs: Sequence[Deed]) -> list[Deed]:
    """The longest run of each player, and its equals."""
    longest: dict[PlayerId, int] = defaultdict(int)
    for run in runs:
        longest[run.players[0]] = max(longest[run.players[0]], run.value)
    return [run for run in runs if run.value == longest[run.players[0]]]


def streaks(runs: Runs) -> list[Deed]:
    """The longest runs of two or more games, also those that go on, in the order of their last games."""
    found = [run for run in (*runs.ended, *runs.going_on.values()) if run.value > 1]
    return sorted(found, key=lambda run: (run.played, run.number))

"""Sentences about games: rules, seats, changes and their authors, and the facts of a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from scorekeeper.live.state import Scorer
from scorekeeper.models import CORRECT, RECORD, REDO, REMOVE, SUBSTITUTE, UNDO, Change, Facts, seated
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.hand_facts import NOTED, facts_where
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import ranks_turned_up, read_hand
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, known_as, variations
from scorekeeper.scoring.table import Table
from scorekeeper.services.change_log import effect, seats_in
from scorekeeper.services.game_reader import LogEntry, Snapshot
from scorekeeper.services.hands import find_change
from scorekeeper.services.links import FIRST_LABEL
from scorekeeper.web.common.narrator import CAPTURED, Narrator, turned_up_said
from scorekeeper.web.common.numbers import ScoreWords, counted, times
from scorekeeper.web.common.words import (
    card_name,
    cut_names,
    ended,
    in_suit_order,
    listed,
    short_names,
    suit_name,
)


def points_line(rules: RuleSet) -> str:
    """The points of a game in one line: "High, Low, Jack, Game, Three (counts 3): 7 points, with a called partner"."""
    each = (point.name + (f" (counts {point.worth})" if point.worth > 1 else "") for point in rules.points)
    partner = ", with a called partner" if rules.table.sides == "called-partner" else ""
    return f"{', '.join(each)}: {counted(sum(point.worth for point in rules.points), 'point')}{partner}"


def counts_line(rules: RuleSet) -> str:
    """The points of a game and its target: "High, Low, Jack, Game: 4 points, to 21"."""
    win = ScoreWords(rules.win)
    start = f"from {win.target} down " if win.counts_down else ""
    return f"{points_line(rules)}, {start}to {win.end}"


def set_apart(rules: RuleSet) -> str:
    """The rules' summary without what `counts_line` says; a club's own may have the name of those they changed."""
    ours = "" if rules.id in CATALOGUE else "Our rules. "
    said = {", ".join(point.name for point in rules.points), f"To {rules.win.target}", "Seven points a hand"}
    return ours + ". ".join(one for one in rules.summary.removesuffix(".").split(". ") if one not in said) + "."


def other_names(rules: RuleSet) -> tuple[str, ...]:
    """Other names of a rule set and where they are used; empty for a club's own rules."""
    return known_as(rules.id) if rules.id in CATALOGUE else ()


@lru_cache(maxsize=256)
def house_rules(rules: RuleSet) -> str:
    """The house rules of the catalogue that these rules have: "The 2 of trump is worth 2; Ties play on"."""
    labels = []
    for house in variations(rules.id) if rules.id in CATALOGUE else ():
        with suppress(Refused):  # rules that exclude this one
            labels += [house.label] if rules.override(house.options) == rules else []
    return "; ".join(labels)


FILTERS = counts_line, points_line, other_names, set_apart, house_rules


def bids_said(bids: int, sets: Counter[str]) -> str:
    """Numbers of bids made and set, the latter by player. `sets` counts sets by name."""
    if bids == 1:
        return "The only bid was set." if sets else "The only bid was made."
    every = "Both" if bids == 2 else f"All {bids}"
    if not sets:
        return f"{every} bids were made."
    made = bids - sets.total()
    once = sets.total() == len(sets)
    who = listed([name if once else f"{name} {times(number)}" for name, number in sets.items()])
    if not made:
        return f"{every} bids were set: {who}."
    return ended(f"Bidders made {made} of {bids} bids. Set as bidder: {who}")


MOST_TOLD = 3
MOST_LETTERS = 14  # of a first name, so that it fits beside the heading on a small phone


def news(game: Snapshot, entries: Sequence[LogEntry], score: str, last: str) -> str:
    """Changes by other phones and the current score: "Bo saved hand 7: Ann bid 5, took 6. Now 12 to 9."

    `last` is the result of the hand saved last. Substitutes change no score. Empty without changes.
    """
    told = [done_elsewhere(game, entry) for entry in entries[-MOST_TOLD:]]
    if told and last:
        told[-1] = f"{told[-1][:-1]}: {last}."
    now = [f"Now {score}."] if any(entry.kind != SUBSTITUTE for entry in entries) else []
    return " ".join([*told, *now])


def entering(others: Sequence[Scorer], length: int, also: str = "") -> str:
    """Other phones entering or correcting hands: "Bo is entering hand 7." Empty if there are none.

    `also` is "also " if the reader has the same hand open.
    """
    said = [
        f"{_phone_of(one.by)} is {also}{'entering' if one.position > length else 'correcting'} hand {one.position}."
        for one in others
    ]
    return " ".join(dict.fromkeys(said))  # several phones without a name are said once


def began(others: Sequence[Scorer], position: int) -> str:
    """Other scorers of a hand begun elsewhere: "Bo began this hand."."""
    names = dict.fromkeys(_phone_of(one.by) for one in others if one.position == position)
    return f"{listed(list(names))} began this hand."


def _phone_of(by: str | None) -> str:
    """The other phone's scorer by first name."""
    return cut_names(short_names([by]), MOST_LETTERS)[0] if by else "Another phone"


def done_elsewhere(game: Snapshot, entry: LogEntry) -> str:
    """A change by another phone: "Bo corrected hand 1."; of a substitution "Gil for Ed."."""
    done = entry.kind
    if done not in (RECORD, CORRECT, REMOVE):
        change = find_change(game.id, entry.seq)
        if (done := effect(change)) == SUBSTITUTE:
            replaced = _replaced(change, [game.names, *game.names_by_hand][: change.position][-1])
            short = iter(cut_names(short_names([name for pair in replaced for name in pair]), MOST_LETTERS))
            return ended(listed([f"{next(short)} for {next(short)}" for _ in replaced]))
    return f"{_phone_of(entry.by)} {DONE[entry.kind, done][2].format(entry.position)}."


DOING = {RECORD: "", CORRECT: "correction of ", REMOVE: "removal of "}
# By kind and effect of a change (undoing a hand removes it, for example): wording for the history, for its author, and
# for other phones.
DONE = {
    (RECORD, RECORD): ("hand {} saved", "saved", "saved hand {}"),
    (CORRECT, CORRECT): ("hand {} corrected", "corrected", "corrected hand {}"),
    (REMOVE, REMOVE): ("hand {} removed", "removed", "removed hand {}"),
    (UNDO, REMOVE): ("hand {} undone", "undone", "undid hand {}"),
    (UNDO, CORRECT): ("the correction of hand {} undone", "is back as it was", "undid hand {}’s correction"),
    (UNDO, RECORD): ("hand {} restored", "restored", "restored hand {}"),
    (REDO, RECORD): ("hand {} redone", "restored", "restored hand {}"),
    (REDO, CORRECT): ("the correction of hand {} redone", "corrected again", "corrected hand {} again"),
    (REDO, REMOVE): ("hand {} removed again", "removed", "removed hand {} again"),
}


def on_phone(by: str | None, label: str | None = None) -> str:
    """Where a change was made: the phone by its scorer, or by the label of its link if the reader may see it."""
    if by is not None:
        return f"{by}’s phone" if by else "On the server"
    if label == FIRST_LABEL:
        return "The first phone"
    return f"A phone with “{label}”" if label else "An unnamed phone"


def change_named(change: LogEntry | None, *, with_name: bool = False) -> str:
    """A change as named by undo and redo: "hand 7", or "hand 7 by Ann"; empty for None."""
    if change is None:
        return ""
    name = "substitution" if change.kind == SUBSTITUTE else f"{DOING[change.kind]}hand {change.position}"
    return f"{name}{_by(change)}" if with_name else name


def _by(change: Change | LogEntry) -> str:
    return f" by {change.by}" if change.by else ""


def substitution_named(change: Change) -> str:
    """A substitution as named by undo and redo: "Gil’s substitution by Ann"."""
    before = seats_in(change.before)
    names = [name for seat, name in seats_in(change.after).items() if before.get(seat) != name]
    return (f"{listed(names)}’s substitution" if names else "the last substitution") + _by(change)


def substitution_said(change: Change, names: Sequence[str]) -> str:
    """Describe a substitution; `names` are those by seat in the hand before."""
    replaced = _replaced(change, names)
    if change.kind == UNDO:
        return f"{listed([gone for _, gone in replaced])}’s substitution was undone."
    return f"{listed([f'{here} for {gone}' for here, gone in replaced])} from hand {change.position}."


def _replaced(change: Change, names: Sequence[str]) -> list[tuple[str, str]]:
    """Who sits down for whom with a substitution; a player for himself if the two were merged since."""
    both = [seated(names, [facts or {}]) for facts in (change.after, change.before)]
    pairs, now = list(zip(*both, strict=True)), seats_in(change.after).items()
    changed = sorted(now ^ seats_in(change.before).items() or now)
    return [(here, gone) for here, gone in pairs if here != gone] or [pairs[int(seat) - 1] for seat, _ in changed]


# --- a hand line by line ---------------------------------------------------------------------------------------


WAYS = {"tricks": "the play", "piles": "the cards"}


class FactLine(NamedTuple):
    """One fact of a hand: name, value, and both as part of a sentence."""

    name: str
    value: str
    said: str


class HandDescription:
    """Describes the hands of a table with the names of their players."""

    def __init__(self, table: Table, names: Sequence[str]) -> None:
        self.table = table
        self.narrator = Narrator(table, names)

    def score(self, facts: Facts) -> HandScore:
        """Score one hand by itself; raises Refused."""
        return score_hand(self.table, read_hand(facts, self.table))

    def lines(self, facts: Facts) -> list[FactLine]:
        """All facts and results of a hand; raises Refused."""
        score = self.score(facts)
        newcomers = sorted(facts.get("names", {}).items())
        lines = [FactLine(f"Seat {seat}", name, f"{name} in seat {seat}") for seat, name in newcomers]
        lines.append(_plain("Dealer", self.narrator.seat(score.dealer)))
        if score.bidder is None:
            name = "Bid" if self.table.has_auction else "Hand"
            return [*lines, *self._turned_up(facts), _plain(name, self.narrator.in_short(score)), *self._noted(facts)]
        way = [_plain("Entered by", told) for key, told in WAYS.items() if key in facts]
        return [*lines, *self._call(facts, score), *self._points(score), *way, *self._noted(facts)]

    def _call(self, facts: Facts, score: HandScore) -> Iterable[FactLine]:
        if self.table.has_auction:
            yield _plain("Bidder", self.narrator.seat(score.bidder or 0))
            yield _plain("Bid", self.narrator.bid(score.bid))
        yield from self._turned_up(facts)
        yield _plain("Trump", suit_name(facts["trump"]))
        if facts.get("called"):
            yield _plain("Called", card_name(facts["called"]))
        if self.table.changing_sides:
            yield _plain("Bidders", self.narrator.partners(score))
        if facts.get("buried"):
            yield _plain("Buried", listed([card_name(card) for card in in_suit_order(facts["buried"])]))

    def _turned_up(self, facts: Facts) -> Iterable[FactLine]:
        """Events before the play."""
        if facts.get("turned_up"):
            yield _plain("Turned up", turned_up_said(ranks_turned_up(facts["turned_up"])))
        if facts.get("gift"):
            yield _plain("Begged", "gift given")

    def _points(self, score: HandScore) -> Iterable[FactLine]:
        for key, point in score.points.items():
            name = self.table.points[key].name
            if point.side is None:
                value = self.narrator.why(point, score)
                yield FactLine(name, value, f"{name} {value}")
            else:
                value = self.narrator.side(point.side, score) + (f", {CAPTURED}" if point.captured else "")
                yield FactLine(name, value, f"{name} to {value}")
        for unit, points in score.sold.items():
            value = self.narrator.gain(unit, points)
            yield FactLine("Sold", value, f"the hand sold: {value}")
        if score.counts:
            counts = " to ".join(map(str, score.counts.values()))
            yield FactLine("Card points", counts, f"card points {counts}")

    def _noted(self, facts: Facts) -> Iterable[FactLine]:
        """Adjustments and note of the hand."""
        if adjusted := "; ".join(self.adjustments(facts)):
            yield FactLine("Adjustment", adjusted, f"adjusted: {adjusted}")
        if facts.get("note"):
            yield FactLine("Note", facts["note"], f"note “{facts['note']}”")

    def adjustments(self, facts: Facts) -> list[str]:
        """The hand's adjustments: "Bo’s team −2 (revoke)"."""
        told = facts.get("adjustments", ())
        return [f"{self.narrator.gain(one['unit'], one['points'])} ({one['reason']})" for one in told]

    # --- differences ---

    def noted(self, before: Facts, after: Facts) -> str:
        """The new note and adjustments if nothing else differs; otherwise empty."""
        was, now = (facts_where(facts, lambda key, _: key not in NOTED) for facts in (before, after))
        if was != now:
            return ""
        told = []
        if before.get("adjustments") != after.get("adjustments"):
            told.append("; ".join(self.adjustments(after)) or "adjustment removed")
        if before.get("note") != after.get("note"):
            told.append(f"note “{after['note']}”" if "note" in after else "note removed")
        return "; ".join(told)

    def differences(self, before: Facts, after: Facts) -> list[str]:
        """Differences of the second hand: "bid 4, was 5"; raises Refused."""
        if (self.score(before).bidder is None) != (self.score(after).bidder is None):
            return [f"{self.in_short(after)}, was: {self.in_short(before)}"]
        old = {line.name: line for line in self.lines(before)}
        new = {line.name: line for line in self.lines(after)}
        return [_difference(name, old, new) for name in {**new, **old} if old.get(name) != new.get(name)]

    def in_short(self, facts: Facts) -> str:
        """Like Narrator.in_short; raises Refused."""
        return self.narrator.in_short(self.score(facts))


def _plain(name: str, value: str) -> FactLine:
    return FactLine(name, value, f"{name[:1].lower()}{name[1:]} {value}")


def _difference(name: str, old: Mapping[str, FactLine], new: Mapping[str, FactLine]) -> str:
    if name not in new:
        return f"{name[:1].lower()}{name[1:]} removed, was {old[name].value}"
    return f"{new[name].said}, was {old[name].value if name in old else 'nothing'}"

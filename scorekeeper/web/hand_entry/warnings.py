"""Mistakes people make: what looks wrong with a hand that could be right all the same. Said once, and then saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.models import Facts
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.points import NOT_CAPTURED
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.web.wording.narrator import Narrator
from scorekeeper.web.wording.words import listed, point_name

UNTOUCHED, BOLD, DEALT, TOO_MANY, COUNTS, DEALER, SEATS = CODES = (
    "untouched", "bold", "dealt", "too-many", "counts", "dealer", "seats",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Advice:
    code: str
    sentence: str


@dataclass(frozen=True)
class Case:
    """A complete hand about to be saved, and what there is to hold against it.

    `touched` tells whether anybody has tapped a point; `turn` whose deal it is, None where nobody asks. `best` looks
    for the highest bid made this year, None when none was; `last_time` for who sat where when the same people played
    last, if they sat otherwise.
    """

    table: Table
    narrator: Narrator
    facts: Facts
    score: HandScore
    touched: bool = True
    turn: Seat | None = None
    best: Callable[[], int | None] = lambda: None
    last_time: Callable[[], Sequence[str] | None] = lambda: None

    @property
    def by_points(self) -> bool:
        """Whether the hand was put in by its points alone, so that nothing else tells who took them."""
        return "claims" in self.facts and "game_counts" not in self.facts


def advise(case: Case) -> list[Advice]:
    """All that looks wrong, the likeliest mistake first."""
    return [advice for look in LOOKS for advice in look(case)]


def _untouched(case: Case) -> Iterator[Advice]:
    """Everything still lies where it lay at the start: on the bidding side."""
    if case.by_points and not case.touched:
        taken = case.score.earned[case.score.bidding_side or ""]
        yield Advice(UNTOUCHED, f"No point tapped: really all {taken}?")


def _bold(case: Case) -> Iterator[Advice]:
    """A bid that took nothing, and that would have been the year's highest."""
    score = case.score
    if score.bid is None or score.earned[score.bidding_side or ""]:
        return
    best = case.best()
    if best is not None and score.bid > best:
        said = case.narrator.bid(score.bid)
        yield Advice(
            BOLD, f"A bid of {said} that took nothing? The highest made this year is {case.narrator.bid(best)}."
        )


def _dealt(case: Case) -> Iterator[Advice]:
    """Points that nobody has, although their card was dealt."""
    if "claims" not in case.facts:
        return
    for key in case.table.card_points:
        point = case.score.points[key]
        if point.side is None and (point.why == NOT_CAPTURED or case.table.dealt == len(case.table.deck)):
            yield Advice(DEALT, f"{point_name(key)} was dealt, so somebody has it.")


def _too_many(case: Case) -> Iterator[Advice]:
    """More cards that nobody has than can lie among those that were not dealt."""
    named, buried = case.table.trumps[case.facts["trump"]].literal, case.facts.get("buried", ())
    left = len(case.table.deck) - case.table.dealt
    missing = [key for key, point in case.score.points.items() if point.side is None and key in named]
    gone = {*buried, *(named[key] for key in missing)}
    if "claims" in case.facts and len(buried) < left < len(gone):
        somebodys = listed([point_name(key) for key in missing if named[key] not in buried], "or")
        where = "lay buried" if case.table.sees_buried else "were not dealt"
        yield Advice(TOO_MANY, f"Only {left} cards {where}: somebody has {somebodys}.")


def _counts(case: Case) -> Iterator[Advice]:
    """Game counts that leave some of what was dealt to nobody."""
    table, buried, counts = case.table, case.facts.get("buried", ()), case.score.counts
    if "game_counts" not in case.facts or counts is None or not table.sees_buried or len(buried) < table.buried:
        return
    total = table.deck_value - sum(table.value[card] for card in buried)
    if sum(counts.values()) != total:
        yield Advice(COUNTS, f"The Game counts add up to {sum(counts.values())}, but {total} were dealt.")


def _dealer(case: Case) -> Iterator[Advice]:
    dealt = case.score.dealer
    if case.turn not in (None, dealt):
        yield Advice(
            DEALER, f"It was {case.narrator.seat(case.turn or 0)}’s turn to deal, not {case.narrator.seat(dealt)}’s."
        )


def _seats(case: Case) -> Iterator[Advice]:
    """Somebody sits elsewhere than last time; the first seat of which that is true is enough to notice."""
    then, now = case.last_time(), case.narrator.names
    for seat, (before, here) in enumerate(zip(then or (), now, strict=False), 1):
        if before != here:
            yield Advice(SEATS, f"Last time {before} sat in seat {seat}, now {here} does.")
            return


LOOKS = (_counts, _dealt, _too_many, _bold, _untouched, _dealer, _seats)

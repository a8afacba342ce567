"""The rules of one game, or of one rule set, as a page and as a card to print: all of it follows from the rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table
from scorekeeper.services.custom_rules import for_this_table
from scorekeeper.web.common.narrator import Narrator, Says
from scorekeeper.web.wording.card_rule_sentences import Chapter
from scorekeeper.web.wording.example_sentences import NAMES, ExampleSentences, PointRow
from scorekeeper.web.wording.rule_sentences import chapters

from .examples import examples


class ShownExample(NamedTuple):
    """A worked example, ready to be drawn."""

    title: str
    call: list[str]
    points: list[PointRow]
    card_points: str
    result: Says


class Seated(NamedTuple):
    """Somebody at the table: their name, and the letter of their team ("" where everybody plays alone)."""

    name: str
    team: str


LINE = 50  # letters in a line of half a page


class Reference:
    """A rule set at one table; `names` are those who sit there, if somebody does already."""

    def __init__(self, rules: RuleSet, table: Table | None = None, names: Sequence[str] = ()) -> None:
        self.table = table or Table(rules)
        self.rules = rules if table is None else for_this_table(table)
        self.names = tuple(names) or NAMES[: self.table.players]

    @property
    def chapters(self) -> list[Chapter]:
        return chapters(self.rules)

    @property
    def halves(self) -> tuple[list[Chapter], list[Chapter]]:
        """The chapters, parted where both halves are about as long on paper."""
        chapters = self.chapters
        lines = [2 + sum(1 + len(line) // LINE for line in _lines(chapter)) for chapter in chapters]
        ends = range(1, len(chapters))
        parted = min(ends, key=lambda end: max(sum(lines[:end]), sum(lines[end:])))
        return chapters[:parted], chapters[parted:]

    def changed_from(self, before: RuleSet) -> list[tuple[Chapter, set[str]]]:
        """The chapters, each with those of its sentences that are not in another rule set's."""
        known = {line for chapter in chapters(before) for line in _lines(chapter)}
        return [(chapter, set(_lines(chapter)) - known) for chapter in self.chapters]

    @property
    def seating(self) -> list[Seated]:
        """Who sits where, in the order of play."""
        units = self.table.unit_of[1:]
        return [Seated(name, unit if self.table.teams else "") for name, unit in zip(self.names, units, strict=True)]

    @property
    def columns(self) -> list[str]:
        """Whose score each column of a score sheet is: a team's people, or a player."""
        narrator = Narrator(self.table, self.names)
        return [narrator.unit(unit) for unit in self.table.units]

    @cached_property
    def examples(self) -> list[ShownExample]:
        """Two or three hands at this table, with what each comes to."""
        says = ExampleSentences(self.table, self.names)
        return [
            ShownExample(
                says.title(score), says.call(facts, score), says.points(score, cards), says.card_points(score),
                says.result(score),
            )
            for facts, score, cards in examples(self.table)
        ]  # fmt: skip


def _lines(chapter: Chapter) -> list[str]:
    """Everything that a chapter says: its sentences, its table row by row, its cards."""
    return [*chapter.sentences, *(f"{name}: {value}" for name, value in chapter.table), chapter.cards_in_words]

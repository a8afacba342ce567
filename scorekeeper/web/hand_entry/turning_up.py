"""What the page shows of a card that is turned up for trump: what it scores, and whether somebody begged."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from scorekeeper.scoring.cards import JOKERS, RANKS, UNKNOWN
from scorekeeper.scoring.table import Table
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.words import RANK_NAMES
from scorekeeper.web.wording import turn_up_sentences as say

from .draft import Draft


class Choice(NamedTuple):
    """One segment of a row."""

    value: str
    label: str


class TurnedRow(NamedTuple):
    """One thing to tap: the input's name, what it is, whom it is about, what there is to choose, and what is.

    `of` tells the script of the page for no signal who that is: the dealer, or the eldest after the dealer.
    """

    name: str
    title: str
    hint: str
    choices: tuple[Choice, ...]
    chosen: str
    of: str


class TurningUp:
    """The rows before the points, in the order in which they happen at the table."""

    def __init__(self, table: Table, draft: Draft, narrator: Narrator, *, shows_all: bool = False) -> None:
        self.table, self.draft, self.narrator, self.shows_all = table, draft, narrator, shows_all
        self.trump = table.rules.trump

    @property
    def may_misdeal(self) -> bool:
        """Whether a misdeal scores anything, so that it is noted."""
        return self.table.rules.deck.misdeal > 0

    @cached_property
    def rows(self) -> list[TurnedRow]:
        if not self.trump.is_turned_up:
            return []
        first = [self._turned(0)] if self._ranks else []
        begging = [self._begging()] if self.trump.may_beg else []
        return [*first, *begging, *(self._turned(place) for place in range(1, self._places))]

    @property
    def _places(self) -> int:
        """How many cards may have been turned up: one more than are known, once the dealer has run the cards."""
        if self.shows_all:
            return self.table.most_runs + 1
        if self.draft.beg != "run":
            return 1
        return min(len(self.draft.turned), self.table.most_runs) + 1

    @cached_property
    def _ranks(self) -> tuple[Choice, ...]:
        """The ranks that score."""
        worth = self.trump.turned
        return tuple(Choice(rank, say.rank_said(rank, worth[rank])) for rank in (*RANKS, *JOKERS) if worth.get(rank))

    def _turned(self, place: int) -> TurnedRow:
        """A card that was turned up; behind those that are known there may have been another."""
        known = place < max(len(self.draft.turned), 1)
        others = [] if known and place < 2 else [Choice("", say.NO_MORE)]
        usual = UNKNOWN if known and place < 2 else ""
        chosen = self.draft.turned[place] if place < len(self.draft.turned) else usual
        title = say.TURNED_NEXT if place else say.TURNED
        choices = (*self._ranks, *self._no_score(chosen), Choice(UNKNOWN, say.ANOTHER_RANK), *others)
        return TurnedRow(f"turned-{place}", title, self._for(self.draft.dealer), choices, chosen, "dealer")

    def _no_score(self, rank: str) -> tuple[Choice, ...]:
        """A rank that a record names although it scores nothing."""
        is_shown = rank in ("", UNKNOWN) or self.trump.turned.get(rank)
        return () if is_shown else (Choice(rank, RANK_NAMES.get(rank, rank)),)

    def _begging(self) -> TurnedRow:
        eldest = self.table.next_seat(self.draft.dealer)
        ways = {"": True, "gift": bool(self.trump.gift), "run": self.table.most_runs > 0}
        choices = tuple(Choice(way, self._way(way)) for way, there_is in ways.items() if there_is)
        return TurnedRow("beg", say.BEGGED, self.narrator.seat(eldest), choices, self.draft.beg, "eldest")

    def _way(self, way: str) -> str:
        return f"{say.BEGGING[way]} +{self.trump.gift}" if way == "gift" else say.BEGGING[way]

    def _for(self, seat: int) -> str:
        return say.scores_for(self.narrator.team(self.table.unit_of[seat]))

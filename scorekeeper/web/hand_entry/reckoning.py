"""What a hand comes to as far as it has been tapped: what is missing, what is wrong, the sentence beside Save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from scorekeeper.models import Facts
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.hand_record import read_hand
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.table import Seat
from scorekeeper.web.wording.narrator import Narrator, Says

from . import modes
from .draft import Draft
from .form import explain
from .snapshot import Snapshot

Complaints = Mapping[str, Sequence[str]]


class Reckoning:
    """A draft worked out, each thing once and only when it is asked for.

    `kept` are the facts that the draft leaves as they are, `dealer` whose deal it is where the draft does not say.
    """

    def __init__(
        self, snapshot: Snapshot, narrator: Narrator, position: int, dealer: Seat, kept: Facts, draft: Draft
    ) -> None:
        self.snapshot = snapshot
        self.table = snapshot.table
        self.narrator = narrator
        self.position = position
        self.dealer = dealer
        self.kept = kept
        self.draft = draft

    @cached_property
    def facts(self) -> Facts:
        """The hand as the game record has it."""
        return self.kept | modes.facts_of(self.table, self.draft)

    @property
    def passed_out(self) -> Facts:
        """The hand if everybody has passed."""
        return self.kept | modes.passed_out(self.table, self.draft)

    @cached_property
    def missing(self) -> dict[str, list[str]]:
        """What has still to be put in, place by place."""
        return modes.missing(self.table, self.draft, self.narrator)

    @cached_property
    def _scored(self) -> HandScore | Sequence[Problem]:
        try:
            return score_hand(self.table, read_hand(self.facts, self.table), self.dealer)
        except Refused as refused:
            return refused.problems

    @property
    def score(self) -> HandScore | None:
        """The hand by itself, scored; None when there is something wrong with it."""
        return self._scored if isinstance(self._scored, HandScore) else None

    @cached_property
    def contradictions(self) -> dict[str, list[str]]:
        """What cannot be, beside each place, of a hand that may still be incomplete."""
        if self.missing or isinstance(self._scored, HandScore):
            return {}
        return explain(self._scored, self.table, self.draft)

    @property
    def wrong(self) -> dict[str, list[str]]:
        """Everything that stands in the way of saving, beside each place."""
        return self.missing or self.contradictions

    @cached_property
    def after(self) -> GameScore:
        """The game as it would be with this hand."""
        return self.snapshot.with_hand(self.position, read_hand(self.facts, self.table))

    def says(self, errors: Complaints) -> Says:
        """The sentence beside Save."""
        if errors or self.missing:
            first = next(iter((errors or self.missing).values()))
            return Says(first[0])
        score = (*self.after.hands, *self.after.beyond)[self.position - 1]
        told = self.narrator.hand(score, score.totals)
        if self.position > len(self.after.hands):
            return Says(told.head, f"{told.rest} Behind the end: it does not count.")
        return Says(told.head, f"{told.rest} {self._ending}".strip())

    @property
    def _ending(self) -> str:
        """What saving means for who has won; a correction says when that changes."""
        turn = self.narrator.turn(self.snapshot.score, self.after)
        if not turn:
            return ""
        return f"Then {turn}." if self.snapshot.score.winners else f"{turn}!"

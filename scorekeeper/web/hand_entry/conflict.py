"""Two phones, one hand: what the first one saved beside what the second one has, and the ways out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flask import g, request, url_for

from scorekeeper.ledger import Conflict
from scorekeeper.models import Facts
from scorekeeper.scoring.problems import Refused
from scorekeeper.web.common.tokens import posted_version
from scorekeeper.web.games.history import Entry, History
from scorekeeper.web.wording.hand_sentences import HandDescription, Line

from .editor import KEPT, Desk

# What a hand sent again brings along by itself, or anew.
NOT_SENT_ON = {"csrf_token", "do", "token", "position", "hand_version", "dealer"}

Fields = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Told:
    """One of the two hands in words."""

    id: str
    title: str
    lines: list[Line]
    empty: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A button that sends the own hand again, to another place."""

    label: str
    action: str
    fields: Fields


class Clash:
    """What the page of two phones shows."""

    def __init__(self, desk: Desk, conflict: Conflict, mine: Facts | None, token: str) -> None:
        self.desk = desk
        self.conflict = conflict
        self.position = conflict.position
        self.token = token
        self._mine = mine

    @property
    def what_happened(self) -> str:
        if self.conflict.theirs is None:
            return f"Another phone took out a hand, and there is no hand {self.position} any more."
        done = "changed" if self.desk.hand else "saved"
        return f"Another phone {done} hand {self.position} first."

    @cached_property
    def story(self) -> list[Entry]:
        """What became of the hand since this phone has looked."""
        history = History(self.desk.game)
        seen = posted_version("hand_version")
        return history.just(self.conflict.version or 0) if seen is None else history.of_hand(seen)

    @cached_property
    def theirs(self) -> Told:
        lines = self._lines(self.conflict.theirs) if self.conflict.theirs else []
        return Told("theirs", "Theirs, saved", lines, "Nothing: the hand was taken out.")

    @cached_property
    def mine(self) -> Told:
        return Told(
            "mine", "Yours, not saved yet", self._lines(self._mine) if self._mine else [], "It is still on this phone."
        )

    @property
    def differs(self) -> set[str]:
        """The names of the lines that the two do not have in common."""
        return {line.name for line in set(self.theirs.lines) ^ set(self.mine.lines)}

    @property
    def keep_label(self) -> str:
        return "Theirs is right" if self.conflict.theirs else "Leave it out"

    @property
    def choices(self) -> list[Choice]:
        ways = []
        if self.conflict.theirs is not None:
            ways.append(self._replace(self.conflict.version or 0))
        if self.desk.hand is None and self.desk.snapshot.takes_hands:
            ways.append(self._put_behind())
        return ways

    def _replace(self, version: int) -> Choice:
        action = url_for("hands.correct", key=g.club.key, number=self.desk.snapshot.number, position=self.position)
        fields = {"position": self.position, "hand_version": version, "dealer": self._dealer}
        return Choice("Mine replaces it", action, self._fields(fields))

    def _put_behind(self) -> Choice:
        action = url_for("hands.new", key=g.club.key, number=self.desk.snapshot.number)
        fields = {"position": self.desk.position, "dealer": self.desk.snapshot.dealer_after(self.desk.snapshot.length)}
        return Choice(f"Mine is hand {self.desk.position}", action, self._fields(fields))

    @property
    def _dealer(self) -> int:
        return int((self._mine or self.conflict.theirs or {}).get("dealer", self.desk.dealer))

    def _fields(self, new: dict[str, int]) -> Fields:
        """Everything that was tapped, once more, under a new token."""
        kept = [(name, value) for name, value in request.form.items(multi=True) if name not in NOT_SENT_ON]
        do = "passed" if request.form.get("do") == "passed" else "save"
        return [*kept, ("token", self.token), ("do", do), *((name, str(value)) for name, value in new.items())]

    def _lines(self, facts: Facts) -> list[Line]:
        try:
            return HandDescription(self.desk.table, self.desk.names).lines(facts)
        except Refused:
            return []


def is_the_same(theirs: Facts | None, mine: Facts | None) -> bool:
    """Whether two phones tell the same hand; who has sat down with it is not theirs to say."""
    return theirs is not None and mine is not None and theirs == {**mine, **{k: theirs[k] for k in KEPT if k in theirs}}

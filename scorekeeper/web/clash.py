"""Two phones, one hand: what the first one saved beside what the second one has, and the ways out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flask import g, request, url_for

from scorekeeper.ledger import Conflict, next_dealer
from scorekeeper.models import Facts
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.hand_record import read_hand
from scorekeeper.scoring.problems import Refused

from .desk import Desk
from .words import card_name, listed, point_name, suit_name

# What a hand sent again brings along by itself, or anew.
NOT_SENT_ON = {"csrf_token", "do", "token", "position", "hand_version", "dealer"}

Lines = list[tuple[str, str]]
Fields = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Told:
    """One of the two hands in words."""

    id: str
    title: str
    lines: Lines
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
        return {name for name, _ in set(self.theirs.lines) ^ set(self.mine.lines)}

    @property
    def keep_label(self) -> str:
        return "Theirs is right" if self.conflict.theirs else "Leave it out"

    @property
    def choices(self) -> list[Choice]:
        ways = []
        if self.conflict.theirs is not None:
            ways.append(self._replace(self.conflict.version or 0))
        if self.desk.hand is None and not self.desk.score.outcome:
            ways.append(self._put_behind())
        return ways

    def _replace(self, version: int) -> Choice:
        action = url_for("hands.correct", key=g.club.key, number=self.desk.game.number, position=self.position)
        fields = {"position": self.position, "hand_version": version, "dealer": self._dealer}
        return Choice("Mine replaces it", action, self._fields(fields))

    def _put_behind(self) -> Choice:
        action = url_for("hands.new", key=g.club.key, number=self.desk.game.number)
        fields = {"position": self.desk.position, "dealer": next_dealer(self.desk.game)}
        return Choice(f"Mine is hand {self.desk.position}", action, self._fields(fields))

    @property
    def _dealer(self) -> int:
        return int((self._mine or self.conflict.theirs or {}).get("dealer", self.desk.dealer))

    def _fields(self, new: dict[str, int]) -> Fields:
        """Everything that was tapped, once more, under a new token."""
        kept = [(name, value) for name, value in request.form.items(multi=True) if name not in NOT_SENT_ON]
        do = "passed" if request.form.get("do") == "passed" else "save"
        return [*kept, ("token", self.token), ("do", do), *((name, str(value)) for name, value in new.items())]

    # --- a hand in words ---

    def _lines(self, facts: Facts) -> Lines:
        try:
            score = score_hand(self.desk.table, read_hand(facts, self.desk.table), self.desk.dealer)
        except Refused:
            return []
        speaker = self.desk.speaker
        dealt = ("Dealer", speaker.seat(score.dealer))
        if score.bidder is None:
            return [dealt, ("Bid", "everybody passed")]
        lines = [
            dealt,
            ("Bid", f"{speaker.seat(score.bidder)}, {speaker.bid(score.bid)}"),
            ("Trump", suit_name(facts["trump"])),
        ]
        if self.desk.table.calls_partner:
            lines.append(("Bidding side", speaker.partners(score)))
        if facts.get("buried"):
            lines.append(("Buried", listed([card_name(card) for card in sorted(facts["buried"])])))
        return [*lines, *self._points(score)]

    def _points(self, score: HandScore) -> Lines:
        speaker = self.desk.speaker
        return [
            (point_name(key), speaker.side(point.side, score) if point.side else speaker.why(point, score))
            for key, point in score.points.items()
        ]

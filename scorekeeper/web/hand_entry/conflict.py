"""Two phones, one hand: what the first one saved beside what the second one has, and the ways out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flask import g, request, url_for

from scorekeeper.models import Facts
from scorekeeper.scoring.problems import Refused
from scorekeeper.services.hands import Conflict
from scorekeeper.web.common.narrator import HandDescription
from scorekeeper.web.common.tokens import posted_token, posted_version
from scorekeeper.web.games.history import Entry, History

from . import messages as say
from .editor import KEPT, Editor

# What a hand that is sent again brings along new.
NOT_SENT_ON = {"csrf_token", "do", "token", "position", "hand_version", "dealer"}

Fields = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Row:
    """One fact of the two hands, side by side."""

    name: str
    theirs: str
    mine: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A button that sends the own hand again, to another place."""

    label: str
    action: str
    fields: Fields


class ConflictPage:
    """What the page of two phones shows."""

    def __init__(self, editor: Editor, conflict: Conflict, mine: Facts | None, token: str) -> None:
        self.editor = editor
        self.conflict = conflict
        self.position = conflict.position
        self.token = token
        self._mine = mine

    @property
    def sent(self) -> str:
        """The token of the form that was sent: the hand may be waiting on the phone under it."""
        return posted_token()

    @property
    def what_happened(self) -> str:
        if self.conflict.theirs is None:
            return say.no_such_hand(self.position)
        return say.was_first(self.position, corrected=self.editor.hand is not None)

    @cached_property
    def story(self) -> list[Entry]:
        """The changes of the hand since this phone read it."""
        history = History(self.editor.game)
        seen = posted_version("hand_version")
        return history.just(self.conflict.version or 0) if seen is None else history.of_hand(seen)

    @property
    def titles(self) -> tuple[str, str]:
        return say.THEIRS if self._theirs else say.WAS_REMOVED, say.MINE if self._own else say.STILL_HERE

    @property
    def rows(self) -> list[Row]:
        """Every fact of either hand; marked where both say something and it is not the same."""
        theirs, mine = self._theirs, self._own
        return [
            Row(
                name,
                theirs.get(name, ""),
                mine.get(name, ""),
                bool(theirs and mine) and theirs.get(name) != mine.get(name),
            )
            for name in {**theirs, **mine}
        ]

    @cached_property
    def _theirs(self) -> dict[str, str]:
        return self._facts(self.conflict.theirs)

    @cached_property
    def _own(self) -> dict[str, str]:
        return self._facts(self._mine)

    @property
    def keep_label(self) -> str:
        return say.KEEP_THEIRS if self.conflict.theirs else say.LEAVE_REMOVED

    @property
    def choices(self) -> list[Choice]:
        ways = []
        if self.conflict.theirs is not None:
            ways.append(self._replace(self.conflict.version or 0))
        if self.editor.hand is None and self.editor.snapshot.takes_hands:
            ways.append(self._put_behind())
        return ways

    def _replace(self, version: int) -> Choice:
        action = url_for("hands.correct", key=g.club.key, number=self.editor.snapshot.number, position=self.position)
        fields = {"position": self.position, "hand_version": version, "dealer": self._dealer}
        return Choice(say.REPLACE, action, self._fields(fields))

    def _put_behind(self) -> Choice:
        action = url_for("hands.new", key=g.club.key, number=self.editor.snapshot.number)
        fields = {
            "position": self.editor.position,
            "dealer": self.editor.snapshot.dealer_after(self.editor.snapshot.length),
        }
        return Choice(say.save_as(self.editor.position), action, self._fields(fields))

    @property
    def _dealer(self) -> int:
        return int((self._mine or self.conflict.theirs or {}).get("dealer", self.editor.dealer))

    def _fields(self, new: dict[str, int]) -> Fields:
        """Everything that was tapped, once more, under a new token."""
        kept = [(name, value) for name, value in request.form.items(multi=True) if name not in NOT_SENT_ON]
        do = "passed" if request.form.get("do") == "passed" else "save"
        return [*kept, ("token", self.token), ("do", do), *((name, str(value)) for name, value in new.items())]

    def _facts(self, facts: Facts | None) -> dict[str, str]:
        """What there is to say of a hand, by name; nothing of one that is not there, or can't be read."""
        names = self.editor.snapshot.names_at(self.position)
        try:
            lines = HandDescription(self.editor.table, names).lines(facts) if facts else []
        except Refused:
            lines = []
        return {line.name: line.value for line in lines}


def is_the_same(theirs: Facts | None, mine: Facts | None) -> bool:
    """Whether two phones have entered the same hand, no matter who sits at the table."""
    return theirs is not None and mine is not None and theirs == {**mine, **{k: theirs[k] for k in KEPT if k in theirs}}

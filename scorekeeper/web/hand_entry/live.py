"""The head of hand entry, which changes while others score: the scores, and who else has this hand."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from flask import g, request, url_for
from sqlalchemy import Select, select

from scorekeeper.database.session import db
from scorekeeper.live.state import Scorer
from scorekeeper.models import RECORD, Change
from scorekeeper.services import links
from scorekeeper.web.common.access import may
from scorekeeper.web.common.words import first_to
from scorekeeper.web.games.live import others_entering
from scorekeeper.web.wording import live_sentences as say
from scorekeeper.web.wording.link_sentences import asks

from .editor import Editor


class Way(NamedTuple):
    """A link to go on by."""

    label: str
    address: str


class LiveHead:
    """What the head shows of the hand that is at `position` on the page, `version` being that of the saved one.

    `can_clear` is whether the page goes on with what was tapped before.
    """

    def __init__(self, editor: Editor, position: int, version: int | None, *, can_clear: bool) -> None:
        self.editor = editor
        self.game = editor.snapshot
        self.position = position
        self.version = version
        self.can_clear = can_clear

    @property
    def tag(self) -> str:
        return self.game.live.tag if self.game.live else ""

    @property
    def address(self) -> str:
        """Where the page asks for its head."""
        at = url_for("hands.head", key=g.club.key, number=self.game.number, position=self.position)
        return f"{at}?{urlencode({'version': self.version or '', 'clear': int(self.can_clear)})}"

    @property
    def _others(self) -> list[Scorer]:
        return others_entering(self.game)

    @property
    def usual(self) -> str:
        """What the head says of the next hand while nothing else is to be said."""
        editor = self.editor
        return "" if self.version else say.dealt(editor.narrator.seat(editor.dealer), first_to(editor.table.rules))

    @property
    def busy(self) -> str:
        """What became of this hand since the page was opened; else who else is entering or correcting one."""
        return self._meanwhile or self._entering

    @property
    def _entering(self) -> str:
        here = [one for one in self._others if one.position == self.position]
        elsewhere = [one for one in self._others if one.position != self.position]
        length = self.game.length
        return f"{say.entering_too(here, length)} {say.entering(elsewhere, length)}".strip()

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been tapped of this hand, or by others alone: nothing of this phone is lost with it."""
        others = self._others
        is_theirs = len(others) == len(self.game.entering) and any(one.position == self.position for one in others)
        return is_theirs or self.editor.draft.is_blank

    @property
    def _is_saved_already(self) -> bool:
        return self.version is None and self.position <= self.game.length

    @property
    def _is_ahead(self) -> bool:
        """Whether a hand before this one was undone or removed since the page was opened."""
        return self.version is None and self.position > self.game.length + 1

    @property
    def _meanwhile(self) -> str:
        hand = self.game.hand(self.position)
        if self._is_saved_already:
            return say.saved_already(self.position, self._saver)
        if self._is_ahead:
            return say.REMOVED_BEFORE
        if self.version is not None and (hand is None or hand.version != self.version):
            return say.corrected_already(self.position, hand and self._corrector(hand.version))
        return ""

    @property
    def _saver(self) -> str | None:
        """Who saved this hand, where that is known."""
        saved = self._changes.where(Change.kind == RECORD, Change.position == self.position)
        return db.session.scalar(saved.order_by(Change.seq.desc()).limit(1))

    def _corrector(self, version: int) -> str | None:
        """Who made that change of the game, where that is known."""
        return db.session.scalar(self._changes.where(Change.seq == version))

    @property
    def _changes(self) -> Select[str | None]:
        return select(Change.by).where(Change.game_id == self.game.id)

    @property
    def request(self) -> str:
        """Who asks for a link of the club, for a manager."""
        state = self.game.live
        if state is None or not state.asked or not may("links.grant"):
            return ""
        asking = links.requests_of(g.club.id)
        return asks(asking[0]) if asking else ""

    @property
    def way_on(self) -> Way | None:
        """Where to go on when this is not the next hand any more: somebody else has saved it, or removed another."""
        if not (self._is_saved_already or self._is_ahead):
            return None
        here = {"key": g.club.key, "number": self.game.number}
        if self.game.takes_hands:
            return Way(say.enter_hand(self.game.length + 1), url_for("hands.new", **here))
        return Way(say.SCORE_SHEET, url_for("games.sheet", **here))


def asked_head(position: int) -> LiveHead:
    """The head for a page that is open, by what it says of itself."""
    version, can_clear = request.args.get("version", type=int), request.args.get("clear") == "1"
    return LiveHead(Editor(g.snapshot), position, version, can_clear=can_clear)

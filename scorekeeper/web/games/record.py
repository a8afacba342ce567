"""The game record as a page: every hand in words, and the file to download."""

from __future__ import annotations

import json
from typing import NamedTuple

from flask import Blueprint, g, render_template
from flask.typing import ResponseReturnValue

from scorekeeper.models import seated
from scorekeeper.web.common.scope import find_game, scoped
from scorekeeper.web.wording.hand_sentences import HandDescription, Line

from .score_sheet import Sheet

bp = scoped(Blueprint("record", __name__))


class RecordedHand(NamedTuple):
    """A hand of the record: its number, what it came to, and each fact."""

    position: int
    summary: str
    lines: list[Line]


class RecordPage(Sheet):
    """A game's record, to be read."""

    @property
    def recorded(self) -> list[RecordedHand]:
        """Every hand in its order, with the names of those who played it."""
        hands, names = [], list(self.game.names)
        for position, hand in enumerate(self.game.hands, 1):
            names = seated(names, [hand.facts])
            teller = HandDescription(self.table, names)
            hands.append(RecordedHand(position, teller.in_short(hand.facts), teller.lines(hand.facts)))
        return hands

    @property
    def file(self) -> str:
        """The record as it is in the file."""
        return json.dumps(self.game.record(), ensure_ascii=False, indent=1)


@bp.get("/c/<key>/games/<int:number>/record")
def show(number: int) -> ResponseReturnValue:
    game = find_game(number)
    return render_template("games/record.html", club=g.club, game=game, page=RecordPage(game))

"""The game record as a page: every hand in words, and the file to download."""

from __future__ import annotations

import json
from functools import cached_property
from typing import NamedTuple

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from scorekeeper.models import Game
from scorekeeper.services.game_reader import Snapshot
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.common.narrator import HandDescription, Line
from scorekeeper.web.common.scope import find_game, find_snapshot, render, scoped

from .score_sheet import MOST_HANDS, Sheet

bp = scoped(Blueprint("record", __name__))


class RecordedHand(NamedTuple):
    """A hand of the record: its number, what it came to, and each fact."""

    position: int
    summary: str
    lines: list[Line]


class RecordPage(Sheet):
    """A game's record, to be read: of a long game some hands, those after `left` hands."""

    def __init__(self, game: Snapshot, saved: Game, left: int) -> None:
        super().__init__(game)
        self.saved = saved
        self.left = left

    @cached_property
    def recorded(self) -> list[RecordedHand]:
        """The hands in their order, with the names of those who played them."""
        shown = range(self.left + 1, min(self.left + MOST_HANDS, self.game.length) + 1)
        return [self._recorded(position) for position in shown]

    def _recorded(self, position: int) -> RecordedHand:
        facts = self.game.replayed.facts[position - 1]
        teller = HandDescription(self.table, self.names_by_hand[position - 1])
        return RecordedHand(position, teller.in_short(facts), teller.lines(facts))

    @property
    def following(self) -> range:
        """The numbers of the hands on the next page; empty on the last one."""
        return range(self.left + MOST_HANDS + 1, min(self.left + 2 * MOST_HANDS, self.game.length) + 1)

    @property
    def file(self) -> str:
        """The record as it is in the file; nothing for a long game: it can be downloaded."""
        long = self.game.length > MOST_HANDS
        return "" if long else json.dumps(self.saved.record(), ensure_ascii=False, indent=1)


@bp.get("/c/<key>/games/<int:number>/record")
def show(number: int) -> ResponseReturnValue:
    game, left = find_snapshot(number), number_in(request.args.get("after", "")) or 0
    return render("games/record.html", game=game, page=RecordPage(game, find_game(number), left))

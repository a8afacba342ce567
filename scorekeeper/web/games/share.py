"""A finished game to send to friends: as text and as a picture."""

from __future__ import annotations

from functools import cached_property

from flask import Blueprint, Response, g
from flask.typing import ResponseReturnValue

from scorekeeper import charts
from scorekeeper.services.game_reader import read_snapshot
from scorekeeper.web.common.numbers import day
from scorekeeper.web.common.scope import go_to, reads_game, render, scoped
from scorekeeper.web.games import messages as share_sentences

from .score_sheet import Sheet

bp = scoped(Blueprint("share", __name__, url_prefix="/c/<key>/games/<int:number>"))


class Result(Sheet):
    """What is sent of a finished game."""

    @cached_property
    def footer(self) -> str:
        return share_sentences.footer(self.rules_name, self.score, day(self.game.played))

    @property
    def text(self) -> str:
        if self.winner is None:
            return ""
        return share_sentences.message(self._last_narrator, self.score, self.footer)

    @property
    def picture(self) -> str:
        """The picture as a file of SVG; empty while the game goes on."""
        if self.winner is None:
            return ""
        lines = [
            charts.ResultLine(unit, names, total, has_won=unit in self.score.winners)
            for unit, names, total in share_sentences.score_lines(self._last_narrator, self.score)
        ]
        title = f"{self.game.club.name}, game {self.game.number}"
        return charts.result_picture(title, self.winner.headline, self.winner.reason, lines, self.footer)


@bp.get("/share")
@reads_game(read_snapshot)
def show() -> ResponseReturnValue:
    """The text to copy and the picture to save, with buttons for a phone that can send them."""
    result = Result(g.snapshot)
    if result.winner is None:
        return go_to("games.sheet", number=g.snapshot.number)
    return render("games/share.html", game=result.game, result=result)


@bp.get("/share.svg")
@reads_game(read_snapshot)
def picture() -> ResponseReturnValue:
    result = Result(g.snapshot)
    if result.winner is None:
        return go_to("games.sheet", number=g.snapshot.number)
    return Response(result.picture, mimetype="image/svg+xml")

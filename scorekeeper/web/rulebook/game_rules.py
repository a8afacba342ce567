"""The rules of one game, its house rules in them: a page, a table card and a blank score sheet to print."""

from __future__ import annotations

from flask import Blueprint, g, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.services import custom_rules
from scorekeeper.services.game_reader import Snapshot
from scorekeeper.web.common.scope import find_snapshot, go_to, scoped
from scorekeeper.web.rulebook.pages import MOST_LEVEL, PAPERS, ROWS, paper_asked

from .pages import ask_page, card_page
from .reference import Reference

bp = scoped(Blueprint("game_rules", __name__))


@bp.get("/c/<key>/games/find")
def find() -> ResponseReturnValue:
    """A page of an earlier version, which bookmarks have."""
    return go_to("games.new")


@bp.get("/c/<key>/games/<int:number>/rules")
def show(number: int) -> ResponseReturnValue:
    game = find_snapshot(number)
    rules, here = game.table.rules, custom_rules.for_this_table(game.table)
    saved = [
        own.name
        for own in custom_rules.rules_of(g.club)
        if own.rules in (rules, here._replace(id=own.rules.id, name=own.name))
    ]
    return render_template("rulebook/game.html", club=g.club, game=game, reference=_reference(game), saved=saved)


@bp.get("/c/<key>/games/<int:number>/rules/card")
def table_card(number: int) -> ResponseReturnValue:
    back = url_for("game_rules.show", key=g.club.key, number=number)
    return card_page(_reference(find_snapshot(number)), named=True, back=back)


@bp.get("/c/<key>/games/<int:number>/rules/sheet")
def blank_sheet(number: int) -> ResponseReturnValue:
    game, paper = find_snapshot(number), paper_asked(request.args)
    reference = _reference(game)
    return render_template(
        "rulebook/blank_sheet.html",
        club=g.club,
        game=game,
        reference=reference,
        columns=reference.columns,
        rows=ROWS[paper],
        paper=paper,
        PAPERS=PAPERS,
        MOST_LEVEL=MOST_LEVEL,
    )


@bp.get("/c/<key>/games/<int:number>/rules/ask")
def ask(number: int) -> ResponseReturnValue:
    back, here = (url_for(f"game_rules.{name}", key=g.club.key, number=number) for name in ("show", "ask"))
    return ask_page(find_snapshot(number).table, back=back, here=here)


def _reference(game: Snapshot) -> Reference:
    """The rules with those who sit at the table now."""
    return Reference(game.table.rules, game.table, game.names_at(game.length + 1))

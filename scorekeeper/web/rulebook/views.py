"""The rules pages: all rule sets in sentences, and the rules of a game with its house rules."""

from __future__ import annotations

from flask import Blueprint, abort, g, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.scoring.rules import CATALOGUE, families, find_rules, variations
from scorekeeper.services import custom_rules
from scorekeeper.services.game_reader import Snapshot
from scorekeeper.web.common.scope import find_snapshot, render, scoped
from scorekeeper.web.hand_entry.offline_page import demo_page

from .ask import HAND, QUESTIONS, Ask
from .reference import Reference

PAPERS = (("letter", "Letter"), ("a4", "A4"), ("a5", "A5"))
ROWS = {"letter": 24, "a4": 26, "a5": 20}  # hands on a blank score sheet
MOST_LEVEL = 6  # columns with horizontal names; with more columns they do not fit

bp = Blueprint("rulebook", __name__, url_prefix="/rules")
of_game = scoped(Blueprint("game_rules", __name__, url_prefix="/c/<key>/games"))


@bp.get("/")
def index() -> ResponseReturnValue:
    return render_template("rulebook/index.html", families=families())


@bp.get("/tips")
def tips() -> ResponseReturnValue:
    return render_template("rulebook/tips.html")


@bp.get("/<rules_id>")
def show(rules_id: str) -> ResponseReturnValue:
    reference, house = _reference(rules_id), variations(rules_id)
    return render_template("rulebook/show.html", rules=reference.rules, reference=reference, house=house)


@of_game.get("/<int:number>/rules", endpoint="show")
def show_of_game(number: int) -> ResponseReturnValue:
    game = find_snapshot(number)
    rules, here = game.table.rules, custom_rules.restricted_to_table(game.table)
    saved = [
        own.name
        for own in custom_rules.rules_of(g.club)
        if own.rules in (rules, here._replace(id=own.rules.id, name=own.name))
    ]
    return render("rulebook/game.html", game=game, reference=_reference_of(game), saved=saved)


@bp.get("/<rules_id>/card")
@of_game.get("/<int:number>/rules/card")
def table_card(rules_id: str = "", number: int = 0) -> ResponseReturnValue:
    """The printable table card; for a game, with the names of its players."""
    about = {"reference": _reference(rules_id, number), "named": bool(number), "back": _address_of("show")}
    return render_template("rulebook/card.html", paper=_paper_asked(), PAPERS=PAPERS, **about)


@of_game.get("/<int:number>/rules/sheet")
def blank_sheet(number: int) -> ResponseReturnValue:
    game, paper = find_snapshot(number), _paper_asked()
    about = {"game": game, "reference": _reference_of(game), "paper": paper, "rows": ROWS[paper]}
    return render("rulebook/blank_sheet.html", PAPERS=PAPERS, MOST_LEVEL=MOST_LEVEL, **about)


@bp.get("/<rules_id>/ask")
@of_game.get("/<int:number>/rules/ask")
def ask(rules_id: str = "", number: int = 0) -> ResponseReturnValue:
    """Answer a question about the rules."""
    about = {"ask": Ask(_reference(rules_id, number).table, request.args), "QUESTIONS": QUESTIONS, "HAND": HAND}
    return render_template("rulebook/ask.html", back=_address_of("show"), **about)


@bp.get("/<rules_id>/try")
def try_hand(rules_id: str) -> ResponseReturnValue:
    """Enter a hand and see it scored in the browser only: nothing is sent or stored."""
    about = _reference(rules_id)
    return render_template("rulebook/try.html", page=demo_page(about.table, about.names))


def _reference(rules_id: str, number: int = 0) -> Reference:
    """The reference of a game or a rule set of the catalogue, or 404."""
    if number:
        return _reference_of(find_snapshot(number))
    return Reference(find_rules(rules_id)) if rules_id in CATALOGUE else abort(404)


def _reference_of(game: Snapshot) -> Reference:
    """The reference of a game with its current players."""
    return Reference(game.table.rules, game.table, game.names_at(game.length + 1))


def _address_of(view: str) -> str:
    """Address of another page for the same rules or game."""
    return url_for(f".{view}", **(request.view_args or {}))


def _paper_asked() -> str:
    """Paper size from the query string; letter if unknown."""
    asked = request.args.get("paper", "")
    return asked if asked in ROWS else PAPERS[0][0]

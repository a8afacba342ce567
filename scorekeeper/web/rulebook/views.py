"""The rules pages: every rule set in sentences."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.scoring.rules import CATALOGUE, families, find_rules, variations
from scorekeeper.web.hand_entry.offline import demo_page

from .pages import ask_page, card_page
from .reference import Reference

bp = Blueprint("rulebook", __name__, url_prefix="/rules")


@bp.get("/")
def index() -> ResponseReturnValue:
    return render_template("rulebook/index.html", families=families())


@bp.get("/find")
def find() -> ResponseReturnValue:
    """A page of an earlier version, which bookmarks have."""
    return redirect(url_for(".index"), 303)


@bp.get("/tips")
def tips() -> ResponseReturnValue:
    return render_template("rulebook/tips.html")


@bp.get("/<rules_id>")
def show(rules_id: str) -> ResponseReturnValue:
    reference, house = _reference(rules_id), variations(rules_id)
    return render_template("rulebook/show.html", rules=reference.rules, reference=reference, house=house)


@bp.get("/<rules_id>/card")
def table_card(rules_id: str) -> ResponseReturnValue:
    return card_page(_reference(rules_id), named=False, back=url_for("rulebook.show", rules_id=rules_id))


@bp.get("/<rules_id>/ask")
def ask(rules_id: str) -> ResponseReturnValue:
    back, here = (url_for(f"rulebook.{name}", rules_id=rules_id) for name in ("show", "ask"))
    return ask_page(_reference(rules_id).table, back=back, here=here)


@bp.get("/<rules_id>/try")
def try_hand(rules_id: str) -> ResponseReturnValue:
    """A hand to tap in and see scored, in the browser alone: nothing of it is sent or kept."""
    about = _reference(rules_id)
    return render_template("rulebook/try.html", page=demo_page(about.table, about.names))


def _reference(rules_id: str) -> Reference:
    return Reference(find_rules(rules_id)) if rules_id in CATALOGUE else abort(404)

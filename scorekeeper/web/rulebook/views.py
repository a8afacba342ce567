"""The rule book: every rule set in words."""

from __future__ import annotations

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from scorekeeper.scoring.rules import CATALOGUE, catalogue, find_rules, variations
from scorekeeper.web.wording.rule_sentences import chapters

bp = Blueprint("rulebook", __name__, url_prefix="/rules")

SILENCES = {
    "settle.set": (
        "The source contradicts itself here. Its rule says that a set side loses its bid: in its second example "
        "Team B, at 2, bids 5 and takes 3, and goes to −3. The example adds the 3 that were taken and prints 0. "
        "The rule is what counts here; the example's way is the house rule."
    ),
}


@bp.get("/")
def index() -> ResponseReturnValue:
    return render_template("rulebook/index.html", catalogue=catalogue())


@bp.get("/<rules_id>")
def show(rules_id: str) -> ResponseReturnValue:
    if rules_id not in CATALOGUE:
        abort(404)
    rules, house = find_rules(rules_id), variations(rules_id)
    notes = {v.key: SILENCES[name] for v in house for name in v.options if name in SILENCES}
    return render_template("rulebook/show.html", rules=rules, chapters=chapters(rules), house=house, notes=notes)

"""The rules pages: every rule set in sentences."""

from __future__ import annotations

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from scorekeeper.scoring.rules import CATALOGUE, catalogue, find_rules, variations
from scorekeeper.web.wording.rule_sentences import SILENCES, chapters

bp = Blueprint("rulebook", __name__, url_prefix="/rules")


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

"""Rules that somebody shared, before they are kept: a page for everybody who has the link."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.models import MANAGE
from scorekeeper.web.common.scope import remembered

from .reference import Reference
from .shared import unpacked

bp = Blueprint("shared_rules", __name__)


@bp.get("/rules/shared")
def show() -> ResponseReturnValue:
    letters = request.args.get("r", "")
    own = unpacked(letters) or abort(404)
    reference = Reference(own.rules, own.table())
    managed = [link.club for link in remembered() if link.role == MANAGE]
    return render_template("rulebook/shared.html", own=own, reference=reference, letters=letters, clubs=managed)

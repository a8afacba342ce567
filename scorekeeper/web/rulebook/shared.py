"""Rules in an address: how a table's own rules go from one club to another, by link or QR code."""

from __future__ import annotations

import base64
import json
import zlib

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.models import MANAGE
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules.fields import FIELDS
from scorekeeper.scoring.rules.ruleset import RuleData
from scorekeeper.services.custom_rules import OwnRules
from scorekeeper.web.common.scope import remembered
from scorekeeper.web.rulebook.reference import Reference

MOST_LETTERS = 6_000  # of the address; usual rules take under 1,000
MOST_BYTES = 60_000  # of what it holds


def packed(own: OwnRules) -> str:
    """Rules as letters for an address; what is as usual is left out, so that a QR code stays small."""
    data = own.to_dict()
    data["rules"] = _without_defaults(data["rules"])
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpacked(letters: str) -> OwnRules | None:
    """The rules that an address holds; None for anything else."""
    if not letters.isascii() or len(letters) > MOST_LETTERS:
        return None
    try:
        inflate = zlib.decompressobj()
        text = inflate.decompress(base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), MOST_BYTES)
        data = json.loads(text)
        return OwnRules.from_dict(data) if isinstance(data, dict) else None
    except (ValueError, zlib.error, RecursionError, Refused):
        return None


def _without_defaults(rules: RuleData) -> RuleData:
    """A rule set without the fields that are as they usually are."""
    usual = {name: json.loads(json.dumps(field.default, default=lambda _: None)) for name, field in FIELDS.items()}
    kept: RuleData = {}
    for section, value in rules.items():
        if isinstance(value, dict):
            kept[section] = {name: inner for name, inner in value.items() if inner != usual.get(f"{section}.{name}")}
        elif value != usual.get(section):
            kept[section] = value
    return kept


bp = Blueprint("shared_rules", __name__)


@bp.get("/rules/shared")
def show() -> ResponseReturnValue:
    letters = request.args.get("r", "")
    own = unpacked(letters) or abort(404)
    reference = Reference(own.rules, own.table())
    managed = [link.club for link in remembered() if link.role == MANAGE]
    return render_template("rulebook/shared.html", own=own, reference=reference, letters=letters, clubs=managed)

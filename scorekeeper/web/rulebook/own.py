"""A club's own rules: saved from a game, offered at the next one, shared with another club."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.models import Club
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table
from scorekeeper.services import custom_rules
from scorekeeper.services.custom_rules import OwnRules
from scorekeeper.services.game_reader import Snapshot, read_games
from scorekeeper.web.common.codes import code
from scorekeeper.web.common.fields import sentence_of
from scorekeeper.web.common.scope import find_snapshot, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.common.words import ended
from scorekeeper.web.rulebook.messages import problem_said

from .reference import Reference
from .shared import packed, unpacked

bp = scoped(Blueprint("own_rules", __name__))
MOST_GAMES = 20  # looked at for the rules that they were played with
MOST_OFFERED = 5
MOST_IN_CODE = 2_000  # letters of an address; a code with more has dots too fine for a camera


def played_lately(club: Club) -> list[Snapshot]:
    """The latest game of each rule set that was played lately, and that the club does not keep anyway."""
    found: dict[RuleSet, Snapshot] = {}
    for game in read_games(club.id, 0, MOST_GAMES):
        if not game.paper and not game.table.rules.id.startswith(custom_rules.ID):
            found.setdefault(game.table.rules, game)
    return list(found.values())[:MOST_OFFERED]


@bp.get("/c/<key>/rules/")
def index() -> ResponseReturnValue:
    """Rules that the club has saved, and those of its latest games."""
    unreadable = [(one.uid, one.name, problem_said(one.why)) for one in custom_rules.unreadable(g.club)]
    own = custom_rules.rules_of(g.club)
    about = {"club": g.club, "own": own, "unreadable": unreadable, "games": played_lately(g.club)}
    return render_template("rulebook/own_index.html", **about)


@bp.get("/c/<key>/rules/<uid>")
def show(uid: str) -> ResponseReturnValue:
    own = _found(uid)
    address = url_for("shared_rules.show", r=packed(replace(own, seats=())), _external=True)
    return render_template(
        "rulebook/own.html",
        club=g.club,
        own=own,
        reference=Reference(own.rules),  # for every number of players that they allow
        address=address,
        code=code(address) if len(address) <= MOST_IN_CODE else "",
    )


@bp.get("/c/<key>/rules/<uid>/file")
def file(uid: str) -> ResponseReturnValue:
    """The rules as data, for whoever reads rule sets: docs/rules.md."""
    text = json.dumps(_found(uid).rules.to_dict(), ensure_ascii=False, indent=1)
    return text, {"Content-Type": "application/json", "Content-Disposition": 'attachment; filename="rules.json"'}


@bp.post("/c/<key>/games/<int:number>/rules")
def save(number: int) -> ResponseReturnValue:
    game = find_snapshot(number)
    names = game.names_at(game.length + 1) if "seats" in request.form else []
    otherwise = url_for("game_rules.show", key=g.club.key, number=number)
    return _kept(request.form.get("name", ""), game.table, otherwise, custom_rules.uids_of(g.club, names))


@bp.post("/c/<key>/rules/")
def add() -> ResponseReturnValue:
    """Rules from another club, as their link has them."""
    own = unpacked(request.form.get("r", ""))
    if own is None:
        flash("That link has no rules in it. Open it again, or ask for another one.")
        return redirect(url_for("own_rules.index", key=g.club.key), 303)
    return _kept(own.name, own.table(), url_for("own_rules.index", key=g.club.key))


@bp.post("/c/<key>/rules/<uid>/delete")
def delete(uid: str) -> ResponseReturnValue:
    name = next((one.name for one in custom_rules.unreadable(g.club) if one.uid == uid), None) or _found(uid).name
    custom_rules.delete(g.club, uid, scorer_name())
    flash(f"{ended(f'Deleted {name}')} Changes can take this back.")
    return redirect(url_for("own_rules.index", key=g.club.key), 303)


def _found(uid: str) -> OwnRules:
    return custom_rules.find(g.club, uid) or abort(404)


def _kept(name: str, table: Table, otherwise: str, seats: Sequence[str] = ()) -> ResponseReturnValue:
    """Keep rules for the club, and go to its list of them; or back with the sentence that says why not."""
    try:
        own = custom_rules.save(g.club, name, table, scorer_name(), seats)
    except Refused as refused:
        flash(sentence_of(refused.problems[0]))
        return redirect(otherwise, 303)
    flash(f"{ended(f'Saved {own.name}')} Choose it when you start a game.")
    return redirect(url_for("own_rules.index", key=g.club.key), 303)

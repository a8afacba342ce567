"""A club sets its own rules: what to begin with, and the form in which all of it can be changed."""

from __future__ import annotations

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import NotFound

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, families, find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import custom_rules
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.common.scope import find_snapshot, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.common.words import ended
from scorekeeper.web.rulebook.messages import AS_PLAYED, GROUP_TITLES

from .controls import Controls
from .forms import RuleForm, is_too_much
from .own import played_lately
from .reference import ChangedRules
from .rule_preview import preview_rules

bp = scoped(Blueprint("edit_rules", __name__))
GAME = "game-"


@bp.get("/c/<key>/edit-rules/")
def start() -> ResponseReturnValue:
    """What to begin with; with `players` in the address, of the catalogue what so many can play."""
    players = number_in(request.args.get("players", ""))
    fitting = {
        family: [rules for rules in members if players in (None, *rules.table.players)]
        for family, members in families().items()
    }
    return render_template(
        "rulebook/edit_start.html",
        club=g.club,
        own=custom_rules.rules_of(g.club),
        games=played_lately(g.club),
        players=players,
        families=fitting,
    )


@bp.get("/c/<key>/edit-rules/<base>")
def show(base: str) -> ResponseReturnValue:
    rules = _rules_of(base)
    return _page(base, RuleForm.of(rules, base, rules.name))


@bp.post("/c/<key>/edit-rules/<base>")
def change(base: str) -> ResponseReturnValue:
    if is_too_much(request.form):
        abort(413)
    form = RuleForm(MultiDict(request.form))
    if form.take_step() or request.form.get("do") != "save":
        return _page(base, form)
    own = _saved(form)
    if own is None:
        return _page(base, form), 422
    flash(f"{ended(f'Saved {own.name}')} Choose it when you start a game.")
    return redirect(url_for("own_rules.show", key=g.club.key, uid=own.uid), 303)


def _saved(form: RuleForm) -> custom_rules.OwnRules | None:
    """The rules kept for the club; None with what is wrong beside its field."""
    if form.rules is None:
        return None
    try:
        return custom_rules.save_rules(g.club, form.name, Table(form.rules), scorer_name())
    except Refused as refused:
        form.refuse(refused.problems)
        return None


def _page(base: str, form: RuleForm) -> str:
    rules, before = form.rules, _began_with(base, form)
    return render_template(
        "rulebook/edit.html",
        club=g.club,
        here=url_for("edit_rules.change", key=g.club.key, base=base),
        form=form,
        controls=Controls(form),
        base=before,
        changed=ChangedRules(rules, before) if rules else None,
        past=preview_rules(rules, g.club, before) if rules else None,
        GROUP_TITLES=GROUP_TITLES,
        AS_PLAYED=AS_PLAYED,
    )


def _began_with(base: str, form: RuleForm) -> RuleSet:
    """The rules that a form began with. Where they were deleted meanwhile, those typed: nothing typed is lost."""
    try:
        return _rules_of(base)
    except NotFound:
        if request.method != "POST" or not base.startswith((custom_rules.ID, GAME)):
            raise
        return form.rules or find_rules(CATALOGUE[0])._replace(name=form.name)


def _rules_of(base: str) -> RuleSet:
    """The rules that an address begins with: of the catalogue, of the club's own, or of a game."""
    if base in CATALOGUE:
        return find_rules(base)
    if base.startswith(custom_rules.ID):
        own = custom_rules.find(g.club, base.removeprefix(custom_rules.ID))
        return own.rules if own else abort(404)
    number = number_in(base.removeprefix(GAME)) if base.startswith(GAME) else None
    return find_snapshot(number).table.rules if number is not None else abort(404)

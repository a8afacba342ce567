"""A club's own rules: saved from a game, edited in a form, offered for new games, shared by link."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from flask import Blueprint, abort, flash, g, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import Gone, NotFound

from scorekeeper.models import MANAGE, Club
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules
from scorekeeper.scoring.rules.fields import FIELDS
from scorekeeper.scoring.rules.ruleset import RuleData
from scorekeeper.scoring.table import Table
from scorekeeper.services import custom_rules
from scorekeeper.services.custom_rules import OwnRules
from scorekeeper.services.game_reader import Snapshot, read_games
from scorekeeper.web.common.codes import code
from scorekeeper.web.common.fields import parse_number, sentence_of
from scorekeeper.web.common.scope import find_snapshot, flash_undoable, go_to, remembered_links, render, scoped
from scorekeeper.web.common.words import ended
from scorekeeper.web.games.setup import SetupForm

from .forms import RuleForm, exceeds_limits
from .messages import GROUP_TITLES, problem_said
from .reference import ChangedRules, Reference
from .rule_preview import preview_rules

bp = scoped(Blueprint("own_rules", __name__))
MOST_GAMES = 20  # recent games searched for the rules they used
MOST_OFFERED = 5
GAME_PREFIX = "game-"  # prefix of `base` for rules based on those of a game
MOST_ASKED = 2_000  # characters of the setup to return to, which stands beside each input
MOST_IN_CODE = 2_000  # characters of an address; a QR code of more is too fine for a camera
MOST_LETTERS = 6_000  # characters of a shared address; usual rules take less than 1,000
MOST_BYTES = 60_000  # of its decompressed content


def played_lately(club: Club) -> list[Snapshot]:
    """The latest game under each recently used rule set that the club has not saved."""
    found: dict[RuleSet, Snapshot] = {}
    for game in read_games(club.id, 0, MOST_GAMES):
        if not game.paper and not game.table.rules.id.startswith(custom_rules.ID_PREFIX):
            found.setdefault(game.table.rules, game)
    return list(found.values())[:MOST_OFFERED]


@bp.get("/c/<key>/rules/")
def index() -> ResponseReturnValue:
    """Show the club's saved rules and the rules of its latest games."""
    unreadable = [(one.uid, one.name, problem_said(one.why)) for one in custom_rules.unreadable(g.club)]
    return render(
        "rulebook/own_index.html", own=custom_rules.rules_of(g.club), unreadable=unreadable, games=played_lately(g.club)
    )


@bp.get("/c/<key>/rules/<uid>")
def show(uid: str) -> ResponseReturnValue:
    own = _find_own(uid)
    reference = Reference(own.rules)  # for all numbers of players that they allow
    address = url_for("own_rules.show_shared", r=encode_rules(replace(own, seats=())), _external=True)
    shown = code(address) if len(address) <= MOST_IN_CODE else ""
    asked = parse_number(request.args.get("players", ""))  # in the setup from which they were changed
    players = asked if asked in own.rules.table.players else own.players
    return render("rulebook/own.html", own=own, players=players, reference=reference, address=address, code=shown)


@bp.get("/c/<key>/rules/<uid>/file")
def file(uid: str) -> ResponseReturnValue:
    """The rules as data, in the format of docs/rules.md."""
    text = json.dumps(_find_own(uid).rules.to_dict(), ensure_ascii=False, indent=1)
    return text, {"Content-Type": "application/json", "Content-Disposition": 'attachment; filename="rules.json"'}


@bp.post("/c/<key>/games/<int:number>/rules")
def save(number: int) -> ResponseReturnValue:
    game = find_snapshot(number)
    names = game.names_at(game.length + 1) if "seats" in request.form else []
    otherwise = go_to("game_rules.show", number=number)
    return _save_as(request.form.get("name", ""), game.table, otherwise, custom_rules.uids_of(g.club, names))


@bp.post("/c/<key>/rules/")
def add() -> ResponseReturnValue:
    """Save rules from another club's shared link."""
    own = decode_rules(request.form.get("r", ""))
    if own is None:
        flash("That link has no rules in it. Open it again, or ask for another one.")
        return go_to("own_rules.index")
    return _save_as(own.name, own.table(), go_to("own_rules.index"))


@bp.post("/c/<key>/rules/<uid>/delete")
def delete(uid: str) -> ResponseReturnValue:
    name = next((one.name for one in custom_rules.unreadable(g.club) if one.uid == uid), None) or _find_own(uid).name
    custom_rules.delete(g.club, uid)
    flash_undoable(f"{ended(f'Deleted {name}')} You can take it back under Changes.", uid)
    return go_to("own_rules.index")


def _find_own(uid: str) -> OwnRules:
    return custom_rules.find(g.club, uid) or abort(404)


def _save_as(name: str, table: Table, otherwise: ResponseReturnValue, seats: Sequence[str] = ()) -> ResponseReturnValue:
    """Save rules and redirect to the list; return `otherwise`, flashing the reason, if that fails."""
    try:
        own = custom_rules.save(g.club, name, table, seats)
    except Refused as refused:
        flash(sentence_of(refused.problems[0]))
        return otherwise
    flash(_saved(own))
    return go_to("own_rules.index")


def _saved(own: OwnRules) -> str:
    return f"{ended(f'Saved {own.name}')}{' Games already started keep their rules.' if own.version > 1 else ''}"


# --- editing: choosing a base, the form -------------------------------------------------------------------------------


@bp.get("/c/<key>/edit-rules/")
def start() -> ResponseReturnValue:
    """Choose the rules to start from; `players` and `search` in the query string filter the catalogue."""
    setup = SetupForm(MultiDict(request.args))
    return render(
        "rulebook/edit_start.html", own=custom_rules.rules_of(g.club), games=played_lately(g.club), setup=setup
    )


@bp.get("/c/<key>/edit-rules/<base>")
def show_form(base: str) -> ResponseReturnValue:
    """The form of these rules; from the setup of a game with its house rules and target."""
    rules, chosen = _rules_of(base), None
    if request.args.get("rules") == base:
        setup = SetupForm(MultiDict(request.args), own=custom_rules.rules_of(g.club))
        chosen = setup.built_rules() if setup.rules.id == base else None
    return _form_page(base, RuleForm.of(chosen or rules, base, rules.name), rules)


@bp.post("/c/<key>/edit-rules/<base>")
def change(base: str) -> ResponseReturnValue:
    if exceeds_limits(request.form):
        abort(413)
    form = RuleForm(MultiDict(request.form))
    if form.take_step() or form.text("do") != "save":
        return _form_page(base, form, _edited_rules(base, form))
    if form.rules is not None:
        try:
            own = custom_rules.save_rules(g.club, form.name, Table(form.rules))
        except Refused as refused:
            form.refuse(refused.problems)
        else:
            flash(_saved(own))
            return go_to("own_rules.show", uid=own.uid, players=parse_number(request.args.get("players", "")))
    return _form_page(base, form, _edited_rules(base, form)), 422


def _form_page(base: str, form: RuleForm, before: RuleSet) -> str:
    rules = form.rules
    here, asked = url_for("own_rules.change", base=base), urlencode([*request.args.items(multi=True)])
    asked = asked if len(asked) <= MOST_ASKED else ""
    about = {"form": form, "base": before, "here": f"{here}?{asked}" if asked else here}
    about["is_own"] = before.id.startswith(custom_rules.ID_PREFIX)
    if "rules" in request.args:
        about["setup"] = f"{url_for('games.new')}?{asked}"
    if rules:
        about |= {"changed": ChangedRules(rules, before), "past": preview_rules(rules, g.club, before)}
    return render("rulebook/edit.html", GROUP_TITLES=GROUP_TITLES, **about)


def _edited_rules(base: str, form: RuleForm) -> RuleSet:
    """The rules edited. If they were deleted meanwhile, those typed, so that no input is lost."""
    try:
        return _rules_of(base)
    except (Gone, NotFound):
        if not base.startswith((custom_rules.ID_PREFIX, GAME_PREFIX)):
            raise
        return form.rules or find_rules(CATALOGUE[0])._replace(name=form.name)


def _rules_of(base: str) -> RuleSet:
    """The rules for `base`: from the catalogue, the club's own, or those of a game; otherwise 404."""
    if base in CATALOGUE:
        return find_rules(base)
    if base.startswith(custom_rules.ID_PREFIX):
        return _find_own(base.removeprefix(custom_rules.ID_PREFIX)).rules
    number = parse_number(base.removeprefix(GAME_PREFIX)) if base.startswith(GAME_PREFIX) else None
    return find_snapshot(number).table.rules if number is not None else abort(404)


# --- sharing rules between clubs by link or QR code -------------------------------------------------------------------


@bp.get("/rules/shared")
def show_shared() -> ResponseReturnValue:
    letters = request.args.get("r", "")
    own = decode_rules(letters) or abort(404)
    managed = [link.club for link in remembered_links() if link.role == MANAGE]
    return render_template(
        "rulebook/shared.html", own=own, reference=Reference(own.rules, own.table()), letters=letters, clubs=managed
    )


def encode_rules(own: OwnRules) -> str:
    """Encode rules for an address; defaults are omitted to keep the QR code small."""
    data = own.to_dict()
    data["rules"] = _without_defaults(data["rules"])
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def decode_rules(letters: str) -> OwnRules | None:
    """Decode rules from an address; None if invalid."""
    if not letters.isascii() or len(letters) > MOST_LETTERS:
        return None
    try:
        inflate = zlib.decompressobj()
        text = inflate.decompress(base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), MOST_BYTES)
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False).encode()  # a lone surrogate, which no page and no file can have
        return OwnRules.from_dict(data) if isinstance(data, dict) else None
    except (ValueError, zlib.error, RecursionError, Refused):
        return None


def _without_defaults(rules: RuleData) -> RuleData:
    """A rule set without fields that have their default."""
    usual = {name: json.loads(json.dumps(field.default, default=lambda _: None)) for name, field in FIELDS.items()}
    kept: RuleData = {}
    for section, value in rules.items():
        if isinstance(value, dict):
            kept[section] = {name: inner for name, inner in value.items() if inner != usual.get(f"{section}.{name}")}
        elif value != usual.get(section):
            kept[section] = value
    return kept

"""Hands: putting one in, seeing what it would come to, correcting it, taking it out."""

from __future__ import annotations

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper import drafts, ledger
from scorekeeper.db import db
from scorekeeper.ledger import Conflict, Saved
from scorekeeper.models import Facts
from scorekeeper.scoring.problems import Refused
from scorekeeper.web.common.scope import find_game, game_scoped
from scorekeeper.web.common.tokens import new_token, posted_token, posted_version
from scorekeeper.web.games.device import whose_phone
from scorekeeper.web.games.history import History, in_a_message, told_after

from .conflict import Clash, is_the_same
from .editor import Desk
from .form import HandForm, explain
from .reckoning import Reckoning
from .snapshot import read_snapshot

bp = game_scoped(Blueprint("hands", __name__, url_prefix="/c/<key>/games/<int:number>/hands"), read_snapshot)

Errors = dict[str, list[str]]
STEPS = {"call", "unsay", "play", "back"}  # what a button sends that is one step of a hand


@bp.get("/new")
def new() -> ResponseReturnValue:
    desk = Desk(g.snapshot)
    if not desk.snapshot.takes_hands:
        return redirect(_sheet_url(), 303)
    return _open(desk)


@bp.post("/new")
def record() -> ResponseReturnValue:
    return _handle(Desk(g.snapshot))


@bp.get("/<int:position>/")
def correct(position: int) -> ResponseReturnValue:
    return _open(Desk(g.snapshot, g.snapshot.hand(position) or abort(404)))


@bp.post("/<int:position>/")
def save_correction(position: int) -> ResponseReturnValue:
    desk = Desk(g.snapshot, g.snapshot.hand(position))
    if desk.hand is None:  # somebody has taken it out meanwhile
        form = desk.posted()
        facts = desk.reckon(desk.tapped(form).draft).facts if form.validate() else None
        return _clashed(desk, Conflict(position, None), facts)
    return _handle(desk)


@bp.post("/<int:position>/remove")
def remove(position: int) -> ResponseReturnValue:
    game = find_game(g.snapshot.number)
    before, version = game.score(), posted_version("hand_version") or 0
    try:
        saved = ledger.remove_hand(game, position, hand_version=version, token=posted_token(), by=whose_phone())
    except Conflict:
        meanwhile = in_a_message(History(game).of_hand(version))
        flash(f"Hand {position} was changed on another phone meanwhile, so it was left in. {meanwhile}")
    except Refused as refused:
        flash(f"Hand {position} was left in: {refused.problems[0].message} without it.")
    else:
        flash(told_after(saved.change, before, game))
    return redirect(_sheet_url(), 303)


@bp.post("/preview")
def preview() -> ResponseReturnValue:
    """The form alone, with what follows from what has been tapped."""
    correcting = bool(request.form.get("hand_version"))
    hand = g.snapshot.hand(posted_version("position") or 0) if correcting else None
    if hand is None and correcting:
        return "", 204  # the hand was taken out: its page stays as it is, until it is saved and told so
    desk = Desk(g.snapshot, hand)
    return _preview(desk, desk.posted(), "hand_entry/_form.html")


# --- what the buttons do ---


def _handle(desk: Desk) -> ResponseReturnValue:
    form, do = desk.posted(), request.form.get("do")
    if do == "anew":
        drafts.throw_away(desk.game, desk.position)
        return redirect(_entry_url(desk), 303)
    if do == "preview" or STEPS & request.form.keys():
        return _preview(desk, form, _template(desk))
    valid, passed = form.validate(), do == "passed"
    hand = desk.reckon(desk.tapped(form).draft)
    errors = form.complaints() if not valid else {} if passed else hand.wrong
    if errors or not (passed or _is_advised(desk, form, hand)):
        return _refused(desk, form, hand, errors)
    return _save(desk, form, hand, hand.passed_out if passed else hand.facts)


def _is_advised(desk: Desk, form: HandForm, hand: Reckoning) -> bool:
    """Whether the page has said already all that looks wrong with the hand."""
    return all(advice.code in (form.advised.data or ()) for advice in desk.advice(hand))


def _preview(desk: Desk, form: HandForm, template: str) -> ResponseReturnValue:
    """The page with what was tapped; only what cannot be is complained of, not what is still missing."""
    errors = {} if form.validate() else form.complaints()
    draft, tried = desk.tapped(form)
    db.session.rollback()  # the snapshot is read: the connection is free for writing what was tapped
    desk.keep(form, draft)
    hand = desk.reckon(draft)
    errors = errors or hand.contradictions
    return _page(desk, hand, form, errors, template=template, tried=tried), 422 if errors else 200


def _save(desk: Desk, form: HandForm, hand: Reckoning, facts: Facts) -> ResponseReturnValue:
    before = desk.score
    try:
        saved = _write(desk, form, facts)
    except Conflict as conflict:
        return _clashed(desk, conflict, facts)
    except Refused as refused:
        return _refused(desk, form, hand, explain(refused.problems, desk.table, hand.draft))
    if desk.hand is None:
        ledger.set_ways(desk.game, detail=hand.draft.detail, auction=hand.draft.by_seat)
    flash(told_after(saved.change, before, desk.game), "saved")
    return redirect(_next_url(desk), 303)


def _write(desk: Desk, form: HandForm, facts: Facts) -> Saved:
    token, by = str(form.token.data), whose_phone()
    if desk.hand is None:
        return ledger.record_hand(desk.game, facts, position=form.position.data or desk.position, token=token, by=by)
    version = form.hand_version.data or 0
    return ledger.correct_hand(desk.game, desk.hand.position, facts, hand_version=version, token=token, by=by)


def _clashed(desk: Desk, conflict: Conflict, facts: Facts | None = None) -> ResponseReturnValue:
    """Two phones, one hand: both are shown, and whoever came second chooses."""
    if is_the_same(conflict.theirs, facts):
        flash(f"Hand {conflict.position} is in already, just so, from another phone. It counts once.")
        return redirect(_next_url(desk), 303)
    desk = Desk(
        read_snapshot(g.club.key, g.snapshot.number) or abort(404), desk.hand
    )  # as somebody else has left the game
    clash = Clash(desk, conflict, facts, new_token())
    return render_template("hand_entry/conflict.html", club=g.club, clash=clash, sheet_url=_sheet_url()), 409


def _refused(desk: Desk, form: HandForm, hand: Reckoning, errors: Errors) -> ResponseReturnValue:
    desk.keep(form, hand.draft)
    return _page(desk, hand, form, errors), 422


# --- pages ---


def _open(desk: Desk) -> str:
    """The page of a hand as it was left, on whichever phone; else as it is saved."""
    form = desk.resumed()
    if form is None:
        return _page(desk, desk.reckon(desk.saved_draft()))
    hand = desk.reckon(desk.tapped(form).draft)
    form.validate()
    errors = {place: errors for place, errors in form.complaints().items() if place != "token"}
    return _page(desk, hand, form, errors or hand.contradictions)


def _page(
    desk: Desk,
    hand: Reckoning,
    form: HandForm | None = None,
    errors: Errors | None = None,
    template: str | None = None,
    tried: str | None = None,
) -> str:
    token = str((form and form.token.data) or new_token())
    entry = desk.entry(hand, token, form, errors, tried)
    here = {"key": g.club.key, "number": g.snapshot.number}
    return render_template(template or _template(desk), club=g.club, desk=desk, entry=entry, here=here)


def _template(desk: Desk) -> str:
    return "hand_entry/correct.html" if desk.hand else "hand_entry/new.html"


def _entry_url(desk: Desk) -> str:
    here = {"key": g.club.key, "number": g.snapshot.number}
    return url_for("hands.correct", **here, position=desk.position) if desk.hand else url_for("hands.new", **here)


def _sheet_url() -> str:
    return url_for("games.sheet", key=g.club.key, number=g.snapshot.number)


def _next_url(desk: Desk) -> str:
    """Where saving leads: the next hand, or the score sheet after a correction and when the game is over."""
    if desk.hand is not None or (desk.game.score().outcome and not desk.game.plays_on):
        return _sheet_url()
    return url_for("hands.new", key=g.club.key, number=g.snapshot.number)

"""A club's page of changes: what was changed, by whom, when, and a button to take it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.models import ClubChange
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import club_log
from scorekeeper.undo import changes as club_undo
from scorekeeper.web.common.access import may
from scorekeeper.web.common.fields import number_in, sentence_of
from scorekeeper.web.common.scope import scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.wording import club_change_sentences as say
from scorekeeper.web.wording.change_sentences import on_phone

PAGE = 30
bp = scoped(Blueprint("changes", __name__))


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry as the page shows it: with a button, or with the reason why there is none."""

    seq: int
    who: str
    at: datetime
    said: str
    button: str
    reason: str


@bp.get("/c/<key>/changes")
def show() -> ResponseReturnValue:
    before, access = number_in(request.args.get("before", "")), may("links.index")
    found = club_log.latest(g.club.id, before, PAGE + 1, access=access)
    earlier = found[PAGE - 1].seq if len(found) > PAGE else None
    return render_template("clubs/changes.html", club=g.club, entries=_shown(found[:PAGE]), earlier=earlier)


def _shown(entries: Sequence[ClubChange]) -> list[Shown]:
    here, undone = club_undo.ClubNow(g.club), club_log.undone_by(g.club.id, [entry.seq for entry in entries])
    return [_entry(entry, here, undone.get(entry.seq)) for entry in entries]


def _entry(entry: ClubChange, here: club_undo.ClubNow, undone_by: int | None) -> Shown:
    why = "" if undone_by else here.why_not(entry)
    reason = say.taken_back(entry) if undone_by else say.not_possible(why) if why else ""
    button = "" if reason else say.button(entry)
    return Shown(entry.seq, on_phone(entry.by), entry.at, say.said(entry), button, reason)


@bp.post("/c/<key>/changes/<int:seq>/undo")
def undo(seq: int) -> ResponseReturnValue:
    """Undo an entry, and say so; where something is in the way, say what."""
    try:
        entry = club_undo.undo(g.club, seq, scorer_name())
        flash(say.undone(entry) if entry else say.NOTHING_TO_UNDO)
    except Refused as refused:
        flash(say.not_undone(sentence_of(refused.problems[0])))
    return redirect(url_for("changes.show", key=g.club.key), 303)

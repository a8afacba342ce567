"""One tap of the ways that go step by step: a call, a card played, and taking one back.

The page sends the steps that it knew when it was tapped. Taps that come quicker than the answers would lose one
another, so the steps that this very page has sent before are taken from what was kept of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.table import Table

from . import way_play, ways
from .draft import Draft
from .hand_form import HandForm
from .way_auction import PASS, Said, hear

PAGE = "page"


class Tapped(NamedTuple):
    """The draft after the tap; `tried` is a card that could not be played, because it shows a revoke."""

    draft: Draft
    tried: Card | None = None


def tapped(form: HandForm, dealer: int, kept: Mapping[str, Sequence[str]] | None = None) -> Tapped:
    """What was posted, with the one step that was tapped taken."""
    table, known = form.table, _known(form, kept)
    draft = ways.follow(table, form.draft(dealer), form.data["was"])
    if form.data["unsay"] is not None:
        draft = replace(draft, calls=draft.calls[: form.data["unsay"]])
    if form.data["back"] is not None:
        draft = replace(draft, plays=draft.plays[: form.data["back"]])
    if form.data["call"] is not None:
        draft = _call(table, draft, form.data["call"], known)
    if form.data["play"] is None:
        return Tapped(ways.follow(table, draft))
    if known is not None and _goes_on(known.plays, draft.plays):
        draft = replace(draft, plays=known.plays)
    draft, tried = way_play.add(table, draft, form.data["play"])
    return Tapped(ways.follow(table, draft), tried)


def page_of(form: HandForm) -> str:
    """What tells one open page from another; not its token, which nobody else may have."""
    return str(form.token.data or "")[:8]


def _known(form: HandForm, kept: Mapping[str, Sequence[str]] | None) -> Draft | None:
    """What this very page has tapped before, as it was kept."""
    if kept is None or list(kept.get(PAGE, ())) != [page_of(form)]:
        return None
    return type(form)(ways.as_form(kept)).draft(1)


def _goes_on(longer: Sequence[object], shorter: Sequence[object]) -> bool:
    return len(longer) > len(shorter) and longer[: len(shorter)] == shorter


def _call(table: Table, draft: Draft, word: int | str, known: Draft | None) -> Draft:
    """One call more; a second tap on the same page before the answer came is the same call."""
    if known is not None and _goes_on(known.calls, draft.calls):
        return replace(draft, calls=known.calls)
    said: Said = None if word == PASS else int(word)
    calls = tuple(call.bid for call in hear(table, draft.dealer, (*draft.calls, said)).calls)
    return replace(draft, calls=calls)

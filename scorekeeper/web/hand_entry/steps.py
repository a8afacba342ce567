"""One tap of the ways that go step by step: a call, a card played, and taking one back.

The page sends the steps that it knew when it was tapped. Taps that come quicker than the answers would lose one
another, so the steps that this very page has sent before are taken from what was kept of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.table import Table

from . import modes, play
from .auction import PASS, Said, hear
from .draft import Draft
from .form import HandForm

PAGE = "page"
NO_STEP: tuple[str, Any] = ("", None)


class Tapped(NamedTuple):
    """The draft after the tap; `tried` is a card that could not be played, because it shows a revoke."""

    draft: Draft
    tried: Card | None = None


def tapped(form: HandForm, dealer: int, kept: Mapping[str, Sequence[str]] | None = None) -> Tapped:
    """What was posted, with the one step that was tapped taken."""
    table, tried = form.table, None
    draft = modes.follow(table, form.draft(dealer), form.was.data)
    step, value = form.step.data or NO_STEP
    if step == "unsay":
        draft = replace(draft, calls=draft.calls[:value])
    elif step == "back":
        draft = replace(draft, plays=draft.plays[:value])
    elif step == "call":
        draft = _call(table, draft, value, _known(form, kept))
    elif step == "play":
        draft, tried = _play(table, draft, value, _known(form, kept))
    return Tapped(modes.follow(table, draft), tried)


def page_of(form: HandForm) -> str:
    """What tells one open page from another; not its token, which nobody else may have."""
    return str(form.token.data or "")[:8]


def _known(form: HandForm, kept: Mapping[str, Sequence[str]] | None) -> Draft | None:
    """What this very page has tapped before, as it was kept."""
    if kept is None or list(kept.get(PAGE, ())) != [page_of(form)]:
        return None
    return type(form)(modes.as_form(kept)).draft(1)


def _goes_on(longer: Sequence[object], shorter: Sequence[object]) -> bool:
    return len(longer) > len(shorter) and longer[: len(shorter)] == shorter


def _call(table: Table, draft: Draft, word: int | str, known: Draft | None) -> Draft:
    """One call more; a second tap on the same page before the answer came is the same call."""
    if known is not None and _goes_on(known.calls, draft.calls):
        return replace(draft, calls=known.calls)
    said: Said = None if word == PASS else int(word)
    calls = tuple(call.bid for call in hear(table, draft.dealer, (*draft.calls, said)).calls)
    return replace(draft, calls=calls)


def _play(table: Table, draft: Draft, card: Card, known: Draft | None) -> tuple[Draft, Card | None]:
    """One card more."""
    if known is not None and _goes_on(known.plays, draft.plays):
        draft = replace(draft, plays=known.plays)
    return play.add(table, draft, card)

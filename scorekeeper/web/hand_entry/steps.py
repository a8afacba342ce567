"""One step of the bidding or the play: a call, a card played, or taking one back.

The page sends the steps that it knew when it was tapped. Taps that come quicker than the answers would lose one
another, so the steps that this very page has sent before are taken from what was kept of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.table import Table

from . import messages as say
from . import modes, play
from .auction import PASS, Said, hear
from .draft import Draft
from .form import PAGE, HandForm


def take_step(
    form: HandForm, draft: Draft, kept: Mapping[str, Sequence[str]] | None = None
) -> tuple[Draft, Card | None]:
    """The draft of a form after the one step that was tapped, and the card that could not be played: it is a revoke."""
    table, tried = draft.table_of(form.table), None
    step, value = form.step.data
    if step == "unsay":
        draft = replace(draft, calls=draft.calls[:value])
    elif step == "back":
        draft = replace(draft, plays=draft.plays[:value])
    elif step == "call":
        draft = _call(table, draft, value, _known(form, kept))
    elif step == "play":
        draft, tried = _play(table, draft, value, _known(form, kept))
    return modes.follow(table, draft), tried


def _known(form: HandForm, kept: Mapping[str, Sequence[str]] | None) -> Draft | None:
    """What this very page has tapped before, as it was kept."""
    if kept is None or list(kept.get(PAGE, ())) != [form.page]:
        return None
    return type(form)(modes.as_form(kept)).draft(1)


def _goes_on(longer: Sequence[object], shorter: Sequence[object]) -> bool:
    return len(longer) > len(shorter) and longer[: len(shorter)] == shorter


def _call(table: Table, draft: Draft, word: int | str, known: Draft | None) -> Draft:
    """One call more; a second tap on the same page before the answer came is the same call."""
    if known is not None and _goes_on(known.calls, draft.calls):
        return replace(draft, calls=known.calls)
    said: Said = None if word == PASS else int(word)
    auction = hear(table, draft.dealer, (*draft.calls, said))
    if len(auction.calls) <= len(draft.calls):
        return draft.telling(say.BIDDING_IS_OVER if auction.is_over else say.NOT_NOW)
    return replace(draft, calls=tuple(call.bid for call in auction.calls))


def _play(table: Table, draft: Draft, card: Card, known: Draft | None) -> tuple[Draft, Card | None]:
    """One card more."""
    if known is not None and _goes_on(known.plays, draft.plays):
        draft = replace(draft, plays=known.plays, trump=known.trump)
    return play.add(table, draft, card)

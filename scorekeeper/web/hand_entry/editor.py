"""One hand on the desk: the game it belongs to, what has been tapped, and what it would come to."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from flask import g, request, url_for

from scorekeeper import drafts
from scorekeeper.db import db
from scorekeeper.models import Facts, Game
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import score_hand
from scorekeeper.scoring.hand_record import read_hand
from scorekeeper.scoring.table import Table
from scorekeeper.web.common.tokens import posted_version
from scorekeeper.web.games.score_sheet import Cell, score_cells
from scorekeeper.web.wording.hand_sentences import HandDescription
from scorekeeper.web.wording.narrator import Narrator

from . import modes
from .draft import Draft
from .form import HandForm, form_class
from .habits import best_made, seats_last_time
from .page import Entry
from .reckoning import Reckoning
from .snapshot import Snapshot, Written
from .steps import PAGE, Tapped, page_of, tapped
from .warnings import Advice, Case, advise

KEPT = ("names", "note", "adjustments")  # what a correction leaves as it was
# What is not kept of a form: what names this very page, and the one step that was tapped.
NOT_TAPPED = {"csrf_token", "token", "do", "advised", "call", "unsay", "play", "back"}


class Desk:
    """A hand being put in (`hand` is None) or corrected."""

    def __init__(self, snapshot: Snapshot, hand: Written | None = None) -> None:
        self.snapshot = snapshot
        self.hand = hand
        self.position = hand.position if hand else snapshot.length + 1
        self.names = snapshot.names_at(self.position)
        self.table: Table = snapshot.table
        self.narrator = Narrator(self.table, self.names)

    @property
    def score(self) -> GameScore:
        """The game as it stands."""
        return self.snapshot.score

    @cached_property
    def game(self) -> Game:
        """The game itself, for whoever changes it."""
        return db.session.get_one(Game, self.snapshot.id)

    @cached_property
    def dealer(self) -> int:
        """Who deals this hand, as far as the game knows; of one that was saved meanwhile, who dealt that."""
        hand = self.hand or self._saved_meanwhile()
        return int(hand.facts["dealer"]) if hand else self.snapshot.dealer_after(self.snapshot.length)

    def _saved_meanwhile(self) -> Written | None:
        """The hand that stands where the one that was posted belongs: from another phone, or from this very form."""
        return self.snapshot.hand(posted_version("position") or 0)

    @property
    def cells(self) -> list[Cell]:
        """The scores as they stand; beyond the end, as they are played on."""
        played = self.snapshot.scores if self.snapshot.plays_on else self.score.hands
        totals = played[-1].totals if played else self.score.totals
        return score_cells(self.table, self.names, totals, played[-1] if played else None)

    def posted(self) -> HandForm:
        """The form as it was sent."""
        return form_class(self.table)(request.form)

    # --- what has been tapped, kept ---

    @property
    def kept(self) -> drafts.Fields | None:
        """What any phone has tapped of this hand."""
        return self.snapshot.tapped.get(self.position)

    @property
    def is_stale(self) -> bool:
        """Whether what was tapped belongs to this hand as it was before somebody changed it."""
        version = str(self.hand.version) if self.hand else ""
        return self.kept is not None and self.kept.get("hand_version", [""]) != [version]

    def resumed(self) -> HandForm | None:
        """The form as it was left, on whichever phone; None when nothing was tapped, or of another hand."""
        if self.kept is None or self.is_stale:
            return None
        return form_class(self.table)(modes.as_form(self._in_place(self.kept)))

    def _in_place(self, kept: drafts.Fields) -> drafts.Fields:
        """What was kept of this hand, also where it has moved up or down since, because a hand before it came or went.

        Whose deal it was belonged to the old place; who has spoken after that dealer stays as it was said.
        """
        if kept.get("position") in (None, [str(self.position)]):
            return kept
        moved = kept | {"position": [str(self.position)]}
        if self.hand is None and not any(kept.get("calls", ())):
            moved.pop("dealer", None)
        return moved

    def meanwhile(self) -> str:
        """What was tapped of a hand that somebody has changed since: where it differs from the hand as it stands."""
        if self.kept is None or self.hand is None or not self.is_stale:
            return ""
        left = self.reckon(tapped(form_class(self.table)(modes.as_form(self.kept)), self.dealer).draft)
        if left.wrong:
            return "Somebody changed this hand since you began to correct it, so this begins from what stands now."
        teller = HandDescription(self.table, self.names)
        now = set(teller.lines(self.hand.facts))
        differs = [line.said for line in teller.lines(left.facts) if line not in now]
        had = f" You had: {'; '.join(differs)}." if differs else ""
        return f"Somebody changed this hand since you began to correct it.{had} This begins from what stands now."

    def tapped(self, form: HandForm) -> Tapped:
        """What a form that was sent comes to."""
        return tapped(form, self.dealer, self.kept)

    def keep(self, form: HandForm, draft: Draft) -> None:
        """Keep what has been tapped, for this phone or any other to go on with; not of a hand that is saved already."""
        if (form.position.data, self.hand is None) != (self.position, not form.hand_version.data):
            return
        fields = {name: values for name, values in request.form.lists() if name not in NOT_TAPPED}
        steps = {name: [words] for name, words in {**modes.words_of(draft), PAGE: page_of(form)}.items()}
        if fields | steps != self.kept:
            drafts.keep(self.snapshot.id, self.position, fields | steps)

    # --- what it would come to ---

    def reckon(self, draft: Draft) -> Reckoning:
        """What a draft comes to in this game."""
        return Reckoning(self.snapshot, self.narrator, self.position, self.dealer, self._facts_left, draft)

    @property
    def _facts_left(self) -> Facts:
        """What a correction leaves as it was."""
        old = self.hand.facts if self.hand else {}
        return {key: value for key, value in old.items() if key in KEPT or key.startswith("x-")}

    def saved_draft(self) -> Draft:
        """The saved hand as the form shows it."""
        if self.hand is None:
            return Draft(self.dealer, detail=self.snapshot.detail, by_seat=self.snapshot.auction)
        facts = self.hand.facts
        return modes.reopen(self.table, facts, score_hand(self.table, read_hand(facts, self.table)))

    def advice(self, hand: Reckoning) -> list[Advice]:
        """What looks wrong with a hand that can be saved all the same."""
        if hand.wrong or hand.score is None or "trump" not in hand.facts:
            return []
        return advise(
            Case(
                table=self.table,
                narrator=self.narrator,
                facts=hand.facts,
                score=hand.score,
                touched=bool(hand.draft.points),
                turn=self._turn(hand.draft),
                best=lambda: best_made(self.game, self.position),
                last_time=lambda: seats_last_time(self.game) if self.hand is None and self.position == 1 else None,
            )
        )

    def _turn(self, draft: Draft) -> int | None:
        """Whose deal it is; of a saved hand only where its dealer is being changed."""
        if self.hand is None:
            return self.dealer
        return None if draft.dealer == self.dealer else self.snapshot.dealer_after(self.position - 1)

    # --- the page ---

    def entry(
        self,
        hand: Reckoning,
        token: str,
        form: HandForm | None = None,
        errors: dict[str, list[str]] | None = None,
        tried: Card | None = None,
    ) -> Entry:
        """The form, ready to be drawn."""
        errors, draft = errors or {}, hand.draft
        switched = form is None or form.was.data not in (None, draft.detail)
        here: dict[str, Any] = {"key": g.club.key, "number": self.snapshot.number}
        return Entry(
            table=self.table,
            narrator=self.narrator,
            draft=draft,
            says=hand.says(errors),
            action=url_for("hands.correct", **here, position=self.position)
            if self.hand
            else url_for("hands.new", **here),
            preview_action=url_for("hands.preview", **here),
            token=token,
            position=(form.position.data if form else None) or self.position,
            hand_version=self.shown_version(form),
            typed=form.counts.typed if form and not switched else {s: str(c) for s, c in draft.counts.items()},
            errors=errors,
            advice=[] if errors else self.advice(hand),
            unfolded=form.unfold.data or () if form else (),
            switched=switched,
            pile=form.pile.data if form else None,
            tried=tried,
            resumed=request.method == "GET" and bool(self.kept) and not self.is_stale,
            meanwhile=self.meanwhile() if request.method == "GET" else "",
        )

    def shown_version(self, form: HandForm | None) -> int | None:
        """The version of the saved hand that this page began with."""
        if self.hand is None:
            return None
        return form.hand_version.data if form and form.hand_version.data is not None else self.hand.version

"""One hand on the desk: the game it belongs to, what has been tapped, and what it would come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from flask import g, request, url_for

from scorekeeper import drafts
from scorekeeper.ledger import next_dealer
from scorekeeper.models import ABANDONED, Facts, Game, Hand
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.game import GameScore, replay
from scorekeeper.scoring.hand import check_hand, score_hand
from scorekeeper.scoring.hand_record import read_hand
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.record import read_game
from scorekeeper.scoring.table import Table

from . import ways
from .advice import Advice, Case, advise
from .draft import Draft
from .entry import Entry
from .habits import best_made, seats_last_time
from .hand_form import HandForm, explain, form_class
from .says import Says, Speaker
from .sheet import Cell, score_cells
from .tapping import PAGE, Tapped, page_of, tapped
from .told import Teller

KEPT = ("names",)  # what a correction leaves as it was
# What is not kept of a form: what names this very page, and the one step that was tapped.
NOT_TAPPED = {"csrf_token", "token", "do", "advised", "call", "unsay", "play", "back"}


class Desk:
    """A hand being put in (`hand` is None) or corrected."""

    def __init__(self, game: Game, hand: Hand | None = None) -> None:
        self.game = game
        self.hand = hand
        self.names = game.names_at(hand.position) if hand else drafts.names_next(game)
        self.table: Table = game.table
        self.speaker = Speaker(self.table, self.names)

    @cached_property
    def score(self) -> GameScore:
        """The game as it stands."""
        return self.game.score()

    @property
    def takes_hands(self) -> bool:
        """Whether another hand can be put in."""
        return self.game.state != ABANDONED and (self.score.outcome is None or self.game.plays_on)

    @property
    def position(self) -> int:
        return self.hand.position if self.hand else len(self.game.hands) + 1

    @cached_property
    def dealer(self) -> int:
        """Who deals this hand, as far as the game knows; of one that was saved meanwhile, who dealt that."""
        hand = self.hand or self._saved_meanwhile()
        return int(hand.facts["dealer"]) if hand else next_dealer(self.game)

    def _saved_meanwhile(self) -> Hand | None:
        """The hand that stands where the one that was posted belongs: from another phone, or from this very form."""
        place = request.form.get("position")
        return next((hand for hand in self.game.hands if str(hand.position) == place), None)

    @property
    def cells(self) -> list[Cell]:
        """The scores as they stand; beyond the end, as they are played on."""
        played = (*self.score.hands, *(self.score.beyond if self.game.plays_on else ()))
        totals = played[-1].totals if played else self.score.totals
        return score_cells(self.table, self.names, totals, played[-1] if played else None)

    def posted(self) -> HandForm:
        """The form as it was sent."""
        return form_class(self.table)(request.form)

    # --- what has been tapped, kept ---

    @cached_property
    def kept(self) -> drafts.Fields | None:
        """What any phone has tapped of this hand."""
        return drafts.find(self.game, self.position)

    @property
    def is_stale(self) -> bool:
        """Whether what was tapped belongs to this hand as it was before somebody changed it."""
        version = str(self.hand.version) if self.hand else ""
        return self.kept is not None and self.kept.get("hand_version", [""]) != [version]

    def resumed(self) -> HandForm | None:
        """The form as it was left, on whichever phone; None when nothing was tapped, or of another hand."""
        if self.kept is None or self.is_stale:
            return None
        return form_class(self.table)(ways.as_form(self.kept))

    def meanwhile(self) -> str:
        """What was tapped of a hand that somebody has changed since: where it differs from the hand as it stands."""
        if self.kept is None or self.hand is None or not self.is_stale:
            return ""
        left = form_class(self.table)(ways.as_form(self.kept))
        draft = tapped(left, self.dealer).draft
        if self.missing(draft) or self.problems(self.facts(draft)):
            return "Somebody changed this hand since you began to correct it, so this begins from what stands now."
        teller = Teller(self.table, self.names)
        now = set(teller.lines(self.hand.facts))
        differs = [line.said for line in teller.lines(self.facts(draft)) if line not in now]
        had = f" You had: {'; '.join(differs)}." if differs else ""
        return f"Somebody changed this hand since you began to correct it.{had} This begins from what stands now."

    def tapped(self, form: HandForm) -> Tapped:
        """What a form that was sent comes to."""
        return tapped(form, self.dealer, self.kept if form.play.data or form.call.data is not None else None)

    def keep(self, form: HandForm, draft: Draft) -> None:
        """Keep what has been tapped, for this phone or any other to go on with; not of a hand that is saved already."""
        if (form.data["position"], self.hand is None) != (self.position, not form.data["hand_version"]):
            return
        fields = {name: values for name, values in request.form.lists() if name not in NOT_TAPPED}
        steps = {name: [words] for name, words in {**ways.words_of(draft), PAGE: page_of(form)}.items()}
        drafts.keep(self.game, self.position, fields | steps)

    # --- facts ---

    def facts(self, draft: Draft, *, passed: bool = False) -> Facts:
        """The hand as the game record has it."""
        facts = ways.passed_out(self.table, draft) if passed else ways.facts_of(self.table, draft)
        return self._kept() | facts

    def _kept(self) -> Facts:
        old = self.hand.facts if self.hand else {}
        return {key: value for key, value in old.items() if key in KEPT or key.startswith("x-")}

    def saved_draft(self) -> Draft:
        """The saved hand as the form shows it."""
        if self.hand is None:
            return Draft(self.dealer, detail=self.game.detail, by_seat=self.game.auction)
        facts = self.hand.facts
        alone = replay(read_game(self.game.record_of([facts])))
        return ways.reopen(self.table, facts, alone.hands[0])

    # --- what is wrong, and what it would come to ---

    def missing(self, draft: Draft) -> dict[str, list[str]]:
        """What has still to be put in, place by place."""
        return ways.missing(self.table, draft, self.speaker)

    def wrong(self, draft: Draft) -> dict[str, list[str]]:
        """Everything that stands in the way of saving, beside each place."""
        return self.missing(draft) or explain(self.problems(self.facts(draft)), self.table, draft)

    def contradictions(self, draft: Draft) -> dict[str, list[str]]:
        """What cannot be, of a hand that may still be incomplete."""
        if self.missing(draft):
            return {}
        return self.wrong(draft)

    def problems(self, facts: Facts) -> Sequence[Problem]:
        """What the scoring core would not take of this hand."""
        try:
            return check_hand(self.table, read_hand(facts, self.table), self.dealer)
        except Refused as refused:
            return refused.problems

    def with_hand(self, facts: Facts) -> GameScore:
        """The game as it would be with this hand."""
        hands = [hand.facts for hand in self.game.hands]
        hands[self.position - 1 : self.position] = [facts]
        known = (*self.score.hands, *self.score.beyond)[: self.position - 1]
        return replay(read_game(self.game.record_of(hands)), known)

    def says(self, draft: Draft, errors: Mapping[str, Sequence[str]]) -> Says:
        """The sentence beside Save."""
        gaps = self.missing(draft)
        if errors or gaps:
            first = next(iter((errors or gaps).values()))
            return Says(first[0])
        after = self.with_hand(self.facts(draft))
        score = (*after.hands, *after.beyond)[self.position - 1]
        told = self.speaker.hand(score, score.totals)
        if self.position > len(after.hands):
            return Says(told.head, f"{told.rest} Behind the end: it does not count.")
        return Says(told.head, f"{told.rest} {self._ending(after)}".strip())

    def _ending(self, after: GameScore) -> str:
        """What saving means for who has won; a correction says when that changes."""
        turn = self.speaker.turn(self.score, after)
        if not turn:
            return ""
        return f"Then {turn}." if self.score.winners else f"{turn}!"

    def advice(self, draft: Draft) -> list[Advice]:
        """What looks wrong with a hand that can be saved all the same."""
        facts = self.facts(draft)
        if "trump" not in facts or self.missing(draft) or self.problems(facts):
            return []
        return advise(
            Case(
                table=self.table,
                speaker=self.speaker,
                facts=facts,
                score=score_hand(self.table, read_hand(facts, self.table)),
                touched=bool(draft.points),
                turn=self._turn(draft),
                best=lambda: best_made(self.game, self.position),
                last_time=lambda: seats_last_time(self.game) if self.hand is None and self.position == 1 else None,
            )
        )

    def _turn(self, draft: Draft) -> int | None:
        """Whose deal it is; of a saved hand only where its dealer is being changed."""
        if self.hand is None:
            return self.dealer
        if draft.dealer == self.dealer:
            return None
        before = [hand.facts for hand in self.game.hands[: self.position - 1]]
        return replay(read_game(self.game.record_of(before))).next_dealer or self.game.first_dealer

    # --- the page ---

    def entry(
        self,
        draft: Draft,
        token: str,
        form: HandForm | None = None,
        errors: dict[str, list[str]] | None = None,
        tried: Card | None = None,
    ) -> Entry:
        """The form, ready to be drawn."""
        errors = errors or {}
        switched = form is None or form.data["was"] not in (None, draft.detail)
        here: dict[str, Any] = {"key": g.club.key, "number": self.game.number}
        return Entry(
            table=self.table,
            names=self.names,
            draft=draft,
            says=self.says(draft, errors),
            action=url_for("hands.correct", **here, position=self.position)
            if self.hand
            else url_for("hands.new", **here),
            preview_action=url_for("hands.preview", **here),
            token=token,
            position=(form.data["position"] if form else None) or self.position,
            hand_version=self.shown_version(form),
            typed=form.typed_counts() if form and not switched else {s: str(c) for s, c in draft.counts.items()},
            errors=errors,
            advice=[] if errors else self.advice(draft),
            unfolded=form.unfold.data or () if form else (),
            switched=switched,
            pile=form.data["pile"] if form else None,
            tried=tried,
            resumed=request.method == "GET" and bool(self.kept) and not self.is_stale,
            meanwhile=self.meanwhile() if request.method == "GET" else "",
        )

    def shown_version(self, form: HandForm | None) -> int | None:
        """The version of the saved hand that this page began with."""
        if self.hand is None:
            return None
        return form.data["hand_version"] if form and form.data["hand_version"] is not None else self.hand.version

"""A hand being entered or corrected: the game as it is, what was tapped, and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from flask import request

from scorekeeper.database.session import db
from scorekeeper.models import Facts, Game
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.hand_record import read_hand
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.services import drafts
from scorekeeper.services.game_reader import Snapshot, Written
from scorekeeper.web.common.narrator import HandDescription, Narrator, Says
from scorekeeper.web.common.scorer import own_device_id, scorer_name
from scorekeeper.web.common.tokens import posted_version
from scorekeeper.web.games.score_sheet import Cell, score_cells
from scorekeeper.web.wording.outcome_sentences import still_playing

from . import messages as say
from . import modes
from .draft import Draft
from .form import PAGE, HandForm, explain, form_class
from .points import Points
from .steps import take_step
from .warnings import Case, HandWarning, best_made, find_warnings, seats_last_time

KEPT = ("names", "adjustments")  # what a correction leaves as it was
# What is not kept of a form: what names this very page, and the one step that was tapped.
NOT_TAPPED = {"csrf_token", "token", "version", "do", "warned", "call", "unsay", "play", "back"}

Errors = Mapping[str, Sequence[str]]


class Editor:
    """A hand being put in (`hand` is None) or corrected; without a `form`, as it is saved.

    Everything is worked out once, and only when it is asked for.
    """

    def __init__(self, snapshot: Snapshot, hand: Written | None = None, form: HandForm | None = None) -> None:
        self.snapshot = snapshot
        self.hand = hand
        self.form = form
        self.position = hand.position if hand else snapshot.length + 1
        self.names = snapshot.names_at(self.position)
        self.table: Table = snapshot.table
        self.narrator = Narrator(self.table, self.names).in_few_letters(say.MOST_LETTERS)

    def with_form(self, form: HandForm) -> Editor:
        """The same hand with what was tapped in that form."""
        return Editor(self.snapshot, self.hand, form)

    def posted(self) -> Editor:
        """The same hand with what was sent."""
        return self.with_form(form_class(self.table)(request.form))

    # --- the game ---

    @property
    def score(self) -> GameScore:
        """The game as it is."""
        return self.snapshot.score

    @cached_property
    def game(self) -> Game:
        """The game itself, to change it."""
        return db.session.get_one(Game, self.snapshot.id)

    @cached_property
    def dealer(self) -> Seat:
        """Who deals this hand, as far as the game knows; of one that was saved meanwhile, who dealt that."""
        hand = self.hand or self._saved_meanwhile()
        return int(hand.facts["dealer"]) if hand else self.snapshot.dealer_after(self.snapshot.length)

    def _saved_meanwhile(self) -> Written | None:
        """The hand that is where the one that was posted belongs: from another phone, or from this very form."""
        return self.snapshot.hand(posted_version("position") or 0)

    @property
    def still_playing(self) -> str:
        """Why nobody has won at the target; empty where there is nothing to explain."""
        return still_playing(self._narrator_now, self.score)

    @property
    def cells(self) -> list[Cell]:
        """The scores as they are, of those who play now."""
        played = self.score.hands
        return score_cells(self.table, self._narrator_now.shorts, self.score.totals, played[-1] if played else None)

    @cached_property
    def _narrator_now(self) -> Narrator:
        """Speaks with the names of those who play now, whichever hand is corrected."""
        return self._narrator_at(self.snapshot.length + 1)

    # --- what has been tapped ---

    @property
    def draft(self) -> Draft:
        """What is known of the hand: what was posted, and without a form the hand as saved."""
        return self._after_tap[0]

    @property
    def tried(self) -> Card | None:
        """A card that could not be played, because it is a revoke."""
        return self._after_tap[1]

    @cached_property
    def _after_tap(self) -> tuple[Draft, Card | None]:
        if self.form is None:
            return self._saved_draft(), None
        draft = modes.follow(self.table, self.form.draft(self.dealer), self.form.was.data)
        return take_step(self.form, draft, self.kept) if self.form.step.data else (draft, None)

    @cached_property
    def points(self) -> Points:
        return Points(self.draft.table_of(self.table), self.draft)

    def _saved_draft(self) -> Draft:
        if self.hand is None:
            return Draft(self.dealer, detail=self.snapshot.detail, by_seat=self.snapshot.auction).at(self.table)
        facts = self.hand.facts
        return modes.reopen(self.table, facts, score_hand(self.table, read_hand(facts, self.table)))

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

    @property
    def is_resumed(self) -> bool:
        """Whether this page goes on with what was tapped before."""
        return request.method == "GET" and bool(self.kept) and not self.is_stale

    def resumed(self) -> Editor | None:
        """The hand as it was left, on whichever phone; None when nothing was tapped, or of another hand."""
        if self.kept is None or self.is_stale:
            return None
        return self.with_form(form_class(self.table)(modes.as_form(self._in_place(self.kept))))

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
        """What was tapped of a hand that somebody has changed since: where it differs from the hand as it is now."""
        if request.method != "GET" or self.kept is None or self.hand is None or not self.is_stale:
            return ""
        left = self.with_form(form_class(self.table)(modes.as_form(self.kept)))
        if left.wrong:
            return say.corrected_elsewhere([])
        description = HandDescription(self.table, self.names)
        now = set(description.lines(self.hand.facts))
        return say.corrected_elsewhere([line.said for line in description.lines(left.facts) if line not in now])

    def keep(self) -> None:
        """Keep what has been tapped, for this phone or any other to go on with; not of a hand that is saved already."""
        form = self.form
        if form is None or (form.position.data, self.hand is None) != (self.position, not form.hand_version.data):
            return
        fields = {name: values for name, values in request.form.lists() if name not in NOT_TAPPED}
        followed = {**modes.words_of(self.draft), "trump": self.draft.trump or "", PAGE: form.page}
        steps = {name: [words] for name, words in followed.items()}
        if fields | steps != self.kept:
            drafts.keep(self.snapshot.id, self.position, fields | steps, self._note)

    @property
    def _note(self) -> drafts.Note | None:
        """Who is entering this hand; None where that is known already, so that most taps write nothing more."""
        device, by = own_device_id(), scorer_name()
        known = (self.position, device, by) in self.snapshot.entering
        return None if known else drafts.Note(device, by, self.snapshot.version)

    # --- what it comes to ---

    @cached_property
    def facts(self) -> Facts:
        """The hand as the game record has it; one that was saved stays as it is, until something of it is changed."""
        if self.hand is not None and self.is_as_saved:
            note = {"note": self.draft.note} if self.draft.note else {}
            return {key: value for key, value in self.hand.facts.items() if key != "note"} | note
        return self._facts_left | self._told

    @cached_property
    def _told(self) -> Facts:
        return modes.facts_of(self.table, self.draft)

    @cached_property
    def is_as_saved(self) -> bool:
        """Whether what was tapped comes to the very hand that was saved, whatever its note."""
        if self.hand is None:
            return False
        saved = self._told if self.form is None else modes.facts_of(self.table, self._saved_draft())
        return _but_for_note(saved) == _but_for_note(self._told)

    def passed_out(self, *, misdeal: bool = False) -> Facts:
        """The hand if everybody has passed, or nothing was played."""
        return self._facts_left | modes.passed_out(self.table, self.draft, misdeal=misdeal)

    @property
    def _facts_left(self) -> Facts:
        """What a correction leaves as it was."""
        old = self.hand.facts if self.hand else {}
        return {key: value for key, value in old.items() if key in KEPT or key.startswith("x-")}

    @cached_property
    def _scored(self) -> HandScore | Sequence[Problem]:
        before = self.snapshot.totals_after(self.position - 1)
        try:
            score = score_hand(self.table, read_hand(self.facts, self.table), self.dealer, before)
            _ = self.after  # a correction may leave a later hand with a bid that the scores do not allow
            return score
        except Refused as refused:
            return refused.problems

    @cached_property
    def after(self) -> GameScore:
        """The game as it would be with this hand."""
        return self.snapshot.with_hand(self.position, read_hand(self.facts, self.table))

    # --- what is wrong with it ---

    @cached_property
    def missing(self) -> dict[str, list[str]]:
        """What has still to be put in, place by place."""
        return {} if self.is_as_saved else modes.missing(self.table, self.draft, self.narrator)

    @cached_property
    def contradictions(self) -> dict[str, list[str]]:
        """What cannot be, beside each place, of a hand that may still be incomplete."""
        if self.missing or isinstance(self._scored, HandScore):
            return {}
        return self.explain(self._scored)

    @property
    def wrong(self) -> dict[str, list[str]]:
        """Everything that stops the hand from being saved, beside each place."""
        return self.missing or self.contradictions

    def explain(self, problems: Sequence[Problem]) -> dict[str, list[str]]:
        """What the scoring core refuses, beside each place."""
        return explain(problems, self.points, self.position, self._narrator_at)

    def _narrator_at(self, position: int) -> Narrator:
        return Narrator(self.table, self.snapshot.names_at(position)).in_few_letters(say.MOST_LETTERS)

    @cached_property
    def warnings(self) -> list[HandWarning]:
        """What looks wrong with a hand that can be saved all the same."""
        if self.wrong or not isinstance(self._scored, HandScore) or "trump" not in self.facts:
            return []
        return find_warnings(
            Case(
                table=self.table,
                narrator=self.narrator,
                facts=self.facts,
                score=self._scored,
                touched=bool(self.draft.points),
                turn=self._turn,
                best=lambda: best_made(self.game, self.position),
                last_time=lambda: seats_last_time(self.game) if self.hand is None and self.position == 1 else None,
            )
        )

    @property
    def _turn(self) -> Seat | None:
        """Whose deal it is; of a saved hand only where its dealer is being changed."""
        if self.hand is None:
            return self.dealer
        return None if self.draft.dealer == self.dealer else self.snapshot.dealer_after(self.position - 1)

    # --- the sentence beside Save ---

    def says(self, errors: Errors) -> Says:
        """What saving would do, or the first thing that is missing or wrong."""
        if errors or self.missing:
            first = next(iter((errors or self.missing).values()))
            return Says(first[0])
        told = self._result(say.MOST_LETTERS)
        for letters in say.FEWER_LETTERS:
            if len(str(told)) > say.ROOM_BESIDE_SAVE:
                told = self._result(letters)
        return told

    def _result(self, letters: int) -> Says:
        score = (*self.after.hands, *self.after.beyond)[self.position - 1]
        told = self.narrator.in_few_letters(letters).hand(score, score.totals)
        more = say.AFTER_THE_END if self.position > len(self.after.hands) else self._ending(letters)
        return Says(told.head, f"{told.rest} {more}".strip())

    def _ending(self, letters: int) -> str:
        """What saving means for who has won; a correction says when that changes, by those who played that hand."""
        won = self.after.outcome
        names = self.snapshot.names_at(won.hand) if won else self.names
        narrator = Narrator(self.table, names, self.names).in_few_letters(letters)
        turn = narrator.turn(self.snapshot.score, self.after, self.position)
        if not turn:
            return ""
        return f"Then {turn}." if self.snapshot.score.winners else f"{turn}!"


def _but_for_note(facts: Facts) -> Facts:
    """A hand to compare: the buried cards have no order."""
    return facts | {"note": "", "buried": sorted(facts.get("buried", ()))}

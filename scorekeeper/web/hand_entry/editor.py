"""A hand being entered or corrected: the game as it is, what was tapped in any of the ways, and the result.

A hand is put in by its points, by its cards or by its play, and its bidding either as it ended or seat by seat. Each
way has a module of its own; the functions here are what they have in common: a draft that is followed to where it
leads, what it still lacks, and the facts that it comes to. `Editor` puts that together with the game, and its `says`
is the sentence beside Save.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from flask import request, session, url_for
from sqlalchemy import ColumnElement, select
from werkzeug.datastructures import MultiDict

from scorekeeper.database.errors import TROUBLES
from scorekeeper.database.session import db
from scorekeeper.models import CARDS, PLAY, POINTS, Change, Facts, Game
from scorekeeper.scoring.cards import UNKNOWN, Card
from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.hand_facts import facts_where
from scorekeeper.scoring.play import steps_of
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.record import ranks_turned_up, read_hand
from scorekeeper.scoring.table import BIDDING, Seat, Sides, Table
from scorekeeper.services import drafts
from scorekeeper.services.game_reader import Snapshot, Written
from scorekeeper.web.common.database_errors import why_not_saved
from scorekeeper.web.common.narrator import HandDescription, Narrator, ResultSentence, why_won
from scorekeeper.web.common.scorer import own_device_id, scorer_name
from scorekeeper.web.common.words import listed
from scorekeeper.web.games.messages import done_elsewhere, still_playing
from scorekeeper.web.games.score_sheet import Cell, score_cells

from . import auction, cards, play, points
from . import messages as say
from .draft import ALONE, NOBODY, PASS, SWEEP, Draft
from .forms import PAGE, HandForm, explain, form_class
from .warnings import HandToSave, HandWarning, best_made, find_warnings

WAY = "way"  # in the cookie of a phone: how it enters its hands, once it has chosen or saved one
KEPT = ("names", "adjustments")  # what a correction leaves as it was
# What is not kept of a form: what names this very page, and the one step that was tapped.
NOT_TAPPED = {"csrf_token", "token", "version", "do", "warned", "call", "unsay", "play", "back"}
# What has to be tapped before a hand can be saved, in the order of the page.
ASKED = {"bidder": say.WHO_BID, "bid": say.HOW_MUCH, "trump": say.WHAT_TRUMP, "partner": say.WHO_HAD_IT}
FACTS_OF = {POINTS: points.claimed, CARDS: cards.piled, PLAY: play.played}

Errors = Mapping[str, Sequence[str]]


# --- the ways of putting a hand in --------------------------------------------------------------------------------


def follow(draft: Draft, was: str | None = None) -> Draft:
    """The draft with what follows from its calls and its play, carried over from the way it `was` put in."""
    if draft.calls:
        draft = auction.settled_by(draft)
    if draft.plays:
        tapped, draft = draft.partner, play.settled_by(draft)
        if was not in (None, PLAY) and tapped is not None and draft.partner != tapped:
            draft = draft.telling(say.PLAY_SHOWS_PARTNER)
    return carry(draft, was) if was and was != draft.detail else draft


def carry(draft: Draft, was: str) -> Draft:
    """What was known in one way, known in another; what the new way cannot hold is kept for the way back."""
    played = play.as_piles(draft)
    if draft.detail == PLAY:
        known = {card for card, side in played.placed.items() if draft.placed.get(card) == side and card in draft.plays}
        left = {card: side for card, side in draft.placed.items() if card not in known}
        draft = _at_odds(draft, played) if was == POINTS and draft.plays else draft
        return replace(draft, placed=left)
    if was == POINTS:
        draft = cards.from_points(draft)
        return _at_odds(draft, draft)
    draft = played if was == PLAY else draft
    return draft if draft.detail == CARDS else cards.as_points(draft, complete=was == PLAY and draft.play_is_over)


def _at_odds(draft: Draft, known: Draft) -> Draft:
    """The draft with a notice naming the points where known cards contradict the taps."""
    table = draft.table
    decided = cards.as_points(known, complete=known.detail == PLAY and known.play_is_over).points
    game = points.Points(draft).game
    tapped = {**draft.points, **({table.game_key or "": game.side or NOBODY} if game else {})}
    odd = [key for key in (*table.points, SWEEP) if key in tapped and decided.get(key, tapped[key]) != tapped[key]]
    named = listed(["every trick" if key == SWEEP else table.points[key].name for key in odd])
    return draft.telling(say.CARDS_DECIDE.format(named)) if odd else draft


def missing(draft: Draft, narrator: Narrator) -> dict[str, list[str]]:
    """What has to be put in before the hand can be saved, place by place, in the order of the page."""
    asked = [name for name in ASKED if name != "partner" or draft.table.calls_partner]
    gaps = {name: [ASKED[name]] for name in asked if getattr(draft, name) is None}
    if draft.detail == PLAY and play.lead_makes_trump(draft.table) and not draft.plays:
        gaps.pop("trump", None)  # the first card says it
    if draft.by_seat and auction.all_passed(draft):
        return {}
    if draft.by_seat and auction.is_unfinished(draft):
        gaps = {"auction": [auction.Bidding(draft, narrator).says], **gaps}
        gaps.pop("bidder", None), gaps.pop("bid", None)
    if draft.detail == CARDS:
        return gaps | cards.missing(draft)
    return gaps | play.missing(draft, narrator) if draft.detail == PLAY else gaps


def facts_of(draft: Draft) -> Facts:
    """The hand as the game record has it; what is not known yet is left out."""
    table = draft.table
    if draft.by_seat and auction.all_passed(draft):
        return Facts(dealer=draft.dealer, bids=auction.bids_of(draft)) | _note(draft)
    facts: dict[str, object] = {"dealer": draft.dealer}
    if draft.by_seat and draft.calls:
        facts["bids"] = auction.bids_of(draft)
    elif not draft.eldest_leads:
        facts |= {"bidder": draft.bidder, "bid": draft.bid}
    facts["trump"] = draft.trump
    if table.calls_partner:
        facts["called"] = draft.called
        if draft.detail != PLAY or draft.called is None or (table.short_tricks and draft.called not in draft.plays):
            facts["partner"] = draft.partner if isinstance(draft.partner, int) else None
    if draft.buried:
        facts["buried"] = list(draft.buried)
    facts |= _before_the_play(draft) | FACTS_OF[draft.detail](draft) | _note(draft)
    return facts_where(facts, lambda key, value: value is not None or key == "partner")


def _before_the_play(draft: Draft) -> Facts:
    """What was turned up, and the gift."""
    turned: Facts = {"turned_up": list(draft.turned)} if draft.turned else {}
    return turned | {"gift": True} if draft.beg == "gift" else turned


def _note(draft: Draft) -> Facts:
    return {"note": draft.note} if draft.note else {}


def passed_out(draft: Draft, *, misdeal: bool = False) -> Facts:
    """The facts of a hand in which everybody passed; without bidding, of one that was not played."""
    if misdeal:
        told: Facts = {"misdeal": True}
    elif draft.eldest_leads:
        told = _before_the_play(draft)
    else:
        seats = draft.base.seats_from(draft.base.next_seat(draft.dealer))
        told = {"bids": [{"seat": seat, "bid": PASS} for seat in seats]}
    return {"dealer": draft.dealer} | told | _note(draft)


def reopen(table: Table, facts: Facts, score: HandScore) -> Draft:
    """A saved hand, opened again in the way in which it was put in, complete."""
    hand, turned = read_hand(facts, table), ranks_turned_up(facts.get("turned_up"))
    draft = Draft(
        table,
        score.dealer,
        score.bidder,
        auction.bid_name(table, score.bid),
        facts.get("trump"),
        facts.get("called"),
        _partner_of(score),
        tuple(facts.get("buried", ())),
        {key: point.side or NOBODY for key, point in score.points.items()},
        detail=PLAY if hand.tricks is not None else POINTS if hand.piles is None else CARDS,
        turned=() if turned == (UNKNOWN,) else turned,
        beg="gift" if facts.get("gift") else "run" if len(turned) > 1 else "",
        note=facts.get("note", ""),
    ).without_bidding()
    if hand.bids is not None:
        draft = replace(draft, by_seat=True, calls=tuple(call.bid for call in hand.bids))
    if score.sides is not None:
        draft = _captures(draft, hand, score.sides)
    known = points.Points(draft)
    told = {key: side for key, side in draft.points.items() if not known.is_buried(key)}
    swept = None if score.sides is None or hand.sweep is None else score.sides.aliases[hand.sweep] == score.bidding_side
    if draft.needs_sweep:
        swept = not {"every-trick", "every-trick-alone"}.intersection(score.missed)
    if draft.sweep_scores:
        told[SWEEP] = score.swept or NOBODY
    elif swept is not None:
        told[SWEEP] = (score.bidding_side if swept else None) or NOBODY
    return follow(replace(draft, points=told))


def _partner_of(score: HandScore) -> Seat | str | None:
    """The called partner of a hand, "none" for a bidder alone; None in games without a call."""
    if score.sides is None or score.sides.bidding != BIDDING:
        return None
    mates = (seat for seat, side in enumerate(score.sides.of_seat) if side == BIDDING and seat != score.bidder)
    return next(mates, ALONE)


def _captures(draft: Draft, hand: Hand, sides: Sides) -> Draft:
    """Who took what, as it was told: points, card points, piles or the play."""
    table = draft.table
    if hand.piles is not None:
        return cards.reopened(draft, hand, sides)
    if hand.tricks is not None:
        trump = table.trumps[hand.trump or ""]
        return replace(draft, plays=steps_of(table, trump, hand.tricks, draft.bidder or 1))
    counts = {sides.aliases[side]: count for side, count in (hand.game_counts or {}).items()}
    told = dict(draft.points)
    if table.game_key is not None and not counts:  # a tie is nobody's, even where the rules give it to a side
        told[table.game_key] = sides.claimants[(hand.claims or {}).get(table.game_key)] or NOBODY
    players = {key: sides.aliases[side] for key, side in (hand.played_by or {}).items()}
    return replace(draft, points=told, counts=counts, played_by=players)


# --- one step of the bidding or the play --------------------------------------------------------------------------


def take_step(form: HandForm, draft: Draft, kept: drafts.Fields | None) -> tuple[Draft, Card | None]:
    """The draft of a form after the one step that was tapped, and the card that could not be played: it is a revoke.

    The page sends the steps that it knew when it was tapped. Taps that come quicker than the answers would lose one
    another, so the steps that this very page has sent before are taken from what was kept of them.
    """
    step, value = form.step.data
    known, tried = draft, None
    if kept is not None and kept.get(PAGE) == [form.page]:
        known = type(form)(MultiDict(kept)).draft(1)
    if step == "unsay":
        draft = replace(draft, calls=draft.calls[:value])
    elif step == "back":
        draft = replace(draft, plays=draft.plays[:value])
    elif step == "call" and _goes_on(known.calls, draft.calls):  # the same call, tapped again before the answer came
        draft = replace(draft, calls=known.calls)
    elif step == "call":
        longer = replace(draft, calls=(*draft.calls, None if value == PASS else int(value)))
        heard = longer.auction.calls
        if len(heard) > len(draft.calls):
            draft = replace(draft, calls=tuple(call.bid for call in heard))
        else:
            draft = draft.telling(say.BIDDING_IS_OVER if longer.auction.is_over else say.NOT_NOW)
    elif step == "play":
        if _goes_on(known.plays, draft.plays):
            draft = replace(draft, plays=known.plays, trump=known.trump)
        draft, tried = play.add(draft, value)
    return follow(draft), tried


def _goes_on(longer: Sequence[object], shorter: Sequence[object]) -> bool:
    return len(longer) > len(shorter) and longer[: len(shorter)] == shorter


# --- the hand and the game ----------------------------------------------------------------------------------------


class Editor:
    """A hand being put in (`hand` is None) or corrected; without the `fields` of a form, as it is saved.

    Everything is worked out once, and only when it is asked for.
    """

    def __init__(
        self, snapshot: Snapshot, hand: Written | None = None, fields: MultiDict[str, str] | None = None
    ) -> None:
        self.snapshot, self.hand, self.table = snapshot, hand, snapshot.table
        self.form = None if fields is None else form_class(self.table)(fields)
        self.position = hand.position if hand else snapshot.length + 1
        self.is_resumed = False  # whether it goes on with what was tapped on another page

    @cached_property
    def names(self) -> list[str]:
        return self.snapshot.names_at(self.position)

    @cached_property
    def narrator(self) -> Narrator:
        return Narrator(self.table, self.names).in_few_letters(say.MOST_LETTERS)

    @property
    def address(self) -> str:
        """Where the hand is put in, or corrected."""
        here = here_of(self.snapshot)
        return url_for("hands.correct", **here, position=self.position) if self.hand else url_for("hands.new", **here)

    # --- the game ---

    @cached_property
    def game(self) -> Game:
        """The game itself, to change it."""
        return db.session.get_one(Game, self.snapshot.id)

    @cached_property
    def written(self) -> Written | None:
        """This hand as it is saved now, also where that was done since its page was opened."""
        return self.hand or (self.form and self.snapshot.hand(self.form.position.data or 0))

    @cached_property
    def dealer(self) -> Seat:
        """Who deals this hand, as far as the game knows; of one that was saved meanwhile, who dealt that."""
        hand = self.written
        return int(hand.facts["dealer"]) if hand else self.snapshot.dealer_after(self.snapshot.length)

    @property
    def still_playing(self) -> str:
        """Why nobody has won at the target; empty where there is nothing to explain."""
        return still_playing(self._narrator_now, self.snapshot.score)

    @property
    def cells(self) -> list[Cell]:
        """The scores as they are, of those who play now."""
        score = self.snapshot.score
        return score_cells(
            self.table, self._narrator_now.shorts, score.totals, score.hands[-1] if score.hands else None
        )

    @cached_property
    def _narrator_now(self) -> Narrator:
        """Speaks with the names of those who play now, whichever hand is corrected."""
        return self._narrator_at(self.snapshot.length + 1)

    def _narrator_at(self, position: int) -> Narrator:
        return Narrator(self.table, self.snapshot.names_at(position)).in_few_letters(say.MOST_LETTERS)

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
        draft = follow(self.form.draft(self.dealer), self.form.was.data)
        return take_step(self.form, draft, self.kept) if self.form.step.data else (draft, None)

    def _saved_draft(self) -> Draft:
        if self.hand is None:
            detail, by_seat = session.get(WAY) or (self.snapshot.detail, self.snapshot.auction)
            return Draft(self.table, self.dealer, detail=detail, by_seat=by_seat).without_bidding()
        facts = self.hand.facts
        return reopen(self.table, facts, score_hand(self.table, read_hand(facts, self.table)))

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

    def resumed(self) -> Editor | None:
        """The hand as it was left, on whichever phone; None when nothing was tapped, or of another hand.

        A hand before it may have come or gone since, so that it has moved. Whose deal it was belonged to the old place;
        who has spoken after that dealer stays as it was said.
        """
        kept = self.kept
        if kept is None or self.is_stale:
            return None
        if kept.get("position") not in (None, [str(self.position)]):
            kept = kept | {"position": [str(self.position)]}
            if self.hand is None and not any(kept.get("calls", ())):
                kept.pop("dealer", None)
        editor = Editor(self.snapshot, self.hand, MultiDict(kept))
        editor.is_resumed = True
        return editor

    def meanwhile(self) -> str:
        """What was tapped of a hand that somebody has changed since: where it differs from the hand as it is now."""
        if request.method != "GET" or self.kept is None or self.hand is None or not self.is_stale:
            return ""
        left = Editor(self.snapshot, self.hand, MultiDict(self.kept))
        if left.wrong:
            return say.corrected_elsewhere([])
        description = HandDescription(self.table, self.names)
        now = set(description.lines(self.hand.facts))
        return say.corrected_elsewhere([line.said for line in description.lines(left.facts) if line not in now])

    def keep(self) -> str:
        """Keep what has been tapped, for this phone or any other to go on with; not of a hand that is saved already.

        Where the database cannot be written, the sentence that says why: the page has what was tapped all the same.
        """
        form = self.form
        if form is None or (form.position.data, self.hand is None) != (self.position, not form.hand_version.data):
            return ""
        fields = {name: values for name, values in request.form.lists() if name not in NOT_TAPPED}
        followed = {**self.draft.steps, "trump": self.draft.trump or "", PAGE: form.page}
        tapped = fields | {name: [words] for name, words in followed.items()}
        is_untouched = self.kept is None and self.draft.is_blank and self.draft.dealer == self.dealer
        if tapped == self.kept or is_untouched:
            return ""
        try:
            device, by = own_device_id(), scorer_name()
            is_known = (self.position, device, by) in self.snapshot.entering  # so that most taps write nothing more
            note = None if is_known else drafts.Note(device, by, self.snapshot.version)
            drafts.keep(self.snapshot.id, self.position, tapped, note)
        except TROUBLES as error:
            return why_not_saved(error)
        return ""

    # --- what it comes to ---

    @cached_property
    def facts(self) -> Facts:
        """The hand as the game record has it; one that was saved stays as it is, until something of it is changed."""
        if self.hand is not None and self.is_as_saved:
            return facts_where(self.hand.facts, lambda key, _: key != "note") | _note(self.draft)
        return self._facts_left | self._told

    @cached_property
    def _told(self) -> Facts:
        return facts_of(self.draft)

    @cached_property
    def is_as_saved(self) -> bool:
        """Whether what was tapped comes to the very hand that was saved, whatever its note."""
        if self.hand is None:
            return False
        saved = self._told if self.form is None else facts_of(self._saved_draft())
        return _but_for_note(saved) == _but_for_note(self._told)

    def passed_out(self, *, misdeal: bool = False) -> Facts:
        """The hand if everybody has passed, or nothing was played."""
        return self._facts_left | passed_out(self.draft, misdeal=misdeal)

    @property
    def _facts_left(self) -> Facts:
        """What a correction leaves as it was."""
        if self.hand is None:
            return {}
        return facts_where(self.hand.facts, lambda key, _: key in KEPT or key.startswith("x-"))

    @cached_property
    def _scored(self) -> HandScore | Sequence[Problem]:
        try:
            return self._score_after()
        except Refused as refused:
            problems = refused.problems
        try:  # by itself: then it is the hand, and no later one that a correction has left with an impossible bid
            before = self.snapshot.totals_after(self.position - 1)
            score_hand(self.table, read_hand(self.facts, self.table), self.dealer, before)
        except Refused as refused:
            return refused.problems
        return problems

    def _score_after(self) -> HandScore:
        return (*self.after.hands, *self.after.beyond)[self.position - 1]

    @cached_property
    def after(self) -> GameScore:
        """The game as it would be with this hand."""
        return self.snapshot.with_hand(self.position, read_hand(self.facts, self.table))

    # --- what is wrong with it ---

    @cached_property
    def missing(self) -> Errors:
        """What has still to be put in, place by place."""
        return {} if self.is_as_saved else missing(self.draft, self.narrator)

    @cached_property
    def contradictions(self) -> Errors:
        """What cannot be, beside each place, of a hand that may still be incomplete."""
        if self.missing or isinstance(self._scored, HandScore):
            return {}
        return self.explain(self._scored)

    @property
    def wrong(self) -> Errors:
        """Everything that stops the hand from being saved, beside each place."""
        return self.missing or self.contradictions

    def explain(self, problems: Sequence[Problem]) -> Errors:
        """What the scoring core refuses, beside each place."""
        return explain(problems, points.Points(self.draft), self.position, self._narrator_at)

    @cached_property
    def warnings(self) -> list[HandWarning]:
        """What looks wrong with a hand that can be saved all the same."""
        if self.wrong or not isinstance(self._scored, HandScore) or "trump" not in self.facts:
            return []
        turn: Seat | None = self.dealer  # of a saved hand only where its dealer is being changed
        if self.hand is not None:
            changed = self.draft.dealer != self.dealer
            turn = self.snapshot.dealer_after(self.position - 1) if changed else None
        return find_warnings(
            HandToSave(
                table=self.table,
                speaker=lambda: self._beside_save[1],
                facts=self.facts,
                score=self._scored,
                touched=bool(self.draft.points),
                turn=turn,
                best=lambda: best_made(self.game, self.position),
            )
        )

    # --- the sentence beside Save ---

    def says(self, errors: Errors) -> ResultSentence:
        """What saving would do, or the first thing that is missing or wrong."""
        if not errors and self.was_first:
            won = self.snapshot.score.outcome
            return ResultSentence(self.was_first, f"{self._narrator_at(won.hand).winners(won)}!" if won else "")
        if errors or self.missing:
            return ResultSentence(next(iter((errors or self.missing).values()))[0])
        return self._beside_save[0]

    @cached_property
    def _beside_save(self) -> tuple[ResultSentence, Narrator]:
        """What saving would do, and who says it: with shorter names where it has no room for long ones."""
        narrator = self.narrator
        told = self._result(narrator, say.MOST_LETTERS)
        for letters in say.FEWER_LETTERS:
            if len(str(told)) > say.ROOM_BESIDE_SAVE:
                narrator = self.narrator.in_few_letters(letters)
                told = self._result(narrator, letters)
        return told, narrator

    @cached_property
    def was_first(self) -> str:
        """What another phone has done to this hand since it was opened here: "Bo saved hand 7."; or empty."""
        now, opened = self.written, self.form and self.form.hand_version.data
        if self.form is None or now is None or now.version == opened or (self.hand and opened is None):
            return ""
        return self.done(Change.seq == now.version)

    def done(self, which: ColumnElement[bool]) -> str:
        """The last of those changes of this game, and who made it: "Bo saved hand 7."."""
        done = select(Change.kind, Change.position, Change.by).where(Change.game_id == self.snapshot.id, which)
        return done_elsewhere(*db.session.execute(done.order_by(Change.seq.desc()).limit(1)).one())

    def _result(self, narrator: Narrator, letters: int) -> ResultSentence:
        score = self._score_after()
        # Of an earlier hand the score is not that of the game as it is now.
        when = say.AFTER_HAND.format(self.position) if self.position < self.snapshot.length else ""
        told = narrator.hand(score, score.totals, when)
        more = say.AFTER_THE_END if self.position > len(self.after.hands) else self._ending(letters)
        now, was = self.after.totals, self.snapshot.score.totals
        if when and now != was and not (more and self.after.outcome):  # who wins is said with the score
            more = f"{more} {say.SCORE.format(narrator.new_totals(was, now, named=True))}".strip()
        return ResultSentence(told.head, f"{told.rest} {more}".strip())

    def _ending(self, letters: int) -> str:
        """What saving means for who has won; a correction says when that changes, by those who played that hand."""
        won, before = self.after.outcome, self.snapshot.score
        if won is None and before.outcome is None:
            return ""
        names = self.snapshot.names_at(won.hand) if won else self.names
        narrator = Narrator(self.table, names, self.names).in_few_letters(letters)
        turn = narrator.turn(before, self.after, self.position)
        if not turn:
            return ""
        why = why_won(won, self.after.totals) if won and won.hand == self.position else ""
        return f"Then {turn}." if before.winners else f"{turn}{why and f', {why}'}!"


def here_of(game: Snapshot) -> dict[str, Any]:
    """What the addresses of this game are made of."""
    return {"key": game.club.key, "number": game.number}


def _but_for_note(facts: Facts) -> Facts:
    """A hand to compare: the buried cards have no order."""
    return facts | {"note": "", "buried": sorted(facts.get("buried", ()))}

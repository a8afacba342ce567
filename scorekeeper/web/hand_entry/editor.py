"""A hand being entered or corrected: the game, what was tapped in any way of entry, and the result.

A hand is entered by its points, its cards or its play, and its bidding as a result or bid by bid. Each way has its
own module; the functions here are shared: applying what follows from a draft, what it lacks, and the facts it yields.
`Editor` combines them with the game; its `says` is the sentence beside Save.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

from flask import request, session, url_for
from sqlalchemy import ColumnElement, select

from scorekeeper.database.errors import TROUBLES
from scorekeeper.database.session import db
from scorekeeper.models import CARDS, PLAY, POINTS, Change, Facts, Game, acting_name
from scorekeeper.scoring.cards import UNKNOWN
from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.hand_facts import facts_where
from scorekeeper.scoring.play import steps_of
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.record import ranks_turned_up, read_hand
from scorekeeper.scoring.table import BIDDING, Seat, Sides, Table
from scorekeeper.services import drafts
from scorekeeper.services.game_reader import LogEntry, Snapshot, StoredHand
from scorekeeper.web.common.errors import why_unavailable
from scorekeeper.web.common.narrator import Narrator, ResultSentence, ending, why_open
from scorekeeper.web.common.scope import own_device_id
from scorekeeper.web.common.words import listed
from scorekeeper.web.games.messages import HandDescription, done_elsewhere
from scorekeeper.web.games.score_sheet import Cell, score_cells

from . import auction, cards, play, points
from .draft import ALONE, NOBODY, PAGE, PASS, PROMPTS, REST, SWEEP, Draft, HandForm, place_of, sentence_for
from .warnings import HandToSave, best_bid_made, find_warnings

WAY_KEY = "way"  # session key: way of entry last saved on this phone
LOOK_KEY = "look"  # session key: way of entry last tapped on this phone before anything else of a hand
UNCHANGED = ("names", "adjustments")  # keys of a hand that its correction leaves as they are
STEPS = {"call", "unsay", "play", "back"}  # form fields for a single step of a hand
# Form fields that are not stored with a draft: those that identify the page, and the step tapped.
UNTAPPED_FIELDS = STEPS | {"csrf_token", "token", "version", "do", "warned"}
MOST_LETTERS = 16  # of a name on the page; two such names fit into a question beside Save
FEWER_LETTERS = (11, 8)  # of a name in a longer sentence
IN_HAND = re.compile(r"hands\[(\d+)\]")  # location of a problem in the scoring core
ROOM_BESIDE_SAVE = 104  # characters in three lines on a small phone
FACTS_OF = {POINTS: points.claimed, CARDS: cards.piled, PLAY: play.played}

Errors = Mapping[str, Sequence[str]]


# --- ways of entry ------------------------------------------------------------------------------------------------


def apply_taps(draft: Draft, previous: str | None = None) -> Draft:
    """Apply what follows from calls and play, and convert from the previous way of entry `previous`."""
    if draft.calls:
        draft = auction.apply_bidding(draft)
    if draft.plays:
        tapped, draft = draft.partner, play.apply_play(draft)
        if previous not in (None, PLAY) and tapped is not None and draft.partner != tapped:
            draft = draft.with_notices("The cards played show who had the called card.")
    return convert(draft, previous) if previous and previous != draft.detail else draft


def convert(draft: Draft, previous: str) -> Draft:
    """Convert what is known to the current way of entry; what that cannot hold is kept for switching back.

    Points become piles, the play becomes piles, and piles become points. Piles shown by the play itself are dropped.
    """
    played = play.as_piles(draft)
    if draft.detail == PLAY:
        if previous == POINTS and draft.plays:
            draft = _with_contradictions(draft, played)
        shown = {(card, side) for card, side in played.placed.items() if card in draft.plays}
        return replace(draft, placed={card: side for card, side in draft.placed.items() if (card, side) not in shown})
    if previous == POINTS:
        draft = cards.from_points(draft)
        return _with_contradictions(draft, draft)
    if previous == PLAY:
        draft = played
    return draft if draft.detail == CARDS else cards.as_points(draft, complete=previous == PLAY and draft.play_is_over)


def _with_contradictions(draft: Draft, known: Draft) -> Draft:
    """Add a notice naming the points where known cards contradict the taps."""
    table = draft.table
    decided = cards.as_points(known, complete=known.detail == PLAY and known.play_is_over).points
    game = points.Points(draft).game
    tapped = {**draft.points, **({table.game_key or "": game.side or NOBODY} if game else {})}
    odd = [key for key in (*table.points, SWEEP) if key in tapped and decided.get(key, tapped[key]) != tapped[key]]
    named = listed(["every trick" if key == SWEEP else table.points[key].name for key in odd])
    return draft.with_notices(f"The cards decide {named}, not your tap under points.") if odd else draft


def missing(draft: Draft, narrator: Narrator) -> dict[str, list[str]]:
    """Sentences on what is missing before the hand can be saved, by place in page order."""
    if draft.by_seat and auction.all_passed(draft):
        return {}
    gaps = {name: sentence for name, sentence in PROMPTS.items() if getattr(draft, name) is None}
    if not draft.table.calls_partner or (draft.detail == PLAY and not draft.play_is_over):
        gaps.pop("partner", None)  # the cards played show it
    gaps.pop("partner" if {"called", "partner"} <= gaps.keys() else "called", None)
    if draft.detail == PLAY and play.lead_makes_trump(draft.table) and not draft.plays:
        gaps.pop("trump", None)  # the first card shows it
    if draft.by_seat and auction.is_unfinished(draft):
        gaps = {"auction": auction.Bidding(draft, narrator).says, **gaps}
        gaps.pop("bidder", None), gaps.pop("bid", None)
    if draft.detail == CARDS:
        gaps["cards"] = cards.missing(draft)
    if draft.detail == PLAY:
        gaps["play"] = play.missing(draft, narrator)
    return {place: [sentence] for place, sentence in gaps.items() if sentence}


def facts_of(draft: Draft) -> Facts:
    """The hand in the format of the game record; unknown facts are omitted."""
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
    facts["buried"] = list(draft.buried) or None
    facts |= _before_the_play(draft) | FACTS_OF[draft.detail](draft) | _note(draft)
    return cast(Facts, {key: value for key, value in facts.items() if value is not None or key == "partner"})


def _before_the_play(draft: Draft) -> Facts:
    """Cards turned up, and the gift."""
    turned: Facts = {"turned_up": list(draft.turned)} if draft.turned else {}
    return turned | {"gift": True} if draft.beg == "gift" else turned


def _note(draft: Draft) -> Facts:
    return {"note": draft.note} if draft.note else {}


def passed_out(draft: Draft, *, misdeal: bool = False) -> Facts:
    """Facts of a hand passed by all; without bidding, of one not played."""
    if misdeal:
        events: Facts = {"misdeal": True}
    elif draft.eldest_leads:
        events = _before_the_play(draft)
    else:
        events = {"bids": auction.bids_of(replace(draft, calls=(None,) * draft.base.players))}
    return {"dealer": draft.dealer} | events | _note(draft)


def reopen(table: Table, facts: Facts, score: HandScore) -> Draft:
    """The complete draft of a saved hand, in its original way of entry."""
    hand, turned = read_hand(facts, table), ranks_turned_up(facts.get("turned_up"))
    draft = Draft(
        table,
        dealer=score.dealer,
        bidder=score.bidder,
        bid=auction.bid_name(table, score.bid),
        trump=facts.get("trump"),
        called=facts.get("called"),
        partner=_partner_of(score),
        buried=tuple(facts.get("buried", ())),
        points={key: point.side or NOBODY for key, point in score.points.items()},
        detail=PLAY if hand.tricks is not None else POINTS if hand.piles is None else CARDS,
        turned=() if turned == (UNKNOWN,) else turned,
        beg="gift" if facts.get("gift") else "run" if len(turned) > 1 else "",
        note=facts.get("note", ""),
    ).without_bidding()
    if hand.bids is not None:
        draft = replace(draft, by_seat=True, calls=tuple(call.bid for call in hand.bids))
    if score.sides is not None:
        draft = _captures(draft, hand, score.sides)
    buried = points.Points(draft).buried
    points_taken = {key: side for key, side in draft.points.items() if key not in buried}
    bidding = score.bidding_side or NOBODY
    if draft.sweep_scores:
        points_taken[SWEEP] = score.swept or NOBODY
    elif draft.needs_sweep:
        points_taken[SWEEP] = NOBODY if {"every-trick", "every-trick-alone"}.intersection(score.missed) else bidding
    elif score.sides is not None and hand.sweep is not None:
        points_taken[SWEEP] = bidding if score.sides.aliases[hand.sweep] == bidding else NOBODY
    return apply_taps(replace(draft, points=points_taken))


def _partner_of(score: HandScore) -> Seat | str | None:
    """The called partner, "none" for a bidder alone; None in games without a call."""
    if score.sides is None or score.sides.bidding != BIDDING:
        return None
    mates = (seat for seat, side in enumerate(score.sides.of_seat) if side == BIDDING and seat != score.bidder)
    return next(mates, ALONE)


def _captures(draft: Draft, hand: Hand, sides: Sides) -> Draft:
    """Restore points, card points, piles or play as recorded."""
    table = draft.table
    if hand.piles is not None:
        return cards.reopened(draft, hand, sides)
    if hand.tricks is not None:
        trump = table.trumps[hand.trump or ""]
        return replace(draft, plays=steps_of(table, trump, hand.tricks, draft.bidder or 1))
    counts = {sides.aliases[side]: count for side, count in (hand.game_counts or {}).items()}
    told = dict(draft.points)
    if table.game_key is not None and not counts:  # a tie belongs to nobody, even if the rules award it to a side
        told[table.game_key] = sides.aliases.get((hand.claims or {}).get(table.game_key) or "", NOBODY)
    players = {key: sides.aliases[side] for key, side in (hand.played_by or {}).items()}
    return replace(draft, points=told, counts=counts, played_by=players)


# --- one step of the bidding or play ------------------------------------------------------------------------------


def take_step(form: HandForm, draft: Draft, stored: drafts.Fields | None) -> Draft:
    """Apply the tapped step to the draft of a form.

    The page sends the steps known when it was tapped. So that taps faster than the responses do not overwrite each
    other, the steps stored by the same page are used: a card is appended to those, and a call sent before the response
    counts as a double tap.
    """
    step, value = next(iter((form.step or {}).items()))
    known = draft
    if stored is not None and stored.get(PAGE) == [form.page]:
        known = HandForm(form.table, stored).draft(1)
    if step == "unsay":
        draft = replace(draft, calls=draft.calls[:value])
    elif step == "back":
        draft = replace(draft, plays=draft.plays[:value])
    elif step == "call" and _is_longer(known.calls, draft.calls):  # the same call, tapped again before the response
        draft = replace(draft, calls=known.calls)
    elif step == "call":
        passes = {PASS: 1, REST: draft.base.players}  # those not allowed are dropped
        made = [None] * passes[value] if value in passes else [int(value)]
        longer = replace(draft, calls=(*draft.calls, *made))
        heard = longer.auction.calls
        if len(heard) > len(draft.calls):
            draft = replace(draft, calls=tuple(call.bid for call in heard))
        else:
            draft = draft.with_notices(
                "The bidding is over." if longer.auction.is_over else "That bid is not allowed now."
            )
    elif step == "play":
        if _is_longer(known.plays, draft.plays):
            draft = replace(draft, plays=known.plays, trump=known.trump)
        draft = play.add(draft, value)
    return apply_taps(draft)


def _is_longer(longer: Sequence[object], shorter: Sequence[object]) -> bool:
    return len(longer) > len(shorter) and longer[: len(shorter)] == shorter


# --- the hand and the game ----------------------------------------------------------------------------------------


class Editor:
    """A hand being entered (`hand` is None) or corrected; without form `fields`, as saved.

    Properties are computed lazily and once.
    """

    def __init__(self, snapshot: Snapshot, hand: StoredHand | None = None, fields: drafts.Fields | None = None) -> None:
        self.snapshot, self.hand, self.table = snapshot, hand, snapshot.table
        self.form = None if fields is None else HandForm(self.table, fields)
        self.position = hand.position if hand else snapshot.length + 1
        self.is_resumed = False  # True if it continues taps from another page

    @cached_property
    def narrator(self) -> Narrator:
        return self._narrator_at(self.position)

    def _narrator_at(self, position: int) -> Narrator:
        return Narrator(self.table, self.snapshot.names_at(position)).in_few_letters(MOST_LETTERS)

    @property
    def address(self) -> str:
        """Address of the page where the hand is entered or corrected."""
        here = url_arguments(self.snapshot)
        return url_for("hands.correct", **here, position=self.position) if self.hand else url_for("hands.new", **here)

    # --- the game ---

    @cached_property
    def game(self) -> Game:
        """The row of the game, for changing it."""
        return db.session.get_one(Game, self.snapshot.id)

    @cached_property
    def written(self) -> StoredHand | None:
        """The saved hand, including one saved since the page was opened."""
        return self.hand or (self.snapshot.hand(self.form.position or 0) if self.form else None)

    @cached_property
    def dealer(self) -> Seat:
        """The dealer: of the saved hand, otherwise the next one."""
        hand = self.written
        return int(hand.facts["dealer"]) if hand else self.snapshot.dealer_after(self.snapshot.length)

    @property
    def still_playing(self) -> str:
        """See `why_open`."""
        return "" if self.hand else why_open(self.narrator, self.snapshot.score)

    @property
    def cells(self) -> list[Cell]:
        """The scores before this hand, with its players."""
        score, before = self.snapshot.score, self.position - 1
        if self.hand:
            totals, hands = self.snapshot.totals_after(before), self.snapshot.scores[:before]
        else:
            totals, hands = score.totals, score.hands
        return score_cells(self.table, self.narrator.shorts, totals, hands)

    # --- what has been tapped ---

    @property
    def saved_way(self) -> Sequence[Any]:
        """The way of entry of the last hand, and whether its bidding was entered bid by bid."""
        return session.get(WAY_KEY) or [self.snapshot.detail, self.snapshot.auction]

    @property
    def way(self) -> Sequence[Any]:
        """The way of entry in which this new hand opens: that of the last hand, unless another one has been tapped."""
        return session.get(LOOK_KEY, {}).get(self.look_key) or self.saved_way

    @property
    def look_key(self) -> str:
        return f"{self.snapshot.id}.{self.position}"

    @cached_property
    def draft(self) -> Draft:
        """The hand as posted; without a form, as saved."""
        if self.form is None:
            return self._saved_draft()
        draft = apply_taps(self.form.draft(self.dealer), self.form.was)
        return take_step(self.form, draft, self.stored) if self.form.step else draft

    def _saved_draft(self) -> Draft:
        if self.hand is None:
            detail, by_seat = self.way
            return Draft(self.table, self.dealer, detail=detail, by_seat=by_seat).without_bidding()
        facts = self.hand.facts
        return reopen(self.table, facts, score_hand(self.table, read_hand(facts, self.table)))

    # --- stored drafts ---

    @property
    def stored(self) -> drafts.Fields | None:
        """Stored fields of this hand, from any phone."""
        return self.snapshot.tapped.get(self.position)

    @property
    def is_stale(self) -> bool:
        """True if the stored draft was made for an earlier version of this hand."""
        version = str(self.hand.version) if self.hand else ""
        return self.stored is not None and self.stored.get("hand_version", [""]) != [version]

    def resumed(self) -> Editor | None:
        """The hand as left on any phone; None without a stored draft or if it is stale.

        If an earlier hand was added or removed, the hand has moved. The dealer belonged to the old position and is
        dropped, unless calls have been entered, which depend on it.
        """
        stored = self.stored
        if stored is None or self.is_stale:
            return None
        if stored.get("position") not in (None, [str(self.position)]):
            stored = stored | {"position": [str(self.position)]}
            if self.hand is None and not any(stored.get("calls", ())):
                stored.pop("dealer", None)
        editor = Editor(self.snapshot, self.hand, stored)
        editor.is_resumed = True
        return editor

    def meanwhile(self) -> str:
        """Sentences on where a stale draft differs from the current hand."""
        if request.method != "GET" or self.stored is None or self.hand is None or not self.is_stale:
            return ""
        left, had = Editor(self.snapshot, self.hand, self.stored), ""
        if not left.wrong:
            description = HandDescription(self.table, self.narrator.names)
            now = description.lines(self.hand.facts)
            lines = [line.said for line in description.lines(left.facts) if line not in now]
            had = f" You had: {'; '.join(lines)}." if lines else ""
        return f"Another phone changed this hand too.{had} This is how it is now."

    @property
    def has_moved(self) -> bool:
        """True if the posted form is for another hand: it was saved, removed or moved meanwhile."""
        form = self.form
        if form is None or form.position != self.position:
            return True
        return (form.hand_version is None) != (self.hand is None)

    def keep(self) -> str:
        """Store the draft for any phone to continue, unless the hand has been saved.

        Returns why it could not be stored, or "": an unwritable database does not affect the page.
        """
        form = self.form
        if form is None or self.has_moved:
            return ""
        fields = {name: values for name, values in form.posted.items() if name not in UNTAPPED_FIELDS}
        followed = {**self.draft.steps, "trump": self.draft.trump or "", PAGE: form.page}
        tapped = fields | {name: [words] for name, words in followed.items()}
        is_untouched = self.stored is None and self.draft.is_blank and self.draft.dealer == self.dealer
        if tapped == self.stored or is_untouched:
            return ""
        try:
            device, by = own_device_id(), acting_name.get()
            is_known = (self.position, device, by) in self.snapshot.entering  # avoids further writes on most taps
            note = None if is_known else drafts.EditingNote(device, by, self.snapshot.version)
            drafts.keep(self.snapshot.id, self.position, tapped, note)
        except TROUBLES as error:
            return why_unavailable(error)
        return ""

    # --- the result ---

    @cached_property
    def facts(self) -> Facts:
        """The hand in the format of the game record; a saved hand stays unchanged until its draft differs."""
        if self.hand is not None and self.is_as_saved:
            return facts_where(self.hand.facts, lambda key, _: key != "note") | _note(self.draft)
        return self._unchanged_facts | self._entered_facts

    @cached_property
    def _entered_facts(self) -> Facts:
        return facts_of(self.draft)

    @cached_property
    def is_as_saved(self) -> bool:
        """True if the draft has the same facts as the saved hand, apart from the note."""
        if self.hand is None or self.form is None:
            return self.hand is not None
        both = facts_of(self._saved_draft()), self._entered_facts
        # Order of buried cards is irrelevant.
        saved, entered = ({**facts, "note": "", "buried": sorted(facts.get("buried", ()))} for facts in both)
        return saved == entered

    def passed_out(self, *, misdeal: bool = False) -> Facts:
        """The hand as passed by all, or as a misdeal."""
        return self._unchanged_facts | passed_out(self.draft, misdeal=misdeal)

    @cached_property
    def won_before_the_play(self) -> str:
        """Who wins by a card turned up or a gift, as a sentence that says what to tap; usually empty."""
        if not (self.draft.turned or self.draft.beg == "gift"):
            return ""
        try:
            won = self.snapshot.with_hand(self.position, read_hand(self.passed_out(), self.table)).outcome
        except Refused:
            return ""
        if won is None or won.hand != self.position:
            return ""
        return f"{self.narrator.winners(won)} before the play. Tap Not played."

    @property
    def _unchanged_facts(self) -> Facts:
        """Facts that a correction leaves unchanged."""
        if self.hand is None:
            return {}
        return facts_where(self.hand.facts, lambda key, _: key in UNCHANGED or key.startswith("x-"))

    @cached_property
    def _problems(self) -> Sequence[Problem]:
        """Problems from the scoring core; empty if the hand can be saved."""
        try:
            self._score  # noqa: B018
        except Refused as refused:
            problems = refused.problems
        else:
            return ()
        try:  # if this hand is valid by itself, a later bid has become impossible by the correction
            self._by_itself()
        except Refused as refused:
            return refused.problems
        return problems

    @cached_property
    def _score(self) -> HandScore:
        """The score of this hand, if valid."""
        scored = (*self.after.hands, *self.after.beyond)  # after the end, up to the first that cannot be scored
        return scored[self.position - 1] if self.position <= len(scored) else self._by_itself()

    def _by_itself(self) -> HandScore:
        before = self.snapshot.totals_after(self.position - 1)
        return score_hand(self.table, read_hand(self.facts, self.table), self.dealer, before)

    @cached_property
    def after(self) -> GameScore:
        """The game's score with this hand."""
        return self.snapshot.with_hand(self.position, read_hand(self.facts, self.table))

    # --- errors ---

    @cached_property
    def missing(self) -> Errors:
        """Sentences on what is missing, by place."""
        return {} if self.is_as_saved else missing(self.draft, self.narrator)

    @cached_property
    def contradictions(self) -> Errors:
        """Contradictions by place; only for a complete hand."""
        return {} if self.missing else self.explain(self._problems)

    @property
    def wrong(self) -> Errors:
        """Everything that prevents saving, by place."""
        return self.missing or self.contradictions

    def explain(self, problems: Sequence[Problem]) -> Errors:
        """Problems of the scoring core by place, with players' names.

        A correction may invalidate another hand, which is then named.
        """
        placed: dict[str, list[str]] = {}
        for problem in problems:
            found = IN_HAND.match(problem.at)
            there = int(found[1]) + 1 if found else self.position
            text = self._narrator_at(there).named(problem.message)
            explained = problem._replace(message=text if there == self.position else f"Hand {there}: {text}")
            placed.setdefault(place_of(problem), []).append(sentence_for(explained, points.Points(self.draft)))
        return placed

    @cached_property
    def warnings(self) -> list[tuple[str, str]]:
        """Suspicious facts of a valid hand: (code, sentence)."""
        if self.wrong or "trump" not in self.facts:
            return []
        turn: Seat | None = self.dealer  # for a saved hand, only if its dealer is being changed
        if self.hand is not None:
            changed = self.draft.dealer != self.dealer
            turn = self.snapshot.dealer_after(self.position - 1) if changed else None
        return find_warnings(
            HandToSave(
                table=self.table,
                narrator=lambda: self._save_sentence[1],
                facts=self.facts,
                score=self._score,
                touched=bool(self.draft.points),
                turn=turn,
                best=lambda: best_bid_made(self.game, self.position),
            )
        )

    # --- the sentence beside Save ---

    def says(self, errors: Errors) -> ResultSentence:
        """The effect of saving, or the first thing missing or wrong."""
        if not errors and self.done_meanwhile:
            won = self.snapshot.score.outcome
            return ResultSentence(self.done_meanwhile, f"{self._narrator_at(won.hand).winners(won)}!" if won else "")
        if errors or self.missing:
            return ResultSentence(next(iter((errors or self.missing).values()))[0])
        return self._save_sentence[0]

    @cached_property
    def _save_sentence(self) -> tuple[ResultSentence, Narrator]:
        """The effect of saving, and its narrator: names are cut further until the sentence fits."""
        for letters in (MOST_LETTERS, *FEWER_LETTERS):
            narrator = self.narrator.in_few_letters(letters)
            sentence = self._result(narrator, letters)
            if len(str(sentence)) <= ROOM_BESIDE_SAVE:
                break
        return sentence, narrator

    @cached_property
    def done_meanwhile(self) -> str:
        """Another phone's change of this hand since the page was opened: "Bo saved hand 7."; or empty.

        A hand imported without a log has version 0.
        """
        now, opened = self.written, self.form and self.form.hand_version
        if self.form is None or now is None or now.version in (0, opened) or (self.hand and opened is None):
            return ""
        return done_elsewhere(self.snapshot, self.last_change(Change.seq == now.version))

    def last_change(self, which: ColumnElement[bool]) -> LogEntry:
        """The last of the game's changes matching `which`."""
        of_game = Change.game_id == self.snapshot.id
        done = select(Change.seq, Change.kind, Change.position, Change.by).where(of_game, which)
        return LogEntry(*db.session.execute(done.order_by(Change.seq.desc()).limit(1)).one())

    def _result(self, narrator: Narrator, letters: int) -> ResultSentence:
        score = self._score
        # For an earlier hand, the totals after it are not the current ones.
        when = f" after hand {self.position}" if self.position < self.snapshot.length else ""
        more = "The game is over. This won’t count." if self.position > len(self.after.hands) else self._ending(letters)
        won = self.after.outcome
        if won and won.hand == self.position and not self.snapshot.score.winners:
            return narrator.hand(score, score.totals, end=more)
        now, was = self.after.totals, self.snapshot.score.totals
        if when and now != was:  # the current totals are told instead of those after the hand; an outcome includes them
            told = more if more and won else f"{more} Now: {narrator.new_totals(was, now, named=True)}.".strip()
            return narrator.hand(score, score.totals, end=told)
        sentence = narrator.hand(score, score.totals, when)
        return ResultSentence(sentence.head, f"{sentence.rest} {more}".strip())

    def _ending(self, letters: int) -> str:
        """Effect on who wins; for a correction only if that changes, with the names of the deciding hand."""
        won, before = self.after.outcome, self.snapshot.score
        if won is None and before.outcome is None:
            return ""
        names = self.narrator.names
        winners = self.snapshot.names_at(won.hand) if won else names
        letters = letters if tuple(winners) == names else MOST_LETTERS
        narrator = Narrator(self.table, winners, names).in_few_letters(letters)
        turn = narrator.turn(before, self.after, self.position)
        if not turn:
            return ""
        if won is None or before.winners:
            return f"{turn[0].upper()}{turn[1:]}."
        if won.hand != self.position:
            return f"{turn}!"
        return ending(narrator, self.after, turn)


def url_arguments(game: Snapshot) -> dict[str, Any]:
    """URL arguments of a game."""
    return {"key": game.club.key, "number": game.number}

"""Data of the pages of a hand: the form, its live head, and the conflict page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import g, request, url_for

from scorekeeper.models import CARDS, PLAY, POINTS, Change, Facts
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_hand
from scorekeeper.services import links
from scorekeeper.services.hands import Conflict
from scorekeeper.web.common.fields import HAND_FORM, posted_token, posted_version
from scorekeeper.web.common.live import shown_version
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.scope import asks, may
from scorekeeper.web.common.words import SUIT_SIGNS, card_sign, in_suit_order, suit_name
from scorekeeper.web.games.history import DescribedChange, History
from scorekeeper.web.games.live import others_entering, tag_of
from scorekeeper.web.games.messages import HandDescription, began, done_elsewhere, entering, news

from .auction import Bidding, TurnedRow, rows_turned_up
from .cards import CardsPage
from .draft import SWEEP, bids_to_tap
from .editor import FEWER_LETTERS, Editor, Errors, url_arguments
from .play import Playing, lead_makes_trump
from .points import PointsPage

CALL = {"bidder", "bid", "trump", "auction", "called", "partner"}  # places of the bid
ROOM_FOR_NAMES = 30  # characters that fit side by side on a phone


class SeatButton(NamedTuple):
    number: int
    name: str
    short: str
    unit: str


class HandPage:
    """The form of a hand, ready to render; `errors` has sentences by place.

    `notice` says why the taps could not be stored; `notices` adds what the last tap discarded.
    """

    form_version = HAND_FORM
    shows_all_turned_up = False

    def __init__(self, editor: Editor, token: str, errors: Errors, notice: str = "") -> None:
        self.editor, self.token = editor, token
        self.errors = {place: tuple(sentences) for place, sentences in errors.items()}
        self.table, self.narrator, self.draft, self.form = editor.table, editor.narrator, editor.draft, editor.form
        form, hand = self.form, editor.hand
        self.bids = bids_to_tap(self.table)
        self.notices = (*filter(None, [notice]), *self.draft.notices)
        self.unfolded: Sequence[str] = form.unfold if form else ()
        self.pile: str | None = form.pile if form else None
        self.position: int = (form and form.position) or editor.position
        self.hand_version: int | None = hand and hand.version  # of the saved hand when this page was opened
        if hand and form and form.hand_version is not None:
            self.hand_version = form.hand_version
        self.action, self.preview_action = editor.address, url_for("hands.preview", **url_arguments(editor.snapshot))
        self.says = editor.says(errors)
        self.warnings = [] if errors or editor.done_meanwhile else editor.warnings

    def ask_later(self) -> None:
        """While buried cards are being tapped, leave who took all to Save: the bar keeps its height."""
        if "buried" in dict(self.warnings):
            self.warnings = [warning for warning in self.warnings if warning[0] != "untouched"]

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """Hidden fields for the ways of entry not shown."""
        draft, fields = self.draft, list(self.draft.steps.items())
        if draft.by_seat:
            fields += [(name, str(value)) for name in ("bidder", "bid") if (value := getattr(draft, name)) is not None]
        shown = set() if draft.detail == PLAY else {row.key for row in self.points.rows if not row.gone}
        if draft.detail == CARDS:
            shown &= {SWEEP}
        fields += [(f"point-{key}", side) for key, side in draft.points.items() if key not in shown]
        if draft.detail != POINTS:
            fields += [(f"count-{side}", typed) for side, typed in self.points.typed.items() if typed]
        if draft.detail != CARDS:
            fields += [(f"at-{card}", side) for card, side in draft.placed.items()]
            by = [key for key in draft.played_by if draft.detail != POINTS or key not in self.table.captured]
            fields += [(f"by-{key}", draft.played_by[key]) for key in by]
            fields += [(name, value) for name, value in (("rest", draft.rest), ("pile", self.pile)) if value]
        return fields

    @property
    def note(self) -> str:
        """The note as typed."""
        return self.form.typed("note") if self.form else self.draft.note

    # --- ways of entry ---

    @property
    def asks_before_the_play(self) -> bool:
        """True if something may score before the play."""
        rules = self.table.rules
        return rules.trump.is_turned_up or self.draft.eldest_leads or rules.deck.misdeal > 0

    @property
    def turned_up(self) -> list[TurnedRow]:
        return rows_turned_up(self.draft, self.narrator, shows_all=self.shows_all_turned_up)

    @cached_property
    def bidding(self) -> Bidding:
        return Bidding(self.draft, self.narrator)

    @cached_property
    def points(self) -> PointsPage:
        form, typed = self.form, {side: str(count) for side, count in self.draft.counts.items()}
        if form is not None and form.was in (None, self.draft.detail):
            typed = {side: form.typed(f"count-{side}") for side in self.draft.side_names}
        return PointsPage(self.draft, self.narrator, typed, self.errors)

    @cached_property
    def cards(self) -> CardsPage:
        sides, shorts = self.points.sides, self.narrator.shorts
        return CardsPage(self.draft, sides, self.pile, shorts, unfolded="all" in self.unfolded)

    @cached_property
    def playing(self) -> Playing:
        return Playing(self.draft, self.narrator)

    # --- the bid ---

    @property
    def long_names(self) -> bool:
        """True if names need more than a narrow column each."""
        return max(map(len, self.narrator.shorts)) * self.table.players > ROOM_FOR_NAMES

    @cached_property
    def seats(self) -> tuple[SeatButton, ...]:
        seats, narrator, (_, *units) = self.table.seats, self.narrator, self.table.unit_of
        return tuple(map(SeatButton, seats, narrator.names, narrator.said, units))

    @property
    def nothing(self) -> str:
        """Button label for a hand played without a bid; empty if that is not possible."""
        return "no bid" if self.table.plays_without_bid else ""

    @property
    def may_pass_out(self) -> bool:
        return self.table.rules.auction.all_pass in ("redeal", "next-dealer")

    @property
    def callable(self) -> tuple[Card, ...]:
        """Cards that can be called: aces, then trumps, then the others; or only trumps, and what was called before."""
        trumps_first = self.table.deck_by_strength(self.draft.trump)
        if self.table.rules.table.call == "trump":
            trumps = self.table.trumps[self.draft.trump].order if self.draft.trump else trumps_first
            called = (self.draft.called,) if self.draft.called else ()
            return tuple(dict.fromkeys((*trumps, *called)))
        return tuple(sorted(trumps_first, key=lambda card: "SHDC".find(card[1]) if card[0] == "A" else len(SUIT_SIGNS)))

    # --- the bid, folded into one line ---

    @property
    def shows_call(self) -> bool:
        """True if the bid is unfolded, or has an error to show."""
        return "call" in self.unfolded or not CALL.isdisjoint(self.errors)

    @property
    def call_css(self) -> str:
        """CSS classes by which the stylesheet folds the bid as soon as its last part is tapped.

        `settled` folds it at once, and `called` the called card with it. The others are conditions CSS cannot see:
        the bidding, entered bid by bid, is over, trump comes with the first card.
        """
        draft = self.draft
        bid_is_known = None not in (draft.bidder, draft.bid)
        trump_later = draft.detail == PLAY and lead_makes_trump(self.table)
        trump_is_known = draft.trump is not None or trump_later
        partner_is_known = draft.partner is not None or draft.detail == PLAY  # the play shows it
        classes = {
            "settled": bid_is_known and trump_is_known,
            "called": draft.called is not None and partner_is_known,
            "bid-known": bid_is_known and (draft.by_seat or draft.eldest_leads),
            "trump-later": trump_later,
        }
        return " ".join(name for name, is_so in classes.items() if is_so)

    @property
    def call_says(self) -> tuple[str, ...]:
        """The bid in one line, in parts: "Ann", "4 ♥", "A♠ with Di"; CSS never truncates the middle one."""
        draft, trump = self.draft, SUIT_SIGNS.get(self.draft.trump or "", "")
        short = self.narrator.in_few_letters(FEWER_LETTERS[0]) if self.table.calls_partner else self.narrator
        names = short.shorts
        name = names[draft.bidder - 1] if draft.bidder else "Bid"
        if draft.eldest_leads:
            return f"{name} leads", trump, ""
        bid = "" if draft.bid is None else self.nothing if draft.bid == 0 and self.nothing else str(draft.bid)
        partner = ""
        if self.table.calls_partner and draft.called is not None:
            with_whom = f" with {names[draft.partner - 1]}" if isinstance(draft.partner, int) else " alone"
            partner = f"{card_sign(draft.called)}{with_whom if draft.partner is not None else ''}"
        return name, f"{bid} {trump}".strip(), partner

    # --- the buried cards ---

    @property
    def buried_says(self) -> tuple[str, ...]:
        """The buried cards in one line: "Buried 9♣, 2♦"."""
        return (f"Buried {', '.join(map(card_sign, in_suit_order(self.draft.buried)))}",)


# --- the head -----------------------------------------------------------------------------------------------------


class LiveHead:
    """The live head of the hand at `position` on the page; `version` is that of the saved hand, or None.

    `can_clear` is true if the page continues earlier taps.
    """

    def __init__(self, editor: Editor, position: int, version: int | None, *, can_clear: bool) -> None:
        self.editor, self.position, self.version, self.can_clear = editor, position, version, can_clear
        self.game = editor.snapshot
        self.tag = tag_of(self.game)
        # No longer the next hand: it was saved, or another was removed or undone, by another phone.
        self.is_past = version is None and position != self.game.length + 1
        self.known = shown_version()
        self._others = others_entering(self.game)

    @property
    def address(self) -> str:
        """Polling address of the head."""
        at = url_for("hands.head", **url_arguments(self.game), position=self.position)
        version = "" if self.version is None else self.version
        return f"{at}?{urlencode({'version': version, 'clear': int(self.can_clear)})}"

    @property
    def busy(self) -> str:
        """Others entering a hand; or the latest change meanwhile, unless the sentence beside Save says it.

        On the page of the next hand it is followed by the dealer, whose name stood there.
        """
        if self.is_past and self.position > self.game.length:  # a preceding one, since the page was opened
            return "A hand was removed."
        position, hand = self.position, self.game.hand(self.position)
        is_told = hand and hand.version != self.version
        if not is_told and self.known is not None and self.known < self.game.version:
            last, narrator = self.editor.last_change(Change.seq > self.known), self.editor.narrator
            if self.version is None:  # the score stands below
                return f"{done_elsewhere(self.game, last)} {narrator.seat(self.editor.dealer)} deals."
            return news(self.game, [last], narrator.totals(self.game.score.totals), "")
        if self.can_clear and self._is_of_others:  # the page started with others' taps
            return began(self._others, position)
        here = [one for one in self._others if one.position == position]
        elsewhere = [one for one in self._others if one.position != position]
        length = self.game.length
        return f"{entering(here, length, 'also ')} {entering(elsewhere, length)}".strip()

    @property
    def is_untouched(self) -> bool:
        """True if nothing was tapped of this hand, or only by others: this phone would lose nothing."""
        return self._is_of_others or self.editor.draft.is_blank

    @property
    def _is_of_others(self) -> bool:
        """True if other phones are entering this hand, and this one is entering none."""
        are_theirs = len(self._others) == len(self.game.entering)
        return are_theirs and any(one.position == self.position for one in self._others)

    @property
    def request(self) -> str:
        """A pending request for a link, for managers."""
        state = self.game.live
        if state is None or not state.asked or not may("links.grant"):
            return ""
        asking = links.requests_of(g.club.id)
        return asks(asking[0]) if asking else ""


# --- conflicts: two phones, one hand ------------------------------------------------------------------------------

# Fields that get new values when a hand is sent again.
NOT_RESENT = {"csrf_token", "do", "token", "position", "hand_version", "dealer"}


class ConflictPage:
    """The hand saved first beside the conflicting one, and the ways to resolve it."""

    def __init__(self, editor: Editor, conflict: Conflict, mine: Facts | None, token: str) -> None:
        self.editor, self.conflict, self.token, self._mine = editor, conflict, token, mine
        self.position = conflict.position
        self.sent = posted_token()  # the hand may be queued on the phone under this token
        self.theirs, self.own = self._lines(conflict.theirs), self._lines(mine)

    @property
    def rows(self) -> list[tuple[str, str, str, bool]]:
        """All facts of both hands: (name, theirs, mine, differs), differences first.

        A fact not entered yet is no difference.
        """
        theirs, own = self.theirs, self.own
        both, left = bool(theirs and own), {} if "Score" in own else theirs
        rows = [
            (name, theirs.get(name, ""), own.get(name, ""), both and theirs.get(name) != own.get(name, left.get(name)))
            for name in {**theirs, **own}
        ]
        return sorted(rows, key=lambda row: not row[3])

    def _lines(self, facts: Facts | None) -> Mapping[str, str]:
        """Lines of a hand by name, with the score; empty for an unreadable hand."""
        if not facts:
            return {}
        game, table = self.editor.snapshot, self.editor.table
        narrator = Narrator(table, names := game.names_at(self.position))
        try:
            lines = {line.name: line.value for line in HandDescription(table, names).lines(facts)}
            score = game.with_hand(self.position, read_hand(facts, table))
        except Refused:  # incomplete
            words: dict[str, Any] = {"dealer": narrator.seat, "bidder": narrator.seat, "bid": str, "trump": suit_name}
            return {name.capitalize(): words[name](value) for name, value in facts.items() if name in words}
        return lines | {"Score": narrator.totals(score.totals)}

    @cached_property
    def story(self) -> list[DescribedChange]:
        """Changes of the hand since this phone read it."""
        history = History(self.editor.game)
        seen = posted_version("hand_version")
        return history.entry_at(self.conflict.version or 0) if seen is None else history.of_hand(seen)

    @property
    def choices(self) -> list[tuple[str, str, list[tuple[str, str]]]]:
        """Buttons that send the own hand to another place: (label, address, fields)."""
        game, theirs, ways = self.editor.snapshot, self.conflict.theirs, []
        here = url_arguments(game)
        if theirs is not None:
            dealer = int((self._mine or theirs).get("dealer", self.editor.dealer))
            fields = self._fields(position=self.position, hand_version=self.conflict.version or 0, dealer=dealer)
            action = url_for("hands.correct", **here, position=self.position)
            ways.append(("Replace it with mine", action, fields))
        if self.editor.hand is None and game.takes_hands:
            position = self.editor.position
            fields = self._fields(position=position, dealer=game.dealer_after(game.length))
            label = f"Two different hands: save mine as hand {position}"
            ways.append((label, url_for("hands.new", **here), fields))
        return ways

    def _fields(self, **new: int) -> list[tuple[str, str]]:
        """All tapped fields with a new token. The page shows who took what, so it is not asked again."""
        kept = [(name, value) for name, value in request.form.items(multi=True) if name not in NOT_RESENT]
        do = "save" if (sent := request.form.get("do")) not in ("passed", "misdeal") else sent
        kept += [("warned", "untouched"), ("token", self.token), ("do", do)]
        return [*kept, *((name, str(value)) for name, value in new.items())]

"""What the page of one hand shows: who can have bid what, what is known in a line, and the sentence beside Save."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from flask import g, url_for

from scorekeeper.models import CARDS, PLAY, POINTS
from scorekeeper.scoring.cards import Card
from scorekeeper.web.common.narrator import Says
from scorekeeper.web.common.tokens import HAND_FORM
from scorekeeper.web.common.words import SUIT_SIGNS, card_name, card_sign, in_suit_order

from . import messages as say
from .auction import Bidding
from .cards_page import CardsPage
from .draft import SWEEP
from .editor import Editor, Errors
from .modes import words_of
from .play import LEAD_MAKES_TRUMP, Playing
from .points_page import PointsPage
from .turning_up import TurningUp
from .warnings import HandWarning

ROOM_FOR_NAMES = 30  # letters that fit side by side on a phone
CALL = ("bidder", "bid", "trump", "auction", "called", "partner")  # the places that fold into one line


class SeatButton(NamedTuple):
    number: int
    name: str
    short: str
    unit: str
    label: str
    css: str


class HandPage:
    """The form of one hand, ready to be drawn; `errors` are the sentences that belong to each place of it.

    `notice` says why what was tapped is on this page alone; `notices` also what the last tap has thrown away.
    """

    def __init__(self, editor: Editor, token: str, errors: Errors, notice: str = "") -> None:
        self.editor = editor
        self.table = editor.table
        self.narrator = editor.narrator
        self.draft = editor.draft
        self.form = editor.form
        self.token = token
        self.errors = errors
        self.notices = (*filter(None, [notice]), *editor.draft.told)
        self.unfolded: Sequence[str] = (self.form.unfold.data or ()) if self.form else ()
        self.pile: str | None = self.form.pile.data if self.form else None

    def wrong(self, *places: str) -> tuple[str, ...]:
        """The sentences that belong to a place of the page, the first of them that has any."""
        for place in places if self.errors else ():
            if self.errors.get(place):
                return tuple(self.errors[place])
        return ()

    # --- the form ---

    form_version = HAND_FORM

    @property
    def position(self) -> int:
        return (self.form.position.data if self.form else None) or self.editor.position

    @property
    def hand_version(self) -> int | None:
        """The version of the saved hand that this page began with."""
        hand, form = self.editor.hand, self.form
        if hand is None:
            return None
        return form.hand_version.data if form and form.hand_version.data is not None else hand.version

    @property
    def action(self) -> str:
        if self.editor.hand is None:
            return url_for("hands.new", **self._here)
        return url_for("hands.correct", **self._here, position=self.editor.position)

    @property
    def preview_action(self) -> str:
        return url_for("hands.preview", **self._here)

    @property
    def _here(self) -> dict[str, Any]:
        return {"key": g.club.key, "number": self.editor.snapshot.number}

    @cached_property
    def says(self) -> Says:
        return self.editor.says(self.errors)

    @cached_property
    def warnings(self) -> Sequence[HandWarning]:
        """What looks wrong, if nothing is wrong."""
        return () if self.errors else self.editor.warnings

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What belongs to the ways that are not shown, as hidden fields."""
        draft, fields = self.draft, list(words_of(self.draft).items())
        if draft.by_seat:
            fields += [(name, str(value)) for name in ("bidder", "bid") if (value := getattr(draft, name)) is not None]
        shown = self._points_shown
        fields += [(f"point-{key}", side) for key, side in draft.points.items() if key not in shown]
        if draft.detail != POINTS:
            fields += [(f"count-{side}", typed) for side, typed in self.points.typed.items() if typed]
        if draft.detail != CARDS:
            fields += [(f"at-{card}", side) for card, side in draft.placed.items()]
            by = [key for key in draft.played_by if draft.detail != POINTS or key not in self.table.captured]
            fields += [(f"by-{key}", draft.played_by[key]) for key in by]
            fields += [
                (name, value) for name, value in (("rest", draft.rest), ("pile", self.pile)) if value is not None
            ]
        return fields

    @property
    def _points_shown(self) -> set[str]:
        """The points that can be tapped on this page."""
        if self.draft.detail == PLAY:
            return set()
        rows = {row.key for row in self.points.rows if not row.gone}
        return rows if self.draft.detail == POINTS else rows & {SWEEP}

    @property
    def note(self) -> str:
        """The note as it was typed."""
        typed = self.form and self.form.note.raw_data
        return str(typed[0]) if typed else self.draft.note

    # --- the ways ---

    @property
    def asks_before_the_play(self) -> bool:
        """Whether something may score before the play."""
        rules = self.table.rules
        return rules.trump.is_turned_up or not rules.auction.is_held or rules.deck.misdeal > 0

    @cached_property
    def turning_up(self) -> TurningUp:
        return TurningUp(self.table, self.draft, self.narrator)

    @cached_property
    def bidding(self) -> Bidding:
        return Bidding(self.table, self.draft, self.narrator)

    @cached_property
    def points(self) -> PointsPage:
        form = self.form
        if form is not None and form.was.data in (None, self.draft.detail):
            typed = form.counts.typed
        else:
            typed = {side: str(count) for side, count in self.draft.counts.items()}
        return PointsPage(self.editor.points, self.narrator, typed, self.errors)

    @cached_property
    def cards(self) -> CardsPage:
        unfolded = "all" in self.unfolded
        return CardsPage(
            self.draft.table_of(self.table), self.draft, self.points.sides, self.pile, unfolded, self.narrator.shorts
        )

    @cached_property
    def playing(self) -> Playing:
        return Playing(self.draft.table_of(self.table), self.draft, self.narrator, self.editor.tried)

    # --- the bid ---

    @property
    def long_names(self) -> bool:
        """Whether the names need more than a narrow column each."""
        return max(map(len, self.narrator.shorts)) * self.table.players > ROOM_FOR_NAMES

    @cached_property
    def seats(self) -> tuple[SeatButton, ...]:
        return tuple(self._seat(seat) for seat in self.table.seats)

    def _seat(self, seat: int) -> SeatButton:
        unit, name = self.table.unit_of[seat], self.narrator.names[seat - 1]
        label = f"Team {unit}" if self.table.teams else f"seat {seat}"
        return SeatButton(
            seat, name, self.narrator.seat(seat), unit, label, f"u-{unit} team" if self.table.teams else ""
        )

    @property
    def bids(self) -> tuple[int | str, ...]:
        auction = self.table.rules.auction
        nothing = (0,) if auction.plays_without_bid else ()
        return (*nothing, *range(auction.min, auction.max + 1), *(special.name for special in auction.specials))

    @property
    def nothing(self) -> str:
        """What the button says of a hand that was played although nobody bid."""
        return say.NO_BID if self.table.rules.auction.plays_without_bid else ""

    @property
    def may_pass_out(self) -> bool:
        return self.table.rules.auction.all_pass in ("redeal", "next-dealer")

    @property
    def asks_partner(self) -> bool:
        """Whether to ask who had the called card; the play shows it by itself."""
        return self.table.calls_partner and self.draft.detail != PLAY

    @property
    def callable(self) -> tuple[Card, ...]:
        """The cards that can be called: those of trump first from the top, and no others where a trump is called."""
        trumps = self.table.trumps[self.draft.trump].order if self.draft.trump else ()
        if trumps and self.table.rules.table.call == "trump":
            return trumps
        return (*trumps, *(card for card in self.table.deck if card not in trumps))

    @property
    def called_name(self) -> str:
        return card_name(self.draft.called) if self.draft.called else ""

    # --- the bid, folded into one line ---

    @property
    def call_is_open(self) -> bool:
        """Whether the bid is shown part by part although it is known: where it was opened, or something is wrong."""
        return "call" in self.unfolded or any(map(self.errors.get, CALL))

    @property
    def call_css(self) -> str:
        """The classes by which the stylesheet folds the bid in the very moment in which its last part is tapped.

        `settled` folds it at once. The others say what the stylesheet cannot see: that the bidding seat by seat is
        over, that trump comes with the first card, that a card is called.
        """
        classes = {
            "settled": self._bid_is_known and self._trump_is_known and self._partner_is_known,
            "bid-known": self._bid_is_known and (self.draft.by_seat or self.draft.eldest_leads),
            "trump-later": self._trump_comes_by_play,
            "calls-partner": self.table.calls_partner,
        }
        return " ".join(name for name, is_so in classes.items() if is_so)

    @property
    def _bid_is_known(self) -> bool:
        return None not in (self.draft.bidder, self.draft.bid)

    @property
    def _trump_comes_by_play(self) -> bool:
        return self.draft.detail == PLAY and self.table.rules.trump.by == LEAD_MAKES_TRUMP

    @property
    def _trump_is_known(self) -> bool:
        return self.draft.trump is not None or self._trump_comes_by_play

    @property
    def _partner_is_known(self) -> bool:
        if not self.table.calls_partner:
            return True
        return self.draft.called is not None and (self.draft.partner is not None or not self.asks_partner)

    @property
    def call_says(self) -> tuple[str, ...]:
        """What is known of the bid, in one line: Ann, 4 ♥, and who plays along; the bid alone is never cut."""
        draft = self.draft
        name = self.narrator.names[draft.bidder - 1] if draft.bidder else "Bid"
        if draft.eldest_leads:
            return f"{name} leads", SUIT_SIGNS.get(draft.trump or "", ""), ""
        bid = "" if draft.bid is None else self.nothing if draft.bid == 0 and self.nothing else str(draft.bid)
        return name, f"{bid} {SUIT_SIGNS.get(draft.trump or '', '')}".strip(), self._partner_says

    @property
    def _partner_says(self) -> str:
        """What was called, and with whom it is played: "A♠ with Di"."""
        draft = self.draft
        if not self.table.calls_partner or draft.called is None:
            return ""
        with_whom = f"with {self.narrator.names[draft.partner - 1]}" if isinstance(draft.partner, int) else "alone"
        return f"{card_sign(draft.called)} {with_whom}"

    # --- the buried cards ---

    @property
    def tiles(self) -> tuple[Card, ...]:
        return self.table.trumps_first(self.draft.trump) if self.table.buried else ()

    @property
    def buried_hint(self) -> str:
        return say.tap_buried(len(self.draft.buried), self.table.buried)

    @property
    def buried_is_known(self) -> bool:
        return self.draft.knows_all_buried(self.table)

    @property
    def buried_is_open(self) -> bool:
        return "buried" in self.unfolded or "buried" in self.errors

    @property
    def buried_says(self) -> tuple[str, ...]:
        """What is buried, in one line: Buried 9♣ 2♦."""
        return (f"Buried {' '.join(map(card_sign, in_suit_order(self.draft.buried)))}",)

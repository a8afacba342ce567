"""What the page of one hand shows: seats, bids, tiles, one row a point, and the sentence beside Save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from scorekeeper.models import CARDS, PLAY, POINTS
from scorekeeper.scoring.cards import JOKERS, Card
from scorekeeper.scoring.parts import Point
from scorekeeper.scoring.points import decide_game
from scorekeeper.scoring.table import BIDDING, DEFENDING, Side, Table
from scorekeeper.web.common.numbers import counted, figure
from scorekeeper.web.wording.narrator import Narrator, Says
from scorekeeper.web.wording.words import SUIT_SIGNS, card_name, card_sign, in_suit_order, listed, point_name

from .auction import Bidding
from .cards import Laid
from .draft import NOBODY, SWEEP, Draft
from .modes import words_of
from .play import LEAD_MAKES_TRUMP, Playing
from .warnings import Advice

MOST_SIDES_IN_A_ROW = 3
ROOM_FOR_NAMES = 30  # letters that fit side by side on a phone
OWNER_HINTS = {"keeper": "who played it", "holder": "who was dealt it", "taker": ""}
FACES = {"highest": "▲", "lowest": "▼", "L": "J", "game": "game"}
FACE_NAMES = {
    "highest": "the highest trump",
    "lowest": "the lowest trump",
    "game": "the Game count",
    "L": "the other jack of trump's colour",
}
CALL = ("bidder", "bid", "trump", "auction", "called", "partner")  # the places that fold into one line


class SeatButton(NamedTuple):
    number: int
    name: str
    short: str
    unit: str
    label: str
    css: str


class SideChoice(NamedTuple):
    """One segment of a row: a side, as a letter or a short name, and in full for those who listen."""

    value: Side
    label: str
    title: str
    css: str
    badge: str | None


class Count(NamedTuple):
    """One side's Game count: as typed, and as worked out from the others'."""

    value: Side
    label: str
    title: str
    css: str
    badge: str | None
    typed: str
    worked_out: int | None


class Row(NamedTuple):
    """One point: its card, what to know about it, and whose it may be; `gone` says why nobody can have it."""

    key: str
    name: str
    face: str
    face_name: str
    hint: str = ""
    gone: str | None = None
    choices: tuple[SideChoice, ...] = ()
    chosen: str | None = None
    usual: str | None = None
    usual_title: str = ""
    nobody: str = ""
    errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """The form of one hand, ready to be drawn; `typed` are the Game counts as they were typed."""

    table: Table
    narrator: Narrator
    draft: Draft
    says: Says
    action: str
    preview_action: str
    token: str
    position: int
    hand_version: int | None = None
    typed: Mapping[Side, str] = field(default_factory=dict)
    errors: Mapping[str, Sequence[str]] = field(default_factory=dict)
    advice: Sequence[Advice] = ()
    unfolded: Sequence[str] = ()
    switched: bool = False
    pile: str | None = None
    tried: Card | None = None
    resumed: bool = False
    meanwhile: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return self.narrator.names

    @property
    def shorts(self) -> tuple[str, ...]:
        return self.narrator.shorts

    @property
    def long_names(self) -> bool:
        """Whether the names need more than a narrow column each."""
        return max(len(name) for name in self.shorts) * self.table.players > ROOM_FOR_NAMES

    @cached_property
    def seats(self) -> tuple[SeatButton, ...]:
        return tuple(self._seat(seat) for seat in self.table.seats)

    def _seat(self, seat: int) -> SeatButton:
        unit = self.table.unit_of[seat]
        label = f"Team {unit}" if self.table.teams else f"seat {seat}"
        css = f"u-{unit} team" if self.table.teams else ""
        return SeatButton(seat, self.names[seat - 1], self.shorts[seat - 1], unit, label, css)

    @property
    def partners(self) -> tuple[SeatButton, ...]:
        return tuple(seat for seat in self.seats if seat.number != self.draft.bidder)

    def wrong(self, place: str) -> tuple[str, ...]:
        """The sentences that belong to one place of the page."""
        return tuple(self.errors.get(place, ()))

    # --- the ways ---

    @cached_property
    def bidding(self) -> Bidding:
        return Bidding(self.table, self.draft, self.narrator)

    @cached_property
    def laid(self) -> Laid:
        return Laid(self.table, self.draft, self.side_choices, self.pile, "all" in self.unfolded, self.shorts)

    @cached_property
    def playing(self) -> Playing:
        return Playing(self.table, self.draft, self.narrator, self.tried)

    @property
    def by_points(self) -> bool:
        return self.draft.detail == POINTS

    @property
    def call_is_open(self) -> bool:
        """Whether the bid is shown part by part although it is known: where it was opened, or something is wrong."""
        return "call" in self.unfolded or any(map(self.errors.get, CALL))

    @property
    def call_css(self) -> str:
        """The classes by which the stylesheet folds the bid in the very moment in which its last part is tapped.

        `known` folds it at once. The others say what the stylesheet cannot see: that the bidding seat by seat is
        over, that trump comes with the first card, that a card is called.
        """
        classes = {
            "known": self._bid_is_known and self._trump_is_known and self._partner_is_known,
            "bid-known": self._bid_is_known and self.draft.by_seat,
            "trump-later": self._trump_comes_by_play,
            "calls-partner": self.calls_partner and self.draft.detail != PLAY,
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
        if not self.calls_partner:
            return True
        return self.draft.called is not None and (self.draft.partner is not None or self.draft.detail == PLAY)

    @property
    def call_says(self) -> str:
        """What is known of the bid, in one line: Ann 4 ♥."""
        draft = self.draft
        parts = [
            self.names[draft.bidder - 1] if draft.bidder else "",
            "" if draft.bid is None else str(draft.bid),
            SUIT_SIGNS[draft.trump] if draft.trump else "",
            self._partner_says if self._partner_is_known else "",
        ]
        return " ".join(filter(None, parts)) or "Bid"

    @property
    def _partner_says(self) -> str:
        """What was called, and with whom it is played: "called A♠ with Di"."""
        draft = self.draft
        if not self.calls_partner or draft.called is None:
            return ""
        called = f"called {card_sign(draft.called)}"
        return f"{called} with {self.names[draft.partner - 1]}" if isinstance(draft.partner, int) else f"{called} alone"

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What belongs to the ways that are not shown, as hidden fields."""
        draft, fields = self.draft, list(words_of(self.draft).items())
        if draft.by_seat:
            fields += [(name, str(value)) for name in ("bidder", "bid") if (value := getattr(draft, name)) is not None]
        if not self.by_points:
            shown = (SWEEP,) if draft.detail == CARDS else ()
            fields += [(f"point-{key}", side) for key, side in draft.points.items() if key not in shown]
            fields += [(f"count-{side}", typed) for side, typed in self.typed.items() if typed]
        if draft.detail != CARDS:
            fields += [(f"at-{card}", side) for card, side in draft.placed.items()]
            by = {"rest": draft.rest, "low_by": draft.low_by, "high_by": draft.high_by, "pile": self.pile}
            fields += [(name, value) for name, value in by.items() if value is not None]
        return fields

    @property
    def bids(self) -> tuple[int | str, ...]:
        auction = self.table.rules.auction
        return (*range(auction.min, auction.max + 1), *(special.name for special in auction.specials))

    @property
    def may_pass_out(self) -> bool:
        return self.table.rules.auction.all_pass != "dealer-forced"  # noqa: S105  (no password)

    @property
    def calls_partner(self) -> bool:
        return self.table.calls_partner

    # --- cards ---

    @property
    def tiles(self) -> tuple[Card, ...]:
        return in_suit_order(self.table.deck) if self.table.buried else ()

    @property
    def callable(self) -> tuple[Card, ...]:
        """The cards that can be called, those of trump first from the top."""
        if self.draft.trump is None:
            return self.table.deck
        order = self.table.trumps[self.draft.trump].order
        return (*order, *(card for card in self.table.deck if card not in order))

    @property
    def called_name(self) -> str:
        return card_name(self.draft.called) if self.draft.called else ""

    @property
    def buried_says(self) -> str:
        named, of = len(self.draft.buried), self.table.buried
        return f"Buried: {named} of {of}" if named else f"Tap the {counted(of, 'buried card')}"

    @property
    def buried_is_known(self) -> bool:
        return self.draft.knows_all_buried(self.table)

    @property
    def buried_is_open(self) -> bool:
        return "buried" in self.unfolded or "buried" in self.errors

    @property
    def buried_folded(self) -> str:
        """What is buried, in one line: Buried 9♣ 2♦."""
        return f"Buried {' '.join(map(card_sign, in_suit_order(self.draft.buried)))}"

    # --- points ---

    @property
    def points_hint(self) -> str:
        if self.many_sides:
            return "Tap points somebody else took"
        return "Tap points the others took" if self.table.changing_sides else "Tap points the other team took"

    @cached_property
    def many_sides(self) -> bool:
        return len(self.side_choices) > MOST_SIDES_IN_A_ROW

    @cached_property
    def side_choices(self) -> tuple[SideChoice, ...]:
        return tuple(self._side(side) for side in self.draft.side_names(self.table))

    def _side(self, side: Side) -> SideChoice:
        if side in (BIDDING, DEFENDING):
            return self._changing_side(side)
        names = [self.names[seat - 1] for seat in self.table.seats_of(side)]
        if self.table.teams:
            return SideChoice(side, side, f"Team {side}: {listed(names)}", f"u-{side}", side)
        return SideChoice(side, self.shorts[int(side) - 1], names[0], "", None)

    def _changing_side(self, side: Side) -> SideChoice:
        sides = self.draft.sides(self.table)
        if side == DEFENDING:
            return SideChoice(side, "others", "the others", "u-B wide", None)
        names = [self.names[seat - 1] for seat in self.table.seats if sides and sides.of_seat[seat] == BIDDING]
        return SideChoice(side, "bidder", listed(names) or "the bidding side", "u-A wide", None)

    @cached_property
    def rows(self) -> list[Row]:
        rows = [self._row(key, point) for key, point in self.table.points.items()]
        return [*rows, self._sweep_row()] if self.draft.needs_sweep(self.table) else rows

    def _row(self, key: str, point: Point) -> Row:
        face, face_name = self._face(key, point)
        if gone := self._gone(key, point):
            return Row(key, point_name(key), face, face_name, gone=gone)
        usual = self.draft.usual_side(self.table)
        return Row(
            key,
            point_name(key),
            face,
            face_name,
            hint=self._hint(point),
            choices=self.side_choices,
            chosen=self.draft.points.get(key),
            usual=usual,
            usual_title=self._title(usual),
            nobody=self._nobody(point),
            errors=self.wrong(key),
        )

    def _gone(self, key: str, point: Point) -> str:
        """Why there is nothing to tap for a point: buried, decided by the counts, or the same card as another."""
        if self.draft.is_buried(self.table, key):
            return "buried: nobody can have it"
        if leader := self.draft.leader_of(self.table, key):
            return f"the same card as {point_name(leader)}: it goes along"
        return self._counted() if point.card == "game" else ""

    def _nobody(self, point: Point) -> str:
        """What the segment for nobody says; empty where somebody must have the point."""
        if not self.draft.may_be_nobodys(self.table, point):
            return ""
        return "tie" if point.card == "game" and self.table.rules.game.award == "most" else "none"

    def _face(self, key: str, point: Point) -> tuple[str, str]:
        card = self.draft.card_of(self.table, key)
        if card is not None:
            return card, card_name(card)
        face = FACES.get(point.card, point.card)
        suit = self.draft.trump if point.card in ("highest", "lowest") and self.draft.trump else ""
        name = card_name(face) if face in JOKERS else f"the {point_name(key)}"
        return face + suit, FACE_NAMES.get(point.card, name)

    def _counted(self) -> str:
        """How the Game counts decide Game, once they do: "43 to 37: Team A"."""
        counts = self.draft.all_counts(self.table)
        if len(counts) < len(self.side_choices):
            return ""
        decided = decide_game(self.table.rules.game, counts)
        figures = " to ".join(figure(counts[choice.value]) for choice in self.side_choices)
        return f"{figures}: {self._title(decided.side) if decided.side else 'nobody has it'}"

    def _title(self, side: str | None) -> str:
        return next((choice.title for choice in self.side_choices if choice.value == side), "")

    def _hint(self, point: Point) -> str:
        if point.card != "game":
            return OWNER_HINTS[point.owner] if point.card in ("highest", "lowest") else ""
        return "most counts" if self.table.rules.game.award == "most" else f"needs {self.table.rules.game.at_least}"

    def _sweep_row(self) -> Row:
        sides = self.draft.sides(self.table)
        bidding = tuple(choice for choice in self.side_choices if sides and choice.value == sides.bidding)
        usual = self.draft.sweeper(self.table) or NOBODY
        chosen = self.draft.points.get(SWEEP)
        return Row(
            SWEEP, "Every trick", "★", "won every trick", "", None, bidding, chosen, usual, self._title(usual), "no"
        )

    # --- the Game count ---

    @property
    def counts_hint(self) -> str:
        total = self.draft.game_total(self.table)
        return f"Game count, {total} in all:" if total is not None else "Game count, if counted:"

    @cached_property
    def counts(self) -> list[Count]:
        if not any(point.card == "game" for point in self.table.rules.points):
            return []
        known = self.draft.all_counts(self.table)
        return [self._count(side, known) for side in self.side_choices]

    def _count(self, side: SideChoice, known: Mapping[Side, int]) -> Count:
        typed = self.typed.get(side.value, "")
        worked_out = None if typed else known.get(side.value)
        return Count(side.value, side.label, side.title, side.css, side.badge, typed, worked_out)

"""What the page shows of the cards: the piles, a tile for each card, and the points so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scorekeeper.scoring.cards import JOKERS, SUITS, Card
from scorekeeper.scoring.table import Side, Table
from scorekeeper.scoring.vocabulary import PLAIN_CARDS, SUIT_ENDS
from scorekeeper.web.common.words import in_suit_order
from scorekeeper.web.wording.turn_up_sentences import WHO_HAD

from . import messages as say
from .cards import BURIED, STOCK, Piled
from .draft import NOBODY, Draft

OFF_TRUMP = {*SUIT_ENDS, *PLAIN_CARDS}  # the points whose suit is known before trump is


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile that cards can be put on; `place` numbers it, for the stylesheet."""

    value: str
    label: str
    people: str
    title: str
    css: str
    badge: str
    place: int


@dataclass(frozen=True, slots=True)
class Tile:
    """A card to be put on a pile: the pile where it lies (None: nowhere yet), by itself or as one of the rest."""

    card: Card
    at: Pile | None
    by_rest: bool


@dataclass(frozen=True, slots=True)
class Holder:
    """The question who played the card of a point; `usual` is the side whose pile it is in."""

    field: str
    name: str
    hint: str
    card: Card | None
    chosen: str | None
    usual: str | None


@dataclass(frozen=True)
class CardsPage:
    """What the page shows of the cards; `chosen` is the pile that a tap puts a card on."""

    table: Table
    draft: Draft
    sides: Iterable[Any]  # points_page.SideChoice, in the order of the page
    chosen: str | None
    unfolded: bool = False
    shorts: Sequence[str] = ()

    @cached_property
    def piled(self) -> Piled:
        return Piled(self.table, self.draft)

    @cached_property
    def piles(self) -> list[Pile]:
        sides = [
            Pile(
                side.value,
                side.label,
                self._people(side.value) or side.label,
                side.title,
                side.css,
                side.badge or (side.value if side.value.isdigit() else side.label[:1].upper()),
                place,
            )
            for place, side in enumerate(self.sides)
        ]
        if not self.table.buried:
            return sides
        return [*sides, Pile(BURIED, "buried", "buried", "buried", "", "×", len(sides))]

    def _people(self, side: Side) -> str:
        """A team by its players, as they fit on a button."""
        return " · ".join(self.shorts[seat - 1] for seat in self.table.seats_of(side)) if self.table.teams else ""

    @property
    def pile(self) -> Pile:
        return next((pile for pile in self.piles if pile.value == self.chosen), self.piles[0])

    @cached_property
    def _pile_of(self) -> dict[str, Pile]:
        return {pile.value: pile for pile in self.piles}

    def tile(self, card: Card) -> Tile:
        at = BURIED if card in self.draft.buried else self.piled.where.get(card)
        return Tile(card, self._pile_of.get(at or ""), card not in self.draft.placed and card not in self.draft.buried)

    @cached_property
    def counting_ranks(self) -> int:
        """How many ranks count for Game: the columns of the page."""
        return max(len(row) for row in self._counting) if self._counting else 5

    @property
    def has_game(self) -> bool:
        """Whether card points count for anything in these rules."""
        return self.table.game_key is not None

    @cached_property
    def _counting(self) -> list[list[Card]]:
        cards = in_suit_order(card for card in self.table.deck if self._counts(card))
        return [row for suit in SUITS if (row := [card for card in cards if card[1] == suit])]

    def _counts(self, card: Card) -> bool:
        """Whether a card is shown whatever is trump: for its card points, or for a point that is of its suit."""
        is_asked_for = self.has_game or card[1] in self._suits_asked_for
        return is_asked_for and self.table.value[card] > 0 and card not in JOKERS

    @cached_property
    def _suits_asked_for(self) -> set[str]:
        return {point.card[-1] for point in self.table.points.values() if point.card in OFF_TRUMP}

    @property
    def counting(self) -> list[Tile]:
        """The cards that count for Game, suit by suit."""
        return [self.tile(card) for row in self._counting for card in row]

    @cached_property
    def _others(self) -> list[Card]:
        counting = {card for row in self._counting for card in row}
        trumps = self.piled.trump.order if self.piled.trump else [card for card in self.table.deck if card in JOKERS]
        return [card for card in trumps if card not in counting]

    @property
    def other_trumps(self) -> list[Tile]:
        return [self.tile(card) for card in self._others]

    @cached_property
    def _plain(self) -> list[Card]:
        shown = {card for row in self._counting for card in row} | set(self._others)
        return [card for card in self.table.deck if card not in shown]

    @property
    def plain(self) -> list[Tile]:
        """The cards that neither count nor are trump, when they are unfolded; else those in a pile, to be taken out."""
        return [self.tile(card) for card in self._plain if self.unfolded or self._stays_shown(card)]

    def _stays_shown(self, card: Card) -> bool:
        """Whether it is shown all the same: one that was tapped into a pile, which the cards of a play were not."""
        return card in self.draft.placed and not (self.has_game and self.draft.plays)

    @property
    def folded(self) -> list[tuple[Card, str]]:
        """Those of them that lie in a pile although they are not shown."""
        if self.unfolded:
            return []
        at = {**self.draft.placed, **dict.fromkeys(self.draft.buried, BURIED)}
        return [(card, at[card]) for card in self._plain if card in at and not self._stays_shown(card)]

    @property
    def plain_count(self) -> int:
        return len(self._plain)

    @property
    def rests(self) -> list[tuple[str, str, str, str]]:
        """The choices for the cards that are left: value, label, text for screen readers, CSS class."""
        if not self.table.buried:
            return [(STOCK, say.NOT_DEALT, say.REST_WAS_NOT_DEALT, "wide")]
        return [(p.value, f"to {p.label}", say.rest_to(p.title), p.css) for p in self.piles if p.value != BURIED]

    @property
    def sweeper(self) -> str:
        """Who is shown as having won every trick, of whom it is asked: the bidding side, or nobody."""
        sweeper = self.piled.sweeper
        return sweeper if sweeper and sweeper == self.draft.usual_side(self.table) else NOBODY

    @property
    def hint(self) -> str:
        """What is still to do, in two words."""
        if self.piled.trump is None or self.piled.rest_is_too_much:
            return ""
        return say.cards_left_to_place(len(self.piled.not_placed))

    # --- what it comes to ---

    @property
    def counts(self) -> list[tuple[Pile, int]]:
        counts = self.piled.counts
        return [(pile, counts[pile.value]) for pile in self.piles if pile.value in counts]

    @property
    def still_out(self) -> str:
        if self.piled.game_is_decided and self.piled.where:
            return say.DECIDED if self.piled.still_out else say.ALL_COUNTED
        return f"{self.piled.still_out} left"

    @property
    def chips(self) -> list[tuple[str, str, Pile | None, str]]:
        """Each point: its key, whose it is so far ("?" while that is open), and why it is nobody's."""
        return [(key, *self._chip(key)) for key in self.table.points]

    def _chip(self, key: str) -> tuple[str, Pile | None, str]:
        taken = self.piled.taken
        if taken is None or not self.piled.is_certain(key):
            return "?", None, say.STILL_OPEN
        score = taken.points[key]
        if score.side is None:
            return "–", None, score.why or "nobody"
        return self._pile_of[score.side].badge, self._pile_of[score.side], ""

    @property
    def holders(self) -> list[Holder]:
        """The questions who played a card whose point is its player's, wherever the card lies."""
        return [self._holder(key) for key in self.table.card_points if key in self.table.by_player]

    def _holder(self, key: str) -> Holder:
        point, trump, where = self.table.points[key], self.piled.trump, self.piled.where
        card = None
        if trump is not None and self.piled.is_certain(key):
            card = trump.card_of(point, where)
        usual = where.get(card) if card else None
        return Holder(
            f"by-{key}", key, say.OWNER_HINTS[point.owner] or WHO_HAD, card, self.draft.played_by.get(key), usual
        )

"""The cards as a way of putting a hand in: the captured cards in their piles, as far as they matter.

A hand is saved as piles, and it is saved as soon as its points are certain, which may be before every card is placed.
The scoring core reads incomplete piles literally: a card that is in none counts for nobody, Low is the lowest trump
listed, High the highest. So "certain" means here that this reading cannot turn out wrong:

- every card that is a point by its name lies in a pile or is buried;
- every trump above the highest one placed, and below the lowest one, is buried (where the rules ask for them);
- the Game counts are so far apart that the cards still out cannot change who has Game, all of them in one pile.

Then claims made from the piles would say the same as the piles, and the piles say more: they are saved. Only the Game
counts shown with them may be short of what is still out. Where the undealt cards are never seen (a stock), the table
says that nothing more lies in the piles, since nobody places fourteen cards that count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scorekeeper.scoring.cards import SUITS, Card
from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.points import KnownCards, Piles, PointScore, Taken, take_from_piles
from scorekeeper.scoring.problems import Problems
from scorekeeper.scoring.table import Side, Sides, Table
from scorekeeper.web.wording.words import card_sign

from .draft import NOBODY, SWEEP, Draft

STOCK = "stock"  # the rest was not dealt
BURIED = "buried"
RANK_ORDER = "AKQJT98765432"
MOST_NAMED = 6


class Piled:
    """The piles of a draft: what lies where, what is still out, and whether that can still change anything."""

    def __init__(self, table: Table, draft: Draft) -> None:
        self.table = table
        self.draft = draft
        self.names = draft.side_names(table)
        self.trump = table.trumps[draft.trump] if draft.trump else None

    @cached_property
    def unnamed(self) -> list[Card]:
        """The cards that nobody has put anywhere."""
        return [card for card in self.table.deck if card not in self.draft.placed and card not in self.draft.buried]

    @property
    def rest_is_too_much(self) -> bool:
        """Whether "the rest" would be more cards than were dealt: some of it has to lie buried."""
        rest_has_a_side = self.draft.rest in self.names
        return rest_has_a_side and len(self.draft.placed) + len(self.unnamed) > self.table.dealt

    @cached_property
    def where(self) -> dict[Card, Side]:
        """The side in whose pile each card lies."""
        if self.draft.rest in self.names and not self.rest_is_too_much:
            return {**self.draft.placed, **dict.fromkeys(self.unnamed, str(self.draft.rest))}
        return dict(self.draft.placed)

    @property
    def out(self) -> list[Card]:
        """The cards that may still lie in a pile."""
        return [] if self.is_closed else [card for card in self.unnamed if card not in self.where]

    @property
    def is_closed(self) -> bool:
        """Whether nothing more can lie in any pile."""
        return self.draft.rest == STOCK or self.slots <= 0

    @property
    def slots(self) -> int:
        """How many dealt cards are not in a pile yet."""
        return self.table.dealt - len(self.where)

    @cached_property
    def counts(self) -> dict[Side, int]:
        if self.taken is not None and self.taken.counts is not None:
            return self.taken.counts
        counts = dict.fromkeys(self.names, 0)
        for card, side in self.where.items():
            counts[side] += self.table.value[card]
        return counts

    @property
    def still_out(self) -> int:
        """How much of the Game count may still lie in a pile."""
        worth = sorted((self.table.value[card] for card in self.out), reverse=True)
        return sum(worth[: max(self.slots, 0)])

    @cached_property
    def taken(self) -> Taken | None:
        """What the piles come to as they lie; None until bidder and trump are known."""
        sides = self.draft.sides(self.table)
        if sides is None or self.trump is None:
            return None
        draft, cards = self.draft, self.by_side()
        piles = Piles(cards, draft.low_by, draft.high_by)
        return take_from_piles(KnownCards(self.table, sides, self.trump, draft.buried), piles, Problems())

    def by_side(self) -> dict[Side, tuple[Card, ...]]:
        return {name: tuple(card for card in self.table.deck if self.where.get(card) == name) for name in self.names}

    @property
    def sweeper(self) -> Side | None:
        """Who won every trick: as tapped, else the bidding side while all cards lie in its pile."""
        said, usual = self.draft.points.get(SWEEP), self.draft.usual_side(self.table)
        if said is not None:
            return None if said == NOBODY else said
        return usual if set(self.where.values()) == {usual} else None

    # --- what is certain ---

    def needed(self, key: str) -> list[Card]:
        """The card, if any, that has to be placed before it is certain who has that point."""
        point, trump = self.table.points[key], self.trump
        if trump is None:
            return []
        if point.card not in ("highest", "lowest"):
            return [trump.literal[key]] if trump.literal[key] in self.out else []
        order = trump.order if point.card == "highest" else trump.lowest_first
        found = next((place for place, card in enumerate(order) if card in self.where), len(order))
        return [card for card in order[:found] if card in self.out][:1]

    @property
    def game_is_decided(self) -> bool:
        """Whether the cards still out cannot change who has Game, whoever has them."""
        rules, out, counts = self.table.rules.game, self.still_out, sorted(self.counts.values(), reverse=True)
        if self.table.game_key is None or not out:
            return True
        ahead = counts[0] > (counts[1] if len(counts) > 1 else 0) + out
        if rules.award == "at-least":
            return (ahead and counts[0] >= rules.at_least) or counts[0] + out < rules.at_least
        return ahead

    def is_certain(self, key: str) -> bool:
        return self.game_is_decided if key == self.table.game_key else not self.needed(key)

    @cached_property
    def not_placed(self) -> list[Card]:
        """The cards that have to be placed before the points are certain."""
        wanted = {card for key in self.table.card_points for card in self.needed(key)}
        if not self.game_is_decided:
            wanted |= {card for card in self.out if self.table.value[card]}
        return [card for card in self.table.deck if card in wanted]

    @property
    def says_missing(self) -> str:
        """2 cards not placed: 10♦ A♣."""
        if self.rest_is_too_much:
            lying = self.table.buried - len(self.draft.buried)
            return f"{_cards(lying)} of the rest lay buried: tap {'it' if lying == 1 else 'them'} first."
        cards = self.not_placed
        if not cards:
            return ""
        if not self.table.buried and self.where:
            return "Is that all that counts? Then tap: the rest was not dealt."
        named = " ".join(card_sign(card) for card in cards[:MOST_NAMED])
        return f"{_cards(len(cards))} not placed: {named}{' …' if len(cards) > MOST_NAMED else ''}"


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def missing(table: Table, draft: Draft) -> dict[str, list[str]]:
    """What has to be placed before the hand can be saved."""
    sentence = Piled(table, draft).says_missing if draft.trump else ""
    return {"cards": [sentence]} if sentence else {}


def piled(draft: Draft, table: Table) -> dict[str, Any]:
    """The piles as the game record has them."""
    lying = Piled(table, draft)
    facts: dict[str, Any] = {"piles": {side: list(cards) for side, cards in lying.by_side().items()}}
    owned = {table.points[key].card for key in table.personal}
    facts["low_by"] = draft.low_by if "lowest" in owned else None
    facts["high_by"] = draft.high_by if "highest" in owned else None
    if draft.needs_sweep(table):
        facts["sweep"] = lying.sweeper
    return facts


# --- from one way to another --------------------------------------------------------------------------------------


def from_points(table: Table, draft: Draft) -> Draft:
    """The cards of the points that somebody was given, in that side's pile; those nobody has touched stay out."""
    placed: dict[Card, Side] = dict(draft.placed)
    by: dict[str, Any] = {}
    for key, point in table.card_points.items():
        card, side = draft.card_of(table, key), draft.points.get(key)
        if card is None or side is None or side == NOBODY or card in draft.buried:
            continue
        if point.owner == "holder":
            by["low_by" if point.card == "lowest" else "high_by"] = side
        else:
            placed[card] = side
    return replace(draft, placed=placed, **by)


def as_points(table: Table, draft: Draft) -> Draft:
    """Who took which point, as far as the piles tell for certain; and the counts once every card is placed."""
    piled = Piled(table, draft)
    if piled.taken is None or not piled.where:
        return draft
    certain = {key: _claim(score) for key, score in piled.taken.points.items() if piled.is_certain(key)}
    counts = draft.counts
    if table.game_key in certain:
        counts = {} if piled.still_out else piled.taken.counts or {}
    if counts:
        certain.pop(table.game_key or "", None)
    return replace(draft, points={**draft.points, **certain}, counts=counts)


def _claim(score: PointScore) -> str:
    return score.side or NOBODY


def reopened(table: Table, draft: Draft, hand: Hand, sides: Sides) -> Draft:
    """The piles of a saved hand on the page again; of a stock, the rest was not dealt."""
    piles = {sides.aliases[side]: cards for side, cards in (hand.piles or {}).items()}
    placed = {card: side for side, cards in piles.items() for card in cards}
    by: dict[str, Any] = {
        name: None if (side := getattr(hand, name)) is None else sides.aliases[side] for name in ("low_by", "high_by")
    }
    stocked = not table.sees_buried and len(placed) < table.dealt
    return replace(draft, placed=placed, rest=STOCK if stocked else None, **by)


# --- the page -----------------------------------------------------------------------------------------------------


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
class Chip:
    """A point and who has it so far."""

    name: str
    who: str
    css: str


@dataclass(frozen=True, slots=True)
class Holder:
    """The question who played the Low or the High card; `usual` is whoever has the pile where it lies."""

    field: str
    name: str
    card: Card | None
    chosen: str | None
    usual: str | None


@dataclass(frozen=True)
class Laid:
    """What the page shows of the cards; `chosen` is the pile that a tap puts a card on."""

    table: Table
    draft: Draft
    sides: Iterable[Any]  # entry.SideChoice, in the order of the page
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

    @cached_property
    def _counting(self) -> list[list[Card]]:
        cards = sorted(
            (card for card in self.table.deck if self.table.value[card] and card[0] != "X"),
            key=lambda card: RANK_ORDER.index(card[0]),
        )
        return [row for suit in SUITS if (row := [card for card in cards if card[1] == suit])]

    @property
    def counting(self) -> list[Tile]:
        """The cards that count for Game, suit by suit."""
        return [self.tile(card) for row in self._counting for card in row]

    @cached_property
    def _others(self) -> list[Card]:
        counting = {card for row in self._counting for card in row}
        trumps = self.piled.trump.order if self.piled.trump else [c for c in self.table.deck if c[0] == "X"]
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
        """The cards that neither count nor are trump, when they are unfolded."""
        return [self.tile(card) for card in self._plain] if self.unfolded else []

    @property
    def folded(self) -> list[tuple[Card, str]]:
        """Those of them that lie in a pile although they are not shown."""
        if self.unfolded:
            return []
        at = {**self.draft.placed, **dict.fromkeys(self.draft.buried, BURIED)}
        return [(card, at[card]) for card in self._plain if card in at]

    @property
    def plain_count(self) -> int:
        return len(self._plain)

    @property
    def rests(self) -> list[tuple[str, str, str, str]]:
        """What can be said of the cards nobody has placed: value, label, what is heard, colour."""
        if not self.table.buried:
            return [(STOCK, "not dealt", "The rest was not dealt", "wide")]
        return [(p.value, f"to {p.label}", f"The rest to {p.title}", p.css) for p in self.piles if p.value != BURIED]

    @property
    def sweeper(self) -> str:
        return self.piled.sweeper or NOBODY

    @property
    def hint(self) -> str:
        """What is still to do, in two words."""
        if self.piled.trump is None or self.piled.rest_is_too_much:
            return ""
        return f"{len(self.piled.not_placed)} to place" if self.piled.not_placed else "every point is certain"

    # --- what it comes to ---

    @property
    def counts(self) -> list[tuple[Pile, int]]:
        counts = self.piled.counts
        return [(pile, counts[pile.value]) for pile in self.piles if pile.value in counts]

    @property
    def still_out(self) -> str:
        if self.piled.game_is_decided and self.piled.where:
            return "decided" if self.piled.still_out else "all counted"
        return f"{self.piled.still_out} still out"

    @property
    def chips(self) -> list[tuple[str, str, Pile | None, str]]:
        """Each point: its key, whose it is so far ("?" while that is open), and why it is nobody's."""
        return [(key, *self._chip(key)) for key in self.table.points]

    def _chip(self, key: str) -> tuple[str, Pile | None, str]:
        taken = self.piled.taken
        if taken is None or not self.piled.is_certain(key):
            return "?", None, "still open"
        score = taken.points[key]
        if score.side is None:
            return "–", None, score.why or "nobody"
        return self._pile_of[score.side].badge, self._pile_of[score.side], ""

    @property
    def holders(self) -> list[Holder]:
        """Whom the rules give the Low or the High card that they played, wherever it lies."""
        return [self._holder(key) for key in self.table.card_points if key in self.table.personal]

    def _holder(self, key: str) -> Holder:
        low = self.table.points[key].card == "lowest"
        trump, where = self.piled.trump, self.piled.where
        card = None
        if trump is not None and self.piled.is_certain(key):
            card = trump.lowest_of(where) if low else trump.highest_of(where)
        by = self.draft.low_by if low else self.draft.high_by
        return Holder("low_by" if low else "high_by", key, card, by, where.get(card) if card else None)

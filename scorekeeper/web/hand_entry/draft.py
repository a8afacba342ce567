"""A hand as far as it has been tapped, and what may still be tapped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from scorekeeper.models import POINTS
from scorekeeper.scoring.cards import Card, Suit
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.parts import Point, Special
from scorekeeper.scoring.table import BIDDING, DEFENDING, Seat, Side, Sides, Table

NOBODY = "nobody"
SWEEP = "sweep"
ALONE = "none"
ENDS = ("highest", "lowest")


class Faces(NamedTuple):
    """What trump and the buried cards tell of the points, by their keys.

    The card that each point is, where that is certain; the points whose card lies buried; and of two points on one
    card the earlier, by the later.
    """

    cards: Mapping[str, Card | None]
    gone: frozenset[str]
    leaders: Mapping[str, str]


@lru_cache(maxsize=2048)
def faces(table: Table, trump: Suit | None, buried: tuple[Card, ...]) -> Faces:
    """The cards of the points; most taps change none of them."""
    cards = {key: _face(table, point, trump, buried) for key, point in table.points.items()}
    gone = frozenset(key for key, card in cards.items() if table.points[key].card not in ENDS and card in buried)
    leaders, first = {}, dict[Card, str]()
    for key, card in cards.items():
        if card is not None and table.points[key].owner != "holder" and first.setdefault(card, key) != key:
            leaders[key] = first[card]
    return Faces(cards, gone, leaders if 0 < table.buried == len(buried) else {})


def _face(table: Table, point: Point, suit: Suit | None, buried: tuple[Card, ...]) -> Card | None:
    if suit is None:
        return None
    trump = table.trumps[suit]
    if point.key in trump.literal or table.rules.deck.undealt != "buried":
        return trump.literal.get(point.key)
    dealt = table.cards.difference(buried)
    found = {"highest": trump.highest_of, "lowest": trump.lowest_of}.get(point.card)
    return found(dealt) if found else None


@dataclass(frozen=True, slots=True)
class Draft:
    """What the form holds, field by field; what nobody has touched is None or missing.

    `bid` is a number or a special's name; `partner` a seat or "none"; `points` maps a point to a side or "nobody",
    and a point that is missing there goes to the bidding side. `detail` is the way in which the hand is put in, and
    what belongs to another way is kept all the same: `calls` seat by seat (None: a pass), where each card was
    `placed` and whose `rest` the others are, the cards of `plays` in the order in which they were played.
    """

    dealer: Seat
    bidder: Seat | None = None
    bid: int | str | None = None
    trump: str | None = None
    called: Card | None = None
    partner: Seat | str | None = None
    buried: tuple[Card, ...] = ()
    points: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[Side, int] = field(default_factory=dict)
    detail: str = POINTS
    by_seat: bool = False
    calls: tuple[int | None, ...] = ()
    placed: Mapping[Card, Side] = field(default_factory=dict)
    rest: str | None = None
    low_by: Side | None = None
    high_by: Side | None = None
    plays: tuple[Card, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been tapped yet, however the hand will be put in."""
        return replace(self, detail=POINTS, by_seat=False) == Draft(self.dealer)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any], score: HandScore) -> Draft:
        """A saved hand, opened again: every point says whose it was, whatever it was told by."""
        return cls(
            dealer=score.dealer,
            bidder=score.bidder,
            bid=facts.get("bid", score.bid),
            trump=facts.get("trump"),
            called=facts.get("called"),
            partner=_partner_of(score),
            buried=tuple(facts.get("buried", ())),
            points={key: point.side or NOBODY for key, point in score.points.items()},
            counts=facts.get("game_counts", {}),
        )

    def claimed(self, table: Table) -> dict[str, Any]:
        """Who took which point, as the game record has it, defaults filled in."""
        facts: dict[str, Any] = {"claims": self._claims(table)}
        if self.needs_sweep(table):
            facts["sweep"] = self.sweeper(table)
        if counts := self.all_counts(table):
            facts["game_counts"] = counts
        return facts

    def _claims(self, table: Table) -> dict[str, str | None]:
        counted = bool(self.counts)
        claims = {key: self.taker_of(table, key) for key in table.points if not self.is_buried(table, key)}
        return {key: side for key, side in claims.items() if not (counted and table.points[key].card == "game")}

    def settled(self, table: Table) -> Draft:
        """The same draft without what can no longer be: a buried point's side, a "nobody" that is not offered."""
        kept = {key: side for key, side in self.points.items() if self._may_have(table, key, side)}
        return self if kept == self.points else replace(self, points=kept)

    def _may_have(self, table: Table, key: str, side: str) -> bool:
        if key == SWEEP:
            return True
        if self.is_buried(table, key):
            return False
        return side != NOBODY or self.may_be_nobodys(table, table.points[key])

    # --- what follows from it ---

    def sides(self, table: Table) -> Sides | None:
        """Who plays with whom, once the bidder (and the partner, where one is called) is known."""
        if self.bidder is None:
            return None
        return table.sides(self.bidder, self.partner if isinstance(self.partner, int) else None)

    def side_names(self, table: Table) -> tuple[Side, ...]:
        return (BIDDING, DEFENDING) if table.changing_sides else table.units

    def usual_side(self, table: Table) -> Side | None:
        """Where every point goes that nobody has touched: the bidding side."""
        sides = self.sides(table)
        return sides.bidding if sides else None

    def taker_of(self, table: Table, key: str) -> Side | None:
        """Whose a point is as tapped: the usual side's unless somebody said otherwise, None for nobody."""
        side = self.points.get(self.leader_of(table, key) or key, self.usual_side(table))
        return None if side == NOBODY else side

    def leader_of(self, table: Table, key: str) -> str | None:
        """The earlier point that is the very same card (a Low that is a joker, say), so that one side has both."""
        return self._faces(table).leaders.get(key)

    def special(self, table: Table) -> Special | None:
        """The special that was bid, if it was one."""
        return next((special for special in table.rules.auction.specials if special.name == self.bid), None)

    def needs_sweep(self, table: Table) -> bool:
        """Whether the bid is only made by winning every trick, so that the table has to say if it did."""
        special = self.special(table)
        return special is not None and "every-trick" in special.needs

    def sweeper(self, table: Table) -> Side | None:
        """Who won every trick: as tapped, else the bidding side if it has every point that somebody has."""
        usual = self.usual_side(table)
        said = self.points.get(SWEEP)
        if said is not None:
            return None if said == NOBODY else said
        return usual if all(self.taker_of(table, key) in (usual, None) for key in table.points) else None

    def knows_all_buried(self, table: Table) -> bool:
        return table.buried > 0 and len(self.buried) == table.buried

    def card_of(self, table: Table, key: str) -> Card | None:
        """The card that is that point, as far as trump and the buried cards tell."""
        return self._faces(table).cards.get(key)

    def _faces(self, table: Table) -> Faces:
        return faces(table, self.trump, self.buried)

    def is_buried(self, table: Table, key: str) -> bool:
        """Whether the card that is that point lies buried, so that nobody can have it."""
        return key in self._faces(table).gone

    def may_be_nobodys(self, table: Table, point: Point) -> bool:
        """Whether a point can be nobody's: Game when tied, a named card while it may still be among the undealt."""
        if point.card == "game":
            return True
        if point.card in ENDS:
            return False
        return not self.knows_all_buried(table)

    def game_total(self, table: Table) -> int | None:
        """The Game count of all cards dealt, where that is known (80 less what is buried)."""
        if table.rules.deck.undealt != "buried" or (table.buried and not self.knows_all_buried(table)):
            return None
        return table.deck_value - sum(table.value[card] for card in self.buried)

    def all_counts(self, table: Table) -> dict[Side, int]:
        """The counts given, and the last side's worked out where the deck is known."""
        sides = self.side_names(table)
        missing = [side for side in sides if side not in self.counts]
        total = self.game_total(table)
        if len(missing) == 1 and self.counts and total is not None and (rest := total - sum(self.counts.values())) >= 0:
            return {**self.counts, missing[0]: rest}
        return dict(self.counts)


def _partner_of(score: HandScore) -> Seat | str | None:
    """The called partner of a hand, "none" for a bidder alone; None in games without a call."""
    if score.sides is None or score.sides.bidding != BIDDING:
        return None
    mates = [seat for seat, side in enumerate(score.sides.of_seat) if side == BIDDING and seat != score.bidder]
    return mates[0] if mates else ALONE

"""A hand as far as it has been tapped: what is known of it, whatever the way in which it is put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.models import POINTS
from scorekeeper.scoring.cards import UNKNOWN, Card
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.hand_record import ranks_turned_up
from scorekeeper.scoring.parts import Special
from scorekeeper.scoring.table import BIDDING, DEFENDING, Seat, Side, Sides, Table

NOBODY = "nobody"
SWEEP = "sweep"
ALONE = "none"


@dataclass(frozen=True, slots=True)
class Draft:
    """What the form holds, field by field; what nobody has touched is None or missing.

    `bid` is a number or a special's name; `partner` a seat or "none"; `points` maps a point to a side or "nobody",
    and a point that is missing there goes to the bidding side. `detail` is the way in which the hand is put in, and
    what belongs to another way is kept all the same: `calls` seat by seat (None: a pass), where each card was
    `placed` and whose `rest` the others are, the side that a point's card was `played_by`, the cards of `plays` in
    the order in which they were played. `turned` are the ranks turned up for trump, empty where none of them scores;
    `beg` is "gift" or "run" where somebody begged. `eldest_leads`: there is no bidding. `told` are the sentences that
    say what the last tap has thrown away, or why it was not taken.
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
    played_by: Mapping[str, Side] = field(default_factory=dict)
    plays: tuple[Card, ...] = ()
    turned: tuple[str, ...] = ()
    beg: str = ""
    eldest_leads: bool = False
    note: str = ""
    told: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any], score: HandScore) -> Draft:
        """A saved hand, opened again: every point with its side, in whatever mode it was entered."""
        turned = ranks_turned_up(facts.get("turned_up"))
        return cls(
            dealer=score.dealer,
            bidder=score.bidder,
            bid=score.bid,
            trump=facts.get("trump"),
            called=facts.get("called"),
            partner=_partner_of(score),
            buried=tuple(facts.get("buried", ())),
            points={key: point.side or NOBODY for key, point in score.points.items()},
            turned=() if turned == (UNKNOWN,) else turned,
            beg="gift" if facts.get("gift") else "run" if len(turned) > 1 else "",
            note=facts.get("note", ""),
        )

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been tapped yet, however the hand will be put in."""
        tapped = replace(self, bidder=None, bid=None, eldest_leads=False) if self.eldest_leads else self
        return replace(tapped, detail=POINTS, by_seat=False) == Draft(self.dealer)

    def at(self, table: Table) -> Draft:
        """The same draft; without bidding the player after the dealer leads, and there is no bid to tap."""
        if table.rules.auction.is_held:
            return self
        eldest = table.next_seat(self.dealer)
        return replace(self, bidder=eldest, bid=0, by_seat=False, calls=(), eldest_leads=True)

    def table_of(self, table: Table) -> Table:
        """The table with as many cards each as were dealt: more where the dealer has run the cards."""
        most = table.after_runs(0).most_runs
        return table.after_runs(min(len(self.turned) - 1, most)) if len(self.turned) > 1 else table

    def telling(self, *sentences: str) -> Draft:
        """The same draft, which says that too."""
        return replace(self, told=(*self.told, *sentences))

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

    def special(self, table: Table) -> Special | None:
        """The special that was bid, if it was one."""
        return next((special for special in table.rules.auction.specials if special.name == self.bid), None)

    def needs_sweep(self, table: Table) -> bool:
        """Whether the bid is only made by winning every trick, so that the table has to say if it did."""
        special = self.special(table)
        return special is not None and special.needs_every_trick

    def plays_alone(self, table: Table) -> bool:
        """Whether the bidder has to win every trick, and no partner may."""
        special = self.special(table)
        return special is not None and "every-trick-alone" in special.needs

    def knows_all_buried(self, table: Table) -> bool:
        return table.buried > 0 and len(self.buried) == table.buried


def _partner_of(score: HandScore) -> Seat | str | None:
    """The called partner of a hand, "none" for a bidder alone; None in games without a call."""
    if score.sides is None or score.sides.bidding != BIDDING:
        return None
    mates = [seat for seat, side in enumerate(score.sides.of_seat) if side == BIDDING and seat != score.bidder]
    return mates[0] if mates else ALONE

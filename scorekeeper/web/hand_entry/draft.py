"""A hand as far as it has been tapped: what is known of it, in whichever way it is put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from scorekeeper.models import POINTS
from scorekeeper.scoring.auction import Auction
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.play import PlaySoFar
from scorekeeper.scoring.rules.fields import Special
from scorekeeper.scoring.table import BIDDING, DEFENDING, Seat, Side, Sides, Table

NOBODY = "nobody"
SWEEP = "sweep"
ALONE = "none"
PASS = "pass"  # noqa: S105  (no password)
BURIED = "buried"
STOCK = "stock"  # the rest was not dealt


@dataclass(frozen=True)
class Draft:
    """What the form holds, field by field; what has not been tapped is None or missing.

    `base` is the table as it is before the dealer runs any cards. `bid` is a number or a special's name; `partner` a
    seat or "none"; `points` maps a point to a side or "nobody", and a point that is missing there goes to the bidding
    side. `detail` is the way in which the hand is put in, and what belongs to another way is kept all the same: `calls`
    seat by seat (None: a pass), where each card was `placed` and whose `rest` the others are, the side that a point's
    card was `played_by`, the cards of `plays` in the order in which they were played. `turned` are the ranks turned up
    for trump, empty where none of them scores; `beg` is "gift" or "run" after the eldest begged. `told` are the
    sentences that say what the last tap has thrown away, or why it was not taken.
    """

    base: Table = field(compare=False, repr=False)
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
    note: str = ""
    told: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def eldest_leads(self) -> bool:
        """Whether there is no bidding, so that the player after the dealer leads."""
        return not self.base.has_auction

    def without_bidding(self) -> Draft:
        """The same draft; with the leader in place of the bidder where there is no bidding."""
        if not self.eldest_leads:
            return self
        return replace(self, bidder=self.base.next_seat(self.dealer), bid=0, by_seat=False, calls=())

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been tapped yet, however the hand will be put in."""
        return replace(self, detail=POINTS, by_seat=False) == Draft(self.base, self.dealer).without_bidding()

    def telling(self, *sentences: str) -> Draft:
        """The same draft, which says that too."""
        return replace(self, told=(*self.told, *sentences))

    @cached_property
    def table(self) -> Table:
        """The table with as many cards each as were dealt: more after the dealer has run the cards."""
        runs = min(len(self.turned) - 1, self.base.most_runs)
        return self.base.after_runs(runs) if runs > 0 else self.base

    @cached_property
    def auction(self) -> Auction:
        """The bidding as it was tapped, up to the first call that the rules do not allow."""
        auction = Auction(self.base.rules.auction, self.base.players, self.dealer)
        for bid in self.calls:
            turn = auction.to_speak
            if auction.is_over or turn is None:
                break
            if not (auction.may_pass(turn) if bid is None else bid in auction.legal_bids(turn)):
                break
            auction.call(bid)
        return auction

    @cached_property
    def play(self) -> PlaySoFar | None:
        """The play so far; None until bidder and trump are known."""
        if self.bidder is None or self.trump is None:
            return None
        return PlaySoFar(self.table, self.table.trumps[self.trump], self.bidder, self.plays)

    @property
    def play_is_over(self) -> bool:
        return self.play is not None and self.play.is_over

    @cached_property
    def sides(self) -> Sides | None:
        """Who plays with whom, once the bidder (and the partner, where one is called) is known."""
        if self.bidder is None:
            return None
        return self.base.sides(self.bidder, self.partner if isinstance(self.partner, int) else None)

    @property
    def side_names(self) -> tuple[Side, ...]:
        return (BIDDING, DEFENDING) if self.base.changing_sides else self.base.units

    @property
    def usual_side(self) -> Side | None:
        """Where every point goes that has not been tapped: the bidding side."""
        return self.sides.bidding if self.sides else None

    @property
    def special(self) -> Special | None:
        """The special that was bid, if it was one."""
        return next((special for special in self.base.rules.auction.specials if special.name == self.bid), None)

    @property
    def needs_sweep(self) -> bool:
        """Whether the table has to say who won every trick: the bid asks for it, or it scores."""
        return self.sweep_scores or (self.special is not None and self.special.needs_every_trick)

    @property
    def sweep_scores(self) -> bool:
        """Whether winning every trick scores for any side that does, under a bid that does not ask for it."""
        return self.special is None and self.base.rules.settle.sweep > 0

    @property
    def plays_alone(self) -> bool:
        """Whether the bidder has to win every trick, and no partner may."""
        return self.special is not None and "every-trick-alone" in self.special.needs

    @property
    def steps(self) -> dict[str, str]:
        """The steps as the page's hidden fields hold them."""
        calls = " ".join(PASS if bid is None else str(bid) for bid in self.calls)
        return {"calls": calls, "plays": " ".join(self.plays)}

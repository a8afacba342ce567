"""A partly entered hand in any way of entry, the form it is parsed from, and its errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from scorekeeper.models import DETAILS, POINTS
from scorekeeper.scoring.auction import Auction
from scorekeeper.scoring.cards import RANKS, SUITS, UNKNOWN, Card
from scorekeeper.scoring.play import PlaySoFar, out_step
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.record import MOST_LETTERS, TURNED_UP
from scorekeeper.scoring.rules.fields import Special
from scorekeeper.scoring.table import BIDDING, DEFENDING, Seat, Side, Sides, Table
from scorekeeper.web.common.fields import (
    BROKEN,
    Input,
    Reader,
    is_token,
    one,
    one_line,
    one_of,
    parse_number,
    read_inputs,
    sentence_of,
    several,
    whole_number,
)
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import card_name, listed

from .warnings import CODES

if TYPE_CHECKING:
    from scorekeeper.services.drafts import Fields

    from .points import Points

NOBODY = "nobody"
SWEEP = "sweep"
ALONE = "none"
PASS = "pass"  # noqa: S105  (not a password)
REST = "rest"  # everyone still to bid passes
BURIED = "buried"
STOCK = "stock"  # the rest was not dealt
# Fields required to save a hand, in page order; the called card only as long as its holder is not known.
PROMPTS = {
    "bidder": "Who bid? Tap a name.",
    "bid": "How much was bid? Tap a number.",
    "trump": "What was trump? Tap a suit.",
    "called": "Tap the called card.",
    "partner": "Who had the called card? Tap a name, or “nobody else”.",
}


@dataclass(frozen=True)
class Draft:
    """The content of the form; untapped values are None or missing.

    `base` is the table before the dealer runs cards. `bid` is a number or a special's name; `partner` a seat or "none";
    `points` maps a point to a side or "nobody", and missing points go to the bidding side. `detail` is the way of
    entry; data of the other ways is kept: `calls` by seat (None: a pass), the pile where each card is `placed` and the
    `rest` goes, the side a point's card was `played_by`, and `plays`, the cards in the order played. `turned` are the
    ranks turned up for trump, empty if none scores; `beg` is "gift" or "run" after the eldest begged. `notices` are
    notices on what the last tap discarded or why it was rejected; `tried` is a card that was rejected because it
    reveals a revoke.
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
    notices: tuple[str, ...] = field(default=(), compare=False)
    tried: Card | None = field(default=None, compare=False)

    @cached_property
    def eldest_leads(self) -> bool:
        """True if there is no bidding, so that the player after the dealer leads."""
        return not self.base.has_auction

    def without_bidding(self) -> Draft:
        """Return the draft; without bidding, with the leader as bidder."""
        if not self.eldest_leads:
            return self
        return replace(self, bidder=self.base.next_seat(self.dealer), bid=0, by_seat=False, calls=())

    @property
    def is_blank(self) -> bool:
        """True if nothing has been tapped, apart from the way of entry."""
        return replace(self, detail=POINTS, by_seat=False) == Draft(self.base, self.dealer).without_bidding()

    def with_piles(self, placed: Mapping[Card, Side]) -> Draft:
        """Return the draft with complete piles; with a stock, the rest was not dealt."""
        stocked = not self.table.sees_buried and len(placed) < self.table.dealt
        return replace(self, placed=placed, rest=STOCK if stocked else None)

    def with_notices(self, *sentences: str) -> Draft:
        """Return the draft with notices added."""
        return replace(self, notices=(*self.notices, *sentences))

    @cached_property
    def table(self) -> Table:
        """The table with the number of cards dealt, which is higher after the dealer has run cards."""
        runs = min(len(self.turned) - 1, self.base.most_runs)
        return self.base.after_runs(runs) if runs > 0 else self.base

    @cached_property
    def auction(self) -> Auction:
        """The bidding as tapped, up to the first call that is not allowed."""
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
        """The sides, once the bidder is known (and the partner, if called); otherwise None."""
        if self.bidder is None:
            return None
        return self.base.sides(self.bidder, self.partner if isinstance(self.partner, int) else None)

    @property
    def side_names(self) -> tuple[Side, ...]:
        return (BIDDING, DEFENDING) if self.base.changing_sides else self.base.units

    @property
    def usual_side(self) -> Side | None:
        """The side that gets untapped points: the bidding side."""
        return self.sides.bidding if self.sides else None

    @property
    def special(self) -> Special | None:
        """The special that was bid, or None."""
        return next((special for special in self.base.rules.auction.specials if special.name == self.bid), None)

    @property
    def needs_sweep(self) -> bool:
        """True if it must be known who won every trick: the bid requires it, or it scores."""
        return self.sweep_scores or (self.special is not None and self.special.needs_every_trick)

    @property
    def sweep_scores(self) -> bool:
        """True if winning every trick scores for any side, under a bid that does not require it."""
        return self.special is None and self.base.rules.settle.sweep > 0

    def sweeper_or(self, usual: Side | None) -> Side | None:
        """Who won every trick, as tapped; else `usual`, unless it scores: then nobody did before it is tapped."""
        said = self.points.get(SWEEP)
        if said is not None or self.sweep_scores:
            return None if said == NOBODY else said
        return usual

    @property
    def plays_alone(self) -> bool:
        """True if the bidder must win every trick alone."""
        return self.special is not None and "every-trick-alone" in self.special.needs

    @property
    def steps(self) -> dict[str, str]:
        """Calls and plays as in the page's hidden fields."""
        calls = " ".join(PASS if bid is None else str(bid) for bid in self.calls)
        return {"calls": calls, "plays": " ".join(self.plays)}


def bids_to_tap(table: Table) -> tuple[int | str, ...]:
    """Bids offered by the form: 0 if hands can be played without a bid; specials by name."""
    auction, nothing = table.rules.auction, (0,) if table.plays_without_bid else ()
    return (
        *nothing,
        *(bid for bid in auction.levels if bid <= auction.max),
        *(special.name for special in auction.specials),
    )


# --- the form ---------------------------------------------------------------------------------------------------------

MOST_HANDS = 100_000
PAGE = "page"  # key in a saved draft for the page it was tapped on
LONGEST_BIDDING = 100
NO_SUCH_CARD = "That card is not in this deck. Tap another."
DRAFT_FIELDS = Draft.__dataclass_fields__.keys()


class HandForm:
    """A posted form of a hand; the values of its inputs are attributes, named as in `inputs_of`.

    `errors` are sentences by place on the page. `step` is the step tapped: its name and value. `was` is the `detail` of
    the page on which it was tapped, `pile` the one to which tapped cards go.
    """

    # Fields that are not part of a draft.
    position: int | None = None
    hand_version: int | None = None
    version: int | None = None
    was: str | None = None
    pile: str | None = None
    unfold: Sequence[str] = ()
    warned: Sequence[str] = ()
    step: Mapping[str, Any] | None = None

    def __init__(self, table: Table, posted: Fields) -> None:
        self.table, self.posted = table, posted
        self.token = self.typed("token")
        values, errors = read_inputs(inputs_of(table), posted)
        vars(self).update(values)
        if not is_token(self.token):
            errors = {"token": [BROKEN], **errors}
        self.errors = {PLACES.get(name, name): sentences for name, sentences in errors.items()}

    def typed(self, name: str) -> str:
        """The text of an input as typed."""
        return next(iter(self.posted.get(name, ())), "")

    @property
    def page(self) -> str:
        """Identifies an open page; a prefix of the token, which itself is secret."""
        return self.token[:8]

    def draft(self, dealer: Seat) -> Draft:
        """The draft as tapped; `dealer` is used if the form names none."""
        tapped = {"dealer": dealer} | {name: value for name, value in vars(self).items() if name in DRAFT_FIELDS}
        placed = tapped.get("placed", {})
        buried = (*tapped.get("buried", ()), *(card for card, pile in placed.items() if pile == BURIED))
        tapped |= {
            "buried": tuple(dict.fromkeys(buried)),
            "by_seat": "by_seat" in tapped,
            "placed": {card: pile for card, pile in placed.items() if card not in buried},
            "turned": _turned(tapped.get("turned", {}), tapped.get("beg")),
        }
        return Draft(self.table, **tapped).without_bidding()


def _turned(ranks: Mapping[str, str], beg: str | None) -> tuple[str, ...]:
    """Ranks turned up, in order; empty if there was one and it does not score."""
    turned = [ranks.get("0", UNKNOWN)]
    if beg == "run":
        turned.append(ranks.get("1", UNKNOWN))
        more = (ranks.get(str(place), "") for place in range(2, len(RANKS)))
        turned += takewhile(bool, more)
    return () if turned == [UNKNOWN] else tuple(turned)


@lru_cache(maxsize=64)
def inputs_of(table: Table) -> dict[str, Input]:
    """The inputs of the form by name, with those for each thing that can be tapped under a table's rules."""
    seats, auction, sides = tuple(table.seats), table.rules.auction, Draft(table, 1).side_names
    steps = (*table.cards, *map(out_step, table.seats)) if table.short_tricks else table.cards
    turned = map(str, range(table.most_runs + 1)) if table.rules.trump.is_turned_up else ()
    call = one_of((None, *auction.levels), BROKEN, lambda word: None if word == PASS else int(word))
    number, play, most = whole_number(0, 999_999_999), several(one_of(steps)), table.deck_value
    way = one(one_of(DETAILS))
    single = {
        "position": one(whole_number(1, MOST_HANDS)),
        "hand_version": one(number),
        "trump": one(one_of(tuple(SUITS), PROMPTS["trump"])),
        "warned": several(one_of(CODES)),
        "unfold": several(one_of(("all", "call", "called", "buried"))),
        "detail": way,
        "was": way,
        "by_seat": one(one_of(("on",))),
        "note": one(one_line(MOST_LETTERS, f"This note is too long. Shorten it to {MOST_LETTERS} letters.")),
        "version": one(number),
        "dealer": one(one_of(seats, "Who dealt? Tap a name.", int)),
        "bidder": one(one_of(seats, PROMPTS["bidder"], int)),
        "bid": one(one_of(bids_to_tap(table), "These rules have no such bid. Tap another.", _number_or_name)),
        "calls": lambda texts: tuple(map(call, " ".join(texts).split()[:LONGEST_BIDDING])),
        "called": one(one_of(table.cards, NO_SUCH_CARD)),
        "partner": one(one_of((*seats, ALONE), PROMPTS["partner"], _number_or_name)),
        "beg": one(one_of(("gift", "run"))),
        "buried": several(one_of(table.cards if table.buried else (), NO_SUCH_CARD)),
        "pile": one(one_of((*sides, BURIED))),
        "rest": one(one_of(sides if table.buried else (STOCK,))),
        "plays": lambda texts: play(" ".join(texts).split()),
    }
    piles = one_of((*sides, BURIED) if table.buried else sides, "There is no such pile. Tap another.")
    takers = one_of((*sides, NOBODY), "They cannot have this point. Tap another.")
    groups: dict[str, tuple[str, Iterable[str], Reader]] = {
        "turned": ("turned-", turned, one_of(TURNED_UP)),
        "placed": ("at-", table.deck, piles),
        "played_by": ("by-", table.card_points, one_of(sides)),
        "points": ("point-", (*table.points, SWEEP), takers),
        "counts": ("count-", sides, whole_number(0, most, f"Card points are a number from 0 to {most}.")),
    }
    step = {
        "call": one_of((PASS, REST, *auction.levels), BROKEN, _number_or_name),
        "unsay": number,
        "play": one_of(steps, NO_SUCH_CARD),
        "back": number,
    }
    return (
        {name: Input(name, None, read) for name, read in single.items()}
        | {start + key: Input(of, key, one(read)) for of, (start, keys, read) in groups.items() for key in keys}
        | {name: Input("step", name, one(read)) for name, read in step.items()}
    )


def _number_or_name(text: str) -> int | str:
    return text if (number := parse_number(text)) is None else number


# --- problems of the scoring core: place on the page, and sentence in players' terms ----------------------------

SENTENCES = {
    "after-the-end": "This game is over. Correct a hand on the score sheet, or play again.",
    "partner-is-bidder": "A bidder who has the called card plays alone. Tap “nobody else”.",
    "wrong-partner": "The called card is buried. Tap “nobody else”.",
    "not-trump": "Only a trump can be called. Tap another card.",
    "lone-trump": "High and Low are one card here. Tap the same for both.",
    "count-missing": "Enter the others’ card points too, or tap the buried cards.",
    "sweep": "Whoever took every trick took these points too. Change one.",
}
PLACES = {
    "claims": "points",
    "game_counts": "counts",
    "bids": "bidder",
    "piles": "cards",
    "low_by": "cards",
    "high_by": "cards",
    "played_by": "cards",
    "sweep": "points",
    "tricks": "play",
    "step": "play",
    "gift": "turned_up",
    "misdeal": "turned_up",
    "beg": "turned_up",
}


def place_of(problem: Problem) -> str:
    """The place on the page for a problem of the scoring core."""
    at = problem.at.partition("].")[2] if problem.at.startswith("hands[") else problem.at
    if at.startswith("claims."):
        return at.removeprefix("claims.")
    name = at.partition(".")[0].partition("[")[0]
    return PLACES.get(name, name) or "points"


def sentence_for(problem: Problem, points: Points) -> str:
    """A problem of the scoring core in players' terms."""
    table, code = points.table, problem.code
    if code == "too-many-cards" and problem.at == "piles":
        return f"Only {table.dealt} cards are dealt. Take some out of the piles."
    if code == "too-many-cards":
        return f"Only {counted(table.buried, 'card')} can be buried. You tapped {len(points.draft.buried)}."
    if code == "count-too-high":
        most = table.deck_value if points.total is None else points.total
        return f"The card points add up to more than {most}. Check both numbers."
    if code == "same-card":
        card = points.cards.get(place_of(problem))
        both = listed([point.name for key, point in table.points.items() if points.cards.get(key) == card])
        return f"The {card_name(card) if card else 'card'} is both {both}. Tap the same for both."
    return SENTENCES.get(code) or sentence_of(problem)

"""One hand from the deal to its facts, told at any level of detail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from scorekeeper.scoring.auction import Call
from scorekeeper.scoring.cards import Card, Suit
from scorekeeper.scoring.facts import NOT_SAID, Hand
from scorekeeper.scoring.hand import HandScore, outcome_of, score_hand
from scorekeeper.scoring.play import Trick
from scorekeeper.scoring.table import Seat, Side, Sides, Table, Unit

from .bidding import Bidder, hold_auction, make_bidder
from .card_values import ground_of
from .dealing import NOTHING_TURNED, TurnedUp, deal, draw, turn_up
from .evaluation import call_partner
from .player_style import PlayerStyle
from .playing import Company, Playing

PLAY, PILES, COUNTS, CLAIMS = DETAILS = ("play", "piles", "counts", "claims")
NEAR_THE_END = 4  # points from the target at which the others begin to dare more


class Played(NamedTuple):
    """A hand played out: all its facts, and the winner of each trick."""

    hand: Hand
    winners: tuple[Seat, ...] = ()


def play_hand(
    table: Table, rng: Random, styles: Sequence[PlayerStyle], dealer: Seat, totals: Mapping[Unit, int]
) -> Played:
    """Deal, bid and play one hand."""
    hands, stock = deal(table, rng)
    turned = turn_up(table, hands, stock, dealer, totals) if table.rules.trump.is_turned_up else NOTHING_TURNED
    if turned.is_redealt:
        return Played(Hand(dealer=dealer, turned_up=turned.ranks))
    left = list(turned.stock) if turned.ranks else stock
    table = table.after_runs(len(turned.ranks or "x") - 1)
    bidders = [_look(table, rng, styles, seat, hands[seat], totals, turned.suit) for seat in table.seats]
    if not table.rules.auction.is_held:
        eldest = table.next_seat(dealer)
        dealt = Deal(dealer, None, eldest, 0, hands, left, turned)
        return _play_out(table, rng, styles, dealt, bidders[eldest - 1])
    auction = hold_auction(table, bidders, dealer, totals)
    calls = tuple(auction.calls)
    bidder, bid = outcome_of(table, auction)
    if bidder is None or bid is None:
        return Played(Hand(dealer=dealer, bids=calls, turned_up=turned.ranks))
    dealt = Deal(dealer, calls, bidder, bid, hands, left, turned)
    return _play_out(table, rng, styles, dealt, bidders[bidder - 1])


class Deal(NamedTuple):
    """A hand whose bidding is over."""

    dealer: Seat
    calls: tuple[Call, ...] | None
    bidder: Seat
    bid: int
    hands: list[list[Card]]
    stock: list[Card]
    turned: TurnedUp


def _look(
    table: Table,
    rng: Random,
    styles: Sequence[PlayerStyle],
    seat: Seat,
    hand: Sequence[Card],
    totals: Mapping[Unit, int],
    trump: Suit | None,
) -> Bidder:
    own = table.unit_of[seat]
    close = max(total for unit, total in totals.items() if unit != own) >= table.rules.win.target - NEAR_THE_END
    return make_bidder(table, hand, styles[seat - 1], close, rng, trump)


def _play_out(table: Table, rng: Random, styles: Sequence[PlayerStyle], dealt: Deal, bidder: Bidder) -> Played:
    ground = ground_of(table, bidder.prospect.suit)
    aside = draw(ground, dealt.hands, dealt.stock, dealt.dealer, dealt.bidder)
    called = call_partner(ground, dealt.hands[dealt.bidder]) if table.calls_partner else None
    partner = _holder(dealt.hands, called, dealt.bidder) if called else NOT_SAID
    sides = table.sides(dealt.bidder, None if partner is NOT_SAID else partner)
    company = Company(sides.of_seat, dealt.bidder, called)
    playing = Playing(ground, dealt.hands, company, tuple(styles), rng)
    playing.play(dealt.bidder)
    hand = Hand(
        dealer=dealt.dealer, bids=dealt.calls, bidder=dealt.bidder, bid=dealt.bid, trump=ground.trump.suit,
        turned_up=dealt.turned.ranks, gift=dealt.turned.gift or None, called=called, partner=partner,
        buried=tuple(aside) if table.buried else None, tricks=tuple(playing.tricks),
    )  # fmt: skip
    return Played(hand, tuple(playing.winners))


def _holder(hands: list[list[Card]], card: Card, bidder: Seat) -> Seat | None:
    seat = next((seat for seat, hand in enumerate(hands) if card in hand), None)
    return None if seat == bidder else seat


# --- telling it -------------------------------------------------------------------------------------------------


def tell(table: Table, played: Played, detail: str = CLAIMS, *, auction: bool = False) -> Hand:
    """The facts of a hand at one level of detail, with or without the whole auction."""
    return tell_scored(table, played, score_hand(table, played.hand), detail, auction=auction)


def tell_scored(table: Table, played: Played, score: HandScore, detail: str, *, auction: bool) -> Hand:
    """Like `tell`, of a hand whose score is known."""
    if detail not in DETAILS:
        raise ValueError(f"a hand is told by {', '.join(DETAILS)}, not by {detail}")
    if score.sides is None:
        return played.hand
    hand = played.hand if auction else played.hand._replace(bids=None)
    if detail == PLAY:
        return hand
    facts = _piles(table, played, score.sides) if detail == PILES else _claims(table, score, detail)
    if score.bid in table.specials:
        facts |= _sweep(played, score.sides, alone="every-trick-alone" in table.specials[score.bid or 0].needs)
    return hand._replace(tricks=None, **facts)


def _claims(table: Table, score: HandScore, detail: str) -> dict[str, Any]:
    claims = {key: point.side for key, point in score.points.items()}
    if detail == CLAIMS or table.game_key is None:
        return {"claims": claims, **_captured(table, score)}
    del claims[table.game_key]
    return {"claims": claims, "game_counts": score.counts, **_captured(table, score)}


def _captured(table: Table, score: HandScore) -> dict[str, Any]:
    """Who played the cards that are worth more when captured, of two sides."""
    sides = score.sides.names if score.sides else ()
    players = {
        key: next(side for side in sides if (side != score.points[key].side) == score.points[key].captured)
        for key in table.captured
        if score.points[key].side is not None
    }
    return {"played_by": players} if players else {}


def _piles(table: Table, played: Played, sides: Sides) -> dict[str, Any]:
    tricks = played.hand.tricks or ()
    piles: dict[str | int, tuple[Card, ...]] = dict.fromkeys(sides.names, ())
    for trick, winner in zip(tricks, played.winners, strict=True):
        piles[sides.of_seat[winner]] += trick.cards
    ends = {"first-trick": played.winners[:1], "last-trick": played.winners[-1:]}
    won = {key: sides.of_seat[ends[name][0]] for name, key in table.trick_points.items() if ends[name]}
    told = {"tricks_won": won} if won else {}
    return {"piles": piles, **told} | _by_whom(table, played.hand.trump or "", tricks, sides)


def _by_whom(table: Table, suit: Suit, tricks: tuple[Trick, ...], sides: Sides) -> dict[str, Any]:
    """Who played the card of Low, of High, and of each other point that counts for its player."""
    trump = table.trumps[suit]
    player = {card: seat for trick in tricks for card, seat in _players(table, trick)}
    told: dict[str, Any] = {}
    played_by: dict[str, Side] = {}
    for key in table.by_player:
        card = trump.card_of(table.points[key], player)
        name = {table.low_key: "low_by", table.high_key: "high_by"}.get(key)
        if card in player and name:
            told[name] = sides.of_seat[player[card]]
        elif card in player:
            played_by[key] = sides.of_seat[player[card]]
    return told | ({"played_by": played_by} if played_by else {})


def _players(table: Table, trick: Trick) -> list[tuple[Card, Seat]]:
    return list(zip(trick.cards, trick.seats or table.seats_from(trick.lead or 1), strict=False))


def _sweep(played: Played, sides: Sides, *, alone: bool) -> dict[str, Any]:
    if alone and len(set(played.winners)) > 1:
        return {}
    won = {sides.of_seat[seat] for seat in played.winners}
    return {"sweep": won.pop()} if len(won) == 1 else {}

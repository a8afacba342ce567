"""One simulated hand, from the deal to its facts at any level of detail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from scorekeeper.scoring.auction import Auction
from scorekeeper.scoring.cards import SUITS, Card, Suit
from scorekeeper.scoring.facts import NOT_GIVEN, Hand
from scorekeeper.scoring.game import Game, GameScore, replay
from scorekeeper.scoring.hand import Contract, HandScore, contract_of_auction, score_allows, score_hand
from scorekeeper.scoring.hand_facts import Facts
from scorekeeper.scoring.play import Trick, legal_cards, trick_winner
from scorekeeper.scoring.record import write_hand
from scorekeeper.scoring.table import Seat, Side, Sides, Table, Unit

from .evaluation import HandFeatures, PlayerStyle, SuitValues, call_partner, chances, evaluate, suit_values

Fields = dict[str, Any]  # some fields of a Hand
PLAY, PILES, COUNTS, CLAIMS = DETAILS = ("play", "piles", "counts", "claims")
NEAR_THE_END = 4  # points below the target at which the others begin to bid more boldly


class PlayedHand(NamedTuple):
    """A hand played out: all its facts, and the winner of each trick."""

    hand: Hand
    winners: tuple[Seat, ...] = ()


def play_hand(
    table: Table, rng: Random, styles: Sequence[PlayerStyle], dealer: Seat, totals: Mapping[Unit, int]
) -> PlayedHand:
    """Deal, bid and play one hand."""
    hands, stock = deal(table, rng)
    turned = turn_up(table, hands, stock, dealer, totals) if table.rules.trump.is_turned_up else TurnedUp(stock)
    hand = Hand(dealer=dealer, turned_up=turned.ranks or None)
    if turned.is_redealt:
        return PlayedHand(hand)
    table = table.after_runs(max(0, len(turned.ranks) - 1))
    bidders = [
        make_bidder(table, rng, styles[seat - 1], seat, hands[seat], totals, turned.suit) for seat in table.seats
    ]
    bidder: Seat | None = table.next_seat(dealer)
    bid: int | None = 0
    if table.rules.auction.is_held:
        auction = hold_auction(table, bidders, dealer, totals)
        hand = hand._replace(bids=tuple(auction.calls))
        bidder, bid = contract_of_auction(table, auction)
    if bidder is None or bid is None:
        return PlayedHand(hand)
    values = bidders[bidder - 1].judged.values
    aside = draw(values, hands, turned.stock, dealer, bidder)
    called, partner = None, NOT_GIVEN
    if table.calls_partner:
        called = call_partner(values, hands[bidder])
        holder = next((seat for seat, held in enumerate(hands) if called in held), None)
        partner = None if holder == bidder else holder
    sides = table.sides(bidder, None if partner is NOT_GIVEN else partner)
    playing = Playing(values, hands, sides.of_seat, bidder, called, styles, rng)
    playing.play(bidder)
    hand = hand._replace(
        bidder=bidder, bid=bid, trump=values.trump.suit, gift=turned.gift or None, called=called, partner=partner,
        buried=tuple(aside) if table.buried else None, tricks=tuple(playing.tricks),
    )  # fmt: skip
    return PlayedHand(hand, tuple(playing.winners))


MOST_HANDS = 500  # a game that is not won by then is left unfinished


def play_game(
    table: Table,
    rng: Random,
    styles: Sequence[PlayerStyle],
    first_dealer: Seat,
    start: Mapping[Unit, int] | None = None,
) -> tuple[list[PlayedHand], GameScore]:
    """The hands of a game up to its end, and their score."""
    hands: list[PlayedHand] = []
    score = replay(Game(table, start=start))
    while score.outcome is None and len(hands) < MOST_HANDS:
        dealer = score.next_dealer or first_dealer
        hands.append(play_hand(table, rng, styles, dealer, score.totals))
        scored = score_hand(table, hands[-1].hand, dealer, score.totals)
        score = replay(Game(table, tuple(one.hand for one in hands), start=start), (*score.hands, scored))
    return hands, score


def simulate_hand(
    table: Table,
    rng: Random,
    styles: Sequence[PlayerStyle],
    dealer: Seat,
    totals: Mapping[Unit, int],
    *,
    detail: str = CLAIMS,
    auction: bool = False,
) -> Facts:
    """The facts of one hand, as a game record has them, at a level of detail (`play`, `piles`, `counts`, `claims`)."""
    return write_hand(facts_of(table, play_hand(table, rng, styles, dealer, totals), detail, auction=auction))


# --- levels of detail -------------------------------------------------------------------------------------------


def facts_of(
    table: Table, played: PlayedHand, detail: str = CLAIMS, *, auction: bool = False, score: HandScore | None = None
) -> Hand:
    """The facts of a hand at one level of detail, with or without the auction; `score` saves scoring it again."""
    score = score or score_hand(table, played.hand)
    if score.sides is None:
        return played.hand
    hand = played.hand if auction else played.hand._replace(bids=None)
    if detail == PLAY:
        return hand
    sides = score.sides
    facts = _piles(table, played, sides) if detail == PILES else _claims(table, score, sides, detail)
    special = table.specials.get(score.bid or 0)
    alone = special is not None and "every-trick-alone" in special.needs
    won = {sides.of_seat[seat] for seat in played.winners}
    if (special or table.rules.settle.sweep) and len(set(played.winners) if alone else won) == 1:
        facts["sweep"] = won.pop()
    return hand._replace(tricks=None, **facts)


def _claims(table: Table, score: HandScore, sides: Sides, detail: str) -> Fields:
    """The points as claims, and the players of cards that are worth more when captured; assumes two sides for those."""
    claims = {key: point.side for key, point in score.points.items()}
    facts: Fields = {"claims": claims}
    if detail == COUNTS and table.game_key is not None:
        del claims[table.game_key]
        facts["game_counts"] = score.counts
    players = {
        key: next(side for side in sides.names if (side != score.points[key].side) == score.points[key].captured)
        for key in table.captured
        if score.points[key].side is not None
    }
    return facts | ({"played_by": players} if players else {})


def _piles(table: Table, played: PlayedHand, sides: Sides) -> Fields:
    tricks = played.hand.tricks or ()
    piles: dict[str | int, tuple[Card, ...]] = dict.fromkeys(sides.names, ())
    for trick, winner in zip(tricks, played.winners, strict=True):
        piles[sides.of_seat[winner]] += trick.cards
    ends = {"first-trick": played.winners[:1], "last-trick": played.winners[-1:]}
    won = {key: sides.of_seat[ends[name][0]] for name, key in table.trick_points.items() if ends[name]}
    told = {"tricks_won": won} if won else {}
    return {"piles": piles, **told} | _by_whom(table, played.hand.trump or "", tricks, sides)


def _by_whom(table: Table, suit: Suit, tricks: tuple[Trick, ...], sides: Sides) -> Fields:
    """The sides that played the cards of Low, of High, and of each other point that depends on its player."""
    trump = table.trumps[suit]
    seated = ((trick.cards, trick.seats or table.seats_from(trick.lead or 1)) for trick in tricks)
    player = {card: seat for cards, seats in seated for card, seat in zip(cards, seats, strict=False)}
    told: Fields = {}
    played_by: dict[str, Side] = {}
    for key in table.by_player:
        card = trump.card_of(table.points[key], player)
        name = {table.low_key: "low_by", table.high_key: "high_by"}.get(key)
        if card in player and name:
            told[name] = sides.of_seat[player[card]]
        elif card in player:
            played_by[key] = sides.of_seat[player[card]]
    return told | ({"played_by": played_by} if played_by else {})


MOST_DRAWN = {"up-to-3": 3, "up-to-4": 4, "up-to-4-with-ace": 4}


def deal(table: Table, rng: Random) -> tuple[list[list[Card]], list[Card]]:
    """Each seat's cards (index 0 is empty), and the rest of the pack. No seat is dealt fewer cards than it plays."""
    deck, each = rng.sample(table.deck, len(table.deck)), max(table.deal, table.hand)
    return [[], *(deck[seat * each : (seat + 1) * each] for seat in range(table.players))], deck[each * table.players :]


class TurnedUp(NamedTuple):
    """The result of turning a card up for trump: the rest of the pack, the ranks, the suit.

    `gift`: the dealer has given the beggar points. `is_redealt`: the pack has run out, and nothing is played.
    """

    stock: list[Card]
    ranks: tuple[str, ...] = ()
    suit: Suit | None = None
    gift: bool = False
    is_redealt: bool = False


ENOUGH_TRUMPS = 2  # with fewer a player begs for another trump


def turn_up(
    table: Table, hands: list[list[Card]], stock: list[Card], dealer: Seat, totals: Mapping[Unit, int]
) -> TurnedUp:
    """Turn a card up; the eldest begs with few trumps, and then the dealer gives points or runs the cards."""
    rules, eldest = table.rules.trump, table.next_seat(dealer)
    card, stock = stock[0], stock[1:]
    suit = card[1] if card[0] != "X" else "S"
    turned = TurnedUp(stock, (_rank(card),), suit)
    if not rules.may_beg or _has_enough_trumps(hands[eldest], suit):
        return turned
    wins = any(totals[unit] + rules.gift >= table.rules.win.target for unit in table.gift_units(dealer))
    if rules.gift and (not table.most_runs or (_has_enough_trumps(hands[dealer], suit) and not wins)):
        return turned._replace(gift=True)
    ranks = turned.ranks
    for _ in range(table.most_runs):  # deal more cards and turn another one up, until its suit differs
        for seat in table.seats:
            hands[seat], stock = hands[seat] + stock[: rules.run], stock[rules.run :]
        card, stock = stock[0], stock[1:]
        ranks += (_rank(card),)
        if card[0] != "X" and card[1] != suit:
            return TurnedUp(stock, ranks, card[1])
    return TurnedUp(stock, ranks, is_redealt=True)


def _has_enough_trumps(hand: list[Card], suit: Suit) -> bool:
    return sum(card[1] == suit for card in hand) >= ENOUGH_TRUMPS


def _rank(card: Card) -> str:
    """The card's value in `turned_up`."""
    return card if card[0] == "X" else card[0]


def draw(values: SuitValues, hands: list[list[Card]], stock: list[Card], dealer: Seat, bidder: Seat) -> list[Card]:
    """Discard and draw in turn, from the dealer's left on; returns the cards that are out of play.

    If the lead sets trump, the bidder is assumed to have named the suit before this.
    """
    table, aside = values.table, []
    deck = table.rules.deck
    if table.kitty or table.deal != table.hand or deck.rob != "nobody":
        return _draw_down(values, hands, stock, dealer, bidder)
    if deck.draw == "none":
        return stock
    for seat in table.seats_from(table.next_seat(dealer)):
        thrown = discards(values, hands[seat])[: len(stock)]
        hands[seat] = [card for card in hands[seat] if card not in thrown] + stock[: len(thrown)]
        stock = stock[len(thrown) :]
        aside += thrown
    return stock + aside


def _draw_down(
    values: SuitValues, hands: list[list[Card]], stock: list[Card], dealer: Seat, bidder: Seat
) -> list[Card]:
    """Reduce every hand to one card per trick; the kitty is taken, and the pack robbed, by the rules."""
    table, deck = values.table, values.table.rules.deck
    kitty, stock = stock[: table.kitty], stock[table.kitty :]
    aside = [] if deck.kitty_to == "bidder" else kitty
    if deck.kitty_to == "bidder":
        hands[bidder] = hands[bidder] + kitty
    robber = {"dealer": dealer, "bidder": bidder}.get(deck.rob)
    for seat in table.seats_from(table.next_seat(dealer)):
        if seat != robber:
            wanted = 0 if deck.draw in ("none", "discard") else table.hand
            keep = best_of(values, hands[seat], table.hand, trumps_only=bool(wanted))
            drawn, stock = stock[: max(0, wanted - len(keep))], stock[max(0, wanted - len(keep)) :]
            thrown = [card for card in hands[seat] if card not in keep]
            short = table.hand - len(keep) - len(drawn)  # if the pack runs out, cards are kept instead
            hands[seat], aside = keep + drawn + thrown[:short], aside + thrown[short:]
    if robber is not None:
        pool = hands[robber] + stock
        hands[robber], stock = best_of(values, pool, table.hand, trumps_only=False), []
        aside += [card for card in pool if card not in hands[robber]]
    return stock + aside


def best_of(values: SuitValues, cards: list[Card], number: int, *, trumps_only: bool) -> list[Card]:
    """The cards to keep, at most `number`: trumps before all others, then point cards, then high cards."""
    trumps = values.trump.trumps

    def use(card: Card) -> tuple[bool, bool, float]:
        return card in trumps, values.price[card] >= 1, values.hold[card]

    wanted = [card for card in cards if card in trumps] if trumps_only else cards
    return sorted(wanted, key=use, reverse=True)[:number]


def discards(values: SuitValues, hand: list[Card]) -> list[Card]:
    """The cards to discard: never a trump, the least useful first."""
    way = values.table.rules.deck.draw
    plain = sorted((card for card in hand if card not in values.trump.trumps), key=values.hold.__getitem__)
    if way == "non-trump":
        return plain
    most = MOST_DRAWN.get(way, 0)
    if way == "up-to-4-with-ace" and not any(card[0] == "A" and card not in plain[:most] for card in hand):
        most = 3
    return plain[:most]


SURE_ENOUGH = 0.66  # required probability of making a bid
BOLD = 0.1  # reduction of it at a boldness of 1
HASTE = 0.1  # and for every player, while another unit is about to win
SPARING = 0.4  # probability of bidding one less than possible
MISJUDGED = 1.6  # standard deviation of the estimate without any skill, in points


def at_least(points: Iterable[tuple[int, float]]) -> tuple[float, ...]:
    """From each point's (worth, probability) to the probabilities of taking at least 0, 1, 2, ... in all."""
    exactly = [1.0]
    for worth, chance in points:
        grown = [share * (1 - chance) for share in exactly] + [0.0] * worth
        for taken, share in enumerate(exactly):
            grown[taken + worth] += share * chance
        exactly = grown
    return tuple(accumulate(reversed(exactly)))[::-1]


class Bidder(NamedTuple):
    """A player in the auction, with the hand's best suit as trump; `reach[n]`: probability of at least `n` points.

    `needs`: required probability of making a bid; `off`: by how many points the hand is overestimated; `sparing`: bids
    one less than possible, in an auction of a single round.
    """

    judged: HandFeatures
    reach: tuple[float, ...]
    needs: float
    off: float
    sparing: bool

    def would_bid(self, table: Table, bid: int) -> bool:
        """True if the player would take the hand at that bid."""
        special = table.specials.get(bid)
        if special is None:
            return self._chance(bid) >= self.needs
        judged, chance = self.judged, self.reach[-1]  # of taking every point
        if special.needs_every_trick:
            mates = 0.0 if "every-trick-alone" in special.needs else judged.mates
            chance *= min(1.0, (judged.control + judged.aces) / table.hand + mates) ** table.hand
        return chance >= self.needs

    def _chance(self, bid: int) -> float:
        """The estimated probability of taking `bid` points; linear between whole numbers."""
        reach = self.reach
        low = max(0.0, bid - self.off)
        below = int(low)
        if below + 1 >= len(reach):
            return reach[below] if below < len(reach) else 0.0
        return reach[below] + (low - below) * (reach[below + 1] - reach[below])


def make_bidder(
    table: Table,
    rng: Random,
    style: PlayerStyle,
    seat: Seat,
    hand: Sequence[Card],
    totals: Mapping[Unit, int],
    trump: Suit | None,
) -> Bidder:
    """A player with an evaluated hand, for the suit `trump` if that was turned up.

    Otherwise the bidder chooses trump: a suit that can be led, or any suit if trump is named.
    """
    suits: Sequence[Suit] = SUITS if trump is None else (trump,)
    if trump is None and table.rules.trump.by != "named" and not any(card[0] == "X" for card in hand):
        suits = [suit for suit in SUITS if any(card[1] == suit for card in hand)]
    prospects = [
        (judged, at_least(chances(judged))) for judged in (evaluate(suit_values(table, suit), hand) for suit in suits)
    ]
    judged, reach = max(prospects, key=lambda prospect: sum(prospect[1]))
    others = max(total for unit, total in totals.items() if unit != table.unit_of[seat])
    haste = others >= table.rules.win.target - NEAR_THE_END
    off = rng.gauss(0, MISJUDGED) * (1 - style.skill)
    needs = SURE_ENOUGH - BOLD * style.boldness - HASTE * haste
    return Bidder(judged, reach, needs, off, rng.random() < SPARING)


def hold_auction(table: Table, bidders: Sequence[Bidder], dealer: Seat, totals: Mapping[Unit, int]) -> Auction:
    """Run an auction; `bidders` are in the order of the seats, `totals` are the scores before the hand."""
    auction = Auction(table.rules.auction, table.players, dealer)
    while (seat := auction.to_speak) is not None and not auction.is_over:
        auction.call(_call(table, auction, seat, bidders[seat - 1], totals))
    return auction


def _call(table: Table, auction: Auction, seat: Seat, bidder: Bidder, totals: Mapping[Unit, int]) -> int | None:
    legal = [
        bid for bid in auction.legal_bids(seat) if score_allows(table, auction.dealer, Contract(seat, bid), totals)
    ]
    daring = [bid for bid in legal if bidder.would_bid(table, bid)]
    high = auction.high
    if high is not None and not table.changing_sides and table.unit_of[seat] == table.unit_of[high.seat]:
        daring = [bid for bid in daring if high.bid is not None and bid > high.bid + 1]
    if not daring or (max(daring) == 0 and not auction.is_forced(seat)):
        return legal[0] if auction.is_forced(seat) else None
    if seat == auction.dealer or table.rules.auction.rounds != "single":
        return daring[0]
    return daring[-2] if bidder.sparing and len(daring) > 1 else daring[-1]


WILLING = 0.85  # probability that a player who holds a card that can win a trick plays it
WILLING_TO_TRUMP = 0.45
SLIP = 0.5  # probability of playing a random card, without any skill
PULL = 0.35  # value of drawing trumps for the bidder's side


@dataclass
class Playing:
    """The play of a hand, from the first lead to the last trick.

    `friends[seat]` are the seats that the player there believes to be on the same side. A called partner is known to
    all once the called card is played.
    """

    values: SuitValues
    hands: list[list[Card]]
    of_seat: tuple[str, ...]
    bidder: Seat
    called: Card | None
    styles: Sequence[PlayerStyle]
    rng: Random
    gone: set[Card] = field(default_factory=set)
    no_trump: set[Seat] = field(default_factory=set)
    tricks: list[Trick] = field(default_factory=list)
    winners: list[Seat] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._call(self.called)

    def _call(self, called: Card | None) -> None:
        """Set `friends` for a partner called by a card not seen yet, or (None) for sides that all players know."""
        self.called = called
        self.friends = [frozenset[Seat]()]
        seats, attackers = range(1, len(self.of_seat)), self.of_seat[self.bidder]
        for seat in seats:
            side, others = self.of_seat[seat], {other for other in seats if other != seat}
            if called is None or (seat != self.bidder and side == attackers):
                friends = {other for other in others if self.of_seat[other] == side}
            else:
                friends = set() if seat == self.bidder else others - {self.bidder}
            self.friends.append(frozenset(friends))

    def play(self, leader: Seat) -> None:
        """Play all the tricks out, `leader` first."""
        table, trump = self.values.table, self.values.trump
        for _ in range(table.hand):
            order = table.seats_from(leader)
            if table.short_tricks:  # only trumps are played, by those who have one
                order = tuple(seat for seat in order if any(card in trump.trumps for card in self.hands[seat]))
            if not order:
                break
            cards: list[Card] = []
            for turn, seat in enumerate(order):
                card = self._choose(seat, cards, order, turn)
                cards.append(card)
                self.hands[seat].remove(card)
                self.gone.add(card)
                if card == self.called:
                    self._call(None)
                if trump.suit_of[cards[0]] == trump.suit != trump.suit_of[card]:
                    self.no_trump.add(seat)
            self.tricks.append(Trick(order[0], tuple(cards), seats=order if len(order) < table.players else None))
            leader = order[trick_winner(cards, trump)]
            self.winners.append(leader)

    def _choose(self, seat: Seat, cards: list[Card], order: Sequence[Seat], turn: int) -> Card:
        hand = self.hands[seat]
        choice = self._may_lead(hand) if not cards else legal_cards(hand, cards[0], self.values.trump)
        if len(choice) == 1:
            return choice[0]
        if self.rng.random() < SLIP * (1 - self.styles[seat - 1].skill):
            return self.rng.choice(choice)
        return max(choice, key=Situation(self, seat, cards, order, turn).expected_gain)

    def _may_lead(self, hand: list[Card]) -> list[Card]:
        """The cards to choose a lead from: in the first trick those of the trump suit, else any.

        The first lead may set trump, and a sound bidder leads trump anyway. The other jack of trump's color would set
        its own suit, so it is led first only if there is no other choice.
        """
        opening = [] if self.tricks else [card for card in hand if card in self.values.leads_trump]
        if opening or not self.values.table.short_tricks:
            return opening or hand
        return [card for card in hand if card in self.values.trump.trumps]


class Situation:
    """A trick from the view of the player whose turn it is.

    `later` are the opponents still to play, `may_trump` how many of them may have a trump; `led` is the suit led,
    `best` the card that wins so far, `ours` if a friend played it; `at_stake` is the value of the cards played,
    `trumps_out` the number of trumps not seen, `share` the probability that one player holds a certain card not seen.
    """

    def __init__(self, playing: Playing, seat: Seat, cards: list[Card], order: Sequence[Seat], turn: int) -> None:
        self.playing = playing
        self.values = values = playing.values
        self.mine = playing.hands[seat]
        friends, bidder = playing.friends[seat], playing.bidder
        self.later = [other for other in order[turn + 1 :] if other not in friends]
        self.friends_later = len(order) - turn - 1 - len(self.later)
        self.led = values.trump.suit_of[cards[0]] if cards else None
        self.best = cards[trick_winner(cards, values.trump)] if cards else None
        self.ours = self.best is not None and order[cards.index(self.best)] in friends
        self.at_stake = sum(values.price[card] for card in cards)
        self.attacks = seat == bidder or bidder in friends
        self.trumps_out = sum(card not in playing.gone and card not in self.mine for card in values.trump.order)
        self.may_trump = sum(other not in playing.no_trump for other in self.later)
        unseen = len(values.above) - len(playing.gone) - len(self.mine)
        self.share = len(self.mine) / max(unseen, 1)

    def expected_gain(self, card: Card) -> float:
        """Expected gain of playing a card: the trick's value by its likely winner, less that of keeping the card."""
        values, trump = self.values, self.values.trump
        beats = self.best is None or (
            trump.suit_of[card] in (self.led, trump.suit) and trump.strength[card] > trump.strength[self.best]
        )
        wins = self._win_probability(card) if beats else self._others_win()
        promise = (2 * wins - 1) * (self.at_stake + values.price[card]) - values.hold[card] + 0.12 * wins
        if self.led is None and card in trump.trumps:
            promise += PULL * wins if self.attacks and self.may_trump and self.trumps_out else -0.1
        return promise

    def _others_win(self) -> float:
        """The probability that this player's side wins the trick although the card does not."""
        best = self.best or ""
        if self.ours:
            return self._win_probability(best)
        if not self.friends_later:
            return 0.0
        return 0.5 * (1 - (1 - self.share) ** (self.friends_later * self._beaters(best)))

    def _beaters(self, card: Card) -> int:
        gone, mine = self.playing.gone, self.mine
        return sum(other not in gone and other not in mine for other in self.values.above[card])

    def _win_probability(self, card: Card) -> float:
        """The probability that no opponent who is still to play beats the card."""
        if not self.later:
            return 1.0
        if card in self.values.trump.trumps:
            return float((1 - self.share) ** (WILLING * self.may_trump * self._beaters(card)))
        exponent = WILLING * len(self.later) * self._beaters(card)
        return float((1 - self.share) ** (exponent + WILLING_TO_TRUMP * self.may_trump * self.trumps_out))

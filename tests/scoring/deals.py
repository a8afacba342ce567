"""Random legal hands: cards are dealt, bid and played by players who know only the rules of the documents.

A deal keeps all facts: the cards dealt, the calls, the plays and the trick winners. `records` writes one deal at every
level of detail of the game record. The scoring core is never called.
"""

import itertools
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.scoring import reference
from tests.scoring.reference import Facts, Rules


@dataclass
class Deal:
    """A hand with everything that happened in it."""

    rules: Rules
    players: int
    teams: int
    dealer: int
    hands: dict[int, list[str]]
    undealt: list[str]
    calls: list[tuple[int, int | None]]
    trump: str = ""
    called: str | None = None
    tricks: list[list[tuple[int, str]]] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)

    @property
    def bidder(self) -> int | None:
        return self.contract[0]

    @property
    def bid(self) -> int | None:
        return self.contract[1]

    @property
    def contract(self) -> tuple[int | None, int | None]:
        """(bidder, bid); without a bid, it may be the player after the dealer at 0; else (None, None)."""
        won = reference.won_by(self.calls)
        if won == (None, None) and reference.free_bid(self.rules) == 0:
            return self.dealer % self.players + 1, 0
        return won

    @property
    def partner(self) -> int | None:
        """The called partner, by the hands as dealt."""
        for seat, hand in self.hands.items():
            if self.called in hand and seat != self.bidder:
                return seat
        return None

    def side_of(self, seat: int) -> str:
        assert self.bidder is not None
        return reference.side_of(seat, self.rules, self.players, self.teams, self.bidder, self.partner)


# --- dealing and playing ----------------------------------------------------------------------------------------


def deal(
    rng: Random, rules: Rules, players: int, teams: int, dealer: int | None = None, *, bidding: bool = True
) -> Deal:
    """Deal, bid and play one hand; with `bidding`, there is a bid."""
    dealer = dealer or rng.randint(1, players)
    wish = rng.choice("SHDC")
    hands, undealt = dealt_out(rng, rules, players, wish)
    silent = rules["auction"]["rounds"] == "none"
    calls = [] if silent else said(rng, rules["auction"], players, dealer, bidding)
    hand = Deal(rules, players, teams, dealer, hands, undealt, calls)
    if hand.bidder is not None:
        play(rng, hand, wish)
    return hand


def dealt_out(rng: Random, rules: Rules, players: int, wish: str) -> tuple[dict[int, list[str]], list[str]]:
    """Hands and undealt cards; some of them arranged for rare events with `wish` as trump."""
    pack, row = reference.all_cards(rules), reference.trump_row(rules, wish)
    rng.shuffle(pack)
    bottom = reference.undealt_count(rules, players)
    mood = rng.choice(("fair", "fair", "low gone", "high gone", "all gone", "some gone", "strong"))
    gone = {
        "low gone": row[-rng.randint(1, len(row)) :],
        "high gone": row[: rng.randint(1, len(row))],
        "all gone": row,
        "some gone": [card for card in row if rng.random() < 0.5],
    }.get(mood, [])
    pack.sort(key=lambda card: card in gone)  # a stable sort: `gone` cards go to the bottom, the others stay shuffled
    size = reference.hand_size(rules, players)
    if mood == "strong":
        pack.sort(key=lambda card: card not in row)
    hands = {seat: pack[(seat - 1) * size : seat * size] for seat in range(1, players + 1)}
    return hands, pack[len(pack) - bottom :] if bottom else []


def said(rng: Random, auction: Rules, players: int, dealer: int, bidding: bool) -> list[tuple[int, int | None]]:
    """A whole auction; it may stop early once only passes are possible."""
    shy, keen, calls = rng.random(), rng.random() < 0.3, []
    while True:
        seat, sayings = reference.next_to_say(auction, players, dealer, calls)
        if seat is None:
            break
        if reference.is_settled(auction, players, dealer, calls) and rng.random() < 0.5:
            break
        bids = [bid for bid in sayings if bid is not None]
        if None in sayings and (not bids or rng.random() < shy):
            calls.append((seat, None))
        else:
            calls.append((seat, rng.choice(bids) if keen else bids[min(int(rng.expovariate(1)), len(bids) - 1)]))
    if bidding and reference.won_by(calls) == (None, None) and auction["all_pass"] != "eldest-plays":
        return said(rng, auction, players, dealer, bidding)
    return calls


def play(rng: Random, hand: Deal, wish: str) -> None:
    """Choose trump and a partner, and play every trick; players differ in how often they play their best trump."""
    rules, leader = hand.rules, hand.bidder
    held = {seat: list(cards) for seat, cards in hand.hands.items()}
    short = rules["play"]["follow"] == "trumps-only"
    opening = rng.choice([card for card in held[leader] if wish == card[1]] or held[leader])
    leads = rules["trump"]["by"] == "lead" or short  # a game played with trumps only begins with a trump lead
    hand.trump = opening[1] if leads and opening[0] != "X" else wish
    if rules["table"]["sides"] == "called-partner":
        where = rng.choice(("anybody", "own", "gone"))
        choice = {"own": held[leader], "gone": hand.undealt}.get(where) or reference.all_cards(rules)
        hand.called = rng.choice(choice)
    row = reference.trump_row(rules, hand.trump)
    if rules["table"]["sides"] == "called-partner" and rules["table"]["call"] == "trump":
        hand.called = rng.choice(row)
    boldness = {seat: rng.random() for seat in held}
    for number in range(reference.hand_size(rules, hand.players)):
        trick: list[tuple[int, str]] = []
        for seat in (*range(leader, hand.players + 1), *range(1, leader)):
            led = trick[0][1] if trick else None
            may = [card for card in held[seat] if reference.may_play(rules, card, held[seat], led, row, hand.trump)]
            if short and not may:
                continue
            card = opening if number == 0 and not trick else rng.choice(may)
            trumps = [trump for trump in row if trump in may]
            if trick and trumps and rng.random() < boldness[seat]:
                card = trumps[0]
            held[seat].remove(card)
            trick.append((seat, card))
        if not trick:
            break
        hand.tricks.append(trick)
        place = reference.winning_place([card for _, card in trick], row, rules)
        leader = trick[place][0]
        hand.winners.append(leader)


# --- records ----------------------------------------------------------------------------------------------------


def bidding_record(rng: Random, hand: Deal) -> Facts:
    """The whole auction, or its outcome only, or both."""
    whole = [{"seat": seat, "bid": "pass" if bid is None else bid} for seat, bid in hand.calls]
    outcome = {"bidder": hand.bidder, "bid": hand.bid}
    if hand.rules["auction"]["rounds"] == "none":
        return {"dealer": hand.dealer} | rng.choice(({}, {}, outcome)) | turned_up_record(rng, hand)
    for special in hand.rules["auction"]["specials"]:
        if special["bid"] == hand.bid and rng.random() < 0.5:
            outcome["bid"] = special["name"]
    if hand.bidder is None:
        return {"dealer": hand.dealer, "bids": whole}
    return {"dealer": hand.dealer} | rng.choice(({"bids": whole}, outcome, {"bids": whole} | outcome))


def turned_up_record(rng: Random, hand: Deal) -> Facts:
    """Random events before the play, the same for every record of one deal."""
    trump, own = hand.rules["trump"], Random("".join(hand.hands[1]))
    if trump["by"] != "turned-up":
        return {}
    rank = own.choice(["x", *hand.rules["deck"]["ranks"]])
    facts: Facts = {"turned_up": [rank]} if trump["turned"].get(rank) or rng.random() < 0.5 else {}
    return facts | ({"gift": True} if trump["gift"] and own.random() < 0.3 else {})


def head(rng: Random, hand: Deal, *, partner: bool) -> Facts:
    """The facts besides the evidence: bidding, trump, and the called card or partner."""
    facts = bidding_record(rng, hand) | {"trump": hand.trump}
    if hand.called is not None:
        if partner:
            facts["partner"] = hand.partner
        if not partner or rng.random() < 0.5:
            facts["called"] = hand.called
    return facts


def written(rng: Random, hand: Deal, side: str) -> Any:
    """A side written as its name or as one of its seats."""
    seats = [seat for seat in hand.hands if hand.side_of(seat) == side]
    choices = [side, side, *seats, *(str(seat) for seat in seats)]
    return rng.choice(choices)


def tricks_record(rng: Random, hand: Deal, *, buried: bool | None = None) -> Facts:
    kept = hand.called is not None and hand.called not in cards_of(hand)  # possible if only trumps are played
    facts = head(rng, hand, partner=kept or rng.random() < 0.3) if hand.called else head(rng, hand, partner=False)
    facts["tricks"] = [
        {"lead": trick[0][0], "cards": [card for _, card in trick], **seats_of(rng, hand, trick)}
        for trick in hand.tricks
    ]
    if hand.called is not None:
        facts["called"] = hand.called
    return facts | buried_record(rng, hand, buried)


def seats_of(rng: Random, hand: Deal, trick: list[tuple[int, str]]) -> Facts:
    """The seats that played a trick, if not all did."""
    if len(trick) == hand.players and (hand.rules["play"]["follow"] != "trumps-only" or rng.random() < 0.5):
        return {}
    return {"seats": [seat for seat, _ in trick]}


def buried_record(rng: Random, hand: Deal, whole: bool | None) -> Facts:
    """The undealt cards, if the rules let players see them; with `whole` None, only in half of the cases."""
    if hand.rules["deck"]["undealt"] != "buried" or whole is False or (whole is None and rng.random() < 0.5):
        return {}
    return {"buried": rng.sample(hand.undealt, len(hand.undealt))}


def piles_record(rng: Random, hand: Deal, truth: Facts, *, buried: bool | None = None) -> Facts | None:
    """The captured cards; None if a card that scores for its holder lies elsewhere, and the holder is not recorded.

    A card kept by its player is either in the winner's pile, with its player recorded, or in the player's own pile.
    """
    lies, cards = dict(truth["taken_by"]), points_played(hand, truth["taken_by"])
    owner = {point["key"]: point["owner"] for point in hand.rules["points"]}
    facts: Facts = head(rng, hand, partner=True) | buried_record(rng, hand, buried)
    told = who_played(rng, hand, truth, cards, facts)
    for key, card in cards.items():
        if owner[key] == "keeper" and (card not in told or rng.random() < 0.5):
            lies[card] = truth["dealt_to"][card]
    if any(
        owner[k] == "holder" and card not in told and truth["dealt_to"][card] != lies[card] for k, card in cards.items()
    ):
        return None
    facts["piles"] = {}
    for card in rng.sample(sorted(lies), len(lies)):
        facts["piles"].setdefault(str(written(rng, hand, lies[card])), []).append(card)
    short = hand.rules["play"]["follow"] == "trumps-only"  # here the piles alone do not tell who won every trick
    swept = swept_by(hand, truth)
    if swept and (short or swept == truth["lone"] or rng.random() < 0.5):
        facts["sweep"] = sweeper(rng, hand, swept)
    won = {point["key"]: truth["points"][point["key"]][0] for point in hand.rules["points"] if "trick" in point["card"]}
    if won:
        facts["tricks_won"] = {key: written(rng, hand, side) for key, side in won.items()}
    return facts


def points_played(hand: Deal, dealt: Facts) -> dict[str, str]:
    """The dealt cards of points, by the point's key."""
    cards = reference.point_cards(hand.rules, reference.trump_row(hand.rules, hand.trump), dealt, hand.trump)
    return {key: card for key, card in cards.items() if card in dealt}


def who_played(rng: Random, hand: Deal, truth: Facts, cards: dict[str, str], facts: Facts) -> set[str]:
    """Record the players of some points' cards in `low_by`, `high_by` or `played_by`; return those cards."""
    told, by_key = set(), {}
    for name, key, end in (("low_by", "low", -1), ("high_by", "high", 0)):
        card = card_called(hand, truth, cards, key, end)
        if card in truth["dealt_to"] and rng.random() < 0.5:
            facts[name] = written(rng, hand, truth["dealt_to"][card])
            told.add(card)
    captured = {point["key"] for point in hand.rules["points"] if point["captured"]}
    for key, card in cards.items():
        if rng.random() < 0.3 or (key in captured and truth["dealt_to"][card] != truth["taken_by"][card]):
            by_key[key] = written(rng, hand, truth["dealt_to"][card])
            told.add(card)
    if by_key or rng.random() < 0.1:
        facts["played_by"] = by_key
    return told


def card_called(hand: Deal, truth: Facts, cards: dict[str, str], key: str, end: int) -> str | None:
    """The card that `low_by` or `high_by` refers to: that of Low or High, else of the point at that end of trump."""
    points = {point["key"]: point["card"] for point in hand.rules["points"]}
    ends = {"low": ("lowest", "lowest-natural"), "high": ("highest",)}[key]
    at_end = [other for other, card in points.items() if card in ends]
    if key == "low":  # without a Low, a 2 that scores for its player or holder is meant
        at_end += [p["key"] for p in hand.rules["points"] if p["card"] == "2" and p["owner"] != "taker"]
    if key in points or at_end:
        return cards.get(key if key in points else at_end[0])
    return (truth["trumps_dealt"] or [None])[end]


def claims_record(rng: Random, hand: Deal, truth: Facts, *, counts: bool, buried: bool | None = None) -> Facts:
    """Claims by point; a point that no side has is missing or null."""
    claims: Facts = {}
    for point in hand.rules["points"]:
        side = truth["points"][point["key"]][0]
        if side is not None:
            claims[point["key"]] = written(rng, hand, side)
        elif rng.random() < 0.5:
            claims[point["key"]] = None
    facts: Facts = head(rng, hand, partner=True) | {"claims": claims} | buried_record(rng, hand, buried)
    players = {
        key: written(rng, hand, truth["dealt_to"][card])
        for key, card in points_played(hand, truth["taken_by"]).items()
        if key in truth["captured"] or (truth["can_be_captured"].get(key) and rng.random() < 0.5)
    }
    facts |= {"played_by": players} if players else {}
    if counts:
        facts["game_counts"] = {str(written(rng, hand, side)): count for side, count in truth["counts"].items()}
        for point in hand.rules["points"]:
            if point["card"] == "game" and rng.random() < 0.7:
                claims.pop(point["key"], None)
        short = hand.rules["play"]["follow"] == "trumps-only"  # unplayed cards count for no side
        if "buried" in facts and not short and rng.random() < 0.5:
            facts["game_counts"].pop(rng.choice(sorted(facts["game_counts"])))
    if swept_by(hand, truth):
        facts["sweep"] = sweeper(rng, hand, swept_by(hand, truth))
    return facts


def sweeper(rng: Random, hand: Deal, side: str) -> Any:
    """The winner of every trick as a side or one of its seats; as the seat itself if the bid requires one player."""
    if not asks_for_one_alone(hand):
        return written(rng, hand, side)
    return rng.choice((hand.winners[0], str(hand.winners[0]))) if len(set(hand.winners)) == 1 else side


def asks_for_one_alone(hand: Deal) -> bool:
    """True if the bid requires every trick by the bidder alone."""
    specials = hand.rules["auction"]["specials"]
    return any(one["bid"] == hand.bid and "every-trick-alone" in one["needs"] for one in specials)


def swept_by(hand: Deal, truth: Facts) -> str | None:
    """The side recorded as winner of every trick; None if the bid requires one player, and several won tricks."""
    if asks_for_one_alone(hand) and len(set(hand.winners)) != 1:
        return None
    return truth["sweep"]


def records(rng: Random, hand: Deal, truth: Facts, *, buried: bool | None = None) -> dict[str, Facts]:
    """The records of one deal by level of detail, without levels that cannot express it."""
    has_game = any(point["card"] == "game" for point in hand.rules["points"])
    told = {
        "tricks": tricks_record(rng, hand, buried=buried),
        "piles": piles_record(rng, hand, truth, buried=buried),
        "counts": claims_record(rng, hand, truth, counts=True, buried=buried) if has_game else None,
        "claims": claims_record(rng, hand, truth, counts=False, buried=buried),
    }
    return {level: facts for level, facts in told.items() if facts is not None}


def cards_of(hand: Deal) -> list[str]:
    return [card for _, card in itertools.chain(*hand.tricks)]

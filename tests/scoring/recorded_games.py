"""Random games of the first seven rule sets, with a hash of their scores, which must never change.

The code duplicates other generators on purpose: it is independent of those, of the simulator and of the scoring core,
which all may change. Random numbers come from `Random.random()` only, which is stable across Python versions.
`recorded/hashes.json` has, for each rule set, the SHA-256 of all its games, and of a sample.
"""

import hashlib
import json
from collections.abc import Sequence
from random import Random
from typing import Any

GAMES = 20_000
EVERY = 200  # the sample is every 200th game
MOST_HANDS = 12
SUITS = "SHDC"
OTHER = {"S": "C", "C": "S", "H": "D", "D": "H"}
WEST_MICHIGAN = "A K Q J L XR XB"
PLAIN = "A K Q J T 9 8 7 6 5 4 3 2"


class Kind:
    """The facts about a rule set that dealing needs."""

    def __init__(self, tables: str, jokers: int, order: str, top: int, *, buried: bool, named: bool = False) -> None:
        self.tables = [(int(each[0]), int(each[1])) for each in tables.split()]  # players, teams
        self.jokers = jokers
        self.order = order.split()
        self.ranks = [name for name in self.order if len(name) == 1 and name != "L"]
        self.top = top
        self.buried = buried
        self.named = named


KINDS = {
    "west-michigan-6": Kind("62", 2, f"{WEST_MICHIGAN} T 9 8 7 2", 7, buried=True),
    "west-michigan-4": Kind("42", 2, f"{WEST_MICHIGAN} T 9 2", 7, buried=True),
    "west-michigan-5": Kind("50", 2, f"{WEST_MICHIGAN} T 9 8 2", 7, buried=True),
    "shankar": Kind("42 20 30 40 50 60 62 63", 0, PLAIN, 4, buried=False),
    "partnership": Kind("42 62 63", 0, PLAIN, 5, buried=False),
    "double-jack": Kind("42", 0, "A K Q J L T 9 2", 5, buried=True, named=True),
    "classic": Kind("42", 0, PLAIN, 4, buried=False),
}
OWNERS = ("taker", "holder", "keeper")
HOUSE: list[tuple[str, list[Any]]] = [
    ("auction.dealer", ["outbid", "match", "match-below-max", "match-max"]),
    ("auction.all_pass", ["redeal", "next-dealer", "dealer-forced"]),
    ("points.high.card", ["highest", "A"]),
    ("points.low.card", ["lowest", "2"]),
    ("points.high.owner", [*OWNERS]),
    ("points.low.owner", [*OWNERS]),
    ("points.low.worth", [1, 2]),
    ("game.award", ["most", "at-least"]),
    ("settle.made", ["taken", "bid"]),
    ("settle.set", ["bid", "bid-less-taken"]),
    ("win.target", [5, 11, 21]),
    ("win.eligible", ["anyone", "made-bid"]),
    ("win.both", [["bidder"], ["highest", "share"], ["highest", "play-on"], ["share"]]),
    ("win.early", [None, {"at": 4, "others_at_most": 0, "when": "first-reach", "eligible": "anyone"}]),
]


class Dice:
    """Random choices that use `Random.random()` only."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed).random

    def below(self, number: int) -> int:
        return int(self.random() * number)

    def one(self, things: Sequence[Any]) -> Any:
        return things[self.below(len(things))]

    def mixed(self, things: Sequence[Any]) -> list[Any]:
        mixed = list(things)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


class Recorded:
    """A random game, reproducible from rule set and number."""

    def __init__(self, rules_id: str, number: int) -> None:
        self.dice = Dice(f"{rules_id} {number}")
        self.kind = KINDS[rules_id]
        self.rules_id = rules_id
        self.players, self.teams = self.dice.one(self.kind.tables)
        self.seats = range(1, self.players + 1)

    def record(self) -> dict[str, Any]:
        dice = self.dice
        options = {name: dice.one(values) for name, values in HOUSE if dice.random() < 0.12}
        units = "ABC"[: self.teams] if self.teams else [str(seat) for seat in self.seats]
        record = {"format": "setback-game/1", "rules": self.rules_id, "options": options}
        record |= {"players": self.players, "teams": self.teams}
        if dice.random() < 0.3:
            record["start"] = {unit: dice.below(8) - 3 for unit in units}
        return record | {"hands": [self._hand(number % self.players + 1) for number in range(MOST_HANDS)]}

    # --- a hand ---

    def _hand(self, dealer: int) -> dict[str, Any]:
        dice, kind = self.dice, self.kind
        pack = [rank + suit for suit in SUITS for rank in kind.ranks] + ["XR", "XB"][: kind.jokers]
        pack = dice.mixed(pack)
        held = {seat: pack[seat * 6 - 6 : seat * 6] for seat in self.seats}
        bidder, bid = dice.one(self.seats), 2 + dice.below(kind.top - 1)
        opening = dice.one(held[bidder])
        trump = opening[1] if opening[0] != "X" and not kind.named else dice.one(SUITS)
        row = self._row(trump)
        facts: dict[str, Any] = {"dealer": dealer, "bidder": bidder, "bid": bid, "trump": trump}
        if self.rules_id == "west-michigan-5":
            facts["called"] = dice.one(pack)
            holder = next((seat for seat in self.seats if facts["called"] in held[seat]), None)
            facts["partner"] = None if holder == bidder else holder
        if dice.random() < 0.3:
            facts["bids"] = self._bids(dealer, bidder, bid)
        buried = pack[self.players * 6 :]
        if kind.buried and dice.random() < 0.7:
            facts["buried"] = buried
        tricks, winners = self._tricks(held, bidder, opening, row)
        return facts | dice.one((self._play, self._piles, self._claims))(facts, tricks, winners, row)

    def _row(self, trump: str) -> list[str]:
        return [
            "J" + OTHER[trump] if name == "L" else name if name in ("XR", "XB") else name + trump
            for name in self.kind.order
        ]

    def _tricks(self, held: dict[int, list[str]], leader: int, opening: str, row: list[str]) -> tuple[Any, list[int]]:
        tricks, winners = [], []
        for number in range(6):
            order = [*range(leader, self.players + 1), *range(1, leader)]
            cards: list[str] = []
            for seat in order:
                may = self._allowed(held[seat], cards, row)
                card = opening if not number and not cards else self.dice.one(may)
                held[seat] = [other for other in held[seat] if other != card]
                cards.append(card)
            tricks.append({"lead": leader, "cards": cards})
            leader = order[self._best(cards, row)]
            winners.append(leader)
        return tricks, winners

    def _suit(self, card: str, row: list[str]) -> str:
        return "trump" if card in row else card[1]

    def _allowed(self, hand: list[str], cards: list[str], row: list[str]) -> list[str]:
        if not cards:
            return hand
        led = self._suit(cards[0], row)
        if not [card for card in hand if self._suit(card, row) == led]:
            return hand
        return [card for card in hand if self._suit(card, row) in (led, "trump")]

    def _best(self, cards: list[str], row: list[str]) -> int:
        trumps = [card for card in row if card in cards]
        if trumps:
            return cards.index(trumps[0])
        return min(
            (place for place, card in enumerate(cards) if card[1] == cards[0][1]),
            key=lambda place: self.kind.ranks.index(cards[place][0]),
        )

    def _bids(self, dealer: int, bidder: int, bid: int) -> list[dict[str, Any]]:
        """Passes except for the bidder's bid; in one auction of five, one call is replaced, maybe by an illegal bid."""
        order = [*range(dealer + 1, self.players + 1), *range(1, dealer + 1)]
        noise = self.dice.random() < 0.2
        calls = [{"seat": seat, "bid": bid if seat == bidder else "pass"} for seat in order]
        if noise:
            self.dice.one(calls)["bid"] = self.dice.below(self.kind.top + 1)
        return calls

    # --- evidence ---

    def _side(self, seat: int, facts: dict[str, Any]) -> str:
        if self.rules_id == "west-michigan-5":
            return "bidding" if seat in (facts["bidder"], facts["partner"]) else "defending"
        return "ABC"[(seat - 1) % self.teams] if self.teams else str(seat)

    def _play(self, facts: Any, tricks: Any, winners: list[int], row: list[str]) -> dict[str, Any]:
        return {"tricks": tricks}

    def _piles(self, facts: Any, tricks: Any, winners: list[int], row: list[str]) -> dict[str, Any]:
        piles: dict[str, list[str]] = {}
        for trick, winner in zip(tricks, winners, strict=True):
            piles.setdefault(self._side(winner, facts), []).extend(trick["cards"])
        trumps = [card for card in row if any(card in pile for pile in piles.values())]
        told = {}
        for name, place in (("low_by", -1), ("high_by", 0)):
            if trumps and self.dice.random() < 0.6:
                told[name] = self._side(self._player(trumps[place], tricks), facts)
        if self.dice.random() < 0.1:
            piles = {side: pile[1:] for side, pile in piles.items()}
        return {"piles": piles, **told}

    def _player(self, card: str, tricks: Any) -> int:
        trick = next(trick for trick in tricks if card in trick["cards"])
        return (trick["lead"] + trick["cards"].index(card) - 1) % self.players + 1

    def _claims(self, facts: Any, tricks: Any, winners: list[int], row: list[str]) -> dict[str, Any]:
        sides = sorted({self._side(seat, facts) for seat in self.seats})
        keys = ["high", "low", "game"]
        keys += ["right_jack", "left_jack"] if "L" in self.kind.order else ["jack"]
        keys += ["right_joker", "left_joker"] if self.kind.jokers else []
        claims: dict[str, Any] = {key: self.dice.one([*sides, None]) for key in keys}
        more: dict[str, Any] = {}
        if self.dice.random() < 0.4:
            del claims["game"]
            first = self.dice.below(41)
            more["game_counts"] = {side: self.dice.below((80 - first) // len(sides)) for side in sides}
        if self.dice.random() < 0.1:
            more["sweep"] = self.dice.one(sides)
        return {"claims": claims, **more}


def told(record: dict[str, Any]) -> str:
    """The score of a record as stable text: one line per hand, then the end."""
    from scorekeeper.scoring.game import check_game, replay
    from scorekeeper.scoring.problems import Refused
    from scorekeeper.scoring.record import read_game, score_output

    kept: list[Any] = []
    lines = []
    for hand in record["hands"]:
        game = read_game({**record, "hands": [hand]})
        try:
            replay(game)
        except Refused:
            lines.append(json.dumps([[problem.code, problem.at] for problem in check_game(game)]))
        else:
            kept.append(hand)
    game = read_game({**record, "hands": kept})
    score = replay(game)
    lines.append(
        json.dumps([score_output(game, score), score.outcome, score.after_end, score.still_open], sort_keys=True)
    )
    lines += [json.dumps([hand.totals, hand.assumed, hand.missed]) for hand in score.beyond]
    return "\n".join(lines)


def numbers_of(rules_id: str, *, every: int = 1) -> range:
    """The numbers of a rule set's games; the seven rule sets share GAMES evenly."""
    place = list(KINDS).index(rules_id)
    return range(place, GAMES, len(KINDS) * every)


def fingerprint(rules_id: str, *, every: int = 1) -> str:
    """The SHA-256 of a rule set's games and their scores."""
    digest = hashlib.sha256()
    for number in numbers_of(rules_id, every=every):
        record = Recorded(rules_id, number).record()
        digest.update(json.dumps(record, sort_keys=True).encode())
        digest.update(told(record).encode())
    return digest.hexdigest()

"""Random hands with every card known, scored by the reference scorer.

Most are dealt, bid and played by tests/scoring/deals.py; the others are rarer events: all pass, a misdeal, a special
bid made or set, cards that are run, a gift to the beggar. The program itself is never called.
"""

from __future__ import annotations

import itertools
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.scoring import reference
from tests.scoring.deals import Deal, deal, play

PLAYED, PASSED, MISDEAL, NOT_PLAYED = "played", "passed", "misdeal", "not played"
NOBODY = "nobody"


@dataclass
class Known:
    """A hand; `rules` are the game's, with the number of cards per player that was dealt."""

    rules: dict[str, Any]
    players: int
    teams: int
    dealer: int
    kind: str = PLAYED
    hand: Deal | None = None
    calls: list[tuple[int, int | None]] = field(default_factory=list)
    turned: list[str] = field(default_factory=list)
    gift: bool = False
    note: str = ""
    verdict: dict[str, Any] = field(default_factory=dict)

    @property
    def bidder(self) -> int | None:
        return self.hand.bidder if self.hand else None

    @property
    def bid(self) -> int | None:
        return self.hand.bid if self.hand else None

    @property
    def bid_said(self) -> str:
        """The bid as called: the name of a special bid, else the number."""
        names = {special["bid"]: special["name"] for special in self.rules["auction"]["specials"]}
        return str(names.get(self.bid, self.bid))

    @property
    def special(self) -> dict[str, Any] | None:
        return next((one for one in self.rules["auction"]["specials"] if one["bid"] == self.bid), None)

    @property
    def has_bidding(self) -> bool:
        return bool(self.rules["auction"]["rounds"] != "none")

    @property
    def needs_sweep(self) -> bool:
        return bool(self.special and any("every-trick" in need for need in self.special["needs"]))

    @property
    def swept(self) -> str | None:
        """The side that won every trick; if the bid requires the bidder to win all alone, None unless so."""
        alone = self.special is not None and "every-trick-alone" in self.special["needs"]
        return self.verdict["lone" if alone else "sweep"]

    @property
    def short(self) -> bool:
        """True if only trumps are played."""
        return bool(self.rules["play"]["follow"] == "trumps-only")

    @property
    def sees_buried(self) -> bool:
        return bool(self.rules["deck"]["undealt"] == "buried")

    @property
    def buried(self) -> list[str]:
        return self.hand.undealt if self.hand and self.sees_buried else []

    @property
    def row(self) -> list[str]:
        return reference.trump_row(self.rules, self.hand.trump)

    @property
    def cards(self) -> list[str]:
        """The cards in the order of play."""
        return [card for _, card in itertools.chain(*self.hand.tricks)]

    def player_of(self, card: str) -> int:
        return next(seat for seat, one in itertools.chain(*self.hand.tricks) if one == card)

    def whose(self, key: str) -> str:
        """The side or player that scored a point, or NOBODY."""
        return self.verdict["points"][key][0] or NOBODY

    def is_tied(self) -> bool:
        counts = sorted(self.verdict["counts"].values())
        return counts[-1] == counts[-2]

    def card_of(self, key: str) -> str | None:
        """The card of a point; None if it is not decided by a card, or the card was not dealt."""
        dealt = self.verdict["dealt_to"]
        card = reference.point_cards(self.rules, self.row, dealt, self.hand.trump)[key]
        return card if card in dealt else None

    def facts(self) -> dict[str, Any]:
        """The hand as facts for the reference scorer."""
        facts: dict[str, Any] = {"dealer": self.dealer}
        if self.turned:
            facts["turned_up"] = self.turned
        if self.gift:
            facts["gift"] = True
        if self.kind == MISDEAL:
            return {"dealer": self.dealer, "misdeal": True}
        if self.kind == PASSED:
            return facts | {"bids": [{"seat": seat, "bid": "pass"} for seat, _ in self.calls]}
        if self.kind == NOT_PLAYED or self.hand is None:
            return facts
        if self.has_bidding:
            facts["bids"] = [{"seat": seat, "bid": "pass" if bid is None else bid} for seat, bid in self.calls]
        facts["trump"] = self.hand.trump
        if self.hand.called is not None:
            facts["called"] = self.hand.called
        facts["tricks"] = [
            {"lead": trick[0][0], "cards": [card for _, card in trick], "seats": [seat for seat, _ in trick]}
            if self.short
            else {"lead": trick[0][0], "cards": [card for _, card in trick]}
            for trick in self.hand.tricks
        ]
        return facts

    def judged(self) -> Known:
        verdict = reference.judge(self.rules, self.players, self.teams, self.facts())
        assert verdict is not None, self.facts()
        self.verdict = verdict
        return self


def some_hand(rng: Random, rules: dict[str, Any], players: int, teams: int, dealer: int) -> Known:
    """A random hand that may occur at a table."""
    known = _odd(rng, rules, players, teams, dealer)
    for _ in range(4):  # with random bids, most hands are set, and games would not end
        if known is None or (known.kind == PLAYED and not known.special and not known.judged().verdict["made"]):
            known = _played(rng, rules, players, teams, dealer)
    if rng.random() < 0.1:
        known.note = rng.choice(("Bo was late", "revoke by Ann, let go", "thunder", "2 beers each, +1 for the cook"))
    return known.judged()


def _odd(rng: Random, rules: dict[str, Any], players: int, teams: int, dealer: int) -> Known | None:
    auction, chance = rules["auction"], rng.random()
    usual = (rules, players, teams, dealer)
    if auction["rounds"] == "none":
        if chance < 0.05:
            turned, _, gift = _turned_up(rng, rules, players)
            return Known(*usual, NOT_PLAYED, turned=turned[:1], gift=gift)
        return Known(*usual, MISDEAL) if chance < 0.12 and rules["deck"]["misdeal"] else None
    if chance < 0.06 and auction["all_pass"] in ("redeal", "next-dealer"):
        seats = [*range(dealer + 1, players + 1), *range(1, dealer + 1)]
        return Known(*usual, PASSED, calls=[(seat, None) for seat in seats])
    return _special(rng, *usual) if chance < 0.2 and auction["specials"] else None


def _special(rng: Random, rules: dict[str, Any], players: int, teams: int, dealer: int) -> Known:
    """A hand with a special bid, by a player with good enough cards, or nearly so."""
    bidder, wish = rng.randint(1, players), rng.choice("SHDC")
    row, size = reference.trump_row(rules, wish), reference.hand_size(rules, players)
    own = row[:size] if rng.random() < 0.6 else rng.sample(row[: size + 2], size)
    if rng.random() < 0.3:
        own[-1] = rng.choice([card for card in reference.all_cards(rules) if card not in row])
    pack = [card for card in reference.all_cards(rules) if card not in own]
    rng.shuffle(pack)
    hands = {seat: own if seat == bidder else [pack.pop() for _ in range(size)] for seat in range(1, players + 1)}
    seats = [*range(dealer + 1, players + 1), *range(1, dealer + 1)]
    number = rules["auction"]["specials"][0]["bid"]
    calls = [(seat, number if seat == bidder else None) for seat in seats]
    hand = Deal(rules, players, teams, dealer, hands, pack, calls)
    play(rng, hand, wish)
    return Known(rules, players, teams, dealer, hand=hand, calls=calls)


def _played(rng: Random, rules: dict[str, Any], players: int, teams: int, dealer: int) -> Known:
    turned, runs, gift = _turned_up(rng, rules, players)
    if runs:
        rules = deepcopy(rules)
        rules["deck"]["hand"] = reference.hand_size(rules, players) + runs * rules["trump"]["run"]
    hand = deal(rng, rules, players, teams, dealer)
    return Known(rules, players, teams, dealer, hand=hand, calls=hand.calls, turned=turned, gift=gift)


def _turned_up(rng: Random, rules: dict[str, Any], players: int) -> tuple[list[str], int, bool]:
    """The ranks turned up, the number of times that the dealer ran the cards, and whether there was a gift."""
    trump, deck = rules["trump"], rules["deck"]
    if trump["by"] != "turned-up":
        return [], 0, False
    left = len(reference.all_cards(rules)) - players * reference.hand_size(rules, players) - 1
    runs = rng.randint(1, 2) if trump["run"] and rng.random() < 0.25 else 0
    runs = min(runs, left // (players * trump["run"] + 1)) if trump["run"] else 0
    ranks = [rank for rank in trump["turned"] if trump["turned"][rank]]
    turned = [rng.choice([*ranks, *deck["ranks"]]) for _ in range(runs + 1)]
    turned = [rank if rank in ranks else "x" for rank in turned]
    return turned, runs, bool(trump["gift"] and not runs and rng.random() < 0.3)

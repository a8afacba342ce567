"""Questions in the middle of a hand, answered by the scoring core under the game's rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache

from scorekeeper.scoring.cards import SUITS, Card
from scorekeeper.scoring.facts import NOT_GIVEN, Hand
from scorekeeper.scoring.hand import score_hand
from scorekeeper.scoring.play import legal_cards, trick_winner
from scorekeeper.scoring.points import point_cards
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.table import Table, TrumpSuit
from scorekeeper.web.common.fields import parse_number
from scorekeeper.web.common.narrator import CAPTURED
from scorekeeper.web.common.numbers import ScoreWords
from scorekeeper.web.common.words import card_sign, listed, suit_name
from scorekeeper.web.hand_entry.auction import bid_name
from scorekeeper.web.hand_entry.offline_page import table_data

from .forms import Choice
from .messages import bid_rule, card_of_point, others_score, without_bid
from .reference import ScoredPoint

TRICK, PLAY, POINTS, HAND = "trick", "play", "points", "hand"
QUESTIONS = {
    TRICK: "Who wins this trick?",
    PLAY: "May I play this?",
    POINTS: "Which card is each point?",
    HAND: "What does this hand score?",
}
SAY = {  # also used by the script
    "WHICH_TRUMP": "Tap the trump suit.",
    "TAP_TRICK": "Tap the cards of the trick in the order they were played.",
    "TAP_LED": "Tap the card that was led.",
    "TAP_HAND": "Now tap the cards you hold.",
    "TAP_BURIED": "Tap the buried cards you know.",
    "WHICH_BID": "Tap the bid.",
    "TAP_TAKEN": "Tap the points the bidders took.",
    "TAP_SIDE_TOOK": "Tap the points you took.",
    "NOT_IN_PLAY": "not in play",
    "BURIED": "buried: nobody gets it",
    "NOTHING_TO_PLAY": "Only trump may be played. You are out of this hand.",
    "UNKNOWN": "depends on the cards that were dealt",
    "NO_SIGNAL": "This answer needs a signal.",
}


@lru_cache(maxsize=64)
def asked_data(table: Table) -> dict[str, object]:
    """Data for the script.

    `table` is None, so that the server must be asked what a hand scores, if two points are the same card under every
    trump, since one may be tapped without the other.
    """
    trump = table.trumps[any_trump(table)]
    return {
        "players": table.players,
        "deck": table.deck,
        "seesBuried": table.sees_buried,
        "buried": table.buried,
        "follow": trump.follow,
        "lastJokerWins": trump.last_joker_wins,
        "trumps": {
            suit: {"order": its.order, "strength": its.strength, "literal": its.literal, "ends": its.ends}
            for suit, its in table.trumps.items()
        },
        "bid": None if table.has_auction else 0,  # before one is tapped
        "captured": [*table.captured],
        "keys": [*table.card_points],
        "names": {key: point.name for key, point in table.points.items()},
        "signs": {card: card_sign(card) for card in table.deck},
        "suits": {suit: suit_name(suit) for suit in SUITS},
        "rules": {key: card_of_point(point) for key, point in table.card_points.items()},
        "decides": {bid: [_decides(table, bid, made=made) for made in (False, True)] for bid in table.bids},
        "table": None if trump.doubles else table_data(table),
        "anyTrump": trump.suit,
        "endSuits": table.end_suits,
        "say": SAY | {"TAP_SEEN": _tap_seen(table.end_suits)},
    }


def any_trump(table: Table) -> str:
    """A trump suit for scoring points while trump is unknown, if possible one where no two points are the same card."""
    return next((suit for suit in SUITS if suit not in table.end_suits), SUITS[0])


BIDDER, OTHER, PARTNER = 1, 2, 3  # seats in the last question


class Ask:
    """A question as entered so far; `asked` are the URL arguments, invalid ones are ignored."""

    def __init__(self, table: Table, asked: Mapping[str, str]) -> None:
        self.table = table
        question = asked.get("ask", "")
        self.question = question if question in QUESTIONS else TRICK
        trump = asked.get("suit") or asked.get("trump", "")
        self.trump = trump if trump in SUITS else ""
        self.cards = self._toggled(asked)
        self.bid = self._bid(asked.get("call") or asked.get("bid", ""))
        taken = asked.get("taken", "").split(",")
        self.taken = self._taken(taken, asked.get("take", ""))

    def _toggled(self, asked: Mapping[str, str]) -> list[Card]:
        """Cards tapped, in order; tapping a card again removes it."""
        cards = [card for card in dict.fromkeys(asked.get("cards", "").split(",")) if card in self.table.cards]
        tapped = asked.get("tap", "")
        if tapped in cards:
            return [card for card in cards if card != tapped]
        cards += [tapped] if tapped in self.table.cards else []
        return cards[: self.table.players] if self.question == TRICK else cards

    def _taken(self, taken: Collection[str], tapped: str) -> list[str]:
        """Points of the side; a point and its captured variant exclude each other."""
        same = next((pair for pair in self._captured.items() if tapped in pair), ())
        kept = [key for key in taken if key not in (*same, tapped)]
        on = [tapped] if tapped not in taken else []
        return [key for key in (*self.table.points, *self._captured.values()) if key in (*kept, *on)]

    @cached_property
    def _captured(self) -> dict[str, str]:
        """Points with another worth when captured, and the value submitted for that."""
        return {key: f"{key}-captured" for key in self.table.captured}

    def _bid(self, asked: str) -> int | None:
        if not self.table.has_auction:
            return 0
        bid = parse_number(asked)
        return bid if bid in self.table.bids else None

    # --- input ---

    @property
    def fields(self) -> dict[str, str]:
        """Hidden fields for the next tap."""
        bid = "" if self.bid is None else str(self.bid)
        return {"trump": self.trump, "cards": ",".join(self.cards), "bid": bid, "taken": ",".join(self.taken)}

    @property
    def data(self) -> dict[str, object]:
        """Data for the offline script: the question so far, and the table."""
        asked = {"question": self.question, "trump": self.trump, "bid": self.bid}
        return {"asked": asked | {"cards": self.cards, "taken": self.taken}, "about": asked_data(self.table)}

    @cached_property
    def deck(self) -> list[Card]:
        """Cards that can be tapped: trump first, each suit from high to low."""
        if not self.trump:
            return []
        trump = self.table.trumps[self.trump]
        suits = self.table.end_suits if self.question == POINTS and not self.table.sees_buried else SUITS
        return [card for card in self.table.deck_by_strength(self.trump) if card in trump.trumps or card[1] in suits]

    @property
    def bids(self) -> list[Choice]:
        bids = sorted(self.table.bids) if self.table.has_auction else []
        return [Choice(str(bid), str(bid_name(self.table, bid)), bid == self.bid) for bid in bids]

    @property
    def points(self) -> list[Choice]:
        named = {key: point.name for key, point in self.table.points.items()}
        named |= {sent: f"{named[key]} {CAPTURED}" for key, sent in self._captured.items()}
        return [Choice(sent, name, sent in self.taken) for sent, name in named.items()]

    @property
    def hint(self) -> str:
        """Prompt for the next tap; empty if none."""
        if self.question == HAND:
            took = "TAP_TAKEN" if self.table.has_auction else "TAP_SIDE_TOOK"
            return SAY["WHICH_BID" if self.bid is None else took]
        if not self.trump:
            return SAY["WHICH_TRUMP"]
        if self.question == POINTS:
            return SAY["TAP_BURIED"] if self.table.sees_buried else _tap_seen(self.table.end_suits)
        if self.question == TRICK:
            return "" if len(self.cards) == self.table.players else SAY["TAP_TRICK"]
        return SAY["TAP_HAND"] if self.cards else SAY["TAP_LED"]

    # --- the answer ---

    @property
    def answer(self) -> list[str]:
        """The answer as sentences, as far as the input determines it."""
        if self.question == HAND:
            return self._hand() if self.bid is not None and (self.table.has_auction or self.taken) else []
        if not self.trump or not self.cards:
            return []
        return {TRICK: self._trick, PLAY: self._play, POINTS: list}[self.question]()

    def _trick(self) -> list[str]:
        trump = self.table.trumps[self.trump]
        return [_winner(self.cards, trick_winner(self.cards, trump), trump)] if len(self.cards) > 1 else []

    def _play(self) -> list[str]:
        trump, led, hand = self.table.trumps[self.trump], self.cards[0], self.cards[1:]
        legal = legal_cards(hand, led, trump)
        if hand and not legal:
            return [SAY["NOTHING_TO_PLAY"]]
        refused = [card for card in hand if card not in legal]
        may = f"You may play {listed([card_sign(card) for card in legal], ' or ')}."
        return [*([may] if legal else []), *([_may_not_play(refused, led, legal, trump)] if refused else [])]

    @property
    def rows(self) -> list[ScoredPoint]:
        """The card of each point."""
        if self.question != POINTS or not self.trump:
            return []
        known = self._buried() if self.table.sees_buried else self._cards_seen()
        return [
            ScoredPoint(point.name, known[key][0], known[key][1] or card_of_point(point))
            for key, point in self.table.card_points.items()
        ]

    def _buried(self) -> dict[str, tuple[Card | None, str]]:
        known = point_cards(self.table, self.trump, tuple(self.cards[: self.table.buried]))
        return {
            key: (card, SAY["BURIED"] if key in known.gone else "" if card else SAY["UNKNOWN"])
            for key, card in known.cards.items()
        }

    def _cards_seen(self) -> dict[str, tuple[Card | None, str]]:
        """From the cards tapped as played; without any, only points with a fixed card are certain."""
        trump = self.table.trumps[self.trump]
        if not self.cards:
            return {
                key: (trump.literal.get(key), "" if key in trump.literal else SAY["UNKNOWN"]) for key in trump.whole
            }
        found = trump.point_cards(self.table.cards - set(self.cards))
        return {key: (card, "" if card in self.cards else SAY["NOT_IN_PLAY"]) for key, card in found.items()}

    def _hand(self) -> list[str]:
        bid, captured = self.bid or 0, [key for key, sent in self._captured.items() if sent in self.taken]
        taken = {*self.taken, *captured} & {*self.table.points}
        special = self.table.specials.get(bid)
        needs_tricks = special is not None and special.needs_every_trick and len(taken) == len(self.table.points)
        hand = Hand(
            dealer=OTHER if bid else self.table.players,  # without a bid, the player to the dealer's left leads
            bidder=BIDDER,
            bid=bid,
            trump=any_trump(self.table),
            partner=PARTNER if self.table.calls_partner else NOT_GIVEN,
            claims={key: BIDDER if key in taken else OTHER for key in self.table.points},
            played_by=dict.fromkeys(captured, OTHER) or None,
            sweep=BIDDER if needs_tricks else None,
        )
        try:
            score = score_hand(self.table, hand)
        except Refused:
            return []
        change = ScoreWords(self.table.rules.win).change(score.change[self.table.unit_of[BIDDER]])
        earned = score.earned[score.bidding_side or ""]
        rule = _decides(self.table, bid, made=score.made)
        if not self.table.has_auction:
            return [f"{change} for these points.", rule]
        condition = " if you also won every trick" if needs_tricks else ""
        verdict = f"{'' if score.made else 'set, '}{change}{condition}"
        return [f"Bid {special.name if special else bid}, took {earned}: {verdict}.", rule]


# --- sentences --------------------------------------------------------------------------------------------------------


def _tap_seen(suits: Collection[str]) -> str:
    """Prompt for trumps and suits with end points: "Tap the trumps and the spades that were played."."""
    return f"Tap {listed(['the trumps', *(f'the {suit_name(suit)}' for suit in suits)])} that were played."


def _winner(cards: Sequence[Card], place: int, trump: TrumpSuit) -> str:
    """Text like "2♥ wins. It is the only trump."."""
    card = cards[place]
    sign = card_sign(card).capitalize()
    if trump.suit_of[card] == trump.suit:
        only = sum(trump.suit_of[other] == trump.suit for other in cards) == 1
        return f"{sign} wins. It is the {'only' if only else 'highest'} trump."
    led = suit_name(trump.suit_of[card])
    return f"{sign} wins. Nobody played trump, and it is the highest of the {led}, the suit led."


def _may_not_play(cards: Sequence[Card], led: Card, legal: Sequence[Card], trump: TrumpSuit) -> str:
    """Text like "Not 5♦: clubs were led, and you have K♣."."""
    suit = trump.suit_of[led]
    kept = next((card for card in legal if trump.suit_of[card] == suit), None)
    not_these = f"Not {listed([card_sign(card) for card in cards], ' or ')}"
    if kept is None:
        return f"{not_these}: these rules ask for trump."
    was_led = f"{suit_name(suit)} were led" if suit != trump.suit else "trump was led"
    return f"{not_these}: {was_led}, and you have {card_sign(kept)}."


def _decides(table: Table, bid: int, *, made: bool) -> str:
    """The rule that decides the result of a bid, and of the others if it is set."""
    if table.is_without_bid(bid):
        return without_bid(table.rules)
    rule, settle = bid_rule(table.rules, table.specials.get(bid), made=made), table.rules.settle
    return rule if made or settle.defenders == "taken" else f"{rule} {others_score(settle)}"

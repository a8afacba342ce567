"""Answers to what a table asks about its rules: who wins a trick, what may be played, which card is a point."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.table import Table, TrumpSuit
from scorekeeper.web.common.narrator import CAPTURED
from scorekeeper.web.common.words import card_sign, listed, suit_name

from .rule_sentences import bid_rule, others_score, without_bid

TRICK, PLAY, POINTS, HAND = "trick", "play", "points", "hand"
QUESTIONS = {
    TRICK: "Who wins this trick?",
    PLAY: "May I play this?",
    POINTS: "Which card is each point?",
    HAND: "What does this hand score?",
}
WHICH_TRUMP = "Tap the trump suit."
TAP_TRICK = "Tap the cards of the trick in the order they were played."
TAP_LED = "Tap the card that was led."
TAP_HAND = "Now tap the cards you hold."
TAP_BURIED = "Tap the buried cards, as far as you know them."
WHICH_BID = "Tap the bid."
TAP_TAKEN = "Tap the points that the bidding side took."
TAP_SIDE_TOOK = "Tap the points that one side took."
NOT_IN_PLAY = "not in play"
BURIED = "buried: nobody gets it"
NOTHING_TO_PLAY = "You have nothing to play: only trump may be played, and you are out of this hand."
NO_SIGNAL = "This answer needs a signal."
UNKNOWN = "depends on the cards that were dealt"


def tap_seen(suits: Collection[str]) -> str:
    """Tap the trumps and the spades that were played: of these suits a card is a point, whatever is trump."""
    return f"Tap {listed(['the trumps', *(f'the {suit_name(suit)}' for suit in suits)])} that were played."


def winner(cards: Sequence[Card], place: int, trump: TrumpSuit) -> str:
    """2♥ wins. It is the only trump."""
    card = cards[place]
    if trump.suit_of[card] == trump.suit:
        only = sum(trump.suit_of[other] == trump.suit for other in cards) == 1
        return f"{card_sign(card)} wins. It is the {'only' if only else 'highest'} trump."
    led = suit_name(trump.suit_of[card])
    return f"{card_sign(card)} wins. Nobody played trump, and it is the highest of the {led}, the suit led."


def may_play(cards: Collection[Card]) -> str:
    """You may play K♣ or 2♥."""
    return f"You may play {listed([card_sign(card) for card in cards], 'or')}."


def may_not_play(cards: Sequence[Card], led: Card, legal: Sequence[Card], trump: TrumpSuit) -> str:
    """Not 5♦: clubs were led, and you have K♣."""
    suit = trump.suit_of[led]
    kept = next((card for card in legal if trump.suit_of[card] == suit), None)
    not_these = f"Not {listed([card_sign(card) for card in cards], 'or')}"
    if kept is None:
        return f"{not_these}: these rules ask for trump."
    was_led = f"{suit_name(suit)} were led" if suit != trump.suit else "trump was led"
    return f"{not_these}: {was_led}, and you have {card_sign(kept)}."


def decides(table: Table, bid: int, *, made: bool) -> str:
    """The rules that say what a bid comes to, and what the others score if it is set."""
    if table.is_without_bid(bid):
        return without_bid(table.rules)
    rule, settle = bid_rule(table.rules, table.specials.get(bid), made=made), table.rules.settle
    return rule if made or settle.defenders == "taken" else f"{rule} {others_score(settle)}"


def captured(point: str) -> str:
    """Jack captured: what to tap where that is worth something else."""
    return f"{point} {CAPTURED}"


def side_scores(change: str) -> str:
    """That side scores +4: in a game without bidding."""
    return f"That side scores {change} for its points."


def scores(bid: str, taken: int, change: str, *, made: bool, every_trick: bool) -> str:
    """Bid 4, took 5: the bidding side scores +5."""
    condition = " if it also won every trick" if every_trick else ""
    verdict = "scores" if made else "is set and scores"
    return f"Bid {bid}, took {taken}: the bidding side {verdict} {change}{condition}."

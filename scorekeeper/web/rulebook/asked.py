"""What static/answers.js needs to know of a table, to answer its questions on a phone without a signal."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from scorekeeper.scoring.cards import SUITS
from scorekeeper.scoring.table import Table, TrumpSuit
from scorekeeper.web.common.words import card_sign, point_name, suit_name
from scorekeeper.web.hand_entry.offline import knows, table_data
from scorekeeper.web.wording import ask_sentences as say
from scorekeeper.web.wording.card_rule_sentences import point_card

SENTENCES = (
    *("WHICH_TRUMP", "TAP_TRICK", "TAP_LED", "TAP_HAND", "TAP_BURIED", "WHICH_BID", "TAP_TAKEN"),
    *("TAP_SIDE_TOOK", "NOT_IN_PLAY", "BURIED", "NOTHING_TO_PLAY", "UNKNOWN", "NO_SIGNAL"),
)


@lru_cache(maxsize=64)
def asked_data(table: Table) -> dict[str, Any]:
    """For the script; `table` is None where it cannot say what a hand scores, so that the server has to be asked.

    So, too, where two points are one card whatever suit is trump: somebody may tap one of them without the other.
    """
    trump = table.trumps[any_trump(table)]
    return {
        "players": table.players,
        "deck": table.deck,
        "seesBuried": table.sees_buried,
        "buried": table.buried,
        "follow": trump.follow,
        "lastJokerWins": trump.last_joker_wins,
        "trumps": {suit: _trump_data(trump) for suit, trump in table.trumps.items()},
        "bid": None if table.rules.auction.is_held else 0,  # before one is tapped
        "captured": [*table.captured],
        "keys": [*table.card_points],
        "names": {key: point_name(key) for key in table.points},
        "signs": {card: card_sign(card) for card in table.deck},
        "suits": {suit: suit_name(suit) for suit in SUITS},
        "rules": {key: point_card(point) for key, point in table.card_points.items()},
        "decides": {bid: [say.decides(table, bid, made=made) for made in (False, True)] for bid in table.bids},
        "table": table_data(table) if knows(table.rules) and not trump.doubles else None,
        "anyTrump": trump.suit,
        "endSuits": table.end_suits,
        "say": {name: getattr(say, name) for name in SENTENCES} | {"TAP_SEEN": say.tap_seen(table.end_suits)},
    }


def any_trump(table: Table) -> str:
    """A suit to score points under where nobody has said which is trump: one in which no two of them are one card."""
    return next((suit for suit in SUITS if suit not in table.end_suits), SUITS[0])


def _trump_data(trump: TrumpSuit) -> dict[str, Any]:
    return {"order": trump.order, "strength": trump.strength, "literal": trump.literal, "ends": trump.ends}

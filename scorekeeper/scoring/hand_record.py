"""One hand of a game record: its facts read, refused with a place, and written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from .auction import Call
from .cards import CARD_SPELLINGS, JOKERS, RANKS, SUIT_NAMES, UNKNOWN, Card
from .facts import NOT_SAID, Adjustment, Hand, SideName
from .play import Trick, has_unknown
from .problems import Problems, Refused
from .table import Seat, Table

DERIVED = frozenset(
    (
        "winner", "winners", "total", "totals", "score", "scores", "points", "counts", "earned", "made", "change",
        "adjusted", "status", "next_dealer", "bidding_side", "outcome",
    )
)  # fmt: skip


MOST_LETTERS = 300  # of a note, and of a reason
MOST_ADJUSTMENTS = 20
MOST_ADJUSTED = 999
# No control characters, line ends or halves of a character: none of them can be shown, nor kept by every database.
_ONE_LINE = re.compile(rf"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{{1,{MOST_LETTERS}}}")


def read_hand(data: object, table: Table) -> Hand:
    """One hand from its parsed record; raises Refused, places relative to the hand.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> read_hand({"bidder": 1, "bid": "smudge"}, Table(find_rules("partnership"))).bid
    5
    """
    problems = Problems()
    hand = parse_hand(data, table, problems)
    if problems:
        raise Refused(problems)
    return hand


def parse_hand(data: object, table: Table, problems: Problems, *, unknown: bool = False) -> Hand:
    """One hand, what is wrong with its shape going to `problems`; with `unknown` its tricks may have unknown cards."""
    if type(data) is not dict:
        problems.add("shape", "", "a hand is a JSON object")
        return Hand()
    readers = _READERS
    facts = {key: readers[key](value, key, table, problems) for key, value in data.items() if key in readers}
    if len(facts) < len(data):
        facts["extra"] = _extra(data, HAND_KEYS, "", problems)
    hand = Hand(**facts)
    if not unknown and hand.tricks is not None and has_unknown(hand.tricks):
        text = f"{UNKNOWN} is not a card: unknown cards are possible in records of setback-game/1.1 only"
        problems.add("unknown-card", "tricks", text)
    return hand


Reader = Callable[[Any, str, Table, Problems], Any]


def read_whole(value: object, at: str, problems: Problems) -> int | None:
    """A whole number; true and false are not numbers."""
    if type(value) is int:
        return value
    problems.add("not-a-number", at, "must be a whole number")
    return None


def _seat(value: object, at: str, table: Table, problems: Problems) -> Seat | None:
    if type(value) is int and value in table.seats:
        return value
    problems.add("no-such-seat", at, f"must be a seat from 1 to {table.players}")
    return None


def _partner(value: object, at: str, table: Table, problems: Problems) -> Seat | None:
    return None if value is None else _seat(value, at, table, problems)


def _bid(value: object, at: str, table: Table, problems: Problems) -> int | None:
    """A number, or the name of a special."""
    if type(value) is int:
        return value
    if isinstance(value, str):
        for special in table.rules.auction.specials:
            if special.name == value:
                return special.bid
    problems.add("no-such-bid", at, f"there is no bid of {_shown(value)}")
    return None


def _bids(value: object, at: str, table: Table, problems: Problems) -> tuple[Call, ...] | None:
    if type(value) is not list:
        problems.add("shape", at, "bids must be a list of objects with seat and bid")
        return None
    return tuple(_call(call, f"{at}[{index}]", table, problems) for index, call in enumerate(value))


def _call(value: object, at: str, table: Table, problems: Problems) -> Call:
    if type(value) is not dict or not {"seat", "bid"} <= value.keys():
        problems.add("shape", at, 'a call is an object with seat and bid, the bid a number or "pass"')
        return Call(0, None)
    extra = _extra(value, _CALL_KEYS, at, problems)
    seat = _seat(value["seat"], f"{at}.seat", table, problems)
    bid = None if value["bid"] == "pass" else _bid(value["bid"], f"{at}.bid", table, problems)
    return Call(seat or 0, bid, extra)


def _suit(value: object, at: str, table: Table, problems: Problems) -> str | None:
    if isinstance(value, str) and value in SUIT_NAMES:
        return value
    problems.add("no-such-suit", at, "trump must be S, H, D or C")
    return None


TURNED_UP = (*RANKS, *JOKERS, UNKNOWN)  # what a record says of a card that was turned up
TURNED_UP_SPELLINGS = {**{said: said for said in TURNED_UP}, "10": "T"}


def _turned_up(value: object, at: str, table: Table, problems: Problems) -> tuple[str, ...] | None:
    if type(value) not in (list, str) or not value:
        problems.add("shape", at, "turned_up must be a rank, or a list of ranks")
        return None
    try:
        return ranks_turned_up(value)
    except (KeyError, TypeError):
        for index, rank in enumerate(value if type(value) is list else [value]):
            if not isinstance(rank, str) or rank not in TURNED_UP_SPELLINGS:
                place = f"{at}[{index}]" if type(value) is list else at
                problems.add("no-such-rank", place, f"{_shown(rank)} is not a rank, a joker or x")
    return ()


def ranks_turned_up(told: Any) -> tuple[str, ...]:
    """The ranks of the cards turned up, from what a valid hand says of them: one of them may stand for itself.

    >>> ranks_turned_up("10"), ranks_turned_up(["9", "J"]), ranks_turned_up(None)
    (('T',), ('9', 'J'), ())
    """
    return tuple([TURNED_UP_SPELLINGS[rank] for rank in ([told] if isinstance(told, str) else told or ())])


def _yes_or_no(value: object, at: str, table: Table, problems: Problems) -> bool | None:
    if type(value) is bool:
        return value
    problems.add("not-yes-or-no", at, "must be true or false")
    return None


def _card(value: object, at: str, table: Table, problems: Problems) -> Card | None:
    if isinstance(value, str) and (card := CARD_SPELLINGS.get(value)) is not None:
        return card
    problems.add("no-such-card", at, f"{_shown(value)} is not a card")
    return None


def _cards(value: object, at: str, table: Table, problems: Problems) -> tuple[Card, ...]:
    if type(value) is list:
        try:
            return tuple([CARD_SPELLINGS[card] for card in value])
        except (KeyError, TypeError):
            for index, card in enumerate(value):
                _card(card, f"{at}[{index}]", table, problems)
    else:
        problems.add("shape", at, "must be a list of cards")
    return ()


def _tricks(value: object, at: str, table: Table, problems: Problems) -> tuple[Trick, ...] | None:
    if type(value) is not list:
        problems.add("shape", at, "tricks must be a list of objects with lead and cards")
        return None
    return tuple([_trick(trick, f"{at}[{index}]", table, problems) for index, trick in enumerate(value)])


def _trick(value: object, at: str, table: Table, problems: Problems) -> Trick:
    if type(value) is not dict or "cards" not in value:
        problems.add("shape", at, "a trick is an object with lead and cards")
        return Trick(None, ())
    extra = _extra(value, _TRICK_KEYS, at, problems)
    lead = _seat(value["lead"], f"{at}.lead", table, problems) if "lead" in value else None
    cards = _played(value["cards"], f"{at}.cards", table, problems)
    seats = _seats(value["seats"], f"{at}.seats", table, problems) if "seats" in value else None
    won = _seat(value["won"], f"{at}.won", table, problems) if "won" in value else None
    if "won" in value and UNKNOWN not in cards:
        problems.add("derived", f"{at}.won", "won follows from the cards, so a record does not hold it")
    return Trick(lead, cards, extra, seats, won)


def _played(value: object, at: str, table: Table, problems: Problems) -> tuple[Card, ...]:
    """The cards of a trick, of which some may be unknown."""
    if type(value) is not list or UNKNOWN not in value:
        return _cards(value, at, table, problems)
    known = (
        UNKNOWN if card == UNKNOWN else _card(card, f"{at}[{index}]", table, problems)
        for index, card in enumerate(value)
    )
    return tuple(card for card in known if card is not None)


def _seats(value: object, at: str, table: Table, problems: Problems) -> tuple[Seat, ...] | None:
    if type(value) is not list or not value:
        problems.add("shape", at, "must be a list of seats")
        return None
    return tuple([_seat(seat, f"{at}[{index}]", table, problems) or 0 for index, seat in enumerate(value)])


def _extra(value: dict[str, object], known: frozenset[str], at: str, problems: Problems) -> Mapping[str, object]:
    """What is under `x-` keys; any other unknown key goes to `problems`."""
    if value.keys() <= known:
        return _NOTHING
    check_keys(value, known, at, problems)
    return MappingProxyType({key: inner for key, inner in value.items() if key.startswith("x-")})


def _frozen(value: dict[Any, Any]) -> Mapping[Any, Any]:
    """A copy of an object of the record that nobody can change: hands are kept, and handed out."""
    return MappingProxyType(value.copy())


def _piles(value: object, at: str, table: Table, problems: Problems) -> Mapping[str, tuple[Card, ...]] | None:
    if type(value) is not dict:
        problems.add("shape", at, "piles must give each side its cards")
        return None
    return MappingProxyType({side: _cards(cards, f"{at}.{side}", table, problems) for side, cards in value.items()})


def _side(value: object, at: str, table: Table, problems: Problems) -> SideName | None:
    if type(value) in (str, int):
        return value  # type: ignore[return-value]
    problems.add("no-such-side", at, "must be a side, or a seat number for its side")
    return None


def _claims(value: object, at: str, table: Table, problems: Problems) -> Mapping[str, SideName | None] | None:
    if type(value) is not dict:
        problems.add("shape", at, "claims must give each point to a side, or to nobody with null")
        return None
    if not _CLAIMANTS.issuperset(map(type, value.values())):
        for key, side in value.items():
            if side is not None:
                _side(side, f"{at}.{key}", table, problems)
    return _frozen(value)


def _sides_of(shape: str) -> Reader:
    """What reads a side or seat for each of some points; `shape` says what else it should have been."""

    def read(value: object, at: str, table: Table, problems: Problems) -> Mapping[str, SideName] | None:
        if type(value) is not dict:
            problems.add("shape", at, shape)
            return None
        for key, side in value.items():
            _side(side, f"{at}.{key}", table, problems)
        return _frozen(value)

    return read


def _game_counts(value: object, at: str, table: Table, problems: Problems) -> Mapping[str, int] | None:
    if type(value) is not dict:
        problems.add("shape", at, "game_counts must give each side its count")
        return None
    for side, count in value.items():
        if type(count) is not int or count < 0:
            problems.add("not-a-number", f"{at}.{side}", "card points are a whole number from 0")
            return None
    return _frozen(value)


def _seat_names(value: object, at: str, table: Table, problems: Problems) -> Mapping[Seat, str] | None:
    if type(value) is not dict:
        problems.add("shape", at, "names must give seat numbers their names")
        return None
    seats = {str(seat): seat for seat in table.seats}
    for seat, name in value.items():
        if seat not in seats:
            problems.add("no-such-seat", f"{at}.{seat}", f"must be a seat from 1 to {table.players}")
        elif not isinstance(name, str) or not name:
            problems.add("names", f"{at}.{seat}", "must be a name")
    return MappingProxyType({seats[seat]: name for seat, name in value.items() if seat in seats})


def _line(value: object, at: str, table: Table, problems: Problems) -> str | None:
    """One line of text, not blank."""
    if isinstance(value, str) and _ONE_LINE.fullmatch(value) and not value.isspace():
        return value
    problems.add("not-a-line", at, f"must be one line of text with at most {MOST_LETTERS} letters")
    return None


def _adjustments(value: object, at: str, table: Table, problems: Problems) -> tuple[Adjustment, ...] | None:
    if type(value) is not list:
        problems.add("shape", at, "adjustments must be a list of objects with unit, points and reason")
        return None
    if len(value) > MOST_ADJUSTMENTS:
        problems.add("too-many-adjustments", at, f"a hand has at most {MOST_ADJUSTMENTS} adjustments, not {len(value)}")
        return None
    return tuple(_adjustment(entry, f"{at}[{index}]", table, problems) for index, entry in enumerate(value))


def _adjustment(value: object, at: str, table: Table, problems: Problems) -> Adjustment:
    if type(value) is not dict or not value.keys() >= _ADJUSTMENT_KEYS:
        problems.add("shape", at, "an adjustment is an object with unit, points and reason")
        return Adjustment("", 0, "")
    unit, points = value["unit"], value["points"]
    if unit not in table.units:
        text = f"there is no {_shown(unit)} here: scores are kept for {', '.join(table.units)}"
        problems.add("no-such-unit", f"{at}.unit", text)
    if type(points) is not int or not 0 < abs(points) <= MOST_ADJUSTED:
        text = f"must be a whole number from -{MOST_ADJUSTED} to {MOST_ADJUSTED}, and not 0"
        problems.add("not-a-number", f"{at}.points", text)
    reason = _line(value["reason"], f"{at}.reason", table, problems)
    return Adjustment(unit, points, reason or "", _extra(value, _ADJUSTMENT_KEYS, at, problems))


def _shown(value: object) -> str:
    """A value for a sentence: short, whatever was sent."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 20 else text[:20] + "…"


_READERS: dict[str, Reader] = {
    "dealer": _seat,
    "bids": _bids,
    "bidder": _seat,
    "bid": _bid,
    "trump": _suit,
    "turned_up": _turned_up,
    "gift": _yes_or_no,
    "misdeal": _yes_or_no,
    "called": _card,
    "partner": _partner,
    "buried": _cards,
    "tricks": _tricks,
    "piles": _piles,
    "claims": _claims,
    "game_counts": _game_counts,
    "low_by": _side,
    "high_by": _side,
    "played_by": _sides_of("played_by must give points the side or seat that played their card"),
    "sweep": _side,
    "tricks_won": _sides_of("tricks_won must give tricks that score the side or seat that won them"),
    "names": _seat_names,
    "note": _line,
    "adjustments": _adjustments,
}
HAND_KEYS = frozenset(_READERS)
_CLAIMANTS = frozenset((str, int, type(None)))  # what a claim may be: a side, a seat, nobody
_CALL_KEYS = frozenset(("seat", "bid"))
_TRICK_KEYS = frozenset(("lead", "cards", "seats", "won"))
_ADJUSTMENT_KEYS = frozenset(("unit", "points", "reason"))
_NOTHING: Mapping[str, object] = MappingProxyType({})


def write_hand(hand: Hand) -> dict[str, Any]:
    """The record of one hand, ready for JSON; `read_hand` gives an equal hand back.

    >>> from scorekeeper.scoring import Hand
    >>> write_hand(Hand(dealer=4, bidder=1, bid=2, buried=("9C",)))
    {'dealer': 4, 'bidder': 1, 'bid': 2, 'buried': ['9C']}
    """
    data: dict[str, Any] = {}
    for key in _READERS:
        value = getattr(hand, key)
        if value is not None and value is not NOT_SAID:
            data[key] = _WRITERS[key](value) if key in _WRITERS else value
    if hand.partner is None:
        data["partner"] = None
    return data | dict(hand.extra)


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "bids": lambda bids: [_call_data(call) for call in bids],
    "turned_up": list,
    "buried": list,
    "tricks": lambda tricks: [_trick_data(trick) for trick in tricks],
    "piles": lambda piles: {str(side): list(cards) for side, cards in piles.items()},
    "claims": dict,
    "game_counts": dict,
    "played_by": dict,
    "tricks_won": dict,
    "names": lambda names: {str(seat): name for seat, name in names.items()},
    "adjustments": lambda adjustments: [_adjustment_data(adjustment) for adjustment in adjustments],
}


def _trick_data(trick: Trick) -> dict[str, Any]:
    lead = {} if trick.lead is None else {"lead": trick.lead}
    seats = {} if trick.seats is None else {"seats": list(trick.seats)}
    won = {} if trick.won is None else {"won": trick.won}
    return {**lead, "cards": list(trick.cards), **seats, **won, **trick.extra}


def _adjustment_data(adjustment: Adjustment) -> dict[str, Any]:
    unit, points, reason, extra = adjustment
    return {"unit": unit, "points": points, "reason": reason, **extra}


def _call_data(call: Call) -> dict[str, Any]:
    return {"seat": call.seat, "bid": "pass" if call.bid is None else call.bid, **call.extra}


def check_keys(data: Mapping[Any, object], known: frozenset[str], at: str, problems: Problems) -> None:
    """Refuse every key that is not known, but for those that begin with `x-`."""
    for key in data:
        if key not in known and not (isinstance(key, str) and key.startswith("x-")):
            place = f"{at}.{key}" if at else str(key)
            if key in DERIVED:
                problems.add("derived", place, f"{key} follows from the facts, so a record does not hold it")
            else:
                problems.add("unknown-key", place, f"a record has no key {key!r} here")

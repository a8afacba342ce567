"""Game records: JSON text to the facts of a game and back, hand by hand, and what `scorekeeper score` answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from scorekeeper.scoring.auction import Call
from scorekeeper.scoring.cards import CARD_SPELLINGS, JOKERS, RANKS, SUIT_NAMES, UNKNOWN, Card
from scorekeeper.scoring.facts import NOT_SAID, Adjustment, Hand, SideName
from scorekeeper.scoring.game import Game, GameScore, check_game, score_game
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.play import Trick, has_unknown
from scorekeeper.scoring.points import PointScore
from scorekeeper.scoring.problems import Problem, Problems, Refused
from scorekeeper.scoring.rules import RuleSet, UnknownRulesError, find_rules
from scorekeeper.scoring.table import Seat, Table

if TYPE_CHECKING:
    from scorekeeper.scoring.hand_facts import Facts

__all__ = [
    "FORMAT",
    "Refused",
    "answer",
    "find_table",
    "parse",
    "read_game",
    "read_hand",
    "score_record",
    "write_game",
    "write_hand",
]

FORMAT = "setback-game/1"
WITH_UNKNOWN = "setback-game/1.1"  # the same, where tricks may have unknown cards
NO_OPTIONS: dict[str, object] = {}
MOST_AT_START = 9999

_GAME_KEYS = frozenset(
    ("format", "rules", "options", "players", "teams", "names", "start", "played", "hands"),
)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?)?", re.ASCII)
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
    facts: dict[str, Any] = {
        key: readers[key](value, key, table, problems) for key, value in data.items() if key in readers
    }
    if len(facts) < len(data):
        facts["extra"] = _extra(data, HAND_KEYS, "", problems)
    hand = Hand(**facts)
    if not unknown and hand.tricks is not None and has_unknown(hand.tricks):
        text = f"{UNKNOWN} is not a card: unknown cards are possible in records of {WITH_UNKNOWN} only"
        problems.add("unknown-card", "tricks", text)
    return hand


Reader = Callable[[object, str, Table, Problems], object]


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
        return ranks_turned_up(cast("Iterable[str]", value))
    except (KeyError, TypeError):
        for index, rank in enumerate(value if type(value) is list else [value]):
            if not isinstance(rank, str) or rank not in TURNED_UP_SPELLINGS:
                place = f"{at}[{index}]" if type(value) is list else at
                problems.add("no-such-rank", place, f"{_shown(rank)} is not a rank, a joker or x")
    return ()


def ranks_turned_up(told: Iterable[str] | None) -> tuple[str, ...]:
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
    cards = _trick_cards(value["cards"], f"{at}.cards", table, problems)
    seats = _seats(value["seats"], f"{at}.seats", table, problems) if "seats" in value else None
    won = _seat(value["won"], f"{at}.won", table, problems) if "won" in value else None
    if "won" in value and UNKNOWN not in cards:
        problems.add("derived", f"{at}.won", "won follows from the cards, so a record does not hold it")
    return Trick(lead, cards, extra, seats, won)


def _trick_cards(value: object, at: str, table: Table, problems: Problems) -> tuple[Card, ...]:
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


def _frozen(value: dict[str, Any]) -> Mapping[str, Any]:
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
    if not _CLAIM_TYPES.issuperset(map(type, value.values())):
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
_CLAIM_TYPES = frozenset((str, int, type(None)))  # what a claim may be: a side, a seat, nobody
_CALL_KEYS = frozenset(("seat", "bid"))
_TRICK_KEYS = frozenset(("lead", "cards", "seats", "won"))
_ADJUSTMENT_KEYS = frozenset(("unit", "points", "reason"))
_NOTHING: Mapping[str, object] = MappingProxyType({})


def write_hand(hand: Hand) -> Facts:
    """The record of one hand, ready for JSON; `read_hand` gives an equal hand back.

    >>> from scorekeeper.scoring import Hand
    >>> write_hand(Hand(dealer=4, bidder=1, bid=2, buried=("9C",)))
    {'dealer': 4, 'bidder': 1, 'bid': 2, 'buried': ['9C']}
    """
    data: dict[str, object] = {}
    for key in _READERS:
        value = getattr(hand, key)
        if value is not None and value is not NOT_SAID:
            data[key] = _WRITERS[key](value) if key in _WRITERS else value
    if hand.partner is None:
        data["partner"] = None
    return cast("Facts", data | dict(hand.extra))


_WRITERS: dict[str, Callable[[Any], object]] = {
    "bids": lambda bids: [
        {"seat": call.seat, "bid": "pass" if call.bid is None else call.bid, **call.extra} for call in bids
    ],
    "turned_up": list,
    "buried": list,
    "tricks": lambda tricks: [_trick_data(trick) for trick in tricks],
    "piles": lambda piles: {str(side): list(cards) for side, cards in piles.items()},
    "claims": dict,
    "game_counts": dict,
    "played_by": dict,
    "tricks_won": dict,
    "names": lambda names: {str(seat): name for seat, name in names.items()},
    "adjustments": lambda adjustments: [
        {"unit": unit, "points": points, "reason": reason, **extra} for unit, points, reason, extra in adjustments
    ],
}


def _trick_data(trick: Trick) -> dict[str, object]:
    lead = {} if trick.lead is None else {"lead": trick.lead}
    seats = {} if trick.seats is None else {"seats": list(trick.seats)}
    won = {} if trick.won is None else {"won": trick.won}
    return {**lead, "cards": list(trick.cards), **seats, **won, **trick.extra}


def check_keys(data: Mapping[str, object], known: frozenset[str], at: str, problems: Problems) -> None:
    """Refuse every key that is not known, but for those that begin with `x-`."""
    for key in data:
        if key not in known and not (isinstance(key, str) and key.startswith("x-")):
            place = f"{at}.{key}" if at else str(key)
            if key in DERIVED:
                problems.add("derived", place, f"{key} follows from the facts, so a record does not hold it")
            else:
                problems.add("unknown-key", place, f"a record has no key {key!r} here")


# --- the game --------------------------------------------------------------------------------------------------


def read_game(data: object) -> Game:
    """A game from a parsed record; raises Refused with every problem of its shape.

    >>> read_game({"format": "setback-game/1", "rules": "classic", "hands": []}).table.units
    ('A', 'B')
    """
    problems = Problems()
    if not isinstance(data, Mapping):
        raise Refused([Problem("shape", "", "a game record is a JSON object")])
    check_keys(data, _GAME_KEYS, "", problems)
    if data.get("format") not in (FORMAT, WITH_UNKNOWN):
        problems.add("format", "format", f'the format must be "{FORMAT}", or "{WITH_UNKNOWN}"')
    table = _read_table(data, problems)
    names, start = _read_names(data, table, problems), _read_start(data, table, problems)
    played = _read_played(data, problems)
    hands = _read_hands(data, table, problems)
    if problems or table is None:
        raise Refused(problems)
    rules_id = data["rules"] if isinstance(data["rules"], str) else None
    extra = {key: value for key, value in data.items() if key.startswith("x-")}
    return Game(table, hands, rules_id, data.get("options") or {}, names, start, played, extra)


def score_record(data: object) -> GameScore:
    """Score a parsed record; raises Refused with every problem in it, places as in `hands[3].piles.A[2]`.

    >>> hand = {"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "piles": {"A": ["AH", "2H", "TC"], "B": ["JH"]}}
    >>> score_record({"format": "setback-game/1", "rules": "classic", "hands": [hand]}).totals
    {'A': 3, 'B': 1}
    """
    game = read_game(data)
    try:
        return score_game(game)
    except Refused:
        raise Refused(check_game(game)) from None


def parse(text: str) -> object:
    """The JSON value in a text; raises Refused where it is none, or names a key of an object twice.

    >>> parse('{"hands": []}')
    {'hands': []}
    """
    try:
        return json.loads(text, object_pairs_hook=_no_key_twice)
    except RecursionError:
        raise Refused([Problem("not-json", "", "not a game record: nested too deeply")]) from None
    except ValueError as error:
        raise Refused([Problem("not-json", "", f"not JSON: {error}")]) from None


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"an object names {twice!r} twice")
    return read


# --- rules and table --------------------------------------------------------------------------------------------


def _read_table(data: Mapping[str, object], problems: Problems) -> Table | None:
    numbers = {key: read_whole(data[key], key, problems) for key in ("players", "teams") if key in data}
    if None in numbers.values():
        return None
    try:
        return find_table(
            data.get("rules"), numbers.get("players"), numbers.get("teams"), data.get("options", NO_OPTIONS)
        )
    except Refused as refused:
        problems.extend(refused.problems)
    except RecursionError:
        problems.add("rule-shape", "rules", "the rules are nested too deeply")
    return None


def find_table(rules: object, players: int | None, teams: int | None, options: object = NO_OPTIONS) -> Table:
    """The table of a record's rules (a catalogue id, or a complete rule set); raises Refused.

    >>> find_table("shankar", 6, 3, {"win.target": 21}).rules.win.target
    21
    """
    return _table(json.dumps(rules), json.dumps(options), players, teams)


@lru_cache(maxsize=64)
def _table(written: str, options: str, players: int | None, teams: int | None) -> Table:
    """The table for rules and options, given as JSON; kept, because a file of games mostly repeats one."""
    problems = Problems()
    rules = _read_rules(json.loads(written), json.loads(options), problems)
    if rules is None:
        raise Refused(problems)
    return Table(rules, players, teams)


def _read_rules(written: object, options: object, problems: Problems) -> RuleSet | None:
    if not isinstance(options, Mapping):
        problems.add("options", "options", "options must be an object of rules by their dotted names")
        return None
    rules = None
    if isinstance(written, str):
        rules = _find(written, problems)
    elif isinstance(written, Mapping):
        rules = _refusing("rules", problems, lambda: RuleSet.from_dict(written))
    else:
        problems.add("rules", "rules", "rules must be the id of a rule set, or a complete rule set")
    if rules is None:
        return None
    found = rules
    wanted = {name: value for name, value in options.items() if not name.startswith("x-")}
    return _refusing("options", problems, lambda: found.override(wanted))


def _find(rules_id: str, problems: Problems) -> RuleSet | None:
    try:
        return find_rules(rules_id)
    except UnknownRulesError as error:
        problems.add("unknown-rules", "rules", str(error))
        return None


def _refusing(place: str, problems: Problems, read: Callable[[], RuleSet]) -> RuleSet | None:
    try:
        return read()
    except Refused as refused:
        problems.extend(problem.under(place) for problem in refused.problems)
        return None


def _read_names(data: Mapping[str, object], table: Table | None, problems: Problems) -> tuple[str, ...] | None:
    names = data.get("names")
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        problems.add("names", "names", "names must be a list of names, one for each seat")
    elif table is not None and len(names) != table.players:
        problems.add("names-count", "names", f"there are {table.players} players, but {len(names)} names")
    else:
        return tuple(names)
    return None


def _read_start(data: Mapping[str, object], table: Table | None, problems: Problems) -> dict[str, int] | None:
    start = data.get("start")
    if start is None or table is None:
        return None
    if not isinstance(start, Mapping):
        problems.add("start", "start", "start must give each scoring unit its score")
        return None
    for unit in start:
        if unit not in table.units:
            problems.add(
                "no-such-unit",
                f"start.{unit}",
                f"there is no {unit} here: scores are kept for {', '.join(table.units)}",
            )
    read = {unit: _read_score(score, f"start.{unit}", problems) for unit, score in start.items()}
    return read | {unit: 0 for unit in table.units if unit not in start}


def _read_score(value: object, at: str, problems: Problems) -> int:
    score = read_whole(value, at, problems) or 0
    if abs(score) > MOST_AT_START:
        problems.add("start", at, f"must be a score from -{MOST_AT_START} to {MOST_AT_START}")
    return score


def _read_played(data: Mapping[str, Any], problems: Problems) -> str | None:
    played: str | None = data.get("played")
    looks_right = isinstance(played, str) and DATE.fullmatch(played) is not None
    if played is None or (looks_right and _is_date(played)):
        return played
    code = "no-such-day" if looks_right else "played"
    problems.add(code, "played", "played must be a date like 2026-11-21, or a date and a time")
    return None


def _is_date(text: str) -> bool:
    from datetime import datetime  # only records with a date pay for loading it

    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _read_hands(data: Mapping[str, object], table: Table | None, problems: Problems) -> tuple[Hand, ...]:
    hands = data.get("hands")
    if not isinstance(hands, list):
        problems.add("hands", "hands", "hands must be a list")
        return ()
    if table is None:
        return ()
    read, found, unknown = [], Problems(), data.get("format") == WITH_UNKNOWN
    for index, hand in enumerate(hands):
        read.append(parse_hand(hand, table, found, unknown=unknown))
        if found:
            problems.extend(problem.under(f"hands[{index}]") for problem in found)
            found.clear()
    return tuple(read)


# --- writing ----------------------------------------------------------------------------------------------------


def write_game(game: Game) -> dict[str, object]:
    """The record of a game, ready for JSON; `read_game` gives an equal game back.

    >>> game = read_game({"format": "setback-game/1", "rules": "classic", "hands": []})
    >>> write_game(game)["players"], read_game(write_game(game)).table.players
    (4, 4)
    """
    unknown = any(has_unknown(hand.tricks) for hand in game.hands)
    data: dict[str, object] = {"format": WITH_UNKNOWN if unknown else FORMAT}
    if game.rules_id is not None:
        data["rules"] = game.rules_id
        if game.options:
            data["options"] = dict(game.options)
    else:
        data["rules"] = game.rules.to_dict()
    data |= {"players": game.table.players, "teams": game.table.teams}
    if game.names is not None:
        data["names"] = list(game.names)
    if game.start is not None:
        data["start"] = dict(game.start)
    if game.played is not None:
        data["played"] = game.played
    return data | {"hands": [write_hand(hand) for hand in game.hands], **game.extra}


def answer(game: Game, score: GameScore) -> dict[str, object]:
    """What `scorekeeper score` prints of a game, ready for JSON (docs/game-record.md).

    >>> from scorekeeper.scoring import score_game
    >>> game = read_game({"format": "setback-game/1", "rules": "classic", "hands": []})
    >>> answer(game, score_game(game))["totals"]
    {'A': 0, 'B': 0}
    """
    return {
        "rules": game.rules_id or game.rules.id,
        "hands": [_hand_answer(hand) for hand in score.hands],
        "totals": score.totals,
        "winners": list(score.winners),
        "next_dealer": score.next_dealer,
    }


def _hand_answer(hand: HandScore) -> dict[str, object]:
    adjusted = {"adjusted": hand.adjusted} if hand.adjustments else {}
    events = {"events": dict(hand.events)} if hand.events else {}
    after = {**events, "change": hand.change, **adjusted, "totals": hand.totals, "dealer": hand.dealer}
    if hand.status == "passed-out":
        return {"status": hand.status, **after}
    data: dict[str, object] = {
        "status": hand.status,
        "bidder": hand.bidder,
        "bid": hand.bid,
        "bidding_side": hand.bidding_side,
        "points": {key: _point_answer(point) for key, point in hand.points.items()},
    }
    if hand.counts is not None:
        data["counts"] = hand.counts
    assumed = {"assumed": list(hand.assumed)} if hand.assumed else {}
    missed = {"missed": list(hand.missed)} if hand.missed else {}
    decides = {"decides": hand.decides} if hand.decides else {}
    sold = {"sold": dict(hand.sold)} if hand.sold else {}
    return data | {"earned": hand.earned, **assumed, "made": hand.made, **missed, **decides, **sold, **after}


def _point_answer(point: PointScore) -> dict[str, object]:
    data: dict[str, object] = {"side": point.side}
    if point.card is not None:
        data["card"] = point.card
    if point.why is not None:
        data["why"] = point.why
    if point.captured:
        data["captured"] = True
    return data

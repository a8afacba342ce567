"""The game record (format `setback-game/1`): read it, refuse it with a place, score it, write it.

A record holds facts only; whatever follows from them is refused in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from .auction import Call
from .cards import CARD_SPELLINGS, SUITS, Card
from .game import Game, GameScore, check_game, score_game
from .hand import NOT_SAID, Hand, HandScore, SideName
from .play import Trick
from .points import PointScore
from .problems import Problems, Refused
from .rules import RuleSet, UnknownRules, find_rules
from .table import Seat, Table

FORMAT = "setback-game/1"

_GAME_KEYS = frozenset(
    ("format", "rules", "options", "players", "teams", "names", "start", "played", "hands"),
)
_DERIVED = frozenset(
    (
        "winner", "winners", "total", "totals", "score", "scores", "points", "counts", "earned", "made", "change",
        "status", "next_dealer", "bidding_side", "outcome",
    )
)  # fmt: skip
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?)?", re.ASCII)


# --- the whole game ---------------------------------------------------------------------------------------------


def read_game(data: object) -> Game:
    """A game from a parsed record; raises Refused with every problem of its shape."""
    problems = Problems()
    if not isinstance(data, Mapping):
        raise Refused([_problem("shape", "", "a game record is a JSON object")])
    _check_keys(data, _GAME_KEYS, "", problems)
    if data.get("format") != FORMAT:
        problems.add("format", "format", f'the format must be "{FORMAT}"')
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
    """Score a parsed record; raises Refused with every problem in it, places as in `hands[3].piles.A[2]`."""
    game = read_game(data)
    try:
        return score_game(game)
    except Refused:
        raise Refused(check_game(game)) from None


def read_hand(data: object, table: Table) -> Hand:
    """One hand from its parsed record; raises Refused, places relative to the hand."""
    problems = Problems()
    hand = _read_hand(data, table, "", problems)
    if problems:
        raise Refused(problems)
    return hand


def parse(text: str) -> object:
    """The JSON value in a text; raises Refused where it is none, or names a key of an object twice."""
    try:
        return json.loads(text, object_pairs_hook=_no_key_twice)
    except RecursionError:
        raise Refused([_problem("not-json", "", "not a game record: nested too deeply")]) from None
    except ValueError as error:
        raise Refused([_problem("not-json", "", f"not JSON: {error}")]) from None


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"an object names {twice!r} twice")
    return read


def _problem(code: str, at: str, message: str) -> Any:
    problems = Problems()
    problems.add(code, at, message)
    return problems[0]


def _check_keys(data: Mapping[Any, object], known: frozenset[str], at: str, problems: Problems) -> None:
    for key in data.keys() - known:
        if not isinstance(key, str) or not key.startswith("x-"):
            place = f"{at}.{key}" if at else str(key)
            if key in _DERIVED:
                problems.add("derived", place, f"{key} follows from the facts, so a record does not hold it")
            else:
                problems.add("unknown-key", place, f"a record has no key {key!r} here")


# --- rules and table --------------------------------------------------------------------------------------------


def _read_table(data: Mapping[str, Any], problems: Problems) -> Table | None:
    rules = _read_rules(data, problems)
    numbers = {key: _whole(data[key], key, problems) for key in ("players", "teams") if key in data}
    if rules is None or None in numbers.values():
        return None
    try:
        return Table(rules, numbers.get("players"), numbers.get("teams"))
    except Refused as refused:
        problems.extend(refused.problems)
        return None


def _read_rules(data: Mapping[str, Any], problems: Problems) -> RuleSet | None:
    written, options = data.get("rules"), data.get("options", {})
    if not isinstance(options, Mapping):
        problems.add("options", "options", "options must be an object of rules by their dotted names")
        return None
    rules = None
    if isinstance(written, str):
        rules = _find(written, problems)
    elif isinstance(written, Mapping):
        rules = _refusing("rules", problems, lambda: RuleSet.from_dict(written))
    else:
        problems.add("rules", "rules", "rules must be a catalogue id or a whole rule set")
    if rules is None:
        return None
    found = rules
    wanted = {name: value for name, value in options.items() if not name.startswith("x-")}
    return _refusing("options", problems, lambda: found.override(wanted))


def _find(rules_id: str, problems: Problems) -> RuleSet | None:
    try:
        return find_rules(rules_id)
    except UnknownRules as error:
        problems.add("unknown-rules", "rules", str(error))
        return None


def _refusing(place: str, problems: Problems, read: Callable[[], RuleSet]) -> RuleSet | None:
    try:
        return read()
    except Refused as refused:
        problems.extend(problem.under(place) for problem in refused.problems)
        return None


def _read_names(data: Mapping[str, Any], table: Table | None, problems: Problems) -> tuple[str, ...] | None:
    names = data.get("names")
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        problems.add("names", "names", "names must be a list of names, one a seat")
    elif table is not None and len(names) != table.players:
        problems.add("names", "names", f"{table.players} players sit down, but there are {len(names)} names")
    else:
        return tuple(names)
    return None


def _read_start(data: Mapping[str, Any], table: Table | None, problems: Problems) -> dict[str, int] | None:
    start = data.get("start")
    if start is None or table is None:
        return None
    if not isinstance(start, Mapping):
        problems.add("start", "start", "start must give each scoring unit its score")
        return None
    for unit in start:
        if unit not in table.units:
            problems.add("no-such-unit", f"start.{unit}", f"there is no {unit} here: scores are kept for {', '.join(table.units)}")
    for unit in table.units:
        if unit not in start:
            problems.add("start", "start", f"the starting score of {unit} is missing")
    return {unit: _whole(score, f"start.{unit}", problems) or 0 for unit, score in start.items()}


def _read_played(data: Mapping[str, Any], problems: Problems) -> str | None:
    played = data.get("played")
    if played is None or (isinstance(played, str) and _DATE.fullmatch(played) and _is_date(played)):
        return played
    problems.add("played", "played", "played must be an ISO date, such as 2026-11-21, or a time")
    return None


def _is_date(text: str) -> bool:
    from datetime import datetime  # only records with a date pay for loading it

    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _read_hands(data: Mapping[str, Any], table: Table | None, problems: Problems) -> tuple[Hand, ...]:
    hands = data.get("hands")
    if not isinstance(hands, list):
        problems.add("hands", "hands", "hands must be a list")
        return ()
    if table is None:
        return ()
    return tuple(_read_hand(hand, table, f"hands[{index}]", problems) for index, hand in enumerate(hands))


# --- one hand ---------------------------------------------------------------------------------------------------


def _read_hand(data: object, table: Table, at: str, problems: Problems) -> Hand:
    if type(data) is not dict:
        problems.add("shape", at, "a hand is a JSON object")
        return Hand()
    found, facts = Problems(), {}
    for key, value in data.items():
        reader = _READERS.get(key)
        if reader is not None:
            facts[key] = reader(value, key, table, found)
    if len(facts) != len(data):
        _check_keys(data, _HAND_KEYS, "", found)
        facts["extra"] = {key: value for key, value in data.items() if key.startswith("x-")}
    if found:
        problems.extend(problem.under(at) for problem in found)
    return Hand(**facts)


Reader = Callable[[Any, str, Table, Problems], Any]


def _whole(value: object, at: str, problems: Problems) -> int | None:
    if type(value) is int:
        return value
    problems.add("not-a-number", at, "must be a whole number")
    return None


def _seat(value: object, at: str, table: Table, problems: Problems) -> Seat | None:
    if type(value) is int and 1 <= value <= table.players:
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
    _check_keys(value, _CALL_KEYS, at, problems)
    seat = _seat(value["seat"], f"{at}.seat", table, problems)
    bid = None if value["bid"] == "pass" else _bid(value["bid"], f"{at}.bid", table, problems)
    return Call(seat or 0, bid)


def _suit(value: object, at: str, table: Table, problems: Problems) -> str | None:
    if isinstance(value, str) and len(value) == 1 and value in SUITS:
        return value
    problems.add("no-such-suit", at, "trump must be S, H, D or C")
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
    if not value.keys() <= _TRICK_KEYS:
        _check_keys(value, _TRICK_KEYS, at, problems)
    lead = _seat(value["lead"], f"{at}.lead", table, problems) if "lead" in value else None
    return Trick(lead, _cards(value["cards"], f"{at}.cards", table, problems))


def _piles(value: object, at: str, table: Table, problems: Problems) -> dict[str, tuple[Card, ...]] | None:
    if type(value) is not dict:
        problems.add("shape", at, "piles must give each side its cards")
        return None
    return {side: _cards(cards, f"{at}.{side}", table, problems) for side, cards in value.items()}


def _side(value: object, at: str, table: Table, problems: Problems) -> SideName | None:
    if type(value) in (str, int):
        return value  # type: ignore[return-value]
    problems.add("no-such-side", at, "must be a side, or a seat number for its side")
    return None


def _claims(value: object, at: str, table: Table, problems: Problems) -> dict[str, SideName | None] | None:
    if type(value) is not dict:
        problems.add("shape", at, "claims must give each point to a side, or to nobody with null")
        return None
    for key, side in value.items():
        if side is not None and type(side) is not str:
            _side(side, f"{at}.{key}", table, problems)
    return value


def _game_counts(value: object, at: str, table: Table, problems: Problems) -> dict[str, int] | None:
    if type(value) is not dict:
        problems.add("shape", at, "game_counts must give each side its count")
        return None
    for side, count in value.items():
        if type(count) is not int or count < 0:
            problems.add("not-a-number", f"{at}.{side}", "a Game count is a whole number from 0")
            return None
    return value


def _seat_names(value: object, at: str, table: Table, problems: Problems) -> dict[Seat, str] | None:
    if type(value) is not dict:
        problems.add("shape", at, "names must give seat numbers their names")
        return None
    seats = {str(seat): seat for seat in table.seats}
    for seat, name in value.items():
        if seat not in seats:
            problems.add("no-such-seat", f"{at}.{seat}", f"must be a seat from 1 to {table.players}")
        elif not isinstance(name, str) or not name:
            problems.add("names", f"{at}.{seat}", "must be a name")
    return {seats[seat]: name for seat, name in value.items() if seat in seats}


def _shown(value: object) -> str:
    """A value as it may stand in a sentence: short, whatever was sent."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= 20 else text[:20] + "…"


_READERS: dict[str, Reader] = {
    "dealer": _seat,
    "bids": _bids,
    "bidder": _seat,
    "bid": _bid,
    "trump": _suit,
    "called": _card,
    "partner": _partner,
    "buried": _cards,
    "tricks": _tricks,
    "piles": _piles,
    "claims": _claims,
    "game_counts": _game_counts,
    "low_by": _side,
    "high_by": _side,
    "sweep": _side,
    "names": _seat_names,
}
_HAND_KEYS = frozenset(_READERS)
_CALL_KEYS = frozenset(("seat", "bid"))
_TRICK_KEYS = frozenset(("lead", "cards"))


# --- writing ----------------------------------------------------------------------------------------------------


def write_game(game: Game) -> dict[str, Any]:
    """The record of a game; `read_game` gives an equal game back."""
    data: dict[str, Any] = {"format": FORMAT}
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


def write_hand(hand: Hand) -> dict[str, Any]:
    """The record of one hand; `read_hand` gives an equal hand back."""
    data: dict[str, Any] = {}
    for key in _READERS:
        value = getattr(hand, key)
        if value is not None and value is not NOT_SAID:
            data[key] = _WRITERS[key](value) if key in _WRITERS else value
    if hand.partner is None:
        data["partner"] = None
    return data | dict(hand.extra)


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "bids": lambda bids: [{"seat": call.seat, "bid": "pass" if call.bid is None else call.bid} for call in bids],
    "buried": list,
    "tricks": lambda tricks: [_trick_data(trick) for trick in tricks],
    "piles": lambda piles: {str(side): list(cards) for side, cards in piles.items()},
    "claims": dict,
    "game_counts": dict,
    "names": lambda names: {str(seat): name for seat, name in names.items()},
}


def _trick_data(trick: Trick) -> dict[str, Any]:
    lead = {} if trick.lead is None else {"lead": trick.lead}
    return {**lead, "cards": list(trick.cards)}


def answer(game: Game, score: GameScore) -> dict[str, Any]:
    """What `scorekeeper score` prints of a game."""
    return {
        "rules": game.rules_id or game.rules.id,
        "hands": [_hand_answer(hand) for hand in score.hands],
        "totals": score.totals,
        "winners": list(score.winners),
        "next_dealer": score.next_dealer,
    }


def _hand_answer(hand: HandScore) -> dict[str, Any]:
    if hand.status == "passed-out":
        return {"status": hand.status, "change": hand.change, "totals": hand.totals, "dealer": hand.dealer}
    data: dict[str, Any] = {
        "status": hand.status,
        "bidder": hand.bidder,
        "bid": hand.bid,
        "bidding_side": hand.bidding_side,
        "points": {key: _point_answer(point) for key, point in hand.points.items()},
    }
    if hand.counts is not None:
        data["counts"] = hand.counts
    data |= {"earned": hand.earned, "made": hand.made, "change": hand.change, "totals": hand.totals}
    data["dealer"] = hand.dealer
    return data


def _point_answer(point: PointScore) -> dict[str, Any]:
    data: dict[str, Any] = {"side": point.side}
    if point.card is not None:
        data["card"] = point.card
    if point.why is not None:
        data["why"] = point.why
    return data

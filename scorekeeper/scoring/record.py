"""Game records: parse, validate and serialize games and hands; the JSON output of `scorekeeper score`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from .auction import Call
from .captures import has_unknown
from .cards import CARD_SPELLINGS, JOKERS, RANKS, SUITS, UNKNOWN, Card
from .facts import NOT_GIVEN, Adjustment, Hand, SideName
from .game import Game, GameScore, score_checked
from .hand import HandScore
from .play import Trick
from .points import PointScore
from .problems import Problems, Refused, refusal
from .rules import RuleSet, UnknownRulesError, find_rules
from .table import Seat, Table, Unit

if TYPE_CHECKING:
    from .hand_facts import Facts

FORMAT = "setback-game/1"
WITH_UNKNOWN = "setback-game/1.1"  # adds unknown cards in tricks
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
MOST_LETTERS = 300  # characters of a note, and of a reason
MOST_ADJUSTMENTS = 20
MOST_ADJUSTED = 999
# No control characters, line separators or surrogates: they cannot be displayed, and some databases reject them.
_ONE_LINE = re.compile(rf"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{{1,{MOST_LETTERS}}}")


Reader = Callable[[Any, Table], Any]  # raises Refused with all problems, places relative to the value


def read_hand(data: object, table: Table) -> Hand:
    """Read one hand from its parsed record; raises Refused, places relative to the hand.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> read_hand({"bidder": 1, "bid": "smudge"}, Table(find_rules("partnership"))).bid
    5
    """
    return _known_hand(data, table)


# --- readers of simple values -----------------------------------------------------------------------------------


def _integer(value: object) -> int:
    """A whole number; booleans are refused."""
    if type(value) is int:
        return value
    raise refusal("not-a-number", "must be a whole number")


def _seat(value: object, table: Table) -> Seat:
    if type(value) is int and value in table.seats:
        return value
    raise refusal("no-such-seat", f"must be a seat from 1 to {table.players}")


def _bid(value: object, table: Table) -> int:
    """A bid as a number, or by the name of a special bid."""
    if type(value) is int:
        return value
    for special in table.rules.auction.specials:
        if special.name == value:
            return special.bid
    raise refusal("no-such-bid", f"there is no bid of {_abbreviated(value)}")


def _boolean(value: object, table: Table) -> bool:
    if type(value) is bool:
        return value
    raise refusal("not-yes-or-no", "must be true or false")


SIDE_TYPES = frozenset((str, int))


def _side(value: object, table: Table) -> SideName:
    if type(value) in SIDE_TYPES:
        return value  # type: ignore[return-value]
    raise refusal("no-such-side", "must be a side, or a seat number for its side")


def _side_or_nobody(value: object, table: Table) -> SideName | None:
    return None if value is None else _side(value, table)


def _card_points(value: object, table: Table) -> int:
    if type(value) is int and value >= 0:
        return value
    raise refusal("not-a-number", "card points are a whole number from 0")


def _text_line(value: object, table: Table) -> str:
    """One line of text, not blank."""
    if isinstance(value, str) and _ONE_LINE.fullmatch(value) and not value.isspace():
        return value
    raise refusal("not-a-line", f"must be one line of text with at most {MOST_LETTERS} letters")


def _unit(value: object, table: Table) -> Unit:
    if isinstance(value, str) and value in table.units:
        return value
    text = f"there is no {_abbreviated(value)} here: scores are kept for {', '.join(table.units)}"
    raise refusal("no-such-unit", text)


def _adjusted(value: object, table: Table) -> int:
    if type(value) is int and 0 < abs(value) <= MOST_ADJUSTED:
        return value
    raise refusal("not-a-number", f"must be a whole number from -{MOST_ADJUSTED} to {MOST_ADJUSTED}, and not 0")


def _abbreviated(value: object) -> str:
    """A value as an error sentence shows it: at most 20 characters."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 20 else text[:20] + "…"


# --- readers of compound values ---------------------------------------------------------------------------------


def _word_reader(spellings: Mapping[str, str], code: str, text: str) -> Reader:
    """A reader of these spellings, mapped to their meaning; `text` is the error sentence, {} in it the value."""

    def read(value: object, table: Table) -> str:
        if isinstance(value, str) and value in spellings:
            return spellings[value]
        raise refusal(code, text.format(_abbreviated(value)))

    return read


def _all_problems(parts: Iterable[tuple[str, Reader, object]], table: Table) -> Refused:
    """The problems of all parts of a value, of which one has some; a part has its place, reader and value."""
    problems = Problems()
    for place, read, part in parts:
        problems.attempt(place, read, part, table)
    return Refused(problems)


def _list_of(reader: Reader, shape: str, least: int = 0) -> Reader:
    """A list of at least `least` items; `shape` is the error sentence for any other value."""

    def read(value: object, table: Table) -> tuple[Any, ...]:
        if type(value) is not list or len(value) < least:
            raise refusal("shape", shape)
        try:
            return tuple([reader(item, table) for item in value])
        except Refused:
            raise _all_problems([(f"[{index}]", reader, item) for index, item in enumerate(value)], table) from None

    return read


def _cards_of(spellings: Mapping[str, Card]) -> Reader:
    one_by_one = _list_of(_word_reader(spellings, "no-such-card", "{} is not a card"), "must be a list of cards")

    def read(value: object, table: Table) -> Any:
        try:
            return tuple([spellings[card] for card in value]) if type(value) is list else one_by_one(value, table)
        except (KeyError, TypeError):
            return one_by_one(value, table)  # reports what is no card

    return read


def _map_of(reader: Reader, shape: str, plain: frozenset[type] = frozenset()) -> Reader:
    """An object with any keys and one kind of value; read-only, because hands are cached and shared.

    Values of the `plain` types need no reading.
    """

    def read(value: object, table: Table) -> Mapping[str, Any]:
        if type(value) is not dict:
            raise refusal("shape", shape)
        if plain.issuperset(map(type, value.values())):
            return MappingProxyType(value.copy())
        try:
            return MappingProxyType({key: reader(item, table) for key, item in value.items()})
        except Refused:
            raise _all_problems([(str(key), reader, item) for key, item in value.items()], table) from None

    return read


def _object_of(build: Callable[..., Any], readers: Mapping[str, Reader], required: Set[str], shape: str) -> Reader:
    """Build a value from an object of these keys, each with its own reader; `x-` keys become its `extra`."""

    def others(value: Mapping[str, object], table: Table) -> Mapping[str, object]:
        return extension_keys(value, readers.keys())

    def read(value: object, table: Table) -> Any:
        if type(value) is not dict or (required and not value.keys() >= required):
            raise refusal("shape", shape)
        try:
            facts: dict[str, Any] = {}
            for key, part in value.items():
                if key in readers:
                    facts[key] = readers[key](part, table)
            if len(facts) < len(value):
                facts["extra"] = others(value, table)
        except Refused:
            parts = [(key, readers[key], part) for key, part in value.items() if key in readers]
            raise _all_problems([*parts, ("", others, value)], table) from None
        return build(**facts)

    return read


def extension_keys(data: Mapping[str, object], known: Set[str]) -> Mapping[str, object]:
    """The items under `x-` keys; raises Refused for any other key that is not in `known`."""
    problems, extra = Problems(), {}
    for key, value in data.items():
        if key in known:
            continue
        if isinstance(key, str) and key.startswith("x-"):
            extra[key] = value
        elif key in DERIVED:
            problems.add("derived", key, f"{key} follows from the facts, so a record does not hold it")
        else:
            problems.add("unknown-key", str(key), f"a record has no key {key!r} here")
    problems.check()
    return MappingProxyType(extra)


# --- the parts of a hand ----------------------------------------------------------------------------------------

TURNED_UP = (*RANKS, *JOKERS, UNKNOWN)  # values of a turned-up card in a record
TURNED_UP_SPELLINGS = {**{said: said for said in TURNED_UP}, "10": "T"}
_rank = _word_reader(TURNED_UP_SPELLINGS, "no-such-rank", "{} is not a rank, a joker or x")
_ranks = _list_of(_rank, "turned_up must be a rank, or a list of ranks", least=1)


def _turned_up(value: object, table: Table) -> Any:
    return (_rank(value, table),) if isinstance(value, str) and value else _ranks(value, table)


def ranks_turned_up(value: Iterable[str] | None) -> tuple[str, ...]:
    """The ranks of turned-up cards, from the value in a valid hand: one rank, a list of ranks, or None.

    >>> ranks_turned_up("10"), ranks_turned_up(["9", "J"]), ranks_turned_up(None)
    (('T',), ('9', 'J'), ())
    """
    return tuple([TURNED_UP_SPELLINGS[rank] for rank in ([value] if isinstance(value, str) else value or ())])


_call = _object_of(
    Call,
    {"seat": _seat, "bid": lambda bid, table: None if bid == "pass" else _bid(bid, table)},
    {"seat", "bid"},
    'a call is an object with seat and bid, the bid a number or "pass"',
)
_any_trick = _object_of(
    Trick,
    {
        "lead": _seat,
        "cards": _cards_of({**CARD_SPELLINGS, UNKNOWN: UNKNOWN}),
        "seats": _list_of(_seat, "must be a list of seats", least=1),
        "won": _seat,
    },
    {"cards"},
    "a trick is an object with lead and cards",
)


def _known_trick(value: object, table: Table) -> Trick:
    trick: Trick = _any_trick(value, table)
    if trick.won is not None and UNKNOWN not in trick.cards:
        text = "won follows from the cards, so a record does not hold it"
        raise refusal("derived", text, "won")
    return trick


_every_adjustment = _list_of(
    _object_of(
        Adjustment,
        {"unit": _unit, "points": _adjusted, "reason": _text_line},
        {"unit", "points", "reason"},
        "an adjustment is an object with unit, points and reason",
    ),
    "adjustments must be a list of objects with unit, points and reason",
)


def _adjustments(value: object, table: Table) -> Any:
    if type(value) is list and len(value) > MOST_ADJUSTMENTS:
        text = f"a hand has at most {MOST_ADJUSTMENTS} adjustments, not {len(value)}"
        raise refusal("too-many-adjustments", text)
    return _every_adjustment(value, table)


def _seat_names(value: object, table: Table) -> Mapping[Seat, str]:
    if type(value) is not dict:
        raise refusal("shape", "names must give seat numbers their names")
    problems, seats = Problems(), {str(seat): seat for seat in table.seats}
    for seat, name in value.items():
        if seat not in seats:
            problems.add("no-such-seat", str(seat), f"must be a seat from 1 to {table.players}")
        elif not isinstance(name, str) or not name:
            problems.add("names", str(seat), "must be a name")
    problems.check()
    return MappingProxyType({seats[seat]: name for seat, name in value.items()})


_cards = _cards_of(CARD_SPELLINGS)
_READERS: dict[str, Reader] = {
    "dealer": _seat,
    "bids": _list_of(_call, "bids must be a list of objects with seat and bid"),
    "bidder": _seat,
    "bid": _bid,
    "trump": _word_reader(dict(zip(SUITS, SUITS, strict=True)), "no-such-suit", "trump must be S, H, D or C"),
    "turned_up": _turned_up,
    "gift": _boolean,
    "misdeal": _boolean,
    "called": _word_reader(CARD_SPELLINGS, "no-such-card", "{} is not a card"),
    "partner": lambda seat, table: None if seat is None else _seat(seat, table),
    "buried": _cards,
    "tricks": _list_of(_known_trick, "tricks must be a list of objects with lead and cards"),
    "piles": _map_of(_cards, "piles must give each side its cards"),
    "claims": _map_of(
        _side_or_nobody, "claims must give each point to a side, or to nobody with null", SIDE_TYPES | {type(None)}
    ),
    "game_counts": _map_of(_card_points, "game_counts must give each side its count"),
    "low_by": _side,
    "high_by": _side,
    "played_by": _map_of(_side, "played_by must give points the side or seat that played their card", SIDE_TYPES),
    "sweep": _side,
    "tricks_won": _map_of(_side, "tricks_won must give tricks that score the side or seat that won them"),
    "names": _seat_names,
    "note": _text_line,
    "adjustments": _adjustments,
}
HAND_KEYS = _READERS.keys()
_hand = _object_of(Hand, _READERS, set(), "a hand is a JSON object")


def _known_hand(data: object, table: Table) -> Hand:
    hand: Hand = _hand(data, table)
    if hand.tricks is not None and has_unknown(hand.tricks):
        text = f"{UNKNOWN} is not a card: unknown cards are possible in records of {WITH_UNKNOWN} only"
        raise refusal("unknown-card", text, "tricks")
    return hand


def write_hand(hand: Hand) -> Facts:
    """Serialize one hand for JSON; `read_hand` gives an equal hand back.

    >>> from scorekeeper.scoring import Hand
    >>> write_hand(Hand(dealer=4, bidder=1, bid=2, buried=("9C",)))
    {'dealer': 4, 'bidder': 1, 'bid': 2, 'buried': ['9C']}
    """
    data = _to_json(hand._replace(partner=hand.partner or NOT_GIVEN, extra={}))
    nobody = {"partner": None} if hand.partner is None else {}
    return cast("Facts", data | nobody | dict(hand.extra))


def _to_json(value: Any) -> Any:
    """Serialize a fact or a result for JSON, recursively; omits what was not given."""
    if isinstance(value, PointScore):
        return {"side": value.side} | {key: part for key, part in value._asdict().items() if part}
    if isinstance(value, Call):
        return {"seat": value.seat, "bid": "pass" if value.bid is None else value.bid, **value.extra}
    if isinstance(value, Hand | Trick | Adjustment):
        said = {key: part for key, part in value._asdict().items() if part is not None and part is not NOT_GIVEN}
        extra = said.pop("extra")
        return {key: _to_json(part) for key, part in said.items()} | dict(extra)
    if isinstance(value, Mapping):
        return {str(key): _to_json(part) for key, part in value.items()}
    return [_to_json(part) for part in value] if isinstance(value, tuple) else value


# --- the game --------------------------------------------------------------------------------------------------


def read_game(data: object) -> Game:
    """Read a game from a parsed record; raises Refused with every problem of its shape.

    >>> read_game({"format": "setback-game/1", "rules": "classic", "hands": []}).table.units
    ('A', 'B')
    """
    if not isinstance(data, Mapping):
        raise refusal("shape", "a game record is a JSON object")
    problems = Problems()
    extra = problems.attempt("", extension_keys, data, _GAME_KEYS)
    if data.get("format") not in (FORMAT, WITH_UNKNOWN):
        problems.add("format", "format", f'the format must be "{FORMAT}", or "{WITH_UNKNOWN}"')
    rules, options = data.get("rules"), data.get("options", NO_OPTIONS)
    numbers = {key: problems.attempt(key, _integer, data[key]) for key in ("players", "teams") if key in data}
    table: Table | None = None
    if None not in numbers.values():
        table = problems.attempt("", find_table, rules, numbers.get("players"), numbers.get("teams"), options)
    names = problems.attempt("names", _read_names, data.get("names"), table)
    start = problems.attempt("start", _read_start, data.get("start"), table)
    played = problems.attempt("played", _read_played, data.get("played"))
    reader = _hand if data.get("format") == WITH_UNKNOWN else _known_hand
    hands = problems.attempt("hands", _read_hands, data.get("hands"), table, reader)
    if problems or table is None:
        raise Refused(problems)
    return Game(table, hands, rules if isinstance(rules, str) else None, options or {}, names, start, played, extra)


def _read_names(names: object, table: Table | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise refusal("names", "names must be a list of names, one for each seat")
    if table is not None and len(names) != table.players:
        raise refusal("names-count", f"there are {table.players} players, but {len(names)} names")
    return tuple(names)


def _read_start(start: object, table: Table | None) -> dict[str, int] | None:
    if start is None or table is None:
        return None
    if not isinstance(start, Mapping):
        raise refusal("start", "start must give each scoring unit its score")
    problems = Problems()
    for unit in start:
        if unit not in table.units:
            text = f"there is no {unit} here: scores are kept for {', '.join(table.units)}"
            problems.add("no-such-unit", str(unit), text)
    scores = {unit: problems.attempt(str(unit), _start_score, score) for unit, score in start.items()}
    problems.check()
    return scores | {unit: 0 for unit in table.units if unit not in start}


def _start_score(value: object) -> int:
    if abs(_integer(value)) > MOST_AT_START:
        raise refusal("start", f"must be a score from -{MOST_AT_START} to {MOST_AT_START}")
    return _integer(value)


def _read_played(played: object) -> str | None:
    if played is None:
        return None
    code, text = "played", "played must be a date like 2026-11-21, or a date and a time"
    if isinstance(played, str) and DATE.fullmatch(played):
        from datetime import datetime  # loaded only for records with a date

        with suppress(ValueError):
            datetime.fromisoformat(played)
            return played
        code = "no-such-day"
    raise refusal(code, text)


def _read_hands(hands: object, table: Table | None, reader: Reader) -> tuple[Hand, ...]:
    if not isinstance(hands, list):
        raise refusal("hands", "hands must be a list")
    read: tuple[Hand, ...] = () if table is None else _list_of(reader, "")([*hands], table)
    return read


def score_record(data: object) -> GameScore:
    """Score a parsed record; raises Refused with all its problems, places as in `hands[3].piles.A[2]`.

    >>> hand = {"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "piles": {"A": ["AH", "2H", "TC"], "B": ["JH"]}}
    >>> score_record({"format": "setback-game/1", "rules": "classic", "hands": [hand]}).totals
    {'A': 3, 'B': 1}
    """
    return score_checked(read_game(data))


def parse(text: str) -> object:
    """Parse JSON; raises Refused for invalid JSON and for a duplicate key.

    >>> parse('{"hands": []}')
    {'hands': []}
    """
    try:
        return json.loads(text, object_pairs_hook=_without_duplicate_keys)
    except RecursionError:
        raise refusal("not-json", "not a game record: nested too deeply") from None
    except KeyError as key:
        raise refusal("not-json", f"not JSON: an object names {key} twice") from None
    except json.JSONDecodeError as error:
        raise refusal("not-json", f"not JSON: {error}") from None
    except ValueError:
        raise refusal("not-json", "not JSON: a number has too many digits") from None


def _without_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) != len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise KeyError(twice)
    return read


# --- rules and table --------------------------------------------------------------------------------------------


def find_table(rules: object, players: int | None, teams: int | None, options: object = NO_OPTIONS) -> Table:
    """The table of a record's rules (a catalogue id, or a complete rule set); raises Refused.

    >>> find_table("shankar", 6, 3, {"win.target": 21}).rules.win.target
    21
    """
    try:
        return _table(json.dumps([rules, options]), players, teams)
    except RecursionError:
        raise refusal("rule-shape", "the rules are nested too deeply", "rules") from None


@lru_cache(maxsize=64)
def _table(written: str, players: int | None, teams: int | None) -> Table:
    """The table for rules and options, given as JSON; cached, because a file of games mostly uses one."""
    (rules, wanted), problems = json.loads(written), Problems()
    if not isinstance(wanted, dict):
        text = "options must be an object of rules by their dotted names"
        raise refusal("options", text, "options")
    found: RuleSet | None = problems.attempt("rules", _read_rules, rules)
    if found is not None:
        wanted = {name: value for name, value in wanted.items() if not name.startswith("x-")}
        found = problems.attempt("options", found.override, wanted)
    if found is None:
        raise Refused(problems)
    return Table(found, players, teams)


def _read_rules(rules: object) -> RuleSet:
    if isinstance(rules, dict):
        return RuleSet.from_dict(rules)
    if not isinstance(rules, str):
        raise refusal("rules", "rules must be the id of a rule set, or a complete rule set")
    try:
        return find_rules(rules)
    except UnknownRulesError as error:
        raise refusal("unknown-rules", str(error)) from None


# --- writing ----------------------------------------------------------------------------------------------------


def write_game(game: Game) -> dict[str, object]:
    """Serialize a game for JSON; `read_game` gives an equal game back.

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


def score_output(game: Game, score: GameScore) -> dict[str, object]:
    """The output of `scorekeeper score` for a game, ready for JSON (docs/game-record.md).

    >>> from scorekeeper.scoring import score_game
    >>> game = read_game({"format": "setback-game/1", "rules": "classic", "hands": []})
    >>> score_output(game, score_game(game))["totals"]
    {'A': 0, 'B': 0}
    """
    return {
        "rules": game.rules_id or game.rules.id,
        "hands": [_hand_output(hand) for hand in score.hands],
        "totals": score.totals,
        "winners": list(score.winners),
        "next_dealer": score.next_dealer,
    }


_ANY_HAND = ("events", "change", "adjusted", "totals", "dealer")  # output of every hand, also one that was not played
_PLAYED = (
    "bidder", "bid", "bidding_side", "points", "counts", "earned", "assumed", "made", "missed", "decides", "sold",
)  # fmt: skip
_OMITTED_IF_EMPTY = ("counts", "assumed", "missed", "decides", "sold", "events", "adjusted")


def _hand_output(hand: HandScore) -> dict[str, object]:
    keys = ("status", *(_PLAYED if hand.status == "scored" else ()), *_ANY_HAND)
    said = {key: _to_json(getattr(hand, key)) for key in keys}
    return {key: value for key, value in said.items() if value or key not in _OMITTED_IF_EMPTY}

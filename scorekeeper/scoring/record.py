"""The game record (format `setback-game/1`): read it, refuse it with a place, score it, write it.

A record holds facts only; whatever follows from them is refused in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from .game import Game, GameScore, check_game, score_game
from .game_point import PointScore
from .hand import Hand, HandScore
from .hand_record import check_keys, parse_hand, read_hand, read_whole, write_hand
from .play import has_unknown
from .problems import Problem, Problems, Refused
from .rules import RuleSet, UnknownRulesError, find_rules
from .table import Table

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


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"an object names {twice!r} twice")
    return read


# --- rules and table --------------------------------------------------------------------------------------------


def _read_table(data: Mapping[str, Any], problems: Problems) -> Table | None:
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


def _read_names(data: Mapping[str, Any], table: Table | None, problems: Problems) -> tuple[str, ...] | None:
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


def _read_start(data: Mapping[str, Any], table: Table | None, problems: Problems) -> dict[str, int] | None:
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
    played = data.get("played")
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


def _read_hands(data: Mapping[str, Any], table: Table | None, problems: Problems) -> tuple[Hand, ...]:
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


def write_game(game: Game) -> dict[str, Any]:
    """The record of a game, ready for JSON; `read_game` gives an equal game back.

    >>> game = read_game({"format": "setback-game/1", "rules": "classic", "hands": []})
    >>> write_game(game)["players"], read_game(write_game(game)).table.players
    (4, 4)
    """
    unknown = any(has_unknown(hand.tricks) for hand in game.hands)
    data: dict[str, Any] = {"format": WITH_UNKNOWN if unknown else FORMAT}
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


def answer(game: Game, score: GameScore) -> dict[str, Any]:
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


def _hand_answer(hand: HandScore) -> dict[str, Any]:
    adjusted = {"adjusted": hand.adjusted} if hand.adjustments else {}
    events = {"events": dict(hand.events)} if hand.events else {}
    after = {**events, "change": hand.change, **adjusted, "totals": hand.totals, "dealer": hand.dealer}
    if hand.status == "passed-out":
        return {"status": hand.status, **after}
    data: dict[str, Any] = {
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


def _point_answer(point: PointScore) -> dict[str, Any]:
    data: dict[str, Any] = {"side": point.side}
    if point.card is not None:
        data["card"] = point.card
    if point.why is not None:
        data["why"] = point.why
    if point.captured:
        data["captured"] = True
    return data

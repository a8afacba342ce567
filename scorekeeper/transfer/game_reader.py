"""Read a game in a club file: its game record, with `x-` keys for what the record format does not cover."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from scorekeeper.models import (
    AFTER_END_KEY,
    FORFEIT,
    NAME_LENGTH,
    Change,
    Facts,
    Hand,
    HandDraft,
    paper_score,
    seated,
    seated_by_hand,
    seated_twice,
    tidy_name,
)
from scorekeeper.scoring.game import Game, GameScore, score_checked
from scorekeeper.scoring.problems import Problems
from scorekeeper.scoring.record import FORMAT, read_game
from scorekeeper.scoring.table import Table
from scorekeeper.services.change_log import (
    NAMES,
    ChangeLog,
    Entry,
    Seats,
    Slot,
    State,
    apply,
    is_hand,
    is_same,
    problem,
    seats_in,
)
from scorekeeper.services.hands import check_facts

from .club_writer import KEYS
from .columns import CHANGE, GAME, LONGEST_TEXT, Fields, Line, in_file, is_text, name_key, read_columns

MOST_POINTS = 99_999  # of a score: one that counts down is stored as the target less what was typed
RECORD_KEYS = ("format", "rules", "players", "teams", "names", "start", "played", "hands")
LINE_KEYS = frozenset((*RECORD_KEYS, *KEYS))


@dataclass(frozen=True)
class GameInFile:
    """A game read from a file: its columns, with uids in `season_id`, `also` and `previous_id`, and its other rows.

    `seats` are uids of players; players in hands are names. `score` is that of the hands that count.
    """

    uid: str
    number: int
    rules: Line
    options: Line
    players: int
    teams: int
    seats: tuple[str, ...]
    start: dict[str, int] | None
    played: date
    first_dealer: int
    state: str
    plays_on: bool
    left_out: bool
    detail: str
    auction: bool
    season_id: str | None
    also: tuple[str, ...]
    previous_id: str | None
    paper: Line | None
    created_at: datetime
    hands: tuple[Slot, ...]
    log: tuple[Entry, ...]
    next_seats: Seats
    tapped: dict[str, dict[str, list[str]]]
    score: GameScore

    @property
    def rows(self) -> dict[Any, list[Line]]:
        """Its hands, log and drafts as rows by table, without the game's id."""
        return {
            Hand: [{"position": place, **slot._asdict()} for place, slot in enumerate(self.hands, 1)],
            Change: [entry._asdict() for entry in self.log],
            HandDraft: [{"position": int(place), "fields": fields} for place, fields in self.tapped.items()],
        }


class Names:
    """The players of the file: names by uid, and the keys of all names (see `name_key`)."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.by_uid = names
        self.known = {name_key(name) for name in names.values()}


def read_game_in_file(data: Line, names: Names, seasons: Collection[str]) -> GameInFile:
    """Parse and check the line of a game; raises Refused."""
    fields = Fields(data, Problems())
    fields.only(LINE_KEYS)
    if data.get("format") != FORMAT:
        fields.problems.add("format", "format", f'the format of a club\'s game must be "{FORMAT}"')
    fields.check()
    game = read_game({key: value for key, value in data.items() if key in RECORD_KEYS})
    score = score_checked(game)
    told = data["hands"]
    # The stored facts have a dealer: if the file omits it, the one whose turn it was.
    kept = [
        facts if "dealer" in facts else Facts(dealer=hand.dealer) | facts
        for facts, hand in zip(told, score.hands, strict=True)
    ]
    log = [_with_dealer(entry, told, kept) for entry in _read_log(fields)]
    beyond = _read_beyond(fields, game, score)
    state = _follow(fields, log, [*kept, *beyond])
    _check_log(fields, game.table, log, kept)
    read = GameInFile(
        **read_columns(fields, GAME),
        rules=_written(game.table),
        players=game.table.players,
        teams=game.table.teams,
        score=score,
        start=data.get("start"),
        first_dealer=fields.integer("x-first-dealer", 1, game.table.players),
        also=_uids(fields, "x-also") if "x-also" in data else (),
        seats=_uids(fields, "x-seats"),
        hands=state.hands,
        log=tuple(log),
        next_seats=state.pending,
        tapped=_read_tapped(fields),
    )
    for key in ("id", "name"):
        if not is_text(read.rules[key], NAME_LENGTH):
            fields.wrong(f"rules.{key}", f"must be text on one line, of at most {NAME_LENGTH} letters")
    _check_people(fields, read, names, seasons)
    _check_paper(fields, game.table, read)
    fields.check()
    return read if read.paper is None else replace(read, score=paper_score(read.paper))


def _with_dealer(entry: Entry, told: Sequence[Facts], kept: Sequence[Facts]) -> Entry:
    """Return a log entry with the facts as stored, including the dealer, if they are those of a present hand."""
    index = entry.position - 1
    if index >= len(told) or "dealer" in told[index]:
        return entry
    before, after = (kept[index] if is_same(facts, told[index]) else facts for facts in (entry.before, entry.after))
    return entry._replace(before=before, after=after)


def _uids(fields: Fields, key: str) -> tuple[str, ...]:
    return tuple(uid for uid in fields.listed(key) if isinstance(uid, str))


@lru_cache(maxsize=64)
def _written(table: Table) -> Line:
    """Serialize the rules of a table; cached because most games of a file have the same."""
    return table.rules.to_dict()


# --- the log and the hands ----------------------------------------------------------------------------------------


def _read_log(fields: Fields) -> list[Entry]:
    read = [_read_entry(entry, seq, fields.problems) for seq, entry in enumerate(fields.listed("x-log"), 1)]
    entries = [entry for entry in read if entry]
    if len({entry.token for entry in entries}) < len(entries):
        fields.wrong("x-log", "two entries must not have the same token")
    return [] if fields.problems else entries


def _read_entry(data: object, seq: int, problems: Problems) -> Entry | None:
    at = f"x-log[{seq - 1}]"
    if not isinstance(data, dict):
        problems.add("shape", at, "an entry of the log is an object")
        return None
    fields = Fields(data, problems, at)
    fields.only([column.key for column in in_file(CHANGE)])
    return Entry(seq, **read_columns(fields, CHANGE))


def _read_beyond(fields: Fields, game: Game, score: GameScore) -> list[Facts]:
    """Return the hands after the end of the game."""
    beyond = fields.listed(AFTER_END_KEY) if AFTER_END_KEY in fields.data else []
    if not all(isinstance(facts, dict) for facts in beyond):
        fields.wrong(AFTER_END_KEY, "must be a list of hands")
    elif beyond and score.outcome is None:
        fields.wrong(AFTER_END_KEY, "the game has not ended")
    else:
        for index, facts in enumerate(beyond):
            check_facts(facts, game.table, f"{AFTER_END_KEY}[{index}]", fields.problems)
    fields.check()
    return beyond


def _follow(fields: Fields, log: list[Entry], told: list[Facts]) -> State:
    """Replay the log and return the hands, each with the entry of its last change; 0 if there is no log."""
    state, before = State(), ChangeLog[Entry]()
    for entry in log:
        if wrong := problem(state, entry) or before.problem(entry):
            fields.problems.add("log", f"x-log[{entry.seq - 1}]", wrong)
        fields.check()
        before.add(entry)
        state = apply(state, entry)
    if not log:
        return State(tuple(Slot(facts, 0) for facts in told))
    if len(state.hands) != len(told) or not all(map(is_same, (hand.facts for hand in state.hands), told)):
        fields.wrong("x-log", "does not end with the hands of the game")
    fields.check()
    return state


def _check_log(fields: Fields, table: Table, log: list[Entry], kept: Sequence[Facts]) -> None:
    """Check every hand in the log, because undo can restore any of them."""
    for entry in log:
        at = f"x-log[{entry.seq - 1}].after"
        stands = entry.position <= len(kept) and is_same(entry.after, kept[entry.position - 1])
        if entry.after is not None and not is_hand(entry.after):
            _check_substitutes(entry.after, table, at, fields.problems)
        elif entry.after is not None and not stands:
            check_facts(entry.after, table, at, fields.problems)
    fields.check()


def _check_substitutes(facts: Facts, table: Table, at: str, problems: Problems) -> None:
    """Check substitutes: names by seats of the table."""
    names, seats = facts[NAMES], {str(seat) for seat in table.seats}
    if not isinstance(names, dict) or not names or not names.keys() <= seats:
        problems.add("cannot-be", f"{at}.names", "must be names by seat number")
    elif not all(is_text(name, NAME_LENGTH) and tidy_name(name) == name for name in names.values()):
        problems.add("cannot-be", f"{at}.names", "must give each seat one name")


def _read_tapped(fields: Fields) -> dict[str, dict[str, list[str]]]:
    """Read the drafts by position."""
    tapped = fields.mapping("x-tapped") if "x-tapped" in fields.data else {}
    positions = {str(position) for position in range(1, len(fields.data["x-log"]) + 2)}
    for position, kept in tapped.items():
        if position not in positions or not _are_fields(kept):
            fields.wrong(f"x-tapped.{position}", "must be the fields of a hand of this game")
    return tapped


def _are_fields(kept: object) -> bool:
    """True if `kept` has the form fields of a draft: each with one text or more."""
    return isinstance(kept, dict) and all(
        isinstance(values, list) and values and all(value == "" or is_text(value, LONGEST_TEXT) for value in values)
        for values in kept.values()
    )


# --- players, and results from paper ------------------------------------------------------------------------------


def _check_people(fields: Fields, told: GameInFile, names: Names, seasons: Collection[str]) -> None:
    sitting = [names.by_uid.get(uid) for uid in told.seats]
    if None in sitting or len(set(told.seats)) < told.players or len(sitting) != told.players:
        fields.wrong("x-seats", f"must be {told.players} of the players at the start of the file")
    elif fields.data.get("names") != sitting:
        fields.wrong("names", "must be the names of the players in x-seats")
    if told.season_id is not None and told.season_id not in seasons:
        fields.wrong("x-season", "must be one of the seasons at the start of the file")
    if "x-also" in fields.data:
        given, all_of_them = fields.data["x-also"], {told.season_id, *told.also}
        is_once = len(all_of_them) == 1 + len(told.also)
        if not given or list(told.also) != given or not all_of_them <= set(seasons) or not is_once:
            fields.wrong("x-also", "must be other seasons of the file than x-season, each once")
    for name in (name for entry in told.log if is_hand(entry.after) for name in seats_in(entry.after).values()):
        if name_key(name) not in names.known:
            fields.wrong("hands", f"{name[:NAME_LENGTH]} takes a seat but is not a player in the file")
    if not fields.problems:
        _check_seats(fields, told, [name for name in sitting if name])


def _check_seats(fields: Fields, told: GameInFile, names: list[str]) -> None:
    """Check that no player has two seats in any hand, or in the next one."""
    sitting = seated_by_hand(names, [hand.facts for hand in told.hands])
    for position, there in enumerate(sitting[:-1]):
        if name := seated_twice(there):
            fields.wrong(f"hands[{position}].names", f"{name} sits in two seats")
    if name := seated_twice(seated(sitting[-1], [{NAMES: told.next_seats}])):
        fields.wrong("x-log", f"{name} would sit in two seats")


def _check_paper(fields: Fields, table: Table, told: GameInFile) -> None:
    paper = told.paper
    if paper is None:
        return
    totals, winners = paper.get("totals"), paper.get("winners")
    is_forfeit = paper.get(FORFEIT) is True
    keys = {"totals", "winners", *((FORFEIT,) if is_forfeit else ())}
    if paper.keys() != keys or not isinstance(totals, dict) or not isinstance(winners, list):
        fields.wrong("x-paper", "must have totals and winners, and nothing else")
    elif totals.keys() != set(table.units) or not all(
        type(total) is int and abs(total) <= MOST_POINTS for total in totals.values()
    ):
        fields.wrong("x-paper.totals", f"must give a score to each of {', '.join(table.units)}")
    elif not winners or winners != [unit for unit in table.units if unit in winners]:
        fields.wrong("x-paper.winners", f"must be one or more of {', '.join(table.units)}")
    elif is_forfeit and (len(winners) != 1 or any(totals.values())):
        fields.wrong("x-paper", "a forfeit has one winner, and scores of 0")
    if told.log:
        fields.wrong("x-log", "a game from paper has no hands")


# --- renamed players ----------------------------------------------------------------------------------------------


def with_names(told: GameInFile, names: Mapping[str, str]) -> GameInFile:
    """Rename players in a game's hands; `names` maps the keys of old names (see `name_key`) to new names."""
    if not names:
        return told
    return replace(
        told,
        hands=tuple(Slot(_renamed(hand.facts, names) or {}, hand.version) for hand in told.hands),
        log=tuple(
            entry._replace(before=_renamed(entry.before, names), after=_renamed(entry.after, names))
            for entry in told.log
        ),
        next_seats=seats_in(_renamed({NAMES: told.next_seats}, names)),
    )


def _renamed(facts: Facts | None, names: Mapping[str, str]) -> Facts | None:
    if facts is None or "names" not in facts:
        return facts
    return {**facts, "names": {seat: names.get(name_key(name), name) for seat, name in facts["names"].items()}}

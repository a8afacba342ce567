"""Read a club file line by line: each line is checked by itself, and against the lines above it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from typing import BinaryIO, TypeVar

from scorekeeper.database.zones import LONGEST_NAME
from scorekeeper.models import NAME_LENGTH, UID_LENGTH, Player, Season
from scorekeeper.scoring.problems import Problem, Problems, Refused, refusal
from scorekeeper.scoring.record import parse
from scorekeeper.services import custom_rules
from scorekeeper.services.custom_rules import OwnRules
from scorekeeper.stats import archive
from scorekeeper.stats.league import (
    DIVISIONS,
    LONGEST_REASON,
    MOST_BONUSES,
    MOST_POINTS,
    SIZES,
    Bonus,
    League,
    Playoffs,
    matches_of,
)
from scorekeeper.stats.schemes import Scheme

from .club_writer import FORMAT
from .columns import (
    MOST_INTEGER,
    PLAYER,
    SEASON,
    YEARS,
    Column,
    Fields,
    Line,
    in_file,
    is_text,
    name_key,
    read_columns,
)
from .game_reader import GameInFile, Names, read_game_in_file

LONGEST_LINE = 8_000_000  # bytes; a long evening with every card, log included, takes a hundredth
MOST_EMPTY = 100  # lines; a file of nothing else would take half a minute to read
ODD = re.compile(rb"NaN|Infinity|\\u|\d[eE]")  # JSON whose values may be impossible to serialize
MOST_PEOPLE = 10_000  # players, and seasons, which are kept in memory
_wrong = partial(refusal, "cannot-be")
Named = TypeVar("Named", Player, Season)
MOST_PROBLEM_LETTERS = 300  # characters of a message, and of its place


class LineRefused(Refused):
    """Something that cannot be imported, in the line with number `line`."""

    def __init__(self, line: int, problems: Iterable[Problem]) -> None:
        super().__init__(problems)
        self.line = line

    def __str__(self) -> str:
        """Return the first problem with its place: "line 7, hands[3].trump: trump is missing"."""
        at, message = _shortened(self.problems[0].at), _shortened(self.problems[0].message)
        place = f"line {self.line}, {at}" if at else f"line {self.line}"
        return f"{place}: {message}"


def _shortened(text: str) -> str:
    """Truncate text from a file, which can have any length, to fit a page."""
    return text if len(text) <= MOST_PROBLEM_LETTERS else f"{text[:MOST_PROBLEM_LETTERS]}…"


@dataclass(frozen=True)
class Head:
    """The first line: the club, and the numbers of rows in the file. Older files have no `zone` and no `rules`."""

    name: str
    zone: str | None
    rules: list[OwnRules]
    created: datetime
    players: int
    seasons: int
    games: int


class ClubFile:
    """A club file. The club, players and seasons are read at once, the games lazily."""

    def __init__(self, file: BinaryIO) -> None:
        self.line = 0  # number of the line read last
        self._lines = self._read_lines(file)
        self.players: dict[str, Player] = {}
        self.seasons: dict[str, Season] = {}
        with self._refusing():
            self.head = self._read_head()
            self._first = self._read_people()
        self._names = Names({uid: player.name for uid, player in self.players.items()})

    def games(self) -> Iterator[GameInFile]:
        """Yield the games, each fully checked. Raises LineRefused, also if there are fewer than announced."""
        data, uids = self._first, set[str]()
        with self._refusing():
            while data is not None:
                if len(uids) == self.head.games:
                    raise _wrong(f"the file has more games than the {self.head.games} in its first line")
                game = read_game_in_file(data, self._names, self.seasons)
                if game.uid in uids:
                    raise _wrong("is in the file twice", "x-uid")
                uids.add(game.uid)
                yield game
                data = next(self._lines, None)
            _check_count("games", uids, self.head.games)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Convert Refused to LineRefused with the current line."""
        try:
            yield
        except Refused as refused:
            raise LineRefused(self.line, refused.problems) from None

    def _read_lines(self, file: BinaryIO) -> Iterator[Line]:
        """Yield the objects of the file, skipping empty lines."""
        empty = 0
        for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), b""), 1):
            if not line.strip() and len(line) <= LONGEST_LINE:
                empty += 1
                if empty <= MOST_EMPTY:
                    continue
            self.line = number
            if len(line) > LONGEST_LINE:
                raise refusal("too-long", "the line is too long")
            if empty > MOST_EMPTY:
                raise refusal("too-many", f"the file has more than {MOST_EMPTY} empty lines")
            yield _object(line)

    # --- the first lines ---

    def _read_head(self) -> Head:
        data = next(self._lines, None)
        if data is None:
            self.line = 1
            raise _wrong("the file is empty")
        if data.get("format") != FORMAT:
            raise _wrong(f'this is not a club file: its first line must say "format": "{FORMAT}"', "format")
        fields = Fields(data, Problems())
        fields.only(("format", "name", "zone", "rules", "created", "players", "seasons", "games"))
        head = Head(
            fields.text("name", NAME_LENGTH),
            fields.optional_text("zone", LONGEST_NAME),
            _read_rules(fields) if "rules" in data else [],
            fields.moment("created"),
            fields.integer("players", 0, MOST_PEOPLE),
            fields.integer("seasons", 0, MOST_PEOPLE),
            fields.integer("games", 0, MOST_INTEGER),
        )
        fields.check()
        return head

    def _read_people(self) -> Line | None:
        """Read the players and seasons; return the next line, which is the first game's."""
        data = self._read_rows("player", next(self._lines, None), self.players, _read_player)
        data = self._read_rows("season", data, self.seasons, partial(_read_season, players=self.players))
        if data is not None and "type" in data:
            raise _wrong("the players come first, then the seasons, then the games", "type")
        _check_count("players", self.players, self.head.players)
        _check_count("seasons", self.seasons, self.head.seasons)
        return data

    def _read_rows(
        self, kind: str, data: Line | None, there: dict[str, Named], read: Callable[[Fields], Named]
    ) -> Line | None:
        """Read consecutive lines of one kind, with unique uids and names; return the next line."""
        names: set[str] = set()
        while data is not None and data.get("type") == kind:
            row = read(fields := Fields(data, Problems()))
            if row.uid in there:
                fields.wrong("uid", "is in the file twice")
            if name_key(row.name) in names:
                fields.wrong("name", f"there is a {row.name} in the file already")
            if len(names) == MOST_PEOPLE:
                fields.wrong("uid", f"a club has at most {MOST_PEOPLE}")
            fields.check()
            names.add(name_key(row.name))
            there[row.uid] = row
            data = next(self._lines, None)
        return data


def _check_count(what: str, found: Sized, wanted: int) -> None:
    if len(found) != wanted:
        raise _wrong(f"the file should have {wanted} {what} but has {len(found)}: part of it is missing")


def _object(line: bytes) -> Line:
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refusal("not-utf-8", "is not UTF-8 text") from None
    data = parse(text)
    if not isinstance(data, dict):
        raise refusal("shape", "must be a JSON object")
    try:
        if ODD.search(line):
            json.dumps(data, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise refusal("not-json", "has a number or a letter that is not valid") from None
    return data


def _read_rules(fields: Fields) -> list[OwnRules]:
    """Read the club's own rules; each must be playable."""
    listed = fields.listed("rules")
    if len(listed) > custom_rules.MOST_SAVED or not all(isinstance(data, dict) for data in listed):
        fields.wrong("rules", f"must be a list of at most {custom_rules.MOST_SAVED} objects")
        return []
    try:
        found = [OwnRules.from_dict(data) for data in listed]
    except Refused as refused:
        fields.wrong("rules", refused.problems[0].message)
        return []
    if len({own.uid for own in found}) < len(found):
        fields.wrong("rules", "must not have two with one uid")
    return found


def _read_row(fields: Fields, table: type[Named], columns: Sequence[Column]) -> Named:
    fields.only(("type", *(column.key for column in in_file(columns))))
    return table(**read_columns(fields, columns))


def _read_player(fields: Fields) -> Player:
    player = _read_row(fields, Player, PLAYER)
    if name_key(player.name) != unicodedata.normalize("NFC", player.name).casefold():
        fields.wrong("name", "must be a name without extra spaces or invisible letters")
    return player


# --- seasons ------------------------------------------------------------------------------------------------------


def _read_season(fields: Fields, players: Mapping[str, Player]) -> Season:
    season = _read_row(fields, Season, SEASON)
    if season.ends and season.ends < season.starts:
        fields.wrong("ends", "must not be before its first day")
    _check_settings(fields, season.settings)
    _check_reopened(fields, season.reopened)
    if season.frozen is not None and not _is_frozen(season.frozen, players):
        fields.wrong("frozen", "must be a table of players in the file")
    if season.league is not None and not is_league(season.league, players):
        fields.wrong("league", "must be bonus points and divisions of players in the file")
    if season.pages is not None and not _are_pages(season.pages, players):
        fields.wrong("pages", "must be the pages of a closed season")
    if season.closed_at and season.frozen is None:
        fields.wrong("frozen", "a closed season needs its table")
    return season


def _check_settings(fields: Fields, settings: Line) -> None:
    names = "least", "won", "shared", "lost", "needed", "best", "attended", "reach"
    numbers = [settings.get(name, 0) for name in names]
    try:
        Scheme.from_dict(settings)
    except (ValueError, TypeError):
        fields.wrong("settings", "is not a way to rank players")
        return
    for name in ("own_rating", "pairs"):
        if type(settings.get(name, False)) is not bool:
            fields.wrong("settings", f"{name} must be true or false")
    if not all(type(number) is int and abs(number) <= MOST_INTEGER for number in numbers):
        fields.wrong("settings", "must count in whole numbers")


def _are_pages(pages: Line, players: Collection[str]) -> bool:
    """True for pages as written by stats.archive, with uids for players."""
    return archive.read(pages) is not None and all(_a_player_of(players)(uid) for uid, _ in pages["people"])


def _check_reopened(fields: Fields, reopened: Line | None) -> None:
    if reopened is None:
        return
    inner = Fields(reopened, fields.problems, "reopened")
    inner.only(("at", "game"))
    inner.moment("at")
    if reopened.get("game") is not None:
        inner.integer("game", 1, MOST_INTEGER)


# --- shapes -------------------------------------------------------------------------------------------------------


def fits(value: object, shape: object) -> bool:
    """Check a value of a file against a shape.

    A shape is a predicate; [shape] for a list; (shape, shape) for a list of exactly these; or a dict of shapes by key,
    where "key?" is optional.
    """
    if isinstance(shape, dict):
        if not isinstance(value, dict) or not value.keys() <= {key.strip("?") for key in shape}:
            return False
        return all(
            fits(value[key.strip("?")], inner) if key.strip("?") in value else key.endswith("?")
            for key, inner in shape.items()
        )
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(one, shape[0]) for one in value)
    if isinstance(shape, tuple):
        return isinstance(value, list) and len(value) == len(shape) and all(map(fits, value, shape))
    return callable(shape) and bool(shape(value))


def _or_none(shape: object) -> Callable[[object], bool]:
    return lambda value: value is None or fits(value, shape)


def _a_player_of(players: Collection[str]) -> Callable[[object], bool]:
    """True for the uid of a player, and for None: a player who was deleted."""
    return lambda uid: uid is None or (isinstance(uid, str) and uid in players)


def _is_number(value: object) -> bool:
    """True for a number of a size that can be computed with and displayed."""
    return type(value) in (int, float) and abs(value) <= MOST_INTEGER  # type: ignore[arg-type]


def _is_whole(value: object) -> bool:
    return type(value) is int and abs(value) <= MOST_INTEGER


def _is_day(value: object) -> bool:
    fields = Fields({"day": value}, problems := Problems())
    fields.day("day")
    return not problems


def _is_frozen(frozen: object, players: Collection[str]) -> bool:
    """True for a table as written by stats.archive, with uids for players."""
    player = _a_player_of(players)
    line = {
        "player": player,
        "name": partial(is_text, most=NAME_LENGTH),
        "place": _or_none(_is_whole),
        "sums": lambda sums: isinstance(sums, dict) and all(map(_is_whole, sums.values())),
        "form": [(_is_day, _is_whole, ("W", "S", "L").__contains__)],
        "rating": _or_none((_is_number, _is_number)),
        "before?": _or_none(_is_number),  # only in older tables
        "extra?": _or_none((_is_whole, lambda of: _is_whole(of) and of > 0, *[_is_whole] * 4)),
        "division?": ("", *DIVISIONS).__contains__,
    }
    return fits(frozen, {"night": _or_none(_is_day), "champions": [player], "lines": [line]})


def is_league(data: Line, players: Collection[str]) -> bool:
    """True for a league as stored by scorekeeper.stats.league, with players by uid."""
    try:
        league = League.from_dict(data)
        if league.to_dict() != data or not league.players <= set(players):
            return False
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    return (
        len(league.bonuses) <= MOST_BONUSES
        and all(map(_is_bonus, league.bonuses))
        and list(data["divisions"]) == sorted({*data["divisions"]}.intersection(DIVISIONS))
        and _are_distinct(league.start)
        and (league.playoffs is None or _is_bracket(league.playoffs))
    )


def _is_bonus(bonus: Bonus) -> bool:
    is_given = type(bonus.points) is int and 0 < abs(bonus.points) <= MOST_POINTS and isinstance(bonus.undone, bool)
    is_named = is_text(bonus.uid, UID_LENGTH) and is_text(bonus.reason, LONGEST_REASON)
    return is_given and is_named and bonus.day.year in YEARS


def _is_bracket(playoffs: Playoffs) -> bool:
    """True for seeds of one or two players each, and games by match.

    A player entered under two names, later merged, has two seeds.
    """
    size, seeds, games = playoffs.size, playoffs.seeds, playoffs.games
    return (
        type(size) is int
        and size in SIZES
        and 2 <= len(seeds) <= size
        and all(1 <= len(seed) <= 2 and _are_distinct(seed) for seed in seeds)
        and list(games) == sorted({*games}.intersection(chain(*matches_of(size))))
        and all(is_text(uid, UID_LENGTH) for uid in games.values())
    )


def _are_distinct(uids: Iterable[str]) -> bool:
    there = list(uids)
    return len(set(there)) == len(there)

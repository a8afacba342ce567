"""A club file, read line by line: each line is checked by itself, and against the lines above it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, BinaryIO

from scorekeeper.database.zones import LONGEST
from scorekeeper.models import NAME_LENGTH, UID_LENGTH
from scorekeeper.scoring.problems import Problem, Problems, Refused
from scorekeeper.scoring.record import parse
from scorekeeper.services import custom_rules as our_rules
from scorekeeper.services.custom_rules import OwnRules
from scorekeeper.stats import archive
from scorekeeper.stats.league import DIVISIONS, LONGEST_REASON, MOST_BONUSES, MOST_POINTS, SIZES, matches_of
from scorekeeper.stats.schemes import Scheme
from scorekeeper.transfer.club_writer import FORMAT
from scorekeeper.transfer.columns import MOST, PLAYER, SEASON, Fields, in_file, is_text, known_as, read_columns
from scorekeeper.transfer.game_reader import GameInFile, Names, read_game_in_file

LONGEST_LINE = 8_000_000  # bytes; a long evening with every card, its log included, is a hundredth of it
MOST_EMPTY = 100  # lines: nobody needs any, and a file of nothing else would be read for half a minute
ODD = re.compile(rb"NaN|Infinity|\\u|\d[eE]")  # what may be read as something that cannot be written
MOST_PEOPLE = 10_000  # players, and seasons: they are kept in memory
MOST_SAID = 300  # letters of what is wrong, and of its place


class LineRefused(Refused):
    """Raised for what cannot be imported; `line` is the number of its line."""

    def __init__(self, line: int, problems: Iterable[Problem]) -> None:
        super().__init__(problems)
        self.line = line

    def __str__(self) -> str:
        """The first thing that is wrong, with its place: "line 7, hands[3].trump: trump is missing"."""
        at, message = _shortened(self.problems[0].at), _shortened(self.problems[0].message)
        place = f"line {self.line}, {at}" if at else f"line {self.line}"
        return f"{place}: {message}"


def _shortened(text: str) -> str:
    """A text that a page has room for: a key or a number of a file can be of any length."""
    return text if len(text) <= MOST_SAID else f"{text[:MOST_SAID]}…"


@dataclass(frozen=True)
class Head:
    """The first line: the club, and how much the file holds of it. Older files have no `zone`, and no `rules`."""

    name: str
    zone: str | None
    rules: list[OwnRules]
    created: datetime
    players: int
    seasons: int
    games: int


@dataclass(frozen=True)
class PlayerInFile:
    uid: str
    name: str
    guest: bool
    retired: bool


@dataclass(frozen=True)
class SeasonInFile:
    """A season; its frozen table names the players by uid, and by None who was gone when it was written."""

    uid: str
    name: str
    starts: date
    ends: date | None
    settings: dict[str, Any]
    closed_at: datetime | None
    frozen: dict[str, Any] | None
    pages: dict[str, Any] | None
    reopened: dict[str, Any] | None
    league: dict[str, Any] | None
    created_at: datetime


class ClubFile:
    """A club's file. The club, its players and its seasons are read at once, the games while they are asked for."""

    def __init__(self, file: BinaryIO) -> None:
        self.line = 0  # the line that was read last: its number,
        self.text = b""  # and what it says
        self._lines = _lines(file)
        self.head = self._read_head()
        self.players: dict[str, PlayerInFile] = {}
        self.seasons: dict[str, SeasonInFile] = {}
        self._first: dict[str, Any] | None = None
        self._read_people()
        self._names = Names({uid: player.name for uid, player in self.players.items()})

    def games(self) -> Iterator[GameInFile]:
        """The games, each checked in full. Raises LineRefused, also where there are fewer than the file began with."""
        data = self._first
        uids: set[str] = set()
        while data is not None:
            if len(uids) == self.head.games:
                self._refuse("", f"the file has more games than the {self.head.games} in its first line")
            game = self._game(data)
            if game.uid in uids:
                self._refuse("x-uid", "is in the file twice")
            uids.add(game.uid)
            yield game
            data = self._next()
        self._check_count("games", len(uids), self.head.games)

    def read_again(self, line: int, text: bytes) -> GameInFile:
        """The game of a line that was read before."""
        self.line = line
        return self._game(_object(text))

    def _game(self, data: dict[str, Any]) -> GameInFile:
        try:
            return read_game_in_file(data, self._names, self.seasons)
        except Refused as refused:
            raise LineRefused(self.line, refused.problems) from None

    def refuse(self, at: str, message: str) -> None:
        """Refuse the line that was read last."""
        self._refuse(at, message)

    # --- lines ---

    def _next(self) -> dict[str, Any] | None:
        """The object on the next line; None behind the last one."""
        found = next(self._lines, None)
        if found is None:
            return None
        self.line, self.text = found
        try:
            return _object(self.text)
        except Refused as refused:
            raise LineRefused(self.line, refused.problems) from None

    def _refuse(self, at: str, message: str) -> None:
        raise LineRefused(self.line, [Problem("cannot-be", at, message)])

    def _check(self, problems: Problems) -> None:
        if problems:
            raise LineRefused(self.line, problems)

    def _check_count(self, what: str, count: int, wanted: int) -> None:
        if count != wanted:
            self._refuse("", f"the file should have {wanted} {what} but has {count}: part of it is missing")

    # --- the first lines ---

    def _read_head(self) -> Head:
        data = self._next()
        if data is None:
            self.line = 1
            self._refuse("", "the file is empty")
        elif data.get("format") != FORMAT:
            self._refuse("format", f'this is not a club file: its first line must say "format": "{FORMAT}"')
        fields = Fields(data or {}, problems := Problems())
        fields.only(("format", "name", "zone", "rules", "created", "players", "seasons", "games"))
        head = Head(
            fields.text("name", NAME_LENGTH),
            fields.maybe_text("zone", LONGEST),
            _read_rules(fields) if data and "rules" in data else [],
            fields.moment("created"),
            fields.whole("players", 0, MOST_PEOPLE),
            fields.whole("seasons", 0, MOST_PEOPLE),
            fields.whole("games", 0, MOST),
        )
        self._check(problems)
        return head

    def _read_people(self) -> None:
        """The players, then the seasons, up to the first game."""
        names: set[str] = set()
        data = self._next()
        while data is not None and data.get("type") == "player" and not self.seasons:
            self._add_player(data, names)
            data = self._next()
        names.clear()
        while data is not None and data.get("type") == "season":
            self._add_season(data, names)
            data = self._next()
        if data is not None and "type" in data:
            self._refuse("type", "the players come first, then the seasons, then the games")
        for what, told in (("players", self.players), ("seasons", self.seasons)):
            self._check_count(what, len(told), getattr(self.head, what))
        self._first = data

    def _add_player(self, data: dict[str, Any], names: set[str]) -> None:
        fields = Fields(data, Problems())
        fields.only(("type", *(column.key for column in in_file(PLAYER))))
        player = PlayerInFile(**read_columns(fields, PLAYER))
        if known_as(player.name) != unicodedata.normalize("NFC", player.name).casefold():
            fields.wrong("name", "must be a name without extra spaces or invisible letters")
        self._check_once(fields, player.uid in self.players, player.name, names)
        self.players[player.uid] = player

    def _check_once(self, fields: Fields, uid_is_known: bool, name: str, names: set[str]) -> None:
        if uid_is_known:
            fields.wrong("uid", "is in the file twice")
        if known_as(name) in names:
            fields.wrong("name", f"there is a {name} in the file already")
        if len(names) == MOST_PEOPLE:
            fields.wrong("uid", f"a club has at most {MOST_PEOPLE}")
        self._check(fields.problems)
        names.add(known_as(name))

    def _add_season(self, data: dict[str, Any], names: set[str]) -> None:
        season = _read_season(fields := Fields(data, Problems()), self.players)
        self._check_once(fields, season.uid in self.seasons, season.name, names)
        self.seasons[season.uid] = season


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers."""
    number = empty = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise LineRefused(number, [Problem("too-long", "", "the line is too long")])
        if line.strip():
            yield number, line
        elif (empty := empty + 1) > MOST_EMPTY:
            raise LineRefused(number, [Problem("too-many", "", f"the file has more than {MOST_EMPTY} empty lines")])


def _object(line: bytes) -> dict[str, Any]:
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused([Problem("not-utf-8", "", "is not UTF-8 text")]) from None
    data = parse(text)
    if not isinstance(data, dict):
        raise Refused([Problem("shape", "", "must be a JSON object")])
    try:
        if ODD.search(line):
            json.dumps(data, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Refused([Problem("not-json", "", "has a number or a letter that is not valid")]) from None
    return data


def _read_rules(fields: Fields) -> list[OwnRules]:
    """The club's own rules; each has to be rules that a game can be played by."""
    listed = fields.listed("rules")
    if len(listed) > our_rules.MOST or not all(isinstance(data, dict) for data in listed):
        fields.wrong("rules", f"must be a list of at most {our_rules.MOST} objects")
        return []
    try:
        found = [OwnRules.from_dict(data) for data in listed]
    except Refused as refused:
        fields.wrong("rules", refused.problems[0].message)
        return []
    if len({own.uid for own in found}) < len(found):
        fields.wrong("rules", "must not have two with one uid")
    return found


# --- seasons ------------------------------------------------------------------------------------------------------


def _read_season(fields: Fields, players: Mapping[str, PlayerInFile]) -> SeasonInFile:
    fields.only(("type", *(column.key for column in in_file(SEASON))))
    season = SeasonInFile(**read_columns(fields, SEASON))
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


def _check_settings(fields: Fields, settings: dict[str, Any]) -> None:
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
    if not all(type(number) is int and abs(number) <= MOST for number in numbers):
        fields.wrong("settings", "must count in whole numbers")


def _check_reopened(fields: Fields, reopened: dict[str, Any] | None) -> None:
    if reopened is None:
        return
    inner = Fields(reopened, fields.problems, "reopened")
    inner.only(("at", "game"))
    inner.moment("at")
    if reopened.get("game") is not None:
        inner.whole("game", 1, MOST)


BEFORE = "before"  # the rating before the last game, in tables that were frozen since it is kept
LINE = {"player", "name", "place", "sums", "form", "rating"}
NEWER = {BEFORE, "extra", "division"}  # keys that older tables do not have


def _is_frozen(frozen: Mapping[str, Any], players: Mapping[str, PlayerInFile]) -> bool:
    """Whether it is a table as scorekeeper.services.seasons freezes it, with uids in the place of the players."""
    lines, champions, night = frozen.get("lines"), frozen.get("champions"), frozen.get("night")
    return (
        frozen.keys() == {"night", "champions", "lines"}
        and (night is None or _is_day(night))
        and isinstance(champions, list)
        and all(_is_player(uid, players) for uid in champions)
        and isinstance(lines, list)
        and all(isinstance(line, dict) and _is_frozen_line(line, players) for line in lines)
    )


def _are_pages(pages: dict[str, Any], players: Mapping[str, PlayerInFile]) -> bool:
    """Whether they are pages as scorekeeper.services.seasons keeps them, with uids in the place of the players."""
    try:
        archive.from_dict(pages)
    except ValueError:
        return False
    return all(_is_player(uid, players) for uid, _ in pages["people"])


def _is_player(uid: object, players: Mapping[str, PlayerInFile]) -> bool:
    return uid is None or (isinstance(uid, str) and uid in players)


def _is_frozen_line(line: Mapping[str, Any], players: Mapping[str, PlayerInFile]) -> bool:
    sums, form, rating = line.get("sums"), line.get("form"), line.get("rating")
    return (
        line.keys() | NEWER == LINE | NEWER
        and is_extra(line.get("extra"))
        and line.get("division", "") in ("", *DIVISIONS)
        and (line.get(BEFORE) is None or _is_number(line[BEFORE]))
        and _is_player(line["player"], players)
        and is_text(line["name"], NAME_LENGTH)
        and (line["place"] is None or _is_whole(line["place"]))
        and isinstance(sums, dict)
        and all(map(_is_whole, sums.values()))
        and isinstance(form, list)
        and all(_is_result(result) for result in form)
        and (rating is None or _are_numbers(rating))
    )


def _is_result(result: object) -> bool:
    """Whether it is a game in somebody's form: when, which, and how it ended."""
    if not isinstance(result, list) or len(result) != 3:
        return False
    return _is_day(result[0]) and _is_whole(result[1]) and result[2] in ("W", "S", "L")


def _are_numbers(rating: object) -> bool:
    return isinstance(rating, list) and len(rating) == 2 and all(map(_is_number, rating))


def _is_number(value: object) -> bool:
    """Whether it is a number that can be reckoned with, and shown."""
    return type(value) in (int, float) and abs(value) <= MOST  # type: ignore[arg-type]


def _is_whole(value: object) -> bool:
    return type(value) is int and abs(value) <= MOST


# --- league ----------------------------------------------------------------------------------------------------------


BONUS = {"uid", "player", "points", "reason", "undone", "day"}
LATER_KEYS = {"playoffs", "start"}  # only where there is one
EXTRA = 6  # numbers: the worth as a fraction, and four more


def is_league(league: Mapping[str, Any], players: Collection[str]) -> bool:
    """Whether it is what scorekeeper.stats.league keeps, of players by their uids."""
    bonuses, divisions = league.get("bonuses"), league.get("divisions")
    return (
        league.keys() | LATER_KEYS == {"bonuses", "divisions"} | LATER_KEYS
        and ("start" not in league or _is_start(league["start"], players))
        and ("playoffs" not in league or _are_playoffs(league["playoffs"], players))
        and isinstance(bonuses, list)
        and len(bonuses) <= MOST_BONUSES
        and all(isinstance(bonus, dict) and _is_bonus(bonus, players) for bonus in bonuses)
        and isinstance(divisions, dict)
        and _are_divisions(divisions, players)
        and bool(bonuses or divisions or league.keys() & LATER_KEYS)
    )


def _is_bonus(bonus: Mapping[str, Any], players: Collection[str]) -> bool:
    points = bonus.get("points")
    return (
        bonus.keys() == BONUS
        and is_text(bonus["uid"], UID_LENGTH)
        and isinstance(bonus["player"], str)
        and bonus["player"] in players
        and type(points) is int
        and 0 < abs(points) <= MOST_POINTS
        and is_text(bonus["reason"], LONGEST_REASON)
        and isinstance(bonus["undone"], bool)
        and _is_day(bonus["day"])
    )


def _are_divisions(divisions: Mapping[str, Any], players: Collection[str]) -> bool:
    """Whether every player of them is in one alone; written in their order, none of them empty."""
    if list(divisions) != sorted(divisions) or not divisions.keys() <= set(DIVISIONS):
        return False
    if not all(isinstance(members, list) and members for members in divisions.values()):
        return False
    there = [player for members in divisions.values() for player in members]
    known = all(isinstance(player, str) and player in players for player in there)
    return known and len(set(there)) == len(there)


def _is_start(start: object, players: Collection[str]) -> bool:
    """Whether it is a ladder's starting order: players, each once."""
    if not isinstance(start, list) or not start or not all(isinstance(uid, str) for uid in start):
        return False
    return len(set(start)) == len(start) and set(start) <= set(players)


def _are_playoffs(playoffs: object, players: Collection[str]) -> bool:
    """Whether it is a bracket: its size, seeds of one or two players, each once, and games by their matches."""
    if not isinstance(playoffs, dict) or playoffs.keys() != {"size", "seeds", "games"}:
        return False
    size, seeds, games = playoffs["size"], playoffs["seeds"], playoffs["games"]
    if type(size) is not int or size not in SIZES or not isinstance(seeds, list) or not isinstance(games, dict):
        return False
    if not all(isinstance(seed, list) and 0 < len(seed) <= 2 for seed in seeds) or not 2 <= len(seeds) <= size:
        return False
    there = [player for seed in seeds for player in seed]
    known = all(isinstance(player, str) and player in players for player in there)
    keys = [key for keys in matches_of(size) for key in keys]
    sorted_keys = list(games) == sorted(games) and set(games) <= set(keys)
    return known and sorted_keys and all(is_text(uid, UID_LENGTH) for uid in games.values())


def _is_day(value: object) -> bool:
    fields = Fields({"day": value}, problems := Problems())
    fields.day("day")
    return not problems


def is_extra(extra: object) -> bool:
    """Whether it is what a frozen table keeps of nights and bonus points, or nothing."""
    if extra is None:
        return True
    if not isinstance(extra, list) or len(extra) != EXTRA:
        return False
    return all(type(number) is int and abs(number) <= MOST for number in extra) and extra[1] > 0

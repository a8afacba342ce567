"""Writes a club as one file: lines of JSON, as docs/club-file.md describes them."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Row, func, select, tuple_
from sqlalchemy.orm import aliased

from scorekeeper.database.session import db
from scorekeeper.models import (
    AFTER_THE_END,
    RECORD,
    SUBSTITUTE,
    Change,
    Club,
    Facts,
    Game,
    GameSeason,
    Hand,
    Player,
    Season,
    Seat,
    Tapped,
)
from scorekeeper.scoring import record
from scorekeeper.scoring.game import replay
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.services import custom_rules as our_rules
from scorekeeper.services.drafts import sensible
from scorekeeper.stats import archive
from scorekeeper.stats.archive import FrozenTable
from scorekeeper.stats.tallies import all_games
from scorekeeper.transfer.columns import GAME, PLAYER, SEASON, in_file, moment, written

FORMAT = "scorekeeper-club/1"
CHUNK = 50  # games that are read at once
ADDING = (RECORD, SUBSTITUTE)  # after changes of these kinds alone no hand is behind the end of its game
Line = dict[str, Any]


def write_club(club: Club) -> Iterator[str]:
    """The lines of a club's file, each with its line end.

    They are read from the database while they are asked for, in one transaction: all tell of the same moment.
    """
    players, seasons = _players(club), _seasons(club)
    uids = {player.id: player.uid for player in players}
    yield to_line(_head(club, len(players), len(seasons)))
    yield from (to_line(_player(player)) for player in players)
    yield from (to_line(_season(season, uids)) for season in seasons)
    names = {player.id: player.name for player in players}
    keys = {season.id: season.uid for season in seasons}
    for game in _games(club):
        yield to_line(_Game(game, uids, names, keys).line())


def game_line(game: Game) -> Line:
    """One game as its line of the file has it, before it is written."""
    players, seasons = _players(game.club), _seasons(game.club)
    (found,) = _games(game.club, Game.id == game.id)
    uids, names = {player.id: player.uid for player in players}, {player.id: player.name for player in players}
    return _Game(found, uids, names, {season.id: season.uid for season in seasons}).line()


def to_line(data: Mapping[str, Any]) -> str:
    """A line of the file, always written the same way."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def _said(data: Line) -> Line:
    """Without what there is none of."""
    return {key: value for key, value in data.items() if value is not None}


# --- the club, its players and seasons ----------------------------------------------------------------------------


def _head(club: Club, players: int, seasons: int) -> Line:
    games = db.session.scalar(select(func.count()).where(Game.club_id == club.id))
    counts = {"players": players, "seasons": seasons, "games": games}
    about = {"name": club.name, "zone": club.zone, "created": moment(club.created_at)}
    saved = db.session.scalar(select(Club.own_rules).where(Club.id == club.id))
    rules = [own.to_dict() for own in our_rules.readable(saved)]
    return {"format": FORMAT} | about | ({"rules": rules} if rules else {}) | counts


def _players(club: Club) -> Any:
    columns = [getattr(Player, column.name) for column in in_file(PLAYER)]
    players = db.session.execute(select(Player.id, *columns).where(Player.club_id == club.id)).all()
    return sorted(players, key=lambda player: (player.name.casefold(), player.uid))


def _player(player: Row[Any]) -> Line:
    return {"type": "player"} | written(PLAYER, player)


def _seasons(club: Club) -> Sequence[Season]:
    return db.session.scalars(
        select(Season).where(Season.club_id == club.id).order_by(Season.created_at, Season.uid)
    ).all()


def _season(season: Season, uids: Mapping[int, str]) -> Line:
    frozen = season.frozen and FrozenTable.from_dict(season.frozen).rename(uids).to_dict()
    pages = archive.rename(season.pages, uids.get) if season.pages and archive.read(season.pages) else None
    return {"type": "season"} | _said(written(SEASON, season, {"frozen": frozen, "pages": pages}))


def _day(day: date) -> str:
    return day.isoformat()


# --- games --------------------------------------------------------------------------------------------------------


Before = aliased(Game)
COLUMNS = (Game.id, *(getattr(Game, column.name) for column in in_file(GAME)), Before.uid.label("previous"))
KEYS = (
    *("x-uid", "x-number", "x-seats", "x-season", "x-also", "x-state", "x-plays-on", "x-left-out"),
    *("x-detail", "x-auction", "x-options"),
    *("x-first-dealer", "x-previous", "x-created", "x-paper", "x-log", "x-tapped", AFTER_THE_END),
)


class _Parts:
    """What belongs to a game, from the other tables."""

    def __init__(self) -> None:
        self.seats: list[int] = []
        self.hands: list[Facts] = []
        self.log: list[Row[Any]] = []
        self.tapped: dict[str, Any] = {}
        self.also: list[int] = []


def _games(club: Club, *asked: ColumnElement[bool]) -> Iterator[tuple[Row[Any], _Parts]]:
    """A club's games in the order in which they were played, a few at a time in memory; all, or some."""
    found = select(*COLUMNS).outerjoin(Before, Before.id == Game.previous_id).where(Game.club_id == club.id, *asked)
    found = found.order_by(Game.played, Game.number).limit(CHUNK)
    last: tuple[Any, ...] = (date.min, 0)
    while games := db.session.execute(found.where(tuple_(Game.played, Game.number) > tuple_(*last))).all():
        parts = _parts([game.id for game in games])
        yield from ((game, parts[game.id]) for game in games)
        last = games[-1].played, games[-1].number


def _parts(games: Sequence[int]) -> dict[int, _Parts]:
    parts: dict[int, _Parts] = defaultdict(_Parts)
    for game_id, player_id in _of(games, select(Seat.game_id, Seat.player_id).order_by(Seat.number)):
        parts[game_id].seats.append(player_id)
    for game_id, facts in _of(games, select(Hand.game_id, Hand.facts).order_by(Hand.position)):
        parts[game_id].hands.append(facts)
    begun = Season.created_at, Season.uid  # not by id: one that was taken back has another
    also = select(GameSeason.game_id, GameSeason.season_id).join_from(GameSeason, Season).order_by(*begun)
    for game_id, season_id in _of(games, also):
        parts[game_id].also.append(season_id)
    for change in _of(games, select(*CHANGE).order_by(Change.seq)):
        parts[change.game_id].log.append(change)
    for game_id, position, fields in _of(games, select(*TAPPED).order_by(Tapped.position)):
        parts[game_id].tapped[str(position)] = sensible(fields)
    return parts


CHANGE = (
    *(Change.game_id, Change.kind, Change.position, Change.before, Change.after, Change.undoes, Change.token),
    *(Change.by, Change.at),
)
TAPPED = (Tapped.game_id, Tapped.position, Tapped.fields)


def _of(games: Sequence[int], query: Any) -> Any:
    """The rows of some games, each table's own order last."""
    return db.session.execute(query.where(query.selected_columns.game_id.in_(games)))


class _Game:
    """One game, to be written."""

    def __init__(
        self,
        game: tuple[Row[Any], _Parts],
        uids: Mapping[int, str],
        names: Mapping[int, str],
        seasons: Mapping[int, str],
    ) -> None:
        self.game, self.parts = game
        self.uids, self.names, self.seasons = uids, names, seasons

    def line(self) -> Line:
        """Its game record, and under `x-` keys what the record has no word for."""
        told, counting = self._record(), self._counting()
        hands = self.parts.hands
        return told | {"hands": hands[:counting]} | _said(self._more() | {AFTER_THE_END: hands[counting:] or None})

    def _record(self) -> Line:
        game = self.game
        told: Line = {"format": record.FORMAT, "rules": written_rules(json.dumps(game.rules))}
        told |= {"players": game.players, "teams": game.teams}
        told |= {"names": [self.names[player] for player in self.parts.seats], "played": _day(game.played)}
        return told if game.start is None else told | {"start": game.start}

    def _counting(self) -> int:
        """How many hands count: a game that was only entered, hand after hand, has none after its end."""
        hands = self.parts.hands
        if not self.game.plays_on and all(change.kind in ADDING for change in self.parts.log):
            return len(hands)
        return len(hands) - replay(record.read_game(self._record() | {"hands": hands})).after_end

    def _more(self) -> Line:
        references = {"season_id": self.seasons.get(self.game.season_id), "previous_id": self.game.previous}
        told = written(GAME, self.game, references) | {
            "x-also": [self.seasons[season] for season in self.parts.also] or None,
            "x-seats": [self.uids[player] for player in self.parts.seats],
            "x-log": [_entry(change) for change in self.parts.log],
            "x-tapped": self.parts.tapped or None,
        }
        return {key: told[key] for key in KEYS if key in told}


def _entry(change: Row[Any]) -> Line:
    told = {name: getattr(change, name) for name in ("kind", "position", "before", "after", "undoes", "token", "by")}
    return _said(told | {"at": moment(change.at)})


@lru_cache(maxsize=64)
def written_rules(rules: str) -> Line:
    """Rules, given as JSON, as this version writes them."""
    return RuleSet.from_dict(json.loads(rules)).to_dict()


# --- records ---------------------------------------------------------------------------------------------------------


FROM_PAPER = "x-paper"


def plain_record(game: Game) -> dict[str, Any]:
    """The game record of one game; of a game from paper it says how that came out."""
    record = game.record()
    return record if game.paper is None else record | {FROM_PAPER: game.paper}


def write_records(club: Club) -> Iterator[str]:
    """All games of a club as game records, one a line, in the order in which they were played."""
    return (to_line(plain_record(game)) for game in all_games(club))


# --- csv tables ------------------------------------------------------------------------------------------------------


MARK = "\ufeff"  # without it some spreadsheets take UTF-8 for something else
DECIMALS = 3
FORMULA = tuple("=+-@\t\r\n＝＋－＠")
Cell = str | int | float | Fraction | date | None


def to_csv(rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The lines of a table."""
    yield MARK
    line = io.StringIO()
    writer = csv.writer(line)
    for row in rows:
        writer.writerow([_cell(cell) for cell in row])
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _decimal(value: Fraction | float) -> str:
    """A number with decimals, halves rounded away from zero as on every page."""
    thousandths = int(abs(Fraction(value)) * 10**DECIMALS + Fraction(1, 2))
    whole, rest = divmod(thousandths, 10**DECIMALS)
    return f"{'-' if value < 0 and thousandths else ''}{whole}.{rest:0{DECIMALS}}"


def _cell(cell: Cell) -> str:
    """A cell as it is written: numbers with a dot, and text never as a formula that a spreadsheet would carry out."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(FORMULA) else cell
    if type(cell) is int:
        return str(cell)
    if isinstance(cell, Fraction | float):
        return _decimal(cell)
    return cell.isoformat() if isinstance(cell, date) else str(cell)

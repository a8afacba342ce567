"""Write a club as a club file: JSON lines, as specified in docs/club-file.md."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Row, func, select, tuple_
from sqlalchemy.orm import aliased

from scorekeeper.database.session import db
from scorekeeper.models import (
    AFTER_END_KEY,
    RECORD,
    SUBSTITUTE,
    Change,
    Club,
    Facts,
    Game,
    GameSeason,
    Hand,
    HandDraft,
    Player,
    Season,
    Seat,
)
from scorekeeper.scoring import record
from scorekeeper.scoring.game import replay
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.services import custom_rules
from scorekeeper.services.change_log import Entry
from scorekeeper.services.drafts import known_fields
from scorekeeper.stats import archive
from scorekeeper.stats.tallies import all_games

from .columns import CHANGE, GAME, PLAYER, SEASON, Line, columns_of, moment, written

FORMAT = "scorekeeper-club/1"
CHUNK = 50  # games per query
ADDING = (RECORD, SUBSTITUTE)  # with only such changes, no hand can be after the end of its game


def write_club(club: Club) -> Iterator[str]:
    """Yield the lines of a club file, with line ends.

    They are read from the database lazily, in one transaction, so all lines are from one snapshot.
    """
    lines = _Lines(club)
    seasons = select(Season).where(Season.club_id == club.id).order_by(Season.created_at, Season.uid)
    yield to_line(lines.head())
    yield from (to_line({"type": "player"} | written(PLAYER, player)) for player in lines.players)
    yield from (to_line(lines.season(season)) for season in db.session.scalars(seasons).all())
    yield from map(to_line, lines.games())


def game_line(game: Game) -> Line:
    """Return a game's line in a club file, before serialization."""
    return next(_Lines(game.club).games(Game.id == game.id))


def season_line(season: Season) -> Line:
    """Return a season's line in a club file, before serialization."""
    return _Lines(season.club).season(season)


def to_line(data: Mapping[str, object]) -> str:
    """Serialize a line of the file, always in the same way."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def _without_none(data: Line) -> Line:
    """Omit None values."""
    return {key: value for key, value in data.items() if value is not None}


Before = aliased(Game)
COLUMNS = (Game.id, *columns_of(GAME), Before.uid.label("previous"))
KEYS = (
    *("x-uid", "x-number", "x-seats", "x-season", "x-also", "x-state", "x-plays-on", "x-left-out"),
    *("x-detail", "x-auction", "x-options"),
    *("x-first-dealer", "x-previous", "x-created", "x-paper", "x-log", "x-tapped", AFTER_END_KEY),
)


@dataclass
class Parts:
    """The rows of other tables that belong to a game."""

    seats: list[int] = field(default_factory=list)
    hands: list[Facts] = field(default_factory=list)
    log: list[Entry] = field(default_factory=list)
    tapped: Line = field(default_factory=dict)
    also: list[int] = field(default_factory=list)


class _Lines:
    """The lines of a club, with players and seasons by uid."""

    def __init__(self, club: Club) -> None:
        self.club = club
        players = db.session.execute(select(Player.id, *columns_of(PLAYER)).where(Player.club_id == club.id)).all()
        self.players = sorted(players, key=lambda player: (player.name.casefold(), player.uid))
        self.uids = {player.id: player.uid for player in players}
        self.names = {player.id: player.name for player in players}
        seasons = db.session.execute(select(Season.id, Season.uid).where(Season.club_id == club.id))
        self.seasons: dict[int | None, str] = dict(seasons.all())

    def head(self) -> Line:
        club = self.club
        games = db.session.scalar(select(func.count()).where(Game.club_id == club.id))
        counts = {"players": len(self.players), "seasons": len(self.seasons), "games": games}
        about = {"name": club.name, "zone": club.zone, "created": moment(club.created_at)}
        saved = db.session.scalar(select(Club.own_rules).where(Club.id == club.id))
        rules = [own.to_dict() for own in custom_rules.readable(saved)]
        return {"format": FORMAT} | about | ({"rules": rules} if rules else {}) | counts

    def season(self, season: Season) -> Line:
        pages = season.pages if archive.read(season.pages) else None
        frozen, pages = archive.renamed(season.frozen, pages, lambda player, *_: self.uids.get(player))
        reopened = season.reopened and {key: season.reopened[key] for key in ("at", "game")}
        kept = {"frozen": frozen, "pages": pages, "reopened": reopened}
        return {"type": "season"} | _without_none(written(SEASON, season, kept))

    def games(self, *asked: ColumnElement[bool]) -> Iterator[Line]:
        """Yield the lines of a club's games in the order played, CHUNK games at a time; `asked` filters them."""
        found = select(*COLUMNS).outerjoin(Before, Before.id == Game.previous_id)
        found = found.where(Game.club_id == self.club.id, *asked).order_by(Game.played, Game.number).limit(CHUNK)
        last: tuple[date, int] = (date.min, 0)
        while games := db.session.execute(found.where(tuple_(Game.played, Game.number) > tuple_(*last))).all():
            parts = parts_of([game.id for game in games])
            yield from (self._game(game, parts[game.id]) for game in games)
            last = games[-1].played, games[-1].number

    def _game(self, game: Row[Any], parts: Parts) -> Line:
        """Return the game record, extended by `x-` keys for what the record format does not cover."""
        told: Line = {"format": record.FORMAT, "rules": written_rules(json.dumps(game.rules))}
        told |= {"players": game.players, "teams": game.teams}
        told |= {"names": [self.names[player] for player in parts.seats], "played": game.played.isoformat()}
        told |= {} if game.start is None else {"start": game.start}
        counting = len(parts.hands)
        # If hands were only added, one after another, none is after the end.
        if game.plays_on or any(entry.kind not in ADDING for entry in parts.log):
            counting -= replay(record.read_game(told | {"hands": parts.hands})).after_end
        references = {"season_id": self.seasons.get(game.season_id), "previous_id": game.previous}
        more = written(GAME, game, references) | {
            "x-also": [self.seasons[season] for season in parts.also] or None,
            "x-seats": [self.uids[player] for player in parts.seats],
            "x-log": [_without_none(written(CHANGE, entry)) for entry in parts.log],
            "x-tapped": parts.tapped or None,
            AFTER_END_KEY: parts.hands[counting:] or None,
        }
        return told | {"hands": parts.hands[:counting]} | _without_none({key: more[key] for key in KEYS})


def parts_of(games: Sequence[int], *, entered: bool = True) -> dict[int, Parts]:
    """Return the rows that belong to these games, by game id; without `entered`, no hands and no drafts."""
    parts: dict[int, Parts] = defaultdict(Parts)
    for game_id, player_id in _of(games, select(Seat.game_id, Seat.player_id).order_by(Seat.number)):
        parts[game_id].seats.append(player_id)
    begun = Season.created_at, Season.uid  # not by id: a restored season has a new one
    also = select(GameSeason.game_id, GameSeason.season_id).join_from(GameSeason, Season).order_by(*begun)
    for game_id, season_id in _of(games, also):
        parts[game_id].also.append(season_id)
    log = select(Change.game_id, *(getattr(Change, name) for name in Entry._fields)).order_by(Change.seq)
    for game_id, *entry in _of(games, log):
        parts[game_id].log.append(Entry(*entry))
    if entered:
        for game_id, facts in _of(games, select(Hand.game_id, Hand.facts).order_by(Hand.position)):
            parts[game_id].hands.append(facts)
        tapped = select(HandDraft.game_id, HandDraft.position, HandDraft.fields).order_by(HandDraft.position)
        for game_id, position, fields in _of(games, tapped):
            parts[game_id].tapped[str(position)] = known_fields(fields)
    return parts


def _of(games: Sequence[int], query: Any) -> Any:
    """Select rows of these games; the query keeps its own order."""
    return db.session.execute(query.where(query.selected_columns.game_id.in_(games)))


@lru_cache(maxsize=64)
def written_rules(rules: str) -> Line:
    """Normalize rules, given as JSON, to the format of this version."""
    return RuleSet.from_dict(json.loads(rules)).to_dict()


# --- records ---------------------------------------------------------------------------------------------------------


FROM_PAPER = "x-paper"


def plain_record(game: Game) -> Line:
    """Return the game record of a game; of a game from paper with its result."""
    record = game.record()
    return record if game.paper is None else record | {FROM_PAPER: game.paper}


def write_records(club: Club) -> Iterator[str]:
    """Yield the game records of a club as JSON lines, in the order played."""
    return (to_line(plain_record(game)) for game in all_games(club))


# --- csv tables ------------------------------------------------------------------------------------------------------


MARK = "\ufeff"  # byte order mark: without it some spreadsheets do not detect UTF-8
DECIMALS = 3
FORMULA = tuple("=+-@\t\r\n＝＋－＠")
Cell = str | int | float | Fraction | date | None


def to_csv(rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Yield the lines of a CSV file."""
    yield MARK
    line = io.StringIO()
    writer = csv.writer(line)
    for row in rows:
        writer.writerow(map(_cell, row))
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _cell(cell: Cell) -> Cell:
    """Escape a cell for CSV: text never as a formula that a spreadsheet would evaluate, numbers with a decimal point.

    Halves are rounded away from zero, as on every page.
    """
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(FORMULA) else cell
    if not isinstance(cell, Fraction | float):
        return cell
    thousandths = int(abs(Fraction(cell)) * 10**DECIMALS + Fraction(1, 2))
    whole, rest = divmod(thousandths, 10**DECIMALS)
    return f"{'-' if cell < 0 and thousandths else ''}{whole}.{rest:0{DECIMALS}}"

"""A club's file brought into a club: looked through first if one likes; all of it or, where a line is wrong, none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from sqlalchemy import func, select

from scorekeeper import ledger
from scorekeeper.db import db, db_write
from scorekeeper.exporting.columns import CHANGES, FIXED, GAME, MADE, PLAYER, SEASON, with_role
from scorekeeper.models import Club, Game, Player, Season, Seat
from scorekeeper.stats.frozen import FrozenTable
from scorekeeper.stats.league import League
from scorekeeper.stats.tallies import TallyWriter
from scorekeeper.zones import is_zone

from .game import GameInFile, with_names
from .matching import CLASH, KNOWN, NEW, NEWER, Found, People, is_empty, match_game, match_players, match_seasons, taken
from .reader import ClubFile, LineRefused, PlayerInFile, SeasonInFile
from .replay import row

MOST_NAMED = 50  # games that a report names one by one
CLOSING = ("closed_at", "frozen", "reopened")  # of a season, set when its games are in
LAST_NUMBER = 900_000_000  # of a game as it comes: addresses have nine figures, and there have to be some left


@dataclass
class Report:
    """What a file holds for a club. `named` are the games that are not simply new or known: number, and a sentence."""

    name: str
    takes_name: bool
    players_new: list[str]
    players_by_name: list[tuple[str, str]]
    seasons_new: list[str]
    games: dict[str, int] = field(default_factory=lambda: dict.fromkeys((NEW, KNOWN, NEWER, CLASH), 0))
    renumbered: int = 0
    named: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: {NEWER: [], CLASH: []})

    @property
    def changes_something(self) -> bool:
        new = self.players_new or self.seasons_new or self.takes_name
        return bool(new or self.games[NEW] or self.games[NEWER])

    def add(self, found: Found) -> None:
        self.games[found.what] += 1
        if found.game and found.what in self.named and len(self.named[found.what]) < MOST_NAMED:
            self.named[found.what].append((found.game.number, found.why))


def preview_import(club: Club, file: BinaryIO) -> Report:
    """What importing a file would do; nothing is written. Raises LineRefused."""
    source = ClubFile(file)
    match = _Match(club, source)
    report = match.report()
    for told, found in match.walk():
        report.add(found)
        if found.what == NEW:
            report.renumbered += match.number(told.number) != told.number
    return report


def import_into_club(club: Club, file: BinaryIO) -> Report:
    """Import a file into a club, in one transaction; an empty club takes the file's name. Raises LineRefused."""
    with db_write(club):
        return _Writer(club, ClubFile(file)).write()


def import_as_new_club(name: str | None, file: BinaryIO) -> tuple[Club, Report]:
    """A new club made of a file, in one transaction; it has the file's name unless it is given another."""
    with db_write() as session:
        source = ClubFile(file)
        club = Club(name=name or source.head.name)
        session.add(club)
        session.flush()
        report = _Writer(club, source).write()
        club.name = name or club.name
        report.name = club.name
    return club, report


class _Match:
    """A file beside a club: who is who, and which game is which."""

    def __init__(self, club: Club, source: ClubFile) -> None:
        self.club, self.source = club, source
        self.takes_name = is_empty(club)
        self.people = match_players(club, source.players)
        self.seasons, self.season_names = match_seasons(club, source.seasons)
        self._highest = db.session.scalar(select(func.max(Game.number)).where(Game.club_id == club.id)) or 0
        self._given: list[range] = []  # numbers that games got in the place of their own

    def report(self) -> Report:
        people = self.people
        name = self.source.head.name if self.takes_name else self.club.name
        return Report(
            name, self.takes_name, list(people.new.values()), list(people.by_name), list(self.season_names.values())
        )

    def walk(self) -> Iterator[tuple[GameInFile, Found]]:
        """Every game of the file, its players called as they are here, and what it is to the club."""
        for told in self.source.games():
            game = with_names(told, self.people.names)
            yield game, match_game(self.club, game, self.people, self.seasons)

    def number(self, wanted: int) -> int:
        """The number that a new game gets: its own, or, where that is taken, the next one."""
        if wanted > LAST_NUMBER or self._is_taken(wanted):
            wanted = self._highest + 1
            last = self._given.pop() if self._given and self._given[-1].stop == wanted else range(wanted, wanted)
            self._given.append(range(last.start, wanted + 1))
        self._highest = max(self._highest, wanted)
        return wanted

    def _is_taken(self, number: int) -> bool:
        given = any(number in numbers for numbers in self._given)
        return number <= self._highest and (given or bool(taken(self.club, [number])))


class _Writer(_Match):
    """Writes a file into a club; inside a transaction."""

    def write(self) -> Report:
        report = self.report()
        if self.takes_name:
            self.club.name, self.club.created_at = self.source.head.name, self.source.head.created
            if is_zone(self.source.head.zone or ""):
                self.club.zone = str(self.source.head.zone)
        self._add_players()
        self._add_seasons()
        self._later: list[tuple[int, int, str]] = []  # games whose game before has not come yet: line, id, its uid
        self._last: tuple[str, int] = ("", 0)
        self._numbers = {s.reopened.get("game"): 0 for s in self.source.seasons.values() if s.reopened}
        self._tallies = TallyWriter(self.club.id)
        for told, found in self.walk():
            report.add(found)
            game = self._put_in(told, found)
            report.renumbered += found.what == NEW and game.number != told.number
            self._done(told, game)
        self._link_later()
        self._tallies.close()
        self._close_seasons()
        return report

    # --- players and seasons ---

    def _add_players(self) -> None:
        told = self.source.players
        made = {uid: self._player(told[uid], name) for uid, name in self.people.new.items()}
        db.session.add_all(made.values())
        db.session.flush()
        ours: Mapping[str, Player] = {**self.people.ours, **made}
        self.people = People(ours, {}, self.people.names, self.people.by_name)

    def _player(self, told: PlayerInFile, name: str) -> Player:
        columns = {column: getattr(told, column) for column in with_role(PLAYER, MADE)}
        return Player(club_id=self.club.id, **columns | {"name": name})

    def _add_seasons(self) -> None:
        """The new seasons, as yet open: they are closed when their games are in."""
        self._new_seasons = {uid: self._season(uid, name) for uid, name in self.season_names.items()}
        db.session.add_all(self._new_seasons.values())
        db.session.flush()
        self.seasons = {**self.seasons, **self._new_seasons}

    def _season(self, uid: str, name: str) -> Season:
        told = self.source.seasons[uid]
        columns = {column: getattr(told, column) for column in with_role(SEASON, MADE)}
        league = League.from_dict(told.league).rename(self._uids).to_dict()
        given = dict.fromkeys(CLOSING) | {"name": name, "league": league}
        return Season(club_id=self.club.id, **columns | given)

    @property
    def _uids(self) -> dict[str, str]:
        """The players' uids here, by their uids in the file."""
        return {uid: player.uid for uid, player in self.people.ours.items()}

    def _close_seasons(self) -> None:
        ids = {uid: player.id for uid, player in self.people.ours.items()}
        for uid, season in self._new_seasons.items():
            told = self.source.seasons[uid]
            season.closed_at = told.closed_at
            season.frozen = FrozenTable.from_dict(told.frozen).rename(ids).to_dict() if told.frozen else None
            season.reopened = self._reopened(told)
        db.session.flush()

    def _reopened(self, told: SeasonInFile) -> dict[str, Any] | None:
        """Why a season is open again; the game that did it may have another number here."""
        if told.reopened is None:
            return None
        number = told.reopened.get("game")
        return {**told.reopened, "game": self._numbers.get(number) or number}

    # --- games ---

    def _put_in(self, told: GameInFile, found: Found) -> Game:
        game = found.game or self._new_game(told)
        if found.what in (NEW, NEWER):
            season = self.seasons.get(told.season_id or "")
            game.season_id = season.id if season else None
            for name in with_role(GAME, CHANGES):
                setattr(game, name, getattr(told, name))
            ledger.restore(
                game,
                hands=told.hands,
                log=[row(entry) for entry in told.log],
                next_seats=told.next_seats,
                tapped=told.tapped,
            )
            self._tallies.enter(game)
        return game

    def _new_game(self, told: GameInFile) -> Game:
        seated = [self.people.ours[uid] for uid in told.seats]
        made = {name: getattr(told, name) for name in with_role(GAME, FIXED, MADE)}
        made |= {"number": self.number(told.number), "previous_id": self._previous(told)}
        seats = [Seat(number=number, player=player) for number, player in enumerate(seated, 1)]
        return Game(club_id=self.club.id, version=0, seats=seats, **made)

    def _previous(self, told: GameInFile) -> int | None:
        uid, number = self._last
        return number if told.previous_id == uid else self._id_of(told.previous_id)

    def _id_of(self, uid: str | None) -> int | None:
        return db.session.scalar(select(Game.id).where(Game.club_id == self.club.id, Game.uid == uid)) if uid else None

    def _done(self, told: GameInFile, game: Game) -> None:
        """Remember what is needed of a game, and let go of it."""
        if told.previous_id and game.previous_id is None:
            self._later.append((self.source.line, game.id, told.previous_id))
        if told.number in self._numbers:
            self._numbers[told.number] = game.number
        self._last = told.uid, game.id
        db.session.expunge(game)

    def _link_later(self) -> None:
        for line, game_id, uid in self._later:
            previous = self._id_of(uid)
            if previous is None:
                self.source.line = line
                self.source.refuse("x-previous", "there is no such game")
            game = db.session.get_one(Game, game_id)
            game.previous_id = previous
            db.session.flush()


__all__ = [
    "CLASH",
    "KNOWN",
    "NEW",
    "NEWER",
    "LineRefused",
    "Report",
    "import_as_new_club",
    "import_into_club",
    "preview_import",
]

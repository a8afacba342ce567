"""Import of a club file into a club: atomic, nothing is imported if a line is wrong.

The file is read, checked and scored without a transaction, while others can write; then one transaction writes it.
"""

from __future__ import annotations

import copyreg
import pickle
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from types import MappingProxyType, SimpleNamespace
from typing import IO, Any, BinaryIO

from sqlalchemy import bindparam, insert, select, update

from scorekeeper.database.session import db, db_write, in_slices
from scorekeeper.database.zones import is_zone
from scorekeeper.models import (
    Club,
    Game,
    GameCount,
    GameSeason,
    Player,
    Result,
    Season,
    Seat,
    acting_as,
)
from scorekeeper.scoring.problems import Problem, refusal
from scorekeeper.scoring.record import find_table
from scorekeeper.services import club_log, custom_rules
from scorekeeper.services import hands as hand_service
from scorekeeper.stats import archive, ratings, tallies
from scorekeeper.stats.league import League

from .columns import CHANGES, GAME, GAME_COLUMNS, MADE, PLAYER, SEASON, Line, with_role
from .game_reader import GameInFile
from .matching import CLASH, NEW, NEWER, Existing, Match, Matched, Report, rows_of_club
from .reader import ClubFile, LineRefused

TRIES = 3  # attempts, if others change the matched data meanwhile
CHANGED = "The club was changed while the file was read. Nothing was imported. Import the file again."
ASKED_AT_ONCE = 500  # values per statement
SET_PREVIOUS = update(Game).where(Game.id == bindparam("game")).values(previous_id=bindparam("previous"))


def _read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))  # needed for scores


class ClubChanged(Exception):
    """The club's players or seasons, or a game of the file, changed after matching."""


def import_into_club(club: Club, file: BinaryIO, most_hands: int | None = None) -> Report:
    """Import a file into a club, atomically; an empty club takes the file's name.

    Raises LineRefused, and Refused if the file has more than `most_hands` hands. If matched data changes meanwhile, a
    seekable file is read again; otherwise, and after TRIES attempts, raises Refused.
    """
    for _ in range(TRIES if file.seekable() else 1):
        if file.seekable():
            file.seek(0)
        try:
            return Importer(club, ClubFile(file), most_hands).run()
        except ClubChanged:
            db.session.rollback()
    raise refusal("changed", CHANGED)


def import_as_new_club(name: str | None, file: BinaryIO) -> tuple[Club, Report]:
    """Create a club from a file, atomically, with the given name or, if None, the file's."""
    importer = Importer(None, ClubFile(file))
    report = importer.run(name)
    club = db.session.get_one(Club, importer.home)
    ratings.catch_up(club)
    return club, report


class Importer(Match):
    """Imports a file into a club or, without a club, as a new one."""

    def __init__(self, club: Club | None, source: ClubFile, most_hands: int | None = None) -> None:
        super().__init__(club, source, most_hands)
        self.club = club
        self._new: dict[str, int] = {}  # numbers assigned to new games, by uid
        self._newer: list[GameInFile] = []
        self._links: list[tuple[int, str, str]] = []  # line, uid of a game, uid of its previous game
        self._left_out: set[str] = set()  # uids of rejected games, which cannot be previous games
        self._uids = {uid: each.uid for uid, each in self.people.ours.items()}
        self._numbers_now = {s.reopened.get("game"): 0 for s in source.seasons.values() if s.reopened}

    def run(self, name: str | None = None) -> Report:
        """Read the whole file, then write it in one transaction; `name` is the name of a new club."""
        report = self.report
        with TemporaryFile() as spool:  # new games, read and scored: memory use is independent of the file's size
            for batch in self.batches():
                for each in batch:
                    self._sort(each)
                pickle.dump([each.told for each in batch if each.told.uid in self._new], spool)
                db.session.rollback()  # no transaction stays open while the file is read
            self._check_links()
            if not (report.changes_something or self._links):
                return report
            spool.seek(0)
            with acting_as(None), db_write(*([self.club] if self.club else [])) as session:
                club, head = self.club or Club(), self.source.head
                if report.takes_name:
                    club.name, club.created_at = name or head.name, head.created
                    if head.zone and is_zone(head.zone):
                        club.zone = head.zone
                session.add(club)
                session.flush()
                self.home = club.id
                self._check_unchanged()
                self._write(spool)
                if self.club:
                    custom_rules.add_missing(club, head.rules, self._uids)
                    told = {"games": report.games[NEW], "updated": report.games[NEWER]}
                    club_log.add(club, club_log.IMPORT, None, told)
                else:
                    club.own_rules = [own.to_dict() for own in head.rules] or None
                db.session.flush()
                db.session.expire_all()
                new = Season.id.in_([self._seasons[uid] for uid in self.season_names])
                archive.store_missing_pages(db.session.scalars(select(Season).where(new)).all())
        return report

    # --- before the transaction ---

    def _sort(self, each: Matched) -> None:
        told, found = each.told, each.found
        if found.what == CLASH and found.game is None:
            self._left_out.add(told.uid)
            return
        if told.number in self._numbers_now:
            self._numbers_now[told.number] = each.number
        if found.what == NEW:
            self._new[told.uid] = each.number
        elif found.what == NEWER:
            self._newer.append(told)
        if told.previous_id and (found.game is None or found.game.previous_id is None):
            self._links.append((each.line, told.uid, told.previous_id))

    def _check_links(self) -> None:
        """Raise LineRefused unless every previous game is known."""
        self._links = [link for link in self._links if link[2] not in self._left_out]
        known = self._ids({uid for _, _, uid in self._links if uid not in self._new})
        for line, _, uid in self._links:
            if uid not in self._new and uid not in known:
                raise LineRefused(line, [Problem("cannot-be", "x-previous", "there is no such game")])

    def _ids(self, uids: Iterable[str]) -> dict[str, int]:
        """Return ids of the club's games by uid."""
        found: dict[str, int] = {}
        for some in in_slices(sorted(uids), ASKED_AT_ONCE):
            rows = select(Game.uid, Game.id).where(Game.club_id == self.home, Game.uid.in_(some))
            found |= dict(db.session.execute(rows).all())
        return found

    # --- inside the transaction ---

    def _check_unchanged(self) -> None:
        same = (
            rows_of_club(Player, self.home) == self.players_here
            and rows_of_club(Season, self.home) == self.seasons_here
        )
        for some in in_slices(self._new.values(), ASKED_AT_ONCE):
            taken = select(Game.id).where(Game.club_id == self.home, Game.number.in_(some)).limit(1)
            same = same and db.session.scalar(taken) is None
        if not same or self._ids(self._new):
            raise ClubChanged

    def _write(self, spool: IO[bytes]) -> None:
        people, source = self.people, self.source
        self._players = self._add(
            Player, people.ours, {uid: _made(PLAYER, source.players[uid], name) for uid, name in people.new.items()}
        )
        self._seasons = self._add(
            Season, self.seasons, {uid: self._season(uid, name) for uid, name in self.season_names.items()}
        )
        writer = tallies.TallyWriter(self.home or 0, reopens=[season.id for season in self.seasons_here])
        for games in _unpickled(spool):
            if games:
                self._write_games(games, writer)
        for told in self._newer:
            writer.replace(self._update(told))
        ids = self._ids({uid for _, *uids in self._links for uid in uids})
        links = [{"game": ids[uid], "previous": ids[previous]} for _, uid, previous in self._links]
        if links:
            db.session.connection().execute(SET_PREVIOUS, links)
        writer.close(soon=True)

    def _add(
        self, table: type[Player] | type[Season], ours: Mapping[str, Existing], new: Mapping[str, Line]
    ) -> dict[str, int]:
        """Add new players or seasons; return the ids of all of the file's, by its uids."""
        if new:
            db.session.execute(insert(table), [{"club_id": self.home, **row} for row in new.values()])
        here = {each.uid: each.id for each in rows_of_club(table, self.home)}
        return {uid: each.id for uid, each in ours.items()} | {uid: here[uid] for uid in new}

    def _season(self, uid: str, name: str) -> Line:
        told = self.source.seasons[uid]
        league = League.from_dict(told.league).rename(self._uids).to_dict()
        frozen, pages = archive.renamed(told.frozen, told.pages, lambda player, *_: self._players.get(player))
        reopened = told.reopened
        if reopened:  # the game that reopened it may have another number here
            number = reopened.get("game")
            reopened = {**reopened, "game": self._numbers_now.get(number) or number}
        kept = {"league": league, "frozen": frozen, "pages": pages, "reopened": reopened}
        return _made(SEASON, told, name) | kept

    def _counts_in(self, told: GameInFile) -> list[int]:
        return [self._seasons[uid] for uid in (told.season_id, *told.also) if uid is not None]

    def _update(self, told: GameInFile) -> Game:
        """Update a game of the club from the file. Raises ClubChanged."""
        (found,) = self.compared([told])
        if found.what != NEWER or found.game is None:
            raise ClubChanged
        game = db.session.get_one(Game, found.game.id)
        game.seasons = [db.session.get_one(Season, number) for number in self._counts_in(told)]
        for name in with_role(GAME, CHANGES):
            setattr(game, name, getattr(told, name))
        hand_service.restore(game, told.rows, told.next_seats)
        return game

    # --- rows of the new games, and their statistics ---

    def _write_games(self, games: Sequence[GameInFile], writer: tallies.TallyWriter) -> None:
        in_kept: list[tuple[int, int]] = []  # id and number of those that count in a season kept here
        rows: dict[Any, list[Line]] = defaultdict(list)
        connection = db.session.connection()
        counts_in = [self._counts_in(told) for told in games]
        connection.execute(insert(Game), list(map(self._row, games, counts_in)))
        ids = self._ids(told.uid for told in games)
        for told, seasons in zip(games, counts_in, strict=True):
            game_id = ids[told.uid]
            entered: dict[Any, list[Line]] = {
                Seat: [{"number": n, "player_id": self._players[uid]} for n, uid in enumerate(told.seats, 1)],
                GameSeason: [{"season_id": one} for one in sorted(seasons[1:])],
                **told.rows,
            }
            for table, parts in entered.items():
                rows[table] += [{"game_id": game_id, **part} for part in parts]
            number = self._new[told.uid]
            whole, results = writer.count(self._countable(told, game_id, seasons))
            rows[GameCount] += whole
            rows[Result] += map(vars, results)
            if whole:
                writer.rate_since(tallies.Place(told.played, number), {result.player_id for result in results})
                in_kept += [] if writer.watched.isdisjoint(seasons) else [(game_id, number)]
        for table, parts in rows.items():
            if parts:
                connection.execute(insert(table), parts)
        for game_id, number in in_kept:
            writer.reopen_by(game_id, number)

    def _row(self, told: GameInFile, seasons: Sequence[int]) -> Line:
        game = {name: getattr(told, name) for name in GAME_COLUMNS}
        game |= {"club_id": self.home, "number": self._new[told.uid], "season_id": seasons[0] if seasons else None}
        return game | {"version": len(told.log), "next_seats": dict(told.next_seats)}

    def _countable(self, told: GameInFile, game_id: int, seasons: Sequence[int]) -> Any:
        """Return a game as its row here, to be counted."""
        here: dict[str, Any] = {"id": game_id, "club_id": self.home, "number": self._new[told.uid]}
        here |= {"names": [self.people.called[uid] for uid in told.seats], "facts": [slot.facts for slot in told.hands]}
        here |= {"season_ids": seasons or (None,), "table": find_table(told.rules, told.players, told.teams)}
        return SimpleNamespace(**vars(told) | here)


def _made(columns: Any, row: Any, name: str) -> Line:
    """Return the columns with which a row of the file is created here."""
    return {column: getattr(row, column) for column in with_role(columns, MADE)} | {"name": name}


def _unpickled(spool: IO[bytes]) -> Iterator[list[GameInFile]]:
    with suppress(EOFError):
        while True:
            yield pickle.load(spool)  # noqa: S301 (written by this process)

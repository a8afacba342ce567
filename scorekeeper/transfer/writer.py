"""Writes a club's file: slices of it into a club that nobody sees, and then all of it at once into the club."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import insert, select, update

from scorekeeper.database.session import db, db_write
from scorekeeper.database.zones import is_zone
from scorekeeper.models import Club, Game, Player, Season
from scorekeeper.services import club_log
from scorekeeper.services import custom_rules as our_rules
from scorekeeper.services import hands as ledger
from scorekeeper.stats import kept_pages, ratings, tallies
from scorekeeper.stats.credit import FINISHED
from scorekeeper.stats.frozen import FrozenTable
from scorekeeper.stats.league import League
from scorekeeper.stats.schemes import Scheme
from scorekeeper.transfer import moving, staging
from scorekeeper.transfer.columns import CHANGES, GAME, MADE, PLAYER, SEASON, with_role
from scorekeeper.transfer.game_reader import GameInFile
from scorekeeper.transfer.matching import CLASH, NEW, NEWER, Games, all_here, as_here
from scorekeeper.transfer.preview import Match, Matched, Progress, Report
from scorekeeper.transfer.reader import ClubFile, SeasonInFile
from scorekeeper.transfer.replay import row
from scorekeeper.transfer.rows import GameRows, write_rows

CLOSING = ("closed_at", "frozen", "pages", "reopened")  # of a season, set when its games are in
PIECE = 400  # results that are rated in one transaction
DONE = object()


class ClubChanged(Exception):
    """Somebody has changed what was matched: the players, the seasons, or a game of the file."""


class Writer(Match):
    """Writes a file into a club, or, where there is none, as a new one that may be given a name."""

    def __init__(
        self, club: Club | None, source: ClubFile, progress: Progress | None = None, name: str | None = None
    ) -> None:
        super().__init__(club, source, progress)
        self.club, self.name = club, name or self.name
        self.staged = 0
        self._game_ids: dict[str, int] = {}  # of the games that are written, by uid
        self._links: list[tuple[int, int, str]] = []  # games and the ones before: line, id, the other's uid
        self._newer: list[Matched] = []
        self._left_out: set[str] = set()  # games that are not wanted here, by uid: no game follows them
        self._numbers_now = {s.reopened.get("game"): 0 for s in source.seasons.values() if s.reopened}

    def write(self) -> Report:
        report = self.report()
        with db_write():
            self._begin()
        try:
            for batch in self.batches():
                self._stage(batch, report)
            links = self._link()
            self._rate()
            if report.changes_something or links:
                self._finish(links, report)
            else:
                staging.drop(self.staged)
        except BaseException:
            db.session.rollback()
            staging.try_to_drop(self.staged)
            raise
        return report

    # --- the club that nobody sees ---

    def _begin(self) -> None:
        """Make it, with all players and seasons of the file: nothing in it refers to rows of the other club."""
        self.staged = staging.begin(self.name)
        source, people = self.source, self.people
        told = [uid for uid in source.players if uid not in people.stand_in]
        called = {uid: people.ours[uid].name if uid in people.ours else people.new[uid] for uid in told}
        self._add(Player, {uid: _made(PLAYER, source.players[uid], name) for uid, name in called.items()})
        seasons = {uid: each.name for uid, each in self.seasons.items()} | self.season_names
        self._add(Season, {uid: self._season(uid, seasons[uid]) for uid in source.seasons})
        self._players = {each.uid: each.id for each in all_here(Player, self.staged)}
        self._seasons = {each.uid: each.id for each in all_here(Season, self.staged)}
        self._rows = GameRows(
            self.staged, self._players, {uid: each.id for uid, each in people.ours.items()}, called, self._credits()
        )

    def _add(self, table: type[Player] | type[Season], rows: Mapping[str, dict[str, Any]]) -> None:
        if rows:
            db.session.execute(insert(table), [{"club_id": self.staged, **row} for row in rows.values()])

    def _season(self, uid: str, name: str) -> dict[str, Any]:
        told = self.source.seasons[uid]
        uids = {uid: each.uid for uid, each in self.people.ours.items()}
        league = League.from_dict(told.league).rename(uids).to_dict()
        return _made(SEASON, told, name) | dict.fromkeys(CLOSING) | {"league": league}

    def _credits(self) -> dict[int | None, str]:
        """Whom the games of each season count for: as it is here, where the club has the season."""
        ids = {each.id: uid for uid, each in self.seasons.items()}
        here = db.session.execute(select(Season.id, Season.settings).where(Season.id.in_(ids)))
        settings = {uid: season.settings for uid, season in self.source.seasons.items()}
        settings |= {ids[number]: kept for number, kept in here}
        rules = {self._seasons[uid]: Scheme.from_dict(told).credit for uid, told in settings.items()}
        return {None: FINISHED} | rules

    def _stage(self, batch: Sequence[Matched], report: Report) -> None:
        new = []
        for each in batch:
            told, found = each.told, each.found
            report.add(told, found)
            if found.what == CLASH and found.game is None:
                self._left_out.add(told.uid)
                continue
            number = found.game.number if found.game else self.number(told.number)
            report.renumbered += number != told.number and not found.game
            if told.number in self._numbers_now:
                self._numbers_now[told.number] = number
            if found.what == NEW:
                new.append((each, self._rows.of(told, number, self._counts_in(told))))
            elif found.what == NEWER:
                self._newer.append(each)
            if found.game and told.previous_id and found.game.previous_id is None:
                self._links.append((each.line, found.game.id, told.previous_id))
        db.session.rollback()  # a reader that waits would keep the log of the database from being cleared
        if new:
            with db_write():
                staging.go_on(self.staged)
                self._game_ids |= write_rows(self._rows, [rows for _, rows in new])
                self._link_some([each for each, _ in new])

    # --- games and the ones before them ---

    def _link_some(self, written: Sequence[Matched]) -> None:
        """Say which game came before, where that is written already; the others are for `_link`."""
        known = []
        for each in written:
            told, number = each.told, self._game_ids[each.told.uid]
            if told.previous_id in self._game_ids:
                known.append((number, self._game_ids[told.previous_id]))
            elif told.previous_id and told.previous_id not in self._left_out:
                self._links.append((each.line, number, told.previous_id))
        moving.link(known)

    def _link(self) -> list[tuple[int, int]]:
        """Link the other games; those of which one is the club's are only found, as ids. Raises LineRefused."""
        found = self._ids_here({uid for _, _, uid in self._links if uid not in self._game_ids})
        written: list[tuple[int, int]] = []
        here: list[tuple[int, int]] = []
        ours = set(self._game_ids.values())
        for line, number, uid in self._links:
            if uid in self._left_out:
                continue
            previous = self._game_ids.get(uid) or found.get(uid)
            if previous is None:
                self.source.line = line
                self.source.refuse("x-previous", "there is no such game")
            else:
                (written if {number, previous} <= ours else here).append((number, previous))
        if written:
            with db_write():
                staging.go_on(self.staged)
                moving.link(written)
        return here

    def _ids_here(self, uids: Iterable[str]) -> dict[str, int]:
        wanted = sorted(uids)
        found: dict[str, int] = {}
        for first in range(0, len(wanted), 500):
            some = wanted[first : first + 500]
            rows = select(Game.uid, Game.id).where(Game.club_id == self.home, Game.uid.in_(some))
            found |= dict(db.session.execute(rows).all())
        return found

    # --- ratings ---

    @property
    def _stands_alone(self) -> bool:
        """Whether nobody of the file has played here before: its ratings don't depend on any game here."""
        return not self.people.ours

    def _rate(self) -> None:
        pieces = ratings.rate_in_pieces(self.staged, tallies.FIRST, set(), PIECE)
        more = self._stands_alone and bool(self._rows.totals.added)
        while more:
            with db_write():
                staging.go_on(self.staged)
                more = next(pieces, DONE) is not DONE

    # --- all of it at once ---

    def _finish(self, links: Sequence[tuple[int, int]], report: Report) -> None:
        with db_write(*([self.club] if self.club else [])):
            staging.go_on(self.staged)
            if self.club is None:
                tallies.add_up(self._rows.totals)
                rules = [own.to_dict() for own in self.source.head.rules] or None
                moving.show(self.staged, **self._about() | {"name": self.name, "own_rules": rules})
            else:
                self._check_unchanged()
                self._move_in(self.club)
                told = {"games": report.games[NEW], "updated": report.games[NEWER]}
                club_log.add(self.club.id, club_log.IMPORT, "", None, told)
            moving.link(links)
            self._close_seasons()
            tallies.mark_changed(self.home or self.staged)

    def _check_unchanged(self) -> None:
        same = all_here(Player, self.home) == self.players_here and all_here(Season, self.home) == self.seasons_here
        if not same or moving.meet(self.staged, self.home):
            raise ClubChanged

    def _move_in(self, club: Club) -> None:
        known = self.people.ours.items()
        players = {self._players[uid]: each.id for uid, each in known if uid in self._players}
        seasons = {self._seasons[uid]: each.id for uid, each in self.seasons.items()}
        groups = moving.move(self.staged, club.id, players, seasons)
        rows = self._rows
        tallies.reopen({seasons[season]: rows.numbers[season] for season in rows.numbers if season in seasons})
        writer = tallies.TallyWriter(club.id, totals=rows.totals.moved(groups))
        if rows.since and not self._stands_alone:
            writer.rate_since(rows.since, rows.rated)
        for each in self._newer:
            writer.enter(self._update(each))
        writer.close(soon=True)
        if self.takes_name:
            for name, value in self._about().items():
                setattr(club, name, value)
        our_rules.add_missing(club, self.source.head.rules, {uid: each.uid for uid, each in known})

    def _about(self) -> dict[str, Any]:
        """What a club takes over from the file that it is made of."""
        head = self.source.head
        zone = {"zone": head.zone} if is_zone(head.zone or "") else {}
        return {"name": head.name, "created_at": head.created, **zone}

    def _update(self, each: Matched) -> Game:
        """Bring a game of the club up to date with the file."""
        told = as_here(self.source.read_again(each.line, each.text), self.people)
        found = Games(self.home, [told.uid]).match(told, self.people, self.seasons)
        if found.what != NEWER or found.game is None:
            raise ClubChanged
        game = db.session.get_one(Game, found.game.id)
        game.season_id = self._season_id(told.season_id)
        game.also = [db.session.get_one(Season, self._season_id(uid)) for uid in told.also]
        for name in with_role(GAME, CHANGES):
            setattr(game, name, getattr(told, name))
        log = [row(entry) for entry in told.log]
        ledger.restore(game, hands=told.hands, log=log, next_seats=told.next_seats, tapped=told.tapped)
        return game

    def _counts_in(self, told: GameInFile) -> list[int]:
        return [self._seasons[uid] for uid in (told.season_id, *told.also) if uid is not None]

    def _season_id(self, uid: str | None) -> int | None:
        if uid is None:
            return None
        return self.seasons[uid].id if uid in self.seasons else self._seasons[uid]

    def _close_seasons(self) -> None:
        """The new seasons are closed when their games are in."""
        ids = {uid: self._players[uid] for uid in self._players} | {u: each.id for u, each in self.people.ours.items()}
        for uid in self.season_names:
            told = self.source.seasons[uid]
            frozen = FrozenTable.from_dict(told.frozen).rename(ids).to_dict() if told.frozen else None
            pages = kept_pages.rename(told.pages, ids.get) if told.pages else None
            values = {"closed_at": told.closed_at, "frozen": frozen, "pages": pages, "reopened": self._reopened(told)}
            db.session.execute(update(Season).where(Season.id == self._seasons[uid]).values(values))
        new = [self._seasons[uid] for uid in self.season_names]
        kept_pages.keep_missing(db.session.scalars(select(Season).where(Season.id.in_(new))))

    def _reopened(self, told: SeasonInFile) -> dict[str, Any] | None:
        """Why a season is open again; the game that did it may have another number here."""
        if told.reopened is None:
            return None
        number = told.reopened.get("game")
        return {**told.reopened, "game": self._numbers_now.get(number) or number}


def _made(columns: Any, told: Any, name: str) -> dict[str, Any]:
    """What a row of the file is made with here."""
    return {column: getattr(told, column) for column in with_role(columns, MADE)} | {"name": name}

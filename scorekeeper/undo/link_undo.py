"""All that was done by a link taken back: entries of the club's log, hands, games that it started, players it added."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime

from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Change, Club, ClubChange, Game, Link
from scorekeeper.services import club_log, seasons
from scorekeeper.undo import deletion
from scorekeeper.undo.club_undo import BulkUndo, BulkUndoResult

IMPORTED = "Its games are taken back. Seasons and rules that came with it stay"


class _DryRun(Exception):
    """Rolls back a dry run."""


def undo_link(
    club: Club, link: Link, since: datetime | None = None, by: str | None = None, *, dry_run: bool = False
) -> BulkUndoResult:
    """Take back all that was done by a link, of the club or of a game of it, since a moment.

    What somebody else has changed again since stays. With `dry_run` it is found out in the same way, and rolled back.
    """
    with suppress(_DryRun), db_write(club):
        bulk = _LinkUndo(club, link, since or datetime.min.replace(tzinfo=UTC), by)
        bulk.run()
        if dry_run:
            raise _DryRun
        if bulk.result.number:
            bulk.write_entry(link.uid, {"label": link.label, "since": since and since.isoformat()})
    return bulk.result


class _LinkUndo(BulkUndo):
    """Takes back what was done by a link since a moment."""

    def __init__(self, club: Club, link: Link, since: datetime, by: str | None) -> None:
        super().__init__(club, by)
        self.link, self.since = link, since

    def run(self) -> None:
        closed, players = self._closed_before(), self._players()
        started = {game.uid for game in self._started()}
        mine = select(ClubChange).where(ClubChange.club_id == self.club.id, ClubChange.link_id == self.link.id)
        entries = db.session.scalars(mine.where(ClubChange.at >= self.since)).all()
        imports = {entry.seq for entry in entries if entry.kind == club_log.IMPORT}
        used = {one.seq for one in entries if one.kind == club_log.LINK and (one.after or {})["event"] == "used"}
        seqs = {one.seq for one in entries if one.subject not in started} - used - imports
        stay = self.entries(seqs)
        self.hands(self._hands_but(started))
        for game in self._started():
            number = game.number
            if why := self.attempt(deletion.delete_game, game, self.by):
                self.result.stays.append((None, why))
            else:
                self.result.games.append(number)
        for game in self._started(others=True):
            why = f"Others have entered hands in game {game.number}. Delete it from its page"
            self.result.stays.append((None, why))
        stay = self.entries(stay.keys()) if stay else stay  # hands and games may have been in the way
        self._close_again(closed)
        gone = players - self._players()
        for player in [player for player in self.club.players if player.uid in gone]:
            name = player.name
            if self.attempt(deletion.delete_player, player, self.by):
                why = f"{name} is still named in the history of a game. Retire {name} to hide the name"
                self.result.stays.append((None, why))
            else:
                self.result.players.append(name)
        self.stays(stay | dict.fromkeys(imports, IMPORTED))

    def _hands_but(self, games: Collection[str]) -> dict[str, set[int]]:
        mine = select(Game.uid, Change.seq).join(Game, Change.game_id == Game.id)
        mine = mine.where(Game.club_id == self.club.id, Change.link_id == self.link.id, Change.at >= self.since)
        found: dict[str, set[int]] = {}
        for uid, seq in db.session.execute(mine.order_by(Game.number, Change.seq)):
            if uid not in games:
                found.setdefault(uid, set()).add(seq)
        return found

    def _started(self, *, others: bool = False) -> list[Game]:
        """The games that it started, and in which nobody else has entered hands; or, of `others`, somebody has."""
        mine = Game.club_id == self.club.id, Game.link_id == self.link.id, Game.created_at >= self.since
        by_others = Game.changes.any(Change.link_id.is_distinct_from(self.link.id))
        found = select(Game).where(*mine, by_others if others else ~by_others).order_by(Game.number.desc())
        return list(db.session.scalars(found))

    def _players(self) -> set[str]:
        """The players whom it added and who have a seat or are a substitute in some hand."""
        return {player.uid for player in self.club.players if player.link_id == self.link.id and deletion.plays(player)}

    def _closed_before(self) -> dict[str, str]:
        """When the seasons were closed that a game has opened again since."""
        found: dict[str, str] = {}
        for season in self.club.seasons:
            by_game = (season.reopened or {}).get("game") if season.closed_at is None else None
            if by_game and datetime.fromisoformat((season.reopened or {})["at"]) >= self.since:
                mine = ClubChange.club_id == self.club.id, ClubChange.kind == club_log.CLOSE
                last = select(ClubChange).where(*mine, ClubChange.subject == season.uid).order_by(ClubChange.seq.desc())
                entry = db.session.scalar(last.limit(1))
                closed = (entry.after or {})["closed"] if entry else None
                found |= {season.uid: closed} if closed else {}
        return found

    def _close_again(self, closed: Mapping[str, str]) -> None:
        """Close seasons again that games had opened, where they come to what is kept of them."""
        db.session.expire_all()
        for season in self.club.seasons:
            if season.uid in closed and season.closed_at is None and seasons.is_as_kept(season):
                seasons.set_closed(season, datetime.fromisoformat(closed[season.uid]), self.by)

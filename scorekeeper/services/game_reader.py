"""Read a game for its pages and services/hands.py: table, players, hands and drafts.

This runs on every tap and save and must be fast: one query, built once. Only the replayed score is cached
(replay_cache.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Row, Text, bindparam, cast, func, select, type_coerce

from scorekeeper.database.reading import Reading
from scorekeeper.database.session import PackedText, as_json, db, now, to_json
from scorekeeper.database.zones import today_in
from scorekeeper.live import state as live
from scorekeeper.live.state import GameState, Scorer
from scorekeeper.models import (
    ABANDONED,
    BEGUN_LAST,
    LATEST_FIRST,
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
    paper_score,
    seated,
    seated_by_hand,
)
from scorekeeper.replay_cache import GameText, Replayed, replayed
from scorekeeper.scoring.facts import Hand as Dealt
from scorekeeper.scoring.game import GameScore, replay
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.table import Table

from . import links
from .change_log import Slot, State
from .drafts import Fields

# Columns of Game that Snapshot has under the same names.
OWN_COLUMNS = (
    *("id", "number", "played", "version", "first_dealer", "state", "left_out"),
    *("detail", "auction", "next_seats", "paper"),
)
_about = (*(getattr(Game, name) for name in OWN_COLUMNS), Game.season_id)
_rules = type_coerce(Game.rules, PackedText).label("rules")
_table = (_rules, Game.players, Game.teams, cast(Game.start, Text).label("start"))


def _rows_of_game(name: str, *columns: Any, of: Any, position: Any, joined: Any = None) -> ColumnElement[str]:
    """Return all rows of the game in another table as a JSON list of lists, each beginning with its position."""
    rows = select(as_json(position, *columns)).select_from(of).where(of.game_id == Game.id)
    return (rows if joined is None else rows.join(joined)).scalar_subquery().label(name)


GAMES = select(
    Game.club_id,
    Club.key,
    Club.name,
    Club.zone,
    Club.history_version,
    Club.stats_version.label("stats_version"),  # the columns of ClubName, in its order, end here
    *_about,
    *_table,
    _rows_of_game("seats", Player.id, Player.name, of=Seat, position=Seat.number, joined=Player),
    _rows_of_game("hands", cast(Hand.facts, Text), Hand.version, of=Hand, position=Hand.position),
    _rows_of_game("tapped", cast(HandDraft.fields, Text), of=HandDraft, position=HandDraft.position),
    _rows_of_game("also", of=GameSeason, position=GameSeason.season_id),
).join(Club)
_this_one = Club.key == bindparam("key"), Game.number == bindparam("number")
OF_ID = GAMES.where(Game.id == bindparam("game"))
_held = links.HELD.label("held")
GAME = Reading(GAMES.add_columns(_held, live.ENTERING_NOW).where(*_this_one))
PAGE = Reading(GAMES.add_columns(_held, *live.COLUMNS).where(*_this_one))
_season = Season.starts, Season.id, Season.name, Season.closed_at.is_not(None), cast(Season.settings, Text)
_seasons = select(as_json(*_season)).where(Season.club_id == Game.club_id)
_club = Game.club_id == bindparam("club")
_listed = select(Game.id).where(_club).order_by(*LATEST_FIRST).limit(bindparam("most"))
_begun = select(Game.id).where(_club, Game.paper.is_(None)).order_by(*BEGUN_LAST).limit(bindparam("most"))
_count = select(func.count(Game.id)).where(_club).scalar_subquery().label("of")
LISTED = GAMES.where(_club).order_by(*LATEST_FIRST).offset(bindparam("skipped")).limit(bindparam("most"))
LATEST = GAMES.add_columns(Game.created_at, _count).where(Game.id.in_(_listed) | Game.id.in_(_begun))
_of_sheet = (
    _rows_of_game("log", Change.kind, Change.position, Change.by, of=Change, position=Change.seq),
    _seasons.scalar_subquery().label("seasons"),
)
SHEET = Reading(GAMES.add_columns(_held, *live.COLUMNS, *_of_sheet).where(*_this_one))


class ClubName(NamedTuple):
    """The columns of a club that its URLs and a game's pages need."""

    id: int
    key: str
    name: str
    zone: str
    history_version: int
    stats_version: int

    @property
    def today(self) -> date:
        """Return the current date in the club's time zone."""
        return today_in(self.zone, now())


class StoredHand(NamedTuple):
    """A hand of a game; `version` is the game's version that changed it last."""

    position: int
    facts: Facts
    version: int


class LogEntry(NamedTuple):
    """An entry of a game's log without its facts."""

    seq: int
    kind: str
    position: int
    by: str | None


class SeasonName(NamedTuple):
    """A season that a game can be in."""

    id: int
    name: str
    is_closed: bool
    settings: str  # JSON


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """An immutable snapshot of a game.

    `players` are the names of those who began it, by player id in the order of the seats; `names` are the same as a
    list. `next_seats` are the substitutes for its next hand, `tapped` the drafts by position. `season_ids` begin with
    the primary season's, or None. `entering` are the people entering a hand. `live` is the state that open pages poll;
    None if not read for a page. `text` is everything read for a page except the browser's links, used as a cache key;
    "" if not read for a page.
    """

    club: ClubName
    id: int
    number: int
    played: date
    version: int
    first_dealer: int
    state: str
    left_out: bool
    detail: str  # how the table enters hands: `Draft.detail`
    auction: bool  # whether bids are entered bid by bid: `Draft.by_seat`
    paper: Mapping[str, Any] | None
    replayed: Replayed
    length: int  # number of hands
    versions: Sequence[int]
    players: Mapping[int, str]
    next_seats: Mapping[str, str]
    tapped: Mapping[int, Fields]
    season_ids: Sequence[int | None]
    held: tuple[links.HeldLink, ...] = ()  # of the requesting browser, if read for a request
    entering: tuple[Scorer, ...] = ()
    live: GameState | None = None
    text: str = ""

    @property
    def club_id(self) -> int:
        return self.club.id

    @property
    def table(self) -> Table:
        return self.replayed.played.table

    @property
    def start(self) -> Mapping[str, int] | None:
        """Scores carried over."""
        return self.replayed.played.start

    @property
    def facts(self) -> Sequence[Facts]:
        """The facts of the hands, as entered."""
        return self.replayed.facts

    @property
    def names(self) -> Sequence[str]:
        return list(self.players.values())

    @property
    def score(self) -> GameScore:
        return self.replayed.score if self.paper is None else paper_score(self.paper)

    @property
    def scores(self) -> tuple[HandScore, ...]:
        """The scored hands, including those after the end, up to the first that cannot be scored."""
        return self.replayed.scores

    @property
    def takes_hands(self) -> bool:
        """True while a hand can be added."""
        return not (self.paper or self.state == ABANDONED) and self.score.outcome is None

    @property
    def names_by_hand(self) -> list[list[str]]:
        """Player names by seat for each hand, followed by one entry for the next hand."""
        *played, after = seated_by_hand(self.names, self.facts)
        return [*played, seated(after, [{"names": self.next_seats}])]

    def hand(self, position: int) -> StoredHand | None:
        """Return the hand at `position`; None if there is none."""
        if not 1 <= position <= self.length:
            return None
        # A copy, because the facts are cached for other requests.
        return StoredHand(position, deepcopy(self.facts[position - 1]), self.versions[position - 1])

    def dealer_after(self, hands: int) -> int:
        """Return the dealer's seat after the first `hands` hands."""
        if hands == self.length:
            return self.score.next_dealer or self.first_dealer
        return self._with(self.replayed.played.hands[:hands], hands).next_dealer or self.first_dealer

    def totals_after(self, hands: int) -> Mapping[str, int]:
        """Return the scores after the first `hands` hands, or after the last of them that can be scored."""
        played = self.replayed.played
        scored = self.scores[:hands]
        return scored[-1].totals if scored else {**played.table.at_zero, **(played.start or {})}

    def names_at(self, position: int) -> list[str]:
        """Return player names by seat for the hand at `position`."""
        facts = self.facts[:position]
        return seated(self.names, facts if position <= self.length else [*facts, {"names": self.next_seats}])

    def with_hand(self, position: int, hand: Dealt) -> GameScore:
        """Return the game's score with `hand` at `position`."""
        hands = self.replayed.played.hands
        return self._with((*hands[: position - 1], hand, *hands[position:]), position - 1)

    @property
    def log_state(self) -> State:
        """The hands and substitutes as the end state of the game's log."""
        versions = self.versions if self.version else range(1, self.length + 1)
        return State(tuple(map(Slot, self.facts, versions)), self.next_seats)

    def changed(self, state: State, version: int) -> Snapshot:
        """Return the game with other hands and substitutes; raises Refused if a hand that counts cannot be scored."""
        text = self.replayed.text
        known = {id(facts): words for facts, words in zip(self.facts, text.hands, strict=True)}
        hands = tuple([known.get(id(facts)) or to_json(facts) for facts, _ in state.hands])
        return replace(
            self,
            replayed=replayed(text._replace(hands=hands)),
            version=version,
            length=len(hands),
            versions=[slot.version for slot in state.hands],
            next_seats=state.pending,
        )

    def _with(self, hands: tuple[Dealt, ...], known: int) -> GameScore:
        """Return the game's score with these hands; the first `known` of them are its own and need not be scored."""
        return replay(self.replayed.played._replace(hands=hands), self.scores[:known])


class Latest(NamedTuple):
    """A club's latest games: `listed` by day played, `begun` by start time without those from paper, `of` all games."""

    listed: Sequence[Snapshot]
    begun: Sequence[Snapshot]
    of: int


@dataclass(frozen=True, kw_only=True)
class SheetSnapshot(Snapshot):
    """A game with what its score sheet needs in addition: the log, and the club's seasons, latest first."""

    log: Sequence[LogEntry]
    seasons: Sequence[SeasonName]

    @property
    def season(self) -> SeasonName | None:
        """The primary season of the game."""
        return next((season for season in self.seasons if season.id == self.season_ids[0]), None)

    @property
    def counts_in(self) -> list[SeasonName]:
        """All seasons that the game counts in, the primary one first."""
        return sorted(
            (season for season in self.seasons if season.id in self.season_ids), key=lambda one: one != self.season
        )


AnySnapshot = TypeVar("AnySnapshot", bound=Snapshot)


def snapshot_of(game_id: int) -> Snapshot:
    """Read a game by its id."""
    return _read(Snapshot, db.session.connection().execute(OF_ID, {"game": game_id}).one())


def read_snapshot(key: str, number: int, uids: Sequence[str] = ()) -> Snapshot | None:
    """Read game `number` of the club with that key, and the browser's links with these uids; None if there is none."""
    row = _row(GAME, key, number, uids)
    return (
        None if row is None else _read(Snapshot, row, entering=live.read_entering(row), held=links.read_held(row.held))
    )


def read_page(key: str, number: int, uids: Sequence[str] = ()) -> Snapshot | None:
    """Like `read_snapshot`, for a page that stays open while others score: includes `live` and `text`."""
    row = _row(PAGE, key, number, uids)
    return None if row is None else _read(Snapshot, row, **_alive(row))


def _row(query: Reading, key: str, number: int, uids: Sequence[str]) -> Row[Any] | None:
    return query.ask(key=key, number=number, **links.held_parameters(uids), **live.entering_parameters()).one_or_none()


def read_sheet(key: str, number: int, uids: Sequence[str] = ()) -> SheetSnapshot | None:
    """Read a game with what its score sheet needs; None if there is none."""
    row = _row(SHEET, key, number, uids)
    if row is None:
        return None
    seasons = [SeasonName(*season) for _, *season in reversed(_in_order(row.seasons))]
    log = [LogEntry(*entry) for entry in _in_order(row.log)]
    return _read(SheetSnapshot, row, **_alive(row), log=log, seasons=seasons)


def read_latest(club_id: int, most: int) -> Latest:
    """Read up to `most` games in each of the two orders, the latest first."""
    rows = db.session.connection().execute(LATEST, {"club": club_id, "most": most}).all()
    read = {row.id: _read(Snapshot, row) for row in rows}
    listed = sorted(rows, key=lambda row: (row.played, row.number), reverse=True)[:most]
    begun = sorted(rows, key=lambda row: (row.created_at, row.number), reverse=True)
    begun = [row for row in begun if row.paper is None][:most]
    return Latest([read[row.id] for row in listed], [read[row.id] for row in begun], rows[0].of if rows else 0)


def read_games(club_id: int, skipped: int, most: int) -> list[Snapshot]:
    """Read up to `most` games of a club in list order, skipping the first `skipped`."""
    asked = {"club": club_id, "skipped": skipped, "most": most}
    return [_read(Snapshot, row) for row in db.session.connection().execute(LISTED, asked)]


# The key of a cached page has the links by itself, and a game's page does not depend on other games.
NOT_SHOWN = {"held", "stats_version"}


def _alive(row: Row[Any]) -> dict[str, object]:
    state = live.read_state(row)
    text = repr([value for name, value in row._mapping.items() if name not in NOT_SHOWN])
    return {"entering": state.entering, "live": state, "text": text, "held": links.read_held(row.held)}


def _read(kind: type[AnySnapshot], row: Row[*tuple[Any, ...]], **more: Any) -> AnySnapshot:
    hands = _in_order(row.hands)
    text = GameText(row.rules, row.players, row.teams, row.start, tuple([facts for _, facts, _ in hands]))
    return kind(
        club=ClubName(*row[: len(ClubName._fields)]),
        **{name: row._mapping[name] for name in OWN_COLUMNS},
        replayed=replayed(text),
        length=len(hands),
        versions=[version for *_, version in hands],
        players={player: name for _, player, name in _in_order(row.seats)},
        tapped={position: json.loads(fields) for position, fields in _in_order(row.tapped)},
        season_ids=[row.season_id, *(season for (season,) in _in_order(row.also))],
        **more,
    )


def _in_order(rows: str | None) -> list[Any]:
    """Parse the result of `_rows_of_game`, sorted by position."""
    return sorted(json.loads(rows)) if rows else []

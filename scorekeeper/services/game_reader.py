"""A game as its pages and services/hands.py need it: its table, its players, its hands, and what is tapped of them.

It is read again with every tap and every save, in one query that is built once: both have to be quick. What follows
from rules and hands is kept, and nothing else (replay_cache.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Row, Text, bindparam, cast, func, select, type_coerce

from scorekeeper.database.packed import PackedText
from scorekeeper.database.reading import Reading
from scorekeeper.database.session import as_json, db, now, to_json
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

# The columns of a game that its snapshot has under the same names.
OWN = (
    *("id", "number", "played", "version", "first_dealer", "state", "left_out"),
    *("detail", "auction", "next_seats", "paper"),
)
_about = (*(getattr(Game, name) for name in OWN), Game.season_id)
_rules = type_coerce(Game.rules, PackedText).label("rules")
_table = (_rules, Game.players, Game.teams, cast(Game.start, Text).label("start"))


def _of_game(name: str, *columns: Any, of: Any, position: Any, joined: Any = None) -> ColumnElement[str]:
    """All rows that belong to the game, as one value: a JSON list of lists, each led by its position."""
    rows = select(as_json(position, *columns)).select_from(of).where(of.game_id == Game.id)
    return (rows if joined is None else rows.join(joined)).scalar_subquery().label(name)


GAMES = select(
    Game.club_id,
    Club.key,
    Club.name,
    Club.zone,
    Club.history_version,
    Club.stats_version.label("stats_version"),  # so far ClubName has them, in this order
    *_about,
    *_table,
    _of_game("seats", Player.id, Player.name, of=Seat, position=Seat.number, joined=Player),
    _of_game("hands", cast(Hand.facts, Text), Hand.version, of=Hand, position=Hand.position),
    _of_game("tapped", cast(HandDraft.fields, Text), of=HandDraft, position=HandDraft.position),
    _of_game("also", of=GameSeason, position=GameSeason.season_id),
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
    Game.options,
    _of_game("log", Change.kind, Change.position, Change.by, of=Change, position=Change.seq),
    _seasons.scalar_subquery().label("seasons"),
)
SHEET = Reading(GAMES.add_columns(_held, *live.COLUMNS, *_of_sheet).where(*_this_one))


class ClubName(NamedTuple):
    """The people who play, as far as their addresses need them, and a game's story."""

    id: int
    key: str
    name: str
    zone: str
    history_version: int
    stats_version: int

    @property
    def today(self) -> date:
        """Which day it is where the club plays."""
        return today_in(self.zone, now())


class Written(NamedTuple):
    """A hand that counts now; `version` is the game's version that changed it last."""

    position: int
    facts: Facts
    version: int


class Logged(NamedTuple):
    """An entry of a game's log, without the hand that it is about; `seq` counts them."""

    seq: int
    kind: str
    position: int
    by: str | None


class SeasonName(NamedTuple):
    """A season as a game can belong to it."""

    id: int
    name: str
    is_closed: bool
    settings: str  # as JSON


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A game as it was when it was read; `players` are those who began it, `names` theirs, one a seat.

    `next_seats` are the substitutes for its next hand, `tapped` is what is kept of hands not saved, by position.
    `season_ids` begin with that of its first season, None where it has none. `entering` is who is entering a hand.
    `live` is the state that open pages ask for; None where the game was not read for a page. `text` is everything that
    was read for a page except the links of who asks, a key for caches; empty where it was not read for one.
    """

    club: ClubName
    id: int
    number: int
    played: date
    version: int
    first_dealer: int
    state: str
    left_out: bool
    detail: str
    auction: bool
    paper: Mapping[str, Any] | None
    replayed: Replayed
    length: int  # how many hands there are
    versions: Sequence[int]
    players: Mapping[int, str]
    next_seats: Mapping[str, str]
    tapped: Mapping[int, Fields]
    season_ids: Sequence[int | None]
    held: tuple[links.HeldLink, ...] = ()  # of the browser that asks, where the game was read for one
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
        """The scores carried over."""
        return self.replayed.played.start

    @property
    def facts(self) -> Sequence[Facts]:
        """The hands as they were written down."""
        return self.replayed.facts

    @property
    def names(self) -> Sequence[str]:
        return list(self.players.values())

    @property
    def score(self) -> GameScore:
        return self.replayed.score if self.paper is None else paper_score(self.paper)

    @property
    def scores(self) -> tuple[HandScore, ...]:
        """The hands as they were scored, those behind the end too, up to the first that cannot be."""
        return self.replayed.scores

    @property
    def takes_hands(self) -> bool:
        """Whether another hand can be put in."""
        return not (self.paper or self.state == ABANDONED) and self.score.outcome is None

    @property
    def names_by_hand(self) -> list[list[str]]:
        """The players' names, one a seat, in each hand, and, the last entry, in the next one."""
        *played, after = seated_by_hand(self.names, self.facts)
        return [*played, seated(after, [{"names": self.next_seats}])]

    def hand(self, position: int) -> Written | None:
        """The hand at `position`, or None."""
        if not 1 <= position <= self.length:
            return None
        # A copy: what is read is kept for other requests.
        return Written(position, deepcopy(self.facts[position - 1]), self.versions[position - 1])

    def dealer_after(self, hands: int) -> int:
        """Whose deal it is after so many hands."""
        if hands == self.length:
            return self.score.next_dealer or self.first_dealer
        return self._with(self.replayed.played.hands[:hands], hands).next_dealer or self.first_dealer

    def totals_after(self, hands: int) -> Mapping[str, int]:
        """The scores after so many hands, or after the last of them that can be scored."""
        played = self.replayed.played
        scored = self.scores[:hands]
        return scored[-1].totals if scored else {**played.table.at_zero, **(played.start or {})}

    def names_at(self, position: int) -> list[str]:
        """The players' names, one a seat, when the hand at `position` is played."""
        facts = self.facts[:position]
        return seated(self.names, facts if position <= self.length else [*facts, {"names": self.next_seats}])

    def with_hand(self, position: int, hand: Dealt) -> GameScore:
        """The game as it would be with that hand at `position`."""
        hands = self.replayed.played.hands
        return self._with((*hands[: position - 1], hand, *hands[position:]), position - 1)

    @property
    def log_state(self) -> State:
        """The hands and substitutes as the game's log has led to them."""
        versions = self.versions if self.version else range(1, self.length + 1)
        return State(tuple(map(Slot, self.facts, versions)), self.next_seats)

    def changed(self, state: State, version: int) -> Snapshot:
        """The game with other hands and substitutes; raises Refused where a hand that counts cannot be scored."""
        text = self.replayed.text
        known = {id(facts): words for facts, words in zip(self.facts, text.hands, strict=True)}
        hands = tuple([known.get(id(facts)) or to_json(facts) for facts, _ in state.hands])
        return replace(
            self,
            replayed=replayed(text._replace(hands=hands)),
            version=version,
            length=len(hands),
            versions=[slot.version for slot in state.hands],
            next_seats=state.coming,
        )

    def _with(self, hands: tuple[Dealt, ...], known: int) -> GameScore:
        """The game as it would be with these hands, of which so many at the beginning are its own."""
        return replay(self.replayed.played._replace(hands=hands), self.scores[:known])


class Latest(NamedTuple):
    """A club's latest games `of` all: as they are listed, and as they were begun, without those from paper."""

    listed: Sequence[Snapshot]
    begun: Sequence[Snapshot]
    of: int


@dataclass(frozen=True, kw_only=True)
class SheetSnapshot(Snapshot):
    """A game with what its score sheet needs besides: house rules, the log, the club's seasons, the latest first."""

    options: Mapping[str, Any]
    log: Sequence[Logged]
    seasons: Sequence[SeasonName]

    @property
    def season(self) -> SeasonName | None:
        """The season that the game counts in first."""
        return next((season for season in self.seasons if season.id == self.season_ids[0]), None)

    @property
    def counts_in(self) -> list[SeasonName]:
        """All seasons that the game counts in, the first one first."""
        return sorted(
            (season for season in self.seasons if season.id in self.season_ids), key=lambda one: one != self.season
        )


AnySnapshot = TypeVar("AnySnapshot", bound=Snapshot)


def snapshot_of(game_id: int) -> Snapshot:
    """The game with that id."""
    return _read(Snapshot, db.session.connection().execute(OF_ID, {"game": game_id}).one())


def read_snapshot(key: str, number: int, uids: Sequence[str] = ()) -> Snapshot | None:
    """That game of the club with that key, or None; with those of the club's links that have these uids."""
    row = _row(GAME, key, number, uids)
    return (
        None if row is None else _read(Snapshot, row, entering=live.read_entering(row), held=links.read_held(row.held))
    )


def read_page(key: str, number: int, uids: Sequence[str] = ()) -> Snapshot | None:
    """The same, for a page that stays open while others score: with its state."""
    row = _row(PAGE, key, number, uids)
    return None if row is None else _read(Snapshot, row, **_alive(row))


def _row(query: Reading, key: str, number: int, uids: Sequence[str]) -> Row[Any] | None:
    return query.ask(key=key, number=number, **links.asked(uids), **live.since()).one_or_none()


def read_sheet(key: str, number: int, uids: Sequence[str] = ()) -> SheetSnapshot | None:
    """That game of the club with that key, with what its score sheet needs; or None."""
    row = _row(SHEET, key, number, uids)
    if row is None:
        return None
    seasons = [SeasonName(*season) for _, *season in reversed(_in_order(row.seasons))]
    log = [Logged(*entry) for entry in _in_order(row.log)]
    return _read(SheetSnapshot, row, **_alive(row), options=row.options, log=log, seasons=seasons)


def read_latest(club_id: int, most: int) -> Latest:
    """At most so many of either kind, the latest first."""
    rows = db.session.connection().execute(LATEST, {"club": club_id, "most": most}).all()
    read = {row.id: _read(Snapshot, row) for row in rows}
    listed = sorted(rows, key=lambda row: (row.played, row.number), reverse=True)[:most]
    begun = sorted(rows, key=lambda row: (row.created_at, row.number), reverse=True)
    begun = [row for row in begun if row.paper is None][:most]
    return Latest([read[row.id] for row in listed], [read[row.id] for row in begun], rows[0].of if rows else 0)


def read_games(club_id: int, skipped: int, most: int) -> list[Snapshot]:
    """At most so many games of a club, the latest first, without the first few."""
    asked = {"club": club_id, "skipped": skipped, "most": most}
    return [_read(Snapshot, row) for row in db.session.connection().execute(LISTED, asked)]


def _alive(row: Row[Any]) -> dict[str, object]:
    state = live.read_state(row)
    text = repr([value for name, value in row._mapping.items() if name != _held.name])
    return {"entering": state.entering, "live": state, "text": text, "held": links.read_held(row.held)}


def _read(kind: type[AnySnapshot], row: Row[*tuple[Any, ...]], **more: Any) -> AnySnapshot:
    hands = _in_order(row.hands)
    text = GameText(row.rules, row.players, row.teams, row.start, tuple([facts for _, facts, _ in hands]))
    return kind(
        club=ClubName(*row[: len(ClubName._fields)]),
        **{name: row._mapping[name] for name in OWN},
        replayed=replayed(text),
        length=len(hands),
        versions=[version for *_, version in hands],
        players={player: name for _, player, name in _in_order(row.seats)},
        tapped={position: json.loads(fields) for position, fields in _in_order(row.tapped)},
        season_ids=[row.season_id, *(season for (season,) in _in_order(row.also))],
        **more,
    )


def _in_order(rows: str | None) -> list[Any]:
    """The rows of `_of_game`, by their position."""
    return sorted(json.loads(rows)) if rows else []

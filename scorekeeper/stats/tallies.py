"""Tallies: the sums over finished games, each counted by counting.py; updated in the transaction that changes a game.

They are derived data: `rebuild` computes them again from the hands, and stats.verify reports differences.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

from sqlalchemy import ColumnElement, delete, insert, select, true, tuple_, union, update
from sqlalchemy.orm import selectinload, undefer

from scorekeeper.database.session import db, in_slices, now
from scorekeeper.models import (
    ABANDONED,
    LATEST_RESULT_FIRST,
    TALLY_VERSION,
    Club,
    Facts,
    Form,
    Game,
    GameCount,
    GameGroup,
    GroupSeason,
    Json,
    Player,
    Result,
    Season,
    Seat,
    Tally,
    seated_by_hand,
    tidy_name,
)
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.table import Table, Unit

from . import ratings
from .counting import (
    FINISHED,
    SUMS,
    VS,
    WITH,
    FinishedGame,
    PlayerId,
    count_by_season,
    count_whole_game,
    is_played,
    of_kind,
    total,
)
from .league import league_of
from .query import forms_of, last_games, latest_day, letter_of
from .ratings import RATING_COLUMNS, Rating
from .schemes import Scheme

CHUNK = 200  # games read at once
AT_ONCE = 500  # tallies read and stored at once


class Place(NamedTuple):
    """A game's position in the order of play."""

    played: date
    number: int


FIRST = Place(date.min, 0)


class CountedGame(Protocol):
    """The inputs for counting a game: a row, or a game that was read in another way."""

    @property
    def id(self) -> int: ...

    @property
    def club_id(self) -> int: ...

    @property
    def number(self) -> int: ...

    @property
    def played(self) -> date: ...

    @property
    def state(self) -> str: ...

    @property
    def left_out(self) -> bool: ...

    @property
    def names(self) -> Sequence[str]: ...

    @property
    def season_ids(self) -> Sequence[int | None]: ...

    @property
    def table(self) -> Table: ...

    @property
    def start(self) -> Mapping[Unit, int] | None: ...

    @property
    def facts(self) -> Sequence[Facts]: ...

    @property
    def score(self) -> GameScore: ...


def counts(game: CountedGame) -> bool:
    """True if a game counts: it is finished, and neither abandoned nor left out."""
    return game.state != ABANDONED and not game.left_out and game.score.outcome is not None


def update_tallies(game: CountedGame, *, is_new: bool = False) -> None:
    """Update the counts of a game; inside the transaction that changed it. `is_new`: it was never counted.

    A change of a game that does not count is marked too, so that a writer that has read it for its last hand reads it
    again.
    """
    db.session.flush()
    before = [] if is_new else _results(game)
    if counts(game) or before:
        writer = TallyWriter(game.club_id)
        latest, days = writer.last.played, {game.played, *(one.played for one in before)}
        writer.replace(game, before)
        is_of_latest = days == {latest} and (counts(game) or latest_day(game.club_id) == latest)
        writer.close(soon=True, earlier=not is_of_latest)
    else:
        mark_changed(game.club_id, earlier=False)


class TallyWriter:
    """Counts games into a club's tallies; values that depend on all games are computed once, by `close`.

    Use inside one transaction that has locked the club: two games that finish at once take turns. `reopens`: the closed
    seasons that a changed game reopens, None for all; those that are open again are watched in any case, unless
    `watches` is false, because nothing changes.
    """

    def __init__(
        self,
        club_id: int,
        *,
        reopens: Container[int] | None = None,
        watches: bool = True,
    ) -> None:
        self.club_id = club_id
        self._credits, kept = seasons_of(club_id)
        asked = kept.items() if watches else ()
        self.watched = {one for one, closed in asked if reopens is None or not closed or one in reopens}
        self._groups = Groups(club_id)
        last = select(Result.played, Result.number).where(Result.club_id == club_id)
        last_game = last.order_by(*LATEST_RESULT_FIRST).limit(1).subquery()
        columns = Player.id, Player.name, Player.guest, Player.mu, Player.sigma, Club.unrated_since, *last_game.c
        found = select(*columns).join(Player.club).outerjoin(last_game, true()).where(Club.id == club_id)
        players = db.session.execute(found).all()
        self._ids = ids_by_name((player.id, player.name) for player in players)
        self._guests = {player.id for player in players if player.guest}
        rated = [player for player in players if player.mu is not None and not player.guest]
        self._ratings: dict[PlayerId, Rating | None] = {player.id: Rating(player.mu, player.sigma) for player in rated}
        self._is_rated = not any(player.unrated_since for player in players)
        self.last = next((Place(player.played, player.number) for player in players if player.played), FIRST)
        self._totals = Totals()
        self._earliest: Place | None = None
        self._players: set[PlayerId] = set()

    def replace(self, game: CountedGame, before: Sequence[Any] | None = None) -> None:
        """Replace a game's old counts with its present ones; `before` are the old results, read if None."""
        before = _results(game) if before is None else before
        was = self._digests(game.id) if before else {}
        if before:
            for table in (GameCount, Result):
                gone = delete(table).where(table.game_id == game.id)
                db.session.execute(gone.execution_options(synchronize_session=False))  # the session holds none
        for result in before:
            self._totals.count(result, -1)
        whole, after = self.count(game)
        self._rate(before, after)
        if whole:
            db.session.execute(insert(GameCount), whole)
            db.session.execute(insert(Result), list(map(vars, after)))
        self.reopen_by(game.id, game.number, was)
        db.session.flush()

    def count(self, game: CountedGame) -> tuple[list[Json], list[Any]]:
        """Add a game to the sums, and return its rows of GameCount and Result; none if it does not count."""
        parts = counted_of(game, self._ids, self._credits) if counts(game) else []
        results = [SimpleNamespace(**row, group_id=self._groups[part.kind]) for part in parts for row in part.results]
        for result in results:
            self._totals.count(result)
        return [part.whole for part in parts], results

    def reopen_by(self, game_id: int, number: int, was: Mapping[int, int] | None = None) -> None:
        """Reopen closed seasons where the counts of a game differ from what they `was` before; None of a new game.

        The changes of the digests are added to the season's `sum`, so that opposite changes cancel (`is_as_closed`).
        """
        changes = Counter(self._digests(game_id))
        changes.subtract(was or {})
        changed = [season for season, change in changes.items() if change]
        for season in db.session.scalars(select(Season).where(Season.id.in_(changed))) if changed else ():
            reopened = season.reopened or {}
            if season.closed_at is not None:
                reopened = reopened_by(number, season)
                season.closed_at = None
            season.reopened = reopened | {"sum": reopened["sum"] + changes[season.id]}

    def _digests(self, game_id: int) -> dict[int, int]:
        """Digests of the counts of a game by season, for those seasons that it can reopen; players are uids."""
        by_group: dict[int, list[Any]] = defaultdict(list)
        rows: Any = db.session.execute(COMPARED.where(Result.game_id == game_id)) if self.watched else ()
        for group, detail, *counted in rows:
            own = {text: number for text, number in detail.items() if not text.startswith((f"{WITH}:", f"{VS}:"))}
            by_group[group].append([own, *counted])
        if not by_group:
            return {}
        first = select(GameGroup.id, GameGroup.season_id).where(GameGroup.id.in_(by_group))
        also = select(GroupSeason.group_id, GroupSeason.season_id).where(GroupSeason.group_id.in_(by_group))
        rows = db.session.execute(union(first, also))
        return {season: _digest(by_group[group]) for group, season in rows if season in self.watched}

    def _rate(self, before: Sequence[Any], after: Sequence[Any]) -> None:
        """Keep the ratings if the result of the game is unchanged; otherwise all later games are to be rated again.

        A new game after all others is rated immediately.
        """
        places = {Place(result.played, result.number) for result in (*before, *after)}
        if ratings.rating_inputs(before) == ratings.rating_inputs(after):
            ratings.copy_ratings(before, after)
        elif before or self._earliest or not self._is_rated or min(places) <= self.last:
            for place in places:
                self.rate_since(place, {result.player_id for result in (*before, *after)})
        else:
            ratings.rate_last(after, self._ratings, self._guests)
            self._players |= {result.player_id for result in after}
        self.last = max({self.last, *places})

    def rate_since(self, place: Place, players: set[PlayerId]) -> None:
        """Mark the games of those players from `place` on to be rated again."""
        self._earliest = min(self._earliest or place, place)
        self._players |= players

    def close(self, *, soon: bool = False, earlier: bool = True) -> None:
        """Store sums and ratings; with `soon`, rating many games may be left for later (see ratings).

        `earlier`: see mark_changed.
        """
        self._totals.save()
        if self._earliest is not None:
            rate = ratings.rate_or_defer if soon else ratings.rate
            rate(self.club_id, self._earliest, self._players)
        elif self._players:
            ratings.keep_current(self.club_id, self._players)
        mark_changed(self.club_id, earlier=earlier)
        db.session.flush()


MOST_MARK = 2**31 - 1  # the maximum of the column


def mark_changed(club_id: int, *, earlier: bool = True) -> None:
    """Mark that the inputs of a club's tables have changed; inside the transaction that changes them.

    With `earlier` false, only games of the latest day with a game that counts have changed, and it is still the latest.
    """
    columns = [Club.stats_version, *([Club.history_version] if earlier else [])]
    versions = {column: 1 + secrets.randbelow(MOST_MARK) for column in columns}
    db.session.execute(update(Club).where(Club.id == club_id).values(versions))


class TallyDelta:
    """The change of a tally. `form` are the added games; None if a game was removed."""

    def __init__(self) -> None:
        self.sums: Counter[str] = Counter()
        self.detail: Counter[str] = Counter()
        self.form: Form | None = []


class Totals:
    """The changes of a club's tallies, in memory: by group and player."""

    def __init__(self) -> None:
        self.added: dict[tuple[Any, PlayerId], TallyDelta] = defaultdict(TallyDelta)

    def count(self, result: Any, times: int = 1) -> None:
        """Add a result, or with `times` -1 subtract it."""
        added = self.added[result.group_id, result.player_id]
        for name in SUMS:
            added.sums[name] += times * getattr(result, name)
        for name, number in result.detail.items():
            added.detail[name] += times * number
        if times < 0:
            added.form = None
        elif added.form is not None and is_played(result):
            letter = letter_of(result.won, result.shared)
            added.form = last_games([*added.form, [result.played.isoformat(), result.number, letter]])

    def save(self) -> None:
        """Add the changes to the tallies, inside a transaction; deletes empty tallies."""
        for keys in in_slices(sorted(self.added), AT_ONCE):
            groups, players = ({key[part] for key in keys} for part in (0, 1))
            found = select(Tally).where(Tally.group_id.in_(groups), Tally.player_id.in_(players))
            found = found.options(undefer(Tally.detail)).execution_options(populate_existing=True)
            tallies = {(tally.group_id, tally.player_id): tally for tally in db.session.scalars(found)}
            for key in keys:
                if key not in tallies:
                    nothing = dict.fromkeys(SUMS, 0)
                    tallies[key] = Tally(group_id=key[0], player_id=key[1], **nothing, detail={}, form=[], beaten={})
                    db.session.add(tallies[key])
                added, tally = self.added[key], tallies[key]
                if added.form is None:
                    form = forms_of([key[1]], Result.group_id == key[0]).get(key[1], [])
                else:
                    form = last_games([*tally.form, *added.form])
                sums = {name: getattr(tally, name) + added.sums[name] for name in SUMS}
                for name, value in (sums | from_sums(total(tally.detail, added.detail), form)).items():
                    setattr(tally, name, value)
            db.session.flush()
            for tally in tallies.values():
                if not (tally.games or tally.hands):
                    db.session.delete(tally)
            db.session.flush()


def _results(game: CountedGame) -> Sequence[Any]:
    return db.session.execute(select(*Result.__table__.columns).where(Result.game_id == game.id)).all()


class Kind(NamedTuple):
    """The common properties of a group's games: the first season, the rules, and the sizes; see GameGroup.

    `also` are their other seasons, `credit` is the rule of those seasons if it differs.
    """

    season_id: int | None
    rules_id: str
    players: int
    teams: int
    also: tuple[int, ...]
    credit: str


def seasons_of(club_id: int) -> tuple[dict[int | None, str], dict[int, bool]]:
    """The rule of credit of each season of a club; and, of those closed or reopened by a game, whether it is closed.

    Games of no season (None) count for those who finished them.
    """
    mine = select(Season.id, Season.settings, Season.closed_at, Season.reopened).where(Season.club_id == club_id)
    rows = db.session.execute(mine).all()
    rules = {season.id: Scheme.from_dict(season.settings).credit for season in rows}
    kept = {one.id: bool(one.closed_at) for one in rows if one.closed_at or "sum" in (one.reopened or ())}
    return {None: FINISHED} | rules, kept


class Groups(dict[Kind, int]):
    """The ids of a club's groups by kind; a missing one is looked up or created, inside a transaction."""

    def __init__(self, club_id: int) -> None:
        self.club_id = club_id

    def __missing__(self, kind: Kind) -> int:
        columns = {"club_id": self.club_id, **kind._asdict()}
        also = columns.pop("also")
        same_kind = [getattr(GameGroup, name) == value for name, value in columns.items()]
        found = select(GameGroup.id, GroupSeason.season_id).where(*same_kind).outerjoin(GroupSeason)
        others: dict[int, list[int]] = defaultdict(list)
        for number, other in db.session.execute(found.order_by(GroupSeason.season_id)):
            others[number] += [other] if other else []
        self[kind] = min((number for number, seasons in others.items() if tuple(seasons) == also), default=0)
        if not self[kind]:
            db.session.add(group := GameGroup(**columns))
            db.session.flush()
            self[kind] = group.id
            if also:
                db.session.execute(insert(GroupSeason), [{"group_id": group.id, "season_id": one} for one in also])
        return self[kind]


def ids_by_name(players: Iterable[tuple[PlayerId, str]]) -> dict[str, PlayerId]:
    """The ids of players by casefolded name, of which a club file may encode the accents in two ways."""
    return {form.casefold(): number for number, name in players for form in (name, tidy_name(name))}


class Part(NamedTuple):
    """The counts of a game in one group: of the whole game, and of each player, as rows without the group's id."""

    kind: Kind
    whole: Json
    results: list[Json]


def counted_of(game: CountedGame, ids: Mapping[str, PlayerId], credits: Mapping[int | None, str]) -> list[Part]:
    """The counts of a game, in each of its groups; `ids` are the players by name."""
    hands = game.facts[: len(game.score.hands)]
    seated = [[ids[name.casefold()] for name in names] for names in seated_by_hand(game.names, hands)]
    table, trumps = game.table, [facts.get("trump") for facts in hands]
    finished = FinishedGame(table, game.score, trumps, seated, game.start)
    first, parts = game.season_ids[0], []
    for credit, seasons, players in count_by_season(finished, {season: credits[season] for season in game.season_ids}):
        also = tuple(sorted(season for season in seasons if season is not None and (credit or season != first)))
        kind = Kind(None if credit else first, table.rules.id, table.players, table.teams, also, credit)
        mine = {"game_id": game.id, "played": game.played, "number": game.number, "credit": credit}
        whole = mine | count_whole_game(finished, players)
        results = [
            mine
            | {"club_id": game.club_id, "player_id": player, "seat": part.seat, "unit": part.unit, "place": part.place}
            | {name: part.sums[name] for name in SUMS}
            | {"detail": _without_zeros(part.detail)}
            | dict.fromkeys(RATING_COLUMNS)
            for player, part in players.items()
        ]
        parts.append(Part(kind, whole, results))
    return parts


def _without_zeros(counter: Counter[str]) -> dict[str, int]:
    return {name: counter[name] for name in sorted(counter) if counter[name]}


def from_sums(detail: Counter[str], form: Form) -> Json:
    """The columns of a tally that are not sums."""
    told = _without_zeros(detail)
    beaten = {other: met["won"] for other, met in of_kind(told, VS).items() if met.get("won")}
    return {
        "detail": told,
        "form": form,
        "beaten": beaten,
        "last_played": date.fromisoformat(form[-1][0]) if form else None,
    }


# --- reopening closed seasons -------------------------------------------------------------------------------------


# Compared without ids of the database, as a restored season has another one.
COMPARED_COLUMNS = ("group_id", "detail", "seat", "unit", "place", "played", "number", *SUMS)
_of_group = Player.uid, GameGroup.rules_id, GameGroup.players, GameGroup.teams
_compared = select(*(getattr(Result, name) for name in COMPARED_COLUMNS), *_of_group).join(Player)
COMPARED = _compared.join(GameGroup, GameGroup.id == Result.group_id).order_by(Player.uid)


def reopened_by(game: int | None, season: Season) -> Json:
    """Return why a closed season is being reopened, for `Season.reopened`; None is a person."""
    closed = season.closed_at.isoformat() if season.closed_at else None
    return {"at": now().isoformat(), "game": game, "closed": closed, "sum": _settings_digest(season)}


def is_as_closed(season: Season) -> bool:
    """True if nothing that counts in a season that was reopened differs any more from when it was closed."""
    return bool(season.reopened and season.reopened.get("sum") == _settings_digest(season))


def _settings_digest(season: Season) -> int:
    """A digest of what a season's table depends on besides its games."""
    league = league_of(season).to_dict() or {}
    bonuses = [bonus for bonus in league.get("bonuses", ()) if not bonus["undone"]]
    return _digest([season.settings, bonuses, league.get("divisions", {}), league.get("start", ())])


def _digest(value: object) -> int:
    text = json.dumps(value, sort_keys=True, default=str)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


# --- a whole club -------------------------------------------------------------------------------------------------


def rebuild(club: Club) -> None:
    """Compute a club's tallies again from the hands; inside a transaction. Closed seasons stay closed."""
    mine = select(GameGroup.id).where(GameGroup.club_id == club.id)
    counted = GameCount.game_id.in_(select(Game.id).where(Game.club_id == club.id))
    db.session.execute(delete(GameCount).where(counted).execution_options(synchronize_session=False))
    for column in (Tally.group_id, Result.group_id, GameGroup.id):
        unwanted = delete(column.class_).where(column.in_(mine))
        db.session.execute(unwanted.execution_options(synchronize_session=False))
    db.session.expire_all()
    db.session.execute(update(Club).where(Club.id == club.id).values(counted=TALLY_VERSION, unrated_since=None))
    writer = TallyWriter(club.id, watches=False)
    writer.rate_since(FIRST, {player.id for player in club.players})
    for game in all_games(club):
        writer.replace(game)
    writer.close()


def all_games(club: Club, *asked: ColumnElement[bool]) -> Iterator[Game]:
    """A club's games in the order of play, CHUNK at a time in memory; `asked` are conditions."""
    loading = selectinload(Game.hands), selectinload(Game.also), selectinload(Game.seats).joinedload(Seat.player)
    last = FIRST
    while True:
        behind = tuple_(Game.played, Game.number) > tuple_(*last)
        found = select(Game).where(Game.club_id == club.id, behind, *asked).order_by(Game.played, Game.number)
        games = list(db.session.scalars(found.limit(CHUNK).options(*loading)))
        if not games:
            return
        yield from games
        last = Place(games[-1].played, games[-1].number)
        db.session.flush()
        for game in games:
            db.session.expunge(game)

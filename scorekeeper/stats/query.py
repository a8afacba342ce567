"""Selects games, and aggregates them: each player's numbers, from tallies or game by game.

Aggregates over all games before a club's latest day are cached in each worker until one of those games changes
(Club.history_version): games finish, and are corrected, on the evening on which they are played, so a page that
looks through all games reads only those of the latest day.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict, namedtuple
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import ColumnElement, Select, Text, and_, cast, func, or_, select
from sqlalchemy.orm import aliased

from scorekeeper.database.cache import BoundedCache
from scorekeeper.database.session import all_values, as_json, db, in_slices
from scorekeeper.models import (
    LATEST_RESULT_FIRST,
    Club,
    Form,
    Game,
    GameCount,
    GameGroup,
    GroupSeason,
    Json,
    Player,
    Result,
    Season,
    Sides,
    Tally,
)
from scorekeeper.scoring.rules.fields import Scale

from .counting import (
    BID,
    BID_COUNTS,
    BOTH,
    FORM_LENGTH,
    SUMS,
    Pair,
    PlayerId,
    add_lists,
    filter_kind,
    is_played,
    total,
    win_share,
)
from .ratings import PLAYED, RATING_COLUMNS, UNRATED, Rating, rate_next, ratings_before
from .schemes import Scheme


@dataclass(frozen=True)
class Choice:
    """A filter of games; None does not filter. `present`: only games that count for all of these players."""

    season_id: int | None = None
    rules_id: str | None = None
    players: int | None = None
    teams: int | None = None
    since: date | None = None
    until: date | None = None
    present: frozenset[PlayerId] = frozenset()

    @property
    def by_games(self) -> bool:
        """True if single games are selected, so that stored tallies cannot be used."""
        return bool(self.since or self.until or self.present)


class NightPoints(NamedTuple):
    """A player's nights and bonus points in a season that counts them: see standings.Contest.

    `nights` with a game played, all `days` with a game or a forfeit, the number of those `counted`, and the bonus.
    """

    worth: Fraction
    nights: int
    days: int
    counted: int
    bonus: int


@dataclass
class PlayerStats:
    """A player's numbers in the chosen games.

    `form` has the last games, latest last, as W, S or L: FORM_LENGTH of them, or all if aggregated by RowAggregates.
    The rating is the one after the last of them. Forfeits are in the sums, but not in the form.
    """

    sums: Counter[str] = field(default_factory=Counter)
    form: list[tuple[date, int, str]] = field(default_factory=list)
    rating: Rating | None = None
    extra: NightPoints | None = None

    @property
    def games(self) -> int:
        return self.sums["games"]

    @property
    def played(self) -> int:
        """Games except forfeits."""
        return self.sums["games"] - self.sums["forfeits"]

    @property
    def share(self) -> Fraction:
        """Games won, a tied one half, as a share of the games; 0 without games."""
        return win_share(self.sums["won"], self.sums["shared"], self.sums["games"])

    @property
    def margin(self) -> Fraction:
        """Average over games played of the own score minus the best of the others."""
        games = self.played
        return Fraction(self.sums["points_for"] - self.sums["points_against"], games) if games else Fraction(0)

    @property
    def last(self) -> tuple[date, int] | None:
        return self.form[-1][:2] if self.form else None


Entry = PlayerId | Pair  # has a line in a table


def players_in(entry: Entry) -> tuple[PlayerId, ...]:
    """The players of a table entry: one, or the two of a pair."""
    return entry if isinstance(entry, tuple) else (entry,)


Duels = Mapping[Entry, Mapping[Entry, int]]  # the games that a player has won alone against each other one


@dataclass
class Aggregates:
    """The numbers of the chosen games: `records` has those of each player.

    `duels` counts the duels on demand, because most tables have no ties; `since` returns the results from a night on.
    """

    records: dict[Entry, PlayerStats]
    duels: Callable[[], Duels]
    since: Callable[[date], list[ResultRow]]

    def before(self, night: date) -> Aggregates:
        """The aggregates without games from `night` on, which must be the last night; without forms."""
        rows, records = self.since(night), {}
        later = RowAggregates(rows)
        for player, record in self.records.items():
            sums = Counter(record.sums)
            if player in later.records:
                sums.subtract(later.records[player].sums)
            records[player] = PlayerStats(sums, rating=record.rating)
        for row in reversed(rows):  # the rating before the first game of the night remains
            if row.mu_before is not None:
                records[row.player_id].rating = Rating(row.mu_before, row.sigma_before)

        @cache
        def duels() -> Duels:
            won = self.duels()
            return {**won, **{one: Counter(won.get(one)) - Counter(last) for one, last in later.duels().items()}}

        return Aggregates(records, duels, self.since)


def chosen_groups(club: Club, choice: Choice) -> ColumnElement[bool]:
    """A condition for the groups of a choice."""
    wanted = {
        GameGroup.rules_id: choice.rules_id,
        GameGroup.players: choice.players,
        GameGroup.teams: choice.teams,
    }
    asked = [column == value for column, value in wanted.items() if value is not None]
    here = [GameGroup.credit == "" if choice.season_id is None else in_season(choice.season_id)]
    return and_(GameGroup.club_id == club.id, *here, *asked)


def in_season(season_id: int) -> ColumnElement[bool]:
    """A condition for the groups whose games count in a season."""
    also = select(GroupSeason.group_id).where(GroupSeason.season_id == season_id)
    return or_(GameGroup.season_id == season_id, GameGroup.id.in_(also))


def as_counted_in(season_id: int) -> ColumnElement[bool]:
    """A condition for results as that season counts them: by its own credit where a game has that, else the default."""
    groups = select(GameGroup.id).where(in_season(season_id), GameGroup.credit != "")
    again = aliased(Result)
    games = select(again.game_id).where(again.group_id.in_(groups))
    return or_(Result.group_id.in_(groups), and_(Result.credit == "", Result.game_id.not_in(games)))


def latest_day(club_id: int) -> date | None:
    """The latest day with a game that counts; uses an index."""
    return db.session.scalar(select(func.max(Result.played)).where(Result.club_id == club_id))


# --- number of games ---


ONE_ROW_PER_GAME = Result.games == 1, Result.seat == 1  # of the players credited with seat 1: one or two per game


def games_by_season(club: Club) -> Counter[int | None]:
    """The number of games by season, None for those in no season."""
    also = also_in(club.id)
    games: Counter[int | None] = Counter()
    for group, seasons, _, number in _games_by_group(club):
        games.update(dict.fromkeys((*seasons, *also[group]), number))
    return games


def also_in(club_id: int) -> dict[int, tuple[int, ...]]:
    """The further seasons of each group besides its first one; groups without any are missing."""
    found: dict[int, tuple[int, ...]] = defaultdict(tuple)
    rows = select(GroupSeason.group_id, GroupSeason.season_id).join(GameGroup).where(GameGroup.club_id == club_id)
    for group, season_id in db.session.execute(rows.order_by(GroupSeason.season_id)):
        found[group] += (season_id,)
    return found


def _games_by_group(club: Club, *asked: ColumnElement[bool]) -> Iterator[tuple[int, tuple[int | None, ...], int, int]]:
    """Each group as (id, its first season if any, number of sides, number of games).

    From the tallies, which have each game once per seat; game by game if a seat can credit two players.
    """
    shared = [season.id for season in club.seasons if Scheme.from_dict(season.settings).credit == BOTH]
    kind = GameGroup.season_id, GameGroup.credit, GameGroup.teams, GameGroup.players
    columns = GameGroup.id, *kind, func.sum(Tally.games)
    added = select(*columns).join(Tally, Tally.group_id == GameGroup.id).group_by(GameGroup.id)
    rows = db.session.execute(added.where(GameGroup.club_id == club.id, *asked)).all()
    for group, season_id, credit, teams, players, seats in rows:
        number = seats // players
        if credit == BOTH or season_id in shared:
            one_by_one = select(func.count(Result.game_id.distinct())).where(
                Result.group_id == group, *ONE_ROW_PER_GAME
            )
            number = db.session.scalar(one_by_one) or 0
        yield group, () if credit else (season_id,), teams or players, number


def games_by_sides(club: Club, choice: Choice) -> dict[int, int]:
    """The number of chosen games by their number of sides."""
    games: Counter[int] = Counter()
    if choice.by_games:
        columns = GameGroup.teams, GameGroup.players, func.count(Result.game_id.distinct())
        found = select(*columns).join(GameGroup, GameGroup.id == Result.group_id).where(*ONE_ROW_PER_GAME)
        rows = db.session.execute(found.where(*chosen_games(club, choice)).group_by(GameGroup.teams, GameGroup.players))
        for teams, players, number in rows:
            games[teams or players] += number
    else:
        for _, _, sides, number in _games_by_group(club, chosen_groups(club, choice)):
            games[sides] += number
    return {sides: number for sides, number in sorted(games.items()) if number}


# --- aggregated by the database, or game by game ------------------------------------------------------------------


def aggregate(club: Club, choice: Choice) -> Aggregates:
    """The numbers of the chosen games; of whole groups from tallies: the cost does not depend on the number of hands.

    For single games the database reads all results, and returns a few numbers of each player.
    """
    chosen = chosen_games(club, choice)
    tallied = Tally.group_id.in_(select(GameGroup.id).where(chosen_groups(club, choice)))
    table: type[Tally] | type[Result] = Result if choice.by_games else Tally
    mine = chosen if choice.by_games else [tallied]
    columns = [func.sum(getattr(table, name)) for name in SUMS]
    rows = db.session.execute(select(table.player_id, *columns).where(*mine).group_by(table.player_id))
    records: dict[Entry, PlayerStats] = {
        player: PlayerStats(Counter(dict(zip(SUMS, sums, strict=True)))) for player, *sums in rows
    }
    forms = forms_of(records, *chosen) if choice.by_games else _tallied_forms(tallied)
    for player, games in forms.items():
        records[player].form = [(date.fromisoformat(played), game, end) for played, game, end in games]
    _rate(club.id, records)
    return Aggregates(
        records,
        cache(lambda: _all_duels(chosen) if choice.by_games else _tallied_duels(tallied)),  # ties are broken repeatedly
        lambda night: results(*chosen, Result.played >= night),
    )


def _tallied_forms(tallied: ColumnElement[bool]) -> dict[PlayerId, Form]:
    found = _tallied(Tally.form, tallied)
    return {player: last_games([game for form in forms for game in form]) for player, forms in found}


def _tallied_duels(tallied: ColumnElement[bool]) -> Duels:
    won = ((one, total(*beaten).items()) for one, beaten in _tallied(Tally.beaten, tallied))
    return {one: {int(other): games for other, games in mine} for one, mine in won}


def _tallied(column: Any, tallied: ColumnElement[bool]) -> Iterable[Any]:
    """Each player with the values of a JSON column in the player's tallies."""
    return db.session.execute(select(Tally.player_id, all_values(column)).where(tallied).group_by(Tally.player_id))


def _all_duels(chosen: Sequence[ColumnElement[bool]]) -> Duels:
    other = aliased(Result)
    met = and_(other.game_id == Result.game_id, other.credit == Result.credit)
    met = and_(met, other.unit != Result.unit, other.games == 1)
    pairs = Result.player_id, other.player_id
    won = select(*pairs, func.count()).join(other, met).where(*chosen, Result.won == 1).group_by(*pairs)
    duels: dict[Entry, dict[Entry, int]] = defaultdict(dict)
    for one, loser, games in db.session.execute(won):
        duels[one][loser] = games
    return duels


AT_ONCE = 50  # games in one statement; each of their days is looked up with each of their numbers


def _rate(club_id: int, records: Mapping[Entry, PlayerStats]) -> None:
    """Set every record's rating to that after its last game."""
    last = {player: record.last for player, record in records.items() if record.last}
    columns = Result.player_id, Result.played, Result.number, Result.mu, Result.sigma
    rated = select(*columns).where(Result.club_id == club_id, Result.mu.is_not(None))
    for games in in_slices(sorted(set(last.values())), AT_ONCE):
        # By days and numbers, which SQLite finds by an index; pairs of them it does not.
        days, numbers = ({game[place] for game in games} for place in (0, 1))
        rows: Any = db.session.execute(rated.where(Result.played.in_(days), Result.number.in_(numbers)))
        for player, played, number, *rating in rows:
            if last.get(player) == (played, number):
                records[player].rating = Rating(*rating)
    for player, record in records.items():
        # If the last game is credited to another player, the rating after it needs a lookup of its own.
        if isinstance(player, int) and record.last and record.rating is None:
            record.rating = ratings_before([player], record.last).get(player)


class RowAggregates(Aggregates):
    """Numbers of single games; `rows` are the players' results in the order in which the games were played."""

    def __init__(self, rows: Sequence[ResultRow]) -> None:
        super().__init__(
            defaultdict(PlayerStats),
            self._count_duels,
            lambda night: [row for row in self.rows if row.played >= night],
        )
        self.rows: list[ResultRow] = []
        self._duels: dict[Entry, Counter[Entry]] = defaultdict(Counter)
        self._rows_in_duels = 0
        self.add(rows)

    def add(self, rows: Sequence[ResultRow]) -> None:
        """Add whole games that were played after all others."""
        self.rows += rows
        names = [name for name in rows[0]._fields if name in SUMS] if rows else []  # these are the last columns
        by_player: dict[Entry, list[ResultRow]] = defaultdict(list)
        for row in rows:
            by_player[row.player_id].append(row)
        for player, mine in by_player.items():
            record = self.records[player]
            counted = zip(*[row[-len(names) :] for row in mine], strict=True)
            for name, number in zip(names, map(sum, counted), strict=True):
                record.sums[name] += number
            rated = next((row for row in reversed(mine) if row.mu is not None), None)
            if rated is not None:
                record.rating = Rating(rated.mu, rated.sigma)
            record.form += [(row.played, row.number, letter_of(row.won, row.shared)) for row in mine if is_played(row)]

    def _count_duels(self) -> Duels:
        rows, self._rows_in_duels = self.rows[self._rows_in_duels :], len(self.rows)
        for _, game in groupby((row for row in rows if row.games), key=attrgetter("game_id")):
            there = [(row.player_id, row.won) for row in game]
            lost = {one for one, won in there if not won}
            for one in {one for one, won in there if won}:
                self._duels[one].update(lost)
        return self._duels


def forms_of(players: Iterable[Any], *asked: ColumnElement[bool]) -> dict[PlayerId, Form]:
    """The last games of each player, latest last; uses the index of a player's results, independent of their number."""
    columns = Result.played, Result.number, Result.won, Result.shared
    mine = select(*columns).where(Result.player_id == Player.id, *asked, PLAYED)
    last = mine.order_by(*LATEST_RESULT_FIRST).limit(FORM_LENGTH)
    games = select(as_json(*last.correlate(Player).subquery().c)).scalar_subquery()
    return {
        player: [[played, game, letter_of(won, shared)] for played, game, won, shared in sorted(json.loads(text))]
        for player, text in db.session.execute(select(Player.id, games).where(Player.id.in_(players)))
        if text
    }


def last_games(form: Form) -> Form:
    """The last FORM_LENGTH games of a form, latest last."""
    return sorted(form)[-FORM_LENGTH:]


def letter_of(won: int, shared: int) -> str:
    return "W" if won else "S" if shared else "L"


def result_rows(club: Club, choice: Choice) -> list[ResultRow]:
    """The players' results in the chosen games, in the order of play."""
    return results(*chosen_games(club, choice))


def placing_rows(club: Club, choice: Choice, scheme: Scheme) -> list[ResultRow]:
    """Like `result_rows`, for players with the columns of `Placing` only: half of a row, for thousands of rows.

    Pairs, and ratings of these games alone, need whole rows.
    """
    if scheme.rates_alone:
        return rows_rated_alone(club, choice)
    return results(*chosen_games(club, choice), of=ResultRow if scheme.is_of_pairs else Placing)


def rows_rated_alone(club: Club, choice: Choice) -> list[ResultRow]:
    """The results in the chosen games, rated as if there were no other games."""
    guests = set(db.session.scalars(select(Player.id).where(Player.club_id == club.id, Player.guest)))
    current: dict[PlayerId, Rating | None] = {}
    found = []
    for _, players in groupby(result_rows(club, choice), key=lambda row: row.game_id):
        game = list(players)
        rated = rate_next([row for row in game if is_played(row)], current, guests)
        for row in game:
            found.append(row._replace(**dict(zip(RATING_COLUMNS, rated.get(row.player_id, UNRATED), strict=True))))
    return found


def chosen_games(club: Club, choice: Choice) -> list[ColumnElement[bool]]:
    """Conditions for the results of a choice."""
    groups = select(GameGroup.id).where(chosen_groups(club, choice))
    asked: list[ColumnElement[bool]] = [Result.group_id.in_(groups)]
    if choice.since:
        asked.append(Result.played >= choice.since)
    if choice.until:
        asked.append(Result.played <= choice.until)
    if choice.present:
        there = select(Result.game_id).where(
            Result.group_id.in_(groups), Result.player_id.in_(choice.present), Result.games == 1
        )
        all_there = there.group_by(Result.game_id).having(func.count() == len(choice.present))
        asked.append(Result.game_id.in_(all_there))
    return asked


class ResultRow(NamedTuple):
    """A player's result in a game, or a pair's; the columns of SUMS come last."""

    game_id: int
    player_id: Any  # of a pair (id, id)
    played: date
    number: int
    seat: int
    unit: str
    place: int
    mu_before: float | None
    sigma_before: float | None
    mu: float | None
    sigma: float | None
    games: int
    won: int
    shared: int
    lost: int
    points_for: int
    points_against: int
    hands: int
    bids: int
    made: int
    sets: int
    inflicted: int
    forfeits: int


PLACING = (  # the columns that places and ratings depend on
    *("game_id", "player_id", "played", "number", "mu", "sigma"),
    *("games", "won", "shared", "lost", "points_for", "points_against", "sets", "forfeits"),
)
Placing = namedtuple("Placing", PLACING)  # type: ignore[misc]


def results(*asked: ColumnElement[bool], of: Any = ResultRow) -> list[Any]:
    """Results as named tuples: thousands are accessed repeatedly, which is three times faster than on rows.

    Executed by the connection: the session would search each row for objects, which takes another third of the time.
    """
    columns = [getattr(Result, name) for name in of._fields]
    order = Result.played, Result.number, Result.seat, Result.player_id
    ordered = select(*columns).where(*asked).order_by(*order)
    db.session.flush()
    return list(map(of._make, db.session.connection().execute(ordered).all()))


# --- the details --------------------------------------------------------------------------------------------------


def aggregate_details(
    club: Club, choice: Choice, *, kind: str = "", player_id: PlayerId | None = None
) -> dict[PlayerId, Counter[str]]:
    """The details (see counting) of the chosen games, summed by player.

    All kinds, or only one: a tally has hundreds of details, most of them about other players.
    """
    table = Result if choice.by_games else Tally
    asked = chosen_games(club, choice) if choice.by_games else [chosen_groups(club, choice)]
    found = select(table.player_id, table.detail).join(GameGroup, GameGroup.id == table.group_id).where(*asked)
    if player_id is not None:
        found = found.where(table.player_id == player_id)
    details: dict[PlayerId, Counter[str]] = defaultdict(Counter)
    for player, detail in db.session.execute(found):
        details[player].update(filter_kind(detail, kind) if kind else detail)
    return details


# --- cache of aggregates before the latest day ------------------------------------------------------------------------


MOST_KEPT = 16
_cache: BoundedCache[Any] = BoundedCache(MOST_KEPT)
Made = TypeVar("Made")


class HasKey(Protocol):
    """A club, or what was read of one."""

    @property
    def id(self) -> int: ...

    @property
    def key(self) -> str: ...


class HasHistoryVersion(HasKey, Protocol):
    """A club with the version of its history."""

    @property
    def history_version(self) -> int: ...


def aggregate_with_cache(
    club: Club,
    choice: Choice,
    key: Hashable,
    empty: Made,
    add: Callable[[Made, Choice], Made],
    is_cacheable: Callable[[Made], bool] = lambda _: True,
) -> Made:
    """`add` applied to `empty` and the chosen games; its result for those before the latest day is cached.

    `add` extends a result by later games without modifying it. For single games nothing is cached.
    """
    latest = None if choice.by_games or not club.history_version else latest_day(club.id)
    if latest is None:
        return add(empty, choice)
    earlier = replace(choice, until=latest - timedelta(days=1))
    before = cached_by_history(club, (key, earlier), lambda: add(empty, earlier), is_cacheable)
    return add(before, replace(choice, since=latest))


def cached_by_history(
    club: HasHistoryVersion,
    key: Hashable,
    make: Callable[[], Made],
    is_cacheable: Callable[[Made], bool] = lambda _: True,
) -> Made:
    """The result of `make` from games before the latest day, cached until one of them changes.

    `key` is the cache key: the games, and every other input. A result for which `is_cacheable` is False is not cached.
    Results must not be modified.
    """
    asked = club.key, club.history_version, key
    known = _cache.get(asked)
    if known is not None:
        return known  # type: ignore[no-any-return]
    made = make()
    return _cache.put(asked, made) if is_cacheable(made) else made


# --- players in the tables --------------------------------------------------------------------------------------------


class Person(NamedTuple):
    """A player in a table, or a pair, with (id, id) as `id`."""

    id: Any
    name: str
    retired: bool


def season_of(season_id: int | None) -> Season | None:
    """The season with that id; None for None."""
    return db.session.get(Season, season_id) if season_id else None


def members_of(club: Club, choice: Choice) -> dict[PlayerId, Person]:
    """The players of a table by id; those of a closed season with their names at that time.

    A closed table of pairs stores no players: they have their current names then.
    """
    season = season_of(choice.season_id)
    table = season.frozen if season and season.closed_at else None
    kept = [line for line in (table or {}).get("lines", ()) if isinstance(line["player"], int)]
    if kept:
        return {line["player"]: Person(line["player"], line["name"], False) for line in kept}
    columns = Player.id, Player.name, Player.retired
    rows = db.session.execute(select(*columns).where(Player.club_id == club.id, ~Player.guest))
    return {row.id: Person(*row) for row in rows}


# --- scales -----------------------------------------------------------------------------------------------------------


def scales_of(club: Club, numbers: Collection[int]) -> dict[int, Scale]:
    """The scale of scores by game number. Rules saved before this choice existed count up."""
    asked = select(Game.number, Game.rules).where(Game.club_id == club.id, Game.number.in_(numbers))
    wins = {number: rules["win"] for number, rules in db.session.execute(asked)}
    return {number: Scale(win["target"] if win.get("counted") == "down" else None) for number, win in wins.items()}


# --- whole games ------------------------------------------------------------------------------------------------------


MOST_GAMES = 5_000  # with more, records are searched in the latest games
MOST_PAIRS_KEPT = 5_000  # cached pairs of all games before the latest day: a hundred players, each with each other

NamedLists = Mapping[str, Sequence[int]]  # as stored with each game
Pairs = Mapping[Pair, Sequence[int]]  # the lower id first; the numbers of PAIR_COUNTS


class Played(NamedTuple):
    """A finished game; the columns are described in stats.counting."""

    played: date
    number: int
    rules_id: str
    hands: int
    sides: Sides
    bids: dict[str, list[int]]
    deeds: Json


def games(club: Club, choice: Choice) -> Iterator[Played]:
    """The latest MOST_GAMES of the chosen games that were played, in order; forfeits make no records.

    JSON of many games is parsed as one text, three times faster than singly.
    """
    columns = [getattr(GameCount, name) for name in Played._fields]
    found = select(*columns[:4], *(cast(column, Text) for column in columns[4:]))
    latest = found.order_by(GameCount.played.desc(), GameCount.number.desc()).limit(MOST_GAMES)
    for some in in_slices(_of_games(latest, club, choice, PLAYED)[::-1], AT_ONCE):
        texts = ",".join([f"[{','.join(row[4:])}]" for row in some])
        for row, read in zip(some, json.loads(f"[{texts}]"), strict=True):
            yield Played(*row[:4], *read)


def aggregate_pairs(club: Club, choice: Choice) -> Mapping[int, Pairs]:
    """Results of two players in one team, by number of teams (see counting.PAIR_COUNTS)."""
    return {teams: _by_two(pairs) for teams, pairs in _sums_by_teams(club, choice, GameCount.pairs).items()}


def pairs_by_game(club: Club, choice: Choice) -> dict[int, dict[Pair, Sequence[int]]]:
    """Results of two players in one team, by id of the chosen game."""
    found = _of_games(select(GameCount.game_id, GameCount.pairs), club, choice)
    return {game: _by_two(pairs) for game, pairs in found}


def _by_two(pairs: NamedLists) -> dict[Pair, Sequence[int]]:
    two = ((names.partition("-"), done) for names, done in pairs.items())
    return {(int(one), int(other)): done for (one, _, other), done in two}


def aggregate_bids(club: Club, choice: Choice) -> Counter[str]:
    """The results of all bids, as details of the kind BID."""
    found: Counter[str] = Counter()
    for sums in _sums_by_teams(club, choice, GameCount.bids).values():
        found.update({f"{BID}:{bid}:{BID_COUNTS[at]}": number for bid in sums for at, number in enumerate(sums[bid])})
    return found


def _sums_by_teams(club: Club, choice: Choice, column: Any) -> Mapping[int, NamedLists]:
    """The lists of a column, added up over the chosen games, by number of teams."""
    several = select(GameCount.teams, all_values(column))
    several = several.group_by(GameCount.teams, GameCount.number // 1000)  # a thousand games are parsed at once

    def with_games(before: Mapping[int, NamedLists], choice: Choice) -> Mapping[int, NamedLists]:
        found = {teams: dict(sums) for teams, sums in before.items()}
        for teams, values in _of_games(several, club, choice):
            for lists in values:
                add_lists(found.setdefault(teams, {}), lists)
        return found

    return aggregate_with_cache(
        club, choice, column.key, {}, with_games, lambda found: sum(map(len, found.values())) <= MOST_PAIRS_KEPT
    )


def _of_games(found: Select[*tuple[Any, ...]], club: Club, choice: Choice, *asked: ColumnElement[bool]) -> list[Any]:
    """The rows of a query of GameCount, for the chosen games; executed like `results`."""
    # The credit of a group is in no result's row but found by an index: results are long rows.
    played = select(Result.game_id, GameGroup.credit).join(GameGroup, GameGroup.id == Result.group_id)
    there = played.where(*chosen_games(club, choice), Result.seat == 1, *asked).distinct().subquery()
    mine = found.join(there, and_(*(getattr(GameCount, one.name) == one for one in there.c)))
    db.session.flush()
    return list(db.session.connection().execute(mine))

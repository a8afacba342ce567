"""What there is to count: each player's numbers over the games chosen, from the tallies or game by game."""

from __future__ import annotations

import json
from collections import Counter, defaultdict, namedtuple
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, permutations
from typing import Any, NamedTuple, Protocol

from sqlalchemy import ColumnElement, Row, Select, and_, func, or_, select
from sqlalchemy.orm import aliased

from scorekeeper.database.session import as_json, db
from scorekeeper.models import Club, GameGroup, GroupSeason, Player, Result, Tally

from .counts import FORM_LENGTH, SUMS, PlayerId, win_share
from .credit import BOTH
from .detail import only
from .rating_model import Rating
from .ratings import rate_next, rating_before
from .schemes import Scheme


@dataclass(frozen=True)
class Choice:
    """Which games are looked at: None is all of them. `present`: only games that count for all of these."""

    season_id: int | None = None
    rules_id: str | None = None
    players: int | None = None
    teams: int | None = None
    since: date | None = None
    until: date | None = None
    present: frozenset[PlayerId] = frozenset()

    @property
    def by_games(self) -> bool:
        """Whether single games are chosen, so that what was added up is of no use."""
        return bool(self.since or self.until or self.present)


class Extra(NamedTuple):
    """What a player's nights and bonus points are worth in a season that counts them: see stats.nights.

    `nights` with a game played, all `days` with a game or a forfeit, how many of those are `counted`, and the bonus.
    """

    worth: Fraction
    nights: int
    days: int
    counted: int
    bonus: int


@dataclass
class Record:
    """What a player has done in the games chosen.

    `form` is the last games (from single games: all of them), the latest last: W, S or L. The rating is
    the one after the last of them. What was won or lost without being played is in the sums, and not in the form.
    """

    sums: Counter[str] = field(default_factory=Counter)
    form: list[tuple[date, int, str]] = field(default_factory=list)
    rating: Rating | None = None
    mu_before: float | None = None  # the last game
    extra: Extra | None = None

    @property
    def games(self) -> int:
        return self.sums["games"]

    @property
    def played(self) -> int:
        """The games without the forfeits."""
        return self.sums["games"] - self.sums["forfeits"]

    @property
    def share(self) -> Fraction:
        """Games won, a tied one half, of the games played; 0 before the first."""
        return win_share(self.sums["won"], self.sums["shared"], self.sums["games"])

    @property
    def margin(self) -> Fraction:
        """The own score less the best of the others', on average of the games that were played."""
        games = self.played
        return Fraction(self.sums["points_for"] - self.sums["points_against"], games) if games else Fraction(0)

    @property
    def last(self) -> tuple[date, int] | None:
        return self.form[-1][:2] if self.form else None


Duels = dict[tuple[PlayerId, PlayerId], int]


class Gathered(Protocol):
    """The numbers of the games chosen."""

    @property
    def records(self) -> dict[PlayerId, Record]: ...

    def duels(self, level: Sequence[PlayerId], /) -> Duels:
        """How many games each of these players has won, alone, against each other one of them; maybe others, too."""

    def before(self, night: date) -> Gathered:
        """The same without what was played from that night on, which has to be the last one."""


def gather(club: Club, choice: Choice, *, rate_alone: bool = False) -> Gathered:
    """The numbers of the games chosen; where whole groups are, from what was added up of them.

    `rate_alone`: everybody begins them as a newcomer, and is rated by no other game.
    """
    if rate_alone:
        return gather_games(club, choice, rate_alone=True)
    return Chosen(club, choice) if choice.by_games else Tallied(club, choice)


def chosen_groups(club: Club, choice: Choice) -> ColumnElement[bool]:
    """The groups of a club that a choice is about."""
    wanted = {
        GameGroup.rules_id: choice.rules_id,
        GameGroup.players: choice.players,
        GameGroup.teams: choice.teams,
    }
    asked = [column == value for column, value in wanted.items() if value is not None]
    here = [GameGroup.credit == "" if choice.season_id is None else in_season(choice.season_id)]
    return and_(GameGroup.club_id == club.id, *here, *asked)


def in_season(season_id: int) -> ColumnElement[bool]:
    """The groups whose games count in a season."""
    also = select(GroupSeason.group_id).where(GroupSeason.season_id == season_id)
    return or_(GameGroup.season_id == season_id, GameGroup.id.in_(also))


def as_counted_in(season_id: int, of: Any = Result) -> ColumnElement[bool]:
    """The results of each game as that season counts it, and of others as all games do."""
    groups = select(GameGroup.id).where(in_season(season_id), GameGroup.credit != "")
    again = aliased(Result)
    games = select(again.game_id).where(again.group_id.in_(groups))
    return or_(of.group_id.in_(groups), and_(of.credit == "", of.game_id.not_in(games)))


def latest_day(club_id: int) -> date | None:
    """The latest day with a game that counts; found by an index."""
    return db.session.scalar(select(func.max(Result.played)).where(Result.club_id == club_id))


# --- how many games ---


ONCE = Result.games == 1, Result.seat == 1  # whom a game counts for in one of its seats: one player, or two


def distinct_games(*asked: ColumnElement[bool]) -> int:
    """How many games those results are of that count for somebody."""
    return db.session.scalar(select(func.count(Result.game_id.distinct())).where(*asked, *ONCE)) or 0


def games_by_season(club: Club, *asked: ColumnElement[bool]) -> Counter[int | None]:
    """How many games each season of a club has, and how many are in none; of some groups only, where asked."""
    also = also_in(club.id)
    games: Counter[int | None] = Counter()
    for group, (seasons, _, number) in _games_by_group(club, *asked).items():
        games.update(dict.fromkeys((*seasons, *also[group]), number))
    return games


def count_games(club: Club, *asked: ColumnElement[bool]) -> int:
    """How many games those groups of a club have."""
    return sum(number for *_, number in _games_by_group(club, *asked).values())


def also_in(club_id: int) -> dict[int, tuple[int, ...]]:
    """The seasons that each group counts in besides its first one, where there are any."""
    found: dict[int, tuple[int, ...]] = defaultdict(tuple)
    rows = select(GroupSeason.group_id, GroupSeason.season_id).join(GameGroup).where(GameGroup.club_id == club_id)
    for group, season_id in db.session.execute(rows.order_by(GroupSeason.season_id)):
        found[group] += (season_id,)
    return found


def _games_by_group(club: Club, *asked: ColumnElement[bool]) -> dict[int, tuple[tuple[int | None, ...], int, int]]:
    """The first season of each group that has one, how many sides its games have, and how many games it has.

    From the tallies, which have each game once a seat; but game by game where one can count for two in a seat.
    """
    shared = [season.id for season in club.seasons if Scheme.from_dict(season.settings).credit == BOTH]
    kind = GameGroup.season_id, GameGroup.credit, GameGroup.teams, GameGroup.players
    columns = GameGroup.id, *kind, func.sum(Tally.games)
    added = select(*columns).join(Tally, Tally.group_id == GameGroup.id).group_by(GameGroup.id)
    found: dict[int, tuple[tuple[int | None, ...], int, int]] = {}
    for group, season_id, credit, teams, players, seats in db.session.execute(
        added.where(GameGroup.club_id == club.id, *asked)
    ):
        is_shared = credit == BOTH or season_id in shared
        number = distinct_games(Result.group_id == group) if is_shared else seats // players
        found[group] = () if credit else (season_id,), teams or players, number
    return found


def games_by_sides(club: Club, choice: Choice) -> dict[int, int]:
    """How many of the games chosen have so many sides, by that number."""
    games: Counter[int] = Counter()
    if choice.by_games:
        columns = GameGroup.teams, GameGroup.players, func.count(Result.game_id.distinct())
        found = select(*columns).join(GameGroup, GameGroup.id == Result.group_id).where(*ONCE)
        rows = db.session.execute(found.where(*chosen_games(club, choice)).group_by(GameGroup.teams, GameGroup.players))
        for teams, players, number in rows:
            games[teams or players] += number
    else:
        for _, sides, number in _games_by_group(club, chosen_groups(club, choice)).values():
            games[sides] += number
    return {sides: number for sides, number in sorted(games.items()) if number}


# --- from the tallies ---------------------------------------------------------------------------------------------


class Tallied:
    """The numbers of whole groups: as much work after a million hands as after a thousand."""

    def __init__(self, club: Club, choice: Choice) -> None:
        self.groups = list(db.session.scalars(select(GameGroup.id).where(chosen_groups(club, choice))))
        self._mine = Tally.group_id.in_(self.groups)
        self.records = _added_up(Tally, self._mine)
        for number, games in self._forms().items():
            latest = sorted(games)[-FORM_LENGTH:]
            self.records[number].form = [(date.fromisoformat(played), game, end) for played, game, end in latest]
        _rate(self.records)

    def _forms(self) -> dict[PlayerId, list[list[Any]]]:
        forms: dict[PlayerId, list[list[Any]]] = defaultdict(list)
        for number, games in db.session.execute(select(Tally.player_id, Tally.form).where(self._mine)):
            forms[number] += games
        return forms

    def duels(self, level: Sequence[PlayerId], /) -> Duels:
        rows = select(Tally.player_id, Tally.beaten).where(self._mine, Tally.player_id.in_(level))
        won: Counter[tuple[PlayerId, PlayerId]] = Counter()
        for one, beaten in db.session.execute(rows):
            won.update({(one, other): beaten.get(str(other), 0) for other in level if other != one})
        return won

    def before(self, night: date) -> Gathered:
        rows = _rows(Result.group_id.in_(self.groups), Result.played >= night)
        return Earlier(self, rows, night)


def _added_up(table: type[Tally] | type[Result], *asked: ColumnElement[bool]) -> dict[PlayerId, Record]:
    """Everybody's sums, added up by the database."""
    columns = [func.sum(getattr(table, name)) for name in SUMS]
    added = select(table.player_id, *columns).where(*asked).group_by(table.player_id)
    rows = db.session.execute(added)
    return {number: Record(Counter(dict(zip(SUMS, sums, strict=True)))) for number, *sums in rows}


class Earlier:
    """The numbers of the games chosen less those of the last night."""

    def __init__(self, now: Tallied | Chosen | Gathering, rows: Sequence[Row[Any]], night: date) -> None:
        self._now, self._since = now, Gathering(rows)
        since = self._since.records
        self.records = {number: _less(record, since.get(number), night) for number, record in now.records.items()}
        for row in reversed(rows):
            if row.mu_before is not None:
                self.records[row.player_id].rating = Rating(row.mu_before, row.sigma_before)

    def duels(self, level: Sequence[PlayerId], /) -> Duels:
        now, since = self._now.duels(level), self._since.duels(level)
        return {pair: now.get(pair, 0) - since.get(pair, 0) for pair in permutations(level, 2)}

    def before(self, night: date) -> Gathered:
        raise NotImplementedError("one night back is as far as this goes")


def _less(record: Record, since: Record | None, night: date) -> Record:
    sums = Counter(record.sums)
    if since:
        sums.subtract(since.sums)
    return Record(sums, [game for game in record.form if game[0] < night], record.rating)


AT_ONCE = 200  # a condition for each: a database takes so many, and not very many more


def results_at(games: Sequence[tuple[PlayerId, date, int]]) -> Iterator[Row[Any]]:
    """Each of those players' ratings before and after that game; asked one by one, it is found by the index."""
    place = Result.player_id, Result.played, Result.number
    found = select(Result.player_id, Result.mu_before, Result.mu, Result.sigma)
    for first in range(0, len(games), AT_ONCE):
        some = games[first : first + AT_ONCE]
        asked = or_(*(and_(*(column == at for column, at in zip(place, game, strict=True))) for game in some))
        rows: Any = db.session.execute(found.where(asked))
        yield from rows


def _rate(records: Mapping[PlayerId, Record]) -> None:
    """Give every record the rating after its last game."""
    games = [(number, *record.last) for number, record in records.items() if record.last]
    for row in results_at(games):
        if row.mu is not None:
            records[row.player_id].rating = Rating(row.mu, row.sigma)
            records[row.player_id].mu_before = row.mu_before
    for number, record in records.items():
        if record.last and record.rating is None:  # the last game of a season may count for somebody else in others
            record.rating = rating_before(number, record.last)


# --- single games, added up by the database -----------------------------------------------------------------------


class Chosen:
    """The numbers of single games. The database reads all results, and gives a few numbers of each player."""

    def __init__(self, club: Club, choice: Choice) -> None:
        self._mine = chosen_games(club, choice)
        self._won: Duels | None = None
        self.records = _added_up(Result, *self._mine)
        for number, text in db.session.execute(self._forms()).all():
            games = sorted(json.loads(text)) if text else []
            if games:
                form = [(date.fromisoformat(played), game, _letter(won, shared)) for played, game, won, shared in games]
                self.records[number].form = form
        _rate(self.records)

    def _forms(self) -> Select[Any]:
        """The last games of each player: found by the index of a player's results, however many there are."""
        columns = Result.played, Result.number, Result.won, Result.shared
        mine = select(*columns).where(Result.player_id == Player.id, *self._mine, Result.games > Result.forfeits)
        last = mine.order_by(Result.played.desc(), Result.number.desc()).limit(FORM_LENGTH)
        found = last.correlate(Player).subquery()
        return select(Player.id, select(as_json(*found.c)).scalar_subquery()).where(Player.id.in_(self.records))

    def duels(self, _level: Sequence[PlayerId], /) -> Duels:
        """Counted when somebody asks, of all players at once: who is tied is told apart again and again."""
        if self._won is None:
            other = aliased(Result)
            met = and_(other.game_id == Result.game_id, other.credit == Result.credit)
            met = and_(met, other.unit != Result.unit, other.games == 1)
            pairs = Result.player_id, other.player_id
            won = select(*pairs, func.count()).join(other, met).where(*self._mine, Result.won == 1).group_by(*pairs)
            self._won = {(one, loser): games for one, loser, games in db.session.execute(won)}
        return self._won

    def before(self, night: date) -> Gathered:
        return Earlier(self, _rows(*self._mine, Result.played >= night), night)


# --- game by game -------------------------------------------------------------------------------------------------


class Gathering:
    """The numbers of single games; `rows` are the players' results in the order in which the games were played.

    Without `with_form` the records have neither form nor the rating before the last game, which places do not need.
    """

    def __init__(self, rows: Sequence[Row[Any]], *, with_form: bool = True) -> None:
        self._with_form = with_form
        self.rows: list[Row[Any]] = []
        self.records: dict[PlayerId, Record] = defaultdict(Record)
        self._won: dict[PlayerId, int] = defaultdict(int)  # the games that each player won alone, a bit each
        self._not_won: dict[PlayerId, int] = defaultdict(int)  # and the others
        self._bits: dict[int, int] = {}  # each game's bit
        self._met = 0  # rows that are in those
        self.add(rows)

    def add(self, rows: Sequence[Row[Any]]) -> None:
        """Count whole games that were played after all others."""
        self.rows += rows
        for player, mine in _by_player(rows).items():
            record = self.records[player]
            _count(record, mine)
            rated = next((row for row in reversed(mine) if row.mu is not None), None)
            if rated is not None:
                record.rating = Rating(rated.mu, rated.sigma)
            if self._with_form:
                record.form += _form(mine)
                record.mu_before = rated.mu_before if rated is not None else record.mu_before

    def duels(self, level: Sequence[PlayerId], /) -> Duels:
        """Counted when somebody asks: in most tables nobody is tied."""
        rows, self._met = self.rows[self._met :], len(self.rows)
        won, not_won, bits = self._won, self._not_won, self._bits
        for row in rows:
            if row.games:
                (won if row.won else not_won)[row.player_id] |= 1 << bits.setdefault(row.game_id, len(bits))
        return {(one, other): (won[one] & not_won[other]).bit_count() for one, other in permutations(level, 2)}

    def before(self, night: date) -> Gathered:
        return Earlier(self, [row for row in self.rows if row.played >= night], night)


def _by_player(rows: Iterable[Row[Any]]) -> dict[PlayerId, list[Row[Any]]]:
    found: dict[PlayerId, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        found[row[PLAYER_AT]].append(row)
    return found


def _count(record: Record, rows: Sequence[Row[Any]]) -> None:
    """Add a player's later results: there are thousands of them, each with many sums."""
    sums, names = record.sums, _sums_in(rows[0]._fields)
    counted = zip(*[row[-len(names) :] for row in rows], strict=True)
    for name, number in zip(names, map(sum, counted), strict=True):
        sums[name] += number


@lru_cache
def _sums_in(names: tuple[str, ...]) -> tuple[str, ...]:
    """Which of the sums are in a row, always the last ones."""
    return tuple(name for name in names if name in SUMS)


def _form(rows: Sequence[Row[Any]]) -> list[tuple[date, int, str]]:
    return [(row.played, row.number, _letter(row.won, row.shared)) for row in rows if row.games > row.forfeits]


def _letter(won: int, shared: int) -> str:
    return "W" if won else "S" if shared else "L"


def gather_games(club: Club, choice: Choice, *, rate_alone: bool = False) -> Gathering:
    """The numbers of the games chosen, game by game; see `gather`."""
    return Gathering(result_rows(club, choice, rate_alone=rate_alone))


def result_rows(club: Club, choice: Choice, *, rate_alone: bool = False) -> Sequence[Row[Any]]:
    """The players' results in the games chosen, in the order in which they were played; `rate_alone`: see `gather`."""
    rows = _rows(*chosen_games(club, choice))
    return _rated_alone(club, rows) if rate_alone else rows


def player_rows(player: Player, choice: Choice) -> Sequence[Row[Any]]:
    """A player's results in the games chosen, in the order in which they were played."""
    return _rows(*chosen_games(player.club, choice), Result.player_id == player.id)


def placing_rows(club: Club, choice: Choice, scheme: Scheme) -> Sequence[Row[Any]]:
    """The same with what places and ratings of players follow from: thousands of long rows, of which that is half."""
    if scheme.rates_alone or scheme.is_of_pairs:
        return result_rows(club, choice, rate_alone=scheme.rates_alone)
    return _rows(*chosen_games(club, choice), of=Placing)


def _rated_alone(club: Club, rows: Sequence[Row[Any]]) -> list[Any]:
    """The same results, rated as if these games were the only ones."""
    guests = set(db.session.scalars(select(Player.id).where(Player.club_id == club.id, Player.guest)))
    current: dict[PlayerId, Rating | None] = {}
    found = []
    for _, results in groupby(rows, key=lambda row: row.game_id):
        game = list(results)
        counted = [row for row in game if row.games > row.forfeits]
        rated = {row.player_id: both for row, both in rate_next(counted, current, guests)} if counted else {}
        found += [_with_ratings(row, rated.get(row.player_id)) for row in game]
    return found


def _with_ratings(row: Row[Any], both: Any) -> Any:
    (m0, s0), (m1, s1) = both or ((None, None), (None, None))
    return row._replace(mu_before=m0, sigma_before=s0, mu=m1, sigma=s1)


def chosen_games(club: Club, choice: Choice) -> list[ColumnElement[bool]]:
    """The results that a choice is about."""
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


PLAYER_AT = 1
# The sums are the last of them.
NAMES = (
    *("game_id", "player_id", "played", "number", "seat", "unit", "place", "mu_before", "sigma_before", "mu", "sigma"),
    *SUMS,
)
COLUMNS = [getattr(Result, name) for name in NAMES]
_Rated = namedtuple("_Rated", NAMES)  # type: ignore[misc]
Rated: Any = _Rated  # a player's result in a game
PLACING = (
    *("game_id", "player_id", "played", "number", "mu", "sigma"),
    *("games", "won", "shared", "lost", "points_for", "points_against", "sets", "forfeits"),
)
_Placing = namedtuple("_Placing", PLACING)  # type: ignore[misc]
Placing: Any = _Placing  # what of it places and ratings follow from


def _rows(*asked: ColumnElement[bool], of: Any = Rated) -> Sequence[Any]:
    """As named tuples: thousands of them are looked at again and again, which takes a third of the time of rows.

    By the connection: the session would look at each row for objects, which takes another third.
    """
    columns = [getattr(Result, name) for name in of._fields]
    ordered = select(*columns).where(*asked).order_by(Result.played, Result.number, Result.seat)
    db.session.flush()
    return list(map(of._make, db.session.connection().execute(ordered).all()))


# --- the details --------------------------------------------------------------------------------------------------


def gather_details(
    club: Club, choice: Choice, *, kind: str = "", player_id: PlayerId | None = None, teams: int | None = None
) -> dict[PlayerId, Counter[str]]:
    """The details (see counts) of the games chosen, or of those of so many teams, added up by player.

    All kinds of them, or only one: a tally has hundreds, most of them about other players.
    """
    table = Result if choice.by_games else Tally
    asked = chosen_games(club, choice) if choice.by_games else [chosen_groups(club, choice)]
    found = select(table.player_id, table.detail).join(GameGroup, GameGroup.id == table.group_id).where(*asked)
    if player_id is not None:
        found = found.where(table.player_id == player_id)
    if teams is not None:
        found = found.where(GameGroup.teams == teams)
    details: dict[PlayerId, Counter[str]] = defaultdict(Counter)
    for number, detail in db.session.execute(found):
        details[number].update(only(detail, kind) if kind else detail)
    return details

"""Standings: the place of each player, or pair of players, in the games chosen, and before the last game night.

A night is worth its wins, or its points; the points for attendance come to every night with a game that was played. By
`Scheme.best` only a player's best nights count. Bonus points come to that in a season ordered by points. A pair is two
players who sat in one team of two, in every game in which they did; a team of three or more is no pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import chain, combinations, groupby, product
from math import ceil
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result, Season

from .counting import FORM_LENGTH, INFLICTED, TOGETHER, Pair, PlayerId, add_lists, by_chance, wilson, win_share, wins
from .league import Bonus, ids_of, league_of, start_of
from .query import (
    Aggregates,
    Choice,
    Entry,
    NightPoints,
    Person,
    PlayerStats,
    ResultRow,
    RowAggregates,
    aggregate,
    aggregate_pairs,
    chosen_games,
    closed_season,
    members_of,
    pairs_by_game,
    placing_rows,
    players_in,
    result_rows,
)
from .ratings import LEAST_GAMES
from .schemes import HEAD_TO_HEAD, LADDER, MARGIN, POINTS, RATING, SETS, SHARE, SWAP, WINS, Scheme

# --- what nights are worth --------------------------------------------------------------------------------------------


NightRow = tuple[Entry, date, int, int, int, int]  # who, the night, games won, shared, lost, and not played


class Night(NamedTuple):
    """One night of a player's: what it is worth, and whether anything was played."""

    day: date
    worth: Fraction
    attended: bool


class Nights:
    """The nights of everybody in the games chosen, by a scheme."""

    def __init__(self, scheme: Scheme, rows: Iterable[NightRow], bonuses: Iterable[tuple[PlayerId, Bonus]]) -> None:
        self.scheme = scheme
        self._nights: dict[Entry, list[Night]] = defaultdict(list)
        for player, day, won, shared, lost, forfeits in rows:
            attended = won + shared + lost > forfeits
            points = won * scheme.won + shared * scheme.shared + lost * scheme.lost + attended * scheme.attended
            worth = wins(won, shared) if scheme.by == WINS else Fraction(points)
            self._nights[player].append(Night(day, worth, attended))
        self._bonuses: dict[Entry, list[Bonus]] = defaultdict(list)
        for player, bonus in bonuses:
            self._bonuses[player].append(bonus)

    def give(self, records: Mapping[Entry, PlayerStats], before: date = date.max) -> None:
        """Set each record's `extra` from its nights, or only from nights before `before`."""
        for player, record in records.items():
            nights = [night for night in self._nights.get(player, ()) if night.day < before]
            best = sorted((night.worth for night in nights), reverse=True)[: self.scheme.best or None]
            bonuses = [bonus for member in players_in(player) for bonus in self._bonuses.get(member, ())]
            bonus = sum(one.points for one in bonuses if one.day < before)
            attended = sum(night.attended for night in nights)
            record.extra = NightPoints(sum(best, Fraction(bonus)), attended, len(nights), len(best), bonus)


def bonuses_in(club: Club, scheme: Scheme, choice: Choice) -> list[tuple[PlayerId, Bonus]]:
    """The bonuses that count in the games chosen, each with its player: of a season by points, up to the last day."""
    narrowed = choice.rules_id or choice.players or choice.since or choice.present
    if scheme.by != POINTS or narrowed:
        return []
    given = league_of(choice.season_id).counting
    ids = ids_of(club.id) if given else {}
    return [
        (ids[bonus.player], bonus)
        for bonus in given
        if bonus.player in ids and (choice.until is None or bonus.day <= choice.until)
    ]


def nights_of(club: Club, scheme: Scheme, choice: Choice, pairs: Iterable[ResultRow] | None = None) -> Nights | None:
    """The nights of the games chosen; None where the sums alone say what a record is worth.

    `pairs` are the results of pairs, where those are the entries: a bonus of one of the two is the pair's.
    """
    bonuses = bonuses_in(club, scheme, choice)
    if not bonuses and not scheme.by_nights:
        return None
    return Nights(scheme, _by_night(club, choice) if pairs is None else _pairs_by_night(pairs), bonuses)


def _by_night(club: Club, choice: Choice) -> list[NightRow]:
    counted = (func.sum(getattr(Result, name)) for name in ("won", "shared", "lost", "forfeits"))
    asked = select(Result.player_id, Result.played, *counted).where(*chosen_games(club, choice), Result.games == 1)
    rows = db.session.execute(asked.group_by(Result.player_id, Result.played)).all()
    return [(player, day, *map(int, sums)) for player, day, *sums in rows]  # PostgreSQL adds up to a Decimal


# --- pairs ------------------------------------------------------------------------------------------------------------


SETS_AT, INFLICTED_AT = TOGETHER.index("sets"), TOGETHER.index(INFLICTED)


def pair_rows(rows: Iterable[ResultRow], together: Mapping[int, Mapping[Pair, Sequence[int]]]) -> list[ResultRow]:
    """The results of the pairs, from those of the players in the order in which the games were played.

    `together` is what each two players in one team did in each game, by its id: the numbers of TOGETHER.
    """
    found = []
    for game_id, game in groupby((row for row in rows if row.games), key=attrgetter("game_id")):
        teams: dict[str, dict[int, list[ResultRow]]] = {}
        for row in game:
            teams.setdefault(row.unit, {}).setdefault(row.seat, []).append(row)
        for seats in teams.values():
            if len(seats) == 2:
                found += [_together(one, other, together[game_id]) for one, other in product(*seats.values())]
    return found


def _together(one: ResultRow, other: ResultRow, together: Mapping[Pair, Sequence[int]]) -> ResultRow:
    """The result of two players in one team. It has no rating: a pair has none."""
    pair = min(one.player_id, other.player_id), max(one.player_id, other.player_id)
    done = together.get(pair)  # nothing where the two never sat there at the same time
    return one._replace(
        player_id=pair,
        hands=one.hands + other.hands,
        bids=one.bids + other.bids,
        made=one.made + other.made,
        sets=done[SETS_AT] if done else 0,
        inflicted=done[INFLICTED_AT] if done else 0,
        mu_before=None,
        sigma_before=None,
        mu=None,
        sigma=None,
    )


def pair_name(pair: Pair, names: Mapping[PlayerId, str]) -> str:
    """Both names, in the order of the alphabet."""
    return " and ".join(sorted((names[player] for player in pair), key=str.casefold))


def _pairs_by_night(rows: Iterable[ResultRow]) -> Iterator[NightRow]:
    for night, played in groupby(rows, key=attrgetter("played")):
        for pair, mine in RowAggregates(list(played), with_form=False).records.items():
            yield pair, night, mine.sums["won"], mine.sums["shared"], mine.sums["lost"], mine.sums["forfeits"]


# --- a ladder: everybody stands on a rung, and whoever beats somebody above moves up (docs/league.md) -----------------


class LadderGame(NamedTuple):
    """A game as a ladder sees it: who took part, seat by seat, and who beat whom; nobody where several sides won."""

    played: date
    number: int
    players: tuple[Entry, ...]
    winners: tuple[Entry, ...]
    losers: tuple[Entry, ...]


class Step(NamedTuple):
    """A move up: in which game, who, from which rung to which, and past whom. Rungs are numbered from 1."""

    game: LadderGame
    player: Entry
    start: int
    end: int
    past: Entry


class Ladder:
    """The players of a table in their order, the first on the top rung; others are not on it. Some begin on a rung."""

    def __init__(self, scheme: Scheme, players: Collection[Entry], start: Sequence[Entry] = ()) -> None:
        self._scheme, self._players = scheme, players
        self.order = [one for one in start if one in players]
        self.steps: list[Step] = []

    def play(self, games: Iterable[LadderGame]) -> Ladder:
        """Let games move the players, in their order. Whoever plays for the first time starts on a new bottom rung."""
        for game in games:
            self.order += [one for one in game.players if one in self._players and one not in self.order]
            was = {one: rung for rung, one in enumerate(self.order)}
            for winner in sorted((one for one in game.winners if one in was), key=was.__getitem__):
                highest = was[winner] - self._scheme.reach if self._scheme.reach else 0  # that may be challenged
                near = [one for one in game.losers if one in was and was[one] >= highest]
                self._climb(winner, near, game)
        return self

    def _climb(self, winner: Entry, losers: Sequence[Entry], game: LadderGame) -> None:
        start = self.order.index(winner)
        end = min((self.order.index(one) for one in losers), default=start)
        if end >= start:
            return
        past = self.order[end]
        if self._scheme.climb == SWAP:
            self.order[start], self.order[end] = past, winner
        else:
            self.order.insert(end, self.order.pop(start))
        self.steps.append(Step(game, winner, start + 1, end + 1, past))


def ladder_games(rows: Iterable[ResultRow]) -> list[LadderGame]:
    """The games of a ladder, from the results of players, or of pairs, in the order in which they were played."""
    found = []
    for _, counting in groupby((row for row in rows if row.games), key=lambda row: row.game_id):
        game = list(counting)
        winners = [row.player_id for row in game if row.won]
        losers = [row.player_id for row in game if not (row.won or row.shared)]
        players = [row.player_id for row in game]
        found.append(LadderGame(game[0].played, game[0].number, tuple(players), tuple(winners), tuple(losers)))
    return found


# --- the table --------------------------------------------------------------------------------------------------------


INACTIVE = timedelta(days=90)  # so long without a game before the club's last: a table of ratings leaves a player out
RETIRED, AWAY = "retired", "away"  # why a table of ratings leaves a player out
MOST_NIGHTS = 40  # after each of which places are shown: a phone is not wide enough for more
STEPS = 24  # in which at most they are followed over more nights than that


@dataclass(frozen=True)
class Line:
    """A player in the table. `place` is None where there is none yet; `was` the place before the last game night.

    `gone` says why a table of ratings leaves the player out: RETIRED, AWAY or nothing. In a season with divisions the
    places are those of the player's `division`.
    """

    player: Person
    record: PlayerStats
    place: int | None
    was: int | None
    points: Fraction | float
    gone: str = ""
    division: str = ""

    @property
    def moved(self) -> int | None:
        """How many places up since the last game night (down: below 0); None where one of the two is missing."""
        return None if self.place is None or self.was is None else self.was - self.place

    @property
    def form(self) -> str:
        """The last games, the latest last."""
        return "".join(letter for _, _, letter in self.record.form[-FORM_LENGTH:])


@dataclass(frozen=True)
class Standings:
    """The ranked lines, unplaced players last; `hidden` are retired or inactive players."""

    lines: tuple[Line, ...]
    hidden: tuple[Line, ...]
    night: date | None

    @property
    def leaders(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.place == 1)


@dataclass(frozen=True)
class Entrants:
    """Who is in a table: players, or pairs of them; whom it leaves out, and in which division each is.

    Of a ladder also the games that make it, and who was put on which rung before the first.
    """

    everybody: Mapping[Any, Person]  # by Entry
    gone: Mapping[Entry, str]
    divisions: Mapping[Entry, str]
    games: Sequence[LadderGame]
    start: Sequence[Entry]

    def places(self, found: Aggregates, scheme: Scheme, before: date = date.max) -> dict[Entry, int | None]:
        """Everybody's place in the division, those of no division among themselves: all games of the season count.

        `found` is what the games before a day came to.
        """
        places: dict[Entry, int | None] = {}
        for members in self.members:
            if scheme.by == LADDER:  # whoever has left it was passed by those who are on it
                ladder = Ladder(scheme, members, self.start).play(game for game in self.games if game.played < before)
                places |= self._rungs(ladder, found, scheme)
            else:
                here = {entry: player for entry, player in members.items() if entry not in self.gone}
                places |= places_of(found, here, scheme)
        return places

    def _rungs(self, ladder: Ladder, found: Aggregates, scheme: Scheme) -> dict[Entry, int | None]:
        """The place of everybody on a ladder; whoever has too few games is passed over, and began on no rung.

        Whoever is gone has moved the others, and is then left out.
        """
        there = [one for one in ladder.order if (one in found.records or one in self.start) and one not in self.gone]
        racing = [one for one in there if one in self.start or has_place(found.records[one], scheme)]
        return dict.fromkeys(there) | {one: place for place, one in enumerate(racing, 1)}

    @property
    def members(self) -> list[dict[Entry, Person]]:
        """Who is in each division, and those of none; also whom the table leaves out."""
        names = sorted(set(self.divisions.values()) | {""})
        return [
            {one: who for one, who in self.everybody.items() if self.divisions.get(one, "") == name} for name in names
        ]


def standings(club: Club, scheme: Scheme, choice: Choice) -> Standings:
    """The table of the games chosen. Guests are not in it."""
    rows = _pair_rows(club, choice) if scheme.is_of_pairs else None
    found = aggregate(club, choice, rate_alone=scheme.rates_alone) if rows is None else RowAggregates(rows)
    return _table(_entrants(club, scheme, choice, rows), found, nights_of(club, scheme, choice, rows), scheme)


def climbs(club: Club, scheme: Scheme, choice: Choice) -> list[tuple[Step, str, str]]:
    """Every move up a ladder in its order, with the names of who moved and of who was passed."""
    rows = _pair_rows(club, choice) if scheme.is_of_pairs else None
    entrants = _entrants(club, scheme, choice, rows)
    ladders = (Ladder(scheme, members, entrants.start).play(entrants.games) for members in entrants.members)
    steps = [step for ladder in ladders for step in ladder.steps]
    steps.sort(key=lambda step: (step.game.played, step.game.number))
    names = {entry: person.name for entry, person in entrants.everybody.items()}
    return [(step, names[step.player], names[step.past]) for step in steps]


def _table(entrants: Entrants, found: Aggregates, nights: Nights | None, scheme: Scheme) -> Standings:
    if nights:
        nights.give(found.records)
    night = max((record.form[-1][0] for record in found.records.values() if record.form), default=None)
    places = entrants.places(found, scheme)
    was: dict[Entry, int | None] = {}
    if night:
        earlier = found.before(night)
        if nights:
            nights.give(earlier.records, before=night)
        was = entrants.places(earlier, scheme, night)
    places |= {one: None for one in entrants.gone if one in found.records and found.records[one].games}
    lines = []
    for one, place in places.items():
        record = found.records.get(one) or PlayerStats()  # who was put on a rung may have no game yet
        gone, division = entrants.gone.get(one, ""), entrants.divisions.get(one, "")
        worth = points(record, scheme)
        lines.append(Line(entrants.everybody[one], record, place, was.get(one), worth, gone, division))
    lines.sort(key=_order)
    return Standings(tuple(line for line in lines if not line.gone), tuple(line for line in lines if line.gone), night)


def _entrants(club: Club, scheme: Scheme, choice: Choice, pairs: Sequence[ResultRow] | None) -> Entrants:
    """The players; or the pairs without a guest, of which one is in a division where both players are."""
    players, divisions = members_of(club, choice), divisions_in(club, choice)
    is_ladder = scheme.by == LADDER
    if pairs is None:
        rows = result_rows(club, choice) if is_ladder else []
        games = ladder_games(sorted(rows, key=attrgetter("played", "number", "seat", "player_id")))
        start = start_of(club.id, choice.season_id) if is_ladder else []
        return Entrants(players, _gone(club, scheme, choice, players), divisions, games, start)
    names = {player_id: player.name for player_id, player in players.items()}
    here = {row.player_id for row in pairs if all(player_id in players for player_id in row.player_id)}
    same = {pair: divisions[pair[0]] for pair in here if divisions.get(pair[0], "") == divisions.get(pair[1], None)}
    games = ladder_games(pairs) if is_ladder else []  # no pair begins on a rung
    return Entrants({pair: Person(pair, pair_name(pair, names), False) for pair in here}, {}, same, games, [])


def _pair_rows(club: Club, choice: Choice, rows: Iterable[ResultRow] | None = None) -> list[ResultRow]:
    return pair_rows(result_rows(club, choice) if rows is None else rows, pairs_by_game(club, choice))


def divisions_in(club: Club, choice: Choice) -> dict[Entry, str]:
    """The division of each player of a season who is in one."""
    division_of = league_of(choice.season_id).division_of
    ids = ids_of(club.id) if division_of else {}
    return {ids[uid]: name for uid, name in division_of.items() if uid in ids}


def _order(line: Line) -> tuple[object, ...]:
    no_place = line.place is None
    return line.division == "", line.division, no_place, line.place or 0, -line.points, line.player.name.casefold()


def _gone(club: Club, scheme: Scheme, choice: Choice, players: Mapping[PlayerId, Person]) -> dict[Entry, str]:
    """Whom a table of ratings leaves out, and why: who has retired, and who has not played in the club for long.

    A ladder leaves out who has retired. A closed season keeps who was in its table when it was closed.

    Any game in the club counts, under whatever rules and in whatever season, up to the last day of the table.
    """
    if closed_season(choice):
        return {}
    if scheme.by == LADDER and not choice.until:
        return {player_id: RETIRED for player_id, player in players.items() if player.retired}
    if scheme.by != RATING:
        return {}
    season = db.session.get(Season, choice.season_id) if choice.season_id else None
    last = _last_played(club, choice.until or (season.ends if season else None))
    latest = max(last.values(), default=date.min)
    away: dict[Entry, str] = {
        player_id: AWAY for player_id in players.keys() & last.keys() if last[player_id] + INACTIVE < latest
    }
    if choice.until:  # whoever has retired since had not
        return away
    return away | {player_id: RETIRED for player_id, player in players.items() if player.retired}


def _last_played(club: Club, until: date | None) -> dict[PlayerId, date]:
    """When each player last played a hand of a finished game, up to a day."""
    found = select(Result.player_id, func.max(Result.played).label("last")).where(Result.club_id == club.id)
    asked = found if until is None else found.where(Result.played <= until)
    return {row.player_id: row.last for row in db.session.execute(asked.group_by(Result.player_id))}


# --- places -------------------------------------------------------------------------------------------------------


def points(record: PlayerStats, scheme: Scheme) -> Fraction | float:
    """What the table is ordered by."""
    sums = record.sums
    if record.extra is not None:
        return record.extra.worth
    if scheme.by == RATING:
        return record.rating.safe if record.rating else 0.0
    if scheme.by == SHARE:
        return record.share
    if scheme.by == POINTS:
        return Fraction(sum(sums[name] * getattr(scheme, name) for name in ("won", "shared", "lost")))
    return wins(sums["won"], sums["shared"])


def _order_by(record: PlayerStats, scheme: Scheme) -> Fraction | float:
    """The same as a number that is quick to compare: everybody's place is looked for after each of a hundred nights.

    Shares are divided as floats, which are equal where the fractions are, and different where those are: they would
    have to have ten million games in them before two came out as one.
    """
    sums = record.sums
    if record.extra is not None or scheme.by == RATING:
        return points(record, scheme)
    if scheme.by == POINTS:
        return int(points(record, scheme))
    half_wins = 2 * sums["won"] + sums["shared"]
    return half_wins / sums["games"] if scheme.by == SHARE else half_wins


def least_games(scheme: Scheme) -> int:
    """How many games of a table it takes to have a place in it; by rating they have to have been played."""
    if scheme.by == SHARE:
        return scheme.least
    return max(LEAST_GAMES, scheme.needed) if scheme.by == RATING else scheme.needed


def games_toward(record: PlayerStats, scheme: Scheme) -> int:
    """How many of a player's games count toward that."""
    return record.played if scheme.by == RATING else record.games


def has_place(record: PlayerStats, scheme: Scheme, least: int | None = None) -> bool:
    """Whether a player is in the race: with enough games of this very table, and a rating where that is what counts.

    `least` are the games that it takes, where they are known.
    """
    enough = games_toward(record, scheme) >= (least_games(scheme) if least is None else least)
    return enough and (scheme.by != RATING or record.rating is not None)


def places_of(found: Aggregates, players: Mapping[Entry, Person], scheme: Scheme) -> dict[Entry, int | None]:
    """The place of everybody who has played a game; players whom nothing tells apart share one."""
    records = {entry: record for entry, record in found.records.items() if entry in players and record.games}
    least = least_games(scheme)
    racing = [entry for entry, record in records.items() if has_place(record, scheme, least)]
    places: dict[Entry, int | None] = dict.fromkeys(records)
    place = 1
    for level in _tell_apart({entry: _order_by(records[entry], scheme) for entry in racing}):
        for same in _by_ties(level, scheme.ties, found):
            places.update(dict.fromkeys(same, place))
            place += len(same)
    return places


def _tell_apart(values: Mapping[Entry, float | Fraction]) -> list[list[Entry]]:
    """Players in groups of equals, the highest value first."""
    value_of = values.__getitem__
    ordered = sorted(values, key=value_of, reverse=True)
    return [list(group) for _, group in groupby(ordered, key=value_of)]


def _by_ties(level: list[Entry], ties: Sequence[str], found: Aggregates) -> list[list[Entry]]:
    if len(level) == 1 or not ties:
        return [level]
    told = _tell_apart(TIE_BREAKS[ties[0]](level, found))
    return [same for group in told for same in _by_ties(group, ties[1:], found)]


def _head_to_head(level: Sequence[Entry], found: Aggregates) -> dict[Entry, float]:
    """Games won against the others who are tied, minus those that they won."""
    won = found.duels(level)
    ahead = dict.fromkeys(level, 0.0)
    for one, other in combinations(level, 2):
        games = won.get((one, other), 0) - won.get((other, one), 0)
        ahead[one] += games
        ahead[other] -= games
    return ahead


def _margin(level: Sequence[Entry], found: Aggregates) -> dict[Entry, float]:
    records = {entry: found.records[entry] for entry in level}
    return {entry: _a_game(one, one.sums["points_for"] - one.sums["points_against"]) for entry, one in records.items()}


def _a_game(record: PlayerStats, number: int) -> float:
    """On average of the games that were played; see `_order_by`."""
    return number / record.played if record.played else 0.0


TIE_BREAKS: dict[str, Callable[[Sequence[Entry], Aggregates], dict[Entry, float]]] = {
    HEAD_TO_HEAD: _head_to_head,
    MARGIN: _margin,
    SETS: lambda level, found: {one: -_a_game(found.records[one], found.records[one].sums["sets"]) for one in level},
}


# --- night by night -----------------------------------------------------------------------------------------------


def places_by_night(
    club: Club, scheme: Scheme, choice: Choice, rows: Sequence[ResultRow] | None = None
) -> tuple[list[date], dict[Entry, list[int | None]]]:
    """The game nights (see `by_nights`), and everybody's place after each (None before the first one with a place).

    Whom the table of ratings leaves out now is in none of them. `rows` are the results chosen, where they are known.
    """
    rows = placing_rows(club, choice, scheme) if rows is None else rows
    pairs = _pair_rows(club, choice, rows) if scheme.is_of_pairs else None
    entered = rows if pairs is None else pairs
    entrants, worth = _entrants(club, scheme, choice, pairs), nights_of(club, scheme, choice, pairs)
    found, nights, after = RowAggregates([], with_form=False), [], []
    played_on = {night: list(played) for night, played in groupby(entered, key=attrgetter("played"))}
    for night, played in by_nights(rows):  # also those on which no pair played: ratings have them
        days = dict.fromkeys(row.played for row in played)
        found.add([row for day in days for row in played_on.get(day, ())])
        if worth:
            worth.give(found.records, before=night + timedelta(days=1))
        nights.append(night)
        after.append(entrants.places(found, scheme, night + timedelta(days=1)))
    who = after[-1] if after else {}
    return nights, {entry: [places.get(entry) for places in after] for entry in who}


def by_nights(rows: Iterable[ResultRow]) -> list[tuple[date, list[ResultRow]]]:
    """Results night by night; of very many nights always so many together, which are called by the last of them."""
    nights = [list(played) for _, played in groupby(rows, key=attrgetter("played"))]
    together = 1 if len(nights) <= MOST_NIGHTS else ceil(len(nights) / STEPS)
    ends = range(len(nights), 0, -together)
    steps = [list(chain(*nights[max(0, end - together) : end])) for end in reversed(ends)]
    return [(step[-1].played, step) for step in steps]


# --- who played with whom -----------------------------------------------------------------------------------------


GAMES_AT = TOGETHER.index("games")
LEAST_TOGETHER = 8  # games together before two are compared with others, on every page


class Partnership(NamedTuple):
    """Two players who sat in one team: their games, the hands in which they sat there, and the swing of those."""

    one: Person
    other: Person
    games: int
    won: int
    shared: int
    lost: int
    hands: int
    swing: int
    chance: Fraction = Fraction(1, 2)

    @property
    def share(self) -> Fraction:
        return win_share(self.won, self.shared, self.games)

    @property
    def safe(self) -> float:
        """By how much more than chance they won, at least: the lower end of Wilson's interval less chance."""
        share = (2 * self.won + self.shared) / (2 * self.games)  # as a float: there are thousands of pairs
        return wilson(share, self.games)[0] - float(self.chance)

    @property
    def is_enough(self) -> bool:
        """Whether they have played enough to be called good or bad partners."""
        return self.games >= LEAST_TOGETHER

    @property
    def swing_a_hand(self) -> Fraction:
        """By how much their score changed a hand more than the best of the others'."""
        return Fraction(self.swing, self.hands) if self.hands else Fraction(0)


def partnerships(club: Club, choice: Choice) -> list[Partnership]:
    """Every two players who were in one team in the games chosen, by win %. Guests are not among them."""
    players = members_of(club, choice)
    found: dict[Pair, Sequence[int]] = {}
    sides: dict[Pair, dict[int, int]] = defaultdict(dict)
    for teams, together in sorted(aggregate_pairs(club, choice).items()):
        add_lists(found, together)
        for pair, done in together.items():
            sides[pair][teams] = done[GAMES_AT]
    pairs = []
    for (one, other), (games, won, shared, lost, hands, swing, *_) in found.items():
        if games and one in players and other in players:
            numbers = games, won, shared, lost, hands, swing
            pairs.append(Partnership(players[one], players[other], *numbers, by_chance(sides[one, other])))
    return sorted(pairs, key=_best_first)


def _best_first(pair: Partnership) -> tuple[float, int, float, str, str]:
    """By win %, then by games, then by swing; divided as in `_order_by`: there are thousands of pairs."""
    swing = pair.swing / pair.hands if pair.hands else 0
    return -(2 * pair.won + pair.shared) / pair.games, -pair.games, -swing, pair.one.name, pair.other.name

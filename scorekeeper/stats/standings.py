"""Standings: the place of each player, or pair of players, in the chosen games, and before the last game night.

The worth of a night is its wins, or its points; attendance points are for nights with a game that was played. With
`Scheme.best` only a player's best nights count. Bonus points are added in a season ordered by points. A pair is two
players in one team of two, in every game in which they were; a team of three or more has no pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import chain, groupby, product
from math import ceil
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Player, Result

from .counting import FORM_LENGTH, PAIR_COUNTS, Pair, PlayerId, add_lists, expected_share, wilson, win_share
from .league import Bonus, ids_of, league_of
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
    members_of,
    pairs_by_game,
    placing_rows,
    players_in,
    result_rows,
    rows_rated_alone,
    season_of,
)
from .ratings import LEAST_GAMES
from .schemes import BY_NIGHTS, HEAD_TO_HEAD, IN_POINTS, LADDER, MARGIN, POINTS, RATING, SETS, SHARE, SWAP, Scheme

# --- the worth of nights ----------------------------------------------------------------------------------------------


OF_NIGHT = ("games", "won", "shared", "lost", "forfeits", "points_for")


class Night(NamedTuple):
    """One night of a player: its worth, and whether a game was played."""

    day: date
    worth: Fraction
    attended: bool


# --- pairs ------------------------------------------------------------------------------------------------------------


def _pair_rows(club: Club, choice: Choice, rows: Iterable[ResultRow] | None) -> list[ResultRow]:
    """The results of pairs, from those of players in the order in which the games were played.

    Pairs have no rating.
    """
    if rows is None:
        rows = result_rows(club, choice)
    together = pairs_by_game(club, choice)
    found = []
    for game_id, game in groupby((row for row in rows if row.games), key=attrgetter("game_id")):
        teams: dict[str, dict[int, list[ResultRow]]] = {}
        for row in game:
            teams.setdefault(row.unit, {}).setdefault(row.seat, []).append(row)
        for one, other in chain(*(product(*seats.values()) for seats in teams.values() if len(seats) == 2)):
            pair = min(one.player_id, other.player_id), max(one.player_id, other.player_id)
            # Zeros if the two never sat there at the same time; sets and inflicted are the last of PAIR_COUNTS.
            *_, sets, inflicted = together[game_id].get(pair, (0, 0))
            found.append(
                one._replace(
                    player_id=pair,
                    hands=one.hands + other.hands,
                    bids=one.bids + other.bids,
                    made=one.made + other.made,
                    sets=sets,
                    inflicted=inflicted,
                    mu_before=None,
                    sigma_before=None,
                    mu=None,
                    sigma=None,
                )
            )
    return found


def entry_name(entry: Entry, names: Mapping[PlayerId, str]) -> str:
    """The name of a player, or both names of a pair in alphabetical order."""
    return " and ".join(sorted((names[player] for player in players_in(entry)), key=str.casefold))


# --- a ladder: each player has a rung, and moves up by beating a higher one (docs/league.md) --------------------------


class LadderGame(NamedTuple):
    """A game on a ladder: its players by seat, winners and losers; no winners if several sides won."""

    played: date
    number: int
    players: tuple[Entry, ...]
    winners: tuple[Entry, ...]
    losers: tuple[Entry, ...]


class Step(NamedTuple):
    """A move up: the game, the player, the rungs (from 1) before and after, and the player passed."""

    game: LadderGame
    player: Entry
    start: int
    end: int
    past: Entry


def climb(
    scheme: Scheme, players: Collection[Entry], start: Sequence[Entry], games: Iterable[LadderGame]
) -> tuple[list[Entry], list[Step]]:
    """The order of these players after some games, top rung first, and all moves up on the way.

    `start` are the players who begin on a rung. A player's first game adds a new bottom rung for them.
    """
    order, steps = [one for one in start if one in players], []
    for game in games:
        order += [one for one in game.players if one in players and one not in order]
        was = {one: rung for rung, one in enumerate(order)}
        for winner in sorted((one for one in game.winners if one in was), key=was.__getitem__):
            highest = was[winner] - scheme.reach if scheme.reach else 0  # the highest rung that may be challenged
            near = [order.index(one) for one in game.losers if one in was and was[one] >= highest]
            rung, best = order.index(winner), min(near, default=len(order))
            if best < rung:
                past = order[best]
                steps.append(Step(game, winner, rung + 1, best + 1, past))
                if scheme.climb == SWAP:
                    order[rung], order[best] = past, winner
                else:
                    order.insert(best, order.pop(rung))
    return order, steps


def ladder_games(rows: Iterable[ResultRow]) -> list[LadderGame]:
    """The games of a ladder, from results of players or pairs in the order in which they were played."""
    found = []
    for _, counting in groupby((row for row in rows if row.games), key=attrgetter("game_id")):
        game = list(counting)
        winners = tuple(row.player_id for row in game if row.won)
        losers = tuple(row.player_id for row in game if not (row.won or row.shared))
        found.append(LadderGame(game[0].played, game[0].number, tuple(row.player_id for row in game), winners, losers))
    return found


# --- the table --------------------------------------------------------------------------------------------------------


INACTIVE = timedelta(days=90)  # a table of ratings leaves out players whose last game is that long before the club's
RETIRED, AWAY = "retired", "away"  # reasons for leaving a player out of a table of ratings
MOST_NIGHTS = 40  # nights whose places are shown one by one: a phone is not wide enough for more
STEPS = 24  # steps at most if there are more nights


class Line(NamedTuple):
    """A player in the table. `place` is None if there is none yet; `was` is the place before the last game night.

    `gone` is the reason for leaving the player out of a table of ratings: RETIRED, AWAY or "". In a season with
    divisions the places are those in the player's `division`.
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
        """Places gained since the last game night (lost: below 0); None if one of the two is missing."""
        return None if self.place is None or self.was is None else self.was - self.place

    @property
    def form(self) -> str:
        """The results of the last games, latest last."""
        return "".join(letter for _, _, letter in self.record.form[-FORM_LENGTH:])


class Standings(NamedTuple):
    """The ranked lines, unplaced players last; `hidden` are retired or inactive players.

    `tiebreaker` put the leader ahead of the next, in a table without divisions; empty if none did, or in a kept table.
    """

    lines: tuple[Line, ...]
    hidden: tuple[Line, ...]
    night: date | None
    tiebreaker: str = ""


class Contest:
    """The entries of a table, and what places them: `entries` are players, or pairs without a guest.

    `gone` maps entries that it leaves out to the reason, `divisions` entries to their division, a pair only if both
    players have the same. A ladder also has its games, and in `start` the players set on a rung before the first.
    `rows` are the players' results, if known; `pairs` those of pairs, if these are the entries.
    """

    def __init__(self, club: Club, scheme: Scheme, choice: Choice, rows: Sequence[ResultRow] | None = None) -> None:
        self.scheme = scheme
        self.pairs = _pair_rows(club, choice, rows) if scheme.is_of_pairs else None
        players, season = members_of(club, choice), season_of(choice.season_id)
        self.entries: dict[Any, Person] = dict(players)  # by Entry
        self.gone = {} if self.pairs is not None else _left_out(club, scheme, choice, players)
        is_narrowed = choice.rules_id or choice.players or choice.since or choice.present
        is_ladder, league = scheme.by == LADDER, league_of(season)
        given = league.counting if scheme.by in IN_POINTS and not is_narrowed else []
        begun = league.start if is_ladder and self.pairs is None else ()  # no pair begins on a rung
        ids = ids_of(club.id) if given or begun or league.division_of else {}
        self.start = [ids[uid] for uid in begun if uid in ids]
        self.divisions: dict[Entry, str] = {ids[uid]: name for uid, name in league.division_of.items() if uid in ids}
        bonuses: dict[Entry, list[Bonus]] = defaultdict(list)
        for bonus in given:
            if bonus.player in ids and (choice.until is None or bonus.day <= choice.until):
                bonuses[ids[bonus.player]].append(bonus)
        self._bonuses, self._counts_nights = bonuses, bool(bonuses) or scheme.by_nights
        self._nights = self._read_nights(club, choice) if self._counts_nights else {}
        mine = self.pairs
        if mine is not None:
            names, of = {player_id: player.name for player_id, player in players.items()}, self.divisions
            there = {row.player_id for row in mine if all(player_id in players for player_id in row.player_id)}
            self.entries = {pair: Person(pair, entry_name(pair, names), False) for pair in there}
            self.divisions = {pair: of[pair[0]] for pair in there if of.get(pair[0], "") == of.get(pair[1])}
        elif is_ladder:
            mine = result_rows(club, choice)
        self.games = ladder_games(mine or ()) if is_ladder else []

    def _read_nights(self, club: Club, choice: Choice) -> dict[Entry, list[Night]]:
        """The nights of each entry."""
        rows: Iterable[Any]
        if self.pairs is None:
            columns = (func.sum(getattr(Result, name)) for name in OF_NIGHT)
            asked = select(Result.player_id, Result.played, *columns).where(*chosen_games(club, choice))
            found = db.session.execute(asked.where(Result.games == 1).group_by(Result.player_id, Result.played))
            rows = (
                # PostgreSQL returns sums as Decimal.
                (entry, day, PlayerStats(Counter(dict(zip(OF_NIGHT, map(int, sums), strict=True)))))
                for entry, day, *sums in found
            )
        else:
            rows = (
                (pair, night, record)
                for night, played in groupby(self.pairs, key=attrgetter("played"))
                for pair, record in RowAggregates(list(played)).records.items()
            )
        nights = defaultdict[Entry, list[Night]](list)
        for_each = self.scheme.attended if self.scheme.by == POINTS else 0
        for entry, day, record in rows:
            attended = record.played > 0
            nights[entry].append(Night(day, Fraction(self.scheme.worth(record.sums)) + attended * for_each, attended))
        return nights

    def _set_extras(self, records: Mapping[Entry, PlayerStats], before: date) -> None:
        """Set each record's `extra` from its nights and bonuses before `before`; a pair has the bonuses of both."""
        for entry, record in records.items():
            nights = [night for night in self._nights.get(entry, ()) if night.day < before]
            best = sorted((night.worth for night in nights), reverse=True)[: self.scheme.best or None]
            bonuses = [bonus for member in players_in(entry) for bonus in self._bonuses.get(member, ())]
            bonus = sum(one.points for one in bonuses if one.day < before)
            attended = sum(night.attended for night in nights)
            record.extra = NightPoints(sum(best, Fraction(bonus)), attended, len(nights), len(best), bonus)

    @property
    def by_division(self) -> list[dict[Entry, Person]]:
        """The entries of each division, and those of none; also those whom the table leaves out."""
        names = sorted(set(self.divisions.values()) | {""})
        return [
            {one: who for one, who in self.entries.items() if self.divisions.get(one, "") == name} for name in names
        ]

    def places(self, aggregates: Aggregates, before: date = date.max) -> dict[Entry, int | None]:
        """The place of each entry in its division, those without one among themselves; all games of the season count.

        `aggregates` are the aggregates of the games before `before`; sets the `extra` of their records.
        """
        if self._counts_nights:  # otherwise a record's worth follows from its sums
            self._set_extras(aggregates.records, before)
        places: dict[Entry, int | None] = {}
        for members in self.by_division:
            if self.scheme.by != LADDER:
                here = {entry: player for entry, player in members.items() if entry not in self.gone}
                places |= places_of(aggregates, here, self.scheme)
                continue
            # Entries in `gone` have moved others, so they are left out afterwards. With too few games there is no
            # place, unless the player was set on a rung at the start.
            order, _ = climb(self.scheme, members, self.start, (game for game in self.games if game.played < before))
            known = {*aggregates.records, *self.start}
            there = [one for one in order if one in known and one not in self.gone]
            racing = [one for one in there if one in self.start or has_place(aggregates.records[one], self.scheme)]
            places |= dict.fromkeys(there) | {one: place for place, one in enumerate(racing, 1)}
        return places


def standings(club: Club, scheme: Scheme, choice: Choice) -> Standings:
    """The table of the chosen games, without guests."""
    contest = Contest(club, scheme, choice)
    if contest.pairs is not None:
        found: Aggregates = RowAggregates(contest.pairs)
    elif scheme.rates_alone:  # all players start as newcomers, and no other games are rated
        found = RowAggregates(rows_rated_alone(club, choice))
    else:
        found = aggregate(club, choice)
    places = contest.places(found)
    night = max((record.form[-1][0] for record in found.records.values() if record.form), default=None)
    was = contest.places(found.before(night), night) if night else {}
    places |= {one: None for one in contest.gone if one in found.records and found.records[one].games}
    lines = []
    for one, place in places.items():
        record = found.records.get(one) or PlayerStats()  # a player set on a rung may have no game yet
        gone, division = contest.gone.get(one, ""), contest.divisions.get(one, "")
        lines.append(Line(contest.entries[one], record, place, was.get(one), points(record, scheme), gone, division))

    def order(line: Line) -> tuple[object, ...]:
        no_place = line.place is None
        return line.division == "", line.division, no_place, line.place or 0, -line.points, line.player.name.casefold()

    lines.sort(key=order)
    shown, hidden = tuple(line for line in lines if not line.gone), tuple(line for line in lines if line.gone)
    return Standings(shown, hidden, night, deciding_tiebreaker(found, contest.entries, scheme))


def climbs(club: Club, scheme: Scheme, choice: Choice) -> list[tuple[Step, str, str]]:
    """All moves up a ladder in order, with the names of the player and of the player passed."""
    contest = Contest(club, scheme, choice)
    moved = [climb(scheme, members, contest.start, contest.games)[1] for members in contest.by_division]
    steps = sorted(chain(*moved), key=lambda step: (step.game.played, step.game.number))
    names = {entry: person.name for entry, person in contest.entries.items()}
    return [(step, names[step.player], names[step.past]) for step in steps]


def _left_out(club: Club, scheme: Scheme, choice: Choice, players: Mapping[PlayerId, Person]) -> dict[Entry, str]:
    """The entries a table leaves out, with the reason. None in a closed season, which keeps its players.

    Ratings leave out retired players, and players who are away: without a game in the club, by any rules and in any
    season, for INACTIVE before the last day of the table. A current ladder leaves out retired players.
    """
    season = season_of(choice.season_id)
    if season and season.closed_at:
        return {}
    if scheme.by == LADDER and not choice.until:
        return {player_id: RETIRED for player_id, player in players.items() if player.retired}
    if scheme.by != RATING:
        return {}
    until = choice.until or (season.ends if season else None)
    played = select(func.max(Result.played)).where(Result.player_id == Player.id, Result.played <= (until or date.max))
    asked = select(Player.id, played.scalar_subquery()).where(Player.club_id == club.id)  # each found by the index
    last = {player_id: day for player_id, day in db.session.execute(asked) if day}
    latest = max(last.values(), default=date.min)
    away: dict[Entry, str] = {
        player_id: AWAY for player_id in players.keys() & last.keys() if last[player_id] + INACTIVE < latest
    }
    if choice.until:  # players may have retired since
        return away
    return away | {player_id: RETIRED for player_id, player in players.items() if player.retired}


# --- places -------------------------------------------------------------------------------------------------------


def points(record: PlayerStats, scheme: Scheme) -> Fraction | float:
    """The value by which the table is ordered, not rounded."""
    if record.extra is not None:
        return record.extra.worth
    if scheme.by == RATING:
        return record.rating.safe if record.rating else 0.0
    if scheme.by == SHARE:
        return record.share
    return scheme.worth(record.sums)


def least_games(scheme: Scheme) -> int:
    """The number of games needed for a place in a table; ordered by rating, games played."""
    if scheme.by == SHARE:
        return scheme.least
    return max(LEAST_GAMES, scheme.needed) if scheme.by == RATING else scheme.needed


def games_toward(record: PlayerStats, scheme: Scheme) -> int:
    """The number of a player's games that count toward it."""
    return record.played if scheme.by == RATING else record.games


def has_place(record: PlayerStats, scheme: Scheme) -> bool:
    """True if a player has enough games for a place in this table, and a rating if that orders it."""
    enough = games_toward(record, scheme) >= least_games(scheme)
    return enough and (scheme.by != RATING or record.rating is not None)


def places_of(aggregates: Aggregates, players: Mapping[Entry, Person], scheme: Scheme) -> dict[Entry, int | None]:
    """The place of all who have played a game; players who cannot be told apart share one."""
    records = {entry: record for entry, record in aggregates.records.items() if entry in players and record.games}
    racing = [entry for entry, record in records.items() if has_place(record, scheme)]
    places: dict[Entry, int | None] = dict.fromkeys(records)
    place = 1
    for level in _grouped_by_value({entry: points(records[entry], scheme) for entry in racing}):
        for same in _by_ties(level, scheme.ties, aggregates):
            places.update(dict.fromkeys(same, place))
            place += len(same)
    return places


def deciding_tiebreaker(aggregates: Aggregates, players: Mapping[Entry, Person], scheme: Scheme) -> str:
    """The tiebreaker that leaves one alone in first place; empty if none is needed, or several share it after all."""
    for used, tie in enumerate(("", *scheme.ties) if scheme.by in BY_NIGHTS else ()):
        places = places_of(aggregates, players, replace(scheme, ties=scheme.ties[:used]))
        if list(places.values()).count(1) == 1:
            return tie
    return ""


def _grouped_by_value(values: Mapping[Entry, float | Fraction]) -> list[list[Entry]]:
    """Players in groups of equals, highest value first."""
    value_of = values.__getitem__
    ordered = sorted(values, key=value_of, reverse=True)
    return [list(group) for _, group in groupby(ordered, key=value_of)]


def _by_ties(level: list[Entry], ties: Sequence[str], aggregates: Aggregates) -> list[list[Entry]]:
    if len(level) == 1 or not ties:
        return [level]
    if ties[0] == HEAD_TO_HEAD:
        values = _head_to_head(level, aggregates)
    else:  # average over games played; floats are equal if the fractions are, up to ten million games
        records = {entry: aggregates.records[entry] for entry in level}
        values = {
            one: PER_GAME[ties[0]](each.sums) / each.played if each.played else 0.0 for one, each in records.items()
        }
    return [same for group in _grouped_by_value(values) for same in _by_ties(group, ties[1:], aggregates)]


def _head_to_head(level: Sequence[Entry], aggregates: Aggregates) -> dict[Entry, float]:
    """Games won against the others who are tied, minus those lost to them."""
    duels, ahead = aggregates.duels(), dict.fromkeys(level, 0.0)
    for one in level:
        for other, games in duels.get(one, {}).items():
            if other in ahead:
                ahead[one] += games
                ahead[other] -= games
    return ahead


PER_GAME: dict[str, Callable[[Mapping[str, int]], int]] = {
    MARGIN: lambda sums: sums["points_for"] - sums["points_against"],
    SETS: lambda sums: -sums["sets"],
}


# --- night by night -----------------------------------------------------------------------------------------------


def places_by_night(
    club: Club, scheme: Scheme, choice: Choice, rows: Sequence[ResultRow] | None = None
) -> tuple[list[date], dict[Entry, list[int | None]]]:
    """The game nights (see `by_nights`), and each entry's place after each (None before its first place).

    Entries that the table leaves out now are missing. `rows` are the chosen results, if known.
    """
    rows = placing_rows(club, choice, scheme) if rows is None else rows
    contest = Contest(club, scheme, choice, rows)
    found, nights, after = RowAggregates([]), [], []
    entered = rows if contest.pairs is None else contest.pairs
    played_on = {night: list(played) for night, played in groupby(entered, key=attrgetter("played"))}
    for night, played in by_nights(rows):  # also nights without a pair: ratings include them
        days = dict.fromkeys(row.played for row in played)
        found.add([row for day in days for row in played_on.get(day, ())])
        nights.append(night)
        after.append(contest.places(found, night + timedelta(days=1)))
    who = after[-1] if after else {}
    return nights, {entry: [places.get(entry) for places in after] for entry in who}


def by_nights(rows: Iterable[ResultRow]) -> list[tuple[date, list[ResultRow]]]:
    """Results by night; with very many nights, in equal groups of nights, each dated by its last one."""
    nights = [list(played) for _, played in groupby(rows, key=attrgetter("played"))]
    together = 1 if len(nights) <= MOST_NIGHTS else ceil(len(nights) / STEPS)
    ends = range(len(nights), 0, -together)
    steps = [list(chain(*nights[max(0, end - together) : end])) for end in reversed(ends)]
    return [(step[-1].played, step) for step in steps]


# --- partners -----------------------------------------------------------------------------------------------------


LEAST_TOGETHER = 8  # games together before two are compared with others, on every page


class Partnership(NamedTuple):
    """Two players of one team: their games, the hands in which both sat there, and the swing of those."""

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
        """Lower bound of their win share above chance: the lower end of Wilson's interval minus `chance`."""
        share = (2 * self.won + self.shared) / (2 * self.games)  # a float: there are thousands of pairs
        return wilson(share, self.games) - float(self.chance)

    @property
    def is_enough(self) -> bool:
        """True if they have played enough games to be called good or bad partners."""
        return self.games >= LEAST_TOGETHER

    @property
    def swing_a_hand(self) -> Fraction:
        """Average over hands of their score change, minus the best change of another side."""
        return Fraction(self.swing, self.hands) if self.hands else Fraction(0)


def partnerships(club: Club, choice: Choice) -> list[Partnership]:
    """All pairs of players of one team in the chosen games, by win %, without guests."""
    players = members_of(club, choice)
    found: dict[Pair, Sequence[int]] = {}
    sides: dict[Pair, dict[int, int]] = defaultdict(dict)
    for teams, together in sorted(aggregate_pairs(club, choice).items()):
        add_lists(found, together)
        for pair, done in together.items():
            sides[pair][teams] = done[PAIR_COUNTS.index("games")]
    pairs = []
    for (one, other), done in found.items():
        if done[0] and one in players and other in players:
            numbers = *done[:6], expected_share(sides[one, other])
            pairs.append(Partnership._make((players[one], players[other], *numbers)))
    return sorted(pairs, key=_best_first)


def _best_first(pair: Partnership) -> tuple[float, int, float, str, str]:
    """By win %, then by games, then by swing; as floats: there are thousands of pairs."""
    swing = pair.swing / pair.hands if pair.hands else 0
    return -(2 * pair.won + pair.shared) / pair.games, -pair.games, -swing, pair.one.name, pair.other.name

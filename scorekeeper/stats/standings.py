"""Standings: the place of each player, or pair of players, in the games chosen, and before the last game night.

A night is worth its wins, or its points; the points for attendance come to every night with a game that was played. By
`Scheme.best` only a player's best nights count. Bonus points come to that in a season ordered by points. A pair is two
players who sat in one team of two, in every game in which they did; a team of three or more is no pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from itertools import chain, combinations, groupby, product
from math import ceil
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result

from .counting import FORM_LENGTH, TOGETHER, Pair, PlayerId, add_lists, by_chance, wilson, win_share
from .league import Bonus, League, ids_of
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
    season_of,
)
from .ratings import LEAST_GAMES
from .schemes import HEAD_TO_HEAD, LADDER, MARGIN, POINTS, RATING, SETS, SHARE, SWAP, WINS, Scheme

# --- what nights are worth --------------------------------------------------------------------------------------------


ENDED = ("won", "shared", "lost", "forfeits")


class Night(NamedTuple):
    """One night of a player's: what it is worth, and whether anything was played."""

    day: date
    worth: Fraction
    attended: bool


class Nights:
    """The nights of everybody in the games chosen, by a scheme, and the bonus points of a season by points.

    `pairs` are the results of pairs, where those are the entries: a bonus of one of the two is the pair's.
    """

    def __init__(
        self, club: Club, scheme: Scheme, choice: Choice, bonuses: Mapping[Entry, list[Bonus]],
        pairs: Iterable[ResultRow] | None,
    ) -> None:  # fmt: skip
        self.best, self.bonuses = scheme.best, bonuses
        self._count = bool(bonuses) or scheme.by_nights  # else the sums alone say what a record is worth
        self._nights: dict[Entry, list[Night]] = defaultdict(list)
        for player, day, *sums in self._rows(club, choice, pairs) if self._count else ():
            won, shared, lost, forfeits = map(int, sums)  # PostgreSQL adds up to a Decimal
            attended = won + shared + lost > forfeits
            points = won * scheme.won + shared * scheme.shared + lost * scheme.lost + attended * scheme.attended
            worth = Fraction(2 * won + shared, 2) if scheme.by == WINS else Fraction(points)
            self._nights[player].append(Night(day, worth, attended))

    @staticmethod
    def _rows(club: Club, choice: Choice, pairs: Iterable[ResultRow] | None) -> Iterable[Sequence[Any]]:
        """Each night of each entry, with how its games ended."""
        if pairs is None:
            counted = (func.sum(getattr(Result, name)) for name in ENDED)
            asked = select(Result.player_id, Result.played, *counted).where(*chosen_games(club, choice))
            return db.session.execute(asked.where(Result.games == 1).group_by(Result.player_id, Result.played)).all()
        return [
            (pair, night, *(record.sums[name] for name in ENDED))
            for night, played in groupby(pairs, key=attrgetter("played"))
            for pair, record in RowAggregates(list(played), with_form=False).records.items()
        ]

    def give(self, records: Mapping[Entry, PlayerStats], before: date = date.max) -> None:
        """Set each record's `extra` from its nights, or only from nights before `before`; where nights count."""
        for player, record in records.items() if self._count else ():
            nights = [night for night in self._nights.get(player, ()) if night.day < before]
            best = sorted((night.worth for night in nights), reverse=True)[: self.best or None]
            bonuses = [bonus for member in players_in(player) for bonus in self.bonuses.get(member, ())]
            bonus = sum(one.points for one in bonuses if one.day < before)
            attended = sum(night.attended for night in nights)
            record.extra = NightPoints(sum(best, Fraction(bonus)), attended, len(nights), len(best), bonus)


# --- pairs ------------------------------------------------------------------------------------------------------------


def _pair_rows(club: Club, choice: Choice, rows: Iterable[ResultRow] | None = None) -> list[ResultRow]:
    """The results of the pairs, from those of the players in the order in which the games were played.

    A pair has no rating.
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
            # Nothing where the two never sat there at the same time; sets and inflicted are the last of TOGETHER.
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


def pair_name(pair: Pair, names: Mapping[PlayerId, str]) -> str:
    """Both names, in the order of the alphabet."""
    return " and ".join(sorted((names[player] for player in pair), key=str.casefold))


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


def climb(
    scheme: Scheme, players: Collection[Entry], start: Sequence[Entry], games: Iterable[LadderGame]
) -> tuple[list[Entry], list[Step]]:
    """The order of these players after some games, the first on the top rung, and every move up on the way.

    `start` are those who begin on a rung. Whoever plays for the first time starts on a new bottom rung.
    """
    order, steps = [one for one in start if one in players], []
    for game in games:
        order += [one for one in game.players if one in players and one not in order]
        was = {one: rung for rung, one in enumerate(order)}
        for winner in sorted((one for one in game.winners if one in was), key=was.__getitem__):
            highest = was[winner] - scheme.reach if scheme.reach else 0  # that may be challenged
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
    """The games of a ladder, from the results of players, or of pairs, in the order in which they were played."""
    found = []
    for _, counting in groupby((row for row in rows if row.games), key=attrgetter("game_id")):
        game = list(counting)
        winners = tuple(row.player_id for row in game if row.won)
        losers = tuple(row.player_id for row in game if not (row.won or row.shared))
        found.append(LadderGame(game[0].played, game[0].number, tuple(row.player_id for row in game), winners, losers))
    return found


# --- the table --------------------------------------------------------------------------------------------------------


INACTIVE = timedelta(days=90)  # so long without a game before the club's last: a table of ratings leaves a player out
RETIRED, AWAY = "retired", "away"  # why a table of ratings leaves a player out
MOST_NIGHTS = 40  # after each of which places are shown: a phone is not wide enough for more
STEPS = 24  # in which at most they are followed over more nights than that


class Line(NamedTuple):
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


class Standings(NamedTuple):
    """The ranked lines, unplaced players last; `hidden` are retired or inactive players."""

    lines: tuple[Line, ...]
    hidden: tuple[Line, ...]
    night: date | None

    @property
    def leaders(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.place == 1)


class Contest:
    """Who is in a table, and what places them: `entries` are players, or pairs without a guest.

    `gone` are those whom it leaves out, and why, `divisions` the division of each who is in one, as a pair is where
    both players are. Of a ladder also the games that make it, and who was put on which rung before the first. `rows`
    are the players' results, where they are known; `pairs` those of pairs, where those are the entries.
    """

    def __init__(self, club: Club, scheme: Scheme, choice: Choice, rows: Sequence[ResultRow] | None = None) -> None:
        self.scheme = scheme
        self.pairs = _pair_rows(club, choice, rows) if scheme.is_of_pairs else None
        players, season = members_of(club, choice), season_of(choice.season_id)
        self.entries: dict[Any, Person] = dict(players)  # by Entry
        self.gone = {} if self.pairs is not None else _gone(club, scheme, choice, players)
        is_narrowed = choice.rules_id or choice.players or choice.since or choice.present
        is_ladder, league = scheme.by == LADDER, League.from_dict(season.league if season else None)
        given = league.counting if scheme.by == POINTS and not is_narrowed else []
        begun = league.start if is_ladder and self.pairs is None else ()  # no pair begins on a rung
        ids = ids_of(club.id) if given or begun or league.divisions else {}
        self.start = [ids[uid] for uid in begun if uid in ids]
        self.divisions: dict[Entry, str] = {ids[uid]: name for uid, name in league.division_of.items() if uid in ids}
        bonuses: dict[Entry, list[Bonus]] = defaultdict(list)
        for bonus in given:
            if bonus.player in ids and (choice.until is None or bonus.day <= choice.until):
                bonuses[ids[bonus.player]].append(bonus)
        self.nights = Nights(club, scheme, choice, bonuses, self.pairs)
        mine = self.pairs
        if mine is not None:
            names, of = {player_id: player.name for player_id, player in players.items()}, self.divisions
            there = {row.player_id for row in mine if all(player_id in players for player_id in row.player_id)}
            self.entries = {pair: Person(pair, pair_name(pair, names), False) for pair in there}
            self.divisions = {pair: of[pair[0]] for pair in there if of.get(pair[0], "") == of.get(pair[1])}
        elif is_ladder:
            mine = sorted(result_rows(club, choice), key=attrgetter("played", "number", "seat", "player_id"))
        self.games = ladder_games(mine or ()) if is_ladder else []

    @property
    def by_division(self) -> list[dict[Entry, Person]]:
        """Who is in each division, and those of none; also whom the table leaves out."""
        names = sorted(set(self.divisions.values()) | {""})
        return [
            {one: who for one, who in self.entries.items() if self.divisions.get(one, "") == name} for name in names
        ]

    def places(self, found: Aggregates, before: date = date.max) -> dict[Entry, int | None]:
        """Everybody's place in the division, those of no division among themselves: all games of the season count.

        `found` is what the games before a day came to; its records get their `extra`.
        """
        self.nights.give(found.records, before)
        places: dict[Entry, int | None] = {}
        for members in self.by_division:
            if self.scheme.by != LADDER:
                here = {entry: player for entry, player in members.items() if entry not in self.gone}
                places |= places_of(found, here, self.scheme)
                continue
            # Those who are gone have moved others, and are left out afterwards. Too few games give no place, unless the
            # player was set on a rung at the start.
            order, _ = climb(self.scheme, members, self.start, (game for game in self.games if game.played < before))
            known = {*found.records, *self.start}
            there = [one for one in order if one in known and one not in self.gone]
            racing = [one for one in there if one in self.start or has_place(found.records[one], self.scheme)]
            places |= dict.fromkeys(there) | {one: place for place, one in enumerate(racing, 1)}
        return places


def standings(club: Club, scheme: Scheme, choice: Choice) -> Standings:
    """The table of the games chosen. Guests are not in it."""
    contest = Contest(club, scheme, choice)
    if contest.pairs is None:
        found = aggregate(club, choice, rate_alone=scheme.rates_alone)
    else:
        found = RowAggregates(contest.pairs)
    places = contest.places(found)
    night = max((record.form[-1][0] for record in found.records.values() if record.form), default=None)
    was = contest.places(found.before(night), night) if night else {}
    places |= {one: None for one in contest.gone if one in found.records and found.records[one].games}
    lines = []
    for one, place in places.items():
        record = found.records.get(one) or PlayerStats()  # who was put on a rung may have no game yet
        gone, division = contest.gone.get(one, ""), contest.divisions.get(one, "")
        lines.append(Line(contest.entries[one], record, place, was.get(one), points(record, scheme), gone, division))

    def order(line: Line) -> tuple[object, ...]:
        no_place = line.place is None
        return line.division == "", line.division, no_place, line.place or 0, -line.points, line.player.name.casefold()

    lines.sort(key=order)
    return Standings(tuple(line for line in lines if not line.gone), tuple(line for line in lines if line.gone), night)


def climbs(club: Club, scheme: Scheme, choice: Choice) -> list[tuple[Step, str, str]]:
    """Every move up a ladder in its order, with the names of who moved and of who was passed."""
    contest = Contest(club, scheme, choice)
    moved = [climb(scheme, members, contest.start, contest.games)[1] for members in contest.by_division]
    steps = sorted(chain(*moved), key=lambda step: (step.game.played, step.game.number))
    names = {entry: person.name for entry, person in contest.entries.items()}
    return [(step, names[step.player], names[step.past]) for step in steps]


def _gone(club: Club, scheme: Scheme, choice: Choice, players: Mapping[PlayerId, Person]) -> dict[Entry, str]:
    """Whom a table leaves out, and why. A closed season keeps who was in its table when it was closed: nobody.

    Ratings leave out who has retired, and who is away: who has played no game in the club, by any rules and in any
    season, for long before the last day of the table. A ladder of now leaves out who has retired.
    """
    season = season_of(choice.season_id)
    if season and season.closed_at:
        return {}
    if scheme.by == LADDER and not choice.until:
        return {player_id: RETIRED for player_id, player in players.items() if player.retired}
    if scheme.by != RATING:
        return {}
    until = choice.until or (season.ends if season else None)
    asked = select(Result.player_id, func.max(Result.played)).where(Result.club_id == club.id)
    asked = asked if until is None else asked.where(Result.played <= until)
    last: dict[PlayerId, date] = dict(db.session.execute(asked.group_by(Result.player_id)).all())
    latest = max(last.values(), default=date.min)
    away: dict[Entry, str] = {
        player_id: AWAY for player_id in players.keys() & last.keys() if last[player_id] + INACTIVE < latest
    }
    if choice.until:  # whoever has retired since had not
        return away
    return away | {player_id: RETIRED for player_id, player in players.items() if player.retired}


# --- places -------------------------------------------------------------------------------------------------------


def points(record: PlayerStats, scheme: Scheme) -> Fraction | float:
    """What the table is ordered by; exact."""
    sums = record.sums
    if record.extra is not None:
        return record.extra.worth
    if scheme.by == RATING:
        return record.rating.safe if record.rating else 0.0
    if scheme.by == SHARE:
        return record.share
    if scheme.by == POINTS:
        return sums["won"] * scheme.won + sums["shared"] * scheme.shared + sums["lost"] * scheme.lost
    return sums["won"] + sums["shared"] / 2


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
    for level in _tell_apart({entry: points(records[entry], scheme) for entry in racing}):
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
    if ties[0] == HEAD_TO_HEAD:
        values = _head_to_head(level, found)
    else:  # on average of the games that were played; floats are equal where the fractions are, up to ten million games
        records = {entry: found.records[entry] for entry in level}
        values = {
            one: A_GAME[ties[0]](each.sums) / each.played if each.played else 0.0 for one, each in records.items()
        }
    return [same for group in _tell_apart(values) for same in _by_ties(group, ties[1:], found)]


def _head_to_head(level: Sequence[Entry], found: Aggregates) -> dict[Entry, float]:
    """Games won against the others who are tied, minus those that they won."""
    won = found.duels(level)
    ahead = dict.fromkeys(level, 0.0)
    for one, other in combinations(level, 2):
        games = won.get((one, other), 0) - won.get((other, one), 0)
        ahead[one] += games
        ahead[other] -= games
    return ahead


A_GAME: dict[str, Callable[[Mapping[str, int]], int]] = {
    MARGIN: lambda sums: sums["points_for"] - sums["points_against"],
    SETS: lambda sums: -sums["sets"],
}


# --- night by night -----------------------------------------------------------------------------------------------


def places_by_night(
    club: Club, scheme: Scheme, choice: Choice, rows: Sequence[ResultRow] | None = None
) -> tuple[list[date], dict[Entry, list[int | None]]]:
    """The game nights (see `by_nights`), and everybody's place after each (None before the first one with a place).

    Whom the table of ratings leaves out now is in none of them. `rows` are the results chosen, where they are known.
    """
    rows = placing_rows(club, choice, scheme) if rows is None else rows
    contest = Contest(club, scheme, choice, rows)
    found, nights, after = RowAggregates([], with_form=False), [], []
    entered = rows if contest.pairs is None else contest.pairs
    played_on = {night: list(played) for night, played in groupby(entered, key=attrgetter("played"))}
    for night, played in by_nights(rows):  # also those on which no pair played: ratings have them
        days = dict.fromkeys(row.played for row in played)
        found.add([row for day in days for row in played_on.get(day, ())])
        nights.append(night)
        after.append(contest.places(found, night + timedelta(days=1)))
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
            sides[pair][teams] = done[TOGETHER.index("games")]
    pairs = []
    for (one, other), done in found.items():
        if done[0] and one in players and other in players:
            numbers = *done[:6], by_chance(sides[one, other])
            pairs.append(Partnership._make((players[one], players[other], *numbers)))
    return sorted(pairs, key=_best_first)


def _best_first(pair: Partnership) -> tuple[float, int, float, str, str]:
    """By win %, then by games, then by swing; divided as floats: there are thousands of pairs."""
    swing = pair.swing / pair.hands if pair.hands else 0
    return -(2 * pair.won + pair.shared) / pair.games, -pair.games, -swing, pair.one.name, pair.other.name

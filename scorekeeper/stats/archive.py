"""A season's pages as numbers, and their JSON for a closed season, kept in its row and in club files.

Players are ids in the database, but uids once deleted, because an id may be used again; a club's file has uids, and
None for a deleted player. The pages name each player once, in `people`; everything else refers to them by their index
there. A change of the format adds one to VERSION; older versions stay readable.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Json, Result, Season

from .counting import BID, BID_COUNTS, PlayerId
from .head_to_head import schedules_of
from .query import (
    Choice,
    Entry,
    NightPoints,
    Person,
    PlayerStats,
    ResultRow,
    aggregate_bids,
    aggregate_with_cache,
    chosen_games,
    games,
    members_of,
    placing_rows,
    players_in,
)
from .ratings import Rating, ratings_after
from .records import (
    AWARDS,
    OLDER,
    RECORDS,
    STREAK,
    Award,
    Deed,
    Deeds,
    FoundRecord,
    add_deeds,
    records,
    season_awards,
)
from .schemes import RATING, Scheme
from .standings import Line, Partnership, Standings, by_nights, partnerships, places_by_night, points

# --- numbers of a season's pages (web/standings/pages.py) besides its table -------------------------------------------


MOST_NIGHTS = 200
MOST_GAMES = 3_000  # in charts; of more, the latest nights
MOST_KEPT = 100  # players, and pairs, kept of a closed season
Names = dict[PlayerId, str]
MuSigma = tuple[float, float] | None


class ChartNumbers(NamedTuple):
    """Place and rating of each player after each night, and the results of bids.

    `since` is the first of these nights if earlier ones are left out, else None.
    """

    since: date | None
    nights: list[date]
    places: dict[Entry, list[int | None]]
    ratings: dict[PlayerId, list[MuSigma]]
    bids: Counter[str]


class Feats(NamedTuple):
    """The records of the chosen games, and all awards except the champion's."""

    records: list[FoundRecord]
    awards: list[Award]


class SeasonReport(NamedTuple):
    """Everything kept of a closed season besides its table; `names` are those at that time."""

    names: Names
    charts: ChartNumbers
    pairs: list[Partnership]
    feats: Feats
    schedules: dict[PlayerId, float]  # see head_to_head


def names_of(club: Club, choice: Choice) -> Names:
    """The names of the players in the tables of a choice."""
    return {number: person.name for number, person in members_of(club, choice).items()}


def feats_of(club: Club, choice: Choice) -> Feats:
    """The records of the chosen games and, for a season, the awards."""
    members = names_of(club, choice)

    def with_games(before: Deeds, some: Choice) -> Deeds:
        return add_deeds(before, games(club, some), members)

    # With too many games, only the latest, among them all of the latest day.
    done = aggregate_with_cache(club, choice, ("deeds", frozenset(members)), Deeds(), with_games)
    if choice.season_id is None:
        return Feats(records(done), [])
    return Feats(records(done), season_awards(club, choice, members, done, partnerships(club, choice)))


# --- charts -------------------------------------------------------------------------------------------------------


def chart_numbers_of(club: Club, scheme: Scheme, choice: Choice) -> ChartNumbers:
    """The numbers of the charts; with very many games, places and ratings cover the latest nights only."""
    since = _since(club, choice)
    latest = replace(choice, since=since) if since else choice
    rows = placing_rows(club, latest, scheme)
    nights, places = places_by_night(club, scheme, latest, rows)
    return ChartNumbers(since, nights, places, _ratings(rows, names_of(club, choice)), aggregate_bids(club, choice))


def _since(club: Club, choice: Choice) -> date | None:
    """The first day shown in the charts, if there are too many games or nights; None if all are shown."""
    here = *chosen_games(club, choice), Result.seat == 1  # the players credited with seat 1: one or two per game
    nights = select(Result.played, func.count(Result.game_id.distinct())).where(*here).group_by(Result.played)
    latest = db.session.execute(nights.order_by(Result.played.desc()).limit(MOST_NIGHTS + 1)).all()
    days, games = [night for night, _ in latest], 0
    for number, (_, played) in enumerate(latest):
        games += played
        if games > MOST_GAMES or number == MOST_NIGHTS:
            return days[max(0, number - 1)]
    return None


def _ratings(rows: Sequence[ResultRow], members: Names) -> dict[PlayerId, list[MuSigma]]:
    """Each player's rating after each night, None before the first game."""
    ratings: dict[PlayerId, list[MuSigma]] = {}
    for number, (_, played) in enumerate(by_nights(rows)):
        after = ratings_after(row for row in played if row.player_id in members)
        for player in after.keys() - ratings.keys():
            ratings[player] = [None] * number
        for player, line in ratings.items():
            line.append(after.get(player, line[-1] if line else None))
    return ratings


# --- the table --------------------------------------------------------------------------------------------------------


Name = int | str | None  # a player: see above


def table_from_dict(kept: Json | None, scheme: Scheme) -> Standings:
    """The table kept with a season, or an empty one for None; a deleted player has the id 0."""
    if not kept:
        return Standings((), (), None)
    night = date.fromisoformat(kept["night"]) if kept["night"] else None
    return Standings(tuple(_line_from(line, scheme) for line in kept["lines"]), (), night)


def _line_from(kept: Json, scheme: Scheme) -> Line:
    """Read a line of the table. Older versions stored the rating `before` the last game, too."""
    form = [(date.fromisoformat(played), number, letter) for played, number, letter in kept["form"]]
    rating = Rating(*kept["rating"]) if kept["rating"] else None
    extra = kept.get("extra")  # of tables that count nights
    counted = NightPoints(Fraction(extra[0], extra[1]), *extra[2:]) if extra else None
    record = PlayerStats(Counter(kept["sums"]), form, rating, counted)
    rated = rating.mu if rating else 0.0  # as stored, by any version
    worth = rated if scheme.by == RATING else points(record, scheme)
    player = Person(kept["player"] if isinstance(kept["player"], int) else 0, kept["name"], False)
    return Line(player, record, kept["place"], None, worth, division=kept.get("division", ""))


def leaders_of(kept: Json | None, scheme: Scheme) -> dict[str, list[Line]]:
    """The winners of a season and the next in place, by division; "" is the key without divisions."""
    leaders: dict[str, list[Line]] = {}
    for line in kept["lines"] if kept else ():
        found = leaders.setdefault(line.get("division", ""), [])
        if line["place"] and (not found or found[-1].place == 1):
            found.append(_line_from(line, scheme))
    return leaders


def table_to_dict(table: Standings) -> Json:
    """Serialize a table for `Season.frozen`."""
    lines = [_line_to_dict(line) for line in table.lines]
    champions = [line["player"] for line in lines if line["place"] == 1]
    return {"night": _day(table.night), "champions": champions, "lines": lines}


def _line_to_dict(line: Line) -> Json:
    record, extra, rating = line.record, line.record.extra, line.record.rating
    player = line.player.id if isinstance(line.player.id, int) else None  # a pair is stored by its names only
    form = [[played.isoformat(), number, letter] for played, number, letter in record.form]
    kept: Json = {"player": player, "name": line.player.name, "place": line.place, "sums": dict(record.sums)}
    kept |= {"form": form, "rating": rating and list(rating)}
    if extra:  # the worth as a ratio of two integers
        kept["extra"] = [*extra.worth.as_integer_ratio(), *extra[1:]]
    return kept | {"division": line.division} if line.division else kept


def renamed(
    table: Json | None, pages: Json | None, other: Callable[[Any, str, int], Name]
) -> tuple[Json | None, Json | None]:
    """The kept table and pages with each player replaced by the result of `other`.

    `other` is called with the player, the list ("lines", "champions" or "people"), and the index in it.
    """
    if table:
        lines = [line | {"player": other(line["player"], "lines", at)} for at, line in enumerate(table["lines"])]
        champions = [other(player, "champions", at) for at, player in enumerate(table["champions"])]
        table = table | {"champions": champions, "lines": lines}
    if pages:
        people = [[other(player, "people", at), name] for at, (player, name) in enumerate(pages["people"])]
        pages = pages | {"people": people}
    return table, pages


def rename_in_archives(club: Club, old: Name, new: Name) -> None:
    """Replace a player in what is kept of all closed seasons."""
    for season in club.seasons:
        season.frozen, season.pages = renamed(
            season.frozen, season.pages, lambda player, *_: new if player == old else player
        )


# --- the pages --------------------------------------------------------------------------------------------------------


VERSION = 2  # version 1 has no schedules
DECIMALS = 6  # of a rating in openskill's units, in which a newcomer has 25
MOST_VALUE = 10**9
One = TypeVar("One")
Made = TypeVar("Made")


def store_pages(season: Season) -> None:
    """Store the current pages of a season; inside the transaction that closes it.

    With very many pairs, those with the most games are kept. The pages are parsed before they are stored: a season is
    not closed with pages that cannot be displayed.
    """
    club, choice = season.club, Choice(season_id=season.id)
    charts, pairs = chart_numbers_of(club, Scheme.from_dict(season.settings), choice), partnerships(club, choice)
    most = sorted(pairs, key=lambda pair: -pair.games)[:MOST_KEPT]
    pairs = [pair for pair in pairs if pair in most]
    feats = feats_of(club, choice)
    kept = to_dict(SeasonReport(names_of(club, choice), charts, pairs, feats, schedules_of(club, choice)))
    from_dict(kept)
    season.pages = kept


def store_missing_pages(seasons: Iterable[Season]) -> None:
    """Store the pages of closed seasons that have none because an older version closed them.

    Unreadable pages of an older version are replaced.
    """
    for season in seasons:
        if season.pages and read(season.pages) is None:
            season.pages = None
        if season.closed_at is not None and season.pages is None:
            store_pages(season)


# --- writing ------------------------------------------------------------------------------------------------------


def to_dict(pages: SeasonReport) -> Json:
    """Serialize the pages for `Season.pages`; with very many players, the charts keep the first ones only."""
    at: dict[PlayerId, int] = defaultdict(lambda: len(at))  # the players' indices, in order of first use
    charts = pages.charts
    places = [[[at[player] for player in players_in(entry)], line] for entry, line in _first(charts.places)]
    ratings = [
        [at[player], [one and [round(value, DECIMALS) for value in one] for one in line]]
        for player, line in _first(charts.ratings)
    ]
    pairs = [
        [at[one.id], at[other.id], *numbers, *chance.as_integer_ratio()] for one, other, *numbers, chance in pages.pairs
    ]
    met = {player: strength for player, strength in pages.schedules.items() if player in pages.names}
    schedules = [[at[player], round(strength, DECIMALS)] for player, strength in _first(met)]
    records = [
        [key, rules_id, value, _day(played), [at[player] for player in players], number, *more]
        for key, rules_id, (value, played, number, players, *more) in pages.feats.records
    ]
    awards = [  # a gained rating is a difference of two floats
        [key, [at[player] for player in holders], [*value.limit_denominator(10**DECIMALS).as_integer_ratio()], of]
        for key, holders, value, of in pages.feats.awards
    ]
    return {
        "version": VERSION,
        "people": [[player, pages.names[player]] for player in at],
        "since": _day(charts.since),
        "nights": [_day(night) for night in charts.nights],
        "places": places,
        "ratings": ratings,
        "bids": dict(sorted(charts.bids.items())),
        "pairs": pairs,
        "records": records,
        "awards": awards,
        "schedules": schedules,
    }


def _first(lines: Mapping[One, Made]) -> list[tuple[One, Made]]:
    """At most MOST_KEPT lines of a chart or a table."""
    return list(lines.items())[:MOST_KEPT]


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


# --- reading ------------------------------------------------------------------------------------------------------


def read(kept: Json | None) -> SeasonReport | None:
    """Parse stored pages; None if there are none, or they are invalid."""
    try:
        return from_dict(kept) if kept else None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, ZeroDivisionError):
        return None


def from_dict(kept: Json) -> SeasonReport:
    """Parse stored pages; raises an error unless they are as `to_dict` writes them.

    Deleted players get ids below zero, as does a player who was merged into another one there: their names stay.
    """
    kept = dict(kept) | {"version": VERSION, "schedules": []} if kept["version"] == 1 else kept
    _check(kept["version"] == VERSION and len(kept) == 11)  # unknown keys are rejected
    _check(len(kept["nights"]) <= MOST_NIGHTS and len(kept["places"]) <= MOST_KEPT and len(kept["pairs"]) <= MOST_KEPT)
    given = [player for player, _ in kept["people"]]
    ids = [
        player if isinstance(player, int) and player not in given[:index] else -1 - index
        for index, player in enumerate(given)
    ]
    people = [Person(player, _text(name), False) for player, (_, name) in zip(ids, kept["people"], strict=True)]

    def players(who: list[int]) -> tuple[PlayerId, ...]:
        return tuple(ids[_index(player)] for player in who)

    def entry(who: list[int]) -> Entry:
        one, *others = players(who)
        if not others:
            return one
        (other,) = others
        return one, other

    def awarded(key: str, holders: list[int], value: list[int], of: int) -> Award:
        _check(key in (*AWARDS, *OLDER))
        return Award(key, players(holders), Fraction(*map(_whole, value)), _whole(of))

    def record(
        key: str, rules_id: str, value: int, played: str, held: list[int], number: int, *more: int
    ) -> FoundRecord:
        _check(key in (*RECORDS, STREAK))
        day = date.fromisoformat(played)
        deed = Deed._make((_whole(value), day, _whole(number), players(held), *map(_whole, more)))
        return FoundRecord(key, _text(rules_id), deed)

    def pair(one: int, other: int, *numbers: int) -> Partnership:
        *counted, up, of = map(_whole, numbers)
        return Partnership._make((people[_index(one)], people[_index(other)], *counted, Fraction(up, of)))

    nights = [date.fromisoformat(night) for night in kept["nights"]]
    charts = ChartNumbers(
        date.fromisoformat(kept["since"]) if kept["since"] else None,
        nights,
        {entry(who): _line(line, len(nights), _whole) for who, line in kept["places"]},
        {ids[_index(player)]: _line(line, len(nights), _rated) for player, line in kept["ratings"]},
        Counter({_bid(name): _whole(number) for name, number in kept["bids"].items()}),
    )
    return SeasonReport(
        {person.id: person.name for person in people},
        charts,
        [pair(*numbers) for numbers in kept["pairs"]],
        Feats([record(*one) for one in kept["records"]], [awarded(*one) for one in kept["awards"]]),
        {ids[_index(player)]: _number(met) for player, met in kept["schedules"]},
    )


def _line(line: list[One | None], nights: int, read: Callable[[One], Made]) -> list[Made | None]:
    _check(len(line) == nights)
    return [None if one is None else read(one) for one in line]


def _rated(value: list[float]) -> tuple[float, float]:
    mu, sigma = value
    return _number(mu), _number(sigma)


def _check(is_so: bool) -> None:
    if not is_so:
        raise ValueError("not the pages of a season")


def _index(value: Any) -> int:
    _check(_whole(value) >= 0)
    return int(value)


def _whole(value: Any) -> int:
    _check(type(value) is int and abs(value) <= MOST_VALUE)
    return int(value)


def _number(value: Any) -> float:
    _check(type(value) in (int, float) and abs(value) <= MOST_VALUE)
    return float(value)


def _text(value: Any) -> str:
    _check(isinstance(value, str) and len(value) <= 80)
    return str(value)


def _bid(name: str) -> str:
    kind, bid, what = name.split(":")
    _check(kind == BID and what in BID_COUNTS and _whole(int(bid)) >= 0)
    return name

"""A season's pages as numbers, and a closed one as JSON: its table and pages, kept with it and in a club's file.

Players are ids in the database, uids in a club's file, and None where they are gone. The pages name each player once,
in `people`; everything else names them by their index there. A change of what the pages hold adds one to VERSION, and
older versions stay readable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any, TypeVar

from sqlalchemy import func, select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Json, Result, Season

from .counting import BID, OF_A_BID, PlayerId
from .head_to_head import schedules_of
from .query import (
    Choice,
    Entry,
    NightPoints,
    Person,
    PlayerStats,
    ResultRow,
    aggregate_bids,
    chosen_games,
    games,
    in_two_steps,
    members_of,
    placing_rows,
    players_in,
)
from .ratings import Rating
from .records import (
    AWARDS,
    OLDER,
    RECORDS,
    STREAK,
    Award,
    Best,
    Deed,
    Deeds,
    FoundRecord,
    add_deeds,
    records,
    season_awards,
)
from .schemes import RATING, Scheme
from .standings import Line, Partnership, Standings, by_nights, partnerships, places_by_night, points

# --- what the pages of a season (web/standings/pages.py) show beside its table, as numbers ----------------------------


MOST_NIGHTS = 200
MOST_GAMES = 3_000  # in charts; of more, the latest nights
MOST_KEPT = 100  # players and pairs that are kept of a closed season
EVERYTHING = Choice()
Names = dict[PlayerId, str]
Rated = tuple[float, float] | None  # mu and sigma


@dataclass(frozen=True)
class ChartNumbers:
    """Everybody's place and rating after each night, and how bids have paid.

    `since` is the first of these nights, where not all are among them.
    """

    since: date | None
    nights: list[date]
    places: dict[Entry, list[int | None]]
    ratings: dict[PlayerId, list[Rated]]
    bids: Counter[str]


@dataclass(frozen=True)
class Feats:
    """The records of the games chosen, and the awards but the champion's."""

    records: list[FoundRecord]
    awards: list[Award]


@dataclass(frozen=True)
class SeasonReport:
    """All that is kept of a closed season; `names` are those of that time."""

    names: Names
    charts: ChartNumbers
    pairs: list[Partnership]
    feats: Feats
    schedules: dict[PlayerId, float]  # see head_to_head


def names_of(club: Club, choice: Choice = EVERYTHING) -> Names:
    """The names of who is in the tables of a choice."""
    return {number: person.name for number, person in members_of(club, choice).items()}


def feats_of(club: Club, choice: Choice, *, with_awards: bool) -> Feats:
    """The records of the games chosen and, where asked for, the awards."""
    members = names_of(club, choice)

    def with_games(before: Deeds, some: Choice) -> Deeds:
        return add_deeds(before, games(club, some), members)

    # Where there are too many games, the latest of them, and all of the latest day.
    done = in_two_steps(club, choice, ("deeds", frozenset(members)), Deeds(), with_games)
    given = season_awards(club, choice, members, done, partnerships(club, choice)) if with_awards else []
    return Feats(records(done), given)


def pages_of(club: Club, scheme: Scheme, choice: Choice) -> SeasonReport:
    """What there is to be kept of a season that is closed now."""
    charts, pairs = charted(club, scheme, choice), partnerships(club, choice)
    most = sorted(pairs, key=lambda pair: -pair.games)[:MOST_KEPT]
    kept = [pair for pair in pairs if pair in most]
    feats = feats_of(club, choice, with_awards=True)
    return SeasonReport(names_of(club, choice), charts, kept, feats, schedules_of(club, choice))


# --- charts -------------------------------------------------------------------------------------------------------


def charted(club: Club, scheme: Scheme, choice: Choice) -> ChartNumbers:
    """The numbers of the charts; of very many games, the places and ratings are those of the latest nights."""
    since = _since(club, choice)
    latest = replace(choice, since=since) if since else choice
    rows = placing_rows(club, latest, scheme)
    nights, places = places_by_night(club, scheme, latest, rows)
    return ChartNumbers(since, nights, places, _ratings(rows, names_of(club, choice)), aggregate_bids(club, choice))


def _since(club: Club, choice: Choice) -> date | None:
    """The day of the first game that is in the charts, where there are too many games or nights; None where all are."""
    here = *chosen_games(club, choice), Result.seat == 1  # whom it counts for, once or twice a game
    nights = select(Result.played, func.count(Result.game_id.distinct())).where(*here).group_by(Result.played)
    latest = db.session.execute(nights.order_by(Result.played.desc()).limit(MOST_NIGHTS + 1)).all()
    days, games = [night for night, _ in latest], 0
    for number, (_, played) in enumerate(latest):
        games += played
        if games > MOST_GAMES or number == MOST_NIGHTS:
            return days[max(0, number - 1)]
    return None


def _ratings(rows: Sequence[ResultRow], members: Names) -> dict[PlayerId, list[Rated]]:
    """Everybody's rating after each night, from the first game on."""
    ratings: dict[PlayerId, list[Rated]] = {}
    for number, (_, played) in enumerate(by_nights(rows)):
        rated = [row for row in played if row.player_id in members]
        after = {row.player_id: (row.mu, row.sigma) for row in rated if row.mu is not None and row.sigma is not None}
        for player in after.keys() - ratings.keys():
            ratings[player] = [None] * number
        for player, line in ratings.items():
            line.append(after.get(player, line[-1] if line else None))
    return ratings


# --- the table --------------------------------------------------------------------------------------------------------


Name = int | str | None  # a player: by id in the database, by uid in a club's file, None for who is gone


def table_of(kept: Json | None, scheme: Scheme) -> Standings:
    """The table as a season keeps it, an empty one where it keeps none; a player who is gone has the id 0."""
    if not kept:
        return Standings((), (), None)
    night = date.fromisoformat(kept["night"]) if kept["night"] else None
    return Standings(tuple(_line_from(line, scheme) for line in kept["lines"]), (), night)


def _line_from(kept: Json, scheme: Scheme) -> Line:
    """A line as it was kept; old ones do not say the rating `before` the last game."""
    form = [(date.fromisoformat(played), number, letter) for played, number, letter in kept["form"]]
    rating = Rating(*kept["rating"]) if kept["rating"] else None
    extra = kept.get("extra")  # of tables that count nights
    counted = NightPoints(Fraction(extra[0], extra[1]), *extra[2:]) if extra else None
    record = PlayerStats(Counter(kept["sums"]), form, rating, kept.get("before"), counted)
    rated = rating.mu if rating else 0.0  # as it was stored, by whatever version
    worth = rated if scheme.by == RATING else points(record, scheme)
    player = Person(kept["player"] if isinstance(kept["player"], int) else 0, kept["name"], False)
    return Line(player, record, kept["place"], kept["place"], worth, division=kept.get("division", ""))


def winners_of(kept: Json | None) -> dict[str, list[str]]:
    """The names of those who won a season by the division, or under "" where it has none."""
    winners: dict[str, list[str]] = {}
    for line in kept["lines"] if kept else ():
        first = [line["name"]] if line["place"] == 1 else []
        winners.setdefault(line.get("division", ""), []).extend(first)
    return winners


LINE = "player", "name", "place", "sums", "form", "rating", "before"


def table_to_dict(table: Standings) -> Json:
    """The table as a season keeps it."""
    lines = [_line_to_dict(line) for line in table.lines]
    champions = [line["player"] for line in lines if line["place"] == 1]
    return {"night": _day(table.night), "champions": champions, "lines": lines}


def _line_to_dict(line: Line) -> Json:
    record, extra, rating = line.record, line.record.extra, line.record.rating
    player = line.player.id if isinstance(line.player.id, int) else None  # a pair is kept by its names
    form = [[played.isoformat(), number, letter] for played, number, letter in record.form]
    about = player, line.player.name, line.place, dict(record.sums), form, rating and list(rating), record.mu_before
    kept: Json = dict(zip(LINE, about, strict=True))
    if extra:  # the worth as two whole numbers
        kept["extra"] = [*extra.worth.as_integer_ratio(), *extra[1:]]
    return kept | {"division": line.division} if line.division else kept


def renamed(table: Json | None, pages: Json | None, other: Callable[[Any, str, int], Name]) -> Json:
    """What a closed season keeps, with each player called by what `other` says; older lines have no rating `before`.

    It is given the player, the list ("lines", "champions" or "people"), and the place in that.
    """
    if table:
        lines = [
            dict.fromkeys(LINE) | line | {"player": other(line["player"], "lines", at)}
            for at, line in enumerate(table["lines"])
        ]
        champions = [other(player, "champions", at) for at, player in enumerate(table["champions"])]
        table = table | {"champions": champions, "lines": lines}
    if pages:
        people = [[other(player, "people", at), name] for at, (player, name) in enumerate(pages["people"])]
        pages = pages | {"people": people}
    return {"frozen": table, "pages": pages}


def rename(season: Season, other: Callable[[Any, str, int], Name]) -> None:
    """The same of a season of the database; inside a transaction."""
    kept = renamed(season.frozen, season.pages, other)
    season.frozen, season.pages = kept["frozen"], kept["pages"]


# --- the pages --------------------------------------------------------------------------------------------------------


VERSION = 2  # 1 has no schedules
DECIMALS = 6  # of a rating in openskill's own units, where a newcomer has 25
MOST = 10**9
One = TypeVar("One")
Made = TypeVar("Made")


def keep(season: Season) -> None:
    """Keep the pages of a season as they are now; inside the transaction that closes it.

    They are read once: a season is not closed with pages that nobody can show.
    """
    kept = _as_now(season)
    from_dict(kept)
    season.pages = kept


def _as_now(season: Season) -> Json:
    return to_dict(pages_of(season.club, Scheme.from_dict(season.settings), Choice(season_id=season.id)))


def are_as_kept(season: Season) -> bool:
    """Whether a season's pages say what is kept of them; players may have other ids since, and so another order.

    What an earlier version did not keep may be anything.
    """
    if season.pages is None:
        return False
    now, version = _said(_as_now(season)), {"version": season.pages["version"]}
    return _said(season.pages) == {key: said for key, said in (now | version).items() if key in season.pages}


def _said(kept: Json) -> Json:
    """The pages with each player named in place, in an order that no id decides."""
    people = [tuple(person) for person in kept["people"]]

    def named(at: Iterable[int]) -> list[tuple[object, ...]]:
        return sorted((people[index] for index in at), key=str)

    told = {
        "places": [[named(entry), line] for entry, line in kept["places"]],
        "ratings": [[named([player]), line] for player, line in kept["ratings"]],
        "pairs": [[named(pair[:2]), pair[2:]] for pair in kept["pairs"]],
        "records": [[*found[:4], named(found[4]), *found[5:]] for found in kept["records"]],
        "awards": [[key, named(holders), *more] for key, holders, *more in kept["awards"]],
        "schedules": [[named([player]), met] for player, met in kept.get("schedules", [])],
    }
    told = {key: lines for key, lines in told.items() if key in kept}
    return kept | {"people": []} | {key: sorted(lines, key=str) for key, lines in told.items()}


def keep_missing(seasons: Iterable[Season]) -> None:
    """Keep the pages of closed seasons that have none, because an older version closed them.

    Pages that an older version kept and nobody can read are none.
    """
    for season in seasons:
        if season.pages and read(season.pages) is None:
            season.pages = None
        if season.closed_at is not None and season.pages is None:
            keep(season)


# --- writing ------------------------------------------------------------------------------------------------------


def to_dict(pages: SeasonReport) -> Json:
    """The pages as they are kept; of very many players the charts keep some."""
    charts = pages.charts
    places, ratings = _first(charts.places), _first(charts.ratings)
    named = [*(player for entry in places for player in players_in(entry)), *ratings]
    named += [one.id for pair in pages.pairs for one in (pair.one, pair.other)]
    schedules = _first({player: met for player, met in pages.schedules.items() if player in pages.names})
    named += schedules
    named += [player for found in pages.feats.records for player in found.best.deed.players]
    named += [player for award in pages.feats.awards for player in award.holders]
    at = {player: index for index, player in enumerate(dict.fromkeys(named))}
    return {
        "version": VERSION,
        "people": [[player, pages.names[player]] for player in at],
        "since": _day(charts.since),
        "nights": [_day(night) for night in charts.nights],
        "places": [[[at[player] for player in players_in(entry)], line] for entry, line in places.items()],
        "ratings": [
            [at[player], [one and [round(value, DECIMALS) for value in one] for one in line]]
            for player, line in ratings.items()
        ],
        "bids": dict(sorted(charts.bids.items())),
        "pairs": [_pair(pair, at) for pair in pages.pairs],
        "records": [_record(found, at) for found in pages.feats.records],
        "awards": [_award(award, at) for award in pages.feats.awards],
        "schedules": [[at[player], round(met, DECIMALS)] for player, met in schedules.items()],
    }


def _first(lines: Mapping[One, Made]) -> dict[One, Made]:
    """The lines of a chart or a table: of very many the first."""
    return dict(list(lines.items())[:MOST_KEPT])


def _pair(pair: Partnership, at: Mapping[PlayerId, int]) -> list[int]:
    numbers = pair.games, pair.won, pair.shared, pair.lost, pair.hands, pair.swing, *pair.chance.as_integer_ratio()
    return [at[pair.one.id], at[pair.other.id], *numbers]


def _record(found: FoundRecord, at: Mapping[PlayerId, int]) -> list[object]:
    deed = found.best.deed
    players = [at[player] for player in deed.players]
    numbers = deed.number, deed.hand, deed.since, found.best.again
    return [found.key, found.rules_id, deed.value, _day(deed.played), players, *numbers]


def _award(award: Award, at: Mapping[PlayerId, int]) -> list[object]:
    value = award.value.limit_denominator(10**DECIMALS)  # a rating gained is a difference of two floats
    return [award.key, [at[player] for player in award.holders], list(value.as_integer_ratio()), award.of]


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


# --- reading ------------------------------------------------------------------------------------------------------


def read(kept: Json | None) -> SeasonReport | None:
    """The pages as they were kept; none where none are, and where an older version kept what cannot be read."""
    try:
        return from_dict(kept) if kept else None
    except ValueError:
        return None


def from_dict(kept: Json) -> SeasonReport:
    """The pages as they were kept; raises ValueError where they are not as `to_dict` writes them.

    Who is gone has an id below zero, and so has who was merged into somebody else there: their names stay.
    """
    try:
        return _read(dict(kept))
    except (KeyError, TypeError, IndexError, AttributeError, ZeroDivisionError) as error:
        raise ValueError(f"not the pages of a season: {error}") from error


def _read(kept: Json) -> SeasonReport:
    kept = kept | {"version": VERSION, "schedules": []} if kept["version"] == 1 else kept
    _check(kept["version"] == VERSION and len(kept) == len(KEYS))
    _check(len(kept["nights"]) <= MOST_NIGHTS and len(kept["places"]) <= MOST_KEPT and len(kept["pairs"]) <= MOST_KEPT)
    given = [player for player, _ in kept["people"]]
    ids = [-1 - index if player is None or player in given[:index] else player for index, player in enumerate(given)]
    people = [Person(player, _text(name), False) for player, (_, name) in zip(ids, kept["people"], strict=True)]
    names = {person.id: person.name for person in people}
    nights = [date.fromisoformat(night) for night in kept["nights"]]
    places = {_entry(who, ids): _line(line, len(nights), _whole) for who, line in kept["places"]}
    ratings = {ids[_index(player)]: _line(line, len(nights), _rated) for player, line in kept["ratings"]}
    charts = ChartNumbers(
        date.fromisoformat(kept["since"]) if kept["since"] else None,
        nights,
        places,
        ratings,
        Counter({_bid(name): _whole(number) for name, number in kept["bids"].items()}),
    )
    pairs = [_together(people, *map(_whole, numbers)) for numbers in kept["pairs"]]
    feats = Feats([_found(ids, *one) for one in kept["records"]], [_given(ids, *one) for one in kept["awards"]])
    schedules = {ids[_index(player)]: _number(met) for player, met in kept["schedules"]}
    return SeasonReport(names, charts, pairs, feats, schedules)


def _together(
    people: list[Person], one: int, other: int, games: int, won: int, shared: int, lost: int, hands: int, swing: int,
    up: int, of: int,
) -> Partnership:  # fmt: skip
    players = people[_index(one)], people[_index(other)]
    return Partnership(*players, games, won, shared, lost, hands, swing, Fraction(up, of))


def _entry(who: list[int], ids: list[PlayerId]) -> Entry:
    one, *others = [ids[_index(player)] for player in who]
    if not others:
        return one
    (other,) = others
    return one, other


def _line(line: list[One | None], nights: int, read: Callable[[One], Made]) -> list[Made | None]:
    _check(len(line) == nights)
    return [None if one is None else read(one) for one in line]


def _rated(value: list[float]) -> tuple[float, float]:
    mu, sigma = value
    return _number(mu), _number(sigma)


def _found(
    ids: list[PlayerId], key: str, rules_id: str, value: int, played: str, players: list[int], number: int, hand: int,
    since: int, again: int,
) -> FoundRecord:  # fmt: skip
    _check(key in (*RECORDS, STREAK))
    held = tuple(ids[_index(player)] for player in players)
    numbers = _whole(number), held, _whole(hand), _whole(since)
    return FoundRecord(
        key, _text(rules_id), Best(Deed(_whole(value), date.fromisoformat(played), *numbers), _whole(again))
    )


def _given(ids: list[PlayerId], key: str, holders: list[int], value: list[int], of: int) -> Award:
    _check(key in (*AWARDS, *OLDER))
    return Award(key, tuple(ids[_index(one)] for one in holders), Fraction(*map(_whole, value)), _whole(of))


def _check(is_so: bool) -> None:
    if not is_so:
        raise ValueError("not the pages of a season")


def _index(value: Any) -> int:
    _check(_whole(value) >= 0)
    return int(value)


def _whole(value: Any) -> int:
    _check(type(value) is int and abs(value) <= MOST)
    return int(value)


def _number(value: Any) -> float:
    _check(type(value) in (int, float) and abs(value) <= MOST)
    return float(value)


def _text(value: Any) -> str:
    _check(isinstance(value, str) and len(value) <= 80)
    return str(value)


def _bid(name: str) -> str:
    kind, bid, what = name.split(":")
    _check(kind == BID and what in OF_A_BID and _whole(int(bid)) >= 0)
    return name


KEYS = ("version", "people", "since", "nights", "places", "ratings", "bids", "pairs", "records", "awards", "schedules")

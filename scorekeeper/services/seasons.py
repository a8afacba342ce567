"""Begin, change and close seasons, and assign games to them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Date, and_, bindparam, func, or_, select

from scorekeeper.database.session import db, db_write, db_write_or_join, now
from scorekeeper.models import Club, Game, GameSeason, Player, Season, acting_link
from scorekeeper.scoring.problems import refusal
from scorekeeper.stats import archive, ratings, tallies
from scorekeeper.stats.league import (
    MOST_BONUSES,
    Bonus,
    League,
    Playoffs,
    Seed,
    ids_of,
    league_of,
    matches_of,
    seeds_of,
)
from scorekeeper.stats.query import Choice
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import standings

from . import club_log

_on = bindparam("on", type_=Date)
_runs = Season.closed_at.is_(None), Season.starts <= _on, or_(Season.ends.is_(None), Season.ends >= _on)
_of_club = select(Season).where(Season.club_id == bindparam("club"), *_runs)
# Built once: runs for every club's page.
RUNNING = _of_club.order_by(Season.starts.desc(), Season.created_at.desc(), Season.uid)


CLOSED = "The season is closed. Reopen it first."
NAME_TWICE = "name-twice"
LEAST_RANKED = {4: 2, 8: 5}  # ranked players by bracket size; for fewer than five, four has fewer byes


def running(club: Club, on: date) -> list[Season]:
    """Return the seasons that a game played on that day can belong to, the latest start first."""
    return list(db.session.scalars(RUNNING, {"club": club.id, "on": on}))


def begin(club: Club, name: str, starts: date, ends: date | None, scheme: Scheme) -> Season:
    """Create a season; raises Refused for a name in use. Games of its days are not added; see `take_in`."""
    with db_write(club) as session:
        check_name("season", club.seasons, name)
        season = Season(club=club, name=name, starts=starts, ends=ends, settings=scheme.to_dict())
        session.add(season)
        session.flush()
        club_log.add(season, club_log.BEGIN, None, {"name": name})
    return season


def change(season: Season, *, name: str, starts: date, ends: date | None, scheme: Scheme) -> None:
    """Change a season's name, dates and table settings; counts its games again if necessary."""
    set_settings(season, {"name": name, "starts": starts, "ends": ends, "settings": scheme.to_dict()})


def set_settings(season: Season, about: Mapping[str, Any]) -> None:
    """Set columns of an open season by name; raises Refused for a closed one, and for a name in use."""
    with db_write_or_join(season.club, season):
        _check_open(season)
        check_name("season", season.club.seasons, about["name"], season)
        before, credit = settings_of(season), scheme_of(season).credit
        for key, value in about.items():
            setattr(season, key, value)
        after = settings_of(season)
        if after != before:
            club_log.add(season, club_log.SETTINGS, before, after)
        if scheme_of(season).credit != credit:
            db.session.flush()
            count_again(season.club_id, tallies.all_games(season.club, counts_in(season)), reopens=(season.id,))


def same_name_among(known: Iterable[Player | Season], name: str, who: object = None) -> str:
    """Return the name of another one of `known` that equals `name` but for case; "" if there is none."""
    return next((one.name for one in known if one is not who and one.name.casefold() == name.casefold()), "")


def check_name(kind: str, known: Iterable[Player | Season], name: str, who: object = None) -> None:
    """Raise Refused if a player or season cannot have that name, because another one of `known` has it."""
    if taken := same_name_among(known, name, who):
        raise refusal(NAME_TWICE, f"Another {kind} is called {taken} now. Rename that {kind} first")


def _check_open(season: Season) -> None:
    if season.closed_at is not None:
        raise refusal("season-closed", CLOSED)


def counts_in(season: Season) -> ColumnElement[bool]:
    """True if the game counts in the season, as its primary one or besides."""
    return or_(Game.season_id == season.id, Game.also.any(Season.id == season.id))


def settings_of(season: Season) -> dict[str, object]:
    """Return a season's settings as logged."""
    days = {key: day.isoformat() if (day := getattr(season, key)) else None for key in ("starts", "ends")}
    return {"name": season.name, **days, "settings": dict(season.settings)}


def scheme_of(season: Season) -> Scheme:
    return Scheme.from_dict(season.settings)


# --- games --------------------------------------------------------------------------------------------------------


def set_season(
    game: Game,
    season: Season | None,
    *,
    also: Sequence[Season] | None = None,
) -> None:
    """Set the primary season of a game, or remove it.

    Without `season`, the first of its other seasons becomes the primary one. The other seasons stay, unless `also`
    replaces them.
    """
    with db_write_or_join(game.club, game):
        others = game.also if also is None else also
        season = season or next(iter(others), None)
        if game.season == season:
            return
        both = game.season, season
        sides: list[dict[str, object]]
        sides = [{"game": game.number, "season": one and one.uid, "name": one and one.name} for one in both]
        others = [one for one in others if one != season]
        told = [[one.uid for one in _in_order(each)] for each in (game.also, others)]
        game.season, game.also = season, others
        tallies.update_tallies(game)
        if told[0] != told[1]:
            sides = [side | {"also": uids} for side, uids in zip(sides, told, strict=True)]
        club_log.add(game, club_log.MOVE, *sides)


def set_also(game: Game, also: Sequence[Season]) -> None:
    """Set the seasons that a game counts in besides its primary one; without a primary one, the first becomes it."""
    with db_write_or_join(game.club, game):
        if game.season is None and also:
            with club_log.undoing() if also[1:] else nullcontext():  # undo refers to the others, if any
                set_season(game, also[0])
        also = [one for one in also if one != game.season]
        if set(game.also) == set(also):
            return
        was = others_of(game)
        game.also = list(also)
        tallies.update_tallies(game)
        club_log.add(game, club_log.ALSO, was, others_of(game))


def count_in(game: Game, season: Season | None, also: Sequence[Season] = ()) -> None:
    """Set the primary season of a game, which decides who gets credit, and its other seasons."""
    with db_write(game.club, game):
        set_season(game, season, also=also)
        set_also(game, also)


def others_of(game: Game) -> dict[str, object]:
    """Return a game's seasons besides its primary one, as logged."""
    also = _in_order(game.also)
    return {"game": game.number, "also": [one.uid for one in also], "names": [one.name for one in also]}


def _in_order(seasons: Sequence[Season]) -> list[Season]:
    return sorted(seasons, key=lambda one: (one.created_at, one.uid))


def _outside(season: Season, elsewhere: bool) -> ColumnElement[bool]:
    """Condition: played in the season's days and in no season; or, `elsewhere`, in other seasons only."""
    also = select(GameSeason.game_id).where(GameSeason.season_id == season.id)
    which = and_(Game.season_id != season.id, Game.id.not_in(also)) if elsewhere else Game.season_id.is_(None)
    ended = [Game.played <= season.ends] if season.ends else []
    return and_(Game.club_id == season.club_id, which, Game.played >= season.starts, *ended)


def games_outside(season: Season, *, elsewhere: bool = False) -> int:
    """Count the games of a season's days that are in no season; or, `elsewhere`, in other seasons only."""
    return db.session.scalar(select(func.count()).select_from(Game).where(_outside(season, elsewhere))) or 0


def take_in(season: Season, *, elsewhere: bool = False) -> int:
    """Add all games of a season's days that are in no season (or, `elsewhere`, in others only); return their number."""
    with db_write(season.club, season):
        games = [] if season.closed_at else list(db.session.scalars(select(Game).where(_outside(season, elsewhere))))
        if games:
            set_taken_in(season, games, True)
    return len(games)


def set_taken_in(season: Season, games: Sequence[Game], counts: bool) -> None:
    """Add games to a season or remove them, inside the caller's transaction."""

    def join(game: Game) -> None:
        if season not in game.seasons:
            game.seasons = [*game.seasons, season]

    count_again(season.club_id, games, join if counts else lambda game: leave(game, season))
    told = {"name": season.name, "games": [game.uid for game in games]}
    before, after = (None, told) if counts else (told, None)
    club_log.add(season, club_log.TAKE_IN, before, after)


def leave(game: Game, season: Season) -> None:
    """Remove a game from a season; if it was the primary one, the next becomes primary."""
    game.seasons = [one for one in game.seasons if one != season]


def count_again(
    club_id: int,
    games: Iterable[Game],
    change: Callable[[Game], object] = lambda _: None,
    *,
    reopens: Container[int] | None = None,
    soon: bool = False,
) -> None:
    """Count games again, each after applying `change`, inside the caller's transaction, without a log entry."""
    writer = tallies.TallyWriter(club_id, reopens=reopens)
    for game in games:
        change(game)
        db.session.flush()
        writer.replace(game)
    writer.close(soon=soon)


# --- closing ------------------------------------------------------------------------------------------------------


def close(season: Season) -> None:
    """Close a season: all its pages are frozen, and the leader of its table has won it."""
    with db_write(season.club, season):
        if season.closed_at is not None:
            return
        ratings.rate_deferred(season.club_id)
        table = standings(season.club, scheme_of(season), Choice(season_id=season.id))
        season.frozen = archive.table_to_dict(table)
        archive.store_pages(season)
        set_closed(season, now())


def set_closed(season: Season, at: datetime | None) -> None:
    """Mark a season as closed at `at`, or as open (None), keeping its snapshot."""
    with db_write_or_join(season.club, season):
        if bool(season.closed_at) == bool(at):
            return
        before, after = (
            {"name": season.name, "closed": moment.isoformat() if moment else None} for moment in (season.closed_at, at)
        )
        season.closed_at, season.reopened = at, None if at else tallies.reopened_by(None, season)
        tallies.mark_changed(season.club_id, earlier=False)  # a closed season has the names and guests of then
        club_log.add(season, club_log.CLOSE, before, after)


def reopen(season: Season) -> None:
    """Reopen a closed season."""
    set_closed(season, None)


def changed_since_closed(club: Club) -> set[int]:
    """Ids of the seasons that a game has reopened, if anything in them differs from when they were closed."""
    by_game = (season for season in _reopened(club) if season.reopened and season.reopened["game"])
    return {season.id for season in by_game if not tallies.is_as_closed(season)}


def _reopened(club: Club) -> Sequence[Season]:
    opened = Season.club_id == club.id, Season.closed_at.is_(None), Season.reopened.is_not(None)
    return db.session.scalars(select(Season).where(*opened)).all()


def close_again(club: Club, changed: Container[int]) -> None:
    """Close the seasons that had `changed_since_closed`, and are again as they were then, with their old dates.

    No link did that: to take back all that a link did leaves them closed.
    """
    link = acting_link.set(None)
    try:
        for season in _reopened(club):
            if season.id in changed and tallies.is_as_closed(season):
                set_closed(season, datetime.fromisoformat((season.reopened or {})["closed"]))
        db.session.flush()
    finally:
        acting_link.reset(link)


# --- bonus points, divisions and playoffs -------------------------------------------------------------------------


def set_bonus(season: Season, bonus: Bonus) -> None:
    """Add a bonus, or replace the one with its uid, for example to undo or restore it; raises Refused."""
    with db_write_or_join(season.club, season):
        _check_open(season)
        league = league_of(season)
        was = league.find(bonus.uid)
        if was is None and len(league.bonuses) >= MOST_BONUSES:
            raise refusal("too-many", "This season has as many bonuses as it can take")
        if was != bonus:
            before = (was or replace(bonus, undone=True)).to_dict()
            mine = Player.club_id == season.club_id, Player.uid == bonus.player
            name = db.session.scalar(select(Player.name).where(*mine))
            _store_league(season, league.with_bonus(bonus), club_log.BONUS, before, bonus.to_dict(), player=name)


class LeaguePart(NamedTuple):
    """One part of a season's league: `said` reads its logged value, `put` returns a league with a logged value."""

    said: Callable[[League], Any]
    put: Callable[[League, Any], League]


LEAGUE_PARTS: Mapping[str, LeaguePart] = {
    club_log.DIVISIONS: LeaguePart(
        lambda league: dict(league.division_of), lambda league, divisions: replace(league, division_of=divisions)
    ),
    club_log.START: LeaguePart(
        lambda league: list(league.start), lambda league, start: replace(league, start=tuple(start))
    ),
    club_log.PLAYOFFS: LeaguePart(
        lambda league: league.playoffs and league.playoffs.to_dict(),
        lambda league, playoffs: replace(league, playoffs=Playoffs.from_dict(playoffs)),
    ),
}


def set_league(kind: str, season: Season, value: Any) -> None:
    """Set one part of a league from its logged value: divisions by player uid, the ladder's start, or a bracket.

    Raises Refused for a closed season, which may still have playoffs.
    """
    part = LEAGUE_PARTS[kind]
    with db_write_or_join(season.club, season):
        if kind != club_log.PLAYOFFS:
            _check_open(season)
        league = league_of(season)
        before = part.said(league)
        if before != value:
            _store_league(season, part.put(league, value), kind, before, value)


set_divisions, set_start = (partial(set_league, kind) for kind in (club_log.DIVISIONS, club_log.START))


def set_playoffs(season: Season, playoffs: Playoffs | None) -> None:
    """Set or remove a season's playoff bracket."""
    set_league(club_log.PLAYOFFS, season, playoffs and playoffs.to_dict())


def seeds(season: Season, size: int) -> tuple[Seed, ...]:
    """Return the seeds of a bracket from the current table."""
    table = standings(season.club, scheme_of(season), Choice(season_id=season.id))
    uids = {number: uid for uid, number in ids_of(season.club_id).items()}
    return seeds_of(table.lines, size, uids)


def draw_playoffs(season: Season, size: int) -> bool:
    """Draw the bracket from the current table; False if there is one. Raises Refused for too few ranked players."""
    with db_write(season.club, season):
        if league_of(season).playoffs:
            return False
        ratings.rate_deferred(season.club_id)
        drawn, least = seeds(season, size), LEAST_RANKED[size]
        if len(drawn) < least:
            few = f"Playoffs of the top {size} need at least {least} ranked players. The table does not have them yet"
            raise refusal("too-few", few)
        set_playoffs(season, Playoffs(size, drawn, drawn=season.club.today))
        return True


def pick_game(season: Season, match: str, uid: str | None) -> None:
    """Set or clear the game of a match, beside those picked by others meanwhile; nothing if the bracket has gone."""
    with db_write_or_join(season.club, season):
        playoffs = league_of(season).playoffs
        if playoffs and match in chain(*matches_of(playoffs.size)):
            set_playoffs(season, playoffs.with_game(match, uid))


def _store_league(season: Season, league: League, kind: str, was: object, now_is: object, **named: object) -> None:
    if league.players - league_of(season).players - ids_of(season.club_id).keys():
        raise refusal("no-player", "A player was deleted or merged meanwhile. Nothing was changed")
    season.league = league.to_dict()
    tallies.mark_changed(season.club_id)
    club_log.add_value(season, kind, kind, was, now_is, name=season.name, **named)

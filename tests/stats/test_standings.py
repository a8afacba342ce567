"""What a table of ratings goes by: its own games up to its own last day, and who still plays in the club."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from sqlalchemy import select

from scorekeeper import people, seasons
from scorekeeper.db import db, db_write
from scorekeeper.models import Club, Player
from scorekeeper.stats import tallies
from scorekeeper.stats.frozen import FrozenTable
from scorekeeper.stats.query import Choice
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import AWAY, RETIRED, places_by_night, standings
from tests.stats.quick_games import play

FIRST = date(2026, 1, 1)
OTHERS = ["Eve", "Flo", "Gus", "Hal"]
BY_RATING = Scheme(by="rating")


def named(name):
    return db.session.scalars(select(Player).where(Player.name == name)).one()


def places(club, **choice):
    table = standings(club, BY_RATING, Choice(**choice))
    return {line.player.name: line.place for line in (*table.lines, *table.hidden)}


def hidden(club, **choice):
    return {line.player.name: line.gone for line in standings(club, BY_RATING, Choice(**choice)).hidden}


def test_a_season_by_rating_ranks_after_eight_games_of_its_own(club):
    play(club, FIRST, 8)
    season = seasons.begin(club, "League", FIRST, None, BY_RATING)
    play(club, FIRST, 7, season=season)
    assert places(club, season_id=season.id) == dict.fromkeys(("Ann", "Bo", "Cy", "Di"))
    assert standings(club, BY_RATING, Choice(season_id=season.id)).leaders == ()
    play(club, FIRST, season=season)
    assert places(club, season_id=season.id) == {"Ann": 1, "Cy": 1, "Bo": 3, "Di": 3}


def test_games_after_the_last_day_of_the_table_rank_nobody(club):
    play(club, FIRST, 2)
    play(club, FIRST + timedelta(days=7), 6)
    assert places(club, until=FIRST) == dict.fromkeys(("Ann", "Bo", "Cy", "Di"))
    assert places(club) == {"Ann": 1, "Cy": 1, "Bo": 3, "Di": 3}
    assert {line.was for line in standings(club, BY_RATING, Choice()).lines} == {None}
    assert places_by_night(club, BY_RATING, Choice())[1][named("Ann").id] == [None, 1]


def test_whoever_plays_under_other_rules_still_plays_in_the_club(club):
    play(club, FIRST, 8)
    play(club, FIRST + timedelta(days=200), 8, names=OTHERS)
    assert hidden(club) == dict.fromkeys(("Ann", "Bo", "Cy", "Di"), AWAY)
    people.set_guest(named("Di"), True)
    assert hidden(club) == dict.fromkeys(("Ann", "Bo", "Cy"), AWAY)
    people.set_guest(named("Di"), False)
    cup = seasons.begin(club, "Cup", FIRST, None, Scheme())
    play(club, FIRST + timedelta(days=200), names=["Ann", "Eve", "Flo", "Gus"], season=cup)
    assert "Ann" not in hidden(club)
    assert hidden(club, present=frozenset({named("Bo").id})) == dict.fromkeys(("Bo", "Cy", "Di"), AWAY)
    assert named("Bo").id not in places_by_night(club, BY_RATING, Choice())[1]


def test_a_table_up_to_a_day_goes_by_who_played_up_to_that_day(club):
    play(club, FIRST, 8)
    play(club, FIRST + timedelta(days=200), 8, names=OTHERS)
    assert hidden(club, until=FIRST + timedelta(days=30)) == {}
    league = seasons.begin(club, "League", FIRST, FIRST + timedelta(days=30), BY_RATING)
    play(club, FIRST, 8, season=league)
    assert hidden(club, season_id=league.id) == {}


def test_whoever_has_retired_waits_for_no_games(club):
    play(club, FIRST, 23)
    people.set_retired(named("Bo"), True)
    assert hidden(club) == {"Bo": RETIRED}


# --- ordered by what is at least likely ---------------------------------------------------------------------------


def test_a_table_by_rating_is_ordered_by_the_safe_end(club):
    """Eve won her eight games, Ann 20 of 30 and none by much: Eve's number is higher, but less is known of it."""
    line = {line.player.name: line for line in _after_many_games(club).lines}
    assert line["Eve"].record.rating.mu > line["Ann"].record.rating.mu
    assert line["Eve"].points == line["Eve"].record.rating.mu - 2 * line["Eve"].record.rating.sigma
    assert [one.points for one in line.values()] == sorted((one.points for one in line.values()), reverse=True)


def _after_many_games(club):
    play(club, FIRST, 20, totals=(11, 7))
    play(club, FIRST, 10, totals=(7, 11))
    play(club, FIRST, 8, OTHERS, totals=(11, 7))
    return standings(club, BY_RATING, Choice())


def test_a_season_can_rate_by_its_own_games_only(club):
    """Bo and Di lost thirty games before it; in the season all begin at 25, and 8 games are as good as 8 others."""
    own = Scheme(by="rating", own_rating=True)
    play(club, FIRST, 30)
    season = seasons.begin(club, "League", FIRST, None, own)
    play(club, FIRST, 8, totals=(0, 12), season=season)
    found = {line.player.name: line for line in standings(club, own, Choice(season_id=season.id)).lines}
    assert {name: line.place for name, line in found.items()} == {"Bo": 1, "Di": 1, "Ann": 3, "Cy": 3}
    _, places = places_by_night(club, own, Choice(season_id=season.id))
    assert all(places[line.player.id] == [line.place] for line in found.values())
    assert found["Bo"].record.rating.mu - 25 == pytest.approx(25 - found["Ann"].record.rating.mu)
    of_all = {line.player.name: line for line in standings(club, BY_RATING, Choice(season_id=season.id)).lines}
    assert of_all["Bo"].record.rating.mu < found["Bo"].record.rating.mu
    other = Club(name="The same season alone")
    with db_write() as session:
        session.add(other)
    play(other, FIRST, 8, totals=(0, 12))
    alone = {line.player.name: line.record.rating for line in standings(other, BY_RATING, Choice()).lines}
    assert {name: line.record.rating for name, line in found.items()} == alone


def test_how_a_season_rates_travels_with_its_settings():
    assert Scheme.from_dict(Scheme(by="rating", own_rating=True).to_dict()) == Scheme(by="rating", own_rating=True)
    assert "own_rating" not in Scheme(by="rating").to_dict()  # older programs can read it


def test_a_season_closed_by_an_older_program_keeps_its_table(club):
    """Ann was first with 30 and much unknown, Bo second with 28.5 and little: as it was, whatever orders tables now."""
    season = seasons.begin(club, "League", FIRST, None, BY_RATING)
    play(club, FIRST, 8, season=season)
    seasons.close(season)
    kept = dict(season.frozen)
    then = [(1, [30.0, 6.0]), (2, [28.5, 0.5]), (3, [25.0, 8.0]), (3, [24.0, 8.0])]
    lines = [
        line | {"place": place, "rating": rating} for line, (place, rating) in zip(kept["lines"], then, strict=True)
    ]
    with db_write(club):
        season.frozen = kept | {"lines": lines}
    found = [line.line(BY_RATING) for line in FrozenTable.from_dict(season.frozen).lines]
    assert [(line.place, line.points) for line in found] == [(1, 30.0), (2, 28.5), (3, 25.0), (3, 24.0)]
    with db_write(club):
        tallies.rebuild(club)
    assert season.closed_at is not None
    assert season.frozen == kept | {"lines": lines}

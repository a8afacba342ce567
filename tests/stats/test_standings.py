"""What a table of ratings goes by: its own games up to its own last day, and who still plays in the club."""

from __future__ import annotations

from datetime import date, timedelta

from sqlalchemy import select

from scorekeeper import people, seasons
from scorekeeper.db import db
from scorekeeper.models import Player
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

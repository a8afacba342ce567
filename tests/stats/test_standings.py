"""Tables of ratings: they use their own games up to their last day, and hide players who are inactive in the club."""

from collections import Counter
from datetime import date, timedelta
from types import SimpleNamespace

import pytest

from scorekeeper.database.session import db_write
from scorekeeper.models import Club
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.stats import tallies
from scorekeeper.stats.archive import table_from_dict
from scorekeeper.stats.query import Choice, Person, PlayerStats
from scorekeeper.stats.ratings import Rating
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import (
    AWAY,
    RETIRED,
    Standings,
    deciding_tiebreaker,
    places_by_night,
    places_of,
    standings,
)
from tests.classic import player
from tests.stats.quick_games import play

FIRST = date(2026, 1, 1)
OTHERS = ["Eve", "Flo", "Gus", "Hal"]
BY_RATING = Scheme(by="rating")


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
    assert all(line.place != 1 for line in standings(club, BY_RATING, Choice(season_id=season.id)).lines)
    play(club, FIRST, season=season)
    assert places(club, season_id=season.id) == {"Ann": 1, "Cy": 1, "Bo": 3, "Di": 3}


def test_games_after_the_last_day_of_the_table_rank_nobody(club):
    play(club, FIRST, 2)
    play(club, FIRST + timedelta(days=7), 6)
    assert places(club, until=FIRST) == dict.fromkeys(("Ann", "Bo", "Cy", "Di"))
    assert places(club) == {"Ann": 1, "Cy": 1, "Bo": 3, "Di": 3}
    assert {line.was for line in standings(club, BY_RATING, Choice()).lines} == {None}
    assert places_by_night(club, BY_RATING, Choice())[1][player("Ann").id] == [None, 1]


def test_whoever_plays_under_other_rules_still_plays_in_the_club(club):
    play(club, FIRST, 8)
    play(club, FIRST + timedelta(days=200), 8, names=OTHERS)
    assert hidden(club) == dict.fromkeys(("Ann", "Bo", "Cy", "Di"), AWAY)
    player_service.set_guest(player("Di"), True)
    assert hidden(club) == dict.fromkeys(("Ann", "Bo", "Cy"), AWAY)
    player_service.set_guest(player("Di"), False)
    cup = seasons.begin(club, "Cup", FIRST, None, Scheme())
    play(club, FIRST + timedelta(days=200), names=["Ann", "Eve", "Flo", "Gus"], season=cup)
    assert "Ann" not in hidden(club)
    assert hidden(club, present=frozenset({player("Bo").id})) == dict.fromkeys(("Bo", "Cy", "Di"), AWAY)
    assert player("Bo").id not in places_by_night(club, BY_RATING, Choice())[1]


def test_a_table_up_to_a_day_goes_by_who_played_up_to_that_day(club):
    play(club, FIRST, 8)
    play(club, FIRST + timedelta(days=200), 8, names=OTHERS)
    assert hidden(club, until=FIRST + timedelta(days=30)) == {}
    league = seasons.begin(club, "League", FIRST, FIRST + timedelta(days=30), BY_RATING)
    play(club, FIRST, 8, season=league)
    assert hidden(club, season_id=league.id) == {}


def test_whoever_has_retired_waits_for_no_games(club):
    assert standings(club, BY_RATING, Choice()) == Standings((), (), None)
    play(club, FIRST, 23)
    player_service.set_retired(player("Bo"), True)
    assert hidden(club) == {"Bo": RETIRED}
    cup = seasons.begin(club, "Cup", FIRST, None, BY_RATING)
    play(club, FIRST, names=OTHERS, season=cup)
    assert hidden(club, season_id=cup.id) == {}  # Bo has no games in it


@pytest.mark.parametrize(("days", "gone"), [(90, {}), (91, dict.fromkeys(("Ann", "Bo", "Cy", "Di"), AWAY))])
def test_ninety_days_without_a_game_are_not_yet_long(club, days, gone):
    play(club, FIRST, 8)
    play(club, FIRST + timedelta(days=days), names=OTHERS)
    assert hidden(club, until=FIRST + timedelta(days=days)) == gone


# --- places -------------------------------------------------------------------------------------------------------


def test_a_forfeit_counts_toward_a_place_but_not_by_rating():
    ann = PlayerStats(Counter(games=8, won=1), rating=Rating(25.0, 2.0))
    bo = PlayerStats(Counter(games=8, won=2, forfeits=1), rating=Rating(26.0, 2.0))
    people = {name: Person(name, name, False) for name in ("Ann", "Bo")}
    found = SimpleNamespace(records={"Ann": ann, "Bo": bo}, duels=dict)
    assert places_of(found, people, Scheme(needed=8)) == {"Ann": 2, "Bo": 1}
    assert places_of(found, people, BY_RATING) == {"Ann": 1, "Bo": None}


@pytest.mark.parametrize(
    ("duels", "sums", "decided"),
    [
        ({}, {"Bo": {"won": 1}, "Cy": {"won": 1}}, ""),  # Ann has more wins
        ({}, {}, ""),  # all three share first place
        ({"Ann": {"Bo": 1, "Cy": 1}}, {}, "head-to-head"),
        ({"Ann": {"Cy": 1}, "Bo": {"Cy": 1}}, {"Bo": {"points_for": 40}}, "margin"),  # Cy is out, Ann +42, Bo +40
        ({"Ann": {"Cy": 1}, "Bo": {"Cy": 1}}, {"Ann": {"sets": 1}}, "sets"),  # Bo has none
    ],
)
def test_what_decides_the_lead_is_the_first_tiebreaker_that_leaves_one(duels, sums, decided):
    names, usual = ("Ann", "Bo", "Cy"), {"games": 2, "won": 2, "points_for": 42}
    records = {name: PlayerStats(Counter(usual | sums.get(name, {}))) for name in names}
    found = SimpleNamespace(records=records, duels=lambda: duels)
    people = {name: Person(name, name, False) for name in names}
    assert deciding_tiebreaker(found, people, Scheme()) == decided
    assert deciding_tiebreaker(found, people, BY_RATING) == ""


def test_whoever_has_no_place_yet_is_below_the_others_the_most_wins_first(club):
    play(club, FIRST, 2)
    play(club, FIRST, names=["Eve", "Bo", "Flo", "Di"])
    lines = standings(club, Scheme(needed=3), Choice()).lines
    assert [(line.player.name, line.place) for line in lines] == [
        ("Bo", 1), ("Di", 1), ("Ann", None), ("Cy", None), ("Eve", None), ("Flo", None),
    ]  # fmt: skip


# --- tables by rating ---------------------------------------------------------------------------------------------


def test_a_season_can_rate_by_its_own_games_only(club):
    """Bo and Di lost thirty games before the season; in it, all begin at 25."""
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


def test_a_season_closed_by_an_older_program_keeps_its_table(club):
    """Ann was first with 30 and a large deviation, Bo second with 28.5 and a small one: the stored order is kept."""
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
    found = table_from_dict(season.frozen, BY_RATING).lines
    assert [(line.place, line.points) for line in found] == [(1, 30.0), (2, 28.5), (3, 25.0), (3, 24.0)]
    with db_write(club):
        tallies.rebuild(club)
    assert season.closed_at is not None
    assert season.frozen == kept | {"lines": lines}

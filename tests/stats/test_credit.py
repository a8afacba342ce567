"""Credit for a game after a substitution: by the season's rule, in all statistics."""

from random import Random

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Game, Hand, Player, Season
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.stats import tallies, verify
from scorekeeper.stats.counting import BOTH, CREDITS, FINISHED, MOST, credited
from scorekeeper.stats.query import Choice, games_by_sides
from scorekeeper.stats.ratings import NEWCOMER, Rating, Side, rate_game
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import partnerships, standings
from tests.classic import FOUR, TWO_EACH, record, start_game
from tests.stats.big_club import FIRST, fill
from tests.stats.test_season_of_2000_games import check_everything, ratings
from tests.web.conftest import database_url  # noqa: F401 - on one database

ANN, BO, CY, DI, ED, GIL = range(1, 7)


# --- credit rules -----------------------------------------------------------------------------------------------------


def test_a_game_of_which_no_hand_is_known_counts_for_who_finished_it():
    for rule in CREDITS:
        assert credited([], [ANN, BO], rule) == [(ANN,), (BO,)]


@pytest.mark.parametrize(
    ("eds", "gils", "expected"),
    [
        (7, 3, {FINISHED: (GIL,), MOST: (ED,), BOTH: (GIL, ED)}),
        (3, 7, {FINISHED: (GIL,), MOST: (GIL,), BOTH: (GIL,)}),
        (5, 5, {FINISHED: (GIL,), MOST: (GIL,), BOTH: (GIL,)}),
    ],
)
def test_who_finished_or_who_played_most_or_both(eds, gils, expected):
    hands = [[ANN, ED]] * eds + [[ANN, GIL]] * gils
    assert {rule: credited(hands, [ANN, GIL], rule) for rule in CREDITS} == {
        rule: [(ANN,), seat] for rule, seat in expected.items()
    }


def test_of_three_in_a_seat_the_one_with_most_hands_and_of_two_as_many_the_first():
    hands = [[ANN, BO]] * 4 + [[ANN, CY]] * 4 + [[ANN, DI]] * 2
    assert credited(hands, [ANN, DI], MOST) == [(ANN,), (BO,)]
    assert credited(hands, [ANN, DI], BOTH) == [(ANN,), (DI, BO)]


def test_a_game_counts_once_for_a_player_who_changed_seats():
    """Ann plays 6 hands in the first seat and 6 in the second; the others there play fewer."""
    hands = [[ANN, BO]] * 4 + [[ANN, CY]] * 2 + [[DI, ANN]] * 3 + [[ED, ANN]] * 3
    assert credited(hands, [ED, ANN], MOST) == [(ED,), (ANN,)]  # else it would count for Ann in both seats
    assert credited(hands, [ED, ANN], BOTH) == [(ED,), (ANN,)]
    hands = [[ANN, BO]] * 4 + [[CY, ANN]] * 3 + [[DI, ANN]] * 3 + [[GIL, ED]]
    assert credited(hands, [GIL, ED], BOTH) == [(GIL, ANN), (ED,)]


# --- one game ---------------------------------------------------------------------------------------------------------


def league(club, credit, name="League"):
    return seasons.begin(club, name, FIRST, None, Scheme(credit=credit))


def substituted(club, season):
    """A wins 14 to 2 in four hands; Ed has Ann's seat in the last one."""
    game = start_game(club, played=FIRST)
    seasons.count_in(game, season)
    record(game, TWO_EACH, FOUR, FOUR)
    record(game, FOUR | {"names": {"1": "Ed"}})
    return game


def table_of(club, season):
    db.session.expire_all()
    table = standings(club, seasons.scheme_of(season), Choice(season_id=season.id))
    return {line.player.name: (line.record.games, line.record.sums["won"], line.place) for line in table.lines}


OTHERS = {"Bo": (1, 0, 3), "Cy": (1, 1, 1), "Di": (1, 0, 3)}


@pytest.mark.parametrize(
    ("credit", "expected"),
    [
        (FINISHED, {"Ed": (1, 1, 1)} | OTHERS),
        (MOST, {"Ann": (1, 1, 1)} | OTHERS),
        (BOTH, {"Ann": (1, 1, 1), "Ed": (1, 1, 1)} | {"Bo": (1, 0, 4), "Cy": (1, 1, 1), "Di": (1, 0, 4)}),
    ],
)
def test_the_standings_go_by_the_rule_of_the_season(club, credit, expected):
    season = league(club, credit)
    substituted(club, season)
    assert table_of(club, season) == expected
    assert games_by_sides(club, Choice(season_id=season.id)) == {2: 1}


def test_two_in_one_seat_are_no_partners_and_each_is_a_partner_of_the_other_seat(club):
    season = league(club, BOTH)
    substituted(club, season)
    pairs = {(p.one.name, p.other.name): (p.games, p.won) for p in partnerships(club, Choice(season_id=season.id))}
    assert pairs == {("Ann", "Cy"): (1, 1), ("Bo", "Di"): (1, 0), ("Cy", "Ed"): (1, 1)}


def test_a_changed_rule_and_a_move_count_the_game_again(club):
    season, other = league(club, FINISHED), league(club, MOST, "Cup")
    game = substituted(club, season)
    assert "Ann" not in table_of(club, season)
    what = {"name": season.name, "starts": season.starts, "ends": season.ends}
    seasons.change(season, **what, scheme=Scheme(credit=BOTH))
    assert {"Ann", "Ed"} <= table_of(club, season).keys()
    assert verify.check_tallies(club) == (1, ())
    seasons.count_in(db.session.get_one(Game, game.id), other)
    assert table_of(club, season) == {}
    assert table_of(club, other).keys() == {"Ann", "Bo", "Cy", "Di"}
    assert verify.check_tallies(club) == (1, ())


def test_a_closed_season_keeps_both(club):
    season = league(club, BOTH)
    substituted(club, season)
    seasons.close(season)
    assert {line["name"] for line in season.frozen["lines"]} == {"Ann", "Bo", "Cy", "Di", "Ed"}
    assert verify.check_tallies(club) == (1, ())


def test_two_who_were_credited_in_one_seat_are_two_people(club):
    substituted(club, league(club, BOTH))
    ann, ed = (db.session.scalars(select(Player).where(Player.name == name)).one() for name in ("Ann", "Ed"))
    with pytest.raises(Refused):
        player_service.merge(ann, ed)


def test_an_old_season_counts_for_who_finished_and_is_kept_as_before():
    old = {"by": "wins", "least": 5, "won": 2, "shared": 1, "lost": 0, "ties": ["head-to-head", "margin", "sets"]}
    assert Scheme.from_dict(old).credit == FINISHED
    assert Scheme.from_dict(old).to_dict() == old
    assert (Scheme.from_dict(old), Scheme().to_dict()) == (Scheme(), old)
    league = Scheme(by="points", needed=3, best=4, attended=1)
    for scheme in (Scheme(credit=BOTH), Scheme(by="rating", own_rating=True), league):
        assert Scheme.from_dict(scheme.to_dict()) == scheme
    assert "own_rating" not in Scheme(by="rating").to_dict()  # readable by older versions
    with pytest.raises(ValueError, match="not a scheme"):
        Scheme.from_dict(old | {"credit": "nobody"})


# --- ratings ----------------------------------------------------------------------------------------------------------


def test_a_shared_seat_is_as_strong_as_the_two_on_average_and_each_is_rated_alone_in_it():
    strong, weak = Rating(31.0, 1.0), Rating(23.0, 1.5)
    others = Side(((BO,), (DI,)), 5, won=False)
    together = rate_game([Side(((ANN, ED), (CY,)), 11, won=True), others], {ANN: strong, ED: weak})
    average, first, second = (
        rate_game([Side(((ANN,), (CY,)), 11, won=True), others], {ANN: rating})
        for rating in (Rating(27.0, 1.2525), strong, weak)
    )
    for one in (BO, CY, DI):
        assert together[one] == pytest.approx(average[one], abs=1e-3)
    assert (together[ANN], together[ED]) == (first[ANN], second[ANN])
    assert together[ANN].mu > 31 > 25 == NEWCOMER.mu


# --- a club with many substitutions, compared with slow.py -----------------------------------------------------------


def with_substitutes(club):
    """In two games of three a substitute takes a seat at some hand; in every tenth, two players change seats."""
    chance = Random(7)
    names = [player.name for player in db.session.scalars(select(Player).order_by(Player.id))]
    for game in db.session.scalars(select(Game)).all():
        hands = db.session.scalars(select(Hand).where(Hand.game_id == game.id).order_by(Hand.position)).all()
        sitting = game.names
        if game.number % 10 == 0:
            changed = {"1": sitting[1], "2": sitting[0]}
        elif game.number % 3:
            changed = {str(chance.randint(1, len(sitting))): chance.choice([n for n in names if n not in sitting])}
        else:
            continue
        for hand in hands:
            facts = {key: value for key, value in hand.facts.items() if key != "names"}
            hand.facts = facts | ({"names": changed} if hand.position == 1 + len(hands) * 2 // 3 else {})


def test_a_club_of_many_substitutions_is_what_its_records_say(club):
    fill(club, players=12, games=70, seed=3, different=12, seasons=2)
    with db_write(club):
        with_substitutes(club)
        db.session.flush()
        tallies.rebuild(club)
    season = db.session.scalars(select(Season).where(Season.name == "Season 1")).one()
    for credit in (MOST, BOTH):
        before = ratings()
        what = {"name": season.name, "starts": season.starts, "ends": season.ends}
        seasons.change(season, **what, scheme=Scheme(credit=credit))
        check_everything(club)
        assert verify.check_tallies(club).wrong == ()
        assert ratings() != before

"""Tallies of finished games, and their updates by every change of a game."""

from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import ABANDONED, OPEN, GameGroup, Player, Result, Tally
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.stats import ratings, tallies
from scorekeeper.stats import standings as standings_module
from scorekeeper.stats.counting import PAIR_COUNTS, SUMS
from scorekeeper.stats.query import Choice, aggregate_bids, aggregate_pairs, games_by_sides
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import by_nights, partnerships, standings
from scorekeeper.stats.verify import check_tallies
from tests.classic import FOUR, SET, player, record, start_game
from tests.web.site import counted_queries


def tallied(name):
    rows = db.session.scalars(select(Tally).where(Tally.player_id == player(name).id)).all()
    return {key: sum(getattr(row, key) for row in rows) for key in SUMS}


def a_wins(club, **options):
    """A game of three hands that A wins 12 to 0."""
    game = start_game(club, **options)
    record(game, FOUR, FOUR, FOUR)
    return game


def name_of(row):
    return db.session.get(Player, row.player_id).name


def season_of(tally):
    return db.session.get(GameGroup, tally.group_id).season_id


def everything():
    """All tallies and results, without ids."""
    results = [
        (name_of(r), *(getattr(r, key) for key in SUMS), r.mu, r.sigma, r.mu_before, sorted(r.detail.items()))
        for r in db.session.scalars(
            select(Result).order_by(Result.played, Result.number, Result.seat, Result.player_id)
        )
    ]
    counted = [
        (name_of(t), season_of(t), *(getattr(t, key) for key in SUMS), t.form, sorted(t.detail.items()))
        for t in db.session.scalars(select(Tally).order_by(Tally.player_id))
    ]
    people = [(p.name, p.mu, p.sigma, p.rated) for p in db.session.scalars(select(Player).order_by(Player.name))]
    return results, counted, people


def test_a_finished_game_is_counted_for_everybody_at_the_table(game):
    """One that goes on counts for nothing."""
    record(game, FOUR, FOUR)
    assert db.session.scalars(select(Result)).all() == db.session.scalars(select(Tally)).all() == []
    record(game, FOUR)
    numbers = [{key: number for key, number in tallied(name).items() if number} for name in ("Ann", "Bo")]
    assert numbers == [
        {"games": 1, "won": 1, "points_for": 12, "hands": 3, "bids": 3, "made": 3},
        {"games": 1, "lost": 1, "points_against": 12, "hands": 3},
    ]
    assert player("Ann").rated == 1
    assert player("Ann").mu == player("Cy").mu > 25 > player("Bo").mu == player("Di").mu


@pytest.mark.parametrize("change", ["abandon", "remove", "undo", "correct"])
def test_a_game_that_is_not_won_any_more_is_taken_off(club, change):
    game = a_wins(club)
    if change == "abandon":
        hand_service.set_state(game, ABANDONED)
    elif change == "remove":
        hand_service.remove_hand(game, 2, hand_version=2, token="r")
    elif change == "undo":
        hand_service.undo(game, token="u")
    else:
        hand_service.correct_hand(game, 2, SET, hand_version=2, token="c")
    assert db.session.scalars(select(Result)).all() == db.session.scalars(select(Tally)).all() == []
    assert [(p.mu, p.rated) for p in db.session.scalars(select(Player))] == [(None, 0)] * 4
    if change == "abandon":
        hand_service.set_state(game, OPEN)
        assert tallied("Ann")["won"] == 1


def test_a_correction_in_the_middle_rates_what_came_after_again(club):
    """The tallies equal those of a club in which the right hands were recorded at first."""
    first = a_wins(club, played=date(2026, 1, 1))
    a_wins(club, played=date(2026, 1, 2), names=["Ann", "Cy", "Bo", "Di"])
    a_wins(club, played=date(2026, 1, 3), names=["Di", "Cy", "Bo", "Eve"])
    rated_wrongly = player("Eve").mu
    for position in (1, 2, 3):
        turned = {"bidder": 2, "bid": 2, "trump": "S", "claims": dict.fromkeys(("high", "low", "jack", "game"), "B")}
        hand_service.correct_hand(
            first, position, turned, hand_version=first.hands[position - 1].version, token=f"c{position}"
        )
    assert first.score.winners == ("B",)
    kept = everything()
    with db_write():
        tallies.rebuild(club)
    assert everything() == kept
    assert player("Eve").mu != rated_wrongly


def change_the_past(club):
    """Six games, of which the first is corrected and one abandoned; Bo becomes a guest."""
    days = [date(2026, 1, day) for day in (1, 2, 3, 3, 4)]
    tables = ["Ann Bo Cy Di", "Ann Cy Bo Di", "Di Cy Bo Eve", "Eve Ann Bo Cy", "Fay Gus Hal Ida"]
    games = [a_wins(club, played=day, names=names.split()) for day, names in zip(days, tables, strict=True)]
    hand_service.adjust(games[0], 1, [{"unit": "B", "points": 5, "reason": "revoke"}], hand_version=1, token="a")
    hand_service.set_state(games[3], ABANDONED)
    player_service.set_guest(player("Bo"), True)
    a_wins(club, played=date(2026, 1, 5), names=["Di", "Ann", "Cy", "Eve"])


def test_ratings_left_for_later_come_out_as_those_worked_out_at_once(club, monkeypatch):
    monkeypatch.setattr(ratings, "MOST_NOW", 0)
    change_the_past(club)
    assert club.unrated_since == date(2026, 1, 1)
    left = everything()
    ratings.catch_up(club)
    assert club.unrated_since is None
    caught_up = everything()
    assert caught_up != left
    with db_write():
        tallies.rebuild(club)
    assert everything() == caught_up


@pytest.mark.parametrize(("first", "left", "then"), [(2, 1, 3), (3, 2, 1)])
def test_what_was_left_is_rated_with_the_next_change_where_few_games_are_left(club, monkeypatch, first, left, then):
    """Also if that change is of a game before the unrated ones."""
    a_wins(club, played=date(2026, 1, first))
    monkeypatch.setattr(ratings, "MOST_NOW", 0)
    a_wins(club, played=date(2026, 1, left))
    monkeypatch.undo()
    assert (club.unrated_since, player("Ann").rated) == (date(2026, 1, left), 1)
    a_wins(club, played=date(2026, 1, then))
    assert (club.unrated_since, player("Ann").rated) == (None, 3)


def test_a_season_is_closed_with_ratings_that_are_worked_out(club, monkeypatch):
    season = seasons.begin(club, "Cup", date(2026, 1, 1), None, Scheme(by="rating"))
    monkeypatch.setattr(ratings, "MOST_NOW", 0)
    for day in range(9, 0, -1):
        a_wins(club, played=date(2026, 1, day))
    assert club.unrated_since == date(2026, 1, 1)
    seasons.close(season)
    assert club.unrated_since is None
    kept = {line["name"]: line["rating"] for line in season.frozen["lines"]}
    assert kept == {name: [player(name).mu, player(name).sigma] for name in ("Ann", "Bo", "Cy", "Di")}


def test_games_are_rated_in_the_order_of_their_days(club):
    later = a_wins(club, played=date(2026, 2, 1))
    a_wins(club, played=date(2026, 1, 1))
    result = db.session.scalars(select(Result).where(Result.game_id == later.id, Result.seat == 1)).one()
    assert result.mu_before > 25


def test_a_guest_has_no_rating_and_is_met_as_a_newcomer(club):
    a_wins(club)
    a_wins(club)
    with_bo = player("Ann").mu
    player_service.set_guest(player("Bo"), True)
    assert (player("Bo").mu, player("Bo").rated) == (None, 0)
    assert player("Ann").mu > with_bo  # the second win was against a player with a higher rating
    player_service.set_guest(player("Bo"), False)
    assert player("Ann").mu == with_bo
    assert player("Bo").rated == 2


def test_two_games_of_a_club_are_added_up_together_by_rules_format_and_season(club):
    """Nothing is taken into a closed season by itself."""
    a_wins(club)
    a_wins(club)
    season = seasons.begin(club, "League", date(2020, 1, 1), None, Scheme())
    game = a_wins(club)
    assert game.season_id == season.id
    assert len(db.session.scalars(select(GameGroup)).all()) == 2
    seasons.count_in(game, None)
    assert tallied("Ann")["games"] == 3
    assert standings(club, Scheme(), Choice(season_id=season.id)).lines == ()
    seasons.close(season)
    assert start_game(club).season_id is None


def test_how_many_games_have_so_many_sides(app, club):
    """For all games, the number is aggregated: the cost of a table does not depend on the number of games."""
    a_wins(club, played=date(2026, 1, 1))
    a_wins(club, played=date(2026, 2, 1))
    record(start_game(club), FOUR)
    six = {"rules": find_rules("partnership").override({"win.target": 3}), "players": 6, "teams": 3, "first_dealer": 6}
    record(start_game(club, played=date(2026, 3, 1), names=["Ann", "Bo", "Cy", "Di", "Ed", "Flo"], **six), FOUR)
    with counted_queries(app) as queries:
        assert games_by_sides(club, Choice()) == {2: 2, 3: 1}
    assert not any("result" in sql for sql in queries)
    assert games_by_sides(club, Choice(since=date(2026, 2, 1))) == {2: 1, 3: 1}
    assert games_by_sides(club, Choice(teams=3)) == {3: 1}


# --- players ------------------------------------------------------------------------------------------------------


def test_another_name_goes_through_all_games(game):
    record(game, FOUR)
    hand_service.substitute(game, 1, "Eve")
    record(game, FOUR)
    player_service.rename(player("Eve"), " Eva  M ")
    assert game.names_at(2) == ["Eva M", "Bo", "Cy", "Di"]
    hand_service.undo(game, token="u")
    hand_service.redo(game, token="r")
    record(game, FOUR)
    assert tallied("Eva M")["hands"] == 2


def test_at_most_five_tables_where_two_have_met_are_named(club, game):
    """Also where one was a substitute: Eve plays from hand 2 on, for Bo."""
    record(game, FOUR)
    hand_service.substitute(game, 2, "Eve")
    record(game, FOUR)
    with pytest.raises(Refused, match="Ann and Eve sat at the same table in game 1"):
        player_service.merge(player("Ann"), player("Eve"))
    for said in ("games 1, 2, 3, 4, 5:", "games 1, 2, 3, 4, 5 and more:"):
        while len(club.games) < (5 if said.endswith("5:") else 6):
            start_game(club)
            db.session.expire_all()
        with pytest.raises(Refused, match=said):
            player_service.merge(player("Ann"), player("Bo"))


def test_a_name_may_have_eighty_letters(club):
    a_wins(club)
    player_service.rename(player("Ann"), "x" * 80)
    assert player("x" * 80).rated == 1
    with pytest.raises(Refused, match="at most 80 letters"):
        player_service.rename(player("Bo"), "y" * 81)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: player_service.rename(one, "Bea"),
        lambda one: player_service.set_guest(one, True),
        lambda one: player_service.set_retired(one, True),
    ],
    ids=["renamed", "guest", "retired"],
)
def test_pages_are_drawn_again_after_a_change_of_a_player(club, change):
    """Also for a player without a finished game."""
    start_game(club)
    version = club.stats_version
    change(player("Bo"))
    db.session.rollback()
    assert club.stats_version != version


def test_of_a_guest_the_games_are_rated_again_from_the_first_day(club):
    """The first day's game was added last."""
    a_wins(club, played=date(2026, 1, 8))
    a_wins(club, played=date(2026, 1, 1))
    player_service.set_guest(player("Di"), True)
    assert not check_tallies(club).wrong


# --- the table ----------------------------------------------------------------------------------------------------


def test_partners_and_bids_are_the_same_game_by_game(club):
    a_wins(club, played=date(2026, 1, 1))
    record(start_game(club, played=date(2026, 1, 2), names=["Ann", "Di", "Cy", "Bo"]), SET, FOUR, FOUR, FOUR, FOUR)
    some, none = Choice(since=date(2026, 1, 1)), Choice(since=date(2026, 1, 3))
    by_games = aggregate_pairs(club, some)
    assert by_games.keys() == {2}
    assert by_games == aggregate_pairs(club, Choice())
    assert aggregate_bids(club, some) == aggregate_bids(club, Choice()) != {}
    assert aggregate_pairs(club, none) == aggregate_bids(club, none) == {}
    one, other = sorted([player("Ann").id, player("Cy").id])
    assert by_games[2][one, other][PAIR_COUNTS.index("games")] == 2


def test_partners_come_by_win_share_then_games_then_swing_a_hand_then_name(club, monkeypatch):
    """For each pair: games, won, tied, lost, hands, swing. The first six have won three quarters."""
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
    start_game(club, names=names[:4])
    start_game(club, names=names[2:])
    number = {name: player(name).id for name in names}
    done = {
        ("Ann", "Di"): (8, 5, 2, 1, 10, 0),
        ("Ann", "Cy"): (4, 3, 0, 1, 5, 10),
        ("Ann", "Bo"): (4, 2, 2, 0, 10, 10),
        ("Bo", "Di"): (4, 3, 0, 1, 10, 10),
        ("Ann", "Ed"): (4, 3, 0, 1, 0, 0),  # from paper only
        ("Bo", "Ed"): (4, 3, 0, 1, 10, -5),
        ("Cy", "Di"): (2, 2, 0, 0, 4, 1),
        ("Bo", "Cy"): (2, 0, 0, 2, 4, 1),
        ("Cy", "Ed"): (0, 0, 0, 0, 3, 6),  # one of them left for a substitute
    }
    by_pair = {(number[one], number[other]): numbers for (one, other), numbers in done.items()}
    monkeypatch.setattr(standings_module, "aggregate_pairs", lambda *_: {2: by_pair})
    found = partnerships(club, Choice())
    assert [(pair.one.name, pair.other.name, pair.share) for pair in found] == [
        ("Cy", "Di", 1),
        *((one, other, Fraction(3, 4)) for one, other in list(done)[:6]),
        ("Bo", "Cy", 0),
    ]


def test_what_two_did_in_two_teams_and_in_three_is_added_up(club, monkeypatch):
    """Two games of two teams and one of three: chance would win a half of the two and a third of the other."""
    start_game(club)
    pair = player("Ann").id, player("Cy").id
    done = {3: {pair: (1, 0, 0, 1, 2, -3)}, 2: {pair: (2, 1, 1, 0, 5, 10)}}
    monkeypatch.setattr(standings_module, "aggregate_pairs", lambda *_: done)
    (found,) = partnerships(club, Choice())
    assert found[2:8] == (3, 1, 1, 1, 7, 7)
    assert found.chance == Fraction(4, 9)
    monkeypatch.setattr(standings_module, "aggregate_pairs", lambda *_: {2: {pair: (0, 0, 0, 0, 3, 6)}})
    assert partnerships(club, Choice()) == []  # hands, but no game that counts for both


class Played(NamedTuple):
    played: date


@pytest.mark.parametrize(("nights", "steps", "first"), [(40, 40, 1), (41, 21, 1), (48, 24, 2), (142, 24, 4)])
def test_of_very_many_nights_some_together_are_a_step(nights, steps, first):
    """A step is named by its last night; the first step may have fewer nights, so that the last one is complete."""
    days = [date(2026, 1, 1) + timedelta(days=night) for night in range(nights)]
    found = by_nights([Played(day) for day in days for _ in range(2)])
    assert (len(found), found[0][0], found[-1][0]) == (steps, days[first - 1], days[-1])
    assert [row.played for _, rows in found for row in rows] == [day for day in days for _ in range(2)]

"""Ladders. Expected orders are worked out by hand from docs/league.md."""

from datetime import date

import pytest

from scorekeeper.scoring.record import find_table
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.services.games import record_forfeit
from scorekeeper.stats.query import Choice
from scorekeeper.stats.schemes import SWAP, Scheme
from scorekeeper.stats.standings import LadderGame, climb, climbs, places_by_night, standings
from tests.classic import FOUR, new_club, record, start_game
from tests.stats.test_league import comes_back
from tests.web.conftest import database_url  # noqa: F401 - on one database

FIRST, SECOND = date(2026, 2, 3), date(2026, 2, 10)


def game_of(winners, losers, number=1):
    return LadderGame(FIRST, number, (*winners, *losers), tuple(winners), tuple(losers))


def after(*games, start="ABCDE", players="ABCDE", **settings):
    """The ladder after these games, when all players entered in the order of `start`."""
    enter = LadderGame(FIRST, 0, tuple(start), (), ())
    return "".join(climb(Scheme(by="ladder", **settings), players, (), [enter, *games])[0])


@pytest.mark.parametrize(
    ("winners", "losers", "inserted", "swapped"),
    [
        ("D", "B", "ADBCE", "ADCBE"),  # a challenge
        ("A", "E", "ABCDE", "ABCDE"),  # the higher player wins: no move
        ("CD", "AB", "CDABE", "CDABE"),  # both players of a team pass both others
        ("DC", "AB", "CDABE", "CDABE"),  # the higher player first, whatever the seats
        ("AE", "CD", "ABECD", "ABEDC"),  # only one player of the team was below
        ("E", "ABCD", "EABCD", "EBCDA"),  # all play alone: past the highest of them
        ("", "", "ABCDE", "ABCDE"),  # a tied game
    ],
)
def test_who_beats_somebody_above_moves_up(winners, losers, inserted, swapped):
    assert after(game_of(winners, losers)) == inserted
    assert after(game_of(winners, losers), climb=SWAP) == swapped


def test_nobody_moves_past_more_rungs_than_the_season_lets_them():
    assert after(game_of("E", "A"), reach=2) == "ABCDE"
    assert after(game_of("E", "AC"), reach=2) == "ABECD"  # past C, who is within reach
    assert after(game_of("C", "A"), reach=2) == "CABDE"


def test_newcomers_start_on_the_bottom_rung_in_the_order_of_their_seats_and_guests_on_none():
    assert after(game_of("X", "B"), players="ABCDEX") == "AXBCDE"
    assert after(game_of("B", "X"), players="ABCDEX") == "ABCDEX"
    assert after(game_of("X", "A")) == "ABCDE"
    assert after(game_of("B", "AX"), players="ABCDE") == "BACDE"


def test_a_move_is_up_and_past_somebody():
    enter = LadderGame(FIRST, 0, ("A", "B"), (), ())
    games = [enter, game_of("A", "X"), game_of("A", "B"), game_of("B", "A", 4)]
    _, steps = climb(Scheme(by="ladder"), "AB", (), games)
    assert [(step.game.number, step.player, step.start, step.end, step.past) for step in steps] == [(4, "B", 2, 1, "A")]


# --- in a season ------------------------------------------------------------------------------------------------------


@pytest.fixture
def season(app_context):
    """A season of the second club, so that ids of season and club differ."""
    new_club("Another")
    return seasons.begin(new_club(), "Ladder", date(2026, 1, 1), None, Scheme(by="ladder"))


def play(season, night, names):
    """Record a game that the first and third player win."""
    record(start_game(season.club, played=night, names=names, season=season), FOUR, FOUR, FOUR)


def order(season, **choice):
    table = standings(season.club, seasons.scheme_of(season), Choice(season_id=season.id, **choice))
    return [(line.place, line.player.name, line.was) for line in table.lines]


def test_a_season_is_a_ladder_whose_rungs_follow_from_its_games_in_their_order(season):
    """Ann and Cy win: Ann, Cy, Bo, Di. Then Ed (new) and Di beat Ann and Bo: Di and Ed move past Ann."""
    play(season, FIRST, ["Ann", "Bo", "Cy", "Di"])
    assert [name for _, name, _ in order(season)] == ["Ann", "Cy", "Bo", "Di"]
    play(season, SECOND, ["Ed", "Ann", "Di", "Bo"])
    now = [(1, "Di", 4), (2, "Ed", None), (3, "Ann", 1), (4, "Cy", 2), (5, "Bo", 3)]
    assert order(season) == now
    assert [name for _, name, _ in order(season, until=FIRST)] == ["Ann", "Cy", "Bo", "Di"]
    nights, places = places_by_night(season.club, seasons.scheme_of(season), Choice(season_id=season.id))
    names = {player.id: player.name for player in season.club.players}
    assert nights == [FIRST, SECOND]
    assert {names[who]: rungs for who, rungs in places.items()} == {
        "Ann": [1, 3], "Cy": [2, 4], "Bo": [3, 5], "Di": [4, 1], "Ed": [None, 2],
    }  # fmt: skip
    moves = climbs(season.club, seasons.scheme_of(season), Choice(season_id=season.id))
    assert [(step.start, step.end, *who) for step, *who in moves] == [
        (3, 2, "Cy", "Bo"),
        (4, 1, "Di", "Ann"),
        (5, 2, "Ed", "Ann"),
    ]


def test_players_start_on_the_rungs_that_they_were_given(season):
    """Start: Bo, Di, Ann and Ed, who never plays; Cy enters below. Ann and Cy beat Bo and Di: Ann, Cy, Bo, Di, Ed."""
    play(season, FIRST, ["Ann", "Bo", "Cy", "Di"])
    other = start_game(season.club, played=date(2025, 12, 1), names=["Ed", "Bo", "Cy", "Di"])  # in no season
    uids = {player.name: player.uid for player in season.club.players}
    seasons.set_start(season, [uids[name] for name in ("Bo", "Di", "Ann", "Ed")])
    assert other.season is None
    ladder = [(1, "Ann", 3), (2, "Cy", None), (3, "Bo", 1), (4, "Di", 2), (5, "Ed", 4)]
    assert order(season) == ladder
    assert [name for _, name, _ in order(season, until=date(2026, 1, 1))] == ["Bo", "Di", "Ann", "Ed"]
    moves = climbs(season.club, seasons.scheme_of(season), Choice(season_id=season.id))
    assert [(step.start, step.end, *who) for step, *who in moves] == [(3, 1, "Ann", "Bo"), (5, 2, "Cy", "Bo")]
    _, places = places_by_night(season.club, seasons.scheme_of(season), Choice(season_id=season.id))
    names = {player.id: player.name for player in season.club.players}
    assert {names[who]: rungs for who, rungs in places.items()} == {name: [place] for place, name, _ in ladder}
    seasons.close(season)
    copy = comes_back(season.club)
    assert [(place, name) for place, name, _ in order(copy.seasons[0])] == [(p, name) for p, name, _ in ladder]


def test_whoever_has_too_few_games_is_passed_over_but_for_those_who_were_given_a_rung(season):
    """Ann and Cy win twice: Ann, Cy, Bo, Di, Ed; the last two have one game each. Given the first rung, Di is third."""
    play(season, FIRST, ["Ann", "Bo", "Cy", "Di"])
    play(season, SECOND, ["Ann", "Bo", "Cy", "Ed"])
    about = {"name": "Ladder", "starts": season.starts, "ends": None}
    seasons.change(season, **about, scheme=Scheme(by="ladder", needed=2))
    assert [(place, name) for place, name, _ in order(season)] == [
        (1, "Ann"), (2, "Cy"), (3, "Bo"), (None, "Di"), (None, "Ed"),
    ]  # fmt: skip
    seasons.set_start(season, [player.uid for player in season.club.players if player.name == "Di"])
    assert [(place, name) for place, name, _ in order(season)] == [
        (1, "Ann"), (2, "Cy"), (3, "Di"), (4, "Bo"), (None, "Ed"),
    ]  # fmt: skip


def test_a_forfeit_is_a_game_of_the_ladder_and_a_retired_player_leaves_it(season):
    play(season, FIRST, ["Ann", "Bo", "Cy", "Di"])
    table = find_table("classic", 4, 2)
    sides = (["Bo", "Di"], ["Ann", "Cy"])
    record_forfeit(season.club, table, *sides, played=SECOND, season=season, token="f")
    assert [name for _, name, _ in order(season)] == ["Bo", "Di", "Ann", "Cy"]
    bo = next(player for player in season.club.players if player.name == "Bo")
    player_service.set_retired(bo, True)
    assert [(place, name) for place, name, _ in order(season)] == [(1, "Di"), (2, "Ann"), (3, "Cy")]


def test_the_others_keep_their_order_when_a_player_retires(season):
    """Ann, Cy, Bo, Di; then Bo and Ed, who enters below, beat Ann and Di: both move past Ann, who was first.

    Without Ann in the games, Bo would not have passed Cy.
    """
    play(season, FIRST, ["Ann", "Bo", "Cy", "Di"])
    play(season, SECOND, ["Bo", "Ann", "Ed", "Di"])
    before = [name for _, name, _ in order(season)]
    assert before == ["Bo", "Ed", "Ann", "Cy", "Di"]
    moves = climbs(season.club, seasons.scheme_of(season), Choice(season_id=season.id))
    ann = next(player for player in season.club.players if player.name == "Ann")
    player_service.set_retired(ann, True)
    assert [(place, name) for place, name, _ in order(season)] == [(1, "Bo"), (2, "Ed"), (3, "Cy"), (4, "Di")]
    assert climbs(season.club, seasons.scheme_of(season), Choice(season_id=season.id)) == moves
    player_service.set_retired(ann, False)
    assert [name for _, name, _ in order(season)] == before


def test_a_ladder_of_pairs_is_climbed_by_pairs_and_each_division_has_its_own(season):
    play(season, FIRST, ["Ann", "Bo", "Cy", "Di"])
    play(season, SECOND, ["Bo", "Ann", "Di", "Cy"])
    about = {"name": "Ladder", "starts": season.starts, "ends": None}
    seasons.change(season, **about, scheme=Scheme(by="ladder", pairs=True))
    assert [name for _, name, _ in order(season)] == ["Bo and Di", "Ann and Cy"]
    moves = climbs(season.club, seasons.scheme_of(season), Choice(season_id=season.id))
    assert [(step.game.number, step.start, step.end, *who) for step, *who in moves] == [
        (2, 2, 1, "Bo and Di", "Ann and Cy")
    ]
    seasons.change(season, **about, scheme=Scheme(by="ladder"))
    uids = {player.name: player.uid for player in season.club.players}
    seasons.set_divisions(season, {uids["Ann"]: "A", uids["Cy"]: "A"})
    assert [(place, name) for place, name, _ in order(season)] == [(1, "Ann"), (2, "Cy"), (1, "Bo"), (2, "Di")]


def test_the_moves_of_all_divisions_are_in_the_order_of_the_games(season):
    """Ann and Bo beat Cy and Di, who were above them, and then lose to them: one per division moves each time."""
    for night, names in ((FIRST, ["Ann", "Cy", "Bo", "Di"]), (SECOND, ["Cy", "Ann", "Di", "Bo"])):
        play(season, night, names)
    uids = {player.name: player.uid for player in season.club.players}
    seasons.set_start(season, [uids[name] for name in ("Cy", "Ann", "Di", "Bo")])
    seasons.set_divisions(
        season, {uids[name]: letter for name, letter in zip(("Ann", "Cy", "Bo", "Di"), "AABB", strict=True)}
    )
    moves = climbs(season.club, seasons.scheme_of(season), Choice(season_id=season.id))
    assert [(step.game.played, who) for step, who, _ in moves] == [
        (FIRST, "Ann"), (FIRST, "Bo"), (SECOND, "Cy"), (SECOND, "Di"),
    ]  # fmt: skip


def test_a_closed_ladder_is_kept_and_its_file_comes_out_the_same(season):
    about = {"name": "Ladder", "starts": season.starts, "ends": None}
    seasons.change(season, **about, scheme=Scheme(by="ladder", climb=SWAP, reach=3))
    play(season, FIRST, ["Ann", "Bo", "Cy", "Di"])
    seasons.close(season)
    assert season.frozen["champions"] == [player.id for player in season.club.players if player.name == "Ann"]
    copy = comes_back(season.club)
    assert seasons.scheme_of(copy.seasons[0]) == Scheme(by="ladder", climb=SWAP, reach=3)

"""A game that counts in several seasons: a league and a cup. Expected numbers are counted by hand."""

import re
from datetime import date

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Game, Player, Season
from scorekeeper.services import club_log, games, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.stats import verify
from scorekeeper.stats.counting import CREDITS
from scorekeeper.stats.league import Bracket, Playoffs, candidates
from scorekeeper.stats.query import Choice, games_by_season
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import partnerships, standings
from scorekeeper.transfer.importer import import_as_new_club, import_into_club
from scorekeeper.undo import club_undo, deletion
from tests.classic import FOUR, new_club, record, start_game
from tests.transfer.clubs import as_file, exported
from tests.web.conftest import database_url  # noqa: F401 - on one database

FIRST, SECOND = date(2026, 2, 3), date(2026, 2, 10)
WON, LOST = ["Ann", "Bo", "Cy", "Di"], ["Bo", "Ann", "Di", "Cy"]  # the first and third player win


@pytest.fixture
def club(app_context):
    club = new_club()
    seasons.begin(club, "League", date(2026, 1, 1), None, Scheme())
    seasons.begin(club, "Cup", date(2026, 2, 1), date(2026, 2, 8), Scheme(by="points", won=3))
    return club


def season(club, name):
    return db.session.scalars(select(Season).where(Season.club_id == club.id, Season.name == name)).one()


def play(club, names, night=FIRST, first="League", also=("Cup",)):
    game = start_game(club, played=night, names=names)
    record(game, FOUR, FOUR, FOUR)
    seasons.count_in(game, season(club, first) if first else None, [season(club, one) for one in also])
    return game


def table(club, name):
    one = season(club, name)
    lines = standings(club, seasons.scheme_of(one), Choice(season_id=one.id)).lines
    return {line.player.name: (line.points, line.record.games) for line in lines}


def counted_in(game):
    db.session.expire_all()
    return [one.name for one in game.seasons]


def undo_last(club):
    (entry,) = club_log.latest(club.id, None, 1)
    club_undo.undo(club, entry.seq)


def test_a_game_counts_in_each_of_its_seasons_and_once_in_all(club):
    play(club, WON)
    play(club, LOST, first="League", also=())
    assert table(club, "League") == dict.fromkeys(("Ann", "Bo", "Cy", "Di"), (1, 2))
    assert table(club, "Cup") == {"Ann": (3, 1), "Cy": (3, 1), "Bo": (0, 1), "Di": (0, 1)}
    by_id = {season(club, name).id: games for name, games in (("League", 2), ("Cup", 1))}
    assert games_by_season(club) == by_id
    everything = standings(club, Scheme(), Choice()).lines
    assert {line.record.games for line in everything} == {2}
    one_night = Choice(season_id=season(club, "Cup").id, until=FIRST)
    assert {line.record.games for line in standings(club, Scheme(), one_night).lines} == {1}
    assert verify.check_tallies(club).wrong == ()


def test_without_a_first_season_the_other_one_is_it(club):
    game = play(club, WON, first=None)
    assert (game.season.name, game.also) == ("Cup", [])


def test_a_game_that_is_to_count_nowhere_leaves_all_its_seasons_at_once(club):
    game = play(club, WON)
    seasons.count_in(game, None)
    assert counted_in(game) == []
    undo_last(club)
    assert (game.season.name, counted_in(game)) == ("League", ["League", "Cup"])
    undo_last(club)
    assert counted_in(game) == []


def test_a_game_that_counts_in_a_season_has_a_first_one_whatever_is_undone(club):
    game = play(club, WON, first=None, also=())
    seasons.count_in(game, season(club, "League"))
    seasons.count_in(game, season(club, "League"), [season(club, "Cup")])
    moved = next(entry for entry in club_log.latest(club.id, None, 9) if entry.kind == club_log.MOVE)
    club_undo.undo(club, moved.seq)
    assert counted_in(game) == ["Cup"]
    assert (game.season.name, game.also) == ("Cup", [])
    seasons.count_in(game, season(club, "League"), [season(club, "Cup")])
    seasons.count_in(game, season(club, "League"))
    seasons.count_in(game, None)
    assert counted_in(game) == []
    added = next(entry for entry in club_log.latest(club.id, None, 9) if entry.kind == club_log.ALSO)
    club_undo.undo(club, added.seq)
    assert (counted_in(game), game.also) == (["Cup"], [])


def credits(club, **rules):
    for name, credit in rules.items():
        one = season(club, name)
        seasons.change(one, name=name, starts=one.starts, ends=one.ends, scheme=Scheme(credit=credit))


def substituted(club, first, also):
    """A game in which Eve finishes for Ann, who has played two hands of three. Ann's team wins."""
    game = start_game(club, played=FIRST, names=WON)
    record(game, FOUR, FOUR)
    hand_service.substitute(game, 1, "Eve")
    record(game, FOUR)
    seasons.count_in(game, season(club, first), [season(club, also)])
    return game


OTHERS = ["Bo", "Cy", "Di"]
WHO = {"finished": [*OTHERS, "Eve"], "most": ["Ann", *OTHERS], "both": ["Ann", *OTHERS, "Eve"]}


def in_all(club):
    return sorted(line.player.name for line in standings(club, Scheme(), Choice()).lines)


@pytest.mark.parametrize("cup", CREDITS)
@pytest.mark.parametrize("league", CREDITS)
def test_each_season_says_for_itself_whom_a_game_counts_for(club, league, cup):
    """Among all games, it counts by the rule of its first season."""
    credits(club, League=league, Cup=cup)
    number = substituted(club, "League", "Cup").id
    for first, rule in (("League", league), ("Cup", cup)):
        game = db.session.get_one(Game, number)
        seasons.count_in(game, season(club, first), [season(club, "Cup" if first == "League" else "League")])
        assert [sorted(table(club, name)) for name in ("League", "Cup")] == [WHO[league], WHO[cup]]
        assert in_all(club) == WHO[rule]
        assert games_by_season(club) == {season(club, name).id: 1 for name in ("League", "Cup")}
        assert verify.check_tallies(club) == (1, ())
    copied = import_as_new_club(None, as_file(exported(club)))[0]
    assert [sorted(table(copied, name)) for name in ("League", "Cup")] == [WHO[league], WHO[cup]]
    assert verify.check_tallies(copied) == (1, ())


def test_a_changed_rule_counts_a_seasons_games_again_and_opens_no_other_season(club):
    substituted(club, "League", "Cup")
    seasons.close(season(club, "League"))
    credits(club, Cup="most")
    assert [sorted(table(club, name)) for name in ("League", "Cup")] == [WHO["finished"], WHO["most"]]
    assert season(club, "League").closed_at is not None


def test_records_nights_and_partners_name_whom_the_season_credits(club, client):
    """A wins 12 to 0. The league credits Eve, who finished, the cup Ann, who played most hands."""
    credits(club, Cup="most")
    substituted(club, "League", "Cup")
    for name, winners in (("League", "Eve and Cy"), ("Cup", "Ann and Cy")):
        base = f"/c/{club.key}/seasons/{season(club, name).id}"
        assert f"One game. {winners} won, 12 to 0." in client.get(f"{base}/").text
        records = client.get(f"{base}/records").text
        (margin,) = re.findall(r"<dt>Biggest win</dt>.*?<span class=\"who\">(.*?)</span>", records, re.S)
        assert margin == winners
        choice = Choice(season_id=season(club, name).id)
        assert {(one.one.name, one.other.name) for one in partnerships(club, choice)} == {
            ("Bo", "Di"), tuple(sorted(winners.split(" and "))),
        }  # fmt: skip
    assert {line.record.games for line in standings(club, Scheme(), Choice()).lines} == {1}


def test_whoever_is_credited_in_another_season_alone_is_rated_by_no_game(club):
    """Ann's rating is a newcomer's: all games count for Eve."""
    credits(club, Cup="most")
    substituted(club, "League", "Cup")
    rated = {player.name: player.rated for player in db.session.scalars(select(Player))}
    assert rated == {"Ann": 0, "Bo": 1, "Cy": 1, "Di": 1, "Eve": 1}


def test_the_final_of_a_cup_is_won_by_whom_the_cup_credits(club):
    credits(club, Cup="most")
    game = substituted(club, "League", "Cup")
    ids = {player.name: player.uid for player in db.session.scalars(select(Player))}
    for winner, expected in (("Ann", "Ann"), ("Eve", None)):
        drawn = Playoffs(2, ((ids[winner],), (ids["Bo"],))).with_game("1-1", game.uid)
        bracket = Bracket(season(club, "Cup"), drawn)
        assert (bracket.winner and bracket.winner.name) == expected
        assert [one.uid for one in candidates(season(club, "Cup"), bracket.match("1-1"))] == [game.uid] * bool(expected)


def test_a_closed_league_stays_closed_when_its_game_counts_in_a_cup_too_and_opens_when_it_is_corrected(club):
    game = play(club, WON, also=())
    for name in ("League", "Cup"):
        seasons.close(season(club, name))
    seasons.count_in(game, season(club, "League"), [season(club, "Cup")])
    assert season(club, "League").closed_at is not None
    assert season(club, "Cup").closed_at is None
    seasons.close(season(club, "Cup"))
    games.set_day(game, SECOND)
    assert [season(club, name).closed_at for name in ("League", "Cup")] == [None, None]


def test_the_clubs_log_takes_both_kinds_of_change_back(club):
    game = play(club, WON, also=())
    seasons.count_in(game, season(club, "League"), [season(club, "Cup")])
    undo_last(club)
    assert counted_in(game) == ["League"]
    undo_last(club)
    assert counted_in(game) == ["League", "Cup"]
    seasons.count_in(game, season(club, "Cup"), [])
    assert counted_in(game) == ["Cup"]
    undo_last(club)
    assert counted_in(game) == ["League", "Cup"]
    assert verify.check_tallies(club).wrong == ()


def test_a_cup_that_begins_late_takes_in_games_of_the_league_and_gives_them_back(club):
    game, outside = play(club, WON, also=()), play(club, WON, SECOND, also=())
    cup = season(club, "Cup")
    assert (seasons.games_outside(cup), seasons.games_outside(cup, elsewhere=True)) == (0, 1)
    assert seasons.take_in(cup, elsewhere=True) == 1
    assert (counted_in(game), counted_in(outside)) == (["League", "Cup"], ["League"])
    assert seasons.games_outside(season(club, "Cup"), elsewhere=True) == 0
    undo_last(club)
    assert counted_in(game) == ["League"]
    undo_last(club)
    assert counted_in(game) == ["League", "Cup"]


def test_a_season_deleted_and_taken_back_has_its_games_again(club):
    both, of_cup = play(club, WON), play(club, LOST, first="Cup", also=("League",))
    before = table(club, "League"), table(club, "Cup")
    deletion.delete_season(season(club, "League"))
    assert (counted_in(both), counted_in(of_cup)) == (["Cup"], ["Cup"])
    undo_last(club)
    assert (counted_in(both), counted_in(of_cup)) == (["League", "Cup"], ["Cup", "League"])
    assert (table(club, "League"), table(club, "Cup")) == before
    assert verify.check_tallies(club).wrong == ()


def test_a_game_deleted_and_taken_back_counts_in_its_seasons_again(club):
    game = play(club, WON)
    before = table(club, "League"), table(club, "Cup")
    deletion.delete_game(game)
    assert (table(club, "League"), table(club, "Cup")) == ({}, {})
    undo_last(club)
    assert (table(club, "League"), table(club, "Cup")) == before


def test_a_corrected_day_says_which_of_the_seasons_it_is_outside_of(club):
    game = play(club, WON)
    games.set_day(game, SECOND)
    assert [one.name for one in games.outside_of(game)] == ["Cup"]
    games.set_day(game, date(2025, 12, 31))
    assert [one.name for one in games.outside_of(game)] == ["League", "Cup"]


# --- the club file ----------------------------------------------------------------------------------------------------


def test_a_file_is_imported_into_a_club_that_has_its_seasons(club):
    play(club, WON)
    text = exported(club)
    home = import_as_new_club(None, as_file(text))[0]
    play(club, LOST)
    import_into_club(home, as_file(exported(club)))
    assert table(home, "Cup") == table(club, "Cup")
    assert verify.check_tallies(home).wrong == ()
    assert exported(home) == exported(club)


def test_a_file_without_them_changes_nothing_here_and_says_so(club):
    game = play(club, WON, also=())
    text = exported(club)
    seasons.count_in(game, season(club, "League"), [season(club, "Cup")])
    report = import_into_club(club, as_file(text))
    assert "its other seasons are different" in str(report.named)
    assert counted_in(db.session.scalars(select(Game)).one()) == ["League", "Cup"]

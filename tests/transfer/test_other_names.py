"""Import of an older file or a paper table finds players who were renamed or merged since."""

import json
from datetime import date

import pytest

from scorekeeper.database.session import db, db_write
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import club_log, games
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.stats.verify import check_tallies
from scorekeeper.transfer.importer import import_as_new_club, import_into_club
from scorekeeper.transfer.matching import preview_import, report_sentences
from scorekeeper.transfer.paper import PaperPlan, read_sheet
from scorekeeper.undo import club_undo, deletion
from scorekeeper.web.common.club_changes import describe as club_said
from tests.classic import FOUR, player, record, start_game
from tests.conftest import on_one_database
from tests.transfer.clubs import as_file, exported, new_club

pytestmark = on_one_database  # names are compared in Python, not by the database


def names(club):
    db.session.expire_all()
    return sorted(player.name for player in club.players)


@pytest.fixture
def club(app_context):
    """With Ann's game of Jan 1 and Annie's of Jan 2, in which Gil takes a seat over."""
    club = new_club()
    record(start_game(club, played=date(2026, 1, 1)), FOUR, FOUR, FOUR)
    game = start_game(club, played=date(2026, 1, 2), names=["Annie", "Bo", "Cy", "Di"])
    record(game, FOUR)
    hand_service.substitute(game, 2, "Gil")
    record(game, FOUR, FOUR)
    return club


def test_yesterdays_file_finds_its_people_today(club):
    """Annie was merged into Ann, who is now Anna; Gil is now Gilbert. All games of the file are known."""
    yesterday = exported(club)
    player_service.merge(player("Ann", club), player("Annie", club))
    player_service.rename(player("Ann", club), "Anna")
    player_service.rename(player("Gil", club), "Gilbert")
    today = exported(club)
    expected = [
        f"No new games for {club.name}.",
        "2 games already saved, identical.",
        "Known here by another name: Ann is Anna, Annie is Anna, Gil is Gilbert.",
    ]
    assert report_sentences(preview_import(club, as_file(yesterday)), done=False) == expected
    report = import_into_club(club, as_file(yesterday))
    assert report_sentences(report, done=True)[1:] == expected[1:]
    assert exported(club) == today


def test_a_newer_game_of_yesterdays_file_comes_in_under_todays_names(club):
    copy, _ = import_as_new_club(None, as_file(exported(club)))
    record(start_game(copy, played=date(2026, 1, 3), names=["Annie", "Bo", "Cy", "Di"]), FOUR, FOUR, FOUR)
    player_service.merge(player("Ann", club), player("Annie", club))
    report = import_into_club(club, as_file(exported(copy)))
    assert (report.games["new"], report.players_new) == (1, [])
    entry = club_log.latest(club.id, None, 1)[0]
    assert club_said(entry) == "1 game was imported."
    assert club_undo.ClubNow(club).why_not(entry) == "Cannot be undone here. You can delete the games one by one"
    assert names(club) == ["Ann", "Bo", "Cy", "Di", "Gil"]
    assert check_tallies(club)[1] == ()


def test_a_game_in_which_both_sat_is_left_out(club):
    copy, _ = import_as_new_club(None, as_file(exported(club)))
    record(start_game(copy, played=date(2026, 1, 3), names=["Annie", "Ann", "Cy", "Di"]), FOUR, FOUR, FOUR)
    player_service.merge(player("Ann", club), player("Annie", club))
    report = import_into_club(club, as_file(exported(copy)))
    assert report.named["clash"] == [(3, "Ann would sit in two seats, after a merge")]
    assert len(club.games) == 2


def test_a_merge_that_was_undone_is_none(club):
    yesterday = exported(club)
    player_service.merge(player("Ann", club), player("Annie", club))
    club_undo.undo(club, 1)
    report = import_into_club(club, as_file(yesterday))
    assert (report.games["known"], report.players_otherwise) == (2, [])


def _from_elsewhere(club):
    """The file with other uids, so that players are matched by name only."""
    lines = exported(club).decode().splitlines()
    for player_ in club.players:
        lines = [line.replace(player_.uid, f"elsewhere-{player_.name}") for line in lines]
    for index, game in enumerate(club.games):
        lines = [line.replace(game.uid, f"game-{index}") for line in lines]
    return "".join(f"{line}\n" for line in lines).encode()


def test_a_former_name_is_enough_where_one_player_had_it(club):
    elsewhere = _from_elsewhere(club)
    player_service.rename(player("Ann", club), "Zoe")
    report, plan = preview_import(club, as_file(elsewhere)), paper(club)
    assert (report.players_new, report.players_otherwise) == ([], [("Ann", "Zoe")])
    assert (plan.troubles, plan.otherwise, plan.people) == ([], [("Ann", "Zoe")], [])
    assert plan.games[0].names == ("Zoe", "Bo", "Cy", "Di")


def test_a_former_name_that_two_had_is_nobodys_and_on_paper_is_asked_about(club):
    elsewhere = _from_elsewhere(club)
    player_service.rename(player("Ann", club), "Zoe")
    player_service.rename(player("Annie", club), "Ann")
    player_service.rename(player("Ann", club), "Yan")
    report, plan = preview_import(club, as_file(elsewhere)), paper(club)
    assert (report.players_new, report.players_otherwise) == (["Ann"], [("Annie", "Yan")])
    assert (plan.otherwise, plan.people) == ([], [("Ann", "Yan")])


def test_a_deleted_game_does_not_come_back_by_an_old_file(club):
    yesterday = exported(club)
    deletion.delete_game(club.games[0])
    told = report_sentences(import_into_club(club, as_file(yesterday)), done=True)
    assert told[-1] == "Game 2 was skipped: it was deleted here. You can take it back under Changes."
    assert [game.number for game in club.games] == [1]


def test_the_zone_travels_with_the_club_and_an_old_file_has_none(club):
    with db_write(club):
        club.zone = "America/Detroit"
    other, _ = import_as_new_club(None, as_file(exported(club)))
    assert other.zone == "America/Detroit"
    head, *rest = exported(club).decode().splitlines()
    old = {key: value for key, value in json.loads(head).items() if key != "zone"}
    for first in (old, old | {"zone": "Europe/Atlantis"}):
        again, _ = import_as_new_club(None, as_file("\n".join([json.dumps(first), *rest]).encode()))
        assert again.zone == new_club().zone


TABLE = "Date,Team A,Score A,Team B,Score B\n2026-01-09,Ann & Cy,11,Bo & Di,7\n"


def paper(club):
    return PaperPlan(club, read_sheet(TABLE, "", date(2026, 1, 10)), find_rules("classic"))


def test_a_former_name_of_somebody_who_was_deleted_is_nobodys(app_context):
    club = new_club()
    player_service.add(club, "Ann")
    player_service.rename(player("Ann", club), "Zoe")
    deletion.delete_player(player("Zoe", club))
    assert [new.name for new in paper(club).people] == ["Ann", "Cy", "Bo", "Di"]


def test_a_player_whose_accents_are_encoded_in_another_way_is_counted_again(club):
    """The player line has u and a diaeresis, the hand that names the substitute has one letter."""
    game = start_game(club, played=date(2026, 1, 3))
    hand_service.substitute(game, 2, "G\u00fcl")
    record(game, FOUR, FOUR, FOUR)
    file = exported(club).replace('"name":"G\u00fcl"'.encode(), '"name":"Gu\u0308l"'.encode())
    other, _ = import_as_new_club(None, as_file(file))
    games.set_counts(other.games[0], False)
    games.set_counts(other.games[0], True)
    assert (check_tallies(other)[1], exported(other)) == ((), file)

"""A club's own rules: saved in versions, deleted and taken back, exported and imported with the club."""

import io
import json

import pytest

from scorekeeper.database.session import db, db_write
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import club_log, custom_rules
from scorekeeper.services import players as player_service
from scorekeeper.transfer.club_writer import write_club
from scorekeeper.transfer.importer import import_as_new_club, import_into_club
from scorekeeper.transfer.reader import LineRefused
from scorekeeper.undo import club_undo
from scorekeeper.web.rulebook.own import decode_rules, encode_rules
from tests.classic import new_club, player, start_game
from tests.web.conftest import database_url  # noqa: F401 - on one database

pytestmark = pytest.mark.usefixtures("app_context")
KANSAS = Table(find_rules("classic").override({"win.target": 15, "points.low.owner": "keeper"}))


def file_of(club):
    return "".join(write_club(club)).encode()


def undo(club, kind):
    """Undo the latest change of a kind."""
    club_undo.undo(club, next(one for one in club_log.latest(club.id, None, 9) if one.kind == kind).seq)


def test_a_name_used_again_is_the_next_version():
    club = new_club()
    first = custom_rules.save(club, " Tuesday  rules ", KANSAS)
    again = custom_rules.save(club, "tuesday rules", Table(find_rules("shankar"), 5))
    assert (first.name, first.version, first.rules.win.target) == ("Tuesday rules", 1, 15)
    assert (again.uid, again.version, again.players, again.rules.table.players) == (first.uid, 2, 5, (5,))
    assert [own.version for own in custom_rules.rules_of(club)] == [2]


def test_rules_need_a_name_and_a_club_keeps_a_limited_number():
    club = new_club()
    for name in ("", "   ", "x" * 81):
        with pytest.raises(Refused, match="Enter a name"):
            custom_rules.save(club, name, KANSAS)
    for number in range(custom_rules.MOST_SAVED):
        custom_rules.save(club, f"Rules {number}", KANSAS)
    with pytest.raises(Refused, match="at most 20"):
        custom_rules.save(club, "One more", KANSAS)
    custom_rules.save(club, "Rules 7", KANSAS)


def test_every_change_is_in_the_log_and_can_be_taken_back():
    club = new_club()
    uid = custom_rules.save(club, "Ours", KANSAS).uid
    custom_rules.save(club, "Ours", Table(find_rules("shankar"), 5))
    custom_rules.delete(club, uid)
    seqs = [entry.seq for entry in club_log.latest(club.id, None, 9) if entry.kind == club_log.OWN_RULES]
    club_undo.undo(club, seqs[0])  # undoes the deletion
    assert [own.version for own in custom_rules.rules_of(club)] == [2]
    club_undo.undo(club, seqs[1])  # undoes the second version
    assert custom_rules.rules_of(club)[0].rules.win.target == 15
    with pytest.raises(Refused, match="Undo the later change first"):
        club_undo.undo(club, seqs[0] + 1)


def test_a_club_that_plays_already_gets_those_that_it_does_not_have(game):
    club = game.club
    mine = custom_rules.save(club, "Ours", Table(find_rules("shankar"), 5))
    other = new_club("Another")
    custom_rules.save(other, "OURS", KANSAS)
    custom_rules.save(other, "Theirs", KANSAS)
    import_into_club(club, io.BytesIO(file_of(other)))
    db.session.refresh(club)
    assert [(own.name, own.players) for own in custom_rules.rules_of(club)] == [("Ours", 5), ("Theirs", 4)]
    assert custom_rules.rules_of(club)[0] == mine


def test_what_is_no_rules_is_refused_with_its_line():
    club = new_club()
    custom_rules.save(club, "Ours", KANSAS)
    for change in (
        lambda own: own.pop("uid"),
        lambda own: own.update(version=0),
        lambda own: own.update(name=" "),
        lambda own: own.update(players=9),
        lambda own: own.update(teams="2"),
        lambda own: own["rules"].update(points=[]),
    ):
        head = json.loads(file_of(club))
        change(head["rules"][0])
        with pytest.raises(LineRefused, match=r"(?s)line 1.*rules"):
            import_as_new_club(None, io.BytesIO(json.dumps(head).encode()))


def test_rules_go_through_an_address():
    for rules in ("west-michigan-6", "west-michigan-5", "shankar", "partnership", "double-jack"):
        own = custom_rules.save(new_club(), "Żółw’s rules", Table(find_rules(rules)))
        assert decode_rules(encode_rules(own)) == own
        assert len(encode_rules(own)) < 1_200
    for letters in ("", "x", "é", "A" * 7_000, "eJwDAAAAAAE", "eJyLBgABDwB0"):
        assert decode_rules(letters) is None


def test_stored_rules_have_a_uid_that_fits_into_an_address_and_a_player_in_each_seat():
    """The id follows from the uid."""
    data = custom_rules.OwnRules("Az09_-", "Ours", 1, KANSAS.rules, 4, 2, ("a", "b", "c", "d")).to_dict()
    data["rules"] |= {"id": "classic", "name": "Another"}
    own = custom_rules.OwnRules.from_dict(data)
    assert (own.uid, own.rules.id, own.rules.name, own.seats) == ("Az09_-", "own-Az09_-", "Ours", ("a", "b", "c", "d"))
    for uid in ("", "a/b", "a b", "../x", "é", "x" * 65, None, 7):
        with pytest.raises(Refused, match="no uid of letters and digits"):
            custom_rules.OwnRules.from_dict(data | {"uid": uid})
    for seats in ("abcd", ["a"], [1, 2, 3, 4], ["a"] * 5, {}):
        with pytest.raises(Refused, match="seat"):
            custom_rules.OwnRules.from_dict(data | {"seats": seats})


def test_the_next_version_keeps_the_seats_where_as_many_play():
    club = new_club()
    custom_rules.save(club, "Ours", KANSAS, seats=["a", "b", "c", "d"])
    assert custom_rules.save_rules(club, "Ours", KANSAS).seats == ("a", "b", "c", "d")
    assert custom_rules.save_rules(club, "Ours", Table(find_rules("shankar"), 5)).seats == ()


def test_older_rules_with_an_odd_uid_are_read_exported_and_deleted():
    club = new_club()
    custom_rules.save(club, "Ours", KANSAS)
    with db_write(club):
        club.own_rules = [own | {"uid": "a/b"} for own in club.own_rules]
    (own,) = custom_rules.rules_of(club)
    assert custom_rules.UID.fullmatch(own.uid)
    assert custom_rules.find(club, own.uid) == own
    copy = import_as_new_club(None, io.BytesIO(file_of(club)))[0]
    assert custom_rules.rules_of(copy) == [own]
    assert custom_rules.save(club, "Ours", KANSAS).version == 2
    assert [one.uid for one in custom_rules.rules_of(club)] == [own.uid]
    custom_rules.delete(club, own.uid)
    assert club.own_rules is None
    undo(club, club_log.OWN_RULES)
    assert [one.uid for one in custom_rules.rules_of(club)] == [own.uid]


def test_a_player_who_was_renamed_meanwhile_leaves_the_seat_empty(game):
    uids = [player("Ann").uid, "", player("Bo").uid]
    assert custom_rules.uids_of(game.club, ["Ann", "Anna", "Bo"]) == uids


def test_a_merged_player_keeps_the_seats_until_they_are_two_again(game):
    club = game.club
    ann, *others = [player.uid for player in club.players]
    player_service.add(club, "Gil")
    custom_rules.save(club, "Ours", KANSAS, seats=[player("Gil").uid, *others])
    player_service.merge(player("Ann"), player("Gil"))
    assert custom_rules.rules_of(club)[0].seats == (ann, *others)
    assert list(custom_rules.seated(club).values()) == [["Ann", "Bo", "Cy", "Di"]]
    undo(club, club_log.MERGE)
    assert list(custom_rules.seated(club).values()) == [["Gil", "Bo", "Cy", "Di"]]
    undo(club, club_log.OWN_RULES)
    assert custom_rules.rules_of(club) == []


@pytest.mark.parametrize("at", [0, 3])
def test_who_is_merged_into_somebody_at_the_same_table_sits_there_once_until_they_are_two_again(game, at):
    club = game.club
    player_service.add(club, "Gil")
    seats = [player(name).uid for name in ("Bo", "Ann", "Cy")]
    seats.insert(at, player("Gil").uid)
    custom_rules.save(club, "Ours", KANSAS, seats=seats)
    (names,) = custom_rules.seated(club).values()
    player_service.merge(player("Ann"), player("Gil"))
    (merged,) = custom_rules.seated(club).values()
    assert merged == (["Ann", "Bo", "", "Cy"] if at == 0 else ["Bo", "Ann", "Cy", ""])
    undo(club, club_log.MERGE)
    assert list(custom_rules.seated(club).values()) == [names]


def test_seats_of_an_imported_club_are_the_players_here(game):
    """Another club's Ann is matched by name with the Ann here, who gets her seat."""
    other = new_club("Another")
    theirs = start_game(other)
    uids = custom_rules.uids_of(other, theirs.names)
    custom_rules.save(other, "Theirs", KANSAS, seats=uids)
    import_into_club(game.club, io.BytesIO(file_of(other)))
    db.session.refresh(game.club)
    assert list(custom_rules.seated(game.club).values()) == [["Ann", "Bo", "Cy", "Di"]]
    assert set(custom_rules.rules_of(game.club)[0].seats).isdisjoint(uids)

"""No player is in two seats after undo, removal, rename or merge; names that look alike are one."""

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Player, tidy_name
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.stats.verify import check_tallies
from tests.classic import FOUR, TWO_EACH, player, record, start_game

DECOMPOSED, COMPOSED = "Jose\N{COMBINING ACUTE ACCENT}", "Jos\N{LATIN SMALL LETTER E WITH ACUTE}"


def names():
    return sorted(db.session.scalars(select(Player.name)))


def seats(game):
    return game.names_next


def test_the_page_says_why_somebody_is_not_put_in_two_seats(client, game):
    record(game, TWO_EACH, TWO_EACH | {"names": {"1": "Gil"}}, TWO_EACH | {"names": {"2": "Ann"}})
    with pytest.raises(Refused, match="Ann would sit in two seats in hand 3"):
        hand_service.correct_hand(game, 2, TWO_EACH | {"names": {}}, hand_version=2, token="without Gil")
    db.session.rollback()
    assert seats(game) == ["Gil", "Ann", "Cy", "Di"]


def test_two_newcomers_are_not_one_in_other_capitals(game):
    hand_service.substitute(game, 1, "nina")
    with pytest.raises(Refused, match="is already at the table"):
        hand_service.substitute(game, 2, "NINA")
    hand_service.substitute(game, 1, "NINA")  # allowed in the same seat
    assert seats(game) == ["NINA", "Bo", "Cy", "Di"]


def test_a_newcomer_is_spelled_as_the_club_has_come_to_know_the_name(club, game):
    hand_service.substitute(game, 1, "New Nina")
    start_game(club, names=["NEW NINA", "Q", "R", "S"])
    record(game, FOUR)
    assert game.hands[0].facts["names"] == {"1": "NEW NINA"}
    player_service.rename(player("NEW NINA"), "Zoe")
    record(game, FOUR, FOUR)
    assert seats(game) == ["Zoe", "Bo", "Cy", "Di"]
    assert check_tallies(club).wrong == ()


def test_a_hand_that_names_somebody_in_other_capitals_is_renamed_along(club, game):
    start_game(club, names=["Gil", "Q", "R", "S"])
    record(game, FOUR | {"names": {"1": "GIL"}}, FOUR, FOUR)
    player_service.rename(player("Gil"), "Zoe")
    assert seats(game) == ["Zoe", "Bo", "Cy", "Di"]
    assert check_tallies(club).wrong == ()


@pytest.mark.parametrize("stays", ["Ann", "Ann Two"])
def test_who_is_merged_with_somebody_at_the_table_is_not_about_to_sit_down(club, game, stays):
    start_game(club, names=["Ann Two", "Q", "R", "S"])
    hand_service.substitute(game, 2, "Ann Two")
    hand_service.substitute(game, 3, "Gil")
    goes = {"Ann": "Ann Two", "Ann Two": "Ann"}[stays]
    player_service.merge(player(stays), player(goes))
    assert seats(game) == [stays, "Bo", "Gil", "Di"]
    record(game, FOUR, FOUR, FOUR)
    assert check_tallies(club).wrong == ()


def test_who_is_renamed_to_the_name_of_a_newcomer_sits_once(game):
    hand_service.substitute(game, 2, "Zed")
    player_service.rename(player("Ann"), "Zed")
    assert seats(game) == ["Zed", "Bo", "Cy", "Di"]


def test_redoing_what_two_who_are_one_now_have_played_changes_nothing(client, club, game):
    start_game(club, names=["Ann Two", "Q", "R", "S"])
    record(game, TWO_EACH | {"names": {"2": "Ann Two"}})  # in one change, as an earlier version logged it
    hand_service.undo(game, token="undo")
    player_service.merge(player("Ann"), player("Ann Two"))
    answer = client.post(f"/c/{club.key}/games/{game.number}/redo", data={"token": "r"}, follow_redirects=True)
    assert "Nothing was changed: Ann would sit in two seats in hand 1." in answer.text
    db.session.rollback()
    assert game.hands == []


def test_accents_can_be_typed_in_two_ways_and_are_kept_in_one(club):
    start_game(club, names=[DECOMPOSED, "Bo", "Cy", "Di"])
    game = start_game(club, names=[COMPOSED.upper(), "Bo", "Cy", "Di"])
    hand_service.substitute(game, 2, "Zoe\N{COMBINING DIAERESIS}")
    record(game, FOUR)
    assert names() == ["Bo", "Cy", "Di", COMPOSED, "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}"]
    with pytest.raises(Refused, match="already"):
        player_service.rename(player("Bo"), DECOMPOSED)


def test_a_name_is_as_long_as_it_is_typed(client, club):
    fields = {"rules": "classic", "players": "4", "dealer": "1", "do": "start", "name-1": "ß" * 80}
    others = {f"name-{seat}": name for seat, name in ((2, "Bo"), (3, "Cy"), (4, "Di"))}
    assert client.post(f"/c/{club.key}/games/new", data=fields | others).status_code == 303
    assert "ß" * 80 in names()


def test_a_name_of_which_nothing_is_seen_is_none():
    """Of one that is far too long only the beginning is looked at: 60,000 accents took 15 seconds to normalize."""
    for name in ("\u3164", "\u2800\u2800", "\u115f\u1160", "\uffa0", "\u200b\u200d", "\u034f", " \u0301", "\U0001d159"):
        assert tidy_name(name) == ""
        assert tidy_name(f"Ann{name} Lee").endswith(" Lee")
    assert tidy_name("우리\u3164클럽") == "우리\u3164클럽"  # stored with a blank letter
    assert tidy_name("a" + "\u0301\u0316" * 60_000).startswith("á")
    assert len(tidy_name("a" * 100_000)) == 1000

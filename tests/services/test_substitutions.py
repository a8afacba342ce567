"""A substitution is a change of its own: it and its hand are undone separately; on both databases."""

import pytest

from scorekeeper.database.session import db
from scorekeeper.models import Player
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import drafts
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.stats.verify import check_tallies
from tests.classic import FOUR, NAMES, TWO_EACH, draft_of, player, record, start_game
from tests.sound import check_log

GIL = ["Ann", "Gil", "Cy", "Di"]


def undo(game, times=1):
    for _ in range(times):
        hand_service.undo(game, token=f"undo {game.version}")


def redo(game, times=1):
    for _ in range(times):
        hand_service.redo(game, token=f"redo {game.version}")


def remove(game, position):
    version = game.hands[position - 1].version
    hand_service.remove_hand(game, position, hand_version=version, token=f"remove {game.version}")


def test_the_game_record_names_the_substitute_in_the_hand_from_which_it_counts(game):
    record(game, TWO_EACH)
    hand_service.substitute(game, 2, "Gil")
    assert [hand.get("names") for hand in game.record()["hands"]] == [None]
    record(game, TWO_EACH, TWO_EACH)
    assert [hand.get("names") for hand in game.record()["hands"]] == [None, {"2": "Gil"}, None]


def test_who_comes_back_before_the_next_hand_has_not_been_away(game):
    hand_service.substitute(game, 2, "Gil")
    hand_service.substitute(game, 2, "bo")
    assert (game.next_seats, [change.kind for change in game.changes]) == ({}, ["substitute", "substitute"])
    undo(game)
    assert game.names_next == GIL
    redo(game)
    record(game, TWO_EACH)
    assert "names" not in game.hands[0].facts


def test_after_the_last_hand_it_counts_for_the_next_game_alone(club, game):
    """FOUR three times is 12 to 0: Ann and Cy have won, and Gil has not played."""
    record(game, FOUR, FOUR, FOUR)
    version = club.stats_version
    hand_service.substitute(game, 2, "Gil")
    assert (game.names_next, game.names_by_hand[-1]) == (GIL, NAMES)
    assert club.stats_version == version
    assert check_tallies(club).wrong == ()


def test_a_substitute_takes_a_seat_that_there_is_by_a_name_of_up_to_eighty_letters(game):
    """What was tapped of the next hand stays."""
    drafts.keep(game.id, 1, {"bid": ["3"]})
    hand_service.substitute(game, 2, "x" * 80)
    assert game.names_next[1] == "x" * 80
    with pytest.raises(Refused, match="at most 80 letters"):
        hand_service.substitute(game, 3, "y" * 81)
    for seat in (0, 5):
        with pytest.raises(Refused, match="must be a seat from 1 to 4"):
            hand_service.substitute(game, seat, "Eve")
    undo(game)
    assert (draft_of(game, 1), game.names_next) == ({"bid": ["3"]}, NAMES)


def test_who_turns_out_to_sit_there_already_does_not_wait_for_another_seat(club, game):
    start_game(club, names=["Flo", "Gus", "Hal", "Ida"])
    record(game, FOUR)
    hand_service.substitute(game, 2, "Eve")
    record(game, TWO_EACH)
    hand_service.substitute(game, 3, "Flo")
    player_service.merge(player("Eve"), player("Flo"))
    assert (game.next_seats, game.names_next) == ({}, ["Ann", "Eve", "Cy", "Di"])


def test_who_is_merged_is_renamed_in_the_log_too(club, game):
    start_game(club, names=["Gilbert", "Q", "R", "S"])
    hand_service.substitute(game, 2, "Gil")
    record(game, FOUR, FOUR, FOUR)
    players = {player.name: player for player in db.session.query(Player)}
    player_service.merge(players["Gilbert"], players["Gil"])
    undo(game, 3)
    assert game.names_next == ["Ann", "Gilbert", "Cy", "Di"]
    redo(game, 3)
    check_log(game)
    assert check_tallies(club).wrong == ()


def test_all_passed_and_a_removed_hand_are_undone_and_redone_by_the_version_that_was_shown(game):
    """A message offers Undo for the latest change, then Redo, each with the game version it refers to."""
    passed = {"bids": [{"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 1)]}
    record(game, TWO_EACH, passed)
    remove(game, 1)
    for position, hands in ((1, 1), (2, 2)):
        shown = game.version
        undone = hand_service.undo(game, token=f"undo {shown}", game_version=shown)
        assert undone.change.position == position
        redone = hand_service.redo(game, token=f"redo {shown}", game_version=undone.change.seq)
        assert (redone.change.undoes, len(game.hands)) == (undone.change.seq, hands)
        undo(game)
    with pytest.raises(hand_service.Conflict):
        hand_service.redo(game, token="late", game_version=game.version - 1)

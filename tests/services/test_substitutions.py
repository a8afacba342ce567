"""A substitution is a change of its own: it and its hand are undone separately; on both databases."""

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from scorekeeper.database.session import db
from scorekeeper.models import Player
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import drafts
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services.change_log import Slot, State, states
from scorekeeper.stats.verify import check_tallies
from tests.classic import FOUR, NAMES, TWO_EACH, draft_of, player, record, start_game
from tests.conftest import examples

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


def follows_from_its_log(game):
    """True if replaying the log gives the hands, their versions, and the waiting substitutes."""
    db.session.expire_all()
    now = State(tuple(Slot(hand.facts, hand.version) for hand in game.hands), game.next_seats)
    return states(State(), game.changes)[-1] == now


def test_a_hand_entered_again_after_undo_is_the_substitutes(game):
    """Six hands, Gil for Bo from hand 7; hand 7 is saved, undone, and entered again: Gil has played it."""
    record(game, *[TWO_EACH] * 6)
    hand_service.substitute(game, 2, "Gil")
    record(game, TWO_EACH)
    undo(game)
    assert (len(game.hands), game.names_next) == (6, GIL)
    record(game, TWO_EACH)
    assert game.names_at(7) == GIL
    assert game.names_at(6) == NAMES
    assert follows_from_its_log(game)


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


@pytest.mark.parametrize("removed", [1, 2, 3])
def test_a_removed_hand_leaves_the_substitute_and_comes_back_as_it_was(game, removed):
    """Gil plays from hand 2, Bo again from hand 3."""
    record(game, TWO_EACH)
    hand_service.substitute(game, 2, "Gil")
    record(game, TWO_EACH)
    hand_service.substitute(game, 2, "Bo")
    record(game, TWO_EACH)
    before = game.names_by_hand
    remove(game, removed)
    assert game.names_by_hand[:-1] == [names for number, names in enumerate(before[:-1], 1) if number != removed]
    assert game.names_next == NAMES
    assert follows_from_its_log(game)
    undo(game)
    assert game.names_by_hand == before
    assert [hand.facts.get("names") for hand in game.hands] == [None, {"2": "Gil"}, {"2": "Bo"}]
    redo(game)
    assert game.names_next == NAMES
    assert follows_from_its_log(game)


def test_the_last_hand_removed_gives_its_substitute_to_the_next(game):
    hand_service.substitute(game, 2, "Gil")
    record(game, TWO_EACH)
    remove(game, 1)
    assert game.next_seats == {"2": "Gil"}
    record(game, FOUR)
    assert game.names_at(1) == GIL
    undo(game, 2)
    assert (game.hands[0].facts["names"], game.next_seats) == ({"2": "Gil"}, {})
    assert follows_from_its_log(game)


def test_a_correction_leaves_who_plays(game):
    hand_service.substitute(game, 2, "Gil")
    record(game, TWO_EACH)
    hand_service.correct_hand(game, 1, FOUR, hand_version=2, token="correct")
    assert (game.hands[0].facts["names"], game.names_at(1)) == ({"2": "Gil"}, GIL)
    undo(game)
    assert game.names_at(1) == GIL
    assert follows_from_its_log(game)


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
    assert follows_from_its_log(game)
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


STEPS = st.lists(
    st.one_of(
        st.just(("record",)),
        st.tuples(st.just("substitute"), st.integers(1, 4), st.sampled_from(["Ann", "Bo", "Gil", "Hal"])),
        st.tuples(st.just("remove"), st.integers(1, 5)),
        st.just(("undo",)),
        st.just(("redo",)),
    ),
    max_size=20,
)


class LineUps:
    """A reference model of the players of each hand: every hand with its players, and a copy before each change."""

    def __init__(self):
        self.hands, self.now = [], NAMES
        self.done, self.undone = [], []

    def step(self, kind, *what):
        stacks = {"undo": (self.done, self.undone), "redo": (self.undone, self.done)}
        if kind in stacks:
            taken, put = stacks[kind]
            if taken:
                put.append((self.hands, self.now))
                self.hands, self.now = taken.pop()
            return
        hands, now = self.changed(kind, *what)
        if (hands, now) != (self.hands, self.now):
            self.done.append((self.hands, self.now))
            self.undone.clear()
            self.hands, self.now = hands, now

    def changed(self, kind, *what):
        if kind == "record":
            return [*self.hands, self.now], self.now
        if kind == "remove":
            return [hand for number, hand in enumerate(self.hands, 1) if number != what[0]], self.now
        seat, name = what
        free = name not in self.now
        return self.hands, [name if free and number == seat else who for number, who in enumerate(self.now, 1)]


@examples(40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_who_sits_where_is_as_one_would_keep_it_on_paper(club, steps):
    game, paper = start_game(club, start={"A": -900, "B": -900}), LineUps()
    for kind, *what in steps:
        if kind == "record":
            record(game, TWO_EACH)
        elif kind == "remove":
            if what[0] <= len(game.hands):
                remove(game, *what)
        elif kind == "substitute":
            if what[1] not in game.names_next:
                hand_service.substitute(game, *what)
        else:
            getattr(hand_service, kind)(game, token=f"{kind} {game.version}")
        paper.step(kind, *what)
        assert (game.names_by_hand[:-1], game.names_next) == (paper.hands, paper.now)
    assert follows_from_its_log(game)

"""services/hands.py: a game and its log after each kind of change, on both databases.

Scores are worked out by hand, from the hands in `tests/classic.py`.
"""

import json
from datetime import date

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import delete, select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import AFTER_END_KEY, Change, Club, Game, Hand, Player
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import score_record
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import drafts
from scorekeeper.services import hands as hand_service
from scorekeeper.services.change_log import ChangeLog, Slot, State, states
from scorekeeper.services.hands import Conflict
from tests.classic import FOUR, NAMES, SET, THREE_ONE, TWO_EACH, draft_of, record, start_game
from tests.conftest import examples
from tests.sound import check_log


def hands_of(game):
    """The facts of the hands, read again from the database."""
    db.session.rollback()
    return [hand.facts for hand in game.hands]


def log_of(game):
    return [(change.kind, change.position, change.undoes) for change in game.changes]


def version(game, position):
    return game.hands[position - 1].version


def test_a_game_keeps_its_own_copy_of_its_rules(club):
    rules = find_rules("west-michigan-6").override({"auction.all_pass": "dealer-forced"})
    names, options = [*NAMES, "Ed", "Flo"], {"auction.all_pass": "dealer-forced"}
    game = start_game(club, rules=rules, options=options, players=6, names=names, played=date(2026, 11, 21))
    assert game.rules["auction"]["all_pass"] == "dealer-forced"
    assert game.table.rules == rules
    assert (game.options, game.names, game.played) == (options, names, date(2026, 11, 21))
    assert (game.number, game.version, game.hands) == (1, 0, [])


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"names": ["Ann", "Bo", "Cy", "ann"]}, "names[3]"),
        ({"names": ["Ann", "Bo", "Cy"]}, "names"),
        ({"names": ["Ann", "Bo", "Cy", "  "]}, "names"),
        ({"first_dealer": 5}, "first_dealer"),
        ({"first_dealer": 0}, "first_dealer"),
        ({"players": 5}, "players"),
        ({"teams": 3}, "teams"),
        ({"start": {"E": 3}}, "start.E"),
    ],
)
def test_a_game_that_cannot_be_is_refused_and_leaves_nothing(club, changes, place):
    with pytest.raises(Refused) as refused:
        start_game(club, **changes)
    assert place in [problem.at for problem in refused.value.problems]
    assert db.session.scalars(select(Game)).all() == []
    assert db.session.scalars(select(Player)).all() == []


def test_a_game_that_came_without_a_log_begins_it_with_its_hands(club, game):
    record(game, FOUR, TWO_EACH)
    with db_write(club) as session:
        session.execute(delete(Change))
        game.version = 0
        for hand in game.hands:
            hand.version = 0
    hand_service.correct_hand(game, 2, SET, hand_version=0, token="c")
    hand, corrected = {"dealer": 4} | FOUR, {"dealer": 1} | SET
    written = [(change.seq, change.kind, change.position, change.before, change.after) for change in game.changes]
    assert written == [
        (1, "record", 1, None, hand),
        (2, "record", 2, None, {"dealer": 1} | TWO_EACH),
        (3, "correct", 2, {"dealer": 1} | TWO_EACH, corrected),
    ]
    assert [change.at for change in game.changes[:2]] == [game.created_at] * 2
    assert [hand.version for hand in game.hands] == [1, 3]
    hand_service.undo(game, token="u")
    hand_service.undo(game, token="v")
    assert hands_of(game) == [hand]


def test_the_same_form_twice_is_one_hand(game):
    """With another hand it is a conflict: the response was lost, and the hand was changed and saved again."""
    first = hand_service.record_hand(game, TWO_EACH, position=1, token="a")
    second = hand_service.record_hand(game, TWO_EACH, position=1, token="a")
    assert (first.repeated, second.repeated) == (False, True)
    assert second.change == first.change
    with pytest.raises(Conflict) as conflict:
        hand_service.record_hand(game, SET, position=1, token="a")
    assert conflict.value.theirs == {"dealer": 4} | TWO_EACH
    assert (hands_of(game), game.version) == ([{"dealer": 4} | TWO_EACH], 1)


def test_a_hand_that_cannot_be_is_refused_with_its_place(game):
    """It leaves no gap, and the form may be sent again."""
    for position in (2, 7, 0, -1):
        with pytest.raises(Conflict) as conflict:
            hand_service.record_hand(game, TWO_EACH, position=position, token="a")
        assert conflict.value.theirs is None
    assert hands_of(game) == []
    record(game, TWO_EACH)
    with pytest.raises(Refused) as refused:
        hand_service.record_hand(game, TWO_EACH | {"bid": 9}, position=2, token="a")
    assert refused.value.problems[0].at.startswith("hands[1]")
    assert hands_of(game) == [{"dealer": 4} | TWO_EACH]
    assert log_of(game) == [("record", 1, None)]
    assert not hand_service.record_hand(game, TWO_EACH, position=2, token="a").repeated


@pytest.mark.parametrize("token", ["x" * 5000, "", "ünï ♠"])
def test_any_token_will_do(game, token):
    """Forms without a token are not taken for one another."""
    hand_service.record_hand(game, TWO_EACH, position=1, token=token)
    assert hand_service.record_hand(game, TWO_EACH, position=1, token="x" * 5000).repeated if len(token) > 64 else True
    assert hand_service.record_hand(game, SET, position=2, token="").repeated is False
    record(game, TWO_EACH)
    assert len(hands_of(game)) == 3


def test_what_was_tapped_of_a_hand_goes_when_it_is_saved_or_corrected(club, game):
    game = start_game(club)  # a game whose number differs from the hand's
    drafts.keep(game.id, 1, {"bid": ["3"]})
    record(game, FOUR)
    assert draft_of(game, 1) is None
    for position in (1, 2):
        drafts.keep(game.id, position, {"bid": ["4"]})
    hand_service.correct_hand(game, 1, SET, hand_version=1, token="c")
    assert (draft_of(game, 1), draft_of(game, 2)) == (None, {"bid": ["4"]})


def test_hand_and_log_are_the_same_to_the_letter(game):
    record(game, {"bid": 2, "bidder": 1, **FOUR})
    assert list(hands_of(game)[0]) == ["dealer", "bid", "bidder", "trump", "claims"]
    hand_service.correct_hand(game, 1, FOUR, hand_version=1, token="c")
    assert list(hands_of(game)[0]) == ["dealer", "bidder", "bid", "trump", "claims"]


@pytest.mark.parametrize(("hand", "at"), [(1, "hands[0].names"), (2, "hands[1].names"), (3, "hands[2].names")])
def test_nobody_sits_twice_in_the_hand_that_is_corrected(game, hand, at):
    """Eve has Bo's seat in hand 1, Flo in hand 2, Gus in hand 3."""
    for name in ("Eve", "Flo", "Gus"):
        hand_service.substitute(game, 2, name)
        record(game, FOUR if name == "Eve" else TWO_EACH)
    hand_service.substitute(game, 2, "Hal")
    with pytest.raises(Refused) as refused:
        hand_service.correct_hand(game, hand, SET | {"names": {"2": "Di"}}, hand_version=version(game, hand), token="c")
    assert [problem.at for problem in refused.value.problems] == [at]


def test_a_correction_of_a_hand_that_has_moved_is_refused(game):
    """Hand 2 was removed meanwhile: the present hand 2 is another one."""
    record(game, TWO_EACH, SET, THREE_ONE)
    seen = version(game, 2)
    hand_service.remove_hand(game, 2, hand_version=seen, token="one phone")
    with pytest.raises(Conflict):
        hand_service.correct_hand(game, 2, FOUR, hand_version=seen, token="another phone")
    with pytest.raises(Conflict) as conflict:
        hand_service.correct_hand(game, 3, FOUR, hand_version=seen, token="another phone")
    assert conflict.value.theirs is None


def test_a_correction_sent_twice_is_one(game):
    record(game, TWO_EACH)
    seen = version(game, 1)
    hand_service.correct_hand(game, 1, SET, hand_version=seen, token="c")
    assert hand_service.correct_hand(game, 1, SET, hand_version=seen, token="c").repeated
    with pytest.raises(Conflict):
        hand_service.correct_hand(game, 1, THREE_ONE, hand_version=seen, token="c")
    assert len(game.changes) == 2


def test_a_correction_that_cannot_be_is_refused(game):
    with pytest.raises(Conflict):
        hand_service.remove_hand(game, 1, hand_version=1, token="r")
    record(game, TWO_EACH)
    with pytest.raises(Refused) as refused:
        hand_service.correct_hand(game, 1, TWO_EACH | {"bid": 9}, hand_version=1, token="c")
    assert refused.value.problems[0].at.startswith("hands[0]")
    with pytest.raises(Refused):
        hand_service.correct_hand(game, 1, TWO_EACH | {"totals": {}}, hand_version=1, token="c")
    assert hands_of(game) == [{"dealer": 4} | TWO_EACH]


def test_a_correction_may_end_the_game_earlier_and_later_hands_are_kept(game):
    """With 4 + 4 + 4 points, A is over 11 after hand 3; hand 4 was played and is kept, and has to make sense too."""
    record(game, FOUR, FOUR, TWO_EACH, SET)
    assert game.score.winners == ()
    hand_service.correct_hand(game, 3, FOUR, hand_version=version(game, 3), token="c")
    assert (game.score.winners, game.score.after_end) == (("A",), 1)
    written = game.record()
    assert written[AFTER_END_KEY] == [{"dealer": 3} | SET]
    assert score_record(written).totals == {"A": 12, "B": 0}
    with pytest.raises(Refused) as refused:
        hand_service.correct_hand(game, 4, SET | {"bid": 9}, hand_version=4, token="d")
    assert refused.value.problems[0].at.startswith("hands[3]")
    hand_service.correct_hand(game, 4, TWO_EACH, hand_version=4, token="d")
    assert hands_of(game)[3] == {"dealer": 3} | TWO_EACH
    for token in ("u", "v"):
        hand_service.undo(game, token=token)
    assert game.score.totals == {"A": 8, "B": 5}
    assert AFTER_END_KEY not in game.record()


def test_a_correction_of_the_hand_leaves_its_note_and_adjustments(game):
    revoke = {"unit": "B", "points": -2, "reason": "revoke"}
    record(game, FOUR)
    hand_service.adjust(game, 1, [revoke], hand_version=1, token="adjust")
    hand_service.correct_hand(game, 1, FOUR | {"note": "revoke"}, hand_version=2, token="note")
    hand_service.correct_hand(game, 1, TWO_EACH, hand_version=3, token="correct")
    hand = hands_of(game)[0]
    assert (hand["adjustments"], hand["note"]) == ([revoke], "revoke")
    assert game.score.totals == {"A": 2, "B": 0}


def test_a_removal_sent_twice_removes_one_hand_and_so_does_undo(game):
    record(game, TWO_EACH, SET, THREE_ONE)
    hand_service.remove_hand(game, 1, hand_version=1, token="r")
    assert hand_service.remove_hand(game, 1, hand_version=1, token="r").repeated
    assert hands_of(game) == [{"dealer": 1} | SET, {"dealer": 2} | THREE_ONE]
    hand_service.undo(game, token="u")
    assert hand_service.undo(game, token="u").repeated
    assert [hand["dealer"] for hand in hands_of(game)] == [4, 1, 2]
    with pytest.raises(Conflict):  # an old page, after the undo
        hand_service.remove_hand(game, 1, hand_version=1, token="r")
    hand_service.redo(game, token="v")
    with pytest.raises(Conflict):
        hand_service.undo(game, token="u")
    assert hand_service.redo(game, token="v").repeated
    assert hand_service.remove_hand(game, 1, hand_version=1, token="r").repeated  # it is in effect again
    assert [hand["dealer"] for hand in hands_of(game)] == [1, 2]


def test_a_form_sent_again_after_its_change_was_undone_is_a_conflict(game):
    record(game, TWO_EACH)
    hand_service.record_hand(game, SET, position=2, token="a")
    hand_service.undo(game, token="u")
    with pytest.raises(Conflict) as conflict:
        hand_service.record_hand(game, SET, position=2, token="a")
    assert (conflict.value.position, conflict.value.theirs) == (2, None)
    hand_service.correct_hand(game, 1, FOUR, hand_version=1, token="c")
    hand_service.undo(game, token="v")
    with pytest.raises(Conflict) as conflict:
        hand_service.correct_hand(game, 1, FOUR, hand_version=1, token="c")
    assert conflict.value.theirs == {"dealer": 4} | TWO_EACH
    assert hands_of(game) == [{"dealer": 4} | TWO_EACH]


def test_a_hand_that_undo_brings_back_is_not_the_one_on_an_old_page(game):
    record(game, TWO_EACH)
    hand_service.correct_hand(game, 1, SET, hand_version=1, token="c")
    hand_service.undo(game, token="u")
    with pytest.raises(Conflict):
        hand_service.correct_hand(game, 1, FOUR, hand_version=2, token="old page")


def test_a_game_is_written_as_its_record(club):
    game = start_game(club, start={"A": 1, "B": 0}, played=date(2026, 11, 21))
    record(game, TWO_EACH)
    written = json.loads(json.dumps(game.record()))
    assert written.pop("rules")["name"] == find_rules("classic").name
    assert written == {
        "format": "setback-game/1",
        "players": 4,
        "teams": 2,
        "names": NAMES,
        "start": {"A": 1, "B": 0},
        "played": "2026-11-21",
        "hands": [{"dealer": 4} | TWO_EACH],
    }


FACTS = st.sampled_from([TWO_EACH, SET])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("record"), FACTS),
        st.tuples(st.just("correct"), st.integers(1, 5), FACTS),
        st.tuples(st.just("remove"), st.integers(1, 5)),
        st.tuples(st.just("substitute"), st.integers(1, 4), st.sampled_from(["Ann", "Bo", "Gil", "Hal"])),
        st.sampled_from([("undo",), ("redo",)]),
    ),
    max_size=25,
)


class Paper:
    """A reference model of a game with undo: each hand with its players, who sits now, and copies for undo and redo."""

    def __init__(self):
        self.now, self.before, self.undone = ([], NAMES), [], []

    def step(self, kind, *what):
        hands, names = self.now
        if kind in ("undo", "redo"):
            taken, put = (self.before, self.undone) if kind == "undo" else (self.undone, self.before)
            if taken:
                put.append(self.now)
                self.now = taken.pop()
            return
        place = len(hands) if kind == "record" else what[0] - 1
        if kind == "substitute":
            names = [*names[:place], what[1], *names[place + 1 :]]
        elif kind == "remove":
            hands = [*hands[:place], *hands[place + 1 :]]
        else:  # a correction leaves who played
            played = hands[place][1] if kind == "correct" else names
            hands = [*hands[:place], ({"dealer": 1} | what[-1], played), *hands[place + 1 :]]
        self.before.append(self.now)
        self.now, self.undone = (hands, names), []


def do(game, kind, what, token):
    """Make a change; return whether it can be made."""
    if kind in ("undo", "redo"):
        getattr(hand_service, kind)(game, token=token)
    elif kind == "record":
        hand_service.record_hand(game, {"dealer": 1} | what[0], position=len(game.hands) + 1, token=token)
    elif kind == "substitute":
        if what[1] in game.names_next:
            return False
        hand_service.substitute(game, *what)
    elif what[0] > len(game.hands):
        return False
    elif kind == "correct":
        seen = {"hand_version": version(game, what[0]), "token": token}
        hand_service.correct_hand(game, what[0], {"dealer": 1} | what[1], **seen)
    else:
        hand_service.remove_hand(game, what[0], hand_version=version(game, what[0]), token=token)
    return True


@examples(60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_a_game_goes_like_one_kept_on_paper(club, steps):
    """The target is out of reach: both teams start at -900."""
    game, paper = start_game(club, start={"A": -900, "B": -900}), Paper()
    for number, (kind, *what) in enumerate(steps):
        if do(game, kind, what, f"step {number}"):
            paper.step(kind, *what)
        facts = [{key: value for key, value in hand.facts.items() if key != "names"} for hand in game.hands]
        assert list(zip(facts, game.names_by_hand[:-1], strict=True)) == paper.now[0]
        assert game.names_next == paper.now[1]
        log = ChangeLog(game.changes)
        assert (bool(log.next_undo), bool(log.next_redo)) == (bool(paper.before), bool(paper.undone))
    db.session.expire_all()
    check_log(game)
    hands = tuple(Slot(hand.facts, hand.version) for hand in game.hands)
    assert states(State(), game.changes)[-1] == State(hands, game.next_seats)


def test_hands_and_log_are_gone_with_their_club(club, game):
    """By the database's foreign keys, so that one statement deletes a club."""
    record(game, TWO_EACH)
    with db_write() as session:
        session.execute(Club.__table__.delete())
    for table in (Game, Hand, Change, Player):
        assert db.session.scalars(select(table)).all() == []

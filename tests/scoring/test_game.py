"""A game: totals, the end and its reason, dealers, and the problems of all hands."""

from typing import Any

import pytest

from scorekeeper.scoring.game import Game, Outcome, check_game, replay, score_game
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.record import read_game
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table

# Six points that can go to any side in one hand: these tables are about the rules of winning.
POINTS = [{"key": key, "card": card} for key, card in zip("abcdef", "AKQJT9", strict=True)]


def game(
    start: dict[str, int], *hands: dict[str, Any] | tuple[int, int, str], rules: str = "classic", **options: Any
) -> Game:
    """Hands as (bidder, bid, sides): the six points in order go to the sides named, - for no side."""
    options = {name.replace("__", "."): value for name, value in options.items()}
    facts = [hand if isinstance(hand, dict) else told(*hand) for hand in hands]
    if facts:
        facts[0] = {"dealer": 4} | facts[0]
    record = {"format": "setback-game/1", "rules": rules, "options": {"points": POINTS} | options, "hands": facts}
    return read_game(record | ({"start": start} if start else {}))


def told(bidder: int, bid: int, sides: str) -> dict[str, Any]:
    claims = {key: side for key, side in zip("abcdef", sides, strict=False) if side != "-"}
    return {"bidder": bidder, "bid": bid, "trump": "H", "claims": claims}


def passed(*seats: int) -> dict[str, Any]:
    return {"bids": [{"seat": seat, "bid": "pass"} for seat in seats]}


# --- totals, dealers, and hands after the end -----------------------------------------------------------------------


def test_an_empty_game() -> None:
    result = replay(game({}))
    assert result == ((), {"A": 0, "B": 0}, None, None, 0, (), None)
    assert result.winners == ()
    assert Game(table := Table(find_rules("classic"))).rules is table.rules
    assert replay(game({"A": 3, "B": -2})).totals == {"A": 3, "B": -2}


def test_a_hand_may_say_who_really_dealt() -> None:
    result = replay(game({}, (1, 2, "AA"), told(1, 2, "A") | {"dealer": 3}, (1, 2, "A")))
    assert [hand.dealer for hand in result.hands] == [4, 3, 4]


def test_hands_behind_the_end_change_nothing() -> None:
    """One that cannot be scored ends the playing on."""
    start, hands = {"A": 9, "B": 0}, [(1, 2, "AA"), (2, 2, "BB"), (1, 2, "A")]
    won = game(start, *hands)
    result, stopped = replay(won), replay(game(start, *hands[:2], {"bidder": 1}, hands[2]))
    assert (len(result.hands), len(stopped.hands), result.after_end, stopped.after_end) == (1, 1, 2, 3)
    for each in result, stopped:
        assert (each.totals, each.outcome) == ({"A": 11, "B": 0}, Outcome("target", ("A",), 1, ("A",)))
    assert [hand.totals for hand in result.beyond] == [{"A": 11, "B": 2}, {"A": 9, "B": 2}]
    assert [hand.totals for hand in stopped.beyond] == [{"A": 11, "B": 2}]
    assert check_game(won) == (Problem("after-the-end", "hands[1]", "the game was won in hand 1"),)
    with pytest.raises(Refused) as refused:
        score_game(won)
    assert refused.value.problems == check_game(won)
    just_ended = game({"A": 7, "B": 0}, (1, 2, "A"), (1, 2, "A"), (2, 2, "AAAAAA"), (1, 2, "AA"))
    scored = score_game(just_ended)
    assert (scored.hands[-1].totals, scored.after_end, check_game(just_ended)) == ({"A": 11, "B": -2}, 0, ())


@pytest.mark.parametrize("many", [0, 1, 2, 3, 4])
def test_what_was_worked_out_before_is_not_worked_out_again(many: int) -> None:
    """Known scores of the first hands are reused, and the end is found as well."""
    won = game({"A": 7, "B": 0}, (1, 2, "AA"), (2, 2, "BB"), (1, 2, "AAB"), (2, 2, "BB"))
    whole = replay(won)
    assert whole.after_end == 1
    known = (*whole.hands, *whole.beyond)[:many]
    again = replay(won, known)
    assert again == whole
    assert all(new is old for new, old in zip((*again.hands, *again.beyond), known, strict=False))


# --- problems -----------------------------------------------------------------------------------------------------


def bad_game() -> Game:
    """The second hand has no trump, the fourth was bid by the wrong seat; the others are valid."""
    called = [{"seat": seat, "bid": bid} for seat, bid in ((3, 2), (4, "pass"), (1, "pass"), (2, "pass"))]
    late = {"bids": called, "trump": "H", "claims": {}}
    missing = {"bidder": 1, "bid": 2, "claims": {}}
    wrong = {**late, "bids": called[1:]}
    return game({}, (1, 2, "AA"), missing, late, {**wrong, "dealer": 2}, (1, 2, "A"))


def test_every_hand_is_checked_whatever_is_wrong_with_one_and_replay_stops_at_the_first() -> None:
    assert [(problem.code, problem.at) for problem in check_game(bad_game())] == [
        ("no-trump", "hands[1].trump"),
        ("out-of-turn", "hands[3].bids[0]"),
    ]
    for scored in (replay, score_game):
        with pytest.raises(Refused) as refused:
            scored(bad_game())
        assert refused.value.problems == (Problem("no-trump", "hands[1].trump", "trump is missing"),)


def test_without_a_first_dealer_every_hand_says_so_until_one_does() -> None:
    hands = [told(1, 2, "A"), told(1, 2, "A"), told(1, 2, "A") | {"dealer": 1}, told(1, 2, "A")]
    made = game({}, *hands)
    lost = Game(made.table, (made.hands[0]._replace(dealer=None), *made.hands[1:]))
    assert [(problem.code, problem.at) for problem in check_game(lost)] == [
        ("no-dealer", "hands[0].dealer"),
        ("no-dealer", "hands[1].dealer"),
    ]

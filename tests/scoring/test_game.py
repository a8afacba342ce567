"""A game: totals, the end and its reason, dealers, and the problems of all hands."""

from typing import Any

import pytest

from scorekeeper.scoring.game import Game, GameScore, Outcome, check_game, next_dealer, replay, score_game
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.record import read_game
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table

# Six points that can go to any side in one hand: these tables are about the rules of winning.
POINTS = [{"key": key, "card": card} for key, card in zip("abcdef", "AKQJT9", strict=True)]
EARLY = {"at": 11, "others_at_most": 0}


def game(
    start: dict[str, int], *hands: dict[str, Any] | tuple[int, int, str], rules: str = "classic", **options: Any
) -> Game:
    """Hands as (bidder, bid, sides): the six points in order go to the sides named, - for no side."""
    options = {name.replace("__", "."): value for name, value in options.items()}
    facts = [hand if isinstance(hand, dict) else told(*hand) for hand in hands]
    if facts:
        facts[0] = {"dealer": 3 if "table.players" in options else 4} | facts[0]
    record = {"format": "setback-game/1", "rules": rules, "options": {"points": POINTS} | options, "hands": facts}
    return read_game(record | ({"start": start} if start else {}))


def told(bidder: int, bid: int, sides: str) -> dict[str, Any]:
    claims = {key: side for key, side in zip("abcdef", sides, strict=False) if side != "-"}
    return {"bidder": bidder, "bid": bid, "trump": "H", "claims": claims}


def passed(*seats: int) -> dict[str, Any]:
    return {"bids": [{"seat": seat, "bid": "pass"} for seat in seats]}


def decision(result: GameScore) -> Outcome | None:
    """The winners and the reason, without the hand."""
    return result.outcome and Outcome(*result.outcome[:2])


A, B = ("A",), ("B",)


# --- winners ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "hand", "options", "outcome"),
    [
        # one unit at the target
        ({"A": 8, "B": 0}, (1, 2, "AA"), {}, None),
        ({"A": 9, "B": 0}, (1, 2, "AA"), {}, Outcome("target", A)),
        ({"A": 9, "B": 0}, (1, 2, "AAA"), {}, Outcome("target", A)),
        ({"A": 9, "B": 0}, (2, 3, "AABBB"), {}, Outcome("target", A)),
        ({"A": 11, "B": 0}, (1, 2, "A"), {}, None),
        ({"A": 0, "B": 12}, (1, 2, "AA"), {}, Outcome("target", B)),
        # 002: only at the end of a hand in which they made their bid
        ({"A": 9, "B": 0}, (1, 2, "AA"), {"win__eligible": "made-bid"}, Outcome("target", A)),
        ({"A": 9, "B": 0}, (2, 3, "AABBB"), {"win__eligible": "made-bid"}, None),
        ({"A": 15, "B": 0}, (1, 2, "A"), {"win__eligible": "made-bid"}, None),
        ({"A": 14, "B": 8}, (2, 2, "BB"), {"win__eligible": "made-bid"}, None),
        # several units at the target
        ({"A": 10, "B": 10}, (1, 2, "AABBB"), {"win__both": ["bidder"]}, Outcome("bidder", A)),
        ({"A": 10, "B": 10}, (1, 2, "AABBB"), {"win__both": ["highest"]}, Outcome("highest", B)),
        ({"A": 10, "B": 10}, (1, 2, "AABB"), {"win__both": ["highest"]}, None),
        ({"A": 10, "B": 10}, (1, 2, "AABB"), {"win__both": ["highest", "play-on"]}, None),
        ({"A": 10, "B": 10}, (1, 2, "AABB"), {"win__both": ["highest", "share"]}, Outcome("share", ("A", "B"))),
        ({"A": 10, "B": 10}, (1, 2, "AABBB"), {"win__both": ["share", "highest"]}, Outcome("share", ("A", "B"))),
        ({"A": 10, "B": 10}, (1, 2, "AABBB"), {"win__both": ["play-on", "share"]}, None),
        ({"A": 10, "B": 10}, (1, 2, "AABBB"), {"win__both": ["highest", "bidder"]}, Outcome("highest", B)),
        ({"A": 10, "B": 10}, (1, 2, "AABB"), {"win__both": ["highest", "bidder"]}, Outcome("bidder", A)),
        ({"A": 13, "B": 10}, (1, 2, "AABBB"), {"win__both": ["bidder", "highest"]}, Outcome("bidder", A)),
    ],
)
def test_how_a_game_ends(
    start: dict[str, int], hand: tuple[int, int, str], options: dict[str, Any], outcome: Outcome | None
) -> None:
    result = replay(game(start, hand, **options))
    assert decision(result) == outcome
    assert result.winners == (outcome.winners if outcome else ())


ALONE = {"table__sides": "solo", "table__players": [3]}


# --- the early win ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "hands", "early", "outcome", "played"),
    [
        ({"A": 9, "B": 0}, [(1, 2, "AA")], {}, Outcome("early", A), 1),
        ({"A": 8, "B": 0}, [(1, 2, "AA")], {}, None, 1),
        ({"A": 9, "B": 0}, [(1, 2, "AAB")], {}, None, 1),
        ({"A": 9, "B": 0}, [(1, 2, "AAB")], {"others_at_most": 1}, Outcome("early", A), 1),
        ({"A": -4, "B": 9}, [(1, 3, "BB")], {}, Outcome("early", B), 1),
        # when a side first reaches eleven, and not again
        ({"A": 9, "B": 1}, [(1, 2, "AA"), (2, 2, "A")], {}, None, 2),
        ({"A": 9, "B": 1}, [(1, 2, "AA"), (2, 2, "A")], {"when": "any-hand"}, Outcome("early", A), 2),
        ({"A": 11, "B": 1}, [(2, 2, "A")], {}, None, 1),
        ({"A": 11, "B": 1}, [(2, 2, "A")], {"when": "any-hand"}, Outcome("early", A), 1),
        ({"A": 9, "B": 2}, [(1, 2, "AA"), (1, 2, "A"), (2, 3, "A"), (1, 2, "AA")], {}, None, 4),
        # set back below eleven and there again is not the first time
        ({"A": 11, "B": 1}, [(1, 4, "A"), (2, 2, "AAAA")], {}, None, 2),
        ({"A": 11, "B": 1}, [(1, 4, "A"), (2, 2, "AAAA")], {"when": "any-hand"}, Outcome("early", A), 2),
        # by a made bid only
        ({"A": 9, "B": 0}, [(1, 2, "AA")], {"eligible": "made-bid"}, Outcome("early", A), 1),
        ({"A": 9, "B": 0}, [(2, 2, "AA")], {"eligible": "made-bid"}, None, 1),
        ({"A": 13, "B": 0}, [(1, 2, "A")], {"eligible": "made-bid", "when": "any-hand"}, None, 1),
        ({"A": 9, "B": 0}, [(2, 2, "AA")], {}, Outcome("early", A), 1),
        # a hand that is passed out ends nothing
        ({"A": 12, "B": 0}, [passed(1, 2, 3, 4)], {"when": "any-hand"}, None, 1),
    ],
)
def test_an_early_win(
    start: dict[str, int], hands: list[Any], early: dict[str, Any], outcome: Outcome | None, played: int
) -> None:
    """002: if the opposing team has zero or fewer points, the team with eleven points wins the game."""
    result = replay(game(start, *hands, win__target=21, win__early=EARLY | early))
    assert (decision(result), len(result.hands)) == (outcome, played)


@pytest.mark.parametrize(
    ("start", "hand", "options", "outcome"),
    [
        ({"A": 9, "B": 0}, (1, 2, "AA"), {}, Outcome("target", A)),  # the target goes before the early win
        # a defender at the target cannot win by it if that takes a made bid, but by the early win
        ({"A": 9, "B": 0}, (2, 2, "AA"), {"win__eligible": "made-bid"}, Outcome("early", A)),
        # it looks at all the others
        ({"1": 9, "2": 0, "3": 0}, (1, 2, "11"), {"win__target": 21} | ALONE, Outcome("early", ("1",))),
        ({"1": 9, "2": 1, "3": 0}, (1, 2, "11"), {"win__target": 21} | ALONE, None),
        ({"1": 9, "2": 0, "3": 1}, (1, 2, "11"), {"win__target": 21} | ALONE, None),
        ({"1": 0, "2": 0, "3": 9}, (3, 2, "33"), {"win__target": 21} | ALONE, Outcome("early", ("3",))),
    ],
)
def test_an_early_win_beside_the_target_and_among_three(
    start: dict[str, int], hand: tuple[int, int, str], options: dict[str, Any], outcome: Outcome | None
) -> None:
    assert decision(replay(game(start, hand, win__early=EARLY, **options))) == outcome


# --- totals, dealers, and hands after the end -----------------------------------------------------------------------


def test_an_empty_game() -> None:
    result = replay(game({}))
    assert result == ((), {"A": 0, "B": 0}, None, None, 0, (), None)
    assert result.winners == ()
    assert Game(table := Table(find_rules("classic"))).rules is table.rules
    assert replay(game({"A": 3, "B": -2})).totals == {"A": 3, "B": -2}


def test_totals_run_on() -> None:
    result = replay(game({"A": 3, "B": -2}, (1, 2, "AAB"), passed(2, 3, 4, 1), (2, 4, "ABBB")))
    assert [hand.totals for hand in result.hands] == [{"A": 5, "B": -1}, {"A": 5, "B": -1}, {"A": 6, "B": -5}]
    assert [hand.change for hand in result.hands] == [{"A": 2, "B": 1}, {"A": 0, "B": 0}, {"A": 1, "B": -4}]
    assert (result.totals, result.outcome, result.after_end) == ({"A": 6, "B": -5}, None, 0)


@pytest.mark.parametrize(
    ("all_pass", "dealers", "after"), [("next-dealer", [4, 1, 2, 3], 4), ("redeal", [4, 1, 1, 2], 3)]
)
def test_the_deal_goes_round(all_pass: str, dealers: list[int], after: int) -> None:
    played = game({}, (1, 2, "AA"), passed(2, 3, 4, 1), (1, 2, "A"), (1, 2, "A"), auction__all_pass=all_pass)
    result = replay(played)
    assert [hand.dealer for hand in result.hands] == dealers
    assert result.next_dealer == after
    assert [next_dealer(played.table, hand) for hand in result.hands] == [*dealers[1:], after]


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
        assert (each.totals, decision(each)) == ({"A": 11, "B": 0}, Outcome("target", A))
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

"""The outcome of a game, the deciding hand, the units at the target, and the reason why a game goes on, as values."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from scorekeeper.scoring.game import Outcome, StillOpen, replay
from scorekeeper.scoring.record import read_game, score_output
from tests.conftest import examples
from tests.scoring import deals, reference
from tests.scoring.records import hand, record, score_hand
from tests.scoring.test_game import game, passed
from tests.scoring.test_properties import RULE_SETS, Played, Setting, bidder_units, play_game, played, randoms, sit_down


def test_a_special_bid_that_everyone_loses_still_has_a_winner() -> None:
    """Two players, one the other's called partner: both are on the side that was set."""
    moon = {"name": "moon", "bid": 9, "needs": ["every-point"], "made": "win", "failed": "lose"}
    options = {"table.sides": "called-partner", "table.players": [2], "auction.specials": [moon]}
    lost = {"dealer": 1, "bidder": 2, "bid": "moon", "trump": "H", "partner": 1, "claims": {"low": "defending"}}
    both = {"format": "setback-game/1", "rules": "classic", "options": options, "hands": [lost]}
    assert replay(read_game(both)).outcome == Outcome("special-lost", ("1", "2"), 1)


# --- the deciding hand ------------------------------------------------------------------------------------------


def test_hands_after_the_end_do_not_move_the_deciding_hand() -> None:
    won = game({"A": 7, "B": 0}, (1, 2, "AA"), passed(2, 3, 4, 1), (1, 2, "AAB"), (1, 2, "BBB"), (2, 2, "A"))
    result = replay(won)
    assert result.outcome == Outcome("target", ("A",), 3, ("A",))
    assert (len(result.hands), result.after_end, len(result.beyond)) == (3, 2, 2)


# --- reasons to go on -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "hands", "options", "why"),
    [
        ({"A": 0, "B": 0}, [], {}, None),
        ({"A": 10, "B": 10}, [(1, 2, "AABB"), passed(2, 3, 4, 1)], {"win__both": ["highest"]},
         StillOpen("tie", ("A", "B"))),
        # no tie any more once one of them, or both, are below the target
        ({"A": 10, "B": 10}, [(1, 2, "AABB"), (1, 4, "AB")], {"win__both": ["play-on"]}, None),
        ({"A": 10, "B": 8}, [(1, 2, "AABBB"), (1, 4, ""), (2, 4, "")], {"win__both": ["play-on"]}, None),
        # scores carried over, and no hand played yet
        ({"A": 12, "B": 0}, [], {}, StillOpen("no-hand", ("A",))),
        ({"A": 12, "B": 0}, [passed(1, 2, 3, 4)], {}, StillOpen("no-hand", ("A",))),
    ],
)  # fmt: skip
def test_why_a_game_goes_on_at_the_target(start: Any, hands: Any, options: Any, why: StillOpen | None) -> None:
    result = replay(game(start, *hands, **options))
    assert result.still_open == why
    assert result.outcome is None or why is None


# --- special bids -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("took", "sweep", "missed"),
    [
        ("A: high low jack game", "A", ()),
        ("A: high low jack game", None, ("every-trick",)),
        ("A: high low game", "A", ("every-point",)),
        ("A: high low game; B: jack", None, ("every-trick", "every-point")),
    ],
)
def test_what_a_smudge_missed(took: str, sweep: str | None, missed: tuple[str, ...]) -> None:
    """002: a smudge takes all points and all tricks; with four points and a lost trick it is set."""
    facts = hand(1, "smudge", took, sweep=sweep)
    scored = score_hand("partnership", facts)
    assert (scored.missed, scored.made, scored.change["A"]) == (missed, not missed, -5 if missed else 5)
    game_read = read_game(record("partnership", facts))
    assert score_output(game_read, replay(game_read))["hands"][0].get("missed", []) == list(missed)


@pytest.mark.parametrize("bid", [2, 4])
def test_a_plain_bid_misses_nothing_special(bid: int) -> None:
    assert score_hand("partnership", hand(1, bid, "A: high low")).missed == ()


# --- generated games of every rule set --------------------------------------------------------------------------


@pytest.mark.parametrize("rules_id", RULE_SETS)
@given(data=st.data(), rng=randoms)
@examples(40)
def test_generated_games_end_where_and_as_they_say(rules_id: str, data: st.DataObject, rng: Random) -> None:
    """Short games, some with adjustments, and with hands after the end."""
    either = [{}, {"win.eligible": "made-bid"}, {"win.both": ["bidder"]}, {"win.both": ["highest"]}]
    options = {"win.target": data.draw(st.sampled_from([3, 5, 8])), **data.draw(st.sampled_from(either))}
    setting = sit_down(data.draw, rules_id, options)
    dealt = play_game(rng, setting, 10, adjusting=data.draw(st.booleans()))
    more = [deals.tricks_record(rng, played(rng, setting)) for _ in range(data.draw(st.integers(0, 2)))]
    told = setting.record([*dealt.facts, *more], start=dealt.start)
    note(told)
    totals, winners, reason = reference.referee(setting.rules, dealt.start, dealt.truths, bidder_units(dealt))
    over = [unit for unit in totals[-1] if totals[-1][unit] >= options["win.target"]]
    if winners:
        result = replay(read_game(told))
        assert result.outcome is not None and result.still_open is None
        assert (result.outcome.reason, result.outcome.hand) == (reason, len(totals))
        assert (sorted(result.outcome.winners), sorted(result.outcome.at_target)) == (sorted(winners), sorted(over))
    else:
        result = replay(read_game(setting.record(dealt.facts, start=dealt.start)))
        assert result.outcome is None
        assert result.still_open == goes_on(setting, dealt, totals, over)


def goes_on(setting: Setting, dealt: Played, totals: list[dict[str, int]], over: list[str]) -> StillOpen | None:
    """The reason why a game goes on, from its last hand that could have ended it."""
    ending = [
        truth
        for truth in dealt.truths
        if truth["status"] == "scored" or truth.get("adjusted") or any(truth["change"].values())
    ]
    there = tuple(unit for unit in read_game(setting.record([])).table.units if unit in over)
    if not over or not ending:
        return StillOpen("no-hand", there) if over else None
    made = ending[-1].get("bidding_units", []) if ending[-1].get("made") else []
    if ending[-1].get("bid", -1) == reference.free_bid(setting.rules):
        made = []
    if setting.rules["win"]["eligible"] == "made-bid":
        if not set(over) & set(made):
            return StillOpen("not-eligible", there)
        there = tuple(unit for unit in there if unit in made)
    ways = setting.rules["win"]["both"]
    if "highest" not in ways[: ways.index("play-on") if "play-on" in ways else None]:
        return StillOpen("several", there)
    top = max(totals[-1][unit] for unit in there)
    return StillOpen("tie", tuple(unit for unit in there if totals[-1][unit] == top))

"""Conclusions about the Game point from the counts of some sides: by hand, and against every possible split."""

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from scorekeeper.scoring.points import decide_from_counts, fill_counts, point_cards
from scorekeeper.scoring.record import read_game, score_record, write_game
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from tests.scoring import reference
from tests.scoring.records import hand, record, refusals, score_hand
from tests.scoring.test_properties import Setting, dealt_hand, randoms, settings_of

SIX, DOUBLE = Table(find_rules("west-michigan-6")), Table(find_rules("double-jack"))
CLASSIC, ALONE = Table(find_rules("classic")), Table(find_rules("shankar"), 3)


# --- worked out by hand -----------------------------------------------------------------------------------------


def test_the_last_count_follows_where_the_deck_is_known() -> None:
    assert fill_counts(SIX, "AB", ["TH", "2C"], {"B": 30}) == {"A": 40, "B": 30}
    assert fill_counts(SIX, "AB", ["TH"], {"B": 30}) == {"B": 30}
    assert fill_counts(SIX, "AB", ["TH", "2C"], {"B": 71}) == {"B": 71}
    assert fill_counts(SIX, "AB", ["TH", "2C"], {}) == {}


# --- in a record ------------------------------------------------------------------------------------------------


def test_a_count_that_decides_is_enough() -> None:
    facts = hand(1, 2, "A: high low", game_counts={"A": 47})
    scored = score_hand("west-michigan-6", facts)
    assert (scored.points["game"].side, scored.counts, scored.earned) == ("A", None, {"A": 3, "B": 0})
    written = write_game(read_game(record("west-michigan-6", facts)))
    assert written["hands"] == [facts]


def test_below_the_threshold_one_count_decides_that_nobody_has_it() -> None:
    scored = score_hand("double-jack", hand(1, 2, "A: high low", game_counts={"3": 40}))
    assert (scored.points["game"].side, scored.points["game"].why) == (None, "below threshold")


@pytest.mark.parametrize("counts", [{"A": 47}, {"2": 20}])
def test_a_claim_at_odds_with_a_count_that_decides_is_refused(counts: dict[str, int]) -> None:
    facts = hand(1, 2, "B: game", game_counts=counts)
    assert refusals(record("west-michigan-6", facts)) == [
        ("hands[0].claims.game", "the card points give Game to A, not to B")
    ]


def test_a_count_that_does_not_decide_is_refused_with_what_is_missing() -> None:
    facts = hand(1, 2, "1: high", game_counts={"2": 20, "1": 29})
    assert refusals(record("shankar", facts, players=3)) == [
        ("hands[0].game_counts", "the card points of 3 are missing: 1's 29 and 2's 20 alone do not decide Game")
    ]


def test_which_card_a_point_is() -> None:
    some, everything = point_cards(SIX, "H", ("XB",)), point_cards(SIX, "H", ("2H", "XB"))
    assert (some.cards["low"], some.cards["high"], some.gone) == (None, "AH", {"left_joker"})
    assert (everything.cards["low"], everything.gone, everything.same) == ("7H", {"left_joker"}, {})
    four = Table(find_rules("west-michigan-4"))
    low_is_a_joker = point_cards(four, "H", ("XB", "TH", "9H", "2H", "2C", "2D"))
    assert (low_is_a_joker.cards["low"], low_is_a_joker.same) == ("XR", {"right_joker": "low"})
    none = point_cards(Table(find_rules("west-michigan-4")), "H", ("AH", "KH", "QH", "JH", "JD", "XR"))
    assert none.gone == {"high", "right_jack", "left_jack", "right_joker"}
    held = point_cards(DOUBLE, "S", ("2S", "9S", "TS", "JC"))
    assert held.same == {}  # the right jack may score Low for its holder, and its own point for the taker


# --- against every split ----------------------------------------------------------------------------------------


def splits(total: int, sides: int) -> Iterator[tuple[int, ...]]:
    """Every way to split a number among some sides."""
    if sides == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in splits(total - first, sides - 1))


def every_end(rules: dict[str, Any], names: list[str], counts: dict[str, int], totals: range) -> set[Any]:
    """The possible results of Game, by trying every total and every split of it."""
    missing = [name for name in names if name not in counts]
    left = [total - sum(counts.values()) for total in totals]
    shared = itertools.chain(*(splits(rest, len(missing)) for rest in left if rest >= 0))
    ends = (reference.whose_game(rules, counts | dict(zip(missing, split, strict=True))) for split in shared)
    return {(side, why) for side, _, why in ends}


# Decks with few card points, so that every split can be tried: the values of one suit's cards, four suits.
@st.composite
def small_tables(draw: st.DrawFn) -> Table:
    players, teams = draw(st.sampled_from([(2, 0), (3, 0), (4, 0), (4, 2), (6, 3)]))
    options = {
        "table.players": [players],
        "table.teams": [teams],
        "deck.ranks": "AKQJT92",
        "trump.order": "A K Q J T 9 2",
        "deck.hand": draw(st.integers(1, 28 // players)),
        "deck.undealt": draw(st.sampled_from(["buried", "stock"])),
        "game.award": draw(st.sampled_from(["most", "at-least"])),
        "game.at_least": draw(st.integers(1, 12)),
        "game.values": draw(st.sampled_from([{"A": 2, "T": 1}, {"T": 3}, {"A": 1}, {"A": 1, "2": 1, "K": 1}, {}])),
    }
    return Table(find_rules("shankar").override(options), players, teams)


@given(table=small_tables(), data=st.data())
def test_a_count_decides_where_every_split_does(table: Table, data: st.DataObject) -> None:
    names = list(table.units)
    unknown = len(table.deck) - table.dealt
    buried = data.draw(st.lists(st.sampled_from(table.deck), max_size=unknown if table.sees_buried else 0, unique=True))
    rules = table.rules.to_dict()
    left = [card for card in table.deck if card not in buried]
    values = sorted(reference.game_value(rules, card) for card in left)
    unseen = unknown - len(buried)
    totals = range(sum(values[: len(values) - unseen]), sum(values[unseen:]) + 1)
    told = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=len(names) - 1))
    counts: dict[str, int] = {}
    for name in told:
        counts[name] = data.draw(st.integers(0, max(0, totals[-1] - sum(counts.values()))))
    ends = every_end(rules, names, counts, totals)
    decided = decide_from_counts(table, names, buried, counts)
    note((counts, totals, ends))
    sides = {side for side, _ in ends}
    if len(sides) != 1:
        assert decided is None
    else:
        below = (None, "below threshold")
        assert decided is not None
        assert (decided.side, decided.why) == (below if below in ends else ends.pop())


@given(setting=settings_of(), rng=randoms, data=st.data())
def test_what_is_decided_of_a_played_hand_is_what_came_of_it(
    setting: Setting, rng: Random, data: st.DataObject
) -> None:
    dealt, _, truth = dealt_hand(rng, setting)
    key = next((point["key"] for point in setting.rules["points"] if point["card"] == "game"), None)
    told = data.draw(st.lists(st.sampled_from(sorted(truth["counts"])), unique=True))
    seen = setting.rules["deck"]["undealt"] == "buried"
    buried = data.draw(st.lists(st.sampled_from(dealt.undealt), unique=True)) if seen and dealt.undealt else []
    table = read_game(setting.record([])).table
    counts = {side: truth["counts"][side] for side in told}
    decided = decide_from_counts(table, list(truth["counts"]), buried, counts)
    assert decided is None or key is None or decided.side == truth["points"][key][0]
    facts = {"dealer": dealt.dealer, "bidder": dealt.bidder, "bid": dealt.bid, "trump": dealt.trump}
    if dealt.called is not None:
        facts["partner"] = dealt.partner
    facts |= {"claims": {}, "game_counts": counts} | ({"buried": buried} if seen else {})
    if key is not None and decided is not None:
        points = score_record(setting.record([facts])).hands[0].points
        assert points[key].side == truth["points"][key][0]
    elif key is not None:
        assert [at for at, _ in refusals(setting.record([facts]))] == ["hands[0].game_counts"]

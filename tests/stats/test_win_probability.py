"""Win probabilities: small chains worked out by hand, whole ones by a slow implementation, and calibration."""

import gc
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from math import comb, sqrt
from random import Random
from threading import Barrier
from time import sleep
from types import SimpleNamespace

import pytest

from bench.calibration import bins, games
from scorekeeper.scoring.game import Game, GameScore, Outcome, replay
from scorekeeper.scoring.record import find_table, read_hand
from scorekeeper.scoring.rules import catalogue, variations
from scorekeeper.simulator.outcomes import find_outcomes, hand_rules, simulate_block, stored_outcomes
from scorekeeper.stats import odds as odds_module
from scorekeeper.stats.odds import (
    LONGEST_GAME,
    RUNS,
    Chain,
    Odds,
    Sample,
    Step,
    WinCases,
    depends_on_scores_only,
    mix_outcomes,
    odds_of,
    outcomes_in,
)
from tests.conftest import mostly_slow
from tests.scoring.records import DOCUMENTED
from tests.scoring.rule_values import VALUES
from tests.scoring.test_game import game
from tools.outcomes import fingerprint as fingerprint_of
from tools.outcomes import seed_of, wanted_tables


def chance(rules, options, outcomes, totals, players=None, teams=None):
    table = find_table(rules, players, teams, options)
    found = Odds(table, outcomes, own=True).chances([dict(zip(table.units, totals, strict=True))])[0]
    assert sum(found.values()) == pytest.approx(1)
    return tuple(found.values())


def near(expected):
    """Equal up to four standard errors of RUNS sampled games."""
    return pytest.approx(expected, abs=4 * sqrt(max(expected * (1 - expected), 1e-6) / RUNS))


# --- two units, by hand -------------------------------------------------------------------------------------------

ALWAYS_TWO = {"2:2,0": 7}  # the bidder's side makes two, the others nothing


def first_to(own, others):
    """The probability of `own` heads before `others` tails."""
    return sum(comb(own - 1 + tails, tails) / 2 ** (own + tails) for tails in range(others))


@pytest.mark.parametrize(
    ("both", "totals", "expected"),
    [
        (["bidder"], (20, 20), 0.5),
        (["bidder"], (20, 19), 1.0),  # alone at 21
        (["bidder"], (25, 20), 0.5),  # started above the target: both are there after any hand, and the bidder wins
        (["highest", "play-on"], (25, 20), 1.0),
        (["highest", "share"], (20, 20), 0.5),
        (["bidder", "highest"], (20, 25), 0.5),
        (["highest", "bidder"], (20, 25), 0.0),
    ],
)
def test_both_at_the_target_in_one_hand(both, totals, expected):
    assert chance("west-michigan-6", {"win.both": both}, {"1:1,1": 1}, totals)[0] == near(expected)


def test_points_of_others_do_not_win_where_a_made_bid_is_asked_for():
    """Every bid is made for 2 and gives the others 2: at 19 each, the next bidder wins; 19 to 17 is 1/2 + 1/4."""
    assert chance("partnership", {}, {"2:2,2": 1}, (19, 19))[0] == near(0.5)
    assert chance("partnership", {}, {"2:2,2": 1}, (19, 17))[0] == near(3 / 4)
    assert chance("classic", {"win.target": 21}, {"2:2,2": 1}, (19, 17))[0] == near(1)


EARLY = {"at": 11, "others_at_most": 0, "when": "first-reach", "eligible": "anyone"}


@pytest.mark.parametrize(
    ("when", "totals", "expected"),
    [
        ("first-reach", (9, 0), 1 / 2 + first_to(6, 10) / 2),  # at once, or the long way from 9 to 2
        ("first-reach", (9, 1), first_to(6, 10)),  # 9 to 1: no early win; 12 and 20 points are missing
        ("first-reach", (11, 0), first_to(5, 11)),  # reached before: only the long way is left
        ("any-hand", (11, 0), 1 / 2 + first_to(5, 10) / 2),
    ],
)
def test_the_early_win(when, totals, expected):
    options = {"win.early": EARLY | {"when": when}}
    assert chance("partnership", options, ALWAYS_TWO, totals)[0] == near(expected)


# --- two units, against a slow implementation ---------------------------------------------------------------------

MIXED = {"2:2,2": 30, "2:3,1": 25, "3:4,0": 10, "3:-3,2": 12, "2:-2,1": 16, "4:-4,3": 7}


def slow_chances(target, winner):
    """Value iteration over all pairs of scores from -25 to 8 above the target, without use of symmetry."""
    hands = [(tuple(map(int, key[2:].split(","))), count / 200) for key, count in MIXED.items()]
    scores = range(-25, target + 9)
    value = {(a, b): 0.5 for a in scores for b in scores}
    for _ in range(60):
        for a, b in value:
            total = 0.0
            for (own, other), share in hands:
                for bidder, after in ((0, (a + own, b + other)), (1, (a + other, b + own))):
                    ended = winner(bidder, own > 0, after)
                    kept = tuple(min(max(score, scores[0]), scores[-1]) for score in after)
                    total += share * (value[kept] if ended is None else ended == 0)
            value[a, b] = total
    return value


def bidder_first(target):
    def winner(bidder, made, after):
        there = [unit for unit in (0, 1) if after[unit] >= target]
        return bidder if bidder in there else there[0] if there else None

    return winner


def made_bid_only(target):
    return lambda bidder, made, after: bidder if made and after[bidder] >= target else None


@pytest.mark.parametrize(
    ("rules", "options", "winner"),
    [("shankar", {}, bidder_first(11)), ("partnership", {"win.target": 11}, made_bid_only(11))],
)
def test_the_chain_against_the_slow_way(rules, options, winner):
    slow = slow_chances(11, winner)
    odds = Odds(find_table(rules, 4, 2, options), MIXED, own=True)
    for state in [(0, 0), (5, 0), (0, 5), (10, 10), (10, -4), (-8, 9), (7, 8)]:
        assert odds.chances([{"A": state[0], "B": state[1]}])[0]["A"] == near(slow[state])


ENDS = [{name: value} for name in VALUES if "win." in name and name != "win.order" for value in VALUES[name].house]


@pytest.mark.parametrize("options", ENDS, ids=str)
def test_a_game_with_chances_is_won_by_its_scores_as_the_chain_distinguishes_them(options):
    """Games to 8, hand by hand: winners as in the replay, and the same ones in the same case."""
    rng, known = Random(1), {}
    for _ in range(600):
        start = {unit: rng.randint(-2, 6) for unit in "AB"}
        hands = [(rng.randint(1, 4), 2, "".join(rng.choices("AB-", k=6))) for _ in range(8)]
        played = game(start, *hands, **{"win.target": 8} | options)
        if not depends_on_scores_only(played.rules):
            break
        score, cases, before = replay(played), WinCases(played.table), tuple(start.values())
        for place, hand in enumerate(score.hands, 1):
            after, own, bidder = tuple(hand.totals.values()), tuple(hand.change.values()), (hand.bidder - 1) % 2
            step = Step(own[bidder:] + own[:bidder], hand.made, 1)
            winners = score.winners if place == len(score.hands) else ()
            assert winners == (cases.winners(bidder, step, before, after) if max(after) >= cases.mark else ())
            assert winners == known.setdefault((bidder, step, cases.case(before, after)), winners)
            if any(one >= cases.early > other for one, other in zip(before, after, strict=True)):
                break  # by the assumption in docs/odds.md, whoever is below the early mark has never reached it
            before = after


@pytest.mark.parametrize(
    "kept",
    [k for k in stored_outcomes() if k.teams == 2 and not k.options and k.rules in DOCUMENTED],
    ids=lambda k: k.rules,
)
def test_more_points_are_never_worse(kept):
    odds = odds_of(kept.table, {})
    for other in (-5, 0, 6):
        line = [odds.chances([{"A": own, "B": other}])[0]["A"] for own in range(-8, kept.table.rules.win.target, 3)]
        assert all(later >= sooner - 1e-9 for sooner, later in pairwise(line))
        assert odds.chances([{"A": other, "B": other}])[0]["A"] == 0.5


# --- three and more units -----------------------------------------------------------------------------------------


def test_three_alone_by_twos_to_four():
    """Ahead by one of the two hands needed: 1/3 + 2/3 (1/3 + 1/3 x 1/3) = 17/27."""
    found = chance("shankar", {"win.target": 4}, {"2:2,0,0": 1}, (2, 0, 0), 3, 0)
    assert found == (near(17 / 27), near(5 / 27), near(5 / 27))


def test_changes_go_round_from_the_bidder():
    """The seat after the bidder gets two, the bidder nothing; the second seat is one hand away."""
    found = chance("shankar", {"win.target": 4}, {"2:0,2,0": 1}, (0, 2, 0), 3, 0)
    assert found == (near(5 / 27), near(17 / 27), near(5 / 27))


def test_a_called_partner_who_gets_there_with_the_bidder_does_not_win():
    """One of five bids, and the next seat is the partner: the player at 20 wins as the bidder, not as the partner."""
    outcomes = {"5:5,5,2,2,2": 1}
    found = chance("west-michigan-5", {}, outcomes, (20, 0, 0, 0, 0))
    assert found[0] == near(1.0)
    both = chance("west-michigan-5", {}, outcomes, (20, 20, 0, 0, 0))
    # Two points are enough for either, so the next hand ends it. If the first or the second bids, the bidder wins. If
    # the fifth bids, the first is the partner and higher. If the third or the fourth bids, both get two, are tied, and
    # share the win.
    assert both == (near(3 / 5), near(2 / 5), 0, 0, 0)


def test_a_game_that_cannot_end_is_shared():
    assert chance("shankar", {}, {"2:-2,0,0": 1}, (0, 0, 0), 3, 0) == pytest.approx((1 / 3,) * 3)


# --- limits -------------------------------------------------------------------------------------------------------


@pytest.fixture
def no_chains():
    """Empty the cache of chains before and after the test."""
    odds_module._chain.cache_clear()
    yield
    odds_module._chain.cache_clear()


def to_999(rules, players, teams):
    return find_table(rules.id, players, teams, {"win.target": 999})


@pytest.mark.parametrize("rules", catalogue(), ids=lambda rules: rules.id)
def test_a_game_to_999_has_no_chances_and_takes_no_memory(rules, no_chains):
    """It has hundreds of thousands of scores. The stored counts are loaded once, before memory is measured."""
    tables = [to_999(rules, players, teams) for options, players, teams in wanted_tables(rules) if not options]
    all_odds = [odds_of(table, {}) for table in tables]
    tracemalloc.start()
    lines = [odds.line(replay(Game(odds.table))) for odds in all_odds]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines == [[]] * len(tables)
    assert most < 1_000_000


def test_a_game_that_nobody_can_win_stops_after_so_many_hands(no_chains, monkeypatch):
    """Only a made bid wins, and none was ever made: a unit stays at the target forever."""
    odds = Odds(find_table("partnership", 6, 3), {"2:-2,3,3": 200}, own=True)
    monkeypatch.setattr(odds_module, "MOST_STEPS", 5000)
    played = []
    winners = Chain._winners
    monkeypatch.setattr(Chain, "_winners", lambda *given: played.append(1) or winners(*given))
    assert odds.line(replay(Game(odds.table, start={"A": 30, "B": 0, "C": 0}))) == []
    assert len(played) <= 5000 + LONGEST_GAME


def test_a_long_game_of_many_has_no_chances(no_chains, monkeypatch):
    """Six players alone: 59 different scores weigh 59 * 9 = 531, above the limit of 530; 58 do not."""
    odds = Odds(find_table("shankar", 6, 0, {"win.target": 100}), {"2:2,0,0,0,0,0": 1}, own=True)
    monkeypatch.setattr(Chain, "_sample", lambda _self, scores: {score: Sample((1 / 6,) * 6, 1) for score in scores})
    ends = GameScore((), {}, None, None)

    def line(scores):
        hands = [SimpleNamespace(totals=dict(zip("123456", [n, 0, 0, 0, 0, 0], strict=True)),
                                 change=dict.fromkeys("123456", 0)) for n in scores]  # fmt: skip
        return odds.line(ends._replace(hands=tuple(hands)))

    assert len(line(range(58))) == 59
    assert line(range(59)) == []
    assert len(line([*range(58)] * 30)) == 1741  # repeated scores cost nothing


def test_what_a_sampled_table_keeps_is_bounded(no_chains, monkeypatch):
    odds = Odds(find_table("shankar", 3, 0), {"2:2,0,0": 1}, own=True)
    monkeypatch.setattr(odds_module, "MOST_KEPT", 10)
    monkeypatch.setattr(Chain, "_sample", lambda _self, scores: {score: Sample((1 / 3,) * 3, 1) for score in scores})
    for low in range(40):
        odds.chances([{"1": -low, "2": 0, "3": 0}])[0]
    (chain,) = [found for found in gc.get_objects() if isinstance(found, Chain)]
    assert len(chain.samples) <= 10


def test_threads_that_ask_at_once_wait_for_one_sample(no_chains, monkeypatch):
    sampled, together = [], Barrier(4)
    sample = Chain._sample

    def slow(self, scores):
        sampled.extend(scores)
        sleep(0.05)
        return sample(self, scores)

    monkeypatch.setattr(Chain, "_sample", slow)

    def ask(_):
        odds = Odds(find_table("classic", None, None), MIXED, own=True)
        together.wait()
        return odds.chances([{"A": 3, "B": 1}])[0]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(ask, range(4)))
    assert found == [found[0]] * 4
    assert sampled == [(3, 1)]


# --- the chances hand by hand -------------------------------------------------------------------------------------


def scored(table, *hands):
    return replay(Game(table, tuple(read_hand(hand, table) for hand in hands)))


def hand(bidder, side):
    return {"dealer": 1, "bidder": bidder, "bid": 2, "trump": "H", "claims": {"high": side, "low": side}}


def test_the_line_of_a_game_hand_by_hand():
    table = find_table("classic", None, None, {"win.target": 4})
    odds = Odds(table, ALWAYS_TWO, own=True)
    passed = {"dealer": 1, "bids": [{"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 1)]}
    line = odds.line(scored(table, hand(1, "A"), passed, hand(2, "B"), hand(1, "A")))
    assert [chances["A"] for chances in line] == [0.5, near(0.75), near(0.75), 0.5, 1.0]
    assert all(sum(chances.values()) == pytest.approx(1) for chances in line)


def test_the_line_of_a_game_that_goes_on_and_began_with_scores():
    table = find_table("classic", None, None, {"win.target": 4})
    odds = Odds(table, ALWAYS_TWO, own=True)
    game = Game(table, (read_hand(hand(2, "B"), table),), start={"A": 2, "B": 0})
    assert [chances["A"] for chances in odds.line(replay(game))] == [near(0.75), 0.5]
    assert [chances["A"] for chances in odds.line(replay(Game(table, start={"A": 2, "B": 0})))] == [near(0.75)]


def test_a_shared_game_ends_in_equal_parts_and_one_from_paper_is_only_its_end():
    table = find_table("west-michigan-5", None, None)
    odds = Odds(table, {"5:5,5,2,2,2": 1}, own=True)
    ended = GameScore((), dict.fromkeys("12345", 21), Outcome("share", ("1", "4")), None)
    assert odds.line(ended) == [{"1": 0.5, "2": 0.0, "3": 0.0, "4": 0.5, "5": 0.0}]


# --- own and simulated hands --------------------------------------------------------------------------------------


def test_a_clubs_own_hands_and_simulated_ones_that_count_as_ten():
    """30 of its own and 10 of 20,000: own hands are 3/4 of the weight, each simulated one 1/2,000 of the other 1/4."""
    found = mix_outcomes({"2:2,0": 30}, {"2:2,0": 5_000, "3:-3,1": 15_000})
    assert Fraction(found["2:2,0"], sum(found.values())) == Fraction(30, 40) + Fraction(10, 40) * Fraction(1, 4)
    assert mix_outcomes({}, {"2:2,0": 7}) == {"2:2,0": 7}


def test_whose_hands_the_chances_come_from():
    table = find_table("classic", None, None)
    odds = odds_of(table, {"2:2,0": 199, "3:-3,1": 1, "2:2,0,0": 50})  # the last are of another table
    assert odds.own == 200
    assert odds_of(table, {"2:2,0,0": 50}).own == 0


@pytest.mark.parametrize(
    ("rules", "teams", "totals"),
    [("west-michigan-5", 0, (0,) * 5), ("shankar", 0, (3, -1, 2, 3, -1, 2)), ("shankar", 3, (5, 5, 5))],
)
def test_chances_are_equal_where_nothing_differs(rules, teams, totals):
    """Before the first hand, all five players have 20 %; sampling alone gave 19, 20, 20, 21 and 20.

    In the second case, opposite players have the same scores before and behind them.
    """
    table = find_table(rules, 5 if rules == "west-michigan-5" else 6, teams)
    chances = odds_of(table, {}).chances([dict(zip(table.units, totals, strict=True))])[0]
    assert len(set(zip(totals, chances.values(), strict=True))) == len(set(totals))
    assert sum(chances.values()) == pytest.approx(1)
    if len(set(totals)) == 1:
        assert list(chances.values()) == pytest.approx([1 / len(totals)] * len(totals))


def test_outcomes_are_found_among_the_details():
    detail = {"out:2:2,0": 3, "out:3:-3,1": 1, "bid:2:taken": 3, "hands:bidder": 4}
    assert outcomes_in(detail) == {"2:2,0": 3, "3:-3,1": 1}


# --- stored simulated hands ---------------------------------------------------------------------------------------


def has_own_count(table):
    sizes, rules = (table.players, table.teams), hand_rules(table.rules)
    return any((kept.players, kept.teams) == sizes and hand_rules(kept.table.rules) == rules
               for kept in stored_outcomes())  # fmt: skip


def test_every_table_of_the_catalogue_has_its_own_count():
    for rules in catalogue():
        for options, players, teams in wanted_tables(rules):
            table = find_table(rules.id, players, teams, options)
            assert has_own_count(table)
            assert sum(find_outcomes(table).values()) >= (20_000 if rules.source[:3].isdecimal() else 2_000)


def test_house_rules_about_winning_share_a_count_and_others_do_not():
    plain = find_outcomes(find_table("partnership", 4, 2))
    tables = {house.key: find_table("partnership", 4, 2, house.options)
              for house in variations("partnership") if "table.players" not in house.options}  # fmt: skip
    kinds = {key: find_outcomes(table) for key, table in tables.items()}
    assert kinds["early-eleven"] == plain
    assert find_outcomes(find_table("partnership", 4, 2, {"win.target": 11})) == plain
    assert kinds["made-scores-bid"] != plain
    assert all(map(has_own_count, tables.values()))
    assert find_outcomes(find_table("partnership", 4, 2, {"points.jack.called": "Bower"})) == plain


def test_rules_that_have_no_count_take_the_nearest():
    """Two house rules at once; and twenty points a hand, which no stored count is close to."""
    both = {"settle.made": "bid", "auction.dealer": "outbid"}
    table = find_table("partnership", 4, 2, both)
    assert (has_own_count(table), sum(find_outcomes(table).values())) == (False, 20_000)
    made_up = find_table("classic", 4, 2, {"points.jack.worth": 17, "auction.max": 20})
    assert (has_own_count(made_up), sum(find_outcomes(made_up).values())) == (False, 300)


@pytest.mark.parametrize(
    "kept", mostly_slow(stored_outcomes()[::7], 4), ids=lambda kept: f"{kept.rules} {kept.players} {kept.options}"
)
def test_the_kept_counts_are_what_the_simulator_makes(kept):
    seed = seed_of(kept.rules, kept.options, kept.players, kept.teams)
    block = simulate_block(kept.table, f"{seed} 0")
    assert fingerprint_of(block) == kept.begins
    assert all(kept.outcomes.get(key, 0) >= count for key, count in block.items())


# --- calibration --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "players", "teams", "count"),
    [("west-michigan-6", 6, 2, 100), ("west-michigan-5", 5, 0, 50), ("partnership", 4, 2, 100)],
)
def test_of_what_is_called_a_chance_that_share_is_won(rules, players, teams, count):
    """For each tenth with at least 30 games, the share won is within it, up to three standard errors."""
    table = find_table(rules, players, teams)
    filled = [found for found in bins(table, games(table, count, "test")) if found.games >= 30]
    assert len(filled) >= 6
    for found in filled:
        low, high = found.tenth / 10, found.tenth / 10 + 0.1
        assert low - 3 * found.error <= found.won <= high + 3 * found.error, found


def test_a_chance_that_is_off_would_be_seen():
    """A test of the check: a hundred games that were all lost from 2 to 0 are outside their tenth."""
    table = find_table("classic", None, None, {"win.target": 4})
    lost = scored(table, hand(1, "A"), hand(2, "B"), hand(2, "B"))
    ahead = max(bins(table, [lost] * 100), key=lambda found: found.tenth)
    assert (ahead.states, ahead.games, ahead.won) == (100, 100, 0.0)
    assert ahead.won < ahead.tenth / 10 - 3 * ahead.error


def test_the_same_lots_for_everybody():
    """The chances do not change between calls, nor with the order of calls."""
    outcomes, table = dict(simulate_block(find_table("shankar", 3, 0), "lots", 200)), find_table("shankar", 3, 0)
    one, other = Odds(table, outcomes, own=True), Odds(table, outcomes, own=True)
    states = [dict(zip("123", Random(5).choices(range(11), k=3), strict=True)) for _ in range(3)]
    assert [one.chances([state])[0] for state in states] == [other.chances([state])[0] for state in states[::-1]][::-1]

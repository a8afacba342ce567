"""Sentences about a game's end, checked on generated games of all rule sets: winners, scores, deciding hand."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.game import Game, GameScore, Outcome, replay
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import find_table, read_hand
from scorekeeper.scoring.rules import RuleSet, catalogue, find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.simulator import draw_styles, simulate_hand
from scorekeeper.web.common.narrator import Narrator, deciding_rule, ending, set_again_loses, still_playing, why_open
from tests.conftest import mostly_slow
from tests.scoring import reference

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
BOTH = (
    ["play-on"], ["highest", "play-on"], ["bidder", "highest", "play-on"], ["bidder", "highest", "share"],
    ["share"], ["highest", "share"], ["highest", "bidder", "share"], ["bidder", "share"],
)  # fmt: skip
EARLY = {"at": 5, "others_at_most": 1, "when": "first-reach", "eligible": "anyone"}
RULES = [rules.id for rules in catalogue()]
GAMES, POOL, LONGEST = 4, 24, 12  # games for each rule, number of hands to draw from, maximum number of hands in a game


class Played(NamedTuple):
    """A generated game up to one of its hands, with the result of the reference scorer."""

    table: Table
    score: GameScore
    winners: list[str]
    reason: str | None

    @property
    def narrator(self) -> Narrator:
        return Narrator(self.table, NAMES[: self.table.players])

    @property
    def winning_names(self) -> set[str]:
        return {NAMES[seat - 1] for seat in self.table.seats if self.table.unit_of[seat] in self.winners}


def formats(rules: RuleSet) -> Iterator[tuple[int, int]]:
    """Yield all numbers of players and teams."""
    for players in rules.table.players:
        teams = rules.table.formats(players)
        yield from ((players, number) for number in teams)


def ways(rules: RuleSet) -> Iterator[RuleSet]:
    """Yield the rules with all ways to decide a game, and a low target."""
    for both, eligible, early in product(BOTH, ("anyone", "made-bid"), (None, EARLY)):
        win = {"win.both": both, "win.eligible": eligible, "win.target": 7, "win.early": early}
        try:
            # Other ends: tests/scoring/test_endings.py; scores counted down: tests/web/games/test_counted_down.py.
            yield rules.override(win | {"win.all_points": "nobody", "win.counted": "up"})
        except Refused:
            assert not rules.auction.is_held  # without bidding there are no made bids


@cache
def played(rules_id: str) -> list[Played]:
    rng, rules = Random(f"{rules_id} outcome"), find_rules(rules_id)
    return [
        judged(table, game[:end])
        for players, teams in formats(rules)
        for pool in [some_hands(Table(rules, players, teams), rng)]
        for table in [Table(way, players, teams) for way in ways(rules)]
        for game in [tuple(rng.choices(pool, k=LONGEST)) for _ in range(GAMES)]
        for end in range(1, len(replay(Game(table, game)).hands) + 1)
    ]


def some_hands(table: Table, rng: Random) -> list[Hand]:
    """Return simulated hands, each with its dealer."""
    players = draw_styles(rng, table.players)
    return [
        read_hand(simulate_hand(table, rng, players, rng.choice(table.seats), table.at_zero), table)
        for _ in range(POOL)
    ]


def judged(table: Table, hands: tuple[Hand, ...]) -> Played:
    score = replay(Game(table, hands))
    verdicts, bidders = [], []
    for hand in score.hands:
        of_unit = hand.sides.of_unit if hand.sides else {}
        units = [unit for unit, side in of_unit.items() if side == hand.bidding_side]
        verdict = {"status": hand.status, "bid": hand.bid, "made": hand.made, "bidding_units": units}
        verdicts.append(verdict | {"change": hand.change})
        bidders.append(table.unit_of[hand.bidder] if hand.bidder else None)
    start = dict.fromkeys(table.units, 0)
    _, winners, reason = reference.referee(table.rules.to_dict(), start, verdicts, bidders)
    return Played(table, score, winners, reason if winners else None)


def named(sentence: str) -> set[str]:
    return {name for name in NAMES if re.search(rf"\b{name}\b", sentence)}


RULE = {
    "target": r"reached 7 first|the only score of 7 or more|From 7 on, only .* (its|a|its own|a made) bid can win",
    "bidder": r"the bid(ding team|der) wins:",
    "highest": r"the highest score wins:",
    "share": r"they win together:",
    "early": r"won early",
}


@pytest.mark.parametrize("rules_id", RULES)
def test_what_is_said_of_a_game_that_was_won_and_of_one_that_goes_on(rules_id: str) -> None:
    for game in played(rules_id):
        rule_names_the_winners_their_score_and_the_hand(game)
        final_score_has_the_winners_first(game)
        why_play_goes_on_is_said_when_somebody_is_there(game)


def rule_names_the_winners_their_score_and_the_hand(game: Played) -> None:
    said = deciding_rule(game.narrator, game.score)
    if game.reason is None:
        assert said == ""
        return
    winning = re.sub(r"^\w+ made \w+ in hand \d+ with ", "", said)  # without the bidder, whose partner won
    assert named(winning) == game.winning_names, said
    assert re.findall(r"in hand (\d+)|after hand (\d+)", said) == [
        (str(len(game.score.hands)), "") if "in hand" in said else ("", str(len(game.score.hands)))
    ], said
    assert re.search(RULE[game.reason], said), (game.reason, said)
    for total in {game.score.totals[unit] for unit in game.winners}:
        assert re.search(rf"(had|with|:|and) {total}\b", said), said
    if "reached 7 first" in said:
        assert max((total for hand in game.score.hands[:-1] for total in hand.totals.values()), default=0) < 7


def final_score_has_the_winners_first(game: Played) -> None:
    """Then the best, and why if they are not ahead."""
    if game.score.outcome is None:
        return
    totals = dict(game.score.totals)
    own = sorted((totals.pop(unit) for unit in game.winners), reverse=True)
    others = sorted(totals.values(), reverse=True)
    each = [game.score.totals[unit] for unit in game.winners]
    if len(game.table.units) <= 3:
        line = " to ".join(map(str, [*own, *others]))
    else:
        line = "with " + re.sub(r", (\S+)$", r" and \1", ", ".join(map(str, each if len(set(own)) > 1 else own[:1])))
    is_ahead = not others or min(own) > others[0]
    why = "" if is_ahead else "because the bidder goes out first" if game.reason == "bidder" else "by making the bid"
    assert game.narrator.result_line(game.score).replace("−", "-") == (f"{line}, {why}" if why else line)


def why_play_goes_on_is_said_when_somebody_is_there(game: Played) -> None:
    """And nobody has won."""
    totals, said = game.score.totals, still_playing(game.narrator, game.score)
    there = {unit for unit in totals if totals[unit] >= 7}
    assert bool(said) == (bool(there) and not game.winners)
    if said:
        assert said.startswith("Still playing: ")
        assert all(total in totals.values() for total in map(int, re.findall(r"(?:have|has|at) (\d+)\b(?! or)", said)))
    if "only" in said and "bid" in said:
        assert game.table.rules.win.eligible == "made-bid"
        assert {unit for unit in totals if named(said) & names_of(game.table, unit)} == there


def test_every_reason_comes_about() -> None:
    found = {(game.reason, game.table.rules.win.eligible) for rules_id in RULES[:4] for game in played(rules_id)}
    assert found == {*product(("target", "bidder", "highest", "share", "early", None), ("anyone", "made-bid"))}


LIMITS = {"win.lost_sets": 2}, {"win.lost_in_a_row": 2}, {"win.lost_in_a_row": 3}, {"win.lost_sets": 3}


@pytest.mark.parametrize("rules_id", mostly_slow([rules.id for rules in catalogue() if rules.auction.is_held], 4))
def test_who_is_said_to_lose_if_set_again_does_and_nobody_else(rules_id: str) -> None:
    rng, rules, seen = Random(f"{rules_id} sets"), find_rules(rules_id), Counter[bool]()
    for (players, teams), limits in product(formats(rules), LIMITS):
        table = Table(rules.override({"win.target": max(40, rules.win.target)} | limits), players, teams)
        narrator, pool = Narrator(table, NAMES[:players]), some_hands(table, rng)
        sets = [hand for hand in pool if replay(Game(table, (hand,))).hands[0].made is False]
        hands = tuple(rng.choices(pool + 3 * sets, k=LONGEST))
        score = replay(Game(table, hands))
        for end, hand in enumerate(score.hands):
            named_before = named(set_again_loses(narrator, replay(Game(table, hands[:end]))))
            if hand.status != "scored" or hand.made or not hand.sides:
                continue
            units = [unit for unit, side in hand.sides.of_unit.items() if side == hand.bidding_side]
            is_last = score.outcome is not None and end == len(score.hands) - 1
            if is_last and score.outcome and not score.outcome.reason.startswith("sets"):
                continue
            are_named = any(named_before & names_of(table, unit) for unit in units)
            assert are_named == is_last, (limits, end, named_before, units)
            seen[are_named] += 1
    assert min(seen[True], seen[False]) > 1


def names_of(table: Table, unit: str) -> set[str]:
    return {NAMES[seat - 1] for seat in table.seats_of[unit]}


# --- worked out by hand -------------------------------------------------------------------------------------------

POINTS = ("high", "low", "right_jack", "left_jack", "right_joker", "left_joker", "game")


def told(table: Table, *hands: dict[str, Any], start: dict[str, int] | None = None) -> tuple[str, str]:
    """Return the deciding rule, and the reason why play goes on."""
    read = tuple(read_hand({"dealer": 1} | hand, table) for hand in hands)
    score = replay(Game(table, read, start=start))
    narrator = Narrator(table, ["Ann", "Bob", "Cy", "Di", "Ed", "Flo"][: table.players])
    return deciding_rule(narrator, score), still_playing(narrator, score)


def four(bidder: int, bid: int | str, **others: str) -> dict[str, Any]:
    side = "AB"[(bidder - 1) % 2]
    claims = dict.fromkeys(("high", "low", "jack", "game"), side) | others
    return {"bidder": bidder, "bid": bid, "trump": "H", "claims": claims}


CALLED = {"bidder": 1, "bid": 4, "trump": "H", "called": "AS", "partner": 2}
LEFT_JACK = {"high": "A", "low": "A", "right_jack": "A", "left_jack": "B", "game": "B"}
ALL_BUT_LOW = dict.fromkeys(POINTS, "bidding") | {"low": 3}
EARLY_AT_7 = {"win.early": EARLY | {"at": 7, "others_at_most": 0}}


@pytest.mark.parametrize(
    ("rules", "start", "hands", "said"),
    [
        # Classic, to 11: the highest score wins, a tie plays on.
        (find_rules("classic"), (8, 0), [four(1, 3)], ("Ann and Cy reached 11 first, in hand 1, with 12.", "")),
        (find_rules("classic"), (12, 12), [four(1, 4, jack="B")],
         ("Bob and Di had 13 after hand 1, the only score of 11 or more.", "")),
        (find_rules("classic"), (9, 10), [four(1, 3, jack="B")],
         ("When both teams reach 11, the highest score wins: Ann and Cy had 12 after hand 1.", "")),
        (find_rules("classic"), (10, 10), [four(1, 2, jack="B", game="B")],
         ("", "Still playing: 12 to 12 is a tie, and these rules need a leader.")),
        (find_rules("classic").override(EARLY_AT_7), (4, -2), [four(1, 3)],
         ("Ann and Cy won early: 8 in hand 1, with everyone else at 0 or less.", "")),
        # Partnership, to 21: B passes 21 by points taken against Ann's bid, and makes its own bid in the next hand.
        (find_rules("partnership"), (0, 20), [four(1, 2, jack="B", game="B")],
         ("", "Still playing: Bob and Di have 22, but only a team that makes its own bid can win.")),
        (find_rules("partnership"), (0, 20), [four(1, 2, jack="B", game="B"), four(2, 3)],
         ("Bob and Di bid 3 in hand 2, made it, and had 26. From 21 on, only a team that makes its own bid can win.",
          "")),
        (find_rules("double-jack"), (9, 11), [four(1, 3) | {"claims": LEFT_JACK}],
         ("When both teams reach 12, the bidding team wins: Ann and Cy had the bid in hand 1 and finished with 12.",
          "")),
        # Five players: Ann calls Bob's card; they have 12 each, Cy has 10, who is at the target with less.
        (find_rules("west-michigan-5").override({"win.target": 10, "win.both": ["highest", "share"]}),
         (6, 6, 9, 0, 0), [CALLED | {"claims": ALL_BUT_LOW}],
         ("When the highest scores of 10 or more tie, they win together: Ann and Bob had 12 after hand 1.", "")),
    ],
)  # fmt: skip
def test_why_somebody_has_won_or_play_goes_on(rules: RuleSet, start, hands, said: tuple[str, str]) -> None:
    table = Table(rules)
    assert told(table, *hands, start=dict(zip(table.units, start, strict=True))) == said


def test_a_special_bid_that_wins_is_named() -> None:
    moon = {"name": "moon", "bid": 5, "needs": ["every-point"], "made": "win"}
    table = Table(find_rules("classic").override({"auction.specials": [moon]}), 4, 2)
    hand = read_hand({"dealer": 4} | four(1, "moon"), table)
    score, narrator = replay(Game(table, (hand,), start={"A": 0, "B": 9})), Narrator(table, NAMES[:4])
    assert narrator.result_line(score) == "4 to 9, by making the moon bid"
    assert ending(narrator, score, "Ann and Cy win") == "Ann and Cy win, 4 to 9, by making the moon bid!"
    assert deciding_rule(narrator, score) == "Ann and Cy made the moon bid in hand 1, which wins the game."


@pytest.mark.parametrize(
    ("before", "low", "said"),
    [
        (8, "A", "Ann bid moon, took 4: from 8 to 11."),
        (-3, "A", "Ann bid moon, took 4: from −3 to 0."),
        (8, "B", "Ann bid moon, took 3: set, from 8 to −2."),
    ],
)
def test_a_special_bid_that_sets_the_score_says_from_what_to_what(before: int, low: str, said: str) -> None:
    moon = {"needs": ["every-point"], "made": "target", "failed": "set-to", "failed_to": -2}
    rules = find_rules("classic").override({"auction.specials": [{"name": "moon", "bid": 5} | moon]})
    table = Table(rules, 4, 2)
    hand = read_hand({"dealer": 4} | four(1, "moon", low=low), table)
    score = replay(Game(table, (hand,), start={"A": before, "B": 2})).hands[0]
    assert Narrator(table, NAMES[:4]).hand(score, score.totals).head == said


def test_an_adjustment_that_wins() -> None:
    """All passed, and two points for a revoke take B to the target."""
    table = Table(find_rules("classic"), 4, 2)
    passed = {"bids": [{"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 1)]}
    adjusted = passed | {"adjustments": [{"unit": "B", "points": 2, "reason": "revoke"}]}
    start = {"A": 3, "B": 9}
    assert told(table, passed, adjusted, start=start) == ("Bob and Di reached 11 first, in hand 2, with 11.", "")
    tied = "Still playing: 11 to 11 is a tie, and these rules need a leader."
    assert told(table, adjusted, start={"A": 11, "B": 9}) == ("", tied)


def test_who_is_set_twice_in_a_row_loses_though_the_others_are_tied() -> None:
    rules = find_rules("classic").override({"table.sides": "solo", "table.players": [3], "win.lost_in_a_row": 2})
    claims = {"high": "1", "low": "2", "jack": "1", "game": "2"}
    hand = {"bidder": 3, "bid": 4, "trump": "H", "claims": claims}
    table, start = Table(rules, 3, 0), {"1": 11, "2": 11, "3": 9}
    tied = "Still playing: Ann and Bob are tied at 13, and these rules need a leader."
    assert told(table, hand, start=start)[1] == tied
    score = replay(Game(table, (read_hand({"dealer": 1} | hand, table),), start=start))
    assert why_open(Narrator(table, ["Ann", "Bob", "Cy"]), score) == f"{tied} Cy loses the game if set in hand 2."
    by_sets = Table(rules.override({"win.lost_in_a_row": None, "win.lost_sets": 2}), 3, 0)
    others = {"dealer": 2, "bidder": 2, "bid": 4, "trump": "H", "claims": claims}
    score = replay(Game(by_sets, tuple(read_hand(one, by_sets) for one in ({"dealer": 1} | hand, others))))
    loses = set_again_loses(Narrator(by_sets, ["Ann", "Bob", "Cy"]), score)
    assert loses == "If Bob or Cy is set again, that player loses the game."
    lost = "Cy was set twice in a row. The highest score of the others wins: Ann and Bob had 15 after hand 2."
    assert told(table, hand, hand, start=start) == (lost, "")


def test_a_smudge_set_with_all_four_points_lost_a_trick() -> None:
    """One set for a point says nothing of tricks."""
    table = Table(find_rules("partnership"), 4, 2)
    smudge, narrator = table.rules.auction.specials[0].name, Narrator(table, NAMES[:4])
    score, other = (
        replay(Game(table, (read_hand({"dealer": 4} | four(1, smudge, **others), table),))).hands[0]
        for others in ({}, {"jack": "B"})
    )
    assert not score.made
    assert str(narrator.hand(score, score.totals)).startswith(f"Ann bid {smudge}, took 4 but lost a trick: set, −")
    assert narrator.took(score)[-1] == "Ann and Cy lost a trick"
    assert "trick" not in str(narrator.hand(other, other.totals))


def at_end(unit: str | None, hand: int) -> Any:
    """Return a game won by `unit` in that hand, 24 to 10, or without a winner for None."""
    totals = {"A": 24 if unit == "A" else 10, "B": 24 if unit == "B" else 10}
    outcome = unit and Outcome("target", (unit,), hand)
    return SimpleNamespace(outcome=outcome, winners=(unit,) if unit else (), totals=totals)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ((None, 0), ("A", 4), "Ann and Cy win"),
        ((None, 0), ("A", 6), "Ann and Cy win in hand 6, 24 to 10"),
        (("A", 6), ("B", 4), "Bo and Di win instead"),
        (("A", 8), ("B", 6), "Bo and Di win instead, in hand 6, 24 to 10"),
        (("A", 8), ("A", 6), "Ann and Cy win in hand 6, 24 to 10"),
        (("A", 8), ("A", 8), ""),
        (("A", 4), (None, 0), "nobody has won yet"),
        ((None, 0), (None, 0), ""),
    ],
)
def test_what_a_correction_of_hand_4_means_for_who_has_won(before: Any, after: Any, said: str) -> None:
    narrator = Narrator(find_table("classic", 4, 2), NAMES[:4])
    assert narrator.turn(at_end(*before), at_end(*after), 4) == said
    unscored = narrator.turn(at_end(*before), at_end(*after), 4, with_score=False)
    assert unscored == said.removesuffix(", 24 to 10")

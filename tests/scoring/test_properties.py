"""Properties of every legal hand, under every rule set, house rule and table format.

Hands come from `deals`, expected scores from `reference`; both are independent of the scoring core.
"""

import copy
import json
import os
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from scorekeeper.scoring.game import GameScore, replay, score_game
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_game, score_output, score_record
from scorekeeper.scoring.rules import RuleSet, catalogue, find_rules, variations
from tests.broken import JUNK, spoil
from tests.conftest import examples
from tests.scoring import deals, reference
from tests.scoring.reference import Facts, Rules
from tests.scoring.rule_values import HOUSE_RULES

RULE_SETS = [rules.id for rules in catalogue()]


# --- random rules and tables ------------------------------------------------------------------------------------


class Setting(NamedTuple):
    """Rules with a table format, as in a record and as plain data."""

    rules_id: str
    options: dict[str, Any]
    rules: Rules
    players: int
    teams: int

    def record(self, hands: list[Facts], **more: Any) -> Facts:
        named = {"format": "setback-game/1", "rules": self.rules_id, "options": self.options}
        return named | {"players": self.players, "teams": self.teams, "hands": hands} | more

    @property
    def units(self) -> list[str]:
        return sorted({reference.unit_of(seat, self.teams) for seat in range(1, self.players + 1)})


@st.composite
def settings_of(draw: st.DrawFn, rules_id: str | None = None) -> Setting:
    """A catalogue rule set with some of its variations, some house rules, and a table format that it allows."""
    rules_id = rules_id or draw(st.sampled_from(RULE_SETS))
    named = draw(st.lists(st.sampled_from(variations(rules_id)), max_size=2)) if variations(rules_id) else []
    options: dict[str, Any] = {}
    for variation in named:
        options |= variation.options
    options.pop("auction.cap", None)  # depends on the scores, which the dealer does not know: test_selling.py
    fields = draw(st.lists(st.sampled_from(sorted(HOUSE_RULES)), max_size=5, unique=True))
    have = {point.key for point in find_rules(rules_id).points}
    for name in sorted(fields):
        if not name.startswith("points.") or name.split(".")[1] in have:
            options[name] = draw(st.sampled_from(HOUSE_RULES[name]))
        if name == "points":
            have = {point["key"] for point in options[name]}
    return sit_down(draw, rules_id, options)


@st.composite
def races(draw: st.DrawFn) -> Setting:
    """Rules under which games end soon, and in every possible way."""
    rules_id = draw(st.sampled_from(RULE_SETS))
    names = [name for name in HOUSE_RULES if name.startswith(("win.", "settle.", "auction.all_pass"))]
    options = {name: draw(st.sampled_from(HOUSE_RULES[name])) for name in names}
    return sit_down(draw, rules_id, options)


def sit_down(draw: st.DrawFn, rules_id: str, options: dict[str, Any]) -> Setting:
    rules = overridden(find_rules(rules_id), options)
    assume(rules is not None)
    players = draw(st.sampled_from(rules.table.players))
    teams = 0
    if rules.table.sides == "teams":
        formats = [n for n in rules.table.teams if n == 0 or (n > 1 and players % n == 0 and players > n)]
        teams = draw(st.sampled_from(formats))
    return Setting(rules_id, options, rules.to_dict(), players, teams)


def overridden(rules: RuleSet, options: dict[str, Any]) -> RuleSet | None:
    try:
        return rules.override(options)
    except Refused:
        return None


randoms = st.integers(0, 2**32).map(Random)


def played(rng: Random, setting: Setting, dealer: int | None = None, *, bidding: bool = True) -> deals.Deal:
    return deals.deal(rng, setting.rules, setting.players, setting.teams, dealer, bidding=bidding)


def truth_of(setting: Setting, facts: Facts) -> Facts:
    verdict = reference.judge(setting.rules, setting.players, setting.teams, plain(setting, facts))
    assert verdict is not None, "the dealer has dealt what the reference does not allow"
    return verdict


def plain(setting: Setting, facts: Facts) -> Facts:
    """A hand with its bid as a number, as the reference scorer expects."""
    specials = {special["name"]: special["bid"] for special in setting.rules["auction"]["specials"]}
    return facts | ({"bid": specials.get(facts["bid"], facts["bid"])} if "bid" in facts else {})


def dealt_hand(rng: Random, setting: Setting, dealer: int | None = None) -> tuple[deals.Deal, Facts, Facts]:
    """A deal with a bid, its record by tricks, and its score by the reference scorer."""
    hand = played(rng, setting, dealer)
    facts = deals.tricks_record(rng, hand)
    return hand, facts, truth_of(setting, facts)


def shape(score: Any) -> Facts:
    """A scored hand in the form of the reference scorer."""
    return {
        "bidder": score.bidder,
        "bid": score.bid,
        "bidding_side": score.bidding_side,
        "points": {key: (point.side, point.card, point.why) for key, point in score.points.items()},
        "counts": score.counts,
        "earned": score.earned,
        "made": score.made,
        "change": score.change,
    }


SCORED = ("bidder", "bid", "bidding_side", "earned", "made", "change")


def expected(truth: Facts) -> Facts:
    return {key: truth[key] for key in (*SCORED, "counts", "points")}


# --- one hand ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules_id", RULE_SETS)
@given(data=st.data(), rng=randoms)
def test_the_four_levels_of_detail_score_the_same(rules_id: str, data: st.DataObject, rng: Random) -> None:
    setting = data.draw(settings_of(rules_id))
    hand, _, truth = dealt_hand(rng, setting)
    whole = data.draw(st.booleans())
    for level, facts in deals.records(rng, hand, truth, buried=whole).items():
        record = setting.record([facts])
        note(f"{level}: {record}")
        score = shape(score_record(record).hands[0])
        agree(score, expected(truth), level, known=whole and tells_all(setting.rules))


def tells_all(rules: Rules) -> bool:
    """True if the buried cards determine the cards that were played; not if cards stay in the hands."""
    return rules["deck"]["undealt"] == "buried" and rules["play"]["follow"] != "trumps-only"


def agree(score: Facts, truth: Facts, level: str, *, known: bool) -> None:
    """Assert equal scores; at lower levels, cards and reasons may be missing, but no side or number."""
    if level in ("tricks", "piles") or (known and level == "counts"):
        assert score == truth
        return
    for name in SCORED:
        assert score[name] == truth[name], name
    for key, (side, card, why) in truth["points"].items():
        assert score["points"][key][0] == side, key
        assert score["points"][key][1] in (card, None), key
        assert (score["points"][key][2] is None) == (why is None), key
    assert score["counts"] == (truth["counts"] if level == "counts" else None)


VARIED = [(rules_id, variation.key) for rules_id in RULE_SETS for variation in variations(rules_id)]


@pytest.mark.parametrize(("rules_id", "key"), VARIED)
@given(data=st.data(), rng=randoms)
@examples(12)
def test_every_variation_scores_the_same_at_all_levels(
    rules_id: str, key: str, data: st.DataObject, rng: Random
) -> None:
    options = next(variation.options for variation in variations(rules_id) if variation.key == key)
    setting = sit_down(data.draw, rules_id, dict(options))
    hand, _, truth = dealt_hand(rng, setting)
    for level, facts in deals.records(rng, hand, truth).items():
        agree(shape(score_record(setting.record([facts])).hands[0]), expected(truth), level, known=False)


# --- a whole game -----------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A game of some hands, ended or not, with its record and the reference score of each hand."""

    setting: Setting
    hands: list[deals.Deal]
    facts: list[Facts]
    truths: list[Facts]
    start: dict[str, int]


def play_game(rng: Random, setting: Setting, most: int, *, full: bool = False, adjusting: bool = False) -> Played:
    """Consecutive hands at random levels of detail, including passed-out ones, with dealers by the rules."""
    start = {unit: rng.randint(-4, setting.rules["win"]["target"]) for unit in setting.units}
    game = Played(setting, [], [], [], start)
    dealer = rng.randint(1, setting.players)
    for _ in range(most):
        hand = played(rng, setting, dealer, bidding=False)
        if hand.bidder is None:
            facts = deals.bidding_record(rng, hand)
            truth = truth_of(setting, facts)
        else:
            facts = deals.tricks_record(rng, hand)
            truth = truth_of(setting, facts)
            levels = deals.records(rng, hand, truth)
            facts = facts if full else rng.choice(list(levels.values()))
        if game.hands and rng.random() < 0.7:
            del facts["dealer"]
        if adjusting and rng.random() < 0.5:
            truth["adjusted"] = adjustments(rng, setting, facts)
        game.hands.append(hand)
        game.facts.append(facts)
        game.truths.append(truth)
        if reference.referee(setting.rules, start, game.truths, bidder_units(game))[1]:
            break
        if hand.bidder is not None or setting.rules["auction"]["all_pass"] != "redeal":
            dealer = dealer + 1 if dealer < setting.players else 1
    return game


def adjustments(rng: Random, setting: Setting, facts: Facts) -> list[tuple[str, int]]:
    """Add random adjustments to a hand; return them as (unit, points)."""
    chosen = [(rng.choice(setting.units), rng.choice([-4, -1, 1, 2, 5])) for _ in range(rng.randint(1, 3))]
    facts["adjustments"] = [{"unit": unit, "points": points, "reason": "as agreed"} for unit, points in chosen]
    return chosen


def bidder_units(game: Played) -> list[str | None]:
    return [reference.unit_of(hand.bidder, game.setting.teams) if hand.bidder else None for hand in game.hands]


# Games per rule set; SCOREKEEPER_GAMES=2000 for many more.
GAMES = int(os.environ.get("SCOREKEEPER_GAMES", "3"))


@pytest.mark.parametrize("rules_id", RULE_SETS)
def test_games_of_every_rule_set_come_to_what_the_referee_says(rules_id: str) -> None:
    """The rule set as it is, or with one of its house rules; hands at any level of detail, some with adjustments."""
    houses = [{}, {}, *(dict(variation.options) for variation in variations(rules_id))]
    for number in range(GAMES):
        rng = Random(f"{rules_id} {number}")
        options = rng.choice(houses)
        options.pop("auction.cap", None)
        rules = find_rules(rules_id).override(options)
        players = rng.choice(rules.table.players)
        teams = rng.choice(rules.table.formats(players))
        setting = Setting(rules_id, options, rules.to_dict(), players, teams)
        refereed(play_game(rng, setting, 8, adjusting=rng.random() < 0.5))


def refereed(game: Played) -> GameScore:
    """The score of a game, which must be the reference referee's."""
    record = game.setting.record(game.facts, start=game.start)
    totals, winners, reason = reference.referee(game.setting.rules, game.start, game.truths, bidder_units(game))
    score = score_record(record)
    assert [hand.totals for hand in score.hands] == totals, record
    assert sorted(score.winners) == sorted(winners), record
    assert (score.outcome.reason if score.outcome else None) == reason, record
    assert score.totals == totals[-1]
    return score


@given(setting=settings_of() | races(), rng=randoms)
@examples(200)
def test_a_game_comes_to_what_the_referee_says(setting: Setting, rng: Random) -> None:
    game = play_game(rng, setting, 8)
    score = refereed(game)
    assert [hand.status for hand in score.hands] == [truth["status"] for truth in game.truths]
    assert [hand.dealer for hand in score.hands] == [hand.dealer for hand in game.hands]
    last = game.hands[-1]
    moves = last.bidder is not None or setting.rules["auction"]["all_pass"] != "redeal"
    assert score.next_dealer == (last.dealer % setting.players + 1 if moves else last.dealer)


@given(setting=settings_of() | races(), rng=randoms)
def test_scores_that_count_down_are_scored_the_same(setting: Setting, rng: Random) -> None:
    """The answers for a record are equal byte for byte, whichever way the rules show scores."""
    game = play_game(rng, setting, 8, adjusting=True)
    ways = [setting.options | {"win.counted": way} for way in ("up", "down")]
    assume(all(overridden(find_rules(setting.rules_id), options) for options in ways))
    games = [read_game(setting.record(game.facts, start=game.start, options=options)) for options in ways]
    up, down = (json.dumps(score_output(one, score_game(one))) for one in games)
    assert up == down


@given(setting=races(), rng=randoms)
def test_a_hand_after_the_end_is_refused_and_replay_leaves_it_out(setting: Setting, rng: Random) -> None:
    game = play_game(rng, setting, 12)
    winners = reference.referee(setting.rules, game.start, game.truths, bidder_units(game))[1]
    more = played(rng, setting)
    extra = [deals.tricks_record(rng, more), deals.tricks_record(rng, more)]
    record = setting.record([*game.facts, *extra], start=game.start)
    result = replay(read_game(record))
    if not winners:
        assert len(result.hands) + result.after_end == len(game.facts) + 2
        return
    assert (len(result.hands), result.after_end) == (len(game.facts), 2)
    assert result.totals == result.hands[-1].totals
    assert [shape(hand) for hand in result.beyond] == [expected(truth_of(setting, extra[0]))] * 2
    assert result.beyond[1].totals == {
        unit: total + 2 * result.beyond[0].change[unit] for unit, total in result.totals.items()
    }
    unscorable = setting.record([*game.facts, extra[0], {"dealer": 1, "trump": "S"}, extra[1]], start=game.start)
    again = replay(read_game(unscorable))
    assert (again.hands, again.totals, again.outcome) == (result.hands, result.totals, result.outcome)
    assert (again.after_end, again.beyond) == (3, result.beyond[:1])
    with pytest.raises(Refused) as refused:
        score_record(record)
    assert [(problem.code, problem.at) for problem in refused.value.problems] == [
        ("after-the-end", f"hands[{len(game.facts)}]")
    ]


@given(setting=settings_of(), rng=randoms)
def test_correcting_a_hand_equals_having_entered_it_right(setting: Setting, rng: Random) -> None:
    game = play_game(rng, setting, 6)
    right = setting.record(game.facts, start=game.start)
    place = rng.randrange(len(game.facts))
    other = played(rng, setting, game.hands[place].dealer)
    wrong = copy.deepcopy(right)
    wrong["hands"][place] = deals.tricks_record(rng, other) | {"dealer": game.hands[place].dealer}
    entered = replay(read_game(right))
    with suppress(Refused):  # with another next dealer, a later auction begins at the wrong seat
        replay(read_game(wrong))
    corrected = copy.deepcopy(wrong)
    corrected["hands"][place] = right["hands"][place]
    assert replay(read_game(corrected)) == entered
    for length in range(len(game.facts)):
        part = replay(read_game(right | {"hands": right["hands"][:length]}))
        assert part.hands == entered.hands[:length]
        assert replay(read_game(right), part.hands) == entered


# --- renumbering ------------------------------------------------------------------------------------------------


@given(setting=settings_of() | races(), rng=randoms, turn=st.integers(1, 11))
def test_renumbering_the_seats_changes_nothing_but_names(setting: Setting, rng: Random, turn: int) -> None:
    """The same game with all players moved by `turn` seats: equal scores under other names."""
    game = play_game(rng, setting, 5)
    seat_now = {seat: (seat - 1 + turn) % setting.players + 1 for seat in range(1, setting.players + 1)}
    name_now: dict[str, str] = {str(seat): str(now) for seat, now in seat_now.items()}
    for seat, now in seat_now.items():
        name_now[reference.unit_of(seat, setting.teams)] = reference.unit_of(now, setting.teams)
    name_now |= {"bidding": "bidding", "defending": "defending"}
    here = score_record(setting.record(game.facts, start=game.start))
    there = score_record(
        setting.record(
            [renumbered(facts, seat_now, name_now) for facts in game.facts],
            start={name_now[unit]: score for unit, score in game.start.items()},
        )
    )
    assert [with_names(hand, name_now) for hand in here.hands] == [with_names(hand, {}) for hand in there.hands]
    assert {name_now[unit]: total for unit, total in here.totals.items()} == there.totals
    assert {name_now[unit] for unit in here.winners} == set(there.winners)
    assert seat_now[here.next_dealer] == there.next_dealer


def renumbered(facts: Facts, seat_now: dict[int, int], name_now: dict[str, str]) -> Facts:
    def name(side: Any) -> Any:
        return seat_now[side] if isinstance(side, int) else name_now.get(side, side)

    moved = facts | {key: seat_now[facts[key]] for key in ("dealer", "bidder", "partner") if facts.get(key)}
    if "bids" in facts:
        moved["bids"] = [call | {"seat": seat_now[call["seat"]]} for call in facts["bids"]]
    if "tricks" in facts:
        moved["tricks"] = [
            trick
            | {"lead": seat_now[trick["lead"]]}
            | ({"seats": [seat_now[seat] for seat in trick["seats"]]} if "seats" in trick else {})
            for trick in facts["tricks"]
        ]
    for key in ("claims", "played_by", "tricks_won"):
        if key in facts:
            moved[key] = {point: None if side is None else name(side) for point, side in facts[key].items()}
    for key in ("piles", "game_counts"):
        if key in facts:
            moved[key] = {name(side): value for side, value in facts[key].items()}
    for key in ("low_by", "high_by", "sweep"):
        if key in facts:
            moved[key] = name(facts[key])
    return moved


def with_names(hand: Any, name_now: dict[str, str]) -> Facts:
    def named(scores: dict[str, int]) -> dict[str, int]:
        return {name_now.get(name, name): score for name, score in scores.items()}

    return {
        "status": hand.status,
        "bid": hand.bid,
        "made": hand.made,
        "bidding_side": name_now.get(hand.bidding_side, hand.bidding_side),
        "points": {key: (name_now.get(p.side, p.side), p.card, p.why) for key, p in hand.points.items()},
        "counts": None if hand.counts is None else named(hand.counts),
        "earned": named(hand.earned),
        "change": named(hand.change),
        "totals": named(hand.totals),
    }


# --- the impossible is refused, the possible is scored -------------------------------------------------------------


def swap_cards(rng: Random, facts: Facts, setting: Setting) -> None:
    one, two = rng.choice(facts["tricks"])["cards"], rng.choice(facts["tricks"])["cards"]
    here, there = rng.randrange(len(one)), rng.randrange(len(two))
    one[here], two[there] = two[there], one[here]


def another_card(rng: Random, facts: Facts, setting: Setting) -> None:
    cards = rng.choice(facts["tricks"])["cards"]
    cards[rng.randrange(len(cards))] = rng.choice(["XR", "XB", *(rank + suit for rank in "AKJT62" for suit in "SHDC")])


def card_lists(facts: Facts) -> list[list[str]]:
    return [*(trick["cards"] for trick in facts["tricks"]), *([facts["buried"]] if "buried" in facts else [])]


def drop_card(rng: Random, facts: Facts, setting: Setting) -> None:
    cards = rng.choice([group for group in card_lists(facts) if group])
    del cards[rng.randrange(len(cards))]


def card_twice(rng: Random, facts: Facts, setting: Setting) -> None:
    cards = rng.choice(card_lists(facts))
    cards.insert(rng.randint(0, len(cards)), rng.choice(facts["tricks"][0]["cards"]))


def drop_leaders(rng: Random, facts: Facts, setting: Setting) -> None:
    for trick in facts["tricks"]:
        del trick["lead"]
    swap_cards(rng, facts, setting)


def other_bidder(rng: Random, facts: Facts, setting: Setting) -> None:
    facts["bidder"] = rng.randint(1, setting.players)
    facts.setdefault("bid", rng.randint(0, 9))


def other_bid(rng: Random, facts: Facts, setting: Setting) -> None:
    facts["bid"] = rng.randint(0, 12)
    facts.setdefault("bidder", rng.randint(1, setting.players))


def other_call(rng: Random, facts: Facts, setting: Setting) -> None:
    if facts.get("bids"):
        rng.choice(facts["bids"])["bid"] = rng.choice(["pass", *range(10)])


def more_calls(rng: Random, facts: Facts, setting: Setting) -> None:
    if "bids" in facts:
        facts["bids"].append({"seat": rng.randint(1, setting.players), "bid": rng.choice(["pass", *range(10)])})


def fewer_calls(rng: Random, facts: Facts, setting: Setting) -> None:
    if facts.get("bids"):
        del facts["bids"][rng.randrange(len(facts["bids"]))]


MUTATIONS: dict[str, Callable[[Random, Facts, Setting], object]] = {
    mutate.__name__: mutate
    for mutate in (swap_cards, another_card, drop_card, card_twice, drop_leaders, other_bidder, other_bid, other_call,
                   more_calls, fewer_calls)
} | {
    "swap_players": lambda rng, facts, _: rng.shuffle(rng.choice(facts["tricks"])["cards"]),
    "wrong_leader": lambda rng, facts, s: rng.choice(facts["tricks"]).update(lead=rng.randint(1, s.players)),
    "swap_tricks": lambda rng, facts, _: rng.shuffle(facts["tricks"]),
    "drop_trick": lambda rng, facts, _: facts["tricks"].pop(rng.randrange(len(facts["tricks"]))),
    "shuffle_calls": lambda rng, facts, _: rng.shuffle(facts.get("bids", [])),
    "other_trump": lambda rng, facts, _: facts.update(trump=rng.choice("SHDC")),
    "other_dealer": lambda rng, facts, s: facts.update(dealer=rng.randint(1, s.players)),
    "other_partner": lambda rng, facts, s: facts.update(partner=rng.choice([None, *range(1, s.players + 1)])),
    "other_called": lambda rng, facts, s: facts.update(called=rng.choice(reference.all_cards(s.rules))),
    "other_buried": lambda rng, facts, s: facts.update(
        buried=rng.sample(reference.all_cards(s.rules), rng.randint(0, 4))
    ),
}  # fmt: skip


@pytest.mark.parametrize("mutate", MUTATIONS.values(), ids=MUTATIONS)
@given(setting=settings_of(), rng=randoms)
def test_a_mutated_hand_is_refused_or_scored_as_it_now_stands(mutate: Any, setting: Setting, rng: Random) -> None:
    _, facts, _ = dealt_hand(rng, setting)
    facts = copy.deepcopy(plain(setting, facts))
    mutate(rng, facts, setting)
    record = setting.record([facts])
    note(record)
    truth = reference.judge(setting.rules, setting.players, setting.teams, facts)
    try:
        score = score_record(record)
    except Refused as refused:
        note(refused)
        assert truth is None, f"this can be, but: {refused}"
        assert all(problem.at.startswith("hands[0]") and problem.message for problem in refused.problems)
    else:
        assert truth is not None, "this cannot be"
        assert shape(score.hands[0]) == expected(truth)


# --- junk -------------------------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def refuses_or_scores(record: Any) -> None:
    try:
        score_record(record)
    except Refused as refused:
        assert refused.problems
        for problem in refused.problems:
            assert problem.code
            assert problem.message
            assert isinstance(problem.at, str)


@given(data=st.data(), rng=randoms, setting=settings_of())
@examples(400)
def test_a_spoilt_record_is_refused_or_scored_never_anything_else(
    data: st.DataObject, rng: Random, setting: Setting
) -> None:
    hand, facts, truth = dealt_hand(rng, setting)
    level = rng.choice(list(deals.records(rng, hand, truth).values()))
    rules: Any = setting.rules if rng.random() < 0.3 else setting.rules_id
    record = setting.record([level, facts], names=[f"P{seat}" for seat in hand.hands], played="2026-11-21")
    record = copy.deepcopy(record | {"rules": rules, "options": {} if rules is setting.rules else setting.options})
    for _ in range(rng.randint(1, 4)):
        spoil(rng, record, data.draw(st.sampled_from(JUNK) | json_values))
    note(record)
    refuses_or_scores(record)


@given(record=json_values)
def test_anything_at_all_is_refused(record: Any) -> None:
    with pytest.raises(Refused) as refused:
        score_record(record)
    assert refused.value.problems


@given(hands=json_values, rules=json_values | st.sampled_from(RULE_SETS), options=json_values)
def test_anything_in_a_game_is_refused_or_scored(hands: Any, rules: Any, options: Any) -> None:
    refuses_or_scores({"format": "setback-game/1", "rules": rules, "options": options, "hands": hands})

"""Tricks with unknown cards: results that do not depend on them are scored, all others are asked for, never guessed."""

import copy
from random import Random
from typing import Any

import pytest
from hypothesis import given, note

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import FORMAT, WITH_UNKNOWN, read_game, score_record, write_game
from scorekeeper.scoring.rules import find_rules
from tests.conftest import examples
from tests.scoring.deals import asks_for_one_alone
from tests.scoring.records import record, refusals, tricks
from tests.scoring.test_properties import Setting, dealt_hand, randoms, settings_of

# --- random rules and hands -----------------------------------------------------------------------------------------


def forget(rng: Random, facts: dict[str, Any], count: int) -> dict[str, Any]:
    """The hand with some of its played cards unknown."""
    facts = copy.deepcopy(facts)
    places = [(trick, place) for trick in facts["tricks"] for place in range(len(trick["cards"]))]
    for trick, place in rng.sample(places, min(count, len(places))):
        trick["cards"][place] = "x"
    for trick in facts["tricks"]:
        if rng.random() < 0.2:
            trick.pop("lead")
    return facts


@given(setting=settings_of(), rng=randoms)
@examples(80)
def test_forgotten_cards_never_change_a_result(setting: Setting, rng: Random) -> None:
    """The score is the same or `not-known`; and the same once all questions are answered."""
    deal, facts, truth = dealt_hand(rng, setting)
    game = setting.record([forget(rng, facts, rng.choice((1, 2, 4, 99)))]) | {"format": WITH_UNKNOWN}
    note(game)
    for _ in range(20):
        try:
            score = score_record(game).hands[0]
            break
        except Refused as refused:
            assert {problem.code for problem in refused.problems} == {"not-known"}
            for problem in refused.problems:
                say(game["hands"][0], problem.at.removeprefix("hands[0]."), deal, truth)
    if score.assumed:  # the players of cards that may have been captured are given
        played = {key: deal.side_of(player) for key, player in players_of(deal, score.assumed, truth).items()}
        game["hands"][0]["played_by"] = played
        score = score_record(game).hands[0]
    assert (score.earned, score.made, score.change) == (truth["earned"], truth["made"], truth["change"])
    assert {key: point.side for key, point in score.points.items()} == {k: p[0] for k, p in truth["points"].items()}
    assert read_game(write_game(read_game(game))) == read_game(game)


def players_of(deal: Any, keys: Any, truth: dict[str, Any]) -> dict[str, int]:
    """The seats that played the cards of some points."""
    seats = {card: seat for trick in deal.tricks for seat, card in trick}
    return {key: seats[truth["points"][key][1]] for key in keys}


def say(facts: dict[str, Any], at: str, deal: Any, truth: dict[str, Any]) -> None:
    """Add the fact asked for by a problem at the place `at`."""
    where, _, what = at.rpartition(".")
    if what == "lead":
        index = int(where.removeprefix("tricks[").removesuffix("]"))
        assert "lead" not in facts["tricks"][index]
        facts["tricks"][index]["lead"] = deal.tricks[index][0][0]
    elif where == "claims":
        assert what not in facts.get("claims", {})
        facts.setdefault("claims", {})[what] = truth["points"][what][0]
    elif at == "sweep" and truth["sweep"] is None:
        lost = [index for index, seat in enumerate(deal.winners) if deal.side_of(seat) != deal.side_of(deal.bidder)]
        facts["tricks"][lost[0]]["won"] = deal.winners[lost[0]]
    elif at == "sweep":
        facts[at] = deal.winners[0] if len(set(deal.winners)) == 1 else truth["sweep"]
        for trick, winner in zip(facts["tricks"], deal.winners, strict=True):
            if asks_for_one_alone(deal) and "x" in trick["cards"]:
                trick["won"] = winner
    else:
        assert at == "partner"
        facts[at] = deal.partner


# --- single hands ---------------------------------------------------------------------------------------------------

# Seat 1 wins every trick. High is the AH, Low the 2H, the JH was not dealt; A has all 66 card points.
PLAY = ["1: AH 2H 4H 6H", "1: KH 3H 5H TS", "1: QH JS JD 8C", "1: AC QS QD 9C", "1: KC KS KD TC", "1: QC AS AD TD"]


def game(*lines: str, rules: str = "classic", **facts: Any) -> dict[str, Any]:
    """A game of one hand: PLAY with some tricks replaced; each line is a trick's number and the trick."""
    play = list(PLAY)
    for line in lines:
        number, _, trick = line.partition(" ")
        play[int(number) - 1] = trick
    hand = {"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "tricks": tricks(*play)} | facts
    return record(rules, hand) | {"format": WITH_UNKNOWN}


def points(told: dict[str, Any]) -> dict[str, str]:
    return {key: point.side or point.why for key, point in score_record(told).hands[0].points.items()}


ALL = {"high": "A", "low": "A", "jack": "not dealt", "game": "A"}


@pytest.mark.parametrize(
    ("trick", "settled"),
    [
        pytest.param("4 1: AC x QD 9C", True, id="no heart, for the jack would have won this trick"),
        pytest.param("3 1: QH x JD 8C", False, id="the jack may have been under the queen"),
        pytest.param("1 1: AH x 4H 6H", False, id="it may have been the two, or it was not dealt"),
        pytest.param("6 1: QC AS x TD", False, id="the jack may have won the last trick"),
    ],
)
def test_a_forgotten_card(trick: str, settled: bool) -> None:
    told = game(trick)
    if settled:
        assert points(told) == ALL
    else:
        found = refusals(told)
        assert found[-1] == ("hands[0].claims.jack", "the known cards do not tell who has jack: say it in claims")
        assert points(game(trick, claims={"jack": None})) == ALL


def test_the_highest_is_of_the_side_that_has_all_it_can_be() -> None:
    """The first lead is unknown: High is the AH or, if that was not dealt, the KH, and A has both."""
    scored = score_record(game("1 1: x 2H 4H 6H", claims={"jack": None})).hands[0]
    assert scored.points["high"] == ("A", None, None, False)
    assert points(game("1 1: x 2H 4H 6H", claims={"jack": "A"}))["jack"] == "A"


def test_the_first_lead_is_of_the_suit_that_it_made_trump() -> None:
    """No one played the other jack, and it was not the first lead, which would make diamonds trump."""
    points_of_four = [*find_rules("classic").to_dict()["points"], {"key": "left", "card": "L"}]
    options = {"points": points_of_four, "trump.order": "A K Q J L T 9 8 7 6 5 4 3 2"}
    told = game("1 1: x 2H 4H 6H", "3 1: QH JS 7C 8C", claims={"jack": None}) | {"options": options}
    assert points(told)["left"] == "not dealt"


def test_where_every_card_is_dealt_a_forgotten_one_was_somebodys() -> None:
    """13 cards each: clubs, diamonds, hearts and spades are in the hands of seats 1, 2, 3 and 4.

    Clubs are trump, so seat 1 leads and wins every trick. Its King and its Jack are unknown.
    """
    play = [f"1: {rank}C {rank}D {rank}H {rank}S" for rank in "AKQJT98765432"]
    told = game(rules="classic", trump="C", tricks=tricks(*play)) | {"options": {"deck.hand": 13}}
    everything = dict.fromkeys(("high", "low", "jack", "game"), "A")
    assert points(told) == everything
    for trick in (told["hands"][0]["tricks"][number] for number in (1, 3)):
        trick["cards"][0] = "x"
    assert points(told) == everything


X = "4 1: AC x QD 9C"


@pytest.mark.parametrize(
    ("lines", "facts", "at", "text"),
    [
        ([X], {"claims": {"high": "B"}}, "claims.high", "B cannot have high, by the cards that are known"),
        ([X], {"claims": {"low": None}}, "claims.low", "nobody cannot have low, by the cards that are known"),
        ([X], {"claims": {"ace": "A"}}, "claims.ace", "these rules have no point called ace"),
        ([X], {"claims": {"jack": "C"}}, "claims.jack", "there is no side C here"),
        ([X], {"trump": "S"}, "trump", "the first lead is AH, and its suit is trump"),
        ([X], {"piles": {"A": ["AH"]}}, "piles", ""),
        ([X], {"low_by": "A"}, "low_by", ""),
        ([X], {"tricks_won": {}}, "tricks_won", ""),
        ([X], {"buried": ["9H"]}, "buried", ""),
        ([X], {"played_by": {"high": "A"}}, "played_by", "played_by goes with piles only"),
        (["1 1: x 2H 4H 6H", "2 1: KH 3H 5H TS", "3 1: QH JS JD 9H"], {}, "tricks[1].cards[3]",
         "seat 4 did not follow when hearts were led, and still had 9H"),
        (["2 2: KH 3H 5H TS", X], {}, "tricks[1].lead", "seat 1 leads this trick, not seat 2"),
        (["6 1: QC x TD"], {}, "tricks[5].cards", ""),
        (["6 1: QC AS x TS"], {}, "tricks[5].cards[3]", ""),
    ],
)  # fmt: skip
def test_what_does_not_go_with_unknown_cards(lines: list[str], facts: dict[str, Any], at: str, text: str) -> None:
    [(place, said), *more] = refusals(game(*lines, **facts))

    assert (place, said.startswith(text), more) == (f"hands[0].{at}", True, [])


def test_game_is_settled_before_the_last_trick_is() -> None:
    """Either side may have the last trick with its 18 card points and a 10: A has 48 without it."""
    told = game("6 1: x AS AD TD", claims={"jack": None})
    assert points(told) == ALL
    assert score_record(told).hands[0].counts is None
    told["hands"][0]["tricks"][-1]["won"] = 1
    assert points(told) == ALL


def test_a_trick_cannot_be_won_by_a_card_that_was_beaten() -> None:
    told = game("1 1: AH x 4H 6H")
    told["hands"][0]["tricks"][0]["won"] = 3
    assert refusals(told) == [("hands[0].tricks[0].won", "seat 3 cannot have won this trick")]
    told = game("4 1: AC x QD 9C", "5 3: x TC KC KS")
    assert refusals(told) == [("hands[0].tricks[3].won", "seat 3 cannot have won this trick")]


def test_nobody_can_tell_who_led() -> None:
    told = game("2 1: x x x TS", "3 1: QH JS JD 8C")
    for number in (1, 2):
        del told["hands"][0]["tricks"][number]["lead"]
    assert refusals(told) == [("hands[0].tricks[2].lead", "nobody can tell who led this trick: give its lead")]


def test_a_trick_of_which_nothing_is_known_and_who_won_it() -> None:
    told = game("2 1: x x x x", "3 1: x x x x", claims={"high": "A", "low": "A", "jack": None, "game": "A"})
    for number in (1, 2):
        del told["hands"][0]["tricks"][number]["lead"]
    assert points(told) == ALL
    told["hands"][0]["tricks"][2]["won"] = 1
    assert points(told) == ALL


# --- card points ----------------------------------------------------------------------------------------------------

# A wins three tricks with 26 card points, B the fourth with 8; the last two are unknown.
OPEN = ["4 1: AC QS QD 9C", "5 1: x x x x", "6 1: x x x x"]
SAID = {"high": "A", "low": "A", "jack": None}


def open_game(**facts: Any) -> dict[str, Any]:
    told = game(*OPEN, **facts)
    del told["hands"][0]["tricks"][5]["lead"]
    return told


def test_counts_say_who_has_game() -> None:
    assert refusals(open_game(claims=SAID)) == [
        ("hands[0].claims.game", "the known cards do not tell who has game: say it in claims")
    ]
    counted = score_record(open_game(claims=SAID, game_counts={"A": 40, "B": 37})).hands[0]
    assert (counted.points["game"].side, counted.counts) == ("A", {"A": 40, "B": 37})
    tied = open_game(claims=SAID, game_counts={"A": 38, "B": 38})
    assert score_record(tied).hands[0].points["game"].why == "tied"
    to_bidder = tied | {"options": {"game.tie": "bidder"}}
    assert score_record(to_bidder).hands[0].points["game"].side == "A"


def test_counts_that_the_known_cards_contradict_are_refused() -> None:
    """A took AH 4, KH TS 13, QH JS JD 4, AC QS QD 8: at least 29."""
    found = refusals(open_game(claims=SAID, game_counts={"A": 28, "B": 37}))
    assert found[0][0] == "hands[0].game_counts.A"
    assert found[0][1].startswith("by the known cards A has 29 to ")


def test_nobody_has_reached_what_game_needs() -> None:
    told = game("1 1: AH 2H 4H x", claims={"jack": None}) | {"options": {"game.award": "at-least", "game.at_least": 90}}
    assert score_record(told).hands[0].points["game"].why == "below threshold"
    open_at = open_game(claims=SAID) | {"options": {"game.award": "at-least", "game.at_least": 60}}
    assert refusals(open_at)[0][0] == "hands[0].claims.game"
    told = open_game(claims=SAID) | {"options": {"game.award": "at-least", "game.at_least": 90}}
    assert score_record(told).hands[0].points["game"].why == "below threshold"


# --- every trick ----------------------------------------------------------------------------------------------------


def test_a_smudge_needs_to_know_who_won_every_trick() -> None:
    """Partnership: the last trick is unknown."""
    smudge = {"rules": "partnership", "bid": "smudge", "claims": {"jack": "A", "game": "A"}}
    told = game("3 1: QH x JD 8C", "6 1: x x x x", **smudge)
    assert refusals(told) == [("hands[0].sweep", "the known cards do not tell who won every trick: say it in sweep")]
    swept = game("3 1: QH x JD 8C", "6 1: x x x x", sweep="A", **smudge)
    assert score_record(swept).hands[0].made
    others = game("3 1: QH x JD 8C", "6 1: x x x x", sweep="B", **smudge)
    assert refusals(others)[0] == ("hands[0].sweep", "B cannot have won every trick: A won one")


# --- known undealt cards ----------------------------------------------------------------------------------------------


def test_one_card_that_is_missing_is_the_one_that_is_missing() -> None:
    """West Michigan, four players: all 30 cards are known except one, which was played."""
    play = tricks(
        "1: AH TH 9H 2H", "1: KH QH JD XB", "1: JH XR AC AS", "1: KC QC JC TC", "1: 9C 2C KS QS", "1: JS TS 9S 2S"
    )
    hand = {"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "tricks": play}
    hand["buried"] = ["AD", "KD", "QD", "TD", "9D", "2D"]
    known = score_record(record("west-michigan-4", hand) | {"format": WITH_UNKNOWN})
    for trick in play:
        for place, card in enumerate(trick["cards"]):
            trick["cards"][place] = "x"
            assert score_record(record("west-michigan-4", hand) | {"format": WITH_UNKNOWN}) == known, card
            trick["cards"][place] = card


# --- trumps only ------------------------------------------------------------------------------------------------------


def short(*lines: str, **facts: Any) -> dict[str, Any]:
    """Ten-point pitch: each line has the seats that played a trick, then its cards."""
    play = []
    for line in lines:
        seats, _, cards = line.partition(": ")
        play.append({"seats": [int(seat) for seat in seats], "cards": cards.split()})
    hand = {"dealer": 4, "bidder": 1, "bid": 5, "trump": "H", "tricks": play}
    return record("ten-point", hand | facts) | {"format": WITH_UNKNOWN}


def test_whoever_was_out_plays_no_more() -> None:
    told = short("123: AH x 3H", "14: KH QH")
    assert refusals(told) == [("hands[0].tricks[1].seats", "seat 4 was out of the hand, and cannot play again")]
    told = short("123: AH x 3S", "13: KH QH")
    assert refusals(told) == [("hands[0].tricks[0].cards[2]", "3S is not trump, and only trumps are played")]


def test_no_more_trumps_are_unknown_than_there_are() -> None:
    """16 trumps: 13 hearts, the other jack and two jokers."""
    told = short(*["1234: x x x x"] * 5)
    assert refusals(told) == [("hands[0].tricks", "only 16 cards are left that can be unknown, not 20")]


def test_a_trump_that_nobody_remembers() -> None:
    """The AH wins whatever the x was; the next leader is not asked for, as the winner may be out of the hand."""
    said = dict.fromkeys(("right_jack", "left_jack", "right_joker", "left_joker", "low", "game", "ten"))
    told = short("123: AH x 3H", "13: KH QH")
    asked = {at.removeprefix("hands[0].claims.") for at, _ in refusals(told)}
    keys = {point.key for point in find_rules("ten-point").points}
    assert asked <= keys
    assert asked
    told["hands"][0]["claims"] = {key: said.get(key) for key in asked}
    scored = score_record(told).hands[0]
    assert scored.earned["B"] == 0
    assert all(scored.points[key].side is None for key in asked)


def test_the_same_play_is_refused_where_every_card_is_known() -> None:
    first = "hands[0].tricks[1]"
    out = [(f"{first}.seats", "seat 4 was out of the hand, and cannot play again")]
    assert refusals(short("123: AH KH 3H", "14: QH JH") | {"format": FORMAT}) == out
    leads = [(f"{first}.lead", "seat 2 leads this trick, not seat 3")]
    assert refusals(short("123: AH KH 3H", "32: QH JH") | {"format": FORMAT}) == leads
    plain = [("hands[0].tricks[0].cards[2]", "3S is not trump, and only trumps are played")]
    assert refusals(short("123: AH KH 3S", "13: QH JH") | {"format": FORMAT}) == plain


# --- tricks that score ------------------------------------------------------------------------------------------------

TRICK_POINTS = [{"key": "first", "card": "first-trick"}, {"key": "last", "card": "last-trick"}]


def test_tricks_that_score_are_whose_is_known_to_have_won_them() -> None:
    """The AH wins the first trick; the winner of the last one must be given."""
    rules = {"options": {"points": TRICK_POINTS}}
    told = game("1 1: AH x 4H 6H", "6 1: x AS AD TD") | rules
    assert refusals(told)[-1][0] == "hands[0].claims.last"
    told["hands"][0]["claims"] = {"last": "B"}
    assert points(told) == {"first": "A", "last": "B"}


def test_two_points_on_one_forgotten_card_go_together() -> None:
    """The first lead may be the AH, or the AH was not dealt: the claims give it to A and to no side."""
    both = [{"key": "ace", "card": "A"}, {"key": "high", "card": "A"}]
    told = game("1 1: x 2H 4H 6H", claims={"ace": "A", "high": None}) | {"options": {"points": both}}
    text = "AH is both ace and high, so one side has both"
    assert refusals(told) == [("hands[0].claims.high", text)]
    told["hands"][0]["claims"]["low"] = "A"
    assert [at for at, _ in refusals(told)] == ["hands[0].claims.low"]


@pytest.mark.parametrize(
    ("last", "sweep", "made"),
    [
        ("1: x AS AD TD", 1, True),
        ("1: x AS AD TD", "A", True),
        ("1: x AS AD TD", 3, False),  # seat 3 cannot have won the tricks of seat 1
        ("1: QC AS AD TD", "A", True),
    ],
)
def test_every_trick_alone_is_by_the_seat_that_is_said(last: str, sweep: str | int, made: bool) -> None:
    """Seat 1 wins every known trick, and may have lost the last one to the other diamonds."""
    lone = {"options": {"auction.specials": [{"name": "alone", "bid": 7, "needs": ["every-trick-alone"]}]}}
    told = game(f"6 {last}", "4 1: AC x QD 9C", bid="alone", sweep=sweep, claims={"jack": None}) | lone
    assert score_record(told).hands[0].made is made


def test_game_that_nobody_has_is_below_the_least_where_there_is_one() -> None:
    """As with claims only: no side has it, and no tie is broken."""
    least = {"options": {"game.award": "at-least", "game.tie": "eldest"}}
    told = game("6 1: x x x x", "5 1: x x x x", claims={"jack": None, "game": None}) | least
    assert points(told)["game"] == "below threshold"


# Trinidad All Fours: B leads and A wins every trick; the Jack is worth 3 to A if B had it.
HUNG = ["2: 5H AH 2H 6H", "3: KH x 3H 8C", "3: QH TS 9C JD", "3: AC QS QD 7C", "3: KC KS KD TC", "3: QC AS AD TD"]


@pytest.mark.parametrize(
    ("second", "more", "jack"),
    [
        ("3: KH x 3H 8C", {"played_by": {"jack": "B"}}, 3),
        ("3: KH x 3H 8C", {}, 3),  # only seat 4 can have had it: the others' cards are known
        ("3: KH 4H x x", {"played_by": {"jack": 2}}, 3),
        ("3: KH 4H x x", {"played_by": {"jack": 1}}, 1),
        ("3: KH 4H x x", {}, 1),  # unknown: counted as if its own side had it
    ],
)
def test_a_hung_jack_that_nobody_remembers(second: str, more: dict[str, Any], jack: int) -> None:
    play = tricks(HUNG[0], second, *HUNG[2:])
    hand = {"dealer": 1, "trump": "H", "tricks": play, "claims": {"jack": "A"}, **more}
    scored = score_record(record("trinidad-all-fours", hand) | {"format": WITH_UNKNOWN}).hands[0]
    assert scored.earned == {"A": 2 + jack, "B": 1}  # High, Game and the Jack; B was dealt Low
    assert scored.points["jack"].captured == (jack == 3)
    assert scored.assumed == (("jack",) if second == "3: KH 4H x x" and not more else ())


@pytest.mark.parametrize(
    ("more", "at", "text"),
    [
        ({"played_by": {"jack": "A"}}, "played_by.jack",
         "A cannot have played the card of jack, by the cards that are known"),
        ({"played_by": {"low": "A"}}, "played_by.low",
         "low is worth the same whoever played it, so leave that out beside claims"),
        ({"played_by": {"joker": "A"}}, "played_by.joker", "these rules have no point called joker"),
        ({"played_by": {"jack": "B"}, "claims": {"jack": None}}, "played_by.jack",
         "nobody has jack, so leave out who played it"),
        ({"low_by": "A"}, "low_by", "low_by goes with piles only"),
    ],
)  # fmt: skip
def test_who_played_a_forgotten_card_is_said_where_it_matters(more: dict[str, Any], at: str, text: str) -> None:
    hand = {"dealer": 1, "trump": "H", "tricks": tricks(*HUNG), "claims": {"jack": "A"}, **more}
    told = record("trinidad-all-fours", hand) | {"format": WITH_UNKNOWN}
    assert refusals(told) == [(f"hands[0].{at}", text)]


def test_who_held_a_called_card_that_nobody_remembers_has_to_be_said() -> None:
    """QS is the unknown card of the fourth trick, or was not dealt."""
    called = {"options": {"table.sides": "called-partner", "table.players": [4]}}
    text = "the known cards do not tell who held QS: give the partner, a seat or null"
    assert refusals(game("4 1: AC x QD 9C", called="QS") | called) == [("hands[0].partner", text)]
    for partner, change in ((2, {"1": 3, "2": 3, "3": 0, "4": 0}), (None, {"1": 3, "2": 0, "3": 0, "4": 0})):
        told = game("4 1: AC x QD 9C", called="QS", partner=partner) | called
        assert score_record(told).hands[0].change == change


# --- formats of records ---------------------------------------------------------------------------------------------


def test_records_of_the_first_version_have_no_unknown_cards() -> None:
    text = "x is not a card: unknown cards are possible in records of setback-game/1.1 only"
    assert refusals(game("4 1: AC x QD 9C") | {"format": FORMAT}) == [("hands[0].tricks", text)]
    known = game() | {"format": FORMAT}
    assert score_record(known) == score_record(game())
    assert write_game(read_game(game()))["format"] == FORMAT
    assert write_game(read_game(game("4 1: AC x QD 9C")))["format"] == WITH_UNKNOWN


def test_who_won_is_not_said_twice() -> None:
    told = game()
    told["hands"][0]["tricks"][0]["won"] = 1
    text = "won follows from the cards, so a record does not hold it"
    assert refusals(told) == [("hands[0].tricks[0].won", text)]


def test_unknown_cards_are_for_tricks_alone() -> None:
    hand = {"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "piles": {"A": ["AH", "x"]}}
    assert refusals(record("classic", hand) | {"format": WITH_UNKNOWN}) == [("hands[0].piles.A[1]", "x is not a card")]
    assert refusals(game("4 1: AC x QD 9C", called="x"))[0] == ("hands[0].called", "x is not a card")
    assert refusals(game("6 1: QC AS x ZZ"))[0] == ("hands[0].tricks[5].cards[3]", "ZZ is not a card")

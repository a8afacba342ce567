"""Rare cases of the newer rules: odd numbers of tricks, a trick that scores nothing, a bid too low."""

from typing import Any

import pytest

from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.hand import Contract, check_hand, score_allows, score_hand
from scorekeeper.scoring.play import legal_cards
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import score_record
from scorekeeper.scoring.rules import RuleSet, find_rules
from scorekeeper.scoring.table import Table
from tests.scoring.records import grouped

CLASSIC = find_rules("classic")
LAST_TRICK = RuleSet.from_dict(
    CLASSIC.to_dict() | {"points": [*CLASSIC.to_dict()["points"], {"key": "last", "card": "last-trick"}]}
)
PILES = {"A": ("AH", "2H"), "B": ("KH", "JH")}


def codes(rules: RuleSet, **facts: Any) -> list[str]:
    hand = Hand(dealer=4, bidder=1, bid=2, trump="H", **facts)
    return [problem.code for problem in check_hand(Table(rules), hand)]


def test_a_trick_that_scores_nothing_is_nobodys_to_have_won_nor_one_that_does_a_strangers() -> None:
    assert "no-such-point" in codes(CLASSIC, piles=PILES, tricks_won={"last": "A"})
    assert codes(LAST_TRICK, piles=PILES, tricks_won={"last": "Z"}) != []


def test_with_piles_somebody_says_who_won_the_trick_that_scores() -> None:
    won = grouped("A: AH 2H 4H 6H KH 3H 5H TS QH JS JD 8C AC QS QD 9C QC AS AD TD; B: KC KS KD TC")
    for side in "AB":
        facts = {"piles": {name: tuple(cards) for name, cards in won.items()}, "tricks_won": {"last": side}}
        score = score_hand(Table(LAST_TRICK), Hand(dealer=4, bidder=1, bid=2, trump="H", **facts))
        assert score.points["last"].side == side


def test_with_follow_suit_a_trump_is_only_for_who_is_void() -> None:
    hearts = Table(CLASSIC.override({"play.follow": "follow"})).trumps["H"]
    assert legal_cards(["KC", "2D", "3H"], "AC", hearts) == ["KC"]
    assert legal_cards(["2D", "3H"], "AC", hearts) == ["2D", "3H"]
    assert legal_cards(["2D", "3H"], None, hearts) == ["2D", "3H"]  # 004: any card may be played first on a trick


SUIT_ENDS = [
    {"key": "high", "card": "highest"},
    {"key": "high_spade", "card": "highest-S"},
    {"key": "low_club", "card": "lowest-C", "owner": "holder"},
]


def of_suits(base: str = "classic", **options: Any) -> RuleSet:
    return find_rules(base).override({"points": SUIT_ENDS, **{key.replace("__", "."): v for key, v in options.items()}})


def test_the_left_jack_is_no_card_of_its_own_suit_and_a_joker_of_none() -> None:
    trumps = Table(of_suits("west-michigan-6", points=[*SUIT_ENDS, {"key": "low_spade", "card": "lowest-S"}])).trumps
    assert trumps["C"].ends["high_spade"] == ("AS", "KS", "QS", "TS", "9S", "8S", "7S", "2S")
    assert trumps["C"].ends["low_club"] == ("2C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC")
    assert trumps["H"].ends["high_spade"] == ("AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S", "2S")
    assert trumps["S"].ends["high_spade"] == ("AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S", "2S")
    assert trumps["S"].ends["low_spade"] == ("2S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS")


def test_where_only_trumps_are_played_the_highest_spade_is_somebodys_under_spades_alone() -> None:
    rules = of_suits("west-michigan-6", play__follow="trumps-only")
    hearts, spades = (Table(rules).trumps[suit].ends["high_spade"] for suit in "HS")
    assert (hearts, spades[:2]) == ((), ("AS", "KS"))
    buried = ("9C", "2D")
    score = score_hand(Table(rules), Hand(dealer=4, bidder=1, bid=2, trump="H", buried=buried, claims={"high": "A"}))
    assert score.points["high_spade"][:3] == (None, None, "buried")
    said = [("claims.high_spade", "every spade is buried, so nobody has high_spade")]
    assert (
        refused(rules, trump="H", buried=buried, claims={"high": "A", "high_spade": "A", "low_club": "A"})[:1] == said
    )


def test_a_suit_of_which_every_card_is_trump_elsewhere_has_no_end() -> None:
    rules = of_suits(deck__ranks="J", deck__hand=1, trump__order="J L")
    assert Table(rules).trumps["C"].point_cards(["JD"]) == {"high": "JC", "high_spade": None, "low_club": "JC"}


def refused(rules: RuleSet, **facts: Any) -> list[tuple[str, str]]:
    hand = Hand(dealer=4, bidder=1, bid=2, **{"trump": "S"} | facts)
    return [(problem.at, problem.message) for problem in check_hand(Table(rules), hand)]


def test_where_the_suit_is_trump_one_card_is_both_points_and_one_side_has_both() -> None:
    """But not with a joker above it."""
    both = [("claims.high_spade", "one card is both high and high_spade, so one side has both")]
    jokers = of_suits("west-michigan-6", trump__order="XR XB A K Q J L T 9 8 7 2")
    assert refused(of_suits(), claims={"high": "A", "high_spade": "B"}) == both
    assert refused(of_suits(), claims={"high": "A"}) == both
    assert refused(of_suits(), claims={"high": "A", "high_spade": "A", "low_club": "B"}) == []
    assert refused(of_suits(), trump="H", claims={"high": "A", "high_spade": "B"}) == []
    assert refused(jokers, claims={"high": "A", "high_spade": "B"}) == []


def test_the_highest_spade_of_a_side_whose_spades_are_all_buried_is_nobodys() -> None:
    rules = of_suits(deck__ranks="AKQJ", deck__hand=3, deck__undealt="buried", trump__order="A K Q J")
    spades = ("AS", "KS", "QS", "JS")
    said = [("claims.high_spade", "every spade is buried, so nobody has high_spade")]
    assert refused(rules, trump="H", buried=spades, claims={"high": "A", "high_spade": "B", "low_club": "A"}) == said
    assert refused(rules, trump="H", buried=spades, claims={"high": "A", "low_club": "A"}) == []
    score = score_hand(
        Table(rules), Hand(dealer=4, bidder=1, bid=2, trump="H", buried=(*spades[:3], "AC"), claims={"high": "A"})
    )
    assert score.points["high_spade"][:3] == (None, "JS", "not captured")


def test_who_played_the_highest_spade_is_said_only_of_one_in_the_piles() -> None:
    said = ("played_by.high_spade", "there is no spade in the piles, so leave out who played it")
    assert refused(of_suits(), trump="H", piles=PILES, played_by={"high_spade": "A"}) == [said]


def test_low_by_and_high_by_are_about_trump() -> None:
    points = [
        {"key": "club", "card": "lowest-C", "owner": "holder"},
        {"key": "least", "card": "lowest", "owner": "holder"},
    ]
    rules = find_rules("classic").override({"points": points})
    hand = Hand(dealer=4, bidder=1, bid=2, trump="H", piles={"A": ("AH", "2H", "9C"), "B": ()}, low_by="B")
    found = score_hand(Table(rules), hand).points
    assert {key: point.side for key, point in found.items()} == {"club": "A", "least": "B"}


@pytest.mark.parametrize(
    ("rules", "facts", "text"),
    [
        ("classic", {"tricks": [{"cards": ["AH"], "seats": []}]}, "must be a list of seats"),
        ("classic", {"piles": {}, "tricks_won": []}, "tricks_won must give"),
        ("classic", {"tricks": [{"lead": 1, "cards": ["AH", "2H", "3H", "4H"], "seats": [1, 3, 2, 4]}]},
         "everybody plays to every trick"),
        ("ten-point", {"tricks": [{"cards": []}]}, "1 to 4 cards"),
        ("ten-point", {"tricks": [{"cards": ["AH"]}]}, "say who played"),
        ("ten-point", {"tricks": [{"cards": ["AH", "KH"], "seats": [1]}]}, "one seat for each card"),
        ("ten-point", {"tricks": [{"cards": ["AH", "KH"], "seats": [1, 1]}]}, "say who played|one seat for each card"),
    ],
)  # fmt: skip
def test_who_played_and_who_won_are_lists_and_objects_of_those_there_are(
    rules: str, facts: dict[str, Any], text: str
) -> None:
    hand = {"dealer": 4, "bidder": 1, "bid": 4, "trump": "H"} | facts
    with pytest.raises(Refused, match=text):
        score_record({"format": "setback-game/1", "rules": rules, "hands": [hand]})


def test_every_number_of_players_has_enough_cards_to_play_with() -> None:
    """Four can be dealt 10 and draw up to 13, which is the whole deck; six with 14 are refused, with one problem."""
    few = {"table.players": [4], "deck.deal": 10, "deck.hand": 13}
    assert CLASSIC.override(few).deck.hand == 13
    with pytest.raises(Refused, match="cannot all play with 14 cards"):
        CLASSIC.override(few | {"deck.hand": 14})
    both = {"table.players": [4, 6], "table.teams": [2], "deck.hand": 14}
    with pytest.raises(Refused) as refused:
        CLASSIC.override(both)
    assert [problem.at for problem in refused.value.problems] == ["deck.hand"]


def test_whoever_bids_asks_whether_the_scores_allow_it() -> None:
    moon = {"name": "moon", "bid": 5, "least_score": 0}
    table = Table(CLASSIC.override({"auction.specials": [moon]}))
    assert [score_allows(table, 4, Contract(1, 5), {"A": score, "B": 0}) for score in (-1, 0)] == [False, True]
    assert score_allows(table, 4, Contract(1, 4), {"A": -1, "B": 0})
    with pytest.raises(Refused, match="a bid of moon takes 0 or more"):
        score_hand(table, Hand(dealer=4, bidder=1, bid=5, trump="H", claims={}), before={"A": -1, "B": 0})


def test_a_hand_by_itself_does_not_know_whether_the_scores_allow_its_bid() -> None:
    """A moon needs a score of 5: the hand is valid as long as the scores before it are not known."""
    moon = {"name": "moon", "bid": 5, "least_score": 5}
    table = Table(CLASSIC.override({"auction.specials": [moon]}))
    hand = Hand(dealer=4, bidder=1, bid=5, trump="H", claims={})
    assert check_hand(table, hand) == ()
    assert score_hand(table, hand).totals == {"A": -5, "B": 0}
    assert score_hand(table, hand, before={"A": 5, "B": 0}).totals == {"A": 0, "B": 0}
    with pytest.raises(Refused, match="a bid of moon takes 5 or more, and seat 1 has 4"):
        score_hand(table, hand, before={"A": 4, "B": 9})


@pytest.mark.parametrize(("before", "made", "failed"), [(4, 7, -11), (-3, 3, -11)])
def test_a_special_bid_can_be_worth_the_whole_way_to_the_target(before: int, made: int, failed: int) -> None:
    """Made, it scores up to the target from zero or more, else up to zero; failed, it costs the target, eleven."""
    moon = {"name": "moon", "bid": 5, "needs": ["every-point"], "made": "target", "failed": "target"}
    table = Table(CLASSIC.override({"auction.specials": [moon]}))
    every = {"high": "A", "low": "A", "jack": "A", "game": "A"}
    for claims, change in ((every, made), (every | {"low": "B"}, failed)):
        hand = Hand(dealer=4, bidder=1, bid=5, trump="H", claims=claims)
        assert score_hand(table, hand, before={"A": before, "B": 0}).change["A"] == change


# --- a tied Game ------------------------------------------------------------------------------------------------------

TIED = {"A": 40, "B": 40}


@pytest.mark.parametrize(
    ("tie", "claimed", "said"),
    [
        ("bidder", {}, "A"),
        ("dealer", {}, "B"),
        ("bidder", {"game": 1}, "A"),
        ("bidder", {"game": None}, "A"),
        ("nobody", {}, None),
    ],
)
def test_tied_card_points_give_game_to_whom_the_rules_say(tie: str, claimed: dict[str, Any], said: str | None) -> None:
    rules = CLASSIC.override({"game.tie": tie})
    hand = Hand(dealer=4, bidder=1, bid=2, trump="H", claims={"high": "A", **claimed}, game_counts=TIED)
    assert score_hand(Table(rules), hand).points["game"].side == said
    if tie == "bidder":
        assert codes(rules, claims={"game": "B"}, game_counts=TIED) == ["game-at-odds"]
        assert codes(rules, claims={"game": "A"}, game_counts=TIED) == []


@pytest.mark.parametrize("tie", ["dealer", "eldest", "bidder"])
def test_of_three_sides_nobody_knows_who_tied_unless_somebody_counted(tie: str) -> None:
    """Seat 3 deals, so 1 is the eldest; 2 bids. The favored side has Game if the counts have it among the tied."""
    favored = {"dealer": "3", "eldest": "1", "bidder": "2"}[tie]
    table = Table(CLASSIC.override({"table.sides": "solo", "table.teams": [], "table.players": [3], "game.tie": tie}))
    told = Hand(dealer=3, bidder=2, bid=2, trump="H", claims={"high": "2", "low": "2"})
    assert score_hand(table, told).points["game"].side is None
    for tied in ("12", "13", "23"):
        counts = {seat: 10 if seat in tied else 4 for seat in "123"}
        score = score_hand(table, told._replace(game_counts=counts))
        assert score.points["game"].side == (favored if favored in tied else None)
        claimed = told._replace(claims={**(told.claims or {}), "game": favored})
        assert score_hand(table, claimed).points["game"].side == favored
    pairs = Table(CLASSIC.override({"game.tie": tie}))
    favored_pair = {"dealer": "A", "eldest": "B", "bidder": "B"}[tie]
    assert score_hand(pairs, told._replace(claims={"high": "B", "low": "B"})).points["game"].side == favored_pair


def test_a_tie_at_nothing_can_be_for_whoever_won_no_trick() -> None:
    """Three cards each, all without card points: a tie at 0, which goes to the eldest, seat 1."""
    few = {"table.sides": "solo", "table.teams": [], "table.players": [2], "deck.hand": 3}
    table = Table(CLASSIC.override(few | {"game.tie": "eldest"}))
    told = Hand(dealer=2, bidder=1, bid=2, trump="H", sweep="2", claims={"high": "2", "low": "2", "game": "1"})
    assert score_hand(table, told).points["game"].side == "1"
    assert [problem.code for problem in check_hand(Table(CLASSIC.override(few)), told)] == ["sweep"]
    every_card_counts = few | {"game.tie": "eldest", "game.values": dict.fromkeys("AKQJT98765432", 1)}
    assert [problem.code for problem in check_hand(Table(CLASSIC.override(every_card_counts)), told)] == ["sweep"]

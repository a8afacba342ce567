"""Simulated hands: legal, consistent at every level of detail, reproducible by seed, and similar to real ones."""

from random import Random

import pytest

from scorekeeper.scoring.record import FORMAT, find_table, score_record
from scorekeeper.scoring.rules import catalogue, find_rules, variations
from scorekeeper.simulator import PlayerStyle, draw_styles, simulate_hand
from scorekeeper.simulator.evaluation import suit_values
from scorekeeper.simulator.hands import DETAILS, Playing, at_least, deal, discards, draw
from tests.scoring.records import DOCUMENTED
from tests.simulator.games import simulate_game


def formats(rules):
    for players in rules.table.players:
        for teams in rules.table.formats(players):
            yield players, teams


PLAIN = [(rules.id, {}, *sizes) for rules in catalogue() for sizes in formats(rules)]
HOUSE = [
    (rules.id, house.options, *next(formats(rules.override(house.options))))
    for rules in map(find_rules, DOCUMENTED)
    for house in variations(rules.id)
]
REAL = [(rules, players, teams) for rules, _, players, teams in PLAIN if rules in DOCUMENTED]
# Rules that no source has: cards drawn from the undealt ones, one joker, jokers with everyone playing alone.
OWN = [
    ("west-michigan-6", {"table.players": [4], "deck.draw": "non-trump"}, 4, 2),
    ("west-michigan-4", {"deck.jokers": 1, "trump.order": "A K Q J L XR T 9 2", "points": [
        {"key": "high", "card": "highest", "owner": "holder"}, {"key": "joker", "card": "XR", "worth": 3},
    ]}, 4, 2),
    ("west-michigan-5", {"auction.rounds": "until-passed", "trump.by": "named", "auction.dealer": "match"}, 5, 0),
    ("classic", {
        "auction.dealer": "outbid", "auction.seller": "eldest", "auction.cap": "seller-short", "table.sides": "solo",
        "auction.all_pass": "eldest-plays", "settle.made": "difference",
    }, 4, 0),
    ("classic", {"auction.pass_cost": 2, "auction.specials": [
        {"name": "moon", "bid": 5, "needs": ["every-point"], "least_score": 0},
    ]}, 4, 2),
    ("partnership", {"deck.draw": "up-to-4-with-ace", "table.sides": "solo", "table.players": [7]}, 7, 0),
]  # fmt: skip


def record_of(rules, options, players, teams, hands):
    return {
        "format": FORMAT, "rules": rules, "options": options, "players": players, "teams": teams, "hands": hands,
    }  # fmt: skip


@pytest.mark.parametrize(("rules", "options", "players", "teams"), PLAIN + HOUSE + OWN)
def test_a_game_is_legal_card_by_card_and_ends(rules, options, players, teams):
    table = find_table(rules, players, teams, options)
    for seed in range(3):
        rng = Random(seed)
        hands = simulate_game(table, rng, draw_styles(rng, players), detail="play", auction=True)
        assert score_record(record_of(rules, options, players, teams, hands)).winners


@pytest.mark.parametrize(
    ("options", "held", "lead"),
    [
        ({"trump.by": "lead"}, ["JD", "2H"], "2H"),  # the other jack of the color would make diamonds trump
        ({"trump.by": "lead"}, ["JD", "XB"], "XB"),
        ({"trump.by": "named"}, ["JD", "AS"], "JD"),
    ],
)
def test_the_first_lead_where_only_trumps_are_played_makes_trump(options, held, lead):
    table = find_table("ten-point", 4, 2, options | {"deck.deal": 2, "deck.hand": 2})
    hands = [[], list(held), ["3H", "4H"], ["KS", "5H"], ["6H", "7H"]]
    styles = (PlayerStyle(),) * 4
    playing = Playing(suit_values(table, "H"), hands, table.sides(1).of_seat, 1, None, styles, Random(1))
    playing.play(1)
    assert playing.tricks[0].cards[0] == lead


@pytest.mark.parametrize(("rules", "options", "players", "teams"), PLAIN + HOUSE)
def test_each_level_of_detail_tells_the_same_hand(rules, options, players, teams):
    table, told = find_table(rules, players, teams, options), {}
    for level in ("play", "piles", "counts", "claims"):
        rng = Random(7)
        hands = simulate_game(table, rng, draw_styles(rng, players), detail=level)
        score = score_record(record_of(rules, options, players, teams, hands))
        told[level] = [hand.change for hand in score.hands], score.winners
    assert told == dict.fromkeys(told, told["play"])


def test_players_without_any_skill_play_legally_too():
    table, fools = find_table("west-michigan-5", 5, 0), (PlayerStyle(1.0, 0.0),) * 5
    for seed in range(10):
        hands = simulate_game(table, Random(seed), fools, detail="play", auction=True)
        assert score_record(record_of("west-michigan-5", {}, 5, 0, hands)).winners


def test_the_same_seed_deals_the_same_hand_and_another_seed_another():
    table = find_table("classic", None, None)
    one, same, other = (
        simulate_hand(table, Random(seed), (PlayerStyle(),) * 4, 2, table.at_zero, detail="play", auction=True)
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other
    assert one["dealer"] == 2


@pytest.mark.parametrize("auction", [True, False])
@pytest.mark.parametrize("detail", DETAILS)
def test_a_hand_says_what_its_level_says_and_no_more(detail, auction):
    table = find_table("west-michigan-6", None, None)
    hand = simulate_hand(table, Random(3), (PlayerStyle(),) * 6, 1, table.at_zero, detail=detail, auction=auction)
    says = {"play": {"tricks"}, "piles": {"piles", "low_by"}, "counts": {"claims", "game_counts"}, "claims": {"claims"}}
    always = {"dealer", "bidder", "bid", "trump", "buried"} | ({"bids"} if auction else set())
    assert hand.keys() == always | says[detail]


# Games of Setback take 6 to 20 hands, and two bids in three are made; wide limits, for a hundred games each.
@pytest.mark.parametrize(("rules", "players", "teams"), REAL)
def test_the_shape_is_that_of_real_games(rules, players, teams):
    table, rng = find_table(rules, players, teams), Random(11)
    games = []
    for _ in range(40):
        hands = simulate_game(table, rng, draw_styles(rng, players))
        games.append(score_record(record_of(rules, {}, players, teams, hands)).hands)
    scored = [hand for game in games for hand in game if hand.status == "scored"]
    assert 0.58 <= sum(hand.made for hand in scored) / len(scored) <= 0.82
    assert 5 <= sum(map(len, games)) / len(games) <= 20
    assert len({hand.bid for hand in scored}) >= 3


# --- bidding and drawing, worked out by hand ----------------------------------------------------------------------


def test_chances_of_points_add_up():
    """A sure point and one worth two at probability 1/4: at least one is certain, at least two or three have 1/4."""
    assert at_least([(1, 1.0), (2, 0.25)]) == pytest.approx((1, 1, 0.25, 0.25))


def test_bold_players_bid_more_than_timid_ones():
    table = find_table("west-michigan-6", None, None)

    def bids(boldness):
        styles = (PlayerStyle(boldness, 1.0),) * 6
        hands = [simulate_hand(table, Random(seed), styles, 1, table.at_zero) for seed in range(60)]
        return sum(hand.get("bid", 0) for hand in hands)

    assert bids(-2.0) < bids(0.0) < bids(2.0)


@pytest.mark.parametrize(
    ("way", "hand", "thrown"),
    [
        ("non-trump", "AH 9C KD 2H AS TC", {"9C", "KD", "AS", "TC"}),
        ("up-to-3", "AH 9C KD 2H AS TC", {"9C", "TC", "KD"}),
        ("up-to-4-with-ace", "AH 9C KD 2H 8S TC", {"9C", "TC", "KD", "8S"}),
        ("up-to-4-with-ace", "KH 9C KD 2H 8S TC", {"9C", "TC", "8S"}),
        ("up-to-4-with-ace", "KH 9C KD 7D AS TC", {"9C", "TC", "KD", "7D"}),
    ],
)
def test_what_is_thrown_away(way, hand, thrown):
    table = find_table("partnership", 4, 2, {"deck.draw": way})
    assert set(discards(suit_values(table, "H"), hand.split())) == thrown


def test_drawing_keeps_every_card_in_one_place():
    table = find_table("partnership", 6, 3)
    hands, stock = deal(table, Random(5))
    trumps = {seat: {card for card in hands[seat] if card[1] == "H"} for seat in table.seats}
    aside = draw(suit_values(table, "H"), hands, stock, 4, 1)
    assert sorted(card for cards in (*hands, aside) for card in cards) == sorted(table.deck)
    assert all(len(hands[seat]) == 6 and trumps[seat] <= set(hands[seat]) for seat in table.seats)

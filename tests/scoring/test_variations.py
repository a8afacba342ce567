"""Every "Variation" and "House Rule Option" sentence of the source documents is offered as an override, and works.

The sentences are quoted here and in docs/rules.md literally (except for white space); each test's name says what a
sentence changes.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.scoring.rules import find_rules, variations
from tests.scoring.records import DOCUMENTED, bidding, chart, hand, points, record, refusals, score, score_hand, signed

FORCED = (
    "House Rule Option: If everyone passes, you may force the dealer to take a minimum bid (e.g., 2), "
    "or simply redeal the hand."
)
SET_BACK = "Team B: previous 2 + 3 − 5 = 0"
NUMBER = (
    "Generally a running total of points is kept; games are either played to 11 or a number of the players' choosing."
)
CARDS = "The exact number of cards depends on the variation being played."
PLAYERS = "You definitely want to read the section on different numbers of players."
TEAMS = "Variation: We have played with three teams of two or two teams of three at times."
OUTBID = (
    "Variation: When bidding returns the dealer, he has to bid one point higher than the last bid "
    "or give the highest bidder the first turn."
)
STEAL = (
    "Variation: If other players have bid 2 or 3, but no one has bid 4, the dealer may \"steal the bid\" "
    "by bidding the same as the current high bid."
)  # fmt: skip
STEAL_ANY = 'the dealer, who, having last bid, may "steal the bid" by bidding the same as the highest bid'
THREE = "Variation: Players may choose up to three cards to discard."
FOUR = "Variation: Players may discard four cards if they posses an ace in their hand that they retain."
ONLY_BID = (
    "Variation: A team who makes their bid receives only the number of points bid— "
    "for a bid of three the team wins three points."
)
ELEVEN = (
    "Variation: Game play continues until a team has reached eleven points. If the opposing team has zero or fewer "
    "points, the team with eleven points wins the game. Otherwise, play continues until twenty-one points."
)

RULES_MD = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")

WEST_MICHIGAN = [(FORCED, {"auction.all_pass": "dealer-forced"}), (SET_BACK, {"settle.set": "bid-less-taken"})]
EARLY: dict[str, Any] = {"at": 11, "others_at_most": 0, "when": "first-reach", "eligible": "anyone"}
OFFERED: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "west-michigan-6": WEST_MICHIGAN,
    "west-michigan-4": WEST_MICHIGAN,
    "west-michigan-5": WEST_MICHIGAN,
    "shankar": [(NUMBER, {"win.target": 21}), (CARDS, {"deck.hand": 8}),
     (PLAYERS, {"table.sides": "seat-partner", "table.players": [5]})],
    "partnership": [(TEAMS, {"table.players": [6], "table.teams": [3]}),
     (TEAMS, {"table.players": [6], "table.teams": [2]}), (OUTBID, {"auction.dealer": "outbid"}),
     (STEAL, {"auction.dealer": "match-below-max"}), (STEAL_ANY, {"auction.dealer": "match-not-special"}),
     (THREE, {"deck.draw": "up-to-3"}), (FOUR, {"deck.draw": "up-to-4-with-ace"}), (ONLY_BID, {"settle.made": "bid"}),
     (ELEVEN, {"win.early": EARLY})],
    "double-jack": [],
    "classic": [],
}  # fmt: skip


@pytest.mark.parametrize("rules", DOCUMENTED)
def test_the_sentences_are_offered_as_overrides(rules):
    rows = re.findall(r"^`([a-z0-9-]+)` \| (.*) \| (00\d.*)$", RULES_MD, re.MULTILINE)
    quoted = {(key, where): sentence for key, sentence, where in rows}
    offers = variations(rules)
    assert [(quoted[offer.key, offer.source], offer.options) for offer in offers] == OFFERED[rules]


# --- 000, West Michigan -----------------------------------------------------------------------------------------

PASSES = {
    "west-michigan-6": "1:p 2:p 3:p 4:p 5:p",
    "west-michigan-4": "1:p 2:p 3:p",
    "west-michigan-5": "1:p 2:p 3:p 4:p",
}


@pytest.mark.parametrize("rules", PASSES)
@chart(
    "dealers_call, free, forced",
    ("passes", "p", "passed out, {dealer} deals", "refused at bids[{last}]"),
    ("one", "1", "{dealer} at 1", "refused at bids[{last}]"),
    ("two", "2", "{dealer} at 2", "{dealer} at 2"),
    ("more", "6", "{dealer} at 6", "{dealer} at 6"),
)
def test_the_dealer_is_forced_to_a_minimum_bid(rules, dealers_call, free, forced):
    """000 section 6.2, FORCED: simply redeal the hand (the same dealer), or force the dealer to take a minimum bid."""
    dealer = find_rules(rules).table.players[0]
    auction, names = f"{PASSES[rules]} {dealer}:{dealers_call}", {"dealer": dealer, "last": dealer - 1}
    alone = {"partner": None} if rules == "west-michigan-5" and dealers_call != "p" else None
    assert bidding(rules, dealer, auction, also=alone) == free.format(**names)
    option = {"auction.all_pass": "dealer-forced"}
    assert bidding(rules, dealer, auction, also=alone, options=option) == forced.format(**names)


@chart(
    "took, by_the_rule, as_printed",
    ("three of five", "B: low right_jack left_joker; A: left_jack game", "A +2, B -5", "A +2, B -2"),
    ("none of five", "A: high low game", "A +3, B -5", "A +3, B -5"),
    ("made", "B: high low game right_jack left_jack; A: left_joker", "A +1, B +5", "A +1, B +5"),
)
def test_what_a_set_team_took_counts_against_the_loss(took, by_the_rule, as_printed):
    """000 section 14.2, SET_BACK."""
    option = {"settle.set": "bid-less-taken"}
    facts = hand(2, 5, took)
    changes = [signed(score_hand("west-michigan-6", facts, options=options).change) for options in ({}, option)]
    assert changes == [by_the_rule, as_printed]


def test_partners_share_what_counts_against_the_loss():
    """000 sections 14.2 and 15.2: every player on that team."""
    facts = hand(2, 5, "bidding: low right_jack; defending: game", called="AS", partner=4)
    scored = score_hand("west-michigan-5", facts, options={"settle.set": "bid-less-taken"})
    assert signed(scored.change) == "1 +1, 2 -3, 3 +1, 4 -3, 5 +1"


# --- 001 --------------------------------------------------------------------------------------------------------


def test_eight_cards_each():
    """001, CARDS: with eight cards each, six players hold 48 cards and play eight tricks."""
    table, option = {"players": 6, "teams": 2}, {"deck.hand": 8}
    piles = {
        "A": [rank + suit for suit in "HS" for rank in "AKQJT98765432"],
        "B": [rank + "D" for rank in "AKQJT98765432"],
    }
    facts = hand(1, 2, piles=piles)  # 39 cards
    assert refusals(record("shankar", facts, **table)) == [("hands[0].piles", "only 36 cards are dealt, not 39")]
    assert points(score_hand("shankar", facts, **table, options=option)) == "high A, low A, jack A, game A"
    six = [{"cards": [rank + suit for rank in ranks]} for suit in "HSD" for ranks in ("AKQJT9", "876543")]
    assert refusals(record("shankar", hand(1, 2, tricks=six), **table, options=option)) == [
        ("hands[0].tricks", "a hand has 8 tricks, not 6")
    ]


@chart(
    "bidder, change",
    ("seat 1", 1, "1 +3, 2 +1, 3 +1, 4 +3, 5 +1"),
    ("seat 2", 2, "1 +1, 2 +3, 3 +1, 4 +1, 5 +3"),
    ("seat 3", 3, "1 +3, 2 +1, 3 +3, 4 +1, 5 +1"),
    ("seat 4", 4, "1 +1, 2 +3, 3 +1, 4 +3, 5 +1"),
    ("seat 5", 5, "1 +1, 2 +1, 3 +3, 4 +1, 5 +3"),
)
def test_the_partner_sits_two_places_to_the_bidders_right(bidder, change):
    """001, PLAYERS; rules.md: with five, seat-partner (two places to the bidder's right) is an option."""
    facts = hand(bidder, 3, "bidding: high low game; defending: jack")
    options = {"table.sides": "seat-partner", "table.players": [5]}
    assert signed(score_hand("shankar", facts, options=options).change) == change


# --- 002 --------------------------------------------------------------------------------------------------------


@chart(
    "teams, units, bidder, took, change",
    ("three teams of two", 3, ["A", "B", "C"], 4, "1: high low; 2: game; 6: jack", "A +2, B +1, C +1"),
    ("two teams of three", 2, ["A", "B"], 4, "2: high low; 1: game; 3: jack", "A +2, B +2"),
)
def test_three_teams_of_two_or_two_teams_of_three(teams, units, bidder, took, change):
    """002, TEAMS."""
    options = {"table.players": [6], "table.teams": [teams]}
    for more in ({"options": options}, {"players": 6, "teams": teams}):
        game = score("partnership", hand(bidder, 2, took, dealer=6), **more)
        assert (list(game.totals), signed(game.hands[0].change), game.next_dealer) == (units, change, 1)


@chart(
    "auction, match, outbid, below_four, not_smudge",
    ("two", "1:2 2:p 3:p 4:2", "4 at 2", "refused", "4 at 2", "4 at 2"),
    ("three", "1:2 2:3 3:p 4:3", "4 at 3", "refused", "4 at 3", "4 at 3"),
    ("four", "1:2 2:4 3:p 4:4", "4 at 4", "refused", "refused", "4 at 4"),
    ("smudge", "1:2 2:smudge 3:p 4:smudge", "4 at 5", "refused", "refused", "refused"),
    ("one point higher", "1:2 2:p 3:p 4:3", "4 at 3", "4 at 3", "4 at 3", "4 at 3"),
    ("two points higher", "1:2 2:p 3:p 4:4", "4 at 4", "4 at 4", "4 at 4", "4 at 4"),
    ("the first turn given away", "1:2 2:p 3:p 4:p", "1 at 2", "1 at 2", "1 at 2", "1 at 2"),
    ("nobody else may steal", "1:2 2:2", "refused", "refused", "refused", "refused"),
)
def test_what_the_dealer_may_do_with_the_highest_bid(auction, match, outbid, below_four, not_smudge):
    """002, STEAL_ANY as written; OUTBID; STEAL; rules.md: match-not-special forbids stealing a smudge."""
    privileges = ("match", "outbid", "match-below-max", "match-not-special")
    outcomes = [bidding("partnership", 4, auction, options={"auction.dealer": dealer}) for dealer in privileges]
    assert [outcome.split(" at bids")[0] for outcome in outcomes] == [match, outbid, below_four, not_smudge]


@chart(
    "bid, took, taken, only_bid",
    ("three of three", 3, "A: high low jack; B: game", "A +3, B +1", "A +3, B +1"),
    ("four on three", 3, "A: high low jack game", "A +4, B +0", "A +3, B +0"),
    ("four on two", 2, "A: high low jack game", "A +4, B +0", "A +2, B +0"),
    ("set", 3, "A: high low; B: game jack", "A -3, B +2", "A -3, B +2"),
)
def test_a_made_bid_receives_only_the_points_bid(bid, took, taken, only_bid):
    """002, ONLY_BID: for a bid of three the team wins three points. Opponents make whatever they earn."""
    changes = [
        signed(score_hand("partnership", hand(1, bid, took), options={"settle.made": made}).change)
        for made in ("taken", "bid")
    ]
    assert changes == [taken, only_bid]

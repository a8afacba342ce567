"""The rules pages: all rule sets in sentences, as in docs/rules.md."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from scorekeeper.scoring.rules import CATALOGUE, find_rules
from scorekeeper.web.rulebook.messages import chapters
from tests.web.site import read


def test_every_rule_set_and_the_tips_are_a_tap_away(client: FlaskClient) -> None:
    page = client.get("/rules/").text
    for rules in CATALOGUE:
        assert f'href="/rules/{rules}"' in page  # which tests/web/games/test_views.py opens
    assert client.get("/rules/chess").status_code == 404
    assert 'href="/rules/tips"' in client.get("/rules/").text
    assert "Go for Low" in client.get("/rules/tips").text


def test_a_hand_is_offered_and_tried_without_a_club_a_cookie_or_the_database(client, monkeypatch) -> None:
    for rules in CATALOGUE:
        with monkeypatch.context() as without_database:
            without_database.setattr(Engine, "connect", None)
            answer = client.get(f"/rules/{rules}/try")
        assert (answer.status_code, answer.headers.get("Set-Cookie")) == (200, None), rules
        assert "Nothing is saved." in answer.text
        assert not re.search('action="|Save', answer.text), rules
    assert 'href="/rules/west-michigan-6/try"' in client.get("/").text
    assert 'href="/rules/cinch/try"' in client.get("/rules/cinch").text
    assert client.get("/rules/chess/try").status_code == 404


# Worked out by hand from the rules and an override: the chapter's title, and a sentence in it.
SMUDGE = {"name": "smudge", "bid": 9, "needs": ["every-trick"]}
IN_ORDER = {"win.both": ["count-out"], "win.order": ["high", "low", "game"]}
EARLY = {"at": 7, "others_at_most": 0, "when": "any-hand", "eligible": "made-bid"}
SAID = [
    ("west-michigan-6", {}, "The cards", "Take the 3s through 6s out of a full deck."),
    ("west-michigan-6", {}, "The cards", "The two cards left over are buried, and shown after the hand."),
    ("classic", {"deck.ranks": "AKQJT7632", "trump.order": "A K Q J T 7 6 3 2"}, "The cards",
     "Take the 4s, 5s, 8s and 9s out of a full deck."),
    ("classic", {"deck.hand": 13}, "The cards", "Each player gets 13 cards. After each hand"),
    ("classic", {"deck.deal": 12, "deck.kitty": 3}, "The cards", "The card left over stays face down."),
    ("classic", {"deck.kitty": 1}, "The cards", "One card goes to the kitty."),
    ("cinch", {}, "The cards", "The 16 cards left over are the stock."),
    ("shankar", {}, "The cards", "The cards left over stay face down."),
    ("six-point", {}, "Points", "the joker: whoever wins the trick it is in"),
    ("classic", {"points": [{"key": "jack", "card": "J"}]}, "Points", "Up to one point in a hand."),
    ("pedro-sancho", {}, "Who plays", "Four to seven players."),
    ("classic", {"table.sides": "seat-partner", "table.partner_right": 1}, "Who plays", "sits one place to the right."),
    ("all-fours", {}, "Card points", "after the dealer. If that player is not tied, nobody gets it."),
    ("california-pedro", {}, "Who plays", "The deal and the play go around to the right, counterclockwise."),
    ("california-pedro", {}, "Bidding", "Everyone bids once, starting right of the dealer"),
    ("california-pedro", {"table.direction": "left"}, "Bidding", "Everyone bids once, starting left of the dealer"),
    ("minnesota-smear", {"auction.rounds": "until-passed", "table.direction": "right"}, "Bidding", "from right of the"),
    ("commercial-pitch", {}, "Bidding", "Everyone bids once, starting left of the seller: a higher bid, or a pass."),
    ("pedro-sancho", {}, "Bidding", "The player to the dealer’s left is the seller"),
    ("pedro-sancho", {}, "Winning", "adjustments count first. If several reach it in the same hand, the bidder wins."),
    ("pedro-sancho", {"table.direction": "right"}, "Bidding", "The player to the dealer’s right is the seller"),
    ("pedro-sancho", {"table.direction": "right"}, "Bidding", "the player to the dealer’s right leads without a bid."),
    ("classic", {}, "Bidding", "The dealer bids last and must pass or bid higher. "
     "But the dealer may take a bid of 4 by bidding 4."),
    ("classic", {"auction.dealer": "match-below-max"}, "Bidding", "may take a bid below 4 at the same number."),
    ("classic", {"auction.dealer": "match-not-special"}, "Bidding", "may take the bid at the same number."),
    ("classic", {"auction.dealer": "match", "auction.rounds": "until-passed"}, "Bidding",
     "A pass is final. The dealer may take the bid at the same number."),
    ("ten-point", {}, "Trump", "tricks get shorter. The highest trump wins the trick. From high to low"),
    ("classic", {}, "Trump", "Without a trump, the highest card of the suit led wins."),
    ("partnership", {}, "Winning", "The first to 21 wins. You can win only in a hand in which you make your own bid."),
    ("classic", {"win.early": EARLY}, "Winning", "You win at once only if you make your own bid in that hand."),
    ("west-michigan-5", {"win.early": EARLY}, "Winning", "at once only if your side makes its bid in that hand."),
    ("classic", {"auction.min": 4}, "Bidding", "The only bid is 4."),
    ("classic", {"auction.all_pass": "dealer-forced", "auction.forced_bid": 1}, "Bidding",
     "If all others pass, the dealer must bid, and may bid 1."),
    ("classic", {"auction.min": 0}, "Bidding",
     "The bids are 0 to 4. A bid of 0 promises no points, so it cannot be set."),
    ("classic", {}, "Who plays", "Four players. Two teams, partners in alternate seats."),
    ("classic", {}, "The cards",
     "52 cards: A K Q J 10 9 8 7 6 5 4 3 2 in every suit. Each player gets six cards."),
    ("classic", {}, "The cards", "The 28 cards left over stay face down. After each hand the next player deals. "
     "After a misdeal the same dealer deals again."),
    ("classic", {}, "Made and set", "Make your bid and score all you took. Fall short"),
    ("classic", {}, "Card points", "Add up the card points in the tricks you won."),
    ("classic", {"deck.rob": "dealer"}, "The cards",
     " The dealer looks through the rest of the deck and keeps the best"),
    ("classic", {"auction.min": 4, "auction.specials": [SMUDGE]}, "Bidding",
     "The bids are 4, or smudge for 9: win every"),
    ("western-pennsylvania-cinch", {}, "Bidding", "or alone for 7: win every trick yourself."),
    ("classic", {"win.lost_in_a_row": 2, "table.sides": "seat-partner", "table.players": [5]}, "Winning",
     "If you are set 2 hands in a row, as bidder or as partner, you lose the game. "
     "Then the highest score of the others wins."),
    ("classic", {"win.both": ["play-on", "share"]}, "Winning",
     "If both teams reach it in the same hand, play goes on."),
    ("classic", {"table.sides": "solo", "win.both": ["bidder"]}, "Winning",
     "the bidder wins. If that does not decide it, play goes on."),
    ("classic", IN_ORDER, "Winning", "hand, count the points one by one: High, Low, then Game."),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "options", "chapter", "said"), SAID)
def test_a_chapter_says(rules: str, options: dict[str, Any], chapter: str, said: str) -> None:
    found = next(found for found in chapters(find_rules(rules).override(options)) if found.title == chapter)
    assert said in " ".join([*found.sentences, *(value for _, value in found.table)])


@pytest.mark.parametrize(
    ("rules", "options", "can_lose"),
    [
        ("classic", {}, True),
        ("cinch", {}, False),  # a set side scores nothing
        ("cinch", {"auction.all_pass": "redeal", "auction.pass_cost": 1}, True),
        ("cinch", {"auction.specials": [{"name": "moon", "bid": 20, "failed": "set-to", "failed_to": -5}]}, True),
        ("cinch", {"auction.specials": [{"name": "moon", "bid": 20, "failed": "set-to", "failed_to": 0}]}, False),
        ("cinch", {"auction.specials": [{"name": "moon", "bid": 20, "failed": "target"}]}, True),
    ],
)
def test_scores_go_below_zero_only_where_a_side_can_lose_points(rules, options, can_lose) -> None:
    found = next(found for found in chapters(find_rules(rules).override(options)) if found.title == "Made and set")
    assert ("Scores can go below zero." in " ".join(found.sentences)) == can_lose


@pytest.mark.parametrize("rules", CATALOGUE)
def test_no_rule_is_told_in_words_that_nobody_says(client: FlaskClient, rules: str) -> None:
    text = read(client.get(f"/rules/{rules}"))
    assert not re.findall(r"colour|Game count|speaks|lie buried|whole|anew|\bstands?\b|\{|None", text)

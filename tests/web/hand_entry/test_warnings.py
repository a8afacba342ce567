"""Warnings before saving: one sentence each; saving again confirms them."""

import re
from datetime import date

import pytest

from scorekeeper.database.session import db
from scorekeeper.models import Game
from scorekeeper.scoring.hand import score_hand
from scorekeeper.scoring.record import read_hand
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import hands as hand_service
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.hand_entry.warnings import HandToSave, best_bid_made, find_warnings
from tests.classic import FOUR, SET, TWO_EACH, record, start_game
from tests.web.site import Site

SIX = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
SEVEN = ("high", "low", "right_jack", "left_jack", "right_joker", "left_joker", "game")
ALL_A = dict.fromkeys(SEVEN, "A")


def said(rules, facts, **what):
    """Return the warnings about a hand."""
    table = Table(find_rules(rules))
    narrator = Narrator(table, (what.pop("names", SIX))[: table.players])
    facts = {"dealer": table.players, "bidder": 1, "bid": 3, "trump": "H"} | facts
    facts = {key: value for key, value in facts.items() if value is not None}
    score = score_hand(table, read_hand(facts, table))
    return [sentence for _, sentence in find_warnings(HandToSave(table, lambda: narrator, facts, score, **what))]


def west(**facts):
    """Return a hand of six-player West Michigan: 38 cards, 2 of them buried, 80 card points."""
    return {"claims": ALL_A} | facts


ONE_OF_TWO = "1 of 2 buried cards tapped."


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (west(), "Did Ann’s team take all 7?"),
        (west(bidder=2, claims=dict.fromkeys(SEVEN, "B")), "Did Bo’s team take all 7?"),
        ({"buried": ["XR", "9C"], "claims": ALL_A | {"right_joker": None}}, "Did Ann’s team take all 6?"),
    ],
)
def test_nothing_touched_since_the_start(facts, sentence):
    assert said("west-michigan-6", facts, touched=False) == [sentence]
    assert said("west-michigan-6", facts, touched=True) == []


@pytest.mark.parametrize(
    ("bid", "taken", "best", "sentences"),
    [
        (6, "B", 5, ["Was the bid really 6? The highest bid made this year is 5."]),
        (6, "B", 6, []),
        (6, "B", 7, []),
        (6, "B", None, []),  # without bids made this year there is no limit
        (6, "A", 5, []),  # the side took something
    ],
)
def test_a_bold_bid_that_took_nothing(bid, taken, best, sentences):
    claims = dict.fromkeys(SEVEN, "B") | {"low": taken}
    assert said("west-michigan-6", {"bid": bid, "claims": claims}, best=lambda: best) == sentences


@pytest.mark.parametrize(
    ("facts", "sentences"),
    [
        # High and Low are always dealt, whatever is buried.
        (west(claims={**ALL_A, "low": None}), ["Low was dealt. Who took it?"]),
        # Both buried cards are known, and neither is the Left Jack.
        (west(buried=["9C", "2D"], claims={**ALL_A, "left_jack": None}), ["Left Jack was dealt. Who took it?"]),
        # One buried card is unknown, and may be the Left Jack.
        (west(buried=["9C"], claims={**ALL_A, "left_jack": None}), [ONE_OF_TWO]),
        (west(claims={**ALL_A, "left_jack": None, "right_joker": None}), []),
        # Three points cannot be in two cards.
        (west(claims={**ALL_A, "left_jack": None, "right_joker": None, "left_joker": None}),
         ["Only 2 cards were buried, so somebody took Left Jack, Right Joker or Left Joker."]),
        (west(buried=["9C"], claims={**ALL_A, "left_jack": None, "right_joker": None}),
         [ONE_OF_TWO, "Only 2 cards were buried, so somebody took Left Jack or Right Joker."]),
        # A tied Game has no taker.
        (west(claims={**ALL_A, "game": None}), []),
    ],
)  # fmt: skip
def test_points_that_do_not_add_up_to_what_was_dealt(facts, sentences):
    assert said("west-michigan-6", facts) == sentences


def test_where_most_cards_are_not_dealt_any_point_may_be_missing():
    """Classic deals 24 of 52 cards: the Jack may be in the stock; High and Low are among the dealt cards."""
    claims = {"high": "A", "low": "A", "jack": None, "game": "A"}
    assert said("classic", {"bid": 2, "claims": claims}) == []
    assert said("classic", {"bid": 2, "claims": claims | {"high": None}}) == ["High was dealt. Who took it?"]


@pytest.mark.parametrize(
    ("rules", "low", "sentences"),
    [
        ("ten-point", None, ["The bidder went through the deck. Did nobody have Low?"]),
        ("ten-point", "B", []),
        ("cinch", None, ["The dealer went through the deck. Did nobody have Low?"]),
        ("ten-point-smear", None, []),  # undealt cards are not seen
    ],
)
def test_a_card_that_nobody_has_where_one_player_sees_what_is_left(rules, low, sentences):
    points = Table(find_rules(rules)).points
    claims = {key: None if key == "game" else "A" for key in points} | {"low": low}
    assert said(rules, {"bid": 5, "claims": claims}) == sentences


TURNED_JACK = ["Jack was turned up, so nobody had it. Tap none."]


@pytest.mark.parametrize(
    ("turned_up", "jack", "sentences"),
    [
        (["J"], "A", TURNED_JACK),  # trump is hearts because the Jack of hearts was turned up
        (["J"], None, []),
        (["6"], "A", []),
        (["x"], "A", []),
        (["6", "J"], "B", TURNED_JACK),  # the dealer ran the cards: the last one made trump
        (["J", "6"], "B", []),  # the Jack of another suit
        (None, "A", []),
    ],
)
def test_a_card_that_was_turned_up_was_in_nobodys_hand(turned_up, jack, sentences):
    claims = {"high": "A", "low": "A", "jack": jack, "game": "B"}
    played_by = {"jack": jack} if jack else None
    facts = {"bidder": None, "bid": None, "turned_up": turned_up, "claims": claims, "played_by": played_by}
    assert said("trinidad-all-fours", facts) == sentences


@pytest.mark.parametrize(
    ("buried", "counts", "sentences"),
    [
        # 80 less 4 for an ace and 10 for a ten is 66.
        (["AS", "TD"], {"A": 30, "B": 36}, []),
        (["AS", "TD"], {"A": 30, "B": 30}, ["The card points add up to 60, but 66 were dealt."]),
        (["9C", "2D"], {"A": 43, "B": 36}, ["The card points add up to 79, but 80 were dealt."]),
        (["9C", "2D"], {"A": 43}, []),  # the other side's are computed
        (["9C"], {"A": 43, "B": 30}, [ONE_OF_TWO]),  # the rest may be buried
        ([], {"A": 43, "B": 30}, []),
    ],
)
def test_counts_that_do_not_add_up(buried, counts, sentences):
    claims = {key: "A" for key in SEVEN if key != "game"}
    facts = {"claims": claims, "game_counts": counts} | ({"buried": buried} if buried else {})
    assert said("west-michigan-6", facts) == sentences


@pytest.mark.parametrize(
    ("rules", "facts", "what", "sentences"),
    [
        ("west-michigan-6", west(dealer=6), {"turn": 6}, []),
        ("west-michigan-6", west(dealer=1), {"turn": 6}, ["It was Flo’s turn to deal, not Ann’s."]),
        ("west-michigan-6", west(dealer=1), {"turn": None}, []),
        ("west-michigan-6", west(dealer=1, claims={**ALL_A, "low": None}), {"touched": False, "turn": 6},
         ["Low was dealt. Who took it?", "Did Ann’s team take all 6?", "It was Flo’s turn to deal, not Ann’s."]),
        # Counts tell who took Game, so something was said; and a hand told by its cards is not doubted.
        ("west-michigan-6",
         {"claims": {key: "A" for key in SEVEN if key != "game"}, "game_counts": {"A": 70, "B": 0}},
         {"touched": False}, []),
        ("classic", {"piles": {"A": ["AH", "2H"], "B": ["JH", "TC"]}}, {"touched": False}, []),
    ],
)  # fmt: skip
def test_several_at_once_are_all_said(rules, facts, what, sentences):
    assert said(rules, facts, **what) == sentences


def test_the_highest_bid_made_this_year(club):
    old = start_game(club, played=date(2025, 12, 31))
    record(old, FOUR | {"bid": 4})
    game = start_game(club, played=date(2026, 1, 1))
    assert best_bid_made(game, 1) is None
    record(game, TWO_EACH, SET | {"bid": 4}, FOUR | {"bid": 3})
    other = start_game(club, played=date(2026, 12, 31))
    assert best_bid_made(other, 1) == 3
    assert best_bid_made(game, 3) == 2  # the hand itself is excluded
    hand_service.set_state(game, "abandoned")
    assert best_bid_made(other, 1) is None


def test_the_highest_bid_of_finished_games_is_not_replayed(club, monkeypatch):
    """Three games to 11, each won with 12 or 13, and one in which a bid of 4 was set."""
    for bid in (2, 3, 3):
        record(start_game(club), FOUR, FOUR, FOUR | {"bid": bid})
    record(start_game(club), SET | {"bid": 4}, FOUR, FOUR, FOUR, FOUR)  # −4, 0, 4, 8, 12
    game = start_game(club)
    db.session.expire_all()
    replayed = []
    usual = Game.score.fget
    monkeypatch.setattr(Game, "score", property(lambda game: replayed.append(game.number) or usual(game)))
    assert best_bid_made(game, 1) == 3
    assert replayed == [game.number]


def test_of_unfinished_games_the_latest_ten_are_looked_at(club):
    record(start_game(club), FOUR | {"bid": 4})
    for _ in range(9):
        start_game(club)
    assert best_bid_made(start_game(club), 1) == 4
    assert best_bid_made(start_game(club), 1) is None


def hand(**changes):
    return {"token": "a", "position": "1", "bidder": "1", "bid": "2", "trump": "H", "do": "save"} | changes


def hands(game: Game):
    db.session.expire_all()
    return game.hands


def save_button(page):
    return re.search(r'id="save">([^<]*)<', page.text).group(1)


def test_the_first_save_says_it_and_the_second_saves(client, game, address):
    for data in (hand(), *(hand(warned=odd) for odd in ("", "everything", "untouched\N{ZERO WIDTH SPACE}"))):
        answer = client.post(f"{address}/hands/new", data=data)
        assert (answer.status_code, hands(game)) == (422, [])
    answer = client.post(f"{address}/hands/new", data=hand())
    assert "Did Ann and Cy take all 4?" in answer.text
    assert save_button(answer) == "Save as is"
    assert '<input type="hidden" name="warned" value="untouched">' in answer.text
    assert client.post(f"{address}/hands/new", data=hand(warned="untouched")).status_code == 303
    assert len(hands(game)) == 1


def test_something_else_that_looks_wrong_is_said_as_well(client, game, address):
    incomplete = client.post(f"{address}/hands/preview", data=hand(bid="", trump="", dealer="2"))
    assert (save_button(incomplete), "warned" in incomplete.text) == ("Save", False)
    ordinary = client.post(f"{address}/hands/preview", data=hand(**{"point-jack": "B"}))
    assert save_button(ordinary) == "Save"
    preview = client.post(f"{address}/hands/preview", data=hand(dealer="2"))
    assert (preview.status_code, save_button(preview)) == (200, "Save as is")
    answer = client.post(f"{address}/hands/new", data=hand(warned="untouched", dealer="2"))
    assert answer.status_code == 422
    assert "It was Di’s turn to deal, not Bo’s." in answer.text
    both = hand(warned=["untouched", "dealer"], dealer="2")
    assert client.post(f"{address}/hands/new", data=both).status_code == 303


def test_between_two_buried_cards_only_they_are_asked_about_and_the_rest_by_save(site: Site):
    site.start_game("west-michigan-6")
    tapped, all_seven = {"buried": "9C", "warned": None}, "Did Ann’s team take all 7?"
    page = site.preview(**tapped)
    assert (ONE_OF_TWO in page.text, all_seven in page.text) == (True, False)
    page = site.post_hand(**tapped | {"warned": "buried"})
    assert (page.status_code, ONE_OF_TWO in page.text, all_seven in page.text) == (422, True, True)
    assert site.post_hand(**tapped | {"warned": ["buried", "untouched"]}).status_code == 303


def test_a_bold_bid_is_measured_by_the_clubs_year(client, game, address):
    record(game, TWO_EACH)
    bold = hand(position="2", bid="4", **{f"point-{key}": "B" for key in FOUR["claims"]})
    page = client.post(f"{address}/hands/preview", data=bold)
    assert "Was the bid really 4? The highest bid made this year is 2." in page.text


def test_a_correction_is_asked_about_its_dealer_only_when_that_is_new(client, game, address):
    record(game, TWO_EACH | {"dealer": 2}, TWO_EACH)
    points = {f"point-{key}": side for key, side in TWO_EACH["claims"].items()}
    correction = hand(hand_version="1", bid="3", **points)
    assert "turn to deal" not in client.get(f"{address}/hands/1/").text
    page = client.post(f"{address}/hands/preview", data=correction | {"dealer": "3"})
    assert "It was Di’s turn to deal, not Cy’s." in page.text
    second = correction | {"position": "2", "hand_version": "2", "dealer": "2"}
    page = client.post(f"{address}/hands/preview", data=second)
    assert "It was Cy’s turn to deal, not Bo’s." in page.text

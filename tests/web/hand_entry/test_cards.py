"""Cards entered by piles. Card points are worked out by hand: 10 for a ten, 4 ace, 3 king, 2 queen, 1 jack."""

import re
from dataclasses import replace
from html import unescape

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from scorekeeper.database.session import db
from scorekeeper.models import Game
from scorekeeper.scoring.rules import RuleSet, find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services.hands import record_hand
from scorekeeper.web.hand_entry.cards import missing
from scorekeeper.web.hand_entry.draft import NOBODY, Draft
from tests.web.site import Site, checked, complaints, fields_of, read, says

# West Michigan, six players, hearts trump, 9C and 2D buried: 80 card points are dealt.
# A has 34 + the right jack's 1 = 35; B has 31; the ace of diamonds and the ten of clubs are 14.
OURS = "AS KS TS AH KH TH JH XR"
THEIRS = "QS JS QH JD KD QD TD AC KC QC JC XB 2H"
BURIED = "9C 2D"
LOW_IS_THEIRS = {"by-low": "B"}


@pytest.fixture
def six(site: Site) -> Site:
    site.start_game("west-michigan-6")
    return site


def piles(**cards: str) -> dict[str, str]:
    """Return form fields for cards in piles; `cards` maps a pile to its cards."""
    return {f"at-{card}": pile for pile, named in cards.items() for card in named.split()}


def cards(**fields: str) -> dict[str, str]:
    return {"detail": "cards", "was": "cards"} | fields


def chips(response: TestResponse) -> dict[str, str]:
    """Return the side that has each point so far."""
    found = re.findall(r'id="chip-(\w+)">[^<]*<b aria-hidden="true">([^<]*)</b>', response.text)
    return {key: unescape(who) for key, who in found}


def tally(response: TestResponse) -> list[str]:
    """Return the card points of the sides, with the text on those left."""
    return re.findall(r'class="(?:num|hint)">([^<]*)<', re.search(r'class="tally">(.*?)</li>', response.text)[1])


def test_nothing_is_placed_at_first_and_what_is_stays_in_sight_when_another_suit_becomes_trump(six: Site) -> None:
    """Otherwise it could not be taken out of its pile."""
    answer = six.preview(**cards())
    assert tally(answer) == ["0", "80 left", "0"]
    assert set(chips(answer).values()) == {"?"}
    assert says(answer) == "Tap a pile, then its cards."
    # 20 cards with card points, the two jokers and the lowest trump.
    assert says(six.preview(**cards(), **piles(A="9C"))).startswith(
        "Tap 23 more cards: A♥︎, K♥︎, Q♥︎, J♥︎, J♦︎, red joker …"
    )
    assert not re.search(r"tile-(9C|2S)", six.preview(**cards(trump="H")).text)
    shown = six.preview(**cards(trump="H"), **piles(A="9C", B="2S")).text
    assert 'id="tile-9C"' in shown
    assert 'id="tile-2S"' in shown


def test_piles_that_are_half_entered_say_what_is_missing(six: Site) -> None:
    answer = six.preview(**cards(**LOW_IS_THEIRS), **piles(A=OURS, B=THEIRS, buried=BURIED))
    assert tally(answer) == ["35", "14 left", "31"]
    assert says(answer) == "Tap 2 more cards: A♦︎, 10♣︎"
    # All other points are certain: the two of hearts is the lowest trump of the deck.
    points = {"high": "A", "low": "B", "right_jack": "A", "left_jack": "B", "right_joker": "A", "left_joker": "B"}
    assert chips(answer) == points | {"game": "?"}
    refused = six.post_hand(**cards(), **piles(A=OURS, B=THEIRS, buried=BURIED))
    assert (refused.status_code, complaints(refused)) == (422, ["Tap 2 more cards: A♦︎, 10♣︎"])
    assert "at-QS-is-B" in checked(refused)
    without_low = six.preview(**cards(), **piles(A="AS KS TS AH KH TH JH XR TC TD", B="JD XB", buried=BURIED))
    assert says(without_low) == "Tap 1 more card: 2♥︎"  # although Game is decided


def test_they_are_saved_as_soon_as_the_points_are_certain(six: Site) -> None:
    """A has 45, B at most 35: Game is A's, wherever the ace of diamonds is."""
    answer = six.post_hand(**cards(**LOW_IS_THEIRS), **piles(A=OURS + " TC", B=THEIRS, buried=BURIED))
    assert answer.status_code == 303
    assert six.totals() == [4, 3]  # A: High, Right Jack, Right Joker and Game; B: Low, Left Jack and Left Joker
    hand = six.record()["hands"][0]
    assert "AD" not in hand["piles"]["A"] + hand["piles"]["B"]
    assert set(hand["buried"]) == {"9C", "2D"}
    page = six.client.get(f"{six.game}hands/1/")
    assert {"detail-is-cards", "at-QS-is-B", "at-TC-is-A"} <= checked(page)
    assert 'name="at-9C" value="buried"' in page.text  # not shown as a card to tap
    assert says(page) == "Ann bid 3, took 4: +4. Bo’s team +3. Ann’s team leads 4 to 3."
    assert "detail-is-cards" in checked(six.client.get(f"{six.game}hands/new"))  # the way of entry is remembered


def test_the_rest_is_one_tap_after_the_buried_cards(six: Site) -> None:
    for buried, said in (("", "Tap the 2 buried cards first."), ("9C", "Tap the other buried card first.")):
        assert says(six.preview(**cards(rest="B"), **piles(A=OURS, buried=buried))) == said
    fields = cards(rest="B", **LOW_IS_THEIRS) | piles(A=OURS, B=THEIRS, buried=BURIED)
    answer = six.preview(**fields)
    assert tally(answer) == ["35", "all counted", "45"]
    assert says(answer) == "Ann bid 3, took 3: +3. Bo’s team +4. Bo’s team leads 4 to 3."
    assert six.post_hand(**fields).status_code == 303
    hand = six.record()["hands"][0]
    assert len(hand["piles"]["A"] + hand["piles"]["B"]) == 36
    assert six.totals() == [3, 4]


def test_trumps_are_the_first_to_be_tapped_as_buried(six: Site) -> None:
    """Most points are trumps; without trump, cards are ordered by suit."""
    tiles = re.compile(r'id="tile-(\w\w)"')
    before, after = (tiles.findall(six.preview(trump=trump).text) for trump in (None, "H"))
    suits = ["".join(rank + suit for rank in "AKQJT9872") for suit in "SHDC"]
    assert "".join(before) == "".join(suits) + "XRXB"
    assert " ".join(after[:11]) == "AH KH QH JH JD XR XB TH 9H 8H 7H"
    assert after[12:] == [card for card in before if card[1] in "SDC" and card != "JD"]
    assert sorted(after) == sorted(before)


@pytest.mark.parametrize(
    ("ours", "theirs", "buried", "low_by", "key", "who", "count"),
    [
        # The two and the seven of hearts are buried; the eight is Low in any pile.
        ("AS KS TS AH KH TH JH XR TC TD 8H", "JD XB", "2H 7H", "A", "low", "A", None),
        (OURS + " TC", "JD 2H KD TD AC", "XB 9C", "A", "left_joker", "–", None),
        # Low can be no ten here, so A keeps its 45 although B keeps Low.
        (OURS + " TC 8H", "JD XB", "2H 7H", "B", "low", "B", "45"),
    ],
)
def test_a_buried_card_leaves_its_point_to_the_next_one_or_to_nobody(
    six: Site, ours: str, theirs: str, buried: str, low_by: str, key: str, who: str, count: str | None
) -> None:
    answer = six.preview(**cards(**{"by-low": low_by}), **piles(A=ours, B=theirs, buried=buried))
    assert chips(answer)[key] == who
    assert count in (None, tally(answer)[0])


def test_who_played_the_low_card_keeps_it(six: Site) -> None:
    fields = cards() | piles(A=OURS + " TC 2H", B=THEIRS.replace(" 2H", ""), buried=BURIED)
    asked = six.preview(**fields)
    assert chips(asked)["low"] == "?"  # A captured it, which does not show who played it
    assert says(asked) == "Who played Low?"
    assert not re.search(r'name="by-low"[^>]*checked|usual"><input[^>]*name="by-low"', asked.text)
    assert six.post_hand(**fields).status_code == 422
    assert chips(six.preview(**fields, **LOW_IS_THEIRS))["low"] == "B"
    six.post_hand(**fields, **LOW_IS_THEIRS)
    assert six.record()["hands"][0]["low_by"] == "B"
    assert six.totals() == [4, 3]


def test_a_stock_is_certain_when_the_table_says_that_is_all(table: Site) -> None:
    """A: ace 4 + ten 10 = 14. B: jack 1 + king 3 = 4. The three is the lowest trump in the piles."""
    fields = cards(bid="2") | piles(A="AH TS", B="JH 3H KD")
    answer = table.preview(**fields)
    assert chips(answer) == {"high": "A", "low": "?", "jack": "B", "game": "?"}
    # Of 20 that count 16 have no pile, and the two may be Low.
    said = "Tap any that were played, then “not dealt”: K♥︎, Q♥︎, 10♥︎, 2♥︎, A♠︎, K♠︎ …"
    assert says(answer) == said
    assert table.post_hand(**fields).status_code == 422
    answer = table.preview(**fields, rest="stock")
    assert chips(answer) == {"high": "A", "low": "B", "jack": "B", "game": "A"}
    # Classic: Low belongs to the taker of the trick, whoever played it.
    assert table.post_hand(**fields, rest="stock", **{"by-low": "A"}).status_code == 303
    assert table.totals() == [2, 2]
    assert "low_by" not in table.record()["hands"][0]
    page = table.client.get(f"{table.game}hands/1/")
    assert "rest-is-stock" in checked(page)
    assert says(page) == "Ann bid 2, took 2: +2. Bo and Di +2. Both have 2."


def test_who_played_a_card_that_was_not_dealt_is_not_asked(site: Site) -> None:
    site.start_game("pidro")
    fields = cards(bidder="1", bid="6", trump="C") | piles(A="AC 5C", B="JC")
    assert 'name="by-low"' in site.preview(**fields).text
    answer = site.preview(**fields, rest="stock")
    assert 'name="by-low"' not in answer.text
    assert "Low not dealt" in read(answer)
    assert chips(answer)["low"] == "–"
    assert says(answer) == "Ann bid 6, took 6: +6. Bo and Di +1. Ann and Cy lead 6 to 1."


def test_of_a_stock_the_score_sheet_says_which_points_were_not_dealt(site: Site) -> None:
    """Ann bids 3 and takes nothing: B has the five (5) and was dealt the two."""
    site.start_game("catch-five")
    fields = cards(bidder="1", bid="3", trump="S", rest="stock") | piles(B="5S 2S")
    assert says(site.preview(**fields)) == "Who was dealt the Two?"
    site.post_hand(**fields, **{"by-low": "B"})
    assert site.totals() == [-3, 6]
    sheet = read(site.client.get(site.game))
    assert "B: Five, Two ; Ace, Jack, Ten not dealt" in sheet


def test_a_tie_is_nobodys(table: Site) -> None:
    answer = table.preview(**cards(rest="stock"), **piles(A="AH", B="AD"))
    assert "pile-is-A" in answer.text
    assert "pile-is-buried" not in answer.text  # with a stock, no cards are buried
    assert chips(answer)["game"] == "–"
    assert tally(answer) == ["4", "all counted", "4"]


def test_the_dealt_cards_bear_high_and_low(site: Site) -> None:
    """Double Jack: High and Low count for the player they were dealt to, not for the taker."""
    site.start_game("double-jack")
    lying = piles(A="AH 2H JH JD TS TH TC AS", B="TD", buried="9S 9D 9C 9H")
    answer = site.preview(**cards(**{"by-high": "B", "by-low": "B"}), **lying)
    # A: 10+10+10 + 4+4 + 1+1 = 40, one less than the 41 that Game needs.
    assert chips(answer) == {"high": "B", "low": "B", "right_jack": "A", "left_jack": "A", "game": "?"}
    assert tally(answer) == ["40", "30 left", "10"]


def test_everyone_alone_has_a_pile(site: Site) -> None:
    site.start_game("shankar", players="6", teams="0")
    fields = cards(rest="stock", bid="2") | {"at-AH": "1", "at-2H": "3", "at-JH": "6", "at-TS": "6"}
    answer = site.preview(**fields)
    assert chips(answer) == {"high": "1", "low": "3", "jack": "6", "game": "6"}
    assert tally(answer)[-2:] == ["11", "all counted"]  # not between the first score and the second name
    site.post_hand(**fields)
    assert site.totals() == [-2, 0, 1, 0, 0, 2]  # Ann bid 2 and took only High: set


def test_a_called_partner_shares_the_pile(site: Site) -> None:
    site.start_game("west-michigan-5")
    fields = cards(called="AS", partner="3", bid="4", **{"by-low": "defending"}) | piles(
        bidding="AS KS TS AH KH TH JH XR TC", defending="JD XB 2H", buried="9S 9C 2D 8D"
    )
    assert site.post_hand(**fields).status_code == 303
    # High, Right Jack, Right Joker, Game (45 of 80): 4 for Ann and Cy; Low, Left Jack, Left Joker: 3 for the others.
    assert site.totals() == [4, 3, 4, 3, 3]


def test_a_stored_hand_without_a_word_of_who_played_low_keeps_what_it_scored(six: Site, app: Flask) -> None:
    """The record has Low in the pile that holds it; correcting the bid does not ask who played it."""
    lying = {"A": f"{OURS} TC".split(), "B": THEIRS.split()}
    facts = {"dealer": 6, "bidder": 1, "bid": 3, "trump": "H", "buried": BURIED.split(), "piles": lying}
    with app.app_context():
        record_hand(db.session.scalars(select(Game)).one(), facts, position=1, token="as-imported")
    page = six.client.get(f"{six.game}hands/1/")
    assert "by-low-is-B" in checked(page)
    six.client.post(f"{six.game}hands/1/", data=fields_of(page) | {"do": "save"})
    assert six.record()["hands"] == [facts]
    assert six.client.post(f"{six.game}hands/1/", data=fields_of(page) | {"bid": "4", "do": "save"}).status_code == 303
    assert six.record()["hands"][0]["bid"] == 4
    assert six.totals() == [4, 3]


def test_points_become_cards_and_cards_points(six: Site) -> None:
    """Points that were tapped place their cards; who played Low and the buried cards go along."""
    tapped = {"point-left_jack": "B", "point-right_joker": "A", "point-low": "B"}
    answer = six.preview(detail="cards", was="points", unfold="all", buried=["9C", "2D"], **tapped)
    placed = {"at-JD-is-B", "at-XR-is-A", "at-2H-is-B", "by-low-is-B", "at-9C-is-buried", "at-2D-is-buried"}
    assert placed <= checked(answer)
    assert not {"at-JH-is-A", "at-AH-is-A"} & checked(answer)  # these were not tapped
    answer = six.preview(detail="points", was="cards", **piles(buried="9C 2D"))
    assert {"buried-is-9C", "buried-is-2D"} <= checked(answer)
    lying = piles(A=OURS + " TC AD", B=THEIRS, buried=BURIED)
    answer = six.preview(detail="points", was="cards", **lying, **LOW_IS_THEIRS)
    taken = {"high": "A", "low": "B", "right_jack": "A", "left_jack": "B", "right_joker": "A", "left_joker": "B"}
    assert {f"point-{key}-is-{side}" for key, side in taken.items()} <= checked(answer)
    assert 'id="count-A" value="49"' in answer.text  # 35 + 10 + 4
    assert 'id="count-B" value="31"' in answer.text
    assert 'name="at-QS" value="B"' in answer.text  # and the cards are kept


def test_odd_values_are_no_fault_of_ours(six: Site) -> None:
    for name, value in (("at-AS", "nobody"), ("pile", "x"), ("rest", "stock"), ("detail", "x"), ("by-low", "9")):
        assert six.preview(**(cards() | {name: value})).status_code == 422, name


# --- one side's card points, with a known deck ----------------------------------------------------------------------


@pytest.mark.parametrize(("given", "worked_out"), [("bidding", "defending"), ("defending", "bidding")])
def test_one_count_is_enough_with_a_called_partner_too(site: Site, given: str, worked_out: str) -> None:
    """Five players: 80 in the deck, less 14 of the buried ten and ace; one side has 30, so the other has 36."""
    site.start_game("west-michigan-5")
    fields = {"called": "AS", "partner": "3", "bid": "4", "buried": ["TC", "AD", "9S", "2D"], f"count-{given}": "30"}
    answer = site.preview(**fields)
    assert re.search(rf'id="count-{worked_out}" value=""\s+placeholder="36"', answer.text)
    site.post_hand(**fields, warned="untouched")
    assert site.record()["hands"][0]["game_counts"] == {given: 30, worked_out: 36}
    assert site.totals() == ([6, 1, 6, 1, 1] if given == "bidding" else [7, 0, 7, 0, 0])


def test_a_buried_point_loses_its_side(six: Site) -> None:
    answer = six.preview(**{"point-left_joker": "B"}, buried=["XB", "9C"])
    assert says(answer) == "Ann bid 3, took 6: +6. Nobody else scored. Ann’s team leads 6 to 0."
    answer = six.preview(detail="cards", was="points", **{"point-left_joker": "B"}, buried=["XB", "9C"])
    assert "at-XB-is-buried" in checked(answer)


def tiles(response: TestResponse) -> str:
    """Return the cards that can be put on a pile, in the order of the page."""
    return " ".join(re.findall(r'id="tile-(\w\w)"', response.text))


@pytest.mark.parametrize("rules", ["pidro", "cinch", "california-pedro", "ten-point", "minnesota-smear"])
def test_without_a_point_for_card_points_only_trumps_are_shown_and_none_are_added_up(site: Site, rules: str) -> None:
    """These games have no point for card points, by the reference page."""
    site.start_game(rules)
    page = site.preview(**cards(bid="7", trump="S"))
    assert 'class="tally"' not in page.text
    assert {card for card in tiles(page).split() if card[1] in "HD"} == set()
    assert tiles(page).startswith("AS KS QS JS ")
    assert "AH" in tiles(site.preview(**cards(bid="7", trump="S", unfold="all"))).split()


def test_a_pidro_hand_by_its_six_cards_that_count(site: Site) -> None:
    """A card that is no trump any more is seen, and can be taken out."""
    site.start_game("pidro")
    page = site.preview(**cards(bid="7", trump="S"))
    assert says(page) == "Tap a pile, then its cards."
    page = site.preview(**cards(bid="7", trump="S"), **piles(A="AS"))
    assert says(page) == "Tap any that were played, then “not dealt”: J♠︎, 10♠︎, 5♠︎, 5♣︎, 2♠︎"
    page = site.preview(**cards(bid="7", trump="S"), **piles(A="AS JS TS 5S", B="2S"))
    assert says(page) == "Tap any that were played, then “not dealt”: 5♣︎"
    page = site.preview(**cards(bid="7", trump="S", **LOW_IS_THEIRS), **piles(A="AS JS 5S", B="TS 2S 5C"))
    assert says(page) == "Ann bid 7, took 7: +7. Bo and Di +7. Both have 7."
    page = site.preview(**cards(bid="7", trump="H"), **piles(A="AS", B="AH"))
    assert tiles(page) == "AH KH QH JH TH 9H 8H 7H 6H 5H 5D 4H 3H 2H AS"
    assert {"at-AS-is-A", "at-AH-is-B"} <= set(checked(page))


@pytest.mark.parametrize(
    ("theirs", "said", "totals"),
    [
        ("", None, [5, 0]),  # all cards are A's: the smudge is made
        ("KD", None, [-5, 0]),  # B took a trick
        ("", "nobody", [-5, 0]),  # B took a trick of cards without points
    ],
)
def test_a_smudge_by_its_cards(site: Site, theirs: str, said: str | None, totals: list[int]) -> None:
    site.start_game("partnership")
    fields = cards(bid="smudge", rest="stock") | piles(A="AH TS JH 3H", B=theirs)
    site.post_hand(**fields | ({"point-sweep": said} if said else {}))
    assert site.totals() == totals


def test_a_trick_that_scores_is_asked_for_by_its_place() -> None:
    classic = find_rules("classic").to_dict()
    tricks = [{"key": "opener", "card": "first-trick"}, {"key": "closer", "card": "last-trick"}]
    draft = Draft(Table(RuleSet.from_dict(classic | {"points": [*classic["points"], *tricks]})), 1)
    for points, sentence in (
        ({}, "Who won the first trick? Tap it under points first."),
        ({"opener": "A"}, "Who won the last trick? Tap it under points first."),
        ({"opener": "A", "closer": NOBODY}, ""),
    ):
        assert missing(replace(draft, points=points)) == sentence

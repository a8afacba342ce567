"""Play entered card by card: points follow from it, and revokes are found."""

import re
from html import unescape

import pytest
from werkzeug.test import TestResponse

from tests.web.site import Site, checked, complaints, fields_of, notices, says

# Classic: Ann holds six hearts, Bo three hearts and three spades, Cy six diamonds, Di six clubs; Ann wins every trick.
SWEPT = "AH 8H AD AC KH 7H KD KC QH 2H QD QC JH AS JD JC TH KS TD TC 9H QS 9D 9C"
# West Michigan, four players, Ann bids in hearts: Ann plays the ace, Bo the nine, and so on.
TRICK = "AH 9H TH 2S"
# West Michigan, six players: Cy leads and wins every trick, Bo plays last; the 7 and 2 of diamonds are buried.
SIX_TRICKS = """AH KH QH JH TH 9H  AS KS QS JS TS 9S  AD KD QD TD 9D 8D  AC KC QC JC TC 9C  8S 7S 2S 8C 7C 2C
  JD XR 2H XB 8H 7H"""


def play(**fields: str) -> dict[str, str]:
    return {"detail": "play", "was": "play", "trump": ""} | fields


def turn(response: TestResponse) -> str:
    return unescape(re.search(r'id="turn-to-play">([^<]*)<', response.text)[1])


def revoke(response: TestResponse) -> str:
    found = re.search(r'id="revoke">([^<]*)<', response.text)
    return unescape(found[1]) if found else ""


def plays(response: TestResponse) -> str:
    return re.search(r'name="plays" value="([^"]*)"', response.text)[1]


def classes(response: TestResponse, card: str) -> set[str]:
    return set(re.search(rf'<button class="([^"]*)"\s+id="play-{card}"', response.text)[1].split())


@pytest.fixture
def four(site: Site) -> Site:
    site.start_game("west-michigan-4")
    return site


# cards played | sentence on the page
TURNS = [
    ("", "Ann’s first card sets trump"),
    ("AH", "Trick 1: Bo to play"),
    ("AH 9H TH", "Trick 1: Di to play"),
    ("AH 9H TH 2S", "Trick 2: Ann to lead"),
    ("AH 9H TH 2S KS AS", "Trick 2: Cy to play"),
    ("AH 9H TH 2S KS AS 9S QS", "Trick 3: Bo to lead"),
    ("XR", "A joker was led. What is trump?"),
]


@pytest.mark.parametrize(("cards", "sentence"), TURNS)
def test_whose_turn_it_is(four: Site, cards: str, sentence: str) -> None:
    assert turn(four.preview(**play(plays=cards))) == sentence


def test_after_a_joker_the_bidder_says_what_is_trump_and_elsewhere_first(four: Site) -> None:
    answer = four.preview(**play(play="XR"))
    assert 'id="names-D"' in answer.text
    answer = four.preview(**play(plays="XR", trump="D"))
    assert turn(answer) == "Trick 1: Bo to play"
    four.start_game("double-jack")
    assert turn(four.preview(**play())) == "What is trump?"
    assert plays(four.preview(**play(play="KS"))) == ""
    assert plays(four.preview(**play(play="KS", trump="H"))) == "KS"  # any card may be led


def test_what_takes_one_card_back_and_what_goes_back_to_a_trick_are_not_confused(four: Site) -> None:
    answer = four.preview(**play(plays=f"{TRICK} KS JS")).text
    buttons = re.findall(r'<button[^>]*name="back"[^>]*>(.*?)</button>', answer, re.DOTALL)
    assert [" ".join(re.sub("<[^>]*>", "", button).split()) for button in buttons] == [
        "Take back card", "Change from trick 1",
    ]  # fmt: skip


def test_without_a_script_a_card_is_a_submit_of_the_form(four: Site) -> None:
    answer = four.post_hand(**play(plays="AH", play="9H", do=""))
    assert (answer.status_code, plays(answer)) == (200, "AH 9H")


def test_whoever_did_not_follow_is_not_expected_to_have_that_suit_and_a_revoke_is_named(four: Site) -> None:
    """Di discarded a spade on hearts: trumps are unlikely on Di's turn, not on Cy's."""
    answer = four.preview(**play(plays=f"{TRICK} KS JS AS"))
    assert all("unlikely" in classes(answer, card) for card in ("KH", "JD", "XR"))
    assert "unlikely" not in classes(answer, "9S")
    answer = four.preview(**play(plays=f"{TRICK} KS JS"))
    assert "unlikely" not in classes(answer, "KH")
    answer = four.preview(**play(plays=f"{TRICK} KS JS AS", play="KH"))
    assert revoke(answer) == "Di has a heart (K♥︎), but played 2♠︎ when hearts were led in trick 1."
    assert plays(answer) == f"{TRICK} KS JS AS"  # the card is not played
    assert 'name="back" value="3"' in answer.text
    back = four.preview(**play(plays=f"{TRICK} KS JS AS", back="3"))
    assert turn(back) == "Trick 1: Di to play"


def test_taps_that_come_quicker_than_the_answers_are_all_taken(four: Site) -> None:
    """The second tap was sent from a page without the response to the first."""
    four.preview(**play(token="one page", plays="AH", play="9H"))
    assert plays(four.preview(**play(token="one page", plays="AH", play="TH"))) == "AH 9H TH"
    assert plays(four.preview(**play(token="one page", plays="AH", play="TH"))) == "AH 9H TH"  # a double tap
    assert plays(four.preview(**play(token="another page", plays="AH", play="QH"))) == "AH QH"


def test_a_hand_is_scored_from_its_play_alone(table: Site) -> None:
    answer = table.preview(**play(plays=SWEPT))
    assert says(answer) == "Ann bid 3, took 4: +4. Nobody else scored. Ann and Cy lead 4 to 0."
    assert table.post_hand(**play(plays=SWEPT)).status_code == 303
    assert table.totals() == [4, 0]
    hand = table.record()["hands"][0]
    assert hand["tricks"][0] == {"lead": 1, "cards": ["AH", "8H", "AD", "AC"]}
    assert hand["trump"] == "H"
    assert not {"claims", "piles"} & hand.keys()
    page = table.client.get(f"{table.game}hands/1/")
    assert ("detail-is-play" in checked(page), plays(page), turn(page)) == (True, SWEPT, "All tricks played")
    unfinished = table.post_hand(**play(plays="AH 8H AD AC KH", position="2"))
    assert (unfinished.status_code, complaints(unfinished)) == (422, ["Trick 2: Bo to play"])


def test_the_bidding_and_the_play_together(table: Site) -> None:
    """The play becomes cards and points; after the last trick, a card says that all are played."""
    answer = table.preview(**play(detail="cards", plays=SWEPT))
    assert {"at-AS-is-A", "at-9C-is-A"} & checked(answer) == {"at-AS-is-A"}  # the nine is not shown as a card to tap
    assert 'name="at-9C" value="A"' in answer.text
    answer = table.preview(**play(detail="points", plays=SWEPT, **{"point-low": "B"}))
    assert {"point-high-is-A", "point-low-is-A", "point-jack-is-A"} <= checked(answer)
    assert f'name="plays" value="{SWEPT}"' in answer.text
    assert "All tricks played" in notices(table.preview(**play(trump="H", plays=SWEPT, play="2C", do=None)))
    fields = play(plays=SWEPT, by_seat="on", calls="3 pass pass pass", bidder="", bid="")
    assert table.post_hand(**fields).status_code == 303
    assert table.record()["hands"][0].keys() == {"dealer", "bids", "trump", "tricks"}
    assert table.totals() == [4, 0]


# Ann leads the ace; Bo and Di have no trump in the second trick, Cy in the third, then Ann.
SHORT = "AH 4H 3H 5H KH -2 6H -4 2H -3 -1"


@pytest.fixture
def ten(site: Site) -> Site:
    site.start_game("ten-point")
    return site


def short(**fields: str) -> dict[str, str]:
    return play(**{"trump": "H", "bid": "4"} | fields)


def test_only_trumps_are_there_to_tap_and_whoever_has_none_is_out_of_the_hand(ten: Site) -> None:
    asked = ten.preview(**short(plays="AH 4H 3H 5H KH"))
    assert turn(asked) == "Trick 2: Bo to play"
    assert 'value="-2"' in asked.text
    assert "Bo has no trump" in unescape(asked.text)
    assert turn(ten.preview(**short(plays="AH 4H 3H 5H KH", play="-2"))) == "Trick 2: Cy to play"
    assert turn(ten.preview(**short(plays="AH 4H 3H 5H KH -2 6H", play="-4"))) == "Trick 3: Ann to lead"
    asked = ten.preview(**short(plays="AH"))
    assert " ".join(re.findall(r'id="play-(\w\w)"', asked.text)) == "AH KH QH JH JD XR XB TH 9H 8H 7H 6H 5H 4H 3H 2H"
    assert ("gone" in classes(asked, "AH"), "gone" in classes(asked, "2H")) == (True, False)
    assert not any("suit-starts" in classes(asked, card) for card in ("JD", "TH"))  # trumps stand in their order
    fields = {"bid": "4", "point-three": "B", "point-high": "A"}
    assert says(ten.preview(**fields)) == "Ann bid 4, took 7: +7. Bo and Di +3. Ann and Cy lead 7 to 3."


@pytest.mark.parametrize(("before", "step"), [("", "-1"), ("AH", "-3"), ("AH", "KS")])  # KS is no trump
def test_nobody_is_out_who_could_have_led_nor_out_of_turn(ten: Site, before: str, step: str) -> None:
    assert plays(ten.preview(**short(plays=before, play=step))) == before


def test_a_form_whose_first_step_is_no_card_does_not_break_the_page_of_the_hand(ten: Site) -> None:
    """No page sends it; it is stored, so that the page of the hand has to show it."""
    tapped = ten.preview(**play(bid="4", plays="-1"))
    assert [answer.status_code for answer in (tapped, ten.client.get(f"{ten.game}hands/new"))] == [200, 200]
    assert plays(ten.tap(tapped, back="0")) == ""


def test_a_hand_of_short_tricks_is_saved_and_opened_again(ten: Site) -> None:
    said = "Ann bid 4, took 5: +5. Nobody else scored. Ann and Cy lead 5 to 0."
    assert says(ten.preview(**short(plays=SHORT))) == said
    assert ten.post_hand(**short(plays=SHORT)).status_code == 303
    assert ten.record()["hands"][0]["tricks"] == [
        {"lead": 1, "cards": ["AH", "4H", "3H", "5H"]},
        {"lead": 1, "cards": ["KH", "6H"], "seats": [1, 3]},
        {"lead": 1, "cards": ["2H"], "seats": [1]},
    ]
    assert plays(ten.client.get(f"{ten.game}hands/1/")) == SHORT


# --- conflicting taps: the last one wins ----------------------------------------------------------------------------

LEAD_MAKES_TRUMP = ["five-point", "pedro-sancho", "wisconsin-smear", "nine-point", "auction-pitch-joker"]
CLEARED = "Trump is spades now, so the cards played were cleared."


@pytest.mark.parametrize("rules", LEAD_MAKES_TRUMP)
@pytest.mark.parametrize("way", ["points", "cards", "play"])
def test_a_trump_that_is_tapped_after_the_first_card_clears_the_play_and_says_so(site, rules, way) -> None:
    site.start_game(rules)
    led = site.preview(trump=None, bid="4", detail="play", was="play", play="AD", do=None)
    assert ("trump-is-D" in checked(led), plays(led)) == (True, "AD")
    there = site.tap(led, detail=way)
    tapped = site.tap(there, trump="S")
    assert (notices(tapped)[:1], plays(tapped)) == ([CLEARED], "")
    assert "trump-is-S" in checked(tapped)
    again = site.client.get(f"{site.game}hands/new")
    assert "trump-is-S" in checked(again)
    assert notices(site.tap(tapped, note="So it was"))[:1] != [CLEARED]
    if way == "points":
        saved = fields_of(tapped) | {"do": "save", "warned": ["untouched", "bold", "dealt"]}
        assert site.client.post(f"{site.game}hands/new", data=saved).status_code == 303
        assert site.record()["hands"][0]["trump"] == "S"


@pytest.mark.parametrize("rules", LEAD_MAKES_TRUMP)
def test_a_first_card_that_is_tapped_after_trump_makes_trump_and_says_so(site: Site, rules: str) -> None:
    site.start_game(rules)
    led = site.preview(trump="S", bid="4", detail="play", was="play", play="AD", do=None)
    assert ("trump-is-D" in checked(led), plays(led)) == (True, "AD")
    assert notices(led) == ["A♦︎ was led, so trump is diamonds."]
    back = site.client.get(f"{site.game}hands/new")
    assert ("trump-is-D" in checked(back), plays(back)) == (True, "AD")


def test_cards_tapped_before_the_answer_to_the_first_came_keep_its_trump(site: Site) -> None:
    site.start_game("five-point")
    page = site.preview(trump="S", bid="4", detail="play", was="play", do=None)
    for card in ("AD", "KD", "QD"):
        quick = site.tap(page, play=card)
    assert (plays(quick), notices(quick)) == ("AD KD QD", [])
    assert "trump-is-D" in checked(quick)


@pytest.mark.parametrize(
    ("fields", "card", "why"),
    [
        ({"bidder": None}, "AH", "Who bid? Tap a name first: the bidder leads."),
        ({"plays": TRICK}, "9H", "9♥︎ is already played."),
        ({"buried": ["9H"]}, "9H", "9♥︎ is buried."),
        ({"plays": "XR"}, "AH", "A joker was led. What is trump?"),
    ],
)
def test_a_card_that_is_not_taken_says_why(four: Site, fields: dict[str, str], card: str, why: str) -> None:
    page = four.preview(**play(**fields, play=card, do=None))
    assert notices(page) == [why]
    assert plays(page) == fields.get("plays", "")


def test_the_only_card_left_is_played_by_itself_and_can_be_taken_back(site: Site) -> None:
    site.start_game("west-michigan-6")
    bid = {"bidder": "3", "bid": "2"}
    most, last = SIX_TRICKS.split()[:-1], "7H"
    answer = site.preview(**play(plays=" ".join(most[:-1]), play=most[-1], **bid), buried=["7D", "2D"])
    assert (plays(answer), turn(answer)) == (f"{' '.join(most)} {last}", "All tricks played")
    assert notices(answer) == ["7♥︎ was the only card left."]
    answer = site.preview(**play(plays=plays(answer), back="35", **bid), buried=["7D", "2D"])
    assert plays(answer) == " ".join(most)
    for buried in (["7D"], []):  # the last card may be an unnamed buried one
        answer = site.preview(**play(plays=" ".join(most[:-1]), play=most[-1], **bid), buried=buried)
        assert plays(answer) == " ".join(most)
    # Bo discarded a club on a heart led: when his last card, a heart, is tapped, the revoke is shown.
    revoked = " ".join(most).replace("9H", "no").replace("2C", "7D").replace("no", "2C").split()
    answer = site.preview(**play(plays=" ".join(revoked[:-1]), play=revoked[-1], **bid), buried=["9H", "2D"])
    assert plays(answer) == " ".join(revoked)
    answer = site.preview(**play(plays=" ".join(revoked), play=last, **bid), buried=["9H", "2D"])
    assert "Bo has a heart" in revoke(answer)


def test_a_played_card_can_still_be_tapped_to_be_told_and_takes_the_play_back_if_it_is_buried(four: Site) -> None:
    answer = four.preview(**play(plays=TRICK, buried="KC", do=None))
    assert {card for card in (*TRICK.split(), "KC", "KH") if "gone" in classes(answer, card)} == {*TRICK.split(), "KC"}
    tile = answer.text.partition('id="play-9H"')[2].partition(">")[0]
    assert 'name="play"' in tile and "hx-post" in tile and 'aria-disabled="true"' in tile
    page = four.preview(**play(trump="H", plays=f"{TRICK} KS AS", buried=["KS"], do=None))
    assert (plays(page), turn(page)) == (TRICK, "Trick 2: Ann to lead")
    assert notices(page) == ["K♠︎ is buried now, so it and later cards were cleared."]


def test_points_tapped_against_the_cards_are_told(table: Site) -> None:
    """Ann wins every trick; then High is tapped for Bo's team."""
    played = table.preview(**play(trump="H", plays=SWEPT, do=None))
    changed = table.tap(table.tap(played, detail="points"), **{"point-high": "B"})
    assert "took 3" in says(changed)
    for way in ("play", "cards"):
        assert notices(table.tap(changed, detail=way))[:1] == ["The cards decide High, not your tap under points."]


def test_piles_are_kept_beside_a_trick_that_is_played_after_them(table: Site) -> None:
    """Cards placed by hand stay; taking back a trick removes its cards from the piles."""
    cards = {"at-AS": "B", "at-KS": "B", "detail": "cards", "was": "cards"}
    page = table.tap(table.preview(**cards, do=None), detail="play", plays="AH 8H AD AC")
    assert {"at-AS-is-B", "at-AH-is-A"} <= checked(table.tap(page, detail="cards"))
    again = table.tap(table.tap(page, detail="cards"), detail="play")
    taken_back = table.tap(table.tap(again, back="0"), detail="cards")
    assert "at-AS-is-B" in checked(taken_back)
    assert "at-AH-is-A" not in checked(taken_back)


def test_a_partner_tapped_against_the_cards_played_is_told(site: Site) -> None:
    """Bo plays the called king of diamonds; then Cy is tapped as partner."""
    site.start_game("west-michigan-5")
    played = site.preview(called="KD", detail="play", was="play", plays="AH KD", do=None)
    assert notices(played) == []
    points = site.tap(played, detail="points")
    assert "partner-is-2" in checked(points)
    back = site.tap(site.tap(points, partner="3"), detail="play")
    assert notices(back) == ["The cards played show who had the called card."]
    assert fields_of(back)["partner"] == ["2"]

"""Bidding entered seat by seat."""

import re
from html import unescape

import pytest
from werkzeug.test import TestResponse

from tests.web.site import Site, checked, notices, says


def turn(response: TestResponse) -> str:
    return unescape(re.search(r'id="turn">([^<]*)<', response.text)[1])


def offered(response: TestResponse) -> list[str]:
    """Return the offered calls, in the order of the page."""
    buttons = re.findall(r'<button[^>]*name="call"[^>]*>', response.text)
    return [re.search(r'value="(\w+)"', button)[1] for button in buttons if "disabled" not in button]  # type: ignore[index]


def bidding(site: Site, calls: str, **fields: str) -> TestResponse:
    return site.preview(by_seat="on", calls=calls, bidder=None, bid=None, **fields)


# rules | dealer | calls so far | sentence on the page | offered calls
AUCTIONS = [
    ("classic", "4", "", "Ann to bid", "2 3 4 pass"),
    ("classic", "2", "", "Cy to bid", "2 3 4 pass"),
    ("classic", "4", "2 pass", "Cy to bid", "3 4 pass"),
    ("classic", "4", "2 pass 3", "Di to bid", "4 pass"),
    ("classic", "4", "4", "Bo to bid", "pass"),
    ("classic", "4", "4 pass pass", "Di dealt and can take it for 4", "4 pass"),
    ("classic", "4", "4 pass pass 4", "Di bids 4.", ""),
    ("classic", "4", "pass pass pass", "Di to bid", "2 3 4 pass"),
    ("classic", "4", "pass pass pass pass", "All passed.", ""),
    ("shankar", "4", "pass pass pass", "Di dealt and must bid", "2 3 4"),
    ("partnership", "4", "pass 3 pass", "Di dealt and can take it for 3", "3 4 5 pass"),
    ("double-jack", "4", "1 2 pass pass", "Ann to bid", "3 4 5 pass"),  # several rounds
    ("double-jack", "4", "1 2 pass pass pass", "Bo bids 2.", ""),
    ("double-jack", "4", "5", "Ann bids 5.", ""),  # the highest bid
    ("pedro-sancho", "4", "", "Bo to bid", " ".join(map(str, range(1, 19))) + " pass"),  # Ann, the seller, is last
    ("pedro-sancho", "4", "7 pass pass", "Ann can play it for 7, or sell it", "7 pass"),
    ("pedro-sancho", "4", "7 pass pass pass", "Bo bids 7.", ""),
    ("pedro-sancho", "4", "7 pass pass 7", "Ann bids 7.", ""),
    ("pedro-sancho", "4", "pass pass pass pass", "All passed. Ann plays without a bid.", ""),
]


def test_a_seat_that_may_match_a_bid_dealt_only_if_it_did(site: Site) -> None:
    site.start_game("pidro", house="anyone-takes-a-14")
    said = [turn(bidding(site, calls, dealer="4")) for calls in ("14", "14 14 pass")]
    assert said == ["Bo can take it for 14", "Di dealt and can take it for 14"]


@pytest.mark.parametrize(("rules", "dealer", "calls", "sentence", "legal"), AUCTIONS)
def test_where_the_bidding_is(site: Site, rules: str, dealer: str, calls: str, sentence: str, legal: str) -> None:
    site.start_game(rules)
    answer = bidding(site, calls, dealer=dealer)
    assert turn(answer) == sentence
    assert offered(answer) == legal.replace("pass", "pass rest").split()
    assert (">Sell<" in answer.text) == ("or sell it" in sentence)


@pytest.mark.parametrize(
    ("rules", "calls", "sentence", "heard"),
    [
        ("classic", "pass 2", "Bo bids 2.", "pass 2 pass pass"),
        ("classic", "", "All passed.", "pass pass pass pass"),
        ("shankar", "", "Di dealt and must bid", "pass pass pass"),
        ("double-jack", "1 2", "Bo bids 2.", "1 2 pass pass pass"),
        ("pedro-sancho", "7", "Bo bids 7.", "7 pass pass pass"),  # Ann sells it
    ],
)
def test_the_rest_pass_with_one_tap(site: Site, rules: str, calls: str, sentence: str, heard: str) -> None:
    site.start_game(rules)
    for _ in range(2):  # a double tap is one
        answer = bidding(site, calls, call="rest", token="one page")
        assert turn(answer) == sentence
        assert f'name="calls" value="{heard}"' in answer.text


def test_a_call_is_one_tap_and_so_is_taking_it_back(table: Site) -> None:
    """A double tap is one call; without a script a call submits the form."""
    answer = bidding(table, "2 pass", call="3")
    assert turn(answer) == "Di to bid"
    assert 'name="calls" value="2 pass 3"' in answer.text
    assert turn(bidding(table, "2 pass 3", unsay="2")) == "Cy to bid"
    for _ in range(2):
        answer = bidding(table, "2", call="pass", token="one page")
    assert 'name="calls" value="2 pass"' in answer.text
    answer = table.post_hand(by_seat="on", calls="2", call="pass", bidder=None, bid=None, do=None)
    assert (answer.status_code, turn(answer)) == (200, "Cy to bid")
    assert table.record()["hands"] == []


def test_the_bidding_sets_bidder_and_bid(table: Site) -> None:
    answer = bidding(table, "2 pass 3 pass", **{"point-low": "B"})
    assert says(answer) == "Cy bid 3, took 3: +3. Bo and Di +1. Ann and Cy lead 3 to 1."
    saved = table.post_hand(by_seat="on", calls="2 pass 3 pass", bidder=None, bid=None, **{"point-low": "B"})
    assert saved.status_code == 303
    hand = table.record()["hands"][0]
    assert [call["bid"] for call in hand["bids"]] == [2, "pass", 3, "pass"]
    assert [call["seat"] for call in hand["bids"]] == [1, 2, 3, 4]
    assert table.totals() == [3, 1]
    page = table.client.get(f"{table.game}hands/1/")
    assert (turn(page), 'name="calls" value="2 pass 3 pass"' in page.text) == ("Cy bids 3.", True)
    assert turn(table.client.get(f"{table.game}hands/new")) == "Bo to bid"  # the way is remembered; Ann deals now
    unfinished = table.post_hand(by_seat="on", calls="2 pass", bidder=None, bid=None, position="2", dealer="4")
    assert (unfinished.status_code, says(unfinished)) == (422, "Cy to bid")
    table.post_hand(position="2", **{"point-low": "B"})
    assert 'id="turn"' not in table.client.get(f"{table.game}hands/new").text


def test_all_passed_does_what_the_rules_say(table: Site) -> None:
    answer = bidding(table, "pass pass pass pass", trump="")
    assert says(answer) == "All passed. Both have 0."
    answer = table.post_hand(by_seat="on", calls="pass pass pass pass", bidder=None, bid=None, trump=None)
    assert answer.status_code == 303
    assert table.record()["hands"][0].keys() == {"dealer", "bids"}
    assert "Ann deals" in table.client.get(answer.location).text  # classic: the deal moves on


def test_a_hand_is_sold(site: Site) -> None:
    site.start_game("pedro-sancho")
    said = bidding(site, "7 pass pass pass", trump="H", **{"point-nine": "4", "point-low": "1"})
    assert says(said) == "Bo bid 7, took 8: +8. Ann sold it: +7. Ann +1, Di +9. Now Bo 8."
    saved = site.post_hand(by_seat="on", calls="7 pass pass pass", bidder=None, bid=None, **{"point-nine": "4"})
    assert saved.status_code == 303
    assert site.totals() == [7, 9, 0, 9]


@pytest.mark.parametrize(
    "fields",
    [{"by_seat": "on", "calls": "pass pass pass pass", "bidder": None, "bid": None}, {"bidder": "1", "bid": "0"}],
)
def test_a_hand_is_played_without_a_bid(site: Site, fields: dict[str, str | None]) -> None:
    """Seat by seat, or by a tap on "no bid"; only bids that were made are saved."""
    site.start_game("pedro-sancho")
    page = site.preview(**fields)
    assert "no bid" in page.text or "without a bid" in page.text
    assert says(site.preview(**fields, **{"point-nine": "4"})) == "Ann bid nothing, took 9: +9. Di +9. Now Ann 9."
    assert site.post_hand(**fields, **{"point-nine": "4"}).status_code == 303
    assert site.totals() == [9, 0, 0, 9]
    assert "bid nothing" in " ".join(site.client.get(f"{site.game}board").text.split())


def test_a_special_is_called_by_its_name(site: Site) -> None:
    site.start_game("partnership")
    answer = bidding(site, "5 pass pass pass")
    assert turn(answer) == "Ann bids smudge."
    site.post_hand(by_seat="on", calls="5 pass pass pass", bidder=None, bid=None)
    site.post_hand(by_seat="on", calls="5 pass pass pass", bidder=None, bid=None, warned="untouched")
    assert site.record()["hands"][0]["bids"][0] == {"seat": 1, "bid": "smudge"}


def test_switching_keeps_what_is_known(table: Site) -> None:
    answer = table.preview(by_seat="on", bidder="3", bid="4", **{"point-low": "B"})
    assert 'name="bidder" value="3"' in answer.text
    assert 'name="bid" value="4"' in answer.text
    assert turn(answer) == "Cy bids 4."
    half = table.preview(by_seat="on", bidder="3", bid=None, trump=None)
    assert turn(half) == says(half) == "Ann to bid"
    assert table.preview(bidder="3", bid="4", calls="2 pass").status_code == 200


# --- conflicting taps: the last one wins ----------------------------------------------------------------------------


def test_a_bidder_tapped_after_the_bidding_seat_by_seat_clears_it_and_says_so(table: Site) -> None:
    """Ann bids 3 and all others pass; then Bo is tapped as bidder, without the calls."""
    heard = table.preview(bidder=None, bid=None, by_seat="on", calls="3 pass pass pass", dealer="4", do=None)
    assert says(heard).startswith("Ann bid 3")
    alone = table.tap(heard, by_seat=None)
    assert (says(alone), notices(alone)[:1]) == (says(heard), notices(heard)[:1])
    changed = table.tap(alone, bidder="2")
    assert notices(changed)[0] == "The bid was changed, so the other bids were cleared."
    assert says(table.tap(changed, by_seat="on")).startswith("Bo bid 3")


def test_without_all_bids_the_highest_bid_so_far_is_the_bid(table: Site) -> None:
    heard = table.preview(bidder=None, bid=None, by_seat="on", calls="2 3", dealer="4", do=None)
    alone = table.tap(heard, by_seat=None)
    assert {"bidder-is-2", "bid-is-3"} <= checked(alone)
    again = table.tap(alone, by_seat="on")
    assert (turn(again), notices(again)) == ("Cy to bid", [])
    higher = table.tap(table.tap(again, call="4"), by_seat=None)
    assert {"bidder-is-3", "bid-is-4"} <= checked(higher)
    changed = table.tap(higher, bidder="1")
    assert notices(changed)[0] == "The bid was changed, so the other bids were cleared."
    assert {"bidder-is-1", "bid-is-4"} <= checked(changed)


def test_a_call_that_is_not_taken_says_why(table: Site) -> None:
    low = table.preview(bidder=None, bid=None, by_seat="on", calls="3", dealer="4", call="2", do=None)
    assert notices(low) == ["That bid is not allowed now."]
    assert 'name="calls" value="3"' in low.text
    over = table.preview(bidder=None, bid=None, by_seat="on", calls="3 pass pass pass", dealer="4", call="4", do=None)
    assert notices(over)[0] == "The bidding is over."
    cut = table.preview(bidder=None, bid=None, by_seat="on", calls="3 2", dealer="4", do=None)
    assert notices(cut) == ["Bids that are no longer allowed were cleared."]

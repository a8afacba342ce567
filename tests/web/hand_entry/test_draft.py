"""Drafts: an unsaved hand is kept on the server, and any phone can continue it."""

import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.site import Site, checked, says


def page(site: Site, where: str = "hands/new") -> TestResponse:
    return site.client.get(f"{site.game}{where}")


def other_phone(app: Flask, table: Site) -> Site:
    other = Site(app.test_client())
    other.club, other.game = table.club, table.game
    return other


def meanwhile(response: TestResponse) -> str:
    """Return the message on a correction whose hand was changed meanwhile."""
    flashes = re.findall(r'class="flash" role="status">([^<]*)<', response.text)
    return " ".join(unescape(text) for text in flashes if "changed this hand too" in text)


@pytest.mark.parametrize(("fields", "status"), [({"do": "preview"}, 200), ({"trump": None}, 422)])
def test_a_plain_submit_and_a_hand_that_was_refused_are_kept_as_well(table, fields, status) -> None:
    assert table.post_hand(bidder="2", **fields).status_code == status
    assert "bidder-is-2" in checked(page(table))


def test_a_hand_goes_on_where_it_was_left_on_any_phone(app: Flask, table: Site) -> None:
    """As it was tapped and typed."""
    table.preview(**{"bidder": "2", "bid": None, "trump": "S", "point-low": "A", "token": "mine"})
    for again in (page(table), page(other_phone(app, table))):
        assert {"bidder-is-2", "trump-is-S", "point-low-is-A"} <= checked(again)
        assert "bid-is-3" not in checked(again)
        assert 'name="token" value="mine"' not in again.text
    table.preview(**{"point-low": "B"})
    assert says(page(table)) == "Ann bid 3, took 3: +3. Bo and Di +1. Ann and Cy lead 3 to 1."
    table.preview(**{"count-A": "4o"})
    again = page(table).text
    assert 'value="4o"' in again
    assert "Card points are a number" in again


def test_clear_is_one_tap(table: Site) -> None:
    assert "Clear" not in page(table).text
    table.preview(bidder="2")
    assert "Clear" in page(table).text
    answer = table.post_hand(do="clear")
    assert (answer.status_code, answer.location) == (303, f"{table.game}hands/new")
    assert not any(name.startswith("bidder") for name in checked(page(table)))
    assert "Clear" not in page(table).text
    table.post_hand(**{"point-low": "B"})
    table.preview(hand_version="1", bidder="3")
    answer = table.correct(1, 1, do="clear")
    assert answer.location == f"{table.game}hands/1/"
    assert "bidder-is-1" in checked(page(table, "hands/1/"))


def test_what_was_tapped_of_a_hand_goes_on_as_the_one_before_it_is_undone(table: Site) -> None:
    """Di deals hand 1 and Ann hand 2; after undo, the draft of hand 2 is of hand 1."""
    table.post_hand(**{"point-low": "B"})
    table.preview(position="2", bidder="2", dealer="1", **{"point-low": "A"})
    table.client.post(f"{table.game}undo", data={"token": "back", "game_version": "1", "back": "hand"})
    again = page(table)
    assert ">Hand 1</h1>" in again.text
    assert {"bidder-is-2", "dealer-is-4"} <= checked(again)
    assert 'name="position" value="1"' in again.text
    saved = table.post_hand(bidder="2", dealer="4", **{"point-low": "A"})
    assert saved.status_code == 303
    assert table.totals() == [1, 3]


def test_a_correction_goes_on_where_it_was_left_unless_the_hand_has_changed_since(table: Site) -> None:
    """A preview that comes late opens no saved hand again."""
    table.post_hand(**{"point-low": "B"})
    table.preview(bidder="2")  # of hand 1, which is saved
    assert not any(name.startswith("bidder") for name in checked(page(table)))
    assert "bidder-is-1" in checked(page(table, "hands/1/"))
    table.preview(hand_version="1", bidder="3")
    assert "bidder-is-3" in checked(page(table, "hands/1/"))
    assert meanwhile(page(table, "hands/1/")) == ""
    assert not any(name.startswith("bidder") for name in checked(page(table)))
    table.preview(hand_version="1", bidder="3", **{"point-low": "B", "point-jack": "B"})
    table.correct(1, 1, bid="2", **{"point-low": "B"})
    table.preview(hand_version="1", bidder="3", **{"point-low": "B", "point-jack": "B"})
    again = page(table, "hands/1/")
    assert {"bidder-is-1", "bid-is-2"} <= checked(again)
    assert "Another phone changed this hand too." in meanwhile(again)
    assert "Cy" in meanwhile(again)
    assert "Jack" in meanwhile(again)


def test_another_club_sees_nothing_of_it(client: FlaskClient, table: Site) -> None:
    table.preview(bidder="2")
    stranger = Site(client)
    stranger.start_club("Others")
    stranger.start_game("classic")
    assert not any(name.startswith("bidder") for name in checked(page(stranger)))
    stranger.start_game("classic", **{"name-1": "Zoe"})
    assert says(stranger.preview()).startswith("Zoe")


TO = "\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}"  # no line of the head ends within "4 to 0" or "first to 11"


def busy(site: Site, position: int, version: str) -> str:
    """Return the live message in the head of a page that has the hand open since `version`."""
    head = page(site, f"hands/{position}/now?version={version}")
    found = re.search(r'id="busy">\s*([^<]*)<', head.text)
    return unescape(found[1]) if found else ""


def test_a_phone_alone_is_not_another_phone_while_its_first_tap_is_on_its_way(app: Flask, table: Site) -> None:
    cookie = str(app.config["SESSION_COOKIE_NAME"])
    page(table)
    opened = table.client.get_cookie(cookie)
    assert opened is not None
    table.preview(bidder="2")
    asking = other_phone(app, table)
    assert busy(asking, 1, "") == "Another phone is also entering hand 1."
    assert busy(asking, 1, "&clear=1") == "Another phone began this hand."
    assert "Another phone began this hand." in page(asking).text
    asking.client.set_cookie(cookie, opened.value)
    assert busy(asking, 1, "") == f"Di deals · first{TO}11"
    for bidder in "34":
        other_phone(app, table).preview(bidder=bidder)
    assert busy(asking, 1, "") == "Another phone is also entering hand 1."


def test_clear_on_a_page_of_a_hand_that_was_saved_meanwhile_clears_nobody_elses(app: Flask, table: Site) -> None:
    mine = table.hand() | {"do": "clear"}
    other = other_phone(app, table)
    other.post_hand()
    other.preview(position="2", bidder="2")
    table.client.post(f"{table.game}hands/new", data=mine)
    assert "bidder-is-2" in checked(page(other))
    table.client.post(f"{table.game}hands/new", data=mine | {"position": "2"})
    assert "bidder-is-2" not in checked(page(other))


def test_a_page_that_has_the_hand_open_says_who_saved_or_corrected_it(app: Flask, table: Site) -> None:
    """Beside the button Compare, and not in the head too."""
    other = other_phone(app, table)

    def said(position: int, version: str = "") -> str:
        answer = other.preview(position=str(position), hand_version=version)
        assert "Compare</button>" in answer.text
        assert not re.search(r"saved|corrected", busy(other, position, version))
        return says(answer)

    table.post_hand()
    assert said(1) == "Another phone saved hand 1."
    table.correct(1, 1, bid="4")
    assert said(1, "1") == "Another phone corrected hand 1."
    table.client.post(f"{table.club}device", data={"whose": "Ann"})
    table.correct(1, 2, bid="2")
    assert said(1, "2") == said(1) == "Ann corrected hand 1."
    table.post_hand(position="2")
    assert said(2) == "Ann saved hand 2."


def test_each_phone_opens_a_hand_in_the_way_of_its_last(app: Flask, table: Site) -> None:
    """Phones without one use the game's latest. A way tapped first survives a reload, but only until the next hand, if
    nothing is entered in it.
    """
    other, third = other_phone(app, table), other_phone(app, table)
    table.post_hand(detail="points")
    table.preview(position="2", bidder=None, bid=None, trump=None, by_seat="on", detail="cards", was="points")
    assert busy(third, 2, "") == f"Ann deals · first{TO}11"
    assert {"detail-is-cards", "by_seat-is-on"} <= checked(page(table)) and "detail-is-points" in checked(page(other))
    bidding = {"by_seat": "on", "bidder": None, "bid": None}
    other.post_hand(position="2", calls="pass 3 pass pass", **bidding)
    table.post_hand(position="3", detail="cards", do="passed")
    assert {"detail-is-points", "by_seat-is-on"} & checked(page(table)) == {"detail-is-points"}
    assert "by_seat-is-on" not in checked(page(third))  # the game's latest hand
    assert {"detail-is-points", "by_seat-is-on"} <= checked(page(other))
    table.post_hand(position="4", calls="pass pass pass pass", **bidding, trump=None)
    assert {"detail-is-points", "by_seat-is-on"} <= checked(page(table)) & checked(page(third))


def test_a_hand_that_won_the_game_says_who_won_and_leads_to_the_result(app: Flask, site: Site) -> None:
    site.start_game(target="4")
    other = other_phone(app, site)
    site.post_hand()
    assert says(other.preview()) == "Another phone saved hand 1. Ann and Cy win!"
    assert f'id="way-on" href="{site.game}">See the result</a>' in page(other, "hands/1/now?version=").text


def test_a_hand_that_another_saved_is_compared_as_far_as_it_is_tapped_and_names_no_next_dealer(app, table) -> None:
    """Nor does a page with an error, which has no version of the game."""
    other = other_phone(app, table)
    table.post_hand()
    answer = other.post_hand(bidder="2", trump=None, warned=None)
    assert answer.status_code == 409
    assert '<th scope="row">Bidder</th><td class="differs">Ann</td><td class="differs">Bo</td>' in answer.text
    assert '<th scope="row">Trump</th><td>hearts</td><td></td>' in answer.text
    assert f'id="keep" href="{table.game}hands/new"' in answer.text
    asked = f"{table.game}hands/1/now?version="
    for shown in ('W/"0.x"', 'W/""'):
        head = other.client.get(asked, headers={"If-None-Match": shown})
        assert head.status_code == 200
        assert " deals" not in head.text


def test_a_page_of_the_next_hand_says_which_other_hand_was_changed(app: Flask, table: Site) -> None:
    other = other_phone(app, table)
    table.post_hand()
    shown = other.client.get(f"{table.game}hands/2/now?version=").headers["ETag"]
    table.correct(1, 1, bid="4")
    head = other.client.get(f"{table.game}hands/2/now?version=", headers={"If-None-Match": shown})
    assert "Another phone corrected hand 1. Ann deals." in head.text
    table.client.post(f"{table.club}device", data={"whose": "Ann"})
    table.client.post(f"{table.game}undo", data={"token": "undo", "game_version": "2"})
    head = other.client.get(f"{table.game}hands/2/now?version=", headers={"If-None-Match": head.headers["ETag"]})
    assert "Ann undid hand 1’s correction. Ann deals." in head.text
    told = []
    for step, form in (("seat", {"seat": "2", "who": "Gil"}), ("undo", {"game_version": "4"})):
        table.client.post(f"{table.game}{step}", data={"token": f"{step} 2", **form})
        head = other.client.get(f"{table.game}hands/2/now?version=", headers={"If-None-Match": head.headers["ETag"]})
        sheet = other.client.get(f"{table.game}now", headers={"If-None-Match": 'W/"3"'})
        told += [re.search(r">\s*((?:\w+ for \w+\. ?)+[^<]*)<", page.text)[1] for page in (head, sheet)]
    here, back = "Gil for Bo.", "Bo for Gil."
    assert told == [f"{here} Ann deals.", here, f"{back} Ann deals.", f"{here} {back} Now 4 to 0."]


def test_a_page_whose_hand_is_not_the_next_any_more_says_so_and_leads_on(app: Flask, table: Site) -> None:
    other = other_phone(app, table)
    for position in "12":
        table.post_hand(position=position)
    assert 'id="way-on"' not in page(other, "hands/3/now?version=").text
    table.step("undo", game_version="2")
    assert busy(other, 3, "") == "A hand was removed."
    head = other.client.get(f"{table.game}hands/3/now?version=", headers={"If-None-Match": 'W/"2.x"'})
    following = unescape(re.findall(r'id="way-on" href="([^"]+)"', head.text)[0])
    assert following == f"{table.game}hands/new?since=2"
    said = re.search(r'id="busy">\s*([^<]*)<', other.client.get(following).text)[1]
    assert said == "Another phone undid hand 2. Ann deals."
    for position in (1, 3):
        head = page(other, f"hands/{position}/now?version=").text
        assert f'id="way-on" href="{table.game}hands/new">Enter hand 2</a>' in head
    for odd in ("-" + "9" * 30, "9" * 30, "x"):
        assert other.client.get(f"{table.game}hands/new?since={odd}").status_code == 200


def test_a_page_with_nothing_of_this_phone_on_it_is_untouched(app: Flask, table: Site) -> None:
    """Such a page goes on when another phone saves the hand, which must not discard taps of this phone."""
    other = other_phone(app, table)
    assert "data-untouched" in page(table).text
    other.preview(bidder="2")
    assert "data-untouched" in page(table).text  # tapped on the other phone
    assert "data-untouched" not in page(other).text
    table.preview(bidder="3")
    assert "data-untouched" not in page(table).text
    assert "data-untouched" not in page(other).text

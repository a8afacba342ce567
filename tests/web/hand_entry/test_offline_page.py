"""The offline page, saving of hands that waited, and the list of pages for a phone to cache."""

import json
import re
from html import unescape

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Game
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import drafts
from scorekeeper.web.common.fields import HAND_FORM
from scorekeeper.web.hand_entry.draft import inputs_of
from tests.web.site import Site

LATER = {"X-Waiting": "later"}


def data_of(page, name):
    return json.loads(re.search(rf'<script type="application/json" id="{name}"[^>]*>(.*?)</script>', page)[1])


def send(site, **fields):
    data = site.hand(**{"version": str(HAND_FORM), "warned": ["untouched"]} | fields)
    return site.client.post(f"{site.game}hands/new", data=data, headers=LATER)


@pytest.mark.parametrize("rules", ["classic", "west-michigan-6", "west-michigan-5", "partnership", "shankar"])
def test_the_page_for_no_signal_has_what_can_be_tapped_and_nothing_that_was(site, rules):
    site.start_game(rules)
    site.preview(bidder="2", detail="cards")
    page = site.client.get(f"{site.game}hands/offline").text
    told = data_of(page, "offline-game")
    assert told["now"] == data_of(site.client.get(f"{site.game}hands/new").text, "game-now")
    for point in told["table"]["points"]:
        assert f'id="row-{point["key"]}"' in page
    assert " checked" not in page


def test_a_hand_that_waited_is_answered_plainly_is_one_when_sent_again_and_asks_what_the_phone_asks_alone(table):
    first, again = send(table, token="a-hand"), send(table, token="a-hand")
    for answer in (first, again):
        told = answer.get_json()
        assert (answer.status_code, told["saved"], told["position"]) == (200, True, 1)
        assert (told["game"]["position"], told["game"]["dealer"], told["game"]["totals"]) == (2, 1, {"A": 4, "B": 0})
    assert len(table.record()["hands"]) == 1
    assert "Hand 1 saved" not in table.client.get(f"{table.game}hands/new").text
    odd = send(table, token="odd", position="2", dealer="2")  # out of turn, which a page would ask about
    assert (odd.status_code, odd.get_json()["saved"]) == (200, True)
    assert send(table, token="another", position="3", warned=[]).status_code == 422


def test_a_hand_of_another_phone_in_its_place_is_a_conflict_for_one_that_waited(table):
    table.post_hand()
    answer = send(table, bid="2")
    assert answer.status_code == 409
    assert (answer.get_json()["game"]["position"], answer.get_json()["game"]["totals"]) == (2, {"A": 4, "B": 0})
    page = table.post_hand(bid="2")
    assert page.status_code == 409
    assert 'data-waiting="token-' in page.text


@pytest.mark.parametrize("rules", ["classic", "west-michigan-5", "west-michigan-6"])
def test_the_next_hand_comes_with_the_answer_as_its_address_shows_it(site, rules):
    """Also with a draft by another phone; hands that waited get no next page."""
    site.start_game(rules)
    for position, tapped in enumerate([{}, {"bidder": ["2"]}, {"detail": ["play"]}], 1):
        if tapped:
            with site.client.application.app_context():
                game = db.session.scalars(select(Game.id)).one()
                drafts.keep(game, position + 1, tapped | {"hand_version": [""]}, None)
        data = site.hand(position=str(position), do="passed", dealer=None)
        answer = site.client.post(f"{site.game}hands/new", data=data, headers={"X-Waiting": "now"}).get_json()
        assert (answer["saved"], answer["next"]) == (True, f"{site.game}hands/new")
        said = re.search(r'id="saved">(.*?) </p>', answer["page"])[1]
        assert said.startswith(f"Hand {position} saved. All passed.")
        with site.client.session_transaction() as session:
            session["_flashes"] = [("saved", unescape(said))]
        page = without_tokens(site.client.get(answer["next"]).text)
        assert without_tokens(answer["page"]) == page
        assert ("Clear" in page) == ("bidder" in tapped)  # a way of entry alone is no draft to clear
    assert "page" not in send(site, position="4", do="passed", dealer=None).get_json()


def without_tokens(page):
    return re.sub(r'(name="csrf_token" value|name="token" value|value)="(undo-|redo-)?[\w.-]{22,}"', "", page)


def test_a_form_from_before_an_update_is_shown_again_with_what_was_entered(table):
    answer = send(table, version=str(HAND_FORM + 1))
    assert answer.status_code == 422
    assert "Scorekeeper was updated. Check the hand, then save again." in answer.text
    assert 'id="trump-is-H" checked' in answer.text
    assert f'name="version" value="{HAND_FORM}"' in answer.text
    assert table.record()["hands"] == []


def test_the_version_of_the_form_is_of_these_fields():
    """After changing these fields, add one to HAND_FORM and update this list: waiting hands have the old ones."""
    assert HAND_FORM == 2
    tables = Table(find_rules("west-michigan-5")), Table(find_rules("all-fours"))  # that one turns up trump
    assert sorted({read.of for table in tables for read in inputs_of(table).values()}) == [
        *("beg", "bid", "bidder", "buried", "by_seat", "called", "calls", "counts", "dealer", "detail", "hand_version"),
        *("note", "partner", "pile", "placed", "played_by", "plays", "points", "position", "rest", "step"),
        *("trump", "turned", "unfold", "version", "warned", "was"),
    ]


def test_a_page_says_for_whom_it_is_and_a_stranger_gets_no_such_word(table):
    club, game = (table.client.get(address).headers["X-Kept-For"] for address in (table.club, table.game))
    other = Site(table.client)
    other.start_club("Another table")
    assert club == game
    assert len({club, other.client.get(other.club).headers["X-Kept-For"], "-"}) == 3
    for address in ("/", "/rules/", "/offline", "/c/nobody-knows-this-one/"):
        assert table.client.get(address).headers["X-Kept-For"] == "-"


def test_the_worker_is_asked_for_anew_and_names_what_it_keeps(site):
    answer = site.client.get("/sw.js")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.mimetype == "text/javascript"
    kept = json.loads(answer.text.split("\n")[0].removeprefix("const KEPT = ").removesuffix(";"))
    for address in [*kept["files"], kept["unseen"], *kept["rules"][:2]]:
        assert site.client.get(address).status_code == 200, address
    assert not [file for file in kept["files"] if "/sw." in file]  # browsers store the service worker themselves


LOADED = re.compile(r'<(?:script [^>]*src|link rel="(?:stylesheet|manifest)" href)="(/[^"]+)"')


@pytest.mark.parametrize(("name", "most"), [("new", 8), ("offline", 9)])
def test_hand_entry_sends_at_most_60_kb_in_few_requests_until_it_is_loaded(app, site, name, most):
    """Compressed as a browser requests it: page, style sheet, scripts, htmx, manifest.

    The icon, the live stream and the service worker are requested after the load event. With htmx from its CDN, the
    script that loads it is one more request.
    """
    app.config["HTMX_LOCAL"] = True
    site.start_game("west-michigan-6")
    address = f"{site.game}hands/{name}"
    asked = [address, *LOADED.findall(site.client.get(address).text)]
    answers = [site.client.get(one, headers={"Accept-Encoding": "gzip, br"}) for one in asked]
    assert {answer.headers.get("Content-Encoding") for answer in answers if "manifest" not in answer.mimetype} == {"br"}
    sizes = {one: len(answer.data) for one, answer in zip(asked, answers, strict=True)}
    assert len(sizes) <= most, sizes
    assert sum(sizes.values()) <= 60_000, sizes

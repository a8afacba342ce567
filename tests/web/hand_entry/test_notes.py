"""Additions to a hand: a note, adjustments, and who played the card of a point."""

import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.models import Club
from scorekeeper.scoring.game import score_game
from scorekeeper.scoring.record import read_game
from tests.web.games.test_adjust import adjust
from tests.web.hand_entry.test_views import game_with
from tests.web.site import Site, complaints


def hand(site: Site, position: int = 1) -> dict[str, Any]:
    return dict(site.record()["hands"][position - 1])


def note_on(site: Site, path: str) -> str:
    """Return the value of the field for the note."""
    found = re.search(r'name="note"[^>]* value="([^"]*)"', site.client.get(f"{site.game}hands/{path}").text)
    return unescape(found.group(1)) if found else "no field"


def version(site: Site) -> int:
    found = re.search(r'name="hand_version" value="(\d+)"', site.client.get(f"{site.game}hands/1/").text)
    assert found
    return int(found.group(1))


def test_a_note_is_saved_with_its_hand(table: Site) -> None:
    """It survives a tap and a reload; a correction changes and removes it."""
    assert 'value="a “quick” one"' in unescape(table.preview(note="a “quick” one").text)
    assert note_on(table, "new") == "a “quick” one"
    answer = table.post_hand(note="x" * 301)
    assert answer.status_code == 422
    assert complaints(answer) == ["This note is too long. Shorten it to 300 letters."]
    assert f'value="{"x" * 301}"' in answer.text
    assert table.record()["hands"] == []
    table.post_hand(note="  misdeal,   dealt again ")
    assert hand(table)["note"] == note_on(table, "1/") == "misdeal, dealt again"
    table.post_hand(position="2", note="")
    assert "note" not in hand(table, 2)
    table.post_hand(position="3", do="passed", note="misdeal")
    assert hand(table, 3)["note"] == "misdeal"
    table.correct(1, version(table), note="no revoke after all")
    assert hand(table)["note"] == "no revoke after all"
    table.correct(1, version(table), note="")
    assert "note" not in hand(table)


def test_a_note_is_kept_where_two_phones_meet(table: Site) -> None:
    table.post_hand(**{"point-low": "B"})
    answer = table.post_hand(note="mine")
    assert answer.status_code == 409
    assert '<input type="hidden" name="note" value="mine">' in answer.text


def test_a_correction_keeps_the_adjustments_of_its_hand(table: Site) -> None:
    table.post_hand()
    adjust(table)
    told = [{"unit": "B", "points": -2, "reason": "revoke"}]
    assert hand(table)["adjustments"] == told
    table.correct(1, version(table), bid="2")
    assert (hand(table)["bid"], hand(table)["adjustments"]) == (2, told)
    assert table.totals() == [4, -2]


@pytest.fixture
def jacks(client: FlaskClient, club: Club) -> Site:
    """Double Jack with Left Jack for its holder and Right Jack for its keeper, like High and Low."""
    options = {"points.left_jack.owner": "holder", "points.right_jack.owner": "keeper"}
    return game_with(client, club, options, rules="double-jack")


def test_every_point_that_is_its_players_is_asked_for(jacks: Site) -> None:
    page = unescape(jacks.preview(detail="cards").text)
    asked = re.findall(r'name="by-(\w+)" value="A"', page)
    assert asked == ["high", "low", "right_jack", "left_jack"]
    assert len(re.findall("who was dealt it", page)) == 3
    assert len(re.findall("who played it", page)) == 1


def test_a_point_that_is_worth_more_than_one_says_so_and_a_low_that_is_the_2_whose_it_is(site: Site) -> None:
    site.start_game("pedro-sancho")
    page = unescape(site.preview().text)
    assert re.findall(r'class="hint">(\d points[^<]*)<', page) == ["5 points", "9 points"]
    site.start_game("pidro")
    assert re.findall(r'class="hint">([^<]*)<', site.preview().text.partition('id="row-low"')[2])[0] == "who played it"


def test_who_played_a_jack_is_saved_and_scored(jacks: Site) -> None:
    """A captured all cards with points, but both jacks, High and Low were played by B."""
    won = "KH JH JD 2H TC AS KS QS JS TS AD KD QD TD AC KC QC JC AH QH TH 9H 9S 9D"
    at = {f"at-{card}": "A" for card in won.split()}
    by = dict.fromkeys(("by-high", "by-low", "by-left_jack", "by-right_jack"), "B")
    fields = {"detail": "cards", "buried": ["9C", "2S", "2D", "2C"], **at, **by}
    assert jacks.post_hand(**fields).status_code == 303
    facts = hand(jacks)
    assert (facts["low_by"], facts["high_by"]) == ("B", "B")
    assert facts["played_by"] == {"left_jack": "B", "right_jack": "B"}
    points = score_game(read_game(jacks.record())).hands[0].points
    assert {key: score.side for key, score in points.items()} == {
        "high": "B", "low": "B", "right_jack": "B", "left_jack": "B", "game": "A"
    }  # fmt: skip
    again = jacks.client.get(f"{jacks.game}hands/1/").text
    for name in by:
        assert f'id="{name}-is-B" checked' in again

"""Adjustments of the score with a reason: the form, its errors, and where they are shown."""

import re
from html import unescape

import pytest

from tests.classic import FOUR, record
from tests.web.site import Site, complaints


def adjust(site: Site, **fields: str):
    """Send the form of the page with these fields changed."""
    page = site.client.get(f"{site.game}adjust").text
    hidden = dict(re.findall(r'name="(token|hand_version)" value="([^"]*)"', page))
    typed = {"unit": "B", "points": "-2", "reason": "revoke"}
    return site.client.post(f"{site.game}adjust", data=hidden | typed | fields)


@pytest.fixture
def played(table: Site) -> Site:
    """A game after one hand: Ann's team has 4, Bo's 0."""
    table.post_hand()
    return table


def sheet(site: Site) -> str:
    return unescape(site.client.get(site.game).text)


def test_a_score_is_adjusted_with_a_reason(played: Site) -> None:
    answer = adjust(played)
    assert (answer.status_code, answer.location) == (303, played.game)
    page = sheet(played)
    assert "Score adjusted. Bo and Di −2: revoke" in page
    assert '<div class="adjusted">Bo and Di −2: revoke</div>' in page
    assert "corrected</small>" not in page
    assert played.totals() == [4, -2]
    assert played.record()["hands"][0]["adjustments"] == [{"unit": "B", "points": -2, "reason": "revoke"}]
    board = unescape(played.client.get(f"{played.game}board").text)
    assert re.findall(r'class="digits num"[^>]*>([^<]+)<', board) == ["4", "−2"]
    assert "Bo and Di −2:\u00a0revoke" in board
    for page in ("history", "record"):
        assert "Bo and Di −2 (revoke)" in unescape(played.client.get(f"{played.game}{page}").text)
    adjust(played, points="1", reason="no revoke")
    history = unescape(played.client.get(f"{played.game}history").text)
    assert "Bo and Di −2 (revoke); Bo and Di +1 (no revoke)" in history


def test_an_adjustment_after_a_substitution_names_who_played_the_hand(played: Site) -> None:
    played.client.post(f"{played.game}seat", data={"seat": "4", "who": "Gil"})
    page = unescape(played.client.get(f"{played.game}adjust").text)
    assert ("Bo and Di</span>" in page, "Bo and Gil</span>" in page) == (True, False)
    adjust(played)
    page = sheet(played)
    assert "Score adjusted. Bo and Di −2: revoke" in page
    assert '<div class="adjusted">Bo and Di −2: revoke</div>' in page


def test_an_old_form_with_another_adjustment_changes_nothing_and_says_so(played: Site) -> None:
    for _ in range(2):
        adjust(played, token="once", hand_version="1")
        assert "Score adjusted. Bo and Di −2: revoke" in sheet(played)
    answer = adjust(played, token="once", hand_version="1", points="-3")
    assert answer.location == f"{played.game}adjust"
    assert "changed this game. Look at the score, then adjust it again." in played.client.get(answer.location).text
    assert played.totals() == [4, -2]


def test_two_adjustments_add_up_and_each_is_undone(played: Site) -> None:
    adjust(played)
    adjust(played, unit="A", points="+3", reason="a point that was forgotten")
    assert played.totals() == [7, -2]
    for _ in range(2):  # sent twice, it undoes once
        played.step("undo", token="once")
    assert played.totals() == [4, -2]
    played.step("undo")
    assert played.totals() == [4, 0]
    played.step("redo")
    assert played.totals() == [4, -2]


def test_a_form_from_before_another_change_adjusts_nothing(played: Site) -> None:
    adjust(played)
    answer = adjust(played, hand_version="1", unit="A", points="1", reason="late")
    assert answer.location == f"{played.game}adjust"
    assert "Another phone changed this game." in played.client.get(answer.location).text
    assert played.totals() == [4, -2]


def test_what_is_wrong_is_said_beside_its_field_and_what_was_typed_stays(played: Site) -> None:
    for points in ("", "0", "two", "1000", "-1000", "--2", "1.5", "9" * 400, "²"):
        answer = adjust(played, points=points)
        assert answer.status_code == 422
        assert complaints(answer) == ["Enter a whole number from −999 to 999, and not 0."]
        assert f'name="points" value="{points}"' in answer.text
        assert 'value="B" id="unit-is-B" checked' in answer.text
        assert 'name="reason" value="revoke"' in answer.text
    for fields, said in (
        ({"unit": ""}, "Tap whose score changes."),
        ({"unit": "Z"}, "Tap whose score changes."),
        ({"reason": "  "}, "Say why, for example: revoke."),
        ({"reason": "x" * 301}, "Use at most 300 letters."),
    ):
        answer = adjust(played, **fields)
        assert (answer.status_code, complaints(answer)) == (422, [said])
    assert played.totals() == [4, 0]
    adjust(played, points="−3")  # a minus as a phone writes it
    assert played.totals() == [4, -3]


def test_before_the_first_hand_there_is_nothing_to_adjust(table: Site) -> None:
    assert "Enter the first hand, then adjust the score." in table.client.get(f"{table.game}adjust").text
    answer = adjust(table, token="t")
    assert (answer.status_code, complaints(answer)) == (422, [])
    assert "adjust" not in table.client.get(table.game).text


def test_a_note_is_shown_with_its_hand(client, game) -> None:
    record(game, FOUR | {"note": "misdeal"})
    assert '<div class="note">misdeal</div>' in client.get(f"/c/{game.club.key}/games/1/").text

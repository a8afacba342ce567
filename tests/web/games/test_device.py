"""The page of this device: who is scoring, and four-color suits; stored in the cookie."""

import re

from tests.web.site import Site

FOUR = '<html lang="en" data-suits="four">'


def test_each_suit_has_its_color_on_every_page_of_this_device(table: Site) -> None:
    answer = table.client.post(f"{table.club}device", data={"suits": "four"}, follow_redirects=True)
    assert "Suits are shown in four colors." in answer.text
    club, game = table.club, table.game
    pages = ["/", "/rules/classic", club, f"{club}device", f"{club}games/new"]
    for page in (*pages, game, f"{game}hands/new", f"{game}board"):
        assert FOUR in table.client.get(page, follow_redirects=True).text, page
    assert FOUR in table.client.get("/no-such-page").text
    other = table.client.application.test_client()
    assert FOUR not in other.get(game).text
    for suits in ("two", "", "five", "FOUR"):  # there are no other colors
        assert table.client.post(f"{club}device", data={"suits": suits}).status_code == 303
        assert FOUR not in table.client.get(game).text


def test_who_is_scoring_is_set_for_the_club_or_in_a_game(table: Site) -> None:
    answer = table.client.post(f"{table.club}device", data={"whose": "Bo"})
    assert answer.location == f"{table.club}device"
    assert "Bo is scoring on this device." in table.client.get(answer.location).text
    assert "<small>Bo</small>" in table.client.get(table.game).text
    answer = table.client.post(f"{table.game}phone", data={"whose": ""})
    assert answer.location == table.game
    page = table.client.get(table.game).text
    assert "No name is set on this device." in page
    assert "Who is scoring?<small>Choose a name</small>" in page
    table.start_game(**{"name-1": "Di", "name-4": "Ann"})
    page = table.client.get(f"{table.club}device").text
    assert re.findall(r'name="whose" value="(\w+)"', page) == ["Di", "Bo", "Cy", "Ann"]
    assert "the installed app starts empty" in page


def test_a_suit_is_told_by_its_letter_for_the_style_sheet(table: Site) -> None:
    """The style sheet colors these classes: spades black, hearts red, diamonds blue, clubs green."""
    page = table.client.get(f"{table.club}device").text
    assert [f'class="suit suit-{letter}' in page for letter in "SHDC"] == [True] * 4

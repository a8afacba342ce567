"""Clubs: started with a name, separate from each other, found again."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import join, stranger
from tests.web.site import Site, complaints


def test_the_first_page_asks_for_a_name(client: FlaskClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert '<label for="name">Club name</label>' in page.text
    pictures = re.findall(r'(?:srcset|<img class="shared upright" src)="([^"]+)"', page.text)
    assert len(pictures) == 2, "a hand as one will enter it, in the dark and in the light"
    assert {client.get(picture).mimetype for picture in pictures} == {"image/webp"}


def test_a_club_starts_once_by_a_double_tap_and_is_found_again(site: Site) -> None:
    response = site.start_club("Friday  table ")
    assert response.status_code == 303
    assert "Friday table" in site.client.get(site.club).text
    assert site.club in site.client.get("/").text
    assert site.start_club("Once").location == site.start_club("Once").location
    site.start_game()
    assert site.start_club("Once").location not in site.game  # a club with a game is not reused


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("", "Enter a club name."), (" \t\u200b", "Enter a club name."), ("x" * 81, "Use at most 80 letters.")],
)
def test_a_bad_name_is_said_beside_the_field(site: Site, name: str, sentence: str) -> None:
    response = site.start_club(name)
    assert response.status_code == 422
    assert sentence in complaints(response)[0]
    assert f'value="{name.strip()}"'.replace("\u200b", "") in response.text


def listed_games(site: Site, path: str = "") -> list[tuple[int, str]]:
    """Return number and score of the games on a page, in order."""
    page = site.client.get(site.club + path).text
    found = re.findall(r"Game (\d+) ·.*?(?:<span class=\"num\">(.*?)</span>)?</a>", page, re.DOTALL)
    return [(int(number), score) for number, score in found]


def bring_from_paper(site: Site, rules: str, lines: str) -> None:
    fields = {"text": f"date,team 1,score 1,team 2,score 2\n{lines}", "rules": rules}
    looked_at = site.client.post(f"{site.club}transfers/paper", data=fields | {"do": "look"}).text
    seen = re.findall(r'name="seen" value="([^"]*)"', looked_at)
    brought = site.client.post(f"{site.club}transfers/paper", data=fields | {"do": "bring", "seen": seen})
    assert brought.status_code == 303


def test_games_stand_in_the_order_in_which_they_were_played(site: Site) -> None:
    """Games imported from paper are sorted by their day, and "Play again" ignores them."""
    site.start_game("west-michigan-6")
    site.client.post(f"{site.game}state", data={"state": "abandoned"})
    bring_from_paper(site, "classic", "2020-01-09,Ann & Cy,5,Bo & Di,12\n2020-01-02,Ann & Cy,11,Bo & Di,3\n")
    assert listed_games(site) == [(1, "0 to 0"), (2, "12 to 5"), (3, "11 to 3")]
    assert "Players, clockwise" in site.client.get(f"{site.club}games/new").text
    assert 'name="rules" value="west-michigan-6"' in site.client.get(f"{site.club}games/new").text


def test_older_games_are_a_page_away(site: Site) -> None:
    lines = "".join(f"2020-01-{day:02},Ann,11,Bo,{day % 10}\n" for day in range(1, 32))
    bring_from_paper(site, "shankar", lines)
    assert [number for number, _ in listed_games(site)] == [31, 30, 29, 28, 27]
    assert f'href="{site.club}games/">All 31 games</a>' in site.client.get(site.club).text
    assert [number for number, _ in listed_games(site, "games/")] == list(range(31, 1, -1))
    assert "games/?page=2" in site.client.get(f"{site.club}games/").text
    assert listed_games(site, "games/?page=2") == [(1, "11 to 1")]
    assert "page=3" not in site.client.get(f"{site.club}games/?page=2").text
    assert listed_games(site, "games/?page=nonsense") == listed_games(site, "games/")
    assert site.client.get(f"{site.club}games/?page=3").status_code == 404
    assert site.client.get(f"{site.club}games/?page={10**40}").status_code == 404


def test_a_game_that_is_shared_says_both_scores(site: Site) -> None:
    bring_from_paper(site, "shankar", "2020-01-02,Ann,11,Bo,11\n")
    assert listed_games(site) == [(1, "11 to 11")]
    assert "Ann and Bo tie, 11 to 11" in site.client.get(f"{site.club}games/1/").text
    assert "by 0" not in site.client.get(f"{site.club}games/1/story").text


def test_a_club_without_games_lists_none(site: Site) -> None:
    for path, what in (("games/", "games"), ("board", "game"), ("standings", "finished games")):
        page = site.client.get(f"{site.club}{path}").text
        assert (f"No {what} yet." in page, f'href="{site.club}games/new"' in page) == (True, True), path
    page = site.client.get(site.club).text
    assert "Start the first game" in page
    assert f'{site.club}games/"' not in page


WAYS = ["standings/now", "players/", "seasons/", "board", "rules/"]


def test_an_open_game_says_who_plays_leaves_out_nobody_and_is_resumed_by_a_tap(table: Site) -> None:
    """Ann's team has made its bid of 3 and taken all 4 points. Names are first names, as on hand entry."""
    table.post_hand()
    page = table.client.get(table.club).text
    card = page[page.index('<section class="open-game"') :].partition("</section>")[0]
    assert re.findall(r'<span class="names">(.*?)</span>', card) == ["Ann\u00a0· Cy", "Bo\u00a0· Di"]
    assert re.findall(r'<span class="num">(.*?)</span>', card) == ["4", "0"]
    assert "Hand 2 is next" in card
    assert f'href="{table.game}hands/new">Resume game 1</a>' in card
    table.start_game(**{"name-2": "Bartholomew Maximilian Featherstonehaugh of the Upper Valley"})
    for page in (table.club, f"{table.game}hands/new"):
        assert '<span class="names">Bartholomew\u00a0· Di</span>' in table.client.get(page).text


def test_a_game_that_is_over_is_not_resumed(site: Site) -> None:
    bring_from_paper(site, "classic", "2020-01-02,Ann & Cy,11,Bo & Di,3\n")
    page = site.client.get(site.club).text
    assert "Resume" not in page
    assert "Play again" in page
    assert "Same players, same rules: Ann, Bo, Cy and Di" in page


def test_who_starts_a_club_is_told_once_to_save_its_link(app: Flask, site: Site) -> None:
    """It is shown with its QR code until saved; another phone that opens it manages the club too."""
    page = site.client.get(site.club).text
    assert '<h2 id="save-it">Save your link</h2>' in page
    assert f'Set a <a href="{site.club}passphrase">passphrase</a> in case you lose' in page
    site.client.post(f"{site.club}passphrase", data={"passphrase": "right jack buries nine"})
    assert "in case you lose" not in site.client.get(site.club).text
    assert page.count("<svg") == 1
    secret = re.findall(r'value="http://localhost/l/([\w-]{22})"', page)[0]
    assert secret not in site.club
    assert site.client.post(f"{site.club}saved").location == site.club
    assert secret not in site.client.get(site.club).text
    other = stranger(app)
    assert join(other, secret).location == site.club
    assert other.get(f"{site.club}links/").status_code == 200


def test_an_arrow_leads_up_and_a_menu_to_the_clubs_pages_whose_ways_stand_above_the_games(table: Site) -> None:
    page = table.client.get(f"{table.club}games/").text
    assert f'<a class="up" href="{table.club}" title="Friday table">' in page
    menu = page[page.index('<details class="menu">') : page.index("</details>")]
    five, _, more_of_it = menu.partition("<summary>More</summary>")
    links = re.findall(r'href="([^"]+)">([^<]+)<', five)
    names = ["Standings", "Players", "Seasons", "Board", "Rules"]
    more = [("links/", "Links"), ("transfers/", "Import &amp; export"), ("changes", "Changes")]
    more += [("device", "This device"), ("settings", "Club settings")]
    assert links == [(table.club + way, name) for way, name in zip(WAYS, names, strict=True)]
    assert re.findall(r'href="([^"]+)">([^<]+)<', more_of_it) == [(table.club + way, name) for way, name in more]
    table.client.post(f"{table.game}state", data={"state": "abandoned"})
    page = table.client.get(table.club).text
    places = [page.index(f'href="{table.club}{way}"') for way in WAYS]
    assert places == sorted(places) and places[-1] < page.index('<h2 id="games">')


def test_every_change_is_a_post(app: Flask) -> None:
    ours = [rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"]
    changing = {rule.rule for rule in ours if "POST" in (rule.methods or ())}
    assert {"/clubs", "/c/<key>/games/new"} <= changing
    assert all((rule.methods or set()) <= {"GET", "HEAD", "OPTIONS", "POST"} for rule in ours)

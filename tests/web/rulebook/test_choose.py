"""Help with the first game: the nearest games first, and what would be different in each."""

import re
from html import unescape

from flask.testing import FlaskClient

from scorekeeper.scoring.rules import catalogue
from tests.web.site import Site, checked


def found(client: FlaskClient, address: str = "/rules/find", **asked: object) -> list[tuple[str, str]]:
    """The games that are proposed, each with what is said of it."""
    page = client.get(address, query_string=asked).text
    articles = re.findall(r"(?s)<article.*?<h3>(.*?)</h3>.*?</p>(.*?)</article>", page)
    return [(name, " ".join(unescape(re.sub("<[^>]+>", " ", rest)).split())) for name, rest in articles]


def test_the_game_with_just_these_points_comes_first(client: FlaskClient) -> None:
    asked = {"points": ["High", "Low", "Jack", "Left Jack", "Jokers", "Game"], "target": "21"}
    assert found(client, players="6", **asked)[0] == (
        "West Michigan Setback, six players",
        "Just as you play it. Rules",
    )
    assert found(client, players="4", **asked)[0][0] == "West Michigan Setback, four players"


def test_what_would_differ_is_said(client: FlaskClient) -> None:
    asked = {"players": "4", "points": ["High", "Low", "Jack", "Left Jack", "Jokers", "Game"], "target": "15"}
    told = dict(found(client, **asked))
    west_michigan = told["West Michigan Setback, four players"]
    assert west_michigan == "It is played to 21. You can play it to 15. Rules"
    assert "It does not count Jokers. It is played to 12. You can play it to 15." in told["Double Jack"]
    told = dict(found(client, players="4", points=["High", "Low", "Game"]))
    assert any(text.startswith("It also counts Jack.") for text in told.values())


def test_a_game_is_for_that_many_players(client: FlaskClient) -> None:
    for players in (2, 5, 6):
        names = {rules.name for rules in catalogue() if players in rules.table.players}
        shown = {name for name, _ in found(client, players=players)}
        assert shown <= names
        assert len(shown) == min(5, len(names))


def test_nothing_is_proposed_before_the_number_of_players_is_known(client: FlaskClient) -> None:
    assert (
        found(client, points=["High"]) == found(client, players="99") == found(client, players="x", target="-1") == []
    )


def test_a_game_that_was_found_is_set_up_as_it_was_found(site: Site) -> None:
    site.start_club()
    page = site.client.get(f"{site.club}games/find?players=5&target=15").text
    addresses = [unescape(address) for address in re.findall(r'class="button main" href="([^"]*)"', page)]
    west_michigan = next(address for address in addresses if "west-michigan-5" in address)
    shown = site.client.get(west_michigan)
    assert "rules-is-west-michigan-5" in checked(shown)
    assert 'name="target" value="15"' in shown.text
    assert shown.text.count('name="name-') == 5


def test_tips_are_a_tap_from_the_rules(client: FlaskClient) -> None:
    assert 'href="/rules/tips"' in client.get("/rules/").text
    assert "Go for Low" in client.get("/rules/tips").text

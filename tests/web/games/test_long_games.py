"""Very long games: pages show some of the hands with links to the others, and score each hand once."""

import re

import pytest

from scorekeeper import replay_cache as played
from scorekeeper.database.cache import BoundedCache
from scorekeeper.scoring import game as scoring
from tests.long_game import long_game


@pytest.fixture
def game(app_context, club):
    """A game of 150 hands at 1 to 1, as the last is the second of four."""
    return long_game(club, 150)


@pytest.fixture
def address(game):
    return f"/c/{game.club.key}/games/{game.number}/"


def numbers(page):
    """Return the numbers of the hands in a score sheet."""
    return [int(number) for number in re.findall(r'aria-label="Correct hand (\d+)"', page)]


def test_the_score_sheet_has_the_latest_hundred_hands_and_a_link_to_all(client, address):
    page = client.get(address).text
    assert numbers(page) == [*range(150, 50, -1)]
    assert re.search(rf'href="{address}\?all=1">\s*All 150 hands</a>', page)
    everything = client.get(f"{address}?all=1").text
    assert numbers(everything) == [*range(150, 0, -1)]
    assert "All 150 hands" not in everything


def test_the_score_sheet_of_a_hundred_hands_has_no_such_link(client, club):
    game = long_game(club, 100)
    page = client.get(f"/c/{club.key}/games/{game.number}/").text
    assert numbers(page) == [*range(100, 0, -1)]
    assert "?all=1" not in page


def test_the_record_comes_by_the_hundred(client, address):
    first = client.get(f"{address}record").text
    assert re.findall(r"<h2 id=\"hand-(\d+)", first) == [str(number) for number in range(1, 101)]
    assert re.search(rf'href="{address}record\?after=100">Hands 101 to 150</a>', first)
    assert "The file" not in first  # too long to read on the page; it can be downloaded
    second = client.get(f"{address}record?after=100").text
    assert re.findall(r"<h2 id=\"hand-(\d+)", second) == [str(number) for number in range(101, 151)]
    assert "Hand 151" not in second
    assert "Ann bid 2" in second
    for beyond in ("150", "999999999", "-1", "x", "²"):
        assert client.get(f"{address}record?after={beyond}").status_code == 200


def test_one_hand_more_than_a_page_of_the_record(client, club):
    game = long_game(club, 101)
    assert ">Hand 101</a>" in client.get(f"/c/{club.key}/games/{game.number}/record").text


@pytest.mark.parametrize(
    "page",
    ["", "?all=1", "story", "board", "board/now", "history", "history?before=60", "record", "adjust", "game.json"],
)
def test_no_page_scores_a_hand_twice(client, address, page, monkeypatch):
    """Not even a history, which needs the score at each of its 50 changes. The replay cache starts empty."""
    monkeypatch.setattr(played, "_cache", BoundedCache(1_000))
    scored, usual = [], scoring.score_hand
    monkeypatch.setattr(scoring, "score_hand", lambda *given: scored.append(1) or usual(*given))
    assert client.get(f"{address}{page}").status_code == 200
    assert len(scored) <= 150

"""The most visited pages of a game: number of queries, and no outdated cached parts."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.models import Club, Game
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.web.games.score_sheet import ScoreSheet
from tests.classic import FOUR, SET, TWO_EACH, record, start_game
from tests.web.site import counted_queries


@pytest.fixture
def address(club: Club, game: Game) -> str:
    record(game, FOUR, TWO_EACH, SET)
    return f"/c/{club.key}/games/{game.number}/"


def asked(queries: list[str]) -> list[str]:
    return [query for query in queries if not query.startswith("BEGIN")]


# The score sheet also reads possible substitutes, board/now first the version for its ETag.
@pytest.mark.parametrize(("page", "most"), [("", 2), ("board/now", 2), ("hands/new", 1), ("share", 1)])
def test_how_often_a_page_asks(app: Flask, client: FlaskClient, address: str, page: str, most: int) -> None:
    client.get(address + page)
    with counted_queries(app) as queries:
        assert client.get(address + page).status_code in (200, 303)
    assert len(asked(queries)) <= most


def test_a_hand_more_costs_a_sheet_no_query(app: Flask, client: FlaskClient, game: Game, address: str) -> None:
    client.get(address)
    counts = []
    for position in (4, 5):
        with counted_queries(app) as queries:
            client.get(address)
        counts.append(len(asked(queries)))
        hand_service.record_hand(game, SET, position=position, token=f"hand {position}")
    assert counts == [2, 2]


def test_a_row_that_is_kept_follows_its_players_and_its_rules(
    client: FlaskClient, club: Club, game: Game, address: str
) -> None:
    """Both games have the same first hand; its row depends on the bidder's name, and on the penalty for a set."""
    before = client.get(address).text
    player_service.rename(next(seat.player for seat in game.seats if seat.number == 1), "Annabel")
    after = client.get(address).text
    assert ('<span class="name">Ann</span>' in before, '<span class="name">Ann</span>' in after) == (True, False)
    assert '<span class="name">Annabel</span>' in after
    other = start_game(club, names=["Di", "Cy", "Bo", "Annabel"])
    record(other, FOUR)
    there = client.get(f"/c/{club.key}/games/{other.number}/").text
    assert f'href="/c/{club.key}/games/{other.number}/hands/1/"' in there
    assert '<span class="name">Di</span>' in there


def test_a_hand_more_draws_one_row_more(app: Flask, game: Game, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line, drawn = ScoreSheet._line, list[int]()

    def counted_line(sheet: ScoreSheet, position: int, *score: Any, **about: Any) -> Any:
        drawn.append(position)
        return line(sheet, position, *score, **about)

    monkeypatch.setattr(ScoreSheet, "_line", counted_line)
    client = app.test_client()
    for position in (4, 5):
        client.get(address)
        hand_service.record_hand(game, SET, position=position, token=f"hand {position}")
    client.get(address)
    assert drawn == [3, 2, 1, 4, 5]


def test_a_row_that_is_kept_tells_two_of_one_first_name_apart_once_they_have_met(client, game, address) -> None:

    def bidders() -> set[str]:
        ledger = client.get(address).text.partition("<caption>")[2]
        return set(re.findall(r'<span class="name">([^<]+)</span>', ledger.partition("</table>")[0]))

    player_service.rename(next(seat.player for seat in game.seats if seat.number == 1), "Ann Leeward")
    assert bidders() == {"Ann"}
    hand_service.substitute(game, 2, "Ann Moss")
    hand_service.record_hand(game, SET, position=4, token="hand 4")
    assert bidders() == {"Ann Leeward"}


def test_a_corrected_hand_is_drawn_again_with_all_behind_it(client: FlaskClient, game: Game, address: str) -> None:
    client.get(address)
    hand_service.correct_hand(game, 1, SET, hand_version=1, token="c")
    table = client.get(address).text.partition("<caption>")[2]
    totals = [hand.totals["A"] for hand in game.score.hands]
    shown = [int(part.partition("<")[0].replace("−", "-")) for part in table.split('<span class="num">')[1::2]]
    assert shown == totals[::-1]


def test_a_game_that_is_started_again_keeps_others_waiting_for_few_statements(
    app: Flask, client: FlaskClient, address: str
) -> None:
    """Under the club's lock, neither the hands of the previous game nor all players are read."""
    client.get(address)
    with counted_queries(app) as queries:
        assert client.post(f"{address}again").status_code == 303
    locked = [number for number, query in enumerate(queries) if query.startswith("SELECT club.")][1]
    (seated,) = (number for number, query in enumerate(queries) if query.startswith("INSERT INTO seat"))
    waited_for = queries[locked : seated + 1]
    assert len(waited_for) <= 11, waited_for
    assert not [query for query in waited_for if "FROM hand" in query]
    players = [query for query in waited_for if query.startswith("SELECT player.") and "player.uid" in query]
    assert all("player.id IN" in query for query in players), players  # only those at the table, of hundreds

"""Cost of a club's own page, whatever the club contains."""

import re
from datetime import date, timedelta

import pytest
from flask import Flask

from scorekeeper.database.session import db_write, now
from scorekeeper.models import ABANDONED, PAUSED, Club
from scorekeeper.services import clubs, seasons
from scorekeeper.services import players as player_service
from scorekeeper.services.games import set_counts, set_day
from scorekeeper.services.hands import set_state
from scorekeeper.stats.schemes import Scheme
from scorekeeper.undo import deletion
from tests.classic import FOUR, TWO_EACH, player, record, start_game
from tests.web.site import counted_queries

WINNING = [FOUR] * 3  # 4, 8 and 12 of a target of 11


@pytest.fixture
def running(club: Club) -> Club:
    """A club with a current season and a finished game in it."""
    seasons.begin(club, "This year", date.today() - timedelta(days=30), None, Scheme())
    record(start_game(club), *WINNING)
    return club


def asked(app: Flask, address: str) -> list[str]:
    """Return the SELECT statements of the page's second request, when the season's table is cached."""
    client = app.test_client()
    client.get(address)
    with counted_queries(app) as queries:
        assert client.get(address).status_code == 200
    return [query for query in queries if query.startswith("SELECT")]


def test_it_costs_the_same_with_one_open_game_and_with_fifty(app: Flask, running: Club) -> None:
    """Five queries: the club, its version, current seasons, the latest games with all that is shown, last scorer."""
    address = f"/c/{running.key}/"
    record(start_game(running), FOUR)
    few = asked(app, address)
    for _ in range(49):
        start_game(running)
    assert [len(few), len(asked(app, address))] == [5, 5]


def test_the_table_is_counted_once_for_each_change(app: Flask, running: Club) -> None:
    address = f"/c/{running.key}/"
    assert len(asked(app, address)) == 5
    client = app.test_client()
    game = start_game(running)
    record(game, *WINNING)
    with counted_queries(app) as queries:
        client.get(address)
    assert any("FROM tally" in query for query in queries)
    assert len(asked(app, address)) == 5


def test_the_games_begun_last_are_open_ones_wherever_they_are_listed(app: Flask, running: Club) -> None:
    """Six games are dated a year ahead; the one started after them is to be resumed, and is not in the list."""
    for days in range(6):
        record(start_game(running, played=date.today() + timedelta(days=365 + days)), *WINNING)
    record(latest := start_game(running, played=date(2020, 1, 1)), FOUR)
    page = app.test_client().get(f"/c/{running.key}/").text
    assert f"Resume game {latest.number}</a>" in page
    assert f"Game {latest.number} ·" not in page
    assert "All 8 games" in page


def test_a_game_to_be_resumed_is_not_listed_again_and_an_abandoned_one_is_not_open(app: Flask, running: Club) -> None:
    record(latest := start_game(running), FOUR)
    page = app.test_client().get(f"/c/{running.key}/").text
    assert page.count(f">Game {latest.number}<") == 1 and f"Game {latest.number} ·" not in page
    assert "Game 1 ·" in page and "All 2 games" not in page
    set_state(latest, ABANDONED)
    assert "Resume game" not in app.test_client().get(f"/c/{running.key}/").text


def test_another_clubs_games_are_not_counted(app: Flask, running: Club) -> None:
    with db_write() as session:
        session.add(other := Club(name="Another club"))
    for _ in range(6):
        start_game(other)
    page = app.test_client().get(f"/c/{running.key}/").text
    assert "All 7 games" not in page and page.count("/games/1/") > 0
    assert "Resume game" not in page


def test_a_kept_page_costs_three_queries_and_is_drawn_anew_whenever_it_says_more(app: Flask, running: Club) -> None:
    """The club, its version, and the last scorer."""
    address, season, first = f"/c/{running.key}/", running.seasons[0], running.games[0]
    app.config["TESTING"] = False  # otherwise cached pages are rendered again and compared
    game = start_game(running)
    assert len(asked(app, address)) == 3
    tomorrow = running.today + timedelta(days=1)
    for change, said in (
        (lambda: record(game, FOUR), "Hand 2 is next"),
        (lambda: set_state(game, PAUSED), "<b>paused</b>"),
        (lambda: player_service.rename(player("Ann"), "Anastasia"), "Anastasia"),
        (lambda: set_day(first, date(2020, 2, 29)), "Feb 29, 2020"),
        (lambda: seasons.change(season, name="Our year", starts=season.starts, ends=None, scheme=Scheme()), "Our year"),
        (lambda: seasons.begin(running, "Tomorrow", tomorrow, None, Scheme()), ""),
        (lambda: seasons.begin(running, "Today", running.today, None, Scheme()), ">Today</a></h2>"),
        (lambda: deletion.delete_season(seasons.running(running, running.today)[0]), ">Our year</a></h2>"),
        (lambda: record(start_game(running), TWO_EACH), ", game 3."),
        (lambda: seasons.close(season), ">All-time standings</a></h2>"),
        (lambda: set_counts(first, counts=False), "does not count"),
        (lambda: clubs.set_name_and_zone(running, "The Owls", running.zone), "The Owls"),
    ):
        before = app.test_client().get(address).text
        change()
        after = app.test_client().get(address).text
        assert (said in before, said in after) == (not said, True), said
    assert "Feb 29, 2020" in after
    deletion.delete_game(first)
    assert "Feb 29, 2020" not in app.test_client().get(address).text


def test_a_kept_page_knows_what_day_it_is(app: Flask, running: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    app.config["TESTING"] = False
    seasons.begin(running, "Tomorrow", running.today + timedelta(days=1), None, Scheme())
    address, tomorrow = f"/c/{running.key}/", now() + timedelta(days=1)
    assert "Tomorrow" not in app.test_client().get(address).text
    monkeypatch.setattr("scorekeeper.models.now", lambda: tomorrow)
    assert "Tomorrow" in app.test_client().get(address).text


def test_a_kept_page_says_who_scored_last_in_a_game_that_is_not_listed(app: Flask, running: Club) -> None:
    app.config["TESTING"] = False
    address, first = f"/c/{running.key}/", start_game(running)
    for _ in range(6):
        record(start_game(running), FOUR)
    assert re.search("Last scored [^<]*, game 8", app.test_client().get(address).text)
    record(first, FOUR)
    assert re.search("Last scored [^<]*, game 2", app.test_client().get(address).text)

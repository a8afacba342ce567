"""Each tap reads the game in one query, and sees all changes since the last one."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Game, Player
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from tests.web.site import Site, counted_queries, says

Change = Callable[[Game], object]


@pytest.fixture
def behind(app: Flask) -> Callable[[Change], None]:
    """A function that changes the only game on another connection, like another worker."""

    def change(doing: Change) -> None:
        with app.app_context():
            doing(db.session.query(Game).one())

    return change


def written(queries: list[str]) -> list[str]:
    return [query for query in queries if query.startswith(("INSERT", "UPDATE", "DELETE"))]


def test_a_tap_asks_little_and_writes_once_or_nothing_if_it_changes_nothing(app: Flask, table: Site) -> None:
    table.post_hand(bid="2")
    table.preview(position="2", token="one page", trump="S")  # the first tap of a hand also stores who enters it
    with counted_queries(app) as queries:
        assert table.preview(position="2", token="one page").status_code == 200
    selects = [query for query in queries if query.startswith("SELECT") and "set_config" not in query]
    assert len(selects) == 1  # game, club, hands, seats and draft
    assert not any(table in selects[0] for table in (" change", " season", " result"))
    assert len(written(queries)) == 1
    with counted_queries(app) as queries:
        table.preview(position="2", token="one page")
    assert written(queries) == []


def test_a_save_reads_once_and_writes_once(app: Flask, table: Site) -> None:
    """Five statements: read the game, update it, delete its draft, insert the hand and its change."""
    table.client.post(f"{table.club}device", data={"whose": "Ann"})
    table.post_hand()  # the first hand of a game also reads the seats of the last game
    table.preview(position="2", token="one page")
    with counted_queries(app) as queries:
        assert table.post_hand(position="2", bid="2").status_code == 303
    told = [query for query in queries if not query.startswith(("BEGIN", "PRAGMA", "SET "))]
    assert [query.split()[0] for query in told] == ["SELECT", "UPDATE", "DELETE", "INSERT", "INSERT"]
    assert table.client.get(f"{table.game}history").text.count("Ann’s phone") == 2


def test_the_save_that_ends_a_game_asks_nothing_twice(app: Flask, table: Site) -> None:
    """The game is read once, before it is locked."""
    for position in "12":
        table.post_hand(position=position, bid="3")
    with counted_queries(app) as queries:
        assert table.post_hand(position="3", bid="3").status_code == 303
    assert sum(query.startswith("INSERT INTO result") for query in queries) == 1
    assert len(set(queries)) == len(queries) <= 18
    selects = [query for query in queries if query.startswith("SELECT")]
    assert len(selects) == 5  # the game, the players, the seasons, the game's group, its tallies


def test_another_name_of_a_player_or_a_substitute_is_said_at_once(table, behind) -> None:
    """A renamed player changes neither the game nor its version."""
    assert says(table.preview()).startswith("Ann bid 3")
    behind(lambda game: player_service.rename(game.seats[0].player, "Anna"))
    assert says(table.preview()).startswith("Anna bid 3")
    behind(lambda game: hand_service.substitute(game, 1, "Gil"))
    assert says(table.preview()).startswith("Gil bid 3")
    table.post_hand()
    behind(lambda _: player_service.rename(db.session.query(Player).filter_by(name="Gil").one(), "Gilda"))
    assert says(table.preview(position="2")).startswith("Gilda bid 3")


def test_what_another_phone_saves_is_counted_at_once_and_what_it_takes_out_changes_nothing(table, behind) -> None:
    """A takes all four points twice: 8 to 0. Then those of hand 1 are B's: −3 + 4 = 1 to 4."""
    table.post_hand()
    assert says(table.preview(position="2")).endswith("8 to 0.")
    nobody = {"bidder": 1, "bid": 3, "trump": "H", "claims": dict.fromkeys(("high", "low", "jack", "game"), "B")}
    behind(lambda game: hand_service.correct_hand(game, 1, nobody, hand_version=1, token="other phone"))
    assert says(table.preview(position="2")).endswith("Bo and Di lead 4 to 1.")
    behind(lambda game: hand_service.remove_hand(game, 1, hand_version=2, token="out"))
    assert table.preview(position="1", hand_version="1").status_code == 204


def test_a_hand_is_read_and_not_only_its_version(table: Site, behind: Callable[[Change], None]) -> None:
    """Changes outside services/hands.py, such as a restore, may keep the hand's version."""
    table.post_hand()
    assert says(table.preview(position="2")).endswith("8 to 0.")

    def put_back(game: Game) -> None:
        with db_write():
            game.hands[0].facts = game.hands[0].facts | {"claims": dict.fromkeys(("high", "low", "jack"), "A")}

    behind(put_back)
    assert says(table.preview(position="2")).endswith("7 to 0.")


def test_games_alike_but_for_their_rules_are_kept_apart(client: FlaskClient) -> None:
    """Set with 3 of 4 taken: −4 in Classic, −1 with "bid-less-taken"."""
    ends = []
    for set_by in ("bid", "bid-less-taken"):
        site = Site(client)
        site.start_game("classic")
        with client.application.app_context(), db_write():
            game = db.session.query(Game).order_by(Game.id.desc()).first()
            game.rules = game.rules | {"settle": game.rules["settle"] | {"set": set_by}}
        ends.append(says(site.preview(bid="4", **{"point-jack": "B"})).split(". ")[-1])
    assert ends == ["Bo and Di lead 1 to −4.", "Bo and Di lead 1 to −1."]

"""Caches shared by requests stay correct after a rollback, and after an older database is restored."""

import shutil
from datetime import date

import pytest

from scorekeeper import create_app
from scorekeeper.database.cache import BoundedCache
from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Game
from scorekeeper.services import hands as hand_service
from scorekeeper.services.change_log import PlannedChange
from scorekeeper.services.game_reader import read_snapshot
from scorekeeper.stats.counting import BID_MADE
from scorekeeper.stats.query import Choice, games
from tests.classic import FOUR, SET, TWO_EACH, new_club, record, start_game
from tests.web.phones import let_in


def test_what_was_asked_for_last_is_kept_longest():
    cache = BoundedCache[int](2)
    assert [cache.get_or_make(key, lambda key=key: key * 10) for key in (1, 2, 1, 3)] == [10, 20, 10, 30]
    assert (cache.get(1), cache.get(2), cache.get(3), len(cache)) == (10, None, 30, 2)


def test_a_change_that_is_rolled_back_leaves_no_score_behind(game):
    """FOUR gives 4 to 0, SET gives -2 to 3; both would be version 1 of the game."""
    with pytest.raises(ZeroDivisionError), db_write(game.club, game):
        hand_service._save(hand_service._read_again(game), [PlannedChange(1, None, {"dealer": 4} | FOUR)], "lost")
        assert game.score.totals == {"A": 4, "B": 0}
        raise ZeroDivisionError
    record(game, SET)
    assert game.version == 1
    assert game.score.totals == {"A": -2, "B": 3}


def test_what_is_done_to_a_hand_that_was_handed_out_is_done_to_nothing_else(game):
    record(game, TWO_EACH)
    snapshot = read_snapshot(game.club.key, game.number)
    snapshot.hand(1).facts["claims"].clear()
    again = read_snapshot(game.club.key, game.number)
    assert again.hand(1).facts["claims"] == TWO_EACH["claims"]
    game.record()["hands"][0]["claims"].clear()
    assert game.hands[0].facts["claims"] == TWO_EACH["claims"]


@pytest.fixture
def database(migrated_sqlite, quick_path):
    """A migrated database file that can be copied and restored."""
    path = quick_path / "scorekeeper.sqlite"
    shutil.copy(migrated_sqlite, path)
    return path


def test_a_database_that_is_put_back_shows_nothing_of_what_came_after(database):
    """After the restore, game 2 is played by other players than before, with the same ids and versions."""
    app = create_app({"INSTANCE": database.parent, "DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "s"})
    client = app.test_client()
    with app.app_context():
        club = new_club()
        play(club, "Ann", "Bo")
        key = club.key
        let_in(client, f"/c/{key}/")
        db.session.remove()
        db.engine.dispose()  # closing the last connection merges the WAL into the file
    older = database.read_bytes()
    assert shown(app, client, key, "Gil", "Hal")[:2] == (True, False)
    for path in database.parent.glob("scorekeeper.sqlite*"):
        path.unlink()
    database.write_bytes(older)
    assert shown(app, client, key, "Zoe", "Yan")[1:] == (True, 3)


def play(club, *winners):
    names = [winners[0], "Q", winners[1], "S"]
    game = start_game(club, names=names, played=date(2026, 1, 2))
    record(game, *[FOUR | {"bidder": 1, "bid": 3 if winners[0] == "Zoe" else 2}] * 3)


def shown(app, client, key, *winners):
    """Play a game; return whether Gil and Zoe are in the standings, and the highest bid made in the records."""
    with app.app_context():
        club = db.session.scalars(db.select(Club)).one()
        play(club, *winners)
        highest = [*games(club, Choice())][-1].deeds[BID_MADE][0]
        assert db.session.query(Game).count() == 2
        db.session.remove()
        page = client.get(f"/c/{key}/standings").text
        db.engine.dispose()
    return "Gil" in page, "Zoe" in page, highest

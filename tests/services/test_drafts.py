"""Drafts last until the hand is saved, and move with it; on both databases."""

from datetime import date, timedelta

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DataError, IntegrityError

from scorekeeper.database.errors import TROUBLES
from scorekeeper.database.session import db, db_write, db_write_nondurable, now
from scorekeeper.models import Club, EditingSession, Game, HandDraft
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import drafts
from scorekeeper.services import hands as hand_service
from scorekeeper.services.games import PaperGame, record_paper_games
from tests.classic import FOUR, NAMES, SET, TWO_EACH, draft_of, record, start_game

TAPPED = {"bidder": ["2"], "bid": ["4"], "buried": ["AS", "XR"]}


def kept_of(game: Game, position: int) -> drafts.Fields | None:
    db.session.rollback()
    return draft_of(game, position)


def test_what_is_tapped_is_kept_and_replaced_by_what_is_tapped_next(game):
    """The longest value too, but not what no page sends."""
    drafts.keep(game.id, 1, TAPPED)
    assert kept_of(game, 1) == TAPPED
    drafts.keep(game.id, 1, TAPPED | {"trump": ["H"]})
    assert kept_of(game, 1) == TAPPED | {"trump": ["H"]}
    drafts.keep(game.id, 1, TAPPED | {"calls": ["a" * 1000]})
    assert kept_of(game, 1) == TAPPED | {"calls": ["a" * 1000]}
    for odd in ("a" * 1001, "a\nb", "\x7f", "\N{RIGHT-TO-LEFT OVERRIDE}"):
        drafts.keep(game.id, 1, TAPPED | {"count-A": [odd], "advised": ["bold", odd]})
        assert kept_of(game, 1) == TAPPED
    assert db.session.scalar(select(func.count()).select_from(HandDraft)) == 1


def test_a_refused_hand_keeps_what_was_tapped(game):
    drafts.keep(game.id, 1, TAPPED)
    with pytest.raises(Refused):
        hand_service.record_hand(game, {"bidder": 1, "bid": 9}, position=1, token="one")
    assert kept_of(game, 1) == TAPPED


def test_taking_a_hand_out_moves_what_was_tapped_of_the_next(game):
    record(game, TWO_EACH, SET)
    drafts.keep(game.id, 3, TAPPED)
    hand_service.remove_hand(game, 1, hand_version=1, token="out")
    assert kept_of(game, 2) == TAPPED
    hand_service.undo(game, token="back")
    assert kept_of(game, 3) == TAPPED
    assert kept_of(game, 2) is None


def test_who_was_entering_a_hand_is_forgotten_after_a_day(game, monkeypatch):
    began = now()
    for device, hours in (("a", 0), ("b", 1)):
        monkeypatch.setattr(drafts, "now", lambda hours=hours: began + timedelta(hours=hours))
        drafts.keep(game.id, 1, TAPPED, drafts.EditingNote(device, None, 1))
    monkeypatch.setattr(drafts, "now", lambda: began + timedelta(hours=24, minutes=30))
    drafts.delete_expired_sessions()
    db.session.rollback()
    assert db.session.scalars(select(EditingSession.device)).all() == ["b"]


def test_clearing_a_hand_leaves_the_others_and_who_is_entering_them(game):
    other = start_game(game.club)
    for each, position, device in ((game, 1, "a"), (game, 2, "b"), (other, 2, "c")):
        drafts.keep(each.id, position, TAPPED, drafts.EditingNote(device, None, 1))
    drafts.clear_hand(game, 2)
    assert (kept_of(game, 2), kept_of(game, 1), kept_of(other, 2)) == (None, TAPPED, TAPPED)
    assert set(db.session.scalars(select(EditingSession.device))) == {"a", "c"}


def test_the_way_of_putting_hands_in_is_remembered_by_the_next_game(club: Club):
    """A game from paper changes nothing, and there is no other way."""
    first = start_game(club)
    assert (first.detail, first.auction) == ("points", False)
    hand_service.record_hand(first, FOUR, position=1, token="1", detail="cards", auction=True)
    assert (start_game(club).detail, start_game(club, previous=first).auction) == ("cards", True)
    table = Table(find_rules("classic"), 4, 2)
    told = PaperGame("a", table, tuple(NAMES), date(2020, 1, 1), {"A": 11, "B": 3}, ("A",), None)
    assert record_paper_games(club, [told]) == 1
    game = start_game(club)
    assert (game.detail, game.auction) == ("cards", True)


def synchronous() -> int:
    """SQLite's `synchronous`: at 1 (NORMAL) a commit waits for the log to be written, at 2 (FULL) for the disk too."""
    return db.session.connection().exec_driver_sql("PRAGMA synchronous").scalar()


def test_a_tap_waits_for_no_disk_but_a_hand_does(game):
    if db.engine.dialect.name != "sqlite":
        with db_write_nondurable() as connection:
            driver = connection.connection.driver_connection  # with one round trip, SQLAlchemy can read no rows
            assert driver.execute("SHOW synchronous_commit").fetchone() == ("off",)
        assert db.session.connection().exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
        return
    with db_write_nondurable() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 1
    with db_write():
        assert synchronous() == 2


def test_what_a_tap_sends_to_postgresql_together_fails_as_one_statement_does(game):
    """For a game that is gone, and over a connection that is lost, which the next tap replaces."""
    with pytest.raises(IntegrityError):
        drafts.keep(game.id + 1, 1, TAPPED)
    drafts.keep(game.id, 1, {"bid": ["2"]})
    if db.engine.dialect.name != "sqlite":
        with pytest.raises(DataError):  # of the two statements the second fails
            drafts.keep(game.id, 2, TAPPED, drafts.EditingNote("a name longer than its column" * 9, None, 0))
        assert kept_of(game, 2) is None
        with db.engine.connect() as connection:  # the pool lends it again
            lost = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        db.session.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": lost})
        with pytest.raises(TROUBLES):
            drafts.keep(game.id, 1, TAPPED)
    drafts.keep(game.id, 1, TAPPED)
    assert kept_of(game, 1) == TAPPED


def test_keeping_leaves_the_session_alone(game):
    """Objects loaded by a page are not expired: a preview shows one state of the game."""
    assert game.number == 1
    drafts.keep(game.id, 1, TAPPED)
    assert "number" in game.__dict__

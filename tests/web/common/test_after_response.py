"""Deferred work after a change: done soon after the response, or by the next reader."""

import threading
from datetime import date
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from scorekeeper.database.session import db, db_write, write_options
from scorekeeper.models import Club
from scorekeeper.stats import ratings, tallies
from scorekeeper.web.common import scope
from tests.classic import FOUR, record, start_game
from tests.stats import quick_games
from tests.web.site import Site


@pytest.fixture
def club(app: Flask, site: Site, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A new club whose ratings are never updated: all rating is deferred, and the timer does nothing."""
    monkeypatch.setattr(ratings, "MOST_NOW", 0)
    monkeypatch.setattr(scope, "Timer", Mock())
    site.start_club()
    with app.app_context():
        yield db.session.scalars(select(Club)).one()


def play(club: Club, day: int) -> None:
    record(start_game(club, played=date(2026, 1, day)), FOUR, FOUR, FOUR)


def what_is_left(club: Club) -> date | None:
    db.session.rollback()
    return club.unrated_since


def test_a_page_that_is_opened_before_shows_the_right_ratings(club: Club, site: Site) -> None:
    quick_games.play(club, date(2026, 1, 2), times=9)
    play(club, 1)
    assert what_is_left(club) == date(2026, 1, 1)
    page = site.client.get(f"{site.club}standings?by=rating").text
    assert what_is_left(club) is None
    with db_write():
        tallies.rebuild(club)
    again = site.client.get(f"{site.club}standings?by=rating").text
    assert "Ann" in rows(page) and "at least" in rows(page)
    assert rows(page) == rows(again)


def rows(page: str) -> str:
    """Return the rows of a page's table."""
    return page[page.index("<tbody") : page.index("</tbody")]


def test_a_change_of_a_game_waits_for_no_ratings(app: Flask, club: Club, site: Site) -> None:
    play(club, 1)
    play(club, 1)
    assert what_is_left(club) is None  # no game comes after the one added last
    game = club.games[-1]
    site.client.post(f"{site.club}games/{game.number}/undo", data={"token": "u", "version": str(game.version)})
    assert what_is_left(club) == date(2026, 1, 1)


def test_ratings_are_worked_out_soon_after_the_answer(club: Club, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "SECONDS", 0)
    monkeypatch.setattr(scope, "Timer", threading.Timer)
    play(club, 2)
    play(club, 1)
    db.session.info.clear()
    game = club.games[0]
    answer = site.client.post(f"{site.club}games/{game.number}/edit/counts", data={"is": "no"})
    assert answer.status_code == 303
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join()
    assert what_is_left(club) is None


def test_ratings_that_cannot_be_written_keep_nobody_from_reading(club, site, monkeypatch) -> None:
    quick_games.play(club, date(2026, 1, 2), times=9)
    play(club, 1)

    def is_read_only(_club: Club, _longest: float) -> None:
        raise OperationalError("UPDATE club", {}, Exception("attempt to write a readonly database"))

    with monkeypatch.context() as trouble:
        trouble.setattr(ratings, "catch_up", is_read_only)
        before = site.client.get(f"{site.club}standings?by=rating")
        assert before.status_code == 200
        assert what_is_left(club) == date(2026, 1, 1)
    after = site.client.get(f"{site.club}standings?by=rating").text  # not the cached page
    assert rows(before.text) != rows(after)


def test_a_page_is_not_kept_waiting_by_somebody_who_writes_for_long(club, site, monkeypatch) -> None:
    """The page shows the old ratings, and the next one the new."""
    monkeypatch.setattr(scope, "READER_SECONDS", 0.01)
    play(club, 2)
    play(club, 1)
    locked = select(Club.id).with_for_update()
    with db.engine.connect().execution_options(**write_options(db.engine.dialect.name)) as other, other.begin():
        other.execute(locked)
        assert site.client.get(site.club).status_code == 200
        assert what_is_left(club) == date(2026, 1, 1)
    assert site.client.get(site.club).status_code == 200
    assert what_is_left(club) is None


def test_a_club_that_is_gone_meanwhile_has_nothing_left(app: Flask) -> None:
    scope.rate(app, 10**6)

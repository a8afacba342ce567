"""Missing tallies are made, and wrong ones are found and corrected."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, select, update

from scorekeeper.cli import main
from scorekeeper.db import db, db_write
from scorekeeper.models import Club, Division, Hand, Player, Result, Tally
from scorekeeper.stats.verify import add_missing_tallies, check_tallies
from tests.classic import FOUR, record, start_game


@pytest.fixture
def club(app_context):
    with db_write() as session:
        club = Club(name="Tuesday")
        session.add(club)
    record(start_game(club), FOUR, FOUR, FOUR)
    record(start_game(club, names=["Eve", "Bo", "Cy", "Di"]), FOUR, FOUR)
    return club


def test_right_books_are_found_right(club):
    assert check_tallies(club) == (1, ())


def test_a_club_from_before_there_were_tallies_gets_them(club):
    with db_write() as session:
        for table in (Tally, Result, Division):
            session.execute(delete(table))
        session.execute(update(Player).values(mu=None, sigma=None, rated=0))
        club.books = 0
    add_missing_tallies()
    assert check_tallies(club) == (1, ())
    assert db.session.scalars(select(Player.rated).order_by(Player.name)).all() == [1, 1, 1, 1, 0]


def test_what_is_wrong_is_said_and_corrected_only_when_asked(club):
    with db_write() as session:
        session.execute(
            update(Tally)
            .values(won=7)
            .where(Tally.player_id == select(Player.id).where(Player.name == "Bo").scalar_subquery())
        )
        session.execute(update(Player).values(rated=3).where(Player.name == "Cy"))
        session.execute(delete(Result).where(Result.seat == 4))
    wrong = (
        "player Cy is counted wrongly",
        "result 1, Di is not counted and should be",
        "tally classic, 4, 2, Bo is counted wrongly",
    )
    for _ in range(2):
        assert check_tallies(club).wrong == wrong
    assert check_tallies(club, fix=True).wrong == wrong
    assert check_tallies(club) == (1, ())


def test_the_command_says_it_club_by_club(club, capsys, monkeypatch):
    from flask import current_app

    monkeypatch.setattr("scorekeeper.create_app", lambda: current_app._get_current_object())
    assert main(["verify"]) == 0
    assert capsys.readouterr().out == "Tuesday: 1 games checked, no differences\n"
    with db_write() as session:
        session.execute(delete(Tally).where(Tally.won == 0))
    assert main(["verify"]) == 1
    assert capsys.readouterr().out.startswith(
        "Tuesday: 1 games checked, 2 differences\n  tally classic, 4, 2, Bo is not"
    )
    assert main(["verify", "--fix"]) == 0
    capsys.readouterr()
    assert main(["verify"]) == 0
    with db_write() as session:
        session.execute(update(Hand).values(facts={"bidder": 1}).where(Hand.position == 2))
    assert main(["verify"]) == 1
    assert "Tuesday: " in capsys.readouterr().out


def test_an_unknown_word_is_refused(capsys):
    assert main(["verify", "--all"]) == 2
    assert "usage" in capsys.readouterr().err

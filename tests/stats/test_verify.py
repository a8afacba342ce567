"""Missing tallies are created, and wrong ones are found and corrected."""

from datetime import date

import pytest
from flask import current_app
from sqlalchemy import delete, select, update

from scorekeeper.cli import main
from scorekeeper.database.session import db, db_write
from scorekeeper.models import TALLY_VERSION, Club, Game, GameGroup, Hand, Player, Result, Tally
from scorekeeper.services import drafts, seasons
from scorekeeper.serving import serve
from scorekeeper.stats import tallies, verify
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.verify import check_tallies, recount_older
from tests.classic import FOUR, record, start_game


@pytest.fixture
def club(club):
    record(start_game(club), FOUR, FOUR, FOUR)
    record(start_game(club, names=["Eve", "Bo", "Cy", "Di"]), FOUR, FOUR)
    return club


def test_right_books_are_found_right(club):
    assert check_tallies(club) == (1, ())


def test_a_club_from_before_there_were_tallies_gets_them(club):
    with db_write() as session:
        for table in (Tally, Result, GameGroup):
            session.execute(delete(table))
        session.execute(update(Player).values(mu=None, sigma=None, rated=0))
        club.stats_version = club.counted = 0
    recount_older()
    assert check_tallies(club) == (1, ())
    assert db.session.scalars(select(Player.rated).order_by(Player.name)).all() == [1, 1, 1, 1, 0]


def test_migrating_counts_again_what_an_older_version_counted(club):
    with db_write() as session:
        session.execute(update(Tally).values(won=7))
        club.counted = 0  # as in an older version's database after migration
    assert len(check_tallies(club).wrong) == 4
    serve.prepare(current_app._get_current_object())
    assert check_tallies(db.session.scalars(select(Club)).one()) == (1, ())


def test_what_this_version_counted_is_not_counted_again(club):
    with db_write() as session:
        session.execute(update(Tally).values(won=7))
    serve.prepare(current_app._get_current_object())
    assert len(check_tallies(db.session.scalars(select(Club)).one()).wrong) == 4


def test_a_club_that_cannot_be_counted_does_not_keep_the_server_from_starting(club, caplog):
    with db_write() as session:
        session.execute(update(Hand).values(facts={"bidder": 1}))
        club.counted = 0
    serve.prepare(current_app._get_current_object())
    assert caplog.messages[0].startswith("The Thursday club was not counted again: ")


def test_what_is_wrong_is_said_and_corrected_only_when_asked(club):
    with db_write() as session:
        session.execute(
            update(Tally)
            .values(won=7)
            .where(Tally.player_id == select(Player.id).where(Player.name == "Bo").scalar_subquery())
        )
        session.execute(update(Player).values(rated=3).where(Player.name.in_(["Cy", "Eve"])))
        session.execute(delete(Result).where(Result.seat == 4))
    wrong = (
        "player Cy is counted wrongly",
        "player Eve is counted wrongly",
        "result 1, Di is not counted and should be",
        "tally classic, 4, 2, Bo is counted wrongly",
    )
    for _ in range(2):
        assert check_tallies(club).wrong == wrong
    assert check_tallies(club, fix=True).wrong == wrong
    assert check_tallies(club) == (1, ())


def test_others_write_while_a_club_is_checked(club, monkeypatch):
    """A draft waits at most one second for a lock, so no transaction may be open while games are counted."""
    game, usual = start_game(club), tallies.all_games
    drafts_kept = []

    def all_games(*asked):
        for each in usual(*asked):
            drafts.keep(game.id, 1, {"bidder": ["1"]})
            drafts_kept.append(each)
            yield each

    monkeypatch.setattr(tallies, "all_games", all_games)
    assert check_tallies(club) == (1, ())
    assert len(drafts_kept) == 3


def test_correcting_and_counting_again_leave_a_closed_season_closed(club):
    season = seasons.begin(club, "Fall", date(2026, 1, 1), None, Scheme())
    seasons.count_in(db.session.scalars(select(Game).where(Game.number == 1)).one(), season)
    seasons.close(season)
    table, closed = season.frozen, season.closed_at
    with db_write() as session:
        session.execute(delete(Result).where(Result.seat == 4))
        session.execute(delete(Tally).where(Tally.won == 0))
    assert len(check_tallies(club, fix=True).wrong) == 3
    with db_write():
        club.counted = 0
    recount_older()
    assert (season.frozen, season.closed_at, season.reopened) == (table, closed, None)
    assert check_tallies(club) == (1, ())


def test_a_game_that_ends_while_its_club_is_corrected(club, monkeypatch):
    """The differences are then out of date, and everything is counted again."""
    game, usual, ended = start_game(club), verify._differences, []
    number = game.number
    record(game, FOUR, FOUR)

    def differences(kept, again):
        if not ended:
            ended.append(number)
            record(db.session.scalars(select(Game).where(Game.number == number)).one(), FOUR)
        return usual(kept, again)

    with db_write() as session:
        session.execute(update(Tally).values(won=7))
    monkeypatch.setattr(verify, "_differences", differences)
    assert check_tallies(club, fix=True).wrong
    assert check_tallies(club) == (2, ())


def test_the_command_says_it_club_by_club(club, capsys, monkeypatch):
    monkeypatch.setattr("scorekeeper.commands.create_app", lambda: current_app._get_current_object())
    assert main(["verify"]) == 0
    assert capsys.readouterr().out == "The Thursday club: 1 game checked, no differences\n"
    with db_write() as session:
        session.execute(delete(Tally).where(Tally.won == 0))
    assert main(["verify"]) == 1
    assert capsys.readouterr().out.startswith(
        "The Thursday club: 1 game checked, 2 differences\n  tally classic, 4, 2, Bo is not"
    )
    assert main(["verify", "--fix"]) == 0
    capsys.readouterr()
    assert main(["verify"]) == 0
    capsys.readouterr()
    with db_write() as session:
        session.execute(update(Club).values(counted=1))
    assert main(["verify"]) == 1
    assert (
        capsys.readouterr().out
        == "The Thursday club: counted by an older version. `scorekeeper migrate` counts it again.\n"
    )
    with db_write() as session:
        session.execute(update(Club).values(counted=TALLY_VERSION))
        session.execute(update(Hand).values(facts={"bidder": 1}).where(Hand.position == 2))
    assert main(["verify"]) == 1
    assert "The Thursday club: " in capsys.readouterr().out


def test_an_unknown_word_is_refused(capsys):
    assert main(["verify", "--all"]) == 2
    assert "usage" in capsys.readouterr().err

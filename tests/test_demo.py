"""The demo club: its games were saved by the services, and the same seed gives the same club."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date

import pytest
from sqlalchemy import select

from scorekeeper import cli, create_app, demo
from scorekeeper.database.session import db, migrate_database
from scorekeeper.models import ABANDONED, CARDS, CORRECT, PLAY, WATCH, Club, Result
from scorekeeper.scoring.record import score_record
from scorekeeper.services import links
from tests.conftest import ON_ONE_DATABASE, on_one_database

TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module", params=ON_ONE_DATABASE)
def season(request, tmp_path_factory) -> Iterator[Club]:
    """A demo club, made once on its own database."""
    with ExitStack() as stack:
        config = {"INSTANCE": tmp_path_factory.mktemp("demo")}
        if request.param == "postgres":
            config["DATABASE_URL"] = stack.enter_context(request.getfixturevalue("postgres").without_tables())
        app = create_app(config)
        migrate_database(app)
        stack.enter_context(app.app_context())
        yield demo.fill("The Lodge", players=12, games=24, seed=4, today=TODAY)
        db.session.remove()
        db.engine.dispose()


def test_a_season_has_everything_to_look_at(season):
    games = sorted(season.games, key=lambda game: game.number)
    assert (season.name, len(season.players), len(games)) == ("The Lodge", 12, 24)
    assert len({game.rules["id"] for game in games}) >= 3
    assert len({(game.players, game.teams) for game in games}) >= 3
    assert {CARDS, PLAY} <= {game.detail for game in games}
    assert Counter(change.kind for game in games for change in game.changes)[CORRECT] == 1
    assert all(change.by in game.names for game in games for change in game.changes)
    assert sum("names" in hand.facts for game in games for hand in game.hands) == 1
    assert any(game.options for game in games)
    assert [player.name for player in season.players if player.guest] == ["Maggie"]
    assert any(game.previous_id for game in games)


def test_one_game_is_abandoned_one_under_way_and_all_others_are_won(season):
    ways = Counter(game.state if game.state == ABANDONED else game.score.outcome is not None for game in season.games)
    assert ways == {ABANDONED: 1, True: 22, False: 1}
    under_way = max(season.games, key=lambda game: game.number)
    assert (under_way.played, under_way.score.outcome, len(under_way.hands)) == (TODAY, None, 4)


def test_the_first_season_is_closed_and_the_second_runs(season):
    first, second = sorted(season.seasons, key=lambda one: one.starts)
    assert first.closed_at is not None
    assert first.frozen["champions"]
    assert (second.closed_at, second.ends) == (None, None)
    assert first.ends < second.starts
    for game in season.games:
        assert game.season is (first if game.played <= first.ends else second)
    assert min(game.played for game in season.games) == date(2026, 8, 1)  # seventeen weeks, including both ends


def test_the_hands_are_records_and_every_finished_game_is_counted(season):
    for game in season.games:
        assert score_record(game.record()).totals == game.score.totals
    finished = [game.id for game in season.games if game.state != ABANDONED and game.score.outcome]
    assert set(db.session.scalars(select(Result.game_id))) == set(finished)


def games_of(club):
    games = sorted(club.games, key=lambda game: game.number)
    return [(game.record(), game.state, game.detail, game.season.name) for game in games]


@on_one_database
def test_the_same_seed_makes_a_second_club_of_the_same_games(app_context):
    one, same, other = (demo.fill(players=7, games=4, seed=seed, today=TODAY) for seed in (1, 1, 2))
    assert one.key != same.key
    assert games_of(one) == games_of(same) != games_of(other)
    assert len(db.session.query(Club).all()) == 3


@on_one_database
@pytest.mark.parametrize(("players", "games"), [(2, 1), (3, 2), (40, 5)])
def test_small_and_large_clubs(app_context, players, games):
    club = demo.fill(players=players, games=games, today=TODAY)
    assert len(club.games) == games
    assert len(club.players) <= players


@pytest.fixture
def instance(tmp_path, monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))


def test_the_command_prints_an_address_that_opens_the_club(instance, capsys):
    assert cli.main(["demo", "--players", "4", "--games", "2", "--name", "  Kitchen   table "]) == 0
    printed = capsys.readouterr().out
    assert "Kitchen table: 2 games, 4 players." in printed
    address = next(line.strip() for line in printed.splitlines() if "http" in line)
    app = create_app()
    page = app.test_client().get(address.removeprefix("http://localhost:8000"))
    assert page.status_code == 200
    assert "Kitchen table" in page.text
    with app.app_context():
        assert links.table_secret(db.session.scalars(select(Club)).one(), WATCH)  # the board shows it as a code


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--players", "1"], "choose 2 to 40 players"),
        (["--players", "41"], "choose 2 to 40 players"),
        (["--games", "0"], "choose at least 1 game"),
        (["--name", " "], "the club's name must have 1 to 80 letters"),
        (["--games", "many"], "invalid int value: 'many'"),
    ],
)
def test_what_cannot_be_is_said(arguments, sentence, instance, tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["demo", *arguments])
    assert stopped.value.code == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "instance").exists()

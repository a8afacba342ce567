"""A game read in one query, with what its score sheet needs besides."""

from datetime import date

from flask import Flask

from scorekeeper.models import Club, Game, acting_as
from scorekeeper.services import hands as hand_service
from scorekeeper.services import seasons
from scorekeeper.services.game_reader import read_sheet
from scorekeeper.stats.schemes import Scheme
from tests.classic import FOUR, TWO_EACH, record
from tests.web.site import counted_queries


def test_a_sheet_comes_with_its_log_its_seasons_and_who_plays(game: Game, club: Club, app: Flask) -> None:
    first, second, later = [
        seasons.begin(club, name, date(2026, month, 1), None, Scheme())
        for name, month in (("Spring", 3), ("Spring again", 3), ("Fall", 9))
    ]
    record(game, FOUR, TWO_EACH)
    with acting_as("Ann"):
        hand_service.substitute(game, 2, "Gil")
    seasons.close(first)
    seasons.count_in(game, second)
    key, number = club.key, game.number
    with counted_queries(app) as queries:
        sheet = read_sheet(key, number)
    assert len([query for query in queries if query.startswith("SELECT")]) == 1
    log = [(entry.seq, entry.kind, entry.position) for entry in sheet.log]
    assert log == [(1, "record", 1), (2, "record", 2), (3, "substitute", 3)]
    assert sheet.log[2].by == "Ann"
    told = [(season.name, bool(season.is_closed)) for season in sheet.seasons]
    assert told == [("Fall", False), ("Spring again", False), ("Spring", True)]
    assert (sheet.season.id, later.id > sheet.season.id) == (second.id, True)
    assert sheet.names_by_hand == [*[["Ann", "Bo", "Cy", "Di"]] * 2, ["Ann", "Gil", "Cy", "Di"]]
    assert sheet.score.totals == game.score.totals


def test_a_game_without_a_season_and_a_hand(game: Game, club: Club) -> None:
    sheet = read_sheet(club.key, game.number)
    assert (sheet.season, sheet.seasons, sheet.log, sheet.length) == (None, [], [], 0)

"""Every column is in the club file, or is listed here with a reason for its absence; on both databases."""

import json

import pytest
from sqlalchemy import String, select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Game, GameSeason, Hand, Player, Season
from scorekeeper.services import games
from scorekeeper.transfer.columns import GAME, PLAYER, READ, READ_WITH_RECORD, SEASON, in_file
from scorekeeper.transfer.importer import import_as_new_club
from tests.transfer.clubs import a_full_club, as_file, exported

TABLES = {Game: GAME, Season: SEASON, Player: PLAYER}
# For a game's other tables: columns that are in its line, and columns that are local or follow from the log.
PARTS = {GameSeason: ("season_id", "game_id"), Hand: ("position", "facts", "id", "game_id", "version")}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__tablename__)
def test_every_column_of_a_table_has_its_place(table):
    columns = TABLES[table]
    assert sorted(column.name for column in columns) == sorted(table.__table__.columns.keys())
    for column in in_file(columns):
        known = column.is_reference or column.name in READ_WITH_RECORD
        assert known or isinstance(column.column.type, String) or type(column.column.type) in READ


@pytest.mark.parametrize("table", PARTS, ids=lambda table: table.__tablename__)
def test_every_column_of_a_part_of_a_game_has_its_place(table):
    assert sorted(PARTS[table]) == sorted(table.__table__.columns.keys())


def test_keys_are_those_of_the_document():
    assert [column.key for column in in_file(SEASON)] == [
        *("uid", "name", "starts", "ends", "settings", "closed", "frozen", "pages", "reopened", "league", "created")
    ]
    assert {column.key for column in in_file(GAME)} == {
        *("rules", "players", "teams", "start", "played", "x-uid", "x-number", "x-season", "x-state", "x-plays-on"),
        *("x-left-out", "x-detail", "x-auction", "x-options", "x-first-dealer", "x-previous", "x-created", "x-paper"),
    }


def test_every_column_comes_back(app_context):
    """The club has an unusual value in each column, so that no default passes for an imported value."""
    club = a_full_club()
    with db_write():
        club.games[0].detail, club.games[0].auction = "cards", True
    games.set_counts(club.games[0], False)
    other, _ = import_as_new_club(None, as_file(exported(club)))
    for table in (Game, Season, Player):
        rows, again = rows_of(table, club), rows_of(table, other)
        assert len(rows) == len(again) > 0
        for column in in_file(TABLES[table]):
            if column.is_reference:
                continue
            values = [getattr(row, column.name) for row in rows]
            if column.name not in ("frozen", "pages"):  # they refer to players by ids, which differ
                assert [getattr(row, column.name) for row in again] == values, column.name
            assert len({json.dumps(value, default=str) for value in values}) > 1 or column.name in USUAL, column.name


USUAL = {"paper", "reopened"}  # tested elsewhere


def rows_of(table, club):
    return db.session.scalars(select(table).where(table.club_id == club.id).order_by(table.uid)).all()

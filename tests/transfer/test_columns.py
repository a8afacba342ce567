"""No column is forgotten by a club's file: each is in it, or has a reason for not being there; on both databases."""

import json

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Game, GameSeason, Hand, Player, Season
from scorekeeper.services import games
from scorekeeper.services import hands as hand_service
from scorekeeper.transfer.columns import (
    COUNTED,
    GAME,
    GAME_SEASON,
    HAND,
    HERE,
    LOG,
    PLAYER,
    READ,
    REFERENCE,
    SEASON,
    in_file,
)
from scorekeeper.transfer.importer import import_as_new_club
from tests.transfer.clubs import a_full_club, as_file, exported

TABLES = {Game: GAME, GameSeason: GAME_SEASON, Hand: HAND, Season: SEASON, Player: PLAYER}
ELSEWHERE = {"record", "seat", "place"}  # kinds that are read where they are checked


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__tablename__)
def test_every_column_of_a_table_has_its_place(table):
    columns = TABLES[table]
    assert sorted(column.name for column in columns) == sorted(table.__table__.columns.keys())
    for column in columns:
        if column.key:
            assert column.kind in READ.keys() | ELSEWHERE
        else:
            assert column.role in (HERE, LOG, COUNTED)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__tablename__)
def test_what_a_column_refers_to_by_an_id_of_this_database_is_no_value(table):
    """An id means nothing elsewhere: such a column is a reference, or stays here."""
    for column in TABLES[table]:
        if table.__table__.columns[column.name].foreign_keys:
            assert REFERENCE in (column.kind,) or column.role == HERE


def test_every_column_comes_back(app_context):
    """Of a club with something unusual in each column, so that nothing comes back by chance."""
    club = a_full_club()
    hand_service.set_ways(club.games[0], detail="cards", auction=True)
    games.set_counts(club.games[0], False)
    other, _ = import_as_new_club(None, as_file(exported(club)))
    for table in (Game, Season, Player):
        rows, again = rows_of(table, club), rows_of(table, other)
        assert len(rows) == len(again) > 0
        for column in in_file(TABLES[table]):
            if column.kind == REFERENCE:
                continue
            values = [getattr(row, column.name) for row in rows]
            if column.name not in ("frozen", "pages"):  # they name the players by ids, which are others there
                assert [getattr(row, column.name) for row in again] == values, column.name
            assert len({json.dumps(value, default=str) for value in values}) > 1 or column.name in USUAL, column.name


USUAL = {"paper", "reopened"}  # have tests of their own


def rows_of(table, club):
    return db.session.scalars(select(table).where(table.club_id == club.id).order_by(table.uid)).all()

"""Seasons, guest and retired players, games from paper, and statistics of finished games."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SUMS = (
    "games", "won", "shared", "lost", "points_for", "points_against", "hands", "bids", "made", "sets", "inflicted",
)  # fmt: skip


def upgrade() -> None:
    make_seasons()
    add_columns()
    name_what_was_there()
    make_books()


def make_seasons() -> None:
    op.create_table(
        "season",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("club_id", sa.Integer, nullable=False),
        sa.Column("uid", sa.String(64), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("starts", sa.Date, nullable=False),
        sa.Column("ends", sa.Date, nullable=True),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("frozen", sa.JSON, nullable=True),
        sa.Column("reopened", sa.JSON, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_season"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name="fk_season_club_id_club", ondelete="CASCADE"),
        sa.UniqueConstraint("club_id", "name", name="uq_season_club_id_name"),
        sa.UniqueConstraint("club_id", "uid", name="uq_season_club_id_uid"),
    )


def player_columns() -> list[sa.Column]:
    return [
        sa.Column("uid", sa.String(64), nullable=True),
        sa.Column("guest", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("retired", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("mu", sa.Double, nullable=True),
        sa.Column("sigma", sa.Double, nullable=True),
        sa.Column("rated", sa.Integer, nullable=False, server_default="0"),
    ]


def add_columns() -> None:
    op.add_column("club", sa.Column("books", sa.Integer, nullable=False, server_default="0"))
    for column in player_columns():
        op.add_column("player", column)
    with op.batch_alter_table("game") as game:
        game.add_column(sa.Column("uid", sa.String(64), nullable=True))
        game.add_column(sa.Column("paper", sa.JSON, nullable=True))
        game.add_column(sa.Column("season_id", sa.Integer, nullable=True))
        game.create_foreign_key("fk_game_season_id_season", "season", ["season_id"], ["id"], ondelete="SET NULL")
        game.create_index("ix_game_season_id", ["season_id"])


def name_what_was_there() -> None:
    """Give every player and game a uid that is kept when its club moves to another database."""
    connection = op.get_bind()
    for name in ("player", "game"):
        rows = sa.table(name, sa.column("id"), sa.column("uid"))
        for number in connection.scalars(sa.select(rows.c.id)).all():
            named = sa.update(rows).where(rows.c.id == number).values(uid=secrets.token_urlsafe(16))
            connection.execute(named)
        with op.batch_alter_table(name) as table:
            table.alter_column("uid", existing_type=sa.String(64), nullable=False)
            table.create_unique_constraint(f"uq_{name}_club_id_uid", ["club_id", "uid"])


def sums() -> list[sa.Column]:
    return [sa.Column(name, sa.Integer, nullable=False) for name in SUMS] + [
        sa.Column("detail", sa.JSON, nullable=False)
    ]


def make_books() -> None:
    op.create_table(
        "division",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("club_id", sa.Integer, nullable=False),
        sa.Column("season_id", sa.Integer, nullable=True),
        sa.Column("rules_id", sa.String(80), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("teams", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_division"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name="fk_division_club_id_club", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name="fk_division_season_id_season", ondelete="CASCADE"),
    )
    op.create_index("ix_division_club_id_season_id", "division", ["club_id", "season_id"])
    make_results()
    make_tallies()


def make_results() -> None:
    op.create_table(
        "result",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("club_id", sa.Integer, nullable=False),
        sa.Column("division_id", sa.Integer, nullable=False),
        sa.Column("played", sa.Date, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("unit", sa.String(2), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("mu_before", sa.Double, nullable=True),
        sa.Column("sigma_before", sa.Double, nullable=True),
        sa.Column("mu", sa.Double, nullable=True),
        sa.Column("sigma", sa.Double, nullable=True),
        *sums(),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_result"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_result_game_id_game", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_result_player_id_player", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name="fk_result_club_id_club", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["division_id"], ["division.id"], name="fk_result_division_id_division", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_result_club_id_played_number", "result", ["club_id", "played", "number"])
    op.create_index("ix_result_player_id_played_number", "result", ["player_id", "played", "number"])
    op.create_index("ix_result_division_id_played", "result", ["division_id", "played"])


def make_tallies() -> None:
    op.create_table(
        "tally",
        sa.Column("division_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        *sums(),
        sa.Column("form", sa.JSON, nullable=False),
        sa.Column("beaten", sa.JSON, nullable=False),
        sa.Column("last_played", sa.Date, nullable=True),
        sa.PrimaryKeyConstraint("division_id", "player_id", name="pk_tally"),
        sa.ForeignKeyConstraint(
            ["division_id"], ["division.id"], name="fk_tally_division_id_division", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_tally_player_id_player", ondelete="CASCADE"),
    )
    op.create_index("ix_tally_player_id", "tally", ["player_id"])


def downgrade() -> None:
    """Drop the seasons. Statistics can be derived again; games from paper cannot be kept."""
    for table in ("tally", "result", "division"):
        op.drop_table(table)
    op.execute("DELETE FROM game WHERE paper IS NOT NULL")
    with op.batch_alter_table("game") as game:
        game.drop_index("ix_game_season_id")
        game.drop_constraint("fk_game_season_id_season", type_="foreignkey")
        game.drop_constraint("uq_game_club_id_uid", type_="unique")
        for name in ("season_id", "paper", "uid"):
            game.drop_column(name)
    with op.batch_alter_table("player") as player:
        player.drop_constraint("uq_player_club_id_uid", type_="unique")
        for column in reversed(player_columns()):
            player.drop_column(column.name)
    op.drop_column("club", "books")
    op.drop_table("season")

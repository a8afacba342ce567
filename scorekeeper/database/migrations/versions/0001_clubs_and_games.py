"""Clubs, players, games, hands and the log of their changes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KINDS = "kind IN ('record', 'correct', 'remove', 'undo', 'redo')"


def upgrade() -> None:
    make_people()
    make_games()
    make_hands()


def make_people() -> None:
    op.create_table(
        "club",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_club"),
        sa.UniqueConstraint("key", name="uq_club_key"),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("club_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name="fk_player_club_id_club", ondelete="CASCADE"),
        sa.UniqueConstraint("club_id", "name", name="uq_player_club_id_name"),
    )


def make_games() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("club_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("rules", sa.JSON, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("teams", sa.Integer, nullable=False),
        sa.Column("start", sa.JSON, nullable=True),
        sa.Column("played", sa.Date, nullable=False),
        sa.Column("first_dealer", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("previous_id", sa.Integer, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name="fk_game_club_id_club", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["previous_id"], ["game.id"], name="fk_game_previous_id_game", ondelete="SET NULL"),
        sa.UniqueConstraint("club_id", "number", name="uq_game_club_id_number"),
    )
    op.create_index("ix_game_previous_id", "game", ["previous_id"])
    op.create_table(
        "seat",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_seat"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_game_id_game", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name="fk_seat_player_id_player", deferrable=True, initially="DEFERRED"
        ),
    )
    op.create_index("ix_seat_player_id", "seat", ["player_id"])


def make_hands() -> None:
    op.create_table(
        "hand",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("facts", sa.JSON, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_hand"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_hand_game_id_game", ondelete="CASCADE"),
        sa.UniqueConstraint("game_id", "position", name="uq_hand_game_id_position"),
    )
    op.create_table(
        "change",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("before", sa.JSON, nullable=True),
        sa.Column("after", sa.JSON, nullable=True),
        sa.Column("undoes", sa.Integer, nullable=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("by", sa.Text, nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_change"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_change_game_id_game", ondelete="CASCADE"),
        sa.UniqueConstraint("game_id", "seq", name="uq_change_game_id_seq"),
        sa.UniqueConstraint("game_id", "token", name="uq_change_game_id_token"),
        sa.CheckConstraint(KINDS, name=op.f("ck_change_kind")),
    )


def downgrade() -> None:
    for table in ("change", "hand", "seat", "game", "player", "club"):
        op.drop_table(table)

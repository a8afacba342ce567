"""The club log, deleted items, games that do not count, and a club's time zone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from scorekeeper.database.zones import server_zone

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def _club() -> sa.Column[int]:
    return sa.Column("club_id", sa.Integer, nullable=False)


def _of_club(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=f"fk_{table}_club_id_club", ondelete="CASCADE")


def upgrade() -> None:
    op.add_column("club", sa.Column("zone", sa.String(64), nullable=False, server_default="UTC"))
    club = sa.table("club", sa.column("zone"))
    op.execute(club.update().values(zone=server_zone()))
    op.add_column("game", sa.Column("left_out", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "club_change",
        sa.Column("id", sa.Integer, nullable=False),
        _club(),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("before", sa.JSON),
        sa.Column("after", sa.JSON),
        sa.Column("undoes", sa.Integer),
        sa.Column("by", sa.Text),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        _of_club("club_change"),
        sa.PrimaryKeyConstraint("id", name="pk_club_change"),
        sa.UniqueConstraint("club_id", "seq", name="uq_club_change_club_id_seq"),
        sa.UniqueConstraint("club_id", "undoes", name="uq_club_change_club_id_undoes"),
    )
    op.create_table(
        "deleted",
        sa.Column("id", sa.Integer, nullable=False),
        _club(),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("uid", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("kept", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        _of_club("deleted"),
        sa.PrimaryKeyConstraint("id", name="pk_deleted"),
        sa.UniqueConstraint("club_id", "kind", "uid", name="uq_deleted_club_id_kind_uid"),
    )
    op.create_index("ix_deleted_at", "deleted", ["at"])


def downgrade() -> None:
    op.drop_table("deleted")
    op.drop_table("club_change")
    op.drop_column("game", "left_out")
    op.drop_column("club", "zone")

"""Capability links to watch, score or manage. A club's key is no longer secret: the old key becomes a link."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

OLD_LINK = "First link"


def upgrade() -> None:
    op.create_table(
        "link",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("club_id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("uid", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("waits", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("by", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True)),
        sa.Column("revoked_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_link"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name="fk_link_club_id_club", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_link_game_id_game", ondelete="CASCADE"),
        sa.UniqueConstraint("club_id", "uid", name="uq_link_club_id_uid"),
        sa.UniqueConstraint("hash", name="uq_link_hash"),
        sa.CheckConstraint("role IN ('watch', 'score', 'manage')", name=op.f("ck_link_role")),
    )
    op.create_index("ix_link_game_id", "link", ["game_id"])
    op.add_column("club", sa.Column("passphrase", sa.String(200), nullable=True))
    op.add_column("club", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("change", sa.Column("link_id", sa.Integer, nullable=True))
    _make_old_keys_links()


def _make_old_keys_links() -> None:
    """Turn every club's old key into a manage link, and give the club a new key."""
    club = sa.table("club", sa.column("id", sa.Integer), sa.column("key", sa.String))
    link = sa.table(
        "link",
        *(sa.column(name, sa.String) for name in ("role", "label", "uid", "hash")),
        sa.column("club_id", sa.Integer),
        sa.column("created_at", sa.DateTime(timezone=True)),
    )
    connection, at = op.get_bind(), datetime.now(UTC)
    # A key must not start with a dash: it may be a command-line argument.
    for club_id, old in connection.execute(sa.select(club.c.id, club.c.key)).all():
        told = {
            "club_id": club_id,
            "role": "manage",
            "label": OLD_LINK,
            "uid": secrets.token_urlsafe(9),
            "created_at": at,
        }
        connection.execute(link.insert().values(hash=sha256(old.encode()).hexdigest(), **told))
        connection.execute(club.update().where(club.c.id == club_id).values(key=f"c{secrets.token_urlsafe(16)[1:]}"))


def downgrade() -> None:
    """The old keys cannot be restored: clubs keep their new ones."""
    op.drop_column("change", "link_id")
    op.drop_column("club", "deleted_at")
    op.drop_column("club", "passphrase")
    op.drop_index("ix_link_game_id", "link")
    op.drop_table("link")

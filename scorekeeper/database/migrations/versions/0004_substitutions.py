"""Substitutions become log entries of their own; until the next hand is saved they are in game.next_seats."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

OLD_KINDS = "kind IN ('record', 'correct', 'remove', 'undo', 'redo')"
KINDS = "kind IN ('record', 'correct', 'remove', 'substitute', 'undo', 'redo')"
WAITING = 0  # the position that stored pending substitutes in the table of drafts

game = sa.table("game", sa.column("id"), sa.column("version"), sa.column("next_seats", sa.JSON))
hand = sa.table("hand", sa.column("game_id"), sa.column("position"), sa.column("version"))
tapped = sa.table(
    "tapped",
    sa.column("game_id"),
    sa.column("position"),
    sa.column("fields", sa.JSON),
    sa.column("at", sa.DateTime(timezone=True)),
)
change = sa.table(
    "change",
    *(sa.column(name) for name in ("game_id", "seq", "kind", "position", "token")),
    *(sa.column(name, sa.JSON(none_as_null=True)) for name in ("before", "after")),
    sa.column("at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    connection = op.get_bind()
    op.add_column("game", sa.Column("next_seats", sa.JSON, nullable=True))
    connection.execute(sa.update(game).values(next_seats={}))
    with op.batch_alter_table("game") as table:
        table.alter_column("next_seats", existing_type=sa.JSON, nullable=False)
    _set_kinds(KINDS)
    for row in connection.execute(sa.select(tapped).where(tapped.c.position == WAITING)).all():
        _write_down(connection, row.game_id, {seat: names[0] for seat, names in row.fields.items()}, row.at)
    connection.execute(sa.delete(tapped).where(tapped.c.position == WAITING))


def _set_kinds(kinds: str) -> None:
    with op.batch_alter_table("change") as table:
        table.drop_constraint(op.f("ck_change_kind"), type_="check")
        table.create_check_constraint(op.f("ck_change_kind"), sa.text(kinds))


def _write_down(connection: sa.Connection, game_id: int, seats: dict[str, str], at: object) -> None:
    """Turn pending substitutes into log entries, which can be undone."""
    if not seats:
        return
    version = connection.scalar(sa.select(game.c.version).where(game.c.id == game_id)) + 1
    hands = connection.scalar(sa.select(sa.func.count()).select_from(hand).where(hand.c.game_id == game_id))
    entry = {"game_id": game_id, "seq": version, "kind": "substitute", "position": hands + 1, "at": at}
    entry |= {"before": None, "after": {"names": seats}, "token": secrets.token_urlsafe()}
    connection.execute(sa.insert(change).values(entry))
    connection.execute(sa.update(game).where(game.c.id == game_id).values(version=version, next_seats=seats))


def downgrade() -> None:
    """Delete the logs of games with a substitution, which the previous version cannot replay."""
    connection = op.get_bind()
    for row in connection.execute(sa.select(game)).all():
        if row.next_seats:
            _let_wait(connection, row)
    for game_id in _games_with_a_substitution(connection):
        connection.execute(sa.delete(change).where(change.c.game_id == game_id))
        connection.execute(sa.update(hand).where(hand.c.game_id == game_id).values(version=0))
        connection.execute(sa.update(game).where(game.c.id == game_id).values(version=0))
    _set_kinds(OLD_KINDS)
    with op.batch_alter_table("game") as table:
        table.drop_column("next_seats")


def _let_wait(connection: sa.Connection, row: sa.Row) -> None:
    fields = {seat: [name] for seat, name in row.next_seats.items()}
    values = {"game_id": row.id, "position": WAITING, "fields": fields, "at": sa.func.now()}
    connection.execute(sa.insert(tapped).values(values))


def _games_with_a_substitution(connection: sa.Connection) -> list[int]:
    found = sa.select(change.c.game_id).where(change.c.kind == "substitute").distinct()
    return list(connection.scalars(found))

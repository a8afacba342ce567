"""Games as plain game records, for `scorekeeper score` and for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scorekeeper.models import Club, Game
from scorekeeper.stats.tallies import all_games
from scorekeeper.transfer.club_writer import to_line

FROM_PAPER = "x-paper"


def plain_record(game: Game) -> dict[str, Any]:
    """The game record of one game; of a game from paper it says how that came out."""
    record = game.record()
    return record if game.paper is None else record | {FROM_PAPER: game.paper}


def write_records(club: Club) -> Iterator[str]:
    """All games of a club as game records, one a line, in the order in which they were played."""
    return (to_line(plain_record(game)) for game in all_games(club))

"""Every change of what is counted must raise `TALLY_VERSION`, else an updated database keeps the old counts."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from scorekeeper.models import TALLY_VERSION
from scorekeeper.scoring.game import replay
from scorekeeper.scoring.record import read_game
from scorekeeper.stats.counting import (
    CREDITS,
    FINISHED,
    FORM_LENGTH,
    MOST,
    SUMS,
    FinishedGame,
    count_by_season,
    count_game,
    count_whole_game,
)
from scorekeeper.stats.ratings import rate_next
from scorekeeper.stats.tallies import from_sums
from tests.scoring.test_golden_games import GOLDEN, read_golden

# Digests of the counts of the golden games by TALLY_VERSION, latest last. If this test fails because counting was
# changed on purpose, increment TALLY_VERSION and add a line here. Lines of released versions are never changed.
DIGESTS = {
    2: "7a2b9f51254bf36a", 3: "1802dfba4dd96d97", 4: "43b62b005d40f35c", 5: "8bb8f0f0ce90801c", 6: "c647395df2973520",
    7: "ee802e6ef15bdbf0",
}  # fmt: skip
WITHOUT_BIDS = {
    "format": "setback-game/1",
    "rules": "trinidad-all-fours",
    "players": 4,
    "start": {"A": 12, "B": 0},
    "hands": [{"dealer": 4, "trump": "H", "claims": {"high": "A", "low": "B", "jack": "A", "game": None}}],
}


def counted() -> Iterator[Any]:
    """The counts of each golden game by each credit rule; player 9 takes over the first seat in hand 3."""
    for name, record in [*((path.stem, read_golden(path)[0]) for path in GOLDEN), ("without bids", WITHOUT_BIDS)]:
        game = read_game(record)
        seats = list(game.table.seats)
        seated = [[9, *seats[1:]] if index > 1 else seats for index in range(len(game.hands) + 1)]
        score = replay(game)
        finished = FinishedGame(game.table, score, [hand.trump for hand in game.hands], seated, game.start)
        for credit in CREDITS:
            found = count_game(finished, credit)
            yield name, credit, {player: vars(part) for player, part in found.items()}
            yield name, "whole", count_whole_game(finished, found)
        again = count_by_season(finished, {1: MOST, 2: FINISHED})
        yield name, "seasons", [(part.credit, part.seasons) for part in again]


def rated() -> Iterator[Any]:
    """The ratings after each of these games, and the tally of player 2."""
    ratings: dict[int, Any] = {}
    detail: Counter[str] = Counter()
    for parts in (parts for _, credit, parts in counted() if credit in CREDITS):
        rows: Any = [SimpleNamespace(player_id=player, **part, **part["sums"]) for player, part in parts.items()]
        rows = [SimpleNamespace(**{"points_for": 0, "games": 0} | vars(row)) for row in rows]
        rate_next([row for row in rows if row.games], ratings, {3})
        yield [[player, *(round(number, 6) for number in rating)] for player, rating in sorted(ratings.items())]
        detail.update(parts[2]["detail"])
    yield from_sums(detail, [["2026-01-01", 1, "W"]])


def test_what_is_counted_has_changed_only_with_its_number() -> None:
    told = json.dumps([SUMS, FORM_LENGTH, [*counted()], [*rated()]], sort_keys=True, default=str)
    digest = hashlib.sha256(told.encode()).hexdigest()[:16]
    assert DIGESTS.get(TALLY_VERSION) == digest, "counting has changed: increment TALLY_VERSION, add a line to DIGESTS"
    assert max(DIGESTS) == TALLY_VERSION
    assert len(set(DIGESTS.values())) == len(DIGESTS)


def test_nobody_has_a_role_in_a_hand_without_a_bid() -> None:
    """Seats 1 and 3 took High and the Jack, 2 and 4 Low; without a bid, there is no set."""
    game = read_game(WITHOUT_BIDS)
    found = count_game(FinishedGame(game.table, replay(game), ["H"], [[1, 2, 3, 4]] * 2))
    for player, points in ((1, 14), (2, 1), (3, 14), (4, 1)):
        assert (found[player].sums["hands"], found[player].sums["points_for"]) == (1, points)
        assert [name for name in ("bids", "sets", "inflicted") if found[player].sums[name]] == []
        assert [key for key in found[player].detail if "bidder" in key or "partner" in key or "defender" in key] == []
        assert found[player].detail["point:high:got"] == (points == 14)

"""A game with any number of hands and no winner, bulk inserted with its change log."""

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from sqlalchemy import insert

from scorekeeper.database.session import db_write
from scorekeeper.models import RECORD, Change, Club, Game, Hand, now
from scorekeeper.scoring.rules import find_rules
from tests.classic import SET, start_game

OF_B = SET | {"bidder": 2, "claims": {key: "BA"["AB".index(side)] for key, side in SET["claims"].items()}}
FOUR_HANDS = (SET, OF_B, SET | {"bid": 4}, OF_B | {"bid": 4})  # changes A: -2 1 -3 0, B: 3 1 4 0, and again


def long_game(club: Club, hands: int) -> Game:
    """Return a game of Classic to 999; after every fourth hand it is 0 to 0."""
    game = start_game(club, rules=find_rules("classic").override({"win.target": 999}))
    with db_write(club, game) as session:
        session.execute(insert(Hand), list(_hands(game.id, hands)))
        session.execute(insert(Change), list(_changes(game.id, hands)))
        game.version = hands
    return game


def _hands(game: int, hands: int) -> Iterator[dict[str, Any]]:
    for position, facts in enumerate(islice(cycle(FOUR_HANDS), hands), 1):
        dealt = facts | {"dealer": (position + 2) % 4 + 1}  # Di deals first
        yield {"game_id": game, "position": position, "facts": dealt, "version": position}


def _changes(game: int, hands: int) -> Iterator[dict[str, Any]]:
    for row in _hands(game, hands):
        seq, facts = row["position"], row["facts"]
        yield {
            "game_id": game, "seq": seq, "kind": RECORD, "position": seq, "before": None, "after": facts,
            "undoes": None, "token": f"long {seq}", "by": None, "at": now(),
        }  # fmt: skip

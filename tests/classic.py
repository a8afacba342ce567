"""A small game of Classic with one table: hands, and functions to save them.

A bids 2 in each hand; `TWO_EACH` gives 2 points to each team, in `SET` A is set.
"""

from typing import Any
from unittest.mock import patch

from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Game, HandDraft, Player
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import hands as hand_service
from scorekeeper.services.games import create_game

TWO_EACH = {"bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "B", "game": "B"}}
THREE_ONE = {"bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "B"}}
FOUR = {"bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}
SET = {"bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "B", "jack": "B", "game": "B"}}
NAMES = ["Ann", "Bo", "Cy", "Di"]


def new_club(name: str = "The Thursday club") -> Club:
    with db_write() as session:
        club = Club(name=name)
        session.add(club)
    return club


def start_game(club: Club, **changes: Any) -> Game:
    rules = find_rules("classic")
    seats: dict[str, Any] = {"players": 4, "teams": 2, "names": NAMES, "first_dealer": 4}
    season = changes.pop("season", None)
    changes |= {"seasons": [season]} if season else {}
    return create_game(club, **({"rules": rules, "options": {}} | seats | changes))


def player(name: str, club: Club | None = None) -> Player:
    """Return the only player of that name, in `club` if given."""
    found = select(Player).where(Player.name == name)
    return db.session.scalars(found if club is None else found.where(Player.club_id == club.id)).one()


def record(game: Game, *hands: dict[str, Any]) -> None:
    for facts in hands:
        position = len(game.hands) + 1
        hand_service.record_hand(game, facts, position=position, token=f"hand {position} v{game.version}")


def played_on(game: Game, facts: dict[str, Any]) -> None:
    """Record a hand after the one that won the game, as earlier versions allowed."""
    with db_write(game.club, game):
        game.plays_on = True
    with patch.object(hand_service, "score_record"):
        record(game, facts)


def draft_of(game: Game, position: int) -> dict[str, list[str]] | None:
    """Return the stored draft fields of an unsaved hand; None without a draft."""
    kept = db.session.query(HandDraft.fields).filter_by(game_id=game.id, position=position)
    return kept.scalar()

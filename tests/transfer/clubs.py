"""A club with every feature: corrections, undo, redo, a substitute, seasons, games from paper, several rule sets."""

import io
from datetime import date
from typing import Any

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import ABANDONED, PAUSED, Club, Game, GameGroup, Player, Result, Season, Tally, acting_as
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import drafts, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services.games import create_game
from scorekeeper.stats.counting import SUMS
from scorekeeper.stats.league import Bonus
from scorekeeper.stats.schemes import Scheme
from scorekeeper.transfer.club_writer import write_club
from tests.classic import FOUR, SET, THREE_ONE, TWO_EACH, new_club, played_on, player, record, start_game

FIVE = ["Ann", "Bo", "Cy", "Di", "Éva 'Ö' \"Q\", \\"]
RATINGS = ("mu_before", "sigma_before", "mu", "sigma")
CALLED = {"bidder": 1, "bid": 3, "trump": "H", "called": "AS", "partner": 3}


def game_of(club: Club, number: int) -> Game:
    return db.session.scalars(select(Game).where(Game.club_id == club.id, Game.number == number)).one()


def a_full_club() -> Club:
    """Six games and two seasons; the oldest game was added last."""
    club = new_club("The »Tuesday« club, ♠")
    league = seasons.begin(club, "League", date(2026, 1, 1), date(2026, 6, 30), Scheme(by="share", least=1))
    first = start_game(club, played=date(2026, 1, 6))
    record(first, FOUR, SET, THREE_ONE, FOUR, FOUR)
    with acting_as("Ann"):  # A wins one hand earlier: the last hand is after the end
        hand_service.correct_hand(first, 2, TWO_EACH, hand_version=2, token="c")
    hand_service.undo(first, token="u")
    with acting_as("Bo"):
        hand_service.redo(first, token="r")
    again = start_game(club, played=date(2026, 1, 13), previous=first)
    record(again, FOUR)
    hand_service.substitute(again, 2, "Gil")
    record(again, FOUR, FOUR)
    played_on(again, SET)
    given = Bonus(player("Ann", club).uid, -1, "late", date(2026, 1, 13), uid="late")
    seasons.set_bonus(league, given)
    seasons.close(league)
    seasons.begin(club, "Cup", date(2026, 7, 1), None, Scheme())
    _under_way(club)
    for number, people_there in ((5, ["Ann", "Bo", "Cy", "Flo"]), (6, ["Eve", "Bo", "Cy", "Flo"])):
        game = start_game(club, played=date(2026, 8, number), names=people_there)
        record(game, FOUR, FOUR, FOUR)
        hand_service.remove_hand(game, 1, hand_version=1, token="x")
        hand_service.undo(game, token="u")
    hand_service.set_state(game, ABANDONED)
    record(start_game(club, played=date(2025, 12, 30)), FOUR, FOUR, FOUR)
    player_service.set_guest(player("Flo", club), True)
    player_service.set_retired(player("Di", club), True)
    return club


def _under_way(club: Club) -> None:
    """A paused game of five players, with a substitute waiting and a hand partly entered."""
    rules = find_rules("west-michigan-5").override({"win.target": 30})
    seats: dict[str, Any] = {"players": 5, "teams": 0, "names": FIVE, "first_dealer": 5}
    game = create_game(
        club, rules=rules, options={"win.target": 30}, start={str(seat): seat - 3 for seat in range(1, 6)},
        played=date(2026, 7, 7), **seats,
    )  # fmt: skip
    claims = {"high": 1, "low": 2, "right_jack": 3, "left_jack": None, "right_joker": 1, "left_joker": 2, "game": 1}
    record(game, CALLED | {"claims": {key: side and str(side) for key, side in claims.items()}})
    hand_service.substitute(game, 2, "Hal")
    drafts.keep(game.id, 2, {"bidder": ["3"], "bid": [""]})
    db.session.rollback()
    hand_service.set_state(game, PAUSED)


# --- files --------------------------------------------------------------------------------------------------------


def exported(club: Club) -> bytes:
    text = "".join(write_club(club)).encode()
    db.session.rollback()
    return text


def as_file(content: bytes) -> io.BytesIO:
    return io.BytesIO(content)


# --- derived data -------------------------------------------------------------------------------------------------


def tallies_of(club: Club) -> Any:
    """All tallies of a club, with players by name."""
    names = dict(db.session.execute(select(Player.id, Player.name).where(Player.club_id == club.id)).all())
    results = [
        (
            row.played,
            row.number,
            row.seat,
            names[row.player_id],
            named(row.detail, names),
            *columns(row, RATINGS + SUMS),
        )
        for row in db.session.scalars(select(Result).where(Result.club_id == club.id))
    ]
    tallies = [
        (seasons_name(row), names[row.player_id], str(row.form), named(row.detail, names), *columns(row, SUMS))
        for row in db.session.scalars(select(Tally).where(Tally.player_id.in_(names)))
    ]
    rated = select(Player.name, Player.mu, Player.sigma, Player.rated).where(Player.club_id == club.id)
    return sorted(results), sorted(tallies), sorted(map(tuple, db.session.execute(rated)), key=str)


def columns(row: Any, names: tuple[str, ...]) -> list[Any]:
    return [getattr(row, name) for name in names]


def seasons_name(tally: Tally) -> str:
    season_id = db.session.get_one(GameGroup, tally.group_id).season_id
    season = season_id and db.session.get(Season, season_id)
    return season.name if season else ""


def named(detail: dict[str, int], names: dict[int, str]) -> str:
    """The details about partners and opponents, with names instead of ids."""
    told = {}
    for key, value in detail.items():
        parts = key.split(":")
        if parts[0] in ("with", "vs"):
            parts[1] = names[int(parts[1])]
        told[":".join(parts)] = value
    return str(sorted(told.items()))

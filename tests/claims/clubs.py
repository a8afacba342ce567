"""Four sample clubs for the claims: teams, players alone, house rules and newer rule sets, with all events of a game.

Every hand is played card by card, so that the reference scorer can score it from its record.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import ABANDONED, Club, Game, Player, Season
from scorekeeper.scoring.record import find_table, score_record
from scorekeeper.scoring.rules import RuleSet, find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import custom_rules, games, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services.games import PaperGame, create_game, record_forfeit, record_paper_games
from scorekeeper.simulator import draw_styles, simulate_hand
from scorekeeper.stats.counting import MOST
from scorekeeper.stats.schemes import Scheme
from tests.classic import new_club, played_on

NAMES = (
    "Ann", "Bo", "Big Jim", "Little Jim", "Ed Jr.", "Flo", "Mr. Kay", "Ida B", "Joan of the Long Lake Road", "Ö", "Pat",
    "Quentin", "Ann Lee",
)  # fmt: skip
FIRST = date(2026, 1, 6)
SPRING_ENDS = date(2026, 2, 28)
NIGHTS, NIGHT_GAMES = 8, 3
GAMES = NIGHTS * NIGHT_GAMES + 2  # plus the games without hands
MOST_HANDS = 40
TRIES = 300
EVENTS = "", "substitute", "correct", "penalty", "undo", "passed", ""
PLAYED_ON = 13
EARLY = {"at": 11, "others_at_most": 2, "when": "any-hand", "eligible": "anyone"}


class Kind(NamedTuple):
    """A table: the rule set, players, teams, house rules, and scores carried over.

    `bold` is the upper bound of the players' boldness; `own` the name under which the club saves these rules as its
    own; `ends` is the wanted ending of the game, if the random hands allow it.
    """

    rules: str
    players: int
    teams: int
    options: dict[str, Any] = {}
    start: dict[str, int] | None = None
    bold: float = 0.0
    own: str = ""
    ends: str = ""


class Kit(NamedTuple):
    """A club: name, scheme of the first season, tables, players, and endings that its stories must contain."""

    name: str
    scheme: Scheme
    kinds: tuple[Kind, ...]
    names: tuple[str, ...] = NAMES
    endings: tuple[str, ...] = ()


SHOOT = {"name": "shoot the moon", "bid": 5, "needs": ["every-point"], "made": "win", "failed": "lose"}
SLAM = {"name": "slam", "bid": 5, "needs": ["every-point"], "made": "target", "failed": "set-to", "failed_to": -3}
CLUBS: tuple[Kit, ...] = (
    Kit(
        "Teams",
        Scheme(by="points", won=2, shared=1),
        (
            Kind("classic", 4, 2),
            Kind("west-michigan-6", 6, 2),
            Kind("partnership", 6, 3),
            Kind("shankar", 6, 3),
            Kind("double-jack", 4, 2),
        ),
    ),
    Kit(
        "Alone",
        Scheme(by="share", least=4),
        (Kind("shankar", 3, 0), Kind("shankar", 2, 0), Kind("west-michigan-5", 5, 0), Kind("shankar", 5, 0)),
    ),
    Kit(
        "House rules",
        Scheme(by="rating", ties=()),
        (
            Kind("shankar", 4, 2, {"win.both": ["share"], "win.target": 7}, {"A": 5, "B": 5}),
            Kind("shankar", 3, 0, {"win.both": ["highest", "share"], "win.target": 5}, {"1": 3, "2": 3, "3": 3}),
            Kind("partnership", 4, 2, {"win.early": EARLY}),
            Kind("classic", 4, 2, {"win.target": 9}, {"A": 3, "B": 0}),
            Kind("west-michigan-5", 5, 0, {"win.eligible": "made-bid", "win.target": 12}),
            Kind("shankar", 4, 2, {"win.hands": 4, "win.target": 30}),
            Kind("classic", 4, 2, {"win.lost_at": -2, "win.all_points": "anyone"}),
        ),
    ),
    Kit(
        "Newer games",
        Scheme(by="rating", ties=()),
        (
            Kind("auction-pitch-joker", 4, 0, {"win.target": 6}),
            Kind("ten-point", 4, 2, {"win.target": 21}),
            Kind("classic", 4, 2, {"auction.specials": [SHOOT]}, bold=3.0, ends="special"),
            Kind("call-partner-ten-point", 5, 0, {"win.target": 15}),
            Kind("partnership", 4, 2, {"win.lost_sets": 2}),
            Kind("nebraska-four-point", 4, 0),
            Kind("auction-pitch-joker", 3, 0, {"win.both": ["count-out"]}, dict.fromkeys("123", 6), ends="count-out"),
            Kind("minnesota-smear", 4, 2, {"win.hands": 5}),
            Kind("classic", 4, 2, {"auction.specials": [SLAM]}, bold=3.0),
            Kind("classic", 4, 2, {"auction.specials": [SHOOT]}, bold=3.0, ends="special-lost"),
            Kind("st-paul-schmier", 4, 2, {"win.hands": 6}, own="Marsh Lake"),
        ),
        ("Ann", "Ann Lee", "Bo", "Ed Jr.", "Flo", "Mr. Kay"),
        ("_counted_out", "_special_won", "_special_lost", "_set_too_often", "_last_hand"),
    ),
)


def fill(number: int, nights: int = NIGHTS) -> Club:
    """Create one of the clubs; the same number gives the same games."""
    kit = CLUBS[number]
    club, lot = new_club(kit.name), Random(f"claims {number}")
    spring = seasons.begin(club, "Spring", FIRST, SPRING_ENDS, kit.scheme)
    later = seasons.begin(club, "Later", SPRING_ENDS + timedelta(days=1), None, Scheme(credit=MOST))
    for index, (game, kind) in enumerate(_games(club, kit, nights, lot)):
        _play(game, kind, lot, index)
    _count_in_both(club, spring, later)
    _leave_out_and_move(club)
    _without_hands(club, spring, lot)
    for name, change in (("Quentin", player_service.set_guest), ("Pat", player_service.set_retired)):
        if player := _player(club, name):
            change(player, True)
    seasons.close(spring)
    return club


def _player(club: Club, name: str) -> Player | None:
    return db.session.scalar(select(Player).where(Player.club_id == club.id, Player.name == name))


def _games(club: Club, kit: Kit, nights: int, lot: Random) -> Iterator[tuple[Game, Kind]]:
    for night in range(nights):
        for turn in range(NIGHT_GAMES):
            kind = kit.kinds[(night * NIGHT_GAMES + turn) % len(kit.kinds)]
            game = create_game(
                club, rules=_rules(club, kind), options={} if kind.own else kind.options, players=kind.players,
                teams=kind.teams, names=lot.sample(kit.names, kind.players), first_dealer=lot.randint(1, kind.players),
                start=kind.start, played=FIRST + timedelta(weeks=2 * night),
            )  # fmt: skip
            yield game, kind


def _rules(club: Club, kind: Kind) -> RuleSet:
    rules = find_rules(kind.rules).override(kind.options)
    return custom_rules.save(club, kind.own, Table(rules, kind.players, kind.teams)).rules if kind.own else rules


# --- a game -------------------------------------------------------------------------------------------------------


def _play(game: Game, kind: Kind, lot: Random, index: int) -> None:
    """Play a game with its event: a substitute, a correction, a penalty, a hand that is passed out, or no end."""
    event = EVENTS[index % len(EVENTS)]
    most = 3 if index in (10, 19) else MOST_HANDS
    while game.score.outcome is None and len(game.hands) < most:
        position = len(game.hands) + 1
        if event == "substitute" and position == 3:
            _substitute(game, lot)
        passed = event == "passed" and position == 2 and game.rules["auction"]["all_pass"] != "dealer-forced"
        _record(game, _everybody_passes(game) if passed else _next_hand(game, kind, lot), position)
        if event == "correct" and position == 2:
            _correct(game, lot)
        if event in ("penalty", "passed") and position == 2:
            _penalize(game)
        if event == "undo" and position == 3:
            hand_service.undo(game, token=f"undo {game.number}")
            event = ""
    if index == 10:
        hand_service.set_state(game, ABANDONED)
    if index == PLAYED_ON:
        played_on(game, _hand(game, lot, kind.bold))


def _record(game: Game, facts: dict[str, Any], position: int) -> None:
    hand_service.record_hand(game, facts, position=position, token=f"{game.number} {position} {game.version}")


def _next_hand(game: Game, kind: Kind, lot: Random) -> dict[str, Any]:
    """A random hand; from the third on, one that gives the wanted ending if found in TRIES attempts."""
    hands = (_hand(game, lot, kind.bold) for _ in range(TRIES))
    wanted = (facts for facts in hands if _ends_by(game, facts) == kind.ends)
    may = kind.ends and len(game.hands) > 1
    return (may and next(wanted, None)) or _hand(game, lot, kind.bold)


def _ends_by(game: Game, facts: dict[str, Any]) -> str:
    record = game.record()
    outcome = score_record(record | {"hands": [*record["hands"], facts]}).outcome
    return outcome.reason if outcome else ""


def _hand(game: Game, lot: Random, bold: float = 0.0) -> dict[str, Any]:
    styles = draw_styles(lot, game.players)
    if bold:
        styles = tuple(style._replace(boldness=lot.uniform(0, bold)) for style in styles)
    return simulate_hand(game.table, lot, styles, hand_service.next_dealer(game), game.score.totals, detail="play")


def _everybody_passes(game: Game) -> dict[str, Any]:
    dealer, there = hand_service.next_dealer(game), game.players
    return {"bids": [{"seat": 1 + (dealer + turn) % there, "bid": "pass"} for turn in range(there)]}


def _substitute(game: Game, lot: Random) -> None:
    others = [name for name in NAMES if name not in game.names]
    hand_service.substitute(game, lot.randint(1, game.players), lot.choice(others))


def _correct(game: Game, lot: Random) -> None:
    """Correct the second hand by a new random one."""
    hand, before = game.hands[1], game.score.hands[0]
    styles = draw_styles(lot, game.players)
    facts = simulate_hand(game.table, lot, styles, hand.facts["dealer"], before.totals, detail="play")
    hand_service.correct_hand(game, 2, facts, hand_version=hand.version, token=f"correct {game.number}")


def _penalize(game: Game) -> None:
    told = {"unit": game.table.units[0], "points": -2, "reason": "revoke"}
    hand_service.adjust(game, 2, [told], hand_version=game.hands[1].version, token=f"adjust {game.number}")


# --- other changes of the club ------------------------------------------------------------------------------------


def _count_in_both(club: Club, spring: Season, later: Season) -> None:
    """Also count every second game of the first season, which uses credit `finished`, in the later one."""
    for game in db.session.scalars(select(Game).where(Game.season == spring, Game.number % 2 == 0)).all():
        seasons.count_in(game, spring, [later])


def _leave_out_and_move(club: Club) -> None:
    """Exclude one finished game from the counts, and move another one to another day."""
    over = [game for game in db.session.scalars(select(Game).where(Game.club_id == club.id)) if game.score.outcome]
    by_number = {game.number: game for game in over}
    left_out, moved = [by_number[n] for n in sorted(by_number) if n in (5, 6, 7, 8, 14, 15)][:2]
    games.set_counts(left_out, False)
    games.set_day(moved, FIRST + timedelta(days=3))


def _without_hands(club: Club, season: Season, lot: Random) -> None:
    """Add a game from paper and a forfeit."""
    table = find_table("shankar", 2, 0, {})
    names = "Ann", "Bo"
    paper = PaperGame("on paper", table, names, FIRST + timedelta(weeks=1), {"1": 11, "2": 4}, ("1",), season)
    record_paper_games(club, [paper])
    record_forfeit(
        club, table, ["Flo"], [lot.choice(("Ann", "Pat"))], played=FIRST + timedelta(weeks=2), season=season, token="f"
    )

"""A sample club with two seasons of simulated games, entered by the same services as on the pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count
from random import Random

from scorekeeper.database.session import db_write
from scorekeeper.models import ABANDONED, CARDS, NAME_LENGTH, PLAY, POINTS, Club, Facts, Game, acting_as, tidy_name
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import RuleSet, catalogue, variations
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.services.games import create_game
from scorekeeper.simulator import draw_styles, simulate_hand
from scorekeeper.stats.schemes import SHARE, Scheme

NAME = "Setback at the Lodge"
NAMES = (
    "Ann", "Bo", "Cy", "Dolores", "Ed", "Flo", "Gil", "Hattie", "Ike", "June", "Karl", "Maggie", "Lou", "Ned",
    "Opal", "Pete", "Quentin", "Rosalie", "Sam", "Tess", "Ulla", "Vern", "Winifred", "Xavier", "Yvonne", "Zeke",
    "Aunt Carol", "Big Jim", "Little Jim", "Bernadette", "Clarence", "Dee", "Earl", "Frieda", "Gus", "Helga",
    "Irma", "Joe from the mill", "Kit", "Lester",
)  # fmt: skip
FEWEST, MOST = 2, len(NAMES)
ENOUGH_FOR_A_GUEST = 10
NIGHTS = 17  # weeks over which the games are spread
FIRST_SEASON = 11  # of them, in the season that is over
FAVORITES = (16, 6, 5, 4, 4, 2, 2)  # weights of the first rule sets of the catalogue
DETAIL_WEIGHTS = {"claims": (POINTS, 14), "counts": (POINTS, 2), "piles": (CARDS, 3), "play": (PLAY, 2)}
AUCTION = 0.2  # probability that a table enters the bidding bid by bid
HOUSE_RULE = 0.25
IN_A_ROW = 3  # most games at one table before players change places
MOST_HANDS = 80
SUBSTITUTE, CORRECT, ABANDON, UNDER_WAY = EVENTS = ("substitute", "correct", "abandon", "under way")
HANDS_OF = {ABANDON: 3, UNDER_WAY: 4}  # hands played of a game that is not finished


@dataclass(frozen=True)
class Sitting:
    """A table for one or more games: the rules, the seats, and how hands are entered."""

    rules: RuleSet
    options: dict[str, object]
    teams: int
    names: tuple[str, ...]
    detail: str
    auction: bool


class Demo:
    """Makes the club; the same seed and day give the same games."""

    def __init__(self, name: str, players: int, games: int, seed: int, today: date) -> None:
        self.rng = Random(seed)  # noqa: S311
        self.names = NAMES[:players]
        self.tempers = dict(zip(self.names, draw_styles(self.rng, players), strict=True))
        self.today = today
        self.to_play = games
        self.events = _events(games)
        self.tokens = (f"demo-{tap}" for tap in count(1))
        self.club = Club(name=tidy_name(name))

    def fill(self) -> Club:
        """Play all nights of both seasons; the first one is closed at its end."""
        with db_write() as session:
            session.add(self.club)
        nights = [self.today - timedelta(weeks=week) for week in reversed(range(min(NIGHTS, self.to_play)))]
        over, running = nights[: FIRST_SEASON * len(nights) // NIGHTS], nights[FIRST_SEASON * len(nights) // NIGHTS :]
        if over:
            name = f"{over[0]:%B} to {over[-1]:%B %Y}"
            season = seasons.begin(self.club, name, over[0], over[-1], Scheme())
            self._play_nights(over, len(running))
            seasons.close(season)
        seasons.begin(self.club, f"From {running[0]:%B %Y}", running[0], None, Scheme(by=SHARE, least=3))
        self._play_nights(running, 0)
        guest = next((player for player in self.club.players if player.name == self.names[-1]), None)
        if guest and len(self.names) >= ENOUGH_FOR_A_GUEST:
            player_service.set_guest(guest, True)
        return self.club

    def _play_nights(self, nights: list[date], later: int) -> None:
        for index, night in enumerate(nights):
            left = len(nights) - index + later
            self._play_night(night, -(-self.to_play // left))

    def _play_night(self, night: date, games: int) -> None:
        present = self.rng.sample(self.names, self.rng.randint(max(FEWEST, len(self.names) * 2 // 3), len(self.names)))
        while games:
            in_a_row = min(games, self.rng.randint(1, IN_A_ROW))
            sitting, previous = self._sit_down(present), None
            for _ in range(in_a_row):
                dealer = (previous.score.next_dealer if previous else None) or self.rng.randint(1, len(sitting.names))
                previous = create_game(
                    self.club, rules=sitting.rules, options=sitting.options, players=len(sitting.names),
                    teams=sitting.teams, names=sitting.names, first_dealer=dealer, played=night, previous=previous,
                )  # fmt: skip
                self._play(previous, sitting, self.events.get(self.to_play))
                self.to_play -= 1
            games -= in_a_row

    # --- a table --------------------------------------------------------------------------------------------------

    def _sit_down(self, present: list[str]) -> Sitting:
        """Seat players at a random table, larger ones more likely, with at most one house rule."""
        tables = _tables(len(present))
        rules, players, teams = self.rng.choices(list(tables), list(tables.values()))[0]
        fitting = [house.options for house in variations(rules.id) if not any("table." in key for key in house.options)]
        options = self.rng.choice(fitting) if fitting and self.rng.random() < HOUSE_RULE else {}
        detail = self.rng.choices(list(DETAIL_WEIGHTS), [weight for _, weight in DETAIL_WEIGHTS.values()])[0]
        names = tuple(self.rng.sample(present, players))
        return Sitting(rules.override(options), options, teams, names, detail, self.rng.random() < AUCTION)

    # --- a game ---------------------------------------------------------------------------------------------------

    def _play(self, game: Game, sitting: Sitting, event: str | None) -> None:
        names = list(sitting.names)
        while game.score.outcome is None and len(game.hands) < HANDS_OF.get(event or "", MOST_HANDS):
            others = [name for name in self.names if name not in names]
            if event == SUBSTITUTE and len(game.hands) == 2 and others:
                names[-1] = self.rng.choice(others)
                with acting_as(names[0]):
                    hand_service.substitute(game, len(names), names[-1])
            told = "claims" if event == CORRECT else sitting.detail
            tempers = [self.tempers[name] for name in names]
            dealer, totals = hand_service.next_dealer(game), game.score.totals
            facts = simulate_hand(game.table, self.rng, tempers, dealer, totals, detail=told, auction=sitting.auction)
            if event != CORRECT or len(game.hands) != 1 or not self._record_wrong(game, facts, sitting):
                self._record(game, facts, sitting)
        if event == ABANDON:
            hand_service.set_state(game, ABANDONED)

    def _record(self, game: Game, facts: Facts, sitting: Sitting) -> None:
        ways = {"detail": DETAIL_WEIGHTS[sitting.detail][0], "auction": sitting.auction}
        with acting_as(game.names[0]):
            hand_service.record_hand(game, facts, position=len(game.hands) + 1, token=next(self.tokens), **ways)

    def _record_wrong(self, game: Game, facts: Facts, sitting: Sitting) -> bool:
        """Enter a hand with one point on the wrong side, and correct it; returns False if that is not possible."""
        sides = ("bidding", "defending") if game.table.changing_sides else game.table.units
        claims = facts.get("claims", {})
        taken = [key for key, side in claims.items() if side is not None]
        if not taken:
            return False
        other = next(name for name in sides if name != claims[taken[-1]])
        wrong = facts | {"claims": claims | {taken[-1]: other}}
        try:
            self._record(game, wrong, sitting)
        except Refused:
            return False
        hand = game.hands[-1]
        with acting_as(game.names[-1]):
            hand_service.correct_hand(game, hand.position, facts, hand_version=hand.version, token=next(self.tokens))
        return True


def fill(name: str = NAME, players: int = 12, games: int = 60, seed: int = 1, today: date | None = None) -> Club:
    """Make a new club with `players` players, and `games` games up to `today`."""
    return Demo(name, players, games, seed, today or date.today()).fill()


def objection(name: str, players: int, games: int) -> str | None:
    """Why there cannot be such a club, as a sentence; None if there can."""
    if not 1 <= len(tidy_name(name)) <= NAME_LENGTH:
        return f"the club's name must have 1 to {NAME_LENGTH} letters"
    if not FEWEST <= players <= MOST:
        return f"choose {FEWEST} to {MOST} players"
    return None if games >= 1 else "choose at least 1 game"


def _events(games: int) -> dict[int, str]:
    """Special games, by the number of games still to play; the last game is under way."""
    happens = {games * 5 // 6: SUBSTITUTE, games * 2 // 3: CORRECT, games // 3: ABANDON}
    return (happens if games > len(EVENTS) else {}) | ({1: UNDER_WAY} if games > 1 else {})


def _tables(present: int) -> dict[tuple[RuleSet, int, int], float]:
    """Weights of all tables (rules, players, teams) for `present` people; larger tables weigh more."""
    tables: dict[tuple[RuleSet, int, int], float] = {}
    for favor, rules in zip(FAVORITES, catalogue(), strict=False):
        table = rules.table
        formats = [
            (players, teams) for players in table.players for teams in table.formats(players) if players <= present
        ]
        chairs = sum(players for players, _ in formats)
        tables |= {(rules, players, teams): favor * players / chairs for players, teams in formats}
    return tables

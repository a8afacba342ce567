"""Games for tests of the board: one for each kind of table, and those that are hard to fit on a screen.

`Shown.scores` and `says` are what the board must show, worked out by hand: the scores, and the line on the last hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.models import Club, Game
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import hands as hand_service
from scorekeeper.services.games import create_game

SIX = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
LONG = (
    "Bartholomew Featherstonehaugh I", "Maximiliane von und zu Hohenlohe", "Christopher-Alexander Whitfield",
    "Bartholomew Featherstonehaugh V", "Emmanuelle-Antoinette Lefebvre", "Wilhelmina-Anneliese Pfefferkorn",
)  # fmt: skip
WEST_MICHIGAN = ("high", "low", "right_jack", "left_jack", "right_joker", "left_joker", "game")
FOUR_POINTS = ("high", "low", "jack", "game")
FIVE_POINTS = ("high", "low", "right_jack", "left_jack", "game")


def hand(
    bidder: int, bid: int, trump: str, keys: Sequence[str], others: Mapping[str, Any], **facts: Any
) -> dict[str, Any]:
    """Return a hand in which the bidder's side took all points in `keys` except `others`."""
    claims = {key: others.get(key, bidder) for key in keys}
    return {"bidder": bidder, "bid": bid, "trump": trump, "claims": claims} | facts


@dataclass(frozen=True)
class Shown:
    """A game, and what its board must show."""

    rules: str
    names: Sequence[str]
    hands: Sequence[dict[str, Any]]
    scores: Sequence[str]
    says: str
    took: str = ""
    teams: int | None = None
    start: Mapping[str, int] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def _six(*hands: dict[str, Any], **more: Any) -> Shown:
    return Shown("west-michigan-6", more.pop("names", SIX), hands, **more)


# Seed 000, section 14.1: A bids 4 and takes High, Low, Right Jack, Right Joker and Game; B the left ones.
FIRST = hand(1, 4, "H", WEST_MICHIGAN, {"left_jack": 2, "left_joker": 2}, buried=["9C", "2D"])
# B bids 5 with the Right Joker buried and takes three of six: set, 2 - 5.
SET = hand(2, 5, "S", WEST_MICHIGAN, {"high": 1, "left_jack": 1, "game": 1, "right_joker": None}, buried=["XR", "8D"])
# B takes five, and A two.
LAST = hand(6, 3, "D", WEST_MICHIGAN, {"left_jack": 1, "left_joker": 1})

PASSED = {"bids": [{"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 5, 6, 1)]}

BOARDS: dict[str, Shown] = {
    "no hands": _six(scores=["0", "0"], says="No hands yet Flo deals next"),
    "one hand": _six(
        FIRST, scores=["5", "2"], says="Ann bid 4 ♥, made Ann deals next",
        took="Hand 1 A: High, Low, Right Jack, Right Joker, Game B: Left Jack, Left Joker",
    ),
    "set below zero": _six(
        FIRST, SET, scores=["8", "−3"], says="Bo bid 5 ♠, set Bo deals next",
        took="Hand 2 A: High, Left Jack, Game B: Low, Right Jack, Left Joker Right Joker buried",
    ),
    # The same hands from 11 to 18: 11 + 5 + 3, and 18 + 2 - 5.
    "close to winning": _six(
        FIRST, SET, start={"A": 11, "B": 18}, scores=["19", "15"], says="Bo bid 5 ♠, set Bo deals next",
        took="Ann’s team needs 2, Bo’s team 6 Hand 2 A: High, Left Jack, Game B: Low, Right Jack, Left Joker",
    ),
    "all passed": _six(
        FIRST, PASSED,
        scores=["5", "2"], says="All passed Ann deals next", took="Hand 2",
    ),
    # Both reach 21 in the same hand, 19 + 2 and 16 + 5: "the bidding team wins", which is Flo's.
    "won": _six(
        LAST, start={"A": 19, "B": 16}, scores=["21", "21"], says="Bo, Di and Flo win, 21 to 21",
        took="Ann deals the next game Hand 1: Flo bid 3 ♦, made "
        "A: Left Jack, Left Joker B: High, Low, Right Jack, Right Joker, Game",
    ),
    "called partner": Shown(
        "west-michigan-5", SIX[:5],
        [hand(2, 5, "S", WEST_MICHIGAN, {"low": 1, "game": 1}, called="AS", partner=4)],
        # Bo and Di take five points each, the other three two each.
        ["2", "5", "2", "5", "2"], "Bo bid 5 ♠ with Di, made Ann deals next",
        "Hand 1 Bo and Di: High, Right Jack, Left Jack, Right Joker, Left Joker others: Low, Game",
    ),
    "alone": Shown(
        "west-michigan-5", SIX[:5],
        [hand(2, 5, "S", WEST_MICHIGAN, {"low": 1, "game": 1, "high": 1}, called="AS", partner=None)],
        # Four points taken of a bid of five: set; the others score three each.
        ["3", "−5", "3", "3", "3"], "Bo bid 5 ♠ alone, set Ann deals next",
        "Hand 1 Bo: Right Jack, Left Jack, Right Joker, Left Joker others: High, Low, Game",
    ),
    "four with jokers": Shown(
        "west-michigan-4", SIX[:4],
        [hand(3, 4, "C", WEST_MICHIGAN, {"low": 2})], ["6", "1"], "Cy bid 4 ♣, made Ann deals next",
        "Hand 1 A: High, Right Jack, Left Jack, Right Joker, Left Joker, Game B: Low",
    ),
    "partnership": Shown(
        "partnership", SIX[:4],
        [hand(1, 3, "H", FOUR_POINTS, {"jack": 2})], ["3", "1"], "Ann bid 3 ♥, made Ann deals next",
        "Hand 1 A: High, Low, Game B: Jack",
    ),
    "double jack": Shown(
        "double-jack", SIX[:4],
        [hand(4, 3, "D", FIVE_POINTS, {"high": 1, "low": 3, "game": 1})], ["3", "−3"], "Di bid 3 ♦, set Ann deals next",
        "Hand 1 A: High, Low, Game B: Right Jack, Left Jack",
    ),
    "classic": Shown(
        "classic", SIX[:4],
        [hand(1, 2, "H", FOUR_POINTS, {"jack": 2, "game": 2})], ["2", "2"], "Ann bid 2 ♥, made Ann deals next",
        "Hand 1 A: High, Low B: Jack, Game",
    ),
    "two alone": Shown(
        "shankar", SIX[:2],
        [hand(1, 2, "H", FOUR_POINTS, {"game": 2})], ["3", "1"], "Ann bid 2 ♥, made Ann deals next",
        "Hand 1 Ann: High, Low, Jack Bo: Game", teams=0,
    ),
    "three teams": Shown(
        "shankar", SIX,
        [hand(1, 2, "H", FOUR_POINTS, {"game": 2, "jack": 3})], ["2", "1", "1"], "Ann bid 2 ♥, made Ann deals next",
        "Hand 1 A: High, Low B: Game C: Jack", teams=3,
    ),
    "six alone": Shown(
        "shankar", SIX,
        [hand(1, 2, "H", FOUR_POINTS, {"game": 2, "jack": 3})], ["2", "1", "1", "0", "0", "0"],
        "Ann bid 2 ♥, made Ann deals next", "Hand 1 Ann: High, Low Bo: Game Cy: Jack", teams=0,
    ),
    "six alone, everything long": Shown(
        "shankar", LONG,
        [hand(1, 4, "H", FOUR_POINTS, {"game": 4, "jack": 2, "low": 6})],
        # The bidder is set by 4, from −17; each of the others takes one, except two of them.
        ["−21", "105", "88", "100", "7", "1"], "", teams=0,
        start={"1": -17, "2": 104, "3": 88, "4": 99, "5": 7, "6": 0}, options={"win.target": 120},
    ),
    "two teams, everything long": _six(
        FIRST, SET, names=LONG, scores=["113", "−24"], says="", start={"A": 105, "B": -21}, options={"win.target": 150},
    ),
    "six alone, won": Shown(
        "shankar", LONG,
        [hand(2, 2, "H", FOUR_POINTS, {"game": 4, "jack": 3})], ["−21", "11", "11", "10", "7", "1"], "", teams=0,
        start={"1": -21, "2": 9, "3": 10, "4": 9, "5": 7, "6": 1},
    ),
    "three teams, won": Shown(
        "partnership", LONG,
        [hand(1, 4, "H", FOUR_POINTS, {})], ["23", "20", "−21"], "", teams=3, start={"A": 19, "B": 20, "C": -21},
    ),
}  # fmt: skip


def play(club: Club, shown: Shown) -> Game:
    """Play the game in `club`."""
    rules = find_rules(shown.rules).override(dict(shown.options))
    teams = shown.teams
    if teams is None:
        teams = (rules.table.teams or (0,))[0] if rules.table.sides == "teams" else 0
    names = list(shown.names)
    game = create_game(
        club, rules=rules, options=dict(shown.options), players=len(names), teams=teams, names=names,
        first_dealer=len(names), start=dict(shown.start) if shown.start else None,
    )  # fmt: skip
    for position, facts in enumerate(shown.hands, 1):
        hand_service.record_hand(game, facts, position=position, token=f"hand {position}")
    return game

"""The counts of one finished game, for each player and for the game: integers that can be added over many games.

`detail` is a flat map from names to numbers; players are named by id:

- `hands:<role>`, `took:<role>`, `change:<role>`: hands in that role (bidder, partner, defender), the points that the
  player's side took in them, and the change of the player's score; a hand without a bid has no roles
- `bid:<bid>:taken|made|worth|squares` and `trump:<suit>:...`: as the bidder; worth is the sum of the changes, squares
  the sum of their squares
- `point:<point>:seen|got`: hands in which a side had that point, and in which the player's side had it
- `with:<player>:hands|swing|squares|games|won|shared|lost` and `vs:<player>:...`: on the same side, and on another
  one; the swing of a hand is the change of the player's score minus the best change on another side; squares is the
  sum of the squared swings
- `with:<player>:sets|inflicted`: hands in which the side of the two was set, and in which it set another
- `out:<bid>:<change>,<change>,...`: hands that this player bid, by the change of each unit's score, in the order of
  play from the bidder's own unit

The columns of a whole game (GameCount, one row per game), for records, partners and charts:

- `hands`: all hands, also those that were passed out
- `sides`: each unit as [final score, W, S or L, ids of the players whom the game counts for]
- `bids`: by bid, the numbers of BID_COUNTS
- `pairs`: of two players in one team, "3-8", the numbers of PAIR_COUNTS; only of games played in teams
- `deeds`: candidates for records as [value, hand, players], with the players seated in that hand; and whether the
  game's scores count down
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from math import sqrt
from operator import add, itemgetter
from typing import Any, NamedTuple, TypeVar

from scorekeeper.models import FORFEIT, Json, Sums
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.table import Seat, Sides, Table, Unit
from scorekeeper.simulator.outcomes import outcome_of

# --- the names of details ---------------------------------------------------------------------------------------------


BID, TRUMP, POINT, WITH, VS, OUT = ("bid", "trump", "point", "with", "vs", "out")
Parts = Mapping[str, Mapping[str, int]]


def by_kind(detail: Mapping[str, int]) -> Mapping[str, Parts]:
    """All three-part details, by kind, name and number; a missing kind is empty."""
    found: defaultdict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for text, number in detail.items():
        parts = text.split(":")
        if len(parts) == 3:  # "hands:bidder" has two
            kind, name, what = parts
            found[kind][name][what] = number
    return found


def of_kind(detail: Mapping[str, int], kind: str) -> Parts:
    """The details of one kind, by name and number: {"4": {"taken": 12, "made": 9}}."""
    return by_kind(filter_kind(detail, kind))[kind]


def filter_kind(detail: Mapping[str, int], kind: str) -> dict[str, int]:
    """The details of one kind, under their full names."""
    start = f"{kind}:"
    return {text: number for text, number in detail.items() if text.startswith(start)}


def total(*details: Mapping[str, int]) -> Counter[str]:
    """The sum of details; `+` of Counters would drop negative numbers."""
    together: Counter[str] = Counter()
    for detail in details:
        together.update(detail)
    return together


Name = TypeVar("Name")


def add_lists(sums: dict[Name, Sequence[int]], more: Mapping[Name, Sequence[int]]) -> None:
    """Add lists of numbers elementwise to those of the same names, in place."""
    for name, numbers in more.items():
        sums[name] = list(map(add, sums[name], numbers)) if name in sums else numbers


# --- credit: whom a game counts for -----------------------------------------------------------------------------------


FINISHED, MOST, BOTH = CREDITS = ("finished", "most", "both")
Credited = list[tuple[int, ...]]  # ids of players, by seat


def credited(hands: Sequence[Sequence[int]], finished: Sequence[int], rule: str) -> Credited:
    """The players whom a game counts for, by seat; the one who finished it first.

    `hands` are the players by seat in each scored hand, `finished` those at the end. A game counts once for a player,
    also for one who changed seats: with `both`, in the seat where the player finished, else in the first. If one player
    has most hands of two seats, `most` credits all seats to those who finished.
    """
    if rule == FINISHED:
        return [(player,) for player in finished]
    most = []
    for seat, last in enumerate(finished):
        sat = Counter(players[seat] for players in hands)
        # With equal numbers of hands, the player who finished, else the first.
        most.append(last if not sat or sat[last] == max(sat.values()) else max(sat, key=sat.__getitem__))
    if rule == MOST:
        return [(player,) for player in (most if len(set(most)) == len(most) else finished)]
    seats: Credited = []
    known = set(finished)
    for last, longest in zip(finished, most, strict=True):
        seats.append((last,) if longest in known else (last, longest))
        known.add(longest)
    return seats


# --- a game, for each player ------------------------------------------------------------------------------------------


PlayerId = int
Pair = tuple[PlayerId, PlayerId]  # the lower id first
SETS, INFLICTED = "sets", "inflicted"
SUMS = tuple(Sums.__annotations__)  # the columns that results and tallies have in common
FORM_LENGTH = 5  # number of last games in `form`
HAND_ROLES = BIDDER, PARTNER, DEFENDER = ("bidder", "partner", "defender")


@dataclass
class Counted:
    """One player's part in a game: the seat it counts in (0: it counts for another player), and the unit's result."""

    seat: Seat = 0
    unit: Unit = ""
    place: int = 0
    sums: Counter[str] = field(default_factory=Counter)
    detail: Counter[str] = field(default_factory=Counter)


class FinishedGame(NamedTuple):
    """A finished game, ready to be counted.

    `trumps` are the trump suits and `seated` the players' ids by seat, one entry per hand; `seated` has one more entry
    for the players at the end of the game. `start` are the scores carried over.
    """

    table: Table
    score: GameScore
    trumps: Sequence[str | None]
    seated: Sequence[Sequence[PlayerId]]
    start: Mapping[Unit, int] | None = None


def count_game(game: FinishedGame, credit: str = FINISHED) -> dict[PlayerId, Counted]:
    """The counts for each player. A hand counts for those who played it, the game for those whom `credit` names."""
    table, score, seated = game.table, game.score, game.seated
    counted = {player: Counted() for player in dict.fromkeys(chain(*seated))}
    scored = []
    for hand, trump, players in zip(score.hands, game.trumps, seated, strict=False):
        if hand.status == "scored" and hand.sides is not None:
            _count_hand(table, hand, hand.sides, trump, players, counted)
            scored.append(players)
    _count_end(table, score, credited(scored, seated[-1], credit), counted)
    return counted


class CountedIn(NamedTuple):
    """The counts of a game in some of its seasons.

    `credit` is their rule if it credits other players than the rule of the first season, which all-time tables use;
    else "".
    """

    credit: str
    seasons: list[int | None]
    players: dict[PlayerId, Counted]


def count_by_season(game: FinishedGame, rules: Mapping[int | None, str]) -> list[CountedIn]:
    """Like `count_game`, for each season of the game; `rules` are their rules of credit, the first season's first."""
    first, *others = rules.items()
    found = [CountedIn("", [first[0]], count_game(game, first[1]))]
    counted = {first[1]: found[0]}
    for season, rule in sorted(others, key=lambda one: one[::-1]):
        if rule not in counted:
            players = count_game(game, rule)
            counted[rule] = next((one for one in found if one.players == players), CountedIn(rule, [], players))
            found += [counted[rule]] if not counted[rule].seasons else []
        counted[rule].seasons.append(season)
    return found


# --- a hand -------------------------------------------------------------------------------------------------------


def _count_hand(
    table: Table,
    hand: HandScore,
    sides: Sides,
    trump: str | None,
    players: Sequence[PlayerId],
    counted: Mapping[PlayerId, Counted],
) -> None:
    changes = [hand.change[table.unit_of[seat]] for seat in table.seats]
    there = [(player, sides.of_seat[seat]) for seat, player in zip(table.seats, players, strict=True)]
    winners = [
        (f"{POINT}:{key}:seen", f"{POINT}:{key}:got", point.side)
        for key, point in hand.points.items()
        if point.side is not None
    ]
    rivals = {
        side: max(change for change, (_, other) in zip(changes, there, strict=True) if other != side)
        for side in sides.names
    }
    for seat, (player, side), change in zip(table.seats, there, changes, strict=True):
        sums, detail = counted[player].sums, counted[player].detail
        swing = change - rivals[side]
        sums["hands"] += 1
        for seen, got, winner in winners:
            detail[seen] += 1
            detail[got] += winner == side
        for other, theirs in there:
            if other != player:
                name = f"{WITH if theirs == side else VS}:{other}"
                detail[f"{name}:hands"] += 1
                detail[f"{name}:swing"] += swing
                detail[f"{name}:squares"] += swing * swing
        if table.is_without_bid(hand.bid):
            continue
        role = BIDDER if seat == hand.bidder else PARTNER if side == sides.bidding else DEFENDER
        detail[f"hands:{role}"] += 1
        detail[f"took:{role}"] += hand.earned[side]
        detail[f"change:{role}"] += change
        sums[SETS] += role != DEFENDER and not hand.made
        sums[INFLICTED] += role == DEFENDER and not hand.made
        if not hand.made:
            what = INFLICTED if role == DEFENDER else SETS
            detail.update(f"{WITH}:{other}:{what}" for other, theirs in there if theirs == side and other != player)
        if role == BIDDER:
            sums["bids"] += 1
            sums["made"] += hand.made
            for name in (f"{BID}:{hand.bid}", f"{TRUMP}:{trump}"):
                detail[f"{name}:taken"] += 1
                detail[f"{name}:made"] += hand.made
                detail[f"{name}:worth"] += change
                detail[f"{name}:squares"] += change * change
            detail[f"{OUT}:{outcome_of(table, hand)}"] += 1


# --- the end ------------------------------------------------------------------------------------------------------


def _count_end(table: Table, score: GameScore, seats: Credited, counted: Mapping[PlayerId, Counted]) -> None:
    """Count the result of the game for the credited players; two who shared a seat did not meet."""
    places = places_of(score)
    there = [(seat, player) for seat, players in zip(table.seats, seats, strict=True) for player in players]
    for seat, player in there:
        mine, unit = counted[player], table.unit_of[seat]
        mine.seat, mine.unit, mine.place = seat, unit, places[unit]
        ended = "lost" if unit not in score.winners else "won" if len(score.winners) == 1 else "shared"
        mine.sums.update({"games": 1, ended: 1, "points_for": score.totals[unit], "forfeits": is_forfeit(score)})
        mine.sums["points_against"] += max(total for other, total in score.totals.items() if other != unit)
        for other, company in there:
            if other != seat:
                kind = WITH if table.unit_of[other] == unit else VS
                if kind == VS or not is_forfeit(score):  # without play there are no partners
                    mine.detail.update({f"{kind}:{company}:{what}": 1 for what in ("games", ended)})


def is_forfeit(score: GameScore) -> bool:
    """True if a game was won without being played."""
    return score.outcome is not None and score.outcome.reason == FORFEIT


def is_played(result: Any) -> Any:
    """True for a result of a game that was played: `games` counts forfeits, too. As a SQL condition for the model."""
    return result.games > result.forfeits


def places_of(score: GameScore) -> dict[Unit, int]:
    """The place of each unit: winners first, whatever their score, the others by score; equals share a place."""
    order = {
        unit: (unit in score.winners, 0 if unit in score.winners else total) for unit, total in score.totals.items()
    }
    return {unit: 1 + sum(other > mine for other in order.values()) for unit, mine in order.items()}


# --- wins ---------------------------------------------------------------------------------------------------------


def expected_share(games: Mapping[int, int]) -> Fraction:
    """The share of wins expected by chance, from the number of games by number of sides; 0 without games."""
    if len(games) == 1:  # the usual case, without an average
        ((sides, count),) = games.items()
        return Fraction(min(count, 1), sides)
    won = sum((Fraction(count, sides) for sides, count in games.items()), Fraction(0))
    return won / max(1, sum(games.values()))


def wilson(share: float, games: int) -> float:
    """The lower end of the Wilson score interval of a share in `games` games, for two standard errors."""
    square = 4 / games
    middle = (share + square / 2) / (1 + square)
    half = 2 * sqrt(share * (1 - share) / games + square / (4 * games)) / (1 + square)
    return middle - half


def win_share(won: int, shared: int, games: int) -> Fraction:
    """Games won, a tied one half, as a share of the games played, from 0 to 1; 0 without games."""
    return Fraction(2 * won + shared, 2 * games) if games else Fraction(0)


# --- a game as a whole ------------------------------------------------------------------------------------------------


PAIR_COUNTS = ("games", "won", "shared", "lost", "hands", "swing", SETS, INFLICTED)
BID_COUNTS = ("taken", "made", "worth", "squares")
BID_MADE, COMEBACK, SWEEP, COUNTED_DOWN = ("bid", "comeback", "sweep", "counted_down")
LETTERS = {"won": "W", "shared": "S", "lost": "L"}
HandDeed = list[Any]  # [points, hand, players]: see the module's docstring


def count_whole_game(game: FinishedGame, counted: Mapping[PlayerId, Counted]) -> Json:
    """The columns of GameCount, ready for JSON; `counted` are the counts of each player."""
    table, score = game.table, game.score
    sides = []
    for unit in table.units:
        there = [(part.seat, player) for player, part in counted.items() if part.unit == unit]
        sitting = sorted(there, key=lambda one: one[0])  # players who shared a seat, in the order in which they sat
        ended = [letter for name, letter in LETTERS.items() for _, one in sitting[:1] if counted[one].sums[name]]
        sides.append([score.totals[unit], "".join(ended), [player for _, player in sitting]])
    bids: dict[str, Sequence[int]] = {}
    pairs: dict[str, list[int]] = {}
    for player, part in counted.items():
        told = by_kind(part.detail)
        add_lists(bids, {bid: [made.get(name, 0) for name in BID_COUNTS] for bid, made in told[BID].items()})
        partners = told[WITH].items()  # of two who were partners each has the other
        done = {int(other): [numbers.get(name, 0) for name in PAIR_COUNTS] for other, numbers in partners}
        pairs |= {f"{player}-{other}": numbers for other, numbers in done.items() if player < other}
    return {
        "rules_id": table.rules.id,
        "teams": table.teams,
        "hands": len(score.hands),
        "sides": sides,
        "bids": dict(sorted(bids.items())),
        "pairs": dict(sorted(pairs.items())) if table.teams else {},
        "deeds": _deeds(game),
    }


# --- deeds --------------------------------------------------------------------------------------------------------


def _deeds(game: FinishedGame) -> Json:
    """Candidates for records: [points, hand, players]; a comeback has the hand after which it began (0: start)."""
    deeds: Json = {BID_MADE: _highest_bid(game), COMEBACK: _comeback(game), SWEEP: list(_sweeps(game))}
    deeds[COUNTED_DOWN] = game.table.rules.win.counted == "down"
    return {name: done for name, done in deeds.items() if done}


def _highest_bid(game: FinishedGame) -> HandDeed | None:
    """The highest made bid; of equals the first."""
    made: list[HandDeed] = [
        [hand.bid or 0, index, [game.seated[index - 1][(hand.bidder or 1) - 1]]]
        for index, hand in enumerate(game.score.hands, 1)
        if hand.status == "scored" and hand.made and not game.table.is_without_bid(hand.bid)
    ]
    return max(made, key=itemgetter(0), default=None)


def _sweeps(game: FinishedGame) -> Iterator[HandDeed]:
    """All hands in which one side, bidding or not, took every point of the rules."""
    for index, hand in enumerate(game.score.hands, 1):
        winners = {point.side for point in hand.points.values()}
        if hand.status == "scored" and hand.sides and len(winners) == 1 and (side := winners.pop()):
            seats = [seat for seat in game.table.seats if hand.sides.of_seat[seat] == side]
            yield [hand.earned[side], index, [game.seated[index - 1][seat - 1] for seat in seats]]


def _comeback(game: FinishedGame) -> HandDeed | None:
    """The largest deficit of a sole winner to the best other side; None if there was none."""
    table, score, start = game.table, game.score, game.start or {}
    if len(score.winners) != 1 or not score.hands:
        return None
    winner = score.winners[0]
    totals = [{unit: start.get(unit, 0) for unit in table.units}, *(hand.totals for hand in score.hands)]
    hand, points = furthest_behind(winner, totals)
    return [points, hand, [game.seated[-1][seat - 1] for seat in table.seats_of[winner]]] if points > 0 else None


class Behind(NamedTuple):
    """The hand (0: before the first) after which a unit was furthest behind the best other, and by how much."""

    hand: int
    points: int


def furthest_behind(unit: Unit, totals: Sequence[Mapping[Unit, int]]) -> Behind:
    """The first place where a unit was furthest behind; it never was if `points` is 0 or less."""
    gaps = [max(total for other, total in now.items() if other != unit) - now[unit] for now in totals]
    return Behind(gaps.index(max(gaps)), max(gaps))

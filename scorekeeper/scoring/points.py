"""Who has which point: worked out from captured cards, or taken from what the table says.

Every point that nobody has carries its reason (`why`): buried, not dealt, not captured, tied, below threshold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from .cards import SUIT_NAMES, Card, Suit
from .facts import SideName
from .game_point import (
    BELOW_THRESHOLD,
    BURIED,
    NOT_CAPTURED,
    NOT_DEALT,
    TIED,
    PointScore,
    decide_game,
)
from .known_cards import KnownCards
from .problems import Problems
from .rules.fields import SUIT_ENDS, TRUMP_ENDS, Point
from .table import Seat, Side, Table


class Counted(NamedTuple):
    """What the Game counts of a hand tell: every side's where all of them follow, and whose the Game point is."""

    counts: dict[Side, int] | None = None
    game: PointScore | None = None


NOT_COUNTED = Counted()


class Taken(NamedTuple):
    """What came of a hand's cards: each point, each side's Game count where known, and who won every trick.

    `lone` is the seat that won every trick by itself, 0 where none is known to have; None where a side is said to have.
    `assumed` are the points that count for whoever was dealt their card, where nobody has said who that was; and those
    that are worth something else when captured, where nobody has said whether they were.
    `sweep_open`: the cards do not tell who won every trick, and nobody has said it.
    """

    points: dict[str, PointScore]
    counts: dict[Side, int] | None
    sweep: Side | None
    assumed: tuple[str, ...] = ()
    sweep_open: bool = False
    lone: Seat | None = None


class Piles(NamedTuple):
    """The captured cards by side, and as far as known who played them.

    `player_of` gives the seat of every card. Without it `played_by` gives the side of a point's card, by point key;
    `low_by` and `high_by` are short for the points Low and High. `tricks_won` has who won each trick that scores.
    """

    cards: dict[Side, tuple[Card, ...]]
    low_by: Side | None = None
    high_by: Side | None = None
    sweep: Side | None = None
    player_of: Mapping[Card, Seat] = MappingProxyType({})
    played_by: Mapping[str, Side] = MappingProxyType({})
    tricks_won: Mapping[str, Side] = MappingProxyType({})
    lone: Seat | None = None


# --- from the cards ---------------------------------------------------------------------------------------------


def take_from_piles(seen: KnownCards, piles: Piles, problems: Problems) -> Taken:
    """Every point from the captured cards (complete piles hold every dealt card; else only listed cards count)."""
    table = seen.table
    where: dict[Card, Side] = {}
    for side, pile in piles.cards.items():
        where.update(dict.fromkeys(pile, side))
    complete = len(where) == table.dealt
    ends: dict[str, Card | None] = {"highest": seen.trump.highest_of(where), "lowest": seen.trump.lowest_of(where)}
    for end in table.more_ends:
        ends[end] = seen.trump.end_of(end, where)
    cards = {key: ends.get(point.card) or seen.trump.literal.get(key) for key, point in table.card_points.items()}
    played_by = _played_by(seen, piles, ends, cards, problems)
    kept = {cards[key] for key in table.kept}
    sweep = _sweep_from_piles(piles, kept, complete, problems)
    complete = complete or table.short_tricks
    counts = {side: sum(map(table.value.__getitem__, piles.cards.get(side, ()))) for side in seen.sides.names}
    for played, owner in played_by.items():
        if played in kept and where[played] != owner:
            counts[where[played]] -= table.value[played]
            counts[owner] += table.value[played]
            where[played] = owner
    points, assumed = {}, []
    for key, card in cards.items():
        if card is None or card not in where:
            points[key] = PointScore(None, card, why_missing(seen, card, complete=complete))
            continue
        player, taker = played_by.get(card, where[card]), where[card]
        captured = key in table.captured and player != taker
        points[key] = PointScore(player if key in table.held else taker, card, None, captured)
        if key in table.by_dealt and card not in played_by and card not in kept:
            assumed.append(key)
    for key in table.trick_points.values():
        won = piles.tricks_won.get(key)
        points[key] = PointScore(won, None, None if won else NOT_CAPTURED)
    if table.game_key is not None:
        points[table.game_key] = decide_game(table.rules.game, counts)
    lone = 0 if piles.sweep is None else piles.lone  # that one side has every card does not say which seat won them
    return Taken(points, counts, sweep, tuple(assumed), lone=lone)


def _played_by(
    seen: KnownCards,
    piles: Piles,
    ends: Mapping[str, Card | None],
    cards: Mapping[str, Card | None],
    problems: Problems,
) -> dict[Card, Side]:
    """The sides that played, or were dealt, the cards of the points, as far as that is known."""
    if piles.player_of:
        of_seat = seen.sides.of_seat
        return {card: of_seat[piles.player_of[card]] for card in cards.values() if card and card in piles.player_of}
    if _is_torn(ends, piles, problems):
        return {}
    captured = set().union(*piles.cards.values())
    told: dict[Card, tuple[str, Side]] = {}
    for at, card, side in _told(seen, piles, ends, cards):
        if card in captured:
            _tell(told, at, card, side, problems)
        elif at not in ("low_by", "high_by"):
            none = f"there is no {suit_of_point(seen.table, at.removeprefix('played_by.'))} in the piles"
            text = f"{card} is in no pile" if card else none
            problems.add("not-captured", at, f"{text}, so leave out who played it")
    return {card: side for card, (_, side) in told.items()}


def _is_torn(ends: Mapping[str, Card | None], piles: Piles, problems: Problems) -> bool:
    """A trump that is alone is both the High and the Low, so that both were the same player's."""
    card, high, low = ends["highest"], piles.high_by, piles.low_by
    if card is None or card != ends["lowest"] or not high or not low or high == low:
        return False
    text = f"{card} is the only trump, so it cannot be the High of {high} and the Low of {low}"
    problems.add("lone-trump", "low_by", text)
    return True


def _told(
    seen: KnownCards, piles: Piles, ends: Mapping[str, Card | None], cards: Mapping[str, Card | None]
) -> Iterator[tuple[str, Card, Side]]:
    """Who is said to have played which card, each with its place; `low_by` names the card of Low, whatever that is."""
    for at, key, end, side in (
        ("low_by", seen.table.low_key, "lowest", piles.low_by),
        ("high_by", seen.table.high_key, "highest", piles.high_by),
    ):
        if side is not None:
            yield at, (cards[key] if key else ends[end]) or "", side
    for key, side in piles.played_by.items():
        yield f"played_by.{key}", cards[key] or "", side


def _tell(told: dict[Card, tuple[str, Side]], at: str, card: Card, side: Side, problems: Problems) -> None:
    before, other = told.setdefault(card, (at, side))
    if other != side:
        problems.add("played-twice", at, f"{card} cannot be from {side}: {before} says {other}")


def why_missing(seen: KnownCards, card: Card | None, *, complete: bool) -> str:
    """Why nobody has the card of a point."""
    if card is not None and card in seen.buried:
        return BURIED
    if not complete:
        return NOT_CAPTURED
    return BURIED if seen.table.sees_buried else NOT_DEALT


def _sweep_from_piles(piles: Piles, kept: Collection[Card | None], complete: bool, problems: Problems) -> Side | None:
    """Who won every trick: whoever holds all cards, but for those that their player has kept."""
    if piles.sweep is not None:
        for side, cards in piles.cards.items():
            if side != piles.sweep and (extra := [card for card in cards if card not in kept]):
                problems.add(
                    "sweep", "sweep", f"{piles.sweep} cannot have won every trick: {extra[0]} is in {side}'s pile"
                )
        return piles.sweep
    holders = [side for side, cards in piles.cards.items() if any(card not in kept for card in cards)]
    return holders[0] if complete and len(holders) == 1 else None


# --- from what the table says -----------------------------------------------------------------------------------


def points_from_claims(seen: KnownCards, claims: Mapping[str, SideName | None]) -> dict[str, PointScore]:
    """Every point as claimed; raises KeyError for a point or a side that there is not."""
    claimable = _claimable_points(seen.table, seen.trump.suit)[seen.all_buried]
    by_side, side_of = claimable.by_side, seen.sides.claimants
    points = claimable.unclaimed.copy()
    for key, side in claims.items():
        points[key] = by_side[key][side_of[side]]
    for key in seen.moved:
        side, gone = points[key].side, key in seen.gone
        points[key] = PointScore(side, seen.cards[key], None if side else BURIED if gone else NOT_CAPTURED)
    return points


class _Claimable(NamedTuple):
    """What each point comes to by who claims it, as long as its card is not buried; `unclaimed` if nobody does."""

    by_side: dict[str, dict[Side | None, PointScore]]
    unclaimed: dict[str, PointScore]


@lru_cache(maxsize=256)
def _claimable_points(table: Table, trump: Suit) -> dict[bool, _Claimable]:
    """By whether every buried card is known."""
    return {all_buried: _claimable_if(table, trump, all_buried=all_buried) for all_buried in (False, True)}


def _claimable_if(table: Table, trump: Suit, *, all_buried: bool) -> _Claimable:
    suit, sides = table.trumps[trump], table.sides(1).names
    cards = suit.whole if all_buried else suit.literal
    whys = {key: _why_unclaimed(table, point, all_buried=all_buried) for key, point in table.card_points.items()}
    whys |= dict.fromkeys(table.trick_points.values(), NOT_CAPTURED)
    if table.game_key is not None:
        whys[table.game_key] = TIED if table.rules.game.award == "most" else BELOW_THRESHOLD
    unclaimed = {key: PointScore(None, cards.get(key), why) for key, why in whys.items()}
    return _Claimable(
        {
            key: {None: nobody, **{side: PointScore(side, nobody.card) for side in sides}}
            for key, nobody in unclaimed.items()
        },
        unclaimed,
    )


def _why_unclaimed(table: Table, point: Point, *, all_buried: bool) -> str:
    if point.card in TRUMP_ENDS or all_buried:
        return NOT_CAPTURED
    return BURIED if table.sees_buried else NOT_DEALT


def count_game(
    seen: KnownCards, points: dict[str, PointScore], claims: Collection[str], counted: PointScore, problems: Problems
) -> None:
    """Game as the card points decide it, whoever has claimed it; a tie that the rules break is for the whole hand."""
    key, game = seen.table.game_key or "", seen.table.rules.game
    claimed, points[key] = points[key].side, counted
    if key in claims and claimed != counted.side and (counted.why != TIED or game.tie == "nobody"):
        text = f"the card points give Game to {counted.side or 'nobody'}, not to {claimed or 'nobody'}"
        problems.add("game-at-odds", f"claims.{key}", text)


def suit_of_point(table: Table, key: str) -> str:
    """Of what a point is the highest or the lowest card: a trump, a spade."""
    card = table.points[key].card
    return SUIT_NAMES[card[-1]].removesuffix("s") if card in SUIT_ENDS else "trump"


def check_buried(seen: KnownCards, points: Mapping[str, PointScore], problems: Problems) -> None:
    """Nobody has a point whose card is buried."""
    for key in seen.gone:
        if points[key].side is not None:
            card = seen.cards[key] or f"every {suit_of_point(seen.table, key)}"
            problems.add("buried-point", f"claims.{key}", f"{card} is buried, so nobody has {key}")


def check_same_cards(seen: KnownCards, points: Mapping[str, PointScore], problems: Problems) -> None:
    """Two points on one and the same card go together, unless only one of them belongs to whoever was dealt it."""
    first: dict[tuple[Card | tuple[Card, ...], bool], str] = {}
    for key, score in points.items():
        card = score.card or seen.trump.ends.get(key)
        if not card:
            continue
        other = first.setdefault((card, key in seen.table.held), key)
        if points[other].side != score.side:
            text = f"{score.card or 'one card'} is both {other} and {key}, so one side has both"
            problems.add("same-card", f"claims.{key}", text)


def check_swept(seen: KnownCards, points: Mapping[str, PointScore], sweep: Side, problems: Problems) -> None:
    """Whoever won every trick took every point that goes by tricks, but for those on a card that its player kept."""
    kept = {seen.cards.get(key) for key in seen.table.kept}
    for key, score in points.items():
        if key in seen.table.personal or score.side in (None, sweep):
            continue
        if key == seen.table.game_key and seen.table.ties_at_nothing:
            continue
        if kept and (None in kept or score.card is None or score.card in kept):
            continue
        problems.add("sweep", f"claims.{key}", f"{sweep} won every trick, so {score.side} cannot have {key}")

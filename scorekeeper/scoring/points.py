"""The points of a hand: computed from captured cards, or read from claims.

A point that no side has carries the reason (`why`): buried, not dealt, not captured, tied, below threshold."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from .cards import SUIT_NAMES, Card, Suit
from .facts import SideName
from .problems import Problems
from .rules.fields import SUIT_ENDS, TRUMP_ENDS, GameRules
from .table import Seat, Side, Sides, Table, TrumpSuit

BURIED = "buried"
NOT_DEALT = "not dealt"
NOT_CAPTURED = "not captured"
TIED = "tied"
BELOW_THRESHOLD = "below threshold"


class PointScore(NamedTuple):
    """The side that has a point (None: no side), its card if known, and why no side has it.

    `why` is `buried`, `not dealt`, `not captured`, `tied` or `below threshold`, and None if a side has it.
    `captured`: the side won the card from another, and these rules score that differently.

    >>> PointScore("A", "AH")
    PointScore(side='A', card='AH', why=None, captured=False)
    """

    side: Side | None
    card: Card | None = None
    why: str | None = None
    captured: bool = False


NOBODY_TIED = PointScore(None, None, TIED)
NOBODY_BELOW = PointScore(None, None, BELOW_THRESHOLD)


def leaders(counts: Mapping[Side, float]) -> tuple[Side, ...]:
    """The sides with the most, such as card points."""
    top = max(counts.values(), default=0)
    return tuple(side for side, count in counts.items() if count == top)


def decide_game(rules: GameRules, counts: Mapping[Side, int]) -> PointScore:
    """The Game point, from the card points of every side.

    It goes to the one side with the most; under `game.award = at-least` only from `game.at_least` card points on.

    >>> from scorekeeper.scoring import find_rules
    >>> decide_game(find_rules("double-jack").game, {"A": 43, "B": 37}).side
    'A'
    >>> decide_game(find_rules("double-jack").game, {"A": 40, "B": 40}).why
    'tied'
    """
    first, *tied = leaders(counts)
    if tied:
        return NOBODY_TIED
    return NOBODY_BELOW if rules.award == "at-least" and counts[first] < rules.at_least else PointScore(first)


def break_tie(
    table: Table, dealer: Seat, sides: Sides, takers: Mapping[str, Side | None], tied: Collection[Side]
) -> PointScore:
    """A tied Game, for the side that `game.tie` favors if it is among `tied`; `takers` have the other points."""
    game = table.rules.game
    favored: Mapping[str, list[Side | None]] = {
        "nobody": [],
        "bidder": [sides.bidding],
        "dealer": [sides.of_seat[dealer]],
        "eldest": [sides.of_seat[table.next_seat(dealer)]],
        "points": [takers.get(point) for point in game.tie_points],
    }
    winner = next((side for side in favored[game.tie] if side is not None), None)
    return PointScore(winner) if winner in tied else NOBODY_TIED


# --- from the counts of some sides ------------------------------------------------------------------------------


def dealt_card_points(table: Table, buried: Collection[Card] = ()) -> tuple[int, int]:
    """The minimum and maximum of the card points that were dealt, given the known buried cards.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> dealt_card_points(Table(find_rules("west-michigan-6")), ["TH", "2C"])
    (70, 70)
    >>> dealt_card_points(Table(find_rules("west-michigan-6")))
    (60, 80)
    """
    values = sorted([table.value[card] for card in table.deck if card not in buried])
    unknown = len(values) - table.dealt
    least = 0 if table.short_tricks else sum(values[: len(values) - unknown])
    return least, sum(values[max(unknown, 0) :])


def game_total(table: Table, buried: Collection[Card] = ()) -> int | None:
    """The sum of all card points dealt, which the sides' counts add up to; None if it is not certain.

    It is certain if every card that was not dealt is known.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> game_total(Table(find_rules("west-michigan-6")), ["TH", "2C"])
    70
    >>> game_total(Table(find_rules("west-michigan-6")), ["TH"]) is None
    True
    """
    least, most = dealt_card_points(table, buried)
    return most if least == most else None


def fill_counts(
    table: Table, sides: Collection[Side], buried: Collection[Card], counts: Mapping[Side, int]
) -> dict[Side, int]:
    """The given counts, with that of the last side added if every buried card is known.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> fill_counts(Table(find_rules("west-michigan-6")), "AB", ["TH", "2C"], {"A": 30})
    {'A': 30, 'B': 40}
    """
    missing = [side for side in sides if side not in counts]
    # Where only trumps are played, other cards stay in the hands unseen.
    if len(missing) != 1 or not table.sees_buried or table.short_tricks or len(buried) != table.buried:
        return dict(counts)
    rest = dealt_card_points(table, buried)[1] - sum(counts.values())
    return dict(counts) if rest < 0 else {side: counts.get(side, rest) for side in sides}


def decide_from_counts(
    table: Table, sides: Collection[Side], buried: Collection[Card], counts: Mapping[Side, int]
) -> PointScore | None:
    """The Game point whatever the missing counts are; None if that is undecided.

    `sides` are all sides of the hand, `buried` the known buried cards, `counts` the card points of some sides. Counts
    that add up to more than was dealt decide nothing.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> decide_from_counts(Table(find_rules("west-michigan-6")), "AB", [], {"A": 47}).side
    'A'
    >>> decide_from_counts(Table(find_rules("double-jack")), "AB", [], {"A": 40}).why
    'below threshold'
    >>> decide_from_counts(Table(find_rules("classic")), "AB", [], {"A": 40}) is None
    True
    """
    counts = fill_counts(table, sides, buried, counts)
    if len(counts) == len(sides):
        return decide_game(table.rules.game, counts)
    least, most = (total - sum(counts.values()) for total in dealt_card_points(table, buried))
    unknown = [side for side in sides if side not in counts]
    game = table.rules.game
    ends = {decide_game(game, each) for each in _possible_counts(counts, unknown, max(0, least), most, game.at_least)}
    if len({end.side for end in ends}) != 1:
        return None
    return NOBODY_BELOW if NOBODY_BELOW in ends else ends.pop()


def _possible_counts(
    counts: Mapping[Side, int], unknown: Sequence[Side], least: int, most: int, at_least: int
) -> Iterator[dict[Side, int]]:
    """The given counts with possible highest counts of the other sides, which share `least` to `most` card points.

    One side has the highest, or two share it; lower counts decide nothing and are left out. Only a highest count at a
    mark, or next to one, can decide differently from those around it.
    """
    sides = len(unknown)
    others = sides - 1
    marks = {most, most // 2, -(-(least + others) // sides), -(-least // sides), at_least, *counts.values()}
    near = {mark + step for mark in marks for step in (-1, 0, 1)}
    for top in sorted(top for top in near if 0 <= top <= most):
        if least <= top + others * (top - 1):
            yield from ({**counts, side: top} for side in unknown)
        if others and 2 * top <= most and least <= top + others * top:
            yield {**counts, **dict.fromkeys(unknown[:2], top)}


class KnownCards:
    """The known cards of a hand: trump, the recorded buried cards, and whether those are all of them.

    `cards` is the card of each point, as far as trump and the buried cards decide it; `gone` the points that the buried
    cards make impossible; `moved` those, and the points with another card than with nothing buried; `doubles` whether
    one card may be several points.
    """

    __slots__ = ("all_buried", "buried", "cards", "doubles", "gone", "moved", "sides", "table", "trump")

    def __init__(self, table: Table, sides: Sides, trump: TrumpSuit, buried: tuple[Card, ...]) -> None:
        self.table = table
        self.sides = sides
        self.trump = trump
        self.buried = buried
        self.all_buried = table.sees_buried and len(buried) == table.buried
        self.cards: Mapping[str, Card | None] = trump.whole if self.all_buried else trump.literal
        self.moved: Collection[str] = ()
        self.gone: Collection[str] = ()
        self.doubles = trump.doubles
        if not trump.watched.isdisjoint(buried) or (self.all_buried and None in trump.watched):
            self.gone = self.moved = [key for key, card in self.cards.items() if card is None or card in buried]
            if self.all_buried and self.moved:
                self.cards = cards = trump.point_cards(buried)
                self.doubles = len(set(cards.values())) < len(cards)
                self.gone = [key for key in self.moved if cards[key] is None or cards[key] in buried]


@lru_cache(maxsize=1024)
def nothing_buried(table: Table, bidder: Seat, partner: Seat | None, trump: Suit) -> KnownCards:
    """KnownCards without a known buried card; cached, because most hands of a table share it."""
    return KnownCards(table, table.sides(bidder, partner), table.trumps[trump], ())


class PointCards(NamedTuple):
    """The card of each point, by point key; read-only.

    `cards` has None where that is not certain yet, or no card of its suit was dealt. `gone` are the points that no side
    can have because their card is buried. `same` maps a point to an earlier one on the same card.

    >>> from scorekeeper.scoring import Table, find_rules, point_cards
    >>> buried = ("XB", "TH", "9H", "2H", "2C", "2D")
    >>> point_cards(Table(find_rules("west-michigan-4")), "H", buried).same
    mappingproxy({'right_joker': 'low'})
    """

    cards: Mapping[str, Card | None]
    gone: frozenset[str]
    same: Mapping[str, str]


@lru_cache(maxsize=2048)
def point_cards(table: Table, trump: Suit, buried: tuple[Card, ...] = ()) -> PointCards:
    """The card of each point with that trump and the known buried cards (all of them, or some).

    High and Low are certain if the rules name their card, or every buried card is known.

    >>> from scorekeeper.scoring import Table, find_rules
    >>> table = Table(find_rules("west-michigan-6"))
    >>> point_cards(table, "H", ("2H", "XR")).cards["low"]
    '7H'
    >>> sorted(point_cards(table, "H", ("2H", "XR")).gone)
    ['right_joker']
    """
    known = KnownCards(table, table.sides(1), table.trumps[trump], buried)
    cards = {key: known.cards.get(key) for key in table.card_points}
    first: dict[tuple[Card | tuple[Card, ...], bool], str] = {}
    same = {}
    for key, known_card in cards.items():
        card = known_card or known.trump.ends.get(key)  # points on the same end of a suit share their card
        if card and (other := first.setdefault((card, key in table.held), key)) != key:
            same[key] = other
    return PointCards(MappingProxyType(cards), frozenset(known.gone), MappingProxyType(same))


class Taken(NamedTuple):
    """The result of a hand's cards: each point, each side's card points if known, and the side that won every trick.

    `lone` is the seat that won every trick by itself, 0 if none is known to have; None if only its side is known.
    `assumed` are the keys of points whose card's player is not recorded although it matters: the point counts for the
    player who was dealt the card, or is worth something else when captured.
    `sweep_open`: neither the cards nor the record tell who won every trick.
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
    `low_by` and `high_by` are shorthand for Low and High. `tricks_won` maps each trick that scores to its winner.
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


def take_from_piles(known: KnownCards, piles: Piles, problems: Problems) -> Taken:
    """Every point from the captured cards; complete piles hold all dealt cards, otherwise only listed cards count."""
    table = known.table
    where: dict[Card, Side] = {}
    for side, pile in piles.cards.items():
        where.update(dict.fromkeys(pile, side))
    complete = len(where) == table.dealt
    cards = {key: known.trump.card_of(point, where) for key, point in table.card_points.items()}
    played_by = _played_by(known, piles, where, cards, problems)
    kept = {cards[key] for key in table.kept}
    sweep = _sweep_from_piles(piles, kept, complete, problems)
    complete = complete or table.short_tricks
    counts = {side: sum(map(table.value.__getitem__, piles.cards.get(side, ()))) for side in known.sides.names}
    for played, owner in played_by.items():
        if played in kept and where[played] != owner:
            counts[where[played]] -= table.value[played]
            counts[owner] += table.value[played]
            where[played] = owner
    points, assumed = {}, []
    for key, card in cards.items():
        if card is None or card not in where:
            points[key] = PointScore(None, card, why_missing(known, card, complete=complete))
            continue
        player, taker = played_by.get(card, where[card]), where[card]
        captured = key in table.captured and player != taker
        points[key] = PointScore(player if key in table.held else taker, card, None, captured)
        if (key in table.held or key in table.captured) and card not in played_by and card not in kept:
            assumed.append(key)
    for key in table.trick_points.values():
        won = piles.tricks_won.get(key)
        points[key] = PointScore(won, None, None if won else NOT_CAPTURED)
    if table.game_key is not None:
        points[table.game_key] = decide_game(table.rules.game, counts)
    lone = 0 if piles.sweep is None else piles.lone  # a side with every card does not show which seat won it
    return Taken(points, counts, sweep, tuple(assumed), lone=lone)


def _played_by(
    known: KnownCards, piles: Piles, where: Collection[Card], cards: Mapping[str, Card | None], problems: Problems
) -> dict[Card, Side]:
    """The sides that played, or were dealt, the cards of the points, as far as known."""
    if piles.player_of:
        of_seat = known.sides.of_seat
        return {card: of_seat[piles.player_of[card]] for card in cards.values() if card and card in piles.player_of}
    high, low = piles.high_by, piles.low_by
    highest, lowest = known.trump.end_of("highest", where), known.trump.end_of("lowest", where)
    if highest is not None and highest == lowest and high and low and high != low:
        text = f"{highest} is the only trump, so it cannot be the High of {high} and the Low of {low}"
        problems.add("lone-trump", "low_by", text)
        return {}
    low_key, high_key = known.table.low_key, known.table.high_key
    said = [
        ("low_by", cards[low_key] if low_key else lowest, low),
        ("high_by", cards[high_key] if high_key else highest, high),
        *((f"played_by.{key}", cards[key], side) for key, side in piles.played_by.items()),
    ]
    told: dict[Card, tuple[str, Side]] = {}
    for at, card, side in said:
        if side is not None and card is not None and card in where:
            before, other = told.setdefault(card, (at, side))
            if other != side:
                problems.add("played-twice", at, f"{card} cannot be from {side}: {before} says {other}")
        elif at not in ("low_by", "high_by"):
            none = f"there is no {suit_of_point(known.table, at.removeprefix('played_by.'))} in the piles"
            text = f"{card} is in no pile" if card else none
            problems.add("not-captured", at, f"{text}, so leave out who played it")
    return {card: side for card, (_, side) in told.items()}


def why_missing(known: KnownCards, card: Card | None, *, complete: bool) -> str:
    """Why no side has the card of a point."""
    if card is not None and card in known.buried:
        return BURIED
    if not complete:
        return NOT_CAPTURED
    return BURIED if known.table.sees_buried else NOT_DEALT


def _sweep_from_piles(piles: Piles, kept: Collection[Card | None], complete: bool, problems: Problems) -> Side | None:
    """The side that won every trick: it has all cards but those that their player keeps."""
    if piles.sweep is not None:
        for side, cards in piles.cards.items():
            if side != piles.sweep and (extra := [card for card in cards if card not in kept]):
                problems.add(
                    "sweep", "sweep", f"{piles.sweep} cannot have won every trick: {extra[0]} is in {side}'s pile"
                )
        return piles.sweep
    holders = [side for side, cards in piles.cards.items() if any(card not in kept for card in cards)]
    return holders[0] if complete and len(holders) == 1 else None


# --- from claims ------------------------------------------------------------------------------------------------


def points_from_claims(known: KnownCards, claims: Mapping[str, SideName | None]) -> dict[str, PointScore]:
    """Every point as claimed; raises KeyError for an unknown point or side."""
    by_side, unclaimed = _claimable(known.table, known.trump.suit, known.all_buried)
    points, side_of = unclaimed.copy(), known.sides.aliases
    for key, side in claims.items():
        points[key] = by_side[key][None if side is None else side_of[side]]
    for key in known.moved:
        side, gone = points[key].side, key in known.gone
        points[key] = PointScore(side, known.cards[key], None if side else BURIED if gone else NOT_CAPTURED)
    return points


@lru_cache(maxsize=512)
def _claimable(
    table: Table, trump: Suit, all_buried: bool
) -> tuple[dict[str, dict[Side | None, PointScore]], dict[str, PointScore]]:
    """The score of each point by the claiming side, and without a claim, if its card is not buried.

    `all_buried`: every buried card is known.
    """
    suit, sides = table.trumps[trump], table.sides(1).names
    cards = suit.whole if all_buried else suit.literal
    unseen = BURIED if table.sees_buried else NOT_DEALT
    whys = {
        key: NOT_CAPTURED if all_buried or point.card in TRUMP_ENDS else unseen
        for key, point in table.card_points.items()
    }
    whys |= dict.fromkeys(table.trick_points.values(), NOT_CAPTURED)
    if table.game_key is not None:
        whys[table.game_key] = TIED if table.rules.game.award == "most" else BELOW_THRESHOLD
    unclaimed = {key: PointScore(None, cards.get(key), why) for key, why in whys.items()}
    by_side = {
        key: {None: nobody, **{side: PointScore(side, nobody.card) for side in sides}}
        for key, nobody in unclaimed.items()
    }
    return by_side, unclaimed


def suit_of_point(table: Table, key: str) -> str:
    """The suit of a point that is its highest or lowest card, as a word: `trump`, `spade`."""
    card = table.points[key].card
    return SUIT_NAMES[card[-1]].removesuffix("s") if card in SUIT_ENDS else "trump"


def check_buried(known: KnownCards, points: Mapping[str, PointScore], problems: Problems) -> None:
    """Check that no side has a point whose card is buried."""
    for key in known.gone:
        if points[key].side is not None:
            card = known.cards[key] or f"every {suit_of_point(known.table, key)}"
            problems.add("buried-point", f"claims.{key}", f"{card} is buried, so nobody has {key}")


def check_same_cards(known: KnownCards, points: Mapping[str, PointScore], problems: Problems) -> None:
    """Check that points on one card have one side, unless only one of them counts for the player who was dealt it."""
    first: dict[tuple[Card | tuple[Card, ...], bool], str] = {}
    for key, score in points.items():
        card = score.card or known.trump.ends.get(key)
        if not card:
            continue
        other = first.setdefault((card, key in known.table.held), key)
        if points[other].side != score.side:
            text = f"{score.card or 'one card'} is both {other} and {key}, so one side has both"
            problems.add("same-card", f"claims.{key}", text)


def check_swept(known: KnownCards, points: Mapping[str, PointScore], sweep: Side, problems: Problems) -> None:
    """Check that the side that won every trick has all points that go by tricks, except on kept cards."""
    kept = {known.cards.get(key) for key in known.table.kept}
    for key, score in points.items():
        if key in known.table.personal or score.side in (None, sweep):
            continue
        if key == known.table.game_key and known.table.may_lack_card_points:
            continue
        if kept and (None in kept or score.card is None or score.card in kept):
            continue
        problems.add("sweep", f"claims.{key}", f"{sweep} won every trick, so {score.side} cannot have {key}")

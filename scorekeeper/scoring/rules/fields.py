"""The fields of a rule set, each declared once: its kind, default and place in the form. `words.WORDS` has the name and
the meaning of each.

Form, schema, reading and the reference page are derived from these two. A new field also needs the module of scoring/
that reads it (ruleset.py for a check across fields), its sentence in web/rulebook/messages.py, docs/rules.md, its
values in tests/scoring/rule_values.py, and its tests; if it changes a score or ends a game, also `table_data`
(web/hand_entry/offline_page.py) and static/settle.js, by which a phone scores hands. A field that ends a game also has
its reason in `Outcome` (scoring/game.py), `WIN_REASONS` and `_endings` (web/common/narrator.py), and is named in
`WinRules.ends_below_target`. One that keeps a side at the target from winning has its reason in `StillOpen` (the same
module) and `still_playing` (narrator.py), whose `_at_target` and `close_to_winning` must stay true. What the chances do
not model is named in `depends_on_scores_only` (stats/odds.py) and docs/odds.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, Self, dataclass_transform

from scorekeeper.scoring.cards import RANKS, SUITS, build_deck

from .kinds import (
    LEAST_PLAYERS,
    MOST_PLAYERS,
    ORDERED,
    REQUIRED,
    Entry,
    GameValues,
    Kind,
    Line,
    ListOf,
    Number,
    NumberByPlayers,
    Optional,
    Ranks,
    Text,
    TrumpOrder,
    Word,
)
from .words import point_name

ByPlayers = tuple[tuple[int, int], ...]  # a number for each number of players
Flat = Mapping[str, Any]  # the values of fields by their dotted names

TRUMP_ENDS = ("highest", "lowest", "lowest-natural")
SUIT_ENDS = tuple(f"{end}-{suit}" for suit in SUITS for end in ("highest", "lowest"))  # of a suit, trump or not
ENDS = (*TRUMP_ENDS, *SUIT_ENDS)
TRICKS = ("first-trick", "last-trick")
MOST_CALLED = 24  # characters in the name of a point
PLAIN_CARDS = build_deck(RANKS, 0)


Condition = Callable[[Flat], bool]  # applied to the values of all fields


def _is(name: str, *values: object) -> Condition:
    """A condition: another field has one of these values."""
    return lambda flat: flat[name] in values


def _is_not(name: str, *values: object) -> Condition:
    return lambda flat: flat[name] not in values


HAS_BIDS = _is_not("auction.rounds", "none")
IS_TURNED_UP = _is("trump.by", "turned-up")


def _counts_game(flat: Flat) -> bool:
    return any(isinstance(point, dict) and point["card"] == "game" for point in flat["points"])


class Field(NamedTuple):
    """One field of a rule set.

    `first` is its place among the fields that a table decides first, 0 for all others. `only_if` are the conditions
    under which the form shows it. `needs_bidding`: it applies only if there are bids, and must be empty without them.
    """

    kind: Kind
    default: object = REQUIRED
    first: int = 0
    only_if: tuple[Condition, ...] = ()
    needs_bidding: bool = False
    in_order: bool = False  # a list whose order matters
    left_out: bool = False  # omitted from a rule set's data while it has its default, as in data older than the field

    def is_shown(self, flat: Flat) -> bool:
        conditions = self.only_if or ((HAS_BIDS,) if self.needs_bidding else ())
        return all([condition(flat) for condition in conditions])  # noqa: C419  (many calls)

    @property
    def control(self) -> str:
        """The name of the form control."""
        return "in_order" if self.in_order else self.kind.control


def rule(kind: Kind, default: object = REQUIRED, **more: Any) -> Any:
    """A field of a section, or a part of an entry of a list."""
    return Field(kind, default, **more)


def section() -> Any:
    """A section of a rule set."""
    return Field(Kind())


@dataclass_transform(frozen_default=True)
class Frozen:
    """Immutable values declared as `Field`s, compared and hashed by value, changed like a NamedTuple.

    A frozen dataclass without `dataclasses`: importing that takes as long as starting the interpreter.
    """

    declared: ClassVar[dict[str, Field]] = {}
    _values: ClassVar[attrgetter[Any]]

    def __init_subclass__(cls) -> None:
        own = {name: field for name, field in vars(cls).items() if isinstance(field, Field)}
        for name in own:
            delattr(cls, name)  # a value is found faster without an attribute of its name on the class
        cls.declared = cls.declared | own
        cls._values = attrgetter(*cls.declared)

    def __init__(self, *values: object, **named: object) -> None:
        given = dict(zip(self.declared, values, strict=False)) | named
        every = {name: field.default for name, field in self.declared.items()} | given
        if len(every) > len(self.declared) or REQUIRED in every.values():
            raise TypeError(f"{type(self).__name__} has {', '.join(self.declared)}")
        self.__dict__.update(every)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values(self) == self._values(other)

    def __hash__(self) -> int:
        return hash(self._values(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._asdict()})"

    def _asdict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.declared}

    def _replace(self, **changes: object) -> Self:
        return type(self)(**self._asdict() | changes)


def team_formats(players: int, teams: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of teams, out of `teams`, that `players` can form: two or more in each, 0 for everyone alone."""
    return tuple(n for n in teams if n == 0 or (n > 1 and players % n == 0 and players // n > 1))


class TableRules(Frozen):
    """The number of players, and who plays together."""

    players: tuple[int, ...] = rule(ListOf(Number(LEAST_PLAYERS, MOST_PLAYERS)), first=1)
    sides: str = rule(Word("teams", "solo", "called-partner", "seat-partner"), first=2)
    teams: tuple[int, ...] = rule(ListOf(Number(0, 6), empty=True), (), first=3, only_if=(_is("table.sides", "teams"),))
    partner_right: int = rule(Number(1, 11), 2, first=4, only_if=(_is("table.sides", "seat-partner"),))
    call: str = rule(Word("any", "trump"), "any", first=5, only_if=(_is("table.sides", "called-partner"),))
    direction: str = rule(Word("left", "right"), "left")  # where a partner sits: `Table.partner_offset`

    @property
    def is_changing(self) -> bool:
        """True if the sides change from hand to hand, and every player has a score of their own."""
        return self.sides in ("called-partner", "seat-partner")

    def formats(self, players: int) -> tuple[int, ...]:
        """The possible numbers of teams for `players`, the usual one first; 0 is everyone alone."""
        return team_formats(players, self.teams) if self.sides == "teams" else (0,)


class DeckRules(Frozen):
    """The deck, the deal, and the use of cards that are not dealt."""

    ranks: str = rule(Ranks())
    jokers: int = rule(Number(0, 4), 0)
    deal: int | ByPlayers | None = rule(Optional(NumberByPlayers(1, 26)), None)
    hand: int | ByPlayers = rule(NumberByPlayers(1, 26), 6)
    kitty: int | ByPlayers = rule(NumberByPlayers(0, 26), 0)
    kitty_to: str = rule(Word("bidder", "nobody"), "bidder", only_if=(_is_not("deck.kitty", 0, ""),))
    undealt: str = rule(Word("buried", "stock"))
    draw: str = rule(Word("none", "non-trump", "up-to-3", "up-to-4", "up-to-4-with-ace", "discard"), "none")
    rob: str = rule(Word("nobody", "dealer", "bidder"), "nobody")
    misdeal: int = rule(Number(0, 20), 0)
    redeal: str = rule(Word("no", "no-face-cards", "no-point-cards", "no-face-or-point-cards"), "no", left_out=True)


class TrumpRules(Frozen):
    """The choice of trump, and its order from high to low."""

    by: str = rule(Word("lead", "named", "turned-up"), "lead")
    turned: dict[str, int] = rule(GameValues(), {}, only_if=(IS_TURNED_UP,))
    gift: int = rule(Number(0, 20), 0, only_if=(IS_TURNED_UP,))
    gift_to: str = rule(
        Word("eldest", "others"),
        "eldest",
        only_if=(IS_TURNED_UP, _is_not("trump.gift", 0, "")),
        left_out=True,
    )
    run: int = rule(Number(0, 13), 0, only_if=(IS_TURNED_UP,))
    order: tuple[str, ...] = rule(TrumpOrder())
    jokers: str = rule(Word("ranked", "first", "last"), "ranked", only_if=(_is_not("deck.jokers", 0, 1),))

    def __hash__(self) -> int:
        return hash((self.by, self.order, self.jokers, tuple(self.turned.items()), self.gift, self.run))

    @property
    def is_turned_up(self) -> bool:
        """True if a card of the pack is turned up, and its suit is trump."""
        return self.by == "turned-up"

    @property
    def may_beg(self) -> bool:
        """True if the player at the dealer's left may ask for another trump, or a gift."""
        return bool(self.gift or self.run)


class PlayRules(Frozen):
    """The cards that may be played to a trick."""

    follow: str = rule(Word("follow-or-trump", "follow", "trumps-only"), "follow-or-trump")


class Special(Frozen):
    """A bid above the numbers, such as the smudge: its number, its needs, and the score for making and failing it."""

    name: str = rule(Text())
    bid: int = rule(Number(1, 99))
    needs: tuple[str, ...] = rule(
        ListOf(Word("every-trick", "every-trick-alone", "every-point"), empty=True), ("every-trick", "every-point")
    )
    made: str = rule(Word("bid", "taken", "win", "set-to", "target"), "bid")
    made_to: int | None = rule(Optional(Number(-999, 999)), None)
    failed: str = rule(Word("bid", "lose", "set-to", "target"), "bid")
    failed_to: int | None = rule(Optional(Number(-999, 999)), None)
    least_score: int | None = rule(Optional(Number(-999, 999)), None)
    takes: int | None = rule(Optional(Number(1, 99)), None)

    @property
    def needs_every_trick(self) -> bool:
        """True if it needs every trick, so that the record has to say who won them."""
        return "every-trick" in self.needs or "every-trick-alone" in self.needs


SPECIAL = Entry(Special, "specials")


class AuctionRules(Frozen):
    """The legal bids, and what happens when all pass."""

    rounds: str = rule(Word("single", "until-passed", "none"), "single")
    min: int = rule(Number(0, 100), first=7, only_if=(HAS_BIDS,))
    max: int = rule(Number(0, 100), first=8, only_if=(HAS_BIDS,))
    specials: tuple[Special, ...] = rule(ListOf(SPECIAL, empty=True), (), first=9, needs_bidding=True)
    dealer: str = rule(
        Word("outbid", "match", "match-below-max", "match-max", "match-not-special"),
        "outbid",
        only_if=(HAS_BIDS,),
    )
    max_again: str = rule(
        Word("dealer", "anyone"),
        "dealer",
        only_if=(_is("auction.rounds", "single"), _is("auction.seller", "nobody")),
    )
    all_pass: str = rule(Word("redeal", "next-dealer", "dealer-forced", "eldest-plays"), "redeal")
    pass_cost: int = rule(
        Number(0, 99), 0, only_if=(_is("auction.all_pass", "redeal", "next-dealer"),), needs_bidding=True
    )
    forced_bid: int | None = rule(
        Optional(Number(0, 99, start=2)),
        None,
        only_if=(_is("auction.all_pass", "dealer-forced"),),
        needs_bidding=True,
    )
    seller: str = rule(Word("nobody", "eldest"), "nobody", only_if=(HAS_BIDS,))
    cap: str = rule(Word("maximum", "seller-short"), "maximum", only_if=(_is_not("auction.seller", "nobody"),))

    @property
    def least_forced(self) -> int:
        """The lowest bid of a forced dealer."""
        return max(self.min, 2) if self.forced_bid is None else self.forced_bid

    @property
    def plays_without_bid(self) -> bool:
        """True if a hand may be played without a bid: its bid is 0, lower than any other."""
        return self.all_pass == "eldest-plays" or not self.is_held  # noqa: S105  (no password)

    @property
    def is_held(self) -> bool:
        """True if there is bidding; without it the player at the dealer's left leads, and the bid is 0."""
        return self.rounds != "none"

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """All bids in ascending order, specials as their numbers; a forced dealer's may be below the others."""
        if not self.is_held:
            return ()
        forced = [self.least_forced] * (self.all_pass == "dealer-forced")  # noqa: S105
        return tuple(sorted({*forced, *range(self.min, self.max + 1), *(special.bid for special in self.specials)}))


class Point(Frozen):
    """One thing that scores, and for whom it counts: a card, `game` (the most card points), or a trick."""

    key: str = rule(Text())
    card: str = rule(Word(*TRUMP_ENDS, "game", *TRICKS, *ORDERED, *SUIT_ENDS, *PLAIN_CARDS))
    owner: str = rule(Word("taker", "holder", "keeper"), "taker")
    worth: int = rule(Number(1, 30), 1)
    captured: int | None = rule(Optional(Number(1, 30)), None)
    called: str | None = rule(Optional(Line(MOST_CALLED)), None, left_out=True)

    @cached_property
    def name(self) -> str:
        """Its name at the table: `called`, or the name of its key."""
        return self.called or point_name(self.key)


POINT = Entry(Point, "points")


class GameRules(Frozen):
    """The card points, and the condition for winning Game."""

    values: dict[str, int] = rule(GameValues(), {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}, only_if=(_counts_game,))
    award: str = rule(Word("most", "at-least"), "most", only_if=(_counts_game,))
    at_least: int = rule(Number(1, 999), 41, only_if=(_counts_game, _is("game.award", "at-least")))
    tie: str = rule(Word("nobody", "bidder", "dealer", "eldest", "points"), "nobody", only_if=(_counts_game,))
    tie_points: tuple[str, ...] = rule(
        ListOf(Text(), empty=True), (), only_if=(_counts_game, _is("game.tie", "points")), in_order=True
    )

    def __hash__(self) -> int:
        return hash((tuple(self.values.items()), self.award, self.at_least, self.tie, self.tie_points))


class SettleRules(Frozen):
    """How the points taken change the score."""

    made: str = rule(Word("taken", "bid", "difference"), "taken", only_if=(HAS_BIDS,))
    set: str = rule(Word("bid", "bid-less-taken", "nothing"), "bid", first=10, only_if=(HAS_BIDS,))
    defenders: str = rule(Word("taken", "bid", "both"), "taken", only_if=(HAS_BIDS,))
    sweep: int = rule(Number(0, 20), 0, needs_bidding=True, left_out=True)


class EarlyWin(Frozen):
    """A win below the target: a score of `at` while everyone else has `others_at_most` or less."""

    at: int = rule(Number(1, 999, start=11))
    others_at_most: int = rule(Number(-999, 999), 0)
    when: str = rule(Word("first-reach", "any-hand"), "first-reach")
    eligible: str = rule(Word("anyone", "made-bid"), "anyone")


EARLY = Entry(EarlyWin, "early")


class Scale(NamedTuple):
    """How scores are displayed; `down_from` is the first score if they count down to 0.

    Scores are stored counted up in every game: nothing that scores a hand or a game uses this. Both functions are their
    own inverse, so they also convert a score as it was typed to a stored one.

    >>> down = Scale(7)
    >>> down.score(0), down.score(7), down.change(3), down.change(-2)
    (7, 0, -3, 2)
    >>> Scale().score(4), Scale().change(4)
    (4, 4)
    """

    down_from: int | None = None

    def score(self, score: int) -> int:
        return score if self.down_from is None else self.down_from - score

    def change(self, change: int) -> int:
        return change if self.down_from is None else -change


class WinRules(Frozen):
    """When the game is won, and by whom if several reach the target at once."""

    target: int = rule(Number(1, 999), first=11)
    eligible: str = rule(Word("anyone", "made-bid"), "anyone", only_if=(HAS_BIDS,))
    both: tuple[str, ...] = rule(
        ListOf(Word("bidder", "highest", "count-out", "share", "play-on")),
        ("bidder", "highest", "play-on"),
        in_order=True,
    )
    early: EarlyWin | None = rule(Optional(EARLY), None)
    order: tuple[str, ...] = rule(
        ListOf(Text(), empty=True),
        (),
        only_if=(lambda flat: "count-out" in flat["win.both"],),
        in_order=True,
    )
    all_points: str = rule(Word("nobody", "bidder", "anyone"), "nobody")
    hands: int | None = rule(Optional(Number(1, 999, start=12)), None)
    lost_at: int | None = rule(Optional(Number(-999, -1, start=-10)), None)
    lost_sets: int | None = rule(Optional(Number(1, 99, start=3)), None, needs_bidding=True)
    lost_in_a_row: int | None = rule(Optional(Number(2, 99, start=2)), None, needs_bidding=True, left_out=True)
    counted: str = rule(Word("up", "down"), "up")

    @cached_property
    def ends_below_target(self) -> bool:
        """True if a game can end below the target, other than by a special bid or an early win."""
        ends = (self.hands, self.lost_at, self.lost_sets, self.lost_in_a_row)
        return any(end is not None for end in ends) or self.all_points != "nobody"

    @cached_property
    def scale(self) -> Scale:
        """How scores are displayed; scoring always counts up."""
        return Scale(self.target if self.counted == "down" else None)


class Sections(Frozen):
    """The sections of a rule set, and the fields outside of them."""

    id: str = rule(Text(), "custom")
    name: str = rule(Text(), "House rules")
    summary: str = rule(Text(), "")
    source: str = rule(Text(), "")
    table: TableRules = section()
    deck: DeckRules = section()
    trump: TrumpRules = section()
    play: PlayRules = section()
    auction: AuctionRules = section()
    points: tuple[Point, ...] = rule(ListOf(POINT), first=6)
    game: GameRules = section()
    settle: SettleRules = section()
    win: WinRules = section()


SECTIONS: dict[str, type[Frozen]] = {
    "table": TableRules,
    "deck": DeckRules,
    "trump": TrumpRules,
    "play": PlayRules,
    "auction": AuctionRules,
    "game": GameRules,
    "settle": SettleRules,
    "win": WinRules,
}


FIELDS: dict[str, Field] = {}  # all fields by their dotted names, in display order
for _top, _field in Sections.declared.items():
    if _top in SECTIONS:
        FIELDS |= {f"{_top}.{name}": inner for name, inner in SECTIONS[_top].declared.items()}
    else:
        FIELDS[_top] = _field
# The kinds of all fields, and of the parts of those that have entries.
KINDS: dict[str, Kind] = {
    **{name: one.kind for name, one in FIELDS.items()},
    **{
        f"{name}.{key}": kind
        for name, entry in (("points", POINT), ("auction.specials", SPECIAL), ("win.early", EARLY))
        for key, kind in entry.parts.items()
    },
}

# The groups of rules and their sections, in the order of their importance to players.
GROUPS: dict[str, tuple[str, ...]] = {
    "points": ("points", "game"),
    "bids": ("auction",),
    "set": ("settle",),
    "end": ("win",),
    "deal": ("table", "deck"),
    "play": ("trump", "play"),
}


@cache
def group_of(name: str) -> str | None:
    """The group of a field, by its dotted name; None for a field that only describes a rule set.

    >>> group_of("deck.kitty"), group_of("points"), group_of("name")
    ('deal', 'points', None)
    """
    section = name.partition(".")[0]
    return next((group for group, sections in GROUPS.items() if section in sections), None)

"""The sections of a rule set, as immutable values; `vocabulary.FIELDS` says what each field means."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .scale import Scale

ByPlayers = tuple[tuple[int, int], ...]  # a number for each number of players


@dataclass(frozen=True)
class TableRules:
    """How many players there are, and who plays together."""

    players: tuple[int, ...]
    sides: str
    teams: tuple[int, ...]
    partner_right: int
    call: str
    direction: str


@dataclass(frozen=True)
class DeckRules:
    """Which cards there are, and what happens to those that are not dealt."""

    ranks: str
    jokers: int
    deal: int | ByPlayers | None
    hand: int | ByPlayers
    kitty: int | ByPlayers
    kitty_to: str
    undealt: str
    draw: str
    rob: str
    misdeal: int


@dataclass(frozen=True)
class TrumpRules:
    """How trump is chosen, and its order from high to low."""

    by: str
    order: tuple[str, ...]
    jokers: str
    turned: dict[str, int]
    gift: int
    run: int

    def __hash__(self) -> int:
        return hash((self.by, self.order, self.jokers, tuple(self.turned.items()), self.gift, self.run))

    @property
    def is_turned_up(self) -> bool:
        """Whether a card of the pack is turned up, and its suit is trump."""
        return self.by == "turned-up"

    @property
    def may_beg(self) -> bool:
        """Whether the player at the dealer's left may ask for another trump, or a gift."""
        return bool(self.gift or self.run)


@dataclass(frozen=True)
class PlayRules:
    """What may be played on a trick."""

    follow: str


@dataclass(frozen=True)
class Special:
    """A bid above the numbers, such as the smudge: its worth, what it needs to be made, and what it then comes to."""

    name: str
    bid: int
    needs: tuple[str, ...]
    made: str = "bid"
    made_to: int | None = None
    failed: str = "bid"
    failed_to: int | None = None
    least_score: int | None = None
    takes: int | None = None

    @property
    def needs_every_trick(self) -> bool:
        """Whether it is made by winning every trick only, so that somebody has to say whether that was so."""
        return "every-trick" in self.needs or "every-trick-alone" in self.needs


@dataclass(frozen=True)
class AuctionRules:
    """Who may bid what, and what happens when nobody does."""

    rounds: str
    min: int
    max: int
    specials: tuple[Special, ...]
    dealer: str
    all_pass: str
    forced_bid: int | None
    pass_cost: int = 0
    seller: str = "nobody"
    cap: str = "maximum"
    max_again: str = "dealer"

    @property
    def least_forced(self) -> int:
        """The least that a forced dealer bids."""
        return max(self.min, 2) if self.forced_bid is None else self.forced_bid

    @property
    def plays_without_bid(self) -> bool:
        """Whether a hand may be played that nobody has bid on: its bid is 0, and no bid is that low."""
        return self.all_pass == "eldest-plays" or not self.is_held  # noqa: S105  (no password)

    @property
    def is_held(self) -> bool:
        """Whether there is any bidding; without it the player at the dealer's left leads, and nobody has a bid."""
        return self.rounds != "none"

    def levels(self) -> tuple[int, ...]:
        """Every bid there is, from the lowest up, specials as their numbers."""
        return self._levels

    @cached_property
    def _levels(self) -> tuple[int, ...]:
        if not self.is_held:
            return ()
        return (*range(self.min, self.max + 1), *sorted(special.bid for special in self.specials))


@dataclass(frozen=True)
class Point:
    """One thing that scores, and who it counts for: a card, `game` (the most card points), or a trick."""

    key: str
    card: str
    owner: str
    worth: int
    captured: int | None = None


@dataclass(frozen=True)
class GameRules:
    """What cards are worth toward Game, and what it takes to win it."""

    values: dict[str, int]
    award: str
    at_least: int
    tie: str
    tie_points: tuple[str, ...]

    def __hash__(self) -> int:
        return hash((tuple(self.values.items()), self.award, self.at_least, self.tie, self.tie_points))


@dataclass(frozen=True)
class SettleRules:
    """How the points taken change the score."""

    made: str
    set: str
    defenders: str


@dataclass(frozen=True)
class EarlyWin:
    """A win below the target: a score of `at` while everyone else has `others_at_most` or less."""

    at: int
    others_at_most: int
    when: str
    eligible: str


@dataclass(frozen=True)
class WinRules:
    """When the game is won, and by whom if several reach the target at once."""

    target: int
    eligible: str
    both: tuple[str, ...]
    early: EarlyWin | None
    order: tuple[str, ...]
    all_points: str
    hands: int | None
    lost_at: int | None
    lost_sets: int | None
    counted: str

    @cached_property
    def scale(self) -> Scale:
        """How the scores of such a game are shown; they are scored upward all the same."""
        return Scale(self.target if self.counted == "down" else None)

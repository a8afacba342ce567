"""Entering a hand by its cards: the piles captured by each side, as far as they matter.

A hand is saved as piles as soon as its points are certain, possibly before every card is placed. The scoring core takes
incomplete piles literally: a card in no pile counts for nobody, Low is the lowest and High the highest trump listed.
"Certain" therefore means that this reading cannot turn out wrong:

- every card that is a point by its name is in a pile or buried;
- every trump above the highest one placed, and below the lowest one, is buried (where the rules ask for them);
- the Game counts differ so much that the cards still out, even all in one pile, cannot change who has Game;
- for each point that depends on who played its card, or was dealt it, that player was entered: no pile shows it.

Claims derived from such piles would score the same, and piles contain more information, so piles are saved. Only the
Game counts displayed with them may lack cards still out. If the undealt cards are never seen (a stock), the user states
that the piles are complete, since nobody places fourteen worthless cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from scorekeeper.scoring.cards import JOKERS, SUITS, Card
from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.hand import with_tie_broken
from scorekeeper.scoring.points import KnownCards, Piles, Taken, take_from_piles
from scorekeeper.scoring.problems import Problems
from scorekeeper.scoring.rules.fields import PLAIN_CARDS, SUIT_ENDS
from scorekeeper.scoring.table import Side, Sides
from scorekeeper.web.common.narrator import UNTAKEN_REASONS
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import card_sign, in_suit_order

from .draft import BURIED, NOBODY, STOCK, SWEEP, Draft
from .points import OWNER_HINTS, WHO_HAD, Points, SideChoice

MOST_CARDS_NAMED = 6
OFF_TRUMP = {*SUIT_ENDS, *PLAIN_CARDS}  # points whose suit is known before trump is


class DraftPiles:
    """The piles of a draft: where cards are, which are still out, and whether those can still matter."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.table = draft, draft.table
        self.trump = self.table.trumps[draft.trump] if draft.trump else None
        named = {*draft.placed, *draft.buried}
        unnamed = [card for card in self.table.deck if card not in named]
        rest_has_a_side = draft.rest in draft.side_names
        # Assigning the rest would exceed the cards dealt: some of it must be buried first.
        self.rest_is_too_much = rest_has_a_side and len(draft.placed) + len(unnamed) > self.table.dealt
        # The side whose pile has each card.
        self.where: dict[Card, Side] = dict(draft.placed)
        if rest_has_a_side and not self.rest_is_too_much:
            self.where |= dict.fromkeys(unnamed, str(draft.rest))
        slots = self.table.dealt - len(self.where)  # dealt cards not yet in a pile
        is_closed = draft.rest == STOCK or slots <= 0
        # Cards that may still be in a pile, and the most card points they can be worth.
        self.out = [] if is_closed else [card for card in unnamed if card not in self.where]
        worth = sorted((self.table.value[card] for card in self.out), reverse=True)
        self.points_out = sum(worth[: max(slots, 0)])

    @cached_property
    def card_points(self) -> dict[Side, int]:
        if self.taken is not None and self.taken.counts is not None:
            return self.taken.counts
        counts = dict.fromkeys(self.draft.side_names, 0)
        for card, side in self.where.items():
            counts[side] += self.table.value[card]
        return counts

    @cached_property
    def taken(self) -> Taken | None:
        """The points of the current piles; None until bidder and trump are known."""
        draft, sides = self.draft, self.draft.sides
        if sides is None or self.trump is None:
            return None
        low_by, high_by, played_by = self.players
        piles = Piles(self.by_side(), low_by, high_by, played_by=played_by, tricks_won=self.tricks_won)
        taken = take_from_piles(KnownCards(self.table, sides, self.trump, draft.buried), piles, Problems())
        return with_tie_broken(self.table, draft.dealer, taken, sides)

    @property
    def players(self) -> tuple[Side | None, Side | None, dict[str, Side]]:
        """Sides that played the cards of Low, of High, and of other points that belong to the player."""
        answers = {key: side for key, side in self.draft.played_by.items() if key in self.table.by_player}
        low_by, high_by = (answers.pop(key, None) if key else None for key in (self.table.low_key, self.table.high_key))
        return low_by, high_by, {key: side for key, side in answers.items() if self._card_of(key) in self.where}

    def _card_of(self, key: str) -> Card | None:
        """The card of a point, if the piles show it."""
        return self.trump.card_of(self.table.points[key], self.where) if self.trump else None

    @cached_property
    def unanswered(self) -> list[str]:
        """Points that depend on who played or was dealt their card, while that is not entered."""
        cards = {key: self._card_of(key) for key in self.table.card_points if key in self.table.by_player}
        answered = {cards.get(key) for key in self.draft.played_by}
        return [key for key, card in cards.items() if card in self.where and card not in answered]

    @property
    def tricks_won(self) -> dict[str, Side]:
        """Winners of the tricks that score, as tapped, since cards do not show them."""
        tapped = {key: self.draft.points.get(key, NOBODY) for key in self.table.trick_points.values()}
        return {key: side for key, side in tapped.items() if side != NOBODY}

    def by_side(self) -> dict[Side, tuple[Card, ...]]:
        where, deck = self.where, self.table.deck
        return {side: tuple(card for card in deck if where.get(card) == side) for side in self.draft.side_names}

    @property
    def winner_of_all(self) -> Side | None:
        """Winner of every trick.

        A side with all cards, otherwise as tapped, otherwise the bidding side while it has all cards placed.
        """
        if self.swept is not None:
            return self.swept
        usual = self.draft.usual_side
        return self.draft.sweeper_or(usual if set(self.where.values()) == {usual} else None)

    @property
    def swept(self) -> Side | None:
        """The side that has every card; None for a bidder alone, whose partner's cards would be in the same pile."""
        return None if self.taken is None or self.draft.plays_alone else self.taken.sweep

    @property
    def sweeper(self) -> str:
        """Winner of every trick, or NOBODY; only the bidding side counts if the bid requires it."""
        winner = self.winner_of_all
        return winner if winner and (self.draft.sweep_scores or winner == self.draft.usual_side) else NOBODY

    @property
    def lost_a_trick(self) -> bool:
        """True if several sides have won tricks. Cards kept by their player are ignored: their pile proves nothing."""
        kept = {self._card_of(key) for key in self.table.kept}
        return len({side for card, side in self.where.items() if card not in kept}) > 1

    # --- what is certain ---

    def needed(self, key: str) -> Card | None:
        """The card that must be placed before it is certain who has the point; None if it is."""
        trump = self.trump
        if trump is None:
            return None
        order = trump.ends[key] if key in trump.ends else (trump.literal[key],)
        placed = next((place for place, card in enumerate(order) if card in self.where), len(order))
        return next((card for card in order[:placed] if card in self.out), None)

    @property
    def game_is_decided(self) -> bool:
        """True if the cards still out cannot change who has Game."""
        rules, out = self.table.rules.game, self.points_out
        if self.table.game_key is None or not out:
            return True
        first, second, *_ = [*sorted(self.card_points.values(), reverse=True), 0]
        ahead = first > second + out
        if rules.award == "at-least":
            return (ahead and first >= rules.at_least) or first + out < rules.at_least
        return ahead

    def is_certain(self, key: str) -> bool:
        if key in self.table.card_points:
            return not self.needed(key) and key not in self.unanswered
        return self.game_is_decided if key == self.table.game_key else key in self.draft.points

    @cached_property
    def not_placed(self) -> list[Card]:
        """Cards that must be placed before the points are certain."""
        wanted = {self.needed(key) for key in self.table.card_points}
        if not self.game_is_decided:
            wanted |= {card for card in self.out if self.table.value[card]}
        return [card for card in self.table.deck_by_strength(self.draft.trump) if card in wanted]

    @property
    def who_played(self) -> str:
        """The open question, such as “Who played Low?”; empty if none."""
        if not self.unanswered:
            return ""
        point = self.table.points[self.unanswered[0]]
        return f"Who {'played' if point.owner == 'keeper' else 'was dealt the'} {point.name}?"

    @property
    def missing_sentence(self) -> str:
        """What to do first, then the cards and answers still missing: "Tap 2 more cards: 10♦, A♣"."""
        if self.rest_is_too_much:
            more, other = self.table.buried - len(self.draft.buried), "other " if self.draft.buried else ""
            return f"Tap the {other}{'' if more == 1 else f'{more} '}buried card{'' if more == 1 else 's'} first."
        cards = self.not_placed
        if not cards:
            return self.who_played
        if not (self.draft.placed or self.draft.buried):
            return "Tap a pile, then its cards."
        named = f"{', '.join(map(card_sign, cards[:MOST_CARDS_NAMED]))}{' …' if len(cards) > MOST_CARDS_NAMED else ''}"
        if not self.table.buried and self.where:
            return f"Tap any that were played, then “not dealt”: {named}"
        return f"Tap {counted(len(cards), 'more card')}: {named}"


def missing(draft: Draft) -> str:
    """Sentence on what is missing before the hand can be saved; empty if nothing."""
    piles = DraftPiles(draft)
    if draft.trump and (sentence := piles.missing_sentence):
        return sentence
    for trick, key in draft.table.trick_points.items():
        if key not in draft.points:
            return f"Who won the {trick.replace('-', ' ')}? Tap it under points first."
    if draft.needs_sweep and draft.points.get(SWEEP) == NOBODY and piles.swept and piles.swept == draft.usual_side:
        return "One pile has every card. Tap yes under every trick, or move a card."
    return ""


def piled(draft: Draft) -> dict[str, object]:
    """The piles in the format of the game record."""
    piles = DraftPiles(draft)
    low_by, high_by, played_by = piles.players
    facts: dict[str, object] = {
        "piles": {side: list(cards) for side, cards in piles.by_side().items()},
        "low_by": low_by,
        "high_by": high_by,
        "played_by": played_by or None,
        "tricks_won": piles.tricks_won or None,
    }
    return facts | {"sweep": piles.winner_of_all} if draft.needs_sweep else facts


# --- converting between ways of entry -----------------------------------------------------------------------------


def from_points(draft: Draft) -> Draft:
    """Move the cards of tapped points to their side's pile, or out of all piles; keep all other cards."""
    placed: dict[Card, Side] = dict(draft.placed)
    played_by = dict(draft.played_by)
    points = Points(draft)
    for key, point in draft.table.card_points.items():
        card, side = points.cards.get(key), draft.points.get(key)
        if card is None or side is None or card in draft.buried:
            continue
        if side == NOBODY:
            placed.pop(card, None)
            continue
        if point.owner != "taker":
            played_by[key] = side
        if point.owner != "holder":
            placed[card] = side
    return replace(draft, placed=placed, played_by=played_by)


def as_points(draft: Draft, *, complete: bool) -> Draft:
    """Points as far as the piles decide them, and card points once every card is placed.

    With `complete`, no other card can be in a pile, whatever remains of the deck.
    """
    piles = DraftPiles(draft)
    if piles.taken is None or not piles.where:
        return draft
    taken = piles.taken.points.items()
    certain = {key: score.side or NOBODY for key, score in taken if complete or piles.is_certain(key)}
    counts = draft.counts
    if draft.table.game_key in certain:
        counts = {} if piles.points_out and not complete else piles.taken.counts or {}
    if piles.lost_a_trick:
        certain[SWEEP] = NOBODY
    elif draft.needs_sweep:
        certain[SWEEP] = piles.sweeper
    return replace(draft, points={**draft.points, **certain}, counts=counts)


def reopened(draft: Draft, hand: Hand, sides: Sides) -> Draft:
    """Restore the piles of a saved hand; with a stock, the rest was not dealt.

    Where the record does not say who played a card, the scored side is used.
    """
    table = draft.table
    placed = {card: sides.aliases[side] for side, cards in (hand.piles or {}).items() for card in cards}
    ends = ((table.low_key, hand.low_by), (table.high_key, hand.high_by))
    told = [*ends, *(hand.played_by or {}).items()]
    scored = {key: side for key, side in draft.points.items() if key in table.by_player and side != NOBODY}
    played_by = scored | {key: sides.aliases[side] for key, side in told if key is not None and side is not None}
    return replace(draft.with_piles(placed), played_by=played_by)


# --- the page -----------------------------------------------------------------------------------------------------


class CardsPage(DraftPiles):
    """Data of the cards on the page. Taps put cards on pile `chosen`; `unfolded` shows all cards."""

    def __init__(
        self, draft: Draft, sides: Iterable[SideChoice], chosen: str | None, shorts: Sequence[str], *, unfolded: bool
    ) -> None:
        super().__init__(draft)
        self.unfolded = unfolded
        self.piles: list[SideChoice] = []  # numbered in this order for the stylesheet
        for side in sides:
            names = [shorts[seat - 1] for seat in self.table.seats_of[side.value]] if self.table.teams else []
            badge = side.badge or (side.value if side.value.isdigit() else side.label[:1].upper())
            self.piles.append(side._replace(badge=badge, people=" · ".join(names) or side.label))
        if self.table.buried:
            self.piles.append(SideChoice(BURIED, "buried", "buried", "", "×", "buried"))
        self._pile_of = {pile.value: pile for pile in self.piles}
        self.pile = self._pile_of.get(chosen or "", self.piles[0])
        self.has_game = self.table.game_key is not None  # whether card points matter under these rules
        self._group_cards()

    def _group_cards(self) -> None:
        """Group the cards: those shown under any trump, other trumps, and plain cards.

        The first group has card points or a point of its own suit; `counting_ranks` is its number of columns.
        """
        table, trump = self.table, self.trump
        asked = {*SUITS} if self.has_game else {p.card[-1] for p in table.points.values() if p.card in OFF_TRUMP}
        shown = [card for card in table.deck if card[1] in asked and table.value[card] > 0 and card not in JOKERS]
        self.counting = in_suit_order(shown)
        self.counting_ranks = max(Counter(card[1] for card in shown).values(), default=5)
        trumps = trump.order if trump else [card for card in table.deck if card in JOKERS]
        self.other_trumps = [card for card in trumps if card not in self.counting]
        self.plain = [card for card in table.deck if card not in self.counting and card not in self.other_trumps]

    def pile_of(self, card: Card) -> tuple[SideChoice | None, bool]:
        """The card's pile (None: not placed), and whether it is there only as part of the rest."""
        is_buried = card in self.draft.buried
        pile = self._pile_of.get(BURIED if is_buried else self.where.get(card, ""))
        return pile, pile is not None and card not in self.draft.placed and not is_buried

    @property
    def plain_shown(self) -> list[Card]:
        """Cards that neither count nor are trump.

        All when unfolded, otherwise those tapped into a pile, so that they can be removed.
        """
        return [card for card in self.plain if self.unfolded or self._stays_shown(card)]

    def _stays_shown(self, card: Card) -> bool:
        """True for a card tapped into a pile, as opposed to one placed by entering the play."""
        return card in self.draft.placed and not (self.has_game and self.draft.plays)

    @property
    def folded(self) -> list[tuple[Card, str]]:
        """Hidden plain cards that are in a pile, with their piles."""
        if self.unfolded:
            return []
        at = {**self.draft.placed, **dict.fromkeys(self.draft.buried, BURIED)}
        return [(card, at[card]) for card in self.plain if card in at and not self._stays_shown(card)]

    @property
    def chips(self) -> list[tuple[str, str | None, SideChoice | None, str]]:
        """For each point: key, badge of its side ("?" if open), pile, and why it is nobody's."""
        chips: list[tuple[str, str | None, SideChoice | None, str]] = []
        for key in self.table.points:
            if self.taken is None or not self.is_certain(key):
                chips.append((key, "?", None, "still open"))
            elif (side := self.taken.points[key].side) is None:
                chips.append((key, "–", None, self._why_nobody(key)))
            else:
                chips.append((key, self._pile_of[side].badge, self._pile_of[side], ""))
        return chips

    @property
    def holders(self) -> list[tuple[str, str, Card | None, str]]:
        """Who played or was dealt the card of a point that belongs to its player: (key, hint, card, why nobody did)."""
        return [
            (
                key,
                OWNER_HINTS[point.owner] or WHO_HAD,
                None if self.needed(key) else self._card_of(key),
                self._why_nobody(key),
            )
            for key, point in self.table.card_points.items()
            if key in self.table.by_player
        ]

    def _why_nobody(self, key: str) -> str:
        """Why nobody has a point; empty if a side has it or may still get it."""
        if self.taken is None or not self.is_certain(key) or self.taken.points[key].side is not None:
            return ""
        return UNTAKEN_REASONS.get(self.taken.points[key].why or "", "nobody")

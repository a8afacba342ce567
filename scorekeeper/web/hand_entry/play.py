"""The play as a way of putting a hand in: each trick's cards in order, everything else following from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scorekeeper.scoring.cards import JOKERS, SUIT_NAMES, Card
from scorekeeper.scoring.play import Trick
from scorekeeper.scoring.play_so_far import PlaySoFar, Shown, is_out_step, out_step
from scorekeeper.scoring.table import Seat, Sides, Table
from scorekeeper.web.common.narrator import Narrator

from . import messages as say
from .cards import STOCK
from .draft import ALONE, NOBODY, SWEEP, Draft

LEAD_MAKES_TRUMP = "lead"


def settled_by(table: Table, draft: Draft) -> Draft:
    """The draft with what the play shows: trump by the first lead, and the partner by the called card.

    What was tapped since decides: a trump that was not led clears the play, a buried card what came from it on.
    """
    cut = next((place for place, card in enumerate(draft.plays) if card in draft.buried), None)
    if cut is not None:
        draft = replace(draft, plays=draft.plays[:cut]).telling(say.play_cut(draft.plays[cut]))
    led = led_trump(table, draft.plays)
    if led is not None and draft.trump not in (None, led):
        return replace(draft, plays=()).telling(say.play_cleared(draft.trump))
    draft = replace(draft, trump=led or draft.trump)
    play = follow(table, draft)
    if play is None or not table.calls_partner or draft.called is None or draft.detail != "play":
        return draft
    holder = play.player_of.get(draft.called)
    if holder is None:
        is_alone = play.is_over and not (table.short_tricks and draft.called not in play.trump.trumps)
        return replace(draft, partner=ALONE) if is_alone else draft
    return replace(draft, partner=ALONE if holder == draft.bidder else holder)


def led_trump(table: Table, plays: Sequence[Card]) -> str | None:
    """The suit that the first lead makes trump, where it does; a joker led leaves it to the bidder to say."""
    if table.rules.trump.by != LEAD_MAKES_TRUMP or not plays or plays[0] in JOKERS or is_out_step(plays[0]):
        return None
    return plays[0][1]


def follow(table: Table, draft: Draft) -> PlaySoFar | None:
    """The play so far; None until bidder and trump are known."""
    if draft.bidder is None or draft.trump is None:
        return None
    return PlaySoFar(table, table.trumps[draft.trump], draft.bidder, draft.plays)


def add(table: Table, draft: Draft, card: Card) -> tuple[Draft, Card | None]:
    """The draft with one card more; or as it was, saying why, or with the card that shows a revoke."""
    play = follow(table, draft)
    if why := _why_not(table, draft, play, card):
        return draft.telling(why), None
    if play is not None and play.revoked(card) is not None:
        return draft, card
    led = led_trump(table, (*draft.plays, card))
    changed = led if draft.trump not in (None, led) else None
    told = [say.trump_was_led(card, changed)] if changed else []
    return replace(draft, plays=(*draft.plays, card), trump=led or draft.trump).telling(*told), None


def _why_not(table: Table, draft: Draft, play: PlaySoFar | None, step: Card) -> str:
    """Why a card, or a player out of trumps, cannot come next; empty where it can."""
    if draft.bidder is None:
        return say.WHO_LEADS
    if step in draft.plays or step in draft.buried:
        return say.is_gone(step, buried=step in draft.buried)
    if not draft.plays and led_trump(table, (step,)):
        return ""
    if play is None:
        leads = not draft.plays and table.rules.trump.by == LEAD_MAKES_TRUMP
        return "" if leads else say.JOKER_LED if draft.plays else say.WHAT_TRUMP
    if play.is_over:
        return say.ALL_PLAYED
    if is_out_step(step):
        is_next = table.short_tricks and step == out_step(play.to_play) and play.player_of
        return "" if is_next else say.OTHERS_TURN
    return say.TRUMPS_ONLY if table.short_tricks and step not in play.trump.trumps else ""


def missing(table: Table, draft: Draft, narrator: Narrator) -> dict[str, list[str]]:
    """What the play still lacks."""
    if draft.bidder is None:
        return {}
    play = follow(table, draft)
    if play is None:
        return {"play": [say.to_play(1, narrator.seat(draft.bidder), leads=True)]} if not draft.plays else {}
    return {} if play.is_over else {"play": [_turn(play, narrator)]}


def _turn(play: PlaySoFar, narrator: Narrator) -> str:
    return say.to_play(len(play.tricks) + 1, narrator.seat(play.to_play), leads=not play.current)


def played(draft: Draft, table: Table) -> dict[str, Any]:
    """The tricks as the game record has them, the last perhaps unfinished."""
    play = follow(table, draft)
    if play is None:
        return {"tricks": []}
    tricks = [*play.tricks, Trick(play.leader, play.current)] if play.current else play.tricks
    return {"tricks": [_as_record(trick) for trick in tricks]}


def _as_record(trick: Trick) -> dict[str, Any]:
    seats = {} if trick.seats is None else {"seats": list(trick.seats)}
    return {"lead": trick.lead, "cards": list(trick.cards), **seats}


def is_over(table: Table, draft: Draft) -> bool:
    """Whether every trick has been played."""
    play = follow(table, draft)
    return play is not None and play.is_over


def as_piles(table: Table, draft: Draft) -> Draft:
    """The tricks that were won, as piles, with all that the play shows besides: who played which card, who won what."""
    play, sides = follow(table, draft), draft.sides(table)
    if play is None or sides is None or not play.tricks:
        return draft
    of_seat = sides.of_seat
    won = zip(play.tricks, play.winners, strict=True)
    placed = {card: of_seat[winner] for trick, winner in won for card in trick.cards}
    cards = {key: play.trump.card_of(table.points[key], placed) for key in table.by_player}
    players = {key: of_seat[play.player_of[card]] for key, card in cards.items() if card in placed}
    ends = {"first-trick": play.winners[:1], "last-trick": play.winners[-1:] if play.is_over else []}
    tricks = {key: of_seat[by[0]] for trick, key in table.trick_points.items() if (by := ends[trick])}
    stocked = not table.sees_buried and len(placed) < table.dealt
    return replace(
        draft,
        placed=placed if play.is_over else {**draft.placed, **placed},
        rest=(STOCK if stocked else None) if play.is_over else draft.rest,
        played_by={**draft.played_by, **players},
        points={**draft.points, **tricks, **_sweep(table, draft, play, sides)},
    )


def _sweep(table: Table, draft: Draft, play: PlaySoFar, sides: Sides) -> dict[str, str]:
    """Who won every trick, as far as it is known: nobody as soon as a trick is lost."""
    alone = draft.plays_alone(table)
    met = {seat == draft.bidder if alone else sides.of_seat[seat] == sides.bidding for seat in play.winners}
    if False in met:
        return {SWEEP: NOBODY}
    return {SWEEP: sides.bidding} if play.is_over else {}


# --- the page -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayTile:
    """A card to be played: `gone` when it has been or lies buried, `unlikely` when its player has shown to be void."""

    card: Card
    gone: bool
    unlikely: bool
    trump: bool


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a trick: who plays there, and the card that lies there already."""

    seat: Seat
    name: str
    unit: str
    card: Card | None = None
    turn: bool = False
    wins: bool = False


@dataclass(frozen=True, slots=True)
class TrickLine:
    """An earlier trick; `back` is how many cards had been played when it began."""

    number: int
    winner: str
    unit: str
    cards: tuple[tuple[Place, Card], ...]
    back: int


@dataclass(frozen=True, slots=True)
class Revoke:
    """What a card shows of an earlier one: a sentence, and how many cards to go back to."""

    sentence: str
    number: int
    back: int


class Playing:
    """What the page shows of the play; `tried` is a card that could not be."""

    def __init__(self, table: Table, draft: Draft, narrator: Narrator, tried: Card | None = None) -> None:
        self.table = table
        self.draft = draft
        self.narrator = narrator
        self.tried = tried
        self.play = follow(table, draft)

    @property
    def says(self) -> str:
        """Where the play is."""
        if self.draft.bidder is None:
            return say.BIDDER_LEADS
        if self.play is None:
            if not self.draft.plays and self.table.rules.trump.by == LEAD_MAKES_TRUMP:
                return say.sets_trump(self.narrator.seat(self.draft.bidder))
            return say.JOKER_LED if self.draft.plays else say.WHAT_IS_TRUMP
        return say.ALL_PLAYED if self.play.is_over else _turn(self.play, self.narrator)

    @property
    def asks_trump(self) -> bool:
        """Whether a joker has been led, so that the bidder has to say what is trump."""
        led = self.draft.plays[0] if self.draft.plays else None
        return self.table.rules.trump.by == LEAD_MAKES_TRUMP and led in JOKERS and len(self.draft.plays) == 1

    @property
    def hint(self) -> str:
        """What the next player has to do."""
        play = self.play
        if play is None or play.is_over or play.led is None:
            return ""
        if self.table.short_tricks:
            return say.TRUMPS_ONLY
        strict = play.trump.follow == "follow"
        is_trump = play.led == play.trump.suit
        return say.follow_suit(SUIT_NAMES[play.led].capitalize(), is_trump=is_trump or strict)

    @property
    def out(self) -> tuple[str, str] | None:
        """The step that takes the next player out, who has no trump left, and what its button says."""
        play = self.play
        if play is None or not self.table.short_tricks or play.is_over or not play.player_of:
            return None
        return out_step(play.to_play), say.has_no_trump(self.narrator.seat(play.to_play))

    @cached_property
    def revoke(self) -> Revoke | None:
        """The revoke that the card tried has brought to light."""
        shown = self.play.revoked(self.tried) if self.play and self.tried else None
        if self.play is None or self.tried is None or shown is None:
            return None
        seat, suit = self.narrator.seat(self.play.to_play), SUIT_NAMES[self.play.trump.suit_of[self.tried]]
        sentence = say.revoked(seat, suit, self.tried, shown.trick + 1, shown.card)
        return Revoke(sentence, shown.trick + 1, self._cards_before(shown))

    def _cards_before(self, shown: Shown) -> int:
        return shown.trick * self.table.players + shown.place

    @property
    def places(self) -> list[Place]:
        """The trick on the table, from its leader on; between two tricks, the last one."""
        play = self.play
        if play is None:
            leader = self.draft.bidder or 1
            return self._places(leader, dict(zip((leader,), self.draft.plays, strict=False)), None)
        if not play.current and play.tricks:
            last = play.tricks[-1]
            return self._places(last.lead or 1, {play.player_of[card]: card for card in last.cards}, play.winners[-1])
        return self._places(play.leader, {play.player_of[card]: card for card in play.current}, None)

    def _places(self, leader: Seat, card_of: Mapping[Seat, Card], winner: Seat | None) -> list[Place]:
        return [self._place(seat, card_of.get(seat), winner) for seat in self.table.seats_from(leader)]

    def _place(self, seat: Seat, card: Card | None, winner: Seat | None) -> Place:
        turn = self.play is not None and not self.play.is_over and self.play.to_play == seat and card is None
        unit = self.table.unit_of[seat]
        return Place(seat, self.narrator.seat(seat), unit, card, turn, winner == seat)

    @property
    def tricks(self) -> list[TrickLine]:
        """The tricks that were won, the latest first."""
        if self.play is None:
            return []
        return [self._line(index) for index in reversed(range(len(self.play.tricks)))]

    def _line(self, index: int) -> TrickLine:
        play = self.play
        assert play is not None  # noqa: S101  (for the type checker: only asked about tricks there are)
        trick, winner = play.tricks[index], play.winners[index]
        places = tuple((self._place(play.player_of[card], card, winner), card) for card in trick.cards)
        back = self.draft.plays.index(trick.cards[0])
        return TrickLine(index + 1, self.narrator.seat(winner), self.table.unit_of[winner], places, back)

    @property
    def tiles(self) -> list[PlayTile]:
        """The cards that can be played at all: where only trumps are, those, from the top."""
        makes_trump = not self.draft.plays and self.table.rules.trump.by == LEAD_MAKES_TRUMP
        only_trumps = self.play and self.table.short_tricks and not makes_trump
        playable = self.play.trump.order if self.play and only_trumps else self.table.deck
        return [self._tile(card) for card in playable]

    def _tile(self, card: Card) -> PlayTile:
        gone = card in self.draft.plays or card in self.draft.buried or (self.play is not None and self.play.is_over)
        unlikely = self.play is not None and not gone and self.play.revoked(card) is not None
        return PlayTile(card, gone, unlikely, self.play is not None and card in self.play.trump.trumps)

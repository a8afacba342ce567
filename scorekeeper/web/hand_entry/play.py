"""The play as a way of putting a hand in: each trick's cards in order, everything else following from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scorekeeper.scoring.cards import JOKERS, SUIT_NAMES, Card
from scorekeeper.scoring.play import Trick
from scorekeeper.scoring.play_so_far import PlaySoFar, Shown, is_out_step, out_step
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.web.wording import hand_entry_sentences as say
from scorekeeper.web.wording.narrator import Narrator

from .draft import ALONE, Draft

LEAD_MAKES_TRUMP = "lead"


def settled_by(table: Table, draft: Draft) -> Draft:
    """The draft with what the play shows: trump by the first lead, and the partner by the called card."""
    draft = replace(draft, trump=trump_of(table, draft))
    play = follow(table, draft)
    if play is None or not table.calls_partner or draft.called is None or draft.detail != "play":
        return draft
    holder = play.player_of.get(draft.called)
    if holder is None:
        return replace(draft, partner=ALONE) if play.is_over else draft
    return replace(draft, partner=ALONE if holder == draft.bidder else holder)


def trump_of(table: Table, draft: Draft) -> str | None:
    """Trump, as the first lead makes it where it does; a joker led leaves it to the bidder to say."""
    if table.rules.trump.by != LEAD_MAKES_TRUMP or not draft.plays or draft.plays[0] in JOKERS:
        return draft.trump
    return draft.plays[0][1]


def follow(table: Table, draft: Draft) -> PlaySoFar | None:
    """The play so far; None until bidder and trump are known."""
    trump = trump_of(table, draft)
    if draft.bidder is None or trump is None:
        return None
    return PlaySoFar(table, table.trumps[trump], draft.bidder, draft.plays)


def add(table: Table, draft: Draft, card: Card) -> tuple[Draft, Card | None]:
    """The draft with one card more; or as it was, with the card that shows a revoke."""
    if card in draft.plays or card in draft.buried or draft.bidder is None:
        return draft, None
    play = follow(table, draft)
    if play is None:
        leads = not draft.plays and (table.rules.trump.by == LEAD_MAKES_TRUMP)
        return (replace(draft, plays=(card,)) if leads else draft), None
    if play.is_over or not _may_come(table, play, card):
        return draft, None
    if play.revoked(card) is not None:
        return draft, card
    return replace(draft, plays=(*draft.plays, card)), None


def _may_come(table: Table, play: PlaySoFar, step: Card) -> bool:
    """Whether a card, or a player out of trumps, can come next: where only trumps are played, and somebody has led."""
    if is_out_step(step):
        return table.short_tricks and step == out_step(play.to_play) and bool(play.player_of)
    return not table.short_tricks or step in play.trump.trumps


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


def as_piles(table: Table, draft: Draft) -> Draft:
    """The tricks that were won, as piles; who played the Low and the High card comes along."""
    play, sides = follow(table, draft), draft.sides(table)
    if play is None or sides is None or not play.tricks:
        return draft
    won = zip(play.tricks, play.winners, strict=True)
    placed = {card: sides.of_seat[winner] for trick, winner in won for card in trick.cards}
    cards = {key: play.trump.card_of(table.points[key], placed) for key in table.by_player}
    players = {key: play.player_of[card] for key, card in cards.items() if card is not None and card in placed}
    return replace(draft, placed=placed, rest=None, played_by={key: sides.of_seat[at] for key, at in players.items()})


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
        playable = self.play.trump.order if self.play and self.table.short_tricks else self.table.deck
        return [self._tile(card) for card in playable]

    def _tile(self, card: Card) -> PlayTile:
        gone = card in self.draft.plays or card in self.draft.buried or (self.play is not None and self.play.is_over)
        unlikely = self.play is not None and not gone and self.play.revoked(card) is not None
        return PlayTile(card, gone, unlikely, self.play is not None and card in self.play.trump.trumps)

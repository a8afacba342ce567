"""The play as a way of putting a hand in: each trick's cards in order, everything else following from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from scorekeeper.scoring.cards import JOKERS, SUIT_NAMES, Card
from scorekeeper.scoring.play import PlaySoFar, Trick, is_out_step, out_step
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.words import card_sign

from . import messages as say
from .draft import ALONE, NOBODY, STOCK, SWEEP, Draft


def settled_by(draft: Draft) -> Draft:
    """The draft with what the play shows: trump by the first lead, and the partner by the called card.

    What was tapped since decides: a trump that was not led clears the play, a buried card what came from it on.
    """
    cut = next((place for place, card in enumerate(draft.plays) if card in draft.buried), None)
    if cut is not None:
        told = say.PLAY_CUT.format(card_sign(draft.plays[cut]))
        draft = replace(draft, plays=draft.plays[:cut]).telling(told)
    led = led_trump(draft.base, draft.plays)
    if led is not None and draft.trump not in (None, led):
        return replace(draft, plays=()).telling(say.PLAY_CLEARED.format(SUIT_NAMES[draft.trump or ""]))
    draft = replace(draft, trump=led or draft.trump)
    play, table = draft.play, draft.table
    if play is None or not table.calls_partner or draft.called is None or draft.detail != "play":
        return draft
    holder = play.player_of.get(draft.called)
    if holder is None:
        is_alone = play.is_over and not (table.short_tricks and draft.called not in play.trump.trumps)
        return replace(draft, partner=ALONE) if is_alone else draft
    return replace(draft, partner=ALONE if holder == draft.bidder else holder)


def lead_makes_trump(table: Table) -> bool:
    return table.rules.trump.by == "lead"


def led_trump(table: Table, plays: Sequence[Card]) -> str | None:
    """The suit that the first lead makes trump, where it does; a joker led leaves it to the bidder to say."""
    if not lead_makes_trump(table) or not plays or plays[0] in JOKERS or is_out_step(plays[0]):
        return None
    return plays[0][1]


def add(draft: Draft, card: Card) -> tuple[Draft, Card | None]:
    """The draft with one card more, or two where but one is left then; or as it was, saying why, or with the card that
    shows a revoke.
    """
    if why := _why_not(draft, card):
        return draft.telling(why), None
    if draft.play is not None and draft.play.revoked(card) is not None:
        return draft, card
    led = led_trump(draft.base, (*draft.plays, card))
    if draft.trump not in (None, led) and led:
        draft = draft.telling(say.TRUMP_WAS_LED.format(card_sign(card), SUIT_NAMES[led]))
    return _with_the_last(replace(draft, plays=(*draft.plays, card), trump=led or draft.trump)), None


def _with_the_last(draft: Draft) -> Draft:
    """The draft with the last card too, where every other one was played or is buried; not one that shows a revoke.

    Where only trumps are played, everybody is out once every trump was played.
    """
    play, gone = draft.play, {*draft.plays, *draft.buried}
    if play is not None and draft.table.short_tricks:
        while gone.issuperset(play.trump.trumps) and not play.is_over:
            play.play(step := out_step(play.to_play))
            draft = replace(draft, plays=(*draft.plays, step))
        return draft
    left = [card for card in draft.table.deck if card not in gone]
    if play is None or play.is_over or len(left) != 1 or play.revoked(left[0]) is not None:
        return draft
    return replace(draft, plays=(*draft.plays, *left)).telling(say.LAST_CARD.format(card_sign(left[0])))


def _why_not(draft: Draft, step: Card) -> str:
    """Why a card, or a player out of trumps, cannot come next; empty where it can."""
    play, table = draft.play, draft.table
    if draft.bidder is None:
        return say.WHO_LEADS
    if step in draft.plays or step in draft.buried:
        return (say.IS_BURIED if step in draft.buried else say.IS_PLAYED).format(card_sign(step))
    if not draft.plays and led_trump(table, (step,)):
        return ""
    if play is None:
        if draft.plays:
            return say.JOKER_LED
        return "" if lead_makes_trump(table) else say.WHAT_TRUMP
    if play.is_over:
        return say.ALL_PLAYED
    if is_out_step(step):
        is_next = table.short_tricks and step == out_step(play.to_play) and play.player_of
        return "" if is_next else say.OTHERS_TURN
    return say.TRUMPS_ONLY if table.short_tricks and step not in play.trump.trumps else ""


def missing(draft: Draft, narrator: Narrator) -> dict[str, list[str]]:
    """What the play still lacks."""
    play = draft.play
    if play is None and draft.bidder is not None and not draft.plays:
        return {"play": [f"Trick 1: {narrator.seat(draft.bidder)} to lead"]}
    return {} if play is None or play.is_over else {"play": [_turn(play, narrator)]}


def _turn(play: PlaySoFar, narrator: Narrator) -> str:
    return f"Trick {len(play.tricks) + 1}: {narrator.seat(play.to_play)} to {'play' if play.current else 'lead'}"


def played(draft: Draft) -> dict[str, object]:
    """The tricks as the game record has them, the last perhaps unfinished."""
    play = draft.play
    if play is None:
        return {"tricks": []}
    tricks = [*play.tricks, Trick(play.leader, play.current)] if play.current else play.tricks
    return {
        "tricks": [
            {"lead": trick.lead, "cards": list(trick.cards)} | ({"seats": list(trick.seats)} if trick.seats else {})
            for trick in tricks
        ]
    }


def as_piles(draft: Draft) -> Draft:
    """The tricks that were won, as piles, with all that the play shows besides: who played which card, who won what."""
    play, sides, table = draft.play, draft.sides, draft.table
    if play is None or sides is None or not play.tricks:
        return draft
    of_seat = sides.of_seat
    won = zip(play.tricks, play.winners, strict=True)
    placed = {card: of_seat[winner] for trick, winner in won for card in trick.cards}
    cards = {key: play.trump.card_of(table.points[key], placed) for key in table.by_player}
    players = {key: of_seat[play.player_of[card]] for key, card in cards.items() if card in placed}
    ends = {"first-trick": play.winners[:1], "last-trick": play.winners[-1:] if play.is_over else []}
    points: dict[str, str] = {key: of_seat[by[0]] for trick, key in table.trick_points.items() if (by := ends[trick])}
    won_by = {of_seat[seat] for seat in play.winners}
    if draft.sweep_scores and len(won_by) == 1 and play.is_over:
        points[SWEEP] = won_by.pop()
    elif any((seat != draft.bidder) if draft.plays_alone else of_seat[seat] != sides.bidding for seat in play.winners):
        points[SWEEP] = NOBODY
    elif play.is_over:
        points[SWEEP] = sides.bidding
    if play.is_over:
        stocked = not table.sees_buried and len(placed) < table.dealt
        draft = replace(draft, placed={}, rest=STOCK if stocked else None)
    return replace(
        draft,
        placed={**draft.placed, **placed},
        played_by={**draft.played_by, **players},
        points={**draft.points, **points},
    )


# --- the page -----------------------------------------------------------------------------------------------------


class PlayTile(NamedTuple):
    """A card to be played: `gone` when it has been or lies buried, `unlikely` when its player has shown to be void."""

    card: Card
    gone: bool
    unlikely: bool
    trump: bool


class Place(NamedTuple):
    """One place of a trick: who plays there, and the card that lies there already."""

    name: str
    unit: str
    card: Card | None
    turn: bool
    wins: bool


class TrickLine(NamedTuple):
    """An earlier trick; `back` is how many cards had been played when it began."""

    number: int
    winner: str
    unit: str
    cards: tuple[tuple[Place, Card], ...]
    back: int


class Revoke(NamedTuple):
    """What a card shows of an earlier one: a sentence, and how many cards to go back to."""

    sentence: str
    number: int
    back: int


class Playing:
    """What the page shows of the play; `tried` is a card that could not be."""

    def __init__(self, draft: Draft, narrator: Narrator, tried: Card | None = None) -> None:
        self.table, self.draft, self.play = draft.table, draft, draft.play
        self.narrator, self.tried = narrator, tried
        self.is_over = draft.play_is_over
        self.leads_trump = lead_makes_trump(self.table)

    @property
    def says(self) -> str:
        """Where the play is."""
        if self.draft.bidder is None:
            return "The bidder leads"
        if self.play is None:
            if self.draft.plays:
                return say.JOKER_LED
            leader = self.narrator.seat(self.draft.bidder)
            return f"{leader}’s first card sets trump" if self.leads_trump else say.WHAT_IS_TRUMP
        return say.ALL_PLAYED if self.is_over else _turn(self.play, self.narrator)

    @property
    def asks_trump(self) -> bool:
        """Whether a joker has been led, so that the bidder has to say what is trump."""
        return self.leads_trump and len(self.draft.plays) == 1 and self.draft.plays[0] in JOKERS

    @property
    def hint(self) -> str:
        """What the next player has to do."""
        play = self.play
        if play is None or self.is_over or play.led is None:
            return ""
        if self.table.short_tricks:
            return say.TRUMPS_ONLY
        must_follow = play.led == play.trump.suit or play.trump.follow == "follow"
        return (say.FOLLOW_SUIT if must_follow else say.FOLLOW_OR_TRUMP).format(SUIT_NAMES[play.led].capitalize())

    @property
    def out(self) -> tuple[str, str] | None:
        """The step that takes the next player out, who has no trump left, and what its button says."""
        play = self.play
        if play is None or not self.table.short_tricks or self.is_over or not play.player_of:
            return None
        return out_step(play.to_play), f"{self.narrator.seat(play.to_play)} has no trump"

    @cached_property
    def revoke(self) -> Revoke | None:
        """The revoke that the card tried has brought to light."""
        play, tried = self.play, self.tried
        shown = play.revoked(tried) if play and tried else None
        if play is None or tried is None or shown is None:
            return None
        suit, trick = SUIT_NAMES[play.trump.suit_of[tried]], shown.trick + 1
        told = self.narrator.seat(play.to_play), suit.removesuffix("s"), card_sign(tried), card_sign(shown.card)
        back = shown.trick * self.table.players + shown.place
        return Revoke(say.REVOKED.format(*told, suit, trick), trick, back)

    @property
    def places(self) -> list[Place]:
        """The trick on the table, from its leader on; between two tricks, the last one."""
        play, winner = self.play, None
        if play is None:
            leader = self.draft.bidder or 1
            card_of: Mapping[Seat, Card] = dict(zip((leader,), self.draft.plays, strict=False))
        else:
            leader, cards = play.leader, play.current
            if play.tricks and not play.current:
                leader, cards, winner = play.tricks[-1].lead or 1, play.tricks[-1].cards, play.winners[-1]
            card_of = {play.player_of[card]: card for card in cards}
        return [self._place(seat, card_of.get(seat), winner) for seat in self.table.seats_from(leader)]

    def _place(self, seat: Seat, card: Card | None, winner: Seat | None) -> Place:
        turn = card is None and self.play is not None and not self.is_over and self.play.to_play == seat
        return Place(self.narrator.seat(seat), self.table.unit_of[seat], card, turn, winner == seat)

    @property
    def tricks(self) -> list[TrickLine]:
        """The tricks that were won, the latest first."""
        play, lines = self.play, list[TrickLine]()
        if play is None:
            return []
        for trick, winner in zip(play.tricks, play.winners, strict=True):
            places = tuple((self._place(play.player_of[card], card, winner), card) for card in trick.cards)
            back, unit = self.draft.plays.index(trick.cards[0]), self.table.unit_of[winner]
            lines.append(TrickLine(len(lines) + 1, self.narrator.seat(winner), unit, places, back))
        return lines[::-1]

    @property
    def tiles(self) -> list[PlayTile]:
        """The cards that can be played at all: where only trumps are, those, from the top."""
        play, gone = self.play, {*self.draft.plays, *self.draft.buried}
        if play is None:
            return [PlayTile(card, card in gone, unlikely=False, trump=False) for card in self.table.deck]
        only_trumps = self.table.short_tricks and not (self.leads_trump and not self.draft.plays)
        return [
            PlayTile(
                card,
                is_gone := self.is_over or card in gone,
                not is_gone and play.revoked(card) is not None,
                card in play.trump.trumps,
            )
            for card in (play.trump.order if only_trumps else self.table.deck)
        ]

"""Entering a hand by its play: the cards of each trick in order, from which everything else follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorekeeper.models import PLAY
from scorekeeper.scoring.cards import JOKERS, SUIT_NAMES, Card
from scorekeeper.scoring.play import Trick, is_out_step, out_step
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.words import card_sign

from .draft import ALONE, NOBODY, PROMPTS, SWEEP, Draft

JOKER_LED, ALL_PLAYED = "A joker was led. What is trump?", "All tricks played"


def apply_play(draft: Draft) -> Draft:
    """Derive trump from the first lead, and the partner from the called card.

    Later taps win: a trump other than the one led clears the play, a buried card truncates it.
    """
    cut = next((place for place, card in enumerate(draft.plays) if card in draft.buried), None)
    if cut is not None:
        told = f"{card_sign(draft.plays[cut]).capitalize()} is buried now, so it and later cards were cleared."
        draft = replace(draft, plays=draft.plays[:cut]).with_notices(told)
    led = led_trump(draft.base, draft.plays)
    if led is not None and draft.trump not in (None, led):
        told = f"Trump is {SUIT_NAMES[draft.trump or '']} now, so the cards played were cleared."
        return replace(draft, plays=()).with_notices(told)
    draft = replace(draft, trump=led or draft.trump)
    play, table = draft.play, draft.table
    if play is None or not table.calls_partner or draft.called is None or draft.detail != PLAY:
        return draft
    holder = play.player_of.get(draft.called)
    if holder is None:
        is_alone = play.is_over and not (table.short_tricks and draft.called not in play.trump.trumps)
        return replace(draft, partner=ALONE) if is_alone else draft
    return replace(draft, partner=ALONE if holder == draft.bidder else holder)


def lead_makes_trump(table: Table) -> bool:
    return table.rules.trump.by == "lead"


def led_trump(table: Table, plays: Sequence[Card]) -> str | None:
    """The suit that the first lead makes trump; None if it does not, or if a joker was led and the bidder chooses."""
    if not lead_makes_trump(table) or not plays or plays[0] in JOKERS or is_out_step(plays[0]):
        return None
    return plays[0][1]


def add(draft: Draft, card: Card) -> Draft:
    """Play a card, and the last one too if only that is left.

    An invalid card adds a notice; one that reveals a revoke is stored as `tried`.
    """
    if why := _step_problem(draft, card):
        return draft.with_notices(why)
    if draft.play is not None and draft.play.revoked(card) is not None:
        return replace(draft, tried=card)
    led = led_trump(draft.base, (*draft.plays, card))
    if led is not None and draft.trump not in (None, led):
        draft = draft.with_notices(f"{card_sign(card)} was led, so trump is {SUIT_NAMES[led]}.")
    return _with_last_card(replace(draft, plays=(*draft.plays, card), trump=led or draft.trump))


def _with_last_card(draft: Draft) -> Draft:
    """Append the last card if all others are played or buried, unless it reveals a revoke.

    With short tricks, all players are out once every trump has been played.
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
    told = f"{card_sign(left[0]).capitalize()} was the only card left."
    return replace(draft, plays=(*draft.plays, *left)).with_notices(told)


def _step_problem(draft: Draft, step: Card) -> str:
    """Why a card, or a player's being out of trumps, cannot come next; empty if it can."""
    play, table = draft.play, draft.table
    if draft.bidder is None:
        return "Who bid? Tap a name first: the bidder leads."
    if step in draft.plays or step in draft.buried:
        return f"{card_sign(step).capitalize()} is {'buried' if step in draft.buried else 'already played'}."
    if not draft.plays and led_trump(table, (step,)):
        return ""
    if play is None:
        if draft.plays:
            return JOKER_LED
        return "" if lead_makes_trump(table) else PROMPTS["trump"]
    if play.is_over:
        return ALL_PLAYED
    if is_out_step(step):
        is_next = table.short_tricks and step == out_step(play.to_play) and play.player_of
        return "" if is_next else "Another player is next."
    return "Only trumps are played." if table.short_tricks and step not in play.trump.trumps else ""


def missing(draft: Draft, narrator: Narrator) -> str:
    """Prompt for the next card; empty if it is over or trump must be named first."""
    play = draft.play
    if play is None:
        return "" if draft.bidder is None or draft.plays else f"Trick 1: {narrator.seat(draft.bidder)} to lead"
    if play.is_over:
        return ""
    return f"Trick {len(play.tricks) + 1}: {narrator.seat(play.to_play)} to {'play' if play.current else 'lead'}"


def played(draft: Draft) -> dict[str, object]:
    """The tricks in the format of the game record; the last may be incomplete."""
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
    """Convert the tricks won to piles, with what else the play shows: who played which card and who won what."""
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
    draft = draft.with_piles(placed) if play.is_over else replace(draft, placed={**draft.placed, **placed})
    return replace(draft, played_by={**draft.played_by, **players}, points={**draft.points, **points})


# --- the page -----------------------------------------------------------------------------------------------------


class Playing:
    """Data of the play on the page."""

    def __init__(self, draft: Draft, narrator: Narrator) -> None:
        self.table, self.draft, self.play, self.narrator = draft.table, draft, draft.play, narrator
        self.is_over = draft.play_is_over
        self.turn = None if self.play is None or self.is_over else self.play.to_play
        self.leads_trump = lead_makes_trump(self.table)

    @property
    def says(self) -> str:
        """State of the play."""
        if self.draft.bidder is None:
            return "The bidder leads"
        if self.play is None:
            if self.draft.plays:
                return JOKER_LED
            leader = self.narrator.seat(self.draft.bidder)
            return f"{leader}’s first card sets trump" if self.leads_trump else "What is trump?"
        return missing(self.draft, self.narrator) or ALL_PLAYED

    @property
    def asks_trump(self) -> bool:
        """True if a joker was led, so that the bidder must name trump."""
        return self.leads_trump and len(self.draft.plays) == 1 and self.draft.plays[0] in JOKERS

    @property
    def out(self) -> tuple[str, str] | None:
        """The step that marks the next player as out of trumps, and its button's label; None if not possible."""
        play = self.play
        if play is None or not self.table.short_tricks or self.is_over or not play.player_of:
            return None
        return out_step(play.to_play), f"{self.narrator.seat(play.to_play)} has no trump"

    @property
    def revoke(self) -> tuple[str, int, int] | None:
        """The revoke that the tried card reveals: (sentence, trick, number of cards to go back to); None if none."""
        play, tried = self.play, self.draft.tried
        shown = play.revoked(tried) if play and tried else None
        if play is None or tried is None or shown is None:
            return None
        suit, trick, seat = SUIT_NAMES[play.trump.suit_of[tried]], shown.trick + 1, self.narrator.seat(play.to_play)
        said = f"{seat} has a {suit.removesuffix('s')} ({card_sign(tried)}), but played {card_sign(shown.card)}"
        back = shown.trick * self.table.players + shown.place
        return f"{said} when {suit} were led in trick {trick}.", trick, back

    @property
    def on_table(self) -> tuple[dict[Seat, Card | None], Seat | None]:
        """The trick on the table: card by seat, leader first, and its winner once complete.

        Between two tricks, the previous one.
        """
        play, winner = self.play, None
        leader, cards = self.draft.bidder or 1, tuple(card for card in self.draft.plays[:1] if not is_out_step(card))
        if play is not None and play.tricks and not play.current:
            leader, cards, winner = play.tricks[-1].lead or 1, play.tricks[-1].cards, play.winners[-1]
        elif play is not None:
            leader, cards = play.leader, tuple(play.current)
        card_of = {play.player_of[card] if play else leader: card for card in cards}
        return {seat: card_of.get(seat) for seat in self.table.seats_from(leader)}, winner

    @property
    def tricks(self) -> list[tuple[Trick, Seat]]:
        """Completed tricks with their winners, newest first."""
        return [*zip(self.play.tricks, self.play.winners, strict=True)][::-1] if self.play else []

    @property
    def tiles(self) -> list[tuple[Card, bool, bool, bool]]:
        """Playable cards; with short tricks only trumps, from the top.

        For each: gone (played or buried), unlikely (its player has shown to be void), and trump.
        """
        play, gone = self.play, {*self.draft.plays, *self.draft.buried}
        if play is None:
            return [(card, card in gone, False, False) for card in self.table.deck]
        only_trumps = self.table.short_tricks and not (self.leads_trump and not self.draft.plays)
        trumps, cards = play.trump.trumps, play.trump.order if only_trumps else self.table.deck
        return [
            (card, (out := self.is_over or card in gone), not out and play.revoked(card) is not None, card in trumps)
            for card in cards
        ]

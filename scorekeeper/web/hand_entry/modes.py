"""The ways of putting a hand in, and how what is known in one of them is carried to another.

A hand is put in by its points, by its cards or by its play, and its bidding either as it ended or seat by seat. Each
way has a module of its own; here is what they have in common: a draft that is followed to where it leads, what it
still lacks, and the facts that it comes to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.models import CARDS, PLAY, POINTS
from scorekeeper.scoring.facts import Hand
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.hand_record import read_hand
from scorekeeper.scoring.play_so_far import steps_of
from scorekeeper.scoring.table import Sides, Table
from scorekeeper.web.common.narrator import Narrator

from . import auction, cards, play, points
from . import messages as say
from .draft import NOBODY, SWEEP, Draft
from .form import missing as missing_call

Gaps = dict[str, list[str]]


def follow(table: Table, draft: Draft, was: str | None = None) -> Draft:
    """The draft with what follows from its calls and its play, carried over from the way it `was` put in."""
    table = draft.table_of(table)
    if draft.calls:
        draft = auction.settled_by(table, draft)
    if draft.plays:
        tapped, draft = draft.partner, play.settled_by(table, draft)
        if was not in (None, PLAY) and tapped is not None and draft.partner != tapped:
            draft = draft.telling(say.PLAY_SHOWS_PARTNER)
    return carry(table, draft, was) if was and was != draft.detail else draft


def carry(table: Table, draft: Draft, was: str) -> Draft:
    """What was known in one way, known in another; what the new way cannot hold is kept for the way back."""
    played = play.as_piles(table, draft)
    if draft.detail == PLAY:
        known = {card for card, side in played.placed.items() if draft.placed.get(card) == side and card in draft.plays}
        left = {card: side for card, side in draft.placed.items() if card not in known}
        draft = _at_odds(table, draft, played) if was == POINTS and draft.plays else draft
        return replace(draft, placed=left)
    if was == POINTS:
        draft = cards.from_points(table, draft)
        return _at_odds(table, draft, draft)
    draft = played if was == PLAY else draft
    if draft.detail == CARDS:
        return draft
    return cards.as_points(table, draft, complete=was == PLAY and play.is_over(table, draft))


def _at_odds(table: Table, draft: Draft, known: Draft) -> Draft:
    """The draft, which says of which points the cards known decide otherwise than was tapped."""
    decided = cards.as_points(table, known, complete=known.detail == PLAY and play.is_over(table, known)).points
    game = points.Points(table, draft).game
    counted = {table.game_key or "": game.side or NOBODY} if game else {}
    tapped = {**draft.points, **counted}
    odd = [key for key in (*table.points, SWEEP) if key in tapped and decided.get(key, tapped[key]) != tapped[key]]
    return draft.telling(say.cards_decide(odd)) if odd else draft


def missing(table: Table, draft: Draft, narrator: Narrator) -> Gaps:
    """What has to be put in before the hand can be saved, place by place, in the order of the page."""
    table = draft.table_of(table)
    gaps = missing_call(table, draft)
    if draft.by_seat:
        if auction.all_passed(table, draft):
            return {}
        if auction.is_unfinished(table, draft):
            gaps = {"auction": [auction.Bidding(table, draft, narrator).says], **gaps}
            gaps.pop("bidder", None), gaps.pop("bid", None)
    if draft.detail == CARDS:
        return gaps | cards.missing(table, draft)
    return gaps | play.missing(table, draft, narrator) if draft.detail == PLAY else gaps


def facts_of(table: Table, draft: Draft) -> dict[str, Any]:
    """The hand as the game record has it; what is not known yet is left out."""
    table = draft.table_of(table)
    if draft.by_seat and auction.all_passed(table, draft):
        return {"dealer": draft.dealer, "bids": auction.bids_of(table, draft)} | _note(draft)
    facts: dict[str, Any] = {"dealer": draft.dealer, **_contract(table, draft), "trump": draft.trump}
    if table.calls_partner:
        facts["called"] = draft.called
        if draft.detail != PLAY or draft.called is None or (table.short_tricks and draft.called not in draft.plays):
            facts["partner"] = draft.partner if isinstance(draft.partner, int) else None
    if draft.buried:
        facts["buried"] = list(draft.buried)
    facts |= _before_the_play(draft)
    facts |= {POINTS: points.claimed, CARDS: cards.piled, PLAY: play.played}[draft.detail](draft, table)
    facts |= _note(draft)
    return {key: value for key, value in facts.items() if value is not None or key == "partner"}


def _before_the_play(draft: Draft) -> dict[str, Any]:
    """What was turned up, and the gift."""
    turned = {"turned_up": list(draft.turned)} if draft.turned else {}
    return {**turned, "gift": True} if draft.beg == "gift" else turned


def _note(draft: Draft) -> dict[str, str]:
    return {"note": draft.note} if draft.note else {}


def _contract(table: Table, draft: Draft) -> dict[str, Any]:
    if draft.eldest_leads:
        return {}
    if draft.by_seat and draft.calls:
        return {"bids": auction.bids_of(table, draft)}
    return {"bidder": draft.bidder, "bid": draft.bid}


def passed_out(table: Table, draft: Draft, *, misdeal: bool = False) -> dict[str, Any]:
    """The facts of a hand in which everybody passed; without bidding, of one that was not played."""
    if misdeal:
        return {"dealer": draft.dealer, "misdeal": True} | _note(draft)
    if draft.eldest_leads:
        return {"dealer": draft.dealer} | _before_the_play(draft) | _note(draft)
    seats = table.seats_from(table.next_seat(draft.dealer))
    return {"dealer": draft.dealer, "bids": [{"seat": seat, "bid": auction.PASS} for seat in seats]} | _note(draft)


def reopen(table: Table, facts: Mapping[str, Any], score: HandScore) -> Draft:
    """A saved hand, opened again in the way in which it was put in, complete."""
    hand = read_hand(facts, table)
    draft = Draft.from_facts(facts, score)
    draft = replace(draft, bid=auction.named(table, score.bid), detail=_detail(hand)).at(table)
    table = draft.table_of(table)
    if hand.bids is not None:
        draft = replace(draft, by_seat=True, calls=tuple(call.bid for call in hand.bids))
    if score.sides is not None:
        draft = _captures(table, draft, hand, score.sides)
    known = points.Points(table, draft)
    draft = replace(draft, points={key: side for key, side in draft.points.items() if not known.is_buried(key)})
    return follow(table, _with_sweep(table, draft, hand, score))


def _captures(table: Table, draft: Draft, hand: Hand, sides: Sides) -> Draft:
    """Who took what, as it was told: points, card points, piles or the play."""
    if hand.piles is not None:
        return cards.reopened(table, draft, hand, sides)
    if hand.tricks is not None:
        trump = table.trumps[hand.trump or ""]
        return replace(draft, plays=steps_of(table, trump, hand.tricks, draft.bidder or 1))
    counts = {sides.aliases[side]: count for side, count in (hand.game_counts or {}).items()}
    told = dict(draft.points)
    if table.game_key is not None and not counts:  # a tie is nobody's, whomever the rules give it to
        told[table.game_key] = sides.claimants[(hand.claims or {}).get(table.game_key)] or NOBODY
    players = {key: sides.aliases[side] for key, side in (hand.played_by or {}).items()}
    return replace(draft, points=told, counts=counts, played_by=players)


def _with_sweep(table: Table, draft: Draft, hand: Hand, score: HandScore) -> Draft:
    """The draft with who won every trick, where a bid asked for it or the record says it."""
    if draft.needs_sweep(table):
        swept = not {"every-trick", "every-trick-alone"}.intersection(score.missed)
    elif hand.sweep is not None and score.sides is not None:
        swept = score.sides.aliases[hand.sweep] == score.bidding_side
    else:
        return draft
    return replace(draft, points={**draft.points, SWEEP: (score.bidding_side if swept else None) or NOBODY})


def _detail(hand: Hand) -> str:
    if hand.tricks is not None:
        return PLAY
    return POINTS if hand.piles is None else CARDS


def as_form(kept: Mapping[str, Sequence[str]]) -> MultiDict[str, str]:
    """What was kept of a form, as if it were posted."""
    return MultiDict({name: list(values) for name, values in kept.items()})


def words_of(draft: Draft) -> dict[str, str]:
    """The steps of a draft as the page's hidden fields hold them."""
    calls = " ".join(auction.PASS if bid is None else str(bid) for bid in draft.calls)
    return {"calls": calls, "plays": " ".join(draft.plays)}

"""Warnings: facts of a hand that look wrong but may be right. Shown once; saving again accepts them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import NamedTuple

from sqlalchemy import exists, select
from sqlalchemy.orm import selectinload

from scorekeeper.database.session import db
from scorekeeper.models import ABANDONED, Facts, Game, GameCount, Result
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.points import NOT_CAPTURED, NOT_DEALT, game_total
from scorekeeper.scoring.record import ranks_turned_up
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.words import listed

GAMES_BACK = 10  # unfinished games that are replayed


class HandToSave(NamedTuple):
    """A complete hand about to be saved, with the context the checks need.

    `narrator` is called only for a warning. `touched` is true if any point was tapped; `turn` is the player expected to
    deal, None if not checked. `best` returns the highest bid made this year, or None.
    """

    table: Table
    narrator: Callable[[], Narrator]
    facts: Facts
    score: HandScore
    touched: bool = True
    turn: Seat | None = None
    best: Callable[[], int | None] = lambda: None


def find_warnings(case: HandToSave) -> list[tuple[str, str]]:
    """All warnings as (code, sentence), most likely mistakes first."""
    return [(code, sentence) for code, look in CHECKS.items() for sentence in look(case)]


def _untouched(case: HandToSave) -> Iterator[str]:
    """All points went to the bidding side by default, and nothing else shows who took them."""
    if "claims" in case.facts and "game_counts" not in case.facts and not case.touched:
        took = case.score.earned[case.score.bidding_side or ""]
        yield f"Did {case.narrator().bidders(case.score)} take all {took}?"


def _unusually_high(case: HandToSave) -> Iterator[str]:
    """A bid that took nothing and would have been the year's highest."""
    score = case.score
    if score.bid is None or score.earned[score.bidding_side or ""]:
        return
    best = case.best()
    if best is not None and score.bid > best:
        bid = case.narrator().bid
        yield f"Was the bid really {bid(score.bid)}? The highest bid made this year is {bid(best)}."


def _dealt(case: HandToSave) -> Iterator[str]:
    """Points nobody has although their card was dealt, or a player searched the undealt cards for it."""
    robber = case.table.rules.deck.rob
    for key in case.table.card_points if "claims" in case.facts else ():
        point, name = case.score.points[key], case.table.points[key].name
        if point.side is None and (point.why == NOT_CAPTURED or case.table.dealt == len(case.table.deck)):
            yield f"{name} was dealt. Who took it?"
        elif point.side is None and robber != "nobody" and point.why == NOT_DEALT:
            yield f"The {robber} went through the deck. Did nobody have {name}?"


def _turned(case: HandToSave) -> Iterator[str]:
    """A point a side has although its card was turned up for trump, so that it was in no hand."""
    ranks, trump = ranks_turned_up(case.facts.get("turned_up")), case.facts.get("trump")
    if not ranks or trump is None:
        return
    for key, card in case.table.trumps[trump].literal.items():
        if card == f"{ranks[-1]}{trump}" and case.score.points[key].side is not None:
            yield f"{case.table.points[key].name} was turned up, so nobody had it. Tap none."


def _buried(case: HandToSave) -> Iterator[str]:
    """Some of the buried cards, but not all."""
    tapped, buried = len(case.facts.get("buried", ())), case.table.buried
    if 0 < tapped < buried:
        yield f"{tapped} of {buried} buried cards tapped."


def _too_many(case: HandToSave) -> Iterator[str]:
    """More cards that nobody has than were undealt."""
    named, buried = case.table.trumps[case.facts["trump"]].literal, case.facts.get("buried", ())
    left = len(case.table.deck) - case.table.dealt
    missing = [key for key, point in case.score.points.items() if point.side is None and key in named]
    gone = {*buried, *(named[key] for key in missing)}
    if "claims" in case.facts and len(buried) < left < len(gone):
        somebodys = listed(case.table.rules.called(key for key in missing if named[key] not in buried), " or ")
        were = "Only 1 card was" if left == 1 else f"Only {left} cards were" if left else "No cards were"
        yield f"{were} {'buried' if case.table.sees_buried else 'not dealt'}, so somebody took {somebodys}."


def _counts(case: HandToSave) -> Iterator[str]:
    """Card points that do not add up to those dealt."""
    counts, total = case.score.counts, game_total(case.table, case.facts.get("buried", ()))
    if "game_counts" in case.facts and counts is not None and total is not None and sum(counts.values()) != total:
        yield f"The card points add up to {sum(counts.values())}, but {total} were dealt."


def _dealer(case: HandToSave) -> Iterator[str]:
    if case.turn not in (None, case.score.dealer):
        seat = case.narrator().seat
        yield f"It was {seat(case.turn or 0)}’s turn to deal, not {seat(case.score.dealer)}’s."


CHECKS = {
    "counts": _counts,
    "dealt": _dealt,
    "turned": _turned,
    "buried": _buried,
    "too-many": _too_many,
    "bold": _unusually_high,
    "untouched": _untouched,
    "dealer": _dealer,
}
CODES = (*CHECKS, "seats")  # "seats": reported by a hand queued on a phone


# --- the club's history -------------------------------------------------------------------------------------------


def best_bid_made(game: Game, position: int) -> int | None:
    """Highest bid made this year, without the hand at `position`; None if there is none.

    Finished games are read from their stored counts; of the others, only the latest are replayed.
    """
    year = date(game.played.year, 1, 1), date(game.played.year, 12, 31)
    others = Game.club_id == game.club_id, Game.played.between(*year), Game.id != game.id
    counted = select(GameCount.bids).join(Game, Game.id == GameCount.game_id).where(*others, GameCount.credit == "")
    is_finished = exists().where(Result.game_id == Game.id)
    unfinished = select(Game).where(*others, Game.state != ABANDONED, Game.paper.is_(None), ~is_finished)
    latest = unfinished.order_by(Game.number.desc()).limit(GAMES_BACK).options(selectinload(Game.hands))
    made = _made(hand for number, hand in enumerate(game.score.hands, 1) if number != position)
    for bids in db.session.scalars(counted):
        made += [int(bid) for bid, (_, made_of_it, *_) in bids.items() if made_of_it]
    for other in db.session.scalars(latest):
        made += _made(other.score.hands)
    return max(made, default=None)


def _made(hands: Iterable[HandScore]) -> list[int]:
    return [hand.bid for hand in hands if hand.made and hand.bid is not None]

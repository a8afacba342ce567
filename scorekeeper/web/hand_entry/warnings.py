"""Warnings: what looks wrong with a hand but may be right. Shown once, then the hand is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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

from . import messages as say

GAMES_BACK = 10  # of those that are not finished, how many are replayed


class HandWarning(NamedTuple):
    code: str
    sentence: str


@dataclass(frozen=True)
class HandToSave:
    """A complete hand about to be saved, and what there is to hold against it.

    `speaker` gives the narrator, and is asked only where there is something to say. `touched` tells whether any point
    was tapped; `turn` whose deal it is, None where that is not asked. `best` looks for the highest bid made this year,
    None when none was.
    """

    table: Table
    speaker: Callable[[], Narrator]
    facts: Facts
    score: HandScore
    touched: bool = True
    turn: Seat | None = None
    best: Callable[[], int | None] = lambda: None

    @property
    def narrator(self) -> Narrator:
        return self.speaker()


def find_warnings(case: HandToSave) -> list[HandWarning]:
    """All that looks wrong, the likeliest mistake first."""
    return [HandWarning(code, sentence) for code, look in LOOKS.items() for sentence in look(case)]


def _untouched(case: HandToSave) -> Iterator[str]:
    """Every point still goes to the bidding side, as at the start, and nothing else shows who took them."""
    if "claims" in case.facts and "game_counts" not in case.facts and not case.touched:
        yield say.TOOK_ALL.format(case.narrator.bidders(case.score), case.score.earned[case.score.bidding_side or ""])


def _bold(case: HandToSave) -> Iterator[str]:
    """A bid that took nothing, and that would have been the year's highest."""
    score = case.score
    if score.bid is None or score.earned[score.bidding_side or ""]:
        return
    best = case.best()
    if best is not None and score.bid > best:
        yield say.BOLD_BID.format(case.narrator.bid(score.bid), case.narrator.bid(best))


def _dealt(case: HandToSave) -> Iterator[str]:
    """Points that nobody has, although their card was dealt, or a player looked for it among all that was not."""
    robber = case.table.rules.deck.rob
    for key in case.table.card_points if "claims" in case.facts else ():
        point, name = case.score.points[key], case.table.points[key].name
        if point.side is None and (point.why == NOT_CAPTURED or case.table.dealt == len(case.table.deck)):
            yield say.WAS_DEALT.format(name)
        elif point.side is None and robber != "nobody" and point.why == NOT_DEALT:
            yield say.WAS_DRAWN.format(robber, name)


def _turned(case: HandToSave) -> Iterator[str]:
    """A point that somebody has although its card was turned up for trump, and so was in nobody's hand."""
    ranks, trump = ranks_turned_up(case.facts.get("turned_up")), case.facts.get("trump")
    if not ranks or trump is None:
        return
    for key, card in case.table.trumps[trump].literal.items():
        if card == f"{ranks[-1]}{trump}" and case.score.points[key].side is not None:
            yield say.WAS_TURNED_UP.format(case.table.points[key].name)


def _buried(case: HandToSave) -> Iterator[str]:
    """Some of the buried cards, and not all."""
    tapped, buried = len(case.facts.get("buried", ())), case.table.buried
    if 0 < tapped < buried:
        yield say.FEWER_BURIED.format(buried, tapped)


def _too_many(case: HandToSave) -> Iterator[str]:
    """More cards that nobody has than can lie among those that were not dealt."""
    named, buried = case.table.trumps[case.facts["trump"]].literal, case.facts.get("buried", ())
    left = len(case.table.deck) - case.table.dealt
    missing = [key for key, point in case.score.points.items() if point.side is None and key in named]
    gone = {*buried, *(named[key] for key in missing)}
    if "claims" in case.facts and len(buried) < left < len(gone):
        somebodys = listed(case.table.rules.called(key for key in missing if named[key] not in buried), "or")
        were = "Only 1 card was" if left == 1 else f"Only {left} cards were" if left else "No cards were"
        yield say.TOO_MANY_GONE.format(were, "buried" if case.table.sees_buried else "not dealt", somebodys)


def _counts(case: HandToSave) -> Iterator[str]:
    """Game counts that leave some of what was dealt to nobody."""
    counts, total = case.score.counts, game_total(case.table, case.facts.get("buried", ()))
    if "game_counts" in case.facts and counts is not None and total is not None and sum(counts.values()) != total:
        yield say.COUNTS_DIFFER.format(sum(counts.values()), total)


def _dealer(case: HandToSave) -> Iterator[str]:
    if case.turn not in (None, case.score.dealer):
        yield say.NOT_THE_DEALER.format(case.narrator.seat(case.turn or 0), case.narrator.seat(case.score.dealer))


LOOKS = {
    "counts": _counts,
    "dealt": _dealt,
    "turned": _turned,
    "buried": _buried,
    "too-many": _too_many,
    "bold": _bold,
    "untouched": _untouched,
    "dealer": _dealer,
}
CODES = (*LOOKS, "seats")  # the last of which hands name that have waited on a phone since it was asked


# --- what a club is used to ---------------------------------------------------------------------------------------


def best_made(game: Game, position: int) -> int | None:
    """The highest bid that any hand of this year has made, but for the hand at `position`; None when none has.

    What finished games come to is read from what was counted of them; of other games the latest are replayed.
    """
    year = date(game.played.year, 1, 1), date(game.played.year, 12, 31)
    counted = select(GameCount.bids).join(Game, Game.id == GameCount.game_id)
    counted = counted.where(Game.club_id == game.club_id, Game.played.between(*year), Game.id != game.id)
    unfinished = select(Game).where(
        Game.club_id == game.club_id,
        Game.played.between(*year),
        Game.state != ABANDONED,
        Game.paper.is_(None),
        Game.id != game.id,
        ~exists().where(Result.game_id == Game.id),
    )
    latest = unfinished.order_by(Game.number.desc()).limit(GAMES_BACK).options(selectinload(Game.hands))
    made = _made(hand for number, hand in enumerate(game.score.hands, 1) if number != position)
    for bids in db.session.scalars(counted.where(GameCount.credit == "")):
        made += [int(bid) for bid, (_, made_of_it, *_) in bids.items() if made_of_it]
    for other in db.session.scalars(latest):
        made += _made(other.score.hands)
    return max(made, default=None)


def _made(hands: Iterable[HandScore]) -> list[int]:
    return [hand.bid for hand in hands if hand.made and hand.bid is not None]

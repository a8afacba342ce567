"""Warnings: what looks wrong with a hand but may be right. Shown once, then the hand is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from sqlalchemy import exists, select
from sqlalchemy.orm import selectinload

from scorekeeper.database.session import db
from scorekeeper.models import ABANDONED, Facts, Game, Result
from scorekeeper.models import Seat as SeatAtTable
from scorekeeper.scoring.game_point import NOT_CAPTURED, game_total
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.hand_record import ranks_turned_up
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.stats.detail import BID, of_kind
from scorekeeper.web.common.narrator import Narrator

from . import messages as say

GAMES_BACK = 10  # how far back one looks for the same people
UNTOUCHED, BOLD, DEALT, TURNED, TOO_MANY, COUNTS, DEALER, SEATS = CODES = (
    "untouched", "bold", "dealt", "turned", "too-many", "counts", "dealer", "seats",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandWarning:
    code: str
    sentence: str


@dataclass(frozen=True)
class Case:
    """A complete hand about to be saved, and what there is to hold against it.

    `touched` tells whether anybody has tapped a point; `turn` whose deal it is, None where nobody asks. `best` looks
    for the highest bid made this year, None when none was; `last_time` for who sat where when the same people played
    last, if they sat otherwise.
    """

    table: Table
    narrator: Narrator
    facts: Facts
    score: HandScore
    touched: bool = True
    turn: Seat | None = None
    best: Callable[[], int | None] = lambda: None
    last_time: Callable[[], Sequence[str] | None] = lambda: None

    @property
    def by_points(self) -> bool:
        """Whether the hand was entered by its points alone, so that nothing else shows who took them."""
        return "claims" in self.facts and "game_counts" not in self.facts


def find_warnings(case: Case) -> list[HandWarning]:
    """All that looks wrong, the likeliest mistake first."""
    return [warning for look in LOOKS for warning in look(case)]


def _untouched(case: Case) -> Iterator[HandWarning]:
    """Every point still goes to the bidding side, as at the start."""
    if case.by_points and not case.touched:
        taken = case.score.earned[case.score.bidding_side or ""]
        yield HandWarning(UNTOUCHED, say.took_all(case.narrator.bidders(case.score), taken))


def _bold(case: Case) -> Iterator[HandWarning]:
    """A bid that took nothing, and that would have been the year's highest."""
    score = case.score
    if score.bid is None or score.earned[score.bidding_side or ""]:
        return
    best = case.best()
    if best is not None and score.bid > best:
        yield HandWarning(BOLD, say.bold_bid(case.narrator.bid(score.bid), case.narrator.bid(best)))


def _dealt(case: Case) -> Iterator[HandWarning]:
    """Points that nobody has, although their card was dealt."""
    if "claims" not in case.facts:
        return
    for key in case.table.card_points:
        point = case.score.points[key]
        if point.side is None and (point.why == NOT_CAPTURED or case.table.dealt == len(case.table.deck)):
            yield HandWarning(DEALT, say.was_dealt(key))


def _turned(case: Case) -> Iterator[HandWarning]:
    """A point that somebody has although its card was turned up for trump, and so was in nobody's hand."""
    ranks, trump = ranks_turned_up(case.facts.get("turned_up")), case.facts.get("trump")
    if not ranks or trump is None:
        return
    for key, card in case.table.trumps[trump].literal.items():
        if card == f"{ranks[-1]}{trump}" and case.score.points[key].side is not None:
            yield HandWarning(TURNED, say.was_turned_up(key))


def _too_many(case: Case) -> Iterator[HandWarning]:
    """More cards that nobody has than can lie among those that were not dealt."""
    named, buried = case.table.trumps[case.facts["trump"]].literal, case.facts.get("buried", ())
    left = len(case.table.deck) - case.table.dealt
    missing = [key for key, point in case.score.points.items() if point.side is None and key in named]
    gone = {*buried, *(named[key] for key in missing)}
    if "claims" in case.facts and len(buried) < left < len(gone):
        somebodys = [key for key in missing if named[key] not in buried]
        yield HandWarning(TOO_MANY, say.too_many_gone(left, somebodys, buried=case.table.sees_buried))


def _counts(case: Case) -> Iterator[HandWarning]:
    """Game counts that leave some of what was dealt to nobody."""
    counts, total = case.score.counts, game_total(case.table, case.facts.get("buried", ()))
    if "game_counts" not in case.facts or counts is None or total is None:
        return
    if sum(counts.values()) != total:
        yield HandWarning(COUNTS, say.counts_differ(sum(counts.values()), total))


def _dealer(case: Case) -> Iterator[HandWarning]:
    dealt = case.score.dealer
    if case.turn not in (None, dealt):
        yield HandWarning(DEALER, say.not_the_dealer(case.narrator.seat(case.turn or 0), case.narrator.seat(dealt)))


def _seats(case: Case) -> Iterator[HandWarning]:
    """Somebody sits elsewhere than last time; the first seat of which that is true is enough to notice."""
    then, now = case.last_time(), case.narrator.names
    for seat, (before, here) in enumerate(zip(then or (), now, strict=False), 1):
        if before != here:
            yield HandWarning(SEATS, say.sat_elsewhere(before, seat, here))
            return


LOOKS = (_counts, _dealt, _turned, _too_many, _bold, _untouched, _dealer, _seats)


# --- what a club is used to ---------------------------------------------------------------------------------------


def best_made(game: Game, position: int) -> int | None:
    """The highest bid that any hand of this year has made, but for the hand at `position`; None when none has.

    What finished games come to is read from what was counted of them; of other games the latest are replayed.
    """
    own = (hand for number, hand in enumerate(game.score().hands, 1) if number != position)
    made = [*_made(own), *_made_in_finished(game), *_made_in_unfinished(game)]
    return max(made, default=None)


def _made(hands: Iterable[HandScore]) -> list[int]:
    return [hand.bid for hand in hands if hand.made and hand.bid is not None]


def _year(game: Game) -> tuple[date, date]:
    return date(game.played.year, 1, 1), date(game.played.year, 12, 31)


def _made_in_finished(game: Game) -> list[int]:
    counted = (
        select(Result.detail)
        .where(
            Result.club_id == game.club_id,
            Result.played.between(*_year(game)),
            Result.game_id != game.id,
            Result.made > 0,
        )
        .where(Result.credit == "")
    )
    bids = (of_kind(detail, BID) for detail in db.session.scalars(counted))
    return [int(bid) for kinds in bids for bid, counts in kinds.items() if counts.get("made")]


def _made_in_unfinished(game: Game) -> list[int]:
    finished = exists().where(Result.game_id == Game.id)
    games = select(Game).where(
        Game.club_id == game.club_id,
        Game.played.between(*_year(game)),
        Game.state != ABANDONED,
        Game.paper.is_(None),
        Game.id != game.id,
        ~finished,
    )
    latest = games.order_by(Game.number.desc()).limit(GAMES_BACK).options(selectinload(Game.hands))
    return [bid for other in db.session.scalars(latest) for bid in _made(other.score().hands)]


def seats_last_time(game: Game) -> list[str] | None:
    """Who sat where when the same people played last, unless they sit in the same order again."""
    now = [seat.player_id for seat in game.seats]
    seats = (
        select(SeatAtTable)
        .join(Game)
        .where(Game.club_id == game.club_id, Game.number < game.number, Game.players == game.players)
        .order_by(Game.number.desc(), SeatAtTable.number)
        .limit(GAMES_BACK * game.players)
    )
    for _, group in groupby(db.session.scalars(seats), key=lambda seat: seat.game_id):
        then = list(group)
        players = [seat.player_id for seat in then]
        if sorted(players) == sorted(now):
            return None if _is_turned(players, now) else [seat.player.name for seat in then]
    return None


def _is_turned(then: list[int], now: list[int]) -> bool:
    """Whether it is the same circle, counted from another chair."""
    return any(then[step:] + then[:step] == now for step in range(len(then)))

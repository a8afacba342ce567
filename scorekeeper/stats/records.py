"""Records: the highest, the longest, the furthest behind; worked out from results, and from hands where it takes them.

Whoever did it first holds a record.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Row, and_, select
from sqlalchemy.orm import selectinload

from scorekeeper.db import db
from scorekeeper.models import Change, Club, Game, Result, Seat
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore

from .counts import PlayerId
from .query import COLUMNS, Choice, chosen_games

MOST_GAMES = 5_000  # of more, the latest
MOST_REPLAYED = 1_000
CHUNK = 200
MOST_KEPT = 20_000
LAST_CHANGE = and_(Change.game_id == Game.id, Change.seq == Game.version)


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody did in a game: `players`, or, from the hands, those in `seats` (of that `hand`; 0: at the end)."""

    value: int
    played: date
    number: int
    players: tuple[PlayerId, ...] = ()
    seats: tuple[int, ...] = ()
    hand: int = 0
    since: int = 0  # of a streak, the game in which it began; of a comeback, the hand after which it did


@dataclass(frozen=True, slots=True)
class Best:
    """A record: who has it, and how often the same was done again."""

    deed: Deed
    times: int


Rows = Sequence[Row[Any]]


def best(deeds: Iterable[Deed], *, lowest: bool = False) -> Best | None:
    """The record among some deeds, which are in the order in which they were done."""
    found = list(deeds)
    if not found:
        return None
    value = (min if lowest else max)(deed.value for deed in found)
    same = [deed for deed in found if deed.value == value]
    return Best(same[0], len(same))


# --- from the results ---------------------------------------------------------------------------------------------


def results(club: Club, choice: Choice, most: int = MOST_GAMES) -> Rows:
    """The results of the latest games chosen, in the order in which they were played."""
    asked = [*chosen_games(club, choice), Result.forfeits == 0]
    places = select(Result.played, Result.number).where(*asked, Result.games == 1).distinct()
    latest = places.order_by(Result.played.desc(), Result.number.desc()).offset(most).limit(1)
    last_left_out = db.session.execute(latest).first()
    rows = select(*COLUMNS).where(*asked).order_by(Result.played, Result.number, Result.seat)
    if last_left_out:
        rows = rows.where(Result.played >= last_left_out.played)
        found = db.session.execute(rows).all()
        return [row for row in found if (row.played, row.number) > tuple(last_left_out)]
    return db.session.execute(rows).all()


def games_of(rows: Rows) -> list[list[Row[Any]]]:
    """The results game by game."""
    return [list(game) for _, game in groupby(rows, key=lambda row: row.game_id)]


def scores(rows: Rows) -> list[Deed]:
    """The final score of every side of every game."""
    return [deed for game in games_of(rows) for deed in _by_side(game, lambda row: row.points_for)]


def margins(rows: Rows) -> list[Deed]:
    """By how much each game was won, where one side alone won it; a tie that the bid decided has no margin."""
    won = ([row for row in game if row.won] for game in games_of(rows))
    deeds = [deed for game in won for deed in _by_side(game, lambda row: row.points_for - row.points_against)]
    return [deed for deed in deeds if deed.value > 0]


def _by_side(game: Rows, value: Callable[[Row[Any]], int]) -> list[Deed]:
    sides: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in game:
        if row.games:
            sides[row.unit].append(row)
    return [
        Deed(value(side[0]), side[0].played, side[0].number, tuple(row.player_id for row in side))
        for side in sides.values()
    ]


def sets(rows: Rows) -> list[Deed]:
    """How many bids were set in each game."""
    return _of_games(rows, lambda row: row.bids - row.made)


def lengths(rows: Rows) -> list[Deed]:
    """How many hands were bid in each game that has any."""
    return _of_games(rows, lambda row: row.bids)


def _of_games(rows: Rows, value: Callable[[Row[Any]], int]) -> list[Deed]:
    games = games_of(rows)
    deeds = [Deed(sum(map(value, game)), game[0].played, game[0].number) for game in games]
    return [deed for deed in deeds if deed.value]


def streaks(rows: Rows) -> list[Deed]:
    """Every run of two or more games that a player won alone or with partners; a tied game ends it."""
    found: list[Deed] = []
    by_player: dict[PlayerId, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        if row.games:
            by_player[row.player_id].append(row)
    for player, games in by_player.items():
        for won, run in groupby(games, key=lambda row: bool(row.won)):
            wins = list(run)
            if won and len(wins) > 1:
                last = wins[-1]
                found.append(Deed(len(wins), last.played, last.number, (player,), since=wins[0].number))
    return sorted(found, key=lambda deed: (deed.played, deed.number))


# --- from the hands -----------------------------------------------------------------------------------------------


class Deeds(NamedTuple):
    """What a game's hands give: the highest bid made, how far behind a winner was, the hands worth every point."""

    bid: Deed | None
    comeback: Deed | None
    whole: tuple[Deed, ...]


# A club's key, a game's uid and the token of its last change: an older copy of the database has no others for the same.
Kept = tuple[str, str, str | None]
_kept: dict[Kept, Deeds] = {}


def deeds(club: Club, choice: Choice, most: int = MOST_REPLAYED) -> list[Deeds]:
    """What was done in the latest games chosen. Each is replayed once and then kept until it changes."""
    found: list[Deeds] = []
    latest = _latest(club, choice, most)
    for first in range(0, len(latest), CHUNK):
        wanted = latest[first : first + CHUNK]
        _replay(club, [key for key in wanted if key not in _kept])
        found += [_kept[key] for key in wanted if key in _kept]
    for key in list(_kept)[: max(0, len(_kept) - MOST_KEPT)]:
        _kept.pop(key, None)
    return found


def _latest(club: Club, choice: Choice, most: int) -> list[Kept]:
    chosen = select(Result.game_id).where(*chosen_games(club, choice))
    games = select(Game.uid, Change.token).outerjoin(Change, LAST_CHANGE).where(Game.id.in_(chosen))
    rows = db.session.execute(games.order_by(Game.played.desc(), Game.number.desc()).limit(most))
    latest: list[Kept] = [(club.key, uid, token) for uid, token in rows]
    return latest[::-1]


def _replay(club: Club, missing: Sequence[Kept]) -> None:
    if not missing:
        return
    keys = {uid: (key, uid, token) for key, uid, token in missing}
    games = select(Game).where(Game.club_id == club.id, Game.uid.in_(keys))
    loading = selectinload(Game.hands), selectinload(Game.seats).joinedload(Seat.player)
    for game in db.session.scalars(games.options(*loading)):
        _kept[keys[game.uid]] = of_game(game)


def of_game(game: Game) -> Deeds:
    """What was done in a game."""
    score = game.score()
    bids = [(index, hand) for index, hand in enumerate(score.hands, 1) if hand.bidder]
    made = best(_of_bidder(game, index, hand, hand.bid or 0) for index, hand in bids if hand.made)
    whole = [_of_bidder(game, index, hand, _taken(hand)) for index, hand in bids if _took_all(hand)]
    return Deeds(made.deed if made else None, _comeback(game, score), tuple(whole))


def _of_bidder(game: Game, index: int, hand: HandScore, value: int) -> Deed:
    return Deed(value, game.played, game.number, seats=(hand.bidder or 0,), hand=index)


def _taken(hand: HandScore) -> int:
    return hand.earned[hand.bidding_side] if hand.bidding_side else 0


def _took_all(hand: HandScore) -> bool:
    """Whether the bidding side took every point that the rules have."""
    return bool(hand.points) and all(point.side == hand.bidding_side for point in hand.points.values())


def _comeback(game: Game, score: GameScore) -> Deed | None:
    """The winner's largest deficit to the best of the others, and after which hand it was."""
    found = best(
        Deed(_behind(hand, winner), game.played, game.number, seats=game.table.seats_of(winner), since=index)
        for index, hand in enumerate(score.hands, 1)
        for winner in score.winners
    )
    return found.deed if found and found.deed.value > 0 else None


def _behind(hand: HandScore, unit: str) -> int:
    return max(total for other, total in hand.totals.items() if other != unit) - hand.totals[unit]


class NotByGuests:
    """Leaves out what guests alone have done, and says who did the rest. Only games with a guest are looked at."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._guests = {player.name.casefold(): player.id for player in club.players if player.guest}
        self._with_guests = self._games(self._guests.values()) if self._guests else {}

    def _games(self, players: Iterable[PlayerId]) -> dict[int, Game]:
        theirs = select(Result.game_id).where(Result.player_id.in_(players))
        games = select(Game).where(Game.club_id == self._club.id, Game.id.in_(theirs))
        loading = selectinload(Game.hands), selectinload(Game.seats).joinedload(Seat.player)
        latest = games.order_by(Game.played.desc(), Game.number.desc()).limit(MOST_REPLAYED)
        return {game.number: game for game in db.session.scalars(latest.options(*loading))}

    def of(self, deeds: Iterable[Deed]) -> list[Deed]:
        return [deed for deed in deeds if deed.number not in self._with_guests or self.names_of(deed)]

    def names_of(self, deed: Deed) -> list[str]:
        """Who sat in a deed's seats, but for guests."""
        game = self._with_guests.get(deed.number) or self._game(deed.number)
        names = game.names_at(deed.hand or len(game.hands))
        return [names[seat - 1] for seat in deed.seats if names[seat - 1].casefold() not in self._guests]

    def _game(self, number: int) -> Game:
        return db.session.scalars(select(Game).where(Game.club_id == self._club.id, Game.number == number)).one()

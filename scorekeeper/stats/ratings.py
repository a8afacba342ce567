"""Ratings kept with the results: the games that count, in the order in which they were played (see rating_model).

Who is credited with a game is rated by it. Where two are credited in one seat, the seat is to all others as strong as
the average of the two, and each of the two is rated as if alone in it. A guest is met as a newcomer in every game and
is given no rating. When a game changes, all that came after it are rated again: at once, or, where many came, by
`catch_up`, before anybody reads them. Nothing depends on a database id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Any

from sqlalchemy import Row, bindparam, func, select, tuple_, update
from sqlalchemy.orm import aliased

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Player, Result

from .counts import PlayerId
from .rating_model import NEWCOMER, Rating, Side, rate_game

RATING = "mu_before", "sigma_before", "mu", "sigma"  # the columns of a result
LEAST_GAMES = 8  # before that a rating is provisional
NEEDED = ("game_id", "player_id", "played", "number", "seat", "unit", "place", "points_for")
OF_A_GAME = tuple(getattr(Result, name) for name in NEEDED)  # what a rating needs to know
CHUNK = 2_000  # results that are read, and written, at once
MOST_NOW = 1_000  # results since a change that are rated in its transaction, while a phone waits
LEFT = "ratings_left"  # where a session notes the club whose ratings it has left for later


def sides_of(game: Sequence[Row[Any]]) -> list[Side]:
    """The sides of a game from its results, in the order of the seats."""
    units: dict[str, dict[int, list[PlayerId]]] = {}
    told = {row.unit: row for row in game}
    for row in sorted(game, key=lambda row: row.seat):
        units.setdefault(row.unit, {}).setdefault(row.seat, []).append(row.player_id)
    return [
        Side(tuple(tuple(seat) for seat in seats.values()), told[unit].points_for, told[unit].place == 1)
        for unit, seats in units.items()
    ]


BothRatings = tuple[Rating, Rating]  # before a game, and after it


def rate_next(
    game: Sequence[Row[Any]], current: dict[PlayerId, Rating | None], guests: Collection[PlayerId]
) -> list[tuple[Row[Any], BothRatings | None]]:
    """Each result of the next game with its player's ratings before and after, None for a guest; `current` goes on."""
    known = {row.player_id: current.get(row.player_id) or NEWCOMER for row in game}
    after = rate_game(sides_of(game), known)
    current.update({player: rating for player, rating in after.items() if player not in guests})
    found = {player: (known[player], after[player]) for player in after if player not in guests}
    return [(row, found.get(row.player_id)) for row in game]


# --- kept with the results ----------------------------------------------------------------------------------------


def said(results: Iterable[Result]) -> list[tuple[Any, ...]]:
    """What the ratings follow from."""
    counted = [r for r in results if not r.forfeits and not r.credit]
    return sorted((r.played, r.number, r.player_id, r.seat, r.unit, r.place, r.points_for) for r in counted)


def copy(before: Iterable[Result], after: Iterable[Result]) -> None:
    """Carry the ratings over to the same results counted again."""
    old = {result.player_id: result for result in before if not result.credit}
    for result in (one for one in after if not one.forfeits):
        same = old[result.player_id]
        result.mu_before, result.sigma_before = same.mu_before, same.sigma_before
        result.mu, result.sigma = same.mu, same.sigma


def rate(club_id: int, since: tuple[date, int], players: set[PlayerId]) -> None:
    """Rate a club's games again from the place `since` on; `players` are those to be looked at in any case."""
    for _ in rate_in_pieces(club_id, since, players):
        pass


def rate_in_pieces(club_id: int, since: tuple[date, int], players: set[PlayerId], size: int = CHUNK) -> Iterator[None]:
    """The same, about so many results at a time: between two pieces the transaction may end, and another begin."""
    guests = set(db.session.scalars(select(Player.id).where(Player.club_id == club_id, Player.guest)))
    current: dict[PlayerId, Rating | None] = {}
    for games in _games_since(club_id, since, size):
        _meet({row.player_id for game in games for row in game}, current, since, guests)
        rated = [_kept(row, both) for game in games for row, both in rate_next(game, current, guests)]
        db.session.connection().execute(RATE_RESULT, rated)
        yield
    main = aliased(Result)
    same = main.game_id == Result.game_id, main.player_id == Result.player_id, main.credit == ""
    as_rated = {name: select(getattr(main, name)).where(*same).scalar_subquery() for name in RATING}
    again = Result.club_id == club_id, Result.credit != "", tuple_(Result.played, Result.number) >= tuple_(*since)
    db.session.execute(update(Result).where(*again).values(as_rated).execution_options(synchronize_session="fetch"))
    _keep_current(club_id, players | current.keys())


def _meet(
    players: Iterable[PlayerId],
    current: dict[PlayerId, Rating | None],
    since: tuple[date, int],
    guests: Collection[PlayerId],
) -> None:
    """Look up the ratings of players who were not met before; who has none, and who is a guest, has None."""
    for player in sorted(set(players) - current.keys()):
        current[player] = None if player in guests else rating_before(player, since)


def _kept(row: Row[Any], both: BothRatings | None) -> dict[str, Any]:
    """What RATE_RESULT keeps of a player's game."""
    (m0, s0), (m1, s1) = both or ((None, None), (None, None))
    return {"game": row.game_id, "player": row.player_id, "m0": m0, "s0": s0, "m1": m1, "s1": s1}


def _games_since(club_id: int, since: tuple[date, int], size: int) -> Iterator[list[list[Row[Any]]]]:
    """The results of the games from there on, a list of rows for each, so many rows at a time in memory."""
    ordered = select(*OF_A_GAME).where(Result.club_id == club_id, Result.games > Result.forfeits, Result.credit == "")
    ordered = ordered.order_by(Result.played, Result.number, Result.seat).limit(size)
    place = tuple_(Result.played, Result.number)
    rows: Any = db.session.execute(ordered.where(place >= tuple_(*since))).all()
    while rows:
        games = [list(game) for _, game in groupby(rows, key=lambda row: row.game_id)]
        whole = games if len(rows) < size else games[:-1]  # the last one may be cut in two
        yield whole
        last = whole[-1][0]
        rows = db.session.execute(ordered.where(place > tuple_(last.played, last.number))).all()


def rating_before(player_id: PlayerId, since: tuple[date, int]) -> Rating | None:
    """A player's rating before a place."""
    earlier = tuple_(Result.played, Result.number) < tuple_(*since)
    mine = select(Result.mu, Result.sigma).where(Result.player_id == player_id, earlier, Result.mu.is_not(None))
    row: Any = db.session.execute(mine.order_by(Result.played.desc(), Result.number.desc()).limit(1)).first()
    return Rating(*row) if row else None


RATE_RESULT = (
    update(Result)
    .where(Result.game_id == bindparam("game"), Result.player_id == bindparam("player"), Result.credit == "")
    .values(mu_before=bindparam("m0"), sigma_before=bindparam("s0"), mu=bindparam("m1"), sigma=bindparam("s1"))
)


AT_ONCE = 500  # players; of more, all of a club are looked at


def _keep_current(club_id: int, players: Collection[PlayerId]) -> None:
    """Save each player's current rating with the player, and of how many games it comes."""
    mine = Result.player_id == Player.id, Result.mu.is_not(None), Result.credit == ""
    last = select(Result.mu).where(*mine).order_by(Result.played.desc(), Result.number.desc()).limit(1)
    games = select(func.count()).select_from(Result).where(*mine)
    now = {"mu": last, "sigma": last.with_only_columns(Result.sigma), "rated": games}
    kept = {name: found.correlate(Player).scalar_subquery() for name, found in now.items()}
    wanted = [Player.id.in_(players)] if len(players) <= AT_ONCE else []
    changed = update(Player).where(Player.club_id == club_id, *wanted).values(kept)
    db.session.execute(changed.execution_options(synchronize_session="fetch"))


# --- left for later -----------------------------------------------------------------------------------------------


def rate_soon(club_id: int, since: tuple[date, int], players: set[PlayerId]) -> None:
    """Rate as `rate` does where few results have come since; else note it with the club, for `catch_up`."""
    left = db.session.scalar(select(Club.unrated_since).where(Club.id == club_id))
    since = min(since, (left, 0)) if left else since
    later = Result.club_id == club_id, tuple_(Result.played, Result.number) >= tuple_(*since)
    if db.session.execute(select(Result.game_id).where(*later).offset(MOST_NOW).limit(1)).first():
        _note(club_id, since[0])
        db.session.info[LEFT] = club_id
    elif left:
        _note(club_id, since[0])  # it may be earlier than what was left
        rate_left(club_id)
    else:
        rate(club_id, since, players)


def catch_up(club: Club, longest: float | None = None) -> None:
    """Rate what was left for later, so that whoever reads a club's ratings reads the right ones; in no transaction.

    Waits for other writers as `db_write` does.
    """
    if club.unrated_since is not None:
        with db_write(club, longest=longest):
            rate_left(club.id)


def rate_left(club_id: int) -> None:
    """The same inside a transaction that has locked the club."""
    left = db.session.scalar(select(Club.unrated_since).where(Club.id == club_id))
    if left is not None:
        everybody = db.session.scalars(select(Player.id).where(Player.club_id == club_id))
        rate(club_id, (left, 0), set(everybody))
        _note(club_id, None)


def _note(club_id: int, since: date | None) -> None:
    db.session.execute(update(Club).where(Club.id == club_id).values(unrated_since=since))

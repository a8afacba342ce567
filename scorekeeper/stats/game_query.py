"""The games chosen as one each (see game_counts): for records, partners, and how bids have paid."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from operator import add
from typing import Any, NamedTuple

from sqlalchemy import Select, Text, cast, func, select, tuple_

from scorekeeper.database.session import db
from scorekeeper.models import Club, GameCount, GameGroup, Result, Tally

from . import settled
from .counts import PlayerId
from .detail import BID, WITH, Key, added, only
from .game_counts import OF_A_BID, TOGETHER
from .query import Choice, chosen_games, chosen_groups, gather_details

MOST_GAMES = 5_000  # of more, records are looked for in the latest
MOST_PAIRS_KEPT = 2_000  # of all games but those of the latest day: sixty players, everybody with everybody
MOST_READ = 5_000  # so many rows of games are read sooner than the tallies, which have hundreds of details each

Pairs = Mapping[tuple[PlayerId, PlayerId], Sequence[int]]  # the lower id first; the numbers of TOGETHER
WHICH = tuple_(GameCount.game_id, GameCount.credit)
PLACE_OF = {name: place for place, name in enumerate(TOGETHER)}


class Played(NamedTuple):
    """What a finished game came to; the rest is described in stats.game_counts."""

    played: date
    number: int
    rules_id: str
    hands: int
    sides: list[list[Any]]  # of each: its score, W, S or L, its players
    bids: dict[str, list[int]]
    deeds: dict[str, Any]


def games(club: Club, choice: Choice, most: int = MOST_GAMES) -> list[Played]:
    """The latest games chosen that were played, in their order; a forfeit makes no record."""
    played = Result.games == 1, Result.forfeits == 0
    chosen = select(Result.game_id, Result.credit).where(*chosen_games(club, choice), *played)
    plain = GameCount.played, GameCount.number, GameCount.rules_id, GameCount.hands
    latest = _with_texts(plain, (GameCount.sides, GameCount.bids, GameCount.deeds)).where(WHICH.in_(chosen))
    rows = db.session.execute(latest.order_by(GameCount.played.desc(), GameCount.number.desc()).limit(most)).all()
    return list(map(Played, *_columns(rows, len(plain), len(Played._fields))))[::-1]


class Together(NamedTuple):
    """What partners have done, by how many teams there were (see game_counts.TOGETHER); and how all bids have paid."""

    pairs: Mapping[int, Pairs]
    bids: Counter[str]


def gather_together(club: Club, choice: Choice) -> Together:
    """Both, in one read of the games chosen; of whole groups, only those of the latest day (see settled)."""
    if _is_read_from_tallies(club, choice):
        return Together(_pairs_added_up(club, choice), _bids_added_up(club, choice))
    parts = settled.parts_of(club, choice)
    if parts is None:
        return _together(club, choice)
    asked = "together", parts.before
    before = settled.keep(club, asked, lambda: _together(club, parts.before), _is_kept)
    return _sum(before, _together(club, parts.latest))


def _together(club: Club, choice: Choice) -> Together:
    teams, pairs, bids = _whole_games(club, choice, GameCount.pairs, GameCount.bids)
    return Together(_pairs_of(teams, pairs), _bids_of(bids))


def _is_kept(together: Together) -> bool:
    return sum(map(len, together.pairs.values())) <= MOST_PAIRS_KEPT


def _sum(one: Together, other: Together) -> Together:
    """Neither of the two is changed."""
    pairs = {teams: dict(found) for teams, found in one.pairs.items()}
    for teams, found in other.pairs.items():
        mine = pairs.setdefault(teams, {})
        for pair, done in found.items():
            mine[pair] = list(map(add, mine[pair], done)) if pair in mine else done
    bids = one.bids.copy()
    bids.update(other.bids)  # not `+`, which would drop what is below zero
    return Together(pairs, bids)


def gather_pairs(club: Club, choice: Choice) -> Mapping[int, Pairs]:
    """What two players in one team have done together, by how many teams there were."""
    if choice.by_games:
        return _pairs_of(*_whole_games(club, choice, GameCount.pairs))
    return gather_together(club, choice).pairs


def pairs_by_game(club: Club, choice: Choice) -> dict[int, dict[tuple[PlayerId, PlayerId], list[int]]]:
    """What two players in one team have done together in each of the games chosen, by its id."""
    chosen = WHICH.in_(_once_a_game(club, choice))
    rows = db.session.execute(_with_texts([GameCount.game_id], [GameCount.pairs]).where(chosen)).all()
    games, pairs = _columns(rows, 1, 2)
    return {game: {_two(names): done for names, done in of.items()} for game, of in zip(games, pairs, strict=True)}


def _pairs_of(teams: Sequence[int], games: Sequence[dict[str, list[int]]]) -> Mapping[int, Pairs]:
    found: dict[int, dict[str, list[int]]] = defaultdict(dict)
    for so_many, pairs in zip(teams, games, strict=True):
        of_so_many = found[so_many]
        for names, numbers in pairs.items():
            before = of_so_many.get(names)
            of_so_many[names] = list(map(add, before, numbers)) if before else numbers
    return {so_many: {_two(names): sums for names, sums in pairs.items()} for so_many, pairs in found.items()}


def _two(names: str) -> tuple[PlayerId, PlayerId]:
    one, _, other = names.partition("-")
    return int(one), int(other)


def _pairs_added_up(club: Club, choice: Choice) -> Mapping[int, Pairs]:
    """From the tallies, of which each pair is in two: what the one with the lower id says is read."""
    columns = GameGroup.teams, Tally.player_id, Tally.detail
    asked = select(*columns).join(Tally, Tally.group_id == GameGroup.id).where(GameGroup.teams > 0)
    found: dict[int, dict[tuple[PlayerId, PlayerId], list[int]]] = defaultdict(dict)
    for teams, one, detail in db.session.execute(asked.where(chosen_groups(club, choice))):
        pairs = found[teams]
        for text, number in only(detail, WITH).items():
            _, other, what = text.split(":")
            if one < int(other) and what in PLACE_OF:
                pairs.setdefault((one, int(other)), [0] * len(TOGETHER))[PLACE_OF[what]] += number
    return found


def gather_bids(club: Club, choice: Choice) -> Counter[str]:
    """How all bids have paid, as details of the kind BID."""
    if choice.by_games:
        _, bids = _whole_games(club, choice, GameCount.bids)
        return _bids_of(bids)
    return gather_together(club, choice).bids


def _bids_added_up(club: Club, choice: Choice) -> Counter[str]:
    return added(gather_details(club, choice, kind=BID).values(), BID)


def _bids_of(games: Iterable[dict[str, list[int]]]) -> Counter[str]:
    bids: dict[str, list[list[int]]] = defaultdict(list)
    for counted in games:
        for bid, numbers in counted.items():
            bids[bid].append(numbers)
    return Counter(
        {
            str(Key(BID, bid, what)): sum(numbers)
            for bid, lines in bids.items()
            for what, numbers in zip(OF_A_BID, zip(*lines, strict=True), strict=True)
        }
    )


def _is_read_from_tallies(club: Club, choice: Choice) -> bool:
    """Whether what was added up of whole groups is to be read: where they have very many games."""
    if choice.by_games:
        return False
    some = _once_a_game(club, choice).limit(MOST_READ + 1).subquery()
    return (db.session.scalar(select(func.count()).select_from(some)) or 0) > MOST_READ


def _once_a_game(club: Club, choice: Choice) -> Select[int, str]:
    return select(Result.game_id, Result.credit).where(*chosen_games(club, choice), Result.seat == 1)


def _whole_games(club: Club, choice: Choice, *columns: Any) -> list[Any]:
    """How many teams each of the games chosen had, then what is in each column, a list each, in the same order."""
    chosen = _once_a_game(club, choice)
    found = _with_texts([GameCount.teams], columns).where(WHICH.in_(chosen))
    return _columns(db.session.execute(found).all(), 1, 1 + len(columns))


def _with_texts(plain: Sequence[Any], of_json: Sequence[Any]) -> Select[Any]:
    """Columns as they are, and columns of JSON as text."""
    return select(*plain, *(cast(column, Text) for column in of_json))


def _columns(rows: Sequence[Any], plain: int, count: int) -> list[Any]:
    """Rows turned into columns, so many of them; those behind the plain ones are JSON.

    Such a column is read as one text, which is three times as quick as one by one.
    """
    columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * count
    return [*columns[:plain], *(json.loads(f"[{','.join(texts)}]") for texts in columns[plain:])]

"""A game as hand entry needs it: its table, its players, its hands, and the draft.

It is read again with every request, in one query that is built once: a tap has to be quick. Only what follows from
rules and hands is kept, by their own text, so that it can never be that of other rules or other hands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Text, bindparam, cast, select

from scorekeeper import drafts
from scorekeeper.db import as_json, db
from scorekeeper.models import ABANDONED, Club, Facts, Game, Hand, Player, Seat, Tapped, seated
from scorekeeper.scoring.game import Game as Played
from scorekeeper.scoring.game import GameScore, replay
from scorekeeper.scoring.hand import Hand as Dealt
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.record import FORMAT, read_game
from scorekeeper.scoring.table import Table

MOST_KEPT = 128  # games; each is a few hundred small objects

_about = (
    Game.id,
    Game.version,
    Game.first_dealer,
    Game.state,
    Game.plays_on,
    Game.detail,
    Game.auction,
    Game.next_seats,
    Game.paper.is_not(None).label("on_paper"),
)
_table = (cast(Game.rules, Text).label("rules"), Game.players, Game.teams, cast(Game.start, Text).label("start"))


def _of_game(name: str, *columns: Any, of: Any, position: Any, joined: Any = None) -> ColumnElement[str]:
    """All rows that belong to the game, as one value: a JSON list of lists, each led by its position."""
    rows = select(as_json(position, *columns)).select_from(of).where(of.game_id == Game.id)
    return (rows if joined is None else rows.join(joined)).scalar_subquery().label(name)


GAME = (
    select(
        Game.club_id,
        Club.name,
        *_about,
        *_table,
        _of_game("names", Player.name, of=Seat, position=Seat.number, joined=Player),
        _of_game("hands", cast(Hand.facts, Text), Hand.version, of=Hand, position=Hand.position),
        _of_game("tapped", cast(Tapped.fields, Text), of=Tapped, position=Tapped.position),
    )
    .join(Club)
    .where(Club.key == bindparam("key"), Game.number == bindparam("number"))
)


class ClubName(NamedTuple):
    """The people who play, as far as their addresses need them."""

    id: int
    key: str
    name: str


class Log(NamedTuple):
    """The hands of a game as they were written down, and as they were played."""

    facts: tuple[Facts, ...]
    played: Played
    score: GameScore


class Written(NamedTuple):
    """A hand that counts now; `version` is the game's version that changed it last."""

    position: int
    facts: Facts
    version: int


@dataclass(frozen=True)
class Snapshot:
    """A game as it was when it was read; `names` are its first players.

    `next_seats` are the substitutes for its next hand, `tapped` is what is kept of hands not saved, by position.
    """

    club: ClubName
    id: int
    number: int
    version: int
    first_dealer: int
    state: str
    plays_on: bool
    detail: str
    auction: bool
    on_paper: bool
    log: Log
    versions: Sequence[int]
    names: Sequence[str]
    next_seats: Mapping[str, str]
    tapped: Mapping[int, drafts.Fields]

    @property
    def table(self) -> Table:
        return self.log.played.table

    @property
    def score(self) -> GameScore:
        return self.log.score

    @property
    def scores(self) -> tuple[HandScore, ...]:
        """The hands as they were scored, those behind the end too, up to the first that cannot be."""
        return (*self.score.hands, *self.score.beyond)

    @property
    def length(self) -> int:
        """How many hands there are."""
        return len(self.versions)

    @property
    def takes_hands(self) -> bool:
        """Whether another hand can be put in."""
        return not (self.on_paper or self.state == ABANDONED) and (self.score.outcome is None or self.plays_on)

    def hand(self, position: int) -> Written | None:
        """The hand at `position`, or None."""
        if not 1 <= position <= self.length:
            return None
        # A copy: what is read is kept for other requests.
        return Written(position, deepcopy(self.log.facts[position - 1]), self.versions[position - 1])

    def dealer_after(self, hands: int) -> int:
        """Whose deal it is after so many hands."""
        if hands == self.length:
            return self.score.next_dealer or self.first_dealer
        return self._with(self.log.played.hands[:hands], hands).next_dealer or self.first_dealer

    def names_at(self, position: int) -> list[str]:
        """The players' names, one a seat, when the hand at `position` is played."""
        facts = self.log.facts[:position]
        return seated(self.names, facts if position <= self.length else [*facts, {"names": self.next_seats}])

    def with_hand(self, position: int, hand: Dealt) -> GameScore:
        """The game as it would be with that hand at `position`."""
        hands = self.log.played.hands
        return self._with((*hands[: position - 1], hand, *hands[position:]), position - 1)

    def _with(self, hands: tuple[Dealt, ...], known: int) -> GameScore:
        """The game as it would be with these hands, of which so many at the beginning are its own."""
        return replay(replace(self.log.played, hands=hands), self.scores[:known])


def read_snapshot(key: str, number: int) -> Snapshot | None:
    """That game of the club with that key, or None."""
    row = db.session.connection().execute(GAME, {"key": key, "number": number}).one_or_none()
    if row is None:
        return None
    hands = _in_order(row.hands)
    return Snapshot(
        club=ClubName(row.club_id, key, row.name),
        id=row.id,
        number=number,
        version=row.version,
        first_dealer=row.first_dealer,
        state=row.state,
        plays_on=row.plays_on,
        detail=row.detail,
        auction=row.auction,
        on_paper=row.on_paper,
        log=_log(row.rules, row.players, row.teams, row.start, tuple([facts for _, facts, _ in hands])),
        versions=[version for *_, version in hands],
        names=[name for _, name in _in_order(row.names)],
        next_seats=row.next_seats,
        tapped={position: json.loads(fields) for position, fields in _in_order(row.tapped)},
    )


def _in_order(rows: str | None) -> list[Any]:
    """The rows of `_of_game`, by their position."""
    return sorted(json.loads(rows)) if rows else []


@lru_cache(MOST_KEPT)
def _log(rules: str, players: int, teams: int, start: str | None, hands: tuple[str, ...]) -> Log:
    """What follows from a game's rules and hands, all of them as their JSON."""
    facts = [json.loads(hand) for hand in hands]
    record = {"format": FORMAT, "rules": json.loads(rules), "players": players, "teams": teams, "hands": facts}
    played = read_game(record if start is None else record | {"start": json.loads(start)})
    return Log(tuple(facts), played, replay(played))

"""Games of a file as rows of the tables: what was entered, and what is counted of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import insert, select

from scorekeeper.database.session import db
from scorekeeper.models import Change, Game, GameCount, GameSeason, Hand, Result, Seat, Tapped
from scorekeeper.scoring.record import find_table
from scorekeeper.services.change_log import NAMES
from scorekeeper.stats.counts import PlayerId
from scorekeeper.stats.tallies import Kind, Part, Place, Totals, count_parts, make_group
from scorekeeper.transfer.columns import CHANGES, FIXED, GAME, MADE, with_role
from scorekeeper.transfer.fields import known_as
from scorekeeper.transfer.game_reader import GameInFile
from scorekeeper.transfer.replay import row

TOLD = with_role(GAME, FIXED, MADE, CHANGES)


@dataclass
class OneGame:
    """A game's rows, its id and its group's not yet in them."""

    game: dict[str, Any]
    parts: dict[Any, list[dict[str, Any]]]
    counted: list[Part] = field(default_factory=list)


class GameRows:
    """Makes the rows, with ids of the club that is written; details name a player by the id that will stay.

    `players` are the ids there, by uid; `ours` those who are in the other club already, by their ids in it; `called`
    is everybody's name; `credits` says of each season whom its games count for.
    """

    def __init__(
        self,
        club_id: int,
        players: Mapping[str, int],
        ours: Mapping[str, int],
        called: Mapping[str, str],
        credits: Mapping[int | None, str],
    ) -> None:
        self.club_id = club_id
        self._players, self._credits = players, credits
        stay = {uid: ours.get(uid, number) for uid, number in players.items()}
        self._stay = stay
        self._here = {stay[uid]: number for uid, number in players.items()}
        self._by_name = {form(name): stay[uid] for uid, name in called.items() for form in (known_as, str.casefold)}
        self.groups: dict[Kind, int] = {}
        self.totals = Totals()
        self.numbers: dict[int, int] = {}  # of the first game that counts in each season
        self.since: Place | None = None  # the first game that counts
        self.rated: set[PlayerId] = set()

    def of(self, told: GameInFile, number: int, seasons: Sequence[int]) -> OneGame:
        """A game with the number and the seasons that it gets, the first one first; counted."""
        season, also = (seasons[0] if seasons else None), tuple(sorted(seasons[1:]))
        game = {name: getattr(told, name) for name in TOLD} | {"club_id": self.club_id, "number": number}
        game |= {"season_id": season, "version": len(told.log), "next_seats": dict(told.next_seats)}
        places = enumerate(told.hands, 1)
        parts: dict[Any, list[dict[str, Any]]] = {
            Seat: [{"number": n, "player_id": self._players[uid]} for n, uid in enumerate(told.seats, 1)],
            Hand: [{"position": n, "facts": facts, "version": at} for n, (facts, at) in places],
            GameSeason: [{"season_id": one} for one in also],
            Change: [row(entry) for entry in told.log],
            Tapped: [{"position": int(place), "fields": fields} for place, fields in told.tapped.items()],
        }
        counted = self._counted(told, number, seasons)
        parts[GameCount] = [part.whole for part in counted]
        return OneGame(game, parts, counted)

    def _counted(self, told: GameInFile, number: int, seasons: Sequence[int]) -> list[Part]:
        """What a game came to in each of its groups; nothing where it does not count."""
        if told.is_abandoned or told.left_out or told.score.outcome is None:
            return []
        for season in seasons:
            self.numbers.setdefault(season, number)
        place = Place(told.played, number)
        self.since = min(self.since or place, place)
        key = {"played": told.played, "number": number}
        hands = [slot.facts for slot in told.hands[: len(told.score.hands)]]
        table = find_table(told.rules, told.players, told.teams)
        rules = {season: self._credits[season] for season in seasons or (None,)}
        trumps = [facts.get("trump") for facts in hands]
        seated = self._seated(told, hands)
        self.rated |= {player for players in seated for player in players}
        return count_parts(self.club_id, key, table, told.score, trumps, seated, rules, told.start)

    def _seated(self, told: GameInFile, hands: Sequence[Mapping[str, Any]]) -> list[list[PlayerId]]:
        """Who sits where in each hand, and at the end."""
        sitting = [self._stay[uid] for uid in told.seats]
        seated = []
        for facts in hands:
            if NAMES in facts:
                sitting = list(sitting)
                for seat, name in facts[NAMES].items():
                    sitting[int(seat) - 1] = self._by_name[name.casefold()]
            seated.append(sitting)
        return [*seated, sitting]

    def result(self, counted: dict[str, Any], game_id: int, group_id: int) -> dict[str, Any]:
        """The row of a result; it is added to the totals."""
        counted |= {"game_id": game_id, "group_id": group_id}
        self.totals.add(counted)
        return counted | {"player_id": self._here[counted["player_id"]]}


def write_rows(rows: GameRows, games: Sequence[OneGame]) -> dict[str, int]:
    """Write games, inside a transaction; their ids, by uid."""
    connection = db.session.connection()
    connection.execute(insert(Game), [one.game for one in games])
    uids = [one.game["uid"] for one in games]
    mine = select(Game.uid, Game.id).where(Game.club_id == rows.club_id, Game.uid.in_(uids))
    ids: dict[str, int] = dict(connection.execute(mine).all())
    for table in (Seat, GameSeason, Hand, Change, Tapped, GameCount):
        told = [{"game_id": ids[one.game["uid"]], **part} for one in games for part in one.parts[table]]
        if told:
            connection.execute(insert(table), told)
    results = []
    for one in games:
        for part in one.counted:
            group = _group(rows, part.kind)
            results += [rows.result(counted, ids[one.game["uid"]], group) for counted in part.results]
    if results:
        connection.execute(insert(Result), results)
    return ids


def _group(rows: GameRows, kind: Kind) -> int:
    if kind not in rows.groups:
        rows.groups[kind] = make_group(rows.club_id, kind)
    return rows.groups[kind]

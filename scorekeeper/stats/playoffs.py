"""Playoffs: a bracket drawn from a season's table, and who won its matches in the games picked for them.

The first of the table has seed 1, and so on; of divisions the leaders come first, then the second places. Seed 1 meets
the last seed, and 1 and 2 can meet in the final only. Where there are fewer players than seeds, the first have a bye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import aliased

from scorekeeper.database.session import db
from scorekeeper.models import Game, Player, Result, Season

from .query import as_counted_in

Seed = tuple[str, ...]  # the uids of a player, or of a pair
SIZES = (4, 8)
MOST_CANDIDATES = 30  # games that can be picked for a match: the latest


@dataclass(frozen=True, slots=True)
class Playoffs:
    """A bracket as a season keeps it: its size, the seeds in their order, and the uid of the game of each match."""

    size: int
    seeds: tuple[Seed, ...]
    games: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any] | None) -> Playoffs | None:
        if not kept:
            return None
        return cls(kept["size"], tuple(map(tuple, kept["seeds"])), dict(kept["games"]))

    def to_dict(self) -> dict[str, Any]:
        games = {match: self.games[match] for match in sorted(self.games)}
        return {"size": self.size, "seeds": [list(seed) for seed in self.seeds], "games": games}

    def rename(self, names: Mapping[str, str]) -> Playoffs:
        """The same with the players of these uids under others."""
        return replace(self, seeds=tuple(tuple(names.get(uid, uid) for uid in seed) for seed in self.seeds))

    def with_game(self, match: str, uid: str | None) -> Playoffs:
        """The same with a game picked for a match, or none. A later match keeps its game, fit or not."""
        kept = {key: game for key, game in self.games.items() if key != match}
        return replace(self, games=kept | ({match: uid} if uid else {}))


def order(size: int) -> list[int]:
    """The seeds down the bracket, so that the best meet as late as they can: 1, 4, 2, 3."""
    seeds = [1]
    while len(seeds) < size:
        both = 2 * len(seeds) + 1
        seeds = [one for seed in seeds for one in (seed, both - seed)]
    return seeds


def matches_of(size: int) -> list[list[str]]:
    """The names of the matches, round by round: 1-1, 1-2 and then 2-1."""
    rounds: list[list[str]] = []
    games = size // 2
    while games:
        rounds.append([f"{len(rounds) + 1}-{number}" for number in range(1, games + 1)])
        games //= 2
    return rounds


class Entry(NamedTuple):
    """Who is in a bracket: the seed's number, the name, and the ids of the players who are still there."""

    seed: int
    name: str
    ids: tuple[int, ...]


NOBODY = Entry(0, "", ())  # where there are fewer players than seeds


class Played(NamedTuple):
    """A game that was picked, or can be."""

    uid: str
    number: int
    played: date
    forfeit: bool


@dataclass(frozen=True)
class Match:
    """Two entries (None: not known yet), the game that was picked, and who won it (None: not yet).

    Whoever is against NOBODY has a bye.
    """

    key: str
    entries: tuple[Entry | None, Entry | None]
    game: Played | None = None
    winner: Entry | None = None

    @property
    def bye(self) -> bool:
        return NOBODY in self.entries


class Bracket:
    """A bracket with its matches, round by round."""

    def __init__(self, season: Season, kept: Playoffs) -> None:
        self.season, self.kept = season, kept
        self._seeds = self._read_seeds()
        self._found = self._read_games()
        self.rounds = self._play()

    def _read_seeds(self) -> list[Entry | None]:
        uids = {uid for seed in self.kept.seeds for uid in seed}
        mine = Player.club_id == self.season.club_id, Player.uid.in_(uids)
        found = select(Player.uid, Player.id, Player.name).where(*mine)
        known = {row.uid: row for row in db.session.execute(found)}
        entries: list[Entry | None] = [NOBODY] * self.kept.size
        for index, seed in enumerate(self.kept.seeds[: self.kept.size]):
            there = sorted((known[uid] for uid in seed if uid in known), key=lambda row: row.name.casefold())
            name = " and ".join(row.name for row in there) or GONE
            entries[index] = Entry(index + 1, name, tuple(row.id for row in there))
        return entries

    def _read_games(self) -> dict[str, tuple[Played, dict[int, tuple[str, int]]]]:
        """The games that were picked, by uid: each with the unit of every player and whether that won alone."""
        columns = Game.uid, Game.number, Game.played, Result.player_id, Result.unit, Result.won, Result.forfeits
        asked = select(*columns).join(Result, Result.game_id == Game.id)
        mine = Game.club_id == self.season.club_id, Game.uid.in_(self.kept.games.values()), Result.games == 1
        found: dict[str, tuple[Played, dict[int, tuple[str, int]]]] = {}
        for row in db.session.execute(asked.where(*mine, as_counted_in(self.season.id))):
            game = Played(row.uid, row.number, row.played, bool(row.forfeits))
            found.setdefault(row.uid, (game, {}))[1][row.player_id] = row.unit, row.won
        return found

    def _play(self) -> list[list[Match]]:
        line: list[Entry | None] = [self._seeds[seed - 1] for seed in order(self.kept.size)]
        rounds: list[list[Match]] = []
        for keys in matches_of(self.kept.size):
            rounds.append([self._match(key, line[2 * at], line[2 * at + 1]) for at, key in enumerate(keys)])
            line = [match.winner for match in rounds[-1]]
        return rounds

    def _match(self, key: str, one: Entry | None, other: Entry | None) -> Match:
        if NOBODY in (one, other):
            return Match(key, (one, other), winner=other if one == NOBODY else one)
        game, units = self._found.get(self.kept.games.get(key, ""), (None, {}))
        if game is None or one is None or other is None:
            return Match(key, (one, other))
        return Match(key, (one, other), game, _winner(one, other, units))

    @cached_property
    def winner(self) -> Entry | None:
        """Who won the final."""
        return self.rounds[-1][0].winner

    def match(self, key: str) -> Match | None:
        return next((match for matches in self.rounds for match in matches if match.key == key), None)


GONE = "somebody who is gone"


def _winner(one: Entry, other: Entry, units: Mapping[int, tuple[str, int]]) -> Entry | None:
    """Which of two entries won a game that they played against each other; None for any other game, and a tie."""
    sides = [{units.get(number, ("", 0)) for number in entry.ids} for entry in (one, other)]
    if any(len(side) != 1 or ("", 0) in side for side in sides):
        return None
    (unit, won), (other_unit, other_won) = sides[0].pop(), sides[1].pop()
    if unit == other_unit or bool(won) == bool(other_won):
        return None
    return one if won else other


def candidates(season: Season, match: Match) -> list[Played]:
    """The games in which the two entries of a match met, and one of them won; the latest first."""
    one, other = match.entries
    if one is None or other is None or not one.ids or not other.ids:
        return []
    mine, theirs = aliased(Result), aliased(Result)
    asked = (
        select(Game.uid, Game.number, Game.played, mine.forfeits)
        .join(mine, mine.game_id == Game.id)
        .join(theirs, theirs.game_id == Game.id)
        .where(Game.club_id == season.club_id, as_counted_in(season.id, mine), theirs.credit == mine.credit)
        .where(mine.player_id == one.ids[0], theirs.player_id == other.ids[0])
        .where(mine.games == 1, theirs.games == 1, mine.unit != theirs.unit, mine.won + theirs.won == 1)
    )
    for entry, side in ((one, mine), (other, theirs)):
        for number in entry.ids[1:]:
            partner = aliased(Result)
            asked = asked.join(partner, partner.game_id == Game.id)
            asked = asked.where(partner.player_id == number, partner.games == 1, partner.unit == side.unit)
            asked = asked.where(partner.credit == side.credit)
    latest = asked.order_by(Game.played.desc(), Game.number.desc()).limit(MOST_CANDIDATES)
    return [Played(uid, number, played, bool(forfeits)) for uid, number, played, forfeits in db.session.execute(latest)]


def seeds_of(lines: Sequence[Any], size: int, uids: Mapping[int, str]) -> tuple[Seed, ...]:
    """The first of a table as seeds, by place; of divisions the leaders, then the second places.

    `lines` are those of `standings`, `uids` those of the players by id. Who has no place has no seed, and who is in no
    division has none where there are some.
    """
    turns: dict[str, int] = {}
    ranked = []
    has_divisions = any(line.division for line in lines)
    for line in lines:
        if line.place is not None and bool(line.division) == has_divisions:
            turn = turns[line.division] = turns.get(line.division, 0) + 1
            ranked.append((turn, line.division, line.player.id))
    entries = [number for _, _, number in sorted(ranked, key=lambda one: one[:2])][:size]
    return tuple(tuple(uids[one] for one in (entry if isinstance(entry, tuple) else (entry,))) for entry in entries)

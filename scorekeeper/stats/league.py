"""A season's settings besides its games: bonus points, divisions, playoffs, the starting order of a ladder.

Playoffs are drawn from the season's table. The first of the table has seed 1, and so on; with divisions the leaders
come first, then the second places. Seed 1 meets the last seed, and 1 and 2 can meet in the final only. If there are
fewer players than seeds, the first ones have a bye.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select

from scorekeeper.database.session import db
from scorekeeper.models import LATEST_FIRST, Club, Game, Json, Player, Result, Season, new_uid

from .query import as_counted_in, players_in

# --- playoffs ---------------------------------------------------------------------------------------------------------


Seed = tuple[str, ...]  # the uids of a player, or of a pair
SIZES = (4, 8)
MOST_CANDIDATES = 30  # the latest games that can be picked for a match


@dataclass(frozen=True, slots=True)
class Playoffs:
    """A bracket as stored with a season: its size, the seeds in order, the game's uid by match, the day of the draw."""

    size: int
    seeds: tuple[Seed, ...]
    games: Mapping[str, str] = field(default_factory=dict)
    drawn: date | None = None

    @classmethod
    def from_dict(cls, kept: Json | None) -> Playoffs | None:
        if not kept:
            return None
        drawn = date.fromisoformat(kept["drawn"]) if "drawn" in kept else None
        return cls(kept["size"], tuple(map(tuple, kept["seeds"])), dict(kept["games"]), drawn)

    def to_dict(self) -> Json:
        games = {match: self.games[match] for match in sorted(self.games)}
        day = {"drawn": self.drawn.isoformat()} if self.drawn else {}
        return {"size": self.size, "seeds": [list(seed) for seed in self.seeds], "games": games} | day

    def with_game(self, match: str, uid: str | None) -> Playoffs:
        """A copy with a game picked for a match, or none. Later matches keep their games, valid or not."""
        kept = {key: game for key, game in self.games.items() if key != match}
        return replace(self, games=kept | ({match: uid} if uid else {}))


def order(size: int) -> list[int]:
    """The seeds down the bracket, such that the best ones meet as late as possible: 1, 4, 2, 3."""
    seeds = [1]
    while len(seeds) < size:
        both = 2 * len(seeds) + 1
        seeds = [one for seed in seeds for one in (seed, both - seed)]
    return seeds


def matches_of(size: int) -> list[list[str]]:
    """The names of the matches, by round: 1-1, 1-2 and then 2-1."""
    return [[f"{turn}-{number}" for number in range(1, size // 2**turn + 1)] for turn in range(1, size.bit_length())]


class BracketEntry(NamedTuple):
    """An entry of a bracket: the seed's number, the name, and the ids of those of its players who still exist."""

    seed: int
    name: str
    ids: tuple[int, ...]


NO_ENTRY = BracketEntry(0, "", ())  # fills the bracket if there are fewer players than seeds


class MatchGame(NamedTuple):
    """A game that is picked for a match, or can be."""

    uid: str
    number: int
    played: date
    forfeit: bool


class Match(NamedTuple):
    """Two entries (None: not known yet), the picked game, and the winner (None: not yet).

    An entry against NO_ENTRY has a bye.
    """

    key: str
    entries: tuple[BracketEntry | None, BracketEntry | None]
    game: MatchGame | None = None
    winner: BracketEntry | None = None

    @property
    def bye(self) -> bool:
        return NO_ENTRY in self.entries


def _results(season: Season, *asked: ColumnElement[bool]) -> dict[MatchGame, dict[int, tuple[str, int]]]:
    """The games that the season counts, latest first, each with (unit, whether it alone won) by player."""
    columns = Game.uid, Game.number, Game.played, Result.forfeits, Result.player_id, Result.unit, Result.won
    mine = Game.club_id == season.club_id, Result.games == 1, as_counted_in(season.id), *asked
    rows = select(*columns).join(Result, Result.game_id == Game.id).where(*mine).order_by(*LATEST_FIRST)
    found: dict[MatchGame, dict[int, tuple[str, int]]] = defaultdict(dict)
    for uid, number, played, forfeits, player, unit, won in db.session.execute(rows):
        found[MatchGame(uid, number, played, bool(forfeits))][player] = unit, won
    return found


def _winner(units: Mapping[int, tuple[str, int]], one: BracketEntry, other: BracketEntry) -> BracketEntry | None:
    """The winner of a game between two entries; None unless they played against each other and exactly one won."""
    mine, theirs = ({units.get(player, ("", 0)) for player in entry.ids} for entry in (one, other))
    if len(mine) != 1 or len(theirs) != 1:
        return None
    (unit, won), (other_unit, other_won) = mine.pop(), theirs.pop()
    if "" in (unit, other_unit) or unit == other_unit or won == other_won:
        return None
    return one if won else other


class Bracket:
    """A bracket with its matches, by round."""

    def __init__(self, season: Season, kept: Playoffs) -> None:
        self.season, self.kept = season, kept
        picked = _results(season, Game.uid.in_(kept.games.values()))
        self._games = {game.uid: (game, units) for game, units in picked.items()}
        seeds = self._read_seeds()
        line: list[BracketEntry | None] = [seeds[seed - 1] for seed in order(kept.size)]
        self.rounds: list[list[Match]] = []
        for keys in matches_of(kept.size):
            matches = [self._match(key, line[2 * at], line[2 * at + 1]) for at, key in enumerate(keys)]
            self.rounds.append(matches)
            line = [match.winner for match in matches]

    def _read_seeds(self) -> list[BracketEntry]:
        uids = {uid for seed in self.kept.seeds for uid in seed}
        mine = Player.club_id == self.season.club_id, Player.uid.in_(uids)
        found = select(Player.uid, Player.id, Player.name).where(*mine)
        known = {row.uid: row for row in db.session.execute(found)}
        entries = [NO_ENTRY] * self.kept.size
        for index, seed in enumerate(self.kept.seeds[: self.kept.size]):
            there = sorted((known[uid] for uid in seed if uid in known), key=lambda row: row.name.casefold())
            name = " and ".join(row.name for row in there) or "a deleted player"
            entries[index] = BracketEntry(index + 1, name, tuple(row.id for row in there))
        return entries

    def _match(self, key: str, one: BracketEntry | None, other: BracketEntry | None) -> Match:
        if NO_ENTRY in (one, other):
            return Match(key, (one, other), winner=other if one == NO_ENTRY else one)
        picked = self._games.get(self.kept.games.get(key, ""))
        if picked is None or one is None or other is None:
            return Match(key, (one, other))
        game, units = picked
        return Match(key, (one, other), game, _winner(units, one, other))

    @property
    def winner(self) -> BracketEntry | None:
        """The winner of the final; None while it is open."""
        return self.rounds[-1][0].winner

    def match(self, key: str) -> Match | None:
        return next((match for matches in self.rounds for match in matches if match.key == key), None)


def candidates(season: Season, match: Match) -> list[MatchGame]:
    """The games since the season's first day in which the two entries met, and one of them won; latest first."""
    one, other = match.entries
    if one is None or other is None:
        return []
    games = _results(season, Result.player_id.in_((*one.ids, *other.ids)), Result.played >= season.starts)
    return [game for game, units in games.items() if _winner(units, one, other)][:MOST_CANDIDATES]


def seeds_of(lines: Sequence[Any], size: int, uids: Mapping[int, str]) -> tuple[Seed, ...]:
    """The first `size` entries of a table as seeds, by place; with divisions the leaders, then the second places.

    `lines` are those of `standings`, `uids` those of the players by id. A line without a place has no seed, nor has a
    line without a division if there are divisions.
    """
    turns: dict[str, int] = {}
    ranked = []
    has_divisions = any(line.division for line in lines)
    for line in lines:
        if line.place is not None and bool(line.division) == has_divisions:
            turn = turns[line.division] = turns.get(line.division, 0) + 1
            ranked.append((turn, line.division, line.player.id))
    entries = [number for _, _, number in sorted(ranked, key=lambda one: one[:2])][:size]
    return tuple(tuple(uids[one] for one in players_in(entry)) for entry in entries)


# --- the stored settings ----------------------------------------------------------------------------------------------


MOST_POINTS = 99  # maximum of a bonus, and of a penalty
MOST_BONUSES = 500  # per season
LONGEST_REASON = 80
DIVISIONS = ("A", "B", "C", "D")


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points for a player, or (below 0) a penalty, with the reason; an undone one is kept and does not count.

    The player is named by uid, which is the same in every copy of the club.
    """

    player: str
    points: int
    reason: str
    day: date
    uid: str = field(default_factory=new_uid)
    undone: bool = False

    @classmethod
    def from_dict(cls, kept: Json) -> Bonus:
        return cls(**{**kept, "day": date.fromisoformat(kept["day"])})

    def to_dict(self) -> Json:
        names = "uid", "player", "points", "reason", "undone"
        return {name: getattr(self, name) for name in names} | {"day": self.day.isoformat()}


@dataclass(frozen=True, slots=True)
class League:
    """A season's settings: bonuses in the order given, the division by player's uid, and the playoffs.

    `start` are the uids of the players who begin on a ladder's rungs, top rung first.
    """

    bonuses: tuple[Bonus, ...] = ()
    division_of: Mapping[str, str] = field(default_factory=dict)
    playoffs: Playoffs | None = None
    start: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, kept: Json | None) -> League:
        """Read `Season.league`; None is empty."""
        if not kept:
            return cls()
        divisions = {player: name for name, players in kept["divisions"].items() for player in players}
        playoffs = Playoffs.from_dict(kept.get("playoffs"))
        return cls(tuple(map(Bonus.from_dict, kept["bonuses"])), divisions, playoffs, tuple(kept.get("start", ())))

    def to_dict(self) -> Json | None:
        """Serialize for `Season.league`; None if empty."""
        divisions: dict[str, list[str]] = {name: [] for name in sorted(set(self.division_of.values()))}
        for player, name in self.division_of.items():
            divisions[name].append(player)
        if not (self.bonuses or divisions or self.playoffs or self.start):
            return None
        kept: Json = {"bonuses": [bonus.to_dict() for bonus in self.bonuses], "divisions": divisions}
        if self.playoffs:
            kept["playoffs"] = self.playoffs.to_dict()
        return kept | {"start": list(self.start)} if self.start else kept

    def rename(self, names: Mapping[str, str | None]) -> League:
        """A copy with the players of these uids under other uids, or removed (None).

        Two players who become one keep the first division and rung. The bracket is dropped if a seed would be left
        without a player.
        """

        def renamed(uids: Iterable[str]) -> tuple[str, ...]:
            return tuple(now for uid in uids if (now := names.get(uid, uid)))

        bonuses = tuple(replace(one, player=uid) for one in self.bonuses for uid in renamed([one.player]))
        divisions: dict[str, str] = {}
        for player, name in self.division_of.items():
            for uid in renamed([player]):
                divisions.setdefault(uid, name)
        seeds = tuple(map(renamed, self.playoffs.seeds)) if self.playoffs else ()
        playoffs = replace(self.playoffs, seeds=seeds) if self.playoffs and all(seeds) else None
        return League(bonuses, divisions, playoffs, tuple(dict.fromkeys(renamed(self.start))))

    def of(self, players: Collection[str]) -> League:
        """A copy without all players who are not among `players`."""
        return self.rename(dict.fromkeys(self.players.difference(players)))

    @property
    def players(self) -> set[str]:
        """The uids of all players who are named in it."""
        seeds = self.playoffs.seeds if self.playoffs else ()
        named = *(bonus.player for bonus in self.bonuses), *self.division_of, *self.start
        return {*named, *(uid for seed in seeds for uid in seed)}

    def again(self, was: League, became: League, players: Collection[str]) -> League:
        """A copy that restores what `was` has of `players`, who were removed or merged, which made `became` of it.

        Parts unchanged since are restored exactly; in others the players are put back, and later changes stay.
        """
        given = {bonus.uid: bonus for bonus in was.bonuses if bonus.player in players}
        gone = (bonus for uid, bonus in given.items() if not self.find(uid))
        kept = (replace(one, player=given[one.uid].player) if one.uid in given else one for one in self.bonuses)
        bonuses = was.bonuses if self.bonuses == became.bonuses else (*gone, *kept)
        now, divisions = self.division_of, was.division_of
        if now != became.division_of:
            unmoved = {one for one in players if now.get(one) == became.division_of.get(one)}  # not moved since
            others = {one: name for one, name in now.items() if one not in unmoved}
            divisions = others | {one: name for one, name in divisions.items() if one in unmoved}
        start = was.start if self.start == became.start else _restored_order(self.start, was.start, players)
        drawn, renamed, first = self.playoffs, became.playoffs, was.playoffs
        playoffs = first if drawn == renamed else drawn
        if drawn != renamed and drawn and renamed and first and len(drawn.seeds) == len(first.seeds):
            seeds = zip(drawn.seeds, renamed.seeds, first.seeds, strict=True)
            playoffs = replace(drawn, seeds=tuple(old if new == same else new for new, same, old in seeds))
        return League(bonuses, divisions, playoffs, start)

    @property
    def counting(self) -> list[Bonus]:
        return [bonus for bonus in self.bonuses if not bonus.undone]

    def find(self, uid: str) -> Bonus | None:
        return next((bonus for bonus in self.bonuses if bonus.uid == uid), None)

    def with_bonus(self, bonus: Bonus) -> League:
        """A copy with a bonus added, or replacing the one with its uid."""
        if self.find(bonus.uid):
            return replace(self, bonuses=tuple(bonus if one.uid == bonus.uid else one for one in self.bonuses))
        return replace(self, bonuses=(*self.bonuses, bonus))


def league_of(season: Season | None) -> League:
    """What an organizer has set for a season; nothing without one."""
    return League.from_dict(season.league if season else None)


def bracket_of(season: Season) -> Bracket | None:
    """The playoffs of a season with their matches; None if none were drawn."""
    kept = league_of(season).playoffs
    return Bracket(season, kept) if kept else None


def ids_of(club_id: int) -> dict[str, int]:
    """The ids of a club's players by their uids."""
    rows = db.session.execute(select(Player.uid, Player.id).where(Player.club_id == club_id))
    return {row.uid: row.id for row in rows}


# --- merging two players, and undoing it --------------------------------------------------------------------------


def leagues_naming(club: Club, uid: str) -> dict[str, Json]:
    """The settings of all seasons that name a player, by season uid, to restore them exactly with the player."""
    told = ((season, league_of(season)) for season in club.seasons)
    return {season.uid: {"was": league.to_dict()} for season, league in told if uid in league.players}


def rename_in_leagues(club: Club, old: str, new: str | None) -> None:
    """Replace a player by another one in all seasons; None: remove the player."""
    for season in club.seasons:
        league = league_of(season)
        if old in league.players:
            season.league = league.rename({old: new}).to_dict()


def restore_in_leagues(club: Club, uid: str, leagues: Mapping[str, Json], into: str | None = None) -> None:
    """Restore what `leagues_naming` returned, for a player who was removed, or merged `into` another one."""
    for season in club.seasons:
        said = leagues.get(season.uid)
        if said is None or (into and not season.league):
            continue
        league = league_of(season)
        if into and "was" not in said:
            league = _unmerged(league, into, uid, said)
        else:
            was = League.from_dict(said["was"])
            league = league.again(was, was.rename({uid: into}), {uid, into or uid})
        season.league = league.to_dict()


def _restored_order(start: Sequence[str], was: Sequence[str], players: Collection[str]) -> tuple[str, ...]:
    """A starting order with players back in place: each after the last of those who preceded it in `was`."""
    order = [one for one in start if one not in players]
    for place, one in enumerate(was):
        if one in players:
            before = [order.index(other) for other in was[:place] if other in order]
            order.insert(max(before, default=-1) + 1, one)
    return tuple(order)


def _unmerged(league: League, old: str, new: str, was: Json) -> League:
    """A copy with a merged player separated again, from the format of earlier versions."""
    bonuses = tuple(
        replace(one, player=new) if one.player == old and one.uid in was["bonuses"] else one for one in league.bonuses
    )
    divisions = {**league.division_of, **({new: was["division"]} if was["division"] else {})}
    playoffs, start, rungs = league.playoffs, league.start, was.get("start", ())
    if playoffs:
        seeds = (
            tuple(new if uid == old and index in was["seeds"] else uid for uid in seed)
            for index, seed in enumerate(playoffs.seeds)
        )
        playoffs = replace(playoffs, seeds=tuple(seeds))
    if rungs and old not in rungs:  # the player it was merged into had no rung
        start = tuple(new if uid == old else uid for uid in start)
    elif rungs:  # after the last of those who preceded it
        before = [uid for uid in rungs[: rungs.index(new)] if uid in start]
        place = start.index(before[-1]) + 1 if before else 0
        start = (*start[:place], new, *start[place:])
    return League(bonuses, divisions, playoffs, start)

"""What an organizer sets for a season beside its games: bonus points, divisions, playoffs, where a ladder begins.

Playoffs are drawn from the season's table. The first of the table has seed 1, and so on; of divisions the leaders come
first, then the second places. Seed 1 meets the last seed, and 1 and 2 can meet in the final only. Where there are fewer
players than seeds, the first have a bye.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import aliased

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game, Json, Player, Result, Season, new_uid

from .query import as_counted_in, players_in

# --- playoffs ---------------------------------------------------------------------------------------------------------


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
    def from_dict(cls, kept: Json | None) -> Playoffs | None:
        if not kept:
            return None
        return cls(kept["size"], tuple(map(tuple, kept["seeds"])), dict(kept["games"]))

    def to_dict(self) -> Json:
        games = {match: self.games[match] for match in sorted(self.games)}
        return {"size": self.size, "seeds": [list(seed) for seed in self.seeds], "games": games}

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
    return tuple(tuple(uids[one] for one in players_in(entry)) for entry in entries)


# --- what a season keeps ----------------------------------------------------------------------------------------------


MOST_POINTS = 99  # of one bonus, and of one penalty
MOST_BONUSES = 500  # of a season
LONGEST_REASON = 80
DIVISIONS = ("A", "B", "C", "D")


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points given to a player, or (below 0) a penalty, with the reason; what was undone is kept and does not count.

    The player is named by uid, so that it holds in every copy of the club.
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
    """The bonuses of a season in the order in which they were given, the uids in each division, and the playoffs.

    `start` has the uids of those who begin on a ladder's rungs, the first at the top.
    """

    bonuses: tuple[Bonus, ...] = ()
    divisions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    playoffs: Playoffs | None = None
    start: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, kept: Json | None) -> League:
        """What a season keeps; nothing where it keeps none."""
        if not kept:
            return cls()
        divisions = {name: tuple(players) for name, players in kept["divisions"].items()}
        playoffs = Playoffs.from_dict(kept.get("playoffs"))
        return cls(tuple(map(Bonus.from_dict, kept["bonuses"])), divisions, playoffs, tuple(kept.get("start", ())))

    def to_dict(self) -> Json | None:
        """What a season keeps; None for nothing."""
        divisions = {name: list(self.divisions[name]) for name in sorted(self.divisions) if self.divisions[name]}
        if not (self.bonuses or divisions or self.playoffs or self.start):
            return None
        kept: Json = {"bonuses": [bonus.to_dict() for bonus in self.bonuses], "divisions": divisions}
        if self.playoffs:
            kept["playoffs"] = self.playoffs.to_dict()
        return kept | {"start": list(self.start)} if self.start else kept

    def rename(self, names: Mapping[str, str]) -> League:
        """The same with the players of these uids under others; two who become one have the first division and rung."""
        return self._with_players(lambda uid: names.get(uid, uid))

    def of(self, players: Collection[str]) -> League:
        """The same without whoever is not among these."""
        return self._with_players(lambda uid: uid if uid in players else None)

    def _with_players(self, renamed: Callable[[str], str | None]) -> League:
        """The same with everybody under another uid; who has none is gone.

        There is no bracket then in which somebody would be against nobody.
        """

        def all_of(uids: Iterable[str]) -> Iterator[str]:
            return filter(None, map(renamed, uids))

        bonuses = tuple(replace(one, player=uid) for one in self.bonuses for uid in all_of([one.player]))
        divisions: dict[str, tuple[str, ...]] = {}
        there: set[str] = set()
        for name, players in self.divisions.items():
            divisions[name] = tuple(uid for uid in dict.fromkeys(all_of(players)) if uid not in there)
            there.update(divisions[name])
        seeds = tuple(tuple(all_of(seed)) for seed in self.playoffs.seeds) if self.playoffs else ()
        playoffs = replace(self.playoffs, seeds=seeds) if self.playoffs and all(seeds) else None
        return League(bonuses, divisions, playoffs, tuple(dict.fromkeys(all_of(self.start))))

    @property
    def players(self) -> set[str]:
        """The uids of everybody who is named in it."""
        seeds = self.playoffs.seeds if self.playoffs else ()
        named = *(bonus.player for bonus in self.bonuses), *self.division_of, *self.start
        return {*named, *(uid for seed in seeds for uid in seed)}

    def again(self, was: League, became: League, players: Collection[str]) -> League:
        """The same with what `was` said of these players, before they went or were merged, which made `became` of it.

        What nobody has changed since is as it was, to the letter; elsewhere they come back, and what is new stays.
        """
        given = {bonus.uid: bonus.player for bonus in was.bonuses}
        there = {bonus.uid for bonus in self.bonuses}
        gone = tuple(bonus for bonus in was.bonuses if bonus.uid not in there and bonus.player in players)
        kept = tuple(replace(one, player=given[one.uid]) if one.uid in given and given[one.uid] in players else one
                     for one in self.bonuses)  # fmt: skip
        bonuses = was.bonuses if self.bonuses == became.bonuses else (*gone, *kept)
        divisions = was.divisions if self.divisions == became.divisions else self._divided_again(was, became, players)
        start = was.start if self.start == became.start else _ordered_again(self.start, was.start, players)
        playoffs = was.playoffs if self.playoffs == became.playoffs else self.playoffs
        if playoffs and playoffs is not was.playoffs and was.playoffs and became.playoffs:
            seeds = zip(playoffs.seeds, was.playoffs.seeds, became.playoffs.seeds, strict=False)
            same = len(playoffs.seeds) == len(was.playoffs.seeds)
            known = tuple(before if now == then else now for now, before, then in seeds)
            playoffs = replace(playoffs, seeds=known) if same else playoffs
        return League(bonuses, divisions, playoffs, start)

    def _divided_again(self, was: League, became: League, players: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        now, then, before = self.division_of, became.division_of, was.division_of
        same = {one for one in players if now.get(one) == then.get(one)}  # nobody has put them elsewhere since
        others = {one: name for one, name in now.items() if one not in same}
        return self.with_divisions(others | {one: before[one] for one in was.division_of if one in same}).divisions

    # --- bonuses ---

    @property
    def counting(self) -> list[Bonus]:
        return [bonus for bonus in self.bonuses if not bonus.undone]

    def find(self, uid: str) -> Bonus | None:
        return next((bonus for bonus in self.bonuses if bonus.uid == uid), None)

    def with_bonus(self, bonus: Bonus) -> League:
        """The same with a bonus more, or with it in the place of the one of its uid."""
        if self.find(bonus.uid):
            return replace(self, bonuses=tuple(bonus if one.uid == bonus.uid else one for one in self.bonuses))
        return replace(self, bonuses=(*self.bonuses, bonus))

    # --- divisions ---

    @property
    def division_of(self) -> dict[str, str]:
        """Each player's division; who is in none is not there."""
        return {player: name for name, players in self.divisions.items() for player in players}

    def with_divisions(self, division_of: Mapping[str, str]) -> League:
        """The same with these players in these divisions, and nobody else in any."""
        names = sorted(set(division_of.values()))
        members = {name: tuple(player for player in division_of if division_of[player] == name) for name in names}
        return replace(self, divisions=members)


def league_of(season_id: int | None) -> League:
    """What is set for a season; nothing for the games of no one season."""
    season = db.session.get(Season, season_id) if season_id else None
    return League.from_dict(season.league if season else None)


def bracket_of(season: Season) -> Bracket | None:
    """The playoffs of a season with their matches; None where none were drawn."""
    kept = League.from_dict(season.league).playoffs
    return Bracket(season, kept) if kept else None


def start_of(club_id: int, season_id: int | None) -> list[int]:
    """The ids of the players who begin on the rungs of a season's ladder, the first at the top."""
    start = league_of(season_id).start
    ids = ids_of(club_id) if start else {}
    return [ids[uid] for uid in start if uid in ids]


def ids_of(club_id: int) -> dict[str, int]:
    """The ids of a club's players by their uids."""
    rows = db.session.execute(select(Player.uid, Player.id).where(Player.club_id == club_id))
    return {row.uid: row.id for row in rows}


# --- two players merged, and taken apart --------------------------------------------------------------------------


WAS = "was"


def said_of(club: Club, uid: str) -> dict[str, Json]:
    """All that is set for each season that names a player, to come back to the letter when the player does."""
    told = ((season, League.from_dict(season.league)) for season in club.seasons)
    return {season.uid: {WAS: league.to_dict()} for season, league in told if uid in league.players}


def leave_leagues(club: Club, uid: str) -> None:
    """Let nothing be set for a player any more."""
    _change(club, uid, lambda league: league.of(league.players - {uid}))


def rename_in_leagues(club: Club, old: str, new: str) -> None:
    """Let what was set for one player be of another."""
    _change(club, old, lambda league: league.rename({old: new}))


def _change(club: Club, uid: str, change: Callable[[League], League]) -> None:
    """Change what is set for the seasons that name a player."""
    for season in club.seasons:
        league = League.from_dict(season.league)
        if uid in league.players:
            season.league = change(league).to_dict()


def return_to_leagues(club: Club, uid: str, told: Mapping[str, Json]) -> None:
    """Let what `said_of` has told be set again for a player who had left."""
    for season in club.seasons:
        if season.uid in told:
            was = League.from_dict(told[season.uid][WAS])
            now, became = League.from_dict(season.league), was.of(was.players - {uid})
            season.league = now.again(was, became, {uid}).to_dict()


def give_back(club: Club, old: str, new: str, told: Mapping[str, Json]) -> None:
    """Let what `said_of` has told be of a player of its own again."""
    for season in club.seasons:
        if season.uid in told and season.league:
            league, was = League.from_dict(season.league), told[season.uid]
            if WAS in was:
                before = League.from_dict(was[WAS])
                season.league = league.again(before, before.rename({new: old}), {old, new}).to_dict()
                continue
            # as earlier versions told it
            bonuses = (
                replace(one, player=new) if one.player == old and one.uid in was["bonuses"] else one
                for one in league.bonuses
            )
            divisions = league.division_of | ({new: was["division"]} if was["division"] else {})
            playoffs = league.playoffs and _with_seeds(league.playoffs, old, new, was["seeds"])
            start = _with_start(league.start, old, new, was.get("start", ()))
            changed = replace(league, bonuses=tuple(bonuses), playoffs=playoffs, start=start).with_divisions(divisions)
            season.league = changed.to_dict()


def _ordered_again(start: Sequence[str], was: Sequence[str], players: Collection[str]) -> tuple[str, ...]:
    """A starting order with players where they were: each behind the last one of those who stood before."""
    order = [one for one in start if one not in players]
    for place, one in enumerate(was):
        if one in players:
            before = [order.index(other) for other in was[:place] if other in order]
            order.insert(max(before, default=-1) + 1, one)
    return tuple(order)


def _with_start(start: Sequence[str], old: str, new: str, was: Sequence[str]) -> tuple[str, ...]:
    """The same with a player of its own again: behind the last one of those who were before."""
    if not was:
        return tuple(start)
    if old not in was:  # the one that it was merged into had no rung
        return tuple(new if uid == old else uid for uid in start)
    before = [uid for uid in was[: was.index(new)] if uid in start]
    place = start.index(before[-1]) + 1 if before else 0
    return (*start[:place], new, *start[place:])


def _with_seeds(playoffs: Playoffs, old: str, new: str, at: Collection[int]) -> Playoffs:
    """The same with another player in some seeds."""
    seeds = (
        tuple(new if uid == old and index in at else uid for uid in seed) for index, seed in enumerate(playoffs.seeds)
    )
    return replace(playoffs, seeds=tuple(seeds))

"""Match a club file with a club: its players, its seasons, and each game with its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, BinaryIO, NamedTuple

from sqlalchemy import Row, select

from scorekeeper.database.session import db
from scorekeeper.models import (
    ABANDONED,
    NAME_LENGTH,
    Club,
    Game,
    Player,
    Season,
    seated_by_hand,
    seated_twice,
)
from scorekeeper.scoring.problems import refusal
from scorekeeper.services import club_log, custom_rules, deleted_items
from scorekeeper.services.change_log import Entry, is_same, seats_in, with_seats
from scorekeeper.services.club_log import Former

from .club_writer import Parts, parts_of
from .columns import FIXED, GAME, columns_of, name_key, with_role
from .game_reader import GameInFile, with_names
from .reader import ClubFile

NEW, KNOWN, NEWER, CLASH = ("new", "known", "newer", "clash")
DELETED = "it was deleted here. You can take it back under Changes"


class GameMatch(NamedTuple):
    """How a game of the file relates to the club: `game` is the club's, `why` says what differs in a clash."""

    what: str
    game: Row[Any] | None = None
    why: str = ""


class Existing(NamedTuple):
    """A player or a season of the club."""

    id: int
    uid: str
    name: str


class People(NamedTuple):
    """The file's players in this club, by the file's uids: `ours` are matched, the others are new."""

    ours: Mapping[str, Existing]
    new: Mapping[str, str]
    called: Mapping[str, str]  # name here, of every player of the file
    names: Mapping[str, str]  # name here by the key of the name in the file (see `name_key`), where the two differ
    by_name: list[tuple[str, str]]  # matched by present name alone: name in the file, name here
    otherwise: list[tuple[str, str]]  # other name here after a rename or a merge: name in the file, name here
    stand_in: Mapping[str, str]  # of several merged here, the uid of the first


def rows_of_club(table: type[Player] | type[Season], club_id: int | None) -> list[Existing]:
    """Return the players or the seasons of a club; empty without a club."""
    mine = select(table.id, table.uid, table.name).where(table.club_id == club_id).order_by(table.id)
    return [Existing(*row) for row in db.session.execute(mine)]


def match_players(here: Sequence[Existing], told: Mapping[str, Player], former: Former) -> People:
    """Match players by uid, following merges; else by present name; else by a former name.

    No two players are matched with the same one by name.
    """
    by_uid = {player.uid: player for player in here}
    now = {uid: uid if uid in by_uid else former.now(uid) for uid in told}
    ours = {uid: by_uid[now[uid]] for uid in told if now[uid] in by_uid}
    claimed = {player.uid for player in ours.values()}

    def known_by(names: Mapping[str, Collection[str]]) -> dict[str, Existing]:
        """Match remaining players whose name has exactly one owner that is not matched yet."""
        found = {}
        for uid, player in told.items():
            same = [one for one in names.get(name_key(player.name), ()) if one in by_uid]
            if uid not in ours and len(same) == 1 and same[0] not in claimed:
                found[uid] = by_uid[same[0]]
                claimed.add(same[0])
        return found

    by_name = known_by({name_key(player.name): [player.uid] for player in here})
    ours |= by_name
    ours |= known_by(former.names)
    new = free_names([player.name for player in here], {u: p.name for u, p in told.items() if u not in ours})
    called = {uid: ours[uid].name if uid in ours else new[uid] for uid in told}
    names = {name_key(player.name): called[uid] for uid, player in told.items() if called[uid] != player.name}
    pairs = [(told[uid].name, player.name) for uid, player in ours.items()]
    otherwise = [(there, name) for there, name in pairs if name_key(there) != name_key(name)]
    first: dict[int, str] = {}  # of several in the file who are one player here, the first
    stand_in = {uid: one for uid, player in ours.items() if (one := first.setdefault(player.id, uid)) != uid}
    return People(
        ours,
        new,
        called,
        names,
        [pair for uid, pair in zip(ours, pairs, strict=True) if uid in by_name],
        otherwise,
        stand_in,
    )


def free_names(taken: Iterable[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the wanted names; taken ones get a number appended."""
    used = {name_key(name) for name in taken}
    names = {}
    for uid, name in wanted.items():
        free, number = name, 1
        while name_key(free) in used:
            number += 1
            ending = f" ({number})"
            free = name[: NAME_LENGTH - len(ending)] + ending
        used.add(name_key(free))
        names[uid] = free
    return names


# --- games --------------------------------------------------------------------------------------------------------


FIXED_COLUMNS = with_role(GAME, FIXED)


def _sits_twice(told: GameInFile, people: People) -> str:
    """Return why a game clashes if two of its players were merged here; else ""."""
    if not people.otherwise:
        return ""
    names = [people.called[uid] for uid in told.seats]
    seated = seated_by_hand(names, [hand.facts for hand in told.hands])
    twice = next((name for each in seated if (name := seated_twice(each))), None)
    return f"{twice} would sit in two seats, after a merge" if twice else ""


def _other_game(game: Row[Any], told: GameInFile) -> str:
    """Return what differs in properties that never change, besides players; else ""."""
    different = [name for name in FIXED_COLUMNS if getattr(game, name) != getattr(told, name)]
    if different == ["played"]:
        return "it has another date"
    return "it has other rules" if different else ""


def _names_in(log: Sequence[Entry]) -> list[str]:
    return [name for one in log for facts in (one.before, one.after) for name in seats_in(facts).values()]


def _without_names(one: Entry) -> Entry:
    before, after = (facts and with_seats(facts, {}) for facts in (one.before, one.after))
    return one._replace(before=before, after=after)


def _only(is_here: bool) -> str:
    return "here, but not in the file" if is_here else "in the file, but not here"


def _other_state(game: Row[Any], also: set[int], told: GameInFile, seasons: Mapping[str, Existing]) -> str:
    """Return what differs between two games with the same log; else ""."""
    if (game.state == ABANDONED) != (told.state == ABANDONED):
        return f"it is abandoned {_only(game.state == ABANDONED)}"
    if game.left_out != told.left_out:
        return f"it counts {_only(not game.left_out)}"
    if game.paper != told.paper:
        return "it has another score"
    theirs = seasons.get(told.season_id or "")
    if game.season_id != (theirs.id if theirs else None) or (told.season_id and not theirs):
        return "it is in another season"
    if also != {seasons[uid].id if uid in seasons else None for uid in told.also}:
        return "its other seasons are different"
    return ""


# --- preview ---------------------------------------------------------------------------------------------------------


TOO_MANY_HANDS = (
    "This file has more than {most:,} hands. Nothing was changed. "
    "On the server, scorekeeper import takes files of any size."
)
MOST_NAMED = 50  # games listed individually in a report
LAST_NUMBER = 900_000_000  # largest number taken from a file: URLs have nine digits, and some numbers must be left
# Games matched, counted and written per batch; writing one takes a tenth of a second.
BATCH_GAMES, BATCH_HANDS = 200, 1_500


@dataclass
class Report:
    """What a file holds for a club. `named` lists games that are neither new nor known: number, and why."""

    name: str
    takes_name: bool
    players_new: list[str]
    players_by_name: list[tuple[str, str]]
    seasons_new: list[str]
    players_otherwise: list[tuple[str, str]] = field(default_factory=list)
    rules_new: list[str] = field(default_factory=list)
    games: Counter[str] = field(default_factory=Counter)
    renumbered: int = 0
    named: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: {NEWER: [], CLASH: []})

    @property
    def changes_something(self) -> bool:
        new = self.players_new or self.seasons_new or self.rules_new or self.takes_name
        return bool(new or self.games[NEW] or self.games[NEWER])

    def add(self, each: Matched) -> None:
        found = each.found
        self.games[found.what] += 1
        self.renumbered += found.what == NEW and each.number != each.told.number
        if found.what in self.named and len(self.named[found.what]) < MOST_NAMED:
            self.named[found.what].append((each.number, found.why))


def preview_import(club: Club, file: BinaryIO, most_hands: int | None = None) -> Report:
    """Return what an import would do, without writing. Raises LineRefused, and Refused beyond `most_hands`."""
    match = Match(club, ClubFile(file), most_hands)
    for _ in match.batches():
        pass
    return match.report


@dataclass(frozen=True, slots=True)
class Matched:
    """A game of the file with names as here, its line, its match, and its number in the club."""

    told: GameInFile
    line: int
    found: GameMatch
    number: int


class Match:
    """A file matched with a club, or with none: players, seasons and games."""

    def __init__(self, club: Club | None, source: ClubFile, most_hands: int | None = None) -> None:
        self.source, self.most_hands = source, most_hands
        self.home = club.id if club else None
        self.players_here, self.seasons_here = rows_of_club(Player, self.home), rows_of_club(Season, self.home)
        self.people = match_players(self.players_here, source.players, club_log.former(self.home))
        self._names_here = {player.id: player.name for player in self.players_here}
        self.seasons = {season.uid: season for season in self.seasons_here if season.uid in source.seasons}
        wanted = {uid: season.name for uid, season in source.seasons.items() if uid not in self.seasons}
        self.season_names = free_names([season.name for season in self.seasons_here], wanted)
        self._numbers = set(db.session.scalars(select(Game.number).where(Game.club_id == self.home)))
        self._highest = max(self._numbers, default=0)
        takes_name = not (self.players_here or self.seasons_here or self._numbers)
        name = club.name if club and not takes_name else source.head.name
        people, seasons = self.people, list(self.season_names.values())
        rules = [own.name for own in custom_rules.missing(club, source.head.rules)]
        new = list(people.new.values())
        self.report = Report(name, takes_name, new, people.by_name, seasons, people.otherwise, rules)

    def batches(self) -> Iterator[list[Matched]]:
        """Yield the games of the file in batches, adding each to the report. Raises Refused beyond `most_hands`.

        Names are those in the club; players merged there are one player here.
        """
        batch: list[tuple[GameInFile, int]] = []
        hands = all_hands = 0
        for read in self.source.games():
            told = with_names(read, self.people.names)
            told = replace(told, seats=tuple(self.people.stand_in.get(uid, uid) for uid in told.seats))
            batch.append((told, self.source.line))
            hands += len(told.hands)
            all_hands += len(told.hands)
            if self.most_hands is not None and all_hands > self.most_hands:
                raise refusal("too-many-hands", TOO_MANY_HANDS.format(most=self.most_hands))
            if len(batch) == BATCH_GAMES or hands > BATCH_HANDS:
                yield self._matched(batch)
                batch, hands = [], 0
        yield self._matched(batch)

    def _matched(self, batch: list[tuple[GameInFile, int]]) -> list[Matched]:
        matched = []
        for (told, line), found in zip(batch, self.compared([told for told, _ in batch]), strict=True):
            number = found.game.number if found.game else told.number
            each = Matched(told, line, found, self._new_number(number) if found.what == NEW else number)
            self.report.add(each)
            matched.append(each)
        return matched

    def compared(self, games: Sequence[GameInFile]) -> list[GameMatch]:
        """Match games of the file with the club's, which are read in one query."""
        uids = [told.uid for told in games]
        found = select(Game.id, *columns_of(GAME)).where(Game.club_id == self.home, Game.uid.in_(uids))
        rows = {row.uid: row for row in db.session.execute(found)}
        deleted = deleted_items.games_among(self.home, uids)
        parts = parts_of([row.id for row in rows.values()], entered=False)
        return [
            self._compare(told, row, parts[row.id] if row else Parts(), told.uid in deleted)
            for told, row in ((told, rows.get(told.uid)) for told in games)
        ]

    def _compare(self, told: GameInFile, game: Row[Any] | None, parts: Parts, is_deleted: bool) -> GameMatch:
        """Match a game of the file, with names as in the club, with the club's `game` of the same uid."""
        people = self.people
        if game is None:
            why = DELETED if is_deleted else _sits_twice(told, people)
            return GameMatch(CLASH if why else NEW, None, why)
        ours, theirs = parts.log, told.log
        if parts.seats != [people.ours[uid].id if uid in people.ours else None for uid in told.seats]:
            return GameMatch(CLASH, game, self._other_players(parts, told))
        if why := _other_game(game, told):
            return GameMatch(CLASH, game, why)
        for one, other in zip(ours, theirs, strict=False):
            if one != other or not (is_same(one.before, other.before) and is_same(one.after, other.after)):
                is_replaced = list(map(_without_names, ours)) == list(map(_without_names, theirs))
                changed = "its hands were changed here and in the file"
                return GameMatch(CLASH, game, self._other_players(parts, told) if is_replaced else changed)
        if len(theirs) > len(ours):
            why = _sits_twice(told, people)
            return GameMatch(CLASH if why else NEWER, game, why)
        why = "" if len(ours) > len(theirs) else _other_state(game, set(parts.also), told, self.seasons)
        return GameMatch(CLASH if why else KNOWN, game, why)

    def _other_players(self, parts: Parts, told: GameInFile) -> str:
        """Return who is in a game only here, and who only in the file: a player may have been replaced."""
        ours = [*map(self._names_here.__getitem__, parts.seats), *_names_in(parts.log)]
        theirs = [*(self.people.called[uid] for uid in told.seats), *_names_in(told.log)]
        here = [name for name in dict.fromkeys(ours) if name not in theirs]
        there = [name for name in dict.fromkeys(theirs) if name not in ours]
        if not (here and there):
            return "it has other players"
        return f"{' and '.join(here)} played it here, {' and '.join(there)} in the file"

    def _new_number(self, wanted: int) -> int:
        """Return the number of a new game: its own, or the next free one."""
        if wanted > LAST_NUMBER or wanted in self._numbers:
            wanted = self._highest + 1
        self._numbers.add(wanted)
        self._highest = max(self._highest, wanted)
        return wanted


# --- report ----------------------------------------------------------------------------------------------------------


MOST_NAMES = 12
MOST_LETTERS = 240  # in all names of a sentence; the first name is always included


def report_sentences(report: Report, *, done: bool) -> list[str]:
    """Return sentences about what an import did, or would do."""
    games = report.games
    new = ("player", report.players_new), ("season", report.seasons_new), ("rule set", report.rules_new)
    by_name = [there if there == here else f"{there} as {here}" for there, here in report.players_by_name]
    otherwise = [f"{there} is {here}" for there, here in report.players_otherwise]
    numbers = ", ".join(str(number) for number, _ in report.named[NEWER])
    more = " and more" if games[NEWER] > MOST_NAMED else ""
    newer = f"{'game' if games[NEWER] == 1 else 'games'} {numbers}{more}"
    sentences = [
        f"{count(games[NEW], 'new game')} {'imported into' if done else 'for'} {report.name}",
        f"{count(games[KNOWN], 'game')} already saved, identical" if games[KNOWN] else "",
        f"{count(games[NEWER], 'game')} {'updated' if done else 'to update'}: {newer}" if games[NEWER] else "",
        *(_listed(f"{count(len(names), f'new {what}')}: ", names) for what, names in new),
        _listed("Matched by name: ", by_name),
        _listed("Known here by another name: ", otherwise),  # after a rename or a merge
        _renumbered(report, done),
        *clashes(report, done),
    ]
    return [f"{sentence.removesuffix('.')}." for sentence in sentences if sentence]  # a name may end with a full stop


def clashes(report: Report, done: bool) -> list[str]:
    """Return a sentence for each clash, up to MOST_NAMED, and one for the rest."""
    skipped = "was skipped" if done else "will be skipped"
    told = [f"Game {number} {skipped}: {why}." for number, why in report.named[CLASH]]
    more = report.games[CLASH] - len(told)
    if more:
        told.append(f"{count(more, 'more game')} {skipped.replace('was', 'were') if more > 1 else skipped}.")
    return told


def count(number: int, what: str) -> str:
    """Return a count in words: 1 game, 2 games, No games."""
    return f"{number or 'No'} {what}{'' if number == 1 else 's'}"


def _listed(what: str, names: Sequence[str]) -> str:
    """Return `what` followed by the names that fit in a sentence; "" without names."""
    told = [name for name, letters in zip(names, accumulate(map(len, names)), strict=True) if letters <= MOST_LETTERS]
    told = (told or list(names[:1]))[:MOST_NAMES]
    left = len(names) - len(told)
    return f"{what}{', '.join(told)}" + (f" and {left} more" if left else "") if names else ""


def _renumbered(report: Report, done: bool) -> str:
    if not report.renumbered:
        return ""
    new = "a new number: its number is" if report.renumbered == 1 else "new numbers: their numbers are"
    return f"{count(report.renumbered, 'game')} {'got' if done else 'will get'} {new} taken."

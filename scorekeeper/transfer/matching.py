"""What of a club's file a club has already: its players, its seasons, and each game with its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.services import club_log, custom_rules, deleted_items
from scorekeeper.services.change_log import is_same
from scorekeeper.services.club_log import Former
from scorekeeper.transfer.club_writer import parts_of
from scorekeeper.transfer.columns import FIXED, GAME, known_as, with_role
from scorekeeper.transfer.game_reader import GameInFile, with_names, without_substitutes
from scorekeeper.transfer.reader import ClubFile

NEW, KNOWN, NEWER, CLASH = ("new", "known", "newer", "clash")
DELETED = "it was deleted here, and Changes can take it back"
NOBODY = Former({}, {})


class GameMatch(NamedTuple):
    """What a game of the file is to the club: of a clash, `why` says what is different; `game` is the club's."""

    what: str
    game: Row[Any] | None = None
    why: str = ""


class Existing(NamedTuple):
    """A player or a season of the club."""

    id: int
    uid: str
    name: str


@dataclass(frozen=True)
class People:
    """The file's players in this club. `ours` is by the file's uids; whoever is not in it is new, and is called so."""

    ours: Mapping[str, Existing]
    new: Mapping[str, str]
    names: Mapping[str, str]  # who is called otherwise here: the name here by that of the file, casefolded
    by_name: tuple[tuple[str, str], ...]  # who was known by name alone: the name in the file, the one here
    otherwise: tuple[tuple[str, str], ...]  # who has another name here, after a rename or a merge
    stand_in: Mapping[str, str]  # who of the file is somebody else of it here, after a merge: that one's uid


def all_here(table: type[Player] | type[Season], club_id: int | None) -> list[Existing]:
    """The players or the seasons of a club; of none, nobody."""
    mine = select(table.id, table.uid, table.name).where(table.club_id == club_id).order_by(table.id)
    return [Existing(*row) for row in db.session.execute(mine)]


def match_players(here: Sequence[Existing], told: Mapping[str, Player], former: Former = NOBODY) -> People:
    """Players are known by their uid, also after a merge; else by their name; else by a name that they once had.

    By a name nobody is taken for two.
    """
    by_uid = {player.uid: player for player in here}
    now = {uid: uid if uid in by_uid else former.now(uid) for uid in told}
    by_uids = {uid: by_uid[now[uid]] for uid in told if now[uid] in by_uid}
    claimed = {player.uid for player in by_uids.values()}
    left = {known_as(player.name): player for player in here if player.uid not in claimed}
    strangers = {uid: player for uid, player in told.items() if uid not in by_uids}
    by_name = {uid: left[known_as(player.name)] for uid, player in strangers.items() if known_as(player.name) in left}
    once = _by_former_name(strangers, former, by_uid, by_uids | by_name)
    ours = by_uids | by_name | once
    new = free_names([player.name for player in here], {u: p.name for u, p in strangers.items() if u not in ours})
    called = {uid: ours[uid].name if uid in ours else new[uid] for uid in told}
    names = {known_as(player.name): called[uid] for uid, player in told.items() if called[uid] != player.name}
    otherwise = {u: p for u, p in (by_uids | once).items() if known_as(p.name) != known_as(told[u].name)}
    first: dict[int, str] = {}  # of several in the file who are one player here, who stands in for the others
    stand_in = {uid: one for uid, player in ours.items() if (one := first.setdefault(player.id, uid)) != uid}
    return People(ours, new, names, _pairs(told, by_name), _pairs(told, otherwise), stand_in)


def _by_former_name(
    strangers: Mapping[str, Player], former: Former, here: Mapping[str, Existing], known: Mapping[str, Existing]
) -> dict[str, Existing]:
    """Who of the file had that name here once; nobody where two had it, or who is in the file already."""
    claimed = {player.uid for player in known.values()}
    found: dict[str, Existing] = {}
    for uid, player in strangers.items():
        once = [one for one in former.names.get(known_as(player.name), ()) if one in here]
        if uid not in known and len(once) == 1 and once[0] not in claimed:
            found[uid] = here[once[0]]
            claimed.add(once[0])
    return found


def _pairs(told: Mapping[str, Player], found: Mapping[str, Existing]) -> tuple[tuple[str, str], ...]:
    return tuple((told[uid].name, player.name) for uid, player in found.items())


def match_seasons(here: Sequence[Existing], told: Mapping[str, Season]) -> tuple[dict[str, Existing], dict[str, str]]:
    """The seasons that the club has, by uid, and the names of those it has not."""
    ours = {season.uid: season for season in here if season.uid in told}
    return ours, free_names([s.name for s in here], {u: s.name for u, s in told.items() if u not in ours})


def free_names(taken: Iterable[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """A name for everybody who needs one: the one that is wanted, or, where that is taken, with a number behind it."""
    used = {known_as(name) for name in taken}
    names = {}
    for uid, name in wanted.items():
        free, number = name, 1
        while known_as(free) in used:
            number += 1
            ending = f" ({number})"
            free = name[: NAME_LENGTH - len(ending)] + ending
        used.add(known_as(free))
        names[uid] = free
    return names


# --- games --------------------------------------------------------------------------------------------------------


COLUMNS = [
    getattr(Game, name) for name in ("id", "uid", "number", "state", "left_out", "paper", "season_id", "previous_id")
]
FIXED_COLUMNS = with_role(GAME, FIXED)
COLUMNS += [getattr(Game, name) for name in FIXED_COLUMNS]


class Games:
    """The games of a club that have the same uids as some of the file, read at once."""

    def __init__(self, club_id: int | None, uids: Sequence[str]) -> None:
        found = select(*COLUMNS).where(Game.club_id == club_id, Game.uid.in_(uids))
        rows = db.session.execute(found).all() if club_id else []
        self._deleted = deleted_items.games_among(club_id, uids) if club_id else {}
        self._games = {row.uid: row for row in rows}
        self._parts = parts_of([row.id for row in rows], entered=False) if rows else {}

    def match(self, told: GameInFile, people: People, seasons: Mapping[str, Existing]) -> GameMatch:
        """What a game of the file is here; `told` calls its players by their names here."""
        game = self._games.get(told.uid)
        if game is None:
            why = DELETED if told.uid in self._deleted else _sits_twice(told, people)
            return GameMatch(CLASH if why else NEW, None, why)
        parts = self._parts[game.id]
        why = _other_game(game, parts.seats, told, people)
        if why:
            return GameMatch(CLASH, game, why)
        ours = parts.log
        theirs = without_substitutes(told.log) if len(ours) >= len(told.log) else told.log
        common = min(len(ours), len(theirs))
        for one, other in zip(ours, theirs, strict=False):
            if one != other or not (is_same(one.before, other.before) and is_same(one.after, other.after)):
                return GameMatch(CLASH, game, "its hands were changed here and in the file")
        if len(theirs) > common:
            why = _sits_twice(told, people)
            return GameMatch(CLASH if why else NEWER, game, why)
        why = "" if len(ours) > common else _other_state(game, set(parts.also), told, seasons)
        return GameMatch(CLASH if why else KNOWN, game, why)


def as_here(told: GameInFile, people: People) -> GameInFile:
    """A game of the file with its players called as they are here; who is one here is one of the file."""
    told = with_names(told, people.names)
    return replace(told, seats=tuple(people.stand_in.get(uid, uid) for uid in told.seats))


def _sits_twice(told: GameInFile, people: People) -> str:
    """Why a game clashes: two of its players were merged into one here; else empty."""
    if not people.otherwise:
        return ""
    names = [people.ours[uid].name if uid in people.ours else people.new[uid] for uid in told.seats]
    seated = seated_by_hand(names, [hand.facts for hand in told.hands])
    twice = next((name for each in seated if (name := seated_twice(each))), None)
    return f"{twice} would sit in two seats, after a merge" if twice else ""


def _other_game(game: Row[Any], seats: Sequence[int], told: GameInFile, people: People) -> str:
    """What is different where nothing can be: in the rules, and in who sat down."""
    seated = [people.ours[uid].id if uid in people.ours else None for uid in told.seats]
    if seats != seated:
        return "it has other players"
    different = [name for name in FIXED_COLUMNS if getattr(game, name) != getattr(told, name)]
    if different == ["played"]:
        return "it has another date"
    return "it has other rules" if different else ""


def _other_state(game: Row[Any], also: set[int], told: GameInFile, seasons: Mapping[str, Existing]) -> str:
    """What is different of two games with the same log."""
    if (game.state == ABANDONED) != (told.state == ABANDONED):
        return f"it is abandoned only {'here' if game.state == ABANDONED else 'in the file'}"
    if game.left_out != told.left_out:
        return f"it does not count {'here' if game.left_out else 'in the file'}"
    if game.paper != told.paper:
        return "it has another score"
    theirs = seasons.get(told.season_id or "")
    if game.season_id != (theirs.id if theirs else None) or (told.season_id and not theirs):
        return "it is in another season"
    if also != {seasons[uid].id if uid in seasons else None for uid in told.also}:
        return "it counts in other seasons, too"
    return ""


# --- preview ---------------------------------------------------------------------------------------------------------


TOO_MANY_HANDS = (
    "This file has more than {most:,} hands. Nothing was changed. "
    "On the server, scorekeeper import takes files of any size."
)
MOST_NAMED = 50  # games that a report names one by one
LAST_NUMBER = 900_000_000  # of a game as it comes: addresses have nine figures, and there have to be some left
# What is matched, counted and written at once; to write so much takes a tenth of a second.
BATCH_GAMES, BATCH_HANDS = 200, 1_500


@dataclass
class Report:
    """What a file holds for a club. `named` are the games that are not simply new or known: number, and a sentence."""

    name: str
    takes_name: bool
    players_new: list[str]
    players_by_name: list[tuple[str, str]]
    seasons_new: list[str]
    players_otherwise: list[tuple[str, str]] = field(default_factory=list)
    rules_new: list[str] = field(default_factory=list)
    games: dict[str, int] = field(default_factory=lambda: dict.fromkeys((NEW, KNOWN, NEWER, CLASH), 0))
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
    """What importing a file would do; nothing is written. Raises LineRefused, and Refused beyond `most_hands`."""
    match = Match(club, ClubFile(file), most_hands)
    for _ in match.batches():
        pass
    return match.report


@dataclass(frozen=True, slots=True)
class Matched:
    """A game of the file, its players called as they are here; its line, what it is to the club, its number there."""

    told: GameInFile
    line: int
    found: GameMatch
    number: int


class Match:
    """A file beside a club, or beside none: who is who, and which game is which."""

    def __init__(self, club: Club | None, source: ClubFile, most_hands: int | None = None) -> None:
        self.source, self.most_hands = source, most_hands
        self.home = club.id if club else None
        self.players_here, self.seasons_here = all_here(Player, self.home), all_here(Season, self.home)
        former = club_log.former(self.home) if self.home else NOBODY
        self.people = match_players(self.players_here, source.players, former)
        self.seasons, self.season_names = match_seasons(self.seasons_here, source.seasons)
        self._numbers = set(db.session.scalars(select(Game.number).where(Game.club_id == self.home)))
        self._highest = max(self._numbers, default=0)
        takes_name = not (self.players_here or self.seasons_here or self._numbers)
        name = club.name if club and not takes_name else source.head.name
        new = list(self.people.new.values()), list(self.people.by_name), list(self.season_names.values())
        rules = [own.name for own in custom_rules.missing(club, source.head.rules)]
        self.report = Report(name, takes_name, *new, list(self.people.otherwise), rules)

    def batches(self) -> Iterator[list[Matched]]:
        """Every game of the file, some at a time, each added to the report. Raises Refused beyond `most_hands`."""
        batch: list[tuple[GameInFile, int]] = []
        hands = all_hands = 0
        for told in self.source.games():
            batch.append((as_here(told, self.people), self.source.line))
            hands += len(told.hands)
            all_hands += len(told.hands)
            if self.most_hands is not None and all_hands > self.most_hands:
                raise Refused([Problem("too-many-hands", "", TOO_MANY_HANDS.format(most=self.most_hands))])
            if len(batch) == BATCH_GAMES or hands > BATCH_HANDS:
                yield self._matched(batch)
                batch, hands = [], 0
        yield self._matched(batch)

    def _matched(self, batch: list[tuple[GameInFile, int]]) -> list[Matched]:
        games = Games(self.home, [told.uid for told, _ in batch])
        matched = []
        for told, line in batch:
            found = games.match(told, self.people, self.seasons)
            number = found.game.number if found.game else told.number
            each = Matched(told, line, found, self._new_number(number) if found.what == NEW else number)
            self.report.add(each)
            matched.append(each)
        return matched

    def _new_number(self, wanted: int) -> int:
        """The number that a new game gets: its own, or, where that is taken, the next one."""
        if wanted > LAST_NUMBER or wanted in self._numbers:
            wanted = self._highest + 1
        self._numbers.add(wanted)
        self._highest = max(self._highest, wanted)
        return wanted


# --- report ----------------------------------------------------------------------------------------------------------


MOST_NAMES = 12
MOST_LETTERS = 240  # of all the names in a sentence; the first one is always there


def said(report: Report, *, done: bool) -> list[str]:
    """What an import did, or would do; skipped games are named one by one."""
    games = report.games
    new = ("player", report.players_new), ("season", report.seasons_new), ("rule set", report.rules_new)
    by_name = [there if there == here else f"{there} as {here}" for there, here in report.players_by_name]
    otherwise = [f"{there} is {here}" for there, here in report.players_otherwise]
    sentences = [
        f"{count(games[NEW], 'new game')} {'imported into' if done else 'for'} {report.name}",
        f"{count(games[KNOWN], 'game')} already saved, identical" if games[KNOWN] else "",
        f"{count(games[NEWER], 'game')} {'updated' if done else 'to update'}: {_newer(report)}" if games[NEWER] else "",
        *(_listed(f"{count(len(names), f'new {what}')}: ", names) for what, names in new),
        _listed("Matched by name: ", by_name),
        _listed("Known here by another name: ", otherwise),  # after a rename or a merge
        _renumbered(report, done),
        *clashes(report, done),
    ]
    return [f"{sentence.removesuffix('.')}." for sentence in sentences if sentence]  # a name may end with a full stop


def clashes(report: Report, done: bool) -> list[str]:
    """A sentence for each game that is different here and in the file, up to the number that is named."""
    skipped = "was skipped" if done else "will be skipped"
    told = [f"Game {number} {skipped}: {why}." for number, why in report.named[CLASH]]
    more = report.games[CLASH] - len(told)
    if more:
        told.append(f"{count(more, 'more game')} {skipped.replace('was', 'were') if more > 1 else skipped}.")
    return told


def count(number: int, what: str) -> str:
    """1 game, 2 games, no games."""
    return f"{number or 'No'} {what}{'' if number == 1 else 's'}"


def _newer(report: Report) -> str:
    numbers = ", ".join(str(number) for number, _ in report.named[NEWER])
    games = "game" if report.games[NEWER] == 1 else "games"
    return f"{games} {numbers}" + (" and more" if report.games[NEWER] > MOST_NAMED else "")


def _listed(what: str, names: Sequence[str]) -> str:
    """What names are of, and as many of them as a sentence has room for; nothing where there are none."""
    told = [name for name, letters in zip(names, accumulate(map(len, names)), strict=True) if letters <= MOST_LETTERS]
    told = (told or list(names[:1]))[:MOST_NAMES]
    left = len(names) - len(told)
    return f"{what}{', '.join(told)}" + (f" and {left} more" if left else "") if names else ""


def _renumbered(report: Report, done: bool) -> str:
    if not report.renumbered:
        return ""
    verb = "got" if done else "will get"
    if report.renumbered == 1:
        return f"1 game {verb} a new number: its number is taken."
    return f"{count(report.renumbered, 'game')} {verb} new numbers: their numbers are taken."

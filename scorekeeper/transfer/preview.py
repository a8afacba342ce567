"""A club's file looked through beside a club: who is who, which game is which, and what importing it would do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from scorekeeper.models import Club, Player, Season
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.services import club_log
from scorekeeper.services import custom_rules as our_rules
from scorekeeper.transfer.game_reader import GameInFile
from scorekeeper.transfer.matching import (
    CLASH,
    KNOWN,
    NEW,
    NEWER,
    NOBODY,
    Found,
    Games,
    all_here,
    as_here,
    match_players,
    match_seasons,
    numbers_of,
)
from scorekeeper.transfer.reader import ClubFile

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

    def add(self, told: GameInFile, found: Found) -> None:
        self.games[found.what] += 1
        if found.what in self.named and len(self.named[found.what]) < MOST_NAMED:
            self.named[found.what].append((found.game.number if found.game else told.number, found.why))


def preview_import(club: Club, file: BinaryIO, most_hands: int | None = None) -> Report:
    """What importing a file would do; nothing is written. Raises LineRefused, and Refused beyond `most_hands`."""
    match = Match(club, ClubFile(file), most_hands)
    report = match.report()
    for batch in match.batches():
        for each in batch:
            report.add(each.told, each.found)
            if each.found.what == NEW:
                report.renumbered += match.number(each.told.number) != each.told.number
    return report


@dataclass(frozen=True, slots=True)
class Matched:
    """A game of the file, its players called as they are here; its line, and what it is to the club."""

    told: GameInFile
    line: int
    text: bytes
    found: Found


class Match:
    """A file beside a club, or beside none: who is who, and which game is which."""

    def __init__(self, club: Club | None, source: ClubFile, most_hands: int | None = None) -> None:
        self.source, self.most_hands = source, most_hands
        self.home = club.id if club else None
        self.players_here, self.seasons_here = all_here(Player, self.home), all_here(Season, self.home)
        former = club_log.former(self.home) if self.home else NOBODY
        self.people = match_players(self.players_here, source.players, former)
        self.seasons, self.season_names = match_seasons(self.seasons_here, source.seasons)
        self._numbers = numbers_of(self.home)
        self._highest = max(self._numbers, default=0)
        self._rules_new = [own.name for own in our_rules.missing(club, source.head.rules)]
        self.takes_name = not (self.players_here or self.seasons_here or self._numbers)
        self.name = club.name if club and not self.takes_name else source.head.name

    def report(self) -> Report:
        new = list(self.people.new.values()), list(self.people.by_name), list(self.season_names.values())
        return Report(self.name, self.takes_name, *new, list(self.people.otherwise), self._rules_new)

    def batches(self) -> Iterator[list[Matched]]:
        """Every game of the file, some at a time. Raises Refused beyond `most_hands`."""
        batch: list[tuple[GameInFile, int, bytes]] = []
        hands = all_hands = 0
        for told in self.source.games():
            batch.append((as_here(told, self.people), self.source.line, self.source.text))
            hands += len(told.hands)
            all_hands += len(told.hands)
            if self.most_hands is not None and all_hands > self.most_hands:
                raise Refused([Problem("too-many-hands", "", TOO_MANY_HANDS.format(most=self.most_hands))])
            if len(batch) == BATCH_GAMES or hands > BATCH_HANDS:
                yield self._matched(batch)
                batch, hands = [], 0
        yield self._matched(batch)

    def _matched(self, batch: list[tuple[GameInFile, int, bytes]]) -> list[Matched]:
        games = Games(self.home, [told.uid for told, _, _ in batch])
        return [Matched(told, line, text, games.match(told, self.people, self.seasons)) for told, line, text in batch]

    def number(self, wanted: int) -> int:
        """The number that a new game gets: its own, or, where that is taken, the next one."""
        if wanted > LAST_NUMBER or wanted in self._numbers:
            wanted = self._highest + 1
        self._numbers.add(wanted)
        self._highest = max(self._highest, wanted)
        return wanted

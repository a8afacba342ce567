"""Check claims about a table: leaders, biggest climb, places, champions, rating gains.

Places and ratings come from tests.stats.slow, which shares no code with the program's tables; its input is the games of
the club file, scored by the reference scorer.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any

from tests.claims.book import Book, Game, Name
from tests.stats import slow

USUAL = {"by": "wins", "won": 2, "shared": 1, "lost": 0, "ties": ["head-to-head", "margin", "sets"]}
TIES = {"head to head": "head-to-head", "average margin": "margin", "fewest sets per game": "sets"}
LEAST_CLIMB = 2
LEAST_RATED = 8
Places = dict[Name, int | None]


class Finished(slow.Played):
    """A game of the file that counts, with the verdicts of the reference scorer."""

    @cached_property
    def answer(self) -> dict[str, Any]:
        return dict(self.record["answer"])


def finished(game: Game) -> Finished:
    """Convert a game that counts for use by tests.stats.slow."""
    answer = {"totals": game.final, "winners": game.winners, "hands": game.verdicts}
    record = {
        "rules": game.rules, "players": game.players, "teams": game.teams, "names": game.seatings[0],
        "hands": game.hands, "played": game.day, "answer": answer,
    }  # fmt: skip
    return Finished(record, game.number, {}, game.credit, game.winners[0] if game.is_forfeit else "")


class Table:
    """The table of some games, by a season's settings, by default by games won.

    Guests are excluded; in a closed season by rating, retired players too.
    """

    def __init__(self, book: Book, games: Iterable[Game], season: dict[str, Any] | None = None) -> None:
        self.book, self.scheme = book, season["settings"] if season else USUAL
        hides = season and season.get("closed") and self.scheme["by"] == "rating"
        self.left_out = book.guests | book.retired if hides else book.guests
        self.games = [finished(game) for game in games if game.counts]
        self.rated = slow.rate((finished(game) for game in book.games if game.counts), book.guests)

    def up_to(self, day: str, *, before: bool = False) -> list[Finished]:
        return [game for game in self.games if game.when[0] < day or (game.when[0] == day and not before)]

    def places(self, games: list[Finished], scheme: dict[str, Any] | None = None) -> Places:
        """Every player's place, by another scheme if given; None for players without one yet."""
        of = {name: mine for name, mine in slow.all_numbers(games).items() if name not in self.left_out}
        return slow.table(games, of, scheme or self.scheme, self.rated, set())

    def worth(self, games: list[Finished], name: Name) -> Fraction:
        """The value that the table is sorted by, if that is games won or points."""
        return slow.by_nights(games, name, self.scheme)

    # --- the table after a night ---

    def check_rows(self, day: str, rows: list[tuple[str, Name]]) -> None:
        """Check every place and name on the page."""
        shown = {name: int(place) if place != "–" else None for place, name in rows}
        assert shown == self.places(self.up_to(day))

    def check_story(self, day: str, text: str) -> None:
        """Check the sentences about the table after a night: leaders, margin, biggest climb."""
        games, before = self.up_to(day), self.up_to(day, before=True)
        now, was = self.places(games), self.places(before)
        top, _, climb = text.partition("Biggest climb: ")
        self._check_climb(climb, now, was)
        self._check_top(top.strip(), games, now, was)

    def _check_climb(self, text: str, now: Places, was: Places) -> None:
        climbs = {name: then - place for name, place in now.items() if place and (then := was.get(name))}
        most = max(climbs.values(), default=0)
        best = {name for name in climbs if climbs[name] == most}
        if most < LEAST_CLIMB:
            assert not text
            return
        m = re.fullmatch(r"(?P<who>.+), up (?P<many>\d+) (?:places each|to place (?P<place>\d+))\.", text)
        assert m, text
        assert self._who(m["who"], best) == best
        assert int(m["many"]) == most
        there = {now[name] for name in best}
        assert there == {int(m["place"])} if m["place"] else len(there) > 1

    def _check_top(self, text: str, games: list[Finished], now: Places, was: Places) -> None:
        first, ranked = at(now, 1), [name for name in now if now[name]]
        if not ranked:
            assert re.fullmatch(r"Nobody is ranked yet\.(?: It takes \d+ games\.)?", text), text
            return
        if len(first) == len(ranked) > 1:
            assert text == ("Both are tied." if len(first) == 2 else f"All {len(first)} are tied.")
            return
        lead, gap = re.fullmatch(
            rf"(.+?)(, [^,]+ ahead(?: of .+)?|, ahead of .+| on (?:{'|'.join(TIES)}))?", text.removesuffix(".")
        ).groups()
        taken_from = self._check_lead(lead, first, at(was, 1))
        self._check_gap(gap or "", games, now, taken_from)

    def _check_lead(self, text: str, first: set[Name], before: set[Name]) -> set[Name]:
        """Check the leaders, whether they are new, and the previous leaders if named."""
        s, alone = ("s", True) if len(first) == 1 else ("", False)
        together = "" if alone else " together"
        if m := re.fullmatch(r"(.+) joined (.+) at the top", text):
            assert before < first
            assert (self._who(m[1], first), self._who(m[2], before)) == (first - before, before)
        elif m := re.fullmatch(r"(.+) took the lead from (.+)", text):
            assert before
            assert not before & first
            assert (self._who(m[1], first), self._who(m[2], before)) == (first, before)
            return before
        elif m := re.fullmatch(rf"(.+) still lead{s}{together}", text):
            assert (self._who(m[1], first), before) == (first, first)
        elif m := re.fullmatch(rf"(.+) now lead{s}{together or ' alone'}", text):
            assert self._who(m[1], first) == first
            assert first & before
            assert before - first
        else:
            m = re.fullmatch(rf"(.+?)( now)? lead{s}{together}", text)
            assert m, text
            assert self._who(m[1], first) == first
            assert bool(m[2]) == bool(before)
            assert first != before
        return set()

    def _check_gap(self, text: str, games: list[Finished], now: Places, taken_from: set[Name]) -> None:
        first, rest = at(now, 1), sorted({place for place in now.values() if place and place > 1})
        if len(first) > 1 or not rest or self.scheme["by"] not in ("wins", "points"):
            assert not text
            return
        (leader,), second = first, at(now, rest[0])
        gap = self.worth(games, leader) - self.worth(games, next(iter(second)))
        m = re.fullmatch(
            rf"(?:, (?:(?P<much>.+) )?ahead(?: of (?P<who>.+?))?)?(?: on (?P<tie>{'|'.join(TIES)}))?", text
        )
        assert m, text
        assert self._who(m["who"], second) == second if m["who"] else taken_from == second
        assert bool(m["tie"]) == (not gap)
        if m["tie"]:
            assert TIES[m["tie"]] == next(
                tie for used, tie in enumerate(self.scheme["ties"], 1) if self._is_alone(games, leader, used)
            )
        assert (m["much"] or "") == amount(gap, self.scheme["by"])

    def _is_alone(self, games: list[Finished], leader: Name, used: int) -> bool:
        """True if the leader shares first place with nobody by the first `used` tiebreakers."""
        return at(self.places(games, self.scheme | {"ties": self.scheme["ties"][:used]}), 1) == {leader}

    @staticmethod
    def _who(text: str, expected: set[Name]) -> set[Name]:
        """The names in a list; a final full stop that belongs to the last name is restored."""
        if m := re.fullmatch(r"(\d+) players", text):
            assert int(m[1]) == len(expected)
            return expected
        return {name if f"{name}." not in expected else f"{name}." for name in re.split(r", | and ", text)}

    # --- awards of a season ---

    def champions(self) -> tuple[set[Name], str]:
        """The players in first place, and the value they have."""
        first, by = at(self.places(self.games), 1), self.scheme["by"]
        if not first:
            return first, ""
        name = next(iter(first))
        if by == "rating":
            _, points, _ = self._ratings_in(name)[-1]
            return first, f"Rating {whole(points)}"
        if by == "share":
            mine = slow.numbers(self.games, name)
            return first, f"{percent(Fraction(2 * mine['won'] + mine['shared'], 2 * mine['games']))} won"
        return first, worth_said(self.worth(self.games, name), by)

    def _ratings_in(self, name: Name) -> list[tuple[tuple[str, int], float, float]]:
        mine = {game.when for game in self.games if name in game.parts}
        return [one for one in self.rated.get(name, []) if one[0] in mine]

    def rated_last(self, name: Name) -> tuple[float, float]:
        """A player's rating after the last of the games, and its standard deviation; a guest is a newcomer."""
        mine = self._ratings_in(name)
        return mine[-1][1:] if mine else (1000.0, 75.0)

    def gained(self) -> tuple[set[Name], str]:
        """The players whose rating rose most from their first of these games to the last, and by how much."""
        rises = {}
        for name, history in self.rated.items():
            mine = self._ratings_in(name)
            if len(mine) >= LEAST_RATED:
                earlier = [1000.0, *(points for when, points, _ in history if when < mine[0][0])]
                rises[name] = mine[-1][1] - earlier[-1]
        most = max(rises.values(), default=0.0)
        if most <= 0:
            return set(), ""
        return {name for name in rises if rises[name] == most}, f"+{whole(most)}"


def at(places: Places, place: int) -> set[Name]:
    return {name for name in places if places[name] == place}


def whole(points: float) -> int:
    return int(points + 0.5)


def percent(share: Fraction) -> str:
    rounded = int(share * 100 + Fraction(1, 2))
    return f"{min(99, max(1, rounded)) if 0 < share < 1 else rounded}%"


def halves(value: Fraction) -> str:
    over = int(value)
    return f"{over if over or value == over else ''}{'½' if value != over else ''}"


def worth_said(value: Fraction, by: str) -> str:
    unit = "point" if by == "points" else "win"
    return f"{halves(value)} {unit}{'' if value in (1, Fraction(1, 2)) else 's'}"


def amount(gap: Fraction, by: str) -> str:
    """A leader's margin in words; empty if the leader is ahead by a tie-break only."""
    if not gap:
        return ""
    return "half a win" if by == "wins" and gap == Fraction(1, 2) else worth_said(gap, by)

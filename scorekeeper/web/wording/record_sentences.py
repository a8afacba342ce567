"""Records and awards in words: what each is called, its number, its rule, and what it takes to get one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scorekeeper.stats.counting import COMEBACK
from scorekeeper.stats.query import MOST_GAMES
from scorekeeper.stats.records import LEAST_BIDS, LEAST_RATED, LEAST_STREAK, Award, Deed, Found
from scorekeeper.stats.standings import LEAST_TOGETHER
from scorekeeper.web.common.numbers import counted, day, figure, percent, rating_number, signed, times
from scorekeeper.web.common.words import listed

MOST_NAMED = 6
ALL_RULES = "Under any rules"


# --- records ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordWords:
    """What a record is called, and its number of one and of several."""

    title: str
    one: str = ""
    many: str = ""

    def value(self, number: int) -> str:
        what = self.one if number == 1 else self.many
        return f"{figure(number)} {what}".strip()


RECORDS = {
    "highest": RecordWords("Highest final score", "point", "points"),
    "lowest": RecordWords("Lowest final score", "point", "points"),
    "margin": RecordWords("Biggest win", "point ahead", "points ahead"),
    "streak": RecordWords("Longest winning streak", "win in a row", "wins in a row"),
    "length": RecordWords("Longest game", "hand", "hands"),
    "sets": RecordWords("Most sets in a game", "set", "sets"),
    "bid": RecordWords("Highest bid made"),
    "comeback": RecordWords("Biggest comeback", "point behind, and won", "points behind, and won"),
    "sweep": RecordWords("Clean sweep: every point in one hand", "point", "points"),
}


def deed_text(found: Found) -> str:
    """Where and when it was done first, and in how many later games again."""
    deed, again = found.best.deed, found.best.again
    when = f"{_where(found.key, deed)}, {day(deed.played)}"
    return f"{when}; equaled {times(again)} since" if again else when


def _where(key: str, deed: Deed) -> str:
    if deed.hand:
        return f"hand {deed.hand} of game {deed.number}"
    if key == COMEBACK:
        when = f"after hand {deed.since}" if deed.since else "before the first hand"
        return f"{when} of game {deed.number}"
    return f"games {deed.since} to {deed.number}" if deed.since else f"game {deed.number}"


def left_out(games: int) -> str:
    """Which games are looked at, where not all are."""
    return f"From about the latest {MOST_GAMES:,} games." if games > MOST_GAMES else ""


# --- awards -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AwardWords:
    """What an award is called, its number and its rule."""

    title: str
    value: Callable[[Award], str]
    rule: str


def _bids_made(award: Award) -> str:
    together = " together" if len(award.holders) > 1 else ""
    return f"{percent(award.value)} of {counted(award.of, 'bid')} made{together}"


def _games_won(award: Award) -> str:
    return f"{percent(award.value)} of {counted(award.of, 'game')} won"


AWARDS = {
    "games": AwardWords(
        "Most games",
        lambda a: counted(int(a.value), "game"),
        "Played the most games that count.",
    ),
    "iron": AwardWords(
        "Always there",
        lambda a: f"{a.value} of {counted(a.of, 'night')}",
        "Played on the most game nights, in games that count.",
    ),
    "best-bidder": AwardWords(
        "Best bidder",
        _bids_made,
        f"Made more of the bids than the others, beyond luck, with {LEAST_BIDS} bids or more.",
    ),
    "bidder": AwardWords(
        "Best bidder",
        _bids_made,
        f"Made the highest percentage of bids, with {LEAST_BIDS} bids or more.",
    ),
    "defender": AwardWords(
        "Most sets of opponents",
        lambda a: f"set opponents {times(int(a.value))}",
        "Set opponents most often, in the hands they played.",
    ),
    "improved": AwardWords(
        "Most rating gained",
        lambda a: signed(rating_number(float(a.value))),
        f"Gained the most rating, in {LEAST_RATED} games or more.",
    ),
    "streak": AwardWords(
        "Longest streak",
        lambda a: f"{a.value} wins in a row",
        f"Won the most games in a row, {LEAST_STREAK} or more.",
    ),
    "best-partners": AwardWords(
        "Best partners",
        _games_won,
        f"Won more of their games than their ratings say, beyond luck, with {LEAST_TOGETHER} games together or more.",
    ),
    "partners": AwardWords(
        "Best partners",
        _games_won,
        f"The best win % of two partners, with {LEAST_TOGETHER} games together or more.",
    ),
}


def champion_title(division: str) -> str:
    """What the award of whoever leads is called; of a division, with its letter."""
    return f"Champion, division {division}" if division else "Champion"


def some_names(names: Sequence[str]) -> str:
    """Names in a row; of very many the first."""
    more = len(names) - MOST_NAMED
    return listed([*names[:MOST_NAMED], f"{more} more"] if more > 1 else list(names))

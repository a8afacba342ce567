"""Records and awards in words: what it was, who did it, when, and by which rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.models import Club
from scorekeeper.stats import records
from scorekeeper.stats.awards import LEAST_BIDS, LEAST_NIGHTS, LEAST_RATED, LEAST_STREAK, Award, awards
from scorekeeper.stats.counts import PlayerId
from scorekeeper.stats.query import Choice
from scorekeeper.stats.records import MOST_GAMES, MOST_REPLAYED, Best, Deed, Rows
from scorekeeper.stats.standings import LEAST_TOGETHER, Standings, partnerships
from scorekeeper.web.common.numbers import MU_TIMES, counted, day, figure, percent
from scorekeeper.web.wording.words import listed

MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class Feat:
    """A record or an award, ready to be read; `number` is the game it leads to, `said` what stands beside."""

    title: str
    value: str
    who: str
    said: str
    number: int | None = None


# --- records ------------------------------------------------------------------------------------------------------


def from_results(rows: Rows, names: Mapping[PlayerId, str]) -> list[Feat]:
    """The records that results give. `names` are everybody's, the guests' too."""
    scores = records.scores(rows)
    wanted = [
        ("Highest final score", records.best(scores), "points"),
        ("Lowest final score", records.best(scores, lowest=True), "points"),
        ("Biggest win", records.best(records.margins(rows)), "points ahead"),
        ("Longest winning streak", records.best(records.streaks(rows)), "games in a row"),
        ("Longest game", records.best(records.lengths(rows)), "hands"),
        ("Most sets in a game", records.best(records.sets(rows)), "bids set"),
    ]
    return [_feat(title, found, what, _by_ids(found.deed, names)) for title, found, what in wanted if found]


def from_hands(club: Club, choice: Choice) -> list[Feat]:
    """The records that take the hands themselves."""
    deeds = records.deeds(club, choice)
    whole = [deed for one in deeds for deed in one.whole]
    wanted = [
        ("Highest bid made", records.best(one.bid for one in deeds if one.bid), ""),
        ("Biggest comeback", records.best(one.comeback for one in deeds if one.comeback), "points behind, and won"),
        ("A hand worth every point", records.best(whole), "points, none left out"),
    ]
    return [_feat(title, found, what, _by_seats(club, found.deed)) for title, found, what in wanted if found]


def left_out(games: int) -> str:
    """Which games are looked at, where not all are."""
    return f"From the latest {MOST_GAMES:,} games." if games > MOST_GAMES else ""


def hands_left_out(games: int) -> str:
    return f"From the hands of the latest {MOST_REPLAYED:,} games." if games > MOST_REPLAYED else ""


def _feat(title: str, found: Best, what: str, who: str) -> Feat:
    deed = found.deed
    again = f", and {counted(found.times - 1, 'time')} since" if found.times > 1 else ""
    value = f"{figure(deed.value)} {what}".strip()
    return Feat(title, value, who, f"{_where(deed)}, {day(deed.played)}{again}", deed.number)


def _where(deed: Deed) -> str:
    if deed.hand:
        return f"hand {deed.hand} of game {deed.number}"
    if deed.seats:
        return f"after hand {deed.since} of game {deed.number}"
    return f"games {deed.since} to {deed.number}" if deed.since else f"game {deed.number}"


def _by_ids(deed: Deed, names: Mapping[PlayerId, str]) -> str:
    return listed([names[number] for number in deed.players if number in names])


def _by_seats(club: Club, deed: Deed) -> str:
    return listed(records.names_of(club, deed))


# --- awards -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Words:
    """What an award is called, its number, its rule, and what it takes before there is one."""

    title: str
    value: Callable[[Award], str]
    rule: str
    takes: str


WORDS = {
    "games": Words("Most games", lambda a: counted(int(a.value), "game"), "played to the end", "a finished game"),
    "iron": Words(
        "Always there",
        lambda a: f"{a.value} of {counted(a.of, 'night')}",
        "at the table on most game nights",
        f"{LEAST_NIGHTS} game nights",
    ),
    "bidder": Words(
        "Best bidder",
        lambda a: f"{percent(a.value)} of {counted(a.of, 'bid')} made",
        f"the greatest share of bids made, of those who took {LEAST_BIDS} or more",
        f"{LEAST_BIDS} bids taken",
    ),
    "defender": Words(
        "Most sets inflicted",
        lambda a: counted(int(a.value), "bid") + " set",
        "bids set while defending",
        "a bid that is set",
    ),
    "improved": Words(
        "Most improved",
        lambda a: f"+{round(MU_TIMES * float(a.value))}",
        f"the greatest gain of rating, of those with {LEAST_RATED} games or more",
        f"{LEAST_RATED} games and a gain",
    ),
    "streak": Words(
        "Longest streak",
        lambda a: f"{a.value} games in a row",
        f"most games won in a row, {LEAST_STREAK} or more",
        f"{LEAST_STREAK} games won in a row",
    ),
    "partners": Words(
        "Best partners",
        lambda a: f"{percent(a.value)} of {counted(a.of, 'game')} won",
        f"the greatest share of games won by two in one team, of {LEAST_TOGETHER} or more together",
        f"{LEAST_TOGETHER} games together",
    ),
}


def all_awards(club: Club, choice: Choice, rows: Rows, table: Standings) -> list[Feat]:
    """The awards of a season; of one that nobody has yet, what it takes."""
    names = {line.player.id: line.player.name for line in (*table.lines, *table.hidden)}
    given = awards(rows, names, partnerships(club, choice))
    return [_award(one, names) for one in given]


def champion(names: Sequence[str], worth: str, rule: str) -> Feat:
    """Who leads the table, or has won it."""
    return Feat("Champion", worth, _some(names) if names else "", rule if names else "Nobody has a place yet.")


def _award(award: Award, names: Mapping[PlayerId, str]) -> Feat:
    words = WORDS[award.key]
    if not award.holders:
        return Feat(words.title, "", "", f"Nobody yet: it takes {words.takes}.")
    return Feat(words.title, words.value(award), _some([names[one] for one in award.holders]), _sentence(words.rule))


def _some(names: Sequence[str]) -> str:
    """Names in a row; of very many the first."""
    more = len(names) - MOST_NAMED
    return listed([*names[:MOST_NAMED], f"{more} more"] if more > 1 else list(names))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."

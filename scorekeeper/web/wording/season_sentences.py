"""How a season's table is made up, in words; and what it counts, in figures."""

from __future__ import annotations

from fractions import Fraction

from scorekeeper.models import Season
from scorekeeper.stats.query import Record
from scorekeeper.stats.ratings import LEAST_GAMES
from scorekeeper.stats.schemes import HEAD_TO_HEAD, MARGIN, POINTS, RATING, SETS, SHARE, WINS, Scheme
from scorekeeper.stats.standings import Line
from scorekeeper.web.common.numbers import counted, day, percent, rating_number

from .words import listed

HEADS = {WINS: "Wins", SHARE: "Share", POINTS: "Points", RATING: "Rating"}
SCHEMES = {
    WINS: "Games won",
    SHARE: "Share of games won",
    POINTS: "Points for each game",
    RATING: "Rating",
}
TIES = {
    HEAD_TO_HEAD: "the games they won against each other",
    MARGIN: "the better average margin",
    SETS: "fewer sets a game",
}
TIES_SAID = {
    HEAD_TO_HEAD: "head to head",
    MARGIN: "average margin",
    SETS: "fewer sets a game",
}


def counting(scheme: Scheme) -> str:
    """What a table is ordered by, in a sentence."""
    return {
        WINS: "By games won; a shared one counts half.",
        SHARE: f"By games won of games played; a shared one counts half. {_from(scheme.least)} there is a place.",
        POINTS: f"By points: {scheme.won} for a game won, {scheme.shared} for a shared, {scheme.lost} for a lost one.",
        RATING: f"By the rating after the last game. {_from(LEAST_GAMES)} there is a place.",
    }[scheme.by]


def _from(least: int) -> str:
    return f"From {counted(least, 'game')} on"


def tie_breaks(scheme: Scheme) -> str:
    """What decides between players who are level, in a sentence."""
    if not scheme.ties:
        return "Players who are level share the place."
    told = ", then ".join(TIES[tie] for tie in scheme.ties)
    return f"Level: first {told}. Who is level even then shares the place."


def halves(value: Fraction | float) -> str:
    """A number of wins: 7, 7½, ½."""
    whole, rest = divmod(Fraction(value), 1)
    return f"{whole if whole or not rest else ''}{'½' if rest else ''}"


def worth(line: Line, scheme: Scheme) -> str:
    """What the table counts of a player, as it is read."""
    if scheme.by == RATING:
        return str(rating_number(float(line.points))) if line.record.rating else "–"
    return percent(line.points) if scheme.by == SHARE else halves(line.points)


def missing(record: Record, rated: int, scheme: Scheme) -> str:
    """What a player without a place still has to play."""
    games = scheme.least - record.games if scheme.by == SHARE else LEAST_GAMES - rated
    return f"{games:,} more for a place"


def span(season: Season) -> str:
    """When a season is: Mar 3, 2026 to Jun 1, 2026; since Mar 3, 2026."""
    return f"{day(season.starts)} to {day(season.ends)}" if season.ends else f"since {day(season.starts)}"


def told_champions(season: Season) -> str:
    names = [line["name"] for line in (season.frozen or {}).get("lines", []) if line["place"] == 1]
    if not names:
        return "Nobody won it"
    return f"{listed(names)} won it together" if len(names) > 1 else f"{names[0]} won it"


def told_reopened(season: Season) -> str:
    why = season.reopened
    if season.closed_at is not None or not why:
        return ""
    what = f"because game {why['game']} was changed" if why["game"] else "by hand"
    return f"Open again, {what}. As it was closed: {told_champions(season)}."

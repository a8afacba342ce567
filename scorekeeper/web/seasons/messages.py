"""A season's scheme in words, and what it counts in numbers."""

from __future__ import annotations

from fractions import Fraction

from scorekeeper.database.zones import today_in
from scorekeeper.models import Season
from scorekeeper.stats.archive import leaders_of
from scorekeeper.stats.counting import BOTH, FINISHED, MOST
from scorekeeper.stats.league import Bracket
from scorekeeper.stats.ratings import LEAST_GAMES, NEWCOMER
from scorekeeper.stats.schemes import (
    BY_NIGHTS,
    HEAD_TO_HEAD,
    IN_POINTS,
    INSERT,
    LADDER,
    MARGIN,
    POINTS,
    RATING,
    SETS,
    SHARE,
    SWAP,
    TOTAL,
    WINS,
    Scheme,
)
from scorekeeper.stats.standings import INACTIVE, RETIRED, Line, games_toward, least_games
from scorekeeper.web.common.numbers import (
    MINUS,
    counted,
    day,
    percent,
    rating_number,
    rating_said,
)
from scorekeeper.web.common.words import listed

COLUMN_HEADS = {WINS: "Wins", SHARE: "Win %", TOTAL: "Total", POINTS: "Points", RATING: "Rating", LADDER: "Wins"}
SCHEMES = {
    WINS: "Games won",
    SHARE: "Win %",
    TOTAL: "Total score",
    POINTS: "Points for each game",
    RATING: "Rating",
    LADDER: "Ladder",
}
TIES = {
    HEAD_TO_HEAD: "head to head",
    MARGIN: "average margin",
    SETS: "fewest sets per game",
}
CREDITS = {
    FINISHED: "The player who finished it",
    MOST: "The player who played the most hands",
    BOTH: "Both of them",
}
CREDIT_RULES = {
    FINISHED: "After a substitution, the game counts for whoever finishes it.",
    MOST: "After a substitution, the game counts for whoever played the most hands in that seat.",
    BOTH: "After a substitution, the game counts for whoever finishes it and whoever played most hands in that seat.",
}
NAME_TWICE = "Another season has that name."
DELETED_PLAYER = "a deleted player"


CLIMBS = {
    INSERT: "The winner takes the loser’s rung, and everybody in between moves down one",
    SWAP: "The winner and the loser trade rungs",
}


def counting(scheme: Scheme) -> str:
    """The order of a table, in sentences."""
    least = scheme.needed if scheme.needed > 1 else 0
    if scheme.by == WINS:
        said = "Ordered by wins. A tied game counts half."
    elif scheme.by == SHARE:
        said, least = "Ordered by win %. A tied game counts half.", scheme.least
    elif scheme.by == TOTAL:
        said = "Ordered by total score, which adds up the scores of all games."
    elif scheme.by == POINTS:
        worth = f"Points: {scheme.won} for a win, {scheme.shared} for a tie, {scheme.lost} for a loss"
        said = f"{worth}, {scheme.attended} for each night played." if scheme.attended else f"{worth}."
    elif scheme.by == LADDER:
        most = f" Nobody moves up more than {counted(scheme.reach, 'rung')} in a game." if scheme.reach else ""
        rule = CLIMBS[scheme.climb][0].lower() + CLIMBS[scheme.climb][1:]
        said = f"Beat somebody who is higher on the ladder to move up: {rule}.{most}"
    else:
        begins = "Everybody starts the season" if scheme.own_rating else "Newcomers start"
        said, least = (
            f"Ordered by rating, less its margin of error. {begins} at {rating_said(*NEWCOMER)}.",
            max(LEAST_GAMES, scheme.needed),
        )
    ranked = f"Ranked after {counted(least, 'game')}." if least else ""
    pairs = "Pairs: two partners share one place." if scheme.is_of_pairs else ""
    nights = "best night counts" if scheme.best == 1 else f"best {scheme.best} nights count"
    counts = f"Only each {'pair' if scheme.is_of_pairs else 'player'}’s {nights}."
    return " ".join(filter(None, (said, counts if scheme.best and scheme.by in BY_NIGHTS else "", ranked, pairs)))


def tie_breaks(scheme: Scheme) -> str:
    """The tiebreakers, in a sentence or two."""
    if scheme.by == LADDER:
        return ""
    if not scheme.ties:
        return "Ties share the place."
    return f"Ties: {', then '.join(TIES[tie] for tie in scheme.ties)}. Remaining ties share the place."


def halves(value: Fraction | float) -> str:
    """A number of wins or points: 7, 7½, ½, −2."""
    whole, rest = divmod(abs(Fraction(value)), 1)
    return f"{MINUS if value < 0 else ''}{f'{whole:,}' if whole or not rest else ''}{'½' if rest else ''}"


def worth(line: Line, scheme: Scheme) -> str:
    """A line's score under the scheme, formatted."""
    if scheme.by == RATING:
        return str(rating_number(line.record.rating.mu)) if line.record.rating else "–"
    return percent(line.points) if scheme.by == SHARE else halves(line.points)


def worth_said(worth: str, scheme: Scheme) -> str:
    """A formatted score with its unit: 3 wins, 1 point, 53% won, Rating 1012; on a ladder, the place in its stead."""
    if scheme.by == RATING:
        return f"Rating {worth}"
    if scheme.by == SHARE:
        return f"{worth} won"
    if scheme.by == LADDER:
        return "Top rung"
    unit = "point" if scheme.by in IN_POINTS else "win"
    return f"{worth} {unit if worth.removeprefix(MINUS) in ('1', '½') else unit + 's'}"


def waits(line: Line, scheme: Scheme) -> str:
    """Why a player has no place: retired, inactive, or a number of games short; empty otherwise."""
    if line.place is not None:
        return ""
    if line.gone:
        return "retired" if line.gone == RETIRED else f"no game for {INACTIVE.days} days"
    return f"{counted(least_games(scheme) - games_toward(line.record, scheme), 'more game')} to be ranked"


def span(season: Season, zone: str) -> str:
    """A season's days: "Mar 3, 2026 to Jun 1, 2026", or "since Mar 3, 2026"; without a last day until closed."""
    ends = season.ends or (season.closed_at and today_in(zone, season.closed_at))
    return f"{day(season.starts)} to {day(ends)}" if ends and ends >= season.starts else f"since {day(season.starts)}"


def division_name(letter: str) -> str:
    """A division's name; "" is for players without one."""
    return f"Division {letter}" if letter else "No division"


ROUNDS = {1: "Final", 2: "Semifinals", 4: "Quarterfinals"}  # by number of matches


def playoffs_won(bracket: Bracket | None) -> str:
    """The winner as a sentence without period; empty while undecided."""
    entry = bracket.winner if bracket else None
    return f"{entry.name} won the playoffs" if entry else ""


def champions_text(season: Season) -> str:
    """Winners of a season, or of each division: "Ann won division A. Bo and Cy won division B together"."""
    scheme = Scheme.from_dict(season.settings)
    leaders = leaders_of(season.frozen, scheme)
    is_level = season.closed_at is not None and scheme.by in (WINS, SHARE, *IN_POINTS)
    each = [_won(lines, is_level, f" division {letter}") for letter, lines in leaders.items() if letter]
    return ". ".join(each) or _won(leaders.get("", []), is_level)


def _won(leaders: list[Line], is_level: bool, what: str = "") -> str:
    """`is_level`: the next in place can have as much as the winner, with tiebreakers to decide."""
    names = [line.player.name for line in leaders if line.place == 1]
    if len(names) != 1:
        return f"{listed(names)} won{what} together" if names else f"Nobody won{what}"
    won = f"{names[0]} won{what}"
    return f"{won} on tiebreakers" if is_level and leaders[0].points == leaders[-1].points and leaders[1:] else won


def reopened_text(season: Season) -> str:
    why = season.reopened
    if season.closed_at is not None or not why:
        return ""
    if not why["game"]:
        return f"Reopened. When it was closed: {champions_text(season)}."
    return f"Reopened because game {why['game']} changed. When it was closed: {champions_text(season)}."

"""What a player's page says in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorekeeper.stats.profiles import LEAST_BIDS, Streak, Taken
from scorekeeper.stats.ratings import Rating
from scorekeeper.web.common.numbers import counted, rating_at_least, rating_error, rating_number
from scorekeeper.web.common.words import listed, suit_name

ENDED = {"W": "Won", "S": "Tied", "L": "Lost"}
IN_A_ROW = {"W": ("win", "wins"), "L": ("loss", "losses")}
MOST_NAMED = 3


def record(sums: Mapping[str, int], *, all_games: bool) -> str:
    """3 won, 2 lost, 1 tied of 6 games. A tied game counts half."""
    games = sums.get("games", 0)
    if not games:
        if all_games and sums.get("hands", 0):
            return "No finished game counts for this player."
        return "No finished games yet." if all_games else "No finished games match the filter."
    won, lost, tied = (sums.get(name, 0) for name in ("won", "lost", "shared"))
    told = f"{won} won, {lost} lost{f', {tied} tied' if tied else ''} of {counted(games, 'game')}."
    return f"{told} A tied game counts half." if tied else told


def from_paper(games: int) -> str:
    if games == 1:
        return "1 game was scored on paper. Its result counts. It has no hands."
    return f"{games:,} games were scored on paper. Their results count. They have no hands."


def forfeits(games: int) -> str:
    if games < 2:
        return "1 game was a forfeit. It counts as won or lost. Nobody played it." if games else ""
    return f"{games:,} games were forfeits. They count as won or lost. Nobody played them."


def streak(streak: Streak | None) -> str:
    """3 wins (games 4 to 6)."""
    if streak is None:
        return "none"
    games = f"game {streak.last}" if streak.length == 1 else f"games {streak.first} to {streak.last}"
    return f"{counted(streak.length, *IN_A_ROW[streak.letter])} ({games})"


def rating_rests_on(games: int, number: int, change: str, missing: int, rating: Rating) -> str:
    """What a rating rests on, what the last game did to it, and while it is provisional how little it says."""
    told = f"After {counted(games, 'game')}. Game {number} changed it by {change}."
    if missing <= 0:
        return told
    low, high = rating_at_least(*rating), rating_number(rating.mu) + rating_error(rating.sigma)
    fits = f"So few games fit any strength from {low} to {high}."
    return f"{told} {fits} Provisional for {counted(missing, 'more game')}."


def too_close_to_call(names: Sequence[str], others: int) -> str:
    """Whose ratings cannot be told apart from this one, of so many others who have one."""
    if not names:
        return "Clearly different from every other rating."
    if len(names) == others > MOST_NAMED:
        return f"Too close to call with all {others} others."
    near = f"{len(names)} of {others} others" if len(names) > MOST_NAMED else listed(names)
    return f"Too close to call with {near}."


def favorite(trumps: Sequence[Taken], *, few: bool) -> str:
    """The trump bid most often; or that none is, or that there are too few bids to say."""
    names = [suit_name(trump.name) for trump in trumps]
    if names:
        return f"Favorite{'s' if len(names) > 1 else ''}: {listed(names)}."
    return f"Fewer than {counted(LEAST_BIDS, 'bid')}: too few to name a favorite." if few else "No clear favorite yet."

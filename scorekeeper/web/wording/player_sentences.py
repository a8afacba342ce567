"""What a player's page and the list of players say in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction

from scorekeeper.stats.profiles import LEAST_BIDS, LEAST_HANDS, Average, Streak, Streaks, Taken
from scorekeeper.stats.ratings import NEWCOMER, Rating
from scorekeeper.web.common.numbers import average as average_said
from scorekeeper.web.common.numbers import (
    counted,
    day,
    percent,
    rating_at_least,
    rating_error,
    rating_number,
    rating_said,
    swing,
)
from scorekeeper.web.common.words import listed, suit_name

ENDED = {"W": "Won", "S": "Tied", "L": "Lost"}
BY_FORFEIT = {"Won": "Won by forfeit", "Lost": "Lost by forfeit", "Tied": "Tied"}
IN_A_ROW = {"W": ("win", "wins"), "L": ("loss", "losses")}
NO_RATING_YET = f"The first finished game gives a rating. Newcomers start at {rating_said(*NEWCOMER)}."
MOST_NAMED = 3
GUEST_HAS_NONE = "A guest has no rating."


# --- the list -----------------------------------------------------------------------------------------------------


def member(games: int, hands: int, last: date | None) -> str:
    """12 games, the last on Mar 3, 2026."""
    if games and last:
        return f"{counted(games, 'game')}, the last on {day(last)}"
    if hands:
        return f"{counted(hands, 'hand')} in games that count for somebody else"
    return "No finished games yet"


# --- games --------------------------------------------------------------------------------------------------------


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


def part_of_game(hands: int) -> str:
    """What is shown instead of a result, if the game counts for somebody else."""
    return f"Played {counted(hands, 'hand')}"


def from_paper(games: int) -> str:
    if games == 1:
        return "1 game was scored on paper. Its result counts. It has no hands."
    return f"{games:,} games were scored on paper. Their results count. They have no hands."


def forfeits(games: int) -> str:
    if not games:
        return ""
    if games == 1:
        return "1 game was a forfeit. It counts as won or lost. Nobody played it."
    return f"{games:,} games were forfeits. They count as won or lost. Nobody played them."


def streak_lines(found: Streaks) -> list[tuple[str, str]]:
    """The streaks, each with what it is called."""
    return [
        ("Now", _streak(found.current)),
        ("Longest winning streak", _streak(found.won)),
        ("Longest losing streak", _streak(found.lost)),
    ]


def _streak(streak: Streak | None) -> str:
    if streak is None:
        return "none"
    games = f"game {streak.last}" if streak.length == 1 else f"games {streak.first} to {streak.last}"
    return f"{counted(streak.length, *IN_A_ROW[streak.letter])} ({games})"


# --- rating -------------------------------------------------------------------------------------------------------


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
    if len(names) > MOST_NAMED:
        return f"Too close to call with {len(names)} of {others} others."
    return f"Too close to call with {listed(names)}."


# --- bids and trump -----------------------------------------------------------------------------------------------


SEVERAL_RULES = "Filter by rules to see which bid pays best: bids under different rules cannot be compared."
TOO_FEW_BIDS = f"It takes two bids with {LEAST_BIDS} hands each to say which pays best."


def best_bids(names: Sequence[str], bids: Sequence[Taken]) -> str:
    """Which bids pay better than the others."""
    said = "; ".join(_average(bid.average) for bid in bids)
    return f"{listed(names)} {'pays' if len(names) == 1 else 'pay'} best: {said}."


def no_best_bid(name: str, bid: Taken) -> str:
    """That no bid can be told apart from the others, and which is highest."""
    return f"No bid clearly pays best yet. Highest: {name}, {_average(bid.average)}."


def _average(average: Average) -> str:
    """+1.50 ± 0.40 a hand over 40 hands."""
    return f"{swing(average.mean)} ± {average_said(average.margin)} a hand over {counted(average.of, 'hand')}"


def favorite(trumps: Sequence[Taken], *, few: bool) -> str:
    """The trump bid most often; or that none is, or that there are too few bids to say."""
    names = [suit_name(trump.name) for trump in trumps]
    if not names:
        return (
            f"Fewer than {counted(LEAST_BIDS, 'bid')}: too few to name a favorite." if few else "No clear favorite yet."
        )
    return f"Favorite: {names[0]}." if len(names) == 1 else f"Favorites: {listed(names)}."


# --- partners and opponents ---------------------------------------------------------------------------------------


def too_few_hands(name: str, hands: int) -> str:
    """How many hands are missing before somebody is named the best or the worst."""
    return f"{name} is closest, with {hands:,} of the {LEAST_HANDS} hands it takes."


def standing_out(named: Sequence[tuple[str, Average]]) -> str:
    """Ann, +0.50 ± 0.20 a hand over 40 hands; Cy, +0.45 ± 0.25 a hand over 31 hands."""
    return "; ".join(f"{name}, {_average(average)}" for name, average in named)


NOBODY_STANDS_OUT = "Too close to call"


def highest(name: str, average: Average) -> str:
    """Who is highest where nobody stands out."""
    return f"Highest: {name}, {_average(average)}"


def by_chance(share: Fraction) -> str:
    """What share of those games chance would win."""
    return f"By chance: {percent(share)}."

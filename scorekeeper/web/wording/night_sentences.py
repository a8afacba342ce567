"""The story of the last game night in a sentence or two: who won what, and what it did to the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scorekeeper.stats.schemes import POINTS, RATING, WINS, Scheme
from scorekeeper.stats.standings import Line, Standings, least_games
from scorekeeper.web.common.numbers import counted, figure
from scorekeeper.web.common.words import ended, listed

from .season_sentences import halves

MOST_NAMED = 12  # who is level is named; in a large club's first weeks dozens are
CLIMB = 2  # so many places up are worth a sentence


@dataclass(frozen=True)
class Ended:
    """A game of the night: who sat there at its end, who won it (one side, or several), their score, the others'.

    The scores are as that game shows them, the others' from the best on; `why` is why somebody won who was not ahead.
    """

    there: tuple[str, ...]
    winners: tuple[str, ...]
    shared: bool
    own: int
    others: tuple[int, ...]
    why: str = ""


def the_night(games: Sequence[Ended]) -> str:
    """Who won the games of a night."""
    if len(games) == 1:
        return _one(games[0])
    head = f"{len(games):,} games."
    won = Counter(name for game in games if not game.shared for name in game.winners)
    if not won:
        return f"{head} {'Both' if len(games) == 2 else 'All'} were ties."
    most = max(won.values())
    best = [name for name, number in won.items() if number == most]
    if most == len(games):
        return f"{head} {listed(best)} won {_all(most)}."
    if len(best) == 1:
        return f"{head} {_alone(best[0], most, games)}"
    if len(games) == 2 and not games[0].shared and not games[1].shared:
        return f"{head} {listed(games[0].winners)} won the first, {listed(games[1].winners)} the second."
    if most == 1:
        return f"{head} Nobody won two."
    return f"{head} {listed(best)} won the most, {most} each."


def _all(games: int) -> str:
    return "both" if games == 2 else f"all {games}"


def _one(game: Ended) -> str:
    if game.shared:
        return f"One game, a tie. {listed(game.winners)} won together, with {figure(game.own)}."
    score = " to ".join(figure(total) for total in (game.own, *game.others))
    if len(game.others) > 2:
        score = f"with {figure(game.own)}"
    return f"One game. {listed(game.winners)} won, {score}{f', {game.why}' if game.why else ''}."


def _alone(name: str, most: int, games: Sequence[Ended]) -> str:
    played = sum(name in game.there for game in games)
    if most == played > 1:
        return f"{name} played {played} and won {_all(played)}."
    return f"{name} won the most, {f'{most} of {played}' if played > 1 else 'one'}."


# --- the table ----------------------------------------------------------------------------------------------------


def the_table(table: Standings, scheme: Scheme) -> str:
    """What the night did to the top of the table, and who climbed most."""
    first = [line for line in table.lines if line.place == 1]
    return " ".join(filter(None, (_top(table, first, scheme), _climb(table))))


def _top(table: Standings, first: Sequence[Line], scheme: Scheme) -> str:
    placed = [line for line in table.lines if line.place is not None]
    if not placed:
        games = 0 if scheme.by == RATING else least_games(scheme)
        return f"Nobody is ranked yet. It takes {counted(games, 'game')}." if games else "Nobody is ranked yet."
    if not first:
        return ""
    if len(first) == len(placed) > 1:
        return "Both are tied." if len(first) == 2 else f"All {len(first)} are tied."
    before = [line for line in (*table.lines, *table.hidden) if line.was == 1]
    lead = _lead(first, before)
    return ended(f"{lead}{_gap(placed, first, scheme, lead)}")


def _lead(first: Sequence[Line], before: Sequence[Line]) -> str:
    now, then = _ids(first), _ids(before)
    who, together = _who(first), " together" if len(first) > 1 else ""
    verb = "lead" if together or _is_pair(first[0]) else "leads"
    if now == then:
        return f"{who} still {verb}{together}"
    if then and then < now:
        return f"{_who([line for line in first if line.player.id not in then])} joined {_who(before)} at the top"
    if now < then:
        return f"{who} now {verb}{together or ' alone'}"
    if then and not now & then:
        return f"{who} took the lead from {_who(before)}"
    return f"{who} {'now ' if then else ''}{verb}{together}"


def _is_pair(line: Line) -> bool:
    return isinstance(line.player.id, tuple)


def _ids(lines: Iterable[Line]) -> set[Any]:
    return {line.player.id for line in lines}


def _who(lines: Sequence[Line]) -> str:
    names = [line.player.name for line in lines]
    return (
        listed(names) if len(names) <= MOST_NAMED else counted(len(names), "pair" if _is_pair(lines[0]) else "player")
    )


def _gap(placed: Sequence[Line], first: Sequence[Line], scheme: Scheme, lead: str) -> str:
    """By how much a single leader leads, and ahead of whom; a name that `lead` ends with is not repeated."""
    rest = [line for line in placed if line.place != 1]
    if len(first) > 1 or not rest or scheme.by not in (WINS, POINTS):
        return ""
    second = [line for line in rest if line.place == rest[0].place]
    gap, is_named = Fraction(first[0].points) - Fraction(second[0].points), lead.endswith(f" from {_who(second)}")
    if not gap:
        return " on tiebreakers" if is_named else f", ahead of {_who(second)} on tiebreakers"
    ahead = f", {_amount(gap, scheme)} ahead"
    return ahead if is_named else f"{ahead} of {_who(second)}"


def _amount(gap: Fraction, scheme: Scheme) -> str:
    if scheme.by == POINTS:
        return counted(int(gap), "point")
    return "half a win" if gap < 1 else f"{halves(gap)} {'win' if gap == 1 else 'wins'}"


def _climb(table: Standings) -> str:
    """Who has gone up most: who leads now can be the one."""
    risen = [line for line in table.lines if (line.moved or 0) >= CLIMB]
    most = max((line.moved or 0 for line in risen), default=0)
    best = [line for line in risen if line.moved == most]
    if not best:
        return ""
    where = f"to place {best[0].place}" if len({line.place for line in best}) == 1 else "places each"
    return f"Biggest climb: {_who(best)}, up {most} {where}."

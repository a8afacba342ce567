"""Sentences of a season's pages: columns, the last night, records, awards, best paying bid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from scorekeeper.stats.counting import COMEBACK
from scorekeeper.stats.profiles import Average
from scorekeeper.stats.ratings import LEAST_GAMES
from scorekeeper.stats.records import LEAST_BIDS, LEAST_STREAK, Award, Deed, FoundRecord
from scorekeeper.stats.schemes import BY_NIGHTS, IN_POINTS, RATING, Scheme
from scorekeeper.stats.standings import LEAST_TOGETHER, Line, Standings, least_games
from scorekeeper.web.common.numbers import average, counted, day, figure, percent, rating_number, signed, swing, times
from scorekeeper.web.common.words import ended, listed
from scorekeeper.web.seasons.messages import TIES, halves

# --- meaning of the columns; a test compares it with docs/standings.md ----------------------------------------------

RESULTS = {
    "Won": "Games won, alone or with partners.",
    "Lost": "Games that somebody else won.",
    "Tied": "Games that several won together.",
    "Win %": "Games won of the games played. A tied game counts half.",
}
SCORES = {
    "For": "The player’s final scores, added up.",
    "Against": "The best opponent’s final scores, added up.",
    "Margin": "For minus Against, per game.",
}
ORDERED = {
    "Place": "Best first. Ties go by the tiebreakers, then share a place.",
    "Wins": "Games won. A tied game counts half. Some seasons count only the best nights.",
    "Total": "The player’s final scores and bonuses, added up. Some seasons count only the best nights.",
    "Points": "For games won, tied and lost, nights and bonuses, as the season sets them.",
}
LEAGUE = {
    "Nights": "Nights that count, of nights played: 4 of 6.",
    "Bonus": "Bonus points minus penalties; – for none.",
}
PLAYERS = {
    **ORDERED,
    "Games": "Finished games that count for the player.",
    **RESULTS,
    **SCORES,
    "Rating": "How strong the player has been so far, and by how much that may be off. Newcomers start at 1000.",
    **LEAGUE,
    "Division": "One of the groups A to D. Each has a table and places of its own, from all games of the season.",
}
PAIRS = {
    **ORDERED,
    "Pair": "The two players of a team of two. A pair has no rating.",
    "Games": "Finished games that the two played as a team and that count for both.",
    **RESULTS,
    **SCORES,
    **LEAGUE,
    "Division": "A pair is in a division if both players are in it.",
}
LADDER = {
    "Rung": "Whoever beats somebody higher takes that rung, or trades with the loser. The first is at the top.",
    "Arrow": "Rungs gained and lost on the last game night.",
}
PARTNERS = {
    "Partners": "Two players on one team. Best pairs first.",
    "Win %": "Games won of the games played together. A tied game counts half.",
    "Chance": "The win % by chance: 50% with two teams, 33% with three.",
    "Games": "Finished games as partners.",
    "Won": "Games won together.",
    "Lost": "Games lost together.",
    "Tied": "Games in which their team tied.",
    "Hands": "Hands that both played as partners.",
    "Swing": "Points gained on the opponents per hand.",
}
HEAD_TO_HEAD = {
    "Schedule": "Strength of schedule: the average rating of the player’s opponents, each as it was before the game.",
    "Opponent": "Anyone but a partner.",
    "Games": "Finished games against each other. Forfeits count.",
    "Won–lost–tied": "How they ended for the player in that row. With three teams or more, both can lose.",
    "Win %": "Of those games. A tied game counts half.",
}
OTHER_NUMBERS = {
    "Head to head": "Among tied players: games won against each of the others, less games lost to them.",
    "Sets per game": "Times set in hands the player played, per game that counts. A pair: in hands both played.",
    "Form": "The last five games, the latest last: W won, L lost, T tied. Forfeits are left out.",
    "Provisional": "A rating from fewer than eight games of this table.",
    "Streak": "Games won in a row, alone or with partners. A tied game ends it, and forfeits are left out.",
}


# Tables: key in addresses, title, and the meaning of each column.
SECTIONS = (
    ("players", "Players", PLAYERS),
    ("pairs", "Fixed pairs", PAIRS),
    ("ladder", "Ladder", LADDER),
    ("partners", "Partners", PARTNERS),
    ("head-to-head", "Head to head", HEAD_TO_HEAD),
    ("other", "Other numbers", OTHER_NUMBERS),
)


def anchor(section: str, name: str) -> str:
    """Fragment id of a column on the page of columns: players-win-share."""
    words = name.lower().replace("%", "share").replace("–", " ").split()
    return "-".join((section, *words))


# --- the last game night ----------------------------------------------------------------------------------------------

MOST_LEVEL = 12  # tied players that are named; in a large club's first weeks there are dozens
CLIMB = 2  # minimum of places gained to be mentioned


class Ended(NamedTuple):
    """A game of the night: players at its end, and winners (several sides if shared).

    `line` is the result of the only game of a night: "21 to 22, by making the bid".
    """

    there: tuple[str, ...]
    winners: tuple[str, ...]
    shared: bool
    line: str = ""


def night_story(games: Sequence[Ended]) -> str:
    """The winners of a night's games."""
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
    return head if most == 1 else f"{head} {listed(best)} won the most, {most} each."


def _all(games: int) -> str:
    return "both" if games == 2 else f"all {games}"


def _one(game: Ended) -> str:
    one, together = ("One game, a tie.", " together") if game.shared else ("One game.", "")
    return f"{one} {listed(game.winners)} won{together}, {game.line}."


def _alone(name: str, most: int, games: Sequence[Ended]) -> str:
    played = sum(name in game.there for game in games)
    if most == played > 1:
        return f"{name} played {played} and won {_all(played)}."
    return f"{name} won the most, {f'{most} of {played}' if played > 1 else 'one'}."


# --- the table ----------------------------------------------------------------------------------------------------


def table_story(table: Standings, scheme: Scheme) -> str:
    """The night's change at the top of the table, and the biggest climb."""
    return " ".join(filter(None, (_top(table, scheme), _climb(table))))


def _top(table: Standings, scheme: Scheme) -> str:
    placed = [line for line in table.lines if line.place is not None]
    first = [line for line in placed if line.place == 1]
    if not placed:
        games = 0 if scheme.by == RATING else least_games(scheme)
        return f"Nobody is ranked yet. It takes {games} games." if games > 1 else "Nobody is ranked yet."
    if not first:
        return ""
    if len(first) == len(placed) > 1:
        return "Both are tied." if len(first) == 2 else f"All {len(first)} are tied."
    before = [line for line in (*table.lines, *table.hidden) if line.was == 1]
    lead = _lead(first, before)
    return ended(f"{lead}{_gap(placed, first, scheme, lead, table.tiebreaker)}")


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
        listed(names) if len(names) <= MOST_LEVEL else counted(len(names), "pair" if _is_pair(lines[0]) else "player")
    )


def _gap(placed: Sequence[Line], first: Sequence[Line], scheme: Scheme, lead: str, tie: str) -> str:
    """The lead over the next players, or the tiebreaker `tie`; names that `lead` ends with are not repeated."""
    rest = [line for line in placed if line.place != 1]
    if len(first) > 1 or not rest or scheme.by not in BY_NIGHTS:
        return ""
    second = [line for line in rest if line.place == rest[0].place]
    gap, is_named = Fraction(first[0].points) - Fraction(second[0].points), lead.endswith(f" from {_who(second)}")
    if not gap:
        return f" on {TIES[tie]}" if is_named else f", ahead of {_who(second)} on {TIES[tie]}"
    ahead = f", {_amount(gap, scheme)} ahead"
    return ahead if is_named else f"{ahead} of {_who(second)}"


def _amount(gap: Fraction, scheme: Scheme) -> str:
    if scheme.by in IN_POINTS:
        return counted(int(gap), "point")
    return "half a win" if gap < 1 else f"{halves(gap)} {'win' if gap == 1 else 'wins'}"


def _climb(table: Standings) -> str:
    """The players who gained the most places, possibly the leader."""
    most = max((line.moved or 0 for line in table.lines), default=0)
    if most < CLIMB:
        return ""
    best = [line for line in table.lines if line.moved == most]
    where = f"to place {best[0].place}" if len({line.place for line in best}) == 1 else "places each"
    return f"Biggest climb: {_who(best)}, up {most} {where}."


MOST_NAMED = 6
ALL_RULES = "Under any rules"


# --- records ------------------------------------------------------------------------------------------------------


class RecordWords(NamedTuple):
    """A record's title, and its unit in singular and plural."""

    title: str
    one: str = ""
    many: str = ""

    def value(self, number: int) -> str:
        what = self.one if abs(number) == 1 else self.many
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


def deed_text(found: FoundRecord) -> str:
    """Where and when a record was set first, and how often equaled."""
    deed = found.deed
    when = f"{_where(found.key, deed)}, {day(deed.played)}"
    when = f"{when[:1].upper()}{when[1:]}"
    return f"{when}; equaled {times(deed.again)} since" if deed.again else when


def _where(key: str, deed: Deed) -> str:
    if deed.hand:
        return f"hand {deed.hand} of game {deed.number}"
    if key == COMEBACK:
        when = f"after hand {deed.since}" if deed.since else "before the first hand"
        return f"{when} of game {deed.number}"
    return games_said(deed.since, deed.number, deed.value) if deed.since else f"game {deed.number}"


def games_said(first: int, last: int, length: int) -> str:
    """The games of a streak. A game entered later can be older: then there may be too few numbers."""
    return f"games {first} to {last}" if last - first >= length - 1 else f"the last in game {last}"


# --- awards -------------------------------------------------------------------------------------------------------


class AwardWords(NamedTuple):
    """An award's title, formatted value and rule."""

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
        f"Made bids clearly more often than the others, with {LEAST_BIDS} bids or more.",
    ),
    "bidder": AwardWords(
        "Best bidder",
        _bids_made,
        f"Made the highest percentage of bids, with {LEAST_BIDS} bids or more.",
    ),
    "defender": AwardWords(
        "Most sets of opponents",
        lambda a: counted(int(a.value), "set"),
        "Set opponents most often, in the hands they played.",
    ),
    "improved": AwardWords(
        "Most rating gained",
        lambda a: signed(rating_number(float(a.value))),
        f"Gained the most rating, in {LEAST_GAMES} games or more.",
    ),
    "streak": AwardWords(
        "Longest streak",
        lambda a: f"{a.value} wins in a row",
        f"Won the most games in a row, {LEAST_STREAK} or more.",
    ),
    "best-partners": AwardWords(
        "Best partners",
        _games_won,
        f"Won clearly more games than their ratings predict, with {LEAST_TOGETHER} games together or more.",
    ),
    "partners": AwardWords(
        "Best partners",
        _games_won,
        f"The best win % of two partners, with {LEAST_TOGETHER} games together or more.",
    ),
}


def some_names(names: Iterable[str]) -> str:
    """Listed names, truncated if there are many."""
    first = list(names)
    more = len(first) - MOST_NAMED
    return listed([*first[:MOST_NAMED], f"{more} more"] if more > 1 else first)


# --- bids ---


def average_over(found: Average) -> str:
    """Text like "+1.50 ± 0.40 a hand over 40 hands"."""
    return f"{swing(found.mean)} ± {average(found.margin)} a hand over {counted(found.of, 'hand')}"

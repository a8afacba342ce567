"""Data of a player's page: the numbers of stats.profiles with their sample sizes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from sqlalchemy import func, select

from scorekeeper import charts
from scorekeeper.database.session import db
from scorekeeper.models import LATEST_RESULT_FIRST, Club, GameGroup, Player, Result
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.rules.fields import Scale
from scorekeeper.scoring.rules.words import POINT_NAMES, point_name
from scorekeeper.stats import profiles
from scorekeeper.stats.counting import expected_share
from scorekeeper.stats.profiles import LEAST_BIDS, LEAST_HANDS, CoPlayer, Point, Profile, Streak, streaks
from scorekeeper.stats.query import (
    ResultRow,
    RowAggregates,
    aggregate_details,
    chosen_games,
    letter_of,
    results,
    scales_of,
)
from scorekeeper.stats.ratings import LEAST_GAMES, NEWCOMER, Rating, differ_significantly
from scorekeeper.web.common.narrator import in_a_sentence
from scorekeeper.web.common.numbers import (
    counted,
    day,
    figure,
    percent,
    rating_number,
    rating_said,
    signed,
)
from scorekeeper.web.common.words import listed, suit_name
from scorekeeper.web.standings.charts import Bids, rating_line
from scorekeeper.web.standings.filters import GameFilter, rules_by_id
from scorekeeper.web.standings.messages import average_over, games_said

LAST_GAMES = 20
MOST_NAMED = 3
ENDED = {"W": "Won", "S": "Tied", "L": "Lost"}
IN_A_ROW = {"W": ("win", "wins"), "L": ("loss", "losses")}


class LastGame(NamedTuple):
    """A finished game from one player's view; `rated` is its change of the rating.

    If the game's credit went to another player, only hands are known: no score, no rating.
    """

    played: date
    number: int
    ended: str
    score: str
    rated: str


class PlayerPage:
    """Data of a player's page."""

    def __init__(self, club: Club, player: Player, looked_at: GameFilter) -> None:
        self.club, self.player, self.filter = club, player, looked_at
        mine = *chosen_games(club, looked_at.choice), Result.player_id == player.id
        self._rows: list[ResultRow] = results(*mine, Result.games + Result.hands > 0)
        self.record = RowAggregates(self._rows).records[player.id]
        details = aggregate_details(club, looked_at.choice, player_id=player.id)
        self.profile: Profile = profiles.profile(self.record.sums, details[player.id])

    least_hands = LEAST_HANDS

    @cached_property
    def players(self) -> dict[int, Player]:
        return {player.id: player for player in self.club.players}

    # --- games ---

    @property
    def games(self) -> list[ResultRow]:
        """Games credited to the player; of the others, only hands count."""
        return [row for row in self._rows if row.games]

    @property
    def on_paper(self) -> int:
        """Number of games without hands."""
        return sum(not row.hands and not row.forfeits for row in self.games)

    @property
    def record_says(self) -> str:
        """Text like "3 won, 2 lost, 1 tied of 6 games. A tied game counts half."."""
        sums = self.record.sums
        if not sums["games"]:
            if self.filter.is_on:
                return "No finished games match the filter."
            return "No finished game counts for this player." if sums["hands"] else "No finished games yet."
        tied = f", {sums['shared']} tied" if sums["shared"] else ""
        half = " A tied game counts half." if tied else ""
        said = f"{sums['won']} won, {sums['lost']} lost{tied} of {counted(sums['games'], 'game')}.{half}"
        return f"{said} By chance: {percent(self._chance_share)}."

    @property
    def _chance_share(self) -> Fraction:
        """The share of these games expected by chance: one of the number of sides in each."""
        mine = Result.group_id == GameGroup.id, Result.player_id == self.player.id, Result.games == 1
        sides = func.coalesce(func.nullif(GameGroup.teams, 0), GameGroup.players)
        kinds = select(sides, func.count()).where(*mine, *chosen_games(self.club, self.filter.choice)).group_by(sides)
        return expected_share(dict(db.session.execute(kinds).all()))

    @property
    def forfeits_say(self) -> str:
        """Number of forfeits among the games; empty if none."""
        games = sum(row.forfeits for row in self.games)
        return f"{counted(games, 'forfeit')} among the games." if games else ""

    @cached_property
    def last_games(self) -> list[LastGame]:
        """The player's last games, including those credited to others."""
        last = self._rows[-LAST_GAMES:]
        scales = scales_of(self.club, [row.number for row in last])
        return [_last_game(row, scales[row.number]) for row in reversed(last)]

    @property
    def streak_lines(self) -> list[tuple[str, str]]:
        """(label, streak) pairs."""
        found = streaks(self.record.form)
        named = {"Now": found.current, "Longest winning streak": found.won, "Longest losing streak": found.lost}
        return [(name, _streak(streak)) for name, streak in named.items()]

    # --- rating ---

    @property
    def rating(self) -> str:
        """The current rating, regardless of the filter: 1012 ± 95."""
        return "" if self.player.mu is None else rating_said(*rating_of(self.player))

    @property
    def rating_says(self) -> str:
        """The basis of the rating, and its last change."""
        if self.player.guest:
            return "A guest has no rating."
        if not self.rating:
            return f"The first finished game gives a rating. Newcomers start at {rating_said(*NEWCOMER)}."
        rated = self.player.rated
        mine = select(Result).where(Result.player_id == self.player.id, Result.mu.is_not(None))
        last = db.session.scalars(mine.order_by(*LATEST_RESULT_FIRST).limit(1)).one()
        rests_on = f"After {counted(rated, 'game')}. Game {last.number} changed it by {_rated(last)}."
        if rated >= LEAST_GAMES:
            return f"{rests_on} {self._similar_players}".strip()
        return f"{rests_on} Provisional for {counted(LEAST_GAMES - rated, 'more game')}."

    @property
    def _similar_players(self) -> str:
        """Players with established ratings that are statistically indistinguishable from this one."""
        others = [other for other in self.club.players if other is not self.player]
        rated = [other for other in others if other.rated >= LEAST_GAMES and not (other.guest or other.retired)]
        if not rated:
            return ""
        near = [other for other in rated if not differ_significantly(rating_of(self.player), rating_of(other))]
        names = [other.name for other in sorted(near, key=lambda other: -(other.mu or 0))]
        if not names:
            return "Clearly different from every other rating."
        if len(names) == len(rated) > MOST_NAMED:
            return "Needs more games to tell the players apart."
        several = f"{len(names)} of {len(rated)} others" if len(names) > MOST_NAMED else listed(names)
        return f"Too close to call with {several}."

    @cached_property
    def rating_chart(self) -> charts.Chart:
        nights = {row.played: row for row in self._rows if row.mu is not None}  # the last game of each night
        rated = [(row.mu or 0.0, row.sigma or 0.0) for row in nights.values()]
        rating = rating_line(in_a_sentence(self.player.name), rated)
        return charts.rating_over_time([day(night) for night in nights], [rating], title="Rating by game night")

    # --- hands ---

    @cached_property
    def bids(self) -> Bids:
        return Bids(self.profile.bids, self._rules)

    @cached_property
    def _rules(self) -> Collection[RuleSet]:
        """The rule sets of the player's filtered games."""
        theirs = Result.group_id == GameGroup.id, Result.player_id == self.player.id
        mine = select(GameGroup.rules_id).distinct().where(*chosen_games(self.club, self.filter.choice), *theirs)
        return rules_by_id(self.club, db.session.scalars(mine)).values()

    @property
    def points(self) -> list[Point]:
        """The points in the usual order of naming."""
        order = {key: place for place, key in enumerate(POINT_NAMES)}
        return sorted(self.profile.points, key=lambda point: (order.get(point.key, len(order)), point.key))

    def point_name(self, key: str) -> str:
        """Name of a point under the rules played.

        Its key's default if rules differ or share the name between points.
        """
        names = self._names.get(key, set())
        is_its_own = sum(names <= others for others in self._names.values()) == 1
        return names.copy().pop() if len(names) == 1 and is_its_own else point_name(key)

    @cached_property
    def _names(self) -> dict[str, set[str]]:
        """Names of each point under the rules played, by key."""
        found: dict[str, set[str]] = {}
        for rules in self._rules:
            for point in rules.points:
                found.setdefault(point.key, set()).add(point.name)
        return found

    @property
    def favorite(self) -> str:
        """The trump named most often, or that there is none yet, or too few bids."""
        names = [suit_name(trump.name) for trump in self.profile.favorites]
        if names:
            return f"Favorite{'s' if len(names) > 1 else ''}: {listed(names)}."
        few = sum(trump.taken for trump in self.profile.trumps) < LEAST_BIDS
        return "Too few bids for a favorite." if few else "No clear favorite yet."

    def met(self, company: Iterable[CoPlayer]) -> list[CoPlayer]:
        """Partners or opponents who are still in the club."""
        return [one for one in company if one.player in self.players and one.hands + one.games]

    def standing_out(self, some: Iterable[CoPlayer], best: str, worst: str) -> list[tuple[str, str]]:
        """The best and worst regular players, or how many hands are missing."""
        found = profiles.extremes([one for one in some if not self.players[one.player].guest])
        if found.nearest:
            name, hands = self._name(found.nearest), found.nearest.hands
            return [(best, f"Needs {LEAST_HANDS} hands. Most so far: {name}, {hands:,}.")]
        if len(found.enough) == 1:
            return [("Only one so far", self._said(found.enough))]
        if found.enough and not found.best and not found.worst:
            first = found.enough[0]
            return [("Too close to call", f"Highest: {self._said([first])}")]
        return [(label, self._said(named)) for label, named in ((best, found.best), (worst, found.worst)) if named]

    def _said(self, some: Sequence[CoPlayer]) -> str:
        """Text like "Ann, +0.50 ± 0.20 a hand over 40 hands; Cy, +0.45 ± 0.25 a hand over 31 hands"."""
        return "; ".join(f"{self._name(one)}, {average_over(one.average)}" for one in some)

    def _name(self, one: CoPlayer) -> str:
        return self.players[one.player].name


def rating_of(player: Player) -> Rating:
    """The rating of a rated player."""
    return Rating(player.mu or 0.0, player.sigma or 0.0)


def _streak(streak: Streak | None) -> str:
    """Text like "3 wins (games 4 to 6)"; "none" for None."""
    if streak is None:
        return "none"
    games = f"game {streak.last}" if streak.length == 1 else games_said(streak.first, streak.last, streak.length)
    return f"{counted(streak.length, *IN_A_ROW[streak.letter])} ({games})"


def _last_game(row: ResultRow, scale: Scale) -> LastGame:
    if not row.games:
        return LastGame(row.played, row.number, f"Played {counted(row.hands, 'hand')}", "", "")
    ended, score = ENDED[letter_of(row.won, row.shared)], ""
    if not row.forfeits:
        score = f"{figure(scale.score(row.points_for))} to {figure(scale.score(row.points_against))}"
    elif not row.shared:
        ended = f"{ended} by forfeit"
    return LastGame(row.played, row.number, ended, score, _rated(row))


def _rated(row: Result | ResultRow) -> str:
    """A game's change of the displayed rating."""
    if row.mu is None or row.mu_before is None:
        return ""
    return signed(rating_number(row.mu) - rating_number(row.mu_before))

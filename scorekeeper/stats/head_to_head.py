"""Results of every player against every other, and the strength of each player's opponents."""

from __future__ import annotations

from functools import partial

from sqlalchemy import and_, func, select, tuple_
from sqlalchemy.orm import aliased

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result

from .counting import VS, PlayerId, of_kind
from .profiles import CoPlayer, company_of
from .query import Choice, aggregate_details, aggregate_with_cache, chosen_games
from .ratings import PLAYED, START


def opponents_of(club: Club, choice: Choice) -> dict[PlayerId, dict[PlayerId, CoPlayer]]:
    """Each player's opponents by id in the chosen games, also guests; only those who met in a game that counts."""
    details = aggregate_details(club, choice, kind=VS)
    return {
        player: {other.player: other for other in company_of(of_kind(detail, VS)) if other.games}
        for player, detail in details.items()
    }


Sums = dict[PlayerId, tuple[float, int]]  # (sum of opponents' ratings, their number)


def schedules_of(club: Club, choice: Choice) -> dict[PlayerId, float]:
    """Each player's strength of schedule in the chosen games; those before the latest day are cached (see query).

    It is the average rating of a player's opponents, each before the game; forfeits do not count.
    """
    nothing: Sums = {}
    if club.unrated_since is None:
        sums = aggregate_with_cache(club, choice, "schedules", nothing, partial(_with_ratings_met, club))
    else:
        sums = _with_ratings_met(club, nothing, choice)
    return {player: total / many for player, (total, many) in sums.items()}


def _with_ratings_met(club: Club, before: Sums, choice: Choice) -> Sums:
    """Add the ratings of opponents in the chosen games to `before`, which is not modified.

    A guest counts as a newcomer in every game; a game may rate another player than it counts for (see ratings).
    """
    theirs, earlier = aliased(Result), aliased(Result)
    same_game = and_(theirs.game_id == Result.game_id, theirs.credit == Result.credit)
    other_side = and_(same_game, theirs.unit != Result.unit, theirs.games == 1)
    since = tuple_(earlier.played, earlier.number) < tuple_(theirs.played, theirs.number)
    last = select(earlier.mu).where(earlier.player_id == theirs.player_id, earlier.mu.is_not(None), since)
    rated = last.order_by(earlier.played.desc(), earlier.number.desc()).limit(1).scalar_subquery()
    sums = func.sum(func.coalesce(theirs.mu_before, rated, START)), func.count()
    met = select(Result.player_id, *sums).join(theirs, other_side).where(*chosen_games(club, choice), PLAYED)
    found = before.copy()
    for player, total, many in db.session.execute(met.group_by(Result.player_id)):
        so_far, of = before.get(player, (0, 0))
        found[player] = so_far + total, of + many
    return found

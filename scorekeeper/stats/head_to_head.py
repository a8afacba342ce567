"""Everybody against everybody: how games between any two players ended, and how strong each one's opponents were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from sqlalchemy import and_, func, select, tuple_
from sqlalchemy.orm import aliased

from scorekeeper.database.session import db
from scorekeeper.models import Club, Result

from . import query
from .counting import VS, PlayerId, of_kind, win_share
from .query import Choice, aggregate_details, chosen_games
from .ratings import START


class Meeting(NamedTuple):
    """The games of a player against another one, as that player ended them; forfeits are among them."""

    games: int = 0
    won: int = 0
    shared: int = 0
    lost: int = 0

    @property
    def share(self) -> Fraction:
        return win_share(self.won, self.shared, self.games)


NEVER = Meeting()
Meetings = Mapping[PlayerId, Mapping[PlayerId, Meeting]]


@dataclass(frozen=True)
class HeadToHead:
    """What there is to say of the games chosen: each player's meetings by opponent, and the strength of schedules.

    A schedule is the average rating of a player's opponents, each as it was before the game; forfeits have none.
    """

    meetings: Meetings
    schedules: Mapping[PlayerId, float]

    def meeting(self, one: PlayerId, other: PlayerId) -> Meeting:
        return self.meetings.get(one, {}).get(other, NEVER)


def head_to_head(club: Club, choice: Choice) -> HeadToHead:
    """Who met whom in the games chosen, guests too."""
    meetings: dict[PlayerId, dict[PlayerId, Meeting]] = defaultdict(dict)
    for player, detail in aggregate_details(club, choice, kind=VS).items():
        for other, told in of_kind(detail, VS).items():
            if told.get("games"):
                meetings[player][int(other)] = Meeting(*(told.get(name, 0) for name in Meeting._fields))
    return HeadToHead(meetings, schedules_of(club, choice))


Sums = dict[PlayerId, tuple[float, int]]  # of the ratings of everybody met, and how many they were


def schedules_of(club: Club, choice: Choice) -> dict[PlayerId, float]:
    """Each player's strength of schedule; what came before the latest day is cached (see query)."""
    parts = query.parts_of(club, choice) if club.unrated_since is None else None
    if parts is None:
        sums = [_ratings_met(club, choice)]
    else:
        before = query.cached(club, ("schedules", parts.before), lambda: _ratings_met(club, parts.before))
        sums = [before, _ratings_met(club, parts.latest)]
    found = {player: [some[player] for some in sums if player in some] for some in sums for player in some}
    return {player: sum(total for total, _ in mine) / sum(many for _, many in mine) for player, mine in found.items()}


def _ratings_met(club: Club, choice: Choice) -> Sums:
    """A guest is met as a newcomer in every game; a game may rate another player than it counts for (see ratings)."""
    theirs, earlier = aliased(Result), aliased(Result)
    same_game = and_(theirs.game_id == Result.game_id, theirs.credit == Result.credit)
    other_side = and_(same_game, theirs.unit != Result.unit, theirs.games == 1)
    before = tuple_(earlier.played, earlier.number) < tuple_(theirs.played, theirs.number)
    last = select(earlier.mu).where(earlier.player_id == theirs.player_id, earlier.mu.is_not(None), before)
    rated = last.order_by(earlier.played.desc(), earlier.number.desc()).limit(1).scalar_subquery()
    sums = func.sum(func.coalesce(theirs.mu_before, rated, START)), func.count()
    played = *chosen_games(club, choice), Result.games == 1, Result.forfeits == 0
    met = select(Result.player_id, *sums).join(theirs, other_side).where(*played)
    return {player: (total, many) for player, total, many in db.session.execute(met.group_by(Result.player_id))}

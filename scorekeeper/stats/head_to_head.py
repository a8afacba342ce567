"""Everybody against everybody: how games between any two players ended, and how strong each one's opponents were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.models import Club

from .counts import PlayerId, win_share, wins
from .detail import VS, of_kind
from .query import Choice, Record, gather, gather_details


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
    """What there is to say of the games chosen: each player's meetings by opponent, and everybody's numbers."""

    meetings: Meetings
    records: Mapping[PlayerId, Record]

    def meeting(self, one: PlayerId, other: PlayerId) -> Meeting:
        return self.meetings.get(one, {}).get(other, NEVER)

    def schedule(self, player: PlayerId) -> Fraction | None:
        """The strength of a player's schedule, from 0 to 1: the average win % of the opponents.

        Each opponent counts once for each game against the player, with the win % of all the opponent's other games:
        those against the player are left out, and so is who has no others. None where nobody is left.
        """
        met = [
            (meeting.games, self._share_elsewhere(other, player))
            for other, meeting in self.meetings.get(player, {}).items()
        ]
        shares = [(games, share) for games, share in met if share is not None]
        total = sum(games for games, _ in shares)
        return sum((games * share for games, share in shares), Fraction(0)) / total if total else None

    def _share_elsewhere(self, player: PlayerId, without: PlayerId) -> Fraction | None:
        sums, met = self.records[player].sums, self.meeting(player, without)
        games = sums["games"] - met.games
        won = wins(sums["won"], sums["shared"]) - wins(met.won, met.shared)
        return won / games if games else None


def head_to_head(club: Club, choice: Choice) -> HeadToHead:
    """Who met whom in the games chosen, guests too."""
    meetings: dict[PlayerId, dict[PlayerId, Meeting]] = defaultdict(dict)
    for player, detail in gather_details(club, choice, kind=VS).items():
        for other, told in of_kind(detail, VS).items():
            if told.get("games"):
                meetings[player][int(other)] = Meeting(*(told.get(name, 0) for name in Meeting._fields))
    return HeadToHead(meetings, gather(club, choice).records)

"""What a club's own page shows: the games that are open, the latest ones, and how many there are."""

from __future__ import annotations

from functools import cached_property

from scorekeeper.models import Club
from scorekeeper.services.game_reader import Latest, read_games, read_latest
from scorekeeper.web.games.score_sheet import Cell, Summary, score_cells

LATEST_GAMES = 5  # on the club's own page
GAMES_ON_A_PAGE = 30


class ClubGame(Summary):
    """A game in the club's list, with its scores for the head of the page while it is open."""

    @property
    def cells(self) -> list[Cell]:
        last = self.score.hands[-1] if self.score.hands else None
        return score_cells(self.table, self.narrator.shorts, self.score.totals, last)


class ClubPage:
    """A club's own page."""

    def __init__(self, club: Club, token: str) -> None:
        self.club = club
        self.token = token  # names the form that plays the latest game again

    @cached_property
    def _latest(self) -> Latest:
        return read_latest(self.club.id, LATEST_GAMES)

    @cached_property
    def games(self) -> list[ClubGame]:
        return [ClubGame(game) for game in self._latest.listed]

    @cached_property
    def _begun(self) -> list[ClubGame]:
        """The games begun last: on which day they were played does not matter. If all are from paper, the latest."""
        listed = {game.number: game for game in self.games}
        return [listed.get(game.number) or ClubGame(game) for game in self._latest.begun] or self.games

    @property
    def latest(self) -> ClubGame | None:
        return self._begun[0] if self._begun else None

    @cached_property
    def open_games(self) -> list[ClubGame]:
        """Those of the games begun last that wait for their next hand."""
        return [game for game in self._begun if game.goes_on]

    @property
    def is_resumed(self) -> bool:
        """Whether the latest game is open: then the main button resumes it, and does not start another."""
        return self._begun[:1] == self.open_games[:1] != []

    @property
    def count(self) -> int:
        return self._latest.of


def games_of(club: Club, skipped: int, most: int) -> list[ClubGame]:
    """At most so many games of a club, the latest first, without the first few."""
    return [ClubGame(game) for game in read_games(club.id, skipped, most)]

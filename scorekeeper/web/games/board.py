"""The board: a game for a tablet or a television across the room, which asks for what is new by itself."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple
from zlib import crc32

from flask import Blueprint, Response, abort, g, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Text, bindparam, cast, select
from sqlalchemy.orm import aliased

from scorekeeper.db import db
from scorekeeper.drafts import NEXT_SEATS
from scorekeeper.models import Game, Tapped
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.table import BIDDING
from scorekeeper.web.common.numbers import figure
from scorekeeper.web.common.scope import find_game, scoped
from scorekeeper.web.wording.words import listed

from .score_sheet import Line, Sheet

bp = scoped(Blueprint("board", __name__, url_prefix="/c/<key>/games/<int:number>/board"))

# One small query, put together once: many boards ask it all evening long, and mostly nothing has changed.
_rematch = aliased(Game)
_following = select(_rematch.number).where(_rematch.previous_id == Game.id).order_by(_rematch.number.desc()).limit(1)
_coming = select(cast(Tapped.fields, Text)).where(Tapped.game_id == Game.id, Tapped.position == NEXT_SEATS)
STATE = select(Game.version, _following.scalar_subquery(), Game.state, _coming.scalar_subquery()).where(
    Game.club_id == bindparam("club"), Game.number == bindparam("number")
)

NARROWEST = 2  # figures: room for these is kept from the start, so that 9 to 10 moves nothing


class State(NamedTuple):
    """All that what a board shows depends on: how often the game has changed, and whether it was played again.

    And whether it is paused, who is about to sit down, and what the players are called (the club's `books`).
    """

    version: int
    rematch: int | None
    state: str
    coming: str | None
    books: int

    @property
    def tag(self) -> str:
        rest = crc32(f"{self.state} {self.books} {self.coming}".encode())
        return f"{self.version}.{self.rematch or 0}.{rest:x}"


class Board(Sheet):
    """What the board shows of a game."""

    def __init__(self, game: Game, state: State) -> None:
        super().__init__(game)
        self.state = state

    @property
    def figures(self) -> int:
        """How many characters the longest score takes."""
        return max(NARROWEST, *(len(figure(total)) for total in self.score.totals.values()))

    @cached_property
    def _last(self) -> HandScore | None:
        return self.score.hands[-1] if self.score.hands else None

    @property
    def last(self) -> Line | None:
        """The last hand that counts."""
        return self._line(len(self.score.hands), self._last) if self._last else None

    @property
    def partner(self) -> str:
        """Who played with the bidder, where that changes from hand to hand: "Cy", "alone"."""
        score = self._last
        if score is None or score.sides is None or not self.table.changing_sides:
            return ""
        mates = [seat for seat in self.table.seats if score.sides.of_seat[seat] == BIDDING and seat != score.bidder]
        return f"with {listed([self.narrator.seat(seat) for seat in mates])}" if mates else "alone"

    @property
    def dealer(self) -> str:
        """Who deals the next hand, in few letters."""
        return self.narrator.seat(self._next_seat)

    @property
    def winners(self) -> tuple[str, ...]:
        return self.score.winners


@bp.get("")
def show(number: int) -> ResponseReturnValue:
    board = Board(find_game(number), find_state(number))
    return render_template("games/board.html", club=g.club, game=board.game, board=board)


@bp.get("/now")
def now(number: int) -> ResponseReturnValue:
    """What the board shows, if it is not what it shows already; once the game is played again, on to that one."""
    state = find_state(number)
    if request.if_none_match.contains_weak(state.tag):
        return _tagged(Response(status=304), state)
    game = find_game(number)
    if _is_played_again_since(state):
        return "", 204, {"HX-Redirect": url_for(".show", key=g.club.key, number=last_rematch(game).number)}
    page = render_template("games/_board.html", club=g.club, game=game, board=Board(game, state))
    return _tagged(Response(page, mimetype="text/html"), state)


def _is_played_again_since(state: State) -> bool:
    """Whether the board that asks has shown the game from before it was played again: not if it was opened later."""
    known = {tag.partition(".")[2].partition(".")[0] for tag in request.if_none_match.as_set(include_weak=True)}
    return bool(state.rematch and known) and str(state.rematch) not in known


def _tagged(response: Response, state: State) -> Response:
    response.set_etag(state.tag, weak=True)
    return response


def find_state(number: int) -> State:
    """The state of that game of this club, or 404."""
    row = db.session.execute(STATE, {"club": g.club.id, "number": number}).one_or_none() or abort(404)
    version, rematch, state, coming = row
    return State(version, rematch, state, coming, g.club.books)


def last_rematch(game: Game) -> Game:
    """The game at the end of the evening: `game` played again, and again."""
    met = {game.id}
    while (following := _rematch_of(game)) is not None and following.id not in met:
        game = following
        met.add(game.id)  # a file from elsewhere may lead in a circle
    return game


def _rematch_of(game: Game) -> Game | None:
    return db.session.scalar(select(Game).where(Game.previous_id == game.id).order_by(Game.number.desc()).limit(1))

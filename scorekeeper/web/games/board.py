"""The board: a game for a tablet or a television across the room, which asks for what is new by itself.

The club has a board of its own, which always shows the evening's current game.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple
from zlib import crc32

from flask import Blueprint, Response, abort, g, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import and_, bindparam, case, exists, select
from sqlalchemy.orm import aliased

from scorekeeper import links
from scorekeeper.db import db
from scorekeeper.models import ABANDONED, OPEN, Change, Club, Game, Result
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.table import BIDDING
from scorekeeper.snapshot import Snapshot
from scorekeeper.web.common.numbers import figure
from scorekeeper.web.common.scope import find_game, find_snapshot, game_scoped, scoped
from scorekeeper.web.wording.words import listed

from .score_sheet import Line, Sheet

bp = scoped(Blueprint("board", __name__, url_prefix="/c/<key>"))

# One small query, put together once: many boards ask it all evening long, and mostly nothing has changed. It brings the
# club along.
_rematch = aliased(Game)
_following = select(_rematch.number).where(_rematch.previous_id == Game.id).order_by(_rematch.number.desc()).limit(1)
_latest = select(Change.token).where(Change.game_id == Game.id, Change.seq == Game.version)
_of_club = Club.id, Club.key, Club.name, Club.books
_of_game = Game.number, Game.version, _following.scalar_subquery(), Game.state, _latest.scalar_subquery()
_this_one = Club.key == bindparam("key"), Game.number == bindparam("number")
STATE = select(*_of_game, links.HELD, *_of_club).join(Club).where(*_this_one)
# Of the last day on which the club played: the latest game that is open, or else the latest that is over.
_counts = case((Game.state == ABANDONED, 0), else_=1)
_is_open = and_(Game.state == OPEN, Game.paper.is_(None), ~exists().where(Result.game_id == Game.id))
_newest = _counts.desc(), Game.played.desc(), case((_is_open, 1), else_=0).desc(), Game.number.desc()
CURRENT = select(Game.number).where(Game.club_id == bindparam("club")).order_by(*_newest).limit(1)

NARROWEST = 2  # figures: room for these is kept from the start, so that 9 to 10 moves nothing


class ClubState(NamedTuple):
    """A club, as far as a board needs it."""

    id: int
    key: str
    name: str
    books: int


class State(NamedTuple):
    """All that what a board shows depends on: the game's last change, and whether it was played again.

    And whether it is paused, and what the players are called (the club's `books`). The last change is known by its
    number and its token: a database that was restored counts on from an earlier number.
    """

    number: int
    version: int
    rematch: int | None
    state: str
    latest: str | None
    held: tuple[links.Held, ...]
    club: ClubState

    @property
    def tag(self) -> str:
        rest = crc32(f"{self.state} {self.club.books} {self.latest}".encode())
        return f"{self.version}.{self.rematch or 0}.{rest:x}"


class Board(Sheet):
    """What the board shows of a game."""

    def __init__(self, game: Snapshot, state: State) -> None:
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


def find_state(number: int) -> State:
    """The state of that game of this club, or 404."""
    return read_state(g.club.key, number) or abort(404)


def read_state(key: str, number: int, uids: Sequence[str] = ()) -> State | None:
    """The state of that game of the club with that key, or None; with those of its links that have these uids."""
    row = db.session.connection().execute(STATE, {"key": key, "number": number} | links.asked(uids)).one_or_none()
    return State._make([*row[:5], links.read_held(row[5]), ClubState._make(row[6:])]) if row else None


# A blueprint of its own: what the other pages read of a club, it has read already.
asked = game_scoped(Blueprint("board_now", __name__, url_prefix="/c/<key>/games/<int:number>/board"), read_state)


@bp.get("/games/<int:number>/board")
def show(number: int) -> ResponseReturnValue:
    return _page(number, _asks(number))


@asked.get("/now")
def now() -> ResponseReturnValue:
    """What the board shows, if it is not what it shows already; once the game is played again, on to that one."""
    state: State = g.snapshot or abort(404)
    if not _is_shown(state) and _is_played_again_since(state):
        following = last_rematch(find_game(state.number)).number
        return _go_to(url_for("board.show", key=g.club.key, number=following))
    return _answer(state, _asks(state.number))


@bp.get("/board")
def current() -> ResponseReturnValue:
    """The board of the club, or a page that waits for its first game."""
    number = current_number()
    if number is None:
        return render_template("games/no_board.html", club=g.club)
    return _page(number, url_for(".current_now", key=g.club.key, shown=number))


@bp.get("/board/now")
def current_now() -> ResponseReturnValue:
    """What the club's board shows, if that is new; its page once more when another game is the current one."""
    shown, number = request.args.get("shown", type=int), current_number()
    if number is None or number != shown:
        return _go_to(url_for(".current", key=g.club.key))
    return _answer(find_state(number), url_for(".current_now", key=g.club.key, shown=number))


def current_number() -> int | None:
    """The number of the game that the club is playing now or has played last; None before the first."""
    return db.session.scalar(CURRENT, {"club": g.club.id})


def _page(number: int, address: str) -> str:
    board = Board(find_snapshot(number), find_state(number))
    return render_template("games/board.html", club=g.club, game=board.game, board=board, address=address)


def _asks(number: int) -> str:
    """Where the board of a game asks for what is new."""
    return url_for("board_now.now", key=g.club.key, number=number)


def _answer(state: State, address: str) -> Response:
    """The part of the board that changes, which asks `address` for what is new; 304 where nothing is."""
    if _is_shown(state):
        return _tagged(Response(status=304), state)
    game = find_snapshot(state.number)
    part = render_template("games/_board.html", club=g.club, game=game, board=Board(game, state), address=address)
    return _tagged(Response(part, mimetype="text/html"), state)


def _is_shown(state: State) -> bool:
    return request.if_none_match.contains_weak(state.tag)


def _go_to(address: str) -> ResponseReturnValue:
    return "", 204, {"HX-Redirect": address}


def _is_played_again_since(state: State) -> bool:
    """Whether this board showed the game before it was played again; not if it was opened later."""
    known = {tag.partition(".")[2].partition(".")[0] for tag in request.if_none_match.as_set(include_weak=True)}
    return bool(state.rematch and known) and str(state.rematch) not in known


def _tagged(response: Response, state: State) -> Response:
    response.set_etag(state.tag, weak=True)
    return response


def last_rematch(game: Game) -> Game:
    """The game at the end of the evening: `game` played again, and again."""
    met = {game.id}
    while (following := _rematch_of(game)) is not None and following.id not in met:
        game = following
        met.add(game.id)  # a file from elsewhere may lead in a circle
    return game


def _rematch_of(game: Game) -> Game | None:
    return db.session.scalar(select(Game).where(Game.previous_id == game.id).order_by(Game.number.desc()).limit(1))

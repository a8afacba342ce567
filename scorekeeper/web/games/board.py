"""The board: a game on a tablet or television across the room, which updates itself.

The club also has one board that always shows its current game.
"""

from __future__ import annotations

from functools import cached_property

from flask import Blueprint, Response, abort, g, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import and_, bindparam, case, exists, select

from scorekeeper.database.session import db
from scorekeeper.live.state import GameState, Scorer
from scorekeeper.models import ABANDONED, OPEN, Game, Result
from scorekeeper.services import links
from scorekeeper.web.common.codes import code
from scorekeeper.web.common.live import fragment, shown_versions, unchanged
from scorekeeper.web.common.narrator import MOST_UNITS_IN_A_LINE, Narrator, close_to_winning
from scorekeeper.web.common.numbers import figure
from scorekeeper.web.common.scope import find_game, find_snapshot, link_address, reads_game, render, scoped

from .live import LiveGame, others_entering, read_live, tag_of
from .score_sheet import Line, Sheet

bp = scoped(Blueprint("board", __name__, url_prefix="/c/<key>"))

# On the latest day with games: the newest open game, otherwise the newest finished one.
_counts = case((Game.state == ABANDONED, 0), else_=1)
_is_open = and_(Game.state == OPEN, Game.paper.is_(None), ~exists().where(Result.game_id == Game.id))
_newest = _counts.desc(), Game.played.desc(), case((_is_open, 1), else_=0).desc(), Game.number.desc()
CURRENT_GAME = select(Game.number).where(Game.club_id == bindparam("club")).order_by(*_newest).limit(1)

MOST_LETTERS = 14  # maximum of a name
IN_A_ROW = {2: 13, 3: 10}  # maximum of a team's names in one row, by number of teams; for other numbers:
IN_A_NARROW_ROW = 15
# Maximum letters of the last hand's points beside the chance line: of four or more scores, of five, after a game.
BESIDE_CHANCES, BESIDE_CHANCES_OF_FIVE, AFTER_A_GAME = 75, 100, 15
FEWEST_FIGURES = 2  # digits reserved from the start, so that going from 9 to 10 moves nothing


class Board(Sheet):
    """Data of the board of a game."""

    in_short = True

    def narrator_of(self, position: int) -> Narrator:
        return super().narrator_of(position).in_few_letters(MOST_LETTERS)

    @property
    def has_long_names(self) -> bool:
        """True if the names of a team need one line each."""
        most = IN_A_ROW.get(len(self.cells), IN_A_NARROW_ROW)
        return any(len(cell.names) > 1 and len(" · ".join(cell.names)) > most for cell in self.cells)

    @property
    def entering(self) -> list[Scorer]:
        """Scorers entering or correcting a hand on other devices."""
        return others_entering(self.game)

    @property
    def figures(self) -> int:
        """Characters of the longest score, at least 2."""
        return max(FEWEST_FIGURES, *(len(figure(cell.total or 0)) for cell in self.cells))

    @property
    def has_long_points(self) -> bool:
        """True if the last hand's points take the place of the chance line: beside it they would need one more line."""
        if self.last is None or len(self.cells) <= MOST_UNITS_IN_A_LINE:
            return False
        most = BESIDE_CHANCES_OF_FIVE if len(self.cells) == 5 else BESIDE_CHANCES
        most = AFTER_A_GAME if self.winner else most
        return len(" ".join((*self.last.took, *self.last.adjusted)) + self.close) > most

    @cached_property
    def last(self) -> Line | None:
        """The last hand that counts."""
        hands = self.score.hands
        return self._line(len(hands), hands[-1]) if hands else None

    @property
    def close(self) -> str:
        return "" if self.is_abandoned else close_to_winning(self.narrator, self.score)


@bp.get("/games/<int:number>/board")
def show(number: int) -> ResponseReturnValue:
    return _page(number, url_for("board.now", number=number))


@bp.get("/games/<int:number>/board/now")
@reads_game(read_live)
def now() -> ResponseReturnValue:
    """The board's changing part, or 304. After a rematch started, redirect (HX-Redirect) to its board."""
    game: LiveGame = g.snapshot
    number = game.state.number
    if _has_new_rematch(game.state):
        following = last_rematch(find_game(number)).number
        return _go_to(url_for("board.show", number=following))
    return _answer(game, url_for("board.now", number=number))


@bp.get("/board")
def current() -> ResponseReturnValue:
    """The club's board, or a page that waits for the first game."""
    number = current_number(g.club.id)
    if number is None:
        return render("games/no_board.html")
    return _page(number, url_for(".current_now", shown=number))


@bp.get("/board/now")
def current_now() -> ResponseReturnValue:
    """The changing part of the club's board, or 304; reload the page when another game has become current."""
    shown, number = request.args.get("shown", type=int), current_number(g.club.id)
    if number is None or number != shown:
        return _go_to(url_for(".current"))
    game = read_live(g.club.key, number) or abort(404)
    return _answer(game, url_for(".current_now", shown=number))


def current_number(club_id: int) -> int | None:
    """Number of a club's current game, otherwise of the last one; None before the first."""
    return db.session.scalar(CURRENT_GAME, {"club": club_id})


def _page(number: int, address: str) -> str:
    """Render the board with the QR code for watching the club, except for guests of a single game."""
    join = link_address(links.table_secret(g.club)) if g.access.role else ""
    return _render("games/board.html", Board(find_snapshot(number)), address, code=code(join))


def _answer(asked: LiveGame, address: str) -> Response:
    """The changing part, which polls `address` next; 304 if it is unchanged."""
    if same := unchanged(asked.state.tag):
        return same
    board = Board(find_snapshot(asked.state.number))
    return fragment(_render("games/_board.html", board, address), tag_of(board.game))


def _render(template: str, board: Board, address: str, **more: str) -> str:
    """Render a board. The club's own subscribes to the club's stream, since another game may start."""
    of_club = request.endpoint in (f"{bp.name}.current", f"{bp.name}.current_now")
    stream = url_for("clubs.stream") if of_club else url_for("live.stream", number=board.game.number)
    return render(template, game=board.game, board=board, address=address, stream=stream, **more)


def _go_to(address: str) -> ResponseReturnValue:
    return "", 204, {"HX-Redirect": address}


def _has_new_rematch(state: GameState) -> bool:
    """True if the page has shown the game without its rematch; False if it was opened later."""
    known = {parts[1] for parts in shown_versions() if len(parts) > 1}
    return bool(state.rematch and known) and str(state.rematch) not in known


def last_rematch(game: Game) -> Game:
    """The last game in the chain of rematches that starts with `game`."""
    met = {game.id}
    rematch = select(Game).order_by(Game.number.desc()).limit(1)
    while (following := db.session.scalar(rematch.where(Game.previous_id == game.id))) and following.id not in met:
        game = following
        met.add(game.id)  # an imported file may contain a cycle
    return game

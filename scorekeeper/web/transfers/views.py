"""Import and export: club files, game records, and tables for a spreadsheet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    flash,
    g,
    request,
    stream_with_context,
)
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from scorekeeper.database.session import db
from scorekeeper.models import Game
from scorekeeper.scoring.problems import Refused
from scorekeeper.transfer.club_writer import plain_record, to_csv, to_line, write_club, write_records
from scorekeeper.transfer.importer import import_into_club
from scorekeeper.transfer.matching import preview_import, report_sentences
from scorekeeper.transfer.reader import LineRefused
from scorekeeper.transfer.uploads import NoRoom, UploadStore
from scorekeeper.web.common.scope import enter_club, find_game, go_to, render, says_reopened, scoped
from scorekeeper.web.standings.pages import TablePage

from .spreadsheets import Row, hand_rows, player_rows, standings_rows

CHUNK_SIZE = 50_000  # characters sent at once
MOST_HANDS = 10_000  # imported by a page, in a few seconds; the command has no limit
bp = scoped(Blueprint("transfers", __name__))


@bp.get("/c/<key>/transfers/")
def index() -> ResponseReturnValue:
    return page()


def page(sorry: str = "", code: int = 200) -> ResponseReturnValue:
    games = db.session.scalar(select(func.count()).where(Game.club_id == g.club.id)) or 0
    shown = {"games": games, "sorry": sorry, "megabytes": _limit_said(), "most_hands": MOST_HANDS}
    shown |= {"most": current_app.config["TRANSFER_LIMIT"], "too_large": _too_large()}
    return render("transfers/index.html", **shown), code


def _limit_said() -> int:
    return int(current_app.config["TRANSFER_LIMIT"]) // 1_000_000


def _too_large() -> str:
    limit = f"The file is larger than {_limit_said()} MB."
    return f"{limit} Ask whoever runs this server to import it with `scorekeeper import`."


def _sentence(refused: Refused) -> str:
    why = str(refused)
    return f"Nothing was changed. {why[:1].upper()}{why[1:]}." if isinstance(refused, LineRefused) else why


# --- export ----------------------------------------------------------------------------------------------------------


@bp.get("/c/<key>/transfers/club.jsonl")
def club_file() -> ResponseReturnValue:
    return _download(write_club(g.club), f"{_today()}.jsonl", "application/jsonl")


@bp.get("/c/<key>/transfers/games.jsonl")
def game_records() -> ResponseReturnValue:
    return _download(write_records(g.club), f"games {_today()}.jsonl", "application/jsonl")


@bp.get("/c/<key>/games/<int:number>/game.json")
def game_record(number: int) -> ResponseReturnValue:
    """Download one game as a game record."""
    return _download([to_line(plain_record(find_game(number)))], f"game {number}.json", "application/json")


@bp.get("/c/<key>/standings.csv")
@bp.get("/c/<key>/seasons/<int:season_id>/standings.csv")
def standings_table(season_id: int | None = None) -> ResponseReturnValue:
    """The table of a season or of all games, filtered as on its page; for a closed season as stored."""
    page = TablePage(season_id)
    if page.filter.errors:
        abort(422)
    name = f"{page.season.name if page.season else ''} standings {_today()}.csv"
    return _table(standings_rows(page.standings, page.scheme), name)


@bp.get("/c/<key>/players.csv")
def players_table() -> ResponseReturnValue:
    return _table(player_rows(g.club), f"players {_today()}.csv")


@bp.get("/c/<key>/hands.csv")
def hands_table() -> ResponseReturnValue:
    return _table(hand_rows(g.club), f"hands {_today()}.csv")


def _table(rows: Iterable[Row], name: str) -> Response:
    return _download(to_csv(rows), name, "text/csv")


def _download(lines: Iterable[str], name: str, kind: str) -> Response:
    """A download streamed while the database is read."""
    response = Response(stream_with_context(_in_chunks(lines)), mimetype=kind)
    name, ending = f"{g.club.name} {name}".rsplit(".", 1)
    response.headers["Content-Disposition"] = f'attachment; filename="{_file_name(name)}.{ending}"'
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _in_chunks(lines: Iterable[str]) -> Iterator[str]:
    """Join lines to larger chunks; the first line is sent at once, so that the browser shows the download."""
    piece, length, most = [], 0, 0
    for line in lines:
        piece.append(line)
        length += len(line)
        if length > most:
            yield "".join(piece)
            piece, length, most = [], 0, CHUNK_SIZE
    yield "".join(piece)


def _file_name(text: str) -> str:
    """ASCII letters, digits and hyphens for a file name; "club" if nothing remains."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "club"


def _today() -> str:
    return str(g.club.today.isoformat())


# --- import -----------------------------------------------------------------------------------------------------------


@bp.post("/c/<key>/transfers/look")
def preview() -> ResponseReturnValue:
    """Preview importing a file, and store it for the import."""
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        return page("Choose a file first. Its name ends in .jsonl.", 422)
    stream = cast(BinaryIO, sent.stream)
    try:
        report = preview_import(g.club, stream, MOST_HANDS)
        stream.seek(0)
        token = room().keep(g.club.id, stream)
    except Refused as refused:
        return page(_sentence(refused), 422)
    except NoRoom:
        return page("Too many files are waiting to be imported. Try again in an hour.", 422)
    seen = {"report": report, "said": report_sentences(report, done=False), "token": token, "file": sent.filename}
    return render("transfers/preview.html", **seen)


@bp.post("/c/<key>/transfers/in")
@says_reopened
def import_file() -> ResponseReturnValue:
    """Import the previewed file."""
    token = request.form.get("token", "")
    file = room().open(g.club.id, token)
    if file is None:
        return page("That file is gone: it was imported already, or an hour has passed. Choose it again.", 422)
    try:
        with file:
            report = import_into_club(g.club, file, MOST_HANDS)
    except Refused as refused:
        return page(_sentence(refused), 422)
    room().drop(g.club.id, token)
    for sentence in report_sentences(report, done=True):
        flash(sentence)
    return go_to("transfers.index")


@bp.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> ResponseReturnValue:
    """A body above the limit: raised before the club and access have been resolved, so do that first."""
    try:
        enter_club(request.endpoint, dict(request.view_args or {}))
    except HTTPException:
        return error
    return page(_too_large(), 413)


def room() -> UploadStore:
    return UploadStore(Path(current_app.instance_path) / "transfers")

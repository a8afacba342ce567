"""Live updates of a game: the stream, and the changing part of the score sheet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from flask import Blueprint, abort, g, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import bindparam

from scorekeeper.database.session import db
from scorekeeper.live import state as live
from scorekeeper.live.state import GameState, Scorer
from scorekeeper.models import RECORD, Club, Game
from scorekeeper.services import links
from scorekeeper.services.game_reader import SheetSnapshot, Snapshot, read_sheet
from scorekeeper.services.players import KnownPlayer, known_players
from scorekeeper.stats.schemes import Scheme
from scorekeeper.web.common.assets import hashed_names
from scorekeeper.web.common.fields import HAND_FORM, new_token
from scorekeeper.web.common.live import fragment, open_stream, shown_version, unchanged
from scorekeeper.web.common.scope import device_id, may, render, scoped, scorer_name
from scorekeeper.web.seasons.messages import CREDIT_RULES

from . import messages as say
from .forms import SubstituteForm
from .score_sheet import ScoreSheet

# One small query, built once: many pages poll it all evening, mostly without a change. It includes the club.
_of_club = links.HELD.label("held"), Club.id.label("club_id"), Club.key, Club.name
STATE = live.GAMES.add_columns(*_of_club).where(Club.key == bindparam("key"), Game.number == bindparam("wanted"))


class LiveClub(NamedTuple):
    """The columns of a club needed for polling."""

    id: int
    key: str
    name: str


class LiveGame(NamedTuple):
    """The state of a game needed to decide whether a page is up to date."""

    id: int
    state: GameState
    held: tuple[links.HeldLink, ...]
    club: LiveClub


def read_live(key: str, number: int, uids: Sequence[str] = ()) -> LiveGame | None:
    """The game's state with those of its links whose uids are given; None if there is no such game."""
    asked = {"key": key, "wanted": number} | links.held_parameters(uids) | live.entering_parameters()
    row = db.session.connection().execute(STATE, asked).one_or_none()
    if row is None:
        return None
    club = LiveClub(row.club_id, row.key, row.name)
    return LiveGame(row.id, live.read_state(row), links.read_held(row.held), club)


bp = scoped(Blueprint("live", __name__, url_prefix="/c/<key>/games/<int:number>"), read_live)


@bp.get("/live")
def stream() -> ResponseReturnValue:
    """Open a stream that tells pages of this game when to poll."""
    game: LiveGame = g.snapshot
    return open_stream(("game", game.id), game.state.tag)


@bp.get("/now")
def now() -> ResponseReturnValue:
    """The changing part of the score sheet with new hands marked, or 304."""
    asked: LiveGame = g.snapshot
    if same := unchanged(asked.state.tag):
        return same
    g.snapshot = game = read_sheet(g.club.key, asked.state.number) or abort(404)
    changing = live_sheet(game, substitutes_for(game), known=shown_version())
    return fragment(render("games/_sheet.html", token=new_token(), **changing), tag_of(game))


def live_sheet(
    game: SheetSnapshot,
    substitutes: list[KnownPlayer] | None,
    form: SubstituteForm | None = None,
    known: int | None = None,
) -> dict[str, object]:
    """Template arguments of the score sheet. `known` is the version the page shows; later changes are marked as new."""
    shows_all = "all" in request.args
    sheet = ScoreSheet(game, shows_all=shows_all)
    known = game.version if known is None else known
    marks = {at: 1 + version % 2 for at, version in enumerate(game.versions, 1) if version > known}
    entries = [entry for entry in game.log if entry.seq > known]
    totals, hands = sheet.score.totals, sheet.score.hands
    is_saved = entries and entries[-1].kind == RECORD and entries[-1].position == len(hands)
    last = sheet.narrator_of(len(hands)).in_short(hands[-1]) if is_saved else ""
    return {
        "game": game,
        "sheet": sheet,
        "substitute": form or SubstituteForm(formdata=None),
        "others": None if substitutes is None else [one for one in substitutes if one.name not in sheet.names],
        "credit": "" if substitutes is None else _credit_rule(game),
        "phone_owner": scorer_name(),
        "marks": marks,
        "kept": {"all": 1} if shows_all else {},
        "news": say.news(game, entries, sheet.narrator.totals(totals, named=len(totals) > 2), last),
        "entering": say.entering(others_entering(game), game.length),
    }


MOST_OFFERED = 120  # players as substitutes, of whom the page shows the first twelve


def substitutes_for(game: SheetSnapshot) -> list[KnownPlayer] | None:
    """The club's players to offer, and those who sit there; None if the game is over or the link forbids it."""
    takes_one = game.takes_hands and may("games.substitute")
    return known_players(g.club.id, MOST_OFFERED + len(game.names)) if takes_one else None


def _credit_rule(game: SheetSnapshot) -> str:
    """The credit rule for the game after a substitution, from its seasons."""
    rules = {one.name: CREDIT_RULES[Scheme.from_dict(json.loads(one.settings)).credit] for one in game.counts_in}
    if len(set(rules.values())) > 1:
        return " ".join(f"{name}: {rule}" for name, rule in rules.items())
    return next(iter(rules.values()), CREDIT_RULES[Scheme().credit])


def tag_of(game: Snapshot) -> str:
    return game.live.tag if game.live else ""


def others_entering(game: Snapshot) -> list[Scorer]:
    """Scorers entering a hand of this game on other devices."""
    mine = device_id()
    return [one for one in game.entering if one.device != mine]


# Files of the offline page: a change of one makes phones fetch the page again.
OFFLINE_FILES = ("app.css", "settle.js", "taps.js", "offline-hand.js", "offline.js")


def game_now(snapshot: Snapshot) -> dict[str, object]:
    """The current state for the offline script: next hand's number and dealer, scores, address of the offline page.

    `shape` changes whenever the offline page does; `version` counts the game's changes; `reached` lists units that have
    been at the early win's threshold, `sets` those set in each hand played, if such a rule ends games; `over` is true
    if the game takes no more hands.
    """
    here: dict[str, Any] = {"key": snapshot.club.key, "number": snapshot.number}
    score, win = snapshot.score, snapshot.table.rules.win
    before, early = [snapshot.totals_after(0), *(hand.totals for hand in snapshot.scores)], win.early
    played = [hand for hand in score.hands if hand.status == "scored"]
    return {
        "base": url_for("games.sheet", **here),
        "page": url_for("hands.offline", **here),
        "shape": _shape(snapshot),
        "version": snapshot.version,
        "number": snapshot.number,
        "position": snapshot.length + 1,
        "dealer": snapshot.dealer_after(snapshot.length),
        "totals": dict(score.totals),
        "reached": [unit for unit in score.totals if early and any(totals[unit] >= early.at for totals in before)],
        "sets": [() if hand.made else hand.units_of(hand.bidding_side) for hand in played if win.ends_below_target],
        "over": not snapshot.takes_hands,
    }


def _shape(snapshot: Snapshot) -> str:
    names, text = hashed_names(), snapshot.replayed.text
    made_of = [HAND_FORM, text.rules, text.players, text.teams, snapshot.names_at(snapshot.length + 1)]
    return sha256(json.dumps([*made_of, *map(names.get, OFFLINE_FILES)]).encode()).hexdigest()[:16]

"""Players: the list, a page for each, bids that pay; renaming, merging, guests, retiring."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from flask import Blueprint, abort, flash, g, request
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select
from sqlalchemy.orm.exc import ObjectDeletedError
from werkzeug.datastructures import MultiDict

from scorekeeper.database.session import db
from scorekeeper.models import GameGroup, Player, Tally
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import merge_players
from scorekeeper.services import players as player_service
from scorekeeper.stats.profiles import bids_of
from scorekeeper.stats.query import aggregate_bids
from scorekeeper.stats.ratings import LEAST_GAMES
from scorekeeper.undo import deletion
from scorekeeper.web.common import club_changes
from scorekeeper.web.common.fields import sentence_of
from scorekeeper.web.common.numbers import counted, day, rating_number
from scorekeeper.web.common.scope import find_player, go_to, render, scoped
from scorekeeper.web.common.scorer import scorer_name
from scorekeeper.web.common.words import ended
from scorekeeper.web.standings.charts import Bids
from scorekeeper.web.standings.filters import GameFilter

from .forms import MergeForm, RenameForm
from .page import PlayerPage

bp = scoped(Blueprint("players", __name__))

YES, NO = "yes", "no"


# --- the list -----------------------------------------------------------------------------------------------------


class Member(NamedTuple):
    """A player in the list."""

    player: Player
    says: str
    rating: str
    is_provisional: bool


@bp.get("/c/<key>/players/")
def index() -> ResponseReturnValue:
    members = _members()
    groups = {
        "Players": [m for m in members if not m.player.guest and not m.player.retired],
        "Guests": [m for m in members if m.player.guest and not m.player.retired],
        "Retired": [m for m in members if m.player.retired],
    }
    return render("players/index.html", groups=groups)


def _members() -> list[Member]:
    here = Player.club_id == g.club.id
    columns = func.sum(Tally.games), func.sum(Tally.hands), func.max(Tally.last_played)
    sums = select(Tally.player_id, *columns).join(Tally.group).where(GameGroup.credit == "").group_by(Tally.player_id)
    played = {number: rest for number, *rest in db.session.execute(sums.join(Player).where(here))}
    mine = sorted(db.session.scalars(select(Player).where(here)), key=lambda player: player.name.casefold())
    return [_member(player, *played.get(player.id, (0, 0, None))) for player in mine]


def _member(player: Player, games: int, hands: int, last: date | None) -> Member:
    says = "No finished games yet"
    if games and last:
        says = f"{counted(games, 'game')}, the last on {day(last)}"
    elif hands:
        says = f"{counted(hands, 'hand')} in games that count for somebody else"
    rating = "" if player.mu is None else str(rating_number(player.mu))
    return Member(player, says, rating, player.rated < LEAST_GAMES)


# --- a player, and bids that pay ----------------------------------------------------------------------------------


@bp.get("/c/<key>/players/<int:player_id>")
def show(player_id: int) -> ResponseReturnValue:
    return _page(find_player(player_id))


def _page(player: Player, rename: RenameForm | None = None, merge: MergeForm | None = None) -> ResponseReturnValue:
    looked_at = GameFilter(g.club, request.args)
    page = PlayerPage(g.club, player, looked_at)
    rename = rename or RenameForm(MultiDict({"name": player.name}))
    here = {"player": player, "page": page, "filter": looked_at, "rename": rename}
    status = 422 if rename.errors else looked_at.status
    here["why_not_delete"] = deletion.why_not_delete(player)
    return render("players/show.html", **here, merge=merge or MergeForm(page.others)), status


@bp.get("/c/<key>/bids")
def bids() -> ResponseReturnValue:
    """How often each bid is made in this club, and what it is worth."""
    looked_at = GameFilter(g.club, request.args)
    paying = Bids(bids_of(aggregate_bids(g.club, looked_at.choice)), looked_at.rules_looked_at)
    return render("players/bids.html", filter=looked_at, bids=paying), looked_at.status


# --- changing a player --------------------------------------------------------------------------------------------


@bp.post("/c/<key>/players/<int:player_id>/name")
def rename(player_id: int) -> ResponseReturnValue:
    player, form = find_player(player_id), RenameForm()
    before = player.name
    try:
        player_service.rename(player, form.name.data or "", scorer_name())
    except Refused as refused:
        form.validate()
        form.refuse(refused.problems)
        return _page(player, rename=form)
    flash(f"{before} is now {player.name} in all games." if before != player.name else "Nothing to change.")
    return _to(player)


@bp.get("/c/<key>/players/<int:player_id>/merge")
def look_at_merge(player_id: int) -> ResponseReturnValue:
    """What merging would do, before it is done."""
    player = find_player(player_id)
    form = MergeForm(_others(player), request.args)
    if not form.validate():
        return _merge_page(player, form, 422)
    try:
        games = merge_players.games_to_merge(player, form.chosen)
    except Refused as refused:
        form.refuse(refused.problems)
        return _merge_page(player, form, 422)
    return _merge_page(player, form, 200, games=len(games))


@bp.post("/c/<key>/players/<int:player_id>/merge")
def merge(player_id: int) -> ResponseReturnValue:
    player = find_player(player_id)
    form = MergeForm(_others(player), request.form)
    if not form.validate():
        return _merge_page(player, form, 422) if form.other.data in (None, player.id) else _gone(player)
    name = form.chosen.name
    try:
        merge_players.merge(player, form.chosen, scorer_name())
    except Refused as refused:
        form.refuse(refused.problems)
        return _merge_page(player, form, 422)
    except ObjectDeletedError:  # a double tap, or another phone: one of the two is gone since this began
        return _gone(player)
    flash(ended(f"{name} was merged into {player.name}"))
    return _to(player)


def _gone(player: Player) -> ResponseReturnValue:
    """Say that the other player is not there, as after a double tap."""
    flash("That player no longer exists. Nothing was changed.")
    return _to(player)


def _merge_page(player: Player, form: MergeForm, status: int, games: int | None = None) -> ResponseReturnValue:
    return render("players/merge.html", player=player, form=form, games=games), status


def _others(player: Player) -> list[Player]:
    return [other for other in g.club.players if other.id != player.id]


@bp.post("/c/<key>/players/<int:player_id>/retired")
def set_retired(player_id: int) -> ResponseReturnValue:
    """Retire a player, or bring a retired one back."""
    player, wanted = find_player(player_id), _wanted()
    player_service.set_retired(player, wanted, scorer_name())
    flash(f"{player.name} is {'retired: no longer suggested for new games' if wanted else 'back'}.")
    return _to(player)


@bp.post("/c/<key>/players/<int:player_id>/guest")
def set_guest(player_id: int) -> ResponseReturnValue:
    """Make a player a guest, or a regular player again."""
    player, wanted = find_player(player_id), _wanted()
    player_service.set_guest(player, wanted, scorer_name())
    flash(f"{player.name} is {'a guest: not in the standings' if wanted else 'in the standings again'}.")
    return _to(player)


@bp.post("/c/<key>/players/<int:player_id>/delete")
def delete(player_id: int) -> ResponseReturnValue:
    """Delete a player without games; of one with games the page says what to do instead."""
    player = find_player(player_id)
    name = player.name
    try:
        deletion.delete_player(player, scorer_name())
    except Refused as refused:
        flash(sentence_of(refused.problems[0]))
        return _to(player)
    flash(club_changes.player_deleted(name))
    return go_to("players.index")


def _wanted() -> bool:
    """What one of two buttons says."""
    said = request.form.get("is")
    if said not in (YES, NO):
        abort(422)
    return said == YES


def _to(player: Player) -> ResponseReturnValue:
    return go_to("players.show", player_id=player.id)

"""Players: list, statistics, bids that pay; renaming, merging, guests, retiring."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Blueprint, flash, g, request
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select
from sqlalchemy.orm.exc import ObjectDeletedError
from werkzeug.datastructures import MultiDict
from wtforms import StringField
from wtforms.validators import ValidationError

from scorekeeper.database.session import db
from scorekeeper.models import GameGroup, Player, Tally
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import players as player_service
from scorekeeper.stats.profiles import bids_of
from scorekeeper.stats.query import aggregate_bids
from scorekeeper.stats.ratings import LEAST_GAMES
from scorekeeper.undo import deletion
from scorekeeper.web.common.fields import (
    NAME_TOO_LONG,
    ChoiceField,
    PageForm,
    clean_name,
    posted_answer,
    sentence_of,
    whole_number,
)
from scorekeeper.web.common.numbers import counted, day, rating_number
from scorekeeper.web.common.scope import find_player, flash_undoable, go_to, render, scoped
from scorekeeper.web.common.words import ended
from scorekeeper.web.standings.charts import Bids
from scorekeeper.web.standings.filters import GameFilter

from .page import PlayerPage

bp = scoped(Blueprint("players", __name__))

MOST_ID = 2**31 - 1
WHICH_PLAYER = "Choose a player."


# --- the list -----------------------------------------------------------------------------------------------------


class Member(NamedTuple):
    """A player in the list."""

    player: Player
    says: str
    rating: str
    is_provisional: bool


@bp.get("/c/<key>/players/")
def index() -> ResponseReturnValue:
    return _index_page(RenameForm(formdata=None))


@bp.post("/c/<key>/players/")
def add() -> ResponseReturnValue:
    """Add a player before the first game."""
    form = RenameForm()
    try:
        player_service.add(g.club, form.name.data or "")
    except Refused as refused:
        form.validate()
        form.refuse(refused.problems)
        return _index_page(form), 422
    flash(ended(f"{form.name.data} was added"))
    return go_to("players.index", added="")  # the form stays open for the next one


def _index_page(form: RenameForm) -> str:
    here = Player.club_id == g.club.id
    columns = func.sum(Tally.games), func.sum(Tally.hands), func.max(Tally.last_played)
    sums = select(Tally.player_id, *columns).join(GameGroup).where(GameGroup.credit == "").group_by(Tally.player_id)
    played: dict[int, Any] = {number: rest for number, *rest in db.session.execute(sums.join(Player).where(here))}
    groups: dict[str, list[Member]] = {"Players": [], "Guests": [], "Retired": []}
    for player in sorted(db.session.scalars(select(Player).where(here)), key=lambda player: player.name.casefold()):
        group = "Retired" if player.retired else "Guests" if player.guest else "Players"
        games, hands, last = played.get(player.id, (0, 0, None))
        says = "No finished games yet"
        if games:
            says = counted(games, "game") + (f", last played {day(last)}" if last else "")
        elif hands:
            says = f"{counted(hands, 'hand')} in games that count for somebody else"
        rating = "" if player.mu is None else str(rating_number(player.mu))
        groups[group].append(Member(player, says, rating, player.rated < LEAST_GAMES))
    return render("players/index.html", groups=groups, form=form)


# --- a player's page, bids that pay -------------------------------------------------------------------------------


@bp.get("/c/<key>/players/<int:player_id>")
def show(player_id: int) -> ResponseReturnValue:
    return _page(find_player(player_id))


def _page(player: Player, rename: RenameForm | None = None) -> ResponseReturnValue:
    looked_at = GameFilter(g.club, request.args)
    rename = rename or RenameForm(MultiDict({"name": player.name}))
    shown = render(
        "players/show.html", player=player, page=PlayerPage(g.club, player, looked_at), filter=looked_at,
        rename=rename, merge=MergeForm(player), why_not_delete=deletion.why_not_delete(player),
    )  # fmt: skip
    return shown, 422 if rename.errors else looked_at.status


@bp.get("/c/<key>/bids")
def bids() -> ResponseReturnValue:
    """Statistics of each bid in this club: how often made, average result."""
    looked_at = GameFilter(g.club, request.args)
    paying = Bids(bids_of(aggregate_bids(g.club, looked_at.choice)), looked_at.rules_looked_at)
    return render("players/bids.html", filter=looked_at, bids=paying), looked_at.status


# --- changing a player --------------------------------------------------------------------------------------------


class PlayerForm(PageForm):
    """Base of the forms for renaming and merging, with their sentences."""

    SENTENCES = {"no-name": "Enter a name.", "too-long": NAME_TOO_LONG}


class RenameForm(PlayerForm):
    """Rename a player."""

    FIELDS = {"": "name"}
    name = StringField(filters=[clean_name])


class MergeForm(PlayerForm):
    """Choose the other player who is the same person."""

    FIELDS = {"": "other"}
    other = ChoiceField(whole_number(1, MOST_ID, WHICH_PLAYER))

    def __init__(self, player: Player, formdata: object = None) -> None:
        self.others = {other.id: other for other in player.club.players if other is not player}
        super().__init__(formdata)

    def validate_other(self, field: ChoiceField) -> None:
        if not field.errors and field.data not in self.others:
            raise ValidationError(WHICH_PLAYER)

    @property
    def chosen(self) -> Player:
        return self.others[int(self.other.data or 0)]


@bp.post("/c/<key>/players/<int:player_id>/name")
def rename(player_id: int) -> ResponseReturnValue:
    player, form = find_player(player_id), RenameForm()
    before = player.name
    try:
        player_service.rename(player, form.name.data or "")
    except Refused as refused:
        form.validate()
        form.refuse(refused.problems)
        return _page(player, rename=form)
    flash(f"{before} is now {player.name} in all games." if before != player.name else "Nothing to change.")
    return _to(player)


@bp.get("/c/<key>/players/<int:player_id>/merge")
def look_at_merge(player_id: int) -> ResponseReturnValue:
    """Preview a merge."""
    player = find_player(player_id)
    form = MergeForm(player, request.args)
    try:
        if form.validate():
            return _merge_page(player, form, 200, games=len(player_service.games_to_merge(player, form.chosen)))
    except Refused as refused:
        form.refuse(refused.problems)
    return _merge_page(player, form, 422)


@bp.post("/c/<key>/players/<int:player_id>/merge")
def merge(player_id: int) -> ResponseReturnValue:
    player = find_player(player_id)
    form = MergeForm(player, request.form)
    if not form.validate():
        return _merge_page(player, form, 422) if form.other.data in (None, player.id) else _gone(player)
    name = form.chosen.name
    try:
        player_service.merge(player, form.chosen)
    except Refused as refused:
        form.refuse(refused.problems)
        return _merge_page(player, form, 422)
    except ObjectDeletedError:  # a double tap, or another phone has deleted one of the two
        return _gone(player)
    flash(ended(f"{name} was merged into {player.name}"))
    return _to(player)


def _gone(player: Player) -> ResponseReturnValue:
    """Report that the other player is gone, as after a double tap."""
    flash("That player no longer exists. Nothing was changed.")
    return _to(player)


def _merge_page(player: Player, form: MergeForm, status: int, games: int | None = None) -> ResponseReturnValue:
    return render("players/merge.html", player=player, form=form, games=games), status


MARKS = {
    "retired": ("back", "retired: no longer suggested for new games"),
    "guest": ("in the standings again", "a guest: not in the standings"),
}


@bp.post("/c/<key>/players/<int:player_id>/<any(retired, guest):mark>")
def set_mark(player_id: int, mark: str) -> ResponseReturnValue:
    """Retire a player or make one a guest, or reverse it."""
    player, wanted = find_player(player_id), posted_answer()
    getattr(player_service, f"set_{mark}")(player, wanted)
    flash(f"{player.name} is {MARKS[mark][wanted]}.")
    return _to(player)


@bp.post("/c/<key>/players/<int:player_id>/delete")
def delete(player_id: int) -> ResponseReturnValue:
    """Delete a player without games; otherwise flash what to do instead."""
    player = find_player(player_id)
    uid, said = player.uid, f"{player.name} was deleted. For 30 days you can take it back under Changes."
    try:
        deletion.delete_player(player)
    except Refused as refused:
        flash(sentence_of(refused.problems[0]))
        return _to(player)
    flash_undoable(said, uid)
    return go_to("players.index")


def _to(player: Player) -> ResponseReturnValue:
    return go_to("players.show", player_id=player.id)

"""The one table that says who may do what: the least that a link has to allow, for every page and every button.

A test walks all of it with every kind of link, and fails for an address that has no row here.
"""

from __future__ import annotations

from typing import NamedTuple

from scorekeeper.models import MANAGE, ROLES, SCORE, WATCH, Link


class Needs(NamedTuple):
    """The least role, and whether a link of the very game that an address is about is enough."""

    role: str
    in_game: bool = False


# What a link is called by what it allows, wherever somebody asks for one or has one.
WANTED = {WATCH: "a link to watch", SCORE: "a scoring link", MANAGE: "a manager’s link"}

ANYBODY = None  # an address of no club
WATCH_GAME, SCORE_GAME = Needs(WATCH, in_game=True), Needs(SCORE, in_game=True)
TO_WATCH, TO_SCORE, TO_MANAGE = Needs(WATCH), Needs(SCORE), Needs(MANAGE)

TABLE: dict[str, Needs | None] = {
    # of no club
    **dict.fromkeys(("static", "health.alive", "health.ready", "metrics.show"), ANYBODY),
    **dict.fromkeys(("clubs.home", "clubs.create", "rulebook.index", "rulebook.show"), ANYBODY),
    **dict.fromkeys(("rulebook.find", "rulebook.tips", "rulebook.table_card", "rulebook.ask"), ANYBODY),
    "shared_rules.show": ANYBODY,
    **dict.fromkeys(("https.show", "https.certificate"), ANYBODY),
    **dict.fromkeys(("offline.manifest", "offline.worker", "offline.unseen", "offline.form_token"), ANYBODY),
    **dict.fromkeys(("links.open_link", "links.join", "links.paste"), ANYBODY),
    **dict.fromkeys(("links.ask_passphrase", "links.come_back"), ANYBODY),
    # one game: to see
    **dict.fromkeys(("games.sheet", "board.show", "board_now.now", "history.show", "record.show"), WATCH_GAME),
    **dict.fromkeys(("live.stream", "live.now"), WATCH_GAME),
    **dict.fromkeys(("share.show", "share.picture", "story.show", "transfers.game_record"), WATCH_GAME),
    **dict.fromkeys(("game_rules.show", "game_rules.ask"), WATCH_GAME),
    **dict.fromkeys(("game_rules.table_card", "game_rules.blank_sheet"), WATCH_GAME),
    **dict.fromkeys(("links.show_ask_in_game", "links.ask_in_game"), WATCH_GAME),
    # one game: its hands, who sits at the table, who is scoring
    **dict.fromkeys(("hands.new", "hands.offline", "hands.record", "hands.preview", "hands.remove"), SCORE_GAME),
    **dict.fromkeys(("hands.head", "hands.correct", "hands.save_correction"), SCORE_GAME),
    **dict.fromkeys(("games.undo", "games.redo", "games.set_state", "games.substitute"), SCORE_GAME),
    **dict.fromkeys(("adjust.show", "adjust.adjust", "device.change_in_game"), SCORE_GAME),
    # the club: to see
    **dict.fromkeys(("clubs.show", "clubs.games", "board.current", "board.current_now"), TO_WATCH),
    **dict.fromkeys(("players.index", "players.show", "players.bids", "seasons.index"), TO_WATCH),
    **dict.fromkeys(("standings.show", "standings.charts", "standings.head-to-head", "standings.partners"), TO_WATCH),
    **dict.fromkeys(("standings.records", "standings.old_charts", "standings.columns", "standings.say_who"), TO_WATCH),
    **dict.fromkeys(("seasons.show_playoffs", "clubs.show_changes", "device.show", "device.change"), TO_WATCH),
    **dict.fromkeys(("transfers.standings_table", "transfers.players_table", "transfers.hands_table"), TO_WATCH),
    **dict.fromkeys(("links.show_ask", "links.ask", "device.leave"), TO_WATCH),
    **dict.fromkeys(("own_rules.index", "own_rules.show", "own_rules.file"), TO_WATCH),
    **dict.fromkeys(("clubs.stream", "clubs.now"), TO_WATCH),
    # the club: games started
    **dict.fromkeys(("games.new", "games.create", "games.again", "game_rules.find"), TO_SCORE),
    # the club: its players, seasons, games as such, files and settings
    **dict.fromkeys(("players.rename", "players.set_guest", "players.set_retired", "players.delete"), TO_MANAGE),
    **dict.fromkeys(("players.look_at_merge", "players.merge"), TO_MANAGE),
    **dict.fromkeys(("seasons.new", "seasons.create", "seasons.edit", "seasons.change", "seasons.close"), TO_MANAGE),
    **dict.fromkeys(("seasons.delete", "seasons.reopen", "seasons.take_in", "seasons.move"), TO_MANAGE),
    **dict.fromkeys(("seasons.show_bonuses", "seasons.give_bonus", "seasons.undo_bonus"), TO_MANAGE),
    **dict.fromkeys(("seasons.show_divisions", "seasons.save_divisions", "seasons.show_forfeit"), TO_MANAGE),
    **dict.fromkeys(("seasons.save_forfeit", "seasons.show_start_order", "seasons.save_start_order"), TO_MANAGE),
    **dict.fromkeys(("seasons.draw_playoffs", "seasons.pick_game", "seasons.remove_playoffs"), TO_MANAGE),
    **dict.fromkeys(("edit.show", "edit.set_counts", "edit.correct_day", "edit.delete"), TO_MANAGE),
    **dict.fromkeys(("transfers.index", "transfers.club_file", "transfers.game_records"), TO_MANAGE),
    **dict.fromkeys(("transfers.import_file", "transfers.preview", "paper.show", "paper.bring"), TO_MANAGE),
    **dict.fromkeys(("clubs.undo",), TO_MANAGE),
    **dict.fromkeys(("links.index", "links.make", "links.show", "links.revoke", "links.grant"), TO_MANAGE),
    **dict.fromkeys(("links.look_at_changes", "links.take_back"), TO_MANAGE),
    **dict.fromkeys(("clubs.show_deletion", "clubs.delete", "clubs.take_back"), TO_MANAGE),
    **dict.fromkeys(("links.show_passphrase", "links.change_passphrase"), TO_MANAGE),
    **dict.fromkeys(("links.of_game", "links.make_of_game"), TO_MANAGE),
    **dict.fromkeys(("clubs.link_is_saved",), TO_MANAGE),
    **dict.fromkeys(("clubs.show_settings", "clubs.change_settings"), TO_MANAGE),
    **dict.fromkeys(("own_rules.save", "own_rules.add", "own_rules.delete"), TO_MANAGE),
    **dict.fromkeys(("edit_rules.start", "edit_rules.show", "edit_rules.change"), TO_MANAGE),
}


def needs(endpoint: str | None) -> Needs | None:
    """The row of an endpoint. Raises LookupError for one that has none: it is not served before somebody decides."""
    try:
        return TABLE[endpoint or ""]
    except KeyError:
        raise LookupError(f"who may do {endpoint}? It has no row in the table of roles") from None


def includes(role: str, least: str) -> bool:
    """Whether a role allows what another one does."""
    return ROLES.index(role) >= ROLES.index(least)


def ask_for(role: str, whom: str | None) -> str:
    """The way to ask for a link: "Ask Bo for a scoring link", or without a name where nobody is known."""
    return f"Ask {whom} for {WANTED[role]}" if whom else f"Ask for {WANTED[role]}"


def asks(link: Link) -> str:
    """What a phone asks for, for a manager."""
    about = f" for game {link.game.number}" if link.game is not None else ""
    return f"{link.label} asks for {WANTED[link.role]}{about}."

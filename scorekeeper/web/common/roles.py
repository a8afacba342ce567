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

ENDPOINTS: dict[Needs | None, str] = {
    # of no club
    ANYBODY: """
        static health.alive health.ready metrics.show clubs.home clubs.create
        rulebook.index rulebook.show rulebook.find rulebook.tips rulebook.table_card rulebook.ask rulebook.try_hand
        shared_rules.show https.show https.certificate offline.manifest offline.worker offline.unseen offline.form_token
        links.open_link links.join links.paste links.ask_passphrase links.come_back
    """,
    # one game: to see
    WATCH_GAME: """
        games.sheet board.show board_now.now history.show record.show live.stream live.now share.show share.picture
        story.show transfers.game_record game_rules.show game_rules.ask game_rules.table_card game_rules.blank_sheet
        links.show_ask_in_game links.ask_in_game
    """,
    # one game: its hands, who sits at the table, who is scoring
    SCORE_GAME: """
        hands.new hands.offline hands.record hands.preview hands.remove hands.head hands.correct
        hands.save_correction games.undo games.redo games.set_state games.substitute adjust.show adjust.adjust
        device.change_in_game
    """,
    # the club: to see
    TO_WATCH: """
        clubs.show clubs.games clubs.show_changes clubs.stream clubs.now board.current board.current_now
        players.index players.show players.bids seasons.index seasons.show_playoffs
        standings.show standings.charts standings.head-to-head standings.partners standings.records
        standings.old_charts standings.columns standings.say_who device.show device.change device.leave
        transfers.standings_table transfers.players_table transfers.hands_table links.show_ask links.ask
        own_rules.index own_rules.show own_rules.file
    """,
    # the club: games started
    TO_SCORE: """
        games.new games.create games.again game_rules.find
    """,
    # the club: its players, seasons, games as such, files and settings
    TO_MANAGE: """
        players.rename players.set_guest players.set_retired players.delete players.look_at_merge players.merge
        seasons.new seasons.create seasons.edit seasons.change seasons.close seasons.delete seasons.reopen
        seasons.take_in seasons.move seasons.show_bonuses seasons.give_bonus seasons.undo_bonus
        seasons.show_divisions seasons.save_divisions seasons.show_forfeit seasons.save_forfeit
        seasons.show_start_order seasons.save_start_order seasons.draw_playoffs seasons.pick_game
        seasons.remove_playoffs edit.show edit.set_counts edit.correct_day edit.delete
        transfers.index transfers.club_file transfers.game_records transfers.import_file transfers.preview
        paper.show paper.bring
        clubs.undo clubs.show_deletion clubs.delete clubs.take_back clubs.link_is_saved clubs.show_settings
        clubs.change_settings
        links.index links.make links.show links.revoke links.grant links.look_at_changes links.take_back
        links.phone links.add_phone links.show_passphrase links.change_passphrase links.of_game links.make_of_game
        own_rules.save own_rules.add own_rules.delete edit_rules.start edit_rules.show edit_rules.change
    """,
}
TABLE = {endpoint: needs for needs, endpoints in ENDPOINTS.items() for endpoint in endpoints.split()}


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

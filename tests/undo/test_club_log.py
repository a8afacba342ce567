"""The club log: each change is an entry, is undone and redone, or is refused for a reason.

Tallies are checked after every step.
"""

import json
from datetime import date, timedelta
from io import BytesIO
from typing import Any

import pytest
from flask import current_app
from sqlalchemy import select, update

from scorekeeper.database.session import db, db_write, now
from scorekeeper.models import ABANDONED, OPEN, PAUSED, Deleted, Player, Result, acting_as
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import club_log, clubs, deleted_items, games, links, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.serving import serve
from scorekeeper.stats import archive, tallies
from scorekeeper.stats.league import Bonus, League, Playoffs
from scorekeeper.stats.query import Choice
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import standings
from scorekeeper.stats.verify import check_tallies
from scorekeeper.transfer.club_writer import to_line, write_club
from scorekeeper.transfer.importer import import_as_new_club
from scorekeeper.undo import club_undo, deletion
from scorekeeper.web.common.club_changes import describe
from tests.classic import FOUR, SET, player, record, start_game
from tests.sound import check_club
from tests.web.conftest import database_url  # noqa: F401 - on one database

JAN, FEB = date(2026, 1, 6), date(2026, 2, 3)
NOT_AS_CLOSED = "Cannot be undone here: the season may have changed since. You can close it on its page"


def won(club, **options):
    """A finished game: 12 to 0 for the first and the third seat."""
    game = start_game(club, **options)
    record(game, FOUR, FOUR, FOUR)
    return game


def newest(club):
    return club_log.latest(club.id, None, 1)[0]


def log(club):
    """The entries of the log as sentences, newest first."""
    return [describe(entry) for entry in club_log.latest(club.id, None, 100)]


def undo(club, entry=None):
    """Undo an entry, by default the newest one, and check the tallies."""
    entry = entry or newest(club)
    with acting_as("Ann"):
        done = club_undo.undo(club, entry.seq)
    assert check_tallies(club)[1] == ()
    return done


def why_not(club, entry):
    return club_undo.ClubNow(club).why_not(entry)


def as_file(club):
    """All lines of the club file."""
    db.session.expire_all()
    return list(write_club(club))


def places(club, season=None):
    table = standings(club, Scheme(), Choice(season_id=season and season.id))
    return [(line.player.name, line.record.games, line.record.sums["won"]) for line in table.lines]


def league(club, **changes):
    about: dict[str, Any] = {"name": "League", "starts": date(2026, 1, 1), "ends": None, "scheme": Scheme()}
    return seasons.begin(club, **(about | changes))


# A change of the club of `played`, its sentence in the log, and the sentence when it is undone.
ORDERED = "and it is ordered differently now"
CHANGES = {
    "rename": (lambda club: player_service.rename(player("Ann"), "Anna"), "Ann is now called Anna.",
     "Anna is now called Ann."),
    "guest": (lambda club: player_service.set_guest(player("Ann"), True), "Ann is a guest.",
     "Ann is no longer a guest."),
    "retire": (lambda club: player_service.set_retired(player("Ann"), True), "Ann is retired.",
     "Ann is no longer retired."),
    "merge": (lambda club: player_service.merge(player("Ann"), player("Annie")), "Annie was merged into Ann.",
     "Ann and Annie are two players again."),
    "settings": (lambda club: seasons.change(
     club.seasons[0], name="Cup", starts=JAN, ends=FEB, scheme=Scheme(by="points", credit="most")),
     f"League is now called Cup, and Cup now runs from Jan 6, 2026 to Feb 3, 2026, {ORDERED}.",
     f"Cup is now called League, and League now runs since Jan 1, 2026, {ORDERED}."),
    "move": (lambda club: seasons.count_in(club.games[0], None), "Game 3 was moved from League to no season.",
     "Game 3 was moved to League."),
    "take in": (lambda club: seasons.take_in(club.seasons[0]), "1 game was added to League.",
     "1 game was taken out of League."),
    "abandon": (lambda club: hand_service.set_state(club.games[0], ABANDONED), "Game 3 was abandoned.",
     "Game 3 was resumed."),
    "leave out": (lambda club: games.set_counts(club.games[-1], False), "Game 1 does not count.",
     "Game 1 counts again."),
    "day": (lambda club: games.set_day(club.games[0], date(2025, 12, 30)),
     "The date of game 3 was changed from Feb 3, 2026 to Dec 30, 2025.",
     "The date of game 3 was changed from Dec 30, 2025 to Feb 3, 2026."),
    "club": (lambda club: clubs.set_name_and_zone(club, "Friday", club.zone), "The club is now called Friday.",
     "The club is now called Tuesday."),
    "zone": (lambda club: clubs.set_name_and_zone(club, club.name, "America/Detroit"),
     "The club’s time zone is now Detroit (America).", "The club’s time zone is now UTC."),
    "delete game": (lambda club: deletion.delete_game(club.games[-1]), "Game 1 was deleted.", "Game 1 is back."),
    "delete player": (lambda club: deletion.delete_player(player("Nan")), "Nan was deleted.", "Nan is back."),
    "delete season": (lambda club: deletion.delete_season(club.seasons[0]), "League was deleted.", "League is back."),
}  # fmt: skip


def change(club, name):
    """Make a change; return its entry."""
    CHANGES[name][0](club)
    return newest(club)


def close_with_all(club):
    """Add game 1 to the season, and close it; return it."""
    season = club.seasons[0]
    seasons.take_in(season)
    seasons.close(season)
    return season


def again_as(club):
    """Import the club's file as a new club; return the lines of both."""
    lines = as_file(club)
    return lines, as_file(import_as_new_club(None, BytesIO("".join(lines).encode()))[0])


@pytest.fixture
def played(club):
    """Three games and a season that has two of them; Annie has played one, Nan none."""
    with db_write(club) as session:
        club.zone, club.name = "UTC", "Tuesday"
        session.add(Player(club=club, name="Nan"))
    first = won(club, played=JAN)
    season = league(club)
    won(club, played=FEB, names=["Annie", "Bo", "Cy", "Di"], previous=first)
    third = start_game(club, played=FEB, names=["Eve", "Bo", "Cy", "Di"], season=season)
    record(third, FOUR)
    hand_service.substitute(third, 1, "Annie")
    record(third, FOUR, FOUR)
    hand_service.substitute(third, 2, "Gil")
    db.session.expire_all()
    return club


def test_what_nobody_has_asked_for_is_by_nobody(played):
    """Automatic changes have no author: the end of a substitute's wait by a merge, and a link for boards."""
    game = won(played)
    with acting_as("Bo"):
        hand_service.undo(game, token="u")
        hand_service.substitute(game, 2, "Nan")
        player_service.rename(player("Bo"), "Bob")
        player_service.merge(player("Bob"), player("Nan"))
        links.make_for_board(played)
    assert [change.by for change in game.changes][-3:] == ["Bo", "Bo", None]
    assert [entry.by for entry in club_log.latest(played.id, None, 3)] == [None, "Bo", "Bo"]


@pytest.mark.parametrize("database_url", ["sqlite", "postgres"], indirect=True)
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_undone_and_made_again(played, name):
    """Undo restores the club file byte for byte; redo makes the change again."""
    before, sums = as_file(played), places(played)
    change(played, name)
    after, changed = as_file(played), places(played)
    assert check_tallies(played)[1] == ()
    _, done, undone = CHANGES[name]
    assert log(played)[0] == done
    if name != "zone":
        assert after != before

    undo(played)
    assert log(played)[:2] == [undone, done]
    assert (newest(played).undoes, newest(played).by) == (newest(played).seq - 1, "Ann")
    assert (as_file(played), places(played)) == (before, sums)

    undo(played)
    assert log(played)[0] == done
    assert (as_file(played), places(played)) == (after, changed)


def test_nothing_changed_is_no_entry(played):
    player_service.rename(player("Ann"), "Ann")
    player_service.set_guest(player("Ann"), False)
    player_service.set_retired(player("Ann"), False)
    seasons.count_in(played.games[0], played.games[0].season)
    games.set_counts(played.games[0], True)
    games.set_day(played.games[0], FEB)
    clubs.set_name_and_zone(played, played.name, played.zone)
    hand_service.set_state(start_game(played), PAUSED)
    assert log(played) == ["League was started."]


def test_what_was_undone_is_not_undone_twice(played):
    entry = change(played, "rename")
    undo(played, entry)
    assert club_undo.undo(played, entry.seq) is None
    assert player("Ann")
    assert club_log.undone_by(played.id, [entry.seq]) == {entry.seq: entry.seq + 1}
    game = start_game(played)
    for state in (ABANDONED, OPEN, PAUSED):
        hand_service.set_state(game, state)
    undo(played)
    assert game.state == ABANDONED


def test_games_that_were_taken_out_again_are_not_taken_out_twice(played):
    seasons.take_in(played.seasons[0])
    taken = newest(played)
    assert why_not(played, taken) == ""
    for game in played.games:
        seasons.count_in(game, None)
    assert why_not(played, taken) == club_undo.CHANGED


def test_a_closed_season_keeps_its_settings(played):
    seasons.close(played.seasons[0])
    with pytest.raises(Refused, match="closed"):
        change(played, "settings")
    assert played.seasons[0].settings == Scheme().to_dict()


def test_every_move_between_seasons_is_an_entry(played):
    """Also the moves of an imported game without a log, as a converter writes it, and of one without hands."""
    season, lines = played.seasons[0], [json.loads(line) for line in as_file(played)]
    text = "".join(to_line({**line, "x-log": []} if "x-log" in line else line) for line in lines)
    imported, _ = import_as_new_club("Imported", BytesIO(text.encode()))
    game = imported.games[0]
    assert (len(game.hands), game.version) == (3, 0)
    seasons.close(imported.seasons[0])
    seasons.count_in(game, None)
    assert imported.seasons[0].closed_at is None
    assert log(imported)[0] == "Game 3 was moved from League to no season."
    undo(imported)
    assert imported.games[0].season == imported.seasons[0]

    seasons.count_in(start_game(played, season=season), None)
    assert log(played)[0] == "Game 4 was moved from League to no season."


@pytest.mark.parametrize("state", [PAUSED, OPEN])
def test_a_finished_game_is_not_paused_and_its_season_stays_closed(played, state):
    """Pause or Resume from a page that was opened before the game was over."""
    game, season = played.games[0], played.seasons[0]
    seasons.close(season)
    if state == PAUSED:
        with pytest.raises(Refused, match="the game is over, and cannot be paused"):
            hand_service.set_state(game, PAUSED)
    else:
        hand_service.set_state(game, OPEN)
    assert (game.state, bool(season.closed_at), log(played)[0]) == (OPEN, True, "League was closed.")

    hand_service.undo(game, token="Gil, who waits")
    hand_service.undo(game, token="the last hand")
    hand_service.set_state(game, PAUSED)
    hand_service.redo(game, token="the last hand again")
    assert game.state == OPEN


def refused(club, entry):
    """Assert that the undo is refused and changes nothing; return the reason, which the page shows too."""
    why = why_not(club, entry)
    assert why
    before = as_file(club)
    with pytest.raises(Refused) as error:
        club_undo.undo(club, entry.seq)
    assert error.value.problems[0].message == why
    assert as_file(club) == before
    return why


TAKEN = "is called {} now. Rename that {} first"


@pytest.mark.parametrize(
    ("name", "since", "why"),
    [
        ("rename", lambda club: player_service.rename(player("Eve"), "ann"),
         "Another player " + TAKEN.format("ann", "player")),
        ("merge", lambda club: player_service.rename(player("Eve"), "Annie"),
         "Another player " + TAKEN.format("Annie", "player")),
        ("settings", league, "Another season " + TAKEN.format("League", "season")),
        ("delete season", league, "Another season is called League now. Rename that season first"),
        ("merge", lambda club: deletion.delete_game(club.games[0]), "Game 3 was deleted. Take it back first"),
        ("day", lambda club: deletion.delete_game(club.games[0]), "Game 3 was deleted. Take it back first"),
        ("merge", lambda club: seasons.close(club.seasons[0]), "League is closed. Reopen it first"),
        ("rename", lambda club: player_service.rename(player("Anna"), "Anne"), "Undo the later change first"),
    ],
)  # fmt: skip
def test_what_was_done_since_is_undone_first(played, name, since, why):
    entry = change(played, name)
    since(played)
    assert refused(played, entry) == why
    undo(played)
    assert why_not(played, entry) == ""


def test_a_player_who_is_gone(played):
    player_service.rename(player("Annie"), "Anne")
    entry = newest(played)
    player_service.merge(player("Ann"), player("Anne"))
    assert refused(played, entry) == "That player was deleted or merged"


@pytest.mark.parametrize("name", ["settings", "move", "take in", "abandon", "leave out", "day", "delete game"])
def test_a_season_that_was_closed_since(played, name):
    if name in ("leave out", "delete game"):
        seasons.take_in(played.seasons[0])
    entry = change(played, name)
    seasons.close(played.seasons[0])
    frozen = played.seasons[0].frozen
    assert refused(played, entry).endswith("is closed. Reopen it first")
    assert (played.seasons[0].frozen, bool(played.seasons[0].closed_at)) == (frozen, True)


def test_closing_is_undone_and_redone_with_the_same_table(played):
    season = played.seasons[0]
    seasons.close(season)
    frozen, closed = season.frozen, season.closed_at
    undo(played)
    assert (season.closed_at, season.frozen) == (None, frozen)
    assert log(played)[:2] == ["League was reopened.", "League was closed."]
    undo(played)
    assert (season.closed_at, season.frozen, season.reopened) == (closed, frozen, None)


def test_only_the_last_reopening_is_undone(played):
    season = played.seasons[0]
    seasons.close(season)
    seasons.reopen(season)
    first = newest(played)
    won(played)
    seasons.close(season)
    seasons.reopen(season)
    assert refused(played, first) == NOT_AS_CLOSED
    assert why_not(played, newest(played)) == ""


@pytest.mark.parametrize("name", ["leave out", "merge", "rename", "guest", "day", "retire"])
def test_reopening_is_undone_when_what_came_after_it_was(played, name):
    """The table and the pages are as they were kept, byte for byte."""
    season = close_with_all(played)
    frozen, pages, closed = as_file(played), season.pages, season.closed_at
    seasons.reopen(season)
    entry = newest(played)
    change(played, name)
    if name in ("leave out", "merge", "day"):
        assert refused(played, entry) == NOT_AS_CLOSED
    else:
        assert why_not(played, entry) == ""
    undo(played)
    undo(played, entry)
    assert (season.closed_at, as_file(played)) == (closed, frozen)
    assert pages["nights"] == season.pages["nights"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("name", [None, "guest", "rename", "merge", "day of another season"])
def test_a_season_closes_again_when_all_that_reopened_it_is_undone(played, order, name):
    """Also if the table would be another one now, because of something that does not concern its games.

    A merge is undone too, between the two.
    """
    earlier, season = won(played, played=date(2025, 12, 1)), close_with_all(played)
    kept = next(line for line in as_file(played) if '"type":"season"' in line)
    if name == "day of another season":
        games.set_day(earlier, date(2026, 1, 30))
    elif name not in (None, "merge"):
        change(played, name)
    changes = []
    for game in played.games[-2:]:
        games.set_counts(game, False)
        changes.append(newest(played))
    assert season.closed_at is None
    if name == "merge":
        change(played, name)
        merged = newest(played)
    undo(played, changes[order[0]])
    if name == "merge":
        undo(played, merged)
    assert season.closed_at is None
    undo(played, changes[order[1]])
    assert kept in as_file(played)


def test_a_season_closes_again_with_what_reopened_it_whatever_was_done_between(played):
    close_with_all(played)
    game = played.games[-1]
    hand_service.correct_hand(game, 1, SET, hand_version=game.hands[0].version, token="c")
    with db_write(played):
        tallies.rebuild(played)
    change(played, "delete season")
    undo(played)
    assert played.seasons[0].closed_at is None
    hand_service.undo(played.games[-1], token="u")
    db.session.expire_all()
    assert played.seasons[0].closed_at is not None


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_season_closes_again_when_its_deleted_games_are_back_in_any_order(played, order):
    close_with_all(played)
    changes = []
    kept = as_file(played)
    for game in played.games[-2:]:
        deletion.delete_game(game)
        changes.append(newest(played))
    undo(played, changes[order[0]])
    assert played.seasons[0].closed_at is None
    undo(played, changes[order[1]])
    assert as_file(played) == kept


def test_only_an_undo_that_makes_a_season_what_it_was_closes_it(played):
    """A game was taken out and put in again by hand, then its organizer leaves the season open."""
    unrelated = change(played, "club")
    season = close_with_all(played)
    games.set_counts(played.games[-1], False)
    games.set_counts(played.games[-1], True)
    undo(played, unrelated)
    assert season.closed_at is None
    undo(played)
    assert season.closed_at is None


def test_a_season_whose_settings_changed_since_stays_open(played):
    season = close_with_all(played)
    games.set_counts(played.games[-1], False)
    counted = newest(played)
    changed = change(played, "settings")
    seasons.set_bonus(season, Bonus(player("Ann").uid, 2, "hosted", JAN))
    given = newest(played)
    undo(played, counted)
    undo(played, changed)
    assert season.closed_at is None
    undo(played, given)
    assert season.closed_at is not None


def test_a_new_season_goes_again_until_games_count_in_it(played):
    why = "Cannot be undone here: games count in it. You can delete the season on its page"
    assert refused(played, newest(played)) == why
    seasons.begin(played, "Empty", JAN, None, Scheme())
    undo(played)
    assert [one.name for one in played.seasons] == ["League"]
    undo(played)
    assert "Empty" in {one.name for one in played.seasons}


def test_a_closed_seasons_table_names_both_again(played):
    """Annie was in the table of the closed season, Ann was not; the season remains closed throughout."""
    season = close_with_all(played)
    closed, frozen, annie = season.closed_at, season.frozen, player("Annie").id
    player_service.merge(player("Ann"), player("Annie"))
    assert season.closed_at == closed
    assert {line["player"] for line in season.frozen["lines"]} & {annie} == set()
    undo(played)
    again = player("Annie").id

    def named(table, old, new):
        return [new if one["player"] == old else one["player"] for one in table["lines"]]

    assert named(season.frozen, again, annie) == named(frozen, annie, annie)
    assert [line["sums"] for line in season.frozen["lines"]] == [line["sums"] for line in frozen["lines"]]
    assert [again if one == annie else one for one in frozen["champions"]] == season.frozen["champions"]
    assert season.closed_at == closed


def test_a_champion_who_was_merged_away_is_champion_again(club):
    season = league(club)
    won(club, names=["Annie", "Bo", "Cy", "Di"])
    start_game(club, names=["Ann", "Eve", "Flo", "Gil"])
    seasons.close(season)
    player_service.merge(player("Ann"), player("Annie"))
    assert season.frozen["champions"] == [player("Ann").id, player("Cy").id]
    undo(club)
    assert season.frozen["champions"] == [player("Annie").id, player("Cy").id]


@pytest.mark.parametrize(
    ("name", "nobody", "name_all"),
    [
        (seasons.set_divisions, {}, lambda uids: dict.fromkeys(uids, "A")),
        (seasons.set_start, [], list),
        (seasons.set_playoffs, None, lambda uids: Playoffs(4, tuple((uid,) for uid in uids))),
    ],
    ids=["divisions", "start", "playoffs"],
)
def test_nobody_who_is_gone_is_named_again(played, name, nobody, name_all):
    """The reason says what happened to the player; once that is undone, the change can be undone."""
    for named in (name_all([player(one).uid for one in ("Bo", "Annie", "Nan")]), nobody):
        name(played.seasons[0], named)
    entry = newest(played)
    merged = change(played, "merge")
    assert refused(played, entry) == "Annie was merged into Ann. Undo the merge first"
    change(played, "delete player")
    assert refused(played, entry) == "Nan was deleted. Take Nan back first"
    undo(played)
    undo(played, merged)
    undo(played, entry)
    assert len(League.from_dict(played.seasons[0].league).players) == 3


def _set_league(season, annie, ann, **more):
    """Set divisions, a starting order, bonus points and a bracket; `annie` and `ann` say who is in them."""
    names = [*more.get("first", ()), "Bo", *(["Annie"] if annie else []), "Eve", *(["Ann"] if ann else []), "Di"]
    uids = [player(name).uid for name in names]
    seasons.set_divisions(season, {uid: "AB"[index % 2] for index, uid in enumerate(uids)})
    seasons.set_start(season, uids)
    seasons.set_playoffs(season, Playoffs(8, tuple((uid,) for uid in uids)))
    for name in ("Annie", "Ann"):
        seasons.set_bonus(season, Bonus(player(name).uid, 1, "hosted", JAN))


@pytest.mark.parametrize(("annie", "ann"), [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("kept", ["Ann", "Annie"])
def test_a_merge_undone_leaves_the_file_as_it_was(played, annie, ann, kept):
    """Byte for byte, including a closed season's archive; what was set before the merge can still be undone."""
    season = played.seasons[0]
    _set_league(season, annie, ann)
    entries = [one for one in club_log.latest(played.id, None, 9) if one.kind in (club_log.DIVISIONS, club_log.START)]
    close_with_all(played)
    before = as_file(played)
    player_service.merge(player(kept), player("Annie" if kept == "Ann" else "Ann"))
    assert again_as(played)[0] != before  # also if one player has two seeds now
    undo(played)
    assert as_file(played) == before
    seasons.reopen(season)
    assert [why_not(played, entry) for entry in entries] == ["", ""]


def test_what_was_set_since_a_merge_stays(played):
    """Ann, who had a rung and a division, is moved to C after the merge; Annie gets her own place back."""
    season = played.seasons[0]
    _set_league(season, annie=True, ann=True)
    was = League.from_dict(season.league)
    merged = change(played, "merge")
    ann, nan = player("Ann").uid, player("Nan").uid
    now = League.from_dict(season.league)
    seasons.set_divisions(season, now.division_of | {ann: "C"})
    seasons.set_start(season, [nan, *now.start])
    undo(played, merged)
    league = League.from_dict(season.league)
    assert league.division_of == was.division_of | {ann: "C"}
    assert league.start == (nan, *was.start)


def test_who_is_deleted_is_nobody_else_in_a_season_that_was_closed_and_comes_back_to_it(played):
    """Zoe has no other game, and SQLite gives the next player her id."""
    game = won(played, names=["Ann", "Bo", "Cy", "Zoe"])
    season = close_with_all(played)
    kept = as_file(played)
    deletion.delete_game(game)
    gone = newest(played)
    deletion.delete_player(player("Zoe"))
    deleted = newest(played)
    player_service.add(played, "Yan")
    added = newest(played)
    everybody = {one.id for one in played.players}
    in_table = {line["name"]: line["player"] for line in season.frozen["lines"]}
    assert in_table["Zoe"] not in everybody
    assert dict(reversed(one) for one in season.pages["people"])["Zoe"] not in everybody
    assert archive.read(season.pages).names.keys() & everybody == {
        player(name).id for name in in_table if name != "Zoe"
    }
    undo(played, deleted)
    undo(played, gone)
    undo(played, added)
    assert season.closed_at is not None
    assert as_file(played) == kept


def test_a_player_who_is_deleted_leaves_what_is_set_for_a_season_and_comes_back_to_it(played):
    season = played.seasons[0]
    _set_league(season, annie=True, ann=True, first=["Nan"])
    before = as_file(played)
    deleted = change(played, "delete player")
    lines, again = again_as(played)
    assert again == lines
    undo(played)
    assert as_file(played) == before
    undo(played)
    assert as_file(played) == lines
    assert deleted.subject not in "".join(lines)


def test_a_deleted_season_that_names_somebody_who_is_gone_comes_back_without(played):
    season = played.seasons[0]
    _set_league(season, annie=True, ann=True, first=["Nan"])
    nan = player("Nan").uid
    entry = change(played, "delete season")
    change(played, "delete player")
    undo(played, entry)
    lines, again = again_as(played)
    assert nan not in "".join(lines)
    assert again == lines


def test_a_player_whom_a_game_has_made_again_stays_in_a_season_that_comes_back(played):
    """Pat was merged into Pete, who was deleted; then Pat's deleted game was restored, and with it Pat."""
    game = won(played, names=["Pat", "Bo", "Cy", "Di"])
    pat = player("Pat").uid
    deletion.delete_game(game)
    deleted = newest(played)
    player_service.add(played, "Pete")
    player_service.merge(player("Pete"), player("Pat"))
    deletion.delete_player(player("Pete"))
    undo(played, deleted)
    assert player("Pat").uid == pat
    seasons.set_divisions(played.seasons[0], {pat: "A"})
    deletion.delete_season(played.seasons[0])
    undo(played)
    assert League.from_dict(played.seasons[0].league).division_of == {pat: "A"}


def test_games_played_since_a_merge_stay_with_who_is_kept(played):
    change(played, "merge")
    won(played, played=FEB)
    undo(played)
    assert [len(player_service.games_of(player(name))) for name in ("Ann", "Annie")] == [2, 2]


def test_a_merge_is_not_undone_while_its_player_is_replaced(played):
    """Undone the other way round, Annie's game would go to Ann. That somebody else was replaced before is no reason."""
    player_service.replace_in(played.games[-2], "Bo", "Zoe")
    replaced = [newest(played)]
    merged = change(played, "merge")
    player_service.replace_in(played.games[-2], "Ann", "Yves")
    replaced.append(newest(played))
    assert why_not(played, merged) == "A player of game 2 was replaced. Undo that first"
    for entry in (*reversed(replaced), merged):
        undo(played, entry)
    assert played.games[-2].names[:2] == ["Annie", "Bo"]


def test_a_game_that_was_deleted_before_a_merge_and_taken_back_after_it_is_given_back_too(played):
    """Annie, who is merged twice, and the substitute Gil."""
    game = played.games[-2]
    hand_service.correct_hand(game, 2, FOUR | {"names": {"2": "Gil"}}, hand_version=2, token="c")
    player_service.add(played, "Zoe")
    deletion.delete_game(game)
    deleted, kept = newest(played), as_file(played)
    merges = []
    for player_, other in (("Ann", "Annie"), ("Nan", "Ann"), ("Zoe", "Gil")):
        player_service.merge(player(player_), player(other))
        merges.append(newest(played))
    undo(played, deleted)
    for merged in reversed(merges):
        undo(played, merged)
    assert played.games[-2].names[0] == "Annie"
    deletion.delete_game(played.games[-2])
    assert as_file(played) == kept


@pytest.mark.parametrize("stays", [False, True])
def test_a_player_added_by_a_replacement_goes_with_its_undo(played, stays):
    player_service.replace_in(played.games[-1], "Ann", "Zoe")
    replaced = newest(played)
    if stays:
        start_game(played, names=["Zoe", "Bo", "Cy", "Di"])
    undo(played, replaced)
    assert ("Zoe" in [one.name for one in played.players]) == stays
    assert played.games[-1].names[0] == "Ann"
    undone = next(one for one in club_log.latest(played.id, None, 9) if one.undoes == replaced.seq)
    if not stays:
        assert why_not(played, undone) == "Zoe was deleted. Take Zoe back first"
        undo(played)
    undo(played, undone)
    assert played.games[-1].names[0] == "Zoe"


def test_a_seat_that_the_other_took_over_stays_theirs(club):
    """Ann came in for Hal in game 1, Annie in game 2; after merge and undo, each has done so again."""
    for number, name in enumerate(("Ann", "Annie"), start=1):
        game = start_game(club, names=["Hal", "Bo", "Cy", "Di"])
        record(game, FOUR)
        hand_service.substitute(game, 1, name)
        hand_service.record_hand(game, FOUR, position=2, token=f"second hand {number}")
    player_service.merge(player("Ann"), player("Annie"))
    undo(club)
    assert {game.number: game.names_at(2)[0] for game in club.games} == {1: "Ann", 2: "Annie"}


def test_a_game_that_went_on_after_the_merge_is_given_back_too(played):
    """Annie plays in game 3; a hand is corrected after the merge, and replaying the log still gives the hands."""
    change(played, "merge")
    game = played.games[0]
    hand_service.correct_hand(
        game, 3, {**game.hands[2].facts, "note": "late"}, hand_version=game.hands[2].version, token="n"
    )
    undo(played)
    game = played.games[0]
    assert game.names_at(3)[0] == "Annie"
    hand_service.undo(game, token="u")
    assert game.hands[2].facts.get("note") is None
    assert as_file(played)


@pytest.mark.parametrize(("first", "also", "merged"), [("Ann", False, {}), ("Hal", True, {"2": "Ann"})])
def test_who_waited_for_the_next_hand_waits_again(club, first, also, merged):
    """Annie waits for seat 2. Once merged, no one waits at Ann's own table; where neither has played, Ann does."""
    game = start_game(club, names=[first, "Bo", "Cy", "Di"])
    record(game, FOUR)
    hand_service.substitute(game, 2, "Annie")
    if also:
        start_game(club)
    start_game(club, names=["Annie", "Eve", "Flo", "Gil"])
    player_service.merge(player("Ann"), player("Annie"))
    assert game.next_seats == merged
    undo(club)
    game = club.games[-1]
    assert game.next_seats == {"2": "Annie"}
    check_club(club)
    game = club.games[-1]
    hand_service.undo(game, token="u")  # undoes the substitution: no change follows it in the log
    assert game.next_seats == {}
    check_club(club)


def test_two_who_wait_for_one_table_wait_again(club, game):
    hand_service.substitute(game, 4, "Zed")
    hand_service.substitute(game, 1, "Eve")
    for name in ("Zed", "Eve"):
        player_service.add(club, name)
    player_service.merge(player("Eve"), player("Zed"))
    assert list(game.next_seats.values()) == ["Eve"]
    check_club(club)
    undo(club)
    assert club.games[0].next_seats == {"1": "Eve", "4": "Zed"}
    check_club(club)


def test_a_merge_is_not_undone_when_a_table_that_named_both_went_on(club, game):
    record(game, FOUR)
    hand_service.substitute(game, 2, "Annie")
    start_game(club, names=["Annie", "Eve", "Flo", "Gil"])
    player_service.merge(player("Ann"), player("Annie"))
    record(game, FOUR)
    assert refused(club, newest(club)) == "The players in game 1 have changed since"


def test_a_game_started_by_the_form_of_a_deleted_one_leaves_that_to_be_taken_back(played):
    """Deal after Back sends the same token; it is the uid of a new game, unless a deleted game has that uid."""
    token = "A" * 22
    first = start_game(played, token=token)
    record(first, FOUR, FOUR)
    deletion.delete_game(first)
    deleted = newest(played)
    second = start_game(played, token=token)
    assert second.uid != token
    deletion.delete_game(second)
    undo(played, deleted)
    (back,) = [game for game in played.games if game.uid == token]
    assert [hand.facts["bid"] for hand in back.hands] == [2, 2]


def test_a_game_that_an_earlier_version_let_be_started_twice_is_not_taken_back_over_the_other(played):
    first = start_game(played)
    uid = first.uid
    deletion.delete_game(first)
    deleted = newest(played)
    with db_write(played):
        played.games[0].uid = uid
    assert why_not(played, deleted) == club_undo.CHANGED


def test_a_deleted_game_is_nowhere_and_its_number_is_kept_free(played):
    game = played.games[0]
    hand_service.substitute(game, 3, "Hal")
    deletion.delete_game(game)
    assert [one.number for one in played.games] == [2, 1]
    assert not any('"x-number":3' in line for line in as_file(played))
    assert db.session.scalars(select(Result).where(Result.number == 3)).all() == []
    assert start_game(played).number == 4
    undo(played)
    assert [one.number for one in played.games] == [4, 3, 2, 1]


def test_a_game_comes_back_with_the_names_of_now(played):
    """Meanwhile Annie was renamed and then merged into Ann; Eve, who has no other game, was deleted.

    If only a capital letter changed, the hands have the new spelling too, as if the game had never been deleted.
    """
    for spelled in ("annie", "Annie"):
        deletion.delete_game(played.games[0])
        entry = newest(played)
        player_service.rename(player("Annie" if spelled == "annie" else "annie"), spelled)
        undo(played, entry)
        assert played.games[0].names_at(3)[0] == spelled
    deletion.delete_game(played.games[0])
    entry = newest(played)
    player_service.rename(player("Annie"), "Anne")
    player_service.merge(player("Ann"), player("Anne"))
    deletion.delete_player(player("Eve"))
    undo(played, entry)
    assert [game.number for game in played.games] == [3, 2, 1]
    game = played.games[0]
    assert (game.names, game.names_at(3)[0]) == (["Eve", "Bo", "Cy", "Di"], "Ann")
    assert played.games[0].season.name == "League"


@pytest.mark.parametrize("gone", ["Annie", "Gil"])
def test_a_game_of_two_who_were_merged_since_is_refused(played, gone):
    """Annie sat opposite Ann, or Gil came in for Bo beside her."""
    game = start_game(played, names=["Ann", "Bo", "Annie", "Di"])
    record(game, FOUR)
    hand_service.substitute(game, 2, "Gil")
    record(game, FOUR, FOUR)
    seats = game.names_at(2)
    deletion.delete_game(game)
    entry = newest(played)
    player_service.merge(player("Ann"), player(gone))
    with pytest.raises(Refused, match=r"Ann would sit in two seats, after a merge\. Undo"):
        club_undo.undo(played, entry.seq)
    undo(played)
    undo(played, entry)
    assert played.games[0].names_at(2) == seats


def test_the_game_before_is_known_again(played):
    """Game 1 is the previous game of game 2; also when both were deleted, and taken back in that order."""
    first, second = played.games[-1], played.games[-2]
    assert second.previous_id == first.id
    deletion.delete_game(first)
    assert second.previous_id is None
    undo(played)
    assert played.games[-2].previous_id == played.games[-1].id
    for game in (played.games[-2], played.games[-1]):
        deletion.delete_game(game)
    for entry in reversed(club_log.latest(played.id, None, 2)):
        undo(played, entry)
    assert played.games[-2].previous_id == played.games[-1].id


def test_a_season_that_is_back_has_its_old_place(played):
    """In the file, in the lists, and among the seasons in which a game counts; changes of those can be undone.

    It has its old address too, if no newer season has that.
    """
    first, second, third = played.seasons[0], league(played, name="Cup"), league(played, name="Winter")
    seasons.count_in(played.games[0], first, [second, third])
    entry = newest(played)
    before, listed = as_file(played), [one.name for one in played.seasons]
    ids = {one.name: one.id for one in played.seasons}
    for season in (second, first):
        deletion.delete_season(season)
        undo(played)
        assert (as_file(played), [one.name for one in played.seasons]) == (before, listed)
        assert {one.name: one.id for one in played.seasons} == ids
    assert why_not(played, entry) == ""
    deletion.delete_season(third)
    gone = newest(played)
    spring = league(played, name="Spring")
    undo(played, gone)
    found = {one.name: one.id for one in played.seasons}
    assert found.items() >= {"League": ids["League"], "Cup": ids["Cup"], "Spring": spring.id}.items()
    assert len(set(found.values())) == 4


def test_a_move_that_is_undone_leaves_the_game_in_all_its_seasons(played):
    """Game 3 counts in League and in Cup, is moved to Cup alone, and back."""
    game, cup = played.games[0], league(played, name="Cup")
    seasons.count_in(game, game.season, [cup])
    before = as_file(played)
    seasons.count_in(game, cup)
    assert [one.name for one in game.seasons] == ["Cup"]
    undo(played)
    assert as_file(played) == before


def test_a_game_of_a_closed_seasons_playoffs_is_not_deleted(played):
    """The closed season's playoffs would lose their winner."""
    season, game = played.seasons[0], played.games[0]
    seeds = [(player(name).uid,) for name in ("Eve", "Bo")]
    seasons.set_playoffs(season, Playoffs(4, tuple(seeds), {"1-1": game.uid}))
    deletion.delete_game(game)
    undo(played)
    seasons.close(season)
    entry = newest(played)
    why = "Game 3 is in the playoffs of League. Choose another game there first"
    with pytest.raises(Refused, match=why):
        deletion.delete_game(played.games[0])
    assert why_not(played, next(one for one in club_log.latest(played.id, None, 2) if one is not entry)) == why
    seasons.set_playoffs(season, Playoffs(4, tuple(seeds)))
    deletion.delete_game(played.games[0])


def test_what_is_deleted_while_the_clock_is_behind_is_kept_for_thirty_days(played, monkeypatch):
    """With the clock a year behind, the deletion is dated by the latest change."""
    year_ago = now() - timedelta(days=365)
    monkeypatch.setattr(deletion, "now", lambda: year_ago)
    change(played, "delete game")
    assert now() - db.session.scalars(select(Deleted.at)).one() < timedelta(days=1)
    assert deleted_items.remove_for_good() == 0


def test_a_player_with_games_is_not_deleted(played):
    hand_service.undo(played.games[0], token="u")  # leaves Gil in the log of game 3 only
    for name in ("Ann", "Annie", "Eve"):
        with pytest.raises(Refused, match=rf"{name} has games\. Retire {name}"):
            deletion.delete_player(player(name))


def test_a_deleted_season_leaves_its_games_and_takes_them_back(played):
    season = played.seasons[0]
    seasons.close(season)
    frozen, closed = season.frozen, season.closed_at
    change(played, "delete season")
    assert [game.season for game in played.games] == [None, None, None]
    assert sum(games for _, games, _ in places(played)) == 12
    undo(played)
    season = played.seasons[0]
    assert (season.frozen, season.closed_at) == (frozen, closed)
    assert [game.season_id for game in played.games] == [season.id, season.id, None]


def test_after_thirty_days_it_is_gone_for_good(played):
    entry = change(played, "delete game")
    change(played, "delete player")
    assert deleted_items.remove_for_good() == 0
    with db_write() as session:
        session.execute(update(Deleted).values(at=now() - timedelta(days=30, seconds=1)))
    assert refused(played, entry) == "Deleted more than 30 days ago, and gone for good"
    assert (deleted_items.remove_for_good(1), db.session.query(Deleted).count()) == (1, 1)
    db.session.rollback()
    serve.clean_up(current_app)
    assert db.session.query(Deleted).count() == 0
    assert refused(played, entry) == "Deleted more than 30 days ago, and gone for good"


def test_a_game_that_does_not_count_is_in_no_sum(played):
    assert ("Cy", 3, 3) in places(played)
    change(played, "leave out")
    assert ("Cy", 2, 2) in places(played)
    assert player("Ann").mu is None


def test_a_day_is_corrected_while_the_game_runs_and_after(played):
    running = start_game(played, played=FEB)
    games.set_day(running, JAN)
    record(running, FOUR, FOUR, FOUR)
    assert db.session.scalars(select(Result.played).where(Result.number == 4)).first() == JAN
    games.set_day(running, date(2025, 12, 31))
    assert games.outside_of(running) == [running.season]
    assert check_tallies(played)[1] == ()
    assert db.session.scalars(select(Result.played).where(Result.number == 4)).first() == date(2025, 12, 31)


def test_former_names_lead_to_who_there_is_now(played):
    annie, ann = player("Annie").uid, player("Ann").uid
    player_service.rename(player("Annie"), "Anne")
    player_service.merge(player("Ann"), player("Anne"))
    player_service.rename(player("Ann"), "Anna")
    former = club_log.former(played.id)
    assert former.names == {"annie": {ann}, "anne": {ann}, "ann": {ann}}
    assert former.now(annie) == ann
    undo(played)
    undo(played, club_log.latest(played.id, None, 3)[-1])
    former = club_log.former(played.id)
    assert former.now(annie) == annie
    assert former.names["annie"] == {annie}


def test_every_kind_can_be_said_and_taken_back():
    from scorekeeper.web.common.club_changes import SENTENCES

    assert set(SENTENCES) == set(club_undo.UNDO_HANDLERS) == set(club_log.KINDS)

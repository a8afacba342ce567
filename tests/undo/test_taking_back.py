"""Undo of everything that a link did, in one go; what others changed since is left, with the reason."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from html import unescape
from typing import Any

import pytest
from flask import Flask

from scorekeeper.database.session import db, now
from scorekeeper.database.zones import find_zone
from scorekeeper.models import ABANDONED, MANAGE, SCORE, Club, Link, acting_link
from scorekeeper.services import club_log, links, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.stats.query import Choice
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import standings
from scorekeeper.stats.verify import check_tallies
from scorekeeper.transfer.club_writer import write_club
from scorekeeper.undo import club_undo, deletion
from scorekeeper.web.common.club_changes import describe
from tests.classic import FOUR, NAMES, SET, TWO_EACH, player, record, start_game
from tests.web.phones import join, phone, stranger


@contextmanager
def by(link: Link) -> Iterator[None]:
    """Context manager that attributes changes to a link."""
    token = acting_link.set(link.id)
    try:
        yield
    finally:
        acting_link.reset(token)


def records(club: Club) -> dict[int, Any]:
    """The record of every game, by its number."""
    db.session.expire_all()
    return {game.number: game.record() for game in club.games}


def state_of(club: Club) -> dict[str, Any]:
    """The club file without the logs of hands, which only grow, and the tables."""
    db.session.expire_all()
    lines = [json.loads(line) for line in write_club(club)]
    for line in lines:
        line.pop("x-log", None)
    return {"file": lines, "tables": tables(club)}


def tables(club: Club) -> Any:
    choices = [(Scheme(), Choice()), *((seasons.scheme_of(one), Choice(season_id=one.id)) for one in club.seasons)]
    told = [repr(standings(club, scheme, choice)) for scheme, choice in choices]
    return [re.sub(r"Person\(id=\d+", "Person(", table) for table in told]


def attack(club: Club, *, hands: int, abandoned: int, started: int, adjusted: int) -> None:
    games = sorted(club.games, key=lambda game: game.number)
    for index in range(hands):
        game = games[index % len(games)]
        hand_service.remove_hand(game, 2, hand_version=game.hands[1].version, token=f"remove {index}")
    for game in games[-abandoned:]:
        hand_service.set_state(game, ABANDONED)
    for number in range(started):
        start_game(club, names=[f"Spam {number + seat}" for seat in range(4)])
    for game in games[:adjusted]:
        minus = [{"unit": "A", "points": -9, "reason": "ha"}]
        hand_service.adjust(game, 1, minus, hand_version=game.hands[0].version, token=f"adjust {game.number}")


def many_games(club: Club, games: int) -> None:
    """Finished games in two seasons, the first of which is closed."""
    years = [seasons.begin(club, name, date(2026, 1, 1), None, Scheme()) for name in ("First", "Second")]
    for number in range(games):
        names = NAMES[number % 4 :] + NAMES[: number % 4]
        game = start_game(club, names=names, season=years[number % 2], played=date(2026, 1, 1 + number))
        record(game, TWO_EACH, *([SET] if number % 2 else []), FOUR, FOUR, FOUR)
    seasons.close(years[0])


# The counts that a script reached in 14 seconds, and smaller ones for a quick test.
SCRIPT = {"hands": 50, "abandoned": 24, "started": 84, "adjusted": 16}
SHORT = {"hands": 9, "abandoned": 3, "started": 5, "adjusted": 3}


@pytest.mark.parametrize("script", [SHORT, pytest.param(SCRIPT, marks=pytest.mark.slow)], ids=["short", "whole"])
def test_an_attack_is_taken_back_and_every_record_and_table_is_as_before(
    app: Flask, club: Club, script: dict[str, int]
) -> None:
    games = 30 if script is SCRIPT else 6
    many_games(club, games)
    here, before, before_records = f"/c/{club.key}/", state_of(club), records(club)
    bad = links.make(club, MANAGE, "Lost phone")
    with by(bad):
        attack(club, **script)
    attacked, after_records = state_of(club), records(club)
    assert len(after_records) == games + script["started"]
    assert attacked["tables"] != before["tables"]

    manager = phone(app, here)
    page = unescape(manager.get(f"{here}links/{bad.id}/take-back").text)
    assert f"games that it started: {games + 1} to {len(after_records)}." in page
    assert re.search(rf"Restores \d+ hands in games 1 to {games}\.", page)
    assert page.count("Undoes: Game ") == script["abandoned"]
    assert "Stays as it is" not in page
    assert state_of(club) == attacked  # the preview changes nothing
    answer = manager.post(f"{here}links/{bad.id}/take-back", data={"since": ""})
    assert answer.status_code == 303
    assert records(club) == before_records
    assert state_of(club) == before
    assert check_tallies(club)[1] == ()

    again = unescape(manager.post(f"{here}links/{bad.id}/take-back", follow_redirects=True).text)
    assert "Nothing to undo." in again
    entry = club_log.latest(club.id, None, 1)[0]
    assert entry.kind == club_log.BULK_UNDO
    assert describe(entry).startswith("What “Lost phone” did was undone: ")
    answer = manager.post(f"{here}changes/{entry.seq}/undo", follow_redirects=True)
    assert "What “Lost phone” did was redone: " in unescape(answer.text)
    assert records(club) == after_records
    assert state_of(club)["tables"] == attacked["tables"]
    assert check_tallies(club)[1] == ()
    manager.post(f"{here}changes/{club_log.latest(club.id, None, 1)[0].seq}/undo")
    assert state_of(club) == before


def reasons(club: Club, link: Link) -> list[str]:
    """The reasons for changes that an undo of the link would leave; changes nothing."""
    return [why for _, why in club_undo.undo_link(club, link, dry_run=True).stays]


def test_what_somebody_else_changed_since_stays_with_the_reason_and_the_rest_is_taken_back(club: Club) -> None:
    link = links.make(club, SCORE, "Kitchen")
    game = start_game(club)
    record(game, TWO_EACH, SET, TWO_EACH)
    with by(link):
        hand_service.correct_hand(game, 1, FOUR, hand_version=1, token="c1")
        hand_service.correct_hand(game, 3, SET, hand_version=3, token="c3")
        hand_service.remove_hand(game, 2, hand_version=2, token="r2")
        theirs = start_game(club)
        player_service.rename(player("Ann"), "Nobody")
        player_service.rename(player("Bo"), "No one")
    hand_service.correct_hand(game, 1, SET, hand_version=4, token="mine")
    record(game, TWO_EACH)
    record(theirs, SET)
    player_service.rename(player("No one"), "Bob")
    assert reasons(club, link) == [
        "Hand 1 of game 1 has changed again since",
        "Others have entered hands in game 2. Delete it from its page",
        "Undo the later change first",
    ]
    done = club_undo.undo_link(club, link)
    assert (done.hands, done.games, [describe(entry) for entry in done.entries]) == (
        {1: 2},
        [],
        ["Ann is now called Nobody."],
    )
    facts = [{key: hand.facts[key] for key in FOUR} for hand in game.hands]
    assert facts == [SET, SET, TWO_EACH, TWO_EACH]  # the removed hand is back in its place
    assert sorted(one.name for one in club.players) == ["Ann", "Bob", "Cy", "Di"]
    assert check_tallies(club)[1] == ()


def test_what_others_have_undone_already_is_not_taken_back_twice(club: Club) -> None:
    link = links.make(club, MANAGE, "Kitchen")
    game = start_game(club)
    record(game, TWO_EACH, SET)
    with by(link):
        hand_service.remove_hand(game, 1, hand_version=1, token="r1")
        player_service.set_retired(player("Ann"), True)
    hand_service.undo(game, token="u")
    club_undo.undo(club, club_log.latest(club.id, None, 1)[0].seq)
    done = club_undo.undo_link(club, link)
    assert (done.number, done.stays) == (0, [])
    assert len(game.hands) == 2
    with by(link):  # a change that the same link has undone: nothing remains either
        player_service.set_retired(player("Bo"), True)
        club_undo.undo(club, club_log.latest(club.id, None, 1)[0].seq)
    assert club_undo.undo_link(club, link).number == 0
    assert not player("Bo").retired


def test_only_what_was_done_since_a_moment_is_taken_back(club: Club) -> None:
    link = links.make(club, MANAGE, "Kitchen")
    with by(link):
        game = start_game(club)
        record(game, TWO_EACH)
    since = now()
    with by(link):
        record(game, SET)
        start_game(club, first_dealer=1)
    done = club_undo.undo_link(club, link, since)
    assert (done.hands, done.games) == ({1: 1}, [2])
    assert [len(one.hands) for one in club.games] == [1]


def test_deletions_merges_substitutes_and_seasons_are_taken_back(club: Club) -> None:
    """Also in games that the same link deleted afterwards, and with players that it added."""
    season = seasons.begin(club, "Spring", date(2026, 1, 1), None, Scheme())
    for names in (["Ann", "Bo", "Cy", "Di"], ["Ann", "Bo", "Cy", "Ed"]):
        record(start_game(club, names=names, season=season), FOUR, FOUR, FOUR)
    waits = start_game(club)
    record(waits, TWO_EACH)
    link, before = links.make(club, MANAGE, "Lost phone"), state_of(club)
    with by(link):
        hand_service.substitute(waits, 2, "Gil")
        record(waits, TWO_EACH)
        player_service.merge(player("Di"), player("Ed"))
        first = next(game for game in club.games if game.number == 1)
        hand_service.remove_hand(first, 1, hand_version=first.hands[0].version, token="r")
        deletion.delete_game(first)
        seasons.begin(club, "Mine", date(2026, 1, 1), None, Scheme())
        deletion.delete_season(season)
    assert reasons(club, link) == ["Gil is still named in the history of a game. Retire Gil to hide the name"]
    club_undo.undo_link(club, link)
    after = state_of(club)
    after["file"] = [line for line in after["file"] if line.get("name") != "Gil"]
    before["file"][0]["players"] += 1  # Gil
    assert after == before
    assert check_tallies(club)[1] == ()
    attacked = club_log.latest(club.id, None, 1)[0]
    club_undo.undo(club, attacked.seq)
    assert [one.name for one in club.seasons] == ["Mine"]
    assert {game.number for game in club.games} == {2, 3}
    club_undo.undo(club, club_log.latest(club.id, None, 1)[0].seq)
    after = state_of(club)
    after["file"] = [line for line in after["file"] if line.get("name") != "Gil"]
    assert after == before


def test_what_a_phone_does_is_known_by_its_link(app: Flask, club: Club) -> None:
    """A player is renamed and a game with new players started, by a phone with a link to manage."""
    here = f"/c/{club.key}/"
    start_game(club)
    links.make(club, MANAGE, "First")
    bad = links.make(club, MANAGE, "Lost phone")
    thief = stranger(app)
    join(thief, links.secret_of(bad.uid))
    uid = player("Ann").id
    thief.post(f"{here}players/{uid}/name", data={"name": "Zzz"})
    form = {"rules": "classic", "players": "4", "dealer": "1", "do": "start"}
    thief.post(f"{here}games/new", data=form | {f"name-{seat}": f"New {seat}" for seat in range(1, 5)})
    db.session.expire_all()
    assert {one.name for one in club.players} == {"Zzz", "Bo", "Cy", "Di", "New 1", "New 2", "New 3", "New 4"}
    manager = phone(app, here)
    manager.post(f"{here}links/{bad.id}/revoke")
    assert f"{here}links/{bad.id}/take-back" in manager.get(f"{here}links/").text
    answer = unescape(manager.post(f"{here}links/{bad.id}/take-back", follow_redirects=True).text)
    assert "Undone: 6 changes." in answer
    db.session.expire_all()
    assert {one.name for one in club.players} == {"Ann", "Bo", "Cy", "Di"}
    assert [game.number for game in club.games] == [1]


def test_the_page_takes_the_moment_as_the_clubs_clocks_show_it(app: Flask, club: Club) -> None:
    bad = links.make(club, MANAGE, "Lost phone")
    with by(bad):
        start_game(club)
    manager, page = phone(app, f"/c/{club.key}/"), f"/c/{club.key}/links/{bad.id}/take-back"
    soon = (now() + timedelta(minutes=2)).astimezone(find_zone(club.zone))
    assert "Nothing to undo." in manager.get(f"{page}?since={soon:%Y-%m-%dT%H:%M}").text
    earlier = soon - timedelta(minutes=9)
    assert "Deletes 1 game that it started: 1." in manager.get(f"{page}?since={earlier:%Y-%m-%dT%H:%M}").text
    for odd in ("x", "0001-01-01T00:00", "9999-12-31T23:59"):
        assert manager.get(f"{page}?since={odd}").status_code == 200

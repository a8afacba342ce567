"""Seats of a new game, without scripts: names picked, moved, removed, shuffled."""

import re
from collections import Counter
from html import unescape
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from scorekeeper.database.session import db, db_write
from scorekeeper.models import NAME_LENGTH, Club, Player
from scorekeeper.services import players as player_service
from scorekeeper.web.common.words import place_at_table
from tests.web.site import Site, checked, complaints, counted_queries

SIX = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]


@pytest.fixture
def club(site: Site) -> Site:
    """A club that has played one game of six."""
    site.start_game("west-michigan-6")
    return site


def names(page: TestResponse) -> list[str]:
    """Return the names in the seats, then those kept for a larger table."""
    found = {int(n): unescape(name) for n, name in re.findall(r'name="name-(\d)"[^>]*? value="([^"]*)"', page.text)}
    return [found[seat] for seat in sorted(found)]


def chips(page: TestResponse) -> dict[str, bool]:
    """Return the names that can be tapped, in order, and True for those at the table."""
    found = re.findall(r'name="pick" value="([^"]*)"[^>]*aria-pressed="(\w+)"', page.text)
    return {unescape(name): pressed == "true" for name, pressed in found}


def tap(site: Site, seats: list[str], **fields: Any) -> TestResponse:
    """Tap one button of the form with those names in the seats."""
    typed = {f"name-{seat}": name for seat, name in enumerate(seats, 1)}
    rules = {"rules": "west-michigan-6", "players": "6", "dealer": "1"}
    return site.client.post(f"{site.club}games/new", data=rules | typed | fields)


@pytest.mark.parametrize(
    ("before", "fields", "after"),
    [
        (["", "", "", "", "", ""], {"pick": "Cy"}, ["Cy", "", "", "", "", ""]),
        (["Ann", "", "Bo", "", "", ""], {"pick": "Cy"}, ["Ann", "Cy", "Bo", "", "", ""]),
        (SIX, {"pick": "cy"}, ["Ann", "Bo", "", "Di", "Ed", "Flo"]),  # a seated player gets up
        (SIX, {"pick": "Gil"}, SIX),  # no seat is free
        (SIX, {"pick": "Gil", "held": "2"}, ["Ann", "Gil", "Cy", "Di", "Ed", "Flo"]),
        (SIX, {"pick": "Ed", "held": "2"}, ["Ann", "Ed", "Cy", "Di", "Bo", "Flo"]),
        (SIX, {"move": "3"}, SIX),  # the first of two taps
        (SIX, {"move": "3", "held": "1"}, ["Cy", "Bo", "Ann", "Di", "Ed", "Flo"]),
        (SIX, {"move": "3", "held": "3"}, SIX),
        (["Ann", "Bo", "", "", "", ""], {"move": "5", "held": "1"}, ["", "Bo", "", "", "Ann", ""]),
        (SIX, {"remove": "6"}, ["Ann", "Bo", "Cy", "Di", "Ed", ""]),
        (SIX, {"remove": "9"}, SIX),
        (SIX, {"move": "²", "held": "77"}, SIX),
        (SIX, {"tapped": ["pick:Bo", "pick:Cy"], "pick": "Cy"}, ["Ann", "", "", "Di", "Ed", "Flo"]),
        (SIX, {"tapped": ["move:3", "pick:Gil", "more", "x:1"], "do": "show"}, ["Ann", "Bo", "Gil", "Di", "Ed", "Flo"]),
    ],
)
def test_a_tap_changes_the_seats(site: Site, before: list[str], fields: dict[str, Any], after: list[str]) -> None:
    page = tap(site, before, **fields)
    assert page.status_code == 200
    assert names(page) == after


def test_two_taps_swap_and_the_deal_goes_with_its_dealer(club: Site) -> None:
    held = tap(club, SIX, move="1", dealer="1")
    assert 'name="held" value="1"' in held.text
    assert "Ann: tap another seat to swap, or a name to take this seat." in held.text
    assert re.search(r'id="seat-1"\s+aria-pressed="true"', held.text)
    page = tap(club, SIX, move="4", held="1", dealer="1")
    assert "dealer-is-4" in checked(page)
    assert "<b>Ann deals first.</b>" in page.text


def test_a_shuffle_seats_the_same_people_and_keeps_the_dealer(club: Site) -> None:
    seen = Counter[str]()
    for _ in range(20):
        page = tap(club, SIX, shuffle="1", dealer="5")
        assert sorted(names(page)) == SIX
        assert "<b>Ed deals first.</b>" in page.text
        seen[" ".join(names(page))] += 1
    assert len(seen) > 1  # by chance the same of 720 orders comes 20 times practically never
    page = tap(club, ["", "Ann", "", "Bo", "", ""], shuffle="1")
    assert [bool(name) for name in names(page)] == [False, True, False, True, False, False]


def test_the_page_says_what_to_do_next(site: Site) -> None:
    assert "Type a name in every seat." in site.client.get(f"{site.club}games/new?rules=classic").text
    site.start_game("classic")
    assert "Tap two seats to swap them." in site.client.get(f"{site.club}games/new").text
    one = tap(site, ["Ann", "", "", "", "", ""], do="show")
    assert "Tap a name, or type a new one in a seat." in one.text
    assert "<b>5 seats need a name.</b>" in one.text  # not yet who deals first
    assert "All seats are taken. Tap a seat first, then the name that takes it." in tap(site, SIX, pick="Gil").text


def test_names_wait_for_a_larger_table(club: Site) -> None:
    """Six, then four, then six players: Ed and Flo return; players seated meanwhile are not doubled."""
    four = tap(club, SIX, rules="classic", players="4", do="show")
    assert names(four) == SIX
    assert 'id="seat-4"' in four.text
    assert 'id="seat-5"' not in four.text
    picked = tap(club, ["Ann", "Bo", "Cy", "", "Ed", "Flo"], rules="classic", players="4", pick="Ed")
    assert names(picked) == ["Ann", "Bo", "Cy", "Ed", "Flo"]
    assert 'name="name-6" value="Flo"' in picked.text


def test_the_latest_players_come_first_and_guests_are_marked(club: Site) -> None:
    club.start_game("classic", **{"name-1": "Zoe", "name-2": "Gil", "name-3": "Hal", "name-4": "Ann"})
    with club.client.application.app_context():
        players = {player.name: player for player in db.session.scalars(select(Player))}
        player_service.set_guest(players["Hal"], True)
        player_service.set_retired(players["Bo"], True)
    page = club.client.get(f"{club.club}games/new")
    assert list(chips(page)) == ["Ann", "Gil", "Hal", "Zoe", "Cy", "Di", "Ed", "Flo"]
    assert [name for name, sits in chips(page).items() if sits] == ["Ann", "Gil", "Hal", "Zoe"]
    assert re.findall(r'<option value="([^"]*)"', page.text) == ["Cy", "Di", "Ed", "Flo"]  # while a name is typed
    assert page.text.count("<small>guest</small>") == 1


def test_sixty_known_players_are_a_tap_and_a_search_away(club: Site) -> None:
    add_players(club, 60)
    page = club.client.get(f"{club.club}games/new")
    assert len(chips(page)) == 12
    assert ">54 more</button>" in page.text
    every = tap(club, SIX, do="more")
    assert len(chips(every)) == 66
    found = tap(club, SIX, more="1", find="PLAYER 4", do="show")
    assert list(chips(found)) == ["Player 4", *(f"Player 4{digit}" for digit in range(10))]
    assert "No known player has that name." in tap(club, SIX, find="nobody", do="show").text
    assert names(found) == SIX


def test_a_page_costs_the_same_for_any_number_of_players(club: Site) -> None:
    with counted_queries(club.client.application) as few:
        club.client.get(f"{club.club}games/new")
    add_players(club, 600)
    with counted_queries(club.client.application) as many:
        page = tap(club, SIX, more="1", do="show")
    assert len(chips(page)) == 120
    assert len(many) <= len(few)


def add_players(club: Site, count: int) -> None:
    with club.client.application.app_context(), db_write() as session:
        home = session.scalars(select(Club)).one()
        session.add_all(Player(club=home, name=f"Player {number}") for number in range(count))


def test_a_refused_name_can_be_typed_again(club: Site) -> None:
    long = "x" * (NAME_LENGTH + 1)
    page = tap(club, ["Ann", "", "ann", long, "Ed", "Flo"], do="start")
    assert page.status_code == 422
    assert "<b>Seat 2 needs a name.</b>" in page.text
    assert complaints(page) == [
        "Two players are called ann. Change one of the names.",
        "That name is too long. Use at most 80 letters.",
    ]
    assert names(page) == ["Ann", "", "ann", long, "Ed", "Flo"]
    typed = re.findall(r'type="text" name="name-(\d)"', page.text)
    assert typed == ["2", "3", "4"]
    assert re.search(r'id="name-2"[^>]* autofocus', page.text)


@pytest.mark.parametrize(
    ("players", "direction", "places"),
    [
        (2, "left", ["left row-1", "right row-1"]),
        (3, "left", ["top", "right row-2", "left row-2"]),
        (4, "left", ["left row-1", "right row-1", "right row-2", "left row-2"]),
        (5, "left", ["top", "right row-2", "right row-3", "left row-3", "left row-2"]),
        (6, "left", ["left row-1", "right row-1", "right row-2", "right row-3", "left row-3", "left row-2"]),
        (3, "right", ["top", "left row-2", "right row-2"]),
        (4, "right", ["right row-1", "left row-1", "left row-2", "right row-2"]),
    ],
)
def test_the_seats_go_clockwise_around_the_table_unless_the_game_goes_to_the_right(players, direction, places) -> None:
    assert [place_at_table(seat, players, direction) for seat in range(1, players + 1)] == places


@pytest.mark.parametrize("rules", ["west-michigan-5", "california-pedro"])
def test_the_seats_are_drawn_alike_where_a_game_is_set_up_on_its_score_sheet_and_in_its_rules(site, rules) -> None:
    site.start_game(rules)
    places = r'<li class="(?:seat-tile )?((?:top|left|right)(?: row-\d)?)[ "]'
    pages = [f"{site.club}games/new", site.game, f"{site.game}rules"]
    new, sheet, in_rules = [re.findall(places, site.client.get(page).text) for page in pages]
    assert new == sheet == in_rules
    assert new[:2] == (["top", "right row-2"] if rules == "west-michigan-5" else ["right row-1", "left row-1"])


@pytest.mark.parametrize(
    ("gone", "seats", "said"),
    [
        (["Bo"], ["Ann", "", "Cy", "Di"], "Bo is retired. Fill the empty seat."),
        (["Bo", "Di"], ["Ann", "", "Cy", ""], "Bo and Di are retired. Fill the empty seats."),
    ],
)
def test_who_retired_since_is_left_out_of_the_next_game(table, gone, seats, said) -> None:
    for position in "123":
        table.post_hand(position=position)
    with table.client.application.app_context():
        for player in db.session.scalars(select(Player).where(Player.name.in_(gone))).all():
            player_service.set_retired(player, True)
    answer = table.client.post(f"{table.game}again")
    page = table.client.get(answer.location)
    assert names(page) == seats
    assert said in page.text

"""A game is chosen by the number of players and by names in common use; also without scripts."""

import re
from html import unescape
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.models import Club
from scorekeeper.scoring.rules import catalogue, find_rules, known_as
from scorekeeper.scoring.table import Table
from scorekeeper.services import custom_rules
from tests.web.site import Site, checked

TITLES = ["Setback", "Pitch", "Cinch, Pedro and Pidro", "Smear and schmier", "All Fours"]


def games(page: TestResponse) -> dict[str, str]:
    """Return the description of each game offered, by name."""
    found = re.findall(r'<button class="choice" name="rules"[^>]*><span>([^<]*)(.*?)</span>', page.text, re.DOTALL)
    return {unescape(name).strip(): unescape(" ".join(re.findall("<small>([^<]*)", says))) for name, says in found}


def titles(page: TestResponse) -> list[str]:
    return [unescape(title) for title in re.findall("<h2>([^<]*)</h2>", page.text)]


def choose(site: Site, **fields: Any) -> TestResponse:
    return site.client.post(f"{site.club}games/new", data={"do": "show"} | fields)


def searched(site: Site, search: str, players: str = "4") -> set[str]:
    return set(games(choose(site, players=players, search=search)))


def test_a_new_club_is_asked_how_many_play_first(site: Site) -> None:
    page = site.client.get(f"{site.club}games/new")
    assert games(page) == {}
    assert not checked(page)
    for players in (2, 5, 6, 7):
        page = choose(site, players=str(players))
        assert f"players-is-{players}" in checked(page)
        assert set(games(page)) == {rules.name for rules in catalogue() if players in rules.table.players}
    assert titles(choose(site, players="4")) == TITLES


def test_each_game_says_what_it_counts_and_what_sets_it_apart_from_those_that_count_alike(site: Site) -> None:
    """By docs/rules.md: nine-point pitch counts 5 for the 5 of trump, and West Michigan has seven points a hand."""
    said = games(choose(site, players="4"))
    assert said["Five-Point Pitch"] == "High, Low, Jack, Off-Jack, Game: 5 points, to 11"
    assert said["Classic Setback"].startswith("High, Low, Jack, Game: 4 points, to 11 Partners. ")
    assert said["Nine-Point Pitch"] == "High, Low, Jack, Five (counts 5), Game: 9 points, to 31"
    assert said["Nine-Card Pitch"].endswith("6 points, from 21 down to 0")
    for players in "234567":
        each = games(choose(site, players=players))
        assert len(set(each.values())) == len(each), each
    assert "Only trumps are played." in said["Pidro"]
    assert "All suits are played. Each pedro counts 5. Bids from 7." in said["Louisiana Pedro"]


def test_own_rules_are_told_from_the_game_whose_name_they_keep(client: FlaskClient, club: Club) -> None:
    rules = find_rules("five-point").override({"win.lost_in_a_row": 2})
    custom_rules.save(club, "Five-Point Pitch", Table(rules, 4, 2))
    page = client.post(f"/c/{club.key}/games/new", data={"do": "show", "players": "4"}).text
    assert re.findall(r"<small>((?:Our rules. )?Partners. High, Low, both jacks, Game.)", page) == [
        "Our rules. Partners. High, Low, both jacks, Game.",
        "Partners. High, Low, both jacks, Game.",
    ]


def test_games_are_found_by_other_names_by_places_and_for_other_numbers_of_players(site: Site) -> None:
    assert searched(site, "Kansas") == {"Ten-Point Pitch"}
    assert "Ten-Point Pitch" in searched(site, "pitch with the 3")
    assert "Ten-Point Pitch" in searched(site, "10 point pitch")
    smears = {"Minnesota Smear", "Wisconsin Smear", "Wisconsin Four-Point Smear", "Ten-Point Smear", "St Paul Schmier"}
    assert searched(site, "smear", players="5") == {"St Paul Schmier, five players"}
    assert "Ten-Point Smear" in searched(site, "jick") == searched(site, "Jick smear")
    assert "Western Pennsylvania Cinch" in searched(site, "ginny")
    assert searched(site, "SHMEAR") == smears
    assert searched(site, "Catch Five") == {"Catch Five (Pitch with Fives)"}
    assert searched(site, "schmier") == searched(site, "smear") == searched(site, "shmear")
    assert {"Cinch", "California Pedro"} == searched(site, " double  pedro ") == searched(site, "high five")
    assert {"Cinch", "Pidro", "California Pedro", "Pedro Sancho"} <= searched(site, "pedro")
    assert {"Classic Setback", "Partnership Setback"} <= searched(site, "high-low-jack")
    assert "Classic Setback" in searched(site, "setback connecticut")
    assert searched(site, "28 card setback") == {"Double Jack"}
    assert searched(site, "how to play pitch") == searched(site, "pitch rules") == searched(site, "pitch")
    assert searched(site, "dakota") == searched(site, "North Dakota") == {"Ten-Point Smear"}
    assert searched(site, "ten points") == searched(site, "ten point") == searched(site, "10-point")
    for spelling in ("schmear", "shmeer", "Schmeer", "smeer", "schmere"):
        assert searched(site, spelling) == smears
    assert searched(site, "set back") == searched(site, "setback")
    for other in ("bridge", "poker", "hearts", "old maid", "schafkopf"):
        assert searched(site, other) == set(), other
    assert searched(site, "zzz") == set()
    assert searched(site, "widow", players="5") == {"Call-Your-Partner Ten-Point Pitch"}
    assert searched(site, "shoot the moon") == searched(site, "shooting the moon pitch") == {"Ten-Point Pitch"}
    assert searched(site, "sellout") == searched(site, "sell out") == {"Commercial Pitch (Sell Out)"}
    assert "Pitch with smudge" in searched(site, "pitch individual", players="3")
    assert searched(site, "blind pitch", players="2") == {"Blind All Fours"}
    assert searched(site, "all 4s") == {"Trinidad All Fours", "All Fours (Seven Up)", "Blind All Fours"}
    assert searched(site, "63") == searched(site, "sixty three") == {"Sixty-Three"}
    assert searched(site, "pedro 500") == {"King Pedro"}  # of a house rule
    assert searched(site, "10-pt pitch") == searched(site, "10 pts pitch") == searched(site, "10 point pitch")
    assert searched(site, "kansas city 10 point") == {"Ten-Point Pitch"}
    assert searched(site, "setback jokers", players="6") == {"West Michigan Setback, six players"}
    assert "Auction Pitch with a joker" in searched(site, "setback jokers", players="3")
    calling = searched(site, "called partner", players="5")
    assert {"West Michigan Setback, five players", "Call-Your-Partner Ten-Point Pitch"} <= calling
    assert "Classic Setback" not in calling | searched(site, "called partner")
    stuck = searched(site, "dealer stuck")
    assert stuck == searched(site, "stick the dealer") | {"King Pedro", "Sixty-Three"}  # these by a house rule
    assert {"Ten-Point Pitch", "Pidro"} < stuck
    assert "Classic Setback" not in stuck
    assert "No game of that name here." in choose(site, search="zzz").text
    assert "<small>Kansas, Missouri, Nebraska, Colorado</small>" in choose(site, search="kansas").text
    assert "<small>Kansas, Missouri, Nebraska</small>" in choose(site, players="4").text
    assert searched(site, "kansas", players="5") == searched(site, "kansas", players="") == {"Ten-Point Pitch"}
    picked = site.client.post(f"{site.club}games/new", data={"rules": "ten-point", "players": "5", "shown": ""})
    assert "players-is-4" in checked(picked)
    assert "Deal</button>" in picked.text


def test_the_game_of_that_name_or_of_that_many_points_is_before_others_that_have_the_words(site: Site) -> None:
    """Then come games with that as another name, then those that have it in their description."""
    for search, players, first in (
        ("high five", "", "Cinch"),
        ("high five", "5", "Cinch"),  # for four: no game for five has that name
        ("five point", "4", "Five-Point Pitch"),
        ("10 point", "4", "Ten-Point Pitch"),
        ("seven point", "4", "Seven-Point Pitch"),
        ("setback", "3", "Setback for two to six"),
        ("pedro", "4", "Louisiana Pedro"),
        ("upper peninsula smear", "4", "Minnesota Smear"),
    ):
        assert next(iter(games(choose(site, players=players, search=search)))) == first
    assert "<small>For 2, 3 or 4</small>" in choose(site, players="6", search="seven up").text
    assert "Pitch with smudge" in games(choose(site, players="3", search="setback"))
    found = searched(site, "5 point")
    assert {"Double Jack", "Catch Five (Pitch with Fives)"} < found == searched(site, "five points")
    assert "Nine-Point Pitch" not in found
    assert searched(site, "5 point", players="5") == {"Auction Pitch with a joker"}


def test_a_number_of_players_in_the_search_is_chosen(site: Site) -> None:
    page = choose(site, players="4", search="Pitch, 5 players", do="search")
    pitch = {"Pitch with smudge", "Call-Your-Partner Ten-Point Pitch", "Commercial Pitch (Sell Out)"}
    assert pitch < set(games(page))
    assert "players-is-5" in checked(page)
    for before in ("4", ""):  # the next search is for as many as before
        kept = {"players": "6", "players-were": f"{before}/6"}
        six = choose(site, players=before, search="6 players", do="search")
        assert 'name="players-were" value="{players-were}"'.format_map(kept) in six.text
        assert "players-is-6" in checked(choose(site, **kept, search="setback 6 players", do="search"))
        later = choose(site, **kept, search="kansas", do="search")
        assert (checked(later), "players-were" in later.text) == ({f"players-is-{before}"} if before else set(), False)
        tapped = choose(site, **kept | {"players": "5"}, search="kansas", do="search")
        assert checked(tapped) == {"players-is-5"}
    for search in ("five handed pitch", "5-player pitch", "pitch for 5 people"):
        assert set(games(choose(site, search=search, do="search"))) == set(games(page)), search
    for search in ("kansas 4", "Kansas, four"):  # no game has both, so four play it
        only = choose(site, players="6", search=search, do="search")
        assert (set(games(only)), checked(only)) == ({"Ten-Point Pitch"}, {"players-is-4"}), search
    assert "players-is-6" in checked(choose(site, players="6", search="catch 5", do="search"))
    other = choose(site, players="4", search="Pitch, 5 players")  # tapped later
    assert "players-is-4" in checked(other)
    assert "Ten-Point Pitch" in games(other)
    tapped = {"rules": "commercial-pitch", "players": "4", "search": "Pitch, 5 players", "shown": ""}
    assert "players-is-4" in checked(site.client.post(f"{site.club}games/new", data=tapped))
    assert set(games(choose(site, search="Pitch, 5 players"))) == set(games(page))  # Enter
    (start,) = re.findall(r'href="([^"]+)">Make your own rules', other.text)
    begun = site.client.get(unescape(start)).text
    assert "Games for 4 players." in begun
    (form,) = re.findall(r'<form class="find".*?</form>', begun, re.DOTALL)
    fields = dict(re.findall(r'type="(?:hidden|text)"[^>]* name="(\w+)" value="([^"]*)"', form))
    typed = site.client.get(f"{site.club}edit-rules/", query_string=fields | {"search": "5 players"}).text
    assert "Games for 5 players." in typed


def test_rules_to_begin_with_are_searched_as_games_are(site: Site) -> None:
    page = choose(site, players="5", search="shmear").text.partition('id="games"')[2].partition("</div>")[0]
    start = unescape(re.findall(r'href="([^"]+)">Make your own rules', page)[0])
    found = site.client.get(start).text
    assert re.findall(r"edit-rules/([a-z][^\"?]+)", found) == ["st-paul-schmier-5"]
    assert 'name="search" value="shmear"' in found
    assert 'name="players" value="5"' in found
    assert "No game of that name here." in site.client.get(f"{site.club}edit-rules/?search=zzz").text
    assert "edit-rules/ten-point" in site.client.get(f"{site.club}edit-rules/").text


def test_the_rules_say_what_a_game_is_called_elsewhere(client: FlaskClient) -> None:
    """No rule set has the names of the one it is based on."""
    assert "<small>Kansas, Missouri, Nebraska, Colorado</small>" in client.get("/rules/").text
    assert "Kansas" in known_as("ten-point")
    assert "Kansas" not in known_as("eleven-point")


def test_what_was_played_last_comes_first(site: Site) -> None:
    for rules in ("classic", "ten-point", "classic"):
        site.start_game(rules)
    page = choose(site, players="4", rules="classic", do="choose")
    assert titles(page) == ["Played last", *TITLES]
    assert list(games(page))[:2] == ["Classic Setback", "Ten-Point Pitch"]
    assert "Played last" not in titles(choose(site, players="5"))


def test_another_game_is_chosen_and_nothing_typed_is_lost(site: Site) -> None:
    typed = site.setup("west-michigan-6", shown="west-michigan-6/6/2", **{"name-2": 'B "<o'}, dealer="3", target="15")
    page = choose(site, **(typed | {"do": "choose", "house": "bid-less-taken"}))
    kept = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.text))
    expected = {"name-1": "Ann", "name-2": "B &#34;&lt;o", "target": "15", "shown": "west-michigan-6/6/2"}
    assert expected.items() <= kept.items()
    assert "rules" not in kept
    sent = {name: unescape(text) for name, text in kept.items()} | {"players": "6"}
    again = site.client.post(f"{site.club}games/new", data=sent | {"rules": "west-michigan-6"})
    assert {"dealer-is-3", "house-bid-less-taken"} <= checked(again)
    assert 'name="target" value="15"' in again.text
    other = site.client.post(f"{site.club}games/new", data=sent | {"rules": "western-pennsylvania-cinch"})
    assert "house-bid-less-taken" not in checked(other)
    assert 'name="name-2" value="B &#34;&lt;o"' in other.text


def test_a_number_the_game_is_not_for_leads_to_others_and_an_earlier_page_picks_one_by_a_radio(site) -> None:
    shown = site.setup("classic", shown="classic/4/2") | {"do": "show"}
    assert games(choose(site, **shown)) == {}
    page = choose(site, **(shown | {"players": "6"}))
    assert "West Michigan Setback, six players" in games(page)
    assert 'name="name-1" value="Ann"' in page.text
    # A page of an earlier version sends the number of players of the game shown before.
    sent = site.setup("west-michigan-4", shown="shankar/6/2", players="6") | {"do": "show"}
    assert "players-is-4" in checked(choose(site, **sent))


def test_a_link_to_a_game_opens_its_table(site: Site) -> None:
    page = site.client.get(f"{site.club}games/new?rules=west-michigan-5&target=15")
    assert 'name="target" value="15"' in page.text
    assert page.text.count('name="name-') == 5
    assert "Game: 7 points, with a called partner, bids 0 to 7" in page.text  # no target
    assert "House rules" in page.text
    assert "House rules" not in site.client.get(f"{site.club}games/new?rules=classic").text  # it has none

"""Games: started under all rule sets, played again, undone, and as a record."""

import re
from html import unescape
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from scorekeeper.database.session import db
from scorekeeper.models import Game
from scorekeeper.scoring.record import score_record
from scorekeeper.scoring.rules import CATALOGUE, find_rules, variations
from tests.web.site import Site, checked, complaints


def bar(page: TestResponse) -> str:
    """Return the sentence beside the button Deal."""
    found = re.search(r'id="says"[^>]*><b>([^<]*)</b> <span>([^<]*)</span>', page.text)
    assert found
    return unescape(" ".join(found.groups()))


def as_shown(page: TestResponse) -> dict[str, list[str] | str]:
    """Return the fields of the form as sent without scripts and without a button."""
    form = page.text[page.text.index('id="setup"') :]
    fields: dict[str, list[str] | str] = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        attributes = {name: unescape(value) for name, value in re.findall(r'(\w+)="([^"]*)"', tag)}
        if attributes.get("type") not in ("radio", "checkbox"):
            fields[attributes["name"]] = attributes.get("value", "")
        elif tag.endswith(" checked>"):
            earlier = fields.get(attributes["name"], [])
            fields[attributes["name"]] = [*earlier, attributes["value"]]
    return fields


def options_of_latest(site: Site) -> dict[str, Any]:
    """Return the house rules of the latest game."""
    with site.client.application.app_context():
        return db.session.scalars(select(Game.options).order_by(Game.id.desc())).first()


def test_a_game_starts_under_every_rule_set(site: Site) -> None:
    for rules in CATALOGUE:
        response = site.start_game(rules)
        assert response.status_code == 303, rules
        assert site.client.get(response.location).status_code == 200, rules
        record = site.record()
        assert record["rules"] == find_rules(rules).to_dict()
        assert score_record(record).hands == ()


def test_every_rule_set_offers_its_house_rules(site: Site) -> None:
    one_of_them = r'(?:<label class="choice"><input[^>]* type="radio" name="house-.*?</label>\s*)+'
    for rules in CATALOGUE:
        page = site.client.post(f"{site.club}games/new", data={"rules": rules, "do": "show"}).text
        for variation in variations(rules):
            asked_elsewhere = variation.options.keys() <= {"table.teams", "win.target"}
            if not asked_elsewhere and "table.players" not in variation.options:
                assert f'id="house-{variation.key}"' in page, rules
                assert variation.sentence in unescape(page), rules
        for group in re.findall(one_of_them, page):
            last = "Neither of these" if group.count("<input") == 3 else "None of these"
            assert re.findall("<span>([^<]*)", group)[-1] == last, rules


@pytest.mark.parametrize(
    ("rules", "fields", "option", "value"),
    [
        ("west-michigan-6", {"house": "bid-less-taken"}, ("settle", "set"), "bid-less-taken"),
        ("west-michigan-6", {"house": ["bid-less-taken", "forced-dealer"]}, ("auction", "all_pass"), "dealer-forced"),
        ("partnership", {"house-dealer-outbids": "no-stolen-smudge"}, ("auction", "dealer"), "match-not-special"),
        ("shankar", {"players": "5", "house": "seat-partner"}, ("table", "sides"), "seat-partner"),
        ("classic", {"target": "15"}, ("win", "target"), 15),
    ],
)
def test_house_rules_and_target_change_the_games_own_rules(site, rules, fields, option, value) -> None:
    assert site.start_game(rules, **fields).status_code == 303
    assert site.record()["rules"][option[0]][option[1]] == value


def test_house_rules_stay_with_the_game_they_were_chosen_for(site: Site) -> None:
    """Chosen under West Michigan for six players, sent without scripts; then another game or number is chosen."""
    house = {"house": ["bid-less-taken", "forced-dealer"], "shown": "west-michigan-6/6/2"}
    eight = {"house": ["eight-cards"], "shown": "shankar/4/2", "players": "6"}
    for rules, fields in (("classic", house), ("west-michigan-4", house), ("partnership", house), ("shankar", eight)):
        page = site.client.post(f"{site.club}games/new", data=site.setup(rules, **fields))
        assert page.status_code == 200  # shows the other game first
        deals = "Flo" if fields is eight else "Di"
        assert bar(page) == f"{deals} deals first. {find_rules(rules).name}, first to {find_rules(rules).win.target}"
        assert not {f"house-{name}" for name in fields["house"]} & checked(page)
        assert site.client.post(f"{site.club}games/new", data=as_shown(page) | {"do": "start"}).status_code == 303
        assert options_of_latest(site) == {}


def test_the_bar_says_the_house_rules_in_force(site: Site) -> None:
    fields = site.setup("west-michigan-6", house=["bid-less-taken", "forced-dealer"], target="15", do="show")
    page = site.client.post(f"{site.club}games/new", data=fields)
    assert bar(page) == (
        "Flo deals first. West Michigan Setback, six players, first to 15, with: "
        "If everybody passes, the dealer must bid at least 2; When set, points taken reduce the loss"
    )
    assert ", bids 0 to 7, a forced dealer at least 2<" in page.text
    five = site.client.get(f"{site.club}games/new?players=5&rules=west-michigan-5")
    assert "7 points, with a called partner, bids 0 to 7</small>" in five.text


def test_a_house_rule_brings_its_points_and_its_target_unless_another_is_typed(site: Site) -> None:
    """Double King: 1 + 25 + 25 + 1 + 1 + 9 + 9 + 5 + 5 + 1 + 18 = 100 points, to 500."""
    fields = site.setup("king-pedro", target="200", do="show") | {"target-was": "200", "house-ukrainian": "double-king"}
    page = site.client.post(f"{site.club}games/new", data=fields)
    assert "Snoozer (counts 18): 100 points, bids 1 to 100</small>" in page.text
    assert bar(page).startswith("Di deals first. King Pedro, first to 500, with: Double King Pede")
    shown = as_shown(page) | {"do": "start"}
    assert shown["target"] == "500"
    for typed, target in (("500", 500), ("200", 200)):
        site.client.post(f"{site.club}games/new", data=shown | {"target": typed, "token": typed})
        assert options_of_latest(site)["win.target"] == target
    again = site.client.get(f"{site.club}games/new")
    assert as_shown(again)["target"] == "200"
    assert "house-double-king" in checked(again)
    plain = site.client.post(f"{site.club}games/new", data=shown | {"do": "show", "house-ukrainian": ""})
    assert as_shown(plain)["target"] == "200"


def test_house_rules_are_grouped_under_titles_and_a_gift_to_the_beggar_only_is_not_offered_to_two(site: Site) -> None:
    """Partnership: stealing is bidding, drawn cards are cards, a made bid's score is scoring, eleven is winning."""
    page = site.client.post(f"{site.club}games/new", data={"rules": "partnership", "do": "show"})
    titles = re.findall(r'<fieldset class="group"><legend>([^<]*)</legend>', page.text)
    assert titles == ["Bidding", "Cards", "Scoring", "Winning"]
    for players, offered in (("2", False), ("3", True)):
        page = site.client.post(f"{site.club}games/new", data={"rules": "all-fours", "players": players, "do": "show"})
        assert ('id="house-gift-to-beggar"' in page.text) == offered


def test_a_refused_form_keeps_every_choice_and_says_a_missing_name_once_beside_deal(site: Site) -> None:
    fields = {"name-2": "", "dealer": "3", "target": "15", "house": "bid-less-taken", "name-4": "Zoe"}
    page = site.client.post(f"{site.club}games/new", data=site.setup("west-michigan-6", **fields))
    assert page.status_code == 422
    assert {"dealer-is-3", "house-bid-less-taken", "players-is-6"} <= checked(page)
    assert 'name="rules" value="west-michigan-6"' in page.text
    kept = as_shown(page)
    assert [kept[f"name-{seat}"] for seat in range(1, 7)] == ["Ann", "", "Cy", "Zoe", "Ed", "Flo"]
    assert kept["target"] == "15"
    shown = site.client.post(f"{site.club}games/new", data=kept | {"name-2": "Bo", "dealer": "4", "do": "show"})
    assert bar(shown).startswith("Zoe deals first.")
    page = site.client.post(f"{site.club}games/new", data=site.setup("classic", **{"name-2": " ", "name-4": ""})).text
    assert page.count("Seat 2 needs a name.") == 1
    assert "<b>Seat 2 needs a name.</b>" in page
    assert len(re.findall(r'id="name-[24]"[^>]* aria-invalid="true" aria-describedby="says"', page)) == 2
    assert "Seat 4 needs" not in page


def test_choosing_other_rules_shows_them_and_their_target(site: Site) -> None:
    fields = site.setup("classic", shown="west-michigan-6/6/2", target="21", players="6", teams="2")
    page = site.client.post(f"{site.club}games/new", data=fields)
    assert page.status_code == 200  # the game was not on the page, so it is shown first
    assert 'name="rules" value="classic"' in page.text
    assert re.search(r'id="target"[^>]* value="11"', page.text)
    assert 'id="seat-4"' in page.text
    assert 'id="seat-5"' not in page.text
    assert 'value="Ann"' in page.text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name-2": "ANN"}, "Two players are called ANN. Change one of the names."),
        ({"name-2": "Ed K.", "name-3": "ed k."}, "Two players are called ed k. Change one of the names."),
        ({"name-3": "x" * 81}, "That name is too long. Use at most 80 letters."),
        ({"target": "0"}, "Enter a target from 1 to 999."),
        ({"target": "eleven"}, "Enter a target from 1 to 999."),
        ({"target": "9" * 5000}, "Enter a target from 1 to 999."),
        ({"target": "²"}, "Enter a target from 1 to 999."),
        ({"dealer": "5"}, "Choose who deals first."),
        ({"rules": "bridge"}, "Choose one of these games."),
        ({"players": "7"}, "This game is not for that many players. Choose another number."),
        ({"teams": "4"}, "That many players cannot make those teams. Choose other teams."),
    ],
)
def test_a_wrong_start_is_said_beside_the_field(site: Site, fields: dict[str, str], sentence: str) -> None:
    response = site.client.post(f"{site.club}games/new", data=site.setup("classic") | fields)
    assert response.status_code == 422
    assert sentence in complaints(response)
    assert 'value="Ann"' in response.text
    for name, typed in fields.items():
        if name.startswith(("name-", "target")):
            assert f'value="{typed}"' in response.text


def test_the_next_game_is_offered_as_the_last_one_was(site: Site) -> None:
    site.start_game("west-michigan-6", house=["bid-less-taken", "forced-dealer"], target="15")
    page = site.client.get(f"{site.club}games/new")
    assert {"players-is-6", "house-bid-less-taken", "house-forced-dealer", "dealer-is-6"} <= checked(page)
    assert 'name="rules" value="west-michigan-6"' in page.text
    assert 'value="Flo"' in page.text
    assert 'value="15"' in page.text


def test_the_second_game_takes_one_tap_and_the_deal_moves_on(table: Site) -> None:
    table.post_hand(bid="2")  # dealt by Di, in seat 4; four points
    assert "deals next" in table.client.get(table.game).text
    table.post_hand(bid="2", position="2")
    table.post_hand(bid="2", position="3")  # 12 points: won
    sheet = table.client.get(table.game)
    assert "Ann and Cy win, 12 to 0" in sheet.text
    assert "deals next" not in sheet.text
    response = table.client.post(f"{table.game}again")
    assert response.status_code == 303
    assert table.client.post(f"{table.game}again").location == response.location  # a double tap
    page = table.client.get(response.location)
    assert "Cy deals" in page.text
    assert "dealer-is-3" in checked(page)


def test_a_game_that_is_over_leads_to_the_one_that_its_players_began_otherwise(table: Site) -> None:
    for position in "123":
        table.post_hand(position=position)
    over = table.game
    table.start_game(**{"name-1": "Ed", "dealer": "1"})
    page = table.client.get(over).text
    assert f'href="{table.game}"' in page
    assert "Play again" not in page
    assert table.client.post(f"{over}again").location == f"{table.game}hands/new"
    table.step("state", state="abandoned")
    assert table.client.post(f"{over}again").location == f"{over.replace('games/1/', 'games/3/')}hands/new"


def test_the_club_page_goes_on_with_what_is_running_though_another_game_was_begun_and_finished(table: Site) -> None:
    assert "Resume game 1" in table.client.get(table.club).text
    first = table.game
    table.start_game(**{"name-1": "Ed"})
    for position in "123":
        table.post_hand(position=position)
    page = table.client.get(table.club).text
    assert re.search(r'class="button main wide" href="[^"]+">Resume game 1<', page)
    assert re.search(r'class="button wide"[^>]*>Play again<', page)
    table.game = first
    for position in "123":
        table.post_hand(position=position)
    page = table.client.get(table.club).text
    assert "Resume game" not in page
    assert ">Play again</button>" in page
    assert "Ann and Cy win" in page


def test_the_rule_book_tells_every_rule_set_and_what_its_house_rules_do_with_an_example(site: Site) -> None:
    """Without their sources."""
    for rules in CATALOGUE:
        page = unescape(site.client.get(f"/rules/{rules}").text)
        assert find_rules(rules).summary in page, rules
        for variation in variations(rules):
            assert variation.label in page, rules
            assert variation.source not in page.partition("House rules")[2] or variation.source.isdecimal(), rules
    assert "Bid 5, took 3: lose 2." in site.client.get("/rules/west-michigan-6").text


def way_and_corners(page: str) -> tuple[str, list[str]]:
    """Return the direction of play on the page of a new game, and the places of the first four seats."""
    corners = re.findall(r'<li class="seat-tile (left|right) row-(1|2)', page)
    return re.search(r"<legend>Players, (\w+)</legend>", page)[1], [side + row for side, row in corners]


@pytest.mark.parametrize("rules", ["trinidad-all-fours", "california-pedro"])
def test_a_game_that_goes_to_the_right_has_its_seats_that_way(site: Site, rules: str) -> None:
    to_the_right = ("counterclockwise", ["right1", "left1", "left2", "right2"])
    shown = site.client.post(f"{site.club}games/new", data={"rules": rules, "players": "4", "do": "show"}).text
    assert way_and_corners(shown) == to_the_right
    site.start_game(rules)
    sheet = site.client.get(site.game).text
    assert '<ul class="sheet seating way counterclockwise">' in sheet
    assert re.search(r'<span class="soft">First to \d+</span>', sheet)  # the rules are named further down
    assert "Players, counterclockwise: Ann, Bo, Cy, Di." in site.client.get(f"{site.game}record").text
    assert "Seats, counterclockwise" in site.client.get(f"{site.game}rules").text
    assert way_and_corners(site.client.get(f"{site.club}games/new").text) == to_the_right  # like the previous game


def test_a_house_rule_turns_the_seats_round(site: Site) -> None:
    data = {"rules": "california-pedro", "players": "4", "do": "show", "house": "goes-left"}
    page = site.client.post(f"{site.club}games/new", data=data).text
    assert way_and_corners(page) == ("clockwise", ["left1", "right1", "right2", "left2"])
    assert 'class="reshapes" type="checkbox" name="house" value="goes-left"' in page  # a tap draws the seats again
    site.start_game("california-pedro", house=["goes-left"])
    assert "Players, clockwise: Ann, Bo, Cy, Di." in site.client.get(f"{site.game}record").text

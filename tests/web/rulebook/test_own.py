"""Pages of a club's own rules: saved from a game, chosen for the next one, shared with another club."""

import json
import re
import secrets
import zlib
from base64 import urlsafe_b64encode
from html import unescape

from flask import Flask
from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import SCORE, WATCH, Club
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services.club_log import OWN_RULES
from scorekeeper.services.custom_rules import OwnRules
from scorekeeper.web.common.club_changes import SENTENCES
from scorekeeper.web.rulebook.own import decode_rules, encode_rules
from tests.web.phones import let_in, phone
from tests.web.site import Site


def saved(site: Site, name: str = "Tuesday rules") -> str:
    """Save the rules of the game; return the URL of their page."""
    answer = site.client.post(f"{site.game}rules", data={"name": name})
    assert answer.status_code == 303
    page = site.client.get(answer.location).text
    assert f"Saved {name}." in unescape(page)
    return re.findall(rf'href="({site.club}rules/[^"]+)"', page)[-1]


def with_a_game(site: Site) -> None:
    site.start_game("west-michigan-4", house=["bid-less-taken"], target="15")


def test_rules_saved_from_a_game_are_one_tap_at_the_next(site: Site) -> None:
    with_a_game(site)
    page = site.client.get(saved(site)).text
    assert "Lose the bid, minus what you took." in unescape(page)
    new = unescape(re.findall(r'class="button main wide" href="([^"]+)"', page)[0])
    offered = site.client.post(f"{site.club}games/new", data={"players": "4", "do": "choose"}).text
    titles = re.findall("<h2>([^<]*)</h2>", offered)
    assert titles[:3] == ["Played last", "Our rules", "Setback"]
    assert "Left Joker, Game: 7 points, to 15</small>" in offered  # instead of 21
    form = site.client.get(new)
    assert 'name="target" value="15"' in form.text
    chosen = re.findall(r'name="rules" value="(own-[^"]+)"', form.text)
    assert len(chosen) == 1
    site.start_game(chosen[0], target="15")
    assert site.record()["rules"]["settle"]["set"] == "bid-less-taken"
    assert "Tuesday rules, first to 15" in unescape(site.client.get(site.game).text)


def test_rules_as_played_are_told_apart_by_their_house_rules(site: Site) -> None:
    with_a_game(site)
    site.start_game("west-michigan-4", target="15")
    for path, plain in (("rules/", "Game 2, first to 15</small>"), ("edit-rules/", "first to 15</small>")):
        page = re.sub(r"\s+", " ", site.client.get(site.club + path).text)
        assert plain in page
        assert "first to 15. When set, points taken reduce the loss</small>" in page


def test_rules_that_are_saved_are_not_offered_to_be_saved(site: Site) -> None:
    with_a_game(site)
    page = site.client.get(f"{site.game}rules").text
    assert "Save these rules" in page
    assert "A game keeps the rules it started with." in page
    own = f"own-{saved(site).rpartition('/')[2]}"
    page = site.client.get(f"{site.game}rules").text  # the page of the game that they were saved from
    assert "Saved as Tuesday rules" in page
    assert "Save these rules" not in page
    assert 'name="name" value="Tuesday rules"' in page
    site.start_game(own, target="15")
    assert "Saved as Tuesday rules" in site.client.get(f"{site.game}rules").text
    site.start_game(own, target="20")
    assert "Save these rules" in site.client.get(f"{site.game}rules").text


def test_rules_that_cannot_be_played_any_more_are_named_and_can_be_deleted(site: Site, app: Flask) -> None:
    with_a_game(site)
    saved(site)
    with app.app_context():
        club = db.session.scalars(select(Club)).one()
        with db_write(club):
            (own,) = club.own_rules
            club.own_rules = [own | {"uid": "a/b", "rules": own["rules"] | {"points": []}}]
    assert site.client.get(f"{site.club}games/new").status_code == 200
    page = unescape(site.client.get(f"{site.club}rules/").text)
    assert "These rules can no longer be played. Points: choose at least one." in page
    (address,) = re.findall(r'action="([^"]+/delete)"', page)
    answer = site.client.post(address, follow_redirects=True)
    assert "Deleted Tuesday rules. You can take it back under Changes." in unescape(answer.text)
    assert "No rules saved yet." in answer.text


def test_the_log_says_what_became_of_saved_rules() -> None:
    say, rules = SENTENCES[OWN_RULES], {"name": "Tuesday rules"}
    assert say({}, rules) == "“Tuesday rules” was saved in Our rules"
    assert say(rules, rules) == "“Tuesday rules” was changed in Our rules"
    assert say(rules, {}) == "“Tuesday rules” was deleted from Our rules"


def test_a_game_keeps_its_rules_when_they_are_changed_and_deleted(site: Site) -> None:
    with_a_game(site)
    address = saved(site)
    own = f"own-{address.rpartition('/')[2]}"
    site.start_game(own, target="15")
    mine = site.game
    site.start_game("classic")
    saved(site)
    answer = site.client.post(f"{address}/delete", follow_redirects=True)
    assert "No rules saved yet." in answer.text
    site.game = mine
    assert site.record()["rules"]["win"]["target"] == 15
    assert site.client.get(f"{site.club}games/new").status_code == 200
    assert site.client.get(f"{site.club}games/new?rules={own}").status_code == 200


def test_rules_typed_from_those_of_a_game_outlast_the_game(site: Site) -> None:
    """Another phone deletes the game while its rules are edited: what was typed stays on the page."""
    with_a_game(site)
    editor = f"{site.club}edit-rules/game-1"
    site.client.post(f"{site.game}edit/delete")
    page = site.client.post(editor, data={"name": "Saturday rules", "do": "preview"})
    assert (page.status_code, 'value="Saturday rules"' in page.text) == (200, True)
    assert site.client.get(editor).status_code == 410


def test_deleted_rules_are_taken_back_where_saved_ones_are_undone(site: Site) -> None:
    with_a_game(site)
    address = saved(site)

    def buttons() -> list[tuple[str, str]]:
        """Return URL and text of each button under Changes."""
        page = site.client.get(f"{site.club}changes").text
        return re.findall(r'action="([^"]+/undo)"[^>]*>.*?<button[^>]*>\s*([^<]+?)\s*<', page, re.DOTALL)

    assert [said for _, said in buttons()] == ["Undo"]
    site.client.post(f"{address}/delete", follow_redirects=True)
    assert [said for _, said in buttons()] == ["Take back"]
    site.client.post(buttons()[0][0])
    assert "Tuesday rules" in site.client.get(address).text
    assert "Taken back." in site.client.get(f"{site.club}changes").text


def test_rules_go_to_another_club_by_their_link_also_those_too_long_for_a_code(site: Site) -> None:
    with_a_game(site)
    page = site.client.get(saved(site)).text
    assert "<svg" in page
    link = unescape(re.findall(r'href="(http[^"]+/rules/shared[^"]+)"', page)[0])
    site.start_club("The other table")
    let_in(site.client, site.club, WATCH)  # a manager may also hold a link to watch
    shown = site.client.get(link).text
    assert "Keep in The other table" in shown
    letters = re.findall(r'name="r" value="([^"]+)"', shown)[0]
    answer = site.client.post(f"{site.club}rules/", data={"r": letters}, follow_redirects=True)
    assert "Tuesday rules" in answer.text
    answer = site.client.post(f"{site.club}rules/", data={"r": "x"}, follow_redirects=True)
    assert "That link has no rules in it." in answer.text
    keys = [secrets.token_hex(40) for _ in range(40)]  # the maximum length of house rules
    points = [{"key": key, "card": "highest"} for key in keys]
    own = OwnRules("long", "Long", 1, find_rules("classic").override({"points": points}), 4, 2)
    page = site.client.post(f"{site.club}rules/", data={"r": encode_rules(own)}, follow_redirects=True).text
    page = site.client.get(re.findall(rf'href="({site.club}rules/[^"]+)"', page)[-1]).text
    assert "/rules/shared?r=" in page
    assert 'role="img" aria-label="QR code' not in page


def test_rules_with_text_that_no_page_can_show_are_not_saved(site: Site) -> None:
    """A lone surrogate, half of a character: saved, it broke their page and the export of the club."""
    rules = find_rules("classic")._replace(summary="Half a card: \ud83c")
    text = json.dumps(OwnRules("uid", "Broken", 1, rules, 4, 2).to_dict())
    letters = urlsafe_b64encode(zlib.compress(text.encode())).decode()
    assert site.client.get(f"/rules/shared?r={letters}").status_code == 404
    page = site.client.post(f"{site.club}rules/", data={"r": letters}, follow_redirects=True)
    assert "That link has no rules in it." in page.text
    assert "Broken" not in page.text
    assert site.client.get(f"{site.club}transfers/club.jsonl").status_code == 200


def test_the_file_is_a_rule_set(site: Site) -> None:
    with_a_game(site)
    answer = site.client.post(f"{site.game}rules", data={"name": " "}, follow_redirects=True)
    assert "Enter a name of at most 80 letters." in answer.text
    data = site.client.get(f"{saved(site)}/file").get_json()
    assert (data["name"], data["win"]["target"]) == ("Tuesday rules", 15)


def test_only_a_manager_is_offered_to_save_and_delete(site: Site) -> None:
    with_a_game(site)
    address = saved(site)
    for role in (WATCH, SCORE):
        other = phone(site.client.application, site.club, role)
        assert "Save these rules" not in other.get(f"{site.game}rules").text
        page = other.get(address).text
        assert "Delete these rules" not in page
        assert ("New game with these rules" in page) == (role == SCORE)
        assert other.post(f"{address}/delete").status_code == 403


def names_in(page: str) -> list[str]:
    """Return the names in the seats of a new game, clockwise."""
    return re.findall(r'name="name-\d+"[^>]* value="([^"]*)"', page)


def test_rules_can_seat_the_same_people(site: Site) -> None:
    with_a_game(site)
    site.client.post(f"{site.game}rules", data={"name": "Tuesday rules", "seats": "1"})
    own = re.findall(rf'href="{site.club}rules/([^"]+)"', site.client.get(f"{site.club}rules/").text)[-1]
    site.start_game("classic", **{"name-1": "Gil", "name-2": "Hal", "name-3": "Ivy", "name-4": "Joe"})
    page = site.client.get(f"{site.club}games/new?rules=own-{own}").text
    assert names_in(page) == ["Ann", "Bo", "Cy", "Di"]
    form = site.setup(f"own-{own}", shown="classic/4/2", do="show", **{"name-1": "Gil"})  # chosen in the list
    page = site.client.post(f"{site.club}games/new", data=form).text
    assert names_in(page) == ["Ann", "Bo", "Cy", "Di"]
    form = site.setup(f"own-{own}", shown=f"own-{own}/4/2", do="show", **{"name-1": "Gil"})  # with a new player
    assert names_in(site.client.post(f"{site.club}games/new", data=form).text) == ["Gil", "Bo", "Cy", "Di"]
    players = site.client.get(f"{site.club}players/").text
    bo = next(one for one in re.findall(rf"{site.club}players/\d+", players) if "Bo</h1>" in site.client.get(one).text)
    site.client.post(f"{bo}/name", data={"name": "Bob"})
    page = site.client.get(f"{site.club}games/new?rules=own-{own}").text
    assert names_in(page)[1] == "Bob"
    page = site.client.get(f"{site.club}rules/{own}").text
    shared = unescape(re.findall(r'href="(http[^"]+/rules/shared[^"]+)"', page)[0])
    given = decode_rules(shared.partition("r=")[2])
    assert given is not None
    assert given.seats == ()  # shared rules contain no names

"""Hands: entry, preview, errors beside fields, correction, removal; on two phones, and sent twice."""

import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from scorekeeper.database.session import db
from scorekeeper.models import Change, Club, Game, Hand
from scorekeeper.scoring.game import score_game
from scorekeeper.scoring.hand import score_hand
from scorekeeper.scoring.record import read_game, read_hand
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services.hands import Saved
from scorekeeper.undo import deletion
from scorekeeper.web.hand_entry import views
from scorekeeper.web.hand_entry.draft import Draft
from scorekeeper.web.hand_entry.editor import Editor, passed_out
from scorekeeper.web.rulebook.forms import RuleForm
from tests.classic import start_game
from tests.web.site import Site, checked, complaints, fields_of, says


def test_a_hand_is_saved_the_next_is_open_and_its_preview_says_what_saving_would_do(table: Site) -> None:
    response = table.post_hand()
    assert response.status_code == 303
    assert response.location == f"{table.game}hands/new"
    page = table.client.get(response.location)
    assert ">Hand 2</h1>" in page.text
    assert "Ann deals" in page.text
    assert table.totals() == [4, 0]
    assert "data-saved" in page.text  # so that the phone vibrates once
    assert "data-saved" not in table.client.get(response.location).text
    response = table.preview(position="2", bidder="2", bid="4", **{"point-low": "A"})
    assert response.status_code == 200
    assert says(response) == "Bo bid 4, took 3: set, −4. Ann and Cy +1. Ann and Cy lead 5 to −4."
    assert response.text.lstrip().startswith("<form")  # only the form
    assert table.totals() == [4, 0]


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("bidder", "Who bid? Tap a name."),
        ("bid", "How much was bid? Tap a number."),
        ("trump", "What was trump? Tap a suit."),
    ],
)
def test_what_is_missing_is_asked_for(table: Site, missing: str, sentence: str) -> None:
    previewed = table.preview(**{missing: None})
    assert previewed.status_code == 200
    assert says(previewed) == sentence
    assert complaints(previewed) == []
    refused = table.post_hand(**{missing: None, "point-low": "B"})
    assert refused.status_code == 422
    assert complaints(refused) == [sentence]
    assert "point-low-is-B" in checked(refused)
    assert table.totals() == [0, 0]


@pytest.mark.parametrize(
    ("rules", "fields", "sentence"),
    [
        ("west-michigan-5", {"called": "AS", "partner": "1"},
         "A bidder who has the called card plays alone. Tap “nobody else”."),
        ("west-michigan-5", {"called": "AS", "partner": "2", "buried": ["AS"]},
         "The called card is buried. Tap “nobody else”."),
        ("west-michigan-6", {"buried": ["9C", "8C", "7C"]}, "Only 2 cards can be buried. You tapped 3."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_what_was_tapped(site, rules, fields, sentence) -> None:
    site.start_game(rules)
    response = site.post_hand(**fields)
    assert (response.status_code, complaints(response)) == (422, [sentence])
    assert {f"buried-is-{card}" for card in fields.get("buried", ())} <= checked(response)
    missing = len(complaints(site.post_hand(bidder=None, bid=None, trump=None)))  # all of it is asked for at once
    assert missing == (4 if rules == "west-michigan-5" else 3)


def test_everybody_passes_unless_the_dealer_may_not(table: Site) -> None:
    """Seed 004: "the deal moves clockwise"."""
    response = table.post_hand(do="passed", bidder=None, bid=None, trump=None)
    assert response.status_code == 303
    assert "Hand 1 saved. All passed. Ann deals next." in table.client.get(response.location).text
    assert table.record()["hands"] == [{"dealer": 4, "bids": [{"seat": seat, "bid": "pass"} for seat in (1, 2, 3, 4)]}]
    table.start_game("shankar")
    assert "All passed" not in table.client.get(f"{table.game}hands/new").text
    response = table.post_hand(do="passed")
    assert response.status_code == 422
    assert table.record()["hands"] == []


def test_everybody_passed_where_the_seller_speaks_last() -> None:
    rules = find_rules("classic").override({"auction.seller": "eldest", "auction.dealer": "outbid"})
    facts = passed_out(Draft(Table(rules), 4))
    assert [call["seat"] for call in facts["bids"]] == [2, 3, 4]
    assert score_hand(Table(rules), read_hand(facts, Table(rules))).status == "passed-out"


def test_nobody_deals_next_after_a_game_that_a_passed_hand_ends(client: FlaskClient, club: Club) -> None:
    site = game_with(client, club, {"auction.pass_cost": 2, "win.lost_at": -2})
    response = site.post_hand(do="passed", bidder=None, bid=None, trump=None)
    page = client.get(response.location).text
    assert "Hand 1 saved." in page
    assert "All passed. " not in page


def test_buried_points_are_not_offered_and_not_claimed(site: Site) -> None:
    site.start_game("west-michigan-6")
    response = site.preview(trump="S", buried=["AS", "XB"], **{"point-high": "B"})
    assert says(response) == "Ann bid 3, took 5: +5. Nobody else scored. Ann’s team leads 5 to 0."
    assert "point-high-is-A" not in response.text
    site.post_hand(trump="S", buried=["AS", "XB"], **{"point-high": "B"})
    claims = site.record()["hands"][0]["claims"]
    assert "high" not in claims
    assert "left_joker" not in claims


def test_a_low_that_is_another_point_goes_along_with_it(site: Site) -> None:
    """All trumps below the jokers are buried, so the Black Joker is Low, and its own point follows."""
    site.start_game("west-michigan-4")
    buried = ["TS", "9S", "2S", "9H", "9D", "9C"]
    response = site.preview(trump="S", buried=buried, **{"point-low": "B"})
    assert "same card as Low" in response.text
    assert says(response) == "Ann bid 3, took 5: +5. Bo and Di +2. Ann and Cy lead 5 to 2."
    assert site.post_hand(trump="S", buried=buried, **{"point-low": "B"}).status_code == 303


def test_the_highest_spade_goes_along_with_high_under_spades_and_may_be_nobodys_else(site: Site) -> None:
    site.start_game("nine-card")
    spades = {"trump": "S", "point-high": "B", "point-high_spade": "A"}
    response = site.preview(**spades)
    assert "same card as High" in response.text
    assert says(response) == "Ann bid 3, took 4: −4. Bo and Di −2. Ann and Cy lead 17 to 19."
    hearts = {"trump": "H", "point-high": "B", "point-high_spade": "nobody"}
    assert "the highest spade" in (response := site.preview(**hearts)).text
    assert "same card as High" not in response.text
    assert says(response) == "Ann bid 3, took 4: −4. Bo and Di −1. Ann and Cy lead 17 to 20."
    assert site.post_hand(**spades).status_code == 303
    assert site.record()["hands"][0]["claims"]["high_spade"] == "B"


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ({"count-A": "43x"}, "Card points are a number from 0 to 80."),
        ({"count-A": "-1"}, "Card points are a number from 0 to 80."),
        ({"count-A": "81"}, "Card points are a number from 0 to 80."),
        ({"count-A": "43", "count-B": "38"}, "The card points add up to more than 80. Check both numbers."),
        ({"count-A": "35"}, "Enter the others’ card points too, or tap the buried cards."),
    ],
)
def test_wrong_counts(site: Site, counts: dict[str, str], sentence: str) -> None:
    site.start_game("west-michigan-6")
    response = site.post_hand(**counts)
    assert response.status_code == 422
    assert complaints(response) == [sentence]
    for typed in counts.values():
        assert f'value="{typed}"' in response.text
    assert site.preview(**counts).status_code == 422


@pytest.mark.parametrize(
    ("rules", "count", "says_game", "game"),
    [
        # B has at most 33 of 80 card points (rules.md: 80 in the deck of West Michigan).
        ("west-michigan-6", {"count-A": "47"}, "Team A: Ann, Cy and Ed, 47", "A"),
        # Double Jack: Game needs 41 card points; with 40 for A, B has at most 40.
        ("double-jack", {"count-A": "40"}, "Nobody, 40", None),
        ("west-michigan-6", {"buried": ["9C", "2D"], "count-B": "40"}, "Nobody, 40 to 40", None),
    ],
)
def test_a_count_that_decides_is_enough(site, rules, count, says_game, game) -> None:
    site.start_game(rules)
    assert says_game in site.preview(**count).text
    assert site.post_hand(**count).status_code == 303
    assert score_game(read_game(site.record())).hands[0].points["game"].side == game


TIES = {  # winner of a Game of 40 to 40, and why: Ann bids, Di deals, Ann is the eldest, and Low is B's
    "bidder": ("Team A: Ann and Cy", "A tie goes to the bidder."),
    "dealer": ("Team B: Bo and Di", "A tie goes to the dealer."),
    "eldest": ("Team A: Ann and Cy", "A tie goes to the player after the dealer."),
    "points": ("Team B: Bo and Di", "Of those tied, whoever has the Low gets it."),
}


def game_with(client: FlaskClient, club: Club, options: dict[str, Any], rules: str = "classic", cy: str = "Cy") -> Site:
    names = ["Ann", "Bo", cy, "Di"]
    game = start_game(club, rules=find_rules(rules).override(options), options=options, names=names)
    site = Site(client)
    site.game = f"/c/{club.key}/games/{game.number}/"
    return site


@pytest.mark.parametrize("tie", TIES)
def test_a_tied_count_that_a_rule_decides_says_who_has_it_and_offers_nothing(client, club, tie) -> None:
    who, why = TIES[tie]
    site = game_with(client, club, {"game.tie": tie, "game.tie_points": ["low"] if tie == "points" else []})
    page = site.preview(**{"count-A": "40", "count-B": "40", "point-low": "B", "point-jack": "A"})
    row = page.text.partition('id="row-game"')[2].partition("</li>")[0]
    assert f"{who}, 40 to 40. {why}" in unescape(row)
    assert "<input" not in row
    site.client.post(f"{site.game}hands/new", data=fields_of(page) | {"do": "save"})
    assert site.totals() == ([3, 1] if "A" in who else [-3, 2])  # High and Jack are A's, Low is B's
    assert f"{who}, 40 to 40. {why}" in unescape(site.client.get(f"{site.game}hands/1/").text)
    before = site.preview(position="2", bidder=None, **{"count-A": "40", "count-B": "40"})
    assert f"40 to 40. {why}" in unescape(before.text)


def test_who_had_the_called_card_is_asked_once_it_is_tapped_and_one_that_is_no_trump_is_replaced(site: Site) -> None:
    """A hand whose called card nobody remembers has a partner only."""
    site.start_game("west-michigan-5")
    bid = {"bidder": "1", "bid": "4", "trump": "H"}
    assert says(site.preview(**bid)) == "Tap the called card."
    assert says(site.preview(**bid, called="AS")) == "Who had the called card? Tap a name, or “nobody else”."
    assert "Tap the" not in says(site.preview(**bid, partner="2"))
    site.start_game("call-partner-ten-point")
    answer = site.preview(bidder="1", bid="5", trump="H", called="AS", partner="2")
    assert says(answer) == "Only a trump can be called. Tap another card."
    assert 'id="called-is-AS" checked' in answer.text


@pytest.mark.parametrize(
    ("rules", "trump", "offered"),
    [
        ("call-partner-ten-point", "D", "AD KD QD JD JH XR XB TD 9D 8D 7D 6D 5D 4D 3D 2D"),  # only trumps can be called
        ("west-michigan-5", "D", "AS AH AD AC KD QD JD JH XR XB TD 9D 8D 2D KS QS JS TS 9S"),
    ],
)
def test_the_cards_that_may_be_called(site: Site, rules: str, trump: str, offered: str) -> None:
    site.start_game(rules)
    cards = re.findall(r'id="called-is-(\w\w)"', site.preview(bid="5", trump=trump).text)
    assert " ".join(cards[:19]) == offered


@pytest.mark.parametrize("field", ["bidder", "bid", "trump", "dealer", "point-high", "count-A"])
def test_garbage_is_refused_with_a_sentence(table: Site, field: str) -> None:
    for value in ("99", "x", "💥", "9" * 5000):
        response = table.post_hand(**{field: value})
        assert (response.status_code, len(complaints(response))) == (422, 1)
    assert table.post_hand(token=None).status_code == 422
    assert table.record()["hands"] == []


def test_a_bidder_tapped_as_the_called_partner_plays_with_nobody_else(site: Site) -> None:
    """The bidder's own name sends what the button after the names does, which is then checked."""
    site.start_game("west-michigan-5")
    page = site.preview(dealer="5", called="AS", partner="none")
    assert 'value="none" id="partner-is-alone"' in page.text
    assert re.search(r'value="none" id="partner-is-none" checked>\s*<span class="name">nobody else</span>', page.text)


def test_a_hand_sent_twice_is_one_and_of_two_the_second_phone_is_shown_both(table: Site) -> None:
    fields = table.hand()
    for sent in (fields, fields, fields, table.hand()):  # the last by another phone
        assert table.client.post(f"{table.game}hands/new", data=sent).status_code == 303
    assert table.totals() == [4, 0]
    response = table.post_hand(bid="2", **{"point-low": "B"})
    assert response.status_code == 409
    told = ["Theirs, saved", "Yours, not saved yet", "Replace it with mine", "Two different hands: save mine as hand 2"]
    assert [text for text in told if text not in response.text] == []
    for row, theirs, mine in (("", "3", "2"), ("Score", "4 to 0", "3 to 1")):
        assert f'{row}</th><td class="differs">{theirs}</td><td class="differs">{mine}</td>' in response.text
    assert table.totals() == [4, 0]
    table.step("seat", seat="1", who="Gil")
    response = table.post_hand(bid="2")
    assert response.status_code == 409
    assert re.findall(r"<td[^>]*>(Ann|Gil)</td>", response.text) == ["Ann", "Ann"]


@pytest.mark.parametrize(("button", "totals"), [(0, [4, 0]), (1, [7, 0])])
def test_of_two_hands_the_second_phones_is_saved_by_one_tap(table: Site, button: int, totals: list[int]) -> None:
    """The page shows that Ann's team took all points of both, so it is not asked again."""
    table.post_hand(**{"point-jack": "nobody"})
    page = table.post_hand(bid="2", warned=None).text
    action, fields = re.findall(r'<form method="post" action="([^"]*hands[^"]*)">(.*?)</form>', page, re.DOTALL)[button]
    sent = MultiDict(re.findall(r'name="([^"]*)" value="([^"]*)"', fields))
    assert table.client.post(action, data=sent).status_code == 303
    assert table.totals() == totals


def test_the_result_of_an_earlier_hand_says_that_its_score_is_of_then(table: Site) -> None:
    """In each hand Ann bids 3 and takes all 4; hand 1 is opened at 8 to 0."""
    for position in ("1", "2"):
        table.post_hand(position=position)
    took = "Ann bid 3, took 4: +4. Nobody else scored. Ann and Cy lead"
    for hand, before in (("1", ["0", "0"]), ("2", ["4", "0"])):  # beside it, also as renewed, the score it began with
        page = table.client.get(f"{table.game}hands/{hand}/")
        for head in (page, table.client.get(f"{table.game}hands/{hand}/now", query_string={"version": hand})):
            assert re.findall(r'class="num">(.*?)<', head.text[: head.text.find("</ul>")]) == before
            assert ('class="last">' in head.text) == (hand == "2")
            assert f"Score before hand {hand}" in head.text
    assert says(table.client.get(f"{table.game}hands/1/")) == f"{took} 4 to 0 after hand 1."
    assert says(table.client.get(f"{table.game}hands/2/")) == f"{took} 8 to 0."
    table.post_hand(position="3", bid="2", **{"point-low": "B", "point-game": "B"})
    lost = table.preview(position="1", hand_version="1", bid="4", dealer="4", **{"point-low": "B"})
    assert says(lost) == "Ann bid 4, took 3: set, −4. Bo and Di +1. Now: Ann and Cy 2 (was 10), Bo and Di 3 (was 2)."


def test_the_score_sheet_marks_a_corrected_hand_while_the_correction_is_in_effect(table: Site) -> None:
    for position in ("1", "2"):
        table.post_hand(position=position)
    table.correct(1, 1, bid="2", **{"point-low": "B"})
    rows = re.findall(r'<tbody id="hand-(\d)".*?</tbody>', table.client.get(table.game).text, re.DOTALL)
    assert rows == ["2", "1"]
    marked = re.findall(r'id="hand-(\d)"(?:(?!</tbody>).)*>corrected<', table.client.get(table.game).text, re.DOTALL)
    assert marked == ["1"]
    table.client.post(f"{table.game}undo", data={"token": "undo", "game_version": "3"})
    assert ">corrected<" not in table.client.get(table.game).text
    table.client.post(f"{table.game}redo", data={"token": "redo", "game_version": "4"})
    assert table.client.get(table.game).text.count(">corrected<") == 1
    for undone, version in enumerate(("5", "6", "7")):
        table.client.post(f"{table.game}undo", data={"token": f"back-{undone}", "game_version": version})
    table.client.post(f"{table.game}redo", data={"token": "first-again", "game_version": "8"})
    assert ">corrected<" not in table.client.get(table.game).text  # redo saves the hand again


def test_a_correction_of_a_hand_that_is_gone(table: Site) -> None:
    table.post_hand()
    table.client.post(f"{table.game}hands/1/remove", data={"hand_version": "1", "token": "gone"})
    response = table.correct(1, 1, bid="2")
    assert response.status_code == 409
    assert "Two different hands: save mine as hand 1" in response.text
    assert table.totals() == [0, 0]


def test_a_saved_hand_opens_as_it_was(site: Site) -> None:
    site.start_game("west-michigan-5")
    fields = {"called": "KD", "partner": "3", "buried": ["XB", "9C"], "point-low": "defending", "point-game": "nobody"}
    site.post_hand(**fields, warned="buried")
    page = site.client.get(f"{site.game}hands/1/")
    assert page.status_code == 200
    assert {
        "bidder-is-1", "bid-is-3", "trump-is-H", "called-is-KD", "partner-is-3", "buried-is-XB", "buried-is-9C",
        "point-high-is-bidding", "point-low-is-defending", "point-game-is-nobody", "dealer-is-5",
    } <= checked(page)  # fmt: skip
    assert "point-left_joker" not in page.text


def test_a_passed_hand_becomes_a_played_one_and_back(table: Site) -> None:
    table.post_hand(do="passed")
    assert table.client.get(f"{table.game}hands/1/").status_code == 200
    assert table.correct(1, 1, dealer="4").location == table.game
    assert table.totals() == [4, 0]
    assert table.correct(1, 2, dealer="4", do="passed").status_code == 303
    assert table.totals() == [0, 0]


def test_the_preview_says_why_those_win_who_do_not_lead(client: FlaskClient, club: Club) -> None:
    site = game_with(client, club, {"win.lost_in_a_row": 2, "win.target": 4, "win.both": ["bidder"]})
    site.post_hand(bidder="2", bid="2", **{"point-high": "A"})
    assert says(site.preview(position="2", dealer="1", bid="2", **{"point-high": "B"})) == (
        "Ann bid 2, took 3: +3. Bo and Di +1. Ann and Cy win, 4 to 4, because the bidder goes out first!"
    )


def test_with_many_scores_the_preview_says_who_else_has_the_score_of_the_winner(site: Site) -> None:
    site.start_game("shankar", players="5", teams="0", target="4")
    site.post_hand(bid="3", **{"point-game": "2"})
    answer = site.preview(position="2", bidder="2", bid="3", **{"point-game": "1"})
    assert says(answer) == (
        "Bo bid 3, took 3: +3. Ann +1. Now Ann 4, Bo 4. But Bo wins, because the bidder goes out first!"
    )
    assert "Tap what the bidder missed." in answer.text  # who plays alone


MOON = {"name": "moon", "bid": 7, "needs": ["every-point"], "made": "win", "failed": "lose"}


@pytest.mark.parametrize(
    ("cy_had", "low", "told"),
    [
        (0, "bidding", "took 6: +6. Nobody else scored. Now Ann 17, Bo 16. Ann and Bo win, by making the moon bid!"),
        (
            16,
            "bidding",
            "took 6: +6. Nobody else scored. Now Ann 17, Bo 16, Cy 16. But Ann and Bo win, by making the moon bid!",
        ),
        (16, "defending", "took 5: set, −7. The others +1 each. Now Cy 17. Cy wins, because the moon bid was set!"),
    ],
)
def test_the_preview_says_why_somebody_wins_before_the_score_that_wins(client, club, cy_had, low, told) -> None:
    """A moon ends the game at 17 of 21 points, also if only the bidder is ahead, or the partner is tied."""
    options = {"auction.specials": [MOON]}
    rules, names = find_rules("st-paul-schmier-5").override(options), ["Ann", "Bo", "Cy", "Di", "Ed"]
    start = {"1": 11, "2": 10, "3": cy_had, "4": 0, "5": 0}
    game = start_game(club, rules=rules, options=options, players=5, teams=0, names=names, start=start)
    site = Site(client)
    site.game = f"/c/{club.key}/games/{game.number}/"
    bid = {"bidder": "1", "bid": "moon", "trump": "H", "called": "AH", "partner": "2", "point-low": low}
    assert says(site.preview(dealer="5", **bid)) == f"Ann and Bo bid moon, {told}"


@pytest.mark.parametrize(
    ("cy", "told"),
    [
        ("Cy", "Bo and Di +2. Ann and Cy were set twice in a row. Bo and Di win, 4 to −6!"),
        ("Priscilla-Annabella-Maria", "Team B +2. Team A was set twice in a row. Team B wins, 4 to −6!"),
    ],
)
def test_the_preview_says_that_a_second_set_in_a_row_loses_the_game(client: FlaskClient, club: Club, cy, told) -> None:
    """A team with a cut name loses as a team."""
    site = game_with(client, club, {"win.lost_in_a_row": 2}, cy=cy)
    missed = {"point-high": "B", "point-low": "B"}
    site.post_hand(**missed)
    for page in (f"{site.game}hands/new", site.game, f"{site.game}board"):
        assert cy != "Cy" or "Ann and Cy lose the game if set in hand 2." in client.get(page).text
    assert says(site.preview(position="2", dealer="1", **missed)) == f"Ann bid 3, took 2: set, −3. {told}"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Priscilla", "Nobody else scored. Ann and Priscilla win, 4 to 0!"),
        ("Priscilla-Ana", "Nobody else scored. Ann and Priscilla-Ana win, 4 to 0!"),
        ("Priscilla-Annabella-Maria", "Nobody else scored. Team A wins, 4 to 0!"),
    ],
)
def test_beside_save_names_are_cut_only_for_want_of_room_and_a_team_is_then_called_the_same(site, name, told) -> None:
    names = {"name-2": "Bartholomew", "name-3": name, "name-4": "Joe"}
    site.start_game("partnership", target="4", **names)
    assert says(site.preview(bid="4")) == f"Ann bid 4, took 4: +4. {told}"


def test_who_loses_by_sets_though_ahead_is_told_so_once(client: FlaskClient, club: Club) -> None:
    site = game_with(client, club, {"win.lost_in_a_row": 2, "win.target": 21})
    for position in "123":
        site.post_hand(position=position)
    missed = {"bid": "2", "point-high": "B", "point-low": "B", "point-jack": "B"}
    site.post_hand(position="4", **missed)
    assert says(site.preview(position="5", **missed)) == (
        "Ann bid 2, took 1: set, −2. Bo and Di +3. Ann and Cy were set twice in a row. Bo and Di win, 6 to 8!"
    )


def test_a_hand_whose_game_is_deleted_while_it_is_saved_is_sent_again(table, monkeypatch) -> None:
    write = views._write

    def a_moment_later(editor: Editor, *given: Any) -> Saved:
        deletion.delete_game(db.session.get_one(Game, editor.snapshot.id))
        return write(editor, *given)

    monkeypatch.setattr(views, "_write", a_moment_later)
    fields, headers = table.hand(note="close"), {"Sec-Fetch-Site": "same-origin", "Referer": "http://localhost/"}
    answer = table.client.post(f"{table.game}hands/new", data=fields, headers=headers)
    assert answer.status_code == 410
    assert '<input type="hidden" name="note" value="close">' in answer.text


def test_a_hand_behind_the_end_is_kept_and_does_not_count(site: Site) -> None:
    site.start_game("classic", target="5")
    two_each = {"bid": "2", "point-low": "B", "point-game": "B"}
    for position in ("1", "2"):
        site.post_hand(position=position, **two_each)
    site.post_hand(position="3")
    assert site.totals() == [8, 4]
    # After the correction, hand 1 is A's. So hand 2 wins with 4 + 2, and hand 3 is after the end.
    assert site.correct(1, 1, bid="2", dealer="4").status_code == 303
    assert site.totals() == [6, 2]
    sheet = site.client.get(site.game).text
    assert "<p>Reached 5 first, in hand 2.</p>" in sheet  # the headline says who, and the score
    assert "after the end: does not count" in sheet
    assert len(site.record()["hands"]) == 2
    page = site.client.get(f"{site.game}hands/3/")
    assert says(page).endswith("The game is over. This won’t count.")


def test_no_hand_behind_a_won_game(site: Site) -> None:
    """One that contradicts itself is refused for that. A correction says who wins instead."""
    site.start_game("classic", target="4")
    assert site.post_hand().location == site.game  # redirects to the score sheet, with the winner
    assert site.client.get(f"{site.game}hands/new").location == site.game
    response = site.post_hand(position="2")
    assert response.status_code == 422
    assert complaints(response) == ["This game is over. Correct a hand on the score sheet, or play again."]
    wrong = {"position": "2", "count-A": "30", "count-B": "60"}
    assert complaints(site.preview(**wrong)) == complaints(site.post_hand(**wrong))
    assert "card points" in " ".join(complaints(site.post_hand(**wrong)))
    response = site.preview(hand_version="1", bidder="2")
    assert says(response).endswith("Bo and Di lead 4 to 0. Bo and Di win instead.")
    assert says(site.preview(hand_version="1", bid="2", **{"point-low": "B"})).endswith("Nobody has won yet.")


def test_a_removed_hand_is_gone_and_can_come_back(table: Site) -> None:
    table.post_hand()
    table.post_hand(position="2", bidder="2")
    remove = {"hand_version": "1", "token": "remove"}
    for _ in range(2):  # a double tap
        response = table.client.post(f"{table.game}hands/1/remove", data=remove)
        assert response.status_code == 303
    assert table.totals() == [0, 4]
    undo = '<span>Undo<span> removal</span></span><span class="vh"> of hand 1</span></button>'  # fits on two lines
    assert undo in table.client.get(f"{table.game}hands/new").text
    table.step("undo")
    assert table.totals() == [4, 4]


@pytest.mark.parametrize("do", ["passed", "save"])
def test_what_was_saved_can_be_undone_and_redone_right_there(table: Site, do: str) -> None:
    table.post_hand(do=do)
    for _ in range(2):  # also later, and on other phones
        page = table.client.get(f"{table.game}hands/new").text
        assert page.count('form="undo"') == 1  # a single Undo, beside Save
        assert 'form="undo"><span>Undo<span> hand 1</span></span></button>' in page[page.index('class="save"') :]
    for said in ("Hand 1 undone.", "Nothing to undo."):
        table.step("undo", game_version=None, back="hand")
        page = table.client.get(f"{table.game}hands/new").text
        assert said in page
        assert 'form="redo">Redo<span class="vh"> hand 1</span></button>' in page
        assert 'form="undo"' not in page
    table.preview(bidder="1")
    assert 'form="undo">Undo' not in table.client.get(f"{table.game}hands/new").text


def test_the_next_hand_says_why_play_goes_on(site: Site) -> None:
    """Classic to 4: two hands of two points each give 4 to 4, and a tie plays on."""
    site.start_game("classic", target="4")
    split = {"point-jack": "B", "point-game": "B"}
    site.post_hand(bid="2", **split)
    assert "Still playing" not in site.client.get(f"{site.game}hands/new").text
    site.post_hand(bid="2", position="2", **split)
    page = site.client.get(f"{site.game}hands/new").text
    assert "Still playing: 4 to 4 is a tie, and these rules need a leader." in page


def begun(site: Site, options: dict[str, Any]) -> None:
    """Start a game of Classic with other rules, saved as the club's own rules."""
    values = RuleForm.of(find_rules("classic").override(options), "classic", "Ours").values
    sent = MultiDict([*values.items(multi=True), ("do", "save")])
    page = site.client.post(f"{site.club}edit-rules/classic", data=sent).location
    site.start_game(f"own-{page.rpartition('/')[2]}")


@pytest.mark.parametrize("way", ["points", "cards"])
@pytest.mark.parametrize(("rules", "bid"), [("partnership", "smudge"), ("western-pennsylvania-cinch", "alone")])
def test_a_bid_that_needs_every_trick_may_be_tapped_before_its_bidder(
    site: Site, rules: str, bid: str, way: str
) -> None:
    site.start_game(rules)
    tapped = site.preview(bidder=None, bid=bid, trump=None, detail=way, was=way, do=None)
    assert tapped.status_code == 200
    assert f"bid-is-{bid}" in checked(site.client.get(f"{site.game}hands/new"))
    assert "point-sweep" not in tapped.text
    assert 'name="point-sweep" value="A"' in site.tap(tapped, bidder="1").text


def test_a_bid_that_the_scores_do_not_allow_is_refused_with_the_bidders_name(site: Site) -> None:
    """A moon needs a score of 5: Ann and Cy have 4 after the first hand, and 5 after the second."""
    begun(site, {"auction.specials": [{"name": "moon", "bid": 5, "needs": ["every-point"], "least_score": 5}]})
    site.post_hand()
    moon = {"position": "2", "bidder": "3", "bid": "moon"}
    assert complaints(site.preview(**moon)) == ["A bid of moon takes 5 or more, and Cy has 4."]
    assert site.post_hand(**moon).status_code == 422
    site.post_hand(position="2", bidder="2", bid="2", **{"point-low": "A", "point-high": "B", "point-jack": "B"})
    said = "Cy bid moon, took 4: +5. Nobody else scored. Ann and Cy lead 10 to 3."
    assert says(site.preview(**moon | {"position": "3"})) == said


def test_a_correction_that_spoils_a_later_hand_says_which(site: Site) -> None:
    """The moon of the second hand was allowed with 4 in the first."""
    begun(site, {"auction.specials": [{"name": "moon", "bid": 5, "needs": ["every-point"], "least_score": 4}]})
    site.post_hand()
    site.post_hand(position="2", bidder="3", bid="moon")
    spoiled = site.correct(1, 1, **{"point-low": "B"})
    assert spoiled.status_code == 422
    assert complaints(spoiled) == ["Hand 2: a bid of moon takes 4 or more, and Cy has 3."]
    assert site.totals() == [9, 0]


def test_nobody_bids_so_much_that_the_seller_gets_there(site: Site) -> None:
    options = {"auction.seller": "eldest", "auction.dealer": "outbid", "auction.all_pass": "eldest-plays"}
    begun(site, options | {"auction.cap": "seller-short", "win.target": 4})
    told = complaints(site.preview(bidder="2", bid="4"))
    assert told == ["Nobody may bid more than 3: Ann sells the hand and has 0 of 4."]


ALL_CARDS = "AH 9C 2H 8C KH 7C 3C 6C QH 5C 4C 9D JH 8D 7D 6D TH 5D 4D 3D 9H 9S 3S 4S"
SWEPT = {
    "points": ({"point-sweep": "A"}, [5, 0]),
    "points that were not all won in six tricks": ({}, [4, 0]),
    "the others' points": (dict.fromkeys(("point-high", "point-low", "point-jack", "point-game"), "B")
                           | {"point-sweep": "B"}, [-3, 5]),
    "cards": ({"detail": "cards", "was": "cards"} | {f"at-{card}": "A" for card in ALL_CARDS.split()}, [5, 0]),
    "the others' cards": ({"detail": "cards", "was": "cards"} | {f"at-{card}": "B" for card in ALL_CARDS.split()},
                          [-3, 5]),
    "play": ({"detail": "play", "was": "play", "plays": ALL_CARDS}, [5, 0]),
}  # fmt: skip


@pytest.mark.parametrize("way", SWEPT)
def test_every_trick_that_nobody_bid_scores_in_every_way_and_when_it_is_opened_again(client, club, way) -> None:
    fields, totals = SWEPT[way]
    site = game_with(client, club, {"settle.sweep": 1, "points.low.owner": "taker"})
    page = site.preview(bidder="1", bid="3", trump="H", do=None, **fields)
    assert ("and every point: +1" in page.text) is (fields.get("detail") != "play")
    assert ("Ann bid 3, took 4 and every trick: +5." in page.text) is (totals == [5, 0])
    site.client.post(f"{site.game}hands/new", data=fields_of(page) | {"do": "save"})
    assert site.totals() == totals
    opened = site.client.get(f"{site.game}hands/1/")
    site.client.post(f"{site.game}hands/1/", data=fields_of(opened) | {"do": "save"})
    assert site.totals() == totals
    sheet = unescape(site.client.get(site.game).text)
    assert bool(re.search("Game[^,<]*, every trick", sheet)) is (5 in totals)


def test_a_hand_without_a_log_is_corrected_like_any_other(table: Site, app_context: None) -> None:
    """Other programs may write game records: their hands have no change that saved them, and version 0."""
    table.post_hand()
    for change in (db.delete(Change), db.update(Hand).values(version=0), db.update(Game).values(version=0)):
        db.session.execute(change)
    db.session.commit()
    page = table.client.get(f"{table.game}hands/1/")
    tapped = table.tap(page, bid="4", **{"point-low": "B"})
    assert tapped.status_code == 200
    assert says(tapped) == "Ann bid 4, took 3: set, −4. Bo and Di +1. Bo and Di lead 1 to −4."
    assert checked(table.client.get(f"{table.game}hands/1/")) >= {"bid-is-4", "point-low-is-B"}  # on any phone
    assert table.client.get(f"{table.game}hands/1/now?version=0").text.count(">Correct hand 1</h1>") == 1
    assert "now?version=0&amp;" in page.text
    late = table.post_hand(bid="2")  # from a page that another phone opened before the import
    assert late.status_code == 409
    sent = fields_of(tapped) | {"do": "save", "warned": ["untouched", "bold"]}
    assert table.client.post(f"{table.game}hands/1/", data=sent).status_code == 303
    assert table.totals() == [-4, 1]

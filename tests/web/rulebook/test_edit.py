"""Editing a club's own rules: started from any rule set, changed, previewed in sentences, saved and played."""

import re
import sys
from html import unescape

import pytest
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import RuleSet, find_rules
from scorekeeper.web.rulebook.forms import RuleField, RuleForm
from scorekeeper.web.rulebook.rule_preview import preview_rules
from tests.web.rulebook.test_rule_form import Sent
from tests.web.site import Site, checked, complaints, counted_queries


def typed(base: str, *, name: str = "Tuesday rules", **fields: str) -> MultiDict[str, str]:
    """Return the form of a catalogue rule set with changed fields; double underscores stand for dots."""
    values = RuleForm.of(find_rules(base), base, name).values
    for field, text in fields.items():
        values[field.replace("__", ".")] = text
    return values


def sent(site: Site, values: MultiDict[str, str], do: str = "show", base: str = "classic") -> TestResponse:
    data = MultiDict([*((name, text) for name, text in values.items(multi=True) if name != "do"), ("do", do)])
    return site.client.post(f"{site.club}edit-rules/{base}", data=data)


def saved_rules(site: Site, page: str) -> RuleSet:
    """Return the rules shown on a page of the club's own rules."""
    address = re.findall(rf'href="({site.club}rules/[^"]+)/file"', page)[0]
    return RuleSet.from_dict(site.client.get(f"{address}/file").get_json())


def test_rules_are_made_from_a_catalogue_set_and_played(site: Site) -> None:
    assert "Make your own rules" in site.client.get(f"{site.club}rules/").text
    assert "edit-rules/classic" in site.client.get(f"{site.club}edit-rules/").text
    answer = sent(site, typed("classic", win__target="15", settle__set="nothing"), "save")
    assert answer.status_code == 303
    page = site.client.get(answer.location).text
    assert "Saved Tuesday rules.</p>" in page
    rules = saved_rules(site, page)
    assert (rules.name, rules.win.target, rules.settle.set) == ("Tuesday rules", 15, "nothing")
    site.start_game(rules.id)
    assert site.record()["rules"]["settle"]["set"] == "nothing"  # the record contains the rules
    assert f"edit-rules/{rules.id}" in page


def test_the_same_name_makes_the_next_version_and_games_keep_theirs(site: Site) -> None:
    first = saved_rules(site, site.client.get(sent(site, typed("classic"), "save").location).text)
    site.start_game(first.id)
    form = Sent(site.client.get(f"{site.club}edit-rules/{first.id}").text).values
    form["win.target"] = "21"
    page = site.client.get(sent(site, form, "save", first.id).location).text
    assert saved_rules(site, page).win.target == 21
    assert "Saved Tuesday rules. Games already started keep their rules.</p>" in page
    assert "first to 21, version 2" in re.sub(r"\s+", " ", site.client.get(f"{site.club}rules/").text)
    assert site.record()["rules"]["win"]["target"] == 11


def test_rules_are_made_from_those_of_a_game(site: Site) -> None:
    site.start_game("west-michigan-4", house=["bid-less-taken"], target="15")
    page = site.client.get(f"{site.club}edit-rules/").text
    assert "game-1" in page
    assert f'href="{site.game}rules"' in site.client.get(f"{site.club}rules/").text
    form = Sent(site.client.get(f"{site.club}edit-rules/game-1").text).values
    assert (form["win.target"], form["settle.set"]) == ("15", "bid-less-taken")


def test_rules_for_several_numbers_of_players_stay_so(site: Site) -> None:
    page = site.client.get(sent(site, typed("shankar"), "save", "shankar").location).text
    assert saved_rules(site, page).table == find_rules("shankar").table
    site.start_game(saved_rules(site, page).id, players="6", teams="3")
    assert len(site.totals()) == 3


def test_the_rules_in_words_follow_and_say_what_changed(site: Site) -> None:
    page = unescape(site.client.get(f"{site.club}edit-rules/classic").text)
    assert "<mark>" not in page
    assert "The same as Classic Setback" in page
    page = unescape(sent(site, typed("classic", win__target="15")).text)
    assert "<mark>The first to 15 wins." in page
    assert page.count("<mark>") == page.count("<del>") == 1
    assert '<del>The first to 11 wins.</del><span class="vh"> (removed)</span>' in page
    assert "1 change from Classic Setback" in page
    wrong = unescape(sent(site, typed("classic", win__target="x")).text)
    assert "Fix what is marked to see the rules here." in wrong
    both = sent(site, typed("six-point", auction__forced_bid="7"))
    assert complaints(both) == ["The dealer is stuck for 7, but the highest bid is 6. Change one of them."]


def test_from_the_setup_of_a_game_its_choices_are_begun_with_and_gone_back_to(site: Site) -> None:
    asked = "rules=west-michigan-6&players=6&target=15&house=bid-less-taken"
    page = site.client.get(f"{site.club}edit-rules/west-michigan-6?{asked}&x=%22%3E")
    assert "2 changes from West Michigan Setback, six players" in page.text
    assert "&x=%22%3E" in page.text
    assert 'x=">' not in page.text
    back = f"{site.club}games/new?{asked}"
    nameless = Sent(page.text).values | {"name": ""}
    refused = site.client.post(f"{site.club}edit-rules/west-michigan-6?{asked}", data=nameless)
    for shown in (page, refused):
        assert back in unescape(shown.text)
    setup = site.client.get(back)
    assert {"players-is-6", "house-bid-less-taken"} <= checked(setup)
    assert 'name="target" value="15"' in setup.text
    assert "games/new?" not in site.client.get(f"{site.club}edit-rules/west-michigan-6").text
    for players, kept in (("3", 3), ("9", 4)):  # two to six can play; four is usual
        saved = sent(site, typed("shankar"), "save", f"shankar?rules=shankar&players={players}")
        assert f"&amp;players={kept}&amp;" in site.client.get(saved.location).text


def test_only_what_matters_is_shown(site: Site) -> None:

    def shown(**fields: str) -> set[str]:
        return set(re.findall(r'id="rule-([^"]+)"', sent(site, typed("classic", **fields)).text))

    usual = shown()
    assert {"table-teams", "game-tie"} <= usual
    assert not {"table-partner_right", "table-call", "auction-forced_bid", "win-order"} & usual
    assert shown(table__sides="seat-partner") - usual == {"table-partner_right"}
    assert shown(auction__all_pass="dealer-forced") - usual == {"auction-forced_bid"}
    assert shown(win__both="count-out") - usual == {"win-order"}


def test_one_tap_changes_one_thing_and_the_highest_bid_stays_the_sum_of_the_points(site: Site) -> None:
    values = typed("classic")
    for step in ("up win.target", "down auction.max", "add points ten", "remove points-1", "add auction.specials moon"):
        values = Sent(sent(site, values, step).text).values
    rules = RuleForm(values).rules
    assert rules is not None
    assert (rules.win.target, rules.auction.max) == (12, 3)
    assert [point.key for point in rules.points] == ["high", "jack", "ten", "game"]  # Game stays last
    assert [special.bid for special in rules.auction.specials] == [4]  # above all bids
    values = Sent(sent(site, values, "add points").text).values  # adds a point without a known name
    assert values["points-4.key"] == "new_point"
    assert "points-4" in values.getlist("open")
    assert Sent(sent(site, values, "add points").text).values["points-5.key"] == "new_point_2"
    values = typed("classic")
    for step, highest in (("add points three", 7), ("up points-3.worth", 8), ("remove points-0", 7)):
        values = Sent(sent(site, values, step).text).values
        assert values["auction.max"] == str(highest), step
    values = Sent(sent(site, values, "down auction.max").text).values
    assert Sent(sent(site, values, "remove points-0").text).values["auction.max"] == "6"


def test_rules_to_begin_with_are_there_and_for_so_many_players_and_a_name_is_needed(site: Site) -> None:
    page = site.client.get(f"{site.club}edit-rules/?players=5").text
    assert 'edit-rules/shankar?players=5"' in page  # the number chosen goes along to the new game
    assert ("edit-rules/west-michigan-5" in page, "edit-rules/ten-point" in page) == (True, False)
    assert "edit-rules/ten-point" in site.client.get(f"{site.club}edit-rules/?players=x").text
    for base in ("whist", "own-nothing", "game-9", "game-x", "game-"):
        assert site.client.get(f"{site.club}edit-rules/{base}").status_code == 404
    answer = sent(site, typed("classic", name=" "), "save")
    assert answer.status_code == 422
    assert complaints(answer) == ["Enter a name of at most 80 letters."]
    page = site.client.get(sent(site, typed("ten-point"), "save", "ten-point").location).text
    assert "Four or six players." in page


@pytest.mark.parametrize(
    ("base", "steps", "jokers", "order", "last"),
    [
        ("classic", ["add points left_jack", "add points left_joker"], 2, "A K Q J L XR XB T 9 8 7 6 5 4 3 2",
         ["Off-Jack", "Low Joker", "Game"]),
        ("st-paul-schmier", ["add points left_joker"], 2, "A K Q J L T 9 8 7 6 5 4 3 2 XR XB",
         ["High Joker", "Low Joker", "Game"]),
        # These are points of a house rule only: Double King Pede.
        ("classic", ["add points left_king", "add points left_nine"], 0, "A K LK Q J T 9 L9 8 7 6 5 4 3 2",
         ["Left King", "Left Sancho", "Game"]),
    ],
)  # fmt: skip
def test_a_point_brings_its_card_along(site, base, steps, jokers, order, last) -> None:
    """A second joker goes below the first."""
    values = typed(base) | {"open": f"points-{len(find_rules(base).points) - 1}"}  # Game
    for step in steps:
        values = Sent(sent(site, values, step, base).text).values
    rules = RuleForm(values).rules
    assert rules is not None
    assert (rules.deck.jokers, " ".join(rules.trump.order)) == (jokers, order)
    assert [point.name for point in rules.points][-3:] == last
    assert f"points-{len(rules.points) - 1}" in values.getlist("open")


def test_where_a_point_is_removed_it_says_that_its_card_stays_trump(site: Site) -> None:
    said = "Removing the point leaves its card in trump. Take it out under Order of trump."
    assert said not in sent(site, typed("classic")).text
    page = sent(site, typed("st-paul-schmier"), base="st-paul-schmier")
    assert page.text.count(said) == 1
    assert page.text.index(said) < page.text.index("Remove Left Bower") < page.text.index("Remove Joker")
    values = Sent(sent(site, typed("st-paul-schmier"), "remove points-3", "st-paul-schmier").text).values
    assert "L" in values["trump.order"].split()


def test_no_step_breaks_the_page(site: Site) -> None:
    odd = MultiDict([("name", "x"), ("deck.jokers", "9" * 5000), ("points-0.key", ""), ("table.teams", "x")])
    for step in (
        "up",
        "up x",
        "add x y",
        "add points",
        "remove points-99",
        f"remove points-{'9' * 5_000}",
        "remove x",
        "hold",
        "out K",
        "",
    ):
        assert sent(site, odd, step).status_code == 200
        assert sent(site, typed("classic"), step).status_code == 200
    assert sent(site, odd, "save").status_code == 422


def test_trump_is_put_in_order_by_two_taps_and_follows_the_deck(site: Site) -> None:
    values = typed("double-jack")
    for step in ("hold L", "hold J", "hold 2", "out 2"):
        values = Sent(sent(site, values, step, "double-jack").text).values
    assert values["trump.order"] == "A K Q L J T 9"
    values = Sent(sent(site, typed("classic", deck__jokers="2")).text).values
    assert values["trump.order"] == "A K Q J XR XB T 9 8 7 6 5 4 3 2"
    values.setlist("deck.ranks", [rank for rank in values.getlist("deck.ranks") if rank not in "345"])
    assert Sent(sent(site, values).text).values["trump.order"] == "A K Q J XR XB T 9 8 7 6 2"


def test_a_point_that_is_renamed_keeps_its_key_and_one_without_a_name_has_that_of_its_card(site: Site) -> None:
    """New points when a card is chosen, and points whose name was deleted."""
    values = typed("classic", game__tie="points")
    values.setlist("game.tie_points", ["jack", "low"])
    values["points-2.name"] = "Right Bower"
    values = Sent(sent(site, values).text).values
    rules = RuleForm(values).rules
    assert rules is not None
    assert [point.key for point in rules.points] == ["high", "low", "jack", "game"]
    assert rules.points[2].name == "Right Bower"
    assert rules.game.tie_points == ("jack", "low")
    values = Sent(sent(site, typed("classic"), "add points").text).values
    values["points-4.name"], values["points-4.card"] = "New point", "last-trick"
    values["points-2.name"] = " "
    values = Sent(sent(site, values).text).values
    assert [values[f"points-{place}.name"] for place in (2, 4)] == ["Jack of trump", "Last trick"]
    assert [values[f"points-{place}.key"] for place in (2, 4)] == ["jack", "last_trick"]
    values["points-4.name"], values["points-4.card"] = "Last", "AS"
    rules = RuleForm(Sent(sent(site, values).text).values).rules
    assert rules is not None
    assert (rules.points[4].key, rules.points[4].name) == ("last_trick", "Last")


def test_a_point_has_the_name_of_the_club_on_every_page(site: Site) -> None:
    values = typed("classic")
    values["points-2.name"] = " Right  Bower "
    page = site.client.get(sent(site, values, "save").location).text
    rules = saved_rules(site, page)
    site.start_game(rules.id)
    new = site.client.get(f"{site.game}hands/new").text
    cards = site.preview(detail="cards").text
    waits = site.client.get(f"{site.game}hands/offline").text
    site.post_hand(**{"point-jack": "B"})
    csv = site.client.get(f"{site.club}hands.csv").text
    assert "High, Low, Game" in csv
    sheet = site.client.get(site.game).text
    in_words = site.client.get(f"{site.club}rules/{rules.id.removeprefix('own-')}").text
    for place, shown in enumerate((page, new, cards, waits, csv, sheet, in_words)):
        assert "Right Bower" in shown, place
    assert site.record()["hands"][0]["claims"]["jack"] == "B"  # records name points by their keys
    assert [point.get("called") for point in site.record()["rules"]["points"]] == [None, None, "Right Bower", None]


def test_a_name_that_no_point_can_have(site: Site) -> None:
    values, odd = typed("classic"), "Points: name must be a line of 1 to 24 letters, without blanks at its ends."
    for name, sentence in (("high", "Two points have the same name. Rename one."), ("B" * 25, odd), ("a\x07b", odd)):
        values["points-2.name"] = name
        answer = sent(site, values, "save")
        assert (answer.status_code, complaints(answer)) == (422, [sentence])


def test_points_of_rules_saved_before_they_had_names_keep_theirs() -> None:
    points = [{"key": key, "card": card} for key, card in (("old_maid", "highest"), ("old maid", "lowest"))]
    rules = find_rules("classic").override({"points": points})
    assert [point.name for point in rules.points] == ["Old maid", "Old maid"]
    assert rules.override({"points.old_maid.called": "Queen"}).called(["old_maid"]) == ["Queen"]
    with pytest.raises(Refused, match="two points of one name"):
        rules.override({"points.old_maid.called": "OLD MAID"})


def play(site: Site, *bids: tuple[int, int], rules: str = "classic", **setup: str) -> None:
    """Play a game; in each hand the bidder's side takes all four points."""
    site.start_game(rules, **setup)
    for position, (bidder, bid) in enumerate(bids, 1):
        site.post_hand(position=str(position), bidder=str(bidder), bid=str(bid))


def past(site: Site, **fields: str) -> list[str]:
    page = unescape(sent(site, typed("classic", **fields)).text)
    return re.findall(r"<li>([^<]*)</li>", page.partition('id="past"')[2])


def test_what_would_have_changed_is_told_game_by_game(site: Site) -> None:
    """Many games that change in the same way are one line."""
    # Ann's team takes 4, then Bo's 4, and so on: 12 to 8 after five hands.
    play(site, (1, 3), (2, 4), (1, 3), (2, 4), (1, 3))
    assert past(site) == ["1 game would have ended the same."]
    assert past(site, win__target="8") == ["Ann and Cy would have won game 1 already at hand 3, not hand 5."]
    went_on = "Game 1 would have gone on after hand 5, at 12 to 8. Ann and Cy won it there."
    assert past(site, win__target="13") == [went_on]
    # A made bid scores only the bid: 3, 4, 6, 8.
    bid_alone = {"settle__made": "bid", "win__target": "8"}
    assert past(site, **bid_alone) == ["Bo and Di would have won game 1 at hand 4. Ann and Cy won it at hand 5."]
    for _ in range(2):
        play(site, (1, 3), (2, 4), (1, 3), (2, 4), (1, 3))
    assert past(site, win__target="13") == ["3 games would have gone on after their last hand: 1, 2 and 3."]
    assert past(site, win__target="8") == ["3 games would have been won sooner: 1, 2 and 3."]
    assert past(site, **bid_alone) == ["3 games would have had other winners: 1, 2 and 3."]


def test_games_that_end_with_another_score_do_not_end_the_same(site: Site) -> None:
    """A made bid scores only the bid: Ann's team has 11 after the same hand, from 3 and twice 4."""
    play(site, (1, 3), (2, 4), (1, 4), (2, 4), (1, 4))
    play(site, (1, 4), (1, 4), (1, 4))
    told = ["Game 1 would have ended 11 to 8, not 12 to 8.", "1 other game would have ended the same."]
    assert past(site, settle__made="bid") == told


def test_what_cannot_be_known_is_not_told(site: Site) -> None:
    """Games of other rule sets are not said to be unscorable."""
    play(site, (1, 3), (1, 3), (1, 3))
    play(site, *[(1, 3)] * 6, rules="partnership", teams="2")
    assert "Ann and Cy win" in site.client.get(site.game).text
    cannot = ["1 game cannot be scored under these rules: its cards, points or bids do not fit."]
    assert past(site, game__tie="dealer") == cannot  # hands record who took Game, without the card points
    assert past(site, auction__min="4") == cannot  # bids of 3 would not be allowed
    assert past(site, deck__hand="7") == cannot
    assert past(site, table__players="6", table__teams="2") == []  # there are no such games


def test_looking_back_reads_the_games_in_one_query_and_is_bounded(site, app, monkeypatch) -> None:
    play(site, (1, 3), (1, 3), (1, 3))
    with counted_queries(app) as queries:
        assert past(site) == ["1 game would have ended the same."]
    assert sum("FROM game" in query for query in queries) == 1
    monkeypatch.setattr(sys.modules[preview_rules.__module__], "MOST_HANDS", 2)
    assert past(site) == []  # games that were not checked are not reported as impossible to score


def test_a_special_bid_asks_for_a_score_only_where_it_sets_one(site: Site) -> None:
    values = Sent(sent(site, typed("classic"), "add auction.specials moon").text).values
    page = sent(site, values).text
    assert "<small>worth 5, wins the game</small>" in page
    assert 'aria-label="moon, Score after it is made"' not in page
    values["auction.specials-0.made"] = "set-to"
    page = sent(site, values).text
    assert 'aria-label="moon, Score after it is made"' in page
    assert complaints(sent(site, values, "save")) == ["Moon needs a number where it sets the score, and only there."]
    values["auction.specials-0.made_to"] = "−5"
    assert sent(site, values, "save").status_code == 303


def test_what_was_typed_outlives_the_rules_that_it_began_with(site: Site) -> None:
    first = saved_rules(site, site.client.get(sent(site, typed("classic"), "save").location).text)
    form = Sent(site.client.get(f"{site.club}edit-rules/{first.id}").text).values
    site.client.post(f"{site.club}rules/{first.id.removeprefix('own-')}/delete")
    form["win.target"] = "x"
    refused = sent(site, form, "save", first.id)
    assert refused.status_code == 422
    assert "Change Tuesday rules" in refused.text
    form = Sent(refused.text).values
    assert form["win.target"] == "x"
    form["win.target"] = "17"
    form = Sent(sent(site, form, "show", first.id).text).values
    page = site.client.get(sent(site, form, "save", first.id).location).text
    assert saved_rules(site, page).win.target == 17


@pytest.mark.parametrize(
    "more",
    [
        [(f"points-{place}.key", f"point {place}") for place in range(3, 60)],
        [(f"auction.specials-{place}.name", f"bid {place}") for place in range(60)],
        [("win.order", f"point {place}") for place in range(101)],
        [(f"game.values-{place}", "1") for place in range(1001)],
        [("trump.order", "A " * 5000)],
    ],
    ids=["points", "specials", "a list", "inputs", "letters"],
)
def test_more_than_rules_can_take_is_not_drawn(site: Site, more: list[tuple[str, str]]) -> None:
    values = typed("classic")
    for name, text in more:
        values.add(name, text)
    assert sent(site, values).status_code == 413


@pytest.mark.slow
def test_as_many_points_as_can_be_sent_can_be_added(site: Site) -> None:
    values = typed("classic")
    for place in range(4, 37):
        values.add(f"points-{place}.key", f"point {place}")
    for _ in range(5):
        values = Sent(sent(site, values, "add points").text).values
    assert len(RuleForm(values).point_names) == 40


def test_a_page_asked_for_again_takes_few_calls(site: Site) -> None:
    """Of a club's own rules only those edited are read."""
    saved = [sent(site, typed("classic", name=name), "save").location for name in ("One", "Two", "Three")]
    uid = saved[-1].partition("/rules/")[2].partition("?")[0]
    for base in ("classic", "ten-point", f"own-{uid}"):
        address, calls = f"{site.club}edit-rules/{base}", 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal calls
            calls += event == "call"

        first = site.client.get(address).text
        sys.setprofile(count)
        again = site.client.get(address).text
        sys.setprofile(None)
        assert calls < 8_000, base
        assert fields_of(again) == fields_of(first)


def fields_of(page: str) -> list[str]:
    return re.findall(r'<fieldset class="field rule".*?</fieldset>', page, re.DOTALL)


CHANGES = (
    {},
    {"table__players": "6", "deck__jokers": "2", "trump__order": "A K Q J XR T 9 8 7 6 5 4 3 2 XB"},
    {"points-0__card": "J", "points-1__key": "renamed", "win__both": "count-out", "game__tie": "points"},
    {"held": "Q", "open": "points-1", "auction__min": "9"},
    {"auction__rounds": "none"},
    {"auction__min": "two"},
)


@pytest.mark.parametrize("fields", CHANGES)
def test_a_field_is_kept_by_all_that_it_is_drawn_by(site, monkeypatch, fields) -> None:
    site.client.get(f"{site.club}edit-rules/classic")
    values = typed("classic", **fields)
    kept = fields_of(sent(site, values).text)
    monkeypatch.setattr(RuleField, "cache_key", property(lambda _: object()))
    assert fields_of(sent(site, values).text) == kept

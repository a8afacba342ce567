"""The form of a club's own rules: every field can be typed, what is typed is what is played, and nothing else is."""

from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules, variations
from scorekeeper.scoring.rules.fields import FIELDS, KINDS, EarlyWin, Point, Special
from scorekeeper.scoring.rules.kinds import Word
from scorekeeper.scoring.rules.words import WORDS
from scorekeeper.web.rulebook.forms import EDITED, RuleForm, typed_rules
from scorekeeper.web.rulebook.messages import chapters
from tests.conftest import examples
from tests.scoring.test_properties import HOUSE_RULES, Setting, settings_of
from tests.web.site import Site, complaints


class Sent(HTMLParser):
    """What a browser would send of the form of rules, without a button."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.values: MultiDict[str, str] = MultiDict()
        self.select = ""
        self.feed(page.partition('id="rules-form"')[2].partition("</form>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "select":
            self.select = told["name"]
        elif tag == "option" and "selected" in told:
            self.values.add(self.select, told.get("value", ""))
        elif tag == "input" and (told.get("type") not in ("radio", "checkbox") or "checked" in told):
            self.values.add(told["name"], told.get("value", ""))


def same(form: RuleForm, rules: RuleSet) -> bool:
    """Whether a form comes to these rules; which id they have is not typed."""
    return form.rules is not None and form.rules._replace(id=rules.id, name=rules.name) == rules


def again(form: RuleForm) -> RuleForm:
    """The same form as it comes back."""
    return RuleForm(MultiDict(form.values))


# --- there and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules_id", CATALOGUE)
def test_a_rule_set_that_is_sent_back_as_drawn_is_the_same(site: Site, rules_id: str) -> None:
    site.start_club()
    values = Sent(site.client.get(f"{site.club}edit-rules/{rules_id}").text).values
    assert same(RuleForm(values), find_rules(rules_id))
    for variation in variations(rules_id):
        rules = find_rules(rules_id).override(variation.options)
        assert same(again(RuleForm.of(rules, rules_id, "Ours")), rules)


@given(setting=settings_of())
def test_any_rule_set_is_the_same_after_it_was_typed(setting: Setting) -> None:
    rules = RuleSet.from_dict(setting.rules)
    form = RuleForm.of(rules, setting.rules_id, rules.name)
    assert same(again(form), rules)
    assert form.errors == {}


def test_a_generated_rule_set_is_drawn_whole(site: Site) -> None:
    site.start_club()

    @given(setting=settings_of())
    @examples(12)
    def draw(setting: Setting) -> None:
        rules = RuleSet.from_dict(setting.rules)
        typed = RuleForm.of(rules, setting.rules_id, rules.name).values
        page = site.client.post(f"{site.club}edit-rules/{setting.rules_id}", data=typed)
        assert same(RuleForm(Sent(page.text).values), rules)

    draw()


# --- the core decides -----------------------------------------------------------------------------------------------


@st.composite
def any_rules(draw: st.DrawFn) -> dict[str, Any]:
    """A catalogue rule set with some fields of other values, whether they go together or not."""
    data = find_rules(draw(st.sampled_from(CATALOGUE))).to_dict()
    names = [name for name in HOUSE_RULES if name.count(".") == 1 or name == "points"]
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=6, unique=True)):
        section, _, inner = name.rpartition(".")
        (data[section] if section else data)[inner] = draw(st.sampled_from(HOUSE_RULES[name]))
    if draw(st.booleans()):
        data["win"]["target"] = draw(st.sampled_from([0, 1, 999, 1000, -1]))
        data["auction"]["max"] = draw(st.integers(-1, 100))
    return data


@given(data=any_rules())
@examples(100)
def test_the_form_takes_what_the_core_takes_and_nothing_else(data: dict[str, Any]) -> None:
    form = RuleForm(MultiDict(typed_rules(data)))
    try:
        rules = RuleSet.from_dict(data)
    except Refused as refused:
        note(refused)
        assert form.rules is None
        assert {problem.at for problem in refused.problems} == set(form.errors)
        for at, sentences in form.errors.items():
            assert at in EDITED  # there is a field to put it beside
            assert at in form.shown
            assert all(not one[0].islower() and one.endswith(".") and at not in one.split() for one in sentences)
    else:
        assert same(form, rules)


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        ({"auction.min": "9"}, "auction.max", "Highest bid must not be below Lowest bid."),
        ({"win.target": "many"}, "win.target", "Play to must be a whole number from 1 to 999."),
        ({"win.target": ""}, "win.target", "Play to must be a whole number from 1 to 999."),
        ({"deck.jokers": "3"}, "trump.order", "Order of trump leaves out Third Joker, which is in the deck."),
        ({"deck.hand": "20"}, "deck.hand", "4 players with 20 cards each need more than the 52 of the deck."),
        ({"table.teams": "3"}, "table.teams", "4 players cannot be divided into any of these teams."),
        ({"points-0.card": "XR"}, "points", "High: Red Joker is not in Order of trump."),
        ({"points-1.key": "high"}, "points", "Two points have the same name. Rename one."),
        ({"game.tie": "points"}, "game.tie_points", "Choose at least one point that decides a tie."),
        (
            {"win.early.at": "3", "win.early.others_at_most": "5"},
            "win.early",
            "All others must have less than the score that wins.",
        ),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(site: Site, typed: dict[str, str], field: str, sentence: str) -> None:
    site.start_club()
    values = RuleForm.of(find_rules("classic"), "classic", "Ours").values
    values.pop("deck")  # a page without a script has not followed the deck
    values.update({})
    for name, text in typed.items():
        values[name] = text
    answer = site.client.post(f"{site.club}edit-rules/classic", data=MultiDict([*values.items(True), ("do", "save")]))
    assert answer.status_code == 422
    assert any(one.startswith(sentence.removesuffix(".")) for one in complaints(answer)), complaints(answer)
    assert field in RuleForm(values).errors
    kept = Sent(answer.text).values
    assert {name: kept[name] for name in typed} == typed  # what was typed is still there
    assert "No rules saved yet" in site.client.get(f"{site.club}rules/").text


# --- every field ------------------------------------------------------------------------------------------------------

SMUDGE = {"name": "smudge", "bid": "5", "takes": "", "made": "win", "failed": "set-to", "failed_to": "−10"}
SMUDGE |= {"made_to": "", "least_score": "0"}
# By the name of a field: the rule set to begin with, what is typed, and the field's value after it.
TYPED: dict[str, tuple[str, dict[str, str | list[str]], Any]] = {
    "summary": ("classic", {"summary": "As on Tuesdays."}, "As on Tuesdays."),
    "source": ("classic", {"source": "Aunt May"}, "Aunt May"),
    "table.players": ("shankar", {"table.players": ["4", "5", "6"], "table.players.first": "6"}, (6, 4, 5)),
    "table.sides": ("classic", {"table.sides": "solo"}, "solo"),
    "table.teams": ("shankar", {"table.teams": ["3", "0"], "table.players": ["6"]}, (3, 0)),
    "table.partner_right": ("classic", {"table.sides": "seat-partner", "table.partner_right": "3"}, 3),
    "table.call": ("west-michigan-5", {"table.call": "trump"}, "trump"),
    "table.direction": ("classic", {"table.direction": "right"}, "right"),
    "deck.ranks": ("classic", {"deck.ranks": ["A", "K", "Q", "J", "T", "9", "2"]}, "AKQJT92"),
    "deck.jokers": ("classic", {"deck.jokers": "1"}, 1),
    "deck.deal": ("ten-point", {"deck.deal-4": "10", "deck.deal-6": "8"}, ((4, 10), (6, 8))),
    "deck.hand": ("ten-point", {"deck.hand": "6", "deck.hand-6": "7"}, ((4, 6), (6, 7))),
    "deck.kitty": ("classic", {"deck.kitty": "4"}, 4),
    "deck.kitty_to": ("ten-point", {"deck.kitty_to": "nobody"}, "nobody"),
    "deck.undealt": ("classic", {"deck.undealt": "buried"}, "buried"),
    "deck.misdeal": ("classic", {"deck.misdeal": "1"}, 1),
    "deck.redeal": ("classic", {"deck.redeal": "no-face-cards"}, "no-face-cards"),
    "trump.turned": ("all-fours", {"trump.turned-A": "1"}, {"J": 1, "A": 1}),
    "trump.gift": ("all-fours", {"trump.gift": "2"}, 2),
    "trump.gift_to": ("all-fours", {"trump.gift_to": "eldest"}, "eldest"),
    "trump.run": ("all-fours", {"trump.run": "2"}, 2),
    "deck.draw": ("classic", {"deck.draw": "up-to-3"}, "up-to-3"),
    "deck.rob": ("classic", {"deck.rob": "dealer"}, "dealer"),
    "trump.by": ("classic", {"trump.by": "named"}, "named"),
    "trump.order": ("classic", {"trump.order": "A K Q J L T 9 8 7 6 5 L5 4 3 2"},
     ("A", "K", "Q", "J", "L", "T", "9", "8", "7", "6", "5", "L5", "4", "3", "2")),
    "trump.jokers": ("ten-point", {"trump.jokers": "last"}, "last"),
    "play.follow": ("classic", {"play.follow": "trumps-only"}, "trumps-only"),
    "auction.rounds": ("classic", {"auction.rounds": "until-passed"}, "until-passed"),
    "auction.min": ("classic", {"auction.min": "1"}, 1),
    "auction.max": ("classic", {"auction.max": "6"}, 6),
    "auction.specials": ("classic", {f"auction.specials-0.{part}": text for part, text in SMUDGE.items()}
     | {"auction.specials-0.needs": ["every-point"]},
     (Special("smudge", 5, ("every-point",), "win", None, "set-to", -10, 0, None),)),
    "auction.dealer": ("classic", {"auction.dealer": "match"}, "match"),
    "auction.all_pass": ("classic", {"auction.all_pass": "dealer-forced"}, "dealer-forced"),
    "auction.pass_cost": ("classic", {"auction.pass_cost": "2"}, 2),
    "auction.seller": ("double-jack", {"auction.seller": "eldest"}, "eldest"),
    "auction.max_again": ("classic", {"auction.max_again": "anyone"}, "anyone"),
    "auction.cap": ("pedro-sancho", {"auction.cap": "seller-short"}, "seller-short"),
    "auction.forced_bid": ("shankar", {"auction.forced_bid": "3"}, 3),
    "points": ("double-jack",
     {"points-4.key": "last", "points-4.card": "last-trick", "points-4.worth": "2", "points-3.owner": "keeper"}, (
     Point("high", "highest", "holder", 1), Point("low", "lowest", "holder", 1), Point("right_jack", "J", "taker", 1),
     Point("left_jack", "L", "keeper", 1), Point("last", "last-trick", "taker", 2))),
    "game.values": ("classic", {"game.values-T": "10", "game.values-9": "5", "game.values-J": ""},
     {"T": 10, "A": 4, "K": 3, "Q": 2, "9": 5}),
    "game.award": ("classic", {"game.award": "at-least"}, "at-least"),
    "game.at_least": ("double-jack", {"game.at_least": "30"}, 30),
    "game.tie": ("classic", {"game.tie": "dealer"}, "dealer"),
    "game.tie_points": ("classic", {"game.tie": "points", "game.tie_points": ["jack", "low"]}, ("jack", "low")),
    "settle.made": ("classic", {"settle.made": "bid"}, "bid"),
    "settle.set": ("classic", {"settle.set": "nothing"}, "nothing"),
    "settle.defenders": ("classic", {"settle.defenders": "both"}, "both"),
    "settle.sweep": ("classic", {"settle.sweep": "1"}, 1),
    "win.target": ("classic", {"win.target": "15"}, 15),
    "win.eligible": ("classic", {"win.eligible": "made-bid"}, "made-bid"),
    "win.both": ("classic", {"win.both": ["bidder", "share", ""]}, ("bidder", "share")),
    "win.early": ("classic",
     {"win.early.at": "7", "win.early.others_at_most": "−1", "win.early.eligible": "made-bid"},
     EarlyWin(7, -1, "first-reach", "made-bid")),
    "win.order": ("classic", {"win.both": ["count-out"], "win.order": ["low", "high"]}, ("low", "high")),
    "win.all_points": ("classic", {"win.all_points": "anyone"}, "anyone"),
    "win.hands": ("classic", {"win.hands": "12"}, 12),
    "win.lost_at": ("classic", {"win.lost_at": "-20"}, -20),
    "win.lost_sets": ("classic", {"win.lost_sets": "3"}, 3),
    "win.lost_in_a_row": ("classic", {"win.lost_in_a_row": "2"}, 2),
    "win.counted": ("classic", {"win.counted": "down"}, "down"),
}  # fmt: skip


def value_of(rules: RuleSet, name: str) -> Any:
    section, _, inner = name.rpartition(".")
    return getattr(getattr(rules, section) if section else rules, inner)


def typed_in(base: str, typed: dict[str, str | list[str]]) -> RuleForm:
    """The form of a rule set after something was typed."""
    values = RuleForm.of(find_rules(base), base, "Ours").values
    for name, texts in typed.items():
        values.poplist(name)
        for text in [texts] if isinstance(texts, str) else texts:
            values.add(name, text)
    return RuleForm(values)


def test_the_table_has_every_field() -> None:
    assert set(TYPED) == set(FIELDS) - {"id", "name"}  # the name is the club's, the id follows from it


@pytest.mark.parametrize("name", TYPED)
def test_every_field_can_be_typed(name: str) -> None:
    base, typed, expected = TYPED[name]
    assert value_of(find_rules(base), name) != expected
    form = typed_in(base, typed)
    assert form.rules is not None, form.errors
    assert value_of(form.rules, name) == expected
    assert name in [*form.basics, *(one for names in form.more.values() for one in names)]  # and it is on the page


def test_every_field_and_every_choice_has_its_words() -> None:
    assert set(WORDS) == set(KINDS)
    for name, kind in KINDS.items():
        assert WORDS[name].title
        if isinstance(getattr(kind, "item", kind), Word) and name != "points.card":
            assert set(kind.choices) == set(WORDS[name].choices)


def test_bids_kept_down_without_a_way_on_are_refused_beside_the_field() -> None:
    typed = {"auction.cap": "seller-short", "auction.all_pass": "redeal"}
    form = typed_in("pedro-sancho", typed)
    assert form.errors == {"auction.cap": ["Nobody could bid near the end. Choose what happens when all pass."]}


def test_another_score_where_scores_count_down_is_refused_beside_its_field() -> None:
    form = typed_in("classic", {"win.lost_at": "-7", "win.counted": "down"})
    refusal = "Where scores count down, this cannot name a score. Leave it blank, or count up from 0."
    assert form.errors == {"win.lost_at": [refusal]}


def said_by(rules: RuleSet) -> str:
    return " ".join(sentence for chapter in chapters(rules) for sentence in chapter.sentences)


def test_a_bid_for_every_trick_alone_is_said_as_one_would_say_it() -> None:
    assert "and alone, a bid of 7: win every trick yourself." in said_by(find_rules("western-pennsylvania-cinch"))


def test_counts_by_players_are_said_of_those_who_may_play() -> None:
    """Ten-point pitch deals nine to four players and eight to six, who have a kitty of six."""
    both = find_rules("ten-point")
    assert "Each player gets nine cards with four players and eight with six." in said_by(both)
    four, six = (both.override({"table.players": [players]}) for players in (4, 6))
    assert "Each player gets nine cards, and plays with six." in said_by(four)
    assert "kitty" not in said_by(four)
    assert "Each player gets eight cards, and plays with six. Six cards go to the kitty." in said_by(six)


def test_a_rules_page_says_what_a_sale_to_a_partner_pays() -> None:
    sells = find_rules("classic").override({"auction.seller": "eldest", "auction.dealer": "outbid"})

    def told(**options: str) -> str:
        return said_by(sells.override({name.replace("__", "."): value for name, value in options.items()}))

    assert "A bid of the seller’s own team pays the seller nothing." in told()
    assert "even if the seller turns out to be the bidder’s partner" in told(table__sides="called-partner")
    assert "the bidder’s partner pays the seller nothing" in told(table__sides="seat-partner")
    assert "partner" not in told(table__sides="solo")


def test_the_order_in_which_points_count_is_listed_with_a_comma_before_the_last() -> None:
    counts_out = find_rules("classic").override({"win.both": ["count-out"], "win.order": ["high", "low", "game"]})
    assert "when the points are counted one by one: High, Low, then Game." in said_by(counts_out)


def test_where_nobody_bids_nobody_is_said_to_be_set() -> None:
    assert "set" not in said_by(find_rules("all-fours")).split()
    assert "Everyone scores what they take." in said_by(find_rules("all-fours"))
    assert "Everyone scores what they take, and nobody is set." in said_by(find_rules("pedro-sancho"))

"""The form of a club's own rules: all fields can be edited, and the saved rules equal the input."""

from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules, variations
from scorekeeper.scoring.rules.fields import FIELDS, KINDS
from scorekeeper.scoring.rules.kinds import Word
from scorekeeper.scoring.rules.words import WORDS
from scorekeeper.web.rulebook.forms import EDITED, RuleForm
from scorekeeper.web.rulebook.messages import chapters
from tests.conftest import examples
from tests.scoring.rule_values import HOUSE_RULES, VALUES
from tests.scoring.test_properties import Setting, settings_of
from tests.web.site import Site, complaints


class Sent(HTMLParser):
    """Fields of the rules form, without buttons, as sent by a browser."""

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
    """True if the form gives these rules, except for their id."""
    return form.rules is not None and form.rules._replace(id=rules.id, name=rules.name) == rules


def again(form: RuleForm) -> RuleForm:
    """Return the form as sent back by a browser."""
    return RuleForm(MultiDict(form.values))


@pytest.mark.parametrize("rules_id", CATALOGUE)
def test_a_rule_set_that_is_sent_back_as_drawn_is_the_same(site: Site, rules_id: str) -> None:
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
    @given(setting=settings_of())
    @examples(12)
    def draw(setting: Setting) -> None:
        rules = RuleSet.from_dict(setting.rules)
        typed = RuleForm.of(rules, setting.rules_id, rules.name).values
        page = site.client.post(f"{site.club}edit-rules/{setting.rules_id}", data=typed)
        assert same(RuleForm(Sent(page.text).values), rules)

    draw()


@st.composite
def any_rules(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a catalogue rule set with other values in some fields, valid together or not."""
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
    pairs: list[tuple[str, str]] = []
    for name in EDITED:
        section, _, inner = name.rpartition(".")
        value = (data[section] if section else data).get(inner, FIELDS[name].default)
        pairs += FIELDS[name].kind.to_inputs(name, value)
    form = RuleForm(MultiDict(pairs))
    try:
        rules = RuleSet.from_dict(data)
    except Refused as refused:
        note(refused)
        assert form.rules is None
        assert {problem.at for problem in refused.problems} == set(form.errors)
        for at, sentences in form.errors.items():
            assert at in EDITED  # an error has a field to stand beside
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
        ({"points-0.card": "XR"}, "points", "High: Red Joker is not a trump in this deck."),
        ({"points-1.key": "high"}, "points", "Two points have the same name. Rename one."),
        ({"game.tie": "points"}, "game.tie_points", "Choose at least one point that decides a tie."),
        ({"win.early.at": "3", "win.early.others_at_most": "5"}, "win.early",
         "All others must have less than the score that wins."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_beside_its_field(site: Site, typed: dict[str, str], field: str, sentence: str) -> None:
    values = RuleForm.of(find_rules("classic"), "classic", "Ours").values
    values.pop("deck")  # without scripts the page has not updated the deck
    for name, text in typed.items():
        values[name] = text
    answer = site.client.post(f"{site.club}edit-rules/classic", data=MultiDict([*values.items(True), ("do", "save")]))
    assert answer.status_code == 422
    assert any(one.startswith(sentence.removesuffix(".")) for one in complaints(answer)), complaints(answer)
    assert field in RuleForm(values).errors
    kept = Sent(answer.text).values
    assert {name: kept[name] for name in typed} == typed  # the input is kept
    assert "No rules saved yet" in site.client.get(f"{site.club}rules/").text


def value_of(rules: RuleSet, name: str) -> Any:
    section, _, inner = name.rpartition(".")
    return getattr(getattr(rules, section) if section else rules, inner)


def typed_in(base: str, typed: dict[str, str | list[str]]) -> RuleForm:
    """Return the form of a rule set after an input."""
    values = RuleForm.of(find_rules(base), base, "Ours").values
    for name, texts in typed.items():
        values.poplist(name)
        for text in [texts] if isinstance(texts, str) else texts:
            values.add(name, text)
    return RuleForm(values)


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in ("id", "name")])
def test_every_field_can_be_typed(name: str) -> None:
    """But for the name, which is the club's, and the id that follows from it."""
    row = VALUES[name]
    typed = {name: row.typed} if isinstance(row.typed, str) else row.typed
    assert value_of(find_rules(row.on), name) != row.comes_to
    form = typed_in(row.on, typed)
    assert form.rules is not None, form.errors
    assert value_of(form.rules, name) == row.comes_to
    assert name in [*form.basics, *(one for names in form.more.values() for one in names)]  # and it is on the page


def test_every_field_and_every_choice_has_its_words_and_no_two_choices_have_the_same() -> None:
    """No two of a field, or of who plays together and in how many teams."""
    assert set(WORDS) == set(KINDS)
    for name, kind in KINDS.items():
        assert WORDS[name].title
        if isinstance(getattr(kind, "item", kind), Word) and name != "points.card":
            assert set(kind.choices) == set(WORDS[name].choices)
    for words in (*WORDS.values(), {**WORDS["table.sides"].choices, **WORDS["table.teams"].choices}):
        labels = list((words if isinstance(words, dict) else words.choices).values())
        assert len(set(labels)) == len(labels)


def test_bids_kept_down_without_a_way_on_and_another_score_counted_down_are_refused_beside_the_field() -> None:
    typed = {"auction.cap": "seller-short", "auction.all_pass": "redeal"}
    form = typed_in("pedro-sancho", typed)
    assert form.errors == {"auction.cap": ["Nobody could bid near the end. Choose what happens when all pass."]}
    form = typed_in("classic", {"win.lost_at": "-7", "win.counted": "down"})
    refusal = "Where scores count down, this cannot name a score. Leave it blank, or count up from 0."
    assert form.errors == {"win.lost_at": [refusal]}


def said_by(rules: RuleSet) -> str:
    return " ".join(sentence for chapter in chapters(rules) for sentence in chapter.sentences)


def test_counts_by_players_are_said_of_those_who_may_play() -> None:
    """Ten-point pitch deals nine cards to four players and eight to six, who have a kitty of six."""
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


def test_where_nobody_bids_nobody_is_said_to_be_set() -> None:
    assert "set" not in said_by(find_rules("all-fours")).split()
    assert "Everyone scores what they take." in said_by(find_rules("all-fours"))
    assert "Everyone scores what they take, and nobody is set." in said_by(find_rules("pedro-sancho"))

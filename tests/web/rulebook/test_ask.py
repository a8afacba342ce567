"""Questions about the rules: answers are compared with the slow reference scorer, on random cards."""

import json
import os
import re
from html import unescape
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.scoring.rules import CATALOGUE, find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.web.common.words import card_sign
from scorekeeper.web.rulebook.ask import Ask, asked_data
from tests.by_scripts import by_scripts
from tests.scoring import reference
from tests.web.site import Site

TIMES = 40
# Taps for each rule set; set SCOREKEEPER_ASKED=10000 for a long run.
TAPS = int(os.environ.get("SCOREKEEPER_ASKED", "400"))
PLAY = """
const play = ({ about, taps }) => {
  let asked = { question: "trick", trump: "", cards: [], bid: about.bid, taken: [] };
  return taps.map(([name, value]) => {
    asked = answers.tap(about, asked, name, value);
    const deck = asked.trump ? answers.deck(about, asked) : [];
    return [asked, deck, answers.hint(about, asked), answers.answer(about, asked), answers.rows(about, asked)];
  });
};
const playAll = (tables) => tables.map(play);
"""


def drawn(rules_id: str, seed: int) -> tuple[Table, dict[str, Any], Random, str, list[str]]:
    """Return a table, its rules as data, a random generator, a trump suit and the shuffled deck."""
    table, rng = Table(find_rules(rules_id)), Random(seed)
    rules = table.rules.to_dict()
    return table, rules, rng, rng.choice("SHDC"), rng.sample(reference.all_cards(rules), len(table.deck))


def asked(table: Table, question: str, trump: str, cards: list[str]) -> Ask:
    return Ask(table, {"ask": question, "trump": trump, "cards": ",".join(cards)})


@pytest.mark.parametrize(
    ("rules_id", "cards", "names"),
    [
        ("pidro", [], "High, Jack, Ten, Pedro, Left Pedro, Low"),
        ("trinidad-all-fours", [], "High, Low, Jack"),
        ("trinidad-all-fours", ["KH", "9H"], "High, Low, Jack"),
        ("west-michigan-6", ["9C"], "High, Low, Right Jack, Left Jack, Right Joker, Left Joker"),
    ],
)
def test_the_points_come_in_the_order_of_the_rules(rules_id: str, cards: list[str], names: str) -> None:
    rows = asked(Table(find_rules(rules_id)), "points", "H", cards).rows
    assert ", ".join(row.name for row in rows) == names


@pytest.mark.parametrize("rules_id", CATALOGUE)
def test_who_wins_a_trick(rules_id: str) -> None:
    for seed in range(TIMES):
        table, rules, rng, trump, deck = drawn(rules_id, seed)
        cards = deck[: rng.randint(2, table.players)]
        place = reference.winning_place(cards, reference.trump_row(rules, trump), rules)
        said = asked(table, "trick", trump, cards).answer[0]
        assert said.startswith(f"{card_sign(cards[place]).capitalize()} wins. ")


@pytest.mark.parametrize("rules_id", CATALOGUE)
def test_what_may_be_played(rules_id: str) -> None:
    for seed in range(TIMES):
        table, rules, rng, trump, deck = drawn(rules_id, seed)
        led, hand = deck[0], deck[1 : rng.randint(2, 7)]
        row = reference.trump_row(rules, trump)
        may = {card for card in hand if reference.may_play(rules, card, hand, led, row, trump)}
        told = asked(table, "play", trump, [led, *hand]).answer
        if not may:
            assert told == ["Only trump may be played. You are out of this hand."]
            continue
        assert signs(told[0]) == {card_sign(card) for card in may}
        assert (len(told) > 1) == (may != set(hand))
        if len(told) > 1:
            refused, reason = told[1].split(": ")
            assert signs(refused) == {card_sign(card) for card in hand if card not in may}
            assert signs(reason) <= {card_sign(card) for card in may}


def signs(text: str) -> set[str]:
    return set(re.findall(r"(?:10|[AKQJ2-9])[♠♥♦♣]\ufe0e|red joker|black joker", text))


@pytest.mark.parametrize("rules_id", [rules for rules in CATALOGUE if find_rules(rules).deck.undealt == "buried"])
def test_which_card_each_point_is(rules_id: str) -> None:
    for seed in range(TIMES):
        table, rules, _, trump, deck = drawn(rules_id, seed)
        buried, dealt = deck[: table.buried], deck[table.buried :]
        row = reference.trump_row(rules, trump)
        expected = reference.point_cards(rules, row, dealt, trump)
        rows = {row.name: row for row in asked(table, "points", trump, buried).rows}
        for point in rules["points"]:
            if point["card"] != "game":
                shown, card = rows[table.points[point["key"]].name], expected[point["key"]]
                gone = shown.said in ("buried: nobody gets it", "depends on the cards that were dealt")
                assert (None if gone else shown.card) == (None if card in buried else card)


def test_without_a_look_at_the_buried_cards_low_is_of_what_was_played() -> None:
    table = Table(find_rules("classic"))
    rows = {row.name: row for row in asked(table, "points", "H", ["KH", "4H", "9H"]).rows}
    assert (rows["High"].card, rows["Low"].card) == ("KH", "4H")
    assert rows["Jack"].said == "not in play"
    assert rows["Low"].said == "the lowest trump in play"
    rows = {row.name: row for row in asked(table, "points", "H", []).rows}
    assert rows["Low"].said == "depends on the cards that were dealt"


def test_the_highest_spade_is_asked_for_among_the_spades_whatever_is_trump() -> None:
    table = Table(find_rules("classic").override({"points": [{"key": "high_spade", "card": "highest-S"}]}))
    ask = asked(table, "points", "H", ["KH", "4S", "9S"])
    assert ask.hint == "Tap the trumps and the spades that were played."
    assert ask.deck == [*(rank + "H" for rank in "AKQJT98765432"), *(rank + "S" for rank in "AKQJT98765432")]
    assert ask.rows == [("High Spade", "9S", "the highest spade in play, trump or not")]
    assert asked(table, "points", "S", ["KS", "4S"]).deck == [rank + "S" for rank in "AKQJT98765432"]
    assert asked(table, "points", "H", ["KH"]).rows == [("High Spade", None, "not in play")]
    ask = asked(Table(find_rules("classic")), "points", "H", ["KH"])
    assert ask.hint == "Tap the trumps that were played."


TAKES = "Make your bid and score all you took."
LOSES = "Fall short and you are set. Lose the bid."
NOTHING = "Fall short and you are set. Score nothing."
NO_BIDDING = "Everyone scores what they take."
BOTH = "The others score what they took. When the bid is set, they score the bid as well."


@pytest.mark.parametrize(
    ("rules_id", "bid", "taken", "said", "rule"),
    [
        ("classic", "3", "high,low,game", "Bid 3, took 3: +3.", TAKES),
        ("classic", "2", "high,low,jack,game", "Bid 2, took 4: +4.", TAKES),
        ("classic", "4", "high", "Bid 4, took 1: set, −4.", LOSES),
        ("west-michigan-5", "5", "high,low", "Bid 5, took 2: set, −5.", LOSES),
        ("west-michigan-6", "0", "", "Bid 0, took 0: 0.", TAKES),
        ("shankar", "2", "high,jack", "Bid 2, took 2: +2.", TAKES),
        ("cinch", "6", "high,jack,ten", "Bid 6, took 3: set, 0.", f"{NOTHING} {BOTH}"),
        ("partnership", "5", "high,low,jack,game", "Bid smudge, took 4: +5 if you also won every trick.",
         "Make the smudge bid and score 5."),
        ("partnership", "5", "high,low,jack", "Bid smudge, took 3: set, −5.", LOSES),
        ("pedro-sancho", "0", "high,five", "Bid 0, took 6: +6.", "Everyone scores what they take, and nobody is set."),
    ],
)  # fmt: skip
def test_what_a_hand_scores_and_by_which_rule(rules_id: str, bid: str, taken: str, said: str, rule: str) -> None:
    assert Ask(Table(find_rules(rules_id)), {"ask": "hand", "bid": bid, "taken": taken}).answer == [said, rule]


def test_what_a_hand_without_bidding_scores(client: FlaskClient) -> None:
    """No bid is offered. Pagat.com: hanging the jack is worth three."""
    for taken, said in (
        ("high,jack", ["+2 for these points.", NO_BIDDING]),
        ("high,jack-captured", ["+4 for these points.", NO_BIDDING]),
        ("", []),
    ):
        ask = Ask(Table(find_rules("trinidad-all-fours")), {"ask": "hand", "taken": taken})
        assert (ask.answer, ask.hint) == (said, "Tap the points you took.")
    asks = {"ask": "hand", "bid": "0", "take": "jack-captured", "taken": "jack"}
    page = client.get("/rules/trinidad-all-fours/ask", query_string=asks).text
    assert 'name="call"' not in page
    assert re.findall(r'name="taken" value="([^"]*)"', page) == ["jack-captured"]


def test_what_a_hand_scores_where_scores_count_down() -> None:
    table = Table(find_rules("pitch-smudge").override({"win.counted": "down"}))
    asks = {"ask": "hand", "bid": "2", "taken": "high,jack,game"}
    said = [Ask(table, asks | {"bid": bid}).answer[0] for bid in "24"]
    assert said == ["Bid 2, took 3: −3.", "Bid 4, took 3: set, +4."]


def test_a_tap_puts_a_card_in_and_takes_it_out_again(client: FlaskClient) -> None:
    def tapped(**more: str) -> str:
        page = client.get("/rules/classic/ask", query_string={"ask": "trick", "suit": "H"} | more).text
        return re.findall(r'name="cards" value="([^"]*)"', page)[0]

    assert tapped(tap="AC") == "AC"
    assert tapped(cards="AC,KC", tap="2H") == "AC,KC,2H"
    assert tapped(cards="AC,KC", tap="AC") == "KC"
    assert tapped(cards="AC,KC,QC,JC", tap="2H") == "AC,KC,QC,JC"  # a trick of four is complete


def test_what_makes_no_sense_is_not_asked(client: FlaskClient) -> None:
    odd = {"trump": "X", "cards": "AA,,1,XR"}, {"ask": "hand", "bid": "٣", "taken": "x"}
    for asks in {}, {"ask": "x"}, *odd:
        answer = client.get("/rules/classic/ask", query_string=asks)
        assert answer.status_code == 200
        assert "wins" not in unescape(re.sub(r"(?s)<nav.*?</nav>|<[^>]+>", "", answer.text))


def test_a_game_is_asked_by_its_own_rules(site: Site) -> None:
    site.start_game("west-michigan-4", house=["bid-less-taken"])
    asks = {"ask": "hand", "bid": "4", "taken": "high"}
    assert "set, −3." in unescape(site.client.get(f"{site.game}rules/ask", query_string=asks).text)


def any_tap(rng: Random, table: Table) -> tuple[str, str]:
    ask = Ask(table, {})
    bids, points = [bid.value for bid in ask.bids], [point.value for point in ask.points]
    taps = [("ask", rng.choice(["trick", "play", "points", "hand"])), ("suit", rng.choice("SHDC"))]
    taps += [("tap", rng.choice(table.deck))] * 8 + [("take", rng.choice(points))] * 4
    return rng.choice(taps + ([("call", rng.choice(bids))] if bids else []))


def by_server(table: Table, taps: list[tuple[str, str]]) -> list[Any]:
    """Return the server's page after each tap."""
    said, fields, question = [], {}, "trick"
    for name, value in taps:
        if name == "ask":
            question, fields = value, {"trump": fields.get("trump", "")}
        ask = Ask(table, {"ask": question} | fields | ({} if name == "ask" else {name: value}))
        fields, rows = ask.fields, [[*row] for row in ask.rows]
        about = {"question": ask.question, "trump": ask.trump, "bid": ask.bid, "cards": ask.cards}
        said.append([about | {"taken": sorted(ask.taken)}, ask.deck, ask.hint, ask.answer, rows])
    return said


@pytest.mark.parametrize(("suits", "by_script"), [("HDC", True), ("SHDC", False)])
def test_the_server_scores_a_hand_where_two_points_are_one_card_in_every_suit(suits: str, by_script: bool) -> None:
    points = [{"key": f"high_{suit}", "card": f"highest-{suit}"} for suit in suits]
    table = Table(find_rules("classic").override({"points": [{"key": "top", "card": "highest"}, *points]}))
    assert (asked_data(table)["table"] is not None) == by_script


def test_the_script_answers_as_the_server_does() -> None:
    """For rule sets with all numbers of players, by random taps."""
    rng = Random(12)
    tables = [Table(find_rules(rules_id), rng.choice(find_rules(rules_id).table.players)) for rules_id in CATALOGUE]
    tables += [Table(find_rules(rules_id).override({"win.counted": "down"})) for rules_id in ("classic", "all-fours")]
    of_suits = {"points": [{"key": "top", "card": "highest"}, {"key": "high_spade", "card": "highest-S"},
                           {"key": "low_heart", "card": "lowest-H", "owner": "holder"}]}  # fmt: skip
    tables += [Table(find_rules(rules_id).override(of_suits)) for rules_id in ("classic", "west-michigan-4")]
    taps = [[any_tap(rng, table) for _ in range(TAPS)] for table in tables]
    abouts = [json.loads(json.dumps(asked_data(table), sort_keys=True)) for table in tables]  # as the page has it
    sent = [{"about": about, "taps": tapped} for about, tapped in zip(abouts, taps, strict=True)]
    came = by_scripts(("settle.js", "answers.js"), PLAY, "playAll", sent)
    for table, tapped, got in zip(tables, taps, came, strict=True):
        for one, expected, (asked, *rest) in zip(tapped, by_server(table, tapped), got, strict=True):
            found = [asked | {"taken": sorted(asked["taken"])}, *rest]
            assert found == json.loads(json.dumps(expected)), (table.rules.id, one)

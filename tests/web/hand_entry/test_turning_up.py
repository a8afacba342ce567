"""Hand entry without bidding: the card turned up, begging, a hung Jack, a hand that is not played."""

import re
from random import Random
from typing import Any

import pytest

from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.web.common.narrator import Narrator, turned_up_said
from scorekeeper.web.hand_entry.auction import rows_turned_up
from scorekeeper.web.hand_entry.draft import Draft
from scorekeeper.web.rulebook.messages import chapters
from tests.scoring import deals
from tests.web.site import NAMES, Site, checked, fields_of, notices, says

RULES = "trinidad-all-fours"


def tapped(**fields: Any) -> dict[str, Any]:
    """Return the fields of a hand by points; Di deals, so Ann leads."""
    given = {"dealer": "4", "bidder": None, "bid": None, "trump": "H", "point-jack": "nobody", "point-game": "nobody"}
    return given | {"point-high": "A", "point-low": "B", "detail": "points"} | fields


@pytest.fixture
def game(site: Site) -> Site:
    site.start_game(RULES)
    return site


def test_nobody_is_asked_for_a_bid_and_what_a_misdeal_costs_is_said_beside_its_button(game: Site) -> None:
    """Nor without a signal. The points are the others' until the dealer's are tapped."""
    page = game.preview(**tapped(trump=None))
    assert says(page) == "What was trump? Tap a suit."
    assert 'name="bidder"' not in page.text and 'name="bid"' not in page.text
    assert "Card turned up" in page.text and "Begged?" in page.text
    page = game.preview(**tapped(**{"point-jack": "A"}))
    assert "Tap what the dealer’s team took." in page.text
    assert "the other team" not in page.text
    hints = re.findall(r'<span class="hint">([^<]*)</span>', page.text.partition('id="row-jack"')[2])
    assert hints[:3] == ["3 if captured", "who was dealt it", "most card points"]
    page = game.client.get(f"{game.game}hands/offline").text
    assert 'name="bidder"' not in page and 'name="turned-2"' in page
    assert MISDEAL in game.preview(**tapped()).text.partition(">Misdeal</button>")[2]
    assert MISDEAL in game.client.get(f"{game.game}hands/offline").text


def test_where_nothing_is_before_the_play_it_has_no_heading(site: Site) -> None:
    for rules, heading in ((RULES, "legend"), ("blind-all-fours", "vh")):
        site.start_game(rules)
        for page in ("new", "offline"):
            assert f'class="{heading}" id="of-turned_up">' in site.client.get(f"{site.game}hands/{page}").text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Ann and Cy +1, Bo and Di +1. Both have 1."),
        ({"turned-0": "J"}, "Ann and Cy +1, Bo and Di +1. Before the play: Bo and Di +3. Bo and Di lead 4 to 1."),
        ({"beg": "gift"}, "Ann and Cy +1, Bo and Di +1. Before the play: Ann and Cy +1. Ann and Cy lead 2 to 1."),
        ({"beg": "run", "turned-0": "A", "turned-1": "6"},
         "Ann and Cy +1, Bo and Di +1. Before the play: Bo and Di +3. Bo and Di lead 4 to 1."),
        ({"point-jack": "A"}, "Ann and Cy +2, Bo and Di +1. Ann and Cy lead 2 to 1."),
        ({"point-jack": "A", "by-jack": "B"}, "Ann and Cy +4, Bo and Di +1. Ann and Cy lead 4 to 1."),
    ],
)  # fmt: skip
def test_what_the_hand_comes_to(game: Site, fields: dict[str, str], sentence: str) -> None:
    assert says(game.preview(**tapped(**fields))) == sentence


@pytest.mark.parametrize(
    ("fields", "who"),
    [
        ({"beg": "gift"}, "Bo and Di win"),  # Ann, who deals, gives them the point that they need
        ({"turned-0": "A"}, "Ann and Cy win"),
        ({"beg": "gift", "turned-0": "9"}, "Bo and Di win"),
        ({}, ""),
    ],
)  # fmt: skip
def test_who_wins_before_the_play_is_told_to_tap_not_played(site: Site, fields: dict[str, str], who: str) -> None:
    site.start_game(RULES, target="2")
    site.post_hand(**tapped())
    assert site.totals() == [1, 1]
    fields |= {"dealer": "1", "position": "2", "token": "2"}
    page = site.preview(**tapped(trump=None, **fields))
    assert ("before the play. Tap Not played." in page.text) == bool(who)
    assert f"{who} before the play." in page.text or not who


def test_a_saved_hand_is_on_the_sheet_and_opens_again(game: Site) -> None:
    game.post_hand(**tapped(**{"turned-0": "6", "point-jack": "A", "by-jack": "B", "beg": "gift"}))
    assert game.record()["hands"][0] == {
        "dealer": 4, "trump": "H", "turned_up": ["6"], "gift": True,
        "claims": {"high": "A", "low": "B", "jack": "A", "game": None}, "played_by": {"jack": "B"},
    }  # fmt: skip
    assert game.totals() == [5, 3]
    took = re.findall(r"<span>([^<]*)</span>", game.client.get(game.game).text.partition('class="took"')[2])
    assert took[:5] == ["A: High, Jack captured", "B: Low", "Game tied", "A: 1 before the play", "B: 2 before the play"]
    for place in ("history", "record"):
        assert "Ann and Cy +4, Bo and Di +1" in game.client.get(f"{game.game}{place}").text
    story = game.client.get(f"{game.game}story").text
    assert " bid" not in story


@pytest.mark.parametrize(
    ("do", "fields", "facts", "sentence", "why", "totals"),
    [
        ("passed", {"turned-0": "6"}, {"dealer": 4, "turned_up": ["6"]}, "Not played",
         "Before the play: Bo and Di +2. Bo and Di lead 2 to 0.", [0, 2]),
        ("passed", {"turned-0": "9"}, {"dealer": 4, "turned_up": ["9"]}, "Not played", "Both have 0.", [0, 0]),
        ("misdeal", {"turned-0": "6"}, {"dealer": 4, "misdeal": True}, "Misdeal",
         "Ann and Cy +1. Ann and Cy lead 1 to 0.", [1, 0]),
    ],
)  # fmt: skip
def test_a_hand_that_is_not_played(game, do, fields, facts, sentence, why, totals) -> None:
    """Who has scored before the play is said there, beside Save and on the score sheet."""
    game.post_hand(**tapped(**fields) | {"do": do})
    assert game.record()["hands"] == [facts]
    assert game.totals() == totals
    sheet = game.client.get(game.game).text
    assert sentence.lower() in sheet
    assert ("B: 2 before the play" in sheet) is ("before the play" in why.lower())
    assert says(game.client.get(f"{game.game}hands/1/")) == f"{sentence}. {why}"
    assert f"hand 1 saved: {sentence.lower()}; " in game.client.get(f"{game.game}history").text
    assert f"<p>{sentence}." in game.client.get(f"{game.game}record").text
    assert sentence in game.client.get(f"{game.game}board").text


def test_a_misdeal_that_meets_another_phones_hand_is_sent_again_as_one(game: Site) -> None:
    game.post_hand(**tapped(**{"turned-0": "6", "point-high": "A"}))
    conflict = game.post_hand(**tapped(**{"turned-0": "9", "point-high": "B"}) | {"do": "misdeal"})
    assert conflict.status_code == 409
    ways = re.findall(r"<form[^>]*>(?:(?!</form>).)*</form>", conflict.text, re.DOTALL)
    own = next(way for way in ways if "save mine as hand 2" in way)
    sent = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', own))
    assert game.client.post(f"{game.game}hands/new", data=sent).status_code == 303
    assert game.record()["hands"][1] == {"dealer": 1, "misdeal": True}


@pytest.mark.parametrize("do", ["save", "misdeal"])
def test_it_opens_again_as_it_was_saved(game: Site, do: str) -> None:
    fields = {"turned-0": "J", "turned-1": "9", "turned-2": "6", "beg": "run", "point-jack": "A", "by-jack": "B"}
    game.post_hand(**tapped(**fields) | {"do": do})
    chosen = checked(game.client.get(f"{game.game}hands/1/"))
    ids = {f"{name}-is-{value}" for name, value in fields.items()} | {"trump-is-H"}
    assert (ids <= chosen) == (do == "save")


def test_cards_and_play_have_as_many_tricks_as_were_dealt(game: Site) -> None:
    run = {"beg": "run", "turned-0": "9", "turned-1": "9", "detail": "play", "was": "play"}
    assert "Trick 1: Ann to lead" in game.preview(**tapped(**run)).text
    plays = "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S"  # six tricks, all won by Ann
    for more, sentence in (({}, "Trick 7: Ann to lead"), ({"beg": "", "turned-0": "x"}, "")):
        page = game.preview(**tapped(**run | {"plays": plays} | more))
        assert (sentence in says(page)) if sentence else "to lead" not in says(page)


@pytest.mark.parametrize("rules", ["all-fours", RULES])
@pytest.mark.parametrize("runs", [0, 1, 2])
def test_play_is_tapped_to_its_last_trick_however_often_the_cards_were_run(site: Site, rules: str, runs: int) -> None:
    """Six cards each, and three more each time the dealer runs the cards."""
    site.start_game(rules)
    cards = 6 + 3 * runs
    deal = deals.deal(Random(7), find_rules(rules).override({"deck.hand": cards}).to_dict(), 4, 2, dealer=4)
    run: dict[str, Any] = {"beg": "run", **{f"turned-{place}": "9" for place in range(runs + 1)}} if runs else {}
    page = site.preview(**tapped(**run, trump=deal.trump, detail="play", was="play"))
    for number, trick in enumerate(deal.tricks, 1):
        for seat, card in trick:
            assert says(page) == f"Trick {number}: {NAMES[seat - 1]} to {'lead' if trick[0][0] == seat else 'play'}"
            page = site.tap(page, play=card)
            assert notices(page) == []
    assert site.client.post(f"{site.game}hands/new", data=fields_of(page) | {"do": "save"}).status_code == 303
    played = site.record()["hands"][0]["tricks"]
    assert [trick["cards"] for trick in played] == [[card for _, card in trick] for trick in deal.tricks]


def test_by_cards_who_was_dealt_the_jack_is_asked(game: Site) -> None:
    cards = {"at-AH": "A", "at-JH": "A", "at-2H": "B", "rest": "stock", "by-jack": "B", "by-low": "B"}
    page = game.preview(**tapped(**cards, detail="cards", was="cards"))
    assert says(page).startswith("Ann and Cy +5, Bo and Di +1.")  # High 1, Jack 3, Game 1; Low 1
    assert "who was dealt it" in page.text


MISDEAL = "If the dealer misdeals, the others score 1 point, and the next player deals."


def test_where_three_or_more_play_alone_nobody_knows_who_tied(site: Site) -> None:
    """A tied Game is the eldest's in All Fours; Bo and Cy may have tied, so there is no taker, not Ann.

    The tied card points of two teams say who has Game, and no more than why.
    """
    alone = {"point-high": "2", "point-low": "3", "point-jack": "nobody"}
    site.start_game("all-fours", teams="0")
    page = site.preview(**tapped(**alone))
    assert re.search(r'id="point-game-is-nobody"( checked)?><span>none<', page.text)
    assert says(page) == "Ann 0, Bo +1, Cy +1, Di 0. Now Ann 0, Bo 1, Cy 1, Di 0."
    site.start_game("all-fours", teams="2")
    page = site.preview(**tapped())
    assert re.search(r'id="point-game-is-nobody"( checked)?><span>tie<', page.text)
    tied = {"count-A": "30", "count-B": "30", "point-game": None}
    row = site.preview(**tapped(**tied)).text.partition('id="row-game"')[2]
    why = "Team A: Ann and Cy, 30 to 30. A tie goes to the player after the dealer."
    assert re.findall(r'class="hint">([^<]*)<', row)[0] == why


def test_a_joker_turned_up_has_its_name() -> None:
    """A club's own rules may give it points."""
    order, worth = "A K Q J XR T 9 8 7 6 5 4 3 2", {"J": 1, "T": 1, "XR": 2}
    rules = find_rules("all-fours").override({"deck.jokers": 1, "trump.order": order, "trump.turned": worth})
    draft = Draft(Table(rules), 1, turned=("XR",)).without_bidding()
    row, *_ = rows_turned_up(draft, Narrator(draft.table, NAMES), shows_all=False)
    assert row.choices == (("J", "J +1"), ("T", "10 +1"), ("XR", "Red Joker +2"), ("x", "other"))
    assert turned_up_said(["XR", "T"]) == "Red Joker, then 10"
    told = [sentence for chapter in chapters(rules) for sentence in chapter.sentences]
    assert "Turned up, a Jack scores 1, a 10 scores 1 and a Red Joker scores 2 for the dealer at once." in told

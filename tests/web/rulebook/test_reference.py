"""Rules of a game or a rule set as a page: all fields are covered, and examples give the results they state."""

import re

import pytest
from flask.testing import FlaskClient

from scorekeeper.scoring.rules import CATALOGUE, find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.web.rulebook.reference import Reference, examples
from tests.scoring import reference
from tests.web.rulebook.test_every_field_is_said import told
from tests.web.site import Site, read

TABLES = [(rules, players) for rules in CATALOGUE for players in find_rules(rules).table.players]


@pytest.mark.parametrize(("rules_id", "players"), TABLES)
def test_examples_show_a_made_bid_and_a_set_one(rules_id: str, players: int) -> None:
    table = Table(find_rules(rules_id), players)
    found = examples(table.rules, table.players, table.teams)
    assert len(found) >= 2
    assert [example.score.made for example in found][:2] == [True, not table.rules.auction.is_held]
    assert any(point.side is None for point in found[-1].score.points.values()) or len(found) == 2


@pytest.mark.parametrize(("rules_id", "players"), TABLES)
def test_an_example_comes_out_as_the_rules_say(rules_id: str, players: int) -> None:
    """Computed from the points on the page, and by the slow reference scorer."""
    rules = find_rules(rules_id)
    worth = {point.name: point.worth for point in rules.points}
    reference_page = Reference(rules, Table(rules, players))
    for _, score, cards in reference_page.examples if rules.auction.is_held else ():
        head = reference_page.narrator.hand(score, score.totals).head
        first, _, rest = head.partition(", took ")
        bid = int(match[0]) if (match := re.findall(r"\d+$", first)) else None
        takers = reference_page.title(score).rpartition(" bid")[0]
        if teams := reference_page.table.teams:  # a team is named by its first player
            takers = reference_page.names[reference_page.names.index(takers) % teams]
        rows, bidder = reference_page.points(score, cards), takers.split(" and ")[0]
        taken = sum(worth[row.name] for row in rows if re.split(" and |’", row.said)[0] == bidder)
        assert rest.startswith(f"{taken}:")
        if bid is not None:
            result = reference.result_of_bid(rules.to_dict(), bid, taken, taken >= bid)
            shown = result if rules.win.counted == "up" else -result
            said = f"+{shown}" if shown > 0 else str(shown).replace("-", "−")
            assert rest.removeprefix(f"{taken}: ") == (f"{said}." if taken >= bid else f"set, {said}.")


@pytest.mark.parametrize("rules_id", ["trinidad-all-fours", "all-fours"])
def test_an_example_without_bidding_adds_up(rules_id: str) -> None:
    """Each team's points, by the rows of the page; points scored before the play are listed separately."""
    rules = find_rules(rules_id)
    page = Reference(rules)
    for _, score, cards in page.examples:
        assert page.title(score).startswith("A hand that ")
        rows = page.points(score, cards)
        taken = dict.fromkeys(sorted({row.said.partition(",")[0] for row in rows if row.said[0].isupper()}), 0)
        for row in rows:
            who, _, captured = row.said.partition(",")
            if who in taken:
                taken[who] += 3 if captured else 1
        assert all(f"{who} +{points}" in page.narrator.hand(score, score.totals).head for who, points in taken.items())


def test_rules_that_deal_fewer_cards_than_are_played_have_examples() -> None:
    """Clubs have saved such rules; they do not say what other cards are dealt. The same rules have the same ones."""
    rules = find_rules("classic").override({"deck.deal": 5})
    found = examples(rules, 4, 2)
    assert len(found) >= 2
    examples.cache_clear()
    assert examples(rules, 4, 2) == found


def test_examples_that_the_scores_of_the_others_or_the_rules_forbid_are_left_out() -> None:
    # Whoever sells the next hand has 20 of 21 after the first.
    rules = find_rules("pedro-sancho").override({"auction.cap": "seller-short", "win.target": 21})
    assert 0 < len(examples(rules, 4, 0)) < len(examples(find_rules("pedro-sancho"), 4, 0))
    # Leading an off five would make another suit trump.
    odd = {"deck.undealt": "buried", "settle.set": "bid-less-taken", "trump.by": "lead", "trump.jokers": "last"}
    assert Reference(find_rules("pidro").override(odd)).examples


@pytest.mark.parametrize(("rules_id", "led"), [("pidro", "trump"), ("cinch", "card")])
def test_the_bidder_leads_what_may_be_played(rules_id: str, led: str) -> None:
    assert f"The bidder names trump, then leads any {led}." in told(find_rules(rules_id))


def test_the_rules_of_a_game_have_its_house_rules_and_its_players(site: Site) -> None:
    site.start_game("west-michigan-4", house=["bid-less-taken"], target="15")
    text = read(site.client.get(f"{site.game}rules"))
    assert "Lose the bid, minus what you took." in text
    assert "The first to 15 wins." in text
    assert "Seats, clockwise A Ann B Bo A Cy B Di" in text
    card = read(site.client.get(f"{site.game}rules/card?paper=a5"))
    assert "A Ann · B Bo · A Cy · B Di" in card
    assert "The first to 15 wins." in card


def test_a_blank_score_sheet_has_a_column_for_each_score_and_for_what_is_written_down(site: Site) -> None:
    """And the rules of a game are for as many as play."""
    for rules, column in ("classic", "Bidder, bid, trump"), ("all-fours", "Turned up, trump"):
        site.start_game(rules)
        page = site.client.get(f"{site.game}rules/sheet?paper=a4").text
        assert re.findall('<th scope="col">(.*?)</th>', page) == ["Hand", column]
        assert re.findall(r'class="score">(.*?)</th>', page) == ["Ann and Cy", "Bo and Di"]
        assert "paper-a4" in page
        assert page.count("<tr><td>") == 26
    site.start_game("shankar", players="5", teams="0")
    assert "Five players. Individual play." in read(site.client.get(f"{site.game}rules"))


def test_a_table_card_is_for_one_of_the_papers_and_for_rules_that_are_there(client: FlaskClient, site: Site) -> None:
    for asked, paper in ("", "letter"), ("?paper=a4", "a4"), ("?paper=poster", "letter"):
        assert f"paper-{paper}" in client.get(f"/rules/classic/card{asked}").text
    assert client.get("/rules/chess/card").status_code == 404
    assert client.get(f"{site.club}games/7/rules").status_code == 404

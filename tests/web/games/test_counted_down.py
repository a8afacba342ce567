"""A game counted down shows the same scores on all pages, in lists, sentences, charts and tables.

Ann, Bo and Cy play pitch with smudge from 7. The scores are worked out by hand: points taken are subtracted, sets are
added (bicyclecards.com). Ann ends at 0, Bo at 9, Cy at 4.
"""

import csv
import io
import re
from html import unescape
from typing import Any

import pytest

from scorekeeper.explaining import explain
from scorekeeper.models import ClubChange
from scorekeeper.scoring import find_rules, read_game, score_game
from scorekeeper.services import club_log
from scorekeeper.web.common.club_changes import describe
from tests.web.games.test_adjust import adjust
from tests.web.site import Site, says

# Ann bids 2 and takes 3, Bo has Low: 4, 6, 7. Bo bids 3 and takes 1: 9; Ann takes 2, Cy 1. Cy bids 2 and takes 2: 4;
# Ann takes 2 and is at 0.
HANDS = [
    {"bidder": "1", "bid": "2", "point-low": "2"},
    {"bidder": "2", "bid": "3", "point-high": "1", "point-low": "1", "point-game": "3"},
    {"bidder": "3", "bid": "2", "point-jack": "1", "point-game": "1"},
]
SCORES = re.compile(r"(?<![\d−])−?\d+ to −?\d+ to −?\d+")


def words_of(page: str) -> str:
    """Return the text of a page."""
    page = re.sub(r"(?s)<script.*?</script>|<style.*?</style>", " ", page)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page))).replace(" .", ".")


@pytest.fixture
def begun(site: Site) -> Site:
    """The game after two hands."""
    site.start_game("pitch-smudge", players="3", house=["counted-down"])
    for position, points in enumerate(HANDS[:2], 1):
        assert site.post_hand(position=str(position), **points).status_code == 303
    return site


@pytest.fixture
def over(begun: Site) -> Site:
    assert begun.post_hand(position="3", **HANDS[2]).status_code == 303
    return begun


def told(site: Site, address: str) -> str:
    answer = site.client.get(address, follow_redirects=True)
    assert answer.status_code == 200, address
    return words_of(answer.text)


def test_a_hand_is_entered_with_the_scores_counting_down(begun: Site) -> None:
    page = begun.client.get(f"{begun.game}hands/new").text
    assert re.findall(r'class="num">([^<]+)<', page)[:3] == ["2", "9", "6"]
    assert re.findall(r'class="last">([^<]+)<', page) == ["−2", "+3", "−1"]
    assert "first to 0 from 7" in words_of(page)
    preview = says(begun.preview(position="3", **HANDS[2]))
    assert preview == "Cy bid 2, took 2: −2. Ann −2. Ann wins, 0 to 4 to 9!"
    offline = begun.client.get(f"{begun.game}hands/offline").text
    assert re.findall(r'class="num">([^<]+)<', offline)[:3] == ["2", "9", "6"]
    assert "first to 0 from 7" in words_of(offline)
    assert "Ann needs 2 Hand 2" in words_of(begun.client.get(f"{begun.game}board").text)


def test_the_score_sheet_the_board_and_the_story(over: Site) -> None:
    sheet = over.client.get(over.game).text
    assert over.totals() == [0, 9, 4]
    ledger = re.findall(r'<td class="score u-\d">(?:<small>([^<]*)</small>)?\s*<span class="num">([^<]*)<', sheet)
    newest_first = [("−2", "0"), ("", "9"), ("−2", "4"), ("−2", "2"), ("+3", "9"), ("−1", "6")]
    assert ledger == [*newest_first, ("−3", "4"), ("−1", "6"), ("", "7")]
    page = words_of(sheet)
    assert "First to 0 from 7 ☰" in page
    assert "Ann wins, 0 to 4 to 9" in page
    assert "Reached 0 first, in hand 3. " in page
    assert "house rules: Scores count down to 0" in page
    board = over.client.get(f"{over.game}board").text
    assert re.findall(r'class="digits num"[^>]*>([^<]+)<', board) == ["0", "9", "4"]
    assert re.findall(r'class="change"[^>]*>\s*([^<]+)<', board) == ["−2", "−2"]
    assert "first to 0 from 7" in words_of(board)
    page = told(over, f"{over.game}story")
    assert "Ann wins, 0 to 4 to 9, by 4 points, in 3 hands. The winner was never behind." in page
    assert "After 3 hands: Ann 0, Bo 9, Cy 4." in page
    story = over.client.get(f"{over.game}story").text
    rows = re.findall(r'<tr><th scope="row">(\d)</th><td>([^<]*)</td><td>([^<]*)</td><td>([^<]*)</td>', story)
    assert rows[:3] == [("1", "4", "6", "7"), ("2", "2", "9 (set)", "6"), ("3", "0", "9", "4")]


def test_the_lists_of_games_players_and_nights_and_no_score_is_a_high_or_low_record(over: Site) -> None:
    assert "0 to 4 to 9" in told(over, over.club)
    assert "0 to 4 to 9" in told(over, f"{over.club}games/")
    assert "One game. Ann won, 0 to 4 to 9." in told(over, f"{over.club}standings")
    players = re.findall(r'href="([^"]*/players/\d+/?)"', over.client.get(f"{over.club}players/").text)
    scores = [re.findall(r'<span class="num">([^<]+)</span></a></li>', over.client.get(p).text) for p in players]
    assert sorted(scores) == [["0 to 4"], ["4 to 0"], ["9 to 0"]]
    page = told(over, f"{over.club}standings/records")
    assert "Biggest win 4 points ahead" in page
    assert "final score" not in page


def test_the_table_for_a_spreadsheet(over: Site) -> None:
    text = over.client.get(f"{over.club}hands.csv").text.removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text)))
    told = [[" ".join(row[f"{what} {n}"] for n in (1, 2, 3)) for what in ("change", "total")] for row in rows]
    assert told == [["-3 -1 0", "4 6 7"], ["-2 3 -1", "2 9 6"], ["-2 0 -2", "0 9 4"]]


def test_the_rules_and_what_is_printed(over: Site) -> None:
    for page in ("rules", "rules/card", "rules/sheet"):
        said = told(over, f"{over.game}{page}")
        assert ("Scores count down: everyone starts at 7" in said) == (page != "rules/sheet")
        assert ("Pitch with smudge, first to 0 from 7" in said) == (page == "rules/sheet")
    examples = re.findall(r"Now Ann (−?\d+), Bo −?\d+, Cy −?\d+\.", told(over, f"{over.game}rules"))
    assert examples == ["7", "7", "7"]  # Ann takes no points in the examples


def test_the_record_keeps_the_game_counted_up(over: Site) -> None:
    """Other programs score the record as usual; sentences count down."""
    record = over.record()
    assert record["rules"]["win"].pop("counted") == "down"
    plain, record = record, over.record()
    game = read_game(record)
    assert score_game(game).totals == score_game(read_game(plain)).totals == {"1": 7, "2": -2, "3": 3}
    lines = list(explain(game, score_game(game)))
    assert lines[-1] == "Ann reached 0 first, in hand 3, with 0."
    assert [line for line in lines if line.startswith("Score: ")] == [
        "Score: Ann 4, Bo 6, Cy 7.", "Score: Ann 2, Bo 9, Cy 6.", "Score: Ann 0, Bo 9, Cy 4.",
    ]  # fmt: skip
    assert "Fall short and you are set. Lose the bid: Bo +3." in " ".join(lines)


def test_an_adjustment_is_typed_as_the_score_is_shown(begun: Site) -> None:
    """Two points for a revoke are added to Bo's 9."""
    adjust(begun, unit="2", points="+2", reason="revoke")
    assert "Score adjusted. Bo +2: revoke" in told(begun, begun.game)
    assert begun.totals() == [2, 11, 6]
    assert begun.record()["hands"][-1]["adjustments"] == [{"unit": "2", "points": -2, "reason": "revoke"}]
    assert "Bo +2 (revoke)" in told(begun, f"{begun.game}history")


def all_pages(site: Site) -> dict[str, str]:
    """Return the texts of all pages about the game, except its rules, whose examples have other scores."""
    of_game = ("", "now", "board", "board/now", "story", "history", "record", "share", "share.svg", "adjust")
    of_club = ("", "games/", "standings", "standings/records", "standings/charts", "players/", "changes")
    pages = [f"{site.game}{page}" for page in (*of_game, "hands/1/", "game.json")]
    return {page: told(site, page) for page in (*pages, *(f"{site.club}{page}" for page in of_club))}


def test_no_page_says_another_score(over: Site) -> None:
    pages = all_pages(over)
    said = {page: set(SCORES.findall(text)) for page, text in pages.items()}
    assert set().union(*said.values()) == {"4 to 6 to 7", "2 to 9 to 6", "0 to 9 to 4", "7 to 7 to 7", "0 to 4 to 9"}
    about = find_rules("pitch-smudge").summary  # the description in lists of games and in the record
    upward = re.compile(r"(?i)first to 7|7 or more|with 7\b|reached 7")
    assert {page for page, text in pages.items() if upward.search(text.replace(about, ""))} == set()
    assert len([page for page in said if said[page]]) >= 8


def test_the_same_game_counted_up_is_shown_as_ever(site: Site) -> None:
    site.start_game("pitch-smudge", players="3")
    for position, points in enumerate(HANDS, 1):
        site.post_hand(position=str(position), **points)
    assert site.totals() == [7, -2, 3]
    assert {score for text in all_pages(site).values() for score in SCORES.findall(text)} == {
        "3 to 1 to 0", "5 to −2 to 1", "7 to −2 to 3", "7 to 3 to −2", "0 to 0 to 0",
    }  # fmt: skip
    assert site.record()["rules"]["win"]["counted"] == "up"


def test_the_next_game_counts_down_again(over: Site) -> None:
    page = over.client.get(f"{over.club}games/new").text
    assert 'value="counted-down" id="house-counted-down" checked' in page
    assert ">Count down from</label>" in page
    assert "Pitch with smudge, first to 0 from 7, with: Scores count down to 0" in words_of(page)


def paper(site: Site, **fields: Any) -> Any:
    text = "date,team 1,score 1,team 2,score 2,team 3,score 3\n2026-01-05,Ann,3,Bo,-1,Cy,8"
    data = {"text": text, "rules": "pitch-smudge", "do": "look"} | fields
    return site.client.post(f"{site.club}transfers/paper", data=data)


def test_totals_from_paper_are_typed_as_they_were_written(site: Site) -> None:
    """Bo went below 0 and won; without the check box the highest score would win."""
    assert "Cy won" in words_of(paper(site).text)
    seen = paper(site, down="yes")
    assert re.findall(r'<span class="num">([^<]+)</span></li>', seen.text) == ["3", "−1", "8"]
    assert "Bo won" in words_of(seen.text)
    sent = dict(re.findall(r'type="hidden" name="(token|seen)" value="([^"]*)"', seen.text))
    done = paper(site, down="yes", do="bring", **sent)
    assert done.status_code == 303
    game = site.client.get(f"{site.club}games/1/")
    assert "Bo wins, −1 to 3 to 8" in words_of(game.text)
    again = paper(site, down="yes")
    assert "already saved" in again.text
    typed = {"score-1": "3", "score-2": "-2", "score-3": "8", "won": "2"}
    site.client.post(f"{site.club}games/1/edit/score", data=typed)
    changes = words_of(site.client.get(f"{site.club}changes").text)
    assert "The score of game 1 was corrected: 3 to −2 to 8, was 3 to −1 to 8." in changes
    was, now = ({"game": 1, "score": {"totals": {"1": 4, "2": total, "3": -1}}} for total in (8, 9))
    logged_before = ClubChange(kind=club_log.SCORE, before=was, after=now)  # an earlier version: 7 is not in the entry
    assert describe(logged_before) == "The score of game 1 was corrected."

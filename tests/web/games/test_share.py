"""A finished game as text and as a picture, and its record as a page."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest

from scorekeeper.charts import UPRIGHT, WIDE, ResultLine, result_picture
from scorekeeper.charts.drawing import wrapped
from scorekeeper.models import Club, Game
from scorekeeper.scoring.rules import find_rules
from tests.classic import FOUR, SET, record, start_game
from tests.web.site import Site

SVG = "{http://www.w3.org/2000/svg}"
LONG = [f"{letter}{'abcdefghij' * 6}"[:60] for letter in "ABCDEF"]


def url_of(game: Game) -> str:
    return f"/c/{game.club.key}/games/{game.number}/"


def sent_text(client, game: Game) -> str:
    return re.findall(r"readonly>([^<]+)<", unescape(client.get(f"{url_of(game)}share").text))[0]


def words(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_the_text_has_the_result_the_rule_and_the_day_and_the_picture_every_score(client, game) -> None:
    """The winners' card leads to them, and nothing that is sent leads into the club."""
    record(game, FOUR, FOUR, FOUR)
    found = sent_text(client, game)
    played = f"{game.played:%b} {game.played.day}, {game.played.year}"
    assert played not in found  # its day stays on one line of the picture
    assert found.replace("\u00a0", " ").splitlines() == [
        "Ann and Cy won: 12",
        "Bo and Di: 0",
        "",
        f"{game.rules['name']}, 3 hands, {played}",
    ]
    assert f'href="{url_of(game)}share"' in client.get(url_of(game)).text
    answer = client.get(f"{url_of(game)}share.svg")
    assert answer.mimetype == "image/svg+xml"
    said = " ".join(words(answer.text))
    won = "Ann and Cy win, 12\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}0"
    assert [part for part in (won, "Reached 11 first, in hand 3.", "Bo and Di", "3 hands") if part not in said] == []
    assert "12" in words(answer.text)
    assert not [sent for sent in (sent_text(client, game), answer.text) if game.club.key in sent]


def test_each_name_and_each_score_is_sent_once_with_why_a_lower_score_won(client, club) -> None:
    """Both reach 11 in the same hand, and the bidding team wins: A from 8 to 11, B to 12 with an adjustment."""
    both = {"win.both": ["bidder", "play-on"]}
    game = start_game(club, rules=find_rules("classic").override(both), options=both, start={"A": 8, "B": 8})
    record(game, FOUR | {"claims": FOUR["claims"] | {"low": "B"}} | {"adjustments": [
        {"unit": "B", "points": 3, "reason": "revoke"}]})  # fmt: skip
    assert game.score.totals == {"A": 11, "B": 12}
    assert sent_text(client, game).splitlines()[:2] == [
        "Ann and Cy won because the bidder goes out first: 11",
        "Bo and Di: 12",
    ]
    here = f"/c/{club.key}/"
    assert "11 to 12, because the bidder goes out first" in client.get(f"{here}games/").text
    told = "One game. Ann and Cy won, 11 to 12, because the bidder goes out first."
    assert told in client.get(f"{here}standings").text


def test_a_list_of_five_scores_begins_with_why_a_lower_one_won(client, club) -> None:
    """Both reach 11; after the last name, it would seem to be the last player's bid."""
    names, start = ["Ann", "Bo", "Cy", "Di", "Ed"], {"1": 10, "2": 8, "3": 0, "4": 0, "5": 0}
    game = start_game(club, rules=find_rules("shankar"), players=5, teams=0, names=names, start=start)
    took = {"high": "2", "low": "2", "jack": "2", "game": "1"}
    record(game, {"bidder": 2, "bid": 3, "trump": "H", "claims": took})
    assert (
        ">Won because the bidder goes out first: Bo 11, Ann 11, Cy 0, Di 0, Ed 0</small>"
        in client.get(f"/c/{club.key}/games/").text
    )


@pytest.mark.parametrize("page", ["share", "share.svg"])
def test_a_game_that_goes_on_is_not_shared(client, game, page: str) -> None:
    record(game, SET)
    answer = client.get(f"{url_of(game)}{page}")
    assert (answer.status_code, answer.location) == (303, url_of(game))
    assert "Share" not in client.get(url_of(game)).text


@pytest.mark.parametrize("shape", [WIDE, UPRIGHT])
def test_six_names_of_sixty_letters_fit_and_none_is_cut(shape: tuple[int, int]) -> None:
    lines = [ResultLine(str(seat), name, "−105", has_won=seat == 1) for seat, name in enumerate(LONG, 1)]
    picture = result_picture("T" * 80, f"{LONG[0]} wins, with 120", "Why. " * 30, lines, "Setback, 3 hands", shape)
    everything = "".join(words(picture)).replace(" ", "")
    assert all(name in everything for name in LONG)
    root = ElementTree.fromstring(picture)
    height = float(root.get("height", "0"))
    assert (float(root.get("width", "0")), height) == shape
    for text in root.iter(f"{SVG}text"):
        letters, size = len(text.text or ""), float(text.get("font-size", "0"))
        left = float(text.get("x", "0")) - (letters * size * 0.7 if text.get("text-anchor") == "end" else 0)
        assert left >= 40
        assert left + letters * size * 0.45 <= shape[0]
        assert 0 < float(text.get("y", "0")) < height


def test_names_and_scores_stay_on_one_line_if_they_can_and_lines_break_between_words() -> None:
    lines = [ResultLine("A", "Ruth and Marv", "16", has_won=True), ResultLine("B", "Gordon and Bea", "42")]
    picture = result_picture("Club, game 2", "Ruth and Marv win, with 16", "Why. " * 9, lines, "10 hands", UPRIGHT)
    assert {"Ruth and Marv", "Gordon and Bea"} <= set(words(picture)[3:])
    assert not {"16", "win, with"} & set(words(picture)[:3])
    assert wrapped("to be or not", 3.5) == ["to be", "or not"]
    assert "".join(wrapped("x" * 60, 10)) == "x" * 60
    assert wrapped("Maximilian-Theodore", 8) == ["Maximilian-", "Theodore"]


def test_names_are_no_markup_in_the_picture(client, club: Club) -> None:
    game = start_game(club, names=["<b>", "Bo & Co", "Cy", "Di"])
    record(game, FOUR, FOUR, FOUR)
    assert "<b> and Cy" in " ".join(words(client.get(f"{url_of(game)}share.svg").text))


def test_the_record_is_a_page_with_a_download(table: Site) -> None:
    assert "No hands yet." in table.client.get(f"{table.game}record").text
    table.post_hand()
    sheet = table.client.get(table.game).text
    assert f'href="{table.game}record"' in sheet
    page = unescape(table.client.get(f"{table.game}record").text)
    assert f'href="{table.game}game.json"' in page
    assert "Players, clockwise: Ann, Bo, Cy, Di." in page
    assert "Ann bid 3, took 4." in page
    assert '"bidder": 1' in page

"""The rules pages: every rule set in sentences, as docs/rules.md has it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from scorekeeper.scoring.rules import CATALOGUE


def sections(client: FlaskClient, rules: str) -> dict[str, str]:
    """The text of each section by its title."""
    page = client.get(f"/rules/{rules}").text
    found = re.findall(r'<section class="sheet"[^>]*>\s*<h2[^>]*>(.*?)</h2>(.*?)</section>', page, re.DOTALL)
    return {unescape(title): " ".join(unescape(re.sub("<[^>]+>", " ", text)).split()) for title, text in found}


def test_every_rule_set_is_a_tap_away(client: FlaskClient) -> None:
    page = client.get("/rules/").text
    for rules in CATALOGUE:
        assert f'href="/rules/{rules}"' in page
        assert client.get(f"/rules/{rules}").status_code == 200
    assert client.get("/rules/chess").status_code == 404


def test_classic_in_sentences(client: FlaskClient) -> None:
    told = sections(client, "classic")
    assert told["Who plays"] == "Four players. Two teams, partners in alternate seats."
    assert told["The cards"].startswith("52 cards: A K Q J 10 9 8 7 6 5 4 3 2 in every suit. Each player gets six.")
    assert told["The cards"].endswith("The cards left over stay face down.")
    assert told["Made and set"].startswith(
        "A side that makes its bid scores everything it took. A side that falls short"
    )
    assert told["Card points"].startswith("Each side adds up its card points, in all suits.")


@pytest.mark.parametrize("rules", CATALOGUE)
def test_no_rule_is_told_in_words_that_nobody_says(client: FlaskClient, rules: str) -> None:
    text = " ".join(sections(client, rules).values())
    assert not re.findall(r"colour|Game count|speaks|lie buried|whole|anew|\bstands?\b|\{|None", text)

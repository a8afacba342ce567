"""Whole games worked out by hand: the files in `golden/` have the facts, calculations in comments, and expected scores.

A file is parsed by line: `hand` begins a hand, `=>` is its expected score, `end` how the game ends; other lines are a
key of the game record and its value; `#` begins a comment.
"""

from pathlib import Path
from typing import Any

import pytest

from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.record import score_record
from tests.scoring.records import DOCUMENTED, calls, cards, claims, ended, plain, points, signed, tricks

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


def numbers(text: str) -> dict[str, int]:
    """Parse `"A 43 B 37"` into `{"A": 43, "B": 37}`."""
    words = text.split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}


def add_fact(facts: dict[str, Any], key: str, text: str) -> None:
    """Add one line of a file to the record of its game or hand."""
    if key == "trick":
        facts.setdefault("tricks", []).extend(tricks(text))
    elif key == "pile":
        side, _, held = text.partition(":")
        facts.setdefault("piles", {}).setdefault(side, []).extend(held.split())
    elif key == "option":
        name, _, value = text.partition(" ")
        facts.setdefault("options", {})[name] = value
    elif key in ("players", "teams", "dealer", "bidder"):
        facts[key] = int(text)
    elif key == "partner":
        facts[key] = None if text == "nobody" else int(text)
    else:
        readers = {
            "start": numbers, "game_counts": numbers, "bids": calls, "buried": cards, "claims": claims, "bid": _bid,
        }  # fmt: skip
        facts[key] = readers.get(key, str)(text)


def _bid(text: str) -> int | str:
    return int(text) if text.isdigit() else text


def read_golden(path: Path) -> tuple[dict[str, Any], list[str]]:
    """The record in a golden file, and the expected lines: one per hand, and one for the end."""
    game: dict[str, Any] = {"format": "setback-game/1", "hands": []}
    facts, expected = game, []
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, text = line.partition("#")[0].strip().partition(" ")
        if key == "hand":
            game["hands"].append(facts := {})
        elif key in ("=>", "end"):
            expected.append(text.strip())
        elif key:
            add_fact(facts, key, text.strip())
    return game, expected


def said(scored: HandScore) -> str:
    if scored.status == "passed-out":
        return f"{scored.dealer} deals, passed out; {plain(scored.totals)}"
    counts = f" ({plain(scored.counts)})" if scored.counts else ""
    made = "made" if scored.made else "set"
    return (
        f"{scored.dealer} deals, {scored.bidder} bids {scored.bid}, {made}; {points(scored)}{counts}; "
        f"{signed(scored.change)}; {plain(scored.totals)}"
    )


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_game_worked_out_by_hand(path):
    game, expected = read_golden(path)
    result = score_record(game)
    assert [*map(said, result.hands), f"{ended(result)}; {result.next_dealer} deals next"] == expected


def test_there_is_a_game_for_every_rule_set_of_the_five_documents():
    """Other documented games have charts in test_charts_family.py."""
    assert {read_golden(path)[0]["rules"] for path in GOLDEN} == set(DOCUMENTED)

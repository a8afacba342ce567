"""`scorekeeper score --explain`: its sentences match the scores and the recorded charts."""

import io
import json
import re
import sys
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from scorekeeper.cli import main as command
from scorekeeper.explaining import explanation, main
from scorekeeper.scoring.game import Game, GameScore, replay
from scorekeeper.scoring.record import read_game, score_record
from scorekeeper.scoring.rules import CATALOGUE, find_rules, variations
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.simulator import draw_styles
from scorekeeper.simulator.hands import DETAILS
from tests.scoring.records import calls, claims, hand, record
from tests.scoring.test_golden_games import GOLDEN, read_golden
from tests.simulator.games import told_game

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil")
MINUS = "−"


class Told(NamedTuple):
    """Facts read from the sentences of one hand: who has each point, the changes of the scores, and the totals."""

    points: dict[str, str]
    verdict: str
    changes: dict[Unit, int]
    totals: dict[Unit, int]


BEFORE = "Before the play: "
TEAM = rf"(?:’s team| and (?:{'|'.join(NAMES)}))?"  # follows the name of a team's first player


def read_back(text: str, table: Table) -> list[Told]:
    """Parse the hands of an explained game from its text."""
    return [_hand(block.splitlines()[1:], table) for block in text.split("\n\n")[1:-1]]


def _hand(lines: list[str], table: Table) -> Told:
    names = {point.name: key for key, point in table.points.items()}
    found = [re.match(r"([^:.]+): (nobody\.|(.+?), \d+ points?\.)", line) for line in lines]
    points = {names[m[1]]: (m[3] or "nobody").removesuffix(", captured") for m in found if m and m[1] in names}
    verdict = re.search(r"so the bid is (\w+)\.", "\n".join(lines))
    changes: dict[Unit, int] = {}
    for line in lines[:-1]:
        if not line.startswith("Note: ") and BEFORE not in line:
            changes |= _numbers(line.rpartition(": ")[2], table, r"[+−]\d+|0")
    for name, number in re.findall(rf"({'|'.join(NAMES)}){TEAM} sold the hand: \+(\d+)\.", "\n".join(lines)):
        changes[table.unit_of[NAMES.index(name) + 1]] += int(number)
    for line in lines:
        for unit, points_before in _numbers(
            line.partition(BEFORE)[2].partition(". ")[0] + ".", table, r"\+\d+"
        ).items():
            changes[unit] += points_before
    return Told(points, verdict[1] if verdict else "", changes, _numbers(lines[-1], table, r"−?\d+"))


def _numbers(line: str, table: Table, number: str) -> dict[Unit, int]:
    """Parse "Ann and Cy +3, Bo and Di −2", by unit."""
    found = re.findall(rf"({'|'.join(NAMES)}){TEAM} ({number})(?=[.,])", line)
    return {table.unit_of[NAMES.index(name) + 1]: int(said.replace(MINUS, "-")) for name, said in found}


def who(table: Table, seats: list[int]) -> str:
    """Return the name of a side: a team of more than two by its first player, others by all names."""
    if table.teams and len(seats) > 2:
        return f"{NAMES[seats[0] - 1]}’s team"
    said = [NAMES[seat - 1] for seat in seats]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def shown(scores: dict[Unit, int], target: int, sign: int) -> dict[Unit, int]:
    """Convert scores or changes to those of a table that counts down from `target` (for changes 0)."""
    return {unit: target + sign * number for unit, number in scores.items()}


def check(game: Game, score: GameScore, text: str) -> None:
    sign, top = (-1, game.rules.win.target) if game.rules.win.counted == "down" else (1, 0)
    told = read_back(text, game.table)
    assert len(told) == len(score.hands)
    for one, scored in zip(told, score.hands, strict=True):
        assert one.totals == shown(scored.totals, top, sign)
        if scored.sides is None:
            continue
        if game.rules.auction.is_held:
            assert one.verdict == ("made" if scored.made else "set")
        assert one.changes == shown(scored.change, 0, sign)
        for key, point in scored.points.items():
            seats = [seat for seat in game.table.seats if scored.sides.of_seat[seat] == point.side]
            if point.side == "bidding":
                seats.sort(key=lambda seat, bidder=scored.bidder: seat != bidder)
            assert one.points[key] == (who(game.table, seats) if seats else "nobody")
    for line in text.splitlines():
        assert not line or line.startswith("Hand ") or line.endswith("."), line
        assert not re.search(r"\.\.|  |None|[{}]| \.|:\.", line), line


@pytest.mark.parametrize("rules_id", CATALOGUE)
def test_what_is_said_of_a_game_is_its_score(rules_id: str) -> None:
    rng = Random(f"explain {rules_id}")
    for number, options in enumerate([{}, *(variation.options for variation in variations(rules_id))]):
        rules = find_rules(rules_id).override(options)
        table = Table(rules, rng.choice(rules.table.players))
        detail = DETAILS[number % len(DETAILS)]
        hands = told_game(table, rng, draw_styles(rng, table.players), detail=detail, auction=number % 2 == 0)
        game = Game(table, hands, rules_id, options, names=NAMES[: table.players])
        score = replay(game)
        text = explanation(game, score)
        check(game, score, text)
        first = NAMES[min(seat for unit in score.winners for seat in table.seats_of[unit]) - 1] if score.winners else ""
        assert first in text.splitlines()[-1]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_is_said_of_a_golden_game_is_what_was_worked_out_by_hand(path: Path) -> None:
    data, expected = read_golden(path)
    game = read_game(data)
    game = read_game({**data, "names": list(NAMES[: game.table.players])})
    told = read_back(explanation(game, score_record(data)), game.table)
    for one, line in zip(told, expected[:-1], strict=True):
        head, _, rest = line.partition("; ")
        if "passed out" in head:
            assert one.totals == _plain(rest)
            continue
        _, changes, totals = rest.split("; ")
        assert one.verdict == head.rpartition(", ")[2]
        assert one.changes == _plain(changes)
        assert one.totals == _plain(totals)


def _plain(text: str) -> dict[str, int]:
    """Parse "A +3, B -2", by unit."""
    return {unit: int(number) for unit, number in (each.split() for each in text.split(", "))}


FIRST = hand(1, 3, "A: high jack; B: low game", dealer=4, bids=calls("1:3 2:p 3:p 4:p"), note="cut twice")
SECOND = hand(2, 2, "B: high low game; A: jack", dealer=None, names={"3": "Hal"}) | {
    "adjustments": [{"unit": "A", "points": -1, "reason": "late"}]
}
CLASSIC = [
    "Rules: Classic Setback.",
    "House rules: The first to 5 wins.",
    "The first to 5 wins. If both teams reach it in the same hand, the highest score wins. "
    "If that is a tie, play goes on.",
    "Team A: Ann and Cy. Team B: Bo and Di.",
    "Starting score: Ann and Cy 1, Bo and Di 0.",
    "",
    "Hand 1",
    "Di deals. The bids: Ann 3, Bo passes, Cy passes, Di passes. Ann has the bid with 3. Hearts are trump.",
    "High: Ann and Cy, 1 point. It is the highest trump in play, and counts for whoever wins the trick it is in.",
    "Low: Bo and Di, 1 point. It is the lowest trump in play, and counts for whoever wins the trick it is in.",
    "Jack: Ann and Cy, 1 point. It is the Jack of trump, here the Jack of hearts, "
    "and counts for whoever wins the trick it is in.",
    "Game: Bo and Di, 1 point. The most card points win it.",
    "Ann and Cy bid 3 and took 2, 1 too few, so the bid is set. Fall short and you are set. Lose the "
    "bid: Ann and Cy −3.",
    "Bo and Di took 2. The others always score what they took: Bo and Di +2.",
    "Note: cut twice.",
    "Score: Ann and Cy −2, Bo and Di 2.",
    "",
    "Hand 2",
    "Ann deals. Bo has the bid with 2. Hearts are trump.",
    "High: Bo and Di, 1 point. It is the highest trump in play, and counts for whoever wins the trick it is in.",
    "Low: Bo and Di, 1 point. It is the lowest trump in play, and counts for whoever wins the trick it is in.",
    "Jack: Ann and Hal, 1 point. It is the Jack of trump, here the Jack of hearts, "
    "and counts for whoever wins the trick it is in.",
    "Game: Bo and Di, 1 point. The most card points win it.",
    "Bo and Di bid 2 and took 3, so the bid is made. Make your bid and score all you took: Bo and Di +3.",
    "Ann and Hal took 1. The others always score what they took: Ann and Hal +1.",
    "Ann and Hal −1: late. The table agreed on it.",
    "Score: Ann and Hal −2, Bo and Di 5.",
    "",
    "Bo and Di reached 5 first, in hand 2, with 5.",
]


def game_of(*hands: Any, rules: str = "classic", **more: Any) -> dict[str, Any]:
    return record(rules, *hands, **more)


def told(*hands: Any, **more: Any) -> list[str]:
    game = read_game(game_of(*hands, **more))
    return explanation(game, replay(game)).splitlines()


def test_a_short_game_from_its_first_line_to_its_last() -> None:
    names, start = ["Ann", "Bo", "Cy", "Di"], {"A": 1, "B": 0}
    assert told(FIRST, SECOND, names=names, start=start, options={"win.target": 5}) == CLASSIC


def test_players_without_names_are_seats() -> None:
    lines = told(FIRST)
    assert lines[2] == "Team A: Seat 1 and Seat 3. Team B: Seat 2 and Seat 4."
    assert "Seat 1 has the bid with 3." in lines[5]
    assert lines[-1] == "Nobody has won yet, so the game goes on: Seat 1 deals next."


def test_a_score_behind_a_name_in_arabic_keeps_its_sign_in_front() -> None:
    """The left-to-right mark after the name is kept, other control characters are replaced."""
    alone = hand(1, 3, "1: high jack; 2: low game", dealer=4)
    lines = told(alone, rules="shankar", teams=0, names=["محمد", "Bo\x07", "Cy", "Di"])
    assert "Score: محمد\u200e −3, Bo? 2, Cy 0, Di 0." in lines


def test_a_game_without_hands_and_one_in_which_all_passed() -> None:
    assert told()[-1] == "No hand has been played."
    passed = {"dealer": 4, "bids": calls("1:p 2:p 3:p 4:p")}
    lines = told(passed, names=["Ann", "Bo", "Cy", "Di"], options={"auction.all_pass": "redeal"})
    assert "Di deals. All passed. If all pass, the same dealer deals again." in lines
    assert lines[-1].endswith("Di deals next.")


def test_every_trick_that_nobody_bid_is_told_with_what_it_scores() -> None:
    swept = hand(1, 3, "A: high low jack game", dealer=4, sweep="A")
    lines = told(swept, options={"settle.sweep": 2})
    assert "Every trick and every point: Seat 1 and Seat 3, 2 points more." in lines
    assert "Score: Seat 1 and Seat 3 6, Seat 2 and Seat 4 0." in lines


def test_a_special_says_what_it_needs_and_what_was_missing() -> None:
    """Partnership: four points taken and a trick lost, so the smudge is set for 5 (seed 002)."""
    smudge = hand(1, "smudge", "A: high low jack game", dealer=4)
    lines = told({**smudge, "sweep": "A"}, smudge | {"dealer": 1}, rules="partnership")
    made, lost = (line for line in lines if " bid smudge " in line)
    assert made.startswith(
        "Seat 1 and Seat 3 bid smudge (to win every trick and take all four points), took 4, so the bid is made."
    )
    assert "took 4 and lost a trick, so the bid is set." in lost
    assert made.endswith("Seat 1 and Seat 3 +5.")
    assert lost.endswith("Seat 1 and Seat 3 −5.")


def test_where_a_made_bid_scores_the_difference_the_others_score_what_they_took_when_it_is_set() -> None:
    """Ann bids 3: with 3 to 1 her team scores 2 and the others 0; with 2 to 2 she is set, and they score 2."""
    made, lost = hand(1, 3, "A: high jack game; B: low", dealer=4), hand(1, 3, "A: high jack; B: low game", dealer=1)
    lines = told(made, lost, options={"settle.made": "difference"})
    rule = "When the bid is made, whoever took the most points scores only the lead over the next. Nobody else scores"
    assert any(line.endswith(f"{rule}: Seat 1 and Seat 3 +2, Seat 2 and Seat 4 0.") for line in lines)
    assert (
        "Seat 2 and Seat 4 took 2. When the bid is set, the others score what they took: Seat 2 and Seat 4 +2." in lines
    )
    assert not any("always" in line for line in lines)


def test_specials_that_win_lose_or_set_the_score() -> None:
    special = {"name": "moon", "bid": 6, "needs": ["every-point"], "made": "win", "failed": "set-to", "failed_to": -3}
    options = {"auction.specials": [special]}
    lines = told(hand(1, "moon", "A: high low jack game", dealer=4), options=options)
    assert any("Make the moon bid and win the game: Seat 1 and Seat 3 +4." in line for line in lines)
    assert lines[-1] == "Seat 1 and Seat 3 made the moon bid in hand 1, which wins the game."
    lines = told(hand(1, "moon", "A: high low jack; B: game", dealer=4), options=options)
    assert any("took 3 and did not take every point" in line for line in lines)
    assert any("Miss the moon bid and your score is −3: Seat 1 and Seat 3 −3." in line for line in lines)


@pytest.mark.parametrize(
    ("rules", "facts", "said"),
    [
        ("classic", {"claims": claims("A: high low")}, "Jack: nobody. The Jack of hearts was not dealt. It counts for"),
        ("classic", {"claims": claims("A: high low"), "game_counts": {"A": 30, "B": 30}},
         "Game: nobody. The card points are tied. A tie counts for nobody. Card points: Seat 1 and Seat 3 30, "
         "Seat 2 and Seat 4 30. The most card points win it."),
        ("double-jack", {"claims": claims("A: high low"), "game_counts": {"A": 40}},
         "Game: nobody. Nobody has 41 card points. The most card points win it. It takes at least 41."),
        ("west-michigan-6", {"claims": claims("A: high low"), "buried": ["XR"]},
         "Right Joker: nobody. The Red Joker is buried. It counts for whoever wins the trick it is in."),
    ],
)  # fmt: skip
def test_why_nobody_has_a_point(rules: str, facts: dict[str, Any], said: str) -> None:
    lines = told(hand(1, 2, dealer=4) | facts, rules=rules)
    assert any(line.startswith(said) for line in lines)


def test_the_command_explains_files_and_says_all_that_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = game_of(hand(1, 9, dealer=4), hand(1, 9), names=["A\x1b[2J\ud800nn", "Bo", "Cy", "Di"])
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(map(json.dumps, (bad, {**bad, "hands": []}))))
    assert main(["--explain", str(path)]) == 2
    out, err = capsys.readouterr()
    problems = [line for line in out.splitlines() if line.startswith("hands[")]
    assert [line.partition(":")[0] for line in problems] == ["hands[0].bid", "hands[1].bid"]
    assert err.splitlines() == problems
    assert "Team A: A?[2J?nn and Cy." in out


def test_it_is_an_option_of_the_command_on_any_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game_of(FIRST)))
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    assert command(["score", str(path), "--explain"]) == 0
    assert b"Seat 1 and Seat 3 bid 3 and took 2" in terminal.buffer.getvalue()

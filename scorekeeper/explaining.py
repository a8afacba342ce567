"""`scorekeeper score --explain`: the same records in sentences, every point with the rule that gives it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from scorekeeper.scoring.command import Teller, score_files
from scorekeeper.scoring.game import Game, GameScore
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.rules import find_rules
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.words import GOES_ON_LEFT_TO_RIGHT
from scorekeeper.web.games.messages import deciding_rule, still_playing
from scorekeeper.web.wording import explain_sentences as say

EXPLAIN = "--explain"


def main(arguments: Sequence[str]) -> int:
    """Explain the records in the files named; the exit status is that of `scorekeeper score`."""
    return score_files([each for each in arguments if each != EXPLAIN], Teller(explained, refused))


def explained(game: Game, score: GameScore) -> str:
    """A scored game in lines of sentences, an empty line after each hand."""
    return _on_a_terminal(explain(game, score))


def refused(problems: Sequence[Problem]) -> str:
    """Everything that is wrong with a record, one line each."""
    return _on_a_terminal(map(str, problems))


def _on_a_terminal(lines: Iterable[str]) -> str:
    """Lines that any terminal can show, and without what would move its cursor: names may hold anything."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    text = "\n".join("".join(letter if _is_shown(letter) else "?" for letter in line) for line in lines)
    return text.encode(encoding, "replace").decode(encoding)


def _is_shown(letter: str) -> bool:
    return letter.isprintable() or letter == GOES_ON_LEFT_TO_RIGHT


def explain(game: Game, score: GameScore) -> Iterator[str]:
    """The sentences of a game: its rules and players, each hand, how it ended or why it goes on."""
    narrators = list(_narrators(game))
    yield from _head(game, narrators[0])
    for number, (hand, scored) in enumerate(zip(game.hands, score.hands, strict=False), 1):
        yield ""
        yield f"Hand {number}"
        yield from say.HandExplained(narrators[number], hand, scored).lines()
    yield ""
    last = narrators[-1]
    yield deciding_rule(last, score) or still_playing(last, score) or say.goes_on(last, score.next_dealer)


def _head(game: Game, narrator: Narrator) -> Iterator[str]:
    yield f"Rules: {game.rules.name or game.rules.id}."
    house = say.house_rules(game.rules, find_rules(game.rules_id)) if game.rules_id else []
    if house:
        yield f"House rules: {' '.join(house)}"
    yield say.to_win(game.rules)
    yield say.players(narrator)
    if game.start:
        yield f"Starting score: {say.scores(narrator, dict(game.start))}."


def _narrators(game: Game) -> Iterator[Narrator]:
    """Who tells of the table as it sits down, then of each hand: substitutes sit there from their hand on."""
    names = list(game.names or (f"Seat {seat}" for seat in game.table.seats))
    everybody = [*names, *(name for hand in game.hands for name in (hand.names or {}).values())]
    yield Narrator(game.table, names, everybody)
    for hand in game.hands:
        for seat, name in (hand.names or {}).items():
            names[seat - 1] = name
        yield Narrator(game.table, names, everybody)

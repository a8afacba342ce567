"""`scorekeeper score FILE...`: read game records, print one JSON line of scores for each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from .game import check_game, score_game
from .problems import Problem, Refused
from .record import answer, parse, read_game

USAGE = """usage: scorekeeper score FILE...

Scores game records (setback-game/1): a .json file holds one, a .jsonl file one a line, - reads standard input.
Prints one JSON line for each record; a record that is refused gives {"error": ..., "at": ...}, on standard error too.
Exit status: 0 when every record was scored, 2 otherwise."""


def main(arguments: Sequence[str]) -> int:
    """Score the records in the files named; the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    refused = 0
    for name in arguments:
        for text in _texts(name):
            result = text if isinstance(text, Problem) else _score(text)
            refused += isinstance(result, Problem)
            _print(result)
    return 2 if refused else 0


def _score(text: str) -> dict[str, Any] | Problem:
    """The answer to one record, or the first thing that is wrong with it."""
    try:
        game = read_game(parse(text))
    except Refused as refused:
        return refused.problems[0]
    try:
        return answer(game, score_game(game))
    except Refused:
        return check_game(game)[0]


def _print(result: dict[str, Any] | Problem) -> None:
    if isinstance(result, Problem):
        line = json.dumps({"error": result.message, "at": result.at})
        print(line, flush=True)
        print(line, file=sys.stderr)
    else:
        print(json.dumps(result), flush=True)


def _texts(name: str) -> Iterator[str | Problem]:
    """The text of each record in a file, or what keeps it from being read."""
    try:
        if name == "-":
            sys.stdin.reconfigure(encoding="utf-8-sig")  # type: ignore[union-attr]
            yield from _records(sys.stdin)
        else:
            with open(name, encoding="utf-8-sig") as file:
                yield from _lines(file) if name.endswith(".jsonl") else _whole(file, name)
    except OSError as error:
        yield Problem("unreadable", name, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        yield Problem("not-utf-8", name, "is not UTF-8 text")


def _whole(file: TextIO, name: str) -> Iterator[str]:
    yield from (file.read(),) if name.endswith(".json") else _records(file)


def _lines(file: TextIO) -> Iterator[str]:
    return (line for line in file if line.strip())


def _records(file: TextIO) -> Iterator[str]:
    """One record, or one a line: a first line that is JSON by itself tells."""
    first = next(_lines(file), "")
    if _is_json(first):
        yield first
        yield from _lines(file)
        return
    text = first + file.read()
    if _is_json(text):
        yield text
    else:
        yield from (line for line in text.splitlines() if line.strip()) if _looks_like_lines(text) else (text,)


def _looks_like_lines(text: str) -> bool:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and any(_is_json(line) for line in lines)


def _is_json(text: str) -> bool:
    try:
        return isinstance(parse(text), dict)
    except Refused:
        return False

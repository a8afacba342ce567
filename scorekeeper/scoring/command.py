"""The commands `scorekeeper score` (game records to scores, one JSON line each) and `scorekeeper rules`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import BinaryIO

from .game import Game, GameScore, score_checked
from .problems import Problem, Refused
from .record import parse, read_game, score_output
from .rules import RuleSet, UnknownRulesError, catalogue, find_rules, variations

USAGE = """usage: scorekeeper score [--explain] FILE...

Scores game records (setback-game/1): a .json file holds one, a .jsonl file one a line, - reads standard input.
Prints one JSON line for each record; a record that is refused gives {"error": ..., "at": ...}, on standard error too.
--explain says every point, bid and result in sentences instead, with the rule that decides it.
Exit status: 0 when every record was scored, 2 otherwise."""


RULES_USAGE = """usage: scorekeeper rules [NAME]

Lists the rule sets of the catalog; of the one with that id, its players, bids, points, fields and house rules."""


ScoreFormat = Callable[[Game, GameScore], str]  # formats a scored record for output
ProblemFormat = Callable[[Sequence[Problem]], str]  # formats all problems of a refused record


def main(arguments: Sequence[str]) -> int:
    """Score the records in the named files; returns the exit status."""
    return score_files(
        arguments,
        lambda game, score: json.dumps(score_output(game, score)),
        lambda problems: json.dumps({"error": problems[0].message, "at": problems[0].at}),
    )


def score_files(arguments: Sequence[str], format_score: ScoreFormat, format_problems: ProblemFormat) -> int:
    """Read, score and print every record of the named files; returns the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        return _show_usage(USAGE, asked=bool(arguments))
    refused = 0
    try:
        for name in arguments:
            for record in _records(name):
                refused += _print_score(record, format_score, format_problems)
    except OSError as error:  # read errors are problems by now: this is a closed pipe or a full disk
        if not isinstance(error, BrokenPipeError):
            _print_error(f"cannot write: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # no failing flush at interpreter exit
        return 2
    return 2 if refused else 0


def _show_usage(usage: str, *, asked: bool) -> int:
    print(usage, file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


def _print_score(record: str | Problem, format_score: ScoreFormat, format_problems: ProblemFormat) -> bool:
    """Score and print one record; returns True if it was refused."""
    try:
        if isinstance(record, Problem):
            raise Refused([record])
        game = read_game(parse(record))
        text = format_score(game, score_checked(game))
    except Refused as refused:
        text = format_problems(refused.problems)
        print(text, flush=True)
        _print_error(text)
        return True
    print(text, flush=True)
    return False


def _print_error(line: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(line, file=sys.stderr, flush=True)


# --- the catalogue ----------------------------------------------------------------------------------------------


def show_rules(arguments: Sequence[str]) -> int:
    """Print the catalogue, or one rule set in full; returns the exit status."""
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        return _show_usage(RULES_USAGE, asked=len(arguments) == 1)
    try:
        listed = (f"{rules.id}: {rules.summary}" for rules in catalogue())
        lines = _about(find_rules(arguments[0])) if arguments else listed
    except UnknownRulesError as error:
        print(f"{error}: scorekeeper rules lists them", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0


def _about(rules: RuleSet) -> Iterator[str]:
    auction = rules.auction
    yield f"{rules.name}. {rules.summary}"
    yield f"players: {_listed(rules.table.players)}"
    if rules.table.teams:
        yield f"teams: {_listed(rules.table.teams)}{' (0: everyone alone)' if 0 in rules.table.teams else ''}"
    yield f"least bid: {auction.min}" if auction.is_held else "no bidding"
    yield f"points: {_listed(point.key for point in rules.points)}"
    yield "fields:"
    yield from (f"  {name} = {json.dumps(value)}" for name, value in rules.values().items())
    yield "house rules:"
    for variation in variations(rules.id):
        yield f"  {variation.label}: {json.dumps(variation.options)}"


def _listed(things: Iterable[object]) -> str:
    return ", ".join(map(str, things))


# --- reading ----------------------------------------------------------------------------------------------------


def _records(name: str) -> Iterator[str | Problem]:
    """Yield the text of each record in a file, or the problem that prevents reading it."""
    try:
        if name != "-":
            with open(name, "rb") as file:
                yield from (_text(record, name) for record in _split(file, name))
        elif sys.stdin is None:
            yield Problem("unreadable", name, "cannot be read: standard input is closed")
        else:
            yield from (_text(record, name) for record in _split(sys.stdin.buffer, name))
    except OSError as error:
        yield Problem("unreadable", name, f"cannot be read: {error.strerror}")


def _text(record: bytes, name: str) -> str | Problem:
    try:
        return record.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Problem("not-utf-8", name, "is not UTF-8 text")


def _split(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Split a file into records by its extension; with no known one, detect one record, or one record per line."""
    if name.endswith(".json"):
        yield file.read()
        return
    lines = (line for line in file if line.strip())
    if name.endswith(".jsonl"):
        yield from lines
        return
    first = next(lines, b"")
    if _object(first) is not None:  # a multi-line object never starts with a complete one
        yield first
        yield from lines
        return
    rest = list(lines)
    by_line = any("format" in (_object(line) or ()) for line in rest)
    yield from [first, *rest] if by_line else [first + b"".join(rest)]


def _object(line: bytes) -> dict[str, object] | None:
    """The JSON object on a line; None if the line is not a complete object."""
    try:
        data = parse(line.decode("utf-8-sig"))
    except (UnicodeDecodeError, Refused):
        return None
    return data if isinstance(data, dict) else None

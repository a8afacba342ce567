"""What importing a club file does, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from scorekeeper.transfer.matching import CLASH, KNOWN, NEW, NEWER
from scorekeeper.transfer.preview import MOST_NAMED, Report

MOST_NAMES = 12
MOST_LETTERS = 240  # of all the names in a sentence; the first one is always there


def said(report: Report, *, done: bool) -> list[str]:
    """What an import did, or would do; skipped games are named one by one."""
    games, target = report.games, f"{'imported into' if done else 'for'} {report.name}"
    sentences = [
        _stop(f"{count(games[NEW], 'new game')} {target}"),
        f"{count(games[KNOWN], 'game')} already saved, identical." if games[KNOWN] else "",
        f"{count(games[NEWER], 'game')} {'updated' if done else 'to update'}: {_numbers(report, NEWER)}."
        if games[NEWER]
        else "",
        _new(report.players_new, "player"),
        _new(report.seasons_new, "season"),
        _new(report.rules_new, "rule set"),
        _by_name(report),
        _otherwise(report),
        _renumbered(report, done),
    ]
    return [sentence for sentence in [*sentences, *clashes(report, done)] if sentence]


def clashes(report: Report, done: bool) -> list[str]:
    """A sentence for each game that is different here and in the file, up to the number that is named."""
    skipped = "was skipped" if done else "will be skipped"
    told = [f"Game {number} {skipped}: {why}." for number, why in report.named[CLASH]]
    more = report.games[CLASH] - len(told)
    return (
        [*told, f"{count(more, 'more game')} {skipped.replace('was', 'were') if more > 1 else skipped}."]
        if more
        else told
    )


def count(number: int, what: str) -> str:
    """1 game, 2 games, no games."""
    return f"{number or 'No'} {what}{'' if number == 1 else 's'}"


def _numbers(report: Report, what: str) -> str:
    numbers = ", ".join(str(number) for number, _ in report.named[what])
    games = "game" if report.games[what] == 1 else "games"
    return f"{games} {numbers}" + (" and more" if report.games[what] > MOST_NAMED else "")


def _new(names: Sequence[str], what: str) -> str:
    return _stop(f"{count(len(names), f'new {what}')}: {_listed(names)}") if names else ""


def _listed(names: Sequence[str]) -> str:
    told = [name for name, letters in zip(names, accumulate(map(len, names)), strict=True) if letters <= MOST_LETTERS]
    told = (told or list(names[:1]))[:MOST_NAMES]
    left = len(names) - len(told)
    return ", ".join(told) + (f" and {left} more" if left > 0 else "")


def _by_name(report: Report) -> str:
    names = [there if there == here else f"{there} as {here}" for there, here in report.players_by_name]
    return _stop(f"Matched by name: {_listed(names)}") if names else ""


def _otherwise(report: Report) -> str:
    """Who has another name here than in the file, after a rename or a merge."""
    names = [f"{there} is {here}" for there, here in report.players_otherwise]
    return _stop(f"Known here by another name: {_listed(names)}") if names else ""


def _stop(sentence: str) -> str:
    """A sentence with its full stop; a name may have one already."""
    return sentence if sentence.endswith(".") else f"{sentence}."


def _renumbered(report: Report, done: bool) -> str:
    if not report.renumbered:
        return ""
    verb = "got" if done else "will get"
    if report.renumbered == 1:
        return f"1 game {verb} a new number: its number is taken."
    return f"{count(report.renumbered, 'game')} {verb} new numbers: their numbers are taken."

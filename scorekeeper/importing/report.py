"""What a club's file brings, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from .importer import CLASH, KNOWN, MOST_NAMED, NEW, NEWER, Report

MOST_NAMES = 12


def said(report: Report, *, done: bool) -> list[str]:
    """What a file has brought into a club, or would bring; the games left alone are named one by one."""
    games, will = report.games, "" if done else "would be "
    told = [
        _stop(f"{count(games[NEW], 'new game')} {'brought into' if done else 'for'} {report.name}"),
        f"{count(games[KNOWN], 'game')} known already: left as they are." if games[KNOWN] else "",
        f"{count(games[NEWER], 'game')} {will}brought up to date: {_numbers(report, NEWER)}." if games[NEWER] else "",
        _new(report.players_new, "player"),
        _new(report.seasons_new, "season"),
        _by_name(report),
        _renumbered(report, will),
    ]
    return [sentence for sentence in [*told, *clashes(report)] if sentence]


def clashes(report: Report) -> list[str]:
    """A sentence for every game that is another one here than in the file, as far as they are named."""
    told = [f"Game {number} is left as it is here: {why}." for number, why in report.named[CLASH]]
    more = report.games[CLASH] - len(told)
    return [*told, f"So are {count(more, 'more game')}."] if more else told


def count(number: int, what: str) -> str:
    """1 game, 2 games, no games."""
    return f"{number or 'No'} {what}{'' if number == 1 else 's'}"


def _numbers(report: Report, what: str) -> str:
    numbers = ", ".join(str(number) for number, _ in report.named[what])
    return f"game {numbers}" + (" and more" if report.games[what] > MOST_NAMED else "")


def _new(names: Sequence[str], what: str) -> str:
    return _stop(f"{count(len(names), f'new {what}')}: {_listed(names)}") if names else ""


def _listed(names: Sequence[str]) -> str:
    left = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {left} more" if left > 0 else "")


def _by_name(report: Report) -> str:
    names = [there if there == here else f"{there} as {here}" for there, here in report.players_by_name]
    return _stop(f"Known by name alone: {_listed(names)}") if names else ""


def _stop(sentence: str) -> str:
    """A sentence with its full stop; a name may have one already."""
    return sentence if sentence.endswith(".") else f"{sentence}."


def _renumbered(report: Report, will: str) -> str:
    if not report.renumbered:
        return ""
    verb = "would get" if will else "got"
    return f"{count(report.renumbered, 'game')} {verb} another number, their own being taken."

"""Every game that the catalogue has, by its rules and its table; of those that are alike, one for the quick tests."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from scorekeeper.scoring.rules import RuleSet, catalogue

Format = tuple[RuleSet, int, int]
# What tells one set from another without being another way to play.
NAMES = {"ranks", "order", "key", "card", "name"}


@cache
def all_formats() -> tuple[Format, ...]:
    """Every rule set with each of its tables: the players and, where there are teams, how many."""
    return tuple(
        (rules, players, teams)
        for rules in catalogue()
        for players in rules.table.players
        for teams in rules.table.formats(players)
    )


def said(section: Any, *path: str) -> Iterator[tuple[str, ...]]:
    """What the sections of a rule set say in words: each field with its value. Numbers change no way to play."""
    if isinstance(section, dict):
        for key, value in section.items():
            yield from () if key in NAMES else said(value, *path, key)
    elif isinstance(section, list):
        yield path if section else (*path, "none")
        for value in section:
            yield from said(value, *path)
    elif not isinstance(section, int | float) or isinstance(section, bool):
        yield (*path, str(section))


def shape(rules: RuleSet, players: int, teams: int) -> set[tuple[str, ...]]:
    """What a game is like: its table, and all that its rules say in words."""
    sections = {key: value for key, value in rules.to_dict().items() if isinstance(value, dict | list)}
    return {("players", str(players)), ("teams", str(teams)), *said(sections)}


@cache
def few_formats() -> tuple[Format, ...]:
    """As few games as have everything in them that any game has."""
    shapes = {each: shape(*each) for each in all_formats()}
    left, few = set().union(*shapes.values()), []
    while left:
        few.append(max(shapes, key=lambda each: len(shapes[each] & left)))
        left -= shapes[few[-1]]
    return tuple(few)


def every_format(test: Callable[..., Any]) -> Any:
    """Runs a test with the `rules`, `players` and `teams` of every game, those that add no shape in `make test-all`."""
    rest = [pytest.param(*each, marks=pytest.mark.slow) for each in all_formats() if each not in few_formats()]
    return pytest.mark.parametrize(("rules", "players", "teams"), [*few_formats(), *rest], ids=_name)(test)


def _name(part: RuleSet | int) -> str:
    return part.id if isinstance(part, RuleSet) else str(part)

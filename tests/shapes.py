"""All game formats of the catalogue (rule set, players, teams), and a small covering subset for the quick tests."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from scorekeeper.scoring.rules import RuleSet, catalogue

Format = tuple[RuleSet, int, int]
# Keys that differ between rule sets without changing how the game is played.
NAMES = {"ranks", "order", "key", "card", "name"}


@cache
def all_formats() -> tuple[Format, ...]:
    """Return each rule set with each of its tables: players, and number of teams (0 without)."""
    return tuple(
        (rules, players, teams)
        for rules in catalogue()
        for players in rules.table.players
        for teams in rules.table.formats(players)
    )


def said(section: Any, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield paths through a rule set that end in a word or a boolean; numbers do not change the kind of game."""
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
    """Return the traits of a game: its table, and its rules except numbers."""
    sections = {key: value for key, value in rules.to_dict().items() if isinstance(value, dict | list)}
    return {("players", str(players)), ("teams", str(teams)), *said(sections)}


@cache
def few_formats() -> tuple[Format, ...]:
    """Return few formats that together have all traits of any format (greedy set cover)."""
    shapes = {each: shape(*each) for each in all_formats()}
    left, few = set().union(*shapes.values()), []
    while left:
        few.append(max(shapes, key=lambda each: len(shapes[each] & left)))
        left -= shapes[few[-1]]
    return tuple(few)


def every_format(test: Callable[..., Any]) -> Any:
    """Parametrize a test by `rules`, `players` and `teams` over all formats; `make test` runs only `few_formats`."""
    rest = [pytest.param(*each, marks=pytest.mark.slow) for each in all_formats() if each not in few_formats()]
    return pytest.mark.parametrize(("rules", "players", "teams"), [*few_formats(), *rest], ids=_name)(test)


def _name(part: RuleSet | int) -> str:
    return part.id if isinstance(part, RuleSet) else str(part)

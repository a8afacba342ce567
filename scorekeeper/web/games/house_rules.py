"""The house rules that a table can switch on: grouped under titles, and which of them are on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.rules import CATALOGUE, RuleSet, Variation, variations
from scorekeeper.web.wording.game_sentences import HOUSE_TITLES

ASKED_ELSEWHERE = {"table.players", "table.teams", "win.target"}  # each has a field of its own


@dataclass(frozen=True, slots=True)
class Switch:
    """One house rule, or several of which only one can be on because they change the same rule.

    `name` is the field's name; `chosen` the key of the one that is on, or "".
    """

    name: str
    choices: list[Variation]
    chosen: str

    @property
    def reshapes(self) -> bool:
        """Whether the seats are drawn again: it changes who sits where."""
        return any(name.startswith("table.") for each in self.choices for name in each.options)


@dataclass(frozen=True, slots=True)
class HouseGroup:
    """The switches that change one part of the rules, under its title."""

    title: str
    switches: list[Switch]


class HouseRules:
    """The house rules of a rule set for one size of table, as `values` (a posted form) has them switched on."""

    def __init__(self, rules: RuleSet, players: int, values: MultiDict[str, str]) -> None:
        self.all = [each for each in _variations(rules.id) if _is_offered(each, players)]
        self.values = values

    @cached_property
    def switches(self) -> list[Switch]:
        rivals: list[list[Variation]] = []
        for variation in self.all:
            same = next((group for group in rivals if group[0].options.keys() & variation.options.keys()), None)
            rivals.append([variation]) if same is None else same.append(variation)
        return [self._switch(group) for group in rivals]

    def _switch(self, choices: list[Variation]) -> Switch:
        name = f"house-{choices[0].key}" if len(choices) > 1 else "house"
        chosen = self.values.getlist(name)
        return Switch(name, choices, next((each.key for each in choices if each.key in chosen), ""))

    @property
    def groups(self) -> list[HouseGroup]:
        """The switches by the part of the rules that they change, in the order of the rule set."""
        titles: dict[str, list[Switch]] = {}
        for switch in self.switches:
            section = next(iter(switch.choices[0].options)).partition(".")[0]
            titles.setdefault(HOUSE_TITLES[section], []).append(switch)
        return [HouseGroup(title, switches) for title, switches in titles.items()]

    @property
    def on(self) -> list[Variation]:
        """The house rules that are on, in the order of the rule set."""
        chosen = {switch.chosen for switch in self.switches}
        return [each for each in self.all if each.key in chosen]

    @property
    def options(self) -> dict[str, Any]:
        """What the house rules change, by the dotted names of the rules."""
        return {name: value for each in self.on for name, value in each.options.items()}

    def fields_like(self, options: Mapping[str, Any]) -> dict[str, list[str]]:
        """The form's fields, by name, that switch on what a game's `options` have on."""
        fields: dict[str, list[str]] = {}
        for switch in self.switches:
            on = [each.key for each in switch.choices if _is_on(each, options)]
            fields[switch.name] = fields.get(switch.name, []) + on
        return fields


def _variations(rules_id: str) -> Sequence[Variation]:
    """Those that the documents name; a club's own rules have none."""
    return variations(rules_id) if rules_id in CATALOGUE else ()


def _is_offered(variation: Variation, players: int) -> bool:
    names = variation.options.keys()
    return not names <= ASKED_ELSEWHERE and players in variation.options.get("table.players", (players,))


def _is_on(variation: Variation, options: Mapping[str, Any]) -> bool:
    return all(options.get(name) == value for name, value in variation.options.items())

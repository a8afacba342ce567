"""The catalogue of rule sets, one data file each beside this module: those of the five source documents and of other
documented games of the family, with every "Variation" and "House Rule Option" of the documents as variations."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from .ruleset import RuleData, RuleSet

# In catalogue order: the source documents, then other games, with the best known pitch first. A data file that is not
# named here is not part of the catalogue.
CATALOGUE = (
    "west-michigan-6",
    "west-michigan-4",
    "west-michigan-5",
    "shankar",
    "partnership",
    "double-jack",
    "classic",
    "ten-point",
    "nebraska-four-point",
    "pitch-smudge",
    "five-point",
    "six-point",
    "seven-point",
    "nine-point",
    "nine-card",
    "catch-five",
    "eleven-point",
    "thirteen-point",
    "call-partner-ten-point",
    "auction-pitch-joker",
    "commercial-pitch",
    "cinch",
    "pidro",
    "louisiana-pedro",
    "california-pedro",
    "king-pedro",
    "sixty-three",
    "pedro-sancho",
    "western-pennsylvania-cinch",
    "minnesota-smear",
    "wisconsin-smear",
    "wisconsin-four-point",
    "ten-point-smear",
    "st-paul-schmier",
    "st-paul-schmier-5",
    "trinidad-all-fours",
    "all-fours",
    "blind-all-fours",
)

_ABOUT = ("variations", "family", "known_as")  # keys of a data file that are not rules


class Variation(NamedTuple):
    """A house rule: its name, an explanation (`sentence`) if needed, its source, and the fields it changes.

    >>> from scorekeeper.scoring import variations
    >>> variations("shankar")[0].options
    {'win.target': 21}
    """

    key: str
    label: str
    source: str
    options: RuleData
    sentence: str = ""


class UnknownRulesError(KeyError):
    """Raised for an id that is not in the catalogue.

    >>> str(UnknownRulesError("whist"))
    'there is no rule set called whist'
    """

    def __str__(self) -> str:
        return f"there is no rule set called {self.args[0]}"


@cache
def _load(rules_id: str) -> RuleData:
    """Load a data file, merged over the one that it names as its base."""
    if rules_id not in CATALOGUE:
        raise UnknownRulesError(rules_id)
    with open(os.path.join(os.path.dirname(__file__), f"{rules_id}.toml"), "rb") as file:
        data = {"known_as": []} | tomllib.load(file)  # other names are not inherited from a base
    merged = dict(_load(data.pop("base"))) if "base" in data else {}
    for key, value in data.items():
        merged[key] = {**merged.get(key, {}), **value} if isinstance(value, dict) else value
    return merged | {"id": rules_id}


@cache
def find_rules(rules_id: str) -> RuleSet:
    """The catalogue's rule set of that id; raises UnknownRulesError.

    >>> find_rules("west-michigan-6").name
    'West Michigan Setback, six players'
    """
    return RuleSet.from_dict({key: value for key, value in _load(rules_id).items() if key not in _ABOUT})


@cache
def variations(rules_id: str) -> tuple[Variation, ...]:
    """The house rules that the sources offer for a catalogue rule set, in their order.

    >>> [variation.key for variation in variations("west-michigan-6")]
    ['forced-dealer', 'bid-less-taken']
    """
    return tuple(Variation(**entry) for entry in _load(rules_id).get("variations", ()))


def known_as(rules_id: str) -> tuple[str, ...]:
    """The other names of a catalogue rule set, and the places where it is played; a data file names their sources.

    >>> known_as("cinch")
    ('High Five', 'Double Pedro', 'Pedro')
    """
    return tuple(_load(rules_id)["known_as"])


def catalogue() -> tuple[RuleSet, ...]:
    """The rule sets of the source documents, then other documented games of the family.

    >>> len(catalogue())
    38
    """
    return tuple(find_rules(rules_id) for rules_id in CATALOGUE)


@cache
def families() -> Mapping[str, tuple[RuleSet, ...]]:
    """The catalogue's rule sets by the name of their family, both in catalogue order.

    >>> [rules.id for rules in families()["All Fours"]]
    ['trinidad-all-fours', 'all-fours', 'blind-all-fours']
    """
    found: dict[str, tuple[RuleSet, ...]] = {}
    for rules in catalogue():
        family = _load(rules.id)["family"]
        found[family] = (*found.get(family, ()), rules)
    return found

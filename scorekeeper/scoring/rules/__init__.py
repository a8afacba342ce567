"""Rule sets as data: every field in one place, and the catalogue. A house rule is a value of a field."""

from __future__ import annotations

from .catalog import CATALOGUE, UnknownRulesError, Variation, catalogue, families, find_rules, known_as, variations
from .fields import team_formats
from .ruleset import RuleSet, count_for

__all__ = [
    "CATALOGUE",
    "RuleSet",
    "UnknownRulesError",
    "Variation",
    "catalogue",
    "count_for",
    "families",
    "find_rules",
    "known_as",
    "team_formats",
    "variations",
]

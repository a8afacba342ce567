"""Paper to print on."""

from __future__ import annotations

from collections.abc import Mapping

PAPERS = (("letter", "Letter"), ("a4", "A4"), ("a5", "A5"))
ROWS = {"letter": 24, "a4": 26, "a5": 20}  # hands that a blank score sheet has room for
MOST_LEVEL = 6  # columns whose names are written level; with more, no first name has room


def paper_asked(arguments: Mapping[str, str]) -> str:
    """The paper that an address asks for: letter, where it names none that there is."""
    asked = arguments.get("paper", "")
    return asked if asked in ROWS else PAPERS[0][0]

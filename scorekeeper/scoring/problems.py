"""What is wrong with a record, as values: every problem at once, each with a code, a place and a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Problem(NamedTuple):
    """One thing that cannot be: a stable code for programs, the place in the record, and a sentence for people.

    >>> str(Problem("no-trump", "trump", "trump is missing").under("hands[0]"))
    'hands[0].trump: trump is missing'
    """

    code: str
    at: str
    message: str

    def __str__(self) -> str:
        return f"{self.at}: {self.message}" if self.at else self.message

    def under(self, prefix: str) -> Problem:
        """The same problem, seen from outside: its place put behind `prefix`."""
        joint = "." if prefix and self.at and not self.at.startswith("[") else ""
        return self._replace(at=f"{prefix}{joint}{self.at}")


class Problems(list[Problem]):
    """The problems found so far, in the order in which they were found."""

    def add(self, code: str, at: str, message: str) -> None:
        self.append(Problem(code, at, message))


class Refused(ValueError):
    """Raised instead of a guess; `problems` holds all that is wrong, never empty.

    >>> from scorekeeper.scoring import score_record
    >>> try:
    ...     score_record({"format": "setback-game/1", "rules": "classic", "hands": [{"dealer": 9}]})
    ... except Refused as refused:
    ...     print(refused.problems[0].at, "-", refused.problems[0].code)
    hands[0].dealer - no-such-seat
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))

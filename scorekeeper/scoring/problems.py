"""What is wrong with a record, as values: every problem at once, each with a code, a place and a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Problem(NamedTuple):
    """One thing that cannot be: a stable code for programs, where it stands, and a sentence for people."""

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
    """Raised instead of a guess; `problems` holds all that is wrong, never empty."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))

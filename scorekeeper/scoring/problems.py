"""Validation problems as values, all collected at once: each has a code, a place and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One problem: a stable code for programs, the place in the record, and a sentence for people.

    >>> str(Problem("no-trump", "trump", "trump is missing").under("hands[0]"))
    'hands[0].trump: trump is missing'
    """

    code: str
    at: str
    message: str

    def __str__(self) -> str:
        return f"{self.at}: {self.message}" if self.at else self.message

    def under(self, prefix: str) -> Problem:
        """The same problem with `prefix` before its place."""
        dot = "." if prefix and self.at and not self.at.startswith("[") else ""
        return self._replace(at=f"{prefix}{dot}{self.at}")


MOST_PROBLEMS = 1000  # problems per record; reading stops there


class Problems(list[Problem]):
    """The problems found so far, in order; raises Refused when there are MOST_PROBLEMS of them."""

    def add(self, code: str, at: str, message: str) -> None:
        self.extend([Problem(code, at, message)])

    def extend(self, found: Iterable[Problem], /) -> None:
        super().extend(found)
        if len(self) >= MOST_PROBLEMS:
            raise Refused(self[:MOST_PROBLEMS])

    def check(self) -> None:
        """Raise Refused if there are any."""
        if self:
            raise Refused(self)

    def attempt(self, place: str, read: Callable[..., Any], *given: object) -> Any:
        """The result of `read`; if it raises Refused, its problems are added under `place`, and the result is None.

        >>> from scorekeeper.scoring import parse
        >>> problems = Problems()
        >>> problems.attempt("hands[0]", parse, "{"), problems[0].at
        (None, 'hands[0]')
        """
        try:
            return read(*given)
        except Refused as refused:
            self.extend(problem.under(place) for problem in refused.problems)
            return None


class Refused(ValueError):
    """Raised for invalid input; `problems` has all its problems, up to MOST_PROBLEMS, and is never empty.

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


def refusal(code: str, message: str, at: str = "") -> Refused:
    """A Refused with one problem."""
    return Refused([Problem(code, at, message)])

"""Fractions as they are read: shares in whole percent, averages with two decimals, ratings as one number."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

STAYS = "\N{NO-BREAK SPACE}"
DECIMALS = 2
MU_TIMES, SIGMA_TIMES = 40, 80  # a newcomer, 25 and 25/3 in openskill's own units, reads 1000 ± 667
Exact = Fraction | float | int


def percent(share: Exact) -> str:
    """A share in whole percent; 0 and 100 only where they are exact."""
    whole = _rounded(share * 100)
    if 0 < share < 1:
        whole = min(99, max(1, whole))
    return f"{whole}{STAYS}%"


def average(value: Exact) -> str:
    """An average with two decimals: 2.67, −0.40."""
    hundredths = _rounded(value * 10**DECIMALS)
    whole, rest = divmod(abs(hundredths), 10**DECIMALS)
    return f"{'−' if hundredths < 0 else ''}{whole:,}.{rest:0{DECIMALS}}"


def swing(value: Exact) -> str:
    """An average gain or loss: +2.67, −0.40, 0.00."""
    said = average(value)
    return f"+{said}" if value > 0 and said != average(0) else said


def counted(number: int, one: str, many: str = "") -> str:
    """1 hand, 2 hands."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def rating_number(mu: float) -> int:
    """A rating as one number."""
    return round(MU_TIMES * mu)


def rating_said(mu: float, sigma: float) -> str:
    """A rating with how unsure it is: 1012 ± 95."""
    return f"{rating_number(mu)} ± {round(SIGMA_TIMES * sigma)}"


def day(when: date) -> str:
    """3 Mar 2026."""
    return f"{when.day} {when:%b %Y}"


def _rounded(value: Exact) -> int:
    """The nearest whole number; halves go away from zero."""
    nearest = int(abs(Fraction(value)) + Fraction(1, 2))
    return -nearest if value < 0 else nearest


FILTERS = {"percent": percent, "average": average, "swing": swing, "counted": counted, "day": day}

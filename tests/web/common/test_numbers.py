"""Fractions as they are read."""

from __future__ import annotations

from fractions import Fraction

import pytest

from scorekeeper.web.common.numbers import average, percent, rating_said, swing


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0, "0 %"),
        (Fraction(1, 1000), "1 %"),
        (Fraction(1, 8), "13 %"),  # 12.5
        (Fraction(1, 3), "33 %"),
        (Fraction(999, 1000), "99 %"),
        (1, "100 %"),
        (0.125, "13 %"),
    ],
)
def test_a_share_is_in_whole_percent_and_sure_only_where_it_is(share, said):
    assert percent(share).replace("\N{NO-BREAK SPACE}", " ") == said


@pytest.mark.parametrize(
    ("value", "said", "gained"),
    [
        (0, "0.00", "0.00"),
        (Fraction(8, 3), "2.67", "+2.67"),
        (Fraction(-2, 5), "−0.40", "−0.40"),
        (Fraction(1, 200), "0.01", "+0.01"),
        (Fraction(1, 201), "0.00", "0.00"),
        (Fraction(-1, 201), "0.00", "0.00"),
        (12345, "12,345.00", "+12,345.00"),
    ],
)
def test_an_average_has_two_decimals(value, said, gained):
    assert (average(value), swing(value)) == (said, gained)


def test_a_rating_is_one_number_with_its_uncertainty():
    assert rating_said(25, 25 / 3) == "1000 ± 667"

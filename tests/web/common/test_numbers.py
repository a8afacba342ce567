"""Numbers and dates in US format."""

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest

from scorekeeper.web.common import numbers


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0, "0%"),
        (Fraction(1, 1000), "1%"),
        (Fraction(1, 8), "13%"),  # 12.5
        (Fraction(1, 3), "33%"),
        (Fraction(999, 1000), "99%"),
        (1, "100%"),
        (0.125, "13%"),
    ],
)
def test_a_share_is_in_whole_percent_and_sure_only_where_it_is(share, said):
    assert numbers.percent(share) == said


def test_a_record_is_wins_losses_and_ties_where_there_are_any_and_a_rating_has_its_uncertainty():
    seen = [numbers.record(15, lost, tied).partition('<span aria-hidden="true">') for lost, tied in ((10, 0), (10, 1))]
    assert [shown.striptags() for _, _, shown in seen] == ["15–10", "15–10–1"]
    assert [heard for heard, _, _ in seen] == [
        '<span class="vh">won 15, lost 10</span>', '<span class="vh">won 15, lost 10, tied 1</span>',
    ]  # fmt: skip
    assert numbers.rating_said(25, 25 / 3) == "1000 ± 1067"


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
    assert (numbers.average(value), numbers.swing(value)) == (said, gained)


@pytest.mark.parametrize(("number", "said", "changed"), [(0, "0", "0"), (12, "12", "+12"), (-3, "−3", "−3")])
def test_a_whole_number_has_a_real_minus_sign(number, said, changed):
    assert (numbers.figure(number), numbers.signed(number)) == (said, changed)


def test_a_margin_is_a_change_with_one_decimal():
    assert [numbers.swing(value, 1) for value in (3.44, Fraction(-9, 20), 0.04, -0.04, 1234)] == [
        *("+3.4", "−0.5", "0.0", "0.0", "+1,234.0")
    ]


@pytest.mark.parametrize(
    ("when", "said"),
    [(date(2026, 11, 21), "Nov 21, 2026"), (date(2027, 1, 3), "Jan 3, 2027"), (date(987, 5, 1), "May 1, 987")],
)
def test_a_day_is_month_day_year(when, said):
    assert numbers.day(when) == said


@pytest.mark.parametrize(
    ("hour", "minute", "said"),
    [(0, 0, "12:00 AM"), (9, 5, "9:05 AM"), (12, 30, "12:30 PM"), (19, 41, "7:41 PM"), (23, 59, "11:59 PM")],
)
def test_a_time_of_day_has_twelve_hours(hour, minute, said):
    at = datetime(2026, 11, 21, hour, minute, tzinfo=UTC)
    assert numbers.day_and_hour(at, "UTC", at) == f"Saturday {said}"


def test_a_moment_of_the_last_days_has_its_weekday_and_one_before_its_date():
    at, zone = datetime(2026, 11, 21, 0, 41, tzinfo=UTC), "America/Detroit"  # Friday there, five hours behind UTC
    assert numbers.day_and_hour(at, zone, at + timedelta(days=1)) == "Friday 7:41 PM"
    assert numbers.day_and_hour(at, zone, at + timedelta(days=5, hours=23)) == "Friday 7:41 PM"
    assert numbers.day_and_hour(at, zone, at + timedelta(days=6)) == "Nov 20, 2026, 7:41 PM"


@pytest.mark.parametrize(
    ("utc_hour", "said"),
    [(4, "Sunday 12:30 AM"), (5, "Sunday 1:30 AM EDT"), (6, "Sunday 1:30 AM EST"), (7, "Sunday 2:30 AM")],
)
def test_an_hour_that_comes_twice_says_which_it_is(utc_hour, said):
    """On Nov 1, 2026, clocks in Detroit go back from 2 AM EDT (6:00 UTC) to 1 AM EST."""
    at = datetime(2026, 11, 1, utc_hour, 30, tzinfo=UTC)
    assert numbers.day_and_hour(at, "America/Detroit", at) == said

"""Numbers and dates in US format: 53%, −0.40, 1,234 hands, Nov 21, 2026, 7:41 PM.

All formatting is here, so that a translation has one place to start.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

from markupsafe import Markup

from scorekeeper.database.zones import find_zone
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.rules.fields import WinRules
from scorekeeper.stats.ratings import ERRORS

MINUS = "\N{MINUS SIGN}"
DECIMALS = 2
MU_SCALE = 40  # a new player's rating, stored as 25 and 1.875, is shown as 1000 ± 240
SIGMA_SCALE = MU_SCALE * ERRORS
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEKDAY_IS_ENOUGH = timedelta(days=6)
Exact = Fraction | float | int


def figure(number: int) -> str:
    """A whole number, such as a score, with a typographic minus sign."""
    return f"{MINUS}{-number}" if number < 0 else str(number)


def signed(number: int) -> str:
    """A change with its sign: +5, −3, 0."""
    return f"+{number}" if number > 0 else figure(number)


def percent(share: Exact) -> str:
    """A share in whole percent; 0% and 100% only if exact."""
    whole = _rounded(share, 100)
    if whole in (0, 100) and 0 < share < 1:
        whole = min(99, max(1, whole))
    return f"{whole}%"


def average(value: Exact, decimals: int = DECIMALS) -> str:
    """An average, usually with two decimals: 2.67, −0.40."""
    parts = _rounded(value, 10**decimals)
    whole, rest = divmod(abs(parts), 10**decimals)
    return f"{MINUS if parts < 0 else ''}{whole:,}.{rest:0{decimals}}"


def swing(value: Exact, decimals: int = DECIMALS) -> str:
    """An average change: +2.67, −0.40, 0.00."""
    said = average(value, decimals)
    return f"+{said}" if said[0] != MINUS and said.strip("0.") else said


def points_said(points: int) -> str:
    """Bonus points with unit: +1 point, −2 points."""
    return f"{signed(points)} {'point' if abs(points) == 1 else 'points'}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: 1 hand, 2 hands."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def times(number: int) -> str:
    """Text like "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(number) or counted(number, "time")


def record(won: int, lost: int, tied: int) -> Markup:
    """Games won, lost and, if any, tied: 15–10, 15–10–1; in words for screen readers."""
    games = {"won": won, "lost": lost} | ({"tied": tied} if tied else {})
    figures, words = "–".join(map(str, games.values())), ", ".join(f"{how} {many}" for how, many in games.items())
    return Markup(f'<span class="vh">{words}</span><span aria-hidden="true">{figures}</span>')  # noqa: S704 only figures


def rating_number(mu: float) -> int:
    """The displayed rating."""
    return _rounded(MU_SCALE * mu)


def rating_said(mu: float, sigma: float) -> str:
    """A rating with its margin of error: 1012 ± 95."""
    return f"{rating_number(mu)} ± {rating_error(sigma)}"


def rating_error(sigma: float) -> int:
    """The displayed margin of error of a rating."""
    return _rounded(SIGMA_SCALE * sigma)


def rating_at_least(mu: float, sigma: float) -> int:
    """Lower bound of a rating: the displayed rating minus the displayed margin of error."""
    return rating_number(mu) - rating_error(sigma)


def day(when: date) -> str:
    """Text like "Mar 3, 2026"; also accepts a datetime."""
    return f"{MONTHS[when.month - 1]} {when.day}, {when.year}"


def day_and_hour(at: datetime, zone: str, now: datetime | None = None) -> str:
    """Local time in `zone`: "Friday 7:41 PM", or "Nov 21, 2026, 7:41 PM" if six days ago or more.

    An hour repeated at the end of daylight saving time also names the zone: "1:30 AM EDT".
    """
    here = at.astimezone(find_zone(zone))
    if (now or datetime.now(UTC)) - at < WEEKDAY_IS_ENOUGH:
        return f"{WEEKDAYS[here.weekday()]} {_clock(here)}"
    return f"{day(here)}, {_clock(here)}"


def _clock(here: datetime) -> str:
    """Time of day: "7:41 PM"; with the zone's abbreviation if clocks show it twice that night."""
    said = f"{here.hour % 12 or 12}:{here.minute:02} {'AM' if here.hour < 12 else 'PM'}"
    comes_twice = here.replace(fold=0).utcoffset() != here.replace(fold=1).utcoffset()
    return f"{said} {here.tzname()}" if comes_twice else said


def _rounded(value: Exact, times: int = 1) -> int:
    """`value` times `times`, rounded to the nearest integer, halves away from zero.

    Integer arithmetic, because a page of partners has hundreds of values and Fraction reduces at every step.
    """
    if isinstance(value, float):
        value, times = value * times, 1
    over, under = value.as_integer_ratio()
    nearest = (2 * times * abs(over) + under) // (2 * under)
    return -nearest if over < 0 else nearest


# --- scores -----------------------------------------------------------------------------------------------------


class ScoreWords:
    """Formats scores under the rules' scale; `best` is "highest", or "lowest" when counting down."""

    def __init__(self, win: WinRules) -> None:
        self.scale, self.target = win.scale, win.target
        self.counts_down = self.scale.down_from is not None
        self.best, self._better = ("lowest", "less") if self.counts_down else ("highest", "more")

    def score(self, score: int) -> str:
        """A score or total: 12, −3."""
        return figure(self.scale.score(score))

    def change(self, change: int) -> str:
        """A change of score: +5, −3."""
        return signed(self.scale.change(change))

    @property
    def end(self) -> str:
        """The winning score: 11; 0 when counting down."""
        return self.score(self.target)

    @property
    def end_or_better(self) -> str:
        """Text like "11 or more"; "0 or less" when counting down."""
        return f"{self.end} or {self._better}"


def first_to(rules: RuleSet) -> str:
    """Text like "first to 11"; when counting down, "first to 0 from 7"."""
    win = ScoreWords(rules.win)
    return f"first to {win.end} from {win.target}" if win.counts_down else f"first to {win.end}"


FILTERS = first_to, figure, signed, percent, average, swing, counted, record, day, day_and_hour

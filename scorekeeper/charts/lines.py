"""Charts of lines: the score and the chance to win hand by hand, places and ratings night by night."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from markupsafe import Markup

from .drawing import (
    DOWN,
    LINE,
    TONES,
    WIDTH,
    Chart,
    End,
    Plot,
    Point,
    Scale,
    Table,
    beside,
    closed,
    counted,
    css_of,
    dot,
    ended,
    ends,
    foot_axis,
    group,
    in_lines,
    joined,
    label,
    line,
    one_line,
    percent,
    plain,
    rounded,
    short,
    side_axis,
    steps,
    stroke,
    thin,
    ticks,
    tone,
    trace,
    widened,
)

SCORE_POINTS = 80  # of one line: more could not be told apart, and the picture stays small
CHANCE_POINTS = 110
EVEN, SURE = 0.5, "100%"
MOST_LINES = 5  # of a name beside its half
ALL_NAMED, FIRST_NAMED = 15, 4  # so many players are named all in the chart of places; of more, the first few
HIGHEST = 3  # so many are named as the highest ratings, and all who are level with the last of them
MOST_LEVEL = 6  # of more, those who are level are counted
RATING_POINTS = 60  # of a line: of more the first, the last, and those of its highs and lows


def _hand_axis(x: Scale, hands: int, baseline: float, *, between: bool = False) -> list[Markup]:
    """The numbers of the hands: each where the hand ends, or between its beginning and its end."""
    numbers = range(1, hands + 1)
    places = [x(hand - 0.5) if between else x(hand) for hand in numbers]
    return foot_axis("hand", list(map(str, numbers)), places, baseline)


def _night_axis(nights: Sequence[str], x: Scale, baseline: float) -> list[Markup]:
    return foot_axis("night", nights, [x(night) for night in range(len(nights))], baseline)


def _line(css: str, points: Sequence[Point], *dots: Point) -> Markup:
    return group(css, stroke(trace(points), "line"), *(dot(*point) for point in (*dots, points[-1])))


def _faint(lines: Sequence[Sequence[Point]]) -> list[Markup]:
    """The lines of all who are not named, as one faint path."""
    return [group("faint", stroke([trace(points, decimals=0) for points in lines], "line"))] if lines else []


# --- the score, hand by hand --------------------------------------------------------------------------------------


class Score(NamedTuple):
    """One team's or player's way through a game: the total after each hand, and the hands (from 1) it was set in."""

    name: str
    totals: Sequence[int]
    sets: Sequence[int] = ()
    start: int = 0

    @property
    def way(self) -> list[int]:
        """The totals, the one before the first hand too."""
        return [self.start, *self.totals]


def score_by_hand(units: Sequence[Score], target: int | None = None, *, may_be_set: bool = True) -> Chart:
    """Step lines of up to six units; `target` is the score that wins."""
    hands, title = max((len(unit.totals) for unit in units), default=0), "Score by hand"
    if not hands:
        return Chart(title, "No hands yet.", _score_table(units, 0))
    totals = beside(f"{one_line(unit.name)} {_figure(unit.totals[-1])}" for unit in units if unit.totals)
    sets = beside(f"{one_line(unit.name)} {len(unit.sets)}" for unit in units if unit.sets)
    told = f" Sets: {sets}." if sets else " Nobody was set."
    summary = f"After {counted(hands, 'hand')}: {totals}." + (told if may_be_set else "")
    return Chart(title, summary, _score_table(units, hands), 250, tuple(_score(units, target, hands)), "points")


def _score(units: Sequence[Score], target: int | None, hands: int) -> list[Markup]:
    goal = [] if target is None else [target]
    scores = [*goal, *chain.from_iterable(unit.way for unit in units)]
    low, high = min(scores), max(scores)
    values = [value for value in ticks(low, high, whole=True) if value != target]
    figures, names = map(_figure, [*values, *goal]), [f"{_figure(unit.way[-1])} {plain(unit.name)}" for unit in units]
    plot = Plot.around(list(figures), names, 24, 224)
    x, y = plot.across(hands), plot.up(*widened(low, high, 4))
    points = [[(x(hand), y(total)) for hand, total in enumerate(unit.way)] for unit in units]
    labels = [
        End(points[index][-1][1], _figure(unit.way[-1]), unit.name, tone(index)) for index, unit in enumerate(units)
    ]
    lines = [
        group(tone(index), *_score_line(unit, points[index], (x(1) - x(0)) / 2)) for index, unit in enumerate(units)
    ]
    left = plot.left + 2
    key = [stroke(f"M{short(left)} 5h8l-4 7z", "mark"), label(left + 13, 12, "set", "tick")]
    return [
        *side_axis(plot, y, [value for value in values if all(abs(y(value) - y(one)) >= 14 for one in goal)], _figure),
        *(element for one in goal for element in _goal(plot, y(one), one)),
        *_hand_axis(x, hands, 242, between=True),
        *reversed(lines),
        *ends(labels, plot.right, 18, plot.bottom),
        *(key if any(unit.sets for unit in units) else []),
    ]


def _score_line(unit: Score, points: list[Point], half: float) -> list[Markup]:
    """The line, with a mark on each hand that was set."""
    marks = [(points[hand][0] - half, points[hand][1]) for hand in unit.sets if 0 < hand < len(points)]
    downs = "".join(f"M{short(x - 4)} {short(y - 3)}h8l-4 7z" for x, y in marks)
    drawn = [stroke(steps(thin(points, SCORE_POINTS)), "line")]
    return [*drawn, *([stroke(downs, "mark")] if downs else []), dot(*points[-1])]


def _goal(plot: Plot, height: float, target: int) -> list[Markup]:
    return [
        line(plot.left, height, plot.right, height, "goal"),
        label(plot.left - 6, height + 4, _figure(target), "tick strong", anchor="end"),
        label(plot.left + 3, height - 4, "to win", "tick"),
    ]


def _figure(value: float) -> str:
    return f"{value:,.0f}".replace("-", "−")


def _score_table(units: Sequence[Score], hands: int) -> Table:
    def cell(unit: Score, hand: int) -> str:
        if hand > len(unit.totals):
            return ""
        return _figure(unit.totals[hand - 1]) + (" (set)" if hand in unit.sets else "")

    rows = [(str(hand), *(cell(unit, hand) for unit in units)) for hand in range(1, hands + 1)]
    return Table(("Hand", *(plain(unit.name) for unit in units)), tuple(rows))


# --- the chance to win, hand by hand ------------------------------------------------------------------------------


class Chance(NamedTuple):
    """One team's or player's chance to win, from 0 to 1: before the first hand, then after each."""

    name: str
    values: Sequence[float]


def win_chance(units: Sequence[Chance]) -> Chart:
    """Two units as one line around even, the first's half above; three to six as a line each."""
    if not units or not all(unit.values for unit in units):
        return Chart("Chance to win", "No hands yet.", _chance_table(units, 0))
    hands = max(len(unit.values) for unit in units) - 1
    drawn = _around_even(units[0], units[1], hands) if len(units) == 2 else _chances(units, hands)
    return _chance_chart(units, hands, 226, drawn, "chance")


def chance_line(units: Sequence[Chance]) -> Chart:
    """The lines of `win_chance` without a word in them, for a page that says beside it whose they are."""
    hands, plot = max(len(unit.values) for unit in units) - 1, Plot(4, WIDTH - 4, 4, 66)
    x, y = plot.across(hands), plot.up(0, 1)
    ways = [thin([(x(hand), y(value)) for hand, value in enumerate(unit.values)], CHANCE_POINTS) for unit in units]
    if len(units) == 2:
        lines = [*_halves(ways[0], y(EVEN)), stroke(trace(ways[0]), "line"), dot(*ways[0][-1])]
    else:
        lines = [_line(tone(index), way) for index, way in reversed([*enumerate(ways)])]
    even = stroke(f"M{short(plot.left)} {short(y(EVEN))}H{short(plot.right)}", "rule")
    return _chance_chart(units, hands, 70, [even, *lines])


def _chance_chart(units: Sequence[Chance], hands: int, height: float, drawn: Sequence[Markup], side: str = "") -> Chart:
    """What was drawn, with the chances in words and in numbers."""
    when = f"After {counted(hands, 'hand')}" if hands else "Before the first hand"
    now = beside(f"{one_line(unit.name)} {_percent(unit.values[-1])}" for unit in units)
    summary = f"{when}: {now}.{_biggest_turn(units)}"
    return Chart("Chance to win", summary, _chance_table(units, hands + 1), height, tuple(drawn), side)


def _around_even(first: Chance, second: Chance, hands: int) -> list[Markup]:
    plot = Plot.around([SURE, "even", SURE], [plain(first.name), plain(second.name), SURE], 14, 194)
    x, y = plot.across(hands), plot.up(0, 1)
    points = thin([(x(hand), y(value)) for hand, value in enumerate(first.values)], CHANCE_POINTS)
    return [
        *_halves(points, y(EVEN)),
        *side_axis(plot, y, [0, EVEN, 1], lambda value: "even" if value == EVEN else SURE),
        stroke(trace(points), "line"),
        dot(*points[-1]),
        *_whose(plot, first, y(0.75), tone(0)),
        *_whose(plot, second, y(0.25), tone(1)),
        *_hand_axis(x, hands, 218),
    ]


def _halves(points: Sequence[Point], even: float) -> list[Markup]:
    """The areas between the line and even: above it the first unit's, below it the second's."""
    crossed = with_crossings(points, even)
    start, end = (points[0][0], even), (points[-1][0], even)
    above = [start, *((x, min(y, even)) for x, y in crossed), end]
    below = [start, *((x, max(y, even)) for x, y in crossed), end]
    return [
        group(tone(index), stroke(closed(area), "area"))
        for index, area in enumerate((above, below))
        if any(y != even for _, y in area)
    ]


def with_crossings(points: Sequence[Point], even: float) -> list[Point]:
    """The points, and between them those where the line crosses `even`."""
    crossed = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        if (y0 - even) * (y1 - even) < 0:
            crossed.append((x0 + (x1 - x0) * (even - y0) / (y1 - y0), even))
        crossed.append((x1, y1))
    return crossed


def _whose(plot: Plot, unit: Chance, middle: float, css: str) -> list[Markup]:
    """Whose half it is: the chance at the end, and under it the name."""
    x, lines = plot.right + 9, in_lines(unit.name, WIDTH - plot.right - 9, MOST_LINES)
    top = middle + DOWN - 8 - (len(lines) - 1) * LINE / 2
    names = [
        label(x, top + 16 + (LINE - 1) * place, text, f"end {css}", room=WIDTH - x, bold=True)
        for place, text in enumerate(lines)
    ]
    return [label(x, top, _percent(unit.values[-1]), f"end {css} strong"), *names]


def _chances(units: Sequence[Chance], hands: int) -> list[Markup]:
    plot = Plot.around([SURE], [f"{_percent(unit.values[-1])} {plain(unit.name)}" for unit in units], 14, 194)
    x, y = plot.across(hands), plot.up(0, 1)
    labels, lines = [], []
    for index, unit in enumerate(units):
        points = thin([(x(hand), y(value)) for hand, value in enumerate(unit.values)], CHANCE_POINTS * 2 // 3)
        lines.append(_line(tone(index), points))
        labels.append(End(y(unit.values[-1]), _percent(unit.values[-1]), unit.name, tone(index)))
    return [
        *side_axis(plot, y, [0, EVEN, 1], _percent),
        *reversed(lines),
        *ends(labels, plot.right, 8, plot.bottom),
        *_hand_axis(x, hands, 218),
    ]


def _percent(value: float) -> str:
    """Whole percent, and 0 or 100 only where it is sure."""
    return f"{percent(value)}%"


def _biggest_turn(units: Sequence[Chance]) -> str:
    """The hand that changed most, where any did."""
    rises = [
        (round((after - before) * 100), -hand, one_line(unit.name), _percent(before), _percent(after))
        for unit in units
        for hand, (before, after) in enumerate(pairwise(unit.values), 1)
    ]
    most, hand, name, was, now = max(rises, default=(0, 0, "", "", ""))
    return f" Biggest turn, hand {-hand}: {name} from {was} to {now}." if most > 0 else ""


def _chance_table(units: Sequence[Chance], rows: int) -> Table:
    shown = [
        (str(hand or "before"), *(_percent(unit.values[hand]) if hand < len(unit.values) else "" for unit in units))
        for hand in range(rows)
    ]
    return Table(("Hand", *(plain(unit.name) for unit in units)), tuple(shown))


# --- the standings over a season, as a bump chart -----------------------------------------------------------------


class Places(NamedTuple):
    """One player's place after each night; None while there is none."""

    name: str
    places: Sequence[int | None]

    @property
    def known(self) -> list[tuple[int, int]]:
        return [(night, place) for night, place in enumerate(self.places) if place is not None]

    @property
    def last(self) -> int:
        return self.known[-1][1]

    @property
    def is_gone(self) -> bool:
        """Whether the player is no longer in the standings after the last night."""
        return self.places[-1] is None


def standings_over_time(
    nights: Sequence[str],
    players: Sequence[Places],
    *,
    chosen: int | None = None,
    tones: Sequence[str] = (),
    title: str = "Standings over the season",
) -> Chart:
    """A line a player; with more than 15 the first four and `chosen` (an index into `players`) are named.

    `tones` are the names of those who have a color and a dash of their own on the page, in the order of these.
    """
    rows = [
        (plain(player.name), *("" if place is None else str(place) for place in player.places)) for player in players
    ]
    table = Table(("Player", *map(plain, nights)), tuple(rows))
    picked = players[chosen] if chosen is not None and players[chosen].known else None
    placed = by_place(players)
    if not placed:
        return Chart(title, "No games yet.", table)
    height, drawn = _places(nights, placed, picked, tones or [player.name for player in placed])
    return Chart(title, _leaders(nights[-1], placed, picked), table, height, tuple(drawn), "place")


def by_place(players: Sequence[Places]) -> list[Places]:
    """Who has had a place: first those who have one now, each by the last one."""
    return sorted((player for player in players if player.known), key=lambda player: (player.is_gone, player.last))


def _places(
    nights: Sequence[str], placed: Sequence[Places], picked: Places | None, tones: Sequence[str]
) -> tuple[float, list[Markup]]:
    """The height of the chart, and what is drawn."""
    shown = [len(placed) <= ALL_NAMED or n < FIRST_NAMED or player is picked for n, player in enumerate(placed)]
    named = [player for player, is_named in zip(placed, shown, strict=True) if is_named]
    others = [player for player, is_named in zip(placed, shown, strict=True) if not is_named]
    top, deepest = 14, max(place for player in placed for _, place in player.known)
    gap = 18 if deepest <= ALL_NAMED else max(7, 270 / deepest)
    bottom = top + max(deepest - 1, len(named) * 15 / gap) * gap
    plot = Plot.around([str(deepest)], [f"{player.last} {plain(player.name)}" for player in named], top, bottom)
    x, y = plot.across(len(nights) - 1), Scale(1, max(2, deepest, 1 + (bottom - top) / gap), top, bottom)

    def points(player: Places, most: int) -> list[Point]:
        """The line through a player's places: with many nights every second or third, and always the last."""
        every = max(1, -(-len(player.known) // most))
        *rest, last = player.known
        return [(x(night), y(place)) for night, place in [*rest[::every], last]]

    labels: list[End] = []
    lines: list[tuple[bool, Markup]] = []
    for player in named:
        css = css_of(player.name, tones, is_chosen=player is picked)
        way = points(player, max(12, min(60, 640 // len(named))))
        labels.append(End(y(player.last), str(player.last), player.name, css))
        lines.insert(0, (player is picked, _line(css, way, way[0])))
    every = 1 if deepest <= ALL_NAMED else 5 if deepest <= 40 else 10
    figures = [1, *(place for place in range(every, deepest + 1, every) if place > 1)]
    return bottom + 34, [
        *_faint([points(one, max(8, 1400 // len(others))) for one in others]),
        *(label(plot.left - 8, y(place) + DOWN, str(place), "tick", anchor="end") for place in figures),
        *(element for _, element in sorted(lines, key=lambda one: one[0])),  # the marked one over the others
        *ends(labels, plot.right, top, bottom),
        *_night_axis(nights, x, bottom + 26),
    ]


def _leaders(night: str, placed: Sequence[Places], picked: Places | None) -> str:
    now = [player for player in placed if not player.is_gone]
    best = min((player.last for player in now), default=0)
    first = [one_line(player.name) for player in now if player.last == best]
    names = joined(first) if len(first) <= 3 else counted(len(first), "player")
    lead = ended(f"First after {plain(night)}: {names}") if now else "Nobody is ranked now."
    if picked is None:
        return lead
    places = [place for _, place in picked.known]
    own = "no longer ranked" if picked.is_gone else f"place {picked.last}"
    return f"{lead} {one_line(picked.name)}: {own}, best {min(places)}, worst {max(places)}."


# --- ratings over a season ----------------------------------------------------------------------------------------


class Rating(NamedTuple):
    """One player's ratings, one for each of the chart's labels (None while there is none), and how unsure each is."""

    name: str
    values: Sequence[float | None]
    spread: Sequence[float] = ()

    @property
    def known(self) -> list[tuple[int, float]]:
        return [(index, value) for index, value in enumerate(self.values) if value is not None]

    @property
    def last(self) -> float:
        return self.known[-1][1]

    def unsure(self, index: int) -> float:
        return self.spread[index] if index < len(self.spread) else 0


Say = Callable[[float], str]


def rating_over_time(
    when: Sequence[str],
    players: Sequence[Rating],
    *,
    chosen: str = "",
    tones: Sequence[str] = (),
    title: str = "Rating over the season",
) -> Chart:
    """A line a player over the labels `when` (a date or a game each); a player alone has the margin of error as a band.

    Of a player alone the chart and its table have 60 labels at most, among them the first, the last and the highest.
    Six lines can be told apart: those of `tones`, who have a color and a dash of their own on the page, or else of the
    six highest. They and `chosen` are named, the others drawn faint.
    """
    total = len(when)
    if len(players) == 1:
        when, players = _with_fewer(when, players[0])
    rated = [player for player in players if player.known]
    if not rated:
        return Chart(title, "No rated games yet.", _rating_table(when, players, str))
    low, high = _span(rated)
    decimals = 0 if high - low >= 5 else 1

    def say(value: float) -> str:
        return f"{rounded(value, decimals):.{decimals}f}".replace("-", "−")

    summary = (
        _one_rating(when, rated[0], say) if len(rated) == 1 else f"Highest now: {', '.join(_highest(rated, say))}."
    )
    if len(when) < total:
        summary += f" {len(when)} of {total:,} ratings are shown, the highest and the lowest among them."
    drawn = _ratings(when, rated, chosen, tones, widened(low, high, 0.4), say)
    return Chart(title, summary, _rating_table(when, players, say), 240, tuple(drawn), "rating")


def _with_fewer(when: Sequence[str], player: Rating) -> tuple[Sequence[str], Sequence[Rating]]:
    if len(when) <= RATING_POINTS:
        return when, [player]
    kept = [index for index, _ in thin(player.known, RATING_POINTS)]
    values, spread = [player.values[index] for index in kept], [player.unsure(index) for index in kept]
    return [when[index] for index in kept], [Rating(player.name, values, spread)]


def _span(players: Sequence[Rating]) -> tuple[float, float]:
    """The lowest and the highest rating; of a player alone with the margin of error."""
    edges = [
        value + sign * (player.unsure(index) if len(players) == 1 else 0)
        for player in players
        for index, value in player.known
        for sign in (-1, 1)
    ]
    return min(edges), max(edges)


def _ratings(
    when: Sequence[str],
    players: Sequence[Rating],
    chosen: str,
    tones: Sequence[str],
    span: tuple[float, float],
    say: Say,
) -> list[Markup]:
    highest = sorted(players, key=lambda player: -player.last)[:TONES]
    tones = (tones or [player.name for player in players if any(player is one for one in highest)])[:TONES]
    named = [player for name in dict.fromkeys([*tones, chosen]) for player in players if player.name == name]
    others = [player for player in players if not any(player is one for one in named)]
    alone, values = len(players) == 1, ticks(*span)
    # At the end of a line; of several there is no room for the margin, which the summary and the table have.
    figures = [say(player.last) + (_margin(player, say) if alone else "") for player in named]
    names = [f"{figure} {plain(player.name)}" for figure, player in zip(figures, named, strict=True)]
    plot = Plot.around([say(value) for value in values], names, 12, 212, most=130)
    x, y = plot.across(max(0, len(when) - 1)), plot.up(*span)

    def points(player: Rating, most: int = RATING_POINTS, sign: int = 0) -> list[Point]:
        """The line through a player's ratings, or the edge of the band above (1) or below (-1) it."""
        return thin([(x(index), y(value + sign * player.unsure(index))) for index, value in player.known], most)

    band: list[Markup] = []
    if alone and any(players[0].spread):
        area = [*points(players[0], sign=1), *reversed(points(players[0], sign=-1))]
        band = [group(tone(0), stroke(closed(area), "area"))]
    css = [css_of(player.name, tones, is_chosen=player.name == chosen) for player in named]
    return [
        *band,
        *side_axis(plot, y, values, say),
        *_faint([points(player, max(8, 1000 // len(others))) for player in others]),
        *reversed([_line(css[place], points(player)) for place, player in enumerate(named)]),
        *ends(
            [End(y(player.last), figures[n], player.name, css[n]) for n, player in enumerate(named)],
            plot.right,
            8,
            plot.bottom,
        ),
        *_night_axis(when, x, 232),
    ]


def _highest(rated: Sequence[Rating], say: Say) -> list[str]:
    """The first three, and everybody whose rating is said as the third one's is."""
    ordered = sorted(rated, key=lambda player: -player.last)
    least = say(ordered[:HIGHEST][-1].last)
    above = [player for player in ordered[:HIGHEST] if say(player.last) != least]
    level = [player for player in ordered if say(player.last) == least]
    named = level if len(above) + len(level) <= MOST_LEVEL else []
    said = [f"{one_line(player.name)} {say(player.last)}{_margin(player, say)}" for player in (*above, *named)]
    return said if named else [*said, f"{counted(len(level), 'player')} {least}"]


def _margin(player: Rating, say: Say) -> str:
    unsure = player.unsure(player.known[-1][0])
    return f" ± {say(unsure)}" if unsure else ""


def _one_rating(when: Sequence[str], player: Rating, say: Say) -> str:
    said = f"{one_line(player.name)}: {say(player.last)}{_margin(player, say)}."
    if len(player.known) == 1:
        return said
    begun, first = player.known[0]
    top, peak = max(player.known, key=lambda known: known[1])
    return f"{said} After {plain(when[begun])}: {say(first)}. Highest: {say(peak)} ({plain(when[top])})."


def _rating_table(when: Sequence[str], players: Sequence[Rating], say: Say) -> Table:
    def cell(player: Rating, index: int) -> str:
        value = player.values[index] if index < len(player.values) else None
        if value is None:
            return ""
        unsure = player.unsure(index)
        return say(value) + (f" ± {say(unsure)}" if unsure else "")

    rows = [(plain(text), *(cell(player, index) for player in players)) for index, text in enumerate(when)]
    return Table(("When", *(plain(player.name) for player in players)), tuple(rows))

"""Line charts: score and chance to win by hand, places and ratings by night."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise, repeat, zip_longest
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
    count_phrase,
    css_of,
    dot,
    ends,
    foot_axis,
    group,
    in_lines,
    join_names,
    join_values,
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
    with_period,
)

SCORE_POINTS = 80  # per line: more are not distinguishable, and make the picture larger
CHANCE_POINTS = 110
EVEN, SURE = 0.5, "100%"
MOST_LINES = 5  # of a name beside its half
ALL_NAMED, FIRST_NAMED = 15, 4  # players named in the chart of places: all up to 15; of more, the first 4
HIGHEST = 3  # highest ratings named, and all equal to the last of them
MOST_LEVEL = 6  # with more equals, only their number is given
NO_LINE = "The chart needs two nights."
RATING_POINTS = 60  # per line: of more the first, the last, and highs and lows


def _table(
    head: str, labels: Iterable[str], units: Sequence[ScoreSeries | ChanceSeries | PlayerSeries], *cells: Iterable[str]
) -> Table:
    """One row per label, with a cell of each unit."""
    rows = zip_longest(map(plain, labels), *cells, fillvalue="")
    return Table((head, *(plain(unit.name) for unit in units)), tuple(rows))


def _hand_axis(x: Scale, hands: int, baseline: float, *, ends_at: float = 0) -> list[Markup]:
    """The numbers of the hands, each at its end, or `ends_at` hands before that."""
    numbers = range(1, hands + 1)
    return foot_axis("hand", list(map(str, numbers)), [x(hand - ends_at) for hand in numbers], baseline)


def _night_axis(nights: Sequence[str], x: Scale, baseline: float) -> list[Markup]:
    return foot_axis("night", nights, [x(night) for night in range(len(nights))], baseline)


def _line(css: str, points: Sequence[Point], *dots: Point) -> Markup:
    return group(css, stroke(trace(points), "line"), *(dot(*point) for point in (*dots, points[-1])))


def _faint(lines: Sequence[Sequence[Point]]) -> list[Markup]:
    """The lines of all players who are not named, as one faint path."""
    return [group("faint", stroke([trace(points, decimals=0) for points in lines], "line"))] if lines else []


# --- the score by hand --------------------------------------------------------------------------------------------


class ScoreSeries(NamedTuple):
    """A team's or player's score in a game: the total after each hand, and the hands (from 1) in which it was set."""

    name: str
    totals: Sequence[int]
    sets: Sequence[int] = ()
    start: int = 0

    @property
    def all_totals(self) -> list[int]:
        """The totals, including the one before the first hand."""
        return [self.start, *self.totals]


def score_by_hand(units: Sequence[ScoreSeries], target: int) -> Chart:
    """Step lines of up to six units; `target` is the winning score."""
    hands, title = max((len(unit.totals) for unit in units), default=0), "Score by hand"
    cells = (
        [_figure(total) + (" (set)" if hand in unit.sets else "") for hand, total in enumerate(unit.totals, 1)]
        for unit in units
    )
    table = _table("Hand", map(str, range(1, hands + 1)), units, *cells)
    if not hands:
        return Chart(title, "No hands yet.", table)
    totals = join_values(f"{one_line(unit.name)} {_figure(unit.totals[-1])}" for unit in units if unit.totals)
    summary = f"After {count_phrase(hands, 'hand')}: {totals}."
    return Chart(title, summary, table, 250, _score(units, target, hands), "points")


def _score(units: Sequence[ScoreSeries], target: int, hands: int) -> list[Markup]:
    scores = [target, *chain.from_iterable(unit.all_totals for unit in units)]
    low, high = min(scores), max(scores)
    values = [value for value in ticks(low, high, whole=True) if value != target]
    names = [f"{_figure(unit.all_totals[-1])} {plain(unit.name)}" for unit in units]
    plot = Plot.around([_figure(value) for value in (*values, target)], names, 24, 224)
    x, y = plot.across(hands), plot.up(*widened(low, high, 4))
    half, lines, labels = (x(1) - x(0)) / 2, [], []
    for index, unit in enumerate(units):
        points = [(x(hand), y(total)) for hand, total in enumerate(unit.all_totals)]
        sets = [points[hand] for hand in unit.sets if 0 < hand < len(points)]
        marks = "".join(f"M{short(across - half - 4)} {short(up - 3)}h8l-4 7z" for across, up in sets)
        drawn = stroke(steps(thin(points, SCORE_POINTS)), "line"), *([stroke(marks, "mark")] if marks else [])
        lines.append(group(tone(index), *drawn, dot(*points[-1])))
        labels.append(End(points[-1][1], names[index], tone(index)))
    key = [stroke(f"M{short(plot.right - 32)} 5h8l-4 7z", "mark"), label(plot.right, 12, "set", "tick", at_end=True)]
    goal = y(target)
    return [
        *side_axis(plot, y, [value for value in values if abs(y(value) - goal) >= 14], _figure),
        line(plot.left, goal, plot.right, goal, "goal"),
        label(plot.left - 6, goal + 4, _figure(target), "tick strong", at_end=True),
        label(plot.left + 3, goal - 4, "to win", "tick"),
        *_hand_axis(x, hands, 242, ends_at=0.5),
        *reversed(lines),
        *ends(labels, plot, 18),
        *(key if any(unit.sets for unit in units) else []),
    ]


def _figure(value: float) -> str:
    return f"{value:,.0f}".replace("-", "−")


# --- the chance to win by hand ------------------------------------------------------------------------------------


class ChanceSeries(NamedTuple):
    """A team's or player's chance to win, from 0 to 1: before the first hand, then after each; `sign` is its badge."""

    name: str
    values: Sequence[float]
    sign: str = ""


def win_chance(units: Sequence[ChanceSeries]) -> Chart:
    """Two units as one line around even, the first's half above; three to six units as a line each."""
    if not units or not all(unit.values for unit in units):
        return Chart("Chance to win", "No hands yet.", _table("Hand", [], units))
    hands, is_of_two = max(len(unit.values) for unit in units) - 1, len(units) == 2
    names = [plain(unit.name) for unit in units]
    with_figures = [f"{percent(unit.values[-1])} {name}" for unit, name in zip(units, names, strict=True)]
    plot = Plot.around([SURE], [*names, SURE] if is_of_two else with_figures, 14, 194)
    x, y = plot.across(hands), plot.up(0, 1)
    halves, lines = _chances(units, x, y, CHANCE_POINTS if is_of_two else CHANCE_POINTS * 2 // 3)
    if is_of_two:
        axis = side_axis(plot, y, [0, EVEN, 1], lambda value: "even" if value == EVEN else SURE)
        labels = [*_half_labels(plot, units[0], y(0.75), tone(0)), *_half_labels(plot, units[1], y(0.25), tone(1))]
    else:
        axis = side_axis(plot, y, [0, EVEN, 1], percent)
        at_end = [End(y(unit.values[-1]), with_figures[index], tone(index)) for index, unit in enumerate(units)]
        labels = ends(at_end, plot, 8)
    drawn = [*halves, *axis, *lines, *labels, *_hand_axis(x, hands, 218)]
    return _chance_chart(units, hands, 226, drawn, "chance")


def chance_line(units: Sequence[ChanceSeries]) -> Chart:
    """The lines of `win_chance` without names, for a page that has them; of three or more units, each with its sign."""
    hands, many = max(len(unit.values) for unit in units) - 1, len(units) > 2
    plot = Plot(4, WIDTH - 24, 4, LINE * len(units)) if many else Plot(4, WIDTH - 4, 4, 66)
    x, y = plot.across(hands), plot.up(0, 1)
    halves, lines = _chances(units, x, y, CHANCE_POINTS)
    even = stroke(f"M{short(plot.left)} {short(y(EVEN))}H{short(plot.right)}", "rule")
    signs = [End(y(unit.values[-1]), unit.sign, tone(index)) for index, unit in enumerate(units) if many]
    drawn = [even, *halves, *lines, *ends(signs, plot, plot.top)]
    return _chance_chart(units, hands, plot.bottom + 4, drawn)


def _chances(units: Sequence[ChanceSeries], x: Scale, y: Scale, most: int) -> tuple[list[Markup], list[Markup]]:
    """The halves and the line of two units; for more, no halves and a line each. A line has about `most` points."""
    ways = [thin([(x(hand), y(value)) for hand, value in enumerate(unit.values)], most) for unit in units]
    if len(units) == 2:
        return _halves(ways[0], y(EVEN)), [stroke(trace(ways[0]), "line"), dot(*ways[0][-1])]
    return [], [_line(tone(index), way) for index, way in reversed([*enumerate(ways)])]


def _chance_chart(
    units: Sequence[ChanceSeries], hands: int, height: float, drawn: Sequence[Markup], side: str = ""
) -> Chart:
    """The chart with its elements, the chances now in words, and all chances in the table."""
    when = f"After {count_phrase(hands, 'hand')}" if hands else "Before the first hand"
    now = join_values(f"{one_line(unit.name)} {percent(unit.values[-1])}" for unit in units)
    cells = (map(percent, unit.values) for unit in units)
    table = _table("Hand", ["before", *map(str, range(1, hands + 1))], units, *cells)
    return Chart("Chance to win", f"{when}: {now}.", table, height, drawn, side)


def _halves(points: Sequence[Point], even: float) -> list[Markup]:
    """The areas between the line and even: above it the first unit's, below it the second's."""
    crossed = [points[0]]  # the points, with intersections with even added
    for (x0, y0), (x1, y1) in pairwise(points):
        if (y0 - even) * (y1 - even) < 0:
            crossed.append((x0 + (x1 - x0) * (even - y0) / (y1 - y0), even))
        crossed.append((x1, y1))
    start, end = (points[0][0], even), (points[-1][0], even)
    above = [start, *((x, min(y, even)) for x, y in crossed), end]
    below = [start, *((x, max(y, even)) for x, y in crossed), end]
    return [
        group(tone(index), stroke(trace(area) + "z", "area"))
        for index, area in enumerate((above, below))
        if any(y != even for _, y in area)
    ]


def _half_labels(plot: Plot, unit: ChanceSeries, middle: float, css: str) -> list[Markup]:
    """The labels of a half: its final chance, and the name below."""
    x, lines = plot.right + 9, in_lines(unit.name, WIDTH - plot.right - 9, MOST_LINES)
    top = middle + DOWN - 8 - (len(lines) - 1) * LINE / 2
    names = [
        label(x, top + 16 + (LINE - 1) * place, text, f"end {css}", room=WIDTH - x, bold=True)
        for place, text in enumerate(lines)
    ]
    return [label(x, top, percent(unit.values[-1]), f"end {css} strong"), *names]


# --- the standings over a season, as a bump chart -----------------------------------------------------------------


class PlayerSeries(NamedTuple):
    """A player's places, or ratings: one per label of the chart, None if there is none.

    `spread` is the margin of error of each rating, `short` returns the name at the end of the line.
    """

    name: str
    values: Sequence[float | None]
    spread: Sequence[float] = ()
    short: Callable[[], str] | None = None

    @property
    def at_end(self) -> str:
        """The name at the end of the line."""
        return plain(self.short() if self.short else self.name)

    @property
    def known(self) -> list[tuple[int, float, float]]:
        """(index, value, margin of error) of each value that is not None."""
        each = zip(self.values, chain(self.spread, repeat(0.0)), strict=False)
        return [(index, value, unsure) for index, (value, unsure) in enumerate(each) if value is not None]

    @property
    def last(self) -> float:
        return self.known[-1][1]

    @property
    def is_gone(self) -> bool:
        """True if the player has no place after the last night."""
        return self.values[-1] is None


def standings_over_time(
    nights: Sequence[str],
    players: Sequence[PlayerSeries],
    *,
    chosen: int | None = None,
    title: str = "Standings over the season",
) -> Chart:
    """One line per player; with more than 15 the first four and `chosen` (an index into `players`) are named."""
    rows = [
        (plain(player.name), *("" if place is None else str(place) for place in player.values)) for player in players
    ]
    table = Table(("Player", *map(plain, nights)), tuple(rows))
    picked = players[chosen] if chosen is not None and players[chosen].known else None
    placed = by_place(players)
    if not placed:
        return Chart(title, "Nobody is ranked yet.", table)
    summary = _leaders(nights[-1], placed, picked)
    if not _has_line(placed):
        return Chart(title, f"{summary} {NO_LINE}", table)
    height, drawn = _places(nights, placed, picked)
    return Chart(title, summary, table, height, drawn, "place")


def _has_line(players: Iterable[PlayerSeries]) -> bool:
    return any(len(player.known) > 1 for player in players)


def by_place(players: Sequence[PlayerSeries]) -> list[PlayerSeries]:
    """The players who have had a place, those with a current one first, by their last place."""
    return sorted((player for player in players if player.known), key=lambda player: (player.is_gone, player.last))


def _places(
    nights: Sequence[str], placed: Sequence[PlayerSeries], picked: PlayerSeries | None
) -> tuple[float, list[Markup]]:
    """The height of the chart, and its elements."""
    tones = [player.name for player in placed]
    first = len(placed) if len(placed) <= ALL_NAMED else FIRST_NAMED
    named = [player for index, player in enumerate(placed) if index < first or player is picked]
    others = [player for player in placed[first:] if player is not picked]
    top, deepest = 14, max(int(place) for player in placed for _, place, _ in player.known)
    gap = 18 if deepest <= ALL_NAMED else max(7, 270 / deepest)
    bottom = top + max(deepest - 1, len(named) * 15 / gap) * gap
    names = [f"{player.last} {player.at_end}" for player in named]
    plot = Plot.around([str(deepest)], names, top, bottom)
    x, y = plot.across(len(nights) - 1), Scale(1, max(2, deepest, 1 + (bottom - top) / gap), top, bottom)

    def points(player: PlayerSeries, most: int) -> list[Point]:
        """A player's places; with many nights every second, third and so on, and always the last."""
        every = max(1, -(-len(player.known) // most))
        *rest, last = player.known
        return [(x(night), y(place)) for night, place, _ in [*rest[::every], last]]

    labels: list[End] = []
    lines: list[tuple[bool, Markup]] = []
    for player, name in zip(named, names, strict=True):
        css = css_of(player.name, tones, is_chosen=player is picked)
        way = points(player, max(12, min(60, 640 // len(named))))
        labels.append(End(y(player.last), name, css))
        lines.insert(0, (player is picked, _line(css, way, way[0])))
    every = 1 if deepest <= ALL_NAMED else 5 if deepest <= 40 else 10
    figures = [1, *(place for place in range(every, deepest + 1, every) if place > 1)]
    return bottom + 34, [
        *_faint([points(one, max(8, 1400 // len(others))) for one in others]),
        *(label(plot.left - 8, y(place) + DOWN, str(place), "tick", at_end=True) for place in figures),
        *(element for _, element in sorted(lines, key=lambda one: one[0])),  # the highlighted line above the others
        *ends(labels, plot, top),
        *_night_axis(nights, x, bottom + 26),
    ]


def _leaders(night: str, placed: Sequence[PlayerSeries], picked: PlayerSeries | None) -> str:
    now = [player for player in placed if not player.is_gone]
    best = min((player.last for player in now), default=0)
    first = [one_line(player.name) for player in now if player.last == best]
    names = join_names(first) if len(first) <= 3 else count_phrase(len(first), "player")
    lead = with_period(f"First after {plain(night)}: {names}") if now else "Nobody is ranked now."
    if picked is None:
        return lead
    places = [place for _, place, _ in picked.known]
    own = "no longer ranked" if picked.is_gone else f"place {picked.last}"
    return f"{lead} {one_line(picked.name)}: {own}, best {min(places)}, worst {max(places)}."


# --- ratings over a season ----------------------------------------------------------------------------------------


Say = Callable[..., str]  # formats a rating, and optionally its margin of error


def rating_over_time(
    when: Sequence[str],
    players: Sequence[PlayerSeries],
    *,
    chosen: str = "",
    tones: Sequence[str] = (),
    title: str = "Rating over the season",
) -> Chart:
    """One line per player over the labels `when` (a date or a game each); a single player has an error band.

    For a single player the chart and its table have at most 60 labels, among them the first, the last and the highest.
    Six lines are distinguishable: those of `tones`, who have a color and a dash of their own on the page, or else those
    of the six highest. They, `chosen` and the three highest are named, the others drawn faint.
    """
    total = len(when)
    if len(players) == 1 and total > RATING_POINTS:
        (player,) = players
        kept = {index for index, _ in thin([(index, value) for index, value, _ in player.known], RATING_POINTS)}
        labeled = [(when[index], value, unsure) for index, value, unsure in player.known if index in kept]
        when, values, spread = zip(*labeled, strict=True)
        players = [PlayerSeries(player.name, values, spread)]
    rated = [player for player in players if player.known]
    alone = len(rated) == 1
    known = [(value, unsure if alone else 0) for player in rated for _, value, unsure in player.known]
    low = min((value - unsure for value, unsure in known), default=0)
    high = max((value + unsure for value, unsure in known), default=0)
    decimals = 0 if high - low >= 5 else 1

    def say(value: float, unsure: float = 0) -> str:
        said = f"{rounded(value, decimals):.{decimals}f}".replace("-", "−")
        return f"{said} ± {say(unsure)}" if unsure else said

    cells: list[list[str]] = []
    for player in players:
        said = {index: say(value, unsure) for index, value, unsure in player.known}
        cells.append([said.get(index, "") for index in range(len(when))])
    table = _table("When", when, players, *cells)
    if not rated:
        return Chart(title, "No rated games yet.", table)
    summary = _one_rating(when, rated[0], say) if alone else f"Highest now: {', '.join(_highest(rated, say))}."
    if not _has_line(rated):
        return Chart(title, f"{summary} {NO_LINE}", table)
    if len(when) < total:
        summary += f" {len(when)} of {total:,} ratings are shown, the highest and the lowest among them."
    drawn = _ratings(when, rated, chosen, tones, widened(low, high, 0.4), say)
    return Chart(title, summary, table, 240, drawn, "rating")


def _ratings(
    when: Sequence[str],
    players: Sequence[PlayerSeries],
    chosen: str,
    tones: Sequence[str],
    span: tuple[float, float],
    say: Say,
) -> list[Markup]:
    highest = sorted(players, key=lambda player: -player.last)[:TONES]
    tones = (tones or [player.name for player in players if player in highest])[:TONES]
    wanted = dict.fromkeys([*tones, chosen, *(player.name for player in highest[:HIGHEST])])  # the summary says these
    named = [player for name in wanted for player in players if player.name == name]
    others = [player for player in players if player.name not in wanted]
    alone, values = len(players) == 1, ticks(*span)
    # At the line ends of several players there is no space for the margin; the summary and the table have it.
    figures = [say(*player.known[-1][1:]) if alone else say(player.last) for player in named]
    names = [f"{figure} {player.at_end}" for figure, player in zip(figures, named, strict=True)]
    plot = Plot.around([say(value) for value in values], names, 12, 212)
    x, y = plot.across(max(0, len(when) - 1)), plot.up(*span)

    def points(player: PlayerSeries, most: int = RATING_POINTS, sign: int = 0) -> list[Point]:
        """A player's ratings, or the upper (1) or lower (-1) edge of the error band."""
        return thin([(x(index), y(value + sign * unsure)) for index, value, unsure in player.known], most)

    band: list[Markup] = []
    if alone and any(players[0].spread):
        area = [*points(players[0], sign=1), *reversed(points(players[0], sign=-1))]
        band = [group(tone(0), stroke(trace(area) + "z", "area"))]
    css = [css_of(player.name, tones, is_chosen=player.name == chosen) for player in named]
    labels = [End(y(player.last), names[n], css[n]) for n, player in enumerate(named)]
    return [
        *band,
        *side_axis(plot, y, values, say),
        *_faint([points(player, max(8, 1000 // len(others))) for player in others]),
        *reversed([_line(css[place], points(player)) for place, player in enumerate(named)]),
        *ends(labels, plot, 8),
        *_night_axis(when, x, 232),
    ]


def _highest(rated: Sequence[PlayerSeries], say: Say) -> list[str]:
    """The first three, and all whose displayed rating equals that of the third."""
    ordered = sorted(rated, key=lambda player: -player.last)
    least = say(ordered[:HIGHEST][-1].last)
    above = [player for player in ordered[:HIGHEST] if say(player.last) != least]
    level = [player for player in ordered if say(player.last) == least]
    named = level if len(above) + len(level) <= MOST_LEVEL else []
    said = [f"{one_line(player.name)} {say(*player.known[-1][1:])}" for player in (*above, *named)]
    return said if named else [*said, f"{count_phrase(len(level), 'player')} {least}"]


def _one_rating(when: Sequence[str], player: PlayerSeries, say: Say) -> str:
    (begun, first, _), *_, (_, last, unsure) = [player.known[0], *player.known]
    said = f"{one_line(player.name)}: {say(last, unsure)}."
    if len(player.known) == 1:
        return said
    top, peak, _ = max(player.known, key=lambda known: known[1])
    return f"{said} After {plain(when[begun])}: {say(first)}. Highest: {say(peak)} ({plain(when[top])})."

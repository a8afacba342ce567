"""Lines, summary and table of each chart; coordinates worked out by hand."""

import re
from itertools import pairwise

import pytest

from scorekeeper.charts import (
    BidCount,
    ChanceSeries,
    PlayerSeries,
    ScoreSeries,
    chance_line,
    made_and_set,
    rating_over_time,
    score_by_hand,
    standings_over_time,
    win_chance,
)
from scorekeeper.charts.drawing import LETTER
from scorekeeper.scoring.rules import CATALOGUE, find_rules
from tests.charts.reading import drawn, found, path, shown, travelled, words
from tests.conftest import ROOT


def near(value: float) -> object:
    """A coordinate, up to the rounding of a path."""
    return pytest.approx(value, abs=0.11)


# --- score by hand --------------------------------------------------------------------------------------------------


def test_the_score_goes_in_steps():
    """Totals 2, 5, 4 of a game to 10 that B ended at -2: 12 points of span and 6% of room at each end on 200 units."""
    chart = score_by_hand([ScoreSeries("A", [2, 5, 4]), ScoreSeries("B", [-2, -2, 10], [1])], 10)
    picture = drawn(chart)
    unit = 200 / (12 * 1.12)  # SVG units per point
    corners = path(picture, "s1")
    left, zero = corners[0]
    hand = (corners[-1][0] - left) / 3
    assert zero == near(224 - 2.72 * unit)
    expected = [(0, 0), (0, 2), (1, 2), (1, 5), (2, 5), (2, 4), (3, 4)]
    assert corners == [(near(left + h * hand), near(zero - points * unit)) for h, points in expected]


def test_three_lines_of_chances_end_with_the_signs_of_their_players():
    ends = (("Ann", 0.2, "1"), ("Bo", 0.7, "2"), ("Cy", 0.1, "3"))
    chances = [ChanceSeries(name, [0.3, end], sign) for name, end, sign in ends]
    assert words(drawn(chance_line(chances)), "end") == ["1", "2", "3"]
    assert words(drawn(chance_line(chances[:2])), "end") == []  # the page names the halves


def test_the_target_the_set_and_the_labels():
    chart = score_by_hand(TWO_TEAMS, 10)
    assert chart.table.headings == ("Hand", "Ann & Bo", "Cy & Di")
    picture = drawn(chart)
    assert words(picture, "end") == ["4 Ann & Bo", "10 Cy & Di"]
    (goal,) = found(picture, "line", "goal")
    corners = path(picture, "s2")
    assert float(goal.get("y1", "")) == float(goal.get("y2", "")) == near(corners[-1][1])  # B ended at the target
    assert words(picture, "tick", "strong") == ["10"]
    (mark,) = [one for one in found(picture, "g", "s2") for one in found(one, "path", "mark")]
    tip = travelled(mark.get("d", ""))[2]
    middle_of_hand_1 = (corners[1][0] + corners[2][0]) / 2
    assert tip == (near(middle_of_hand_1), near(corners[1][1] + 4))
    named = ("1", "2", "3", "hand", "set")
    assert [text for text in words(picture, "tick") if text in named] == ["hand", "1", "2", "3", "set"]


TWO_TEAMS = [ScoreSeries("Ann & Bo", [2, 5, 4]), ScoreSeries("Cy & Di", [-2, -2, 10], [1])]
OF_THREE = [ScoreSeries("Ann, Cy and Ed", [19], [1]), ScoreSeries("Bo, Di and Flo", [21])]


@pytest.mark.parametrize(
    ("chart", "summary", "rows"),
    [
        (score_by_hand(TWO_TEAMS, 10), "After 3 hands: Ann & Bo 4, Cy & Di 10.",
         (("1", "2", "−2 (set)"), ("2", "5", "−2"), ("3", "4", "10"))),
        (score_by_hand(OF_THREE, 21), "After 1 hand: Ann, Cy and Ed 19; Bo, Di and Flo 21.", None),
        (standings_over_time(["night 1", "night 2"], [PlayerSeries("Ed K.", [1, 1])]), "First after night 2: Ed K.",
         None),
        # Which hand turned it, the story says.
        (win_chance([ChanceSeries("A", [0.5, 0.62, 0.31]), ChanceSeries("B", [0.5, 0.38, 0.69])]),
         "After 2 hands: A 31%, B 69%.", (("before", "50%", "50%"), ("1", "62%", "38%"), ("2", "31%", "69%"))),
        # Halves are rounded up, as on the pages: Python's round() would give 1500 and 50.
        (rating_over_time(["1 Nov"], [PlayerSeries("Ann", [1500.5], [50.5])]),
         "Ann: 1501 ± 51. The chart needs two nights.", None),
        (made_and_set([BidCount("2", 3, 1), BidCount("3", 4, 0), BidCount("4", 1, 0)]),
         "8 of 9 bids made (89%). Most often bid: 2 and 3 (4 times each).", None),
        (made_and_set([BidCount("4", 5, 0)]), "5 of 5 bids made (100%). Most often bid: 4 (5 times, always made).",
         None),
        (made_and_set([BidCount("4", 0, 5)]), "0 of 5 bids made (0%). Most often bid: 4 (5 times, never made).", None),
    ],
)  # fmt: skip
def test_a_chart_in_words_and_numbers(chart, summary, rows):
    assert chart.summary == summary
    assert rows is None or chart.table.rows == rows


def test_scores_that_were_carried_over_begin_apart():
    """A starts at 6 and stays there, B at 0, where the chart starts."""
    picture = drawn(score_by_hand([ScoreSeries("A", [6, 8], start=6), ScoreSeries("B", [4, 4])], 10))
    carried, new = path(picture, "s1"), path(picture, "s2")
    assert carried[0][1] == carried[1][1] != carried[-1][1]
    assert new[0][1] > carried[0][1]  # further down


def test_a_game_that_counts_down_begins_at_its_start():
    chart = score_by_hand([ScoreSeries("A", [9, 6], start=11), ScoreSeries("B", [11, 12], start=11)], 0)
    down, up = path(drawn(chart), "s1"), path(drawn(chart), "s2")
    assert down[0] == up[0]
    assert down[1][1] - down[0][1] == near(2 * (up[0][1] - up[-1][1]))  # two points down, one point up


def test_a_long_name_is_whole_in_lines_of_its_own_and_in_the_sentence():
    narrow, wide = (
        path(drawn(score_by_hand([ScoreSeries(name, [4]), ScoreSeries("Bo", [4])], 11)), "s1")[-1][0]
        for name in ("Ann and Cy and Ed and Flo", "Annandcyanded-andflo")
    )
    assert narrow > 200 > wide  # of 324: in lines the names take less
    teams = [ScoreSeries("Bartholomew’s team", [4]), ScoreSeries("Bo’s team", [4])]
    lines = found(drawn(score_by_hand(teams, 11)), "text", "end", "s1")
    assert " ".join(map(shown, lines)) == "4 Bartholomew’s team"  # in whole words
    long = "Maximiliana Featherstonehaugh-Wolfeschlegelsteinhausen’s team"
    teams = ["Wilhelmina-Bartholomew’s team", long]
    scores = score_by_hand([ScoreSeries(teams[0], [4]), ScoreSeries(long, [4])], 11)
    chances = win_chance([ChanceSeries(teams[0], [0.5, 0.6]), ChanceSeries(long, [0.5, 0.4])])
    for chart in (scores, chances):
        assert all(name in chart.summary for name in teams)
        picture = drawn(chart)
        for tone, name in zip(("s1", "s2"), teams, strict=True):
            lines = found(picture, "text", "end", tone)
            assert "".join(map(shown, lines)).replace(" ", "").endswith(name.replace(" ", ""))
            heights = [float(text.get("y", "")) for text in lines]
            assert all(below - above >= 14 for above, below in pairwise(heights))


def test_six_units_have_six_tones():
    picture = drawn(score_by_hand([ScoreSeries(f"P{i}", [i]) for i in range(6)], 11))
    assert sorted(one.get("class", "") for one in found(picture, "text", "end")) == [f"end s{i}" for i in range(1, 7)]
    assert [len(found(picture, "path", "line"))] == [6]


# --- chance to win --------------------------------------------------------------------------------------------------


def test_two_units_are_one_line_around_even():
    """100% is at y = 14, 50% at 104, 0% at 194."""
    picture = drawn(win_chance([ChanceSeries("A", [0.5, 0.75, 0.25, 1]), ChanceSeries("B", [0.5, 0.25, 0.75, 0])]))
    (line,) = found(picture, "path", "line")
    corners = travelled(line.get("d", ""))
    assert [y for _, y in corners] == [near(104), near(59), near(149), near(14)]
    widths = [after[0] - before[0] for before, after in pairwise(corners)]
    assert widths == [near(widths[0])] * 3
    above, below = path(picture, "s1", "area"), path(picture, "s2", "area")
    assert {round(y) for _, y in above} == {14, 59, 104}
    assert {round(y) for _, y in below} == {104, 149}
    # From 75 to 25% the line crosses 50% half way, from 25 to 100% after a third.
    xs = [x for x, _ in corners]
    crossings = [near((xs[1] + xs[2]) / 2), near(xs[2] + (xs[3] - xs[2]) / 3)]
    lowest = next(index for index, (_, y) in enumerate(below) if y == near(149))
    assert [below[lowest - 1], below[lowest + 1]] == [(x, near(104)) for x in crossings]
    assert words(picture, "end", "s1") == ["100%", "A"]
    assert words(picture, "end", "s2") == ["0%", "B"]


def test_three_units_are_a_line_each():
    chart = win_chance([ChanceSeries("A", [0.2, 0.5]), ChanceSeries("B", [0.3, 0.3]), ChanceSeries("C", [0.5, 0.2])])
    picture = drawn(chart)
    assert [y for _, y in path(picture, "s1")] == [near(158), near(104)]
    assert [y for _, y in path(picture, "s2")] == [near(140), near(140)]
    assert words(picture, "end") == ["50% A", "30% B", "20% C"]


@pytest.mark.parametrize(("value", "said"), [(0, "0"), (0.001, "1"), (0.5, "50"), (0.999, "99"), (1, "100")])
def test_only_what_is_sure_is_none_or_all(value, said):
    assert win_chance([ChanceSeries("A", [value]), ChanceSeries("B", [1 - value])]).table.rows[0][1] == f"{said}%"


# --- rating ---------------------------------------------------------------------------------------------------------


def test_a_player_alone_has_a_band():
    """1400 to 1600 with the band: 200 and 6% at each end on 200 units."""
    chart = rating_over_time(["1 Nov", "8 Nov"], [PlayerSeries("Ann", [1500, 1550], [100, 50])])
    picture = drawn(chart)
    (x0, first), (x1, last) = path(picture, "s1")
    unit = 200 / 224
    assert (first, last) == (near(112), near(112 - 50 * unit))
    band = path(picture, "s1", "area")
    upper, lower = near(112 - 100 * unit), near(112 + 100 * unit)
    assert band == [(near(x0), upper), (near(x1), upper), (near(x1), near(112)), (near(x0), lower)]
    assert words(picture, "end") == ["1550 ± 50 Ann"]
    assert chart.summary == "Ann: 1550 ± 50. After 1 Nov: 1500. Highest: 1550 (8 Nov)."
    assert chart.table.rows == (("1 Nov", "1500 ± 100"), ("8 Nov", "1550 ± 50"))


def test_of_many_nights_of_a_player_the_highs_and_the_lows_are_shown():
    values = [1000 + 7 * (night * 37 % 101) for night in range(3_000)]  # from 1000 to 1700, repeatedly
    values[1_234], values[2_345] = 1_900, 600
    when = [f"night {night}" for night in range(3_000)]
    chart = rating_over_time(when, [PlayerSeries("Ann", values, [50] * 3_000)])
    rows = dict(chart.table.rows)
    assert len(rows) == len(chart.table.rows) == len(path(drawn(chart), "s1")) == 60
    assert list(rows) == sorted(rows, key=when.index)
    assert all(text == f"{values[when.index(night)]} ± 50" for night, text in rows.items())
    assert {"night 0", "night 1234", "night 2345", "night 2999"} <= set(rows)
    assert chart.summary == (
        f"Ann: {values[-1]} ± 50. After night 0: 1000. Highest: 1900 (night 1234)."
        " 60 of 3,000 ratings are shown, the highest and the lowest among them."
    )


def test_several_players_have_a_line_each_and_no_band():
    chart = rating_over_time(
        ["a", "b", "c"], [PlayerSeries("Ann", [1500, 1520, 1480], [9, 9, 9]), PlayerSeries("Bo", [None, 1500, 1530])]
    )
    picture = drawn(chart)
    assert found(picture, "path", "area") == []
    ann, bo = path(picture, "s1"), path(picture, "s2")
    assert bo[0][0] == ann[1][0]  # Bo's line starts one night later
    assert chart.summary == "Highest now: Bo 1530, Ann 1480 ± 9."
    assert words(picture, "end") == ["1480 Ann", "1530 Bo"]
    assert chart.table.rows[0] == ("a", "1500 ± 9", "")


@pytest.mark.parametrize(
    ("ratings", "said"),
    [
        ([1530, 1500, 1480, 1480.4, 1479], "P0 1530, P1 1500, P3 1480, P2 1480"),  # equal after rounding
        ([1530, 1530, 1530, 1530, 1500], "P0 1530, P1 1530, P2 1530, P3 1530"),
        ([1530, *[1480] * 5], "P0 1530, P1 1480, P2 1480, P3 1480, P4 1480, P5 1480"),
        ([1530, *[1480] * 6], "P0 1530, 6 players 1480"),
        ([1000] * 7, "7 players 1000.0"),
    ],
)
def test_whoever_is_level_with_the_third_is_named_or_counted(ratings, said):
    players = [PlayerSeries(f"P{number}", [rating] * 2) for number, rating in enumerate(ratings)]
    chart = rating_over_time(["a", "b"], players)
    assert chart.summary == f"Highest now: {said}."


def test_of_more_than_six_the_highest_are_named():
    picture = drawn(rating_over_time(["a", "b"], [PlayerSeries(f"P{i}", [1000.0 + i] * 2) for i in range(8)]))
    assert sorted(words(picture, "end")) == [f"100{i} P{i}" for i in range(2, 8)]
    (others,) = found(picture, "g", "faint")
    assert found(others, "path", "line")[0].get("d", "").count("M") == 2


def lines_of(chart):
    """The class of each named line, by player."""
    return {(end.text or "").split()[-1]: end.get("class") for end in found(drawn(chart), "text", "end")}


def test_a_player_has_the_same_line_in_both_charts_of_a_page():
    """Six of eight have a color and dash of their own on the page; the marked player and the highest are named too."""
    names, nights = [f"P{i}" for i in range(8)], ["a", "b"]
    places = [PlayerSeries(name, [i + 1, i + 1]) for i, name in enumerate(names)]
    ratings = [PlayerSeries(name, [1000.0, 1000.0 + i], [50, 50]) for i, name in enumerate(names)]
    in_places = lines_of(standings_over_time(nights, places, chosen=2))
    in_ratings = lines_of(rating_over_time(nights, ratings, chosen="P2", tones=names))
    assert in_ratings == {name: in_places[name] for name in names[:6]} | {"P6": "end other", "P7": "end other"}
    assert list(in_ratings.values())[:6] == ["end s1", "end s2", "end s3 chosen", "end s4", "end s5", "end s6"]
    assert lines_of(rating_over_time(nights, ratings, chosen="P7", tones=names))["P7"] == "end chosen"


def test_only_the_names_at_line_ends_are_shortened():
    """Shortening a name compares it with all others, and a club may have thousands of players."""
    asked = []

    def named(number, values):
        return PlayerSeries(f"P{number}", values, short=lambda: asked.append(number) or f"S{number}")

    places = drawn(standings_over_time(["a", "b"], [named(number, [number + 1] * 2) for number in range(100)]))
    assert [text.split()[-1] for text in words(places, "end")] == ["S0", "S1", "S2", "S3"]
    drawn(rating_over_time(["a", "b"], [named(number, [1000.0 + number] * 2) for number in range(100)]))
    assert sorted(asked) == [0, 1, 2, 3, *range(94, 100)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_unnamed_lines_are_seen_on_the_ground(scheme):
    """A luminance ratio of 2 at least: colors of the style sheets, blended."""
    sheets = [(ROOT / "static" / name).read_text("utf-8") for name in ("app.css", "charts.css")]
    values = {}
    for sheet in sheets:
        light, _, dark = sheet.partition("@media (prefers-color-scheme: dark)")
        for part in (light, dark.split("\n}", 1)[0])[: 1 + (scheme == "dark")]:
            values |= dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6}|[.\d]+);", part))
    edge, sheet = ([int(values[name][at : at + 2], 16) for at in (1, 3, 5)] for name in ("edge", "sheet"))
    part = float(values["faint"])
    seen = [part * over + (1 - part) * under for over, under in zip(edge, sheet, strict=True)]
    lighter, darker = sorted((luminance(seen), luminance(sheet)), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 2


def luminance(color):
    parts = [value / 255 for value in color]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# --- standings ------------------------------------------------------------------------------------------------------


def test_places_are_rows_18_apart():
    chart = standings_over_time(
        ["a", "b"], [PlayerSeries("Ann", [2, 1]), PlayerSeries("Bo", [1, 3]), PlayerSeries("Cy", [3, 2])], chosen=1
    )
    picture = drawn(chart)
    assert [y for _, y in path(picture, "s1")] == [near(32), near(14)]
    assert [y for _, y in path(picture, "chosen")] == [near(14), near(50)]
    assert words(picture, "end") == ["1 Ann", "2 Cy", "3 Bo"]
    assert chart.summary == "First after b: Ann. Bo: place 3, best 1, worst 3."
    assert chart.table.rows == (("Ann", "2", "1"), ("Bo", "1", "3"), ("Cy", "3", "2"))


def test_of_many_players_the_first_and_the_chosen_are_named():
    players = [PlayerSeries(f"P{i}", [20 - i, i + 1]) for i in range(20)]
    picture = drawn(standings_over_time(["a", "b"], players, chosen=11))
    assert words(picture, "end") == ["1 P0", "2 P1", "3 P2", "4 P3", "12 P11"]
    (others,) = found(picture, "g", "faint")
    assert found(others, "path", "line")[0].get("d", "").count("M") == 15


def test_shared_places_and_somebody_who_is_gone():
    players = [PlayerSeries("Ann", [1, 1]), PlayerSeries("Bo", [None, 1]), PlayerSeries("Cy", [2, None])]
    chart = standings_over_time(["a", "b"], players, chosen=2)
    assert chart.summary == "First after b: Ann and Bo. Cy: no longer ranked, best 2, worst 2."
    assert chart.table.rows[2] == ("Cy", "2", "")


# --- bids -----------------------------------------------------------------------------------------------------------


def test_a_bar_is_as_long_as_the_bids_taken():
    chart = made_and_set([BidCount("2", 30, 10), BidCount("3", 20, 0), BidCount("4", 0, 10)])
    picture = drawn(chart)
    two, three, four = ([one for one in row if one.get("width")] for row in found(picture, "g", "row"))
    full = float(two[0].get("width", "")) / 30  # per bid
    assert [one.get("class") for one in two] == ["made", "set"]
    assert float(two[1].get("width", "")) == near(10 * full - 1)  # its outline is inside
    assert float(two[1].get("x", "")) == near(float(two[0].get("x", "")) + 30 * full + 0.5)
    assert [(one.get("class"), float(one.get("width", ""))) for one in three] == [("made", near(20 * full))]
    assert [one.get("class") for one in four] == ["set"]
    assert words(found(picture, "g", "row")[0]) == ["2", "30", "10", "75%"]
    assert chart.summary == "50 of 70 bids made (71%). Most often bid: 2 (40 times, 75% made)."
    assert chart.table.rows[2] == ("4", "0", "10", "0%")


def test_of_very_many_bids_the_commonest_are_drawn_and_all_are_listed():
    chart = made_and_set([BidCount(str(bid), bid, 0) for bid in range(1, 31)])
    assert words(drawn(chart), "strong") == [str(bid) for bid in range(7, 31)]
    assert len(chart.table.rows) == 30


# --- labels ---------------------------------------------------------------------------------------------------------


def test_a_bid_by_any_name_of_the_rule_sets_is_written_out():
    """Including a number with a name, as "5 or smudge"."""
    specials = {special.name for rules in map(find_rules, CATALOGUE) for special in rules.auction.specials}
    names = [*specials, *(f"{number} or {name}" for number in (5, 10) for name in specials)]
    assert "5 or smudge" in names
    for name in names:
        assert words(drawn(made_and_set([BidCount(name, 1_000, 9)])), "strong") == [name]


@pytest.mark.parametrize(
    ("chart", "axes"),
    [
        (score_by_hand([ScoreSeries("A", [2, 5])], 10), ["points", "hand"]),
        (win_chance([ChanceSeries("A", [0.5, 1.0]), ChanceSeries("B", [0.5, 0.0])]), ["chance", "hand"]),
        (rating_over_time(["Nov 1, 2026", "Nov 8, 2026"], [PlayerSeries("A", [1500, 1550])]), ["rating", "night"]),
        (standings_over_time(["Nov 1, 2026", "Nov 8, 2026"], [PlayerSeries("A", [1, 1])]), ["place", "night"]),
        (made_and_set([BidCount("2", 3, 1)]), ["bid", "made", "set", "made %"]),
    ],
)
def test_each_axis_is_named_once(chart, axes):
    assert [shown(text) for text in found(drawn(chart), "text") if shown(text) in axes] == axes


def test_the_name_of_an_axis_is_inside_of_the_picture():
    picture = drawn(score_by_hand([ScoreSeries("A", [2, 5])], 10))
    left, top, _, _ = map(float, picture.get("viewBox").split())
    (name,) = found(picture, "text", "axis")
    assert float(name.get("x")) >= left
    assert float(name.get("y")) - LETTER >= top - 2

"""Scaling of values to coordinates, worked out by hand; short paths, escaped text."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.charts.drawing import (
    Scale,
    foot_axis,
    label,
    plain,
    short,
    shorten,
    spread_apart,
    text_width,
    thin,
    ticks,
    trace,
    widened,
)
from tests.charts.reading import travelled


@pytest.mark.parametrize(
    ("apart", "shown"),
    [(20, "1 2 3 4 5 6 7 8 9"), (12, "1 3 5 7 9"), (6, "3 6 9"), (3, "4 9"), (1, "9")],
)
def test_the_labels_of_an_axis_are_a_whole_number_of_hands_apart(apart, shown):
    labels = foot_axis("hand", list("123456789"), [100 + apart * hand for hand in range(9)], 0)
    assert re.findall(r">(\w+)<", "".join(labels)) == ["hand", *shown.split()]


def test_a_scale_up_the_page_and_one_whose_values_are_all_one():
    assert [Scale(0, 20, 200, 0)(value) for value in (0, 10, 20, 5, -2)] == [200, 100, 0, 150, 220]
    assert Scale(7, 7, 20, 40)(7) == 30
    assert (widened(10, 10, 4), widened(0, 100, 4)) == ((8, 12), (-6, 106))


@pytest.mark.parametrize(
    ("low", "high", "whole", "expected"),
    [
        (0, 11, False, [0, 5, 10]),
        (-6, 11, False, [-5, 0, 5, 10]),
        (0, 52, False, [0, 20, 40]),
        (1437, 1612, False, [1450, 1500, 1550, 1600]),
        (0, 1, False, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (3, 3, False, [3]),
        (0, 2, True, [0, 1, 2]),
        (-1, 1, True, [-1, 0, 1]),
    ],
)
def test_ticks_are_round_and_those_of_scores_whole(low, high, whole, expected):
    assert ticks(low, high, whole=whole) == expected


def test_thinning_keeps_the_ends_and_the_extremes():
    points = [(float(x), 0.0) for x in range(1000)]
    points[333] = (333.0, 50.0)
    points[334] = (334.0, -50.0)
    kept = thin(points, 40)
    assert len(kept) <= 40
    assert kept[0] == (0, 0)
    assert kept[-1] == (999, 0)
    assert {(333, 50), (334, -50)} <= set(kept)
    assert kept == sorted(kept)
    assert thin([(0, 1), (1, 5), (2, 2)], 3) == [(0, 1), (1, 5), (2, 2)]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([50, 80], [50, 80]),  # far enough apart already
        ([50, 50], [50, 60]),  # the second moves down
        ([99, 97], [100, 90]),  # no room below: the upper one gives way, the order is kept
        ([5, 5, 5], [5, 15, 25]),
        ([], []),
    ],
)
def test_labels_keep_apart(wanted, expected):
    assert spread_apart(wanted, 10, 0, 100) == expected


@given(st.lists(st.floats(0, 200), max_size=25))
def test_labels_never_overlap_nor_leave(wanted):
    placed = spread_apart(wanted, 10, 0, 300)
    assert all(-1e-6 <= place <= 300 + 1e-6 for place in placed)
    ordered = sorted(placed)
    assert all(below - above >= 10 - 1e-6 for above, below in pairwise(ordered))
    # the order of wanted positions is kept
    for one, (mine, place) in enumerate(zip(wanted, placed, strict=True)):
        assert all(place < placed[other] for other in range(len(wanted)) if mine < wanted[other]), one


def test_numbers_are_short():
    said = {3.0: "3", 3.46: "3.5", 0.5: ".5", -0.5: "-.5", -0.01: "0", 0: "0", 10.0: "10", -20.04: "-20", 100: "100"}
    assert {number: short(number) for number in said} == said


def test_a_trace_goes_from_corner_to_corner_and_rounding_does_not_add_up():
    assert trace([(10, 20), (15.25, 20), (20, 12.5)]) == "M10 20l5.2 0 4.8-7.5"
    assert trace([(1, 2)]) == "M1 2l0 0"  # a dot
    points = [(x * 0.34, x * 1.26) for x in range(500)]
    assert travelled(trace(points))[-1] == pytest.approx(points[-1], abs=0.06)


def test_a_long_name_ends_in_an_ellipsis_and_keeps_its_whole_as_title():
    assert shorten("Ann & Bo", text_width("Ann & Bo")) == "Ann & Bo"
    drawn = str(label(0, 10, "Bartholomew <the> Great", room=80))
    assert drawn.startswith('<text x="0" y="10"><title>Bartholomew &lt;the&gt; Great</title>Barth')
    assert drawn.endswith("…</text>")


@given(st.text(max_size=80), st.floats(20, 200))
def test_a_shortened_name_fits(text, room):
    assert text_width(shorten(text, room)) <= room + 0.01


@given(st.text(max_size=80))
def test_words_keep_nothing_that_xml_has_no_place_for(text):
    allowed = {0x9, 0xA, 0xD}
    for letter in plain(text):
        code = ord(letter)
        assert code in allowed or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF

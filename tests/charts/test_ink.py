"""The pen: few bytes, safe words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.charts.ink import label, plain, short, shorten, steps, text_width, trace
from tests.charts.reading import travelled


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3.0, "3"),
        (3.46, "3.5"),
        (0.5, ".5"),
        (-0.5, "-.5"),
        (-0.01, "0"),
        (0, "0"),
        (10.0, "10"),
        (-20.04, "-20"),
        (100, "100"),
    ],
)
def test_numbers_are_short(number, text):
    assert short(number) == text


def test_a_trace_goes_from_corner_to_corner():
    assert trace([(10, 20), (15.25, 20), (20, 12.5)]) == "M10 20l5.2 0 4.8-7.5"
    assert trace([(1, 2)]) == "M1 2l0 0"  # a dot


def test_rounding_does_not_add_up():
    points = [(x * 0.34, x * 1.26) for x in range(500)]
    assert travelled(trace(points))[-1] == pytest.approx(points[-1], abs=0.06)


def test_steps_go_up_then_across():
    assert steps([(0, 100), (10, 70), (20, 70), (30, 90)]) == "M0 100v-30h10h10v20h10"


def test_a_name_that_fits_is_left_alone():
    assert shorten("Ann & Bo", text_width("Ann & Bo")) == "Ann & Bo"


def test_a_long_name_ends_in_an_ellipsis_and_keeps_its_whole_as_title():
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

"""Properties of every chart for any data: small, well-formed, and without anything that the CSP blocks."""

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.charts import (
    BidCount,
    ChanceSeries,
    Chart,
    PlayerSeries,
    ScoreSeries,
    made_and_set,
    rating_over_time,
    score_by_hand,
    standings_over_time,
    win_chance,
)
from tests.charts.reading import SVG, drawn
from tests.charts.samples import all_charts, without_data

CHARTS = dict(all_charts())
ALLOWED = {"svg", "title", "desc", "g", "path", "line", "rect", "circle", "text"}
NASTY = '</text><script>alert(1)</script>" onload="x" style="y" & <style>*{}</style> \x00\x1b\ud800\uffff'


def attributes(picture: ElementTree.Element) -> set[str]:
    return {name for element in picture.iter() for name in element.attrib}


def check(chart: Chart) -> None:
    """Assert the properties of every chart."""
    assert chart.title
    assert re.fullmatch(r".*[.]", chart.summary, re.DOTALL)
    assert len({len(row) for row in chart.table.rows} | {len(chart.table.headings)}) == 1
    if not chart.is_drawn:
        assert chart.svg("chart") == ""
        return
    picture = drawn(chart)
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= ALLOWED
    names = attributes(picture)
    assert not [name for name in names if name == "style" or name.startswith("on") or "href" in name]
    numbers = [element.get(name, "") for element in picture.iter() for name in ("d", "x", "y", "cx", "cy", "width")]
    assert not re.search(r"\.\d\d|nan|inf|e[+-]?\d", " ".join(numbers))


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_small_and_safe(name):
    chart = CHARTS[name]()
    assert chart.is_drawn
    check(chart)
    assert len(chart.svg("a-chart-with-a-name").encode()) < 15_500


def test_without_data_there_is_a_sentence_instead():
    for chart in without_data():
        assert not chart.is_drawn
        assert chart.summary.startswith(("No", "Nothing"))
        check(chart)


# --- names ----------------------------------------------------------------------------------------------------------


def named(name: str) -> list[Chart]:
    """Every chart, with that name in every place for a name."""
    return [
        score_by_hand([ScoreSeries(name, [3, 1], [2]), ScoreSeries("B", [1, 2])], 11),
        win_chance([ChanceSeries(name, [0.5, 0.6]), ChanceSeries(name, [0.5, 0.4])]),
        win_chance([ChanceSeries(name, [0.3, 0.6]), ChanceSeries(name, [0.3, 0.2]), ChanceSeries("C", [0.4, 0.2])]),
        rating_over_time([name, "b"], [PlayerSeries(name, [1, 2], [1, 1])]),
        standings_over_time([name, "b"], [PlayerSeries(name, [1, 2]), PlayerSeries(name, [2, 1])], chosen=0),
        made_and_set([BidCount(name, 3, 2)]),
    ]


@pytest.mark.parametrize("chart", named(NASTY))
def test_a_nasty_name_is_only_a_name(chart):
    check(chart)
    said = "".join("".join(element.itertext()) for element in drawn(chart).iter(SVG + "text"))  # split into lines
    assert "<script>alert(1)</script>" in said


@given(st.text(min_size=1, max_size=60))
def test_any_name(name):
    for chart in named("A" + name):
        check(chart)


# --- ids ------------------------------------------------------------------------------------------------------------


def test_title_and_summary_name_the_picture():
    chart = CHARTS["score-teams"]()
    picture = drawn(chart)
    texts = {element.get("id"): element.text for element in picture.iter() if element.get("id")}
    assert texts == {"chart-title": chart.title, "chart-desc": chart.summary}
    assert picture.get("role") == "img"
    assert picture.get("aria-labelledby") == "chart-title chart-desc"


def test_after_one_night_there_is_a_sentence_instead_of_lone_points():
    """Also where two players came on a night each."""
    ann, bo = PlayerSeries("Ann", [1], [1]), PlayerSeries("Bo", [None, 2])
    for chart in (standings_over_time(["a"], [ann]), rating_over_time(["a", "b"], [ann, bo])):
        assert (chart.is_drawn, chart.summary.endswith(". The chart needs two nights.")) == (False, True)


def test_ids_are_unique_on_a_page():
    page = "".join(draw().svg(name) for name, draw in CHARTS.items())
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(ids) == 2 * len(CHARTS) == len(set(ids))


# --- any data -------------------------------------------------------------------------------------------------------

names = st.text(min_size=1, max_size=12)
scores = st.integers(-500, 500)


@given(
    st.lists(
        st.builds(ScoreSeries, names, st.lists(scores, max_size=40), st.lists(st.integers(0, 50), max_size=9)),
        max_size=6,
    )
)
def test_any_scores(units):
    check(score_by_hand(units, 52))


@given(
    st.integers(0, 40).flatmap(
        lambda hands: st.lists(
            st.builds(ChanceSeries, names, st.lists(st.floats(0, 1), min_size=hands, max_size=hands)), max_size=6
        )
    )
)
def test_any_chances(units):
    check(win_chance(units))


def as_many(each: st.SearchStrategy[object]) -> Callable[[int], st.SearchStrategy[list[object]]]:
    return lambda number: st.lists(each, min_size=number, max_size=number)


ratings = st.one_of(st.none(), st.floats(-5000, 5000))


@given(
    st.integers(0, 30).flatmap(
        lambda number: st.tuples(
            st.just(number),
            st.lists(
                st.builds(PlayerSeries, names, as_many(ratings)(number), as_many(st.floats(0, 500))(number)), max_size=9
            ),
        )
    )
)
def test_any_ratings(sample):
    number, players = sample
    check(rating_over_time([f"{night} Nov" for night in range(number)], players))


places = st.one_of(st.none(), st.integers(1, 30))


@given(
    st.integers(0, 30).flatmap(
        lambda number: st.tuples(
            st.just(number), st.lists(st.builds(PlayerSeries, names, as_many(places)(number)), min_size=1, max_size=30)
        )
    )
)
def test_any_places(sample):
    number, players = sample
    check(standings_over_time([f"{night} Nov" for night in range(number)], players, chosen=len(players) - 1))


@given(st.lists(st.builds(BidCount, names, st.integers(0, 10**6), st.integers(0, 10**6)), max_size=30))
def test_any_bids(bids):
    check(made_and_set(bids))

"""The story of a night: all sentences are true for any games."""

from collections import Counter
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.stats.query import Person, PlayerStats
from scorekeeper.stats.records import STREAK, Deed, FoundRecord
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import Line, Standings
from scorekeeper.web.seasons.messages import counting, halves, tie_breaks, worth_said
from scorekeeper.web.standings.messages import Ended, deed_text, night_story, table_story

TABLE = ("Ann", "Bo", "Cy", "Di")
WON = Ended(TABLE, ("Ann", "Cy"), False, "12 to 7")
LOST = Ended(TABLE, ("Bo", "Di"), False, "11 to 12, because the bidder goes out first")
ALONE = Ended(TABLE, ("Bo",), False, "with 52")
SHARED = Ended(TABLE, ("Ann", "Bo"), True, "with 52")
EVE = Ended(("Eve", "Flo", "Gil", "Hal"), ("Eve", "Gil"), False, "11 to −4")


@pytest.mark.parametrize(
    ("games", "story"),
    [
        ([WON], "One game. Ann and Cy won, 12 to 7."),
        ([LOST], "One game. Bo and Di won, 11 to 12, because the bidder goes out first."),
        ([ALONE], "One game. Bo won, with 52."),
        ([SHARED], "One game, a tie. Ann and Bo won together, with 52."),
        ([SHARED, SHARED], "2 games. Both were ties."),
        ([WON, WON], "2 games. Ann and Cy won both."),
        ([WON, WON, WON], "3 games. Ann and Cy won all 3."),
        ([WON, LOST], "2 games. Ann and Cy won the first, Bo and Di the second."),
        ([WON, LOST, EVE], "3 games."),
        ([WON, LOST, WON], "3 games. Ann and Cy won the most, 2 each."),
        ([ALONE, SHARED, ALONE], "3 games. Bo won the most, 2 of 3."),
        ([SHARED, ALONE], "2 games. Bo won the most, 1 of 2."),
        ([ALONE, ALONE, SHARED, EVE], "4 games. Bo won the most, 2 of 3."),
        ([ALONE, ALONE, EVE], "3 games. Bo played 2 and won both."),
        ([Ended(("Ann", "Bo"), ("Ann",), False), SHARED], "2 games. Ann won the most, 1 of 2."),
    ],
)  # fmt: skip
def test_who_won_the_games(games, story):
    assert night_story(games) == story


def line(name, place, was, points=0):
    record = PlayerStats(Counter(games=1), [(date(2026, 1, 1), 1, "W")])
    ids = tuple(sum(map(ord, one)) for one in name.split(" and "))  # both ids of a pair
    return Line(Person(ids if len(ids) > 1 else ids[0], name, False), record, place, was, Fraction(points))


def told(*lines, hidden=(), tie="head-to-head", **scheme):
    return table_story(Standings(tuple(line(*one) for one in lines), hidden, date(2026, 1, 1), tie), Scheme(**scheme))


HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("lines", "story"),
    [
        ([("Ann", 1, None, 2), ("Bo", 2, None, 1)], "Ann leads, 1 win ahead of Bo."),
        ([("Ann", 1, None, 2), ("Bo", 1, None, 2), ("Cy", 3, None, 1)], "Ann and Bo lead together."),
        ([("Ann", 1, None, 2), ("Bo", 1, None, 2)], "Both are tied."),
        ([(name, 1, 1, 2) for name in ("Ann", "Bo", "Cy")], "All 3 are tied."),
        ([("Ann", 1, None, 1)], "Ann leads."),
        ([("Ann", 1, 1, 3), ("Bo", 2, 2, HALF)], "Ann still leads, 2½ wins ahead of Bo."),
        ([("Ann", 1, 1, 3), ("Bo", 2, 2, 3 - HALF)], "Ann still leads, half a win ahead of Bo."),
        ([("Ann", 1, 1, 3), ("Bo", 2, 2, 3)], "Ann still leads, ahead of Bo on head to head."),
        ([("Ann", 1, 2, 3), ("Bo", 2, 1, 2)], "Ann took the lead from Bo, 1 win ahead."),
        ([("Ann", 1, 1, 3), ("Bo", 1, 2, 3), ("Cy", 3, 3, 1)], "Bo joined Ann at the top."),
        ([("Ann", 1, 1, 3), ("Bo", 2, 1, 2)], "Ann now leads alone, 1 win ahead of Bo."),
        ([("Ann", 1, 1, 3), ("Bo", 1, 3, 3), ("Cy", 3, 1, 1)],
         "Ann and Bo now lead together. Biggest climb: Bo, up 2 to place 1."),
        ([("Ann", 1, 1, 9), ("Bo", 2, 2, 4), ("Cy", 3, 6, 3)],
         "Ann still leads, 5 wins ahead of Bo. Biggest climb: Cy, up 3 to place 3."),
        ([("Ann", 1, 1, 9), ("Bo", 2, 2, 4), ("Cy", 3, 6, 3), ("Di", 4, 7, 3)],
         "Ann still leads, 5 wins ahead of Bo. Biggest climb: Cy and Di, up 3 places each."),
        ([("Ann", 1, 4, 9), ("Bo", 2, 1, 4), ("Cy", 3, 2, 3)],
         "Ann took the lead from Bo, 5 wins ahead. Biggest climb: Ann, up 3 to place 1."),
        ([("Ann", None, None, 1)], "Nobody is ranked yet."),
        ([("Ann", 1, 2, 3), ("Bo", 2, 1, 3)], "Ann took the lead from Bo on head to head."),
        ([("Ann and Bo", 1, 1, 3), ("Cy and Di", 2, 2, 2)], "Ann and Bo still lead, 1 win ahead of Cy and Di."),
        ([("Ann and Bo", 1, None, 3)], "Ann and Bo lead."),
        ([("Ann and Bo", 1, 1, 3), ("Cy and Di", 2, 1, 2)], "Ann and Bo now lead alone, 1 win ahead of Cy and Di."),
    ],
)  # fmt: skip
def test_what_the_night_did_to_the_table(lines, story):
    assert told(*lines) == story


def test_a_tie_for_the_lead_names_the_tiebreaker_that_decided_it():
    lines = [("Ann", 1, None, 3), ("Bo", 2, None, 3), ("Cy", 2, None, 3)]
    assert told(*lines, tie="margin") == "Ann leads, ahead of Bo and Cy on average margin."
    assert told(*lines, tie="sets") == "Ann leads, ahead of Bo and Cy on fewest sets per game."


def test_the_gap_is_in_what_the_table_counts():
    lines = [("Ann", 1, 1, 7), ("Bo", 2, 2, 6)]
    assert told(*lines, by="points") == "Ann still leads, 1 point ahead of Bo."
    assert told(*lines, by="share") == told(*lines, by="rating") == "Ann still leads."
    assert told(("Ann", None, None), by="share") == "Nobody is ranked yet. It takes 5 games."


NAMES = st.sampled_from(["Ann", "Bo", "Cy", "Di", "Eve"])


@given(
    st.lists(
        st.tuples(NAMES, st.integers(1, 5), st.none() | st.integers(1, 5), st.integers(0, 4)),
        unique_by=lambda one: one[0],
    )
)
def test_whatever_the_table_is_it_is_a_sentence(lines):
    story = told(*sorted(lines, key=lambda one: one[1]))
    assert story == "" or story.endswith(".")
    assert "  " not in story
    assert "None" not in story


@pytest.mark.parametrize(
    ("value", "said"), [(0, "0"), (HALF, "½"), (1, "1"), (Fraction(15, 2), "7½"), (12, "12"), (-3, "−3"), (-HALF, "−½")]
)
def test_halves(value, said):
    assert halves(value) == said


def test_a_scheme_in_words():
    assert counting(Scheme()) == "Ordered by wins. A tied game counts half."
    assert counting(Scheme(by="points", won=3)) == "Points: 3 for a win, 1 for a tie, 0 for a loss."
    assert "Ranked after 5 games." in counting(Scheme(by="share"))
    assert tie_breaks(Scheme(ties=())) == "Ties share the place."
    assert tie_breaks(Scheme(ties=("margin", "sets"))) == (
        "Ties: average margin, then fewest sets per game. Remaining ties share the place."
    )


@pytest.mark.parametrize(
    ("by", "worth", "said"),
    [
        ("wins", "3", "3 wins"),
        ("points", "−1", "−1 point"),
        ("points", "−3", "−3 points"),
        ("wins", "1", "1 win"),
        ("wins", "½", "½ win"),
        ("points", "1", "1 point"),
        ("points", "0", "0 points"),
        ("share", "53%", "53% won"),
        ("rating", "1012", "Rating 1012"),
    ],
)
def test_what_a_champion_has_is_said_with_its_unit(by, worth, said):
    assert worth_said(worth, Scheme(by=by)) == said


def test_a_streak_of_more_games_than_its_numbers_have_room_for_names_the_last_one() -> None:
    """Game 3, from paper, was played before games 1 and 2: three wins are games 3, 1 and 2, or 3, 1 and 4."""
    said = [deed_text(FoundRecord(STREAK, "", Deed(3, date(2026, 1, 9), last, since=3))) for last in (5, 2, 4)]
    assert said == [f"{games}, Jan 9, 2026" for games in ("Games 3 to 5", "The last in game 2", "The last in game 4")]

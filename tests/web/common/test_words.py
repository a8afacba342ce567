"""Words and names in sentences."""

import pytest

from scorekeeper.scoring.hand import score_hand
from scorekeeper.scoring.record import read_hand
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.web.common.narrator import Narrator, in_a_sentence
from scorekeeper.web.common.words import color_suits, cut_names, ended, in_turn, short_names
from tests.boards import BOARDS


def test_the_suits_of_a_sentence_are_marked_and_nothing_else_is_taken_for_a_tag() -> None:
    assert color_suits("Ann <b> 4 ♦︎ and ♠︎") == (
        'Ann &lt;b&gt; 4 <span class="suit suit-D red">♦︎</span> and <span class="suit suit-S">♠︎</span>'
    )


def test_a_sentence_that_ends_with_a_name_has_one_period_and_names_stand_in_turn():
    assert ended("Players: Ann, Bo") == "Players: Ann, Bo."
    assert ended("Players: Ann, Sam Jr.") == "Players: Ann, Sam Jr."
    assert [in_turn(names) for names in ((), ("High",), ("High", "Low"), ("High", "Low", "Jack", "Game"))] == [
        "", "High", "High, then Low", "High, Low, Jack, then Game",
    ]  # fmt: skip


@pytest.mark.parametrize(("names", "short"), [
    (["Mr. Sam", "Bo", "Bo Jr.", "J. R."], ["Mr. Sam", "Bo", "Bo Jr.", "J. R."]),
    (["Big Ed", "Old Tom", "Mary Jo", "Billy Bob"], ["Big Ed", "Old Tom", "Mary Jo", "Billy Bob"]),
    (["Ann Featherstone", "Carl Miller", "Bo", "محمد عبد الرحمن"], ["Ann", "Carl", "Bo", "محمد"]),
    (["Uncle Frank", "The Hammer", "old Jeremiah"], ["Uncle Frank", "The Hammer", "old Jeremiah"]),
    (["Ann Lee", "Ann Miller-Jones", "Bo"], ["Ann Lee", "Ann Miller-Jones", "Bo"]),
    (["Mary Jo Smith", "mary Ann Smith", "Bo"], ["Mary Jo Smith", "mary Ann Smith", "Bo"]),
])  # fmt: skip
def test_a_first_name_stands_for_a_long_name_where_it_is_a_name_and_nobody_elses(names, short) -> None:
    """A name of two short words is whole; a first word like Big, Uncle or Mr. is no name without the next one."""
    assert list(short_names(names)) == short


def test_a_score_behind_a_name_in_arabic_or_hebrew_keeps_its_sign_in_front():
    """Names that end in right-to-left letters get U+200E, the left-to-right mark."""
    assert [in_a_sentence(name) for name in ("محمد", "דנה 2", "محمد…")] == ["محمد\u200e", "דנה 2\u200e", "محمد…\u200e"]
    assert [in_a_sentence(name) for name in ("Ann", "Zoë", "🂡", "محمد Jr")] == ["Ann", "Zoë", "🂡", "محمد Jr"]


def test_names_that_are_cut_can_be_told_apart() -> None:
    upper, lower, long = (f"Ann Featherstonehaugh of the {which} Valley" for which in ("Upper", "Lower", "Long"))
    short = ("Ann…Upper", "Ann…Lower", "Zoë 🦊", f"{'W' * 15}…")
    assert cut_names((upper, lower, "Zoë 🦊", "W" * 60), 16) == short
    assert cut_names(("Christopher-Alexander", "Uncle Frank Johnson", "Al"), 16) == (
        "Christopher…", "Uncle Frank…", "Al",
    )  # fmt: skip
    assert cut_names(("Christopher-Alexander", "Christopher-Benedict"), 16) == ("Christopher-Ale…", "Christopher-Ben…")
    assert cut_names(("Wilhelmina-Bartholomew", "Al"), 12) == ("Wilhelmina…", "Al")
    assert cut_names(("Christopher Jones", "Christopher Johns", "Christopher M."), 16) == (
        "Christopher Jon…", "Christopher Joh…", "Christopher M.",
    )  # fmt: skip
    assert cut_names(("Christopher Jones", "Christopher Miller"), 16) == ("Christopher J.", "Christopher M.")
    assert cut_names(("Christopher Moss", "Christopher Bell"), 11) == ("C. Moss", "C. Bell")
    assert cut_names((long, lower), 14) == ("Ann…Long", "Ann…Lower")  # from the beginning of the word that differs
    assert cut_names(("Christopher", "Christopherson"), 11) == ("Christopher", "Chr…erson")


@pytest.mark.parametrize(("sits", "most", "said"), [
    ("Christopher J.", 16, ("Christopher J.", "Christopher J")),
    ("Christopher J.", 11, ("Chr…J.", "Chr…J")),
    ("Christopher Jones", 16, ("Christopher Jo…", "Christopher J")),
    ("Christopher J. Miller", 16, ("Christopher J.…", "Christopher J")),
])  # fmt: skip
def test_a_name_cut_beside_a_substitute_with_its_initial_is_no_third_persons(sits, most, said) -> None:
    assert cut_names(short_names([sits, "Christopher J"]), most) == said


def test_a_pair_is_called_by_both_its_names_where_all_can_be_and_by_letters_where_one_name_is_too_long() -> None:
    shown = BOARDS["one hand"]
    table = Table(find_rules(shown.rules), len(shown.names), shown.teams)
    names = ["Wilhelmina-Bartholomew", *shown.names[1:]]
    assert Narrator(table, names).in_few_letters(16).team("B") == "Team B"
    assert Narrator(table, shown.names).team("B") == "Bo’s team"
    assert Narrator(table, shown.names).in_few_letters(11).team("B") == "Team B"
    table = Table(find_rules("classic"), 4, 2)
    assert [Narrator(table, ["Ann", "Bo", "Cy", "Di"]).team(unit) for unit in "AB"] == ["Ann and Cy", "Bo and Di"]
    long = Narrator(table, ["Ann", "Bartholomew", "Cy", "Maximiliana"])
    assert [long.team(unit) for unit in "AB"] == ["Ann’s team", "Bartholomew’s team"]


def test_two_players_are_never_cut_to_the_same_letters() -> None:
    names = ["Elizabeth Johnson", "Elizabeth", "Bo"]  # of 8 letters both would be El…th
    narrator = Narrator(Table(find_rules("pitch-smudge"), 3), names).in_few_letters(8)
    assert narrator.shorts == ("Elizabeth Johns…", "Elizabeth", "Bo")


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("one hand", "Ann bid 4, took 5: +5. Bo’s team +2. Ann’s team leads 5 to 2."),
        ("four with jokers", "Cy bid 4, took 6: +6. Bo and Di +1. Ann and Cy lead 6 to 1."),
        ("double jack", "Di bid 3, took 2: set, −3. Ann and Cy +3. Ann and Cy lead 3 to −3."),
        ("classic", "Ann bid 2, took 2: +2. Bo and Di +2. Both have 2."),
        ("two alone", "Ann bid 2, took 3: +3. Bo +1. Ann leads 3 to 1."),
        ("three teams", "Ann bid 2, took 2: +2. Team B +1, Team C +1. Now A 2, B 1, C 1."),
        ("six alone", "Ann bid 2, took 2: +2. Bo +1, Cy +1. Now Ann 2."),
        ("called partner", "Bo and Di bid 5, took 5: +5. The others +2 each. Now Bo 5, Di 5."),
        ("alone", "Bo bid 5, took 4: set, −5. The others +3 each. Now Bo −5."),
    ],
)
def test_the_sentence_of_a_hand_names_who_scored_and_who_leads(board: str, said: str) -> None:
    shown = BOARDS[board]
    table = Table(find_rules(shown.rules), len(shown.names), shown.teams)
    (facts,) = shown.hands
    score = score_hand(table, read_hand(facts | {"dealer": table.players}, table))
    assert str(Narrator(table, shown.names).hand(score, score.totals)) == said

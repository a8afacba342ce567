"""The report of an import: one game, several games, too many to name, and names that end with a period."""

import pytest

from scorekeeper.transfer.matching import CLASH, KNOWN, NEW, NEWER, Report, report_sentences


def report(*, new: int = 0, newer: int = 0, renumbered: int = 0) -> Report:
    made = Report("Friday Jr.", False, [], [], [], renumbered=renumbered)
    made.games |= {NEW: new, KNOWN: 1, NEWER: newer}
    made.named[NEWER] = [(number, "") for number in range(3, 3 + newer)]
    return made


def test_one_game_and_several() -> None:
    assert report_sentences(report(new=1, newer=1, renumbered=1), done=True) == [
        "1 new game imported into Friday Jr.",
        "1 game already saved, identical.",
        "1 game updated: game 3.",
        "1 game got a new number: its number is taken.",
    ]
    assert report_sentences(report(new=2, newer=2, renumbered=2), done=False) == [
        "2 new games for Friday Jr.",
        "1 game already saved, identical.",
        "2 games to update: games 3, 4.",
        "2 games will get new numbers: their numbers are taken.",
    ]


def test_who_is_new_and_who_is_who() -> None:
    made = Report(
        "Friday", False, ["Ann", "Bo"], [("Ed", "Ed"), ("flo", "Flo")], ["Spring"], [("Robert", "Rob")], ["House rules"]
    )
    made.games[CLASH], made.named[CLASH] = 1, [(7, "hand 2 is different")]
    told = [
        "No new games for Friday.", "2 new players: Ann, Bo.", "1 new season: Spring.",
        "1 new rule set: House rules.", "Matched by name: Ed, flo as Flo.",
        "Known here by another name: Robert is Rob.",
    ]  # fmt: skip
    assert report_sentences(made, done=False) == [*told, "Game 7 will be skipped: hand 2 is different."]
    told[0] = "No new games imported into Friday."
    assert report_sentences(made, done=True) == [*told, "Game 7 was skipped: hand 2 is different."]


@pytest.mark.parametrize(
    ("lengths", "named"),
    [([1] * 12, 12), ([1] * 13, 12), ([1] * 14, 12), ([80] * 3, 3), ([80, 80, 80, 1], 3), ([80, 80, 79, 1, 1], 4)],
)
def test_a_list_of_names_is_no_longer_than_a_screen(lengths: list[int], named: int) -> None:
    """At most 12 names and 240 letters; the report says how many are left out."""
    names = ["x" * length for length in lengths]
    left = len(names) - named
    more = f" and {left} more" if left else ""
    told = report_sentences(Report("Friday", False, names, [], []), done=True)
    assert told[1] == f"{len(names)} new players: {', '.join(names[:named])}{more}."


@pytest.mark.parametrize(
    ("games", "more", "to_come", "past"),
    [
        (50, "", [], []),
        (51, " and more", ["1 more game will be skipped."], ["1 more game was skipped."]),
        (52, " and more", ["2 more games will be skipped."], ["2 more games were skipped."]),
    ],
)
def test_no_more_than_fifty_games_are_named(games: int, more: str, to_come: list[str], past: list[str]) -> None:
    made = report(newer=50)
    made.games |= {NEWER: games, CLASH: games}
    made.named[CLASH] = [(number, "different") for number in range(50)]
    coming, done = report_sentences(made, done=False), report_sentences(made, done=True)
    numbers = ", ".join(map(str, range(3, 53)))
    assert coming[2] == f"{games} games to update: games {numbers}{more}."
    assert done[2] == f"{games} games updated: games {numbers}{more}."
    assert (coming[3], done[3]) == ("Game 0 will be skipped: different.", "Game 0 was skipped: different.")
    assert (coming[53:], done[53:]) == (to_come, past)

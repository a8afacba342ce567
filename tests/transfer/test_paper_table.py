"""Parsing a table of games from paper: columns, names, scores, winners and dates, and errors by line."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.transfer.paper import HEADER, MIXED, PAIRS, Trouble, decode, read_sheet
from tests.conftest import examples

TODAY = date(2026, 11, 21)
HEAD = "date,team 1,score 1,team 2,score 2"


def read(*lines, order="", head=HEAD):
    return read_sheet("\n".join([head, *lines]), order, TODAY)


def game(line, **changes):
    """The only game of a table with that line, as (day, teams, scores, winners)."""
    sheet = read(line, **changes)
    assert sheet.troubles == []
    (only,) = sheet.games
    return only.played, only.teams, only.scores, only.winners


def troubles(*lines, **changes):
    return read(*lines, **changes).troubles


FOUR = (("Ann", "Cy"), ("Bo", "Di"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2026-11-20,Ann & Cy,21,Bo & Di,15", (date(2026, 11, 20), FOUR, (21, 15), (0,))),
        ("1900-01-01,Ann,9999,Bo,-9999", (date(1900, 1, 1), (("Ann",), ("Bo",)), (9999, -9999), (0,))),
        ('2026-01-01, "Ann & Cy", 1, "Bo & Di", 2', (date(2026, 1, 1), FOUR, (1, 2), (1,))),
    ],
    ids=["usual", "just early enough and small enough", "blanks before quotation marks"],
)
def test_a_line_is_a_game(line, expected):
    assert game(line) == expected


@pytest.mark.parametrize(
    "text",
    [
        "date;team 1;score 1;team 2;score 2\n2026-11-20;Ann & Cy;21;Bo & Di;-3",
        "date\tteam 1\tscore 1\tteam 2\tscore 2\n20.11.2026\tAnn+Cy\t21\tBo+Di\t−3",
        "\ufeffDate,Team A,Score A,Team B,Score B\r\n11/20/2026,Ann/Cy,21,Bo/Di,-3\r\n",
        "played, team, score, team, score\n\n 2026-11-20 , Ann  &Cy , +21 , Bo& Di , -3 \n,,,,\n",
        'DATE,"Players 1","Points 1","Players 2","Points 2"\n2026-11-20,"Ann & Cy","21","Bo & Di","-3"',
        "score 2,team 2,date,score 1,team 1,notes\n-3,Bo & Di,2026-11-20T00:00:00,21,Ann & Cy,late",
    ],
)
def test_the_ways_in_which_people_write_it(text):
    sheet = read_sheet(text, "", TODAY)
    assert sheet.troubles == []
    (only,) = sheet.games
    assert (only.played, only.teams, only.scores) == (date(2026, 11, 20), FOUR, (21, -3))


def test_columns_that_mean_nothing_are_named():
    assert read_sheet("date,team 1,score 1,team 2,score 2,notes,date\n2026-01-01,A,1,B,2,x,y").notes == [
        "Columns not used: notes, date."
    ]


def test_more_teams_and_empty_columns_behind_the_last():
    head = f"{HEAD},team 3,score 3,team 4,score 4"
    assert game("2026-11-20,Ann,11,Bo,7,Cy,11,,", head=head)[1:] == ((("Ann",), ("Bo",), ("Cy",)), (11, 7, 11), (0, 2))


@pytest.mark.parametrize(
    ("winner", "winners"),
    [("", (1,)), ("1", (0,)), ("A", (0,)), ("Team 2", (1,)), ("ann", (0,)), ("Cy & Ann", (0,)), ("1+2", (0, 1)),
     ("Ann & Bo", (0, 1))],
)  # fmt: skip
def test_who_won(winner, winners):
    """A player may be called like a team: if "B" is in team 1, then as the winner, "B" is the player."""
    assert game(f"2026-11-20,Ann & Cy,20,Bo & Di,22,{winner}", head=f"{HEAD},winner")[3] == winners
    assert game("2026-11-20,B,1,Ann,2,B", head=f"{HEAD},winner")[3] == (0,)


def test_a_winner_without_the_best_score_is_named_and_stays():
    lines = [f"2026-11-20,Ann,20,Bo,{score},{won}" for score, won in ((22, 1), (22, 2), (20, 1), (19, "1+2"))]
    sheet = read_sheet("\n".join([f"{HEAD},winner", *lines]), "", TODAY)
    wrong = "If that is wrong, correct the table."
    assert sheet.notes == [f"The winner does not have the best score in lines 2, 5. {wrong}"]
    assert len(sheet.games) == 4
    sheet = read_sheet(f"{HEAD},winner\n{lines[0]}", "", TODAY)
    assert sheet.notes == [f"The winner does not have the best score in line 2. {wrong}"]
    assert read_sheet(f"{HEAD},winner\n{lines[0]}", "", TODAY, lowest_wins=True).notes == []


def test_where_scores_count_down_the_lowest_wins():
    text = f"{HEAD}\n2026-11-20,Ann,7,Bo,0"
    for lowest, winners in ((True, (1,)), (False, (0,))):
        (only,) = read_sheet(text, "", TODAY, lowest_wins=lowest).games
        assert only.winners == winners


def test_the_season_and_the_number_of_the_line():
    sheet = read_sheet(f'season,{HEAD}\n\nWinter,2026-11-20,"Ann\nM",1,Bo,2\n,2026-11-20,A,1,B,2', "", TODAY)
    assert [(game.line, game.season, game.teams[0]) for game in sheet.games] == [
        (3, "Winter", ("Ann M",)), (5, "", ("A",)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-20", (2026, 11, 20)),
        ("2026-1-2", (2026, 1, 2)),
        ("2.1.2026", (2026, 1, 2)),
        ("02. 01. 2026", (2026, 1, 2)),
        ("1/20/2026", (2026, 1, 20)),
        ("20/1/2026", (2026, 1, 20)),
        ("20-1-2026", (2026, 1, 20)),
        ("5/5/2026", (2026, 5, 5)),
        ("5/05/2026", (2026, 5, 5)),
        ("2026-11-22", (2026, 11, 22)),  # tomorrow here, but already today in other time zones
    ],
)
def test_a_day(text, day):
    assert game(f"{text},Ann,1,Bo,2")[0] == date(*day)


def test_one_date_decides_for_all_of_the_table():
    """Also against what was said."""
    assert read("25/4/2026,Ann,1,Bo,2", "3/4/2026,Ann,1,Bo,2", order="month").games[1].played == date(2026, 4, 3)
    games = [f"{text},Ann,1,Bo,2" for text in ("3/4/2026", "25/4/2026", "5/6/2026")]
    assert [game.played for game in read(*games).games] == [date(2026, 4, 3), date(2026, 4, 25), date(2026, 6, 5)]
    games[1] = "4/25/2026,Ann,1,Bo,2"
    assert [game.played for game in read(*games).games] == [date(2026, 3, 4), date(2026, 4, 25), date(2026, 5, 6)]


def test_a_thirteen_is_a_day():
    first, later = date(2026, 2, 13), [date(2026, 4, 3), date(2026, 3, 4)]
    for thirteen, then in zip(("13/2/2026", "2/13/2026"), later, strict=True):
        assert [game.played for game in read(f"{thirteen},Ann,1,Bo,2", "3/4/2026,Ann,1,Bo,2").games] == [first, then]
    both = read("13/2/2026,Ann,1,Bo,2", "2/13/2026,Ann,2,Bo,1")
    assert (both.troubles, [game.played for game in both.games]) == ([], [first, first])


def test_where_none_does_it_is_asked():
    sheet = read("3/4/2026,Ann,1,Bo,2", "5/5/2026,Ann,1,Bo,3")
    said = "3/4/2026 can be April 3 or March 4. Choose below how the dates are written."
    assert (sheet.troubles, sheet.unclear) == ([Trouble(2, said)], True)


@pytest.mark.parametrize(
    ("text", "by_day", "by_month"),
    [
        ("3/4/2026", (2026, 4, 3), (2026, 3, 4)),
        ("12/5/2025", (2025, 5, 12), (2025, 12, 5)),
        ("5/12/2025", (2025, 12, 5), (2025, 5, 12)),
    ],
)
def test_up_to_twelve_it_is_a_day_or_a_month(text, by_day, by_month):
    assert read(f"{text},Ann,1,Bo,2").unclear
    assert game(f"{text},Ann,1,Bo,2", order="day")[0] == date(*by_day)
    assert game(f"{text},Ann,1,Bo,2", order="month")[0] == date(*by_month)


def test_a_table_that_contradicts_itself():
    sheet = read("25/4/2026,Ann,1,Bo,2", "4/25/2026,Ann,1,Bo,3", "3/4/2026,Ann,1,Bo,4", order="day")
    assert (sheet.troubles, sheet.unclear) == ([Trouble(4, f"3/4/2026 can be two dates. {MIXED}")], False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The date is missing."),
        ("yesterday", "yesterday is not a date. Write it like 2026-11-21 or 11/21/2026."),
        ("21.11.26", "21.11.26 is not a date. Write it like 2026-11-21 or 11/21/2026."),
        ("٢٠٢٦-١١-٢٠", "٢٠٢٦-١١-٢٠ is not a date. Write it like 2026-11-21 or 11/21/2026."),
        ("2026-02-30", "There is no date 2026-02-30."),
        ("31.4.2026", "There is no date 31.4.2026."),
        ("13/13/2026", "There is no date 13/13/2026."),
        ("0/1/2026", "There is no date 0/1/2026."),
        ("2026-11-23", "2026-11-23 is in the future."),
        ("1899-12-31", "1899-12-31 is too long ago."),
    ],
)
def test_no_day(text, message):
    assert troubles(f"{text},Ann,1,Bo,2", order="day") == [Trouble(2, message)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2026-01-01,Ann,1", "A game needs at least two teams, each with a score."),
        ("2026-01-01,Ann,1,,", "A game needs at least two teams, each with a score."),
        ("2026-01-01,Ann,1,,2", "Who is team 2? Write its players with & between them."),
        ("2026-01-01,Ann & & Cy,1,Bo,2", "Who is team 1? Write its players with & between them."),
        ("2026-01-01,Ann,1,ANN,2", "ANN plays twice."),
        ("2026-01-01,Ann,,Bo,2", "Team 1 has no score."),
        ("2026-01-01,Ann,1,Bo,x", "Team 2’s score must be a whole number."),
        ("2026-01-01,Ann,1.5,Bo,2", "Team 1’s score must be a whole number."),
        ("2026-01-01,Ann,10000,Bo,2", "Team 1’s score must be a whole number."),
        (f"2026-01-01,{'x' * 81},1,Bo,2", "Use at most 80 letters, on one line, for a name in team 1."),
    ],
)
def test_a_line_that_cannot_be(line, message):
    assert troubles("2026-01-01,Ann,1,Bo,2", line) == [Trouble(3, message)]
    assert len(troubles("never,Ann,x,Ann,y", line)) == 3  # all that is wrong at once: of the first line two things


@pytest.mark.parametrize(
    ("head", "line", "message"),
    [
        (f"{HEAD},winner", "2026-01-01,Ann,1,Bo,2,3",
         "3 is not one of the teams. Write the winner as in the team columns, or the team’s number."),
        (f"{HEAD},team 3,score 3", "2026-01-01,Ann,1,Bo,2,Cy,", "Team 3 has no score."),
        ("date,team,score,team,score", "2026-01-01,Ann,,Bo,1", "Team 1 has no score."),
        ("date,team,score,team,score", "2026-01-01,Ann,1,Bo,", "Team 2 has no score."),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_under_other_columns(head, line, message):
    assert [trouble.message for trouble in troubles(line, head=head)] == [message]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", HEADER),
        ("\n \n", HEADER),
        ("2026-01-01,Ann,1,Bo,2", HEADER),
        ("date,team 1,score 1", HEADER),
        ("team 1,score 1,team 2,score 2", HEADER),
        ("date,team 1,score 1,team 2,score 3", PAIRS),
        ("date,team 1,team 2,score 1,score 2,score 3", PAIRS),
        (HEAD, "There are no games under the column names."),
        (HEAD + "\n2026-01-01,Ann,1,Bo,2" * 2001, "That is more than 2,000 games. Import them in parts."),
    ],
)
def test_a_table_that_cannot_be(text, message):
    assert read_sheet(text, "", TODAY).troubles == [Trouble(0, message)]


def test_a_quotation_mark_that_is_left_open():
    assert read("", head='date,"team 1').troubles[0].line == 1
    sheet = read('2026-01-01,"Ann,1,Bo,2')
    assert sheet.troubles == [Trouble(2, "This line can’t be read. Check for a missing quotation mark.")]


@pytest.mark.parametrize(
    ("content", "text", "notes"),
    [
        ("Éva".encode(), "Éva", False),
        ("\ufeffÉva".encode(), "Éva", False),
        ("\ufeffÉva".encode("utf-16-le"), "Éva", False),
        ("\ufeffÉva".encode("utf-16-be"), "Éva", False),
        ("Éva".encode("cp1252"), "Éva", True),
        (b"\x81\xff", "\ufffdÿ", True),
    ],
)
def test_files_of_different_programs(content, text, notes):
    read_as, note = decode(content)
    assert (read_as.removeprefix("\ufeff"), bool(note)) == (text, notes)


KNOWN = ["date", "team 1", "score 1", "team 2", "score 2", "winner", "Ann & Bo", "21", "3/4/2026", '"', ""]
CELLS = st.one_of(st.text(max_size=12), st.sampled_from(KNOWN))


@examples(300)
@given(st.one_of(st.text(), st.lists(st.lists(CELLS, max_size=7).map(",".join), max_size=6).map("\n".join)))
def test_any_text_is_read_or_told_why_not(text):
    sheet = read_sheet(text, "", TODAY)
    assert sheet.games or sheet.troubles
    for line in sheet.games:
        assert len(line.teams) == len(line.scores) >= 2
        assert all(name == " ".join(name.split()) and name for team in line.teams for name in team)
        assert line.winners
        assert set(line.winners) <= set(range(len(line.teams)))
        assert date(1900, 1, 1) <= line.played <= date(2026, 11, 22)


NAMES = st.text("abcdefgh ÄßÉ'\".,;-", min_size=1, max_size=8).map(lambda s: " ".join(s.split())).filter(bool)
TEAMS = st.lists(NAMES, min_size=4, max_size=4, unique_by=str.casefold)


@examples(200)
@given(
    st.lists(
        st.tuples(st.dates(date(1950, 1, 1), TODAY), TEAMS, st.integers(-99, 99), st.integers(-99, 99)),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from(",;\t"),
    st.sampled_from("&/+"),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y"]),
)
def test_what_is_written_is_what_is_read(games, delimiter, between, written):
    """Written like a spreadsheet does, with every cell quoted."""

    def line(*cells):
        return delimiter.join('"' + str(cell).replace('"', '""') + '"' for cell in cells)

    lines = [
        line(played.strftime(written), f"{a} {between} {b}", one, f"{c}{between}{d}", other)
        for played, (a, b, c, d), one, other in games
    ]
    sheet = read_sheet("\r\n".join([HEAD.replace(",", delimiter), *lines]), "", TODAY)
    assert sheet.troubles == []
    assert [(game.played, game.teams, game.scores) for game in sheet.games] == [
        (played, ((a, b), (c, d)), (one, other)) for played, (a, b, c, d), one, other in games
    ]
    assert [game.winners for game in sheet.games] == [
        (0,) if one > other else (1,) if other > one else (0, 1) for _, _, one, other in games
    ]

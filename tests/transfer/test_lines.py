"""Parsing the lines of a club file without a database: what each may contain, and how other content is refused."""

import json
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, date, datetime
from typing import Any

import pytest

from scorekeeper.scoring.problems import Problem, Problems
from scorekeeper.scoring.rules import find_rules
from scorekeeper.transfer.columns import Fields, is_text, name_key
from scorekeeper.transfer.game_reader import GameInFile, with_names
from scorekeeper.transfer.reader import ClubFile, LineRefused
from tests.classic import FOUR, NAMES, SET
from tests.transfer.clubs import as_file

NOON = "2026-01-06T12:00:00+00:00"
PEOPLE = [*NAMES, "Eve"]
OTHER_WAY = {"1": "Di", "2": "Cy", "3": "Bo", "4": "Ann"}
HANDS = [FOUR | {"dealer": 4}, SET | {"dealer": 1, "names": {"2": "Eve"}}]
SUMS = {"games": 1, "won": 1}
LINE = {"player": "u-Ann", "name": "Ann", "place": 1, "sums": SUMS, "form": [["2026-01-06", 1, "W"]], "rating": None}


def entry(kind: str, position: int, after: Any, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "position": position, "after": after, "token": f"{kind} {position}", "at": NOON, **more}


def lines() -> list[dict[str, Any]]:
    """A club of five: a closed season with its table, and an unfinished game in which Eve has taken seat 2."""
    head = {"format": "scorekeeper-club/1", "name": "Tuesday", "zone": "America/Detroit", "created": NOON}
    players = [
        {"type": "player", "uid": f"u-{name}", "name": name, "guest": False, "retired": False} for name in PEOPLE
    ]
    season = {
        "type": "season", "uid": "s", "name": "League", "starts": "2026-01-01", "ends": "2026-01-01", "created": NOON,
        "settings": {"by": "wins"}, "closed": NOON,
        "frozen": {"night": "2026-01-06", "champions": ["u-Ann", None], "lines": [LINE, LINE | {"player": None}]},
    }  # fmt: skip
    game = {
        "format": "setback-game/1", "rules": find_rules("classic").to_dict(), "players": 4, "teams": 2, "names": NAMES,
        "played": "2026-01-06", "hands": HANDS, "x-uid": "g", "x-number": 1, "x-seats": [f"u-{n}" for n in NAMES],
        "x-season": "s", "x-state": "open", "x-plays-on": False, "x-detail": "points", "x-auction": False,
        "x-options": {}, "x-first-dealer": 4, "x-created": NOON,
        "x-log": [entry("record", 1, HANDS[0]), entry("record", 2, HANDS[1])],
        "x-tapped": {"3": {"bid": ["3", ""]}},
    }  # fmt: skip
    counts = {"players": len(players), "seasons": 1, "games": 1}
    return deepcopy([head | counts, *players, season, game])


HEAD, ANN, EVE, SEASON, GAME = 1, 2, 6, 7, 8


def read(told: list[dict[str, Any]]) -> tuple[ClubFile, list[GameInFile]]:
    file = ClubFile(as_file("\n".join(json.dumps(line) for line in told).encode()))
    return file, list(file.games())


def test_what_a_file_says() -> None:
    file, (game,) = read(lines())
    assert (file.head.name, file.head.zone, file.head.rules) == ("Tuesday", "America/Detroit", [])
    assert file.head.created == datetime(2026, 1, 6, 12, tzinfo=UTC)
    assert (file.head.players, file.head.seasons, file.head.games) == (5, 1, 1)
    assert [(one.uid, one.name, one.guest, one.retired) for one in file.players.values()] == [
        (f"u-{name}", name, False, False) for name in PEOPLE
    ]
    season = file.seasons["s"]
    assert (season.name, season.starts, season.ends) == ("League", date(2026, 1, 1), date(2026, 1, 1))
    assert (season.league, season.pages, season.reopened) == (None, None, None)
    assert (game.uid, game.number, game.season_id, game.also) == ("g", 1, "s", ())
    assert game.seats == ("u-Ann", "u-Bo", "u-Cy", "u-Di")
    assert (game.players, game.teams, game.first_dealer, game.played) == (4, 2, 4, date(2026, 1, 6))
    assert [(slot.facts, slot.version) for slot in game.hands] == [(HANDS[0], 1), (HANDS[1], 2)]
    assert [(one.seq, one.kind, one.position, one.token, one.by) for one in game.log] == [
        (1, "record", 1, "record 1", None), (2, "record", 2, "record 2", None),
    ]  # fmt: skip
    assert game.tapped == {"3": {"bid": ["3", ""]}}
    assert game.score.totals == {"A": 2, "B": 3}
    assert game.state == "open"


# Valid extremes.
ALLOWED: dict[str, tuple[int, Callable[[dict[str, Any]], Any]]] = {
    "a long name": (ANN, lambda d: d.update(name="x" * 80)),
    "no zone": (HEAD, lambda d: d.pop("zone")),
    "older rules": (HEAD, lambda d: d.update(rules=[])),
    "a table without a night": (SEASON, lambda d: d["frozen"].update(night=None)),
    "a rating": (SEASON, lambda d: d["frozen"]["lines"][0].update(rating=[25.0, 999_999_999], before=-999_999_999)),
    "no place": (SEASON, lambda d: d["frozen"]["lines"][0].update(place=None)),
    "a tie and a loss": (
     SEASON, lambda d: d["frozen"]["lines"][0].update(form=[["2026-01-06", 1, "S"], ["2026-01-07", 2, "L"]])),
    "a division": (SEASON, lambda d: d["frozen"]["lines"][0].update(division="A")),
    "no end": (SEASON, lambda d: d.update(ends=None)),
    "opened again by a game": (SEASON, lambda d: d.update(reopened={"at": NOON, "game": 999_999_999})),
    "opened again by hand": (SEASON, lambda d: d.update(reopened={"at": NOON, "game": None})),
    "numbers of a season": (SEASON, lambda d: d["settings"].update(won=999_999_999, lost=-999_999_999)),
    "the first year": (GAME, lambda d: d.update(played="1900-01-01")),
    "the last year": (GAME, lambda d: d.update({"x-created": "2999-12-31T00:00:00+00:00"})),
    "a number": (GAME, lambda d: d.update({"x-number": 999_999_999})),
    "a letter beyond": (GAME, lambda d: d["x-tapped"]["3"].update(note=["\ue000" * 1000])),
    "who scored": (GAME, lambda d: d["x-log"][0].update(by="x" * 1000)),
    "the name of rules": (GAME, lambda d: d["rules"].update(name="x" * 80)),
    "tapped of the next hand": (GAME, lambda d: d.update({"x-tapped": {"3": {}}})),
    "no season": (GAME, lambda d: d.pop("x-season")),
    "the first entry undone": (GAME, lambda d: d["x-log"].__setitem__(slice(1), [entry("record", 1, HANDS[0]),
     entry("undo", 1, None, before=HANDS[0], undoes=1), entry("record", 1, HANDS[0], token="again")])),
    "everybody in another seat": (GAME, lambda d: d["x-log"].append(entry("substitute", 3, {"names": OTHER_WAY}))),
}  # fmt: skip


@pytest.mark.parametrize("what", ALLOWED)
def test_a_line_that_says_as_much_as_it_may(what: str) -> None:
    number, change = ALLOWED[what]
    told = lines()
    change(told[number - 1])
    told[GAME - 1]["names"] = [told[ANN - 1]["name"], *NAMES[1:]]
    read(told)


def line_of(d: dict[str, Any]) -> dict[str, Any]:
    """The first row of a frozen table."""
    found: dict[str, Any] = d["frozen"]["lines"][0]
    return found


def after(d: dict[str, Any], facts: Any) -> None:
    d["x-after-the-end"] = facts


TABLE = "line 7, frozen: must be a table of players in the file"
PAGES = "line 7, pages: must be the pages of a closed season"
SETTINGS = "line 7, settings: must count in whole numbers"
TAPPED = "must be the fields of a hand of this game"
PAPER = {"totals": {"A": 11, "B": 7}, "winners": ["A"]}


def paper(d: dict[str, Any], **changes: Any) -> None:
    d.update({"hands": [], "x-log": [], "x-tapped": {}, "x-paper": PAPER | changes})


REFUSED: dict[str, tuple[int, Callable[[dict[str, Any]], Any], str]] = {
    "a club's long name": (HEAD, lambda d: d.update(name="x" * 81), "line 1, name: must be text on one line, of at"),
    "a club without a name": (HEAD, lambda d: d.update(name=""), "line 1, name: must be text"),
    "a number of players below 0": (
     HEAD, lambda d: d.update(players=-1), "line 1, players: must be a whole number from 0 to 10000"),
    "as many players as nobody has": (HEAD, lambda d: d.update(players=10_001), "line 1, players: must be a whole"),
    "true as a number": (HEAD, lambda d: d.update(seasons=True), "line 1, seasons: must be a whole number"),
    "rules that are no list": (HEAD, lambda d: d.update(rules={}), "line 1, rules: must be a list"),
    "rules that are no objects": (HEAD, lambda d: d.update(rules=[1]), "line 1, rules: must be a list of at most"),
    "fewer players": (HEAD, lambda d: d.update(players=6), "line 8: the file should have 6 players but has 5: part of"),
    "more seasons": (HEAD, lambda d: d.update(seasons=0), "line 8: the file should have 0 seasons but has 1"),
    "no format": (HEAD, lambda d: d.pop("format"), 'first line must say "format": "scorekeeper-club/1"'),
    "a uid twice": (EVE, lambda d: d.update(uid="u-Ann"), "line 6, uid: is in the file twice"),
    "a long uid": (EVE, lambda d: d.update(uid="u" * 65), "line 6, uid: must be text on one line"),
    "guest by a number": (EVE, lambda d: d.update(guest=1), "line 6, guest: must be true or false"),
    "retired by a word": (EVE, lambda d: d.update(retired="no"), "line 6, retired: must be true or false"),
    "an end before": (SEASON, lambda d: d.update(ends="2025-12-31"), "line 7, ends: must not be before its first day"),
    "own rating by 1": (SEASON, lambda d: d["settings"].update(own_rating=1), "line 7, settings: own_rating must be"),
    "pairs by 0": (SEASON, lambda d: d["settings"].update(pairs=0), "line 7, settings: pairs must be true or false"),
    **{
        f"{name} by a fraction": (SEASON, lambda d, name=name: d["settings"].update({name: 1.5}), SETTINGS)
        for name in ("won", "shared", "lost")
    },
    "more than a place has": (SEASON, lambda d: d["settings"].update(won=10**9), SETTINGS),
    "opened at no time": (SEASON, lambda d: d.update(reopened={}), "line 7, reopened.at: must be a date and time like"),
    "opened by game 0": (
     SEASON, lambda d: d.update(reopened={"at": NOON, "game": 0}), "line 7, reopened.game: must be a whole number"),
    "opened by whom": (
     SEASON, lambda d: d.update(reopened={"at": NOON, "by": "Ann"}), "line 7, reopened.by: there is no by here"),
    "closed without a table": (SEASON, lambda d: d.pop("frozen"), "line 7, frozen: a closed season needs its table"),
    "a league of no kind": (SEASON, lambda d: d.update(league={"x": 1}), "line 7, league: must be bonus points and"),
    "pages of no kind": (SEASON, lambda d: d.update(pages={"x": 1}), PAGES),
    "a table with more in it": (SEASON, lambda d: d["frozen"].update(x=1), TABLE),
    "a night that is none": (SEASON, lambda d: d["frozen"].update(night="2026-13-01"), TABLE),
    "champions who are a word": (SEASON, lambda d: d["frozen"].update(champions="u-Ann"), TABLE),
    "a champion who is a list": (SEASON, lambda d: d["frozen"].update(champions=[[]]), TABLE),
    "lines that are an object": (SEASON, lambda d: d["frozen"].update(lines={}), TABLE),
    "a line that is a list": (SEASON, lambda d: d["frozen"].update(lines=[[]]), TABLE),
    "a line with more in it": (SEASON, lambda d: line_of(d).update(x=1), TABLE),
    "a line without a form": (SEASON, lambda d: line_of(d).pop("form"), TABLE),
    "a line of a stranger": (SEASON, lambda d: line_of(d).update(player="u-Zoe"), TABLE),
    "a line without a name": (SEASON, lambda d: line_of(d).update(name=""), TABLE),
    "a line with a long name": (SEASON, lambda d: line_of(d).update(name="x" * 81), TABLE),
    "a place between": (SEASON, lambda d: line_of(d).update(place=1.5), TABLE),
    "a division of another kind": (SEASON, lambda d: line_of(d).update(division="?"), TABLE),
    "more about a line": (SEASON, lambda d: line_of(d).update(extra=5), TABLE),
    "a rating before that is a word": (SEASON, lambda d: line_of(d).update(before="25"), TABLE),
    "sums that are a list": (SEASON, lambda d: line_of(d).update(sums=[]), TABLE),
    "a sum of a half": (SEASON, lambda d: line_of(d).update(sums={"won": 0.5}), TABLE),
    "a form that is an object": (SEASON, lambda d: line_of(d).update(form={}), TABLE),
    "a result that is a word": (SEASON, lambda d: line_of(d).update(form=["W"]), TABLE),
    "a result of four": (SEASON, lambda d: line_of(d).update(form=[["2026-01-06", 1, "W", 1]]), TABLE),
    "a result on no day": (SEASON, lambda d: line_of(d).update(form=[["someday", 1, "W"]]), TABLE),
    "a result of half a game": (SEASON, lambda d: line_of(d).update(form=[["2026-01-06", 0.5, "W"]]), TABLE),
    "a result of another kind": (SEASON, lambda d: line_of(d).update(form=[["2026-01-06", 1, "X"]]), TABLE),
    "a rating of one number": (SEASON, lambda d: line_of(d).update(rating=[25.0]), TABLE),
    "a rating that is an object": (SEASON, lambda d: line_of(d).update(rating={}), TABLE),
    "a rating of words": (SEASON, lambda d: line_of(d).update(rating=["25", "8"]), TABLE),
    "another format of a game": (GAME, lambda d: d.update(format="x"), 'game must be "setback-game/1"'),
    "no format of a game": (GAME, lambda d: d.pop("format"), "line 8, format: the format of a club's game"),
    "a state of another kind": (GAME, lambda d: d.update({"x-state": "lost"}), "line 8, x-state: must be one of"),
    "a detail of another kind": (GAME, lambda d: d.update({"x-detail": "all"}), "line 8, x-detail: must be one of"),
    "options that are a list": (GAME, lambda d: d.update({"x-options": []}), "line 8, x-options: must be an object"),
    "number 0": (GAME, lambda d: d.update({"x-number": 0}), "line 8, x-number: must be a whole number from 1"),
    "a dealer 0": (
     GAME, lambda d: d.update({"x-first-dealer": 0}), "line 8, x-first-dealer: must be a whole number from 1 to 4"),
    "a year too late": (GAME, lambda d: d.update(played="3000-01-01"), "line 8, played: must be a date like"),
    "a day of another kind": (SEASON, lambda d: d.update(starts="20260101"), "line 7, starts: must be a date like"),
    "a moment too late": (
     GAME, lambda d: d.update({"x-created": "3000-01-01T00:00:00+00:00"}), "line 8, x-created: must be a date"),
    "a moment that is a number": (GAME, lambda d: d.update({"x-created": 5}), "line 8, x-created: must be a date and"),
    "seats that are a word": (GAME, lambda d: d.update({"x-seats": "u-Ann"}), "line 8, x-seats: must be a list"),
    "five in four seats": (GAME, lambda d: d["x-seats"].append("u-Eve"), "line 8, x-seats: must be 4 of the players"),
    "three in four seats": (GAME, lambda d: d["x-seats"].pop(), "line 8, x-seats: must be 4 of the players"),
    "a long name of rules": (GAME, lambda d: d["rules"].update(name="x" * 81), "line 8, rules.name: must be text on"),
    "a log that is an object": (GAME, lambda d: d.update({"x-log": {}}), "line 8, x-log: must be a list"),
    "an entry that is a list": (GAME, lambda d: d["x-log"].append([]), "line 8, x-log[2]: an entry of the log is an"),
    "an entry with more in it": (GAME, lambda d: d["x-log"][1].update(x=1), "line 8, x-log[1].x: there is no x here"),
    "an entry of another kind": (GAME, lambda d: d["x-log"][1].update(kind="x"), "line 8, x-log[1].kind: must be one"),
    "an entry at place 0": (GAME, lambda d: d["x-log"][0].update(position=0), "line 8, x-log[0].position: must be a"),
    "an entry that undoes entry 0": (GAME, lambda d: d["x-log"][1].update(undoes=0), "line 8, x-log[1].undoes: must"),
    "an entry of nobody": (GAME, lambda d: d["x-log"][1].update(by="\n"), "line 8, x-log[1].by: must be text on one"),
    "an entry at no time": (GAME, lambda d: d["x-log"][1].update(at="now"), "line 8, x-log[1].at: must be a date and"),
    "an entry that is a list after": (GAME, lambda d: d["x-log"][1].update(after=[]), "x-log[1].after: must be an"),
    "a season with a blank name": (SEASON, lambda d: d.update(name="\u3164"), "line 7, name: must be text on one line"),
    "names that are a list": (GAME,
     lambda d: d["x-log"].append(entry("correct", 2, HANDS[1], before=HANDS[1] | {"names": ["Eve"]})),
     "line 8, x-log[2].before.names: must be names by seat number"),
    "a substitute with a blank behind": (
     GAME, lambda d: d["x-log"].append(entry("substitute", 3, {"names": {"2": "Eve "}})),
     "line 8, x-log[2].after.names: must give each seat one name"),
    "fewer hands than the log": (GAME, lambda d: d["hands"].pop(), "line 8, x-log: does not end with the hands"),
    "a stranger in a hand": (GAME,
     lambda d: [facts["names"].update({"2": "Zoe"}) for facts in (d["hands"][1], d["x-log"][1]["after"])],
     "line 8, hands: Zoe takes a seat but is not a player in the file"),
    "hands behind no end": (GAME, lambda d: after(d, [HANDS[0]]), "line 8, x-after-the-end: the game has not ended"),
    "hands behind the end that are none": (GAME, lambda d: after(d, [1]), "line 8, x-after-the-end: must be a list of"),
    "tapped of a hand too far": (GAME, lambda d: d.update({"x-tapped": {"4": {}}}), f"line 8, x-tapped.4: {TAPPED}"),
    "tapped of no hand": (GAME, lambda d: d.update({"x-tapped": {"0": {}}}), f"line 8, x-tapped.0: {TAPPED}"),
    "tapped as a list": (GAME, lambda d: d.update({"x-tapped": {"3": []}}), f"line 8, x-tapped.3: {TAPPED}"),
    "tapped as a word": (GAME, lambda d: d["x-tapped"]["3"].update(bid="3"), f"line 8, x-tapped.3: {TAPPED}"),
    "tapped as a number": (GAME, lambda d: d["x-tapped"]["3"].update(bid=[3]), f"line 8, x-tapped.3: {TAPPED}"),
    "tapped too much": (GAME, lambda d: d["x-tapped"]["3"].update(bid=["3" * 1001]), f"line 8, x-tapped.3: {TAPPED}"),
    "in the same season twice": (GAME, lambda d: d.update({"x-also": ["s"]}), "line 8, x-also: must be other seasons"),
    "in a season that is not there": (GAME, lambda d: d.update({"x-also": ["t"]}), "line 8, x-also: must be other"),
    "in no other season": (GAME, lambda d: d.update({"x-also": []}), "line 8, x-also: must be other seasons"),
    "in a season by number": (GAME, lambda d: d.update({"x-also": [1]}), "line 8, x-also: must be other seasons"),
    "paper with more in it": (
     GAME, lambda d: paper(d, note="x"), "line 8, x-paper: must have totals and winners, and nothing else"),
    "paper with a list of scores": (GAME, lambda d: paper(d, totals=[11, 7]), "line 8, x-paper: must have totals and"),
    "paper with a winner in a word": (GAME, lambda d: paper(d, winners="A"), "line 8, x-paper: must have totals and"),
    "paper with one score": (GAME, lambda d: paper(d, totals={"A": 11}), "line 8, x-paper.totals: must give a score"),
    "paper with half a point": (GAME, lambda d: paper(d, totals={"A": 11, "B": 0.5}), "line 8, x-paper.totals: must"),
    "paper with a score too high": (GAME, lambda d: paper(d, totals={"A": 100_000, "B": 7}), "x-paper.totals: must"),
    "paper that a stranger won": (GAME, lambda d: paper(d, winners=["C"]), "line 8, x-paper.winners: must be one or"),
    "paper that two won in another order": (GAME, lambda d: paper(d, winners=["B", "A"]), "line 8, x-paper.winners:"),
    "a forfeit with a score": (GAME, lambda d: paper(d, forfeit=True), "line 8, x-paper: a forfeit has one winner,"),
    "a forfeit that two won": (GAME, lambda d: paper(d, forfeit=True, totals={"A": 0, "B": 0}, winners=["A", "B"]),
     "line 8, x-paper: a forfeit has one winner, and scores of 0"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_line_that_says_something_else_is_refused_by_its_place(what: str) -> None:
    number, change, said = REFUSED[what]
    told = lines()
    change(told[number - 1])
    with pytest.raises(LineRefused) as refused:
        read(told)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "changes",
    [{}, {"winners": ["A", "B"]}, {"totals": {"A": 10498, "B": -9999}}, {"totals": {"A": 0, "B": 0}, "forfeit": True}],
    ids=["won", "tied", "far", "forfeit"],
)
def test_a_game_from_paper_is_what_was_written(changes: dict[str, Any]) -> None:
    told = lines()
    paper(told[GAME - 1], **changes)
    _, (game,) = read(told)
    assert game.paper == PAPER | changes
    assert game.score.totals == game.paper["totals"]
    assert list(game.score.winners) == game.paper["winners"]
    assert (game.hands, game.log) == ((), ())


def test_a_game_counts_in_another_season_too() -> None:
    told = lines()
    told[0]["seasons"] = 2
    told.insert(GAME - 1, {key: value for key, value in told[SEASON - 1].items() if key not in ("frozen", "closed")})
    told[GAME - 1] |= {"uid": "t", "name": "Cup"}
    told[GAME]["x-also"] = ["t"]
    _, (game,) = read(told)
    assert (game.season_id, game.also) == ("s", ("t",))


def test_two_games_and_one_of_them_twice() -> None:
    told = lines()
    told[0]["games"] = 2
    told.append(told[GAME - 1] | {"x-uid": "h"})
    _, (first, second) = read(told)
    assert (first.uid, second.uid) == ("g", "h")
    told[-1]["x-uid"] = "g"
    with pytest.raises(LineRefused, match=r"^line 9, x-uid: is in the file twice$"):
        read(told)


def test_substitutes_of_a_game_under_other_names() -> None:
    """Eve is renamed Evelyn; the others keep their names."""
    _, (game,) = read(lines())
    told = with_names(game, {name_key("EVE"): "Evelyn"})
    assert [slot.facts.get("names") for slot in told.hands] == [None, {"2": "Evelyn"}]
    assert [one.after and one.after.get("names") for one in told.log] == [None, {"2": "Evelyn"}]
    assert [slot.version for slot in told.hands] == [1, 2]
    assert with_names(game, {}) is game


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ("x", True), ("x" * 5, True), ("x" * 6, False), ("", False), (" ", True), ("\x1f", False), ("~", True),
        ("\x7f", False), ("\x80", True), ("\ud7ff", True), ("\ud800", False), ("\udfff", False), ("\ue000", True),
        (5, False), (None, False),
    ],
)  # fmt: skip
def test_text_is_on_one_line_and_has_a_letter(value: object, is_one: bool) -> None:
    assert is_text(value, 5) is is_one


def test_what_is_wrong_is_said_with_its_place() -> None:
    fields = Fields({"n": 4}, problems := Problems(), "log[1]")
    assert (fields.integer("n", 5, 9), fields.choice("n", ("a", "b")), fields.text("n", 3)) == (5, "", "")
    assert (fields.mapping("n"), fields.listed("n"), fields.flag("n"), fields.day("n")) == ({}, [], False, date.min)
    assert fields.moment("n") == datetime.min.replace(tzinfo=UTC)
    assert [(one.at, one.message) for one in problems] == [
        ("log[1].n", "must be a whole number from 5 to 9"), ("log[1].n", "must be one of a, b"),
        ("log[1].n", "must be text on one line, of at most 3 letters"), ("log[1].n", "must be an object"),
        ("log[1].n", "must be a list"), ("log[1].n", "must be true or false"),
        ("log[1].n", "must be a date like 2026-11-21"),
        ("log[1].n", "must be a date and time like 2026-11-21T20:15:00.000000+00:00"),
    ]  # fmt: skip


def test_a_moment_is_one_of_the_whole_world() -> None:
    fields = Fields({"at": "2026-01-06T20:00:00-05:00"}, Problems())
    assert fields.moment("at") == datetime(2026, 1, 7, 1, tzinfo=UTC)
    assert fields.optional_text("no") is None


def test_a_long_place_and_a_long_sentence_are_cut() -> None:
    whole, cut = LineRefused(7, [Problem("x", "a" * 300, "b" * 300)]), LineRefused(7, [Problem("x", "", "b" * 301)])
    assert str(whole) == f"line 7, {'a' * 300}: {'b' * 300}"
    assert str(cut) == f"line 7: {'b' * 300}…"

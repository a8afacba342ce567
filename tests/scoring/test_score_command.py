"""`scorekeeper score FILE...` exactly as in game-record.md, since other programs rely on it."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from scorekeeper import cli
from scorekeeper.scoring.command import main, show_rules
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules
from tests.scoring.records import calls, hand, record
from tests.scoring.test_worked_examples import FIRST, FIRST_CLAIMS, FIRST_PLAY, SECOND, SECOND_CLAIMS

ROOT = Path(__file__).parents[2]
MAIN = "import sys; from scorekeeper.scoring.command import main; sys.exit(main(sys.argv[1:]))"

GOOD = record("west-michigan-6", {**FIRST, "tricks": FIRST_PLAY})
BAD = record("west-michigan-6", {**FIRST, "claims": {**FIRST_CLAIMS, "game": "C"}})
BAD_ANSWER = {"error": "there is no side C here: the sides are A, B", "at": "hands[0].claims.game"}
EMPTY = record("classic")
EMPTY_ANSWER = {"rules": "classic", "hands": [], "totals": {"A": 0, "B": 0}, "winners": [], "next_dealer": None}
UNREADABLE = "cannot be read: No such file or directory"


class Done(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs the command in this process, for coverage; tests that need a process of their own start one below."""

    def call(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Done(status, out.encode(), err.encode())

    return call


def answers(output):
    return [json.loads(line) for line in output.decode().splitlines()]


def lines(*games, newline="\n"):
    return "".join(json.dumps(game) + newline for game in games).encode()


@pytest.fixture
def write(tmp_path):
    def write_file(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content, indent=1).encode())
        return path

    return write_file


def test_the_answer_to_a_hand_given_trick_by_trick(run, write):
    """All keys of "What scoring answers", with the numbers of the first worked example."""
    done = run(write("game.json", GOOD))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    assert answers(done.stdout) == [
        {
            "rules": "west-michigan-6",
            "hands": [
                {
                    "status": "scored",
                    "bidder": 1,
                    "bid": 4,
                    "bidding_side": "A",
                    "points": {
                        "high": {"side": "A", "card": "AH"},
                        "low": {"side": "A", "card": "2H"},
                        "right_jack": {"side": "A", "card": "JH"},
                        "left_jack": {"side": "B", "card": "JD"},
                        "right_joker": {"side": "A", "card": "XR"},
                        "left_joker": {"side": "B", "card": "XB"},
                        "game": {"side": "A"},
                    },
                    "counts": {"A": 78, "B": 2},
                    "earned": {"A": 5, "B": 2},
                    "made": True,
                    "change": {"A": 5, "B": 2},
                    "totals": {"A": 5, "B": 2},
                    "dealer": 6,
                }
            ],
            "totals": {"A": 5, "B": 2},
            "winners": [],
            "next_dealer": 1,
        }
    ]


def test_the_answer_to_claims_has_no_counts_and_its_reasons(run, write):
    """`why` says buried, tied and so on; counts are present if cards or counts were given."""
    told = {**SECOND_CLAIMS, "game": None}
    done = run(write("game.json", record("west-michigan-6", {**SECOND, "claims": told})))
    scored = answers(done.stdout)[0]["hands"][0]
    assert "counts" not in scored
    assert scored["points"]["high"] == {"side": None, "card": "AS", "why": "buried"}
    assert scored["points"]["right_joker"] == {"side": None, "card": "XR", "why": "buried"}
    assert scored["points"]["game"] == {"side": None, "why": "tied"}
    assert (scored["made"], scored["change"]) == (False, {"A": 1, "B": -5})


def test_the_answer_to_a_called_partners_hand(run, write):
    """Sides are bidding and defending; change and totals are by seat."""
    game = record("west-michigan-5", hand(1, 2, "bidding: high low; defending: game", partner=3))
    scored = answers(run(write("game.json", game)).stdout)[0]["hands"][0]
    assert (scored["bidding_side"], scored["earned"]) == ("bidding", {"bidding": 2, "defending": 1})
    assert scored["change"] == {"1": 2, "2": 1, "3": 2, "4": 1, "5": 1}


def test_the_answer_to_a_passed_out_hand_and_to_a_shared_win(run, write):
    passed = {"dealer": 4, "bids": calls("5:p 1:p 2:p 3:p 4:p")}
    won = hand(1, 2, "bidding: high; defending: left_jack", partner=3)
    start = {"1": 0, "2": 20, "3": 0, "4": 20, "5": 20}
    answer = answers(run(write("game.json", record("west-michigan-5", passed, won, start=start))).stdout)[0]
    first = answer["hands"][0]
    assert (first["status"], first["dealer"], first["totals"]) == ("passed-out", 4, start)
    assert (answer["winners"], answer["next_dealer"]) == (["2", "4", "5"], 2)
    assert answer["totals"] == {"1": -2, "2": 21, "3": -2, "4": 21, "5": 21}


def test_a_whole_rule_set_answers_with_its_id(run, write):
    rules = {
        "id": "two-point",
        "table": {"players": [2], "sides": "solo"},
        "deck": {"ranks": "AKQJT", "hand": 2, "undealt": "stock"},
        "trump": {"order": "A K Q J T"},
        "auction": {"min": 1, "max": 2},
        "points": [{"key": "high", "card": "highest"}, {"key": "low", "card": "lowest"}],
        "win": {"target": 2},
    }
    game = {
        **record("", {"dealer": 2, "bidder": 1, "bid": 1, "trump": "S", "piles": {"1": ["AS", "KS"]}}),
        "rules": rules,
    }
    answer = answers(run(write("game.json", game)).stdout)[0]
    assert (answer["rules"], answer["winners"]) == ("two-point", ["1"])


# --- files ------------------------------------------------------------------------------------------------------


def test_several_files_in_their_order(run, write):
    one, two = write("a.json", EMPTY), write("b.jsonl", lines(GOOD, EMPTY))
    done = run(two, one, two)
    assert done.returncode == 0
    assert [answer["rules"] for answer in answers(done.stdout)] == [
        "west-michigan-6", "classic", "classic", "west-michigan-6", "classic",
    ]  # fmt: skip


def test_a_refused_record_stands_on_its_line_and_the_others_are_scored(run, write):
    """With its first problem only."""
    done = run(write("games.jsonl", lines(EMPTY, BAD, EMPTY)), write("last.json", EMPTY))
    assert done.returncode == 2
    assert answers(done.stdout) == [EMPTY_ANSWER, BAD_ANSWER, EMPTY_ANSWER, EMPTY_ANSWER]
    assert answers(done.stderr) == [BAD_ANSWER]
    done = run(write("game.json", record("classic", winner="A", names=[])))
    assert answers(done.stdout) == [
        {"error": "winner follows from the facts, so a record does not hold it", "at": "winner"}
    ]
    done = run(write("game.json", record("classic", hand(1, 4), hand(1, 9))))
    assert (done.returncode, answers(done.stdout)[0]["at"]) == (2, "hands[1].bid")


@pytest.mark.parametrize(
    ("name", "content", "rules"),
    [
        pytest.param("g.json", json.dumps(EMPTY).encode(), ["classic"], id="on one line"),
        pytest.param("g.json", json.dumps(EMPTY, indent=2).encode(), ["classic"], id="on many lines"),
        pytest.param("g.json", b"\n\n" + lines(EMPTY) + b"\n", ["classic"], id="blank lines around"),
        pytest.param("g.json", b"\xef\xbb\xbf" + lines(EMPTY), ["classic"], id="a byte order mark"),
        pytest.param("g.json", lines(EMPTY, EMPTY), [None], id="two in a .json"),
        pytest.param("g.json", b"", [None], id="an empty .json"),
        pytest.param("g.json", b"[]", [None], id="no object"),
        pytest.param("g.json", json.dumps(EMPTY).encode("utf-16"), [None], id="UTF-16"),
        pytest.param("g.jsonl", b"", [], id="an empty .jsonl"),
        pytest.param("g.jsonl", lines(EMPTY, EMPTY), ["classic"] * 2, id="two lines"),
        pytest.param("g.jsonl", lines(EMPTY, EMPTY)[:-1], ["classic"] * 2, id="no last newline"),
        pytest.param("g.jsonl", lines(EMPTY, EMPTY, newline="\r\n"), ["classic"] * 2, id="Windows newlines"),
        pytest.param("g.jsonl", b"\n" + lines(EMPTY, newline="\n \n") * 2, ["classic"] * 2, id="blank lines"),
        pytest.param("g.jsonl", b"\xef\xbb\xbf" + lines(EMPTY, EMPTY), ["classic"] * 2, id="lines with a mark"),
        pytest.param("g.jsonl", lines(EMPTY) + b"{\n" + lines(EMPTY), ["classic", None, "classic"], id="a broken line"),
        pytest.param(
         "g.jsonl", lines(EMPTY) + b'{"x-\xff": 1}\n' + lines(EMPTY), ["classic", None, "classic"], id="not UTF-8"),
        pytest.param("g.jsonl", lines(EMPTY) * 400 + b"\xff\n" + lines(EMPTY) * 400,
         ["classic"] * 400 + [None] + ["classic"] * 400, id="not UTF-8, in the middle of much"),
        pytest.param(
         "g.jsonl", json.dumps({**EMPTY, "x-a": "\u2028\u0085\x1c"}, ensure_ascii=False).encode(), ["classic"],
         id="a line separator in a string"),
        pytest.param("g.game", lines(EMPTY, EMPTY), ["classic"] * 2, id="another name, lines"),
        pytest.param("g", json.dumps(EMPTY, indent=2).encode(), ["classic"], id="no ending, many lines"),
    ],
)  # fmt: skip
def test_what_a_file_may_hold(run, write, name, content, rules):
    """A .json file has one record, a .jsonl file one per line; None stands for a refusal."""
    path = write(name, content)
    for done in (run(path), run("-", stdin=content)) if name != "g.json" else (run(path),):
        got = answers(done.stdout)
        if name == "g.jsonl" and not rules and got:
            continue  # empty standard input is no record
        assert [answer.get("rules") for answer in got] == rules
        assert answers(done.stderr) == [answer for answer in got if "error" in answer]
        assert done.returncode == (2 if None in rules else 0)


@pytest.mark.parametrize(
    ("stdin", "rules"),
    [
        pytest.param(b"nonsense\n" + lines(GOOD, EMPTY), [None, "west-michigan-6", "classic"], id="a bad first line"),
        pytest.param(lines({"rules": 1}, {"rules": 2}), [None, None], id="two bad lines"),
        pytest.param(json.dumps(BAD, indent=1).replace("{", "{,", 1).encode(), [None], id="one broken on many lines"),
        pytest.param(b"\xef\xbb\xbf" + lines(GOOD) + b"\xef\xbb\xbf" + lines(EMPTY), ["west-michigan-6", "classic"],
                     id="marks"),
        pytest.param(b"\xff\xfe\n", [None], id="not UTF-8"),
        pytest.param(b"", [None], id="nothing"),
    ],
)  # fmt: skip
def test_standard_input(run, stdin, rules):
    done = run("-", stdin=stdin)
    assert [answer.get("rules") for answer in answers(done.stdout)] == rules
    assert done.returncode == (2 if None in rules else 0)


def test_a_hand_a_line_is_not_a_record_a_line(run):
    """A broken record with one hand per line is one broken record."""
    text = json.dumps(GOOD)[:-2] + "\n" + json.dumps(FIRST) + "\n]"
    done = run("-", stdin=text.replace(', "hands"', ',\n"hands"').encode())
    assert len(answers(done.stdout)) == 1


def test_standard_input_among_files(run, write):
    done = run(write("a.json", EMPTY), "-", write("b.json", EMPTY), stdin=lines(GOOD))
    assert [answer["rules"] for answer in answers(done.stdout)] == ["classic", "west-michigan-6", "classic"]


# --- input and output errors ------------------------------------------------------------------------------------


def test_a_file_that_cannot_be_read(run, tmp_path, write, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bad, odd = write("bad.json", b'{"format": "\xff"}'), os.fsdecode(bytes(tmp_path / "x") + b"\xff.json")
    for path, error in (
        ("missing.json", UNREADABLE),
        (odd, UNREADABLE),
        (str(tmp_path), "cannot be read: Is a directory"),
        (str(bad), "is not UTF-8 text"),
    ):
        done, refused = run(path, write("a.json", EMPTY)), {"error": error, "at": path}
        assert answers(done.stdout) == [refused, EMPTY_ANSWER]
        assert answers(done.stderr) == [refused]
        assert done.returncode == 2


def test_names_beyond_ascii_in_any_locale(run, write):
    """The output is ASCII, independent of the terminal's encoding."""
    done = run(write("a.json", {**EMPTY, "Überraschung\ud800": 1}))
    assert answers(done.stdout)[0]["at"] == "Überraschung\ud800"
    assert done.stdout.isascii()


def shell(script, *arguments, **more):
    return subprocess.run(
        ["/bin/sh", "-c", script, "sh", sys.executable, MAIN, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        timeout=300,
        check=False,
        **more,
    )


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_closed_standard_input():
    done = shell('"$1" -c "$2" - <&-')
    assert answers(done.stdout)[0]["error"].startswith("cannot be read")
    assert (done.returncode, b"Traceback" in done.stderr) == (2, False)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_closed_standard_error_keeps_the_answers_apart(write):
    done = shell('"$1" -c "$2" "$3" 2>&-', write("a.jsonl", lines(BAD, EMPTY)))
    assert answers(done.stdout) == [BAD_ANSWER, EMPTY_ANSWER]
    assert done.returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_closed_standard_output(write):
    done = shell('"$1" -c "$2" "$3" >&-', write("a.json", BAD))
    assert (done.returncode, answers(done.stderr)) == (2, [BAD_ANSWER])


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_a_reader_that_has_had_enough(write):
    done = shell('{ "$1" -c "$2" "$3"; echo "$?" >&2; } | head -n 1', write("a.jsonl", lines(EMPTY) * 20_000))
    assert answers(done.stdout) == [EMPTY_ANSWER]
    assert done.stderr == b"2\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_nowhere_to_complain(write):
    done = shell('"$1" -c "$2" "$3" 2>/dev/full', write("a.jsonl", lines(BAD, EMPTY)))
    assert answers(done.stdout) == [BAD_ANSWER, EMPTY_ANSWER]


def test_answers_come_as_the_records_do():
    """A program may keep the pipe open and send records one by one."""
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "-"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        for game, rules in ((EMPTY, "classic"), (GOOD, "west-michigan-6")):
            process.stdin.write(lines(game))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["rules"] == rules
        process.stdin.close()
        assert process.wait(30) == 0


def test_writing_that_fails(write, monkeypatch, capsys):
    """In this process: a full disk, a closed pipe, no standard output."""
    path = write("a.jsonl", lines(BAD, EMPTY))
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            monkeypatch.setattr(sys, "stdout", full)
            assert main([str(path)]) == 2
        assert capsys.readouterr().err == "cannot write: No space left on device\n"
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as nobody:
        monkeypatch.setattr(sys, "stdout", nobody)
        assert main([str(path)]) == 2
    assert capsys.readouterr().err == ""
    for closed in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, closed, None)
    assert main([str(path), "-"]) == 2


# --- the catalogue ------------------------------------------------------------------------------------------------


def told_of(capsys, *arguments):
    assert show_rules(arguments) == 0
    return capsys.readouterr().out.splitlines()


def test_the_catalogue_is_listed(capsys):
    lines = told_of(capsys)
    assert [line.split(":")[0] for line in lines] == list(CATALOGUE)
    assert lines[4].startswith("partnership: Partners. High, Low, Jack, Game. The dealer may steal the bid.")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pedro-sancho", ["players: 4, 5, 6, 7", "least bid: 1", "points: high, low, jack, ten, five, nine"]),
        ("pedro-sancho", ['  auction.seller = "eldest"', "  win.target = 50"]),
        ("pedro-sancho", ['  No bid may bring the seller to the target: {"auction.cap": "seller-short"}']),
        ("trinidad-all-fours", ["players: 4, 2", "teams: 2, 0 (0: everyone alone)", "no bidding"]),
        ("western-pennsylvania-cinch", ["players: 6, 4", "teams: 2", "least bid: 3"]),
    ],
)  # fmt: skip
def test_what_there_is_to_say_of_a_rule_set(capsys, name, said):
    lines = told_of(capsys, name)
    assert [line for line in said if line not in lines] == []
    fields = dict(line.strip().split(" = ", 1) for line in lines if " = " in line)
    assert RuleSet.from_dict(nested({key: json.loads(value) for key, value in fields.items()})) == find_rules(name)


def nested(fields):
    """Convert dotted field names to the nested data of a rule set."""
    data = {}
    for name, value in fields.items():
        section, _, field = name.partition(".")
        data[section] = data.get(section, {}) | {field: value} if field else value
    return data


@pytest.mark.parametrize(
    ("arguments", "status", "where", "said"),
    [
        (["whist"], 2, "err", "there is no rule set called whist: scorekeeper rules lists them"),
        (["classic", "cinch"], 2, "err", "usage: scorekeeper rules [NAME]"),
        (["--help"], 0, "out", "usage: scorekeeper rules [NAME]"),
    ],
)
def test_rules_that_there_are_not(capsys, arguments, status, where, said):
    assert show_rules(arguments) == status
    assert getattr(capsys.readouterr(), where).startswith(said)


def test_rules_are_a_command_of_the_program(capsys):
    assert cli.main(["rules", "classic"]) == 0
    assert "points: high, low, jack, game" in capsys.readouterr().out.splitlines()


# --- the command itself -----------------------------------------------------------------------------------------


def test_usage(run):
    nothing, asked = run(), run("--help")
    assert (nothing.returncode, nothing.stdout, nothing.stderr[:6]) == (2, b"", b"usage:")
    assert (asked.returncode, asked.stderr, asked.stdout[:6]) == (0, b"", b"usage:")


def test_it_starts_without_the_web_application(write):
    """Neither Flask, SQLAlchemy nor the modules behind dataclasses are imported."""
    code = (
        "import sys; from scorekeeper.cli import main; main(['score', *sys.argv[1:]]);"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & "
        "{'flask', 'werkzeug', 'sqlalchemy', 'click', 'wtforms', 'jinja2', 'alembic', 'logging', 'random', 'inspect',"
        " 'argparse'}))"
    )
    listed = subprocess.run(
        [sys.executable, "-c", code, write("b.json", GOOD)], cwd=ROOT, capture_output=True, timeout=300, check=True
    )
    assert listed.stdout.splitlines()[-1] == b"[]"


def test_it_is_a_command_of_the_program(write):
    done = shell('"$1" -m scorekeeper score "$3"', write("a.json", BAD))
    assert (done.returncode, answers(done.stdout), answers(done.stderr)) == (2, [BAD_ANSWER], [BAD_ANSWER])

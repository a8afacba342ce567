"""The documents are complete: all commands, settings, modules, rule fields, rule sets, keys of a record."""

import re
import shlex
import tomllib
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scorekeeper import cli, config, create_app
from scorekeeper.database.session import db
from scorekeeper.scoring import record
from scorekeeper.scoring.rules import catalogue
from scorekeeper.scoring.rules.fields import FIELDS
from scorekeeper.scoring.rules.words import WORDS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def cells(name: str) -> set[str]:
    """Return the words in backquotes in the first column of a document's tables."""
    rows = re.findall(r"^([^|\n]*)\|", text(name), re.MULTILINE)
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row)}


def test_every_rule_field_is_documented_with_its_meaning() -> None:
    rows = dict(re.findall(r"^`([^`]+)` \| (.*) \| .*$", text("docs/rules.md"), re.MULTILINE))
    assert {name: WORDS[name].meaning for name in FIELDS} == {n: m for n, m in rows.items() if n in FIELDS}


def test_every_rule_set_is_documented() -> None:
    rows = dict(re.findall(r"^`([^`]+)` \| ([^|\n]*)$", text("docs/rules.md"), re.MULTILINE))
    assert rows == {rules.id: rules.summary for rules in catalogue()}


def test_the_points_of_every_rule_set_are_documented() -> None:
    rows = re.findall(r"^((?:`[a-z0-9-]+`(?:, )?)+) \| ((?:`\w+`(?:, )?)+)$", text("docs/game-record.md"), re.MULTILINE)
    found = [(name, re.findall(r"\w+", keys)) for names, keys in rows for name in re.findall(r"[a-z0-9-]+", names)]
    told = dict(found)
    assert len(told) == len(found)
    points = {rules.id: [point.key for point in rules.points] for rules in catalogue()}
    assert {name: keys for name, keys in told.items() if name in points} == points


def test_every_key_of_a_record_is_documented() -> None:
    keys = set(record._READERS) | record._GAME_KEYS
    assert keys - cells("docs/game-record.md") == {"hands"} - cells("docs/game-record.md")
    assert "`hands`" in text("docs/game-record.md")


def test_every_command_is_documented() -> None:
    commands = re.findall(r"^  (\w+)", cli.COMMANDS, re.MULTILINE)
    assert len(commands) >= 3
    for command in commands:
        assert f"scorekeeper {command}" in text("README.md"), command


def test_every_target_of_the_makefile_is_documented_and_every_documented_one_is_there() -> None:
    targets = set(re.search(r"^\.PHONY: (.*)$", text("Makefile"), re.MULTILINE)[1].split())  # type: ignore[index]
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text("README.md"), re.MULTILINE)) == targets
    for target in targets:
        assert re.search(rf"^{target}:", text("Makefile"), re.MULTILINE), target


def test_the_readme_says_what_is_installed() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert f"distribution is called `{project['name']}`" in text("README.md")
    assert list(project["scripts"]) == ["scorekeeper"]
    for extra in re.findall(r"pip install '\.\[(\w+)\]'", text("README.md")):
        assert extra in project["optional-dependencies"]


def test_what_the_tests_are_run_with_is_written_down_and_fits_what_is_required() -> None:
    locked = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text("tests/requirements.txt"), re.MULTILINE))
    project = tomllib.loads(text("pyproject.toml"))
    groups = project["dependency-groups"]
    asked = [one for one in groups["lint"] + groups["test"] if isinstance(one, str)]
    for wanted in map(Requirement, project["project"]["dependencies"] + asked):
        assert locked[canonicalize_name(wanted.name)] in wanted.specifier, wanted
    assert "://" not in text("tests/requirements.txt")


def shown(value: object) -> str:
    """Format a default as in the table of settings."""
    if isinstance(value, bool):
        return f"`{int(value)}`"
    if isinstance(value, timedelta):
        return f"{value.days} days"
    if value is None:
        return "none"
    if value == "":
        return "empty"
    return "in words" if len(str(value)) > 40 else f"`{value}`"


def test_every_setting_is_in_the_table_with_its_default_and_no_other() -> None:
    rows = dict(re.findall(r"^`SCOREKEEPER_(\w+)` \| (.*?) \|", text("docs/settings.md"), re.MULTILINE))
    not_in_the_defaults = {"INSTANCE", "SECRET_KEY"}  # read earlier; generated at the first start
    assert rows.keys() == config.DEFAULTS.keys() | not_in_the_defaults
    wrong = {
        name: rows[name] for name, value in config.DEFAULTS.items() if shown(value) not in (rows[name], "in words")
    }
    assert wrong == {}


def commands() -> list[list[str]]:
    """Return the words of each command in the README's code blocks, without comments."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text("README.md"), re.MULTILINE | re.DOTALL)
    return [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]


def test_the_commands_of_the_readme_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary) -> None:
    """Run in order, by a new user; with a small `demo` club, and without starting the server."""
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.json").write_text('{"format": "setback-game/1", "rules": "classic", "hands": []}')
    made: list[Flask] = []
    for module in ("scorekeeper", "scorekeeper.commands"):
        monkeypatch.setattr(f"{module}.create_app", lambda config=None: made.append(create_app(config)) or made[-1])

    def close_connections() -> None:
        """Like the end of a command's process."""
        while made:
            with made.pop().app_context():
                db.engine.dispose()

    filled_in = {"CLUB": "", "FILE": str(tmp_path / "club.jsonl"), "URL": "sqlite:///moved.sqlite"}
    typed = [words[1:] for words in commands() if words[0] == "scorekeeper"]
    assert {words[0] for words in typed} == set(re.findall(r"^  (\w+)", cli.COMMANDS, re.MULTILINE))
    for words in typed:
        if words[0] == "run":  # tested by tests/serving/test_serve.py
            continue
        small = ["--players", "4", "--games", "1"] if words[0] == "demo" else []
        assert cli.main([filled_in.get(word, word) for word in words] + small) == 0, words
        close_connections()
        printed = capfdbinary.readouterr().out
        if words[0] == "demo":
            filled_in["CLUB"] = re.search(rb"/l/(\S+)", printed)[1].decode()  # type: ignore[index]
        if words[0] == "backup":
            filled_in["BACKUP"] = printed.decode().partition(": ")[2].strip()
        if words[0] == "export":
            Path(filled_in["FILE"]).write_bytes(printed)
            assert printed.startswith(b'{"format')


def test_contributing_names_every_folder_of_the_package() -> None:
    folders = {path.parent.name for path in (ROOT / "scorekeeper").glob("*/__init__.py")}
    assert set(re.findall(r"^  (\w+)/", text("CONTRIBUTING.md").split("```")[1], re.MULTILINE)) == folders


def test_what_contributing_points_to_is_there() -> None:
    """Modules and folders (in the package or at the top level), and names defined in a module."""
    for row in re.findall(r"^\| .*", text("CONTRIBUTING.md"), re.MULTILINE):
        for name in re.findall(r"`([\w/]+(?:/|\.py|\.md))`", row):
            assert (ROOT / name).exists() or (ROOT / "scorekeeper" / name).exists(), name
        for what, module in re.findall(r"`(\w+)` (?:in|of) `(\w[\w/]*\.py)`", row):
            path = next(path for path in (ROOT / module, ROOT / "scorekeeper" / module) if path.exists())
            assert re.search(rf"^(def|class) {what}\b|^{what}\b.*=", path.read_text("utf-8"), re.MULTILINE), what


def test_contributing_fits_a_window() -> None:
    assert [line for line in text("CONTRIBUTING.md").splitlines() if len(line) > 120] == []


def test_links_between_the_documents_lead_somewhere() -> None:
    for document in (README, *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        for link in re.findall(r"\]\(([^)#]+)", document.read_text(encoding="utf-8")):
            assert link.startswith("http") or (document.parent / link).exists(), f"{document.name}: {link}"


def test_every_test_that_the_security_page_names_is_there() -> None:
    """In any folder: the page gives the tests' names without paths."""
    named = re.findall(r"`(test_\w+)`", text("docs/security.md"))
    assert len(named) > 30
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    there = {name for source in sources for name in re.findall(r"^(?:async )?def (test_\w+)\(", source, re.MULTILINE)}
    assert [name for name in named if name not in there] == []


def test_every_threat_has_a_test() -> None:
    rows = re.findall(r"^(?!---)(?!threat)([^|\n]+) \| .* \| (.*)$", text("docs/security.md"), re.MULTILINE)
    assert len(rows) > 20
    assert [threat for threat, tests in rows if "`test_" not in tests] == []

"""The documents say all that there is to say: every command, setting, module, rule field, rule set, key of a record."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scorekeeper import cli, config
from scorekeeper.scoring import hand_record, record
from scorekeeper.scoring.rules import catalogue
from scorekeeper.scoring.vocabulary import FIELDS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def cells(name: str) -> set[str]:
    """What stands in code quotes in the first column of a document's tables."""
    rows = re.findall(r"^\|([^|]*)\|", text(name), re.MULTILINE)
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row)}


def test_every_rule_field_is_documented_with_its_meaning() -> None:
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.*) \| .* \|$", text("docs/rules.md"), re.MULTILINE))
    assert {name: field.meaning for name, field in FIELDS.items()} == {n: m for n, m in rows.items() if n in FIELDS}


def test_every_rule_set_is_documented() -> None:
    rows = dict(re.findall(r"^\| `([^`]+)` \| ([^|]*) \|$", text("docs/rules.md"), re.MULTILINE))
    assert rows == {rules.id: rules.summary for rules in catalogue()}


def test_every_key_of_a_record_is_documented() -> None:
    keys = set(hand_record._READERS) | record._GAME_KEYS
    assert keys - cells("docs/game-record.md") == {"hands"} - cells("docs/game-record.md")
    assert "`hands`" in text("docs/game-record.md")


def test_every_command_is_documented() -> None:
    commands = re.findall(r"^  (\w+)", cli.COMMANDS, re.MULTILINE)
    assert len(commands) >= 3
    for command in commands:
        assert f"scorekeeper {command}" in text("README.md"), command


@pytest.mark.parametrize("target", ["run", "test", "lint", "bench", "clean"])
def test_every_target_of_the_makefile_is_documented(target: str) -> None:
    assert re.search(rf"^{target}:", text("Makefile"), re.MULTILINE)
    assert f"make {target}" in text("README.md")


def test_every_setting_that_people_may_want_is_documented() -> None:
    for name in ("DATABASE_URL", "HTMX_LOCAL", "SESSION_COOKIE_SECURE", "INSTANCE"):
        assert name == "INSTANCE" or name in config.DEFAULTS
        assert f"SCOREKEEPER_{name}" in text("README.md"), name


def drawn() -> set[str]:
    """The modules in CONTRIBUTING's picture of the code, by path; the deeper a line, the deeper its folder."""
    picture, found, folders = text("CONTRIBUTING.md").split("```")[1], set(), {}
    for line in picture.splitlines():
        folder = re.match(r" +(?=\w+/)", line)
        if folder:
            depth = len(folder[0])
            folders = {at: name for at, name in folders.items() if at < depth} | {depth: line.split("/")[0].strip()}
        elif re.match(r" {0,3}\S", line):
            folders = {}
        if line.startswith("  "):
            found |= {str(Path(*folders.values(), name)) for name in re.findall(r"\w+\.py", line)}
    return found


def test_the_picture_of_the_code_has_every_module() -> None:
    package = ROOT / "scorekeeper"
    modules = {str(path.relative_to(package)) for path in package.rglob("*.py") if "migrations" not in path.parts}
    assert drawn() == {name for name in modules if not name.endswith("/__init__.py")}


def test_links_between_the_documents_lead_somewhere() -> None:
    for document in (README, *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"):
        for link in re.findall(r"\]\(([^)#]+)", document.read_text(encoding="utf-8")):
            assert link.startswith("http") or (document.parent / link).exists(), f"{document.name}: {link}"

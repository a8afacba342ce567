"""The shape of the source: imports run one way, the core is alone, files stay readable."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

PACKAGE = Path(__file__).parent.parent / "scorekeeper"

# Which of our own modules each part may import. CONTRIBUTING.md draws the same picture.
SETTINGS = {"config", "db"}
ALLOWED = {
    "scoring": {"scoring"},
    "config": set(),
    "db": {"config", "models"},  # models only to make the tables known
    "models": {"scoring", "db"},
    "drafts": {"models", "db"},
    "seasons": {"scoring", "models", "db", "seasons", "simulator"},
    "ledger": {"scoring", "models", "db", "drafts", "seasons"},
    "people": {"scoring", "models", "db", "drafts", "seasons"},
    "exchange": {"scoring", "models", "db", "drafts", "ledger", "seasons", "people", "exchange"},
    "demo": {"scoring", "models", "db", "ledger", "people", "seasons", "simulator"},
    "charts": {"charts"},
    "simulator": {"simulator", "scoring"},
    "web": {"scoring", "models", "drafts", "ledger", "people", "seasons", "exchange", "charts", "web"} | SETTINGS,
    "migrations": {"db"},
    "serve": {"__init__", "db", "seasons"},
    "cli": {"__init__", "scoring", "models", "ledger", "seasons", "exchange", "demo", "serve"} | SETTINGS,
    "__init__": {"web"} | SETTINGS,
    "__main__": {"cli"},
}


def sources(folder: Path = PACKAGE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def part_of(path: Path) -> str:
    """The first name below the package: a module, or a folder of them."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """The dotted names of what a file imports, at its top or inside a function."""
    folder = (PACKAGE.name, *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(folder[: len(folder) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def own_part(name: str) -> str | None:
    """Which part of the package an imported name belongs to; None when it is not ours."""
    first, *rest = name.split(".")
    if first != PACKAGE.name:
        return None
    here = rest[0] if rest else "__init__"
    return here if (PACKAGE / here).is_dir() or (PACKAGE / f"{here}.py").is_file() else "__init__"


def wrong_imports(path: Path) -> list[str]:
    allowed = ALLOWED.get(part_of(path), set())
    return [name for name in imported(path) if (part := own_part(name)) is not None and part not in allowed]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path):
    assert part_of(path) in ALLOWED, "a new part: say in ALLOWED what it may import"
    assert wrong_imports(path) == []


def test_the_core_imports_the_standard_library_alone():
    outside = {
        f"{path.name}: {name}"
        for path in sources(PACKAGE / "scoring")
        for name in imported(path)
        if own_part(name) is None and name.split(".")[0] not in sys.stdlib_module_names
    }
    assert outside == set()


def test_the_core_has_no_clock_no_randomness_and_no_logging():
    banned = {"random", "secrets", "time", "logging", "uuid"}
    found = {
        f"{path.name}: {name}"
        for path in sources(PACKAGE / "scoring")
        for name in imported(path)
        if name.split(".")[0] in banned
    }
    assert found == set()


def test_only_the_ledger_writes_hands():
    """A hand or a change is made in one place; whoever wants one calls the ledger."""
    makers = {
        part_of(path)
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Hand", "Change")
        if "scorekeeper.models" in path.read_text(encoding="utf-8")
    }
    assert makers == {"ledger"}


def constants(path: Path) -> Iterator[object]:
    """The constants in a file's code, but for the catalogue: it lists the rule sets in the order of the rule book."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if "CATALOGUE" not in (getattr(target, "id", None) for target in getattr(statement, "targets", ())):
            yield from (node.value for node in ast.walk(statement) if isinstance(node, ast.Constant))


def test_no_rule_set_is_named_in_code():
    names = {path.stem for path in (PACKAGE / "scoring" / "rulesets").glob("*.toml")}
    assert len(names) >= 7
    named = {
        f"{path.relative_to(PACKAGE)}: {value}" for path in sources() for value in constants(path) if value in names
    }
    assert named == set()


def lengths() -> list[tuple[int, str]]:
    return [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}")
        for path in sources()
        if part_of(path) != "migrations"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_functions_stay_short():
    """Nine in ten under 30 lines, the median 3 to 9, as CONTRIBUTING.md asks."""
    found = sorted(lengths())
    assert 3 <= median(length for length, _ in found) <= 9
    assert found[len(found) * 9 // 10][0] < 30
    assert [name for length, name in found if length > 45] == []


# --- the test itself can fail ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("scoring/hand.py", "from scorekeeper.models import Hand"),
        ("scoring/hand.py", "from ..models import Hand"),
        ("models.py", "from scorekeeper import ledger"),
        ("ledger.py", "import scorekeeper.web.hands"),
        ("web/hands.py", "from scorekeeper import create_app"),
        ("web/hands.py", "def view():\n    from ..cli import main"),
    ],
)
def test_a_wrong_import_is_found(part, line, tmp_path, monkeypatch):
    package = tmp_path / "scorekeeper"
    for name in ("scoring", "web"):
        (package / name).mkdir(parents=True)
    for name in ("__init__", "models", "ledger", "cli", "web/hands"):
        (package / f"{name}.py").touch()
    monkeypatch.setitem(globals(), "PACKAGE", package)
    (package / part).write_text(line)
    assert len(wrong_imports(package / part)) == 1

"""Structure of the source: layers of imports, and an isolated scoring core."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "scorekeeper"
PYPROJECT = PACKAGE.parent / "pyproject.toml"
STATIC = PACKAGE.parent / "static"
CONTRACTS = {
    contract["name"]: contract
    for contract in tomllib.loads(PYPROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
}


def sources(folder: Path = PACKAGE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a file; the result is cached and must not be modified."""
    return ast.parse(path.read_text(encoding="utf-8"))


def part_of(path: Path) -> str:
    """Return the top-level module or folder of the package that contains `path`."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports, at module level or in a function."""
    folder = (PACKAGE.name, *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(folder[: len(folder) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def own_part(name: str) -> str | None:
    """Return the part of the package that an imported name belongs to; None for other packages."""
    first, *rest = name.split(".")
    if first != PACKAGE.name:
        return None
    here = rest[0] if rest else "__init__"
    return here if (PACKAGE / here).is_dir() or (PACKAGE / f"{here}.py").is_file() else "__init__"


def test_no_folder_of_web_is_left_out_of_the_contract():
    folders = {path.parent.name for path in (PACKAGE / "web").glob("*/__init__.py")}
    layers = CONTRACTS["The features of web"]["layers"]
    assert folders == {name.strip() for layer in layers for name in layer.split("|")}


def test_the_core_imports_the_standard_library_alone_and_no_clock_no_randomness_and_no_logging():
    allowed = sys.stdlib_module_names - {"random", "secrets", "time", "logging", "uuid"}
    other = {
        f"{path.name}: {name}"
        for path in sources(PACKAGE / "scoring")
        for name in imported(path)
        if own_part(name) is None and name.split(".")[0] not in allowed
    }
    assert other == set()


def _made_by(call: ast.Call) -> set[str]:
    """Return the class names in a call that may create rows: Hand(…), or insert(Hand)."""
    made = call.args if isinstance(call.func, ast.Name) and call.func.id == "insert" else [call.func]
    return {one.id for one in made if isinstance(one, ast.Name)}


def test_only_the_services_write_hands():
    """Only one part of the package creates hands and changes."""
    makers = {
        part_of(path)
        for path in sources()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and {"Hand", "Change"} & _made_by(node)
        if "scorekeeper.models" in path.read_text(encoding="utf-8")
    }
    assert makers == {"services"}


def constants(path: Path) -> Iterator[object]:
    """Yield a file's constants, except those of CATALOGUE, which lists the rule sets in the order of the rule book."""
    for statement in tree_of(path).body:
        if "CATALOGUE" not in (getattr(target, "id", None) for target in getattr(statement, "targets", ())):
            yield from (node.value for node in ast.walk(statement) if isinstance(node, ast.Constant))


def test_no_rule_set_is_named_in_code():
    names = {path.stem for path in (PACKAGE / "scoring" / "rules").glob("*.toml")}
    assert len(names) >= 7
    named = {
        f"{path.relative_to(PACKAGE)}: {value}" for path in sources() for value in constants(path) if value in names
    }
    assert named == set()


def bound_twice(module: ast.Module) -> list[str]:
    """Return the names assigned more than once at module level, where the first value would be misleading."""
    found = [
        target.id
        for statement in module.body
        for target in getattr(statement, "targets", [])
        if isinstance(target, ast.Name)
    ]
    return sorted({name for name in found if found.count(name) > 1})


def test_no_constant_of_a_module_is_given_another_value_below():
    found = {str(path.relative_to(PACKAGE)): bound_twice(tree_of(path)) for path in sources()}
    assert {path: names for path, names in found.items() if names} == {}
    assert bound_twice(ast.parse("MOST = 1\nLEAST = 2\nMOST = 3")) == ["MOST"]


def test_tests_open_addresses_in_one_way():
    """By `go`, `again`, `to_another_page` of tests/browser/phone.py, which handle pages that navigate by themselves."""
    opens = re.compile(r"\.(goto|reload|go_back|go_forward|expect_navigation)\(")
    browser = PACKAGE.parent / "tests" / "browser"
    found = {path: opens.findall(path.read_text("utf-8")) for path in sources(PACKAGE.parent / "tests")}
    assert [path for path, ways in found.items() if ways] == [browser / "phone.py"]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check a copy of the package in `folder` against the layers of `pyproject.toml`."""
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(sys.argv[1], no_cache=True))"
    command = [sys.executable, "-c", code, str(PYPROJECT)]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("scoring/hand.py", "from scorekeeper.models import Hand"),
        ("models.py", "from scorekeeper.services import hands"),
        ("web/common/scope.py", "def load():\n    from scorekeeper.web.games.views import bp"),
    ],
)
def test_an_upward_import_is_found(part, line, tmp_path):
    """`make lint` checks the package's layers; this test shows that an upward import fails."""
    shutil.copytree(PACKAGE, tmp_path / "scorekeeper", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "scorekeeper" / part).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    result = lint_imports(tmp_path)
    assert result.returncode == 1
    assert "BROKEN" in result.stdout


def test_text_has_five_sizes():
    """In rem on screens; print uses points, charts use pixels, and the board has its own sizes."""
    odd = {
        (sheet.name, font)
        for sheet in STATIC.glob("*.css")
        if sheet.name != "board.css"
        for font in re.findall(r"font(?:-size)?: [^;}]*?([\d.]+rem)", sheet.read_text())
        if font != "1rem"
    }
    assert odd == set()
    sizes = re.findall(r"--(?:fine|small|large|huge): ([\d.]+)rem", (STATIC / "app.css").read_text())
    assert sizes == [".75", ".875", "1.25", "2"]

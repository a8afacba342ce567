"""The shape of the source: imports run one way, the core is alone."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "scorekeeper"

# Which of our own modules each part may import. CONTRIBUTING.md draws the same picture.
SETTINGS = {"config", "database", "db"}
SERVICES = {
    "scoring",
    "models",
    "change_log",
    "drafts",
    "snapshot",
    "new_game",
    "games_from_paper",
    "ledger",
    "live",
    "people",
    "seasons",
    "stats",
    "importing",
    "exporting",
    "throttle",
    "club_log",
    "links",
    "passphrases",
    "club_undo",
    "clubs",
    "corrections",
    "our_rules",
    "deletion",
    "merging",
    "trash",
    "zones",
    "kept",
}
ALLOWED = {
    "scoring": {"scoring"},
    "config": set(),
    "database": {"database"},
    "db": {"config", "database"},
    "zones": set(),
    "kept": set(),
    "played": {"scoring"},
    "models": {"scoring", "db", "played", "zones"},
    "drafts": {"models", "db"},
    "links": {"club_log", "db", "models"},
    "passphrases": {"club_log", "db", "links", "models"},
    "live": {"club_log", "models", "database", "db", "live"},
    "snapshot": {"scoring", "models", "db", "drafts", "links", "live", "played", "zones"},
    "change_log": {"models"},
    "club_log": {"models", "db"},
    "trash": {"models", "db"},
    "stats": {"scoring", "models", "db", "kept", "stats", "simulator"},
    "seasons": {"models", "db", "club_log", "stats"},
    "players_by_name": {"models", "db"},
    "new_game": {"scoring", "models", "db", "players_by_name", "seasons"},
    "games_from_paper": {"scoring", "models", "db", "club_log", "new_game", "stats"},
    "ledger": {"scoring", "models", "db", "change_log", "club_log", "drafts", "players_by_name", "snapshot", "stats"},
    "names_in_hands": {"models", "db", "ledger"},
    "merging": {"scoring", "models", "db", "club_log", "ledger", "names_in_hands", "our_rules", "stats", "trash"},
    "people": {"scoring", "models", "db", "club_log", "names_in_hands", "stats"},
    "clubs": {"models", "db", "club_log", "zones"},
    "corrections": {"models", "db", "club_log", "stats"},
    "our_rules": {"scoring", "models", "db", "club_log"},
    "deletion": {"scoring", "models", "db", "club_log", "ledger", "names_in_hands", "new_game", "seasons"}
    | {"exporting", "importing", "stats", "trash"},
    "club_undo": {
        *("scoring", "models", "db", "club_log", "clubs", "corrections", "deletion", "merging", "our_rules", "people"),
        "seasons",
        *("ledger", "stats", "trash"),
    },
    "exporting": {"scoring", "models", "db", "drafts", "our_rules", "stats", "exporting"},
    "importing": {
        "our_rules",
        "scoring",
        "models",
        "db",
        "change_log",
        "games_from_paper",
        "ledger",
        "seasons",
        "stats",
        "exporting",
        "importing",
        "zones",
        "club_log",
        "trash",
    },
    "import_process": {"__init__", "importing"},
    "transfer_command": {"scoring", "models", "db", "exporting", "importing", "links"},
    "backup": {"__init__", "backup", "database", "db", "exporting", "models", "scoring", "stats"},
    "demo": {"scoring", "models", "db", "ledger", "new_game", "people", "seasons", "simulator", "stats"},
    "charts": {"charts"},
    "explaining": {"scoring", "web"},
    "simulator": {"simulator", "scoring"},
    "web": SERVICES | {"charts", "simulator", "web"} | SETTINGS,
    "migrations": {"database", "db", "zones"},
    "serving": {"__init__", "serving", "backup", "config", "database", "db", "drafts", "importing", "live", "stats"}
    | {"clubs", "trash", "web"},
    "throttle": set(),
    "cli": {"__init__", "links", "scoring", "models", "stats", "transfer_command", "backup", "demo", "serving"}
    | {"explaining"}
    | SETTINGS,
    "__init__": {"web", "config", "db"},
    "__main__": {"cli"},
}

# Within web, a folder an area: what each may import besides itself.
PAGES = {"common", "wording"}
WEB_ALLOWED = {
    "common": set(),
    "wording": {"common"},
    "seasons": PAGES,
    "games": PAGES | {"seasons"},
    "hand_entry": PAGES | {"games"},
    "standings": PAGES | {"games"},
    "rulebook": PAGES | {"hand_entry"},
    "offline": PAGES,
    "operation": set(),
    "https": set(),
    "clubs": PAGES | {"games", "standings"},
    "players": PAGES | {"standings"},
    "transfers": PAGES | {"standings"},
}


def sources(folder: Path = PACKAGE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    """A file's code, read once for all tests: whoever asks changes nothing in it."""
    return ast.parse(path.read_text(encoding="utf-8"))


def part_of(path: Path) -> str:
    """The first name below the package: a module, or a folder of them."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """The dotted names of what a file imports, at its top or inside a function."""
    folder = (PACKAGE.name, *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(tree_of(path)):
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
    wrong = [name for name in imported(path) if (part := own_part(name)) is not None and part not in allowed]
    return wrong + wrong_imports_in_web(path)


def wrong_imports_in_web(path: Path) -> list[str]:
    """What a module of one of web's folders imports from a folder that stands above it, or beside it."""
    area = area_of(path.relative_to(PACKAGE).parts)
    if area is None:
        return []
    allowed = WEB_ALLOWED.get(area, set()) | {area}
    return [name for name in imported(path) if (other := area_of(name.split(".")[1:])) and other not in allowed]


def area_of(parts: Sequence[str]) -> str | None:
    """The folder of web that a path below the package leads into, if it does."""
    return parts[1] if len(parts) > 2 and parts[0] == "web" else None


def test_imports_run_one_way():
    assert {part_of(path) for path in sources()} <= set(ALLOWED), "a new part: say in ALLOWED what it may import"
    found = {str(path.relative_to(PACKAGE)): wrong_imports(path) for path in sources()}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_nothing_more_is_allowed_than_is_imported():
    used: dict[str, set[str]] = {part: set() for part in ALLOWED}
    used_in_web: dict[str, set[str]] = {area: set() for area in WEB_ALLOWED}
    for path in sources():
        names = [*imported(path)]
        used[part_of(path)] |= {part for name in names if (part := own_part(name)) is not None}
        if area := area_of(path.relative_to(PACKAGE).parts):
            used_in_web[area] |= {other for name in names if (other := area_of(name.split(".")[1:]))}
    assert {part: more for part, allowed in ALLOWED.items() if (more := allowed - used[part])} == {}
    assert {area: more for area, allowed in WEB_ALLOWED.items() if (more := allowed - used_in_web[area])} == {}


def test_every_folder_of_web_says_what_it_may_import():
    folders = {path.parent.name for path in (PACKAGE / "web").glob("*/__init__.py")}
    assert folders == set(WEB_ALLOWED)


def test_no_folder_of_web_imports_one_that_imports_it():
    """The folders can be drawn with every arrow downward."""
    left = dict(WEB_ALLOWED)
    while left:
        lowest = {area for area, below in left.items() if not below & set(left)}
        assert lowest, f"a circle among {sorted(left)}"
        left = {area: below for area, below in left.items() if area not in lowest}


def sentences(path: Path) -> Iterator[str]:
    """The strings in a file's code that end like a sentence of several words; docstrings are for engineers."""
    nodes = list(ast.walk(tree_of(path)))
    bodies = [body for node in nodes if isinstance(body := getattr(node, "body", None), list) and body]
    docstrings = {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}
    strings = (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    found = (node.value for node in strings if id(node) not in docstrings)
    return (text for text in found if re.search(r"\w \w.*[.?!]\s*$", text))


def test_sentences_for_players_are_in_wording():
    """Where they can be read at one sitting. What every page has says its own: common is below wording."""
    elsewhere = [
        path
        for path in sources(PACKAGE / "web")
        if area_of(path.relative_to(PACKAGE).parts) not in ("wording", "common")
    ]
    assert {str(path.relative_to(PACKAGE)): found for path in elsewhere if (found := [*sentences(path)])} == {}


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
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Hand", "Change")
        if "scorekeeper.models" in path.read_text(encoding="utf-8")
    }
    assert makers == {"ledger"}


def constants(path: Path) -> Iterator[object]:
    """The constants in a file's code, but for the catalogue: it lists the rule sets in the order of the rule book."""
    for statement in tree_of(path).body:
        if "CATALOGUE" not in (getattr(target, "id", None) for target in getattr(statement, "targets", ())):
            yield from (node.value for node in ast.walk(statement) if isinstance(node, ast.Constant))


def test_no_rule_set_is_named_in_code():
    names = {path.stem for path in (PACKAGE / "scoring" / "rulesets").glob("*.toml")}
    assert len(names) >= 7
    named = {
        f"{path.relative_to(PACKAGE)}: {value}" for path in sources() for value in constants(path) if value in names
    }
    assert named == set()


def bound_twice(module: ast.Module) -> list[str]:
    """The names of a module that are given two values at its top: whoever reads the first one is misled."""
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


# --- the test itself can fail ---------------------------------------------------------------------------------------


def test_tests_open_addresses_in_one_way():
    """By `go`, `again` and `to_another_page` of tests/browser/phone.py: a page that goes on by itself stops none."""
    opens = re.compile(r"\.(goto|reload|go_back|go_forward|expect_navigation)\(")
    browser = PACKAGE.parent / "tests" / "browser"
    found = {path: opens.findall(path.read_text("utf-8")) for path in sources(PACKAGE.parent / "tests")}
    assert [path for path, ways in found.items() if ways] == [browser / "phone.py"]


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("scoring/hand.py", "from scorekeeper.models import Hand"),
        ("scoring/hand.py", "from ..models import Hand"),
        ("models.py", "from scorekeeper import ledger"),
        ("ledger.py", "import scorekeeper.web.games"),
        ("web/games/views.py", "from scorekeeper import create_app"),
        ("web/games/views.py", "def view():\n    from ...cli import main"),
        ("web/games/views.py", "from scorekeeper.web.standings.table import shown"),
        ("web/games/views.py", "from ..hand_entry import draft"),
        ("web/common/scope.py", "def load():\n    from scorekeeper.web.games.views import bp"),
    ],
)
def test_a_wrong_import_is_found(part, line, tmp_path, monkeypatch):
    package = tmp_path / "scorekeeper"
    for name in ("scoring", "web/games", "web/common"):
        (package / name).mkdir(parents=True)
    for name in ("__init__", "models", "ledger", "cli", "web/games/views"):
        (package / f"{name}.py").touch()
    monkeypatch.setitem(globals(), "PACKAGE", package)
    (package / part).write_text(line)
    assert len(wrong_imports(package / part)) == 1

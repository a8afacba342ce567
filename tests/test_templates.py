"""Templates are source code: each parses, has short lines, and imports exactly the shared macros that it calls."""

from pathlib import Path

from jinja2 import Environment, nodes

from scorekeeper.web.common.page_cache import KEYED_PIECES, PIECES  # available without an import

TEMPLATES = Path(__file__).parent.parent / "templates"
LONGEST_LINE = 120


def templates() -> list[str]:
    return sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html"))


def test_no_line_is_too_long() -> None:
    for name in templates():
        lines = (TEMPLATES / name).read_text(encoding="utf-8").splitlines()
        assert [number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE] == [], name


def parsed(name: str) -> nodes.Template:
    return Environment().parse((TEMPLATES / name).read_text(encoding="utf-8"))


def macros_in(template: nodes.Template) -> set[str]:
    return {macro.name for macro in template.find_all(nodes.Macro)}


def imported_by(template: nodes.Template) -> set[str]:
    names = [name for each in template.find_all(nodes.FromImport) for name in each.names]
    return {name if isinstance(name, str) else name[1] for name in names}


def called_by(template: nodes.Template) -> set[str]:
    return {call.node.name for call in template.find_all(nodes.Call) if isinstance(call.node, nodes.Name)}


def test_every_template_imports_the_macros_that_it_calls_and_no_others() -> None:
    """A partial that relies on imports of its page breaks in another page that includes it."""
    found = {name: parsed(name) for name in templates()}
    shared = set().union(*(macros_in(each) for name, each in found.items() if name.startswith("macros/")))
    shared -= macros_in(found[PIECES]) | set(KEYED_PIECES)
    for name, template in found.items():
        mine, imported, called = macros_in(template), imported_by(template), called_by(template)
        assert imported <= {each.name for each in template.find_all(nodes.Name)}, f"{name} calls less than it imports"
        assert called & shared <= imported | mine, f"{name} calls what it does not import"


def test_every_macro_is_called() -> None:
    found = [parsed(name) for name in templates() if name != PIECES]
    named = {name.name for template in found for name in template.find_all(nodes.Name)}
    assert set().union(*map(macros_in, found)) <= named | set().union(*map(imported_by, found))

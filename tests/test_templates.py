"""Templates are source: every one can be parsed, and no line of it is too long to be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment

TEMPLATES = Path(__file__).parent.parent / "templates"
LONGEST_LINE = 120


def templates() -> list[str]:
    return sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html"))


@pytest.mark.parametrize("name", templates())
def test_no_line_is_too_long(name: str) -> None:
    source = (TEMPLATES / name).read_text(encoding="utf-8")
    Environment().parse(source)
    long = [number for number, line in enumerate(source.splitlines(), 1) if len(line) > LONGEST_LINE]
    assert long == []

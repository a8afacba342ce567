"""Output of measured ratios, and the documents that contain the latest ones."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parent.parent / "docs"
END = "<!-- end -->\n"
USUAL = ", of a bare page"  # omitted in the document, which says so once


class Line(NamedTuple):
    """A measured ratio, its name, and its maximum."""

    name: str
    value: float
    goal: float

    @property
    def met(self) -> bool:
        return self.value <= self.goal


_lines: list[Line] = []


def report(name: str, value: float, goal: float) -> bool:
    """Print one line and keep it for the document; return True if the goal is met."""
    line = Line(name, value, goal)
    _lines.append(line)
    print(f"{name:<58} {value:6.2f}   goal: at most {goal:.3g}   {'met' if line.met else 'MISSED'}", flush=True)
    return line.met


def write_ratios(database: str) -> None:
    """Write all reported ratios into docs/speed.md, as measured on that database; missed ones in bold."""
    rows = []
    for line in _lines:
        value = f"{line.value:.2f}" if line.met else f"**{line.value:.2f}**"
        rows.append(f"{line.name.removesuffix(USUAL)} | {value} | {line.goal:.3g}")
    write("speed.md", database, ["what, of what | ratio | at most", "--- | --- | ---", *rows])


def write(page: str, mark: str, lines: Iterable[str]) -> None:
    """Write results into a document, between a mark and the next end mark."""
    path, beginning = DOCS / page, f"<!-- measured: {mark} -->\n"
    before, found, rest = path.read_text(encoding="utf-8").partition(beginning)
    assert found, f"{page} has no {beginning}"
    text = "\n".join([f"Measured on {date.today().isoformat()} on {_machine()}.", "", *lines, ""])
    path.write_text(f"{before}{beginning}{text}{END}{rest.partition(END)[2]}", encoding="utf-8")


def _machine() -> str:
    cores, system = os.cpu_count(), f"{platform.system()} {platform.machine()}"
    return f"{system}, {cores} cores, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"

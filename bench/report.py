"""How a measured ratio is told, and the page of the docs that holds the last ones."""

from __future__ import annotations

import os
import platform
import sqlite3
from datetime import date
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parent.parent / "docs" / "speed.md"
BEGINNING, END = "<!-- measured -->\n", "<!-- end -->\n"


class Line(NamedTuple):
    """One measured ratio, of what it is one, and the most that it may be."""

    name: str
    value: float
    goal: float

    @property
    def met(self) -> bool:
        return self.value <= self.goal


_lines: list[Line] = []


def report(name: str, value: float, goal: float) -> bool:
    """Print one line, and note it for the page; whether the goal is met."""
    line = Line(name, value, goal)
    _lines.append(line)
    print(f"{name:<58} {value:6.2f} x   goal: at most {goal:.3g} x   {'met' if line.met else 'MISSED'}", flush=True)
    return line.met


def write_page() -> None:
    """Put what was measured into the page of the docs."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGINNING)
    after = rest.partition(END)[2]
    rows = [f"| {line.name} | {line.value:.2f} | {line.goal:.3g} | {'yes' if line.met else 'no'} |" for line in _lines]
    table = ["| what, of what | ratio | at most | met |", "| --- | --- | --- | --- |", *rows]
    text = "\n".join([f"Measured on {date.today().isoformat()} on {_machine()}.", "", *table, ""])
    PAGE.write_text(f"{before}{BEGINNING}{text}{END}{after}", encoding="utf-8")


def _machine() -> str:
    cores, system = os.cpu_count(), f"{platform.system()} {platform.machine()}"
    return f"{system}, {cores} cores, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"

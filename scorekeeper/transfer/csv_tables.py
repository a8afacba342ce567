"""Tables that open in a spreadsheet: CSV in UTF-8 with its mark in front, written row by row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from fractions import Fraction

MARK = "\ufeff"  # without it some spreadsheets take UTF-8 for something else
DECIMALS = 3
FORMULA = tuple("=+-@\t\r\n＝＋－＠")
Cell = str | int | float | Fraction | date | None


def to_csv(rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The lines of a table."""
    yield MARK
    line = io.StringIO()
    writer = csv.writer(line)
    for row in rows:
        writer.writerow([written(cell) for cell in row])
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _decimal(value: Fraction | float) -> str:
    """A number with decimals, halves rounded away from zero as on every page."""
    thousandths = int(abs(Fraction(value)) * 10**DECIMALS + Fraction(1, 2))
    whole, rest = divmod(thousandths, 10**DECIMALS)
    return f"{'-' if value < 0 and thousandths else ''}{whole}.{rest:0{DECIMALS}}"


def written(cell: Cell) -> str:
    """A cell as it is written: numbers with a dot, and text never as a formula that a spreadsheet would carry out."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(FORMULA) else cell
    if type(cell) is int:
        return str(cell)
    if isinstance(cell, Fraction | float):
        return _decimal(cell)
    return cell.isoformat() if isinstance(cell, date) else str(cell)

"""Generators of slightly broken records, files and tables, for tests of the parsers."""

import copy
import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

JUNK: list[Any] = [
    None, True, False, 0, 1, -1, 2**70, 1.0, float("nan"), float("inf"), "", "A", "B", "C", "1", "7", "pass",
    "smudge", "10H", "AH", "XR", "x-", "\ud800", "\0", "\N{RIGHT-TO-LEFT OVERRIDE}Ann", "ann ", "x" * 5000, 10**4000,
    "2026-02-30", "0001-01-01T00:00:00+14:00",
    [], {}, [[]], [None], {"x-a": 1}, {"A": 1}, {"1": []}, ["AH", "AH"], {"seat": 1, "bid": 2},
]  # fmt: skip
KEYS = ["x-note", "winner", "totals", "A", "C", "1", "", "bid", "seat", "high", "low", "claims", "tricks", "lead"]
ODD_TEXT = (
    "", " ", "\0", "\x07", "\x1b[2J", "\ufeff", "\u2028", "\N{ZERO WIDTH SPACE}", "e\N{COMBINING ACUTE ACCENT}",
    "\ud800",
    '"', "'", "{", "}", "[" * 2000, "{" * 50, ",", ";", "\t", "\n", "\r", "\r\n", "\n\n\n", "null", "NaN", "-Infinity",
    "1e999", "9" * 5000, "\\", "\\u0000", "\\ud83c", "&", "=1+1", "<b>", "𝟙𝟚", "٣", "½", "é" * 300, "ß", "İ",
)  # fmt: skip


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container in a JSON value with each of its keys or indexes."""
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in inside:
        yield node, key
        yield from places(value)


def spoil(rng: Random, value: Any, junk: Any) -> None:
    """Modify a JSON value in place: replace, drop, add, duplicate or nest one item. `junk` is not modified."""
    junk = copy.deepcopy(junk)  # copied, because a later call may modify it
    node, key = rng.choice(list(places(value)))
    action = rng.choice(("put", "put", "drop", "add", "twin", "nest"))
    if action == "put":
        node[key] = junk
    elif action == "drop":
        del node[key]
    elif action == "nest":
        node[key] = [node[key]]
    elif isinstance(node, list):
        node.insert(rng.randint(0, len(node)), junk if action == "add" else copy.deepcopy(node[key]))
    elif action == "add":
        node[rng.choice(KEYS)] = junk
    else:
        node[rng.choice([other for _, other in places(value) if isinstance(other, str)])] = copy.deepcopy(node[key])


def spoiled(rng: Random, value: Any) -> str:
    """Serialize a copy of a JSON value, modified in up to three places."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 2, 3))):
        if value:
            elsewhere, key = rng.choice(list(places(value)))
            spoil(rng, value, rng.choice([elsewhere[key], rng.choice(JUNK)]))
    return json.dumps(value, ensure_ascii=rng.random() < 0.5)


def spoiled_text(rng: Random, text: str) -> str:
    """Return the text truncated, or with a piece inserted, removed, repeated or replaced."""
    at = rng.randint(0, len(text))
    to = min(len(text), at + rng.randint(1, 30))
    return rng.choice(
        (
            text[:at],
            text[:at] + rng.choice(ODD_TEXT) + text[at:],
            text[:at] + rng.choice(ODD_TEXT) + text[to:],
            text[:at] + text[to:],
            text[:to] + text[at:],
            text.replace("{", '{"bid":1,"bid":2,', 1),
            re.sub(r"\d+", lambda found: "9" * 5000 if rng.random() < 0.05 else found[0], text),
            text.swapcase(),
        )
    )


def shuffled_lines(rng: Random, lines: list[str]) -> list[str]:
    """Return the lines with one dropped, repeated, swapped with or appended to another."""
    lines = list(lines)
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    action = rng.choice(("drop", "twin", "swap", "join"))
    if action == "drop":
        del lines[one]
    elif action == "twin":
        lines.insert(other, lines[one])
    elif action == "swap":
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines[one] += lines[other]
    return lines


def as_bytes(rng: Random, lines: list[str]) -> bytes:
    """Encode lines as a file: usually valid, otherwise with other line ends, another encoding, or truncated."""
    end = rng.choice(("\n", "\n", "\n", "\r\n", "\r", "\n\n"))
    content = end.join(lines).encode(rng.choice(("utf-8",) * 8 + ("utf-8-sig", "utf-16")), "surrogatepass")
    return content[: rng.randint(0, len(content))] if rng.random() < 0.1 else content

"""The names under which details are counted: a kind, what of that kind, and what is counted: "bid:4:made"."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

BID, TRUMP, POINT, WITH, VS, OUT = ("bid", "trump", "point", "with", "vs", "out")
Parts = Mapping[str, Mapping[str, int]]


class Key(NamedTuple):
    """`Key("bid", "4", "made")` is kept as "bid:4:made"; `what` of an outcome is the changes of the score."""

    kind: str
    name: str
    what: str

    def __str__(self) -> str:
        return ":".join(self)

    @classmethod
    def read(cls, text: str) -> Key | None:
        """The parts of a name; None for one of two parts, as "hands:bidder" is."""
        parts = text.split(":")
        return cls(*parts) if len(parts) == 3 else None


def by_kind(detail: Mapping[str, int]) -> Mapping[str, Parts]:
    """What is counted of every kind, read once; nothing of a kind that is not there."""
    found: defaultdict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for text, number in detail.items():
        if key := Key.read(text):
            found[key.kind][key.name][key.what] = number
    return found


def of_kind(detail: Mapping[str, int], kind: str) -> Parts:
    """What is counted of a kind: {"4": {"taken": 12, "made": 9}}."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for text, number in only(detail, kind).items():
        if key := Key.read(text):
            found[key.name][key.what] = number
    return found


def only(detail: Mapping[str, int], kind: str) -> dict[str, int]:
    """The details of one kind, by their names as they are kept."""
    start = f"{kind}:"
    return {text: number for text, number in detail.items() if text.startswith(start)}


def added(details: Iterable[Mapping[str, int]], kind: str) -> Counter[str]:
    """The details of one kind of several players added up."""
    total: Counter[str] = Counter()
    for detail in details:
        total.update(only(detail, kind))
    return total

"""One tap on the form of a club's rules: a number up or down, a point more or less, a card of trump moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT
from scorekeeper.scoring.parts import Point, Special
from scorekeeper.scoring.rules import catalogue, variations
from scorekeeper.scoring.vocabulary import FIELDS, SPECIAL

from .rule_values import ENTRIES, MOST_ENTRIES, Values, entries, number_or_text, read, set_all, typed

# Where a number that is empty begins when its + is tapped.
STARTS = {"win.hands": 12, "win.lost_at": -10, "win.lost_sets": 3, "win.early.at": 11, "auction.forced_bid": 2}


@cache
def known_points() -> tuple[Point, ...]:
    """Every point of the catalogue, the commonest first."""
    return _commonest(Counter(point for rules in catalogue() for point in rules.points))


@cache
def known_specials() -> tuple[Special, ...]:
    """Every special bid of the catalogue and of its house rules, the commonest first."""
    named = [
        SPECIAL.check(special)
        for rules in catalogue()
        for variation in variations(rules.id)
        for special in variation.options.get("auction.specials", ())
    ]
    return _commonest(Counter([*(special for rules in catalogue() for special in rules.auction.specials), *named]))


def _commonest(counted: Counter[Any]) -> tuple[Any, ...]:
    """One of each name."""
    found: dict[str, Any] = {}
    for one, _ in counted.most_common():
        found.setdefault(one.key if isinstance(one, Point) else one.name, one)
    return tuple(found.values())


def take_step(values: Values, step: str) -> bool:
    """Change `values` as the button `step` says, like "up auction.min"; False where it is no such button."""
    verb, _, what = step.partition(" ")
    tap = {"up": _up, "down": _down, "add": _add, "remove": _remove, "hold": _hold, "out": _out}.get(verb)
    if tap is None:
        return False
    tap(values, what)
    return True


def _up(values: Values, name: str) -> None:
    _move_number(values, name, 1)


def _down(values: Values, name: str) -> None:
    _move_number(values, name, -1)


def _move_number(values: Values, name: str, by: int) -> None:
    now = number_or_text(values.get(name, ""))
    if isinstance(now, int):
        values[name] = str(now + by)
    elif not now.strip():
        values[name] = str(STARTS.get(name, 1))


KNOWN: dict[str, Callable[[], tuple[Any, ...]]] = {"points": known_points, "auction.specials": known_specials}
NEW_POINT = "new_point"  # the key of a point that has no name of its own yet
BLANKS: dict[str, dict[str, Any]] = {
    "points": {"key": NEW_POINT, "card": "highest"},
    "auction.specials": {"name": "", "bid": ""},
}


def _add(values: Values, what: str) -> None:
    """Add a known point or special by its name, or a blank one, and unfold it."""
    name, _, key = what.partition(" ")
    if name not in ENTRIES:
        return
    kind, known = ENTRIES[name], KNOWN[name]
    if (place := len(entries(kind, name, values))) == MOST_ENTRIES:
        return
    found = next((one for one in known() if getattr(one, next(iter(kind.parts))) == key), None)
    data: dict[str, Any] = (
        _blank(name, values) if found is None else {part: getattr(found, part) for part in kind.parts}
    )
    if isinstance(found, Point):
        _admit(values, found.card)
    if isinstance(found, Special):
        data["bid"] = max(found.bid, _above(values))
    for key_typed, text in typed(kind, f"{name}-{place}", {**kind.defaults, **data}):
        values.add(key_typed, text)
    if found is None:
        values.add("open", f"{name}-{place}")


def _blank(name: str, values: Values) -> dict[str, Any]:
    """A new entry to fill in; points have names of their own from the start."""
    if name != "points":
        return BLANKS[name]
    taken = {values[f"{entry}.key"] for entry in entries(ENTRIES[name], name, values)}
    keys = (NEW_POINT if number == 1 else f"{NEW_POINT}_{number}" for number in count(1))
    return BLANKS[name] | {"key": next(key for key in keys if key not in taken)}


def _admit(values: Values, card: str) -> None:
    """Make a card trump that a point needs: a joker comes into the deck, a card off trump behind the one of trump."""
    order = values.get("trump.order", "").split()
    jokers = number_or_text(values.get("deck.jokers", ""))
    if card in JOKERS and isinstance(jokers, int):
        values["deck.jokers"] = str(max(jokers, JOKERS.index(card) + 1))
    elif card in OFF_SUIT and card not in order and OFF_SUIT[card] in order:
        order.insert(order.index(OFF_SUIT[card]) + 1, card)
        values["trump.order"] = " ".join(order)


def _above(values: Values) -> int:
    """The least that a new special bid can be worth."""
    bids = [
        values.get("auction.max", ""),
        *(values[f"{one}.bid"] for one in entries(SPECIAL, "auction.specials", values)),
    ]
    return max((bid + 1 for bid in map(number_or_text, bids) if isinstance(bid, int)), default=1)


def _remove(values: Values, entry: str) -> None:
    """Take an entry out of its list; those behind it move up."""
    name, _, place = entry.rpartition("-")
    if name not in ENTRIES or not place.isdecimal():
        return
    kind, left = ENTRIES[name], read(FIELDS[name].kind, name, values)
    opened = [one for one in values.getlist("open") if not one.startswith(f"{name}-")]
    for key in [key for key in values if key.startswith(f"{name}-")]:
        values.poplist(key)
    for number, data in enumerate(one for at, one in enumerate(left) if at != int(place)):
        for key, text in typed(kind, f"{name}-{number}", data):
            values.add(key, text)
    set_all("open", opened, values)


def _hold(values: Values, card: str) -> None:
    """Pick a card of trump up; tapped while another is held, that one goes before it."""
    held = values.get("held", "")
    values["held"] = "" if held else card
    if held and held != card:
        order = [name for name in values.get("trump.order", "").split() if name != held]
        order.insert(order.index(card) if card in order else len(order), held)
        values["trump.order"] = " ".join(order)


def _out(values: Values, card: str) -> None:
    """Take a card out of trump."""
    values["trump.order"] = " ".join(name for name in values.get("trump.order", "").split() if name != card)
    values["held"] = ""

"""The rules page changes with each field of the rules, for all fields and all their words.

The values are tried on all rule sets of the catalogue, and on some house rules that none of them has.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import RuleSet, catalogue, find_rules, kinds
from scorekeeper.scoring.rules.fields import EARLY, FIELDS, POINT, SPECIAL
from scorekeeper.web.rulebook.messages import chapters

# Identification, not rules: name and summary are the page's head.
NO_RULES = {"id", "name", "summary", "source"}
MOON = {"name": "moon", "bid": 30, "needs": ["every-trick"], "takes": 3, "least_score": 0}
EARLY_WIN = {"at": 8, "others_at_most": 0, "when": "first-reach", "eligible": "anyone"}
HOUSES = [
    ("classic", {"table.sides": "seat-partner"}),
    ("minnesota-smear", {"deck.redeal": "no-point-cards"}),
    ("ten-point", {"deck.redeal": "no-face-or-point-cards"}),
    ("trinidad-all-fours", {"trump.gift_to": "others"}),
    ("classic", {"deck.kitty": 2, "deck.kitty_to": "nobody"}),
    ("classic", {"game.tie_points": ["jack"], "settle.made": "bid", "win.all_points": "anyone"}),
    ("classic", {"auction.seller": "eldest", "auction.dealer": "outbid"}),
    ("pedro-sancho", {"auction.cap": "seller-short"}),
    ("pidro", {"auction.max_again": "anyone"}),
    ("classic", {"game.tie": "points", "game.tie_points": ["jack", "low"]}),
    ("classic", {"win.both": ["count-out"], "win.early": EARLY_WIN}),
    ("classic", {"win.hands": 12, "win.lost_at": -20, "win.lost_sets": 3}),
    ("classic", {"win.counted": "down"}),
    ("classic", {"auction.specials": [MOON]}),
    ("classic", {"settle.sweep": 1}),
    ("classic", {"auction.specials": [MOON | {"made": "set-to", "made_to": 5, "failed": "set-to", "failed_to": -5}]}),
]


@cache
def bases() -> tuple[RuleSet, ...]:
    return (*catalogue(), *(find_rules(rules_id).override(options) for rules_id, options in HOUSES))


@cache
def told(rules: RuleSet) -> str:
    """Return the content of the chapters of a rule set."""
    return json.dumps([[c.title, c.sentences, list(c.cards), c.table] for c in chapters(rules)])


def other_values(kind: kinds.Kind, now: Any) -> Iterator[Any]:
    """Yield some values of a kind, at least one of them different from `now`."""
    yield from OTHERS[type(kind)](kind, now)


def other_numbers(kind: kinds.Number, now: Any) -> Iterator[int]:
    number = now if type(now) is int else kind.low
    yield from (value for value in (number + 1, number - 1, kind.low) if kind.low <= value <= kind.high)


def other_orders(kind: kinds.TrumpOrder, now: str) -> Iterator[str]:
    first, second, *rest = now.split()
    yield " ".join([second, first, *rest])


def other_entries(kind: kinds.Entry, now: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
    for part, inner in kind.parts.items():
        yield from ((now or {}) | {part: value} for value in other_values(inner, (now or {}).get(part)))


def other_lists(kind: kinds.ListOf, now: list[Any]) -> Iterator[list[Any]]:
    yield now[:-1]
    yield now[::-1]
    yield from ([*now, value] for value in other_values(kind.item, None))
    yield from ([value] for value in other_values(kind.item, None))
    yield from ([*now[:-1], value] for value in other_values(kind.item, now[-1] if now else None))


OTHERS: dict[type, Callable[[Any, Any], Iterable[Any]]] = {
    kinds.Number: other_numbers,
    kinds.Word: lambda kind, _: kind.choices,
    kinds.Line: lambda *_: ["Another name"],
    kinds.Text: lambda _, now: [f"{now} again"],
    kinds.Optional: lambda kind, now: [None, *other_values(kind.kind, now)],
    kinds.NumberByPlayers: lambda *_: (5, 1, 2),
    kinds.Ranks: lambda _, now: [now[:-1]],
    kinds.TrumpOrder: other_orders,
    kinds.GameValues: lambda *_: [{"T": 10, "A": 5}],
    kinds.ListOf: lambda kind, now: other_lists(kind, list(now or ())),
    kinds.Entry: other_entries,
}


def with_field(rules: RuleSet, name: str, value: Any) -> RuleSet | None:
    """Return the rules with another value and what depends on it; None if they are refused."""
    options = {name: value}
    if name == "deck.ranks":
        options["trump.order"] = " ".join(rank for rank in rules.trump.order if rank in value)
    if name == "deck.jokers":
        options["trump.order"] = " ".join([*(n for n in rules.trump.order if n[0] != "X"), *("XR", "XB", "X3")[:value]])
    try:
        return rules.override(options)
    except (Refused, TypeError):
        return None


def said_otherwise(name: str, rules: RuleSet, value: Any) -> bool:
    other = with_field(rules, name, value)
    return other is not None and other != rules and told(other) != told(rules)


RULES = [name for name in FIELDS if name not in NO_RULES]


@pytest.mark.parametrize("name", RULES)
def test_another_value_of_the_field_is_said(name: str) -> None:
    kind = FIELDS[name].kind
    tried = ((rules, value) for rules in bases() for value in other_values(kind, rules.values()[name]))
    assert any(said_otherwise(name, rules, value) for rules, value in tried)


WORDS = [
    (name, word)
    for name in RULES
    for kind in [FIELDS[name].kind]
    for word in (kind.choices if isinstance(kind, kinds.Word) else ())
]


@pytest.mark.parametrize(("name", "word"), WORDS)
def test_every_word_of_the_field_is_said(name: str, word: str) -> None:
    assert any(said_otherwise(name, rules, word) for rules in bases())


PARTS = [
    *(("points", part) for part in POINT.parts if part != "key"),
    *(("auction.specials", part) for part in SPECIAL.parts),
    *(("win.early", part) for part in EARLY.parts),
]


def test_the_page_names_every_point_bid_special_and_end() -> None:
    """From the data of each rule set and house rule: points with their worth, bids, ends."""
    for rules in bases():
        page = json.loads(told(rules))
        points = dict(page[4][3])
        assert list(points) == [point.name for point in rules.points]
        for point in rules.points:
            assert (f"worth {point.worth}" in points[point.name]) == (point.worth > 1)
        sentences = " ".join(sentence for chapter in page for sentence in chapter[1])
        has_bids = f"The bids are {rules.auction.min} to {rules.auction.max}" in sentences
        assert has_bids == ("There is no bidding." not in sentences) == (rules.auction.rounds != "none")
        assert all(f"or {special.name} for {special.bid}: " in sentences for special in rules.auction.specials)
        down = {"The first to 0 wins.", f"Scores count down: everyone starts at {rules.win.target},"}
        ends = down if rules.win.counted == "down" else {f"The first to {rules.win.target} wins."}
        ends |= {f"{rules.win.early.at}"} if rules.win.early else set()
        ends |= {f"After {rules.win.hands} hand"} if rules.win.hands else set()
        ends |= {f"At −{-rules.win.lost_at} or less you lose"} if rules.win.lost_at else set()
        ends |= {f"If you are set {rules.win.lost_sets} times, you lose"} if rules.win.lost_sets else set()
        assert {end for end in ends if end not in sentences} == set()


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_every_part_of_an_entry_is_said(name: str, part: str) -> None:
    entry = {"points": POINT, "auction.specials": SPECIAL, "win.early": EARLY}[name]
    for rules in bases():
        now = rules.values()[name]
        for place, one in enumerate(now if isinstance(now, list) else [now] if now else []):
            for value in other_values(entry.parts[part], one.get(part)):
                changed = one | {part: value}
                whole = [*now[:place], changed, *now[place + 1 :]] if isinstance(now, list) else changed
                if said_otherwise(name, rules, whole):
                    return
    pytest.fail(f"no other {part} of {name} is said")

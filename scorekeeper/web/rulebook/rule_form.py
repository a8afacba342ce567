"""The form in which a club sets its own rules: what is typed so far, the rules that it comes to, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT, RANKS
from scorekeeper.scoring.kinds import Kind, ListOf
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.vocabulary import FIELDS, GROUPS, group_of
from scorekeeper.web.common.words import point_name
from scorekeeper.web.wording.form_sentences import changes_said
from scorekeeper.web.wording.rule_field_sentences import point_card
from scorekeeper.web.wording.rule_problem_sentences import problem_said

from .rule_steps import BLANKS, NEW_POINT, take_step
from .rule_values import Values, entries, number_or_text, put_in_order, read, set_all, typed

NAMED_BY_THE_CLUB = ("id", "name")
EDITED = tuple(name for name in FIELDS if name not in NAMED_BY_THE_CLUB)
# What a table settles first; all other fields are behind "more".
FIRST = (
    "table.players", "table.sides", "table.teams", "table.partner_right", "table.call",
    "points", "auction.min", "auction.max", "auction.specials", "settle.set", "win.target",
)  # fmt: skip
KEYS_OF_POINTS = ("game.tie_points", "win.order")


class RuleForm:
    """Rules as they are typed. `base` says what they began with, `values` are the inputs by the dotted names of fields.

    What is read of them is checked by the core and by nothing else: the form refuses what the core refuses.
    """

    def __init__(self, values: Values) -> None:
        self.values = values
        for name in ("table.players", "table.teams"):
            put_in_order(name, values)
        _rename_points(values)
        _follow_deck(values)

    @classmethod
    def of(cls, rules: RuleSet, base: str, name: str) -> RuleForm:
        """The form with these rules typed in."""
        about = MultiDict([("base", base), ("name", name)])
        form = cls(MultiDict([*about.items(), *typed_rules(rules.to_dict())]))
        form.values["deck"] = form.deck
        return form

    # --- what is typed ---

    @property
    def base(self) -> str:
        return self.values.get("base", "")

    @property
    def name(self) -> str:
        return self.values.get("name", "")

    @property
    def deck(self) -> str:
        """The cards of the deck as they are typed; sent along, so that a change of them can be followed."""
        return f"{''.join(self.values.getlist('deck.ranks'))}/{self.values.get('deck.jokers', '')}"

    @cached_property
    def flat(self) -> dict[str, Any]:
        """Each field's value by its dotted name, as it was typed: it need not be one that there is."""
        return {name: read(FIELDS[name].kind, name, self.values) for name in EDITED}

    @property
    def data(self) -> dict[str, Any]:
        """The rules as they are typed, as data that the core reads."""
        data: dict[str, Any] = {"name": self.name}
        for name, value in self.flat.items():
            section, _, inner = name.rpartition(".")
            (data.setdefault(section, {}) if section else data)[inner] = value
        return data

    # --- what it comes to ---

    @cached_property
    def rules(self) -> RuleSet | None:
        """The rules, or None where something is wrong with them."""
        return None if self._read[1] else self._read[0]

    @cached_property
    def _read(self) -> tuple[RuleSet | None, tuple[Problem, ...]]:
        try:
            return RuleSet.from_dict(self.data), ()
        except Refused as refused:
            return None, refused.problems

    @cached_property
    def errors(self) -> dict[str, list[str]]:
        """What is wrong, in sentences by the field that they belong beside."""
        found: dict[str, list[str]] = {}
        for problem in self._read[1]:
            sentences = found.setdefault(problem.at, [])
            sentence = problem_said(problem)
            sentences += [sentence] if sentence not in sentences else []
        return found

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show what could not be saved, beside the name."""
        self.errors["name"] = [problem_said(problem) for problem in problems]

    @property
    def first_wrong(self) -> str:
        """The first field with something wrong, in the order of the page; "" where all is right."""
        places = ["name", *FIRST, *EDITED]
        return min(self.errors, key=lambda name: places.index(name) if name in places else 0, default="")

    # --- what is shown ---

    @property
    def first(self) -> list[str]:
        return [name for name in FIRST if self.matters(name)]

    @property
    def more(self) -> dict[str | None, list[str]]:
        """The other fields by their group; those that what is chosen makes useless are left out."""
        rest = [name for name in EDITED if name not in FIRST and self.matters(name)]
        groups: list[str | None] = [*GROUPS, None]
        return {group: [name for name in rest if group_of(name) == group] for group in groups}

    @property
    def kept(self) -> list[tuple[str, str]]:
        """The inputs of the fields that are not shown: they keep their values."""
        hidden = [name for name in EDITED if not self.matters(name)]
        return [pair for name in hidden for pair in _pairs(name, self.values)]

    def matters(self, name: str) -> bool:
        """Whether a field changes anything under what is chosen; one with something wrong is always shown."""
        needs = MATTERS.get(name)
        return needs is None or name in self.errors or needs(self.flat)

    def is_open(self, group: str | None) -> bool:
        """Whether a part of the page is unfolded: as it was, or because something in it is wrong."""
        names = self.more.get(group, [])
        return (group or "about") in self.values.getlist("open") or any(name in self.errors for name in names)

    def entries(self, name: str) -> list[str]:
        """The inputs' names of a list's entries: points-0, points-1."""
        kind: Any = FIELDS[name].kind
        return entries(kind.item, name, self.values)

    def kind(self, name: str) -> Kind:
        return FIELDS[name].kind

    def part(self, name: str, part: str) -> Kind:
        """The kind of a part of a field's entries."""
        kind: Any = FIELDS[name].kind
        entry: Any = kind.item if isinstance(kind, ListOf) else kind.kind
        parts: Mapping[str, Kind] = entry.parts
        return parts[part]

    def differs_from(self, base: RuleSet) -> str:
        """How many rules are other than those that it began with, in a sentence."""
        before = RuleForm.of(base, "", "").flat
        return changes_said(sum(before[name] != value for name, value in self.flat.items()), base.name)

    @property
    def trumps(self) -> list[str]:
        return self.values.get("trump.order", "").split()

    @property
    def point_keys(self) -> list[str]:
        return [self.values.get(f"{entry}.key", "") for entry in self.entries("points")]

    # --- steps ---

    def take_step(self) -> bool:
        """Change one thing by the button that was tapped; False if it was another button."""
        taken = take_step(self.values, self.values.get("do", ""))
        if taken:
            _follow_deck(self.values)
        return taken


def typed_rules(data: dict[str, Any]) -> list[tuple[str, str]]:
    """All inputs of a rule set, given as `RuleSet.to_dict` has it."""
    pairs: list[tuple[str, str]] = []
    for name in EDITED:
        section, _, inner = name.rpartition(".")
        pairs += typed(FIELDS[name].kind, name, data[section][inner] if section else data[inner])
    return pairs


def _pairs(name: str, values: Values) -> list[tuple[str, str]]:
    """The inputs of one field, with those of its parts, players and cards."""
    starts = (f"{name}.", f"{name}-")
    return [(key, text) for key, text in values.items(multi=True) if key == name or key.startswith(starts)]


# --- which fields matter ------------------------------------------------------------------------------------------


def _counts_game(flat: dict[str, Any]) -> bool:
    return any(point["card"] == "game" for point in flat["points"])


def _is_turned_up(flat: dict[str, Any]) -> bool:
    return bool(flat["trump.by"] == "turned-up")


def _has_bids(flat: dict[str, Any]) -> bool:
    return bool(flat["auction.rounds"] != "none")


NEED_BIDS = (
    "auction.min", "auction.max", "auction.specials", "auction.dealer", "auction.seller", "settle.made", "settle.set",
    "settle.defenders", "win.eligible", "win.lost_sets",
)  # fmt: skip
MATTERS: dict[str, Any] = {
    **dict.fromkeys(NEED_BIDS, _has_bids),
    **dict.fromkeys(("trump.turned", "trump.gift", "trump.run"), _is_turned_up),
    "table.teams": lambda flat: flat["table.sides"] == "teams",
    "table.partner_right": lambda flat: flat["table.sides"] == "seat-partner",
    "table.call": lambda flat: flat["table.sides"] == "called-partner",
    "deck.kitty_to": lambda flat: flat["deck.kitty"] not in (0, ""),
    "trump.jokers": lambda flat: flat["deck.jokers"] not in (0, 1),
    "auction.pass_cost": lambda flat: flat["auction.all_pass"] in ("redeal", "next-dealer"),
    "auction.max_again": lambda flat: flat["auction.rounds"] == "single" and flat["auction.seller"] == "nobody",
    "auction.cap": lambda flat: flat["auction.seller"] != "nobody",
    "auction.forced_bid": lambda flat: flat["auction.all_pass"] == "dealer-forced",  # noqa: S105
    "game.values": _counts_game,
    "game.award": _counts_game,
    "game.at_least": lambda flat: _counts_game(flat) and flat["game.award"] == "at-least",
    "game.tie": _counts_game,
    "game.tie_points": lambda flat: _counts_game(flat) and flat["game.tie"] == "points",
    "win.order": lambda flat: "count-out" in flat["win.both"],
}


# --- what follows from a change -------------------------------------------------------------------------------------


def _rename_points(values: Values) -> None:
    """A point that was given another name has another key, wherever it is named."""
    kind: Any = FIELDS["points"].kind
    for entry in entries(kind.item, "points", values):
        before, name = values.get(f"{entry}.key", ""), values.pop(f"{entry}.called", None)
        if name is None:
            continue
        name = _or_by_card(name.strip(), before, values.get(f"{entry}.card", ""))
        if name == point_name(before):
            continue
        key = "_".join(name.casefold().split())
        values[f"{entry}.key"] = key
        for listed in KEYS_OF_POINTS:
            set_all(listed, [key if one == before else one for one in values.getlist(listed)], values)


def _or_by_card(name: str, key: str, card: str) -> str:
    """The name of a point as typed; its card's where none was, or where a new point has a card and no name yet."""
    untouched = key.startswith(NEW_POINT) and name == point_name(key) and card != BLANKS["points"]["card"]
    return point_card(card) if untouched or not name else name


def _follow_deck(values: Values) -> None:
    """Trump has the cards of the deck: a card that was just put into it or taken out of it is, too."""
    before, now = values.get("deck"), values.getlist("deck.ranks")
    jokers = values.get("deck.jokers", "")
    if before is None or not isinstance(number_or_text(jokers), int):
        return
    ranks, _, number = before.partition("/")
    had, have = _cards(ranks, number), _cards(now, jokers)
    if had != have:
        order = [name for name in values.get("trump.order", "").split() if name not in had - have]
        for card in (*RANKS, *JOKERS):
            if card in have - had and card not in order:
                order.insert(_place(card, order), card)
        values["trump.order"] = " ".join(order)
    values["deck"] = f"{''.join(now)}/{jokers}"


def _cards(ranks: Iterable[str], jokers: str) -> set[str]:
    """The names in an order of trump that are in a deck, and those that can be."""
    number = number_or_text(jokers)
    off_suit = [name for name, rank in OFF_SUIT.items() if rank in ranks]
    return {*ranks, *off_suit, *JOKERS[: max(0, number) if isinstance(number, int) else 0]}


def _place(card: str, order: list[str]) -> int:
    """Where a card goes into the order of trump: above the next lower rank; a joker above the 10."""
    lower = RANKS[RANKS.index("T" if card in JOKERS else card) :]
    return next((place for place, name in enumerate(order) if name in lower), len(order))

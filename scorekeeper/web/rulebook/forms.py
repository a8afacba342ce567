"""The form in which a club sets its own rules: what is typed so far, the rules that it comes to, and what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, cached_property, lru_cache
from itertools import count
from typing import TypeVar

from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT, RANKS
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.rules import RuleSet, catalogue, variations
from scorekeeper.scoring.rules.fields import FIELDS, GROUPS, KINDS, POINT, SPECIAL, Point, Special, group_of
from scorekeeper.scoring.rules.kinds import number_or_text
from scorekeeper.scoring.rules.ruleset import RuleData
from scorekeeper.scoring.rules.words import point_name
from scorekeeper.web.common.fields import number_in
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.rulebook.messages import point_card, problem_said

Values = MultiDict[str, str]
MOST_ENTRIES = 40  # points, or special bids; the largest game of the catalogue has 9 points
MOST_INPUTS = 1_000  # of a form; one with so many entries has some 600
MOST_ALIKE = 100  # inputs of one name
MOST_LETTERS = 6_000  # of one input
ENTRIES = {"points": POINT, "auction.specials": SPECIAL}  # by the field that is a list of them
NAMED_BY_THE_CLUB = ("id", "name")
EDITED = tuple(name for name in FIELDS if name not in NAMED_BY_THE_CLUB)
# What a table settles first; all other fields are behind "more".
FIRST = sorted((name for name in EDITED if FIELDS[name].first), key=lambda name: FIELDS[name].first)
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
        form = cls(MultiDict([("base", base), ("name", name), *_typed(rules)]))
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
    def flat(self) -> dict[str, object]:
        """Each field's value by its dotted name, as it was typed: it need not be one that there is."""
        return {name: FIELDS[name].kind.read(name, self.values) for name in EDITED}

    @property
    def data(self) -> dict[str, object]:
        """The rules as they are typed, as data that the core reads."""
        data: RuleData = {"name": self.name}
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
        return [name for name in FIRST if name in self.shown]

    @cached_property
    def more(self) -> dict[str | None, list[str]]:
        """The other fields by their group; those that what is chosen makes useless are left out."""
        rest = [name for name in EDITED if name not in FIRST and name in self.shown]
        groups: list[str | None] = [*GROUPS, None]
        return {group: [name for name in rest if group_of(name) == group] for group in groups}

    @property
    def kept(self) -> list[tuple[str, str]]:
        """The inputs of the fields that are not shown: they keep their values."""
        hidden = [name for name in EDITED if name not in self.shown]
        return [pair for name in hidden for pair in self.inputs.get(name, ())]

    @cached_property
    def inputs(self) -> dict[str, list[tuple[str, str]]]:
        """The inputs of each field, with those of its parts, players and cards."""
        found: dict[str, list[tuple[str, str]]] = {}
        for key, texts in self.values.lists():
            head = key.partition("-")[0]
            name = head if head in FIELDS else head.rpartition(".")[0]
            found.setdefault(name, []).extend([(key, text) for text in texts])
        return found

    @cached_property
    def shown(self) -> set[str]:
        """The fields that change anything under what is chosen; one with something wrong is always shown."""
        return {name for name in EDITED if name in self.errors or FIELDS[name].is_shown(self.flat)}

    def is_open(self, group: str | None) -> bool:
        """Whether a part of the page is unfolded: as it was, or because something in it is wrong."""
        names = self.more.get(group, [])
        return (group or "about") in self.values.getlist("open") or any(name in self.errors for name in names)

    def entries(self, name: str) -> list[str]:
        """The inputs' names of a list's entries: points-0, points-1."""
        return ENTRIES[name].entries(name, self.values)

    def differs_from(self, base: RuleSet) -> str:
        """How many rules are other than those that it began with, in a sentence."""
        before = _flat(base)
        changes = sum([before[name] != value for name, value in self.flat.items()])
        return f"{counted(changes, 'change')} from {base.name}" if changes else f"The same as {base.name}"

    @property
    def trumps(self) -> list[str]:
        return self.values.get("trump.order", "").split()

    def name_of(self, entry: str) -> str:
        """What a point is called, by its inputs' name."""
        return self.values.get(f"{entry}.called") or point_name(self.values.get(f"{entry}.key", ""))

    @cached_property
    def point_names(self) -> dict[str, str]:
        """What the points are called, by their keys."""
        return {self.values.get(f"{entry}.key", ""): self.name_of(entry) for entry in self.entries("points")}

    # --- steps ---

    def take_step(self) -> bool:
        """Change one thing by the button that was tapped; False if it was another button.

        The highest bid stays the sum of the points where it was that.
        """
        values, worth = self.values, _worth(self.values)
        bids_all = values.get("auction.max") == str(worth)
        taken = take_step(values, values.get("do", ""))
        if taken:
            _follow_deck(values)
        if bids_all and _worth(values) != worth:
            values["auction.max"] = str(_worth(values))
        return taken


@lru_cache(maxsize=64)
def _typed(rules: RuleSet) -> list[tuple[str, str]]:
    return typed_rules(rules.to_dict())


@lru_cache(maxsize=64)
def _flat(rules: RuleSet) -> dict[str, object]:
    """Each field's value as the form of these rules has it."""
    return RuleForm.of(rules, "", "").flat


def typed_rules(data: RuleData) -> list[tuple[str, str]]:
    """All inputs of a rule set, given as `RuleSet.to_dict` has it."""
    pairs: list[tuple[str, str]] = []
    for name in EDITED:
        section, _, inner = name.rpartition(".")
        value = (data[section] if section else data).get(inner, FIELDS[name].default)
        pairs += FIELDS[name].kind.typed(name, value)
    return pairs


# --- one tap -----------------------------------------------------------------------------------------------------


def _worth(values: Values) -> int:
    """What all points of a hand are worth together."""
    typed = [values.get(f"{entry}.worth", "") for entry in ENTRIES["points"].entries("points", values)]
    return sum(number_in(worth) or 1 for worth in typed)


Known = TypeVar("Known", Point, Special)


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


def _commonest(counted: Counter[Known]) -> tuple[Known, ...]:
    """One of each name."""
    found: dict[str, Known] = {}
    for one, _ in counted.most_common():
        found.setdefault(one.key if isinstance(one, Point) else one.name, one)
    return tuple(found.values())


def take_step(values: Values, step: str) -> bool:
    """Change `values` as the button `step` says, like "up auction.min"; False where it is no such button."""
    verb, _, what = step.partition(" ")
    if verb in ("up", "down"):
        _move_number(values, what, 1 if verb == "up" else -1)
        return True
    tap = {"add": _add, "remove": _remove, "hold": _hold, "out": _out}.get(verb)
    if tap is not None:
        tap(values, what)
    return tap is not None


def _move_number(values: Values, name: str, by: int) -> None:
    now = number_or_text(values.get(name, ""))
    if isinstance(now, int):
        values[name] = str(now + by)
    elif not now.strip():
        values[name] = str(KINDS[name].start if name in KINDS else 1)


KNOWN: dict[str, Callable[[], tuple[Point, ...] | tuple[Special, ...]]] = {
    "points": known_points,
    "auction.specials": known_specials,
}
NEW_POINT = "new_point"  # the key of a point that has no name of its own yet
BLANKS: dict[str, dict[str, object]] = {
    "points": {"key": NEW_POINT, "card": "highest"},
    "auction.specials": {"name": "", "bid": ""},
}


def _add(values: Values, what: str) -> None:
    """Add a known point or special by its name, or a blank one, and unfold it."""
    name, _, key = what.partition(" ")
    if name not in ENTRIES:
        return
    kind, known = ENTRIES[name], KNOWN[name]
    if (place := len(kind.entries(name, values))) == MOST_ENTRIES:
        return
    found = next((one for one in known() if getattr(one, kind.first) == key), None)
    data: dict[str, object] = (
        _blank(name, values) if found is None else {part: getattr(found, part) for part in kind.parts}
    )
    if isinstance(found, Point):
        _admit(values, found.card)
    if isinstance(found, Special):
        data["bid"] = _above(values)
    for key_typed, text in kind.typed(f"{name}-{place}", data):
        values.add(key_typed, text)
    if found is None:
        values.add("open", f"{name}-{place}")


def _blank(name: str, values: Values) -> dict[str, object]:
    """A new entry to fill in; points have names of their own from the start."""
    if name != "points":
        return BLANKS[name]
    taken = {values[f"{entry}.key"] for entry in ENTRIES[name].entries(name, values)}
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
        *(values[f"{one}.bid"] for one in SPECIAL.entries("auction.specials", values)),
    ]
    return max((bid + 1 for bid in map(number_or_text, bids) if isinstance(bid, int)), default=1)


def _remove(values: Values, entry: str) -> None:
    """Take an entry out of its list; those behind it move up."""
    name, _, place = entry.rpartition("-")
    if name not in ENTRIES or not place.isdecimal():
        return
    kind, left = ENTRIES[name], FIELDS[name].kind.read(name, values)
    opened = [one for one in values.getlist("open") if not one.startswith(f"{name}-")]
    for key in [key for key in values if key.startswith(f"{name}-")]:
        values.poplist(key)
    for number, data in enumerate(one for at, one in enumerate(left) if at != int(place)):
        for key, text in kind.typed(f"{name}-{number}", data):
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


# --- what follows from a change -------------------------------------------------------------------------------------


def _rename_points(values: Values) -> None:
    """What is typed as the name of a point is left out where its key says the same; a new point has its key of it."""
    for entry in POINT.entries("points", values):
        key, typed = values.get(f"{entry}.key", ""), values.pop(f"{entry}.name", None)
        if typed is None:
            continue
        name = _or_by_card(" ".join(typed.split()), key, values.get(f"{entry}.card", ""))
        if key.startswith(NEW_POINT) and name != point_name(key):
            key = _give_key(entry, "_".join(name.casefold().split()), values)
        values[f"{entry}.called"] = "" if name == point_name(key) else name


def _give_key(entry: str, key: str, values: Values) -> str:
    """A key for a new point, wherever it is named, and the one that it has then: its own where another has that."""
    before = values[f"{entry}.key"]
    if any(values[f"{other}.key"] == key for other in POINT.entries("points", values)):
        return before
    values[f"{entry}.key"] = key
    for listed in KEYS_OF_POINTS:
        set_all(listed, [key if one == before else one for one in values.getlist(listed)], values)
    return key


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
    """Where a card goes into the order of trump: above the next lower rank, or below all; a joker above the 10."""
    lower = RANKS[RANKS.index("T" if card in JOKERS else card) :]
    last = max((place for place, name in enumerate(order) if name in RANKS), default=len(order) - 1)
    return next((place for place, name in enumerate(order) if name in lower), last + 1)


def put_in_order(name: str, values: Values) -> None:
    """Numbers that were tapped, in the order in which the rules had them; the one that is usual goes first."""
    before, first = values.get(f"{name}.order", "").split(), values.get(f"{name}.first", "")
    places = {first: -1} | {text: place for place, text in enumerate(before) if text != first}
    chosen = values.getlist(name)
    set_all(name, sorted(chosen, key=lambda text: places.get(text, len(before))), values)


def set_all(name: str, texts: list[str], values: Values) -> None:
    """Have these texts under a name, or nothing."""
    values.poplist(name)
    for text in texts:
        values.add(name, text)


# --- limits -------------------------------------------------------------------------------------------------------


def is_too_much(values: Values) -> bool:
    """Whether more was sent than can be tapped and typed: to draw it would take seconds."""
    lists = [texts for _, texts in values.lists()]
    return (
        sum(map(len, lists)) > MOST_INPUTS
        or any(len(texts) > MOST_ALIKE or max(map(len, texts)) > MOST_LETTERS for texts in lists)
        or any(len(kind.entries(name, values)) > MOST_ENTRIES for name, kind in ENTRIES.items())
    )

"""The form in which a club edits its own rules: input, resulting rules, errors and rendering.

Controls follow from the kind of a field. Inputs are named after the dotted name of a field or of a part of an entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable
from functools import cache, cached_property, lru_cache, partial
from itertools import chain, count
from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT, RANKS, SUITS
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.rules import RuleSet, catalogue, team_formats, variations
from scorekeeper.scoring.rules.fields import (
    FIELDS,
    GROUPS,
    KINDS,
    MOST_CALLED,
    PLAIN_CARDS,
    POINT,
    SPECIAL,
    SUIT_ENDS,
    TRUMP_ENDS,
    group_of,
)
from scorekeeper.scoring.rules.kinds import LEAST_PLAYERS, MOST_PLAYERS, number_or_text
from scorekeeper.scoring.rules.ruleset import nested
from scorekeeper.scoring.rules.words import WORDS, point_name
from scorekeeper.web.common.fields import parse_number
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.hand_entry.points import FACES

from .messages import choice_name, point_card, problem_said, trump_name

MOST_ENTRIES = 40  # points or special bids; the catalogue's largest game has 9 points
MOST_INPUTS = 1_000  # per form; one with the most entries has about 600
MOST_ALIKE = 100  # inputs with the same name
MOST_LETTERS = 6_000  # characters per input
ENTRIES = {"points": POINT, "auction.specials": SPECIAL}  # by the field that is a list of them
EDITED = tuple(name for name in FIELDS if name not in ("id", "name"))  # the club chooses the name
# The fields a table settles first; all others are behind "more".
BASICS = sorted((name for name in EDITED if FIELDS[name].first), key=lambda name: FIELDS[name].first)
KEYS_OF_POINTS = ("game.tie_points", "win.order")
NEW_POINT, NEW_CARD = "new_point", "highest"  # a point without a name of its own


class Choice(NamedTuple):
    """A button: value, label, and whether it is on."""

    value: str
    label: str
    on: bool


class EntryRow(NamedTuple):
    """A list entry: input name, title, summary, card, and whether it is unfolded."""

    name: str
    title: str
    line: str
    face: str
    is_open: bool


class RuleField(NamedTuple):
    """A field of the form; the cache key has its input, its errors, and what it depends on in other fields."""

    name: str
    form: RuleForm

    @property
    def cache_key(self) -> Hashable:
        inputs, errors = self.form.inputs.get(self.name, ()), self.form.errors.get(self.name, ())
        return self.name, tuple(inputs), tuple(errors), self.form.shared


class RuleForm:
    """Rules as typed. `base` names the rules edited, `values` has inputs by dotted field name.

    The result is validated by the scoring core only: the form rejects what the core rejects.
    """

    about, most_called = WORDS, MOST_CALLED

    def __init__(self, values: MultiDict[str, str]) -> None:
        self.values = values
        for name in ("table.players", "table.teams"):
            self._put_in_order(name)
        self._rename_points()
        self._follow_deck()

    @classmethod
    def of(cls, rules: RuleSet, base: str, name: str) -> RuleForm:
        """A form filled with these rules."""
        form = cls(MultiDict([("base", base), ("name", name), *_typed(rules)]))
        form.values["deck"] = form.deck
        return form

    # --- input ---

    def text(self, name: str) -> str:
        return self.values.get(name, "")

    def chosen(self, name: str) -> list[str]:
        return [text for text in self.values.getlist(name) if text]

    @property
    def name(self) -> str:
        return self.text("name")

    @property
    def deck(self) -> str:
        """The deck as typed; also submitted, so that changes of it can be detected."""
        return f"{''.join(self.values.getlist('deck.ranks'))}/{self.text('deck.jokers')}"

    @property
    def order(self) -> list[str]:
        """Names of the trumps, from high to low."""
        return self.text("trump.order").split()

    @order.setter
    def order(self, names: list[str]) -> None:
        self.values["trump.order"] = " ".join(names)

    def entries(self, name: str) -> list[str]:
        """Input names of a list's entries: points-0, points-1."""
        return ENTRIES[name].entries(name, self.values)

    def name_of(self, entry: str) -> str:
        """A point's name, by its input name."""
        return self.text(f"{entry}.called") or point_name(self.text(f"{entry}.key"))

    @cached_property
    def point_names(self) -> dict[str, str]:
        """Names of the points by key."""
        return {self.text(f"{entry}.key"): self.name_of(entry) for entry in self.entries("points")}

    # --- result ---

    @cached_property
    def flat(self) -> dict[str, object]:
        """Field values by dotted name as typed; they may be invalid."""
        return {name: FIELDS[name].kind.read(name, self.values) for name in EDITED}

    @cached_property
    def _read(self) -> tuple[RuleSet | None, Collection[Problem]]:
        try:
            return RuleSet.from_dict(nested({"name": self.name, **self.flat})), ()
        except Refused as refused:
            return None, refused.problems

    @property
    def rules(self) -> RuleSet | None:
        """The rules; None if they are invalid."""
        return self._read[0]

    @cached_property
    def errors(self) -> dict[str, list[str]]:
        """Sentences by field."""
        found: dict[str, list[str]] = {}
        for problem in self._read[1]:
            sentence, sentences = problem_said(problem), found.setdefault(problem.at, [])
            if sentence not in sentences:
                sentences.append(sentence)
        return found

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show a service's problems beside the name."""
        self.errors["name"] = [problem_said(problem) for problem in problems]

    @property
    def first_wrong(self) -> str:
        """The first field with an error, in page order; "" if none."""
        places = ["name", *BASICS, *EDITED]
        return min(self.errors, key=lambda name: places.index(name) if name in places else 0, default="")

    def differs_from(self, base: RuleSet) -> str:
        """The number of changes from the rules edited, as a sentence."""
        before = _flat(base)
        changes = sum([before[name] != value for name, value in self.flat.items()])
        return f"{counted(changes, 'change')} from {base.name}" if changes else f"The same as {base.name}"

    # --- visible fields ---

    @cached_property
    def shown(self) -> set[str]:
        """Fields that matter under the current choices; fields with errors are always included."""
        return {name for name in EDITED if name in self.errors or FIELDS[name].is_shown(self.flat)}

    @property
    def basics(self) -> list[str]:
        return [name for name in BASICS if name in self.shown]

    @cached_property
    def more(self) -> dict[str | None, list[str]]:
        """The remaining visible fields by group."""
        rest = [name for name in EDITED if name not in BASICS and name in self.shown]
        return {group: [name for name in rest if group_of(name) == group] for group in (*GROUPS, None)}

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Hidden inputs that keep the values of fields not shown."""
        return [pair for name in EDITED if name not in self.shown for pair in self.inputs.get(name, ())]

    @cached_property
    def inputs(self) -> dict[str, list[tuple[str, str]]]:
        """Inputs by field, including those of its parts, players and cards."""
        found: dict[str, list[tuple[str, str]]] = {}
        for key, texts in self.values.lists():
            head = key.partition("-")[0]
            name = head if head in FIELDS else head.rpartition(".")[0]
            found.setdefault(name, []).extend([(key, text) for text in texts])
        return found

    def is_open(self, group: str | None) -> bool:
        """True if a group is unfolded: as submitted, or because of an error in it."""
        is_wrong = any(name in self.errors for name in self.more.get(group, []))
        return is_wrong or (group or "about") in self.values.getlist("open")

    # --- rendering of fields ---

    def field(self, name: str) -> RuleField:
        return RuleField(name, self)

    @cached_property
    def shared(self) -> Hashable:
        """Input in other fields that several fields depend on."""
        names = ("table.players", "deck.ranks", "deck.jokers", "held", "open")
        return tuple([tuple(self.values.getlist(name)) for name in names]), tuple(self.point_names.items())

    def control(self, name: str) -> str:
        return FIELDS[name].control

    def words(self, field: str, name: str) -> list[Choice]:
        """Choices of a field or of a part of an entry, whose input is `name`."""
        chosen = self.values.getlist(name)
        return [Choice(value, choice_name(field, value), value in chosen) for value in KINDS[field].choices]

    def numbers(self, name: str) -> list[Choice]:
        """Choices of a list of numbers; for teams, those that a chosen number of players can form."""
        kind: Any = FIELDS[name].kind
        chosen = self.chosen(name)
        numbers = [str(number) for number in range(kind.item.low, kind.item.high + 1)]
        if name == "table.teams":
            players = [int(text) for text in self.chosen("table.players") if text.isdecimal() and len(text) < 3]
            formed = {str(teams) for number in players for teams in team_formats(number, tuple(map(int, numbers)))}
            numbers = [one for one in numbers if one in chosen or one in formed]
        shown = [*numbers, *(text for text in chosen if text not in numbers)]
        return [Choice(value, choice_name(name, value), value in chosen) for value in shown]

    def in_order(self, name: str) -> tuple[list[list[Choice]], list[Choice]]:
        """Choices at each position of an ordered list, and those for another position."""
        chosen, of_points = self.chosen(name), name in KEYS_OF_POINTS
        labels = self.point_names if of_points else WORDS[name].choices
        values = [*(labels if of_points else KINDS[name].choices), *chosen]
        options = {value: labels.get(value, value) for value in values}.items()
        places = [[Choice(one, label, one == at) for one, label in options] for at in chosen]
        return places, [Choice(one, label, on=False) for one, label in options if one not in chosen]

    def by_players(self, name: str) -> list[str]:
        """Numbers of players with a value of their own; empty if one value is for all."""
        own = [str(n) for n in range(LEAST_PLAYERS, MOST_PLAYERS + 1) if self.text(f"{name}-{n}")]
        players = self.chosen("table.players")
        if not own and len(players) < 2:
            return []
        return sorted({*own, *players}, key=lambda text: (len(text), text))

    def card_values(self, name: str) -> list[str]:
        """Cards with a value, then the other cards of the deck."""
        typed = [key.removeprefix(f"{name}-") for key in self.values if key.startswith(f"{name}-")]
        deck = _cards_of(self.values.getlist("deck.ranks"), self._jokers)
        return [*typed, *(card for card in (*RANKS, *JOKERS) if card in deck and card not in typed)]

    @property
    def _jokers(self) -> int:
        text = self.text("deck.jokers")
        return int(text) if text in ("1", "2", "3", "4") else 0

    def ranks(self, name: str) -> list[Choice]:
        chosen = self.values.getlist(name)
        return [Choice(rank, trump_name(rank), rank in chosen) for rank in RANKS]

    @property
    def trumps(self) -> list[Choice]:
        """Trumps from high to low; `on` marks the held card."""
        return self._to_hold(self.order)

    @property
    def not_trumps(self) -> list[Choice]:
        """Other possible trumps: off-suit cards of trump's color, and jokers."""
        could_be = _cards_of(self.values.getlist("deck.ranks"), self._jokers)
        return self._to_hold([name for name in could_be if name not in self.order])

    def _to_hold(self, names: Iterable[str]) -> list[Choice]:
        held = self.text("held")
        return [Choice(name, trump_name(name), name == held) for name in names]

    def point_cards(self, entry: str) -> list[Choice]:
        """Cards or tricks a point can be for."""
        now = self.text(f"{entry}.card")
        # Trump cards and tricks first, then cards of a suit.
        cards = sorted(KINDS["points.card"].choices, key=lambda name: len(name) == 2 and name[1] in SUITS)
        return [Choice(card, point_card(card), card == now) for card in cards]

    def points(self) -> list[EntryRow]:
        rows = []
        for entry in self.entries("points"):
            card, owner, worth = (self.text(f"{entry}.{part}") for part in ("card", "owner", "worth"))
            who = "" if card == "game" else choice_name("points.owner", owner).lower()
            line = ", ".join(filter(None, [point_card(card), who, "" if worth == "1" else f"worth {worth}"]))
            title = self.name_of(entry) or "New point"
            rows.append(EntryRow(entry, title, line, _face(card), entry in self.chosen("open")))
        return rows

    def specials(self) -> list[EntryRow]:
        rows = []
        for entry in self.entries("auction.specials"):
            title, line = self.text(f"{entry}.name") or "New bid", f"worth {self.text(f'{entry}.bid')}"
            if (made := self.text(f"{entry}.made")) in ("win", "target"):
                line += f", {choice_name('auction.specials.made', made).lower()}"
            rows.append(EntryRow(entry, title, line, "", entry in self.chosen("open")))
        return rows

    def is_set_to(self, entry: str, part: str) -> bool:
        """True if an outcome of a special needs its number (made_to or failed_to), or has one anyway."""
        return self.text(f"{entry}.{part.removesuffix('_to')}") == "set-to" or bool(self.text(f"{entry}.{part}"))

    def known(self, name: str) -> list[Choice]:
        """Points or special bids of other games that can be added with one tap."""
        if name == "points":
            have = {*self.point_names, *(self.text(f"{entry}.card") for entry in self.entries(name))}
            ranks = self.values.getlist("deck.ranks")
            # No points for cards outside of the deck, except jokers, which can be added.
            have |= {card for card in (*RANKS, *OFF_SUIT) if OFF_SUIT.get(card, card) not in ranks}
            new = [one for one in known_entries(name) if not have & {one.key, one.card}]
            one_a_card = {one.card: one for one in reversed(new)}.values()
            return [Choice(one.key, one.name, on=False) for one in new if one in one_a_card]
        have = {self.text(f"{entry}.name") for entry in self.entries(name)}
        return [
            Choice(one.name, one.name.capitalize(), on=False) for one in known_entries(name) if one.name not in have
        ]

    # --- steps ---

    def take_step(self) -> bool:
        """Apply the tapped button, such as "up auction.min"; False if it was not a step.

        The highest bid follows the sum of all points if it was equal to that.
        """
        verb, _, what = self.text("do").partition(" ")
        steps: dict[str, Callable[[str], None]] = {
            "up": partial(self._move_number, by=1),
            "down": partial(self._move_number, by=-1),
            "add": self._add,
            "remove": self._remove,
            "hold": self._hold,
            "out": self._remove_trump,
        }
        if verb not in steps:
            return False
        worth = self._worth()
        bids_all = self.text("auction.max") == str(worth)
        steps[verb](what)
        self._follow_deck()
        if bids_all and self._worth() != worth:
            self.values["auction.max"] = str(self._worth())
        return True

    def _worth(self) -> int:
        """Total worth of all points of a hand."""
        return sum(parse_number(self.text(f"{entry}.worth")) or 1 for entry in self.entries("points"))

    def _move_number(self, name: str, by: int) -> None:
        now = number_or_text(self.text(name))
        if isinstance(now, int):
            self.values[name] = str(now + by)
        elif not now.strip():
            self.values[name] = str(KINDS[name].start if name in KINDS else 1)

    def _add(self, what: str) -> None:
        """Add a known point or special by name, or a blank one, which is unfolded. Game stays the last known point."""
        name, _, key = what.partition(" ")
        if name not in ENTRIES or len(self.entries(name)) == MOST_ENTRIES:
            return
        kind, place = ENTRIES[name], len(self.entries(name))
        found = next((one for one in known_entries(name) if getattr(one, kind.first) == key), None)
        data = {part: getattr(found, part) for part in kind.parts} if found else self._blank(name)
        if found and name == "points":
            self._add_requirements(found.card)
        elif found:
            data["bid"] = self._least_new_worth()
        entries, end = FIELDS[name].kind.read(name, self.values), f"{name}-{place}"
        if found is None:
            self.values.add("open", end)
        elif entries and entries[-1].get("card") == "game":
            place -= 1
            self._set_all("open", [end if one == f"{name}-{place}" else one for one in self.values.getlist("open")])
        entries.insert(place, data)
        self._set_entries(name, entries)

    def _blank(self, name: str) -> dict[str, object]:
        """A new blank entry; points get a unique key."""
        if name != "points":
            return {"name": "", "bid": ""}
        taken = {self.text(f"{entry}.key") for entry in self.entries(name)}
        keys = (NEW_POINT if number == 1 else f"{NEW_POINT}_{number}" for number in count(1))
        return {"key": next(key for key in keys if key not in taken), "card": NEW_CARD}

    def _add_requirements(self, card: str) -> None:
        """Add what a point requires.

        A joker to the deck, beside which one called Joker becomes the High Joker; an off-suit card to trump, below the
        trump card of its rank.
        """
        order, jokers = self.order, number_or_text(self.text("deck.jokers"))
        if card in JOKERS and isinstance(jokers, int):
            self.values["deck.jokers"] = str(max(jokers, JOKERS.index(card) + 1))
            for entry in self.entries("points"):
                if self.name_of(entry) == "Joker":
                    self.values[f"{entry}.called"] = "High Joker"
        elif card in OFF_SUIT and card not in order and OFF_SUIT[card] in order:
            order.insert(order.index(OFF_SUIT[card]) + 1, card)
            self.order = order

    def _least_new_worth(self) -> int:
        """Least possible worth of a new special bid."""
        names = ["auction.max", *(f"{entry}.bid" for entry in self.entries("auction.specials"))]
        bids = [number_or_text(self.text(name)) for name in names]
        return max((bid + 1 for bid in bids if isinstance(bid, int)), default=1)

    def _remove(self, entry: str) -> None:
        """Remove an entry; later entries move up."""
        name = entry.rpartition("-")[0]
        entries = self.entries(name) if name in ENTRIES else []
        if entry not in entries:
            return
        left = FIELDS[name].kind.read(name, self.values)
        del left[entries.index(entry)]
        self._set_entries(name, left)
        self._set_all("open", [one for one in self.values.getlist("open") if not one.startswith(f"{name}-")])

    def _set_entries(self, name: str, entries: Iterable[Any]) -> None:
        """Replace all inputs of a list's entries."""
        for key in [key for key in self.values if key.startswith(f"{name}-")]:
            self.values.poplist(key)
        for place, data in enumerate(entries):
            self._set_inputs(ENTRIES[name].to_inputs(f"{name}-{place}", data))

    def _hold(self, card: str) -> None:
        """Hold a trump card; tapping another one moves the held card before it."""
        held = self.text("held")
        self.values["held"] = "" if held else card
        if held and held != card:
            order = [name for name in self.order if name != held]
            order.insert(order.index(card) if card in order else len(order), held)
            self.order = order

    def _remove_trump(self, card: str) -> None:
        """Remove a card from trump."""
        self.order = [name for name in self.order if name != card]
        self.values["held"] = ""

    # --- consequences of a change ---

    def _rename_points(self) -> None:
        """Store a point's name only if its key implies another one; a new point's key is made from its name."""
        for entry in self.entries("points"):
            key, typed = self.text(f"{entry}.key"), self.values.pop(f"{entry}.name", None)
            if typed is None:
                continue
            name, card = " ".join(typed.split()), self.text(f"{entry}.card")
            is_untouched = key.startswith(NEW_POINT) and name == point_name(key) and card != NEW_CARD
            if is_untouched or not name:
                name = point_card(card)
            if key.startswith(NEW_POINT) and name != point_name(key):
                key = self._give_key(entry, "_".join(name.casefold().split()))
            self.values[f"{entry}.called"] = "" if name == point_name(key) else name

    def _give_key(self, entry: str, key: str) -> str:
        """Set a new point's key, also in lists that refer to it; keep the old key if the new one is taken."""
        before = self.text(f"{entry}.key")
        if any(self.text(f"{other}.key") == key for other in self.entries("points")):
            return before
        self.values[f"{entry}.key"] = key
        for listed in KEYS_OF_POINTS:
            self._set_all(listed, [key if one == before else one for one in self.values.getlist(listed)])
        return key

    def _follow_deck(self) -> None:
        """Add cards new in the deck to trump, and remove those taken out."""
        before, now = self.values.get("deck"), number_or_text(self.text("deck.jokers"))
        if before is None or not isinstance(now, int):
            return
        ranks, _, jokers = before.partition("/")
        then = number_or_text(jokers)
        had = set(_cards_of(ranks, then if isinstance(then, int) else 0))
        have = set(_cards_of(self.values.getlist("deck.ranks"), now))
        if had != have:
            order = [name for name in self.order if name not in had - have]
            for card in (*RANKS, *JOKERS):
                if card in have - had and card not in order:
                    order.insert(_place(card, order), card)
            self.order = order
        self.values["deck"] = self.deck

    def _put_in_order(self, name: str) -> None:
        """Keep numbers in their previous order, with the default first."""
        before, first = self.text(f"{name}.order").split(), self.text(f"{name}.first")
        places = {first: -1} | {text: place for place, text in enumerate(before) if text != first}
        self._set_all(name, sorted(self.values.getlist(name), key=lambda text: places.get(text, len(before))))

    def _set_all(self, name: str, texts: Iterable[str]) -> None:
        """Replace all values of an input."""
        self.values.poplist(name)
        self._set_inputs((name, text) for text in texts)

    def _set_inputs(self, inputs: Iterable[tuple[str, str]]) -> None:
        for name, text in inputs:
            self.values.add(name, text)


@lru_cache(maxsize=64)
def _flat(rules: RuleSet) -> dict[str, object]:
    """Field values of a form of these rules."""
    return RuleForm.of(rules, "", "").flat


@lru_cache(maxsize=64)
def _typed(rules: RuleSet) -> list[tuple[str, str]]:
    """All inputs of a rule set."""
    values = rules.values()
    return [pair for name in EDITED for pair in FIELDS[name].kind.to_inputs(name, values[name])]


@cache
def known_entries(name: str) -> list[Any]:
    """Points or special bids of the catalogue, most frequent first, then of its house rules, one for each name."""
    houses = [house.options.get(name, ()) for rules in catalogue() for house in variations(rules.id)]
    found: list[Any] = [
        one for rules in catalogue() for one in (rules.points if name == "points" else rules.auction.specials)
    ]
    by_name: dict[str, Any] = {}
    for one in (*dict(Counter(found).most_common()), *map(ENTRIES[name].check, chain.from_iterable(houses))):
        by_name.setdefault(getattr(one, ENTRIES[name].first), one)
    return list(by_name.values())


def _cards_of(ranks: Iterable[str], jokers: int) -> list[str]:
    """Trump order names of the cards in a deck."""
    return [*ranks, *(name for name, rank in OFF_SUIT.items() if rank in ranks), *JOKERS[: max(0, jokers)]]


def _place(card: str, order: list[str]) -> int:
    """Position of a card in the trump order: above the next lower rank, otherwise last.

    A joker goes below the others, the first one above the 10.
    """
    jokers = [place for place, name in enumerate(order) if name in JOKERS]
    if card in JOKERS and jokers:
        return jokers[-1] + 1
    lower = RANKS[RANKS.index("T" if card in JOKERS else card) :]
    last = max((place for place, name in enumerate(order) if name in RANKS), default=len(order) - 1)
    return next((place for place, name in enumerate(order) if name in lower), last + 1)


def _face(card: str) -> str:
    """A card to represent a point, for the card macro; "" for tricks and invalid values."""
    if card in OFF_SUIT:
        return f"{OFF_SUIT[card]}D"
    if card in (*TRUMP_ENDS, *RANKS):
        return f"{FACES.get(card, card)}H"
    return FACES.get(card, card) if card in ("game", *SUIT_ENDS, *JOKERS, *PLAIN_CARDS) else ""


def exceeds_limits(values: MultiDict[str, str]) -> bool:
    """True if more was submitted than can be tapped and typed; rendering it would take seconds."""
    lists = [texts for _, texts in values.lists()]
    return (
        sum(map(len, lists)) > MOST_INPUTS
        or any(len(texts) > MOST_ALIKE or max(map(len, texts)) > MOST_LETTERS for texts in lists)
        or any(len(kind.entries(name, values)) > MOST_ENTRIES for name, kind in ENTRIES.items())
    )

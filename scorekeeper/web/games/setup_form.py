"""The form that starts a game: what was chosen so far, and what there is to choose under those rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.models import NAME_LENGTH, Game
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, Variation, catalogue, find_rules, team_formats, variations
from scorekeeper.scoring.table import Table
from scorekeeper.web.common.fields import clean_name
from scorekeeper.web.wording.words import listed

FORMATS = {0: "everyone alone", 2: "two teams", 3: "three teams", 4: "four teams"}
MOST_TARGET = 999


@dataclass(frozen=True, slots=True)
class SeatField:
    number: int
    unit: str
    name: str
    errors: list[str] | None


@dataclass(frozen=True, slots=True)
class SwitchGroup:
    """One switch, or several of which only one can be on because they change the same rule."""

    name: str
    choices: list[Variation]
    chosen: str
    as_written: str = "Just as the rule book has it."


@dataclass(frozen=True, slots=True)
class Format:
    """One way to split the players into teams."""

    teams: int
    label: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A season that the game can belong to."""

    value: str
    label: str


@dataclass
class Setup:
    """A game about to start: `values` as posted, or as the club's last game had them.

    `seasons` are those that run, the usual one first; empty where there is nothing to choose.
    """

    values: MultiDict[str, str]
    known: list[str] = field(default_factory=list)
    seasons: list[Offer] = field(default_factory=list)
    errors: dict[str, list[str]] = field(default_factory=dict)
    seat_errors: dict[int, list[str]] = field(default_factory=dict)

    @classmethod
    def from_game(cls, game: Game, first_dealer: int, known: list[str], seasons: list[Offer]) -> Setup:
        """Everything as in an earlier game, the deal moved on."""
        values = MultiDict({"rules": game.rules["id"], "players": str(game.players), "teams": str(game.teams)})
        values["dealer"] = str(first_dealer)
        values["target"] = str(game.rules["win"]["target"])
        values.update({f"name-{number}": name for number, name in enumerate(game.names_at(len(game.hands)), 1)})
        setup = cls(values, known, seasons)
        for group in setup.switches:
            values.setlist(group.name, [v.key for v in group.choices if _is_on(v, game.options)])
        values["shown"] = setup.shown
        return setup

    # --- what was chosen; whatever does not fit stands at its default ---

    @cached_property
    def rules(self) -> RuleSet:
        chosen = self.values.get("rules")
        return find_rules(chosen if chosen in CATALOGUE else CATALOGUE[0])

    @cached_property
    def players(self) -> int:
        return self._chosen("players", self.rules.table.players)

    @cached_property
    def teams(self) -> int:
        return self._chosen("teams", [each.teams for each in self.formats]) if self.formats else 0

    def _chosen(self, name: str, allowed: Any) -> int:
        text = self.values.get(name, "")
        return next((number for number in allowed if str(number) == text), allowed[0])

    @property
    def player_counts(self) -> tuple[int, ...]:
        return tuple(sorted(self.rules.table.players))

    @cached_property
    def formats(self) -> list[Format]:
        if self.rules.table.sides != "teams":
            return []
        return [Format(n, FORMATS.get(n, f"{n} teams")) for n in team_formats(self.players, self.rules.table.teams)]

    @property
    def shown(self) -> str:
        """Which form is on the page; a page that shows another one has not seen these choices yet."""
        return f"{self.rules.id}/{self.players}/{self.teams}"

    @property
    def has_been_seen(self) -> bool:
        return self.values.get("shown", self.shown) == self.shown

    @property
    def same_rules_as_shown(self) -> bool:
        return self.values.get("shown", self.rules.id).partition("/")[0] == self.rules.id

    @cached_property
    def dealer(self) -> int:
        return self._chosen("dealer", range(1, self.players + 1))

    @property
    def target(self) -> str:
        """The target as typed; other rules have their own."""
        if not self.same_rules_as_shown:
            return str(self.rules.win.target)
        return self.values.get("target", str(self.rules.win.target))

    @property
    def season(self) -> str:
        """The season chosen; empty where none runs."""
        allowed = [offer.value for offer in self.seasons]
        chosen = self.values.get("season", "")
        return chosen if chosen in allowed else "".join(allowed[:1])

    @property
    def is_choosing(self) -> bool:
        """Whether the rule sets lie open: for a club's first game, and while one picks."""
        return not (self.known or self.is_refused) or not self.same_rules_as_shown

    # --- house rules ---

    @cached_property
    def house(self) -> list[str]:
        """The keys of the house rules that are switched on."""
        chosen = [key for group in self.switches for key in self.values.getlist(group.name)]
        return [variation.key for variation in self.variations if variation.key in chosen]

    @property
    def variations(self) -> list[Variation]:
        """The house rules there are for this table, but for those that have a field of their own."""
        return [
            v
            for v in variations(self.rules.id)
            if not _is_asked_elsewhere(v) and self.players in _players(v, self.players)
        ]

    @cached_property
    def switches(self) -> list[SwitchGroup]:
        groups: list[list[Variation]] = []
        for variation in self.variations:
            rival = next((group for group in groups if group[0].options.keys() & variation.options.keys()), None)
            groups.append([variation]) if rival is None else rival.append(variation)
        return [self._group(group) for group in groups]

    def _group(self, group: list[Variation]) -> SwitchGroup:
        name = f"house-{group[0].key}" if len(group) > 1 else "house"
        chosen = self.values.getlist(name)
        return SwitchGroup(name, group, next((v.key for v in group if v.key in chosen), ""))

    @property
    def options(self) -> dict[str, Any]:
        """The rules that differ from the book: the house rules, and the target."""
        options = {name: value for v in self.variations if v.key in self.house for name, value in v.options.items()}
        target = _whole(self.target)
        return options if target in (None, self.rules.win.target) else {**options, "win.target": target}

    # --- who sits where ---

    @property
    def names(self) -> list[str]:
        return [clean_name(self.values.get(f"name-{seat}")) for seat in range(1, self.players + 1)]

    @property
    def seats(self) -> list[SeatField]:
        units = Table(self.rules, self.players, self.teams).unit_of
        typed = [self.values.get(f"name-{seat}", "") for seat in range(1, self.players + 1)]
        return [SeatField(seat, units[seat], name, self.seat_errors.get(seat)) for seat, name in enumerate(typed, 1)]

    @property
    def catalogue(self) -> tuple[RuleSet, ...]:
        return catalogue()

    @property
    def says(self) -> str:
        if self.is_refused:
            return next(iter([*self.seat_errors.values(), *self.errors.values()]))[0]
        name = self.names[self.dealer - 1]
        return f"{name} deals first." if name else "Who sits where?"

    @property
    def is_refused(self) -> bool:
        return bool(self.errors or self.seat_errors)

    @property
    def first_wrong(self) -> str:
        """The id of the first field to be typed again: the page opens there."""
        return f"name-{min(self.seat_errors)}" if self.seat_errors else next(iter(self.errors), "")

    # --- checks ---

    def validate(self) -> bool:
        """Whether the game can start; what is wrong is in `errors` and `seat_errors`."""
        self._check_choice("rules", CATALOGUE, "Pick one of the rule sets.")
        self._check_choice("players", self.rules.table.players, "That many cannot sit down under these rules.")
        self._check_choice("teams", [each.teams for each in self.formats] or [0], "That many cannot be split that way.")
        self._check_choice("dealer", range(1, self.players + 1), "Who deals first? Tap a seat.")
        self._check_choice("season", [offer.value for offer in self.seasons], "That season does not run any more.")
        self._check_target()
        self._check_names()
        return not self.is_refused

    def _check_choice(self, name: str, allowed: Iterable[Any], message: str) -> None:
        given = self.values.get(name)
        if given and given not in [str(value) for value in allowed]:
            self.errors[name] = [message]

    def _check_target(self) -> None:
        if _whole(self.target) not in range(1, MOST_TARGET + 1):
            self.errors["target"] = [f"Play to what? A number from 1 to {MOST_TARGET}."]

    def _check_names(self) -> None:
        names = [name.casefold() for name in self.names]
        for seat, name in enumerate(names, 1):
            if not name:
                self.seat_errors[seat] = [f"Who sits in seat {seat}?"]
            elif len(self.names[seat - 1]) > NAME_LENGTH:
                self.seat_errors[seat] = [f"That is too long: {NAME_LENGTH} letters at most."]
            elif name in names[: seat - 1]:
                self.seat_errors[seat] = [
                    f"Two players are called {self.names[seat - 1].removesuffix('.')}. Give one of them another name."
                ]

    def built_rules(self) -> RuleSet | None:
        """The rules as they will be played, or None when the house rules do not go together."""
        try:
            return self.rules.override(self.options)
        except Refused as refused:
            self.errors["house"] = [f"These do not go together: {listed([p.message for p in refused.problems])}."]
            return None

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show what the ledger would not take."""
        self.errors["house"] = [problem.message[:1].upper() + problem.message[1:] + "." for problem in problems]


def _whole(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def _is_asked_elsewhere(variation: Variation) -> bool:
    return variation.options.keys() <= {"table.players", "table.teams", "win.target"}


def _players(variation: Variation, otherwise: int) -> tuple[int, ...]:
    return tuple(variation.options.get("table.players", (otherwise,)))


def _is_on(variation: Variation, options: Mapping[str, Any]) -> bool:
    return all(options.get(name) == value for name, value in variation.options.items())

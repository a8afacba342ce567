"""The form that starts a game: what was chosen so far, and what there is to choose under those rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.models import NAME_LENGTH, Game
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules, team_formats
from scorekeeper.scoring.table import Table
from scorekeeper.services.custom_rules import OwnRules
from scorekeeper.web.common.fields import number_in, sentence_of
from scorekeeper.web.common.tokens import token_in
from scorekeeper.web.common.words import FORMATS
from scorekeeper.web.seasons.forms import NO_SEASON
from scorekeeper.web.wording.game_sentences import (
    HOW_MANY,
    MOST_TARGET,
    TOO_LONG,
    WHAT_TARGET,
    WHICH_RULES,
    WHICH_SEASON,
    WHICH_TEAMS,
    WHO_DEALS,
    empty_seat,
    first_deal,
    played_by,
    rules_clash,
    same_name,
)

from .choices import Family, Format, Offer, rule_families
from .house_rules import HouseRules
from .roster import KnownPlayer, Roster
from .seating import Chip, SeatField, Seating, place_at_table


@dataclass
class SetupForm:
    """A game about to start: `values` as posted, or as the club's last game had them.

    `known` are the players to choose from, `seasons` those that run, the usual one first; `errors` has the sentences
    beside each field, by its name. It is not made of WTForms fields because which fields there are, and what may be
    in them, depends on what is in others.
    """

    values: MultiDict[str, str]
    known: list[KnownPlayer] = field(default_factory=list)
    seasons: list[Offer] = field(default_factory=list)
    own: list[OwnRules] = field(default_factory=list)
    errors: dict[str, list[str]] = field(default_factory=dict)

    def seat_as_saved(self, seated: Mapping[str, Sequence[str]]) -> None:
        """Have those in their seats who usually sit there under the club's own rules that were just chosen."""
        for seat, name in enumerate(seated.get(self.rules.id, ()), 1):
            self.values[f"name-{seat}"] = name

    @classmethod
    def from_game(
        cls, game: Game, first_dealer: int, known: list[KnownPlayer], seasons: list[Offer], own: list[OwnRules]
    ) -> SetupForm:
        """Everything as in an earlier game, the deal moved on."""
        values = MultiDict({"rules": game.rules["id"], "players": str(game.players), "teams": str(game.teams)})
        values["dealer"] = str(first_dealer)
        values["target"] = str(game.rules["win"]["target"])
        values.update({f"name-{number}": name for number, name in enumerate(game.names_next, 1)})
        values["shown"] = cls(values, own=own).shown
        for name, keys in cls(values, own=own).house.fields_like(game.options).items():
            values.setlist(name, keys)
        values.setlist("also", [str(season.id) for season in game.also])
        return cls(values, known, seasons, own)

    @cached_property
    def token(self) -> str:
        """Names this form, however often its page is drawn: sent twice, it starts one game."""
        return token_in(self.values.get("token", ""))

    # --- what was chosen; a value that does not fit becomes the default ---

    @cached_property
    def rules(self) -> RuleSet:
        chosen = self.values.get("rules")
        own = next((own.rules for own in self.own if own.rules.id == chosen), None)
        return own or find_rules(chosen if chosen in CATALOGUE else CATALOGUE[0])

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
    def has_changed_rules(self) -> bool:
        """Whether other rules were picked than the form showed; the list of games stays open then."""
        return self._shown_then[0] != self.rules.id

    @property
    def same_table_as_shown(self) -> bool:
        return self._shown_then[:2] == self.shown.split("/")[:2]

    @property
    def _shown_then(self) -> list[str]:
        """The form that these choices were made in: its rules, players and teams."""
        return self.values.get("shown", self.shown).split("/")

    @cached_property
    def dealer(self) -> int:
        return self._chosen("dealer", range(1, self.players + 1))

    @property
    def target(self) -> str:
        """The target as typed; other rules have their own."""
        if self.has_changed_rules:
            return str(self.rules.win.target)
        return self.values.get("target", str(self.rules.win.target))

    @property
    def counts_down(self) -> bool:
        """Whether the scores count down from the target, by the rules or by a house rule that is on."""
        return bool(self.house.options.get("win.counted", self.rules.win.counted) == "down")

    @property
    def direction(self) -> str:
        """Which way the game goes round, by the rules or by a house rule that is on."""
        return str(self.house.options.get("table.direction", self.rules.table.direction))

    @property
    def season(self) -> str:
        """The season chosen; empty where none runs."""
        allowed = [offer.value for offer in self.seasons]
        chosen = self.values.get("season", "")
        return chosen if chosen in allowed else "".join(allowed[:1])

    @property
    def others(self) -> list[Offer]:
        """The seasons that the game can count in besides; none where only one runs."""
        running = [offer for offer in self.seasons if offer.value != NO_SEASON]
        return running if len(running) > 1 else []

    @property
    def also(self) -> list[str]:
        """The other seasons chosen."""
        chosen = self.values.getlist("also")
        return [offer.value for offer in self.others if offer.value in chosen]

    # --- house rules ---

    @cached_property
    def house(self) -> HouseRules:
        """The house rules; none is on that was chosen under other rules or at a table of another size."""
        return HouseRules(self.rules, self.players, self.values if self.same_table_as_shown else MultiDict())

    @property
    def options(self) -> dict[str, Any]:
        """The rules that differ from the rule set: the house rules, and the target."""
        target = number_in(self.target.strip())
        own = target in (None, self.rules.win.target)
        return self.house.options if own else {**self.house.options, "win.target": target}

    # --- who sits where ---

    @cached_property
    def seating(self) -> Seating:
        return Seating(self.values, self.players)

    def take_step(self) -> bool:
        """Change the seats by the button that was tapped; False if it was another button."""
        return self.seating.take_step()

    @property
    def names(self) -> list[str]:
        return self.seating.names

    @property
    def seats(self) -> list[SeatField]:
        """The seats as they are drawn: a name that has to be typed again has its field back."""
        units = Table(self.rules, self.players, self.teams).unit_of
        return [self._seat(number, units[number]) for number in range(1, self.players + 1)]

    def _seat(self, number: int, unit: str) -> SeatField:
        name, errors = self.values.get(f"name-{number}", ""), self.errors.get(f"name-{number}", [])
        held = self.seating.held
        is_typed = bool(errors) or not (name.strip() or held)
        place = place_at_table(number, self.players, self.direction)
        return SeatField(number, unit, name, place, number == held, is_typed, errors)

    @cached_property
    def roster(self) -> Roster:
        find, opens = self.values.get("find", "").strip(), self.values.get("do") == "more"
        return Roster(self.known, find, is_open=bool(find or opens or self.values.get("more")))

    @property
    def seat_help(self) -> str:
        return self.seating.help(anybody_known=bool(self.known))

    @property
    def chips(self) -> list[Chip]:
        return self.seating.chips(self.roster.shown)

    @property
    def families(self) -> list[Family]:
        return rule_families(self.rules, tuple(own.rules for own in self.own))

    @property
    def says(self) -> str:
        if self.is_refused:
            return self.errors[self.first_wrong][0]
        return first_deal(self.names[self.dealer - 1])

    @property
    def plays(self) -> str:
        """The rules and the house rules that the game would be played by now."""
        house = [each.label for each in self.house.on]
        return played_by(self.rules.name, self.target, house, counts_down=self.counts_down)

    @property
    def is_refused(self) -> bool:
        return bool(self.errors)

    @property
    def first_wrong(self) -> str:
        """The first field with something wrong, names before the others: the page opens there."""
        return min(self.errors, key=lambda name: not name.startswith("name-"), default="")

    # --- checks ---

    def validate(self) -> bool:
        """Whether the game can start; what is wrong is in `errors`."""
        self._check_choice("rules", (*CATALOGUE, *(own.rules.id for own in self.own)), WHICH_RULES)
        self._check_choice("players", self.rules.table.players, HOW_MANY)
        self._check_choice("teams", [each.teams for each in self.formats] or [0], WHICH_TEAMS)
        self._check_choice("dealer", range(1, self.players + 1), WHO_DEALS)
        self._check_choice("season", [offer.value for offer in self.seasons], WHICH_SEASON)
        self._check_target()
        self._check_names()
        return not self.is_refused

    def _check_choice(self, name: str, allowed: Iterable[Any], message: str) -> None:
        given = self.values.get(name)
        if given and given not in [str(value) for value in allowed]:
            self.errors[name] = [message]

    def _check_target(self) -> None:
        if number_in(self.target.strip()) not in range(1, MOST_TARGET + 1):
            self.errors["target"] = [WHAT_TARGET]

    def _check_names(self) -> None:
        names = [name.casefold() for name in self.names]
        for seat, name in enumerate(names, 1):
            if not name:
                self.errors[f"name-{seat}"] = [empty_seat(seat)]
            elif len(self.names[seat - 1]) > NAME_LENGTH:
                self.errors[f"name-{seat}"] = [TOO_LONG]
            elif name in names[: seat - 1]:
                self.errors[f"name-{seat}"] = [same_name(self.names[seat - 1])]

    def built_rules(self) -> RuleSet | None:
        """The rules as they will be played, or None when the house rules do not go together."""
        try:
            return self.rules.override(self.options)
        except Refused as refused:
            self.errors["house"] = [rules_clash([p.message for p in refused.problems])]
            return None

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show what the ledger would not take."""
        self.errors["house"] = [sentence_of(problem) for problem in problems]

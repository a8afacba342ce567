"""Setting up a game: rules, house rules, players and seats; the choices made and available."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import SystemRandom
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from scorekeeper.models import NAME_LENGTH, Game
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.rules import (
    CATALOGUE,
    RuleSet,
    Variation,
    catalogue,
    families,
    find_rules,
    variations,
)
from scorekeeper.scoring.table import Table
from scorekeeper.services.custom_rules import OwnRules
from scorekeeper.services.players import KnownPlayer
from scorekeeper.web.common.fields import NAME_TOO_LONG, clean_name, parse_number, sentence_of, token_or_new
from scorekeeper.web.common.words import FORMATS, NUMBER_WORDS, all_are, listed
from scorekeeper.web.seasons.forms import NO_SEASON

from .messages import other_names, points_line

HOUSE_TITLES = {
    "table": "Partners",
    "deck": "Cards",
    "trump": "Trump",
    "play": "Play",
    "auction": "Bidding",
    "points": "Points",
    "game": "Card points",
    "settle": "Scoring",
    "win": "Winning",
}
MOST_TARGET = 999
rng = SystemRandom()
NUMBERS = {str(number): word for number, word in enumerate(NUMBER_WORDS, 1) if number > 1}  # in the names of games
PLAYERS_ASKED = re.compile(rf"\b(?:for )?({'|'.join(NUMBERS.values())}) (?:players?|handed|people)\b")
SPELLED_OUT = NUMBERS | {"pt": "point", "pts": "points", "4s": "fours", "individual": "alone", "widow": "kitty"}
STUCK = "The dealer is stuck and must bid: stick the dealer"
MOST_SEARCHED = 80  # letters of a search
LEAST_HEARD = 4  # letters of a search word that may be spelled in another way
DESCRIBED = 3  # see SetupForm._fit
SMALL_WORDS = {"a", "and", "city", "for", "from", "how", "in", "of", "play", "rules", "shooting", "the", "to", "with"}
STEPS = ("pick", "move", "remove", "shuffle")  # methods of SetupForm; each returns the seat to hold then, if any
# Prefixes of fields kept while another rule set is being chosen.
KEPT_FIELDS = ("name-", "dealer", "target", "season", "also", "house", "shown", "teams")


@dataclass
class SetupForm:
    """A game about to start; `values` are as posted, or taken from the club's last game.

    `known` are the players to choose from; `seasons` the running ones by id, default first; `played` the ids of
    recently used rule sets, set only while choosing one; `errors` has sentences by field name. Not a WTForms form,
    because which fields exist, and their valid values, depend on other fields.
    """

    values: MultiDict[str, str]
    known: list[KnownPlayer] = field(default_factory=list)
    seasons: dict[str, str] = field(default_factory=dict)
    own: list[OwnRules] = field(default_factory=list)
    errors: dict[str, list[str]] = field(default_factory=dict)
    notice: str = ""
    played: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """A number of players in the search is chosen as it is typed, or without another choice.

        The number before is kept with it, and chosen again by a search without one unless another was tapped.
        """
        values, is_typed = self.values, self.values.get("do") == "search"
        number = next((number for number, word in NUMBERS.items() if word == self._searched[1]), None)
        before, _, typed = values.get("players-were", "").partition("/")
        if is_typed and typed and typed == values.get("players"):
            values["players"] = before
        if number and (is_typed or not values.get("players")):
            values["players-were"] = f"{values.get('players', '')}/{number}"
            values["players"] = number
        elif values.get("players") != number:
            values.pop("players-were", None)

    def leave_out(self, gone: Sequence[str]) -> None:
        """Empty the seats of the retired players `gone`, with a notice."""
        for seat in self._seats:
            if self.name(seat) in gone:
                self.values[f"name-{seat}"] = ""
        if gone:
            self.notice = f"{all_are(gone, 'retired')} Fill the empty {'seats' if gone[1:] else 'seat'}."

    def seat_as_saved(self, seated: Mapping[str, Sequence[str]]) -> None:
        """Seat the usual players of the club's own rules just chosen; `seated` has names by rules id."""
        for seat, name in enumerate(seated.get(self.rules.id, ()), 1):
            self.values[f"name-{seat}"] = name

    @classmethod
    def from_game(
        cls, game: Game, first_dealer: int, known: list[KnownPlayer], seasons: dict[str, str], own: list[OwnRules]
    ) -> SetupForm:
        """Copy the choices of an earlier game, with the deal moved on."""
        values = MultiDict({"rules": game.rules["id"], "players": str(game.players), "teams": str(game.teams)})
        values["dealer"] = str(first_dealer)
        values["target"] = str(game.rules["win"]["target"])
        values.update({f"name-{number}": name for number, name in enumerate(game.names_next, 1)})
        was = cls(values, own=own)
        values["shown"] = was.shown
        for name, key in HouseRules(was.rules, was.players, values).fields_like(game.options):
            values.add(name, key)
        values.setlist("also", [str(season.id) for season in game.also])
        return cls(values, known, seasons, own)

    @cached_property
    def token(self) -> str:
        """The form's token, kept across redraws: submitting twice starts one game."""
        return token_or_new(self.values.get("token", ""))

    # --- choices; an invalid value falls back to the default --------------

    @cached_property
    def rules(self) -> RuleSet:
        return self.choices.get(self.values.get("rules", "")) or find_rules(CATALOGUE[0])

    @cached_property
    def choices(self) -> dict[str, RuleSet]:
        """The club's own rules and the catalogue, by id."""
        return {rules.id: rules for rules in (*(own.rules for own in self.own), *catalogue())}

    @cached_property
    def players(self) -> int:
        return self._chosen("players", self.rules.table.players)

    @cached_property
    def teams(self) -> int:
        return self._chosen("teams", list(self.formats)) if self.formats else 0

    def _chosen(self, name: str, allowed: Sequence[int]) -> int:
        text = self.values.get(name, "")
        return next((number for number in allowed if str(number) == text), allowed[0])

    @property
    def player_counts(self) -> list[int]:
        return sorted({players for rules in self.choices.values() for players in rules.table.players})

    @cached_property
    def formats(self) -> dict[int, str]:
        """Possible team formats for these players, by number of teams."""
        if self.rules.table.sides != "teams":
            return {}
        return {n: FORMATS.get(n, f"{n} teams") for n in self.rules.table.formats(self.players)}

    @property
    def shown(self) -> str:
        """The form variant on the page; choices posted from another variant have not been seen by the user."""
        return f"{self.rules.id}/{self.players}/{self.teams}"

    @property
    def shown_before(self) -> str:
        """The form variant these choices were made in."""
        return self.values.get("shown", self.shown)

    @property
    def has_changed_rules(self) -> bool:
        """True if the posted form showed other rules than those chosen."""
        return self.shown_before.split("/")[0] != self.rules.id

    @cached_property
    def dealer(self) -> int:
        return self._chosen("dealer", self._seats)

    @property
    def target(self) -> str:
        """The target as typed; that of the rules in force if none was, or after a change of rules."""
        was = self.values.get("target-was", "")
        typed = self.values.get("target", was)
        return str(self.in_force.win.target) if typed == was or self.has_changed_rules else typed

    @cached_property
    def in_force(self) -> RuleSet:
        """The rules with the chosen house rules, unless these contradict each other."""
        try:
            return self.rules.override(self.house.options)
        except Refused:
            return self.rules

    @property
    def season(self) -> str:
        """Id of the chosen season; empty if none runs."""
        chosen = self.values.get("season", "")
        return chosen if chosen in self.seasons else next(iter(self.seasons), "")

    @property
    def other_seasons(self) -> dict[str, str]:
        """Running seasons in which the game can also count; empty unless several run."""
        running = {number: name for number, name in self.seasons.items() if number != NO_SEASON}
        return running if len(running) > 1 else {}

    @property
    def also(self) -> list[str]:
        """Ids of the other seasons chosen."""
        chosen = self.values.getlist("also")
        return [number for number in self.other_seasons if number in chosen]

    # --- choosing a rule set: the form shows player counts and rule sets, and keeps all else in hidden fields -----

    @cached_property
    def is_choosing(self) -> bool:
        """True while no rule set is chosen, or none that fits the number of players."""
        doing = self.values.get("do")
        if doing == "choose" or self.values.get("rules") not in self.choices:
            return True
        fits = self.has_changed_rules or self.asked_players in (None, *self.rules.table.players)
        return doing == "show" and not fits

    @property
    def asked_players(self) -> int | None:
        """Number of players as requested, regardless of the rules."""
        return parse_number(self.values.get("players", ""))

    @property
    def search(self) -> str:
        return self.values.get("search", "").strip()[:MOST_SEARCHED]

    @cached_property
    def _searched(self) -> tuple[list[str], str]:
        """The words of the search without the number of players, small words and a plural s; and that number, or "".

        A number at the end is one of players if no game has it: "kansas 4", unlike "catch 5".
        """
        asked = PLAYERS_ASKED.search(" ".join(words_in(self.search)))
        words = [word for word in words_in(without_players(self.search)) if word not in SMALL_WORDS]
        words = [word.removesuffix("s") or word for word in words]
        if asked or not words[1:] or words[-1] not in NUMBERS.values():
            return words, asked[1] if asked else ""
        is_of_a_game = any(self._fit(rules, words) is not None for rules in self.choices.values())
        return (words, "") if is_of_a_game else (words[:-1], words[-1])

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Choices other than the rule set, for hidden fields."""
        return [(name, text) for name, text in self.values.items(multi=True) if name.startswith(KEPT_FIELDS)]

    @cached_property
    def offered_rules(self) -> dict[str, list[RuleSet]]:
        """Rule sets to choose from, each under one title, recently played first.

        If no search result fits the number of players, all results are offered. If several words are the name of a
        game, games that only have them in their description are not.
        """
        words, _ = self._searched
        fits = {id: fit for id, rules in self.choices.items() if (fit := self._fit(rules, words)) is not None}
        if len(words) > 1 and min(fits.values(), default=DESCRIBED) < DESCRIBED:
            fits = {id: fit for id, fit in fits.items() if fit < DESCRIBED}
        found = [rules for id, rules in self.choices.items() if id in fits]
        fitting = [rules for rules in found if self.asked_players in (None, *rules.table.players)]
        if self.search:
            fitting = fitting or found
        last, own = [self.choices[id] for id in self.played if id in self.choices], [own.rules for own in self.own]
        titled: Mapping[str, Sequence[RuleSet]] = {"Played last": last, "Our rules": own, **families()}
        offered: dict[str, list[RuleSet]] = {}
        for title, members in titled.items():
            offered[title] = sorted((rules for rules in members if rules in fitting), key=lambda rules: fits[rules.id])
            fitting = [rules for rules in fitting if rules not in members]
        best_first = sorted(offered.items(), key=lambda item: min((fits[rules.id] for rules in item[1]), default=0))
        return {title: members for title, members in best_first if members}

    @cached_property
    def fits_other_numbers(self) -> bool:
        """True if no rule set found is for the requested number of players."""
        found = [rules for members in self.offered_rules.values() for rules in members]
        return bool(self.asked_players and found) and not any(
            self.asked_players in rules.table.players for rules in found
        )

    @staticmethod
    def _fit(rules: RuleSet, words: Sequence[str]) -> int | None:
        """0 if the words are in the name of the rules, 1 with another of their names, 2 with their number of points,
        DESCRIBED with all their names and their description, or None.

        Each word begins a word of these, or sounds like the beginning of one; several may be one word of a name.
        """
        if not words:
            return 0
        worth = f"{sum(point.worth for point in rules.points)} point"
        names = [spelled([name]) for name in (rules.name, *other_names(rules))]
        stuck = STUCK if rules.auction.all_pass == "dealer-forced" else ""  # noqa: S105  (not a password)
        named = set[str]().union(*names)
        house = [one.label for one in variations(rules.id)] if rules.id in CATALOGUE else []
        told = named | spelled([rules.summary, points_line(rules), stuck, *house])
        by_fit = [(0, names[0], False), *((1, name, True) for name in names)]
        by_fit += [(2, spelled([without_players(rules.name), worth]), False), (DESCRIBED, told, True)]
        for fit, known, is_heard in by_fit:
            sounds = set(map(sound, known & named)) if is_heard else ()
            if all(begins(one, known, sounds) for one in words) or begins("".join(words), known, sounds):
                return fit
        return None

    # --- house rules ---

    @cached_property
    def house(self) -> HouseRules:
        """The house rules; choices made for other rules or another number of players are dropped."""
        is_same_table = self.shown_before.split("/")[:2] == [self.rules.id, str(self.players)]
        return HouseRules(self.rules, self.players, self.values if is_same_table else MultiDict())

    @property
    def options(self) -> dict[str, object]:
        """Overrides of the rule set: house rules and target."""
        target = parse_number(self.target.strip())
        own = target in (None, self.in_force.win.target)
        return self.house.options if own else {**self.house.options, "win.target": target}

    # --- seating ---

    @property
    def names(self) -> list[str]:
        return [self.name(seat) for seat in self._seats]

    @property
    def units(self) -> Sequence[str]:
        """Units by seat number."""
        return Table(self.rules, self.players, self.teams).unit_of

    # Seat fields: `name-1` etc., `dealer`, and `held`, the seat tapped first. Names of seats beyond this table's size
    # are kept for a larger one. Steps change these fields.

    def name(self, seat: int) -> str:
        return clean_name(self.values.get(f"name-{seat}"))

    @property
    def waiting(self) -> list[tuple[int, str]]:
        """(seat, name) pairs that have no seat at this table."""
        beyond = range(self.players + 1, max(self.player_counts) + 1)
        return [(seat, self.name(seat)) for seat in beyond if self.name(seat)]

    @property
    def held(self) -> int:
        """The seat tapped first, or 0."""
        seat = self._seat_in(self.values.get("held", ""))
        return seat if seat and self.name(seat) else 0

    @property
    def find(self) -> str:
        return self.values.get("find", "").strip()

    @property
    def shows_all_names(self) -> bool:
        return bool(self.find or self.values.get("do") == "more" or self.values.get("more"))

    @property
    def names_shown(self) -> list[KnownPlayer]:
        """Known players shown: a few, all, or those matching the search."""
        wanted = self.find.casefold()
        found = [player for player in self.known if wanted in player.name.casefold()]
        return found[: MOST_SHOWN if self.shows_all_names else NAMES_SHOWN]

    @property
    def sitting(self) -> list[str]:
        """Case-folded names in the seats."""
        return [name.casefold() for name in self.names if name]

    @property
    def first_wrong(self) -> str:
        """The first field with an error, names before others: the page scrolls there."""
        return min(self.errors, key=lambda name: not name.startswith("name-"), default="")

    # --- steps ---

    def take_step(self) -> bool:
        """Apply the tapped button; False if it was not a step.

        The script (static/seats.js) sends all taps since the page was drawn, ending with that button, so that taps
        faster than the responses are not lost.
        """
        tapped = next((f"{name}:{self.values[name]}" for name in STEPS if self.values.get(name)), None)
        for tap in self.values.getlist("tapped") or ([tapped] if tapped else []):
            name, _, value = tap.partition(":")
            if name in STEPS:
                self.values["held"] = str(getattr(self, name)(value) or "")
        return tapped is not None

    def pick(self, name: str) -> None:
        """Seat a player in the held seat, otherwise in the first empty one; unseat a seated player."""
        name, held = clean_name(name), self.held
        seat = next((seat for seat in self._seats if self.name(seat).casefold() == name.casefold()), 0)
        free = held or next((seat for seat in self._seats if not self.name(seat)), 0)
        if seat:
            self._swap(held, seat) if held and held != seat else self._seat_player(seat, "")
        elif free:
            self._seat_player(free, name)
        else:
            self.notice = "All seats are taken. Tap a seat first, then the name that takes it."

    def move(self, text: str) -> int:
        """Hold a seat on the first tap, swap on the second."""
        seat, held = self._seat_in(text), self.held
        if held and seat and held != seat:
            self._swap(held, seat)
        return 0 if held else seat

    def remove(self, text: str) -> None:
        """Empty a seat."""
        seat = self._seat_in(text)
        if seat:
            self._seat_player(seat, "")

    def shuffle(self, _text: str) -> None:
        """Shuffle the players among the occupied seats; the dealer stays the same player."""
        seats = [seat for seat in self._seats if self.name(seat)]
        came_from = rng.sample(seats, len(seats))
        names = [self.values[f"name-{seat}"] for seat in came_from]
        dealer = self._seat_in(self.values.get("dealer", ""))
        for seat, name in zip(seats, names, strict=True):
            self.values[f"name-{seat}"] = name
        if dealer in came_from:
            self.values["dealer"] = str(seats[came_from.index(dealer)])

    @property
    def _seats(self) -> range:
        return range(1, self.players + 1)

    def _seat_in(self, text: str) -> int:
        number = parse_number(text)
        return number if number is not None and number in self._seats else 0

    def _seat_player(self, seat: int, name: str) -> None:
        """Put a name into a seat, removing it from those kept for a larger table."""
        for waits, other in self.waiting:
            if other.casefold() == name.casefold():
                self.values[f"name-{waits}"] = ""
        self.values[f"name-{seat}"] = name

    def _swap(self, one: int, other: int) -> None:
        """Swap two seats; the dealer stays the same player."""
        here, there = f"name-{one}", f"name-{other}"
        self.values[here], self.values[there] = self.values.get(there, ""), self.values.get(here, "")
        moved = {str(one): str(other), str(other): str(one)}
        dealer = self.values.get("dealer", "")
        self.values["dealer"] = moved.get(dealer, dealer)

    # --- validation ---

    def validate(self) -> bool:
        """True if the game can start; otherwise `errors` is filled."""
        choices: dict[str, tuple[Iterable[object], str]] = {
            "rules": (self.choices, "Choose one of these games."),
            "players": (self.rules.table.players, "This game is not for that many players. Choose another number."),
            "teams": (self.formats or [0], "That many players cannot make those teams. Choose other teams."),
            "dealer": (self._seats, "Choose who deals first."),
            "season": (self.seasons, "That season has ended. Choose another season."),
        }
        for name, (allowed, message) in choices.items():
            if self.values.get(name) not in (None, "", *map(str, allowed)):
                self.errors[name] = [message]
        if parse_number(self.target.strip()) not in range(1, MOST_TARGET + 1):
            self.errors["target"] = [f"Enter a target from 1 to {MOST_TARGET}."]
        self._check_names()
        return not self.errors

    def _check_names(self) -> None:
        before: list[str] = []
        for seat, name in enumerate(self.names, 1):
            if not name:
                self.errors[f"name-{seat}"] = [f"Seat {seat} needs a name."]
            elif len(name) > NAME_LENGTH:
                self.errors[f"name-{seat}"] = [NAME_TOO_LONG]
            elif name.casefold() in before:
                called = name.removesuffix(".")
                self.errors[f"name-{seat}"] = [f"Two players are called {called}. Change one of the names."]
            before.append(name.casefold())

    def built_rules(self) -> RuleSet | None:
        """The rules with overrides; None, with an error added, if they contradict each other."""
        try:
            return self.rules.override(self.options)
        except Refused as refused:
            reasons = [problem.message for problem in refused.problems]
            self.errors["house"] = [f"These house rules do not go together: {listed(reasons)}. Turn one off."]
            return None

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show a service's problems."""
        self.errors["house"] = [sentence_of(problem) for problem in problems]


def words_in(text: str) -> list[str]:
    return [SPELLED_OUT.get(word, word) for word in re.findall(r"\w+", text.casefold())]


def without_players(text: str) -> str:
    return PLAYERS_ASKED.sub("", " ".join(words_in(text)))


def sound(word: str) -> str:
    """The word without what is often spelled in another way: "smer" for schmear, shmeer, schmere and smear."""
    return re.sub("[ei][aei]", "e", re.sub("sc?h", "s", word)).replace("ere", "er")


def spelled(texts: Iterable[str]) -> set[str]:
    """The words of the texts, and each text as one word."""
    return {word for words in map(words_in, texts) for word in (*words, "".join(words))}


def begins(start: str, words: Iterable[str], sounds: Iterable[str]) -> bool:
    """True if one of the words begins with `start`, or one of the sounds with its sound, if it has some letters."""
    heard = sound(start) if len(start) >= LEAST_HEARD else None
    return any(word.startswith(start) for word in words) or (
        heard is not None and any(one.startswith(heard) for one in sounds)
    )


OTHER_INPUTS = {"table.players", "table.teams", "win.target"}  # these have fields of their own


class Switch(NamedTuple):
    """One house rule, or several that exclude each other because they change the same rule.

    `name` is the field's name; `chosen` the key of the active one, or "".
    """

    name: str
    choices: list[Variation]
    chosen: str

    @property
    def reshapes(self) -> bool:
        """True if it changes the seating or the target, which are redrawn then."""
        return any(name.startswith(("table.", "win.target")) for each in self.choices for name in each.options)


class HouseRules:
    """House rules of a rule set for a number of players, switched on by `values` (a posted form)."""

    def __init__(self, rules: RuleSet, players: int, values: MultiDict[str, str]) -> None:
        known = variations(rules.id) if rules.id in CATALOGUE else ()  # those in the documents
        self.all = [
            each
            for each in known
            if not each.options.keys() <= OTHER_INPUTS and players in each.options.get("table.players", (players,))
        ]
        rivals: list[list[Variation]] = []
        for variation in self.all:
            same = next((group for group in rivals if group[0].options.keys() & variation.options.keys()), None)
            rivals.append([variation]) if same is None else same.append(variation)
        self.switches = []
        for choices in rivals:
            name = f"house-{choices[0].key}" if len(choices) > 1 else "house"
            on = values.getlist(name)
            self.switches.append(Switch(name, choices, next((each.key for each in choices if each.key in on), "")))

    @property
    def groups(self) -> dict[str, list[Switch]]:
        """Switches by title of the section of the rules they change, in the rule set's order."""
        titles: dict[str, list[Switch]] = {}
        for switch in self.switches:
            section = next(iter(switch.choices[0].options)).partition(".")[0]
            titles.setdefault(HOUSE_TITLES[section], []).append(switch)
        return titles

    @property
    def on(self) -> list[Variation]:
        """The active house rules, in the rule set's order."""
        chosen = {switch.chosen for switch in self.switches}
        return [each for each in self.all if each.key in chosen]

    @property
    def options(self) -> dict[str, object]:
        """Overrides by dotted rule name."""
        return {name: value for each in self.on for name, value in each.options.items()}

    def fields_like(self, options: Mapping[str, object]) -> list[tuple[str, str]]:
        """Form fields and values that switch on the house rules contained in `options`, to whatever target."""
        choices = [(switch.name, each) for switch in self.switches for each in switch.choices]
        like = {**options, "win.target": 0}
        return [(name, each.key) for name, each in choices if {**each.options, "win.target": 0}.items() <= like.items()]


NAMES_SHOWN = 12  # names shown at first: six friends and guests
MOST_SHOWN = 120

"""Who sits where in a game about to start: names tapped, typed, moved by two taps, and shuffled into teams."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import SystemRandom

from werkzeug.datastructures import MultiDict

from scorekeeper.scoring.rules import catalogue
from scorekeeper.web.common.fields import clean_name, number_in
from scorekeeper.web.wording.game_sentences import ALL_SEATS_TAKEN, seat_help

from .roster import KnownPlayer

chance = SystemRandom()


@dataclass(frozen=True, slots=True)
class SeatField:
    """A seat as the page draws it: a name that can be moved, or a field to type one."""

    number: int
    unit: str
    name: str
    place: str  # where around the table
    is_held: bool
    is_typed: bool
    errors: list[str]


@dataclass(frozen=True, slots=True)
class Chip:
    """A known name to tap; `seat` is where the player sits, or 0."""

    player: KnownPlayer
    seat: int


@cache
def most_seats() -> int:
    """The seats of the largest table that any rule set has."""
    return max(max(rules.table.players) for rules in catalogue())


class Seating:
    """The seats of a table of `players`, as the fields of a form have them; a step changes those fields.

    The fields: `name-1` and so on, `dealer`, and `held`, the seat that was tapped first. Names of seats beyond this
    table wait for a larger one.
    """

    def __init__(self, values: MultiDict[str, str], players: int) -> None:
        self.values = values
        self.players = players
        self.notice = ""

    def name(self, seat: int) -> str:
        return clean_name(self.values.get(f"name-{seat}"))

    @property
    def names(self) -> list[str]:
        return [self.name(seat) for seat in self._seats]

    @property
    def waiting(self) -> list[tuple[int, str]]:
        """The names that there is no seat for at this table, each with the seat it had."""
        beyond = range(self.players + 1, most_seats() + 1)
        return [(seat, self.name(seat)) for seat in beyond if self.name(seat)]

    @property
    def held(self) -> int:
        """The seat that was tapped first, or 0."""
        seat = self._seat_in(self.values.get("held", ""))
        return seat if seat and self.name(seat) else 0

    def help(self, *, anybody_known: bool) -> str:
        """What can be tapped next."""
        held = self.name(self.held) if self.held else ""
        return self.notice or seat_help(held, full=all(self.names), anybody_known=anybody_known)

    def chips(self, players: list[KnownPlayer]) -> list[Chip]:
        seats = {name.casefold(): seat for seat, name in enumerate(self.names, 1) if name}
        return [Chip(player, seats.get(player.name.casefold(), 0)) for player in players]

    # --- what a tap does ---

    def take_step(self) -> bool:
        """Do what the tapped button says; False if it was none of these.

        A script sends every tap since the page was drawn, that button's as the last (static/seats.js): whoever taps
        quicker than the answers come loses none.
        """
        steps = {"pick": self.pick, "move": self.move, "remove": self.remove, "shuffle": self.shuffle}
        tapped = next(((name, self.values[name]) for name in steps if self.values.get(name)), None)
        taps = [tap.partition(":")[::2] for tap in self.values.getlist("tapped")] or ([tapped] if tapped else [])
        for name, value in taps:
            if name in steps:
                steps[name](value)
        return tapped is not None

    def pick(self, name: str) -> None:
        """Seat somebody: in the seat that was tapped first, else in the next empty one. A seated player gets up."""
        name, held = clean_name(name), self.held
        seat = next((seat for seat in self._seats if self.name(seat).casefold() == name.casefold()), 0)
        free = held or next((seat for seat in self._seats if not self.name(seat)), 0)
        if seat:
            self._swap(held, seat) if held and held != seat else self._put(seat, "")
        elif free:
            self._put(free, name)
        else:
            self.notice = ALL_SEATS_TAKEN
        self._hold(0)

    def move(self, text: str) -> None:
        """The first tap on a seat holds it, the second one swaps the two."""
        seat, held = self._seat_in(text), self.held
        if held and seat and held != seat:
            self._swap(held, seat)
        self._hold(0 if held else seat)

    def remove(self, text: str) -> None:
        """Empty a seat."""
        seat = self._seat_in(text)
        if seat:
            self._put(seat, "")
        self._hold(0)

    def shuffle(self, _text: str = "") -> None:
        """Seat the players at random in the seats they have now; the dealer stays the dealer."""
        seats = [seat for seat in self._seats if self.name(seat)]
        came_from = chance.sample(seats, len(seats))
        names = [self.values[f"name-{seat}"] for seat in came_from]
        dealer = self._seat_in(self.values.get("dealer", ""))
        for seat, name in zip(seats, names, strict=True):
            self.values[f"name-{seat}"] = name
        if dealer in came_from:
            self.values["dealer"] = str(seats[came_from.index(dealer)])
        self._hold(0)

    @property
    def _seats(self) -> range:
        return range(1, self.players + 1)

    def _seat_in(self, text: str) -> int:
        number = number_in(text)
        return number if number is not None and number in self._seats else 0

    def _put(self, seat: int, name: str) -> None:
        """Put a name into a seat, and take it off the names that wait for a larger table."""
        for waits, other in self.waiting:
            if other.casefold() == name.casefold():
                self.values[f"name-{waits}"] = ""
        self.values[f"name-{seat}"] = name

    def _swap(self, one: int, other: int) -> None:
        """Swap two seats; the dealer stays the dealer."""
        here, there = f"name-{one}", f"name-{other}"
        self.values[here], self.values[there] = self.values.get(there, ""), self.values.get(here, "")
        moved = {str(one): str(other), str(other): str(one)}
        dealer = self.values.get("dealer", "")
        self.values["dealer"] = moved.get(dealer, dealer)

    def _hold(self, seat: int) -> None:
        self.values["held"] = str(seat or "")


def place_at_table(seat: int, players: int, direction: str = "left") -> str:
    """Where a seat is drawn, as classes: clockwise around the table, from the top left, or from the top's middle.

    Where the game goes to the right, counterclockwise from the top right.
    """
    column, row = _place_clockwise(seat, players)
    mirrored = {"left": "right", "right": "left"} if direction == "right" else {}
    return f"{mirrored.get(column, column)}{row}"


def _place_clockwise(seat: int, players: int) -> tuple[str, str]:
    odd = players % 2
    if seat == 1:
        return ("top", "") if odd else ("left", " row-1")
    right = (players + 1) // 2 if odd else players // 2 + 1  # the last seat on the right
    if seat <= right:
        return "right", f" row-{seat if odd else seat - 1}"
    return "left", f" row-{players - seat + 2}"

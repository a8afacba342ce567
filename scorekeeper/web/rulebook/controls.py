"""How the fields of a club's own rules are drawn: what there is to tap for each, and what is on."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property, partial
from typing import Any, NamedTuple

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT, RANKS, SUITS
from scorekeeper.scoring.rules import team_formats
from scorekeeper.scoring.rules.fields import FIELDS, KINDS, MOST_CALLED, PLAIN_CARDS, SUIT_ENDS
from scorekeeper.scoring.rules.kinds import LEAST_PLAYERS, MOST_PLAYERS
from scorekeeper.scoring.rules.words import WORDS
from scorekeeper.web.rulebook.messages import choice_name, point_card, trump_name

from .forms import KEYS_OF_POINTS, RuleForm, known_points, known_specials

TEAMS = "table.teams"
FACES = {"highest": "▲H", "lowest": "▼H", "lowest-natural": "▼H", "game": "game"}
FACES |= {name: f"{rank}D" for name, rank in OFF_SUIT.items()}
FACES |= {end: f"{FACES[end[:-2]][0]}{end[-1]}" for end in SUIT_ENDS}  # ▲S


class Choice(NamedTuple):
    """Something to tap: what is sent, what it says, and whether it is on."""

    value: str
    label: str
    on: bool


class NumberFor(NamedTuple):
    """A number of its own for so many players, or for a card: the input's name and what is typed there."""

    what: str
    name: str
    text: str


class EntryRow(NamedTuple):
    """An entry of a list: its inputs' name, what it is called, in a line, its card, and whether it is unfolded."""

    name: str
    title: str
    line: str
    face: str
    is_open: bool


class RuleField(NamedTuple):
    """A field of the form, known by what is typed there, what is wrong with it, and what of others it depends on."""

    name: str
    controls: Controls

    @property
    def cache_key(self) -> Hashable:
        form = self.controls.form
        inputs, errors = form.inputs.get(self.name, ()), form.errors.get(self.name, ())
        return self.name, tuple(inputs), tuple(errors), self.controls.shared


class Controls:
    """What the page draws of each field; names are the dotted names of fields, or of parts of an entry."""

    about, most_called = WORDS, MOST_CALLED

    def __init__(self, form: RuleForm) -> None:
        self.form, self.values = form, form.values

    def field(self, name: str) -> RuleField:
        return RuleField(name, self)

    @cached_property
    def shared(self) -> Hashable:
        """What is typed elsewhere and that more than one field is drawn by."""
        names = ("table.players", "deck.ranks", "deck.jokers", "held", "open")
        return tuple([tuple(self.values.getlist(name)) for name in names]), tuple(self.form.point_names.items())

    def of(self, name: str) -> str:
        """How a field is drawn."""
        return FIELDS[name].control

    def text(self, name: str) -> str:
        return self.values.get(name, "")

    def words(self, field: str, name: str) -> list[Choice]:
        """The words of a field, or of a part of an entry: `name` is the input's."""
        chosen = self.values.getlist(name)
        return [Choice(value, choice_name(field, value), value in chosen) for value in KINDS[field].choices]

    def numbers(self, name: str) -> list[Choice]:
        """The numbers that a list can have."""
        kind: Any = FIELDS[name].kind
        chosen = self.values.getlist(name)
        numbers = [str(number) for number in range(kind.item.low, kind.item.high + 1)]
        odd = [text for text in chosen if text and text not in numbers]
        shown = [one for one in (*numbers, *odd) if one in chosen or name != TEAMS or self._divides(int(one))]
        return [Choice(value, choice_name(name, value), value in chosen) for value in shown]

    def _divides(self, teams: int) -> bool:
        """Whether any number of players that is chosen can form so many teams."""
        players = [int(text) for text in self.chosen("table.players") if text.isdecimal() and len(text) < 3]
        return any(team_formats(number, (teams,)) for number in players)

    def chosen(self, name: str) -> list[str]:
        return [text for text in self.values.getlist(name) if text]

    def in_order(self, name: str) -> tuple[list[list[Choice]], list[Choice]]:
        """A list in its order: the choices at each of its places, and those at the place behind."""
        chosen, of_points = self.chosen(name), name in KEYS_OF_POINTS
        options = list(dict.fromkeys([*(self.form.point_names if of_points else KINDS[name].choices), *chosen]))
        names = self.form.point_names
        label = (lambda key: names.get(key, key)) if of_points else partial(choice_name, name)
        places = [[Choice(one, label(one), one == at) for one in options] for at in chosen]
        return places, [Choice(one, label(one), on=False) for one in options if one not in chosen]

    # --- numbers that depend on something ---

    def by_players(self, name: str) -> list[NumberFor]:
        """A number for each number of players that is chosen; none where there is one for all."""
        own = [str(n) for n in range(LEAST_PLAYERS, MOST_PLAYERS + 1) if self.values.get(f"{name}-{n}")]
        players = self.chosen("table.players")
        if not own and len(players) < 2:
            return []
        numbers = sorted({*own, *players}, key=lambda text: (len(text), text))
        return [NumberFor(n, f"{name}-{n}", self.text(f"{name}-{n}")) for n in numbers]

    def card_values(self, name: str) -> list[NumberFor]:
        """What each card of the deck is worth, and each other that has a worth."""
        deck = {*self.values.getlist("deck.ranks"), *JOKERS[: _count(self.text("deck.jokers"))]}
        typed = [key.removeprefix(f"{name}-") for key in self.values if key.startswith(f"{name}-")]
        cards = [*typed, *(card for card in (*RANKS, *JOKERS) if card in deck and card not in typed)]
        return [NumberFor(card, f"{name}-{card}", self.text(f"{name}-{card}")) for card in cards]

    # --- cards ---

    def ranks(self, name: str) -> list[Choice]:
        chosen = self.values.getlist(name)
        return [Choice(rank, trump_name(rank), rank in chosen) for rank in RANKS]

    @property
    def trumps(self) -> list[Choice]:
        """Trump from high to low; on is the card that is held."""
        held = self.text("held")
        return [Choice(name, trump_name(name), name == held) for name in self.form.trumps]

    @property
    def not_trumps(self) -> list[Choice]:
        """What could be trump as well: cards of trump's color off trump, and jokers."""
        held = self.text("held")
        return [
            Choice(name, trump_name(name), name == held) for name in self._could_be() if name not in self.form.trumps
        ]

    def _could_be(self) -> Iterable[str]:
        ranks, jokers = self.values.getlist("deck.ranks"), JOKERS[: _count(self.text("deck.jokers"))]
        return [*ranks, *(name for name, rank in OFF_SUIT.items() if rank in ranks), *jokers]

    def point_cards(self, entry: str) -> list[Choice]:
        """What a point can be."""
        now = self.text(f"{entry}.card")
        # The cards of trump and what is no card, then the cards of a suit.
        cards = sorted(KINDS["points.card"].choices, key=lambda name: len(name) == 2 and name[1] in SUITS)
        return [Choice(card, point_card(card), card == now) for card in cards]

    # --- entries of lists ---

    def points(self) -> list[EntryRow]:
        return [self._point(entry) for entry in self.form.entries("points")]

    def _point(self, entry: str) -> EntryRow:
        card, owner, worth = (self.text(f"{entry}.{part}") for part in ("card", "owner", "worth"))
        title = self.form.name_of(entry) or "New point"
        who = "" if card == "game" else choice_name("points.owner", owner).lower()
        line = ", ".join(filter(None, [point_card(card), who, "" if worth == "1" else f"worth {worth}"]))
        return EntryRow(entry, title, line, _face(card), self._is_open(entry))

    def specials(self) -> list[EntryRow]:
        return [
            EntryRow(entry, self.text(f"{entry}.name") or "New bid", f"worth {self.text(f'{entry}.bid')}", "",
                     self._is_open(entry))
            for entry in self.form.entries("auction.specials")
        ]  # fmt: skip

    def is_set_to(self, entry: str, part: str) -> bool:
        """Whether a special bid's outcome needs the number, made_to or failed_to, or has it anyway."""
        return self.text(f"{entry}.{part.removesuffix('_to')}") == "set-to" or bool(self.text(f"{entry}.{part}"))

    def _is_open(self, entry: str) -> bool:
        return entry in self.values.getlist("open")

    def known(self, name: str) -> list[Choice]:
        """What can be added with one tap: the points or special bids of other games that these rules do not have."""
        if name == "points":
            have = {*self.form.point_names, *(self.text(f"{entry}.card") for entry in self.form.entries(name))}
            new = [one for one in known_points() if not have & {one.key, one.card} and self._is_dealt(one.card)]
            one_a_card = {one.card: one for one in reversed(new)}.values()
            return [Choice(one.key, one.name, on=False) for one in new if one in one_a_card]
        have = {self.text(f"{entry}.name") for entry in self.form.entries(name)}
        return [Choice(one.name, one.name.capitalize(), on=False) for one in known_specials() if one.name not in have]

    def _is_dealt(self, card: str) -> bool:
        """Whether a card that a point names can be in the deck: jokers can be put in."""
        return card not in (*RANKS, *OFF_SUIT) or OFF_SUIT.get(card, card) in self.values.getlist("deck.ranks")


def _face(card: str) -> str:
    """A card that stands for a point, as the macro for cards has it; "" for a trick, and for what is no card."""
    if card in FACES or card in JOKERS:
        return FACES.get(card, card)
    if card in PLAIN_CARDS:
        return card
    return f"{card}H" if card in tuple(RANKS) else ""


def _count(text: str) -> int:
    return int(text) if text in ("1", "2", "3", "4") else 0

"""Rule sets as data: the vocabulary of rules, its checks, overrides of single fields, and the catalogue.

Each field's meaning stands in `FIELDS`; the data files in `rulesets/` hold the seven sets of the source documents and,
as variations, every "Variation" and "House Rule Option" sentence in them.
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .cards import RANKS, build_deck
from .problems import Problems, Refused

RULESETS = Path(__file__).parent / "rulesets"

# In catalogue order; a data file that is not named here is not part of the catalogue.
CATALOGUE = (
    "west-michigan-6",
    "west-michigan-4",
    "west-michigan-5",
    "shankar",
    "partnership",
    "double-jack",
    "classic",
)


@dataclass(frozen=True, slots=True)
class TableRules:
    """Who sits down, and who plays together."""

    players: tuple[int, ...]
    sides: str
    teams: tuple[int, ...]
    partner_right: int


@dataclass(frozen=True, slots=True)
class DeckRules:
    """Which cards there are, and what becomes of those that are not dealt."""

    ranks: str
    jokers: int
    hand: int
    undealt: str
    draw: str


@dataclass(frozen=True, slots=True)
class TrumpRules:
    """How trump is chosen, and its order from high to low."""

    by: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Special:
    """A bid above the numbers, such as the smudge: its worth, and what it needs to be made."""

    name: str
    bid: int
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuctionRules:
    """Who may bid what, and what happens when nobody does."""

    rounds: str
    min: int
    max: int
    specials: tuple[Special, ...]
    dealer: str
    all_pass: str
    forced_bid: int | None

    @property
    def least_forced(self) -> int:
        """The least that a forced dealer bids."""
        return max(self.min, 2) if self.forced_bid is None else self.forced_bid

    def levels(self) -> tuple[int, ...]:
        """Every bid there is, from the lowest up, specials as their numbers."""
        return (*range(self.min, self.max + 1), *sorted(special.bid for special in self.specials))

    def special(self, bid: int) -> Special | None:
        """The special of that number, if it is one."""
        return next((special for special in self.specials if special.bid == bid), None)


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that scores: which card it is (or the Game count), and whose it is."""

    key: str
    card: str
    owner: str
    worth: int


@dataclass(frozen=True, slots=True)
class GameRules:
    """What cards count towards Game, and what it takes to win it."""

    values: dict[str, int]
    award: str
    at_least: int

    def __hash__(self) -> int:
        return hash((tuple(self.values.items()), self.award, self.at_least))


@dataclass(frozen=True, slots=True)
class SettleRules:
    """How the points taken change the score."""

    made: str
    set: str


@dataclass(frozen=True, slots=True)
class EarlyWin:
    """A win below the target: a score of `at` while all others stand at `others_at_most` or below."""

    at: int
    others_at_most: int
    when: str
    eligible: str


@dataclass(frozen=True, slots=True)
class WinRules:
    """When the game is won, and by whom if several are there at once."""

    target: int
    eligible: str
    both: tuple[str, ...]
    early: EarlyWin | None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One complete set of rules; immutable, comparable and hashable."""

    id: str
    name: str
    summary: str
    source: str
    table: TableRules
    deck: DeckRules
    trump: TrumpRules
    auction: AuctionRules
    points: tuple[Point, ...]
    game: GameRules
    settle: SettleRules
    win: WinRules

    @classmethod
    def from_dict(cls, data: object) -> RuleSet:
        """Read a whole rule set (nested as the fields' dotted names say); raises Refused with every problem."""
        problems = Problems()
        flat = _read_fields(data, problems)
        if not problems:
            _check_together(flat, problems)
        if problems:
            raise Refused(problems)
        return _build(flat)

    def to_dict(self) -> dict[str, Any]:
        """The whole rule set as JSON-able data; `from_dict` gives an equal rule set back."""
        data = asdict(self)
        data["trump"]["order"] = " ".join(self.trump.order)
        return _listed(data)

    def override(self, options: Mapping[str, object]) -> RuleSet:
        """This rule set with single fields changed, by dotted name; raises Refused, places beginning with the name."""
        if not options:
            return self
        data, problems = self.to_dict(), Problems()
        for name, value in options.items():
            _put(data, name, value, problems)
        if problems:
            raise Refused(problems)
        return RuleSet.from_dict(data)


@dataclass(frozen=True, slots=True)
class Variation:
    """A house rule that a source document names: the overrides that bring it about, and the sentence it comes from."""

    key: str
    label: str
    sentence: str
    source: str
    options: dict[str, Any]


# --- the vocabulary ---------------------------------------------------------------------------------------------

Check = Callable[[object], Any]
_REQUIRED = object()


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a rule set: what it means, how a value is checked (ValueError says what it must be), its default."""

    meaning: str
    check: Check
    default: object = _REQUIRED


def _number(low: int, high: int) -> Check:
    def check(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return value

    return check


def _word(*words: str) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return value

    return check


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


def _list(item: Check, *, empty: bool = False) -> Check:
    def check(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or not (value or empty):
            raise ValueError("must be a list" if empty else "must be a list that is not empty")
        read = tuple(item(entry) for entry in value)
        if len(set(read)) != len(read):
            raise ValueError("must not name anything twice")
        return read

    return check


def _table_of(build: Callable[..., Any], checks: Mapping[str, Check], defaults: Mapping[str, object]) -> Check:
    def check(value: object) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise ValueError(f"must be an object with {', '.join(checks)}")
        if unknown := sorted(value.keys() - checks.keys()):
            raise ValueError(f"has no {unknown[0]}")
        if missing := sorted(checks.keys() - value.keys() - defaults.keys()):
            raise ValueError(f"needs {missing[0]}")
        return build(**{key: _under(key, test, value.get(key, defaults.get(key))) for key, test in checks.items()})

    return check


def _under(key: str, test: Check, value: object) -> Any:
    try:
        return test(value)
    except ValueError as error:
        raise ValueError(f"{key} {error}") from None


def _ranks(value: object) -> str:
    if not isinstance(value, str) or not value or any(rank not in RANKS for rank in value):
        raise ValueError(f"must be ranks out of {RANKS}")
    if len(set(value)) != len(value):
        raise ValueError("must not name a rank twice")
    if list(value) != sorted(value, key=RANKS.index):
        raise ValueError("must name the ranks from high to low")
    return value


def _order(value: object) -> tuple[str, ...]:
    names = tuple(value.split()) if isinstance(value, str) else ()
    if not names or any(name not in (*RANKS, "L", "XR", "XB") for name in names):
        raise ValueError("must be ranks, L, XR and XB, from high to low, with blanks between")
    if len(set(names)) != len(names):
        raise ValueError("must not name a card twice")
    return names


def _game_values(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping) or any(key not in (*RANKS, "XR", "XB") for key in value):
        raise ValueError("must give ranks (or XR, XB) their Game values")
    if any(type(worth) is not int or not 0 <= worth <= 100 for worth in value.values()):
        raise ValueError("must give whole numbers from 0 to 100")
    return dict(value)


def _optional(check: Check) -> Check:
    return lambda value: None if value is None or value is False else check(value)


_POINT = _table_of(
    Point,
    {
        "key": _text,
        "card": _word("highest", "lowest", "game", *RANKS, "L", "XR", "XB"),
        "owner": _word("taker", "holder", "keeper"),
        "worth": _number(1, 20),
    },
    {"owner": "taker", "worth": 1},
)
_SPECIAL = _table_of(
    Special,
    {"name": _text, "bid": _number(1, 99), "needs": _list(_word("every-trick", "every-point"))},
    {"needs": ("every-trick", "every-point")},
)
_EARLY = _table_of(
    EarlyWin,
    {
        "at": _number(1, 999),
        "others_at_most": _number(-999, 999),
        "when": _word("first-reach", "any-hand"),
        "eligible": _word("anyone", "made-bid"),
    },
    {"others_at_most": 0, "when": "first-reach", "eligible": "anyone"},
)

FIELDS: dict[str, Field] = {
    "id": Field("its name for programs", _text, "custom"),
    "name": Field("its name for people", _text, "House rules"),
    "summary": Field("one sentence that describes it", _text, ""),
    "source": Field("the document it follows", _text, ""),
    "table.players": Field("how many may sit down; the first is meant where a record does not say", _list(_number(2, 12))),
    "table.sides": Field(
        "who plays together: fixed teams in alternating seats, everyone alone, the partner who holds the called card, "
        "or the partner who sits a fixed number of places to the bidder's right",
        _word("teams", "solo", "called-partner", "seat-partner"),
    ),
    "table.teams": Field(
        "with sides = teams, the numbers of teams allowed, 0 for everyone alone; the first that divides the players "
        "into teams of two or more is meant where a record does not say",
        _list(_number(0, 6), empty=True),
        (),
    ),
    "table.partner_right": Field("with sides = seat-partner, how many places to the bidder's right the partner sits", _number(1, 11), 2),
    "deck.ranks": Field("the ranks in the deck, from high to low, in all four suits", _ranks),
    "deck.jokers": Field("how many jokers: with 1 the red one, with 2 the black one too", _number(0, 2), 0),
    "deck.hand": Field("cards dealt to each player; also the number of tricks", _number(1, 26), 6),
    "deck.undealt": Field("what becomes of the undealt cards: looked at after the hand, or never seen", _word("buried", "stock")),
    "deck.draw": Field(
        "what may be discarded and refilled once trump is known; it changes which cards are in play and nothing else",
        _word("none", "non-trump", "up-to-3", "up-to-4-with-ace"),
        "none",
    ),
    "trump.by": Field("trump is the suit of the bidder's first lead (a joker led: the bidder names it), or is named first", _word("lead", "named"), "lead"),
    "trump.order": Field("trump from high to low; L is the Left Jack, XR and XB the jokers", _order),
    "auction.rounds": Field("each speaks once, or round and round until all others have passed, a pass being final", _word("single", "until-passed"), "single"),
    "auction.min": Field("the lowest bid", _number(0, 99)),
    "auction.max": Field("the highest bid in numbers", _number(0, 99)),
    "auction.specials": Field("bids above the numbers: name, bid (what it is worth) and needs", _list(_SPECIAL, empty=True), ()),
    "auction.dealer": Field(
        "what the dealer may do with the highest bid: only outbid it, match it, match it below the maximum, "
        "match it at the maximum only, or match it unless it is a special",
        _word("outbid", "match", "match-below-max", "match-max", "match-not-special"),
        "outbid",
    ),
    "auction.all_pass": Field(
        "when all pass: the same dealer deals again, the next dealer deals, or the dealer may not pass",
        _word("redeal", "next-dealer", "dealer-forced"),
        "redeal",
    ),
    "auction.forced_bid": Field("the least a forced dealer bids; left out, auction.min but at least 2", _optional(_number(0, 99)), None),
    "points": Field(
        "what scores: key, card (a trump by its name in trump.order, highest, lowest, or game for the Game count), "
        "owner (taker: who won it; holder: who was dealt it; keeper: who played it, and the card moves along), worth",
        _list(_POINT),
    ),
    "game.values": Field("what cards count towards Game", _game_values, {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}),
    "game.award": Field("Game goes to the most, alone; or needs game.at_least as well", _word("most", "at-least"), "most"),
    "game.at_least": Field("with award = at-least, the least Game count that wins it", _number(1, 999), 41),
    "settle.made": Field("a made bid scores what was taken, or only the bid", _word("taken", "bid"), "taken"),
    "settle.set": Field("a set side loses its bid; or what it took counts against the loss", _word("bid", "bid-less-taken"), "bid"),
    "win.target": Field("the score that wins", _number(1, 999)),
    "win.eligible": Field("who can win: anyone, or only a side that made its own bid in this very hand", _word("anyone", "made-bid"), "anyone"),
    "win.both": Field(
        "several at the target after one hand, tried in order: the bidder wins; the highest score wins; all tied win; nobody yet",
        _list(_word("bidder", "highest", "share", "play-on")),
        ("bidder", "highest", "play-on"),
    ),
    "win.early": Field("a win below the target: at, others_at_most, when (first-reach or any-hand), eligible; null for none", _optional(_EARLY), None),
}

_SECTIONS = {name.split(".")[0] for name in FIELDS if "." in name}


# --- reading ----------------------------------------------------------------------------------------------------


def _flatten(data: Mapping[Any, object], problems: Problems) -> Iterator[tuple[str, object]]:
    for key, value in data.items():
        if key not in _SECTIONS:
            yield str(key), value
        elif isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", field) for inner, field in value.items())
        else:
            problems.add("rule-shape", str(key), f"{key} must be an object of rules")


def _read_fields(data: object, problems: Problems) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        problems.add("rule-shape", "", "a rule set must be an object")
        return {}
    given = dict(_flatten(data, problems))
    for name in given.keys() - FIELDS.keys():
        if not name.rpartition(".")[2].startswith("x-"):
            problems.add("unknown-rule", name, f"there is no rule called {name}")
    return {name: _read_field(name, field, given, problems) for name, field in FIELDS.items()}


def _read_field(name: str, field: Field, given: Mapping[str, object], problems: Problems) -> Any:
    value = given.get(name, field.default)
    if value is _REQUIRED:
        problems.add("missing-rule", name, f"{name} is missing")
        return None
    try:
        return field.check(value)
    except ValueError as error:
        problems.add("rule-value", name, f"{name} {error}")
        return None


def _check_together(flat: Mapping[str, Any], problems: Problems) -> None:
    """What no single field can say: whether the fields fit one another."""
    for test in (_check_deal, _check_order, _check_auction, _check_points, _check_teams):
        test(flat, problems)


def _check_deal(flat: Mapping[str, Any], problems: Problems) -> None:
    cards = len(build_deck(flat["deck.ranks"], flat["deck.jokers"]))
    most = max(flat["table.players"])
    if most * flat["deck.hand"] > cards:
        problems.add("deal", "deck.hand", f"{most} players with {flat['deck.hand']} cards each need more than the {cards} cards of the deck")


def _check_order(flat: Mapping[str, Any], problems: Problems) -> None:
    order, ranks, jokers = flat["trump.order"], flat["deck.ranks"], flat["deck.jokers"]
    must = {*ranks, *("XR", "XB")[:jokers]}
    may = must | ({"L"} if "J" in ranks else set())
    for name in [name for name in must if name not in order]:
        problems.add("trump-order", "trump.order", f"trump.order leaves out {name}, which is in the deck")
    for name in [name for name in order if name not in may]:
        problems.add("trump-order", "trump.order", f"trump.order names {name}, which is not in the deck")


def _check_auction(flat: Mapping[str, Any], problems: Problems) -> None:
    low, high = flat["auction.min"], flat["auction.max"]
    if low > high:
        problems.add("bids", "auction.max", "auction.max must not be below auction.min")
    for special in flat["auction.specials"]:
        if special.bid <= high:
            problems.add("bids", "auction.specials", f"{special.name} must be worth more than auction.max")
    forced = flat["auction.forced_bid"]
    if forced is not None and not low <= forced <= high:
        problems.add("bids", "auction.forced_bid", "auction.forced_bid must be a bid there is")


def _check_points(flat: Mapping[str, Any], problems: Problems) -> None:
    keys = [point.key for point in flat["points"]]
    if len(set(keys)) != len(keys):
        problems.add("points", "points", "points must not name a key twice")
    for point in flat["points"]:
        if point.card not in ("highest", "lowest", "game", *flat["trump.order"]):
            problems.add("points", "points", f"{point.key}: {point.card} is not in trump.order")


def _check_teams(flat: Mapping[str, Any], problems: Problems) -> None:
    if flat["table.sides"] != "teams":
        return
    for players in flat["table.players"]:
        if not team_formats(players, flat["table.teams"]):
            problems.add("teams", "table.teams", f"{players} players cannot be divided into any of these teams")


def team_formats(players: int, teams: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of teams, out of `teams`, that `players` can form: two or more in each, 0 for everyone alone."""
    return tuple(n for n in teams if n == 0 or (n > 1 and players % n == 0 and players // n > 1))


def _build(flat: Mapping[str, Any]) -> RuleSet:
    parts: dict[str, Any] = {}
    for name, value in flat.items():
        section, _, inner = name.partition(".")
        if inner:
            parts.setdefault(section, {})[inner] = value
        else:
            parts[section] = value
    built = {"table": TableRules, "deck": DeckRules, "trump": TrumpRules, "auction": AuctionRules}
    built |= {"game": GameRules, "settle": SettleRules, "win": WinRules}
    return RuleSet(**{name: built[name](**value) if name in built else value for name, value in parts.items()})


def _listed(value: Any) -> Any:
    """Tuples to lists all the way down, as JSON has them."""
    if isinstance(value, dict):
        return {key: _listed(inner) for key, inner in value.items()}
    return [_listed(inner) for inner in value] if isinstance(value, tuple) else value


# --- overrides --------------------------------------------------------------------------------------------------


def _put(data: dict[str, Any], name: str, value: object, problems: Problems) -> None:
    """Set the field at a dotted name; points and specials are entered by their key or name."""
    *path, last = name.split(".")
    here: Any = data
    for step in path:
        here = _step(here, step)
    if not isinstance(here, dict) or (last not in here and name not in FIELDS) or name in ("id", "source"):
        problems.add("unknown-rule", name, f"there is no rule called {name}")
        return
    here[last] = copy.deepcopy(value)


def _step(here: Any, step: str) -> Any:
    if isinstance(here, dict):
        return here.get(step)
    if isinstance(here, list):
        return next((item for item in here if isinstance(item, dict) and step in (item.get("key"), item.get("name"))), None)
    return None


# --- the catalogue ----------------------------------------------------------------------------------------------


class UnknownRules(KeyError):
    """Raised for an id that the catalogue does not have."""

    def __str__(self) -> str:
        return f"there is no rule set called {self.args[0]}"


@cache
def _load(rules_id: str) -> dict[str, Any]:
    """A data file, laid over the one it names as its base."""
    if rules_id not in CATALOGUE:
        raise UnknownRules(rules_id)
    data = tomllib.loads((RULESETS / f"{rules_id}.toml").read_text(encoding="utf-8"))
    base = data.pop("base", None)
    return {"id": rules_id, **(_laid_over(_load(base), data) if base else data)}


def _laid_over(base: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in data.items():
        merged[key] = {**base[key], **value} if isinstance(value, dict) else value
    return merged


@cache
def find_rules(rules_id: str) -> RuleSet:
    """The catalogue's rule set of that id; raises UnknownRules."""
    return RuleSet.from_dict({key: value for key, value in _load(rules_id).items() if key not in ("id", "variations")} | {"id": rules_id})


@cache
def variations(rules_id: str) -> tuple[Variation, ...]:
    """The house rules that the source documents offer for a catalogue rule set, in their order."""
    return tuple(Variation(**entry) for entry in _load(rules_id).get("variations", ()))


def catalogue() -> tuple[RuleSet, ...]:
    """The rule sets of the source documents."""
    return tuple(find_rules(rules_id) for rules_id in CATALOGUE)


def field_names() -> tuple[str, ...]:
    """Every dotted name that an override may use (points and specials also go by `points.<key>.<part>`)."""
    return tuple(name for name in FIELDS if name not in ("id", "source"))


"""A rule set: read from data, validated as a whole, serialized, and changed by overrides."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT, build_deck
from scorekeeper.scoring.problems import Problems

from .fields import (
    ENDS,
    FIELDS,
    PLAIN_CARDS,
    SECTIONS,
    TRICKS,
    ByPlayers,
    Flat,
    Frozen,
    Point,
    Sections,
    Special,
    team_formats,
)
from .kinds import REQUIRED, NamedTwice

RuleData = dict[str, Any]  # a rule set, or a part of one, as data for JSON


class RuleSet(Sections):
    """One complete set of rules; immutable, comparable and hashable. docs/rules.md lists the fields.

    >>> from scorekeeper.scoring import find_rules
    >>> find_rules("classic").override({"win.target": 21, "points.low.owner": "keeper"}).win.target
    21
    >>> RuleSet.from_dict(find_rules("classic").to_dict()) == find_rules("classic")
    True
    """

    @classmethod
    def from_dict(cls, data: object) -> RuleSet:
        """Read a complete rule set (nested as the fields' dotted names say); raises Refused with every problem."""
        problems = Problems()
        flat = _read_fields(data, problems)
        if not problems:
            _check_together(flat, problems)
        problems.check()
        values = nested(flat)
        return RuleSet(**values | {name: section(**values[name]) for name, section in SECTIONS.items()})

    def to_dict(self) -> RuleData:
        """The complete rule set as data for JSON; `from_dict` gives an equal rule set back."""
        return self._data(whole=False)

    def values(self) -> dict[str, object]:
        """The value of every field by its dotted name, as `to_dict` has them."""
        data, flat = self._data(), {}
        for name in FIELDS:
            section, _, inner = name.rpartition(".")
            flat[name] = data[section][inner] if section else data[inner]
        return flat

    def called(self, keys: Iterable[str]) -> list[str]:
        """The names of points, by their keys.

        >>> from scorekeeper.scoring import find_rules
        >>> find_rules("west-michigan-6").called(["left_jack", "game"])
        ['Left Jack', 'Game']
        """
        names = {point.key: point.name for point in self.points}
        return [names[key] for key in keys]

    def _data(self, *, whole: bool = True) -> RuleData:
        data: RuleData = _as_data(self, whole)
        data["trump"]["order"] = " ".join(self.trump.order)
        return data

    def override(self, options: Mapping[str, object]) -> RuleSet:
        """This rule set with single fields changed, by dotted name; raises Refused, places beginning with the name."""
        if not options:
            return self
        data, problems = self._data(), Problems()
        for name, value in options.items():
            _put(data, name, value, problems)
        problems.check()
        return RuleSet.from_dict(data)


# --- reading ----------------------------------------------------------------------------------------------------


def _flatten(data: Mapping[object, object], problems: Problems) -> Iterator[tuple[str, object]]:
    for key, value in data.items():
        if str(key).startswith("x-"):
            continue
        if "." in str(key):
            problems.add("unknown-rule", str(key), f"{key} belongs in an object of its own")
        elif key not in SECTIONS:
            yield str(key), value
        elif isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", value[inner]) for inner in value if not str(inner).startswith("x-"))
        else:
            problems.add("rule-shape", str(key), f"{key} must be an object of rules")


def _read_fields(data: object, problems: Problems) -> dict[str, object]:
    if not isinstance(data, Mapping):
        problems.add("rule-shape", "", "a rule set must be an object")
        return {}
    given = dict(_flatten(data, problems))
    for name in given:
        if name not in FIELDS:
            problems.add("unknown-rule", name, f"there is no rule called {name}")
    read = {}
    for name, field in FIELDS.items():
        value = given.get(name, field.default)
        if value is REQUIRED:
            problems.add("missing-rule", name, f"{name} is missing")
            continue
        try:
            read[name] = field.kind.check(value)
        except ValueError as error:
            problems.add("rule-twice" if isinstance(error, NamedTwice) else "rule-value", name, f"{name} {error}")
    return read


def _check_together(flat: Flat, problems: Problems) -> None:
    """Check that the fields are consistent with each other."""
    for test in (_check_deal, _check_trump, _check_auction, _check_points, _check_teams, _check_win):
        test(flat, problems)


def _check_deal(flat: Flat, problems: Problems) -> None:
    cards = len(build_deck(flat["deck.ranks"], flat["deck.jokers"]))
    for players in sorted(flat["table.players"], reverse=True):
        _check_cards(flat, players, cards, problems)


def _check_cards(flat: Flat, players: int, cards: int, problems: Problems) -> None:
    """Check that the deck has enough cards for `players`, and that every count is given for them."""
    counts = {name: count_for(flat[name], players) for name in ("deck.hand", "deck.deal", "deck.kitty")}
    for name in counts:
        if counts[name] is None and flat[name] is not None:
            problems.add("deal", name, f"{name} needs a number for {players} players")
            return
    kitty, each = counts["deck.kitty"] or 0, counts["deck.deal"] or counts["deck.hand"] or 0
    place = "deck.hand" if flat["deck.deal"] is None else "deck.deal"
    if players * each + kitty > cards:
        extra = f" and a kitty of {kitty}" if kitty else ""
        text = f"{players} players with {each} cards each{extra} need more than the {cards} of the deck"
        if not any(problem.code == "deal" for problem in problems):
            problems.add("deal", place, text)
    elif players * (counts["deck.hand"] or 0) > cards:
        problems.add("deal", "deck.hand", f"{players} players cannot all play with {counts['deck.hand']} cards")


def _check_trump(flat: Flat, problems: Problems) -> None:
    wrong = partial(problems.add, "trump-order", "trump.order")
    order, ranks, jokers = flat["trump.order"], flat["deck.ranks"], flat["deck.jokers"]
    must = (*ranks, *JOKERS[:jokers])
    for name in [name for name in must if name not in order]:
        wrong(f"trump.order leaves out {name}, which is in the deck")
    for name in [name for name in order if name not in must and OFF_SUIT.get(name, "?") not in ranks]:
        wrong(f"trump.order names {name}, which is not in the deck")
    places = [order.index(name) for name in JOKERS[:jokers] if name in order]
    if flat["trump.jokers"] != "ranked" and places and max(places) - min(places) >= len(places):
        wrong("jokers that are alike must be next to each other in trump.order")
    for name in ("trump.turned", "trump.gift", "trump.run"):
        if flat[name] and flat["trump.by"] != "turned-up":
            problems.add("turn-up", name, f"{name} needs a card that is turned up for trump: trump.by = turned-up")


# Values of other fields that need a bidder, and are refused without bidding.
NEEDS_BIDDING: dict[str, tuple[object, ...]] = {
    "auction.all_pass": ("dealer-forced", "eldest-plays"),
    "auction.seller": ("eldest",),
    "table.sides": ("called-partner", "seat-partner"),
    "game.tie": ("bidder",),
    "win.eligible": ("made-bid",),
    "win.all_points": ("bidder",),
    "trump.by": ("named",),
    "deck.rob": ("bidder",),
}


def _check_no_bidding(flat: Flat, problems: Problems) -> None:
    """Check that without bidding no other field needs a bidder."""
    wrong = partial(problems.add, "no-bidding")
    for name, values in NEEDS_BIDDING.items():
        if flat[name] in values:
            wrong(name, f"{name} cannot be {flat[name]} without bidding")
    early = flat["win.early"]
    if early is not None and early.eligible == "made-bid":
        wrong("win.early", "win.early cannot need a made bid without bidding")
    if "bidder" in flat["win.both"]:
        wrong("win.both", "win.both cannot have bidder without bidding")
    if flat["deck.kitty"] and flat["deck.kitty_to"] == "bidder":
        wrong("deck.kitty_to", "deck.kitty_to cannot be bidder without bidding")
    if flat["auction.max_again"] == "anyone":
        wrong("auction.max_again", "auction.max_again cannot be anyone without bidding")
    for name, field in FIELDS.items():
        if field.needs_bidding and flat[name]:
            wrong(name, f"{name} needs bidding")


def _check_auction(flat: Flat, problems: Problems) -> None:
    wrong = partial(problems.add, "bids")
    if flat["auction.rounds"] == "none":
        _check_no_bidding(flat, problems)
        return
    low, high = flat["auction.min"], flat["auction.max"]
    if low > high:
        wrong("auction.max", "auction.max must not be below auction.min")
    _check_specials(flat["auction.specials"], high, problems)
    _check_selling(flat, problems)
    forced = flat["auction.forced_bid"]
    if forced is None and flat["auction.all_pass"] == "dealer-forced":  # noqa: S105
        forced = max(low, 2)
    if forced is not None and forced > high:
        text = f"the dealer is stuck for {forced}, but the highest bid is {high}. Change one of them"
        wrong("auction.forced_bid", text)


def _check_selling(flat: Flat, problems: Problems) -> None:
    """Check the rules for a hand that nobody bids on, and for a hand that is sold."""
    wrong = partial(problems.add, "bids")
    all_pass, sells = flat["auction.all_pass"], flat["auction.seller"] != "nobody"
    if all_pass == "eldest-plays" and flat["auction.min"] < 1:  # noqa: S105
        wrong("auction.min", "auction.min must be at least 1 where a hand may be played without a bid")
    if flat["auction.pass_cost"] and all_pass not in ("redeal", "next-dealer"):
        wrong("auction.pass_cost", "auction.pass_cost is lost only where all pass and it is dealt again")
    if sells and flat["auction.dealer"] != "outbid":
        wrong("auction.dealer", "auction.dealer must be outbid where the hand is sold")
    if sells and all_pass == "dealer-forced":  # noqa: S105
        wrong("auction.all_pass", "auction.all_pass cannot force the dealer where the hand is sold")
    if flat["auction.max_again"] == "anyone" and (sells or flat["auction.rounds"] != "single"):
        text = "auction.max_again can be anyone only where each bids once, and nobody sells the hand"
        wrong("auction.max_again", text)
    if not sells and flat["auction.cap"] != "maximum":
        wrong("auction.cap", "auction.cap needs a seller")
    elif flat["auction.cap"] != "maximum" and not (
        # If nobody may bid, the hand is played without a bid, or the pass cost lowers scores until a bid is allowed.
        all_pass == "eldest-plays" or (all_pass == "next-dealer" and flat["auction.pass_cost"])  # noqa: S105
    ):
        text = "near the target nobody may bid, and it would be dealt again without end: auction.all_pass must be "
        text += "eldest-plays, or next-dealer with an auction.pass_cost"
        problems.add("never-ends", "auction.cap", text)


def _check_specials(specials: tuple[Special, ...], high: int, problems: Problems) -> None:
    wrong = partial(problems.add, "bids", "auction.specials")
    for special in specials:
        if special.bid <= high:
            wrong(f"{special.name} must be worth more than auction.max")
        if not special.needs and special.takes is None:
            wrong(f"{special.name} has to need something, or to take a number of points")
        for effect, number in ((special.made, special.made_to), (special.failed, special.failed_to)):
            if (effect == "set-to") != (number is not None):
                wrong(f"{special.name} needs a number where its outcome is set-to, and only there")
        if special.name in ("pass", ""):
            wrong("a special needs a name of its own")
    for part in ("name", "bid"):
        if len({getattr(special, part) for special in specials}) < len(specials):
            wrong(f"two specials must not have the same {part}")


def _check_points(flat: Flat, problems: Problems) -> None:
    wrong = partial(problems.add, "points", "points")
    keys = [point.key for point in flat["points"]]
    if len(set(keys)) != len(keys):
        wrong("points must not name a key twice")
    names = Counter([point.name.casefold() for point in flat["points"]])
    if any([point.called and names[point.name.casefold()] > 1 for point in flat["points"]]):  # noqa: C419
        wrong("points must not have two points of one name")
    for point in flat["points"]:
        _check_point(flat, point, problems)
    for name in ("game", *TRICKS):
        if sum(point.card == name for point in flat["points"]) > 1:
            wrong(f"points must not have two points for {name}")
    for name in ("game.tie_points", "win.order"):
        for key in [key for key in flat[name] if key not in keys]:
            problems.add("points", name, f"{name}: there is no point called {key}")
    if flat["game.tie"] == "points" and not flat["game.tie_points"]:
        problems.add("points", "game.tie_points", "game.tie_points must name the points that decide a tied Game")


def _check_point(flat: Flat, point: Point, problems: Problems) -> None:
    wrong = partial(problems.add, "points", "points")
    if point.card in PLAIN_CARDS and point.card[0] not in flat["deck.ranks"]:
        wrong(f"{point.name}: {point.card} is not in the deck")
    elif point.card not in (*ENDS, "game", *TRICKS, *PLAIN_CARDS, *flat["trump.order"]):
        wrong(f"{point.name}: {point.card} is not a trump in this deck")
    if point.captured is not None and (point.owner != "taker" or point.card in ("game", *TRICKS)):
        wrong(f"{point.name}: only a card that counts for whoever wins it can be captured from another side")
    if point.card in TRICKS and point.owner != "taker":
        wrong(f"{point.name}: {point.card} is no card that somebody is dealt or keeps")


def _check_teams(flat: Flat, problems: Problems) -> None:
    if flat["table.sides"] != "teams":
        return
    for players in flat["table.players"]:
        if not team_formats(players, flat["table.teams"]):
            problems.add("teams", "table.teams", f"{players} players cannot be divided into any of these teams")


def _check_win(flat: Flat, problems: Problems) -> None:
    """Check that only one unit can win early, and that no rule names a score if scores count down."""
    early = flat["win.early"]
    if early is not None and early.others_at_most >= early.at:
        problems.add("early", "win.early", "win.early: others_at_most must be below at")
    if flat["win.counted"] != "down":
        return
    # A score in a rule would differ from the score displayed at the table.
    names = [name for name in ("win.early", "win.lost_at") if flat[name] is not None]
    if any({each.made_to, each.failed_to, each.least_score} != {None} for each in flat["auction.specials"]):
        names.append("auction.specials")
    for name in names:
        problems.add("counted-down", name, f"{name} cannot name a score where scores count down: win.counted = down")


def count_for(count: int | ByPlayers | None, players: int) -> int | None:
    """The number of cards for `players`, which it may depend on; None if the rules do not give it.

    >>> count_for(6, 4), count_for(((4, 9), (6, 8)), 6)
    (6, 8)
    """
    return dict(count).get(players) if isinstance(count, tuple) else count


def nested(flat: Flat) -> RuleData:
    """Values by dotted names, in sections as a rule set's data has them.

    >>> nested({"name": "Ours", "win.target": 21})
    {'name': 'Ours', 'win': {'target': 21}}
    """
    values: RuleData = {}
    for name, value in flat.items():
        section, _, inner = name.rpartition(".")
        (values.setdefault(section, {}) if section else values)[inner] = value
    return values


def _as_data(value: object, whole: bool) -> Any:
    """Convert frozen values to objects and tuples to lists, recursively; `whole`: with fields otherwise left out."""
    if isinstance(value, Frozen):
        fields = value.declared
        return {
            name: _as_data(inner, whole)
            for name, inner in value._asdict().items()
            if whole or not fields[name].left_out or inner != fields[name].default
        }
    if isinstance(value, dict):
        return dict(value)
    return [_as_data(inner, whole) for inner in value] if isinstance(value, tuple) else value


# --- overrides --------------------------------------------------------------------------------------------------


def _put(data: dict[str, object], name: str, value: object, problems: Problems) -> None:
    """Set the field at a dotted name; points and specials are addressed by key or name."""
    *path, last = name.split(".")
    here: Any = data
    for step in path:
        if isinstance(here, list):
            named = (item for item in here if isinstance(item, dict))  # an earlier option may have put anything there
            here = next((item for item in named if step in (item.get("key"), item.get("name"))), None)
        else:
            here = here.get(step) if isinstance(here, dict) else None
    known = isinstance(here, dict) and (last in here or name in FIELDS)
    if not known or name in ("id", "source", *SECTIONS):
        problems.add("unknown-rule", name, f"there is no rule called {name}")
        return
    here[last] = copy.deepcopy(value)

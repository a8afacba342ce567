"""The page that a phone keeps, to enter hands by their points without a signal; static/settle.js scores them there.

What the script knows of the rules is what is said here. A rule that it does not know makes it say that the result
comes later; tests/web/hand_entry/test_settle.py compares it with the scoring core for every rule set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cached_property, lru_cache
from typing import Any

from scorekeeper.models import POINTS
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table
from scorekeeper.scoring.vocabulary import FIELDS
from scorekeeper.snapshot import Snapshot
from scorekeeper.web.common.tokens import HAND_FORM
from scorekeeper.web.games.now import game_now
from scorekeeper.web.wording.narrator import MOST_UNITS_IN_A_LINE, Narrator
from scorekeeper.web.wording.words import point_name

from .editor import Editor
from .page import HandPage
from .warnings import CODES

# Fields that say how a hand is played, not what its points come to.
OF_NO_ACCOUNT = {
    *("id", "name", "summary", "source", "table.players", "table.teams", "deck.hand", "deck.draw", "trump.by"),
    *("auction.rounds", "auction.dealer", "auction.forced_bid", "game.values", "game.award", "game.at_least"),
}
# The values of all others that the script knows; None: any.
KNOWN: dict[str, set[Any] | None] = {
    "table.sides": {"teams", "solo", "called-partner", "seat-partner"},
    "table.partner_right": None,
    "deck.ranks": None,
    "deck.jokers": None,
    "deck.undealt": {"buried", "stock"},
    "trump.order": None,
    "auction.min": None,
    "auction.max": None,
    "auction.specials": None,
    "auction.all_pass": {"redeal", "next-dealer", "dealer-forced"},
    "points": None,
    "settle.made": {"taken", "bid"},
    "settle.set": {"bid", "bid-less-taken"},
    "win.target": None,
    "win.eligible": {"anyone", "made-bid"},
    "win.both": None,
    "win.early": None,
}
NEEDS, OWNERS = {"every-trick", "every-point"}, {"taker", "holder", "keeper"}
WAYS_TO_WIN = {"bidder", "highest", "share", "play-on"}


def knows(rules: RuleSet) -> bool:
    """Whether the script scores hands under these rules as the core does."""
    data = rules.to_dict()
    fields = all(_knows_field(name, _value(data, name)) for name in FIELDS)
    parts = all(point.owner in OWNERS for point in rules.points) and set(rules.win.both) <= WAYS_TO_WIN
    return fields and parts and all(NEEDS.issuperset(special.needs) for special in rules.auction.specials)


def _knows_field(name: str, value: Any) -> bool:
    if name in OF_NO_ACCOUNT:
        return True
    if name not in KNOWN:  # a rule that is newer than the script
        return bool(value == FIELDS[name].default)
    values = KNOWN[name]
    return values is None or value in values


def _value(data: Mapping[str, Any], name: str) -> Any:
    for part in name.split("."):
        data = data[part]
    return data


@lru_cache(maxsize=64)
def table_data(table: Table) -> dict[str, Any]:
    """What the script needs of a table: who plays with whom, which card each point is, what a hand is worth."""
    rules = table.rules
    return {
        "seats": table.players,
        "units": table.units,
        "unitOf": table.unit_of,
        "inTeams": bool(table.teams),
        "sides": rules.table.sides,
        "partnerRight": rules.table.partner_right,
        "specials": [asdict(special) for special in rules.auction.specials],
        "allPass": rules.auction.all_pass,
        "points": [asdict(point) | {"name": point_name(point.key)} for point in rules.points],
        "orders": {suit: trump.order for suit, trump in table.trumps.items()},
        "seesBuried": table.sees_buried,
        "buried": table.buried,
        "settle": asdict(rules.settle),
        "win": asdict(rules.win),
    }


def names_data(narrator: Narrator) -> dict[str, Any]:
    """The names that the sentence beside Save is made of."""
    table = narrator.table
    return {
        "shorts": ("", *narrator.shorts),
        "units": {unit: narrator.unit(unit) for unit in table.units},
        "bidders": ("", *(narrator.team_of(seat) if table.teams else narrator.seat(seat) for seat in table.seats)),
        "inALine": MOST_UNITS_IN_A_LINE,
    }


class OfflinePage(HandPage):
    """The form of a next hand by its points, with nothing tapped, and what the script needs to know of the game."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(Editor(replace(snapshot, detail=POINTS, auction=False, tapped={})), "", {})

    @cached_property
    def data(self) -> dict[str, Any]:
        """For the script, as JSON in the page."""
        return {
            "now": game_now(self.editor.snapshot),
            "form": HAND_FORM,
            "warned": CODES,
            "knows": knows(self.table.rules),
            "table": table_data(self.table),
            "names": names_data(self.narrator),
        }

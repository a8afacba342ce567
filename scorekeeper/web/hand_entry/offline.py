"""Hands entered offline: the page stored on a phone, whose hands static/settle.js scores and adds to the game.

All the script knows of the rules is provided here. Under rules it does not support, it says that the result comes
later; tests/web/hand_entry/test_settle.py compares it with the scoring core for every rule set.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, lru_cache

from scorekeeper.models import POINTS
from scorekeeper.replay_cache import GameText, replayed
from scorekeeper.scoring.cards import RANKS
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.rules.fields import ENDS, FIELDS, Field, Special
from scorekeeper.scoring.table import Table, TrumpSuit
from scorekeeper.services.game_reader import ClubName, Snapshot
from scorekeeper.web.common.fields import HAND_FORM
from scorekeeper.web.common.narrator import MOST_UNITS_IN_A_LINE, Narrator
from scorekeeper.web.games.live import game_now

from .editor import FEWER_LETTERS, Editor
from .page import HandPage
from .warnings import CODES

SUPPORTED_CARDS = {*RANKS, "L", *(f"L{rank}" for rank in RANKS), "XR", "XB"}  # trumps known to the script by name
SUPPORTED_NEEDS = {"every-trick", "every-trick-alone", "every-point"}  # conditions of specials known to the script


def is_supported(rules: RuleSet) -> bool:
    """True if the script scores hands under these rules like the core."""
    buries_fewer = rules.trump.run > 0 and rules.deck.undealt == "buried"  # whenever the dealer runs cards
    # Fields whose support depends on more than `Field.offline` (`scoring/rules/fields.py`).
    known = {
        "deck.jokers": rules.deck.jokers <= 2,
        "trump.order": SUPPORTED_CARDS.issuperset(rules.trump.order),
        "auction.specials": all(
            one == Special(one.name, one.bid, one.needs) and SUPPORTED_NEEDS.issuperset(one.needs)
            for one in rules.auction.specials
        ),
        "points": all(
            point.card in SUPPORTED_CARDS | {*ENDS, "game"} and point.owner in ("taker", "holder", "keeper")
            for point in rules.points
        ),
    }
    return not buries_fewer and all(
        known[name] if name in known else _supports_field(FIELDS[name], value) for name, value in rules.values().items()
    )


def _supports_field(field: Field, value: object) -> bool:
    if isinstance(field.offline, tuple):
        return value in field.offline
    return field.offline or value == (list(field.default) if isinstance(field.default, tuple) else field.default)


@lru_cache(maxsize=64)
def table_data(table: Table) -> dict[str, object]:
    """Data of a table for the script: sides, the card of each point, and scoring."""
    rules = table.rules
    return {
        "seats": table.players,
        "units": table.units,
        "unitOf": table.unit_of,
        "inTeams": bool(table.teams),
        "sides": rules.table.sides,
        "partnerRight": table.partner_offset,
        "specials": [special._asdict() for special in rules.auction.specials],
        "misdeal": rules.deck.misdeal,
        "turned": rules.trump.turned,
        "gift": rules.trump.gift,
        "giftTo": rules.trump.gift_to,
        "eldestLeads": not rules.auction.is_held,
        "withoutBid": rules.auction.plays_without_bid,
        "isSold": table.is_sold,
        "tie": rules.game.tie if rules.game.award == "most" else "nobody",
        "tiePoints": rules.game.tie_points,
        "tiesAtNothing": table.may_lack_card_points,
        "allPass": rules.auction.all_pass,
        "points": [point._asdict() | {"name": point.name} for point in rules.points],
        "trumps": {suit: _point_cards(trump) for suit, trump in table.trumps.items()},
        "callsTrump": rules.table.call == "trump",
        "seesBuried": table.sees_buried,
        "shortTricks": table.short_tricks,
        "buried": table.buried,
        "settle": rules.settle._asdict(),
        "win": rules.to_dict()["win"],
    }


def _point_cards(trump: TrumpSuit) -> dict[str, object]:
    """The card of each point with that trump (by name, or the first dealt of a list), and the trump order."""
    named = {key: card for key, card in trump.literal.items() if card in trump.trumps}
    return {"named": named, "ends": trump.ends, "order": trump.order}


def names_data(narrator: Narrator) -> dict[str, object]:
    """Names used in the sentence beside Save."""
    table = narrator.table
    return {
        "shorts": ("", *narrator.said),
        "units": {unit: narrator.unit(unit) for unit in table.units},
        "teams": {unit: narrator.team(unit) for unit in table.units},
        "leads": "lead" if narrator.is_of_pairs else "leads",
        "inALine": MOST_UNITS_IN_A_LINE,
    }


class OfflinePage(HandPage):
    """The blank form of a next hand by points, with the data the script needs."""

    shows_all_turned_up = True  # no rows can be added later without a server

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(Editor(replace(snapshot, detail=POINTS, auction=False, tapped={})), "", {})

    @cached_property
    def data(self) -> dict[str, object]:
        """Data for the script, embedded as JSON."""
        # Alternatives for sentences without room for long names.
        shorter = [
            one for one in map(self.narrator.in_few_letters, FEWER_LETTERS) if one.shorts != self.narrator.shorts
        ]
        return {
            "now": game_now(self.editor.snapshot),
            "form": HAND_FORM,
            "warned": CODES,
            "knows": is_supported(self.table.rules),
            "table": table_data(self.table),
            "names": names_data(self.narrator) | {"shorter": [*map(names_data, shorter)]},
        }


def demo_page(table: Table, names: Sequence[str]) -> OfflinePage:
    """The offline page of a demo game, outside of the database and any club; key "-" matches none."""
    text = GameText(json.dumps(table.rules.to_dict()), table.players, table.teams, None, ())
    return OfflinePage(
        Snapshot(
            club=ClubName(0, "-", "", "UTC", 0, 0),
            id=0,
            number=1,
            played=date.min,
            version=0,
            first_dealer=1,
            state="",
            left_out=False,
            detail=POINTS,
            auction=False,
            paper=None,
            replayed=replayed(text),
            length=0,
            versions=(),
            players=dict(enumerate(names)),
            next_seats={},
            tapped={},
            season_ids=(),
        )
    )

"""Hands entered offline: the page stored on a phone, whose hands static/settle.js scores and adds to the game.

All the script knows of the rules is provided here; tests/web/hand_entry/test_settle.py compares it with the scoring
core for every rule set, and for the values of every field of the rules.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, lru_cache

from scorekeeper.models import POINTS
from scorekeeper.replay_cache import GameText, replayed
from scorekeeper.scoring.table import Table
from scorekeeper.services.game_reader import ClubName, Snapshot
from scorekeeper.web.common.fields import HAND_FORM
from scorekeeper.web.common.narrator import MOST_UNITS_IN_A_LINE, WIN_REASONS, Narrator
from scorekeeper.web.games.live import game_now

from .editor import FEWER_LETTERS, Editor
from .page import HandPage
from .warnings import CODES


@lru_cache(maxsize=64)
def table_data(table: Table) -> dict[str, object]:
    """Data of a table for the script: sides, the card of each point, and scoring."""
    rules, runs = table.rules, [table.after_runs(run) for run in range(1, table.most_runs + 1)]
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
        "isCapped": rules.auction.cap == "seller-short",
        "passCost": rules.auction.pass_cost,
        "tie": rules.game.tie if rules.game.award == "most" else "nobody",
        "tiePoints": rules.game.tie_points,
        "tiesAtNothing": table.may_lack_card_points,
        "allPass": rules.auction.all_pass,
        "points": [point._asdict() | {"name": point.name} for point in rules.points],
        # by suit: the card of each point (by name, or the first dealt of a list), and the trump order
        "trumps": {
            suit: {"named": trump.literal, "ends": trump.ends, "order": trump.order}
            for suit, trump in table.trumps.items()
        },
        "callsTrump": rules.table.call == "trump",
        "seesBuried": table.sees_buried,
        "shortTricks": table.short_tricks,
        "buried": table.buried,
        "runs": [{"buried": then.buried, "tiesAtNothing": then.may_lack_card_points} for then in runs],
        "settle": rules.settle._asdict(),
        "win": rules.to_dict()["win"],
    }


def names_data(narrator: Narrator) -> dict[str, object]:
    """Names used in the sentence beside Save."""
    table = narrator.table
    return {
        "shorts": ("", *narrator.said),
        "units": {unit: narrator.unit(unit) for unit in table.units},
        "teams": {unit: narrator.team(unit) for unit in table.units},
        "whys": WIN_REASONS,
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
        names = names_data(self.narrator)
        shorter = [names_data(self.narrator.in_few_letters(letters)) for letters in FEWER_LETTERS]
        return {
            "now": game_now(self.editor.snapshot),
            "form": HAND_FORM,
            "warned": CODES,
            "table": table_data(self.table),
            # with alternatives for sentences without room for long names
            "names": names | {"shorter": [one for one in shorter if one != names]},
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

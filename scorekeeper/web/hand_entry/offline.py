"""Hands without a signal: the page that a phone keeps, where static/settle.js scores them, and the answers it gets.

What the script knows of the rules is what is said here. A rule that it does not know makes it say that the result
comes later; tests/web/hand_entry/test_settle.py compares it with the scoring core for every rule set.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, lru_cache

from flask import g, get_flashed_messages, jsonify, make_response, request
from flask.typing import ResponseReturnValue

from scorekeeper.models import POINTS
from scorekeeper.replay_cache import GameText, replayed
from scorekeeper.scoring.cards import RANKS
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.rules.fields import ENDS, FIELDS, Field, Special
from scorekeeper.scoring.table import Table, TrumpSuit
from scorekeeper.services.game_reader import ClubName, Snapshot
from scorekeeper.web.common.fields import HAND_FORM, posted_version
from scorekeeper.web.common.narrator import MOST_UNITS_IN_A_LINE, Narrator
from scorekeeper.web.common.scope import find_snapshot
from scorekeeper.web.games.live import game_now

from .editor import FEWER_LETTERS, Editor
from .page import HandPage
from .warnings import CODES

CARDS = {*RANKS, "L", *(f"L{rank}" for rank in RANKS), "XR", "XB"}  # trumps that the script knows by name
NEEDS = {"every-trick", "every-trick-alone", "every-point"}  # what a special may ask for


def knows(rules: RuleSet) -> bool:
    """Whether the script scores hands under these rules as the core does."""
    buries_fewer = rules.trump.run > 0 and rules.deck.undealt == "buried"  # each time the cards are run
    # What it knows of fields whose descriptor (`scoring/rules/fields.py`) does not say it.
    known = {
        "deck.jokers": rules.deck.jokers <= 2,
        "trump.order": CARDS.issuperset(rules.trump.order),
        "auction.specials": all(
            one == Special(one.name, one.bid, one.needs) and NEEDS.issuperset(one.needs)
            for one in rules.auction.specials
        ),
        "points": all(
            point.card in CARDS | {*ENDS, "game"} and point.owner in ("taker", "holder", "keeper")
            for point in rules.points
        ),
    }
    return not buries_fewer and all(
        known[name] if name in known else _knows_field(FIELDS[name], value) for name, value in rules.values().items()
    )


def _knows_field(field: Field, value: object) -> bool:
    if isinstance(field.offline, tuple):
        return value in field.offline
    return field.offline or value == (list(field.default) if isinstance(field.default, tuple) else field.default)


@lru_cache(maxsize=64)
def table_data(table: Table) -> dict[str, object]:
    """What the script needs of a table: who plays with whom, which card each point is, what a hand is worth."""
    rules = table.rules
    return {
        "seats": table.players,
        "units": table.units,
        "unitOf": table.unit_of,
        "inTeams": bool(table.teams),
        "sides": rules.table.sides,
        "partnerRight": table.partner_back,
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
        "tiesAtNothing": table.ties_at_nothing,
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
    """Which card each point is with that trump: by its name, or the first of these that was dealt; and all trumps."""
    named = {key: card for key, card in trump.literal.items() if card in trump.trumps}
    return {"named": named, "ends": trump.ends, "order": trump.order}


def names_data(narrator: Narrator) -> dict[str, object]:
    """The names that the sentence beside Save is made of."""
    table = narrator.table
    return {
        "shorts": ("", *map(narrator.seat, table.seats)),
        "units": {unit: narrator.unit(unit) for unit in table.units},
        "teams": {unit: narrator.team(unit) for unit in table.units},
        "leads": "lead" if narrator.is_of_pairs else "leads",
        "inALine": MOST_UNITS_IN_A_LINE,
    }


class OfflinePage(HandPage):
    """The form of a next hand by its points, with nothing tapped, and what the script needs to know of the game."""

    shows_all_turned_up = True  # without a server no row is added later

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(Editor(replace(snapshot, detail=POINTS, auction=False, tapped={})), "", {})

    @cached_property
    def data(self) -> dict[str, object]:
        """For the script, as JSON in the page."""
        # For a sentence that has no room for long names.
        shorter = [
            one for one in map(self.narrator.in_few_letters, FEWER_LETTERS) if one.shorts != self.narrator.shorts
        ]
        return {
            "now": game_now(self.editor.snapshot),
            "form": HAND_FORM,
            "warned": CODES,
            "knows": knows(self.table.rules),
            "table": table_data(self.table),
            "names": names_data(self.narrator) | {"shorter": [*map(names_data, shorter)]},
        }


def demo_page(table: Table, names: Sequence[str]) -> OfflinePage:
    """The same for a game that is in no database, and in no club: key "-" opens none."""
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


# --- hands that a phone sends when it has a signal again ------------------------------------------------------------

HEADER = "X-Waiting"
NOW, LATER = "now", "later"  # a hand that was just tapped, whose page waits for it; one that has waited


def queue_response(answer: ResponseReturnValue, draw_next: Callable[[], str] | None = None) -> ResponseReturnValue:
    """The answer for a form; for a script, where the hand is saved, or why not, and how the game is then.

    A redirect would not do: the login page of a hotel sends one too, and the phone would let go of the hand.
    `draw_next` draws the next hand's page, for a phone that is shown it at once where saving leads there.
    """
    response = make_response(answer)
    asked = request.headers.get(HEADER)
    if asked not in (NOW, LATER) or response.status_code not in (303, 409):
        return response
    if response.status_code == 409:  # two phones: the phone says so, and asks for the page that shows both
        return jsonify(_later()), 409
    saved = {"saved": True, "next": response.location, "position": posted_version("position")}
    if asked == LATER:
        return jsonify(saved | _later())
    leads_here = response.location == request.script_root + request.path
    return jsonify(saved | ({"page": draw_next()} if draw_next and leads_here else {}))


def _later() -> dict[str, object]:
    """The game as it is now; flashed messages are dropped, because their page is not shown."""
    get_flashed_messages()
    return {"game": game_now(find_snapshot(g.snapshot.number))}

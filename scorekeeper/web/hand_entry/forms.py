"""The form of one hand: from what was posted to a draft, and what is wrong with it beside each field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from itertools import takewhile

from scorekeeper.models import DETAILS
from scorekeeper.scoring.cards import RANKS, SUITS, UNKNOWN
from scorekeeper.scoring.play import out_step
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.record import MOST_LETTERS, TURNED_UP
from scorekeeper.scoring.table import Seat, Table
from scorekeeper.web.common.fields import (
    HAND_FORM,
    ActionField,
    Calls,
    Cards,
    ChoiceField,
    MappingField,
    PageForm,
    Picks,
    Token,
    one_line,
    one_of,
    sentence_of,
    whole_number,
)
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import card_name, listed

from . import messages as say
from .draft import ALONE, BURIED, NOBODY, PASS, STOCK, SWEEP, Draft
from .points import Points
from .warnings import CODES

MOST_HANDS = 100_000
PAGE = "page"  # under which a draft says what page it was tapped on
OF_DRAFT = {field.name for field in fields(Draft)}


class HandForm(PageForm):
    """The fields every hand has; those of a rule set's points, sides and cards are added by `form_class`."""

    table: Table

    token = Token()
    position = ChoiceField(whole_number(1, MOST_HANDS, say.BROKEN))
    hand_version = ChoiceField(whole_number(0, 999_999_999, say.BROKEN))
    trump = ChoiceField(one_of(tuple(SUITS), say.WHAT_TRUMP))
    warned = Picks(one_of(CODES, say.BROKEN))
    unfold = Picks(one_of(("all", "call", "buried"), say.BROKEN))
    detail = ChoiceField(one_of(DETAILS, say.BROKEN))
    was = ChoiceField(one_of(DETAILS, say.BROKEN))
    by_seat = ChoiceField(one_of(("on",), say.BROKEN))
    note = ChoiceField(one_line(MOST_LETTERS, say.NOTE_TOO_LONG.format(MOST_LETTERS)))
    version = ChoiceField(whole_number(0, 999_999_999, say.BROKEN))

    @property
    def is_outdated(self) -> bool:
        """Whether the page, or the hand that waited on a phone, is of another version of the program."""
        return self.version.data not in (None, HAND_FORM)

    @property
    def page(self) -> str:
        """What identifies an open page; not its token, which is secret."""
        return str(self.token.data or "")[:8]

    def draft(self, dealer: Seat) -> Draft:
        """What has been tapped so far; `dealer` deals where the form does not say."""
        tapped = {name: value for name, value in self.data.items() if value is not None}
        placed = tapped["placed"]
        buried = (*tapped.get("buried", ()), *(card for card, pile in placed.items() if pile == BURIED))
        tapped |= {
            "dealer": tapped.get("dealer", dealer),
            "buried": tuple(dict.fromkeys(buried)),
            "by_seat": "by_seat" in tapped,
            "placed": {card: pile for card, pile in placed.items() if card not in buried},
            "turned": _turned(tapped["turned"], tapped.get("beg")),
        }
        draft = Draft(self.table, **{name: value for name, value in tapped.items() if name in OF_DRAFT})
        return draft.without_bidding()

    @property
    def errors(self) -> dict[str, list[str]]:
        """The sentences beside each place of the page."""
        return {PLACES.get(name, name): errors for name, errors in super().errors.items()}


def _turned(ranks: Mapping[str, str], beg: str | None) -> tuple[str, ...]:
    """The ranks that were turned up, in order; empty where one was, and it does not score."""
    turned = [ranks.get("0", UNKNOWN)]
    if beg == "run":
        turned.append(ranks.get("1", UNKNOWN))
        more = (ranks.get(str(place), "") for place in range(2, len(RANKS)))
        turned += takewhile(bool, more)
    return () if turned == [UNKNOWN] else tuple(turned)


@lru_cache(maxsize=64)
def form_class(table: Table) -> type[HandForm]:
    """The form for one table: a field for each thing that its rules let one tap."""
    seats, auction, sides = tuple(table.seats), table.rules.auction, Draft(table, 1).side_names
    nothing = (0,) if table.plays_without_bid else ()
    bids = (*nothing, *range(auction.min, auction.max + 1), *(special.name for special in auction.specials))
    turned = range(table.most_runs + 1) if table.rules.trump.is_turned_up else ()
    buried = [BURIED] if table.buried else []
    steps = (*table.cards, *map(out_step, table.seats)) if table.short_tricks else table.cards
    most = table.deck_value
    fields = {
        "table": table,
        "dealer": ChoiceField(one_of(seats, say.WHO_DEALT, int)),
        "bidder": ChoiceField(one_of(seats, say.WHO_BID, int)),
        "bid": ChoiceField(one_of(bids, say.NO_SUCH_BID, _number_or_name)),
        "calls": Calls(one_of((None, *auction.levels), say.BROKEN, lambda word: None if word == PASS else int(word))),
        "called": ChoiceField(one_of(table.cards, say.NO_SUCH_CARD)),
        "partner": ChoiceField(one_of((*seats, ALONE), say.WHO_HAD_IT, _number_or_name)),
        "turned": MappingField(one_of(TURNED_UP, say.BROKEN), {f"turned-{place}": str(place) for place in turned}),
        "beg": ChoiceField(one_of(("gift", "run"), say.BROKEN)),
        "buried": Picks(one_of(table.cards if table.buried else (), say.NO_SUCH_CARD)),
        "pile": ChoiceField(one_of((*sides, BURIED), say.BROKEN)),
        "placed": MappingField(
            one_of((*sides, *buried), say.NO_SUCH_PILE), {f"at-{card}": card for card in table.deck}
        ),
        "rest": ChoiceField(one_of(sides if table.buried else (STOCK,), say.BROKEN)),
        "played_by": MappingField(one_of(sides, say.BROKEN), {f"by-{key}": key for key in table.card_points}),
        "plays": Cards(one_of(steps, say.BROKEN)),
        "points": MappingField(
            one_of((*sides, NOBODY), say.CANNOT_HAVE_IT), {f"point-{key}": key for key in (*table.points, SWEEP)}
        ),
        "counts": MappingField(
            whole_number(0, most, say.COUNT_RANGE.format(most)), {f"count-{side}": side for side in sides}
        ),
        "step": ActionField(  # the buttons that are one step of the bidding or the play
            {
                "call": one_of((PASS, *auction.levels), say.BROKEN, _number_or_name),
                "unsay": whole_number(0, MOST_HANDS, say.BROKEN),
                "play": one_of(steps, say.NO_SUCH_CARD),
                "back": whole_number(0, MOST_HANDS, say.BROKEN),
            }
        ),
    }
    return type("HandFormOfTable", (HandForm,), fields)


def _number_or_name(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text


# --- what the scoring core refuses, beside the field and in the players' words ----------------------------------

IN_HAND = re.compile(r"hands\[(\d+)\]")
SENTENCES = {
    "after-the-end": say.GAME_IS_OVER,
    "partner-is-bidder": say.PLAYS_ALONE,
    "wrong-partner": say.CALLED_IS_BURIED,
    "lone-trump": say.LONE_TRUMP,
    "count-missing": say.OTHER_COUNT_TOO,
    "sweep": say.SWEPT,
}
PLACES = {
    "claims": "points",
    "game_counts": "counts",
    "bids": "bidder",
    "piles": "cards",
    "low_by": "cards",
    "high_by": "cards",
    "played_by": "cards",
    "sweep": "points",
    "tricks": "play",
    "step": "play",
    "gift": "turned_up",
    "misdeal": "turned_up",
    "beg": "turned_up",
}


def place_of(problem: Problem) -> str:
    """The place on the page for a problem of the scoring core."""
    at = problem.at.partition("].")[2] if problem.at.startswith("hands[") else problem.at
    if at.startswith("claims."):
        return at.removeprefix("claims.")
    name = at.partition(".")[0].partition("[")[0]
    return PLACES.get(name, name) or "points"


def sentence_for(problem: Problem, points: Points) -> str:
    """A problem of the scoring core as the table says it."""
    table, code = points.table, problem.code
    if code == "too-many-cards" and problem.at == "piles":
        return say.TOO_MANY_IN_PILES.format(table.dealt)
    if code == "too-many-cards":
        return say.TOO_MANY_BURIED.format(counted(table.buried, "card"), len(points.draft.buried))
    if code == "count-too-high":
        return say.COUNTS_TOO_HIGH.format(table.deck_value if points.total is None else points.total)
    if code == "same-card":
        card = points.card_of(place_of(problem))
        keys = [point.name for key, point in table.points.items() if points.card_of(key) == card]
        return say.SAME_CARD.format(card_name(card) if card else "card", listed(keys))
    return SENTENCES.get(code) or sentence_of(problem)


def explain(
    problems: Iterable[Problem], points: Points, position: int, narrator_at: Callable[[int], Narrator]
) -> dict[str, list[str]]:
    """Each place of the page of the hand at `position` with the sentences that belong there, seats by their names.

    A correction may spoil another hand: what is wrong there is said with its number.
    """
    placed: dict[str, list[str]] = {}
    for problem in problems:
        found = IN_HAND.match(problem.at)
        there = int(found[1]) + 1 if found else position
        text = narrator_at(there).named(problem.message)
        told = problem._replace(message=text if there == position else f"Hand {there}: {text}")
        placed.setdefault(place_of(problem), []).append(sentence_for(told, points))
    return placed

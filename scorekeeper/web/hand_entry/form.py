"""The form of one hand: from what was posted to a draft, and what is wrong with it beside each field."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any

from scorekeeper.models import DETAILS, POINTS
from scorekeeper.scoring.cards import RANKS, SUITS, UNKNOWN, Card
from scorekeeper.scoring.hand_record import MOST_LETTERS, TURNED_UP
from scorekeeper.scoring.play_so_far import out_step
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.table import BIDDING, DEFENDING, Side, Table
from scorekeeper.web.common.fields import (
    Calls,
    Cards,
    PageForm,
    Pick,
    Picks,
    Several,
    Step,
    Token,
    one_line,
    one_of,
    sentence_of,
    whole_number,
)
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.tokens import HAND_FORM
from scorekeeper.web.common.words import point_name

from . import messages as say
from .auction import PASS
from .cards import BURIED, STOCK
from .draft import ALONE, NOBODY, SWEEP, Draft
from .points import Points
from .warnings import CODES

MOST_HANDS = 100_000
PAGE = "page"  # under which a draft says what page it was tapped on


class HandForm(PageForm):
    """The fields every hand has; those of a rule set's points, sides and cards are added by `form_class`."""

    table: Table

    token = Token()
    position = Pick(whole_number(1, MOST_HANDS, say.BROKEN))
    hand_version = Pick(whole_number(0, 999_999_999, say.BROKEN))
    trump = Pick(one_of(tuple(SUITS), say.WHAT_TRUMP))
    warned = Picks(one_of(CODES, say.BROKEN))
    unfold = Picks(one_of(("all", "call", "buried"), say.BROKEN))
    detail = Pick(one_of(DETAILS, say.BROKEN))
    was = Pick(one_of(DETAILS, say.BROKEN))
    by_seat = Pick(one_of(("on",), say.BROKEN))
    note = Pick(one_line(MOST_LETTERS, say.NOTE_TOO_LONG.format(MOST_LETTERS)))
    version = Pick(whole_number(0, 999_999_999, say.BROKEN))

    @property
    def is_outdated(self) -> bool:
        """Whether the page, or the hand that waited on a phone, is of another version of the program."""
        return self.version.data not in (None, HAND_FORM)

    @property
    def page(self) -> str:
        """What identifies an open page; not its token, which is secret."""
        return str(self.token.data or "")[:8]

    def draft(self, dealer: int) -> Draft:
        """What has been tapped so far; `dealer` deals where the form does not say."""
        data = self.data  # made each time it is asked for
        placed = data["placed"]
        buried = (*(data["buried"] or ()), *(card for card, pile in placed.items() if pile == BURIED))
        draft = Draft(
            dealer=data["dealer"] or dealer,
            bidder=data["bidder"],
            bid=data["bid"],
            trump=data["trump"],
            called=data["called"],
            partner=data["partner"],
            buried=tuple(dict.fromkeys(buried)),
            points=data["points"],
            counts=data["counts"],
            detail=data["detail"] or POINTS,
            by_seat=bool(data["by_seat"]),
            calls=data["calls"] or (),
            placed={card: pile for card, pile in placed.items() if card not in buried},
            rest=data["rest"],
            played_by=data["played_by"],
            plays=data["plays"] or (),
            turned=_turned(data["turned"], data["beg"]),
            beg=data["beg"] or "",
            note=data["note"] or "",
        )
        return draft.at(self.table)

    @property
    def errors(self) -> dict[str, list[str]]:
        """The sentences beside each place of the page."""
        return {PLACES.get(name, name): errors for name, errors in super().errors.items()}


@lru_cache(maxsize=64)
def form_class(table: Table) -> type[HandForm]:
    """The form for one table: a field for each thing that its rules let one tap."""
    sides = (BIDDING, DEFENDING) if table.changing_sides else table.units
    fields = {
        "table": table,
        **_bidding(table),
        **_turning_up(table),
        **_cards(table, sides),
        **_points(table, sides),
        "step": _step(table),
    }
    return type("HandFormOfTable", (HandForm,), fields)


def _bidding(table: Table) -> dict[str, Any]:
    """Who dealt, who bid what, and who had the called card."""
    seats, auction = tuple(table.seats), table.rules.auction
    nothing = (0,) if auction.plays_without_bid else ()
    bids = (*nothing, *range(auction.min, auction.max + 1), *(special.name for special in auction.specials))
    return {
        "dealer": Pick(one_of(seats, say.WHO_DEALT, int)),
        "bidder": Pick(one_of(seats, say.WHO_BID, int)),
        "bid": Pick(one_of(bids, say.NO_SUCH_BID, _number_or_name)),
        "calls": Calls(one_of((None, *auction.levels()), say.BROKEN, _call)),
        "called": Pick(one_of(table.cards, say.NO_SUCH_CARD)),
        "partner": Pick(one_of((*seats, ALONE), say.WHO_HAD_IT, _number_or_name)),
    }


def _turning_up(table: Table) -> dict[str, Any]:
    """What was turned up for trump, and whether somebody begged."""
    places = range(table.most_runs + 1) if table.rules.trump.is_turned_up else ()
    return {
        "turned": Several(one_of(TURNED_UP, say.BROKEN), {f"turned-{place}": str(place) for place in places}),
        "beg": Pick(one_of(("gift", "run"), say.BROKEN)),
    }


def _turned(ranks: Mapping[str, str], beg: str | None) -> tuple[str, ...]:
    """The ranks that were turned up, in order; empty where one was, and it does not score."""
    turned = [ranks.get("0", UNKNOWN)]
    if beg == "run":
        turned.append(ranks.get("1", UNKNOWN))
        more = (ranks.get(str(place), "") for place in range(2, len(RANKS)))
        turned += takewhile(bool, more)
    return () if turned == [UNKNOWN] else tuple(turned)


def _cards(table: Table, sides: Collection[Side]) -> dict[str, Any]:
    """Which cards are buried, in which pile each one is, and in which order they were played."""
    piles = one_of((*sides, *([BURIED] if table.buried else [])), say.NO_SUCH_PILE)
    return {
        "buried": Picks(one_of(table.cards if table.buried else (), say.NO_SUCH_CARD)),
        "pile": Pick(one_of((*sides, BURIED), say.BROKEN)),
        "placed": Several(piles, {f"at-{card}": card for card in table.deck}),
        "rest": Pick(one_of(sides if table.buried else (STOCK,), say.BROKEN)),
        "played_by": Several(one_of(sides, say.BROKEN), {f"by-{key}": key for key in table.card_points}),
        "plays": Cards(one_of(_steps_of_play(table), say.BROKEN)),
    }


def _steps_of_play(table: Table) -> Collection[Card]:
    """The cards; and each seat's leaving, where whoever has no trump is out of the hand."""
    return (*table.cards, *map(out_step, table.seats)) if table.short_tricks else table.cards


def _points(table: Table, sides: Collection[Side]) -> dict[str, Any]:
    """Who took which point, and how many card points."""
    takers = one_of((*sides, NOBODY), say.CANNOT_HAVE_IT)
    counts = whole_number(0, table.deck_value, say.count_range(table.deck_value))
    return {
        "points": Several(takers, {f"point-{key}": key for key in (*table.points, SWEEP)}),
        "counts": Several(counts, {f"count-{side}": side for side in sides}),
    }


def _step(table: Table) -> Step:
    """The buttons that are one step of the bidding or the play (see steps.py)."""
    return Step(
        {
            "call": one_of((PASS, *table.rules.auction.levels()), say.BROKEN, _number_or_name),
            "unsay": whole_number(0, MOST_HANDS, say.BROKEN),
            "play": one_of(_steps_of_play(table), say.NO_SUCH_CARD),
            "back": whole_number(0, MOST_HANDS, say.BROKEN),
        }
    )


def _number_or_name(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text


def _call(word: str) -> int | None:
    return None if word == PASS else int(word)


# --- what the scoring core refuses, beside the field and in the players' words ----------------------------------

MISSING = {
    "bidder": say.WHO_BID,
    "bid": say.HOW_MUCH,
    "trump": say.WHAT_TRUMP,
    "partner": say.WHO_HAD_IT,
}
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


def missing(table: Table, draft: Draft) -> dict[str, list[str]]:
    """What has to be tapped before a hand can be saved, in the order of the page."""
    asked = [name for name in MISSING if name != "partner" or table.calls_partner]
    return {name: [MISSING[name]] for name in asked if getattr(draft, name) is None}


def place_of(problem: Problem) -> str:
    """The place on the page for a problem of the scoring core."""
    at = problem.at.partition("].")[2] if problem.at.startswith("hands[") else problem.at
    if at.startswith("claims."):
        return at.removeprefix("claims.")
    name = at.partition(".")[0].partition("[")[0]
    return PLACES.get(name, name) or "points"


def sentence_for(problem: Problem, points: Points) -> str:
    """A problem of the scoring core as the table says it."""
    table = points.table
    if problem.code in SENTENCES:
        return SENTENCES[problem.code]
    if problem.code == "too-many-cards" and problem.at == "piles":
        return say.too_many_in_piles(table.dealt)
    if problem.code == "too-many-cards":
        return say.too_many_buried(table.buried, len(points.draft.buried))
    if problem.code == "count-too-high":
        return say.counts_too_high(table.deck_value if points.total is None else points.total)
    if problem.code == "same-card":
        card = points.card_of(place_of(problem))
        return say.same_card(card, [point_name(key) for key in table.points if points.card_of(key) == card])
    return sentence_of(problem)


def explain(
    problems: Iterable[Problem], points: Points, position: int, narrator_at: Callable[[int], Narrator]
) -> dict[str, list[str]]:
    """Each place of the page of the hand at `position` with the sentences that belong there, seats by their names."""
    placed: dict[str, list[str]] = {}
    for problem in problems:
        told = _in_words(problem, position, narrator_at)
        placed.setdefault(place_of(problem), []).append(sentence_for(told, points))
    return placed


def _in_words(problem: Problem, position: int, narrator_at: Callable[[int], Narrator]) -> Problem:
    """The same with names for seats; of another hand, which a correction spoils, with its number."""
    found = IN_HAND.match(problem.at)
    there = int(found[1]) + 1 if found else position
    text = narrator_at(there).named(problem.message)
    return problem._replace(message=text if there == position else say.in_hand(there, text))

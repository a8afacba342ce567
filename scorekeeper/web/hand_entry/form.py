"""The form of one hand: from what was posted to a draft, and what is wrong with it beside each field."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from scorekeeper.models import DETAILS, POINTS
from scorekeeper.scoring.cards import SUITS
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.table import BIDDING, DEFENDING, Table
from scorekeeper.web.common.fields import (
    Calls,
    Cards,
    PageForm,
    Pick,
    Picks,
    Several,
    Step,
    Token,
    one_of,
    whole_number,
)
from scorekeeper.web.wording.words import card_name, point_name

from .auction import PASS
from .cards import BURIED, STOCK
from .draft import ALONE, NOBODY, SWEEP, Draft
from .warnings import CODES

MOST_HANDS = 100_000
BROKEN = "This page is not whole. Open it again."


class HandForm(PageForm):
    """The fields every hand has; those of a rule set's points, sides and cards are added by `form_class`."""

    table: Table

    token = Token()
    position = Pick(whole_number(1, MOST_HANDS, BROKEN))
    hand_version = Pick(whole_number(0, 999_999_999, BROKEN))
    trump = Pick(one_of(tuple(SUITS), "Which suit was trump? Tap one of the four."))
    advised = Picks(one_of(CODES, BROKEN))
    unfold = Picks(one_of(("all", "call", "buried"), BROKEN))
    detail = Pick(one_of(DETAILS, BROKEN))
    was = Pick(one_of(DETAILS, BROKEN))
    by_seat = Pick(one_of(("on",), BROKEN))

    def draft(self, dealer: int) -> Draft:
        """What has been tapped so far; `dealer` deals where the form does not say."""
        data = self.data  # put together anew each time it is asked for
        placed = data["placed"]
        buried = (*(data["buried"] or ()), *(card for card, pile in placed.items() if pile == BURIED))
        return Draft(
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
            low_by=data["low_by"],
            high_by=data["high_by"],
            plays=tuple(card for card in data["plays"] or () if card not in buried),
        )

    def complaints(self) -> dict[str, list[str]]:
        """The sentences beside each place of the page."""
        return {PLACES.get(name, name): errors for name, errors in super().complaints().items()}


@lru_cache(maxsize=64)
def form_class(table: Table) -> type[HandForm]:
    """The form for one table: a field for each thing that its rules let one tap."""
    seats, sides = tuple(table.seats), (BIDDING, DEFENDING) if table.changing_sides else table.units
    auction = table.rules.auction
    bids = (*range(auction.min, auction.max + 1), *(special.name for special in auction.specials))
    has_it = "Nobody of that name can have it. Tap one of the buttons."
    counted = f"A Game count is a whole number from 0 to {table.deck_value}."
    whose = one_of((*seats, ALONE), "Who had the called card? Tap a name, or nobody.", _number_or_name)
    piles = one_of((*sides, *([BURIED] if table.buried else [])), "There is no such pile.")
    buried = one_of(table.cards if table.buried else (), "There is no such card to be buried.")
    side, card = one_of(sides, BROKEN), one_of(table.cards, "There is no such card in this deck.")
    fields: dict[str, Any] = {
        "table": table,
        "dealer": Pick(one_of(seats, "Who dealt? Tap a name.", int)),
        "bidder": Pick(one_of(seats, "Who bid? Tap a name.", int)),
        "bid": Pick(one_of(bids, "There is no such bid in these rules.", _number_or_name)),
        "called": Pick(card),
        "partner": Pick(whose),
        "buried": Picks(buried),
        "calls": Calls(one_of((None, *auction.levels()), BROKEN, _call)),
        "pile": Pick(one_of((*sides, BURIED), BROKEN)),
        "placed": Several(piles, {f"at-{card}": card for card in table.deck}),
        "rest": Pick(one_of(sides if table.buried else (STOCK,), BROKEN)),
        "low_by": Pick(side),
        "high_by": Pick(side),
        "plays": Cards(one_of(table.cards, BROKEN)),
        "points": Several(one_of((*sides, NOBODY), has_it), {f"point-{key}": key for key in (*table.points, SWEEP)}),
        "counts": Several(whole_number(0, table.deck_value, counted), {f"count-{side}": side for side in sides}),
        "step": Step(
            {
                "call": one_of((PASS, *auction.levels()), BROKEN, _number_or_name),
                "unsay": whole_number(0, MOST_HANDS, BROKEN),
                "play": card,
                "back": whole_number(0, MOST_HANDS, BROKEN),
            }
        ),
    }
    return type("HandFormOfTable", (HandForm,), fields)


def _number_or_name(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text


def _call(word: str) -> int | None:
    return None if word == PASS else int(word)


# --- what the scoring core refuses, beside the field and in the players' words ----------------------------------

MISSING = {
    "bidder": "Who bid? Tap a name.",
    "bid": "How much was bid? Tap a number.",
    "trump": "Which suit was trump?",
    "partner": "Who had the called card? Tap a name, or nobody.",
}
SENTENCES = {
    "partner-is-bidder": "A bidder who holds the called card plays alone: tap nobody.",
    "wrong-partner": "The called card lies buried, so nobody had it.",
    "lone-trump": "There is only one trump: it is High and Low, and whoever had it has both.",
    "count-missing": "One count is not enough here: type the other side's too, or tap all the buried cards.",
}
PLACES = {
    "claims": "points",
    "game_counts": "counts",
    "bids": "bidder",
    "piles": "cards",
    "low_by": "cards",
    "high_by": "cards",
    "sweep": "points",
    "tricks": "play",
    "step": "play",
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


def sentence_for(problem: Problem, table: Table, draft: Draft) -> str:
    """A problem of the scoring core as the table says it."""
    if problem.code == "after-the-end":
        return "The game is won already. Correct a hand on the score sheet, or play again."
    if problem.code in SENTENCES:
        return SENTENCES[problem.code]
    if problem.code == "too-many-cards" and problem.at == "piles":
        return f"Only {table.dealt} cards are dealt; more than that lie in the piles."
    if problem.code == "too-many-cards":
        return f"Only {table.buried} cards lie buried; these are {len(draft.buried)}."
    if problem.code == "count-too-high":
        total = draft.game_total(table)
        return f"The Game counts add up to more than the {total if total is not None else table.deck_value} there are."
    if problem.code == "sweep":
        return "Who won every trick took every point that goes by tricks."
    if problem.code == "same-card":
        return _same_card(problem, table, draft)
    return problem.message[:1].upper() + problem.message[1:] + "."


def _same_card(problem: Problem, table: Table, draft: Draft) -> str:
    key = place_of(problem)
    card = draft.card_of(table, key)
    same = [point_name(other) for other in table.points if draft.card_of(table, other) == card]
    return f"The {card_name(card) if card else 'card'} is {' and '.join(same)}: one side has both."


def explain(problems: Iterable[Problem], table: Table, draft: Draft) -> dict[str, list[str]]:
    """Each place of the page with the sentences that belong there."""
    placed: dict[str, list[str]] = {}
    for problem in problems:
        placed.setdefault(place_of(problem), []).append(sentence_for(problem, table, draft))
    return placed

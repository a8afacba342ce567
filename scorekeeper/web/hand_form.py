"""The form of one hand: from what was posted to a draft, and what is wrong with it beside each field."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from scorekeeper.models import DETAILS, POINTS
from scorekeeper.scoring.cards import SUITS
from scorekeeper.scoring.problems import Problem
from scorekeeper.scoring.table import BIDDING, DEFENDING, Table

from .advice import CODES
from .draft import ALONE, NOBODY, SWEEP, Draft
from .fields import Calls, Cards, Number, PageForm, Pick, Picks, Placed, Token
from .way_auction import PASS
from .way_cards import BURIED, STOCK
from .words import card_name, point_name

MOST_HANDS = 100_000
BROKEN = "This page is not whole. Open it again."


class HandForm(PageForm):
    """The fields every hand has; those of a rule set's points, sides and cards are added by `form_class`."""

    table: Table

    token = Token()
    position = Number(least=1, most=MOST_HANDS, message=BROKEN)
    hand_version = Number(least=0, most=999_999_999, message=BROKEN)
    trump = Pick(allowed=tuple(SUITS), message="Which suit was trump? Tap one of the four.")
    advised = Picks(allowed=CODES, message=BROKEN)
    unfold = Picks(allowed=("all", "call"), message=BROKEN)
    detail = Pick(allowed=DETAILS, message=BROKEN)
    was = Pick(allowed=DETAILS, message=BROKEN)
    by_seat = Pick(allowed=("on",), message=BROKEN)

    def draft(self, dealer: int) -> Draft:
        """What has been tapped so far; `dealer` deals where the form does not say."""
        data = self.data  # put together anew each time it is asked for
        placed = data["placed"] or {}
        buried = (*(data["buried"] or ()), *(card for card, pile in placed.items() if pile == BURIED))
        return Draft(
            dealer=data["dealer"] or dealer,
            bidder=data["bidder"],
            bid=data["bid"],
            trump=data["trump"],
            called=data["called"],
            partner=data["partner"],
            buried=tuple(dict.fromkeys(buried)),
            points=self._filled("point-"),
            counts=self._filled("count-"),
            detail=data["detail"] or POINTS,
            by_seat=bool(data["by_seat"]),
            calls=data["calls"] or (),
            placed={card: pile for card, pile in placed.items() if card not in buried},
            rest=data["rest"],
            low_by=data["low_by"],
            high_by=data["high_by"],
            plays=tuple(card for card in data["plays"] or () if card not in buried),
        )

    def _filled(self, prefix: str) -> dict[str, Any]:
        named = (
            (field.short_name.removeprefix(prefix), field.data) for field in self if field.short_name.startswith(prefix)
        )
        return {name: data for name, data in named if data is not None}

    def typed_counts(self) -> dict[str, str]:
        """The Game counts just as they were typed."""
        return {f.short_name.removeprefix("count-"): f.typed for f in self if f.short_name.startswith("count-")}

    def complaints(self) -> dict[str, list[str]]:
        """The sentences beside each place of the page: points by their key, counts together."""
        placed: dict[str, list[str]] = {}
        for name, errors in super().complaints().items():
            place = "counts" if name.startswith("count-") else name.removeprefix("point-")
            placed.setdefault(place, []).extend(error for error in errors if error not in placed.get(place, ()))
        return placed


@lru_cache(maxsize=64)
def form_class(table: Table) -> type[HandForm]:
    """The form for one table: a field for each thing that its rules let one tap."""
    seats, sides = tuple(table.seats), (BIDDING, DEFENDING) if table.changing_sides else table.units
    auction = table.rules.auction
    bids = (*range(auction.min, auction.max + 1), *(special.name for special in auction.specials))
    fields: dict[str, Any] = {
        "table": table,
        "dealer": Pick(allowed=seats, coerce=int, message="Who dealt? Tap a name."),
        "bidder": Pick(allowed=seats, coerce=int, message="Who bid? Tap a name."),
        "bid": Pick(allowed=bids, coerce=_number_or_name, message="There is no such bid in these rules."),
        "called": Pick(allowed=table.deck, message="There is no such card in this deck."),
        "partner": Pick(
            allowed=(*seats, ALONE), coerce=_number_or_name, message="Who had the called card? Tap a name, or nobody."
        ),
        "buried": Picks(allowed=table.deck if table.buried else (), message="There is no such card to be buried."),
        "calls": Calls(allowed=(None, *auction.levels()), coerce=_call, message=BROKEN),
        "call": Pick(allowed=(PASS, *auction.levels()), coerce=_number_or_name, message=BROKEN),
        "unsay": Number(least=0, most=MOST_HANDS, message=BROKEN),
        "pile": Pick(allowed=(*sides, BURIED), message=BROKEN),
        "placed": Placed(
            cards=table.deck, allowed=(*sides, *([BURIED] if table.buried else [])), message="There is no such pile."
        ),
        "rest": Pick(allowed=sides if table.buried else (STOCK,), message=BROKEN),
        "low_by": Pick(allowed=sides, message=BROKEN),
        "high_by": Pick(allowed=sides, message=BROKEN),
        "plays": Cards(allowed=table.deck, message=BROKEN),
        "play": Pick(allowed=table.deck, message="There is no such card in this deck."),
        "back": Number(least=0, most=MOST_HANDS, message=BROKEN),
    }
    for key in (*table.points, SWEEP):
        fields[f"point-{key}"] = Pick(
            allowed=(*sides, NOBODY), message="Nobody of that name can have it. Tap one of the buttons."
        )
    for side in sides:
        message = f"A Game count is a whole number from 0 to {table.deck_value}."
        fields[f"count-{side}"] = Number(least=0, most=table.deck_value, message=message)
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

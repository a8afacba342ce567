"""Entering a hand by its points: the side that has each, and optionally the sides' card points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT
from scorekeeper.scoring.points import (
    TIED,
    PointCards,
    PointScore,
    break_tie,
    decide_from_counts,
    fill_counts,
    game_total,
    leaders,
    point_cards,
)
from scorekeeper.scoring.rules.fields import SUIT_ENDS, TRICKS, TRUMP_ENDS, Point
from scorekeeper.scoring.table import BIDDING, DEFENDING, Side
from scorekeeper.web.common.narrator import CAPTURED, Narrator, tie_rule
from scorekeeper.web.common.numbers import counted, figure
from scorekeeper.web.common.words import POINT_CARDS, card_name, listed

from .draft import NOBODY, SWEEP, Draft

NO_CARDS = PointCards({}, frozenset(), {})  # while trump is unknown
MOST_SIDES_IN_A_ROW = 3
FACES = {"highest": "▲", "lowest": "▼", "lowest-natural": "▼", "first-trick": "1", "last-trick": "★", "game": "game"}
FACES |= OFF_SUIT | {end: f"{FACES[end[:-2]]}{end[-1]}" for end in SUIT_ENDS}  # e.g. ▲S
WHO_HAD = "who was dealt it"
OWNER_HINTS = {"keeper": "who played it", "holder": WHO_HAD, "taker": ""}


class Points:
    """The points of a draft: the card of each, who has it as tapped, and what may still be tapped."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.table, self.usual_side = draft, draft.table, draft.usual_side
        # The card of each point as far as trump and buried cards tell; points whose card is buried, which nobody has;
        # and for a point that is the same card as an earlier one (e.g. a Low that is a joker), that point, since one
        # side has both.
        self.cards, self.buried, self.same = (
            point_cards(self.table, draft.trump, draft.buried) if draft.trump else NO_CARDS
        )
        self.total = game_total(self.table, draft.buried)  # of all cards dealt, if known (80 minus buried)

    def taker_of(self, key: str) -> Side | None:
        """The side that has a point: as tapped, by default the usual side; None for nobody or a buried card."""
        if key in self.buried:
            return None
        side = self.draft.points.get(self.same.get(key) or key, self.usual_side)
        return None if side == NOBODY else side

    def may_be_nobodys(self, key: str) -> bool:
        """True if nobody may have the point: Game when tied, or a card or suit that may be undealt."""
        card = self.table.points[key].card
        # With short tricks, cards remain in hands even if all buried cards are known.
        is_settled = 0 < self.table.buried == len(self.draft.buried) and not self.table.short_tricks
        return card == "game" or (card not in (*TRUMP_ENDS, *TRICKS) and not is_settled)

    @property
    def sweeper(self) -> Side | None:
        """Winner of every trick: as tapped, otherwise the bidding side if no other side has a point."""
        usual = self.usual_side
        has_all = all(self.taker_of(key) in (usual, None) for key in self.table.points)
        return self.draft.sweeper_or(usual if has_all else None)

    @cached_property
    def card_points(self) -> dict[Side, int]:
        """Card points as entered, and the last side's if they follow from the others'."""
        draft = self.draft
        return fill_counts(self.table, draft.side_names, draft.buried, draft.counts) if draft.counts else {}

    @cached_property
    def game(self) -> PointScore | None:
        """The Game point decided by card points; None without card points, or if they do not decide it."""
        draft = self.draft
        if not draft.counts:
            return None
        decided = decide_from_counts(self.table, draft.side_names, draft.buried, self.card_points)
        if decided is None or decided.why != TIED or draft.sides is None:
            return decided
        takers = {key: self.taker_of(key) for key in self.table.rules.game.tie_points}
        return break_tie(self.table, draft.dealer, draft.sides, takers, leaders(self.card_points))

    @property
    def players(self) -> dict[str, Side]:
        """Sides dealt the cards that are worth more when captured: as tapped, by default their taker."""
        takers = {key: self.taker_of(key) for key in self.table.captured if key not in self.buried}
        return {key: self.draft.played_by.get(key, side) for key, side in takers.items() if side is not None}


def claimed(draft: Draft) -> dict[str, object]:
    """The claims in the format of the game record, with defaults filled in."""
    points = Points(draft)
    asked = [key for key, point in draft.table.points.items() if not (draft.counts and point.card == "game")]
    facts: dict[str, object] = {"claims": {key: points.taker_of(key) for key in asked if key not in points.buried}}
    if draft.needs_sweep:
        facts["sweep"] = points.sweeper
    given = {"game_counts": points.card_points, "played_by": points.players}
    return facts | {name: value for name, value in given.items() if value}


# --- the page -----------------------------------------------------------------------------------------------------


class SideChoice(NamedTuple):
    """A button for a side, or for its pile: a letter or short name, and a full title for screen readers.

    `people` are the names on a pile.
    """

    value: Side
    label: str
    title: str
    css: str
    badge: str | None
    people: str = ""


class PointRow(NamedTuple):
    """One point: its card, a hint, and who may have it; `gone` says why nobody can."""

    key: str
    name: str
    face: str
    face_name: str
    hint: str = ""
    gone: str = ""
    choices: tuple[SideChoice, ...] = ()
    chosen: str | None = None
    usual: str | None = None
    nobody: str = ""
    errors: tuple[str, ...] = ()
    field: str = ""


class PointsPage(Points):
    """The rows of points; `typed` are card points as typed, `errors` are sentences by place."""

    def __init__(
        self, draft: Draft, narrator: Narrator, typed: Mapping[Side, str], errors: Mapping[str, Sequence[str]]
    ) -> None:
        super().__init__(draft)
        self.narrator, self.typed, self.errors = narrator, typed, errors
        self.sides = tuple(self._side(side) for side in draft.side_names)
        self.many_sides = len(self.sides) > MOST_SIDES_IN_A_ROW
        self._titles: Mapping[str | None, str] = {choice.value: choice.title for choice in self.sides}

    @property
    def hint(self) -> str:
        if not self.draft.eldest_leads:
            is_alone = not (self.table.teams or self.table.changing_sides)
            return f"Tap what the {'bidder' if is_alone else 'bidders'} missed."
        dealer = "the dealer’s team" if self.table.teams else "the dealer"
        return f"Tap what {dealer if len(self.sides) == 2 else 'the others'} took."

    def _side(self, side: Side) -> SideChoice:
        names, table = self.narrator.names, self.table
        if side == DEFENDING:
            return SideChoice(side, "others", "the others", "u-B", None)
        if side == BIDDING:
            of_seat = self.draft.sides.of_seat if self.draft.sides else ()
            bidding = [names[seat - 1] for seat in table.seats if of_seat and of_seat[seat] == BIDDING]
            return SideChoice(side, "bidder", listed(bidding) or "the bidders", "u-A", None)
        members = [names[seat - 1] for seat in table.seats_of[side]]
        if table.teams:
            return SideChoice(side, side, f"Team {side}: {listed(members)}", f"u-{side}", side)
        return SideChoice(side, self.narrator.seat(int(side)), members[0], "", None)

    @cached_property
    def rows(self) -> list[PointRow]:
        rows, players = [], self.players
        for key, point in self.table.points.items():
            rows.append(row := self._row(key, point))
            if key in players:  # also ask who was dealt the card
                usual, chosen = self.taker_of(key), self.draft.played_by.get(key)
                told = row._replace(field=f"by-{key}", hint=WHO_HAD, nobody="", errors=())
                rows.append(told._replace(usual=usual, chosen=chosen))
        choices = tuple(one for one in self.sides if self.draft.sweep_scores or one.value == self.usual_side)
        if self.draft.needs_sweep and choices:  # none while a bid that requires it has no bidder
            usual, chosen = self.sweeper or NOBODY, self.draft.points.get(SWEEP)
            about = "Every trick", "★", "took every trick"
            hint = f"and every point: +{self.table.rules.settle.sweep}" if self.draft.sweep_scores else ""
            rows.append(PointRow(SWEEP, *about, hint, "", choices, chosen, usual, "no"))
        return rows

    def _row(self, key: str, point: Point) -> PointRow:
        return PointRow(
            key,
            point.name,
            *self._face(key, point),
            hint=self._hint(key, point),
            gone=self._gone(key, point),
            choices=self.sides,
            chosen=self.draft.points.get(key),
            usual=self.usual_side,
            nobody=self._nobody(key, point),
            errors=tuple(self.errors.get(key, ())),
        )

    def _gone(self, key: str, point: Point) -> str:
        """Why a point has no buttons: buried, the same card as another, or decided by card points."""
        if key in self.buried:
            return "buried, so nobody has it"
        if leader := self.same.get(key):
            return f"same card as {self.table.points[leader].name}"
        return self._counted() if point.card == "game" else ""

    def _counted(self) -> str:
        """Game as decided by card points: "Team A: Ann and Cy, 43 to 37"; empty if they do not."""
        decided, counts = self.game, self.card_points
        if decided is None:
            return ""
        figures = " to ".join(figure(counts[choice.value]) for choice in self.sides if choice.value in counts)
        is_tied = len(leaders(counts)) > 1
        why = tie_rule(self.table.rules, len(self.sides)) if is_tied and self.table.rules.game.tie != "nobody" else ""
        if why and self.usual_side is None:  # the tie depends on the bidder
            return f"{figures}. {why}"
        return f"{self._titles[decided.side] if decided.side else 'Nobody'}, {figures}{why and f'. {why}'}"

    def _nobody(self, key: str, point: Point) -> str:
        """Label of the nobody button; empty if a side must have the point, unless nobody was tapped already."""
        if self.draft.points.get(key) != NOBODY and not self.may_be_nobodys(key):
            return ""
        game = self.table.rules.game
        may_favor = game.tie != "nobody" and len(self.sides) > 2  # then the tie may have no favored side
        return "tie" if point.card == "game" and game.award == "most" and not may_favor else "none"

    def _face(self, key: str, point: Point) -> tuple[str, str]:
        card = self.cards.get(key)
        if card is not None:
            return card, card_name(card)
        face = FACES.get(point.card, point.card)
        suit = self.draft.trump if point.card in TRUMP_ENDS and self.draft.trump else ""
        name = POINT_CARDS.get(point.card, point.name).removeprefix("most ").removesuffix(" in play")
        return face + suit, card_name(face) if face in JOKERS else f"the {name}"

    def _hint(self, key: str, point: Point) -> str:
        """Hint for a point: its worth if more than one, who gets it, and its worth when captured."""
        worth = counted(point.worth, "point") if point.worth > 1 else ""
        captured = "" if point.captured is None else f"{point.captured} if {CAPTURED}"
        game, owner = self.table.rules.game, OWNER_HINTS[point.owner]
        if point.card == "game":
            owner = "most card points" if game.award == "most" else f"{counted(game.at_least, 'card point')} or more"
            if self.draft.points.get(key) == NOBODY and game.tie != "nobody":
                owner = tie_rule(self.table.rules, len(self.sides))
        return ", ".join(filter(None, (worth, owner, captured)))

    # --- card points ---

    @property
    def counts(self) -> list[tuple[SideChoice, str, int | None]]:
        """Each side's card points: as typed, and as derived from the others'."""
        if self.table.game_key is None:
            return []
        typed = [(side, self.typed.get(side.value, "")) for side in self.sides]
        return [(side, text, None if text else self.card_points.get(side.value)) for side, text in typed]

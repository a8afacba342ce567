"""What the page shows of the points: one row each with its card and whose it may be, and the card points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from scorekeeper.scoring.cards import JOKERS, OFF_SUIT
from scorekeeper.scoring.parts import Point
from scorekeeper.scoring.table import BIDDING, DEFENDING, Side
from scorekeeper.scoring.vocabulary import ENDS, SUIT_ENDS, TRUMP_ENDS
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.numbers import counted, figure
from scorekeeper.web.common.words import card_name, listed, point_name
from scorekeeper.web.wording.card_point_sentences import tie_rule
from scorekeeper.web.wording.turn_up_sentences import WHO_HAD, if_captured

from . import messages as say
from .draft import NOBODY, SWEEP
from .points import Points

MOST_SIDES_IN_A_ROW = 3
FACES = {"highest": "▲", "lowest": "▼", "lowest-natural": "▼", "first-trick": "1", "last-trick": "★", "game": "game"}
FACES |= OFF_SUIT | {end: f"{FACES[end[:-2]]}{end[-1]}" for end in SUIT_ENDS}  # ▲S


class SideChoice(NamedTuple):
    """One segment of a row: a side, as a letter or a short name, and in full for those who listen."""

    value: Side
    label: str
    title: str
    css: str
    badge: str | None


class Count(NamedTuple):
    """One side's card points: as typed, and as worked out from the others'."""

    value: Side
    label: str
    title: str
    css: str
    badge: str | None
    typed: str
    worked_out: int | None


class Row(NamedTuple):
    """One point: its card, what to know about it, and whose it may be; `gone` says why nobody can have it."""

    key: str
    name: str
    face: str
    face_name: str
    hint: str = ""
    gone: str | None = None
    choices: tuple[SideChoice, ...] = ()
    chosen: str | None = None
    usual: str | None = None
    usual_title: str = ""
    nobody: str = ""
    errors: tuple[str, ...] = ()
    field: str = ""


class PointsPage:
    """The rows of the points; `typed` are the card points as they were typed, `errors` what is wrong by place."""

    def __init__(
        self, points: Points, narrator: Narrator, typed: Mapping[Side, str], errors: Mapping[str, Sequence[str]]
    ) -> None:
        self.points = points
        self.table = points.table
        self.draft = points.draft
        self.narrator = narrator
        self.typed = typed
        self.errors = errors

    @property
    def hint(self) -> str:
        if self.many_sides:
            return say.TAP_MANY
        if len(self.sides) == 2 and not self.table.rules.auction.is_held:
            return say.TAP_DEALERS
        return say.TAP_OTHERS if self.table.changing_sides or not self.table.teams else say.TAP_TEAMS

    # --- the sides ---

    @cached_property
    def many_sides(self) -> bool:
        return len(self.sides) > MOST_SIDES_IN_A_ROW

    @cached_property
    def sides(self) -> tuple[SideChoice, ...]:
        return tuple(self._side(side) for side in self.draft.side_names(self.table))

    def _side(self, side: Side) -> SideChoice:
        if side in (BIDDING, DEFENDING):
            return self._changing_side(side)
        names = [self.narrator.names[seat - 1] for seat in self.table.seats_of(side)]
        if self.table.teams:
            return SideChoice(side, side, f"Team {side}: {listed(names)}", f"u-{side}", side)
        return SideChoice(side, self.narrator.seat(int(side)), names[0], "", None)

    def _changing_side(self, side: Side) -> SideChoice:
        if side == DEFENDING:
            return SideChoice(side, say.OTHERS, say.THE_OTHERS, "u-B wide", None)
        sides, names = self.draft.sides(self.table), self.narrator.names
        bidding = [names[seat - 1] for seat in self.table.seats if sides and sides.of_seat[seat] == BIDDING]
        return SideChoice(side, say.BIDDER, listed(bidding) or say.BIDDING_SIDE, "u-A wide", None)

    def _title(self, side: str | None) -> str:
        return self._titles.get(side or "", "")

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {choice.value: choice.title for choice in self.sides}

    # --- the rows ---

    @cached_property
    def rows(self) -> list[Row]:
        rows = [row for key, point in self.table.points.items() for row in self._rows_of(key, point)]
        return [*rows, self.sweep_row] if self.draft.needs_sweep(self.table) else rows

    def _rows_of(self, key: str, point: Point) -> list[Row]:
        """The row of a point, and who was dealt its card where it is worth more when captured."""
        row = self._row(key, point)
        return [row, self._dealt_row(row)] if key in self.points.players else [row]

    def _dealt_row(self, row: Row) -> Row:
        usual = self.points.taker_of(row.key)
        chosen = self.draft.played_by.get(row.key)
        told = row._replace(field=f"by-{row.key}", hint=WHO_HAD, nobody="", errors=())
        return told._replace(usual=usual, usual_title=self._title(usual), chosen=chosen)

    def _row(self, key: str, point: Point) -> Row:
        face, face_name = self._face(key, point)
        if gone := self._gone(key, point):
            return Row(key, point_name(key), face, face_name, gone=gone)
        usual = self.points.usual_side
        return Row(
            key,
            point_name(key),
            face,
            face_name,
            hint=self._hint(point),
            choices=self.sides,
            chosen=self.draft.points.get(key),
            usual=usual,
            usual_title=self._title(usual),
            nobody=self._nobody(key, point),
            errors=tuple(self.errors.get(key, ())),
        )

    def _gone(self, key: str, point: Point) -> str:
        """Why there is nothing to tap for a point: buried, decided by the counts, or the same card as another."""
        if self.points.is_buried(key):
            return say.POINT_IS_BURIED
        if leader := self.points.leader_of(key):
            return say.goes_along(leader)
        return self._counted() if point.card == "game" else ""

    def _counted(self) -> str:
        """How the card points decide Game, once they do: "43 to 37: Team A"."""
        decided, counts = self.points.game, self.points.counts
        if decided is None:
            return ""
        figures = " to ".join(figure(counts[choice.value]) for choice in self.sides if choice.value in counts)
        is_tied = list(counts.values()).count(max(counts.values())) > 1
        why = tie_rule(self.table.rules, len(self.sides)) if is_tied and self.table.rules.game.tie != "nobody" else ""
        if why and self.points.usual_side is None:  # who has it depends on who bid
            return f"{figures}. {why}"
        return f"{figures}: {self._title(decided.side) if decided.side else 'nobody'}{why and f'. {why}'}"

    def _nobody(self, key: str, point: Point) -> str:
        """What the segment for nobody says; empty where somebody must have the point, unless nobody was tapped."""
        if self.draft.points.get(key) != NOBODY and not self.points.may_be_nobodys(key):
            return ""
        game = self.table.rules.game
        may_favor = game.tie != "nobody" and len(self.sides) > 2  # then who tied decides, and nobody need have it
        return "tie" if point.card == "game" and game.award == "most" and not may_favor else "none"

    def _face(self, key: str, point: Point) -> tuple[str, str]:
        card = self.points.card_of(key)
        if card is not None:
            return card, card_name(card)
        face = FACES.get(point.card, point.card)
        suit = self.draft.trump if point.card in TRUMP_ENDS and self.draft.trump else ""
        name = card_name(face) if face in JOKERS else f"the {point_name(key)}"
        return face + suit, say.FACE_NAMES.get(point.card, name)

    def _hint(self, point: Point) -> str:
        """What to know of a point: what it is worth where that is more than one, and who gets it."""
        worth = counted(point.worth, "point") if point.worth > 1 else ""
        return ", ".join(filter(None, (worth, self._owner_hint(point), if_captured(point.captured))))

    def _owner_hint(self, point: Point) -> str:
        if point.card != "game":
            return say.OWNER_HINTS[point.owner] if point.card in ENDS else ""
        game = self.table.rules.game
        if self.draft.points.get(point.key) == NOBODY and game.tie != "nobody":
            return tie_rule(self.table.rules, len(self.sides))
        return say.MOST_CARD_POINTS if game.award == "most" else say.needs_card_points(game.at_least)

    @property
    def sweep_row(self) -> Row:
        """Whether the bidding side took every trick, for a bid that is made by that alone."""
        usual_side = self.points.usual_side
        return Row(
            SWEEP,
            say.EVERY_TRICK,
            "★",
            say.TOOK_EVERY_TRICK,
            choices=tuple(choice for choice in self.sides if choice.value == usual_side),
            chosen=self.draft.points.get(SWEEP),
            usual=(usual := self.points.sweeper or NOBODY),
            usual_title=self._title(usual),
            nobody="no",
        )

    # --- card points ---

    @property
    def counts_hint(self) -> str:
        return say.card_points(self.points.total)

    @cached_property
    def counts(self) -> list[Count]:
        if not any(point.card == "game" for point in self.table.rules.points):
            return []
        return [self._count(side) for side in self.sides]

    def _count(self, side: SideChoice) -> Count:
        typed = self.typed.get(side.value, "")
        worked_out = None if typed else self.points.counts.get(side.value)
        return Count(side.value, side.label, side.title, side.css, side.badge, typed, worked_out)

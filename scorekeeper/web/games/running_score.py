"""A game's score and players after any of its hands, scored again only from the hand that differs."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

from scorekeeper.models import Game, seated
from scorekeeper.scoring.game import Outcome, WinCheck, next_dealer
from scorekeeper.scoring.hand import score_hand
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_hand
from scorekeeper.scoring.table import Seat, Unit
from scorekeeper.services.change_log import Slot


class Point(NamedTuple):
    """A game after some of its hands: `totals` and `outcome` as `replay` gives them, and who sat where.

    `finishers` played the last hand that counts. `beyond` are the scores with the hands after the end, and `check` has
    seen the hands up to it. Once one after the end cannot be scored, none is: the game is `stopped`.
    """

    totals: dict[Unit, int]
    outcome: Outcome | None
    names: Sequence[str]
    finishers: Sequence[str]
    beyond: dict[Unit, int]
    dealer: Seat | None
    check: WinCheck
    stopped: bool = False

    @property
    def winners(self) -> tuple[Unit, ...]:
        return self.outcome.winners if self.outcome else ()


class RunningScore:
    """Follows a game through its changes: mostly one hand more, so mostly one hand is scored.

    `scored` counts them. Two hands are the same one where they are the same object, as between two states of a log.
    """

    def __init__(self, game: Game) -> None:
        self.table = game.table
        self.scored = 0
        totals = {unit: (game.start or {}).get(unit, 0) for unit in self.table.units}
        self._slots: list[Slot] = []
        self._points = [Point(totals, None, game.names, game.names, totals, None, WinCheck(self.table, totals))]

    def after(self, slots: Sequence[Slot]) -> Point:
        """The game after these hands. Raises Refused where one that counts cannot be scored."""
        same = self._same(slots)
        if same < len(slots):
            del self._slots[same:], self._points[same + 1 :]
            for slot in slots[same:]:
                self._points.append(self._next(self._points[-1], slot))
                self._slots.append(slot)
        return self._points[len(slots)]

    def _same(self, slots: Sequence[Slot]) -> int:
        """How many of the hands, from the first, are those that were scored last."""
        pairs = enumerate(zip(slots, self._slots, strict=False))
        return next((index for index, (one, other) in pairs if one is not other), min(len(slots), len(self._slots)))

    def _next(self, last: Point, slot: Slot) -> Point:
        names = seated(last.names, [slot.facts]) if "names" in slot.facts else last.names
        if last.stopped:
            return last._replace(names=names)
        self.scored += 1
        try:
            score = score_hand(self.table, read_hand(slot.facts, self.table), last.dealer, last.beyond)
        except Refused:
            if last.outcome is None:
                raise
            return last._replace(names=names, stopped=True)
        dealer = next_dealer(self.table, score)
        if last.outcome:
            return last._replace(names=names, beyond=score.totals, dealer=dealer)
        check = copy(last.check)
        won = check.after(score)
        outcome = won and won._replace(hand=len(self._points))
        return Point(score.totals, outcome, names, names, score.totals, dealer, check)

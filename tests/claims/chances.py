"""An independent implementation of docs/odds.md: a table of all scores for two units, else simulated games."""

import json
from collections import Counter
from functools import cached_property
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from tests.claims.book import Book, Game
from tests.scoring import reference

DATA = Path(__file__).parents[2] / "scorekeeper" / "simulator" / "data"
NUMBERS = (10, 25, 50, 100, 200, 400, 800)
SIMULATED = 10
RUNS, THEIR_RUNS = 2_500, 2_000
LOWEST = 3
Scores = tuple[int, ...]


def known(book: Book, game: Game) -> Counter[str]:
    """The outcomes of the club's hands before a game that its chances are computed from: whole games, oldest first."""
    about = game.rules["id"], game.players, game.teams
    alike = [one for one in book.games if one.counts and (one.rules["id"], one.players, one.teams) == about]
    before = [outcomes(one) for one in alike if book.when(one) < book.when(game)]
    wanted = max((number for number in NUMBERS if number <= sum(map(len, before))), default=0)
    found: Counter[str] = Counter()
    while found.total() < wanted:
        found.update(before.pop(0))
    return found


def outcomes(game: Game) -> list[str]:
    """Each scored hand as the changes of the units' scores, in the order of play from the bidder's unit."""
    found = []
    for verdict in game.verdicts:
        if verdict["bid"] is not None:
            first = game.units.index(game.unit_of(verdict["bidder"]))
            around = game.units[first:] + game.units[:first]
            found.append(",".join(str(verdict["change"][unit]) for unit in around))
    return found


def simulated(game: Game) -> Counter[str]:
    """Outcomes of the simulated hands for that table; house rules other than those about winning are not supported."""
    entries = json.loads((DATA / f"{game.rules['id']}.json").read_text("utf-8"))
    about = {}, game.players, game.teams
    (entry,) = (one for one in entries if (one["options"], one["players"], one["teams"]) == about)
    found: Counter[str] = Counter()
    for outcome, count in entry["outcomes"].items():
        found[outcome.partition(":")[2]] += count
    return found


class Chances:
    """The chances of winning in a game."""

    def __init__(self, book: Book, game: Game) -> None:
        self.game, self.units = game, game.units
        own, made_up = known(book, game), simulated(game)
        self.own = own.total()
        weights: dict[str, float] = {key: SIMULATED * count / made_up.total() for key, count in made_up.items()}
        for key, count in own.items():
            weights[key] = weights.get(key, 0) + count
        whole = sum(weights.values())
        self.steps = [(tuple(map(int, key.split(","))), weight / whole) for key, weight in weights.items()]
        self._ends: dict[Any, Any] = {}
        self._sampled: dict[Scores, list[float]] = {}

    def at(self, totals: dict[str, int]) -> dict[str, float]:
        """Each unit's chance of winning from these scores."""
        scores = tuple(totals[unit] for unit in self.units)
        if len(self.units) == 2:
            first, second = map(self._kept, scores)
            return dict(zip(self.units, (self._table[first, second], 1 - self._table[first, second]), strict=True))
        if scores not in self._sampled:
            self._sampled[scores] = self._sample(scores)
        return dict(zip(self.units, self._sampled[scores], strict=True))

    def off_by(self, chance: float) -> float:
        """The allowed difference in percentage points: rounding and, for simulated games, four standard errors."""
        seen = (chance * RUNS + 4) / (RUNS + 8)  # an event absent from RUNS games may be possible
        drawn = 0 if len(self.units) == 2 else 1 / RUNS
        return 0.6 + 400 * sqrt(seen * (1 - seen) * (drawn + 1 / THEIR_RUNS))

    @cached_property
    def moves(self) -> list[tuple[int, Scores, float]]:
        """The possible outcomes of a hand: bidder, changes of the scores in the order of the units, probability."""
        many = len(self.units)
        return [
            (bidder, tuple(step[(place - bidder) % many] for place in range(many)), share / many)
            for step, share in self.steps
            for bidder in range(many)
        ]

    def _over(self, bidder: int, changes: Scores, before: Scores, after: Scores) -> tuple[str, ...]:
        win = self.game.rules["win"]
        mark = min(win["target"], win["early"]["at"] if win["early"] else win["target"])
        if max(after) < mark:
            return ()
        asked = bidder, changes, after, before if win["early"] else ()
        if asked not in self._ends:
            self._ends[asked] = self._asked(win, bidder, changes, before, after)
        return self._ends[asked]

    def _asked(self, win: Any, bidder: int, changes: Scores, before: Scores, after: Scores) -> tuple[str, ...]:
        then, now = (dict(zip(self.units, scores, strict=True)) for scores in (before, after))
        side = [bidder]
        if self.game.rules["table"]["sides"] == "called-partner":
            same = [place for place, change in enumerate(changes) if place != bidder and change == changes[bidder]]
            side += same if len(same) == 1 else []
        made = [self.units[place] for place in side] if changes[bidder] >= 0 else []
        winners, _ = reference.crossed(self.game.rules, now, self.units[bidder], made, {}, {})
        return tuple(winners or reference.early(win, [then, now], made)[0])

    # --- two units ---

    @cached_property
    def _bounds(self) -> tuple[int, int]:
        changes = [change for step, _ in self.steps for change in step]
        return -LOWEST * max(1, *(-change for change in changes)), self.game.rules["win"]["target"] + 2 * max(changes)

    def _kept(self, total: int) -> int:
        lowest, highest = self._bounds
        return min(max(total, lowest), highest)

    @cached_property
    def _table(self) -> dict[Scores, float]:
        """The first unit's chance at every score, by iteration until no value changes by more than 1e-5."""
        lowest, highest = self._bounds
        every = [(one, other) for one in range(lowest, highest + 1) for other in range(lowest, highest + 1)]
        every.sort(key=sum, reverse=True)
        rows = {state: self._row(state) for state in every}
        found, moved = dict.fromkeys(every, 0.5), 1.0
        while moved > 1e-5:
            moved = 0.0
            for state in every:
                sure, leads_to = rows[state]
                value = sure + sum(share * found[other] for other, share in leads_to)
                moved, found[state] = max(moved, abs(value - found[state])), value
        return found

    def _row(self, state: Scores) -> tuple[float, list[tuple[Scores, float]]]:
        sure, leads_to = 0.0, Counter[Scores]()
        for bidder, changes, share in self.moves:
            after = state[0] + changes[0], state[1] + changes[1]
            if winners := self._over(bidder, changes, state, after):
                sure += share * (self.units[0] in winners) / len(winners)
            else:
                leads_to[self._kept(after[0]), self._kept(after[1])] += share  # type: ignore[assignment]
        return sure, list(leads_to.items())

    # --- more than two units ---

    def _sample(self, scores: Scores) -> list[float]:
        lot, won = Random(f"{scores}"), dict.fromkeys(self.units, 0.0)
        weights = [share for _, _, share in self.moves]
        for _ in range(RUNS):
            now, winners = scores, ()
            while not winners:
                for bidder, changes, _ in lot.choices(self.moves, weights, k=8):
                    before, now = now, tuple(map(sum, zip(now, changes, strict=True)))
                    if winners := self._over(bidder, changes, before, now):
                        break
            for unit in winners:
                won[unit] += 1 / len(winners)
        return [count / RUNS for count in won.values()]

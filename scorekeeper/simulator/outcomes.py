"""Counted outcomes of simulated hands, generated once by `python -m tools.outcomes` and kept as data.

An outcome is `<bid>:<change>,<change>,...`: the bid, and the change of each unit's score, in the order of play from the
bidder's own unit. The rules of winning do not affect it, so one count serves a rule set to 11 and to 21; nor does the
direction of the deal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.record import find_table
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table

from .evaluation import draw_styles
from .hands import play_game

Options = dict[str, object]  # overrides of a rule set
DATA = Path(__file__).parent / "data"
BLOCK = 500  # hands simulated from one seed
FALLBACK_HANDS = 300  # hands simulated on demand, for rules that resemble no kept count
NOT_OF_A_HAND = ("id", "name", "summary", "source", "win")
NOT_OF_A_TABLE = ("players", "teams", "direction")  # seats are numbered in the order of the deal, in both directions


class TableOutcomes(NamedTuple):
    """One entry of the data: a table, by its rule set and overrides, and its outcomes.

    `begins` is a hash of the outcomes of the first block, by which a test notices that the simulator has changed.
    """

    rules: str
    options: Options
    players: int
    teams: int
    outcomes: dict[str, int]
    begins: str

    @property
    def table(self) -> Table:
        return find_table(self.rules, self.players, self.teams, self.options)


# --- finding ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def find_outcomes(table: Table) -> Mapping[str, int]:
    """The outcomes for a table: of its own rules, else of the most similar ones, else of a few hands simulated now."""
    points = sum(table.worth.values())
    alike = [
        kept
        for kept in stored_outcomes()
        if (kept.players, kept.teams) == (table.players, table.teams) and sum(kept.table.worth.values()) == points
    ]
    if not alike:
        return simulate_block(table, "made up 0", FALLBACK_HANDS)
    wanted = hand_rules(table.rules)
    return min(alike, key=lambda kept: len(wanted ^ hand_rules(kept.table.rules))).outcomes


@cache
def stored_outcomes() -> tuple[TableOutcomes, ...]:
    return tuple(
        TableOutcomes(**entry) for path in sorted(DATA.glob("*.json")) for entry in json.loads(path.read_text("utf-8"))
    )


@lru_cache(maxsize=128)
def hand_rules(rules: RuleSet) -> frozenset[tuple[str, str]]:
    """The rules that affect the play and the settlement of a hand, as (field, value) pairs."""
    data = rules.to_dict()
    for section in NOT_OF_A_HAND:
        del data[section]
    data["deck"].pop("redeal", None)
    for name in NOT_OF_A_TABLE:
        del data["table"][name]
    points = [{key: value for key, value in point.items() if key != "called"} for point in data.pop("points")]
    flat = {f"{section}.{name}": value for section, inner in data.items() for name, value in inner.items()}
    flat |= {f"points.{point['key']}": point for point in points}
    return frozenset((name, json.dumps(value, sort_keys=True)) for name, value in flat.items())


# --- making -----------------------------------------------------------------------------------------------------


def outcome_of(table: Table, score: HandScore) -> str:
    """The outcome of a scored hand."""
    first = table.units.index(table.unit_of[score.bidder or 1])
    around = table.units[first:] + table.units[:first]
    return f"{score.bid}:{','.join(str(score.change[unit]) for unit in around)}"


def simulate_block(table: Table, seed: str, hands: int = BLOCK) -> Counter[str]:
    """Simulate `hands` hands of games among players of random styles, and count their outcomes."""
    rng, counted = Random(seed), Counter[str]()  # noqa: S311
    while counted.total() < hands:
        _, score = play_game(table, rng, draw_styles(rng, table.players), rng.choice(table.seats))
        scored = [outcome_of(table, hand) for hand in score.hands if hand.status == "scored"]
        counted.update(scored[: hands - counted.total()])
    return counted

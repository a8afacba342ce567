"""How simulated hands come out, counted: made once by `python -m scorekeeper.simulator.outcomes`, kept as data.

An outcome is `<bid>:<change>,<change>,...`: the bid, and what the hand changed each unit's score by, in the order of
play from the bidder's own unit. The rules of winning do not matter to it, so one count serves a rule set to 11 and
to 21; nor does it matter which way round the deal goes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.record import find_table
from scorekeeper.scoring.rules import RuleSet, catalogue, team_formats, variations
from scorekeeper.scoring.table import Table
from scorekeeper.simulator.evaluation import draw_styles

from .games import play_game

Options = dict[str, object]  # what a table changes of its rule set
DATA = Path(__file__).parent / "data"
HANDS = 20_000
HANDS_ELSEWHERE = 2_000  # of games that are not in the five source documents: fewer, until clubs play them
BLOCK = 500  # hands simulated from one seed
MADE_UP = 300  # hands simulated when they are asked for, under rules that no kept count comes near to
NOT_OF_A_HAND = ("id", "name", "summary", "source", "win")
NOT_OF_A_TABLE = ("players", "teams", "direction")  # seats are numbered as the deal goes, whichever way


class Simulated(NamedTuple):
    """Outcomes of simulated hands; not `exact` where they come from rules that differ in some house rule."""

    outcomes: Mapping[str, int]
    exact: bool

    @property
    def hands(self) -> int:
        return sum(self.outcomes.values())


class TableOutcomes(NamedTuple):
    """One entry of the data: a table, by its rule set and what it changes of it, and its outcomes."""

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
def find_outcomes(table: Table) -> Simulated:
    """The outcomes for a table: of its own rules, else of the nearest, else of a few hands simulated now."""
    points = sum(table.worth.values())
    alike = [
        kept
        for kept in all_kept()
        if (kept.players, kept.teams) == (table.players, table.teams) and _points(kept) == points
    ]
    if not alike:
        return Simulated(_counted(table, "made up", MADE_UP), exact=False)
    wanted = _of_a_hand(table.rules)
    nearest = min(alike, key=lambda kept: len(wanted ^ _of_a_hand(kept.table.rules)))
    return Simulated(nearest.outcomes, exact=wanted == _of_a_hand(nearest.table.rules))


@cache
def all_kept() -> tuple[TableOutcomes, ...]:
    """Everything that is kept."""
    return tuple(
        TableOutcomes(**entry) for path in sorted(DATA.glob("*.json")) for entry in json.loads(path.read_text("utf-8"))
    )


def _points(kept: TableOutcomes) -> int:
    return sum(kept.table.worth.values())


@lru_cache(maxsize=128)
def _of_a_hand(rules: RuleSet) -> frozenset[tuple[str, str]]:
    """The rules that a hand is played and settled by, field by field."""
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
    """The outcomes of that many hands, out of games among players of all tempers."""
    rng, counted = Random(seed), Counter[str]()  # noqa: S311
    while counted.total() < hands:
        _, score = play_game(table, rng, draw_styles(rng, table.players), rng.choice(table.seats))
        scored = [outcome_of(table, hand) for hand in score.hands if hand.status == "scored"]
        counted.update(scored[: hands - counted.total()])
    return counted


def _counted(table: Table, seed: str, hands: int) -> Counter[str]:
    counted = Counter[str]()
    for block in range(-(-hands // BLOCK)):
        counted.update(simulate_block(table, f"{seed} {block}", min(BLOCK, hands - counted.total())))
    return counted


def seed_of(rules: str, options: Options, players: int, teams: int) -> str:
    """What the seeds of a table's blocks begin with; the block's number follows."""
    return json.dumps([rules, options, players, teams], sort_keys=True)


def fingerprint(outcomes: Mapping[str, int]) -> str:
    """A short hash of the outcome counts."""
    return hashlib.sha256(json.dumps(outcomes, sort_keys=True).encode()).hexdigest()[:16]


def wanted_tables(rules: RuleSet) -> Iterator[tuple[Options, int, int]]:
    """Every table format of a rule set, and of its house rules that change what comes of a hand."""
    yield from (({}, *sizes) for sizes in _formats(rules))
    for house in variations(rules.id):
        changed = rules.override(house.options)
        if _of_a_hand(changed) != _of_a_hand(rules):
            yield from ((house.options, *sizes) for sizes in _formats(changed))


def _formats(rules: RuleSet) -> Iterator[tuple[int, int]]:
    for players in rules.table.players:
        for teams in team_formats(players, rules.table.teams) if rules.table.sides == "teams" else (0,):
            yield players, teams


def make(rules: str, options: Options, players: int, teams: int, hands: int = HANDS) -> TableOutcomes:
    """Simulate one entry of the data."""
    table, seed = find_table(rules, players, teams, options), seed_of(rules, options, players, teams)
    outcomes = dict(sorted(_counted(table, seed, hands).items()))
    return TableOutcomes(rules, options, players, teams, outcomes, fingerprint(simulate_block(table, f"{seed} 0")))


def main(wanted: Iterable[str]) -> None:
    """Make the data of the catalogue's rule sets, or of those that are named."""
    named = list(wanted)
    for rules in catalogue():
        if not named or rules.id in named:
            hands = HANDS if rules.source[:3].isdecimal() else HANDS_ELSEWHERE
            entries = [make(rules.id, *table, hands=hands)._asdict() for table in wanted_tables(rules)]
            lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
            (DATA / f"{rules.id}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

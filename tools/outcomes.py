"""Generate the package data of simulated hands' outcomes: `python -m tools.outcomes [RULES ...]`."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from scorekeeper.scoring.record import find_table
from scorekeeper.scoring.rules import RuleSet, catalogue, variations
from scorekeeper.scoring.table import Table
from scorekeeper.simulator.outcomes import BLOCK, DATA, Options, TableOutcomes, hand_rules, simulate_block

HANDS = 20_000
HANDS_ELSEWHERE = 2_000  # for games outside the five source documents: fewer, until clubs play them


def seed_of(rules: str, options: Options, players: int, teams: int) -> str:
    """Return the prefix of the seeds of a table's blocks; the block's number follows."""
    return json.dumps([rules, options, players, teams], sort_keys=True)


def fingerprint(outcomes: Mapping[str, int]) -> str:
    """Return a short hash of outcome counts."""
    return hashlib.sha256(json.dumps(outcomes, sort_keys=True).encode()).hexdigest()[:16]


def wanted_tables(rules: RuleSet) -> Iterator[tuple[Options, int, int]]:
    """Yield every table format of a rule set, and of its house rules that change the outcomes of hands."""
    yield from (({}, *sizes) for sizes in _formats(rules))
    for house in variations(rules.id):
        changed = rules.override(house.options)
        if hand_rules(changed) != hand_rules(rules):
            yield from ((house.options, *sizes) for sizes in _formats(changed))


def _formats(rules: RuleSet) -> Iterator[tuple[int, int]]:
    for players in rules.table.players:
        for teams in rules.table.formats(players):
            yield players, teams


def simulate(table: Table, seed: str, hands: int) -> Counter[str]:
    """Like `simulate_block`, in blocks of BLOCK hands, each with its own seed."""
    counted = Counter[str]()
    for block in range(-(-hands // BLOCK)):
        counted.update(simulate_block(table, f"{seed} {block}", min(BLOCK, hands - counted.total())))
    return counted


def make(rules: str, options: Options, players: int, teams: int, hands: int = HANDS) -> TableOutcomes:
    """Simulate one entry of the data."""
    table, seed = find_table(rules, players, teams, options), seed_of(rules, options, players, teams)
    outcomes = dict(sorted(simulate(table, seed, hands).items()))
    return TableOutcomes(rules, options, players, teams, outcomes, fingerprint(simulate_block(table, f"{seed} 0")))


def main(wanted: Iterable[str]) -> None:
    """Generate the data of all rule sets in the catalogue, or of those named."""
    named = list(wanted)
    for rules in catalogue():
        if not named or rules.id in named:
            hands = HANDS if rules.source[:3].isdecimal() else HANDS_ELSEWHERE
            entries = [make(rules.id, *table, hands=hands)._asdict() for table in wanted_tables(rules)]
            lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
            (DATA / f"{rules.id}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

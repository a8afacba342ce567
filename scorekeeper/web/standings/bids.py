"""How bids have paid: somebody's, or everybody's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from scorekeeper import charts
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules
from scorekeeper.stats import profiles
from scorekeeper.stats.profiles import LEAST_BIDS, Taken
from scorekeeper.web.wording.player_sentences import SEVERAL_RULES, TOO_FEW_BIDS, best_bids, no_best_bid


class BidLine(NamedTuple):
    """One size of bid, as it is called."""

    name: str
    taken: Taken


class Bids:
    """How the bids of somebody, or of everybody, have paid."""

    def __init__(self, taken: Sequence[Taken], rules_ids: Iterable[str]) -> None:
        rules = [find_rules(rules_id) for rules_id in rules_ids if rules_id in CATALOGUE]
        self.lines = [BidLine(bid_name(int(bid.name), rules), bid) for bid in taken]
        self.under_several = len(rules) > 1
        self._best = profiles.best_paying(taken)

    @property
    def hands(self) -> int:
        return sum(line.taken.taken for line in self.lines)

    @property
    def has_few(self) -> bool:
        return any(line.taken.is_few for line in self.lines)

    @property
    def least(self) -> int:
        return LEAST_BIDS

    @property
    def best(self) -> str:
        """Which bid pays best, or why none is named."""
        enough = [line for line in self.lines if not line.taken.is_few]
        if self.under_several:
            return SEVERAL_RULES
        if len(enough) < 2:
            return TOO_FEW_BIDS
        if not self._best:
            highest = max(enough, key=lambda line: line.taken.worth)
            return no_best_bid(highest.name, highest.taken)
        names = {line.taken.name: line.name for line in self.lines}
        return best_bids([names[bid.name] for bid in self._best], self._best)

    @cached_property
    def chart(self) -> charts.Chart:
        return charts.made_and_set([charts.BidCount(line.name, line.taken.made, line.taken.set) for line in self.lines])


def bid_name(bid: int, rules: Iterable[RuleSet]) -> str:
    """A bid as it is called: its number; or, where a rule set has a name for it, that."""
    auctions = [one.auction for one in rules]
    names = sorted({special.name for auction in auctions for special in auction.specials if special.bid == bid})
    is_number = any(auction.min <= bid <= auction.max for auction in auctions)
    return " or ".join([str(bid), *names] if is_number or not names else names)

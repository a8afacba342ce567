"""Records and awards, ready to be shown. Guests hold none: they are named in no table, chart or record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from scorekeeper.scoring.rules import CATALOGUE, find_rules
from scorekeeper.stats.awards import Award
from scorekeeper.stats.counts import PlayerId
from scorekeeper.stats.records import Found
from scorekeeper.web.wording.record_sentences import ALL_RULES, AWARDS, NO_CHAMPION, RECORDS, deed_text, some_names
from scorekeeper.web.wording.words import listed

from .bids import bid_name
from .game_filter import rules_name

BID = "bid"


@dataclass(frozen=True, slots=True)
class Feat:
    """A record or an award, ready to be shown; `number` is the game it links to, `said` the text beside it."""

    title: str
    value: str
    who: str
    said: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The records of games under one rule set, or of all games."""

    title: str
    feats: tuple[Feat, ...]


def grouped(found: Sequence[Found], names: Mapping[PlayerId, str]) -> list[Group]:
    """The records, those of each rule set together. `names` are those of all players but the guests."""
    return [
        Group(rules_name(rules_id) if rules_id else ALL_RULES, tuple(_feat(one, names) for one in group))
        for rules_id, group in groupby(found, key=lambda one: one.rules_id)
    ]


def _feat(found: Found, names: Mapping[PlayerId, str]) -> Feat:
    words, deed = RECORDS[found.key], found.best.deed
    who = listed([names[player] for player in deed.players if player in names])
    return Feat(words.title, _value(found), who, deed_text(found), deed.number)


def _value(found: Found) -> str:
    """A record's number; a bid as it is called."""
    value = found.best.deed.value
    if found.key == BID and found.rules_id in CATALOGUE:
        return bid_name(value, [find_rules(found.rules_id)])
    return RECORDS[found.key].value(value)


# --- awards -------------------------------------------------------------------------------------------------------


def champion(names: Sequence[str], worth: str, rule: str) -> Feat:
    """Who leads the table, or has won it."""
    return Feat("Champion", worth, some_names(names) if names else "", rule if names else NO_CHAMPION)


def award_of(award: Award, names: Mapping[PlayerId, str]) -> Feat:
    """An award; of one that nobody has yet, what it takes."""
    words = AWARDS[award.key]
    if not award.holders:
        return Feat(words.title, "", "", words.nobody(award))
    return Feat(words.title, words.value(award), some_names([names[one] for one in award.holders]), words.rule)

"""Records and awards, ready to be shown. Guests hold none: they are named in no table, chart or record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Game
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.stats.counting import PlayerId
from scorekeeper.stats.records import Award, Found
from scorekeeper.stats.schemes import Scheme
from scorekeeper.web.common.words import listed
from scorekeeper.web.wording.record_sentences import (
    ALL_RULES,
    AWARDS,
    RECORDS,
    champion_title,
    deed_text,
    some_names,
)
from scorekeeper.web.wording.season_sentences import counting, worth_said

from .bids import bid_name
from .game_filter import rules_names
from .table import Shown

BID = "bid"
MOST_EQUALED = 5


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


def grouped(found: Sequence[Found], names: Mapping[PlayerId, str], club: Club) -> list[Group]:
    """The records, those of each rule set together. `names` are those of all players but the guests.

    A record that was equaled often is none.
    """
    found = [one for one in found if one.best.again <= MOST_EQUALED]
    titles = {"": ALL_RULES} | rules_names(club, [one.rules_id for one in found if one.rules_id])
    rules = _rules_of(club, [one.best.deed.number for one in found if one.key == BID])
    return [
        Group(titles[rules_id], tuple(_feat(one, names, rules) for one in group))
        for rules_id, group in groupby(found, key=lambda one: one.rules_id)
    ]


def _rules_of(club: Club, numbers: Sequence[int]) -> dict[int, RuleSet]:
    """The rules of some games by their numbers, house rules and all."""
    asked = select(Game.number, Game.rules).where(Game.club_id == club.id, Game.number.in_(numbers))
    return {number: RuleSet.from_dict(rules) for number, rules in db.session.execute(asked)}


def _feat(found: Found, names: Mapping[PlayerId, str], rules: Mapping[int, RuleSet]) -> Feat:
    words, deed = RECORDS[found.key], found.best.deed
    who = listed([names[player] for player in deed.players if player in names])
    return Feat(words.title, _value(found, rules), who, deed_text(found), deed.number)


def _value(found: Found, rules: Mapping[int, RuleSet]) -> str:
    """A record's number; a bid as it was called in that game."""
    deed = found.best.deed
    if found.key == BID and deed.number in rules:
        return bid_name(deed.value, [rules[deed.number]])
    return RECORDS[found.key].value(deed.value)


# --- awards -------------------------------------------------------------------------------------------------------


def champions(table: Shown, scheme: Scheme) -> list[Feat]:
    """Who leads the table, or has won it; of a season with divisions, who leads each of them."""
    divisions = [(name, rows) for name, rows in table.divisions if name] or [("", table.rows)]
    leaders = {name: [row for row in rows if row.place == "1"] for name, rows in divisions}
    return [
        Feat(
            champion_title(name),
            worth_said(first[0].worth, scheme),
            some_names([row.name for row in first]),
            counting(scheme),
        )
        for name, first in leaders.items()
        if first
    ]


def given(awards: Sequence[Award], names: Mapping[PlayerId, str]) -> list[Feat]:
    """The awards that somebody has."""
    return [
        Feat(words.title, words.value(award), some_names([names[one] for one in award.holders]), words.rule)
        for award in awards
        if award.holders and (words := AWARDS[award.key])
    ]

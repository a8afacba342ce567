"""Records and awards, ready to be shown. Guests hold none: they are named in no table, chart or record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.models import Club
from scorekeeper.stats import records
from scorekeeper.stats.awards import Award, awards
from scorekeeper.stats.counts import PlayerId
from scorekeeper.stats.query import Choice
from scorekeeper.stats.records import Best, Deed, Rows
from scorekeeper.stats.standings import Standings, partnerships
from scorekeeper.web.wording.record_sentences import AWARDS, NO_CHAMPION, RECORDS, deed_text, some_names
from scorekeeper.web.wording.words import listed

Found = tuple[str, Best | None]


@dataclass(frozen=True, slots=True)
class Feat:
    """A record or an award, ready to be shown; `number` is the game it links to, `said` the text beside it."""

    title: str
    value: str
    who: str
    said: str
    number: int | None = None


# --- records ------------------------------------------------------------------------------------------------------


def from_results(rows: Rows, names: Mapping[PlayerId, str]) -> list[Feat]:
    """The records that results give. `names` are those of all players but the guests."""

    def ours(deeds: Iterable[Deed]) -> list[Deed]:
        return [deed for deed in deeds if not deed.players or any(player in names for player in deed.players)]

    scores = ours(records.scores(rows))
    found: list[Found] = [
        ("highest", records.best(scores)),
        ("lowest", records.best(scores, lowest=True)),
        ("margin", records.best(ours(records.margins(rows)))),
        ("streak", records.best(ours(records.streaks(rows)))),
        ("length", records.best(records.lengths(rows))),
        ("sets", records.best(records.sets(rows))),
    ]
    return [
        _feat(key, best, listed([names[player] for player in best.deed.players if player in names]))
        for key, best in found
        if best
    ]


def from_hands(club: Club, choice: Choice) -> list[Feat]:
    """The records that take the hands themselves."""
    deeds = records.deeds(club, choice)
    ours = records.NotByGuests(club)
    found: list[Found] = [
        ("bid", records.best(ours.of(one.bid for one in deeds if one.bid))),
        ("comeback", records.best(ours.of(one.comeback for one in deeds if one.comeback))),
        ("sweep", records.best(ours.of(deed for one in deeds for deed in one.whole))),
    ]
    return [_feat(key, best, listed(ours.names_of(best.deed))) for key, best in found if best]


def _feat(key: str, found: Best, who: str) -> Feat:
    words = RECORDS[key]
    return Feat(words.title, words.value(found.deed.value), who, deed_text(found), found.deed.number)


# --- awards -------------------------------------------------------------------------------------------------------


def all_awards(club: Club, choice: Choice, rows: Rows, table: Standings) -> list[Feat]:
    """The awards of a season; of one that nobody has yet, what it takes."""
    names = {line.player.id: line.player.name for line in (*table.lines, *table.hidden)}
    given = awards(rows, names, partnerships(club, choice))
    return [_award(one, names) for one in given]


def champion(names: Sequence[str], worth: str, rule: str) -> Feat:
    """Who leads the table, or has won it."""
    return Feat("Champion", worth, some_names(names) if names else "", rule if names else NO_CHAMPION)


def _award(award: Award, names: Mapping[PlayerId, str]) -> Feat:
    words = AWARDS[award.key]
    if not award.holders:
        return Feat(words.title, "", "", words.takes)
    return Feat(words.title, words.value(award), some_names([names[one] for one in award.holders]), words.rule)

"""What rules would have changed: a club's last games scored once more under them, as far as that can be known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from scorekeeper.models import Club, Facts
from scorekeeper.scoring.game import Game, GameScore, replay
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_hand
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table
from scorekeeper.services.game_reader import Snapshot, read_games
from scorekeeper.web.common.narrator import Narrator, by_score
from scorekeeper.web.common.words import ScoreWords
from scorekeeper.web.rulebook import messages as say

MOST_GAMES = 20
MOST_HANDS = 1_000  # of all of them together, the games before them are left out; usual games have some twelve each


class RulePreview(NamedTuple):
    """What would have been different, by kind and number of game; how many games would not, or cannot be told."""

    changed: dict[str, dict[int, str]]
    same: int
    unknown: int

    @property
    def says(self) -> list[str]:
        """All of it in sentences."""
        changed = [said for kind in say.KINDS for said in say.changed(kind, self.changed.get(kind, {}))]
        return [*changed, *say.others(self.same, self.unknown, any_changed=bool(changed))]


def preview_rules(rules: RuleSet, club: Club, before: RuleSet) -> RulePreview:
    """The last finished games of the club, of the last few that were played, for as many players as the rules are.

    A game whose hands say too little is counted only if it was played by the rule set that these began with, `before`.
    """
    same, unknown, left = 0, 0, MOST_HANDS
    changed: dict[str, dict[int, str]] = {}
    for game in _comparable(rules, read_games(club.id, 0, MOST_GAMES)):
        left -= game.length
        if left < 0:
            break
        score = _rescored(game, rules)
        if score is None:
            unknown += game.table.rules.id == before.id
        elif _end(score) == _end(game.score):
            same += 1
        else:
            kind, told = _told(game, score, rules)
            changed.setdefault(kind, {})[game.number] = told
    return RulePreview(changed, same, unknown)


def _comparable(rules: RuleSet, games: Iterable[Snapshot]) -> list[Snapshot]:
    """Finished games with hands at a table that the rules have as well."""
    return [
        game
        for game in games
        if not game.paper
        and game.score.outcome
        and rules.table.sides == game.table.rules.table.sides
        and _table(rules, game.table.players, game.table.teams)
    ]


@lru_cache(maxsize=64)
def _table(rules: RuleSet, players: int, teams: int) -> Table | None:
    """The table where these rules are for so many."""
    try:
        return Table(rules, players, teams)
    except Refused:
        return None


def _rescored(game: Snapshot, rules: RuleSet) -> GameScore | None:
    """The game with the same hands under these rules; None where that cannot be known."""
    table, facts = _table(rules, game.table.players, game.table.teams), game.facts
    if table is None or not all(_tells_enough(hand, game.table.rules, rules) for hand in facts):
        return None
    try:
        hands = tuple(read_hand(hand, table) for hand in facts)
        return replay(Game(table, hands, start=game.replayed.played.start))
    except Refused:
        return None


def _tells_enough(facts: Facts, before: RuleSet, after: RuleSet) -> bool:
    """Whether a hand as it was written down says what it comes to under other rules.

    Tricks do, where the same cards are dealt. Taken cards do where the same cards win tricks. Points alone do where
    they are the same points for the same cards.
    """
    if _deck(before) != _deck(after):
        return False
    if "tricks" in facts:
        return True
    if (before.trump, before.play) != (after.trump, after.play):
        return False
    return "piles" in facts or (before.game == after.game and _points(before) == _points(after))


def _deck(rules: RuleSet) -> tuple[object, ...]:
    deck = rules.deck
    return deck.ranks, deck.jokers, deck.hand, deck.deal, deck.kitty, deck.draw, deck.rob, deck.undealt


def _points(rules: RuleSet) -> set[tuple[str, str, str]]:
    """The points without what they are worth."""
    return {(point.key, point.card, point.owner) for point in rules.points}


def _end(score: GameScore) -> tuple[object, ...]:
    return (score.outcome.winners, score.outcome.hand, score.totals) if score.outcome else ()


def _told(game: Snapshot, score: GameScore, rules: RuleSet) -> tuple[str, str]:
    """What would have been different, and which kind of difference that is."""
    last, number = len(game.score.hands), game.number
    then = Narrator(game.table, game.names_at(last))
    was = [then.team(unit) for unit in game.score.winners]
    if score.outcome is None:
        return say.GONE_ON, say.gone_on(number, _line(score, rules), was, last)
    narrator = Narrator(game.table, game.names_at(score.outcome.hand))
    now, hand = [narrator.team(unit) for unit in score.winners], score.outcome.hand
    if score.winners != game.score.winners:
        return say.OTHERS, say.won(number, now, hand, was, last)
    if hand == last:
        return say.OTHER_SCORE, say.other_score(number, _line(score, rules), _line(game.score, game.table.rules))
    return say.SOONER if hand < last else say.LATER, say.won(number, now, hand, was, last)


def _line(score: GameScore, rules: RuleSet) -> str:
    return " to ".join(map(ScoreWords(rules.win).score, by_score(score.totals, score.winners).values()))

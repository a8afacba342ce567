"""What rules would have changed: a club's last games scored once more under them, as far as that can be known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from scorekeeper.models import Club, Facts
from scorekeeper.scoring.game import GameScore, replay
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import FORMAT, read_game
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table
from scorekeeper.snapshot import Snapshot, read_games
from scorekeeper.web.wording import past_sentences as say
from scorekeeper.web.wording.narrator import Narrator
from scorekeeper.web.wording.score_words import ScoreWords

MOST_GAMES = 20
MOST_HANDS = 1_000  # of all of them together, the games before them are left out; usual games have some twelve each


class Past(NamedTuple):
    """What would have been different, a sentence a game, and how many games would not or cannot be told."""

    changed: list[str]
    same: int
    unknown: int

    @property
    def says(self) -> list[str]:
        """All of it in sentences."""
        return [*self.changed, *say.others(self.same, self.unknown, any_changed=bool(self.changed))]


def past_under(rules: RuleSet, club: Club) -> Past:
    """The last finished games of the club, of the last few that were played, for as many players as the rules are."""
    data, changed, same, unknown, left = rules.to_dict(), [], 0, 0, MOST_HANDS
    for game in _comparable(rules, read_games(club.id, 0, MOST_GAMES)):
        left -= game.length
        if left < 0:
            break
        score = _rescored(game, rules, data)
        if score is None:
            unknown += 1
        elif _end(score) == _end(game.score):
            same += 1
        else:
            changed.append(_told(game, score, rules))
    return Past(changed, same, unknown)


def _comparable(rules: RuleSet, games: Iterable[Snapshot]) -> list[Snapshot]:
    """Finished games with hands at a table that the rules have as well."""
    return [game for game in games if not game.paper and game.score.outcome and _has_table(rules, game.table)]


def _has_table(rules: RuleSet, table: Table) -> bool:
    if rules.table.sides != table.rules.table.sides:
        return False
    try:
        Table(rules, table.players, table.teams)
    except Refused:
        return False
    return True


def _rescored(game: Snapshot, rules: RuleSet, data: dict[str, Any]) -> GameScore | None:
    """The game with the same hands under these rules; None where that cannot be known."""
    text = game.replayed.text
    if not all(_tells_enough(facts, game.table.rules, rules) for facts in game.replayed.facts):
        return None
    record = {"format": FORMAT, "rules": data, "players": text.players, "teams": text.teams}
    start = {"start": dict(game.replayed.played.start)} if game.replayed.played.start else {}
    try:
        return replay(read_game({**record, **start, "hands": list(game.replayed.facts)}))
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


def _deck(rules: RuleSet) -> Any:
    deck = rules.deck
    return deck.ranks, deck.jokers, deck.hand, deck.deal, deck.kitty, deck.draw, deck.rob, deck.undealt


def _points(rules: RuleSet) -> set[tuple[str, str, str]]:
    """The points without what they are worth."""
    return {(point.key, point.card, point.owner) for point in rules.points}


def _end(score: GameScore) -> tuple[Any, ...]:
    return (score.outcome.winners, score.outcome.hand) if score.outcome else ()


def _told(game: Snapshot, score: GameScore, rules: RuleSet) -> str:
    then = Narrator(game.table, game.names_at(len(game.score.hands)))
    was = [then.team(unit) for unit in game.score.winners]
    if score.outcome is None:
        totals = list(map(ScoreWords(rules.win).score, score.totals.values()))
        return say.gone_on(game.number, totals, was, len(game.score.hands))
    narrator = Narrator(game.table, game.names_at(score.outcome.hand))
    now = [narrator.team(unit) for unit in score.winners]
    return say.won(game.number, now, score.outcome.hand, was, len(game.score.hands))

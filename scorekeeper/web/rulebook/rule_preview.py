"""The effect of changed rules: a club's last games rescored under them, as far as possible."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from scorekeeper.models import Club, Facts
from scorekeeper.scoring.game import Game, GameScore, replay
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_hand
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.services.game_reader import Snapshot, read_games
from scorekeeper.web.common.narrator import Narrator, by_score
from scorekeeper.web.common.numbers import ScoreWords, counted
from scorekeeper.web.common.words import listed

MOST_GAMES = 20
MOST_HANDS = 1_000  # in total; earlier games are left out. A usual game has about twelve
MOST_TOLD = 2  # games of one kind of difference that get a sentence each
# Kinds of difference, as worded for several games.
KINDS = OTHERS, SOONER, LATER, GONE_ON, OTHER_SCORE = (
    "would have had other winners",
    "would have been won sooner",
    "would have been won later",
    "would have gone on after their last hand",
    "would have ended with another score",
)


def preview_rules(rules: RuleSet, club: Club, before: RuleSet) -> list[str]:
    """Sentences on the last finished games whose table the rules allow: what would have been different.

    A game that cannot be rescored is mentioned only if it was played under the original rules, `before`.
    """
    same, unknown, left = 0, 0, MOST_HANDS
    changed: dict[str, dict[int, str]] = {kind: {} for kind in KINDS}
    for game in read_games(club.id, 0, MOST_GAMES):
        table = _table_of(game, rules)
        if table is None:
            continue
        left -= game.length
        if left < 0:
            break
        score = _rescored(game, table)
        if score is None:
            unknown += game.table.rules.id == before.id
        elif _end(score) == _end(game.score):
            same += 1
        else:
            kind, said = _difference(game, score, rules)
            changed[kind][game.number] = said
    return _told(changed, same, unknown)


def _told(changed: dict[str, dict[int, str]], same: int, unknown: int) -> list[str]:
    """A sentence for each game, or for many of a kind; then the number of games without a difference."""
    told: list[str] = []
    for kind, games in changed.items():
        numbers = listed(list(map(str, sorted(games))))
        many = f"{counted(len(games), 'game')} {kind}: {numbers}."
        told += games.values() if len(games) <= MOST_TOLD else [many]
    if same:
        told.append(f"{counted(same, 'other game' if told else 'game')} would have ended the same.")
    if unknown:
        whose = "its" if unknown == 1 else "their"
        told.append(
            f"{counted(unknown, 'game')} cannot be scored under these rules: {whose} cards, points or bids do not fit."
        )
    return told


def _table_of(game: Snapshot, rules: RuleSet) -> Table | None:
    """The table of a finished game with hands, under other rules; None if they do not allow it."""
    played = game.table
    if game.paper or game.score.outcome is None or rules.table.sides != played.rules.table.sides:
        return None
    return _table(rules, played.players, played.teams)


@lru_cache(maxsize=64)
def _table(rules: RuleSet, players: int, teams: int) -> Table | None:
    """The table for these rules and numbers; None if the rules do not allow it."""
    try:
        return Table(rules, players, teams)
    except Refused:
        return None


def _rescored(game: Snapshot, table: Table) -> GameScore | None:
    """The game rescored at a table with other rules; None if that is not possible."""
    if not all(_is_sufficient(hand, game.table.rules, table.rules) for hand in game.facts):
        return None
    try:
        hands = tuple(read_hand(hand, table) for hand in game.facts)
        return replay(Game(table, hands, start=game.replayed.played.start))
    except Refused:
        return None


def _is_sufficient(facts: Facts, before: RuleSet, after: RuleSet) -> bool:
    """True if the recorded hand determines its result under other rules.

    Tricks do if the same cards are dealt; piles if also the same cards win tricks; claims if also the points and their
    cards are the same.
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
    """The points without their worth."""
    return {(point.key, point.card, point.owner) for point in rules.points}


def _end(score: GameScore) -> tuple[object, ...]:
    return (score.outcome.winners, score.outcome.hand, score.totals) if score.outcome else ()


def _difference(game: Snapshot, score: GameScore, rules: RuleSet) -> tuple[str, str]:
    """The kind of difference, and its sentence."""
    last, number, line = len(game.score.hands), game.number, _line(score, rules)
    before = _winners(game, game.score.winners, last)
    if score.outcome is None:
        return GONE_ON, f"Game {number} would have gone on after hand {last}, at {line}. {before} won it there."
    hand, is_other = score.outcome.hand, score.winners != game.score.winners
    if hand == last and not is_other:
        return OTHER_SCORE, f"Game {number} would have ended {line}, not {_line(game.score, game.table.rules)}."
    now = _winners(game, score.winners, hand)
    if now == before:
        sooner = "already" if hand < last else "only"
        said = f"{now} would have won game {number} {sooner} at hand {hand}, not hand {last}."
    else:
        said = f"{now} would have won game {number} at hand {hand}. {before} won it at hand {last}."
    return OTHERS if is_other else SOONER if hand < last else LATER, said


def _winners(game: Snapshot, winners: Sequence[Unit], hand: int) -> str:
    """The winners, by the names at the table in that hand."""
    narrator = Narrator(game.table, game.names_at(hand))
    return listed([narrator.team(unit) for unit in winners])


def _line(score: GameScore, rules: RuleSet) -> str:
    return " to ".join(map(ScoreWords(rules.win).score, by_score(score.totals, score.winners).values()))

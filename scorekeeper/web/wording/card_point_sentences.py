"""Card points in sentences: what each card counts, how many win Game, and who has it when sides tie."""

from __future__ import annotations

from scorekeeper.scoring.cards import JOKERS
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.web.common.words import in_turn, point_name, rank_name

from .card_rule_sentences import Chapter

WINS_GAME = {
    "most": "The most card points win Game.",
    "at-least": "A side needs at least {least} to win Game.",
}
FAVORED = {
    "bidder": "the bidder’s side",
    "dealer": "the dealer’s side",
    "eldest": "the side of the player after the dealer",
}
IF_TIED = ", if it is among those that tie, and else to nobody"


def game_chapter(rules: RuleSet) -> Chapter:
    game = rules.game
    if not any(point.card == "game" for point in rules.points):
        return Chapter("Card points", ["There is no point for card points in these rules."])
    cards = (*rules.deck.ranks, *JOKERS[: rules.deck.jokers])
    table = [(rank_name(rank), str(value)) for rank, value in game.values.items() if value and rank in cards]
    wins = WINS_GAME[game.award].format(least=game.at_least)
    said = f"Each side adds up the card points in the tricks it won. {wins} {tie_rule(rules)}"
    return Chapter("Card points", [said], table=table)


def tie_rule(rules: RuleSet, sides: int | None = None) -> str:
    """Who has the point for card points when sides tie; where points decide it, which first and which after it.

    `sides` is how many a table has, where it is about one.
    """
    game = rules.game
    if game.tie == "nobody":
        return "A tie counts for nobody."
    many = _has_many_sides(rules) if sides is None else sides > 2
    if game.tie in FAVORED:
        return f"A tie goes to {FAVORED[game.tie]}{IF_TIED if many else ''}."
    first, *others = [f"the {point_name(key)}" for key in game.tie_points]
    then = f" If nobody has it, {in_turn(others)} decides." if others else ""
    return f"A tie goes to the tied side that has {first}.{then}"


def _has_many_sides(rules: RuleSet) -> bool:
    """Whether more than two sides can play against each other in a hand."""
    table = rules.table
    alone = table.sides == "solo" or 0 in table.teams
    return (alone and max(table.players) > 2) or max(table.teams, default=0) > 2

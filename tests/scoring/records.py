"""Short notations for game records and scores in tables of tests.

Cards are separated by blanks, groups by semicolons: `"A: AH KH; B: 2H"`. A bid is `seat:bid`, with `p` for a pass.
"""

from typing import Any

import pytest

from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.play import legal_cards, trick_winner
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import score_record
from scorekeeper.scoring.rules import CATALOGUE, find_rules
from scorekeeper.scoring.table import Table

# The rule sets of the five source documents; other documented games are in test_charts_family.py.
DOCUMENTED = tuple(rules for rules in CATALOGUE if find_rules(rules).source[:3].isdecimal())


def chart(columns: str, *rows: tuple[Any, ...]) -> pytest.MarkDecorator:
    """Parametrize by the rows of a chart; the first column is the test id."""
    return pytest.mark.parametrize(columns, [pytest.param(*row[1:], id=row[0]) for row in rows])


# --- writing records --------------------------------------------------------------------------------------------


def cards(text: str) -> list[str]:
    return text.split()


def grouped(text: str) -> dict[str, list[str]]:
    """`"A: AH KH; B: 2H"` as `{"A": ["AH", "KH"], "B": ["2H"]}`."""
    parts = (part.partition(":") for part in text.split(";") if part.strip())
    return {name.strip(): words.split() for name, _, words in parts}


def claims(text: str) -> dict[str, str | None]:
    """Parse `"A: high low; B: game"` into the claims of a record; `-: jack` gives null."""
    return {point: None if side == "-" else side for side, points in grouped(text).items() for point in points}


def calls(text: str) -> list[dict[str, Any]]:
    """Parse `"1:2 2:p 3:smudge"` into the bids of a record."""
    return [{"seat": int(seat), "bid": _bid(bid)} for seat, bid in (call.split(":") for call in text.split())]


def _bid(text: str) -> int | str:
    return {"p": "pass"}.get(text) or (int(text) if text.lstrip("-").isdigit() else text)


def tricks(*lines: str) -> list[dict[str, Any]]:
    """Parse `"1: AH KH 2H 3H"`: the leader, then the cards in the order of play."""
    return [{"lead": int(lead), "cards": cards.split()} for lead, cards in (line.split(":") for line in lines)]


def hand(bidder: int | None, bid: int | str | None, took: str = "", **more: Any) -> dict[str, Any]:
    """The facts of a hand given by claims; a value of None removes a key, so that `piles` or `bids` can replace it."""
    facts = {"dealer": 1, "bidder": bidder, "bid": bid, "trump": "H", "claims": claims(took), **more}
    if more.keys() & {"piles", "tricks"}:
        facts["claims"] = None
    return {key: value for key, value in facts.items() if value is not None or (key == "partner" and key in more)}


def record(rules: str, *hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"format": "setback-game/1", "rules": rules, **more, "hands": list(hands)}


def score(rules: str, *hands: dict[str, Any], **more: Any) -> GameScore:
    return score_record(record(rules, *hands, **more))


def score_hand(rules: str, facts: dict[str, Any], **more: Any) -> HandScore:
    return score(rules, facts, **more).hands[0]


def refusals(game: object) -> list[tuple[str, str]]:
    """All problems of a record as (place, sentence)."""
    with pytest.raises(Refused) as refused:
        score_record(game)
    return [(problem.at, problem.message) for problem in refused.value.problems]


# --- reading scores ---------------------------------------------------------------------------------------------


def signed(numbers: dict[str, int]) -> str:
    """`{"A": 5, "B": -2}` as "A +5, B -2"."""
    return ", ".join(f"{unit} {number:+d}" for unit, number in numbers.items())


def plain(numbers: dict[str, int]) -> str:
    """`{"A": 5, "B": -2}` as "A 5, B -2"."""
    return ", ".join(f"{unit} {number}" for unit, number in numbers.items())


def points(scored: HandScore, like: str = "") -> str:
    """The side of each point or the reason for none: "high A, jack not dealt"; only points in `like`, if given."""
    names = [part.split()[0] for part in like.split(", ") if part] or list(scored.points)
    return ", ".join(f"{name} {scored.points[name].side or scored.points[name].why}" for name in names)


def ended(game: GameScore) -> str:
    """The state of a game: "A by target", "2 4 5 by share", or "goes on"."""
    return f"{' '.join(game.outcome.winners)} by {game.outcome.reason}" if game.outcome else "goes on"


def bidding(rules: str, dealer: int, text: str, *, also: dict[str, Any] | None = None, **more: Any) -> str:
    """The outcome of an auction: "2 at 4", "passed out, 3 deals", or "refused at bids[1]"."""
    facts = {"dealer": dealer, "bids": calls(text)}
    played: dict[str, Any] = {"trump": "H", "claims": {}, **(also or {})}
    if all(call["bid"] == "pass" for call in facts["bids"]):
        played = {}
    try:
        game = score(rules, {**facts, **played}, **more)
    except Refused as refused:
        return f"refused at {refused.problems[0].at.removeprefix('hands[0].')}"
    scored = game.hands[0]
    if scored.status == "passed-out":
        return f"passed out, {game.next_dealer} deals"
    return f"{scored.bidder} at {scored.bid}"


# --- playing tricks ---------------------------------------------------------------------------------------------


def wins(rules: str, trump: str, cards: str) -> str:
    """The card that wins a trick; the first card is led."""
    played = cards.split()
    return played[trick_winner(played, Table(find_rules(rules)).trumps[trump])]


def may_play(rules: str, trump: str, led: str, held: str) -> str:
    """The held cards that may be played on that lead."""
    allowed = legal_cards(held.split(), led, Table(find_rules(rules)).trumps[trump])
    return " ".join(card for card in held.split() if card in allowed)


def beaten_in_order(rules: str, trump: str, order: str) -> bool:
    """True if every card of a list beats every later one, whichever of the two is led."""
    cards = order.split()
    pairs = [(high, low) for place, high in enumerate(cards) for low in cards[place + 1 :]]
    return all(wins(rules, trump, f"{a} {b}") == high for high, low in pairs for a, b in ((high, low), (low, high)))

"""Records to measure with: legally played hands at three levels of detail; and simulated games of every rule set."""

from __future__ import annotations

import random
from typing import Any

from scorekeeper.scoring.game import score_game
from scorekeeper.scoring.play import legal_cards, trick_winner
from scorekeeper.scoring.record import FORMAT, read_game, score_output, write_hand
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.rules.fields import WinRules
from scorekeeper.scoring.table import Table
from scorekeeper.simulator import draw_styles
from scorekeeper.simulator.hands import CLAIMS, PILES, PLAY, PlayedHand, facts_of, play_hand

RULES = "west-michigan-6"


def played_hand(seed: int) -> dict[str, Any]:
    """A hand of six-player West Michigan, dealt at random, with random legal play, trick by trick."""
    rng, table = random.Random(seed), Table(find_rules(RULES))
    deck = rng.sample(table.deck, len(table.deck))
    hands = {seat: deck[(seat - 1) * 6 : seat * 6] for seat in table.seats}
    leader = bidder = rng.choice(list(table.seats))
    lead = rng.choice(hands[bidder])
    trump = lead[1] if lead[0] != "X" else rng.choice("SHDC")
    suit, tricks = table.trumps[trump], []
    for _ in range(6):
        cards: list[str] = []
        for turn in range(6):
            seat = (leader - 1 + turn) % 6 + 1
            first = not tricks and not cards
            card = lead if first else rng.choice(legal_cards(hands[seat], cards[0] if cards else None, suit))
            hands[seat].remove(card)
            cards.append(card)
        tricks.append({"lead": leader, "cards": cards})
        leader = (leader - 1 + trick_winner(cards, suit)) % 6 + 1
    bids = [{"seat": seat, "bid": 3 if seat == bidder else "pass"} for seat in table.seats]
    return {"dealer": 6, "bids": bids, "trump": trump, "buried": deck[36:], "tricks": tricks}


def as_piles(hand: dict[str, Any]) -> dict[str, Any]:
    """Return the same hand given by captured cards."""
    table = Table(find_rules(RULES))
    trump = table.trumps[hand["trump"]]
    piles: dict[str, list[str]] = {"A": [], "B": []}
    player = {}
    for trick in hand["tricks"]:
        seats = [(trick["lead"] - 1 + turn) % 6 + 1 for turn in range(6)]
        player.update(zip(trick["cards"], seats, strict=True))
        piles["AB"[(seats[trick_winner(trick["cards"], trump)] - 1) % 2]] += trick["cards"]
    low = trump.end_of("lowest", player)
    assert low is not None
    kept = {key: hand[key] for key in ("dealer", "bids", "trump", "buried")}
    return {**kept, "piles": piles, "low_by": "AB"[(player[low] - 1) % 2]}


def as_claims(hand: dict[str, Any]) -> dict[str, Any]:
    """Return the same hand given by claims: which side took which point."""
    scored = score_output(*_scored([hand]))["hands"][0]
    claims = {key: point["side"] for key, point in scored["points"].items()}
    outcome = {"dealer": 6, "bidder": scored["bidder"], "bid": scored["bid"]}
    return {**outcome, "trump": hand["trump"], "buried": hand["buried"], "claims": claims}


def _scored(hands: list[dict[str, Any]]) -> Any:
    game = read_game(record(hands))
    return game, score_game(game)


def record(hands: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a game record of these hands."""
    return {"format": FORMAT, "rules": RULES, "options": {"win.target": 999}, "hands": hands}


def records() -> dict[str, list[dict[str, Any]]]:
    """Return forty games of ten hands each, by level of detail."""
    games: dict[str, list[dict[str, Any]]] = {"claims": [], "piles": [], "tricks": []}
    for game in range(40):
        hands = [played_hand(game * 100 + number) for number in range(10)]
        games["tricks"].append(record(hands))
        games["piles"].append(record([as_piles(hand) for hand in hands]))
        games["claims"].append(record([as_claims(hand) for hand in hands]))
    return games


# --- every rule set ---------------------------------------------------------------------------------------------------

# What ends a game is switched off: none of the ways that are off by themselves, and a target that nobody reaches.
OFF = {name: field.default for name, field in WinRules.declared.items() if field.default in (None, "nobody")}
NO_END = OFF | {"target": 999}
LEVELS = {"claims": CLAIMS, "piles": PILES, "tricks": PLAY}


def simulated(rules_id: str, games: int = 8) -> dict[str, list[dict[str, Any]]]:
    """Return games of ten hands, bid and played by simulated players, by level of detail; none reaches its end."""
    options = {f"win.{name}": value for name, value in NO_END.items()}
    table, rng = Table(find_rules(rules_id).override(options)), random.Random(rules_id)
    styles = draw_styles(rng, table.players)
    told: dict[str, list[dict[str, Any]]] = {level: [] for level in LEVELS}
    for _ in range(games):
        played = [_plain_hand(table, rng, styles, number % table.players + 1) for number in range(10)]
        for level, detail in LEVELS.items():
            hands = [write_hand(facts_of(table, hand, detail, auction=level != "claims")) for hand in played]
            told[level].append({"format": FORMAT, "rules": rules_id, "options": options, "hands": hands})
    return told


def _plain_hand(table: Table, rng: random.Random, styles: Any, dealer: int) -> PlayedHand:
    """A hand with a bid that is not a special, which can end the game."""
    while True:
        played = play_hand(table, rng, styles, dealer, table.at_zero)
        if played.hand.tricks and played.hand.bid not in table.specials:
            return played

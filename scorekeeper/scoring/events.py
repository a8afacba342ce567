"""What scores before the play: cards turned up for trump, the gift to a player who begs, a misdeal."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .facts import Hand
from .problems import Problems
from .table import Seat, Table, Unit

NO_POINTS: Mapping[Unit, int] = MappingProxyType({})


def check_events(table: Table, hand: Hand, problems: Problems) -> None:
    """What happened before the play is something that these rules have."""
    if hand.turned_up is not None:
        _check_turned_up(table, hand.turned_up, problems)
    if hand.gift:
        _check_gift(table, hand, problems)
    if hand.misdeal:
        _check_misdeal(table, hand, problems)


def _check_gift(table: Table, hand: Hand, problems: Problems) -> None:
    if not table.rules.trump.gift:
        problems.add("no-gift", "gift", "under these rules nobody is given points for begging")
    if hand.turned_up is not None and len(hand.turned_up) > 1:
        problems.add("misplaced", "gift", "the dealer gives points or turns up another card, not both")


def _check_misdeal(table: Table, hand: Hand, problems: Problems) -> None:
    if not table.rules.deck.misdeal:
        text = "under these rules a misdeal scores nothing: leave the hand out, and set dealer in the next one"
        problems.add("no-misdeal", "misdeal", text)
    if hand.trump is not None or hand.bidder is not None:
        problems.add("misplaced", "misdeal", "after a misdeal nothing is played: leave out the misdeal or the play")


def _check_turned_up(table: Table, ranks: tuple[str, ...], problems: Problems) -> None:
    """No more cards turned up than there can be: each but the first comes after more were dealt."""
    most = table.most_runs + 1
    if not table.rules.trump.is_turned_up:
        problems.add("no-turn-up", "turned_up", "under these rules no card is turned up for trump")
    elif len(ranks) > most:
        text = f"at most {most} {'card is' if most == 1 else 'cards are'} turned up in a hand, not {len(ranks)}"
        problems.add("too-many-cards", "turned_up", text)


def points_of_events(table: Table, hand: Hand, dealer: Seat) -> Mapping[Unit, int]:
    """What each unit scores before the play; only those that score anything."""
    rules, turned = table.rules, 0
    for rank in hand.turned_up or ():
        turned += rules.trump.turned.get(rank, 0)
    if not hand.gift and not hand.misdeal:
        return {table.unit_of[dealer]: turned} if turned else NO_POINTS
    scored = dict.fromkeys(table.units, rules.deck.misdeal if hand.misdeal else 0)
    scored[table.unit_of[dealer]] = turned
    if hand.gift:
        scored[table.unit_of[table.next_seat(dealer)]] += rules.trump.gift
    return {unit: points for unit, points in scored.items() if points}

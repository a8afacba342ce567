"""The table: formats, seats, units, the sides of a hand, and the effects of each suit as trump."""

import pytest

from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table


@pytest.mark.parametrize(
    ("rules_id", "players", "teams", "units", "seats"),
    [
        ("west-michigan-6", None, None, "A B", {"A": (1, 3, 5), "B": (2, 4, 6)}),  # 000 2: Team A seats 1, 3, 5
        ("west-michigan-5", None, None, "1 2 3 4 5", {"1": (1,), "5": (5,)}),
        ("shankar", None, None, "A B", {"A": (1, 3), "B": (2, 4)}),  # rules.md: four play 2x2
        ("shankar", 4, 0, "1 2 3 4", {"3": (3,)}),
        ("shankar", 3, None, "1 2 3", {"3": (3,)}),
        ("shankar", 6, None, "A B", {"A": (1, 3, 5)}),
        ("shankar", 6, 3, "A B C", {"A": (1, 4), "B": (2, 5), "C": (3, 6)}),
        ("shankar", 6, 0, "1 2 3 4 5 6", {"6": (6,)}),
        ("partnership", 6, 3, "A B C", {"C": (3, 6)}),
    ],
)
def test_who_keeps_a_score(
    rules_id: str, players: int | None, teams: int | None, units: str, seats: dict[str, tuple[int, ...]]
) -> None:
    table = Table(find_rules(rules_id), players, teams)
    assert table.units == tuple(units.split())
    assert {unit: table.seats_of[unit] for unit in seats} == seats
    assert [table.unit_of[seat] for seat in table.seats] == [
        next(unit for unit in table.units if seat in table.seats_of[unit]) for seat in table.seats
    ]


@pytest.mark.parametrize(
    ("rules_id", "players", "teams", "at", "sentence"),
    [
        ("west-michigan-6", 4, None, "players", "these rules are for 6 players, not 4"),
        ("partnership", 5, None, "players", "these rules are for 4 or 6 players, not 5"),
        ("shankar", 7, 0, "players", "these rules are for 4 or 2 or 3 or 5 or 6 players, not 7"),
        ("shankar", 5, 2, "teams", "5 players play individually, not in 2 teams"),
        ("shankar", 6, 4, "teams", "6 players play in 2 or 3 teams or individually, not in 4 teams"),
        ("shankar", 2, 2, "teams", "2 players play individually, not in 2 teams"),
        ("west-michigan-6", 6, 0, "teams", "6 players play in 2 teams, not individually"),
        ("west-michigan-5", 5, 2, "teams", "5 players play individually, not in 2 teams"),
    ],
)
def test_a_table_that_the_rules_do_not_have(
    rules_id: str, players: int, teams: int | None, at: str, sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        Table(find_rules(rules_id), players, teams)
    assert [(problem.code, problem.at, problem.message) for problem in refused.value.problems] == [(at, at, sentence)]


def test_the_sides_of_teams_do_not_change_and_go_by_their_names_and_seats() -> None:
    table = Table(find_rules("west-michigan-6"))
    sides = table.sides(4)
    assert not table.calls_partner and not table.changing_sides
    assert sides.names == ("A", "B")
    assert sides.of_seat[1:] == ("A", "B", "A", "B", "A", "B")
    assert sides.bidding == "B"
    assert sides.of_unit == {"A": "A", "B": "B"}
    aliases = table.sides(1).aliases
    assert aliases["A"] == aliases["1"] == aliases[1] == aliases[5] == "A"
    assert aliases["B"] == aliases["6"] == aliases[6] == "B"
    assert len(aliases) == 14
    assert not aliases.keys() & {0, "0", 7, "7", "C", "a"}


@pytest.mark.parametrize(("bidder", "partner", "bidding"), [(1, 4, {1, 4}), (2, None, {2}), (5, 1, {1, 5})])
def test_a_called_partner_joins_the_bidder(bidder: int, partner: int | None, bidding: set[int]) -> None:
    """000 15.2: the remaining players form the opposing team, three of them or four."""
    table = Table(find_rules("west-michigan-5"))
    sides = table.sides(bidder, partner)
    assert table.calls_partner
    assert table.changing_sides
    assert sides.names == ("bidding", "defending")
    assert sides.bidding == "bidding"
    assert {seat for seat in table.seats if sides.of_seat[seat] == "bidding"} == bidding
    assert sides.of_unit == {str(seat): sides.of_seat[seat] for seat in table.seats}
    assert sides.aliases[bidder] == sides.aliases[str(bidder)] == sides.aliases["bidding"] == "bidding"
    assert sides is table.sides(bidder, partner)


@pytest.mark.parametrize(
    ("options", "partners"),
    [
        ({"table.partner_right": 2}, {1: 4, 2: 5, 3: 1, 4: 2, 5: 3}),  # rules.md: two places to the bidder's right
        ({"table.partner_right": 1}, {1: 5, 2: 1, 5: 4}),
        ({"table.partner_right": 5}, {3: 3}),
        # the place at the table is the same: with seat 2 at the right of seat 1, two places to the right is seat 3
        ({"table.direction": "right"}, {1: 3, 2: 4, 3: 5, 4: 1, 5: 2}),
    ],
)
def test_a_seat_partner_sits_to_the_right(options: dict[str, int | str], partners: dict[int, int]) -> None:
    seated = {"table.sides": "seat-partner", "table.players": [5]}
    table = Table(find_rules("shankar").override(seated | options))
    assert table.changing_sides and not table.calls_partner
    for bidder, partner in partners.items():
        of_seat = table.sides(bidder).of_seat
        assert {seat for seat in table.seats if of_seat[seat] == "bidding"} == {bidder, partner}


def test_the_deck_with_trumps_first() -> None:
    """000 4.2: trumps from the highest down, each card once; before trump is named, the deck in its order."""
    assert [Table(find_rules(rules_id)).buried for rules_id in ("double-jack", "classic")] == [4, 0]
    table = Table(find_rules("double-jack"))
    spades, hearts, clubs = "AS KS QS JS TS 9S 2S", "AH KH QH JH TH 9H 2H", "AC KC QC JC TC 9C 2C"
    trumps, diamonds = "AH KH QH JH JD TH 9H 2H", "AD KD QD TD 9D 2D"
    assert table.deck_by_strength("H") == tuple(f"{trumps} {spades} {diamonds} {clubs}".split())
    assert table.deck_by_strength(None) == tuple(f"{spades} {hearts} AD KD QD JD TD 9D 2D {clubs}".split())


def test_the_seats_in_the_order_of_play_from_any_of_them() -> None:
    table = Table(find_rules("west-michigan-5"))
    assert [table.seats_from(first) for first in (1, 3, 5)] == [(1, 2, 3, 4, 5), (3, 4, 5, 1, 2), (5, 1, 2, 3, 4)]
    assert [table.next_seat(seat) for seat in table.seats_from(3)] == [4, 5, 1, 2, 3]
    assert [Table(find_rules("west-michigan-6")).next_seat(seat) for seat in (1, 5, 6)] == [2, 6, 1]

"""Records and awards, worked out by hand."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from types import SimpleNamespace

import pytest

from scorekeeper import ledger, people
from scorekeeper.stats import awards, records
from scorekeeper.stats.query import Choice
from scorekeeper.stats.records import Deed
from scorekeeper.stats.standings import Partnership, Person, partnerships
from tests.classic import FOUR, SET, THREE_ONE, TWO_EACH, record, start_game

ANN, BO, CY, DI = range(1, 5)
LOST = {"bidder": 1, "bid": 2, "trump": "H", "claims": dict.fromkeys(("high", "low", "jack", "game"), "B")}
FOUR_BID = FOUR | {"bid": 4}


def row(player, number, won=0, shared=0, unit="A", **numbers):
    """A result; played on the day of the game's number unless it is said."""
    usual = dict.fromkeys(("points_for", "points_against", "bids", "made", "sets", "inflicted", "hands"), 0)
    usual |= {"games": 1, "mu": None, "mu_before": None, "played": date(2026, 1, number), "unit": unit}
    return SimpleNamespace(game_id=number, player_id=player, number=number, won=won, shared=shared, **usual | numbers)


def test_the_first_to_do_it_holds_the_record():
    deeds = [Deed(3, date(2026, 1, n), n) for n in (1, 2)] + [
        Deed(2, date(2026, 1, 3), 3),
        Deed(3, date(2026, 1, 4), 4),
    ]
    assert records.best(deeds) == records.Best(deeds[0], 3)
    assert records.best(deeds, lowest=True) == records.Best(deeds[2], 1)
    assert records.best([]) is None


def test_a_tie_that_the_bid_decided_is_no_biggest_win():
    """22 to 22, won by the bidder; then 21 to 20."""
    tie = [row(ANN, 1, won=1, points_for=22, points_against=22), row(ANN + 1, 1, unit="B", points_for=22)]
    won = [row(ANN, 2, won=1, points_for=21, points_against=20), row(ANN + 1, 2, unit="B", points_for=20)]
    assert records.margins(tie) == []
    assert [(deed.value, deed.number) for deed in records.margins(tie + won)] == [(1, 2)]


def test_streaks_end_with_a_shared_game_and_one_win_is_none():
    """Ann: won, won, shared, won, won, won, lost, won."""
    games = [(1, 0), (1, 0), (0, 1), (1, 0), (1, 0), (1, 0), (0, 0), (1, 0)]
    rows = [row(ANN, number, won, shared) for number, (won, shared) in enumerate(games, 1)]
    assert [(deed.value, deed.since, deed.number) for deed in records.streaks(rows)] == [(2, 1, 2), (3, 4, 6)]


def test_whoever_left_a_game_has_no_part_in_its_score(club):
    game = start_game(club)
    record(game, FOUR)
    ledger.substitute(game, 1, "Eve")
    record(game, FOUR, FOUR)
    names = {player.id: player.name for player in club.players}
    best = records.best(records.scores(records.results(club, Choice())))
    assert (best.deed.value, [names[one] for one in best.deed.players]) == (12, ["Eve", "Cy"])


def test_the_records_of_some_games(club):
    """Game 1: 12 to 0 in three hands. Game 2: five hands, one set: 11 to 6. Game 3: B wins 12 to -6, three set."""
    for hands in ((FOUR,) * 3, (THREE_ONE, SET, FOUR, FOUR, TWO_EACH), (LOST,) * 3):
        record(start_game(club), *hands)
    rows = records.results(club, Choice())
    found = {
        "highest": records.best(records.scores(rows)),
        "lowest": records.best(records.scores(rows), lowest=True),
        "margin": records.best(records.margins(rows)),
        "longest": records.best(records.lengths(rows)),
        "sets": records.best(records.sets(rows)),
    }
    assert {key: (best.deed.value, best.deed.number, best.times) for key, best in found.items()} == {
        "highest": (12, 1, 2), "lowest": (-6, 3, 1), "margin": (18, 3, 1), "longest": (5, 2, 1), "sets": (3, 3, 1),
    }  # fmt: skip


def test_only_the_latest_games_are_looked_at(club):
    for _ in range(4):
        record(start_game(club), FOUR, FOUR, FOUR)
    assert [row.number for row in records.results(club, Choice(), most=2)] == [3] * 4 + [4] * 4
    assert len(records.results(club, Choice(), most=4)) == 16
    assert [one.bid.number for one in records.deeds(club, Choice(), most=3)] == [2, 3, 4]


def test_what_takes_the_hands(club):
    """A is set three times, 6 behind with 12 to come: -2, -4, -6 to 3, 6, 9 would be the end; two hands are enough."""
    game = start_game(club)
    record(game, SET, SET, FOUR, FOUR, FOUR_BID, THREE_ONE)
    (done,) = records.deeds(club, Choice())
    # A: -2, -4, 0, 4, 8, 11; B: 3, 6, 6, 6, 6, 7
    assert game.score().totals == {"A": 11, "B": 7}
    assert (done.comeback.value, done.comeback.since) == (10, 2)
    assert records.NotByGuests(club).names_of(done.comeback) == ["Ann", "Cy"]
    assert (done.bid.value, done.bid.hand) == (4, 5)
    assert records.NotByGuests(club).names_of(done.bid) == ["Ann"]
    assert [(deed.value, deed.hand) for deed in done.whole] == [(4, 3), (4, 4), (4, 5)]


@pytest.mark.parametrize("hands", [[FOUR, FOUR, FOUR], [TWO_EACH, FOUR, FOUR, FOUR]], ids=["ahead", "level"])
def test_who_was_never_behind_did_not_come_back(club, hands):
    record(start_game(club), *hands)
    assert records.deeds(club, Choice())[0].comeback is None


def test_a_deed_is_the_bidders_who_sat_there_then_by_the_name_of_now(club):
    game = start_game(club)
    record(game, FOUR_BID)
    ledger.substitute(game, 1, "Eve")
    record(game, FOUR, FOUR)
    deed = records.deeds(club, Choice())[0].bid
    assert records.NotByGuests(club).names_of(deed) == ["Ann"]
    people.rename(next(player for player in club.players if player.name == "Ann"), "Anna")
    assert records.NotByGuests(club).names_of(records.deeds(club, Choice())[0].bid) == ["Anna"]


def test_a_game_that_changes_is_replayed_again(club):
    game = start_game(club)
    record(game, FOUR, FOUR, FOUR)
    assert records.deeds(club, Choice())[0].bid.value == 2
    ledger.correct_hand(game, 2, FOUR_BID, hand_version=2, token="c")
    assert records.deeds(club, Choice())[0].bid.value == 4


# --- awards -------------------------------------------------------------------------------------------------------


def given(rows, pairs=()):
    members = {one.player_id for one in rows}
    return {award.key: award for award in awards.awards(rows, members, pairs)}


def test_most_games_and_most_nights_are_shared_by_equals():
    rows = [row(player, number) for number in (1, 2, 3) for player in (ANN, BO)] + [row(CY, 4), row(CY, 5)]
    rows += [row(CY, 6, played=date(2026, 1, 5))]
    found = given(sorted(rows, key=lambda one: one.number))
    assert (found["games"].holders, found["games"].value) == ((ANN, BO, CY), 3)
    assert (found["iron"].holders, found["iron"].value, found["iron"].of) == ((ANN, BO), 3, 5)


def test_no_award_without_the_least_sample():
    rows = [row(ANN, number, bids=9, made=9) for number in (1, 2)]
    found = given(rows)
    assert [found[key].holders for key in ("iron", "bidder", "defender", "improved", "streak", "partners")] == [()] * 6


def test_the_best_bidder_took_twenty_bids():
    """Ann made 19 of 20, Bo 39 of 40, Cy all of 19."""
    rows = [row(ANN, 1, bids=20, made=19), row(BO, 1, bids=40, made=39), row(CY, 1, bids=19, made=19)]
    best = given(rows)["bidder"]
    assert (best.holders, best.value, best.of) == ((BO,), Fraction(39, 40), 40)


def test_most_sets_inflicted_and_the_longest_streak():
    rows = [row(ANN, n, 1, inflicted=2) for n in (1, 2, 3)] + [row(BO, n, n != 3, inflicted=3) for n in (1, 2, 3, 4)]
    found = given(sorted(rows, key=lambda one: one.number))
    assert (found["defender"].holders, found["defender"].value) == ((BO,), 12)
    assert (found["streak"].holders, found["streak"].value) == ((ANN,), 3)


def test_most_improved_counts_from_the_first_game_to_the_last():
    """Ann 25 to 27 in 8 games, Bo 25 to 30 in 7, Cy 30 to 29 in 8."""
    rows = []
    for player, first, last, games in ((ANN, 25, 27, 8), (BO, 25, 30, 7), (CY, 30, 29, 8)):
        step = (last - first) / games
        rows += [row(player, n, mu_before=first + step * (n - 1), mu=first + step * n) for n in range(1, games + 1)]
    best = given(sorted(rows, key=lambda one: one.number))["improved"]
    assert (best.holders, best.value, best.of) == ((ANN,), 2, 8)


def test_guests_are_given_nothing():
    rows = [row(ANN, 1), row(BO, 1), row(BO, 2)]
    assert awards.awards(rows, {ANN}, [])[0].holders == (ANN,)


def test_the_best_partners_have_played_eight_games_together():
    ann, bo, cy = (Person(number, name, False) for number, name in ((ANN, "Ann"), (BO, "Bo"), (CY, "Cy")))
    few, enough = Partnership(ann, bo, 7, 7, 0, 0, 40, 9), Partnership(ann, cy, 8, 5, 1, 2, 50, 9)
    best = given([row(ANN, 1)], [few, enough])["partners"]
    assert (best.holders, best.value, best.of) == ((ANN, CY), Fraction(11, 16), 8)


def test_partners_in_a_club(club):
    for _ in range(8):
        record(start_game(club), FOUR, FOUR, FOUR)
    best = awards.awards(records.results(club, Choice()), [p.id for p in club.players], partnerships(club, Choice()))[
        -1
    ]
    names = {player.id: player.name for player in club.players}
    assert [names[one] for one in best.holders] == ["Ann", "Cy"]

"""The next hand in one read and one write: it comes to what the ledger's own way comes to, or nothing is written."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, func, select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Change, Game, Hand
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import CATALOGUE, find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import hands as ledger
from scorekeeper.services.game_reader import read_snapshot
from scorekeeper.simulator import draw_styles, simulate_game
from tests.classic import FOUR, SET, TWO_EACH, draft_of, record, start_game
from tests.conftest import mostly_slow

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")


def save_next(game: Game, facts: dict[str, Any], token: str) -> bool:
    """Whether the hand was saved the quick way."""
    now = read_snapshot(game.club.key, game.number)
    return ledger.save_next(now, facts, token=token, by="Ann", detail="points", auction=False) is not None


def stored(game: Game) -> dict[str, Any]:
    """All that is stored of a game but when, and by which ids."""
    db.session.rollback()
    return {
        "game": (game.version, game.state, game.detail, game.auction, game.next_seats),
        "hands": [(hand.position, hand.facts, hand.version) for hand in game.hands],
        "log": [
            (one.seq, one.kind, one.position, one.before, one.after, one.undoes, one.token, one.by)
            for one in game.changes
        ],
        "score": game.score(),
    }


@pytest.mark.parametrize("rules", mostly_slow(CATALOGUE, 8))
def test_both_ways_store_the_same(club, rules: str) -> None:
    rng, table = Random(11), Table(find_rules(rules))
    seats = {"players": table.players, "teams": table.teams, "names": NAMES[: table.players]}
    hands = simulate_game(table, rng, draw_styles(rng, table.players))
    slow, quick = (start_game(club, rules=table.rules, **seats) for _ in range(2))
    ways = []
    for position, facts in enumerate(hands, 1):
        ledger.record_hand(slow, facts, position=position, token=f"hand {position}", by="Ann")
        ways.append(save_next(quick, facts, f"hand {position}"))
        if not ways[-1]:
            ledger.record_hand(quick, facts, position=position, token=f"hand {position}", by="Ann")
    assert ways == [True] * (len(hands) - 1) + [False]  # the last hand ends the game
    assert stored(quick) == stored(slow)
    assert quick.score().outcome is not None


def test_what_is_kept_of_the_draft_goes(club) -> None:
    from scorekeeper.services import drafts

    start_game(club)
    game = start_game(club)  # whose number is not the hand's
    drafts.keep(game.id, 1, {"bid": ["3"]})
    drafts.keep(game.id, 2, {"bid": ["2"]})
    assert save_next(game, TWO_EACH, "first")
    assert (draft_of(game, 1), draft_of(game, 2)) == (None, {"bid": ["2"]})


def test_a_paused_game_goes_on_by_it_and_the_way_of_the_table_is_kept(club) -> None:
    game = start_game(club)
    ledger.set_state(game, "paused")
    now = read_snapshot(club.key, game.number)
    assert ledger.save_next(now, TWO_EACH, token="t", by=None, detail="cards", auction=True)
    db.session.rollback()
    assert (game.state, game.detail, game.auction) == ("open", "cards", True)


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda game: record(game, FOUR),
        lambda game: ledger.undo(game, token="undo"),
        lambda game: ledger.correct_hand(game, 1, SET, hand_version=1, token="other"),
        lambda game: ledger.set_state(game, "abandoned"),
        lambda game: ledger.set_state(game, "paused"),
        lambda game: ledger.substitute(game, 1, "Gil"),
    ],
    ids=["saved", "undone", "corrected", "abandoned", "paused", "substituted"],
)
def test_nothing_is_written_where_the_game_has_moved_on(club, meanwhile: Callable[[Game], object]) -> None:
    game = start_game(club)
    record(game, TWO_EACH)
    now = read_snapshot(club.key, game.number)
    meanwhile(game)
    before = stored(game)
    assert ledger.save_next(now, TWO_EACH, token="late", by=None, detail="cards", auction=False) is None
    assert stored(game) == before


def test_a_form_that_has_saved_another_hand_saves_nothing(club) -> None:
    game = start_game(club)
    assert save_next(game, TWO_EACH, "one form")
    before = stored(game)
    assert not save_next(game, SET, "one form")
    assert stored(game) == before


def test_whoever_takes_a_seat_has_it_by_the_other_way(club) -> None:
    game = start_game(club)
    ledger.substitute(game, 2, "Gil")
    assert not save_next(game, TWO_EACH, "t")
    ledger.record_hand(game, TWO_EACH, position=1, token="t")
    assert game.names_by_hand[0] == ["Ann", "Gil", "Cy", "Di"]
    assert save_next(game, TWO_EACH, "second")
    assert game.names_by_hand[1] == ["Ann", "Gil", "Cy", "Di"]


def test_a_game_that_came_without_a_log_goes_on_by_the_other_way(club) -> None:
    game = start_game(club)
    record(game, TWO_EACH)
    with db_write(club) as session:
        session.execute(delete(Change))
        game.version = game.hands[0].version = 0
    assert not save_next(game, TWO_EACH, "t")


def test_what_cannot_be_is_refused_and_not_written(club) -> None:
    game = start_game(club)
    with pytest.raises(Refused) as refused:
        save_next(game, TWO_EACH | {"trump": "X"}, "t")
    assert [problem.at for problem in refused.value.problems] == ["trump"]
    assert db.session.scalar(select(func.count()).select_from(Hand)) == 0
    assert db.session.scalar(select(func.count()).select_from(Change)) == 0

"""Saving the next hand with one read and one write."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import delete, event, func, select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Change, Game, Hand, acting_as
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import drafts, games, players, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services.game_reader import Snapshot, read_snapshot
from scorekeeper.services.hands import Conflict
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.verify import check_tallies
from tests.classic import FOUR, SET, TWO_EACH, draft_of, player, record, start_game


def save_next(game: Game, facts: dict[str, Any], token: str) -> None:
    """Save a hand of the game on a snapshot, as read by a page."""
    save_late(read_snapshot(game.club.key, game.number), facts, token)


def save_late(now: Snapshot, facts: dict[str, Any], token: str, **ways: Any) -> None:
    with acting_as("Ann"):
        hand_service.record_hand(now, facts, position=now.length + 1, token=token, **ways)


def stored(game: Game) -> dict[str, Any]:
    """Everything stored of a game, without times and ids."""
    db.session.rollback()
    return {
        "game": (game.version, game.state, game.detail, game.auction, game.next_seats),
        "hands": [(hand.position, hand.facts, hand.version) for hand in game.hands],
        "log": [
            (one.seq, one.kind, one.position, one.before, one.after, one.undoes, one.token, one.by)
            for one in game.changes
        ],
        "score": game.score,
    }


def test_what_is_kept_of_the_draft_goes(club) -> None:
    start_game(club)
    game = start_game(club)  # a game whose number differs from the hand's
    drafts.keep(game.id, 1, {"bid": ["3"]})
    drafts.keep(game.id, 2, {"bid": ["2"]})
    save_next(game, TWO_EACH, "first")
    assert (draft_of(game, 1), draft_of(game, 2)) == (None, {"bid": ["2"]})


def test_a_paused_game_goes_on_by_it_and_the_way_of_the_table_is_kept(club, game) -> None:
    hand_service.set_state(game, "paused")
    save_late(read_snapshot(club.key, game.number), TWO_EACH, "t", detail="cards", auction=True)
    db.session.rollback()
    assert (game.state, game.detail, game.auction) == ("open", "cards", True)


@pytest.mark.parametrize(
    ("meanwhile", "refusal"),
    [
        (lambda game: record(game, FOUR), Conflict),
        (lambda game: hand_service.undo(game, token="undo"), Conflict),
        (lambda game: hand_service.set_state(game, "abandoned"), Refused),
    ],
    ids=["saved", "undone", "abandoned"],
)
def test_nothing_is_written_where_the_game_has_moved_on(club, game, meanwhile, refusal) -> None:
    record(game, TWO_EACH)
    now = read_snapshot(club.key, game.number)
    meanwhile(game)
    before = stored(game)
    with pytest.raises(refusal):
        save_late(now, TWO_EACH, "late", detail="cards", auction=False)
    assert stored(game) == before


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda game: hand_service.correct_hand(game, 1, SET, hand_version=1, token="other"),
        lambda game: hand_service.set_state(game, "paused"),
        lambda game: hand_service.substitute(game, 1, "Gil"),
    ],
    ids=["corrected", "paused", "substituted"],
)
def test_a_hand_that_is_still_the_next_one_is_saved_to_the_game_as_it_is(club, game, meanwhile) -> None:
    record(game, TWO_EACH)
    now = read_snapshot(club.key, game.number)
    meanwhile(game)
    before = stored(game)
    save_late(now, TWO_EACH, "late")
    after = stored(game)
    names = before["game"][-1]
    facts = {"dealer": 1} | ({"names": names} if names else {}) | TWO_EACH
    assert after["hands"] == [*before["hands"], (2, facts, after["game"][0])]
    assert after["game"][:2] == (before["game"][0] + 1, "open")


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda game: games.set_day(game, date(2026, 1, 2)),
        lambda game: games.set_counts(game, False),
        lambda game: seasons.set_season(game, game.club.seasons[1]),
        lambda game: seasons.set_also(game, game.club.seasons),
        lambda game: players.rename(player("Ann"), "Anna"),
        lambda game: players.merge(player("Zoe"), player("Ann")),
    ],
    ids=["another day", "left out", "a season", "more seasons", "renamed", "merged"],
)
def test_the_hand_that_ends_a_game_counts_it_as_it_is_now(club, meanwhile) -> None:
    """None of these changes increases the game's version."""
    for name in ("Spring", "Autumn"):
        seasons.begin(club, name, date(2026, 1, 1), None, Scheme())
    players.add(club, "Zoe")
    game = start_game(club, season=None)
    record(game, FOUR, FOUR)
    now = read_snapshot(club.key, game.number)
    meanwhile(game)
    save_late(now, FOUR, "late")
    assert game.score.outcome
    assert check_tallies(club).wrong == ()


def test_a_form_that_has_saved_another_hand_saves_nothing(game) -> None:
    save_next(game, TWO_EACH, "one form")
    before = stored(game)
    with pytest.raises(Conflict):
        save_next(game, SET, "one form")
    assert stored(game) == before


def test_a_game_that_is_read_already_is_not_read_again(club, game) -> None:
    now, said = read_snapshot(club.key, game.number), []
    event.listen(db.engine, "before_cursor_execute", lambda *args: said.append(args[2]))
    saved = hand_service.record_hand(now, FOUR, position=1, token="t")
    verbs = [sentence.split()[0] for sentence in said]
    assert verbs[-4:] == ["UPDATE", "DELETE", "INSERT", "INSERT"]
    assert "SELECT" not in verbs
    assert saved.game == read_snapshot(club.key, game.number)


def test_whoever_takes_a_seat_has_it_with_the_hand(game) -> None:
    hand_service.substitute(game, 2, "Gil")
    save_next(game, TWO_EACH, "t")
    save_next(game, TWO_EACH, "second")
    assert game.names_by_hand[:2] == [["Ann", "Gil", "Cy", "Di"]] * 2


def test_a_game_that_came_without_a_log_gets_one(club, game) -> None:
    record(game, TWO_EACH)
    with db_write(club) as session:
        session.execute(delete(Change))
        game.version = game.hands[0].version = 0
    save_next(game, SET, "t")
    entries = [(one.seq, one.kind, one.position, one.after["bid"]) for one in game.changes]
    assert entries == [(1, "record", 1, 2), (2, "record", 2, 2)]
    assert [hand.version for hand in game.hands] == [1, 2]


def test_what_cannot_be_is_refused_and_not_written(game) -> None:
    with pytest.raises(Refused) as refused:
        save_next(game, TWO_EACH | {"trump": "X"}, "t")
    assert [problem.at for problem in refused.value.problems] == ["trump"]
    assert db.session.scalar(select(func.count()).select_from(Hand)) == 0
    assert db.session.scalar(select(func.count()).select_from(Change)) == 0

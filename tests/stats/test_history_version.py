"""Cached aggregates over the games before the latest day stay correct after any change of the past."""

from datetime import date
from random import Random

import pytest

from scorekeeper.database.cache import BoundedCache
from scorekeeper.database.session import db
from scorekeeper.models import Club
from scorekeeper.services import games as game_service
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.stats import archive, query
from scorekeeper.stats.archive import feats_of
from scorekeeper.stats.head_to_head import schedules_of
from scorekeeper.stats.query import Choice, aggregate_bids, aggregate_pairs, games
from scorekeeper.stats.standings import partnerships
from scorekeeper.undo import deletion
from tests.classic import FOUR, new_club, player, record, start_game
from tests.conftest import on_one_database
from tests.undo.test_random_clubs import Changes

DAYS = [date(2026, 1, day) for day in range(1, 6)]


def shown(club: Club) -> list[object]:
    """What the pages that use the cache show."""
    db.session.expire_all()
    choices = [Choice(), Choice(rules_id="classic"), *(Choice(season_id=season.id) for season in club.seasons)]
    return [
        (
            *(feats_of(club, one), aggregate_pairs(club, one)),
            *(partnerships(club, one), aggregate_bids(club, one)),
            {player: round(met, 9) for player, met in schedules_of(club, one).items()},
        )
        for one in choices
    ]


def shown_anew(club: Club, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Like `shown`, without the cache: from all games at once."""
    with monkeypatch.context() as patch:
        patch.setattr(query, "latest_day", lambda *_: None)
        return shown(club)


@on_one_database
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_whatever_is_changed_of_the_past_nothing_old_is_shown(app_context, monkeypatch, seed):
    changes = Changes(new_club(), Random(seed), days=5)
    for _ in range(6):
        changes.play()
    for step in range(25):
        changes.step()
        assert shown(changes.club) == shown_anew(changes.club, monkeypatch), step


# --- history_version ---


def a_wins(club, day, **options):
    game = start_game(club, played=DAYS[day], **options)
    record(game, FOUR, FOUR, FOUR)
    return game


@pytest.fixture
def mark(club):
    """A function that returns True if history_version has changed since its last call."""
    seen = [club.history_version]

    def is_new() -> bool:
        db.session.expire_all()
        seen.append(club.history_version)
        return seen[-1] != seen[-2]

    return is_new


def test_games_of_the_latest_day_leave_the_others_as_they_were(club, mark):
    a_wins(club, 0)
    assert mark()  # the latest day is another one
    latest = a_wins(club, 1)
    assert mark()
    a_wins(club, 1)
    hand_service.undo(latest, token="undo")
    hand_service.redo(latest, token="redo")
    game_service.set_counts(latest, False)
    assert not mark()


def test_a_change_of_an_earlier_game_is_one_of_the_past(club, mark):
    early = a_wins(club, 0)
    a_wins(club, 2)
    assert mark()
    a_wins(club, 1)
    assert mark()
    hand_service.undo(early, token="undo")
    assert mark()
    record(early, FOUR)
    assert mark()
    game_service.set_day(early, DAYS[2])
    assert mark()


def test_another_latest_day_is_noticed(club, mark):
    a_wins(club, 0)
    first, second = a_wins(club, 1), a_wins(club, 1)
    assert mark()
    deletion.delete_game(first)
    assert not mark()
    game_service.set_day(second, DAYS[2])
    assert mark()
    deletion.delete_game(second)
    assert mark()


def test_who_counts_is_one_of_the_past(club, mark):
    a_wins(club, 0)
    mark()
    player_service.set_guest(player("Bo"), True)
    assert mark()


# --- games that are read ---


def test_only_the_games_of_the_latest_day_are_read_again(club, monkeypatch):
    a_wins(club, 0)
    a_wins(club, 1)
    feats_of(club, Choice())
    read = []
    monkeypatch.setattr(archive, "games", lambda *asked: read.extend(found := [*games(*asked)]) or found)
    a_wins(club, 1)
    assert [one.deed.value for one in feats_of(club, Choice()).records][:2] == [3, 12]
    assert [game.number for game in read] == [2, 3]


def test_of_too_many_games_the_latest_are_read_once_an_evening(club, monkeypatch):
    """The latest two games before the latest day are read once, the games of that day each time."""
    for day in range(4):
        a_wins(club, day)
    read = []
    monkeypatch.setattr(query, "MOST_GAMES", 2)
    monkeypatch.setattr(archive, "games", lambda *asked: read.append(found := [*games(*asked)]) or found)
    for times in (1, 2):
        (streak, *_) = feats_of(club, Choice()).records
        assert (streak.deed.value, streak.deed.since) == (3, 2)
        assert [[game.number for game in some] for some in read] == [[2, 3], *[[4]] * times]


def test_very_many_pairs_are_not_kept(club, monkeypatch):
    a_wins(club, 0)
    a_wins(club, 1)
    monkeypatch.setattr(query, "_cache", BoundedCache(query._cache.most))
    monkeypatch.setattr(query, "MOST_PAIRS_KEPT", 1)
    aggregate_pairs(club, Choice())
    assert not query._cache
    monkeypatch.setattr(query, "MOST_PAIRS_KEPT", 2)
    aggregate_pairs(club, Choice())
    assert len(query._cache) == 1

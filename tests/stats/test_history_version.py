"""Cached aggregates over the games before the latest day stay correct after any change of the past."""

from datetime import date
from random import Random

import pytest
from sqlalchemy import select

from scorekeeper.database.cache import BoundedCache
from scorekeeper.database.session import db
from scorekeeper.models import ABANDONED, OPEN, Club, ClubChange, Game, Player, Season
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import games as game_service
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.stats import archive, query
from scorekeeper.stats.archive import feats_of
from scorekeeper.stats.head_to_head import schedules_of
from scorekeeper.stats.query import Choice, aggregate_bids, aggregate_pairs, games
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import partnerships
from scorekeeper.undo import club_undo, deletion
from tests.classic import FOUR, SET, THREE_ONE, TWO_EACH, new_club, player, record, start_game
from tests.conftest import on_one_database
from tests.stats import quick_games

DAYS = [date(2026, 1, day) for day in range(1, 6)]
NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", "Flo", "Gil", "Hal", "Ida", "Jo")
LOST = FOUR | {"claims": dict.fromkeys(("high", "low", "jack", "game"), "B")}
A_HAND = (FOUR, SET, THREE_ONE, TWO_EACH, LOST)


class Changes:
    """A club, and random changes of it; each is a method."""

    def __init__(self, seed: int) -> None:
        self.lot, self.club = Random(seed), new_club()
        self.token = 0

    def any(self, table, *asked):
        found = db.session.scalars(select(table).where(table.club_id == self.club.id, *asked).order_by(table.id)).all()
        return self.lot.choice(found) if found else None

    def make(self) -> str:
        """Make a random change and return its name."""
        name = self.lot.choice(self.KINDS)
        try:
            getattr(self, name)()
        except Refused:
            return f"{name}, refused"
        return name

    def play(self) -> None:
        game = start_game(self.club, names=self.lot.sample(NAMES, 4), played=self.lot.choice(DAYS))
        for hand in self.lot.choices(A_HAND, k=2):
            record(game, hand)
        winning = self.lot.choice((FOUR, LOST))
        while game.score.outcome is None:
            record(game, winning)

    def play_again(self) -> None:
        """Add a game on the latest day, with final scores only."""
        latest = db.session.scalar(select(Game.played).order_by(Game.played.desc()).limit(1)) or DAYS[0]
        quick_games.play(self.club, latest, names=self.lot.sample(NAMES, 4), totals=self.lot.choice([(12, 3), (1, 11)]))

    def correct(self) -> None:
        if game := self.any(Game, Game.paper.is_(None)):
            hand, self.token = self.lot.choice(game.hands), self.token + 1
            facts = {"dealer": hand.facts["dealer"]} | self.lot.choice(A_HAND)
            hand_service.correct_hand(game, hand.position, facts, hand_version=hand.version, token=f"c{self.token}")

    def undo(self) -> None:
        if game := self.any(Game, Game.paper.is_(None)):
            self.token += 1
            hand_service.undo(game, token=f"u{self.token}")

    def move_day(self) -> None:
        if game := self.any(Game):
            game_service.set_day(game, self.lot.choice(DAYS))

    def leave_out(self) -> None:
        if game := self.any(Game):
            game_service.set_counts(game, game.left_out)

    def abandon(self) -> None:
        if game := self.any(Game, Game.paper.is_(None)):
            hand_service.set_state(game, self.lot.choice((ABANDONED, OPEN)))

    def delete(self) -> None:
        if game := self.any(Game):
            deletion.delete_game(game)

    def take_back(self) -> None:
        """Undo a random entry of the club log."""
        if entry := self.any(ClubChange, ClubChange.undoes.is_(None)):
            club_undo.undo(self.club, entry.seq)

    def merge(self) -> None:
        one, other = self.any(Player), self.any(Player)
        if one and other:
            player_service.merge(one, other)

    def set_guest(self) -> None:
        if player := self.any(Player):
            player_service.set_guest(player, not player.guest)

    def rename(self) -> None:
        if player := self.any(Player):
            self.token += 1
            player_service.rename(player, f"Somebody {self.token}")

    def begin_season(self) -> None:
        self.token += 1
        seasons.begin(self.club, f"Season {self.token}", DAYS[0], None, Scheme())

    def count_in(self) -> None:
        if (game := self.any(Game)) and (season := self.any(Season)):
            seasons.count_in(game, season, [other for other in self.club.seasons if self.lot.random() < 0.5])

    def credit(self) -> None:
        if season := self.any(Season):
            scheme = Scheme(credit=self.lot.choice(("both", "most", "finished")))
            seasons.change(season, name=season.name, starts=season.starts, ends=season.ends, scheme=scheme)

    def delete_season(self) -> None:
        if season := self.any(Season):
            deletion.delete_season(season)

    KINDS = ("play",) * 6 + ("play_again",) * 3 + ("correct",) * 4 + (
        "undo", "move_day", "leave_out", "abandon", "delete", "take_back", "merge", "set_guest", "rename",
        "begin_season", "count_in", "credit", "delete_season",
    )  # fmt: skip


def shown(club: Club) -> list[object]:
    """What the pages that use the cache show."""
    db.session.expire_all()
    choices = [Choice(), Choice(rules_id="classic"), *(Choice(season_id=season.id) for season in club.seasons)]
    return [
        (
            *(feats_of(club, one, with_awards=True), aggregate_pairs(club, one)),
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
    changes = Changes(seed)
    for _ in range(6):
        changes.play()
    made = []
    for _ in range(25):
        made.append(changes.make())
        assert shown(changes.club) == shown_anew(changes.club, monkeypatch), made


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
    feats_of(club, Choice(), with_awards=False)
    read = []
    monkeypatch.setattr(archive, "games", lambda *asked: read.extend(found := games(*asked)) or found)
    a_wins(club, 1)
    assert [one.deed.value for one in feats_of(club, Choice(), with_awards=False).records][:2] == [3, 12]
    assert [game.number for game in read] == [2, 3]


def test_of_too_many_games_the_latest_are_read_once_an_evening(club, monkeypatch):
    """The latest two games before the latest day are read once, the games of that day each time."""
    for day in range(4):
        a_wins(club, day)
    read = []
    monkeypatch.setattr(query, "MOST_GAMES", 2)
    monkeypatch.setattr(archive, "games", lambda *asked: read.append(found := games(*asked)) or found)
    for times in (1, 2):
        (streak, *_) = feats_of(club, Choice(), with_awards=False).records
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

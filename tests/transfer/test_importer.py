"""A file is read while others write; then it is written in one transaction, or not at all."""

import io
from datetime import date

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, HandDraft, Player
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import drafts, seasons
from scorekeeper.services import players as player_service
from scorekeeper.stats import archive, tallies
from scorekeeper.stats.verify import check_tallies
from scorekeeper.transfer import matching as preview
from scorekeeper.transfer.importer import import_as_new_club, import_into_club
from tests.classic import FOUR, player, record, start_game
from tests.transfer.clubs import as_file, exported, game_of, new_club, tallies_of


class Killed(BaseException):
    """Raised in place of killing the process."""


class Watched(io.BytesIO):
    """A file that calls `then` at its end."""

    def __init__(self, content: bytes, then) -> None:
        super().__init__(content)
        self.then = then

    def readline(self, size=-1):
        line = super().readline(size)
        if not line:
            self.then()
        return line


@pytest.fixture(autouse=True)
def two_games_at_a_time(monkeypatch):
    monkeypatch.setattr(preview, "BATCH_GAMES", 2)


@pytest.fixture
def home(app_context):
    """A club with one finished game of Ann, Bo, Uma and Vic."""
    club = new_club("Home")
    record(start_game(club, names=["Ann", "Bo", "Uma", "Vic"], played=date(2026, 2, 1)), FOUR, FOUR, FOUR)
    return club


def test_in_slices_as_in_one(app_context, full_club_file):
    club, _ = import_as_new_club(None, as_file(full_club_file))
    assert exported(club) == full_club_file
    kept = tallies_of(club)
    assert check_tallies(club) == (4, ())
    with db_write():
        tallies.rebuild(club)
        assert tallies_of(club) == kept


def test_into_a_club_with_some_of_its_players(home, full_club_file):
    report = import_into_club(home, as_file(full_club_file))
    assert (report.games["new"], report.renumbered) == (6, 1)  # game 1 becomes number 7
    assert [name for name, _ in report.players_by_name] == ["Ann", "Bo"]
    assert check_tallies(home) == (5, ())
    assert player("Ann", home).rated == 5
    assert db.session.scalars(select(Club.name)).all() == ["Home"]


def test_a_closed_season_opens_again_when_a_game_of_it_comes(app_context, full_club_file):
    club, _ = import_as_new_club(None, as_file(full_club_file))
    other, _ = import_as_new_club(None, as_file(full_club_file))
    league = next(season for season in club.seasons if season.name == "League")
    number = start_game(club, played=date(2026, 3, 1)).number
    game = game_of(club, number)
    seasons.count_in(game, league)
    record(game, FOUR, FOUR, FOUR)
    seasons.close(league)
    import_into_club(other, as_file(exported(club)))
    theirs = next(season for season in other.seasons if season.name == "League")
    assert (theirs.closed_at, theirs.reopened["game"]) == (None, number)
    assert check_tallies(other).wrong == ()


def test_others_save_while_the_file_is_read(home, full_club_file):
    """A draft waits at most one second for a lock, so no transaction may be open while the file is read."""
    game = start_game(home)
    import_into_club(home, Watched(full_club_file, lambda: drafts.keep(game.id, 1, {"bidder": ["2"]})))
    assert db.session.scalars(select(HandDraft.fields).where(HandDraft.game_id == game.id)).all() == [{"bidder": ["2"]}]


def test_killed_while_it_is_written(home, full_club_file, monkeypatch):
    before, kept = exported(home), tallies_of(home)

    def killed(_importer):
        raise Killed

    monkeypatch.setattr(archive, "store_missing_pages", killed)
    with pytest.raises(Killed):
        import_into_club(home, as_file(full_club_file))
    with pytest.raises(Killed):
        import_as_new_club(None, as_file(full_club_file))
    assert (exported(home), tallies_of(home)) == (before, kept)
    assert db.session.scalars(select(Player.club_id).distinct()).all() == [home.id]
    assert db.session.scalars(select(Club.name)).all() == ["Home"]


def test_a_club_that_changes_meanwhile_is_matched_again(home, full_club_file):
    names = iter(["Bob"])

    def rename():
        for name in names:
            player_service.rename(player("Bo", home), name)

    report = import_into_club(home, Watched(full_club_file, rename))
    assert (report.players_by_name, report.players_otherwise) == ([("Ann", "Ann")], [("Bo", "Bob")])
    assert "Bob" in game_of(home, 2).names
    assert check_tallies(home) == (5, ())


def test_a_club_that_changes_again_and_again(home, full_club_file):
    names = (f"Somebody {number}" for number in range(100))
    with pytest.raises(Refused, match="The club was changed while the file was read"):
        import_into_club(home, Watched(full_club_file, lambda: player_service.rename(home.players[0], next(names))))
    assert len(home.games) == 1
    assert db.session.scalars(select(Club.name)).all() == ["Home"]


def test_a_game_that_moved_on_here_while_the_file_was_read(app_context, full_club_file):
    """The file has more of game 3; meanwhile, another hand is saved here."""
    other, _ = import_as_new_club(None, as_file(full_club_file))
    club, _ = import_as_new_club(None, as_file(full_club_file))
    hand = {"bidder": 1, "bid": 2, "trump": "H", "called": "KS", "partner": 2, "claims": {}}
    record(game_of(club, 3), hand)
    content, said = exported(club), iter([1])

    def save():
        for _ in said:
            record(game_of(other, 3), hand | {"bid": 3})

    report = import_into_club(other, Watched(content, save))
    assert (report.games["clash"], report.games["newer"]) == (1, 0)


def test_a_page_takes_so_many_hands_and_the_command_all(client, home, full_club_file, monkeypatch):
    from scorekeeper.web.transfers import views

    monkeypatch.setattr(views, "MOST_HANDS", 15)
    before = exported(home)
    sent = client.post(f"/c/{home.key}/transfers/look", data={"file": (as_file(full_club_file), "club.jsonl")})
    assert sent.status_code == 422
    assert "This file has more than 15 hands. Nothing was changed." in sent.text
    assert exported(home) == before
    assert import_into_club(home, as_file(full_club_file)).games["new"] == 6

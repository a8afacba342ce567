"""Clubs made by random changes, including undo: they survive export and import, and every page responds."""

import os
import re
from contextlib import suppress
from datetime import date, timedelta
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.database.session import db
from scorekeeper.models import ABANDONED, OPEN, Club, ClubChange, Game, Player, Season
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import club_log, games, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.stats.counting import CREDITS
from scorekeeper.stats.league import Bonus, Playoffs
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.verify import check_tallies
from scorekeeper.transfer.importer import import_as_new_club
from scorekeeper.undo import club_undo, deletion
from tests.classic import FOUR, SET, THREE_ONE, TWO_EACH, new_club, record, start_game
from tests.conftest import on_one_database
from tests.stats import quick_games
from tests.transfer.clubs import as_file, exported

CLUBS = int(os.environ.get("SCOREKEEPER_CLUBS", "2"))  # SCOREKEEPER_CLUBS=200 for many more
STEPS = 40
PAGES = 40  # opened per club
ONE_GAME = re.compile(r"/games/|/rules|/transfers")  # opened by other tests
START = date(2026, 1, 1)
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal"]
LOST = FOUR | {"claims": dict.fromkeys(FOUR["claims"], "B")}


class Changes:
    """Random changes of a club; its games are played on one of so many `days`."""

    def __init__(self, club: Club, rng: Random, days: int = 60) -> None:
        self.club, self.rng, self.days = club, rng, days
        self.count = 0

    def step(self) -> None:
        db.session.rollback()
        db.session.expire_all()
        usual = [self.play, self.play_again, self.on_player, self.on_season, self.on_game, self.undo, self.undo]
        with suppress(Refused, IndexError):  # IndexError: there is no player, season or game to choose
            self.rng.choice(usual)()

    def player(self) -> Player:
        return self.rng.choice(self.club.players)

    def season(self) -> Season:
        return self.rng.choice(self.club.seasons)

    def game(self) -> Game:
        return self.rng.choice(self.club.games)

    def day(self) -> date:
        return START + timedelta(self.rng.randrange(self.days))

    def play(self) -> None:
        game = start_game(self.club, names=self.rng.sample(NAMES, 4), played=self.day())
        hands = self.rng.choice([[FOUR] * 3, [TWO_EACH, SET, FOUR, FOUR, FOUR], [TWO_EACH], [TWO_EACH, *[LOST] * 3]])
        for facts in hands:
            if self.rng.random() < 0.1:
                with suppress(Refused):
                    hand_service.substitute(game, self.rng.randint(1, 4), self.rng.choice(NAMES))
            record(game, facts)

    def play_again(self) -> None:
        """Add a game on the latest day, with final scores only."""
        latest = max((game.played for game in self.club.games), default=START)
        totals = self.rng.choice([(12, 3), (1, 11)])
        quick_games.play(self.club, latest, names=self.rng.sample(NAMES, 4), totals=totals)

    def on_player(self) -> None:
        player = self.player()
        self.rng.choice([
            lambda: player_service.rename(player, self.rng.choice([*NAMES, "Annie", "Bob"])),
            lambda: player_service.set_guest(player, not player.guest),
            lambda: player_service.set_retired(player, not player.retired),
            lambda: player_service.merge(player, self.player()),
            lambda: player_service.merge(player, self.player()),
            lambda: deletion.delete_player(player),
        ])()  # fmt: skip

    def on_season(self) -> None:
        self.count += 1
        name, start = f"Season {self.count}", START + timedelta(self.rng.randrange(40))
        uids = [player.uid for player in self.club.players]
        drawn = self.rng.sample(uids, len(uids))
        self.rng.choice([
            lambda: seasons.begin(self.club, name, start, None, Scheme()),
            lambda: seasons.begin(self.club, name, start, start + timedelta(30), Scheme()),
            lambda: seasons.take_in(self.season(), elsewhere=self.rng.random() < 0.5),
            lambda: seasons.close(self.rng.choice([one for one in self.club.seasons if not one.closed_at])),
            lambda: seasons.close(self.rng.choice([one for one in self.club.seasons if not one.closed_at])),
            lambda: seasons.reopen(self.rng.choice([one for one in self.club.seasons if one.closed_at])),
            lambda: self.credit(self.season()),
            lambda: deletion.delete_season(self.season()),
            lambda: seasons.set_divisions(self.open(), {uid: self.rng.choice("AB") for uid in uids}),
            lambda: seasons.set_start(self.open(), drawn),
            lambda: seasons.set_playoffs(self.open(), Playoffs(4, tuple((uid,) for uid in drawn[:4]))),
            lambda: seasons.set_bonus(self.open(), Bonus(drawn[0], 2, "hosted", START)),
        ])()  # fmt: skip

    def open(self) -> Season:
        return self.rng.choice([one for one in self.club.seasons if not one.closed_at])

    def credit(self, season: Season) -> None:
        about = {"name": season.name, "starts": season.starts, "ends": season.ends}
        seasons.change(season, **about, scheme=Scheme(credit=self.rng.choice(CREDITS)))

    def correct(self, game: Game) -> None:
        hand = self.rng.choice(game.hands)
        facts = {"dealer": hand.facts["dealer"]} | self.rng.choice((FOUR, SET, THREE_ONE, TWO_EACH, LOST))
        token = str(self.rng.random())
        hand_service.correct_hand(game, hand.position, facts, hand_version=hand.version, token=token)

    def on_game(self) -> None:
        game = self.game()
        both = self.rng.sample(self.club.seasons, min(2, len(self.club.seasons)))
        self.rng.choice([
            lambda: deletion.delete_game(game),
            lambda: games.set_counts(game, game.left_out),
            lambda: games.set_day(game, self.day()),
            lambda: hand_service.set_state(game, self.rng.choice([OPEN, ABANDONED])),
            lambda: seasons.count_in(game, next(iter(both), None), both[1:]),
            lambda: hand_service.undo(game, token=str(self.rng.random())),
            lambda: self.correct(game),
            lambda: player_service.replace_in(game, self.rng.choice(game.names), self.rng.choice([*NAMES, "Ida"])),
        ])()  # fmt: skip

    def undo(self) -> None:
        entry = self.rng.choice(club_log.latest(self.club.id, None, 30))
        if club_log.undone_by(self.club.id, [entry.seq]):
            return
        try:
            club_undo.undo(self.club, entry.seq)
        except Refused as refused:
            db.session.rollback()
            why = refused.problems[0].message
            assert is_true(self.club, entry, why), (entry.kind, entry.before, entry.after, why)


def _gone(entry: ClubChange) -> str:
    """The name of the player or season that was merged or deleted."""
    told = entry.after or {}
    return str((told["gone"] if entry.kind == club_log.MERGE else told).get("name"))


def is_true(club: Club, entry: ClubChange, why: str) -> bool:
    """True if a reason for refusing an undo is right, as far as the club and its log show."""
    db.session.expire_all()
    names = {player.name for player in club.players}
    open_seasons = {season.name: season.closed_at is None for season in club.seasons}
    log = club_log.latest(club.id, None, 9999)
    gone = {_gone(one) for one in log if one.kind in (*club_log.OF_DELETION, club_log.MERGE) and one.after}
    deleted = (club_log.DELETE_SEASON,)
    moving = (club_log.TAKE_IN, club_log.DELETE_SEASON)  # these move games
    later = [one for one in log if one.seq > entry.seq]
    for pattern, holds in {
        r"(.+) is closed\. Reopen it first": lambda told: open_seasons.get(told) is False,
        r"Another player is called (.+) now\. .*": lambda told: told in names,
        r"(.+) is already a player again": lambda told: told in names,
        r"Another season is called (.+) now\. .*": lambda told: told in open_seasons,
        r"Game (\d+) was deleted\. .*": lambda told: int(told) not in {game.number for game in club.games},
        r"That season was deleted\. .*": lambda _: entry.subject not in {one.uid for one in club.seasons},
        r"A season that it counted in was deleted\. .*": lambda _: any(one.kind in deleted for one in log),
        r"(.+) was merged into .+\. Undo .*": lambda told: told in gone,
        r"(.+) was deleted\. Take .+ back first": lambda told: told in gone,
        r"A player of game (\d+) was replaced\. .*": lambda _: any(one.kind == club_log.REPLACE for one in later),
        "Undo the later change first": lambda _: any(
            one.subject == entry.subject or one.undoes or one.kind in moving for one in later
        ),
    }.items():
        if found := re.fullmatch(pattern, why):
            return bool(holds(found[1] if found.groups() else ""))
    return True


def addresses(client: FlaskClient, first: str) -> set[str]:
    """The addresses of a club's pages reachable by links from its first page, at most PAGES."""
    seen: set[str] = set()
    waiting = [first]
    while waiting:
        address = waiting.pop()
        if address in seen or len(seen) >= PAGES:
            continue
        seen.add(address)
        answer = client.get(address)
        assert answer.status_code < 500, address
        if answer.text and answer.mimetype == "text/html":
            found = re.findall(r'<a [^>]*href="([^"#?]+)"', answer.text)
            waiting[:0] = [one for one in found if one.startswith(first) and not ONE_GAME.search(one)]
    return seen


@on_one_database
@pytest.mark.parametrize("seed", range(CLUBS))
def test_a_club_made_by_random_changes(app: Flask, app_context: Flask, client: FlaskClient, seed: int) -> None:
    """Export, import and export again are equal byte for byte; tallies are right; no page fails."""
    club = new_club(f"Club {seed}")
    changes = Changes(club, Random(f"club {seed}"))
    for _ in range(4):
        changes.play()
    seasons.begin(club, "First", START, None, Scheme())
    for _ in range(STEPS):
        changes.step()
    db.session.rollback()
    assert check_tallies(club)[1] == ()
    content = exported(club)
    other, _ = import_as_new_club(None, as_file(content))
    assert exported(other) == content
    assert check_tallies(other)[1] == ()
    assert len(addresses(client, f"/c/{club.key}/")) > 10

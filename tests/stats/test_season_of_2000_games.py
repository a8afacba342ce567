"""Forty players, 2,000 games, over 20,000 hands: the pages' numbers equal those of slow.py from the records."""

import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import event, func, insert, select
from sqlalchemy.orm import joinedload, selectinload

from scorekeeper import create_app
from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Game, GameSeason, Hand, Player, Result, Season, Seat
from scorekeeper.scoring.record import find_table
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.services.games import PaperGame, record_paper_games
from scorekeeper.stats import ratings as ratings_of_club
from scorekeeper.stats import tallies
from scorekeeper.stats.head_to_head import schedules_of
from scorekeeper.stats.league import Bonus, League, seeds_of
from scorekeeper.stats.profiles import profile, streaks
from scorekeeper.stats.query import Choice, RowAggregates, aggregate_details, result_rows
from scorekeeper.stats.schemes import RATING, Scheme
from scorekeeper.stats.standings import standings
from scorekeeper.transfer.importer import import_as_new_club
from tests.stats import slow
from tests.stats.big_club import FIRST, KINDS, fill
from tests.transfer.clubs import as_file, tallies_of
from tests.transfer.clubs import exported as file_of

PLAYERS, GAMES = 40, 2_000
SCHEMES = (
    Scheme(),
    Scheme(by="share", least=20, ties=("sets", "head-to-head", "margin")),
    Scheme(by="total", ties=("head-to-head",)),
    Scheme(by="total", best=20, needed=60),
    Scheme(by="points", won=3, shared=2, lost=1, ties=("head-to-head",)),
    Scheme(by="points", won=1, shared=1, lost=1, ties=("head-to-head", "sets", "margin")),  # with many ties
    Scheme(by="rating", ties=()),
    Scheme(by="points", won=3, attended=1, best=20, needed=60),
    Scheme(best=9, ties=("sets", "margin")),
    Scheme(by="rating", ties=(), own_rating=True),
    Scheme(by="ladder", needed=3),
    Scheme(by="ladder", climb="swap", reach=9),
)
OF_PAIRS = (
    Scheme(by="share", least=4, ties=("sets", "margin", "head-to-head"), pairs=True),
    Scheme(by="points", won=3, attended=1, best=4, ties=("margin",), pairs=True),
    Scheme(by="total", best=4, pairs=True),
    Scheme(by="ladder", pairs=True),
)
FORFEITS = 20


@pytest.fixture(scope="module")
def club(tmp_path_factory, migrated_sqlite):
    """The club, filled once per module, with forfeits, bonus points and divisions."""
    folder = tmp_path_factory.mktemp("season")
    shutil.copy(migrated_sqlite, folder / "scorekeeper.sqlite")
    with create_app({"INSTANCE": folder}).app_context():
        with db_write() as session:
            club = Club(name="Forty")
            session.add(club)
        fill(club, players=PLAYERS, games=GAMES, seed=20, prepare=in_several_seasons)
        organise(club)
        yield club


def in_several_seasons(club):
    """Every eleventh game counts in the other season too; the seasons have different credit rules."""
    one, other = sorted(club.seasons, key=lambda season: season.id)
    for season, credit in ((one, "both"), (other, "most")):
        season.settings = season.settings | {"credit": credit}
    ids = {one.id: other.id, other.id: one.id}
    games = select(Game.id, Game.season_id).where(Game.number % 11 == 0, Game.season_id.is_not(None))
    rows = [{"game_id": game, "season_id": ids[season]} for game, season in db.session.execute(games)]
    db.session.execute(insert(GameSeason), rows)
    db.session.flush()


def organise(club):
    """Random forfeits, bonus points and divisions in both seasons."""
    lot = Random(7)
    names = [f"Player {number:02}" for number in range(1, PLAYERS + 1)]
    table, years = find_table("classic", 4, 2), club.seasons
    days = [FIRST + timedelta(weeks=lot.randrange(GAMES // 12)) for _ in range(FORFEITS)]
    record_paper_games(
        club,
        [
            PaperGame(f"f{n}", table, tuple(lot.sample(names, 4)), day, {"A": 0, "B": 0}, (lot.choice("AB"),),
                      lot.choice(years), forfeit=True)
            for n, day in enumerate(days)
        ],
    )  # fmt: skip
    uids = {player.name: player.uid for player in club.players}
    for season in years:
        given = [Bonus(uids[lot.choice(names)], lot.choice((-3, 2, 5)), "by lot", lot.choice(days)) for _ in range(30)]
        given[0] = replace(given[0], undone=True)
        with db_write(club):
            divided = {uids[name]: lot.choice("AB") for name in lot.sample(names, 30)}
            season.league = League(tuple(given), divided).to_dict()


def divisions(club, choice):
    """Divisions by player, without the players who have none."""
    season = db.session.get(Season, choice.season_id) if choice.season_id else None
    names = {player.uid: player.name for player in club.players}
    divided = season.league["divisions"].items() if season and season.league else ()
    return {names[uid]: letter for letter, uids in divided for uid in uids}


def bonuses(club, choice, night=None):
    """The bonus points that count in a choice, given before `night` if any, as (player, points)."""
    if choice.season_id is None or choice.players:
        return []
    names = {player.uid: player.name for player in db.session.scalars(select(Player).where(Player.club_id == club.id))}
    given = (db.session.get(Season, choice.season_id).league or {"bonuses": []})["bonuses"]
    return [
        (names[one["player"]], one["points"])
        for one in given
        if not one["undone"] and (night is None or one["day"] < night)
    ]


def test_standings_find_every_result_by_an_index(club):
    """By SQLite's query plans: no statement reads the results of all games, or of all of the club."""
    asked = []

    def note(_connection, _cursor, statement, values, *_more):
        asked.append((statement, values))

    event.listen(db.engine, "before_cursor_execute", note)
    standings(club, Scheme(), Choice())
    standings(club, Scheme(by=RATING), Choice())
    event.remove(db.engine, "before_cursor_execute", note)
    explain = db.session.connection().exec_driver_sql
    plans = [str(explain(f"EXPLAIN QUERY PLAN {statement}", values).all()) for statement, values in asked]
    assert any("ix_result_club_id_played_number (club_id=? AND played=? AND number=?)" in plan for plan in plans)
    assert not any("SCAN result" in plan or "ix_result_club_id_played_number (club_id=?)" in plan for plan in plans)


def find_game(club, number):
    return db.session.scalars(select(Game).where(Game.club_id == club.id, Game.number == number)).one()


def exported(club):
    """Every finished game as its record, with its number and its seasons."""
    loading = selectinload(Game.hands), joinedload(Game.season), selectinload(Game.seats).joinedload(Seat.player)
    loading += (selectinload(Game.also),)
    games = db.session.scalars(select(Game).where(Game.club_id == club.id).options(*loading)).unique()
    found = []
    for game in games:
        record = json.loads(json.dumps(game.record()))
        rules = {season.name: season.settings.get("credit", "finished") for season in game.seasons}
        played = slow.Played(record, game.number, rules, next(iter(rules.values()), "finished"))
        if game.paper:
            played.forfeited_to = game.paper["winners"][0]
        if played.answer["winners"]:
            found.append(played)
    return sorted(found, key=lambda game: game.when)


def choices():
    """Choices with equivalent filters of all games: all games; a season; a rule set; a table format of one season."""
    one = db.session.scalars(select(Season).where(Season.name == "Season 1")).one()
    rules, players, teams = KINDS[1]
    return [
        (Choice(), lambda games: games),
        (Choice(season_id=one.id), in_first_season),
        (Choice(rules_id=rules), lambda games: [game for game in games if game.kind[0] == rules]),
        (
            Choice(season_id=one.id, players=players, teams=teams),
            lambda games: [game for game in in_first_season(games) if game.kind[1:] == (players, teams)],
        ),
    ]


def in_first_season(games):
    return [game.in_season("Season 1") for game in games if "Season 1" in game.seasons]


def check_standings(club, games):
    rated = slow.rate(games)
    for choice, chosen in choices():
        mine = chosen(games)
        night = max(game.when[0] for game in mine if not game.forfeited_to)
        before = [game for game in mine if game.when[0] < night]
        of, of_before = slow.all_numbers(mine), slow.all_numbers(before)
        forms = {name: slow.form(mine, name) for name in of}
        for scheme in SCHEMES:
            table = standings(club, scheme, choice)
            lines = [*table.lines, *table.hidden]
            rules = scheme.to_dict()
            ratings = slow.rate(mine) if scheme.own_rating else rated
            gone = slow.gone(games, last_day(choice)) if scheme.by == "rating" else set()
            letters = divisions(club, choice)
            assert {line.player.name: line.place for line in lines} == slow.tables(
                mine, of, rules, ratings, gone, bonuses(club, choice), letters
            )
            assert {line.player.name: line.division for line in lines if line.division} == {
                name: letter for name, letter in letters.items() if name in of
            }
            if scheme.by != "rating" or scheme.own_rating or choice == Choice():
                # Otherwise, games that were not chosen also change ratings.
                was = {line.player.name: line.was for line in lines if line.player.name in of_before}
                given = bonuses(club, choice, night)
                assert was == slow.tables(before, of_before, rules, ratings, gone, given, letters)
            assert {line.player.name: shown(line) for line in lines} == of
            assert {line.player.name: line.form for line in lines} == forms


def check_pairs(club, games):
    """Check a season's table of pairs, and the seeds of its playoffs, which begin with the leaders of the divisions."""
    choice, chosen = choices()[1]
    mine = slow.pair_games(chosen(games))
    of, letters = slow.pair_numbers(mine), divisions(club, choice)
    both = {pair: {letters.get(name, "") for name in pair.split(" and ")} for pair in of}
    same = {pair: "".join(found) for pair, found in both.items() if len(found) == 1 and "" not in found}
    given = [(pair, points) for name, points in bonuses(club, choice) for pair in of if name in pair.split(" and ")]
    for scheme in OF_PAIRS:
        lines = standings(club, scheme, choice).lines
        places = slow.tables(mine, of, scheme.to_dict(), {}, set(), given, same)
        assert {line.player.name: line.place for line in lines} == places
        assert {line.player.name: shown(line) for line in lines} == of
        assert {line.player.name: line.form for line in lines} == {pair: slow.form(mine, pair) for pair in of}
        check_seeds(club, lines, places, same)


def check_seeds(club, lines, places, letters):
    """Check seeds: first places before second ones, A before B; equal places by name."""
    first = sorted(
        (sorted(there, key=lambda pair: (places[pair], -worth(lines, pair), pair.casefold())).index(one), letter, one)
        for letter in "AB"
        for there in [[pair for pair in letters if letters[pair] == letter and places[pair]]]
        for one in there
    )
    names = {player.uid: player.name for player in club.players}
    seeds = seeds_of(lines, 8, {player.id: player.uid for player in club.players})
    assert [" and ".join(sorted(names[uid] for uid in seed)) for seed in seeds] == [one for _, _, one in first[:8]]


def worth(lines, name):
    return next(line.points for line in lines if line.player.name == name)


def last_day(choice):
    """The last day of a table; later games do not count as activity of players."""
    season = db.session.get(Season, choice.season_id) if choice.season_id else None
    return season.ends.isoformat() if season and season.ends else "9999"


def shown(line):
    names = {"points_for": "for", "points_against": "against"}
    return {names.get(name, name): number for name, number in line.record.sums.items()}


def check_schedules(club, games):
    """Only some players: slow.py loops over every opponent in every game."""
    choice, chosen = choices()[1]
    mine, found = chosen(games), schedules_of(club, choice)
    ids, rated = {player.name: player.id for player in club.players}, slow.rate(games)
    for name in ("Player 03", "Player 21"):
        assert 40 * found[ids[name]] == pytest.approx(slow.schedule(mine, name, rated))


def check_ratings(games):
    rated = slow.rate(games)
    shown = {name: (40 * mu, 40 * sigma, count) for name, (mu, sigma, count) in ratings().items()}
    assert shown == {name: pytest.approx((*rated[name][-1][1:], len(rated[name]))) for name in rated}
    seventh = db.session.scalars(select(Player).where(Player.name == "Player 07")).one()
    results = [((r.played.isoformat(), r.number), 40 * r.mu, 40 * r.sigma) for r in results_of(seventh)]
    assert [when for when, _, _ in results] == [when for when, _, _ in rated["Player 07"]]
    assert [both for _, *both in results] == [pytest.approx(both) for _, *both in rated["Player 07"]]


def results_of(player):
    mine = select(Result).where(Result.player_id == player.id, Result.games == 1, Result.forfeits == 0)
    return db.session.scalars(mine.order_by(Result.played, Result.number))


def check_details(club, games):
    names = {player.id: player.name for player in db.session.scalars(select(Player))}
    kept = {names[number]: named(detail, names) for number, detail in aggregate_details(club, Choice()).items()}
    assert kept == {name: slow.details(games, name) for name in kept}
    assert len(kept) == len(names)


def named(detail, names):
    """The details with players' names instead of ids."""
    return Counter(
        {
            re.sub(r"^(with|vs):(\d+)", lambda found: f"{found[1]}:{names[int(found[2])]}", key): number
            for key, number in detail.items()
            if number
        }
    )


def check_pages(club, games):
    """Check the values of players' pages against those computed event by event."""
    ids = {player.name: player.id for player in db.session.scalars(select(Player))}
    names = {number: name for name, number in ids.items()}
    details, single = aggregate_details(club, Choice()), RowAggregates(result_rows(club, Choice()))
    for name, number in ids.items():
        page, record = profile(single.records[number].sums, details[number]), single.records[number]
        shown = {
            "bids": {int(b.name): (b.taken, b.made, b.worth) for b in page.bids},
            "trumps": {t.name: (t.taken, t.made, t.worth) for t in page.trumps},
            "roles": {r.name: (r.hands, r.took.value, r.change.value) for r in page.roles if r.hands},
            "points": {p.key: p.got.value for p in page.points},
            "partners": {names[c.player]: (c.hands, c.a_hand) for c in page.partners if c.hands},
            "opponents": {names[c.player]: (c.hands, c.a_hand) for c in page.opponents if c.hands},
            "made": page.made.value,
            "win_share": record.share,
            "streaks": streak_lengths(streaks(record.form)),
        }
        assert shown == slow.page(games, name), name


def streak_lengths(found):
    return tuple(streak.length if streak else 0 for streak in (found.won, found.lost, found.current))


def check_everything(club):
    games = exported(club)
    check_standings(club, games)
    if len(club.players) > 30:
        check_schedules(club, games)
        check_pairs(club, games)
    check_ratings(games)
    check_details(club, games)
    check_pages(club, games)
    return games


@pytest.mark.slow
def test_a_season_is_what_its_records_say(club):
    """At first, and after a correction, a move and a merge in the middle."""
    assert len(check_everything(club)) == GAMES + FORFEITS
    assert db.session.scalar(select(func.count()).select_from(Hand)) >= 20_000
    change_the_middle(club)
    assert check_everything(club)
    kept = ratings()
    with db_write():
        tallies.rebuild(club)
    assert ratings() == kept


@pytest.mark.slow
def test_it_comes_back_to_the_byte_from_its_file(club):
    """With all settings: seasons that share games, forfeits, bonus points, divisions, and a closed season."""
    one, other = sorted(club.seasons, key=lambda season: season.id)
    with db_write(club):
        one.settings, other.settings = SCHEMES[5].to_dict(), OF_PAIRS[1].to_dict()
    seasons.close(one)
    before = file_of(club)
    back, _ = import_as_new_club(club.name, as_file(before))
    assert file_of(back).splitlines()[1:] == before.splitlines()[1:]  # the first line has the club's creation time
    assert tallies_of(back) == tallies_of(club)


def ratings():
    return {p.name: (p.mu, p.sigma, p.rated) for p in db.session.scalars(select(Player))}


def change_the_middle(club):
    before = ratings()
    game = next(g for g in (find_game(club, n) for n in range(900, 1_000)) if g.rules["id"] == "classic")
    with db_write(club):  # like a game imported without a log
        game.version = 0
        for hand in game.hands:
            hand.version = 0
    hand = game.hands[0]
    turned = hand.facts | {"claims": dict.fromkeys(hand.facts["claims"], "B"), "bidder": 2}
    hand_service.correct_hand(game, 1, turned, hand_version=hand.version, token="turned")
    moved = find_game(club, 1_001)
    seasons.count_in(moved, None if moved.season_id else db.session.scalars(select(Season)).first())
    one, other = (
        db.session.scalars(select(Player).where(Player.name == f"Player {n}")).one() for n in (PLAYERS - 1, PLAYERS)
    )
    player_service.merge(one, other)
    ratings_of_club.catch_up(club)
    assert len(db.session.scalars(select(Player)).all()) == PLAYERS - 1
    assert all(mu != before[name][0] for name, (mu, _, _) in ratings().items())

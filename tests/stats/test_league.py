"""Settings of a season: least games, best nights, attendance, bonus points, forfeits.

Expected numbers are worked out by hand from docs/standings.md.
"""

from collections import defaultdict
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import islice, permutations
from statistics import correlation, fmean

import pytest
from sqlalchemy import select

from bench.ratings import CIRCLES, games_of
from scorekeeper.database.session import db, db_write
from scorekeeper.models import Player, Result, Season
from scorekeeper.scoring.record import find_table
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import club_log, seasons
from scorekeeper.services import players as player_service
from scorekeeper.services.games import PaperGame, record_forfeit, record_paper_games
from scorekeeper.stats import archive, verify
from scorekeeper.stats.archive import table_from_dict
from scorekeeper.stats.head_to_head import opponents_of, schedules_of
from scorekeeper.stats.league import Bonus, Bracket, League, Playoffs, candidates, matches_of, order, seeds_of
from scorekeeper.stats.query import Choice, aggregate, games
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.standings import entry_name, partnerships, places_by_night, standings
from scorekeeper.transfer.importer import import_as_new_club
from scorekeeper.transfer.reader import LineRefused, is_league
from scorekeeper.undo import club_undo, deletion
from scorekeeper.web.seasons.messages import champions_text
from tests.classic import FOUR, SET, new_club, record, start_game
from tests.transfer.clubs import as_file, exported
from tests.web.conftest import database_url  # noqa: F401 - on one database

FIRST, SECOND, THIRD = date(2026, 2, 3), date(2026, 2, 10), date(2026, 2, 17)
WON, LOST = ["Ann", "Bo", "Cy", "Di"], ["Bo", "Ann", "Di", "Cy"]  # the first and third player win


@pytest.fixture
def season(app_context):
    return seasons.begin(new_club(), "League", date(2026, 1, 1), None, Scheme())


def play(season, night, *tables):
    for names in tables:
        game = start_game(season.club, played=night, names=names)
        record(game, FOUR, FOUR, FOUR)
        seasons.count_in(game, season)


def forfeit(season, winners, losers, night=THIRD, token="f"):
    table = find_table("classic", 4, 2)
    record_forfeit(season.club, table, winners, losers, played=night, season=season, token=token)


def comes_back(club):
    """Import the club's file as another club, whose file is the same; return that club."""
    content = exported(club)
    other, _ = import_as_new_club(None, as_file(content))
    assert exported(other) == content
    return other


def ids(season):
    return {player.name: player.id for player in season.club.players}


def give(season, name, points, day=FIRST, uid=None):
    bonus = Bonus(players(season)[name].uid, points, "hosted", day, **({"uid": uid} if uid else {}))
    seasons.set_bonus(season, bonus)


def undo(season, uid, undone):
    seasons.set_bonus(season, replace(League.from_dict(season.league).find(uid), undone=undone))


def table(season, scheme, **choice):
    found = standings(season.club, scheme, Choice(season_id=season.id, **choice))
    return {line.player.name: (line.place, line.points) for line in found.lines}


# --- least games, best nights, attendance ---------------------------------------------------------------------------


def test_a_place_takes_so_many_games_whatever_orders_the_table(season):
    play(season, FIRST, WON, ["Ann", "Bo", "Ed", "Di"])
    for by in ("wins", "points"):
        found = table(season, Scheme(by=by, needed=2))
        assert {name: place for name, (place, _) in found.items()} == {
            "Ann": 1, "Bo": 2, "Di": 2, "Cy": None, "Ed": None,
        }  # fmt: skip


def test_points_for_every_night_that_was_played(season):
    """Three for a win and one for a night: Ann has 3 wins in 3 nights, Bo 1 win in 3 nights, Ed no win in 1 night."""
    play(season, FIRST, WON, WON)
    play(season, SECOND, LOST)
    play(season, THIRD, ["Ann", "Bo", "Cy", "Ed"])
    scheme = Scheme(by="points", won=3, shared=1, lost=0, attended=1)
    assert table(season, scheme) == {"Ann": (1, 12), "Cy": (1, 12), "Bo": (3, 6), "Di": (4, 5), "Ed": (5, 1)}
    # Ann's two best nights are 2 wins and a night (7), a win and a night (4). Di's margin is −12 in 3 games, Bo's −24
    # in 4.
    best = replace(scheme, best=2)
    assert table(season, best) == {"Ann": (1, 11), "Cy": (1, 11), "Di": (3, 5), "Bo": (4, 5), "Ed": (5, 1)}
    assert table(season, Scheme(best=1))["Ann"] == (1, 2)
    assert table(season, Scheme(by="share", least=1, best=1))["Ann"] == (1, Fraction(3, 4))  # shares ignore best


def test_the_places_night_by_night_and_before_the_last_night_count_the_same(season):
    play(season, FIRST, WON, WON)
    play(season, SECOND, LOST, LOST, LOST)
    scheme, here = Scheme(by="points", best=1, attended=1, ties=()), Choice(season_id=season.id)
    # After the first night Ann has 2 wins and 5 points, Bo 1; after the second, Bo has 3 wins and 7 points, Ann still
    # 5.
    nights, places = places_by_night(season.club, scheme, here)
    assert (nights, places[ids(season)["Ann"]], places[ids(season)["Bo"]]) == ([FIRST, SECOND], [1, 3], [3, 1])
    was = {line.player.name: (line.place, line.was) for line in standings(season.club, scheme, here).lines}
    assert (was["Ann"], was["Bo"]) == ((3, 1), (1, 3))
    give(season, "Di", 20, FIRST + timedelta(days=1))  # the day after the first night
    assert places_by_night(season.club, scheme, here)[1][ids(season)["Di"]] == [3, 1]
    was = {line.player.name: line.was for line in standings(season.club, scheme, here).lines}
    assert (was["Di"], was["Ann"]) == (1, 2)  # the day after the first night is before the last one


# --- bonus points ---------------------------------------------------------------------------------------------------


def test_a_bonus_and_a_penalty_count_by_points_until_they_are_undone(season):
    play(season, FIRST, WON)
    give(season, "Bo", 3, uid="b")
    give(season, "Cy", -1)
    by_points = Scheme(by="points")
    assert table(season, by_points) == {"Bo": (1, 3), "Ann": (2, 2), "Cy": (3, 1), "Di": (4, 0)}
    assert table(season, Scheme())["Bo"] == (3, 0)  # bonus points do not change wins
    totals = {line.player.name: line.points for line in standings(season.club, Scheme(by="total"), Choice()).lines}
    here = {name: points for name, (_, points) in table(season, Scheme(by="total")).items()}
    assert {name: here[name] - totals[name] for name in here} == {"Ann": 0, "Bo": 3, "Cy": -1, "Di": 0}
    undo(season, "b", True)
    assert table(season, by_points)["Bo"] == (3, 0)
    undo(season, "b", False)
    assert table(season, by_points)["Bo"] == (1, 3)
    club_undo.undo(season.club, latest(season))
    assert [bonus.points for bonus in League.from_dict(season.league).counting] == [-1]
    club_undo.undo(season.club, latest(season))
    assert table(season, by_points)["Bo"] == (1, 3)


# --- forfeits -------------------------------------------------------------------------------------------------------


def test_a_forfeit_is_a_game_won_and_lost_and_nothing_else(season):
    play(season, FIRST, WON)
    before = {name: (p.mu, p.sigma, p.rated) for name, p in players(season).items()}
    partners = partnerships(season.club, Choice())
    forfeit(season, ["Bo", "Di"], ["Ann", "Cy"])
    assert table(season, Scheme()) == {"Ann": (1, 1), "Cy": (1, 1), "Bo": (3, 1), "Di": (3, 1)}  # by margin
    assert {name: (p.mu, p.sigma, p.rated) for name, p in players(season).items()} == before
    assert partnerships(season.club, Choice()) == partners
    assert [game.number for game in games(season.club, Choice())] == [1]
    ann = aggregate(season.club, Choice()).records[ids(season)["Ann"]]
    assert (ann.games, ann.played, ann.margin) == (2, 1, 12)  # 12 to 0 in the game that was played
    assert [letter for _, _, letter in ann.form] == ["W"]
    assert not verify.check_tallies(season.club).wrong


def players(season):
    db.session.expire_all()
    return {player.name: player for player in season.club.players}


def test_the_same_form_saves_one_forfeit_and_a_later_game_is_rated(season):
    for _ in range(2):
        forfeit(season, ["Ann", "Cy"], ["Bo", "Di"], night=FIRST)
    play(season, SECOND, WON)
    assert len(season.club.games) == 2
    rated = db.session.scalars(select(Result.number).where(Result.mu.is_not(None)).distinct()).all()
    assert rated == [2]
    assert [game.score.outcome.reason for game in sorted(season.club.games, key=lambda game: game.number)] == [
        "forfeit", "target",
    ]  # fmt: skip


# --- divisions, and the table after an earlier night ------------------------------------------------------------------


def put(season, **divisions):
    uids = {name: player.uid for name, player in players(season).items()}
    seasons.set_divisions(season, {uids[name]: letter for letter, names in divisions.items() for name in names})


def test_each_division_has_places_of_its_own_from_all_games_of_the_season(season):
    """Ann, Bo, Cy and Di have two wins each, Ed and Flo one."""
    play(season, FIRST, WON, WON)
    play(season, SECOND, LOST, ["Ed", "Ann", "Flo", "Cy"], ["Bo", "Ed", "Di", "Flo"])
    put(season, A=["Ann", "Bo"], B=["Cy", "Di", "Ed"])
    found = standings(season.club, Scheme(ties=()), Choice(season_id=season.id))
    assert [(line.division, line.player.name, line.place, line.points) for line in found.lines] == [
        ("A", "Ann", 1, 2), ("A", "Bo", 1, 2), ("B", "Cy", 1, 2), ("B", "Di", 1, 2), ("B", "Ed", 3, 1),
        ("", "Flo", 1, 1),
    ]  # fmt: skip
    assert [(line.player.name, line.was) for line in found.lines][:2] == [("Ann", 1), ("Bo", 2)]
    _, places = places_by_night(season.club, Scheme(ties=()), Choice(season_id=season.id))
    assert (places[ids(season)["Bo"]], places[ids(season)["Cy"]]) == ([2, 1], [1, 1])


def test_whoever_is_deleted_leaves_the_division(season):
    play(season, FIRST, WON)
    with db_write(season.club) as session:
        session.add(Player(club_id=season.club_id, name="Flo"))
    put(season, A=["Ann", "Flo"])
    deletion.delete_player(players(season)["Flo"])
    found = standings(season.club, Scheme(), Choice(season_id=season.id))
    assert {line.player.name: line.division for line in found.lines} == {"Ann": "A", "Bo": "", "Cy": "", "Di": ""}


def test_a_closed_season_says_who_won_each_division_and_its_file_too(season):
    play(season, FIRST, WON, LOST, LOST)
    put(season, A=["Ann", "Cy"], B=["Bo", "Di"])
    seasons.close(season)
    other = comes_back(season.club)
    for one in (season, db.session.scalars(select(Season).where(Season.club_id == other.id)).one()):
        assert champions_text(one) == "Ann and Cy won division A together. Bo and Di won division B together"


def test_a_closed_season_says_that_tiebreakers_decided_it(season):
    play(season, FIRST, WON, ["Ann", "Di", "Ed", "Flo"], ["Bo", "Di", "Gil", "Ed"], ["Bo", "Cy", "Di", "Flo"])
    seasons.close(season)  # two wins each, and Ann beat Bo
    assert champions_text(season) == "Ann won on tiebreakers"
    seasons.reopen(season)
    play(season, SECOND, ["Ann", "Di", "Gil", "Flo"])
    seasons.close(season)
    assert champions_text(season) == "Ann won"


SCHEMES = [Scheme(), Scheme(by="points", attended=1, best=2), Scheme(by="share", least=2), Scheme(by="rating")]


def test_the_table_after_an_earlier_night_is_the_one_of_that_night(season):
    """As on that night, before later games, bonus points and divisions."""
    tables = [[WON] * 5, [LOST, ["Ann", "Ed", "Cy", "Di"], LOST, LOST], [LOST, ["Flo", "Ann", "Ed", "Cy"], WON, WON]]
    then = []
    for night, tables_of in zip((FIRST, SECOND, THIRD), tables, strict=True):
        play(season, night, *tables_of)
        give(season, "Di", 1, day=night)
        then.append([lines_of(standings(season.club, scheme, Choice(season_id=season.id))) for scheme in SCHEMES])
    player_service.set_retired(players(season)["Ann"], True)
    forfeit(season, ["Bo", "Di"], ["Ann", "Cy"], night=date(2026, 3, 1))
    for night, before in zip((FIRST, SECOND, THIRD), then, strict=True):
        asked = Choice(season_id=season.id, until=night)
        assert [lines_of(standings(season.club, scheme, asked)) for scheme in SCHEMES] == before


def lines_of(found):
    return [
        (one.player.name, one.place, one.was, one.points, one.form, dict(one.record.sums), one.record.rating)
        for one in found.lines
    ]


# --- pairs --------------------------------------------------------------------------------------------------------


def test_two_players_of_one_team_are_one_entry(season):
    """Ann and Cy win two of three games, Bo and Di one of two, Bo and Ed none; Ann and Di one of one."""
    play(season, FIRST, WON, LOST)
    play(season, SECOND, ["Ann", "Bo", "Cy", "Ed"], ["Ann", "Bo", "Di", "Ed"])
    scheme = Scheme(pairs=True, ties=("head-to-head",))
    assert table(season, scheme) == {
        "Ann and Cy": (1, 2), "Ann and Di": (2, 1), "Bo and Di": (2, 1), "Bo and Ed": (4, 0),
    }  # fmt: skip
    found = standings(season.club, scheme, Choice(season_id=season.id))
    first = found.lines[0].record
    assert (first.games, first.sums["points_for"], first.sums["points_against"], first.sums["hands"]) == (3, 24, 12, 18)
    assert [line.was for line in found.lines] == [1, None, 1, None]
    _, places = places_by_night(season.club, scheme, Choice(season_id=season.id))
    pair = tuple(sorted((ids(season)["Ann"], ids(season)["Di"])))
    assert places[pair] == [None, 2]
    give(season, "Ed", 5)
    by_points = Scheme(by="points", pairs=True)
    assert table(season, by_points)["Bo and Ed"] == (1, 5)
    bo_and_ed = tuple(sorted((ids(season)["Bo"], ids(season)["Ed"])))
    assert places_by_night(season.club, by_points, Choice(season_id=season.id))[1][bo_and_ed] == [None, 1]
    by_best = Scheme(best=1, pairs=True)
    assert table(season, by_best)["Ann and Cy"] == (2, 1)  # behind Ann and Di by margin, 4 to 12
    assert places_by_night(season.club, by_best, Choice(season_id=season.id))[1][pair] == [None, 1]
    put(season, A=["Ann", "Cy"], B=["Bo", "Di"])
    found = standings(season.club, scheme, Choice(season_id=season.id))
    assert [(line.division, line.player.name, line.place) for line in found.lines] == [
        ("A", "Ann and Cy", 1), ("B", "Bo and Di", 1), ("", "Ann and Di", 1), ("", "Bo and Ed", 2),
    ]  # fmt: skip


def test_a_pair_is_set_in_the_hands_that_both_played(season):
    """Ann and Carol are set twice before Dee replaces Carol; Eve and Pat once. Each team wins a game."""
    theirs = {"bidder": 2, "claims": dict.fromkeys(FOUR["claims"], "B")}
    first = start_game(season.club, played=FIRST, names=["Ann", "Eve", "Carol", "Pat"])
    record(first, SET, SET, FOUR, FOUR | {"names": {"3": "Dee"}}, FOUR, FOUR)  # 12 to 6
    second = start_game(season.club, played=FIRST, names=["Ann", "Eve", "Dee", "Pat"])
    record(second, FOUR | {"bidder": 2}, *[FOUR | theirs] * 4)  # 4 to 14
    for game in (first, second):
        seasons.count_in(game, season)
    ties = {"ties": ("sets",)}
    assert table(season, Scheme(pairs=True, **ties)) == {"Ann and Dee": (1, 1), "Eve and Pat": (2, 1)}
    assert table(season, Scheme(**ties)) == {"Dee": (1, 1), "Eve": (2, 1), "Pat": (2, 1), "Ann": (4, 1)}
    lines = standings(season.club, Scheme(pairs=True, **ties), Choice(season_id=season.id)).lines
    counted = {line.player.name: (line.record.sums["sets"], line.record.sums["inflicted"]) for line in lines}
    assert counted == {"Ann and Dee": (0, 1), "Eve and Pat": (1, 2)}
    assert verify.check_tallies(season.club) == (2, ())


def test_no_pair_has_a_guest(season):
    play(season, FIRST, WON)
    player_service.set_guest(players(season)["Di"], True)
    assert table(season, Scheme(pairs=True)) == {"Ann and Cy": (1, 1)}


def test_a_pair_is_called_in_the_order_of_the_alphabet():
    assert entry_name((1, 2), {1: "Bo", 2: "al"}) == "al and Bo"


def test_a_season_of_pairs_with_a_night_without_pairs_is_closed_and_read(season, client):
    """Three play alone on the second night: charts, partners and records are shown, and the club file is read."""
    seasons.change(season, name="League", starts=season.starts, ends=None, scheme=Scheme(pairs=True))
    play(season, FIRST, WON)
    alone = start_game(season.club, played=SECOND, names=["Ann", "Bo", "Cy"], players=3, teams=0, seasons=[season],
                       rules=find_rules("shankar"), first_dealer=1)  # fmt: skip
    while not alone.score.outcome:
        record(alone, {"bidder": 1, "bid": 2, "trump": "H", "claims": dict.fromkeys(FOUR["claims"], 1)})
    play(season, THIRD, LOST)
    pair = tuple(sorted((ids(season)["Ann"], ids(season)["Cy"])))
    nights, places = places_by_night(season.club, Scheme(pairs=True), Choice(season_id=season.id))
    assert (nights, places[pair]) == ([FIRST, SECOND, THIRD], [1, 1, 1])

    seasons.close(season)
    for page in ("charts", "partners", "records"):
        assert client.get(f"/c/{season.club.key}/seasons/{season.id}/{page}").status_code == 200
    comes_back(season.club)
    assert verify.check_tallies(season.club).wrong == ()


def test_pages_that_an_older_version_kept_wrong_are_found_and_kept_anew(season, client):
    play(season, FIRST, WON)
    seasons.close(season)
    right = season.pages
    with db_write():
        season.pages = right | {"nights": []}
    assert client.get(f"/c/{season.club.key}/seasons/{season.id}/charts").status_code == 200
    assert exported(import_as_new_club(None, as_file(exported(season.club)))[0])
    assert verify.check_tallies(season.club, fix=True).wrong == ("season League: its pages cannot be read",)
    assert season.pages == right
    assert verify.check_tallies(season.club).wrong == ()


# --- playoffs -----------------------------------------------------------------------------------------------------


def test_the_best_seeds_meet_as_late_as_they_can():
    assert order(4) == [1, 4, 2, 3]
    assert order(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert matches_of(8) == [["1-1", "1-2", "1-3", "1-4"], ["2-1", "2-2"], ["3-1"]]


def four_players(season):
    """Ann has won 3 of 3 games, Cy 2, Di 1, Bo 0, which is the order of seeds; return the seeds."""
    play(season, FIRST, WON, ["Ann", "Bo", "Cy", "Ed"], ["Ann", "Bo", "Di", "Ed"])
    table = [("Ann", "Cy", "Di", "Bo")]
    uids = {name: player.uid for name, player in players(season).items()}
    return tuple((uids[name],) for names in table for name in names)


def test_seeds_are_the_first_of_the_table_or_of_its_divisions(season):
    four_players(season)
    uids = {player.id: player.uid for player in season.club.players}
    name = {player.uid: player.name for player in season.club.players}

    def seeds(size):
        lines = standings(season.club, Scheme(needed=2), Choice(season_id=season.id)).lines
        return [name[uid] for (uid,) in seeds_of(lines, size, uids)]

    assert seeds(4) == ["Ann", "Cy", "Di", "Bo"]
    assert seeds(8) == ["Ann", "Cy", "Di", "Bo", "Ed"]  # Bo and Ed share a place: by name
    put(season, A=["Ann", "Cy"], B=["Di", "Bo"])
    assert seeds(4) == ["Ann", "Di", "Cy", "Bo"]


def test_a_bracket_follows_the_games_that_were_picked(season):
    seeds = four_players(season)
    play(season, SECOND, ["Ann", "Bo", "Ed", "Di"], ["Cy", "Di", "Ed", "Flo"], ["Ann", "Cy", "Ed", "Flo"])
    game = {game.number: game.uid for game in season.club.games}
    playoffs = Playoffs(4, seeds, {"1-1": game[4], "1-2": game[5], "2-1": game[6]})
    rounds = Bracket(season, playoffs).rounds
    assert [[(m.entries[0].name, m.entries[1].name, m.winner.name) for m in matches] for matches in rounds] == [
        [("Ann", "Bo", "Ann"), ("Cy", "Di", "Cy")], [("Ann", "Cy", "Ann")],
    ]  # fmt: skip
    assert Bracket(season, playoffs).winner.name == "Ann"
    open_final = Bracket(season, playoffs.with_game("2-1", None))
    assert (open_final.winner, open_final.match("2-1").entries[1].name) == (None, "Cy")
    # In game 1 Ann and Cy were partners: neither has beaten the other.
    assert Bracket(season, playoffs.with_game("2-1", game[1])).winner is None
    assert [one.number for one in candidates(season, open_final.match("2-1"))] == [6]
    assert [one.number for one in candidates(season, open_final.match("1-1"))] == [4, 3, 2, 1]


def test_the_first_seeds_have_a_bye_where_there_are_fewer_players(season):
    seeds = four_players(season)[:3]
    rounds = Bracket(season, Playoffs(4, seeds)).rounds
    assert [(m.bye, m.winner and m.winner.name) for m in rounds[0]] == [(True, "Ann"), (False, None)]
    assert rounds[1][0].entries[0].name == "Ann"
    two_of_eight = Bracket(season, Playoffs(8, seeds[:2]))
    assert [one.name for one in two_of_eight.match("3-1").entries] == ["Ann", "Cy"]


def test_pairs_play_off_and_a_forfeit_decides(season):
    play(season, FIRST, WON)
    uids = {name: player.uid for name, player in players(season).items()}
    lines = standings(season.club, Scheme(pairs=True), Choice(season_id=season.id)).lines
    seeds = seeds_of(lines, 4, {player.id: player.uid for player in season.club.players})
    assert [set(seed) for seed in seeds] == [{uids["Ann"], uids["Cy"]}, {uids["Bo"], uids["Di"]}]
    forfeit(season, ["Bo", "Di"], ["Ann", "Cy"])
    bracket = Bracket(season, Playoffs(4, seeds))
    final = bracket.match("2-1")
    assert [one.number for one in candidates(season, final)] == [2, 1]
    game = {game.number: game.uid for game in season.club.games}
    assert Bracket(season, Playoffs(4, seeds, {"2-1": game[2]})).winner.name == "Bo and Di"


def test_playoffs_are_in_the_file_and_the_log_and_survive_a_merge(season):
    seeds = four_players(season)
    game = season.club.games[0].uid
    seasons.set_playoffs(season, Playoffs(4, seeds, {"1-1": game}, FIRST))
    comes_back(season.club)
    before = League.from_dict(season.league)
    seasons.set_playoffs(season, None)
    club_undo.undo(season.club, latest(season))
    assert League.from_dict(season.league) == before
    play(season, SECOND, ["Zoe", "Flo", "Gil", "Hal"])
    player_service.merge(*(players(season)[name] for name in ("Zoe", "Ann")))
    assert Bracket(season, League.from_dict(season.league).playoffs).rounds[0][0].entries[0].name == "Zoe"
    club_undo.undo(season.club, latest(season))
    assert Bracket(season, League.from_dict(season.league).playoffs).rounds[0][0].entries[0].name == "Ann"


# --- head to head -------------------------------------------------------------------------------------------------


def test_the_strength_of_schedule_is_the_average_rating_of_the_opponents_before_each_game(season):
    """By docs/ratings.md a first game of 12 to 0 is worth 10.118 points to each of two partners.

    Ann meets Bo and Di at 1000 and then at 989.882; Bo and Di meet Ann and Cy at 1000 and 1010.118. The forfeit changes
    no rating and is left out. Ann and Cy meet Eve at 1000, and Flo, a guest, too.
    """
    play(season, FIRST, WON, WON)
    forfeit(season, ["Bo", "Di"], ["Ann", "Cy"], night=FIRST)
    here, who = Choice(season_id=season.id), ids(season)
    met, found = opponents_of(season.club, here), schedules_of(season.club, here)
    assert met[who["Ann"]][who["Bo"]][3:7] == (3, 2, 0, 1)
    assert met[who["Bo"]][who["Ann"]][3:7] == (3, 1, 0, 2)
    assert who["Cy"] not in met[who["Ann"]]
    assert 40 * found[who["Ann"]] == pytest.approx((1000 + 989.882) / 2, abs=1e-3)
    assert 40 * found[who["Di"]] == pytest.approx((1000 + 1010.118) / 2, abs=1e-3)
    play(season, SECOND, ["Ann", "Eve", "Cy", "Flo"])
    player_service.set_guest(players(season)["Flo"], True)
    found = schedules_of(season.club, here)
    assert 40 * found[who["Ann"]] == pytest.approx((2 * 1000 + 2 * 989.882 + 2 * 1000) / 6, abs=1e-3)
    assert schedules_of(season.club, Choice(until=date(2026, 1, 31))) == {}


def test_a_closed_season_keeps_the_strength_of_schedule(season):
    """10.118 points a game as above; seasons closed by an earlier version have no schedules."""
    play(season, FIRST, WON, WON)
    seasons.close(season)
    kept = archive.read(season.pages)
    assert 40 * kept.schedules[ids(season)["Ann"]] == pytest.approx((1000 + 989.882) / 2, abs=1e-3)
    older = {key: said for key, said in season.pages.items() if key != "schedules"} | {"version": 1}
    assert archive.read(older) == kept._replace(schedules={})


def test_the_strength_of_schedule_goes_with_how_strong_the_opponents_are(app_context):
    """In a simulated club of 100 games, in which opponents' average win % in other games correlates by only 0.27."""
    club, skill, games, true = new_club(), [], [], defaultdict(list)
    table = find_table("west-michigan-4", 4, 2)
    for number, sides in enumerate(islice(games_of(CIRCLES[0], 1, skill), 100)):
        for side, others in permutations(sides):
            for (player,) in side.seats:
                true[str(player)] += [skill[other] for (other,) in others.seats]
        names = tuple(str(side.seats[place][0]) for place in range(2) for side in sides)
        totals = {unit: side.score for unit, side in zip("AB", sides, strict=True)}
        winners = tuple(unit for unit, side in zip("AB", sides, strict=True) if side.won)
        games.append(PaperGame(str(number), table, names, FIRST, totals, winners, None))
    record_paper_games(club, games)
    found = schedules_of(club, Choice())
    strength = {player.id: fmean(true[player.name]) for player in club.players}
    assert correlation([found[one] for one in strength], list(strength.values())) > 0.5


# --- stored settings ------------------------------------------------------------------------------------------------


def a_league(season):
    play(season, FIRST, WON, ["Ann", "Bo", "Ed", "Di"])
    forfeit(season, ["Bo", "Di"], ["Ann", "Cy"])
    scheme = Scheme(by="points", needed=2, best=3, attended=1)
    seasons.change(season, name="League", starts=season.starts, ends=None, scheme=scheme)
    give(season, "Ann", -2)
    give(season, "Cy", 4, day=SECOND, uid="cys")
    undo(season, "cys", True)
    return scheme


@pytest.mark.parametrize("closed", [False, True])
def test_a_clubs_file_carries_it_with_the_same_bytes(season, closed):
    """A closed season keeps what its nights were worth."""
    scheme = a_league(season)
    before = table(season, scheme)
    if closed:
        seasons.close(season)
        lines = table_from_dict(season.frozen, scheme).lines
        assert {line.player.name: (line.place, line.points) for line in lines} == before
    other = comes_back(season.club)
    again = db.session.scalars(select(Season).where(Season.club_id == other.id)).one()
    assert table(again, scheme) == table(season, scheme)
    if closed:
        assert again.frozen["lines"][0]["extra"] == season.frozen["lines"][0]["extra"]


def test_a_file_with_something_else_there_is_refused(season):
    a_league(season)
    lines = exported(season.club).decode().splitlines()
    number = next(index for index, line in enumerate(lines) if '"type":"season"' in line)
    lines[number] = lines[number].replace('"reason":"hosted"', '"reason":""', 1)
    with pytest.raises(LineRefused, match="league: must be bonus points and divisions of players in the file"):
        import_as_new_club(None, as_file("\n".join(lines).encode() + b"\n"))


BONUS = {"uid": "u", "player": "p", "points": 2, "reason": "hosted", "undone": False, "day": "2026-02-03"}
GOOD = {"bonuses": [BONUS], "divisions": {"A": ["p"], "B": ["q"]}}


def test_what_a_file_can_say_of_a_season():
    assert is_league(GOOD, {"p", "q"})
    wrong_bonuses = [
        {"player": "nobody"}, {"points": 0}, {"points": True}, {"points": 100}, {"reason": ""}, {"day": "soon"},
        {"undone": 0}, {"uid": ""}, {"more": 1},
    ]  # fmt: skip
    wrong = [{"bonuses": [BONUS | change]} for change in wrong_bonuses]
    wrong += [{"divisions": divisions} for divisions in ({"A": []}, {"Z": ["p"]}, {"B": ["p"], "A": ["q"]}, {"A": "p"})]
    bracket = {"size": 4, "seeds": [["p"], ["q"]], "games": {"1-1": "g"}}
    assert is_league({**GOOD, "playoffs": bracket | {"drawn": "2026-02-03"}}, {"p", "q"})
    assert is_league({**GOOD, "playoffs": bracket, "start": ["q", "p"]}, {"p", "q"})
    for start in ([], ["p", "p"], ["elsewhere"], [1], "p", None):
        assert not is_league({**GOOD, "start": start}, {"p", "q"}), start
    wrong_brackets = [
        {"size": 3}, {"seeds": [["p"]]}, {"seeds": [["p"], ["x"]]}, {"seeds": [["p"], []]}, {"games": {"9-1": "g"}},
        {"games": {"1-1": 1}}, {"games": {"2-1": "g", "1-1": "h"}}, {"more": 1}, {"seeds": "pq"},
        {"drawn": "soon"}, {"drawn": None},
    ]  # fmt: skip
    wrong += [{"playoffs": bracket | change} for change in wrong_brackets] + [{"playoffs": None}]
    wrong += [{"divisions": {"A": ["p"], "B": ["p"]}}, {"bonuses": {}}, {"more": 1}, {"bonuses": [], "divisions": {}}]
    for change in wrong:
        assert not is_league({**GOOD, **change}, {"p", "q"}), change


@pytest.mark.parametrize("is_logged_by_an_earlier_version", [False, True])
def test_merged_players_keep_their_bonuses_divisions_and_rungs(season, is_logged_by_an_earlier_version):
    play(season, FIRST, WON)
    play(season, SECOND, ["Anne", "Bo", "Cy", "Di"])
    give(season, "Anne", 3)
    uids = {name: player.uid for name, player in players(season).items()}
    seasons.set_divisions(season, {uids["Ann"]: "A", uids["Anne"]: "B", uids["Bo"]: "B"})
    seasons.set_start(season, [uids[name] for name in ("Ann", "Bo", "Anne", "Di")])
    before = League.from_dict(season.league)
    player_service.merge(*(players(season)[name] for name in ("Ann", "Anne")))
    league = League.from_dict(db.session.get(Season, season.id).league)
    assert [bonus.player for bonus in league.bonuses] == [uids["Ann"]]
    assert league.division_of == {uids["Ann"]: "A", uids["Bo"]: "B"}
    assert league.start == tuple(uids[name] for name in ("Ann", "Bo", "Di"))
    if is_logged_by_an_earlier_version:
        entry = club_log.latest(season.club_id, None, 1)[0]
        told = {"bonuses": [bonus.uid for bonus in before.bonuses], "division": "B", "seeds": []}
        told["start"] = [uids[name] for name in ("Ann", "Bo", "Anne", "Di")]
        with db_write():
            entry.after = {**entry.after, "leagues": {season.uid: told}}
    club_undo.undo(season.club, latest(season))
    again = League.from_dict(db.session.get(Season, season.id).league)
    assert (again.bonuses, again.division_of, again.start) == (before.bonuses, before.division_of, before.start)


def latest(season):
    return club_log.latest(season.club_id, None, 1)[0].seq

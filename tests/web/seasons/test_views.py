"""Pages for organizers of a season: games and nights, bonus points, forfeits."""

import re
from datetime import date
from threading import Thread

import pytest

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Season
from scorekeeper.scoring.record import find_table
from scorekeeper.services import club_log, seasons
from scorekeeper.services import players as player_service
from scorekeeper.services.games import PaperGame, record_paper_games
from scorekeeper.stats.league import Bonus, League, Playoffs, candidates, league_of
from scorekeeper.stats.schemes import Scheme
from scorekeeper.web.seasons import views
from tests.classic import player
from tests.web.site import complaints
from tests.web.standings.test_views import LEAGUE, begin, club, names, play, rows, season_of, text  # noqa: F401

BY_POINTS = {"by": "points", "attended": "1", "best": "2", "needed": "2"}


@pytest.fixture
def league(site, club):  # noqa: F811
    """URL of a season by points with two games of Ann and Cy against Bo and Di."""
    begin(site, **BY_POINTS)
    for day in (3, 10):
        play(club, played=date(2026, 2, day))
    return f"{site.club}seasons/{season_of(club).id}/"


def ids(club):  # noqa: F811
    return {player.name: player.uid for player in club.players}


def test_games_to_be_ranked_and_nights_are_set_said_and_counted(site, club, league):  # noqa: F811
    """What only points or nights have is not kept by another order."""
    season = season_of(club)
    assert seasons.scheme_of(season) == Scheme(by="points", needed=2, best=2, attended=1)
    page = text(site.client.get(league))
    assert "Points: 2 for a win, 1 for a tie, 0 for a loss, 1 for each night played." in page
    assert "Only each player’s best 2 nights count. Ranked after 2 games." in page
    assert [row[2] for row in rows(site.client.get(league))] == ["6", "6", "2", "2"]
    form = site.client.get(f"{league}change").text.replace("\n    ", " ")
    assert all(f'name="{name}" value="{value}"' in form for name, value in BY_POINTS.items() if name != "by")
    for fields, sentence in (
        ({"best": "0"}, "Enter a number of nights from 1 to 99, or leave this blank."),
        ({"needed": "100"}, "Enter a number of games from 1 to 99."),
        ({"attended": "-1"}, "Enter a number of points from 0 to 99."),
    ):
        response = begin(site, name="Cup", **BY_POINTS | fields)
        assert (response.status_code, complaints(response)) == (422, [sentence])
    site.client.post(f"{league}change", data=LEAGUE | BY_POINTS | {"by": "share"})
    assert seasons.scheme_of(season_of(club)) == Scheme(by="share", least=5)


def bonus(site, league, **fields):
    usual = {"points": "3", "reason": "Hosted the night", "day": "2026-02-10", "token": "x" * 22}
    return site.client.post(f"{league}bonus", data=usual | fields)


def test_a_bonus_is_given_once_undone_and_restored(site, club, league):  # noqa: F811
    assert f'href="{league}bonus"' in site.client.get(league).text
    for _ in range(2):
        assert bonus(site, league, player=ids(club)["Bo"]).status_code == 303
    page = text(site.client.get(f"{league}bonus"))
    assert "+3 points for Bo." in page
    assert "+3 points for Bo Hosted the night · Feb 10, 2026 Undo" in page
    table = site.client.get(league)
    worth = [row[2] for row in rows(table)]
    assert dict(zip(names(table), worth, strict=True)) == {"Ann": "6", "Cy": "6", "Bo": "5", "Di": "2"}
    assert text(table).count("bonus +3") == 1  # the points of Bo's games are 2
    assert "A bonus was given: +3 points for Bo (" in text(site.client.get(f"{site.club}changes"))
    uid = League.from_dict(season_of(club).league).bonuses[0].uid
    for what, said, worth in (("undo", "undone", "2"), ("restore", "restored", "5")):
        assert site.client.post(f"{league}bonus/{uid}/{what}").status_code == 303
        assert f"The bonus for Bo was {said}." in text(site.client.get(f"{league}bonus"))
        assert [row[2] for row in rows(site.client.get(league))][2] == worth
    bonus(site, league, player=ids(club)["Bo"], points="-1")  # from the form before, which was changed
    assert "−1 point for Bo Hosted the night" in text(site.client.get(f"{league}bonus"))
    assert [row[2] for row in rows(site.client.get(league))][2] == "4"


def test_a_penalty_is_below_zero_also_of_a_guest_and_a_wrong_form_is_kept(site, club, league):  # noqa: F811
    response = bonus(site, league, player="99", points="0", reason=" ", day="")
    assert response.status_code == 422
    assert complaints(response) == [
        "Choose a player.",
        "Enter a whole number from −99 to 99, and not 0.",
        "Say why, for example: hosted the night.",
        "Enter a date like 2026-03-21.",
    ]
    early = bonus(site, league, player=ids(club)["Ann"], day="2025-12-31")
    assert (early.status_code, complaints(early)) == (422, ["The season starts on Jan 1, 2026."])
    begin(site, **BY_POINTS, name="Spring", starts="2026-01-01", ends="2026-03-31")
    spring = f"{site.club}seasons/{season_of(club).id}/"
    late = bonus(site, spring, player=ids(club)["Ann"], day="2026-04-01")
    assert (late.status_code, complaints(late)) == (422, ["The season ends on Mar 31, 2026."])
    assert 'name="day" value="2026-03-31"' in site.client.get(f"{spring}bonus").text
    bonus(site, league, player=ids(club)["Ann"], points="−1", reason="Late")
    player_service.set_guest(next(one for one in club.players if one.name == "Ann"), True)
    assert "−1 point for Ann Late" in text(site.client.get(f"{league}bonus"))
    begin(site, **BY_POINTS, name="Next", starts="2999-01-01")
    next_one = f"{site.club}seasons/{season_of(club).id}/"
    assert 'name="day" value="2999-01-01"' in site.client.get(f"{next_one}bonus").text
    site.client.post(f"{next_one}close")  # before its first day
    assert "since Jan 1, 2999" in text(site.client.get(next_one))


def test_only_an_open_season_by_points_takes_a_bonus(site, club, league):  # noqa: F811
    site.client.post(f"{league}change", data=LEAGUE)
    only = "Bonus points count only in a season that is ordered by points or total score."
    assert only in text(site.client.get(f"{league}bonus"))
    site.client.post(f"{league}close")
    bonus(site, league, player=ids(club)["Ann"])
    assert "The season is closed. Reopen it first." in text(site.client.get(f"{league}bonus"))
    assert season_of(club).league is None
    assert site.client.post(f"{league}bonus/nothing/undo").status_code == 303


def forfeit(site, club, league, *who, **fields):  # noqa: F811
    uids = [ids(club).get(name, "") for name in who]
    seats = dict(zip(("winner-1", "winner-2", "loser-1", "loser-2"), uids, strict=True))
    usual = {"table": "classic-4-2", "day": "2026-02-17", "token": "f" * 22}
    return site.client.post(f"{league}forfeit", data=usual | seats | fields)


def test_a_forfeit_is_saved_once_and_called_so_everywhere(site, club, league):  # noqa: F811
    assert f'href="{league}forfeit"' in site.client.get(league).text
    for _ in range(2):
        assert forfeit(site, club, league, "Bo", "Di", "Ann", "Cy").status_code == 303
    said = text(site.client.get(league))
    assert "Forfeit saved: a win for Bo and Di." in said
    assert "That day is outside of League." not in said
    assert [row[2] for row in rows(site.client.get(league))] == ["6", "6", "3", "3"]  # the best two of 1, 1 and 2
    sheet = text(site.client.get(f"{site.club}games/3/"))
    assert "Bo and Di win by forfeit A forfeit: the game was not played, so it has no hands." in sheet
    assert "forfeit · Game 3" in text(site.client.get(f"{site.club}games/"))
    mine = text(site.client.get(f"{site.club}players/{player('Bo').id}"))
    assert "Won by forfeit , game 3" in mine
    assert "1 forfeit among the games." in mine
    assert "Bo 3 games, last played Feb 10, 2026" in text(site.client.get(f"{site.club}players/"))
    for end in ("story", "history", "record", "board", "share"):
        assert site.client.get(f"{site.club}games/3/{end}").status_code in (200, 303)
    assert ">0</text>" not in site.client.get(f"{site.club}games/3/board").text
    assert "Bo and Di won by forfeit\nAnn and Cy\n\nClassic" in site.client.get(f"{site.club}games/3/share").text
    changes = site.client.get(f"{site.club}changes")
    assert "A forfeit was saved: game 3." in text(changes)
    assert "A forfeit was undone: game 3." in text(undone(site))
    for _ in range(2):
        forfeit(site, club, league, "Bo", "Di", "Ann", "Cy")  # the form before, sent again
    assert "forfeit · Game 4" in text(site.client.get(f"{site.club}games/"))
    forfeit(site, club, league, "Bo", "Di", "Ann", "Cy", day="2025-12-31")
    assert "forfeit · Game 5" in text(site.client.get(f"{site.club}games/"))
    assert "That day is outside of League. The game counts there anyway." in text(site.client.get(league))


def undone(site):
    """Undo the latest change of the club, and return the page of changes."""
    latest = re.search(r'action="([^"]+/undo)"', site.client.get(f"{site.club}changes").text)
    return site.client.post(latest[1], follow_redirects=True)


def test_a_forfeit_needs_a_player_in_each_seat(site, club, league):  # noqa: F811
    response = forfeit(site, club, league, "Bo", "", "Ann", "Cy")
    assert (response.status_code, complaints(response)) == (422, ["Choose a player for each seat."])
    response = forfeit(site, club, league, "Bo", "Ann", "Ann", "Cy", day="soon")
    assert complaints(response) == ["Choose each player only once.", "Enter a date like 2026-03-21."]
    assert db.session.scalar(db.select(db.func.count()).select_from(Season)) == 1
    assert len(club.games) == 2


def test_players_are_put_into_divisions_each_with_its_table(site, club, league):  # noqa: F811
    uids = ids(club)
    assert f'href="{league}divisions"' in site.client.get(league).text
    wrong = site.client.post(f"{league}divisions", data={uids["Ann"]: "Z"})
    assert (wrong.status_code, complaints(wrong)) == (422, ["Choose a division from the list."])
    told = {uids["Ann"]: "A", uids["Bo"]: "A", uids["Cy"]: "B", uids["Di"]: "", "somebody": "B"}
    assert site.client.post(f"{league}divisions", data=told).status_code == 303
    assert "The divisions of League were changed back." in text(undone(site))
    assert site.client.post(f"{league}divisions", data=told).status_code == 303
    page = site.client.get(league).text
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["Division A", "Division B", "No division"]
    assert [table.partition("</tbody>")[0].count("<tr>") for table in page.split("<tbody>")[1:]] == [2, 1, 1]
    assert "Division A" in text(site.client.get(site.club))
    champions = "Champion, division A 6 points Ann Points: .* Champion, division B 6 points Cy Points: "
    assert re.search(champions, text(site.client.get(f"{league}records")))
    site.client.post(f"{league}close")
    assert re.search(champions, text(site.client.get(f"{league}records")))
    page = text(site.client.get(league))
    assert "Ann won division A. Cy won division B" in page
    assert site.client.post(f"{league}divisions", data={}).status_code == 303
    assert League.from_dict(season_of(club).league).division_of == {uids["Ann"]: "A", uids["Bo"]: "A", uids["Cy"]: "B"}


def test_a_ladder_has_a_starting_order(site, club):  # noqa: F811
    begin(site, by="ladder", climb="insert", reach="")
    play(club, played=date(2025, 12, 2))  # before the season
    here, uids = f"{site.club}seasons/{season_of(club).id}/", ids(club)
    assert f'href="{here}start"' in site.client.get(here).text
    for typed in ({"Ann": "2", "Bo": "2"}, {"Ann": "0"}, {"Ann": "top"}):
        wrong = site.client.post(f"{here}start", data={uids[name]: rung for name, rung in typed.items()})
        sentence = "Give each player a different rung, 1 to 999, or none."
        assert (wrong.status_code, complaints(wrong)) == (422, [sentence])
    told = {uids["Di"]: "1", uids["Ann"]: " 7 ", uids["Bo"]: "3", uids["Cy"]: "", "somebody": "2"}
    assert site.client.post(f"{here}start", data=told).status_code == 303
    page = text(site.client.get(here))
    assert "Starting order saved." in page
    assert "1 Di 2 Bo 3 Ann In numbers" in page
    assert f'name="{uids["Ann"]}" value="3"' in site.client.get(f"{here}start").text
    seasons.close(season_of(club))
    site.client.post(f"{here}start", data={})
    assert len(League.from_dict(season_of(club).league).start) == 3


def test_a_club_without_players_has_nobody_to_divide_no_forfeit_and_no_playoffs(site, club):  # noqa: F811
    begin(site)
    here = f"{site.club}seasons/{season_of(club).id}/"
    for what in ("divisions", "forfeit", "start"):
        page = text(site.client.get(f"{here}{what}"))
        assert "The club has no players yet. Players join it with their first game." in page
        assert "Choose a player" not in page
    site.client.post(f"{here}playoffs", data={"size": "4"})
    page = site.client.get(f"{here}playoffs")
    assert "Playoffs of the top 4 need at least 2 ranked players. The table does not have them yet." in text(page)
    assert "Playoffs need two ranked players." in text(page)
    assert ">Draw" not in page.text


def test_the_table_is_shown_as_it_was_after_an_earlier_night(site, club, league):  # noqa: F811
    play(club, played=date(2026, 2, 17), names=["Bo", "Ann", "Di", "Cy"])
    assert [row[2] for row in rows(site.client.get(league))] == ["6", "6", "4", "4"]
    page = site.client.get(f"{league}?to=2026-02-10")
    assert [row[2] for row in rows(page)] == ["6", "6", "2", "2"]
    assert "After Feb 10, 2026 With all later corrections." in text(page)
    assert f'href="{league}?to=2026-02-03">One night earlier' in page.text
    assert f'href="{league}">One night later' in page.text
    assert '<input type="date" id="after" name="to" value="2026-02-10" required>' in page.text
    first = site.client.get(f"{league}?to=2026-02-03").text
    assert ("One night earlier" in first, f'href="{league}?to=2026-02-10">One night later' in first) == (False, True)
    everything = site.client.get(f"{site.club}standings?by=share&to=2026-02-10")
    assert f'href="{site.club}standings?by=share">Now' in everything.text


def test_everybody_against_everybody_and_one_against_each(site, club, league):  # noqa: F811
    play(club, played=date(2026, 2, 17), names=["Bo", "Ed", "Di", "Cy"])
    page = site.client.get(f"{league}head-to-head")
    assert rows(page)[0][0] == "Ann"
    table = {row[0]: row[1:] for row in rows(page)}
    heads = re.findall(r'<th scope="col" class="figure">(.*?)</th>', page.text)
    bo = dict(zip(heads, table["Bo"], strict=True))
    assert bo["Ann"] == "won 0, lost 2 0–2" and bo["Cy"] == "won 1, lost 2 1–2" and bo["Di"] == "–"
    ann = player("Ann").id
    one = site.client.get(f"{league}head-to-head?player={ann}")
    assert rows(one) == [["Bo", "2", "won 2, lost 0 2–0", "100%"], ["Di", "2", "won 2, lost 0 2–0", "100%"]]
    # Bo and Di had 1000 each before the first game against Ann, and 990 before the second (tests/stats/test_league.py)
    assert "Strength of schedule: 995" in text(one)
    assert site.client.get(f"{league}head-to-head?player=x").status_code == 200


def test_a_season_ranks_pairs_on_every_page(site, club, league):  # noqa: F811
    site.client.post(f"{league}change", data=LEAGUE | {"pairs": "y"})
    assert seasons.scheme_of(season_of(club)) == Scheme(pairs=True)
    page = site.client.get(league)
    assert [row[1].split(" won ")[0] for row in rows(page)] == ["Ann and Cy", "Bo and Di"]
    assert "Pairs: two partners share one place." in text(page)
    for end in ("partners", "head-to-head", "charts", "records", "?to=2026-02-03"):
        assert site.client.get(f"{league}{end}").status_code == 200
    assert site.client.get(site.club).status_code == 200
    assert "Ann and Cy" in site.client.get(re.search(r'href="([^"]*csv[^"]*)"', page.text)[1]).text


def test_playoffs_are_drawn_played_and_won(site, club, league):  # noqa: F811
    here = f"{league}playoffs"
    assert f'href="{here}"' in site.client.get(league).text
    assert "No playoffs yet." in text(site.client.get(here))
    site.client.post(here, data={"size": "5"})
    assert "Choose how many players are in the playoffs." in text(site.client.get(here))
    assert site.client.post(here, data={"size": "4"}).status_code == 303
    page = site.client.get(here)
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", page.text) == ["Semifinals", "Final"]
    assert '<p class="printed">Friday table, League</p>' in page.text
    assert "Seed 1 Ann" in text(page) and "not known yet" in text(page)
    assert "Neither has beaten the other since the playoffs started." in text(page)
    assert re.findall(r'<details class="show"( open)?>', page.text) == [""] * 2
    # the seeds are Ann, Cy, Bo and Di: Ann plays Di, and Cy plays Bo, as in games 1 and 2
    games = {game.number: game.uid for game in club.games}
    for day in (date(2024, 1, 1), club.today):  # before the season, after the draw
        play(club, played=day, names=["Ann", "Di", "Ed", "Flo"])
    page = site.client.get(here)
    semifinal = re.search(r"<select.*?</select>", page.text, re.DOTALL)[0]
    offered = ["Game 4", 'label="Before the playoffs"', "Game 2", "Game 1"]
    assert re.findall(r'Game \d|label="[^"]*"', semifinal) == offered
    assert re.findall(r'<details class="show"( open)?>', page.text) == [" open", ""]
    site.client.post(f"{here}/1-1", data={"game": games[1]})
    site.client.post(f"{here}/1-2", data={"game": games[2]})
    final = play(club, played=date(2026, 3, 3), names=["Ann", "Cy", "Ed", "Flo"])
    site.client.post(f"{here}/2-1", data={"game": "nothing"})
    assert "Choose a game from the list." in text(site.client.get(here))
    site.client.post(f"{here}/2-1", data={"game": final.uid})
    assert "Ann won the playoffs" in text(site.client.get(here))
    assert "Ann won the playoffs" in text(site.client.get(league))
    assert site.client.post(f"{here}/9-9", data={"game": final.uid}).status_code == 404
    site.client.post(f"{here}/remove")
    assert "No playoffs yet." in text(site.client.get(here))


@pytest.fixture
def meanwhile(app, club, monkeypatch):  # noqa: F811
    """Lets another phone change the season just before the next change locks the club."""

    def do(change):
        def run():
            with app.app_context():
                change(season_of(db.session.get(Club, club_id)))

        def overtaken(*locks):
            monkeypatch.undo()
            (elsewhere := Thread(target=run)).start()
            elsewhere.join()
            return lock(*locks)

        lock, club_id = seasons.db_write_or_join, club.id
        for name in ("db_write", "db_write_or_join"):
            monkeypatch.setattr(seasons, name, overtaken)

    return do


def test_playoffs_are_drawn_once_whoever_else_draws_them(site, club, league, meanwhile):  # noqa: F811
    seeds = tuple((uid,) for uid in ids(club).values())
    meanwhile(lambda season: seasons.set_playoffs(season, Playoffs(4, seeds, {"1-1": "a game"})))
    site.client.post(f"{league}playoffs", data={"size": "8"})
    site.client.post(f"{league}playoffs", data={"size": "4"})
    assert league_of(season_of(club)).playoffs == Playoffs(4, seeds, {"1-1": "a game"})
    assert [entry.kind for entry in club_log.latest(club.id, None, 9)].count(club_log.PLAYOFFS) == 1


def test_the_last_bonus_that_a_season_can_take_is_given_once(site, club, league, meanwhile):  # noqa: F811
    season, ann = season_of(club), ids(club)["Ann"]
    given = tuple(Bonus(ann, 1, "hosted", date(2026, 2, 3), str(number)) for number in range(499))
    with db_write(club):
        season.league = League(given).to_dict()
    meanwhile(lambda season: seasons.set_bonus(season, Bonus(ann, 2, "the last", date(2026, 2, 3))))
    answer = bonus(site, league, player=ann)
    assert answer.location == f"{league}bonus"
    assert "This season has as many bonuses as it can take." in text(site.client.get(answer.location))
    assert [one.points for one in league_of(season_of(club)).bonuses] == [1] * 499 + [2]


FORMS = ("bonus", "divisions", "start")
OVERTAKEN = {
    **dict.fromkeys([("close", form) for form in (*FORMS, "change")], "The season is closed. Reopen it first."),
    **dict.fromkeys(
        [("merge", form) for form in FORMS], "A player was deleted or merged meanwhile. Nothing was changed."
    ),
}


@pytest.mark.parametrize(("change", "form"), OVERTAKEN)
def test_a_form_that_another_phone_overtakes_changes_nothing(site, club, league, meanwhile, change, form):  # noqa: F811
    player_service.add(club, "Eve")
    eve = ids(club)["Eve"]
    meanwhile(seasons.close if change == "close" else lambda _: player_service.merge(player("Ann"), player("Eve")))
    fields = {"divisions": {eve: "A"}, "start": {eve: "1"}, "change": LEAGUE}.get(form)
    answer = site.client.post(f"{league}{form}", data=fields) if fields else bonus(site, league, player=eve)
    assert answer.location == f"{league}{form}"
    assert OVERTAKEN[change, form] in text(site.client.get(answer.location))
    assert league_of(season_of(club)) == League()


@pytest.mark.parametrize("form", ["new", "change"])
def test_two_seasons_are_not_called_the_same_but_for_capitals(site, club, league, meanwhile, form):  # noqa: F811
    meanwhile(lambda season: seasons.begin(season.club, "Cup", date(2026, 3, 1), None, Scheme()))
    where = f"{site.club}seasons/new" if form == "new" else f"{league}change"
    answer = site.client.post(where, data=LEAGUE | {"name": "CUP"})
    assert (answer.status_code, complaints(answer)) == (422, ["Another season has that name."])
    assert sorted(season.name for season in club.seasons) == ["Cup", "League"]


def test_a_season_that_another_phone_closes_takes_no_games(site, club, league, meanwhile):  # noqa: F811
    seasons.count_in(club.games[0], None)
    meanwhile(seasons.close)
    site.client.post(f"{league}take-in")
    assert season_of(club).closed_at is not None
    assert [len(game.seasons) for game in club.games] == [0, 1]


def test_a_season_is_closed_and_reopened_once(club, league, meanwhile):  # noqa: F811
    kinds = []
    for change in (seasons.close, seasons.reopen):
        meanwhile(change)
        change(season_of(club))
        kinds.append(club_log.CLOSE)
        assert [one.kind for one in club_log.latest(club.id, None, 9)][: len(kinds) + 1] == [*kinds, club_log.BEGIN]


def test_two_organizers_pick_games_of_two_matches_at_once(site, club, league, monkeypatch):  # noqa: F811
    """While one request looks for the games of a match, another phone picks the game of the other match."""
    site.client.post(f"{league}playoffs", data={"size": "4"})
    first, second = sorted(club.games, key=lambda game: game.number)

    def meanwhile(season, match):
        season = season_of(club)
        seasons.set_playoffs(season, league_of(season).playoffs.with_game("1-1", first.uid))
        return candidates(season, match)

    monkeypatch.setattr(views, "candidates", meanwhile)
    site.client.post(f"{league}playoffs/1-2", data={"game": second.uid})
    assert league_of(season_of(club)).playoffs.games == {"1-1": first.uid, "1-2": second.uid}


def test_eight_are_drawn_from_five_ranked_players_on(site, club, league):  # noqa: F811
    here = f"{league}playoffs"
    assert re.findall(r">(Start .*?)</button>", site.client.get(here).text) == ["Start with the top 4"]
    site.client.post(here, data={"size": "8"})
    refused = "Playoffs of the top 8 need at least 5 ranked players. The table does not have them yet."
    assert refused in text(site.client.get(here))
    for day in (17, 24):
        play(club, played=date(2026, 2, day), names=["Ann", "Ed", "Cy", "Flo"])
    offered = ["Start with the top 4", "Start with all 6"]
    assert re.findall(r">(Start .*?)</button>", site.client.get(here).text) == offered


def test_whose_phone_it_was_is_written_beside_what_an_organizer_sets(site, club, league):  # noqa: F811
    ann, bo = ids(club)["Ann"], ids(club)["Bo"]
    site.client.post(f"{site.club}device", data={"whose": "Di"})
    given = {"player": ann, "points": "2", "reason": "hosted", "day": "2026-02-10"}
    assert bonus(site, league, **given).status_code == 303
    uid = League.from_dict(season_of(club).league).bonuses[0].uid
    for where, form in (
        (f"bonus/{uid}/undo", {}), ("divisions", {ann: "A", bo: "A"}), ("divisions", {}),
        ("start", {ann: "1"}), ("playoffs", {"size": "4"}), ("playoffs/1-1", {"game": club.games[0].uid}),
        ("playoffs/remove", {}),
    ):  # fmt: skip
        assert site.client.post(f"{league}{where}", data=form).status_code == 303
    told = [(entry.kind, entry.by) for entry in club_log.latest(club.id, None, 8)]
    kinds = [*["playoffs"] * 3, "start", *["divisions"] * 2, *["bonus"] * 2]
    assert told == [(kind, "Di") for kind in kinds]


def test_a_game_is_begun_in_a_league_and_a_cup_goes_on_in_both_and_is_moved_with_a_warning(site, club, league):  # noqa: F811
    assert 'name="also"' not in site.client.get(f"{site.club}games/new").text  # only one current season, so no choice
    begin(site, name="Cup", starts="2026-02-01", ends="2026-02-08", **BY_POINTS)
    cup, first = season_of(club), league.split("/")[-2]
    seasons.change(cup, name="Cup", starts=cup.starts, ends=None, scheme=Scheme())
    site.start_game(season=first, also=[str(cup.id), first])
    page = text(site.client.get(site.game))
    assert "Season League, Cup" in page
    setup = site.client.get(f"{site.club}games/new").text
    assert re.search(rf'name="also" value="{cup.id}" checked', re.sub(r"\s+", " ", setup))
    again = site.client.post(f"{site.game}again", data={"token": "again"})
    assert "Season League, Cup" in text(site.client.get(again.location.removesuffix("hands/new")))
    seasons.change(cup, name="Cup", starts=cup.starts, ends=date(2026, 2, 8), scheme=Scheme())
    moved = site.client.post(f"{site.game}season", data={"season": first, "also": str(cup.id)}, follow_redirects=True)
    assert "The game now counts" not in text(moved)  # nothing was changed
    moved = site.client.post(f"{site.game}season", data={"season": str(cup.id)}, follow_redirects=True)
    assert "The game now counts for Cup. That day is outside of Cup. The game counts there anyway." in text(moved)
    assert site.client.post(f"{site.game}season", data={"season": first, "also": "999"}).status_code == 404


def test_a_cup_takes_in_the_games_that_a_league_has_on_its_days(site, club, league):  # noqa: F811
    begin(site, name="Cup", starts="2026-02-10", ends="2026-02-28")
    cup = f"{site.club}seasons/{season_of(club).id}/"
    assert "1 game from these days counts in other seasons only" in text(site.client.get(f"{cup}change"))
    page = text(site.client.post(f"{cup}take-in", data={"which": "elsewhere"}, follow_redirects=True))
    assert "1 game added to Cup." in page
    assert len(rows(site.client.get(league))) == len(rows(site.client.get(cup))) == 4
    assert "League; Cup" in site.client.get(f"{site.club}hands.csv").text


def test_a_ladder_is_set_drawn_and_says_who_moved_up(site, club):  # noqa: F811
    begin(site, by="ladder", climb="swap", reach="3", tie1="", tie2="", tie3="")
    season = season_of(club)
    assert seasons.scheme_of(season) == Scheme(by="ladder", climb="swap", reach=3, ties=())
    play(club, played=date(2026, 2, 3))
    page = site.client.get(f"{site.club}seasons/{season.id}/")
    drawn = page.text[page.text.index('<ol class="ladder"') : page.text.index("</ol>")]
    assert re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", drawn)).split() == ["1", "Ann", "2", "Cy", "3", "Bo", "4", "Di"]
    said = text(page)
    assert "Feb 3, 2026, game 1 Cy moved from rung 3 to rung 2, past Bo." in said
    assert "Beat somebody who is higher on the ladder to move up: the winner and the loser trade rungs." in said
    assert "Nobody moves up more than 3 rungs in a game." in said
    awards = text(site.client.get(f"{site.club}seasons/{season.id}/records"))
    assert "Champion Top rung Ann Beat somebody who is" in awards
    assert "Ties:" not in said
    form = site.client.get(f"{site.club}seasons/{season.id}/change").text
    assert 'name="reach" value="3"' in re.sub(r"\s+", " ", form)
    wrong = site.client.post(f"{site.club}seasons/new", data=LEAGUE | {"name": "Two", "by": "ladder", "reach": "x"})
    assert complaints(wrong) == ["Enter a number of rungs from 1 to 99, or leave this blank."]
    assert 'value="ladder"' not in site.client.get(f"{site.club}standings?narrow=").text


def test_every_page_of_a_closed_season_keeps_its_players_and_their_names(site, club, league):  # noqa: F811
    season = season_of(club)
    seasons.close(season)
    uids = {player.name: player for player in club.players}
    player_service.set_guest(uids["Ann"], True)
    player_service.rename(uids["Bo"], "Bob")
    night = "?to=2026-02-03"
    for page in ("", night, "head-to-head", f"head-to-head{night}", f"records{night}"):
        said = text(site.client.get(f"{league}{page}"))
        assert "Ann" in said, page
        assert "Bo" in said and "Bob" not in said, page
    seasons.reopen(season_of(club))
    assert "Ann" not in text(site.client.get(f"{league}head-to-head"))


def test_pages_of_games_with_three_sides(site, club):  # noqa: F811
    """Partners say what chance gives, head to head why both of a pair have lost."""
    both = "With three teams or more, both can lose."
    play(club)
    partners, here = (f"{site.club}standings/{page}" for page in ("partners", "head-to-head"))
    assert "by chance 50%" not in text(site.client.get(partners))
    said = text(site.client.get(here))
    assert "Forfeits count. Schedule:" in said and both not in said
    table, six = find_table("shankar", 6, 3), ("Ann", "Bo", "Cy", "Di", "Eve", "Flo")
    totals, day = {"A": 16, "B": 3, "C": 0}, date(2026, 2, 3)
    record_paper_games(club, [PaperGame(f"p{number}", table, six, day, totals, ("A",), None) for number in range(8)])
    alone = text(site.client.get(f"{partners}?table=6-3"))
    assert "Ann and Di won 8, lost 0 8–0 by chance 33%" in alone
    assert "Chance:" not in alone  # the explanation of a column that phones do not show
    assert f"Forfeits count. {both} Schedule:" in text(site.client.get(here))
    eve = next(player.id for player in club.players if player.name == "Eve")
    said = text(site.client.get(f"{here}?player={eve}"))
    assert f"Forfeits count. {both} Schedule:" in said
    assert "Flo 8 won 0, lost 8 0–8" in said  # Bo and Eve, Cy and Flo: neither side won

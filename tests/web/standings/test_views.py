"""Pages of seasons: start, change, close, reopen; their tables, and the games that belong to them."""

import re
from datetime import date, timedelta
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Game, Player, Season
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import custom_rules, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services.games import record_forfeit
from scorekeeper.stats import tallies, verify
from scorekeeper.stats.schemes import Scheme
from scorekeeper.web.common import numbers
from tests.classic import FOUR, TWO_EACH, player, record, start_game
from tests.stats import quick_games
from tests.web.site import Site, checked, complaints, counted_queries

LOST = {"bidder": 1, "bid": 2, "trump": "H", "claims": dict.fromkeys(("high", "low", "jack", "game"), "B")}
TODAY = date.today()
LEAGUE = {
    "name": "League", "starts": "2026-01-01", "ends": "", "by": "wins", "least": "5", "won": "2", "shared": "1",
    "lost": "0", "tie1": "head-to-head", "tie2": "margin", "tie3": "sets", "credit": "finished",
}  # fmt: skip


@pytest.fixture
def club(app: Flask, site: Site) -> Any:
    """The club of `site`, newly started."""
    site.start_club()
    with app.app_context():
        yield db.session.scalars(select(Club)).one()


def begin(site: Site, **fields: str) -> TestResponse:
    return site.client.post(f"{site.club}seasons/new", data=LEAGUE | fields)


def season_of(club: Club) -> Season:
    db.session.expire_all()
    return db.session.scalars(select(Season).where(Season.club_id == club.id).order_by(Season.id.desc())).first()


@pytest.fixture
def season(site: Site, club: Club) -> Season:
    begin(site)
    return season_of(club)


def play(club: Club, played: date = date(2026, 2, 3), names: list[str] | None = None, **options: Any) -> Game:
    """Return a game won by the first and third player, 12 to 0."""
    game = start_game(club, played=played, names=names or ["Ann", "Bo", "Cy", "Di"], **options)
    record(game, FOUR, FOUR, FOUR)
    return game


def text(response: TestResponse) -> str:
    """Return the text of a page."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", response.text)))


def rows(response: TestResponse) -> list[list[str]]:
    """Return the rows of the players' table, as lists of cells."""
    body = response.text[response.text.index("<tbody>") :].partition("</tbody>")[0]
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S) for row in body.split("<tr")[1:]]
    return [[re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", cell))).strip() for cell in row] for row in cells]


def names(response: TestResponse) -> list[str]:
    return [unescape(name) for name in re.findall(r'<span class="name"><a[^>]*>([^<]*)</a>', response.text)]


def test_a_season_begins_and_is_in_the_list(site, club):
    """Once, if the form is sent twice."""
    response = begin(site, name="  Winter   league ")
    season = season_of(club)
    assert (response.status_code, response.location) == (303, f"{site.club}seasons/{season.id}/")
    assert begin(site, name="  Winter   league ").location == response.location
    assert len(club.seasons) == 1
    assert (season.name, season.starts, season.ends) == ("Winter league", date(2026, 1, 1), None)
    assert season.settings == Scheme().to_dict()
    assert "Winter league Running since Jan 1, 2026 · 0 games" in text(site.client.get(f"{site.club}seasons/"))
    begin(site, tie1="sets", tie2="", tie3="margin")
    assert season_of(club).settings["ties"] == ["sets", "margin"]


def test_what_a_season_cannot_be_is_said_beside_the_field(site, club):
    begin(site, name="Holiday cup")
    for fields, sentence in (
        ({"name": " "}, "Enter a name for the season."),
        ({"name": "x" * 81}, "That name is too long. Use at most 80 letters."),
        ({"name": "holiday CUP"}, "Another season has that name."),
        ({"starts": ""}, "Enter the first day of the season."),
        ({"starts": "tomorrow"}, "Enter a date like 2026-03-21."),
        ({"ends": "2025-12-31"}, "The last day is before the first day."),
        ({"ends": "31.12."}, "Enter a date like 2026-03-21."),
        ({"starts": "0001-01-01"}, "Enter a year from 1900 to 2999."),
        ({"ends": "9999-12-31"}, "Enter a year from 1900 to 2999."),
        ({"by": ""}, "Choose how the standings are ordered."),
        ({"by": "luck"}, "Choose how the standings are ordered."),
        ({"least": "0"}, "Enter a number of games from 1 to 99."),
        ({"least": ""}, "Enter a number of games from 1 to 99."),
        ({"won": "two"}, "Enter a number of points from 0 to 99."),
        ({"shared": ""}, "Enter a number of points from 0 to 99."),
        ({"won": "1", "shared": "2"}, "A tie cannot be worth more than a win."),
        ({"won": "1", "shared": "1", "lost": "2"}, "A loss cannot be worth more than a win."),
        ({"won": "3", "shared": "1", "lost": "2"}, "A loss cannot be worth more than a tie."),
        ({"tie2": "head-to-head"}, "Choose each tiebreaker only once."),
        ({"tie1": "", "tie3": "margin"}, "Choose each tiebreaker only once."),
        ({"tie1": "coin"}, "Choose one of these."),
        ({"credit": ""}, "Choose who the game counts for."),
        ({"credit": "nobody"}, "Choose who the game counts for."),
    ):
        response = begin(site, **fields)
        assert response.status_code == 422
        assert complaints(response) == [sentence]
        assert len(club.seasons) == 1
        for name in ("starts", "ends", "least", "won", "shared", "lost"):
            assert f'name="{name}" value="{fields.get(name, LEAGUE[name])}"' in response.text  # the input is kept


def test_the_credit_rule_of_a_season_is_chosen_said_and_counted(site, club, season):
    """Ed takes Ann's seat for the last of four hands."""
    game = start_game(club, played=date(2026, 2, 3), names=["Ann", "Bo", "Cy", "Di"], season=season)
    record(game, TWO_EACH, FOUR, FOUR, FOUR | {"names": {"1": "Ed"}})
    here = f"{site.club}seasons/{season.id}/"
    assert sorted(names(site.client.get(here))) == ["Bo", "Cy", "Di", "Ed"]
    assert "After a substitution, the game counts for whoever finishes it." in text(site.client.get(here))
    for credit, expected, rule in (
        ("most", ["Ann", "Bo", "Cy", "Di"], "counts for whoever played the most hands in that seat."),
        ("both", ["Ann", "Bo", "Cy", "Di", "Ed"], "for whoever finishes it and whoever played most"),
    ):
        assert site.client.post(f"{here}change", data=LEAGUE | {"credit": credit}).status_code == 303
        page = site.client.get(here)
        assert sorted(names(page)) == expected
        assert rule in text(page)
        assert "1 game " in text(page)
        assert f'value="{credit}" id="credit-is-{credit}" checked' in site.client.get(f"{here}change").text
    assert "1 game</small>" in site.client.get(f"{site.club}seasons/").text


def test_a_season_is_changed_and_its_own_name_is_no_other(site, club, season):
    page = site.client.get(f"{site.club}seasons/{season.id}/change")
    assert 'value="League"' in page.text
    data = LEAGUE | {"by": "points", "won": "3", "ends": "2026-06-30"}
    assert site.client.post(f"{site.club}seasons/{season.id}/change", data=data).status_code == 303
    season = season_of(club)
    assert (season.settings["by"], season.settings["won"], season.ends) == ("points", 3, date(2026, 6, 30))
    begin(site, name="Cup")
    taken = site.client.post(f"{site.club}seasons/{season.id}/change", data=LEAGUE | {"name": "cup"})
    assert complaints(taken) == ["Another season has that name."]


def test_the_games_of_its_time_are_offered_and_taken_in(site, club):
    play(club), play(club), play(club, date(2025, 12, 31))
    response = begin(site)
    season = season_of(club)
    assert response.location == f"{site.club}seasons/{season.id}/change"
    page = text(site.client.get(response.location))
    assert "2 games from these days are in no season" in page
    taken = site.client.post(f"{site.club}seasons/{season.id}/take-in")
    assert "2 games added to League." in site.client.get(taken.location).text
    assert "no season" not in text(site.client.get(f"{site.club}seasons/{season.id}/change"))
    assert [row[3] for row in rows(site.client.get(taken.location))] == ["2"] * 4  # games


def test_a_closed_season_keeps_its_table_and_names_who_won(site, club):
    begin(site)
    play(club)
    here = f"{site.club}seasons/{season_of(club).id}/"
    site.client.post(f"{here}close")
    page = site.client.get(here)
    assert f"Jan 1, 2026 to {numbers.day(club.today)}" in text(page)
    assert "Ann and Cy won together" in text(page)
    assert f'href="{here}records">Awards</a>' in page.text
    assert "Closed: Ann and Cy won together" in text(site.client.get(f"{site.club}seasons/"))
    player_service.rename(player("Ann"), "Anna")
    assert "Ann and Cy won together" in text(site.client.get(here))
    assert "Reopen" in site.client.get(f"{here}change").text
    refused = site.client.post(f"{here}change", data=LEAGUE | {"by": "points"})
    assert "Reopen it first." in site.client.get(refused.location).text
    site.client.post(f"{here}reopen")
    assert "Reopened. When it was closed: Ann and Cy won together." in text(site.client.get(here))
    assert season_of(club).settings["by"] == "wins"


def test_a_closed_season_keeps_all_its_pages(site, club, season):
    """Ann becomes a guest, Bo is renamed twice; a game outside the season changes all ratings since."""
    for day in (3, 3, 3, 10, 10, 10, 17, 17):
        play(club, date(2026, 1, day), season=season)
    here = f"{site.club}seasons/{season.id}/"
    seasons.close(season)
    site.client.get(here)  # shows the message that the season has started
    pages_then = closed_pages(site, here)
    assert "8 wins in a row Ann and Cy" in pages_then["records"]
    assert "First after Jan 17, 2026: Ann and Cy" in pages_then["charts"]
    assert "Ann and Cy" in pages_then["partners"]
    play(club, date(2026, 1, 2), ["Bo", "Ann", "Di", "Cy"], season=None)
    player_service.set_guest(player("Ann"), True)
    robert = player("Bo")
    player_service.rename(robert, "Robert")
    play(club, date(2026, 1, 2), ["Flo", "Hal", "Gil", "Ida"], season=None)
    player_service.merge(player("Hal"), robert)
    db.session.expire_all()
    assert closed_pages(site, here) == pages_then
    seasons.reopen(season)
    assert "Ann" not in closed_pages(site, here)["records"]


def test_a_season_that_is_reopened_has_the_names_of_now_whatever_was_shown_before(site, club, season):
    play(club, season=season)
    seasons.close(season)
    player_service.rename(player("Ann"), "Anna")
    filtered = f"{site.club}seasons/{season.id}/?to=2026-12-31"
    assert names(site.client.get(filtered)) == ["Ann", "Cy", "Bo", "Di"]
    seasons.reopen(season)
    assert names(site.client.get(filtered)) == ["Anna", "Cy", "Bo", "Di"]


def closed_pages(site: Site, here: str) -> dict[str, str]:
    """Return the texts of the pages that a closed season keeps, without the form with current names."""
    said = {tab: text(site.client.get(f"{here}{tab}")) for tab in ("", "partners", "head-to-head", "charts", "records")}
    return {tab: page.partition("Which player are you?")[0] for tab, page in said.items()}


def test_a_season_that_an_older_version_closed_keeps_its_pages_from_the_next_start_on(site, club, season):
    play(club, season=season)
    seasons.close(season)
    then = season.pages
    with db_write(club):
        season.pages, club.counted = None, 1
    verify.recount_older()
    assert season.pages == then


def test_a_correction_opens_it_again_visibly(site, club):
    begin(site)
    game = play(club)
    here = f"{site.club}seasons/{season_of(club).id}/"
    site.client.post(f"{here}close")
    for position in (1, 2, 3):
        hand = game.hands[position - 1]
        hand_service.correct_hand(game, position, LOST, hand_version=hand.version, token=f"c{position}")
    page = text(site.client.get(here))
    assert f"Reopened because game {game.number} changed. When it was closed: Ann and Cy won together." in page
    assert "won together Closed" not in page
    assert names(site.client.get(here))[:2] == ["Bo", "Di"]
    site.client.post(f"{here}close")
    assert "Bo and Di won together Closed" in text(site.client.get(here))


def test_closed_twice_and_opened_twice_is_once(site, club):
    """A season without a game is won by nobody."""
    begin(site)
    here = f"{site.club}seasons/{season_of(club).id}/"
    first = [site.client.post(f"{here}close") and season_of(club).closed_at for _ in range(2)]
    assert first[0] == first[1]
    assert "Nobody won Closed" in text(site.client.get(here))
    first = [site.client.post(f"{here}reopen") and season_of(club).reopened for _ in range(2)]
    assert first[0] == first[1]


@pytest.mark.parametrize("gone", ["uid of a deleted player", 999])
def test_somebody_who_is_gone_stays_in_the_frozen_table_without_a_link(site, club, season, gone):
    """Earlier versions kept the number of a deleted player."""
    play(club, names=["Annie", "Bo", "Cy", "Di"], season=season)
    seasons.close(season)
    with db_write():
        season.frozen = season.frozen | {"lines": [line | {"player": gone} for line in season.frozen["lines"]]}
        tallies.mark_changed(club.id)
    page = site.client.get(f"{site.club}seasons/{season.id}/")
    assert '<span class="name">Annie</span>' in page.text
    assert "/players/" not in page.text.split('<span class="name">Annie</span>')[1].split("</table>")[0]


def test_the_table_of_a_season_and_of_all_time(site, club):
    """Ann and Cy win 12 to 0 on the 3rd; on the 10th Bo and Di win twice, against Ann and Cy."""
    play(club, date(2026, 1, 3))
    begin(site, starts="2026-01-05")
    season = season_of(club)
    for _ in range(2):
        play(club, date(2026, 1, 10), ["Bo", "Ann", "Di", "Cy"], season=season)
    page = site.client.get(f"{site.club}seasons/{season.id}/")
    table = rows(page)
    assert [row[0] for row in table] == ["1", "1", "3", "3"]
    # place, name and form, the number of wins, games, lost, tied, share, for, against, margin
    assert table[0][1].startswith("Bo won 2, lost 0 2–0 W W last games: won, won")
    assert table[0][2:10] == ["2", "2", "0", "0", "100%", "24", "0", "+12.0"]
    assert table[3][2:10] == ["0", "2", "2", "0", "0%", "0", "24", "−12.0"]
    assert "Jan 10, 2026. 2 games. Bo and Di won both. Bo and Di lead together." in text(page)
    assert "Arrows show" not in text(page)
    page = site.client.get(f"{site.club}standings")
    table = rows(page)
    assert "Arrows show places gained and lost" in text(page)
    assert [row[0] for row in table] == ["1", "1", "3", "3"]
    assert "Bo ▲ 2 up 2" in table[0][1].replace("▲2", "▲ 2")
    assert "Ann ▼ 2 down 2" in table[2][1].replace("▼2", "▼ 2")
    assert "Bo and Di won both. Bo and Di took the lead from Ann and Cy." in text(page)
    assert "Ordered by wins. A tied game counts half." in text(page)


def test_what_a_game_did_to_a_rating_is_the_difference_of_what_was_said(site, club):
    """Not the rounded change, which differs by one for at least one of these games. A forfeit is not rated."""
    season, table = seasons.begin(club, "League", date(2026, 1, 1), None, Scheme()), Table(find_rules("classic"), 4, 2)
    who = ["Ann", "Cy"], ["Bo", "Di"]
    record_forfeit(club, table, *who, played=date(2026, 1, 2), season=season, token="f")
    said, exact = [1000], [1000.0]
    for games in range(8):
        quick_games.play(club, date(2026, 2, 3))
        ann = rows(site.client.get(f"{site.club}standings"))[0]
        said.append(int(ann[10].split()[0]))
        mu, sigma = player("Ann").mu, player("Ann").sigma
        rating = f"{round(40 * mu)} ± {round(128 * sigma)}"
        assert ann[10:] == [rating if games == 7 else f"{rating} provisional"]
        exact.append(40 * mu)
        page = text(site.client.get(f"{site.club}players/{player('Ann').id}"))
        assert f"· rating +{said[-1] - said[-2]} " in page
    differences = [now - then for then, now in pairwise(said)]
    assert differences != [round(now - then) for then, now in pairwise(exact)]


def test_who_has_no_place_yet_is_told_what_is_missing(site, club):
    begin(site, by="share", least="2")
    season = season_of(club)
    play(club, season=season)
    play(club, names=["Ann", "Bo", "Eve", "Di"], season=season)
    table = {row[1].split()[0]: row for row in rows(site.client.get(f"{site.club}seasons/{season.id}/"))}
    assert (table["Ann"][0], table["Ann"][2]) == ("1", "100%")
    assert table["Cy"][0] == "–"
    assert "1 more game to be ranked" in table["Cy"][1]


def test_before_the_first_game_the_pages_say_so(site, club):
    begin(site)
    empty = ["standings", f"seasons/{season_of(club).id}/", "standings/records", "standings/head-to-head"]
    begin(site, name="Pairs", pairs="y")
    of_teams = "standings/partners", f"seasons/{season_of(club).id}/"
    for path, what in (*((path, "games") for path in empty), *((path, "team games") for path in of_teams)):
        page = text(site.client.get(site.club + path))
        assert f"No finished {what} yet. This page starts with the first one. New game" in page
    assert "No bids yet" in site.client.get(f"{site.club}standings/charts").text


def test_my_line_is_marked_on_my_phone(site, club, season):
    play(club)
    cy = player("Cy")
    response = site.client.post(f"{site.club}me", data={"whose": str(cy.id)})
    page = site.client.get(response.location)
    assert 'class="mine" id="mine"' in page.text
    assert "Cy : place 1 of 4 · rating 1010 ± 239 Feb 3" in text(page)
    page = site.client.get(f"{site.club}standings?by=rating")
    assert "Cy : 7 more games to be ranked · rating 1010 Feb 3" in text(page)
    site.client.post(f"{site.club}me", data={"whose": ""})
    assert 'class="mine"' not in site.client.get(f"{site.club}standings").text
    response = site.client.post(f"{site.club}me", data={"whose": "x", "season": str(season.id)})
    assert response.location == f"{site.club}seasons/{season.id}/"
    stranger = Site(site.client)
    stranger.start_club("Other")
    site.client.post(f"{stranger.club}me", data={"whose": str(cy.id)})
    assert 'class="mine"' not in site.client.get(f"{site.club}standings").text


def test_a_guest_is_not_in_the_table_but_in_the_story(site, club):
    play(club)
    player_service.set_guest(player("Ann"), True)
    page = site.client.get(f"{site.club}standings")
    assert names(page) == ["Cy", "Bo", "Di"]
    assert "Ann and Cy won, 12 to 0." in text(page)
    for name in ("Bo", "Cy", "Di"):
        player_service.set_guest(player(name), True)
    page = text(site.client.get(f"{site.club}standings"))
    assert "Ann and Cy won, 12 to 0. Nobody is ranked yet. Ordered by" in page
    assert "Standings over time Nobody is ranked yet." in text(site.client.get(f"{site.club}standings/charts"))


def test_who_has_not_played_for_long_is_behind_a_tap_in_a_table_of_ratings(site, club):
    """A closed season shows all its players, and what they are ordered by."""
    begin(site, by="rating", starts="2026-06-01")
    quick_games.play(club, date(2026, 1, 1), 8)
    quick_games.play(club, date(2026, 7, 1), 8, ["Eve", "Flo", "Gil", "Hal"], season=season_of(club))
    page = site.client.get(f"{site.club}standings?by=rating")
    assert "4 inactive players: retired, or no game for 90 days" in text(page)
    assert "less its margin of error. Newcomers start at 1000 ± 240. Ranked after 8 games." in text(page)
    eve = player("Eve")
    mu, sigma = 40 * eve.mu, 128 * eve.sigma
    assert f"at least {round(mu - sigma)}" in text(page)
    assert "1064 ± 230 rating After 8 games." in text(site.client.get(f"{site.club}players/{eve.id}"))
    first, hidden = page.text.split('<details class="more"', 1)
    assert ">Eve</a>" in first
    assert ">Ann</a>" not in first.partition('id="found"')[2]
    assert ">Ann</a>" in hidden
    assert [row[0] for row in rows(page)] == ["1", "1", "3", "3"]
    seasons.close(season_of(club))
    closed = text(site.client.get(f"{site.club}seasons/{season_of(club).id}/"))
    assert "Ordered by rating, less its margin of error, on the day the season was closed." in closed
    assert f"at least {round(mu - sigma)}" in closed


def test_games_are_chosen_by_date_rules_table_and_who_was_there(site, club):
    play(club, date(2026, 1, 3))
    play(club, date(2026, 1, 10), ["Bo", "Ann", "Eve", "Cy"])
    ids = {row.name: row.id for row in db.session.execute(select(Player.name, Player.id))}
    everyone = ["Ann", "Bo", "Cy", "Di", "Eve"]
    for query, found in (
        ("from=2026-01-04", ["Ann", "Bo", "Cy", "Eve"]),
        ("to=2026-01-04", ["Ann", "Bo", "Cy", "Di"]),
        (f"there={ids['Di']}&there={ids['Ann']}", ["Ann", "Bo", "Cy", "Di"]),
        (f"there={ids['Eve']}&there={ids['Di']}", []),
        ("rules=classic&table=4-2", everyone),
    ):
        page = site.client.get(f"{site.club}standings?{query}")
        assert sorted(names(page)) == found, query
    assert "with Di and Ann at the table" not in text(page)
    said = text(site.client.get(f"{site.club}standings?from=2026-01-04&there={ids['Eve']}"))
    assert "from Jan 4, 2026; with Eve" in said


def test_what_cannot_be_chosen_is_said_and_nothing_is_shown(site, club):
    play(club)
    page = site.client.get(f"{site.club}standings?from=2026-01-01&rules=classic")
    kept = f'href="{site.club}standings/partners?rules=classic&amp;from=2026-01-01"'
    assert kept in page.text  # the other pages keep what was chosen
    for query, sentence in (
        ("from=today", "Enter a date like 2026-03-21."),
        ("from=2026-02-01&to=2026-01-01", "The last day is before the first day."),
        ("rules=bridge", "Choose rules from the list."),
        ("table=9-9", "Choose a table from the list."),
        ("there=999999", "Choose players from the list."),
        ("there=-1", "Choose players from the list."),
        ("by=luck", "Choose an order from the list."),
    ):
        for tab in ("", "/partners", "/charts", "/records"):
            response = site.client.get(f"{site.club}standings{tab}?{query}")
            assert response.status_code == 422
            assert sentence in " ".join(complaints(response))
            assert "<tbody>" not in response.text
    ann = player("Ann")
    stranger = Site(site.client)
    stranger.start_club("Other")
    assert site.client.get(f"{stranger.club}standings?there={ann.id}").status_code == 422


def test_partners(site, club):
    for _ in range(8):
        play(club)
    play(club, names=["Ann", "Bo", "Eve", "Di"])
    page = text(site.client.get(f"{site.club}standings/partners"))
    assert "Ann and Cy won 8, lost 0 8–0 100% 50% 8 8 0 0 24 +4.00" in page
    assert "Bo and Di won 0, lost 9 0–9 0% 50% 9 0 9 0 27 −4.00" in page
    assert "3 pairs" in page
    assert site.client.get(f"{site.club}standings/partners").text.count('<div class="scroll"><table') == 2
    assert "Ann and Eve" not in page.partition("Fewer than 8 games together")[0]


def test_charts_tell_long_names_apart_and_say_a_rating_behind_a_name_in_arabic(site, club, season):
    """At the end of a line by few letters, and whole in the sentence and the numbers."""
    names = [f"Ann Featherstonehaugh of the {which} Valley" for which in ("Upper", "Lower")]
    for week in (3, 10):
        play(club, date(2026, 1, week), [*names, "Christopher Maximilian Worthington", "محمد"], season=season)
    page = site.client.get(f"{site.club}seasons/{season.id}/charts")
    drawn = page.text.partition('id="places"')[2].partition("</svg>")[0]
    ends = re.findall(r'class="end[^"]*"[^>]*>[\d−]+ ([^<]+)<', drawn)
    assert sorted(ends) == ["Ann…Lower", "Ann…Upper", "Christopher", "محمد\u200e"]
    said = text(page)
    assert said.count(names[0]) >= 3
    assert re.search("محمد\u200e \\d+ ± \\d+", said)
    assert len(re.findall(r'<svg[^>]* class="chart"', page.text)) == 3
    assert "First after Jan 10, 2026:" in said
    assert "6 of 6 bids made" in said


def test_a_player_has_the_same_line_in_every_chart_of_a_season(site, club, season):
    """Eight players: two lines of the ratings chart have no name. The winners are late in the alphabet."""
    tables = ["Hal Bo Gus Di", "Gus Ann Flo Cy", "Hal Cy Eve Ann", "Flo Eve Di Bo", "Hal Gus Flo Eve"]
    for night, table in enumerate(tables):
        play(club, date(2026, 1, 3) + timedelta(weeks=night), table.split(), season=season)
    page = site.client.get(f"{site.club}seasons/{season.id}/charts").text
    drawn = (page.partition(f'id="{chart}"')[2].partition("</svg>")[0] for chart in ("places", "ratings"))
    lines = (re.findall(r'class="(end[^"]*)"[^>]*>[\d−]+ (\w+)<', chart) for chart in drawn)
    places, ratings = ({name: css for css, name in found} for found in lines)
    assert len(places) == 8
    assert len(ratings) == 6
    assert ratings == {name: places[name] for name in ratings}
    assert re.search(r"Highest now: \w+ \d+ ± \d+", text(site.client.get(f"{site.club}seasons/{season.id}/charts")))


@pytest.mark.parametrize("games", [7, 8])
def test_partners_and_records_agree_who_has_played_enough(site, club, season, games):
    """Ann and Cy win `games` as partners, Ida and a guest 9; the guest is never named."""
    quick_games.play(club, date(2026, 2, 3), games, season=season)
    quick_games.play(club, date(2026, 2, 3), 9, ["Ida", "Bo", "Guy", "Di"], season=season)
    player_service.set_guest(player("Guy"), True)
    here = f"{site.club}seasons/{season.id}/"
    pages = {tab: site.client.get(f"{here}{tab}") for tab in ("partners", "charts", "records")}
    enough = games >= 8
    compared = re.search(
        r"<caption[^>]*>Partners with 8 games together or more</caption>.*?</table>", pages["partners"].text, re.S
    )
    assert ("Ann and Cy" in compared[0]) == enough
    early = pages["partners"].text.partition("Fewer than 8 games together")[2]
    assert ("Ann and Cy" in early) != enough
    assert "Ida" not in early
    assert "One game says little: 2 wins of 3 rank above 1 of 1." in pages["partners"].text
    assert "Best partners" not in text(pages["records"])  # no pair is better than its ratings predict
    for page in pages.values():
        assert "Guy" not in text(page)


def test_the_menu_leads_to_the_standings_of_the_season_that_runs_and_all_time_is_a_tap_away(site, club):
    """Of all time where none runs."""
    address = re.search(r'href="([^"]+)">Standings<', site.client.get(site.club).text)[1]
    assert "<h1>Standings</h1>" in site.client.get(address).text
    begin(site, name="Gone", starts="2025-01-01", ends="2025-06-30")
    assert "<h1>Standings</h1>" in site.client.get(address).text
    begin(site, name="Winter")
    play(club, season=season_of(club))
    page = site.client.get(address).text
    assert "<h1>Winter</h1>" in page
    top = page[: page.index("<table")]
    assert re.search(r'href="[^"]+/standings">All time</a>', top)
    assert ">All time<" not in site.client.get(f"{site.club}standings").text


def test_records_and_awards_on_the_page(site, club, season):
    for day in (3, 10, 17):
        game = play(club, date(2026, 1, day), season=season)
    here = f"{site.club}seasons/{season.id}/records"
    page = text(site.client.get(here))
    assert "Records Under any rules Longest winning streak" in page
    assert "Games 1 to 3, Jan 17, 2026 Classic Setback Highest final score" in page
    assert "; equaled twice since All 6 records : Classic Setback Lowest" in page
    assert "Champion 3 wins Ann and Cy Ordered by wins" in page
    assert "Always there" not in page  # all four were
    assert "Best bidder" not in page  # needs two players with 20 bids each
    assert "Highest final score 12 points Ann and Cy Game 1, Jan 3, 2026; equaled twice since" in page
    assert "Longest winning streak 3 wins in a row Ann and Cy Games 1 to 3, Jan 17, 2026" in page
    assert "Biggest comeback" not in page
    assert "Highest bid made 2 Ann Hand 1 of game 1, Jan 3, 2026; equaled twice since" in page
    sweep = "Clean sweep: every point in one hand 4 points"
    assert f"{sweep} Ann and Cy Hand 1 of game 1, Jan 3, 2026; equaled twice since" in page
    player_service.rename(player("Ann"), "Anna")
    assert f"{sweep} Anna and Cy" in text(site.client.get(here))
    hand_service.undo(game, token="u")
    assert f"{sweep} Anna and Cy Hand 1 of game 1, Jan 3, 2026; equaled once since" in text(site.client.get(here))


def test_what_was_equaled_in_more_than_five_games_is_no_record(site, club):
    for _ in range(6):
        play(club)
    here = f"{site.club}standings/records"
    page = text(site.client.get(here))
    assert "equaled 5 times since" in page
    assert "left out" not in page
    play(club)
    page = text(site.client.get(here))
    assert page.count("equaled") == 1
    assert "Records equaled more than 5 times are left out." in page
    assert "Classic Setback" not in page.partition("Records Under any rules")[2]
    assert "Longest winning streak 7 wins in a row" in page


def test_a_clubs_own_rules_and_their_bids_are_called_as_in_the_club(site, club):
    """In records, in charts and in the filter, even after the club has deleted the rules."""
    shoot = {"name": "shoot the moon", "bid": 5, "needs": ["every-point"], "made": "bid", "failed": "bid"}
    rules = find_rules("classic").override({"auction.specials": [shoot]})
    own = custom_rules.save(club, "Marsh Lake", Table(rules, 4, 2))
    record(start_game(club, rules=own.rules), *[FOUR | {"bid": 5}] * 3)
    check_called(site, own)
    custom_rules.delete(club, own.uid)
    check_called(site, own)


def check_called(site: Site, own: custom_rules.OwnRules) -> None:
    page = site.client.get(f"{site.club}standings/records?rules={own.rules.id}&narrow=1")
    said = text(page)
    assert "Marsh Lake Highest final score 15 points" in said
    assert "Highest bid made shoot the moon Ann" in said
    assert f'value="{own.rules.id}" selected>Marsh Lake<' in page.text
    assert own.uid not in said
    for bids in ("bids", "standings/charts", "players/1"):
        assert " shoot the moon " in text(site.client.get(f"{site.club}{bids}"))


def test_every_column_head_of_every_table_opens_its_line_and_the_docs_say_the_same(site, club):
    """Except heads with players' names, on the page of head to head."""
    begin(site, by="points", attended="1")
    season, game = season_of(club), play(club)
    quick_games.play(club, date(2026, 2, 3), 7, season=season)  # enough for the table of partners
    ann = game.seats[0].player_id
    seasons.set_divisions(season, {game.seats[0].player.uid: "A"})
    meanings = _meanings(site)
    base = f"{site.club}seasons/{season.id}/"
    pages = [f"{site.club}standings?by={by}" for by in ("wins", "share", "total", "points", "rating")]
    pages += [base, f"{base}partners", f"{base}head-to-head", f"{base}head-to-head?player={ann}"]
    seen = {head for page in pages for head in _heads(site, page, meanings)}
    assert "players-won" not in _heads(site, pages[0], meanings)  # in a table of wins
    crossed = site.client.get(pages[-2]).text
    assert crossed.index(">Schedule<") > crossed.index('class="figure">Di<')
    ways = {"wins": {"best": 2}, "total": {}, "points": {"attended": 1}}
    pairs = [Scheme(by=by, pairs=True, **more) for by, more in ways.items()]
    for scheme in (*pairs, Scheme(by="ladder")):
        seasons.change(season, name="League", starts=season.starts, ends=None, scheme=scheme)
        seen |= _heads(site, base, meanings)
    said_otherwise = {"players-division", "pairs-division", "ladder-rung", "ladder-arrow"}  # headings and a drawing
    others = {name for name in meanings if name.startswith("other-")}
    assert seen | said_otherwise | others == meanings.keys()


def _meanings(site):
    """Return column names by anchor from the page of columns, which must equal the tables in docs/standings.md."""
    told = (Path(__file__).parents[3] / "docs" / "standings.md").read_text(encoding="utf-8")
    page = unescape(site.client.get(f"{site.club}standings/columns").text)
    found, lines = {}, []
    for title, part in re.findall(r"<h2>([^<]+)</h2>(.*?)</dl>", page, re.S):
        lines += ["", f"## {title}", "", "name | what it says", "--- | ---"]
        for anchor, name, meaning in re.findall(r'<div id="([^"]+)"><dt>([^<]+)</dt><dd>([^<]+)</dd>', part):
            found[anchor] = name
            lines.append(f"{name} | {meaning}")
    assert "\n".join(lines[1:]) in told
    return found


def _heads(site, address, meanings):
    """Return the anchors that the column heads of a page link to, each with the right name."""
    page = unescape(site.client.get(address).text)
    heads = [head for part in re.findall(r"<thead>(.*?)</thead>", page, re.S) for head in part.split("<th ")[1:]]
    found = set()
    for head in heads:
        name = re.sub(r"<[^>]*>|#$", "", f"<th {head}").strip().removesuffix("#")
        link = re.search(r'href="([^"]+)#([^"]+)"', head)
        if link is None:
            assert name in {"Player", "Ann", "Bo", "Cy", "Di"}
            continue
        assert (link[1], meanings[link[2]]) == (f"{site.club}standings/columns", name)
        found.add(link[2])
    return found


def test_a_new_game_is_put_into_the_season_that_runs_or_into_none_or_that_of_the_last_one(site, club):
    begin(site, name="Next", starts=(TODAY + timedelta(days=9)).isoformat())
    assert 'name="season"' not in site.client.get(f"{site.club}games/new").text
    begin(site)
    league = season_of(club)
    refused = site.start_game("classic", season="12345")
    assert (refused.status_code, complaints(refused)) == (422, ["That season has ended. Choose another season."])
    assert f"season-is-{league.id}" in checked(site.client.get(f"{site.club}games/new?rules=classic"))
    site.start_game("classic")
    assert latest(club).season_id == league.id
    site.start_game("classic", season="none", target="12")
    assert latest(club).season_id is None
    assert "season-is-none" in checked(site.client.get(f"{site.club}games/new"))  # like the last game
    site.post_hand(), site.client.post(f"{site.game}again")
    assert latest(club).season_id is None
    begin(site, name="Cup", starts="2025-12-01")
    cup = season_of(club)
    site.start_game("classic", season=str(cup.id))
    site.post_hand(), site.client.post(f"{site.game}again")
    assert (latest(club).number, latest(club).season_id) == (5, cup.id)


def test_a_game_is_moved_to_another_season(site, club, season):
    game = play(club, season=None, played=date(2025, 1, 1))
    sheet = f"{site.club}games/{game.number}/"
    assert "<small>No season (all-time only)</small>" in site.client.get(sheet).text
    response = site.client.post(f"{sheet}season", data={"season": str(season.id)})
    assert (response.status_code, response.location) == (303, sheet)
    assert "<small>League</small>" in site.client.get(sheet).text
    assert names(site.client.get(f"{site.club}seasons/{season.id}/"))[:2] == ["Ann", "Cy"]
    site.client.post(f"{sheet}season", data={"season": "none"})
    assert names(site.client.get(f"{site.club}seasons/{season.id}/")) == []
    for nothing in ("", "0", "999999999", "9" * 30, "9" * 5000, "x", "-1"):
        assert site.client.post(f"{sheet}season", data={"season": nothing}).status_code == 404


def latest(club: Club) -> Game:
    db.session.expire_all()
    return db.session.scalars(select(Game).where(Game.club_id == club.id).order_by(Game.number.desc())).first()


def test_the_club_page_shows_who_is_ahead(site, club):
    play(club, date(2025, 1, 1))
    assert "All-time standings" in site.client.get(site.club).text
    begin(site)
    season = season_of(club)
    assert "Nobody is ranked yet." in site.client.get(site.club).text
    play(club, names=["Bo", "Ann", "Di", "Cy"], season=season)
    page = text(site.client.get(site.club))
    assert "League Place Player Wins 1 Bo W last games: won 1 1 Di W last games: won 1" in page
    for name in ("Standings", "Players", "Seasons"):
        assert f"{name}</a>" in site.client.get(site.club).text


def test_the_table_costs_few_queries_however_many_play(site, club):
    play(club)
    few = queries(site, f"{site.club}standings")
    for number in range(6):
        play(club, names=[f"P{number}", f"Q{number}", f"R{number}", f"S{number}"])
    # The only game of a night and its hands are read too.
    assert queries(site, f"{site.club}standings") == few - 2 <= 12
    assert queries(site, f"{site.club}standings") <= 4  # nothing has changed since


def test_records_cost_few_queries_however_many_games_there_are(site, club):
    play(club)
    few = queries(site, f"{site.club}standings/records")
    for _ in range(4):
        play(club)
    assert queries(site, f"{site.club}standings/records") == few - 1  # aggregates over earlier days are cached


def queries(site: Site, path: str) -> int:
    with counted_queries(site.client.application) as asked:
        site.client.get(path)
    return len(asked)

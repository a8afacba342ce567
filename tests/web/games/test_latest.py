"""The latest game is the one started last, whatever its day; a form starts one game only."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select, text, update

from scorekeeper.database.session import db, db_write
from scorekeeper.models import BEGUN_LAST, Club, Game
from scorekeeper.services import seasons
from scorekeeper.stats.schemes import Scheme
from scorekeeper.web.games.views import LATEST_FIRST
from tests.web.clubs.test_views import bring_from_paper as bring
from tests.web.site import Site


def bring_from_paper(site: Site, day: date, times: int = 1) -> None:
    """Import games from paper of that day."""
    bring(site, "classic", "\n".join(f"{day},Ann & Cy,{12 + number},Bo & Di,7" for number in range(times)))


def token_of(page: str, action: str) -> str:
    form = page[page.index(f'action="{action}"') :]
    return str(re.search(r'name="token" value="([^"]+)"', form[: form.index("</form>")])[1])  # type: ignore[index]


@pytest.mark.parametrize("days", [0, 1], ids=["today", "tomorrow"])
@pytest.mark.parametrize("times", [1, 7])
def test_games_from_paper_do_not_hide_the_one_that_is_played(table: Site, days: int, times: int) -> None:
    bring_from_paper(table, date.today() + timedelta(days=days), times)
    page = table.client.get(table.club).text
    assert "Resume game 1" in page
    assert "Play again" not in page
    table.start_game("shankar")  # and the next one is offered as the one begun last
    assert 'name="rules" value="shankar"' in table.client.get(f"{table.club}games/new").text


def test_a_game_begun_after_the_clock_was_set_back_is_the_latest(table: Site) -> None:
    with table.client.application.app_context(), db_write() as session:
        game = session.scalars(select(Game)).one()
        session.execute(update(Game).values(created_at=game.created_at + timedelta(hours=1)))
    table.start_game("shankar")
    page = table.client.get(table.club).text
    assert page.index("Resume game 2") < page.index("Resume game 1")
    assert 'name="rules" value="shankar"' in table.client.get(f"{table.club}games/new").text


@pytest.mark.parametrize("days", [0, 1], ids=["today", "tomorrow"])
def test_a_form_that_is_sent_twice_starts_one_game(site: Site, days: int) -> None:
    bring_from_paper(site, date.today() + timedelta(days=days))
    token = token_of(site.client.get(f"{site.club}games/new").text, f"{site.club}games/new")
    assert site.start_game(token=token).location == site.start_game(token=token).location


def test_a_form_that_is_sent_again_after_a_choice_or_a_hand_still_starts_one_game(site: Site) -> None:
    """For example by a phone that had lost its connection."""
    address = f"{site.club}games/new"
    token = token_of(site.client.get(address).text, address)
    first = site.start_game(token=token).location
    assert site.post_hand().status_code == 303
    assert site.start_game(token=token).location == first
    other = site.start_game(token=token, **{"name-1": "Flo"}).location  # the page was changed to set up another game
    assert other == first.replace("games/1/", "games/2/")
    shown = site.client.post(address, data=site.setup(token=token, do="show"))
    assert token_of(shown.text, address) == token


def test_a_game_whose_only_hand_was_undone_is_not_taken_for_a_new_one(table: Site) -> None:
    assert table.start_game().location == f"{table.game}hands/new"  # the game is unchanged since its start
    first = table.game
    table.post_hand()
    assert table.step("undo", game_version="1").status_code == 303
    assert table.totals() == [0, 0]
    assert table.start_game().location == f"{first.replace('games/1/', 'games/2/')}hands/new"


def test_a_form_that_is_sent_again_moves_no_game_to_another_season(site: Site) -> None:
    site.start_club()
    with site.client.application.app_context():
        club = db.session.scalars(select(Club)).one()
        season = str(seasons.begin(club, "Fall", date.today(), None, Scheme()).id)
    token = token_of(site.client.get(f"{site.club}games/new").text, f"{site.club}games/new")
    site.start_game(token=token, season=season)
    site.post_hand()
    assert site.client.post(f"{site.game}season", data={"season": "none"}).status_code == 303
    site.start_game(token=token, season=season)
    with site.client.application.app_context():
        assert db.session.scalars(select(Game.season_id)).all() == [None]


def test_a_game_that_is_played_again_twice_by_one_form_is_one_game(table: Site) -> None:
    table.step("state", state="abandoned")
    again = f"{table.game}again"
    token = token_of(table.client.get(table.club).text, again)
    first = table.client.post(again, data={"token": token}).location
    table.game = first.removesuffix("hands/new")
    assert table.post_hand().status_code == 303
    assert table.client.post(again, data={"token": token}).location == first
    with table.client.application.app_context():
        assert len(db.session.scalars(select(Game)).all()) == 2


@pytest.mark.parametrize("order", [BEGUN_LAST, LATEST_FIRST], ids=["begun", "played"])
def test_the_latest_games_are_found_without_sorting_all_of_them(table: Site, order: Any) -> None:
    """By SQLite's query plan: an index, and no sort."""
    query = select(Game.number).where(Game.club_id == 1, Game.paper.is_(None)).order_by(*order).limit(5)
    with table.client.application.app_context():
        if db.engine.dialect.name != "sqlite":
            pytest.skip("PostgreSQL sorts what is small enough")
        sql = query.compile(db.engine, compile_kwargs={"literal_binds": True})
        plan = str(db.session.execute(text(f"EXPLAIN QUERY PLAN {sql}")).all())
    assert "USING INDEX ix_game_club_id" in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize(("rules", "score"), [("classic", "4 to 0."), ("west-michigan-5", "Ann 7, Bo 7, Cy 0, Di 0")])
def test_what_is_new_says_whose_the_scores_are(site: Site, rules: str, score: str) -> None:
    site.start_game(rules)
    site.post_hand(bid="4", called="AS", partner="2")
    page = site.client.get(f"{site.game}now", headers={"If-None-Match": 'W/"0"'}).text
    assert re.search(rf"Another phone saved hand 1: Ann( and Bo)? bid 4, took \d\. Now {score}", page)
    assert ('<small class="soft">called A♠︎, with Bo</small>' in page) == (rules != "classic")  # who was the partner

"""A club's changes, settings and time zone on its pages; games edited and deleted."""

import re
from datetime import UTC, date, datetime
from html import unescape

import pytest
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Player, acting_as
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.stats.schemes import Scheme
from scorekeeper.undo import deletion
from scorekeeper.web.clubs import views
from tests.classic import FOUR, player, record, start_game
from tests.web.site import read


@pytest.fixture
def here(club):
    return f"/c/{club.key}"


@pytest.fixture
def game(club):
    """Game 1, finished, of Mar 3, 2026."""
    game = start_game(club, played=date(2026, 3, 3))
    record(game, FOUR, FOUR, FOUR)
    return game


def test_changes_are_listed_with_a_button_or_a_reason(client, here, game):
    assert "No changes yet." in client.get(f"{here}/changes").text
    with acting_as("Bo"):
        player_service.rename(player("Ann"), "Anna")
    player_service.rename(player("Anna"), "<b>An</b>")
    page = client.get(f"{here}/changes")
    text = read(page)
    assert "Anna is now called <b>An</b>." in text
    assert "<b>An</b>" not in page.text
    assert text.index("An unnamed phone, ") < text.index("Ann is now called Anna. Bo’s phone, ")
    assert "Undo the later change first." in text
    assert re.findall(r'action="[^"]*/changes/(\d+)/undo"', page.text) == ["2"]


def test_a_name_that_looks_like_a_change_stays_as_it_is(client, here, game):
    for name in ("It changed", "Ann"):
        player_service.rename(player("Ann") if name != "Ann" else player("It changed"), name)
    assert "Ann is now called It changed." in read(client.post(f"{here}/changes/2/undo", follow_redirects=True))


def test_a_change_is_undone_and_redone_by_a_tap(client, here, game):
    player_service.set_retired(player("Ann"), True)
    answer = client.post(f"{here}/changes/1/undo", follow_redirects=True)
    text = read(answer)
    notice = '<p class="flash" role="status">Ann is no longer retired.</p>'
    assert notice in answer.text
    assert not player("Ann").retired
    assert "Undo : Ann is no longer retired." in text
    assert text.endswith(" Undone.")
    again = client.post(f"{here}/changes/1/undo", follow_redirects=True)
    assert "That was undone already." in read(again)
    client.post(f"{here}/changes/2/undo")
    db.session.expire_all()
    assert player("Ann").retired
    assert "Undo : Ann is retired." in read(client.get(f"{here}/changes"))


def test_an_undo_that_is_refused_says_why_and_changes_nothing(client, here, game):
    player_service.rename(player("Ann"), "Anna")
    player_service.rename(player("Bo"), "Ann")
    answer = client.post(f"{here}/changes/1/undo", follow_redirects=True)
    assert "Nothing was undone. Another player is called Ann now. Rename that player first." in read(answer)
    answer = client.post(f"{here}/changes/9/undo", follow_redirects=True)
    assert "Nothing was undone. There is no such change." in read(answer)


def test_changes_come_a_page_at_a_time(client, here, game, monkeypatch):
    monkeypatch.setattr(views, "CHANGES_ON_A_PAGE", 2)
    for name in ("A", "B", "C"):
        player_service.rename(db.session.get(Player, game.seats[0].player_id), name)
    page = client.get(f"{here}/changes")
    assert "before=2" in page.text
    assert "Ann is now called A." in read(client.get(f"{here}/changes?before=2"))
    assert client.get(f"{here}/changes?before=x").status_code == 200


def test_who_is_scoring_is_written_beside_a_change(client, here, game):
    client.post(f"{here}/device", data={"whose": "Di"})
    client.post(f"{here}/players/{player('Ann').id}/name", data={"name": "Anna"})
    assert "Di’s phone" in read(client.get(f"{here}/changes"))


def test_a_games_day_is_corrected_to_one_that_can_be(client, here, game):
    season = seasons.begin(game.club, "League", date(2026, 3, 1), None, Scheme())
    seasons.count_in(game, season)
    page = client.get(f"{here}/games/1/edit")
    assert 'value="2026-03-03"' in page.text
    answer = client.post(f"{here}/games/1/edit/day", data={"played": "2026-02-28"}, follow_redirects=True)
    text = read(answer)
    assert "Game 1 was played on Feb 28, 2026. " in text
    assert "That day is outside of League. The game counts there anyway." in text
    db.session.expire_all()
    assert game.played == date(2026, 2, 28)
    for played, said in (
        ("", "Enter the day of the game."),
        ("Tuesday", "Enter a date like 2026-03-21."),
        ("2999-01-01", "That day is in the future."),
    ):
        answer = client.post(f"{here}/games/1/edit/day", data={"played": played})
        assert answer.status_code == 422
        assert said in answer.text
        assert f'value="{played}"' in answer.text


def test_a_game_is_kept_and_does_not_count_once_it_is_finished(client, here, game):
    answer = client.post(f"{here}/games/1/edit/counts", data={"is": "no"}, follow_redirects=True)
    assert "Game 1 no longer counts." in read(answer)
    assert "Does not count. It stays in the list" in read(answer)
    assert "does not count · Game 1" in read(client.get(f"{here}/games/"))
    assert "No finished games yet." in read(client.get(f"{here}/players/{player('Ann').id}"))
    answer = client.post(f"{here}/games/1/edit/counts", data={"is": "yes"}, follow_redirects=True)
    assert "Game 1 counts again." in read(answer)
    assert client.post(f"{here}/games/1/edit/counts").status_code == 422
    start_game(game.club)
    answer = client.post(f"{here}/games/2/edit/counts", data={"is": "no"}, follow_redirects=True)
    assert "Finish the game first." in read(answer)
    assert "Does this game count?" not in read(client.get(f"{here}/games/2/edit"))


def test_every_page_of_a_deleted_game_says_so(client, here, game):
    answer = client.post(f"{here}/games/1/edit/delete", follow_redirects=True)
    assert "Game 1 was deleted. For 30 days you can take it back under Changes. Undo" in read(answer)
    assert f'action="{here}/changes/1/undo"' in answer.text
    for path in ("", "hands/new", "history", "story", "board", "share", "record", "adjust", "edit"):
        page = client.get(f"{here}/games/1/{path}")
        assert page.status_code == 410, path
        assert "Game 1 was deleted For 30 days you can take it back under Changes." in read(page)
        assert f'href="{here}/changes"' in page.text
    client.post(f"{here}/changes/1/undo")
    assert client.get(f"{here}/games/1/").status_code == 200
    assert client.get(f"{here}/games/2/").status_code == 404


def test_what_was_typed_or_tapped_into_a_deleted_game_is_still_there(table):
    """It is sent again after the game was taken back; a tap, which is an htmx request, opens the full page."""
    table.step("edit/delete")
    hand, new = table.hand(note="a misdeal <first>"), f"{table.game}hands/new"
    headers = {"Sec-Fetch-Site": "same-origin"}
    answer = table.client.post(new, data=hand, headers=headers)
    assert answer.status_code == 410
    assert "Nothing was saved. Take the game back under Changes, then send this again." in read(answer)
    tap = {name: value for name, value in hand.items() if name != "do"}
    headers |= {"HX-Request": "true", "Referer": f"http://localhost{new}"}
    tapped = table.client.post(f"{table.game}hands/preview", data=tap, headers=headers)
    assert (tapped.status_code, tapped.headers["HX-Retarget"]) == (410, "body")
    assert f'action="{new}"' in tapped.text
    table.client.post(f"{table.club}changes/1/undo")
    page = table.client.post(new, data=hidden_fields(tapped)).text
    assert "<html" in page
    assert 'value="a misdeal &lt;first&gt;"' in page
    assert table.client.post(new, data=hidden_fields(answer)).status_code == 303
    assert table.record()["hands"][0]["note"] == "a misdeal <first>"


def hidden_fields(page):
    fields = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page.text)
    return MultiDict([(name, unescape(value)) for name, value in fields if name != "csrf_token"])


def test_the_button_of_a_notice_undoes_what_it_reports(client, here, game, monkeypatch):
    """Another phone has changed something since."""
    delete = deletion.delete_game

    def delete_before_another_change(game):
        delete(game)
        player_service.set_retired(player("Bo"), True)

    monkeypatch.setattr(deletion, "delete_game", delete_before_another_change)
    answer = client.post(f"{here}/games/1/edit/delete", follow_redirects=True)
    assert f'action="{here}/changes/1/undo"' in answer.text


def test_a_player_without_games_and_a_season_are_deleted(client, here, game):
    with db_write(game.club) as session:
        session.add(Player(club=game.club, name="Nan"))
    answer = client.post(f"{here}/players/{player('Nan').id}/delete", follow_redirects=True)
    assert "Nan was deleted. For 30 days you can take it back under Changes. Undo" in read(answer)
    ann = f"{here}/players/{player('Ann').id}"
    why = "Ann has games. Retire Ann to hide the name."
    assert why in read(client.get(ann))
    assert why in read(client.post(f"{ann}/delete", follow_redirects=True))
    season = seasons.begin(game.club, "League", date(2026, 3, 1), None, Scheme())
    assert "Delete League" in read(client.get(f"{here}/seasons/{season.id}/change"))
    answer = client.post(f"{here}/seasons/{season.id}/delete", follow_redirects=True)
    assert "League was deleted. Its games stay." in read(answer)
    assert "No seasons yet." in read(answer)


def test_the_clubs_name_and_zone_are_set_and_a_former_name_of_a_zone_is_kept(client, here, club):
    page = client.get(f"{here}/settings")
    assert 'value="America/Detroit"' in page.text
    data = {"name": " The  Owls ", "zone": "Europe/Rome"}
    assert "Club settings saved." in read(client.post(f"{here}/settings", data=data, follow_redirects=True))
    db.session.expire_all()
    assert (club.name, club.zone) == ("The Owls", "Europe/Rome")
    text = read(client.get(f"{here}/changes"))
    assert "The club is now called The Owls." in text
    assert "The club’s time zone is now Rome (Europe)." in text
    for name, zone in (("", "Europe/Rome"), ("Owls", "Europe/Atlantis"), ("Owls", ""), ("x" * 81, "UTC")):
        assert client.post(f"{here}/settings", data={"name": name, "zone": zone}).status_code == 422
    offered = re.findall(r'<option value="([^"]+)"', client.get(f"{here}/settings").text)
    assert {"Asia/Kolkata", "America/Los_Angeles", "UTC"} < set(offered)
    assert not {"Asia/Calcutta", "US/Pacific", "America/Indianapolis"} & set(offered)
    with db_write():
        club.zone = "Asia/Calcutta"  # as phones still say
    assert '<option value="Asia/Calcutta" selected>' in client.get(f"{here}/settings").text
    assert client.post(f"{here}/settings", data={"name": "Owls", "zone": "Asia/Calcutta"}).status_code == 303
    with db_write():
        club.zone = "Etc/UTC"
    assert client.post(f"{here}/settings", data={"name": "Bats", "zone": "Etc/UTC"}).status_code == 303


@pytest.mark.parametrize(
    ("sent", "zone"), [("America/Detroit", "America/Detroit"), ("Mars/Base", "Etc/UTC"), ("", "Etc/UTC")]
)
def test_a_new_club_has_the_zone_of_the_phone_that_starts_it(client, app_context, monkeypatch, sent, zone):
    monkeypatch.setenv("TZ", "Etc/UTC")
    client.post("/clubs", data={"name": "Owls", "zone": sent})
    assert db.session.scalars(select(Club.zone).where(Club.name == "Owls")).one() == zone


def test_late_in_the_evening_the_day_is_the_clubs_and_not_the_servers(client, here, club, monkeypatch):
    """At 01:00 in UTC on Nov 22 it is 8 PM on Nov 21 in Detroit."""
    moment = datetime(2026, 11, 22, 1, 0, tzinfo=UTC)
    for module in ("models", "services.game_reader", "services.games"):
        monkeypatch.setattr(f"scorekeeper.{module}.now", lambda: moment)
    seasons.begin(club, "Fall", date(2026, 9, 1), date(2026, 11, 21), Scheme())
    with db_write(club):
        club.zone = "America/Detroit"
    assert club.today == date(2026, 11, 21)
    game = start_game(club)
    assert (game.played, game.season.name) == (date(2026, 11, 21), "Fall")
    assert 'value="2026-11-21"' in client.get(f"{here}/seasons/new").text
    assert "Running" in read(client.get(f"{here}/seasons/"))
    with db_write(club):
        club.zone = "UTC"
    game = start_game(club, names=["Eve", "Bo", "Cy", "Di"])
    assert (game.played, game.season) == (date(2026, 11, 22), None)
    assert "Ended, not closed" in read(client.get(f"{here}/seasons/"))

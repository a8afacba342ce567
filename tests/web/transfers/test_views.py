"""Import & export on the pages: club files, game records, tables for spreadsheets, and invalid files."""

import csv
import io
import json
import os
import re
import time
from datetime import date
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scorekeeper.database.session import db
from scorekeeper.models import Club, Season
from scorekeeper.scoring.record import find_table, score_record
from scorekeeper.services import games as game_service
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons as season_service
from scorekeeper.services.games import record_forfeit
from scorekeeper.stats.schemes import RATING, Scheme
from scorekeeper.transfer.importer import import_as_new_club
from tests.classic import FOUR, SET, player, record, start_game
from tests.transfer.clubs import CALLED, exported, game_of, new_club
from tests.web.site import complaints


@pytest.fixture
def full(app_context, full_club_file) -> str:
    """URL of a club with all kinds of data."""
    return f"/c/{import_as_new_club(None, io.BytesIO(full_club_file))[0].key}/"


@pytest.fixture
def empty(app_context) -> str:
    return f"/c/{new_club('Empty').key}/"


def look(client: FlaskClient, club: str, content: bytes, name: str = "club.jsonl"):
    return client.post(f"{club}transfers/look", data={"file": (io.BytesIO(content), name)})


def token_in(page) -> str:
    return re.findall(r'name="token" value="([^"]+)"', page.text)[0]


def rows(response) -> list[list[str]]:
    assert response.status_code == 200
    assert response.mimetype == "text/csv"
    text = response.data.decode()
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text[1:], newline="")))


def told(response) -> list[dict[str, str]]:
    head, *lines = rows(response)
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_out_and_in_again(client, full, empty):
    page = client.get(f"{full}transfers/")
    assert "6 games with all hands" in page.text
    assert "Larger files can be imported on the server." in page.text
    out = client.get(f"{full}transfers/club.jsonl")
    assert out.headers["Content-Disposition"].startswith('attachment; filename="the-tuesday-club-2')
    assert out.headers["Cache-Control"] == "private, no-store"
    seen = look(client, empty, out.data)
    said = seen.text.partition("Empty is empty, so it will be renamed The »Tuesday« club, ♠.")[2]
    assert "6 new games for The »Tuesday« club, ♠." in said  # which club that is, is said first
    assert client.get(f"{empty}transfers/club.jsonl").data.count(b"\n") == 1
    done = client.post(f"{empty}transfers/in", data={"token": token_in(seen)})
    assert (done.status_code, done.location) == (303, f"{empty}transfers/")
    assert "6 new games imported into The »Tuesday« club, ♠." in client.get(f"{empty}transfers/").text
    again = client.post(f"{empty}transfers/in", data={"token": token_in(seen)})
    assert again.status_code == 422
    assert complaints(again)[0].startswith("That file is gone")
    assert client.get(f"{empty}transfers/club.jsonl").data == out.data
    nothing_new = look(client, empty, out.data).text
    assert "6 games already saved, identical." in nothing_new
    assert "Everything in this file is already here." in nothing_new
    assert ">Import</button>" not in nothing_new


@pytest.mark.parametrize("with_log", [True, False])
def test_hands_that_name_no_dealer_are_kept_with_theirs(client, app_context, empty, with_log):
    """After the first hand, game records may omit the dealer; the game can be read, corrected and exported."""
    game = start_game(new_club())
    passes = [{"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 1)]
    record(game, {"dealer": 4} | FOUR, {"dealer": 1, "bids": passes}, SET | {"names": {"2": "Gil"}})
    *head, line = map(json.loads, exported(game.club).splitlines())
    undone = line["x-log"][2] | {"kind": "undo", "undoes": 3, "token": "u"}
    undone |= {"before": undone.pop("after")}
    line["x-log"] += [undone, line["x-log"][2] | {"kind": "redo", "undoes": 4, "token": "r"}]
    if not with_log:
        line["x-log"].clear()
    told = json.loads(json.dumps(line))
    logged = [entry[key] for entry in told["x-log"][1:] for key in ("before", "after") if key in entry]
    for facts in (*told["hands"][1:], *logged):
        del facts["dealer"]
    content = "\n".join(map(json.dumps, [*head, told])).encode()
    client.post(f"{empty}transfers/in", data={"token": token_in(look(client, empty, content))})
    here = f"{empty}games/1/"
    for page in ("", "hands/1/", "hands/2/", "hands/3/", "record", "history", "history?before=3"):
        assert client.get(f"{here}{page}", follow_redirects=True).status_code == 200, page
    again = client.get(f"{empty}transfers/club.jsonl").data
    assert json.loads(again.splitlines()[-1]) == line
    assert "1 game already saved, identical." in look(client, empty, content).text
    other = import_as_new_club(None, io.BytesIO(again))[0]
    assert exported(other) == again
    game = game_of(other, 1)
    hand_service.remove_hand(game, 1, hand_version=game.hands[0].version, token="x")
    hand_service.correct_hand(game, 2, FOUR, hand_version=game.hands[1].version, token="c")
    assert [hand.facts["dealer"] for hand in game.hands] == [1, 2]


def test_a_file_is_sent_when_its_request_has_ended(table):
    """Like on a server, no context is pushed while the response is read."""
    for name in ("transfers/club.jsonl", "transfers/games.jsonl", "hands.csv", "players.csv", "games/1/game.json"):
        assert table.client.get(f"{table.club}{name}").data.count(b"\n") >= 1


def test_games_that_are_left_alone_are_named(client, full, empty):
    content = client.get(f"{full}transfers/club.jsonl").data
    client.post(f"{empty}transfers/in", data={"token": token_in(look(client, empty, content))})
    other = db.session.query(Club).filter_by(key=empty[3:-1]).one()
    hand_service.undo(game_of(other, 2), token="u")
    hand_service.undo(game_of(db.session.query(Club).filter_by(key=full[3:-1]).one(), 2), token="u2")
    seen = look(client, empty, client.get(f"{full}transfers/club.jsonl").data)
    assert "Game 2 will be skipped: its hands were changed here and in the file." in seen.text


def waiting_files(app):
    """Return the uploaded files waiting for import, including those of other tests on this server."""
    folder = Path(app.instance_path) / "transfers"
    return set(folder.iterdir()) if folder.exists() else set()


def test_a_file_waits_for_its_own_club_and_an_hour(client, app, full, empty, monkeypatch):
    content = client.get(f"{full}transfers/club.jsonl").data
    before = waiting_files(app)
    token = token_in(look(client, empty, content))
    for club, wanted in ((full, token), (empty, "../../secret_key"), (empty, ""), (empty, "x" * 22)):
        assert client.post(f"{club}transfers/in", data={"token": wanted}).status_code == 422
    (file,) = waiting_files(app) - before
    os.utime(file, (time.time() - 3601,) * 2)
    look(client, empty, content)
    assert file not in waiting_files(app)
    assert client.post(f"{empty}transfers/in", data={"token": token}).status_code == 422
    monkeypatch.setattr("scorekeeper.transfer.uploads.MOST_BYTES", 10)
    said = "Too many files are waiting to be imported. Try again in an hour."
    assert complaints(look(client, empty, content)) == [said]
    assert len(waiting_files(app) - before) == 1


def test_no_file(client, empty):
    for data in ({}, {"file": "text"}, {"file": (io.BytesIO(), "")}):
        page = client.post(f"{empty}transfers/look", data=data)
        assert page.status_code == 422
        assert complaints(page) == ["Choose a file first. Its name ends in .jsonl."]


def test_a_bad_line_in_the_middle(client, full, empty):
    lines = client.get(f"{full}transfers/club.jsonl").data.splitlines(keepends=True)
    lines[13] = lines[13].replace(b'"bid":2', b'"bid":9')
    page = look(client, empty, b"".join(lines))
    assert page.status_code == 422
    assert complaints(page)[0].startswith("Nothing was changed. Line 14, hands[0].bid: there is no bid of 9")
    assert 'aria-invalid="true"' in page.text


def test_a_file_that_does_not_fit_any_more_when_it_is_brought_in(client, app, full, empty):
    """The file was truncated on the server after the preview."""
    before = waiting_files(app)
    token = token_in(look(client, empty, client.get(f"{full}transfers/club.jsonl").data))
    (file,) = waiting_files(app) - before
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    page = client.post(f"{empty}transfers/in", data={"token": token})
    assert page.status_code == 422
    assert "should have 6 games but has 5: part of it is missing" in complaints(page)[0]
    assert client.get(f"{empty}transfers/club.jsonl").data.count(b"\n") == 1


def test_files_may_be_larger_than_forms(client, app, empty):
    app.config["MAX_CONTENT_LENGTH"] = 2_000
    app.config["TRANSFER_LIMIT"] = 1_000_000
    fits = look(client, empty, b" " * 3_000)
    assert (fits.status_code, complaints(fits)) == (422, ["Nothing was changed. Line 1: the file is empty."])
    too_large = look(client, empty, b" " * 1_100_000)
    assert too_large.status_code == 413
    said = "The file is larger than 1 MB. Ask whoever runs this server to import it with `scorekeeper import`."
    assert complaints(too_large) == [said]
    assert client.post(f"{empty}transfers/in", data={"token": "x" * 3_000}).status_code == 413
    assert look(client, "/c/nobody/", b" " * 1_100_000).status_code == 413


def test_games_as_records(client, full):
    lines = client.get(f"{full}transfers/games.jsonl").data.decode().splitlines()
    assert len(lines) == 6
    for line in lines:
        score_record(json.loads(line))
    assert '"x-after-the-end"' in lines[1]
    answer = client.get(f"{full}games/2/game.json")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="the-tuesday-club-game-2.json"'
    assert score_record(answer.get_json()).totals == {"A": 12, "B": 0}
    assert f'href="{full}games/2/game.json"' in client.get(f"{full}games/2/record").text


def test_standings(client, club):
    """Ann and Cy win the first game 12 to 0 and lose the second 4 to 12."""
    record(start_game(club), FOUR, FOUR, FOUR)
    lost = {"bidder": 2, "bid": 4, "trump": "S", "claims": dict.fromkeys(("high", "low", "jack", "game"), "B")}
    record(start_game(club), FOUR, lost, lost, lost)
    lines = told(client.get(f"/c/{club.key}/standings.csv"))
    assert [*lines[0]][3:7] == ["games", "won", "lost", "tied"]
    ann = {name: text for name, text in lines[0].items() if name not in ("rating", "margin of error")}
    assert ann == {
        "division": "", "place": "1", "player": "Ann", "games": "2", "won": "1", "lost": "1", "tied": "0",
        "win share": "0.500",
        "points for": "16", "points against": "12", "average margin": "2.000", "by wins": "1", "nights that count": "",
        "nights": "", "bonus": "", "form": "WL",
        "place before": "",
    }  # fmt: skip
    assert [(line["place"], line["player"], line["average margin"]) for line in lines] == [
        ("1", "Ann", "2.000"), ("1", "Cy", "2.000"), ("3", "Bo", "-2.000"), ("3", "Di", "-2.000"),
    ]  # fmt: skip
    assert all(re.fullmatch(r"\d{3,4}", line["rating"]) for line in lines)
    by_rating = told(client.get(f"/c/{club.key}/standings.csv?by=rating&from=2000-01-01"))
    assert [line["place"] for line in by_rating] == [""] * 4  # no player has eight games yet
    first = {name: int(by_rating[0][name]) for name in ("by rating", "rating", "margin of error")}
    assert first["rating"] - first["margin of error"] == first["by rating"]  # the lower bound of the rating


def test_a_player_without_a_rating_has_none_in_the_standings_by_rating(client, club):
    """Of forfeits alone nobody has a rating, in a season that runs and in a closed one."""
    season = season_service.begin(club, "League", date(2026, 1, 1), None, Scheme(by="rating"))
    table = find_table("classic", 4, 2)
    record_forfeit(club, table, ["Ann", "Cy"], ["Bo", "Di"], played=date(2026, 1, 6), season=season, token="f")
    address = f"/c/{club.key}/seasons/{season.id}/standings.csv"
    running = told(client.get(address))
    assert [(line["games"], line["by rating"], line["rating"]) for line in running] == [("1", "", "")] * 4
    season_service.close(season)
    assert told(client.get(address)) == running


def test_standings_of_a_season_narrowed_and_frozen(client, full):
    club = db.session.query(Club).filter_by(key=full[3:-1]).one()
    league = next(season for season in club.seasons if season.name == "League")
    address = f"{full}seasons/{league.id}/standings.csv"
    before = told(client.get(address))
    assert [(line["place"], line["player"], line["won"]) for line in before[:3]] == [
        ("1", "Ann", "2"), ("1", "Cy", "2"), ("3", "Bo", "0"),
    ]  # fmt: skip
    assert before[0]["by share"] == before[0]["win share"] == "1.000"
    player_service.rename(player("Ann", club), "Anna")
    assert told(client.get(address)) == before  # it is closed, so it keeps the old names
    narrowed = told(client.get(f"{address}?to=2026-01-06"))
    assert [(line["player"], line["games"]) for line in narrowed[:2]] == [("Ann", "1"), ("Cy", "1")]
    assert 'filename="the-tuesday-club-league-standings-' in client.get(address).headers["Content-Disposition"]


def test_a_season_by_rating_keeps_what_it_is_ordered_by_when_it_is_closed(client, club):
    season = season_service.begin(club, "League", date(2026, 1, 1), None, Scheme(by=RATING))
    record(start_game(club, season=season, played=date(2026, 1, 6)), FOUR, FOUR, FOUR)
    address = f"/c/{club.key}/seasons/{season.id}/standings.csv"
    ratings = [(int(line["rating"]), int(line["margin of error"])) for line in told(client.get(address))]
    assert len(set(ratings)) == 2  # two won and two lost
    season_service.close(db.session.query(Season).one())
    closed = told(client.get(address))
    assert [int(line["by rating"]) for line in closed] == [rating - error for rating, error in ratings]


def test_hands_of_teams_and_of_those_who_play_alone(client, full):
    """In game 3 Ann called Cy; they took High, the Right Joker, the Right Jack and Game, Bo Low and the Left Joker."""
    lines = told(client.get(f"{full}hands.csv"))
    second = [line for line in lines if line["game"] == "2"]
    assert len(second) == 3  # the fourth is after the end
    hand = {name: text for name, text in second[1].items() if not name.endswith((" 3", " 4", " 5"))}
    assert hand == {
        "date": "2026-01-13", "game": "2", "season": "League", "rules": "Classic Setback", "does not count": "",
        "hand": "2", "dealer": "Ann", "bidder": "Ann", "bid": "2", "trump": "H", "made": "made",
        "side 1": "Ann & Cy", "took 1": "High, Low, Jack, Game", "points 1": "4", "change 1": "4", "total 1": "8",
        "side 2": "Gil & Di", "took 2": "", "points 2": "0", "change 2": "0", "total 2": "0",
    }  # fmt: skip
    assert {line["does not count"] for line in lines if line["game"] in ("3", "5")} == {"yes"}
    (hand,) = [line for line in lines if line["game"] == "3"]
    assert CALLED["bid"] == 3
    units = [(hand[f"side {n}"], hand[f"points {n}"], hand[f"change {n}"], hand[f"total {n}"]) for n in range(1, 6)]
    assert units == [
        ("Ann", "4", "4", "2"), ("Bo", "2", "2", "1"), ("Cy", "4", "4", "4"), ("Di", "2", "2", "3"),
        ("Éva 'Ö' \"Q\", \\", "2", "2", "4"),
    ]  # fmt: skip
    assert hand["took 2"] == "Low, Left Joker"


def test_hands_of_a_finished_game_that_was_left_out_do_not_count(client, club, game):
    record(game, FOUR, FOUR, FOUR)
    address = f"/c/{club.key}/hands.csv"
    assert [line["does not count"] for line in told(client.get(address))] == ["", "", ""]
    game_service.set_counts(game_of(club, 1), False)
    assert [line["does not count"] for line in told(client.get(address))] == ["yes", "yes", "yes"]


def test_a_set_and_a_passed_out_hand(client, club):
    passes = [{"seat": seat, "bid": "pass"} for seat in (1, 2, 3, 4)]
    record(start_game(club), SET, {"dealer": 4, "bids": passes})
    first, second = told(client.get(f"/c/{club.key}/hands.csv"))
    assert (first["made"], first["points 1"], first["change 1"], first["total 1"]) == ("set", "1", "-2", "-2")
    assert (second["bid"], second["made"], second["change 1"], second["total 1"]) == ("all passed", "", "0", "-2")


def test_players(client, full):
    lines = {line["player"]: line for line in told(client.get(f"{full}players.csv"))}
    assert list(lines) == ["Ann", "Bo", "Cy", "Di", "Eve", "Flo", "Gil", "Éva 'Ö' \"Q\", \\"]
    assert (lines["Flo"]["guest"], lines["Flo"]["retired"], lines["Di"]["retired"]) == ("yes", "", "yes")
    assert (lines["Gil"]["games"], lines["Gil"]["hands"], lines["Gil"]["rated games"]) == ("1", "2", "1")
    assert (lines["Eve"]["games"], lines["Eve"]["rating"], lines["Eve"]["last played"]) == ("0", "", "")


def test_a_table_of_games_that_there_are_not(table):
    for wrong in ("rules=nonsense", "from=2026-02-30", "table=9-9", "there=999", "by=luck"):
        answer = table.client.get(f"{table.club}standings.csv?{wrong}")
        assert (answer.status_code, answer.mimetype) == (422, "text/html")


@pytest.mark.parametrize("file", ["hands.csv", "transfers/club.jsonl"])
def test_a_file_begins_before_all_of_it_is_read(client, full, file, monkeypatch):
    """The first line is sent at once, and only part of the file is in memory."""
    read = []
    usual = db.session.execute
    monkeypatch.setattr(db.session, "execute", lambda *args, **options: read.append(1) or usual(*args, **options))
    answer = client.get(f"{full}{file}", buffered=False)
    first = next(answer.iter_encoded())
    at_first = len(read)
    rest = b"".join(answer.iter_encoded())
    assert len(first) < len(rest)
    assert at_first < len(read)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"])
def test_a_name_is_never_a_formula(client, club, name):
    record(start_game(club, names=[name, "Bo", "Cy", "Di"]), FOUR, FOUR, FOUR)
    for table in ("standings", "players", "hands"):
        cells = [cell for row in rows(client.get(f"/c/{club.key}/{table}.csv")) for cell in row]
        assert name not in cells
        assert any(cell.startswith(f"'{name}") for cell in cells)
    assert "-12.000" in cells or table == "hands"


def test_every_link_of_the_page_leads_somewhere(client, full):
    page = client.get(f"{full}transfers/")
    links = [unescape(link) for link in re.findall(r'href="(/c/[^"]+)"', page.text)]
    assert len(links) >= 7
    for link in links:
        assert client.get(link).status_code == 200
    assert f'href="{full}transfers/"' in client.get(full).text

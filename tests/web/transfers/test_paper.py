"""Games from paper on the pages: previewed, corrected, imported once, and counted."""

import csv
import io
import re
from datetime import date
from html import unescape

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import ABANDONED, OPEN, Game, Player
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import find_table
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import custom_rules, seasons
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services.games import PaperGame, record_paper_games, set_paper
from scorekeeper.stats import tallies
from scorekeeper.stats.schemes import Scheme
from scorekeeper.transfer.paper import PaperPlan, read_sheet
from scorekeeper.undo import club_undo, deletion
from tests.classic import FOUR, player, record, start_game
from tests.transfer.clubs import exported, game_of, new_club, tallies_of
from tests.web.site import complaints

HEAD = "date,team 1,score 1,team 2,score 2"
ONE = f"{HEAD}\n2026-01-06,Ann & Cy,12,Bo & Di,7"
TWO = f"{ONE}\n2026-01-13,Ann & Bo,3,Cy & Eve,11"


@pytest.fixture
def club(app_context):
    return new_club()


@pytest.fixture
def paper(club):
    return f"/c/{club.key}/transfers/paper"


def look(client, paper, text=TWO, **fields):
    return client.post(paper, data={"text": text, "rules": "classic", "do": "look"} | fields)


def fields_in(response, text=TWO, **fields):
    """Return the fields sent by the last button of the form."""
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', response.text))
    return hidden | {"text": text, "rules": "classic", "do": "bring"} | fields


def bring(client, paper, text=TWO, **fields):
    return client.post(paper, data=fields_in(look(client, paper, text, **fields), text, **fields))


def troubles(response):
    lists = "".join(re.findall(r'<ul class="troubles">(.*?)</ul>', response.text, re.DOTALL))
    return [unescape(re.sub("<[^>]+>", "", item)) for item in re.findall(r"<li>(.*?)</li>", lists)]


def test_games_are_looked_at_before_they_are_brought_in_and_count_in_standings_and_ratings(client, club, paper):
    """Ann has won a game 12 to 7 and lost one 3 to 11."""
    seen = look(client, paper)
    assert seen.status_code == 200
    assert "2 games to import" in seen.text
    assert "5 new players" in seen.text
    assert re.findall(r"<b class=\"won\">won</b>", seen.text) == ['<b class="won">won</b>'] * 2
    assert db.session.scalars(select(Player)).all() == []
    done = client.post(paper, data=fields_in(seen))
    assert (done.status_code, done.location) == (303, f"/c/{club.key}/")
    assert "2 games imported from paper." in client.get(done.location).text
    assert "2 games were imported" in client.get(f"/c/{club.key}/changes").text
    first, second = game_of(club, 1), game_of(club, 2)
    assert (first.names, first.played, first.paper) == (
        ["Ann", "Bo", "Cy", "Di"], date(2026, 1, 6), {"totals": {"A": 12, "B": 7}, "winners": ["A"]},
    )  # fmt: skip
    assert (second.names, second.score.winners) == (["Ann", "Cy", "Bo", "Eve"], ("B",))
    for number in (1, 2):
        assert client.get(f"/c/{club.key}/games/{number}/").status_code == 200
    table = csv.DictReader(client.get(f"/c/{club.key}/standings.csv").text.splitlines())
    ann = next(line for line in table if line["player"] == "Ann")
    assert [ann[name] for name in ("games", "won", "lost", "tied", "win share")] == ["2", "1", "1", "0", "0.500"]
    assert [ann[name] for name in ("points for", "points against", "average margin")] == ["15", "18", "-1.500"]
    assert (player("Ann", club).rated, player("Cy", club).rated) == (2, 2)
    assert player("Cy", club).mu > player("Ann", club).mu > player("Di", club).mu
    kept = tallies_of(club)
    hand_service.set_state(game_of(club, 1), ABANDONED)
    assert player("Ann", club).rated == 1
    hand_service.set_state(game_of(club, 1), OPEN)
    assert tallies_of(club) == kept
    assert client.get(f"/c/{club.key}/hands.csv").text.count("\r\n") == 1


def test_an_import_is_undone_and_redone_at_once(client, club, paper, monkeypatch):
    """Who came with the games goes with them, unless somebody has played with them since."""
    record(start_game(club, names=["Ann", "Bo", "Cy", "Flo"]), FOUR, FOUR, FOUR)
    bring(client, paper)
    start_game(club, names=["Ann", "Bo", "Eve", "Flo"])
    whole, changes = exported(club), f"/c/{club.key}/changes"
    monkeypatch.setattr(club_undo, "MOST_IMPORTED", 1)
    assert "Cannot be undone here. You can delete the games one by one." in client.get(changes).text
    monkeypatch.undo()
    undone = client.post(f"{changes}/1/undo", follow_redirects=True)
    assert "The import of 2 games was undone." in undone.text
    assert [game.number for game in club.games] == [4, 1]
    assert {one.name for one in club.players} == {"Ann", "Bo", "Cy", "Eve", "Flo"}
    again = re.search(r'action="(/c/[^"]+/undo)"', undone.text)[1]
    assert "2 games were imported." in client.post(again, follow_redirects=True).text
    assert exported(club) == whole


def test_a_file(client, paper):
    sent = {"file": (io.BytesIO(TWO.encode("cp1252").replace(b"Eve", b"\xc9va")), "season.csv")}
    seen = look(client, paper, "", **sent)
    assert "read as Windows text" in seen.text
    assert "Éva" in seen.text
    assert "2 games to import" in seen.text


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_a_file_of_another_system_is_imported_as_it_was_previewed(client, paper, end):
    """Browsers send text with the line ends of forms, whatever they were in the file."""
    seen = look(client, paper, "", file=(io.BytesIO(TWO.replace("\n", end).encode()), "season.csv"))
    assert "2 games to import" in seen.text
    assert client.post(paper, data=fields_in(seen, TWO.replace("\n", "\r\n"))).status_code == 303


def test_the_season_by_its_name_or_by_the_day(client, club, paper):
    winter = seasons.begin(club, "Winter", date(2026, 1, 1), None, Scheme())
    cup = seasons.begin(club, "Cup", date(2020, 1, 1), date(2020, 2, 1), Scheme())
    text = f"season,{HEAD}\n,2026-01-06,Ann,1,Bo,2\nCUP,2026-01-06,Ann,1,Bo,3\n,2025-01-06,Ann,1,Bo,4"
    bring(client, paper, text, rules="shankar")
    assert [game_of(club, number).season_id for number in (1, 2, 3)] == [winter.id, cup.id, None]
    wrong = look(client, paper, f"season,{HEAD}\nSummer,2026-01-06,Ann,1,Bo,2", rules="shankar")
    assert wrong.status_code == 422
    said = "There is no season called Summer. Start it first, or leave the cell empty."
    assert troubles(wrong) == [f"Line 2. {said}"]
    lines = [f"Summer,2026-01-06,Ann,{score},Bo,2" for score in range(3, 18)]
    wrong = look(client, paper, "\n".join([f"season,{HEAD}", *lines, ",never,Ann,1,Bo,2"]), rules="shankar")
    assert troubles(wrong)[:1] == [f"Lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 3 more. {said}"]
    assert "2 problems to fix" in wrong.text


def test_a_closed_season_is_said_to_open_again(client, club, paper):
    season = seasons.begin(club, "Winter", date(2026, 1, 1), None, Scheme())
    seasons.close(season)
    text = f"season,{HEAD}\nWinter,2026-01-06,Ann & Cy,1,Bo & Di,2"
    assert "Winter (reopens)" in look(client, paper, text).text
    bring(client, paper, text)
    assert season.closed_at is None


def test_three_teams_everyone_alone_and_a_shared_win(client, club, paper):
    head = f"{HEAD},team 3,score 3,team 4,score 4,winner"
    text = f"{head}\n2026-01-06,Ann,11,Bo,7,Cy,11,Di,2,\n2026-01-07,Ann,11,Bo,12,Cy,1,Di,2,Ann\n"
    bring(client, paper, text, rules="shankar")
    assert [game_of(club, n).score.winners for n in (1, 2)] == [("1", "3"), ("1",)]
    assert [game_of(club, n).teams for n in (1, 2)] == [0, 0]
    ann = next(csv.DictReader(client.get(f"/c/{club.key}/standings.csv").text.splitlines()))
    assert [ann[name] for name in ("player", "won", "lost", "tied", "form")] == ["Ann", "1", "0", "1", "TW"]
    six = f"{HEAD},team 3,score 3\n2026-02-01,Ann & Bo,1,Cy & Di,2,Eve & Flo,3"
    bring(client, paper, six, rules="shankar")
    assert game_of(club, 3).names == ["Ann", "Cy", "Eve", "Bo", "Di", "Flo"]
    assert game_of(club, 3).score.winners == ("C",)


def test_names_that_are_nearly_known_are_pointed_out_and_may_not_play_twice(client, club, paper):
    record(start_game(club), FOUR)
    text = f"{HEAD}\n2026-01-06,Anne & CY,12,Boris & Di,7"
    seen = look(client, paper, text)
    assert "2 new players" in seen.text
    assert "Anne is Ann<small>" in seen.text
    assert "Boris is" not in seen.text
    assert "1 new player<" in look(client, paper, text, same="Anne").text
    assert "No new players" in look(client, paper, f"{HEAD}\n2026-01-06,Anne & CY,12,Bo & Di,7", same="Anne").text
    taken = bring(client, paper, text, same="Anne")
    assert taken.status_code == 303
    assert game_of(club, 2).names == ["Ann", "Boris", "Cy", "Di"]
    assert sorted(club_names(club)) == ["Ann", "Bo", "Boris", "Cy", "Di"]
    text = f"{HEAD}\n2026-01-06,Anne & Ann,12,Bo & Di,7"
    assert look(client, paper, text).status_code == 200
    seen = look(client, paper, text, same="Anne")
    assert (seen.status_code, troubles(seen)) == (422, ["Line 2. Ann plays twice."])


def test_players_may_stand_together_with_a_word(client, club, paper):
    """Sandy is one name: "and" is a separate word."""
    assert bring(client, paper, f"{HEAD}\n2026-01-06,Sandy and Cy,12,Bo AND Di,7").status_code == 303
    assert game_of(club, 1).names == ["Sandy", "Bo", "Cy", "Di"]


def club_names(club):
    return [name for (name,) in db.session.execute(select(Player.name).where(Player.club_id == club.id))]


def test_two_new_names_that_are_nearly_the_same(client, club, paper):
    text = f"{HEAD}\n2026-01-06,Ann & Cy,12,Éva & Di,7\n2026-01-07,Ann & Cy,12,Eva & di,8"
    assert "Eva is Éva<small>" in look(client, paper, text).text
    bring(client, paper, text, same="Eva")
    assert sorted(club_names(club)) == ["Ann", "Cy", "Di", "Éva"]


def test_a_new_name_is_like_another_new_one_that_is_like_one_that_is_known(client, club, paper):
    start_game(club, names=["Catherine", "Bo", "Cy", "Di"])
    text = f"{HEAD}\n2026-01-06,Katherine & Cy,12,Bo & Di,7\n2026-01-07,Katheryne & Cy,12,Bo & Di,8"
    seen = unescape(look(client, paper, text).text)
    assert "Katherine is Catherine<small>" in seen
    assert "Katheryne is Katherine<small>" in seen
    bring(client, paper, text, same=["Katherine", "Katheryne"])
    assert sorted(club_names(club)) == ["Bo", "Catherine", "Cy", "Di"]


def test_a_game_that_is_here_already_is_left_out(client, club, paper):
    record(start_game(club, played=date(2026, 1, 6)), FOUR, FOUR, FOUR)
    text = f"{HEAD}\n2026-01-06,Bo & Di,0,Cy & ann,12\n2026-01-06,Ann & Cy,12,Bo & Di,1"
    seen = look(client, paper, text)
    assert "already saved" in seen.text
    assert "1 game to import, 1 skipped" in seen.text
    bring(client, paper, text)
    assert [game.paper and game.paper["totals"] for game in games(club)] == [None, {"A": 12, "B": 1}]
    again = look(client, paper, text)
    assert "0 games to import, 2 skipped" in again.text
    assert 'value="bring"' not in again.text
    bring(client, paper, text, again="yes")
    assert len(games(club)) == 4


def test_a_game_whose_score_was_corrected_is_here(client, club, paper):
    """Not the same teams' second game of that day."""
    bring(client, paper, ONE)
    set_paper(game_of(club, 1), {"totals": {"A": 12, "B": 8}, "winners": ["A"]})
    seen = look(client, paper, ONE)
    assert "already saved with another score" in seen.text
    assert "0 games to import, 1 skipped" in seen.text
    both = f"{ONE}\n2026-01-06,Ann & Cy,12,Bo & Di,8"
    assert "1 game to import, 1 skipped" in look(client, paper, both).text


def games(club):
    return db.session.scalars(select(Game).where(Game.club_id == club.id).order_by(Game.number)).all()


def test_of_very_many_new_names_only_the_first_are_compared(client, club, paper):
    names = [f"Anna{number:03}" for number in range(80)]
    teams = [" & ".join(names[at : at + 2]) for at in range(0, 80, 2)]
    lines = [f"2026-01-06,{one},11,{other},7" for one, other in zip(teams[::2], teams[1::2], strict=True)]
    sheet = read_sheet("\n".join([HEAD, *lines]))
    people = PaperPlan(club, sheet, find_rules("classic")).people
    assert [bool(one.like) for one in people] == [False] + [True] * 49 + [False] * 30


def test_of_two_games_alike_the_one_that_is_not_here_is_imported(client, club, paper):
    """An abandoned game is not here: one imported with a wrong score can be abandoned and imported again."""
    text = f"{ONE}\n2026-01-06,Di & Bo,7,Cy & Ann,12"
    assert "same as line 2" in look(client, paper, text).text
    bring(client, paper, text)
    assert len(games(club)) == 1
    assert "1 game to import, 1 skipped" in look(client, paper, text).text
    bring(client, paper, text)
    assert len(games(club)) == 2
    bring(client, paper, f"{text}\n2026-01-06,Ann & Cy,12,Bo & Di,7", again="yes")
    assert len(games(club)) == 5
    for number in range(1, 6):
        hand_service.set_state(game_of(club, number), ABANDONED)
    assert "1 game to import" in look(client, paper, ONE).text


def test_the_same_form_twice_brings_them_in_once(client, club, paper):
    fields = fields_in(look(client, paper, again="yes"), again="yes")
    assert client.post(paper, data=fields).status_code == 303
    kept, file = tallies_of(club), exported(club)
    assert client.post(paper, data=fields).status_code == 303
    assert "These games were already imported." in client.get(f"/c/{club.key}/transfers/").text
    assert len(games(club)) == 2
    assert (tallies_of(club), exported(club)) == (kept, file)


def test_what_was_changed_since_is_looked_at_first(client, club, paper):
    fields = fields_in(look(client, paper)) | {"text": ONE}
    seen = client.post(paper, data=fields)
    assert seen.status_code == 200
    assert "Not imported yet: the table or its rules changed." in seen.text
    assert games(club) == []
    assert client.post(paper, data=fields_in(seen, ONE)).status_code == 303
    assert len(games(club)) == 1


def test_one_tap_imports_what_the_preview_asked_about(client, club, paper):
    record(start_game(club, played=date(2026, 1, 6)), FOUR, FOUR, FOUR)
    text = f"{HEAD}\n2026-01-06,Anne & Cy,12,Bo & Di,0\n2026-01-13,Anne & Cy,12,Bo & Di,7"
    ticked = {"same": "Anne", "again": "yes"}
    seen = look(client, paper, text)
    assert client.post(paper, data=fields_in(seen, text, **ticked)).status_code == 303
    assert [game.names for game in games(club)] == [["Ann", "Bo", "Cy", "Di"]] * 3
    client.post(paper, data=fields_in(seen, text))  # back, unticked, and imported again: known by the form
    assert len(games(club)) == 3


def test_scores_below_the_target_may_be_of_another_game(client, paper):
    told = "Classic Setback is played to 11, but no score{} reaches it. Another game? Choose it below."
    assert told.format("") in look(client, paper, f"{HEAD}\n2026-01-06,Ann & Cy,10,Bo & Di,7").text
    assert told.format(" in line 3") in look(client, paper, f"{ONE}\n2026-01-07,Ann & Cy,7,Bo & Di,5").text
    assert "is played to" not in look(client, paper).text
    assert "is played to 0," in look(client, paper, f"{HEAD}\n2026-01-06,Ann & Cy,3,Bo & Di,7", down="yes").text


def test_a_form_that_was_brought_in_and_then_changed_loses_nothing(client, club, paper):
    """After going back and adding a line, the token is the same, but the new game is imported."""
    first = look(client, paper, ONE)
    client.post(paper, data=fields_in(first, ONE))
    token = fields_in(first)["token"]
    seen = look(client, paper, TWO, token=token)
    assert fields_in(seen)["token"] == token
    client.post(paper, data=fields_in(seen))
    assert len(games(club)) == 2


@pytest.mark.parametrize(
    ("rules", "line", "said"),
    [
        ("classic", "Ann,1,Bo,2", "Classic Setback is for 4 players, not 2."),
        ("classic", "Ann & Bo & Cy,1,Di,2", "All teams must be the same size."),
        ("west-michigan-6", "Ann & Bo & Cy,1,Di & Ed,2", "All teams must be the same size."),
        ("shankar", "Ann & Bo & Cy & Di,1,Ed & Flo & Gil & Hal,2",
         "Setback for two to six is for 2 to 6 players, not 8."),
    ],
)  # fmt: skip
def test_a_table_that_the_rules_do_not_know(client, paper, rules, line, said):
    seen = look(client, paper, f"{HEAD}\n2026-01-06,{line}", rules=rules)
    assert seen.status_code == 422
    assert troubles(seen) == [f"Line 2. {said}"]


def test_everything_that_is_wrong_is_said_with_its_line_and_too_many_new_players_are(client, paper):
    text = f"{HEAD}\n2026-01-06,Ann & Cy,12,Bo & Di,7\nnever,Ann & Cy,12,Bo & Di,7\n2026-01-07,Ann,1,Bo,2"
    assert troubles(look(client, paper, text)) == [
        "Line 3. never is not a date. Write it like 2026-11-21 or 11/21/2026.",
        "Line 4. Classic Setback is for 4 players, not 2.",
    ]
    four = f"{HEAD},team 3,score 3,team 4,score 4\n2026-01-06,Ann,1,Bo,2,Cy,3,Di,4"
    said = "Line 2. In Classic Setback, 4 players play in 2 teams, not individually."
    assert troubles(look(client, paper, four)) == [said]
    lines = [f"2026-01-06,A{n} & B{n},12,C{n} & D{n},7" for n in range(80)]
    said = "That would be 320 new players. Check the columns."
    assert troubles(look(client, paper, "\n".join([HEAD, *lines]))) == [said]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"text": ""}, ["Type or paste the table, or choose a file."]),
        ({"rules": "chess"}, ["Choose the rules of these games."]),
        ({"rules": ""}, ["Choose the rules of these games."]),
        ({"text": "x" * 300_001},
         ["Use at most 300,000 letters. Import a longer table in parts."]),
        ({"text": "", "rules": ""}, ["Type or paste the table, or choose a file.",
                                     "Choose the rules of these games."]),
    ],
)  # fmt: skip
def test_what_is_missing(client, paper, fields, said):
    seen = look(client, paper, **fields)
    assert (seen.status_code, complaints(seen)) == (422, said)
    assert "Error: " in seen.text


def test_the_game_is_chosen_as_for_a_new_one(client, club, paper):
    """The club's last game and own rules come first; a search keeps what is chosen and typed."""
    start_game(club)
    early = {"win.early": {"at": 7, "others_at_most": 0}}
    own = custom_rules.save(club, "Marsh Lake", Table(find_rules("classic").override(early), 4, 2))
    page = client.get(paper).text
    assert re.findall("<h2>([^<]*)</h2>", page)[:3] == ["Played last", "Our rules", "Setback"]
    assert page.count('id="rules-is-classic" checked') == page.count('value="classic"') == 1

    def offered(page):
        return re.findall(r'id="rules-is-([\w-]+)"( checked)?', page.text)

    found = client.get(f"{paper}?search=high+five&rules={own.rules.id}")
    assert offered(found) == [(own.rules.id, " checked"), ("cinch", ""), ("california-pedro", "")]
    found = client.post(paper, data={"text": TWO, "search": "zzz", "rules": own.rules.id, "do": "show"})
    assert ("No game of that name here." in found.text, TWO in unescape(found.text)) == (True, True)
    assert offered(found) == [(own.rules.id, " checked")]
    down = complaints(look(client, paper, rules=own.rules.id, down="yes"))
    assert down == ["With these rules scores cannot count down."]
    assert bring(client, paper, rules=own.rules.id).status_code == 303
    assert game_of(club, 2).rules["name"] == "Marsh Lake"


def test_what_was_typed_stays(client, paper):
    text = f'{HEAD}\n2026-01-06,Ann & <b>"Cy",12,Bo & Di,x'
    seen = look(client, paper, text, order="month")
    assert seen.status_code == 422
    assert text in unescape(seen.text)
    assert 'id="rules-is-classic" checked' in seen.text
    assert 'id="order-is-month" checked' in seen.text
    assert "<b>&#34;Cy" not in seen.text


def test_dates_that_can_be_two_days_are_asked_about(client, club, paper):
    text = f"{HEAD}\n3/4/2026,Ann & Cy,12,Bo & Di,7"
    assert 'name="order"' not in client.get(paper).text
    seen = look(client, paper, text)
    assert seen.status_code == 422
    assert 'id="order-is-day"' in seen.text
    bring(client, paper, text, order="day")
    assert game_of(club, 1).played == date(2026, 4, 3)


def test_a_name_that_was_taken_meanwhile_changes_nothing_else(client, club, paper):
    """After the preview, which had Eve as a new player, Bo was renamed to Eve."""
    record(start_game(club), FOUR)
    text = f"{HEAD}\n2026-01-06,Ann & Cy,12,Eve & Di,7"
    fields = fields_in(look(client, paper, text), text)
    player_service.rename(player("Bo", club), "Eve")
    assert client.post(paper, data=fields).status_code == 303
    assert game_of(club, 2).names == ["Ann", "Eve", "Cy", "Di"]
    assert len(club_names(club)) == 4


def test_another_club_knows_nothing_of_it(client, paper):
    bring(client, paper)
    other = new_club("Another")
    seen = look(client, f"/c/{other.key}/transfers/paper")
    assert "5 new players" in seen.text
    assert "2 games to import" in seen.text


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"names": ("Ann", "Bo", "Ann", "Di")}, "name-twice"), ({"winners": ()}, "no-winner"),
     ({"winners": ("C",)}, "no-winner")],
)  # fmt: skip
def test_all_games_or_none(club, changes, code):
    table = find_table("classic", 4, 2)
    good = {"uid": "1", "table": table, "names": ("Ann", "Bo", "Cy", "Di"), "played": date(2026, 1, 6)}
    good |= {"totals": {"A": 12, "B": 7}, "winners": ("A",), "season": None}
    with pytest.raises(Refused) as refused:
        record_paper_games(club, [PaperGame(**good), PaperGame(**good | {"uid": "2"} | changes)])
    assert refused.value.problems[0].code == code
    assert games(club) == []
    assert club_names(club) == []
    assert record_paper_games(club, [PaperGame(**good)]) == 1
    assert record_paper_games(club, [PaperGame(**good)]) == 0
    deletion.delete_game(club.games[0])
    assert record_paper_games(club, [PaperGame(**good)]) == 0  # the same form again; Changes can restore the game
    kept = tallies_of(club)
    with hand_service.db_write():
        tallies.rebuild(club)
    assert tallies_of(club) == kept

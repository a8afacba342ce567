"""Substitutes, paused and abandoned games, hands after a win; on both databases."""

import re
from datetime import date

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import WATCH, ClubChange
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players, seasons
from scorekeeper.stats.schemes import Scheme
from scorekeeper.stats.verify import check_tallies
from tests.classic import FOUR, SET, TWO_EACH, played_on, record, start_game
from tests.web.phones import phone
from tests.web.site import read


def hand(**changes):
    points = {f"point-{key}": side for key, side in TWO_EACH["claims"].items()}
    return {"token": "a", "position": "1", "bidder": "2", "bid": "2", "trump": "H", "do": "save"} | points | changes


def facts_of(game):
    db.session.expire_all()
    return [facts.facts for facts in game.hands]


def test_a_substitute_plays_from_the_next_hand_on(client, game, address):
    record(game, TWO_EACH | {"bidder": 2})
    answer = client.post(f"{address}/seat", data={"seat": "2", "who": "Gil"}, follow_redirects=True)
    assert '<p class="flash" role="status">Gil for Bo from hand 2.</p>' in answer.text
    assert "Gil, for Bo from hand 2" in read(answer)
    assert "Gil" in client.get(f"{address}/hands/new").text
    client.post(f"{address}/hands/new", data=hand(position="2"))
    assert facts_of(game)[1]["names"] == {"2": "Gil"}
    page = read(client.get(f"{address}/"))
    assert "Gil, for Bo from hand 2" in page
    assert "2 Gil 2" in page  # hand 2: Gil bid 2
    assert "1 Bo 2" in page
    client.post(f"{address}/hands/new", data=hand(position="3", token="b"))
    assert "names" not in facts_of(game)[2]


def test_a_substitution_sent_twice_is_one_change_and_the_hand_behind_it_one_hand(client, game, address):
    """A correction of that hand keeps who sat down."""
    for _ in range(2):
        client.post(f"{address}/seat", data={"seat": "2", "who": "Gil", "token": "gil"})
    assert [change.kind for change in game.changes] == ["substitute"]
    answer = client.post(f"{address}/seat", data={"seat": "2", "who": "Gil", "token": "x"}, follow_redirects=True)
    assert "Gil has that seat already." in answer.text
    for name in ("Hal", "Gil"):
        answer = client.post(f"{address}/seat", data={"seat": "2", "who": name, "token": "gil"}, follow_redirects=True)
        assert f"{name} for " in answer.text
    for _ in range(2):
        assert client.post(f"{address}/hands/new", data=hand()).status_code == 303
    answer = client.post(f"{address}/hands/new", data=hand(token="other phone"), follow_redirects=True)
    assert "Another phone already saved the same hand 1. It counts once." in answer.text
    client.post(f"{address}/hands/1/", data=hand(token="b", hand_version="4", bid="3"))
    assert [(facts["names"], facts["bid"]) for facts in facts_of(game)] == [({"2": "Gil"}, 3)]


def test_who_is_about_to_sit_down_may_think_better_of_it(client, game, address):
    client.post(f"{address}/seat", data={"seat": "2", "who": "Gil"})
    client.post(f"{address}/seat", data={"seat": "3", "who": "Hal"})
    assert game.names_next == ["Ann", "Gil", "Hal", "Di"]
    client.post(f"{address}/seat", data={"seat": "2", "who": "bo"})
    db.session.expire_all()
    assert game.next_seats == {"3": "Hal"}


def test_a_known_name_is_tapped_and_a_typed_one_goes_before_it(client, club, game, address):
    start_game(club, names=["Gil", "Hal", "Cy", "Kim"])
    assert 'name="known" value="Gil"' in client.get(f"{address}/").text
    client.post(f"{address}/seat", data={"seat": "2", "known": "Gil", "who": ""})
    client.post(f"{address}/seat", data={"seat": "4", "known": "Hal", "who": "Ida"})
    db.session.expire_all()
    assert game.names_next == ["Ann", "Gil", "Cy", "Ida"]
    hand_service.substitute(game, 4, " kIM ")
    assert game.next_seats == {"2": "Gil", "4": "Kim"}


def test_what_is_wrong_is_said_beside_the_field(client, game, address):
    for data, sentence in (
        ({"seat": "2", "who": " "}, "Enter who plays instead."),
        ({"who": "Gil"}, "Choose the player to replace."),
        ({"seat": "5", "who": "Gil"}, "Choose the player to replace."),
        ({"seat": "0", "who": "Gil"}, "Choose the player to replace."),
        ({"seat": "2", "who": "ANN"}, "This player is at the table already. Choose somebody else."),
        ({"seat": "2", "who": "x" * 81}, "That name is too long. Use at most 80 letters."),
    ):
        answer = client.post(f"{address}/seat", data=data)
        assert (answer.status_code, f'">{sentence}</p>' in answer.text) == (422, True)
    for name in ("", "Cy"):
        with pytest.raises(Refused):
            hand_service.substitute(game, 2, name)
    assert game.next_seats == {}


def test_every_seat_says_who_was_there_before(client, game, address):
    for name, position in (("Gil", 1), ("Hal", 2)):
        client.post(f"{address}/seat", data={"seat": "2", "who": name, "token": name})
        client.post(f"{address}/hands/new", data=hand(position=str(position), token=f"hand {position}"))
    assert "Hal, for Gil from hand 2 Gil for Bo from hand 1" in read(client.get(f"{address}/"))


def test_whom_the_game_counts_for_is_said_where_a_player_is_replaced(client, club, game, address):
    usual = "After a substitution, the game counts for whoever finishes it."
    assert usual in client.get(f"{address}/").text
    season = seasons.begin(club, name="League", starts=date(2026, 1, 1), ends=None, scheme=Scheme(credit="most"))
    seasons.count_in(game, season)
    page = client.get(f"{address}/").text
    assert usual not in page
    assert "After a substitution, the game counts for whoever played the most hands in that seat." in page


def test_a_won_game_takes_no_more_hands_and_is_played_again(client, game, address):
    """It replaces nobody, and is not paused from a page that was opened before the last hand was saved."""
    assert "Substitute a player" in client.get(f"{address}/").text
    record(game, FOUR, FOUR, FOUR)
    page = client.get(f"{address}/").text
    assert "Play again" in page
    for gone in ("Enter hand 4", "Substitute a player"):
        assert gone not in page
    assert client.get(f"{address}/hands/new").location == f"{address}/"
    answer = client.post(f"{address}/seat", data={"seat": "2", "who": "Gil"})
    assert answer.status_code == 422
    assert "This game is over. You cannot substitute a player." in answer.text
    answer = client.post(f"{address}/state", data={"state": "paused"}, follow_redirects=True)
    assert "Nothing was changed: the game is over, and cannot be paused." in answer.text
    db.session.expire_all()
    assert (game.state, game.next_seats) == ("open", {})
    rematch = client.post(f"{address}/again").location.removesuffix("hands/new")
    assert f'href="{rematch}"' in (page := client.get(f"{address}/").text) and "Play again" not in page
    client.post(f"{rematch}state", data={"state": "abandoned"})
    assert f'href="{rematch}"' not in (page := client.get(f"{address}/").text) and "Play again" in page


def test_a_game_is_gone_on_to_by_most_of_its_players_only(client, game, address):
    """Two players at another table leave the game to be played again; three of its four take its phones along."""
    record(game, FOUR, FOUR, FOUR)
    start_game(game.club, names=["Ann", "Ed", "Bo", "Flo"])
    page = client.get(f"{address}/").text
    assert "Play again" in page and "Go to game" not in page
    assert client.post(f"{address}/again").location == address.replace("games/1", "games/3/hands/new")
    start_game(game.club, names=["Ann", "Bo", "Cy", "Ed"])
    assert 'games/4/">Go to game' in client.get(f"{address}/").text


def test_the_rematch_seats_those_who_sat_last(client, game, address):
    client.post(f"{address}/seat", data={"seat": "2", "who": "Gil"})
    client.post(f"{address}/hands/new", data=hand())
    client.post(f"{address}/again")
    db.session.expire_all()
    assert game.club.games[0].names == ["Ann", "Gil", "Cy", "Di"]


def test_another_game_by_other_rules_has_the_seats_of_the_one_that_is_over(client, game, address):
    record(game, FOUR, FOUR, FOUR)
    start_game(game.club, names=["Ed", "Flo", "Gil", "Hal"])  # at another table
    (way,) = re.findall(r'href="([^"]+)">Change the game or seats<', client.get(f"{address}/").text)
    page = client.get(way).text
    assert re.findall(r'name="name-\d" value="([^"]*)"', page) == ["Ann", "Bo", "Cy", "Di"]
    assert "Change game</button>" in page
    assert client.get(f"/c/{game.club.key}/games/new?like=99").status_code == 404


def test_a_game_with_hands_is_not_deleted_but_abandoned_and_takes_no_hand_until_it_is_resumed(client, game, address):
    page = client.get(f"{address}/").text
    assert ">Abandon<" not in page
    assert f'action="{address}/edit/delete"' in page
    record(game, TWO_EACH)
    assert f'action="{address}/edit/delete"' not in client.get(f"{address}/").text
    page = client.get(f"{address}/").text
    assert page.index("An abandoned game is kept but does not count.") < page.index(">Abandon</button>")
    page = client.post(f"{address}/state", data={"state": "abandoned"}, follow_redirects=True).text
    assert "Game abandoned.</p>" in page
    assert page.count("does not count") == 1
    assert "This game is kept but does not count." in page
    assert "Enter hand" not in page
    club = read(client.get(f"/c/{game.club.key}/"))
    assert "Abandoned does not count · Game 1" in club
    assert "Resume game" not in club
    assert client.get(f"{address}/hands/new").location == f"{address}/"
    answer = client.post(f"{address}/hands/new", data=hand(position="2"))
    assert answer.status_code == 422
    assert "the game is abandoned: resume it first" in answer.text.lower()
    client.post(f"{address}/state", data={"state": "open"})
    assert client.post(f"{address}/hands/new", data=hand(position="2")).status_code == 303
    assert len(facts_of(game)) == 2


def test_a_paused_game_waits_on_the_clubs_page_and_goes_on(client, game, address):
    for state in ("", "lost", "OPEN"):
        assert client.post(f"{address}/state", data={"state": state}).status_code == 303
        db.session.expire_all()
        assert game.state == "open"
    answer = client.post(f"{address}/state", data={"state": "paused"}, follow_redirects=True)
    assert "Game paused.</p>" in answer.text
    assert answer.text.count("Resume it whenever you like.") == 1
    assert "Resume game" in answer.text
    assert "Enter hand 1" in read(answer)
    watched = phone(client.application, address, WATCH).get(f"{address}/").text
    assert "Paused</h2>" in watched
    assert "Resume" not in watched
    club = read(client.get(f"/c/{game.club.key}/"))
    assert "Resume game 1" in club
    assert "Di deals · paused" in club
    client.post(f"{address}/hands/new", data=hand())
    assert "Resume" not in client.get(f"{address}/").text


def test_a_game_that_was_played_on_has_one_score_everywhere(client, game, address):
    """Classic to 11: three hands of 4 make 12 in hand 3. After hand 4 it would be 10 to 3: A is set by 2, B takes 3."""
    record(game, FOUR, FOUR, FOUR)
    played_on(game, SET)
    page = read(client.get(f"{address}/"))
    assert "Ann and Cy win, 12 to 0" in page
    assert "after the end: does not count" in page
    assert "−2 10" in page
    assert "Enter hand 5" not in page
    assert client.get(f"{address}/hands/new").location == f"{address}/"
    assert "12 to 0" in read(client.get(address.partition("/games/")[0] + "/"))
    correct = read(client.get(f"{address}/hands/4/"))
    assert "The game is over. This won’t count." in correct
    points = {f"point-{key}": side for key, side in SET["claims"].items()}
    data = hand(position="4", bidder="1", hand_version="4", note="late", **points)
    assert client.post(f"{address}/hands/4/", data=data).location == f"{address}/"
    assert "late" in read(client.get(f"{address}/"))
    client.post(f"{address}/undo", data={"token": "u"})
    assert "late" not in read(client.get(f"{address}/"))


def test_who_really_played_a_finished_game_is_put_right_and_undone(client, game, address):
    """Ann and Cy win; Gil plays for Bo from hand 2. It was Eve, not Ann, and Hal, not Gil."""
    assert "Wrong player" not in client.get(f"{address}/edit").text
    record(game, FOUR)
    hand_service.substitute(game, 2, "Gil")
    record(game, FOUR, FOUR)
    assert "Wrong player" in client.get(f"{address}/edit").text
    for was, who in (("Ann", "Eve"), ("Gil", " Hal ")):
        answer = client.post(f"{address}/edit/player", data={"was": was, "who": who}, follow_redirects=True)
        assert f"{who.strip()} replaced {was} in game 1." in answer.text
    page = read(answer)
    assert "Eve and Cy win" in page and "Hal, for Bo from hand 2" in page
    club = f"/c/{game.club.key}/"
    table = read(client.get(f"{club}standings"))
    assert "Eve" in table and "Hal" in table and "Ann" not in table and "Gil" not in table
    for was, who, said in (
        ("Eve", "Cy", "This player was in the game already. Choose somebody else."),
        ("Ann", "Kim", "Choose the player to replace."),
        ("Eve", "", "Enter who played."),
    ):
        answer = client.post(f"{address}/edit/player", data={"was": was, "who": who})
        assert (answer.status_code, said in answer.text) == (422, True)
    with pytest.raises(Refused) as late:  # another phone has replaced Ann meanwhile
        players.replace_in(game, "Ann", "Ida")
    assert late.value.problems[0].message == "Ann is no longer in game 1"
    assert "Ida" not in [player.name for player in game.club.players]
    changes = f"{club}changes"
    undo = re.search(rf'action="({changes}/\d+/undo)"', client.get(changes).text)
    assert "Hal replaced Gil in game 1." in client.get(changes).text
    client.post(undo[1])
    assert "Gil, for Bo from hand 2" in read(client.get(f"{address}/"))
    assert "Gil replaced Hal in game 1." in client.get(changes).text
    db.session.expire_all()
    assert check_tallies(game.club).wrong == ()


@pytest.mark.parametrize(("change", "data"), [
    ("edit/day", {"played": "2026-01-02"}), ("edit/player", {"was": "Ann", "who": "Gil"}),
    ("edit/counts", {"is": "no"}), ("edit/delete", {}), ("season", {"season": "none"}),
    ("adjust", {"unit": "B", "points": "1", "reason": "a revoke", "hand_version": "3", "token": "a"}),
])  # fmt: skip
def test_a_change_of_a_game_says_which_closed_season_it_opens(client, game, address, change, data):
    season = seasons.begin(game.club, "Winter", date(2026, 1, 1), None, Scheme())
    seasons.count_in(game, season)
    record(game, FOUR, FOUR, FOUR)
    assert "closed" not in read(client.get(f"{address}/edit"))
    seasons.close(season)
    assert "Winter is closed. A change reopens it." in read(client.get(f"{address}/edit"))
    text = read(client.post(f"{address}/{change}", data=data, follow_redirects=True))
    assert text.count("Winter is open again.") == 1


def test_a_correction_says_which_closed_season_it_opens(client, game, address):
    season = seasons.begin(game.club, "Winter", date(2026, 1, 1), None, Scheme())
    seasons.count_in(game, season)
    record(game, FOUR, FOUR, FOUR)
    assert "Tap a hand to correct it." in client.get(f"{address}/").text
    seasons.close(season)
    closed_at = season.closed_at
    assert "Winter is closed. A correction reopens it." in read(client.get(f"{address}/"))
    taken = {f"point-{key}": "A" for key in FOUR["claims"]}
    data = hand(hand_version="1", position="1", bidder="1", bid="3", **taken)
    answer = client.post(f"{address}/hands/1/", data=data, follow_redirects=True)
    assert "Hand 1 corrected. Winter is open again." in answer.text
    answer = client.post(f"{address}/undo", data={"token": "u"}, follow_redirects=True)
    assert "Winter is closed again." in answer.text and "open again" not in answer.text
    last = select(ClubChange.kind, ClubChange.link_id).order_by(ClubChange.seq.desc()).limit(1)
    assert tuple(db.session.execute(last).one()) == ("close", None)  # not taken back with what the link did
    assert read(client.get(f"/c/{game.club.key}/changes")).count("Winter was closed. An unnamed phone") == 2
    db.session.expire_all()
    assert season.closed_at == closed_at
    answer = client.post(f"{address}/redo", data={"token": "r"}, follow_redirects=True)
    assert "Winter is open again." in answer.text
    db.session.expire_all()
    other = start_game(game.club)
    record(other, FOUR, FOUR, FOUR)
    seasons.count_in(other, season)
    answer = client.post(f"{address}/undo", data={"token": "v"}, follow_redirects=True)
    assert "Winter is still open." in answer.text


def test_a_season_that_a_game_opened_closes_again_with_the_undo_of_that_change(client, game, address):
    season, cup = (seasons.begin(game.club, name, date(2026, 1, 1), None, Scheme()) for name in ("Winter", "Cup"))
    seasons.count_in(game, season, also=[cup])
    record(game, FOUR, FOUR, FOUR)
    seasons.close(season)
    seasons.close(cup)
    changes = f"/c/{game.club.key}/changes"
    left_out = read(client.post(f"{address}/edit/counts", data={"is": "no"}, follow_redirects=True))
    assert "Cup and Winter are open again." in left_out or "Winter and Cup are open again." in left_out
    assert season.closed_at is None
    undo = re.search(rf'action="({changes}/\d+/undo)"', client.get(changes).text)
    undone = read(client.post(undo[1], follow_redirects=True))
    assert re.search("(Cup and Winter|Winter and Cup) are closed again.", undone)
    db.session.expire_all()
    assert season.closed_at is not None


def test_who_wins_by_a_correction_is_who_played_the_deciding_hand(client, game, address):
    """With 4 instead of -2 in hand 2, A has 12 in hand 3, when Ed is in Ann's seat; Gil sits down later."""
    record(game, FOUR, SET, FOUR | {"names": {"1": "Ed"}}, TWO_EACH | {"names": {"3": "Gil"}})
    box = r'<span class="names">(.*?)</span>'
    assert re.findall(box, client.get(f"{address}/hands/2/").text) == ["Ann\u00a0· Cy", "Bo\u00a0· Di"]
    data = hand(hand_version="2", position="2", bidder="1", **{f"point-{key}": "A" for key in FOUR["claims"]})
    preview = read(client.post(f"{address}/hands/preview", data=data))
    said = "Ann bid 2, took 4: +4. Nobody else scored."
    assert f"{said} Ed and Cy win in hand 3, 12 to 0!" in preview
    answer = client.post(f"{address}/hands/2/", data=data, follow_redirects=True)
    assert "Hand 2 corrected. Ed and Cy win in hand 3, 12 to 0." in answer.text
    assert "12 to 0, was 8 to 5; Ed and Cy win in hand 3." in client.get(f"{address}/history").text
    assert "Ed and Cy win" in read(client.get(f"/c/{game.club.key}/"))
    answer = client.post(f"{address}/hands/1/remove", data={"token": "c", "hand_version": "1"}, follow_redirects=True)
    assert "Hand 1 removed. Nobody has won yet." in answer.text


def test_who_wins_instead_is_said_before_and_after_saving(client, game, address):
    record(game, FOUR, FOUR, FOUR)
    points = {f"point-{key}": "B" for key in FOUR["claims"]}
    data = hand(hand_version="3", position="3", **points)
    preview = client.post(f"{address}/hands/preview", data=data)
    assert "Nobody has won yet." in preview.text
    answer = client.post(f"{address}/hands/3/", data=data, follow_redirects=True)
    assert "Hand 3 corrected. Nobody has won yet." in answer.text
    answer = client.post(f"{address}/undo", data={"token": "b"}, follow_redirects=True)
    assert "Hand 3 is back as it was. Ann and Cy win." in answer.text
    answer = client.post(f"{address}/undo", data={"token": "undone"}, follow_redirects=True)
    assert "Hand 3 undone." in answer.text
    assert "hand 3 undone" in client.get(f"{address}/history").text
    client.post(f"{address}/redo", data={"token": "redone"})
    answer = client.post(f"{address}/hands/3/remove", data={"token": "c", "hand_version": "7"}, follow_redirects=True)
    assert "Hand 3 removed. Nobody has won yet." in answer.text

"""The board: what it shows for all kinds of games, and that polling is cheap."""

import re
from collections.abc import Callable
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Game
from scorekeeper.scoring.record import score_record
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import drafts
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services.games import create_game
from scorekeeper.web.common.narrator import Narrator, close_to_winning
from scorekeeper.web.games import board
from tests.boards import BOARDS, FIRST, FOUR_POINTS, PASSED, Shown, hand, play
from tests.classic import new_club
from tests.conftest import examples
from tests.scoring.test_properties import Setting, play_game, races, randoms, settings_of
from tests.web.site import counted_queries

Played = Callable[[Shown], str]


@pytest.fixture
def played(app: Flask) -> Played:
    """A function that plays a game in a new club, and returns the URL of its board."""

    def play_it(shown: Shown) -> str:
        with app.app_context():
            return f"/c/{(club := new_club()).key}/games/{play(club, shown).number}/board"

    return play_it


@pytest.fixture
def change(app: Flask) -> Callable[[str, Callable[[Game], object]], None]:
    """A function that changes the game of a board's URL."""

    def change_it(address: str, doing: Callable[[Game], object]) -> None:
        _, _, key, _, number, _ = address.split("/")
        with app.app_context():
            doing(db.session.query(Game).join(Club).where(Club.key == key, Game.number == int(number)).one())

    return change_it


def one_more(game: Game) -> None:
    position = len(game.hands) + 1
    hand_service.record_hand(game, PASSED, position=position, token=f"more {position}")


def again(game: Game, **otherwise: None) -> Game:
    seats = {"players": game.players, "teams": game.teams, "names": game.names, "first_dealer": 1}
    return create_game(game.club, rules=game.table.rules, options={}, **{"previous": game} | seats | otherwise)


def words(html: str) -> str:
    """Return the visible text of HTML, without text for screen readers."""
    text = re.sub(r"<[^>]+>", " ", re.sub(r'<span class="vh">.*?</span>', "", html))
    return re.sub(r"\s+", " ", text).replace("\ufe0e", "").replace(" ,", ",").strip()


def part(page: str, name: str) -> str:
    """Return the text of the first paragraph with a class."""
    found = re.search(rf'<p class="{name}\b[^>]*>(.*?)</p>', page, re.DOTALL)
    return words(found[1]) if found else ""


@pytest.mark.parametrize("name", BOARDS)
def test_every_kind_of_game(client: FlaskClient, played: Played, name: str) -> None:
    shown = BOARDS[name]
    page = client.get(played(shown)).text
    assert re.findall(r'class="digits num"[^>]*>([^<]+)<', page) == list(shown.scores)
    if shown.says:
        assert part(page, "head") == shown.says
        assert part(page, "took").startswith(shown.took)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("won", "When both teams reach 21, the bidding team wins: "
         "Bo, Di and Flo had the bid in hand 1 and finished with 21."),
        ("six alone, won",
         "When several players reach 11, the bidder wins: Maximiliane had the bid in hand 1 and finished with 11."),
    ],
)  # fmt: skip
def test_who_has_won_and_by_which_rule(client: FlaskClient, played: Played, name: str, reason: str) -> None:
    page = client.get(played(BOARDS[name])).text
    assert part(page, "why") == reason
    assert page.count(" won") == 1
    assert ("21\u00a0to\u00a021" in page) == (name == "won")  # the score stays on one line
    assert "deals next" not in page


def test_why_play_goes_on(client: FlaskClient, played: Played) -> None:
    """Classic, to 11: two points each give 12 to 12, and a tie plays on."""
    address = played(Shown("classic", BOARDS["classic"].names, [TWO_EACH], [], "", start={"A": 10, "B": 10}))
    said = "Still playing: 12 to 12 is a tie, and these rules need a leader."
    assert part(client.get(address).text, "why") == said
    assert said in client.get(address.removesuffix("board")).text


TWO_EACH = hand(1, 2, "H", FOUR_POINTS, {"jack": 2, "game": 2})  # in Classic, to 11
MADE_BID = {"win.eligible": "made-bid"}


@pytest.mark.parametrize(
    ("start", "options", "said"),
    [
        ({"A": 8, "B": 5}, {}, "Ann and Cy need 1, Bo and Di 4"),
        ({"A": 4, "B": 5}, {}, "Bo and Di need 4"),
        ({"A": 4, "B": 4}, {}, ""),
        ({"A": 8, "B": 5}, MADE_BID, "Ann and Cy need 1 and a made bid, Bo and Di 4 and a made bid"),
        ({"A": 6, "B": 10}, MADE_BID, "Bo and Di need a made bid, Ann and Cy 3 and a made bid"),
        ({"A": 8, "B": 5}, {"win.hands": 4}, ""),  # the leader after four hands wins, whatever the score
        ({"A": 9, "B": 5}, {}, "Ann deals the next game"),
    ],
)
def test_who_is_close_to_winning(client: FlaskClient, played: Played, start, options, said: str) -> None:
    shown = Shown("classic", BOARDS["classic"].names, [TWO_EACH], [], "", start=start, options=options)
    assert part(client.get(played(shown)).text, "took").partition("Hand 1")[0].strip() == said


@given(setting=settings_of() | races(), rng=randoms)
@examples(200)
def test_who_is_close_to_winning_is_so_in_every_game(setting: Setting, rng: Random) -> None:
    """The note before a hand holds for the hand: no other side reaches the target by its points."""
    facts, start = (game := play_game(rng, setting, 8)).facts, game.start
    before, after = (score_record(setting.record(hands, start=start)) for hands in (facts[:-1], facts))
    table = Table(find_rules(setting.rules_id).override(setting.options), setting.players, setting.teams)
    narrator = Narrator(table, [f"P{seat}" for seat in table.seats])
    said = close_to_winning(narrator, before)
    assert not after.outcome or not close_to_winning(narrator, after)
    win, most = setting.rules["win"], sum(max(one["worth"], one["captured"] or 0) for one in setting.rules["points"])
    made = win["eligible"] == "made-bid"
    assert said.count("a made bid") == (len(re.findall(r"(?<!and )P", said)) if made else 0)
    told = re.findall(r"(P\d)(?:’s team| and P\d)?(?: needs?)? (\d+)?", said)
    needs = {who: int(points or 0) for who, points in told}
    assert said.count(",") == max(0, len(needs) - 1)
    assert not needs or not (win["hands"] or win["early"])
    last = after.hands[-1]
    for unit in table.units:
        lacks, who = win["target"] - before.totals[unit], f"P{table.seats_of[unit][0]}"
        assert who not in needs or ((made or lacks > 0) and needs[who] == max(0, lacks) <= most)
        if lacks > 0 and who not in needs and last.sides and not (win["hands"] or win["early"]):
            assert last.earned[last.sides.of_unit[unit]] < lacks


@pytest.mark.parametrize(
    ("options", "hands", "said"),
    [
        ({}, [hand(1, 4, "H", FOUR_POINTS, {})], [r"Chance to win: Ann and Cy (5[1-9]|[6-9]\d)%"]),
        ({}, [TWO_EACH], ["Chance to win: even"]),
        ({}, [hand(1, 4, "H", FOUR_POINTS, {})] * 3, ["Chance to win, hand by hand"]),
        ({}, [], []),
        ({"win.hands": 4}, [TWO_EACH], []),  # no chances: see odds.depends_on_scores_only
        ({"win.target": 999}, [TWO_EACH], []),
    ],
)
def test_the_chance_line_is_where_the_story_has_chances(client: FlaskClient, played, options, hands, said) -> None:
    address = played(Shown("classic", BOARDS["classic"].names, hands, [], "", options=options))
    pages = client.get(address).text, client.get(address.removesuffix("board")).text
    asked = [re.findall(r'<figure class="chance"[^>]* hx-get="([^"]+)"', page) for page in pages]
    story = address.replace("board", "story")
    is_over = bool(said) and said[0].endswith("hand by hand")
    assert [bool(one) for one in asked] == [bool(said or not options), is_over]  # space is reserved before it loads
    line = client.get(f"{story}?line=1", headers={"HX-Request": "true"}).text
    found = re.findall(r'<figure class="chance">\s*<figcaption>([^<]+)</figcaption>', line)
    assert [bool(re.fullmatch(one, text)) for one, text in zip(said, found, strict=True)] == [True] * len(said)
    assert ('id="chance-to-win"' in client.get(story).text) == bool(said)


def test_a_game_from_paper_has_no_chance_line(client: FlaskClient, played, change) -> None:
    """It has only totals, no hands."""
    address = played(BOARDS["no hands"])
    assert '<figure class="chance"' in client.get(address).text

    def end(game: Game) -> None:
        with db_write():
            game.paper = {"totals": {"A": 21, "B": 3}, "winners": ["A"]}

    change(address, end)
    assert '<figure class="chance"' not in client.get(address).text


def test_names_on_the_board_are_first_names_that_can_be_told_apart(client: FlaskClient, played: Played) -> None:
    names = ["Maximilian Featherstone", "Christopher Alexander", "Bo Lee", "Christopher Alexandra", "Di", "Flo"]
    page = client.get(played(Shown("shankar", names, [], [], "", teams=0))).text
    found = re.findall(r'<span class="name"><bdi>([^<]+)</bdi>', page)
    assert found == ["Maximilian", "C. Alexander", "Bo Lee", "C. Alexandra", "Di", "Flo"]


def test_the_part_is_what_the_page_has(client: FlaskClient, played: Played) -> None:
    """It asks with the state it shows, goes on without script, and has none inside."""
    address = played(BOARDS["set below zero"])
    page, answer = client.get(address).text, client.get(f"{address}/now")
    assert answer.status_code == 200
    assert answer.text.strip().startswith('<div id="_board"')
    assert answer.text.strip() in page
    assert rf"""hx-headers='{{"If-None-Match": "W/\"{tag_of(client, address)}\""}}'""" in answer.text
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "style=" not in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert re.findall(r"<bdi>(\w+)</bdi>", page) == ["Ann", "Cy", "Ed", "Bo", "Di", "Flo"]
    assert re.findall(r'class="change"[^>]*>([^<]+)<', page) == ["+3", "−5"]
    assert "first to 21" in page


def tag_of(client: FlaskClient, address: str) -> str:
    """Return the ETag of the board's state."""
    return str(client.get(f"{address}/now").get_etag()[0])


def ask(client: FlaskClient, address: str, tag: str) -> int:
    return client.get(f"{address}/now", headers={"If-None-Match": f'W/"{tag}"'}).status_code


CHANGES: dict[str, Callable[[Game], object]] = {
    "a hand": one_more,
    "undo": lambda game: hand_service.undo(game, token="back"),
    "a pause": lambda game: hand_service.set_state(game, "paused"),
    "a newcomer": lambda game: hand_service.substitute(game, 2, "Gil"),
    "another name": lambda game: player_service.rename(game.seats[0].player, "Anna"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_is_new_once(client: FlaskClient, played: Played, change, name: str) -> None:
    address = played(BOARDS["one hand"])
    before, page = tag_of(client, address), client.get(f"{address}/now").text
    assert ask(client, address, before) == 304
    change(address, CHANGES[name])
    after = tag_of(client, address)
    assert [ask(client, address, tag) for tag in (before, after)] == [200, 304]
    assert client.get(f"{address}/now").text.replace(after, before) != page


def test_undone_another_change_of_one_number_and_a_newcomer_in_anothers_place_are_new(client, played, change) -> None:
    address = played(BOARDS["one hand"])
    before = tag_of(client, address)
    change(address, one_more)
    after = tag_of(client, address)

    def happened_otherwise(game: Game) -> None:
        """Like after a restore: another change with the same number."""
        with db_write():
            game.changes[-1].token = "after the backup"

    change(address, happened_otherwise)
    assert ask(client, address, after) == 200
    change(address, lambda game: hand_service.undo(game, token="back"))
    assert ask(client, address, before) == 200
    change(address, lambda game: hand_service.substitute(game, 2, "Gil"))
    before = tag_of(client, address)
    change(address, lambda game: hand_service.substitute(game, 2, "Hal"))
    assert ask(client, address, before) == 200
    assert ">Hal<" in client.get(f"{address}/now").text


@pytest.mark.parametrize(("state", "said"), [("paused", "Paused"), ("abandoned", "Abandoned")])
def test_nobody_deals_in_a_game_that_waits(client: FlaskClient, played: Played, change, state: str, said: str) -> None:
    address = played(BOARDS["one hand"])
    change(address, lambda game: hand_service.set_state(game, state))
    head = part(client.get(address).text, "head")
    assert head.endswith(f"made {said}")
    assert "deals next" not in head


def test_nothing_new_costs_one_small_query(app: Flask, client: FlaskClient, played: Played, monkeypatch) -> None:
    address = played(BOARDS["one hand"])
    tag = tag_of(client, address)
    monkeypatch.setattr(board, "Board", None)  # fails if the board is rendered
    with counted_queries(app) as queries:
        answer = client.get(f"{address}/now", headers={"If-None-Match": f'W/"{tag}"'})
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.get_etag() == (tag, True)
    selects = [query for query in queries if query.startswith("SELECT")]
    assert len(selects) == 1
    assert not any(table in query for query in selects for table in ("hand", "seat", "facts", "before", "after"))
    assert "change.seq = game.version" in selects[0]  # only the last change of the log


@pytest.mark.parametrize("in_a_circle", [False, True])  # as a club file from elsewhere may have them
def test_it_goes_along_to_the_next_game(client: FlaskClient, played: Played, change, in_a_circle: bool) -> None:
    address = played(BOARDS["won"])
    before = tag_of(client, address)

    def go_on(game: Game) -> None:
        following = again(again(game))
        if in_a_circle:
            with db_write(game.club):
                game.previous_id = following.id

    change(address, go_on)
    answer = client.get(f"{address}/now", headers={"If-None-Match": f'W/"{before}"'})
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["HX-Redirect"] == address.replace("games/1", "games/3")
    assert client.get(f"{address}/now").status_code == 200  # only a board that shows something is sent on


def test_an_old_board_that_is_opened_stays(client: FlaskClient, played: Played, change) -> None:
    address = played(BOARDS["won"])
    before = tag_of(client, address)
    change(address, again)
    found = re.search(r'W/\\"([^\\]+)', client.get(address).text)
    assert ask(client, address, found[1]) == 304
    change(address, lambda game: hand_service.undo(game, token="back"))  # corrections of the old game are shown
    assert ask(client, address, found[1]) == 200
    assert ask(client, address, before) == 204


def test_a_board_that_asks_in_the_middle_of_a_game_shows_it(client: FlaskClient, played: Played) -> None:
    address = played(Shown("west-michigan-6", BOARDS["won"].names, [FIRST, PASSED], [], ""))
    assert ask(client, address, "7.0") == 200


def club_board(address: str) -> str:
    return address.partition("games/")[0] + "board"


def asks(page: str) -> str:
    """Return the URL that a board polls."""
    return re.search(r'id="_board" class="board" hx-get="([^"]+)"', page)[1]


def test_the_clubs_board_shows_the_game_that_is_open_or_the_last_one(client, played, change) -> None:
    address = played(BOARDS["won"])
    second, third = (address.replace("games/1", f"games/{number}") for number in (2, 3))
    change(address, again)
    assert "Game 2 ·" in client.get(club_board(address)).text
    change(address, again)
    assert "Game 3 ·" in client.get(club_board(address)).text
    change(third, lambda game: hand_service.set_state(game, "paused"))
    assert "Game 2 ·" in client.get(club_board(address)).text
    for other in (second, third):
        change(other, lambda game: hand_service.set_state(game, "abandoned"))
    assert part(client.get(club_board(address)).text, "head") == BOARDS["won"].says


def test_the_clubs_board_goes_along_however_the_next_game_began(client: FlaskClient, played: Played, change) -> None:
    address = played(BOARDS["won"])
    asked = asks(client.get(club_board(address)).text)
    tag = str(client.get(asked).get_etag()[0])
    assert client.get(asked, headers={"If-None-Match": f'W/"{tag}"'}).status_code == 304
    change(address, lambda game: again(game, previous=None))
    answer = client.get(asked, headers={"If-None-Match": f'W/"{tag}"'})
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, club_board(address))
    assert "Game 2 ·" in client.get(club_board(address)).text


def test_a_club_without_games_has_a_board_that_waits(client: FlaskClient, club: Club) -> None:
    page = client.get(f"/c/{club.key}/board").text
    assert "No game yet" in page
    assert '<meta http-equiv="refresh"' in page
    assert client.get(f"/c/{club.key}/board/now?shown=1").headers["HX-Redirect"] == f"/c/{club.key}/board"
    assert client.get(f"/c/{'x' * 22}/board").status_code == 404


def test_a_clubs_board_with_nothing_new_costs_three_small_queries(app, client, played) -> None:
    address = played(BOARDS["one hand"])
    asked = asks(client.get(club_board(address)).text)
    tag = client.get(asked).get_etag()[0]
    with counted_queries(app) as queries:
        answer = client.get(asked, headers={"If-None-Match": f'W/"{tag}"'})
    assert answer.status_code == 304
    assert len([query for query in queries if query.startswith("SELECT")]) == 3  # the club, its game, the version


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ([("Ann", 2)], "Ann is entering hand 2"),
        ([(None, 1)], "Somebody is correcting hand 1"),
        ([("Ann", 2), ("Bo", 1)], "2 phones are entering hands"),
    ],
)
def test_who_is_entering_a_hand_takes_one_line(client, played, change, who, said) -> None:
    def begin(game: Game) -> None:
        for by, position in who:
            drafts.keep(game.id, position, {"bid": ["3"]}, drafts.EditingNote(f"phone of {by}", by, game.version))

    address = played(BOARDS["one hand"])
    change(address, begin)
    assert part(client.get(address).text, "head") == f"Ann bid 4 ♥, made {said}"

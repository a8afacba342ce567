"""Manipulated club files: whatever is accepted gives pages without errors."""

import json

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Game, HandDraft
from scorekeeper.services import hands as hand_service
from scorekeeper.services.games import create_game
from scorekeeper.transfer.importer import import_as_new_club, import_into_club
from scorekeeper.transfer.reader import LineRefused
from tests.classic import FOUR, draft_of, record
from tests.transfer.clubs import as_file, exported, new_club
from tests.web.conftest import database_url  # noqa: F401 - on one database


@pytest.fixture
def lines(app_context, full_club_file):
    """The lines of the full club's file, parsed."""
    return [json.loads(line) for line in full_club_file.splitlines()]


def put_together(lines):
    return as_file("\n".join(json.dumps(line) for line in lines).encode())


def closed(lines):
    return next(line for line in lines if line.get("closed"))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rating", [1e308, 8.0]),
        ("rating", [25.0, 10**400]),
        ("rating", [True, 8.0]),
        ("before", 1e308),
        ("place", 10**400),
        ("place", True),
        ("sums", {"games": 10**400}),
        ("sums", {"won": -(10**12)}),
        ("form", [["2026-01-06", 10**400, "W"]]),
    ],
)
def test_a_table_with_numbers_that_nobody_can_reckon_with(lines, key, value):
    closed(lines)["frozen"]["lines"][0][key] = value
    with pytest.raises(LineRefused, match="frozen: must be a table of players"):
        import_into_club(new_club("Another"), put_together(lines))


@pytest.mark.parametrize(
    ("key", "value"),
    [("bid", 10**4000), ("claims", {"x" * 10_000: "A"}), ("y" * 10_000, 1)],
    ids=["number", "claims", "key"],
)
def test_what_is_wrong_is_said_in_few_words_whatever_is_in_the_file(lines, key, value):
    """Less than 1000 characters: a place and a sentence."""
    next(line for line in lines if line.get("hands"))["hands"][0][key] = value
    with pytest.raises(LineRefused) as refused:
        import_into_club(new_club("Another"), put_together(lines))
    assert len(str(refused.value)) < 1000


def test_a_game_behind_which_no_number_is_left_gets_another(lines):
    games = [line for line in lines if "x-number" in line]
    games[0]["x-number"] = 999_999_999
    games[1]["x-number"] = 900_000_000
    club = new_club("Another")
    assert import_into_club(club, put_together(lines)).renumbered == 1
    numbers = sorted(db.session.scalars(select(Game.number).where(Game.club_id == club.id)))
    assert numbers[-1] <= 900_000_001
    game = club.games[0]
    fields = {"players": game.players, "teams": game.teams, "names": game.names, "first_dealer": 1}
    assert create_game(club, rules=game.table.rules, options={}, **fields).number < 10**9


@pytest.mark.parametrize("name", ["Ann\N{ZERO WIDTH SPACE}", "\N{RIGHT-TO-LEFT OVERRIDE}Ann", "Ann  B", "Ann "])
def test_a_name_that_looks_like_another_one(lines, name):
    ann = next(line for line in lines if line.get("name") == "Ann")
    ann["name"] = name
    with pytest.raises(LineRefused, match="name: must be"):
        import_into_club(new_club("Another"), put_together(lines))


def test_what_was_tapped_by_no_page_of_ours_keeps_no_file_out(client, club, game):
    sent = {"position": "1", "token": "t", "bidder": "1", "bid": "2", "do": "preview"}
    odd = sent | {"count-A": "9" * 2000, "x": "a\nb"}
    client.post(f"/c/{club.key}/games/{game.number}/hands/preview", data=odd)
    db.session.rollback()
    with db_write(game):  # as stored before such fields were left out
        held = db.session.scalars(select(HandDraft).where(HandDraft.game_id == game.id)).one()
        held.fields = held.fields | {"x": ["a\nb"]}
    content = exported(club)
    other, _ = import_as_new_club("Another", as_file(content))
    assert draft_of(other.games[0], 1)["bidder"] == ["1"]
    assert draft_of(other.games[0], 1).keys().isdisjoint({"x", "count-A"})


@pytest.mark.parametrize("token", ["a\nb", "\x7f", "x" * 65, "", "\N{ZERO WIDTH SPACE}"])
def test_a_form_by_any_name_keeps_no_file_out(club, game, token):
    record(game, FOUR)
    assert not hand_service.undo(game, token=token).repeated
    assert hand_service.redo(game, token=token).repeated == bool(token)  # the same token changes one thing
    content = exported(club)
    other, _ = import_as_new_club("Another", as_file(content))
    assert len(other.games[0].changes) == len(game.changes)


@pytest.mark.parametrize("nothing", [b"\n", b"\r\n", b" \n"])
def test_a_file_of_empty_lines_is_refused_before_it_is_read_to_its_end(app_context, nothing):
    file = as_file(nothing * 1_000_000)
    with pytest.raises(LineRefused, match=r"^line 101: the file has more than 100 empty lines$"):
        import_into_club(new_club("Another"), file)
    assert file.tell() < 1000


def test_some_empty_lines_hurt_nobody(lines):
    file = put_together(lines).getvalue().replace(b"\n", b"\n\n") + b"\n" * 50
    assert file.count(b"\n\n") < 100
    import_into_club(new_club("Another"), as_file(file))

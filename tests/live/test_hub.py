"""Streams of one process: which listener receives what, and who is disconnected; on each kind of database."""

import socket
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from unittest.mock import DEFAULT, Mock

import pytest
from flask import Flask

from scorekeeper.database.session import db, db_write
from scorekeeper.live import hub as hub_module
from scorekeeper.live.hub import Hub, Listener, Signal
from scorekeeper.live.state import Topic, tags
from scorekeeper.models import WATCH, Game
from scorekeeper.services import drafts, links
from scorekeeper.services import hands as hand_service
from tests.classic import FOUR, start_game

Open = Callable[..., socket.socket]


@pytest.fixture
def hub(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub without heartbeats, so that everything received is news."""
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 600)
    hub = Hub(app, most=3)
    yield hub
    hub.stop()


@pytest.fixture
def topic(game: Game) -> Topic:
    return "game", game.id


@pytest.fixture
def listening(hub: Hub) -> Iterator[Open]:
    """A function that opens a stream, and returns the socket from which its page would read."""
    ends: list[socket.socket] = []

    def open_stream(topic: Topic, tag: str = "0", *, chunked: bool = False, access: int = 0) -> socket.socket:
        ours, theirs = socket.socketpair()
        theirs.settimeout(30)
        ends.append(theirs)
        hub.add(Listener(ours, topic, chunked=chunked, access=access), tag)
        return theirs

    yield open_stream
    for end in ends:
        end.close()


def current(topic: Topic) -> str:
    """Return the current tag, read in a new transaction."""
    db.session.commit()
    found = tags(db.session.connection(), [topic])[topic]
    db.session.commit()
    return found


def read_until(stream: socket.socket, tag: str) -> str:
    """Read until the event with `tag` arrives; return everything read. Times out after 30 seconds."""
    seen = ""
    while f"data: {tag} " not in seen:
        piece = stream.recv(4096).decode()
        assert piece, f"closed after {seen!r}"
        seen += piece
    return seen


def save(game: Game) -> str:
    """Save a hand; return the tag of the game after it."""
    position = len(game.hands) + 1
    hand_service.record_hand(game, FOUR, position=position, token=f"hand {position}")
    return current(("game", game.id))


def test_who_listens_is_told_of_every_save_and_nobody_of_another_game(
    game: Game, topic: Topic, listening: Open
) -> None:
    other = start_game(game.club)
    mine, elsewhere = listening(topic, current(topic)), listening(("game", other.id), current(("game", other.id)))
    read_until(mine, save(game))
    after = read_until(mine, save(game))
    assert after.count("\n\n") == 1
    assert after.startswith("data: 2.0.")
    said = read_until(elsewhere, save(other))
    assert said.count("data: 1.") == 1
    assert "data: 2." not in said


def test_the_club_is_told_of_its_games(game: Game, listening: Open) -> None:
    topic: Topic = ("club", game.club_id)
    club = listening(topic, current(topic))
    save(game)
    read_until(club, current(topic))
    start_game(game.club)
    read_until(club, current(topic))


@pytest.mark.parametrize("has_others", [False, True])
def test_what_changed_before_a_stream_was_open_is_told(
    has_others: bool, game: Game, topic: Topic, listening: Open
) -> None:
    """The hand is saved after the page was rendered and before its stream opens; other listeners were told of it."""
    before = current(topic)
    others = listening(topic, before) if has_others else None
    after = save(game)
    assert before != after
    if others:
        read_until(others, after)
    said = read_until(listening(topic, before), after)
    assert said.startswith(f"retry: 2000\ndata: {before}\n\n")


def test_what_changed_is_told_after_a_look_that_failed(
    game: Game, topic: Topic, listening: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "ERROR_PAUSE_SECONDS", 0)
    stream = listening(topic, current(topic))
    read_until(stream, save(game))
    look = Mock(wraps=tags, side_effect=chain([OSError("the database is away")], repeat(DEFAULT)))
    monkeypatch.setattr(hub_module, "tags", look)
    read_until(stream, save(game))
    assert look.call_count > 1


def test_who_is_entering_a_hand_is_told_until_it_is_saved(game: Game, topic: Topic, listening: Open) -> None:
    before = current(topic)
    stream = listening(topic, before)
    drafts.keep(game.id, 1, {"bid": ["3"]}, drafts.EditingNote("phone", "Bo", 0))
    entering = current(topic)
    read_until(stream, entering)
    drafts.keep(game.id, 1, {"bid": ["4"]})
    assert current(topic) == entering  # drafts are not announced
    assert read_until(stream, save(game)).count("data: ") == 1


def test_a_deleted_game_is_told_as_gone(game: Game, topic: Topic, listening: Open) -> None:
    stream = listening(topic, current(topic))
    with db_write() as session:
        session.execute(db.delete(Game).where(Game.id == game.id))
    read_until(stream, "gone")


def test_a_revoked_link_ends_its_streams_and_no_others(game: Game, topic: Topic, hub: Hub, listening: Open) -> None:
    hub.still_valid = links.still_open
    kept, revoked = (links.make(game.club, WATCH, label) for label in ("kept", "revoked"))
    stays = listening(topic, current(topic), access=kept.id)
    ends = listening(topic, current(topic), access=revoked.id)
    assert ends.recv(4096)
    links.revoke(revoked)
    while ends.recv(4096):
        pass
    read_until(stays, save(game))


def test_a_stream_is_chunked_as_its_answer_began(game: Game, topic: Topic, listening: Open) -> None:
    stream = listening(topic, "old", chunked=True)
    said = read_until(stream, current(topic))
    assert said.startswith("17\r\nretry: 2000\ndata: old\n\n\r\n")  # 0x17 = 23 bytes: 12 + 10 + 1


def test_there_is_an_end_of_room_and_who_goes_makes_some(game: Game, topic: Topic, hub: Hub, listening: Open) -> None:
    counts: list[int] = []
    hub.on_count = counts.append
    streams = [listening(topic) for _ in range(3)]
    for stream in streams:
        read_until(stream, current(topic))
    assert not hub.has_room
    streams[0].close()
    stream = streams[1]
    read_until(stream, save(game))
    read_until(stream, save(game))  # a listener to which the first send failed is removed by now
    assert hub.has_room
    assert counts == [1, 2, 3, 2]


def test_a_server_that_stops_closes_every_stream_and_takes_no_more(
    game: Game, topic: Topic, hub: Hub, listening: Open
) -> None:
    stream = listening(topic)
    read_until(stream, current(topic))
    hub.stop()
    assert stream.recv(4096) == b""
    assert not hub.has_room
    assert listening(topic).recv(4096) == b""


@pytest.fixture
def signal(app_context: Flask) -> Iterator[Signal]:
    signal = Signal(db.engine)
    yield signal
    signal.close()


def is_quiet(signal: Signal, work: Callable[[], object] = lambda: None) -> bool:
    """True if `work` causes no signal in at least one of 100 attempts, as PostgreSQL also writes on its own."""
    return any(not (work(), signal.has_changed())[1] for _ in range(100))


def test_a_signal_tells_of_whatever_anybody_has_written(game: Game, topic: Topic, signal: Signal) -> None:
    assert signal.has_changed()  # the first call reports a change, as the state before it is unknown
    assert is_quiet(signal)
    save(game)
    assert signal.has_changed()
    drafts.keep(game.id, 2, {"bid": ["3"]})
    assert signal.has_changed()
    assert is_quiet(signal)
    assert is_quiet(signal, lambda: current(topic))  # reads cause no signal


def test_a_signal_whose_connection_was_cut_makes_another(game: Game, signal: Signal) -> None:
    assert signal.has_changed()
    signal.close()
    save(game)
    assert signal.has_changed()

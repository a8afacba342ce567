"""What a tap costs the server: the preview of a hand, against a bare Flask page that shows thirty rows of a table."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask, render_template
from flask.testing import FlaskClient
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from scorekeeper import create_app, ledger
from scorekeeper.db import db, db_write, migrate_database
from scorekeeper.models import Club, Game
from scorekeeper.scoring.rules import find_rules

from . import hands

ROWS = 30
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
TAPPED = {"bidder": "1", "bid": "4", "trump": "H", "buried": ["9C", "XB"], "point-left_jack": "B", "point-game": "B"}


def bare_page(folder: Path) -> FlaskClient:
    """A Flask application with nothing but one table and one page."""

    class Base(DeclarativeBase):
        pass

    plain = SQLAlchemy(model_class=Base)

    class Line(plain.Model):  # type: ignore[name-defined]
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]
        score: Mapped[int]

    app = Flask("bare", template_folder=str(Path(__file__).parent / "templates"))
    app.config["SQLALCHEMY_DATABASE_URI"] = f"sqlite:///{folder / 'bare.sqlite'}"
    plain.init_app(app)
    with app.app_context():
        plain.create_all()
        plain.session.add_all([Line(name=f"Player {number}", score=number) for number in range(ROWS)])
        plain.session.commit()

    @app.get("/")
    def lines() -> str:
        return render_template("lines.html", lines=plain.session.scalars(select(Line)))

    return app.test_client()


def game_with(hand_count: int) -> Game:
    """A game of that many hands, in a club of its own."""
    with db_write() as session:
        club = Club(name="Bench")
        session.add(club)
    rules = find_rules(hands.RULES).override({"win.target": 999})
    game = ledger.create_game(club, rules=rules, options={}, players=6, teams=2, names=NAMES, first_dealer=6)
    for number in range(1, hand_count + 1):
        facts = hands.as_claims(hands.played_hand(number)) | {"dealer": ledger.next_dealer(game)}
        ledger.record_hand(game, facts, position=number, token=str(number))
    return game


@contextmanager
def pages() -> Iterator[tuple[Callable[[], object], Callable[[], object]]]:
    """A tap in the tenth hand of a game, each different from the last; and the bare page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = create_app({"INSTANCE": folder, "WTF_CSRF_ENABLED": False})
        migrate_database(app)
        with app.app_context():
            game = game_with(9)
            url = f"/c/{game.club.key}/games/{game.number}/hands/preview"
            db.session.remove()
        client, bare, taps = app.test_client(), bare_page(folder), iter(range(10**9))

        def tap() -> None:
            changed = {"position": "10", "token": "t", "point-high": "AB"[next(taps) % 2]}
            answer = client.post(url, data=TAPPED | changed)
            assert answer.status_code == 200, answer.status
            assert b"took" in answer.data

        def bare_tap() -> None:
            assert bare.get("/").status_code == 200

        yield tap, bare_tap

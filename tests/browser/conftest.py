"""Fixtures of the browser tests, and a server with clubs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from scorekeeper import create_app
from scorekeeper.database.session import db, migrate_database
from scorekeeper.models import Club
from tests.conftest import serve
from tests.web.phones import keep_state

from .phone import Phone


@contextmanager
def serving(folder: Path, make: Callable[[], Any]) -> Iterator[tuple[str, Any, str]]:
    """Serve the clubs of `make`; yield the URL, what `make` returns, and the path of a manager's browser state."""
    app = create_app({"INSTANCE": folder})
    migrate_database(app)
    with app.app_context():
        made = make()
        clubs = [f"/c/{key}/" for key in db.session.scalars(db.select(Club.key))]
        db.session.remove()
        db.engine.dispose()
    with serve(folder, SCOREKEEPER_HTMX_LOCAL="1") as url:
        yield url, made, keep_state(app, folder / "state.json", url, *clubs)


@pytest.fixture
def phone(page: Page) -> Phone:
    return Phone(page)

"""A club's file with anything at all in one place of it: it is refused with a place, or it comes in and out again."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper import create_app
from scorekeeper.db import db
from scorekeeper.importing.importer import import_as_new_club
from scorekeeper.importing.reader import LineRefused
from scorekeeper.models import Club
from tests.importing.clubs import a_full_club, as_file, exported

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["A", "H", "1", 0]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Any) -> Any:
    """The lines of a full club's file, in an application whose database it stands in."""
    folder = tmp_path_factory.mktemp("full")
    shutil.copy(migrated_sqlite, folder / "scorekeeper.sqlite")
    with create_app({"INSTANCE": folder}).app_context():
        yield exported(a_full_club()).decode().splitlines()
        db.engine.dispose()


def places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """Every place in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*path, key)
        yield from places(below, (*path, key))


def change(data: Any, path: tuple[Any, ...], value: Any, how: str) -> None:
    """Put something in a place, take it out, or put it beside."""
    *above, last = path
    for key in above:
        data = data[key]
    if how == "out":
        del data[last]
    elif how == "beside" and isinstance(data, list):
        data.insert(last, value)
    elif how == "beside":
        data["x-more"] = value
    else:
        data[last] = value


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_anything_in_any_place(lines: list[str], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(lines) - 1))
    told = json.loads(lines[number])
    path = data.draw(st.sampled_from(list(places(told))))
    change(told, path, data.draw(VALUES), data.draw(st.sampled_from(["in", "out", "beside"])))
    content = "\n".join([*lines[:number], json.dumps(told), *lines[number + 1 :]]).encode()
    before = db.session.query(Club).count()
    try:
        club, _ = import_as_new_club(None, as_file(content))
    except LineRefused as refused:
        assert refused.problems
        assert 1 <= refused.line <= len(lines)
        db.session.rollback()
        assert db.session.query(Club).count() == before
        return
    again, _ = import_as_new_club(None, as_file(exported(club)))
    assert exported(again) == exported(club)
    assert [game.score() for game in again.games] == [game.score() for game in club.games]

"""Addresses in templates are Flask's own, though each is put together once."""

from typing import Any

import pytest
from flask import Flask, url_for

PLACES: list[tuple[str, dict[str, Any]]] = [
    ("clubs.home", {}),
    ("clubs.show", {"key": "k"}),
    ("clubs.show", {"key": "k", "_external": True}),
    ("games.sheet", {"key": "k", "number": 3, "all": 1}),
    ("games.sheet", {"key": "k", "number": 3, "_anchor": "whose"}),
    ("standings.show", {"key": "k", "season_id": None}),
    ("standings.show", {"key": "k", "season_id": 7}),
    ("static", {"filename": "app.css"}),
    (".show", {"key": "k"}),
]


@pytest.mark.parametrize(("endpoint", "values"), PLACES)
def test_an_address_is_flasks(app: Flask, endpoint: str, values: dict[str, Any]) -> None:
    address_of: Any = app.jinja_env.globals["url_for"]
    for root in ("/", "/cards/"):
        with app.test_request_context("/c/k/", base_url=f"https://example.org{root}"):
            flasks = Flask.url_for(app, endpoint, **values)
            assert [address_of(endpoint, **values) for _ in range(2)] == [flasks] * 2
            assert [url_for(endpoint, **values) for _ in range(2)] == [flasks] * 2


def test_numbers_and_truths_are_told_apart(app: Flask) -> None:
    """1 == True, and their addresses differ."""
    with app.test_request_context("/"):
        assert [url_for("clubs.games", key="k", page=page) for page in (1, True)] == [
            "/c/k/games/?page=1",
            "/c/k/games/?page=True",
        ]


def test_a_template_knows_what_is_added_later(app: Flask) -> None:
    template = app.jinja_env.from_string("{{ added_later }}")
    app.jinja_env.globals["added_later"] = "here"
    try:
        assert template.render() == "here"
        assert app.jinja_env.from_string("{{ mine }}{{ added_later }}", {"mine": "my own, "}).render() == "my own, here"
    finally:
        del app.jinja_env.globals["added_later"]

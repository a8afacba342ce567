"""Fixtures of the page tests."""

import pytest
from flask.testing import FlaskClient

from scorekeeper.models import Game
from tests.conftest import ON_ONE_DATABASE, find_database
from tests.web.site import Site


@pytest.fixture(params=ON_ONE_DATABASE)
def database_url(request: pytest.FixtureRequest) -> str:
    """URL of a migrated, empty database: `make test` uses SQLite only, as other folders test both kinds."""
    return find_database(request)


@pytest.fixture
def site(client: FlaskClient) -> Site:
    return Site(client)


@pytest.fixture
def table(site: Site) -> Site:
    """A client with a new game of Classic."""
    site.start_game("classic")
    return site


@pytest.fixture
def address(game: Game) -> str:
    """URL of `game`, without the slash at its end."""
    return f"/c/{game.club.key}/games/{game.number}"

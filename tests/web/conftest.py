"""A phone for every test of the pages."""

import pytest
from flask.testing import FlaskClient

from tests.conftest import ON_ONE_DATABASE, find_database
from tests.web.site import Site


@pytest.fixture(params=ON_ONE_DATABASE)
def database_url(request: pytest.FixtureRequest) -> str:
    """A migrated database with nothing in it: what is read and written is tested on both kinds by its own tests."""
    return find_database(request)


@pytest.fixture
def site(client: FlaskClient) -> Site:
    return Site(client)


@pytest.fixture
def table(site: Site) -> Site:
    """A phone with a game of Classic begun."""
    site.start_game("classic")
    return site

"""A phone for every test of the pages."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.web.site import Site


@pytest.fixture
def site(client: FlaskClient) -> Site:
    return Site(client)


@pytest.fixture
def table(site: Site) -> Site:
    """A phone with a game of Classic begun."""
    site.start_game("classic")
    return site

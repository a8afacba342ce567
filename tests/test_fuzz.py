"""Random requests to all URLs and forms by a manager of a club: no server error, and no partial change.

Routes and forms are found in the application and on its pages, so new ones are included. SCOREKEEPER_FUZZ is the number
of requests: 20,000 take some minutes, and the one that took the most CPU time is printed (`pytest -s`).
"""

import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from scorekeeper import create_app
from scorekeeper.database.session import db
from scorekeeper.models import Club, Game
from scorekeeper.stats.verify import check_tallies
from scorekeeper.transfer.importer import import_as_new_club
from scorekeeper.web.common.scope import LINKS_COOKIE
from tests.forms import Form, forms_of
from tests.sound import check_log
from tests.test_platform_security import addresses
from tests.transfer.clubs import as_file, exported
from tests.web.phones import cookie_of, phone, stranger

REQUESTS = int(os.environ.get("SCOREKEEPER_FUZZ", "250"))
AS_IT_COMES = settings(
    max_examples=REQUESTS,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # no shrinking, as each request depends on the changes by earlier ones
    suppress_health_check=list(HealthCheck),
)
NASTY = (
    "", " ", "0", "-1", "1", "999999999", "9" * 30, "1e9", "٣", "½", "é" * 200, "\u202eAnn", "\u0000",
    "<script>alert(1)</script>", "{{ 7 * 7 }}", "%s%n", "' OR 1=1 --", "../../etc/passwd", "null", "[]", "{}", "NaN",
    "2026-13-45", "0001-01-01", "9999-12-31", "Ann", "ann ", "A", "nobody", "A" * 5000, "\r\nSet-Cookie: x=y",
    "AH 2H AH", "pass pass 4",
)  # fmt: skip


@dataclass
class World:
    """An application with a full club, its URLs, the forms of its pages, and the cookie of a phone that may send them.

    Some forms delete the objects that most others use.
    """

    app: Flask
    addresses: list[str]
    forms: list[Form]
    cookie: str
    slowest: tuple[float, str] = (0.0, "")

    @property
    def lasting(self) -> list[Form]:
        return [form for form in self.forms if not form.address.endswith("/delete")]

    def open(self, address: str, **request: Any) -> TestResponse:
        """Return the complete response to a request from a new client with the phone's cookie."""
        client = stranger(self.app)
        client.set_cookie(LINKS_COOKIE, self.cookie)
        began = time.process_time()
        answer = client.open(address, **request)
        answer.get_data()  # also reads a stream to its end
        self.slowest = max(self.slowest, (time.process_time() - began, address))
        no_stream = answer.status_code == 503 and address.endswith("/live")  # live streams need our own server
        assert answer.status_code < 500 or no_stream, (address, request)
        return answer


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path, full_club_file: bytes) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("fuzz")
    shutil.copy(migrated_sqlite, folder / "scorekeeper.sqlite")
    often = dict.fromkeys(("THROTTLE_CLUBS", "THROTTLE_KEYS", "THROTTLE_UPLOADS"), "1000000 per hour")
    app = create_app({"INSTANCE": folder, "WTF_CSRF_ENABLED": False, **often})
    with app.app_context():
        key = import_as_new_club(None, as_file(full_club_file))[0].key
        db.session.remove()
    client, forms = phone(app, f"/c/{key}/"), []
    pages = sorted(set(addresses(app, key, "GET")))
    for address in pages:
        forms += forms_of(client.get(address, follow_redirects=True).text, address)
    cookie = cookie_of(app, f"/c/{key}/")  # of a link that none of these forms revokes
    yield World(app, sorted({*pages, *addresses(app, key, "POST")}), forms, cookie)
    with app.app_context():
        db.engine.dispose()


@st.composite
def requests(draw: st.DrawFn, world: World) -> dict[str, Any]:
    """A form of a page with some fields dropped, doubled or replaced; or a URL with random fields."""
    anything = st.sampled_from(NASTY) | st.text(max_size=12)
    if draw(st.integers(0, 3)):
        form = draw(st.sampled_from(world.lasting if draw(st.integers(0, 9)) else world.forms))
        sent: dict[str, list[str]] = {}
        for name, values in form.fields.items():
            usual = st.sampled_from(values or NASTY)
            sent[name] = draw(st.lists(usual if draw(st.integers(0, 4)) else anything, max_size=2))
    else:
        form = Form(draw(st.sampled_from(world.addresses)), draw(st.sampled_from(["GET", "POST", "PUT", "HEAD"])))
        names = sorted({name for other in world.forms for name in other.fields})
        sent = draw(st.dictionaries(st.sampled_from(names) | anything, st.lists(anything, max_size=2), max_size=4))
    headers = {"HX-Request": "true"} if draw(st.booleans()) else {}
    where = "query_string" if form.method in ("GET", "HEAD") else "data"
    return {"address": form.address, "method": form.method, where: sent, "headers": headers}


def as_it_is(world: World, form: Form) -> int:
    """Send a form with the first value of each field; return the status."""
    sent = {form.where(): {name: values[:1] for name, values in form.fields.items()}}
    return world.open(form.address, method=form.method, **sent).status_code


def test_nothing_that_is_sent_breaks_anything(world: World) -> None:
    told = Counter(as_it_is(world, form) for form in world.lasting)
    assert min(told[200], told[303], told[422]) >= 5  # enough pages, changes and errors
    sent = []

    @AS_IT_COMES
    @given(requests(world))
    def send(request: dict[str, Any]) -> None:
        sent.append(world.open(**request).status_code)

    send()
    print(f"\n{len(sent)} requests, slowest {world.slowest[1]}: {world.slowest[0]:.2f} s")
    assert len(sent) >= REQUESTS
    with world.app.app_context():
        for club in db.session.scalars(db.select(Club)):
            assert check_tallies(club).wrong == ()
            assert exported(club)
        for game in db.session.scalars(db.select(Game).where(Game.paper.is_(None))):
            check_log(game)

"""Forms ignore values that are not text, such as JSON or files."""

import io

import pytest

from tests.conftest import mostly_slow
from tests.test_platform_security import addresses, forms_on_the_pages, start_playing
from tests.web.site import complaints


@pytest.fixture
def key(app):
    """Key of a club in which hand 1 of game 1 is played; views that fail return 500."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return start_playing(app)


def as_files(names):
    return {name: (io.BytesIO(b"Ann"), "ann.txt") for name in names}


ODD_JSON = [{"name": 5}, {"name": ["x"]}, {"name": None}, [], "text", 5, None]


@pytest.mark.parametrize("body", mostly_slow(ODD_JSON), ids=str)
def test_json_is_no_form(app, key, body):
    """Sent to all URLs that allow POST, with numbers and lists in place of names."""
    sent = list(addresses(app, key, "POST"))
    answers = {address: app.test_client().post(address, json=body).status_code for address in sent}
    assert {address: code for address, code in answers.items() if code >= 500} == {}
    assert len(sent) > 20


@pytest.mark.slow
def test_a_file_is_no_text(app, key):
    """All fields of all forms as files in one request, sent to all URLs that allow POST."""
    names, answers = {"file"}.union(*(form.fields for form in forms_on_the_pages(app, key))), {}
    for address in addresses(app, key, "POST"):
        answers[address] = app.test_client().post(address, data=as_files(names)).status_code
    assert {address: code for address, code in answers.items() if code >= 500} == {}
    assert {"name", "name-1", "bidder", "note", "starts", "text"} <= names


@pytest.mark.slow
def test_a_file_beside_what_was_typed_changes_nothing(app, key):
    """Each form as on its page, with each of its fields in turn as a file."""
    client, answers = app.test_client(), {}
    for form in (form for form in forms_on_the_pages(app, key) if form.method == "POST"):
        for name in form.fields:
            typed = {other: values for other, values in form.fields.items() if other != name}
            answers[form.address, name] = client.post(form.address, data=typed | as_files([name])).status_code
    assert {where: code for where, code in answers.items() if code >= 500} == {}
    assert len(answers) > 100


def test_a_club_without_a_name_that_was_typed_is_not_started(client):
    answers = [client.post("/clubs", json={"name": "Ann"}), client.post("/clubs", data=as_files(["name"]))]
    assert [(answer.status_code, complaints(answer)) for answer in answers] == [(422, ["Enter a club name."])] * 2

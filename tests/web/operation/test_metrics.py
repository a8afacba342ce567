"""Metrics for Prometheus: requests and durations by route; from this computer only, or with a token."""

import re
import socket
from urllib.parse import quote

import pytest
from prometheus_client.mmap_dict import MmapedDict, mmap_key
from prometheus_client.parser import text_string_to_metric_families

from scorekeeper.live.hub import Listener, hub_of
from scorekeeper.web.operation import views
from tests.conftest import serve
from tests.web.site import Site


@pytest.fixture
def site(new_app):
    return Site(new_app.test_client())


def numbers(text):
    """Return samples by name and labels."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def of(found, name, **labels):
    return found.get((f"scorekeeper_{name}", *sorted(labels.items())), 0)


def test_requests_saves_and_conflicts_are_counted_and_no_key_and_no_name_is_in_them(table):
    assert table.post_hand().status_code == 303
    assert table.post_hand(position="1", bid="2").status_code == 409  # another hand 1
    assert table.correct(1, 1, bid="4").status_code == 303
    assert table.post_hand(position="2", bidder=None).status_code == 422
    answer = table.client.get("/metrics")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    found = numbers(answer.text)
    route = "/c/<key>/games/<int:number>/hands/new"
    for code in ("303", "409", "422"):
        assert of(found, "requests_total", route=route, method="POST", status=code) == 1
    assert of(found, "saves_total") == 2
    assert of(found, "conflicts_total") == 1
    assert of(found, "request_seconds_count", route=route) == 3
    assert of(found, "request_seconds_bucket", route=route, le="+Inf") == 3
    table.client.get(f"/{table.club.split('/')[2]}")
    table.client.open("/healthz", method="BREW")
    text = table.client.get("/metrics").text
    assert table.club.split("/")[2] not in text
    assert "Ann" not in text
    assert "BREW" not in text


def test_what_a_phone_says_otherwise_of_the_same_game_is_counted(table):
    """Ignored if the game was changed meanwhile, or if the phone has scripts of another version."""
    page = table.client.get(f"{table.game}hands/new").text
    shape = re.search(r'"shape": "(\w+)"', page)[1]
    right, wrong = ("Ann bid 3, took 4: +4. Nobody else scored. Ann and Cy lead 4 to 0.", "Ann bid 3, took 3: +3.")
    counted = []
    told = [(f"{shape}.0", right), (f"{shape}.0", wrong), (f"{shape}.1", wrong), ("other.0", wrong), ("", "")]
    for of_game, said in told:
        headers = {"X-Said": f"{of_game} {quote(said)}"}
        answer = table.client.post(f"{table.game}hands/preview", data=table.hand(do=None), headers=headers)
        assert right in re.sub(r"<[^>]+>", "", answer.text)
        counted.append(of(numbers(table.client.get("/metrics").text), "foretold_wrong_total"))
    assert counted == [0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("127.8.8.8", {}, 200),
        ("::1", {}, 200),
        ("192.168.1.20", {}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "192.168.1.20"}, 404),  # forwarded by a proxy on this computer
        ("127.0.0.1", {"Forwarded": "for=192.168.1.20"}, 404),
        ("127.0.0.1", {"X-Real-IP": "127.0.0.1"}, 404),
        ("", {}, 404),
    ],
)
def test_without_a_token_only_this_computer_reads_them(site, address, headers, status):
    answer = site.client.get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": address})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("sent", "status"), [("Bearer 123", 200), ("Bearer 124", 404), ("Bearer ", 404), ("Basic 123", 404), ("é", 404)]
)
def test_with_a_token_whoever_has_it_reads_them(new_app, sent, status):
    new_app.config["METRICS_TOKEN"] = 123  # a number, as parsed from the environment
    asked = {"headers": {"Authorization": sent}, "environ_base": {"REMOTE_ADDR": "203.0.113.7"}}
    assert new_app.test_client().get("/metrics", **asked).status_code == status


def test_with_a_token_this_computer_needs_it_too(new_app):
    new_app.config["METRICS_TOKEN"] = "secret"
    assert new_app.test_client().get("/metrics").status_code == 404


def test_without_the_client_library_there_are_none(make_app, database_url, monkeypatch):
    monkeypatch.setattr(views, "find_spec", lambda _name: None)
    phone = make_app(DATABASE_URL=database_url).test_client()
    assert phone.get("/healthz").status_code == 200
    assert phone.get("/metrics").status_code == 404


@pytest.mark.slow
def test_the_processes_of_a_server_add_up(tmp_path):
    """Any of two workers reports all 40 requests, even while a third one creates its files."""
    from urllib.request import urlopen

    (folder := tmp_path / "numbers").mkdir()
    with serve(tmp_path, PROMETHEUS_MULTIPROC_DIR=str(folder)) as url:
        for _ in range(40):
            urlopen(f"{url}/healthz").close()
        (folder / "counter_0.db").touch()
        found = numbers(urlopen(f"{url}/metrics").read().decode())
    assert of(found, "requests_total", route="/healthz", method="GET", status="200") == 40


def test_open_streams_are_counted(site):
    hub = hub_of(site.client.application)
    hub.still_valid = set  # no listener is disconnected
    page, server = socket.socketpair()
    page.settimeout(30)
    hub.add(Listener(server, ("game", 1), chunked=False), "0")
    assert page.recv(4096)  # the listener is registered before it receives this
    assert of(numbers(site.client.get("/metrics").text), "listeners") == 1
    hub.stop()
    assert of(numbers(site.client.get("/metrics").text), "listeners") == 0
    page.close()


def test_processes_that_ended_are_one_file_for_each_kind_of_number(new_app, tmp_path, monkeypatch):
    """So a scrape reads no more, however many have ended. 2 requests and 3 and 5; a second and two."""
    monkeypatch.setenv(views.FOLDER, str(tmp_path))
    told = {
        "counter": ("scorekeeper_requests", "scorekeeper_requests_total", {1: 2, 2: 3, 3: 5}),
        "histogram": ("scorekeeper_request_seconds", "scorekeeper_request_seconds_sum", {1: 1, 2: 2}),
    }
    for kind, (metric, name, values) in told.items():
        for process, value in values.items():
            file = MmapedDict(str(tmp_path / f"{kind}_{process}.db"))
            file.write_value(mmap_key(metric, name, ["route"], ["/"], "help"), value, 0)
            file.close()
    for process in (1, 2):
        views.forget(process)
    assert {file.stem for file in tmp_path.glob("*.db")} == {"counter_3", "counter_ended", "histogram_ended"}
    found = numbers(new_app.test_client().get("/metrics").text)
    assert of(found, "requests_total", route="/") == 10
    assert of(found, "request_seconds_sum", route="/") == 3

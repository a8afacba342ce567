"""A large file is read by a process of its own; its page says how far that is, also without a script."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest

from scorekeeper.transfer import jobs
from scorekeeper.transfer.jobs import BRING, LOOK, STOPPED, Job, JobStore, Worker
from scorekeeper.transfer.uploads import UploadStore
from tests.transfer.clubs import exported, new_club
from tests.web.site import complaints


class Bench:
    """A club that a large file is brought into; the processes are started by hand, and in this one."""

    def __init__(self, client, app, monkeypatch) -> None:
        self.client, self.app = client, app
        self.club = new_club("Empty")
        self.here = f"/c/{self.club.key}/transfers/"
        self.folder = Path(app.instance_path) / "transfers"
        self.store, self.uploads = JobStore(self.folder), UploadStore(self.folder)
        self.started: list[list[str]] = []
        monkeypatch.setattr(jobs, "LARGE", 100)
        monkeypatch.setattr(jobs, "start_process", lambda command, environment: self.started.append(command))

    def send(self, content: bytes):
        return self.client.post(f"{self.here}look", data={"file": (io.BytesIO(content), "club.jsonl")})

    def work(self, parent: int | None = None) -> None:
        token = self.started.pop()[4]
        job = self.store.find(self.club.id, token)
        assert job is not None
        worker = Worker(self.club.id, job, self.store, parent or os.getppid())
        worker.run(self.uploads, self.app.extensions["places"])


@pytest.fixture
def bench(client, app, app_context, monkeypatch):
    bench = Bench(client, app, monkeypatch)
    for left in bench.folder.glob("*"):  # by a test before, in a club of the same number
        left.unlink()
    yield bench
    bench.store.drop(bench.club.id)


def test_a_large_file_is_read_and_imported(bench, full_club_file):
    sent = bench.send(full_club_file)
    assert sent.status_code == 303
    page = bench.client.get(sent.location)
    assert "0% read" in page.text
    assert '<noscript><meta http-equiv="refresh"' in page.text
    assert sent.location in bench.client.get(bench.here).text  # who leaves the page finds it again
    bench.work()
    polled = bench.client.get(sent.location, headers={"HX-Request": "true"})
    assert (polled.status_code, polled.headers["HX-Redirect"]) == (204, sent.location)
    page = bench.client.get(sent.location)
    assert "6 new games for The »Tuesday« club, ♠." in page.text
    assert len(bench.club.games) == 0
    token = sent.location.rsplit("/", 1)[1]
    started = bench.client.post(f"{bench.here}in", data={"token": token})
    assert started.status_code == 303
    bench.work()
    done = bench.client.get(started.location)
    assert (done.status_code, done.location) == (303, bench.here)
    assert "6 new games imported into" in bench.client.get(bench.here).text
    assert exported(bench.club) == full_club_file
    assert not list(bench.folder.glob(f"{bench.club.id}.*"))
    assert bench.client.get(started.location).status_code == 404


def test_a_bad_line(bench, full_club_file):
    sent = bench.send(full_club_file.replace(b'"bid":2', b'"bid":9'))
    bench.work()
    page = bench.client.get(sent.location)
    assert page.status_code == 422
    assert complaints(page)[0].startswith("Nothing was changed. Line 12, hands")
    assert not list(bench.folder.glob(f"{bench.club.id}.*"))


def test_one_file_a_club_and_some_a_server(bench, full_club_file, monkeypatch):
    assert bench.send(full_club_file).status_code == 303
    again = bench.send(full_club_file)
    assert (again.status_code, complaints(again)) == (
        422, ["Other large files are being read. Nothing was changed. Try again in a few minutes."],
    )  # fmt: skip
    assert len(bench.started) == 1
    assert len(list(bench.folder.glob(f"{bench.club.id}.*.jsonl"))) == 1
    monkeypatch.setattr(jobs, "MOST_JOBS", 1)
    other = f"/c/{new_club('Other').key}/transfers/look"
    sent = bench.client.post(other, data={"file": (io.BytesIO(full_club_file), "club.jsonl")})
    assert sent.status_code == 422


def test_canceled(bench, full_club_file, monkeypatch):
    monkeypatch.setattr(jobs, "BEAT", 0.01)
    sent = bench.send(full_club_file)
    asked = bench.client.post(f"{sent.location}/cancel")
    assert (asked.status_code, asked.location) == (303, sent.location)
    assert "Canceling. Nothing will be changed." in bench.client.get(sent.location).text
    take = bench.app.extensions["places"].take(bench.club.key)  # somebody else's file is read, so it waits
    bench.work()
    take()
    assert bench.client.get(sent.location).location == bench.here
    assert "Canceled. Nothing was changed." in bench.client.get(bench.here).text


@pytest.mark.parametrize(("what", "said"), [(LOOK, "Choose the file again."), (BRING, "Preview the file again: what")])
def test_the_server_was_restarted(bench, what, said):
    bench.folder.mkdir(exist_ok=True)
    bench.store.write(bench.club.id, Job("t", what, "club.jsonl", 1000, at=time.time() - 31))
    page = bench.client.get(f"{bench.here}file/t")
    assert page.status_code == 422
    assert said in complaints(page)[0]


def test_the_worker_that_started_it_stops(bench, full_club_file, monkeypatch):
    monkeypatch.setattr(jobs, "BEAT", 0.01)
    bench.send(full_club_file)
    take = bench.app.extensions["places"].take(bench.club.key)
    bench.work(parent=1 if os.getppid() != 1 else 2)
    take()
    job = bench.store.find(bench.club.id)
    assert job is not None
    assert job.state == STOPPED


def test_nothing_of_another_club(bench, full_club_file):
    sent = bench.send(full_club_file)
    other = sent.location.replace(bench.club.key, new_club("Other").key)
    assert bench.client.get(other).status_code == 404
    bench.client.post(f"{other}/cancel")
    assert not bench.store.is_canceled(bench.club.id)


@pytest.mark.slow
def test_as_a_process(bench, full_club_file, monkeypatch):
    """It gives way to everybody else on a busy machine, so the test waits for its end, not for some seconds."""
    monkeypatch.undo()
    monkeypatch.setattr(jobs, "LARGE", 100)
    begun, start = [], jobs.start_process
    monkeypatch.setattr(jobs, "start_process", lambda *given: begun.append(start(*given)))
    sent = bench.send(full_club_file)
    assert [process.wait(300) for process in begun] == [0]
    assert "6 new games for" in bench.client.get(sent.location).text

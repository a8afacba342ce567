"""The package as installed: a wheel in an empty virtual environment, started by its command."""

import re
import subprocess
import sys
import urllib.error
import urllib.request
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import ROOT, serve

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # Without isolation: the build backend is a test dependency.
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("setback_scorekeeper-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """Path of the command folder of a new virtual environment with only the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=True)
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([commands / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
    return commands


def fetch(url: str) -> tuple[int, str, str]:
    """Return status, content type and text of a URL."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Content-Type"], error.read().decode(errors="replace")


def test_the_wheel_holds_all_that_is_not_python(wheel):
    names = set(ZipFile(wheel).namelist())
    for folder, suffixes in (("templates", {".html"}), ("static", {".css", ".js"}), ("scorekeeper", {".toml", ".py"})):
        files = [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
        assert {path.suffix for path in files} == suffixes
        place = ROOT / folder if folder == "scorekeeper" else ROOT
        assert {f"scorekeeper/{path.relative_to(place).as_posix()}" for path in files} <= names
    assert {"scorekeeper/database/migrations/alembic.ini", "scorekeeper/database/migrations/env.py"} <= names
    assert not {name for name in names if name.startswith(("tests/", "templates/", "static/", "instance/"))}


def test_an_installed_program_serves_its_pages_with_their_stylesheet(installed, tmp_path, monkeypatch):
    monkeypatch.delenv("SCOREKEEPER_STATIC_COPIES")  # so it creates its own
    with serve(tmp_path, (str(installed / "scorekeeper"),)) as url:
        status, kind, page = fetch(url + "/")
        assert (status, kind) == (200, "text/html; charset=utf-8")
        linked = re.findall(r'(?:href|src|data-local)="(/static/[^"]+)"', page)
        assert {Path(name).suffix for name in linked} >= {".css", ".js"}
        for name in linked:
            status, _, text = fetch(url + name)
            assert (status, len(text) > 50) == (200, True), name
    assert {path.name for path in tmp_path.iterdir()} >= {"scorekeeper.sqlite", "secret_key", "static"}


def test_the_distribution_has_a_name_of_its_own_and_the_command_keeps_its_name(installed):
    name = "import importlib.metadata as m; d = m.distribution('setback-scorekeeper'); print(*d.entry_points.names)"
    found = subprocess.run([installed / "python", "-c", name], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["scorekeeper"]


def test_an_installed_program_scores(installed, tmp_path):
    (tmp_path / "game.json").write_text('{"format": "setback-game/1", "rules": "classic", "hands": []}')
    command = [installed / "scorekeeper", "score", "game.json"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert '"totals":{"A":0,"B":0}' in answer.stdout.replace(" ", "")

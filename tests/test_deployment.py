"""The container image, its Compose files and the systemd unit: parsed, checked, and run where possible."""

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from scorekeeper.serving import serve
from tests.conftest import ROOT, free_port, wait_for

Step = tuple[str, str]


def steps(text: str | None = None) -> list[Step]:
    """Return the Dockerfile's instructions with their arguments, with continued lines joined."""
    text = text or (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines if line.strip()]


def of(name: str) -> list[str]:
    return [argument for step, argument in steps() if step == name]


def command(argument: str) -> list[str]:
    """Parse the exec form of CMD or HEALTHCHECK."""
    return list(json.loads(argument[argument.index("[") :]))


def test_the_server_is_not_root_and_keeps_its_data_in_a_volume():
    """USER precedes CMD; the user id is fixed, so that the volume's owner is the same in all images."""
    assert of("USER") == ["scorekeeper"]
    assert [name for name, _ in steps()].index("USER") < [name for name, _ in steps()].index("CMD")
    assert any("useradd --system --uid 10001" in run for run in of("RUN"))
    assert of("VOLUME") == ["/data"]
    assert any("SCOREKEEPER_INSTANCE=/data" in env for env in of("ENV"))


def test_its_health_is_asked_where_it_listens():
    (health,), (cmd,), (port,) = of("HEALTHCHECK"), of("CMD"), of("EXPOSE")
    assert f"http://127.0.0.1:{port}/healthz" in command(health)[2]
    assert command(cmd) == ["scorekeeper", "run", "--host", "0.0.0.0", "--port", port]


def test_everything_that_is_copied_is_there_and_is_not_kept_out():
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {word.rstrip("/") for copy in of("COPY") if "--from" not in copy for word in copy.split()[:-1]}
    assert copied == kept
    assert all((ROOT / name).exists() for name in copied)


def test_pg_dump_is_as_new_as_the_server():
    """Debian trixie has PostgreSQL 17."""
    assert {base.split()[0] for base in of("FROM")} == {"python:3.13-slim-trixie"}
    assert compose("compose.postgres.yaml")["services"]["postgres"]["image"] == "postgres:17"


class Image:
    """The result of the Dockerfile in a folder, with /opt/scorekeeper, /source and /data as its subfolders.

    Steps that change the system (packages, users) are skipped.
    """

    def __init__(self, folder: Path) -> None:
        self.inside = {name: folder / name.lstrip("/") for name in ("/opt/scorekeeper", "/source", "/data")}
        for path in self.inside.values():
            path.mkdir(parents=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SCOREKEEPER_", "PYTHON"))}
        self.environment = kept | {"PATH": f"{Path(sys.executable).parent}:{kept['PATH']}"}

    def here(self, text: str) -> str:
        for name, path in self.inside.items():
            text = text.replace(name, str(path))
        return text

    def build(self) -> None:
        self._copy()
        runs = [run for run in of("RUN") if not run.startswith(("apt-get ", "useradd "))]
        assert len(runs) == len(of("RUN")) - 2
        for run in runs:
            self.run(["sh", "-ec", self.here(run)], cwd=self.inside["/source"], check=True)
        for name, value in (pair.split("=", 1) for env in of("ENV") for pair in shlex.split(env)):
            self.environment[name] = self.here(value).replace("$PATH", self.environment["PATH"])

    def _copy(self) -> None:
        for name in (word for copy in of("COPY") if "--from" not in copy for word in copy.split()[:-1]):
            source, to = ROOT / name, self.inside["/source"] / Path(name).name
            if source.is_dir():  # other processes may be writing bytecode, which .dockerignore excludes
                shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, to)

    def run(self, words: list[str], **how: Any) -> int:
        return subprocess.run(words, env=self.environment, **how).returncode


@pytest.mark.slow
def test_the_steps_of_the_image_make_a_server_that_answers(tmp_path):
    """Pages are served, the health check passes while the server runs, and only /data is written to."""
    image, port = Image(tmp_path), str(free_port())
    image.build()
    data, program = image.inside["/data"], image.inside["/opt/scorekeeper"]
    cmd, health = ([word.replace("8000", port) for word in command(of(name)[0])] for name in ("CMD", "HEALTHCHECK"))
    before = files(program)
    with subprocess.Popen(cmd, cwd=data, env=image.environment) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/healthz", server)
            answers = [urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}") for page in ("", "readyz", "metrics")]
            assert [answer.status for answer in answers] == [200, 200, 200]
            assert "Club name" in answers[0].read().decode()
            assert image.run(health) == 0
        finally:
            server.terminate()
            assert server.wait(60) == 0
    assert image.run(health, stderr=subprocess.DEVNULL) != 0
    assert files(program) == before
    assert (data / "scorekeeper.sqlite").is_file()


def files(folder: Path) -> dict[str, float]:
    """Return modification times by path."""
    return {str(path): path.stat().st_mtime for path in folder.rglob("*") if path.is_file()}


FILES = [["compose.yaml"], ["compose.yaml", "compose.postgres.yaml"]]


def compose(name: str) -> dict:
    return dict(yaml.safe_load((ROOT / name).read_text(encoding="utf-8")))


def has_compose() -> bool:
    return bool(shutil.which("docker")) and (
        subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.skipif(not has_compose(), reason="Docker Compose is not installed")
@pytest.mark.parametrize("names", FILES, ids=len)
def test_docker_compose_finds_nothing_wrong(names):
    given = [word for name in names for word in ("--file", str(ROOT / name))]
    environment = os.environ | {"POSTGRES_PASSWORD": "secret"}
    said = subprocess.run(
        ["docker", "compose", *given, "config"], env=environment, capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr


def test_the_container_is_read_only_but_for_its_volume_and_temporary_files():
    service = compose("compose.yaml")["services"]["scorekeeper"]
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service["volumes"] == [f"instance:{of('VOLUME')[0]}"]
    assert service["ports"] == ["${PORT:-8000}:" + of("EXPOSE")[0]]


@pytest.mark.parametrize("names", FILES, ids=len)
def test_every_volume_is_declared_and_every_dependency_has_a_health_check(names):
    read = [compose(name) for name in names]
    services = {name: service for each in read for name, service in each["services"].items()}
    declared = {name for each in read for name in each["volumes"]}
    used = {volume.split(":")[0] for each in read for s in each["services"].values() for volume in s.get("volumes", ())}
    assert used == declared
    for service in services.values():
        for name, wanted in service.get("depends_on", {}).items():
            assert wanted == {"condition": "service_healthy"}
            assert services[name]["healthcheck"]["test"][0] == "CMD"


def test_the_password_of_postgresql_is_in_no_file():
    services = compose("compose.postgres.yaml")["services"]
    asked = "${POSTGRES_PASSWORD:?Put POSTGRES_PASSWORD into .env}"
    assert services["postgres"]["environment"]["POSTGRES_PASSWORD"] == asked
    assert services["scorekeeper"]["environment"]["PGPASSWORD"] == asked
    assert ":" not in services["scorekeeper"]["environment"]["SCOREKEEPER_DATABASE_URL"].partition("//")[2]
    assert ".env" in (ROOT / ".gitignore").read_text().split()


def test_a_server_that_is_told_to_stop_has_time_for_it():
    """The stop timeouts allow for the grace period and the exit of the processes."""
    assert compose("compose.yaml")["services"]["scorekeeper"]["stop_grace_period"] == "15s"
    assert unit()["Service"]["TimeoutStopSec"] == "15"
    assert serve.SHUTDOWN_SECONDS + 5 <= 15


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(ROOT / "docs" / "scorekeeper.service", encoding="utf-8")
    return parser


def test_the_service_runs_the_command_in_its_own_folder():
    service = unit()["Service"]
    words = shlex.split(service["ExecStart"])
    assert Path(words[0]).name == "scorekeeper"
    assert words[1:] == ["run", "--host", "127.0.0.1", "--port", "8000"]
    text = (ROOT / "docs" / "scorekeeper.service").read_text()
    assert f"Environment=SCOREKEEPER_INSTANCE=/var/lib/{service['StateDirectory']}\n" in text
    assert (service["DynamicUser"], service["ProtectSystem"]) == ("yes", "strict")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_nothing_wrong(tmp_path):
    text = (ROOT / "docs" / "scorekeeper.service").read_text()
    (tmp_path / "scorekeeper.service").write_text(text.replace("/opt/scorekeeper/bin/scorekeeper", "/bin/true"))
    check = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "scorekeeper.service")]
    said = subprocess.run(check, capture_output=True, text=True, check=False)
    ours = [line for line in said.stderr.splitlines() if "scorekeeper.service" in line]
    assert ours == []

"""The application factory, its settings and the command line."""

import gc
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest
from flask import Flask

from scorekeeper import cli, config, create_app
from scorekeeper.database.session import database_url as spelled
from tests.conftest import SCOREKEEPER, environment, free_port, mostly_slow

STATIC = config.bundled("static")


def test_settings_come_from_defaults_then_instance_then_environment_then_caller(tmp_path, monkeypatch, static_copies):
    (tmp_path / "settings.py").write_text("HTTPS_NAMES = 'file'\nHTMX_CDN = 'file'\nHTMX_INTEGRITY = 'file'\n")
    monkeypatch.setenv("SCOREKEEPER_HTMX_CDN", "environment")
    monkeypatch.setenv("SCOREKEEPER_HTMX_INTEGRITY", "environment")
    app = create_app({"INSTANCE": tmp_path, "HTMX_INTEGRITY": "caller", "STATIC_COPIES": static_copies})
    chosen = [app.config[name] for name in ("HTTPS_NAMES", "HTMX_CDN", "HTMX_INTEGRITY")]
    assert chosen == ["file", "environment", "caller"]
    assert app.config["SESSION_COOKIE_SAMESITE"] == "Strict"


@pytest.mark.parametrize(
    ("written", "on"),
    [("1", True), ("true", True), ("yes", True), ("0", False), ("False", False), ("off", False), ("", False)],
)
def test_a_flag_may_be_written_as_people_write_it(written, on, tmp_path, monkeypatch, static_copies):
    for name in ("HTMX_LOCAL", "SESSION_COOKIE_HTTPONLY", "SESSION_REFRESH_EACH_REQUEST"):
        monkeypatch.setenv(f"SCOREKEEPER_{name}", written)
    found = create_app({"INSTANCE": tmp_path, "STATIC_COPIES": static_copies}).config
    assert found["HTMX_LOCAL"] is found["SESSION_COOKIE_HTTPONLY"] is found["SESSION_REFRESH_EACH_REQUEST"] is on


STRICT, PROXY = "Write Strict or Lax or None.", "Write one IP address, such as 127.0.0.1."
LIMITS = ("BACKUPS_KEPT", "MAX_CONTENT_LENGTH", "MAX_FORM_MEMORY_SIZE", "TRANSFER_LIMIT")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        *((name, "64MB", f"SCOREKEEPER_{name} is 64MB. Write a whole number, such as {config.DEFAULTS[name]}.")
          for name in LIMITS),
        ("SESSION_COOKIE_SAMESITE", "loose", f"SCOREKEEPER_SESSION_COOKIE_SAMESITE is loose. {STRICT}"),
        ("SESSION_COOKIE_SAMESITE", "", f"SCOREKEEPER_SESSION_COOKIE_SAMESITE is empty. {STRICT}"),
        ("LOG_FORMAT", "xml", "SCOREKEEPER_LOG_FORMAT is xml. Write text or json."),
        ("TRUSTED_PROXY", "nginx", f"SCOREKEEPER_TRUSTED_PROXY is nginx. {PROXY}"),
        ("TRUSTED_PROXY", "*", f"SCOREKEEPER_TRUSTED_PROXY is *. {PROXY}"),
        ("HTMX_FILE", "vendor/htmx.js",
         f"There is no file {STATIC / 'vendor/htmx.js'}. Correct SCOREKEEPER_HTMX_FILE."),
        ("HTMX_FILE", "", f"There is no file {STATIC}. Correct SCOREKEEPER_HTMX_FILE."),
    ],
)  # fmt: skip
def test_a_setting_that_would_fail_later_is_one_sentence(name, value, sentence, tmp_path, monkeypatch, capsys):
    """Otherwise a worker would fail to start, or a page would fail when it is first needed."""
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setenv(f"SCOREKEEPER_{name}", value)
    assert cli.main(["migrate"]) == 1
    assert capsys.readouterr() == ("", f"{sentence}\n")


@pytest.mark.parametrize("written", ["lax", "LAX", "Lax"])
def test_same_site_may_be_written_in_any_case(written, make_app):
    assert make_app(SESSION_COOKIE_SAMESITE=written).config["SESSION_COOKIE_SAMESITE"] == "Lax"


def test_a_missing_driver_is_named_with_the_extra_that_has_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "psycopg", None)  # as if not installed
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", "postgresql://ann@127.0.0.1/cards")
    assert cli.main(["migrate"]) == 1
    missing = "DATABASE_URL needs the Python package psycopg, which is not installed."
    assert capsys.readouterr() == ("", f"{missing} For PostgreSQL: pip install 'setback-scorekeeper[postgres]'.\n")


def refusal_of_a_server(folder, **settings):
    """What a server with these settings prints before it stops."""
    line = [*SCOREKEEPER, "run", "--host", "127.0.0.1", "--port", str(free_port())]
    done = subprocess.run(line, env=environment(folder, **settings), capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


@pytest.mark.parametrize(
    ("name", "nearest"), mostly_slow([("WORKER", "WORKERS"), ("DATABASE", "DATABASE_URL"), ("HTTPS", "HTTPS_NAMES")])
)
def test_a_setting_that_there_is_not_stops_the_server_with_the_nearest_one(name, nearest, tmp_path):
    said = refusal_of_a_server(tmp_path, **{f"SCOREKEEPER_{name}": "1"})
    assert said == f"There is no setting SCOREKEEPER_{name}. Did you mean SCOREKEEPER_{nearest}?\n"


def test_a_folder_for_backups_that_cannot_be_written_stops_the_server(tmp_path):
    (tmp_path / "full").touch()
    said = refusal_of_a_server(tmp_path / "instance", SCOREKEEPER_BACKUP_FOLDER=str(tmp_path / "full"))
    way_out = "Correct SCOREKEEPER_BACKUP_FOLDER, or set SCOREKEEPER_BACKUPS_KEPT to 0 for no backups.\n"
    assert said == f"Can't write backups to {tmp_path / 'full'}: File exists. {way_out}"


def test_a_number_may_be_left_empty_and_a_time_is_in_seconds(tmp_path, monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_TRANSFER_LIMIT", "")
    monkeypatch.setenv("SCOREKEEPER_PERMANENT_SESSION_LIFETIME", "3600")
    app = Flask("test", instance_path=str(tmp_path), static_folder=str(STATIC))
    config.configure(app, {"SECRET_KEY": "x"})
    assert (app.config["TRANSFER_LIMIT"], app.config["WTF_CSRF_TIME_LIMIT"]) == (64_000_000, None)
    assert app.permanent_session_lifetime == timedelta(hours=1)


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgres://ann@db/cards", "postgresql+psycopg://ann@db/cards"),
        ("postgresql://ann@db/cards?sslmode=require", "postgresql+psycopg://ann@db/cards?sslmode=require"),
        ("postgresql+psycopg://ann@db/cards", "postgresql+psycopg://ann@db/cards"),
        ("sqlite:////tmp/cards.sqlite", "sqlite:////tmp/cards.sqlite"),
    ],
)
def test_a_database_url_leads_to_the_driver_in_use(given, used):
    assert spelled(given) == used


def test_the_database_lies_in_the_instance_folder_unless_a_setting_chooses_another(tmp_path, monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", f"sqlite:///{tmp_path / 'elsewhere.sqlite'}")
    assert cli.main(["migrate"]) == 0
    assert (tmp_path / "elsewhere.sqlite").exists()
    assert not (tmp_path / "scorekeeper.sqlite").exists()
    monkeypatch.delenv("SCOREKEEPER_DATABASE_URL")
    assert cli.main(["migrate"]) == 0
    assert (tmp_path / "scorekeeper.sqlite").exists()


def test_an_installed_program_keeps_its_data_outside_its_own_folder_and_the_source_tree_inside(tmp_path, monkeypatch):
    monkeypatch.delenv("SCOREKEEPER_INSTANCE", raising=False)
    assert config.instance_folder() == Path(__file__).parent.parent / "instance"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(config, "PACKAGE", tmp_path / "venv" / "site-packages" / "scorekeeper")
    monkeypatch.setattr(config.sys, "platform", "linux")
    assert config.instance_folder() == tmp_path / "home" / "scorekeeper"


def test_the_secret_key_is_kept_for_its_owner_alone(tmp_path):
    key = config.secret_key(tmp_path)
    assert len(key) >= 60
    assert config.secret_key(tmp_path) == key
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


@pytest.mark.parametrize("attempt", range(5))
def test_workers_that_start_at_once_share_one_secret_key(tmp_path, attempt):
    start = Barrier(8)

    def worker(_number):
        start.wait()
        return config.secret_key(tmp_path)

    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(worker, range(8)))
    assert len(keys) == 1
    assert "" not in keys


def test_the_secret_key_is_kept_where_there_are_no_hard_links(tmp_path, monkeypatch):
    def refuse(*_names):
        raise PermissionError("no hard links here")

    monkeypatch.setattr(config.os, "link", refuse)
    assert config.secret_key(tmp_path) == config.secret_key(tmp_path) != ""


def test_the_command_says_how_it_is_used(capsys):
    assert cli.main(["--help"]) == 0
    assert "usage: scorekeeper" in capsys.readouterr().out
    assert cli.main([]) == 0


@pytest.mark.parametrize("arguments", [["deal"], ["migrate", "now"]])
def test_a_command_that_is_none_is_refused(arguments, capsys):
    assert cli.main(arguments) == 2
    assert "usage: scorekeeper" in capsys.readouterr().err


def test_garbage_is_looked_for_again_once_a_command_is_loaded():
    with cli._without_collection():
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.unfreeze()
    with suppress(ImportError), cli._without_collection():
        raise ImportError
    assert gc.isenabled()

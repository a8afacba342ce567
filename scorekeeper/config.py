"""Paths and settings of the program."""

from __future__ import annotations

import difflib
import os
import secrets
import sys
import tempfile
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flask import Flask

PACKAGE = Path(__file__).parent
HTMX_VERSION = "4.0.1"
THREADS = 4  # per server process

# Every setting can be given in the instance folder's settings.py, or in the
# environment with SCOREKEEPER_ in front of its name.
DEFAULTS: dict[str, Any] = {
    "DATABASE_URL": "sqlite:///scorekeeper.sqlite",  # relative to the instance folder
    "WORKERS": 2,  # server processes
    "BACKUP_FOLDER": "backups",  # relative to the instance folder
    "BACKUPS_KEPT": 14,  # 0: no automatic backups, and none are deleted
    "HTMX_LOCAL": False,  # serve htmx from this server instead of the CDN
    "HTMX_CDN": f"https://cdn.jsdelivr.net/npm/htmx.org@{HTMX_VERSION}/dist/htmx.min.js",
    "HTMX_INTEGRITY": "sha384-Qp9rdC8H7EqOoX+nR0P3RPG2Noji+qdwJlGpfzwQJsfOpp3sGwIdSP9xO3+UlEhn",
    "HTMX_FILE": f"vendor/htmx-{HTMX_VERSION}.min.js",
    "STATIC_COPIES": "static",  # folder of the compressed static files, relative to the instance folder
    "MAX_CONTENT_LENGTH": 1_000_000,
    "MAX_FORM_MEMORY_SIZE": 500_000,
    "TRANSFER_LIMIT": 64_000_000,  # the largest club file that a browser may send, in bytes
    # IP address of the one reverse proxy (nginx, Caddy) whose forwarded headers are trusted; empty: none.
    "TRUSTED_PROXY": "",
    "HTTPS_NAMES": "",  # additional names and addresses for the certificate of `scorekeeper run --https`
    # Rate limits per address for actions outside ordinary play; each may be empty. Sized for a hall of 50 tables and
    # 200 phones:
    "THROTTLE_CLUBS": "60 per hour",  # one club for the hall, or one for each table
    "THROTTLE_KEYS": "60 per hour",  # different wrong links: some people type theirs
    "THROTTLE_UPLOADS": "60 per hour",  # club files, uploaded for a preview until one is right
    "LOG_FORMAT": "text",  # or json: one object per line
    "LOG_REQUESTS": False,  # also log every request
    "METRICS_TOKEN": "",  # bearer token for /metrics; empty: /metrics is for local requests only
    "SESSION_COOKIE_NAME": "scorekeeper",
    "SESSION_COOKIE_SAMESITE": "Strict",
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SECURE": False,  # set automatically for requests over HTTPS
    "SESSION_REFRESH_EACH_REQUEST": False,
    "PERMANENT_SESSION_LIFETIME": timedelta(days=400),  # the longest cookie lifetime that browsers allow
    # A page may stay open all evening: its forms are valid for as long as the session.
    "WTF_CSRF_TIME_LIMIT": None,
}
FLAGS = tuple(name for name, value in DEFAULTS.items() if isinstance(value, bool))
NUMBERS = (
    "BACKUPS_KEPT", "MAX_CONTENT_LENGTH", "MAX_FORM_MEMORY_SIZE", "TRANSFER_LIMIT", "PERMANENT_SESSION_LIFETIME",
    "WTF_CSRF_TIME_LIMIT",
)  # fmt: skip
CHOICES = {"LOG_FORMAT": ("text", "json"), "SESSION_COOKIE_SAMESITE": ("Strict", "Lax", "None")}
PREFIX = "SCOREKEEPER_"
# Environment variables that are valid but have no default here.
OTHER_VARIABLES = ("INSTANCE", "SECRET_KEY")


class SettingProblem(Exception):
    """A setting with an invalid value; the message says what is wrong and how to write it."""


def bundled(name: str) -> Path:
    """Return the folder `name`: inside the package if installed from a wheel, else beside the package."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def instance_folder(config: Mapping[str, Any] | None = None) -> Path:
    """Return the folder of the database, the secret key and the local settings."""
    chosen = (config or {}).get("INSTANCE") or os.environ.get("SCOREKEEPER_INSTANCE")
    if chosen:
        return Path(chosen).expanduser().resolve()
    if (PACKAGE.parent / "pyproject.toml").is_file():
        return PACKAGE.parent / "instance"
    # Installed: a folder inside the virtual environment would be deleted with it.
    if sys.platform == "win32":
        data = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "scorekeeper"


def configure(app: Flask, config: Mapping[str, Any] | None) -> None:
    """Fill `app.config` from the defaults, the instance folder's settings.py, the environment and `config`, in order.

    Raises SettingProblem.
    """
    instance = Path(app.instance_path)
    instance.mkdir(parents=True, exist_ok=True)
    app.config.from_mapping(DEFAULTS)
    app.config.from_pyfile(str(instance / "settings.py"), silent=True)
    app.config.from_prefixed_env("SCOREKEEPER")
    app.config.from_mapping(config or {})
    for name in FLAGS:
        app.config[name] = is_on(app.config[name])
    for name in NUMBERS:
        app.config[name] = number(name, app.config[name])
    if not app.config["SECRET_KEY"]:
        app.config["SECRET_KEY"] = secret_key(instance)
    app.config["SECRET_KEY"] = str(app.config["SECRET_KEY"])
    check(app)


def check(app: Flask) -> None:
    """Raise SettingProblem for an invalid value that would otherwise fail only while people play."""
    for name, choices in CHOICES.items():
        value = app.config[name]
        chosen = next((choice for choice in choices if choice.lower() == str(value).lower()), None)
        if chosen is None:
            raise SettingProblem(f"{PREFIX}{name} is {value or 'empty'}. Write {' or '.join(choices)}.")
        app.config[name] = chosen
    proxy = str(app.config["TRUSTED_PROXY"])
    try:
        if proxy:
            ip_address(proxy)
    except ValueError:
        raise SettingProblem(f"{PREFIX}TRUSTED_PROXY is {proxy}. Write one IP address, such as 127.0.0.1.") from None
    htmx = bundled("static") / str(app.config["HTMX_FILE"])
    if not htmx.is_file():
        raise SettingProblem(f"There is no file {htmx}. Correct {PREFIX}HTMX_FILE.")


def check_names(names: Iterable[str]) -> None:
    """Raise SettingProblem for the first environment variable in `names` with our prefix that is no setting."""
    known = [PREFIX + name for name in (*DEFAULTS, *OTHER_VARIABLES)]
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in known:
            nearest = difflib.get_close_matches(name, known, 1, 0)[0]
            raise SettingProblem(f"There is no setting {name}. Did you mean {nearest}?")


def is_on(value: object) -> bool:
    """Parse a flag as written in the environment."""
    return str(value).strip().lower() not in ("", "0", "false", "no", "off", "none")


def number(name: str, value: object) -> object:
    """Parse the numeric setting `name`; an empty value means its default. Raises SettingProblem."""
    default = DEFAULTS[name]
    if value == "":
        return default
    if value == default or isinstance(value, timedelta):
        return value
    text = str(value)
    if not text.isascii() or not text.isdecimal():
        example = default if isinstance(default, int) else 86400  # one day, in seconds
        raise SettingProblem(f"SCOREKEEPER_{name} is {text}. Write a whole number, such as {example}.")
    return int(text)


def secret_key(instance: Path) -> str:
    """Return the key that signs cookies, created on first use and stored in `instance`."""
    kept = instance / "secret_key"
    if not kept.exists():
        _write_once(kept, secrets.token_urlsafe(48))
    return kept.read_text(encoding="ascii").strip()


def _write_once(path: Path, text: str) -> None:
    """Write `text` to `path` atomically, unless another process has created it first."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mkstemp: readable by the owner only
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text)
    made = Path(name)
    try:
        os.link(made, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)

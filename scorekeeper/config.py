"""Where the program finds its files and its settings."""

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
THREADS = 8  # of each process that serves

# Every setting can be given in the instance folder's settings.py, or in the
# environment with SCOREKEEPER_ in front of its name.
DEFAULTS: dict[str, Any] = {
    "DATABASE_URL": "sqlite:///scorekeeper.sqlite",  # relative to the instance folder
    "WORKERS": 2,  # processes that serve
    "BACKUP_FOLDER": "backups",  # relative to the instance folder
    "BACKUPS_KEPT": 14,  # 0: none is made automatically, and none is deleted
    "HTMX_LOCAL": False,  # serve htmx from here and leave the CDN alone
    "HTMX_CDN": f"https://cdn.jsdelivr.net/npm/htmx.org@{HTMX_VERSION}/dist/htmx.min.js",
    "HTMX_INTEGRITY": "sha384-Qp9rdC8H7EqOoX+nR0P3RPG2Noji+qdwJlGpfzwQJsfOpp3sGwIdSP9xO3+UlEhn",
    "HTMX_FILE": f"vendor/htmx-{HTMX_VERSION}.min.js",
    "STATIC_COPIES": "static",  # where the compressed static files are kept, relative to the instance folder
    "MAX_CONTENT_LENGTH": 1_000_000,
    "MAX_FORM_MEMORY_SIZE": 500_000,
    "TRANSFER_LIMIT": 64_000_000,  # the largest club file that a browser may send, in bytes
    # The one address whose word is taken for who asks and whether by https, such as that of nginx or Caddy: nobody's.
    "TRUSTED_PROXY": "",
    "HTTPS_NAMES": "",  # more names and addresses for the certificate of `scorekeeper run --https`
    # How often one address may do what ordinary play does not need; each may be empty. A hall of 50 tables, 200 phones:
    "THROTTLE_CLUBS": "60 per hour",  # one club, or one each
    "THROTTLE_KEYS": "60 per hour",  # different wrong links: some who type theirs
    "THROTTLE_UPLOADS": "60 per hour",  # club files, previewed until one is right
    "LOG_FORMAT": "text",  # or json: an object a line
    "LOG_REQUESTS": False,  # a line for every request, too
    "METRICS_TOKEN": "",  # whoever sends it may read /metrics; where it is empty, only this computer may
    "SESSION_COOKIE_NAME": "scorekeeper",
    "SESSION_COOKIE_SAMESITE": "Strict",
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SECURE": False,  # on by itself where a request came by HTTPS
    "SESSION_REFRESH_EACH_REQUEST": False,
    "PERMANENT_SESSION_LIFETIME": timedelta(days=400),  # the longest that browsers keep a cookie
    # A page may lie on the table all evening: its forms are good for as long as the session is.
    "WTF_CSRF_TIME_LIMIT": None,
}
FLAGS = tuple(name for name, value in DEFAULTS.items() if isinstance(value, bool))
NUMBERS = (
    "BACKUPS_KEPT", "MAX_CONTENT_LENGTH", "MAX_FORM_MEMORY_SIZE", "TRANSFER_LIMIT", "PERMANENT_SESSION_LIFETIME",
    "WTF_CSRF_TIME_LIMIT",
)  # fmt: skip
CHOICES = {"LOG_FORMAT": ("text", "json"), "SESSION_COOKIE_SAMESITE": ("Strict", "Lax", "None")}
PREFIX = "SCOREKEEPER_"
# Settings of the environment without a default here.
OTHERS = ("INSTANCE", "SECRET_KEY")


class SettingProblem(Exception):
    """A setting that nothing can be done with: what is wrong with it, and how to write it."""


def bundled(name: str) -> Path:
    """The folder `name`: inside the package where a wheel has put it, else beside the package."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def instance_folder(config: Mapping[str, Any] | None = None) -> Path:
    """The folder of the database, the secret key and the local settings."""
    chosen = (config or {}).get("INSTANCE") or os.environ.get("SCOREKEEPER_INSTANCE")
    if chosen:
        return Path(chosen).expanduser().resolve()
    if (PACKAGE.parent / "pyproject.toml").is_file():
        return PACKAGE.parent / "instance"
    # Installed: a folder inside the virtual environment would die with it.
    if sys.platform == "win32":
        data = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "scorekeeper"


def configure(app: Flask, config: Mapping[str, Any] | None) -> None:
    """Fill `app.config`: defaults, the instance folder's settings.py, the environment, `config`.

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
    """Raise SettingProblem for a setting whose value would only fail later, while people play."""
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
    htmx = Path(str(app.static_folder), str(app.config["HTMX_FILE"]))
    if not htmx.is_file():
        raise SettingProblem(f"There is no file {htmx}. Correct {PREFIX}HTMX_FILE.")


def check_names(names: Iterable[str]) -> None:
    """Raise SettingProblem for the first environment variable that begins as a setting does and is none."""
    known = [PREFIX + name for name in (*DEFAULTS, *OTHERS)]
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in known:
            nearest = difflib.get_close_matches(name, known, 1, 0)[0]
            raise SettingProblem(f"There is no setting {name}. Did you mean {nearest}?")


def is_on(value: object) -> bool:
    """Whether a flag is on, however it was written in the environment."""
    return str(value).strip().lower() not in ("", "0", "false", "no", "off", "none")


def number(name: str, value: object) -> object:
    """A setting that is a number, however it was written; left empty, its default. Raises SettingProblem."""
    default = DEFAULTS[name]
    if value == "":
        return default
    if value == default or isinstance(value, timedelta):
        return value
    text = str(value)
    if not text.isascii() or not text.isdecimal():
        example = default if isinstance(default, int) else 86400  # a day, in seconds
        raise SettingProblem(f"SCOREKEEPER_{name} is {text}. Write a whole number, such as {example}.")
    return int(text)


def secret_key(instance: Path) -> str:
    """The key that signs the cookies, made once and kept in `instance`."""
    kept = instance / "secret_key"
    if not kept.exists():
        _keep(kept, secrets.token_urlsafe(48))
    return kept.read_text(encoding="ascii").strip()


def _keep(path: Path, text: str) -> None:
    """Write `text` to `path` unless another process was quicker; nobody sees a half-written file."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mkstemp: for the owner alone
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

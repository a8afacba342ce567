"""Who starts too many clubs, tries too many links or sends too many files is asked to wait; who plays never is.

An address is what a home or a hall shares, so the limits are far above a club night's needs, a phone that has been to a
club before goes on whatever others at its address do, and this computer itself is never stopped.
"""

from __future__ import annotations

import math
import secrets
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import current_app, g, request
from werkzeug.exceptions import TooManyRequests

from scorekeeper.config import SettingProblem
from scorekeeper.database.throttle import Limit, Places, Throttle

from .numbers import counted

if TYPE_CHECKING:
    from flask import Flask

CLUBS, KEYS, UPLOADS = "THROTTLE_CLUBS", "THROTTLE_KEYS", "THROTTLE_UPLOADS"
TITLE = "Please wait"
SENTENCES = {
    CLUBS: "Too many clubs were started from your network. Try again in {wait}.",
    KEYS: "Too many wrong links were tried from your network. Try again in {wait}.",
    UPLOADS: "Too many files were sent from your network. Try again in {wait}.",
}
TAKEN = "Another file is being read. Nothing was changed. Try again in a minute."
FORWARDED = ("Forwarded", "X-Forwarded-For", "Via")  # what proxies add
UPLOAD = "transfers.preview"  # is sent a club file
TAKES_LONG = {UPLOAD, "transfers.import_file"}
PLACES = 2  # files that are read at the same time: the machine has other things to do


class PleaseWait(TooManyRequests):
    """The page that asks to wait, with a sentence of its own."""

    def __init__(self, sentence: str, seconds: int) -> None:
        super().__init__(retry_after=seconds)
        self.words = (TITLE, sentence)


def init_app(app: Flask) -> None:
    """Read the limits, and find the files in which all worker processes count. Raises SettingProblem."""
    folder = Path(app.instance_path)
    app.extensions["throttle"] = Throttle(folder / "throttle.sqlite")
    app.extensions["places"] = Places(folder / "places", PLACES)
    app.extensions["limits"] = {name: _limit(app, name) for name in SENTENCES}
    app.teardown_request(_give_turn_back)


def _limit(app: Flask, name: str) -> Limit | None:
    try:
        return Limit.parse(str(app.config[name]))
    except ValueError as error:
        raise SettingProblem(f"SCOREKEEPER_{name}: {error}") from None


def count(what: str, thing: str = "") -> None:
    """Count one more; answers 429 where it is one too many. The same `thing` counts once; without one, all differ."""
    who, limit = _address(), current_app.extensions["limits"][what]
    if who and limit:
        _refuse(what, current_app.extensions["throttle"].count(limit, what, who, thing or secrets.token_hex()))


def refuse_over(what: str) -> None:
    """Answer 429 to an address that has reached a limit."""
    who, limit = _address(), current_app.extensions["limits"][what]
    if who and limit:
        _refuse(what, current_app.extensions["throttle"].seconds_left(limit, what, who))


def _refuse(what: str, seconds: int) -> None:
    if seconds:
        raise PleaseWait(SENTENCES[what].format(wait=counted(math.ceil(seconds / 60), "minute")), seconds)


def _address() -> str | None:
    """Who asks: an address, of the long kind its first half, which is a home's. None for this computer itself.

    Whoever comes through a proxy on this computer that is not trusted is not this computer: all of them are one.
    """
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback and not any(name in request.headers for name in FORWARDED):
        return None
    return str(address) if address.version == 4 else f"{address.exploded[:19]}::/64"


# --- what takes long --------------------------------------------------------------------------------------------------


def take_turn(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Let few requests that take long be worked on at the same time, and of one club only one.

    Goes before anything reads the form: that alone may take long.
    """
    if endpoint == UPLOAD:
        count(UPLOADS)
    if endpoint in TAKES_LONG:
        g.give_turn_back = current_app.extensions["places"].take((values or {}).get("key", ""))
        if g.give_turn_back is None:
            raise PleaseWait(TAKEN, 60)


def _give_turn_back(_error: BaseException | None) -> None:
    give_back = g.pop("give_turn_back", None)
    if give_back:
        give_back()

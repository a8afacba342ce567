"""The page opened once over plain HTTP: the certificate to trust, and the steps for each system.

404 unless the server was started with --https, which sets `https` in `app.extensions`.
"""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, abort, current_app, render_template, request
from flask.typing import ResponseReturnValue

bp = Blueprint("https", __name__, url_prefix="/https")

# In page order, with patterns for the user agent. Firefox does not use every system's certificate store.
SYSTEMS = {
    "iphone": re.compile("iPhone|iPad|iPod"),
    "android": re.compile("Android(?!.*Firefox)"),
    "firefox": re.compile("(Android|Linux).*Firefox"),
    "windows": re.compile("Windows"),
    "mac": re.compile("Macintosh"),
    "chrome": re.compile("CrOS|Linux"),
}


@bp.get("")
def show() -> ResponseReturnValue:
    """Show the steps, the requesting system's first."""
    authority = _authority()
    own = system_of(request.user_agent.string)
    systems = sorted(SYSTEMS, key=lambda name: name != own)
    return render_template("https/setup.html", authority=authority, systems=systems, own=own)


@bp.get("/scorekeeper.crt")
def certificate() -> ResponseReturnValue:
    """The authority's certificate, inline: iOS saves an attachment as a file instead of installing it."""
    headers = {"Content-Disposition": "inline; filename=scorekeeper.crt", "Cache-Control": "no-store"}
    return Response(_authority().der, headers=headers, mimetype="application/x-x509-ca-cert")


def system_of(browser: str) -> str | None:
    """The system of a user agent; None if unknown. An iPad claims to be a Mac."""
    return next((name for name, words in SYSTEMS.items() if words.search(browser)), None)


def _authority() -> Any:
    https = current_app.extensions.get("https")
    if https is None:
        abort(404)
    return https.authority

"""The web app manifest, the service worker, and the page shown for content that is not stored offline.

Every page names its owner, because stored pages belong to the role they were shown to. Hands are entered offline on
`OfflinePage` (web/hand_entry/offline_page.py); `withWaiting` (static/settle.js) adds them to the score on the phone.
Later they are posted like all others: to web/hand_entry/views.py, and saved by `record_hand` in services/hands.py.
"""

from __future__ import annotations

import json
from hashlib import sha256

from flask import Blueprint, Response, jsonify, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf

from scorekeeper.config import bundled
from scorekeeper.scoring.rules import catalogue
from scorekeeper.web.common.assets import hashed_names
from scorekeeper.web.common.words import ABOUT

bp = Blueprint("offline", __name__)

LIGHT_GROUND = "#f5f0e5"
KEPT_ENDINGS = (".css", ".js", ".svg")  # static files stored by every phone
WORKER = "sw.js"  # stored by the browser itself


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """The web app manifest: name, icons and colors."""
    about = {
        "id": "/",
        "name": "Scorekeeper",
        "short_name": "Scorekeeper",
        "description": ABOUT,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": LIGHT_GROUND,
        "theme_color": LIGHT_GROUND,
        "categories": ["games", "utilities"],
        "icons": [
            {"src": _static("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
            _picture("icon-192", "192x192", purpose="any"),
            _picture("icon-512", "512x512", purpose="any"),
            _picture("maskable-192", "192x192", purpose="maskable"),
            _picture("maskable-512", "512x512", purpose="maskable"),
        ],
        "screenshots": [
            _picture("screen-hand", "585x1266", form_factor="narrow", label="Entering a hand"),
            _picture("screen-season", "585x1266", form_factor="narrow", label="A season’s standings"),
            _picture("screen-wide", "1280x800", form_factor="wide", label="All-time standings on a laptop"),
        ],
    }
    headers = {"Cache-Control": "no-cache"}
    return Response(json.dumps(about), headers=headers, mimetype="application/manifest+json")


def _picture(name: str, sizes: str, **more: str) -> dict[str, str]:
    return {"src": _static(f"icons/{name}.png"), "sizes": sizes, "type": "image/png", **more}


def _static(name: str) -> str:
    return url_for("static", filename=name)


@bp.get("/sw.js")
def worker() -> Response:
    """The service worker, served from the root for its scope; its content changes with every update.

    Starts with what it stores: the hashed static files, the page for missing content, and the rules pages.
    """
    files = [_static(name) for name in sorted(hashed_names()) if name.endswith(KEPT_ENDINGS) and name != WORKER]
    pages = ("rulebook.show", "rulebook.ask")
    rules = [url_for("rulebook.index"), *(url_for(page, rules_id=one.id) for one in catalogue() for page in pages)]
    kept = {"files": files, "unseen": url_for("offline.unseen"), "rules": rules}
    code = (bundled("static") / WORKER).read_text(encoding="utf-8")
    begins = json.dumps(kept | {"version": sha256((json.dumps(kept) + code).encode()).hexdigest()[:12]})
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"}
    return Response(f"const KEPT = {begins};\n{code}", headers=headers, mimetype="text/javascript")


@bp.get("/offline")
def unseen() -> ResponseReturnValue:
    """The page an offline phone shows for content it has not stored."""
    return render_template("offline/unseen.html")


@bp.get("/form-token")
def form_token() -> ResponseReturnValue:
    """A new CSRF token for a form queued on the phone."""
    return jsonify(csrf_token=generate_csrf()), 200, {"Cache-Control": "no-store"}

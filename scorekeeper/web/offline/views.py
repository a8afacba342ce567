"""What makes the site an app: its manifest, its service worker, and the page for what a phone has not seen yet."""

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
KEPT_ENDINGS = (".css", ".js", ".svg")  # of the static files that every phone keeps
WORKER = "sw.js"  # the browser keeps it by itself
ICONS = (("192", "any"), ("512", "any"), ("192", "maskable"), ("512", "maskable"))
# The screenshots: their form factor, size and label.
SCREENS = {
    "screen-hand": ("narrow", "585x1266", "Entering a hand"),
    "screen-season": ("narrow", "585x1266", "A season’s standings"),
    "screen-wide": ("wide", "1280x800", "All-time standings on a laptop"),
}
NO_STORE = {"Cache-Control": "no-store"}


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """The name, the icons and the colors under which a phone installs the app."""
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
            *(_icon(size, purpose) for size, purpose in ICONS),
        ],
        "screenshots": [_screen(name, *about) for name, about in SCREENS.items()],
    }
    headers = {"Cache-Control": "no-cache"}
    return Response(json.dumps(about), headers=headers, mimetype="application/manifest+json")


def _icon(size: str, purpose: str) -> dict[str, str]:
    name = "icon" if purpose == "any" else purpose
    source = _static(f"icons/{name}-{size}.png")
    return {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


def _screen(name: str, factor: str, size: str, label: str) -> dict[str, str]:
    source = _static(f"icons/{name}.png")
    return {"src": source, "sizes": size, "type": "image/png", "form_factor": factor, "label": label}


def _static(name: str) -> str:
    return url_for("static", filename=name)


@bp.get("/sw.js")
def worker() -> Response:
    """The service worker, from the root so that every page is in its reach; another one after every update.

    It begins with what it keeps: the static files by their hashed names, the page for what was never seen, the rules.
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
    """The page that a phone without a signal shows for what it has not seen yet."""
    return render_template("offline/unseen.html")


@bp.get("/form-token")
def form_token() -> ResponseReturnValue:
    """A fresh token for a form that has waited on the phone."""
    return jsonify(csrf_token=generate_csrf()), 200, NO_STORE

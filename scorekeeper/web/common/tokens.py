"""Form tokens: they identify a filled-in form, so that the same form sent twice makes one change."""

from __future__ import annotations

import secrets

from flask import request

from .fields import number_in


def new_token() -> str:
    """A name for one form on one page."""
    return secrets.token_urlsafe(16)


def posted_token() -> str:
    """The name of the form that was sent."""
    return request.form.get("token", "")


def posted_version(name: str) -> int | None:
    """A number from a hidden field, or None where it was tampered with."""
    return number_in(request.form.get(name, ""))

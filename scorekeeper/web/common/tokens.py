"""Form tokens: they identify a filled-in form, so that the same form sent twice makes one change."""

from __future__ import annotations

import re
import secrets

from flask import request

from .fields import number_in

# The version of the form of a hand: one more with every change of what its fields mean. A page from before an update,
# or a hand that waited on a phone meanwhile, must not be saved as something else.
HAND_FORM = 2
NEW = re.compile(r"[\w-]{22}", re.ASCII)


def new_token() -> str:
    """A name for one form on one page."""
    return secrets.token_urlsafe(16)


def posted_token() -> str:
    """The name of the form that was sent."""
    return request.form.get("token", "")


def token_in(text: str) -> str:
    """The token that `text` is, where `new_token` has made it; else a new one."""
    return text if NEW.fullmatch(text) else new_token()


def posted_version(name: str) -> int | None:
    """A number from a hidden field, or None where it was tampered with."""
    return number_in(request.form.get(name, ""))

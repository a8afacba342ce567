"""Addresses as codes for the cameras of phones."""

from __future__ import annotations

from functools import lru_cache

import segno


@lru_cache(64)
def code(address: str) -> str:
    """An address as a QR code: SVG, dark on white in every scheme, with the white frame that a camera needs."""
    if not address:
        return ""
    made = segno.make(address, micro=False, error="m")
    return made.svg_inline(border=4, dark="#000", light="#fff", svgclass="code", lineclass=None, omitsize=True)

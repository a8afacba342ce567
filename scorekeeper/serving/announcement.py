"""What `scorekeeper run` prints when it is ready: every address to open, and a code that a phone reads."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import segno

from .addresses import addresses, local_names, url

if TYPE_CHECKING:
    from flask import Flask

    from .https import Https

SETUP = "https"  # the page that says how a phone comes to trust this server


def announce(app: Flask, host: str, port: int) -> None:
    """Print every address to open, and the code that a phone reads."""
    local, others = addresses(host)
    https = app.extensions.get("https")
    scheme = "https" if https else "http"
    lines = ["", "Scorekeeper is running. Open", "", f"  on this computer   {url(local, port, scheme)}"]
    lines += [f"  on the same Wi-Fi  {url(other, port, scheme)}" for other in others]
    if https:
        lines += [f"  by its name        {url(name, port, scheme)}" for name in local_names(host)]
    print("\n".join(lines))
    if https:
        _say_how_to_trust(https, (others or [local])[0], port)
    elif others:
        print(f"\nOr scan this code with a phone ({url(others[0], port)}):\n")
        print_code(url(others[0], port))
    print("\nPress Ctrl+C to stop.", flush=True)


def _say_how_to_trust(https: Https, host: str, port: int) -> None:
    setup = f"{url(host, port)}{SETUP}"
    print(f"\nEach phone has to trust this server once. Scan this code ({setup}):\n")
    print_code(setup)
    print(f"\nThen open {url(host, port, 'https')}")
    print(f'The page shows this fingerprint of "{https.authority.name}":\n\n  {https.authority.fingerprint}')


def print_code(address: str) -> None:
    """Print the QR code of an address; nothing where the terminal's letters cannot draw it."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        "▀▄█".encode(encoding)
    except UnicodeEncodeError:
        return
    if os.environ.get("TERM") != "dumb":
        segno.make(address, micro=False).terminal(compact=True)

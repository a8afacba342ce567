"""Output of `scorekeeper run` when it is ready: the URLs to open, and a QR code for phones."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import segno

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from .https import Https

SETUP = "https"  # path of the page that explains how a phone can trust this server


def announce(app: Flask, host: str, port: int) -> None:
    """Print the URLs to open, and a QR code."""
    local, others = addresses(host)
    https = app.extensions.get("https")
    scheme = "https" if https else "http"
    lines = ["", "Scorekeeper is running. Open", "", f"  on this computer   {url(local, port, scheme)}"]
    lines += [f"  on the same Wi-Fi  {url(other, port, scheme)}" for other in others]
    if https:
        lines += [f"  by its name        {url(name, port, scheme)}" for name in local_names(host)]
    print("\n".join(lines))
    if https:
        _print_trust_steps(https, (others or [local])[0], port)
    elif others:
        print(f"\nOr scan this code with a phone ({url(others[0], port)}):\n")
        print_code(url(others[0], port))
    print("\nPress Ctrl+C to stop.", flush=True)


def _print_trust_steps(https: Https, host: str, port: int) -> None:
    setup = f"{url(host, port)}{SETUP}"
    print(f"\nEach phone has to trust this server once. Scan this code ({setup}):\n")
    print_code(setup)
    print(f"\nThen open {url(host, port, 'https')}")
    print(f'The page shows this fingerprint of "{https.authority.name}":\n\n  {https.authority.fingerprint}')


def print_code(address: str) -> None:
    """Print a URL as a QR code; nothing if the terminal's encoding lacks the characters."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        "▀▄█".encode(encoding)
    except UnicodeEncodeError:
        return
    if os.environ.get("TERM") != "dumb":
        segno.make(address, micro=False).terminal(compact=True)


SIOCGIFADDR = 0x8915  # Linux ioctl: the IPv4 address of a network interface
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
INTERFACES_6 = Path("/proc/net/if_inet6")  # Linux: the IPv6 addresses of all interfaces


def url(host: str, port: int, scheme: str = "http") -> str:
    name = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{name}/" if port == usual else f"{scheme}://{name}:{port}/"


def addresses(host: str) -> tuple[str, list[str]]:
    """Return the address for this computer, and those for other devices, the most likely one for a phone first."""
    if host not in EVERYWHERE:
        return host, [] if host == "localhost" or host.startswith("127.") or host == "::1" else [host]
    return "localhost", [address for address in dict.fromkeys(_addresses()) if not address.startswith("127.")]


def local_names(host: str) -> list[str]:
    """Return the mDNS name of this computer; empty if the server listens at one address only."""
    short = socket.gethostname().lower().partition(".")[0]
    return [f"{short}.local"] if host in EVERYWHERE and short not in ("", "localhost") else []


def all_names(host: str) -> list[str]:
    """Return all names and addresses of this computer, its own name first; `host` is where the server listens."""
    own = socket.gethostname().lower().rstrip(".")
    short = own.partition(".")[0]
    named = [short, f"{short}.local", own, "localhost", "127.0.0.1", "::1", *([] if host in EVERYWHERE else [host])]
    return [*dict.fromkeys([*named, *_addresses(), *_ipv6_addresses()])]


def _addresses() -> Iterator[str]:
    """Yield IPv4 addresses of this computer: first the one used for outgoing traffic, then all others."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):
            probe.connect(("192.0.2.1", 9))  # UDP: nothing is sent
            yield probe.getsockname()[0]
        if sys.platform.startswith("linux"):
            import fcntl

            with suppress(OSError):  # Android forbids listing the interfaces
                for _index, name in socket.if_nameindex():
                    with suppress(OSError):  # the interface has no address
                        answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, name.encode()[:15].ljust(256, b"\0"))
                        yield socket.inet_ntoa(answer[20:24])
    with suppress(OSError):
        for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            yield str(found[4][0])


def _ipv6_addresses() -> Iterator[str]:
    """Yield IPv6 addresses of this computer, except link-local and loopback ones; on Linux only."""
    with suppress(OSError):
        for line in INTERFACES_6.read_text(encoding="ascii").splitlines():
            address = ip_address(bytes.fromhex(line.split()[0]))
            if not (address.is_link_local or address.is_loopback):
                yield str(address)

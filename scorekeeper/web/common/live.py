"""Live updates of open pages: a stream that signals changes, and conditional responses to polling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, current_app, g, request

from scorekeeper.live.hub import HAND_OVER, Listener, hub_of

from .fields import parse_number
from .scope import needs_of

if TYPE_CHECKING:
    import socket

    from scorekeeper.live.state import Topic

RETRY_SECONDS = 60  # seconds until a page without a stream tries again; it polls every few seconds meanwhile


def open_stream(topic: Topic, tag: str) -> Response:
    """Stream changes of `topic` to this connection, starting from the state identified by `tag`.

    The stream ends when the link that gives access is revoked. Returns 503 without capacity, or if the server cannot
    hand over its connections; the page then keeps polling.
    """
    hub, hand_over = hub_of(current_app), request.environ.get(HAND_OVER)
    if hand_over is None or not hub.has_room:
        return Response(status=503, headers={"Retry-After": str(RETRY_SECONDS)})

    link = g.access.link_for(needs_of(request.endpoint)).id

    def take_over(connection: socket.socket, chunked: bool) -> None:
        hub.add(Listener(connection, topic, chunked=chunked, access=link), tag)

    if request.method == "GET":
        hand_over(take_over)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # keeps nginx from buffering
    return Response(iter(()), mimetype="text/event-stream", headers=headers)


def unchanged(tag: str) -> Response | None:
    """304 if the requesting page already shows `tag` (If-None-Match); otherwise None."""
    return _tagged(Response(status=304), tag) if request.if_none_match.contains_weak(tag) else None


def _tagged(response: Response, tag: str) -> Response:
    response.set_etag(tag, weak=True)
    return response


def fragment(html: str, tag: str) -> Response:
    """Return a page fragment with its ETag."""
    return _tagged(Response(html, mimetype="text/html"), tag)


def shown_versions() -> list[list[str]]:
    """ETags of the request, split at dots: usually one, of a version, a rematch and the rest."""
    return [tag.split(".") for tag in request.if_none_match.as_set(include_weak=True) if tag]  # `""` parses as None


def shown_version() -> int | None:
    """Version of the game the page shows, or that its predecessor showed; None if not sent."""
    known = [int(parts[0]) for parts in shown_versions() if parts[0].isdecimal() and len(parts[0]) < 10]
    return max(known, default=parse_number(request.args.get("since", "")))

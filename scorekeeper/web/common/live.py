"""What open pages need to stay up to date: a stream that says when to ask, and answers for who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, current_app, g, request

from scorekeeper.live.hub import Listener, hub_of

from .fields import number_in
from .scope import needs_of

if TYPE_CHECKING:
    import socket

    from scorekeeper.live.state import Topic

HAND_OVER = "scorekeeper.hand_over"  # what the server offers: see serving/http_server.py
LATER = 60  # seconds after which a page that got no stream tries again; it asks every few seconds meanwhile


def open_stream(topic: Topic, tag: str) -> Response:
    """Let this connection be told of every change of `topic`, from its state with that tag on.

    It ends when the link that lets it in is revoked.

    503 where there is no room for another one, or another server than ours serves: then the page goes on asking.
    """
    hub, hand_over = hub_of(current_app), request.environ.get(HAND_OVER)
    if hand_over is None or not hub.has_room:
        return Response(status=503, headers={"Retry-After": str(LATER)})

    link = g.access.link_for(needs_of(request.endpoint)).id

    def take_over(connection: socket.socket, chunked: bool) -> None:
        hub.add(Listener(connection, topic, chunked=chunked, access=link), tag)

    if request.method == "GET":
        hand_over(take_over)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # nginx passes every word on at once
    return Response(iter(()), mimetype="text/event-stream", headers=headers)


def is_shown(tag: str) -> bool:
    """Whether the page that asks shows this already."""
    return request.if_none_match.contains_weak(tag)


def unchanged(tag: str) -> Response:
    return tagged(Response(status=304), tag)


def tagged(response: Response, tag: str) -> Response:
    response.set_etag(tag, weak=True)
    return response


def part(html: str, tag: str) -> Response:
    """A part of a page as it is now."""
    return tagged(Response(html, mimetype="text/html"), tag)


def shown_versions() -> list[list[str]]:
    """The tags that the page says it shows, each in its parts: mostly one, of a version, a rematch and the rest."""
    return [tag.split(".") for tag in request.if_none_match.as_set(include_weak=True) if tag]  # `""` is read as None


def shown_version() -> int | None:
    """The version of the game that the page shows, or that the page before it showed, if it says so."""
    known = [int(parts[0]) for parts in shown_versions() if parts[0].isdecimal() and len(parts[0]) < 10]
    return max(known, default=number_in(request.args.get("since", "")))

"""What this browser may do in the club that its request is about."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flask import abort, current_app, g, has_request_context, request
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import Forbidden, NotFound

from scorekeeper.database.errors import TROUBLES
from scorekeeper.models import ABANDONED, ROLES, WATCH, acting_link
from scorekeeper.services.game_reader import Snapshot, read_snapshot
from scorekeeper.services.links import HeldLink, write_used

from . import link_cookie, roles
from .roles import Needs

if TYPE_CHECKING:
    from flask import Flask, Response


class NotAllowed(Forbidden):
    """Raised where a link opens the club, or the game, and does not allow what was asked for."""

    def __init__(self, needs: Needs) -> None:
        super().__init__()
        self.needs = needs


class LinkRevoked(NotFound):
    """Raised for a browser whose link was revoked: the club is not there for it any more, and it is told why."""


class Access:
    """The links that a browser holds of a club, and what they allow; `number` is the game that an address is about."""

    def __init__(
        self, key: str, club_id: int, links: tuple[HeldLink, ...], number: int | None, game: Any = None
    ) -> None:
        self.key = key
        self.club_id = club_id
        self.links = links
        self.number = number
        self._game = game

    @cached_property
    def open(self) -> list[HeldLink]:
        """The links that let anybody in, the one that was opened last first."""
        order = {uid: place for place, uid in enumerate(link_cookie.held_of(self.key))}
        return sorted((link for link in self.links if link.is_open), key=lambda link: order.get(link.uid, 0))

    @property
    def waits(self) -> bool:
        """Whether this browser has asked for a link and waits for it."""
        return any(link.waits and not link.is_revoked for link in self.links)

    def check(self, endpoint: str | None) -> None:
        """Answer 404 where no link opens an address, and 403 where one does and that is not enough."""
        needs = roles.needs(endpoint)
        if not self.open:
            raise LinkRevoked if any(link.is_revoked for link in self.links) else NotFound
        link = needs and self.link_for(needs)
        if needs is None or link:
            if needs and needs.role != WATCH and link:
                acting_link.set(link.id)
            return
        if not any(link.covers(self.number) for link in self.open):
            abort(404)
        raise NotAllowed(needs)

    def allows(self, needs: Needs) -> bool:
        return self.link_for(needs) is not None

    def link_for(self, needs: Needs) -> HeldLink | None:
        """The link that allows it."""
        return next((link for link in self.open if self._suffices(link, needs)), None)

    def _suffices(self, link: HeldLink, needs: Needs) -> bool:
        if link.game is None:
            return roles.includes(link.role, needs.role)
        if not needs.in_game or link.game != self.number or not roles.includes(link.role, needs.role):
            return False
        return needs.role == WATCH or not self._game_is_over

    @cached_property
    def _game_is_over(self) -> bool:
        """Whether the game has ended, and with it the links to score it."""
        game = self._game if isinstance(self._game, Snapshot) else read_snapshot(self.key, self.number or 0)
        return game is None or game.state == ABANDONED or game.score.outcome is not None

    @property
    def role(self) -> str | None:
        """The most that this browser may do in all of the club; None where it knows only a game of it."""
        return next((role for role in reversed(ROLES) if self.allows(Needs(role))), None)


def init_app(app: Flask) -> None:
    link_cookie.init_app(app)
    app.jinja_env.globals["may"] = may
    app.url_value_preprocessor(_forget)
    app.before_request(_check_was_made)
    app.after_request(_note_use)
    app.teardown_request(_end)


def _forget(_endpoint: str | None, _values: object) -> None:
    """Nothing is allowed before a request's own club is found."""
    g.access = None
    acting_link.set(None)


def _end(_error: BaseException | None) -> None:
    acting_link.set(None)


def _check_was_made() -> None:
    """No page of a club is served by a blueprint that forgot to ask who may see it."""
    rule = request.url_rule
    if rule is not None and rule.rule.startswith("/c/") and g.access is None:
        raise LookupError(f"nobody has checked who may open {rule.endpoint}")


def _note_use(response: Response) -> Response:
    """Write down now and then that a link is used, after the answer is sent: nobody waits for it."""
    found: Access | None = g.get("access")
    due = [link.id for link in found.open if link.is_due] if found else []
    if found and due:
        link_cookie.refresh()
        app = current_app._get_current_object()  # type: ignore[attr-defined]
        response.call_on_close(lambda: _write_used(app, due[0]))
    return response


def _write_used(app: Flask, link: int) -> None:
    """Nothing that goes wrong matters: the next request tries again."""
    with app.app_context(), suppress(*TROUBLES, SQLAlchemyError):
        write_used(link)


def may(endpoint: str) -> bool:
    """Whether this browser may open an address of the club at hand: what it may not is not offered."""
    needs = roles.needs(endpoint)
    found: Access | None = g.get("access") if has_request_context() else None
    return needs is None or (found is not None and found.allows(needs))

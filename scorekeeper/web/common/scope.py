"""Access control by capability links; resolves addresses to the club and its games, seasons and players.

ENDPOINTS maps endpoints to the access they need, a cookie has the links the browser holds, `Access` decides.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial, wraps
from threading import Timer
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, TypeVar, cast

from flask import (
    Blueprint,
    abort,
    current_app,
    flash,
    g,
    has_request_context,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from itsdangerous import BadData, URLSafeTimedSerializer
from sqlalchemy import bindparam, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import selectinload
from werkzeug.exceptions import Forbidden, Gone, NotFound

from scorekeeper.database.errors import TROUBLES
from scorekeeper.database.session import db
from scorekeeper.models import (
    ABANDONED,
    MANAGE,
    ROLES,
    SCORE,
    WATCH,
    Club,
    Game,
    Link,
    Player,
    Season,
    acting_link,
    acting_name,
)
from scorekeeper.services import club_log, deleted_items, links
from scorekeeper.services.game_reader import Snapshot, read_page, read_snapshot
from scorekeeper.stats import ratings
from scorekeeper.stats.query import HasKey

from . import security
from .words import all_are

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug import Response


# --- access needed for each endpoint ---------------------------------------------------------------------------------


class Needs(NamedTuple):
    """Required role; `in_game` if a link of the very game addressed is enough."""

    role: str
    in_game: bool = False


# Names of links by role, wherever one is requested or held.
WANTED = {WATCH: "a link to watch", SCORE: "a scoring link", MANAGE: "a manager’s link"}

ANYBODY = None  # endpoints outside of clubs
WATCH_GAME, SCORE_GAME = Needs(WATCH, in_game=True), Needs(SCORE, in_game=True)
TO_WATCH, TO_SCORE, TO_MANAGE = Needs(WATCH), Needs(SCORE), Needs(MANAGE)

ENDPOINTS: dict[Needs | None, str] = {
    # outside of clubs
    ANYBODY: """
        static operation.alive operation.ready operation.metrics clubs.home clubs.create
        rulebook.index rulebook.show rulebook.tips rulebook.table_card rulebook.ask rulebook.try_hand
        own_rules.show_shared https.show https.certificate offline.manifest offline.worker offline.unseen
        offline.form_token links.open_link links.join links.paste links.ask_passphrase links.come_back
    """,
    # one game: read
    WATCH_GAME: """
        games.sheet board.show board.now history.show games.show_record live.stream live.now games.share games.picture
        story.show transfers.game_record game_rules.show game_rules.ask game_rules.table_card game_rules.blank_sheet
        links.show_ask_in_game links.ask_in_game
    """,
    # one game: its hands, its players, who is scoring
    SCORE_GAME: """
        hands.new hands.offline hands.record hands.preview hands.remove hands.head hands.correct
        hands.save_correction games.undo games.redo games.set_state games.substitute games.show_adjust games.adjust
        device.change_in_game
    """,
    # the club: read
    TO_WATCH: """
        clubs.show clubs.games clubs.show_changes clubs.stream clubs.now board.current board.current_now
        players.index players.show players.bids seasons.index seasons.show_playoffs
        standings.show standings.charts standings.head-to-head standings.partners standings.records
        standings.now standings.columns standings.say_who device.show device.change device.leave
        transfers.standings_table transfers.players_table transfers.hands_table links.show_ask links.ask
        own_rules.index own_rules.show own_rules.file
    """,
    # the club: start games
    TO_SCORE: """
        games.new games.create games.again
    """,
    # the club: players, seasons, management of games, files and settings
    TO_MANAGE: """
        players.add players.rename players.set_mark players.delete players.look_at_merge
        players.merge
        seasons.new seasons.create seasons.edit seasons.change seasons.close seasons.delete seasons.reopen
        seasons.take_in seasons.move seasons.show_bonuses seasons.give_bonus seasons.undo_bonus
        seasons.show_divisions seasons.save_divisions seasons.show_forfeit seasons.save_forfeit
        seasons.show_start_order seasons.save_start_order seasons.draw_playoffs seasons.pick_game
        seasons.remove_playoffs games.show_edit games.replace_player
        games.correct_score games.set_counts games.correct_day games.delete
        transfers.index transfers.club_file transfers.game_records transfers.import_file transfers.preview
        paper.show paper.bring
        clubs.undo clubs.show_deletion clubs.delete clubs.take_back clubs.link_is_saved clubs.show_settings
        clubs.change_settings
        links.index links.make links.show links.revoke links.grant links.look_at_changes links.take_back
        links.phone links.add_phone links.show_passphrase links.change_passphrase links.of_game links.make_of_game
        own_rules.save own_rules.add own_rules.delete own_rules.start own_rules.show_form own_rules.change
    """,
}
NEEDS_BY_ENDPOINT = {endpoint: needs for needs, endpoints in ENDPOINTS.items() for endpoint in endpoints.split()}


def needs_of(endpoint: str | None) -> Needs | None:
    """Access an endpoint needs.

    Raises LookupError without an entry, so a new endpoint is not served until it has one.
    """
    try:
        return NEEDS_BY_ENDPOINT[endpoint or ""]
    except KeyError:
        raise LookupError(f"who may do {endpoint}? It has no row in the table of roles") from None


def ask_for(role: str, whom: str | None) -> str:
    """Text like "Ask Bo for a scoring link"; without a name if `whom` is None."""
    return f"Ask {whom} for {WANTED[role]}" if whom else f"Ask for {WANTED[role]}"


def asks(link: Link) -> str:
    """A phone's request for a link, as shown to a manager."""
    about = f" for game {link.game.number}" if link.game is not None else ""
    return f"{link.label} asks for {WANTED[link.role]}{about}."


# --- links held by the browser, by club, in a signed cookie of their own ---------------------------------------------

LINKS_COOKIE = "scorekeeper_links"
AGAIN = "from"  # query parameter of a page that requests itself once more
HELD_KEY, CHANGED_KEY = "scorekeeper.held", "scorekeeper.held_changed"  # environ keys: parsed cookie, send it again
MOST_CLUBS = 20
LinksByClub = dict[str, list[str]]  # link uids by club key, both most recent first


# Not in the session: a page opened from another site is requested without strict cookies and may start a new session,
# which must not replace the links.


def held_links() -> LinksByClub:
    """Links of this browser, parsed once per request."""
    if HELD_KEY not in request.environ:
        request.environ[HELD_KEY] = _read_held()
    known: LinksByClub = request.environ[HELD_KEY]
    return known


def held_links_of(key: str) -> list[str]:
    """Link uids of one club."""
    return held_links().get(key, [])


def address_with_cookie() -> str:
    """Address at which a page opened from another site requests itself again; "" if not needed.

    A strict cookie is not sent with a cross-site navigation, so a member who taps an address in a messenger would be
    refused. A request from our own page includes it.
    """
    site = request.headers.get("Sec-Fetch-Site")
    is_ours = site in ("same-origin", "none") if site else security.is_from_own_page()
    has_cookie = request.cookies.keys() & {LINKS_COOKIE, security.cookie_name(LINKS_COOKIE)}
    if is_ours or request.method != "GET" or has_cookie or AGAIN in request.args or "HX-Request" in request.headers:
        return ""
    return f"{request.full_path.rstrip('?')}{'&' if request.query_string else '?'}{AGAIN}=1"


def hold_link(key: str, uid: str) -> None:
    """Hold one more link of a club, ahead of those already held."""
    _hold_only(key, [uid, *(other for other in held_links_of(key) if other != uid)][: links.MOST_HELD])


def _hold_only(key: str, uids: list[str]) -> None:
    """Replace the links held of a club, and move it to the front."""
    others = [(other, kept) for other, kept in held_links().items() if other != key]
    _change_held(dict([(key, uids), *others][:MOST_CLUBS]))


def forget_club(key: str) -> None:
    """Drop all links of a club."""
    if key in held_links():
        _change_held({other: uids for other, uids in held_links().items() if other != key})


def _change_held(now: LinksByClub) -> None:
    request.environ[HELD_KEY], request.environ[CHANGED_KEY] = now, True


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt="links", signer=security.SkewTolerantSigner)


def _read_held() -> LinksByClub:
    """Parse the cookie. It has another name behind HTTPS; the one set over HTTP counts until the first is set."""
    sent = request.cookies.get(security.cookie_name(LINKS_COOKIE)) or request.cookies.get(LINKS_COOKIE)
    try:
        found = _signer().loads(sent, max_age=_lifetime()) if sent else {}
    except BadData:
        return {}
    return {str(key): [str(uid) for uid in uids][: links.MOST_HELD] for key, uids in found.items()}


def _lifetime() -> int:
    return int(current_app.permanent_session_lifetime.total_seconds())


def _send_held(response: Response) -> Response:
    if HELD_KEY in request.environ:
        response.vary.add("Cookie")
    if CHANGED_KEY in request.environ:
        response.set_cookie(
            security.cookie_name(LINKS_COOKIE), _signer().dumps(held_links()), max_age=_lifetime(), path="/",
            httponly=True, secure=security.is_secure(), samesite="Strict",
        )  # fmt: skip
    return response


# --- rights by links -------------------------------------------------------------------------------------------------


class NotAllowed(Forbidden):
    """Raised when a link gives access to the club or game, but not enough for the endpoint."""

    def __init__(self, needs: Needs) -> None:
        super().__init__()
        self.needs = needs


class LinkRevoked(NotFound):
    """Raised when the browser's link was revoked: a 404 with an explanation."""


class Access:
    """The links a browser holds of a club, and their rights; `number` is the game addressed."""

    def __init__(self, key: str, links: tuple[links.HeldLink, ...], number: int | None, game: object = None) -> None:
        self.key, self.links, self.number, self._game = key, links, number, game

    @cached_property
    def open(self) -> list[links.HeldLink]:
        """Active links, most recently opened first."""
        order = {uid: place for place, uid in enumerate(held_links_of(self.key))}
        return sorted((link for link in self.links if link.is_open), key=lambda link: order.get(link.uid, 0))

    @property
    def waits(self) -> bool:
        """True while this browser's request for a link is pending."""
        return any(link.waits and not link.is_revoked for link in self.links)

    def check(self, endpoint: str | None) -> None:
        """Raise 404 if no link gives access, 403 if a link does but its role is too low."""
        needs = needs_of(endpoint)
        if not self.open:
            raise LinkRevoked if any(link.is_revoked for link in self.links) else NotFound
        if needs is None:
            return
        link = self.link_for(needs)
        if link is None:
            raise NotAllowed(needs) if any(link.game in (None, self.number) for link in self.open) else NotFound
        if needs.role != WATCH:
            acting_link.set(link.id)

    def allows(self, needs: Needs) -> bool:
        return self.link_for(needs) is not None

    def link_for(self, needs: Needs) -> links.HeldLink | None:
        """The first link that satisfies `needs`, or None."""
        able = [link for link in self.open if ROLES.index(link.role) >= ROLES.index(needs.role)]
        return next((link for link in able if link.game is None or self._opens_game(link, needs)), None)

    def _opens_game(self, link: links.HeldLink, needs: Needs) -> bool:
        """True if a link of one game is enough: it is this game and, to score, not over."""
        is_here = needs.in_game and link.game == self.number
        return is_here and (needs.role == WATCH or not self._game_is_over)

    @cached_property
    def _game_is_over(self) -> bool:
        """True if the game has ended, which also ends links for scoring it."""
        game = self._game if isinstance(self._game, Snapshot) else read_snapshot(self.key, self.number or 0)
        return game is None or game.state == ABANDONED or game.score.outcome is not None

    @property
    def role(self) -> str | None:
        """Highest role in the whole club; None with links of single games only."""
        return next((role for role in reversed(ROLES) if self.allows(Needs(role))), None)


class GameDeleted(Gone):
    """Raised for a deleted game that can be restored; keeps what was sent."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class ClubDeleted(Gone):
    """Raised for a deleted club if the browser has a link of it; managers can restore it."""

    def __init__(self, club: Club, is_manager: bool) -> None:
        super().__init__()
        self.club = club
        self.is_manager = is_manager


def init_app(app: Flask) -> None:
    """Add the template globals, and check and mark every response."""
    app.jinja_env.globals |= {"may": may, "address_with_cookie": address_with_cookie}
    app.url_value_preprocessor(_deny_access)
    app.url_defaults(_add_club_key)
    app.before_request(_ensure_access_checked)
    for look in (_send_held, _record_use, _rate_after_response, _add_owner_header):
        app.after_request(look)
    app.teardown_request(_end)


def _deny_access(_endpoint: str | None, _values: object) -> None:
    """Deny access until the request's club is resolved."""
    g.access = None
    _end(None)


def _add_club_key(endpoint: str, values: dict[str, Any]) -> None:
    """Give the addresses of a club's pages the key of the current club, as `enter_club` takes it from them."""
    if "club" in g and "key" not in values and current_app.url_map.is_endpoint_expecting(endpoint, "key"):
        values["key"] = g.club.key


def _end(_error: BaseException | None) -> None:
    acting_link.set(None)
    acting_name.set(None)


def _ensure_access_checked() -> None:
    """Fail if a club page is served by a blueprint that has not checked access."""
    rule = request.url_rule
    if rule is not None and rule.rule.startswith("/c/") and g.access is None:
        raise LookupError(f"no access check for {rule.endpoint}")


def _record_use(response: Response) -> Response:
    """Record that a link is used, occasionally and after the response has been sent."""
    found: Access | None = g.get("access")
    due = [link.id for link in found.open if link.is_due] if found else []
    if found and due:
        _change_held(held_links())  # renews the cookie's lifetime
        app = current_app._get_current_object()  # type: ignore[attr-defined]
        response.call_on_close(lambda: _write_used(app, due[0]))
    return response


def _write_used(app: Flask, link: int) -> None:
    """Errors are ignored: the next request tries again."""
    with app.app_context(), suppress(*TROUBLES, SQLAlchemyError):
        links.write_used(link)


def may(endpoint: str) -> bool:
    """True if this browser may open `endpoint` in the current club; templates use it to hide what it may not."""
    needs = needs_of(endpoint)
    found: Access | None = g.get("access") if has_request_context() else None
    return needs is None or (found is not None and found.allows(needs))


# --- who is scoring on this device: in its session, by club; recorded with every change ------------------------------

PHONES_COOKIE = "phones"
DEVICE = "device"


def scorer_name() -> str | None:
    """Name of the player scoring on the requesting device; None if not set."""
    if not owner_id():
        return None
    if "snapshot" in g and owner_id() in g.snapshot.players:
        return str(g.snapshot.players[owner_id()])
    player = db.session.get(Player, owner_id())
    return player.name if player is not None and player.club_id == g.club.id else None


def owner_id() -> int:
    """Id of the player scoring on the requesting device; 0 if not set."""
    return owner_ids().get(str(g.club.id), 0)


def owner_ids() -> dict[str, int]:
    """Ids of the players scoring on this device, by club id."""
    return session.get(PHONES_COOKIE, {})


def device_id() -> str:
    """This device's id; empty until it has opened a hand."""
    return str(session.get(DEVICE, ""))


def own_device_id() -> str:
    """This device's id, assigned now if there is none."""
    if not device_id():
        session[DEVICE] = secrets.token_urlsafe(12)
    return device_id()


# --- resolving the club ----------------------------------------------------------------------------------------------

# Built once: executed with every request.
CLUB = select(Club, links.HELD, links.IS_ASKED).where(Club.key == bindparam("key"))
DELETED = select(Club, links.HELD_OF_DELETED).where(Club.key == bindparam("key"))


class ClubSnapshot(Protocol):
    """A snapshot of a game with its club and the links this browser holds of it."""

    @property
    def club(self) -> HasKey: ...

    @property
    def held(self) -> tuple[links.HeldLink, ...]: ...


View = TypeVar("View", bound=Callable[..., Any])
OfClub = TypeVar("OfClub", Season, Player, Link)
# Reads a game by club key, game number and the uids of the held links of the club.
SnapshotReader = Callable[[str, int, Sequence[str]], ClubSnapshot | None]


def scoped(blueprint: Blueprint, read: SnapshotReader | None = None) -> Blueprint:
    """Resolve the club key in a blueprint's addresses to `g.club`.

    With `read`, addresses also have a game number: game and club are read together into `g.snapshot`.
    """
    blueprint.url_value_preprocessor(partial(enter_club, read=read))
    return blueprint


def reads_game(read: SnapshotReader) -> Callable[[View], View]:
    """Decorator: use `read` for one view of a scoped blueprint, instead of the blueprint's own reader, if any."""

    def mark(view: View) -> View:
        view.reads_game = read  # type: ignore[attr-defined]
        return view

    return mark


def enter_club(endpoint: str | None, values: dict[str, Any] | None, read: SnapshotReader | None = None) -> None:
    """Resolve the club by its key and check this browser's access; raises 404 or 403."""
    if values is None or "key" not in values:
        return
    key = values.pop("key")
    read = getattr(current_app.view_functions.get(endpoint or ""), "reads_game", read)
    number: Any = values.pop("number") if read else values.get("number")
    game = read(key, number, held_links_of(key)) if read else None
    club: HasKey | None
    club, mine = (game.club, game.held) if game else _read_club(key)
    if club is None or not mine:
        club, mine = _read_deleted(key, endpoint)
    g.club = club
    g.access = Access(club.key, mine, number, game)
    g.access.check(endpoint)
    if next(iter(held_links()), key) != key:  # the club visited last comes first
        _hold_only(key, held_links_of(key))
    if isinstance(club, Club) and (number is None or request.method == "GET"):  # changing a game needs no ratings
        catch_up(club)
    if read:
        g.snapshot = game or no_game(number)
    if request.method == "POST":
        acting_name.set(scorer_name())


def _read_club(key: str) -> tuple[Club | None, tuple[links.HeldLink, ...]]:
    """The club with this key, or None, and the links this browser holds of it."""
    row = db.session.execute(CLUB, {"key": key} | links.held_parameters(held_links_of(key))).one_or_none()
    g.is_asked = bool(row and row[2])
    return (row[0], links.read_held(row[1])) if row else (None, ())


def _read_deleted(key: str, endpoint: str | None) -> tuple[Club, tuple[links.HeldLink, ...]]:
    """The deleted club for which this browser holds an active link, if it is about to be restored.

    Raises ClubDeleted for other endpoints, 404 without a link.
    """
    uids = held_links_of(key)
    row = db.session.execute(DELETED, {"key": key} | links.held_parameters(uids)).one_or_none() if uids else None
    mine = [link for link in links.read_held(row[1]) if link.is_open] if row else []
    if row is None or not mine:
        _refuse_access(key)
    if endpoint != "clubs.take_back":
        raise ClubDeleted(row[0], any(link.role == MANAGE for link in mine))
    return row[0], tuple(mine)


def _refuse_access(key: str) -> NoReturn:
    """Raise 404 for a browser without a link of the club; redirect an address with an old key.

    Wrong guesses are rate-limited, except for browsers known to the club.
    """
    security.refuse_guessing()
    link = links.find(key)
    if link and links.secret_to_show(link) is None:  # a club's key was once the secret of its link
        _redirect_to_new_key(key, link)
    security.count_event(security.KEYS, key)
    abort(404)


def _redirect_to_new_key(key: str, link: Link) -> None:
    """Redirect from a club's old key to its new one; a new browser is redirected to the join page."""
    if link.uid in held_links_of(link.club.key):
        address = request.full_path if request.query_string else request.path
        abort(redirect(address.replace(f"/{key}/", f"/{link.club.key}/", 1), 307))
    if request.method == "GET":
        abort(redirect(f"/l/{key}", 303))


# --- looking things up within the club -------------------------------------------------------------------------------


def find_game(number: int) -> Game:
    """The game of this club with this number, or 404."""
    query = select(Game).where(Game.club_id == g.club.id, Game.number == number).options(selectinload(Game.hands))
    return db.session.scalar(query) or no_game(number)


def no_game(number: int) -> NoReturn:
    """Raise GameDeleted if the game can be restored, 404 otherwise."""
    if deleted_items.find_game(g.club.id, number):
        raise GameDeleted(number)
    abort(404)


def find_snapshot(number: int) -> Snapshot:
    """Snapshot of a game of this club for its pages, or 404."""
    key = g.club.key
    return read_page(key, number, held_links_of(key)) or no_game(number)


def _find(kind: type[OfClub], number: int) -> OfClub:
    """The season, player or link of this club with this id, or 404."""
    return db.session.scalar(select(kind).where(kind.club_id == g.club.id, kind.id == number)) or abort(404)


find_season, find_player, find_link = partial(_find, Season), partial(_find, Player), partial(_find, Link)


def render(template: str, **about: object) -> str:
    """Render a template with the current club."""
    return render_template(template, club=g.club, **about)


def go_to(endpoint: str, **values: Any) -> Response:
    """Redirect (303) to an endpoint of the current club."""
    return redirect(url_for(endpoint, **values), 303)


def flash_undoable(said: str, subject: str) -> None:
    """Report a change with a button that undoes it: the latest entry of the club's log about the uid `subject`."""
    seq = club_log.last(g.club.id, subject)
    flash(said, url_for("clubs.undo", seq=seq) if may("clubs.undo") else "message")


def says_reopened(view: View) -> View:
    """Decorator: after a view has changed games, report the closed seasons that this opened again."""

    @wraps(view)
    def reporting(**values: Any) -> Any:
        closed = [season.id for season in g.club.seasons if season.closed_at]
        response = view(**values)
        now_open = select(Season.name, Season.reopened).where(Season.id.in_(closed), Season.closed_at.is_(None))
        found = db.session.execute(now_open) if closed else ()
        if names := [name for name, why in found if why and why["game"]]:
            flash(all_are(names, "open again"))
        return response

    return cast("View", reporting)


def link_address(secret: str | None) -> str:
    """Absolute URL of a link; "" if its secret is not known."""
    return url_for("links.open_link", secret=secret, _external=True) if secret else ""


def by_rights(link: Link | links.HeldLink) -> tuple[bool, int]:
    """Sort key of links: those of single games come before those of the club, then by role in ascending order."""
    return link.game is None, ROLES.index(link.role)


def remembered_links() -> list[Link]:
    """Best active link for each club this browser has visited, most recent club first."""
    known = [uid for uids in held_links().values() for uid in uids]
    found = links.open_links(known) if known else []
    found.sort(key=by_rights)
    best = {link.club.key: link for link in found}
    return [best[key] for key in held_links() if key in best]


# --- after the response: ratings that a change has deferred (see stats.ratings) --------------------------------------

SECONDS = 1.0  # delay: the phone requests its next page first, and a second correction may follow
READER_SECONDS = 1.0  # how long a reader waits for other writers


def _rate_after_response(response: Response) -> Response:
    club_id = db.session.info.pop(ratings.DEFERRED_KEY, None) if request.method == "POST" else None
    if club_id is not None:
        later = Timer(SECONDS, rate, (current_app._get_current_object(), club_id))  # type: ignore[attr-defined]
        later.daemon = True
        later.start()
    return response


def rate(app: Flask, club_id: int) -> None:
    """Calculate a club's deferred ratings."""
    with app.app_context(), suppress(*TROUBLES, SQLAlchemyError):
        club = db.session.get(Club, club_id)
        if club is not None:
            ratings.catch_up(club)


def catch_up(club: Club) -> None:
    """Calculate deferred ratings before they are read. Errors are ignored: the next request tries again.

    While another process locks the database, the page shows the ratings there are.
    """
    with suppress(*TROUBLES, SQLAlchemyError):
        ratings.catch_up(club, READER_SECONDS)


# --- marking pages: a phone's offline copies belong to the role they were shown to -----------------------------------

OWNER_HEADER = "X-Kept-For"
NOBODY = "-"  # a page outside of clubs, also the response to a browser without access


def _add_owner_header(response: Response) -> Response:
    """Mark every page, so that the service worker stores neither a hotel's login page nor another role's page."""
    if response.mimetype in ("text/html", "application/json") and request.method in ("GET", "POST"):
        response.headers[OWNER_HEADER] = _owner_hash()
    return response


def _owner_hash() -> str:
    """A hash identifying a club and the links it is seen through, which reveals neither.

    Makes no query: the page may be the one reporting that the database is unavailable.
    """
    access: Access | None = g.get("access")
    # Without an active link, all of them were revoked.
    links = sorted(f"{link.uid} {link.role} {link.game}" for link in access.open) if access else []
    if access is None or not links:
        return NOBODY
    seen = " ".join([access.key, *links])
    return hmac.new(current_app.config["SECRET_KEY"].encode(), seen.encode(), "sha256").hexdigest()[:16]

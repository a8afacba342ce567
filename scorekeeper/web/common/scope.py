"""Who may do what: the one place where an address becomes a club, and a number a game, a season or a player of it.

A row of ENDPOINTS says what an address asks for, a cookie which links the browser holds, `Access` what they allow.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from threading import Timer
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, TypeVar

from flask import (
    Blueprint,
    abort,
    current_app,
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
from scorekeeper.services import deleted_items, links
from scorekeeper.services.game_reader import Snapshot, read_page, read_snapshot
from scorekeeper.stats import ratings

from . import security

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug import Response


# --- what each address asks for --------------------------------------------------------------------------------------


class Needs(NamedTuple):
    """The least role, and whether a link of the very game that an address is about is enough."""

    role: str
    in_game: bool = False


# What a link is called by what it allows, wherever somebody asks for one or has one.
WANTED = {WATCH: "a link to watch", SCORE: "a scoring link", MANAGE: "a manager’s link"}

ANYBODY = None  # an address of no club
WATCH_GAME, SCORE_GAME = Needs(WATCH, in_game=True), Needs(SCORE, in_game=True)
TO_WATCH, TO_SCORE, TO_MANAGE = Needs(WATCH), Needs(SCORE), Needs(MANAGE)

ENDPOINTS: dict[Needs | None, str] = {
    # of no club
    ANYBODY: """
        static operation.alive operation.ready operation.metrics clubs.home clubs.create
        rulebook.index rulebook.show rulebook.find rulebook.tips rulebook.table_card rulebook.ask rulebook.try_hand
        own_rules.show_shared https.show https.certificate offline.manifest offline.worker offline.unseen
        offline.form_token links.open_link links.join links.paste links.ask_passphrase links.come_back
    """,
    # one game: to see
    WATCH_GAME: """
        games.sheet board.show board.now history.show games.show_record live.stream live.now games.share games.picture
        story.show transfers.game_record game_rules.show game_rules.ask game_rules.table_card game_rules.blank_sheet
        links.show_ask_in_game links.ask_in_game
    """,
    # one game: its hands, who sits at the table, who is scoring
    SCORE_GAME: """
        hands.new hands.offline hands.record hands.preview hands.remove hands.head hands.correct
        hands.save_correction games.undo games.redo games.set_state games.substitute games.show_adjust games.adjust
        device.change_in_game
    """,
    # the club: to see
    TO_WATCH: """
        clubs.show clubs.games clubs.show_changes clubs.stream clubs.now board.current board.current_now
        players.index players.show players.bids seasons.index seasons.show_playoffs
        standings.show standings.charts standings.head-to-head standings.partners standings.records
        standings.old_charts standings.columns standings.say_who device.show device.change device.leave
        transfers.standings_table transfers.players_table transfers.hands_table links.show_ask links.ask
        own_rules.index own_rules.show own_rules.file
    """,
    # the club: games started
    TO_SCORE: """
        games.new games.create games.again game_rules.find
    """,
    # the club: its players, seasons, games as such, files and settings
    TO_MANAGE: """
        players.rename players.set_guest players.set_retired players.delete players.look_at_merge players.merge
        seasons.new seasons.create seasons.edit seasons.change seasons.close seasons.delete seasons.reopen
        seasons.take_in seasons.move seasons.show_bonuses seasons.give_bonus seasons.undo_bonus
        seasons.show_divisions seasons.save_divisions seasons.show_forfeit seasons.save_forfeit
        seasons.show_start_order seasons.save_start_order seasons.draw_playoffs seasons.pick_game
        seasons.remove_playoffs games.show_edit games.set_counts games.correct_day games.delete
        transfers.index transfers.club_file transfers.game_records transfers.import_file transfers.preview
        paper.show paper.bring
        clubs.undo clubs.show_deletion clubs.delete clubs.take_back clubs.link_is_saved clubs.show_settings
        clubs.change_settings
        links.index links.make links.show links.revoke links.grant links.look_at_changes links.take_back
        links.phone links.add_phone links.show_passphrase links.change_passphrase links.of_game links.make_of_game
        own_rules.save own_rules.add own_rules.delete own_rules.start own_rules.show_form own_rules.change
    """,
}
TABLE = {endpoint: needs for needs, endpoints in ENDPOINTS.items() for endpoint in endpoints.split()}


def needs_of(endpoint: str | None) -> Needs | None:
    """The row of an endpoint. Raises LookupError for one that has none: it is not served before somebody decides."""
    try:
        return TABLE[endpoint or ""]
    except KeyError:
        raise LookupError(f"who may do {endpoint}? It has no row in the table of roles") from None


def ask_for(role: str, whom: str | None) -> str:
    """The way to ask for a link: "Ask Bo for a scoring link", or without a name where nobody is known."""
    return f"Ask {whom} for {WANTED[role]}" if whom else f"Ask for {WANTED[role]}"


def asks(link: Link) -> str:
    """What a phone asks for, for a manager."""
    about = f" for game {link.game.number}" if link.game is not None else ""
    return f"{link.label} asks for {WANTED[link.role]}{about}."


# --- the links that a browser holds, club by club: a signed cookie of their own --------------------------------------

LINKS_COOKIE = "scorekeeper_links"
AGAIN = "from"  # in the address of a page that was asked for once more
READ, CHANGED = "scorekeeper.held", "scorekeeper.held_changed"  # where a request keeps what was read of it
MOST_CLUBS = 20
Held = dict[str, list[str]]  # the uids of links by the key of their club, the latest first of both


# Not in the session: a page that was opened from another site comes without cookies (they are strict), may begin a new
# session, and must not take the way back to anybody's clubs with it.


def held() -> Held:
    """The links that this browser holds."""
    if READ not in request.environ:
        request.environ[READ] = _read_held()
    known: Held = request.environ[READ]
    return known


def held_of(key: str) -> list[str]:
    """The uids of those of one club."""
    return held().get(key, [])


def address_with_cookie() -> str:
    """Where a page that was opened from another site is asked for once more, by itself; "" if it need not be.

    A strict cookie is not sent along from elsewhere: so a member who taps an address in a messenger would be taken for
    a stranger. Asked for by our own page, it comes along.
    """
    site = request.headers.get("Sec-Fetch-Site")
    is_ours = site in ("same-origin", "none") if site else security.comes_from_here()
    has_cookie = request.cookies.keys() & {LINKS_COOKIE, security.cookie_name(LINKS_COOKIE)}
    if is_ours or request.method != "GET" or has_cookie or AGAIN in request.args or "HX-Request" in request.headers:
        return ""
    return f"{request.full_path.rstrip('?')}{'&' if request.query_string else '?'}{AGAIN}=1"


def hold_link(key: str, uid: str) -> None:
    """Hold one more link of a club, before those that this browser holds of it already."""
    _hold_only(key, [uid, *(other for other in held_of(key) if other != uid)][: links.MOST_HELD])


def _hold_only(key: str, uids: list[str]) -> None:
    """Hold these links of a club and no others; it is the first of this browser's clubs then."""
    others = [(other, kept) for other, kept in held().items() if other != key]
    _change_held(dict([(key, uids), *others][:MOST_CLUBS]))


def forget_club(key: str) -> None:
    """Hold no link of a club any more."""
    if key in held():
        _change_held({other: uids for other, uids in held().items() if other != key})


def _change_held(now: Held) -> None:
    request.environ[READ], request.environ[CHANGED] = now, True


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt="links", signer=security.SkewTolerantSigner)


def _read_held() -> Held:
    """What the cookie says. Behind HTTPS it has a name of its own; one from before counts until there is another."""
    sent = request.cookies.get(security.cookie_name(LINKS_COOKIE)) or request.cookies.get(LINKS_COOKIE)
    try:
        found = _signer().loads(sent, max_age=_lifetime()) if sent else {}
    except BadData:
        return {}
    return {str(key): [str(uid) for uid in uids][: links.MOST_HELD] for key, uids in found.items()}


def _lifetime() -> int:
    return int(current_app.permanent_session_lifetime.total_seconds())


def _send_held(response: Response) -> Response:
    if READ in request.environ:
        response.vary.add("Cookie")
    if CHANGED in request.environ:
        response.set_cookie(
            security.cookie_name(LINKS_COOKIE), _signer().dumps(held()), max_age=_lifetime(), path="/",
            httponly=True, secure=security.is_secure(), samesite="Strict",
        )  # fmt: skip
    return response


# --- what those links allow ------------------------------------------------------------------------------------------


class NotAllowed(Forbidden):
    """Raised where a link opens the club, or the game, and does not allow what was asked for."""

    def __init__(self, needs: Needs) -> None:
        super().__init__()
        self.needs = needs


class LinkRevoked(NotFound):
    """Raised for a browser whose link was revoked: the club is not there for it any more, and it is told why."""


class Access:
    """The links that a browser holds of a club, and what they allow; `number` is the game that an address is about."""

    def __init__(self, key: str, links: tuple[links.HeldLink, ...], number: int | None, game: object = None) -> None:
        self.key, self.links, self.number, self._game = key, links, number, game

    @cached_property
    def open(self) -> list[links.HeldLink]:
        """The links that let anybody in, the one that was opened last first."""
        order = {uid: place for place, uid in enumerate(held_of(self.key))}
        return sorted((link for link in self.links if link.is_open), key=lambda link: order.get(link.uid, 0))

    @property
    def waits(self) -> bool:
        """Whether this browser has asked for a link and waits for it."""
        return any(link.waits and not link.is_revoked for link in self.links)

    def check(self, endpoint: str | None) -> None:
        """Answer 404 where no link opens an address, and 403 where one does and that is not enough."""
        needs = needs_of(endpoint)
        if not self.open:
            raise LinkRevoked if any(link.is_revoked for link in self.links) else NotFound
        if needs is None:
            return
        link = self.link_for(needs)
        if link is None:
            raise NotAllowed(needs) if any(link.covers(self.number) for link in self.open) else NotFound
        if needs.role != WATCH:
            acting_link.set(link.id)

    def allows(self, needs: Needs) -> bool:
        return self.link_for(needs) is not None

    def link_for(self, needs: Needs) -> links.HeldLink | None:
        """The link that allows it."""
        able = [link for link in self.open if ROLES.index(link.role) >= ROLES.index(needs.role)]
        return next((link for link in able if link.game is None or self._opens_game(link, needs)), None)

    def _opens_game(self, link: links.HeldLink, needs: Needs) -> bool:
        """Whether a link of one game is enough: it is of this one, which goes on if it is to be scored."""
        is_here = needs.in_game and link.game == self.number
        return is_here and (needs.role == WATCH or not self._game_is_over)

    @cached_property
    def _game_is_over(self) -> bool:
        """Whether the game has ended, and with it the links to score it."""
        game = self._game if isinstance(self._game, Snapshot) else read_snapshot(self.key, self.number or 0)
        return game is None or game.state == ABANDONED or game.score.outcome is not None

    @property
    def role(self) -> str | None:
        """The most that this browser may do in all of the club; None where it knows only a game of it."""
        return next((role for role in reversed(ROLES) if self.allows(Needs(role))), None)


class GameDeleted(Gone):
    """Raised for a page of a game that was deleted and can be taken back; what was sent to it is offered again."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class ClubDeleted(Gone):
    """Raised for a page of a club that was deleted, for who had a link; a manager can take it back."""

    def __init__(self, club: Club, is_manager: bool) -> None:
        super().__init__()
        self.club = club
        self.is_manager = is_manager


def init_app(app: Flask) -> None:
    """Let every page ask what may be opened, and look at every answer."""
    app.jinja_env.globals |= {"may": may, "address_with_cookie": address_with_cookie}
    app.url_value_preprocessor(_forget)
    app.before_request(_check_was_made)
    for look in (_send_held, _note_use, _rate_later, _mark):
        app.after_request(look)
    app.teardown_request(_end)


def _forget(_endpoint: str | None, _values: object) -> None:
    """Nothing is allowed before a request's own club is found."""
    g.access = None
    _end(None)


def _end(_error: BaseException | None) -> None:
    acting_link.set(None)
    acting_name.set(None)


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
        _change_held(held())  # sent again, so that it lasts from now on
        app = current_app._get_current_object()  # type: ignore[attr-defined]
        response.call_on_close(lambda: _write_used(app, due[0]))
    return response


def _write_used(app: Flask, link: int) -> None:
    """Nothing that goes wrong matters: the next request tries again."""
    with app.app_context(), suppress(*TROUBLES, SQLAlchemyError):
        links.write_used(link)


def may(endpoint: str) -> bool:
    """Whether this browser may open an address of the club at hand: what it may not is not offered."""
    needs = needs_of(endpoint)
    found: Access | None = g.get("access") if has_request_context() else None
    return needs is None or (found is not None and found.allows(needs))


# --- who is scoring on this device: in its session club by club, put beside what it changes --------------------------

PHONES_COOKIE = "phones"
DEVICE = "device"


def scorer_name() -> str | None:
    """The name of who is scoring on the device that sent this request, if it is set."""
    if not owner_id():
        return None
    if "snapshot" in g and owner_id() in g.snapshot.players:
        return str(g.snapshot.players[owner_id()])
    player = db.session.get(Player, owner_id())
    return player.name if player is not None and player.club_id == g.club.id else None


def owner_id() -> int:
    """The id of who is scoring on the device that sent this request; 0 if it is not set."""
    return owners().get(str(g.club.id), 0)


def owners() -> dict[str, int]:
    """Who is scoring on this device, by the id of the club."""
    return session.get(PHONES_COOKIE, {})


def device_id() -> str:
    """This device's id; empty until it has opened a hand."""
    return str(session.get(DEVICE, ""))


def own_device_id() -> str:
    """The same, for a device that opens or taps a hand: it is named now, if it was not."""
    if not device_id():
        session[DEVICE] = secrets.token_urlsafe(12)
    return device_id()


# --- from an address to its club -------------------------------------------------------------------------------------

OLD_COOKIE = "clubs"  # where a session kept the keys of clubs when they were secrets

# Put together once: it runs with every request.
CLUB = select(Club, links.HELD, links.IS_ASKED).where(Club.key == bindparam("key"))
DELETED = select(Club, links.HELD_OF_DELETED).where(Club.key == bindparam("key"))


class HasKey(Protocol):
    """A club, or what was read of one."""

    @property
    def id(self) -> int: ...

    @property
    def key(self) -> str: ...


class HasClub(Protocol):
    """What was read of a game, with its club, and the links that this browser holds of it."""

    @property
    def club(self) -> HasKey: ...

    @property
    def held(self) -> tuple[links.HeldLink, ...]: ...


View = TypeVar("View", bound=Callable[..., Any])
# Reads a game by its club's key, its number, and the uids of the links that this browser holds of the club.
Read = Callable[[str, int, Sequence[str]], HasClub | None]


def scoped(blueprint: Blueprint, read: Read | None = None) -> Blueprint:
    """Let a blueprint's addresses begin with a club's key, and hand its views the club as g.club.

    With `read` they go on with a game's number: the game is read with its club in one go, and handed on as g.snapshot.
    """
    blueprint.url_value_preprocessor(partial(enter_club, read=read))
    return blueprint


def reads_game(read: Read) -> Callable[[View], View]:
    """Let one view of a scoped blueprint be handed its game like this."""

    def mark(view: View) -> View:
        view.reads_game = read  # type: ignore[attr-defined]
        return view

    return mark


def enter_club(endpoint: str | None, values: dict[str, Any] | None, read: Read | None = None) -> None:
    """Find the club that an address is about, by its key, and what this browser may do there; else 404, or 403."""
    if values is None or "key" not in values:
        return
    key = values.pop("key")
    read = read or getattr(current_app.view_functions.get(endpoint or ""), "reads_game", None)
    number: Any = values.pop("number") if read else values.get("number")
    game = read(key, number, held_of(key)) if read else None
    club: HasKey | None
    club, mine = (game.club, game.held) if game else _read_club(key)
    if club is None or not mine:
        club, mine = _read_deleted(key, endpoint)
    g.club = club
    g.access = Access(club.key, mine, number, game)
    g.access.check(endpoint)
    if next(iter(held()), key) != key:  # a club that was visited is the first of this browser's clubs
        _hold_only(key, held_of(key))
    if isinstance(club, Club) and (number is None or request.method == "GET"):  # a change of a game reads no ratings
        catch_up(club)
    if read:
        g.snapshot = game or no_game(number)
    if request.method == "POST":
        acting_name.set(scorer_name())


def _read_club(key: str) -> tuple[Club | None, tuple[links.HeldLink, ...]]:
    """The club with that key, and the links that this browser holds of it."""
    row = db.session.execute(CLUB, {"key": key} | links.asked(held_of(key))).one_or_none()
    g.is_asked = bool(row and row[2])
    return (row[0], links.read_held(row[1])) if row else (None, ())


def _read_deleted(key: str, endpoint: str | None) -> tuple[Club, tuple[links.HeldLink, ...]]:
    """The deleted club that this browser has links of, where it is to be taken back; else its members are told."""
    uids = held_of(key)
    row = db.session.execute(DELETED, {"key": key} | links.asked(uids)).one_or_none() if uids else None
    mine = [link for link in links.read_held(row[1]) if link.is_open] if row else []
    if row is None or not mine:
        _turn_away(key)
    if endpoint != "clubs.take_back":
        raise ClubDeleted(row[0], any(link.role == MANAGE for link in mine))
    return row[0], tuple(mine)


def _turn_away(key: str) -> NoReturn:
    """Answer 404 to whoever holds no link of that club; an address from before leads to where it is now.

    Who tries many is asked to wait, unless this browser is known to the club.
    """
    security.refuse_over(security.KEYS)
    link = links.find(key)
    if link and links.secret_to_show(link) is None:  # a club's address was once the secret of its link
        _go_on(key, link)
    security.count(security.KEYS, key)
    abort(404)


def _go_on(key: str, link: Link) -> None:
    """From an address with a club's old key to the same with its new one; from a browser that is new here, to join."""
    take_over_old_cookie()
    if link.uid in held_of(link.club.key):
        address = request.full_path if request.query_string else request.path
        abort(redirect(address.replace(f"/{key}/", f"/{link.club.key}/", 1), 307))
    if request.method == "GET":
        abort(redirect(f"/l/{key}", 303))


def take_over_old_cookie() -> None:
    """Hold as links what this browser's session has as the keys of clubs."""
    keys = session.pop(OLD_COOKIE, None)
    for link in reversed(links.find_old([str(key) for key in keys])) if keys else ():
        hold_link(link.club.key, link.uid)


# --- what is in a club, and its pages --------------------------------------------------------------------------------


def find_game(number: int) -> Game:
    """That game of this club, or 404."""
    query = select(Game).where(Game.club_id == g.club.id, Game.number == number).options(selectinload(Game.hands))
    return db.session.scalar(query) or no_game(number)


def no_game(number: int) -> NoReturn:
    """Say that there is no such game, or that it was deleted and can be taken back."""
    if deleted_items.find_game(g.club.id, number):
        raise GameDeleted(number)
    abort(404)


def find_snapshot(number: int) -> Snapshot:
    """That game of this club as its pages read it, or 404."""
    key = g.club.key
    return read_page(key, number, held_of(key)) or no_game(number)


def find_season(number: int) -> Season:
    """That season of this club, or 404."""
    return db.session.scalar(select(Season).where(Season.club_id == g.club.id, Season.id == number)) or abort(404)


def find_player(player_id: int) -> Player:
    """That player of this club, or 404."""
    found = select(Player).where(Player.club_id == g.club.id, Player.id == player_id)
    return db.session.scalar(found) or abort(404)


def render(template: str, **about: object) -> str:
    """A page of this club."""
    return render_template(template, club=g.club, **about)


def go_to(endpoint: str, **values: Any) -> Response:
    """From a form that was sent to a page of this club."""
    return redirect(url_for(endpoint, key=g.club.key, **values), 303)


def link_address(secret: str | None) -> str:
    """The address of a link, in full, to be copied or scanned; "" where its secret is not known."""
    return url_for("links.open_link", secret=secret, _external=True) if secret else ""


def remembered() -> list[Link]:
    """The clubs that this browser has been to, the latest first: of each a link that opens it, or a game of it."""
    take_over_old_cookie()
    known = [uid for uids in held().values() for uid in uids]
    found = links.open_links(known) if known else []
    found.sort(key=lambda link: (link.game is None, ROLES.index(link.role)))
    best = {link.club.key: link for link in found}
    return [best[key] for key in held() if key in best]


# --- after the answer: ratings that a change has left for later (see stats.ratings) ----------------------------------

SECONDS = 1.0  # after the answer: the phone asks for its next page first, and a second correction may follow
READER_SECONDS = 1.0  # that whoever opens a page waits for other writers


def _rate_later(response: Response) -> Response:
    club_id = db.session.info.pop(ratings.LEFT, None) if request.method == "POST" else None
    if club_id is not None:
        later = Timer(SECONDS, rate, (current_app._get_current_object(), club_id))  # type: ignore[attr-defined]
        later.daemon = True
        later.start()
    return response


def rate(app: Flask, club_id: int) -> None:
    """Rate what was left of a club."""
    with app.app_context(), suppress(*TROUBLES, SQLAlchemyError):
        club = db.session.get(Club, club_id)
        if club is not None:
            ratings.catch_up(club)


def catch_up(club: Club) -> None:
    """Rate what was left, before somebody reads it. What goes wrong keeps nobody from reading; the next one tries.

    Nor does somebody who keeps the database locked: the page is shown with the ratings there are.
    """
    with suppress(*TROUBLES, SQLAlchemyError):
        ratings.catch_up(club, READER_SECONDS)


# --- for whom a page is: what a phone keeps of a club belongs to the role it was shown to ----------------------------

KEPT_FOR = "X-Kept-For"
NOBODY = "-"  # a page of ours that belongs to no club: also the answer to who may not see the club, or not any more


def _mark(response: Response) -> Response:
    """Mark every page, so that the worker neither keeps a hotel's login page nor another role's."""
    if response.mimetype in ("text/html", "application/json") and request.method in ("GET", "POST"):
        response.headers[KEPT_FOR] = _owner()
    return response


def _owner() -> str:
    """A word that is the same for the pages of one club seen through the same links, and tells neither.

    It asks the database nothing: the page may be the one that says that the database is gone.
    """
    access: Access | None = g.get("access")
    # Where there is none left, all of them were revoked.
    links = sorted(f"{link.uid} {link.role} {link.game}" for link in access.open) if access else []
    if access is None or not links:
        return NOBODY
    seen = " ".join([access.key, *links])
    return hmac.new(current_app.config["SECRET_KEY"].encode(), seen.encode(), "sha256").hexdigest()[:16]

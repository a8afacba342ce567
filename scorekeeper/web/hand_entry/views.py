"""Routes for entering a hand, previewing its result, correcting and removing it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from flask import (
    Blueprint,
    abort,
    flash,
    g,
    get_flashed_messages,
    make_response,
    redirect,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import NoResultFound
from sqlalchemy.orm.exc import ObjectDeletedError

from scorekeeper.database.errors import TROUBLES
from scorekeeper.database.session import end_reading
from scorekeeper.models import Facts
from scorekeeper.scoring.hand_facts import facts_where
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import drafts
from scorekeeper.services import hands as hand_service
from scorekeeper.services.change_log import ChangeLog
from scorekeeper.services.game_reader import SheetSnapshot, Snapshot, StoredHand, read_page, read_sheet, read_snapshot
from scorekeeper.services.hands import Conflict, Saved
from scorekeeper.web.common.errors import why_unavailable
from scorekeeper.web.common.fields import HAND_FORM, new_token, posted_token, posted_version
from scorekeeper.web.common.live import fragment, unchanged
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.common.page_cache import cached_page
from scorekeeper.web.common.scope import find_game, find_snapshot, no_game, own_device_id, reads_game, render, scoped
from scorekeeper.web.games.device import has_four_colors
from scorekeeper.web.games.history import History, change_message, short_message
from scorekeeper.web.games.live import game_now, others_entering
from scorekeeper.web.games.messages import change_named

from .draft import HandForm
from .editor import LOOK_KEY, STEPS, UNCHANGED, WAY_KEY, Editor, Errors, url_arguments
from .offline_page import OfflinePage
from .page import ConflictPage, HandPage, LiveHead
from .warnings import CODES


def _read(key: str, number: int, uids: Sequence[str]) -> Snapshot | None:
    """Load the game; for GET with everything an open page depends on."""
    return (read_page if request.method == "GET" else read_snapshot)(key, number, uids)


bp = scoped(Blueprint("hands", __name__, url_prefix="/c/<key>/games/<int:number>/hands"), _read)

WAITING = "X-Waiting"  # header of the script's saves, which wait on the phone for the response
NOW, LATER = "now", "later"  # its values: a hand just tapped, whose page waits too; a hand sent later


@bp.get("/new")
@reads_game(read_sheet)  # with the change log, for the undo and redo buttons
def new() -> ResponseReturnValue:
    return _open(Editor(g.snapshot)) if g.snapshot.takes_hands else redirect(_sheet_url(), 303)


@bp.get("/offline")
def offline() -> ResponseReturnValue:
    """The page a phone stores for entering this game's hands offline."""
    return render("hand_entry/offline.html", page=OfflinePage(g.snapshot), here=url_arguments(g.snapshot))


@bp.post("/new")
def record() -> ResponseReturnValue:
    return _queue_response(_handle(_editor()))


@bp.get("/<int:position>/")
def correct(position: int) -> ResponseReturnValue:
    return _open(Editor(g.snapshot, g.snapshot.hand(position) or abort(404)))


@bp.post("/<int:position>/")
def save_correction(position: int) -> ResponseReturnValue:
    editor = _editor(g.snapshot.hand(position))
    if editor.hand:
        return _queue_response(_handle(editor))
    # removed by another phone meanwhile
    facts = None if _posted(editor).errors else editor.facts
    return _queue_response(_conflict(editor, Conflict(position, None), facts))


@bp.post("/<int:position>/remove")
def remove(position: int) -> ResponseReturnValue:
    game, narrator = find_game(g.snapshot.number), Narrator(g.snapshot.table, g.snapshot.names_at(position))
    before, version = game.score, posted_version("hand_version") or 0
    try:
        saved = hand_service.remove_hand(game, position, hand_version=version, token=posted_token())
    except Conflict:
        meanwhile = short_message(History(game).of_hand(version))
        flash(f"Another phone changed hand {position}, so it was not removed. {meanwhile}")
    except Refused as refused:
        flash(f"Hand {position} was not removed: {narrator.named(refused.problems[0].message)} without it.")
    else:
        flash(change_message(saved.change, before, game))
    return redirect(_sheet_url(), 303)


@bp.get("/<int:position>/now")
def head(position: int) -> ResponseReturnValue:
    """The head of a hand's page, or 304 if it is unchanged."""
    version, can_clear = request.args.get("version", type=int), request.args.get("clear") == "1"
    editor = Editor(g.snapshot, g.snapshot.hand(position) if version is not None else None)
    live = LiveHead(editor, position, version, can_clear=can_clear)
    if same := unchanged(live.tag):
        return same
    shown = render("hand_entry/_head.html", editor=editor, live=live, here=url_arguments(g.snapshot))
    return fragment(shown, live.tag)


@bp.post("/preview")
def preview() -> ResponseReturnValue:
    """Return the form only, updated with what follows from the taps.

    How a tap is processed: `_form.html` posts the whole form here on every change. `services/game_reader.py` loads the
    game, `draft.py` parses the form into a draft, `editor.py` derives the result (with `points.py` for entry by
    points), the core scores it, and `services/drafts.py` stores it. `page.py` provides the data that `_form.html`
    renders; the phone replaces its form by that.
    """
    correcting = bool(request.form.get("hand_version"))
    hand = g.snapshot.hand(posted_version("position") or 0) if correcting else None
    if hand is None and correcting:
        return "", 204  # the hand was removed: its page stays unchanged until it is saved and then reports it
    return _preview(_editor(hand), form_only=True)


# --- what the buttons do ---


def _editor(hand: StoredHand | None = None) -> Editor:
    """The hand with the taps posted."""
    return Editor(g.snapshot, hand, request.form.to_dict(flat=False))


def _handle(editor: Editor) -> ResponseReturnValue:
    """Do what the tapped button says: clear the hand, take a step of it, or check and save it."""
    do = request.form.get("do")
    if do == "clear":
        if not editor.has_moved:
            drafts.clear_hand(editor.game, editor.position)
        return redirect(editor.address, 303)
    if do == "preview" or STEPS & request.form.keys():
        return _preview(editor)
    passed, form = do in ("passed", "misdeal"), _posted(editor)
    if form.version not in (None, HAND_FORM):  # from before an update that changed the form's fields
        return _refused(editor, {"saving": ["Scorekeeper was updated. Check the hand, then save again."]})
    complaints = form.errors
    errors = complaints or ({} if passed else editor.wrong)
    is_late = editor.done_meanwhile and not complaints  # only what this very form has already saved may be saved again
    # Of the warnings, a phone without a signal shows only this one.
    shown = ("untouched",) if request.headers.get(WAITING) == LATER else CODES
    unanswered = not passed and any(code in shown and code not in form.warned for code, _ in editor.warnings)
    if not is_late and (errors or unanswered):
        return _refused(editor, errors)
    facts = editor.passed_out(misdeal=do == "misdeal") if passed else editor.facts
    if is_late and errors:
        return _conflict(editor, Conflict(form.position or editor.position, editor.written), facts)
    return _save(editor, facts)


def _preview(editor: Editor, *, form_only: bool = False) -> ResponseReturnValue:
    """Render the form with the taps; reports contradictions, but nothing that is merely missing."""
    errors: Errors = _posted(editor).errors
    if editor.draft.is_blank:  # and therefore not stored
        session[LOOK_KEY] = {editor.look_key: [editor.draft.detail, editor.draft.by_seat]}
    end_reading()  # the snapshot is loaded: release the connection for writing the draft
    notice = editor.keep()
    errors = errors or editor.contradictions
    return _page(editor, errors, notice, form_only=form_only), 422 if errors else 200


def _save(editor: Editor, facts: Facts) -> ResponseReturnValue:
    hand, version = editor.hand, _posted(editor).hand_version
    if hand is not None and (facts, version) == (hand.facts, hand.version):
        drafts.clear_hand(editor.game, editor.position)
        flash(f"Nothing was changed in hand {editor.position}.")
        return redirect(_sheet_url(), 303)
    try:
        saved = _write(editor, facts, version)
    except Conflict as conflict:
        return _conflict(editor, conflict, facts)
    except Refused as refused:
        return _refused(editor, editor.explain(refused.problems))
    except (NoResultFound, ObjectDeletedError):  # deleted concurrently
        no_game(g.snapshot.number)
    except TROUBLES as error:
        end_reading()  # perhaps on a connection that was lost: the page is drawn with another
        return _page(editor, {"saving": [why_unavailable(error)]}), 503
    flash(_message(editor, saved), "saved")
    return redirect(_next_url(editor, saved.game), 303)


def _write(editor: Editor, facts: Facts, version: int | None) -> Saved:
    """Record or correct the hand; of a next hand, remember its way of entry on this phone."""
    form, draft, position = _posted(editor), editor.draft, editor.position
    if editor.hand is not None:
        told = {"note": ""} | facts  # removes a note that was cleared
        return hand_service.correct_hand(editor.game, position, told, hand_version=version or 0, token=form.token)
    # The next hand opens in the way in which this one was entered; the button "All passed" shows none.
    is_shown = "trump" in facts or draft.calls
    way = [draft.detail, draft.by_seat] if is_shown else list(editor.saved_way)
    if session.get(WAY_KEY) != way:
        session[WAY_KEY] = way
    at, about = form.position or position, {"detail": way[0], "auction": way[1]}
    return hand_service.record_hand(editor.snapshot, facts, position=at, token=form.token, **about)


def _message(editor: Editor, saved: Saved) -> str:
    """Describe to its author what was saved."""
    if editor.hand is not None or saved.repeated:
        return change_message(saved.change, editor.snapshot.score, editor.game)
    now = saved.game.score
    return f"Hand {len(now.hands)} saved. {editor.narrator.next_deal(now)}".strip()  # the page itself says who has won


def _posted(editor: Editor) -> HandForm:
    assert editor.form is not None  # noqa: S101  (for mypy: only posted hands are written)
    return editor.form


def _conflict(editor: Editor, conflict: Conflict, facts: Facts | None) -> ResponseReturnValue:
    """Show both hands so that the second phone can choose (409)."""
    now = read_snapshot(g.club.key, g.snapshot.number) or abort(404)  # the game as left by the other phone
    theirs = conflict.theirs
    # Regardless of seats:
    if theirs and facts and theirs == facts | facts_where(theirs, lambda key, _: key in UNCHANGED):
        flash(f"Another phone already saved the same hand {conflict.position}. It counts once.")
        return redirect(_next_url(editor, now), 303)
    page = ConflictPage(Editor(now, editor.hand), conflict, facts, new_token())
    urls = {"sheet_url": _sheet_url(), "next_url": _next_url(editor, now)}
    return render("hand_entry/conflict.html", page=page, **urls), 409


def _refused(editor: Editor, errors: Errors) -> ResponseReturnValue:
    return _page(editor, errors, editor.keep()), 422


def _queue_response(answer: ResponseReturnValue) -> ResponseReturnValue:
    """Convert a form's response for the script: where the hand was saved, or that it conflicts, and the game's state.

    JSON rather than a redirect: a hotel's login page also redirects, and the phone would discard the hand. After a
    conflict the script requests the page that shows both hands. A hand just tapped comes with the next hand's page, if
    saving leads there.
    """
    response = make_response(answer)
    asked = request.headers.get(WAITING)
    if asked not in (NOW, LATER) or response.status_code not in (303, 409):
        return response
    is_saved = response.status_code == 303
    told = {"saved": True, "next": response.location, "position": posted_version("position")} if is_saved else {}
    if is_saved and asked == NOW:
        if response.location == request.script_root + request.path:  # the next hand's page, as if requested now
            g.snapshot = find_snapshot(g.snapshot.number)
            told["page"] = _open(Editor(g.snapshot))
        return told
    get_flashed_messages()  # dropped, because no page shows them
    return told | {"game": game_now(find_snapshot(g.snapshot.number))}, 200 if is_saved else 409


# --- pages ---


def _open(editor: Editor) -> str:
    """`_draw` a hand, or take the page from the cache.

    Assigns the device id already here, since the open page may ask who else is entering a hand before the first tap is
    answered.
    """
    own_device_id()
    game = editor.snapshot
    if game.live and game.live.asked:
        return _draw(editor, new_token())
    cache_key = game.text, has_four_colors(), str(editor.way), tuple(others_entering(game))
    return cached_page(cache_key, lambda token: _draw(editor, token))


def _draw(editor: Editor, token: str) -> str:
    """Render a hand as left on any phone; without a stored draft as saved."""
    resumed = editor.resumed()
    if resumed is None:
        return _page(editor, {}, token=token)
    errors = {place: errors for place, errors in _posted(resumed).errors.items() if place != "token"}
    return _page(resumed, errors or resumed.contradictions, token=token)


def _page(editor: Editor, errors: Errors, notice: str = "", token: str = "", *, form_only: bool = False) -> str:
    token = token or str((editor.form and editor.form.token) or new_token())
    page = HandPage(editor, token, errors, notice)
    about = {"editor": editor, "page": page, "here": url_arguments(g.snapshot)}
    if form_only:
        page.ask_later()
        g.foretold_wrong = _is_predicted_wrong(str(page.says))
        return render("hand_entry/_form.html", **about)
    if editor.hand is None:
        about |= _steps(g.snapshot)
    live = LiveHead(editor, page.position, page.hand_version, can_clear=editor.is_resumed and not page.draft.is_blank)
    return render(f"hand_entry/{'correct' if editor.hand else 'new'}.html", **about, live=live)


def _steps(game: Snapshot) -> dict[str, object]:
    """Names of the changes for undo and redo; redo only after an undo, or if there is nothing to undo."""
    if get_flashed_messages(category_filter=["saved"]):
        return {"undo": f"hand {game.length}", "redo": ""}
    sheet = game if isinstance(game, SheetSnapshot) else read_sheet(game.club.key, game.number) or abort(404)
    log = ChangeLog(sheet.log)
    undo, undone = change_named(log.next_undo), get_flashed_messages(category_filter=["undone"])
    return {"undo": undo, "redo": change_named(log.next_redo) if undone or not undo else ""}


def _is_predicted_wrong(says: str) -> bool:
    """True if the phone predicted a different sentence for this state of the game (static/taps.js)."""
    of, _, said = request.headers.get("X-Said", "").partition(" ")
    if not said or unquote(said) == says:
        return False
    now = game_now(g.snapshot)
    return of == f"{now['shape']}.{now['version']}"


def _sheet_url() -> str:
    return url_for("games.sheet", **url_arguments(g.snapshot))


def _next_url(editor: Editor, game: Snapshot) -> str:
    """Where saving redirects: to the next hand, or to the score sheet after a correction or the end of the game."""
    over = editor.hand is not None or game.score.outcome is not None
    return _sheet_url() if over else url_for("hands.new", **url_arguments(game))

"""The only writer of hands, seats and the state of a game: save, correct, remove, undo, redo.

Each call is one transaction, and changes of hands and seats are logged. A hand entered offline and sent later comes
here too: `record_hand` saves it as the next hand, or raises Conflict if another one was saved first. change_log
computes what a change does, and what undo and redo revert.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from scorekeeper.database.session import db, db_write, db_write_or_join, in_one_round_trip
from scorekeeper.models import (
    ABANDONED,
    NAME_LENGTH,
    OPEN,
    PAUSED,
    RECORD,
    REDO,
    REMOVE,
    STATES,
    SUBSTITUTE,
    UNDO,
    Change,
    Club,
    Facts,
    Game,
    Hand,
    HandDraft,
    acting_as,
    acting_name,
    seated,
    seated_by_hand,
    seated_twice,
)
from scorekeeper.scoring.hand import check_hand
from scorekeeper.scoring.hand_facts import NOTED, AdjustmentFacts, facts_where
from scorekeeper.scoring.problems import Problems, refusal
from scorekeeper.scoring.record import read_hand, score_record
from scorekeeper.scoring.table import Table
from scorekeeper.stats import tallies

from . import club_log, drafts, seasons
from .change_log import (
    NAMES,
    ChangeLog,
    PlannedChange,
    Slot,
    effect,
    pending_facts,
    plan_reverting,
    seats_in,
    states,
)
from .game_reader import Snapshot, StoredHand, snapshot_of
from .games import count_and_log, find_or_add, find_players, name_in_club

TOKEN_LENGTH = 64
# Built once, because they run with every save.
ADD_HAND, LOG = insert(Hand).inline(), insert(Change).inline()
# These updates set the columns that are passed in addition to their parameters when they are executed.
SET_HAND = update(Hand).where(Hand.game_id == bindparam("game"), Hand.position == bindparam("at"))
_as_read = update(Game).where(
    Game.id == bindparam("game"),
    Game.version == bindparam("was"),
    Game.state == bindparam("was_state"),
)
# On PostgreSQL they lock the club, then the game; SQLite has one writer at a time. Shared locks do not exclude each
# other. For a game that counts: matches only if neither statistics nor names of the club have changed since.
_club = select(Club.id).where(Club.id == bindparam("club"))
_stats = _club.with_only_columns(Club.stats_version).with_for_update(key_share=True).scalar_subquery()
ADVANCE_VERSION = _as_read.where(_club.with_for_update(read=True).scalar_subquery() == bindparam("club"))
ADVANCE_AND_COUNT = _as_read.where(_stats == bindparam("stats"))
LOGGED = ("seq", "kind", "position", "before", "after", "undoes")
ADDED = ("dealer", "names", *NOTED)  # kept from the old hand if the submitted form omits them


@dataclass(frozen=True, slots=True)
class Saved:
    """A game after a change with number `seq` in its log; `repeated` if an earlier request had made the change."""

    game: Snapshot
    seq: int
    repeated: bool = False

    @property
    def change(self) -> Change:
        return find_change(self.game.id, self.seq)


class Conflict(Exception):
    """Another request was faster. `theirs` are the facts now at `position`, None if there is no hand."""

    def __init__(self, position: int, theirs: StoredHand | None) -> None:
        super().__init__(f"hand {position} was changed by somebody else")
        self.position = position
        self.theirs = theirs.facts if theirs else None
        self.version = theirs.version if theirs else None


# --- the state of a game ------------------------------------------------------------------------------------------


def set_state(game: Game, state: str) -> None:
    """Pause, abandon or resume a game; raises ValueError for an unknown state, Refused to pause a finished game.

    The club log contains only changes of whether the game counts, so no pauses.
    """
    if state not in STATES:
        raise ValueError(f"a game is {', '.join(STATES)}, not {state}")
    with db_write_or_join(game.club, game):
        if state == PAUSED and game.score.outcome:
            raise refusal("game-over", "the game is over, and cannot be paused", "state")
        before, game.state = game.state, state
        if before != state and ABANDONED in (before, state):
            count_and_log(game, club_log.STATE, before, state)


# --- substitutes --------------------------------------------------------------------------------------------------


def substitute(game: Game, seat: int, name: str) -> Saved | None:
    """Give a seat to a substitute from the next hand on; None if that player has it already.

    A substitution is a log entry of its own: it is undone separately from the hand that it precedes. Raises Refused.
    """
    with db_write(game.club, game):
        now = _read_again(game)
        name = name_in_club(game.club, name)
        _check_substitute(now, seat, name)
        seats = {**now.next_seats, str(seat): name}
        if seated(now.names, now.facts)[seat - 1] == name:
            del seats[str(seat)]
        return _reseat(now, seats) if seats != now.next_seats else None


def reseat(game: Game, seats: Mapping[str, str]) -> None:
    """Set the pending substitutes by seat, inside the caller's transaction; attributed to no scorer."""
    with acting_as(None):
        _reseat(_read_again(game), seats)


def _reseat(now: Snapshot, seats: Mapping[str, str]) -> Saved:
    return _save(now, [PlannedChange(now.length + 1, pending_facts(now.next_seats), pending_facts(seats))])


def cancel_seated_substitutes(game: Game, alias: Mapping[str, str]) -> None:
    """Cancel pending substitutes who already have a seat, inside the caller's transaction.

    That happens when a hand is corrected, or two players are merged: then `alias` leads from one's name to the other's,
    both casefolded.
    """
    now = _read_again(game)
    names, stay = seated(now.names, now.facts), dict(now.next_seats)
    for seat, name in now.next_seats.items():
        others = seated(names, [{"names": {other: who for other, who in stay.items() if other != seat}}])
        known = [alias.get(one.casefold(), one.casefold()) for one in (name, *others)]
        if known[0] in known[1:]:
            del stay[seat]
    if stay != now.next_seats:
        with acting_as(None):
            _reseat(now, stay)


def _check_substitute(game: Snapshot, seat: int, name: str) -> None:
    problems, names = Problems(), game.names_by_hand[-1]
    if game.paper is not None:
        problems.add("on-paper", "seat", "the game was scored on paper: it has no next hand")
    if not 1 <= seat <= len(names):
        problems.add("no-such-seat", "seat", f"must be a seat from 1 to {len(names)}")
    if not name:
        problems.add("no-name", "name", "must be a name")
    elif len(name) > NAME_LENGTH:
        problems.add("too-long", "name", f"must have at most {NAME_LENGTH} letters")
    elif seated_twice([name, *names[: seat - 1], *names[seat:]]):
        problems.add("name-twice", "name", f"{name} is already at the table")
    problems.check()


# --- hands --------------------------------------------------------------------------------------------------------


def record_hand(game: Game | Snapshot, facts: Facts, *, position: int, token: str, **ways: Any) -> Saved:
    """Save the next hand, which must be the one at `position`.

    Raises Conflict if that hand exists (from another form, or a different hand from this one), and Refused with all
    problems. The default dealer is the one whose turn it is. Saving resumes a paused game. `ways` is how the table
    enters hands: `detail` and `auction` of Game. A Snapshot is read again only if the game has changed since (or, if
    the hand ends the game, any statistics or name of the club), if this form has saved a hand before, or if a
    substitute sits down.
    """
    if isinstance(game, Snapshot) and position == game.length + 1 and game.takes_hands and not game.next_seats:
        change = _next_hand(game, facts)
        with suppress(IntegrityError, _GameChanged), db_write():  # this form saved another hand, or others were faster
            return _save(game, [change], token, state=OPEN, **ways)
    row = db.session.get_one(Game, game.id)
    with _locked(row, token) as (now, earlier):
        if earlier and _is_same_request(earlier.change, facts):
            return earlier
        if earlier or position != now.length + 1:
            raise Conflict(position, now.hand(position))
        seats = {seat: name_in_club(row.club, name) for seat, name in now.next_seats.items()}
        change = _next_hand(now, (pending_facts(seats) or {}) | facts)
        if row.paper is not None:
            raise refusal("on-paper", "the game was scored on paper: it has no hands")
        if row.state == ABANDONED:
            raise refusal("abandoned", "the game is abandoned: resume it first")
        score_record(row.record_of([*row.facts, change.after or {}]))
        return _save(now, [change], token, state=OPEN, **ways)


def _next_hand(game: Snapshot, facts: Facts) -> PlannedChange:
    facts = {"dealer": game.dealer_after(game.length)} | facts
    return PlannedChange(game.length + 1, pending_facts(game.next_seats), facts)


def correct_hand(game: Game, position: int, facts: Facts, *, hand_version: int, token: str) -> Saved:
    """Replace the facts of a hand.

    Facts without a note keep the note; an empty note removes it. The game may end earlier or later; other hands are not
    touched. Raises Conflict if the hand is no longer at `hand_version`, and Refused.
    """
    with _locked(game, token) as (now, earlier):
        if earlier and _is_same_request(earlier.change, facts):
            return earlier
        before = _unchanged(now, position, None if earlier else hand_version)
        return _correct(now, position, before, _with_added(before, facts), token)


def _with_added(before: Facts, facts: Facts) -> Facts:
    """Add to `facts` what they omit of ADDED from the hand before; an empty note or list of adjustments removes it."""
    all_facts = facts_where(before, lambda key, _: key in ADDED) | facts
    return facts_where(all_facts, lambda key, fact: bool(fact) or key not in NOTED)


def _correct(now: Snapshot, position: int, before: Facts, facts: Facts, token: str) -> Saved:
    """Save corrected facts; raises Refused for impossible ones, also of a hand after the end of the game."""
    check_facts(facts, now.table, f"hands[{position - 1}]", problems := Problems())
    problems.check()
    return _save(now, [PlannedChange(position, before, facts)], token)


def check_facts(facts: Facts, table: Table, at: str, problems: Problems) -> None:
    """Collect all problems of a hand by itself, regardless of earlier scores; `at` is its place in the record."""
    hand = problems.attempt(at, read_hand, facts, table)
    problems.extend(problem.under(at) for problem in (check_hand(table, hand) if hand else ()))


def adjust(
    game: Game,
    position: int,
    adjustments: Sequence[AdjustmentFacts],
    *,
    hand_version: int,
    token: str,
) -> Saved:
    """Replace all adjustments of a hand, such as [{"unit": "B", "points": -2, "reason": "revoke"}].

    An empty list removes them. Raises Conflict like `correct_hand`, and Refused.
    """
    told = list(adjustments)
    with _locked(game, token) as (now, earlier):
        if earlier:
            return earlier
        before = _unchanged(now, position, hand_version)
        facts = facts_where(before, lambda key, _: key != "adjustments")
        facts |= Facts(adjustments=told) if told else {}
        return _correct(now, position, before, facts, token)


def remove_hand(game: Game, position: int, *, hand_version: int, token: str) -> Saved:
    """Remove a hand; later hands move up. Raises Conflict like `correct_hand`.

    Substitutes who sat down with it have their seats from the next hand on: a substitution is a separate change.
    """
    with _locked(game, token) as (now, earlier):
        if earlier:
            return earlier
        before = _unchanged(now, position, hand_version)
        return _save(now, [PlannedChange(position, before, pending_facts(seats_in(before)))], token)


def next_dealer(game: Game) -> int:
    """Return the dealer's seat for the next hand."""
    return (game.score.next_dealer if game.hands else None) or game.first_dealer


def _unchanged(game: Snapshot, position: int, version: int | None) -> Facts:
    """Return a hand's facts if it is still at `version`, else raise Conflict."""
    hand = game.hand(position)
    if hand is None or hand.version != version:
        raise Conflict(position, hand)
    return hand.facts


def _is_same_request(change: Change, facts: Facts) -> bool:
    """True if a repeated form says the same; otherwise it is a new hand and must not be dropped."""
    return change.after is not None and change.after == _with_added(change.after, facts)


# --- undo and redo ------------------------------------------------------------------------------------------------


def find_change(game_id: int, seq: int) -> Change:
    """Return entry `seq` of a game's log."""
    return db.session.scalars(select(Change).where(Change.game_id == game_id, Change.seq == seq)).one()


def _undo_or_redo(kind: str, game: Game, *, token: str, game_version: int | None = None) -> Saved | None:
    """Undo the last change in effect, or redo the last undone one; None if there is none.

    With `game_version`, raises Conflict if the game has changed since that version was shown.
    """
    with _locked(game, token) as (now, earlier):
        if earlier:
            return earlier
        last = ChangeLog(game.changes).reversed_by(kind)
        if last is None:
            return None
        if game_version not in (None, now.version):
            raise Conflict(last.position, now.hand(last.position))
        change = PlannedChange(last.position, last.after, last.before, undoes=last.seq, made_by=kind)
        changed = seasons.changed_since_closed(game.club)
        saved = _save(now, [change], token)
        seasons.close_again(game.club, changed)
        return saved


undo, redo = partial(_undo_or_redo, UNDO), partial(_undo_or_redo, REDO)


def undo_changes(game: Game, seqs: Collection[int]) -> tuple[list[int], list[str]]:
    """Revert the changes `seqs`, wherever they are in the log, and count the game again; inside a transaction.

    Return the `seq` of each new entry, and why some changes stay, as sentences without a full stop.
    """
    now = _read_again(game)
    plan = plan_reverting(now.log_state, game.changes, seqs)
    stays = [
        f"Hand {position} of game {game.number} has changed again since"
        if position
        else f"A hand of game {game.number} was played with that substitute"
        for position in plan.in_the_way
    ]
    for names in seated_by_hand(game.names, [*(slot.facts for slot in plan.after.hands), {NAMES: plan.after.pending}]):
        if name := seated_twice(names):
            return [], [f"{name} would sit in two seats of game {game.number}"]
    if not plan.changes:
        return [], stays
    last = _save(now, plan.changes).seq
    return [*range(last - len(plan.changes) + 1, last + 1)], stays


# --- writing ------------------------------------------------------------------------------------------------------


class _GameChanged(Exception):
    """The game has changed since it was read."""


def _read_again(game: Game) -> Snapshot:
    """Read a game inside the caller's transaction."""
    db.session.flush()
    return snapshot_of(game.id)


@contextmanager
def _locked(game: Game, token: str) -> Iterator[tuple[Snapshot, Saved | None]]:
    """Run a transaction with the club and the game locked.

    Yields the game, and what a form with this token saved before, if it was sent twice. Raises Conflict if that has
    been undone or redone since.
    """
    with db_write(game.club, game):
        now = _read_again(game)
        mine = select(Change).where(Change.game_id == game.id, Change.token == _stored(token))
        change = db.session.scalar(mine)
        if change and change.seq != now.version and change not in ChangeLog(game.changes).in_effect:
            raise Conflict(change.position, now.hand(change.position))
        yield now, Saved(now, change.seq, repeated=True) if change else None


def _save(game: Snapshot, changes: Sequence[PlannedChange], token: str = "", **columns: Any) -> Saved:
    """Apply and log changes, delete the drafts of their hands, and update statistics if the game is over.

    Inside a transaction. Locks the club and the game, unless it has; raises _GameChanged, before writing, if the game
    has changed since. A hand that does not count yet takes four round trips to PostgreSQL: BEGIN, the locks, all that
    is written, COMMIT.
    """
    first = (game.version or game.length) + 1
    entries = [replace(change, seq=seq) for seq, change in enumerate(changes, first)]
    before, *_, after = steps = states(game.log_state, entries)
    then = game.changed(after, first + len(changes) - 1)
    if any(NAMES in (facts or ()) for change in changes for facts in (change.before, change.after)):
        _check_seats(then)
    played = [entry for entry in entries if effect(entry) != SUBSTITUTE]
    if played and then.state == PAUSED and then.score.outcome:  # a finished game cannot be paused
        columns |= {"state": OPEN}
    then = replace(then, **columns)
    counts = bool(played) and (game.score.outcome or then.score.outcome) is not None
    session, connection = db.session(), db.session.connection()
    known = {"game": game.id, "was": game.version, "was_state": game.state, "club": game.club.id}
    known |= {"stats": game.club.stats_version} if counts else {}
    becomes = {"version": then.version, "state": then.state, "next_seats": dict(then.next_seats), **columns}
    if connection.execute(ADVANCE_AND_COUNT if counts else ADVANCE_VERSION, known | becomes).rowcount != 1:
        raise _GameChanged
    if game.version == 0 and game.length:
        _start_log(game)
    _add_players(game.club.id, played)
    about = {"game_id": game.id, "by": acting_name.get()}
    with in_one_round_trip(connection):
        for entry, state in zip(entries, steps, strict=False):
            if effect(entry) != SUBSTITUTE:
                _write_drafts(game.id, entry, len(state.hands))
        _write_hands(game.id, before.hands, after.hands)
        rows = [{name: getattr(entry, name) for name in LOGGED} | {"token": _stored(token)} for entry in entries]
        connection.execute(LOG, [about | row for row in rows])
    session.expire_all()
    if counts:
        tallies.update_tallies(then, is_new=game.score.outcome is None)
    return Saved(then, then.version)


def _start_log(game: Snapshot) -> None:
    """Begin the log of a game that has hands but no log: as if each had been saved in turn."""
    at = db.session.scalar(select(Game.created_at).where(Game.id == game.id))
    for position, facts in enumerate(game.facts, 1):
        entry = {"seq": position, "kind": RECORD, "position": position, "after": facts}
        db.session.execute(LOG, {"game_id": game.id, **entry, "token": _stored(""), "at": at})
    mine = update(Hand).where(Hand.game_id == game.id)
    db.session.execute(mine.values(version=Hand.position).execution_options(synchronize_session=False))


def _add_players(club_id: int, changes: Sequence[PlannedChange]) -> None:
    """Add the players to the club who sit down with these hands."""
    if named := [name for change in changes for name in seats_in(change.after).values()]:
        club = db.session.get_one(Club, club_id)
        find_or_add(club, named, find_players(club, named))
    db.session.flush()


def _write_hands(game_id: int, before: Sequence[Slot], after: Sequence[Slot]) -> None:
    """Write the hands that differ at their positions."""
    connection, had = db.session.connection(), len(before)
    both = enumerate(zip(before, after, strict=False), 1)
    changed = [{"game": game_id, "at": at, **slot._asdict()} for at, (was, slot) in both if was != slot]
    added = [{"game_id": game_id, "position": at, **slot._asdict()} for at, slot in enumerate(after[had:], had + 1)]
    for statement, rows in ((SET_HAND, changed), (ADD_HAND, added)):
        if rows:
            connection.execute(statement, rows)
    if len(after) < had:
        connection.execute(delete(Hand).where(Hand.game_id == game_id, Hand.position > len(after)))


def _write_drafts(game_id: int, change: PlannedChange, hands: int) -> None:
    """Delete the draft of a changed hand, and move the drafts of later hands if those move.

    `hands` is the number of hands before the change. Drafts move via negative positions, so that no two positions
    collide meanwhile.
    """
    drafts.drop(game_id, change.position)
    by = {RECORD: 1, REMOVE: -1}.get(effect(change))
    if by and change.position <= hands:
        mine = update(HandDraft).where(HandDraft.game_id == game_id).execution_options(synchronize_session=False)
        db.session.execute(mine.where(HandDraft.position > change.position).values(position=-HandDraft.position - by))
        db.session.execute(mine.where(HandDraft.position < 0).values(position=-HandDraft.position))


def _check_seats(game: Snapshot) -> None:
    """Raise Refused if a player would have two seats in a hand."""
    for position, names in enumerate(game.names_by_hand, 1):
        if name := seated_twice(names):
            sentence = f"{name} would sit in two seats in hand {position}"
            raise refusal("name-twice", sentence, f"hands[{position - 1}].names")


def _stored(token: str) -> str:
    """Return a form's token as stored: a hash if it is long or unprintable, a random token if empty."""
    if not token:
        return secrets.token_urlsafe()
    plain = len(token) <= TOKEN_LENGTH and token.isprintable()
    return token if plain else hashlib.sha256(token.encode()).hexdigest()


# --- from elsewhere -----------------------------------------------------------------------------------------------


def restore(game: Game, rows: Mapping[Any, list[Any]], next_seats: Mapping[str, str]) -> None:
    """Add a game from a club file, or update a game of the club from one.

    `rows` are its hands, its whole log, of which the game's own log is a prefix, and its drafts, by table and without
    the game's id; `next_seats` are the substitutes for the next hand. Inside the transaction of a caller that has
    checked all this and updates the tallies.
    """
    db.session.add(game)
    db.session.flush()
    for held in (Hand, HandDraft):
        db.session.execute(delete(held).where(held.game_id == game.id))
    for table, all_rows in rows.items():
        if new := all_rows[game.version if table is Change else 0 :]:
            db.session.execute(insert(table), [{"game_id": game.id, **row} for row in new])
    game.version, game.next_seats = len(rows[Change]), dict(next_seats)
    db.session.flush()
    db.session.expire(game, ["hands", "changes"])

"""The one writer of a game's hands, seats and state: each call is one transaction, and changes of hands and seats are
logged.

What a change does to a game, and what undo and redo take back, is worked out in change_log.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.attributes import flag_modified

from scorekeeper.database.session import Model, db, db_write, db_write_or_join, lock_shared
from scorekeeper.models import (
    ABANDONED,
    CORRECT,
    DETAILS,
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
    Tapped,
    seated,
    seated_by_hand,
    sits_twice,
)
from scorekeeper.scoring.facts import AdjustmentFacts, facts_where
from scorekeeper.scoring.hand import check_hand
from scorekeeper.scoring.problems import Problem, Refused
from scorekeeper.scoring.record import read_game, score_record
from scorekeeper.services import club_log, drafts
from scorekeeper.services.change_log import (
    NAMES,
    ChangeLog,
    Slot,
    State,
    apply,
    effect,
    only_seats,
    plan_without,
    seats_in,
)
from scorekeeper.services.game_reader import Snapshot
from scorekeeper.services.players_by_name import find_or_add, find_players, spelled
from scorekeeper.stats import tallies

TOKEN_LENGTH = 64
NOTED = ("note", "adjustments")
# Put together once: they run with every save.
ADD_HAND, LOG = insert(Hand), insert(Change)
MOVE_ON = update(Game).where(
    Game.id == bindparam("game"),
    Game.version == bindparam("was"),
    Game.state == bindparam("was_state"),
)
ADDED = ("dealer", "names", *NOTED)  # what a hand has where the form that is saved does not say it


@dataclass(frozen=True, slots=True)
class Saved:
    """A change that is in the log; `repeated` when it was there before this call."""

    change: Change
    repeated: bool = False


class Conflict(Exception):
    """Somebody was quicker. `theirs` is the hand at `position` now, None where there is none."""

    def __init__(self, position: int, theirs: Hand | None) -> None:
        super().__init__(f"hand {position} was changed by somebody else")
        self.position = position
        self.theirs = theirs.facts if theirs else None
        self.version = theirs.version if theirs else None


# --- whether it is played, and how it is entered -------------------------------------------------------------------


def set_state(game: Game, state: str, by: str | None = None, undoes: int | None = None) -> None:
    """Pause, abandon or resume a game; raises ValueError for anything else, and Refused to pause what is over.

    Only what changes whether a game counts is in the club's log: no pause is.
    """
    if state not in STATES:
        raise ValueError(f"a game is {', '.join(STATES)}, not {state}")
    with db_write_or_join(game.club, game):
        if state == PAUSED and game.score().outcome:
            raise Refused([Problem("game-over", "state", "the game is over, and cannot be paused")])
        before, game.state = game.state, state
        if before != state and ABANDONED in (before, state):
            tallies.update_tallies(game)
            was, now_is = ({"game": game.number, "state": one} for one in (before, state))
            club_log.add(game.club_id, club_log.STATE, game.uid, was, now_is, by, undoes)


def set_ways(game: Game, *, detail: str, auction: bool) -> None:
    """Remember how the table enters its hands; raises ValueError for an unknown detail."""
    if detail not in DETAILS:
        raise ValueError(f"a hand is entered by {', '.join(DETAILS)}, not by {detail}")
    if (game.detail, game.auction) != (detail, auction):
        with db_write(game.club, game):
            game.detail, game.auction = detail, auction


# --- substitutes --------------------------------------------------------------------------------------------------


def substitute(game: Game, seat: int, name: str, *, token: str = "", by: str | None = None) -> Saved | None:
    """Give a seat to a substitute from the next hand on; None if that player has it already.

    It is a change of its own: undone and redone by itself, and its hand undone without it. Raises Refused.
    """
    with db_write(game.club, game):
        earlier = _earlier(game, token)
        if earlier:
            return Saved(earlier, repeated=True)
        name = spelled(game.club, name)
        _check_substitute(game, seat, name)
        seats = {**game.next_seats, str(seat): name}
        if game.names_by_hand[-1][seat - 1] == name:
            del seats[str(seat)]
        return Saved(reseat(game, seats, token, by)) if seats != game.next_seats else None


def reseat(game: Game, seats: Mapping[str, str], token: str = "", by: str | None = None) -> Change:
    """Set the pending substitutes of the next hand, by seat; inside a transaction."""
    before, after = only_seats(game.next_seats), only_seats(seats)
    return _change(game, SUBSTITUTE, len(game.hands) + 1, before, after, token=token, by=by)


def settle(game: Game) -> None:
    """Cancel pending substitutes who already have a seat.

    That happens where a hand is corrected, or two players turn out to be one. Inside the transaction that did it.
    """
    names, stay = game.names_by_hand[-1], dict(game.next_seats)
    for seat, name in game.next_seats.items():
        others = seated(names, [{"names": {other: who for other, who in stay.items() if other != seat}}])
        if name.casefold() in [other.casefold() for other in others]:
            del stay[seat]
    if stay != game.next_seats:
        reseat(game, stay)


def _check_substitute(game: Game, seat: int, name: str) -> None:
    problems, names = [], game.names_next
    if game.paper is not None:
        problems.append(Problem("on-paper", "seat", "the game was scored on paper: it has no next hand"))
    if not 1 <= seat <= game.players:
        problems.append(Problem("no-such-seat", "seat", f"must be a seat from 1 to {game.players}"))
    if not name:
        problems.append(Problem("no-name", "name", "must be a name"))
    elif len(name) > NAME_LENGTH:
        problems.append(Problem("too-long", "name", f"must have at most {NAME_LENGTH} letters"))
    elif sits_twice([name, *names[: seat - 1], *names[seat:]]):
        problems.append(Problem("name-twice", "name", f"{name} is already at the table"))
    if problems:
        raise Refused(problems)


# --- hands --------------------------------------------------------------------------------------------------------


def save_next(
    game: Snapshot, facts: Facts, *, token: str, by: str | None, detail: str, auction: bool
) -> Snapshot | None:
    """The fast path: append one ordinary hand to `game` and return the new game.

    None, and nothing is written, where there is more to it, which `record_hand` sees to: somebody has changed the game
    since it was read, the hand ends it, or somebody takes a seat with it. Raises Refused.
    `detail` and `auction` are the table's way of entering hands (see `set_ways`).
    """
    has_log = game.version or not game.length
    if game.next_seats or not (has_log and game.takes_hands):
        return None
    facts = {"dealer": game.dealer_after(game.length)} | facts
    then = game.followed_by(facts)
    if then.score.outcome is not None:
        return None
    entry = {"seq": then.version, "kind": RECORD, "after": facts, "token": _stored(token), "by": by}
    return then if _write_next(game, then, {"detail": detail, "auction": auction}, entry) else None


def _write_next(before: Snapshot, after: Snapshot, ways: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Write the last hand of `after`; False, and nothing is written, where the game is not as `before` any more."""
    known = {"game": before.id, "was": before.version, "was_state": before.state}
    becomes = {"version": after.version, "state": after.state, **ways}
    place = {"game_id": before.id, "position": after.length}
    try:
        with db_write() as session:
            lock_shared(session, Club.id, before.club.id)
            connection = session.connection()
            if connection.execute(MOVE_ON, known | becomes).rowcount != 1:
                return False
            connection.execute(ADD_HAND, {**place, "facts": entry["after"], "version": after.version})
            connection.execute(LOG, {**place, **entry})
            drafts.drop(before.id, after.length)
    except IntegrityError:  # this form has saved another hand of this game
        return False
    return True


def record_hand(game: Game, facts: Facts, *, position: int, token: str, by: str | None = None) -> Saved:
    """Save the next hand, which must be the one at `position`.

    Raises Conflict when there is one already (from another form, or another hand from this one), and Refused with
    everything that is wrong with it; a dealer that is not said is whoever's turn it is. A paused game goes on by it.
    """
    with db_write(game.club, game):
        earlier = _earlier(game, token)
        if earlier and _asks_the_same(earlier, facts):
            return Saved(earlier, repeated=True)
        if earlier or position != len(game.hands) + 1:
            raise Conflict(position, _hand(game, position))
        seats = {seat: spelled(game.club, name) for seat, name in game.next_seats.items()}
        facts = {"dealer": next_dealer(game)} | (only_seats(seats) or {}) | facts
        _check_next(game, facts)
        game.state = OPEN
        return Saved(_change(game, RECORD, position, only_seats(game.next_seats), facts, token=token, by=by))


def correct_hand(
    game: Game, position: int, facts: Facts, *, hand_version: int, token: str, by: str | None = None
) -> Saved:
    """Replace the facts of a hand.

    A note is kept where the facts say none, and removed by an empty one. The game may end earlier or later: no other
    hand is touched. Raises Conflict when the hand is not the one of `hand_version` any more, and Refused.
    """
    with db_write(game.club, game):
        earlier = _earlier(game, token)
        if earlier and _asks_the_same(earlier, facts):
            return Saved(earlier, repeated=True)
        hand = _unchanged(game, position, None if earlier else hand_version)
        return _correct(game, hand, _with_added(hand.facts, facts), token, by)


def _with_added(before: Facts, facts: Facts) -> Facts:
    """The facts with what they do not say of the hand as it was; an empty note or list of adjustments removes it."""
    all_facts = facts_where(before, lambda key, _: key in ADDED) | facts
    return facts_where(all_facts, lambda key, fact: bool(fact) or key not in NOTED)


def _correct(game: Game, hand: Hand, facts: Facts, token: str, by: str | None) -> Saved:
    _check_in_place(game, hand.position, facts)
    return Saved(_change(game, CORRECT, hand.position, hand.facts, facts, token=token, by=by))


def adjust(
    game: Game,
    position: int,
    adjustments: Sequence[AdjustmentFacts],
    *,
    hand_version: int,
    token: str,
    by: str | None = None,
) -> Saved:
    """Correct all adjustments of a hand, as its facts hold them: {"unit": "B", "points": -2, "reason": "revoke"}.

    An empty list removes them. Raises Conflict like `correct_hand`, and Refused.
    """
    told = list(adjustments)
    with db_write(game.club, game):
        earlier = _earlier(game, token)
        if earlier:
            return Saved(earlier, repeated=True)
        hand = _unchanged(game, position, hand_version)
        facts = facts_where(hand.facts, lambda key, _: key != "adjustments")
        return _correct(game, hand, facts | Facts(adjustments=told) if told else facts, token, by)


def remove_hand(game: Game, position: int, *, hand_version: int, token: str, by: str | None = None) -> Saved:
    """Remove a hand; later hands move up. Raises Conflict like `correct_hand`.

    Who took a seat with it has that seat from the next hand on: a substitution is a change of its own.
    """
    with db_write(game.club, game):
        earlier = _earlier(game, token)
        if earlier:
            return Saved(earlier, repeated=True)
        hand = _unchanged(game, position, hand_version)
        seats = only_seats(seats_in(hand.facts))
        return Saved(_change(game, REMOVE, position, hand.facts, seats, token=token, by=by))


def next_dealer(game: Game) -> int:
    """Who deals the next hand."""
    return (game.score().next_dealer if game.hands else None) or game.first_dealer


def _facts(game: Game) -> list[Facts]:
    return [hand.facts for hand in game.hands]


def _hand(game: Game, position: int) -> Hand | None:
    return game.hands[position - 1] if 1 <= position <= len(game.hands) else None


def _unchanged(game: Game, position: int, version: int | None) -> Hand:
    hand = _hand(game, position)
    if hand is None or hand.version != version:
        raise Conflict(position, hand)
    return hand


def _earlier(game: Game, token: str) -> Change | None:
    """The change that this form made before, if it was sent twice."""
    same = select(Change).where(Change.game_id == game.id, Change.token == _stored(token))
    return db.session.scalar(same)


def _asks_the_same(change: Change, facts: Facts) -> bool:
    """Whether a form that was sent again says the same; if not, it is a new hand and must not be dropped."""
    return change.after is not None and change.after == _with_added(change.after, facts)


def _check_next(game: Game, facts: Facts) -> None:
    """Refuse a hand that cannot be the next one."""
    if game.paper is not None:
        raise Refused([Problem("on-paper", "", "the game was scored on paper: it has no hands")])
    if game.state == ABANDONED:
        raise Refused([Problem("abandoned", "", "the game is abandoned: resume it first")])
    score_record(game.record_of([*_facts(game), facts]))


def _check_in_place(game: Game, position: int, facts: Facts) -> None:
    """Refuse impossible facts, also for hands after the end of the game."""
    hands = _facts(game)
    hands[position - 1 : position] = [facts]
    played = read_game(game.record_of(hands))
    problems = check_hand(played.table, played.hands[position - 1], None)
    if problems:
        raise Refused(problem.under(f"hands[{position - 1}]") for problem in problems)


# --- undo and redo ------------------------------------------------------------------------------------------------


def undo(game: Game, *, token: str, by: str | None = None, game_version: int | None = None) -> Saved | None:
    """Undo the last change in effect; None when there is none.

    With `game_version`, raises Conflict when the game has moved on since that version was shown.
    """
    return _step(game, UNDO, token, by, game_version)


def redo(game: Game, *, token: str, by: str | None = None, game_version: int | None = None) -> Saved | None:
    """Redo what was undone last; None when nothing was undone, or the game was changed since."""
    return _step(game, REDO, token, by, game_version)


def find_change(game_id: int, seq: int) -> Change:
    """That entry of a game's log."""
    return db.session.scalars(select(Change).where(Change.game_id == game_id, Change.seq == seq)).one()


def _step(game: Game, kind: str, token: str, by: str | None, game_version: int | None) -> Saved | None:
    with db_write(game.club, game):
        earlier = _earlier(game, token)
        if earlier:
            return Saved(earlier, repeated=True)
        last = ChangeLog(game.changes).taken_back_by(kind)
        if last is None:
            return None
        if game_version not in (None, game.version):
            raise Conflict(last.position, _hand(game, last.position))
        change = _change(game, kind, last.position, last.after, last.before, token=token, by=by, undoes=last.seq)
        return Saved(change)


def take_back(game: Game, seqs: Collection[int], by: str | None) -> tuple[list[int], list[str]]:
    """Take back these changes, wherever they are in the log, and count the game again; inside a transaction.

    The changes that it took, by their `seq`, and why some stay, in sentences without their full stop.
    """
    plan = plan_without(_now(game), game.changes, seqs)
    stays = [
        f"Hand {position} of game {game.number} has changed again since"
        if position
        else f"A hand of game {game.number} was played with that substitute since"
        for position in plan.in_the_way
    ]
    for names in seated_by_hand(game.names, [*(slot.facts for slot in plan.after.hands), {NAMES: plan.after.coming}]):
        if name := sits_twice(names):
            return [], [f"{name} would sit in two seats of game {game.number}"]
    made = [_log(game, one.kind, one.position, one.before, one.after, by=by).seq for one in plan.changes]
    if made:
        _count_again(game)
    return made, stays


# --- writing ------------------------------------------------------------------------------------------------------


def _change(
    game: Game,
    kind: str,
    position: int,
    before: Facts | None,
    after: Facts | None,
    *,
    token: str,
    by: str | None,
    undoes: int | None = None,
) -> Change:
    """Change what is at `position` from `before` to `after`, log it, and count the game again."""
    change = _log(game, kind, position, before, after, token=token, by=by, undoes=undoes)
    if effect(change) != SUBSTITUTE:  # nobody has played yet by it
        _count_again(game)
    return change


def _count_again(game: Game) -> None:
    if game.state == PAUSED and game.score().outcome:  # it waits for nobody any more
        game.state = OPEN
    tallies.update_tallies(game)


def _log(
    game: Game,
    kind: str,
    position: int,
    before: Facts | None,
    after: Facts | None,
    *,
    token: str = "",
    by: str | None = None,
    undoes: int | None = None,
) -> Change:
    """Change what is at `position` from `before` to `after`, and write it into the log."""
    if game.version == 0:
        _write_down_hands(game)
    game.version += 1
    change = Change(
        game=game, seq=game.version, kind=kind, position=position, before=before, after=after,
        undoes=undoes, token=_stored(token), by=by,
    )  # fmt: skip
    db.session.add(change)
    _write(game, change)
    _check_seats(game)
    return change


def _now(game: Game) -> State:
    return State(tuple(Slot(hand.facts, hand.version) for hand in game.hands), game.next_seats)


def _take_out(game: Game, position: int) -> None:
    db.session.delete(game.hands[position - 1])
    db.session.flush()
    _move(game, position + 1, -1)


def _write_down_hands(game: Game) -> None:
    """Begin the log of a game that came with hands and without a log: each was saved, one after another."""
    for hand in game.hands:
        game.version += 1
        entry = {"seq": game.version, "kind": RECORD, "position": hand.position, "after": hand.facts}
        db.session.add(Change(game=game, **entry, token=_stored(""), at=game.created_at))
        hand.version = game.version


def _write(game: Game, change: Change) -> None:
    """Write what a change makes of the hands, and drop the draft of the hand it is about."""
    state, kind = apply(_now(game), change), effect(change)
    if kind != SUBSTITUTE:
        drafts.drop(game.id, change.position)
        named = list(seats_in(change.after).values())
        find_or_add(game.club, named, find_players(game.club, named))
    if kind == RECORD:
        _move(game, change.position, 1)
        db.session.add(Hand(game_id=game.id, position=change.position, facts=change.after, version=change.seq))
    elif kind == REMOVE:
        _take_out(game, change.position)
    for hand, slot in zip(game.hands, state.hands, strict=True):
        if (hand.facts, hand.version) != slot:
            hand.facts, hand.version = slot
            flag_modified(hand, "facts")  # equal facts in another order too: hand and log are the same to the letter
    game.next_seats = dict(state.coming)


def _check_seats(game: Game) -> None:
    """Refuse a change after which a player would have two seats in a hand."""
    sitting = [*game.names_by_hand[:-1], game.names_next]
    for position, names in enumerate(sitting, 1):
        if name := sits_twice(names):
            sentence = f"{name} would sit in two seats in hand {position}"
            raise Refused([Problem("name-twice", f"hands[{position - 1}].names", sentence)])


def _move(game: Game, first: int, by: int) -> None:
    """Renumber the hands from `first` on; negative numbers avoid clashes with the unique index.

    What has been tapped of a hand moves along with it.
    """
    for table in (Hand, Tapped):
        rows = update(table).where(table.game_id == game.id).execution_options(synchronize_session=False)
        db.session.execute(rows.where(table.position >= first).values(position=-table.position - by))
        db.session.execute(rows.where(table.position < 0).values(position=-table.position))
    db.session.expire(game, ["hands"])


def _stored(token: str) -> str:
    """A form's token as it is stored: a hash of a long or unprintable one, a random one for none."""
    if not token:
        return secrets.token_urlsafe()
    plain = len(token) <= TOKEN_LENGTH and token.isprintable()
    return token if plain else hashlib.sha256(token.encode()).hexdigest()


# --- from elsewhere -----------------------------------------------------------------------------------------------


def restore(
    game: Game,
    *,
    hands: Iterable[tuple[Facts, int]],
    log: Sequence[Mapping[str, Any]],
    next_seats: Mapping[str, str],
    tapped: Mapping[str, drafts.Fields],
) -> None:
    """Add a game from a club file, or bring one of the club up to date with it.

    `hands` are the facts, each with the version that changed it last; `log` is the whole log, the game's own being its
    beginning, `next_seats` the substitutes for the next hand, and `tapped` what was not saved yet. Inside a transaction
    of whoever has checked all that, and has updated the tallies.
    """
    db.session.add(game)
    db.session.flush()
    for held in (Hand, Tapped):
        db.session.execute(delete(held).where(held.game_id == game.id))
    stand = [{"position": place, "facts": facts, "version": at} for place, (facts, at) in enumerate(hands, 1)]
    waiting = [{"position": int(place), "fields": fields} for place, fields in tapped.items()]
    parts: tuple[tuple[type[Model], Sequence[Mapping[str, Any]]], ...]
    parts = (Hand, stand), (Change, log[game.version :]), (Tapped, waiting)
    for table, rows in parts:
        if rows:
            db.session.execute(insert(table), [{"game_id": game.id, **row} for row in rows])
    game.version, game.next_seats = len(log), dict(next_seats)
    db.session.flush()
    db.session.expire(game, ["hands", "changes"])

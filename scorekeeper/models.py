"""The database tables: clubs, players and the facts entered. Scores are not stored, but replayed from the facts."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import deepcopy
from datetime import date, datetime
from typing import Annotated, Any

from sqlalchemy import JSON, CheckConstraint, Double, ForeignKey, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from scorekeeper.database.session import Model, PackedJson, UtcDateTime, now, to_json
from scorekeeper.database.zones import LONGEST_NAME, UTC_NAME, server_zone, today_in
from scorekeeper.replay_cache import GameText, replayed
from scorekeeper.scoring.game import GameScore, Outcome
from scorekeeper.scoring.hand_facts import Facts as Facts  # one hand of a game record
from scorekeeper.scoring.record import FORMAT, find_table
from scorekeeper.scoring.table import Table

OptionalJson = JSON(none_as_null=True)
Json = dict[str, Any]  # contents of a JSON column
Form = list[list[Any]]  # a tally's latest games: [date, number, "W", "S" or "L"]
Sides = list[list[Any]]  # the sides of a game: [score, "W", "S" or "L", player ids]

OPEN, PAUSED, ABANDONED = STATES = ("open", "paused", "abandoned")
POINTS, CARDS, PLAY = DETAILS = ("points", "cards", "play")
ACCESS_KINDS = ("link", "passphrase")  # kinds of ClubChange about access; these cannot be undone
KINDS = ("record", "correct", "remove", "substitute", "undo", "redo")
RECORD, CORRECT, REMOVE, SUBSTITUTE, UNDO, REDO = KINDS
AFTER_END_KEY = "x-after-the-end"
FORFEIT = "forfeit"  # outcome reason of a game that was not played
ON_PAPER = "paper"  # outcome reason of a game scored on paper: its hands are not known
NAME_LENGTH = 80
WATCH, SCORE, MANAGE = ROLES = ("watch", "score", "manage")  # each role includes the ones before it
SEASONS_LATEST_FIRST = "Season.starts.desc(), Season.created_at.desc(), Season.uid"
TALLY_VERSION = 7  # increment whenever the statistics derived from a game change: see Club.counted
UID_LENGTH = 64
CREDIT_LENGTH = 8
PASSPHRASE_HASH_LENGTH = 200


# Column types shared by many tables.
Key = Annotated[int, mapped_column(primary_key=True)]
OfClub = Annotated[int, mapped_column(ForeignKey("club.id", ondelete="CASCADE"))]
OfGame = Annotated[int, mapped_column(ForeignKey("game.id", ondelete="CASCADE"))]
OfSeason = Annotated[int, mapped_column(ForeignKey("season.id", ondelete="CASCADE"))]
OfGroup = Annotated[int, mapped_column(ForeignKey("game_group.id", ondelete="CASCADE"))]
Name = Annotated[str, mapped_column(String(NAME_LENGTH))]
Uid = Annotated[str, mapped_column(String(UID_LENGTH))]
Word = Annotated[str, mapped_column(String(10))]
LongText = Annotated[str, mapped_column(Text)]
Credit = Annotated[str, mapped_column(String(CREDIT_LENGTH), default="")]
Count = Annotated[int, mapped_column(default=0)]
Flag = Annotated[bool, mapped_column(default=False, server_default=false())]
Float = Annotated[float, mapped_column(Double)]
Moment = Annotated[datetime, mapped_column(UtcDateTime)]
Since = Annotated[datetime, mapped_column(UtcDateTime, default=now)]
AsJson = Annotated[Json, mapped_column(OptionalJson)]
AsFacts = Annotated[Facts, mapped_column(OptionalJson)]


# The link that authorizes the current request, and the scorer's name on its device; both are stored with every change
# (see ByLink, and `by` in the logs).
acting_link: ContextVar[int | None] = ContextVar("acting_link", default=None)
acting_name: ContextVar[str | None] = ContextVar("acting_name", default=None)
ON_SERVER = ""  # the name that a change of the server's command line is stored with


@contextmanager
def acting_as(name: str | None) -> Iterator[None]:
    """Attribute the changes made in the `with` block to `name`, or to no name."""
    token = acting_name.set(name)
    try:
        yield
    finally:
        acting_name.reset(token)


def seated(names: Sequence[str], hands: Iterable[Facts]) -> list[str]:
    """Return player names by seat after `hands`: the starting players `names`, with substitutions applied."""
    names = list(names)
    for facts in hands:
        for seat, name in facts.get("names", {}).items():
            names[int(seat) - 1] = name
    return names


def seated_by_hand(names: Sequence[str], hands: Iterable[Facts]) -> list[list[str]]:
    """Return player names by seat for each of `hands`, followed by one entry for the seats after the last hand."""
    lines, sitting = [], list(names)
    for facts in hands:
        sitting = seated(sitting, [facts])
        lines.append(sitting)
    return [*lines, sitting]


def seated_twice(names: Sequence[str]) -> str | None:
    """Return a player's name that occupies two seats, compared case-insensitively; None if there is none."""
    known = [name.casefold() for name in names]
    return next((name for index, name in enumerate(names) if known[index] in known[:index]), None)


LONGEST_TYPED = 1000  # characters of a name that are processed: NFC composition takes quadratic time
# Printable, but nothing is seen: Hangul fillers, Braille without a dot, and a musical symbol.
BLANK = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"


def tidy_name(name: str) -> str:
    """Normalize a name for storage: single spaces, printable characters only, NFC; long input is truncated.

    "" if nothing would be seen of it: marks, such as accents, need a letter to be on.
    """
    seen = "".join(letter for letter in name[:LONGEST_TYPED] if letter.isprintable() or letter.isspace())
    tidy = " ".join(unicodedata.normalize("NFC", seen).split())
    return tidy if any(unicodedata.category(letter)[0] not in "MZ" for letter in tidy if letter not in BLANK) else ""


def new_key() -> str:
    """Return a random club key for URLs: 22 characters, never starting with a dash."""
    key = secrets.token_urlsafe(16)
    return key if not key.startswith("-") else new_key()


def new_uid() -> str:
    """Return a random id of 22 characters that is kept when a club moves to another database."""
    return secrets.token_urlsafe(16)


def uid_from(*content: object) -> str:
    """Return the uid of this content, such as a form's token with what the form says: sent twice, it makes one thing.

    >>> uid_from("token", 1) == uid_from("token", 1), uid_from("token", 1) == uid_from("token", 2)
    (True, False)
    """
    return hashlib.sha256(repr(content).encode()).hexdigest()[:22]


def new_link_uid() -> str:
    """Return a random id of 12 characters, by which a browser's cookie refers to a link."""
    return secrets.token_urlsafe(9)


def paper_score(paper: Mapping[str, Any]) -> GameScore:
    """Return the final score of a game from paper, whose hands are not known, or of a forfeit."""
    reason = FORFEIT if paper.get(FORFEIT) else ON_PAPER
    return GameScore((), dict(paper["totals"]), Outcome(reason, tuple(paper["winners"])), None)


class InClub:
    """Mixin: a row that belongs to a club."""

    id: Mapped[Key]
    club_id: Mapped[OfClub]


class InGame:
    """Mixin: a row that belongs to a game."""

    id: Mapped[Key]
    game_id: Mapped[OfGame]


class ByLink:
    """Mixin: stores the link that authorized the request which created the row.

    Not a foreign key: a link is deleted with its club or game, and so is this row.
    """

    link_id: Mapped[int | None] = mapped_column(default=lambda: acting_link.get())


class Club(Model):
    """A club: the people who play together. `key` is part of its URLs and grants no access; a Link does.

    `stats_version` is a random number, replaced whenever results, names or who counts change: a cache keyed by it is
    never stale, not even after an older backup is restored. 0: nothing was counted.
    `history_version` is another one, replaced whenever something changes before the latest day with a game that counts,
    and whenever that day changes (see `cached_by_history` in stats.query).
    `counted` is the TALLY_VERSION of the version that counted its games; if it differs, migrating counts them again.
    `zone` is the name of the club's time zone: its days begin there at midnight.
    `own_rules` are the rule sets that it has saved under a name (see custom_rules).
    `unrated_since` is the first day whose games must be rated again before ratings are read (see ratings).
    `passphrase` is a hash of the passphrase that gives a manager access again (see clubs).
    Some columns keep their original names, because databases and logs contain them.
    A deleted club is kept for a while.
    """

    __tablename__ = "club"

    id: Mapped[Key]
    key: Mapped[str] = mapped_column(String(22), unique=True, default=new_key)
    name: Mapped[Name]
    stats_version: Mapped[int] = mapped_column("books", default=0, server_default="0")
    history_version: Mapped[int] = mapped_column("settled", default=0, server_default="0")
    counted: Mapped[int] = mapped_column(default=TALLY_VERSION, server_default="0")
    unrated_since: Mapped[date | None]
    zone: Mapped[str] = mapped_column(String(LONGEST_NAME), default=server_zone, server_default=UTC_NAME)
    own_rules: Mapped[list[Json] | None] = mapped_column(OptionalJson, deferred=True)
    passphrase: Mapped[str | None] = mapped_column(String(PASSPHRASE_HASH_LENGTH))
    deleted_at: Mapped[Moment | None]
    created_at: Mapped[Since]

    players: Mapped[list[Player]] = relationship(back_populates="club", order_by="Player.name")
    games: Mapped[list[Game]] = relationship(back_populates="club", order_by="Game.number.desc()")
    seasons: Mapped[list[Season]] = relationship(back_populates="club", order_by=SEASONS_LATEST_FIRST)

    @property
    def today(self) -> date:
        """Return the current date in the club's time zone."""
        return today_in(self.zone, now())


class Player(ByLink, InClub, Model):
    """A club's player, identified by name; a guest plays but has no place in the standings.

    `mu` and `sigma` are the rating after the `rated` games that count (None before the first): see stats.ratings.
    """

    __tablename__ = "player"
    __table_args__ = (UniqueConstraint("club_id", "name"), UniqueConstraint("club_id", "uid"))

    name: Mapped[Name]
    uid: Mapped[Uid] = mapped_column(default=new_uid)
    guest: Mapped[Flag]
    retired: Mapped[Flag]
    mu: Mapped[Float | None]
    sigma: Mapped[Float | None]
    rated: Mapped[int] = mapped_column(default=0, server_default="0")

    club: Mapped[Club] = relationship(back_populates="players")


class Season(InClub, Model):
    """A named period of a club's games, with the settings of its table (see stats.schemes).

    `league` holds what an organizer has set besides the games (see stats.league); None when empty.

    A closed season keeps a snapshot of its table (`frozen`) and the contents of its other pages (`pages`, see
    stats.archive). If one of its games changes afterwards, the season is open again, and `reopened` says why; its `sum`
    shows whether an undo has made everything as it was when it was `closed` (see stats.tallies).
    """

    __tablename__ = "season"
    __table_args__ = (UniqueConstraint("club_id", "name"), UniqueConstraint("club_id", "uid"))

    uid: Mapped[Uid] = mapped_column(default=new_uid)
    name: Mapped[Name]
    starts: Mapped[date]
    ends: Mapped[date | None]
    settings: Mapped[AsJson]
    closed_at: Mapped[Moment | None]
    frozen: Mapped[AsJson | None]
    pages: Mapped[Json | None] = mapped_column(OptionalJson, deferred=True)
    reopened: Mapped[AsJson | None]
    league: Mapped[AsJson | None]
    created_at: Mapped[Since]

    club: Mapped[Club] = relationship(back_populates="seasons")


class Game(ByLink, InClub, Model):
    """A game with its own copy of its rules; `version` counts the changes of its hands.

    It counts in `season`, which decides who gets credit after a substitution, and in the seasons in `also`. An
    abandoned game is kept but does not count; the same holds for `left_out`. With `plays_on` it may have hands after
    the winning one, which do not count: earlier versions accepted such hands. `detail` and `auction` remember how the
    table enters hands: the level of detail, and whether bids are entered bid by bid. `paper` is set for a game whose
    hands are not known: {"totals": {unit: score}, "winners": [unit]}; a forfeit also has "forfeit": true and a score of
    0 for each unit. `next_seats` are the substitutes for the next hand, {"2": "Gil"}; when that hand is saved they
    become the `names` of its facts.
    """

    __tablename__ = "game"
    __table_args__ = (
        UniqueConstraint("club_id", "number"),
        UniqueConstraint("club_id", "uid"),
        # Indexes that find the latest games without scanning the others.
        Index("ix_game_club_id_played_number", "club_id", "played", "number"),
        Index("ix_game_club_id_created_at_number", "club_id", "created_at", "number"),
    )

    number: Mapped[int]
    rules: Mapped[Json] = mapped_column(PackedJson)  # the complete rule set, with house rules applied
    options: Mapped[AsJson]  # the house rules that were changed
    players: Mapped[int]
    teams: Mapped[int]  # 0: no teams, each player alone
    start: Mapped[dict[str, int] | None] = mapped_column(OptionalJson)  # scores carried over
    played: Mapped[date]
    first_dealer: Mapped[int]
    version: Mapped[Count]
    next_seats: Mapped[dict[str, str]] = mapped_column(JSON, default=dict)
    state: Mapped[Word] = mapped_column(default=OPEN, server_default=OPEN)
    plays_on: Mapped[Flag]
    detail: Mapped[Word] = mapped_column(default=POINTS, server_default=POINTS)
    auction: Mapped[Flag]
    previous_id: Mapped[int | None] = mapped_column(ForeignKey("game.id", ondelete="SET NULL"), index=True)
    uid: Mapped[Uid] = mapped_column(default=new_uid)
    season_id: Mapped[int | None] = mapped_column(ForeignKey("season.id", ondelete="SET NULL"), index=True)
    paper: Mapped[AsJson | None]
    left_out: Mapped[Flag]
    created_at: Mapped[Since]

    club: Mapped[Club] = relationship(back_populates="games")
    season: Mapped[Season | None] = relationship()
    also: Mapped[list[Season]] = relationship(secondary="game_season", order_by=SEASONS_LATEST_FIRST)
    seats: Mapped[list[Seat]] = relationship(order_by="Seat.number")
    hands: Mapped[list[Hand]] = relationship(order_by="Hand.position")
    changes: Mapped[list[Change]] = relationship(order_by="Change.seq")

    @property
    def seasons(self) -> list[Season]:
        """Return all seasons that the game counts in, the primary one first."""
        return list(filter(None, (self.season, *self.also)))

    @seasons.setter
    def seasons(self, seasons: Sequence[Season]) -> None:
        self.season, self.also = next(iter(seasons), None), list(seasons[1:])

    @property
    def season_ids(self) -> Sequence[int | None]:
        """Return the id of the primary season, or None, followed by the ids of the others."""
        return [self.season_id, *(season.id for season in self.also)]

    @property
    def facts(self) -> Sequence[Facts]:
        """Return the facts of its hands as entered, in order."""
        return [hand.facts for hand in self.hands]

    @property
    def names(self) -> list[str]:
        """Return player names by seat at the start of the game."""
        return [seat.player.name for seat in self.seats]

    @property
    def table(self) -> Table:
        """Return the table (seats, teams, deck) that its rules give for its number of players."""
        return find_table(self.rules, self.players, self.teams)

    def names_at(self, position: int) -> list[str]:
        """Return player names by seat for the hand at `position`; `names_next` for any position without a hand."""
        return self.names_by_hand[position - 1] if 1 <= position <= len(self.hands) else self.names_next

    @property
    def names_by_hand(self) -> list[list[str]]:
        """Return player names by seat for each hand, followed by one entry for the seats after the last hand."""
        return seated_by_hand(self.names, self.facts)

    @property
    def names_next(self) -> list[str]:
        """Return player names by seat for the next hand, including the substitutes who start with it."""
        return seated(self.names_by_hand[-1], [{"names": self.next_seats}])

    @property
    def score(self) -> GameScore:
        """Replay the hands and return the score; its `after_end` counts hands after the winning one."""
        if self.paper is not None:
            return paper_score(self.paper)
        start = None if self.start is None else to_json(self.start)
        hands = tuple(map(to_json, self.facts))
        return replayed(GameText(to_json(self.rules), self.players, self.teams, start, hands)).score

    def record(self) -> Json:
        """Return the game record. Hands after the winning one do not count and are stored under AFTER_END_KEY."""
        facts = [*map(deepcopy, self.facts)]
        counting = len(facts) - self.score.after_end
        record = self.record_of(facts[:counting])
        return record | {AFTER_END_KEY: facts[counting:]} if facts[counting:] else record

    def record_of(self, hands: list[Facts]) -> Json:
        """Return the game record with `hands` in place of the game's own."""
        record: Json = {
            "format": FORMAT,
            "rules": self.rules,
            "players": self.players,
            "teams": self.teams,
            "names": self.names,
            "played": self.played.isoformat(),
            "hands": hands,
        }
        return record if self.start is None else record | {"start": self.start}


# By start time, latest first; the start time of games from paper is not known.
BEGUN_LAST = Game.created_at.desc(), Game.number.desc()
LATEST_FIRST = Game.played.desc(), Game.number.desc()  # list order: games from paper are entered long after their day


class GameSeason(Model):
    """A season that a game counts in besides its primary one, `Game.season_id`."""

    __tablename__ = "game_season"

    game_id: Mapped[OfGame] = mapped_column(primary_key=True)
    season_id: Mapped[OfSeason] = mapped_column(primary_key=True, index=True)


class Seat(Model):
    """The player of a seat when a game begins; seats are numbered from 1, in the order of play."""

    __tablename__ = "seat"

    game_id: Mapped[OfGame] = mapped_column(primary_key=True)
    number: Mapped[Key]
    # Deferred until commit: deleting a club deletes its players before its games.
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id", deferrable=True, initially="DEFERRED"), index=True)

    player: Mapped[Player] = relationship(lazy="joined")


class Hand(InGame, Model):
    """A hand, also one after the winning hand; `version` is the `Game.version` of its last change."""

    __tablename__ = "hand"
    __table_args__ = (UniqueConstraint("game_id", "position"),)

    position: Mapped[int]  # from 1
    facts: Mapped[AsFacts]
    version: Mapped[int]


class HandDraft(InGame, Model):
    """The draft of a hand: the form fields as tapped so far, so that any phone can continue it."""

    __tablename__ = "tapped"
    __table_args__ = (UniqueConstraint("game_id", "position"),)

    position: Mapped[int]
    fields: Mapped[dict[str, list[str]]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now, onupdate=now)


class EditingSession(Model):
    """The device and person entering a hand that is not saved yet, shown so that nobody else enters it too.

    `version` is the game's version when the entry began: after any save, the entry counts again only after another tap.
    """

    __tablename__ = "entering"

    game_id: Mapped[OfGame] = mapped_column(primary_key=True)
    device: Mapped[str] = mapped_column(String(22), primary_key=True)
    position: Mapped[int]
    version: Mapped[int]
    by: Mapped[LongText | None]
    at: Mapped[Since]


class Change(ByLink, InGame, Model):
    """An entry of a game's append-only log: a change of the hand at `position` (see change_log).

    `undoes` is the `seq` of the entry that an undo or a redo reverts. `token` identifies the submitted form and makes
    the change idempotent: a form sent twice changes one thing.
    """

    __tablename__ = "change"
    __table_args__ = (
        UniqueConstraint("game_id", "seq"),
        UniqueConstraint("game_id", "token"),
        CheckConstraint(f"kind IN {KINDS}", name="kind"),
    )

    seq: Mapped[int]
    kind: Mapped[Word]
    position: Mapped[int]
    before: Mapped[AsFacts | None]
    after: Mapped[AsFacts | None]
    undoes: Mapped[int | None]
    token: Mapped[str] = mapped_column(String(64))
    by: Mapped[LongText | None]
    at: Mapped[Since]


# --- access control ---------------------------------------------------------------------------------------------------


class Link(InClub, Model):
    """A capability to watch, score or manage a club, or one game of it (see links).

    Only the `hash` of its secret is stored; `uid` identifies the link in the cookie of a browser that has opened it. A
    link that `waits` was requested by a phone and grants no access until a manager approves it.
    """

    __tablename__ = "link"
    __table_args__ = (
        UniqueConstraint("club_id", "uid"),
        UniqueConstraint("hash"),
        CheckConstraint(f"role IN {ROLES}", name="role"),
    )

    game_id: Mapped[OfGame | None] = mapped_column(index=True)
    role: Mapped[Word]
    label: Mapped[Name]
    uid: Mapped[str] = mapped_column(String(UID_LENGTH), default=new_link_uid)
    hash: Mapped[str] = mapped_column(String(64))
    waits: Mapped[Flag]
    by: Mapped[LongText | None]
    created_at: Mapped[Since]
    last_used_at: Mapped[Moment | None]
    revoked_at: Mapped[Moment | None]

    club: Mapped[Club] = relationship()
    game: Mapped[Game | None] = relationship()


# --- the club log, and deleted items ----------------------------------------------------------------------------------


class ClubChange(ByLink, InClub, Model):
    """An entry of a club's append-only log: a change other than of hands (see club_log).

    `subject` is the uid of the player, season or game changed; "" means the club. `undoes` is the `seq` of the entry
    that this one reverts.
    """

    __tablename__ = "club_change"
    __table_args__ = (UniqueConstraint("club_id", "seq"), UniqueConstraint("club_id", "undoes"))

    seq: Mapped[int]
    kind: Mapped[str] = mapped_column(String(20))
    subject: Mapped[Uid]
    before: Mapped[AsJson | None]
    after: Mapped[AsJson | None]
    undoes: Mapped[int | None]
    by: Mapped[LongText | None]
    at: Mapped[Since]


class Deleted(InClub, Model):
    """A deleted game, player or season in the format of a club file, kept for a while so that it can be restored.

    `number` is the number of a game, `kept` the data needed to restore the item (see undo/deletion.py).
    """

    __tablename__ = "deleted"
    __table_args__ = (UniqueConstraint("club_id", "kind", "uid"), Index("ix_deleted_at", "at"))

    kind: Mapped[Word]
    uid: Mapped[Uid]
    number: Mapped[int | None]
    kept: Mapped[Json] = mapped_column(JSON, deferred=True)
    at: Mapped[Since]


# --- statistics of finished games, which can be derived again ---------------------------------------------------------


class GameGroup(InClub, Model):
    """A group of games aggregated together: equal seasons (or none), rules, players and teams.

    `season_id` is the games' primary season, `also` the others that they count in. If `credit` names a credit rule,
    there is no primary season: the group counts the same games again for other seasons, which credit players by that
    rule.
    """

    __tablename__ = "game_group"
    __table_args__ = (Index("ix_game_group_club_id_season_id", "club_id", "season_id"),)

    season_id: Mapped[OfSeason | None]
    rules_id: Mapped[Name]
    players: Mapped[int]
    teams: Mapped[int]
    credit: Mapped[Credit]

    also: Mapped[list[Season]] = relationship(secondary="game_group_season")


class GroupSeason(Model):
    """A season that the games of a group count in besides their primary one."""

    __tablename__ = "game_group_season"

    group_id: Mapped[OfGroup] = mapped_column(primary_key=True)
    season_id: Mapped[OfSeason] = mapped_column(primary_key=True, index=True)


class Sums:
    """A player's statistics: of one game, or summed over many. For `detail` see stats.counting."""

    games: Mapped[Count]
    won: Mapped[Count]  # as the only winner
    shared: Mapped[Count]  # tied with other units
    lost: Mapped[Count]
    points_for: Mapped[Count]
    points_against: Mapped[Count]  # the best score among the other units
    hands: Mapped[Count]
    bids: Mapped[Count]  # as the bidder
    made: Mapped[Count]
    sets: Mapped[Count]  # as bidder or partner
    inflicted: Mapped[Count]  # bids set while the player defended
    forfeits: Mapped[int] = mapped_column(default=0, server_default="0")  # those of `games` that were not played


class Result(Sums, Model):
    """A finished game's result for one player who sat at its table, once for each `credit` (see GameGroup).

    `seat` and `unit` are those that the game counts as for the player, `place` the rank of that unit (1: won); 0 and ""
    if the game is credited to another player (see counting): the player's hands count, the game does not. `mu` and
    `sigma` are the rating after the game. The index ix_result_chosen covers every column that selects and counts games,
    because a result is a long row.
    """

    __tablename__ = "result"
    __table_args__ = (
        Index("ix_result_club_id_played_number", "club_id", "played", "number"),
        Index("ix_result_player_id_played_number", "player_id", "played", "number"),
        Index("ix_result_chosen", "group_id", "played", "seat", "games", "forfeits", "game_id"),
    )

    game_id: Mapped[OfGame] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    credit: Mapped[Credit] = mapped_column(primary_key=True)
    club_id: Mapped[OfClub]
    group_id: Mapped[OfGroup]
    played: Mapped[date]
    number: Mapped[int]
    seat: Mapped[int]
    unit: Mapped[str] = mapped_column(String(2))
    place: Mapped[int]
    mu_before: Mapped[Float | None]
    sigma_before: Mapped[Float | None]
    mu: Mapped[Float | None]
    sigma: Mapped[Float | None]
    detail: Mapped[dict[str, int]] = mapped_column(PackedJson, deferred=True)


LATEST_RESULT_FIRST = Result.played.desc(), Result.number.desc()


class Tally(Sums, Model):
    """A player's results summed over a group of games.

    `form` holds the latest five games as [played, number, "W", "S" or "L"], `beaten` the number of games won alone
    against each opponent, by player id.
    """

    __tablename__ = "tally"

    group_id: Mapped[OfGroup] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id", ondelete="CASCADE"), primary_key=True, index=True)
    form: Mapped[Form] = mapped_column(JSON)
    beaten: Mapped[dict[str, int]] = mapped_column(JSON)
    last_played: Mapped[date | None]
    detail: Mapped[dict[str, int]] = mapped_column(JSON, deferred=True)


class GameCount(Model):
    """Statistics of a finished game as a whole, once for each `credit`; for the columns see stats.counting."""

    __tablename__ = "game_count"

    game_id: Mapped[OfGame] = mapped_column(primary_key=True)
    credit: Mapped[Credit] = mapped_column(primary_key=True)
    played: Mapped[date]
    number: Mapped[int]
    rules_id: Mapped[Name]
    teams: Mapped[int]
    hands: Mapped[int]
    sides: Mapped[Sides] = mapped_column(JSON)
    bids: Mapped[dict[str, list[int]]] = mapped_column(JSON)
    pairs: Mapped[dict[str, list[int]]] = mapped_column(JSON)
    deeds: Mapped[AsJson]

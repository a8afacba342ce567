"""The tables: who plays, and what was entered. Scores are in none of them: they are replayed."""

from __future__ import annotations

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

from scorekeeper.database.packed import PackedJson
from scorekeeper.database.session import Model, UtcDateTime, now, to_json
from scorekeeper.database.zones import LONGEST, UTC_NAME, server_zone, today_in
from scorekeeper.replay_cache import GameText, replayed
from scorekeeper.scoring.game import GameScore, Outcome
from scorekeeper.scoring.hand_facts import Facts as Facts  # one hand of a game record
from scorekeeper.scoring.record import FORMAT, find_table
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table

OptionalJson = JSON(none_as_null=True)
Json = dict[str, Any]  # what a column of JSON holds
Form = list[list[Any]]  # games as a tally keeps them: the day, the number, and W, S or L
Sides = list[list[Any]]  # of a game, each: its score, W, S or L, its players

OPEN, PAUSED, ABANDONED = STATES = ("open", "paused", "abandoned")
POINTS, CARDS, PLAY = DETAILS = ("points", "cards", "play")
ACCESS_KINDS = ("link", "passphrase")  # kinds of ClubChange that say who is let in: they cannot be undone
KINDS = ("record", "correct", "remove", "substitute", "undo", "redo")
RECORD, CORRECT, REMOVE, SUBSTITUTE, UNDO, REDO = KINDS
AFTER_THE_END = "x-after-the-end"
FORFEIT = "forfeit"  # how a game ended that was not played
ON_PAPER = "paper"  # how a game ended that was scored on paper: its hands are not known
NAME_LENGTH = 80
WATCH, SCORE, MANAGE = ROLES = ("watch", "score", "manage")  # each lets one do what those before it do, too
SEASONS_LATEST_FIRST = "Season.starts.desc(), Season.created_at.desc(), Season.uid"
COUNTING = 6  # one more with every change of what is counted of a game: see Club.counted
UID_LENGTH = 64
CREDIT_LENGTH = 8
PASSPHRASE_HASH_LENGTH = 200


# Columns that many tables have.
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


# The link that lets the request at hand score or manage, and who is scoring on its device: both are kept with what it
# changes (see ByLink, and `by` in the logs).
acting_link: ContextVar[int | None] = ContextVar("acting_link", default=None)
acting_name: ContextVar[str | None] = ContextVar("acting_name", default=None)


@contextmanager
def acting_as(name: str | None) -> Iterator[None]:
    """Let what is changed meanwhile be by somebody, or by nobody."""
    token = acting_name.set(name)
    try:
        yield
    finally:
        acting_name.reset(token)


def seated(names: Sequence[str], hands: Iterable[Facts]) -> list[str]:
    """Who sits where after those hands: the players who started, and their substitutes since."""
    names = list(names)
    for facts in hands:
        for seat, name in facts.get("names", {}).items():
            names[int(seat) - 1] = name
    return names


def seated_by_hand(names: Sequence[str], hands: Iterable[Facts]) -> list[list[str]]:
    """Who sits where in each of those hands, and, the last entry, after them."""
    lines, sitting = [], list(names)
    for facts in hands:
        sitting = seated(sitting, [facts])
        lines.append(sitting)
    return [*lines, sitting]


def seated_twice(names: Sequence[str]) -> str | None:
    """A player with two of the seats, if there is one; upper and lower case are the same."""
    known = [name.casefold() for name in names]
    return next((name for index, name in enumerate(names) if known[index] in known[:index]), None)


LONGEST_TYPED = 1000  # letters of a name that are looked at: composing accents takes the square of their number


def tidy_name(name: str) -> str:
    """A name as it is stored: single spaces, visible letters only, accents composed (NFC); one too long is cut."""
    seen = "".join(letter for letter in name[:LONGEST_TYPED] if letter.isprintable() or letter.isspace())
    return " ".join(unicodedata.normalize("NFC", seen).split())


def new_key() -> str:
    """What a club's addresses begin with: 22 characters at random, never starting with a dash."""
    key = secrets.token_urlsafe(16)
    return key if not key.startswith("-") else new_key()


def new_uid() -> str:
    """An id that stays the same when a club moves to another database: 22 characters."""
    return secrets.token_urlsafe(16)


def new_link_uid() -> str:
    """What a browser's cookie calls a link that it holds: 12 characters."""
    return secrets.token_urlsafe(9)


def paper_score(paper: Mapping[str, Any]) -> GameScore:
    """The score of a game from paper, of which only the end is known, or of one that was not played."""
    reason = FORFEIT if paper.get(FORFEIT) else ON_PAPER
    return GameScore((), dict(paper["totals"]), Outcome(reason, tuple(paper["winners"])), None)


class InClub:
    """A row of a club."""

    id: Mapped[Key]
    club_id: Mapped[OfClub]


class InGame:
    """A row of a game."""

    id: Mapped[Key]
    game_id: Mapped[OfGame]


class ByLink:
    """Something with the link that let in the device that made it.

    Not a foreign key: a link goes with its club or its game, and so does this.
    """

    link_id: Mapped[int | None] = mapped_column(default=lambda: acting_link.get())


class Club(Model):
    """The people who play together; `key` is what their addresses begin with, and lets nobody in: a Link does.

    `stats_version` is a random number, replaced whenever results, names or who counts change: a cache with it in
    its keys is never out of date, not even after an older copy of the database is put back. 0: nothing was counted.
    `history_version` is another, replaced whenever something changes before the latest day with a game that counts,
    and when that day is another one (see `cached_by_history` in stats.query).
    `counted` is the COUNTING of the program that counted its games; where it is another, migrating counts them again.
    `zone` names the time zone it plays in: its days begin there at midnight.
    `own_rules` are the rule sets that it has saved under names (see custom_rules).
    `unrated_since` is the day since which its games are to be rated again, before anybody reads ratings (see ratings).
    `passphrase` is a hash of what a manager may come back with (see clubs).
    Some columns have the names that they were given first: databases and logs keep them.
    A club that was deleted is kept for a while.
    """

    __tablename__ = "club"

    id: Mapped[Key]
    key: Mapped[str] = mapped_column(String(22), unique=True, default=new_key)
    name: Mapped[Name]
    stats_version: Mapped[int] = mapped_column("books", default=0, server_default="0")
    history_version: Mapped[int] = mapped_column("settled", default=0, server_default="0")
    counted: Mapped[int] = mapped_column(default=COUNTING, server_default="0")
    unrated_since: Mapped[date | None]
    zone: Mapped[str] = mapped_column(String(LONGEST), default=server_zone, server_default=UTC_NAME)
    own_rules: Mapped[list[Json] | None] = mapped_column(OptionalJson, deferred=True)
    passphrase: Mapped[str | None] = mapped_column(String(PASSPHRASE_HASH_LENGTH))
    deleted_at: Mapped[Moment | None]
    created_at: Mapped[Since]

    players: Mapped[list[Player]] = relationship(back_populates="club", order_by="Player.name")
    games: Mapped[list[Game]] = relationship(back_populates="club", order_by="Game.number.desc()")
    seasons: Mapped[list[Season]] = relationship(back_populates="club", order_by=SEASONS_LATEST_FIRST)

    @property
    def today(self) -> date:
        """Which day it is where the club plays."""
        return today_in(self.zone, now())


class Player(ByLink, InClub, Model):
    """Somebody of a club, known by name; a guest plays and does not count.

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
    """A named stretch of a club's games, with the way its table is made up (see stats.schemes).

    `league` is what an organiser has set for it beside its games (see stats.league); None where that is nothing.

    A closed season keeps its table as it was then (`frozen`), and what its other pages show (`pages`, see
    stats.archive). When a game of it changes afterwards it is open again, and `reopened` says why.
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

    It counts in its `season`, which says whom it counts for after a substitution, and in those in `also`.
    An abandoned game is kept and does not count, and neither does one that is `left_out`. With `plays_on` it may have
    hands behind the one that won it, which do not count: earlier versions took such hands.
    The table's way of putting hands in is remembered: in which `detail`, and whether seat by seat (`auction`).
    Of a game from `paper` only the end is known: {"totals": {unit: score}, "winners": [unit]}; a forfeit, which was not
    played, has "forfeit": true there, too, and a score of 0 for everybody. `next_seats` are the substitutes for the
    next hand, {"2": "Gil"}; once it is saved they are the `names` of its facts.
    """

    __tablename__ = "game"
    __table_args__ = (
        UniqueConstraint("club_id", "number"),
        UniqueConstraint("club_id", "uid"),
        # The latest games are found without looking at the others, however many there are.
        Index("ix_game_club_id_played_number", "club_id", "played", "number"),
        Index("ix_game_club_id_created_at_number", "club_id", "created_at", "number"),
    )

    number: Mapped[int]
    rules: Mapped[Json] = mapped_column(PackedJson)  # the whole rule set, house rules applied
    options: Mapped[AsJson]  # the house rules that were switched on
    players: Mapped[int]
    teams: Mapped[int]  # 0: everybody alone
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
    previous: Mapped[Game | None] = relationship(remote_side="Game.id")
    seats: Mapped[list[Seat]] = relationship(back_populates="game", order_by="Seat.number")
    hands: Mapped[list[Hand]] = relationship(back_populates="game", order_by="Hand.position")
    changes: Mapped[list[Change]] = relationship(back_populates="game", order_by="Change.seq")

    @property
    def seasons(self) -> list[Season]:
        """All that it counts in, its first one first."""
        return [*([self.season] if self.season else []), *self.also]

    @property
    def season_ids(self) -> Sequence[int | None]:
        """The first one's, or None, and the others'."""
        return [self.season_id, *(season.id for season in self.also)]

    @property
    def facts(self) -> Sequence[Facts]:
        """Its hands, as they were written down."""
        return [hand.facts for hand in self.hands]

    @property
    def names(self) -> list[str]:
        """The players' names, one a seat, as they sat down."""
        return [seat.player.name for seat in self.seats]

    @property
    def table(self) -> Table:
        """Its rules with the seats taken."""
        return find_table(self.rules, self.players, self.teams)

    @property
    def rule_set(self) -> RuleSet:
        return RuleSet.from_dict(self.rules)

    def names_at(self, position: int) -> list[str]:
        """The players' names, one a seat, in the hand at `position`; from the next hand on, as in `names_next`."""
        return self.names_by_hand[position - 1] if 1 <= position <= len(self.hands) else self.names_next

    @property
    def names_by_hand(self) -> list[list[str]]:
        """The players' names, one a seat, in each hand, and, the last entry, after the last one."""
        return seated_by_hand(self.names, self.facts)

    @property
    def names_next(self) -> list[str]:
        """The players' names, one a seat, in the next hand: with the substitutes who start then."""
        return seated(self.names_by_hand[-1], [{"names": self.next_seats}])

    @property
    def score(self) -> GameScore:
        """The score after the hands so far, replayed; `after_end` counts those after the winning one."""
        if self.paper is not None:
            return paper_score(self.paper)
        start = None if self.start is None else to_json(self.start)
        hands = tuple(map(to_json, self.facts))
        return replayed(GameText(to_json(self.rules), self.players, self.teams, start, hands)).score

    def record(self) -> Json:
        """The game record. Hands after the winning one are in it under a key of their own: they do not count."""
        facts = [*map(deepcopy, self.facts)]
        counting = len(facts) - self.score.after_end
        record = self.record_of(facts[:counting])
        return record | {AFTER_THE_END: facts[counting:]} if facts[counting:] else record

    def record_of(self, hands: list[Facts]) -> Json:
        """The record that this game would have with these hands."""
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


# The game begun last first; of games from paper that is not known.
BEGUN_LAST = Game.created_at.desc(), Game.number.desc()
LATEST_FIRST = Game.played.desc(), Game.number.desc()  # as they are listed: games from paper come in much later


class GameSeason(Model):
    """A season that a game counts in besides its first one, which is `Game.season_id`."""

    __tablename__ = "game_season"

    game_id: Mapped[OfGame] = mapped_column(primary_key=True)
    season_id: Mapped[OfSeason] = mapped_column(primary_key=True, index=True)


class Seat(Model):
    """Who sits where when a game begins; seats are numbered from 1, in the order of play."""

    __tablename__ = "seat"

    game_id: Mapped[OfGame] = mapped_column(primary_key=True)
    number: Mapped[Key]
    # Looked at when the transaction ends: a club that is forgotten takes its players along before its games.
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id", deferrable=True, initially="DEFERRED"), index=True)

    game: Mapped[Game] = relationship(back_populates="seats")
    player: Mapped[Player] = relationship(lazy="joined")


class Hand(InGame, Model):
    """A hand as it stands, also one behind the winning hand; `version` is the game's version that changed it last."""

    __tablename__ = "hand"
    __table_args__ = (UniqueConstraint("game_id", "position"),)

    position: Mapped[int]  # from 1
    facts: Mapped[AsFacts]
    version: Mapped[int]

    game: Mapped[Game] = relationship(back_populates="hands")


class HandDraft(InGame, Model):
    """The draft of a hand: the fields of its form as tapped so far, so that any phone can go on."""

    __tablename__ = "tapped"
    __table_args__ = (UniqueConstraint("game_id", "position"),)

    position: Mapped[int]
    fields: Mapped[dict[str, list[str]]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now, onupdate=now)


class EditingSession(Model):
    """Who has begun to enter a hand that is not saved yet, and on which device, so that nobody else enters it, too.

    `version` is the game's when they did: once anything is saved, they have to tap again to be named again.
    """

    __tablename__ = "entering"

    game_id: Mapped[OfGame] = mapped_column(primary_key=True)
    device: Mapped[str] = mapped_column(String(22), primary_key=True)
    position: Mapped[int]
    version: Mapped[int]
    by: Mapped[LongText | None]
    at: Mapped[Since]


class Change(ByLink, InGame, Model):
    """One entry of a game's log, which only grows: what was done to the hand at `position` (see change_log).

    `undoes` is the `seq` of the entry that an undo or a redo takes back. `token` names the form that
    asked for the change, so that the same form sent twice changes one thing.
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

    game: Mapped[Game] = relationship(back_populates="changes")


# --- who may do what --------------------------------------------------------------------------------------------------


class Link(InClub, Model):
    """What lets somebody watch, score or manage a club, or one game of it (see links).

    Of its secret only the `hash` is here; `uid` is what the cookie of a browser calls it that has opened it. One that
    `waits` was asked for by a phone, and lets nobody in before a manager grants it.
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


# --- what was changed of a club, and what was deleted -----------------------------------------------------------------


class ClubChange(ByLink, InClub, Model):
    """One entry of a club's log, which only grows: what was changed beside the hands of its games (see club_log).

    `subject` is the uid of the player, season or game that it is about; "" is the club. `undoes` is the `seq` of the
    entry that this one takes back.
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
    """A game, player or season that was deleted, as a club file has it, kept for a while to be taken back.

    `number` is that of a game, `kept` what it takes to restore it (see undo/deletion.py).
    """

    __tablename__ = "deleted"
    __table_args__ = (UniqueConstraint("club_id", "kind", "uid"), Index("ix_deleted_at", "at"))

    kind: Mapped[Word]
    uid: Mapped[Uid]
    number: Mapped[int | None]
    kept: Mapped[Json] = mapped_column(JSON, deferred=True)
    at: Mapped[Since]


# --- what is worked out from finished games, and can be worked out again ----------------------------------------------


class GameGroup(InClub, Model):
    """The games that are added up together: of the same seasons (or of none), rules, players and teams.

    `season_id` is the games' first season, `also` the others that they count in. Where `credit` is a rule, it has no
    first season: the games are here once more for other seasons, which credit somebody else by that rule.
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
    """A season that the games of a group count in besides their first one."""

    __tablename__ = "game_group_season"

    group_id: Mapped[OfGroup] = mapped_column(primary_key=True)
    season_id: Mapped[OfSeason] = mapped_column(primary_key=True, index=True)


class Sums:
    """What is counted of a player: in one game, or added up over many. `detail` is described in stats.counting."""

    games: Mapped[Count]
    won: Mapped[Count]  # alone
    shared: Mapped[Count]  # with other units
    lost: Mapped[Count]
    points_for: Mapped[Count]
    points_against: Mapped[Count]  # the best of the others' scores
    hands: Mapped[Count]
    bids: Mapped[Count]  # as the bidder
    made: Mapped[Count]
    sets: Mapped[Count]  # suffered, as bidder or partner
    inflicted: Mapped[Count]  # bids that were set against the player
    forfeits: Mapped[int] = mapped_column(default=0, server_default="0")  # of the games, those that were not played


class Result(Sums, Model):
    """What a finished game was for one player who sat at its table; once for each `credit` (see GameGroup).

    `seat` and `unit` are where the game counts for the player, `place` how that unit came out (1: won); 0 and "" where
    it counts for somebody else (see counting): the hands count, the game does not. `mu` and `sigma` are the rating
    after the game. The index of games chosen has all that chooses and counts them: a result is a long row.
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

    player: Mapped[Player] = relationship(viewonly=True)
    game: Mapped[Game] = relationship(viewonly=True)
    group: Mapped[GameGroup] = relationship(viewonly=True)


class Tally(Sums, Model):
    """A player's results in a group of games added up.

    `form` holds the last five games as [played, number, W, S or L], `beaten` how many games were won, alone, against
    whom, by the other's id.
    """

    __tablename__ = "tally"

    group_id: Mapped[OfGroup] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id", ondelete="CASCADE"), primary_key=True, index=True)
    form: Mapped[Form] = mapped_column(JSON)
    beaten: Mapped[dict[str, int]] = mapped_column(JSON)
    last_played: Mapped[date | None]
    detail: Mapped[dict[str, int]] = mapped_column(JSON, deferred=True)

    player: Mapped[Player] = relationship(viewonly=True)
    group: Mapped[GameGroup] = relationship(viewonly=True)


class GameCount(Model):
    """What a finished game came to as one, for each `credit`: stats.counting says what is in its columns."""

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

"""Start games, import games from paper, and correct what is not in the hands: the day, and whether a game counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select

from scorekeeper.database.session import db, db_write, db_write_or_join, now
from scorekeeper.models import (
    BEGUN_LAST,
    FORFEIT,
    LATEST_FIRST,
    LATEST_RESULT_FIRST,
    OPEN,
    Club,
    Deleted,
    Game,
    Player,
    Result,
    Season,
    Seat,
    acting_as,
    tidy_name,
    uid_from,
)
from scorekeeper.scoring.problems import Problems, refusal
from scorekeeper.scoring.record import read_game
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table
from scorekeeper.stats import tallies

from . import club_log, deleted_items
from .seasons import count_again, running

RECENT = 20  # games searched for the rules played last


def create_game(
    club: Club,
    *,
    rules: RuleSet,
    options: Mapping[str, object],
    players: int,
    teams: int,
    names: Sequence[str],
    first_dealer: int,
    start: Mapping[str, int] | None = None,
    played: date | None = None,
    previous: Game | None = None,
    seasons: Sequence[Season] | None = None,
    once: bool = False,
    token: str = "",
) -> Game:
    """Start a game, finding or adding its players by name; raises Refused.

    `rules` include the house rules; `options` are the house rules that were changed, for display. The first of
    `seasons` is the primary one; None means the season that runs on that day. `once` returns the latest game instead if
    it is equal and nothing was entered in it yet. `token` identifies the form: sent twice, even much later, it starts
    one game.
    """
    table = {"rules": rules.to_dict(), "players": players, "teams": teams, "first_dealer": first_dealer}
    before, ways = previous.id if previous else None, _entry_settings(previous)  # the lock expires all objects
    with db_write(club):
        if token and deleted_items.find(club.id, deleted_items.GAME, token):
            token = ""  # the form's game was deleted, and may be restored
        begun_by_form = select(Game).where(Game.club_id == club.id, Game.uid == token)
        latest, earlier = latest_game(club), db.session.scalar(begun_by_form) if token else None
        if earlier and _is_same(earlier, table, names):
            return _with_seasons(earlier, seasons)
        if once and latest and latest.state == OPEN and _is_same(latest, table, names) and _is_new(latest):
            return _with_seasons(latest, seasons)
        known = find_players(club, names)
        before = before and db.session.scalar(select(Game.id).where(Game.id == before))
        if before is None and known:  # so that phones that show the table's last game can go on to this one
            before = _last_game_of_most([player.id for player in known.values()])
        day = played or club.today
        if seasons is None:
            seasons = running(club, day)[:1]
        game = Game(
            club=club,
            number=next_number(club),
            options=dict(options),
            start=None if start is None else dict(start),
            played=day,
            previous_id=before,
            seasons=seasons,
            seats=seats_of(club, names, known),
            **table,
            **(ways or _entry_settings(latest)),
        )
        if token and not earlier:
            game.uid = token
        if latest:  # it began after that one, whatever the clock says
            game.created_at = max(now(), latest.created_at)
        check_new_game(game)
        db.session.add(game)
        return game


def _last_game_of_most(players: Sequence[int]) -> int | None:
    """The id of the last game, of those that these players finished last, that most of its players are among.

    One player who moves to another table does not take the phones of the first one along.
    """
    mine = select(Result.game_id).order_by(*LATEST_RESULT_FIRST).limit(1)
    finished_last = [mine.where(Result.player_id == player).scalar_subquery() for player in players]
    present = Result.game_id == Game.id, Result.player_id.in_(players)
    shared = select(func.count(Result.player_id.distinct())).where(*present).scalar_subquery()
    together = select(Game.id).where(Game.id.in_(finished_last), 2 * shared > Game.players)
    return db.session.scalar(together.order_by(*BEGUN_LAST).limit(1))


def _with_seasons(game: Game, seasons: Sequence[Season] | None) -> Game:
    """Return an existing game; its seasons are changed to `seasons` if nothing was entered in it yet."""
    if seasons is not None and _is_new(game):
        game.seasons = seasons
    return game


def _is_new(game: Game) -> bool:
    """True if nothing was entered in a game yet."""
    return not (game.hands or game.changes)


def _is_same(game: Game, table: Mapping[str, object], names: Sequence[str]) -> bool:
    """True if the game has this table and these players started it."""
    if any(getattr(game, name) != value for name, value in table.items()):
        return False
    return [name.casefold() for name in game.names] == [tidy_name(name).casefold() for name in names]


def next_number(club: Club) -> int:
    """Return the next free game number; numbers of deleted games stay reserved for their restoration."""
    highest = [select(func.max(one.number)).where(one.club_id == club.id).scalar_subquery() for one in (Game, Deleted)]
    return max(number or 0 for number in db.session.execute(select(*highest)).one()) + 1


def latest_game(club: Club) -> Game | None:
    """Return the game started last, ignoring games from paper."""
    games = select(Game).where(Game.club_id == club.id, Game.paper.is_(None))
    return db.session.scalar(games.order_by(*BEGUN_LAST).limit(1))


def rules_played(club: Club) -> list[str]:
    """Return the rule set ids of a club's latest games, most recent first."""
    latest = select(Game.rules).where(Game.club_id == club.id).order_by(*LATEST_FIRST).limit(RECENT)
    return list(dict.fromkeys(rules["id"] for rules in db.session.scalars(latest)))


def _entry_settings(game: Game | None) -> dict[str, object]:
    """Return how the table enters its hands, as columns for its next game."""
    return {"detail": game.detail, "auction": game.auction} if game else {}


def seats_of(club: Club, names: Sequence[str], known: dict[str, Player]) -> list[Seat]:
    """Return seats for these players, in the order of play; `known` as in `find_or_add`."""
    players = find_or_add(club, names, known)
    return [Seat(number=number, player=player) for number, player in enumerate(players, start=1)]


def check_new_game(game: Game) -> None:
    """Raise Refused if the game cannot be played as it is set up."""
    problems = Problems()
    for index, name in enumerate(game.names):
        if name in game.names[:index]:
            problems.add("name-twice", f"names[{index}]", f"{name} is in two seats")
    if not 1 <= game.first_dealer <= game.players:
        problems.add("no-such-seat", "first_dealer", f"must be a seat from 1 to {game.players}")
    problems.attempt("", read_game, game.record_of([]))
    problems.check()


# --- players by their names ----------------------------------------------------------------------------------------


def find_players(club: Club, names: Sequence[str]) -> dict[str, Player]:
    """Return the players with these names by casefolded name. Loads only those, because the club is locked."""
    forms = {tidy_name(name).casefold() for name in names}
    rows = db.session.execute(select(Player.id, Player.name).where(Player.club_id == club.id))
    mine = Player.id.in_([number for number, name in rows if name.casefold() in forms])
    return {player.name.casefold(): player for player in db.session.scalars(select(Player).where(mine))}


def find_or_add(club: Club, names: Sequence[str], known: dict[str, Player]) -> list[Player]:
    """Return players by name from `known` (by casefolded name); missing ones are added to the club and to `known`."""
    for name in map(tidy_name, names):
        if name.casefold() not in known:
            known[name.casefold()] = player = Player(club=club, name=name)
            db.session.add(player)
    return [known[tidy_name(name).casefold()] for name in names]


def name_in_club(club: Club, name: str) -> str:
    """Return the club's spelling of a player's name, or the tidied name if unknown."""
    name = tidy_name(name)
    return next((one.name for one in club.players if one.name.casefold() == name.casefold()), name)


# --- from paper ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PaperGame:
    """A finished game scored on paper; `uid` is unique in a club."""

    uid: str
    table: Table
    names: tuple[str, ...]  # by seat
    played: date
    totals: Mapping[str, int]
    winners: tuple[str, ...]
    season: Season | None
    forfeit: bool = False  # not played


def record_paper_games(club: Club, paper_games: Sequence[PaperGame]) -> int:
    """Add games from paper, all or none, adding missing players by name; return the number of games added.

    Skips games that the club has, or that were deleted and can be restored. Raises Refused.
    """
    with acting_as(None), db_write(club) as session:  # the importer did not play these games
        uids, number = [one.uid for one in paper_games], next_number(club)
        here = set(session.scalars(select(Game.uid).where(Game.club_id == club.id, Game.uid.in_(uids))))
        here |= deleted_items.games_among(club.id, uids).keys()
        new = [one for one in paper_games if one.uid not in here]
        known = {player.name.casefold(): player for player in club.players}
        before = set(known)
        games = [_on_paper(club, one, number + index, known) for index, one in enumerate(new)]
        session.add_all(games)
        session.flush()
        count_again(club.id, games)
        if games:
            told = {"games": len(games), "updated": 0, "uids": [game.uid for game in games]}
            told["players"] = [player.uid for name, player in known.items() if name not in before]
            told |= {"forfeit": True, "game": games[0].number} if new[0].forfeit else {}
            club_log.add(club, club_log.IMPORT, None, told)
    return len(games)


def _on_paper(club: Club, told: PaperGame, number: int, known: dict[str, Player]) -> Game:
    units = told.table.units
    ended = {"totals": {unit: told.totals[unit] for unit in units}, "winners": list(told.winners)}
    game = Game(
        club=club,
        number=number,
        uid=told.uid,
        rules=told.table.rules.to_dict(),
        options={},
        players=told.table.players,
        teams=told.table.teams,
        played=told.played,
        first_dealer=1,
        season=told.season,
        paper=ended | ({FORFEIT: True} if told.forfeit else {}),
        seats=seats_of(club, told.names, known),
    )
    check_new_game(game)
    if not told.winners or set(told.winners) - set(units):
        raise refusal("no-winner", "the game needs a winner", "winners")
    return game


def record_forfeit(
    club: Club, table: Table, winners: Sequence[str], losers: Sequence[str], *, played: date, season: Season, token: str
) -> None:
    """Add a forfeit: a game that was not played, won by the first unit of the table, 0 to 0. Raises Refused.

    `winners` and `losers` are names in seat order. Idempotent for the same `token` and content, unless deleted.
    """
    won, lost = iter(winners), iter(losers)
    first = table.units[0]
    names = tuple(next(won if table.unit_of[seat] == first else lost) for seat in table.seats)
    uid = uid_from("forfeit", token, table.rules.id, names, played, season.uid)
    while deleted_items.games_among(club.id, [uid]):  # it may be restored
        uid = uid_from(uid)
    totals = dict.fromkeys(table.units, 0)
    record_paper_games(club, [PaperGame(uid, table, names, played, totals, (first,), season, forfeit=True)])


# --- corrections --------------------------------------------------------------------------------------------------


def set_counts(game: Game, counts: bool) -> None:
    """Set whether a game counts; if not, it is kept and shown, but is in no standings, ratings or records."""
    with db_write_or_join(game.club, game):
        if game.left_out == counts:
            game.left_out = not counts
            count_and_log(game, club_log.COUNTS, not counts, counts)


def set_day(game: Game, day: date) -> None:
    """Correct the day on which a game was played. Its seasons are not changed: see `outside_of`."""
    with db_write_or_join(game.club, game):
        before, game.played = game.played, day
        if before != day:
            count_and_log(game, club_log.DAY, before.isoformat(), day.isoformat())


def set_paper(game: Game, paper: Mapping[str, object]) -> None:
    """Correct how a game from paper came out."""
    with db_write_or_join(game.club, game):
        before, game.paper = game.paper, dict(paper)
        if before != paper:
            count_and_log(game, club_log.SCORE, before, paper, down_from=game.table.rules.win.scale.down_from)


def count_and_log(game: Game, kind: str, before: object, after: object, **named: object) -> None:
    """Count a game again after a change and log the change, inside the caller's transaction."""
    tallies.update_tallies(game)
    club_log.add_value(game, kind, kind, before, after, game=game.number, **named)


def outside_of(game: Game) -> list[Season]:
    """Return the seasons of a game whose dates do not include the day it was played."""
    return [
        season
        for season in game.seasons
        if game.played < season.starts or (season.ends is not None and game.played > season.ends)
    ]

"""Rows of the spreadsheet exports: standings, players and hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Club, Facts, Game, Player, seated_by_hand
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.table import Table
from scorekeeper.stats.query import Choice, PlayerStats, aggregate
from scorekeeper.stats.ratings import Rating
from scorekeeper.stats.schemes import RATING, SHARE, Scheme
from scorekeeper.stats.standings import Line, Standings
from scorekeeper.stats.tallies import all_games, counts
from scorekeeper.transfer.club_writer import Cell
from scorekeeper.web.common.narrator import unplayed
from scorekeeper.web.common.numbers import rating_at_least, rating_error, rating_number

Row = Sequence[Cell]
# Names of sums, and their column headings.
SUMS = {"games": "games", "won": "won", "lost": "lost", "shared": "tied"}
PLAYED = {"hands": "hands", "bids": "bids taken", "made": "bids made", "sets": "times set"}
PLAYED |= {"inflicted": "times opponents set"}
RATED = ("rating", "margin of error")
HAND = ("date", "game", "season", "rules", "does not count", "hand", "dealer", "bidder", "bid", "trump", "made")
UNIT = ("side", "took", "points", "change", "total")
LEAGUE = ("nights that count", "nights", "bonus")
RESULT = (*SUMS.values(), "win share", "points for", "points against", "average margin")


# --- standings ----------------------------------------------------------------------------------------------------


def standings_rows(table: Standings, scheme: Scheme) -> Iterator[Row]:
    """A table of players, unranked ones last."""
    entry = "pair" if scheme.is_of_pairs else "player"
    yield ("division", "place", entry, *RESULT, f"by {scheme.by}", *LEAGUE, "form", *RATED, "place before")
    for line in (*table.lines, *table.hidden):
        yield _line(line, scheme)


def _line(line: Line, scheme: Scheme) -> Row:
    record, extra = line.record, line.record.extra
    nights = (extra.counted, extra.days, extra.bonus) if extra else (None, None, None)
    who = line.division or None, line.place, line.player.name
    counts = _counted(line, scheme)
    return (*who, *_result(record), counts, *nights, line.form.replace("S", "T"), *_rating(record.rating), line.was)


def _result(record: PlayerStats) -> Row:
    sums = record.sums
    counts = [sums[name] for name in SUMS]
    return (*counts, record.share, sums["points_for"], sums["points_against"], record.margin)


def _rating(rating: Rating | None) -> Row:
    return (rating_number(rating.mu), rating_error(rating.sigma)) if rating else (None, None)


def _counted(line: Line, scheme: Scheme) -> Cell:
    """What the table is ordered by: a rating less its margin of error, a whole number of points, any other score."""
    if scheme.by == RATING:
        return rating_at_least(*line.record.rating) if line.record.rating else None
    return int(line.points) if scheme.by != SHARE and line.points == int(line.points) else line.points


# --- players ------------------------------------------------------------------------------------------------------


def player_rows(club: Club) -> Iterator[Row]:
    """All players of a club by name, with all-time totals."""
    yield ("player", "guest", "retired", *RESULT, *PLAYED.values(), *RATED, "rated games", "last played")
    found = aggregate(club, Choice()).records
    # Queried, not club.players: the export is sent after the request and its session have ended.
    players = db.session.scalars(select(Player).where(Player.club_id == club.id))
    for player in sorted(players, key=lambda player: player.name.casefold()):
        yield _player(player, found.get(player.id, PlayerStats()))


def _player(player: Player, record: PlayerStats) -> Row:
    rating = Rating(player.mu, player.sigma) if player.mu is not None and player.sigma is not None else None
    played = [record.sums[name] for name in PLAYED]
    last = record.last[0] if record.last else None
    said = _yes(player.guest), _yes(player.retired)
    return (player.name, *said, *_result(record), *played, *_rating(rating), player.rated, last)


def _yes(flag: bool) -> str:
    return "yes" if flag else ""


# --- hands --------------------------------------------------------------------------------------------------------


def hand_rows(club: Club) -> Iterator[Row]:
    """One row for each hand that counts in its game, with five cells for each unit."""
    tables = select(Game.players, Game.teams).where(Game.club_id == club.id).distinct()
    most = max(
        (teams or players for players, teams in db.session.execute(tables)), default=2
    )  # the most units of any table
    yield (*HAND, *(f"{what} {number}" for number in range(1, most + 1) for what in UNIT))
    width = len(HAND) + most * len(UNIT)
    for game in all_games(club):
        for row in _rows_of(game):
            yield row + [None] * (width - len(row))


def _rows_of(game: Game) -> Iterator[list[Cell]]:
    """The rows of one game."""
    named = "; ".join(season.name for season in game.seasons)
    about: list[Cell] = [game.played, game.number, named or None, str(game.rules["name"]), _yes(not counts(game))]
    seated = seated_by_hand(game.names, game.facts)
    for index, (score, facts, names) in enumerate(zip(game.score.hands, game.facts, seated, strict=False), 1):
        yield [*about, index, *_hand(game.table, score, facts, names), *_units(game.table, score, names)]


def _hand(table: Table, score: HandScore, facts: Facts, names: Sequence[str]) -> Row:
    dealer = names[score.dealer - 1]
    if score.bidder is None:
        return (dealer, None, unplayed(table, score).lower(), None, None)
    if not table.has_auction:
        return (dealer, None, None, facts.get("trump"), None)
    special = table.specials.get(score.bid or 0)
    bid = special.name if special else score.bid
    return (dealer, names[score.bidder - 1], bid, facts.get("trump"), "made" if score.made else "set")


def _units(table: Table, score: HandScore, names: Sequence[str]) -> Iterator[Cell]:
    scale = table.rules.win.scale
    for unit in table.units:
        called = " & ".join(names[seat - 1] for seat in table.seats_of[unit])
        side = score.sides.of_unit[unit] if score.sides else None
        points = score.points.items() if side else ()
        took = table.rules.called(key for key, point in points if point.side == side)
        earned = score.earned.get(side) if side else None
        yield from (called, ", ".join(took), earned, scale.change(score.change[unit]), scale.score(score.totals[unit]))

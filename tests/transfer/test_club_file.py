"""Export and import of a club file: complete, without duplicates, all or nothing."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import ABANDONED, ON_SERVER, Game, Player, Season, acting_as
from scorekeeper.services import games as game_service
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.services.change_log import ChangeLog
from scorekeeper.stats import tallies
from scorekeeper.stats.schemes import Scheme
from scorekeeper.transfer.importer import import_as_new_club, import_into_club
from scorekeeper.transfer.matching import preview_import
from scorekeeper.transfer.reader import ClubFile, LineRefused
from tests.classic import FOUR, SET, THREE_ONE, TWO_EACH, player, record, start_game
from tests.transfer.clubs import a_full_club, as_file, exported, game_of, new_club, tallies_of


def brought(club, content):
    report = import_into_club(club, as_file(content))
    return report.games | Counter(renumbered=report.renumbered)


def counts(new=0, known=0, newer=0, clash=0, renumbered=0):
    return Counter({"new": new, "known": known, "newer": newer, "clash": clash, "renumbered": renumbered})


def copied(club, name="Another"):
    """A new club with everything imported from `club`."""
    other = new_club(name)
    import_into_club(other, as_file(exported(club)))
    return other


def test_a_club_comes_back_to_the_byte(app_context):
    club = a_full_club()
    with acting_as(ON_SERVER):
        record(start_game(club), FOUR)
    before = exported(club)
    other = new_club("Another")
    assert brought(other, before) == counts(new=7)
    assert exported(other) == before
    assert tallies_of(other) == tallies_of(club)
    assert other.key not in before.decode()
    assert club.key not in before.decode()


def test_a_hand_corrected_by_what_it_was_comes_back_to_the_byte(app_context):
    """A correction keeps the note although it is not sent, so the facts are the same, in another order of keys."""
    game = start_game(new_club())
    record(game, FOUR | {"note": "misdeal"})
    hand_service.correct_hand(game, 1, FOUR, hand_version=1, token="c")
    content = exported(game.club)
    other, _ = import_as_new_club("Another", as_file(content))
    assert exported(other).splitlines()[1:] == content.splitlines()[1:]


def test_what_was_said_of_a_club_is_what_comes_of_it(app_context, full_club_file):
    other = new_club()
    seen, after = preview_import(other, as_file(full_club_file)), import_into_club(other, as_file(full_club_file))
    assert seen == after
    assert seen.takes_name
    assert len(seen.players_new) == 8
    assert seen.seasons_new == ["League", "Cup"]


def test_what_came_goes_on_where_it_was(app_context, full_club_file):
    """Undo and redo; a draft of a second hand, for which Hal waits; a closed season, which a game opens again."""
    other, _ = import_as_new_club(None, as_file(full_club_file))
    game = game_of(other, 1)
    assert len(game.hands) == 5
    hand_service.undo(game, token="1")
    assert game.score.totals == {"A": 4 - 2 + 3 + 4 + 4, "B": 0 + 3 + 1 + 0 + 0}
    assert ChangeLog(game.changes).next_undo.position == 5
    hand_service.redo(game, token="2")
    hand_service.correct_hand(game, 1, SET, hand_version=1, token="3")
    assert game.score.totals == {"A": -2 + 2 + 3 + 4 + 4, "B": 3 + 2 + 1 + 0 + 0}
    assert [change.by for change in game.changes][5:8] == ["Ann", None, "Bo"]

    game = game_of(other, 3)
    assert (game.state, game.auction, len(game.hands)) == ("paused", False, 1)
    record(game, {"bidder": 3, "bid": 3, "trump": "S", "called": "AH", "partner": None, "claims": {"high": "3"}})
    assert game.hands[1].facts["names"] == {"2": "Hal"}
    assert player("Hal", other)


def test_the_frozen_table_names_the_players_of_this_club(app_context, full_club_file):
    other, _ = import_as_new_club(None, as_file(full_club_file))
    season = db.session.scalars(select(Season).where(Season.club_id == other.id, Season.name == "League")).one()
    assert season.closed_at is not None
    assert season.frozen["champions"] == [player("Ann", other).id, player("Cy", other).id]
    assert [line["player"] for line in season.frozen["lines"][:2]] == [player("Ann", other).id, player("Cy", other).id]
    seasons.count_in(game_of(other, 6), season)
    assert (season.closed_at, season.reopened["game"]) == (None, 6)


def test_hands_without_a_log(club):
    """As another program may write them: there is nothing to undo, hands can be corrected, and the game goes on."""
    record(start_game(club), FOUR, SET | {"names": {"2": "Gil"}})
    content = with_line(exported(club), 7, lambda game: game["x-log"].clear())
    other, _ = import_as_new_club(None, as_file(content))
    game, line = game_of(other, 1), json.loads(content.splitlines()[-1])
    assert exported(other).splitlines()[-1] == json.dumps(line, separators=(",", ":")).encode()
    assert ChangeLog(game.changes).next_undo is None
    hand_service.correct_hand(game, 2, FOUR, hand_version=0, token="c")
    assert game.score.totals == {"A": 8, "B": 0}
    record(game, TWO_EACH)
    third, _ = import_as_new_club(None, as_file(exported(other)))
    assert exported(third) == exported(other)
    assert [change.kind for change in game_of(third, 1).changes] == ["record", "record", "correct", "record"]


def test_a_club_without_anything(app_context):
    content = exported(new_club("Nobody yet"))
    assert content.count(b"\n") == 1
    club, report = import_as_new_club(None, as_file(content))
    assert (club.name, report.changes_something) == ("Nobody yet", True)
    assert exported(club) == content


def test_a_frozen_table_speaks_of_the_same_players(club):
    """Annie was in the table when the season was closed; later she was merged into Ann."""
    seasons.begin(club, "League", date(2026, 1, 1), None, Scheme())
    record(start_game(club, names=["Annie", "Bo", "Cy", "Di"]), FOUR, FOUR, FOUR)
    ann_wins = start_game(club)
    record(ann_wins, FOUR, FOUR, FOUR)
    seasons.close(club.seasons[0])
    player_service.merge(player("Ann", club), player("Annie", club))
    content = exported(club)
    other, _ = import_as_new_club(None, as_file(content))
    lines = {line["name"]: line["player"] for line in other.seasons[0].frozen["lines"]}
    assert lines["Annie"] == lines["Ann"] == player("Ann", other).id
    assert lines["Bo"] == player("Bo", other).id
    assert exported(other) == content


def test_somebody_who_is_gone_stays_in_the_frozen_table_by_name(club):
    seasons.begin(club, "League", date(2026, 1, 1), None, Scheme())
    record(start_game(club), FOUR, FOUR, FOUR)
    seasons.close(club.seasons[0])
    content = with_line(exported(club), 6, lambda season: season["frozen"]["lines"][0].update(player=None))
    other, _ = import_as_new_club(None, as_file(content))
    ids = [line["player"] for line in other.seasons[0].frozen["lines"]]
    assert ids[0] is None
    assert None not in ids[1:]


def test_the_same_file_twice_doubles_nothing(app_context):
    club = a_full_club()
    before, kept = exported(club), tallies_of(club)
    assert brought(club, before) == counts(known=6)
    assert exported(club) == before
    assert tallies_of(club) == kept
    assert {season.name: season.closed_at is not None for season in club.seasons} == {"League": True, "Cup": False}


def test_players_are_known_by_uid_then_by_name(app_context, full_club_file):
    """Bo is called Bob here; the file's Cy is matched by name with the Cy of this club, and gets the games of both."""
    other = new_club("Older than the file")
    start_game(other, names=["CY", "Hal", "Ivy", "Jo"], played=date(2026, 1, 1))
    import_into_club(other, as_file(full_club_file))
    player_service.rename(player("Bo", other), "Bob")
    player_service.rename(player("Gil", other), "Gilbert")
    again = preview_import(other, as_file(full_club_file))
    assert (again.games["known"], again.games["clash"], again.players_new) == (6, 0, [])
    assert again.players_by_name == [("Cy", "CY")]
    assert [seat.player.name for seat in game_of(other, 2).seats] == ["Ann", "Bob", "CY", "Di"]
    assert other.name == "Older than the file"
    with db_write():
        kept = tallies_of(other)
        tallies.rebuild(other)
        assert tallies_of(other) == kept


def test_whoever_takes_a_seat_over_is_called_as_here(app_context, full_club_file):
    """Gil was renamed here before a newer file is imported: hands that name him get the new name."""
    club, _ = import_as_new_club(None, as_file(full_club_file))
    other = copied(club)
    player_service.rename(player("Gil", other), "Gilbert")
    hand_service.undo(game_of(club, 2), token="u")
    assert brought(other, exported(club)) == counts(known=5, newer=1)
    game = game_of(other, 2)
    assert game.hands[1].facts["names"] == {"2": "Gilbert"}
    assert len(game.hands) == 3
    hand_service.undo(game, token="1")
    hand_service.undo(game, token="2")
    hand_service.redo(game, token="3")
    assert game.hands[1].facts["names"] == {"2": "Gilbert"}


def test_two_of_the_file_are_never_one_player_here(club):
    """Ann was renamed Anna here; the file's Anna is another person, and needs another name."""
    record(start_game(club), FOUR, FOUR, FOUR)
    other = copied(club)
    player_service.rename(player("Ann", other), "Anna")
    record(start_game(club, names=["Anna", "Bo", "Ann", "Di"]), FOUR, FOUR, FOUR)
    report = import_into_club(other, as_file(exported(club)))
    assert report.players_new == ["Anna (2)"]
    assert game_of(other, 2).names == ["Anna (2)", "Bo", "Anna", "Di"]


def test_numbers_that_are_taken(app_context):
    club, other = new_club(), new_club("Another")
    for place, days in ((club, (3, 4, 5)), (other, (1, 2))):
        for day in days:
            record(start_game(place, played=date(2026, 1, day)), FOUR, FOUR, FOUR)
    content = exported(club)
    assert preview_import(other, as_file(content)).renumbered == 3
    assert brought(other, content) == counts(new=3, renumbered=3)
    ordered = db.session.scalars(select(Game).where(Game.club_id == other.id).order_by(Game.played))
    assert [(game.played.day, game.number) for game in ordered] == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    assert brought(other, content) == counts(known=3)
    assert player("Ann", other).rated == 5


def test_a_number_that_is_free_stays(app_context):
    club, other = new_club(), new_club("Another")
    for _ in range(3):
        start_game(club)
    start_game(other)
    import_into_club(other, as_file(exported(club)))
    assert sorted(game.number for game in other.games) == [1, 2, 3, 4]
    assert preview_import(other, as_file(exported(club))).games["known"] == 3


def test_the_game_that_opened_a_season_again_is_named_by_its_number_here(club):
    season = seasons.begin(club, "League", date(2026, 1, 1), None, Scheme())
    game = start_game(club)
    record(game, FOUR, FOUR, FOUR)
    seasons.close(season)
    hand_service.undo(game, token="u")
    other = new_club("Another")
    start_game(other)
    import_into_club(other, as_file(exported(club)))
    assert season.reopened["game"] == 1
    assert other.seasons[0].reopened["game"] == 2


def test_a_season_of_the_same_name_is_another_one(app_context):
    club, other = new_club(), new_club("Another")
    for place in (club, other):
        seasons.begin(place, "League", date(2026, 1, 1), None, Scheme())
    content = exported(club)
    assert preview_import(other, as_file(content)).seasons_new == ["League (2)"]
    import_into_club(other, as_file(content))
    import_into_club(other, as_file(content))
    assert sorted(season.name for season in other.seasons) == ["League", "League (2)"]


def test_a_game_that_has_gone_on_there_goes_on_here(club, game):
    record(game, FOUR)
    other = copied(club)
    record(game, SET, FOUR, FOUR)
    hand_service.correct_hand(game, 1, THREE_ONE, hand_version=1, token="c")
    hand_service.record_hand(game, FOUR, position=5, token="t")
    content = exported(club)
    report = import_into_club(other, as_file(content))
    assert report.games["newer"] == 1
    assert report.named["newer"] == [(1, "")]
    assert game_of(other, 1).score.totals == {"A": 3 - 2 + 4 + 4 + 4, "B": 1 + 3}
    assert tallies_of(other) == tallies_of(club)
    assert exported(other) == content


def test_a_game_that_has_gone_on_here_stays(club, game):
    record(game, FOUR)
    content = exported(club)
    record(game, FOUR)
    now = exported(club)
    assert brought(club, content) == counts(known=1)
    assert exported(club) == now


CLASHES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], str]] = {
    "hands": (lambda g: record(g, SET), lambda g: record(g, TWO_EACH), "its hands were changed here and in the file"),
    "state": (lambda g: hand_service.set_state(g, ABANDONED), lambda g: None,
     "it is abandoned in the file, but not here"),
    "counts": (lambda g: game_service.set_counts(g, counts=False), lambda g: None,
     "it counts here, but not in the file"),
    "season": (lambda g: seasons.count_in(g, seasons.begin(g.club, "Cup", date(2020, 1, 1), None, Scheme())),
     lambda g: None, "it is in another season"),
    "seats": (lambda g: player_service.merge(_stranger(g.club), player("Ann", g.club)), lambda g: None,
     "Ann played it here, Zoe in the file"),
    "player": (lambda g: player_service.replace_in(g, "Ann", "Zoe"), lambda g: None,
     "Ann played it here, Zoe in the file"),
    "substitute": (lambda g: player_service.replace_in(g, "Gil", "Zoe"), lambda g: None,
     "Gil played it here, Zoe in the file"),
}  # fmt: skip


def _stranger(club):
    player_service.add(club, "Zoe")
    return player("Zoe", club)


@pytest.mark.parametrize("what", CLASHES)
def test_a_game_that_was_changed_here_and_there_is_left_alone(app_context, what):
    there, here, why = CLASHES[what]
    club = new_club()
    game = start_game(club)
    if what == "substitute":
        hand_service.substitute(game, 2, "Gil")
    record(game, FOUR)
    other = copied(club)
    there(game_of(club, 1))
    here(game_of(other, 1))
    before = exported(other).splitlines()[-1]
    report = import_into_club(other, as_file(exported(club)))
    assert (report.games["clash"], report.named["clash"]) == (1, [(1, why)])
    assert exported(other).splitlines()[-1] == before


def test_what_a_club_has_stays_out_of_another(app_context, full_club_file):
    """The same file in two clubs: games, players and seasons have equal uids, and share nothing else."""
    club, _ = import_as_new_club(None, as_file(full_club_file))
    other = copied(club)
    kept = exported(club)
    record(game_of(other, 3), {"bidder": 1, "bid": 2, "trump": "H", "called": "KS", "partner": 2, "claims": {}})
    import_into_club(other, as_file(kept))
    assert exported(club) == kept


def with_line(content: bytes, number: int, change: Callable[[dict[str, Any]], Any]) -> bytes:
    lines = content.decode().splitlines()
    data = json.loads(lines[number - 1])
    change(data)
    lines[number - 1] = json.dumps(data)
    return "\n".join(lines).encode()


FIRST_GAME = 12  # its line in the file of a full club: the head, 8 players, 2 seasons, then the oldest game
CORRECTED = 13


def seated_next(line, names):
    """Make others wait for the next hand."""
    line["x-log"][1]["after"].update(names=names)


def in_two_seats(line):
    """Seat a player twice in hand 2."""
    log = line["x-log"]
    for facts in (line["hands"][1], log[1]["after"], log[2]["before"], log[2]["after"]):
        facts["names"].update({"3": "ANN"})


WRONG: dict[str, tuple[int, Callable[[dict[str, Any]], Any], str]] = {
    "another format": (1, lambda d: d.update(format="scorekeeper-club/2"), "line 1, format: this is not a club file"),
    "more games": (1, lambda d: d.update(games=5), "line 17: the file has more games than the 5 in its first line"),
    "an unknown key": (2, lambda d: d.update(key="secret"), "line 2, key: there is no key here"),
    "a player twice": (3, lambda d: d.update(name="ANN"), "line 3, name: there is a ANN in the file already"),
    "half a letter": (3, lambda d: d.update(name="\ud83c"), "line 3: has a number or a letter that is not valid"),
    "a season by nothing": (10, lambda d: d["settings"].update(by="luck"), "line 10, settings: is not a way to rank"),
    "a champion from elsewhere": (10, lambda d: d["frozen"].update(champions=["x"]), "line 10, frozen: must be a"),
    "a player after the seasons": (11, lambda d: d.update(type="player"), "line 11, type: the players come first"),
    "a hand that cannot be": (
     FIRST_GAME, lambda d: d["hands"][1].pop("trump"), "line 12, hands[1].trump: trump is missing"),
    "a game that goes on after its end": (
     FIRST_GAME, lambda d: d["hands"].append(d["hands"][0]), "line 12, hands[3]: the game was won in hand 3"),
    "a total": (FIRST_GAME, lambda d: d.update(totals={}), "line 12, totals: there is no totals here"),
    "a note": (FIRST_GAME, lambda d: d.update({"x-note": 1}), "line 12, x-note: there is no x-note here"),
    "no uid": (FIRST_GAME, lambda d: d.pop("x-uid"), "line 12, x-uid: must be text"),
    "a number too long": (FIRST_GAME, lambda d: d.update({"x-number": 10**9}), "line 12, x-number: must be a whole"),
    "a stranger in a seat": (
     FIRST_GAME, lambda d: d["x-seats"].__setitem__(0, "nobody"), "line 12, x-seats: must be 4 of the players"),
    "two in one seat": (
     FIRST_GAME, lambda d: d["x-seats"].__setitem__(0, d["x-seats"][1]), "line 12, x-seats: must be 4 of the"),
    "another name": (
     FIRST_GAME, lambda d: d["names"].__setitem__(0, "Zoe"), "line 12, names: must be the names of the players"),
    "another season": (FIRST_GAME, lambda d: d.update({"x-season": "?"}), "line 12, x-season: must be one of"),
    "a game before that is not there": (
     FIRST_GAME, lambda d: d.update({"x-previous": "?"}), "line 12, x-previous: there is no such game"),
    "a dealer from nowhere": (FIRST_GAME, lambda d: d.update({"x-first-dealer": 5}), "line 12, x-first-dealer"),
    "rules whose name no database takes": (
     FIRST_GAME, lambda d: d["rules"].update(id="x" * 81), "line 12, rules.id: must be text on one line"),
    "rules with a letter that no database takes": (
     FIRST_GAME, lambda d: d["rules"].update(name="\0"), "line 12, rules.name: must be text on one line"),
    "a day before all games": (FIRST_GAME, lambda d: d.update(played="0001-01-01"), "line 12, played: must be a date"),
    "no day at all": (FIRST_GAME, lambda d: d.pop("played"), "line 12, played: must be a date"),
    "no time": (FIRST_GAME, lambda d: d.update({"x-created": "2026-01-01T12:00:00"}), "line 12, x-created: must be a"),
    "a log that leads elsewhere": (FIRST_GAME, lambda d: d["x-log"].pop(), "line 12, x-log: does not end with"),
    "a log that says true for 1": (
     FIRST_GAME, lambda d: d["x-log"][0]["after"].update(bidder=True), "line 12, x-log: does not end with"),
    "a form that was sent twice": (
     FIRST_GAME, lambda d: d["x-log"][1].update(token=d["x-log"][0]["token"]), "line 12, x-log: two entries"),
    "an undo of nothing": (
     FIRST_GAME, lambda d: d["x-log"][0].update(kind="undo", undoes=1), "line 12, x-log[0]: there is nothing to un"),
    "another hand before": (
     CORRECTED, lambda d: d["x-log"][5]["before"].update(bid=3), "line 13, x-log[5]: hand 2 was not what it says"),
    "another undo": (CORRECTED, lambda d: d["x-log"][6].update(undoes=5), "line 13, x-log[6]: is not the undo that"),
    "a hand in the log that cannot be": (CORRECTED,
     lambda d: [d["x-log"][n][key].update(trump="X") for n, key in ((1, "after"), (5, "before"), (6, "after"),
     (7, "before"))], "line 13, x-log[1].after.trump: trump must be S, H, D or C"),
    "a hand behind the end that cannot be": (CORRECTED,
     lambda d: [d["x-after-the-end"][0].update(bid=99), d["x-log"][4]["after"].update(bid=99)],
     "line 13, x-after-the-end[0].bid: there is no bid of 99"),
    "a game from paper with hands": (
     FIRST_GAME, lambda d: d.update({"x-paper": {"totals": {"A": 1, "B": 2}, "winners": ["B"]}}), "line 12, x-log"),
    "a game from paper that nobody won": (
     FIRST_GAME, lambda d: d.update({"x-paper": {"totals": {"A": 1, "B": 2}, "winners": []}}), "x-paper.winners"),
    "somebody in two seats": (14, in_two_seats, "line 14, hands[1].names: ANN sits in two seats"),
    "a substitute for nobody": (
     15, lambda d: seated_next(d, {"9": "Hal"}), "line 15, x-log[1].after.names: must be names by seat"),
    "substitutes who are a number": (15,
     lambda d: [seated_next(d, 5), d["x-log"].append(d["x-log"][1] | {"token": "t", "before": {"names": 5}})],
     "line 15, x-log[1].after.names: must be names by seat"),
    "a substitute without a name": (
     15, lambda d: seated_next(d, {"2": "Hal\n"}), "line 15, x-log[1].after.names: must give each"),
    "a substitute who sits there": (
     15, lambda d: seated_next(d, {"2": "ann"}), "line 15, x-log: ann would sit in two seats"),
    "a substitution in an earlier hand": (
     15, lambda d: d["x-log"][1].update(position=1), "line 15, x-log[1]: hand 1 is not the next hand"),
    "a substitution of others than there were": (
     15, lambda d: d["x-log"][1].update(before={"names": {"3": "Eve"}}), "line 15, x-log[1]: the players"),
    "a substitution that is called a hand": (
     15, lambda d: d["x-log"][1].update(kind="record"), "line 15, x-log[1]: before and after do not make a record"),
    "no fields": (15, lambda d: d["x-tapped"]["2"].update(bid=[]), "line 15, x-tapped.2: must be the fields"),
}  # fmt: skip


NOT_THERE = "a game before that is not there"  # only the import knows which games are here


@pytest.mark.parametrize("what", [what for what in WRONG if what != NOT_THERE])
def test_a_line_that_cannot_be_is_refused(full_club_file, what):
    number, change, said = WRONG[what]
    with pytest.raises(LineRefused) as refused:
        list(ClubFile(as_file(with_line(full_club_file, number, change))).games())
    assert said in str(refused.value)


@pytest.mark.parametrize("what", ["another format", "a champion from elsewhere", NOT_THERE, "no fields"])
def test_a_line_that_cannot_be_leaves_everything_as_it_was(app_context, full_club_file, what):
    """The first and the last line, and lines between."""
    number, change, said = WRONG[what]
    other = new_club("Another")
    record(start_game(other), FOUR, FOUR, FOUR)
    before = exported(other), tallies_of(other)
    with pytest.raises(LineRefused) as refused:
        import_into_club(other, as_file(with_line(full_club_file, number, change)))
    assert said in str(refused.value)
    assert (exported(other), tallies_of(other)) == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "line 1: the file is empty"),
        (b"\n \n", "line 1: the file is empty"),
        (b"hello", "line 1: not JSON"),
        (b"[1]", "line 1: must be a JSON object"),
        (b'{"format": "scorekeeper-club/1", "format": 1}', "names 'format' twice"),
        (b"\xff\xfe{}", "line 1: is not UTF-8 text"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"format": "setback-game/1"}', "line 1, format: this is not a club file"),
        (b'{"a": NaN}', "line 1: has a number or a letter that is not valid"),
        (b'{"a": 1e999}', "line 1: has a number or a letter that is not valid"),
    ],
)
def test_what_is_no_club_file(club, content, said):
    with pytest.raises(LineRefused) as refused:
        import_into_club(club, as_file(content))
    assert said in str(refused.value)


def test_a_line_longer_than_any_game(club, monkeypatch):
    monkeypatch.setattr("scorekeeper.transfer.reader.LONGEST_LINE", 300)
    with pytest.raises(LineRefused, match="line 1: the line is too long"):
        preview_import(club, as_file(b'{"format":"' + b"x" * 300 + b'"}'))


def test_a_part_of_a_file(app_context, full_club_file):
    """A download that broke off between two lines is refused."""
    lines = full_club_file.splitlines(keepends=True)
    with pytest.raises(LineRefused, match="the file should have 6 games but has 4: part of it is missing"):
        import_as_new_club(None, as_file(b"".join(lines[:-2])))
    assert db.session.scalars(select(Player)).all() == []

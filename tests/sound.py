"""Consistency check of a club: tallies match hands, logs lead to hands, and its file can be imported."""

from scorekeeper.models import Club, Game
from scorekeeper.services.change_log import Slot, State, state_before_log, states
from scorekeeper.stats.verify import check_tallies
from scorekeeper.transfer.importer import import_as_new_club
from tests.transfer.clubs import as_file, exported


def check_club(club: Club) -> None:
    assert check_tallies(club).wrong == ()
    for game in club.games:
        if game.paper is None:
            check_log(game)
    content = exported(club)
    again, _ = import_as_new_club(None, as_file(content))
    assert exported(again) == content


def check_log(game: Game) -> None:
    """The change log leads to the hands, and the game can be replayed."""
    now = State(tuple(Slot(hand.facts, hand.version) for hand in game.hands), game.next_seats)
    last = states(state_before_log(now, game.changes), game.changes)[-1]
    assert [facts for facts, _ in last.hands] == [hand.facts for hand in game.hands]
    assert [hand.position for hand in game.hands] == list(range(1, len(game.hands) + 1))
    assert game.score.totals

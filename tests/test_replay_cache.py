"""Cache of replayed games: the key is all that a game depends on, the bound is a number of hands."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from scorekeeper import replay_cache as played
from scorekeeper.database.cache import BoundedCache
from scorekeeper.database.session import db_write
from scorekeeper.models import Game
from scorekeeper.replay_cache import GameText, Replayed, replayed
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services.game_reader import read_snapshot

RULES = json.dumps(find_rules("classic").to_dict())
ALL_FOUR = json.dumps({"bidder": 1, "bid": 3, "trump": "H", "claims": dict.fromkeys(("high", "low", "game"), "A")})


def text_of(*hands: str, start: str | None = None) -> GameText:
    return GameText(RULES, 4, 2, start, hands)


def first_hand(dealer: int = 4) -> str:
    return json.dumps({"dealer": dealer, **json.loads(ALL_FOUR)})


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> BoundedCache[Replayed]:
    """An empty cache for ten hands."""
    monkeypatch.setattr(played, "_cache", BoundedCache[Replayed](10, played._weight))
    return played._cache


def test_the_same_text_is_played_once(kept: BoundedCache[Replayed]) -> None:
    assert replayed(text_of(first_hand())) is replayed(text_of(first_hand()))
    assert len(kept) == 1


def test_other_rules_other_scores_and_other_hands_are_another_game(kept: BoundedCache[Replayed]) -> None:
    """High, Low and Game are 3 points for A; from 5 they lead to 8."""
    ends = [replayed(text_of(first_hand(), start=start)).score.totals["A"] for start in (None, '{"A": 5, "B": 0}')]
    assert ends == [3, 8]
    assert replayed(text_of(first_hand(dealer=2))).score.next_dealer == 3
    assert len(kept) == 3


def test_a_hand_more_is_all_that_is_scored(kept: BoundedCache[Replayed]) -> None:
    one, two = replayed(text_of(first_hand())), replayed(text_of(first_hand(), ALL_FOUR))
    assert two.score.totals == {"A": 6, "B": 0}
    assert two.scores[0] is one.scores[0]


def test_a_game_without_hands_is_replayed_by_two_requests_at_once(
    kept: BoundedCache[Replayed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other request stores it between this one's look into the cache and its replay."""
    get, looks = kept.get, list[object]()

    def get_late(key: object) -> Replayed | None:
        looks.append(key)
        if len(looks) > 1:
            return get(key)
        replayed(text_of())
        return None

    monkeypatch.setattr(kept, "get", get_late)
    assert replayed(text_of()).score.totals == {"A": 0, "B": 0}


def test_games_of_the_same_rules_hold_their_text_once(kept: BoundedCache[Replayed]) -> None:
    """The database returns a new string for each."""
    texts = [text_of(first_hand(dealer))._replace(rules=json.dumps(json.loads(RULES))) for dealer in (1, 2, 3)]
    texts.append(text_of(first_hand(1), ALL_FOUR)._replace(rules=json.dumps(json.loads(RULES))))
    assert len({id(text.rules) for text in texts}) == 4
    assert len({id(replayed(text).text.rules) for text in texts}) == 1


def test_as_many_games_are_kept_as_have_so_many_hands(kept: BoundedCache[Replayed]) -> None:
    for number in range(30):
        replayed(text_of(*[first_hand()] * 3, start=json.dumps({"A": number % 5, "B": -number})))
        assert kept.weight <= 10
    assert len(kept) == 2


def test_a_game_longer_than_all_that_is_kept_is_kept_alone(kept: BoundedCache[Replayed]) -> None:
    long = replayed(text_of(*[first_hand()] * 12))
    assert (len(kept), replayed(long.text)) == (1, long)
    replayed(text_of())
    assert kept.get(long.text) is None


def test_a_hand_that_cannot_be_is_refused_each_time(kept: BoundedCache[Replayed]) -> None:
    for _ in range(2):
        with pytest.raises(Refused):
            replayed(text_of(json.dumps({"dealer": 9})))
    assert len(kept) == 0


def test_many_threads_keep_no_more(kept: BoundedCache[Replayed]) -> None:
    def ask(number: int) -> Replayed:
        return replayed(text_of(*[first_hand()] * (number % 5), start=json.dumps({"A": number % 7, "B": 0})))

    with ThreadPoolExecutor(8) as pool:
        games = list(pool.map(ask, range(400)))
    assert [game.text.start for game in games] == [json.dumps({"A": number % 7, "B": 0}) for number in range(400)]
    assert kept.weight == sum(played._weight(game) for game in kept._values.values()) <= 10


def test_hand_entry_and_the_ledger_keep_one_and_the_same(game: Game, kept: BoundedCache[Replayed]) -> None:
    with db_write():
        game.start = {"A": 2, "B": 1}
    snapshot = read_snapshot(game.club.key, game.number)
    assert snapshot.score is game.score

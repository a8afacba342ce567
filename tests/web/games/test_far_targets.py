"""A game to 999: all its pages are as fast as those of a game to 11."""

from random import Random

from scorekeeper.scoring.table import Table
from scorekeeper.services import hands as hand_service
from scorekeeper.services.games import create_game
from scorekeeper.simulator import draw_styles
from scorekeeper.stats import odds
from tests.shapes import every_format
from tests.simulator.games import simulate_game

NO_ODDS = "No odds for games with these rules."
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"]


@every_format
def test_one_hand_of_a_game_to_999(rules, players, teams, client, club, monkeypatch):
    """Its story shows the hand and the score, and does not compute chances."""

    def never(*_):
        raise AssertionError("chances were worked out")

    monkeypatch.setattr(odds, "_chain", never)
    options = {"win.target": 999, "win.all_points": "nobody"}  # so that one hand cannot end the game
    far, rng = rules.override(options), Random("999")
    hand = simulate_game(Table(rules, players, teams), rng, draw_styles(rng, players))[0]
    game = create_game(
        club, rules=far, options=options, players=players, teams=teams, names=NAMES[:players],
        first_dealer=hand.get("dealer", 1),
    )  # fmt: skip
    hand_service.record_hand(game, hand, position=1, token="one")
    address = f"/c/{club.key}/games/{game.number}/"
    story = client.get(f"{address}story")
    assert story.status_code == 200
    assert NO_ODDS in story.text
    assert 'id="score-by-hand"' in story.text
    for page in ("", "board", "board/now", "history", "hands/new", "hands/1/", "game.json"):
        assert client.get(f"{address}{page}").status_code == 200
    for page in ("", "standings", "standings/charts", "standings/records"):
        assert client.get(f"/c/{club.key}/{page}", follow_redirects=True).status_code == 200, page

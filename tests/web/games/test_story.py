"""The story of a game in sentences and charts, and games from paper, which have none."""

import re
from datetime import date
from random import Random

import pytest

from scorekeeper.database.session import db, db_write
from scorekeeper.models import ABANDONED, PAUSED, Club
from scorekeeper.scoring.rules import find_rules
from scorekeeper.scoring.table import Table
from scorekeeper.services import hands as hand_service
from scorekeeper.services import links
from scorekeeper.services.game_reader import read_snapshot
from scorekeeper.simulator import draw_styles
from scorekeeper.stats import odds, tallies
from scorekeeper.stats.odds import outcomes_before
from scorekeeper.web.games import story as stories
from scorekeeper.web.games.story import Story, turning_point
from tests.classic import FOUR, SET, THREE_ONE, TWO_EACH, record, start_game
from tests.shapes import every_format
from tests.simulator.games import simulate_game
from tests.web.site import read

PASSED = {"bids": [{"seat": seat, "bid": "pass"} for seat in (1, 2, 3, 4)]}
COMEBACK = (SET, SET, TWO_EACH, FOUR, FOUR, FOUR, FOUR)  # A: -2 -4 -2 2 6 10 14, B: 3 6 8 8 8 8 8


def of_b(facts):
    """Return the hand with bidder Bo instead of Ann, and sides exchanged."""
    turned = {"A": "B", "B": "A"}
    return facts | {"bidder": 2, "claims": {key: turned[side] for key, side in facts["claims"].items()}}


def url_of(game):
    return f"/c/{game.club.key}/games/{game.number}/"


class Told:
    """Stand-in for odds, with given chances of the first unit."""

    own, exact = 250, True

    def __init__(self, *chances):
        self.chances = chances

    def line(self, score):
        return [dict(zip(score.totals, (chance, 1 - chance), strict=True)) for chance in self.chances]


@pytest.fixture
def told(monkeypatch):
    """A function that sets the chances."""

    def tell(*chances):
        monkeypatch.setattr(stories, "odds_of", lambda table, outcomes: Told(*chances))

    return tell


def story_of(game):
    return Story(read_snapshot(game.club.key, game.number))


def sentences(game):
    return list(story_of(game).sentences)


@pytest.mark.parametrize(
    ("chances", "hand"),
    [
        ([0.5], 0),
        ([0.5, 0.7, 0.6, 1], 0),  # never behind
        ([0.5, 0.45, 0.6, 1], 2),
        ([0.5, 0.45, 0.5, 0.6, 1], 3),
        ([0.5, 0.45, 0.502, 0.6, 1], 3),  # 50% as displayed
        ([0.5, 0.3, 0.9, 0.4, 0.6, 1], 4),  # not the larger step, which did not last
        ([0.4, 0.6, 1], 1),  # with scores at the start
        ([0.5, 0.2, 0.39, 1], 3),
        ([0.5, 0.2, 0.4, 1], 0),  # the last hand ends every game
        ([0.5, 0.6, 0.45, 1], 0),
        ([0.33, 0.2, 0.45, 0.7, 1], 3),  # with three units
    ],
)
def test_the_turning_point_is_where_the_winner_was_ahead_for_good(chances, hand):
    assert turning_point(chances) == hand


def test_who_was_furthest_behind_is_who_played_then(game):
    record(game, *COMEBACK[:4])
    hand_service.substitute(game, 1, "Gil")
    record(game, *COMEBACK[4:])
    said = sentences(game)
    assert "They (then Ann and Cy) were 10 points behind at worst, after hand 2" in said[1]
    assert said[0].startswith("Gil and Cy win, 14 to 8")


def test_a_game_that_was_turned_round(game, told):
    record(game, *COMEBACK)
    for chance, said in ((0.08, "an 8%"), (0.11, "an 11%"), (0.18, "an 18%"), (0.13, "a 13%")):
        told(0.5, 0.3, chance, 0.09, 0.17, 0.33, 0.63, 1)
        assert sentences(game) == [
            "Ann and Cy win, 14 to 8, by 6 points, in 7 hands.",
            f"They were 10 points behind at worst, after hand 2, with {said} chance to win.",
            "The turning point was hand 6: Ann bid 2, took 4. The winners’ chance to win rose from 33% to 63%.",
            "Bidders made 5 of 7 bids. Set as bidder: Ann twice.",
        ]


def test_a_game_that_was_never_in_doubt(game, told):
    """Who takes a seat over after the end has not won."""
    record(game, FOUR, FOUR, FOUR)
    told(0.96, 0.97, 0.98, 1)
    for _ in range(2):
        assert sentences(game) == [
            "Ann and Cy win, 12 to 0, by 12 points, in 3 hands.",
            "They were never behind.",
            "All 3 bids were made.",
        ]
        hand_service.substitute(game, 1, "Gil")


def test_a_set_that_turned_it_and_a_lead_that_went_to_and_fro(game, told):
    """A: -2 2 6 6 6, B: 3 3 3 7 11."""
    record(game, SET, FOUR, FOUR, of_b(FOUR), of_b(FOUR))
    told(0.5, 0.1, 0.3, 0.6, 0.3, 0)
    assert sentences(game) == [
        "Bo and Di win, 11 to 6, by 5 points, in 5 hands.",
        "They were 3 points behind at worst, after hand 3, with a 40% chance to win.",
        "The lead changed twice.",
        "The turning point was hand 4: Bo bid 2, took 4. The winners’ chance to win rose from 40% to 70%.",
        "Bidders made 4 of 5 bids. Set as bidder: Ann.",
    ]


def test_a_game_under_way(game, told):
    record(game, SET)
    told(0.5, 0.4)
    assert sentences(game) == [
        "After 1 hand Bo and Di lead: 3 to −2. Their chance to win is 60%.",
        "The only bid was set.",
    ]
    hand_service.substitute(game, 1, "Eve")
    record(game, SET)
    told(0.5, 0.49, 0.48)
    assert sentences(game)[-1] == "Both bids were set: Ann and Eve."


def test_nobody_leads(game, told):
    record(game, PASSED)
    told(0.5, 0.5)
    assert sentences(game) == ["After 1 hand nobody leads: 0 to 0."]
    record(game, TWO_EACH, of_b(TWO_EACH))
    told(0.5, 0.5, 0.5, 0.5)
    assert sentences(game) == ["After 3 hands nobody leads: 4 to 4.", "Both bids were made."]


def test_a_first_name_that_two_have_is_not_enough(club, told):
    """Even if only one of the two was set, and the other one has left the table."""
    game = start_game(club, names=["Ann Lee", "Bo", "Ann Kay", "Di"])
    record(game, SET)
    hand_service.substitute(game, 3, "Gil")
    record(game, TWO_EACH)
    told(0.5, 0.4, 0.4)
    assert sentences(game) == [
        "After 2 hands Bo and Di lead: 5 to 0. Their chance to win is 60%.",
        "Bidders made 1 of 2 bids. Set as bidder: Ann Lee.",
    ]


def test_a_penalty_is_part_of_a_turning_point(game, told):
    """Also in a hand that was not played. A: -1 -10 -10 -10 -10, B: 2 2 6 10 14."""
    record(game, TWO_EACH, {"bids": [{"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 1)]})
    record(game, of_b(FOUR), of_b(FOUR), of_b(FOUR))
    for position, points in ((1, -3), (2, -9)):
        told_why = [{"unit": "A", "points": points, "reason": "revoke"}]
        hand_service.adjust(game, position, told_why, hand_version=position, token=f"adjust {position}")
    told(0.6, 0.3, 0.25, 0.2, 0.1, 0)
    assert sentences(game)[2] == (
        "The turning point was hand 1: Ann bid 2, took 2; Ann and Cy −3: revoke. "
        "The winners’ chance to win rose from 40% to 70%."
    )
    told(0.5, 0.52, 0.2, 0.2, 0.1, 0)
    assert sentences(game)[2] == (
        "The turning point was hand 2: all passed; Ann and Cy −9: revoke. "
        "The winners’ chance to win rose from 48% to 80%."
    )


def test_of_a_player_alone_the_chance_says_whose(club, told):
    game = start_game(club, rules=find_rules("shankar"), players=2, teams=0, names=["Ann", "Bo"], first_dealer=2)
    record(game, THREE_ONE | {"claims": {"high": "1", "low": "1", "jack": "1", "game": "2"}})
    told(0.5, 0.7)
    assert sentences(game)[0] == "After 1 hand Ann leads: 3 to 1. Ann’s chance to win is 70%."


def test_an_abandoned_game_and_a_paused_one(game, told):
    record(game, TWO_EACH, SET)
    told(0.5, 0.5, 0.3)
    hand_service.set_state(game, PAUSED)
    assert sentences(game)[0] == "After 2 hands Bo and Di lead: 5 to 0. Their chance to win is 70%."
    hand_service.set_state(game, ABANDONED)
    assert sentences(game)[0] == "The game was abandoned after 2 hands: Bo and Di 5, Ann and Cy 0."


def test_scores_that_were_carried_over(club, told):
    game = start_game(club, start={"A": 0, "B": 5})
    record(game, FOUR, FOUR, FOUR)
    told(0.3, 0.4, 0.6, 1)
    said = "They were 5 points behind at worst, before the first hand, with a 30% chance to win."
    assert sentences(game)[1] == said


def test_the_winner_may_have_fewer_points(club, told):
    """A at 8 makes its bid of 3, B at 10 takes 1: both have 11, and the bidder wins."""
    rules = find_rules("classic").override({"win.both": ["bidder", "highest"]})
    game = start_game(club, rules=rules, start={"A": 8, "B": 10})
    hand = {"bidder": 1, "bid": 3, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "B"}}
    record(game, hand)
    told(0.4, 1)
    assert game.score.totals == {"A": 11, "B": 11}
    assert sentences(game)[0] == "Ann and Cy win, 11 to 11, in 1 hand."


@pytest.mark.parametrize(("before", "scores"), [(0, "7"), (2, "7 and 9")])
def test_players_who_win_together(club, before, scores):
    """Ann calls Cy, who had `before`; both have all seven points and reach the target of 7."""
    rules = find_rules("west-michigan-5").override({"win.target": 7, "win.both": ["share"]})
    names = ["Ann", "Bo", "Cy", "Di", "Ed"]
    game = start_game(club, rules=rules, players=5, teams=0, names=names, start={"3": before})
    points = ("high", "low", "right_jack", "left_jack", "right_joker", "left_joker", "game")
    claims = dict.fromkeys(points, "bidding")
    record(game, {"bidder": 1, "bid": 3, "trump": "H", "called": "AS", "partner": 3, "claims": claims})
    assert game.score.winners == ("1", "3")
    said = sentences(game)
    assert said[0] == f"Ann and Cy win, with {scores}, in 1 hand."
    assert said[-1] == "The only bid was made."
    assert not any("behind" in sentence for sentence in said)


def test_the_chances_come_from_the_hands_that_the_club_played_before(client, club, monkeypatch):
    """In all the club's hands the bidder's side took 4 to 0; sides bid equally often.

    At 4 to 0 of 11, A needs two such hands before B has three: 11 of the 16 sequences of four hands.
    """
    monkeypatch.setattr(odds, "SIMULATED_WEIGHT", 0)
    for _ in range(4):
        record(start_game(club), FOUR, FOUR, FOUR)
    game = start_game(club)
    record(game, FOUR)
    text = read(client.get(f"{url_of(game)}story"))
    said = re.search(r"After 1 hand Ann and Cy lead: 4 to 0\. Their chance to win is (\d+)%\.", text)
    assert abs(int(said[1]) / 100 - 11 / 16) < 0.05  # estimated by 2,000 random games
    assert "From 12 hands of your club, give or take 10%." in text


def test_an_old_games_chances_stay_as_they_were(client, club):
    """They depend on earlier games by day, whatever the order of entry, so only corrections of those change them."""
    early = [start_game(club, played=date(2026, 1, n)) for n in range(1, 5)]
    for game in early:
        record(game, FOUR, FOUR, FOUR)
    game = start_game(club, played=date(2026, 1, 10))
    record(game, FOUR, SET, TWO_EACH)
    before = read(client.get(f"{url_of(game)}story"))
    for _ in range(9):
        record(start_game(club, played=date(2026, 1, 11)), SET, of_b(FOUR), of_b(FOUR))
    assert read(client.get(f"{url_of(game)}story")) == before
    record(start_game(club, played=date(2026, 1, 10)), *[of_b(FOUR)] * 3)  # the same day, but started later
    assert read(client.get(f"{url_of(game)}story")) == before
    assert "made with 48 hands" not in before


def test_whole_games_are_taken_up_to_the_number_that_was_there(club):
    """14 games of three hands are 42 hands, so those of the first nine games are used: 27, at least 25."""
    for _ in range(14):
        record(start_game(club), FOUR, FOUR, FOUR)
    game = start_game(club)
    record(game, FOUR)
    assert outcomes_before(club, game.table, (game.played, game.number)) == {"2:4,0": 27}
    assert outcomes_before(club, game.table, (game.played, 4)) == {}  # 9 hands are fewer than ten


@pytest.mark.parametrize(("number", "hands"), [(1, 4), (4, 4), (5, 8)])
def test_the_game_in_which_the_last_hand_was_is_taken_with_all_its_bidders(club, monkeypatch, number, hands):
    monkeypatch.setattr(odds, "NUMBERS", (number,))
    for _ in range(3):
        record(start_game(club), FOUR, of_b(FOUR), FOUR, FOUR)
    game = start_game(club)
    assert outcomes_before(club, game.table, (game.played, game.number)).total() == hands


def test_the_first_hands_are_kept_until_one_of_them_changes(club, monkeypatch):
    """The first eight hands of games on three days are those of two games; also for a place between the games."""
    monkeypatch.setattr(odds, "NUMBERS", (2, 8))
    early = [start_game(club, played=date(2026, 1, n)) for n in (1, 2, 3)]
    for game in early:
        record(game, FOUR, TWO_EACH, FOUR, FOUR)
    place, between = (date(2026, 1, 4), 9), (date(2026, 1, 2), 0)
    assert outcomes_before(club, early[0].table, place) == {"2:4,0": 6, "2:2,2": 2}
    assert outcomes_before(club, early[0].table, between) == {"2:4,0": 3, "2:2,2": 1}
    read = []
    with monkeypatch.context() as patch:
        patch.setattr(odds, "outcomes_in", lambda detail: read.append(detail) or {})
        assert outcomes_before(club, early[0].table, place) == {"2:4,0": 6, "2:2,2": 2}
        assert read == []
    version = early[1].hands[1].version
    hand_service.correct_hand(early[1], 2, {"dealer": 1} | FOUR, hand_version=version, token="correct")
    db.session.expire_all()  # the game now ends with its third hand, so it takes the third game to reach eight
    assert outcomes_before(club, early[0].table, place) == {"2:4,0": 9, "2:2,2": 2}


def test_too_few_hands_are_said_and_the_simulators_taken(client, club):
    record(start_game(club), FOUR, FOUR, FOUR)
    other = start_game(club, rules=find_rules("shankar"), players=4, teams=0)  # another table
    record(other, *[{"bidder": 1, "bid": 2, "trump": "H", "claims": dict.fromkeys(FOUR["claims"], 1)}] * 3)
    game = start_game(club)
    record(game, FOUR)
    text = read(client.get(f"{url_of(game)}story"))
    assert "A computer’s guess, give or take 16%." in text


@every_format
def test_every_kind_of_game_has_a_story(app_context, rules, players, teams):
    rng = Random(f"{rules.id} {players} {teams}")
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"][:players]
    with db_write() as session:
        club = Club(name="Any")
        session.add(club)
    hands = simulate_game(Table(rules, players, teams), rng, draw_styles(rng, players))
    game = start_game(club, rules=rules, players=players, teams=teams, names=names, first_dealer=hands[0]["dealer"])
    record(game, *hands)
    said, score = sentences(game), game.score
    assert all(sentence.endswith(".") for sentence in said)
    assert said[0].startswith(story_of(game).narrator.winners(score.outcome))
    sets = sum(not hand.made for hand in score.hands if hand.status == "scored")
    bids = sum(hand.status == "scored" for hand in score.hands)
    every = "Both" if bids == 2 else f"All {bids}"
    if not rules.auction.is_held:
        assert not any(" bid" in sentence for sentence in said)
        return
    some = f"Bidders made {bids - sets} of {bids} bids."
    assert said[-1].startswith(f"{every} bids" if sets in (0, bids) else some) or bids == 1
    line = story_of(game).line
    assert len(line) == (len(score.hands) + 1 if odds.depends_on_scores_only(rules) else 0)
    assert all(sum(chances.values()) == pytest.approx(1) for chances in line)


def test_the_story_is_a_page_and_a_part_of_one(client, game):
    """A sheet asks for its story when it is looked for, and the story changes with a hand."""
    sheet, story = url_of(game), f"{url_of(game)}story"
    assert f'hx-get="{story}"' not in client.get(sheet).text
    page = client.get(story).text
    assert ("No hands yet." in page, "<svg" in page) == (True, False)
    record(game, SET)
    page = client.get(sheet).text
    assert (f'hx-get="{story}"' in page, "<svg" in page, "charts.css" in page) == (True, False, False)
    page, part = (client.get(story, headers=how) for how in ({}, {"HX-Request": "true"}))
    assert page.text.startswith("<!doctype html>")
    assert part.text.strip().startswith(f'<section id="_story" hx-get="{story}"')
    assert "HX-Request" in page.headers["Vary"]
    for answer in (page, part):
        assert answer.text.count("<svg") == 2
        assert "The only bid was set." in answer.text
    assert "Bo and Di lead: 3 to −2" in read(page)
    hand_service.correct_hand(game, 1, FOUR, hand_version=1, token="c")
    assert "Ann and Cy lead: 4 to 0" in read(client.get(story))
    record(game, FOUR, FOUR)
    banner = client.get(sheet).text.partition('class="winner')[2].partition("</section>")[0]
    assert f'href="{story}"' in banner


@pytest.fixture
def paper(club):
    game = start_game(club, played=date(2026, 1, 5))
    with db_write(game):
        game.paper = {"totals": {"A": 7, "B": 11}, "winners": ["B"]}
        tallies.update_tallies(game)
    return game


def test_a_game_from_paper_has_its_pages_and_takes_no_hand_and_nobody_sits_down_at_it(client, paper):
    text = read(client.get(url_of(paper)))
    assert "Bo and Di win, 11 to 7 Scored on paper, so it has no hands." in text
    for what in ("No hands yet", "deals next", "Enter hand", "Substitute", "Story", "first to", "Abandon"):
        assert what not in text
    assert "Play again" in text
    secret = links.secret_of(links.make(paper.club, "watch", "", game=paper).uid)
    assert "Bo and Di win, 11 to 7. Classic Setback." in read(client.get(f"/l/{secret}"))
    text = read(client.get(f"{url_of(paper)}story"))
    assert "Bo and Di win, 11 to 7, by 4 points. Scored on paper: there is only a final score." in text
    board = read(client.get(f"{url_of(paper)}board"))
    assert "Bo and Di win, 11 to 7 Scored on paper, so it has no hands." in board
    assert "first to" not in board
    games = read(client.get(f"/c/{paper.club.key}/"))
    assert "Bo and Di win from paper · Game 1" in games
    assert "Resume game" not in games
    assert "Scored on paper, so it has no hands." in read(client.get(f"{url_of(paper)}history"))
    answer = client.get(f"{url_of(paper)}hands/new")
    assert (answer.status_code, answer.location) == (303, url_of(paper))
    points = {f"point-{key}": side for key, side in FOUR["claims"].items()}
    hand = {"token": "a", "position": "1", "bidder": "1", "bid": "2", "trump": "H", "do": "save", "warned": "bold"}
    assert client.post(f"{url_of(paper)}hands/new", data=hand | points).status_code == 422
    db.session.expire_all()
    assert paper.hands == []
    answer = client.post(f"{url_of(paper)}seat", data={"seat": "1", "who": "Eve"})
    assert answer.status_code == 422
    assert "This game was scored on paper. You cannot substitute a player." in answer.text
    assert "Eve" not in client.get(url_of(paper)).text


def test_a_game_from_paper_can_be_left_out_and_played_again(client, paper):
    answer = client.post(f"{url_of(paper)}state", data={"state": "abandoned"}, follow_redirects=True)
    assert "Nothing was changed: the game is over." in read(answer)
    client.post(f"{url_of(paper)}edit/counts", data={"is": "no"})
    assert "It stays in the list, but not in standings, ratings or records." in read(client.get(url_of(paper)))
    assert "does not count · Game 1" in read(client.get(f"/c/{paper.club.key}/"))
    answer = client.post(f"{url_of(paper)}again")
    assert client.get(answer.location).status_code == 200


def test_the_score_of_a_game_from_paper_is_corrected_and_undone(client, paper):
    """It was 12 to 10 for Ann and Cy."""
    edit, changes = f"{url_of(paper)}edit", f"/c/{paper.club.key}/changes"
    page = client.get(edit).text
    assert re.findall(r'name="(score-.)" value="([^"]*)"', page) == [("score-A", "7"), ("score-B", "11")]
    assert re.findall(r'name="won" value="(.)"( checked)?', page) == [("A", ""), ("B", " checked")]
    said = "Enter each score as a whole number, and check who won."
    for data in ({"score-A": "12", "score-B": "x", "won": "A"}, {"score-A": "12", "score-B": "10"}):
        answer = client.post(f"{edit}/score", data=data)
        assert (answer.status_code, said in answer.text, 'value="12"' in answer.text) == (422, True, True)
    data = {"score-A": "12", "score-B": "10", "won": "A"}
    answer = client.post(f"{edit}/score", data=data, follow_redirects=True)
    assert "Ann and Cy win, 12 to 10" in read(answer)
    table = client.get(f"/c/{paper.club.key}/standings").text
    assert table.index(">Cy</a>") < table.index(">Bo</a>")
    assert "The score of game 1 was corrected: 12 to 10, was 7 to 11." in client.get(changes).text
    client.post(f"{changes}/1/undo")
    assert "The score of game 1 was corrected: 7 to 11, was 12 to 10." in client.get(changes).text
    assert "Bo and Di win, 11 to 7" in read(client.get(url_of(paper)))


@pytest.mark.parametrize(
    ("first", "then", "follows"),
    [
        (("7", "11", "B"), ("11", "7", "B"), True),
        (("7", "11", "A"), ("6", "11", "A"), False),
        (("7", "11", "B"), ("9", "9", "A"), False),
    ],
    ids=["follows", "was conceded", "is chosen"],
)  # fmt: skip
def test_who_won_a_game_from_paper_follows_a_corrected_score_unless_it_was_not_because_of_it(
    client, paper, first, then, follows
):
    for one, other, won in (first, then):
        data = {"score-A": one, "score-B": other, "won": won}
        answer = client.post(f"{url_of(paper)}edit/score", data=data, follow_redirects=True)
    assert "Ann and Cy win" in read(answer)
    assert ("was corrected, and so was the winner." in read(answer)) == follows


def test_a_score_that_hands_made_is_not_typed(client, game):
    record(game, FOUR, FOUR, FOUR)
    assert "score-A" not in client.get(f"{url_of(game)}edit").text
    data = {"score-A": "1", "score-B": "2", "won": "B"}
    answer = client.post(f"{url_of(game)}edit/score", data=data, follow_redirects=True)
    assert "Nothing was changed: only a game from paper has a typed score." in read(answer)
    assert "Ann and Cy win, 12 to 0" in read(answer)


@pytest.mark.parametrize(
    "ends", [{"win.hands": 6}, {"win.lost_at": -5}, {"win.lost_sets": 3}, {"win.all_points": "anyone"},
             {"win.both": ["count-out"]}],
)  # fmt: skip
def test_a_game_that_may_end_otherwise_than_by_its_scores_has_no_chances(client, club, ends):
    game = start_game(club, rules=find_rules("classic").override(ends))
    record(game, SET)
    page = client.get(f"{url_of(game)}story").text
    assert "After 1 hand Bo and Di lead: 3 to −2. The only bid was set." in page
    assert "No odds for games with these rules." in page
    assert 'id="chance-to-win"' not in page


def test_a_target_that_is_too_far_for_chances_has_its_story_without_them(client, club, monkeypatch):
    """To 999 there are hundreds of thousands of scores, too many to compute the chances from each."""

    def never(*_):
        raise AssertionError("chances were worked out")

    monkeypatch.setattr(odds, "_chain", never)
    game = start_game(club, rules=find_rules("classic").override({"win.target": 201}))
    record(game, SET, *[FOUR] * 51)  # A: -2, then 4 for each hand up to 202; B: 3
    page = client.get(f"{url_of(game)}story").text
    assert "They were 5 points behind at worst, after hand 1." in page
    assert "No odds for games with these rules." in page
    assert 'id="chance-to-win"' not in page
    hand_service.undo(game, token="u")
    page = client.get(f"{url_of(game)}story").text
    assert "After 51 hands Ann and Cy lead: 198 to 3." in page

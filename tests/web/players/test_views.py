"""Players of a club: the list, their pages, bids that pay, and edits of players."""

import re
from datetime import date
from threading import Thread

import pytest
from sqlalchemy import select

from scorekeeper.database.session import db, db_write
from scorekeeper.models import Club, Game, Player, Seat
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import hands as hand_service
from scorekeeper.services import players as player_service
from scorekeeper.services import seasons
from scorekeeper.stats import tallies
from scorekeeper.stats.profiles import BidStats
from scorekeeper.stats.schemes import Scheme
from scorekeeper.web.common.numbers import rating_number
from scorekeeper.web.standings.charts import Bids
from tests.classic import FOUR, SET, THREE_ONE, TWO_EACH, player, record, start_game
from tests.web.site import complaints, counted_queries, read

PASSED = {"bids": [{"seat": seat, "bid": "pass"} for seat in (2, 3, 4, 1)]}
FIVE_HANDS = (THREE_ONE, SET, FOUR, FOUR, TWO_EACH)  # Ann bids 2 in hearts in each; 11 to 6 for A


def names():
    db.session.expire_all()
    return sorted(db.session.scalars(select(Player.name)))


def url_of(name):
    one = player(name)
    return f"/c/{one.club.key}/players/{one.id}"


def won(club, *hands, **options):
    """Return a finished game with these hands, by default three of four points for A."""
    game = start_game(club, **options)
    record(game, *(hands or (FOUR, FOUR, FOUR)))
    assert game.score.outcome
    return game


def section(text, title, until):
    start = text.index(f" {title} ") + 1
    return text[start : text.index(f" {until} ", start)]


def test_nobody_is_there_or_has_finished_anything(client, club):
    assert "No players yet." in client.get(f"/c/{club.key}/players/").text
    for path in ("players/0", "players/999", "players/99999999999999999999", "players/x"):
        assert client.get(f"/c/{club.key}/{path}").status_code == 404
    start_game(club)
    text = read(client.get(url_of("Ann")))
    assert "No finished games yet." in text
    assert "Bids" not in text
    assert "All games" not in text  # no filter without games


def test_the_list_has_players_guests_and_the_retired_apart(client, club):
    won(club, played=date(2026, 1, 5), names=["ann", "Bo", "Cy", "Di"])
    start_game(club, names=["ann", "Bo", "Eve", "Di"])
    player_service.set_guest(player("Bo"), True)
    player_service.set_retired(player("Di"), True)
    text = read(client.get(f"/c/{club.key}/players/"))
    rating = rating_number(player("ann").mu)
    low = rating_number(player("Di").mu)
    assert f"Players ann 1 game, last played Jan 5, 2026 Rating {rating} provisional Cy " in text
    assert f"Cy 1 game, last played Jan 5, 2026 Rating {rating} provisional Eve No finished games yet " in text
    assert "Guests Not in the standings. Bo 1 game, last played Jan 5, 2026 Retired " in text
    assert f"new games. Di 1 game, last played Jan 5, 2026 Rating {low} provisional Bids that pay" in text


def test_chance_alone_is_of_all_games_at_tables_of_several_sizes(client, club):
    """Half of two games of two pairs and one of two threes, a quarter of one of four alone: 1.75 of 4."""
    free = {"rules": find_rules("shankar")}
    won(club)
    won(club)
    won(club, **free, players=6, names=["Ann", "Bo", "Cy", "Di", "Ed", "Flo"])
    alone = FOUR | {"claims": dict.fromkeys(FOUR["claims"], "1")}
    won(club, alone, alone, alone, **free, teams=0)
    assert "4 won, 0 lost of 4 games. By chance: 44%." in read(client.get(url_of("Ann")))


def test_the_numbers_of_a_bidder_a_partner_and_a_defender(client, club):
    """14 points in 5 hands, 11 points gained; High 5, Low 4, Jack 3 and Game 2 of 5; a swing of 2 - 5 + 4 + 4 + 0.

    Bo's side takes 1 + 3 + 0 + 0 + 2.
    """
    game = won(club, *FIVE_HANDS, played=date(2026, 3, 1))
    gained = rating_number(player("Ann").mu) - 1000
    for name, sentences in {
        "Ann": (
            "100% won 1 won, 0 lost of 1 game. By chance: 50%. ",
            f"After 1 game. Game 1 changed it by +{gained}. Provisional for 7 more games.",
            f"Last games Won, game {game.number} Mar 1, 2026 · rating +{gained} 11 to 6 ",
            "Streaks Now 1 win (game 1) Longest winning streak 1 win (game 1) Longest losing streak none",
            "Bids Bidder in 5 of 5 hands ",
            "4 of 5 bids made (80%).",
            "Bid Hands Per hand 2 5 few +2.20 ",
            "bidder 5 2.80 +2.20 partner 0 – – defender 0 – –",
            "Times set 1 of 5 hands (20%) bid by the player or a partner",
            "Times they set opponents 0 of 0 hands bid by opponents",
            "Trump and points Too few bids for a favorite. Bids made in each trump. Points taken,",
            "Trump or point Hands Made or took % ♥︎ hearts 5 few 4 80% High 5 5 100%",
            "High 5 5 100% Low 5 4 80% Jack 5 3 60% Game 5 2 40%",
            "Partners 1 player Best Needs 30 hands. Most so far: Cy, 5. Swing: points gained",
            "Name Hands Swing Won–lost–tied Cy 5 +1.00 won 1, lost 0 1–0 ",
            "Opponents 2 players Easiest Needs 30 hands. Most so far: Bo, 5. ",
            "Easiest and hardest need 30 hands. ",
        ),
        "Cy": ("bidder 0 – – partner 5 2.80 +2.20 defender 0 – –", "Times set 1 of 5 hands (20%)"),
        "Bo": (
            "0% won 0 won, 1 lost of 1 game. ",
            "bidder 0 – – partner 0 – – defender 5 1.20 +1.20",
            "Times set 0 of 0 hands bid by the player or a partner Times they set opponents 1 of 5 hands (20%)",
            "Points How often taken Points taken, in hands where somebody took them.",
            "Point Hands Took Took % High 5 0 0% Low 5 1 20% Jack 5 2 40% Game 5 3 60%",
        ),
    }.items():
        text = read(client.get(url_of(name)))
        assert [sentence for sentence in sentences if sentence not in text] == []


def test_hands_of_a_game_without_bidding_are_nobodys_bids(client, club):
    hand = {"trump": "H", "claims": {"high": "A", "low": "B", "jack": "A", "game": "A"}, "played_by": {"jack": "B"}}
    won(club, hand, hand, hand, rules=find_rules("trinidad-all-fours"))
    text = read(client.get(url_of("Ann")))
    assert section(text, "Point", "Partners").startswith("Point Hands Took Took % High 3 3 100%")
    assert not [word for word in (" set ", " bid ", " bids ", " bidder ") if word in text.lower()]


def test_who_stands_out_from_thirty_hands_on(client, club):
    """Ten games of three hands of 4 to 0 with Cy; two more with Eve, too few to name her."""
    for _ in range(10):
        won(club)
    for _ in range(2):
        won(club, names=["Ann", "Bo", "Eve", "Di"])
    text = read(client.get(url_of("Ann")))
    assert "Partners 2 players Only one so far Cy, +4.00 ± 0.46 a hand over 30 hands Swing:" in text
    assert "Opponents 2 players Too close to call Highest: Bo, +4.00 ± 0.42 a hand over 36 hands" in text
    assert "Favorite: hearts." in text
    assert "Needs two different bids with 20 hands each." in text
    player_service.set_guest(player("Cy"), True)
    assert "Partners 2 players Best Needs 30 hands. Most so far: Eve, 6." in read(client.get(url_of("Ann")))


def test_the_best_and_the_worst_partner(client, club):
    """With Cy each hand is 4 to 0; with Eve five are 2 to 2 and one is 3 to 1: 2 in 6 hands."""
    for _ in range(10):
        won(club)
    for _ in range(5):
        won(club, *[TWO_EACH] * 5, THREE_ONE, names=["Ann", "Bo", "Eve", "Di"])
    text = read(client.get(url_of("Ann")))
    found = section(text, "Partners", "Opponents")
    assert "Best Cy, +4.00 ± 0.46 a hand over 30 hands Worst Eve, +0.33 ± 0.46 a hand over 30 hands" in found


def test_a_game_that_somebody_else_ended_counts_for_its_hands(client, club, game):
    record(game, FOUR)
    hand_service.substitute(game, 1, "Flo")
    record(game, PASSED)
    hand_service.substitute(game, 1, "Eve")
    record(game, FOUR, FOUR)
    assert "Last games" not in client.get(url_of("Flo")).text  # she sat there for a hand that nobody played
    text = read(client.get(url_of("Ann")))
    assert "– won No finished game counts for this player. – rating The first finished game gives a rating." in text
    assert "1 of 1 bid made (100%)." in text
    assert "Last games Played 1 hand, game 1 " in text
    assert "Streaks" not in text
    assert "Ann 1 hand in games that count for somebody else" in read(client.get(f"/c/{club.key}/players/"))


def game_on_paper(club, totals, **options):
    """Return a game with totals only."""
    game = start_game(club, **options)
    best = max(totals.values())
    with db_write(game):
        game.paper = {"totals": totals, "winners": [unit for unit, total in totals.items() if total == best]}
        tallies.update_tallies(game)
    return game


def test_a_shared_game_is_half_a_won_one_and_one_from_paper_has_no_hands(client, club):
    game_on_paper(club, {"A": 9, "B": 9})
    text = read(client.get(url_of("Ann")))
    assert "1 game scored on paper, without hands." in text
    assert "Points per hand" not in text
    won(club)
    text = read(client.get(url_of("Bo")))
    assert "25% won 0 won, 1 lost, 1 tied of 2 games. A tied game counts half." in text
    assert "Tied, game 1" in text
    assert "Ann 3 −4.00 won 0, lost 1, tied 1 0–1–1" in text


def test_the_rating_goes_night_by_night(client, club):
    won(club, played=date(2026, 1, 5))
    assert 'id="rating"' not in client.get(url_of("Ann")).text
    won(club, played=date(2026, 1, 12))
    page = client.get(url_of("Ann"))
    assert 'id="rating"' in page.text
    now = rating_number(player("Ann").mu)
    assert re.search(rf"When Ann Jan 5, 2026 \d+ ± \d+ Jan 12, 2026 {now} ± ", read(page))


@pytest.fixture
def chosen(club):
    """Games 1 to 3 with four players, the second in a season, then one with three players."""
    won(club, played=date(2026, 1, 5))
    seasons.begin(club, "League", date(2026, 1, 10), None, Scheme())
    won(club, played=date(2026, 1, 12))
    won(club, played=date(2026, 1, 3))
    everyone = {"rules": find_rules("shankar"), "players": 3, "teams": 0, "names": ["Ann", "Bo", "Cy"]}
    game_on_paper(club, {"1": 11, "2": 3, "3": 1}, first_dealer=1, played=date(2026, 1, 6), **everyone)
    return club


def test_games_can_be_chosen(client, chosen):
    for query, games, said in (
        ("", [2, 4, 1, 3], "All games"),
        (f"season={chosen.seasons[0].id}", [2], "League"),
        ("rules=shankar", [4], "Setback for two to six"),
        ("rules=classic", [2, 1, 3], "Classic Setback"),
        ("table=3-0", [4], "3 players, individual play"),
        ("table=4-2&from=2026-01-05", [2, 1], "4 players, two teams; from Jan 5, 2026"),
        ("to=2026-01-05", [1, 3], "to Jan 5, 2026"),
        ("from=2026-01-06&to=2026-01-06", [4], "from Jan 6, 2026; to Jan 6, 2026"),
        ("rules=shankar&table=4-2", [], "4 players, two teams"),
    ):
        answer = client.get(f"{url_of('Ann')}?{query}")
        text = read(answer)
        assert answer.status_code == 200
        assert [int(number) for number in re.findall(r"(?:Won|Lost), game (\d+)", text)] == games, query
        assert f"{said} Filter games" in text or (not games and said in text)
        assert ("No finished games match the filter." in text) == (not games)


def test_what_cannot_be_chosen_is_said(client, chosen):
    for query, complaint in (
        ("season=99", "Choose a season from the list."),
        ("season=x", "Choose a season from the list."),
        ("rules=bridge", "Choose rules from the list."),
        ("table=7-0", "Choose a table from the list."),
        ("from=yesterday", "Enter a date like 2026-03-21."),
        ("to=2026-02-30", "Enter a date like 2026-03-21."),
        ("from=2026-03-01&to=2026-02-01", "The last day is before the first day."),
    ):
        for url in (url_of("Ann"), f"/c/{chosen.key}/bids"):
            answer = client.get(f"{url}?{query}")
            assert (answer.status_code, complaints(answer)) == (422, [complaint])


def test_what_was_chosen_and_typed_stays(client, chosen):
    page = client.get(f"{url_of('Ann')}?rules=shankar&from=yesterday").text
    assert '<option value="shankar" selected>' in page
    assert 'name="from" value="yesterday"' in page
    assert f"{url_of('Bo')}?rules=classic" in client.get(f"{url_of('Ann')}?rules=classic").text
    with db_write() as session:
        other = Club(name="Another club")
        session.add(other)
    season = seasons.begin(other, "Theirs", date(2026, 1, 1), None, Scheme())
    assert client.get(f"{url_of('Ann')}?season={season.id}").status_code == 422


def test_bids_that_pay(client, club):
    """Ann's 2 pays 3 - 2 + 4 + 4 + 2 in five hands; Bo's 3 pays 4 three times."""
    won(club, *FIVE_HANDS)
    threes = {"bidder": 2, "bid": 3, "trump": "S", "claims": dict.fromkeys(FOUR["claims"], "B")}
    won(club, threes, threes, threes)
    text = read(client.get(f"/c/{club.key}/bids"))
    assert "8 bids by all players in finished games." in text
    assert "7 of 8 bids made (88%)" in text
    assert "Bid Hands Per hand 2 5 few +2.20 3 3 few +4.00 Few: fewer than 20 hands" in text
    assert "Needs two different bids with 20 hands each." in text


def test_rule_sets_that_stand_together_are_said(client, chosen):
    """Di has not played with three, Ann has."""
    bids = f"/c/{chosen.key}/bids"
    for url, several in ((bids, True), (f"{bids}?rules=classic", False), (url_of("Ann"), True), (url_of("Di"), False)):
        assert ("Filter by rules to see which bid pays best." in client.get(url).text) == several


def test_no_bids(client, club):
    here = read(client.get(f"/c/{club.key}/bids"))
    assert "No finished games with bids yet. This page starts with the first one. New game" in here
    game_on_paper(club, {"A": 11, "B": 3})
    answer = read(client.get(f"/c/{club.key}/bids?from=2030-01-01"))
    assert "No finished games with bids match the filter." in answer


@pytest.mark.parametrize(
    ("rules", "bid", "called"),
    [
        ([], 5, "5"),
        (["partnership"], 5, "smudge"),
        (["west-michigan-6"], 5, "5"),
        (["partnership", "west-michigan-6"], 5, "5 or smudge"),
        (["ten-point"], 11, "moon"),  # by a house rule
        (["ten-point"], 10, "10"),
        (["ten-point", "eleven-point"], 11, "11 or moon"),
    ],
)
def test_a_special_bid_is_called_by_its_name(rules, bid, called):
    assert [line.name for line in Bids([BidStats(str(bid), 3, 2, 9)], [*map(find_rules, rules)]).lines] == [called]


def test_bids_under_own_rules_and_others_are_not_compared():
    told = "Filter by rules to see which bid pays best."
    classic = find_rules("classic")
    own = classic._replace(id="own-x")
    assert [Bids([], rules).best == told for rules in ([classic, own], [own])] == [True, False]


def test_another_name(client, club):
    won(club)
    answer = client.post(f"{url_of('Ann')}/name", data={"name": " Anna  M "})
    assert (answer.status_code, answer.location) == (303, url_of("Anna M"))
    assert "Ann is now Anna M in all games." in read(client.get(answer.location))
    assert names() == ["Anna M", "Bo", "Cy", "Di"]
    client.post(f"{url_of('Anna M')}/name", data={"name": "ANNA M"})
    assert names() == ["ANNA M", "Bo", "Cy", "Di"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("bo", "Bo is already a player. Same person? Merge the two."),
        (" ", "Enter a name."),
        (None, "Enter a name."),
        ("x" * 81, "That name is too long. Use at most 80 letters."),
    ],
)
def test_a_name_that_cannot_be_is_said_and_kept(client, club, name, complaint):
    won(club)
    answer = client.post(f"{url_of('Ann')}/name", data={} if name is None else {"name": name})
    assert answer.status_code == 422
    assert complaints(answer) == [complaint]
    assert f'name="name" value="{(name or "").strip()}"' in answer.text
    assert names() == ["Ann", "Bo", "Cy", "Di"]


@pytest.fixture
def twice(club):
    """One game with Ann, three with Annie, who is a substitute in the last."""
    won(club)
    for _ in range(2):
        won(club, names=["Annie", "Bo", "Cy", "Di"])
    game = start_game(club, names=["Eve", "Bo", "Cy", "Di"])
    record(game, FOUR)
    hand_service.substitute(game, 1, "Annie")
    record(game, FOUR, FOUR)
    return club


def test_looking_costs_few_queries_however_many_games_there_are(app, client, twice):
    ask = f"{url_of('Ann')}/merge?other={player('Annie').id}"
    asked = []
    for _ in range(3):
        with counted_queries(app) as queries:
            assert client.get(ask).status_code == 200
        asked.append(len(queries))
        for _ in range(3):
            won(twice, names=["Annie", "Bo", "Cy", "Di"])
    assert asked[1] == asked[2]  # the first request also records the first use of its link


def test_who_is_not_chosen_is_asked_for_and_what_merging_would_do_is_seen_first(client, twice):
    merge, others = f"{url_of('Ann')}/merge", ("", "x", "-1", "99999999999", str(player("Ann").id))
    for form in ({}, *({"other": other} for other in others)):
        for answer in (client.get(merge, query_string=form), client.post(merge, data=form)):
            assert (answer.status_code, complaints(answer)) == (422, ["Choose a player."]), form
    assert "Annie" in names()
    with db_write() as session:
        session.add(stranger := Player(club=Club(name="Another club"), name="Stranger"))
        session.add(nan := Player(club=twice, name="Nan"))
    annie, before = player("Annie").id, url_of("Ann")
    answer = client.get(f"{before}/merge?other={annie}")
    assert answer.status_code == 200
    seen = "3 games of Annie will count for Ann, in standings and ratings too. The name Annie is removed."
    assert seen in read(answer)
    other_way = re.search(r'href="([^"]+)">Keep the name\s+Annie instead<', answer.text)
    assert other_way
    assert "The name Ann is removed." in read(client.get(other_way[1]))
    assert "Annie" in names()
    answer = client.post(f"{before}/merge", data={"other": annie})
    assert (answer.status_code, answer.location) == (303, before)
    text = read(client.get(before))
    assert "Annie was merged into Ann." in text
    assert "4 won, 0 lost of 4 games" in text
    assert "Nan has played no games." in read(client.get(f"{before}/merge?other={nan.id}"))
    for other in (nan, stranger):
        client.post(f"{before}/merge", data={"other": other.id})
    assert {"Annie", "Nan", "Stranger"} & set(names()) == {"Stranger"}


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_met_at_a_table_is_not_the_same_person(client, twice, method):
    ask = {"query_string" if method == "get" else "data": {"other": player("Bo").id}}
    answer = getattr(client, method)(f"{url_of('Ann')}/merge", **ask)
    assert answer.status_code == 422
    assert complaints(answer) == ["Ann and Bo sat at the same table in game 1: they cannot be the same person."]
    assert f'<option value="{player("Bo").id}" selected>' in answer.text


def test_a_player_is_added_before_the_first_game(client, club):
    """Offered for games from then on, and told in Changes, where it is undone and done again."""
    here = f"/c/{club.key}/players/"
    page = client.get(here).text
    assert f'action="{here}"' in page
    assert '<details class="more" id="add">' in page
    for name, said in ((" ", "Enter a name."), ("x" * 81, "That name is too long. Use at most 80 letters.")):
        answer = client.post(here, data={"name": name})
        assert (answer.status_code, complaints(answer)) == (422, [said])
    answer = client.post(here, data={"name": " Gil  Gray"}, follow_redirects=True)
    assert "Gil Gray was added." in answer.text
    assert '<details class="more" id="add" open>' in answer.text  # for the next player
    assert " autofocus>" in answer.text
    assert "No finished games yet" in answer.text
    answer = client.post(here, data={"name": "gil gray"})
    assert (answer.status_code, complaints(answer)) == (422, ["Gil Gray is already a player."])
    assert '<option value="Gil Gray"></option>' in client.get(f"/c/{club.key}/games/new?rules=classic").text
    changes = f"/c/{club.key}/changes"
    assert "Gil Gray was added." in client.get(changes).text
    client.post(f"{changes}/1/undo")
    assert names() == []
    client.post(f"{changes}/2/undo")
    assert names() == ["Gil Gray"]


def test_who_retires_is_not_offered_and_can_come_back_and_so_can_a_guest(client, club):
    won(club)
    assert "games, and leaves ladders and standings by rating. Nothing else changes." in client.get(url_of("Bo")).text
    answer = client.post(f"{url_of('Bo')}/retired", data={"is": "yes"}, follow_redirects=True)
    assert "Bo is retired: no longer suggested for new games." in answer.text
    offered = '<span class="name">Bo</span>'
    assert offered not in client.get(f"/c/{club.key}/games/new").text
    assert '<span class="name">Cy</span>' in client.get(f"/c/{club.key}/games/new").text
    answer = client.post(f"{url_of('Bo')}/retired", data={"is": "no"}, follow_redirects=True)
    assert "Bo is back." in answer.text
    assert offered in client.get(f"/c/{club.key}/games/new").text
    mu = player("Ann").mu
    answer = client.post(f"{url_of('Ann')}/guest", data={"is": "yes"}, follow_redirects=True)
    assert "Ann is a guest: not in the standings." in answer.text
    db.session.expire_all()
    assert (player("Ann").guest, player("Ann").mu) == (True, None)
    assert "– rating A guest has no rating." in read(client.get(url_of("Ann")))
    client.post(f"{url_of('Ann')}/guest", data={"is": "no"})
    db.session.expire_all()
    assert (player("Ann").guest, player("Ann").mu) == (False, mu)


def test_neither_yes_nor_no_and_nothing_changes_by_looking(client, club):
    won(club)
    for path in ("guest", "retired"):
        for form in ({}, {"is": "maybe"}):
            assert client.post(f"{url_of('Ann')}/{path}", data=form).status_code == 422
    for path in ("name", "retired", "guest"):
        assert client.get(f"{url_of('Ann')}/{path}").status_code == 405
    assert db.session.scalars(select(Seat.game_id).join(Game)).all() == [1, 1, 1, 1]


@pytest.mark.parametrize("what", ["merge", "rename", "set_retired", "set_guest"])
def test_another_phone_merges_a_player_away_a_moment_before(app, client, club, monkeypatch, what):
    start_game(club)
    start_game(club, names=["Anne", "Q", "R", "S"])
    ann, anne = url_of("Ann"), url_of("Anne")
    merge, do = player_service.merge, getattr(player_service, what)

    def merged():
        with app.app_context():  # with its own session
            merge(player("Ann"), player("Anne"))

    def overtaken(*args):
        (elsewhere := Thread(target=merged)).start()
        elsewhere.join()
        return do(*args)

    monkeypatch.setattr(player_service, what, overtaken)
    if what == "merge":
        answer = client.post(f"{ann}/merge", data={"other": anne.rpartition("/")[2]}, follow_redirects=True)
        assert "That player no longer exists. Nothing was changed." in answer.text
    else:
        place = what.removeprefix("set_").replace("rename", "name")
        answer = client.post(f"{anne}/{place}", data={"is": "yes", "name": "Anna"})
        assert answer.status_code == 409
        assert "Changed on another phone" in answer.text
    assert names() == ["Ann", "Bo", "Cy", "Di", "Q", "R", "S"]

"""The history of a game: each change as a sentence, with author and time; on both databases."""

from contextlib import suppress
from random import Random

import pytest
from sqlalchemy import event, select

from scorekeeper.database.session import db
from scorekeeper.models import Change, Game, acting_as
from scorekeeper.scoring.game import replay
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_game
from scorekeeper.scoring.rules import find_rules
from scorekeeper.services import hands as hand_service
from scorekeeper.services.players import merge
from scorekeeper.web.common.numbers import day_and_hour
from scorekeeper.web.games import history
from scorekeeper.web.games.history import History, RunningScore, short_message
from tests.classic import FOUR, NAMES, SET, THREE_ONE, TWO_EACH, new_club, player, record, start_game
from tests.long_game import long_game
from tests.web.site import read

PASSED = {"bids": [{"seat": seat, "bid": "pass"} for seat in (1, 2, 3, 4)]}


def correct(game, position, facts, by=None):
    version = game.hands[position - 1].version
    with acting_as(by):
        hand_service.correct_hand(game, position, facts, hand_version=version, token=f"correct v{game.version}")


def remove(game, position):
    version = game.hands[position - 1].version
    hand_service.remove_hand(game, position, hand_version=version, token=f"remove v{game.version}")


def undo(game):
    hand_service.undo(game, token=f"undo v{game.version}")


def redo(game):
    hand_service.redo(game, token=f"redo v{game.version}")


def said(game):
    """Return the history's sentences, newest first."""
    db.session.expire_all()
    return [str(entry) for entry in History(game).page(game.version + 1).entries]


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (TWO_EACH, TWO_EACH | {"bid": 3}, "bid 3, was 2; −3 to 2, was 2 to 2"),
        (TWO_EACH, THREE_ONE, "Jack to A, was B; 3 to 1, was 2 to 2"),
        (TWO_EACH, TWO_EACH | {"trump": "S"}, "trump spades, was hearts; same score"),
        (TWO_EACH, TWO_EACH | {"bidder": 3}, "bidder Cy, was Ann; same score"),
        (TWO_EACH, TWO_EACH | {"dealer": 2}, "dealer Bo, was Di; same score"),
        (TWO_EACH, FOUR | {"bid": 4}, "bid 4, was 2; Jack to A, was B; Game to A, was B; 4 to 0, was 2 to 2"),
        (TWO_EACH, TWO_EACH | {"claims": {"high": "A", "low": "A", "game": "B"}},
         "Jack not dealt, was B; 2 to 1, was 2 to 2"),
        (TWO_EACH | {"claims": {"high": "A", "low": "A", "game": "B"}}, TWO_EACH,
         "Jack to B, was not dealt; 2 to 2, was 2 to 1"),
        (TWO_EACH, TWO_EACH | {"claims": {"high": "A", "low": "A", "jack": "B"}, "game_counts": {"A": 20, "B": 31}},
         "card points 20 to 31, was nothing; same score"),
        (TWO_EACH, PASSED, "all passed, was: Ann bid 2, took 2; 0 to 0, was 2 to 2"),
        (PASSED, SET, "Ann bid 2, took 1, set, was: all passed; −2 to 3, was 0 to 0"),
    ],
)  # fmt: skip
def test_a_correction_says_what_is_another(game, before, after, what):
    record(game, {"dealer": 4} | before)
    correct(game, 1, after)
    assert said(game)[0] == f"An unnamed phone: hand 1 corrected: {what}."


def test_hands_saved_one_after_another_and_a_correction(game):
    """A correction says the score of the whole game: 2 to 2 and -2 to 3 make 0 to 5; with 3 to 1 first, 1 to 4."""
    record(game, TWO_EACH, SET)
    correct(game, 1, THREE_ONE)
    assert said(game) == [
        "An unnamed phone: hand 1 corrected: Jack to A, was B; 1 to 4, was 0 to 5.",
        "An unnamed phone: hand 2 saved: Ann bid 2, took 1, set; 0 to 5, was 2 to 2.",
        "An unnamed phone: hand 1 saved: Ann bid 2, took 2; 2 to 2, was 0 to 0.",
    ]


def test_each_way_of_undoing_reads_like_a_sentence(game):
    record(game, TWO_EACH, SET)
    correct(game, 2, TWO_EACH)
    for step in (undo, undo, redo, redo):
        step(game)
    remove(game, 1)
    for step in (undo, redo):
        step(game)
    assert said(game)[:7] == [
        "An unnamed phone: hand 1 removed again: Ann bid 2, took 2; 2 to 2, was 4 to 4.",
        "An unnamed phone: hand 1 restored: Ann bid 2, took 2; 4 to 4, was 2 to 2.",
        "An unnamed phone: hand 1 removed: Ann bid 2, took 2; 2 to 2, was 4 to 4.",
        "An unnamed phone: the correction of hand 2 redone: Low to A, was B; 4 to 4, was 0 to 5.",
        "An unnamed phone: hand 2 redone: Ann bid 2, took 1, set; 0 to 5, was 2 to 2.",
        "An unnamed phone: hand 2 undone: Ann bid 2, took 1, set; 2 to 2, was 0 to 5.",
        "An unnamed phone: the correction of hand 2 undone: Low to B, was A; 0 to 5, was 4 to 4.",
    ]


def test_who_wins_by_a_correction_is_said(club):
    """Classic to 4: A has 4 to 0 and wins; after the hand is bid and taken by B, B wins."""
    rules = find_rules("classic").override({"win.target": 4})
    game = start_game(club, rules=rules)
    record(game, FOUR)
    correct(game, 1, TWO_EACH)
    correct(game, 1, {"bidder": 2, "bid": 2, "trump": "H", "claims": dict.fromkeys(FOUR["claims"], "B")})
    told = said(game)
    assert told[2].endswith("; 4 to 0, was 0 to 0; Ann and Cy win.")
    assert told[1].endswith("; 2 to 2, was 4 to 0; nobody has won yet.")
    assert told[0].endswith("; 0 to 4, was 2 to 2; Bo and Di win.")


def test_many_scores_say_only_those_that_changed(club):
    names = ["Ann", "Bo", "Cy", "Di", "Ed"]
    game = start_game(club, rules=find_rules("west-michigan-5"), players=5, teams=0, names=names)
    hand = {"bidder": 1, "bid": 3, "trump": "H", "called": "AS", "partner": 3}
    points = ("high", "low", "right_jack", "left_jack", "right_joker", "left_joker", "game")
    record(game, hand | {"claims": dict.fromkeys(points, "bidding")})
    correct(game, 1, hand | {"partner": 2, "claims": dict.fromkeys(points, "bidding")})
    assert said(game)[0] == (
        "An unnamed phone: hand 1 corrected: bidders Ann and Bo, was Ann and Cy; "
        "High to Ann and Bo, was Ann and Cy; Low to Ann and Bo, was Ann and Cy; "
        "Right Jack to Ann and Bo, was Ann and Cy; Left Jack to Ann and Bo, was Ann and Cy; "
        "Right Joker to Ann and Bo, was Ann and Cy; Left Joker to Ann and Bo, was Ann and Cy; "
        "Game to Ann and Bo, was Ann and Cy; Bo 7 (was 0), Cy 0 (was 7)."
    )


def test_a_substitute_is_named_from_that_hand_on(game):
    record(game, TWO_EACH | {"bidder": 2, "claims": dict.fromkeys(FOUR["claims"], "B")})
    record(game, {"names": {"2": "Gil"}} | FOUR | {"bidder": 2, "claims": dict.fromkeys(FOUR["claims"], "B")})
    assert said(game)[0].startswith("An unnamed phone: hand 2 saved: Gil bid 2, took 4")
    assert said(game)[1].startswith("An unnamed phone: hand 1 saved: Bo bid 2, took 4")


def test_substitutions_are_told_by_themselves(game):
    """Gil for Bo, a hand, Bo back for Gil: undone, redone, and the hand removed."""
    with acting_as("Ann"):
        hand_service.substitute(game, 2, "Gil")
    record(game, TWO_EACH)
    hand_service.substitute(game, 2, "Bo")
    undo(game)
    redo(game)
    remove(game, 1)
    assert said(game) == [
        "An unnamed phone: hand 1 removed: Ann bid 2, took 2; 0 to 0, was 2 to 2.",
        "An unnamed phone: Bo for Gil from hand 2.",
        "An unnamed phone: Bo’s substitution was undone.",
        "An unnamed phone: Bo for Gil from hand 2.",
        "An unnamed phone: hand 1 saved: Ann bid 2, took 2; 2 to 2, was 0 to 0.",
        "Ann’s phone: Gil for Bo from hand 1.",
    ]


def test_two_substitutes_before_one_hand_are_two_changes(client, game, address):
    hand_service.substitute(game, 2, "Gil")
    hand_service.substitute(game, 3, "Hal")
    assert said(game) == ["An unnamed phone: Hal for Cy from hand 1.", "An unnamed phone: Gil for Bo from hand 1."]
    page = client.get(f"{address}/history")
    assert "Gil for Bo from hand 1." in page.text
    assert "show hand" not in page.text


def test_a_substitution_of_two_players_who_were_merged_since_names_the_one(client, club, game, address):
    """Bob sat down for Bo, which was undone: he is Bo, whose name was written in two ways. Eve sits in seat 3."""
    start_game(club, names=["Bob", "P", "Q", "R"])
    hand_service.substitute(game, 3, "Eve")
    hand_service.substitute(game, 2, "Bob")
    undo(game)
    merge(player("Bo"), player("Bob"))
    assert said(game)[:2] == [
        "An unnamed phone: Bo’s substitution was undone.",
        "An unnamed phone: Bo for Bo from hand 1.",
    ]
    page = client.get(f"{address}/now", headers={"If-None-Match": 'W/"1"'})
    assert "Bo for Bo. Bo for Bo." in read(page)


def test_an_adjustment_and_a_note_are_told_plainly(game, client, address):
    """2 to 2, and Bo's team loses 2: 2 to 0. After undo it is 2 to 2 again."""
    record(game, TWO_EACH)
    revoke = [{"unit": "B", "points": -2, "reason": "revoke"}]
    with acting_as("Ann"):
        hand_service.adjust(game, 1, revoke, hand_version=1, token="adjust")
    hand_service.correct_hand(game, 1, TWO_EACH | {"note": "Bo led out of turn"}, hand_version=2, token="note")
    hand_service.correct_hand(game, 1, TWO_EACH | {"note": ""}, hand_version=3, token="no note")
    undo(game)
    undo(game)
    undo(game)
    redo(game)
    assert said(game)[:-1] == [
        "An unnamed phone: hand 1: Bo and Di −2 (revoke); 2 to 0, was 2 to 2.",
        "An unnamed phone: hand 1: adjustment removed; 2 to 2, was 2 to 0.",
        "An unnamed phone: hand 1: note removed; same score.",
        "An unnamed phone: hand 1: note “Bo led out of turn”; same score.",
        "An unnamed phone: hand 1: note removed; same score.",
        "An unnamed phone: hand 1: note “Bo led out of turn”; same score.",
        "Ann’s phone: hand 1: Bo and Di −2 (revoke); 2 to 0, was 2 to 2.",
    ]
    answer = client.post(f"{address}/undo", data={"token": "u"}, follow_redirects=True)
    assert "Hand 1: adjustment removed." in answer.text
    answer = client.post(f"{address}/redo", data={"token": "r"}, follow_redirects=True)
    assert "Hand 1: Bo and Di −2 (revoke)." in answer.text


def test_a_hand_is_followed_wherever_it_moves(game):
    record(game, TWO_EACH, TWO_EACH, THREE_ONE)
    third = game.hands[2].version
    remove(game, 1)
    correct(game, 1, FOUR)  # formerly the second hand
    correct(game, 2, SET)  # formerly the third
    assert [str(entry).split(": ")[1] for entry in History(game).of_hand(third)] == ["hand 2 corrected"]


def test_a_hand_that_is_taken_out_and_put_back_stays_itself(game):
    record(game, TWO_EACH)
    first = game.hands[0].version
    remove(game, 1)
    undo(game)
    correct(game, 1, SET)
    done = [str(entry).split(": ")[1] for entry in History(game).of_hand(first)]
    assert done == ["hand 1 removed", "hand 1 restored", "hand 1 corrected"]


def test_a_message_tells_the_latest_changes_only(game):
    record(game, *[TWO_EACH] * 5)
    told = short_message(History(game).since(1))
    assert told.startswith("… An unnamed phone: hand 3 saved")
    assert told.count("An unnamed phone") == 3
    record(game, *[TWO_EACH] * 7)
    assert [entry.seq for entry in History(game).since(0)] == [*range(3, 13)]


def test_the_page_says_when_in_the_clubs_zone_and_a_hand_is_a_tap_away(client, game, address):
    assert "No changes yet." in client.get(f"{address}/history").text
    record(game, TWO_EACH)
    at = game.changes[0].at
    page = client.get(f"{address}/history")
    assert f'<time datetime="{at.isoformat()}">{day_and_hour(at, game.club.zone)}</time>' in page.text
    assert "hand 1 saved: Ann bid 2, took 2; 2 to 2, was 0 to 0." in page.text
    assert "show hand" in page.text
    correct(game, 1, SET)
    page = client.get(f"{address}/history").text
    newest = page[page.index('id="change-2"') : page.index('id="change-1"')]
    assert newest.count("<caption>") == 2
    assert newest.count('class="differs"') == 2  # Low, before and after
    assert newest.index("before") < newest.index("after")


def test_a_long_history_comes_page_by_page(client, game, address, monkeypatch):
    monkeypatch.setattr(history, "CHANGES_ON_A_PAGE", 2)
    record(game, TWO_EACH, TWO_EACH, SET)
    first = client.get(f"{address}/history").text
    assert "change-3" in first
    assert "change-1" not in first
    assert f"{address}/history?before=2" in first
    second = client.get(f"{address}/history?before=2").text
    assert "change-1" in second
    assert "before=" not in second
    assert client.get(f"{address}/history?before=²").status_code == 200


def test_a_long_history_scores_each_hand_once(app_context, club):
    """The oldest page scores 50 hands, the latest all 400."""
    game = long_game(club, 400)
    oldest = History(game)
    assert str(oldest.page(51).entries[-1]).endswith("took 1, set; −2 to 3, was 0 to 0.")
    assert oldest._running.scored == 50
    latest = History(game)
    assert len(latest.page(401).entries) == 50
    assert latest._running.scored == 400


def test_corrections_of_an_early_hand_fill_shorter_pages(game, monkeypatch):
    """With at most 10 hands scored for a page, corrections of hand 1 in a game of five hands come two a page."""
    record(game, *[TWO_EACH, SET] * 2, TWO_EACH)
    for bid in (3, 2, 3, 2, 3, 2):
        correct(game, 1, TWO_EACH | {"bid": bid})
    monkeypatch.setattr(history, "MOST_SCORED", 10)
    entries, sizes, until = [], [], game.version + 1
    while until:
        page = History(game).page(until)
        sizes.append(len(page.entries))
        entries, until = [*entries, *page.entries], page.earlier
    assert [entry.seq for entry in entries] == [*range(11, 0, -1)]
    assert sizes == [2, 2, 2, 5]  # six corrections, then the saved hands
    monkeypatch.undo()
    assert [str(entry) for entry in entries] == said(game)


@pytest.mark.parametrize("seed", range(12))
def test_the_running_score_is_that_of_a_replay(game, seed):
    """After random changes, totals and end equal those of a replay."""
    rng, facts = Random(seed), (TWO_EACH, SET, FOUR, THREE_ONE, PASSED | {"dealer": 4})
    record(game, *rng.choices(facts, k=2))
    for _ in range(12):
        with suppress(hand_service.Conflict, Refused):
            position = rng.randint(1, max(1, len(game.hands)))
            what = rng.choice(("record", "correct", "remove", "undo", "redo", "seat"))
            if what == "record":
                record(game, rng.choice(facts))
            elif what == "seat":
                hand_service.substitute(game, rng.randint(1, 4), rng.choice("GHIJ"))
            elif what in ("undo", "redo"):
                (undo if what == "undo" else redo)(game)
            elif game.hands:
                correct(game, position, rng.choice(facts)) if what == "correct" else remove(game, position)
    db.session.expire_all()
    steps, running = History(game).steps, RunningScore(game)
    for step in rng.choices(steps, k=20):
        hands = [slot.facts for slot in step.after.hands]
        assert running.after(step.after.hands) == replay(read_game(game.record_of(hands)))


def hand_form(**changes):
    points = {f"point-{key}": side for key, side in TWO_EACH["claims"].items()}
    return {"token": "a", "position": "1", "bidder": "1", "bid": "2", "trump": "H", "do": "save"} | points | changes


def test_a_phone_may_say_whose_it_is(client, game, address):
    answer = client.post(f"{address}/phone", data={"whose": "Bo"}, follow_redirects=True)
    assert "Bo is scoring on this device." in answer.text
    client.post(f"{address}/hands/new", data=hand_form())
    client.post(f"{address}/hands/1/", data=hand_form(token="b", hand_version="1", bid="3"))
    client.post(f"{address}/undo", data={"token": "c"})
    assert [entry.split(":")[0] for entry in said(game)] == ["Bo’s phone"] * 3
    client.post(f"{address}/redo", data={"token": "d"})
    client.post(f"{address}/hands/1/remove", data={"token": "e", "hand_version": "4"})
    client.post(f"{address}/phone", data={"whose": ""})
    client.post(f"{address}/undo", data={"token": "f"})
    assert [change.by for change in game.changes] == ["Bo"] * 5 + [None]


@pytest.mark.parametrize("whose", ["Nobody we know", "", "Ann\N{ZERO WIDTH SPACE}"])
def test_a_phone_is_nobodys_unless_a_player_of_that_club_is_named(client, game, address, whose):
    other = start_game(new_club("Another club"), names=NAMES)
    client.post(f"{address}/phone", data={"whose": "Ann"})
    client.post(f"/c/{other.club.key}/games/1/hands/new", data=hand_form())
    client.post(f"{address}/phone", data={"whose": whose})
    client.post(f"{address}/hands/new", data=hand_form())
    assert game.changes[0].by is other.changes[0].by is None


def test_the_sheet_says_what_undo_would_take_back(client, game, address):
    client.post(f"{address}/phone", data={"whose": "Ann"})
    client.post(f"{address}/hands/new", data=hand_form())
    assert "Undo: hand 1 by Ann" in client.get(f"{address}/").text
    client.post(f"{address}/hands/1/", data=hand_form(token="b", hand_version="1", bid="3"))
    assert "Undo: correction of hand 1 by Ann" in client.get(f"{address}/").text
    client.post(f"{address}/undo", data={"token": "c"})
    page = read(client.get(f"{address}/"))
    assert "Undo: hand 1 by Ann" in page
    assert "Redo: correction of hand 1 by Ann" in page


def test_undo_and_redo_on_an_old_page_change_nothing_and_say_what_has_changed(client, game, address):
    record(game, TWO_EACH, SET)
    undo(game)
    correct(game, 1, SET, by="Bo")
    undo(game)
    for step, done in (("undo", "undone"), ("redo", "redone")):
        answer = client.post(f"{address}/{step}", data={"token": step, "game_version": "3"}, follow_redirects=True)
        said = f"so nothing was {done}. Bo’s phone: hand 1 corrected: Low to B, was A; −2 to 3, was 2 to 2."
        assert said in answer.text
    assert len(game.changes) == 5


def test_a_correction_and_a_removal_on_an_old_page_are_refused_with_what_changed(client, game, address):
    record(game, TWO_EACH)
    correct(game, 1, SET, by="Bo")
    answer = client.post(f"{address}/hands/1/", data=hand_form(hand_version="1", bid="3"))
    assert answer.status_code == 409
    assert "Bo’s phone, " in read(answer)
    assert "hand 1 corrected: Low to B, was A; −2 to 3, was 2 to 2." in read(answer)
    answer = client.post(f"{address}/hands/1/remove", data={"token": "x", "hand_version": "1"}, follow_redirects=True)
    assert "it was not removed. Bo’s phone: hand 1 corrected: Low to B, was A" in answer.text
    db.session.expire_all()
    assert [hand.facts["claims"] for hand in game.hands] == [SET["claims"]]


def test_the_page_of_a_hand_that_is_gone_does_not_become_the_page_of_another(client, game, address):
    record(game, TWO_EACH)
    remove(game, 1)
    answer = client.post(f"{address}/hands/preview", data=hand_form(hand_version="1"))
    assert (answer.status_code, answer.text) == (204, "")
    answer = client.post(f"{address}/hands/1/", data=hand_form(hand_version="1"))
    assert answer.status_code == 409
    assert "hand 1 removed: Ann bid 2, took 2; 0 to 0, was 2 to 2." in read(answer)


def test_a_page_reads_the_changes_that_it_shows_however_many_there_are(client, club):
    """With 60 and with 120 corrections, the same number of log entries is read."""
    game, address, read = start_game(club), f"/c/{club.key}/games/1/history", []
    record(game, TWO_EACH)

    def note(change, _context):
        loaded.append(change.seq)

    for number in range(2, 122):
        facts = TWO_EACH | {"note": f"note {number}"}
        hand_service.correct_hand(game, 1, facts, hand_version=game.hands[0].version, token=str(number))
        if number in (61, 121):
            db.session.rollback()
            db.session.expunge_all()
            loaded: list[int] = []
            event.listen(Change, "load", note)
            page = client.get(address).text
            event.remove(Change, "load", note)
            assert f"before={number - 49}" in page
            assert max(loaded) == number
            read.append(len(loaded))
            game = db.session.scalars(select(Game)).one()
    assert read[0] == read[1] <= history.CHANGES_ON_A_PAGE + 2

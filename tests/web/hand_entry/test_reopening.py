"""A saved hand, reopened and saved unchanged, stays the same, as does its result in any other way of entry."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import Game
from scorekeeper.scoring.hand import check_hand, score_hand
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import find_table, read_hand
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.scoring.table import Table
from scorekeeper.services import hands as hand_service
from scorekeeper.web.common.narrator import Narrator
from scorekeeper.web.hand_entry import editor
from tests.scoring import deals, reference
from tests.scoring.reference import Facts
from tests.shapes import every_format
from tests.web.site import NAMES, Site, checked, complaints, fields_of, notices, says

HANDS = int(os.environ.get("SCOREKEEPER_REOPEN", "1"))  # deals of each game, each at all levels of detail


def told_hands(chance: Random, rules: RuleSet, players: int, teams: int) -> Iterator[tuple[str, Facts]]:
    """Yield hands at each level of detail of the record, with made and missed bids of all kinds."""
    plain, table = rules.to_dict(), find_table(rules.to_dict(), players, teams)
    yield from nobody_played(table)
    for _ in range(HANDS):
        deal = deals.deal(chance, plain, players, teams)
        facts = deals.tricks_record(chance, deal)
        truth = reference.judge(plain, players, teams, facts | ({"bid": deal.bid} if "bid" in facts else {}))
        assert truth is not None
        yield from deals.records(chance, deal, truth).items()
        for _ in range(3):
            yield "any claims", any_claims(chance, table, deal)


def nobody_played(table: Table) -> Iterator[tuple[str, Facts]]:
    """Yield hands that were not played."""
    auction = table.rules.auction
    if not auction.is_held:
        yield "not played", {"dealer": 1}
    elif auction.all_pass in ("redeal", "next-dealer"):
        yield "passed", {"dealer": 1, "bids": [{"seat": seat, "bid": "pass"} for seat in table.seats_from(2)]}
    if table.rules.deck.misdeal:
        yield "misdeal", {"dealer": 1, "misdeal": True}


def any_claims(chance: Random, table: Table, deal: deals.Deal) -> Facts:
    """Return a hand with random claims that the core accepts, including points without a taker."""
    held = table.rules.auction.is_held
    while True:
        told = {"bidder": chance.choice(table.seats), "bid": chance.choice(sorted(table.bids))} if held else {}
        facts: Facts = {"dealer": deal.dealer, **told, "trump": chance.choice("SHDC")}
        if table.calls_partner:
            facts["partner"] = chance.choice([None, *table.seats])
        sides = [*table.seats] if chance.random() < 0.7 else [chance.choice(table.seats)]
        facts["claims"] = {key: chance.choice([*sides, None]) for key in table.points if chance.random() < 0.9}
        if chance.random() < 0.4:
            facts["sweep"] = chance.choice(sides)
        if table.rules.trump.is_turned_up and chance.random() < 0.7:
            facts["turned_up"] = [chance.choice("A6J9x") for _ in range(chance.randint(1, table.most_runs + 1))]
        if table.rules.trump.gift and len(facts.get("turned_up", ())) < 2:
            facts["gift"] = chance.random() < 0.5
        with suppress(Refused):
            if not check_hand(table, read_hand(facts, table)):
                return facts


def meaning(table: Table, facts: Facts) -> dict[str, Any]:
    """Return everything that follows from a hand."""
    score = score_hand(table, read_hand(facts, table))
    points = {key: (point.side, point.captured) for key, point in score.points.items()}
    told = {name: getattr(score, name) for name in ("status", "dealer", "bidder", "bid", "earned", "made", "change")}
    return told | {"missed": score.missed, "points": points, "events": dict(score.events), "sold": dict(score.sold)}


@every_format
def test_a_saved_hand_opened_and_saved_as_it_is_stays_as_it_is(site, app, rules, players, teams) -> None:
    """Exactly the same, or with an added note: the fields of the page are sent back as by a browser."""
    site.start_game(rules.id, players=str(players), teams=str(teams), **{"name-7": "Gil"})
    chance = Random(f"{rules.id} {players} {teams}")
    for level, facts in told_hands(chance, rules, players, teams):
        if not saved(app, facts):
            continue
        before = hand_now(app)
        page = site.client.get(f"{site.game}hands/1/")
        note = {"note": "Misread"} if chance.random() < 0.5 else {}
        page = site.tap(page, **note) if note else page
        assert (page.status_code, complaints(page)) == (200, []), (level, facts)
        answer = site.client.post(f"{site.game}hands/1/", data=fields_of(page) | {"do": "save"})
        assert answer.status_code == 303, complaints(answer) or says(answer)
        assert hand_now(app) == before | note, level


def saved(app: Flask, facts: Facts) -> bool:
    """Replace the game's hand by `facts`; False if the scores at the start do not allow its bid."""
    with app.app_context():
        game = db.session.scalars(select(Game)).one()
        token = f"hand-{game.version}"
        for hand in list(game.hands):
            hand_service.remove_hand(game, 1, hand_version=hand.version, token=f"no-{token}")
        try:
            hand_service.record_hand(game, facts, position=1, token=token)
        except Refused as refused:
            assert {problem.code for problem in refused.problems} <= {"special-too-low", "bid-too-high"}
            return False
        return True


def hand_now(app: Flask) -> Facts:
    with app.app_context():
        return dict(db.session.scalars(select(Game)).one().hands[0].facts)


@every_format
def test_a_hand_means_the_same_in_every_way_that_knows_all_of_it(rules: RuleSet, players: int, teams: int) -> None:
    """The draft of a reopened hand gives the same facts; also play as piles or points, piles as points, and back."""
    table, chance = find_table(rules.to_dict(), players, teams), Random(f"{rules.id} {players} {teams}")
    narrator = Narrator(table, [*NAMES, "Gil"][:players])
    for level, facts in told_hands(chance, rules, players, teams):
        score = score_hand(table, read_hand(facts, table))
        if score.status != "scored":
            continue
        first = editor.reopen(table, facts, score)
        assert meaning(table, editor.facts_of(first)) == meaning(table, facts), (level, facts)
        ways = {"play": ("cards", "points", "play", "cards", "points"), "cards": ("points",), "points": ()}
        draft = first
        for way in ways[first.detail]:
            draft = editor.apply_taps(replace(draft, detail=way), draft.detail)
            assert editor.missing(draft, narrator) == {}, (level, way, facts)
            assert meaning(table, editor.facts_of(draft)) == meaning(table, facts), (level, way, facts)
            assert not draft.notices, (level, way, facts)


def test_a_hand_saved_as_it_is_is_no_change_so_that_undo_and_redo_are_as_before(table: Site) -> None:
    for position in "12":
        table.post_hand(position=position, **{"point-low": "B"})
    table.step("undo", game_version="2")
    table.correct(1, 1, do="preview", bid="4", **{"point-low": "B"})
    page = table.client.get(f"{table.game}hands/1/")
    back = table.tap(page, bid="3")
    log = table.client.get(f"{table.game}history").text.count("corrected")
    saved = table.client.post(f"{table.game}hands/1/", data=fields_of(back) | {"do": "save"}, follow_redirects=True)
    assert "Nothing was changed in hand 1." in saved.text
    assert table.client.get(f"{table.game}history").text.count("corrected") == log
    assert not any(name == "bid-is-4" for name in checked(table.client.get(f"{table.game}hands/1/")))
    table.step("redo", game_version="3")
    assert len(table.record()["hands"]) == 2


# Ann and Cy take all four points, and Bo the last trick, which has none. Hearts are trump, 20 to 0.
LOST_A_TRICK = (
    "AH 9C 2H 8C  KH 7C 3C 6C  QH 5C 4C 9D  JH 8D 7D 6D  TH 5D 4D 3D  2S 9S 3S 4S"
)  # fmt: skip
SET = "Ann bid smudge, took 4 but lost a trick: set, −5. Nobody else scored. Bo and Di lead 0 to −5."
ALONE = "Ann bid alone, took 6 but lost a trick: set, −7. Nobody else scored. Bo’s team leads 0 to −7."


@pytest.mark.parametrize("way", ["points", "cards", "play"])
def test_a_trick_that_was_lost_is_lost_in_every_way(site: Site, way: str) -> None:
    site.start_game("partnership")
    tapped = site.preview(bid="smudge", detail="play", was="play", plays=LOST_A_TRICK, do=None)
    assert says(tapped) == SET
    there = site.tap(tapped, detail=way)
    assert (says(there), notices(there)) == (SET, [])
    assert says(site.tap(there, detail="play")) == SET
    assert says(site.tap(site.tap(there, detail="cards"), detail="points")) == SET
    site.client.post(f"{site.game}hands/new", data=fields_of(there) | {"do": "save"})
    assert site.totals() == [-5, 0]
    assert says(site.client.get(f"{site.game}hands/1/")) == SET


@pytest.mark.parametrize(("rules", "bid", "sentence"), [
    ("partnership", "smudge", SET), ("western-pennsylvania-cinch", "alone", ALONE),
])  # fmt: skip
def test_every_trick_no_is_no_when_the_hand_is_opened(site: Site, rules: str, bid: str, sentence: str) -> None:
    site.start_game(rules)
    assert site.post_hand(bid=bid, **{"point-sweep": "nobody"}).status_code == 303
    opened = site.client.get(f"{site.game}hands/1/")
    assert says(opened) == sentence
    assert "point-sweep-is-nobody" in checked(opened)
    noted = site.tap(opened, note="Bo had the 9")
    assert says(noted) == sentence
    assert says(site.tap(noted, **{"point-low": "A"})) == sentence
    assert "+" in says(site.tap(noted, **{"point-sweep": "A"}))


def test_a_side_with_every_card_took_every_trick_and_a_smudge_of_the_others_is_set(site: Site) -> None:
    """Bo bids it, and all cards are A's: 4 points for A, which did not bid."""
    site.start_game("partnership")
    cards = {f"at-{card}": "A" for card in LOST_A_TRICK.split()}
    tapped = {"bid": "smudge", "detail": "cards", "was": "cards", "do": None} | cards
    assert says(site.preview(**tapped)).startswith("Ann bid smudge, took 4: +5.")
    odd = "One pile has every card. Tap yes under every trick, or move a card."
    assert says(site.preview(**tapped, **{"point-sweep": "nobody"})) == odd
    for said in ({}, {"point-sweep": "nobody"}):
        answer = site.preview(**tapped, bidder="2", **said)
        assert says(answer) == "Bo bid smudge, took 0: set, −5. Ann and Cy +4. Ann and Cy lead 4 to −5."

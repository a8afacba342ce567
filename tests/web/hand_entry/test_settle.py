"""The offline scoring script (static/settle.js) agrees with the scoring core, for all rule sets and house rules."""

import os
import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.scoring.game import GameScore, Outcome, WinCheck, next_dealer
from scorekeeper.scoring.hand import HandScore, score_hand
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_hand
from scorekeeper.scoring.rules import CATALOGUE, find_rules, variations
from scorekeeper.scoring.table import Table
from scorekeeper.web.common.narrator import Narrator, ending
from scorekeeper.web.hand_entry import editor, points
from scorekeeper.web.hand_entry.draft import ALONE, NOBODY, SWEEP, Draft, bids_to_tap
from scorekeeper.web.hand_entry.offline_page import names_data, table_data
from tests.by_scripts import by_scripts
from tests.scoring.rule_values import HOUSE_RULES, SHOT, VALUES, WON

# Hands for each rule set; set SCOREKEEPER_SETTLE=10000 for a long run.
HANDS = int(os.environ.get("SCOREKEEPER_SETTLE", "150"))
NAMES = ("Ann", "Bo", "Cy Young", "Di", "Ed", "Flo", "Gil", "Hal", "Ida", "Jo", "Kit", "Lou")
# Play games as the offline page does: return each hand's result, and the game after it.
PLAY = """
const play = (games) => games.map(({ table, names, game, drafts }) => drafts.map((draft) => {
  const hand = settle.score(table, draft, game.totals);
  if (hand.problem) return { problem: hand.problem };
  game = settle.after(table, game, hand);
  const { made, missed, earned, change } = hand;
  const { totals, dealer, winners, reason, reached } = game, says = settle.say(table, names, hand, game);
  return { made, missed, earned, change, totals, dealer, winners, reason, reached, says };
}));
"""
# The same games as waiting forms, which pages add to the score: return the score after each of them.
WAIT = """
const wait = (games) => games.map(({ table, game, items }) => items.map((_, place) => {
  const then = settle.withWaiting({ ...game, table }, items.slice(0, place + 1));
  const { totals, dealer, position, winners, hands } = then;
  return { totals, dealer, position, winners, of: hands.length };
}));
"""


OF_SUITS = [
    {"key": "high", "card": "highest"},
    {"key": "high_spade", "card": "highest-S"},
    {"key": "low_spade", "card": "lowest-S", "owner": "holder"},
    {"key": "high_heart", "card": "highest-H", "owner": "keeper", "worth": 2},
    {"key": "most", "card": "game"},
]


ALONE_WITH_SMUDGE = {
    "table.sides": "solo", "table.teams": [], "table.players": [3],
    "auction.specials": [{"name": "smudge", "bid": 5, "needs": ["every-trick"]}],
}  # fmt: skip


def any_draft(chance: random.Random, table: Table, dealer: int) -> Draft:
    """Return a random hand with most choices made, possibly an invalid one."""
    auction, sides = table.rules.auction, Draft(table, 1).side_names
    bids = [*bids_to_tap(table)]
    bids += [*(special.name for special in auction.specials), *[0] * 3 * auction.plays_without_bid]
    keys = [*table.points, SWEEP]
    tapped = chance.sample(keys, chance.randint(0, len(keys)))
    before, all_buried = _before_the_play(chance, table), chance.random() < 0.6
    most = Draft(table, dealer, **before).table.buried
    draft = Draft(
        table,
        dealer,
        bidder=_seldom_none(chance, chance.choice(table.seats)),
        bid=_seldom_none(chance, chance.choice(bids)),
        trump=_seldom_none(chance, chance.choice("SHDC")),
        buried=tuple(chance.sample(table.deck, most if all_buried else chance.randint(0, table.buried))),
        points={key: chance.choice([*sides, NOBODY]) for key in tapped},
        **before,
    ).without_bidding()
    if not table.calls_partner:
        return draft
    partner = _seldom_none(chance, chance.choice([*table.seats, ALONE]))
    return replace(draft, called=chance.choice([None, *table.deck]), partner=partner)


def _before_the_play(chance: random.Random, table: Table) -> dict[str, Any]:
    """Return random choices of cards turned up, begging, and the players of capturable cards."""
    trump, sides = table.rules.trump, Draft(table, 1).side_names
    tapped: dict[str, Any] = {
        "played_by": {key: chance.choice(sides) for key in table.captured if chance.random() < 0.6}
    }
    if not trump.is_turned_up:
        return tapped
    ways = ["", "gift" if trump.gift else "", "run" if table.most_runs else ""]
    beg, ranks = chance.choice(ways), (*trump.turned, "x", "9")
    cards = chance.randint(2, table.most_runs + 1) if beg == "run" else chance.randint(0, 1)
    return tapped | {"beg": beg, "turned": tuple(chance.choice(ranks) for _ in range(cards))}


def _seldom_none(chance: random.Random, value: Any) -> Any:
    return None if chance.random() < 0.02 else value


def tables(rules_id: str) -> Iterator[Table]:
    """Yield a rule set with all table sizes, and each of its house rules at one table."""
    rules = find_rules(rules_id)
    for changed in (rules, *(rules.override(variation.options) for variation in variations(rules_id))):
        for players in changed.table.players if changed is rules else changed.table.players[:1]:
            for teams in changed.table.teams or (None,):
                try:
                    yield Table(changed, players, teams)
                except Refused:
                    continue


class GameByCore:
    """Plays a game by the core; `sent` is the input of the script, `came` the expected output."""

    def __init__(self, chance: random.Random, table: Table) -> None:
        letters = chance.choice([16, 3])  # with names of 3 letters some are cut
        self.table, self.narrator = table, Narrator(table, NAMES[: table.players]).in_few_letters(letters)
        self.totals = {unit: chance.choice([0, 0, table.rules.win.target - 5, -3]) for unit in table.units}
        self.check, self.dealer = WinCheck(table, self.totals), 1
        self.sent: dict[str, Any] = {
            "table": table_data(table),
            "names": names_data(self.narrator),
            "game": {"totals": self.totals, "reached": sorted(self.check.reached), "position": 1},
            "drafts": [],
        }
        self.came: list[Any] = []
        self.scores: list[HandScore] = []

    def add(self, draft: Draft, *, passed: bool, misdeal: bool = False) -> bool:
        """Score a hand; return False when the game is over."""
        self.sent["drafts"].append(_as_script_has_it(draft, passed=passed or misdeal) | {"misdeal": misdeal})
        score = self._score(draft, passed=passed or misdeal, misdeal=misdeal)
        if score is None:
            self.came.append({"problem": True})
            return True
        outcome = self.check.after(score)
        self.scores.append(score)
        self.totals, self.dealer = score.totals, next_dealer(self.table, score)
        self.came.append(self._told(score, outcome))
        return outcome is None

    def _score(self, draft: Draft, *, passed: bool, misdeal: bool) -> HandScore | None:
        if not passed and editor.missing(draft, self.narrator):
            return None
        facts = editor.passed_out(draft, misdeal=misdeal) if passed else editor.facts_of(draft)
        try:
            return score_hand(self.table, read_hand(facts, self.table), None, self.totals)
        except Refused:
            return None

    def _told(self, score: HandScore, outcome: Outcome | None) -> dict[str, Any]:
        told: dict[str, Any] = {"change": score.change, "totals": score.totals, "dealer": self.dealer}
        told |= {"reached": sorted(self.check.reached)}
        if score.status == "scored":
            told |= {"made": score.made, "missed": list(score.missed), "earned": score.earned}
        end = ""
        if outcome:
            told |= {"winners": list(outcome.winners), "reason": outcome.reason}
            game = GameScore(tuple(self.scores), score.totals, outcome, None)
            end = ending(self.narrator, game, self.narrator.winners(outcome))
        return told | {"says": list(self.narrator.hand(score, score.totals, end=end))}


def _as_script_has_it(draft: Draft, *, passed: bool) -> dict[str, Any]:
    fields = ("dealer", "bidder", "bid", "trump", "called", "partner", "buried", "points", "turned", "beg")
    return {name: getattr(draft, name) for name in fields} | {"passed": passed, "dealt": draft.played_by}


def _as_a_form(draft: Mapping[str, Any], position: int) -> dict[str, Any]:
    """Return a draft in the format of the queue of waiting hands."""
    do = "misdeal" if draft["misdeal"] else "passed" if draft["passed"] else "save"
    fields = [(name, draft[name]) for name in ("dealer", "bidder", "bid", "trump", "called", "partner", "beg")]
    fields += [(f"point-{key}", side) for key, side in draft["points"].items()]
    fields += [(f"by-{key}", side) for key, side in draft["dealt"].items()]
    fields += [("buried", card) for card in draft["buried"]]
    fields += [(f"turned-{place}", rank) for place, rank in enumerate(draft["turned"])]
    fields += [("position", position), ("detail", "points"), ("do", do)]
    told = [(name, str(value)) for name, value in fields if value not in (None, "")]
    return {"fields": told, "action": "/c/x/games/1/hands/new", "state": "wait", "position": position}


def some_games(chance: random.Random, table: Table, hands: int) -> Iterator[GameByCore]:
    may_pass = table.rules.auction.all_pass in ("redeal", "next-dealer")
    while hands > 0:
        game, goes_on = GameByCore(chance, table), True
        while goes_on and hands > 0:
            hands -= 1
            passed = may_pass and chance.random() < 0.05
            misdeal = table.rules.deck.misdeal > 0 and chance.random() < 0.05
            goes_on = game.add(any_draft(chance, table, game.dealer), passed=passed, misdeal=misdeal)
        yield game


def tidy(came: Mapping[str, Any]) -> dict[str, Any]:
    if "problem" in came:
        return {"problem": True}
    return {**came, "reached": sorted(came["reached"])}


def is_the_same(chance: random.Random, known: list[Table], hands: int) -> set[str]:
    """Compare script and core; return the reasons for which games ended."""
    games = [game for table in known for game in some_games(chance, table, hands)]
    played = by_scripts(("settle.js",), PLAY, "play", [game.sent for game in games])
    for game, came in zip(games, played, strict=True):
        for draft, expected, got in zip(game.sent["drafts"], game.came, came, strict=True):
            assert tidy(got) == expected, (game.table.rules.id, game.table.players, game.table.teams, draft)
    return {game.came[-1].get("reason") for game in games}


def test_hands_that_wait_make_the_score_that_the_core_makes_of_them() -> None:
    """From waiting forms, one more at a time; invalid hands are left out."""
    chance = random.Random(17)
    known = [Table(find_rules(name), players=None) for name in CATALOGUE]
    games = [game for table in known for game in some_games(chance, table, HANDS // 10)]
    sent, expected = [], []
    for game in games:
        pairs = zip(game.sent["drafts"], game.came, strict=True)
        whole = [(draft, came) for draft, came in pairs if "problem" not in came]
        items = [_as_a_form(draft, at) for at, (draft, _) in enumerate(whole, 1)]
        sent.append({**game.sent, "game": game.sent["game"] | {"dealer": 1}, "items": items})
        expected.append(
            [
                {"totals": came["totals"], "dealer": came["dealer"], "position": at + 1, "of": at}
                | ({"winners": came["winners"]} if "winners" in came else {})
                for at, (_, came) in enumerate(whole, 1)
            ]
        )
    assert sum(map(len, expected)) > HANDS
    assert by_scripts(("settle.js",), WAIT, "wait", sent) == expected


def test_a_hand_that_needs_an_answer_or_the_server_leaves_the_score_open() -> None:
    """Neither it nor later hands are added; the next hand is the one after the last waiting one."""
    game = GameByCore(random.Random(1), Table(find_rules("classic")))
    draft = _as_script_has_it(Draft(game.table, 1, bidder=2, bid=2, trump="H"), passed=False) | {"misdeal": False}
    first, second = (_as_a_form(draft, position) for position in (4, 5))
    asked, by_cards = first | {"state": "ask"}, first | {"fields": [*first["fields"][:-2], ("detail", "cards")]}
    now = {"totals": {"A": 1, "B": 3}, "reached": [], "dealer": 2, "position": 4}
    sent = [{**game.sent, "game": now, "items": [one, second]} for one in (asked, by_cards)]
    sent += [{**game.sent, "game": now | {"position": 5, "dealer": 3}, "items": [asked, second]}]
    for after in by_scripts(("settle.js",), WAIT, "wait", sent):
        assert after[-1] == {"totals": None, "dealer": 4, "position": 6, "of": 0}


def test_winners_are_called_as_by_the_server_even_where_a_player_has_the_name_of_a_team() -> None:
    for rules, names in (("pitch-smudge", ["Team 1", "Bo", "Cy"]), ("classic", ["Team A", "Bo", "Cy", "Christopher"])):
        table = Table(find_rules(rules), len(names))
        for letters in (16, 8):
            narrator = Narrator(table, names).in_few_letters(letters)
            won = [table.units[:1], table.units[:2], table.units]
            sent = [{"table": table_data(table), "names": names_data(narrator), "winners": units} for units in won]
            code = "const all = (games) => games.map(({ table, names, winners }) => settle.won(table, names, winners));"
            expected = [f"{narrator.winners(Outcome('target', units))}!" for units in won]
            assert by_scripts(("settle.js",), code, "all", sent) == expected


@pytest.mark.parametrize("rules_id", CATALOGUE)
def test_the_script_scores_as_the_core_does(rules_id: str) -> None:
    played = [*tables(rules_id)]
    is_the_same(random.Random(rules_id), played, max(10, HANDS // len(played)))


def test_the_script_scores_rules_of_a_clubs_own_as_the_core_does() -> None:
    """House rules that are not in the catalogue.

    A tied Game for the bidder or the dealer, a hand sold within a team, a bidder who wins by every point; bids with a
    card turned up and a misdeal, a Left Jack that may be captured or buried, scores that count down, and the highest
    and the lowest cards of suits.
    """
    sold = {"auction.seller": "eldest", "auction.dealer": "outbid", "auction.rounds": "until-passed"}
    own = [
        Table(find_rules("partnership").override({"game.tie": "bidder", "win.all_points": "bidder"})),
        Table(find_rules("west-michigan-5").override({"game.tie": "dealer"})),
        Table(find_rules("classic").override(ALONE_WITH_SMUDGE | {"game.tie": "eldest"})),
        Table(find_rules("classic").override(ALONE_WITH_SMUDGE | {"game.tie": "dealer", "deck.hand": 3})),
        Table(find_rules("classic").override({"game.tie": "points", "game.tie_points": ["jack", "low"]})),
        Table(find_rules("classic").override(sold | {"auction.all_pass": "eldest-plays"})),
        Table(find_rules("shankar").override({"trump.by": "turned-up", "trump.turned": {"J": 2}, "trump.gift": 3}), 4),
        Table(find_rules("all-fours"), 3),
        Table(find_rules("classic").override({"deck.misdeal": 2, "win.both": ["count-out", "highest", "share"]})),
        Table(find_rules("west-michigan-4").override({"points.left_jack.captured": 2})),
        Table(find_rules("all-fours").override({"win.early": {"at": 5, "others_at_most": 2}})),
        Table(find_rules("pedro-sancho").override({"win.counted": "down"}), 4),
        Table(find_rules("trinidad-all-fours").override({"win.counted": "down", "deck.misdeal": 2})),
        *(Table(find_rules(base).override({"points": OF_SUITS})) for base in ("classic", "west-michigan-4")),
        Table(find_rules("west-michigan-6").override({"points": OF_SUITS, "play.follow": "trumps-only"})),
    ]
    is_the_same(random.Random(1), own, HANDS)


# House rules that need others beside them.
TOGETHER: dict[str, dict[str, Any]] = {
    "auction.cap": {"auction.seller": "eldest", "auction.dealer": "outbid", "auction.cap": "seller-short",
                    "auction.all_pass": "next-dealer", "auction.pass_cost": 2},
    "auction.specials": {"auction.specials": [WON | {"bid": 97}, SHOT | {"bid": 98, "least_score": 2}]},
    "auction.rounds": {"auction.rounds": "none", "trump.by": "lead", "win.both": ["count-out", "share"]},
    "deck.undealt": {"deck.undealt": "buried", "trump.by": "turned-up", "trump.run": 2, "trump.gift": 1},
    "game.tie": {"game.tie": "points", "game.tie_points": ["low", "high"]},
    "table.sides": {"table.sides": "seat-partner", "auction.seller": "eldest", "auction.dealer": "outbid"},
    "trump.gift": {"trump.by": "turned-up", "trump.gift": 2, "trump.gift_to": "others", "trump.turned": {"J": 2}},
    "win.counted": {"win.counted": "down"},
}  # fmt: skip


def house_tables(chance: random.Random) -> Iterator[Table]:
    """Yield a table for each value of every field (tests/scoring/rule_values.py), and as many with several of them."""
    every = {name: [*row.good, *row.house] for name, row in VALUES.items()} | HOUSE_RULES
    singles = [{name: value} for name, values in every.items() for value in values]
    mixed = [dict(pair for one in chance.sample(singles, 5) for pair in one.items()) for _ in range(len(singles))]
    for options in (*singles, *TOGETHER.values(), *mixed):
        for rules_id in chance.sample([*CATALOGUE], 4):
            with suppress(Refused):
                together = chance.choice([{}, {}, *TOGETHER.values()])
                rules = find_rules(rules_id).override(together | options)
                players = chance.choice(rules.table.players)
                yield Table(rules, players, chance.choice(rules.table.formats(players)))
                break


def test_the_script_scores_every_rule_as_the_core_does() -> None:
    """Every value of every field, alone and with others; of those that end a game, over more hands."""
    chance = random.Random(7)
    ends = {"win.lost_at": [-1]} | {name: [*row.good, *row.house] for name, row in VALUES.items() if "win." in name}
    short = find_rules("classic").override({"win.target": 4, "table.sides": "solo", "table.players": [3]})
    ended = [Table(short.override({name: value})) for name, values in ends.items() for value in values]
    reasons = is_the_same(chance, [*house_tables(chance)], max(4, HANDS // 40)) | is_the_same(chance, ended, 2 * HANDS)
    assert {"special", "special-lost", "lost", "sets", "sets-in-a-row", "hands"} <= reasons


@pytest.mark.parametrize(("follow", "may_be"), [("follow-or-trump", False), ("trumps-only", True)])
def test_a_dealt_spade_may_be_nobodys_where_only_trumps_are_played(follow: str, may_be: bool) -> None:
    table = Table(find_rules("west-michigan-6").override({"points": OF_SUITS, "play.follow": follow}))
    draft = Draft(table, 1, bidder=2, bid=3, trump="H", buried=("7H", "9C"), points={"high_spade": NOBODY})
    assert points.Points(draft).may_be_nobodys("high_spade") is may_be
    assert ("high_spade" in points.Points(draft).buried) is may_be  # under hearts that point cannot be buried

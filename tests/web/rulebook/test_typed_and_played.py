"""All differences between games of the family: set in the editor, described by the rules page, and played.

A row is entered like on a phone, page by page: only fields of the last page are sent, and only its buttons are tapped.
Then the page of the saved rules has the sentences, and the hands, entered on their form, give the scores.

The scores are worked out by hand. Ann and Cy are team A, Bo and Di team B; Di deals unless a hand says otherwise.
"""

import re
from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from tests.web.games.test_counted_down import words_of
from tests.web.rulebook.test_rule_form import Sent
from tests.web.site import Site, complaints, says

Typed = dict[str, str | list[str]]
MORE_NAMES = {"name-5": "Ed", "name-6": "Flo"}


class Row(NamedTuple):
    """Initial rules, edits, sentences of the saved rules, and hands with their scores.

    In `steps` a dictionary is input, a text is a button. `asks` is a message of hand entry for a partial hand,
    `refuses` that for a last hand that these rules do not allow, and `wins` the headline of the score sheet.
    """

    base: str
    steps: list[Typed | str]
    sentences: list[str]
    hands: list[dict[str, Any]]
    totals: list[int]
    players: int = 4
    asks: tuple[dict[str, Any], str] | None = None
    refuses: tuple[dict[str, Any], str] | None = None
    wins: str = ""


def hand(bidder: int, bid: int | str, **points: str) -> dict[str, Any]:
    """Return a hand by points: those not named go to the bidder's side."""
    return {"bidder": str(bidder), "bid": str(bid)} | {f"point-{key}": side for key, side in points.items()}


def play(bidder: int, bid: int, cards: str) -> dict[str, Any]:
    """Return a hand card by card; -2 means that seat 2 is out. Hearts are trump if a joker leads."""
    trump = "H" if cards[0] == "X" else cards[1]
    return {"bidder": str(bidder), "bid": str(bid), "trump": trump, "detail": "play", "was": "play", "plays": cards}


def no_bids(**fields: str) -> dict[str, Any]:
    """Return a hand without bidding."""
    return {"bidder": None, "bid": None, "detail": "points"} | {name.replace("_", "-"): v for name, v in fields.items()}


PASSED = {"bidder": None, "bid": None, "trump": None, "do": "passed"}
MOON: Typed = {
    "auction.specials-0.name": "shoot", "auction.specials-0.bid": "9", "auction.specials-0.takes": "3",
    "auction.specials-0.needs": ["every-point"], "auction.specials-0.made": "set-to",
    "auction.specials-0.failed": "set-to", "auction.specials-0.least_score": "0",
}  # fmt: skip
SET_TO: Typed = {"auction.specials-0.made_to": "8", "auction.specials-0.failed_to": "−5"}

# By number of the difference: its fields, and rows that cover each of them.
WAYS: dict[int, tuple[set[str], list[Row]]] = {
    # Deal and hand sizes differ; a kitty, a draw, the dealer robbing the deck.
    1: (
        {"deck.deal", "deck.hand", "deck.kitty", "deck.kitty_to", "deck.draw", "deck.rob"},
        [
            Row(
                "classic",
                [{"deck.deal": "9", "deck.hand": "7", "deck.kitty": "4", "deck.draw": "discard", "deck.rob": "dealer"},
                 {"deck.kitty_to": "nobody"}],
                ["Each player gets nine cards, and plays with seven. Four cards go to the kitty.",
                 "The kitty stays face down.", "The 12 cards left over are the stock.",
                 "all players discard down to seven cards.",
                 "The dealer draws last: looks through the rest of the deck and keeps the best cards."],
                [hand(1, 3, jack="B")],
                [3, 1],
                # After six tricks, all won by Ann, she has one card left.
                asks=(play(1, 3, "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S"),
                      "Trick 7: Ann to lead"),
            ),
            Row(
                "ten-point",
                [{"deck.deal-4": "10", "deck.deal-6": "7", "deck.hand-4": "7", "deck.hand-6": "5"},
                 {"deck.kitty-6": "4"}],
                ["Each player gets ten cards with four players and seven with six."],
                [hand(1, 6, three="B")],
                [7, 3],
            ),
        ],
    ),
    # Legal plays.
    2: (
        {"play.follow"},
        [
            Row(
                "classic",
                [{"play.follow": "trumps-only"}],
                ["Only trumps are played. Whoever has none left is out of the hand, and tricks get shorter."],
                [play(1, 4, "AH 2H 3H 4H JH -2 -3 -4 TH -1")],  # all four points
                [4, 0],
                asks=(play(1, 4, "AH 2H 3H 4H JH"), "Bo has no trump"),
            ),
            Row(
                "classic",
                [{"play.follow": "follow"}],
                ["Follow suit if you can. If you cannot, play any card."],
                [hand(2, 2, high="A")],
                [1, 3],
                # Bo trumps a spade in trick 2, and has one in trick 3.
                refuses=(play(1, 2, "AH 3H 4H 5H AS 6H 7S 8S 9S TS JS QS KC 3C 4C 5C QC 6C 7C 8C JC 9C TC 2C"),
                         "Bo may not play 6H: spades were led, and Bo still has 9S."),
            ),
        ],
    ),
    # Outcomes of special bids.
    3: (
        {"auction.specials"},
        [
            Row(
                "classic",
                ["add auction.specials moon", MOON, SET_TO],
                ["or shoot for 9:", "To bid shoot you need 0 or more."],
                [hand(1, "shoot"), hand(2, "shoot", jack="A", high="A")],  # to 8, then 2 more; to −5
                [10, -5],
                refuses=(hand(4, "shoot"), "shoot"),
            ),
        ],
    ),
    # Equal jokers.
    4: (
        {"deck.jokers", "trump.jokers"},
        [
            Row(
                "ten-point",
                [{"trump.jokers": "last"}],
                ["the last played in a trick wins"],
                # Bo's joker is the later one; then his Ace. Ace, both jokers and the 3, worth three: 6. Cy keeps the 2.
                [play(1, 4, "XR XB 2H 3H AH -3 -4 -1 KH -2")],
                [-4, 6],
            ),
            Row(
                "classic",
                [{"deck.jokers": "3"}, {"trump.jokers": "first"}, "add points right_joker"],
                ["55 cards", "the first played in a trick wins"],
                [hand(1, 3, right_joker="B")],
                [4, 1],
            ),
        ],
    ),
    # Trumps of another suit.
    5: (
        {"trump.order", "points"},
        [
            Row(
                "classic",
                ["add points left_pedro", "add points left_ace", "add points left_three", "hold L3", "hold 2"],
                ["the other 5 of trump’s color"],
                [hand(1, 2, left_pedro="B", left_ace="B", left_three="B")],
                [4, 9],  # 5 for the 5, 1 for the ace, 3 for the 3
            ),
        ],
    ),
    # Order of counting out.
    6: (
        {"win.both", "win.order"},
        [
            Row(
                "classic",
                [{"win.both": ["count-out"], "win.target": "2"}, {"win.order": ["low", "high", "jack", "game"]}],
                ["count the points one by one: Low, High, Jack, then Game. The first to get there wins."],
                [hand(1, 2, low="B", jack="B")],
                [2, 2],
                wins="Bo and Di win, 2 to 2",  # Low, and Jack before Ann has Game
            ),
        ],
    ),
    # Other ends.
    7: (
        {"win.hands", "win.lost_at", "win.lost_sets", "win.counted"},
        [
            Row("classic", [{"win.hands": "1"}], ["After 1 hand, the highest score wins."],
                [hand(1, 2, low="B")], [3, 1], wins="Ann and Cy win, 3 to 1"),
            Row("classic", [{"win.lost_at": "−3"}], ["At −3 or less you lose the game."],
                [hand(1, 3, low="B", jack="B", game="B")], [-3, 3], wins="Bo and Di win, 3 to −3"),
            Row("classic", [{"win.lost_sets": "1"}], ["If you are set once, you lose the game."],
                [hand(1, 2, low="B", jack="B", game="B")], [-2, 3], wins="Bo and Di win, 3 to −2"),
            Row(
                "classic",
                [{"win.counted": "down", "win.target": "7"}],
                ["The first to 0 wins. Scores count down: everyone starts at 7,", "Scores can go above 7."],
                # From 7, subtract 3 and 1; Bo is set by 2, added to 6, and A takes 3 off 4; then 2 off 1, and 2 off 8.
                [hand(1, 3, low="B"), hand(2, 2, high="A", low="A", jack="A"), hand(1, 2, low="B", jack="B")],
                [-1, 6],
                wins="Ann and Cy win, −1 to 6",
            ),
            Row("classic", [{"win.counted": "down", "win.hands": "1"}], ["After 1 hand, the lowest score wins."],
                [hand(1, 2, low="B")], [8, 10], wins="Ann and Cy win, 8 to 10"),
        ],
    ),
    # Low is the lowest natural trump, and belongs to its holder.
    8: (
        {"points", "trump.order"},
        [
            Row(
                "classic",
                [{"deck.jokers": "1"}, "hold XR", "hold 2", "hold 2", "hold XR",
                 {"points-1.card": "lowest-natural", "points-1.owner": "holder"}],
                ["the lowest card of the trump suit in play, jokers left out: whoever was dealt it"],
                # Bo took the 2 that was dealt to Ann, and the joker; Low is Ann's nevertheless, with High and Game.
                [{"bidder": "1", "bid": "3", "detail": "cards", "was": "cards", "at-AH": "A", "at-TH": "A",
                  "at-2H": "B", "at-XR": "B", "rest": "stock", "by-low": "A"}],
                [3, 0],
            ),
        ],
    ),
    # Points off trump.
    9: (
        {"points", "game.values"},
        [
            Row(
                "classic",
                ["add points", "add points", "add points", "add points pedro",
                 {"points-4.card": "first-trick", "points-5.card": "last-trick", "points-6.card": "QS",
                  "points-6.worth": "2", "game.values-9": "7"}],
                ["First trick", "Last trick", "Queen of spades", "worth 5"],
                [hand(1, 4, first_trick="B", queen_of_spades="B", last_trick="A", pedro="A")],
                [10, 3],  # the first four, the last trick and 5; 1 and 2
            ),
            # The highest and the lowest card of a suit. With spades as trump, the highest spade is High.
            Row(
                "classic",
                ["add points", "add points",
                 {"points-4.card": "highest-S", "points-5.card": "lowest-D", "points-5.owner": "holder",
                  "points-5.worth": "2"}],
                ["the highest spade in play, trump or not: whoever wins the trick it is in",
                 "the lowest diamond in play, trump or not: whoever was dealt it, worth 2"],
                [hand(1, 2, highest_spade_in_play="B", lowest_diamond_in_play="B"),  # 4 and 3
                 # 2 and 2
                 hand(1, 2, jack="B", game="B", highest_spade_in_play="nobody", lowest_diamond_in_play="nobody"),
                 # In the piles the queen is the highest spade; the 4 of diamonds, captured by Ann, was dealt to Bo.
                 {"bidder": "1", "bid": "3", "detail": "cards", "was": "cards", "at-AH": "A", "at-TH": "A",
                  "at-2H": "A", "at-4D": "A", "at-QS": "B", "at-3S": "A", "rest": "stock",
                  "by-lowest_diamond_in_play": "B"},  # 3 and 3
                 hand(1, 2, highest_spade_in_play="B", lowest_diamond_in_play="A") | {"trump": "S"}],  # 7 points
                [16, 8],
                wins="Ann and Cy win, 16 to 8",
            ),
        ],
    ),
    # A tied Game.
    10: (
        {"game.tie", "game.tie_points"},
        [
            Row("classic", [{"game.tie": "dealer"}], ["A tie goes to the dealer."],
                [hand(1, 2) | {"count-A": "20", "count-B": "20", "point-game": "B"}], [3, 1]),
            Row(
                "classic",
                [{"game.tie": "points"}, {"game.tie_points": ["low", "jack"]}],
                ["Of those tied, whoever has the Low gets it. If nobody has it, the Jack decides."],
                [hand(1, 2, low="B", game="B") | {"count-A": "20", "count-B": "20"}],
                [2, 2],
            ),
        ],
    ),
    # No bidding: a card turned up, begging, a misdeal, a Jack worth more when captured. Counterclockwise.
    11: (
        {"auction.rounds", "trump.by", "trump.turned", "trump.gift", "trump.run", "deck.misdeal", "points",
         "table.direction"},
        [
            Row("classic", [{"table.direction": "right"}],
                ["The deal and the play go around to the right", "Everyone bids once, starting right of the dealer"],
                [hand(2, 2)], [0, 4]),
            Row(
                "classic",
                [{"auction.rounds": "none", "trump.by": "turned-up", "deck.misdeal": "1"},
                 {"trump.turned-J": "3", "trump.turned-6": "2", "trump.gift": "1", "trump.run": "3",
                  "points-2.captured": "3"}],
                ["There is no bidding.", "Turned up, a Jack scores 3 and a 6 scores 2 for the dealer at once.",
                 "The dealer then gives 1 point", "the dealer deals 3 cards more to each player",
                 "If the dealer misdeals, the others score 1 point",
                 "3 if captured from another"],
                [
                    # High, Low, Game, the Jack for three, and the gift; the 6 turned up.
                    no_bids(turned_0="6", beg="gift", point_jack="A", by_jack="B"),
                    no_bids(dealer="1", do="misdeal", trump=None),
                    # Bo turned up the Jack when running the cards; Cy leads and takes Low and Game.
                    no_bids(dealer="2", beg="run", turned_0="x", turned_1="J", point_high="B", point_jack="nobody"),
                ],
                [9, 7],  # 7, 0 and 2; 2, 1 for the misdeal, and 3 with High
            ),
        ],
    ),
    # Scores of made and set bids.
    12: (
        {"settle.made", "settle.set", "settle.defenders"},
        [
            Row(
                "classic",
                [{"settle.made": "bid", "settle.set": "nothing", "settle.defenders": "both"}],
                ["Make your bid and score the bid, no more.", "Score nothing.",
                 "When the bid is set, they score the bid as well."],
                [hand(1, 3), hand(1, 3, low="B", jack="B", game="B")],
                [3, 6],  # three for a bid of three; three points taken and the bid of three
            ),
            Row(
                "classic",
                [{"settle.made": "difference", "settle.set": "bid-less-taken", "settle.defenders": "bid"}],
                ["scores only the lead over the next. Nobody else scores.", "Lose the bid, minus what you took.",
                 "When the bid is set, the others score the bid."],
                [hand(1, 2, low="B"), hand(1, 4, low="B", jack="B")],
                [0, 4],  # 3 less 1, then 4 less 2 lost; the bid of four
            ),
        ],
    ),
    # Selling the hand, and a cap on bids near the target.
    13: (
        {"auction.seller", "auction.cap"},
        [
            Row(
                "classic",
                [{"auction.seller": "eldest", "auction.dealer": "outbid", "auction.all_pass": "eldest-plays"},
                 {"auction.cap": "seller-short", "win.target": "6"}],
                ["is the seller and bids last",
                 "No bid may bring the seller to the target."],
                [hand(2, 3)],  # Bo buys the hand from Ann for three, and takes four
                [3, 4],
                # Bo sells the next hand, and a bid of two would take his side to six.
                refuses=(hand(1, 2) | {"dealer": "1"}, "4 of 6"),
            ),
        ],
    ),
    # All points of a hand win at once.
    14: (
        {"win.all_points"},
        [
            Row("classic", [{"win.all_points": "anyone"}], ["Take every point of a hand to win at once."],
                [hand(1, 2)], [4, 0], wins="Ann and Cy win, 4 to 0"),
        ],
    ),
    # A partner called by a trump or by a seat: two against three.
    15: (
        {"table.sides", "table.call", "table.partner_right"},
        [
            Row(
                "classic",
                [{"table.players": ["5"], "table.sides": "called-partner"}, {"table.call": "trump"}],
                ["trump"],
                [hand(1, 3, jack="defending") | {"partner": "3", "called": "KH"}],
                [3, 1, 3, 1, 1],
                players=5,
                refuses=(hand(1, 3) | {"partner": "3", "called": "KS"}, "trump"),
            ),
            Row(
                "classic",
                [{"table.players": ["5"], "table.sides": "seat-partner"}, {"table.partner_right": "2"}],
                ["right"],
                [hand(1, 3, jack="defending")],  # two seats to the right of Ann: Di
                [3, 1, 1, 3, 1],
                players=5,
            ),
        ],
    ),
    # All players pass.
    16: (
        {"auction.all_pass", "auction.pass_cost", "auction.forced_bid"},
        [
            Row("classic", [{"auction.all_pass": "next-dealer", "auction.pass_cost": "2"}],
                ["If all pass, the next player deals. The dealer loses 2 points."], [PASSED], [0, -2]),
            Row("classic", [{"auction.all_pass": "eldest-plays"}],
                ["If all pass, the player to the dealer’s left leads without a bid."],
                [hand(1, 0, high="B", low="B", jack="B")], [1, 3]),
            Row("classic", [{"auction.all_pass": "dealer-forced"}, {"auction.forced_bid": "3"}],
                ["If all others pass, the dealer must bid at least 3."], [hand(4, 3)], [0, 4],
                asks=({"bidder": None, "bid": None, "by_seat": "on", "calls": "pass pass pass"},
                      "Di dealt and must bid")),
        ],
    ),
}  # fmt: skip


class Editor:
    """The form on a phone: the last page, its inputs and its buttons."""

    def __init__(self, site: Site, base: str) -> None:
        self.site, self.address = site, f"{site.club}edit-rules/{base}"
        self.page = site.client.get(self.address).text

    def take(self, step: Typed | str) -> None:
        if isinstance(step, str):
            assert f'value="{step}"' in self.page, f"there is no button to {step}"
            self.page = self._sent(step).text
            return
        values = Sent(self.page).values
        for name, texts in step.items():
            assert f'name="{name}"' in self.page, f"{name} cannot be typed"
            values.setlist(name, [texts] if isinstance(texts, str) else texts)
        self.page = self._sent("show", values).text

    def save(self) -> TestResponse:
        values = Sent(self.page).values
        values["name"] = "Our own"
        return self._sent("save", values)

    def _sent(self, do: str, values: Any = None) -> TestResponse:
        pairs = (Sent(self.page).values if values is None else values).items(multi=True)
        data: dict[str, list[str]] = {}
        for name, text in [*pairs, ("do", do)]:
            data.setdefault(name, []).append(text)
        return self.site.client.post(self.address, data=data)


def fields_of(step: Typed | str) -> set[str]:
    """Return the rule fields that a step changes."""
    if isinstance(step, str):
        verb, _, what = step.partition(" ")
        return {"trump.order"} if verb == "hold" else {what.split()[0]}
    return {name.partition("-")[0] for name in step}


def test_every_field_of_the_sixteen_ways_is_typed() -> None:
    assert list(WAYS) == list(range(1, 17))
    for fields, rows in WAYS.values():
        assert fields <= {field for row in rows for step in row.steps for field in fields_of(step)}


ROWS = [
    pytest.param(row, id=f"{number}-{place}") for number, (_, rows) in WAYS.items() for place, row in enumerate(rows)
]


@pytest.mark.parametrize("row", ROWS)
def test_what_a_club_types_is_said_and_played(site: Site, row: Row) -> None:
    editor = Editor(site, row.base)
    for step in row.steps:
        editor.take(step)
    answer = editor.save()
    assert answer.status_code == 303, complaints(answer)
    page = site.client.get(answer.location).text
    assert [sentence for sentence in row.sentences if sentence not in words_of(page)] == []
    (own,) = set(re.findall(r"rules=(own-[\w-]+)", page))
    site.start_game(own, players=str(row.players), **{k: v for k, v in MORE_NAMES.items() if int(k[-1]) <= row.players})
    if row.asks:
        fields, said = row.asks
        assert said in words_of(site.preview(**fields).text)
    for position, fields in enumerate(row.hands, 1):
        answer = site.post_hand(position=str(position), **fields)
        assert answer.status_code == 303, (complaints(answer), says(answer))
    assert site.totals() == row.totals
    assert row.wins in words_of(site.client.get(site.game).text)
    if row.refuses:
        fields, said = row.refuses
        answer = site.post_hand(position=str(len(row.hands) + 1), **fields)
        assert answer.status_code == 422
        assert said in words_of(answer.text)

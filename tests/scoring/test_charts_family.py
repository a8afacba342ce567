"""Other documented games of the family: charts of expected results, worked out by hand from the sources' sentences.

Each row begins with its source and the rule in our words. Seats 1 and 3 are team A, 2 and 4 team B; hearts are trump,
so that the other jack, ace, 5 and 3 of trump's color are diamonds.
"""

import re
from typing import Any

import pytest

from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.play import trick_winner
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import catalogue, count_for, find_rules, variations
from scorekeeper.scoring.table import Table
from tests.scoring.records import bidding, ended, grouped, hand, may_play, score, signed, tricks

A_BOT = "PitchBot"
# Sources named in the rows: pages by their addresses, books, open-source programs and their tests.
SOURCES = {
    A_BOT, "TestPitchBot", "trickstercards", "pittand", "searchamateur", "airportes", "captainsquill",
    "larrycharbonneau", "gamerules", "pagat", "bicyclecards.ca", "bicyclecards", "h2g2",
    "howstuffworks", "denexa", "pidrochallenge", "poker.tj", "pokerwiner", "wikipedia after Foster", "pidro.online",
    "sou.fi 2", "sou.fi 4", "Wikipedia", "boardgamearena", "Foster", "Foster on Auction Pitch", "Parlett",
    "catsatcards", "thefoundling", "thanoscardgames", "ultrafoodmess", "en-academic", "ourpastimes", "bekaton", "BGA",
    "allfours.io", "hockey-travel",
    "nlcb", "presalumni", "drakebridgewater", "yourgametips", "theislandclub", "1911",
    "Foster’s", "Hoyle’s", "cardrulesplus", "stagbeerjack", "sage-answers", "jpneto", "liquisearch",
    "rouses", "The Ultimate Book", "allthegamesonourshelves", "niole240", "debitcardcasino", "horizonview",
    "chathaway", "myfairpoint", "sunjournal",
}  # fmt: skip


def took(bidder: int, bid: int | str, text: str, **more: Any) -> Any:
    """A function from rules to the changes of a hand given by claims."""
    return lambda rules: changed(rules, hand(bidder, bid, text, **rules_of(more)), more)


def piles(bidder: int, bid: int | str, text: str, **more: Any) -> Any:
    """Like `took`, for a hand given by piles."""
    return lambda rules: changed(rules, hand(bidder, bid, piles=grouped(text), **rules_of(more)), more)


def rules_of(more: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in more.items() if key not in ("options", "start", "players", "teams")}


def set_in(bidders: str, often: int) -> Any:
    """The state of the game after hands bid by these seats, each set by one point."""

    def ask(rules: str) -> str:
        hands = [hand(int(seat), 2, "A: high; B: low") for seat in bidders]
        return ended(score(rules, *hands, options={"win.lost_in_a_row": often}))

    return ask


def changed(rules: str, facts: dict[str, Any], more: dict[str, Any]) -> str:
    table = {key: more[key] for key in ("options", "start", "players", "teams") if key in more}
    try:
        return signed(score(rules, facts, **table).hands[0].change)
    except Refused as refused:
        return f"refused at {refused.problems[0].at.removeprefix('hands[0].')}"


def won(cards: str, **options: Any) -> Any:
    """The card that wins a trick."""
    hearts = lambda rules: Table(find_rules(rules).override(options)).trumps["H"]  # noqa: E731
    return lambda rules: cards.split()[trick_winner(cards.split(), hearts(rules))]


def may(led: str, held: str) -> Any:
    return lambda rules: may_play(rules, "H", led, held)


def bids(dealer: int, text: str, **more: Any) -> Any:
    return lambda rules: bidding(rules, dealer, text, **more)


def over(start: str, bidder: int, bid: int | str, text: str, **more: Any) -> Any:
    """The state of the game after a hand, from these scores."""

    def ask(rules: str) -> str:
        words = start.split()
        scores = {unit: int(points) for unit, points in zip(words[::2], words[1::2], strict=True)}
        table = {key: more[key] for key in ("options", "players", "teams") if key in more}
        try:
            return ended(score(rules, hand(bidder, bid, text, **rules_of(more)), start=scores, **table))
        except Refused:
            return "refused"

    return ask


def after_a_misdeal(game: GameScore) -> str:
    return f"{signed(game.hands[0].change)}, {game.next_dealer} deals"


def dealt_each(players: int) -> Any:
    return lambda rules: str(count_for(find_rules(rules).deck.deal, players))


def house(rules: str, key: str) -> dict[str, Any]:
    """The options of a house rule of a game."""
    return next(one.options for one in variations(rules) if one.key == key)


def played(bidder: int, bid: int, *lines: str) -> Any:
    """The result of a play; "1 3: AH 2H" names the seats that played a short trick."""

    def trick(line: str) -> dict[str, Any]:
        seats, _, cards = line.partition(":")
        numbers = [int(seat) for seat in seats.split()]
        facts = tricks(f"{numbers[0]}:{cards}")[0]
        return facts | ({"seats": numbers} if len(numbers) < 4 else {})

    return lambda rules: changed(rules, hand(bidder, bid, tricks=[trick(line) for line in lines]), {})


TEN = "high right_jack left_jack right_joker left_joker ten three low"
BEER_JACK = house("trinidad-all-fours", "beer-jack")
SIXTEEN, SEVENTEEN = house("california-pedro", "sixteen-for-32"), house("louisiana-pedro", "seventeen")
ALL_FOUR, EVERY = "high low jack game", house("nebraska-four-point", "every-trick")
SIX_TO_A = tricks(
    "1: AH 2H 3H 4H", "1: KH 5H 6H 7H", "1: QH 8H 2C 2D", "1: JH 3C 3D 4D", "1: TH 4C 5C 5D", "1: 9H 6C 7C 6D"
)
DOUBLE_KING = house("king-pedro", "double-king")
FULL_DECK = house("wisconsin-four-point", "full-deck")
LEAST_FORTY, STUCK_FOR_SIX = house("sixty-three", "least-forty"), house("king-pedro", "stuck-for-six")
UKRAINIAN = house("king-pedro", "ukrainian")
PEDRO = "high jack ten pedro left_pedro low"

CHARTS: dict[str, list[tuple[str, Any, str]]] = {
    "nebraska-four-point": [
        ("pittand: a jack in the pack leaves three points", took(1, 3, "A: high low; B: game"), "A -3, B +1"),
        ("pittand: with the ace in the pack the king is High", piles(1, 2, "A: KH; B: 3H"), "A +2, B +1"),
        ("pittand: a jack can be High as well", piles(1, 2, "A: JH; B: TH"), "A +2, B +2"),
        ("pittand: the lowest bid is two", bids(4, "1:1 2:p 3:p 4:p"), "refused at bids[0]"),
        ("pittand: the highest is four", bids(4, "1:4 2:p 3:p 4:p"), "1 at 4"),
        ("pittand: trump is declared, and any card is led then", lambda rules: changed(rules, hand(
            1, 2, tricks=tricks("1: AC 3C 4C 5C", "1: AH 2H 3H 4H")), {"options": {"deck.hand": 2}}), "A +2, B +1"),
        ("searchamateur: the dealer must bid 2 where nobody does", bids(4, "1:p 2:p 3:p 4:p"), "refused at bids[3]"),
        ("searchamateur: each alone", took(1, 2, "1: high low; 2: game", teams=0), "1 +2, 2 +1, 3 +0, 4 +0"),
        ("jpneto: smudge is a bid of five, and five is all there is",
         took(1, 5, f"A: {ALL_FOUR}", sweep="A", options=EVERY | {
             "auction.specials": [{"name": "smudge", "bid": 5}]}), "A +5, B +0"),
        ("jpneto: the tricks tell it", took(1, 2, "", tricks=SIX_TO_A, options=EVERY), "A +5, B +0"),
        ("jpneto: the fifth point can win", over("A 10 B 3", 1, 2, f"A: {ALL_FOUR}", sweep="A", options=EVERY),
         "A by target"),
        ("pittand: there is no such point", took(1, 2, f"A: {ALL_FOUR}", sweep="A"), "A +4, B +0"),
        ("jpneto: the Jack has to be dealt", took(1, 2, "A: high low game", sweep="A", options=EVERY), "A +3, B +0"),
    ],
    "five-point": [
        (f"{A_BOT}: the off-jack is trump, above the ten", won("TH JD"), "JD"),
        (f"{A_BOT}: and below the jack", won("JD JH"), "JH"),
        (f"{A_BOT}: it is no diamond any more", may("9D", "JD 3D KC"), "JD 3D"),
        (f"{A_BOT}: five points at most", took(1, 5, "A: high low right_jack left_jack game"), "A +5, B +0"),
        (f"{A_BOT}: no bid above five", bids(4, "1:6 2:p 3:p 4:p"), "refused at bids[0]"),
        (f"{A_BOT}: a set side loses its bid", took(1, 3, "A: high left_jack; B: low right_jack game"), "A -3, B +3"),
        (f"{A_BOT}: jacks go to whoever wins them", piles(1, 2, "A: AH JD; B: JH 2H"), "A +3, B +2"),
        (f"{A_BOT}: Low is not taken", piles(1, 3, "A: AH 2H TC; B: KC", low_by=2), "A -3, B +1"),
        (f"{A_BOT}, stickTheDealer: the dealer takes the least", bids(4, "1:p 2:p 3:p 4:2"), "4 at 2"),
        ("trickstercards: the game is to 11", over("A 9 B 3", 1, 2, "A: high low"), "A by target"),
    ],
    "six-point": [
        (f"{A_BOT}: the joker is below the off-jack", won("XR JD"), "JD"),
        (f"{A_BOT}: and above the ten", won("TH XR"), "XR"),
        (f"{A_BOT}: a joker may be played on any suit", may("4C", "XR 9C 2D"), "XR 9C"),
        (f"{A_BOT}: six points at most", took(1, 6, "A: high low right_jack left_jack joker game"), "A +6, B +0"),
        (f"{A_BOT}: no bid above six", bids(4, "1:7 2:p 3:p 4:p"), "refused at bids[0]"),
        (f"{A_BOT}: the joker goes to whoever wins it", piles(1, 2, "A: AH; B: XR 2H TC"), "A -2, B +3"),
        (f"{A_BOT}: a joker has no card points", piles(1, 2, "A: AH XR; B: KC 2H"), "A +3, B +1"),
        (f"{A_BOT}: a set side loses its bid", took(1, 4, "A: high low joker; B: game"), "A -4, B +1"),
        (f"{A_BOT}, lowGoesToTaker", took(2, 2, "B: low joker; A: high", dealer=1), "A +1, B +2"),
        ("trickstercards: the game is to 11", over("A 3 B 9", 2, 2, "B: joker game"), "B by target"),
    ],
    "seven-point": [
        (f"{A_BOT}: Ace, 2, both jacks and jokers, the 10",
         took(1, 7, "A: high low right_jack left_jack right_joker left_joker ten"), "A +7, B +0"),
        (f"{A_BOT}: the red joker is the higher", won("XB XR"), "XR"),
        (f"{A_BOT}: a joker beats the ten", won("TH XB"), "XB"),
        (f"{A_BOT}: the king is no High", piles(1, 3, "A: KH TH JH; B: XR"), "A -3, B +1"),
        (f"{A_BOT}: the 10 of trump is a point", piles(1, 3, "A: AH TH JH; B: XR"), "A +3, B +1"),
        (f"{A_BOT}: the 2 stays with its player", piles(1, 3, "A: AH TH 2H; B: XR", low_by=2), "A -3, B +2"),
        (f"{A_BOT}: no point for card points", piles(1, 3, "A: AH TH JH TC TD; B: KH"), "A +3, B +0"),
        (f"{A_BOT}: no bid above seven", bids(4, "1:8 2:p 3:p 4:p"), "refused at bids[0]"),
        (f"{A_BOT}: a set side loses its bid", took(1, 5, "A: high low ten; B: right_jack"), "A -5, B +1"),
        ("drakebridgewater, Ranking: jack, off-jack, jokers, ten", won("TH XB XR JD JH"), "JH"),
        ("drakebridgewater, Ranking: the off-jack beats a joker", won("XR JD"), "JD"),
        ("trickstercards: the game is to 21", over("A 17 B 3", 1, 3, "A: high low right_joker left_joker"),
         "A by target"),
    ],
    "nine-point": [
        (f"{A_BOT}: the 5 of trump is worth five", took(1, 5, "A: five; B: high"), "A +5, B +1"),
        (f"{A_BOT}: nine points at most", took(1, 9, "A: high low jack five game"), "A +9, B +0"),
        (f"{A_BOT}: no bid above nine", bids(4, "1:p 2:10 3:p 4:p"), "refused at bids[1]"),
        (f"{A_BOT}: another 5 is worth nothing", piles(1, 2, "A: AH TC; B: 5D 3H"), "A +2, B +1"),
        (f"{A_BOT}: the 5 goes to whoever wins it", piles(1, 6, "A: AH 5H TC; B: 3H"), "A +7, B +1"),
        (f"{A_BOT}: Low is not taken", piles(1, 8, "A: AH 5H TC 3H; B: KC", low_by=2), "A -8, B +1"),
        (f"{A_BOT}: the 5 can be Low as well", piles(1, 8, "A: AH 5H TC; B: KC"), "A +8, B +0"),
        (f"{A_BOT}: a set side loses its bid", took(1, 6, "A: five; B: high low jack game"), "A -6, B +4"),
        (f"{A_BOT}: the jack goes to whoever wins it", piles(1, 2, "A: AH TC; B: JH 3H"), "A +2, B +2"),
        ("trickstercards: the game is to 31", over("A 25 B 3", 1, 5, "A: five high"), "A by target"),
    ],
    "nine-card": [
        ("gamerules: six points in a round", took(1, 6, "A: high low jack five high_spade game"), "A +6, B +0"),
        ("gamerules: no more can be bid", bids(4, "1:7 2:p 3:p 4:p"), "refused at bids[0]"),
        ("gamerules: nine cards each, the others are set aside",
         lambda rules: f"{Table(find_rules(rules)).hand} each of {len(Table(find_rules(rules)).deck)}", "9 each of 52"),
        ("gamerules: the side that wins the highest spade scores", piles(1, 3, "A: AH 2H; B: KS TC"), "A -3, B +2"),
        ("gamerules: the jack is for the side that wins it", piles(1, 3, "A: AH TC KS; B: JH 2H"), "A +3, B +2"),
        ("gamerules: aces 4, kings 3, queens 2, jacks 1, tens 10",
         piles(1, 3, "A: AH KC QC JC AS; B: 2H TD 3H"), "A +3, B +1"),
        ("gamerules, so that one side has both", took(1, 3, "A: high low five; B: high_spade", trump="S"),
         "refused at claims.high_spade"),
        ("gamerules: the first to come down to 0", over("A 18 B 3", 1, 3, "A: high low high_spade"), "A by target"),
        ("pagat: from 21 down", lambda rules: str([find_rules(rules).win.scale.score(up) for up in (0, 3, 21)]),
         "[21, 18, 0]"),
        ("ourpastimes: with the same card points there is no Game",
         piles(1, 3, "A: AH 2H 5H TC; B: TD AC"), "A +3, B +0"),
        ("ourpastimes: if nobody bids, the dealer must", bids(4, "1:p 2:p 3:p 4:p"), "refused at bids[3]"),
        ("ourpastimes: the dealer may steal it",
         bids(4, "1:3 2:p 3:p 4:3", options=house("nine-card", "dealer-steals")), "4 at 3"),
    ],
    "catch-five": [
        ("ultrafoodmess: the first to 31", over("A 25 B 3", 1, 6, "A: five high"), "A by target"),
        ("ultrafoodmess: not with 30", over("A 24 B 3", 1, 6, "A: five high"), "goes on"),
        ("ultrafoodmess: six cards each", lambda rules: str(Table(find_rules(rules)).hand), "6"),
        ("ultrafoodmess: the jack is, too", piles(1, 2, "A: AH 2H; B: JH", low_by=1), "A +2, B +1"),
        ("ultrafoodmess: and the ten", piles(1, 2, "A: AH 2H; B: TH", low_by=1), "A +2, B +1"),
        ("ultrafoodmess: the five is worth five", piles(1, 2, "A: AH 2H; B: 5H", low_by=1), "A +2, B +5"),
        ("ultrafoodmess: the 2 is whoever was dealt it’s", piles(1, 2, "A: AH 2H; B: 5H", low_by=2), "A -2, B +6"),
        ("ultrafoodmess: nine points in all", took(1, 9, "A: high jack ten five low"), "A +9, B +0"),
        ("ultrafoodmess: no bid above them", bids(4, "1:10 2:p 3:p 4:p"), "refused at bids[0]"),
        ("ultrafoodmess: trumps from the ace to the two", won("2H 3H"), "3H"),
    ],
    "ten-point": [
        ("larrycharbonneau: only trump may be played", may("4H", "KS AD 2H JD"), "2H JD"),
        ("larrycharbonneau, Ranking: jack, off-jack, jokers, ten", won("TH XB XR JD JH"), "JH"),
        ("captainsquill, Dealing: a hand without face and point cards may be dealt again, and nothing else changes",
         lambda rules: " ".join([find_rules(rules).override(house(rules, "redeal")).deck.redeal,
                                 changed(rules, hand(1, 4, "A: three low; B: ten"),
                                         {"options": house(rules, "redeal")})]), "no-face-or-point-cards A +4, B +1"),
        ("captainsquill: ten points a hand", took(1, 10, f"A: {TEN}"), "A +10, B +0"),
        ("captainsquill: the deuce stays with whoever plays it",
         piles(1, 4, "A: AH 3H 2H; B: XR", low_by=2), "A +4, B +2"),
        ("captainsquill: king and queen are no points", piles(1, 4, "A: KH QH 3H; B: AH"), "A -4, B +1"),
        ("larrycharbonneau: the least bid is four", bids(4, "1:3 2:p 3:p 4:p"), "refused at bids[0]"),
        ("larrycharbonneau: if all pass, the dealer takes it for four", bids(4, "1:p 2:p 3:p 4:4"), "4 at 4"),
        ("larrycharbonneau: the dealer cannot pass then", bids(4, "1:p 2:p 3:p 4:p"), "refused at bids[3]"),
        ("larrycharbonneau: whoever has no trump is out",
         played(1, 4, "1 2 3 4: AH 4H 3H 5H", "1 3: KH TH", "1: 2H"), "A +6, B +0"),
        ("captainsquill, Special Cards: the first joker played is the higher",
         played(1, 4, "1 2 3 4: XB XR 3H 2H", "1: AH"), "A -4, B +6"),
        ("the same, jokers alike", lambda rules: changed(
            rules, hand(1, 4, tricks=[{"lead": 1, "cards": ["XB", "XR", "3H", "2H"]}]),
            {"options": {"trump.jokers": "first"}}), "A +5, B +1"),
        ("airportes: the first to 52, the bidders if both", over("A 48 B 51", 1, 4, "A: three high; B: low"),
         "A by bidder"),
        ("sage-answers: the moon is up to 52 from above zero", over("A 3 B 40", 1, "moon", f"A: {TEN}", options=house(
            "ten-point", "moon-or-lose")), "A by target"),
        ("airportes: shooting the moon takes all ten", over("A 0 B 40", 1, "moon", f"A: {TEN}", options={
            "auction.specials": [{"name": "moon", "bid": 11, "needs": ["every-point"], "made": "win"}]}),
         "A by special"),
    ],
    "eleven-point": [
        (f"{A_BOT}: the off-ace is trump below the ace", won("KH AD"), "AD"),
        (f"{A_BOT}: the ace beats it", won("AD AH"), "AH"),
        (f"{A_BOT}: eleven points", took(1, 11, f"A: {TEN} left_ace"), "A +11, B +0"),
        (f"{A_BOT}: no bid above eleven", bids(4, "1:12 2:p 3:p 4:p"), "refused at bids[0]"),
        (f"{A_BOT}: the off-ace is a point", took(1, 4, "A: left_ace three; B: high"), "A +4, B +1"),
        (f"{A_BOT}: it goes to whoever wins it", piles(1, 4, "A: 3H AH; B: AD"), "A +4, B +1"),
        (f"{A_BOT}: the 3 is worth three", took(1, 4, "A: three; B: left_ace"), "A -4, B +1"),
        (f"{A_BOT}: the 2 stays with its player", piles(1, 4, "A: 3H AH 2H; B: AD", low_by=2), "A +4, B +2"),
        ("yourgametips: taking the 10 of trump is a point", piles(1, 4, "A: 3H AH; B: TH"), "A +4, B +1"),
        ("trickstercards: the game is to 52", over("A 48 B 3", 1, 4, "A: three high"), "A by target"),
    ],
    "thirteen-point": [
        (f"{A_BOT}: the off-three is trump below the three", won("3D 3H"), "3H"),
        (f"{A_BOT}: and above the two", won("2H 3D"), "3D"),
        (f"{A_BOT}: thirteen points", took(1, 13, f"A: {TEN} left_three"), "A +13, B +0"),
        (f"{A_BOT}: each three is worth three", took(1, 6, "A: three left_three; B: high"), "A +6, B +1"),
        (f"{A_BOT}: it goes to whoever wins it", piles(1, 4, "A: 3H AH; B: 3D"), "A +4, B +3"),
        ("yourgametips: taking the 10 of trump is a point", piles(1, 4, "A: 3H AH; B: TH"), "A +4, B +1"),
        ("yourgametips: holding the 2 of trump is a point", piles(1, 4, "A: 3H AH 2H; B: KH", low_by=2), "A +4, B +1"),
        (f"{A_BOT}: no bid above thirteen", bids(4, "1:14 2:p 3:p 4:p"), "refused at bids[0]"),
        (f"{A_BOT}, minBid: no bid is below the table’s least", bids(4, "1:3 2:p 3:p 4:p"), "refused at bids[0]"),
        (f"{A_BOT}, stickTheDealer: the dealer cannot pass alone", bids(4, "1:p 2:p 3:p 4:p"), "refused at bids[3]"),
        (f"{A_BOT}, stickTheDealer: and takes the least bid",
         bids(4, "1:p 2:p 3:p 4:4", options=house("thirteen-point", "dealer-at-least-bid")), "4 at 4"),
        ("trickstercards: the game is to 52", over("A 48 B 3", 1, 4, "A: three high"), "A by target"),
    ],
    "call-partner-ten-point": [
        ("gamerules, Pawnee: ten points", took(1, 10, f"1: {TEN}", partner=None, called=None),
         "1 +10, 2 +0, 3 +0, 4 +0, 5 +0"),
        ("gamerules: the partner loses what the bidder loses", took(1, 5, "1: three; 2: low ten", partner=3),
         "1 -5, 2 +2, 3 -5, 4 +2, 5 +2"),
        ("gamerules: High is the highest in play, for who holds it",
         piles(1, 5, "1: KH 3H TH JH; 2: XR", partner=3, high_by=2), "1 +6, 2 +2, 3 +6, 4 +2, 5 +2"),
        ("gamerules: Low is the lowest in play, for who holds it",
         piles(1, 5, "1: KH 3H TH JH 4H; 2: XR", partner=3, low_by=2), "1 +6, 2 +2, 3 +6, 4 +2, 5 +2"),
        ("gamerules, ranking: off-jack, high joker, low joker", won("XB XR JD"), "JD"),
        (f"{A_BOT}: only trumps are called",
         took(1, 5, "1: three high ten", called="AC", partner=2), "refused at called"),
        ("TestPitchBot: bids from 5", bids(5, "1:4 2:p 3:p 4:p 5:p", also={"partner": None}), "refused at bids[0]"),
        ("TestPitchBot: the dealer takes it for 5", bids(5, "1:p 2:p 3:p 4:p 5:5", also={"partner": None}), "5 at 5"),
        ("gamerules: two others past 42 play on", over("1 0 2 41 3 41 4 41 5 0", 1, 5, "1: three high; 2: low ten",
                                                      partner=5), "goes on"),
        ("gamerules: until a player has 42 after a successful bid", over(
            "1 41 2 50 3 41 4 50 5 0", 1, 5, "1: three high ten; 2: low", partner=3), "1 by bidder"),
        ("the same: the partner of a bid that was made", over(
            "1 0 2 50 3 41 4 50 5 0", 1, 5, "1: three high ten; 2: low", partner=3), "3 by target"),
    ],
    "auction-pitch-joker": [
        ("bicyclecards.ca: the joker is the lowest trump", won("XR 2H"), "2H"),
        ("bicyclecards.ca: it is a point for who wins it", piles(1, 2, "1: AH XR; 2: 3H"),
         "1 +3, 2 +1, 3 +0, 4 +0"),
        ("bicyclecards.ca: it is not Low", piles(1, 2, "1: XR; 2: 3H KH TC"), "1 -2, 2 +3, 3 +0, 4 +0"),
        ("bicyclecards.ca: Low is the lowest natural trump, for its holder",
         piles(1, 2, "1: AH 3H XR; 2: TC", low_by=4), "1 +2, 2 +1, 3 +0, 4 +1"),
        ("bicyclecards.ca: five points", took(1, 5, "1: high low jack joker game"), "1 +5, 2 +0, 3 +0, 4 +0"),
        ("bicyclecards.ca: three to five players", took(1, 2, "1: high low; 5: game", players=5),
         "1 +2, 2 +0, 3 +0, 4 +0, 5 +1"),
        ("bicyclecards.ca: the first to 10", over("1 8 2 0 3 0 4 0", 1, 2, "1: high low"), "1 by target"),
        ("bicyclecards.ca: the pitcher's points count first", over("1 8 2 9 3 0 4 0", 1, 2, "1: jack game; 2: high"),
         "1 by bidder"),
        ("bicyclecards.ca: then High, Low, Jack, Joker, Game", over("1 0 2 9 3 9 4 0", 1, 2, "1: high low; 3: jack; "
         "2: game"), "3 by count-out"),
        ("h2g2: a pitcher who falls short loses the bid", took(1, 3, "1: high; 2: low"), "1 -3, 2 +1, 3 +0, 4 +0"),
    ],
    "pitch-smudge": [
        ("bicyclecards: by any player, not the pitcher alone", over("1 0 2 0 3 0 4 0", 1, 2, "3: high low jack game"),
         "3 by all-points"),
        ("bicyclecards: the three points there are make no smudge",
         over("1 0 2 0 3 0 4 0", 1, 2, "1: high low game"), "goes on"),
        ("bicyclecards: the dealer has to bid more", bids(4, "1:3 2:p 3:p 4:3"), "refused at bids[3]"),
        ("h2g2, Auction Pitch: the dealer could hold a bid under four", bids(4, "1:3 2:p 3:p 4:3", options={
            "auction.dealer": "match-below-max"}), "4 at 3"),
        ("bicyclecards: Low goes to whoever wins it", piles(1, 2, "1: AH 2H; 2: TC", low_by=2),
         "1 +2, 2 +1, 3 +0, 4 +0"),
        ("bicyclecards, Auction Pitch: or to whoever was dealt it", piles(1, 2, "1: AH 2H; 2: TC", low_by=3, options={
            "points.low.owner": "holder"}), "1 -2, 2 +1, 3 +1, 4 +0"),
        ("bicyclecards: what was bid is put on a player who is set back", took(1, 3, "1: high; 2: low"),
         "1 -3, 2 +1, 3 +0, 4 +0"),
        ("h2g2: one, two, three or four", bids(4, "1:1 2:4 3:p 4:p"), "2 at 4"),
        ("howstuffworks: seven points", over("1 4 2 6 3 0 4 0", 1, 2, "1: high low jack; 2: game"), "1 by bidder"),
        ("bicyclecards: three to five players", took(1, 2, "1: high low; 5: game", players=5),
         "1 +2, 2 +0, 3 +0, 4 +0, 5 +1"),
    ],
    "commercial-pitch": [
        ("Foster: High, Low, Jack and Game", took(3, 4, "3: high low jack game"), "1 +0, 2 +4, 3 +4, 4 +0"),
        ("Foster: Low is its holder’s", piles(3, 1, "3: AH 2H; 4: KH TC", low_by=4), "1 +0, 2 +1, 3 +1, 4 +2"),
        ("Foster: a tied Game is nobody’s", piles(3, 1, "3: AH; 4: KH JC"), "1 +0, 2 +1, 3 +1, 4 +1"),
        ("Foster: the eldest sells, the player after him bids first", bids(4, "2:2 3:3 4:p 1:p"), "3 at 3"),
        ("liquisearch: bids of one to four", bids(4, "2:5 3:p 4:p 1:p"), "refused at bids[0]"),
        ("liquisearch: the eldest may refuse to sell", bids(4, "2:2 3:p 4:3 1:3"), "1 at 3"),
        ("Foster: who pitches without waiting for a bid must make four", took(2, 4, "2: high low jack; 3: game"),
         "1 +0, 2 -4, 3 +1, 4 +0"),
        ("Foster: the first to seven", over("1 0 2 0 3 5 4 0", 3, 2, "3: high low"), "3 by target"),
        ("liquisearch: the seller scores before the hand", over("1 0 2 5 3 0 4 6", 3, 2, "3: high low; 4: game"),
         "2 by count-out"),
        ("Parlett, Sell-out: a bid that leaves the seller one short is allowed", over(
            "1 0 2 5 3 0 4 0", 3, 1, "3: high", options={"auction.cap": "seller-short"}), "goes on"),
    ],
    "cinch": [
        ("poker.tj: the left pedro is trump between 5 and 4", won("4H 5D"), "5D"),
        ("poker.tj: the right pedro beats it", won("5D 5H"), "5H"),
        ("poker.tj: fourteen points", took(1, 14, f"A: {PEDRO}"), "A +14, B +0"),
        ("poker.tj: each pedro is five points", took(1, 10, "A: pedro left_pedro; B: high"), "A +10, B +1"),
        ("poker.tj: the 10 of trump is the Game point", piles(1, 1, "A: TH; B: TC AC KC"), "A +1, B +0"),
        ("poker.tj: the 2 goes to whoever wins it", piles(1, 2, "A: AH 2H; B: KH"), "A +2, B +0"),
        ("pokerwiner, example: seven each, set at eight: fifteen for the others",
         took(1, 8, "A: pedro high jack; B: left_pedro ten low"), "A +0, B +15"),
        ("denexa: bids from one to fourteen", bids(4, "1:1 2:14 3:p 4:p"), "2 at 14"),
        ("wikipedia after Foster: trumping is always allowed", may("9C", "4C 2H KD"), "4C 2H"),
        ("denexa: the first to 51", over("A 41 B 3", 1, 10, "A: pedro left_pedro"), "A by target"),
    ],
    "pidro": [
        ("pidrochallenge: right 5, wrong 5, 4", won("4H 5D 5H"), "5H"),
        ("sou.fi 4: the two is not taken", piles(1, 6, "A: 5H AH 2H; B: KH", low_by=2), "A +6, B +1"),
        ("pidrochallenge: fourteen points in a suit", took(1, 14, f"A: {PEDRO}"), "A +14, B +0"),
        ("sou.fi 2: bids from six", bids(4, "1:5 2:p 3:p 4:p"), "refused at bids[0]"),
        ("sou.fi 2: the dealer may take a 14 with 14", bids(4, "1:14 2:p 3:p 4:14"), "4 at 14"),
        ("sou.fi 2: nobody else may", bids(4, "1:14 2:14 3:p 4:p"), "refused at bids[1]"),
        ("pidro.online: a 14 can be topped by another 14", bids(4, "1:14 2:p 3:14 4:p", options=house(
            "pidro", "anyone-takes-a-14")), "3 at 14"),
        ("sou.fi 2: the dealer takes no lower bid", bids(4, "1:7 2:p 3:p 4:7"), "refused at bids[3]"),
        ("sou.fi 2: the dealer plays six if nobody bids", bids(4, "1:p 2:p 3:p 4:6"), "4 at 6"),
        ("pidro.online: whoever has none is cold",
         played(1, 6, "1 2 3 4: AH 4H 5H 5D", "1 4: KH 2H", "1: JH"), "A +12, B +1"),
        ("sou.fi 4: if the winner has none, the next leads",
         played(1, 6, "1 2 3 4: 5H AH 2H 9H", "3 4: KH 7H"), "A -6, B +6"),
        ("pidro.online: a failed bid is lost, the others keep theirs",
         took(1, 8, "A: pedro high; B: left_pedro jack"), "A -8, B +6"),
        ("pidro.online: to 62, the bidders if both are there", over("A 56 B 61", 1, 6, "A: pedro high; B: low"),
         "A by bidder"),
    ],
    "louisiana-pedro": [
        ("rouses: 14 points at most", took(1, 14, f"A: {PEDRO}"), "A +14, B +0"),
        ("The Ultimate Book: a failed bid is lost", took(1, 8, "A: pedro high jack; B: left_pedro ten low"),
         "A -8, B +7"),
        ("rouses: the least bid is seven", bids(4, "1:6 2:p 3:p 4:p"), "refused at bids[0]"),
        ("rouses: if everyone passes, the dealer must bid", bids(4, "1:p 2:p 3:p 4:p"), "refused at bids[3]"),
        ("rouses: seven", bids(4, "1:p 2:p 3:p 4:7"), "4 at 7"),
        ("rouses: a bid has to be higher, the dealer’s too", bids(4, "1:8 2:p 3:p 4:8"), "refused at bids[3]"),
        ("Wikipedia: the two is the keeper", piles(1, 7, "A: 5H AH JH 2H; B: 5D", low_by=2), "A +7, B +6"),
        ("The Ultimate Book: or is captured", piles(1, 7, "A: 5H AH JH 2H; B: 5D", options=house(
            "louisiana-pedro", "two-is-won")), "A +8, B +5"),
        ("Wikipedia: the other five of the color beats the four", won("4H 5D"), "5D"),
        ("Wikipedia: and loses to the five of trump", won("5D 5H"), "5H"),
        ("rouses: a six beats the pedro", won("5H 6H"), "6H"),
        ("The Ultimate Book: follow suit or play trump", may("9C", "4C 2H KD"), "4C 2H"),
        ("Wikipedia: nine cards each", dealt_each(4), "9"),
        ("The Ultimate Book: to 62", over("A 55 B 3", 1, 7, "A: pedro high jack"), "A by target"),
        ("Wikipedia: the bidder goes out", over("A 55 B 57", 1, 7, "A: pedro high jack; B: left_pedro ten low"),
         "A by bidder"),
        ("Wikipedia: bids from six", bids(4, "1:6 2:p 3:p 4:p", options=house("louisiana-pedro", "least-six")),
         "1 at 6"),
        ("en-academic: seventeen points", took(1, 17, f"A: {PEDRO} left_jack right_joker left_joker",
                                               options=SEVENTEEN), "A +17, B +0"),
        ("en-academic: bids from nine", bids(4, "1:8 2:p 3:p 4:p", options=SEVENTEEN), "refused at bids[0]"),
        ("en-academic: the big joker beats the small one", won("XB XR TH", **SEVENTEEN), "XR"),
    ],
    "california-pedro": [
        ("boardgamearena: 16 points, 3 of them for the Jack", took(1, 16, f"A: {PEDRO}"), "A +16, B +0"),
        ("boardgamearena: the 2 is won by whoever plays it", piles(1, 6, "A: 5H AH 2H; B: KH", low_by=2),
         "A +6, B +1"),
        ("boardgamearena: the other five of the color is a trump", won("4H 5D"), "5D"),
        ("boardgamearena: the least bid is 6", bids(4, "1:5 2:p 3:p 4:p"), "refused at bids[0]"),
        ("boardgamearena: the highest is 16", bids(4, "1:17 2:p 3:p 4:p"), "refused at bids[0]"),
        ("boardgamearena: without a bid the dealer bids 6 or more", bids(4, "1:p 2:p 3:p 4:p"), "refused at bids[3]"),
        ("boardgamearena: the dealer at 6", bids(4, "1:p 2:p 3:p 4:6"), "4 at 6"),
        ("Wikipedia: a failed bid counts against the team", took(1, 8, "A: pedro high; B: jack"), "A -8, B +3"),
        ("boardgamearena: the first to 100", over("A 90 B 3", 1, 10, "A: pedro left_pedro"), "A by target"),
        ("allthegamesonourshelves: a bid of 16 earns 32", took(1, 32, f"A: {PEDRO}", options=SIXTEEN), "A +32, B +0"),
        ("the same: a bid of 15 is what it says", took(1, 15, f"A: {PEDRO}", options=SIXTEEN), "A +16, B +0"),
        ("the same: 16 is no other bid", bids(4, "1:16 2:p 3:p 4:p", options=SIXTEEN), "refused at bids[0]"),
        ("Wikipedia: 52 and a made bid", over("A 51 B 0", 2, 6, "A: high; B: pedro ten", options={
            "win.target": 52, "win.eligible": "made-bid"}), "goes on"),
    ],
    "king-pedro": [
        ("niole240: 44 points", took(1, 44, f"A: {PEDRO} king"), "A +44, B +0"),
        ("niole240: the two is whoever’s who plays it", piles(1, 30, "A: KH AH; B: 5H 2H", low_by=1), "A +32, B +5"),
        ("niole240: the other five of the color beats the four", won("4H 5D"), "5D"),
        ("niole240: and loses to the five of trump", won("5D 5H"), "5H"),
        ("niole240: twelve cards each", dealt_each(4), "12"),
        ("niole240: the least bid is thirty", bids(4, "1:29 2:p 3:p 4:p"), "refused at bids[0]"),
        ("niole240: around as often as needed", bids(4, "1:30 2:p 3:31 4:p 1:35 3:p"), "1 at 35"),
        ("niole240: if all pass, the next dealer deals",
         lambda rules: find_rules(rules).auction.all_pass, "next-dealer"),
        ("ultrafoodmess: 200 by a made bid", over("A 170 B 3", 1, 30, "A: king"), "A by target"),
        ("ultrafoodmess: not by points against a bid", over("A 0 B 199", 1, 30, "A: king; B: pedro"), "goes on"),
        ("debitcardcasino: bids from seven", bids(4, "1:7 2:p 3:p 4:p", options=house("king-pedro", "least-seven")),
         "1 at 7"),
        ("debitcardcasino: a stuck dealer may have it for six", bids(4, "1:p 2:p 3:p 4:6", options=STUCK_FOR_SIX),
         "4 at 6"),
        ("debitcardcasino: where all others bid from seven", bids(4, "1:6 2:p 3:p 4:p", options=STUCK_FOR_SIX),
         "refused at bids[0]"),
        ("debitcardcasino: 62 points", took(1, 62, f"A: {PEDRO} king nine", options=UKRAINIAN), "A +62, B +0"),
        ("chathaway: the joker 18", took(1, 20, "A: joker jack; B: left_king", options=DOUBLE_KING), "A -20, B +25"),
        ("chathaway: 100 points",
         took(1, 100, f"A: {PEDRO} king left_king nine left_nine joker", options=DOUBLE_KING), "A +100, B +0"),
        ("myfairpoint: to 500", over("A 450 B 0", 1, 50, "A: king left_king", options=DOUBLE_KING), "A by target"),
    ],
    "sixty-three": [
        ("sunjournal: 63 points, 25 for the king, 15 for the three, 9 for the nine",
         took(1, 63, f"A: {PEDRO} king three nine"), "A +63, B +0"),
        ("sunjournal: the two goes to whoever wins it", piles(1, 25, "A: KH AH; B: 5H 2H", low_by=1), "A +26, B +6"),
        ("sunjournal: a failed bid is lost", took(1, 26, "A: king; B: three"), "A -26, B +15"),
        ("sunjournal: bids from one", bids(4, "1:1 2:p 3:p 4:p"), "1 at 1"),
        ("sunjournal: to 63", bids(4, "1:64 2:p 3:p 4:p"), "refused at bids[0]"),
        ("sunjournal: around until three pass", bids(4, "1:30 2:p 3:p 4:31 1:40 4:p"), "1 at 40"),
        ("sunjournal: four more cards after the bidding", dealt_each(4), "13"),
        ("ultrafoodmess: the other five of the color is trump", won("4H 5D"), "5D"),
        ("sunjournal: the first to 152", over("A 127 B 3", 1, 25, "A: king"), "A by target"),
        ("ultrafoodmess: not before", over("A 126 B 3", 1, 25, "A: king"), "goes on"),
        ("Wikipedia: the least bid is 40", bids(4, "1:39 2:p 3:p 4:p", options=LEAST_FORTY), "refused at bids[0]"),
        ("Wikipedia: the dealer has not after a bid", bids(4, "1:40 2:p 3:p 4:25", options=LEAST_FORTY),
         "refused at bids[3]"),
        ("Wikipedia: nine cards before the draw",
         lambda rules: str(find_rules(rules).override(house("sixty-three", "draw-to-six")).deck.deal), "9"),
        ("Wikipedia: and can lose it", took(4, 25, "A: king; B: three nine", options=LEAST_FORTY), "A +25, B -25"),
    ],
    "pedro-sancho": [
        ("Foster: 18 points, the 5 and the 9 count their pips", took(3, 18, "3: high low jack ten five nine"),
         "1 +0, 2 +18, 3 +18, 4 +0"),
        ("Foster: everything counts to whoever wins it", piles(3, 2, "3: AH 2H; 4: KH", low_by=4),
         "1 +0, 2 +2, 3 +2, 4 +0"),
        ("Foster: the game point is the ten of trump", piles(2, 1, "2: TH; 3: TC TD AC"),
         "1 +0, 2 +3, 3 +0, 4 +0"),
        ("Foster: the ten wins the nine", won("9H TH"), "TH"),
        ("Foster: the six takes the five", won("5H 6H"), "6H"),
        ("Foster: whoever is raised may raise again", bids(4, "2:7 3:9 4:p 2:12 3:p 1:p"), "2 at 12"),
        ("Foster on Auction Pitch: a failed bid is lost", took(3, 8, "3: five high; 4: nine"),
         "1 +0, 2 +8, 3 -8, 4 +9"),
        ("Foster: High counts before the five", over("1 0 2 0 3 49 4 45", 1, 1, "1: jack; 3: high; 4: five"),
         "3 by count-out"),
        ("Foster, Dom Pedro: 36 points, 15 of them for the joker", lambda rules: changed(
            rules, hand(3, 36, "3: high low jack ten three five nine joker"),
            {"options": house("pedro-sancho", "dom-pedro")}),
         "1 +0, 2 +36, 3 +36, 4 +0"),
        ("Parlett, Sell-out: a bid that leaves the seller one short is allowed", over(
            "1 0 2 45 3 0 4 0", 3, 4, "3: five", options={"auction.cap": "seller-short"}), "goes on"),
    ],
    "western-pennsylvania-cinch": [
        ("thefoundling: six points", took(1, 6, "A: high low jack joker ginny game"), "A +6, B +0"),
        ("thefoundling: less than three is no bid", bids(6, "1:2 2:p 3:p 4:p 5:p 6:p"), "refused at bids[0]"),
        ("thefoundling: six is the highest number", bids(6, "1:p 2:6 3:p 4:p 5:p 6:p"), "2 at 6"),
        ("thefoundling: the partner's sweep is not the bidder's, by what was won",
         piles(1, "alone", "A: AH 2H JH XR XB TC", sweep="3"), "A -7, B +0"),
        ("thefoundling: a trick of a partner's is not the bidder's", lambda rules: changed(rules, hand(
            1, "alone", tricks=tricks("1: AH 3S 4H 5S", "1: KS 6S AS 7S", "3: QS TS 2S 8S")), {
                "players": 4, "options": {"deck.hand": 3, "auction.specials.alone.bid": 7}}), "A -7, B +0"),
        ("thefoundling: a tied Game goes with the joker", piles(1, 3, "A: AH KH JH XR TC; B: TD AC KD JD 2H"),
         "A +4, B +1"),
        ("the same, the joker on the other side", piles(1, 3, "A: AH KH JH XB TC; B: TD AC KD JD 2H XR"),
         "A +3, B +3"),
        ("thefoundling: a bid that is not met counts against the team", took(1, 4, "A: high low; B: game ginny"),
         "A -4, B +2"),
        ("thefoundling: trump is the suit that the bidder leads first", lambda rules: find_rules(rules).trump.by,
         "lead"),
        ("thefoundling: to 21", over("A 18 B 20", 1, 3, "A: high low joker; B: game"), "A by bidder"),
    ],
    "wisconsin-smear": [
        ("ultrafoodmess: the first joker played outranks the second", won("XB XR"), "XB"),
        ("ultrafoodmess: six points", took(1, 6, "A: high low jack red_joker black_joker game"), "A +6, B +0"),
        ("thanoscardgames: Low is the holder's, and no joker", piles(1, 2, "A: AH XR 7H; B: TC", low_by=2),
         "A +2, B +2"),
        ("ultrafoodmess: a joker is a point for whoever takes it", took(1, 3, "A: high jack; B: red_joker"),
         "A -3, B +1"),
        ("ultrafoodmess: six cards each, ten stay with the dealer", lambda rules: str(
            34 - Table(find_rules(rules)).dealt), "10"),
        ("ultrafoodmess: six points are the highest bid", bids(4, "1:7 2:p 3:p 4:p"), "refused at bids[0]"),
        ("ultrafoodmess: the first to 21", over("A 18 B 3", 1, 3, "A: high low jack"), "A by target"),
        ("hockey-travel: shot back to back", set_in("11", 2), "B by sets-in-a-row"),
        ("hockey-travel: by either partner", set_in("13", 2), "B by sets-in-a-row"),
        ("hockey-travel: not with another hand between them", set_in("121", 2), "goes on"),
    ],
    "minnesota-smear": [
        ("ourpastimes: a hand without a card that scores may be dealt again, and nothing else changes",
         lambda rules: " ".join([find_rules(rules).override(house(rules, "redeal")).deck.redeal,
                                 changed(rules, hand(1, 4, "A: three low; B: ten"),
                                         {"options": house(rules, "redeal")})]), "no-point-cards A +4, B +1"),
        ("en-academic, ranking: jack, jick, jokers, 10", won("TH XR JD JH"), "JH"),
        ("ourpastimes: the first joker played beats the second", won("XB XR"), "XB"),
        ("en-academic: marked jokers", won("XB XR", **{"trump.jokers": "ranked"}), "XR"),
        ("en-academic: the minimum bid is four", bids(4, "1:3 2:p 3:p 4:p"), "refused at bids[0]"),
        ("en-academic: the 2 counts for whoever plays it", piles(1, 4, "A: AH 3H 2H; B: KH", low_by=2), "A +4, B +1"),
        ("en-academic: a failed bid is subtracted", took(1, 5, "A: three high; B: ten"), "A -5, B +1"),
        ("ourpastimes: a plain card may be led, and is followed", may("9C", "4C KD"), "4C"),
        ("thanoscardgames: a Minnesota smear of ten points", took(1, 10, f"A: {TEN}"), "A +10, B +0"),
        ("ourpastimes: the first to 21", over("A 17 B 3", 1, 4, "A: three high"), "A by target"),
    ],
    "st-paul-schmier": [
        ("ultrafoodmess: six in three pairs", took(1, 3, "A: high low game; B: joker; C: right_jack", players=6,
                                                   teams=3, dealer=6, options=house("st-paul-schmier", "three-pairs")),
         "A +3, B +1, C +1"),
        ("catsatcards: with six, 17 cards are set aside", lambda rules: str(
            len(Table(find_rules(rules), 6).deck) - Table(find_rules(rules), 6).dealt), "17"),
        ("catsatcards, the joker as one card point: it gives Game", piles(
            1, 3, "A: AH JH JD XR TC; B: TD AS JS JC", options=house("st-paul-schmier", "joker-counts-one")),
         "A +5, B +0"),
        ("the same, else: it counts nothing toward it", piles(1, 3, "A: AH JH JD XR TC; B: TD AS JS JC"), "A +4, B +0"),
        ("thanoscardgames, 1: the joker is the lowest trump", won("XR 2H"), "2H"),
        ("thanoscardgames, 2: the 2 is its holder’s, whoever wins the trick",
         piles(1, 3, "A: AH XR 2H TC; B: KH", low_by=2), "A +3, B +1"),
        ("thanoscardgames, 2, the known trap: low_by is about the 2, though the joker is the lowest trump",
         piles(1, 3, "A: AH 2H TC; B: XR", low_by=1), "A +3, B +1"),
        ("bekaton: six points", took(1, 6, "A: high low right_jack left_jack joker game"), "A +6, B +0"),
        ("bekaton: bids from three to six", bids(4, "1:2 2:p 3:p 4:p"), "refused at bids[0]"),
        ("bekaton: no seven", bids(4, "1:7 2:p 3:p 4:p"), "refused at bids[0]"),
        ("bekaton: if nobody bids, the same dealer deals", bids(4, "1:p 2:p 3:p 4:p"), "passed out, 4 deals"),
        ("bekaton: a failed bid is lost", took(1, 4, "A: high low; B: game"), "A -4, B +1"),
        ("bekaton: if both pass 21, the higher wins", over("A 19 B 20", 1, 3, "A: high low game; B: joker"),
         "A by highest"),
        ("bekaton, the six points: both jacks are trump", won("TH JD"), "JD"),
    ],
    "st-paul-schmier-5": [
        ("ultrafoodmess: six cards each, the dealer keeps the rest", lambda rules: str(
            45 - Table(find_rules(rules)).dealt), "15"),
        ("ultrafoodmess: the left bower is next to the right", won("QC JD JH TH"), "JH"),
        ("ultrafoodmess: and above the ten", won("TH JD"), "JD"),
        ("ultrafoodmess: the joker is the lowest trump", won("XR 4H"), "4H"),
        ("ultrafoodmess: Low is the 4, whose player has the point", piles(
            1, 3, "1: AH JH 4H TC; 2: KH", partner=3, low_by=2), "1 +3, 2 +1, 3 +3, 4 +1, 5 +1"),
        ("the same: not the lowest trump in play", piles(1, 3, "1: AH JH 5H TC; 2: KH", partner=3),
         "1 +3, 2 +0, 3 +3, 4 +0, 5 +0"),
        ("pagat: whoever has the called card scores with the bidder", took(
            1, 4, "1: high right_jack left_jack game; 2: low joker", called="KH", partner=3),
         "1 +4, 2 +2, 3 +4, 4 +2, 5 +2"),
        ("pagat: and is set with the bidder", took(1, 4, "1: high game; 2: low joker", called="KH", partner=3),
         "1 -4, 2 +2, 3 -4, 4 +2, 5 +2"),
        ("pagat: any card may be called", took(1, 3, "1: high game low", called="AC", partner=2),
         "1 +3, 2 +3, 3 +0, 4 +0, 5 +0"),
        ("pagat: bids from three", bids(5, "1:2 2:p 3:p 4:p 5:p", also={"partner": None}), "refused at bids[0]"),
        ("pagat: to six", bids(5, "1:p 2:6 3:p 4:p 5:p", also={"partner": None}), "2 at 6"),
        ("pagat: if nobody bids, the same dealer deals", bids(5, "1:p 2:p 3:p 4:p 5:p"), "passed out, 5 deals"),
        ("ultrafoodmess: the first to 21", over(
            "1 18 2 0 3 0 4 0 5 0", 1, 3, "1: high right_jack game", partner=3), "1 by target"),
        ("bekaton: of several past 21 the higher wins", over(
            "1 18 2 0 3 19 4 0 5 0", 1, 3, "1: high right_jack game", partner=3), "3 by highest"),
        ("bekaton, as at six: none is higher", over(
            "1 18 2 0 3 18 4 0 5 0", 1, 3, "1: high right_jack game", partner=3), "goes on"),
        ("bekaton: the others score the bid", took(1, 4, "1: high game; 2: low joker", partner=3, options=house(
            "st-paul-schmier-5", "defenders-bid")), "1 -4, 2 +4, 3 -4, 4 +4, 5 +4"),
    ],
    "wisconsin-four-point": [
        ("ultrafoodmess: the first to 15", over("A 13 B 3", 1, 2, "A: high low"), "A by target"),
        ("ultrafoodmess: not with 14", over("A 12 B 3", 1, 2, "A: high low"), "goes on"),
        ("ultrafoodmess: six cards each, eight stay with the dealer", lambda rules: str(
            32 - Table(find_rules(rules)).dealt), "8"),
        ("ultrafoodmess: the seven is the lowest trump", won("7H 8H"), "8H"),
        ("ultrafoodmess: the ace of trump is High", piles(1, 2, "A: AH TC; B: KH"), "A +2, B +1"),
        ("thanoscardgames: Low is its holder’s, whoever wins it", piles(1, 2, "A: AH 7H TC; B: KH", low_by=2),
         "A +2, B +1"),
        ("ultrafoodmess: the Jack is whoever wins it’s", piles(1, 2, "A: AH 7H TC; B: JH", low_by=1), "A +3, B +1"),
        ("ultrafoodmess: four points", took(1, 4, "A: high low jack game"), "A +4, B +0"),
        ("ultrafoodmess: no bid above them", bids(4, "1:5 2:p 3:p 4:p"), "refused at bids[0]"),
        ("horizonview: the dealer has to outbid, too", bids(4, "1:3 2:p 3:p 4:3", options=FULL_DECK),
         "refused at bids[3]"),
        ("ultrafoodmess: the bidder may see three cards", took(1, 2, "A: high; B: low jack game", options=house(
            "wisconsin-four-point", "sees-three")), "A -2, B +3"),
    ],
    "ten-point-smear": [
        ("Wikipedia: 54 cards, ten each", dealt_each(4), "10"),
        ("Wikipedia: the jick is trump, below the jack", won("JD JH"), "JH"),
        ("Wikipedia: the second joker ranks higher than the first", won("XR XB"), "XB"),
        ("Wikipedia: ten points at most, three of them for the trey",
         took(1, 10, "A: high low jack left_jack red_joker black_joker game three"), "A +10, B +0"),
        ("Wikipedia: a tied Game is nobody’s", piles(1, 2, "A: AH 2H; B: KH JC", low_by=1), "A +2, B +0"),
        ("Wikipedia: set back by the bid", took(1, 4, "A: three; B: high low game"), "A -4, B +3"),
        ("Wikipedia: scores go below zero", over("A 1 B 3", 1, 4, "A: high"), "goes on"),
        ("Wikipedia: of several at the target the highest wins", over("A 50 B 51", 1, 2, "A: high low; B: three"),
         "B by highest"),
        ("Wikipedia: and of those that tie the pitcher’s", over("A 50 B 51", 1, 2, "A: high low; B: game"),
         "A by bidder"),
        ("Wikipedia: six in three pairs", took(1, 2, "A: high low; B: game; C: three", players=6, teams=3, dealer=6),
         "A +2, B +1, C +3"),
        ("cardrulesplus: bids from two to ten", bids(4, "1:1 2:p 3:p 4:p"), "refused at bids[0]"),
        ("cardrulesplus: six cards are kept", lambda rules: str(Table(find_rules(rules)).hand), "6"),
    ],
    "trinidad-all-fours": [
        ("stagbeerjack: a hung Jack is six", piles(None, None, "A: KH 4H JH; B: 2C", low_by=2, played_by={"jack": 2},
                                                   options=BEER_JACK), "A +9, B +1"),
        ("stagbeerjack: a Jack is one", piles(None, None, "A: KH 4H JH; B: 2C", low_by=2, played_by={"jack": 1},
                                              options=BEER_JACK), "A +4, B +1"),
        ("stagbeerjack: to eleven", over("A 9 B 3", None, None, "A: game", options=BEER_JACK), "A by target"),
        ("nlcb: “take one” gives the beggar’s team a point",
         took(None, None, "A: high; B: low", gift=True), "A +1, B +2"),
        ("allfours.io: kick points stay when the pack is run",
         took(None, None, "A: high; B: low", turned_up=["6", "J"]), "A +6, B +1"),
        ("Wikipedia: if the cards were run, that many tricks are played",
         lambda rules: str(Table(find_rules(rules)).after_runs(1).hand), "9"),
        ("BGA, High: the team of the player who had the highest trump",
         piles(None, None, "A: KH; B: 2C"), "A +3, B +0"),
        ("BGA, Jack: captured from the opponents, 3 points for hang jack",
         piles(None, None, "A: KH 4H JH; B: 2C", low_by=2, played_by={"jack": 2}), "A +5, B +1"),
        ("BGA, Game: the same value, and no one gets it", piles(None, None, "A: KH AC; B: 2H KD AS"), "A +1, B +1"),
        ("BGA, End of Game: the points are scored in order, High before Low",
         over("A 13 B 13", None, None, "A: low; B: high"), "B by count-out"),
        ("presalumni, rule 8: a misdeal is one point, and the next player deals",
         lambda rules: after_a_misdeal(score(rules, {"dealer": 1, "misdeal": True})), "A +0, B +1, 2 deals"),
        ("allfours.io: if the pack runs out, it is dealt again",
         lambda rules: str(score(rules, {"dealer": 1, "turned_up": ["9", "8", "7"]}).next_dealer), "1"),
        ("theislandclub: follow suit or trump", may("9C", "4C 2H KD"), "4C 2H"),
    ],
    "all-fours": [
        ("Hoyle’s: an ace turned up scores nothing", took(None, None, "A: game; B: high low", turned_up=["A"]),
         "A +1, B +2"),
        ("Hoyle’s: a second knave scores again",
         took(None, None, "A: game; B: high", turned_up=["J", "J"]), "A +3, B +1"),
        ("Foster’s: with three, both others get the point though one begs",
         took(None, None, "1: high game; 2: low", players=3, teams=0, gift=True), "1 +2, 2 +2, 3 +1"),
        ("bicyclecards.ca: only the player at the dealer’s left does", took(
            None, None, "1: high game; 2: low", players=3, teams=0, gift=True,
            options=house("all-fours", "gift-to-beggar")), "1 +2, 2 +2, 3 +0"),
        ("Foster’s: each may win at seven, and High counts first", over(
            "1 6 2 6 3 6", None, None, "1: game; 2: low; 3: high", players=3, teams=0), "3 by count-out"),
        ("Hoyle’s: three more cards", lambda rules: str(Table(find_rules(rules), 2).after_runs(1).hand), "9"),
        ("Hoyle’s, Low: to the original holder", piles(None, None, "A: QH 2H; B: 3C", low_by=2), "A +2, B +1"),
        ("Hoyle’s, Jack: to the winner of the trick",
         piles(None, None, "A: QH JH; B: 2H", low_by=2), "A +3, B +1"),
        ("Hoyle’s: neither has a card that counts, the elder hand", piles(None, None, "A: 9H; B: 4H"), "A +1, B +2"),
        ("1911: the game is 10 points", over("A 6 B 2", None, None, "A: low", options={"win.target": 10}), "goes on"),
    ],
    "blind-all-fours": [
        ("en-academic: six cards each", lambda rules: str(Table(find_rules(rules)).hand), "6"),
        ("en-academic, High: to its original owner", piles(None, None, "A: QH; B: 3C"), "A +3, B +0"),
        ("en-academic, Low: to its original owner", piles(None, None, "A: QH 2H; B: 3C", low_by=2), "A +2, B +1"),
        ("en-academic, Jack: to its eventual owner", piles(None, None, "A: QH JH; B: 2H", low_by=2), "A +3, B +1"),
        ("en-academic, Game: to the most pips", piles(None, None, "A: QH TC; B: 3H AC KC"), "A +2, B +1"),
        ("Foster’s: no trump is turned up", took(None, None, "A: high", turned_up=["J"]), "refused at turned_up"),
        ("Foster’s: and nobody begs", took(None, None, "A: high", gift=True), "refused at gift"),
        ("Foster’s: the eldest leads",
         lambda rules: str(score(rules, hand(None, None, "2: high"), players=2, teams=0).hands[0].bidder), "2"),
        ("1911: the game is 11 points", over("A 10 B 2", None, None, "A: low"), "A by target"),
        ("1911: not 10", over("A 9 B 2", None, None, "A: low"), "goes on"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "ask", "expected"),
    [pytest.param(rules, ask, out, id=f"{rules}: {said}") for rules, rows in CHARTS.items() for said, ask, out in rows],
)
def test_a_documented_game_scores_as_its_sources_say(rules: str, ask: Any, expected: str) -> None:
    assert ask(rules) == expected


def test_every_game_beyond_the_five_documents_has_a_table_of_ten() -> None:
    others = [rules.id for rules in catalogue() if not rules.source[:3].isdecimal()]
    assert sorted(CHARTS) == sorted(others)
    assert all(len(rows) >= 10 for rows in CHARTS.values())


def test_every_row_names_the_source_of_its_sentence() -> None:
    """The text before the first comma or colon is a source of this game, or "the same" for that of the row before."""
    named = {rules: [re.split("[:,]", said)[0] for said, _, _ in rows] for rules, rows in CHARTS.items()}
    assert {source for sources in named.values() for source in sources} <= {*SOURCES, "the same"}
    assert [rules for rules, sources in named.items() if sources[0] == "the same"] == []
    own = {rules: find_rules(rules).source.lower().replace("’", "'") for rules in CHARTS}
    assert [rules for rules, sources in named.items() if not any(is_named_in(own[rules], one) for one in sources)] == []


def is_named_in(catalog: str, source: str) -> bool:
    """True if a catalog file also names this source."""
    return source.lower().replace("’", "'").split()[0].replace("bga", "boardgamearena") in catalog

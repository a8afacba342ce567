"""The vocabulary of rules: every field a rule set has, what it means, which values it takes, and its default."""

from __future__ import annotations

from typing import Any, NamedTuple

from .cards import RANKS, SUITS
from .kinds import (
    LEAST_PLAYERS,
    MOST_PLAYERS,
    ORDERED,
    Entry,
    GameValues,
    Kind,
    ListOf,
    Number,
    NumberByPlayers,
    Optional,
    Ranks,
    Text,
    TrumpOrder,
    Word,
)
from .parts import EarlyWin, Point, Special

REQUIRED = object()


class Field(NamedTuple):
    """One field of a rule set: what it means, the kind of value it takes, its default."""

    meaning: str
    kind: Kind
    default: object = REQUIRED

    def check(self, value: object) -> Any:
        """The value as rules hold it; raises ValueError with what it must be."""
        return self.kind.check(value)


TRUMP_ENDS = ("highest", "lowest", "lowest-natural")
SUIT_ENDS = tuple(f"{end}-{suit}" for suit in SUITS for end in ("highest", "lowest"))  # of a suit, trump or not
ENDS = (*TRUMP_ENDS, *SUIT_ENDS)
TRICKS = ("first-trick", "last-trick")
PLAIN_CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)

POINT = Entry(
    Point,
    {
        "key": Text(),
        "card": Word((*TRUMP_ENDS, "game", *TRICKS, *ORDERED, *SUIT_ENDS, *PLAIN_CARDS)),
        "owner": Word(("taker", "holder", "keeper")),
        "worth": Number(1, 20),
        "captured": Optional(Number(1, 20)),
    },
    {"owner": "taker", "worth": 1, "captured": None},
)
SPECIAL = Entry(
    Special,
    {
        "name": Text(),
        "bid": Number(1, 99),
        "needs": ListOf(Word(("every-trick", "every-trick-alone", "every-point")), empty=True),
        "made": Word(("bid", "taken", "win", "set-to", "target")),
        "made_to": Optional(Number(-999, 999)),
        "failed": Word(("bid", "lose", "set-to", "target")),
        "failed_to": Optional(Number(-999, 999)),
        "least_score": Optional(Number(-999, 999)),
        "takes": Optional(Number(1, 99)),
    },
    {
        "needs": ("every-trick", "every-point"),
        "made": "bid",
        "made_to": None,
        "failed": "bid",
        "failed_to": None,
        "least_score": None,
        "takes": None,
    },
)
EARLY = Entry(
    EarlyWin,
    {
        "at": Number(1, 999),
        "others_at_most": Number(-999, 999),
        "when": Word(("first-reach", "any-hand")),
        "eligible": Word(("anyone", "made-bid")),
    },
    {"others_at_most": 0, "when": "first-reach", "eligible": "anyone"},
)

FIELDS: dict[str, Field] = {
    "id": Field("its name for programs", Text(), "custom"),
    "name": Field("its name for people", Text(), "House rules"),
    "summary": Field("one sentence that describes it", Text(), ""),
    "source": Field("the document it follows", Text(), ""),
    "table.players": Field(
        "how many may play; the first is meant where a record does not say", ListOf(Number(LEAST_PLAYERS, MOST_PLAYERS))
    ),
    "table.sides": Field(
        "who plays together: fixed teams in alternating seats, everyone alone, the partner who holds the called card, "
        "or the partner who sits a fixed number of places to the bidder's right",
        Word(("teams", "solo", "called-partner", "seat-partner")),
    ),
    "table.teams": Field(
        "with sides = teams, the numbers of teams allowed, 0 for everyone alone; the first that divides the players "
        "into teams of two or more is meant where a record does not say",
        ListOf(Number(0, 6), empty=True),
        (),
    ),
    "table.partner_right": Field(
        "with sides = seat-partner, how many places to the bidder's right the partner sits", Number(1, 11), 2
    ),
    "table.call": Field(
        "with sides = called-partner, which card may be called: any, or a trump only", Word(("any", "trump")), "any"
    ),
    "table.direction": Field(
        "which way the deal, the bidding and the play go round; seats are numbered that way, and where it is "
        "the right, the seat at the dealer's left is the one at the right",
        Word(("left", "right")),
        "left",
    ),
    "deck.ranks": Field("the ranks in the deck, from high to low, in all four suits", Ranks()),
    "deck.jokers": Field("how many jokers: the red one, the black one, X3, X4", Number(0, 4), 0),
    "deck.deal": Field(
        "cards dealt to each player where that is not deck.hand: a number, or one for each number of players",
        Optional(NumberByPlayers(1, 26)),
        None,
    ),
    "deck.hand": Field(
        "cards each player plays with; also the number of tricks: a number, or one for each number of players",
        NumberByPlayers(1, 26),
        6,
    ),
    "deck.kitty": Field(
        "cards dealt to a kitty: a number, or one for each number of players", NumberByPlayers(0, 26), 0
    ),
    "deck.kitty_to": Field(
        "who takes the kitty before discarding: the bidder, or nobody, so that it stays face down",
        Word(("bidder", "nobody")),
        "bidder",
    ),
    "deck.undealt": Field(
        "what happens to the undealt cards: looked at after the hand, or never seen", Word(("buried", "stock"))
    ),
    "deck.draw": Field(
        "what is discarded and refilled to deck.hand once trump is known (discard: down to deck.hand, no refill); it "
        "changes which cards are in play and nothing else",
        Word(("none", "non-trump", "up-to-3", "up-to-4", "up-to-4-with-ace", "discard")),
        "none",
    ),
    "deck.rob": Field(
        "who looks through what is left of the pack after the draw and keeps the best: nobody, the dealer, the bidder",
        Word(("nobody", "dealer", "bidder")),
        "nobody",
    ),
    "deck.misdeal": Field(
        "what each other side scores when the dealer misdeals; the next player deals then", Number(0, 20), 0
    ),
    "trump.by": Field(
        "trump is the suit of the bidder's first lead (a joker led: the bidder names it), or is named first, or is "
        "the suit of the card that the dealer turns up after the deal",
        Word(("lead", "named", "turned-up")),
        "lead",
    ),
    "trump.turned": Field(
        "with by = turned-up, what the dealer's side scores at once for turning up a card of that rank",
        GameValues(),
        {},
    ),
    "trump.gift": Field(
        "with by = turned-up, what the side at the dealer's left scores at once when it begs and the dealer keeps "
        "the trump",
        Number(0, 20),
        0,
    ),
    "trump.run": Field(
        "with by = turned-up, how many more cards each player is dealt when the player at the dealer's left begs and "
        "the dealer turns up another card; they play with all of them",
        Number(0, 13),
        0,
    ),
    "trump.order": Field(
        "trump from high to low; L is the Left Jack, LA, L5 and L3 the other cards of trump's color off trump, XR, XB, "
        "X3 and X4 the jokers",
        TrumpOrder(),
    ),
    "trump.jokers": Field(
        "jokers in one trick: the higher in trump.order wins, or they are alike and the first or the last played wins",
        Word(("ranked", "first", "last")),
        "ranked",
    ),
    "play.follow": Field(
        "on a trick: follow suit or trump; follow suit, and trump only when void; or trumps only, and whoever has none "
        "is out of the hand",
        Word(("follow-or-trump", "follow", "trumps-only")),
        "follow-or-trump",
    ),
    "auction.rounds": Field(
        "each player bids once, or the bidding goes around until all others have passed (a pass is final), or there is "
        "none: the player at the dealer's left leads, and everyone scores what they take",
        Word(("single", "until-passed", "none")),
        "single",
    ),
    "auction.min": Field("the lowest bid", Number(0, 99)),
    "auction.max": Field("the highest bid in numbers", Number(0, 99)),
    "auction.specials": Field(
        "bids above the numbers: name, bid (what it is worth), needs (every trick, every trick by the bidder alone, "
        "every point), takes (at least so many points), made and failed (what becomes of the score: the bid counts, "
        "the points taken do, the game is won or lost, the score is set to made_to or failed_to, or target: up to it "
        "from zero or more and to zero from below; lost from the score), least_score (the score that allows it)",
        ListOf(SPECIAL, empty=True),
        (),
    ),
    "auction.dealer": Field(
        "what the dealer may do with the highest bid: only outbid it, match it, match it below the maximum, "
        "match it at the maximum only, or match it unless it is a special",
        Word(("outbid", "match", "match-below-max", "match-max", "match-not-special")),
        "outbid",
    ),
    "auction.max_again": Field(
        "who may take a bid of the maximum by bidding the same: the dealer, where auction.dealer allows it, or anyone",
        Word(("dealer", "anyone")),
        "dealer",
    ),
    "auction.all_pass": Field(
        "when all pass: the same dealer deals again, the next dealer deals, the dealer may not pass, or the player at "
        "the dealer's left plays without a bid, and everyone scores what they take; without bidding, who deals after a "
        "hand that was not played",
        Word(("redeal", "next-dealer", "dealer-forced", "eldest-plays")),
        "redeal",
    ),
    "auction.pass_cost": Field("when all pass, what the dealer's side loses", Number(0, 99), 0),
    "auction.forced_bid": Field(
        "the least a forced dealer bids; left out, auction.min but at least 2", Optional(Number(0, 99)), None
    ),
    "auction.seller": Field(
        "who sells the hand: nobody, or the player at the dealer's left (eldest), who speaks last, may take the hand "
        "at the highest bid, and else scores that bid",
        Word(("nobody", "eldest")),
        "nobody",
    ),
    "auction.cap": Field(
        "with a seller, how high one may bid: to the maximum, or never so high that the seller would reach the target",
        Word(("maximum", "seller-short")),
        "maximum",
    ),
    "points": Field(
        "what scores: key, card (a trump by its name in trump.order, highest, lowest, lowest-natural for the lowest "
        "card of the trump suit itself, highest-S or lowest-S for that spade in play and the same of H, D and C, trump "
        "or not, a card like AS in any suit, first-trick, last-trick, or game for the most card points), owner (taker: "
        "who won it; holder: who was dealt it; keeper: who played it, and the card moves along), worth, captured (what "
        "it is worth instead to a side that wins it from another)",
        ListOf(POINT),
    ),
    "game.values": Field("what cards are worth toward Game", GameValues(), {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}),
    "game.award": Field(
        "Game goes to the most, alone; or needs game.at_least as well", Word(("most", "at-least")), "most"
    ),
    "game.at_least": Field("with award = at-least, the fewest card points that win it", Number(1, 999), 41),
    "game.tie": Field(
        "a tied Game goes to nobody, to the bidder's side, to the dealer's side, to the side at the dealer's left, or "
        "to whoever has the first point of game.tie_points that somebody has, if that side is among the tied",
        Word(("nobody", "bidder", "dealer", "eldest", "points")),
        "nobody",
    ),
    "game.tie_points": Field(
        "with tie = points, the keys of the points that decide it, in order", ListOf(Text(), empty=True), ()
    ),
    "settle.made": Field(
        "a made bid scores what was taken, or only the bid; or (difference) only the side that took the most scores, "
        "and that by how much more it took than the next",
        Word(("taken", "bid", "difference")),
        "taken",
    ),
    "settle.set": Field(
        "a set side loses its bid; or what it took counts against the loss; or it scores nothing",
        Word(("bid", "bid-less-taken", "nothing")),
        "bid",
    ),
    "settle.defenders": Field(
        "when a bid is set, each of the others scores what it took, the bid, or both",
        Word(("taken", "bid", "both")),
        "taken",
    ),
    "win.target": Field("the score that wins", Number(1, 999)),
    "win.eligible": Field(
        "who can win: anyone, or only a side that made its own bid in that hand",
        Word(("anyone", "made-bid")),
        "anyone",
    ),
    "win.both": Field(
        "several at the target after one hand, in this order: the bidder wins, the highest wins, the first when the "
        "hand's points are counted one by one (count-out), all tied win, nobody yet",
        ListOf(Word(("bidder", "highest", "count-out", "share", "play-on"))),
        ("bidder", "highest", "play-on"),
    ),
    "win.early": Field(
        "a win below the target: at, others_at_most, when (first-reach or any-hand), eligible; null for none",
        Optional(EARLY),
        None,
    ),
    "win.order": Field(
        "with both = count-out, the keys of the points in the order in which they count; left out, that of points",
        ListOf(Text(), empty=True),
        (),
    ),
    "win.all_points": Field(
        "who wins the game at once by taking every point of a hand: nobody, the bidding side, or any side",
        Word(("nobody", "bidder", "anyone")),
        "nobody",
    ),
    "win.hands": Field(
        "how many hands a game has at most: after the last the highest score wins; null for no limit",
        Optional(Number(1, 999)),
        None,
    ),
    "win.lost_at": Field(
        "the score, below zero, at which a side loses the game to the others; null for none",
        Optional(Number(-999, -1)),
        None,
    ),
    "win.lost_sets": Field(
        "how often a side can be set before it loses the game to the others; null for any number",
        Optional(Number(1, 99)),
        None,
    ),
    "win.counted": Field(
        "how scores are shown: counted up to the target, or down from the target to 0; nothing is scored otherwise",
        Word(("up", "down")),
        "up",
    ),
}

# The parts of the rules as a table thinks of them, in the order in which they matter to it, and the sections of each.
GROUPS: dict[str, tuple[str, ...]] = {
    "points": ("points", "game"),
    "bids": ("auction",),
    "set": ("settle",),
    "end": ("win",),
    "deal": ("table", "deck"),
    "play": ("trump", "play"),
}


def group_of(name: str) -> str | None:
    """The group of a field, by its dotted name; None for what only names a rule set.

    >>> group_of("deck.kitty"), group_of("points"), group_of("name")
    ('deal', 'points', None)
    """
    section = name.partition(".")[0]
    return next((group for group, sections in GROUPS.items() if section in sections), None)

"""The vocabulary of rules: every field a rule set has, what it means, which values it takes, and its default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .cards import JOKERS, OFF_SUIT, RANKS, SUITS
from .parts import EarlyWin, Point, Special

Check = Callable[[object], Any]
REQUIRED = object()
ORDERED = (*RANKS, *OFF_SUIT, *JOKERS)  # the names in a trump order
PLAIN_CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)


@dataclass(frozen=True)
class Field:
    """One field of a rule set: what it means, how a value is checked (ValueError says what it must be), its default."""

    meaning: str
    check: Check
    default: object = REQUIRED


ENDS = ("highest", "lowest", "lowest-natural")
TRICKS = ("first-trick", "last-trick")


def _number(low: int, high: int) -> Check:
    def check(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return value

    return check


def _word(*words: str) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return value

    return check


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


def _list(item: Check, *, empty: bool = False) -> Check:
    def check(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or not (value or empty):
            raise ValueError("must be a list" if empty else "must be a list that is not empty")
        read = tuple(item(entry) for entry in value)
        if len(set(read)) != len(read):
            raise ValueError("must not name anything twice")
        return read

    return check


def _table_of(build: Callable[..., Any], checks: Mapping[str, Check], defaults: Mapping[str, object]) -> Check:
    def check(value: object) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise ValueError(f"must be an object with {', '.join(checks)}")
        if unknown := sorted(value.keys() - checks.keys()):
            raise ValueError(f"has no {unknown[0]}")
        if missing := sorted(checks.keys() - value.keys() - defaults.keys()):
            raise ValueError(f"needs {missing[0]}")
        return build(**{key: _under(key, test, value.get(key, defaults.get(key))) for key, test in checks.items()})

    return check


def _under(key: str, test: Check, value: object) -> Any:
    try:
        return test(value)
    except ValueError as error:
        raise ValueError(f"{key} {error}") from None


def _ranks(value: object) -> str:
    if not isinstance(value, str) or not value or any(rank not in RANKS for rank in value):
        raise ValueError(f"must be ranks out of {RANKS}")
    if len(set(value)) != len(value):
        raise ValueError("must not name a rank twice")
    if list(value) != sorted(value, key=RANKS.index):
        raise ValueError("must name the ranks from high to low")
    return value


def _order(value: object) -> tuple[str, ...]:
    names = tuple(value.split()) if isinstance(value, str) else ()
    if not names or any(name not in ORDERED for name in names):
        raise ValueError(f"must be ranks, {', '.join(OFF_SUIT)} and jokers, from high to low, with blanks between")
    if len(set(names)) != len(names):
        raise ValueError("must not name a card twice")
    return names


def _game_values(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping) or any(key not in (*RANKS, *JOKERS) for key in value):
        raise ValueError("must give ranks (or jokers) their Game values")
    if any(type(worth) is not int or not 0 <= worth <= 100 for worth in value.values()):
        raise ValueError("must give whole numbers from 0 to 100")
    return dict(value)


def _optional(check: Check) -> Check:
    return lambda value: None if value is None or value is False else check(value)


def _by_players(low: int, high: int) -> Check:
    """A number, or one for each number of players: an object, or a list of pairs."""
    number = _number(low, high)

    def check(value: object) -> Any:
        if not isinstance(value, Mapping | list | tuple):
            return number(value)
        try:
            pairs = dict(value)
            read = tuple(sorted((int(players), number(each)) for players, each in pairs.items()))
        except (TypeError, ValueError):
            read = ()
        if not read or not all(2 <= players <= 12 for players, _ in read):
            raise ValueError(f"must be a whole number from {low} to {high}, or one for each number of players")
        return read

    return check


_POINT = _table_of(
    Point,
    {
        "key": _text,
        "card": _word(*ENDS, "game", *TRICKS, *ORDERED, *PLAIN_CARDS),
        "owner": _word("taker", "holder", "keeper"),
        "worth": _number(1, 20),
    },
    {"owner": "taker", "worth": 1},
)
_SPECIAL = _table_of(
    Special,
    {
        "name": _text,
        "bid": _number(1, 99),
        "needs": _list(_word("every-trick", "every-point"), empty=True),
        "made": _word("bid", "taken", "win", "set-to", "target"),
        "made_to": _optional(_number(-999, 999)),
        "failed": _word("bid", "lose", "set-to", "target"),
        "failed_to": _optional(_number(-999, 999)),
        "least_score": _optional(_number(-999, 999)),
        "takes": _optional(_number(1, 99)),
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
_EARLY = _table_of(
    EarlyWin,
    {
        "at": _number(1, 999),
        "others_at_most": _number(-999, 999),
        "when": _word("first-reach", "any-hand"),
        "eligible": _word("anyone", "made-bid"),
    },
    {"others_at_most": 0, "when": "first-reach", "eligible": "anyone"},
)

FIELDS: dict[str, Field] = {
    "id": Field("its name for programs", _text, "custom"),
    "name": Field("its name for people", _text, "House rules"),
    "summary": Field("one sentence that describes it", _text, ""),
    "source": Field("the document it follows", _text, ""),
    "table.players": Field("how many may play; the first is meant where a record does not say", _list(_number(2, 12))),
    "table.sides": Field(
        "who plays together: fixed teams in alternating seats, everyone alone, the partner who holds the called card, "
        "or the partner who sits a fixed number of places to the bidder's right",
        _word("teams", "solo", "called-partner", "seat-partner"),
    ),
    "table.teams": Field(
        "with sides = teams, the numbers of teams allowed, 0 for everyone alone; the first that divides the players "
        "into teams of two or more is meant where a record does not say",
        _list(_number(0, 6), empty=True),
        (),
    ),
    "table.partner_right": Field(
        "with sides = seat-partner, how many places to the bidder's right the partner sits", _number(1, 11), 2
    ),
    "table.call": Field(
        "with sides = called-partner, which card may be called: any, or a trump only", _word("any", "trump"), "any"
    ),
    "deck.ranks": Field("the ranks in the deck, from high to low, in all four suits", _ranks),
    "deck.jokers": Field("how many jokers: the red one, the black one, X3, X4", _number(0, 4), 0),
    "deck.deal": Field(
        "cards dealt to each player where that is not deck.hand: a number, or one for each number of players",
        _optional(_by_players(1, 26)),
        None,
    ),
    "deck.hand": Field(
        "cards each player plays with; also the number of tricks: a number, or one for each number of players",
        _by_players(1, 26),
        6,
    ),
    "deck.kitty": Field("cards dealt to a kitty: a number, or one for each number of players", _by_players(0, 26), 0),
    "deck.kitty_to": Field(
        "who takes the kitty before discarding: the bidder, or nobody, so that it stays face down",
        _word("bidder", "nobody"),
        "bidder",
    ),
    "deck.undealt": Field(
        "what happens to the undealt cards: looked at after the hand, or never seen", _word("buried", "stock")
    ),
    "deck.draw": Field(
        "what is discarded and refilled to deck.hand once trump is known (discard: down to deck.hand, no refill); it "
        "changes which cards are in play and nothing else",
        _word("none", "non-trump", "up-to-3", "up-to-4", "up-to-4-with-ace", "discard"),
        "none",
    ),
    "deck.rob": Field(
        "who looks through what is left of the pack after the draw and keeps the best: nobody, the dealer, the bidder",
        _word("nobody", "dealer", "bidder"),
        "nobody",
    ),
    "trump.by": Field(
        "trump is the suit of the bidder's first lead (a joker led: the bidder names it), or is named first",
        _word("lead", "named"),
        "lead",
    ),
    "trump.order": Field(
        "trump from high to low; L is the Left Jack, LA, L5 and L3 the other cards of trump's color off trump, XR, XB, "
        "X3 and X4 the jokers",
        _order,
    ),
    "trump.jokers": Field(
        "jokers in one trick: the higher in trump.order wins, or they are alike and the first or the last played wins",
        _word("ranked", "first", "last"),
        "ranked",
    ),
    "play.follow": Field(
        "on a trick: follow suit or trump; follow suit, and trump only when void; or trumps only, and whoever has none "
        "is out of the hand",
        _word("follow-or-trump", "follow", "trumps-only"),
        "follow-or-trump",
    ),
    "auction.rounds": Field(
        "each player bids once, or the bidding goes around until all others have passed (a pass is final)",
        _word("single", "until-passed"),
        "single",
    ),
    "auction.min": Field("the lowest bid", _number(0, 99)),
    "auction.max": Field("the highest bid in numbers", _number(0, 99)),
    "auction.specials": Field(
        "bids above the numbers: name, bid (what it is worth), needs (every trick, every point), takes (at least so "
        "many points), made and failed (what becomes of the score: the bid counts, the points taken do, the game is "
        "won or lost, the score is set to made_to or failed_to, or target: up to it from zero or more and to zero from "
        "below; lost from the score), least_score (the score that allows it)",
        _list(_SPECIAL, empty=True),
        (),
    ),
    "auction.dealer": Field(
        "what the dealer may do with the highest bid: only outbid it, match it, match it below the maximum, "
        "match it at the maximum only, or match it unless it is a special",
        _word("outbid", "match", "match-below-max", "match-max", "match-not-special"),
        "outbid",
    ),
    "auction.all_pass": Field(
        "when all pass: the same dealer deals again, the next dealer deals, or the dealer may not pass",
        _word("redeal", "next-dealer", "dealer-forced"),
        "redeal",
    ),
    "auction.forced_bid": Field(
        "the least a forced dealer bids; left out, auction.min but at least 2", _optional(_number(0, 99)), None
    ),
    "points": Field(
        "what scores: key, card (a trump by its name in trump.order, highest, lowest, lowest-natural for the lowest "
        "card of the trump suit itself, a card like AS in any suit, first-trick, last-trick, or game for the most card "
        "points), owner (taker: who won it; holder: who was dealt it; keeper: who played it, and the card moves along)"
        ", worth",
        _list(_POINT),
    ),
    "game.values": Field("what cards are worth toward Game", _game_values, {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}),
    "game.award": Field(
        "Game goes to the most, alone; or needs game.at_least as well", _word("most", "at-least"), "most"
    ),
    "game.at_least": Field("with award = at-least, the fewest card points that win it", _number(1, 999), 41),
    "game.tie": Field(
        "a tied Game goes to nobody, to the bidder's side, to the dealer's side, or to whoever has the first point of "
        "game.tie_points that somebody has, if that side is among the tied",
        _word("nobody", "bidder", "dealer", "points"),
        "nobody",
    ),
    "game.tie_points": Field(
        "with tie = points, the keys of the points that decide it, in order", _list(_text, empty=True), ()
    ),
    "settle.made": Field("a made bid scores what was taken, or only the bid", _word("taken", "bid"), "taken"),
    "settle.set": Field(
        "a set side loses its bid; or what it took counts against the loss; or it scores nothing",
        _word("bid", "bid-less-taken", "nothing"),
        "bid",
    ),
    "settle.defenders": Field(
        "when a bid is set, each of the others scores what it took, the bid, or both",
        _word("taken", "bid", "both"),
        "taken",
    ),
    "win.target": Field("the score that wins", _number(1, 999)),
    "win.eligible": Field(
        "who can win: anyone, or only a side that made its own bid in that hand",
        _word("anyone", "made-bid"),
        "anyone",
    ),
    "win.both": Field(
        "several at the target after one hand, in this order: the bidder wins, the highest wins, the first when the "
        "hand's points are counted one by one (count-out), all tied win, nobody yet",
        _list(_word("bidder", "highest", "count-out", "share", "play-on")),
        ("bidder", "highest", "play-on"),
    ),
    "win.early": Field(
        "a win below the target: at, others_at_most, when (first-reach or any-hand), eligible; null for none",
        _optional(_EARLY),
        None,
    ),
    "win.order": Field(
        "with both = count-out, the keys of the points in the order in which they count; left out, that of points",
        _list(_text, empty=True),
        (),
    ),
    "win.all_points": Field(
        "who wins the game at once by taking every point of a hand: nobody, the bidding side, or any side",
        _word("nobody", "bidder", "anyone"),
        "nobody",
    ),
    "win.hands": Field(
        "how many hands a game has at most: after the last the highest score wins; null for no limit",
        _optional(_number(1, 999)),
        None,
    ),
    "win.lost_at": Field(
        "the score, below zero, at which a side loses the game to the others; null for none",
        _optional(_number(-999, -1)),
        None,
    ),
    "win.lost_sets": Field(
        "how often a side can be set before it loses the game to the others; null for any number",
        _optional(_number(1, 99)),
        None,
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

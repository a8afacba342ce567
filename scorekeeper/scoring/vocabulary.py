"""The vocabulary of rules: every field a rule set has, what it means, which values it takes, and its default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .cards import RANKS
from .parts import EarlyWin, Point, Special

Check = Callable[[object], Any]
REQUIRED = object()


@dataclass(frozen=True)
class Field:
    """One field of a rule set: what it means, how a value is checked (ValueError says what it must be), its default."""

    meaning: str
    check: Check
    default: object = REQUIRED


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
    if not names or any(name not in (*RANKS, "L", "XR", "XB") for name in names):
        raise ValueError("must be ranks, L, XR and XB, from high to low, with blanks between")
    if len(set(names)) != len(names):
        raise ValueError("must not name a card twice")
    return names


def _game_values(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping) or any(key not in (*RANKS, "XR", "XB") for key in value):
        raise ValueError("must give ranks (or XR, XB) their Game values")
    if any(type(worth) is not int or not 0 <= worth <= 100 for worth in value.values()):
        raise ValueError("must give whole numbers from 0 to 100")
    return dict(value)


def _optional(check: Check) -> Check:
    return lambda value: None if value is None or value is False else check(value)


_POINT = _table_of(
    Point,
    {
        "key": _text,
        "card": _word("highest", "lowest", "game", *RANKS, "L", "XR", "XB"),
        "owner": _word("taker", "holder", "keeper"),
        "worth": _number(1, 20),
    },
    {"owner": "taker", "worth": 1},
)
_SPECIAL = _table_of(
    Special,
    {"name": _text, "bid": _number(1, 99), "needs": _list(_word("every-trick", "every-point"))},
    {"needs": ("every-trick", "every-point")},
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
    "deck.ranks": Field("the ranks in the deck, from high to low, in all four suits", _ranks),
    "deck.jokers": Field("how many jokers: with 1 the red one, with 2 the black one too", _number(0, 2), 0),
    "deck.hand": Field("cards dealt to each player; also the number of tricks", _number(1, 26), 6),
    "deck.undealt": Field(
        "what happens to the undealt cards: looked at after the hand, or never seen", _word("buried", "stock")
    ),
    "deck.draw": Field(
        "what may be discarded and refilled once trump is known; it changes which cards are in play and nothing else",
        _word("none", "non-trump", "up-to-3", "up-to-4-with-ace"),
        "none",
    ),
    "trump.by": Field(
        "trump is the suit of the bidder's first lead (a joker led: the bidder names it), or is named first",
        _word("lead", "named"),
        "lead",
    ),
    "trump.order": Field("trump from high to low; L is the Left Jack, XR and XB the jokers", _order),
    "auction.rounds": Field(
        "each player bids once, or the bidding goes around until all others have passed (a pass is final)",
        _word("single", "until-passed"),
        "single",
    ),
    "auction.min": Field("the lowest bid", _number(0, 99)),
    "auction.max": Field("the highest bid in numbers", _number(0, 99)),
    "auction.specials": Field(
        "bids above the numbers: name, bid (what it is worth) and needs", _list(_SPECIAL, empty=True), ()
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
        "what scores: key, card (a trump by its name in trump.order, highest, lowest, or game for the most card "
        "points), owner (taker: who won it; holder: who was dealt it; keeper: who played it, and the card moves along)"
        ", worth",
        _list(_POINT),
    ),
    "game.values": Field("what cards are worth toward Game", _game_values, {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}),
    "game.award": Field(
        "Game goes to the most, alone; or needs game.at_least as well", _word("most", "at-least"), "most"
    ),
    "game.at_least": Field("with award = at-least, the fewest card points that win it", _number(1, 999), 41),
    "settle.made": Field("a made bid scores what was taken, or only the bid", _word("taken", "bid"), "taken"),
    "settle.set": Field(
        "a set side loses its bid; or what it took counts against the loss", _word("bid", "bid-less-taken"), "bid"
    ),
    "win.target": Field("the score that wins", _number(1, 999)),
    "win.eligible": Field(
        "who can win: anyone, or only a side that made its own bid in that hand",
        _word("anyone", "made-bid"),
        "anyone",
    ),
    "win.both": Field(
        "several at the target after one hand, in this order: the bidder wins, the highest wins, all tied win, "
        "nobody yet",
        _list(_word("bidder", "highest", "share", "play-on")),
        ("bidder", "highest", "play-on"),
    ),
    "win.early": Field(
        "a win below the target: at, others_at_most, when (first-reach or any-hand), eligible; null for none",
        _optional(_EARLY),
        None,
    ),
}

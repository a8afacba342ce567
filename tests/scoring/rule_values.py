"""Example values of every field of the rules, for the tests that try each of them: a new field has one row here."""

from typing import Any, NamedTuple

from scorekeeper.scoring.rules.fields import EarlyWin, Point, Special

Bad = list[tuple[object, str]]  # values, and what is said of each
Typed = str | dict[str, str | list[str]]


class Values(NamedTuple):
    """The example values of one field.

    `good` and `bad` are values in West Michigan's six-player game. `house` is what a table might change: any of these
    makes sense with any other field's, or is refused as a rule set. `typed` goes into the form of the rule set `on`,
    into the field itself or into the boxes that it names, and comes to `value`: left out, to the text or its number.
    """

    good: tuple[object, ...]
    bad: Bad
    house: tuple[Any, ...] = ()
    typed: Typed = ""
    on: str = "classic"
    value: Any = None

    @property
    def comes_to(self) -> Any:
        if self.value is not None or not isinstance(self.typed, str):
            return self.value
        return int(self.typed) if self.typed.removeprefix("-").isdigit() else self.typed


WHOLE = "must be a whole number from"
ONE_OF = "must be one of"
A_LIST = "must be a list that is not empty"
NO_NUMBERS = (True, "3", 3.0, None, [3])


def words(*choices: str, **more: Any) -> Values:
    """All of them are good, and for a house rule, where nothing else is said."""
    bad = [
        (value, f"{ONE_OF} {', '.join(choices)}") for value in ("", "other", 1, None, [choices[0]], choices[0].upper())
    ]
    return Values(**{"good": choices, "bad": bad, "house": choices} | more)


def numbers(low: int, high: int, *good: int, null: bool = False, **more: Any) -> Values:
    bad = [low - 1, high + 1, 10**30, *(value for value in NO_NUMBERS if not (null and value is None))]
    return Values(good, [(value, f"{WHOLE} {low} to {high}") for value in bad], **more)


def by_players(low: int, high: int, *good: object, null: bool = False, **more: Any) -> Values:
    """A number, or one for each number of players."""
    bad = [(value, text) for value, text in numbers(low, high, null=null).bad if not isinstance(value, list)]
    each = f"{WHOLE} {low} to {high}, or one for each number of players"
    return Values(good, [*bad, *((value, each) for value in ([3], {}, {"1": 6}, {"six": 6}, {"6": high + 1}))], **more)


def text(typed: str = "") -> Values:
    return Values(("", "Any words"), [(bad, "must be text") for bad in (1, None, ["x"], {})], typed=typed)


def keys(*good: object, **more: Any) -> Values:
    """A list of keys of points."""
    bad = [
        ("low", "must be a list"),
        (None, "must be a list"),
        ([1], "must be text"),
        (["low", "low"], "must not name"),
    ]
    return Values(good, bad, **more)


SPECIAL = {"name": "moon", "bid": 9}
WON = {**SPECIAL, "made": "win", "failed": "lose", "least_score": 0}
SHOT = {"name": "shoot", "bid": 10, "takes": 7, "needs": [], "made": "target", "failed": "set-to", "failed_to": -5}
EARLY = {"at": 11, "others_at_most": 0, "when": "first-reach", "eligible": "anyone"}
VALUES_OF_CARDS: Bad = [
    ([], "must give ranks (or jokers) their Game values"),
    ({"10": 10}, "must give ranks"),
    ({"L": 1}, "must give ranks"),
    ({"T": -1}, "must give whole numbers from 0 to 100"),
    ({"T": 101}, "must give whole numbers from 0 to 100"),
    ({"T": True}, "must give whole numbers from 0 to 100"),
    ({"T": 1.5}, "must give whole numbers from 0 to 100"),
]

# House rules.
SMUDGE = {"name": "smudge", "bid": 9, "needs": ["every-trick", "every-point"]}
GRAND = {"name": "grand", "bid": 12, "needs": ["every-trick"]}
LONE = {"name": "lone", "bid": 19, "needs": ["every-trick-alone"]}
MOON = {"name": "moon", "bid": 20, "needs": ["every-point"], "made": "win", "failed": "lose"}
SHOOT = {"name": "shoot", "bid": 21, "needs": [], "takes": 3, "made": "target", "failed": "target"}
RESET = {"name": "reset", "bid": 22, "needs": ["every-trick"], "made": "taken", "failed": "set-to", "failed_to": -3}
OTHER_POINTS = (
    [{"key": "high", "card": "A", "owner": "holder"}, {"key": "low", "card": "lowest", "owner": "keeper"}],
    [{"key": "two", "card": "2", "owner": "keeper"}, {"key": "jack", "card": "J", "worth": 3}],
    [{"key": "top", "card": "highest"}, {"key": "ace", "card": "A"}, {"key": "most", "card": "game"}],
    [{"key": "first", "card": "first-trick"}, {"key": "last", "card": "last-trick", "worth": 2},
     {"key": "low", "card": "lowest-natural", "owner": "keeper"}, {"key": "spade", "card": "AS"}],
    [{"key": "pedro", "card": "L5", "worth": 5}, {"key": "five", "card": "5", "worth": 5}, {"key": "low", "card": "2"}],
    [{"key": "top", "card": "highest"}, {"key": "high_spade", "card": "highest-S"},
     {"key": "low_spade", "card": "lowest-S", "owner": "holder"},
     {"key": "high_heart", "card": "highest-H", "owner": "keeper", "worth": 2},
     {"key": "low_club", "card": "lowest-C", "captured": 3}, {"key": "most", "card": "game"}],
    [{"key": "ten", "card": "T", "owner": "holder"}, {"key": "low", "card": "lowest"}, {"key": "most", "card": "game"}],
)  # fmt: skip
SOON = {"at": 4, "others_at_most": 0, "when": "first-reach", "eligible": "anyone"}

# What is typed.
SMUDGED = {"name": "smudge", "bid": "5", "takes": "", "made": "win", "failed": "set-to", "failed_to": "−10"}
SMUDGED |= {"made_to": "", "least_score": "0"}

VALUES: dict[str, Values] = {
    "id": text(),
    "name": text(),
    "summary": text("As on Tuesdays."),
    "source": text("Aunt May"),
    "table.players": Values(([6], [4, 6], (4, 6)), [([], A_LIST), (6, A_LIST), ("6", A_LIST),
     ([1], f"{WHOLE} 2 to 12"), ([13], f"{WHOLE} 2 to 12"), ([6, "4"], f"{WHOLE} 2 to 12"),
     ([6, 6], "must not name anything twice")],
     on="shankar", typed={"table.players": ["4", "5", "6"], "table.players.first": "6"}, value=(6, 4, 5)),
    "table.sides": words("teams", "solo", "called-partner", "seat-partner", house=(), typed="solo"),
    "table.teams": Values(([2], [2, 3], [3, 0], [0]), [(2, "must be a list"), (None, "must be a list"),
     ([-1], f"{WHOLE} 0 to 6"), ([7], f"{WHOLE} 0 to 6"), ([2, 2], "must not name anything twice")],
     on="shankar", typed={"table.teams": ["3", "0"], "table.players": ["6"]}, value=(3, 0)),
    "table.partner_right": numbers(1, 11, 1, 2, 11,
     typed={"table.sides": "seat-partner", "table.partner_right": "3"}, value=3),
    "table.call": words("any", "trump", on="west-michigan-5", typed="trump"),
    "table.direction": words("left", "right", typed="right"),
    "deck.ranks": Values(("AKQJT9872",), [("", "must be ranks out of AKQJT98765432"), (["A"], "must be ranks out of"),
     ("AKX", "must be ranks out of"), ("AAKQJT9872", "must not name a rank twice"),
     ("KAQJT9872", "must name the ranks from high to low")],
     typed={"deck.ranks": ["A", "K", "Q", "J", "T", "9", "2"]}, value="AKQJT92"),
    "deck.jokers": numbers(0, 4, 2, house=(0, 1, 2, 3), typed="1"),
    "deck.deal": by_players(1, 26, 6, [[4, 9], [6, 6]], null=True,
     on="ten-point", typed={"deck.deal-4": "10", "deck.deal-6": "8"}, value=((4, 10), (6, 8))),
    "deck.hand": by_players(1, 26, 1, 6, [[4, 9], [6, 6]], house=(2, 3, 6),
     on="ten-point", typed={"deck.hand": "6", "deck.hand-6": "7"}, value=((4, 6), (6, 7))),
    "deck.kitty": by_players(0, 26, 0, 2, [[6, 2]], typed="4"),
    "deck.kitty_to": words("bidder", "nobody", house=(), on="ten-point", typed="nobody"),
    "deck.undealt": words("buried", "stock", typed="buried"),
    "deck.draw": words("none", "non-trump", "up-to-3", "up-to-4", "up-to-4-with-ace", "discard", house=(),
     typed="up-to-3"),
    "deck.rob": words("nobody", "dealer", "bidder", house=(), typed="dealer"),
    "deck.misdeal": numbers(0, 20, typed="1"),
    "deck.redeal": words("no", "no-face-cards", "no-point-cards", "no-face-or-point-cards", house=(),
     typed="no-face-cards"),
    "trump.by": words("lead", "named", "turned-up", typed="named"),
    # Any other needs a card that is turned up: test_turn_up.py.
    "trump.turned": Values(({},), VALUES_OF_CARDS, house=({}, {"J": 1, "A": 2}),
     on="all-fours", typed={"trump.turned-A": "1"}, value={"J": 1, "A": 1}),
    "trump.gift": numbers(0, 20, 0, house=(0, 2), on="all-fours", typed="2"),
    "trump.gift_to": words("eldest", "others", on="all-fours", typed="eldest"),
    "trump.run": numbers(0, 13, 0, on="all-fours", typed="2"),
    "trump.order": Values(("A K Q J L XR XB T 9 8 7 2", "A K Q J XR XB T L 9 8 7 2", "XR A K Q J T 9 8 7 2 L XB",
     "A LA K Q J XR XB T L 9 8 7 2"), [
     ("", "must be ranks, L, LA, LK, L9, L5, L3 and jokers, from high to low, with blanks between"),
     (["A", "K"], "must be ranks, L, LA, LK, L9, L5, L3 and jokers"),
     ("AKQ", "must be ranks, L, LA, LK, L9, L5, L3 and jokers"),
     ("A K Q J L XR XB T 9 8 7 2 X", "must be ranks, L, LA, LK, L9, L5, L3 and jokers"),
     ("A A K Q J L XR XB T 9 8 7 2", "must not name a card twice")],
     house=("A K LK Q J L T 9 L9 8 7 6 5 L5 4 3 L3 2", "LA A K Q J XR XB X3 T 9 8 7 2"),
     typed="A K Q J L T 9 8 7 6 5 L5 4 3 2",
     value=("A", "K", "Q", "J", "L", "T", "9", "8", "7", "6", "5", "L5", "4", "3", "2")),
    "trump.jokers": words("ranked", "first", "last", on="ten-point", typed="last"),
    "play.follow": words("follow-or-trump", "follow", "trumps-only", typed="trumps-only"),
    "auction.rounds": words("single", "until-passed", "none", good=("single", "until-passed"),  # none: test_turn_up.py
     typed="until-passed"),
    "auction.min": numbers(0, 100, 0, 7, house=(0, 1, 2, 3), typed="1"),
    "auction.max": numbers(0, 100, 2, 100, typed="6"),
    "auction.specials": Values(
     ([], [SPECIAL], [{**SPECIAL, "needs": ["every-point"]}], [SPECIAL, {"name": "slam", "bid": 99}], [WON, SHOT]), [
     (SPECIAL, "must be a list"),
     ([7], "must be an object with name, bid, needs, made, made_to, failed, failed_to, least_score, takes"),
     ([{1: 2}], "must be an object with name, bid, needs"), ([{"name": "moon"}], "needs bid"),
     ([{**SPECIAL, "name": 1}], "name must be text"), ([{**SPECIAL, "bid": 0}], f"bid {WHOLE} 1 to 99"),
     ([{**SPECIAL, "bid": 100}], f"bid {WHOLE} 1 to 99"), ([{**SPECIAL, "needs": "luck"}], "needs must be a list"),
     ([{**SPECIAL, "made": "luck"}], f"made {ONE_OF} bid, taken, win, set-to, target"),
     ([{**SPECIAL, "failed": "win"}], f"failed {ONE_OF} bid, lose, set-to, target"),
     ([{**SPECIAL, "made_to": 1000}], f"made_to {WHOLE} -999 to 999"),
     ([{**SPECIAL, "failed_to": "0"}], f"failed_to {WHOLE} -999 to 999"),
     ([{**SPECIAL, "least_score": 0.5}], f"least_score {WHOLE} -999 to 999"),
     ([{**SPECIAL, "takes": 0}], f"takes {WHOLE} 1 to 99"),
     ([{**SPECIAL, "needs": ["luck"]}], f"needs {ONE_OF} every-trick, every-trick-alone, every-point"),
     ([{**SPECIAL, "luck": 1}], "has no luck"), ([SPECIAL, SPECIAL], "must not name anything twice")],
     house=([], [SMUDGE], [SMUDGE, GRAND], [MOON, LONE], [SHOOT, RESET]),
     typed={f"auction.specials-0.{part}": typed for part, typed in SMUDGED.items()}
     | {"auction.specials-0.needs": ["every-point"]},
     value=(Special("smudge", 5, ("every-point",), "win", None, "set-to", -10, 0, None),)),
    "auction.dealer": words("outbid", "match", "match-below-max", "match-max", "match-not-special", typed="match"),
    "auction.max_again": words("dealer", "anyone", house=(), typed="anyone"),
    # eldest-plays needs a least bid above 0: test_selling.py.
    "auction.all_pass": words("redeal", "next-dealer", "dealer-forced", "eldest-plays",
     good=("redeal", "next-dealer", "dealer-forced"), typed="dealer-forced"),
    "auction.pass_cost": numbers(0, 99, house=(0, 2), typed="2"),
    "auction.forced_bid": numbers(0, 99, 0, 2, 7, null=True, house=(None, 2, 3), on="shankar", typed="3"),
    "auction.seller": words("nobody", "eldest", on="double-jack", typed="eldest"),
    "auction.cap": words("maximum", "seller-short", good=("maximum",), house=(),  # the other needs a seller
     on="pedro-sancho", typed="seller-short"),
    "points": Values(([{"key": "high", "card": "highest"}],
     [{"key": "low", "card": "2", "owner": "holder", "worth": 30}],
     [{"key": "jack", "card": "L", "owner": "keeper"}, {"key": "game", "card": "game"}]), [
     ([], A_LIST), ({}, A_LIST), ([{"key": "high"}], "needs card"),
     ([{"card": "A"}], "needs key"), ([{"key": 1, "card": "A"}], "key must be text"),
     ([{"key": "high", "card": "A", "called": " High"}], "called must be a line of 1 to 24 letters"),
     ([{"key": "high", "card": "A", "called": "x" * 25}], "called must be a line of 1 to 24 letters"), (
     [{"key": "high", "card": "AX"}],
     f"card {ONE_OF} highest, lowest, lowest-natural, game, first-trick, last-trick, A,"),
     ([{"key": "high", "card": "A", "owner": "me"}], f"owner {ONE_OF} taker, holder, keeper"),
     ([{"key": "high", "card": "A", "worth": 0}], f"worth {WHOLE} 1 to 30"),
     ([{"key": "high", "card": "A", "worth": 31}], f"worth {WHOLE} 1 to 30"),
     ([{"key": "high", "card": "A", "captured": 0}], f"captured {WHOLE} 1 to 30"),
     ([{"key": "high", "card": "A", "suit": "H"}], "has no suit"),
     ([{"key": "high", "card": "A"}, {"key": "high", "card": "A"}], "must not name anything twice")],
     house=OTHER_POINTS, on="double-jack",
     typed={"points-4.key": "last", "points-4.card": "last-trick", "points-4.worth": "2", "points-3.owner": "keeper"},
     value=(Point("high", "highest", "holder", 1), Point("low", "lowest", "holder", 1),
      Point("right_jack", "J", "taker", 1), Point("left_jack", "L", "keeper", 1),
      Point("last", "last-trick", "taker", 2))),
    "game.values": Values(({}, {"T": 10}, {"A": 100, "XR": 0, "XB": 5}), VALUES_OF_CARDS,
     house=({"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}, {"T": 10, "J": 1, "XR": 5, "9": 2}),
     typed={"game.values-T": "10", "game.values-9": "5", "game.values-J": ""},
     value={"T": 10, "A": 4, "K": 3, "Q": 2, "9": 5}),
    "game.award": words("most", "at-least", typed="at-least"),
    "game.at_least": numbers(1, 999, 1, 41, 999, house=(20, 41), on="double-jack", typed="30"),
    "game.tie": words("nobody", "bidder", "dealer", "eldest", "points",
     good=("nobody", "bidder", "dealer", "eldest"), typed="dealer"),  # points needs game.tie_points
    "game.tie_points": keys([], ["right_joker"], ["right_joker", "low"],
     house=(["jack"], ["low", "high"], ["right_joker", "right_jack"]),
     typed={"game.tie": "points", "game.tie_points": ["jack", "low"]}, value=("jack", "low")),
    "settle.made": words("taken", "bid", "difference", typed="bid"),
    "settle.set": words("bid", "bid-less-taken", "nothing", typed="nothing"),
    "settle.defenders": words("taken", "bid", "both", typed="both"),
    "settle.sweep": numbers(0, 20, 1, house=(0, 1, 3), typed="1"),
    "win.target": numbers(1, 999, 1, 21, 999, house=(3, 5, 11), typed="15"),
    "win.eligible": words("anyone", "made-bid", typed="made-bid"),
    "win.both": Values((["bidder"], ["share"], ["bidder", "highest", "share", "play-on"], ["count-out"]), [
     ([], A_LIST), ("bidder", A_LIST), (["toss"], f"{ONE_OF} bidder, highest, count-out, share, play-on"),
     (["share", "share"], "must not name anything twice")],
     house=(["bidder"], ["highest", "share"], ["highest", "play-on"], ["play-on", "share"], ["share"],
      ["count-out", "highest", "share"], ["bidder", "count-out", "play-on"]),
     typed={"win.both": ["bidder", "share", ""]}, value=("bidder", "share")),
    "win.early": Values(
     (EARLY, {"at": 11}, {**EARLY, "at": 999, "others_at_most": -999, "when": "any-hand", "eligible": "made-bid"}), [
     ({}, "needs at"), (11, "must be an object with at, others_at_most, when, eligible"),
     ({**EARLY, "at": 0}, f"at {WHOLE} 1 to 999"), ({**EARLY, "at": 1000}, f"at {WHOLE} 1 to 999"),
     ({**EARLY, "others_at_most": -1000}, f"others_at_most {WHOLE} -999 to 999"),
     ({**EARLY, "others_at_most": 1000}, f"others_at_most {WHOLE} -999 to 999"),
     ({**EARLY, "when": "later"}, f"when {ONE_OF} first-reach, any-hand"),
     ({**EARLY, "eligible": "me"}, f"eligible {ONE_OF} anyone, made-bid"), ({**EARLY, "by": "me"}, "has no by")],
     house=(None, SOON, SOON | {"when": "any-hand", "others_at_most": 3}, SOON | {"eligible": "made-bid"}),
     typed={"win.early.at": "7", "win.early.others_at_most": "−1", "win.early.eligible": "made-bid"},
     value=EarlyWin(7, -1, "first-reach", "made-bid")),
    "win.order": keys([], ["low"], ["game", "low"], house=([], ["low", "high"], ["game", "low", "high"]),
     typed={"win.both": ["count-out"], "win.order": ["low", "high"]}, value=("low", "high")),
    "win.all_points": words("nobody", "bidder", "anyone", typed="anyone"),
    "win.hands": numbers(1, 999, 1, 12, null=True, house=(None, 1, 3), typed="12"),
    "win.lost_at": numbers(-999, -1, -21, null=True, house=(None, -3), typed="-20"),
    "win.lost_sets": numbers(1, 99, 3, null=True, house=(None, 1, 2), typed="3"),
    "win.lost_in_a_row": numbers(2, 99, 3, null=True, house=(None, 2, 3), typed="2"),
    "win.counted": words("up", "down", house=(), typed="down"),
}  # fmt: skip

# What a table might change; of a point of the catalogue, too.
HOUSE_RULES: dict[str, tuple[Any, ...]] = {name: row.house for name, row in VALUES.items() if row.house} | {
    "points.high.card": ("highest", "A"),
    "points.low.card": ("lowest", "2", "lowest-natural"),
    "points.high.owner": ("taker", "holder", "keeper"),
    "points.low.owner": ("taker", "holder", "keeper"),
    "points.jack.owner": ("taker", "keeper"),
    "points.right_jack.owner": ("taker", "holder", "keeper"),
    "points.left_joker.owner": ("taker", "holder", "keeper"),
    "points.jack.captured": (None, 1, 3),
    "points.low.worth": (1, 2),
    "points.game.worth": (1, 3),
}

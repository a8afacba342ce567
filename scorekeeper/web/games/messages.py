"""What the pages say when a game is set up, a player is replaced, or somebody starts scoring on a device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scorekeeper.live.state import Scorer
from scorekeeper.models import CORRECT, FORFEIT, NAME_LENGTH, ON_PAPER, RECORD, REDO, REMOVE, SUBSTITUTE, UNDO, Change
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.hand import HandScore
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, known_as
from scorekeeper.scoring.table import Table, Unit
from scorekeeper.services.change_log import effect, seats_in
from scorekeeper.services.game_reader import Logged
from scorekeeper.web.common.narrator import Narrator, by_score
from scorekeeper.web.common.numbers import counted, figure, times
from scorekeeper.web.common.words import ScoreWords, cut_names, listed, short_names

HOUSE_TITLES = {
    "table": "Partners",
    "deck": "Cards",
    "trump": "Trump",
    "play": "Play",
    "auction": "Bidding",
    "points": "Points",
    "game": "Card points",
    "settle": "Scoring",
    "win": "Winning",
}

# --- what is wrong with a game about to start ---

MOST_TARGET = 999
TOO_LONG = f"A name has at most {NAME_LENGTH} letters. Shorten this one."


OUR_RULES = "Our rules"
PLAYED_LAST = "Played last"


def counts_line(rules: RuleSet) -> str:
    """What a game counts, in a line: High, Low, Jack, Game, Three (3): 7 points, to 21."""
    each = (point.name + (f" ({point.worth})" if point.worth > 1 else "") for point in rules.points)
    total = counted(sum(point.worth for point in rules.points), "point")
    win = ScoreWords(rules.win)
    start = f"from {win.target} down " if win.counts_down else ""
    return f"{', '.join(each)}: {total}, {start}to {win.end}"


def set_apart(rules: RuleSet) -> str:
    """What a game's summary says besides that."""
    said = {", ".join(point.name for point in rules.points), f"To {rules.win.target}", "Seven points a hand"}
    return ". ".join(one for one in rules.summary.removesuffix(".").split(". ") if one not in said) + "."


def other_names(rules: RuleSet) -> tuple[str, ...]:
    """What a game is called elsewhere, and where; nothing is known of a club's own."""
    return known_as(rules.id) if rules.id in CATALOGUE else ()


# --- this device ---

SUITS_SAID = {"two": "Suits are shown in two colors.", "four": "Suits are shown in four colors."}


# --- a game that waits ---

STATES_SAID = {
    "open": "Game resumed.",
    "paused": "Game paused. Resume it whenever you like.",
    "abandoned": "Game abandoned.",
}

# --- a substitution ---

WHICH_SEAT = "Choose the player to replace."
WHO_PLAYS = "Enter who plays instead."
PAPER_GAME = "This game was scored on paper. You cannot replace anybody in it."
GAME_OVER = "This game is over. You cannot replace anybody in it."
PLAYS_ALREADY = "This player is at the table already. Choose somebody else."


# --- for the templates ---


def way_round(direction: str) -> str:
    """The way that the deal and the play go, and that seats are numbered."""
    return {"left": "clockwise", "right": "counterclockwise"}[direction]


def place_at_table(seat: int, players: int, direction: str = "left") -> str:
    """Where a seat is drawn, as classes: clockwise around the table, from the top left, or from the top's middle.

    Where the game goes to the right, counterclockwise from the top right.
    """
    column, row = _place_clockwise(seat, players)
    mirrored = {"left": "right", "right": "left"} if direction == "right" else {}
    return f"{mirrored.get(column, column)}{row}"


def _place_clockwise(seat: int, players: int) -> tuple[str, str]:
    odd = players % 2
    if seat == 1:
        return ("top", "") if odd else ("left", " row-1")
    right = (players + 1) // 2 if odd else players // 2 + 1  # the last seat on the right
    if seat <= right:
        return "right", f" row-{seat if odd else seat - 1}"
    return "left", f" row-{players - seat + 2}"


FILTERS = {
    "counts_line": counts_line,
    "other_names": other_names,
    "set_apart": set_apart,
    "place_at_table": place_at_table,
    "way_round": way_round,
}


# Of games without hands, by how they ended.
NO_HANDS = {
    ON_PAPER: "Scored on paper, so it has no hands.",
    FORFEIT: "A forfeit: the game was not played, so it has no hands.",
}


def deciding_rule(narrator: Narrator, score: GameScore) -> str:
    """How the winners won: who they are, their score, the hand and the rule; empty while the game goes on."""
    outcome = score.outcome
    if outcome is None:
        return ""
    if outcome.reason == "target":
        return _at_target(narrator, score, outcome.winners)
    return NO_HANDS.get(outcome.reason) or _endings(narrator, score, outcome.winners)[outcome.reason]


def _at_target(narrator: Narrator, score: GameScore, winners: Sequence[Unit]) -> str:
    """How they won who alone were at the target after the last hand."""
    table, last, number, end = narrator.table, score.hands[-1], len(score.hands), narrator.scores.end
    who, own = _who(narrator, winners), narrator.scores.score(score.totals[winners[0]])
    if table.rules.win.eligible == "made-bid":
        bid, rule = narrator.bid(last.bid), f"From {end} on, {_only(table)}"
        if table.unit_of[last.bidder or 0] in winners:
            return f"{who} bid {bid} in hand {number}, made it, and had {own}. {rule}"
        return f"{who} was on the side that made {bid} in hand {number}, and had {own}. {rule}"
    before = [{unit: total - last.change[unit] - last.adjusted.get(unit, 0) for unit, total in last.totals.items()}]
    before += [hand.totals for hand in score.hands[:-1]]
    if any(total >= table.rules.win.target for totals in before for total in totals.values()):
        return f"{who} had {own} after hand {number}, the only score of {narrator.scores.end_or_better}."
    return f"{who} reached {end} first, in hand {number}, with {own}."


def _endings(narrator: Narrator, score: GameScore, winners: Sequence[Unit]) -> dict[str, str]:
    """A game that was won in its last hand otherwise: what is said of it, by each reason that there can be."""
    scores, win, last = narrator.scores, narrator.table.rules.win, score.hands[-1]
    who, bid, number = _who(narrator, winners), narrator.bid(last.bid), f"hand {len(score.hands)}"
    totals = [scores.score(score.totals[unit]) for unit in winners]
    own, early, at_most = totals[0], "", ""
    if win.early:
        early, at_most = " by a made bid" if win.early.eligible == "made-bid" else "", figure(win.early.others_at_most)
    had = f"{who} had {own}"  # each with their own where they differ
    if len(set(totals)) > 1:
        had = listed([f"{narrator.unit(unit)} had {total}" for unit, total in zip(winners, totals, strict=True)])
    crowd = _several(narrator) if win.eligible != "made-bid" else "several players on the side that made its bid"
    crowd = f"When {crowd} reach {scores.end}"
    unless = " and the bidder does not" if _precedes("bidder", "highest", win.both) else ""
    if _precedes("highest", "share", win.both):
        together = f"When the {scores.best} scores of {scores.end_or_better} tie"
    else:
        together = crowd
    team = "bidding team" if narrator.table.teams else "bidder"
    won = f"{who} won with {own} after {number}."
    return {
        "bidder": f"{crowd}, the {team} wins: {who} had the bid in {number} and finished with {own}.",
        "highest": f"{crowd}{unless}, the {scores.best} score wins: {had} after {number}.",
        "share": f"{together}, they win together: {had} after {number}.",
        "early": f"{who} won early{early}: {own} in {number}, with everyone else at {at_most} or less.",
        "count-out": f"{crowd}, the points are counted one by one: {who} got there first, with {own}.",
        "special": f"{who} made {bid} in {number}, which wins the game.",
        "special-lost": f"{narrator.seat(last.bidder or 0)} bid {bid} in {number} and was set, which loses the game. "
        f"{who} won.",
        "all-points": f"{who} took every point of {number}, which wins the game.",
        "hands": f"{number.capitalize()} was the last, and the {scores.best} score wins: {had} after {number}.",
        "lost": f"A score of {figure(win.lost_at or 0)} or less loses the game. {won}",
        **dict.fromkeys(("sets", "sets-in-a-row"), f"{lost_by_sets(narrator, score)} {won}"),
    }


def lost_by_sets(narrator: Narrator, score: GameScore) -> str:
    """Who was set too often: “Bo was set twice in a row and loses.”; empty where that did not end the game."""
    win, hands = narrator.table.rules.win, [hand for hand in score.hands if hand.status == "scored"]
    reason = score.outcome.reason if score.outcome else None
    if reason == "sets-in-a-row":
        most, how = win.lost_in_a_row or 0, " in a row"
        hands = hands[-most:]
    elif reason == "sets":
        most, how = win.lost_sets or 0, ""
    else:
        return ""
    sets = Counter(unit for hand in hands if not hand.made for unit in units_bidding(hand))
    losers = [unit for unit, number in sets.items() if number >= most]
    was, loses = ("were", "lose") if len(narrator.winning_seats(losers)) > 1 else ("was", "loses")
    return f"{_who(narrator, losers)} {was} set {times(most)}{how} and {loses}."


def units_bidding(hand: HandScore) -> list[Unit]:
    """The units on the bidding side of a hand."""
    of_unit = hand.sides.of_unit if hand.sides else {}
    return [unit for unit, side in of_unit.items() if side == hand.bidding_side]


def _precedes(one: str, other: str, rules: Sequence[str]) -> bool:
    return one in rules and other in rules and rules.index(one) < rules.index(other)


def _who(narrator: Narrator, winners: Sequence[Unit]) -> str:
    return listed([narrator.seat(seat) for seat in narrator.winning_seats(winners)])


def _only(table: Table) -> str:
    """Who alone can win where it takes a made bid."""
    if table.teams:
        return "only a team that makes its own bid can win."
    if table.changing_sides:
        return "only the side that makes its bid can win."
    return "only a player who makes a bid can win."


def still_playing(narrator: Narrator, score: GameScore) -> str:
    """Why nobody has won although somebody is at the target; empty where nobody is, or the game is over."""
    if score.still_open is None:
        return ""
    reason, units = score.still_open
    there = [score.totals[unit] for unit in units]
    who, top = listed([narrator.team(unit) for unit in units]), narrator.scores.score(max(there))
    has = "has" if len(there) == 1 and not narrator.is_of_pairs else "have"
    all_scores = dict.fromkeys(map(narrator.scores.score, there))
    is_level = f"{top} to {top} is a tie" if len(narrator.table.units) == 2 else f"{who} are tied at {top}"
    several = f"{_several(narrator)} have {narrator.scores.end_or_better}"
    why = {
        "no-hand": "it takes at least one hand to win.",
        "not-eligible": f"{who} {has} {' and '.join(all_scores)}, but {_only(narrator.table)}",
        "several": f"{several}, and nobody wins until just one does.",
        "tie": f"{is_level}, and these rules need a leader.",
    }
    return f"Still playing: {why[reason]}"


def close_to_winning(narrator: Narrator, score: GameScore) -> str:
    """Whom the points of one hand can bring to the target, the closest first: "Ann and Cy need 3, Bo and Di 5".

    Where only a made bid wins, it says so, also of those who have the target. Empty after the end, and where the target
    is not needed: who leads after so many hands wins, or who is early.
    """
    rules = narrator.table.rules
    win, most = rules.win, sum(max(point.worth, point.captured or 0) for point in rules.points)
    if score.outcome or win.hands or win.early:
        return ""
    lacks = {unit: win.target - total for unit, total in by_score(score.totals).items()}
    bid = "a made bid" if win.eligible == "made-bid" else ""
    near = [
        (narrator.team(unit), " and ".join(filter(None, [str(points) if points > 0 else "", bid])))
        for unit, points in lacks.items()
        if points <= most and (points > 0 or bid)
    ]
    needs = " need" if narrator.is_of_pairs else " needs"
    return ", ".join(f"{who}{'' if place else needs} {what}" for place, (who, what) in enumerate(near))


def _several(narrator: Narrator) -> str:
    what = "teams" if narrator.table.teams else "players"
    return f"both {what}" if len(narrator.table.units) == 2 else f"several {what}"


def bids_said(bids: int, sets: Counter[str]) -> str:
    """How many bids were set, and whose, by first names as they are said at that table; empty where nobody bid."""
    if not bids:
        return ""
    if bids == 1:
        return "The only bid was set." if sets else "The only bid was made."
    every = "Both" if bids == 2 else f"All {bids}"
    if not sets:
        return f"{every} bids were made."
    if sets.total() == bids:
        return f"{every} bids were set: {_whose(sets)}."
    return f"{sets.total()} of {bids} bids {'was' if sets.total() == 1 else 'were'} set: {_whose(sets)}."


def _whose(sets: Counter[str]) -> str:
    """Ann’s twice and Bo’s once; of a single one just whose it was."""
    if sets.total() == 1:
        return f"{next(iter(sets))}’s"
    return listed([f"{name}’s {times(number)}" for name, number in sets.items()])


DID = {
    RECORD: "saved hand {}",
    CORRECT: "changed hand {}",
    REMOVE: "removed hand {}",
    SUBSTITUTE: "substituted a player",
    UNDO: "used Undo on hand {}",
    REDO: "used Redo on hand {}",
}
MOST_TOLD = 3
MOST_LETTERS = 14  # of a first name beside the heading of a small phone
SOMEBODY, ANOTHER = "Somebody", "Another phone"
SCORE_SHEET, RESULT = "Score sheet", "See the result"
REMOVED_BEFORE = "A hand was removed."


def news(entries: Sequence[Logged], score: str, last: str = "") -> str:
    """What was changed, and the score since: "Bo saved hand 7: Ann bid 5, took 3, set. 12 to 9."

    `last` is what the hand came to that was saved last. Empty where nothing was changed.
    """
    told = [done_elsewhere(entry.kind, entry.position, entry.by) for entry in entries[-MOST_TOLD:]]
    if told and last:
        told[-1] = f"{told[-1][:-1]}: {last}."
    return " ".join([*told, score]) if told else ""


def entering(others: Sequence[Scorer], length: int, also: str = "") -> str:
    """Who is entering or correcting a hand on another phone: "Bo is entering hand 7." Empty where nobody is.

    `also` is "also " for somebody who has that hand open.
    """
    return " ".join(f"{_phone_of(one.by)} is {also}{_doing(one, length)}." for one in others)


def _phone_of(by: str | None) -> str:
    """Who scores on another phone, by the first name."""
    return cut_names(short_names([by]), MOST_LETTERS)[0] if by else ANOTHER


def _doing(scorer: Scorer, length: int) -> str:
    return f"{'entering' if scorer.position > length else 'correcting'} hand {scorer.position}"


def entering_briefly(others: Sequence[Scorer], length: int) -> tuple[str, str]:
    """The same in one line across the room, in two parts: the name, which may be cut, and the rest. ("Ann", "is …")."""
    if len(others) > 1:
        return f"{len(others)} phones", "are entering hands"
    (one,) = others
    return one.by or SOMEBODY, f"is {_doing(one, length)}"


def done_elsewhere(kind: str, position: int, by: str | None) -> str:
    """What another phone did: "Bo changed hand 1."."""
    return f"{_phone_of(by)} {DID[kind].format(position)}."


def dealt(dealer: str, goal: str) -> str:
    """Bo deals · first to 11: `goal` is "first to 11"."""
    return f"{dealer} deals · {goal}"


def enter_hand(position: int) -> str:
    return f"Enter hand {position}"


DOING = {RECORD: "", CORRECT: "correcting ", REMOVE: "removing "}
# What was done, by the kind of the change and by what it is in effect: an undone hand is removed, for example.
DONE = {
    (RECORD, RECORD): "hand {} saved",
    (CORRECT, CORRECT): "hand {} corrected",
    (REMOVE, REMOVE): "hand {} removed",
    (UNDO, REMOVE): "hand {} undone",
    (UNDO, CORRECT): "the correction of hand {} undone",
    (UNDO, RECORD): "hand {} restored",
    (REDO, RECORD): "hand {} redone",
    (REDO, CORRECT): "the correction of hand {} redone",
    (REDO, REMOVE): "hand {} removed again",
}


def on_phone(by: str | None, label: str | None = None) -> str:
    """Whose phone made a change, if it was said; else the label of its link, for who may know that."""
    if by:
        return f"{by}’s phone"
    return f"A phone with “{label}”" if label else "A phone"


def hand_named(change: Logged) -> str:
    """A change of a hand as undo and redo name it: "hand 7 by Ann"."""
    return change_named(change) + _by(change)


def change_named(change: Logged | None) -> str:
    """The same where there is little room: "hand 7"; empty where there is nothing."""
    if change is None:
        return ""
    return "substitution" if change.kind == SUBSTITUTE else f"{DOING[change.kind]}hand {change.position}"


def _by(change: Change | Logged) -> str:
    return f" by {change.by}" if change.by else ""


def substitution_named(change: Change) -> str:
    """A substitution as undo and redo name it: "Gil’s substitution by Ann"."""
    before = seats_in(change.before)
    names = [name for seat, name in seats_in(change.after).items() if before.get(seat) != name]
    return (f"{listed(names)}’s substitution" if names else "the last substitution") + _by(change)


def substitution_said(change: Change, before: Sequence[str], after: Sequence[str]) -> str:
    """What a substitution did, by those who sat in the next hand before and after it, one a seat."""
    changed = [(gone, here) for gone, here in zip(before, after, strict=True) if gone != here]
    if change.kind == UNDO:
        return f"{listed([gone for gone, _ in changed])}’s substitution was undone."
    return f"{listed([f'{here} for {gone}' for gone, here in changed])} from hand {change.position}."


def change_said(change: Change) -> str:
    """What a change did to a hand, for the person who made it."""
    done = effect(change)
    if done == RECORD:
        return f"Hand {change.position} restored." if change.undoes else f"Hand {change.position} saved."
    if done == REMOVE:
        return f"Hand {change.position} {'undone' if change.kind == UNDO else 'removed'}."
    return f"Hand {change.position} is back as it was." if change.kind == UNDO else f"Hand {change.position} corrected."

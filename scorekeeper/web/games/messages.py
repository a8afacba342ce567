"""What the pages say when a game is set up, a player is replaced, or somebody starts scoring on a device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from scorekeeper.live.state import Scorer
from scorekeeper.models import CORRECT, FORFEIT, NAME_LENGTH, ON_PAPER, RECORD, REDO, REMOVE, SUBSTITUTE, UNDO, Change
from scorekeeper.scoring.game import GameScore
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, find_rules
from scorekeeper.scoring.table import Unit
from scorekeeper.services.change_log import effect, seats_in
from scorekeeper.services.game_reader import Logged
from scorekeeper.web.common.narrator import Narrator, by_score, why_won
from scorekeeper.web.common.numbers import counted, figure, percent, times
from scorekeeper.web.common.words import cut_names, ended, first_to, listed, short_names

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
WHICH_RULES = "Choose one of these games."
HOW_MANY = "This game is not for that many players. Choose another number."
WHICH_TEAMS = "That many players cannot make those teams. Choose other teams."
WHO_DEALS = "Choose who deals first."
WHICH_SEASON = "That season has ended. Choose another season."
WHAT_TARGET = f"Enter a target from 1 to {MOST_TARGET}."
TOO_LONG = f"A name has at most {NAME_LENGTH} letters. Shorten this one."


OUR_RULES = "Our rules"


def family_line(names: Sequence[str]) -> str:
    """Nebraska Four-Point Pitch, Five-Point Pitch and 8 more"""
    return f"{', '.join(names[:2])} and {len(names) - 2} more" if len(names) > 3 else listed(names)


def rules_line(rules: RuleSet) -> str:
    """A rule set in one sentence. Rules of a club's own that still have the sentence of the game they began with, which
    need not be true of them any more, say their own target instead: "Like Ten-Point Pitch, first to 31."
    """
    began_with = next((name for name in CATALOGUE if find_rules(name).summary == rules.summary), rules.id)
    if rules.id in CATALOGUE or began_with == rules.id:
        return rules.summary
    return f"Like {find_rules(began_with).name}, {first_to(rules)}."


def empty_seat(seat: int) -> str:
    return f"Seat {seat} needs a name."


def same_name(name: str) -> str:
    return f"Two players are called {name.removesuffix('.')}. Change one of the names."


def rules_clash(reasons: Sequence[str]) -> str:
    return f"These house rules do not go together: {listed(reasons)}. Turn one off."


# --- the seats ---

ALL_SEATS_TAKEN = "All seats are taken. Tap a seat first, then the name that takes it."


def seat_help(held: str, *, full: bool, anybody_known: bool) -> str:
    """What can be tapped next; `held` is who sits in the seat that was tapped first."""
    if held:
        return f"{held}: tap another seat to swap, or a name to take this seat."
    if full:
        return "To swap two players, tap both."
    return "Tap a name, or type a new one in a seat." if anybody_known else "Type a name in every seat."


# --- beside the Deal button ---


def first_deal(name: str) -> str:
    return f"{name} deals first." if name else "Choose the players."


def played_by(rules: str, target: str, house: Sequence[str], *, counts_down: bool) -> str:
    """Under which rules the game is about to be played, house rules and all."""
    goal = f"0 from {target}" if counts_down else target
    game = f"{rules}, first to {goal}" if target else rules
    return f"{game}, with: {'; '.join(label[:1].lower() + label[1:] for label in house)}" if house else game


# --- this device ---

SUITS_SAID = {"two": "Suits are shown in two colors.", "four": "Suits are shown in four colors."}


def scoring_said(name: str) -> str:
    return f"{name} is scoring on this device." if name else "Nobody is scoring on this device."


# --- a game that waits ---

STATES_SAID = {
    "open": "Game resumed.",
    "paused": "Game paused. Resume it whenever you like.",
    "abandoned": "Game abandoned. It is kept but does not count.",
}

# --- a substitution ---

WHICH_SEAT = "Choose the player to replace."
WHO_PLAYS = "Enter who plays instead."
PAPER_GAME = "This game was scored on paper. You cannot replace anybody in it."
GAME_OVER = "This game is over. You cannot replace anybody in it."
PLAYS_ALREADY = "This player is at the table already. Choose somebody else."


def instead_of(gone: str, position: int) -> str:
    """Beside the name of who plays in a seat now."""
    return f"for {gone} from hand {position}"


def for_somebody(name: str, gone: str, position: int) -> str:
    """Beside the name of who plays in a seat now: an earlier substitute."""
    return f"{name} for {gone} from hand {position}"


def has_the_seat(name: str) -> str:
    return f"{name} has that seat already."


def left_club(name: str) -> str:
    return f"This device has left {ended(name)}"


# --- for the templates ---


def way_round(direction: str) -> str:
    """The way that the deal and the play go, and that seats are numbered."""
    return {"left": "clockwise", "right": "counterclockwise"}[direction]


FILTERS = {"rules_line": rules_line, "way_round": way_round}


# Of games without hands, by how they ended.
NO_HANDS = {
    ON_PAPER: "Scored on paper, so it has no hands.",
    FORFEIT: "A forfeit: the game was not played, so it has no hands.",
}


def deciding_rule(narrator: Narrator, score: GameScore) -> str:
    """How the winners won: who they are, their score, the hand and the rule; empty while the game goes on."""
    if score.outcome is None:
        return ""
    if score.outcome.reason in NO_HANDS:
        return NO_HANDS[score.outcome.reason]
    return _Ending(narrator, score, score.outcome.winners).sentence(score.outcome.reason)


def still_playing(narrator: Narrator, score: GameScore) -> str:
    """Why nobody has won although somebody is at the target; empty where nobody is, or the game is over."""
    if score.still_open is None:
        return ""
    reason, units = score.still_open
    return f"Still playing: {_WHY_OPEN[reason](narrator, {unit: score.totals[unit] for unit in units})}"


def _no_hand(_narrator: Narrator, _there: Mapping[Unit, int]) -> str:
    return "it takes at least one hand to win."


def _not_eligible(narrator: Narrator, there: Mapping[Unit, int]) -> str:
    """Only who makes a bid can win."""
    has = "has" if len(there) == 1 else "have"
    scores = " and ".join(dict.fromkeys(narrator.scores.score(total) for total in there.values()))
    who = f"{_teams(narrator, tuple(there))} {has} {scores}"
    if narrator.table.teams:
        return f"{who}, but only a team that makes its own bid can win."
    if narrator.table.changing_sides:
        return f"{who}, but only the side that makes its bid can win."
    return f"{who}, but only a player who makes a bid can win."


def _several_may_win(narrator: Narrator, _there: Mapping[Unit, int]) -> str:
    return f"{_several(narrator)} have {narrator.scores.end_or_better}, and nobody wins until just one does."


def _tie(narrator: Narrator, there: Mapping[Unit, int]) -> str:
    top = narrator.scores.score(max(there.values()))
    if len(narrator.table.units) == 2:
        return f"{top} to {top} is a tie, and these rules need a leader."
    return f"{_teams(narrator, tuple(there))} are tied at {top}, and these rules need a leader."


_WHY_OPEN: dict[str, Callable[[Narrator, Mapping[Unit, int]], str]] = {
    "no-hand": _no_hand,
    "not-eligible": _not_eligible,
    "several": _several_may_win,
    "tie": _tie,
}


def _teams(narrator: Narrator, units: Sequence[Unit]) -> str:
    """Ann’s team and Bo’s team; players by their names."""
    return listed([narrator.team(unit) for unit in units])


def _several(narrator: Narrator) -> str:
    what = "teams" if narrator.table.teams else "players"
    return f"both {what}" if len(narrator.table.units) == 2 else f"several {what}"


class _Ending:
    """A game that was won in its last hand, with its winners."""

    def __init__(self, narrator: Narrator, score: GameScore, winners: Sequence[Unit]) -> None:
        self.narrator, self.table, self.win = narrator, narrator.table, narrator.table.rules.win
        self.score, self.winners = score, winners
        self.last, self.number = score.hands[-1], len(score.hands)
        self.scores = narrator.scores
        self.own = self.scores.score(score.totals[winners[0]])
        self.who = listed([narrator.seat(seat) for seat in narrator.winning_seats(winners)])

    def sentence(self, reason: str) -> str:
        return {
            "target": self._target,
            "bidder": self._bidder,
            "highest": self._highest,
            "share": self._share,
            "early": self._early,
            "count-out": self._count_out,
            "special": self._special,
            "special-lost": self._special_lost,
            "all-points": self._all_points,
            "hands": self._hands,
            "lost": self._lost,
            "sets": self._sets,
            "sets-in-a-row": self._sets_in_a_row,
        }[reason]()

    def _target(self) -> str:
        if self.win.eligible == "made-bid":
            return self._made_bid()
        if self._was_reached_before():
            return f"{self.who} had {self.own} after hand {self.number}, the only score of {self.scores.end_or_better}."
        return f"{self.who} reached {self.scores.end} first, with {self.own} in hand {self.number}."

    def _was_reached_before(self) -> bool:
        """Whether anybody was at the target in an earlier hand."""
        change, adjusted = self.last.change, self.last.adjusted
        before = [{unit: total - change[unit] - adjusted.get(unit, 0) for unit, total in self.last.totals.items()}]
        before += [hand.totals for hand in self.score.hands[:-1]]
        return any(total >= self.win.target for totals in before for total in totals.values())

    def _made_bid(self) -> str:
        bid, target = self.narrator.bid(self.last.bid), self.scores.end
        if self.table.teams:
            rule = f"From {target} on, only a team that makes its own bid can win."
        elif self.table.changing_sides:
            rule = f"From {target} on, only the side that makes its bid can win."
        else:
            rule = f"From {target} on, only a player who makes a bid can win."
        if self.table.unit_of[self.last.bidder or 0] in self.winners:
            return f"{self.who} bid {bid} in hand {self.number}, made it, and had {self.own}. {rule}"
        return f"{self.who} was on the side that made {bid} in hand {self.number}, and had {self.own}. {rule}"

    def _bidder(self) -> str:
        team = "bidding team wins" if self.table.teams else "bidder wins"
        when = f"When {self._crowd()}, the {team}"
        return f"{when}: {self.who} had the bid in hand {self.number} and finished with {self.own}."

    def _crowd(self) -> str:
        """Several who may win in the same hand."""
        if self.win.eligible == "made-bid":
            return f"several players on the side that made its bid reach {self.scores.end}"
        return f"{_several(self.narrator)} reach {self.scores.end}"

    def _highest(self) -> str:
        before = self.win.both[: self.win.both.index("highest")]
        unless = " and the bidder does not" if "bidder" in before else ""
        return f"When {self._crowd()}{unless}, the {self.scores.best} score wins: {self._had()}."

    def _share(self) -> str:
        if "highest" in self.win.both[: self.win.both.index("share")]:
            several = f"the {self.scores.best} scores of {self.scores.end_or_better}"
            return f"When {several} tie, they win together: {self._had()}."
        return f"When {self._crowd()}, they win together: {self._had()}."

    def _had(self) -> str:
        """Ann and Bo had 12 after hand 7; each with their own where they differ."""
        totals = [self.score.totals[unit] for unit in self.winners]
        if len(set(totals)) == 1:
            return f"{self.who} had {self.own} after hand {self.number}"
        said = map(self.scores.score, totals)
        each = [f"{self.narrator.unit(unit)} had {own}" for unit, own in zip(self.winners, said, strict=True)]
        return f"{listed(each)} after hand {self.number}"

    def _early(self) -> str:
        early = self.win.early
        if early is None:
            return ""
        most = figure(early.others_at_most)
        by_bid = " by a made bid" if early.eligible == "made-bid" else ""
        return f"{self.who} won early{by_bid}: {self.own} in hand {self.number}, with everyone else at {most} or less."

    def _count_out(self) -> str:
        return f"When {self._crowd()}, the points are counted one by one: {self.who} got there first, with {self.own}."

    def _special(self) -> str:
        return f"{self.who} made {self.narrator.bid(self.last.bid)} in hand {self.number}, which wins the game."

    def _special_lost(self) -> str:
        bidder = self.narrator.seat(self.last.bidder or 0)
        bid = self.narrator.bid(self.last.bid)
        return f"{bidder} bid {bid} in hand {self.number} and was set, which loses the game. {self.who} won."

    def _all_points(self) -> str:
        return f"{self.who} took every point of hand {self.number}, which wins the game."

    def _hands(self) -> str:
        return f"Hand {self.number} was the last, and the {self.scores.best} score wins: {self._had()}."

    def _lost(self) -> str:
        lost_at = figure(self.win.lost_at or 0)
        return f"A score of {lost_at} or less loses the game. {self.who} won with {self.own} after hand {self.number}."

    def _sets(self) -> str:
        return self._set_too_often(times(self.win.lost_sets or 0))

    def _sets_in_a_row(self) -> str:
        return self._set_too_often(f"{times(self.win.lost_in_a_row or 0)} in a row")

    def _set_too_often(self, often: str) -> str:
        return f"Being set {often} loses the game. {self.who} won with {self.own} after hand {self.number}."


FROM_PAPER = "Scored on paper: there is only a final score."
FORFEITED = "The game was not played."
NO_HAND = "No hands yet."
NO_CHANCES = "This game is too long to work out the chances to win."
OTHER_ENDS = "Under these rules a game can end in more ways than by its score, so there are no chances to win."


def result(win: str, lead: int, hands: int) -> str:
    """Who won: `win` is "Ann and Cy win, 14 to 8", `lead` their points ahead of all others (0: say nothing of it)."""
    by = f", by {counted(lead, 'point')}" if lead else ""
    took = f", in {counted(hands, 'hand')}" if hands else ""
    return f"{win}{by}{took}."


def abandoned(hands: int, totals: str) -> str:
    return f"The game was abandoned after {counted(hands, 'hand')}: {totals}"


def nobody_leads(hands: int, totals: str) -> str:
    return f"After {counted(hands, 'hand')} nobody leads: {totals}"


def leads(hands: int, leader: str, players: int, totals: str, chance: float | None) -> str:
    """Who leads, and their chance to win, if it is known; `players` is how many the leader is."""
    after = f"After {counted(hands, 'hand')} {leader}"
    if chance is None:
        return f"{after} leads: {totals}" if players == 1 else f"{after} lead: {totals}"
    if players == 1:
        return f"{after} leads: {totals} The chance to win is {percent(chance)}."
    return f"{after} lead: {totals} Their chance to win is {percent(chance)}."


def lead_changed(often: int) -> str:
    return f"The lead changed {times(often)}."


def furthest_behind(winner: str, players: int, points: int, hand: int, chance: float | None) -> str:
    """Where the winner was furthest behind, after `hand` (0: before the first); never, with points of 0 or less."""
    was = "was" if players == 1 else "were"
    if points <= 0:
        return f"{winner} {was} never behind."
    when = f"after hand {hand}" if hand else "before the first hand"
    by = counted(points, "point")
    if chance is None:
        return f"{winner} {was} furthest behind {when}: by {by}."
    return f"{winner} {was} furthest behind {when}: by {by}, with {_a_chance(chance)} to win."


def _a_chance(chance: float) -> str:
    """A 13% chance; an 8% chance, an 11% chance."""
    said = percent(chance)
    return f"{'an' if said[0] == '8' or said in ('11%', '18%') else 'a'} {said} chance"


def happened(call: str, changes: Sequence[str], *, is_set: bool) -> str:
    """What happened in a hand: `call` is "Ann’s team bid 2, took 4", or that all passed; then the penalties."""
    return "; ".join([f"{call}, set" if is_set else call, *changes])


def turning_point(hand: int, happened: str, whose: str, before: float, after: float) -> str:
    """The hand after which the winner was ahead for good, and what happened in it."""
    rose = f"{whose}’s chance to win rose from {percent(before)} to {percent(after)}"
    return f"{ended(f'The turning point was hand {hand}: {happened}')} {rose}."


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


def chances_from_the_club(own: int, off: int) -> str:
    """The chances were made with so many hands of the club, and may be off by so many points."""
    return (
        f"The chances are made with {counted(own, 'hand')} that your club played at tables like this one before this "
        f"game, and a few that the computer played. They may be off by up to {counted(off, 'point')}."
    )


def chances_from_the_computer(off: int, *, exact: bool) -> str:
    rules, points = "" if exact else " under nearly the same rules", counted(off, "point")
    return (
        f"The chances come from hands that the computer played{rules}, because your club had played too few at tables "
        f"like this one before this game. If your club plays differently, they may be off by up to {points}."
    )


def score_lines(narrator: Narrator, score: GameScore) -> list[tuple[str, str, str]]:
    """Each unit with its players' full names and its total, the winners first and then by score."""
    best = by_score(score.totals, score.winners).items()
    return [(unit, full_names(narrator, unit), narrator.scores.score(total)) for unit, total in best]


def full_names(narrator: Narrator, unit: str) -> str:
    return listed([narrator.names[seat - 1] for seat in narrator.table.seats_of(unit)])


def footer(rules: str, score: GameScore, day: str) -> str:
    """What was played, how long, and when."""
    hands = f", {counted(len(score.hands), 'hand')}" if score.hands else ""
    return f"{rules}{hands}, {day}"


def message(narrator: Narrator, score: GameScore, foot: str) -> str:
    """The message, line by line: every name and every score once."""
    won = "won by forfeit" if score.outcome and score.outcome.reason == FORFEIT else "won"
    why = why_won(score.outcome, score.totals) if score.outcome and won == "won" else ""
    heads = {unit: " ".join(filter(None, (full_names(narrator, unit), won, why))) for unit in score.winners}
    scores = [f"{heads.get(unit, names)}: {total}" for unit, names, total in score_lines(narrator, score)]
    return "\n".join([*scores, "", foot])


DID = {
    RECORD: "saved hand {}",
    CORRECT: "corrected hand {}",
    REMOVE: "removed hand {}",
    SUBSTITUTE: "substituted a player",
    UNDO: "undid a change of hand {}",
    REDO: "redid a change of hand {}",
}
MOST_TOLD = 3
MOST_LETTERS = 14  # of a first name beside the heading of a small phone
SOMEBODY, ANOTHER = "Somebody", "Another phone"
SCORE_SHEET = "Score sheet"
REMOVED_BEFORE = "A hand was removed."


def news(entries: Sequence[Logged], score: str) -> str:
    """What was changed, and the score since: "Bo saved hand 7. 12 to 9." Empty where nothing was."""
    told = [f"{entry.by or SOMEBODY} {DID[entry.kind].format(entry.position)}." for entry in entries[-MOST_TOLD:]]
    return " ".join([*told, f"{score}."]) if told else ""


def entering(others: Sequence[Scorer], length: int) -> str:
    """Who is entering or correcting a hand on another phone: "Bo is entering hand 7." Empty where nobody is."""
    return " ".join(_busy(one, length, "") for one in others)


def entering_too(others: Sequence[Scorer], length: int) -> str:
    """The same, for somebody who has that hand open."""
    return " ".join(_busy(one, length, "also ") for one in others)


def _busy(scorer: Scorer, length: int, also: str) -> str:
    return f"{_phone_of(scorer.by)} is {also}{_doing(scorer, length)}."


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


def saved_already(position: int, by: str | None) -> str:
    """For who has a hand open that somebody else has saved."""
    return f"{_phone_of(by)} saved hand {position}."


def dealt(dealer: str, goal: str) -> str:
    """Bo deals · first to 11: `goal` is "first to 11"."""
    return f"{dealer} deals · {goal}"


def enter_hand(position: int) -> str:
    return f"Enter hand {position}"


def corrected_already(position: int, by: str | None) -> str:
    return f"{_phone_of(by)} changed hand {position}. Save shows both."


def score_said(totals: Sequence[str]) -> str:
    """12 to 9; of three and more: 12, 9 and 4."""
    return " to ".join(totals) if len(totals) == 2 else listed(totals)


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
NOTHING_TO_UNDO, NOTHING_TO_REDO = "Nothing to undo.", "Nothing to redo."
BEFORE, AFTER = "before", "after"


def on_phone(by: str | None, label: str | None = None) -> str:
    """Whose phone made a change, if it was said; else the label of its link, for who may know that."""
    if by:
        return f"{by}’s phone"
    return f"A phone with “{label}”" if label else "A phone"


def done(change: Change, *, noted: bool) -> str:
    """What was done to a hand, as the history begins its line; just the hand where only its note was changed."""
    sentence = "hand {}" if noted else DONE[change.kind, effect(change)]
    return sentence.format(change.position)


def noted(position: int, what: str) -> str:
    return f"Hand {position}: {what}."


def not_played(said: str, dealer: str, *, again: bool) -> str:
    """Who deals after a hand that everybody passed, or that was not played."""
    return f"{said}. {dealer} deals {'again' if again else 'next'}."


def not_undone(meanwhile: str) -> str:
    return f"Another phone changed the game first, so nothing was undone. {meanwhile}"


def hand_named(change: Logged) -> str:
    """A change of a hand as undo and redo name it: "hand 7 by Ann"."""
    return f"{DOING[change.kind]}hand {change.position}{_by(change)}"


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


def hand_saved(position: int) -> str:
    return f"Hand {position} saved."


def change_said(change: Change) -> str:
    """What a change did to a hand, for the person who made it."""
    done = effect(change)
    if done == RECORD:
        return f"Hand {change.position} restored." if change.undoes else hand_saved(change.position)
    if done == REMOVE:
        return f"Hand {change.position} {'undone' if change.kind == UNDO else 'removed'}."
    return f"Hand {change.position} is back as it was." if change.kind == UNDO else f"Hand {change.position} corrected."

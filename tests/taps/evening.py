"""A game tapped in from the first hand to the last, with corrections, undo, redo and substitutes.

Pages are compared with the known hands and the reference scorer: each preview, each total, the winners, and the
exported record at the end. The program's database is never read.
"""

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from scorekeeper.scoring.rules import RuleSet
from tests.scoring import reference

from .hands import MISDEAL, NOT_PLAYED, PASSED, PLAYED, Known, some_hand
from .person import CARDS, PLAY, POINTS, Form, Person, Stuck, Tap, Way
from .screen import Node, Screen, is_shown

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
SUBSTITUTES = ("Hal", "Ida", "Jo", "Kit", "Lou", "Max")
NUMBER = re.compile(r"(?<![A-Za-z])[+-]?\d+")
NOT_OF_HAND = re.compile(r"\S+( and \S+)* wins? .*| after hand \d+")
MOST_HANDS = 40


@dataclass(frozen=True)
class Entered:
    """A hand as it was entered: the known hand, the way of entry, and the players by seat."""

    known: Known
    way: Way
    names: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """The state of the game: its hands, and the players of the next one."""

    hands: tuple[Entered, ...]
    names: tuple[str, ...]


class Evening:
    """A game at one table, played through a screen."""

    def __init__(
        self, screen: Screen, rng: Random, table: tuple[RuleSet, int, int], address: str, record: Callable[[], Any]
    ) -> None:
        self.screen, self.rng = screen, rng
        rules, self.players, self.teams = table
        self.rules, players = rules.to_dict(), self.players
        self.address = address  # address of the score sheet
        self.record = record
        names = NAMES[:players]
        self.person = Person(screen, rng, list(names))
        self.done = [State((), names)]  # states that can be undone to
        self.undone: list[State] = []
        self.is_begun = False  # True if controls of the next hand have been tapped
        self.count = self.person.count
        self.units = list("ABCDEF"[: self.teams]) if self.teams else [str(seat) for seat in range(1, players + 1)]

    @property
    def state(self) -> State:
        return self.done[-1]

    def _changed(self, state: State) -> None:
        self.done.append(state)
        self.undone.clear()

    # --- the reference scores ---

    def score(self, hands: Sequence[Entered]) -> tuple[list[dict[str, int]], list[str]]:
        """The totals after each hand that counts, and the winners, by the reference scorer."""
        verdicts = [entered.known.verdict for entered in hands]
        bidders = [
            reference.unit_of(known.bidder, self.teams) if (known := entered.known).bidder else None
            for entered in hands
        ]
        start = dict.fromkeys(self.units, 0)
        return reference.referee(self.rules, start, verdicts, bidders)[:2]

    def totals(self, hands: Sequence[Entered]) -> dict[str, int]:
        history, _ = self.score(hands)
        return history[-1] if history else dict.fromkeys(self.units, 0)

    def is_over(self) -> bool:
        return bool(self.score(self.state.hands)[1])

    @property
    def dealer(self) -> int:
        """The seat of the next dealer."""
        if not self.state.hands:
            return self.players
        last = self.state.hands[-1].known
        again = self.rules["auction"]["all_pass"] == "redeal" and last.kind in (PASSED, NOT_PLAYED)
        return last.dealer if again else last.dealer % self.players + 1

    # --- figures as shown ---

    def _score(self, score: int) -> int:
        return self.rules["win"]["target"] - score if self.rules["win"]["counted"] == "down" else score

    def _change(self, change: int) -> int:
        return -change if self.rules["win"]["counted"] == "down" else change

    def figures(
        self, known: Known, before: dict[str, int], after: dict[str, int], winners: Sequence[str] | None
    ) -> list[int]:
        """The numbers of the hand in the sentence beside Save, in order.

        With winners, the hand ends the game; with None, its scores are not told.
        """
        change = {unit: after[unit] - before[unit] for unit in self.units}
        events = known.verdict.get("events", {}) if known.kind == PLAYED else {}
        if known.kind != PLAYED:
            cost = [self._change(points) for points in change.values() if points]
            return [*cost, *self._after(after, self.units, winners)]
        sold, who = known.verdict["sold"], known.verdict["who"]
        result = {u: self._change(change[u] - sold.get(u, 0) - events.get(u, 0)) for u in self.units}
        before_play = [events[unit] for unit in self.units if unit in events]
        extra = [self._change(points) for points in (*sold.values(), *before_play)]
        if not known.has_bidding:
            return [*result.values(), *extra, *self._after(after, self.units, winners)]
        mine = [unit for unit in self.units if who[unit] == known.verdict["bidding_side"]]
        free = reference.free_bid(self.rules) == known.bid
        bid = [] if known.special or free else [known.bid]
        own = result[reference.unit_of(known.bidder, self.teams)]
        others = [result[u] for u in self.units if u not in mine and result[u]]
        if "defending" in who.values():
            others = others[:1]  # the same for each defender
        taken = known.verdict["earned"][known.verdict["bidding_side"]]
        return [*bid, taken, own, *extra, *others, *self._after(after, mine, winners)]

    def _after(self, after: dict[str, int], units: Sequence[str], winners: Sequence[str] | None) -> list[int]:
        if winners is None:
            return []
        if winners and len(self.units) <= 3:  # the winners' scores come first
            best_first = sorted(self.units, key=lambda unit: (unit not in winners, -after[unit]))
            return [self._score(after[unit]) for unit in best_first]
        if winners:  # and whoever has as much as one of them
            least = min(after[unit] for unit in winners)
            return [self._score(after[unit]) for unit in self.units if unit in winners or after[unit] >= least]
        if len(self.units) == 2:  # the leader comes first; a tie is shown as one number
            return [self._score(score) for score in sorted(set(after.values()), reverse=True)]
        return [self._score(after[unit]) for unit in (self.units if len(self.units) <= 3 else units)]

    def check_preview(self, entered: Entered, place: int) -> None:
        """Compare the sentence beside Save with the reference scorer."""
        hands = [*self.state.hands[:place], entered, *self.state.hands[place + 1 :]]
        history, winners = self.score(hands)
        says = Form(self.screen.page).says.replace("−", "-")
        if place >= len(history):
            return
        before = history[place - 1] if place else dict.fromkeys(self.units, 0)
        of_hand, _, now = says.partition(" Now: ")
        figures = [int(text) for text in NUMBER.findall(NOT_OF_HAND.sub("", of_hand))]
        earlier, old = self.score(self.state.hands)
        won: Sequence[str] | None = winners if place == len(history) - 1 and not old else ()
        if not won and place < len(self.state.hands) - 1 and history[-1] != earlier[-1]:
            won = None  # a correction tells the current scores instead
        assert figures == self.figures(entered.known, before, history[place], won), self._trouble(entered, says)
        if entered.known.kind == PLAYED and entered.known.has_bidding:
            assert ("set," in says) == (not entered.known.verdict["made"]), self._trouble(entered, says)
        if now:
            ends = [[self._score(then[-1][unit]) for then in (history, earlier)] for unit in self.units]
            totals = [score for new, was in ends if new != was for score in (new, was)]
            assert [int(text) for text in NUMBER.findall(now)] == totals, self._trouble(entered, says)
        if place == len(self.state.hands):
            assert says.endswith("!") == bool(winners), self._trouble(entered, says)
        elif winners != old:
            assert ("win" in says) or ("won" in says), self._trouble(entered, says)
        self.count["previews compared"] += 1

    def _trouble(self, entered: Entered, says: str) -> dict[str, Any]:
        return {
            "rules": (self.rules["id"], self.players, self.teams),
            "way": entered.way,
            "taps": " ".join(self.person.log),
            "says": says,
            "wrongs": Form(self.screen.page).wrongs,
            "known": entered.known.facts(),
            "verdict": {k: v for k, v in entered.known.verdict.items() if k not in ("taken_by", "dealt_to")},
        }

    # --- the course of the game ---

    def play(self, hands: int = MOST_HANDS) -> None:
        """Play the whole game, or at most `hands` hands, with random interruptions."""
        self.screen.open(f"{self.address}hands/new")
        for _ in range(hands):
            if not self.is_over():
                self.next_hand()
            self.meddle()
            if self.is_over() and self.rng.random() < 0.5:
                break
        self.check_record()

    def meddle(self) -> None:
        """Randomly do something other than entering the next hand."""
        for what, how_often in (
            (self.step_back, 0.15),
            (self.open_untouched, 0.12),
            (self.correct, 0.12),
            (self.substitute, 0.04),
            (self.look_away, 0.05),
        ):
            if self.rng.random() < how_often:
                what()
                self.check_totals()

    def some_way(self, known: Known) -> Way:
        detail = self.rng.choices((POINTS, CARDS, PLAY), (6, 3, 1.5))[0]
        coin = lambda: self.rng.random() < 0.5  # noqa: E731
        counts = detail != PLAY and coin() and any(point["card"] == "game" for point in self.rules["points"])
        by_seat = known.has_bidding and self.rng.random() < 0.35
        return Way(detail, by_seat, counts, buried=coin(), patient=coin(), says_tie=coin())

    def next_hand(self) -> None:
        place, dealer = len(self.state.hands), self.dealer
        form = Form(self.screen.page)
        if not self.is_begun:
            assert form.chosen("dealer") == str(dealer), (form.chosen("dealer"), dealer, self.state.hands[-1:])
        if self.rng.random() < 0.03:
            dealer = self.rng.randint(1, self.players)
        known = some_hand(self.rng, self.rules, self.players, self.teams, dealer)
        entered = self.tell(known, place)
        self.count["hands"] += 1
        self.is_begun = False
        self._changed(State((*self.state.hands, entered), self.state.names))
        self.check_totals()

    def tell(self, known: Known, place: int) -> Entered:
        """Enter a hand on the open page, check its preview, and save it."""
        self.person.log = []
        names = self.state.names if place == len(self.state.hands) else self.state.hands[place].names
        self.person.names = list(names)
        slips = 0.0 if self.rng.random() < 0.6 else 0.08
        turns = 0 if self.rng.random() < 0.7 or known.kind != PLAYED else self.rng.randint(1, 2)
        way = self.person.enter(known, self.some_way(known), slips=slips, turns=turns)
        entered = Entered(known, way, names)
        button = {MISDEAL: "misdeal", NOT_PLAYED: "passed"}.get(known.kind, "save")
        button = "passed" if known.kind == PASSED and not way.by_seat else button
        if button == "save":
            self.check_preview(entered, place)
        self.save(button, entered)
        return entered

    def save(self, button: str, entered: Entered) -> None:
        for _ in range(2):  # a second time if the page asks for confirmation first
            form = Form(self.screen.page)
            node = next(one for one in form.named("do") if one.get("value") == button)
            self.person.log.append(button)
            self.screen.tap(form.reach(node))
            self.count["taps"] += 1
            if not self._still_here():
                return
        raise Stuck(str(self._trouble(entered, Form(self.screen.page).says)))

    def _still_here(self) -> bool:
        """True if the page still shows the form of the hand to be saved."""
        form = self.screen.page.find(tag="form", id="hand")
        return form is not None and (
            Form(self.screen.page).chosen("trump") is not None or bool(Form(self.screen.page).wrongs)
        )

    def check_totals(self) -> None:
        """Check the scores at the head of the open page, whichever it is: of a correction, those before the hand."""
        correction = re.search(r"Correct hand (\d+)", self.screen.page.text())
        totals = self.totals(self.state.hands[: int(correction[1]) - 1] if correction else self.state.hands)
        head = next(self.screen.page.of_class("scores"))
        shown = [int(node.text().replace("−", "-")) for node in head.of_class("num")]
        trouble = (shown, totals, [one.known.facts() for one in self.state.hands], self.person.log)
        assert shown == [self._score(totals[unit]) for unit in self.units], trouble
        self.count["totals compared"] += 1
        history, winners = self.score(self.state.hands)
        if winner := self.screen.page.find(id="won"):
            seats = [seat for seat in range(1, self.players + 1) if reference.unit_of(seat, self.teams) in winners]
            said = set(re.findall(r"\w+", winner.text()))
            names = self.state.hands[len(history) - 1].names
            assert {names[seat - 1] for seat in seats} == said & {*NAMES, *SUBSTITUTES}, (winner.text(), winners, names)
            self.count["winners compared"] += 1

    # --- corrections, undo, redo ---

    def to_sheet(self) -> None:
        self.screen.open(self.address)

    def on(self) -> None:
        """Open the page of the next hand unless the game is over."""
        if not self.is_over():
            self.screen.open(f"{self.address}hands/new")

    def _counting(self) -> int:
        return len(self.score(self.state.hands)[0])

    def _open_hand(self, place: int) -> None:
        self.to_sheet()
        link = self.screen.page.find(tag="a", **{"aria-label": f"Correct hand {place + 1}"})
        self.screen.tap(link)

    def open_untouched(self) -> None:
        """Open a saved hand and save it unchanged."""
        if not self.state.hands:
            return
        place = self.rng.randrange(self._counting())
        before = self.record()["hands"]
        self._open_hand(place)
        entered = self.state.hands[place]
        self.person.log = [f"hand {place + 1} opened"]
        if entered.known.kind == PLAYED:
            self.check_preview(entered, place)
            self.save("save", entered)
            after = self.record()["hands"]
            assert after == before, (before[place], after[place], self._trouble(entered, ""))  # and no change to undo
            self.count["opened and saved untouched"] += 1
        self.on()

    def correct(self) -> None:
        """Correct a saved hand, or enter the same hand in another way."""
        if not self.state.hands:
            return
        place = self.rng.randrange(self._counting())
        old = self.state.hands[place]
        if old.known.kind != PLAYED:
            return
        known = old.known
        if self.rng.random() < 0.7:
            known = some_hand(self.rng, self.rules, self.players, self.teams, old.known.dealer)
            if known.kind != PLAYED:
                return
        before = self.record()["hands"]
        self._open_hand(place)
        self.person.log = []
        self.person.names = list(old.names)
        way = self.person.enter(known, self.some_way(known), slips=self.rng.choice((0, 0.05)))
        entered = Entered(known, way, old.names)
        self.check_preview(entered, place)
        self.save("save", entered)
        hands = (*self.state.hands[:place], entered, *self.state.hands[place + 1 :])
        if self.record()["hands"] != before:  # else the hand is unchanged: nothing to undo
            self._changed(replace(self.state, hands=hands))
        self.count["corrections"] += 1
        self.check_totals()
        self.on()

    def step_back(self) -> None:
        """Undo one or more changes, and perhaps redo them."""
        for _ in range(self.rng.randint(1, 3)):
            if len(self.done) > 1:
                self._step("Undo")
                self.undone.append(self.done.pop())
                self.count["undo steps"] += 1
                self.check_totals()
        while self.undone and self.rng.random() < 0.7:
            self._step("Redo")
            self.done.append(self.undone.pop())
            self.count["redo steps"] += 1
            self.check_totals()
        self.on()

    def _step(self, name: str) -> None:
        """Tap Undo or Redo on the open page if it has the button, else on the score sheet."""
        button = self._button(name)
        if button is None:
            self.to_sheet()
            button = self._button(name)
        self.screen.tap(button)
        self.count["taps"] += 1

    def _button(self, name: str) -> Node | None:
        buttons = self.screen.page.each(tag="button")
        return next((one for one in buttons if one.text().startswith(name) and is_shown(one)), None)

    def substitute(self) -> None:
        """Replace a random player by a substitute."""
        if self.is_over():
            return
        seat = self.rng.randint(1, self.players)
        gone = {*itertools.chain(self.state.names, *(one.names for one in self.state.hands))}
        name = next((one for one in SUBSTITUTES if one not in gone), None)
        if name is None:
            return
        self.to_sheet()
        block = self._block()
        self.screen.tap(next(child for child in block.children if child.tag == "summary"))
        self._tap_in_block("seat", str(seat))
        self._tap_in_block("who", "", name)
        self.screen.tap(next(node for node in self._block().each(tag="button") if node.text() == "Substitute"))
        names = list(self.state.names)
        names[seat - 1] = name
        self._changed(replace(self.state, names=tuple(names)))
        self.count["substitutes"] += 1
        self.on()

    def _block(self) -> Node:
        return self.screen.page.find(tag="details", id="substitute")

    def _tap_in_block(self, name: str, value: str, text: str = "") -> None:
        inputs = self._block().each(tag="input", name=name)
        self.screen.tap(next(one for one in inputs if text or one.get("value") == value), text)

    def look_away(self) -> None:
        """Begin a hand, leave the page, and return to it; perhaps clear it."""
        if self.is_over():
            return
        self.on()
        self.is_begun = True
        self.person.log = []
        for _ in range(self.rng.randint(1, 4)):
            if taps := Form(self.screen.page).random_taps():
                self.person.do(Tap(self.rng.choice(taps)))
        left = self._entered()
        self.to_sheet()
        self.on()
        assert self._entered() == left, (self.person.log, left, self._entered())
        self.count["left and resumed"] += 1

    def _entered(self) -> dict[str, Any]:
        form = Form(self.screen.page)
        return {name: form.checked(name) for name in form.inputs if name not in ("unfold", "pile", "warned")}

    # --- the record ---

    def check_record(self) -> None:
        """Compare the exported record with the known hands."""
        record = self.record()
        hands = [*record["hands"], *record.get("x-after-the-end", [])]
        assert len(hands) == len(self.state.hands), (len(hands), len(self.state.hands))
        names = tuple(record["names"])
        for told, entered in zip(hands, self.state.hands, strict=True):
            names = tuple(told.get("names", {}).get(str(seat), name) for seat, name in enumerate(names, 1))
            assert names == entered.names, (names, entered.names)
            wrong = differences(told, entered)
            assert not wrong, (wrong, told, entered.known.facts(), entered.way, entered.known.verdict)
            self.count["recorded hands compared"] += 1


def differences(told: dict[str, Any], entered: Entered) -> list[str]:
    """Names of the fields in which a recorded hand differs from the known one."""
    known, way = entered.known, entered.way
    wrong = [] if told["dealer"] == known.dealer else ["dealer"]
    wrong += [] if told.get("note", "") == known.note else ["note"]
    wrong += [] if told.get("gift", False) == (known.gift and known.kind != MISDEAL) else ["gift"]
    turned = [] if known.turned in ([], ["x"]) or known.kind == MISDEAL else known.turned
    wrong += [] if told.get("turned_up", []) == turned else ["turned_up"]
    if known.kind == MISDEAL:
        return wrong + ([] if told.get("misdeal") is True else ["misdeal"])
    if known.kind != PLAYED:
        return wrong + ["trump" for _ in range("trump" in told)]
    wrong += _call_differs(told, known, way)
    if known.sees_buried and way.detail != CARDS:
        wrong += [] if set(told.get("buried", [])) == (set(known.buried) if way.buried else set()) else ["buried"]
    elif set(told.get("buried", [])) - set(known.buried):
        wrong.append("buried")
    if known.needs_sweep and "tricks" not in told:
        side = known.verdict["bidding_side"]
        wrong += [] if (told.get("sweep") == side) == (known.swept == side) else ["sweep"]
    return wrong + {POINTS: _claims_differ, CARDS: _piles_differ, PLAY: _tricks_differ}[way.detail](told, entered)


def _call_differs(told: dict[str, Any], known: Known, way: Way) -> list[str]:
    wrong = [] if told["trump"] == known.hand.trump else ["trump"]
    if known.has_bidding and way.by_seat:
        said = [None if call["bid"] == "pass" else call["bid"] for call in told["bids"]]
        names = {special["name"]: special["bid"] for special in known.rules["auction"]["specials"]}
        said = [names.get(bid, bid) for bid in said]
        meant = [bid for _, bid in known.calls]
        longest = max(len(said), len(meant))  # a player who could only pass may or may not have been asked
        wrong += [] if [*said, *[None] * longest][:longest] == [*meant, *[None] * longest][:longest] else ["bids"]
    elif known.has_bidding:
        wrong += [] if (told["bidder"], str(told["bid"])) == (known.bidder, known.bid_said) else ["bidder"]
    if known.hand.called is not None:
        wrong += [] if told["called"] == known.hand.called else ["called"]
        wrong += [] if told.get("partner", known.hand.partner) == known.hand.partner else ["partner"]
    return wrong


def _claims_differ(told: dict[str, Any], entered: Entered) -> list[str]:
    known, wrong, claims = entered.known, [], told["claims"]
    for point in known.rules["points"]:
        key, side = point["key"], known.verdict["points"][point["key"]][0]
        if point["card"] == "game" and "game_counts" in told:
            continue
        tied = point["card"] == "game" and entered.way.says_tie and known.is_tied()
        if claims.get(key) != side and not (tied and claims.get(key) is None):
            wrong.append(key)
    counts = told.get("game_counts", {})
    if bool(counts) != entered.way.counts or any(known.verdict["counts"][side] != n for side, n in counts.items()):
        wrong.append("counts")
    return wrong + _players_differ(told, known)


def _players_differ(told: dict[str, Any], known: Known) -> list[str]:
    """Differences in the players recorded for the cards of points."""
    players = dict(told.get("played_by", {}))
    cards = {key: known.card_of(key) for key in players}
    return [f"by {key}" for key, card in cards.items() if card and known.verdict["dealt_to"][card] != players[key]]


def _piles_differ(told: dict[str, Any], entered: Entered) -> list[str]:
    known, where = entered.known, entered.known.verdict["taken_by"]
    wrong = [card for side, cards in told["piles"].items() for card in cards if where.get(card) != side]
    return wrong + _players_differ(told, known)


def _tricks_differ(told: dict[str, Any], entered: Entered) -> list[str]:
    meant = [(trick[0][0], [card for _, card in trick]) for trick in entered.known.hand.tricks]
    return [] if [(trick["lead"], trick["cards"]) for trick in told["tricks"]] == meant else ["tricks"]

"""A person who enters a known hand: taps each control that does not yet match the hand, then saves.

Only controls that the page shows are used. Raises `CannotSay` if the way of entry cannot express the hand.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from .hands import MISDEAL, NOBODY, NOT_PLAYED, PASSED, Known
from .screen import TAPPED, Node, Screen, is_folded, is_shown

POINTS, CARDS, PLAY = "points", "cards", "play"
MOST_TAPS = 400  # per hand
SAVES = {"save", "passed", "misdeal", "clear", "preview"}


class CannotSay(Exception):
    """Raised if this way of entry cannot express the hand."""


class Stuck(AssertionError):
    """Raised if taps do not bring the page to the known hand."""


@dataclass(frozen=True)
class Way:
    """A way of entering a hand: the form of entry and a person's habits."""

    detail: str
    by_seat: bool = False
    counts: bool = False
    buried: bool = True
    patient: bool = False  # puts every card in its pile, even if the page needs no more
    says_tie: bool = False
    careful: bool = False  # checks every card before saving: a folded section may hold one in a wrong pile


@dataclass(frozen=True)
class Tap:
    """A tap on an element, and the text typed there."""

    node: Node
    text: str = ""

    @property
    def said(self) -> str:
        told = self.node.told
        name = told.get("name") or told.get("id") or self.node.tag
        return f"{name}={self.text or told.get('value', '')}"


def name_kind(node: Node) -> str:
    """The kind of a control, for counting ignored taps."""
    name = node.get("name") or node.tag
    return name.partition("-")[0]


class Form:
    """The form of a hand on a page: its shown values and its controls."""

    def __init__(self, page: Node) -> None:
        self.page = page
        form = page.find(tag="form", id="hand")
        if form is None:
            raise Stuck(f"no form: {page.text()[:300]}")
        self.form = form
        self.inputs: dict[str, list[Node]] = {}
        for node in form.all():
            if node.tag in ("input", "button") and node.get("name"):
                self.inputs.setdefault(node.get("name"), []).append(node)

    def named(self, name: str) -> list[Node]:
        return [node for node in self.inputs.get(name, ()) if node.get("type") != "hidden"]

    def has(self, name: str) -> bool:
        return bool(self.named(name))

    def chosen(self, name: str) -> str | None:
        """The value that was tapped."""
        return next((node.get("value") for node in self.named(name) if "checked" in node.told), None)

    def shown(self, name: str) -> str | None:
        """The value shown as chosen: the tapped one, else the default."""
        usual = (node.get("value") for node in self.named(name) if node.parent and "usual" in node.parent.css)
        chosen = self.chosen(name)
        return next(usual, None) if chosen is None else chosen

    def checked(self, name: str) -> set[str]:
        return {node.get("value") for node in self.named(name) if "checked" in node.told}

    def hidden(self, name: str) -> str:
        return next((node.get("value") for node in self.inputs.get(name, ()) if node.get("type") == "hidden"), "")

    def tap(self, name: str, value: str) -> Tap:
        """The tap that chooses a value; if the control is folded away, the tap that unfolds it."""
        found = next((node for node in self.named(name) if node.get("value") == value), None)
        if found is None:
            raise CannotSay(f"{name}={value}")
        return Tap(self.reach(found))

    def reach(self, node: Node) -> Node:
        """The control itself if it can be tapped, else the one that unfolds its section."""
        if is_shown(node):
            return node
        for outer in node.above():
            if outer.tag == "details" and "open" not in outer.told:
                return next(child for child in outer.children if child.tag == "summary")
            if is_folded(outer):
                return next(fold for child in outer.children if "fold" in child.css for fold in child.each(tag="input"))
        raise CannotSay(f"{node.get('name')}={node.get('value')} cannot be tapped")

    @property
    def says(self) -> str:
        told = self.form.find(id="says")
        return told.text() if told else ""

    @property
    def wrongs(self) -> list[str]:
        return [node.text() for node in self.form.of_class("wrong")]

    @property
    def reasons(self) -> list[str]:
        """The errors shown on the page, or the reason why a tap had no effect."""
        notices = self.form.find(id="warnings")
        return [*self.wrongs, *([notices.text()] if notices and notices.text() else [])]

    def random_taps(self) -> list[Node]:
        """All controls that neither save the hand nor leave the page."""
        return [
            node
            for node in self.form.all()
            if node.tag in TAPPED and is_shown(node)
            and not (node.get("type") == "radio" and "checked" in node.told)
            and not (node.get("name") == "do" and node.get("value") in SAVES)
            and not node.get("form") and node.tag in ("input", "button") and node.get("type") not in ("text", "button")
        ]  # fmt: skip


class Person:
    """Enters one hand at a time; `count` counts events, `log` has the taps of the current hand."""

    def __init__(self, screen: Screen, rng: Random, names: list[str]) -> None:
        self.screen = screen
        self.rng = rng
        self.names = names
        self.count: Counter[str] = Counter()
        self.ignored: Counter[str] = Counter()
        self.examples: dict[str, str] = {}
        self.log: list[str] = []
        self._form: Form | None = None
        self._looks = -1
        self._in_vain = 0

    # --- tapping ---

    def form(self) -> Form:
        """The form as now shown, parsed once per page."""
        if self._looks != self.screen.looks or self._form is None:
            self._form, self._looks = Form(self.screen.page), self.screen.looks
        return self._form

    def do(self, tap: Tap) -> None:
        """Tap once; count an ignored tap. Raises Stuck after four in a row ignored without a reason shown."""
        before, node = self.screen.form, tap.node
        self.log.append(tap.said)
        self.screen.tap(node, tap.text)
        self.count["taps"] += 1
        if node.tag == "summary":
            return
        after, taken = self.form(), True
        if self.screen.form == before:
            taken = self._ignored(tap, after, "nothing changes")
        elif node.get("type") == "radio" and not after.reasons:
            same = [one for one in after.named(node.get("name")) if one.get("value") == node.get("value")]
            chosen = any("checked" in one.told for one in same)  # nobody has the same value as a bidder alone
            if same and not chosen and "at" not in (same[0].parent or same[0]).css:
                taken = self._ignored(tap, after, "something else is chosen")
        self._in_vain = 0 if taken else self._in_vain + 1
        if self._in_vain > 3:
            raise Stuck(f"ignored again and again: {self.log[-30:]} {after.says} {after.wrongs}")

    def _ignored(self, tap: Tap, after: Form, why: str) -> bool:
        said = " (told why)" if after.reasons else ""
        kind = f"{name_kind(tap.node)}: {why}{said}"
        self.ignored[kind] += 1
        self.examples.setdefault(kind, f"{' '.join(self.log[-12:])} | {after.says} | {after.reasons}")
        return bool(after.reasons)

    # --- a hand ---

    def enter(self, known: Known, way: Way, *, slips: float = 0.0, turns: int = 0) -> Way:
        """Tap until the page shows the known hand; return the way of entry used at the end."""
        left = [self.rng.randint(1, 25) for _ in range(turns)]
        careful = bool(slips or turns or self.form().hidden("hand_version") or self.form().chosen("rest"))
        way = replace(way, careful=careful, patient=way.patient or careful)
        for step in range(MOST_TAPS):
            if step in left:
                way = self.another_way(known, way)
                self.count["changes of way"] += 1
            if self.rng.random() < slips and (wrong := self.form().random_taps()):
                self.do(Tap(self.rng.choice(wrong)))
                self.count["wrong taps"] += 1
                continue
            try:
                tap = next(self.wishes(known, way), None)
            except CannotSay as cannot:
                if way.detail == PLAY:
                    raise Stuck(f"{cannot}: {way} {self.log[-30:]}") from cannot
                self.count[f"cannot be said by {way.detail}: {str(cannot).partition('=')[0]}"] += 1
                way = replace(way, detail=PLAY)
                continue
            if tap is None:
                return way
            self.do(tap)
        raise Stuck(f"{way} {self.log[-30:]}")

    def another_way(self, known: Known, way: Way) -> Way:
        details = [POINTS, CARDS, PLAY]
        if self.rng.random() < 0.25 and known.has_bidding:
            return replace(way, by_seat=not way.by_seat)
        return replace(way, detail=self.rng.choice([one for one in details if one != way.detail]))

    def wishes(self, known: Known, way: Way) -> Iterator[Tap]:
        """The taps for everything on the page that does not yet match the hand, in order."""
        form = self.form()
        note = form.named("note")[0]
        yield from self._choose(form, "dealer", str(known.dealer))
        if note.get("value") != known.note:
            yield Tap(form.reach(note), known.note)
        if known.kind == MISDEAL:
            return
        yield from self._before_the_play(form, known)
        if known.kind == NOT_PLAYED:
            return
        if known.has_bidding:
            yield from self._bidding(form, known, way)
        if known.kind == PASSED:
            return
        if form.chosen("detail") != way.detail:
            yield form.tap("detail", way.detail)
        yield from self._call(form, known, way)
        if known.sees_buried and way.detail != CARDS:
            meant = set(known.buried) if way.buried else set()
            for card in sorted(form.checked("buried") ^ meant):
                yield form.tap("buried", card)
        yield from {POINTS: self._points, CARDS: self._cards, PLAY: self._play}[way.detail](form, known, way)

    def _choose(self, form: Form, name: str, value: str) -> Iterator[Tap]:
        if form.shown(name) != value:
            yield form.tap(name, value)

    # --- before the play ---

    def _before_the_play(self, form: Form, known: Known) -> Iterator[Tap]:
        if form.has("beg"):
            way = "gift" if known.gift else "run" if len(known.turned) > 1 else ""
            yield from self._choose(form, "beg", way)
        for place in range(30):
            name = f"turned-{place}"
            if form.has(name):
                meant = known.turned[place] if place < len(known.turned) else "x" if place == 0 else ""
                yield from self._choose(form, name, meant)

    def _bidding(self, form: Form, known: Known, way: Way) -> Iterator[Tap]:
        if ("on" in form.checked("by_seat")) != way.by_seat:
            yield form.tap("by_seat", "on")
        if not way.by_seat and known.kind == PASSED:
            return
        if not way.by_seat:
            yield from self._choose(form, "bidder", str(known.bidder))
            yield from self._choose(form, "bid", known.bid_said)
            return
        heard = form.hidden("calls").split()
        meant = ["pass" if bid is None else str(bid) for _, bid in known.calls]
        if heard[: len(meant)] != meant[: len(heard)] or set(heard[len(meant) :]) - {"pass"}:
            yield self._button(form, "unsay")
        else:
            said = meant[len(heard)] if len(heard) < len(meant) else "pass"
            button = next(one for one in form.named("call") if one.get("value") == said)
            if said != "pass" or "disabled" not in button.told:  # the page skips players who can only pass
                yield Tap(form.reach(button))

    @staticmethod
    def _button(form: Form, name: str) -> Tap:
        return Tap(form.reach(form.named(name)[0]))

    def _call(self, form: Form, known: Known, way: Way) -> Iterator[Tap]:
        """Choose trump, and the partner who was called."""
        by_lead = way.detail == PLAY and known.rules["trump"]["by"] == "lead"
        leads_joker = known.cards[0][0] == "X"
        plays = form.hidden("plays").split()
        if not by_lead or (leads_joker and plays and plays[0] == known.cards[0]):
            yield from self._choose(form, "trump", known.hand.trump)
        if known.hand.called is not None:
            yield from self._choose(form, "called", known.hand.called)
            if form.has("partner"):
                partner = known.hand.partner
                yield from self._choose(form, "partner", "none" if partner is None else str(partner))

    # --- by points ---

    def _points(self, form: Form, known: Known, way: Way) -> Iterator[Tap]:
        typed = {name: form.named(name)[0] for name in form.inputs if name.startswith("count-") and form.has(name)}
        for name, node in typed.items():
            count = str(known.verdict["counts"][name.removeprefix("count-")]) if way.counts else ""
            if node.get("value") != count:
                yield Tap(form.reach(node), count)
        yield from self._captured(form, known)
        for point in known.rules["points"]:
            name, whose = f"point-{point['key']}", known.whose(point["key"])
            if not form.has(name):
                continue
            if point["card"] == "game" and not way.counts and way.says_tie and len(known.verdict["counts"]) == 2:
                whose = NOBODY if known.is_tied() else whose
            yield from self._choose(form, name, whose)
        yield from self._sweep(form, known)

    def _captured(self, form: Form, known: Known) -> Iterator[Tap]:
        """Choose the player who was dealt each card for which the page asks it."""
        for name in list(form.inputs):
            key = name.removeprefix("by-")
            if key != name and form.has(name) and (card := known.card_of(key)):
                yield from self._choose(form, name, known.verdict["dealt_to"][card])

    def _sweep(self, form: Form, known: Known) -> Iterator[Tap]:
        if form.has("point-sweep") and known.needs_sweep:
            side = known.verdict["bidding_side"]
            yield from self._choose(form, "point-sweep", side if known.swept == side else NOBODY)

    # --- by cards ---

    def _cards(self, form: Form, known: Known, way: Way) -> Iterator[Tap]:
        box = [node for node in form.named("unfold") if node.get("value") == "all"]
        if way.careful and box and "checked" not in box[0].told:
            yield Tap(form.reach(box[0]))
        where = known.verdict["taken_by"] | dict.fromkeys(known.buried, "buried")
        tiles = [node.get("id").removeprefix("tile-") for node in form.form.of_class("at")]
        lies = {card: form.chosen(f"at-{card}") or "" for card in tiles}
        for card in tiles:
            if lies[card] and lies[card] != where.get(card):
                yield self._onto(form, card, where.get(card) or lies[card])
        yield from self._captured(form, known)
        yield from self._sweep(form, known)
        rest = form.chosen("rest")
        if rest not in ("", None, "stock"):
            yield form.tap("rest", "")
        open_ones = [card for card in tiles if not lies[card] and card in where]
        if open_ones and (rest != "stock" or way.patient):
            if not way.patient and not self._is_missing(form):
                return
            pile = form.chosen("pile")
            here = [card for card in open_ones if where[card] == pile]
            yield self._onto(form, (here or open_ones)[0], where[(here or open_ones)[0]])
        if self._is_missing(form) and form.has("rest") and not rest and not known.sees_buried:
            yield form.tap("rest", "stock")
        if self._is_missing(form) and box and "checked" not in box[0].told:
            yield Tap(form.reach(box[0]))

    @staticmethod
    def _is_missing(form: Form) -> bool:
        return ":" not in form.says or form.says.startswith("Tap ")

    def _onto(self, form: Form, card: str, pile: str) -> Tap:
        """The next tap that moves a card to a pile; for the pile where it is, the tap that removes it."""
        if form.chosen("pile") != pile:
            return form.tap("pile", pile)
        tile = form.form.find(id=f"tile-{card}")
        return Tap(next(node for node in tile.each(tag="input") if is_shown(node)))

    # --- by play ---

    def _play(self, form: Form, known: Known, way: Way) -> Iterator[Tap]:
        steps = form.hidden("plays").split()
        right = self._right_so_far(steps, known)
        if right < len(steps):
            back = form.named("back")
            yield Tap(form.reach(next((one for one in back if one.get("id") == "go-back"), back[0])))
        says = form.form.find(id="turn-to-play")
        if says is None:
            raise Stuck("no play")
        told = len([step for step in steps if not step.startswith("-")])
        out = next((one for one in form.named("play") if one.get("id") == "no-trump"), None)
        turn = says.text()
        if told < len(known.cards):
            card = known.cards[told]
            name = self.names[known.player_of(card) - 1]
            if out is not None and f"{name} to " not in turn:
                yield Tap(form.reach(out))
            yield form.tap("play", card)
        elif out is not None:
            yield Tap(form.reach(out))

    @staticmethod
    def _right_so_far(steps: list[str], known: Known) -> int:
        """The number of leading steps of the play that match the known hand."""
        told: list[str] = []
        for number, step in enumerate(steps):
            if step.startswith("-"):
                seat = int(step[1:])
                later = known.cards[len(told) :]
                if not known.short or any(known.player_of(card) == seat for card in later):
                    return number
            elif len(told) < len(known.cards) and known.cards[len(told)] == step:
                told.append(step)
            else:
                return number
        return len(steps)

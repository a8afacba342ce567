"""What the pages of one hand show: its form, the head that changes while others score, and two phones' hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import g, request, url_for

from scorekeeper.live.state import Scorer
from scorekeeper.models import CARDS, PLAY, POINTS, Change, Facts
from scorekeeper.scoring.cards import Card
from scorekeeper.scoring.hand_facts import facts_where
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.record import read_hand
from scorekeeper.services import links
from scorekeeper.services.hands import Conflict
from scorekeeper.web.common.access import may
from scorekeeper.web.common.fields import HAND_FORM, posted_token, posted_version
from scorekeeper.web.common.live import shown_version
from scorekeeper.web.common.narrator import HandDescription, Narrator
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.roles import asks
from scorekeeper.web.common.words import SUIT_SIGNS, card_name, card_sign, first_to, in_suit_order, suit_name
from scorekeeper.web.games import messages as live_sentences
from scorekeeper.web.games.history import Entry, History
from scorekeeper.web.games.live import others_entering

from . import messages as say
from .auction import Bidding, TurningUp
from .cards import CardsPage
from .draft import SWEEP
from .editor import KEPT, Editor, Errors, here_of
from .play import Playing, lead_makes_trump
from .points import PointsPage
from .warnings import HandWarning

ROOM_FOR_NAMES = 30  # letters that fit side by side on a phone
CALL = ("bidder", "bid", "trump", "auction", "called", "partner")  # the places that fold into one line


class SeatButton(NamedTuple):
    number: int
    name: str
    short: str
    unit: str
    label: str
    css: str


class HandPage:
    """The form of one hand, ready to be drawn; `errors` are the sentences that belong to each place of it.

    `notice` says why what was tapped is on this page alone; `notices` also what the last tap has thrown away.
    """

    form_version = HAND_FORM

    def __init__(self, editor: Editor, token: str, errors: Errors, notice: str = "") -> None:
        self.editor, self.token, self.errors = editor, token, errors
        self.table, self.narrator, self.draft, self.form = editor.table, editor.narrator, editor.draft, editor.form
        self.auction, form, hand = self.table.rules.auction, self.form, editor.hand
        self.notices = (*filter(None, [notice]), *self.draft.told)
        self.unfolded: Sequence[str] = (form.unfold.data or ()) if form else ()
        self.pile: str | None = form.pile.data if form else None
        self.position: int = (form.position.data if form else None) or editor.position
        self.hand_version: int | None = hand and hand.version  # of the saved hand that this page began with
        if hand and form and form.hand_version.data is not None:
            self.hand_version = form.hand_version.data
        self.action, self.preview_action = editor.address, url_for("hands.preview", **here_of(editor.snapshot))
        self.says = editor.says(errors)
        self.warnings = list[HandWarning]() if errors or editor.was_first else editor.warnings

    def wrong(self, *places: str) -> tuple[str, ...]:
        """The sentences that belong to a place of the page, the first of them that has any."""
        return next((tuple(self.errors[place]) for place in places if self.errors.get(place)), ())

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What belongs to the ways that are not shown, as hidden fields."""
        draft, fields = self.draft, list(self.draft.steps.items())
        if draft.by_seat:
            fields += [(name, str(value)) for name in ("bidder", "bid") if (value := getattr(draft, name)) is not None]
        shown = set() if draft.detail == PLAY else {row.key for row in self.points.rows if not row.gone}
        if draft.detail == CARDS:
            shown &= {SWEEP}
        fields += [(f"point-{key}", side) for key, side in draft.points.items() if key not in shown]
        if draft.detail != POINTS:
            fields += [(f"count-{side}", typed) for side, typed in self.points.typed.items() if typed]
        if draft.detail != CARDS:
            fields += [(f"at-{card}", side) for card, side in draft.placed.items()]
            by = [key for key in draft.played_by if draft.detail != POINTS or key not in self.table.captured]
            fields += [(f"by-{key}", draft.played_by[key]) for key in by]
            fields += [(name, value) for name, value in (("rest", draft.rest), ("pile", self.pile)) if value]
        return fields

    @property
    def note(self) -> str:
        """The note as it was typed."""
        typed = self.form and self.form.note.raw_data
        return str(typed[0]) if typed else self.draft.note

    # --- the ways ---

    @property
    def asks_before_the_play(self) -> bool:
        """Whether something may score before the play."""
        rules = self.table.rules
        return rules.trump.is_turned_up or self.draft.eldest_leads or rules.deck.misdeal > 0

    @cached_property
    def turning_up(self) -> TurningUp:
        return TurningUp(self.draft, self.narrator)

    @cached_property
    def bidding(self) -> Bidding:
        return Bidding(self.draft, self.narrator)

    @cached_property
    def points(self) -> PointsPage:
        form, typed = self.form, {side: str(count) for side, count in self.draft.counts.items()}
        if form is not None and form.was.data in (None, self.draft.detail):
            typed = form.counts.typed
        return PointsPage(self.draft, self.narrator, typed, self.errors)

    @cached_property
    def cards(self) -> CardsPage:
        sides, shorts = self.points.sides, self.narrator.shorts
        return CardsPage(self.draft, sides, self.pile, shorts, unfolded="all" in self.unfolded)

    @cached_property
    def playing(self) -> Playing:
        return Playing(self.draft, self.narrator, self.editor.tried)

    # --- the bid ---

    @property
    def long_names(self) -> bool:
        """Whether the names need more than a narrow column each."""
        return max(map(len, self.narrator.shorts)) * self.table.players > ROOM_FOR_NAMES

    @cached_property
    def seats(self) -> tuple[SeatButton, ...]:
        names, unit_of = self.narrator.names, self.table.unit_of
        if self.table.teams:
            units = [(f"Team {unit_of[seat]}", f"u-{unit_of[seat]} team") for seat in self.table.seats]
        else:
            units = [(f"seat {seat}", "") for seat in self.table.seats]
        return tuple(
            SeatButton(seat, names[seat - 1], self.narrator.seat(seat), unit_of[seat], *unit)
            for seat, unit in zip(self.table.seats, units, strict=True)
        )

    @property
    def bids(self) -> tuple[int | str, ...]:
        auction = self.auction
        nothing = (0,) if self.table.plays_without_bid else ()
        return (*nothing, *range(auction.min, auction.max + 1), *(special.name for special in auction.specials))

    @property
    def nothing(self) -> str:
        """What the button says of a hand that was played although nobody bid."""
        return "no bid" if self.table.plays_without_bid else ""

    @property
    def may_pass_out(self) -> bool:
        return self.auction.all_pass in ("redeal", "next-dealer")

    @property
    def callable(self) -> tuple[Card, ...]:
        """The cards that can be called: those of trump first from the top, and no others where a trump is called."""
        if self.draft.trump and self.table.rules.table.call == "trump":
            return self.table.trumps[self.draft.trump].order
        return self.table.trumps_first(self.draft.trump)

    @property
    def called_name(self) -> str:
        return card_name(self.draft.called) if self.draft.called else ""

    # --- the bid, folded into one line ---

    @property
    def call_is_open(self) -> bool:
        """Whether the bid is shown part by part although it is known: where it was opened, or something is wrong."""
        return "call" in self.unfolded or bool(self.wrong(*CALL))

    @property
    def call_css(self) -> str:
        """The classes by which the stylesheet folds the bid in the very moment in which its last part is tapped.

        `settled` folds it at once. The others say what the stylesheet cannot see: that the bidding seat by seat is
        over, that trump comes with the first card, that a card is called.
        """
        draft, calls_partner = self.draft, self.table.calls_partner
        bid_is_known = None not in (draft.bidder, draft.bid)
        trump_later = draft.detail == PLAY and lead_makes_trump(self.table)
        trump_is_known = draft.trump is not None or trump_later
        partner_is_known = draft.partner is not None or draft.detail == PLAY  # which shows it by itself
        call_is_known = not calls_partner or (draft.called is not None and partner_is_known)
        classes = {
            "settled": bid_is_known and trump_is_known and call_is_known,
            "bid-known": bid_is_known and (draft.by_seat or draft.eldest_leads),
            "trump-later": trump_later,
            "calls-partner": calls_partner,
        }
        return " ".join(name for name, is_so in classes.items() if is_so)

    @property
    def call_says(self) -> tuple[str, ...]:
        """What is known of the bid, in one line: Ann, 4 ♥, and A♠ with Di; the bid alone is never cut."""
        draft, trump = self.draft, SUIT_SIGNS.get(self.draft.trump or "", "")
        short = self.narrator.in_few_letters(say.FEWER_LETTERS[0]) if self.table.calls_partner else self.narrator
        names = short.shorts
        name = names[draft.bidder - 1] if draft.bidder else "Bid"
        if draft.eldest_leads:
            return f"{name} leads", trump, ""
        bid = "" if draft.bid is None else self.nothing if draft.bid == 0 and self.nothing else str(draft.bid)
        partner = ""
        if self.table.calls_partner and draft.called is not None:
            with_whom = f"with {names[draft.partner - 1]}" if isinstance(draft.partner, int) else "alone"
            partner = f"{card_sign(draft.called)} {with_whom}"
        return name, f"{bid} {trump}".strip(), partner

    # --- the buried cards ---

    @property
    def tiles(self) -> tuple[Card, ...]:
        return self.table.trumps_first(self.draft.trump) if self.table.buried else ()

    @property
    def buried_hint(self) -> str:
        named, buried = len(self.draft.buried), self.table.buried
        return f"{named} of {buried} buried" if named else f"Tap the {counted(buried, 'buried card')}"

    @property
    def buried_is_known(self) -> bool:
        return 0 < self.table.buried == len(self.draft.buried)

    @property
    def buried_is_open(self) -> bool:
        return "buried" in self.unfolded or "buried" in self.errors

    @property
    def buried_says(self) -> tuple[str, ...]:
        """What is buried, in one line: Buried 9♣ 2♦."""
        return (f"Buried {' '.join(map(card_sign, in_suit_order(self.draft.buried)))}",)


# --- the head -----------------------------------------------------------------------------------------------------


class Link(NamedTuple):
    """A link to go on by."""

    label: str
    address: str


class LiveHead:
    """What the head shows of the hand that is at `position` on the page, `version` being that of the saved one.

    `can_clear` is whether the page goes on with what was tapped before.
    """

    def __init__(self, editor: Editor, position: int, version: int | None, *, can_clear: bool) -> None:
        self.editor, self.position, self.version, self.can_clear = editor, position, version, can_clear
        self.game = editor.snapshot
        self.tag = self.game.live.tag if self.game.live else ""
        self._is_saved_already = version is None and position <= self.game.length
        # A hand before this one was undone or removed since the page was opened.
        self._is_ahead = version is None and position > self.game.length + 1

    @property
    def _others(self) -> list[Scorer]:
        return others_entering(self.game)

    @property
    def address(self) -> str:
        """Where the page asks for its head."""
        at = url_for("hands.head", **here_of(self.game), position=self.position)
        return f"{at}?{urlencode({'version': self.version or '', 'clear': int(self.can_clear)})}"

    @property
    def usual(self) -> str:
        """What the head says of the next hand while nothing else is to be said."""
        editor, rules = self.editor, self.editor.table.rules
        return "" if self.version else live_sentences.dealt(editor.narrator.seat(editor.dealer), first_to(rules))

    @property
    def busy(self) -> str:
        """Who else enters or corrects a hand; what was changed, where that is not said of this one beside Save."""
        position, hand = self.position, self.game.hand(self.position)
        if self._is_ahead:
            return live_sentences.REMOVED_BEFORE
        here = [one for one in self._others if one.position == position]
        elsewhere = [one for one in self._others if one.position != position]
        length, known = self.game.length, shown_version()
        is_told = hand and hand.version != self.version
        if not is_told and known is not None and known < self.game.version:
            last = self.editor.done(Change.seq > known)
            return f"{last} {self.editor.narrator.totals(self.game.score.totals)}"
        return f"{live_sentences.entering(here, length, 'also ')} {live_sentences.entering(elsewhere, length)}".strip()

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been tapped of this hand, or by others alone: nothing of this phone is lost with it."""
        others = self._others
        is_theirs = len(others) == len(self.game.entering) and any(one.position == self.position for one in others)
        return is_theirs or self.editor.draft.is_blank

    @property
    def request(self) -> str:
        """Who asks for a link of the club, for a manager."""
        state = self.game.live
        if state is None or not state.asked or not may("links.grant"):
            return ""
        asking = links.requests_of(g.club.id)
        return asks(asking[0]) if asking else ""

    @property
    def way_on(self) -> Link | None:
        """Where to go on when this is not the next hand any more: somebody else has saved it, or removed another."""
        if not (self._is_saved_already or self._is_ahead):
            return None
        here = here_of(self.game)
        if self.game.takes_hands:
            following = url_for("hands.new", **here, since=shown_version())  # that page says what was done since
            return Link(live_sentences.enter_hand(self.game.length + 1), following)
        label = live_sentences.RESULT if self.game.score.outcome else live_sentences.SCORE_SHEET
        return Link(label, url_for("games.sheet", **here))


# --- two phones, one hand -----------------------------------------------------------------------------------------

# What a hand that is sent again brings along new.
NOT_SENT_ON = {"csrf_token", "do", "token", "position", "hand_version", "dealer"}

Fields = list[tuple[str, str]]


class Row(NamedTuple):
    """One fact of the two hands, side by side."""

    name: str
    theirs: str
    mine: str
    differs: bool


class Resend(NamedTuple):
    """A button that sends the own hand again, to another place."""

    label: str
    action: str
    fields: Fields


class ConflictPage:
    """What the first phone saved beside what the second one has, and the ways out."""

    def __init__(self, editor: Editor, conflict: Conflict, mine: Facts | None, token: str) -> None:
        self.editor, self.conflict, self.token, self._mine = editor, conflict, token, mine
        self.position = conflict.position
        self.sent = posted_token()  # the hand may be waiting on the phone under this token
        theirs, own = self._lines(conflict.theirs), self._lines(mine)
        self.titles = (
            "Theirs, saved" if theirs else "Theirs, removed",
            "Yours, not saved yet" if own else "Yours, still on this phone",
        )
        both, left = bool(theirs and own), {} if "Score" in own else theirs  # what is not tapped yet is no difference
        # Every fact of either hand; marked, and first, where both say something and it is not the same.
        rows = [
            Row(
                name,
                theirs.get(name, ""),
                own.get(name, ""),
                both and theirs.get(name) != own.get(name, left.get(name)),
            )
            for name in {**theirs, **own}
        ]
        self.rows = sorted(rows, key=lambda row: not row.differs)
        self.keep_label = "Keep theirs" if conflict.theirs else "Leave it removed"

    def _lines(self, facts: Facts | None) -> Mapping[str, str]:
        """What there is to say of a hand, by name, and the score with it; nothing of one that can't be read."""
        if not facts:
            return {}
        game, table = self.editor.snapshot, self.editor.table
        narrator = Narrator(table, names := game.names_at(self.position))
        try:
            lines = {line.name: line.value for line in HandDescription(table, names).lines(facts)}
            score = game.with_hand(self.position, read_hand(facts, table))
        except Refused:  # it is not complete
            words: dict[str, Any] = {"dealer": narrator.seat, "bidder": narrator.seat, "bid": str, "trump": suit_name}
            return {name.capitalize(): words[name](value) for name, value in facts.items() if name in words}
        return lines | {"Score": narrator.totals(score.totals).removesuffix(".")}

    @property
    def what_happened(self) -> str:
        if self.conflict.theirs is None:
            return say.NO_SUCH_HAND.format(self.position)
        return (say.CHANGED_FIRST if self.editor.hand is not None else say.SAVED_FIRST).format(self.position)

    @cached_property
    def story(self) -> list[Entry]:
        """The changes of the hand since this phone read it."""
        history = History(self.editor.game)
        seen = posted_version("hand_version")
        return history.just(self.conflict.version or 0) if seen is None else history.of_hand(seen)

    @property
    def choices(self) -> list[Resend]:
        game, ways = self.editor.snapshot, []
        here = here_of(game)
        if self.conflict.theirs is not None:
            dealer = int((self._mine or self.conflict.theirs).get("dealer", self.editor.dealer))
            fields = {"position": self.position, "hand_version": self.conflict.version or 0, "dealer": dealer}
            action = url_for("hands.correct", **here, position=self.position)
            ways.append(Resend("Replace it with mine", action, self._fields(fields)))
        if self.editor.hand is None and game.takes_hands:
            position = self.editor.position
            fields = {"position": position, "dealer": game.dealer_after(game.length)}
            ways.append(
                Resend(
                    f"Two different hands: save mine as hand {position}",
                    url_for("hands.new", **here),
                    self._fields(fields),
                )
            )
        return ways

    def _fields(self, new: dict[str, int]) -> Fields:
        """Everything that was tapped, once more, under a new token."""
        kept = [(name, value) for name, value in request.form.items(multi=True) if name not in NOT_SENT_ON]
        do = "passed" if request.form.get("do") == "passed" else "save"
        return [*kept, ("token", self.token), ("do", do), *((name, str(value)) for name, value in new.items())]


def is_the_same(theirs: Facts | None, mine: Facts | None) -> bool:
    """Whether two phones have entered the same hand, no matter who sits at the table."""
    return theirs is not None and mine is not None and theirs == mine | facts_where(theirs, lambda key, _: key in KEPT)

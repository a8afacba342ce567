"""Import of games kept on paper: a table of dates, players and scores, previewed first."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from functools import cached_property

from flask import Blueprint, flash, g, request
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from werkzeug.datastructures import FileStorage, MultiDict
from wtforms import BooleanField, HiddenField, StringField
from wtforms.validators import ValidationError

from scorekeeper.database.session import db
from scorekeeper.models import Game
from scorekeeper.scoring.problems import Refused
from scorekeeper.scoring.rules import RuleSet
from scorekeeper.services import custom_rules
from scorekeeper.services.games import record_paper_games, rules_played
from scorekeeper.transfer.paper import (
    NEW,
    ORDERS,
    PaperPlan,
    PaperSheet,
    PlannedGame,
    Trouble,
    decode,
    in_lines,
    read_sheet,
)
from scorekeeper.web.common.fields import ChoiceField, PageForm, one_of, token_or_new
from scorekeeper.web.common.numbers import ScoreWords, counted
from scorekeeper.web.common.scope import go_to, render, says_reopened, scoped
from scorekeeper.web.common.words import ended, listed
from scorekeeper.web.games.setup import SetupForm

LONGEST_TABLE = 300_000  # characters
MOST_NAMES = 12  # renamed players, or lines with the same problem, that are listed
WHICH_RULES = "Choose the rules of these games."
LINE_END = re.compile(r"\r\n?")
bp = scoped(Blueprint("paper", __name__))


def _lines(numbers: Sequence[str]) -> str:
    """Text like "Lines 2, 5 and 9."; "" for a problem of the whole table."""
    more = len(numbers) - MOST_NAMES
    said = listed([*numbers[:MOST_NAMES], f"{more} more"] if more > 1 else numbers)
    return said and f"Line{'s' if numbers[1:] else ''} {said}."


def _normalize_line_ends(text: str) -> str:
    """Normalize line ends as browsers do, for typed text and for files.

    A file's text is posted back with the form; without this it would look like a change.
    """
    return LINE_END.sub("\n", text).replace("\0", "")


class PaperForm(PageForm):
    """The submitted fields, the parsed table, and its comparison with the club."""

    text = StringField(filters=[lambda text: _normalize_line_ends(text or "")])
    rules_id = HiddenField(name="rules")
    order = ChoiceField(one_of(ORDERS, "Choose the day or the month."))  # order of day and month in dates, if chosen
    down = BooleanField()  # True if scores count down
    again = BooleanField()  # True to import also games that seem to be known
    search = HiddenField()  # for games to choose from
    seen = HiddenField()  # digest of the previewed data

    def __init__(self, values: MultiDict[str, str], sent: FileStorage | None = None) -> None:
        super().__init__(formdata=values)
        self.note = ""
        self.same = set(values.getlist("same"))  # new names that mean the similar known player
        if sent is not None and sent.filename:
            text, self.note = decode(sent.read())
            self.text.data = _normalize_line_ends(text)
        self.token = token_or_new(values.get("token", ""))

    # --- choices ---

    @cached_property
    def setup(self) -> SetupForm:
        """The games to choose from, as when one is started."""
        search = MultiDict({"search": self.search.data or ""})
        return SetupForm(search, own=custom_rules.rules_of(g.club), played=rules_played(g.club))

    @cached_property
    def rules(self) -> RuleSet | None:
        options = {"win.counted": "down"} if self.down.data else {}
        rules = self.setup.choices.get(self.rules_id.data or "")
        try:
            return rules and rules.override(options)
        except Refused:  # rules that name a score
            return None

    @property
    def digest(self) -> str:
        """Digest of what is previewed before it is imported: all but the answers to the preview's own questions."""
        chosen = [self.text.data, self.rules_id.data, self.order.data, self.down.data]
        return hashlib.sha256(json.dumps(chosen).encode()).hexdigest()[:32]

    @property
    def was_seen(self) -> bool:
        return bool(self.seen.data == self.digest)

    # --- errors ---

    def validate_rules_id(self, _field: HiddenField) -> None:
        if self.rules is None:
            is_known = self.rules_id.data in self.setup.choices
            raise ValidationError("With these rules scores cannot count down." if is_known else WHICH_RULES)

    def validate(self, extra_validators: object = None) -> bool:
        """True if all fields and all lines of the table are valid."""
        return super().validate(extra_validators) and not self.troubles

    def validate_text(self, field: StringField) -> None:
        if not field.data.strip():
            raise ValidationError("Type or paste the table, or choose a file.")
        if len(field.data) > LONGEST_TABLE:
            raise ValidationError(f"Use at most {LONGEST_TABLE:,} letters. Import a longer table in parts.")

    @property
    def _has_table(self) -> bool:
        return bool(self.text.data.strip()) and len(self.text.data) <= LONGEST_TABLE

    @cached_property
    def sheet(self) -> PaperSheet:
        if not self._has_table:
            return PaperSheet()
        return read_sheet(self.text.data, self.order.data or "", g.club.today, lowest_wins=self.down.data)

    @cached_property
    def plan(self) -> PaperPlan | None:
        if not self._has_table or self.rules is None:
            return None
        return PaperPlan(g.club, self.sheet, self.rules, self.same)

    @property
    def troubles(self) -> Sequence[Trouble]:
        """Problems of the table by line."""
        return self.plan.troubles if self.plan else self.sheet.troubles

    @property
    def problems(self) -> list[tuple[str, str]]:
        """The troubles for display: their lines, said once for all with the same message, and the message."""
        found: dict[str, list[str]] = {}
        for line, message in self.troubles:
            found.setdefault(message, []).append(str(line or ""))
        return [(_lines(lines), message) for message, lines in found.items()]

    @property
    def asks_order(self) -> bool:
        """True if the order of day and month must be asked, because the dates are ambiguous."""
        return bool(self.sheet.unclear or self.order.data or self.order.errors)

    # --- result ---

    @property
    def games(self) -> list[PlannedGame]:
        return self.plan.games if self.plan else []

    @property
    def wanted(self) -> list[PlannedGame]:
        return self.plan.wanted(self.again.data) if self.plan else []

    @property
    def met(self) -> int:
        """Number of games that seem to be known, or are in the table twice."""
        return sum(game.state != NEW for game in self.games)

    @property
    def notes(self) -> list[str]:
        """Remarks on the table, including players known by another name after a rename or merge."""
        names = self.plan.otherwise if self.plan else []
        told = listed([f"{there} is {here}" for there, here in names[:MOST_NAMES]])
        more = f", and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        otherwise = ended(f"Known here by another name: {told}{more}") if names else ""
        return [note for note in (self.note, *self.sheet.notes, self._short_said, otherwise) if note]

    @property
    def _short_said(self) -> str:
        """A remark if no score reaches the target: it may have been another game."""
        short = self.plan.short if self.plan else []
        if not short or not self.rules:
            return ""
        where = in_lines(short) if len(short) < len(self.games) else ""
        end = ScoreWords(self.rules.win).end
        return f"{self.rules.name} is played to {end}, but no score{where} reaches it. Another game? Choose it below."

    @property
    def says(self) -> str:
        """The sentence beside the button."""
        games = counted(len(self.wanted), "game")
        return f"{games} to import, {self.met} skipped" if self.met and not self.again.data else f"{games} to import"


@bp.get("/c/<key>/transfers/paper")
def show() -> ResponseReturnValue:
    latest = select(Game).where(Game.club_id == g.club.id).order_by(Game.number.desc()).limit(1)
    game = db.session.scalar(latest)
    values = MultiDict(({"rules": game.rules["id"]} if game else {}) | request.args.to_dict())
    if game and game.rules["win"].get("counted") == "down":
        values["down"] = "yes"
    return _page(PaperForm(values), first=True)


@bp.post("/c/<key>/transfers/paper")
@says_reopened
def bring() -> ResponseReturnValue:
    """Preview a table, or import the previewed one."""
    form = PaperForm(MultiDict(request.form), request.files.get("file"))
    if request.form.get("do") == "show":
        return _page(form, first=True)
    if not form.validate():
        return _page(form, wrong=True), 422
    if request.form.get("do") != "bring" or not form.was_seen or not form.plan:
        return _page(form)
    try:
        games = form.plan.paper_games(form.token + form.digest, form.again.data)
        count = record_paper_games(g.club, games)
    except Refused as refused:  # a concurrent change of a name or seat since the preview
        return _page(form, refused=str(refused)), 422
    flash(f"{counted(count, 'game')} imported from paper." if count else "These games were already imported.")
    return go_to("clubs.show")


def _page(form: PaperForm, *, first: bool = False, wrong: bool = False, refused: str = "") -> str:
    """Render the form: blank, with errors, or with the preview."""
    changed = not wrong and request.form.get("do") == "bring" and not form.was_seen
    return render("transfers/paper.html", form=form, first=first, wrong_at=wrong, refused=refused, changed=changed)

"""The form that brings in games from paper: what was typed or sent, and what is to be done with it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from functools import cached_property

from werkzeug.datastructures import FileStorage, MultiDict

from scorekeeper.importing.paper import ORDERS, PaperSheet, Trouble, decode, read_sheet
from scorekeeper.importing.paper_games import KNOWN, TWICE, PaperPlan, Understood
from scorekeeper.models import Club
from scorekeeper.scoring.rules import CATALOGUE, RuleSet, catalogue, find_rules
from scorekeeper.web.common.numbers import counted

MOST_LETTERS = 300_000
TOKEN = re.compile(r"[\w-]{10,64}", re.ASCII)
TOO_LONG = f"That is too much at once: {MOST_LETTERS // 1000:,} thousand letters at most. Bring it in in several parts."
NOTHING = "Type or paste the table, or choose its file."
NO_RULES = "Which rules were they played by? Tap one."


class PaperForm:
    """The fields as they were sent, the table read, and what it is beside the club."""

    def __init__(self, club: Club, values: MultiDict[str, str], sent: FileStorage | None, new_token: str) -> None:
        self.club, self.values = club, values
        self.note = ""
        self.text = values.get("text", "").replace("\r\n", "\n")
        if sent is not None and sent.filename:
            self.text, self.note = decode(sent.read())
        token = values.get("token", "")
        self.token = token if TOKEN.fullmatch(token) else new_token

    # --- what was chosen ---

    @property
    def rules_id(self) -> str:
        chosen = self.values.get("rules", "")
        return chosen if chosen in CATALOGUE else ""

    @property
    def rules(self) -> RuleSet | None:
        return find_rules(self.rules_id) if self.rules_id else None

    @property
    def catalogue(self) -> tuple[RuleSet, ...]:
        return catalogue()

    @property
    def order(self) -> str:
        """Whether dates begin with the day or the month, where that was said."""
        chosen = self.values.get("order", "")
        return chosen if chosen in ORDERS else ""

    @property
    def same(self) -> list[str]:
        """New names that stand for the one they are like."""
        return self.values.getlist("same")

    @property
    def again(self) -> bool:
        """Whether games that seem to be here already are wanted too."""
        return "again" in self.values

    @property
    def digest(self) -> str:
        """What the page shows, in a few letters: nothing else is brought in."""
        chosen = [self.text, self.rules_id, self.order, sorted(self.same), self.again]
        return hashlib.sha256(json.dumps(chosen).encode()).hexdigest()[:32]

    @property
    def was_seen(self) -> bool:
        return self.values.get("seen") == self.digest

    # --- what is wrong ---

    @cached_property
    def wrong_text(self) -> str:
        if not self.text.strip():
            return NOTHING
        return TOO_LONG if len(self.text) > MOST_LETTERS else ""

    @property
    def wrong_rules(self) -> str:
        return "" if self.rules_id else NO_RULES

    @cached_property
    def sheet(self) -> PaperSheet:
        return PaperSheet() if self.wrong_text else read_sheet(self.text, self.order)

    @cached_property
    def plan(self) -> PaperPlan | None:
        if self.wrong_text or self.wrong_rules:
            return None
        return PaperPlan(self.club, self.sheet, self.rules_id, self.same)

    @property
    def troubles(self) -> Sequence[Trouble]:
        return self.plan.troubles if self.plan else self.sheet.troubles

    @property
    def is_wrong(self) -> bool:
        return bool(self.wrong_text or self.wrong_rules or self.troubles)

    @property
    def asks_order(self) -> bool:
        """Whether the page asks how dates are written: once it has to be known."""
        return self.sheet.unclear or bool(self.order)

    # --- what it comes to ---

    @property
    def games(self) -> list[Understood]:
        return self.plan.games if self.plan else []

    @property
    def wanted(self) -> list[Understood]:
        return self.plan.wanted(self.again) if self.plan else []

    @property
    def met(self) -> int:
        """How many games seem to be here already, or stand in the table twice."""
        return sum(game.state in (KNOWN, TWICE) for game in self.games)

    @property
    def notes(self) -> list[str]:
        return [note for note in (self.note, *self.sheet.notes) if note]

    @property
    def says(self) -> str:
        """The sentence beside the button."""
        left = f", {self.met} left out" if self.met and not self.again else ""
        return f"{counted(len(self.wanted), 'game')} to bring in{left}"

"""The pages that rules of the catalogue and the rules of a game have both."""

from __future__ import annotations

from collections.abc import Mapping

from flask import render_template, request

from scorekeeper.scoring.table import Table
from scorekeeper.web.rulebook.ask import Ask
from scorekeeper.web.rulebook.messages import HAND, QUESTIONS
from scorekeeper.web.rulebook.reference import Reference

PAPERS = (("letter", "Letter"), ("a4", "A4"), ("a5", "A5"))
ROWS = {"letter": 24, "a4": 26, "a5": 20}  # hands that a blank score sheet has room for
MOST_LEVEL = 6  # columns whose names are written level; with more, no first name has room


def paper_asked(arguments: Mapping[str, str]) -> str:
    """The paper that an address asks for: letter, where it names none that there is."""
    asked = arguments.get("paper", "")
    return asked if asked in ROWS else PAPERS[0][0]


def card_page(reference: Reference, *, named: bool, back: str) -> str:
    """The table card to print; `named` with those who sit at the table."""
    paper = paper_asked(request.args)
    page = "rulebook/card.html"
    return render_template(page, reference=reference, named=named, paper=paper, PAPERS=PAPERS, back=back)


def ask_page(table: Table, *, back: str, here: str) -> str:
    """Questions of the table, answered."""
    ask = Ask(table, request.args)
    return render_template("rulebook/ask.html", ask=ask, QUESTIONS=QUESTIONS, HAND=HAND, back=back, here=here)

"""Fields made of buttons, and numbers: what comes in is checked, what was typed is kept."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, ClassVar

from flask import request
from wtforms import Field, Form, HiddenField
from wtforms.validators import ValidationError

from scorekeeper.models import NAME_LENGTH, tidy_name
from scorekeeper.scoring.problems import Problem
from scorekeeper.transfer.columns import YEARS

A_DAY = "Enter a date like 2026-03-21."
NAME_TOO_LONG = f"That name is too long. Use at most {NAME_LENGTH} letters."
LONGEST_TOKEN = 64
# The version of the form of a hand: one more with every change of what its fields mean. A page from before an update,
# or a hand that waited on a phone meanwhile, must not be saved as something else.
HAND_FORM = 2
NEW_TOKEN = re.compile(r"[\w-]{22}", re.ASCII)
LONGEST_BIDDING = 100
POSTED = object()  # the form that was sent with this request

Reader = Callable[[str], Any]  # raises ValidationError with a sentence


def clean_name(text: str | None) -> str:
    """A name as it is kept."""
    return tidy_name(text or "")


def number_in(text: str) -> int | None:
    """A number of digits alone, as hidden fields and addresses have them; None for anything else, or a longer one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def required(message: str) -> Callable[[Form, Field], None]:
    """A validator of a field that may not be empty; one whose text could not be read has a sentence already."""

    def check(_form: Form, field: Field) -> None:
        if field.data in (None, "") and not field.process_errors:
            raise ValidationError(message)

    return check


def one_of(allowed: Collection[object], message: str, coerce: Reader = str) -> Reader:
    """Reads one of several values."""

    def read(text: str) -> Any:
        try:
            value = coerce(text)
        except ValueError:
            raise ValidationError(message) from None
        if value not in allowed:
            raise ValidationError(message)
        return value

    return read


def whole_number(least: int, most: int, message: str) -> Reader:
    """Reads a number of digits alone."""

    def read(text: str) -> int:
        number = number_in(text)
        if number is None or not least <= number <= most:
            raise ValidationError(message)
        return number

    return read


def signed_number(most: int, message: str) -> Reader:
    """Reads a number that is not 0, with its sign; a real minus, too."""

    def read(text: str) -> int:
        sign, digits = (-1, text[1:]) if text[:1] in ("-", "−", "–") else (1, text.removeprefix("+"))
        number = number_in(digits.strip())
        if not number or number > most:
            raise ValidationError(message)
        return sign * number

    return read


def one_line(most: int, message: str) -> Reader:
    """Reads one line of at most so many letters; what would not print becomes a space."""

    def read(text: str) -> str:
        line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
        if len(line) > most:
            raise ValidationError(message)
        return line

    return read


class PageForm(Form):
    """The base of every form. Its CSRF token is checked for every POST at once, before any view runs.

    It is filled from the fields of the form that was sent, and not from a file or JSON: those are not text.

    What is wrong is in `errors`: the sentences by the name of their field. `refuse` adds what a service refused.
    """

    # By a problem's code: the sentence for it, where the service's own is not for players.
    SENTENCES: ClassVar[Mapping[str, str]] = {}
    # By a problem's code or place: the field it is shown beside, if that has another name. "" is for all others.
    FIELDS: ClassVar[Mapping[str, str]] = {}

    def __init__(self, formdata: Any = POSTED, **kwargs: Any) -> None:
        super().__init__(formdata=request.form if formdata is POSTED else formdata, **kwargs)

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Put what a service refused beside the fields."""
        for problem in problems:
            name = self.FIELDS.get(problem.code) or self.FIELDS.get(problem.at, problem.at)
            field = self[name if name in self else self.FIELDS[""]]
            field.errors = [*field.errors, sentence_of(problem, self.SENTENCES)]

    def typed(self, name: str) -> str:
        """What is in a field, as it was typed."""
        field = self[name]
        if field.raw_data:
            return str(field.raw_data[0])
        return "" if field.data is None else str(field.data)

    @property
    def errors(self) -> dict[str, list[str]]:
        """The sentences beside each field."""
        return {name: [str(error) for error in errors] for name, errors in super().errors.items() if name}


def sentence_of(problem: Problem, sentences: Mapping[str, str] = MappingProxyType({})) -> str:
    """A problem as a sentence: by its code, or its own message with a capital and a full stop."""
    sentence = sentences.get(problem.code, problem.message)
    ending = "" if sentence.endswith((".", "?")) else "."
    return f"{sentence[:1].upper()}{sentence[1:]}{ending}"


class ChoiceField(Field):
    """One of several buttons, or whatever else `read` reads; None where there is nothing yet."""

    def __init__(self, read: Reader, **kwargs: Any) -> None:
        super().__init__(label="", **kwargs)
        self.read = read

    def process_formdata(self, valuelist: list[str]) -> None:
        text = valuelist[0].strip() if valuelist else ""
        self.data = None
        if text:
            self.data = self.read(text)


def _read_day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValidationError(A_DAY) from None
    if day.year not in YEARS:
        raise ValidationError(f"Enter a year from {YEARS.start} to {YEARS.stop - 1}.")
    return day


class Day(ChoiceField):
    """A day as somebody types it, or none."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(_read_day, **kwargs)


class Number(ChoiceField):
    """A whole number as somebody types it."""

    def __init__(self, *, least: int, most: int, message: str, **kwargs: Any) -> None:
        super().__init__(whole_number(least, most, message), **kwargs)


class Picks(ChoiceField):
    """Any number of several buttons."""

    def process_formdata(self, valuelist: list[str]) -> None:
        self.data = tuple(dict.fromkeys(map(self.read, valuelist)))


class Cards(ChoiceField):
    """Cards in their order, in one hidden field: what has been played."""

    def process_formdata(self, valuelist: list[str]) -> None:
        self.data = tuple(dict.fromkeys(map(self.read, " ".join(valuelist).split())))


class Calls(ChoiceField):
    """The calls in their order, in one hidden field; a pass is None."""

    def process_formdata(self, valuelist: list[str]) -> None:
        words = " ".join(valuelist).split()
        self.data = tuple(map(self.read, words[:LONGEST_BIDDING]))


class MappingField(ChoiceField):
    """Fields of one kind, each by a name of its own: where each card lies (`at-TH`), whose each point is.

    `keys` says what each name stands for. `data` has what was tapped by its key, `typed` what was sent.
    """

    def __init__(self, read: Reader, keys: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(read, **kwargs)
        self.keys = keys
        self.typed: dict[str, str] = {}

    def process(self, formdata: Any, data: object = None, extra_filters: object = None) -> None:  # noqa: ARG002
        self.process_errors: list[str] = []
        self.typed = {key: formdata[name] for name, key in self.keys.items() if formdata and name in formdata}
        filled = {key: text.strip() for key, text in self.typed.items() if text.strip()}
        self.data = {key: value for key, text in filled.items() if (value := self._read(text)) is not None}

    def _read(self, text: str) -> Any:
        try:
            return self.read(text)
        except ValidationError as error:
            self.process_errors = [str(error)]


class ActionField(Field):
    """The one step that was tapped, by whichever of several buttons: `data` is its name and its value, or None."""

    def __init__(self, readers: Mapping[str, Reader], **kwargs: Any) -> None:
        super().__init__(label="", **kwargs)
        self.readers = readers

    def process(self, formdata: Any, data: object = None, extra_filters: object = None) -> None:  # noqa: ARG002
        self.data, self.process_errors = None, []
        name = next((name for name in self.readers if formdata and formdata.get(name)), None)
        try:
            self.data = name and (name, self.readers[name](formdata[name]))
        except ValidationError as error:
            self.process_errors = [str(error)]


class Token(HiddenField):
    """Identifies a filled-in form, so that the same form sent twice makes one change."""

    def pre_validate(self, form: object) -> None:  # noqa: ARG002  (as WTForms calls it)
        if not self.data or len(self.data) > LONGEST_TOKEN or not self.data.isascii():
            raise ValidationError("Part of this form is missing. Reload the page.")


def new_token() -> str:
    """A name for one form on one page."""
    return secrets.token_urlsafe(16)


def posted_token() -> str:
    """The name of the form that was sent."""
    return request.form.get("token", "")


def token_in(text: str) -> str:
    """The token that `text` is, where `new_token` has made it; else a new one."""
    return text if NEW_TOKEN.fullmatch(text) else new_token()


def posted_version(name: str) -> int | None:
    """The number in a hidden field, or None where it is missing or no number."""
    return number_in(request.form.get(name, ""))

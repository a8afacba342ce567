"""Form fields: buttons, numbers and mappings. Input is validated, and kept as typed to be shown again."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from flask import abort, request
from wtforms import Field, Form, HiddenField, StringField
from wtforms.validators import Length, ValidationError

from scorekeeper.models import NAME_LENGTH, tidy_name
from scorekeeper.scoring.problems import Problem
from scorekeeper.transfer.columns import YEARS

A_DAY = "Enter a date like 2026-03-21."
NAME_TOO_LONG = f"That name is too long. Use at most {NAME_LENGTH} letters."
LONGEST_TOKEN = 64
BROKEN = "Part of this form is missing. Reload the page."
# Version of the hand form, incremented whenever the meaning of its fields changes: a page from before an update, or a
# hand queued on a phone, must not be saved as something else.
HAND_FORM = 2
NEW_TOKEN = re.compile(r"[\w-]{22}", re.ASCII)
POSTED = object()  # default: the form of the current request

Reader = Callable[[str], Any]  # raises ValidationError with a sentence


def clean_name(text: str | None) -> str:
    """Normalize a name as it is stored."""
    return tidy_name(text or "")


def parse_number(text: str) -> int | None:
    """Parse up to 9 ASCII digits, as in hidden fields and addresses; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def required(message: str) -> Callable[[Form, Field], None]:
    """Validator for a required field; silent if parsing has already reported a problem."""

    def check(_form: Form, field: Field) -> None:
        if field.data in (None, "") and not field.process_errors:
            raise ValidationError(message)

    return check


def one_of(allowed: Collection[object], message: str = BROKEN, coerce: Reader = str) -> Reader:
    """Reader that accepts only values in `allowed`; without a `message`, only a broken form sends others."""

    def read(text: str) -> Any:
        try:
            value = coerce(text)
        except ValueError:
            raise ValidationError(message) from None
        if value not in allowed:
            raise ValidationError(message)
        return value

    return read


def whole_number(least: int, most: int, message: str = BROKEN) -> Reader:
    """Reader for a whole number of digits only, from `least` to `most`."""

    def read(text: str) -> int:
        number = parse_number(text)
        if number is None or not least <= number <= most:
            raise ValidationError(message)
        return number

    return read


def signed_number(most: int, message: str) -> Reader:
    """Reader for a nonzero number with optional sign; also accepts the typographic minus and the en dash."""

    def read(text: str) -> int:
        sign, digits = (-1, text[1:]) if text[:1] in ("-", "−", "–") else (1, text.removeprefix("+"))
        number = parse_number(digits.strip())
        if not number or number > most:
            raise ValidationError(message)
        return sign * number

    return read


def one_line(most: int, message: str) -> Reader:
    """Reader for one line of at most `most` characters; replaces unprintable characters by spaces."""

    def read(text: str) -> str:
        line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
        if len(line) > most:
            raise ValidationError(message)
        return line

    return read


def line_field(missing: str, most: int, too_long: str = "") -> StringField:
    """A required line of at most `most` letters; `missing` and `too_long` are its error sentences."""
    length = Length(max=most, message=too_long or f"Use at most {most} letters.")
    return StringField(filters=[clean_name], validators=[required(missing), length])


class PageForm(Form):
    """Base of all forms. CSRF tokens are checked globally, before any view runs.

    Populated from `request.form` only, never from files or JSON, which are not text. `errors` maps field names to
    sentences; `refuse` adds a service's problems.
    """

    # Sentences by problem code, where the service's own sentence is not for players.
    SENTENCES: ClassVar[Mapping[str, str]] = {}
    # Field names by problem code or place, where they differ. "" is the default.
    FIELDS: ClassVar[Mapping[str, str]] = {}

    def __init__(self, formdata: Any = POSTED, **kwargs: Any) -> None:
        super().__init__(formdata=request.form if formdata is POSTED else formdata, **kwargs)

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show a service's problems beside their fields."""
        for problem in problems:
            name = self.FIELDS.get(problem.code) or self.FIELDS.get(problem.at, problem.at)
            field = self[name if name in self else self.FIELDS[""]]
            field.errors = [*field.errors, sentence_of(problem, self.SENTENCES)]

    def typed(self, name: str) -> str:
        """A field's content as typed."""
        field = self[name]
        if field.raw_data:
            return str(field.raw_data[0])
        return "" if field.data is None else str(field.data)

    @property
    def errors(self) -> dict[str, list[str]]:
        """Sentences by field name."""
        return {name: [str(error) for error in errors] for name, errors in super().errors.items() if name}


def sentence_of(problem: Problem, sentences: Mapping[str, str] = MappingProxyType({})) -> str:
    """The problem's sentence: by its code, or its own message, capitalized and with a final period."""
    sentence = sentences.get(problem.code, problem.message)
    ending = "" if sentence.endswith((".", "?")) else "."
    return f"{sentence[:1].upper()}{sentence[1:]}{ending}"


class ChoiceField(Field):
    """One button of several, or any value that `read` parses; None if empty."""

    def __init__(self, read: Reader, **kwargs: Any) -> None:
        super().__init__(label="", **kwargs)
        self.read = read

    def process_formdata(self, valuelist: list[str]) -> None:
        self.data = None
        if valuelist:
            self.data = one(self.read)(valuelist)


def _read_day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValidationError(A_DAY) from None
    if day.year not in YEARS:
        raise ValidationError(f"Enter a year from {YEARS.start} to {YEARS.stop - 1}.")
    return day


DayField = partial(ChoiceField, _read_day)  # a date, or None


# --- forms of many inputs that come with every tap, read without a WTForms field for each -----------------------------


class Input(NamedTuple):
    """The field of the form that an input gives, or the key of a field that has several; `read` gets the texts sent."""

    of: str
    key: str | None
    read: Callable[[Sequence[str]], Any]  # raises ValidationError with a sentence


def one(read: Reader) -> Callable[[Sequence[str]], Any]:
    return lambda texts: read(text) if (text := texts[0].strip()) else None


def several(read: Reader) -> Callable[[Sequence[str]], Any]:
    return lambda texts: tuple(dict.fromkeys(map(read, texts)))


def read_inputs(
    inputs: Mapping[str, Input], posted: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """The values of a form and its errors, both by field; a field that was not filled in has no value."""
    values: dict[str, Any] = {}
    errors: dict[str, list[str]] = {}
    for name, (of, key, read) in inputs.items():
        try:
            value = read(texts) if (texts := posted.get(name)) else None
        except ValidationError as error:
            errors[of] = [str(error)]
            continue
        if value is not None and key is None:
            values[of] = value
        elif value is not None:
            values.setdefault(of, {})[key] = value
    return values, errors


class TokenField(HiddenField):
    """Identifies one filled-in form, so that submitting it twice makes one change."""

    def pre_validate(self, form: object) -> None:  # noqa: ARG002  (as WTForms calls it)
        if not is_token(self.data or ""):
            raise ValidationError(BROKEN)


def is_token(text: str) -> bool:
    """True if `text` can be the token of a form."""
    return 0 < len(text) <= LONGEST_TOKEN and text.isascii()


def new_token() -> str:
    """A new random form token."""
    return secrets.token_urlsafe(16)


def posted_token() -> str:
    """The token of the submitted form."""
    return request.form.get("token", "")


def token_or_new(text: str) -> str:
    """`text` if it has the format of `new_token`; otherwise a new token."""
    return text if NEW_TOKEN.fullmatch(text) else new_token()


def posted_answer() -> bool:
    """Parse the yes/no button; 422 for anything else."""
    said = request.form.get("is")
    if said not in ("yes", "no"):
        abort(422)
    return said == "yes"


def posted_version(name: str) -> int | None:
    """The number in a hidden field; None if missing or invalid."""
    return parse_number(request.form.get(name, ""))

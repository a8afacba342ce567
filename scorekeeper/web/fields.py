"""Fields made of buttons, and numbers: what comes in is checked, what was typed is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flask_wtf import FlaskForm
from wtforms import Field, HiddenField
from wtforms.validators import ValidationError

LONGEST_TOKEN = 64
LONGEST_BIDDING = 100


class PageForm(FlaskForm):
    """A form of ours; its token is checked for every POST at once, before any view runs."""

    class Meta:
        csrf = False

    def complaints(self) -> dict[str, list[str]]:
        """The sentences beside each field."""
        return {name: [str(error) for error in errors] for name, errors in self.errors.items() if name}


class Pick(Field):
    """One of several buttons, or none of them yet."""

    def __init__(
        self, *, allowed: Sequence[Any], message: str, coerce: Callable[[str], Any] = str, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.allowed = allowed
        self.message = message
        self.coerce = coerce

    def process_formdata(self, valuelist: list[str]) -> None:
        self.data = None
        if valuelist and valuelist[0] != "":
            self.data = self._read(valuelist[0])

    def _read(self, text: str) -> Any:
        try:
            value = self.coerce(text)
        except ValueError:
            raise ValidationError(self.message) from None
        if value not in self.allowed:
            raise ValidationError(self.message)
        return value


class Picks(Pick):
    """Any number of several buttons."""

    def process_formdata(self, valuelist: list[str]) -> None:
        self.data = tuple(dict.fromkeys(self._read(text) for text in valuelist))


class Cards(Pick):
    """Cards in their order, in one hidden field: what has been played."""

    def process_formdata(self, valuelist: list[str]) -> None:
        words = " ".join(valuelist).split()
        self.data = tuple(dict.fromkeys(self._read(word) for word in words))


class Calls(Pick):
    """What has been said, in its order, in one hidden field; a pass is None."""

    def process_formdata(self, valuelist: list[str]) -> None:
        words = " ".join(valuelist).split()
        self.data = tuple(self._read(word) for word in words[:LONGEST_BIDDING])


class Placed(Pick):
    """Where each card lies: a field `at-TH` for each, one of the piles. Of a card that lies nowhere there is none."""

    def __init__(self, *, cards: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.names = [(card, f"at-{card}") for card in cards]

    def process(self, formdata: Any, data: Any = None, extra_filters: Any = None) -> None:  # noqa: ARG002
        placed: dict[str, str] = {}
        wrong: list[str] = []
        for card, name in self.names:
            if formdata and formdata.get(name):
                try:
                    placed[card] = self._read(formdata[name])
                except ValidationError as error:
                    wrong = [str(error)]
        self.data, self.process_errors = placed, wrong


class Number(Field):
    """A whole number as somebody types it; `typed` keeps just that."""

    def __init__(self, *, least: int, most: int, message: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.least, self.most, self.message = least, most, message

    @property
    def typed(self) -> str:
        if self.raw_data:
            return str(self.raw_data[0])
        return "" if self.data is None else str(self.data)

    def process_formdata(self, valuelist: list[str]) -> None:
        text = valuelist[0].strip() if valuelist else ""
        self.data = None
        if text:
            self.data = self._read(text)

    def _read(self, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10) or not self.least <= int(text) <= self.most:
            raise ValidationError(self.message)
        return int(text)


class Token(HiddenField):
    """What tells one filled-in form from another, so that the same form sent twice changes one thing."""

    def pre_validate(self, form: Any) -> None:  # noqa: ARG002  (as WTForms calls it)
        if not self.data or len(self.data) > LONGEST_TOKEN or not self.data.isascii():
            raise ValidationError("This page is not whole. Open it again.")

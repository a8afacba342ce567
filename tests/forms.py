"""Parse the forms of a page."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin


@dataclass
class Form:
    """A form of a page: URL, method, and the possible values of each field."""

    address: str
    method: str = "GET"
    fields: dict[str, list[str]] = field(default_factory=dict)

    def where(self) -> str:
        """Name of the parameter of Werkzeug's test client for the fields."""
        return "data" if self.method == "POST" else "query_string"


def forms_of(page: str, address: str) -> list[Form]:
    """Return the forms of a page found at `address`, except those that lead to another server."""
    parser = _Forms(address)
    parser.feed(page)
    return [form for form in parser.found if form.address.startswith("/")]


class _Forms(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.found: list[Form] = []
        self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = urljoin(self.address, told.get("action", ""))
            self.found.append(Form(action, told.get("method", "get").upper()))
        elif tag in ("input", "button", "textarea", "select") and self.found and told.get("name"):
            values = self.found[-1].fields.setdefault(told["name"], [])
            values += [] if tag == "select" else [told.get("value", "")]
            self.select = told["name"] if tag == "select" else ""
        elif tag == "option" and self.select:
            self.found[-1].fields[self.select].append(told.get("value", ""))

"""A page as a user sees it: its text, its controls, and the effect of a tap.

There are two screens: `Sketch` simulates a browser with Flask's test client; `Glass` is a real browser. Person (in
person.py) uses both through the protocol `Screen` only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Protocol
from urllib.parse import urljoin

from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from werkzeug.datastructures import MultiDict

from tests.browser.phone import PASS_THE_MOMENT, go, to_another_page, until

TOKEN = re.compile(
    r"<!--.*?-->|<(script|style|textarea)\b((?:[^\"'>]|\"[^\"]*\")*)>(.*?)</\1>"
    r"|<(/?)([a-zA-Z][\w-]*)((?:[^\"'>]|\"[^\"]*\"|'[^']*')*)>|([^<]+)",
    re.S,
)
ATTRIBUTE = re.compile(r"([^\s=\"'/]+)(?:=\"([^\"]*)\")?")
FORM = re.compile(r"<form id=\"hand\".*?</form>", re.S)
UNSEEN = re.compile(r"<input type=\"hidden\" name=\"(?:csrf_token|token|was)\"[^>]*>")
EMPTY = {"input", "br", "meta", "link", "img", "hr", "wbr", "source", "path", "use"}
TAPPED = {"input", "button", "a", "summary", "textarea", "select"}


@dataclass(eq=False, slots=True)
class Node:
    """An element of a page: its tag, attributes, child elements, and `words`, text and elements in order."""

    tag: str
    told: dict[str, str] = field(default_factory=dict)
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    words: list[str | Node] = field(default_factory=list)

    def get(self, name: str) -> str:
        return self.told.get(name, "")

    @property
    def css(self) -> list[str]:
        return self.get("class").split()

    def all(self) -> Iterator[Node]:
        """All descendants in document order."""
        left = self.children[::-1]
        while left:
            node = left.pop()
            yield node
            left += node.children[::-1]

    def above(self) -> Iterator[Node]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def find(self, **told: str) -> Node | None:
        """The first descendant with these attributes; `tag` is its tag."""
        return next(self.each(**told), None)

    def each(self, tag: str = "", **told: str) -> Iterator[Node]:
        for node in self.all():
            if (not tag or node.tag == tag) and all(node.get(name) == value for name, value in told.items()):
                yield node

    def of_class(self, name: str) -> Iterator[Node]:
        return (node for node in self.all() if name in node.css)

    def text(self) -> str:
        """The text content, with white space collapsed."""
        return " ".join(self._text().split())

    def _text(self) -> str:
        return "".join(word if isinstance(word, str) else word._text() for word in self.words)


def parse(html: str) -> Node:
    """Parse HTML as far as the tests need it."""
    root = here = Node("page")
    for found in TOKEN.finditer(html):
        raw, raw_told, raw_text, end, tag, told, text = found.groups()
        if text is not None:
            here.words.append(unescape(text))
        elif raw == "textarea":
            _put(here, raw, raw_told).words.append(unescape(raw_text))
        elif tag and end:
            if any(node.tag == tag for node in (here, *here.above())):
                while here.tag != tag:
                    here = here.parent or root
                here = here.parent or root
        elif tag:
            node = _put(here, tag, told)
            if tag not in EMPTY:
                here = node
    return root


def _put(here: Node, tag: str, told: str) -> Node:
    found = ATTRIBUTE.findall(told)
    node = Node(tag, {name: unescape(value) if "&" in value else value for name, value in found}, here)
    here.children.append(node)
    here.words.append(node)
    return node


def form_in(html: str) -> str:
    """The HTML of the hand's form, without the parts that differ in every response."""
    found = FORM.search(html)
    return UNSEEN.sub("", found[0]) if found else ""


def is_shown(node: Node) -> bool:
    """True if a control can be tapped, by the attributes and classes of the control and its ancestors."""
    if "data-unseen" in node.told or "hidden" in node.told or "disabled" in node.told or node.get("type") == "hidden":
        return False
    if "vh" in node.css or node.get("aria-disabled") == "true":
        return False
    inner = node
    for outer in node.above():
        if "hidden" in outer.told or "vh" in outer.css or outer.tag == "noscript":
            return False
        if outer.tag == "details" and "open" not in outer.told and inner.tag != "summary":
            return False
        if "fold" in outer.css and outer.parent and "settled" not in outer.parent.css:
            return False
        if ("part" in outer.css or "strip" in outer.css) and outer.parent and is_folded(outer.parent):
            return False
        inner = outer
    return "at" not in (node.parent.css if node.parent else ()) or _lies_on_top(node)


def is_folded(block: Node) -> bool:
    if "settled" not in block.css:
        return False
    fold = next((child for child in block.children if "fold" in child.css), None)
    return fold is not None and not any("checked" in box.told for box in fold.each(tag="input"))


def _lies_on_top(node: Node) -> bool:
    """True for the top radio of a card: the one of the chosen pile, or the one that removes the card from it."""
    laid = next(outer for outer in node.above() if "laid" in outer.css)
    pile = next((box.get("class") for box in laid.each(tag="input", name="pile") if "checked" in box.told), "")
    here = any("checked" in box.told and box.get("class") == pile for box in node.parent.children)  # type: ignore[union-attr]
    return node.get("class") == ("none" if here else pile)


class Screen(Protocol):
    """A page open in a browser, or in a simulated one."""

    page: Node
    form: str  # of a hand, as sent by the server or present in the browser
    looks: int  # number of times the page was read

    def open(self, address: str) -> None: ...
    def tap(self, node: Node, text: str = "") -> None: ...


# --- a simulated browser ------------------------------------------------------------------------------------------


class Sketch:
    """A browser simulated by Flask's test client, without layout; executes the htmx attributes of the pages."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.page = Node("page")
        self.form = self.address = ""
        self.looks = 0
        self._open: set[str] = set()  # the details elements that are open

    def open(self, address: str) -> None:
        self._show(self.client.get(address))

    def _show(self, answer: object) -> None:
        while answer.status_code in (302, 303):  # type: ignore[attr-defined]
            answer = self.client.get(answer.location)  # type: ignore[attr-defined]
        self.address = answer.request.path  # type: ignore[attr-defined]
        assert answer.status_code < 500, self.address  # type: ignore[attr-defined]
        self._read(answer.text)  # type: ignore[attr-defined]
        self.page = parse(answer.text)  # type: ignore[attr-defined]
        self._open.clear()

    def _read(self, html: str) -> None:
        self.form = form_in(html)
        self.looks += 1

    def tap(self, node: Node, text: str = "") -> None:
        assert is_shown(node), node.told
        kind = node.get("type") or node.tag
        if node.tag == "summary":
            self._toggle(node.parent)
        elif node.tag == "a":
            self.open(urljoin(self.address, node.get("href")))
        elif node.tag == "button":
            self._press(node)
        elif kind == "radio":
            self._choose(node)
        else:
            self._change(node, text)

    def _toggle(self, details: Node | None) -> None:
        if "open" in details.told:
            del details.told["open"]
            self._open.discard(details.get("id"))
        else:
            details.told["open"] = ""
            self._open.add(details.get("id"))

    def _choose(self, radio: Node) -> None:
        if "checked" in radio.told:
            return
        form = self._form_of(radio)
        for other in form.each(tag="input", type="radio", name=radio.get("name")):
            other.told.pop("checked", None)
        radio.told["checked"] = ""
        self._send_change(form)

    def _change(self, node: Node, text: str) -> None:
        if node.get("type") == "checkbox":
            if "checked" in node.told:
                del node.told["checked"]
            else:
                node.told["checked"] = ""
        else:
            node.told["value"] = text
        self._send_change(self._form_of(node))

    def _send_change(self, form: Node) -> None:
        if form.get("hx-post"):
            self._preview(form, form.get("hx-post"), [])

    def _press(self, button: Node) -> None:
        if button.get("type") == "button":
            return
        form = self._form_of(button)
        own = [(button.get("name"), button.get("value"))] if button.get("name") else []
        if button.get("hx-post"):
            self._preview(form, button.get("hx-post"), own)
        else:
            action = form.get("action") or self.address
            self._show(self.client.post(action, data=MultiDict([*self._fields(form), *own])))

    def _form_of(self, node: Node) -> Node:
        if node.get("form"):
            form = self.page.find(tag="form", id=node.get("form"))
        else:
            form = next((outer for outer in node.above() if outer.tag == "form"), None)
        assert form is not None, node.told
        return form

    def _fields(self, form: Node) -> list[tuple[str, str]]:
        sent = []
        for node in form.each():
            if not node.get("name") or "disabled" in node.told:
                continue
            if node.tag == "input" and (node.get("type") not in ("radio", "checkbox") or "checked" in node.told):
                sent.append((node.get("name"), node.get("value")))
            elif node.tag == "textarea":
                sent.append((node.get("name"), node.text()))
        return sent

    def _preview(self, form: Node, address: str, own: list[tuple[str, str]]) -> None:
        headers = {"HX-Request": "true"}
        answer = self.client.post(address, data=MultiDict([*self._fields(form), *own]), headers=headers)
        if answer.status_code == 204:
            return
        self._read(answer.text)
        assert answer.status_code in (200, 422), (answer.status_code, answer.text[:500])
        new = parse(answer.text).find(tag="form", id=form.get("id"))
        assert new is not None and form.parent is not None, answer.text[:500]
        for row in (form.parent.children, form.parent.words):
            row[row.index(form)] = new
        new.parent = form.parent
        for details in new.each(tag="details"):
            if details.get("id") in self._open:
                details.told["open"] = ""


# --- a real browser -----------------------------------------------------------------------------------------------

# The page's HTML with its current state: checked and typed values as attributes, invisible controls marked.
ALL_TAPPED = ",".join(sorted(TAPPED))
READ = """(all) => {
  const copy = document.body.cloneNode(true), copies = copy.querySelectorAll(all);
  document.body.querySelectorAll(all).forEach((one, n) => {
    const other = copies[n];
    if (one.type === "radio" || one.type === "checkbox") other.toggleAttribute("checked", one.checked);
    else if (one.tagName === "INPUT") other.setAttribute("value", one.value);
    const { width, height } = one.getBoundingClientRect();
    const seen = one.checkVisibility({ visibilityProperty: true }) && width > 2 && height > 2;
    if (!seen || one.disabled || one.closest(".vh, [inert]")) other.setAttribute("data-unseen", "");
    other.setAttribute("data-n", n);
  });
  return copy.outerHTML;
}"""


# A tap returns before the browser dispatches the click; wait until the click's handlers have run.
WAIT_FOR_CLICK = """() => {
  window.isClicked = false;
  addEventListener("click", () => setTimeout(() => { window.isClicked = true; }), { once: true, capture: true });
}"""


class Glass:
    """A real browser that runs the real scripts against a real server."""

    def __init__(self, page: Page) -> None:
        self.window = page
        self.page = Node("page")
        self.form = ""
        self.looks = 0

    def open(self, address: str) -> None:
        go(self.window, address)
        self._read()

    def _read(self) -> None:
        html = self.window.evaluate(READ, ALL_TAPPED)
        self.page, self.form = parse(html), form_in(html)
        self.looks += 1

    def tap(self, node: Node, text: str = "") -> None:
        control = self.window.locator("body").locator(ALL_TAPPED).nth(int(node.get("data-n")))
        control.scroll_into_view_if_needed()
        self.window.evaluate(PASS_THE_MOMENT)
        if node.tag == "input" and node.get("type") in ("text", ""):
            control.fill(text)
            control.blur()
        elif node.tag == "a" or (node.tag == "button" and not node.get("hx-post") and node.get("type") != "button"):
            with to_another_page(self.window):
                control.tap()
        else:
            self.window.evaluate(WAIT_FOR_CLICK)
            control.tap()
            until(self.window, "() => window.isClicked")
        expect(self.window.locator("#hand:is(.htmx-request, .htmx-added)")).to_have_count(0)
        self._read()

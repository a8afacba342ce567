"""Print every sentence and word that the program shows, with its place: `make strings`, or `python -m tools.strings`.

For proofreading. It extracts the text of templates (with labels, titles and placeholders), and string literals in
Python, JavaScript and rule sets that look like words, rather too many than too few. Braces stand for inserted values.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, nodes

ROOT = Path(__file__).parent.parent
FILLED = "{…}"
ATTRIBUTES = ("aria-label", "alt", "content", "label", "placeholder", "title")
RULE_SET_KEYS = ("family", "name", "summary", "label", "sentence", "source", "notes")
# Modules whose strings are for engineers only, or never shown.
SILENT = (
    "migrations",
    "simulator",
    "charts/drawing.py",
    "web/common/security.py",
    "web/common/assets.py",
    "database/session.py",
    "config.py",
    "models.py",
    "transfer/columns.py",
)
# Attributes that a block or a macro puts into a tag opened by another template.
ATTRIBUTES_ALONE = re.compile(r"\A\s*([a-z:-]+=\"[^\"]*\"\s*)+\Z")
WORD_FOLLOWS = ("{{", "{{-", "else", "or", "~")
ENGINEERS_ERRORS = ("AttributeError", "TypeError", "LookupError")
# Modules in which single words may be shown.
WORDING = (
    "web/common/club_changes.py",
    "explaining.py",
    "web/common/numbers.py",
    "web/common/words.py",
    "web/common/narrator.py",
    "messages.py",
    "scoring/rules/words.py",
    "scoring/cards.py",
    "charts/lines.py",
)


class Visible(NamedTuple):
    """A piece of text that users may read, and its place."""

    path: str
    line: int
    text: str


def visible_strings() -> Iterator[Visible]:
    """Yield all texts, template by template and module by module."""
    for path in _files("templates", "*.html"):
        yield from in_template(path)
    for path in _files("scorekeeper", "*.py"):
        if not any(part in path.as_posix() for part in SILENT):
            yield from in_python(path)
    for path in _files("scorekeeper", "*.toml"):
        yield from in_rule_set(path)
    for path in _files("static", "*.js"):
        if "vendor" not in path.parts:
            yield from in_script(path)


def _files(folder: str, pattern: str) -> list[Path]:
    return sorted((ROOT / folder).rglob(pattern))


def _visible(path: Path, line: int, text: str) -> Iterator[Visible]:
    """Yield the text on one line, if it contains a letter."""
    words = " ".join(text.split())
    if re.search("[A-Za-z]", words.replace(FILLED, "")):
        yield Visible(path.relative_to(ROOT).as_posix(), line, words)


# --- templates ----------------------------------------------------------------------------------------------------


def in_template(path: Path) -> Iterator[Visible]:
    """Yield a template's text, and the text in its expressions, line by line."""
    source = path.read_text(encoding="utf-8")
    page = _Page()
    page.feed(_without_jinja(source))
    page.close()
    found = {*page.found, *_in_expressions(source), *_words_between_tags(source)}
    for line, text in sorted(place for place in found if not ATTRIBUTES_ALONE.match(place[1])):
        yield from _visible(path, line, text)


def _without_jinja(source: str) -> str:
    """Return only the HTML, with FILLED for expressions, and with all line breaks."""
    kept, filling = [], False
    # Without whitespace control, which would remove line breaks.
    for _, kind, text in Environment().lex(re.sub(r"(?<=\{[{%#])-|-(?=[}%#]\})", " ", source)):
        filling = filling or kind == "variable_begin"
        if kind == "data":
            kept.append(ATTRIBUTES_ALONE.sub(lambda found: "\n" * found[0].count("\n"), text))
        else:
            kept.append("\n" * text.count("\n"))
        if kind == "variable_end" and filling:
            kept.append(FILLED)
            filling = False
    return "".join(kept)


class _Page(HTMLParser):
    """Collects a page's text by line: text between block-level tags, and some attributes."""

    INLINE = frozenset({"a", "b", "br", "i", "time"})
    HIDDEN = frozenset({"script", "style"})

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self._text, self._line, self._hidden = "", 0, False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._begin(tag)
        self._hidden = tag in self.HIDDEN
        told = dict(attrs)
        if tag == "meta" and told.get("name") != "description":
            return
        self.found += [(self.getpos()[0], told[name] or "") for name in ATTRIBUTES if name in told]

    def handle_endtag(self, tag: str) -> None:
        self._begin(tag)
        self._hidden = False

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        if not self._text.strip():
            self._text = ""
            self._line = self.getpos()[0] + len(data[: len(data) - len(data.lstrip())].splitlines()[1:])
        self._text += data

    def close(self) -> None:
        super().close()
        self._begin("")

    def _begin(self, tag: str) -> None:
        if tag in self.INLINE:
            self._text += " " if tag in ("a", "br") else ""
            return
        self.found.append((self._line, self._text))
        self._text = ""


def _in_expressions(source: str) -> Iterator[tuple[int, str]]:
    """Yield string literals in a template's expressions that look like words."""
    for node in Environment().parse(source).find_all(nodes.Const):
        if isinstance(node.value, str) and not _is_markup(node.value) and _looks_like_words(node.value):
            yield node.lineno, node.value


def _words_between_tags(source: str) -> Iterator[tuple[int, str]]:
    """Yield single words in quotes in expressions between tags, such as "made" or "set"."""
    in_tag, before = False, ""
    for line, kind, text in Environment().lex(source):
        word = text.strip("\"' ")
        if kind == "data":
            in_tag = text.rfind("<") > text.rfind(">") or (in_tag and ">" not in text)
        elif kind == "string" and not in_tag and before in WORD_FOLLOWS and re.fullmatch(r"[a-z]{2,}", word):
            yield line, word
        if kind != "whitespace":
            before = text


def _is_markup(text: str) -> bool:
    """True for CSS class names, or attributes of a tag."""
    return _is_css(text) or bool(re.match(r"\s*[a-z:-]+=[\x22']", text))


def _is_css(text: str) -> bool:
    return all(re.fullmatch(r"[a-z0-9:=_-]+", word) for word in text.split()) and set(text.split()) <= _classes()


def _classes() -> set[str]:
    """Return the class names in the stylesheets."""
    if not _CLASSES:
        for path in _files("static", "*.css"):
            _CLASSES.update(re.findall(r"\.([a-z][\w-]*)", path.read_text(encoding="utf-8")))
    return _CLASSES


_CLASSES: set[str] = set()


# --- Python, rule sets, scripts -----------------------------------------------------------------------------------


def in_python(path: Path) -> Iterator[Visible]:
    """Yield a module's string literals, except those only for engineers: docstrings and identifiers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = set(_never_shown(tree))
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.JoinedStr)]
    spoken = path.name in ("messages.py", "words.py", "narrator.py", "club_changes.py")
    single = any(part in path.as_posix() for part in WORDING)
    for node in sorted(texts, key=lambda node: (node.lineno, node.col_offset)):
        text = _text_of(node)
        if id(node) in skipped or (not spoken and _is_css(text.replace(FILLED, "").replace("-", " "))):
            continue
        if _looks_like_words(text) or (single and re.fullmatch(r"[A-Za-z’']{2,}", text)):
            yield from _visible(path, node.lineno, text)


def _text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text_of(part) or FILLED for part in node.values)
    return ""


def _never_shown(tree: ast.AST) -> Iterator[int]:
    """Yield the ids of docstrings, parts of f-strings (shown as a whole), annotations, log messages, and keys."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value)
        for top in filter(None, _hidden_in(node)):
            yield from (id(inner) for inner in ast.walk(top) if isinstance(inner, ast.Constant))


def _hidden_in(node: ast.AST) -> list[ast.AST | None]:
    """Return the parts of a statement or an expression whose text is never shown."""
    if isinstance(node, ast.JoinedStr):
        return [part if isinstance(part, ast.Constant) else getattr(part, "format_spec", None) for part in node.values]
    if isinstance(node, ast.arg | ast.AnnAssign):
        return [node.annotation]
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if isinstance(key, ast.Constant) and not str(key.value)[:1].isupper()]
    return [node] if _is_for_engineers(node) else []


def _is_for_engineers(node: ast.AST) -> bool:
    """True for `__all__`, an internal error, or a log message."""
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "__all__"
    if isinstance(node, ast.Raise):
        return isinstance(node.exc, ast.Call) and ast.unparse(node.exc.func) in ENGINEERS_ERRORS
    return isinstance(node, ast.Call) and "logger" in ast.unparse(node.func)


def _looks_like_words(text: str) -> bool:
    """True if it may be a sentence or a title, and not a key, an address or a pattern."""
    if text.startswith(f"M{FILLED}"):  # an SVG path
        return False
    if re.search(r"[<>\\^]|=[\x22=]|://|^\w+\.\w+|_|\w=|\(\?:|\{\w*\}\S*\{", text.replace(FILLED, "")):
        return False
    return bool(re.search(r"[A-Za-z]{2,}.* .*[A-Za-z]|^[A-Z][a-z]+[.?!:]?$", text.replace(FILLED, "Ann")))


def in_rule_set(path: Path) -> Iterator[Visible]:
    """Yield the names and sentences of a rule set and its house rules."""
    source = path.read_text(encoding="utf-8")
    for text in _texts(tomllib.loads(source)):
        at = source.find(text[:30])
        yield from _visible(path, source[: max(at, 0)].count("\n") + 1, text)


def _texts(table: Any) -> Iterator[str]:
    values = table.items() if isinstance(table, dict) else enumerate(table if isinstance(table, list) else ())
    for key, value in values:
        if isinstance(value, str) and key in RULE_SET_KEYS:
            yield value
        elif isinstance(value, dict | list):
            yield from _texts(value)


def in_script(path: Path) -> Iterator[Visible]:
    """Yield string literals in a script that look like words."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for text in re.findall(r"[\"'`]([A-Z][^\"'`]* [^\"'`]*)[\"'`]", line.partition("//")[0]):
            yield from _visible(path, number, text)


def main() -> None:
    for path, line, text in visible_strings():
        sys.stdout.write(f"{path}:{line}: {text}\n")


if __name__ == "__main__":
    main()

"""Extract content from a page's HTML by its tags alone."""

import re
from html import unescape

Rows = list[list[str]]


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def part(html: str, beginning: str, end: str) -> str:
    _, _, rest = html.partition(beginning)
    return rest.partition(end)[0]


def texts(html: str, pattern: str) -> list[str]:
    return [text(found) for found in re.findall(pattern, html, re.S)]


def figures(html: str) -> list[tuple[str, str, Rows]]:
    """Title, summary and table rows of each figure."""
    found = []
    for figure in re.findall(r"<figure.*?</figure>", html, re.S):
        (title,), (words,) = texts(figure, r"<b[^>]*>(.*?)</b>"), texts(figure, r'<span class="hint">(.*?)</span>')
        found.append(
            (
                title,
                words,
                [texts(row, r"<t[hd][^>]*>(.*?)</t[hd]>") for row in re.findall(r"<tr>(.*?)</tr>", figure, re.S)],
            )
        )
    return found

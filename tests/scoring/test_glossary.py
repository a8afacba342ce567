"""docs/glossary.md: every module that it names exists, with what it names there, and each word stands once."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?!word |-)([^|]*) \| ([^|]*) \| ([^|]*) \|$", GLOSSARY, re.MULTILINE)


def test_there_are_words_each_once() -> None:
    words = [word.strip() for words, _, _ in ROWS for word in words.split(",")]
    assert len(words) >= 40
    assert sorted(set(words)) == sorted(words)


def test_where_each_word_is_in_the_code() -> None:
    for word, _, where in ROWS:
        look_up(word, where)


def look_up(word: str, where: str) -> None:
    quoted = re.findall(r"`([^`]+)`", where)
    assert quoted, word
    source = ""
    for name in quoted:
        if name.endswith((".py", ".md", ".html", ".js", ".css")):
            path = ROOT / name if name.startswith(("docs/", "templates/", "static/")) else ROOT / "scorekeeper" / name
            assert path.is_file(), f"{word}: there is no {name}"
            source = path.read_text(encoding="utf-8")
            continue
        for part in name.split("."):
            found = re.search(rf"^ *(class|def) {part}\b|^ *(self\.)?{part}\b *[:=]", source, re.MULTILINE)
            assert found, f"{word}: there is no {name} there"

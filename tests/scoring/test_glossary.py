"""docs/glossary.md: each word is listed once, with a meaning."""

import re
from pathlib import Path

GLOSSARY = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^- \*\*(.*?)\*\*: (.+)$", GLOSSARY, re.MULTILINE)


def test_there_are_words_each_once() -> None:
    words = [word.strip() for words, _ in ROWS for word in words.split(",")]
    assert len(words) >= 40
    assert sorted(set(words)) == sorted(words)
    assert len(ROWS) == GLOSSARY.count("\n- ")

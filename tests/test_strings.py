"""The list of visible strings is complete: every template, and every kind of text."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import database_url  # noqa: F401 - on one database
from tests.web.site import NAMES, Site
from tools.strings import ROOT, in_python, in_template, visible_strings


@pytest.fixture(scope="module")
def listed() -> dict[str, set[str]]:
    """Texts by path of the file."""
    found: dict[str, set[str]] = {}
    for path, _, text in visible_strings():
        found.setdefault(path, set()).add(text)
    return found


def test_every_template_with_words_of_its_own_is_in_it(listed: dict[str, set[str]]) -> None:
    """Templates without texts of their own are listed here."""
    wordless = {
        path for path in map(str, (ROOT / "templates").rglob("*.html")) if path[len(str(ROOT)) + 1 :] not in listed
    }
    assert {Path(path).name for path in wordless} <= {
        "_chance_line.html", "_head.html", "_now.html", "_flash.html", "cards.html", "columns.html", "forms.html",
        "live.html",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("templates/clubs/home.html", "Club name"),  # a text node
        ("templates/clubs/home.html", "Friday table"),  # a placeholder
        ("templates/clubs/_club.html", "Same players, same rules: {…} · {…} · {…} deals"),
        ("templates/clubs/_club.html", "Play again"),  # an argument of a macro
        ("templates/clubs/games.html", "More games"),  # an aria-label
        ("templates/macros/navigation.html", "Menu"),
        ("scorekeeper/web/common/fields.py", "Use at most {…} letters."),
        ("scorekeeper/commands.py", "the port to listen on (default: 8000)"),
    ],
)
def test_a_known_text_is_in_it(listed: dict[str, set[str]], place: str, text: str) -> None:
    assert text in listed[place]


def test_an_apostrophe_on_a_page_is_a_curly_one(listed: dict[str, set[str]]) -> None:
    pages = ("templates", "scorekeeper/web", "scorekeeper/undo", "scorekeeper/transfer/paper")
    on_pages = {text for path, texts in listed.items() if path.startswith(pages) for text in texts}
    assert [text for text in on_pages if re.search(r"'(s|t|re)\b", text)] == []


@pytest.mark.parametrize("place", [
    "web/common/narrator.py", "web/rulebook/messages.py", "web/common/errors.py", "transfer/matching.py",
    "scoring/record.py", "scoring/rules/classic.toml", "services/hands.py", "serving/serve.py",
])  # fmt: skip
def test_every_kind_of_sentence_is_in_it(listed: dict[str, set[str]], place: str) -> None:
    assert any(" " in text for text in listed[f"scorekeeper/{place}"])


def test_a_text_stands_in_the_line_that_is_said() -> None:
    source = (ROOT / "templates/clubs/home.html").read_text(encoding="utf-8").splitlines()
    lines = {text: line for _, line, text in in_template(ROOT / "templates/clubs/home.html")}
    assert "Start the club" in source[lines["Start the club"] - 1]
    assert "No sign-up." in source[next(line for text, line in lines.items() if text.startswith("No sign-up.")) - 1]


def test_what_only_engineers_read_is_not_in_it() -> None:
    texts = [text for _, _, text in in_python(ROOT / "scorekeeper/web/clubs/views.py")]
    assert not [text for text in texts if re.search("double tap|clubs/home|url_for", text)]


class Texts(HTMLParser):
    """Collects the texts and labels of a page, except URLs and the JSON of a game record."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        self.found |= {value or "" for name, value in attrs if name in ("aria-label", "placeholder", "title")}

    def handle_data(self, data: str) -> None:
        if self.inside not in ("script", "style", "pre") and "://" not in data:
            self.found.add(data)


NOT_OURS = {*map(str.lower, NAMES), "friday", "table", "league"}  # entered by this test


def words_of(text: str) -> set[str]:
    """Return the words of a text, without capitals at their beginning; possessives count as the name."""
    words = re.findall(r"[A-Za-z][A-Za-z’]+", text.replace("'", "’"))
    return {f"{word[0].lower()}{word[1:]}".removesuffix("’s") for word in words}


@pytest.fixture
def played(client: FlaskClient) -> Site:
    """A club with a finished game, and one with a hand and an adjustment."""
    site = Site(client)
    site.start_club()
    site.start_game("classic", target="3")
    site.post_hand()
    site.start_game("classic")
    site.post_hand()
    return site


PLACES = (
    "", "games/2/", "games/1/", "games/2/history", "games/2/hands/new", "games/2/hands/1/", "games/2/board",
    "games/1/story", "games/2/record", "games/new", "standings", "standings/records", "standings/partners", "players/",
    "seasons/new", "transfers/", "/rules/west-michigan-5", "/rules/partnership",
)  # fmt: skip


def test_every_word_of_a_page_is_in_it(played: Site, listed: dict[str, set[str]]) -> None:
    known = NOT_OURS | {word for texts in listed.values() for text in texts for word in words_of(text)}
    for place in PLACES:
        page = played.client.get(place if place.startswith("/") else f"{played.club}{place}", follow_redirects=True)
        assert page.status_code == 200, place
        reader = Texts()
        reader.feed(page.text)
        seen = {text for text in reader.found if words_of(text)}
        assert len(seen) > 10, place
        assert {text: missing for text in seen if (missing := words_of(text) - known)} == {}, place


def test_attributes_and_names_of_classes_are_not_in_it(listed: dict[str, set[str]]) -> None:
    texts = {text for texts in listed.values() for text in texts}
    assert not {text for text in texts if re.search(r"[a-z]=\"|^(Piles|Taken|Counted|Refused|Lax|SET NULL)$", text)}

"""Check stories, records, awards and nights of four clubs sentence by sentence; SCOREKEEPER_CLAIMS=104 checks all.

The modules beside this one parse the pages and recompute the claims, sharing no code with the program.
"""

import os
import re
import shutil

import pytest

from scorekeeper import create_app
from scorekeeper.transfer.club_writer import write_club
from tests.claims import clubs, feats, night, page
from tests.claims.book import Book
from tests.claims.feats import FeatCheck
from tests.claims.story import StoryCheck
from tests.claims.table import Table
from tests.web.phones import phone

WANTED = int(os.environ.get("SCOREKEEPER_CLAIMS", "6"))
SOME = len(clubs.CLUBS) * clubs.GAMES > WANTED
NUMBERS = [2] if SOME else range(len(clubs.CLUBS))


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: clubs.CLUBS[number].name)
def test_every_sentence_of_a_club_is_so(tmp_path, migrated_sqlite, number):
    shutil.copy(migrated_sqlite, tmp_path / "scorekeeper.sqlite")
    app = create_app({"INSTANCE": tmp_path})
    with app.app_context():
        club = clubs.fill(number, nights=2 if SOME else clubs.NIGHTS)
        key, book = club.key, Book("".join(write_club(club)))
        seasons = {season.uid: season.id for season in club.seasons}
    home = f"/c/{key}/"
    client = phone(app, home)
    check_feats(book, home, client, seasons)
    check_nights(book, home, client, seasons)
    said = set()
    for game in book.games[: WANTED if SOME else None]:
        story = StoryCheck(book, game)
        check_story(story, client.get(f"{home}games/{game.number}/story").text)
        said |= story.said
    assert SOME or said.issuperset(clubs.CLUBS[number].endings)


def check_feats(book, home, client, seasons):
    """Check the records of all games, of each rule set and up to a day, and each season's records and awards."""
    rules = dict.fromkeys(game.rules["id"] for game in book.games if game.counts and game.hands)
    until = book.games[len(book.games) // 2].day
    choices = {f"rules={one}": [game for game in book.games if game.rules["id"] == one] for one in rules}
    choices |= {"": book.games, f"to={until}": [game for game in book.games if game.day <= until]}
    for asked, games in choices.items():
        FeatCheck(book, games).check(client.get(f"{home}standings/records?{asked}").text)
    for uid, number in seasons.items():
        games = book.of_season(uid)
        FeatCheck(book, games, book.seasons[uid]).check(client.get(f"{home}seasons/{number}/records").text)


def check_nights(book, home, client, seasons):
    """Check each night's story, and the places on the table's page as of that night."""
    tables = {f"{home}standings": (book.games, Table(book, book.games))}
    for uid, number in seasons.items():
        games = book.of_season(uid)
        tables[f"{home}seasons/{number}/"] = games, Table(book, games, book.seasons[uid])
    for address, (games, table) in tables.items():
        played = [game for game in games if game.counts and not game.is_forfeit]
        for day in dict.fromkeys(game.day for game in played):
            html = client.get(f"{address}?to={day}").text
            (told,) = page.texts(html, r'<p class="story">(.*?)</p>')
            when, _, rest = told.partition(". ")
            assert when == feats.day(day)
            rest = night.check(rest, [game for game in played if game.day == day])
            table.check_story(day, rest.strip())
            rows = re.findall(
                r'<td class="place num">(.*?)</td>\s*<th scope="row"><span class="name">(.*?)</span>', html, re.S
            )
            table.check_rows(day, [(page.text(place), page.text(name)) for place, name in rows])


def check_story(story, html):
    """Check the sentences of a story, the basis of the chances, and the summaries and tables of both charts."""
    section = page.part(html, '<section id="_story">', "</section>")
    (told,) = page.texts(section, r'<p class="sheet">(.*?)</p>')
    story.check(told)
    pictures = {"Score by hand": story.check_score_chart, "Chance to win": story.check_chance_chart}
    shown = page.figures(section)
    assert len(shown) == (0 if not story.game.hands else 2 if story.has_chances else 1)
    for title, words, rows in shown:
        pictures[title](words, rows)
    for source in page.texts(section, r'<p class="hint">(.*?)</p>'):
        story.check_source(source)

"""Access control: all URLs with each kind of link, by real requests."""

import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorekeeper.database.session import db
from scorekeeper.models import MANAGE, SCORE, WATCH, Club, Link, Player, Season
from scorekeeper.services import club_log, custom_rules, links, seasons
from scorekeeper.services import players as player_service
from scorekeeper.stats.schemes import Scheme
from scorekeeper.web.common.scope import ANYBODY, NEEDS_BY_ENDPOINT, Needs
from tests.classic import player
from tests.transfer.clubs import exported
from tests.web.phones import held_by, key_in, phone, stranger
from tests.web.site import Site

NOBODY, OTHERS, REVOKED = "nobody", "another club's manage", "revoked"
GAME_WATCH, GAME_SCORE = "game watch", "game score"
# Values in URLs: game 1 with hand 1, a season and a player exist, the others do not.
VALUES: dict[str, Any] = {
    "number": 1, "position": 1, "seq": 99, "uid": "x", "what": "undo", "match": "x", "token": "x", "mark": "guest",
}  # fmt: skip
VALUES |= {"role": SCORE, "link": 99, "base": "classic"}
# These remove what other requests need.
GOES_LAST = ("games.delete", "seasons.delete", "clubs.delete", "clubs.take_back", "device.leave")
# These return 404 for missing objects, also to those who may see them.
NOT_THERE = {"seasons.move", "standings.say_who", "seasons.pick_game"}
NOT_THERE |= {
    "seasons.undo_bonus", "links.show", "links.revoke", "links.grant", "links.look_at_changes", "links.take_back",
}  # fmt: skip
NOT_THERE |= {"own_rules.show", "own_rules.file", "own_rules.delete"}


def missing(app: Flask) -> set[str]:
    """Return endpoints that are missing in the table or in the URL map."""
    return {rule.endpoint for rule in app.url_map.iter_rules()} ^ set(NEEDS_BY_ENDPOINT)


def test_every_address_has_a_row(app: Flask) -> None:
    assert missing(app) == set()


def test_an_address_without_a_row_is_found_and_answered_to_nobody(new_app: Flask) -> None:
    from flask import Blueprint

    from scorekeeper.web.common.scope import scoped

    added = scoped(Blueprint("added", __name__))
    added.add_url_rule("/c/<key>/added", "show", lambda: "shown")
    new_app.register_blueprint(added)
    new_app.add_url_rule("/c/<key>/unscoped", "unscoped", lambda key: "shown")
    assert missing(new_app) == {"added.show", "unscoped"}
    site = Site(new_app.test_client())
    for path in ("added", "unscoped"):
        with pytest.raises(LookupError):
            site.client.get(site.club + path)


def expected(needs: Needs, holder: str, rule: Rule) -> int:
    """Return the required status: 404 outside of one's club or game, 403 without the role, otherwise 200."""
    if holder in (NOBODY, OTHERS, REVOKED):
        return 404
    if holder in (GAME_WATCH, GAME_SCORE):
        if "number" not in rule.arguments:
            return 404
        enough = needs.in_game and (needs.role == WATCH or (needs.role == SCORE and holder == GAME_SCORE))
        return 200 if enough else 403
    order = [WATCH, SCORE, MANAGE]
    return 200 if order.index(holder) >= order.index(needs.role) else 403


@pytest.fixture
def browsers(app: Flask, table: Site) -> dict[str, FlaskClient]:
    """A client with each kind of link; `table` has a game with a hand."""
    table.post_hand()
    other = Site(app.test_client())
    other.start_club("Other club")
    revoked = phone(app, table.club, MANAGE)
    (uid,) = held_by(revoked)[key_in(table.club)]
    with app.app_context():
        links.revoke(db.session.scalars(select(Link).where(Link.uid == uid)).one())
        club = db.session.scalars(select(Club).where(Club.key == key_in(table.club))).one()
        seasons.begin(club, "Winter", date.today(), None, Scheme(by="points"))
    return {
        NOBODY: stranger(app),
        WATCH: phone(app, table.club, WATCH),
        SCORE: phone(app, table.club, SCORE),
        GAME_WATCH: phone(app, table.club, WATCH, game=1),
        GAME_SCORE: phone(app, table.club, SCORE, game=1),
        OTHERS: phone(app, other.club, MANAGE),
        REVOKED: revoked,
        MANAGE: phone(app, table.club, MANAGE),  # last, as its changes affect the others' requests
    }


def requests_of(app: Flask) -> Iterator[tuple[Rule, str]]:
    """Yield all URLs with each of their methods: first GET, then POST."""
    rules = [rule for rule in app.url_map.iter_rules() if NEEDS_BY_ENDPOINT[rule.endpoint] is not ANYBODY]
    rules.sort(key=lambda rule: GOES_LAST.index(rule.endpoint) if rule.endpoint in GOES_LAST else -1)
    for method in ("GET", "POST"):
        yield from ((rule, method) for rule in rules if method in (rule.methods or ()))


def test_every_address_with_every_kind_of_link(app: Flask, table: Site, browsers: dict[str, FlaskClient]) -> None:
    """Allowed requests reach the view, which returns a page or an error about the input."""
    key, wrong, tried = key_in(table.club), [], 0
    with app.app_context():
        season = db.session.scalars(select(Season)).one()
        here = VALUES | {"key": key, "season_id": season.id, "player_id": db.session.scalar(select(Player.id).limit(1))}
    for rule, method in requests_of(app):
        needs = NEEDS_BY_ENDPOINT[rule.endpoint]
        assert needs is not None
        address = app.url_map.bind("localhost").build(
            rule.endpoint, {name: here[name] for name in rule.arguments}, method=method
        )
        for holder, client in browsers.items():
            answer, wanted = client.open(address, method=method, buffered=True), expected(needs, holder, rule)
            tried += 1
            if not as_wanted(answer, wanted, rule):
                wrong.append((method, address, holder, answer.status_code, wanted))
    assert wrong == [], wrong
    assert tried > 800


def as_wanted(answer: TestResponse, wanted: int, rule: Rule) -> bool:
    if wanted == 200:  # the view was reached; it may refuse the input
        return answer.status_code not in (403, 404) or (answer.status_code == 404 and rule.endpoint in NOT_THERE)
    return answer.status_code == wanted


def test_nothing_of_a_club_is_under_the_address_of_another(app: Flask, table: Site) -> None:
    """Whoever manages both clubs asks the other one, which is empty, for all that the first has, by its numbers."""
    table.start_game(**{"name-1": "Quentin"})
    table.post_hand()
    other = Site(table.client)
    other.start_club("Other club")
    key, wrong = key_in(other.club), []
    with app.app_context():
        club, others = db.session.scalars(select(Club).order_by(Club.id)).all()
        season, theirs = (seasons.begin(one, "Winter", date.today(), None, Scheme()) for one in (club, others))
        own, quentin = custom_rules.save(club, "Marsh Lake", club.games[0].table), player("Quentin")
        player_service.rename(quentin, "Quinn")
        here = VALUES | {"key": key, "season_id": season.id, "player_id": quentin.id, "uid": own.uid, "number": 2}
        here |= {"seq": club_log.latest(club.id, None, 1)[0].seq, "link": db.session.scalar(select(Link.id))}
        moved, before = {"season": str(theirs.id)}, exported(club)
    assert table.client.post(f"{table.game}season", data=moved).status_code == 404
    for rule, method in requests_of(app):
        address = app.url_map.bind("localhost").build(
            rule.endpoint, {name: here[name] for name in rule.arguments}, method=method
        )
        data = table.hand(name="Quentin", other=1) if method == "POST" else None
        answer = table.client.open(address, method=method, data=data, buffered=True)
        is_there = answer.status_code not in ((303, 404) if method == "GET" else (404,))  # 303: to a page that is not
        is_found = is_there and rule.arguments & {"number", "season_id", "player_id", "link", "uid"}
        if is_found or (method == "GET" and re.search("Quentin|Quinn|Marsh Lake", answer.text)):
            wrong.append((method, address, answer.status_code))
    assert wrong == []
    with app.app_context():
        assert exported(db.session.scalars(select(Club).order_by(Club.id)).first()) == before


OFFERED = re.compile(r'(?:href|action|formaction|hx-get|hx-post)="(/c/[^"#]*)"')


def offered(app: Flask, page: str) -> Iterator[tuple[str, str]]:
    """Yield the club's URLs in a page, with their endpoints."""
    addresses = app.url_map.bind("localhost")
    for tag in re.findall(r"<(?:a|form|button|input|div|section|main)\b[^>]*>", page):
        method = "POST" if re.search(r'method="post"|formaction|hx-post', tag) else "GET"
        for address in OFFERED.findall(tag):
            yield address, addresses.match(unescape(address).partition("?")[0], method=method)[0]


@pytest.mark.parametrize("holder", [WATCH, SCORE, GAME_WATCH, GAME_SCORE])
def test_what_one_may_not_do_is_not_offered(app, table, browsers, holder) -> None:
    """On all pages that this kind of link opens: the club's, and those of an open and of a finished game."""
    for wins in ("3", "3"):
        table.start_game(**{"name-1": "Zoe"})
        for position in range(1, 4):
            table.post_hand(position=str(position), bid=wins)
    key, pages, wrong = key_in(table.club), 0, set()
    for rule in [rule for rule, method in requests_of(app) if method == "GET"]:
        for number in (1, 2):
            here = VALUES | {"key": key, "season_id": 1, "player_id": 1, "number": number, "role": SCORE, "link": 1}
            address = app.url_map.bind("localhost").build(rule.endpoint, {name: here[name] for name in rule.arguments})
            answer = browsers[holder].get(address, buffered=True)
            if answer.status_code == 200 and answer.mimetype == "text/html":
                pages += 1
                game = rule.arguments & {"number"} and number
                wrong |= {
                    (endpoint, rule.endpoint)
                    for offer, endpoint in offered(app, answer.text)
                    if not is_allowed(endpoint, holder, offer, game)
                }
    assert sorted(wrong) == [], sorted(wrong)
    assert pages > 5


def is_allowed(endpoint: str, holder: str, address: str, game: int | None) -> bool:
    needs = NEEDS_BY_ENDPOINT[endpoint]
    if needs is ANYBODY:
        return True
    if holder in (WATCH, SCORE):
        return needs.role == WATCH or needs.role == holder
    return needs.in_game and (needs.role == WATCH or holder == GAME_SCORE) and "/games/1/" in f"{address}/"

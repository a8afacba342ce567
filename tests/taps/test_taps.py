"""Games of every rule set tapped in by a simulated person, compared with the reference scorer.

SCOREKEEPER_TAPS is the number of whole games of each rule set, SCOREKEEPER_TAPS_FROM the number of the first; counts of
taps, comparisons and ignored taps are printed (`pytest -s`). In a real browser a game has few hands: there the scripts
and the stylesheet are tested.
"""

import os
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page

from scorekeeper.scoring.rules import catalogue
from tests.browser.phone import Phone
from tests.shapes import all_formats
from tests.taps.evening import MOST_HANDS, NAMES, Evening
from tests.taps.screen import Glass, Sketch
from tests.web.site import Site

GAMES = int(os.environ.get("SCOREKEEPER_TAPS", "1"))
HANDS = MOST_HANDS if "SCOREKEEPER_TAPS" in os.environ else 8  # per game
FIRST = int(os.environ.get("SCOREKEEPER_TAPS_FROM", "0"))
QUICK = {"west-michigan-5", "trinidad-all-fours"}  # one of each shape
IN_A_BROWSER = 2  # hands per game
every_rule_set = pytest.mark.parametrize(
    "rules", [pytest.param(one.id, marks=[] if one.id in QUICK else pytest.mark.slow) for one in catalogue()]
)


class Tally:
    """Counts summed over many games."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.ignored: Counter[str] = Counter()
        self.examples: dict[str, str] = {}

    def add(self, evening: Evening) -> None:
        self.counts += evening.count + Counter(games=1)
        self.ignored += evening.person.ignored
        self.examples |= {kind: said for kind, said in evening.person.examples.items() if kind not in self.examples}

    def say(self, name: str) -> None:
        """Print one line of counts, then each kind of ignored tap with an example of the taps before it."""
        if not self.counts:
            return
        print(f"\n{name}: {', '.join(f'{number} {what}' for what, number in sorted(self.counts.items()))}")
        for kind, number in self.ignored.items():
            print(f"  {number} ignored, {kind}: {self.examples[kind]}")


@pytest.fixture(scope="module")
def together() -> Iterator[Tally]:
    """The counts of all rule sets."""
    tally = Tally()
    yield tally
    tally.say("All rule sets")


@every_rule_set
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_tapped_is_what_is_scored_and_saved(client: FlaskClient, rules: str, together: Tally) -> None:
    tally = Tally()
    for number in range(FIRST, FIRST + GAMES):
        rng = Random(f"{rules} {number}")
        formats = [one for one in all_formats() if one[0].id == rules]
        table = formats[0] if rng.random() < 0.5 else rng.choice(formats)
        _, players, teams = table
        site = Site(client)
        fields = {f"name-{seat}": name for seat, name in enumerate(NAMES[:players], 1)}
        site.start_game(rules, players=str(players), teams=str(teams), dealer=str(players), **fields)
        evening = Evening(Sketch(client), rng, table, site.game, site.record)
        evening.play(HANDS)
        tally.add(evening)
        together.add(evening)
    tally.say(rules)
    assert not [kind for kind in tally.ignored if "told why" not in kind], tally.examples


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("rules", [one.id for one in catalogue()])
def test_so_it_is_in_a_real_browser(page: Page, rules: str, together: Tally) -> None:
    rng, table = Random(f"{rules} {FIRST} in a browser"), next(one for one in all_formats() if one[0].id == rules)
    Phone(page).start_game(rules, NAMES[: table[1]])
    game = page.url.removesuffix("hands/new")
    evening = Evening(Glass(page), rng, table, game, lambda: page.request.get(f"{game}game.json").json())
    evening.play(IN_A_BROWSER)
    tally = Tally()
    tally.add(evening)
    together.add(evening)
    tally.say(f"{rules} in a browser")
    assert not [kind for kind in tally.ignored if "told why" not in kind], tally.examples

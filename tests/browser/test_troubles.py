"""Database errors during hand entry: the page stays, shows the error, and goes on by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.phone import SIX, Phone, again
from tests.conftest import ROOT, serve


@pytest.fixture
def database(quick_path: Path) -> Path:
    return quick_path / "scorekeeper.sqlite"


@pytest.fixture
def live_server_url(database: Path) -> Iterator[str]:
    """URL of a separate server, whose database is moved away."""
    with serve(database.parent, PYTHONPATH=str(ROOT), SCOREKEEPER_HTMX_LOCAL="1") as url:
        yield url


def test_what_was_tapped_stays_while_the_database_file_is_gone(phone: Phone, database: Path) -> None:
    phone.start_game("classic", SIX[:4])
    page, elsewhere = phone.page, database.with_name("elsewhere.sqlite")
    says = page.locator("#says")
    phone.tap("#bidder-is-1")
    expect(says).to_contain_text("How much was bid?")
    database.rename(elsewhere)
    phone.tap("#bid-is-3")
    expect(says).to_have_text("The database file is gone. Put it back and save again.")
    phone.tap("#trump-is-H")
    expect(says).to_have_text("The database file is gone. Put it back and save again.")
    for chosen in ("#bidder-is-1", "#bid-is-3", "#trump-is-H"):
        expect(page.locator(chosen)).to_be_checked()
    elsewhere.rename(database)
    phone.tap("#point-low-is-B")
    expect(says).to_contain_text("Ann")
    for chosen in ("#bidder-is-1", "#bid-is-3", "#trump-is-H", "#point-low-is-B"):
        expect(page.locator(chosen)).to_be_checked()


@pytest.mark.slow
def test_a_hand_that_could_not_be_saved_is_sent_again_by_itself(phone: Phone, database: Path) -> None:
    phone.start_game("classic", SIX[:4])
    page, elsewhere = phone.page, database.with_name("elsewhere.sqlite")
    phone.tap("#bidder-is-1", "#bid-is-3", "#trump-is-H")
    expect(page.locator("#says")).to_contain_text("Ann")
    expect(page.locator("#save")).to_have_text("Save as is")  # no point was tapped
    database.rename(elsewhere)
    page.locator("#save").tap()
    expect(page.locator("#trouble")).to_have_text("The database file is gone. Put it back and save again.")
    expect(page.locator("#again")).to_have_text("This page tries again by itself.")
    elsewhere.rename(database)
    expect(page.locator("h1")).to_have_text("Hand 2")
    database.rename(elsewhere)
    again(page)
    expect(page.locator("#trouble")).to_have_text("The database file is gone. Put it back and reload the page.")
    elsewhere.rename(database)
    expect(page.locator("h1")).to_have_text("Hand 2")

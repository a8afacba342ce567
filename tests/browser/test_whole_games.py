"""Whole games on a phone, from the first bid to the winner; all scores are worked out by hand."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.phone import SIX, Hand, Phone

pytestmark = pytest.mark.browser

ANN, BO, CY, DI, ED, FLO = range(1, 7)


@pytest.fixture(params=["with script", "without script"])
def phone(request: pytest.FixtureRequest, new_context: Callable[..., BrowserContext]) -> Phone:
    script = request.param == "with script"
    return Phone(new_context(java_script_enabled=script).new_page(), script=script)


@pytest.fixture
def quick_phone(page: Page) -> Phone:
    return Phone(page)


def test_six_players_to_a_finish_in_which_both_sides_cross(phone: Phone) -> None:
    phone.start_game("west-michigan-6", SIX)

    # Seed 000 section 14.1: A takes High, Low, Right Jack, Right Joker and Game, B the left ones. 4 bid, 5 made.
    phone.play(Hand(ANN, 4, "H", {"left_jack": "B", "left_joker": "B"}, ["9C", "2D"]))
    assert phone.totals() == [5, 2]
    assert phone.dealer() == "Ann"

    # The Right Joker is buried, so there are six points; B takes three of them on a bid of 5 and is set:
    # 10.2, "subtracts B from its score", 2 - 5; section 10.2 also says that scores can go negative.
    phone.play(Hand(BO, 5, "S", {"high": "A", "left_jack": "A", "game": "A"}, ["XR", "8D"]))
    assert phone.totals() == [8, -3]

    # 9.5: "If there is a tie, no Game point is awarded." Three points each; 3 bid, 3 made.
    phone.play(Hand(CY, 3, "D", {"left_jack": "B", "right_joker": "B", "left_joker": "B", "game": "nobody"}))
    assert phone.totals() == [11, 0]
    assert phone.dealer() == "Cy"

    # 6.2: "or simply redeal the hand": no score, and Cy deals again.
    phone.all_passed()
    assert phone.totals() == [11, 0]
    assert phone.dealer() == "Cy"

    phone.play(Hand(DI, 6, "C", {"low": "A"}))  # six of seven points: 0 + 6, and 11 + 1
    assert phone.totals() == [12, 6]
    phone.play(Hand(FLO, 5, "H", {"left_jack": "A", "left_joker": "A"}))  # five and two
    assert phone.totals() == [14, 11]
    b_takes = dict.fromkeys(["right_jack", "right_joker", "left_joker", "game"], "B")
    phone.play(Hand(ANN, 2, "S", b_takes))  # three and four
    assert phone.totals() == [17, 15]

    # High and the Left Joker are buried and Game is tied: four points, three of them B's.
    phone.play(Hand(DI, 3, "S", {"right_joker": "A", "game": "nobody"}, ["AS", "XB"]))
    assert phone.totals() == [18, 18]

    # Both reach 21 in hand 9, A with more. Section 11: "the bidding team wins", which is Flo's.
    a_takes = dict.fromkeys(["left_jack", "right_joker", "left_joker", "game"], "A")
    phone.play(Hand(FLO, 3, "D", a_takes))
    assert phone.totals() == [22, 21]
    headline, reason = phone.winner()
    assert headline == "Bo, Di and Flo win, 21 to 22"
    assert reason == (
        "When both teams reach 21, the bidding team wins: Bo, Di and Flo had the bid in hand 9 and finished with 21."
    )


def test_a_smudge_needs_every_trick(quick_phone: Phone) -> None:
    """Seed 002: "to score five points (smudge), you need to actually bid smudge"; one lost trick sets it by 5."""
    quick_phone.start_game("partnership", SIX[:4])
    quick_phone.play(Hand(ANN, "smudge", "C"))
    assert quick_phone.totals() == [5, 0]
    quick_phone.play(Hand(BO, "smudge", "C", {"sweep": "nobody"}))  # all four points, but not all tricks
    assert quick_phone.totals() == [5, -5]


def test_three_pairs(quick_phone: Phone) -> None:
    quick_phone.start_game("partnership", SIX, teams=3, target=6)
    quick_phone.play(Hand(CY, 3, "H", {"low": "A"}))  # C takes three points, A one
    assert quick_phone.totals() == [1, 0, 3]
    quick_phone.play(Hand(FLO, 2, "H", {"high": "B"}))
    assert quick_phone.totals() == [1, 1, 6]
    assert quick_phone.winner()[0] == "Cy and Flo win, 6 to 1 to 1"

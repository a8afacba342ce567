"""Whole games on the phone, from the first bid to the declared winner; every score was worked out by hand."""

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

    # Seed 000 section 14.1: A has High, Low, Right Jack, Right Joker and Game, B the left ones. 4 bid, 5 made.
    phone.play(Hand(ANN, 4, "H", {"left_jack": "B", "left_joker": "B"}, ["9C", "2D"]))
    assert phone.totals() == [5, 2]
    assert phone.dealer() == "Ann"

    # The Right Joker lies buried, so six points are to be had; B takes three of them on a bid of 5 and is set:
    # 10.2, "subtracts B from its score", 2 - 5; section 10.2 also says that scores can go negative.
    phone.play(Hand(BO, 5, "S", {"high": "A", "left_jack": "A", "game": "A"}, ["XR", "8D"]))
    assert phone.totals() == [8, -3]

    # 9.5: "If there is a tie, no Game point is awarded." Three points each; 3 bid, 3 made.
    phone.play(Hand(CY, 3, "D", {"left_jack": "B", "right_joker": "B", "left_joker": "B", "game": "nobody"}))
    assert phone.totals() == [11, 0]
    assert phone.dealer() == "Cy"

    # 6.2: "or simply redeal the hand": nothing is scored, and Cy deals again.
    phone.all_passed()
    assert phone.totals() == [11, 0]
    assert phone.dealer() == "Cy"

    phone.play(Hand(DI, 6, "C", {"low": "A"}))  # six of seven: 0 + 6, and 11 + 1
    assert phone.totals() == [12, 6]
    phone.play(Hand(FLO, 5, "H", {"left_jack": "A", "left_joker": "A"}))  # five and two
    assert phone.totals() == [14, 11]
    b_takes = dict.fromkeys(["right_jack", "right_joker", "left_joker", "game"], "B")
    phone.play(Hand(ANN, 2, "S", b_takes))  # three and four
    assert phone.totals() == [17, 15]

    # High and the Left Joker lie buried and Game is tied: four points, three of them B's.
    phone.play(Hand(DI, 3, "S", {"right_joker": "A", "game": "nobody"}, ["AS", "XB"]))
    assert phone.totals() == [18, 18]

    # Both cross 21 in hand 9, A with more. Section 11: "the bidding team wins", and that is Flo's.
    a_takes = dict.fromkeys(["left_jack", "right_joker", "left_joker", "game"], "A")
    phone.play(Hand(FLO, 3, "D", a_takes))
    assert phone.totals() == [22, 21]
    headline, reason = phone.winner()
    assert headline == "Bo, Di and Flo win, 21 to 22"
    assert reason == (
        "When both teams reach 21, the bidding team wins: Bo, Di and Flo had the bid in hand 9 and finished with 21."
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("house", "totals", "said"),
    [
        # Section 10.2: "the bidding team subtracts B from its score": 2 - 5.
        ([], [7, -3], "set, −5"),
        # Section 14.2 adds what was taken as well: "Team B: previous 2 + 3 − 5 = 0".
        (["bid-less-taken"], [7, 0], "set, −2"),
    ],
)
def test_the_two_worked_examples(quick_phone: Phone, house: list[str], totals: list[int], said: str) -> None:
    quick_phone.start_game("west-michigan-6", SIX, house=house)
    quick_phone.play(Hand(ANN, 4, "H", {"left_jack": "B", "left_joker": "B"}, ["9C", "2D"]))
    assert quick_phone.totals() == [5, 2]
    quick_phone.enter(Hand(BO, 5, "S", {"left_jack": "A", "game": "A"}, ["AS", "XR"]))
    assert said in quick_phone.says.inner_text()
    quick_phone.save()
    assert quick_phone.totals() == totals


@pytest.mark.slow
def test_five_players_of_whom_three_win_together(quick_phone: Phone) -> None:
    quick_phone.start_game("west-michigan-5", SIX[:5])
    defended = ["high", "right_jack", "left_jack", "right_joker", "left_joker", "game"]

    # Ann and Bo take Low alone on a bid of 2: 15.2, "every player on that team subtracts the full bid".
    quick_phone.play(Hand(ANN, 2, "H", dict.fromkeys(defended, "defending"), called="KD", partner=BO))
    assert quick_phone.totals() == [-2, -2, 6, 6, 6]

    # The called card lies buried, so Bo is alone against four; it takes two of the seven points and is set by 3.
    quick_phone.play(Hand(BO, 3, "S", dict.fromkeys(defended[:5], "defending"), ["AC", "8D", "9D", "9C"], "AC", "none"))
    assert quick_phone.totals() == [3, -5, 11, 11, 11]

    # Four bid and four taken: "every player on that team adds the points they earned".
    quick_phone.play(Hand(ANN, 4, "D", dict.fromkeys(defended[:3], "defending"), called="AS", partner=BO))
    assert quick_phone.totals() == [7, -1, 14, 14, 14]

    # Nothing taken on a bid of 2. Three reach 21 at once, the bidder is none of them: "all tied players win together".
    quick_phone.play(Hand(BO, 2, "C", dict.fromkeys(["low", *defended], "defending"), called="AH", partner=ANN))
    assert quick_phone.totals() == [5, -3, 21, 21, 21]
    headline, reason = quick_phone.winner()
    assert headline == "Cy, Di and Ed win, with 21"
    assert reason == (
        "When the highest scores of 21 or more tie, they win together: Cy, Di and Ed had 21 after hand 4."
    )


@pytest.mark.slow
def test_four_players_west_michigan(quick_phone: Phone) -> None:
    quick_phone.start_game("west-michigan-4", SIX[:4])
    quick_phone.play(Hand(ANN, 4, "H"))  # all seven
    assert quick_phone.totals() == [7, 0]
    quick_phone.play(Hand(BO, 7, "S", {"low": "A"}))  # six of seven: set by 7
    assert quick_phone.totals() == [8, -7]
    # Six cards are buried (15.1), both jokers among them: five points are left, and A takes all.
    quick_phone.play(Hand(CY, 5, "C", buried=["XR", "XB", "9S", "9H", "9D", "2D"]))
    assert quick_phone.totals() == [13, -7]
    quick_phone.play(Hand(ANN, 6, "D"))
    assert quick_phone.totals() == [20, -7]
    six = dict.fromkeys(["high", "low", "right_jack", "left_jack", "right_joker", "left_joker"], "B")
    quick_phone.play(Hand(CY, 1, "H", six))  # one bid, Game taken: 21; B adds its six
    assert quick_phone.totals() == [21, -1]
    assert quick_phone.winner() == ("Ann and Cy win, 21 to −1", "Ann and Cy reached 21 first, in hand 5, with 21.")


@pytest.mark.slow
def test_three_players_alone(quick_phone: Phone) -> None:
    quick_phone.start_game("shankar", SIX[:3])
    quick_phone.play(Hand(ANN, 4, "C"))  # all four
    assert quick_phone.totals() == [4, 0, 0]
    # Bo takes one on a bid of 2 and is set: "He then loses the number of points he bid".
    quick_phone.play(Hand(BO, 2, "D", {"high": "3", "jack": "3", "game": "1"}))
    assert quick_phone.totals() == [5, -2, 2]
    quick_phone.play(Hand(ANN, 3, "H", {"game": "3"}))
    assert quick_phone.totals() == [8, -2, 3]
    quick_phone.play(Hand(ANN, 3, "S", {"jack": "nobody"}))  # the jack was not dealt; three are 11
    assert quick_phone.totals() == [11, -2, 3]
    assert quick_phone.winner() == ("Ann wins, 11 to 3 to −2", "Ann reached 11 first, in hand 4, with 11.")


@pytest.mark.slow
def test_partnership_is_won_only_by_a_made_bid(quick_phone: Phone) -> None:
    """Seed 002: "the winning team may have fewer points than the losing team"."""
    quick_phone.start_game("partnership", SIX[:4])
    for hands in range(1, 10):  # two points to each side nine times
        quick_phone.play(Hand(ANN, 2, "S", {"jack": "B", "game": "B"}))
        assert quick_phone.totals() == [2 * hands, 2 * hands]
    # Nothing taken on a bid of 4: 18 - 4. B is past 21, but did not bid.
    quick_phone.play(Hand(ANN, 4, "H", dict.fromkeys(["high", "low", "jack", "game"], "B")))
    assert quick_phone.totals() == [14, 22]
    quick_phone.play(Hand(CY, 4, "D"))
    assert quick_phone.totals() == [18, 22]
    quick_phone.play(Hand(ANN, 3, "C", {"game": "B"}))
    assert quick_phone.totals() == [21, 23]
    headline, reason = quick_phone.winner()
    assert headline == "Ann and Cy win, 21 to 23"
    assert reason == (
        "Ann and Cy bid 3 in hand 12, made it, and had 21. From 21 on, only a team that makes its own bid can win."
    )


def test_a_smudge_needs_every_trick(quick_phone: Phone) -> None:
    """Seed 002: "to score five points (smudge), you need to actually bid smudge"; one lost trick sets it by 5."""
    quick_phone.start_game("partnership", SIX[:4])
    quick_phone.play(Hand(ANN, "smudge", "C"))
    assert quick_phone.totals() == [5, 0]
    quick_phone.play(Hand(BO, "smudge", "C", {"sweep": "nobody"}))  # all four points, but not every trick
    assert quick_phone.totals() == [5, -5]


@pytest.mark.slow
def test_double_jack_with_a_count_that_nobody_wins(quick_phone: Phone) -> None:
    quick_phone.start_game("double-jack", SIX[:4])
    quick_phone.play(Hand(ANN, 3, "H", {"right_jack": "B", "left_jack": "B"}))
    assert quick_phone.totals() == [3, 2]
    quick_phone.play(Hand(BO, 5, "S", {"game": "A"}))  # four of five: set by 5
    assert quick_phone.totals() == [4, -3]
    # "if you tie with forty, then nobody gets the game point": B's 40 of 80 is worked out, A has the other four.
    quick_phone.play(Hand(CY, 4, "D", buried=["9S", "9H", "9C", "2C"], counts={"A": 40}))
    assert quick_phone.totals() == [8, -3]
    quick_phone.play(Hand(ANN, 5, "C"))
    assert quick_phone.totals() == [13, -3]
    assert quick_phone.winner() == ("Ann and Cy win, 13 to −3", "Ann and Cy reached 12 first, in hand 4, with 13.")


@pytest.mark.slow
def test_classic_plays_on_after_a_tie(quick_phone: Phone) -> None:
    quick_phone.start_game("classic", SIX[:4])
    assert quick_phone.dealer() == "Di"
    quick_phone.all_passed()  # seed 004: "the deal moves clockwise"
    assert quick_phone.dealer() == "Ann"
    for hands in range(1, 7):
        quick_phone.play(Hand(ANN, 2, "S", {"jack": "B", "game": "B"}))
        assert quick_phone.totals() == [2 * hands, 2 * hands]
    # 12 to 12: "If the teams are tied, the game continues for at least one more deal."
    quick_phone.play(Hand(BO, 2, "H", {"low": "A"}))
    assert quick_phone.totals() == [13, 15]
    headline, reason = quick_phone.winner()
    assert headline == "Bo and Di win, 15 to 13"
    assert reason == "When both teams reach 11, the highest score wins: Bo and Di had 15 after hand 8."


def test_three_pairs(quick_phone: Phone) -> None:
    quick_phone.start_game("partnership", SIX, teams=3, target=6)
    quick_phone.play(Hand(CY, 3, "H", {"low": "A"}))  # C three, A one
    assert quick_phone.totals() == [1, 0, 3]
    quick_phone.play(Hand(FLO, 2, "H", {"high": "B"}))
    assert quick_phone.totals() == [1, 1, 6]
    assert quick_phone.winner()[0] == "Cy and Flo win, 6 to 1 to 1"

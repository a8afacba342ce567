"""The number of problems reported for one record is bounded."""

import pytest

from scorekeeper.scoring.problems import MOST_PROBLEMS, Problems, Refused
from scorekeeper.scoring.record import score_record

MANY = 10_000
BROKEN = [[{}] * MANY, [1] * MANY, [{"bids": [{}] * MANY}], [dict.fromkeys(map(str, range(MANY)))]]


@pytest.mark.parametrize("hands", BROKEN, ids=["empty", "numbers", "bids", "keys"])
def test_a_record_with_very_much_wrong_is_not_read_to_its_end(hands):
    """Each has ten thousand problems; a file may have millions, which would take minutes and gigabytes."""
    with pytest.raises(Refused) as refused:
        score_record({"format": "setback-game/1", "rules": "classic", "hands": hands})
    assert len(refused.value.problems) == MOST_PROBLEMS


def test_problems_end_with_the_last_that_is_told():
    problems = Problems()
    with pytest.raises(Refused) as refused:
        for number in range(MOST_PROBLEMS + 1):
            problems.add("odd", f"[{number}]", "is odd")
    assert [problem.at for problem in refused.value.problems] == [f"[{number}]" for number in range(MOST_PROBLEMS)]

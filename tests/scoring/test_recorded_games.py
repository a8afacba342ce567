"""The first seven rule sets score exactly as they did on November 21, 2026.

The hashes were made before the rules were extended, and are never made again: another score is a bug.
`SCOREKEEPER_RECORDED=all` scores all 20,000 games; by default, every 200th.
"""

import json
import os
from pathlib import Path

import pytest

from tests.scoring.recorded_games import EVERY, KINDS, fingerprint

HASHES = json.loads((Path(__file__).parent / "recorded" / "hashes.json").read_text())


@pytest.mark.parametrize("rules_id", KINDS)
def test_a_sample_of_the_recorded_games_scores_as_before(rules_id):
    assert fingerprint(rules_id, every=EVERY) == HASHES["sample"][rules_id]


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("SCOREKEEPER_RECORDED") != "all", reason="takes minutes: SCOREKEEPER_RECORDED=all")
@pytest.mark.parametrize("rules_id", KINDS)
def test_all_recorded_games_score_as_before(rules_id):
    assert fingerprint(rules_id) == HASHES["all"][rules_id]

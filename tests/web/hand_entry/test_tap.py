"""The way of a tap through the code stays short enough to be read."""

import sys
from types import FrameType

from tests.web.site import Site

FOLDER = "scorekeeper.web.hand_entry."


def test_a_tap_on_a_point_passes_six_modules(table: Site) -> None:
    """Those that the view's docstring names, and the warnings; of the other ways in, none."""
    passed = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        name = str(frame.f_globals.get("__name__"))
        if event == "call" and name.startswith(FOLDER):
            passed.add(name.removeprefix(FOLDER))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        answer = table.preview(do=None, detail="points", was="points", **{"point-low": "B"})
    finally:
        sys.setprofile(before)
    assert answer.status_code == 200
    assert passed == {"views", "draft", "editor", "points", "page", "warnings"}

"""A tap passes few modules, so that its code path stays readable."""

import sys
from types import FrameType

from tests.web.site import Site

FOLDER = "scorekeeper.web.hand_entry."


def test_a_tap_on_a_point_passes_six_modules(table: Site) -> None:
    """The modules named in the view's docstring, and the warnings; no other ways of entry."""
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

"""`scorekeeper.scoring` as a library: the examples of its public names and of docs/scoring.md are run."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

from scorekeeper import scoring
from scorekeeper.scoring.hand_facts import Facts, facts_where
from scorekeeper.scoring.record import HAND_KEYS

MODULES = [module.name for module in pkgutil.walk_packages(scoring.__path__, "scorekeeper.scoring.")]
DOCUMENT = Path(__file__).parents[2] / "docs" / "scoring.md"


@pytest.mark.parametrize("name", scoring.__all__)
def test_every_public_name_has_a_docstring_with_an_example(name: str) -> None:
    found = getattr(scoring, name)
    assert found.__doc__, name
    assert doctest.DocTestParser().get_examples(found.__doc__), name


def test_the_public_names_are_in_order() -> None:
    assert scoring.__all__ == sorted(scoring.__all__, key=lambda name: (name[0].islower(), name))


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_a_module(module: str) -> None:
    loaded = importlib.import_module(module)
    wanted = {name for name in scoring.__all__ if getattr(scoring, name).__module__ == module}
    tests = [test for test in doctest.DocTestFinder().find(loaded) if test.examples]
    assert wanted <= {test.name.removeprefix(f"{module}.") for test in tests}
    runner = doctest.DocTestRunner()
    for test in tests:
        assert runner.run(test).failed == 0, test.name


def test_the_examples_of_the_document() -> None:
    """Run in order, as in one interpreter session."""
    blocks = re.findall(r"^```pycon\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 5
    names: dict[str, object] = {}
    for block in blocks:
        example = doctest.DocTestParser().get_doctest(block, names, "docs/scoring.md", str(DOCUMENT), 0)
        assert doctest.DocTestRunner().run(example, clear_globs=False).failed == 0
        names = example.globs


def test_the_document_names_every_public_name() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert [name for name in scoring.__all__ if f"`{name}`" not in document] == []


def test_public_functions_say_what_they_take_and_give() -> None:
    for name in scoring.__all__:
        if inspect.isfunction(found := getattr(scoring, name)):
            assert "return" in inspect.get_annotations(found), name


def test_facts_have_the_keys_that_a_hand_is_read_by():
    assert Facts.__annotations__.keys() == HAND_KEYS
    facts = Facts(dealer=4, bidder=1, bid=2, note="late")
    assert facts_where(facts, lambda key, value: key != "note" and value != 4) == {"bidder": 1, "bid": 2}

"""`scorekeeper.scoring` as a library: its public names, and an example of each that is run; docs/scoring.md too."""

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
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


@pytest.mark.parametrize("name", scoring.__all__)
def test_every_public_name_is_loaded_from_where_it_is_defined(name: str) -> None:
    found = getattr(scoring, name)
    assert found.__module__ == f"scorekeeper.scoring.{scoring._HOME[name]}"
    assert getattr(scoring, name) is found


def test_the_public_names_are_in_order_and_all_of_them_can_be_loaded() -> None:
    assert scoring.__all__ == sorted(scoring.__all__, key=lambda name: (name[0].islower(), name))
    assert set(scoring.__all__) == set(scoring._HOME)
    assert set(scoring.__all__) <= set(dir(scoring))
    with pytest.raises(AttributeError, match="has no attribute 'Deck'"):
        _ = scoring.Deck


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
    """Read from top to bottom, as somebody would type them in."""
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


def test_importing_the_package_loads_none_of_its_modules() -> None:
    """`scorekeeper score` pays only for what it needs."""
    code = "import sys, scorekeeper.scoring; print([m for m in sys.modules if m.startswith('scorekeeper.scoring.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_functions_say_what_they_take_and_give() -> None:
    for name in scoring.__all__:
        if inspect.isfunction(found := getattr(scoring, name)):
            assert "return" in inspect.get_annotations(found), name


def test_facts_have_the_keys_that_a_hand_is_read_by():
    assert Facts.__annotations__.keys() == HAND_KEYS
    facts = Facts(dealer=4, bidder=1, bid=2, note="late")
    assert facts_where(facts, lambda key, value: key != "note" and value != 4) == {"bidder": 1, "bid": 2}

"""Features used by style sheets and scripts are supported by the oldest browsers, or have a documented fallback."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

FLOOR = {"Safari": 16.4, "Chrome": 111, "Firefox": 113}
DOCUMENT = ROOT / "docs" / "browsers.md"
OF_THE_FLOOR = ROOT / "tests" / "features_of_the_floor.txt"
STATIC = ROOT / "static"

# Features recognized by the value, as their name is older.
BY_PATTERN = {
    'content: … / "…"': r'content:[^;}]* / "', "new FormData(form, button)": r"new FormData\(\w+,",
    "(?<= )": r"\(\?<[=!]", "static { }": r"\bstatic \{", "color-mix()": r"color-mix\(", "import()": r"\bimport\(",
    "using": r"\busing \w+ =",
}  # fmt: skip
HAVE_METHODS = "AbortSignal|Array|CSS|Date|Intl|Iterator|JSON|Math|Number|Object|Promise|Request|Response|String|URL"
OF_A_BROWSER = f"{HAVE_METHODS}|caches|crypto|document|indexedDB|location|navigator|self|window"


def text_of(pattern: str, comments: str) -> str:
    parts = [path.read_text(encoding="utf-8") for path in sorted(STATIC.glob(pattern))]
    return re.sub(comments, "", "\n".join(parts), flags=re.DOTALL | re.MULTILINE)


def in_style_sheets(css: str) -> Iterator[str]:
    yield from re.findall(r"@[\w-]+", css)
    for condition in re.findall(r"@media([^{]*)", css):
        yield from (f"({feature})" for feature in re.findall(r"\(\s*([\w-]+)", condition))
    for selector in re.findall(r"(?:^|[{};])([^{};]*)(?=\{)", css):
        yield from (f"{name}()" if call else name for name, call in re.findall(r"(::?[a-z][\w-]*)(\(?)", selector))
    for block in re.findall(r"\{([^{}]*)\}", css):
        for name, value in re.findall(r"(?:^|;)\s*(-?[a-z][\w-]*)\s*:([^;]*)", block):
            yield name
            yield from (f"{function}()" for function in re.findall(r"\b([a-z][\w-]*)\(", value))
            yield from (f"1{unit}" for unit in re.findall(r"(?<![\w#-])[\d.]+([a-z]+)\b", value))


def in_scripts(js: str) -> Iterator[str]:
    own = set(re.findall(r"\b(?:const|let|function) (\w+)", js)) | set(
        re.findall(r"\b(\w+)(?:: \(|: async|: function)", js)
    )
    own |= {name for names in re.findall(r"(?:const|let) \{([^}]*)\} =", js) for name in re.findall(r"\w+", names)}
    own |= {name for names in re.findall(r"[=(] ?\{((?:\s*\w+,?)+\s*)\}", js) for name in re.findall(r"\w+", names)}
    yield from (f".{name}()" for name in re.findall(r"\.(\w+)\(", js) if name not in own)
    yield from (f"new {name}" for name in re.findall(r"\bnew (\w+)", js))
    yield from (".".join(found) for found in re.findall(rf"\b({OF_A_BROWSER})\.(\w+)", js))


def used() -> set[str]:
    css = text_of("*.css", r"/\*.*?\*/")
    js = text_of("*.js", r"(?:^|\s)//[^\n]*")
    by_pattern = {name for name, pattern in BY_PATTERN.items() if re.search(pattern, css + js)}
    return {*in_style_sheets(css), *in_scripts(js)} | by_pattern


def beyond() -> dict[str, list[str]]:
    """Return the document's table: feature to its browser versions and fallback."""
    rows = re.findall(r"^`([^`]+)` \| (.*)$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    return {feature: [cell.strip() for cell in cells.split(" | ")] for feature, cells in rows}


def test_what_is_used_is_in_one_of_the_two_lists() -> None:
    listed = set(OF_THE_FLOOR.read_text(encoding="utf-8").split("\n"))
    new = used() - listed - set(beyond())
    assert not new, (
        f"In no list: {sorted(new)}. Look each up (MDN, caniuse.com). Where Safari 16.4, Chrome 111 and"
        f" Firefox 113 all have it, it belongs into {OF_THE_FLOOR.name}; else into the table of docs/browsers.md, with"
        " what a browser without it shows."
    )


def test_the_table_names_what_is_used_and_lies_beyond_the_floor() -> None:
    assert set(beyond()) - used() == set()
    for feature, (*versions, instead) in beyond().items():
        assert instead, feature
        newer = [
            version == "—" or float(version) > floor for version, floor in zip(versions, FLOOR.values(), strict=True)
        ]
        assert any(newer), f"{feature} is in every browser of the floor"


def test_the_floor_is_written_down() -> None:
    said = "Safari {Safari}, Chrome {Chrome} and Firefox {Firefox}".format(**FLOOR)
    assert said in DOCUMENT.read_text(encoding="utf-8")
    assert said in Path(ROOT, "README.md").read_text(encoding="utf-8")


def test_a_new_feature_is_noticed() -> None:
    """Both parsers find features that occur nowhere yet."""
    css = "@layer a { .b:state(x) { anchor-name: --c; width: calc-size(auto, 1rex); } } @media (inverted-colors) { }"
    assert {"@layer", ":state()", "anchor-name", "calc-size()", "1rex", "(inverted-colors)"} <= set(
        in_style_sheets(css)
    )
    js = "const own = () => names.toSorted(); new WeakRef(own()); navigator.gpu.own();"
    assert set(in_scripts(js)) == {".toSorted()", "new WeakRef", "navigator.gpu"}

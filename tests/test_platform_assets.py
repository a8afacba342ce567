"""Static files: content hashes in their names, compressed, cached forever."""

import base64
import gzip
import hashlib
import re

import brotli
import pytest

from scorekeeper.config import DEFAULTS, bundled
from scorekeeper.web.common.assets import collect


@pytest.fixture
def site(make_app):
    return make_app().test_client()


def linked(site, ending):
    """Return the URL of a script in a page."""
    return re.search(rf'src="(/static/[^"]+{ending})"', site.get("/nowhere").text)[1]


def test_a_page_names_its_files_by_their_content(site):
    address = linked(site, r"\.js")
    answer = site.get(address)
    digest = hashlib.sha256(answer.data).hexdigest()
    assert answer.status_code == 200
    assert digest[:12] in address
    assert answer.headers["Cache-Control"] == "max-age=315360000, public, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_file_under_its_plain_name_is_not_kept_for_good(site, make_app):
    answer = site.get("/static/start.js")
    assert answer.status_code == 200
    assert "immutable" not in answer.headers["Cache-Control"]
    debugging = make_app(DEBUG=True).test_client().get("/static/start.js")
    assert (debugging.status_code, "max-age=0" in debugging.headers["Cache-Control"]) == (200, True)


@pytest.mark.parametrize(("encoding", "decode"), [("br", brotli.decompress), ("gzip", gzip.decompress)])
def test_a_file_is_sent_compressed_as_the_browser_likes_it(site, encoding, decode):
    address = linked(site, r"\.js")
    answer = site.get(address, headers={"Accept-Encoding": encoding})
    assert answer.headers["Content-Encoding"] == encoding
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert decode(answer.data) == site.get(address).data


def test_a_page_is_sent_compressed(site):
    answer = site.get("/rules/", headers={"Accept-Encoding": "br"})
    assert answer.headers["Content-Encoding"] == "br"
    assert b"<!doctype html>" in brotli.decompress(answer.data)


def test_a_changed_file_gets_another_name_and_the_old_one_stays(tmp_path):
    source, copies = tmp_path / "source", tmp_path / "copies"
    (source / "vendor").mkdir(parents=True)
    style = source / "vendor" / "style.css"
    style.write_text("a { color: red }")
    before = collect(source, copies)["vendor/style.css"]
    style.write_text("a { color: blue }")
    after = collect(source, copies)["vendor/style.css"]
    assert before != after
    assert (copies / before).read_text() == "a { color: red }"
    assert brotli.decompress((copies / f"{after}.br").read_bytes()) == b"a { color: blue }"
    assert not [path for path in copies.rglob("*") if path.name.startswith(".")]


def test_what_only_a_reader_needs_is_left_out_of_a_copy(tmp_path):
    source, copies = tmp_path / "source", tmp_path / "copies"
    (source / "vendor").mkdir(parents=True)
    script = '// What it does.\n\nif (a) {\n  // Why.\n  // And more.\n  b("//"); // c\n}\n'
    style = '/* Calm. */\na {\n  color: red; /* as ink\n  is */\n}\na::after { content: "! "; }\n'
    for name, text in {"a.js": script, "a.css": style, "vendor/a.js": script}.items():
        (source / name).write_text(text)
    kept = {name: (copies / copy).read_text() for name, copy in collect(source, copies).items()}
    assert kept["a.js"] == 'if (a) {\nb("//");\n}\n'
    assert kept["a.css"] == ' a{color:red;}a::after{content:"! ";}'
    assert kept["vendor/a.js"] == script


@pytest.mark.parametrize("path", sorted(bundled("static").glob("*.*s")), ids=lambda path: path.name)
def test_no_text_in_a_file_has_what_is_left_out_of_copies(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":  # multi-line template literals could contain such text
        assert [line for line in text.splitlines() if line.count("`") % 2] == []
        code = [line.rpartition(" // ")[0] for line in text.splitlines() if re.search(r"[;{},)] // ", line)]
        assert [line for line in code if any(line.count(quote) % 2 for quote in "\"'`")] == []
    else:
        said = re.findall(r"\"[^\"\n]*\"|'[^'\n]*'", re.sub(r"(?s)/\*.*?\*/", "", text))
        assert [one for one in said if re.search(r"\s\s|/\*|[{};:,] | [{}]", one)] == []


def test_a_page_asks_the_cdn_for_htmx_with_the_hash_of_the_vendored_file(site):
    vendored = (bundled("static") / DEFAULTS["HTMX_FILE"]).read_bytes()
    assert DEFAULTS["HTMX_INTEGRITY"] == "sha384-" + base64.b64encode(hashlib.sha384(vendored).digest()).decode()
    assert b"4.0.1" in vendored
    assert DEFAULTS["HTMX_CDN"].endswith("/htmx.org@4.0.1/dist/htmx.min.js")
    tag = re.search(r"<script [^>]*jsdelivr[^>]*>", site.get("/nowhere").text)[0]
    assert f'data-cdn="{DEFAULTS["HTMX_CDN"]}"' in tag
    assert f'data-integrity="{DEFAULTS["HTMX_INTEGRITY"]}"' in tag

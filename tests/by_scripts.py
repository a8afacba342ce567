"""Run functions of the pages' scripts: in Node if installed, otherwise in a browser."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from tests.conftest import QUIET, ROOT
from tests.find_browser import find_browser


def by_scripts(scripts: Sequence[str], code: str, function: str, data: Any) -> Any:
    """Return `function(data)`, a function of `code`, which is loaded after the static files `scripts`."""
    code = "".join((ROOT / "static" / name).read_text(encoding="utf-8") for name in scripts) + code
    if node := shutil.which("node"):
        run = f"process.stdout.write(JSON.stringify({function}(JSON.parse(require('fs').readFileSync(0, 'utf8')))))"
        done = subprocess.run(
            [node, "-e", code + run], input=json.dumps(data), capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)
    if find_browser() is None:
        pytest.skip("neither Node nor a browser")

    def in_browser() -> Any:
        with sync_playwright() as playwright:
            page = playwright.chromium.launch(executable_path=find_browser(), args=list(QUIET)).new_page()
            return json.loads(page.evaluate(f"(data) => {{ {code}; return JSON.stringify({function}(data)) }}", data))

    # A thread can run only one Playwright, and the browser tests use that of the main thread.
    with ThreadPoolExecutor(1) as other:
        return other.submit(in_browser).result()

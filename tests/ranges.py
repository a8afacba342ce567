"""Run tests with the lowest or the newest packages that pyproject.toml allows: `python -m tests.ranges lowest`.

This applies to the program's dependencies; those of the tests alone stay as in `tests/requirements.txt`.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENDS = {"lowest": "lowest-direct", "newest": "highest"}
# Pages, forms, both databases, migrations, the server, HTTPS, metrics, charts.
TRIED = [
    *(
        "test_platform.py",
        "test_platform_database.py",
        "services/test_hands.py",
        "serving/test_https.py",
        "web/operation",
    ),
    *("web/clubs/test_views.py", "web/games/test_share.py", "web/hand_entry/test_views.py", "charts/test_pictures.py"),
]
PINNED = re.compile(r"^([\w.-]+)==(\S+).*$", re.MULTILINE)


def run(*command: str | Path) -> None:
    subprocess.run(command, check=True, cwd=ROOT)


def wanted(end: str) -> str:
    """Return pinned requirements for all packages."""
    compiled = ["uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--resolution", ENDS[end]]
    extras = ["--extra", "postgres", "--extra", "metrics", "pyproject.toml"]
    program = subprocess.run([*compiled, *extras], check=True, cwd=ROOT, capture_output=True, text=True).stdout
    own = {found[1] for found in PINNED.finditer(program)}
    locked = (ROOT / "tests" / "requirements.txt").read_text(encoding="utf-8")
    return program + "\n".join(found[0] for found in PINNED.finditer(locked) if found[1] not in own) + "\n"


def main(end: str) -> None:
    folder = ROOT / ".venv" / end
    listed = folder.with_suffix(".txt")
    listed.write_text(wanted(end), encoding="utf-8")
    run("uv", "venv", "--quiet", "--clear", "--python", sys.executable, folder)
    here = ("--quiet", "--python", folder, "--no-deps")
    run("uv", "pip", "install", *here, "--requirement", listed)
    run("uv", "pip", "install", *here, "--no-build-isolation", "--editable", ".")
    tests = [f"tests/{name}" for name in TRIED]
    run(folder / "bin" / "python", "-m", "pytest", "-q", "-n", "2", "-m", "not slow and not browser", *tests)


if __name__ == "__main__":
    main(sys.argv[1])

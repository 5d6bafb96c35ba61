"""python-chess's own tests, with our classes in the place of its own.

Its source distribution is not a part of this project: the suite ``python`` downloads it.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

PEER = Path(__file__).parent / "peer"
LIST = tomllib.loads((PEER / "differences.toml").read_text(encoding="utf-8"))
FAILS: dict[str, str] = LIST["fails"]
PAGE = Path(__file__).parents[1] / "docs" / "coming-from-python-chess.md"
#: The path of the downloaded source distribution.
ARCHIVE = os.environ.get("TABIYA_PYTHON_CHESS")


def run_its_tests(folder: Path, *arguments: str) -> dict[str, str]:
    """The result of each test of its source distribution, which is unpacked into a folder."""
    with tarfile.open(ARCHIVE or "") as archive:
        archive.extractall(folder, filter="data")
    *options, classes = arguments
    done = subprocess.run(
        [
            sys.executable,
            PEER / "run_python_chess.py",
            *options,
            folder / "chess-1.11.2",
            *classes.split(),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.skipif(ARCHIVE is None, reason="TABIYA_PYTHON_CHESS names no source distribution")
def test_only_the_listed_tests_fail(tmp_path: Path) -> None:
    found = run_its_tests(tmp_path, " ".join(LIST["classes"]))
    failed = {name: text for name, text in found.items() if text.startswith("failed")}
    news = [f"{name} {text}" for name, text in failed.items() if name not in FAILS]
    assert not news, "\n".join(news)
    assert failed.keys() == FAILS.keys(), "these are listed, but do not fail"
    # Two of the tests need tables of Syzygy that are not distributed.
    assert sum(text == "passed" for text in found.values()) >= 180
    assert sum(text.startswith("skipped") for text in found.values()) <= 2


@pytest.mark.skipif(ARCHIVE is None, reason="TABIYA_PYTHON_CHESS names no source distribution")
def test_the_tests_of_its_pgn_module_pass_on_ours(tmp_path: Path) -> None:
    found = run_its_tests(tmp_path, "--own-pgn", "PgnTestCase")
    failed = {name for name, text in found.items() if text.startswith("failed")}
    assert failed == {name for name in FAILS if name.startswith("PgnTestCase.")}
    assert len(found) - len(failed) >= 48


def test_the_page_has_the_same_list() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+TestCase\.\w+)` \| (.+) \|$", text, re.M)
    assert dict(rows) == FAILS and len(rows) == len(FAILS)
    for name in LIST["classes"]:
        assert f"`{name}`" in text, name

"""python-chess's own tests, with our classes in the place of its own.

Its source distribution is not a part of this project: the suite ``python`` downloads it.
"""

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from differences import LIST, PEER, SYZYGY, check_part, code, filled, table

FAILS: dict[str, str] = LIST["fails"]
#: Tests that need files or programs that not everybody has.
OPTIONAL = ("EngineTestCase.", "GaviotaTestCase.", "SyzygyTestCase.")
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
    skipped = {name for name, text in found.items() if text.startswith("skipped")}
    assert all(name.startswith(OPTIONAL) for name in skipped)
    assert failed.keys() == FAILS.keys() - skipped, "these are listed, but do not fail"
    assert sum(text == "passed" for text in found.values()) >= 205


@pytest.mark.skipif(ARCHIVE is None, reason="TABIYA_PYTHON_CHESS names no source distribution")
def test_the_tests_of_its_pgn_module_pass_on_ours(tmp_path: Path) -> None:
    found = run_its_tests(tmp_path, "--own=pgn", "PgnTestCase")
    failed = {name for name, text in found.items() if text.startswith("failed")}
    assert failed == {name for name in FAILS if name.startswith("PgnTestCase.")}
    assert len(found) - len(failed) >= 48


@pytest.mark.skipif(ARCHIVE is None, reason="TABIYA_PYTHON_CHESS names no source distribution")
def test_the_tests_of_its_syzygy_module_pass_on_ours(tmp_path: Path) -> None:
    found = run_its_tests(tmp_path, "--own=syzygy", "SyzygyTestCase")
    failed = {name for name, text in found.items() if text.startswith("failed")}
    assert failed == {f"SyzygyTestCase.{name}" for name in LIST["fails-syzygy"]}
    assert sum(text == "passed" for text in found.values()) >= 6


def test_the_page_has_the_same_list() -> None:
    classes = filled(f"The classes: {code(LIST['classes'])}.")
    rows = table("test | why it fails", ((f"`{name}`", why) for name, why in FAILS.items()))
    check_part("Its own tests", f"{classes}\n\n{rows}")
    fails = LIST["fails-syzygy"].items()
    rows = table("test of `SyzygyTestCase` | why it fails", ((f"`{it}`", why) for it, why in fails))
    check_part("What differs from `chess.syzygy`", rows, SYZYGY)

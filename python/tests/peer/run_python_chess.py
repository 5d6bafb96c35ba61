"""Runs tests of python-chess on the classes of this package: ``run_python_chess.py FOLDER CLASS…``.

``FOLDER`` is its source distribution, unpacked. ``import chess`` then gives the names of ``tabiya``,
and no others; its modules, such as ``chess.pgn``, are those of python-chess. With ``--own=pgn``
before the folder, ``chess.pgn`` is ``tabiya.pgn``. It prints the result of each test as JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import types
import unittest
from importlib import import_module
from pathlib import Path
from typing import Any

import tabiya


class Results(unittest.TestResult):
    """The result of each test, by its name."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def stopTest(self, test: unittest.TestCase) -> None:
        name = test.id().removeprefix("test.")
        self.found.setdefault(name, "passed")
        super().stopTest(test)

    def _note(self, test: unittest.TestCase, text: str) -> None:
        self.found[test.id().removeprefix("test.")] = text

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        self._note(test, f"failed: {err[0].__name__}: {err[1]}")

    addFailure = addError

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._note(test, f"skipped: {reason}")


def main() -> None:
    arguments = sys.argv[1:]
    own = arguments.pop(0).removeprefix("--own=") if arguments[0].startswith("--own=") else ""
    folder, classes = Path(arguments[0]).resolve(), arguments[1:]
    namespace = types.ModuleType("chess")
    namespace.__path__ = [str(folder / "chess")]
    for name in tabiya.__all__:
        setattr(namespace, name, getattr(tabiya, name))
    sys.modules["chess"] = namespace
    if own:
        module = getattr(tabiya, own)
        sys.modules[f"chess.{own}"] = module
        setattr(namespace, own, module)
    # The tests read files in their own folder.
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    tests = import_module("test")

    results = Results()
    with contextlib.redirect_stderr(io.StringIO()):
        for name in classes:
            unittest.TestLoader().loadTestsFromTestCase(getattr(tests, name)).run(results)
    json.dump(results.found, sys.stdout)


if __name__ == "__main__":
    main()

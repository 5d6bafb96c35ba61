"""Every example in a docstring or on a page of the documentation is run."""

import doctest
import inspect
import os
import pkgutil
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tabiya
from conftest import stockfish
from tabiya import uci

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
#: The examples of this one need tables, so ``test_syzygy.py`` runs them.
OF_TABLES = Path(__file__).parents[1] / "docs/syzygy.md"
PAGES = sorted(set(Path(__file__).parents[1].glob("docs/*.md")) - {OF_TABLES}) + [
    Path(__file__).parents[1] / "README.md",
    Path(__file__).parents[2] / "docs/cluster.md",
    Path(__file__).parents[2] / "README.md",
]


def documented() -> list[tuple[str, Any]]:
    """Everything public, with its name."""
    found: list[tuple[str, Any]] = []
    modules = [tabiya]
    for found_module in pkgutil.iter_modules(tabiya.__path__):
        if not found_module.name.startswith("_"):
            modules.append(import_module(f"tabiya.{found_module.name}"))
    for module in modules:
        found.append((module.__name__, module))
    names = [(name, getattr(tabiya, name)) for name in tabiya.__all__]
    for module in (tabiya.data, tabiya.pgn, tabiya.syzygy, uci):
        part = module.__name__.removeprefix("tabiya.")
        names += [(f"{part}.{name}", getattr(module, name)) for name in module.__all__]
    for name, value in names:
        if inspect.isclass(value):
            found.append((name, value))
            found += [
                (f"{name}.{member}", getattr(value, member))
                for member in sorted(vars(value))
                if not member.startswith("_")
            ]
        elif callable(value):
            found.append((name, value))
    return [(name, value) for name, value in found if isinstance(inspect.getdoc(value), str)]


def run(text: str, name: str, filename: str | None = None) -> int:
    """Runs the examples of a text and returns how many there are."""
    test = doctest.DocTestParser().get_doctest(text, {}, name, filename, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(test, out=report.append)
    assert not report, "".join(report)
    return len(test.examples)


@pytest.mark.parametrize(("name", "value"), [pytest.param(*it, id=it[0]) for it in documented()])
def test_docstring(name: str, value: Any) -> None:
    run(inspect.getdoc(value) or "", name)


def test_everything_is_documented() -> None:
    names = {name for name, _ in documented()}
    for name in tabiya.__all__:
        value = getattr(tabiya, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert name in names, f"{name} has no docstring"
    for part in ("data", "pgn", "syzygy"):
        module = getattr(tabiya, part)
        for name in module.__all__:
            if inspect.isroutine(getattr(module, name)):
                assert f"{part}.{name}" in names, f"{name} has no docstring"


def test_the_examples_are_many() -> None:
    """The tests above find the docstrings of the native module, too."""
    parser = doctest.DocTestParser()
    counts = {name: len(parser.get_examples(inspect.getdoc(it) or "")) for name, it in documented()}
    assert counts["Position"] > 0
    assert counts["Position.parse"] > 0


def run_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:python|pycon)\n(.*?)```", text, re.S)
    run("\n".join(block for block in blocks if ">>>" in block), page.name, str(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if 'Engine("stockfish")' in page.read_text(encoding="utf-8"):
        monkeypatch.setenv("PATH", os.path.dirname(stockfish()), prepend=os.pathsep)
    run_page(page)


def test_all_names_are_exported() -> None:
    """``__all__`` is written out for type checkers; nothing public is missing."""
    public = {name for name in vars(tabiya) if not name.startswith("_")}
    public -= {module.name for module in pkgutil.iter_modules(tabiya.__path__)} | {"annotations"}
    assert public == set(tabiya.__all__) - {"__version__", "svg"}


@pytest.mark.parametrize("page", [*PAGES, OF_TABLES], ids=lambda page: page.name)
def test_no_example_stands_outside_a_fence(page: Path) -> None:
    """Those would be neither run nor shown as examples."""
    text = page.read_text(encoding="utf-8")
    outside = re.sub(r"```.*?\n```", "", text, flags=re.S)
    assert ">>> " not in outside

"""The differences from python-chess, and the parts of the page about them, which the tests make."""

import os
import textwrap
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PEER = Path(__file__).parent / "peer"
LIST: dict[str, Any] = tomllib.loads((PEER / "differences.toml").read_text(encoding="utf-8"))
PAGE = Path(__file__).parents[1] / "docs" / "coming-from-python-chess.md"
SYZYGY = PAGE.with_name("syzygy.md")


def code(names: Iterable[str]) -> str:
    """A list of names, as Markdown."""
    return ", ".join(f"`{name}`" for name in names)


def filled(text: str) -> str:
    """The text in lines, none of which ends inside of a name."""
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False)


def table(head: str, rows: Iterable[tuple[str, str]]) -> str:
    body = "".join(f"| {names} | {answer} |\n" for names, answer in rows)
    return f"| {head} |\n|---|---|\n{body}" if body else ""


def check_part(heading: str, made: str, path: Path = PAGE) -> None:
    """Compares a part of the page below a heading with what it should be, or writes it."""
    page = path.read_text(encoding="utf-8")
    before, below, after = page.partition(f"\n## {heading}\n")
    text, start, rest = after.partition("\n<!-- made by the tests -->\n")
    _, end, rest = rest.partition("\n<!-- end -->\n")
    assert end and "\n## " not in text, f"{path.name} has no part for the tests below {heading}"
    expected = f"{before}{below}{text}{start}\n{made}{end}{rest}"
    if os.environ.get("TABIYA_WRITE_DOCS"):
        path.write_text(expected, encoding="utf-8")
    else:
        assert page == expected, f"{heading}: out of date; set TABIYA_WRITE_DOCS and run this test"

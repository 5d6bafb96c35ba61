"""Writes the docstrings of the native module into a copy of its types.

The types of `tabiya._tabiya` are in a stub, its docstrings next to the code in Rust. What makes pages
of both reads one file.
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path
from typing import Any

from tabiya import _tabiya


def document(body: list[ast.stmt], owner: Any) -> int:
    """Adds the docstrings of what a class or module defines; returns their number."""
    count = 0
    for node in body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        found = inspect.getattr_static(owner, node.name, None)
        if found is None:
            continue
        text = inspect.getdoc(getattr(owner, node.name))
        # A method without a docstring has the one of `object`.
        inherited = getattr(object, node.name, None)
        if text and text != (inherited and inspect.getdoc(inherited)):
            node.body.insert(0, ast.Expr(ast.Constant(text)))
            count += 1
        if isinstance(node, ast.ClassDef):
            count += document(node.body, getattr(owner, node.name))
    return count


def main() -> None:
    path = Path(sys.argv[1])
    tree = ast.parse(path.read_text(encoding="utf-8"))
    count = document(tree.body, _tabiya)
    if count < 100:
        sys.exit(f"{path}: only {count} docstrings were found")
    path.write_text(ast.unparse(tree) + "\n", encoding="utf-8")


main()

"""Prepares a copy of the Python package for the pages of its API.

The types of the native module are in a stub, its docstrings next to the code in Rust. What makes the
pages reads one file, so the docstrings are written into the copy of the stub. Examples in docstrings
become blocks of code.

`docstrings.py FOLDER`, the copy of the package `tabiya`.
"""

from __future__ import annotations

import ast
import copy
import inspect
import sys
from pathlib import Path
from typing import Any

from tabiya import _tabiya


def fenced(text: str) -> str:
    """The docstring with its examples, which begin with `>>>` and end with an empty line, as code."""
    lines: list[str] = []
    in_example = False
    for line in inspect.cleandoc(text).splitlines():
        if line.lstrip().startswith(">>>") and not in_example:
            lines += ["", "```pycon"]
            in_example = True
        elif in_example and not line.strip():
            lines += ["```"]
            in_example = False
        lines.append(line)
    return "\n".join([*lines, "```"] if in_example else lines)


def fence_all(tree: ast.Module) -> None:
    """Rewrites each docstring of a module."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node)
            if text is not None:
                node.body[0] = ast.Expr(ast.Constant(fenced(text)))


def is_overload(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list
    )


def add_implementations(body: list[ast.stmt]) -> None:
    """Adds a function after its overloads, for what reads no overload without one."""
    for index in range(len(body) - 1, -1, -1):
        node = body[index]
        following = body[index + 1] if index + 1 < len(body) else None
        is_last = not (
            following is not None
            and is_overload(following)
            and getattr(following, "name", None) == getattr(node, "name", None)
        )
        if is_overload(node) and is_last:
            function = copy.deepcopy(node)
            assert isinstance(function, ast.FunctionDef)
            function.decorator_list = [
                mark
                for mark in function.decorator_list
                if not (isinstance(mark, ast.Name) and mark.id == "overload")
            ]
            body.insert(index + 1, function)


def document(body: list[ast.stmt], owner: Any) -> int:
    """Adds the docstrings of what a class or module defines; returns their number."""
    count = 0
    add_implementations(body)
    for node in body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or is_overload(node):
            continue
        if inspect.getattr_static(owner, node.name, None) is None:
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
    package = Path(sys.argv[1])
    for path in [package / "_tabiya.pyi", *sorted(package.rglob("*.py"))]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if path.suffix == ".pyi":
            count = document(tree.body, _tabiya)
            if count < 100:
                sys.exit(f"{path}: only {count} docstrings were found")
        fence_all(tree)
        path.write_text(ast.unparse(tree) + "\n", encoding="utf-8")


main()

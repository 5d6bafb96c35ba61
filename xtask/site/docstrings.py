"""Completes what griffe reads of the Python package for the pages of its API.

The types of the native module are in a stub, its docstrings next to the code in Rust.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe
import tabiya


def fenced(text: str) -> str:
    """The docstring with its examples, which end with an empty line, as blocks of code."""
    return re.sub(r"(?m)^ *>>>(?:.+\n?)+", lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


def described(owner: Any, name: str) -> str | None:
    """The docstring of a member at run time, unless it is that of `object`."""
    text = inspect.getdoc(getattr(owner, name, None))
    return None if text == inspect.getdoc(getattr(object, name, None)) else text


class Docstrings(griffe.Extension):
    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        self.complete(pkg, tabiya)

    def complete(self, owner: Any, at_run_time: Any) -> None:
        # A stub has overloads without a function that implements them.
        for name, overloads in getattr(owner, "overloads", {}).items():
            if name not in owner.members:
                owner.set_member(name, overloads[-1])
                overloads[-1].overloads = overloads[:]
        for name, member in owner.members.items():
            if member.is_alias:
                continue
            if not member.docstring and "_tabiya" in member.path and hasattr(at_run_time, name):
                if text := described(at_run_time, name):
                    member.docstring = griffe.Docstring(text, parent=member)
            if member.docstring:
                member.docstring.value = fenced(member.docstring.value)
            if member.is_module or member.is_class:
                # Not by `getattr`, which would import modules that need python-chess.
                self.complete(member, getattr(at_run_time, "__dict__", {}).get(name))

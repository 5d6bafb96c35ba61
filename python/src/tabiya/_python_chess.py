"""The modules of python-chess that our modules of the same names hand on."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = ["load"]


def load(name: str, instead: str = "") -> ModuleType:
    """The module ``name`` of python-chess.

    Raises ``ModuleNotFoundError`` if python-chess is not installed; ``instead`` ends its text.
    """
    try:
        import_module("chess")
    except ModuleNotFoundError as error:
        text = f"tabiya.{name} needs python-chess, which is not installed: pip install chess{instead}"
        raise ModuleNotFoundError(text, name="chess") from error
    return import_module(f"chess.{name}")

"""python-chess's module ``variant`` (GPL-3), which must be installed: boards of chess variants.

They are python-chess's boards, with its moves. Standard chess has our board.

>>> import tabiya as chess
>>> chess.variant.find_variant("standard")
<class 'tabiya.Board'>
>>> chess.variant.find_variant("atomic")().push_san("Nf3")
Move.from_uci('g1f3')
"""

from __future__ import annotations

from typing import Any

from ._python_chess import load
from ._tabiya import Board

_module = load("variant")


def find_variant(name: str) -> Any:
    """The class of the boards of a variant, by any of its names."""
    found = _module.find_variant(name)
    return Board if found is _module.chess.Board else found


def __getattr__(name: str) -> Any:
    return getattr(_module, name)

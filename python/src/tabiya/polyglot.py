"""python-chess's module ``polyglot`` (GPL-3), which must be installed: books of openings.

It finds our boards, and the moves it finds for a board are ours; those of entries without a board are
python-chess's.

>>> import tabiya as chess
>>> chess.polyglot.zobrist_hash(chess.Board()) == chess.Position().polyglot_key
True
"""

from __future__ import annotations

from typing import Any

from ._python_chess import load

_module = load("polyglot", "; Position.polyglot_key works without it")


def __getattr__(name: str) -> Any:
    return getattr(_module, name)

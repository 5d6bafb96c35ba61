"""python-chess's module ``gaviota`` (GPL-3), which must be installed: Gaviota's endgame tables.

It probes our boards.

>>> import tabiya as chess
>>> with chess.gaviota.PythonTablebase() as tables:
...     tables.get_dtm(chess.Board("8/8/8/8/8/8/8/K2kr3 w - - 0 1"), "no table")
'no table'
"""

from __future__ import annotations

from typing import Any

from ._python_chess import load

_module = load("gaviota")


def __getattr__(name: str) -> Any:
    return getattr(_module, name)

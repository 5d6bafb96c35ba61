"""python-chess's module ``engine`` (GPL-3), which must be installed: UCI and XBoard engines.

It plays and analyses our boards, and its moves are ours, except those of ``currmove``.

>>> import tabiya as chess
>>> from tabiya import engine
>>> engine.Limit(time=0.1).time
0.1
"""

from __future__ import annotations

from typing import Any

from ._python_chess import load

_module = load("engine", "; tabiya.uci talks to engines without it")


def __getattr__(name: str) -> Any:
    return getattr(_module, name)

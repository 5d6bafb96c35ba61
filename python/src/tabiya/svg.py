"""The function ``tabiya.svg``, with the names of python-chess's module ``svg`` (GPL-3) as attributes."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Generic, ParamSpec

from ._python_chess import load
from ._tabiya import Svg
from ._tabiya import svg as draw

_P = ParamSpec("_P")


class _Callable(ModuleType, Generic[_P]):
    """This module, which can be called as a function."""

    def __init__(self, function: Callable[_P, Svg], doc: str) -> None:
        super().__init__(__name__)
        self.__dict__.update(globals(), svg=self)
        self.__doc__ = doc
        self.__signature__ = inspect.signature(function)
        self._function = function

    def __call__(self, *arguments: _P.args, **options: _P.kwargs) -> Svg:
        return self._function(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        # Tools ask every object for names such as `__wrapped__`, which are not worth an import.
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(load("svg", "; tabiya.svg(position) draws without it"), name)


svg = _Callable(
    draw,
    f"""{draw.__doc__}

The names of python-chess's module ``svg`` (GPL-3) are attributes, if it is installed. It draws our boards,
too.

>>> import tabiya as chess
>>> "<svg" in chess.svg.board(chess.Board(), size=350)
True
""",
)
sys.modules[__name__] = svg

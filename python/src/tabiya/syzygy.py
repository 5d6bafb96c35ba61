"""Syzygy's endgame tables, with the names of ``chess.syzygy``; see the page ``syzygy.md``.

>>> import tabiya
>>> with tabiya.syzygy.Tablebase() as tables:
...     tables.get_wdl(tabiya.Board("8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1"), "no table")
'no table'
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from ._tabiya import Board, Move, Tablebase
from .errors import DamagedTableError, MissingTableError, TableError

__all__ = [
    "NO_DTZ",
    "NO_WDL",
    "DamagedTableError",
    "MissingTableError",
    "RootMove",
    "TableError",
    "Tablebase",
    "all_dependencies",
    "calc_key",
    "dependencies",
    "is_tablename",
    "normalize_tablename",
    "open_tablebase",
    "tablenames",
]

#: What ``Batch.wdl`` and ``Batch.dtz`` have where the tables do not have a position.
NO_WDL = -128
NO_DTZ = -32768

#: The letters of the pieces, the strongest first.
_LETTERS = "KQRBNP"


class RootMove(NamedTuple):
    """A legal move with what it leads to, for the side that moves."""

    move: Move
    #: The result, as ``probe_wdl`` gives it, but with the halfmove clock as it is.
    wdl: int
    #: The distance with this move counted, as ``probe_dtz`` gives it.
    dtz: int
    #: How good the move is: higher is better. 1000 surely wins, -1000 surely loses.
    rank: int


def open_tablebase(
    directory: str | os.PathLike[str],
    *,
    load_wdl: bool = True,
    load_dtz: bool = True,
    max_fds: int | None = 128,
) -> Tablebase:
    """The tables of a folder; ``add_directory`` adds those of another one.

    A position needs its own table, and those of all that captures and promotions can make of it.
    """
    tables = Tablebase(max_fds=max_fds)
    tables.add_directory(directory, load_wdl=load_wdl, load_dtz=load_dtz)
    return tables


def _name(white: Iterable[str], black: Iterable[str]) -> str:
    """The name of the table of these pieces: the side with more or better pieces comes first."""
    sides = (sorted(side, key=_LETTERS.index) for side in (white, black))
    first, second = sorted(sides, key=lambda it: (-len(it), [_LETTERS.index(one) for one in it]))
    return f"{''.join(first)}v{''.join(second)}"


def _sides(name: str) -> tuple[str, str]:
    white, _, black = name.partition("v")
    if not all(side and set(side) <= set(_LETTERS) for side in (white, black)):
        raise ValueError(f"{name!r} is not the name of a table: it is like 'KRPvKR'")
    return white, black


def normalize_tablename(name: str, *, mirror: bool = False) -> str:
    """The name of the table of the same pieces; with ``mirror``, with the weaker side first.

    >>> import tabiya
    >>> tabiya.syzygy.normalize_tablename("KRvKPR")
    'KRPvKR'
    """
    first, _, second = _name(*_sides(name)).partition("v")
    return f"{second}v{first}" if mirror else f"{first}v{second}"


def calc_key(board: Board, *, mirror: bool = False) -> str:
    """The pieces of a board in the form of a table's name, White's first; with ``mirror``, Black's.

    >>> import tabiya
    >>> board = tabiya.Board("8/8/1k6/3r4/8/4KP2/5R2/8 w - - 0 1")
    >>> tabiya.syzygy.calc_key(board)
    'KRPvKR'
    """
    pieces = filter(str.isalpha, board.board_fen())
    letters = sorted(pieces, key=lambda it: _LETTERS.index(it.upper()))
    white, black = filter(str.isupper, letters), filter(str.islower, letters)
    sides = ["".join(white), "".join(black).upper()]
    return "v".join(sides[::-1] if mirror else sides)


def tablenames(*, piece_count: int = 6) -> Iterator[str]:
    """The names of all tables of up to this number of pieces, kings included.

    >>> import tabiya
    >>> sorted(tabiya.syzygy.tablenames(piece_count=3))
    ['KBvK', 'KNvK', 'KPvK', 'KQvK', 'KRvK']
    """
    for count in range(1, piece_count - 1):
        for weaker in range(count // 2 + 1):
            names = {
                _name(("K", *first), ("K", *second))
                for first in combinations_with_replacement(_LETTERS[1:], count - weaker)
                for second in combinations_with_replacement(_LETTERS[1:], weaker)
            }
            yield from sorted(names)


def is_tablename(name: str, *, piece_count: int | None = 7, normalized: bool = True) -> bool:
    """Is it the name of a table? With ``normalized=False``, the sides may have any order, and the
    pieces after each king.

    >>> import tabiya
    >>> [tabiya.syzygy.is_tablename(name) for name in ("KRPvKR", "KRvKPR", "RK")]
    [True, False, False]
    """
    try:
        sides = _sides(name)
    except ValueError:
        return False
    size = len(name) - 1
    return (
        all(side.rfind("K") == 0 for side in sides)
        and 2 < size <= (size if piece_count is None else piece_count)
        and (not normalized or name == normalize_tablename(name))
    )


def dependencies(target: str) -> Iterator[str]:
    """The names of the tables that one capture or promotion leads to."""
    sides = _sides(target)
    found: set[str] = set()
    for own, other in (sides, sides[::-1]):
        for piece in set(own) - {"K"}:
            rest = own.replace(piece, "", 1)
            promoted = _LETTERS[1:5] if piece == "P" else ""
            found |= {_name(rest + new, other) for new in ("", *promoted)}
    yield from sorted(found - {"KvK"})


def all_dependencies(targets: Iterable[str]) -> Iterator[str]:
    """These tables, and all that captures and promotions lead to."""
    found: set[str] = set()
    waiting = [normalize_tablename(target) for target in targets]
    while waiting:
        name = waiting.pop()
        if name not in found and name != "KvK":
            found.add(name)
            waiting += dependencies(name)
            yield name

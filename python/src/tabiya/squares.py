"""Squares as numbers, and other small functions and names that programs for python-chess use.

>>> import tabiya
>>> tabiya.square(4, 3) == tabiya.E4
True
>>> tabiya.square_name(28), tabiya.parse_square("e4")
('e4', 28)
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from typing import Literal, SupportsInt, TypeAlias

from .constants import PIECE_NAMES, PIECE_SYMBOLS, SQUARE_NAMES

__all__ = [
    "FEN_CASTLING_REGEX",
    "SAN_REGEX",
    "Color",
    "ColorName",
    "EnPassantSpec",
    "IntoSquareSet",
    "PieceType",
    "Square",
    "parse_square",
    "piece_name",
    "piece_symbol",
    "square",
    "square_distance",
    "square_file",
    "square_knight_distance",
    "square_manhattan_distance",
    "square_mirror",
    "square_name",
    "square_rank",
]

#: A colour in annotations: ``WHITE`` (``True``) or ``BLACK`` (``False``).
Color = bool
#: A type of piece in annotations, from ``PAWN`` (1) to ``KING`` (6).
PieceType = int
#: A square in annotations, from 0 (a1) to 63 (h8).
Square = int
#: The name of a colour in annotations.
ColorName: TypeAlias = Literal["white"] | Literal["black"]
#: The rule for the en-passant square in a FEN, in annotations.
EnPassantSpec: TypeAlias = Literal["legal"] | Literal["fen"] | Literal["xfen"]
#: The sources of a ``SquareSet``, in annotations.
IntoSquareSet: TypeAlias = SupportsInt | Iterable[int]

#: A move of a piece or a pawn in SAN, without castling. Its groups are the piece, the file and the
#: rank that the piece comes from, the target, and the promotion.
SAN_REGEX = re.compile(
    r"^(?P<piece>[KQRBN])?(?P<file>[a-h])?(?P<rank>[1-8])?[x-]?"
    r"(?P<target>[a-h][1-8])(?P<promotion>=?[KQRBNkqrbn])?[+#]?\Z"
)
#: The castling rights in a FEN, as X-FEN and Shredder-FEN write them.
FEN_CASTLING_REGEX = re.compile(r"^(?:[KQA-H]{0,2}[kqa-h]{0,2}|-)\Z")


def _checked(square: int) -> int:
    """The square, or a ``ValueError`` if it is not one.

    Numbers of NumPy are made numbers of Python: those without a sign have no negative differences.
    """
    if not 0 <= square < 64:
        raise ValueError(f"expected a square from 0 (a1) to 63 (h8), not {square}")
    return operator.index(square)


def square(file_index: int, rank_index: int) -> int:
    """The square on a file and a rank, both from 0 to 7.

    Raises ``ValueError`` for other numbers, as the functions below do for anything that is not a
    square.

    >>> import tabiya
    >>> tabiya.square(0, 7) == tabiya.A8
    True
    """
    for name, index in (("file", file_index), ("rank", rank_index)):
        if not 0 <= index < 8:
            raise ValueError(f"expected a {name} from 0 to 7, not {index}")
    return rank_index * 8 + file_index


def square_file(square: int) -> int:
    """The file of a square, from 0 (the a-file) to 7."""
    return _checked(square) & 7


def square_rank(square: int) -> int:
    """The rank of a square, from 0 (the first rank) to 7."""
    return _checked(square) >> 3


def square_name(square: int) -> str:
    """The name of a square, such as ``e4``.

    Raises ``IndexError`` if there is no such square.
    """
    if not 0 <= square < 64:
        raise IndexError(f"expected a square from 0 (a1) to 63 (h8), not {square}")
    return SQUARE_NAMES[square]


def parse_square(name: str) -> int:
    """The square with a name.

    Raises ``ValueError`` if there is no such square.

    >>> import tabiya
    >>> tabiya.parse_square("h8")
    63
    """
    try:
        return SQUARE_NAMES.index(name)
    except ValueError:
        raise ValueError(f"expected a square from a1 to h8, not {name!r}") from None


def square_mirror(square: int) -> int:
    """The square on the same file and the mirrored rank.

    >>> import tabiya
    >>> tabiya.square_mirror(tabiya.E1) == tabiya.E8
    True
    """
    return _checked(square) ^ 56


def _steps(a: int, b: int) -> tuple[int, int]:
    """The numbers of files and ranks between two squares; the smaller number first."""
    a, b = _checked(a), _checked(b)
    files, ranks = abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3))
    return (files, ranks) if files < ranks else (ranks, files)


def square_distance(a: int, b: int) -> int:
    """The number of steps of a king from one square to another.

    >>> import tabiya
    >>> tabiya.square_distance(tabiya.A1, tabiya.H2)
    7
    """
    return _steps(a, b)[1]


def square_manhattan_distance(a: int, b: int) -> int:
    """The number of files and ranks between two squares, added."""
    return sum(_steps(a, b))


def square_knight_distance(a: int, b: int) -> int:
    """The number of moves of a knight from one square to another.

    >>> import tabiya
    >>> tabiya.square_knight_distance(tabiya.A1, tabiya.B2)
    4
    """
    a, b = _checked(a), _checked(b)
    reached = last = {a}
    distance = 0
    while b not in reached:
        last = {
            (rank + up) * 8 + file + right
            for file, rank in ((square & 7, square >> 3) for square in last)
            for right, up in _KNIGHT_STEPS
            if 0 <= file + right < 8 and 0 <= rank + up < 8
        } - reached
        reached = reached | last
        distance += 1
    return distance


_KNIGHT_STEPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def piece_symbol(piece_type: int) -> str:
    """The letter of a type of piece, in lower case.

    >>> import tabiya
    >>> tabiya.piece_symbol(tabiya.KNIGHT)
    'n'
    """
    symbol = PIECE_SYMBOLS[piece_type] if 0 <= piece_type <= 6 else None
    if symbol is None:
        raise ValueError(f"expected a piece type from 1 (pawn) to 6 (king), not {piece_type}")
    return symbol


def piece_name(piece_type: int) -> str:
    """The name of a type of piece.

    >>> import tabiya
    >>> tabiya.piece_name(tabiya.KNIGHT)
    'knight'
    """
    name = PIECE_NAMES[piece_type] if 0 <= piece_type <= 6 else None
    if name is None:
        raise ValueError(f"expected a piece type from 1 (pawn) to 6 (king), not {piece_type}")
    return name

"""Moves as numbers, in the encodings that networks use.

``"uci"`` numbers the 1968 texts that moves can have in UCI; ``UCI_MOVES`` lists them. First come the
moves of a queen or a knight from each square (a1, b1, ... h8) on an empty board: the queen's targets,
then the knight's, each from a1 to h8. Castling, king's moves and pawn moves are among them. Then come
the promotions: Black's, then White's, by file; straight on, then the capture towards the a-file, then
that towards the h-file; each to queen, rook, bishop, knight. ChessBench has the same order.

``"az"`` numbers 8x8x73 moves as AlphaZero did: 73 times the origin, plus the plane.

====== ===========================================================================================
planes meaning
====== ===========================================================================================
0-55   a queen's move: 7 times the direction (N, NE, E, SE, S, SW, W, NW), plus the distance less 1
56-63  a knight's move: NNE, ENE, ESE, SSE, SSW, WSW, WNW, NNW
64-72  an underpromotion: 3 times the direction (towards the a-file, straight on, towards the h-file),
       plus 0 for a knight, 1 for a bishop, 2 for a rook
====== ===========================================================================================

All other moves, and promotions to a queen, are queen's moves.

In both, N is towards rank 8 as seen by White. With ``orientation="side"`` the ranks are reversed
if Black is to move, for both encodings alike: e7e5 then has the number of e2e4.

Castling is the move that UCI writes: ``e1g1`` in the notation of standard chess, and ``e1h1``, the king
taking its own rook, in that of Chess960. No other legal move has the same number.

``"lc0"`` numbers the 1858 moves of Lc0. First come the moves of a queen or a knight from each square,
by origin and target. Then come the promotions, by pawn and target, each to queen, rook, bishop; one to a
knight has the number of the same move without a promotion. Lc0 sees the board as the side to move does, so
this encoding needs ``orientation="side"``. Castling is always the king taking its own rook: ``e1h1``.

>>> from tabiya import encodings
>>> encodings.move_index("e2e4"), encodings.index_move(317)
(317, Move.from_uci('e2e4'))
>>> encodings.UCI_MOVES[317]
'e2e4'
>>> encodings.move_index("e7e5", "az", orientation="side", turn=False)
877
"""

from __future__ import annotations

import operator
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from ._tabiya import Move, encoding_table
from .constants import KNIGHT, QUEEN, SQUARE_NAMES, WHITE
from .outcome import Outcome, Termination

__all__ = [
    "AZ_TABLE",
    "LC0_TABLE",
    "OUTCOMES",
    "UCI_MOVES",
    "UCI_TABLE",
    "index_move",
    "move_index",
]

def _table(encoding: Literal["uci", "az", "lc0"]) -> npt.NDArray[np.int8]:
    table = encoding_table(encoding)
    table.flags.writeable = False
    return table


#: The moves of ``"uci"``: origin, target and promotion (0 for none). Shape (1968, 3), dtype int8.
UCI_TABLE: Final = _table("uci")
#: The moves of ``"az"``: shape (4672, 3), dtype int8. Numbers that lead off the board are -1, -1,
#: -1. A promotion to a queen has 0 as its promotion.
AZ_TABLE: Final = _table("az")
#: The moves of ``"lc0"``: shape (1858, 3), dtype int8. A promotion to a knight has 0 as its promotion.
LC0_TABLE: Final = _table("lc0")


def _uci(origin: int, target: int, promotion: int) -> str:
    return SQUARE_NAMES[origin] + SQUARE_NAMES[target] + ["", "", "n", "b", "r", "q"][promotion]


#: The texts of the moves of ``"uci"``.
UCI_MOVES: Final[list[str]] = [_uci(*row) for row in UCI_TABLE.tolist()]

_TABLES: Final = {"uci": UCI_TABLE, "az": AZ_TABLE, "lc0": LC0_TABLE}
#: The promotion that is written as a move without one.
_PLAIN: Final = {"uci": 0, "az": QUEEN, "lc0": KNIGHT}
_NUMBERS: Final[dict[str, dict[tuple[int, int, int], int]]] = {
    name: {(row[0], row[1], row[2]): index for index, row in enumerate(table.tolist())}
    for name, table in _TABLES.items()
}

#: The meaning of the numbers of ``Batch.outcomes``: the values of ``Position.outcome()``.
OUTCOMES: Final[dict[int, Outcome | None]] = {
    0: None,
    1: Outcome(Termination.CHECKMATE, True),
    -1: Outcome(Termination.CHECKMATE, False),
    2: Outcome(Termination.STALEMATE, None),
    3: Outcome(Termination.INSUFFICIENT_MATERIAL, None),
    4: Outcome(Termination.SEVENTYFIVE_MOVES, None),
}


def _flip(encoding: str, orientation: str, turn: bool) -> int:
    if encoding not in _TABLES:
        raise ValueError(f'encoding: expected "uci", "az" or "lc0", not {encoding!r}')
    if orientation not in ("white", "side"):
        raise ValueError(f'orientation: expected "white" or "side", not {orientation!r}')
    if encoding == "lc0" and orientation == "white":
        raise ValueError(
            'encoding "lc0" sees the board as the side to move does: give orientation="side"'
        )
    return 56 if orientation == "side" and turn != WHITE else 0


def move_index(
    move: Move | str,
    encoding: Literal["uci", "az", "lc0"] = "uci",
    *,
    orientation: Literal["white", "side"] = "white",
    turn: bool = WHITE,
) -> int:
    """The number of a move, which is a ``Move`` or a text in UCI.

    With ``orientation="side"``, ``turn`` is the side to move. ``Batch.move_indices`` does the same for
    many legal moves in any notation.

    Raises ``ValueError`` if the encoding has no such move, and ``InvalidMoveError`` if the text is not a
    move.

    >>> from tabiya import encodings
    >>> encodings.move_index("a7a8q", "az"), encodings.move_index("a7a8n", "az")
    (3504, 3571)
    """
    flip = _flip(encoding, orientation, turn)
    if isinstance(move, str):
        move = Move.from_uci(move)
    elif not isinstance(move, Move):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"expected a Move or a text in UCI, not {type(move)}")
    promotion = move.promotion or 0
    origin, target = move.from_square ^ flip, move.to_square ^ flip
    index = _NUMBERS["uci"].get((origin, target, promotion))
    if index is not None and encoding != "uci":
        # In the tables, promotions to one role are moves without a promotion.
        promotion = 0 if promotion == _PLAIN[encoding] else promotion
        index = _NUMBERS[encoding].get((origin, target, promotion))
    if index is None or not move:
        raise ValueError(f"{move} has no number: neither a queen nor a knight could make it")
    return index


def index_move(
    index: int,
    encoding: Literal["uci", "az", "lc0"] = "uci",
    *,
    orientation: Literal["white", "side"] = "white",
    turn: bool = WHITE,
) -> Move:
    """The move with a number.

    With ``orientation="side"``, ``turn`` is the side to move. In ``"az"``, a promotion to a queen
    cannot be told from a move of another piece: it has no ``promotion``, as one to a knight in ``"lc0"``. ``Batch.find_moves`` and
    ``Batch.play_many`` take numbers and know the positions.

    Raises ``ValueError`` if there is no such number, or if it leads off the board.

    >>> from tabiya import encodings
    >>> encodings.index_move(877, "az")
    Move.from_uci('e2e4')
    """
    flip = _flip(encoding, orientation, turn)
    table = _TABLES[encoding]
    index = operator.index(index)
    if not 0 <= index < len(table):
        raise ValueError(f"expected a number from 0 to {len(table) - 1}, not {index}")
    origin, target, promotion = table[index].tolist()
    if origin < 0:
        raise ValueError(f"the move with the number {index} leads off the board")
    return Move(origin ^ flip, target ^ flip, promotion or None)

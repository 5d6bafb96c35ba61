"""Chess: move generation, batches of positions as NumPy arrays, explanations and perft.

>>> import tabiya
>>> position = tabiya.Position()
>>> len(position.legal_moves())
20
"""

from __future__ import annotations

from . import constants, encodings, errors
from ._tabiya import Batch, Bitboard, Move, Piece, Position, __version__
from .constants import *
from .errors import *
from .explanation import Explanation, PlacedPiece, Reason
from .outcome import Outcome, Termination

__all__ = [
    "Batch",
    "Bitboard",
    "Explanation",
    "Move",
    "Outcome",
    "Piece",
    "PlacedPiece",
    "Position",
    "Reason",
    "Termination",
    "__version__",
    "encodings",
    *(name for name in vars(constants) if name.isupper()),
    *errors.__all__,
]

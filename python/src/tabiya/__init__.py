"""Chess: move generation, batches of positions as NumPy arrays, explanations and perft.

>>> import tabiya
>>> position = tabiya.Position()
>>> len(position.legal_moves())
20
"""

from __future__ import annotations

from . import encodings as encodings
from ._tabiya import Batch, Bitboard, Move, Piece, Position, __version__
from .constants import *
from .errors import *
from .explanation import Explanation, PlacedPiece, Reason
from .outcome import Outcome, Termination

# Counting, games, PGN and pictures.
from ._tabiya import (
    UNKNOWN_RESULT,
    Game,
    Games,
    PgnReader,
    Svg,
    divide,
    layer,
    layers,
    perft,
    perft_categories,
    read_pgn,
    svg,
    svg_of_explanation,
)
from .counting import PartialCount

# fmt: off
__all__ = [
    # Batch.
    "Batch", "BatchError",
    "AmbiguousMoveError", "Bitboard", "Explanation", "FenError", "IllegalMoveError",
    "InvalidMoveError", "Move", "MoveError", "Outcome", "Piece", "PlacedPiece", "Position",
    "Reason", "TabiyaError", "Termination", "__version__",
    # Counting, games, PGN and pictures.
    "UNKNOWN_RESULT", "Game", "Games", "PartialCount", "PgnError", "PgnReader", "Svg", "divide",
    "layer", "layers", "perft", "perft_categories", "read_pgn", "svg", "svg_of_explanation",
    # Constants.
    "BISHOP", "BLACK", "COLORS", "COLOR_NAMES", "FILE_NAMES",
    "KING", "KNIGHT", "PAWN", "PIECE_NAMES", "PIECE_SYMBOLS",
    "PIECE_TYPES", "QUEEN", "RANK_NAMES", "ROOK", "SQUARES",
    "SQUARE_NAMES", "START", "WHITE",
    "A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1",
    "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2",
    "A3", "B3", "C3", "D3", "E3", "F3", "G3", "H3",
    "A4", "B4", "C4", "D4", "E4", "F4", "G4", "H4",
    "A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5",
    "A6", "B6", "C6", "D6", "E6", "F6", "G6", "H6",
    "A7", "B7", "C7", "D7", "E7", "F7", "G7", "H7",
    "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8",
]

"""Chess: move generation, batches of positions as NumPy arrays, explanations and perft.

>>> import tabiya
>>> position = tabiya.Position()
>>> len(position.legal_moves())
20
"""

from __future__ import annotations

from . import constants, errors
from ._tabiya import Batch, Bitboard, Move, Piece, Position, __version__
from .constants import *
from .errors import *
from .explanation import Explanation, PlacedPiece, Reason
from .outcome import Outcome, Termination

# Counting, games, PGN and pictures
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
    *(name for name in vars(constants) if name.isupper()),
    *errors.__all__,
    # Counting, games, PGN and pictures
    "UNKNOWN_RESULT",
    "Game",
    "Games",
    "PartialCount",
    "PgnReader",
    "Svg",
    "divide",
    "layer",
    "layers",
    "perft",
    "perft_categories",
    "read_pgn",
    "svg",
    "svg_of_explanation",
]

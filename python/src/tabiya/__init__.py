"""Chess: move generation, batches of positions as NumPy arrays, explanations and perft.

>>> import tabiya
>>> position = tabiya.Position()
>>> len(position.legal_moves())
20
"""

from __future__ import annotations

import typing as _typing
from importlib import import_module as _import_module

from . import data as data
from . import encodings as encodings
from . import pgn as pgn
from . import syzygy as syzygy
from ._tabiya import (
    BB_DIAG_ATTACKS,
    BB_DIAG_MASKS,
    BB_FILE_ATTACKS,
    BB_FILE_MASKS,
    BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS,
    BB_PAWN_ATTACKS,
    BB_RANK_ATTACKS,
    BB_RANK_MASKS,
    BB_RAYS,
    BLACK_HALF,
    BOTH_LOSE,
    UNKNOWN_RESULT,
    WHITE_HALF,
    Batch,
    Bitboard,
    Board,
    Game,
    Games,
    LegalMoveGenerator,
    Move,
    PgnReader,
    Piece,
    Position,
    PseudoLegalMoveGenerator,
    SquareSet,
    Svg,
    __version__,
    between,
    divide,
    flip_anti_diagonal,
    flip_diagonal,
    flip_horizontal,
    flip_vertical,
    layer,
    layers,
    lsb,
    msb,
    perft,
    perft_categories,
    popcount,
    ray,
    read_pgn,
    scan_forward,
    scan_reversed,
    shift_2_down,
    shift_2_left,
    shift_2_right,
    shift_2_up,
    shift_down,
    shift_down_left,
    shift_down_right,
    shift_left,
    shift_right,
    shift_up,
    shift_up_left,
    shift_up_right,
    svg_of_explanation,
)
from .constants import *
from .counting import PartialCount
from .errors import *
from .explanation import Explanation, PlacedPiece, Reason
from .interop import from_chess, to_chess
from .opening_names import Opening, opening, openings
from .outcome import Outcome, Termination
from .squares import *
from .status import *
from .svg import svg

#: Another name of ``Board``: there is no class of boards without a side to move.
BaseBoard = Board
#: Any class of boards, in annotations.
BoardT = _typing.TypeVar("BoardT", bound=Board)
BaseBoardT = _typing.TypeVar("BaseBoardT", bound=Board)

if _typing.TYPE_CHECKING:
    # The native module imports these two when it needs them. Tools that pack a program with its modules
    # look for imports in Python only.
    from . import pgn_input as pgn_input
    from . import progress as progress

    # These are imported when they're first used: all but `uci` need python-chess.
    from . import engine as engine
    from . import gaviota as gaviota
    from . import polyglot as polyglot
    from . import uci as uci
    from . import variant as variant
else:

    def __getattr__(name):
        """Imports a module that is slow to import or needs python-chess, when it is first used."""
        if name in ("engine", "gaviota", "polyglot", "uci", "variant"):
            return _import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

# fmt: off
__all__ = [
    # Batch.
    "Batch", "BatchError",
    "AmbiguousMoveError", "Bitboard", "CheckpointError", "DamagedTableError", "DataError", "Explanation", "FenError",
    "IllegalMoveError", "InvalidMoveError", "MissingTableError", "Move", "MoveError", "Outcome", "Piece", "PlacedPiece", "Position",
    "Reason", "TabiyaError", "TableError", "Termination", "__version__",
    # Counting, games, PGN and pictures.
    "BLACK_HALF", "BOTH_LOSE", "UNKNOWN_RESULT", "WHITE_HALF", "Game", "Games", "PartialCount",
    "PgnError", "PgnReader", "Svg", "divide", "layer", "layers", "perft", "perft_categories", "read_pgn", "svg", "svg_of_explanation",
    # Openings.
    "Opening", "opening", "openings",
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
    # Board, and names that programs for python-chess use.
    "BaseBoard", "BaseBoardT", "Board", "BoardT", "LegalMoveGenerator", "PseudoLegalMoveGenerator", "SquareSet", "Status",
    "UnplayableError", "from_chess", "to_chess", "between", "flip_anti_diagonal",
    "flip_diagonal", "flip_horizontal", "flip_vertical", "lsb", "msb", "popcount", "ray",
    "scan_forward", "scan_reversed", "shift_2_down", "shift_2_left", "shift_2_right",
    "shift_2_up", "shift_down", "shift_down_left", "shift_down_right", "shift_left",
    "shift_right", "shift_up", "shift_up_left", "shift_up_right", "Color", "PieceType",
    "ColorName", "EnPassantSpec", "FEN_CASTLING_REGEX", "IntoSquareSet", "SAN_REGEX",
    "Square", "parse_square", "piece_name", "piece_symbol", "square", "square_distance",
    "square_file", "square_knight_distance", "square_manhattan_distance", "square_mirror",
    "square_name", "square_rank",
    "STATUS_VALID", "STATUS_NO_WHITE_KING", "STATUS_NO_BLACK_KING", "STATUS_TOO_MANY_KINGS",
    "STATUS_TOO_MANY_WHITE_PAWNS", "STATUS_TOO_MANY_BLACK_PAWNS", "STATUS_PAWNS_ON_BACKRANK",
    "STATUS_TOO_MANY_WHITE_PIECES", "STATUS_TOO_MANY_BLACK_PIECES",
    "STATUS_BAD_CASTLING_RIGHTS", "STATUS_INVALID_EP_SQUARE", "STATUS_OPPOSITE_CHECK",
    "STATUS_EMPTY", "STATUS_TOO_MANY_CHECKERS", "STATUS_IMPOSSIBLE_CHECK",
    "STATUS_RACE_CHECK", "STATUS_RACE_MATERIAL", "STATUS_RACE_OVER",
    "STARTING_FEN", "STARTING_BOARD_FEN", "UNICODE_PIECE_SYMBOLS", "SQUARES_180", "BB_EMPTY",
    "BB_ALL", "BB_SQUARES", "BB_CORNERS", "BB_CENTER", "BB_LIGHT_SQUARES", "BB_DARK_SQUARES",
    "BB_FILES", "BB_RANKS", "BB_BACKRANKS", "BB_KING_ATTACKS", "BB_KNIGHT_ATTACKS",
    "BB_PAWN_ATTACKS", "BB_DIAG_ATTACKS", "BB_DIAG_MASKS", "BB_FILE_ATTACKS", "BB_FILE_MASKS",
    "BB_RANK_ATTACKS", "BB_RANK_MASKS", "BB_RAYS", "BB_FILE_A", "BB_FILE_B", "BB_FILE_C", "BB_FILE_D",
    "BB_FILE_E", "BB_FILE_F", "BB_FILE_G", "BB_FILE_H", "BB_RANK_1", "BB_RANK_2", "BB_RANK_3",
    "BB_RANK_4", "BB_RANK_5", "BB_RANK_6", "BB_RANK_7", "BB_RANK_8",
    "BB_A1", "BB_B1", "BB_C1", "BB_D1", "BB_E1", "BB_F1", "BB_G1", "BB_H1", "BB_A2", "BB_B2",
    "BB_C2", "BB_D2", "BB_E2", "BB_F2", "BB_G2", "BB_H2", "BB_A3", "BB_B3", "BB_C3", "BB_D3",
    "BB_E3", "BB_F3", "BB_G3", "BB_H3", "BB_A4", "BB_B4", "BB_C4", "BB_D4", "BB_E4", "BB_F4",
    "BB_G4", "BB_H4", "BB_A5", "BB_B5", "BB_C5", "BB_D5", "BB_E5", "BB_F5", "BB_G5", "BB_H5",
    "BB_A6", "BB_B6", "BB_C6", "BB_D6", "BB_E6", "BB_F6", "BB_G6", "BB_H6", "BB_A7", "BB_B7",
    "BB_C7", "BB_D7", "BB_E7", "BB_F7", "BB_G7", "BB_H7", "BB_A8", "BB_B8", "BB_C8", "BB_D8",
    "BB_E8", "BB_F8", "BB_G8", "BB_H8",
]

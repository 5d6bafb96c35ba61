"""To and from the boards of python-chess, which need not be installed for anything else.

>>> import tabiya
>>> import chess
>>> board = chess.Board()
>>> board.push_san("e4")
Move.from_uci('e2e4')
>>> ours = tabiya.from_chess(board)
>>> ours.push_san("e5")
Move.from_uci('e7e5')
>>> tabiya.to_chess(ours).fen()
'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from ._tabiya import Board, Move, Position

if TYPE_CHECKING:
    import chess

__all__ = ["from_chess", "to_chess"]

#: The fields of a board other than its pieces, by the names that both packages use.
_FIELDS = ("turn", "castling_rights", "ep_square", "halfmove_clock", "fullmove_number")


@overload
def to_chess(value: Board | Position) -> chess.Board: ...
@overload
def to_chess(value: Move) -> chess.Move: ...
def to_chess(value: Board | Position | Move) -> chess.Board | chess.Move:
    """The same board or move as an object of python-chess.

    A ``Board`` keeps its history and need not be playable. A ``Position`` becomes a board without
    history. A ``Move`` is converted as it is written.

    Raises ``ImportError`` if python-chess is not installed.

    >>> import tabiya
    >>> tabiya.to_chess(tabiya.Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    Board('4k3/8/8/8/8/8/8/4K2R w K - 0 1')
    """
    _python_chess()
    import chess

    if isinstance(value, Move):
        return chess.Move.from_uci(value.uci())
    if isinstance(value, Position):
        value = Board.from_position(value)
    # Callers may ignore the annotation.
    if not isinstance(value, Board):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"expected a board, a position or a move, not {type(value).__name__}")
    board = chess.Board(None, chess960=value.chess960)
    _copy(value, board, chess.Move.from_uci)
    return board


@overload
def from_chess(value: chess.Board) -> Board: ...
@overload
def from_chess(value: chess.Move) -> Move: ...
def from_chess(value: chess.Board | chess.Move) -> Board | Move:
    """The same board or move as a ``Board`` or a ``Move``.

    A board keeps its history and need not be playable; its ``position`` is the ``Position``.

    Raises ``IllegalMoveError`` if an illegal move was pushed on the board, and ``ValueError`` for
    boards of variants and moves that drop a piece. Raises ``ImportError`` if python-chess is not
    installed.

    >>> import chess
    >>> import tabiya
    >>> tabiya.from_chess(chess.Board.from_chess960_pos(0)).position
    bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1
    """
    _python_chess()
    import chess

    if isinstance(value, chess.Move):
        return Move.from_uci(value.uci())
    # Callers may ignore the annotation.
    if not isinstance(value, chess.Board):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"expected a board or a move of python-chess, not {type(value).__name__}")
    if value.uci_variant != "chess":
        raise ValueError(f"expected a board of chess, not of the variant {value.uci_variant}")
    board = Board(None, chess960=value.chess960)
    _copy(value, board, Move.from_uci)
    return board


def _copy(source: Any, target: Any, move: Callable[[str], Any]) -> None:
    """Copies a board with its history to an empty board of the other package.

    The fields may have been changed between two moves, so all of them are copied.
    """
    stack: list[tuple[str, tuple[Any, ...]]] = []
    source = source.copy()
    # The stack of moves is a new list each time.
    for _ in range(len(source.move_stack)):
        fields = _fields(source)
        stack.append((source.pop().uci(), fields))
    target.set_board_fen(source.board_fen())
    _set_fields(target, _fields(source))
    for text, fields in reversed(stack):
        target.push(move(text))
        _set_fields(target, fields)


def _fields(board: Any) -> tuple[Any, ...]:
    return tuple(getattr(board, name) for name in _FIELDS)


def _set_fields(board: Any, fields: tuple[Any, ...]) -> None:
    for name, value in zip(_FIELDS, fields, strict=True):
        if getattr(board, name) != value:
            setattr(board, name, value)


def _python_chess() -> None:
    """Raises an ``ImportError`` with advice if python-chess is missing."""
    try:
        import chess  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError as error:
        message = "python-chess is not installed: pip install chess"
        raise ImportError(message, name="chess") from error

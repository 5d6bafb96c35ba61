"""To and from python-chess."""

import subprocess
import sys

import chess
import chess.variant
import pytest

import tabiya
from conftest import random_games


def unwound(board: chess.Board) -> list[tuple[object, ...]]:
    """Every position of the history of a board."""
    board = board.copy()
    found: list[tuple[object, ...]] = [(board.fen(en_passant="fen"), board.castling_rights)]
    while board.move_stack:
        found.append((board.pop(), board.fen(en_passant="fen"), board.castling_rights))
    return found


def test_boards_with_history() -> None:
    for number, board in enumerate(random_games(40, seed=21)):
        if number % 75:
            continue
        ours = tabiya.from_chess(board)
        assert ours.fen(en_passant="fen") == board.fen(en_passant="fen")
        assert ours.chess960 == board.chess960
        assert [str(move) for move in ours.move_stack] == [str(move) for move in board.move_stack]
        assert ours.is_repetition(2) == board.is_repetition(2)
        back = tabiya.to_chess(ours)
        assert type(back) is chess.Board and back == board and back.chess960 == board.chess960
        assert unwound(back) == unwound(board)
        alone = tabiya.to_chess(ours.position)
        assert alone == board and not alone.move_stack


def test_boards_under_editing() -> None:
    board = chess.Board()
    board.push_san("e4")
    board.halfmove_clock = 30
    board.push(chess.Move.null())
    board.castling_rights = chess.BB_H1
    board.push_san("d4")
    board.turn = chess.WHITE
    assert unwound(tabiya.to_chess(tabiya.from_chess(board))) == unwound(board)
    empty = chess.Board(None)
    empty.set_piece_at(chess.A1, chess.Piece.from_symbol("p"))
    empty.ep_square = chess.E3
    assert unwound(tabiya.to_chess(tabiya.from_chess(empty))) == unwound(empty)


def test_moves() -> None:
    for text in ["e2e4", "e7e8q", "0000", "e1h1"]:
        theirs = chess.Move.from_uci(text)
        ours = tabiya.Move.from_uci(text)
        assert tabiya.from_chess(theirs) is ours
        assert tabiya.to_chess(ours) == theirs
    with pytest.raises(ValueError):
        tabiya.from_chess(chess.Move.from_uci("P@e4"))


def test_what_cannot_be_converted() -> None:
    board = chess.Board()
    # python-chess does not check pushed moves.
    board.push(chess.Move.from_uci("e2e5"))
    with pytest.raises(tabiya.IllegalMoveError, match="e2e5"):
        tabiya.from_chess(board)
    with pytest.raises(ValueError, match="variant"):
        tabiya.from_chess(chess.variant.AtomicBoard())
    with pytest.raises(TypeError):
        tabiya.from_chess("e4")  # type: ignore[call-overload]
    for wrong in (None, "e4", 5):
        with pytest.raises(TypeError, match="expected a board, a position or a move"):
            tabiya.to_chess(wrong)  # type: ignore[call-overload]
    clock = chess.Board()
    clock.halfmove_clock = 70_000
    with pytest.raises(OverflowError):
        tabiya.from_chess(clock)


def test_without_python_chess() -> None:
    program = """
import sys
sys.modules["chess"] = None
import tabiya
for call in (lambda: tabiya.to_chess(tabiya.Board()), lambda: tabiya.from_chess(None)):
    try:
        call()
    except ImportError as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "python-chess is not installed: pip install chess\n" * 2


def test_python_chess_is_imported_only_when_it_is_needed() -> None:
    program = "import sys, tabiya; tabiya.Board().push_san('e4'); print('chess' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "False\n"

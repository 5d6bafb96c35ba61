"""One position: against known facts, and against python-chess on random games."""

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.polyglot
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from conftest import random_games

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def same(board: chess.Board) -> tabiya.Position:
    """The position of a board of python-chess."""
    return tabiya.Position(board.fen(), chess960=board.chess960)


def test_random_games_agree() -> None:
    for board in random_games(60, seed=1):
        position = same(board)
        moves = position.legal_moves()
        assert {str(move) for move in moves} == {move.uci() for move in board.legal_moves}
        assert position.count_legal() == len(moves)
        assert position.turn == board.turn
        assert position.is_check() == board.is_check()
        assert position.is_checkmate() == board.is_checkmate()
        assert position.is_stalemate() == board.is_stalemate()
        assert position.is_insufficient_material() == board.is_insufficient_material()
        assert position.checkers() == int(board.checkers())
        assert position.polyglot_key == chess.polyglot.zobrist_hash(board)
        assert position.halfmove_clock == board.halfmove_clock
        assert position.fullmove_number == board.fullmove_number
        assert position.castling_rights == board.clean_castling_rights()
        legal_en_passant = board.ep_square if board.has_legal_en_passant() else None
        assert position.en_passant == legal_en_passant
        assert position.king(tabiya.WHITE) == board.king(chess.WHITE)


def test_the_documented_program_reads_packed_positions() -> None:
    page = Path(__file__).parents[2] / "crates/tabiya/docs/packed.md"
    program = re.search(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert program is not None
    names: dict[str, Any] = {}
    exec(program[1], names)
    for board in random_games(20, seed=4):
        position = tabiya.Position(board.fen(en_passant="fen"), chess960=board.chess960)
        packed = position.packed()
        pieces = {chess.square_name(at): str(piece) for at, piece in board.piece_map().items()}
        assert dict(names["pieces"](packed)) == pieces
        counters = int.from_bytes(packed[24:26], "big"), int.from_bytes(packed[26:28], "big")
        assert counters == (board.halfmove_clock, board.fullmove_number)
        assert packed[28] == board.chess960
        assert packed[29] == (board.ep_square or 0)


def test_moves_of_random_games_agree() -> None:
    for number, board in enumerate(random_games(16, seed=2)):
        if number % 5:
            continue
        position = same(board)
        for move in board.legal_moves:
            ours = position.parse(board.san(move))
            assert str(ours) == move.uci()
            assert position.san(ours) == board.san(move)
            assert position.gives_check(ours) == board.gives_check(move)
            assert position.is_capture(ours) == board.is_capture(move)
            assert position.move_from_bits(position.move_bits(ours)) is ours
            board.push(move)
            after = position.play(ours)
            assert after.fen() == board.fen(en_passant="legal")
            assert after == same(board)
            assert after.key == same(board).key
            board.pop()


def test_squares_of_random_games_agree() -> None:
    for number, board in enumerate(random_games(8, seed=3)):
        if number % 10:
            continue
        position = same(board)
        for square in range(64):
            piece = board.piece_at(square)
            assert (piece and piece.symbol()) == (
                (ours := position.piece_at(square)) and ours.symbol()
            )
            assert position.attacks(square) == int(board.attacks(square))
            for color in (True, False):
                assert position.attackers(color, square) == int(board.attackers(color, square))
            assert (square in position.pinned()) == (
                board.color_at(square) == board.turn and board.is_pinned(board.turn, square)
            )
        for color in (True, False):
            assert position.occupied(color) == board.occupied_co[color]
            for piece_type in range(1, 7):
                assert position.pieces(piece_type, color) == int(board.pieces(piece_type, color))


def test_kinds_are_disjoint_and_complete() -> None:
    for board in random_games(10, seed=4):
        position = same(board)
        captures = position.legal_moves("captures")
        quiets = position.legal_moves("quiets")
        assert not set(captures) & set(quiets)
        assert set(captures) | set(quiets) == set(position.legal_moves())
        checks = set(position.legal_moves("quiet-checks"))
        assert checks <= {move for move in quiets if position.gives_check(move)}
    with pytest.raises(ValueError, match="quiet-checks"):
        tabiya.Position().legal_moves("checks")  # type: ignore[arg-type]


def test_a_position_is_a_value() -> None:
    position = tabiya.Position(KIWIPETE)
    assert pickle.loads(pickle.dumps(position)) == position
    assert copy.copy(position) is position
    assert copy.deepcopy([position])[0] is position
    assert len({position, tabiya.Position(KIWIPETE), position.play("e1g1")}) == 2
    assert position != "position"
    assert repr(position) == KIWIPETE
    with pytest.raises(AttributeError):
        position.turn = False  # type: ignore[misc]
    with pytest.raises(TypeError):
        position < position  # type: ignore[operator]


def test_pickled_positions_keep_counters_and_castling_notation() -> None:
    chess960 = tabiya.Position(KIWIPETE, chess960=True)
    for position in (chess960, tabiya.Position("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 7 90")):
        again = pickle.loads(pickle.dumps(position))
        assert again.fen(en_passant="always") == position.fen(en_passant="always")
        assert again.chess960 == position.chess960
    assert "e1h1" in map(str, chess960.legal_moves())
    assert chess960 == tabiya.Position(KIWIPETE)


def test_moves_exist_once() -> None:
    move = tabiya.Move.from_uci("a7a8q")
    assert move is tabiya.Move("a7", tabiya.A8, tabiya.QUEEN)
    assert pickle.loads(pickle.dumps(move)) is move
    assert copy.deepcopy(move) is move
    assert move == tabiya.Move.from_uci("a7a8q") != tabiya.Move.from_uci("a7a8r")
    assert not tabiya.Move.null()
    assert str(tabiya.Move.null()) == "0000"
    assert len({tabiya.Move(a, b) for a in range(64) for b in range(64)}) == 4096


def test_null_moves() -> None:
    after = tabiya.Position().play(tabiya.Move.null())
    assert after.turn == tabiya.BLACK
    check = tabiya.Position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    with pytest.raises(ValueError, match="cannot pass"):
        check.play(tabiya.Move.null())
    with pytest.raises(tabiya.IllegalMoveError):
        check.san(tabiya.Move.null())


def test_errors_say_what_and_where() -> None:
    with pytest.raises(tabiya.FenError) as bad_fen:
        tabiya.Position("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    error = bad_fen.value
    assert "rank 7" in error.reason
    assert error.text[error.start : error.end].startswith("p")
    assert str(error).splitlines()[2].index("^") == error.start + 2
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)

    position = tabiya.Position("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    with pytest.raises(tabiya.AmbiguousMoveError, match="Nbd2 or Nfd2"):
        position.parse("Nd2")
    with pytest.raises(tabiya.InvalidMoveError):
        position.play("hello")
    with pytest.raises(tabiya.IllegalMoveError) as illegal:
        position.play("e1e8")
    assert illegal.value.fen == position.fen()
    with pytest.raises(TypeError):
        position.play(12)  # type: ignore[arg-type]
    for square in (-1, 64, "e9", "", "♔"):
        with pytest.raises(ValueError, match="expected a square"):
            position.piece_at(square)
    with pytest.raises(TypeError):
        position.piece_at(1.5)  # type: ignore[arg-type]


def test_a_fen_beyond_ascii_is_marked_in_characters() -> None:
    with pytest.raises(tabiya.FenError) as bad_fen:
        tabiya.Position("4k3/8/8/8/8/8/8/4K3 w é - 0 1")
    error = bad_fen.value
    assert error.text[error.start : error.end] == "é"


def test_messages_have_no_control_characters() -> None:
    clear = "\x1b[2J"
    with pytest.raises(tabiya.FenError) as bad_fen:
        tabiya.Position(f"4k3/8/8/8/8/8/8/4K3 w - - {clear}\n 1")
    lines = str(bad_fen.value).split("\n")
    assert lines[1:] == [
        r"  4k3/8/8/8/8/8/8/4K3 w - - \x1b[2J\n 1",
        "                            ^^^^^^^",
    ]
    assert bad_fen.value.text == f"4k3/8/8/8/8/8/8/4K3 w - - {clear}\n 1"
    for text in (clear, f"e4{clear}"):
        with pytest.raises(tabiya.InvalidMoveError) as bad_move:
            tabiya.Position().parse(text)
        assert "\x1b" not in str(bad_move.value)


def test_long_texts_are_cut_in_messages() -> None:
    calls: list[Callable[[str], object]] = [
        tabiya.Position,
        tabiya.Position().parse,
        tabiya.Position().piece_at,
        tabiya.Position().explain,
        tabiya.Move.from_uci,
        tabiya.Piece.from_symbol,
        tabiya.Board().push_san,
        tabiya.Board().set_castling_fen,
    ]
    for call in calls:
        with pytest.raises(ValueError) as caught:
            call("x" * 100_000)
        assert len(str(caught.value)) < 400, call


def test_explanations_are_data() -> None:
    explanation = tabiya.Position("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").explain("Bd3")
    assert not explanation
    (reason,) = explanation.reasons
    assert reason.name == "pinned"
    assert reason.piece == tabiya.PlacedPiece("bishop", "white", "e2")
    assert tabiya.PlacedPiece("rook", "black", "e8") in reason.details.values()
    assert tabiya.Position().explain("Nf3").uci == "g1f3"
    assert tabiya.Position().explain(tabiya.Move.from_uci("e2e4"))


def test_packed_bytes_are_checked() -> None:
    packed = tabiya.Position(KIWIPETE).packed()
    assert len(packed) == 32
    assert tabiya.Position.from_packed(packed).fen() == KIWIPETE
    for bad in (b"", packed[:-1], packed + b"x", b"\xff" * 32, bytes(32)):
        with pytest.raises(ValueError):
            tabiya.Position.from_packed(bad)


def test_all_start_positions_of_chess960_agree() -> None:
    for number in range(960):
        ours = tabiya.Position.from_chess960_number(number)
        assert ours.fen() == chess.Board.from_chess960_pos(number).fen(shredder=True) or (
            ours.fen() == chess.Board.from_chess960_pos(number).fen()
        )
    for number in (-1, 960, 1 << 70):
        with pytest.raises((ValueError, OverflowError)):
            tabiya.Position.from_chess960_number(number)


@given(st.text())
def test_any_text_is_a_fen_or_an_error(text: str) -> None:
    try:
        position = tabiya.Position(text)
    except tabiya.FenError as error:
        assert 0 <= error.start <= error.end <= max(len(text), 1)
    else:
        assert tabiya.Position(position.fen()) == position


@given(st.text())
def test_any_text_is_a_move_or_an_error(text: str) -> None:
    position = tabiya.Position(KIWIPETE)
    try:
        move = position.parse(text)
    except tabiya.MoveError as error:
        assert 0 <= error.start <= error.end <= len(text)
    else:
        assert move in position.legal_moves()


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_bitboards_are_sets(a: int, b: int) -> None:
    first, second = tabiya.Bitboard(a), tabiya.Bitboard(b)
    as_sets = {square for square in range(64) if a >> square & 1}
    assert set(first) == as_sets
    assert len(first) == len(as_sets)
    assert set(first - second) == as_sets - set(second)
    assert first | second == a | b
    assert first & b == b & first == a & b
    assert first ^ second == a ^ b
    assert ~first == a ^ 2**64 - 1
    assert hash(first) == hash(a)
    assert tabiya.Bitboard(first.names()) == first
    assert pickle.loads(pickle.dumps(first)) == first
    assert (first < second) == (a < b)


def test_bitboards_refuse_what_is_no_set() -> None:
    assert tabiya.Bitboard(~0x0F) == 2**64 - 16
    for bad in (-(2**64) - 1, 2**64):
        with pytest.raises((ValueError, OverflowError, TypeError)):
            tabiya.Bitboard(bad)
    with pytest.raises(ValueError):
        tabiya.Bitboard(["e9"])
    assert tabiya.Bitboard(5) != "a1"
    assert (tabiya.Bitboard(1) == -1) is False
    assert tabiya.Bitboard()._repr_svg_().startswith("<svg ")


def test_an_array_of_bitboards_is_not_read_as_squares() -> None:
    kings: Any = np.array([1 << 4, 1 << 0], np.uint64)
    rank = tabiya.Bitboard(0xFF)
    assert (rank & kings).tolist() == (kings & rank).tolist() == [1 << 4, 1 << 0]
    assert (rank - kings).tolist() == [0xEF, 0xFE]
    assert (tabiya.SquareSet(0xFF) & kings).tolist() == [1 << 4, 1 << 0]
    for read in (tabiya.Bitboard, tabiya.SquareSet, tabiya.popcount):
        with pytest.raises(TypeError, match="an array of uint64, which holds a set in each"):
            read(kings)
    with pytest.raises(TypeError, match="expected a set of squares"):
        squares = tabiya.SquareSet(0xFF)
        squares &= kings
    # One set of an array, and an array of squares, are sets.
    assert tabiya.Bitboard(kings[0]) == 1 << 4
    assert tabiya.Bitboard(np.array([4, 0])) == 1 << 4 | 1


def test_exceptions_while_python_ends() -> None:
    """Modules can no longer be imported then."""
    code = """
import tabiya

class Last:
    def __del__(self, position=tabiya.Position):
        try:
            position("x")
        except ValueError:
            print("caught")

last = Last()
"""
    end = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert end.stdout == "caught\n" and not end.stderr


def test_passing_in_check_is_a_move_error() -> None:
    position = tabiya.Position("4r2k/8/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(tabiya.IllegalMoveError, match="it cannot pass"):
        position.play(tabiya.Move.null())

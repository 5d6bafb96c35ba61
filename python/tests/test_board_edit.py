"""Setting up and editing boards: against python-chess, and boards that are not playable."""

import array
import copy
import gc
import math
import operator
import pickle
import random
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any, Self

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from conftest import random_games

#: FENs that are incomplete, not playable or carelessly written.
ODD_FENS = [
    "8/8/8/8/8/8/8/8",
    "8/8/8/8/8/8/8/8 b",
    "8/8/8/8/8/8/8/8 w - - 5",
    "8/8/8/8/8/8/8/8 w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w KQkq e4 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w HA - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ e3 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w QKqk - 0 0",
    "4k2r/8/8/8/8/8/8/4K3 w - - 0 1",
    "k7/8/8/8/8/8/8/K6R w - e6 3 7",
    "kK6/8/8/8/8/8/8/8 w - - 0 1",
    "kk6/8/8/8/8/8/8/KK6 w - - 0 1",
    "P3k3/8/8/8/8/8/8/4K2p w - - 0 1",
    "QQQQkQQQ/QQQQQQQQ/QQ6/8/8/8/8/4K3 b - - 0 1",
    "4k3/8/8/8/8/8/PPPPPPPP/PPPPKPPP w - - 0 1",
    "4k3/8/8/4r3/8/8/8/r3K2r w - - 0 1",
    "4k3/4r3/8/8/8/8/8/r3K2r w - - 0 1",
]


def shown(board: Any) -> tuple[Any, ...]:
    """The attributes that every board has, playable or not."""
    if any(len(board.pieces(tabiya.KING, color)) > 1 for color in (True, False)):
        # If a side has several kings, nothing specifies which of them counts.
        return (board.board_fen(), board.turn, board.ep_square, str(board))
    status = int(board.status())
    if status & tabiya.Status.TOO_MANY_CHECKERS:
        # In python-chess, the order of the checkers decides whether the check is impossible as
        # well.
        status |= tabiya.Status.IMPOSSIBLE_CHECK
    # Our board ignores an en-passant square that no double push can have crossed.
    is_crossed = not status & tabiya.Status.INVALID_EP_SQUARE
    return (
        board.fen() if is_crossed else None,
        board.fen(en_passant="fen"),
        board.board_fen(),
        board.turn,
        # Rights without rooks are on other squares.
        board.castling_rights if not status & tabiya.Status.BAD_CASTLING_RIGHTS else None,
        board.clean_castling_rights(),
        board.ep_square,
        board.halfmove_clock,
        board.fullmove_number,
        board.castling_xfen(),
        str(board),
        status,
        [board.attackers_mask(True, square) for square in range(64)],
        board.is_check(),
        board.was_into_check(),
        board.is_insufficient_material(),
        board.chess960_pos(),
    )


@pytest.mark.parametrize("fen", ODD_FENS)
def test_odd_fens_agree(fen: str) -> None:
    theirs, ours = chess.Board(fen), tabiya.Board(fen)
    expected = shown(theirs)
    assert shown(ours) == expected
    if theirs.is_valid():
        assert {str(move) for move in ours.legal_moves} == {
            str(move) for move in theirs.legal_moves
        }


def test_what_needs_a_playable_position_says_so() -> None:
    board = tabiya.Board(None)
    assert board == tabiya.Board.empty()
    actions: list[Callable[[], object]] = [lambda: board.position, lambda: tabiya.Position(board)]
    for action in actions:
        with pytest.raises(tabiya.UnplayableError, match="White has no king") as caught:
            action()
        assert caught.value.fen == "8/8/8/8/8/8/8/8 w - - 0 1"
        assert pickle.loads(pickle.dumps(caught.value)).reason == "White has no king"
    board.set_piece_at(tabiya.E1, tabiya.Piece.from_symbol("K"))
    with pytest.raises(tabiya.UnplayableError, match="Black has no king"):
        tabiya.Position(board)
    board.set_piece_at(tabiya.E8, tabiya.Piece.from_symbol("k"))
    assert tabiya.Position(board) == board.position and board.position.count_legal() == 5


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "startpos",
        "8/8/8/8/8/8/8",
        "9/8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8/8 x",
        "8/8/8/8/8/8/8/8 w X",
        "8/8/8/8/8/8/8/8 w - e9",
        "8/8/8/8/8/8/8/8 w - - -1",
        "8/8/8/8/8/8/8/8 w - - 0 1 z",
        "8/8/8/8/8/8/8/8 w KQxq - 0 1",
        "44/8/8/8/8/8/8/8 w - - 0 1",
    ],
)
def test_what_is_no_fen(fen: str) -> None:
    with pytest.raises(ValueError):
        chess.Board(fen)
    with pytest.raises(tabiya.FenError) as caught:
        tabiya.Board(fen)
    assert caught.value.text == fen
    board = tabiya.Board()
    with pytest.raises(tabiya.FenError):
        board.set_fen(fen)
    assert board == tabiya.Board()


def test_random_edits_agree() -> None:
    """Both boards get the same edits; a board that is playable by chance gets moves as well."""
    chance = random.Random(8)
    theirs, ours = chess.Board(), tabiya.Board()
    played = 0
    for _ in range(1500):
        square = chance.randrange(64)
        symbol = chance.choice("PNBRQKpnbrqk")
        match chance.randrange(16):
            case 0:
                fen = chance.choice([*ODD_FENS, chess.STARTING_FEN])
                theirs.set_fen(fen)
                ours.set_fen(fen)
            case 1 | 2:
                theirs.set_piece_at(square, chess.Piece.from_symbol(symbol))
                ours.set_piece_at(square, tabiya.Piece.from_symbol(symbol))
            case 3 | 4 | 5:
                removed, expected = ours.remove_piece_at(square), theirs.remove_piece_at(square)
                assert str(removed) == str(expected)
            case 6:
                theirs.turn = ours.turn = chance.random() < 0.5
            case 7:
                rights = chance.choice(
                    [0, chess.BB_CORNERS, chess.BB_H1, chess.BB_A8 | chess.BB_H8]
                )
                theirs.castling_rights = ours.castling_rights = rights
                # With moves on the stack, python-chess assumes that the rights are valid.
                theirs.clear_stack()
                ours.clear_stack()
            case 8:
                theirs.ep_square = ours.ep_square = chance.choice([None, 16 + square % 8, 40])
            case 9:
                theirs.halfmove_clock = ours.halfmove_clock = chance.randrange(160)
                theirs.fullmove_number = ours.fullmove_number = chance.randrange(1, 200)
            case 10:
                theirs.apply_mirror()
                ours.apply_mirror()
            case 11:
                number = chance.randrange(960)
                theirs.set_chess960_pos(number)
                ours.set_chess960_pos(number)
                assert ours.chess960_pos() == number
            case 12:
                theirs.reset()
                ours.reset()
                theirs.chess960 = ours.chess960 = chance.random() < 0.3
            case 13:
                name = chance.choice(["flip_vertical", "flip_horizontal", "flip_diagonal"])
                theirs = theirs.transform(getattr(chess, name))
                ours = ours.transform(getattr(tabiya, name))
            case 14:
                pieces = {1: "K", 62: "k", square: symbol}
                theirs.set_piece_map(
                    {at: chess.Piece.from_symbol(it) for at, it in pieces.items()}
                )
                ours.set_piece_map({at: tabiya.Piece.from_symbol(it) for at, it in pieces.items()})
            case _:
                theirs.set_castling_fen("KQkq")
                ours.set_castling_fen("KQkq")
        assert shown(ours) == shown(theirs)
        if theirs.is_valid():
            legal = {str(move) for move in theirs.legal_moves}
            assert {str(move) for move in ours.legal_moves} == legal
            if legal:
                text = chance.choice(sorted(legal))
                theirs.push_uci(text)
                ours.push_uci(text)
                assert shown(ours) == shown(theirs)
                played += 1
    assert played > 100


def test_edits_between_moves() -> None:
    theirs, ours = chess.Board(), tabiya.Board()
    for text in ["e2e4", "e7e5", "g1f3"]:
        theirs.push_uci(text)
        ours.push_uci(text)
        theirs.halfmove_clock = ours.halfmove_clock = 40
        theirs.castling_rights = ours.castling_rights = chess.BB_H1
    assert len(pickle.loads(pickle.dumps(ours)).move_stack) == 3
    for board in (ours, pickle.loads(pickle.dumps(ours)), ours.copy()):
        peer = theirs.copy()
        while peer.move_stack:
            assert shown(board) == shown(peer)
            assert board.pop().uci() == peer.pop().uci()
        assert shown(board) == shown(peer)


def test_the_notation_of_castling_stays_when_a_move_is_taken_back() -> None:
    for chess960 in (True, False):
        theirs, ours = chess.Board(chess960=not chess960), tabiya.Board(chess960=not chess960)
        theirs.push_uci("e2e4")
        ours.push_uci("e2e4")
        theirs.chess960 = ours.chess960 = chess960
        theirs.pop()
        ours.pop()
        assert ours.chess960 == theirs.chess960 == chess960 and shown(ours) == shown(theirs)


def test_counters_have_a_range() -> None:
    board = tabiya.Board()
    for name, value in [("halfmove_clock", -1), ("fullmove_number", 0), ("halfmove_clock", 65536)]:
        with pytest.raises(OverflowError, match="expected"):
            setattr(board, name, value)
    with pytest.raises(ValueError):
        board.ep_square = 64
    with pytest.raises(ValueError):
        board.set_chess960_pos(960)
    with pytest.raises(ValueError):
        board.set_board_fen("8/8/8/8/8/8/8/8 w")
    with pytest.raises(ValueError):
        board.fen(en_passant="always")  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        board.pawns = 0  # type: ignore[misc]
    assert board == tabiya.Board()


def test_numbers_in_epd_keep_their_value() -> None:
    board = tabiya.Board()
    for number in (0, -5, 2**63, -(2**64), 10**30 + 1, 10**400, 1.5, 1e300, -0.25):
        epd = board.epd(x=number)
        assert epd == chess.Board().epd(x=number)
        assert tabiya.Board.from_epd(epd)[1] == {"x": number} == chess.Board.from_epd(epd)[1]
    for number in (math.inf, -math.inf, math.nan):
        with pytest.raises(ValueError, match="x: expected a finite number, not"):
            board.epd(x=number)
        with pytest.raises(ValueError):
            tabiya.Board.from_epd(f"{board.epd()} x {number};")


def test_epd_agrees() -> None:
    base = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    lines = [
        'bm e4 d4; id "a \\"b\\" c"; x; f 1.5; i 12; pv e4 e5 Nf3; m Nf3; hmvc 4; fmvn 9; D1 20;',
        'c0 "hello; world"',
        "acd 3",
        "draw_reject;",
        "n -3; noop;",
        "am Nf3",
        'id "open',
        'bm e4; id "',
        '- bm e4; id "x";',
        "- -",
        "",
    ]
    for line in lines:
        theirs, operations = chess.Board.from_epd(f"{base} {line}")
        ours, found = tabiya.Board.from_epd(f"{base} {line}")
        assert ours.fen() == theirs.fen()
        assert found.keys() == operations.keys()
        for name, value in operations.items():
            assert str(found[name]) == str(value)
        same: Any = operations
        assert ours.epd(**found) == theirs.epd(**same)
    board = tabiya.Board()
    for line in ["bm e9", "foo zz", "acd x"]:
        with pytest.raises(ValueError):
            board.set_epd(f"{base} {line}")
        with pytest.raises(ValueError):
            chess.Board().set_epd(f"{base} {line}")
    assert board == tabiya.Board()
    # Counters may come before the operations.
    assert board.set_epd(f"{base} 5 9 acd 3") == {"acd": 3}
    assert (board.halfmove_clock, board.fullmove_number) == (5, 9)


@pytest.mark.parametrize("name", ["a b", "a;b", 'a"b', "a\n", "-", ""])
def test_what_is_no_name_of_an_operation_is_not_written(name: str) -> None:
    """It would be read as other operations. python-chess refuses most of them as well."""
    operations: dict[str, Any] = {name: 1}
    with pytest.raises(ValueError, match="expected the name of an operation of EPD"):
        tabiya.Board().epd(**operations)


def test_copies() -> None:
    board = tabiya.Board()
    for text in ["e4", "e5", "Nf3", "Nc6"]:
        board.push_san(text)
    for other in (copy.copy(board), copy.deepcopy(board), board.copy()):
        assert other == board and other is not board
        other.pop()
        assert other != board
    assert len(board.copy(stack=False).move_stack) == 0
    assert board.copy(stack=False) == board
    assert [str(move) for move in board.copy(stack=2).move_stack] == ["g1f3", "b8c6"]
    assert board.copy(stack=2).root().fullmove_number == 2
    assert len(board.move_stack) == 4
    board.move_stack.clear()
    assert len(board.move_stack) == 4


def test_the_copy_of_a_users_class_is_asked() -> None:
    class Counting(tabiya.Board):
        visits = 0

        def copy(self, *, stack: bool | int = True) -> Self:
            other = super().copy(stack=stack)
            other.visits = self.visits
            return other

    board = Counting()
    board.visits = 3
    assert copy.copy(board).visits == copy.deepcopy(board).visits == 3


def test_equality_and_hashing() -> None:
    board = tabiya.Board()
    assert board == tabiya.Board() and board != tabiya.Board.empty()
    assert board != object() and board != chess.Board()
    clock = tabiya.Board()
    clock.halfmove_clock = 1
    assert board != clock and board.position == clock.position
    # An en-passant square without a capture does not matter.
    assert tabiya.Board("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1") == tabiya.Board(
        "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"
    )
    with pytest.raises(TypeError):
        hash(board)
    assert len({board.position, tabiya.Board().position}) == 1


def test_repr_can_be_evaluated() -> None:
    for board in random_games(4, seed=3, plies=20):
        ours = tabiya.from_chess(board)
        again = eval(repr(ours), {"Board": tabiya.Board})
        assert again == ours and again.chess960 == ours.chess960
        assert repr(ours) == repr(board)


class Counting(tabiya.Board):
    """A user's subclass, with an argument of its own and a ``push`` that counts."""

    def __init__(self, fen: str | None = tabiya.START, *, name: str = "nobody") -> None:
        super().__init__(fen)
        self.name = name
        self.pushes = 0

    def push(self, move: tabiya.Move | str) -> None:
        self.pushes += 1
        super().push(move)


def test_subclasses() -> None:
    board = Counting(name="somebody")
    board.push_san("e4")
    board.push_uci("e7e5")
    board.push(tabiya.Move.from_uci("g1f3"))
    assert board.san_and_push(tabiya.Move.from_uci("b8c6")) == "Nc6"
    assert (board.name, board.pushes) == ("somebody", 4)
    for other in (board.copy(), board.mirror(), board.root(), copy.deepcopy(board)):
        assert type(other) is Counting and other.name == "nobody"
    again = pickle.loads(pickle.dumps(board))
    assert type(again) is Counting and again == board
    assert (again.name, again.pushes, len(again.move_stack)) == ("somebody", 4, 4)
    assert repr(Counting(None)) == "Counting('8/8/8/8/8/8/8/8 w - - 0 1')"
    assert type(Counting.empty()) is Counting
    assert type(Counting.from_chess960_pos(3)) is Counting


class Noted(tabiya.Board):
    """A class of a user, with attributes in both places."""

    __slots__ = ("__dict__", "note")
    note: str
    other: int


class Slotted(tabiya.Board):
    __slots__ = ("note",)
    note: str


class NotedSquares(tabiya.SquareSet):
    note: str


class NamedSquares(tabiya.SquareSet):
    """A set whose constructor has another first argument."""

    def __new__(cls, name: str, squares: int = 0) -> Self:
        return super().__new__(cls, squares)

    def __init__(self, name: str, squares: int = 0) -> None:
        self.name = name


def test_pickles_have_the_attributes_of_subclasses() -> None:
    noted, slotted = Noted(), Slotted()
    noted.push_san("e4")
    noted.note, noted.other, slotted.note = "x", 5, "y"
    again = pickle.loads(pickle.dumps(noted))
    assert type(again) is Noted and again == noted
    assert (again.note, again.other) == ("x", 5)
    assert pickle.loads(pickle.dumps(slotted)).note == "y"
    assert pickle.loads(pickle.dumps(Slotted())) == Slotted()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(noted, protocol))
        assert type(again) is Noted and again == noted and again.move_stack == noted.move_stack
        assert (again.note, again.other) == ("x", 5)
        assert pickle.loads(pickle.dumps(tabiya.Board(), protocol)) == tabiya.Board()
    squares = NotedSquares([0, 9])
    squares.note = "z"
    for found in (pickle.loads(pickle.dumps(squares)), copy.copy(squares), copy.deepcopy(squares)):
        assert type(found) is NotedSquares and (int(found), found.note) == (513, "z")
        found.add(1)
    assert int(squares) == 513
    named = NamedSquares("corner", 9)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(named, protocol))
        assert type(again) is NamedSquares and (int(again), again.name) == (9, "corner")
    for again in (copy.copy(named), copy.deepcopy(named)):
        assert type(again) is NamedSquares and (int(again), again.name) == (9, "corner")


def test_class_methods_of_sets_make_the_class() -> None:
    for found in (NotedSquares.from_square(9), NotedSquares.ray(1, 2), NotedSquares.between(0, 2)):
        assert type(found) is NotedSquares
    assert [int(NotedSquares.from_square(9)), int(NotedSquares.between(0, 2))] == [1 << 9, 2]


def test_pickles_with_other_attributes_leave_the_board_as_it_is() -> None:
    _, first, steps = tabiya.Board.empty().__getstate__()
    wrong: list[Any] = ["x", 5, ({}, {}, {}), ({}, "x"), [None]]
    for attributes in wrong:
        board = tabiya.Board()
        with pytest.raises(TypeError):
            board.__setstate__((attributes, first, steps))
        assert board == tabiya.Board()


def test_attributes_may_change_the_dictionary_from_which_they_are_set() -> None:
    class Growing(tabiya.Board):
        @property
        def first(self) -> int:
            return 1

        @first.setter
        def first(self, value: int) -> None:
            attributes["first again"] = value

    attributes = {"first": 1, "second": 2}
    _, first, steps = tabiya.Board().__getstate__()
    board = Growing(None)
    board.__setstate__(((None, attributes), first, steps))
    assert vars(board) == {"second": 2} and len(attributes) == 3
    assert board == tabiya.Board()


def test_pickle_of_random_games() -> None:
    for number, board in enumerate(random_games(6, seed=4)):
        if number % 40 == 0:
            ours = tabiya.from_chess(board)
            again = pickle.loads(pickle.dumps(ours))
            assert again == ours and again.chess960 == ours.chess960
            assert again.move_stack == ours.move_stack
            assert again.root() == ours.root()
    with pytest.raises((TypeError, ValueError)):
        tabiya.Board().__setstate__((None, (), []))
    with pytest.raises(ValueError):
        state = tabiya.Board().__getstate__()
        tabiya.Board().__setstate__((state[0], state[1], [(0xFFFF, None)]))


def test_pictures() -> None:
    board = tabiya.Board()
    board.push_san("e4")
    picture = board._repr_svg_()
    assert picture.startswith("<svg") and picture.count("<use ") >= 32
    assert tabiya.Board.empty()._repr_svg_().startswith("<svg")
    assert tabiya.SquareSet(5)._repr_svg_().startswith("<svg")


def test_leaks() -> None:
    move = tabiya.Move.from_uci("e2e4")
    counts: list[tuple[int, int, int]] = []
    board = tabiya.Board()
    for _ in range(2):
        for _ in range(20_000):
            board = tabiya.Board()
            board.push(move)
            list(board.legal_moves)
            board.copy().pop()
            board.attackers(True, 20)
            board.move_stack
        gc.collect()
        counts.append(
            (sys.getrefcount(move), sys.getrefcount(tabiya.Board), len(gc.get_objects()))
        )
    for before, after in zip(*counts, strict=True):
        assert abs(after - before) < 100
    reference = weakref.ref(board)
    del board
    gc.collect()
    assert reference() is None


def test_cycles_are_collected() -> None:
    class Holder(tabiya.Board):
        moves: object

    board = Holder()
    board.moves = board.legal_moves
    reference = weakref.ref(board)
    del board
    gc.collect()
    assert reference() is None


def test_arguments_may_use_the_board() -> None:
    board = tabiya.Board()

    def line() -> Iterator[tabiya.Move]:
        for text in ["e4", "e5", "Nf3"]:
            yield board.push_san(text)

    copied = board.copy()
    assert tabiya.Board().variation_san(line()) == "1. e4 e5 2. Nf3"
    board = copied
    assert board.variation_san(line()) == "1. e4 e5 2. Nf3" and board.ply() == 3


def test_square_sets_agree() -> None:
    chance = random.Random(6)
    for _ in range(300):
        a, b = chance.getrandbits(64), chance.getrandbits(64) & chance.getrandbits(64)
        square = chance.randrange(64)
        theirs, ours = chess.SquareSet(a), tabiya.SquareSet(a)
        assert str(ours) == str(theirs) and repr(ours) == repr(theirs)
        assert list(ours) == list(theirs) and list(reversed(ours)) == list(reversed(theirs))
        assert ours.tolist() == theirs.tolist() and len(ours) == len(theirs)
        assert (square in ours) == (square in theirs) and int(ours) == int(theirs)
        for name in ("union", "intersection", "difference", "symmetric_difference"):
            assert int(getattr(ours, name)(b)) == int(getattr(theirs, name)(b))
        for name in ("isdisjoint", "issubset", "issuperset"):
            assert getattr(ours, name)(b) == getattr(theirs, name)(b)
        assert int(ours | b) == int(theirs | b) and int(b & ours) == int(theirs) & b
        assert int(ours ^ b) == int(theirs ^ b) and int(ours - b) == int(theirs - b)
        assert int(~ours) == int(~theirs) and int(ours.mirror()) == int(theirs.mirror())
        assert int(ours << 9) == int(theirs << 9) and int(ours >> 9) == int(theirs >> 9)
        for name in ("add", "discard"):
            getattr(ours, name)(square)
            getattr(theirs, name)(square)
            assert ours.mask == theirs.mask
        ours.add(3)
        theirs.add(3)
        assert ours.pop() == theirs.pop()
        for name in ("update", "intersection_update", "symmetric_difference_update"):
            getattr(ours, name)(b)
            getattr(theirs, name)(b)
            assert ours == tabiya.SquareSet(int(theirs))
        ours |= a
        ours &= b
        assert ours == a & b and ours.frozen() == a & b
        assert tabiya.Bitboard(ours) == ours and copy.copy(ours) == ours
        assert pickle.loads(pickle.dumps(ours)) == ours
        other = chance.randrange(64)
        assert tabiya.ray(square, other) == chess.ray(square, other)
        assert tabiya.between(square, other) == chess.between(square, other)
        assert tabiya.SquareSet.ray(square, other) == chess.ray(square, other)
        assert tabiya.square_distance(square, other) == chess.square_distance(square, other)
        assert tabiya.square_manhattan_distance(square, other) == chess.square_manhattan_distance(
            square, other
        )
        assert tabiya.square_knight_distance(square, other) == chess.square_knight_distance(
            square, other
        )
        for name in dir(chess):
            if name.startswith(("flip_", "shift_")):
                assert getattr(tabiya, name)(a) == getattr(chess, name)(a), name
        assert tabiya.lsb(a) == chess.lsb(a) and tabiya.msb(a) == chess.msb(a)
        assert tabiya.popcount(a) == a.bit_count()
        assert list(tabiya.scan_forward(a)) == list(chess.scan_forward(a))
        assert list(tabiya.scan_reversed(a)) == list(chess.scan_reversed(a))
    few = tabiya.SquareSet(0b1011)
    assert sorted(few.carry_rippler()) == sorted(chess.SquareSet(0b1011).carry_rippler())
    empty = tabiya.SquareSet()
    for action in (empty.pop, lambda: empty.remove(3)):
        with pytest.raises(KeyError):
            action()
    with pytest.raises(TypeError):
        hash(empty)
    with pytest.raises(ValueError):
        tabiya.lsb(0)
    with pytest.raises(ValueError):
        tabiya.SquareSet(tabiya.BB_ALL).carry_rippler()


def raising(error: BaseException) -> Iterator[int]:
    yield 5
    raise error


def operators(*names: str) -> list[Callable[[Any, Any], Any]]:
    """Functions of the module operator, whose types pyright does not know."""
    return [getattr(operator, name) for name in names]


OPERATORS = operators("or_", "and_", "xor", "sub", "ior", "iand", "ixor", "isub")
METHODS = [
    "union",
    "intersection",
    "difference",
    "symmetric_difference",
    "update",
    "intersection_update",
    "difference_update",
    "symmetric_difference_update",
    "isdisjoint",
    "issubset",
    "issuperset",
]


def test_operands_may_be_iterators_that_look_at_the_set() -> None:
    for operate in OPERATORS:
        found: list[int] = []
        for package in (tabiya, chess):
            squares = package.SquareSet([1, 2, 3])
            other = (square for square in range(8) if square not in squares or square == 2)
            found.append(int(operate(squares, other)))
            squares = package.SquareSet([1, 2, 3])
            found.append(int(operate(squares, squares)))
        assert found[:2] == found[2:], operate
    for name in METHODS:
        answers: list[Any] = []
        for package in (tabiya, chess):
            squares = package.SquareSet([1, 2, 3])
            answers.append(getattr(squares, name)(squares))
            answers.append(int(squares))
            squares = package.SquareSet([1, 2, 3])
            other = (square for square in range(8) if square not in squares or square == 2)
            answers.append(getattr(squares, name)(other))
            answers.append(int(squares))
        values = [int(it) if it is not None else None for it in answers]
        assert values[:4] == values[4:], name


def test_exceptions_of_operands_are_not_lost() -> None:
    for error in (KeyboardInterrupt, LookupError, ValueError, TypeError):
        for operate in OPERATORS:
            squares: Any
            for squares in (tabiya.SquareSet([1, 2]), tabiya.Bitboard([1, 2])):
                before = int(squares)
                with pytest.raises(error, match="mine"):
                    operate(squares, raising(error("mine")))
                with pytest.raises(ValueError):
                    operate(squares, map(int, ["1", "x"]))
                assert int(squares) == before
        squares = tabiya.SquareSet([1, 2])
        for name in METHODS:
            with pytest.raises(error, match="mine"):
                getattr(squares, name)(raising(error("mine")))
        with pytest.raises(error, match="mine"):
            _ = raising(error("mine")) | squares
        assert int(squares) == 6
    for error in (KeyboardInterrupt, LookupError):
        with pytest.raises(error, match="mine"):
            assert tabiya.SquareSet() == raising(error("mine"))
    other: Any
    for other in (object(), "a1", None, 1.5):
        assert tabiya.SquareSet([0]) != other and not tabiya.SquareSet([0]) == other
        for operate in OPERATORS:
            for squares in (tabiya.SquareSet([1, 2]), tabiya.Bitboard([1, 2])):
                with pytest.raises(TypeError):
                    operate(squares, other)


def test_other_classes_may_have_the_operator() -> None:
    class Other:
        def __ror__(self, left: object) -> str:
            return "theirs"

    other: Any = Other()
    assert tabiya.SquareSet() | other == tabiya.Bitboard() | other == "theirs"


def test_sets_are_shifted_by_any_number_of_places() -> None:
    for operate in operators("lshift", "rshift", "ilshift", "irshift"):
        for places in (0, 1, 8, 63, 64, 65, 200):
            squares, theirs = tabiya.SquareSet([0, 9, 63]), chess.SquareSet([0, 9, 63])
            assert int(operate(squares, places)) == int(operate(theirs, places))
        assert int(operate(tabiya.SquareSet([0, 9]), 1 << 70)) == 0
        for negative in (-1, -(1 << 70)):
            with pytest.raises(ValueError, match="negative"):
                operate(tabiya.SquareSet([0, 9]), negative)
        with pytest.raises(TypeError):
            operate(tabiya.SquareSet([0, 9]), "1")


def test_constants_agree() -> None:
    for name in dir(chess):
        if name.startswith("BB_") or name in (
            "SQUARES", "SQUARES_180", "SQUARE_NAMES", "STARTING_FEN", "STARTING_BOARD_FEN",
            "UNICODE_PIECE_SYMBOLS", "COLORS", "COLOR_NAMES", "PIECE_TYPES", "PIECE_SYMBOLS",
            "PIECE_NAMES", "FILE_NAMES", "RANK_NAMES",
        ):  # fmt: skip
            if hasattr(tabiya, name):
                assert getattr(tabiya, name) == getattr(chess, name), name
                assert name in tabiya.__all__
    for number in range(64):
        for name in ("square_name", "square_file", "square_rank", "square_mirror"):
            assert getattr(tabiya, name)(number) == getattr(chess, name)(number)
    assert tabiya.square(3, 4) == chess.square(3, 4)
    for number in tabiya.PIECE_TYPES:
        assert tabiya.piece_name(number) == chess.piece_name(number)
        assert tabiya.piece_symbol(number) == chess.piece_symbol(number)
    for wrong in (-1, 0, 7):
        with pytest.raises(ValueError, match=f"from 1 .pawn. to 6 .king., not {wrong}"):
            tabiya.piece_name(wrong)
        with pytest.raises(ValueError, match=f"from 1 .pawn. to 6 .king., not {wrong}"):
            tabiya.piece_symbol(wrong)
    for flag in tabiya.Status:
        assert int(getattr(chess, f"STATUS_{flag.name}")) == flag
        assert getattr(tabiya, f"STATUS_{flag.name}") == flag


def test_what_is_no_square() -> None:
    for wrong in (-1, 64, 10**9):
        for name in ("square_file", "square_rank", "square_mirror"):
            with pytest.raises(ValueError, match=f"from 0 .a1. to 63 .h8., not {wrong}"):
                getattr(tabiya, name)(wrong)
        for name in ("square_distance", "square_manhattan_distance", "square_knight_distance"):
            for pair in ((0, wrong), (wrong, 0), (wrong, wrong)):
                with pytest.raises(ValueError, match=f"from 0 .a1. to 63 .h8., not {wrong}"):
                    getattr(tabiya, name)(*pair)
        with pytest.raises(IndexError, match=f"from 0 .a1. to 63 .h8., not {wrong}"):
            tabiya.square_name(wrong)
    for file, rank in ((-1, 0), (8, 0), (0, -1), (0, 8)):
        with pytest.raises(ValueError, match="from 0 to 7"):
            tabiya.square(file, rank)
    with pytest.raises(ValueError, match="from a1 to h8, not 'i9'"):
        tabiya.parse_square("i9")


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int8, np.uint64])
def test_squares_of_arrays_have_right_distances(kind: type[np.integer[Any]]) -> None:
    """Numbers without a sign have no negative differences."""
    functions = ("square_distance", "square_manhattan_distance", "square_knight_distance")
    for one in range(64):
        for name in ("square_file", "square_rank", "square_mirror"):
            assert type(getattr(tabiya, name)(kind(one))) is int
        for other in range(64):
            for name in functions:
                function = getattr(tabiya, name)
                assert function(kind(one), kind(other)) == function(one, other)


def test_an_empty_board_of_chess960() -> None:
    for chess960 in (False, True):
        theirs, ours = chess.Board.empty(chess960=chess960), tabiya.Board.empty(chess960=chess960)
        assert (shown(ours), ours.chess960) == (shown(theirs), chess960)
    assert not tabiya.Board.empty().chess960


def test_en_passant_on_boards_that_are_not_playable() -> None:
    """Pawns and rooks at random, with a king of one side or of none."""
    chance, found = random.Random(8), 0
    for _ in range(2000):
        theirs = chess.Board(None)
        theirs.turn = chance.random() < 0.5
        rank = 4 if theirs.turn else 3
        file = chance.randrange(8)
        theirs.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, not theirs.turn))
        for _ in range(chance.randrange(1, 4)):
            square = chess.square(chance.randrange(8), chance.choice([rank, rank, 0, 7]))
            if not theirs.piece_at(square):
                role = chess.PAWN if square // 8 == rank else chess.ROOK
                theirs.set_piece_at(square, chess.Piece(role, chance.random() < 0.6))
        if chance.random() < 0.7:
            empty = [square for square in chess.SQUARES if not theirs.piece_at(square)]
            theirs.set_piece_at(chance.choice(empty), chess.Piece(chess.KING, theirs.turn))
        theirs.ep_square = chess.square(file, 5 if theirs.turn else 2)
        origin = chess.square(file, 6 if theirs.turn else 1)
        if theirs.piece_at(theirs.ep_square) or theirs.piece_at(origin):
            continue
        ours = tabiya.Board(theirs.fen(en_passant="fen"))
        for mode in ("legal", "xfen", "fen"):
            assert ours.fen(en_passant=mode) == theirs.fen(en_passant=mode)
        assert ours.has_legal_en_passant() == theirs.has_legal_en_passant()
        assert ours.has_pseudo_legal_en_passant() == theirs.has_pseudo_legal_en_passant()
        found += ours.has_legal_en_passant()
    assert found > 100


def test_squares_of_castling_agree() -> None:
    """``from_mask`` and ``to_mask`` of all generators, in standard chess and Chess960."""
    for fen, chess960 in (
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", True),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", True),
    ):
        theirs, ours = chess.Board(fen, chess960=chess960), tabiya.Board(fen, chess960=chess960)
        for name in (
            "generate_legal_moves", "generate_pseudo_legal_moves", "generate_castling_moves",
        ):  # fmt: skip
            for square in range(64):
                for masks in ((1 << square, tabiya.BB_ALL), (tabiya.BB_ALL, 1 << square)):
                    expected = {move.uci() for move in getattr(theirs, name)(*masks)}
                    assert {move.uci() for move in getattr(ours, name)(*masks)} == expected


def test_texts_of_moves_have_no_white_space_around_them() -> None:
    board = tabiya.Board()
    for text in (" e4", "e4 ", "e4\n", "\te2e4", "-- "):
        for method in (board.parse_san, board.parse_uci, board.push_san, board.push):
            with pytest.raises(tabiya.InvalidMoveError, match="white space"):
                method(text)
    assert board.parse_san("e4") == tabiya.Move.from_uci("e2e4")


PLACEMENT = st.text("PNBRQKpnbrqk12345678/", max_size=40)


@given(st.one_of(st.text(), PLACEMENT, st.text("wbKQkqHAha-abcdefgh12345678/ PNBRQKpnbrq")))
def test_any_text_is_a_fen_or_an_error(text: str) -> None:
    try:
        board = tabiya.Board(text)
    except tabiya.FenError:
        return
    assert tabiya.Board(board.fen(en_passant="fen")).board_fen() == board.board_fen()
    board.status()
    try:
        list(board.legal_moves)
    except tabiya.UnplayableError:
        pass


@given(st.one_of(st.text(), st.text("NBRQKOabcdefgh12345678x=+#-0@")))
def test_any_text_is_a_move_or_an_error(text: str) -> None:
    board = tabiya.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    for parse in (board.parse_san, board.parse_uci, board.parse_xboard):
        try:
            move = parse(text)
        except tabiya.MoveError:
            continue
        assert not move or move in board.legal_moves


def test_malformed_texts_raise_errors() -> None:
    chance = random.Random(12)
    board = tabiya.Board()
    good = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", *ODD_FENS]
    letters = "PNBRQKpnbrqk12345678/wb-KQkqaHhe36 09x=+#O\0é\u2654"
    refused = 0
    for _ in range(30_000):
        text = list(chance.choice(good))
        for _ in range(chance.randrange(1, 5)):
            at = chance.randrange(len(text) + 1)
            text[at : at + chance.randrange(3)] = chance.choice(letters)
        fen = "".join(text)
        try:
            board.set_fen(fen)
        except tabiya.FenError:
            refused += 1
        else:
            board.epd()
            board.status()
        try:
            board.push_san(fen[: chance.randrange(8)])
        except (tabiya.MoveError, tabiya.UnplayableError):
            refused += 1
        try:
            board.set_epd(fen + ' bm e4; id "' + fen)
        except ValueError:
            refused += 1
    assert refused > 10_000


def test_sets_of_squares_in_columns_and_buffers_are_no_squares() -> None:
    sets = np.array([16, 65280], np.uint64)

    class Column:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return sets

        def __iter__(self) -> Any:
            return iter(sets.tolist())

    for given in (sets, sets.astype(">u8"), sets.data, array.array("Q", sets), Column()):
        for read in (tabiya.popcount, tabiya.SquareSet):
            with pytest.raises(TypeError, match="holds a set in each element"):
                read(given)
    # In other types, numbers are squares.
    for squares in (array.array("B", [0, 63]), memoryview(b"\x00\x3f"), np.array([0, 63])):
        assert tabiya.popcount(squares) == 2


def test_generators_of_a_board_without_kings_have_a_text() -> None:
    board = tabiya.Board(None)
    for generator in (board.legal_moves, board.pseudo_legal_moves):
        assert repr(generator).endswith(" ()>")

"""`Board` against python-chess on boards that are not playable, and after null moves in check."""

import copy
import pickle
from typing import Any

import chess
import pytest

import tabiya
from any_boards import helpers, walks
from conftest import LONG
from test_board import facts, sets

#: Facts that have other rules if a side has several kings, or that report nonsense.
OTHER_RULES = ["castling", "rights", "clean", "chess960 rights", "status", "epd", "fens", "fields"]


def comparable(board: Any, excluded: int) -> dict[str, Any]:
    """The moves of a board and its facts, without moves from excluded squares."""
    found: dict[str, Any] = {
        name: {move for move in moves if not excluded >> chess.parse_square(move[:2]) & 1}
        for name, moves in sets(board).items()
    }
    found["checks"] = {
        move.uci() for move in board.legal_moves if board.gives_check(move)
    } - {move.uci() for move in board.generate_legal_moves(excluded)}
    found["null check"] = board.gives_check(type(board).parse_uci(board, "0000"))
    if all(chess.popcount(board.kings & squares) < 2 for squares in board.occupied_co):
        found["san"] = {board.san(move) for move in board.legal_moves}
        found["lan"] = {board.lan(move) for move in board.legal_moves}
    if not excluded:
        found |= facts(board, claims=True)
        found["fen"] = board.fen(shredder=True)
        for name in OTHER_RULES:
            del found[name]
    return found


def test_random_boards_agree() -> None:
    unplayable = 0
    for theirs, ours in walks(8000 if LONG else 430, seed=61):
        excluded = helpers(theirs)
        assert comparable(ours, excluded) == comparable(theirs, excluded), theirs.fen()
        unplayable += not is_playable(ours)
    assert unplayable > (40_000 if LONG else 2500)


def is_playable(board: tabiya.Board) -> bool:
    try:
        return bool(board.position)
    except tabiya.UnplayableError:
        return False


def test_every_move_is_judged_alike() -> None:
    for number, (theirs, ours) in enumerate(walks(40, seed=5)):
        if number % 7 not in (0, 4) or helpers(theirs):
            continue
        for origin in range(64):
            for target in range(64):
                move, other = tabiya.Move(origin, target), chess.Move(origin, target)
                if origin != target:
                    assert ours.is_legal(move) == theirs.is_legal(other), (theirs.fen(), other)
                    is_pseudo_legal = theirs.is_pseudo_legal(other)
                    assert ours.is_pseudo_legal(move) == is_pseudo_legal, (theirs.fen(), other)
                    if is_pseudo_legal:
                        is_into_check = theirs.is_into_check(other)
                        assert ours.is_into_check(move) == is_into_check, (theirs.fen(), other)
                        assert ours.uci(move) == theirs.uci(other)
                        assert ours.xboard(move) == theirs.xboard(other)


def test_moves_are_taken_back() -> None:
    seen = 0
    for theirs, ours in walks(60, seed=3):
        if len(theirs.move_stack) < 5:
            continue
        mine, same = ours.copy(), theirs.copy()
        for board in (mine, pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)):
            assert board == ours and board.move_stack == ours.move_stack
        while same.move_stack:
            assert mine.pop().uci() == same.pop().uci()
            assert mine.fen(shredder=True) == same.fen(shredder=True)
            seen += 1
        assert mine == ours.root()
    assert seen > 100


def test_a_vocabulary_of_moves() -> None:
    """As programs for learning make one: the moves of a queen and a knight on an empty board.

    Published networks have their numbers, so the order counts.
    """
    names: dict[Any, list[str]] = {tabiya: [], chess: []}
    for package, found in names.items():
        for square in range(64):
            for piece_type in (chess.QUEEN, chess.KNIGHT):
                board = package.Board(None)
                board.set_piece_at(square, package.Piece(piece_type, True))
                moves = list(board.legal_moves)
                assert moves and len(moves) == board.legal_moves.count()
                assert {str(move) for move in board.pseudo_legal_moves} == set(map(str, moves))
                found += [move.uci() for move in moves]
    assert names[tabiya] == names[chess] and len(names[tabiya]) == 1792


def test_the_turn_changes_in_check() -> None:
    for package in (tabiya, chess):
        board: Any = package.Board("4k3/8/8/8/8/8/8/4K2r w - - 0 1")
        board.turn = not board.turn
        assert package.Move.from_uci("h1e1") in board.legal_moves
        board.push(package.Move.from_uci("h1e1"))
        assert board.king(True) is None and board.fen() == "4k3/8/8/8/8/8/8/4r3 w - - 0 2"
        assert board.is_stalemate() and not board.is_checkmate() and board.is_game_over()
        assert board.result() == "1/2-1/2" and board.outcome().winner is None
        board.push(package.Move.null())
        assert board.peek() == package.Move.null() and board.legal_moves.count() == 18
        assert [str(move) for move in board.move_stack] == ["h1e1", "0000"]
        assert board.parse_uci("e1e2") == package.Move.from_uci("e1e2")
        assert board.find_move(package.E1, package.E2) == package.Move.from_uci("e1e2")


def test_repetitions_without_kings() -> None:
    for package in (tabiya, chess):
        board: Any = package.Board("8/8/8/8/8/8/8/R6r w - - 0 1")
        for text in ["a1a2", "h1h2", "a2a1", "h2h1"] * 2:
            assert not board.can_claim_threefold_repetition() or text == "h2h1"
            board.push_uci(text)
        assert board.is_repetition(3) and not board.is_repetition(4)
        assert board.can_claim_draw() and board.result(claim_draw=True) == "1/2-1/2"


def test_illegal_moves_are_refused() -> None:
    board = tabiya.Board("8/8/8/8/8/8/8/R3r2k w - - 0 1")
    for text in ["a1b2", "e1e2", "a1h1"]:
        for call in (board.push, board.gives_check):
            with pytest.raises(tabiya.IllegalMoveError, match=f"{text} is not legal") as caught:
                call(tabiya.Move.from_uci(text))
            assert caught.value.fen == "8/8/8/8/8/8/8/R3r2k w - - 0 1"
        with pytest.raises(tabiya.IllegalMoveError, match=f"{text} is not legal"):
            board.push_uci(text)
        with pytest.raises(tabiya.IllegalMoveError, match=f"{text} is not legal"):
            board.find_move(text[:2], text[2:])
    assert not board.move_stack
    pinned = tabiya.Board("4r3/8/8/8/8/8/4N3/4K3 w - - 0 1")
    assert pinned.is_into_check(tabiya.Move.from_uci("e2c3"))
    with pytest.raises(tabiya.IllegalMoveError, match="leaves the king in check"):
        pinned.push_uci("e2c3")


def test_algebraic_notation() -> None:
    board = tabiya.Board("8/P7/8/8/8/1N3N2/8/8 w - - 0 1")
    for text in ["Nbd2", "Nb3d2", "Nb3-d2", "b3d2"]:
        assert board.parse_san(text) == tabiya.Move.from_uci("b3d2")
    assert board.push_san("a8=N") and board.push_san("--") is tabiya.Move.null()
    assert board.san_and_push("Na8c7") == "Nc7" and not board.push_san("0000")
    assert tabiya.Board("8/8/8/8/8/8/8/Q7 w - - 0 1").variation_san(
        map(tabiya.Move.from_uci, ["a1a8", "0000", "a8h8"])
    ) == "1. Qa8 -- 2. Qh8"
    with pytest.raises(tabiya.AmbiguousMoveError, match="Nd2 can be Nf3-d2 or Nb3-d2"):
        board.parse_san("Nd2")
    for text in ["Nd3", "O-O", "e4", "Nad2"]:
        with pytest.raises(tabiya.IllegalMoveError, match=f"{text} is not legal"):
            board.parse_san(text)
    with pytest.raises(tabiya.InvalidMoveError) as caught:
        board.parse_san("Nd9")
    assert (caught.value.start, caught.value.end) == (2, 3)
    castling = tabiya.Board("8/8/8/8/8/8/8/R3K3 w Q - 0 1")
    assert castling.parse_san("O-O-O") == castling.parse_uci("e1a1")
    assert castling.san(tabiya.Move.from_uci("e1c1")) == "O-O-O"
    assert castling.epd(bm=castling.parse_san("Kd2")) == "8/8/8/8/8/8/8/R3K3 w Q - bm Kd2;"


def test_damaged_pickles_of_such_boards_are_refused() -> None:
    board = tabiya.Board(None)
    board.set_piece_at(tabiya.A1, tabiya.Piece.from_symbol("Q"))
    board.push_uci("a1a2")
    attributes, first, steps = board.__getstate__()
    steps[0] = (tabiya.Board().position.move_bits("e4"), None)
    with pytest.raises(ValueError, match="not the state of a board"):
        tabiya.Board(None).__setstate__((attributes, first, steps))


def test_generators_print_their_moves() -> None:
    board = tabiya.Board(None)
    board.set_piece_at(tabiya.A1, tabiya.Piece.from_symbol("N"))
    assert repr(board.legal_moves).endswith("(Nb3, Nc2)>")
    assert repr(board.pseudo_legal_moves).endswith("(Nb3, Nc2)>")
    assert list(board.generate_legal_moves(to_mask=tabiya.BB_C2)) == [
        tabiya.Move.from_uci("a1c2")
    ]


def test_several_kings() -> None:
    """The last one must be safe. The others may help it; python-chess does not let them."""
    fen = "8/8/8/4K3/8/3K4/8/4r3 w - - 0 1"
    ours, theirs = tabiya.Board(fen), chess.Board(fen)
    assert ours.is_check() and theirs.is_check() and ours.king(True) == tabiya.E5
    more = {move.uci() for move in ours.legal_moves} - {move.uci() for move in theirs.legal_moves}
    assert more == {"d3e2", "d3e3", "d3e4"}

"""The modules of python-chess that `tabiya` hands on work on its boards."""

import os
import random
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.gaviota
import chess.polyglot
import chess.svg
import chess.variant
import pytest

import tabiya

#: The path of python-chess's source distribution, which has small tables and books.
ARCHIVE = os.environ.get("TABIYA_PYTHON_CHESS")
STOCKFISH = shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
MODULES = ["engine", "gaviota", "polyglot", "variant"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if ARCHIVE is None:
        pytest.skip("TABIYA_PYTHON_CHESS names no source distribution")
    folder = tmp_path_factory.mktemp("data")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder / "chess-1.11.2" / "data"


def endgames(count: int, *pieces: str) -> list[chess.Board]:
    """Boards with two kings and some of the pieces, given as letters of FEN."""
    chance = random.Random(len(pieces))
    found: list[chess.Board] = []
    while len(found) < count:
        board = chess.Board(None)
        letters = "Kk" + chance.choice(pieces)
        for square, letter in zip(chance.sample(range(64), len(letters)), letters, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = chance.random() < 0.5
        if board.is_valid():
            found.append(board)
    return found


def play(program: str) -> str:
    """What a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


@pytest.mark.parametrize("name", MODULES)
def test_they_are_imported_in_every_form(name: str) -> None:
    program = f"""
import sys
import tabiya as chess
assert "chess" not in sys.modules
first = chess.{name}
assert "chess.{name}" in sys.modules
import tabiya.{name}
from tabiya import {name}
assert first is {name} is tabiya.{name} is sys.modules["tabiya.{name}"]
public = [name for name in vars(sys.modules["chess.{name}"]) if not name.startswith("__")]
differ = [it for it in public if getattr({name}, it) is not getattr(sys.modules["chess.{name}"], it)]
assert differ == {["find_variant"] if name == "variant" else []}
print("python-chess" in {name}.__doc__ and "GPL-3" in {name}.__doc__)
"""
    assert play(program) == "True\n"


def test_without_python_chess_a_sentence_says_what_to_do() -> None:
    program = f"""
import sys
sys.modules["chess"] = None
import tabiya
str(tabiya.svg(tabiya.START))
for name in {MODULES}:
    try:
        getattr(tabiya, name)
    except ModuleNotFoundError as error:
        print(error)
try:
    tabiya.svg.board()
except ModuleNotFoundError as error:
    print(error)
"""
    lines = play(program).splitlines()
    assert [line.split(":")[0] for line in lines] == [
        f"tabiya.{name} needs python-chess, which is not installed" for name in [*MODULES, "svg"]
    ]
    assert all("pip install chess" in line for line in lines)
    assert "tabiya.uci" in lines[0] and "tabiya.svg(position)" in lines[-1]


def test_other_names_are_absent() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'engines'"):
        getattr(tabiya, "engines")  # noqa: B009
    with pytest.raises(AttributeError):
        getattr(tabiya.engine, "no such name")
    assert not hasattr(tabiya.svg, "__wrapped__")


def test_pictures() -> None:
    for board in endgames(5, "QR", "pbn"):
        ours = tabiya.Board(board.fen())
        arguments: dict[str, Any] = {"size": 300, "check": 5, "fill": {3: "red"}}
        mine = tabiya.svg.board(
            ours,
            lastmove=tabiya.Move.from_uci("e2e4"),
            squares=tabiya.SquareSet([1, 2]),
            arrows=[tabiya.svg.Arrow(tabiya.A1, tabiya.A2)],
            **arguments,
        )
        assert mine == chess.svg.board(
            board,
            lastmove=chess.Move.from_uci("e2e4"),
            squares=chess.SquareSet([1, 2]),
            arrows=[chess.svg.Arrow(chess.A1, chess.A2)],
            **arguments,
        )
        assert str(tabiya.svg(ours)).startswith("<svg")
    assert tabiya.svg.piece(tabiya.Piece.from_symbol("Q")) == chess.svg.piece(
        chess.Piece.from_symbol("Q")
    )


def test_books(data: Path) -> None:
    theirs, ours = chess.Board(), tabiya.Board()
    with tabiya.polyglot.open_reader(data / "polyglot" / "performance.bin") as book:
        found = 0
        while entries := list(book.find_all(ours)):
            expected = [(entry.move.uci(), entry.weight) for entry in book.find_all(theirs)]
            assert [(entry.move.uci(), entry.weight) for entry in entries] == expected
            found += len(entries)
            move = entries[0].move
            assert type(move) is tabiya.Move
            assert all(it.move != move for it in book.find_all(ours, exclude_moves=[move]))
            assert book.weighted_choice(ours).move in ours.legal_moves
            theirs.push_uci(move.uci())
            ours.push(move)
    assert found > 20


def test_tables(data: Path) -> None:
    pieces = ("Q", "R", "b", "P", "p", "Qr", "Pp", "Nb", "RR")
    with tabiya.gaviota.open_tablebase(str(data / "gaviota")) as tables:
        probes: list[Callable[[Any], int | None]] = [tables.get_dtm, tables.get_wdl]
        answers = 0
        for board in endgames(100, *pieces):
            ours = tabiya.Board(board.fen())
            for probe in probes:
                expected = probe(board)
                assert probe(ours) == expected, board.fen()
                answers += expected is not None
            assert ours == tabiya.Board(board.fen()) and not ours.move_stack
    assert answers > 50


def test_standard_chess_is_a_variant_with_our_board() -> None:
    for name in chess.Board.aliases:
        assert tabiya.variant.find_variant(name.upper()) is tabiya.Board
    assert tabiya.variant.find_variant("horde") is chess.variant.HordeBoard


def test_variants() -> None:
    board = tabiya.variant.AtomicBoard()
    board.push_san("Nf3")
    assert type(board) is chess.variant.AtomicBoard and type(board.peek()) is chess.Move
    with pytest.raises(ValueError, match="variant"):
        tabiya.from_chess(board)


@pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
def test_engines() -> None:
    limit = tabiya.engine.Limit(nodes=2000)
    with tabiya.engine.SimpleEngine.popen_uci(STOCKFISH) as engine:
        board = tabiya.Board()
        board.push_san("e4")
        played = engine.play(board, limit, ponder=True, info=tabiya.engine.INFO_ALL)
        assert type(played.move) is tabiya.Move and played.move in board.legal_moves
        assert type(played.info["pv"][0]) is type(played.ponder) is tabiya.Move
        lines = engine.analyse(board, limit, multipv=3)
        assert len({line["pv"][0] for line in lines}) == 3
        assert all(board.variation_san(line["pv"]).startswith("1...") for line in lines)
        assert lines[0]["score"].turn is tabiya.BLACK
        only = [tabiya.Move.from_uci("a7a6")]
        assert engine.play(board, limit, root_moves=only).move is only[0]
        with engine.analysis(board, limit) as analysis:
            assert any("pv" in info for info in analysis)
            assert analysis.wait().move in board.legal_moves
        other = tabiya.Board.from_chess960_pos(0)
        assert engine.play(other, limit).move in other.legal_moves
        castling = tabiya.Board("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", chess960=True)
        only = [tabiya.Move.from_uci("e1b1")]
        assert engine.play(castling, limit, root_moves=only).move is only[0]
        mate = tabiya.Board("6k1/5ppp/8/8/8/8/8/K6R w - - 0 1")
        game = object()
        while not mate.is_game_over() and len(mate.move_stack) < 12:
            mate.push(engine.play(mate, limit, game=game).move)
        assert mate.move_stack

"""Syzygy's tables: the same answers as python-chess, one by one and in batches."""

import itertools
import os
import pickle
import random
import shutil
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.syzygy as peer
import numpy as np
import pytest

import tabiya
from tabiya import syzygy
from test_docs import OF_TABLES, run_page

#: The path of python-chess's source distribution, which has all tables of up to four pieces.
ARCHIVE = os.environ.get("TABIYA_PYTHON_CHESS")
NAMES = sorted(syzygy.tablenames(piece_count=4))
TOO_MANY = "4k3/8/8/8/8/8/8/QQQQKQQ1 b - - 0 1"
CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
FIVE = "8/8/1k6/3r4/8/4KP2/5R2/8 w - - 0 1"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if ARCHIVE is None:
        pytest.skip("TABIYA_PYTHON_CHESS names no source distribution")
    folder = tmp_path_factory.mktemp("data")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder / "chess-1.11.2" / "data"


@pytest.fixture(scope="module")
def folder(data: Path) -> Path:
    return data / "syzygy" / "regular"


@pytest.fixture(scope="module")
def tables(folder: Path) -> syzygy.Tablebase:
    return syzygy.open_tablebase(folder)


def boards(name: str, count: int) -> Iterator[chess.Board]:
    """Boards with the pieces of a table, in any colours, often with a capture en passant."""
    chance = random.Random(name)
    while count:
        white, black = name.split("v")[:: chance.choice((1, -1))]
        letters = white + black.lower()
        board = chess.Board(None)
        for square, letter in zip(chance.sample(range(64), len(letters)), letters, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = chance.random() < 0.5
        if "P" in white and "P" in black:
            board.ep_square = chance.choice([None, *range(40, 48)] if board.turn else range(16, 24))
        board.halfmove_clock = chance.randrange(100) if board.ep_square is None else 0
        if board.is_valid():
            count -= 1
            yield board


@pytest.mark.parametrize("name", NAMES)
def test_the_same_as_python_chess(name: str, folder: Path, tables: syzygy.Tablebase) -> None:
    theirs = list(boards(name, 500))
    with peer.open_tablebase(str(folder)) as oracle:
        wdl = [oracle.probe_wdl(board) for board in theirs]
        dtz = [oracle.probe_dtz(board) for board in theirs]
    ours = [tabiya.Board(board.fen(en_passant="fen")) for board in theirs]
    assert [tables.probe_wdl(board) for board in ours] == wdl
    assert [tables.probe_dtz(board) for board in ours] == dtz
    batch = tabiya.Batch.from_positions(ours)
    assert batch.wdl(tables).tolist() == wdl and batch.dtz(tables, threads=2).tolist() == dtz


def test_its_list_of_positions(data: Path, tables: syzygy.Tablebase) -> None:
    board, found = tabiya.Board(), 0
    for line in (data / "endgame.epd").read_text(encoding="utf-8").splitlines():
        expected = board.set_epd(line)
        assert tables.probe_wdl(board) == expected["wdl"], line
        assert tables.probe_dtz(board) == expected["dtz"], line
        found += 1
    assert found > 100


def test_the_page(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(folder, tmp_path / "tables")
    monkeypatch.chdir(tmp_path)
    run_page(OF_TABLES)


def test_names() -> None:
    assert set(syzygy.tablenames()) == set(peer.tablenames())
    for count in (2, 3, 7):
        ours = list(syzygy.tablenames(piece_count=count))
        assert sorted(ours) == sorted(peer.tablenames(piece_count=count))
        assert not syzygy.Tablebase().files()
    sides = ["K", "KQ", "QK", "KP", "KNB", "KBN", "Q", "", "kq", "KQQQ"]
    for white, black in itertools.product(sides, sides):
        name = f"{white}v{black}"
        for options in ({}, {"normalized": False}, {"piece_count": None}, {"piece_count": 4}):
            assert syzygy.is_tablename(name, **options) == peer.is_tablename(name, **options), name
        if syzygy.is_tablename(name, normalized=False):
            for mirror in (False, True):
                assert syzygy.normalize_tablename(name, mirror=mirror) == peer.normalize_tablename(
                    name, mirror=mirror
                )
            assert set(syzygy.dependencies(name)) == set(peer.dependencies(name))
            assert set(syzygy.all_dependencies([name])) == set(peer.all_dependencies([name]))
    assert not syzygy.is_tablename("KKvK", normalized=False)
    for name in ("foo", "KQ", "KQvKRv", "KXvK"):
        assert not syzygy.is_tablename(name, normalized=False)
        with pytest.raises(ValueError, match="is not the name of a table"):
            syzygy.normalize_tablename(name)
    for board in boards("KRPvKB", 10):
        for mirror in (False, True):
            key = syzygy.calc_key(tabiya.Board(board.fen()), mirror=mirror)
            assert key == peer.calc_key(board, mirror=mirror)


def test_every_name_is_one_of_the_native_module() -> None:
    for name in syzygy.tablenames(piece_count=7):
        assert f"{name}.rtbw" in syzygy.Tablebase().missing(name)
    needed = {file.split(".")[0] for file in syzygy.Tablebase().missing("KRPvKR")}
    assert needed == set(syzygy.all_dependencies(["KRPvKR"]))
    with pytest.raises(ValueError, match='"KRvKRP": a table\'s name is like'):
        syzygy.Tablebase().missing("KRvKRP")


def test_folders(folder: Path, tmp_path: Path) -> None:
    with syzygy.Tablebase(max_fds=2) as tables:
        assert tables.add_directory(folder, load_dtz=False) == 35 == len(tables.files())
        assert tables.pieces == 4
        board = tabiya.Board("8/8/8/8/B7/N7/K2k4/8 b - - 0 1")
        assert tables.probe_wdl(board) == -2
        assert tables.missing("KBNvK") == ["KBvK.rtbz", "KNvK.rtbz", "KBNvK.rtbz"]
        with pytest.raises(tabiya.MissingTableError, match="KBNvK.rtbz is missing"):
            tables.probe_dtz(board)
        moves = tables.root_moves_by_wdl(board)
        assert [move.wdl for move in moves] == [-2] * len(moves)
        assert tables.add_directory(str(folder), load_wdl=False) == 35
        assert tables.add_directory(folder) == 70 == len(tables.files())
        assert tables.probe_dtz(board) == -59
        # The first folder with a table is the one that counts.
        (tmp_path / "KBNvK.rtbw").write_bytes(b"nothing")
        (tmp_path / "notes.txt").write_bytes(b"nothing")
        assert tables.add_directory(tmp_path) == 1
        assert tables.probe_wdl(board) == -2
        with pytest.raises(FileNotFoundError) as caught:
            tables.add_directory(tmp_path / "absent")
        assert Path(caught.value.filename) == tmp_path / "absent"
    assert tables.pieces == 0 and tables.get_wdl(board) is None


def test_errors(folder: Path, tables: syzygy.Tablebase, tmp_path: Path) -> None:
    probes: list[Any] = [tables.probe_wdl, tables.probe_dtz, tables.root_moves, tables.line]
    for probe in probes:
        for fen, text in ((CASTLING, "castling"), (TOO_MANY, "8 pieces")):
            with pytest.raises(tabiya.TableError, match=text) as caught:
                probe(fen)
            assert type(caught.value) is tabiya.TableError and isinstance(caught.value, KeyError)
        with pytest.raises(tabiya.MissingTableError, match=r"^KRPvKR.rtbw is missing$") as missing:
            probe(FIVE)
        again = pickle.loads(pickle.dumps(missing.value))
        assert (str(again), again.file) == ("KRPvKR.rtbw is missing", "KRPvKR.rtbw")
        with pytest.raises(tabiya.UnplayableError):
            probe(tabiya.Board.empty())
        with pytest.raises(TypeError, match=r"give its fen\(\)"):
            probe(chess.Board(FIVE))
    for fen in (CASTLING, TOO_MANY, FIVE):
        assert tables.get_wdl(fen) is None and tables.get_dtz(fen, 7) == 7
    with pytest.raises(ValueError, match='"apply", "repeated" or "ignore", not "no"'):
        tables.root_moves(FIVE, fifty_moves="no")  # type: ignore[arg-type]

    image = bytearray((folder / "KQvK.rtbw").read_bytes())
    image[20] ^= 1
    (tmp_path / "KQvK.rtbw").write_bytes(image)
    damaged = syzygy.open_tablebase(tmp_path)
    with pytest.raises(tabiya.DamagedTableError, match="KQvK.rtbw is damaged") as broken:
        damaged.verify("KQvK.rtbw")
    assert broken.value.file == "KQvK.rtbw" and not isinstance(broken.value, KeyError)
    for file in tables.files():
        tables.verify(file)
    (tmp_path / "KRvK.rtbw").write_bytes(image[:40])
    damaged = syzygy.open_tablebase(tmp_path)
    rook = "8/8/8/8/8/2k5/8/K2R4 w - - 0 1"
    for count in (1, 100):
        with pytest.raises(tabiya.DamagedTableError):
            tabiya.Batch.from_fens([rook] * count).wdl(damaged)
    with pytest.raises(tabiya.DamagedTableError):
        damaged.get_wdl(rook)


def test_root_moves(tables: syzygy.Tablebase) -> None:
    for name in ("KRvKP", "KBNvK", "KPvKP"):
        for theirs in boards(name, 20):
            board = tabiya.Board(theirs.fen())
            moves = tables.root_moves(board)
            assert {move.move for move in moves} == set(board.legal_moves)
            ranks = [move.rank for move in moves]
            assert ranks == sorted(ranks, reverse=True)
            for move, wdl, dtz, rank in moves:
                assert np.sign(wdl) == np.sign(dtz) == np.sign(rank)
                board.push(move)
                assert np.sign(tables.probe_wdl(board)) == -np.sign(wdl)
                board.pop()
            line = tables.line(board)
            for move in line:
                board.push(move)
            wins = bool(line) and (board.is_checkmate() or board.halfmove_clock == 0)
            assert wins == (moves[0].dtz != 0)
    board = tabiya.Board("8/8/8/8/B7/N7/K2k4/8 w - - 60 80")
    best = [
        tables.root_moves(board)[0],
        tables.root_moves(board, fifty_moves="repeated")[0],
        tables.root_moves(board, fifty_moves="ignore")[0],
    ]
    assert [move.wdl for move in best] == [1, 1, 2] and best[-1].rank == 1000


def test_batches(tables: syzygy.Tablebase) -> None:
    fens = [tabiya.START, "8/8/8/8/B7/N7/K2k4/8 b - - 0 1", FIVE, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]
    batch = tabiya.Batch.from_fens(fens)
    wdl, dtz = batch.wdl(tables), batch.dtz(tables)
    assert wdl.dtype == np.int8 and wdl.tolist() == [syzygy.NO_WDL, -2, syzygy.NO_WDL, 0]
    assert dtz.dtype == np.int16 and dtz.tolist() == [syzygy.NO_DTZ, -59, syzygy.NO_DTZ, 0]
    out = np.zeros(4, np.int8)
    assert batch.wdl(tables, out=out) is out and out.tolist() == wdl.tolist()
    with pytest.raises(TypeError, match="out: expected dtype int16, not int8"):
        batch.dtz(tables, out=out)  # type: ignore[arg-type]
    assert batch[:0].wdl(tables).shape == (0,)


def test_threads_share_tables(folder: Path) -> None:
    tables = syzygy.open_tablebase(folder)
    expected = [board for board in boards("KRvKP", 200)]
    fens = [board.fen() for board in expected]
    answers: list[list[int | None]] = [[] for _ in range(4)]

    def look(place: int) -> None:
        for fen in fens:
            answers[place].append(tables.get_wdl(fen))
            if place == 0:
                tables.add_directory(folder)

    threads = [threading.Thread(target=look, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one == answers[0] for one in answers) and None not in answers[0]

"""Batches: their sources, their parts, and facts about their positions."""

import array
import copy
import importlib
import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from typing import Any

import chess
import numpy as np
import pytest
from conftest import random_games
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya import Batch

MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
BARE = "8/8/4k3/8/8/4K3/8/8 w - - 12 60"
LONG = "7k/8/8/8/8/8/8/R3K3 w - - 150 99"
KNOWN = [tabiya.START, MATE, STALEMATE, BARE, LONG]


def boards(games: int = 60, seed: int = 1, every: int = 3) -> list[chess.Board]:
    """Positions of random games, standard chess and Chess960."""
    found: list[chess.Board] = []
    for number, board in enumerate(random_games(games, seed=seed)):
        if number % every == 0:
            found.append(board.copy(stack=False))
    return found


BOARDS = boards()


def batch_of(boards: list[chess.Board]) -> Batch:
    """The batch of these boards; each keeps its notation of castling."""
    return Batch.concat(
        Batch.from_fens([board.fen()], chess960=board.chess960) for board in boards
    )


BATCH = batch_of(BOARDS)


def test_facts_agree_with_python_chess() -> None:
    assert len(BOARDS) > 2000
    columns = [(color, side) for color in (True, False) for side in ("kingside", "queenside")]
    expected: dict[str, list[Any]] = {
        "turns": [board.turn for board in BOARDS],
        "en_passant": [
            board.ep_square if board.has_legal_en_passant() else -1 for board in BOARDS
        ],
        "clocks": [[board.halfmove_clock, board.fullmove_number] for board in BOARDS],
        "castling": [
            [getattr(board, f"has_{side}_castling_rights")(color) for color, side in columns]
            for board in BOARDS
        ],
        "is_check": [board.is_check() for board in BOARDS],
        "is_checkmate": [board.is_checkmate() for board in BOARDS],
        "is_stalemate": [board.is_stalemate() for board in BOARDS],
        "keys": [position.key for position in BATCH],
    }
    for name, values in expected.items():
        found = getattr(BATCH, name)()
        assert found.tolist() == values, name
        assert getattr(BATCH, name)(threads=1).dtype == found.dtype


def test_dtypes_and_shapes_of_facts() -> None:
    batch = Batch.from_fens(KNOWN)
    n = len(KNOWN)
    expected = {
        "turns": (bool, (n,)),
        "en_passant": (np.int8, (n,)),
        "clocks": (np.uint16, (n, 2)),
        "castling": (bool, (n, 4)),
        "is_check": (bool, (n,)),
        "is_checkmate": (bool, (n,)),
        "is_stalemate": (bool, (n,)),
        "is_insufficient_material": (bool, (n,)),
        "outcomes": (np.int8, (n,)),
        "openings": (np.int16, (n,)),
        "keys": (np.uint64, (n,)),
        "packed": (np.uint8, (n, 32)),
        "bitboards": (np.uint64, (n, 12)),
        "planes": (np.uint8, (n, 12, 8, 8)),
        "legal_mask": (bool, (n, 1968)),
    }
    for name, (dtype, shape) in expected.items():
        array = getattr(batch, name)()
        assert (array.dtype, array.shape) == (np.dtype(dtype), shape), name
        out = np.full(shape, 1, dtype)
        assert getattr(batch, name)(out=out) is out
        assert (out == array).all(), name


def test_outcomes() -> None:
    batch = Batch.from_fens(KNOWN)
    assert batch.outcomes().tolist() == [0, 1, 2, 3, 4]
    assert batch.is_insufficient_material().tolist() == [False, False, False, True, False]
    for position, code in zip(batch, batch.outcomes().tolist(), strict=True):
        assert position.outcome() == tabiya.encodings.OUTCOMES[code]
    mirrored = Batch.from_positions([batch[1].mirrored()])
    assert mirrored.outcomes().tolist() == [-1]
    for position, code in zip(BATCH, BATCH.outcomes().tolist(), strict=True):
        assert position.outcome() == tabiya.encodings.OUTCOMES[code]


def test_fens_come_back() -> None:
    assert BATCH.fens() == [position.fen() for position in BATCH]
    standard = [board.fen() for board in BOARDS if not board.chess960]
    assert Batch.from_fens(standard).fens() == [tabiya.Position(fen).fen() for fen in standard]
    data, offsets = BATCH.fen_bytes()
    text = data.tobytes().decode()
    assert [text[a:b] for a, b in zip(offsets, offsets[1:], strict=False)] == BATCH.fens()
    assert Batch.from_fen_bytes(data, offsets) == BATCH


def test_packed_bytes_come_back() -> None:
    packed = BATCH.packed()
    for data in (
        packed,
        packed.tobytes(),
        bytearray(packed.tobytes()),
        memoryview(packed.tobytes()),
    ):
        again = Batch.from_packed(data)
        assert again == BATCH
        assert again.fens() == BATCH.fens()
    every_other = packed[::2]
    assert not every_other.flags.c_contiguous
    assert Batch.from_packed(every_other) == BATCH[::2]
    assert Batch.from_packed(packed.reshape(-1)) == BATCH
    with pytest.raises(ValueError, match="expected 32 bytes for each position, not 31 bytes"):
        Batch.from_packed(packed[0][:31])
    with pytest.raises(ValueError, match=r"expected an array of shape \(N, 32\) or \(32 \* N,\)"):
        Batch.from_packed(packed[:2].reshape(1, 64))
    assert bytes(packed[5]) == BATCH[5].packed()


@given(st.lists(st.integers(0, len(BOARDS) - 1), max_size=40))
@settings(max_examples=50, deadline=None)
def test_round_trips(rows: list[int]) -> None:
    batch = BATCH[rows]
    assert len(batch) == len(rows)
    assert Batch.from_packed(batch.packed()) == batch
    assert Batch.from_positions(batch) == batch
    assert Batch.from_positions(list(batch)).fens() == batch.fens()
    again = pickle.loads(pickle.dumps(batch))
    assert again == batch
    assert again.packed().tolist() == batch.packed().tolist()
    assert Batch.from_fen_bytes(*batch.fen_bytes()) == batch


def packed_by_hand(board: chess.Board) -> bytes:
    """The 32 bytes, written a second time from the table of the documentation."""
    digits: list[int] = []
    pieces = sorted(board.piece_map().items())
    for square, piece in pieces:
        digit = piece.piece_type - 1 + (0 if piece.color else 6)
        if chess.BB_SQUARES[square] & board.castling_rights:
            digit = 12
        if board.has_legal_en_passant() and square ^ 8 == board.ep_square:
            digit = 13
        if digit == 11 and not board.turn:
            digit = 14
        digits.append(digit)
    number = int("".join(f"{digit:x}" for digit in digits).ljust(32, "0"), 16)
    occupied = sum(1 << square for square, _ in pieces)
    clocks = board.halfmove_clock.to_bytes(2, "big") + board.fullmove_number.to_bytes(2, "big")
    rest = bytes([board.chess960, board.ep_square or 0, 0, 0])
    return occupied.to_bytes(8, "big") + number.to_bytes(16, "big") + clocks + rest


def test_packed_bytes_by_hand() -> None:
    found: set[str] = set()
    for board in BOARDS:
        fen = board.fen(en_passant="fen")
        packed = Batch.from_fens([fen], chess960=board.chess960).packed()
        assert packed.tobytes() == packed_by_hand(board), fen
        found.update(packed[0, 8:24].tobytes().hex())
    assert found == set("0123456789abcde")


def test_packed_bytes_in_arrow_arrays() -> None:
    pa: Any = importlib.import_module("pyarrow")
    rows = [row.tobytes() for row in BATCH.packed()]
    buffers = [None, pa.py_buffer(BATCH.packed())]
    fixed = pa.FixedSizeBinaryArray.from_buffers(pa.binary(32), len(BATCH), buffers)
    assert fixed.to_pylist() == rows
    for array in (
        fixed,
        pa.chunked_array([fixed[:7], fixed[7:7], fixed[7:]]),
        fixed.cast(pa.binary()),
        fixed.cast(pa.large_binary()),
        fixed.cast(pa.binary_view()),
        fixed.dictionary_encode(),
    ):
        assert Batch.from_packed(array).packed().tobytes() == b"".join(rows)
    assert Batch.from_packed(fixed[5:9]) == BATCH[5:9]
    assert len(Batch.from_packed(fixed[:0])) == 0
    # As `pyarrow.parquet` and others write and read them.
    file = pa.BufferOutputStream()
    parquet: Any = importlib.import_module("pyarrow.parquet")
    parquet.write_table(pa.table({"position": fixed}), file)
    column = parquet.read_table(pa.BufferReader(file.getvalue()))["position"]
    assert column.type == pa.binary(32) and Batch.from_packed(column) == BATCH
    bad = pa.array([rows[0], None, bytes(32), rows[1]], pa.binary(32))
    batch, is_bad = Batch.from_packed(bad, errors="mask")
    assert is_bad.tolist() == [False, True, True, False] and batch == BATCH[:2]
    with pytest.raises(tabiya.BatchError, match="row 1: the value is missing"):
        Batch.from_packed(bad)
    with pytest.raises(tabiya.BatchError, match="row 0: expected 32 bytes, not 3") as caught:
        Batch.from_packed(pa.array([b"xyz"]))
    assert caught.value.text == "78797a"
    with pytest.raises(TypeError, match="expected an Arrow array of texts or bytes, not of uint8"):
        Batch.from_packed(pa.array([1], pa.uint8()))


def test_positions_and_boards() -> None:
    mixed: list[tabiya.Position | tabiya.Board]
    mixed = [*map(tabiya.Board, KNOWN[:2]), *map(tabiya.Position, KNOWN[2:])]
    assert Batch.from_positions(mixed).fens() == KNOWN
    board = tabiya.Board(chess960=True)
    board.push_san("e4")
    (position,) = Batch.from_positions([board])
    assert position == board.position and position.chess960
    with pytest.raises(tabiya.BatchError, match="row 1: White has no king") as caught:
        Batch.from_positions([tabiya.Board(), tabiya.Board(None)])
    assert caught.value.text == tabiya.Board(None).fen()
    for wrong in ([chess.Board()], [tabiya.START]):
        with pytest.raises(TypeError, match="row 0: expected a Position or a Board, not"):
            Batch.from_positions(wrong)  # type: ignore[arg-type]


def test_lines_of_fields() -> None:
    fens = BATCH.fens()[:300]
    scores, results = [7 * row - 900.5 for row in range(300)], ["1-0", "*", ""] * 100
    rows = zip(fens, scores, results, strict=True)
    lines = [f"{fen} | {score} |{result}\n" for fen, score, result in rows]
    batch, columns = Batch.from_lines(lines, {"score": float, "result": str})
    assert batch.fens() == fens and list(columns) == ["score", "result"]
    assert columns["score"].dtype == np.float64 and columns["score"].tolist() == scores
    assert columns["result"] == results
    for kind in (iter, np.array, lambda lines: [line.encode() for line in lines]):
        again = Batch.from_lines(kind(lines), {"a": str, "b": str})
        assert again[0] == batch and again[1]["a"] == list(map(str, scores))
    commas = [line.replace("|", ",") for line in lines]
    assert Batch.from_lines(commas, {"a": float, "b": str}, separator=",")[0] == batch
    assert Batch.from_lines(fens, {}) == (batch, {})
    (castling,), _ = Batch.from_lines([fens[0]], {}, chess960=True)
    assert castling.chess960
    lines[3] = fens[3]
    lines[200] = f"{fens[200]} | nan | x"
    lines[299] = f"{fens[299].replace('K', 'k')} | 1 | x"
    batch, columns, bad = Batch.from_lines(
        lines, {"score": float, "result": str}, errors="mask", threads=1
    )
    kept = [row for row in range(300) if row not in (3, 200, 299)]
    assert np.flatnonzero(bad).tolist() == [3, 200, 299]
    assert batch == BATCH[kept] and columns["score"].tolist() == [scores[row] for row in kept]
    assert columns["result"] == [results[row] for row in kept]


def test_lines_of_epd() -> None:
    lines = [
        '4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8; id "a; \\"b\\""; ce 480; c9 "1-0"; eco x y; D1 7;',
        "4k3/8/8/8/8/8/8/4K2R w K - hmvc 5; fmvn 9; dm 3; acd 2",
        "4k3/8/8/8/8/8/8/4K2R w K - 3 4 ;D1 15 ;D2 66",
    ]
    texts = ["bm", "id", "c9", "eco", "none", "hmvc"]
    numbers = ["ce", "D1", "D2", "dm", "acd"]
    columns = {name: str for name in texts} | {name: float for name in numbers}
    batch, found = Batch.from_epds(lines, columns)
    assert batch.clocks().tolist() == [[0, 1], [5, 9], [3, 4]]
    assert {name: found[name] for name in texts} == {
        "bm": ["O-O Rh8", "", ""],
        "id": ['a; "b"', "", ""],
        "c9": ["1-0", "", ""],
        "eco": ["x y", "", ""],
        "none": ["", "", ""],
        "hmvc": ["", "5", ""],
    }
    nan = float("nan")
    expected = [[480, nan, nan], [7, nan, 15], [nan, nan, 66], [nan, 3, nan], [nan, 2, nan]]
    assert np.array_equal([found[name] for name in numbers], expected, equal_nan=True)
    # python-chess reads the same, but takes other words for moves.
    read = chess.Board.from_epd(lines[0].replace("eco x y; ", ""))
    operations: dict[str, Any] = dict(read[1])
    assert operations["id"] == found["id"][0] and operations["c9"] == found["c9"][0]
    assert operations["ce"] == found["ce"][0] and len(operations["bm"]) == 2
    kings = "4k3/8/8/8/8/8/8/4K3 w - -"
    bad = [f"{kings} ce x;", f'{kings} id "', "8/8/8/8/8/8/8/8 w - -"]
    batch, found, is_bad = Batch.from_epds(bad + lines, {"id": str}, errors="mask")
    assert is_bad.tolist() == [True] * 3 + [False] * 3 and found["id"] == ['a; "b"', "", ""]
    for line in bad:
        with pytest.raises(tabiya.BatchError, match="row 1: "):
            Batch.from_epds([lines[0], line], {})
    with pytest.raises(tabiya.BatchError, match='row 0: eco: expected a number, not "x y"'):
        Batch.from_epds(lines, {"eco": float})


@pytest.mark.parametrize(
    ("line", "columns", "keywords", "error", "message"),
    [
        ("x", {"a": float}, {}, tabiya.BatchError, "expected 2 fields with '|' between them"),
        (f"{BARE}|a", {"a": float}, {}, tabiya.BatchError, 'row 0: a: expected a number, not "a"'),
        (f"{BARE}|inf", {"a": float}, {}, tabiya.BatchError, 'expected a number, not "inf"'),
        (f"{BARE}|", {"a": float}, {}, tabiya.BatchError, 'expected a number, not ""'),
        ("8/8/8/8/8/8/8/8 w - - 0 1|1", {"a": float}, {}, tabiya.BatchError, "White has no king"),
        (BARE, {"a": int}, {}, TypeError, 'columns: expected float or str for "a", not'),
        (BARE, {3: str}, {}, TypeError, "columns: expected names as str, not 3"),
        (BARE, ["a"], {}, TypeError, "columns: expected a dict of names and types, not"),
        (BARE, {}, {"separator": "||"}, ValueError, "expected a string of length 1"),
    ],
)
def test_wrong_lines(
    line: str, columns: Any, keywords: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message.replace("|", r"\|")):
        Batch.from_lines([line], columns, **keywords)


SOURCES: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "tuple": tuple,
    "iterator": iter,
    "bytes": lambda fens: [fen.encode() for fen in fens],
    "U": np.array,
    "U big-endian": lambda fens: np.array(fens).astype(np.array(fens).dtype.newbyteorder(">")),
    "U strided": lambda fens: np.array([text for fen in fens for text in (fen, "x")])[::2],
    "S": lambda fens: np.array([fen.encode() for fen in fens]),
    "S strided": lambda fens: np.array([t for fen in fens for t in (fen.encode(), b"x")])[::2],
    "object": lambda fens: np.array(fens, dtype=object),
}


@pytest.mark.parametrize("source", SOURCES)
def test_sources_of_fens(source: str) -> None:
    fens = BATCH.fens()[:300]
    make = SOURCES[source]
    assert Batch.from_fens(make(fens)).fens() == fens
    bad_rows = [7, 130]
    for row in bad_rows:
        fens[row] = fens[row].replace("K", "k")
    batch, bad = Batch.from_fens(make(fens), errors="mask")
    assert np.flatnonzero(bad).tolist() == bad_rows
    assert batch.fens() == [fen for row, fen in enumerate(fens) if row not in bad_rows]
    with pytest.raises(tabiya.BatchError) as caught:
        Batch.from_fens(make(fens))
    assert (caught.value.row, caught.value.text) == (7, fens[7])
    assert caught.value.reason == "White has no king"
    assert str(caught.value).startswith("row 7: White has no king")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.row, again.reason, again.text) == (7, caught.value.reason, fens[7])


def test_string_dtype() -> None:
    if not hasattr(np.dtypes, "StringDType"):
        pytest.skip("this NumPy has no StringDType")
    fens = BATCH.fens()[:100]
    assert Batch.from_fens(np.array(fens, dtype=np.dtypes.StringDType())).fens() == fens


def test_arrow_arrays() -> None:
    pa: Any = importlib.import_module("pyarrow")
    fens = BATCH.fens()[:200]
    texts = [pa.string(), pa.large_string(), pa.string_view()]
    types = [*texts, pa.binary(), pa.large_binary(), pa.binary_view()]
    for kind in types:
        array = pa.array([fen.encode() for fen in fens], pa.binary()).cast(kind)
        assert Batch.from_fens(array).fens() == fens, kind
        assert Batch.from_fens(array[11:50]).fens() == fens[11:50], kind
        assert Batch.from_fens(pa.chunked_array([array[:9], array[9:9], array[9:]])).fens() == fens
        assert len(Batch.from_fens(array[:0])) == 0
        nulls = pa.array([None if row % 3 == 1 else fen for row, fen in enumerate(fens)], kind)
        batch, bad = Batch.from_fens(nulls[10:100], errors="mask")
        assert bad.tolist() == [row % 3 == 1 for row in range(10, 100)], kind
        assert batch.fens() == [
            fen for row, fen in enumerate(fens[:100]) if row >= 10 and row % 3 != 1
        ]
        with pytest.raises(tabiya.BatchError, match="row 0: the value is missing"):
            Batch.from_fens(nulls[10:])
        with pytest.raises(tabiya.BatchError, match="row 9: the value is missing"):
            Batch.from_fens(pa.chunked_array([array[:8], nulls[9:]]))
    short = pa.array([" ", "short", tabiya.START], pa.string_view())
    assert Batch.from_fens(short, errors="mask")[1].tolist() == [True, True, False]
    for kind in types:
        assert len(Batch.from_fens(pa.array([], kind))) == 0
    for kind in types:
        # Categorical columns of polars and pandas are dictionaries.
        words = pa.array([fen.encode() for fen in fens[:100]], pa.binary()).cast(kind)
        indices = pa.array([0, 99, None, *range(100)])
        encoded = pa.DictionaryArray.from_arrays(indices, words)
        batch, bad = Batch.from_fens(encoded[1:], errors="mask")
        assert batch.fens() == [fens[99], *fens[:100]], kind
        assert bad.tolist() == [False, True, *[False] * 100], kind
        assert len(Batch.from_fens(encoded[:0])) == 0
    with pytest.raises(TypeError, match="expected an Arrow array of texts or bytes, not of int64"):
        Batch.from_fens(pa.array([1, 2]).dictionary_encode())
    assert Batch.from_fens(pa.nulls(3), errors="mask")[1].tolist() == [True] * 3
    # Buffers of messages begin at any address, and may be longer than their numbers.
    data = pa.py_buffer("".join(fens[:2]).encode())
    lengths = [0, len(fens[0]), len(fens[0] + fens[1])]
    for kind, number in ((pa.string(), np.int32), (pa.large_string(), np.int64)):
        offsets = np.array(lengths, number).tobytes()
        for buffer in (pa.py_buffer(b"x" + offsets).slice(1), pa.py_buffer(offsets + b"x")):
            array = pa.Array.from_buffers(kind, 2, [None, buffer, data])
            assert Batch.from_fens(array).fens() == fens[:2], kind
    with pytest.raises(TypeError, match="expected an Arrow array of texts or bytes, not of int64"):
        Batch.from_fens(pa.array([1, 2]))


def test_exceptions_of_an_arrow_source_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of a source that can be read once would look like all of it."""

    class Source:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            raise self.error

        def __iter__(self) -> Iterator[str]:
            return iter([tabiya.START])

        def __init__(self, error: BaseException) -> None:
            self.error = error

    class Array(Source):
        __arrow_c_array__ = Source.__arrow_c_stream__

    for kind in (Source, Array):
        for lost in (KeyboardInterrupt("key"), TimeoutError("late"), RuntimeError("data base")):
            with pytest.raises(type(lost), match=str(lost)):
                Batch.from_fens(kind(lost))
        # Arrow cannot hold the values.
        for unfit in (TypeError, ValueError, NotImplementedError, OverflowError):
            assert len(Batch.from_fens(kind(unfit()))) == 1

    class Interrupted:
        def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
            if name == "pyarrow":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "pyarrow", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    with pytest.raises(KeyboardInterrupt):
        Batch.from_fens(Source(AssertionError()))
    # It is not installed.
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert len(Batch.from_fens(Source(AssertionError()))) == 1


def test_fens_of_chess960() -> None:
    (fen,) = Batch.from_fens([tabiya.START], chess960=True).fens()
    assert fen == tabiya.Position(chess960=True).fen()
    chess960 = "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1"
    assert Batch.from_fens([chess960])[0].chess960


def test_bad_fens() -> None:
    for wrong in (tabiya.START, b"bytes", bytearray(b"x"), 3, None, np.zeros(3), np.array("x")):
        with pytest.raises((TypeError, ValueError)):
            Batch.from_fens(wrong)
    with pytest.raises(ValueError, match="one dimension"):
        Batch.from_fens(np.array([[tabiya.START]]))
    rows: list[Any] = [
        None,
        3,
        2.5,
        "",
        "\ud800",
        b"\xff",
        float("nan"),
        "8/8",
        [],
        "\0",
        "é" * 1000,
    ]
    for row in rows:
        with pytest.raises(tabiya.BatchError, match="row 1: "):
            Batch.from_fens([tabiya.START, row])
        assert Batch.from_fens([row], errors="mask")[1].tolist() == [True]
    with pytest.raises(ValueError, match='expected "raise" or "mask"'):
        Batch.from_fens([], errors="ignore")  # type: ignore[call-overload]
    for threads in (0, -1):
        with pytest.raises(ValueError, match="threads"):
            Batch.from_fens([], threads=threads)


def test_fen_bytes() -> None:
    text = f"{tabiya.START}\n{MATE}\r\n".encode()
    offsets = [0, 57, len(text)]
    expected = [tabiya.START, MATE]
    for data in (text, bytearray(text), memoryview(text), np.frombuffer(text, np.uint8)):
        for kind in (np.int32, np.int64, np.uint64, np.int16):
            assert Batch.from_fen_bytes(data, np.array(offsets, kind)).fens() == expected
        assert Batch.from_fen_bytes(data, offsets).fens() == expected
    assert len(Batch.from_fen_bytes(b"", [0])) == 0
    assert Batch.from_fen_bytes(text, [57, len(text)]).fens() == [MATE]
    wrong: list[Any] = [
        [],
        [0, 57, 56],
        [0, len(text) + 1],
        [-1, 5],
        [0, 2**62],
        [[0, 57]],
        [0.5, 3.0],
        "x",
        None,
        np.array([0, 2**64 - 1], np.uint64),
    ]
    for numbers in wrong:
        with pytest.raises((ValueError, TypeError)):
            Batch.from_fen_bytes(text, numbers)
    with pytest.raises(TypeError):
        Batch.from_fen_bytes("text", [0, 4])
    with pytest.raises(tabiya.BatchError, match="row 0"):
        Batch.from_fen_bytes(text, [0, 10])


def test_bad_packed_bytes() -> None:
    for wrong in (
        b"x" * 31,
        np.zeros((2, 31), np.uint8),
        np.zeros(64, np.uint8),
        "text",
        None,
        3.5,
        # Modulo 256, these are packed positions.
        BATCH.packed().astype(np.uint16) + np.uint16(256),
        BATCH.packed().astype(np.uint64) + np.uint64(1 << 40),
    ):
        with pytest.raises((ValueError, TypeError)):
            Batch.from_packed(wrong)
    packed = BATCH.packed()[:10].copy()
    packed[4, 28] = 9
    with pytest.raises(
        tabiya.BatchError, match="row 4: the bytes are not a packed position"
    ) as caught:
        Batch.from_packed(packed)
    assert bytes.fromhex(caught.value.text) == packed[4].tobytes()
    batch, bad = Batch.from_packed(packed, errors="mask")
    assert (len(batch), np.flatnonzero(bad).tolist()) == (9, [4])


def test_malformed_input() -> None:
    """A hundred thousand bad inputs raise exceptions, or are understood, and nothing else happens."""
    chance = random.Random(5)
    fens = BATCH.fens()
    letters = "pnbrqkPNBRQK12345678/ -wbKQkqah36 0é\0"
    mutated: list[str] = []
    for _ in range(50_000):
        fen = list(chance.choice(fens))
        for _ in range(chance.randrange(1, 4)):
            place = chance.randrange(len(fen))
            kind = chance.randrange(3)
            if kind == 0:
                fen[place] = chance.choice(letters)
            elif kind == 1:
                fen.insert(place, chance.choice(letters))
            elif len(fen) > 1:
                del fen[place]
        mutated.append("".join(fen))
    batch, bad = Batch.from_fens(mutated, errors="mask")
    assert len(batch) + bad.sum() == len(mutated)
    assert 0 < len(batch) < len(mutated) // 2
    batch.planes()
    batch.legal_mask()
    good = [fen for fen, is_bad in zip(mutated, bad, strict=True) if not is_bad]
    for text, position in zip(good[:2000], batch, strict=False):
        assert tabiya.Position(text) == position

    bits = np.random.default_rng(6)
    packed = BATCH.packed()[bits.integers(0, len(BATCH), 50_000)]
    rows = np.arange(len(packed))
    packed[rows, bits.integers(0, 32, len(packed))] ^= (
        1 << bits.integers(0, 8, len(packed))
    ).astype(np.uint8)
    batch, bad = Batch.from_packed(packed, errors="mask")
    assert len(batch) + bad.sum() == len(packed)
    assert (batch.packed() == packed[~bad]).all()
    batch.legal_moves()

    data = BATCH.fen_bytes()[0]
    for _ in range(5_000):
        offsets = bits.integers(-5, len(data) + 5, 4)
        if bits.random() < 0.8:
            offsets.sort()
        try:
            Batch.from_fen_bytes(data, offsets, errors="mask")
        except ValueError:
            pass
    noise = bits.integers(0, 256, 100_000, np.uint8).astype(np.uint8)
    ends = np.sort(bits.integers(0, len(noise), 5_000))
    assert Batch.from_fen_bytes(noise, ends, errors="mask")[1].all()


def test_what_is_no_buffer_is_refused_even_if_it_is_empty() -> None:
    not_buffers: list[Any] = ["", {}, set(), [], (), range(0)]
    for wrong in not_buffers:
        with pytest.raises(TypeError, match="expected bytes or another buffer"):
            Batch.from_packed(wrong)
        with pytest.raises(TypeError, match="expected bytes or another buffer"):
            Batch.from_fen_bytes(wrong, [0])
    for empty in (b"", bytearray(), memoryview(b""), np.zeros(0, np.uint8), array.array("B")):
        assert len(Batch.from_fen_bytes(empty, [0])) == 0


def test_exceptions_of_a_buffer_are_raised() -> None:
    """A signal may arrive while Python code gives the bytes."""

    class Buffer:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __len__(self) -> int:
            raise self.error

    class LaterBuffer(Buffer):
        def __len__(self) -> int:
            return 5

        def __buffer__(self, flags: int) -> memoryview:
            raise self.error

    calls: list[Callable[[Any], object]] = [
        lambda data: Batch.from_fen_bytes(data, [0]),
        Batch.from_packed,
        tabiya.Position.from_packed,
    ]
    # Earlier versions do not know `__buffer__`.
    kinds = [Buffer, LaterBuffer] if hasattr(b"", "__buffer__") else [Buffer]
    for kind in kinds:
        for error in (KeyboardInterrupt(), MemoryError(), OSError(5, "x")):
            buffer: Any = kind(error)
            for call in calls:
                with pytest.raises(type(error)) as caught:
                    call(buffer)
                assert caught.value is error


def test_numbers_of_moves_in_a_list_are_refused_with_advice() -> None:
    numbers: Any = Batch.random(1, plies=0).legal_moves()[0][:1].tolist()
    with pytest.raises(tabiya.BatchError, match="not <class 'int'>; give numbers as a NumPy array"):
        Batch.random(1, plies=0).play_many(numbers)


def test_truth_values_are_no_rows() -> None:
    key: Any
    for key in (True, False, np.True_, np.False_):
        with pytest.raises(TypeError, match="a batch is indexed by"):
            BATCH[key]


def test_numbers_beyond_64_bits() -> None:
    calls: list[Callable[[], object]] = [
        lambda: Batch.random(2**64),
        lambda: Batch.random(1, seed=-1),
        lambda: Batch.from_fens([tabiya.START], threads=2**63),
        lambda: BATCH.perft(2**64),
        lambda: tabiya.read_pgn(b"", chunk=2**64),
    ]
    for call in calls:
        with pytest.raises(OverflowError):
            call()


def test_parts() -> None:
    batch = BATCH[:1000]
    fens = batch.fens()
    assert batch[3].fen() == fens[3]
    assert batch[-1].fen() == fens[-1]
    scalars: list[Any] = [np.int64(5), np.array(5)]
    for scalar in scalars:
        assert list(batch[5:6]) == [batch[scalar]]
    for part in (
        slice(2, 9),
        slice(None, None, -3),
        slice(5, 2),
        slice(-4, None),
        slice(0, 9999, 7),
    ):
        assert batch[part].fens() == fens[part]
        assert batch[10:500][part].fens() == fens[10:500][part]
    rows = [5, 5, -1, 0]
    for key in (rows, np.array(rows), np.array(rows, np.int8)):
        assert batch[key].fens() == [fens[row] for row in rows]
    mask = batch.turns()
    assert batch[mask].fens() == [fen for fen in fens if " w " in fen]
    assert batch[mask.tolist()] == batch[mask]
    assert len(batch[[]]) == len(batch[5:5]) == 0
    # Modulo 2**64, the last one is -1.
    large = np.array([2**64 - 1], np.uint64)
    for wrong in (1000, -1001, 2**70, [1000], np.array([-1001]), mask[:-1], large, large[0]):
        with pytest.raises(IndexError):
            batch[wrong]
    assert batch[np.array([999], np.uint64)].fens() == [fens[999]]
    for strange in ("x", 1.5, None, np.array([1.5]), np.zeros((2, 2), int)):
        with pytest.raises(TypeError):
            batch[strange]  # type: ignore[index]
    assert [position.fen() for position in batch] == fens
    assert len(list(iter(batch))) == len(batch)
    with pytest.raises(TypeError):
        batch[0] = batch[1]  # type: ignore[index]


def test_equality_and_copies() -> None:
    batch = BATCH[:50]
    assert batch == BATCH[:50]
    assert batch != BATCH[1:51]
    assert batch != BATCH[:49]
    assert batch != "text"
    assert copy.copy(batch) is batch
    assert copy.deepcopy(batch) is batch
    with pytest.raises(TypeError):
        hash(batch)
    assert repr(batch) == "<tabiya.Batch of 50 positions>"
    assert repr(batch[:1]) == "<tabiya.Batch of 1 position>"
    assert Batch.concat([batch[:20], batch[20:20], batch[20:]]) == batch
    assert len(Batch.concat([])) == 0
    with pytest.raises(TypeError):
        Batch.concat([batch, "text"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="row 1"):
        Batch.from_positions([tabiya.Position(), "text"])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        Batch()


def test_empty_batches() -> None:
    empty = Batch.from_fens([])
    assert len(empty) == 0
    assert empty.fens() == []
    assert empty.planes(extra=True).shape == (0, 20, 8, 8)
    assert empty.legal_mask("az").shape == (0, 4672)
    assert empty.bitboards().shape == (0, 12)
    assert [array.tolist() for array in empty.legal_moves()] == [[], [0]]
    assert empty.fen_bytes()[1].tolist() == [0]
    assert empty.packed().shape == (0, 32)
    assert Batch.from_packed(empty.packed()) == Batch.from_packed(b"") == empty
    assert empty.perft(3).shape == empty.perft_many([]).shape == (0,)
    assert len(empty.play_many([])) == 0
    assert empty.ucis() == empty.sans([]) == []
    assert empty.move_indices([]).shape == (0,)
    assert len(Batch.random(0)) == 0
    assert len(empty[empty.turns()]) == 0
    assert pickle.loads(pickle.dumps(empty)) == empty


def test_random_positions() -> None:
    batch = Batch.random(3000, plies=(3, 9), seed=7)
    assert batch.fens() == Batch.random(3000, plies=(3, 9), seed=7, threads=1).fens()
    assert batch[:100] == Batch.random(100, plies=(3, 9), seed=7, threads=5)
    assert batch != Batch.random(3000, plies=(3, 9), seed=8)
    clocks = batch.clocks()
    plies = 2 * (clocks[:, 1].astype(int) - 1) + ~batch.turns()
    assert set(plies.tolist()) == set(range(3, 10))
    exact = Batch.random(500, plies=6, seed=1)
    assert set(exact.clocks()[:, 1].tolist()) == {4}
    assert len(set(exact.fens())) > 490
    starts = Batch.random(2000, plies=0, chess960=True)
    assert len({fen.split("/")[0] for fen in starts.fens()}) > 700
    assert all(position.chess960 for position in starts[:10])
    assert Batch.random(5, plies=0).fens() == [tabiya.START] * 5
    long = Batch.random(50, plies=400)
    assert set(long.clocks()[:, 1].tolist()) == {201}
    for wrong in (-1, 10_001, (5, 4), (-1, 3), (0, 10_001)):
        with pytest.raises(ValueError, match="plies"):
            Batch.random(1, plies=wrong)
    with pytest.raises(ValueError, match="n: expected"):
        Batch.random(-1)
    with pytest.raises((OverflowError, TypeError)):
        Batch.random(1, seed=-1)
    with pytest.raises(MemoryError):
        Batch.random(2**62, plies=0)


def test_first_moves_are_equally_likely() -> None:
    counts: dict[str, int] = {}
    for fen in Batch.random(20_000, plies=1, seed=3).fens():
        counts[fen] = counts.get(fen, 0) + 1
    assert len(counts) == 20
    assert all(850 < count < 1150 for count in counts.values())


def test_threads_make_no_difference() -> None:
    batch = Batch.random(5000, plies=(0, 120), seed=11, chess960=True)
    fens = batch.fens(threads=1)
    assert batch.fens(threads=7) == fens
    for name in ("planes", "bitboards", "legal_mask", "keys", "outcomes", "is_check", "packed"):
        one, many = (getattr(batch, name)(threads=threads) for threads in (1, 7))
        assert (one == many).all(), name
    one, many = (batch.legal_moves(threads=threads) for threads in (1, 7))
    assert np.array_equal(one[0], many[0]) and np.array_equal(one[1], many[1])
    assert batch.sans(threads=1) == batch.sans(threads=7)
    assert Batch.from_fens(fens, threads=1) == Batch.from_fens(fens, threads=7) == batch
    assert (batch[:300].perft(2, threads=1) == batch[:300].perft(2, threads=7)).all()
    fens[4321] = "bad"
    fens[1234] = "worse"
    for threads in (1, 7):
        with pytest.raises(tabiya.BatchError, match="row 1234"):
            Batch.from_fens(fens, threads=threads)


def test_perft() -> None:
    kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    batch = Batch.from_fens([tabiya.START, kiwipete, MATE])
    assert batch.perft(4).tolist() == [197_281, 4_085_603, 0]
    assert batch.perft(0).tolist() == [1, 1, 1]
    assert batch.perft(3, threads=1).dtype == np.uint64
    assert batch.perft_many([5, 3, 0], threads=2).tolist() == [4_865_609, 97_862, 1]
    assert BATCH.perft(1).tolist() == [board.legal_moves.count() for board in BOARDS]
    out = np.zeros(3, np.uint64)
    assert batch.perft(2, out=out) is out
    for wrong in (-1, 256, 2**40):
        with pytest.raises(ValueError, match="depth"):
            batch.perft(wrong)
    for depths in ([1, 2], [1, 2, -3], [1.5, 2.5, 3.5], [[1, 2, 3]], "abc"):
        with pytest.raises((ValueError, TypeError)):
            batch.perft_many(depths)  # type: ignore[arg-type]


@pytest.mark.skipif(os.name != "posix", reason="signals are sent by number")
def test_signals_reach_a_long_count() -> None:
    """With one thread and with two. The second signal comes during the count."""
    for threads in (1, 2):
        program = f"""
            import signal, tabiya
            batch = tabiya.Batch.from_fens([tabiya.START] * 3)
            seen = 0
            def handle(*_):
                global seen
                seen += 1
                print("signal", seen, flush=True)
                if seen == 3:
                    raise KeyboardInterrupt
            signal.signal(signal.SIGINT, handle)
            # The end, if no signal is seen: the count would take years.
            signal.alarm(120)
            try:
                print("ready", flush=True)
                batch.perft(12, threads={threads})
            except KeyboardInterrupt:
                print("stopped", flush=True)
        """
        command = [sys.executable, "-c", textwrap.dedent(program)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            for number in (1, 2, 3):
                process.send_signal(signal.SIGINT)
                assert process.stdout.readline() == f"signal {number}\n"
            assert process.stdout.readline() == "stopped\n"


@pytest.mark.skipif(os.name != "posix", reason="signals are sent by number")
def test_other_python_threads_run_meanwhile() -> None:
    """The count ends because another thread works and then stops it."""
    begun, turns = threading.Event(), 0

    def work() -> None:
        nonlocal turns
        begun.wait(60)
        for _ in range(100_000):
            turns += 1
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=work)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        begun.set()
        Batch.from_fens([tabiya.START] * 4).perft(12, threads=1)
    thread.join()
    assert turns == 100_000


def test_a_source_of_fens_raises_its_own_exception() -> None:
    class Source:
        def __iter__(self) -> Iterator[str]:
            raise ConnectionError("mine")

    with pytest.raises(ConnectionError, match="mine"):
        Batch.from_fens(Source())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_can_go_on() -> None:
    batch = Batch.random(20_000, seed=2, threads=2)
    expected = int(batch.legal_mask(threads=2).sum())
    child = os.fork()
    if child == 0:
        same = int(batch.legal_mask(threads=2).sum()) == expected
        same &= Batch.random(20_000, seed=2, threads=2) == batch
        same &= batch[:50].perft(2, threads=2).sum() > 0
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_many_python_threads_share_a_batch() -> None:
    batch = Batch.random(3000, seed=4)
    expected = batch.planes(threads=1).sum()
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(int(batch.planes(threads=2).sum())))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def resident() -> int:
    """The memory of this process, in kB."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs Linux")
def test_a_million_positions_are_dropped() -> None:
    fens = Batch.random(10_000, seed=9).fens()
    bad = [*fens[:999], "bad"]

    def work() -> None:
        batch = Batch.from_fens(fens)
        batch.legal_moves()
        batch.planes()
        batch.packed()
        part = batch[:2000]
        part.sans()
        part.play_many([tabiya.Move.null()] * 2000, errors="mask")
        Batch.from_fens(bad, errors="mask")
        for position in batch[:5000]:
            position.fen()
        pickle.loads(pickle.dumps(part))

    for _ in range(10):
        work()
    before = resident()
    for _ in range(100):
        work()
    assert resident() - before < 20_000


def test_a_huge_batch() -> None:
    batch = Batch.random(2000, plies=(0, 40), seed=1)
    huge = Batch.concat([batch] * 150)
    assert len(huge) == 300_000
    moves, offsets = huge.legal_moves()
    assert len(moves) == offsets[-1] == 150 * batch.legal_moves()[1][-1]
    assert (huge.keys() == np.tile(batch.keys(), 150)).all()
    part = huge[299_000:]
    assert part == batch[1000:]

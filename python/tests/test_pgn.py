"""PGN as arrays: against python-chess, the traps of real files, errors, threads and memory."""

import bz2
import contextlib
import functools
import gc
import gzip
import importlib
import io
import itertools
import lzma
import math
import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
import zlib
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import numpy as np
import pytest
import zstandard
from conftest import LONG, random_games
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya import Games, PgnError, read_pgn


@functools.cache
def game_texts(count: int, *, seed: int) -> list[str]:
    """Random games with tags, comments, clocks, glyphs and variations, written by python-chess."""
    chance = random.Random(seed)
    texts: list[str] = []
    for board in last_boards(count, seed=seed):
        game = chess.pgn.Game.from_board(board)
        game.headers["White"] = chance.choice(["Kübler", "O'Neill", 'The "X"', "?"])
        game.headers["WhiteElo"] = chance.choice(["2400", "", "?", "1500", "99999"])
        game.headers["BlackElo"] = chance.choice(["2100", "-", "100"])
        game.headers["Result"] = chance.choice(["1-0", "0-1", "1/2-1/2", "*"])
        for node in list(game.mainline()):
            if chance.random() < 0.7:
                node.set_clock(chance.randrange(36000) / 10)
            if chance.random() < 0.3:
                score: chess.engine.Score = chess.engine.Cp(chance.randrange(-900, 900))
                if chance.random() < 0.1:
                    score = chess.engine.Mate(chance.choice([-3, 5]))
                node.set_eval(chess.engine.PovScore(score, chess.WHITE))
            if chance.random() < 0.1:
                node.nags.add(chance.randrange(1, 20))
            if chance.random() < 0.1:
                node.comment += " a remark (with 1. e4 in it) "
            if chance.random() < 0.1:
                others = list(node.parent.board().legal_moves)
                node.parent.add_variation(chance.choice(others))
        texts.append(str(game))
    return texts


def last_boards(count: int, *, seed: int) -> Iterator[chess.Board]:
    """The end of each random game."""
    last: chess.Board | None = None
    for board in random_games(count, seed=seed):
        if last is not None and not board.move_stack:
            yield last
        last = board.copy()
    if last is not None:
        yield last


def all_of(source: Any, **keywords: Any) -> list[Games]:
    return list(read_pgn(source, **keywords))


def one(source: Any, **keywords: Any) -> Games:
    (games,) = read_pgn(source, **keywords)
    return games


def moves_of(games: Games, game: int) -> list[str]:
    return [str(move) for move in games.game(game)]


RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1, "*": tabiya.UNKNOWN_RESULT}


def rating(text: str) -> int:
    return int(text) if text.isdigit() and int(text) < 2**15 else 0


def test_random_games_are_those_that_python_chess_reads() -> None:
    count = 400 if LONG else 40
    text = "\n\n".join(game_texts(count, seed=1))
    games = one(text.encode(), tags=["White", "Black", "FEN"])
    assert len(games) == count and not games.errors
    stream = io.StringIO(text)
    fens = games.positions.fens()
    for number in range(len(games)):
        theirs = chess.pgn.read_game(stream)
        assert theirs is not None
        start, end = games.offsets[number : number + 2]
        assert moves_of(games, number) == [move.uci() for move in theirs.mainline_moves()]
        assert games.results[number] == RESULTS[theirs.headers["Result"]]
        assert games.white_elo[number] == rating(theirs.headers["WhiteElo"])
        assert games.black_elo[number] == rating(theirs.headers["BlackElo"])
        assert games.tags["White"][number] == theirs.headers["White"]
        assert games.tags["FEN"][number] == theirs.headers.get("FEN", "")
        board = theirs.board()
        for ply, node in zip(range(start, end), theirs.mainline(), strict=True):
            assert tabiya.Position(fens[ply]) == tabiya.Position(board.fen(en_passant="fen"))
            clock, score = node.clock(), node.eval()
            assert (clock is None) == math.isnan(games.clocks[ply])
            assert clock is None or games.clocks[ply] == pytest.approx(clock, abs=0.05)
            pawns = score.white().score() if score else None
            assert (pawns is None) == math.isnan(games.evals[ply])
            assert pawns is None or games.evals[ply] == pytest.approx(pawns / 100)
            assert games.mates[ply] == ((score.white().mate() if score else None) or 0)
            board.push(node.move)
        assert games.final_positions[number] == tabiya.Position(board.fen(en_passant="fen"))
        assert games.openings[number] == tabiya.opening(games.game(number))


def test_the_arrays_have_their_types() -> None:
    games = one(b'[WhiteElo "1"]\n\n1. e4 e5 1-0\n\n1. d4 *', tags=["White"], threads=10**6)
    expected = {
        "moves": (np.uint16, 3),
        "offsets": (np.int64, 3),
        "results": (np.int8, 2),
        "white_elo": (np.int16, 2),
        "black_elo": (np.int16, 2),
        "clocks": (np.float32, 3),
        "evals": (np.float32, 3),
        "mates": (np.int16, 3),
        "lines": (np.int64, 2),
        "game_numbers": (np.int64, 2),
        "broken": (np.bool_, 2),
        "remarks": (np.int32, 2),
    }
    for name, (dtype, length) in expected.items():
        array = getattr(games, name)
        assert (array.dtype, array.shape) == (np.dtype(dtype), (length,)), name
        assert array is getattr(games, name)
    assert len(games.positions) == 3
    assert games.final_positions is games.final_positions and games.openings is games.openings
    assert repr(games) == "<Games: games=2, plies=3, errors=0>"
    # A move consists of origin, target and kind.
    assert int(games.moves[0]) & 0xFFF == tabiya.E2 | tabiya.E4 << 6


def test_games_of_a_file() -> None:
    """Variations, games without moves or results, line ends, other starts."""
    pgn = """\ufeff1. e4 {a} (1. d4 (1. c4 Zz) d5) e5 ; to the end of the line 1. d4\r
2. Nf3 $14\r
\r
1. d4 d5\r
\r
[White "a"]

*

[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]

1. a8(Q)+ *

[Variant "Chess960"]
[FEN "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1"]

1. O-O"""
    games = one(pgn.encode())
    moves = [" ".join(moves_of(games, it)) for it in range(len(games))]
    assert moves == ["e2e4 e7e5 g1f3", "d2d4 d7d5", "", "a7a8q", "e1h1"]
    assert not games.errors
    assert all_of(b"") == []


def test_text_is_utf8_or_latin1() -> None:
    pgn = '[White "Kübler"]\n\n1. e4 {Kübler} *'
    for source in (pgn.encode(), pgn.encode("latin-1"), io.StringIO(pgn)):
        assert one(source, tags=["White"]).tags == {"White": ["Kübler"]}
    for encoding in ("utf-16", "utf-16-le"):
        data = ("\ufeff" + pgn).encode(encoding) if encoding != "utf-16" else pgn.encode(encoding)
        with pytest.raises(PgnError, match="UTF-16"):
            all_of(data)


def test_values_of_tags_and_results() -> None:
    pgn = b"""[White "The \\"X\\" \\\\"]
[White "b"]
[WhiteElo " 2000 "]
[WhiteElo "1900"]
[BlackElo "40000"]
[Result "0-1"]

1. e4 1-0

[WhiteElo ""]
[WhiteElo "2000"]
[BlackElo "-5"]
[Result "1/2-1/2"]
[Result "0-1"]

1. e4 *

[White ""]
[White "c"]
[Result "oops"]

1. e4"""
    games = one(pgn, tags=["White", "Missing"])
    # The first of several tags counts, and the result after the moves more than the tag.
    assert games.tags == {"White": ['The "X" \\', "", ""], "Missing": ["", "", ""]}
    assert games.results.tolist() == [1, 0, tabiya.UNKNOWN_RESULT]
    assert games.white_elo.tolist() == [2000, 0, 0]
    assert games.black_elo.tolist() == [0, 0, 0]
    assert one(pgn, tags="White").tags["White"][0] == 'The "X" \\'


def test_clocks_and_evaluations() -> None:
    pgn = b"""{[%clk 9:00:00] before the first move} 1. e4 {[%eval 0.25,18] [%clk 1:02:03.5] [%clk 5]}
    {[%eval 9]} 1... e5 {[%clk 59]} {[%eval #-3]} 2. Nf3 {[%clk soon] [%eval ??]} (2. d4 {[%clk 5]}) 2... Nc6
    {[%emt 0:00:05]} 3. Bb5 $1 {text [%eval #4] text} a6 {[%eval #-40000]}
    4. a3 {[%eval #0]} a5 {[%eval #0]} *"""
    games = one(pgn)
    nan = math.nan
    clocks = np.array([3723.5, 59] + 6 * [nan], np.float32)
    np.testing.assert_array_equal(games.clocks, clocks)
    np.testing.assert_array_equal(games.evals, np.array([0.25] + 7 * [nan], np.float32))
    # A mate on the board has no distance, but a sign.
    assert games.mates.tolist() == [0, -3, 0, 0, 4, -32767, 1, -1]
    # Tournament programs write the view of the mover, and the plies to mate.
    games = one(b"1. e4 {+0.25/13 0.02s} e5 {+0.5/9} 2. Nf3 {-M4/20 3s} Nc6 {-M2/8} *")
    np.testing.assert_array_equal(games.evals, np.array([0.25, -0.5, nan, nan], np.float32))
    assert games.mates.tolist() == [0, 0, -2, 1]


BROKEN = b"""1. e4 e5 1-0

[White "a"]

1. e4 Ke3 2. d4 * ; not of a move [%clk 1:00:00]

1. e4 e5 2. Nf3 and so on 6. Nd4 *

[White "b"]

1. c4 (1. Ke3) c5 0-1

[FEN "x"]

1. e4 *

1. d4 d5 {no end

1. e4 ) -- 2. d4 good 1/2-1/2
"""


def test_broken_games_are_kept_or_skipped(tmp_path: Path) -> None:
    path = tmp_path / "broken.pgn"
    path.write_bytes(BROKEN)
    games = one(path, tags=["White"])
    assert games.broken.tolist() == [False, True, True, False, True, True, False]
    assert games.game_numbers.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert np.diff(games.offsets).tolist() == [2, 1, 3, 2, 0, 2, 3]
    assert len(games.positions) == len(games.moves) == len(games.clocks) == games.offsets[-1]
    assert games.tags["White"] == ["", "a", "", "b", "", "", ""]
    assert games.results.tolist() == [1, 2, 2, -1, 2, 2, 0]
    assert games.remarks.tolist() == [0, 0, 3, 0, 0, 0, 2]
    assert np.isnan(games.clocks).all()
    assert moves_of(games, 2) == ["e2e4", "e7e5", "g1f3"]
    places = [(it.game, it.line, it.column, it.ply) for it in games.errors]
    # Where moves are missing, the place is that of the word before them.
    assert places == [(2, 5, 7, 2), (3, 7, 24, 4), (5, 15, 4, None), (6, 17, 10, 2)]
    texts = [str(error) for error in games.errors]
    assert texts[0] == (
        f"{path}:5:7: game 2: ply 2 (1... Ke3): Ke3 is not legal: a king on e8 cannot reach e3"
    )
    assert BROKEN[games.errors[0].byte :].startswith(b"Ke3")
    expected = ["Ke3 is not legal", "missing before move 6, since 2", "FEN", "no closing brace"]
    for part, text in zip(expected, texts, strict=True):
        assert part in text
    skipped = one(path, tags=["White"], errors="skip")
    assert [str(error) for error in skipped.errors] == texts
    assert skipped.game_numbers.tolist() == [1, 4, 7] and not skipped.broken.any()
    assert skipped.lines.tolist() == [1, 9, 19] and skipped.results.tolist() == [1, -1, 0]
    assert skipped.tags["White"] == ["", "b", ""]
    np.testing.assert_array_equal(skipped.moves, games.moves[[0, 1, 6, 7, 10, 11, 12]])


def test_a_null_move_is_0() -> None:
    games = one(b"1. e4 -- 2. d4 {[%clk 1:00:00]} 0000 *")
    assert games.moves.tolist()[1::2] == [0, 0] and games.clocks[2] == 3600
    turns = [board.split()[1] for board in games.positions.fens()]
    assert turns == ["w", "b", "w", "b"]
    assert games.final_positions.fens() == ["rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 3"]
    assert games.openings == [tabiya.opening(tabiya.Position().play("e4"))]
    with pytest.raises(ValueError, match="null move"):
        games.game(0)


def test_letters_of_other_languages() -> None:
    (german, russian) = "1. e4 Sf6 2. De2 Sxe4 *", "1. e4 Кf6 2. Фe2 Кxe4 *"
    for pgn, letters in ((german, "KDTLS"), (russian, "КрФЛСК")):
        games = one(pgn.encode(), letters=letters)
        assert moves_of(games, 0) == ["e2e4", "g8f6", "d1e2", "f6e4"]


def test_other_results() -> None:
    texts = ["1-0", "1:0", "0-1", "½–½", "0.5-0.5", "0-0", "1/2-0", "0-1/2", "1-1", "*"]
    pgn = "\n\n".join(f'[Result "{text}"]\n\n1. e4 e5 {text}' for text in texts)
    half, both, unknown = tabiya.WHITE_HALF, tabiya.BOTH_LOSE, tabiya.UNKNOWN_RESULT
    games = one(pgn.encode())
    expected = [1, 1, -1, 0, 0, both, half, tabiya.BLACK_HALF, unknown, unknown]
    assert games.results.tolist() == expected and not games.errors
    assert [tabiya.UNKNOWN_RESULT, both, half, tabiya.BLACK_HALF] == [2, 3, 4, 5]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("chunk", [1, 2, 100, 3000])
def test_an_error_is_raised_after_the_games_before_it(chunk: int, threads: int) -> None:
    good = b"1. e4 e5 1-0\n\n" * 2500
    reader = read_pgn(good + BROKEN, errors="stop", chunk=chunk, threads=threads)
    count = 0
    with pytest.raises(PgnError, match="Ke3 is not legal") as caught:
        for games in reader:
            assert not games.errors
            count += len(games)
    assert count == 2501
    assert caught.value.game == 2502
    assert list(reader) == []


def test_chunks_have_their_number_of_games() -> None:
    # A third of the games have only a few moves.
    texts = game_texts(20, seed=4) + ["1. e4 {[%clk 1:00]} 1-0", "*"] * 5
    data = "\n\n".join(texts * 80).encode() + b"\n\n \n"
    whole = one(data, chunk=10**9)
    assert len(whole) == 2400
    ways = [(1, 2), (7, 5), (1000, 1), (1024, 2), (1025, 5), (2399, 1), (2400, 2), (2401, 5)]
    fens = whole.positions.fens()
    for chunk, threads in ways:
        parts = all_of(data, chunk=chunk, threads=threads)
        assert [len(part) for part in parts[:-1]] == [chunk] * (len(parts) - 1)
        assert sum(map(len, parts)) == 2400
        for name in ("moves", "results", "clocks", "evals", "game_numbers", "lines", "white_elo"):
            joined = np.concatenate([getattr(part, name) for part in parts])
            np.testing.assert_array_equal(joined, getattr(whole, name))
        for part in parts:
            assert part.offsets[0] == 0 and part.offsets[-1] == len(part.moves)
            assert len(part.positions) == len(part.moves)
        if chunk == 1000:
            assert [fen for part in parts for fen in part.positions.fens()] == fens


@pytest.mark.parametrize("threads", [1, 2])
def test_chunks_of_long_games_have_their_number_of_games(threads: int) -> None:
    # The text of 1024 of them would be too long for one part.
    comment = b"{" + b"x" * 60_000 + b"}"
    data = b"1. e4 %b e5 %b *\n\n" % (comment, comment) * 2500
    assert [len(games) for games in read_pgn(data, chunk=1100, threads=threads)] == [1100, 1100, 300]


def test_the_order_does_not_depend_on_the_threads() -> None:
    text = "\n\n".join(game_texts(20, seed=4) * 50).encode() + b"\n\n" + BROKEN * 30
    expected = all_of(text, chunk=100, threads=1)
    for threads in (2, 3, 8, None):
        for ours, theirs in zip(all_of(text, chunk=100, threads=threads), expected, strict=True):
            np.testing.assert_array_equal(ours.moves, theirs.moves)
            np.testing.assert_array_equal(ours.game_numbers, theirs.game_numbers)
            assert [str(it) for it in ours.errors] == [str(it) for it in theirs.errors]


def test_start_positions_of_games() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 3 30"
    wrong = "8/8/8/8/8/8/8/8 w - - 0 1"
    starts = [f'[FEN "{it}"]\n\n' for it in (wrong, fen, fen)]
    pgn = "{}1. e4 *\n\n{}30. O-O *\n\n{}*\n\n1. d4 *".format(*starts)
    games = one(pgn.encode())
    assert games.broken.tolist() == [True, False, False, False]
    assert "White has no king" in str(games.errors[0])
    assert games.offsets.tolist() == [0, 0, 1, 1, 2]
    assert [games.game(it).start.fen() for it in range(3)] == [tabiya.START, fen, fen]
    assert games.game(-1) == games.game(3) == tabiya.Game.from_pgn("1. d4 *")
    assert games.positions.fens()[0] == games.final_positions.fens()[2] == fen
    for index in (4, -5):
        with pytest.raises(IndexError, match="there is no game"):
            games.game(index)


def test_a_game_of_arrays_that_were_changed_is_an_error() -> None:
    for offsets in ([1, 0], [0, 3], [0, -1], [0, 1 << 62], [2, 1]):
        games = one(b"1. e4 e5 *")
        games.offsets[:] = offsets
        with pytest.raises(RuntimeError, match="have been changed"):
            games.game(0)


FILTERED = b"""[White "a"]
[White "b"]
[WhiteElo " 2500 "]
[Date "2021.12.31"]

1. e4 e5 *

[White "b"]
[WhiteElo "-"]
[Date "????.??.??"]
{A comment before a tag} [Result "1-0"]

1. e4 (1. Ke3) 1... Ke3 {no end

[WhiteElo "2399.5"]
[Date "2020.01.01"]
[White "The \\"b\\""]

*

1. d4 1-0"""


@pytest.mark.parametrize(
    ("where", "numbers"),
    [
        ({}, [1, 2, 3, 4]),
        ({"White": "b"}, [2]),
        ({"White": 'The "b"'}, [3]),
        ({"White": ""}, []),
        ({"Result": "1-0"}, [2]),
        ({"WhiteElo": (None, None)}, [1, 3]),
        ({"WhiteElo": (2400, None)}, [1]),
        ({"WhiteElo": (2399.5, 2400)}, [3]),
        ({"WhiteElo": (None, 3000), "White": "a"}, [1]),
        ({"WhiteElo": (None, 3000), "White": "b"}, []),
        ({"Date": ("2020", "2020")}, [3]),
        ({"Date": ("2020.01.02", "2021")}, [1]),
        ({"Date": (None, None)}, [1, 3]),
        ({"Date": ("2021.12.31.x", None)}, []),
        ({"White": ("U", "b")}, [1, 2]),
        ({"Date": (2021, None)}, []),
    ],
)
def test_games_with_certain_tags(where: Any, numbers: list[int]) -> None:
    for chunk, threads in ((1, 1), (1000, 2)):
        chunks = all_of(FILTERED, where=where, chunk=chunk, threads=threads)
        assert [int(it) for games in chunks for it in games.game_numbers] == numbers
        # The errors of others are left out with them.
        assert {it.game for games in chunks for it in games.errors} == {2} & {*numbers}
    with pytest.raises(PgnError, match="UTF-16"):
        all_of("1. e4".encode("utf-16"), where=where)


def test_without_positions() -> None:
    games = one(b"1. e4 e5 *", positions=False)
    assert games.moves.shape == (2,)
    with pytest.raises(ValueError, match="positions=False"):
        games.positions  # noqa: B018
    assert games.game(0).sans() == ["e4", "e5"]


# Sources


@pytest.mark.parametrize("packed", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_every_kind_of_source(packed: Any, tmp_path: Path) -> None:
    text = "\n\n".join(game_texts(20, seed=4)).encode()
    expected = one(text)
    data: bytes = packed(text)
    path = tmp_path / "games.pgn"
    path.write_bytes(data)
    sources: list[Any] = [data, bytearray(data), memoryview(data), path, str(path)]
    sources.append(io.BytesIO(data))
    for source in sources:
        games = one(source)
        np.testing.assert_array_equal(games.moves, expected.moves)
    with path.open("rb") as file:
        np.testing.assert_array_equal(one(file).moves, expected.moves)
        # The file belongs to the caller.
        assert not file.closed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_path_of_a_pipe(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(pack(BROKEN * 20),))
    writer.start()
    assert len(one(pipe)) == 140
    writer.join()


def test_a_source_may_give_single_bytes() -> None:
    data = BROKEN * 20
    np.testing.assert_array_equal(one(Slow(data)).moves, one(data).moves)
    assert len(one(Slow(gzip.compress(data)))) == 140


class Slow:
    """Reads a byte at a time."""

    def __init__(self, data: bytes) -> None:
        self.stream = io.BytesIO(data)

    def read(self, size: int) -> bytes:
        return self.stream.read(min(size, 1))


def zstd(data: bytes, **options: Any) -> bytes:
    return bytes(zstandard.ZstdCompressor(**options).compress(data))


def test_zstd(monkeypatch: pytest.MonkeyPatch) -> None:
    # A frame with one uncompressed block, and a skippable frame.
    text = b"1. e4 *"
    frame = b"\x28\xb5\x2f\xfd\x20" + bytes([len(text)])
    frame += (len(text) << 3 | 1).to_bytes(3, "little") + text
    skipped = b"\x53\x2a\x4d\x18" + (300).to_bytes(4, "little") + bytes(300)
    assert len(one(frame + frame)) == 2
    assert len(one(skipped + frame + skipped + skipped + frame + skipped)) == 2
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    with pytest.raises(ImportError, match="install the package zstandard"):
        read_pgn(frame)


@pytest.mark.parametrize("mark", [b"PK\x03\x04", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"])
def test_archives_of_several_files_are_named(mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(mark + bytes(100))
    for source in (path, mark + bytes(100), Slow(mark + bytes(100))):
        with pytest.raises(ValueError, match="archive, which is not supported"):
            read_pgn(source)


def test_python_without_bz2_and_lzma() -> None:
    program = textwrap.dedent("""
        import sys
        sys.modules["_bz2"] = sys.modules["_lzma"] = None
        import tabiya
        assert [len(chunk) for chunk in tabiya.read_pgn(b"1. e4 *")] == [1]
        for start, module in ((b"BZh91AY", "bz2"), (b"\\xfd7zXZ\\0\\0", "lzma")):
            try:
                list(tabiya.read_pgn(start))
            except ImportError as error:
                assert str(error).endswith(f"built without the module {module}"), error
            else:
                raise SystemExit("no error")
    """)
    subprocess.run([sys.executable, "-c", program], check=True)


#: All formats, and options of zstd that change its frames.
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd,
    "zstd with a checksum": lambda data: zstd(data, write_checksum=True),
    "zstd without a size": lambda data: zstd(data, write_content_size=False, level=1),
    "zstd of many frames": lambda data: b"".join(
        zstd(data[at : at + 10_007]) for at in range(0, len(data), 10_007)
    ),
}


#: Python reads zstd since version 3.14. Before that, it needs a package.
ZSTD_MODULES = ("zstandard", "compression.zstd")


def formats(packers: dict[str, Any]) -> list[tuple[str, str]]:
    """The names of the formats, each with a module that reads zstd."""
    return [
        (name, module)
        for name in packers
        for module in (ZSTD_MODULES if "zstd" in name else ZSTD_MODULES[:1])
    ]


def only_with(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides the other modules that read zstd."""
    found: Any = zstandard
    if module == "compression.zstd":
        is_new = sys.version_info >= (3, 14)
        found = importlib.import_module(module if is_new else "backports.zstd")
    for other in ZSTD_MODULES:
        monkeypatch.setitem(sys.modules, other, found if other == module else None)


def until_the_end(source: Any, **keywords: Any) -> tuple[int, PgnError | None]:
    """The number of games, and the error after them."""
    count = 0
    try:
        for games in read_pgn(source, **keywords):
            count += len(games)
    except PgnError as error:
        return count, error
    return count, None


@pytest.mark.parametrize(("name", "module"), formats(PACKERS))
def test_archives_that_end_too_early(
    name: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever they end: the games before are read, and then there is an error."""
    only_with(module, monkeypatch)
    text = ("\n\n".join(game_texts(20, seed=4)) + "\n\n").encode() * 20
    data = PACKERS[name](text)
    assert until_the_end(data) == (400, None)
    chance = random.Random(3)
    ends = {len(data) - 1, len(data) - 5, 7, 20, *chance.sample(range(7, len(data)), 20)}
    frames = {len(data)}
    if "frames" in name:
        # Between two frames, nothing shows that further frames are missing.
        starts = range(0, len(text), 10_007)
        lengths = [len(zstd(text[at : at + 10_007])) for at in starts]
        frames |= {sum(lengths[:number]) for number in range(len(lengths))}
    for number, end in enumerate(sorted(ends - frames)):
        path = tmp_path / f"{number}.pgn"
        path.write_bytes(data[:end])
        for source, file in [(data[:end], None), (path, str(path)), (Slow(data[:end]), None)]:
            if isinstance(source, Slow) and number > 2:
                continue
            count, error = until_the_end(source, chunk=7, threads=number % 3 + 1)
            assert error is not None, end
            assert f"the {name.split()[0]} data ends too early" in error.reason
            assert error.file == file and error.game == count + 1 and error.ply is None
            # The error is at the end of the readable text.
            readable = text[: error.byte]
            assert error.line == readable.count(b"\n") + 1
            assert error.column == error.byte - (readable.rfind(b"\n") + 1) + 1
            assert count >= readable.count(b"\n\n[")


#: Compressed data whose checksum at the end is wrong.
WRONG_SUMS: dict[str, Callable[[bytes], bytes]] = {
    # The last four bytes are the length.
    "gzip": lambda data: gzip.compress(data)[:-8] + bytes(4) + gzip.compress(data)[-4:],
    "bzip2": lambda data: bz2.compress(data)[:-4] + b"wrong"[:4],
    "xz": lambda data: lzma.compress(data, check=lzma.CHECK_CRC32)[:-1] + b"x",
    "zstd": lambda data: zstd(data, write_checksum=True)[:-4] + b"sums",
}


@pytest.mark.parametrize(("name", "module"), formats(WRONG_SUMS))
def test_games_before_damage_are_read(
    name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of the text comes before the wrong sum."""
    only_with(module, monkeypatch)
    chance = random.Random(4)
    games = [f"1. e4 {{ {chance.randbytes(300).hex()} }} e5 *\n\n" for _ in range(2000)]
    text = "".join(games).encode()
    count, error = until_the_end(WRONG_SUMS[name](text))
    assert error is not None and f"the {name} data is damaged" in error.reason
    # A step has 8 KiB. The package zstandard decompresses all that it is given.
    step = 1 << (18 if (name, module) == ("zstd", "zstandard") else 13)
    lost = step // len(games[0]) + 1
    assert 2000 - lost <= count <= 2000
    assert error.byte >= len(text) - step


@pytest.mark.parametrize("module", ZSTD_MODULES)
def test_zstd_with_a_large_window(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decompressors refuse windows of more than 128 MiB unless they are asked."""
    only_with(module, monkeypatch)
    parameters = zstandard.ZstdCompressionParameters(window_log=31)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    data = packer.compress(b"1. e4 *\n\n" * 9) + packer.flush()
    assert until_the_end(data) == (9, None)


@pytest.mark.parametrize(("name", "module"), formats(PACKERS))
def test_what_follows_an_archive(name: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    only_with(module, monkeypatch)
    text = ("\n\n".join(game_texts(20, seed=4)) + "\n\n").encode() * 20
    data = PACKERS[name](text)
    # Data that is not compressed follows.
    count, error = until_the_end(data + b"garbage" * 10)
    assert count == 400 and error is not None
    assert f"the {name.split()[0]} data is damaged" in error.reason
    # Files may be concatenated like this.
    assert until_the_end(data + data) == (800, None)


def test_errors_of_a_source_below_a_decompressor_are_its_own() -> None:
    class Source(Failing):
        def read(self, size: int) -> bytes:
            self.reads += 1
            if self.reads > 2:
                raise self.error
            return gzip.compress(b"1. e4 e5 *\n\n" * 500)[:100]

    for failure in (EOFError("mine"), OSError(5, "mine"), zlib.error("mine"), MemoryError("mine")):
        with pytest.raises(type(failure), match="mine"):
            all_of(Source(failure))


@pytest.mark.parametrize("name", ["plain", "gzip", "xz", "zstd"])
@pytest.mark.parametrize("reads", [1, 3])
def test_a_source_cannot_end_the_games_with_stop_iteration(name: str, reads: int) -> None:
    data = {"plain": bytes, **PACKERS}[name]("\n\n".join(game_texts(20, seed=4)).encode())

    class Source:
        def __init__(self) -> None:
            self.reads = 0

        def read(self, size: int) -> bytes:
            self.reads += 1
            if self.reads > reads:
                raise StopIteration("mine")
            return data[self.reads * 20 - 20 : self.reads * 20]

    with pytest.raises(RuntimeError, match="StopIteration") as caught:
        for _ in read_pgn(Source()):
            pass
    assert isinstance(caught.value.__cause__, StopIteration)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have rules for names")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_names_of_files_need_not_be_utf8(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.pgn"
    with open(path, "wb") as file:
        file.write(pack(BROKEN))
    name = os.fsdecode(path)
    with open(name, "rb") as file:
        opened: Any = io.BytesIO(file.read())
    opened.name = name
    sources: list[Any] = [name, Path(name), opened]
    for source in sources:
        reader = read_pgn(source)
        assert "pgn" in repr(reader)
        games = next(reader)
        assert len(games) == 7
        assert games.errors[0].file == name
        assert pickle.loads(pickle.dumps(games.errors[0])).file == games.errors[0].file
        reader.close()
    with open(path, "wb") as file:
        file.write(gzip.compress(BROKEN * 100)[:-9])
    with pytest.raises(PgnError) as caught:
        for _ in read_pgn(name):
            pass
    assert caught.value.file == name


def test_games_in_the_place_of_a_path() -> None:
    for text in ("1. e4 e5 *", '[Event "?"]\n\n1. e4 *', "1. e4 e5 *\n" * 1000):
        with pytest.raises(ValueError, match=r"the games themselves: .* io.StringIO") as caught:
            read_pgn(text)
        assert len(str(caught.value)) < 200
        assert sum(len(games.moves) for games in all_of(io.StringIO(text))) > 0
    for path in ("missing.pgn", "1.pgn", "1. Bundesliga.pgn", "[2024] games.pgn", ""):
        with pytest.raises(FileNotFoundError):
            read_pgn(path)


class Failing:
    def __init__(self, error: BaseException) -> None:
        self.error, self.reads = error, 0

    def read(self, size: int) -> bytes:
        self.reads += 1
        if self.reads > 3:
            raise self.error
        return b"1. e4 e5 *\n\n" * 500


def test_an_error_of_the_source_comes_after_its_games() -> None:
    reader = read_pgn(Failing(LookupError("lost")), chunk=100)
    count = 0
    with pytest.raises(LookupError, match="lost"):
        for games in reader:
            count += len(games)
    assert count == 1500
    reader = read_pgn(Failing(KeyboardInterrupt()), chunk=100)
    with pytest.raises(KeyboardInterrupt):
        for games in reader:
            pass
    assert list(reader) == []


@pytest.mark.parametrize(
    ("source", "keywords", "error", "message"),
    [
        ("/no/such/file.pgn", {}, FileNotFoundError, "/no/such/file.pgn"),
        (5, {}, TypeError, "expected a path, bytes or an object"),
        (None, {}, TypeError, "expected a path, bytes or an object"),
        (b"", {"chunk": 0}, ValueError, "at least 1, not 0"),
        (b"", {"chunk": -7}, ValueError, "at least 1, not -7"),
        (b"", {"threads": 0}, ValueError, "threads"),
        (b"", {"errors": "ignore"}, ValueError, '"ignore"'),
        (b"", {"tags": [5]}, TypeError, "the name of a tag"),
        (b"", {"tags": 5}, TypeError, "iterable"),
        (b"", {"letters": "KQ"}, ValueError, "the letters of king, queen"),
        (b"", {"where": "Elo"}, TypeError, "Mapping"),
        (b"", {"where": {"WhiteElo": 5}}, TypeError, "pair of numbers or of str, for the tag WhiteElo"),
        (b"", {"where": {"WhiteElo": (5, "6")}}, TypeError, r"not \(5, '6'\)"),
    ],
)
def test_wrong_arguments(source: Any, keywords: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_pgn(source, **keywords)


def test_an_object_that_reads_something_else() -> None:
    class Wrong:
        def read(self, size: int) -> Any:
            return 5

    with pytest.raises(TypeError, match="expected bytes or str from the method read"):
        all_of(Wrong())


# Ends


def open_files(path: Path) -> int:
    """The number of times that this process has the file open."""
    count = 0
    for entry in Path("/proc/self/fd").iterdir():
        try:
            count += os.readlink(entry) == str(path)
        except OSError:
            pass
    return count


def native_threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


def fewest_threads() -> int:
    """Without those that have just ended: the system lists them for a moment."""

    def a_moment_later() -> int:
        time.sleep(0.005)
        return native_threads()

    return min(a_moment_later() for _ in range(20))


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")


@needs_proc
@pytest.mark.parametrize("name", ["games.pgn", "games.pgn.gz"])
def test_nothing_stays_open(name: str, tmp_path: Path) -> None:
    path = (tmp_path / name).resolve()
    data = b"1. e4 e5 2. Nf3 Nc6 *\n\n" * 100000
    path.write_bytes(gzip.compress(data, 1) if name.endswith("gz") else data)
    before = fewest_threads()

    def is_let_go() -> bool:
        end = time.monotonic() + 60
        while native_threads() != before and time.monotonic() < end:
            time.sleep(0.001)
        return native_threads() == before and open_files(path) == 0

    reader = read_pgn(path, threads=4)
    next(reader)
    assert native_threads() == before + 3 and open_files(path) == 1
    # Abandoned.
    del reader
    assert is_let_go()

    # Closed.
    with read_pgn(path, threads=4) as reader:
        next(reader)
    assert is_let_go()
    assert list(reader) == [] and "at its end" in repr(reader)
    reader.close()

    # Finished.
    reader = read_pgn(path, threads=4, chunk=50000)
    assert sum(len(games) for games in reader) == 100000
    assert is_let_go()

    # Never begun.
    read_pgn(path, threads=4)
    assert is_let_go()

    # Ended by an exception.
    reader = read_pgn(data + b"1. e5 *", threads=4, errors="stop", chunk=50000)
    with pytest.raises(PgnError):
        list(reader)
    assert is_let_go()


@needs_proc
def test_memory_is_bounded() -> None:
    text = b"1. e4 {[%clk 0:10:00]} e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n"
    data = text * 200000

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def read() -> int:
        most = 0
        for games in read_pgn(data, threads=2):
            assert len(games) == 1000
            most = max(most, resident())
        return most

    read()
    before = resident()
    for _ in range(3):
        # All games at once would need 200 MB and more.
        assert read() - before < 80e6
    gc.collect()
    assert resident() - before < 40e6


def test_readers_can_be_interleaved() -> None:
    text = b"1. e4 e5 *\n\n" * 5000
    readers = [read_pgn(text, threads=2, chunk=100) for _ in range(5)]
    for chunks in zip(*readers, strict=True):
        assert all(len(games) == 100 for games in chunks)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timers")
@pytest.mark.parametrize("is_played", [True, False])
def test_signals_come_while_a_part_is_read_and_played(is_played: bool) -> None:
    """A part of long games takes long. Before it has been read and played, there is nothing to return."""
    shuffle = b" Nf3 Nf6 Ng1 Ng8" * 16_000
    data = b"1. e4 (1. d4 %b) *\n\n" % shuffle * 200
    if is_played:
        data = b"%b *\n\n" % shuffle * 200
    begin = time.process_time()
    whole = one(data, positions=False)
    needed = time.process_time() - begin
    handled = 0

    def handle(number: int, frame: object) -> None:
        nonlocal handled
        handled += 1

    before = signal.signal(signal.SIGPROF, handle)
    try:
        signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
        again = next(read_pgn(data, threads=1, positions=False))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    np.testing.assert_array_equal(again.moves, whole.moves)
    # Otherwise there are three: before the part is read, before it is played, and after that.
    assert handled > min(4, needed / 0.06)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timers")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_part_that_a_signal_interrupts_is_read_again(threads: int) -> None:
    data = b"%b *\n\n" % (b" Nf3 Nf6 Ng1 Ng8" * 4000) * 150
    expected = one(data, positions=False)
    is_reading, interrupts = False, 0

    def handle(number: int, frame: object) -> None:
        nonlocal is_reading, interrupts
        if is_reading and interrupts < 3:
            is_reading, interrupts = False, interrupts + 1
            raise KeyboardInterrupt

    reader, found = read_pgn(data, chunk=100, threads=threads, positions=False), list[Games]()
    before = signal.signal(signal.SIGPROF, handle)
    try:
        signal.setitimer(signal.ITIMER_PROF, 0.03, 0.03)
        # Two chunks, and three interruptions.
        for _ in range(2 + 3):
            with contextlib.suppress(KeyboardInterrupt):
                is_reading = True
                # No signal can come between the return of a chunk and its place in the list.
                found.extend(itertools.islice(reader, 1))
                is_reading = False
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    np.testing.assert_array_equal(np.concatenate([games.moves for games in found]), expected.moves)
    assert [len(games) for games in found] == [100, 50]


def interrupt_the_first_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors are written in Python, where signal handlers run."""
    made, make = 0, PgnError.__init__

    def interrupted(error: PgnError, *arguments: Any) -> None:
        nonlocal made
        made += 1
        if made == 1:
            raise KeyboardInterrupt
        make(error, *arguments)

    monkeypatch.setattr(PgnError, "__init__", interrupted)


@pytest.mark.parametrize("errors", ["skip", "stop"])
def test_a_signal_while_errors_are_made_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, errors: Any
) -> None:
    data = b"1. e4 e5 *\n\n1. e4 Ke3 *\n\n1. d4 *\n\n" * 3
    interrupt_the_first_error(monkeypatch)
    reader = read_pgn(data, chunk=100, threads=1, errors=errors)
    if errors == "stop":
        assert len(next(reader)) == 1
    with pytest.raises(KeyboardInterrupt):
        next(reader)
    if errors == "stop":
        with pytest.raises(PgnError, match="Ke3 is not legal"):
            next(reader)
    else:
        (games,) = reader
        assert (len(games), len(games.errors)) == (6, 3)
    assert list(reader) == []


def test_a_signal_does_not_hide_that_a_file_is_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_the_first_error(monkeypatch)
    reader = read_pgn(gzip.compress(b"1. e4 *\n\n" * 1000)[:-12], threads=1)
    with pytest.raises(KeyboardInterrupt):
        for _ in reader:
            pass
    with pytest.raises(PgnError, match="ends too early"):
        list(reader)


def test_a_source_may_return_all_at_once() -> None:
    data = b"1. e4 e5 *\n\n" * 50_000
    for whole in (data, gzip.compress(data), zstandard.compress(data)):
        blocks = iter([whole])

        class Source:
            def read(self, size: int, blocks: Iterator[bytes] = blocks) -> bytes:
                return next(blocks, b"")

        assert sum(map(len, read_pgn(Source()))) == 50_000


# Any bytes

# fmt: off
PIECES = [
    b"1. ", b"1... ", b"e4 ", b"e5 ", b"Nf3 ", b"O-O ", b"Ke2 ", b"-- ", b"e8=Q ", b"a1a1 ", b"0000 ",
    b"(", b") ", b"{", b"} ", b";", b"%", b"\n", b"\n\n", b"\r\n", b"* ", b"1-0 ", b"$1 ", b"$999 ",
    b"!?", b"[", b"]", b'"', b"\xff", b"\x00", b"\xef\xbb\xbf", b"\xc3\xbc", b"[%clk 1:00]",
    b"[%eval #0]", b"0-0 ", b"oops ", b"9. ", b'[White "a"]\n', b'[Result "1-0"]\n',
    b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n', b'[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n',
    b'[Variant "Atomic"]\n',
]
# fmt: on


@settings(max_examples=250, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_sequence_of_tokens(pieces: list[bytes]) -> None:
    """The games are the same in one part and in many."""
    # Otherwise it may begin like UTF-16.
    data = b" " + b"".join(pieces)
    found: list[list[Any]] = []
    for chunk, threads in [(3, 1), (1000, 3), (1, 2)]:
        chunks = all_of(data, tags=["White"], chunk=chunk, threads=threads)
        for games in chunks:
            for name in ("moves", "positions", "clocks", "evals", "mates"):
                assert len(getattr(games, name)) == games.offsets[-1]
            assert len(games.tags["White"]) == len(games.openings) == len(games.results) == len(games)
            assert (np.diff(games.offsets) >= 0).all()
            assert games.broken.sum() <= len(games.errors)
        names = ("moves", "game_numbers", "lines", "results", "broken", "remarks")
        found.append([[it for games in chunks for it in getattr(games, name)] for name in names])
        found[-1].append([it for games in chunks for it in games.final_positions.fens()])
        found[-1].append([str(it) for games in chunks for it in games.errors])
    assert found[0] == found[1] == found[2]


def test_chunks_leave_nothing_behind() -> None:
    """No object of a chunk outlives it."""
    data = b"1. e4 e5 *\n\n" * 2000

    def read() -> int:
        kept: list[Any] = []
        for games in read_pgn(data, chunk=1, threads=1, tags=["White"]):
            kept = [games, games.positions, games.errors, games.moves, games.tags, games.game(0)]
        assert len(kept) == 6
        kept.clear()
        gc.collect()
        return sys.getallocatedblocks()

    read()
    before = read()
    assert max(read() for _ in range(4)) - before < 100


def test_a_text_with_half_of_a_character_is_refused_clearly() -> None:
    wrong = "1. e4 {\ud83d} e5 *"
    for call in (lambda: list(read_pgn(io.StringIO(wrong))), lambda: tabiya.Game.from_pgn(wrong)):
        with pytest.raises(ValueError, match=r"'\\ud83d' is half of a character .* give bytes"):
            call()


class Endless:
    """A source that holds its own reader. It never ends."""

    def __init__(self, start: bytes) -> None:
        self.start = start
        self.reader = read_pgn(self, chunk=1, threads=3)

    def read(self, size: int) -> bytes:
        start, self.start = self.start, b""
        return start or b"1. e4 *\n\n"


def test_a_source_that_holds_its_reader_is_collected() -> None:
    """Otherwise the threads of each such reader would wait until the process ends."""
    tasks = Path("/proc/self/task")
    gc.collect()
    before = len(list(tasks.iterdir())) if tasks.exists() else 0

    def used() -> weakref.ref[Endless]:
        source = Endless(b"")
        next(source.reader)
        return weakref.ref(source)

    found = [used() for _ in range(20)]
    gc.collect()
    assert [reference() for reference in found] == [None] * 20
    if tasks.exists():
        assert fewest_threads() <= before


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_an_exception_in_a_loop_over_compressed_games_is_kept(
    compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """Python drops the reader while the exception is set. The file is closed all the same."""
    data = compress(b"1. e4 *\n\n" * 1000)
    path = tmp_path / "games"
    path.write_bytes(data)
    files = Path("/proc/self/fd")
    before = len(list(files.iterdir())) if files.exists() else 0

    def stop(source: Any) -> None:
        for _ in read_pgn(source, chunk=1):
            raise KeyError("of the loop")

    def chunks(source: Any) -> Generator[Games, None, None]:
        yield from read_pgn(source, chunk=1)

    for make in (lambda: data, lambda: path, lambda: io.BytesIO(data)):
        with pytest.raises(KeyError, match="of the loop"):
            stop(make())
        generator = chunks(make())
        next(generator)
        with pytest.raises(KeyError, match="of the caller"):
            generator.throw(KeyError("of the caller"))
    if files.exists():
        assert len(list(files.iterdir())) == before


def test_a_chunk_whose_error_is_raised_is_collected() -> None:
    """The error holds the frame that raised it, which holds the chunk."""
    errors: list[weakref.ref[PgnError]] = []

    def stop() -> None:
        for games in read_pgn(b"1. e4 e5 *\n\n1. e5 *\n\n"):
            errors.append(weakref.ref(games.errors[0]))
            raise games.errors[0]

    for _ in range(3):
        with pytest.raises(PgnError):
            stop()
    gc.collect()
    assert [error() for error in errors] == [None] * 3

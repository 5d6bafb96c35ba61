"""From FENs to arrays: planes and masks of legal moves, side by side with other packages.

    pip install './python[bench]'
    python python/benchmarks/batches.py

Every contestant reads the same FENs, which are ``str`` in a list, and writes the same two arrays,
which are made once: planes of shape (N, 12, 8, 8), dtype ``uint8``, and the mask of the 1968 moves of
UCI. The results are compared before the times are taken. All run on one thread, unless said otherwise,
and processor time counts.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from measure import Contestant, Measured, interleaved, machine, table, versions

import tabiya
from tabiya import Batch
from tabiya.encodings import UCI_MOVES

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
#: Reads FENs and writes planes and a mask.
Convert = Callable[[list[str], Bytes, Flags], None]

PLAIN = "python-chess"
NUMBERS = {text: number for number, text in enumerate(UCI_MOVES)}


def with_tabiya(fens: list[str], planes: Bytes, mask: Flags) -> None:
    batch = Batch.from_fens(fens, threads=1)
    batch.planes(out=planes, threads=1)
    batch.legal_mask(out=mask, threads=1)


def write_sets(sets: list[list[int]], planes: Bytes) -> None:
    """The planes of sets of squares: one call of NumPy for all positions."""
    bits = np.unpackbits(np.array(sets, "<u8").view(np.uint8), bitorder="little")
    planes[:] = bits.reshape(planes.shape)


def write_moves(rows: Iterable[Iterable[int]], mask: Flags) -> None:
    """The mask of numbers of moves."""
    mask[:] = False
    for row, numbers in zip(mask, rows, strict=True):
        row[list(numbers)] = True


def with_plain_python_chess() -> Convert:
    """As it is usually written: piece by piece and move by move."""
    import chess

    def convert(fens: list[str], planes: Bytes, mask: Flags) -> None:
        planes[:] = 0
        mask[:] = False
        for row, fen in enumerate(fens):
            board = chess.Board(fen)
            for square, piece in board.piece_map().items():
                channel = piece.piece_type - 1 + (0 if piece.color else 6)
                planes[row, channel, square >> 3, square & 7] = 1
            for move in board.legal_moves:
                mask[row, NUMBERS[move.uci()]] = True

    return convert


def with_python_chess() -> Convert:
    """The fastest way that was found: sets of squares for all rows at once."""
    import chess

    numbers = {
        (move.from_square, move.to_square, move.promotion): number
        for number, move in enumerate(map(chess.Move.from_uci, UCI_MOVES))
    }

    def convert(fens: list[str], planes: Bytes, mask: Flags) -> None:
        sets: list[list[int]] = []
        rows: list[list[int]] = []
        for fen in fens:
            board = chess.Board(fen)
            white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
            roles = (
                board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
            )  # fmt: skip
            sets.append([role & color for color in (white, black) for role in roles])
            rows.append(
                [numbers[it.from_square, it.to_square, it.promotion] for it in board.legal_moves]
            )
        write_sets(sets, planes)
        write_moves(rows, mask)

    return convert


def with_cozy_chess() -> Convert:
    import cozy_chess  # pyright: ignore[reportMissingTypeStubs, reportMissingImports]

    cozy: Any = cozy_chess
    colors = [cozy.Color.White, cozy.Color.Black]
    names = ["Pawn", "Knight", "Bishop", "Rook", "Queen", "King"]
    roles = [getattr(cozy.Piece, name) for name in names]

    def convert(fens: list[str], planes: Bytes, mask: Flags) -> None:
        sets: list[list[int]] = []
        rows: list[list[int]] = []
        for fen in fens:
            board = cozy.Board.from_fen(fen)
            sets.append(
                [int(board.colored_pieces(color, role)) for color in colors for role in roles]
            )
            rows.append([NUMBERS[str(move)] for move in board.generate_moves()])
        write_sets(sets, planes)
        write_moves(rows, mask)

    return convert


def with_rust_chess() -> Convert:
    import rust_chess  # pyright: ignore[reportMissingTypeStubs, reportMissingImports]

    rust: Any = rust_chess
    names = ["PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING"]
    pieces = [getattr(rust, f"{color}_{name}") for color in ("WHITE", "BLACK") for name in names]

    def convert(fens: list[str], planes: Bytes, mask: Flags) -> None:
        sets: list[list[int]] = []
        rows: list[list[int]] = []
        for fen in fens:
            board = rust.Board(fen)
            sets.append([board.get_piece_bitboard(piece).to_uint() for piece in pieces])
            rows.append([NUMBERS[move.get_uci()] for move in board.generate_legal_moves()])
        write_sets(sets, planes)
        write_moves(rows, mask)

    return convert


OTHERS: dict[str, Callable[[], Convert]] = {
    PLAIN: with_plain_python_chess,
    "python-chess, tuned": with_python_chess,
    "cozy-chess-py": with_cozy_chess,
    "rust-chess": with_rust_chess,
}


def arrays(rows: int) -> tuple[Bytes, Flags]:
    return np.empty((rows, 12, 8, 8), np.uint8), np.empty((rows, 1968), np.bool_)


def check(name: str, convert: Convert, fens: list[str]) -> None:
    """Compares the results with those of tabiya."""
    planes, mask = arrays(len(fens))
    expected_planes, expected_mask = arrays(len(fens))
    convert(fens, planes, mask)
    with_tabiya(fens, expected_planes, expected_mask)
    assert (planes == expected_planes).all(), name
    # Some packages write castling as the king taking its own rook.
    castling = [
        NUMBERS[text] for rank in "18" for text in (f"e{rank}{file}{rank}" for file in "acgh")
    ]
    mask[:, castling] = expected_mask[:, castling]
    assert (mask == expected_mask).all(), name


def side_by_side(batches: list[list[str]], rounds: int) -> dict[str, Measured]:
    """Times per position of all packages that are installed."""
    rows = len(batches[0])
    planes, mask = arrays(rows)
    contestants: dict[str, Contestant] = {}

    def enter(name: str, convert: Convert, parts: list[list[str]]) -> None:
        check(name, convert, parts[0][:100])

        def run() -> None:
            for fens in parts:
                convert(fens, planes[: len(fens)], mask[: len(fens)])

        contestants[name] = Contestant(run, sum(map(len, parts)))

    # A run of each contestant takes a few milliseconds, so slow ones read fewer positions.
    enter("tabiya", with_tabiya, batches)
    for name, make in OTHERS.items():
        try:
            convert = make()
        except ImportError:
            continue
        enter(name, convert, [batches[0][: 64 if "python" in name else 512]])
    return interleaved(contestants, rounds=rounds)


def parts(fens: list[str], rounds: int) -> dict[str, Measured]:
    """Times per position of each part, and of other layouts."""
    rows = len(fens)
    planes, mask = arrays(rows)
    floats = np.empty((rows, 12, 8, 8), np.float32)
    halves = np.empty((rows, 12, 8, 8), np.float16)
    extra = np.empty((rows, 20, 8, 8), np.uint8)
    az = np.empty((rows, 4672), np.bool_)
    sets = np.empty((rows, 12), np.uint64)
    packed = np.empty((rows, 32), np.uint8)
    batch = Batch.from_fens(fens)
    data, offsets = batch.fen_bytes()
    fixed = np.array(fens).astype("S")
    lines = [f"{fen} | 20 | 0.5" for fen in fens]
    columns = {"score": float, "result": float}
    bits = batch.packed()
    moves = batch.legal_moves()
    jobs: dict[str, Callable[[], object]] = {
        "FENs in a list": lambda: Batch.from_fens(fens, threads=1),
        "FENs in one buffer": lambda: Batch.from_fen_bytes(data, offsets, threads=1),
        "FENs in a NumPy array (S)": lambda: Batch.from_fens(fixed, threads=1),
        "FENs with two numbers": lambda: Batch.from_lines(lines, columns, threads=1),
        "packed bytes": lambda: Batch.from_packed(bits, threads=1),
        "bitboards": lambda: batch.bitboards(out=sets, threads=1),
        "planes uint8": lambda: batch.planes(out=planes, threads=1),
        "planes uint8, side to move": lambda: batch.planes(
            orientation="side", out=planes, threads=1
        ),
        "planes uint8, 20 channels": lambda: batch.planes(extra=True, out=extra, threads=1),
        "planes float32": lambda: batch.planes(out=floats, threads=1),
        "planes float16": lambda: batch.planes(out=halves, threads=1),
        "mask of 1968": lambda: batch.legal_mask(out=mask, threads=1),
        "mask of 4672": lambda: batch.legal_mask("az", out=az, threads=1),
        "legal moves, ragged": lambda: batch.legal_moves(threads=1),
        "FENs back": lambda: batch.fens(threads=1),
        "packed bytes back": lambda: batch.packed(out=packed, threads=1),
        "exchanges of all moves": lambda: batch.see_many(moves[0], offsets=moves[1], threads=1),
        "outcomes": lambda: batch.outcomes(threads=1),
    }
    return interleaved({name: Contestant(job, rows) for name, job in jobs.items()}, rounds=rounds)


def on_all_threads(fens: list[str], rounds: int) -> dict[str, Measured]:
    """Times per position on one thread and on all of them, for a larger batch."""
    planes, mask = arrays(len(fens))

    def run(threads: int | None) -> Callable[[], object]:
        def convert() -> None:
            batch = Batch.from_fens(fens, threads=threads)
            batch.planes(out=planes, threads=threads)
            batch.legal_mask(out=mask, threads=threads)

        return convert

    jobs = {"1 thread": run(1), f"{len(os.sched_getaffinity(0))} threads": run(None)}
    return interleaved(
        {name: Contestant(job, len(fens)) for name, job in jobs.items()}, rounds=rounds
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=60, help="how often each is measured")
    parser.add_argument("--rows", type=int, default=1024, help="the positions of a batch")
    options = parser.parse_args()
    rows: int = options.rows
    fens = Batch.random(16 * rows, plies=(8, 80), seed=1).fens()
    batches = [fens[start : start + rows] for start in range(0, len(fens), rows)]

    print(machine())
    print(
        f"tabiya {tabiya.__version__},", versions("numpy", "chess", "cozy-chess-py", "rust-chess")
    )
    print(f"\nFENs to planes and mask, {rows} positions at a time, one thread:\n")
    found = side_by_side(batches, options.rounds)
    print(table(found, against=PLAIN if PLAIN in found else "tabiya", unit="positions"))
    print("\nParts and other layouts, one thread:\n")
    print(table(parts(fens[:rows], options.rounds), against="FENs in a list", unit="positions"))
    print(f"\nFENs to planes and mask, {len(fens)} positions at a time:\n")
    rounds = max(3, options.rounds // 6)
    print(table(on_all_threads(fens, rounds), against="1 thread", unit="positions"))


if __name__ == "__main__":
    main()

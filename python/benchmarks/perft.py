"""Perft: ``tabiya.perft`` compared with other packages.

    python benchmarks/perft.py [--depth 7] [--rounds 3]

``tabiya`` counts on one thread, on all of them, and with a table. python-chess, cozy-chess and
rust-chess count with a loop in Python, as their users do, to a smaller depth; those that are not
installed are left out. The measurements are interleaved, and the median counts.
"""

import argparse
import importlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import tabiya


def count_with_chess(chess: Any, depth: int) -> Callable[[], int]:
    """The usual loop of python-chess, with the moves of the last ply counted but not made."""
    board = chess.Board()

    def count(depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        nodes = 0
        for move in board.legal_moves:
            board.push(move)
            nodes += count(depth - 1)
            board.pop()
        return nodes

    return lambda: count(depth)


def count_with_position(depth: int) -> Callable[[], int]:
    """The same loop with the objects of tabiya."""

    def count(position: tabiya.Position, depth: int) -> int:
        moves = position.legal_moves()
        if depth == 1:
            return len(moves)
        return sum(count(position.play(move), depth - 1) for move in moves)

    return lambda: count(tabiya.Position(), depth)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    depth: int = arguments.depth
    ways: dict[str, Callable[[], int]] = {
        f"tabiya.perft({depth}, threads=1)": lambda: tabiya.perft(depth, threads=1),
        f"tabiya.perft({depth})": lambda: tabiya.perft(depth),
        f"tabiya.perft({depth}, hash_mib=256)": lambda: tabiya.perft(depth, hash_mib=256),
        "a loop with tabiya.Position, depth 4": count_with_position(4),
    }
    try:
        chess = importlib.import_module("chess")
        ways["a loop with python-chess, depth 4"] = count_with_chess(chess, 4)
    except ImportError:
        print("python-chess is not installed")
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(arguments.rounds):
        for name, way in ways.items():
            begin = time.perf_counter()
            nodes = way()
            found[name].append(nodes / (time.perf_counter() - begin))
    for name, rates in found.items():
        print(f"{name:40} {statistics.median(rates):18,.0f} leaf nodes/s")


if __name__ == "__main__":
    main()

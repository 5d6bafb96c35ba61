"""Perft: ``tabiya.perft`` compared with other packages.

    python benchmarks/perft.py [--depth 7] [--rounds 3]

``tabiya`` counts on one thread, on all of them, and with a table. python-chess counts with a loop in
Python, as its users do, to a smaller depth, if it is installed. The measurements are interleaved, and
the median of the processor times counts, of all threads together.
"""

import argparse
import importlib
from collections.abc import Callable
from typing import Any

from measure import Contestant, interleaved, machine, table, versions

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
        pass
    print(f"{machine()}, {versions('chess')}\n")
    contestants = {name: Contestant(way, way()) for name, way in ways.items()}
    found = interleaved(contestants, rounds=arguments.rounds)
    print(table(found, against="a loop with tabiya.Position, depth 4", unit="leaf nodes"))


if __name__ == "__main__":
    main()

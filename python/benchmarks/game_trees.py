"""Reading PGN into trees: ``tabiya.pgn`` compared with ``chess.pgn``.

    python benchmarks/game_trees.py FILE... [--rounds 5] [--bytes 1000000]

Both read the same games, each into a tree with variations, comments and glyphs, and check every move. They
take turns; the median of the processor times counts. From large files, only the first games are read, since
python-chess takes long.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import chess.pgn
from measure import Contestant, interleaved, machine, versions

import tabiya.pgn


def games_of(path: Path, size: int) -> str:
    """Whole games from the beginning of a file."""
    with path.open("rb") as file:
        data = file.read(size)
        if file.read(1):
            data = data[: data.rindex(b"\n[Event ") + 1]
    return data.decode("utf-8", "replace")


def count(read_game: Callable[[Any], Any], text: str) -> tuple[int, int, int]:
    """Reads all games; the numbers of games, of nodes and of characters in comments."""
    stream = io.StringIO(text)
    games = nodes = characters = 0
    while (game := read_game(stream)) is not None:
        assert not game.errors, game.errors
        games += 1
        stack = [game]
        while stack:
            node = stack.pop()
            stack += node.variations
            nodes += 1
            characters += len(node.comment)
    return games, nodes, characters


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bytes", type=int, default=1_000_000)
    arguments = parser.parse_args()
    readers: dict[str, Callable[[Any], Any]] = {
        "chess.pgn": chess.pgn.read_game,
        "tabiya.pgn": tabiya.pgn.read_game,
    }
    print(f"{machine()}, {versions('chess')}\n")
    for path in arguments.files:
        text = games_of(path, arguments.bytes)
        found = {name: count(read_game, text) for name, read_game in readers.items()}
        assert len(set(found.values())) == 1, found
        games, nodes, _ = found["tabiya.pgn"]
        size = len(text.encode())
        print(f"{path.name}: {size / 1e6:.1f} MB, {games:,} games, {nodes - games:,} moves")
        contestants = {
            name: Contestant(partial(count, read_game, text), size)
            for name, read_game in readers.items()
        }
        measured = interleaved(contestants, rounds=arguments.rounds)
        for name, each in measured.items():
            ratio = measured["chess.pgn"].seconds / each.seconds
            print(f"  {name:12} {1e-6 / each.seconds:8.2f} MB/s, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()

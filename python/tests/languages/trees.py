"""Trees of games, for scripts: writes them again, or shows what they say.

    python trees.py write|show [--with chess.pgn] < games.pgn

``show`` prints the lines that the example ``trees`` of the crate ``tabiya-pgn`` prints.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any


def time(seconds: float | None) -> str:
    """A time in milliseconds."""
    return "-" if seconds is None else str(round(seconds * 1000))


def score(node: Any) -> str:
    """An evaluation from White's point of view."""
    found = node.eval()
    if found is None:
        return "-"
    white, depth = found.white(), node.eval_depth()
    text = f"mate{white.mate()}" if white.is_mate() else str(white.score())
    return text if depth is None else f"{text}@{depth}"


def mark(arrow: Any, names: list[str]) -> str:
    """A coloured square or an arrow."""
    squares: list[int] = [arrow.tail] if arrow.tail == arrow.head else [arrow.tail, arrow.head]
    color: str = arrow.color
    return color[0].upper() + "".join(names[square] for square in squares)


def joined(items: list[str]) -> str:
    return ",".join(items) or "-"


def lines(game: Any, names: list[str]) -> Iterator[str]:
    """Everything that a game says."""
    try:
        start = game.board().fen()
    except ValueError:
        start = "-"
    yield f"game {game.headers.get('Result', '*')} from {start}"
    for name, value in game.headers.items():
        yield f"tag {name}={value}"
    stack = [(game, 0)]
    while stack:
        node, ply = stack.pop()
        stack += [(child, ply + 1) for child in reversed(node.variations)]
        san = "start" if node.parent is None else node.san()
        texts = [" ".join(text.split()) for text in (node.starting_comment, node.comment)]
        yield (
            f"{ply} {san} nags={joined([str(nag) for nag in sorted(node.nags)])}"
            f" clock={time(node.clock())} elapsed={time(node.emt())} eval={score(node)}"
            f" marks={joined([mark(arrow, names) for arrow in node.arrows()])}"
            f" [{texts[0]}] [{texts[1]}]"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Trees of games.")
    parser.add_argument("task", choices=["write", "show"])
    parser.add_argument("--with", dest="module", default="tabiya.pgn")
    arguments = parser.parse_args()
    pgn = import_module(arguments.module)
    names = import_module(arguments.module.partition(".")[0]).SQUARE_NAMES
    file = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig")
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    while (game := pgn.read_game(file)) is not None:
        if arguments.task == "write":
            print(game, end="\n\n")
        else:
            print("\n".join(lines(game, names)))


if __name__ == "__main__":
    main()

"""Compares the example `values` with python-chess.

Usage: python_chess.py FOLDER PROGRAM COUNT, with a folder that has all tables of three and four
pieces. COUNT positions of each table are drawn at random; `all` looks up every position of the
tables of three pieces, and 100,000 of each other one.
"""

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterator

import chess
import chess.syzygy


def pieces(name: str, swapped: bool) -> list[chess.Piece]:
    white, black = name.split("v")
    return [chess.Piece.from_symbol(letter.lower() if swapped else letter) for letter in white] + [
        chess.Piece.from_symbol(letter if swapped else letter.lower()) for letter in black
    ]


def board(placed: list[chess.Piece], squares: list[int], turn: bool) -> chess.Board | None:
    made = chess.Board(None)
    made.turn = turn
    for piece, square in zip(placed, squares, strict=True):
        made.set_piece_at(square, piece)
    return made if len(made.piece_map()) == len(placed) and playable(made) else None


def playable(made: chess.Board) -> bool:
    # Some checks that no move can have given are in the tables.
    return not made.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK)


def at_random(name: str, count: int, chance: random.Random) -> Iterator[chess.Board]:
    while count:
        placed, turn = pieces(name, chance.random() < 0.5), chance.random() < 0.5
        found = board(placed, chance.sample(range(64), len(placed)), turn)
        if found is None:
            continue
        if name == "KPvKP" and chance.random() < 0.5:
            # Few positions at random have a capture en passant.
            found.ep_square = (40 if turn else 16) + chance.randrange(8)
            if not playable(found) or not found.has_legal_en_passant():
                continue
        count -= 1
        yield found


def everywhere(name: str) -> Iterator[chess.Board]:
    placed = pieces(name, False)
    for squares in itertools.permutations(range(64), len(placed)):
        for turn in chess.COLORS:
            found = board(placed, list(squares), turn)
            if found is not None:
                yield found


def main(folder: str, program: str, count: str) -> None:
    names = sorted(file[:-5] for file in os.listdir(folder) if file.endswith(".rtbw"))
    chance = random.Random(64)
    checked = 0
    with chess.syzygy.open_tablebase(folder) as tables:
        for name in names:
            if count != "all":
                boards = at_random(name, int(count), chance)
            elif len(name) == 4:
                boards = everywhere(name)
            else:
                boards = at_random(name, 100_000, chance)
            fens, expected = [], []
            for found in boards:
                fens.append(found.fen(en_passant="fen"))
                expected.append(f"{tables.probe_wdl(found)} {tables.probe_dtz(found)}")
            answers = subprocess.run(
                [program, folder], input="\n".join(fens), text=True, check=True, capture_output=True
            ).stdout.splitlines()
            for fen, ours, theirs in zip(fens, answers, expected, strict=True):
                if ours != theirs:
                    sys.exit(f"{name}: {fen}: {ours}, python-chess {theirs}")
            checked += len(fens)
    print(f"{checked} positions of {len(names)} tables have the same values and distances")


main(*sys.argv[1:])

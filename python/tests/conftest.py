"""Shared by the tests."""

import os
import random
import shutil
import signal
from collections.abc import Iterator

import chess
import pytest

#: Do the tests run in their long form?
LONG = os.environ.get("TABIYA_LONG_TESTS") == "1"

# A process that was started in the background may ignore Ctrl-C, and its child processes inherit
# that. Tests send the signal to child processes.
signal.signal(signal.SIGINT, signal.default_int_handler)


def random_games(count: int, *, seed: int, plies: int = 120) -> Iterator[chess.Board]:
    """The positions of random games, played by python-chess: standard chess and Chess960 in turn.

    The same board is yielded again and again; it keeps the moves that led to it.
    """
    chance = random.Random(seed)
    for number in range(count):
        if number % 2:
            board = chess.Board.from_chess960_pos(chance.randrange(960))
        else:
            board = chess.Board()
        yield board
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
            yield board


def stockfish() -> str:
    """The path of Stockfish, which Debian installs in the folder of games; without it, the test is
    skipped, and with ``CI=true`` it fails.
    """
    path = shutil.which("stockfish", path=os.environ["PATH"] + os.pathsep + "/usr/games")
    if path is None:
        assert os.environ.get("CI") != "true", "stockfish is not installed"
        pytest.skip("needs stockfish")
    return path

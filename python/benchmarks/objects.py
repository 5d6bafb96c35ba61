"""Speed of single objects, compared with python-chess, cozy-chess-py, rust-chess and bulletchess.

All packages do the same work in one process, in turn, so that a slow moment of the machine hits all of
them. The figure of a package is the median processor time of its turns. The factors say how much longer the fastest
of the other packages takes than `Board` and than `Position`.

    pip install chess rust-chess cozy-chess-py bulletchess  # Python 3.13 or later
    python benchmarks/objects.py

Every package gets its own moves as it generated them. All of them check that a move is legal when it
is played, except python-chess and bulletchess. cozy-chess-py and rust-chess cannot take a move back: they
play it on a copy, cozy-chess-py by `copy.copy` and rust-chess by `make_move_new`.
"""

from __future__ import annotations

import argparse
import copy
import gc
import random
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import chess

import tabiya
from measure import Contestant, interleaved, machine, versions

# These packages have no type annotations, or none for all of our Pythons.
bulletchess: Any = import_module("bulletchess")
cozy_chess: Any = import_module("cozy_chess")
rust_chess: Any = import_module("rust_chess")

Work = Callable[[], Any]

#: The start, middle games, a check, a mate, and endgames.
FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqk2r/pppp1ppp/2n2n2/4p3/1bB1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "8/3k4/8/8/3PK3/8/8/8 w - - 0 60",
]
KIWIPETE = FENS[1]


def game(plies: int) -> list[str]:
    """A random game from the start, in UCI."""
    chance = random.Random(2)
    board = chess.Board()
    while len(board.move_stack) < plies and not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
    return [move.uci() for move in board.move_stack]


def push_and_pop(boards: Sequence[Any], lists: Sequence[Sequence[Any]]) -> None:
    for board, moves in zip(boards, lists):
        for move in moves:
            board.push(move)
            board.pop()


def apply_and_undo(boards: Sequence[Any], lists: Sequence[Sequence[Any]]) -> None:
    for board, moves in zip(boards, lists):
        for move in moves:
            board.apply(move)
            board.undo()


def play_each(boards: Sequence[Any], lists: Sequence[Sequence[Any]], name: str) -> None:
    for board, moves in zip(boards, lists):
        play = getattr(board, name)
        for move in moves:
            play(move)


def copy_and_play(boards: Sequence[Any], lists: Sequence[Sequence[Any]]) -> None:
    for board, moves in zip(boards, lists):
        for move in moves:
            copy.copy(board).play(move)


def play_game(board: Any, moves: Sequence[Any], name: str) -> None:
    play = getattr(board, name)
    for move in moves:
        play(move)


def play_positions(position: tabiya.Position, moves: Sequence[tabiya.Move]) -> None:
    for move in moves:
        position = position.play(move)


def works() -> dict[str, tuple[int, dict[str, Work]]]:
    """For each kind of work, the number of its units, and a function for each package."""
    theirs = [chess.Board(fen) for fen in FENS]
    boards = [tabiya.Board(fen) for fen in FENS]
    positions = [tabiya.Position(fen) for fen in FENS]
    rust = [rust_chess.Board(fen) for fen in FENS]
    cozy = [cozy_chess.Board.from_fen(fen, False) for fen in FENS]
    bullet = [bulletchess.Board.from_fen(fen) for fen in FENS]
    lists = [list(board.legal_moves) for board in boards]
    their_lists = [list(board.legal_moves) for board in theirs]
    rust_lists = [list(board.generate_legal_moves()) for board in rust]
    cozy_lists = [list(board.generate_moves()) for board in cozy]
    bullet_lists = [board.legal_moves() for board in bullet]
    sans = [[board.san(move) for move in moves] for board, moves in zip(theirs, their_lists)]
    moves = sum(map(len, lists))
    count = len(FENS)
    kiwipete, their_kiwipete = tabiya.Position(KIWIPETE), chess.Board(KIWIPETE)
    our_kiwipete = tabiya.Board(KIWIPETE)
    rust_kiwipete = rust_chess.Board(KIWIPETE)
    bullet_kiwipete = bulletchess.Board.from_fen(KIWIPETE)
    cozy_kiwipete = cozy_chess.Board.from_fen(KIWIPETE, False)

    def rust_moves(board: Any) -> list[Any]:
        board.reset_move_generator()
        return list(board.generate_legal_moves())

    texts = game(120)
    our_game = [tabiya.Move.from_uci(text) for text in texts]
    their_game = [chess.Move.from_uci(text) for text in texts]
    rust_game = [rust_chess.Move(text) for text in texts]
    bullet_game = [bulletchess.Move.from_uci(text) for text in texts]
    cozy_game: list[Any] = []
    board = cozy_chess.Board.startpos()
    for text in texts:
        # This package writes castling as the king taking its own rook.
        castling = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}
        choices = {str(move): move for move in board.generate_moves()}
        cozy_game.append(choices.get(text) or choices[castling[text]])
        board.play(cozy_game[-1])

    return {
        "legal moves as a list": (
            count,
            {
                "tabiya.Board": lambda: [list(board.legal_moves) for board in boards],
                "tabiya.Position": lambda: [position.legal_moves() for position in positions],
                "python-chess": lambda: [list(board.legal_moves) for board in theirs],
                "rust-chess": lambda: [rust_moves(board) for board in rust],
                "cozy-chess-py": lambda: [board.generate_moves() for board in cozy],
                "bulletchess": lambda: [board.legal_moves() for board in bullet],
            },
        ),
        "legal moves as a list, Kiwipete (48)": (
            1,
            {
                "tabiya.Board": lambda: list(our_kiwipete.legal_moves),
                "tabiya.Position": lambda: kiwipete.legal_moves(),
                "python-chess": lambda: list(their_kiwipete.legal_moves),
                "rust-chess": lambda: rust_moves(rust_kiwipete),
                "cozy-chess-py": lambda: cozy_kiwipete.generate_moves(),
                "bulletchess": lambda: bullet_kiwipete.legal_moves(),
            },
        ),
        "FEN to position": (
            count,
            {
                "tabiya.Board": lambda: [tabiya.Board(fen) for fen in FENS],
                "tabiya.Position": lambda: [tabiya.Position(fen) for fen in FENS],
                "python-chess": lambda: [chess.Board(fen) for fen in FENS],
                "rust-chess": lambda: [rust_chess.Board(fen) for fen in FENS],
                "cozy-chess-py": lambda: [cozy_chess.Board.from_fen(fen, False) for fen in FENS],
                "bulletchess": lambda: [bulletchess.Board.from_fen(fen) for fen in FENS],
            },
        ),
        "play a move and take it back": (
            moves,
            {
                "tabiya.Board": lambda: push_and_pop(boards, lists),
                "tabiya.Position": lambda: play_each(positions, lists, "play"),
                "python-chess": lambda: push_and_pop(theirs, their_lists),
                "rust-chess": lambda: play_each(rust, rust_lists, "make_move_new"),
                "cozy-chess-py": lambda: copy_and_play(cozy, cozy_lists),
                "bulletchess": lambda: apply_and_undo(bullet, bullet_lists),
            },
        ),
        "play a game, per move": (
            len(texts),
            {
                "tabiya.Board": lambda: play_game(tabiya.Board(), our_game, "push"),
                "tabiya.Position": lambda: play_positions(tabiya.Position(), our_game),
                "python-chess": lambda: play_game(chess.Board(), their_game, "push"),
                "rust-chess": lambda: play_game(rust_chess.Board(), rust_game, "make_move"),
                "cozy-chess-py": lambda: play_game(cozy_chess.Board.startpos(), cozy_game, "play"),
                "bulletchess": lambda: play_game(bulletchess.Board(), bullet_game, "apply"),
            },
        ),
        "write SAN": (
            moves,
            {
                "tabiya.Board": lambda: play_each(boards, lists, "san"),
                "tabiya.Position": lambda: play_each(positions, lists, "san"),
                "python-chess": lambda: play_each(theirs, their_lists, "san"),
            },
        ),
        "read SAN": (
            moves,
            {
                "tabiya.Board": lambda: play_each(boards, sans, "parse_san"),
                "tabiya.Position": lambda: play_each(positions, sans, "parse"),
                "python-chess": lambda: play_each(theirs, sans, "parse_san"),
                "rust-chess": lambda: play_each(rust, sans, "get_move_from_san"),
            },
        ),
        "write FEN": (
            count,
            {
                "tabiya.Board": lambda: [board.fen() for board in boards],
                "tabiya.Position": lambda: [position.fen() for position in positions],
                "python-chess": lambda: [board.fen() for board in theirs],
                "rust-chess": lambda: [board.get_fen() for board in rust],
                "cozy-chess-py": lambda: [board.fen() for board in cozy],
                "bulletchess": lambda: [board.fen() for board in bullet],
            },
        ),
    }


def contestant(work: Work, units: int, milliseconds: float) -> Contestant:
    """The work, repeated until a turn has about this length."""
    start = time.process_time()
    work()
    repeats = max(1, int(milliseconds / 1000 / max(time.process_time() - start, 1e-7)))

    def run() -> None:
        for _ in range(repeats):
            work()

    return Contestant(run, repeats * units)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=15, help="turns of each package (15)")
    parser.add_argument("--milliseconds", type=float, default=20, help="length of a turn (20)")
    options = parser.parse_args()
    print(machine())
    print(versions("tabiya", "chess", "rust-chess", "cozy-chess-py", "bulletchess"))
    print(f"medians of {options.turns} turns, in ns")
    print()
    names = ["tabiya.Board", "tabiya.Position"]
    names += ["python-chess", "rust-chess", "cozy-chess-py", "bulletchess"]
    header = "".join(f"{name:>17}" for name in names)
    print(f"{'':38}{header}{'Board':>10}{'Position':>10}")
    gc.disable()
    for title, (units, packages) in works().items():
        contestants = {
            name: contestant(work, units, options.milliseconds) for name, work in packages.items()
        }
        found = interleaved(contestants, rounds=options.turns)
        times = {name: each.seconds for name, each in found.items()}
        others = min(time for name, time in times.items() if not name.startswith("tabiya"))
        factors = "".join(f"{others / times[name]:10.2f}" for name in names[:2])
        row = "".join(
            f"{times[name] * 1e9:17,.0f}" if name in times else f"{'':17}" for name in names
        )
        print(f"{title:38}{row}{factors}")


if __name__ == "__main__":
    main()

"""Reads games in the ways of programs that train, sample, filter and convert."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import chess  # replaced

pgn: Any = import_module(f"{chess.__name__}.pgn")

FILE = """[Event "Rated Blitz game"]
[Site "https://example.org/abc1"]
[Date "2026.01.02"]
[Round "-"]
[White "Anna"]
[Black "Ben"]
[Result "1-0"]
[WhiteElo "2100"]
[BlackElo "1950"]
[TimeControl "180+2"]
[Termination "Normal"]

1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... e5 { [%eval 0.25] [%clk 0:02:58] } 2. Qh5?! { [%eval -0.4]
[%clk 0:02:59] } 2... Nc6 ( 2... Nf6? 3. Qxe5+ Be7 ) 3. Bc4 g6?? { [%eval 1.9] } ( 3... Qe7 $1 4. Nf3
( 4. d3 Nf6 ) 4... Nf6 { holds } ) 4. Qf3 Nf6 5. Qb3 Nd4 6. Bxf7+ { [%eval #3] } 1-0

[Event "Casual game"]
[Site "https://example.org/abc2"]
[Date "2026.01.03"]
[Round "2"]
[White "Carla"]
[Black "Anna"]
[Result "1/2-1/2"]
[WhiteElo "?"]
[BlackElo "2110"]
[TimeControl "-"]
[Termination "Abandoned"]

1. d4 d5 2. c4 ( 2. Nf3 Nf6 3. g3 ) 2... e6 3. Nc3 Be7 4. cxd5 exd5 1/2-1/2

[Event "Endgame"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Dan"]
[Black "Eve"]
[Result "0-1"]
[SetUp "1"]
[FEN "8/8/8/8/8/4k3/4p3/4K3 w - - 0 60"]
[Termination "Normal"]

{ Zugzwang? } 60. -- Kd3 61. Kf2 0-1
"""

VALUES = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


def games() -> Iterator[Any]:
    file = io.StringIO(FILE)
    while True:
        game = pgn.read_game(file)
        if game is None:
            break
        yield game


# Training rows: each position of the main line, with the result of the game.
for game in games():
    board = game.board()
    for ply, move in enumerate(game.mainline_moves()):
        board.push(move)
        print(ply, board.board_fen(), VALUES[game.headers["Result"]])

# The loop as an iterator, and the nodes of the main line.
file = io.StringIO(FILE)
for game in iter(lambda: pgn.read_game(file), None):
    for node in game.mainline():
        print(node.ply(), node.san(), node.uci(), node.turn(), node.parent.board().fen())

# Offsets of the games that pass a filter of their tags; then only these are read.
file = io.StringIO(FILE)
offsets: list[int] = []
while True:
    offset = file.tell()
    headers = pgn.read_headers(file)
    if headers is None:
        break
    print(dict(headers), "WhiteElo" in headers, headers.get("Missing", "none"))
    if headers.get("WhiteElo", "?").isdigit():
        offsets.append(offset)
for offset in offsets:
    file.seek(offset)
    print(pgn.read_game(file).headers["Site"])

# Every second game, without reading the others.
file = io.StringIO(FILE)
number = 0
while True:
    if number % 2 == 0:
        game = pgn.read_game(file)
        if game is None:
            break
        print(number, game.headers["White"])
    elif not pgn.skip_game(file):
        break
    number += 1


class Sampler(pgn.BaseVisitor):  # type: ignore[misc]
    """Some positions of games that ended normally, without variations."""

    def begin_game(self) -> None:
        self.fens: list[str] = []
        self.is_wanted = True
        self.result_tag = "*"

    def visit_header(self, name: str, value: str) -> None:
        if name == "Termination" and value != "Normal":
            self.is_wanted = False
        if name == "Result":
            self.result_tag = value

    def end_headers(self) -> Any:
        return None if self.is_wanted else pgn.SKIP

    def begin_variation(self) -> Any:
        return pgn.SKIP

    def visit_board(self, board: Any) -> None:
        if board.ply() % 3 == 0:
            self.fens.append(board.fen())

    def result(self) -> tuple[str, list[str]]:
        return self.result_tag, self.fens


file = io.StringIO(FILE)
while (sampled := pgn.read_game(file, Visitor=Sampler)) is not None:
    print(*sampled, sep="\n")


class Counting(pgn.BaseVisitor):  # type: ignore[misc]
    """Everything that a visitor is told."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def visit_move(self, board: Any, move: Any) -> None:
        self.counts["moves"] += 1
        self.counts["captures"] += board.is_capture(move)

    def visit_comment(self, comment: str) -> None:
        if "[%" in comment:
            self.counts["commands"] += 1

    def visit_nag(self, nag: int) -> None:
        self.counts[f"nag {nag}"] += 1

    def end_variation(self) -> None:
        self.counts["variations"] += 1

    def handle_error(self, error: Exception) -> None:
        self.counts["errors"] += 1

    def result(self) -> Any:
        return sorted(self.counts.items())


file = io.StringIO(FILE + "\n1. e4 e5 2. Ke3 Nc6 *\n")
while (counted := pgn.read_game(file, Visitor=Counting)) is not None:
    print(counted)

# Moves as text, as programs did before `mainline`.
for game in games():
    node = game
    words: list[str] = []
    while not node.is_end():
        following = node.variation(0)
        words.append(node.board().san(following.move))
        node = following
    print(" ".join(words), str(game.mainline_moves()), game.end().board().fen())

# Evaluations, clocks and glyphs.
for game in games():
    for node in game.mainline():
        found = node.eval()
        score = None if found is None else (found.white().score(mate_score=10000), found.is_mate())
        print(node.san(), score, node.clock(), sorted(node.nags), node.is_mainline())
    mistakes = {pgn.NAG_MISTAKE, pgn.NAG_BLUNDER, pgn.NAG_DUBIOUS_MOVE}
    print(sum(bool(node.nags & mistakes) for node in game.mainline()))


def lines(node: Any, moves: list[str]) -> Iterator[str]:
    """All lines of a game, as for a trainer of repertoires."""
    if not node.variations:
        yield " ".join(moves)
    for child in node.variations:
        yield from lines(child, [*moves, child.san()])


for game in games():
    print(*lines(game, []), sep="\n")

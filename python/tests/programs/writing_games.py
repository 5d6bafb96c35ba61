"""Writes games in the ways of programs that play, annotate and clean them."""

from __future__ import annotations

import copy
import io
from importlib import import_module
from typing import Any

import chess  # replaced

pgn: Any = import_module(f"{chess.__name__}.pgn")

# A program that has played a game on a board.
board = chess.Board()
for san in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O"]:
    board.push_san(san)
game = pgn.Game.from_board(board)
game.headers["Event"] = "Match"
game.headers["White"], game.headers["Black"] = "Engine 1", "Engine 2"
game.headers["Result"] = board.result()
print(game, end="\n\n")

# A program that writes moves down while it plays, with clocks and evaluations in comments.
game = pgn.Game()
game.headers.update({"Event": "Test", "Date": "2026.01.02", "TimeControl": "60+0"})
node: Any = game
board = game.board()
for number, text in enumerate(["d2d4", "d7d5", "c2c4", "d5c4", "e2e4", "b7b5"]):
    move = chess.Move.from_uci(text)
    assert move in board.legal_moves
    node = node.add_main_variation(move, comment=f"{number / 4:+.2f}/{10 + number}")
    node.set_clock(60 - number * 1.5)
    board.push(move)
file = io.StringIO()
game.accept(pgn.FileExporter(file))
print(file.getvalue())

# A program that annotates: glyphs, better lines as variations, arrows, a text at the start.
text = "1. e4 e5 2. Qh5 Nc6 3. Bc4 g6 4. Qf3 Nf6 5. Qb3 Nd4 6. Bxf7+ Ke7 7. Qc4 1-0"
game = pgn.read_game(io.StringIO(text))
game.comment = "Annotated by a program"
for node in list(game.mainline()):
    if node.san() == "Nd4":
        node.nags.add(pgn.NAG_BLUNDER)
        node.comment = "loses at once"
        best = node.parent.add_line(
            [chess.Move.from_uci("d8e7"), chess.Move.from_uci("g1e2")], comment="defends"
        )
        best.parent.starting_comment = "Better:"
        best.set_arrows([(chess.G1, chess.E2)])
        node.parent.add_variation(chess.Move.from_uci("f6d5"), nags=[pgn.NAG_DUBIOUS_MOVE])
print(game.accept(pgn.StringExporter(columns=60)), end="\n\n")
print(game.accept(pgn.StringExporter(headers=False, comments=False)))
print(game.accept(pgn.StringExporter(headers=False, variations=False, comments=False)))
exporter = pgn.StringExporter(columns=None, headers=False)
game.accept(exporter)
print(exporter)

# A program that takes annotations away.
plain = pgn.Game()
plain.setup(game.board())
node = plain
for move in game.mainline_moves():
    node = node.add_variation(move)
plain.headers.update({name: value for name, value in game.headers.items() if name != "Event"})
print(plain, end="\n\n")

# A program that edits: the order of variations, a part of a game as a game of its own.
node = next(node for node in game.mainline() if node.san() == "Qb3")
print([child.san() for child in node.variations])
node.promote_to_main(node.variations[2])
node.demote(node.variations[0])
node.remove_variation(node.variations[2])
print([child.san() for child in node.variations], node.has_variation(chess.Move.from_uci("d8e7")))
copied = copy.deepcopy(game)
copied.headers["White"] = "Somebody else"
copied[0].comment = "changed"
print(game.headers["White"], repr(game[0].comment), str(copied) == str(game))

# Puzzles: a game from a position, its solution as the main line.
puzzle = pgn.Game()
puzzle.setup(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"))
node = puzzle
for uci in ["d1d8"]:
    node = node.add_main_variation(chess.Move.from_uci(uci))
print(puzzle, node.board().is_checkmate(), puzzle.end().ply(), node.game() is puzzle)

"""Lets `tabiya compare` ask a move generator in Python: tabiya compare -- python3 adapter.py"""
import sys
from generator import Position, uci

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def perft(position, depth):
    return sum(below(position, move, depth) for move in position.legal_moves()) if depth > 0 else 1


def below(position, move, depth):
    # A move of the last ply isn't played: if it's illegal, that may crash.
    return perft(position.play(move), depth - 1) if depth > 1 else 1


position = Position.from_fen(START)
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("uciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:1] == ["position"]:
        head, _, moves = line.partition(" moves ")
        position = Position.from_fen(START if words[1] == "startpos" else head.split(" fen ")[1])
        for text in moves.split():
            position = position.play(next(move for move in position.legal_moves() if uci(move) == text))
    elif words[:2] == ["go", "perft"]:
        depth = int(words[2])
        counts = [(uci(move), below(position, move, depth)) for move in position.legal_moves()]
        for text, count in counts:
            print(f"{text}: {count}")
        print(f"\nNodes searched: {sum(count for _, count in counts)}\n")
    elif words[:1] == ["quit"]:
        break
    sys.stdout.flush()

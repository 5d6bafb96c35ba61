"""cozy-chess-py, the bindings of cozy-chess for Python. It writes castling as king takes rook."""
import copy

from cozy_chess import Board


class Position:
    def __init__(self, board):
        self.board = board

    @classmethod
    def from_fen(cls, fen):
        return cls(Board.from_fen(fen.strip()))

    def legal_moves(self):
        return self.board.generate_moves()

    def play(self, move):
        board = copy.copy(self.board)
        board.play(move)
        return Position(board)


def uci(move):
    return str(move)

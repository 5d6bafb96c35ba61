"""chessmg, a generator in C++ with bindings for Python."""
from chessmg import ChessPosition


class Position:
    def __init__(self, board):
        self.board = board

    @classmethod
    def from_fen(cls, fen):
        return cls(ChessPosition(fen.strip()))

    def legal_moves(self):
        return self.board.legal_moves()

    def play(self, move):
        board = self.board.copy()
        board.make_move(move)
        return Position(board)


def uci(move):
    return move.uci

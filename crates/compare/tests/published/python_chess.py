"""python-chess, of any version. In some old ones the class is called `Bitboard`."""
import copy

import chess

Board = chess.Board if hasattr(chess, "Board") else chess.Bitboard


class Position:
    def __init__(self, board):
        self.board = board

    @classmethod
    def from_fen(cls, fen):
        return cls(Board(fen.strip()))

    def legal_moves(self):
        return list(self.board.legal_moves)

    def play(self, move):
        board = copy.deepcopy(self.board)
        board.push(move)
        return Position(board)


def uci(move):
    return move.uci()

"""nchess. It answers no string for a move but its own notation, `Move("e2e4")`."""
import nchess


class Position:
    def __init__(self, board):
        self.board = board

    @classmethod
    def from_fen(cls, fen):
        return cls(nchess.Board(fen.strip()))

    def legal_moves(self):
        return self.board.generate_legal_moves()

    def play(self, move):
        board = self.board.copy()
        board.step(move)
        return Position(board)


def uci(move):
    return str(move).split('"')[1]

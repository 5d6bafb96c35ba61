"""pychesstools. It lists the target squares of one piece, and plays moves in algebraic notation."""
import copy

from pychesstools.game import ChessGame

# Otherwise a game that is drawn for lack of material has moves, but plays none.
ChessGame.BLOCK_IF_GAME_OVER = False
LETTERS = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": ""}


class Position:
    def __init__(self, game):
        self.game = game

    @classmethod
    def from_fen(cls, fen):
        return cls(ChessGame(fen=fen.strip()))

    def legal_moves(self):
        board = self.game.board
        for start, piece in board.pieces.items():
            for target in board.legal_moves(start) if piece.color == board.turn else []:
                promotes = piece.piece_type == "pawn" and target[1] in "18"
                yield from ((start, target, role) for role in ("QRBN" if promotes else [""]))

    def play(self, move):
        start, target, role = move
        game = copy.deepcopy(self.game)
        letter = LETTERS[game.board[start].piece_type]
        if letter == "K" and abs(ord(start[0]) - ord(target[0])) == 2:
            game.move("O-O" if target[0] == "g" else "O-O-O")
        elif letter == "" and start[0] != target[0]:
            game.move(f"{start[0]}x{target}{role}")
        else:
            game.move(f"{letter}{start}{target}{role}")
        return Position(game)


def uci(move):
    return "".join(move).lower()

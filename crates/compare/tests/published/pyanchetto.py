"""pyanchetto. It reads no FEN. Its `valid_moves` never tests for check, so that list is not used."""
from pyanchetto.chess import Chess, coord_to_notation, pieces_index, rank_file_to_coord


class Position:
    def __init__(self, board):
        self.board = board

    @classmethod
    def from_fen(cls, fen):
        ranks, side, rights, target = fen.split()[:4]
        board = Chess()
        for row, rank in enumerate(ranks.split("/")):
            for file, piece in enumerate("".join("." * int(it) if it.isdigit() else it for it in rank)):
                board.set_coord((file, 7 - row), pieces_index[piece])
        board.init_player_pieces()
        board.current_player = 1 if side == "w" else 2
        # A piece has moved if the number is not -1; those of moves begin at 0.
        board.rooks_moved = [-1 if right in rights else -2 for right in "QKqk"]
        board.kings_moved = [-1 if set(both) & set(rights) else -2 for both in ("KQ", "kq")]
        if target != "-":
            file = rank_file_to_coord(target)[0]
            board.move_list = [((file, 1), (file, 3))] if side == "b" else [((file, 6), (file, 4))]
        return cls(board)

    def legal_moves(self):
        moves = self.board.valid_moves_for_player(self.board.current_player)
        return [(start, to) for start in moves for to in list(moves[start])]

    def play(self, move):
        board = Chess(self.board)
        board.move(*move, validate=False, pgn_gen=False)
        return Position(board)


def uci(move):
    start, (file, rank, _, *special) = move
    # A number marks a capture en passant.
    role = "".join(it.lower() for it in special if isinstance(it, str))
    return coord_to_notation(start) + coord_to_notation((file, rank)) + role

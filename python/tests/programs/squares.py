"""Works with squares, sets and Chess960, as programs that draw boards do."""

import chess  # replaced

for square in chess.SQUARES_180[:16]:
    color = "light" if chess.BB_SQUARES[square] & chess.BB_LIGHT_SQUARES else "dark"
    print(
        chess.square_name(square),
        color,
        chess.square_file(square),
        chess.square_rank(square),
        chess.square_distance(square, chess.E4),
        chess.square_name(chess.square_mirror(square)),
    )

board = chess.Board.from_chess960_pos(344)
print(
    board.fen(), board.shredder_fen(), board.chess960_pos(), board.has_chess960_castling_rights()
)
for _ in range(12):
    board.push(min(board.legal_moves, key=lambda move: move.uci()))
    print(board.uci(board.peek()) if not board.move_stack else board.peek(), board.castling_xfen())
print(board.fen(), board.ply(), repr(board))

attacked = chess.SquareSet()
for square in chess.SquareSet(board.occupied_co[chess.WHITE]):
    attacked |= board.attacks(square)
attacked.discard(chess.E4)
attacked.add(chess.A1)
print(attacked)
print(repr(attacked), len(attacked), chess.E4 in attacked, int(attacked) == attacked.mask)
print(bool(board.pawns & chess.BB_RANK_2), chess.popcount(board.occupied), chess.lsb(board.kings))
for piece_type in chess.PIECE_TYPES:
    symbol = chess.piece_symbol(piece_type)
    print(symbol, chess.UNICODE_PIECE_SYMBOLS[symbol], board.pieces_mask(piece_type, chess.BLACK))
for name in ("is_check", "is_checkmate", "is_stalemate", "can_claim_draw", "is_valid"):
    print(name, getattr(board, name)())

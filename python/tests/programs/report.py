"""Replays a game by SAN and reports on every position, as a program for a web page would."""

import chess  # replaced

GAME = """
e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8
Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#
"""

board = chess.Board()
for san in GAME.split():
    color = "White" if board.turn == chess.WHITE else "Black"
    move = board.parse_san(san)
    notes: list[str] = []
    if board.is_capture(move):
        captured = board.piece_at(move.to_square)
        notes.append("takes " + (chess.piece_name(captured.piece_type) if captured else "pawn"))
    if board.is_castling(move):
        notes.append("castles " + ("short" if board.is_kingside_castling(move) else "long"))
    if board.gives_check(move):
        notes.append("check")
    from_name = chess.square_name(move.from_square)
    to_name = chess.SQUARE_NAMES[move.to_square]
    print(f"{board.fullmove_number}. {color} {board.san(move)} {from_name}-{to_name}", notes)
    board.push(move)
    pinned = [
        chess.square_name(square)
        for square, piece in sorted(board.piece_map().items())
        if piece.color == board.turn and board.is_pinned(board.turn, square)
    ]
    checkers = [chess.square_name(square) for square in board.checkers()]
    print("   ", board.epd(), board.halfmove_clock, pinned, checkers, board.king(board.turn))
outcome = board.outcome()
assert outcome is not None
print(outcome.termination.name, outcome.winner, outcome.result(), len(board.move_stack))
print(board.unicode(borders=True))
while board.move_stack:
    board.pop()
print(board == chess.Board())

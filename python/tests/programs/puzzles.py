"""Reads test positions in EPD, finds mates in two, and sets boards up by hand."""

import chess  # replaced

LINES = [
    '2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - dm 2; id "one";',
    '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "back rank"; c0 "with a comment";',
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; hmvc 4; fmvn 4;",
]


def mates(board: chess.Board, moves: int) -> list[str]:
    found: list[str] = []
    for move in board.legal_moves:
        board.push(move)
        if board.is_checkmate():
            found.append(move.uci())
        elif moves > 1 and not board.is_game_over():
            replies = list(board.legal_moves)
            if all(answered(board, reply, moves) for reply in replies):
                found.append(move.uci())
        board.pop()
    return sorted(found)


def answered(board: chess.Board, reply: chess.Move, moves: int) -> bool:
    board.push(reply)
    found = bool(mates(board, moves - 1))
    board.pop()
    return found


for line in LINES:
    board, operations = chess.Board.from_epd(line)
    print(operations, board.fen())
    print(mates(board, 1))

board = chess.Board(None)
board.set_piece_at(chess.E1, chess.Piece(chess.KING, chess.WHITE))
board.set_piece_at(chess.parse_square("a1"), chess.Piece.from_symbol("R"))
board.set_piece_at(chess.square(4, 7), chess.Piece.from_symbol("k"))
board.castling_rights = chess.BB_A1
print(board.is_valid(), board.fen(), sorted(move.uci() for move in board.legal_moves))
board.push_uci("e1c1")
print(board.fen(), board.is_attacked_by(chess.WHITE, chess.D8), board.mirror().fen())
print(board.transform(chess.flip_vertical).fen(), board.copy(stack=False).move_stack)

for text in ["Qh9", "Ke8", "e5", "O-O"]:
    try:
        board.push_san(text)
    except chess.InvalidMoveError:
        print(text, "is no move")
    except chess.IllegalMoveError:
        print(text, "is illegal")
    except ValueError:
        print(text, "is wrong")

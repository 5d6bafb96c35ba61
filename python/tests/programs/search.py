"""A small engine: material, alpha-beta, the best move by a fixed order. It plays against itself."""

import chess  # replaced

VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}


def evaluate(board: chess.Board) -> int:
    if board.is_checkmate():
        return -100_000
    if board.is_stalemate() or board.is_insufficient_material():
        return 0
    score = 0
    for piece_type, value in VALUES.items():
        score += value * len(board.pieces(piece_type, board.turn))
        score -= value * len(board.pieces(piece_type, not board.turn))
    center = chess.SquareSet(chess.BB_CENTER)
    for square in center:
        score += 5 * len(board.attackers(board.turn, square))
        score -= 5 * len(board.attackers(not board.turn, square))
    return score


def order(board: chess.Board, move: chess.Move) -> tuple[bool, bool, str]:
    return (not board.is_capture(move), not board.gives_check(move), move.uci())


def search(board: chess.Board, depth: int, alpha: int, beta: int) -> int:
    if depth == 0 or board.is_game_over():
        return evaluate(board)
    for move in sorted(board.legal_moves, key=lambda it: order(board, it)):
        board.push(move)
        score = -search(board, depth - 1, -beta, -alpha)
        board.pop()
        if score >= beta:
            return beta
        alpha = max(alpha, score)
    return alpha


board = chess.Board()
while not board.is_game_over(claim_draw=True) and board.fullmove_number <= 6:
    best, best_score = chess.Move.null(), -1_000_000
    for move in sorted(board.legal_moves, key=lambda it: order(board, it)):
        board.push(move)
        score = -search(board, 1, -1_000_000, -best_score)
        board.pop()
        if score > best_score:
            best, best_score = move, score
    print(board.san(best), best_score)
    board.push(best)
print(board)
print(board.result(claim_draw=True), chess.Board().variation_san(board.move_stack))

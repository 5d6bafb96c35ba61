"""Counts leaf nodes, and divides the count by the first move."""

import chess  # replaced


def perft(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes


for fen in [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
]:
    board = chess.Board(fen)
    divided: dict[str, int] = {}
    for move in board.legal_moves:
        board.push(move)
        divided[board.peek().uci()] = perft(board, 1)
        board.pop()
    for text in sorted(divided):
        print(text, divided[text])
    print(board.fen(), perft(board, 3))

"""Random boards that are not playable, for comparisons with python-chess."""

import random
from collections.abc import Iterator
from typing import Any

import chess

import tabiya

#: Whole armies, single pieces, and boards with odd numbers of kings.
ARMIES = ["KQRBNPPP", "KRRPP", "QRBNP", "KKRP", "KKKQN", "PPPPPPPP", "N", "Q", "RKR", "KK", ""]


def mirrored_corner(chance: random.Random, color: bool) -> dict[int, str]:
    """A king and rooks that can often castle."""
    rank = 0 if color else 56
    files = [4, 0, 7] if chance.random() < 0.7 else chance.sample(range(8), 3)
    return dict(zip([rank + file for file in files], "KRR"[: chance.randint(1, 3)], strict=False))


def placed(chance: random.Random) -> chess.Board:
    """A board with pieces anywhere, perhaps with castling rights and an en-passant square."""
    board = chess.Board(None, chess960=chance.random() < 0.3)
    squares = chance.sample(range(64), 64)
    for color in (True, False):
        pieces: dict[int, str] = {}
        if chance.random() < 0.3:
            pieces = mirrored_corner(chance, color)
        army = chance.choice(ARMIES)
        pieces |= {squares.pop(): letter for letter in army}
        for square, letter in pieces.items():
            piece_type = chess.Piece.from_symbol(letter).piece_type
            board.set_piece_at(square, chess.Piece(piece_type, color))
    board.turn = chance.random() < 0.5
    board.halfmove_clock = chance.choice([0, 3, 98, 99, 100, 149, 150])
    board.fullmove_number = chance.randint(1, 90)
    if chance.random() < 0.5:
        board.castling_rights = chance.choice([board.rooks, chess.BB_CORNERS, 0xFF])
    if chance.random() < 0.3:
        board.ep_square = chance.randrange(16, 48)
        if chance.random() < 0.7:
            set_up_en_passant(board, chance.randrange(8))
    return board


def set_up_en_passant(board: chess.Board, file: int) -> None:
    """Puts a pawn where a double push ends, a capturer next to it, and nothing on its way."""
    mover, up = board.turn, 8 if board.turn else -8
    board.ep_square = square = (40 if mover else 16) + file
    board.remove_piece_at(square)
    board.remove_piece_at(square + up)
    board.set_piece_at(square - up, chess.Piece(chess.PAWN, not mover))
    beside = square - up + (1 if file < 7 else -1)
    board.set_piece_at(beside, chess.Piece(chess.PAWN, mover))


def ours_of(board: chess.Board) -> tabiya.Board:
    """The same board, field by field."""
    ours = tabiya.Board(None, chess960=board.chess960)
    ours.set_board_fen(board.board_fen())
    for name in ("turn", "castling_rights", "ep_square", "halfmove_clock", "fullmove_number"):
        setattr(ours, name, getattr(board, name))
    return ours


def forget_nonsense(board: chess.Board, ours: tabiya.Board) -> None:
    """Removes what means nothing here, and something to python-chess.

    That is an en-passant square that no double push can have crossed, castling with several kings on
    the back rank, which changes our FEN as well, and the rights of a king that another one captured.
    The moves go, since python-chess would set it again when it looks for repetitions.
    """
    before = board.fen(shredder=True, en_passant="fen")
    square, them = board.ep_square, not board.turn
    if square is not None:
        up = 8 if them else -8
        pawn, empty = square + up, chess.BB_SQUARES[square] | chess.BB_SQUARES[square - up]
        is_pushed = chess.square_rank(square) == (2 if them else 5) and bool(
            chess.BB_SQUARES[pawn] & board.pawns & board.occupied_co[them]
        )
        if not is_pushed or board.occupied & empty:
            board.ep_square = None
    for color, rank in ((True, chess.BB_RANK_1), (False, chess.BB_RANK_8)):
        kings = chess.popcount(board.kings & board.occupied_co[color] & rank)
        if kings != 1:
            board.castling_rights &= ~rank
        if kings > 1:
            ours.castling_rights &= ~rank
    if board.fen(shredder=True, en_passant="fen") != before:
        board.clear_stack()
        ours.clear_stack()


def helpers(board: chess.Board) -> int:
    """The kings of a side in check that python-chess does not let move: all but the last one."""
    king = board.king(board.turn)
    if king is None or not board.is_check():
        return 0
    return board.kings & board.occupied_co[board.turn] & ~chess.BB_SQUARES[king]


def walks(count: int, *, seed: int, plies: int = 6) -> Iterator[tuple[chess.Board, tabiya.Board]]:
    """The same boards of both packages: random ones, and after moves, null moves and changes of
    the turn. They are yielded again and again, and keep their moves."""
    chance = random.Random(seed)
    for _ in range(count):
        theirs = placed(chance)
        ours = ours_of(theirs)
        forget_nonsense(theirs, ours)
        yield theirs, ours
        for _ in range(plies):
            moves = sorted(theirs.legal_moves, key=str)
            what = chance.random()
            if what < 0.1:
                for board in (theirs, ours):
                    board.turn = not board.turn
                    board.ep_square = None
                    board.clear_stack()
            elif what < 0.25 or not moves:
                theirs.push(chess.Move.null())
                ours.push(tabiya.Move.null())
            else:
                move: Any = chance.choice(moves)
                theirs.push(move)
                ours.push(tabiya.Move.from_uci(move.uci()))
            forget_nonsense(theirs, ours)
            yield theirs, ours

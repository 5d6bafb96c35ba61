"""The errors of a board."""

from __future__ import annotations

from enum import IntFlag

__all__ = [
    "STATUS_BAD_CASTLING_RIGHTS",
    "STATUS_EMPTY",
    "STATUS_IMPOSSIBLE_CHECK",
    "STATUS_INVALID_EP_SQUARE",
    "STATUS_NO_BLACK_KING",
    "STATUS_NO_WHITE_KING",
    "STATUS_OPPOSITE_CHECK",
    "STATUS_PAWNS_ON_BACKRANK",
    "STATUS_RACE_CHECK",
    "STATUS_RACE_MATERIAL",
    "STATUS_RACE_OVER",
    "STATUS_TOO_MANY_BLACK_PAWNS",
    "STATUS_TOO_MANY_BLACK_PIECES",
    "STATUS_TOO_MANY_CHECKERS",
    "STATUS_TOO_MANY_KINGS",
    "STATUS_TOO_MANY_WHITE_PAWNS",
    "STATUS_TOO_MANY_WHITE_PIECES",
    "STATUS_VALID",
    "Status",
]


class Status(IntFlag):
    """The errors of a board, as a set of flags. ``Board.status()`` returns it.

    >>> import tabiya
    >>> status = tabiya.Board.empty().status()
    >>> tabiya.Status.NO_WHITE_KING in status, tabiya.Board().status() == tabiya.STATUS_VALID
    (True, True)
    """

    VALID = 0
    NO_WHITE_KING = 1
    NO_BLACK_KING = 2
    TOO_MANY_KINGS = 4
    TOO_MANY_WHITE_PAWNS = 8
    TOO_MANY_BLACK_PAWNS = 16
    PAWNS_ON_BACKRANK = 32
    TOO_MANY_WHITE_PIECES = 64
    TOO_MANY_BLACK_PIECES = 128
    #: A castling right without its king or its rook.
    BAD_CASTLING_RIGHTS = 256
    #: No double push can have crossed the en-passant square.
    INVALID_EP_SQUARE = 512
    #: The side that is not to move is in check.
    OPPOSITE_CHECK = 1024
    EMPTY = 2048
    #: This and the next two belong to racing kings, a variant, and no board here has them.
    RACE_CHECK = 1 << 12
    RACE_OVER = 1 << 13
    RACE_MATERIAL = 1 << 14
    #: More than two pieces give check.
    TOO_MANY_CHECKERS = 1 << 15
    #: No last move can have given the check.
    IMPOSSIBLE_CHECK = 1 << 16


STATUS_VALID = Status.VALID
STATUS_NO_WHITE_KING = Status.NO_WHITE_KING
STATUS_NO_BLACK_KING = Status.NO_BLACK_KING
STATUS_TOO_MANY_KINGS = Status.TOO_MANY_KINGS
STATUS_TOO_MANY_WHITE_PAWNS = Status.TOO_MANY_WHITE_PAWNS
STATUS_TOO_MANY_BLACK_PAWNS = Status.TOO_MANY_BLACK_PAWNS
STATUS_PAWNS_ON_BACKRANK = Status.PAWNS_ON_BACKRANK
STATUS_TOO_MANY_WHITE_PIECES = Status.TOO_MANY_WHITE_PIECES
STATUS_TOO_MANY_BLACK_PIECES = Status.TOO_MANY_BLACK_PIECES
STATUS_BAD_CASTLING_RIGHTS = Status.BAD_CASTLING_RIGHTS
STATUS_INVALID_EP_SQUARE = Status.INVALID_EP_SQUARE
STATUS_OPPOSITE_CHECK = Status.OPPOSITE_CHECK
STATUS_EMPTY = Status.EMPTY
STATUS_RACE_CHECK = Status.RACE_CHECK
STATUS_RACE_OVER = Status.RACE_OVER
STATUS_RACE_MATERIAL = Status.RACE_MATERIAL
STATUS_TOO_MANY_CHECKERS = Status.TOO_MANY_CHECKERS
STATUS_IMPOSSIBLE_CHECK = Status.IMPOSSIBLE_CHECK

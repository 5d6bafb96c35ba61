"""Colours, piece types and squares, as Python's chess programs name them.

>>> import tabiya
>>> tabiya.E4, tabiya.SQUARE_NAMES[28], tabiya.QUEEN, tabiya.WHITE
(28, 'e4', 5, True)
"""

from __future__ import annotations

WHITE = True
BLACK = False
COLORS = [WHITE, BLACK]
COLOR_NAMES = ["black", "white"]

PAWN = 1
KNIGHT = 2
BISHOP = 3
ROOK = 4
QUEEN = 5
KING = 6
PIECE_TYPES = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING]
PIECE_SYMBOLS = [None, "p", "n", "b", "r", "q", "k"]
PIECE_NAMES = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]

#: The start of a game, in FEN.
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

A1 = 0
B1 = 1
C1 = 2
D1 = 3
E1 = 4
F1 = 5
G1 = 6
H1 = 7
A2 = 8
B2 = 9
C2 = 10
D2 = 11
E2 = 12
F2 = 13
G2 = 14
H2 = 15
A3 = 16
B3 = 17
C3 = 18
D3 = 19
E3 = 20
F3 = 21
G3 = 22
H3 = 23
A4 = 24
B4 = 25
C4 = 26
D4 = 27
E4 = 28
F4 = 29
G4 = 30
H4 = 31
A5 = 32
B5 = 33
C5 = 34
D5 = 35
E5 = 36
F5 = 37
G5 = 38
H5 = 39
A6 = 40
B6 = 41
C6 = 42
D6 = 43
E6 = 44
F6 = 45
G6 = 46
H6 = 47
A7 = 48
B7 = 49
C7 = 50
D7 = 51
E7 = 52
F7 = 53
G7 = 54
H7 = 55
A8 = 56
B8 = 57
C8 = 58
D8 = 59
E8 = 60
F8 = 61
G8 = 62
H8 = 63

FILE_NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"]
RANK_NAMES = ["1", "2", "3", "4", "5", "6", "7", "8"]
#: The squares from 0 (a1) to 63 (h8).
SQUARES = list(range(64))
#: The names of the squares, in their order.
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]

# Names that programs for python-chess use.

#: The start of a game, in FEN.
STARTING_FEN = START
#: The pieces at the start of a game, as the first field of FEN.
STARTING_BOARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
#: The figurines of the letters of the pieces.
UNICODE_PIECE_SYMBOLS = {
    "R": "♖", "r": "♜", "N": "♘", "n": "♞", "B": "♗", "b": "♝",
    "Q": "♕", "q": "♛", "K": "♔", "k": "♚", "P": "♙", "p": "♟",
}  # fmt: skip
#: The squares in the order of a diagram: a8 to h8, and so on down to h1.
SQUARES_180 = [8 * (7 - square // 8) + square % 8 for square in range(64)]

BB_EMPTY = 0
BB_ALL = 0xFFFF_FFFF_FFFF_FFFF
BB_A1 = 1 << 0
BB_B1 = 1 << 1
BB_C1 = 1 << 2
BB_D1 = 1 << 3
BB_E1 = 1 << 4
BB_F1 = 1 << 5
BB_G1 = 1 << 6
BB_H1 = 1 << 7
BB_A2 = 1 << 8
BB_B2 = 1 << 9
BB_C2 = 1 << 10
BB_D2 = 1 << 11
BB_E2 = 1 << 12
BB_F2 = 1 << 13
BB_G2 = 1 << 14
BB_H2 = 1 << 15
BB_A3 = 1 << 16
BB_B3 = 1 << 17
BB_C3 = 1 << 18
BB_D3 = 1 << 19
BB_E3 = 1 << 20
BB_F3 = 1 << 21
BB_G3 = 1 << 22
BB_H3 = 1 << 23
BB_A4 = 1 << 24
BB_B4 = 1 << 25
BB_C4 = 1 << 26
BB_D4 = 1 << 27
BB_E4 = 1 << 28
BB_F4 = 1 << 29
BB_G4 = 1 << 30
BB_H4 = 1 << 31
BB_A5 = 1 << 32
BB_B5 = 1 << 33
BB_C5 = 1 << 34
BB_D5 = 1 << 35
BB_E5 = 1 << 36
BB_F5 = 1 << 37
BB_G5 = 1 << 38
BB_H5 = 1 << 39
BB_A6 = 1 << 40
BB_B6 = 1 << 41
BB_C6 = 1 << 42
BB_D6 = 1 << 43
BB_E6 = 1 << 44
BB_F6 = 1 << 45
BB_G6 = 1 << 46
BB_H6 = 1 << 47
BB_A7 = 1 << 48
BB_B7 = 1 << 49
BB_C7 = 1 << 50
BB_D7 = 1 << 51
BB_E7 = 1 << 52
BB_F7 = 1 << 53
BB_G7 = 1 << 54
BB_H7 = 1 << 55
BB_A8 = 1 << 56
BB_B8 = 1 << 57
BB_C8 = 1 << 58
BB_D8 = 1 << 59
BB_E8 = 1 << 60
BB_F8 = 1 << 61
BB_G8 = 1 << 62
BB_H8 = 1 << 63
#: The sets of one square each.
BB_SQUARES = [1 << square for square in SQUARES]
BB_CORNERS = BB_A1 | BB_H1 | BB_A8 | BB_H8
BB_CENTER = BB_D4 | BB_E4 | BB_D5 | BB_E5
BB_LIGHT_SQUARES = 0x55AA_55AA_55AA_55AA
BB_DARK_SQUARES = 0xAA55_AA55_AA55_AA55
BB_FILE_A = 0x0101_0101_0101_0101 << 0
BB_FILE_B = 0x0101_0101_0101_0101 << 1
BB_FILE_C = 0x0101_0101_0101_0101 << 2
BB_FILE_D = 0x0101_0101_0101_0101 << 3
BB_FILE_E = 0x0101_0101_0101_0101 << 4
BB_FILE_F = 0x0101_0101_0101_0101 << 5
BB_FILE_G = 0x0101_0101_0101_0101 << 6
BB_FILE_H = 0x0101_0101_0101_0101 << 7
BB_FILES = [0x0101_0101_0101_0101 << file for file in range(8)]
BB_RANK_1 = 0xFF << 0
BB_RANK_2 = 0xFF << 8
BB_RANK_3 = 0xFF << 16
BB_RANK_4 = 0xFF << 24
BB_RANK_5 = 0xFF << 32
BB_RANK_6 = 0xFF << 40
BB_RANK_7 = 0xFF << 48
BB_RANK_8 = 0xFF << 56
BB_RANKS = [0xFF << (8 * rank) for rank in range(8)]
#: The first and the last rank.
BB_BACKRANKS = BB_RANK_1 | BB_RANK_8

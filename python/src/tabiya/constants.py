"""Colours, piece types and squares, as Python's chess programs name them.

>>> import tabiya
>>> tabiya.E4, tabiya.SQUARE_NAMES[28], tabiya.QUEEN, tabiya.WHITE
(28, 'e4', 5, True)
"""

from __future__ import annotations

from typing import Final

WHITE: Final = True
BLACK: Final = False
COLORS: Final = [WHITE, BLACK]
COLOR_NAMES: Final = ["black", "white"]

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
PIECE_TYPES: Final = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING]
PIECE_SYMBOLS: Final = [None, "p", "n", "b", "r", "q", "k"]
PIECE_NAMES: Final = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]

#: The start of a game, in FEN.
START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

A1: Final = 0
B1: Final = 1
C1: Final = 2
D1: Final = 3
E1: Final = 4
F1: Final = 5
G1: Final = 6
H1: Final = 7
A2: Final = 8
B2: Final = 9
C2: Final = 10
D2: Final = 11
E2: Final = 12
F2: Final = 13
G2: Final = 14
H2: Final = 15
A3: Final = 16
B3: Final = 17
C3: Final = 18
D3: Final = 19
E3: Final = 20
F3: Final = 21
G3: Final = 22
H3: Final = 23
A4: Final = 24
B4: Final = 25
C4: Final = 26
D4: Final = 27
E4: Final = 28
F4: Final = 29
G4: Final = 30
H4: Final = 31
A5: Final = 32
B5: Final = 33
C5: Final = 34
D5: Final = 35
E5: Final = 36
F5: Final = 37
G5: Final = 38
H5: Final = 39
A6: Final = 40
B6: Final = 41
C6: Final = 42
D6: Final = 43
E6: Final = 44
F6: Final = 45
G6: Final = 46
H6: Final = 47
A7: Final = 48
B7: Final = 49
C7: Final = 50
D7: Final = 51
E7: Final = 52
F7: Final = 53
G7: Final = 54
H7: Final = 55
A8: Final = 56
B8: Final = 57
C8: Final = 58
D8: Final = 59
E8: Final = 60
F8: Final = 61
G8: Final = 62
H8: Final = 63

FILE_NAMES: Final = ["a", "b", "c", "d", "e", "f", "g", "h"]
RANK_NAMES: Final = ["1", "2", "3", "4", "5", "6", "7", "8"]
#: The squares from 0 (a1) to 63 (h8).
SQUARES: Final = list(range(64))
#: The names of the squares, in their order.
SQUARE_NAMES: Final = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]

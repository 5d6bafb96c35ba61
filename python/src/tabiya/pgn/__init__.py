"""Games with variations, comments and glyphs, read from PGN and written to it.

The names and what they do are those of the module ``chess.pgn`` of python-chess, on ``tabiya.Board``.

>>> import io, tabiya.pgn
>>> game = tabiya.pgn.read_game(io.StringIO("1. e4 e5 (1... c5 {sharp} 2. Nf3) 2. Nf3 Nc6 *"))
>>> game.headers["White"] = "Anand"
>>> sicilian = game.next().variations[1]
>>> sicilian.san(), sicilian.comment, sicilian.end().board().fullmove_number
('c5', 'sharp', 2)
>>> game.next().promote_to_main(sicilian)
>>> print(game.accept(tabiya.pgn.StringExporter(headers=False)))
1. e4 c5 { sharp } ( 1... e5 2. Nf3 Nc6 ) 2. Nf3 *

To read many games as arrays, ``tabiya.read_pgn`` is faster.
"""

from __future__ import annotations

from .commands import Arrow
from .export import FileExporter, StringExporter, StringExporterMixin
from .headers import TAG_ROSTER, Headers, HeadersBuilder
from .nags import *
from .nodes import ChildNode, Game, GameBuilder, GameNode, Mainline
from .reading import (
    BoardBuilder,
    SkipVisitor,
    read_game,
    read_headers,
    scan_headers,
    scan_offsets,
    skip_game,
)
from .scores import Cp, Mate, PovScore
from .time_control import TimeControl, TimeControlPart, TimeControlType, parse_time_control
from .visitors import LOGGER, SKIP, BaseVisitor, SkipType

# fmt: off
__all__ = [
    "Arrow", "BaseVisitor", "BoardBuilder", "ChildNode", "Cp", "FileExporter", "Game",
    "GameBuilder", "GameNode", "Headers", "HeadersBuilder", "LOGGER", "Mainline", "Mate",
    "NAG_ACTIVE_POSITION", "NAG_BLACK_DECISIVE_ADVANTAGE", "NAG_BLACK_DECISIVE_COUNTERPLAY",
    "NAG_BLACK_MODERATE_ADVANTAGE", "NAG_BLACK_MODERATE_COUNTERPLAY",
    "NAG_BLACK_MODERATE_TIME_PRESSURE", "NAG_BLACK_SEVERE_TIME_PRESSURE",
    "NAG_BLACK_SLIGHT_ADVANTAGE", "NAG_BLACK_ZUGZWANG", "NAG_BLUNDER", "NAG_BRILLIANT_MOVE",
    "NAG_DRAWISH_POSITION", "NAG_DUBIOUS_MOVE", "NAG_FORCED_MOVE", "NAG_GOOD_MOVE", "NAG_MISTAKE",
    "NAG_NOVELTY", "NAG_NULL", "NAG_QUIET_POSITION", "NAG_SINGULAR_MOVE", "NAG_SPECULATIVE_MOVE",
    "NAG_UNCLEAR_POSITION", "NAG_WHITE_DECISIVE_ADVANTAGE", "NAG_WHITE_DECISIVE_COUNTERPLAY",
    "NAG_WHITE_MODERATE_ADVANTAGE", "NAG_WHITE_MODERATE_COUNTERPLAY",
    "NAG_WHITE_MODERATE_TIME_PRESSURE", "NAG_WHITE_SEVERE_TIME_PRESSURE",
    "NAG_WHITE_SLIGHT_ADVANTAGE", "NAG_WHITE_ZUGZWANG", "NAG_WORST_MOVE", "PovScore", "SKIP",
    "SkipType", "SkipVisitor", "StringExporter", "StringExporterMixin", "TAG_ROSTER",
    "TimeControl", "TimeControlPart", "TimeControlType", "parse_time_control", "read_game",
    "read_headers", "scan_headers", "scan_offsets", "skip_game",
]
# fmt: on

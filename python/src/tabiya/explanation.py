"""Explanations of why a move is not legal."""

from __future__ import annotations

from dataclasses import dataclass

from ._tabiya import svg_of_explanation

__all__ = ["Explanation", "PlacedPiece", "Reason"]


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece on a square."""

    #: ``pawn``, ``knight``, ``bishop``, ``rook``, ``queen`` or ``king``.
    role: str
    #: ``white`` or ``black``.
    color: str | None
    #: The name of the square.
    square: str


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why a move is not legal."""

    #: A name for programs, such as ``pinned``. It keeps its meaning from version to version.
    name: str
    #: The reason as a clause, for people.
    sentence: str
    #: The piece that would move, unless the text of the move gives its square.
    piece: PlacedPiece | None
    #: The details by name: squares, pieces, colours and so on, as text, numbers or pieces.
    details: dict[str, str | int | PlacedPiece]


@dataclass(frozen=True, slots=True)
class Explanation:
    """An explanation of a move: is it legal, and if not, why not?

    >>> import tabiya
    >>> position = tabiya.Position("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1")
    >>> explanation = position.explain("e2d3")
    >>> explanation.is_legal
    False
    >>> print(explanation)
    e2d3 is not legal: the bishop on e2 is pinned on the e-file by the rook on e8
    >>> explanation.reasons[0].name
    'pinned'
    """

    #: The answer in one sentence.
    sentence: str
    #: The move in question, as it was read.
    text: str
    #: The legal move in UCI; ``None`` if it is not legal.
    uci: str | None
    #: The legal move in standard algebraic notation; ``None`` if it is not legal.
    san: str | None
    #: Every reason why the move is not legal; none if it is.
    reasons: list[Reason]
    #: The number of further reasons that are left out.
    omitted: int
    #: Legal moves that may have been meant, in standard algebraic notation.
    instead: list[str]
    #: The position, in FEN.
    fen: str

    @property
    def is_legal(self) -> bool:
        """Is the move legal?"""
        return self.uci is not None

    def _repr_svg_(self) -> str:
        return str(svg_of_explanation(self.fen, self.text))

    def __bool__(self) -> bool:
        return self.is_legal

    def __str__(self) -> str:
        return self.sentence

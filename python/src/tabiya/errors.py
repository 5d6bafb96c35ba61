"""The exceptions of this package. All of them are ``ValueError``\\ s."""

from __future__ import annotations

__all__ = [
    "AmbiguousMoveError",
    "CheckpointError",
    "FenError",
    "IllegalMoveError",
    "InvalidMoveError",
    "MoveError",
    "TabiyaError",
]


class TabiyaError(ValueError):
    """What all errors of this package have in common."""


class FenError(TabiyaError):
    """A text is not the FEN of a playable position.

    >>> import tabiya
    >>> try:
    ...     tabiya.Position("4k3/8/8/8/8/8/8/4K3 x - - 0 1")
    ... except tabiya.FenError as error:
    ...     print(error.reason)
    ...     print(error.text[error.start : error.end])
    'x' is not valid in the side to move field
    x
    """

    #: Why, without the text.
    reason: str
    #: The text that was read.
    text: str
    #: Where the mistake begins in the text, in characters.
    start: int
    #: Where the mistake ends in the text, in characters.
    end: int

    def __init__(self, reason: str, text: str, start: int, end: int) -> None:
        super().__init__(reason, text, start, end)
        self.reason, self.text, self.start, self.end = reason, text, start, end

    def __str__(self) -> str:
        place = " " * self.start + "^" * max(1, self.end - self.start)
        return f"{self.reason}\n  {self.text}\n  {place}"


class MoveError(TabiyaError):
    """A text is not a legal move of a position."""

    #: Why; every reason, if the move is not legal.
    reason: str
    #: The text that was read.
    text: str
    #: Where the mistake begins in the text, in characters.
    start: int
    #: Where the mistake ends in the text, in characters.
    end: int
    #: The position, in FEN.
    fen: str

    def __init__(self, reason: str, text: str, start: int, end: int, fen: str) -> None:
        super().__init__(reason, text, start, end, fen)
        self.reason, self.text, self.start, self.end, self.fen = reason, text, start, end, fen

    def __str__(self) -> str:
        return f"{self.reason} (in {self.fen})"


class InvalidMoveError(MoveError):
    """The text is not a move, whatever the position.

    >>> import tabiya
    >>> tabiya.Position().parse("e9")
    Traceback (most recent call last):
      ...
    tabiya.errors.InvalidMoveError: expected a rank from 1 to 8 after the file e: 'e9'
    """

    def __str__(self) -> str:
        return f"{self.reason}: {self.text!r}"


class IllegalMoveError(MoveError):
    """The text is a move, but it is not legal.

    >>> import tabiya
    >>> tabiya.Position().parse("e2e5")
    Traceback (most recent call last):
      ...
    tabiya.errors.IllegalMoveError: e2e5 is not legal: a pawn on e2 cannot reach e5 (in ...)
    """


class AmbiguousMoveError(MoveError):
    """More than one piece can make the move.

    >>> import tabiya
    >>> tabiya.Position("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1").parse("Nd2")
    Traceback (most recent call last):
      ...
    tabiya.errors.AmbiguousMoveError: two knights can reach d2: Nbd2 or Nfd2 (in ...)
    """


class CheckpointError(TabiyaError):
    """A job in a file cannot begin or go on.

    >>> from tabiya.cluster import Job
    >>> Job("no-such-folder/start-4.tabiya", 4)
    Traceback (most recent call last):
      ...
    tabiya.errors.CheckpointError: no-such-folder/start-4.tabiya: ...
    """

    #: Why, without the path.
    reason: str
    path: str
    #: Was a unit counted twice with different results?
    is_dispute: bool

    def __init__(self, reason: str, path: str, is_dispute: bool) -> None:
        super().__init__(reason, path, is_dispute)
        self.reason, self.path, self.is_dispute = reason, path, is_dispute

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"

"""The exceptions of this package. All of them are ``ValueError``\\ s."""

from __future__ import annotations

__all__ = [
    "AmbiguousMoveError",
    "CheckpointError",
    "DamagedTableError",
    "DataError",
    "BatchError",
    "FenError",
    "IllegalMoveError",
    "InvalidMoveError",
    "MissingTableError",
    "MoveError",
    "PgnError",
    "TableError",
    "TabiyaError",
    "UnplayableError",
]


#: The most characters of a text in a message.
_LONGEST = 200


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _printable(text: str) -> str:
    """The text without control characters, which could do anything to a terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


class TabiyaError(ValueError):
    """The base class of all errors of this package."""


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

    #: The reason, without the text.
    reason: str
    #: The text that was read.
    text: str
    #: The start of the mistake in the text, in characters.
    start: int
    #: The end of the mistake in the text, in characters.
    end: int

    def __init__(self, reason: str, text: str, start: int, end: int) -> None:
        super().__init__(reason, text, start, end)
        self.reason, self.text, self.start, self.end = reason, text, start, end

    def __str__(self) -> str:
        if len(self.text) > _LONGEST:
            return f"{self.reason}: at character {self.start} of a text of {len(self.text)}"
        before, wrong = self.text[: self.start], self.text[self.start : self.end]
        place = " " * len(_printable(before)) + "^" * max(1, len(_printable(wrong)))
        return f"{self.reason}\n  {_printable(self.text)}\n  {place}"


class MoveError(TabiyaError):
    """A text is not a legal move of a position."""

    #: The reason; if the move is not legal, every reason.
    reason: str
    #: The text that was read.
    text: str
    #: The start of the mistake in the text, in characters.
    start: int
    #: The end of the mistake in the text, in characters.
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
        return f"{self.reason}: {_cut(self.text)!r}"


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

    #: The reason, without the path.
    reason: str
    path: str
    #: Was a unit counted twice with different results?
    is_dispute: bool

    def __init__(self, reason: str, path: str, is_dispute: bool) -> None:
        super().__init__(reason, path, is_dispute)
        self.reason, self.path, self.is_dispute = reason, path, is_dispute

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class UnplayableError(TabiyaError):
    """The position on a board is not playable.

    >>> import tabiya
    >>> tabiya.Board.empty().position
    Traceback (most recent call last):
      ...
    tabiya.errors.UnplayableError: White has no king (in 8/8/8/8/8/8/8/8 w - - 0 1)
    """

    #: The reason.
    reason: str
    #: The board, in FEN.
    fen: str

    def __init__(self, reason: str, fen: str) -> None:
        super().__init__(reason, fen)
        self.reason, self.fen = reason, fen

    def __str__(self) -> str:
        return f"{self.reason} (in {self.fen})"


class BatchError(TabiyaError):
    """A row of a batch is bad.

    >>> import tabiya
    >>> try:
    ...     tabiya.Batch.from_fens([tabiya.START, "8/8/8/8/8/8/8/8 w - - 0 1"])
    ... except tabiya.BatchError as error:
    ...     print(error.row, error.reason, sep=": ")
    1: White has no king
    """

    #: The reason, without the row and the text.
    reason: str
    #: The number of the row; the first row is 0.
    row: int
    #: The text of the row: a FEN, a move, or packed bytes in hexadecimal digits.
    text: str

    def __init__(self, reason: str, row: int, text: str) -> None:
        super().__init__(reason, row, text)
        self.reason, self.row, self.text = reason, row, text

    def __str__(self) -> str:
        return f"row {self.row}: {self.reason}" + (f"\n  {_cut(self.text)!r}" if self.text else "")


class PgnError(TabiyaError):
    """A game of a PGN cannot be read or played.

    >>> import tabiya
    >>> try:
    ...     tabiya.Game.from_pgn("1. e4 e5 2. Ke3")
    ... except tabiya.PgnError as error:
    ...     print(error)
    ...     print(error.line, error.column, error.ply)
    1:13: game 1: ply 3 (2. Ke3): Ke3 is not legal: a king on e1 cannot reach e3
    1 13 3
    """

    #: The reason.
    reason: str
    #: The name of the file; ``None`` if there is none.
    file: str | None
    #: The line in the file, from 1.
    line: int
    #: The column in the line, in bytes from 1.
    column: int
    #: The number of bytes before the error.
    byte: int
    #: The number of the game in the file, from 1; 0 before the first game, and in ``tabiya.pgn``, where
    #: lines count from the first that was read for the game.
    game: int
    #: The ply, from 1; ``None`` if the error is not about a move.
    ply: int | None

    def __init__(
        self,
        reason: str,
        file: str | None,
        line: int,
        column: int,
        byte: int,
        game: int,
        ply: int | None,
    ) -> None:
        super().__init__(reason, file, line, column, byte, game, ply)
        self.reason, self.file, self.line, self.column = reason, file, line, column
        self.byte, self.game, self.ply = byte, game, ply

    def __str__(self) -> str:
        file = "" if self.file is None else f"{self.file}:"
        game = f"game {self.game}: " if self.game else ""
        return f"{file}{self.line}:{self.column}: {game}{self.reason}"


class DataError(TabiyaError):
    """A record of training data is bad and ``errors="stop"`` was wanted, or a file isn't of its format."""

    #: The reason.
    reason: str
    #: The path of the file.
    file: str
    #: The number of bytes before the record.
    offset: int

    def __init__(self, reason: str, file: str, offset: int) -> None:
        super().__init__(reason, file, offset)
        self.reason, self.file, self.offset = reason, file, offset

    def __str__(self) -> str:
        return f"{self.file}: offset {self.offset}: {self.reason}"


class TableError(TabiyaError, KeyError):
    """Endgame tables do not have a position: it has castling rights, or too many pieces.

    It is also a ``KeyError``, as in python-chess.

    >>> import tabiya
    >>> tabiya.syzygy.Tablebase().probe_wdl(tabiya.START)
    Traceback (most recent call last):
      ...
    tabiya.errors.TableError: there are 32 pieces, and tables have at most 7
    """

    #: The reason.
    reason: str

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class MissingTableError(TableError):
    """A file that a look-up needs is not there.

    >>> import tabiya
    >>> try:
    ...     tabiya.syzygy.Tablebase().probe_wdl("8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1")
    ... except tabiya.MissingTableError as error:
    ...     print(error.file)
    KBNvK.rtbw
    """

    #: The name of the file.
    file: str

    def __init__(self, reason: str, file: str) -> None:
        super().__init__(reason)
        self.args = (reason, file)
        self.file = file


class DamagedTableError(TabiyaError):
    """A file is not the endgame table that its name promises."""

    #: The reason, with the name and the place in the file.
    reason: str
    #: The name of the file.
    file: str

    def __init__(self, reason: str, file: str) -> None:
        super().__init__(reason, file)
        self.reason, self.file = reason, file

    def __str__(self) -> str:
        return self.reason

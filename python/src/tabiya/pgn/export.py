"""Games as text."""

from __future__ import annotations

from typing import TextIO

from .._tabiya import Board, Move
from .visitors import SKIP, BaseVisitor, SkipType

_RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "*")


class StringExporterMixin:
    """Writes games in PGN; its subclasses say where to."""

    def __init__(
        self,
        *,
        columns: int | None = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        self.columns = columns
        self.headers = headers
        self.comments = comments
        self.variations = variations

        self.found_headers = False
        #: Does the next move of Black need its number?
        self.force_movenumber = True
        self.lines: list[str] = []
        self.current_line = ""
        self.variation_depth = 0

    @property
    def current_line(self) -> str:
        """The words of the line that has not ended."""
        return "".join(self._words)

    @current_line.setter
    def current_line(self, line: str) -> None:
        # A line may be a whole game, so no word may cost a copy of it.
        self._words, self._length = ([line] if line else []), len(line)

    def flush_current_line(self) -> None:
        """Ends the current line, if there is one."""
        if self._words:
            self.lines.append(self.current_line.rstrip())
        self.current_line = ""

    def write_token(self, token: str) -> None:
        """A word with the space after it, on the current line if it fits."""
        if self.columns is not None and self._length + len(token) > self.columns:
            self.flush_current_line()
        self._words.append(token)
        self._length += len(token)

    def write_line(self, line: str = "") -> None:
        """A line of its own."""
        self.flush_current_line()
        self.lines.append(line.rstrip())

    def end_game(self) -> None:
        """An empty line stands between games."""
        self.write_line()

    def begin_headers(self) -> None:
        """The headers begin."""
        self.found_headers = False

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A header."""
        if self.headers:
            self.found_headers = True
            value = tagvalue.replace("\\", "\\\\").replace('"', '\\"')
            self.write_line(f'[{tagname} "{value}"]')

    def end_headers(self) -> None:
        """An empty line stands after the headers."""
        if self.found_headers:
            self.write_line()

    def begin_variation(self) -> SkipType | None:
        """A variation begins."""
        self.variation_depth += 1
        if not self.variations:
            return SKIP
        self.write_token("( ")
        self.force_movenumber = True
        return None

    def end_variation(self) -> None:
        """A variation ends."""
        self.variation_depth -= 1
        if self.variations:
            self.write_token(") ")
            self.force_movenumber = True

    def visit_comment(self, comment: str) -> None:
        """A comment. A closing brace in it is left out: PGN has no place for one."""
        if self.comments and (self.variations or not self.variation_depth):
            self.write_token(f"{{ {comment.replace('}', '').strip()} }} ")
            self.force_movenumber = True

    def visit_nag(self, nag: int) -> None:
        """A glyph."""
        if self.comments and (self.variations or not self.variation_depth):
            self.write_token(f"${nag} ")

    def visit_move(self, board: Board, move: Move) -> None:
        """A move."""
        if self.variations or not self.variation_depth:
            if board.turn:
                self.write_token(f"{board.fullmove_number}. ")
            elif self.force_movenumber:
                self.write_token(f"{board.fullmove_number}... ")
            self.write_token(f"{board.san(move)} ")
            self.force_movenumber = False

    def visit_result(self, result: str) -> None:
        """The result, or ``*`` for any other text, which would be read as a glyph or a move."""
        self.write_token(f"{result if result in _RESULTS else '*'} ")


class StringExporter(StringExporterMixin, BaseVisitor[str]):
    """Writes a game to a string.

    >>> import io, tabiya.pgn
    >>> game = tabiya.pgn.read_game(io.StringIO("1. e4 {best} e5 (1... c5)"))
    >>> game.accept(tabiya.pgn.StringExporter(headers=False, comments=False))
    '1. e4 e5 ( 1... c5 ) *'
    """

    def result(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = [*self.lines, self.current_line.rstrip()] if self._words else self.lines
        return "\n".join(lines).rstrip()


class FileExporter(StringExporterMixin, BaseVisitor[int]):
    """Writes games to a file, with an empty line after each. The result is the number of characters.

    >>> import io, tabiya.pgn
    >>> out = io.StringIO()
    >>> tabiya.pgn.Game().accept(tabiya.pgn.FileExporter(out, headers=False))
    3
    >>> out.getvalue()
    '*\\n\\n'
    """

    def __init__(
        self,
        handle: TextIO,
        *,
        columns: int | None = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        super().__init__(
            columns=columns, headers=headers, comments=comments, variations=variations
        )
        self.handle = handle
        self.written = 0
        self._is_within_game = False

    def begin_game(self) -> None:
        if self._is_within_game:
            # An exception ended the game before. Without an empty line, this one would belong to it.
            self.visit_result("*")
            self.end_game()
        self._is_within_game = True
        self.written = 0
        self.variation_depth = 0

    def end_game(self) -> None:
        super().end_game()
        self._is_within_game = False

    def flush_current_line(self) -> None:
        if self._words:
            self.written += self.handle.write(self.current_line.rstrip() + "\n")
        self.current_line = ""

    def write_line(self, line: str = "") -> None:
        self.flush_current_line()
        self.written += self.handle.write(line.rstrip() + "\n")

    def result(self) -> int:
        return self.written

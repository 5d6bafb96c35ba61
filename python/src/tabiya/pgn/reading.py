"""Games from files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, TextIO, TypeVar, overload

from .._tabiya import Board
from ._head import FILE_MARKS, Head, is_no_tag, shortened
from ._lines import Lines, comment, first_line, place_of
from .headers import Headers, HeadersBuilder
from .nags import MARKS
from .nodes import Game, GameBuilder
from .visitors import SKIP, BaseVisitor, SkipType

_ResultT = TypeVar("_ResultT")

_TOKEN = re.compile(
    r"""
    (?P<comment> [{;] )
    | (?P<nag> \$\d+ )
    | (?P<mark> [!?]{1,2} )
    | (?P<parenthesis> [()] )
    | (?P<result> \* | 1[-‐-―−]0 | 0[-‐-―−]1 | (?: 1/2 | ½ ) (?: [-‐-―−] (?: 1/2 | ½ ) )? )
    | (?P<move>
        (?P<text>
          [a-h]? [1-8]? [-x:]? [a-h][18] \([NBRQ]\)
          | (?: [NBRQKP] | [♔-♟][\u200b-\u200d\ufe0e\ufe0f]* )?
            [a-h]? [1-8]? [-x:]? [a-h][1-8] (?: =?[nbrqkNBRQK♔-♟] )?
          | (?: [O0] | (?<![^\W\d])o ) [-‐-―−] [Oo0] (?: [-‐-―−][Oo0] )?
          | (?<![\w:,]) (?<! (?<!\d) 0\. ) (?: 000? | OOO? ) (?![\w.:,/-])
          | -- | Z0 | (?<!\d) 0000 (?!\d) | @@@@
        )
        (?: e\.?p\.? )? [+\#]*
        | [♔-♟]
      )
    """,
    re.VERBOSE,
)

#: The greatest length of a glyph. Python reads no numbers of thousands of digits.
_LONGEST_NAG = 10

#: The greatest depth of variations, as for ``read_pgn``. Each has a board with its history.
_MOST_NESTED = 255

#: Signs without a width, which join letters or say how they look and in which direction they go.
_INVISIBLE = "\xad\ufe0e\ufe0f\ufeff" + "".join(
    chr(sign) for sign in (*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070))
)
#: Pieces as pictures, and the dashes of word processors, which some collections of games have.
_FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟‐‑‒–—―−", "KQRBNPKQRBNP-------", _INVISIBLE)
#: What may stand directly before a move, since it is no piece.
_SEPARATORS = "0123456789.…．·,:/|<>[]\"'“”„‟‘’‚‛«»‹›¡¿+#=-" + _INVISIBLE

_REST_OF_WORD = re.compile(r"[^\s(){};]*")

#: The beginning of a comment.
_COMMENT = re.compile(r"[{;]")


class BoardBuilder(BaseVisitor[Board]):
    """Returns the board at the end of the main line.

    >>> import io, tabiya.pgn
    >>> tabiya.pgn.read_game(io.StringIO("1. e4 e5"), Visitor=tabiya.pgn.BoardBuilder).ply()
    2
    """

    def begin_game(self) -> None:
        self.board = Board()

    def begin_variation(self) -> SkipType:
        return SKIP

    def visit_board(self, board: Board) -> None:
        self.board = board

    def result(self) -> Board:
        return self.board


class SkipVisitor(BaseVisitor[Literal[True]]):
    """Skips a game."""

    def begin_game(self) -> SkipType:
        return SKIP

    def end_headers(self) -> SkipType:
        return SKIP

    def begin_variation(self) -> SkipType:
        return SKIP

    def result(self) -> Literal[True]:
        return True


@overload
def read_game(handle: TextIO, *, Visitor: None = None) -> Game | None: ...
@overload
def read_game(
    handle: TextIO, *, Visitor: Callable[[], BaseVisitor[_ResultT]]
) -> _ResultT | None: ...


def read_game(handle: TextIO, *, Visitor: Callable[[], BaseVisitor[Any]] | None = None) -> Any:
    """Reads the next game of a file in text mode. Returns ``None`` at its end.

    A game ends at an empty line after its moves; a game without moves, at the tag ``Event`` of the
    next one, or another that it has already, behind an empty line, or at any tag behind two of them.
    After a move that is not legal or in the letters of another language, or a variation that is nested
    deeper than 255, the rest of its line is missing; ``game.errors`` has the reason. Other words that
    are no moves are passed over, as by python-chess: ``tabiya.read_pgn`` is stricter, and finds the
    games of files that are not written well.

    >>> import io, tabiya.pgn
    >>> file = io.StringIO('[White "Anand"]\\n\\n1. e4 (1. d4 {or this}) e5 1-0\\n\\n1. c4 *')
    >>> game = tabiya.pgn.read_game(file)
    >>> game.headers["White"], game.end().san(), game[1].comment
    ('Anand', 'e5', 'or this')
    >>> tabiya.pgn.read_game(file).next().san(), tabiya.pgn.read_game(file)
    ('c4', None)
    """
    line = _first_line(handle)
    if not line:
        return None
    visitor: BaseVisitor[Any] = GameBuilder() if Visitor is None else Visitor()
    skips_game = visitor.begin_game() is SKIP
    headers: Any = {}
    if not skips_game:
        given = visitor.begin_headers()
        headers = Headers({}) if given is None else given
    head = Head(handle, line)
    for name, value in head.tags():
        if not skips_game:
            visitor.visit_header(name, value)
            headers[name] = value
    if skips_game or visitor.end_headers() is SKIP:
        _skip_moves(Lines(head.handle, head.line))
    else:
        _read_moves(head, headers, visitor)
    visitor.end_game()
    return visitor.result()


def read_headers(handle: TextIO) -> Headers | None:
    """Reads the headers of the next game and skips its moves. Returns ``None`` at the end.

    >>> import io, tabiya.pgn
    >>> file = io.StringIO('[White "Anand"]\\n\\n1. e4 e5 *\\n')
    >>> tabiya.pgn.read_headers(file), tabiya.pgn.read_headers(file)
    (Headers(White='Anand'), None)
    """
    return read_game(handle, Visitor=HeadersBuilder)


def scan_headers(handle: TextIO) -> Iterator[tuple[int, Headers]]:
    """The offset and the headers of each game, for ``handle.seek(offset)``.

    >>> import io, tabiya.pgn
    >>> file = io.StringIO('[White "A"]\\n\\n1. e4 *\\n\\n[White "B"]\\n\\n1. d4 *\\n')
    >>> offsets = [offset for offset, headers in tabiya.pgn.scan_headers(file) if headers["White"] == "B"]
    >>> position = file.seek(offsets[0])
    >>> tabiya.pgn.read_game(file).next().san()
    'd4'
    """
    while True:
        offset = _offset(handle)
        headers = read_headers(handle)
        if headers is None:
            return
        yield offset, headers


def scan_offsets(handle: TextIO) -> Iterator[int]:
    """The offset of each game."""
    while True:
        offset = _offset(handle)
        if not skip_game(handle):
            return
        yield offset


def skip_game(handle: TextIO) -> bool:
    """Skips a game. ``False`` at the end of the file."""
    return bool(read_game(handle, Visitor=SkipVisitor))


def _offset(handle: TextIO) -> int:
    """The offset of the next game."""
    place = place_of(handle)
    # A file without places says so.
    return handle.tell() if place is None else place


def _first_line(handle: TextIO) -> str:
    """The first line that belongs to a game; an empty string at the end of the file."""
    line = first_line(handle)
    if not isinstance(line, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("expected a file in text mode, such as open(path) or io.StringIO(text)")
    line = line.lstrip(FILE_MARKS)
    while line and (not line.strip() or line.lstrip()[0] in "%;" or is_no_tag(line)):
        line = handle.readline().lstrip(FILE_MARKS)
    return line


def _skip_moves(lines: Lines) -> None:
    """Skips the moves of a game."""
    while (text := lines.next()) is not None:
        at = 0
        while text.find("{", at) >= 0 and (found := _COMMENT.search(text, at)) and found[0] == "{":
            _, end, at = comment(lines.handle, text, found.end())
            text = end or ""


def _read_moves(head: Head, headers: Any, visitor: BaseVisitor[Any]) -> None:
    """Shows the moves of a game to a visitor, after the comments between its tags."""
    moves = _Moves(
        visitor, headers if isinstance(headers, Headers) else Headers(headers), head.error
    )
    for text in head.comments:
        moves.comment(text)
    if head.is_open:
        moves.open_comment()
    lines = Lines(head.handle, head.line)
    while (line := lines.next()) is not None:
        at = 0
        while found := _TOKEN.search(line, at):
            before, at = at, found.end()
            kind, token = found.lastgroup, found[0]
            if token == ";":
                moves.comment(line[at:].rstrip(" \t\r\n"))
                break
            if token == "{":
                text, end, at = comment(lines.handle, line, at)
                moves.comment(text)
                if end is None and text.strip():
                    moves.open_comment()
                line = end or ""
            elif token == "(":
                moves.begin_variation()
            elif token == ")":
                moves.end_variation()
            elif kind == "result":
                token = token.translate(_FIGURINES)
                moves.result(token if token in ("*", "1-0", "0-1") else "1/2-1/2")
            elif kind == "move":
                if moves.skipped is None:
                    _read_move(line, before, found, moves)
            elif kind == "mark":
                moves.nag(MARKS[token])
            elif len(token) <= _LONGEST_NAG:
                moves.nag(int(token[1:]))


def _read_move(line: str, before: int, found: re.Match[str], moves: _Moves) -> None:
    """Shows a move to the visitor, or the error that its piece is not known.

    ``before`` is the place after what was read before it.
    """
    gap = line[before : found.start()]
    prefix = "" if not gap or gap[-1].isspace() else gap.split()[-1]
    if found["text"] and (not prefix or _may_precede(prefix)):
        moves.move(found["text"].translate(_FIGURINES))
    else:
        # ``Sf3`` is no move of a pawn to f3.
        rest = _REST_OF_WORD.match(line, found.start())
        moves.unknown(prefix + (rest[0] if rest else ""))


def _may_precede(prefix: str) -> bool:
    """May this text stand directly before a move?"""
    prefix = prefix.rstrip(_INVISIBLE)
    number = prefix.rstrip(".…")
    return (number != prefix and number[-1:] in "0123456789") or not prefix.strip(_SEPARATORS)


class _Moves:
    """The moves of a game on their way to a visitor."""

    def __init__(
        self, visitor: BaseVisitor[Any], headers: Headers, problem: ValueError | None
    ) -> None:
        self.visitor = visitor
        #: How many variations around the current place are inside the line whose rest is skipped.
        self.skipped: int | None = None
        #: Is that line a variation that the visitor does not want?
        self.is_unwanted = False
        #: The boards of the lines around the current place.
        self.boards: list[Board] = []
        #: The glyphs before the first move of a variation, which belong to that move.
        self.early: list[int] | None = None
        try:
            if problem:
                raise problem
            self.boards.append(headers.board())
            visitor.visit_board(self.boards[0])
        except ValueError as error:
            visitor.handle_error(error)
            self.boards = [Board()]
            self.skipped = 0

    def move(self, san: str) -> None:
        """A move. After an error, the rest of its line is skipped."""
        if self.skipped is not None:
            return
        board, visitor = self.boards[-1], self.visitor
        if visitor.begin_parse_san(board, san) is SKIP:
            visitor.visit_board(board)
            return
        try:
            move = visitor.parse_san(board, san)
            if not move and board.is_check():
                # Whoever is in check cannot pass, which ``push`` says.
                board.push(move)
        except ValueError as error:
            self.error(error)
            visitor.visit_board(board)
            return
        visitor.visit_move(board, move)
        board.push(move)
        visitor.visit_board(board)
        self.release_nags()

    def error(self, error: ValueError) -> None:
        """Something that cannot be read. The rest of its line is skipped."""
        if self.skipped is None:
            self.visitor.handle_error(error)
            self.skipped = 0

    def unknown(self, word: str) -> None:
        """A word that looks like a move."""
        self.error(ValueError(f"unknown move: {shortened(word)!r} (in {self.boards[-1].fen()})"))

    def open_comment(self) -> None:
        """A comment up to the end of the file, which hides other games also where a line is skipped."""
        fen = self.boards[-1].fen()
        self.visitor.handle_error(ValueError(f"a comment has no closing brace (in {fen})"))

    def begin_variation(self) -> None:
        """A variation begins."""
        if self.skipped is not None:
            self.skipped += 1
        elif not self.boards[-1].move_stack:
            # There is no move that it could replace.
            pass
        elif len(self.boards) > _MOST_NESTED:
            error = ValueError(f"variations are nested deeper than {_MOST_NESTED}")
            self.visitor.handle_error(error)
            # The variation, and after it the rest of the line.
            self.skipped = 1
        elif self.visitor.begin_variation() is SKIP:
            self.skipped, self.is_unwanted = 0, True
        else:
            board = self.boards[-1].copy()
            board.pop()
            self.boards.append(board)
            self.early = []

    def end_variation(self) -> None:
        """A variation ends."""
        if self.skipped:
            self.skipped -= 1
        elif self.is_unwanted:
            self.skipped, self.is_unwanted = None, False
            self.visitor.end_variation()
        elif len(self.boards) > 1:
            self.skipped = None
            self.boards.pop()
            self.visitor.end_variation()
            # Without a move, they belong to the one that the variation would replace.
            self.release_nags()

    def comment(self, text: str) -> None:
        """A comment."""
        text = text.strip(" \t\r")
        if self.skipped is None and text.strip():
            self.visitor.visit_comment(text.removesuffix("\n"))

    def nag(self, nag: int) -> None:
        """A glyph."""
        if self.skipped is not None:
            return
        if self.early is None:
            self.visitor.visit_nag(nag)
        else:
            self.early.append(nag)

    def release_nags(self) -> None:
        """Shows the glyphs that waited for a move."""
        nags, self.early = self.early or [], None
        for nag in nags:
            self.visitor.visit_nag(nag)

    def result(self, result: str) -> None:
        """The result, which stands in the main line."""
        if len(self.boards) == 1 and not self.skipped and not self.is_unwanted:
            self.visitor.visit_result(result)

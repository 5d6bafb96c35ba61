"""Games from files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, TextIO, TypeVar, overload

from .._tabiya import Board
from .headers import Headers, HeadersBuilder
from .nags import MARKS
from .nodes import Game, GameBuilder
from .visitors import SKIP, BaseVisitor, SkipType

_ResultT = TypeVar("_ResultT")

_NAME = r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*"
#: A line of one tag. Its value may have quotation marks that are not escaped.
_TAG = re.compile(rf'\[\s*({_NAME})\s*"(.*)"\s*\]')
#: One of several tags in a line.
_ONE_OF_TAGS = re.compile(rf'\[\s*({_NAME})\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
_TOKEN = re.compile(
    r"""
    (?P<comment> [{;] )
    | (?P<nag> \$\d+ )
    | (?P<mark> [!?]{1,2} )
    | (?P<parenthesis> [()] )
    | (?P<result> \* | 1-0 | 0-1 | (?: 1/2 | ½ ) (?: - (?: 1/2 | ½ ) )? )
    | (?P<move>
        (?: [NBRQKP♔-♟]? [a-h]? [1-8]? [-x:]? [a-h][1-8] (?: =?[nbrqkNBRQK♔-♟] | \([NBRQ]\) )?
          | [Oo0]-[Oo0](?:-[Oo0])?
          | -- | Z0 | (?<!\d) 0000 (?!\d) | @@@@
        )
      )
    """,
    re.VERBOSE,
)

#: The greatest length of a glyph. Python reads no numbers of thousands of digits.
_LONGEST_NAG = 10

#: The greatest depth of variations, as for ``read_pgn``. Each has a board with its history.
_MOST_NESTED = 255

#: Pieces as pictures, which some collections of games have.
_FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP")

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

    A game ends at an empty line after its moves. After a move that is not legal or in the letters of
    another language, or a variation that is nested deeper than 255, the rest of its line is missing;
    ``game.errors`` has the reason. Words that are no moves are passed over, as by python-chess:
    ``tabiya.read_pgn`` is stricter, and finds the games of files that are not written well.

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
    has_headers = False
    is_after_gap = False
    #: Comments between the tags.
    comments: list[str] = []
    while line:
        if line.startswith("%"):
            line = handle.readline()
            continue
        if line.lstrip().startswith(";"):
            comments.append(line)
            line = handle.readline()
            continue
        if not line.strip():
            # The second empty line in a row ends a game without moves.
            if not has_headers or is_after_gap:
                break
            is_after_gap = True
            line = handle.readline()
            continue
        if not line.lstrip().startswith("["):
            break
        has_headers, is_after_gap = True, False
        # A malformed tag is ignored, as by python-chess: those after it are no moves.
        tags = [] if skips_game else _tags_of(line.strip())
        for name, text in tags:
            # A tag has no line breaks, and one such as "\r" is not the end of a line here.
            value = re.sub(r'\\(["\\])', r"\1", text).replace("\r", " ")
            visitor.visit_header(name, value)
            headers[name] = value
        line = handle.readline()
    if skips_game or visitor.end_headers() is SKIP:
        _skip_moves(_Lines(handle, line))
    else:
        _read_moves(comments, _Lines(handle, line), headers, visitor)
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
        offset = handle.tell()
        headers = read_headers(handle)
        if headers is None:
            return
        yield offset, headers


def scan_offsets(handle: TextIO) -> Iterator[int]:
    """The offset of each game."""
    while True:
        offset = handle.tell()
        if not skip_game(handle):
            return
        yield offset


def skip_game(handle: TextIO) -> bool:
    """Skips a game. ``False`` at the end of the file."""
    return bool(read_game(handle, Visitor=SkipVisitor))


def _first_line(handle: TextIO) -> str:
    """The first line that belongs to a game; an empty string at the end of the file."""
    line = handle.readline()
    if not isinstance(line, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("expected a file in text mode, such as open(path) or io.StringIO(text)")
    # Files may have been put together with the mark at the start of each, or the sign for the end of
    # a file in DOS at its end.
    line = line.lstrip("\ufeff\x1a")
    while line and (not line.strip() or line.lstrip()[0] in "%;"):
        line = handle.readline().lstrip("\ufeff\x1a")
    return line


def _tags_of(line: str) -> list[tuple[str, str]]:
    """The names and values of the tags of a line, in which nothing else stands."""
    tags: list[tuple[str, str]] = []
    at = 0
    while tag := _ONE_OF_TAGS.match(line, at):
        tags.append((tag[1], tag[2]))
        at = tag.end()
    if at < len(line):
        whole = _TAG.fullmatch(line)
        return [(whole[1], whole[2])] if whole else []
    return tags


class _Lines:
    """The lines of the moves of a game."""

    def __init__(self, handle: TextIO, line: str) -> None:
        self.handle = handle
        #: The next line, if it has been read.
        self.line: str | None = line

    def next(self) -> str | None:
        """The next line, or ``None`` at an empty line or the end of the file."""
        while True:
            line = self.handle.readline() if self.line is None else self.line
            self.line = None
            if line.startswith("%"):
                continue
            return line if line.strip() else None

    def comment(self, line: str, begin: int) -> tuple[str, str | None, int]:
        """The text of a comment after its brace, the line in which it ends, and where.

        There is no such line if the file ends first.
        """
        parts: list[str] = []
        while True:
            end = line.find("}", begin)
            if end >= 0:
                parts.append(line[begin:end])
                return "".join(parts), line, end + 1
            parts.append(line[begin:])
            line, begin = self.handle.readline(), 0
            if not line:
                return "".join(parts), None, 0


def _skip_moves(lines: _Lines) -> None:
    """Skips the moves of a game."""
    while (text := lines.next()) is not None:
        at = 0
        while text.find("{", at) >= 0 and (found := _COMMENT.search(text, at)) and found[0] == "{":
            _, end, at = lines.comment(text, found.end())
            text = end or ""


def _read_moves(
    comments: list[str], lines: _Lines, headers: Any, visitor: BaseVisitor[Any]
) -> None:
    """Shows the moves of a game to a visitor, after the comments between its tags."""
    moves = _Moves(visitor, headers if isinstance(headers, Headers) else Headers(headers))
    for text in comments:
        moves.comment(text.lstrip()[1:])
    while (line := lines.next()) is not None:
        at = 0
        while found := _TOKEN.search(line, at):
            before, at = at, found.end()
            kind, token = found.lastgroup, found[0]
            if token == ";":
                moves.comment(line[at:])
                break
            if token == "{":
                text, end, at = lines.comment(line, at)
                moves.comment(text)
                if end is None and text.strip():
                    moves.error(ValueError("a comment has no closing brace"))
                line = end or ""
            elif token == "(":
                moves.begin_variation()
            elif token == ")":
                moves.end_variation()
            elif kind == "result":
                moves.result(token if token in ("*", "1-0", "0-1") else "1/2-1/2")
            elif kind == "move" and before < found.start() and line[found.start() - 1].isalpha():
                # Its piece is not known: ``Sf3`` is no move of a pawn to f3.
                moves.error(ValueError(f"unknown move: {_word_at(line, found.start())!r}"))
            elif kind == "move":
                moves.move(token.translate(_FIGURINES))
            elif kind == "mark":
                moves.nag(MARKS[token])
            elif len(token) <= _LONGEST_NAG:
                moves.nag(int(token[1:]))


def _word_at(line: str, place: int) -> str:
    """The word at a place in a line."""
    begin = re.search(r"\w*\Z", line[:place])
    return (begin[0] if begin else "") + line[place:].split(None, 1)[0]


class _Moves:
    """The moves of a game on their way to a visitor."""

    def __init__(self, visitor: BaseVisitor[Any], headers: Headers) -> None:
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

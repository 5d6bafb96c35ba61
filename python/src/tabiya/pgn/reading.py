"""Games from files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, TextIO, TypeVar, overload

from .._tabiya import Board, GameText
from ._lines import next_text, place_of
from .headers import Headers, HeadersBuilder
from .nodes import ChildNode, Game, GameBuilder, GameNode, show_game
from .visitors import SKIP, BaseVisitor, SkipType

_ResultT = TypeVar("_ResultT")


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
def read_game(
    handle: TextIO, *, Visitor: None = None, letters: str | None = None
) -> Game | None: ...
@overload
def read_game(
    handle: TextIO, *, Visitor: Callable[[], BaseVisitor[_ResultT]], letters: str | None = None
) -> _ResultT | None: ...


def read_game(
    handle: TextIO,
    *,
    Visitor: Callable[[], BaseVisitor[Any]] | None = None,
    letters: str | None = None,
) -> Any:
    """Reads the next game of a file in text mode. Returns ``None`` at its end.

    What a file may contain, and what becomes of it, is the same in all of tabiya: an error ends the moves
    of its line, and is in ``game.errors``, with its line from the start of the game; the rest of the line
    is a comment. Words without a meaning cost nothing. ``letters`` are those of another language for king,
    queen, rook, bishop, knight and perhaps pawn, such as ``KDTLS``.

    >>> import io, tabiya.pgn
    >>> file = io.StringIO('[White "Anand"]\\n\\n1. e4 (1. d4 {or this}) e5 1-0\\n\\n1. c4 *')
    >>> game = tabiya.pgn.read_game(file)
    >>> game.headers["White"], game.end().san(), game[1].comment
    ('Anand', 'e5', 'or this')
    >>> tabiya.pgn.read_game(file).next().san(), tabiya.pgn.read_game(file)
    ('c4', None)
    """
    text = next_text(handle, letters)
    if text is None:
        return None
    visitor: BaseVisitor[Any] = GameBuilder() if Visitor is None else Visitor()
    if visitor.begin_game() is not SKIP:
        headers = visitor.begin_headers()
        for name, value in text.tags():
            visitor.visit_header(name, value)
            if headers is not None:
                headers[name] = value
        if visitor.end_headers() is not SKIP:
            visitor.visit_result(_show_moves(text, visitor))
    visitor.end_game()
    return visitor.result()


def _show_moves(text: GameText, visitor: Any) -> str:
    """Shows the moves of a game to a visitor, and returns the result."""
    # The tree that most want is built without it.
    is_usual = type(visitor) is GameBuilder
    is_usual = is_usual and visitor.Game.add_variation is GameNode.add_variation
    game = visitor.game if is_usual else Game(text.tags())
    result, errors = text.fill(game, ChildNode)
    if not is_usual:
        show_game(game, visitor, errors)
    else:
        for _, error in errors:
            visitor.handle_error(error)
    return result


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

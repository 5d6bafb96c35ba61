"""The head of a game, which ends where the moves begin: its tags, and the comments between them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import TextIO

from ._lines import Ahead, comment, unread

_NAME = r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*"
#: A tag. Quotation marks in its value need no backslash: the value ends at one with a bracket behind
#: it, unless another such end follows that belongs to no other tag.
_TAG = re.compile(
    rf"""
    \[ \s* ({_NAME}) \s* "
    ( (?: [^"\\]++ | \\. | " (?! \s*\] (?! (?: (?! \[\s*{_NAME}\s*" | [{{;] ) . )*? "\s*\] ) ) )* )
    " \s* \]
    """,
    re.VERBOSE,
)
#: A line of one tag whose backslashes are no escapes.
_LINE_OF_TAG = re.compile(rf'\[\s*({_NAME})\s*"(.*)"\s*\]\s*')
_PLAIN_LINE = re.compile(rf'\[({_NAME}) "([^"\\\r]*)"\]\n?')
#: The beginning of a tag up to its value.
_OPEN_TAG = re.compile(rf'\[\s*{_NAME}\s*"')
_TAG_NAME = re.compile(rf"\[\s*({_NAME})")
_NO_SPACE = re.compile(r"\S")
_ESCAPED = re.compile(r'\\(["\\])')
#: The end of a tag that began in a line before. Further tags may follow it, and a comment.
_END_OF_TAG = re.compile(r'"\s*\](?=\s*(?:[\[{;]|$))')
#: A line in brackets that is no tag, such as a heading between games.
_NO_TAG = re.compile(r'\s*\[(?!\s*(?:FEN|Variant)\b)[^"\]]*\]\s*')
_MOVE = r"(?: [NBRQKP♔-♟]? [a-h]? [1-8]? [-x:]? [a-h][1-8] | [O0]-[O0] )"
#: A word with which moves begin in the line of a tag: the number of a move, a move or a result.
_FIRST_WORD = re.compile(
    rf"""
    (?<![^\s\]}}])
    (?: \d++ \s*+ [.…]++ \s*+ (?: [^\W\d_] | [♔-♟] )
      | (?: \d++ [.…]++ )? {_MOVE}
      | (?: \* | 1-0 | 0-1 | (?: 1/2 | ½ ) (?: - (?: 1/2 | ½ ) )? ) (?!\S)
    )
    """,
    re.VERBOSE,
)
#: A line with moves below a tag that is not closed, by its beginning or by a move anywhere in it, in
#: any language.
_LINE_OF_MOVES = re.compile(
    rf"\s*+ (?: [{{($;] | \d++ \s*+ [.…] | .* (?<!\w) (?: [^\W\d_]? {_MOVE} | -- (?!\S) ) (?!\w) )",
    re.VERBOSE,
)
_NEXT_PART = re.compile(r"[\[{;]")
#: An empty line in a text whose lines end with a carriage return alone, which ``readline`` does not
#: split.
_UNSPLIT = re.compile(r"\r\r[^\r\n]")
#: Files may have been put together with the mark at the start of each, or the sign for the end of a
#: file in DOS at its end.
FILE_MARKS = "\ufeff\x1a"

#: The most lines of a value.
_MOST_LINES = 1000
#: The greatest length of a text in an error.
_LONGEST_TEXT = 40


def shortened(text: str) -> str:
    """A text in an error."""
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"


class Head:
    """The tags of a game, and the comments before its moves."""

    def __init__(self, handle: TextIO, line: str) -> None:
        self._file = handle
        #: Its next lines, some of which may have been read ahead.
        self.handle = Ahead(handle, ())
        #: The current line; after the tags, the one with the first moves.
        self.line = line
        self.comments: list[str] = []
        #: Does the last comment lack its closing brace?
        self.is_open = False
        #: Why the start position is not known.
        self.error: ValueError | None = None
        self._names: set[str] = set()
        #: Is there an empty line after the last tag?
        self._is_after_gap = False
        if _UNSPLIT.search(line):
            self.error = ValueError(
                "lines end with a carriage return alone: use io.StringIO(text, newline=None)"
            )
            self.line = ""

    def tags(self) -> Iterator[tuple[str, str]]:
        """The tags, up to the moves or the next game."""
        empty_lines = 0
        place: int | None = None
        while self.line:
            tag = _PLAIN_LINE.fullmatch(self.line)
            if tag and not self._is_after_gap:
                # Nearly all lines are of this form, which is read fast.
                empty_lines = 0
                self._names.add(tag[1])
                yield tag[1], tag[2]
                self.line = self.handle.readline()
                continue
            self.line = self.line.lstrip(FILE_MARKS)
            if self.line.startswith("%"):
                pass
            elif self.line.strip():
                if self._is_next_game(empty_lines) and unread(self._file, self.line, place):
                    self.line = ""
                    return
                empty_lines = 0
                tags, moves = self._line_of_tags()
                yield from tags
                if moves is not None:
                    self.line = moves
                    return
            else:
                empty_lines += 1
                self._is_after_gap = bool(self._names)
            if self._is_after_gap:
                place = self.handle.place()
            self.line = self.handle.readline()

    def _is_next_game(self, empty_lines: int) -> bool:
        """Does the line begin the next game, since this one has no moves?"""
        line = self.line.lstrip()
        if not self._is_after_gap or not (tag := _TAG_NAME.match(line)):
            return False
        if empty_lines > 1 or tag[1] == "Event":
            return True
        # A heading such as `[White to move]` is no tag.
        return tag[1] in self._names and bool(_OPEN_TAG.match(line))

    def _line_of_tags(self) -> tuple[list[tuple[str, str]], str | None]:
        """The tags of a line, and its rest if the moves begin there."""
        tags: list[tuple[str, str]] = []
        has_tags, at = False, 0
        while found := _NO_SPACE.search(self.line, at):
            sign, at = found[0], found.start()
            if sign == ";":
                self.comments.append(self.line[at + 1 :].rstrip(" \t\r\n"))
                break
            if sign == "{":
                at = self._comment(at + 1)
            elif sign == "[":
                has_tags = True
                tag, at = self._tag(at)
                tags += [tag] if tag else []
            else:
                part = _NEXT_PART.search(self.line, at)
                end = part.start() if part else len(self.line)
                word = _FIRST_WORD.search(self.line, at, end) if has_tags else found
                if word:
                    # Behind a comment, a percent sign is not at the start of a line.
                    at = word.start()
                    return tags, f" {self.line[at:]}" if at else self.line
                at = end
        return tags, None

    def _comment(self, at: int) -> int:
        """Reads a comment, and returns the place after it in what is then the line."""
        text, line, at = comment(self.handle, self.line, at)
        self.comments.append(text)
        self.is_open = line is None and bool(text.strip())
        self.line = line or ""
        return at

    def _tag(self, at: int) -> tuple[tuple[str, str] | None, int]:
        """The tag at this place, unless it is malformed, and the place after it."""
        tag = _TAG.match(self.line, at) or _LINE_OF_TAG.fullmatch(self.line, at)
        if tag:
            # A tag has no line breaks, and one such as "\r" is not the end of a line here.
            value = _ESCAPED.sub(r"\1", tag[2]).replace("\r", " ")
            self._found(tag[1])
            return (tag[1], value), tag.end()
        name = _TAG_NAME.match(self.line, at)
        if name and name[1] in ("FEN", "Variant"):
            self._found(name[1])
            if not self.error:
                text = shortened(self.line[at:].strip())
                self.error = ValueError(f"malformed tag: {text!r}")
        if _OPEN_TAG.match(self.line, at):
            return None, self._rest_of_value()
        end = self.line.find("]", at)
        return None, end + 1 if end >= 0 else len(self.line)

    def _rest_of_value(self) -> int:
        """The place after a tag that its own line does not close, in what is then the line.

        A value with line breaks ends before the next tag and before an empty line. If it does not, only
        those lines below the tag are dropped that hold no moves.
        """
        lines: list[tuple[int | None, str]] = []
        while True:
            place = self.handle.place()
            line = self.handle.readline()
            lines.append((place, line))
            is_last = not line.strip() or len(lines) == _MOST_LINES
            if is_last or _OPEN_TAG.match(line.lstrip()):
                break
            if end := _END_OF_TAG.search(line):
                self.line = line
                return end.end()
        *below, last = lines
        moves = itertools.dropwhile(lambda below: not _is_of_moves(below[1]), below)
        self.handle = Ahead(self._file, [*moves, last])
        return len(self.line)

    def _found(self, name: str) -> None:
        """A tag of the game."""
        self._names.add(name)
        self._is_after_gap = False


def _is_of_moves(line: str) -> bool:
    """Are there moves in a line below a tag that is not closed?"""
    return bool(_LINE_OF_MOVES.match(line) or _FIRST_WORD.match(line.lstrip()))


def is_no_tag(line: str) -> bool:
    """Is this a line in brackets that is no tag, which makes no game?"""
    return bool(_NO_TAG.fullmatch(line))

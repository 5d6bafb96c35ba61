"""The head of a game, which ends where the moves begin: its tags, and the comments between them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TextIO

from ._lines import comment

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
#: The first move of a game, behind a tag in its line.
_FIRST_MOVE = re.compile(r"1\s*\.+\s*[A-Za-z0♔-♟]")
_NEXT_PART = re.compile(r"[\[{;]")
#: Files may have been put together with the mark at the start of each, or the sign for the end of a
#: file in DOS at its end.
FILE_MARKS = "\ufeff\x1a"

#: The greatest length of a text in an error.
_LONGEST_TEXT = 40


def shortened(text: str) -> str:
    """A text in an error."""
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"


class Head:
    """The tags of a game, and the comments before its moves."""

    def __init__(self, handle: TextIO, line: str) -> None:
        self.handle = handle
        #: The current line; after the tags, the one with the first moves.
        self.line = line
        self.comments: list[str] = []
        #: Does the last comment lack its closing brace?
        self.is_open = False
        #: Why the start position is not known.
        self.error: ValueError | None = None
        self._names: set[str] = set()
        self._has_tags = False
        #: Does the last line end within a tag?
        self._is_cut = False
        #: Is there an empty line after the last tag?
        self._is_after_gap = False
        #: The offset of the current line, if it is after such a line and the file can go back.
        self._offset: int | None = None

    def tags(self) -> Iterator[tuple[str, str]]:
        """The tags, up to the moves or the next game."""
        is_after_empty = False
        while self.line:
            tag = _PLAIN_LINE.fullmatch(self.line)
            if tag and not self._is_after_gap:
                # Nearly all lines are of this form, which is read fast.
                self._has_tags, is_after_empty, self._is_cut = True, False, False
                self._names.add(tag[1])
                yield tag[1], tag[2]
                self.line = self.handle.readline().lstrip(FILE_MARKS)
                continue
            if self.line.startswith("%"):
                pass
            elif self.line.strip():
                if self._is_next_game():
                    self.line = ""
                    return
                is_after_empty = False
                tags, moves = self._line_of_tags()
                yield from tags
                if moves is not None:
                    self.line = moves
                    return
            elif is_after_empty:
                # The second empty line in a row ends a game without moves.
                return
            else:
                is_after_empty, self._is_cut = True, False
                self._is_after_gap = self._has_tags
            self._offset = _offset(self.handle) if self._is_after_gap else None
            self.line = self.handle.readline().lstrip(FILE_MARKS)

    def _is_next_game(self) -> bool:
        """Does the line begin the next game? If so, the file goes back to it: this one has no moves."""
        if self._offset is None:
            return False
        tag = _TAG_NAME.match(self.line.lstrip())
        if not tag or (tag[1] != "Event" and tag[1] not in self._names):
            return False
        self.handle.seek(self._offset)
        return True

    def _line_of_tags(self) -> tuple[list[tuple[str, str]], str | None]:
        """The tags of a line, and its rest if the moves begin there."""
        tags: list[tuple[str, str]] = []
        has_tags, at = False, 0
        is_cut, self._is_cut = self._is_cut, False
        if is_cut and self.line.lstrip()[0] != "[" and self.line.rstrip().endswith('"]'):
            return tags, None
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
            elif not has_tags or _FIRST_MOVE.match(self.line, at):
                # Behind a comment, a percent sign is not at the start of a line.
                return tags, f" {self.line[at:]}" if at else self.line
            else:
                part = _NEXT_PART.search(self.line, at)
                at = part.start() if part else len(self.line)
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
        self._has_tags, self._is_after_gap = True, False
        if name := _TAG_NAME.match(self.line, at):
            self._names.add(name[1])
        tag = _TAG.match(self.line, at) or _LINE_OF_TAG.fullmatch(self.line, at)
        if tag:
            # A tag has no line breaks, and one such as "\r" is not the end of a line here.
            value = _ESCAPED.sub(r"\1", tag[2]).replace("\r", " ")
            return (tag[1], value), tag.end()
        if name and name[1] in ("FEN", "Variant"):
            text = shortened(self.line[at:].strip())
            self.error = self.error or ValueError(f"malformed tag: {text!r}")
        if _OPEN_TAG.match(self.line, at):
            self._is_cut = True
            return None, len(self.line)
        end = self.line.find("]", at)
        return None, end + 1 if end >= 0 else len(self.line)


def _offset(handle: TextIO) -> int | None:
    """The current place in a file, if it can go back there."""
    try:
        # Other objects, such as those of ``codecs``, do not count what they have read ahead.
        return handle.tell() if isinstance(handle, io.TextIOBase) and handle.seekable() else None
    except OSError:
        return None

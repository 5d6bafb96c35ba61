"""The tags of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any, Self, TypeVar, cast, overload

from .._tabiya import Board, variant_is_chess960
from .visitors import SKIP, BaseVisitor, SkipType

#: The tags that every game has, in this order.
TAG_ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
_UNKNOWN = {"Date": "????.??.??", "Result": "*"}
_NAME = re.compile(r"[A-Za-z0-9_+#=:-]+")
#: Values of ``FEN`` that mean the usual start.
_STARTS = {"", "?", "-", "*", "startpos"}

HeadersT = TypeVar("HeadersT", bound="Headers")


def _text(value: object) -> str:
    """A value as text: a round is often given as a number."""
    return str.__str__(value) if isinstance(value, str) else str(value)


class Headers(MutableMapping[str, str]):
    """The tags of a game: those of the roster first, the others in their order.

    >>> from tabiya.pgn import Headers
    >>> headers = Headers()
    >>> headers["WhiteElo"] = "2700"
    >>> list(headers)[4:]
    ['White', 'Black', 'Result', 'WhiteElo']
    """

    def __init__(
        self,
        data: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
        **kwargs: str,
    ) -> None:
        self._roster: dict[str, str] = {}
        self._others: dict[str, str] = {}
        if data is None and not kwargs:
            data = {name: _UNKNOWN.get(name, "?") for name in TAG_ROSTER}
        self.update(data or {}, **kwargs)

    def _is_chess960(self) -> bool | None:
        return variant_is_chess960(self.get("Variant", ""))

    def is_chess960(self) -> bool:
        """Does the tag ``Variant`` name Chess960?"""
        return bool(self._is_chess960())

    def is_wild(self) -> bool:
        """Does the tag ``Variant`` name chess from another start position, such as ``wild/1``?"""
        return self._is_chess960() is False and "wild" in self.get("Variant", "").lower()

    def variant(self) -> type[Board]:
        """``Board``. Raises ``ValueError`` for games with other rules."""
        if self._is_chess960() is None:
            raise ValueError(f"unsupported variant: {self['Variant']}")
        return Board

    def board(self) -> Board:
        """The start position. Raises ``ValueError`` if the tags do not give one."""
        variant, chess960 = self.variant(), self.is_chess960()
        fen = self.get("FEN", "").strip()
        if fen in _STARTS or self.get("SetUp") == "0":
            return variant(chess960=chess960)
        board = variant(fen, chess960=chess960)
        if not chess960:
            # The tag may be missing although the castling rights need it.
            board.chess960 = Board(fen, chess960=True).has_chess960_castling_rights()
        return board

    def __setitem__(self, key: str, value: str) -> None:
        if not _NAME.fullmatch(key):
            raise ValueError(f"a tag cannot have this name: {key!r}")
        text = _text(value)
        if "\n" in text or "\r" in text:
            raise ValueError(f"a tag cannot have a line break: {key} {value!r}")
        (self._roster if key in TAG_ROSTER else self._others)[key] = text

    def __getitem__(self, key: str) -> str:
        return self._roster[key] if key in TAG_ROSTER else self._others[key]

    def __delitem__(self, key: str) -> None:
        del (self._roster if key in TAG_ROSTER else self._others)[key]

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in TAG_ROSTER if name in self._roster)
        yield from self._others

    def __len__(self) -> int:
        return len(self._roster) + len(self._others)

    def copy(self) -> Self:
        """A copy."""
        return type(self)(self)

    def __copy__(self) -> Self:
        return self.copy()

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={value!r}" for name, value in self.items())
        return f"{type(self).__name__}({parts})"

    @classmethod
    def builder(cls: type[HeadersT]) -> HeadersBuilder[HeadersT]:
        """A visitor that reads headers of this class."""
        return HeadersBuilder(Headers=cls)


_Headers = Headers


class HeadersBuilder(BaseVisitor[HeadersT]):
    """Reads the headers and skips the moves."""

    @overload
    def __init__(self: HeadersBuilder[Headers], *, Headers: None = None) -> None: ...
    @overload
    def __init__(self, *, Headers: type[HeadersT]) -> None: ...

    def __init__(self, *, Headers: Any = None) -> None:
        self.Headers = cast("Any", Headers or _Headers)
        self.headers: HeadersT = self.Headers({})

    def begin_headers(self) -> HeadersT:
        self.headers = self.Headers({})
        return self.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.headers[tagname] = tagvalue

    def end_headers(self) -> SkipType:
        return SKIP

    def result(self) -> HeadersT:
        return self.headers

"""The sources of ``read_pgn``, and the decompression of compressed ones."""

from __future__ import annotations

import io
import os
import re
import stat
import zlib
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, cast

__all__ = ["Damage", "open_source"]

#: The number of bytes that suffice to recognise any format.
_LONGEST = 6
#: Archives of several files, by their first bytes.
_ARCHIVES = {b"PK\x03\x04": "zip", b"7z\xbc\xaf\x27\x1c": "7-Zip", b"Rar!\x1a\x07": "RAR"}
#: The number of compressed bytes to read at a time.
_BLOCK = 1 << 14
#: The most bytes to decompress at a time. An error loses those that were decompressed with it.
_STEP = 1 << 13
#: The base-two logarithm of the largest window of zstd, which its decompressors refuse unless asked.
_ZSTD_WINDOW_LOG = 31


class Damage(Exception):
    """Compressed data cannot be decompressed any further.

    The place is the end of the decompressed data. ``read_pgn`` turns this into a ``PgnError``.
    """

    def __init__(self, reason: str, line: int, column: int, byte: int) -> None:
        super().__init__(reason, line, column, byte)
        self.reason, self.line, self.column, self.byte = reason, line, column, byte


def open_source(source: Any) -> tuple[Any, str | None, bool]:
    """The source to read from, its name for errors, and whether it has to be closed.

    The source is the path of a file that is not compressed, ``bytes``, or an object with a method
    ``read``.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(cast("Any", source))
        format = _format(data[:_LONGEST])
        return (data if format is None else _Decompressor(*format, io.BytesIO(data))), None, False
    if isinstance(source, (str, os.PathLike)):
        return _open_path(os.fspath(source))
    if not callable(getattr(source, "read", None)):
        kind = type(source).__name__
        raise TypeError(
            f"expected a path, bytes or an object with a method read as source, not {kind}"
        )
    name = getattr(source, "name", None)
    # The object is the caller's to close.
    return _open_object(source), name if isinstance(name, str) else None, False


def _open_object(source: Any) -> _Source | _Decompressor:
    """The object to read, decompressed if need be."""
    start = source.read(_LONGEST)
    if isinstance(start, str):
        return _Source(io.StringIO(start, newline=""), source)
    if not isinstance(start, bytes):
        kind = type(start).__name__
        raise TypeError(f"expected bytes or str from the method read, not {kind}")
    while 0 < len(start) < _LONGEST:
        more = source.read(_LONGEST - len(start))
        if not more:
            break
        start += more
    format = _format(start)
    whole = _Source(io.BytesIO(start), source)
    return whole if format is None else _Decompressor(*format, whole)


def _open_path(path: str | bytes) -> tuple[Any, str | None, bool]:
    name = os.fsdecode(path)
    try:
        file = _File(path)
    except (OSError, ValueError):
        if _is_pgn(name):
            shown = name if len(name) <= 40 else f"{name[:40]}..."
            raise ValueError(
                f"expected the path of a file, not the games themselves: {shown!r}; a text is read "
                "from io.StringIO(text)"
            ) from None
        raise
    opened = _open_object(file)
    if isinstance(opened, _Decompressor) or not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        # A pipe or a device cannot be opened twice.
        return opened, name, True
    file.close()
    return name, name, False


def _is_pgn(text: str) -> bool:
    """Does a text look like games rather than like a path?"""
    first_move = r"1\.(\s?\.\.)?\s?(O-O|[KQRBN]?[a-h1-8]{0,2}x?[a-h][1-8]\b)"
    return "\n" in text or re.match(rf"\s*(\[\w+\s+\"|{first_move})", text) is not None


def _format(start: bytes) -> tuple[str, Callable[[], Any]] | None:
    """The name of a format and a function that makes its decompressor, by the first bytes of a file.

    ``None`` if it is not compressed.
    """
    for mark, kind in _ARCHIVES.items():
        if start.startswith(mark):
            raise ValueError(f"the source is a {kind} archive, which is not supported; unpack it first")
    if start.startswith(b"\x1f\x8b"):
        # The format with the header and the checksum of gzip.
        return "gzip", partial(zlib.decompressobj, wbits=zlib.MAX_WBITS | 16)
    if start.startswith(b"BZh"):
        return "bzip2", _built_in("bz2", "BZ2Decompressor")
    if start.startswith(b"\xfd7zXZ\x00"):
        return "xz", _built_in("lzma", "LZMADecompressor")
    is_skippable = len(start) >= 4 and 0x50 <= start[0] <= 0x5F and start[1:4] == b"\x2a\x4d\x18"
    if start.startswith(b"\x28\xb5\x2f\xfd") or is_skippable:
        return "zstd", _zstd()
    return None


def _built_in(module: str, name: str) -> Callable[[], Any]:
    """A decompressor of the standard library. Where a library was missing, Python is built without it."""
    try:
        return cast("Callable[[], Any]", getattr(import_module(module), name))
    except ImportError:
        raise ImportError(
            f"the games are compressed, and this Python was built without the module {module}"
        ) from None


def _zstd() -> Callable[[], Any]:
    module: Any
    try:
        module = import_module("compression.zstd")
    except ImportError:
        pass
    else:
        limit = {module.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
        return partial(module.ZstdDecompressor, options=limit)
    try:
        module = import_module("zstandard")
    except ImportError:
        raise ImportError(
            "the games are compressed with zstd: use Python 3.14, or install the package zstandard"
        ) from None
    return partial(_Zstandard, module)


class _Zstandard:
    """A decompressor of the package zstandard, with the methods of those of Python."""

    def __init__(self, module: Any) -> None:
        self._frame = module.ZstdDecompressor(max_window_size=1 << _ZSTD_WINDOW_LOG).decompressobj()

    def decompress(self, data: bytes, max_length: int) -> bytes:
        decompressed: bytes = self._frame.decompress(data)
        return decompressed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._frame, name)


class _File(io.FileIO):
    """A file that is closed with its reader, without a warning."""

    def __del__(self) -> None:
        self.close()


class _Source:
    """The text or the bytes that were read first, and then the rest of an object."""

    def __init__(self, start: io.StringIO | io.BytesIO, rest: Any) -> None:
        # An object may have returned gigabytes at once.
        self._start, self._rest = start, rest

    def read(self, size: int) -> Any:
        return self._start.read(size) or self._rest.read(size)

    def close(self) -> None:
        self._rest.close()


class _Decompressor:
    """Decompresses streams that follow each other, and reports the place of damage.

    Python's own files lose up to a block of decompressed data before an error, and some mistake
    damage at the beginning of a further stream for the end of the data.
    """

    def __init__(self, format: str, start: Callable[[], Any], source: Any) -> None:
        self._format, self._start, self._source = format, start, source
        #: ``None`` between two streams.
        self._stream: Any = None
        #: Bytes that no stream has taken.
        self._compressed = b""
        #: May the stream hold more of what it has taken?
        self._is_full = False
        self._line, self._column, self._byte = 1, 1, 0

    def read(self, size: int) -> bytes:
        while True:
            if not self._compressed and not self._is_full:
                self._compressed = self._source.read(_BLOCK)
                if not self._compressed and self._stream is None:
                    return b""
                if not self._compressed:
                    raise self._damage("ends too early, so games are missing")
            data = self._decompress()
            if data:
                return data

    def _decompress(self) -> bytes:
        """Decompresses a step."""
        if self._stream is None:
            self._stream = self._start()
        try:
            data: bytes = self._stream.decompress(self._compressed, _STEP)
        except Exception as error:
            raise self._damage(f"is damaged: {error}") from error
        self._is_full = len(data) >= _STEP
        if self._stream.eof:
            self._compressed = self._stream.unused_data
            self._stream, self._is_full = None, False
        else:
            # Only that of gzip returns what it has not used.
            self._compressed = getattr(self._stream, "unconsumed_tail", b"")
        lines = data.count(b"\n")
        self._line += lines
        self._column = len(data) - data.rfind(b"\n") if lines else self._column + len(data)
        self._byte += len(data)
        return data

    def _damage(self, what: str) -> Damage:
        return Damage(f"the {self._format} data {what}", self._line, self._column, self._byte)

    def close(self) -> None:
        self._source.close()

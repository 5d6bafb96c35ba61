"""The sources of ``read_pgn``, and the decompression of compressed ones."""

from __future__ import annotations

import bz2
import io
import lzma
import os
import re
import stat
import zlib
from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

__all__ = ["Damage", "open_source"]

#: The number of bytes that suffice to recognise any format.
_LONGEST = 6
#: The number of compressed bytes to read at a time.
_BLOCK = 1 << 16


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
        if format is None:
            return data, None, False
        return _Decompressor(*format, _Source(b"", io.BytesIO(data))), None, True
    if isinstance(source, (str, os.PathLike)):
        return _open_path(os.fspath(source))
    if not callable(getattr(source, "read", None)):
        kind = type(source).__name__
        raise TypeError(
            f"expected a path, bytes or an object with a method read as source, not {kind}"
        )
    name = getattr(source, "name", None)
    name = name if isinstance(name, str) else None
    start = source.read(_LONGEST)
    if isinstance(start, str):
        return _Source(start, source), name, False
    if not isinstance(start, bytes):
        kind = type(start).__name__
        raise TypeError(f"expected bytes or str from the method read, not {kind}")
    while 0 < len(start) < _LONGEST:
        more = source.read(_LONGEST - len(start))
        if not more:
            break
        start += more
    rest = _Source(start, source)
    format = _format(start)
    # The decompressor has to be closed, but not the caller's object.
    return (rest, name, False) if format is None else (_Decompressor(*format, rest), name, True)


def _open_path(path: str | bytes) -> tuple[Any, str | None, bool]:
    name = os.fsdecode(path)
    try:
        file = open(path, "rb", buffering=0)
    except (OSError, ValueError):
        if _is_pgn(name):
            shown = name if len(name) <= 40 else f"{name[:40]}..."
            raise ValueError(
                f"expected the path of a file, not the games themselves: {shown!r}; a text is read "
                "from io.StringIO(text)"
            ) from None
        raise
    try:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            # A pipe or a device cannot be opened twice. Python's reads obey Ctrl-C.
            opened, _, _ = open_source(file)
            return _Both(opened, file), name, True
        format = _format(file.read(_LONGEST))
        if format is None:
            file.close()
            return name, name, False
        file.seek(0)
        return _Both(_Decompressor(*format, _Source(b"", file)), file), name, True
    except BaseException:
        file.close()
        raise


def _is_pgn(text: str) -> bool:
    """Does a text look like games rather than like a path?"""
    first_move = r"1\.(\s?\.\.)?\s?(O-O|[KQRBN]?[a-h1-8]{0,2}x?[a-h][1-8]\b)"
    return "\n" in text or re.match(rf"\s*(\[\w+\s+\"|{first_move})", text) is not None


def _format(start: bytes) -> tuple[str, Callable[[Any], Any]] | None:
    """The name and the decompressor of a format, recognised by the first bytes of a file.

    ``None`` if it is not compressed.
    """
    if start.startswith(b"\x1f\x8b"):
        return "gzip", lambda file: _Streams(file, _GzipDecompressor)
    if start.startswith(b"BZh"):
        return "bzip2", lambda file: _Streams(file, bz2.BZ2Decompressor)
    if start.startswith(b"\xfd7zXZ\x00"):
        return "xz", lambda file: _Streams(file, lzma.LZMADecompressor)
    is_skippable = len(start) >= 4 and 0x50 <= start[0] <= 0x5F and start[1:4] == b"\x2a\x4d\x18"
    if start.startswith(b"\x28\xb5\x2f\xfd") or is_skippable:
        return "zstd", _zstd
    return None


def _zstd(file: Any) -> Any:
    module: Any
    try:
        module = import_module("compression.zstd")
    except ImportError:
        pass
    else:
        return _Streams(file, module.ZstdDecompressor)
    try:
        module = import_module("zstandard")
    except ImportError:
        raise ImportError(
            "the games are compressed with zstd: use Python 3.14, or install the package zstandard"
        ) from None
    decompressor = module.ZstdDecompressor(max_window_size=1 << 31)
    frames = _ZstdFrames(file)
    reader = decompressor.stream_reader(frames, read_across_frames=True, closefd=False)
    return _WholeFrames(reader, frames)


def _are_bytes(data: object) -> bool:
    return isinstance(data, (bytes, bytearray, memoryview))


class _Source:
    """The bytes that were read first, and then the rest of an object."""

    def __init__(self, start: Any, source: Any) -> None:
        self._start, self._source = start, source
        #: The number of the first bytes that have been passed on.
        self._at = 0
        #: The exception that the object raised.
        self.error: BaseException | None = None
        #: Are the data decompressed? Then they cannot be text.
        self.is_compressed = False

    def read(self, size: int = -1) -> Any:
        at = self._at
        if at < len(self._start):
            # An object may have returned gigabytes at once.
            self._at = len(self._start) if size < 0 else at + size
            return self._start[at : self._at]
        try:
            data = self._source.read(size)
            if self.is_compressed and not _are_bytes(data):
                kind = type(data).__name__
                raise TypeError(f"expected bytes from the method read, not {kind}")
            return data
        except BaseException as error:
            self.error = error
            raise

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        pass

    closed = False


class _Decompressor:
    """Decompresses a source, and reports the place where it ends too early."""

    def __init__(self, format: str, open: Callable[[Any], Any], source: _Source) -> None:
        self._format, self._source = format, source
        source.is_compressed = True
        self._reader = open(source)
        self._line, self._column, self._byte = 1, 1, 0

    def read(self, size: int = -1) -> Any:
        try:
            data = self._reader.read(size)
        except Exception as error:
            if error is self._source.error or isinstance(error, MemoryError):
                raise
            if isinstance(error, EOFError):
                reason = f"the {self._format} data ends too early, so games are missing"
            else:
                reason = f"the {self._format} data is damaged: {error}"
            raise Damage(reason, self._line, self._column, self._byte) from error
        lines = data.count(b"\n")
        if lines:
            self._line += lines
            self._column = len(data) - data.rfind(b"\n")
        else:
            self._column += len(data)
        self._byte += len(data)
        return data

    def close(self) -> None:
        self._reader.close()


class _Streams:
    """Decompresses streams that follow each other.

    Python's own files lose up to a block of decompressed data before an error, and some mistake
    damage at the beginning of a further stream for the end of the data.
    """

    def __init__(self, file: Any, start: Callable[[], Any]) -> None:
        self._file, self._start = file, start
        #: ``None`` between two streams.
        self._decompressor: Any = None
        #: The data after the last stream.
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        while True:
            if self._decompressor is None:
                data = self._rest or self._file.read(_BLOCK)
                self._rest = b""
                if not data:
                    return b""
                # There may be zeros between streams.
                data = data.lstrip(b"\0")
                if not data:
                    continue
                self._decompressor = self._start()
            elif self._decompressor.needs_input:
                data = self._file.read(_BLOCK)
                if not data:
                    raise EOFError("the file ends within a stream")
            else:
                data = b""
            decompressed: bytes = self._decompressor.decompress(data, size)
            if self._decompressor.eof:
                self._rest = self._decompressor.unused_data
                self._decompressor = None
            if decompressed:
                return decompressed

    def close(self) -> None:
        self._decompressor = None


class _GzipDecompressor:
    """``zlib`` in the form of Python's other decompressors."""

    def __init__(self) -> None:
        # The format with the header and the checksum of gzip.
        self._object = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        self.needs_input = True

    def decompress(self, data: bytes, size: int) -> bytes:
        data = self._object.unconsumed_tail + data
        decompressed = self._object.decompress(data, max(size, 0))
        # After a full block, more decompressed data may be waiting.
        self.needs_input = not self._object.unconsumed_tail and len(decompressed) != size
        return decompressed

    @property
    def eof(self) -> bool:
        return self._object.eof

    @property
    def unused_data(self) -> bytes:
        return self._object.unused_data


class _ZstdFrames:
    """Passes on the frames of zstd, and knows whether the last one is complete.

    The package zstandard takes the end of the file for the end of the last frame. RFC 8878
    specifies the length of a frame.
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        #: The number of bytes before the next header.
        self._skipped = 0
        #: The bytes of the current header, of a frame or a block, that have been read so far.
        self._header = b""
        #: A function that reads the next header and returns whether it was complete.
        self._next = self._frame
        #: The number of bytes of the checksum at the end of the frame.
        self._checksum = 0

    def is_between_frames(self) -> bool:
        """Does a frame end here?"""
        return self._next == self._frame and not self._header and not self._skipped

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._file.read(size)
        at = 0
        while at < len(data):
            if self._skipped:
                step = min(self._skipped, len(data) - at)
                self._skipped -= step
                at += step
            else:
                # Headers are short, so they can be read byte by byte.
                self._header += data[at : at + 1]
                at += 1
                if self._next(self._header):
                    self._header = b""
        return data

    def _frame(self, header: bytes) -> bool:
        """Reads the header of a frame."""
        if len(header) < 5:
            return False
        if header[1:4] == b"\x2a\x4d\x18":
            if len(header) < 8:
                return False
            self._skipped = int.from_bytes(header[4:8], "little")
            return True
        descriptor = header[4]
        is_single = descriptor >> 5 & 1
        content_size = (is_single, 2, 4, 8)[descriptor >> 6]
        dictionary = (0, 1, 2, 4)[descriptor & 3]
        self._skipped = 1 - is_single + dictionary + content_size
        self._checksum = 4 * (descriptor >> 2 & 1)
        self._next = self._block
        return True

    def _block(self, header: bytes) -> bool:
        """Reads the header of a block."""
        if len(header) < 3:
            return False
        fields = int.from_bytes(header, "little")
        is_repeated = fields >> 1 & 3 == 1
        self._skipped = 1 if is_repeated else fields >> 3
        if fields & 1:
            self._skipped += self._checksum
            self._next = self._frame
        return True


class _WholeFrames:
    """A decompressor that must not end within a frame."""

    def __init__(self, reader: Any, frames: _ZstdFrames) -> None:
        self._reader, self._frames = reader, frames

    def read(self, size: int = -1) -> Any:
        # The method `read` would lose the data before an error.
        data = self._reader.read1(size)
        if not data and size != 0 and not self._frames.is_between_frames():
            raise EOFError("the file ends within a frame")
        return data

    def close(self) -> None:
        self._reader.close()


class _Both:
    """A decompressor and the file below it."""

    def __init__(self, reader: Any, file: Any) -> None:
        self._reader, self._file = reader, file

    def read(self, size: int = -1) -> Any:
        return self._reader.read(size)

    def close(self) -> None:
        try:
            self._reader.close()
        finally:
            self._file.close()

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
from typing import Any, NoReturn, cast

__all__ = ["Damage", "open_source"]

#: The number of bytes that suffice to recognise any format.
_LONGEST = 6
#: Archives of several files, by their first bytes.
_ARCHIVES = {b"PK\x03\x04": "zip", b"7z\xbc\xaf\x27\x1c": "7-Zip", b"Rar!\x1a\x07": "RAR"}
#: The number of compressed bytes to read at a time.
_BLOCK = 1 << 16
#: The most bytes to decompress at a time. An error loses those that were decompressed with it, except
#: in gzip, whose decompressors can be copied.
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
        if format is None:
            return data, None, False
        return _Decompressor(*format, _Source(b"", io.BytesIO(data), is_ours=True)), None, True
    if isinstance(source, (str, os.PathLike)):
        return _open_path(os.fspath(source))
    return _open_object(source, is_ours=False)


def _open_object(source: Any, is_ours: bool) -> tuple[Any, str | None, bool]:
    if not callable(getattr(source, "read", None)):
        kind = type(source).__name__
        raise TypeError(
            f"expected a path, bytes or an object with a method read as source, not {kind}"
        )
    name = getattr(source, "name", None)
    name = name if isinstance(name, str) else None
    start = source.read(_LONGEST)
    if isinstance(start, str):
        return _Source(start, source, is_ours), name, False
    if not isinstance(start, bytes):
        kind = type(start).__name__
        raise TypeError(f"expected bytes or str from the method read, not {kind}")
    while 0 < len(start) < _LONGEST:
        more = source.read(_LONGEST - len(start))
        if not more:
            break
        start += more
    rest = _Source(start, source, is_ours)
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
            opened, _, _ = _open_object(file, is_ours=True)
            return _Both(opened, file), name, True
        format = _format(file.read(_LONGEST))
        if format is None:
            file.close()
            return name, name, False
        file.seek(0)
        source = _Source(b"", file, is_ours=True)
        return _Both(_Decompressor(*format, source), file), name, True
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
    for mark, kind in _ARCHIVES.items():
        if start.startswith(mark):
            raise ValueError(f"the source is a {kind} archive, which is not supported; unpack it first")
    if start.startswith(b"\x1f\x8b"):
        return "gzip", lambda file: _Streams(file, _gzip)
    if start.startswith(b"BZh"):
        return "bzip2", lambda file: _Streams(file, _built_in("bz2", "BZ2Decompressor"))
    if start.startswith(b"\xfd7zXZ\x00"):
        return "xz", lambda file: _Streams(file, _built_in("lzma", "LZMADecompressor"))
    is_skippable = len(start) >= 4 and 0x50 <= start[0] <= 0x5F and start[1:4] == b"\x2a\x4d\x18"
    if start.startswith(b"\x28\xb5\x2f\xfd") or is_skippable:
        return "zstd", _zstd
    return None


def _gzip() -> Any:
    # The format with the header and the checksum of gzip.
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


def _built_in(module: str, name: str) -> Any:
    """A decompressor of the standard library. Where a library was missing, Python is built without it."""
    try:
        return getattr(import_module(module), name)
    except ImportError:
        raise ImportError(
            f"the games are compressed, and this Python was built without the module {module}"
        ) from None


def _zstd(file: Any) -> Any:
    module: Any
    try:
        module = import_module("compression.zstd")
    except ImportError:
        pass
    else:
        limit = {module.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
        return _Streams(file, partial(module.ZstdDecompressor, options=limit))
    try:
        module = import_module("zstandard")
    except ImportError:
        raise ImportError(
            "the games are compressed with zstd: use Python 3.14, or install the package zstandard"
        ) from None
    decompressor = module.ZstdDecompressor(max_window_size=1 << _ZSTD_WINDOW_LOG)
    frames = _ZstdFrames(file)
    reader = decompressor.stream_reader(frames, read_across_frames=True, closefd=False)
    return _WholeFrames(reader, frames)


def _are_bytes(data: object) -> bool:
    return isinstance(data, (bytes, bytearray, memoryview))


def _keep(results: list[Any], function: Callable[..., Any], *arguments: Any) -> None:
    """Adds the result of a function to a list.

    The handler of a signal may raise an exception after any call in Python, which loses the result.
    There is no such moment here if the function is written in C.
    """
    results.extend(map(function, *zip(arguments)))


class _Source:
    """The bytes that were read first, and then the rest of an object.

    An exception of a signal handler loses nothing, unless it comes within the method ``read`` of an
    object of the caller.
    """

    def __init__(self, start: Any, source: Any, is_ours: bool) -> None:
        self._start, self._source, self._is_ours = start, source, is_ours
        #: The number of the first bytes that have been passed on.
        self._at = 0
        #: What has been read and not passed on: one block at most.
        self._kept: list[Any] = []
        #: The exception that the object raised.
        self.error: BaseException | None = None
        #: Are the data decompressed? Then they cannot be text.
        self.is_compressed = False

    def read(self, size: int = -1) -> Any:
        at = self._at
        if at < len(self._start):
            # An object may have returned gigabytes at once.
            end = len(self._start) if size < 0 else at + size
            data = self._start[at:end]
            # No signal is handled between here and the return, since nothing is called.
            self._at = end
            return data
        if self.error is not None:
            # A signal handler may have raised another exception in its place.
            raise self.error
        try:
            if self._is_ours and not self._kept:
                _keep(self._kept, self._source.read, size)
            elif not self._kept:
                self._kept = [self._source.read(size)]
        except StopIteration as error:
            # It would end the loop of `_keep`.
            self.error = RuntimeError("the method read raised StopIteration")
            raise self.error from error
        except BaseException as error:
            if not self._kept and (not self._is_ours or _is_of_file(error)):
                self.error = error
            raise
        data = self._kept[0]
        if self.is_compressed and not _are_bytes(data):
            kind = type(data).__name__
            self.error = TypeError(f"expected bytes from the method read, not {kind}")
            raise self.error
        self._kept = []
        return data

    def is_failure(self, error: BaseException) -> bool:
        """Is an exception of the method ``read`` the end? Otherwise a signal handler has raised it."""
        return error is self.error

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        pass

    closed = False


def _is_of_file(error: BaseException) -> bool:
    """Was an exception raised by a file, and not by the handler of a signal?"""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno is not None)


def _is_damage(error: BaseException) -> bool:
    """Was an exception raised by a decompressor, and not by the handler of a signal?

    A handler may well raise a ``TimeoutError``, which is an ``OSError``.
    """
    kind = type(error)
    return kind in (EOFError, OSError, zlib.error) or kind.__name__ in ("LZMAError", "ZstdError")


class _Decompressor:
    """Decompresses a source, and reports the place where it ends too early."""

    def __init__(self, format: str, open: Callable[[Any], Any], source: _Source) -> None:
        self._format, self._source = format, source
        source.is_compressed = True
        self._reader = open(source)
        self._line, self._column, self._byte = 1, 1, 0
        #: The exception that the reader raised, and what it means.
        self._error: Exception | None = None
        self._end: Damage | None = None

    def is_failure(self, error: BaseException) -> bool:
        """Is an exception of the method ``read`` the end? Otherwise a signal handler has raised it."""
        is_end = error is self._end or error is self._error or self._source.is_failure(error)
        return is_end or not self._reader.keeps_data

    def read(self, size: int) -> Any:
        data = b""
        if self._error is None:
            try:
                data = self._reader.read(size)
            except Exception as error:
                # It is kept first: a signal handler may raise another exception from here on, and then
                # this one is raised by the next call.
                self._error = error
        if self._error is not None:
            self._fail(self._error)
        lines = data.count(b"\n")
        if lines:
            line, column = self._line + lines, len(data) - data.rfind(b"\n")
        else:
            line, column = self._line, self._column + len(data)
        byte = self._byte + len(data)
        # No signal is handled between here and the return, since nothing is called.
        self._line, self._column, self._byte = line, column, byte
        self._reader.is_taken = True
        return data

    def _fail(self, error: Exception) -> NoReturn:
        """Raises the exception for one of the reader."""
        if error is self._source.error or type(error) is MemoryError:
            raise error
        if not _is_damage(error):
            # A signal handler has raised it.
            self._error = None
            raise error
        if isinstance(error, EOFError):
            reason = f"the {self._format} data ends too early, so games are missing"
        else:
            reason = f"the {self._format} data is damaged: {error}"
        self._end = Damage(reason, self._line, self._column, self._byte)
        raise self._end from error

    def close(self) -> None:
        self._reader.close()


class _Streams:
    """Decompresses streams that follow each other.

    Python's own files lose up to a block of decompressed data before an error, and some mistake
    damage at the beginning of a further stream for the end of the data.

    An exception of a signal handler may come after any call. Reading goes on after it.
    """

    keeps_data = True

    def __init__(self, source: _Source, start: Callable[[], Any]) -> None:
        self._source, self._start = source, start
        #: ``None`` between two streams.
        self._decompressor: Any = None
        #: Data to be decompressed: one block at most.
        self._compressed: list[bytes] = []
        #: Decompressed data: one block at most. If there is one, what it was made of is no longer
        #: needed.
        self._decompressed: list[bytes] = []
        #: Was that block as large as possible? Then the decompressor may hold more.
        self._is_full = False
        #: The most bytes to decompress at a time, if that is not the size of a block.
        self._most: int | None = None
        #: A copy of the decompressor before it was called, until it has given data. An error breaks the
        #: decompressor.
        self._spare: Any = None
        #: Has the block that was returned last been taken? Otherwise it is returned again.
        self.is_taken = False

    def read(self, size: int) -> bytes:
        if self.is_taken:
            self._decompressed, self._spare, self.is_taken = [], None, False
        while True:
            if not self._decompressed and not self._decompress(size):
                return b""
            data = self._decompressed[0]
            self._is_full = len(data) == self._size(size)
            if self._decompressor is not None:
                if self._decompressor.eof:
                    rest = self._decompressor.unused_data
                    self._compressed, self._decompressor = [rest] if rest else [], None
                else:
                    # Only that of gzip returns what it has not used.
                    rest = getattr(self._decompressor, "unconsumed_tail", b"")
                    self._compressed = [rest] if rest else []
            if data:
                return data
            self._decompressed, self._spare = [], None

    def _decompress(self, size: int) -> bool:
        """Decompresses a block. ``False`` at the end of the last stream."""
        while self._decompressor is None:
            if not self._fill():
                return False
            # There may be zeros between streams.
            data = self._compressed[0].lstrip(b"\0")
            if data:
                self._compressed, self._is_full = [data], False
                self._decompressor, self._spare = self._start(), None
            else:
                self._compressed = []
        needs_input = getattr(self._decompressor, "needs_input", True) and not self._is_full
        if needs_input and not self._fill():
            raise EOFError("the file ends within a stream")
        data = self._compressed[0] if self._compressed else b""
        while True:
            if self._spare is not None:
                self._decompressor = self._spare
            if hasattr(self._decompressor, "copy"):
                self._spare = self._decompressor.copy()
            step = self._size(size)
            try:
                _keep(self._decompressed, self._decompressor.decompress, data, step)
            except zlib.error:
                # Smaller steps give what can be decompressed before the damage.
                if step == 1:
                    raise
                self._most = step >> 4 or 1
            else:
                return True

    def _size(self, size: int) -> int:
        """The number of bytes to decompress at most."""
        if self._most is not None:
            return min(size, self._most)
        return size if hasattr(self._decompressor, "copy") else min(size, _STEP)

    def _fill(self) -> bool:
        """Reads a block, if there is none. ``False`` at the end of the file."""
        if not self._compressed:
            _keep(self._compressed, self._source.read, _BLOCK)
        if self._compressed[0]:
            return True
        self._compressed = []
        return False

    def close(self) -> None:
        self._decompressor = None


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
    """A decompressor that must not end within a frame.

    The package zstandard loses data if the handler of a signal raises an exception.
    """

    keeps_data = False
    is_taken = False

    def __init__(self, reader: Any, frames: _ZstdFrames) -> None:
        self._reader, self._frames = reader, frames

    def read(self, size: int = -1) -> Any:
        # The method `read` would lose the data before an error.
        data = self._reader.read1(min(size, _STEP))
        if not data and size != 0 and not self._frames.is_between_frames():
            raise EOFError("the file ends within a frame")
        return data

    def close(self) -> None:
        self._reader.close()


class _Both:
    """A decompressor and the file below it."""

    def __init__(self, reader: Any, file: Any) -> None:
        self._reader, self._file = reader, file
        #: No method of its own, where an exception of a signal handler might lose the result.
        self.read = reader.read

    def is_failure(self, error: BaseException) -> bool:
        is_failure: bool = self._reader.is_failure(error)
        return is_failure

    def close(self) -> None:
        try:
            self._reader.close()
        finally:
            self._file.close()

    # The native iterator cannot call a method when Python drops it after an exception.
    __del__ = close

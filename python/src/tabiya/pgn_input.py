"""Where ``read_pgn`` reads from, and how what is compressed is decompressed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

__all__ = ["open_source"]

#: The most bytes that are needed to recognise a format.
_LONGEST = 6


def open_source(source: Any) -> tuple[Any, str | None, bool]:
    """What to read from, its name for errors, and whether it has to be closed.

    What to read from is a path of a file that is not compressed, ``bytes``, or an object with a method
    ``read``.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(cast("Any", source))
        wrap = _format(data[:_LONGEST])
        return (data, None, False) if wrap is None else (wrap(io.BytesIO(data)), None, True)
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
        return _Rest(start, source), name, False
    if not isinstance(start, bytes):
        kind = type(start).__name__
        raise TypeError(f"expected bytes or str from the method read, not {kind}")
    while 0 < len(start) < _LONGEST:
        more = source.read(_LONGEST - len(start))
        if not more:
            break
        start += more
    rest = _Rest(start, source)
    wrap = _format(start)
    # The decompressor is closed, but not the caller's object.
    return (rest, name, False) if wrap is None else (wrap(rest), name, True)


def _open_path(path: str | bytes) -> tuple[Any, str | None, bool]:
    name = os.fsdecode(path)
    file = open(path, "rb", buffering=0)
    try:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            # A pipe or a device cannot be opened twice. Python's reads obey Ctrl-C.
            opened, _, _ = open_source(file)
            return _Both(opened, file), name, True
        wrap = _format(file.read(_LONGEST))
        if wrap is None:
            file.close()
            return name, name, False
        file.seek(0)
        return _Both(wrap(file), file), name, True
    except BaseException:
        file.close()
        raise


def _format(start: bytes) -> Callable[[Any], Any] | None:
    """What decompresses a file that begins with these bytes; ``None`` if it is not compressed."""
    if start.startswith(b"\x1f\x8b"):
        return lambda file: gzip.GzipFile(fileobj=file, mode="rb")
    if start.startswith(b"BZh"):
        return lambda file: bz2.BZ2File(file, "rb")
    if start.startswith(b"\xfd7zXZ\x00"):
        return lambda file: lzma.LZMAFile(file, "rb")
    is_skippable = len(start) >= 4 and 0x50 <= start[0] <= 0x5F and start[1:4] == b"\x2a\x4d\x18"
    if start.startswith(b"\x28\xb5\x2f\xfd") or is_skippable:
        return _zstd
    return None


def _zstd(file: Any) -> Any:
    module: Any
    try:
        module = import_module("compression.zstd")
    except ImportError:
        pass
    else:
        return module.ZstdFile(file, "rb")
    try:
        module = import_module("zstandard")
    except ImportError:
        raise ImportError(
            "the games are compressed with zstd: use Python 3.14, or install the package zstandard"
        ) from None
    decompressor = module.ZstdDecompressor(max_window_size=1 << 31)
    return decompressor.stream_reader(file, read_across_frames=True, closefd=False)


class _Rest:
    """What was read first, and then the rest of an object."""

    def __init__(self, start: Any, source: Any) -> None:
        self._start, self._source = start, source

    def read(self, size: int = -1) -> Any:
        start = self._start
        if start:
            taken = start if size < 0 else start[:size]
            self._start = start[len(taken) :]
            return taken
        return self._source.read(size)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        pass

    closed = False


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

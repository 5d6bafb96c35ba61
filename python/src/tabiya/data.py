"""Files of training data: positions with scores, results and moves, read, shuffled, filtered and written.

>>> import tempfile
>>> import tabiya
>>> batch = tabiya.Batch.random(1000, plies=20, seed=1)
>>> batch = batch[batch.outcomes() == 0]
>>> path = tempfile.mkdtemp() + "/positions.packed"
>>> tabiya.data.write(path, batch, scores=[25] * len(batch))
>>> for records in tabiya.data.open(path).batches(256, shuffle_buffer=512, seed=1):
...     planes, scores = records.batch.planes(), records.scores
>>> planes.shape[1:], int(scores[0])
((12, 8, 8), 25)
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from ._tabiya import (
    UNKNOWN_RESULT,
    Batch,
    DataBatches,
    Move,
    data_formats,
    read_data,
    write_data,
)
from .errors import DataError

__all__ = [
    "FORMATS",
    "NO_MOVE",
    "NO_SCORE",
    "UNKNOWN_RESULT",
    "Data",
    "DataBatches",
    "DataError",
    "Format",
    "Records",
    "open",
    "write",
]

#: The move of a record without one.
NO_MOVE: Final = 0
#: The score of a record without one.
NO_SCORE: Final = -32768
#: The largest score.
_MOST: Final = 32767

_Path: TypeAlias = str | os.PathLike[str]


class Records(NamedTuple):
    """Positions, and what a file says about each. All arrays have one value for each position."""

    #: The positions.
    batch: Batch
    #: The moves that were played, in the form of ``Batch.legal_moves``, or ``NO_MOVE``: dtype ``uint16``.
    moves: npt.NDArray[np.uint16]
    #: The scores for the side to move, in the file's units, mostly centipawns, or ``NO_SCORE``: dtype
    #: ``int16``.
    scores: npt.NDArray[np.int16]
    #: The results of the games: 1 if White won, 0 for a draw, -1 if Black won, or ``UNKNOWN_RESULT``:
    #: dtype ``int8``.
    results: npt.NDArray[np.int8]
    #: The plies since the start of the game: dtype ``uint16``.
    plies: npt.NDArray[np.uint16]


class Format(NamedTuple):
    """A format of training data."""

    #: The extensions of its files, without the dot.
    extensions: tuple[str, ...]
    #: What it holds besides the pieces, such as ``"moves"`` and ``"scores"``.
    holds: frozenset[str]
    #: Can it be written?
    is_writable: bool


#: The formats by name.
FORMATS: Final[dict[str, Format]] = {
    name: Format(tuple(extensions), frozenset(holds), is_writable)
    for name, extensions, holds, is_writable in data_formats()
}


def _format(path: str, name: str | None) -> str:
    if path.endswith((".gz", ".bz2", ".zst")):
        raise ValueError(f"{path}: compressed files aren't read or written here; unpack it first")
    extension = os.path.splitext(path)[1].lower()[1:]
    by_extension = (it for it, format in FORMATS.items() if extension in format.extensions)
    found = next(by_extension, None) if name is None else name
    if found is None:
        known = ", ".join(f".{it}" for format in FORMATS.values() for it in format.extensions)
        raise ValueError(f"{path}: expected one of {known} as extension, or give format=")
    if found not in FORMATS:
        raise ValueError(f"format: expected one of {', '.join(FORMATS)}, not {found!r}")
    return found


def _integer(name: str, value: Any, least: int, end: int = 2**63) -> int:
    number = operator.index(value)
    if not least <= number < end:
        raise ValueError(f"{name}: expected a number from {least} to below {end}, not {number}")
    return number


class Data:
    """Files of training data, as returned by ``tabiya.data.open``."""

    def __init__(self, files: list[tuple[str, str]]) -> None:
        #: The paths and the names of their formats.
        self.files = files

    def __repr__(self) -> str:
        more = "" if len(self.files) == 1 else f" and {len(self.files) - 1} more"
        return f"<tabiya.data.Data of {self.files[0][0]}{more}>"

    def batches(
        self,
        size: int,
        *,
        shuffle_buffer: int = 0,
        shard: tuple[int, int] = (0, 1),
        seed: int = 0,
        filter: str | None = None,
        errors: Literal["skip", "keep", "stop"] = "skip",
        epochs: int | None = 1,
        threads: int | None = None,
    ) -> DataBatches:
        """The records in batches of ``size``: an iterator of ``Records``. The last one may be smaller.

        Threads read and decode ahead, and do nothing more when the iterator is closed or dropped. The
        records depend on the arguments but not on the number of ``threads``, by default that of the CPUs
        that the process may use.

        Without ``shuffle_buffer`` they come in the files' order. With it, the files come in random order, so
        many records are held, 112 bytes each, and every one is chosen among them at random. ``seed``
        (from 0 to 2^64 - 1) decides.

        ``shard=(i, n)`` is part ``i`` of ``n``, from 0 on. The parts have no record in common, and together
        all of them. Files are divided by blocks of 16 KiB, or larger ones if a format needs that, so the
        parts of small files differ in size. Give all parts the same files in the same order.

        ``filter`` is an expression such as ``"not check and not capture and abs(score) <= 3000"``; the
        page about training data has its names.

        A bad record is left out with ``errors="skip"``. With ``"keep"``, one whose score or result is bad
        comes without it. With ``"stop"``, ``DataError`` is raised after the records before it. The iterator
        counts bad records by kind in ``bad``, kept or not, and describes the first in ``messages``.

        ``epochs`` says how often the files are read; ``None`` is without end. Batches and the buffer don't
        care about the ends of epochs.

        Raises, whatever ``errors`` is, ``OSError`` if a file can't be read, and ``DataError`` if it
        begins with 16 KiB of bad records alone: then it isn't of its format. Raises ``ValueError`` if an
        argument is wrong, or if with ``epochs=None`` there is no record at all.
        """
        if not isinstance(shard, tuple) or len(shard) != 2:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"shard: expected a pair such as (0, 2), not {shard!r}")
        shards = _integer("shard", shard[1], 1)
        return read_data(
            self.files,
            _integer("size", size, 1),
            _integer("shuffle_buffer", shuffle_buffer, 0),
            (_integer("shard", shard[0], 0, shards), shards),
            _integer("seed", seed, 0, 2**64),
            filter,
            errors,
            None if epochs is None else _integer("epochs", epochs, 1),
            threads,
        )

    def torch(
        self,
        size: int,
        *,
        shuffle_buffer: int = 0,
        shard: tuple[int, int] = (0, 1),
        seed: int = 0,
        filter: str | None = None,
        errors: Literal["skip", "keep", "stop"] = "skip",
        epochs: int | None = 1,
        transform: Callable[[Records], Any] | None = None,
    ) -> Any:
        """The batches as an ``IterableDataset`` of PyTorch, for a ``DataLoader`` with ``batch_size=None``.

        Its items are ``Records``, or what ``transform`` makes of them, in the worker. Workers divide the
        shard between them, and each has one thread. Other arguments as for ``batches``.

        Raises ``ImportError`` if PyTorch isn't installed.
        """
        import_module("torch.utils.data")
        from ._torch import Dataset

        options = {
            "shuffle_buffer": shuffle_buffer,
            "seed": seed,
            "filter": filter,
            "errors": errors,
            "epochs": epochs,
        }
        # Mistakes should be found here, not in a worker.
        self.batches(size, shard=shard, **cast("Any", options)).close()
        return Dataset(self, size, shard, options, transform)


def open(paths: _Path | Iterable[_Path], *, format: str | None = None) -> Data:
    """Files of training data, to be read by ``batches``.

    ``paths`` is a path or several. ``format`` is a name in ``FORMATS``, by default that of the file's
    extension. Compressed files aren't read; ``tabiya data convert`` unpacks them, too.

    Raises ``OSError`` if there is no such file, and ``ValueError`` if its format isn't known, or if it
    is compressed.

    >>> import tabiya
    >>> tabiya.data.open("games.unknown")
    Traceback (most recent call last):
      ...
    FileNotFoundError: [Errno 2] No such file or directory: 'games.unknown'
    """
    listed = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not listed:
        raise ValueError("paths: expected at least one path")
    names = [os.fspath(path) for path in listed]
    for name in names:
        os.stat(name)
    return Data([(name, _format(name, format)) for name in names])


def _column(
    name: str, values: Any, rows: int, dtype: type[Any], least: int, most: int, other: int
) -> Any:
    """The values in this dtype, which are all the other one if there are none."""
    array = np.full(rows, other, dtype) if values is None else np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected integers, not {array.dtype}")
    if array.shape != (rows,):
        raise ValueError(f"{name}: expected one for each of {rows} positions, not {array.size}")
    wrong = ((array < least) | (array > most)) & (array != other)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"{name}: expected numbers from {least} to {most}, or {other}, not {array.flat[row]} in row {row}"
        )
    return np.ascontiguousarray(array, dtype)


def write(
    path: _Path,
    batch: Batch,
    moves: Any = None,
    scores: Any = None,
    results: Any = None,
    plies: Any = None,
    *,
    format: str | None = None,
    append: bool = False,
) -> None:
    """Writes positions, and what is known about each, to a file.

    The values are those of ``Records``, whose fields are in the same order: ``write(path, *records)``.
    ``moves`` are also a list of ``Move`` objects or texts. Without ``plies``, they follow from the numbers
    of the moves. ``format`` is a name in ``FORMATS``, by default that of the file's extension.

    The file is replaced as a whole, or with ``append`` it grows.

    Raises ``BatchError`` for the first row that the format can't hold, whose move isn't legal, or that has
    no legal move; ``ValueError`` if the format doesn't hold a column that was given; and ``OSError``.

    >>> import tempfile
    >>> import tabiya
    >>> path = tempfile.mkdtemp() + "/two.txt"
    >>> batch = tabiya.Batch.from_fens([tabiya.START, "4k3/8/8/8/8/8/8/4K2R b K - 0 1"])
    >>> tabiya.data.write(path, batch, scores=[25, -480], results=[0, 1])
    >>> print(open(path).read(), end="")
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 25 | 0.5
    4k3/8/8/8/8/8/8/4K2R b K - 0 1 | 480 | 1.0
    """
    name = _format(os.fspath(path), format)
    columns = {"moves": moves, "scores": scores, "results": results, "plies": plies}
    for column, values in columns.items():
        if values is not None and column not in FORMATS[name].holds:
            raise ValueError(f"{column}: the format {name} doesn't hold them; leave them out")
    if moves is not None:
        array = np.asarray(moves) if not isinstance(moves, list) else None
        if array is None or array.dtype.kind not in "iu":
            moves = batch.find_moves(cast("list[Move | str]", moves))
    rows = len(batch)
    write_data(
        os.fspath(path),
        name,
        batch,
        _column("moves", moves, rows, np.uint16, 0, 0xFFFF, NO_MOVE),
        _column("scores", scores, rows, np.int16, -_MOST, _MOST, NO_SCORE),
        _column("results", results, rows, np.int8, -1, 1, UNKNOWN_RESULT),
        None if plies is None else _column("plies", plies, rows, np.uint16, 0, 0xFFFF, 0),
        append,
    )

"""Training data for PyTorch's ``DataLoader``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from .data import Records

if TYPE_CHECKING:
    from .data import Data

# PyTorch need not be installed, so type checkers know nothing of it. Tools import all modules.
try:
    _torch: Any = import_module("torch.utils.data")
except ImportError:
    _torch = None
_IterableDataset: Any = object if _torch is None else _torch.IterableDataset


class Dataset(_IterableDataset):  # type: ignore[misc]
    """The batches of files, divided between the workers of a ``DataLoader``."""

    def __init__(
        self,
        data: Data,
        size: int,
        shard: tuple[int, int],
        options: dict[str, Any],
        transform: Callable[[Records], Any] | None,
    ) -> None:
        self._data, self._size, self._shard = data, size, shard
        self._options, self._transform = options, transform

    def __iter__(self) -> Iterator[Any]:
        worker = _torch.get_worker_info()
        shard, shards = self._shard
        options: dict[str, Any] = self._options
        if worker is not None:
            shard, shards = shard * worker.num_workers + worker.id, shards * worker.num_workers
            options = {**options, "threads": 1}
        batches = self._data.batches(self._size, shard=(shard, shards), **cast("Any", options))
        return batches if self._transform is None else map(self._transform, batches)

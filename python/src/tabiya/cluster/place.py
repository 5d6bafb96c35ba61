"""The place of a checkpoint: is the file at its path still the one that is open?"""

from __future__ import annotations

import os
from collections.abc import Callable

from .coordinator import ClusterError, Progress

__all__ = ["Place"]


class Place:
    """The path of a checkpoint that is open.

    A file can be moved or removed while it is open. It can still be written to, but what is written
    after that may never be found again, so the run must end soon.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        # The working directory may change.
        self._path, self._name = os.path.abspath(path), os.fspath(path)
        self._identity = self._look()

    def _look(self) -> tuple[int, int] | None:
        """The identity of the file at the path; ``None`` if there is none."""
        try:
            found = os.stat(self._path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found.st_dev, found.st_ino

    def is_kept(self) -> bool:
        """Is the file still there?"""
        try:
            return self._look() == self._identity
        except OSError:
            # It may only be out of reach for a moment, such as on a network.
            return True

    def guarding(self, report: Callable[[Progress], None]) -> Callable[[Progress], None]:
        """The same report, which ends a run that is not complete if the file is gone."""

        def guarded(progress: Progress) -> None:
            if progress.done < progress.units and not self.is_kept():
                raise ClusterError(
                    f"{self._name}: the checkpoint was moved, replaced or removed while it was open; "
                    f"what was counted is in that file, if it still exists"
                )
            report(progress)

        return guarded

"""For Dask's workers: as if tabiya were not installed, or in another version, by a variable."""

from __future__ import annotations

import os
import sys
from importlib import import_module

#: "none", or a version.
HAS = "TABIYA_TEST_HAS"


def dask_setup(worker: object) -> None:
    """Called by Dask when it starts a worker."""
    has = os.environ[HAS]
    if has == "none":
        for name in [name for name in sys.modules if name.split(".")[0] == "tabiya"]:
            del sys.modules[name]
        # An import of it is a `ModuleNotFoundError` now.
        sys.modules["tabiya"] = None  # type: ignore[assignment]
    elif has.startswith("task:"):
        # Only a task finds out.
        vars(import_module("tabiya.cluster.worker"))["__version__"] = has.removeprefix("task:")
    else:
        vars(import_module("tabiya"))["__version__"] = has

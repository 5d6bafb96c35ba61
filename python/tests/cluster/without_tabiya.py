"""For Dask's workers: as if tabiya were not installed, or in the version that a variable names."""

from __future__ import annotations

import os
import sys
from importlib import import_module

#: ``nothing``, or a version.
HAS = "TABIYA_TEST_HAS"


def dask_setup(worker: object) -> None:
    """Called by Dask when it starts a worker."""
    has = os.environ[HAS]
    if has == "nothing":
        for name in [name for name in sys.modules if name.split(".")[0] == "tabiya"]:
            del sys.modules[name]
        # An import of it is a `ModuleNotFoundError` now.
        sys.modules["tabiya"] = None  # type: ignore[assignment]
    else:
        vars(import_module("tabiya.cluster.worker"))["__version__"] = has

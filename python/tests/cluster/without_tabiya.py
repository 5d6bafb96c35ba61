"""For Dask's workers: as if tabiya were not installed, or in the version that a variable names."""

from __future__ import annotations

import os
import sys
from collections import namedtuple
from importlib import import_module
from typing import Any

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
        worker = import_module("tabiya.cluster.worker")
        fields = (*worker.Answer._fields, "news")
        make: Any = namedtuple
        # Only this process knows this class.
        answer = make("Answer", fields, defaults=(1, None, "news"))
        vars(worker).update(__version__=has, Answer=answer)

"""The command line of the package, whose local workers do one task each while a gate is closed."""

from __future__ import annotations

import sys

from gate import dask_setup
from tabiya.cluster.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
else:
    # The processes of the pool import this file.
    dask_setup(None)

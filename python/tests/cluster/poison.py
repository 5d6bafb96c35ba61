"""A count that ends its process at one unit, as a fault in native code would."""

from __future__ import annotations

import os
import signal

from tabiya.cluster.worker import Answer, Task, count


def count_or_die(task: Task) -> Answer:
    """Counts, unless the task contains the unit that the environment names."""
    if any(unit.number == int(os.environ["TABIYA_TEST_POISON"]) for unit in task.units):
        os.kill(os.getpid(), signal.SIGKILL)
    return count(task)

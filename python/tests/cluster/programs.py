"""Starting the command line of the package, and the command of the Rust side."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def cluster_command(*arguments: str) -> list[str]:
    """The command line of the package."""
    return [sys.executable, "-m", "tabiya.cluster", *arguments]


def run_cluster(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command line of the package to its end."""
    return subprocess.run(cluster_command(*arguments), capture_output=True, text=True, check=False)


def rust_command() -> str:
    """The ``tabiya`` command, which the project's test command has built."""
    named = os.environ.get("TABIYA_COMMAND") or shutil.which("tabiya")
    if named is None:
        pytest.skip("the tabiya command is not installed; TABIYA_COMMAND names it")
    return named


def published(file: Path) -> dict[str, object]:
    """The status that a running count has published; nothing if it has not begun or has ended."""
    try:
        status: dict[str, object] = json.loads(Path(f"{file}.status").read_text())
    except (OSError, ValueError):
        return {}
    return status


def has_results(file: Path) -> bool:
    """Has the running count recorded something?"""
    return int(str(published(file).get("done", 0))) > 0

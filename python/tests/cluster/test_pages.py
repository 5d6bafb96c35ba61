"""The commands on the pages about the cluster are run exactly as written."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dask_cluster import kill_group
from programs import rust_command

REPOSITORY = Path(__file__).parents[3]
PAGES = [REPOSITORY / "docs/cluster.md", REPOSITORY / "python/README.md"]
#: Commands that run until they are killed.
SERVERS = ("dask scheduler", "dask worker")


def commands(page: Path) -> list[str]:
    """The lines of the shell blocks of a page that concern the cluster."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    lines = [line for block in blocks for line in block.splitlines() if line]
    # The package is already installed in the environment of this test.
    return [line for line in lines if not line.startswith("pip install ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name + "/" + page.name)
def test_commands(page: Path, tmp_path: Path) -> None:
    lines = commands(page)
    assert any("tabiya.cluster" in line for line in lines)
    if any(line.startswith(SERVERS) for line in lines):
        pytest.importorskip("distributed", reason="Dask is not installed")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    servers: list[subprocess.Popen[bytes]] = []
    try:
        for line in lines:
            words = shlex.split(line)
            if words[0] == "tabiya":
                words[0] = rust_command()
            if line.startswith(SERVERS):
                with (tmp_path / f"server-{len(servers)}.log").open("wb") as log:
                    servers.append(
                        subprocess.Popen(
                            words,
                            cwd=tmp_path,
                            env={**os.environ, "PATH": path},
                            stdout=log,
                            stderr=log,
                        )
                    )
                continue
            run = subprocess.run(
                words,
                cwd=tmp_path,
                env={**os.environ, "PATH": path},
                capture_output=True,
                text=True,
                check=False,
            )
            assert run.returncode == 0, f"{line}\n{run.stdout}\n{run.stderr}"
            if "perft 7" in line:
                assert "3,195,901,860" in run.stdout
    finally:
        for server in reversed(servers):
            kill_group(server)

"""Programs for python-chess run with both packages and print the same."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = sorted(Path(__file__).parent.glob("programs/*.py"))
IMPORT = "import chess  # replaced\n"


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_program(path: Path, tmp_path: Path) -> None:
    program = path.read_text()
    assert IMPORT in program
    outputs: list[str] = []
    for replacement in (IMPORT, "import tabiya as chess\n"):
        script = tmp_path / path.name
        script.write_text(program.replace(IMPORT, replacement))
        done = subprocess.run(
            [sys.executable, script], capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0].count("\n") > 5
    assert outputs[1] == outputs[0]


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 5

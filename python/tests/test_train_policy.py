"""The example that trains a policy learns something."""

import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "train_policy.py"


def test_training_in_short(capsys: pytest.CaptureFixture[str]) -> None:
    train = runpy.run_path(str(EXAMPLE))["train"]
    result = train(positions=4_000, steps=40, rows=256)
    assert result.last_loss < 0.8 * result.first_loss
    assert result.baseline < 0.1
    assert result.accuracy > 2 * result.baseline
    printed = capsys.readouterr().out
    assert "step   loss  accuracy" in printed
    assert len(printed.splitlines()) == 14

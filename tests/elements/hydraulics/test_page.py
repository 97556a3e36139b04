"""The page on controllers and hydraulics runs as printed and says what it shows."""

import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "hydraulics.md"


def test_the_examples_of_the_page_run_and_hold():
    scope = {"__name__": "__main__"}
    first, second = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(compile(first, PAGE.name, "exec"), scope)
    assert scope["sol"]["A.angle"][-1] == pytest.approx(
        0.5, abs=1e-4
    )  # the slowest mode fades with 0.74 1/s
    exec(compile(second, PAGE.name, "exec"), scope)
    sol = scope["sol"]
    assert 0.25 < sol["lift.extension"][-1] < 0.6
    accounts = sum(
        sol[f"lift.{k}_power"] for k in ("throttling", "leakage", "compression", "mechanical")
    )
    np.testing.assert_allclose(
        accounts, sol["lift.supply_power"], atol=1e-9 * np.abs(accounts).max()
    )

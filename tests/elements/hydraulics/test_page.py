"""The page on hydraulics runs as printed, and the powers in its cylinder balance."""

import re
from pathlib import Path

import numpy as np

PAGE = Path(__file__).resolve().parents[3] / "docs" / "hydraulics.md"


def test_the_examples_of_the_page_run_and_hold():
    scope = {"__name__": "__main__"}
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(compile(code, PAGE.name, "exec"), scope)
    sol = scope["sol"]
    assert 0.25 < sol["lift.extension"][-1] < 0.6
    accounts = sum(
        sol[f"lift.{k}_power"] for k in ("throttling", "leakage", "compression", "mechanical")
    )
    np.testing.assert_allclose(
        accounts, sol["lift.supply_power"], atol=1e-9 * np.abs(accounts).max()
    )

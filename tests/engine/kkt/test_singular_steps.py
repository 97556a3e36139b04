"""A step ends beside a change point if it is near it and much nearer than at its beginning."""

import numpy as np
import pytest

from kinetree.engine.integrators.memory import MEMORY
from kinetree.engine.kkt.singular_steps import FALL, NEAR, near_singular_step
from kinetree.kernel.decorators import kernel
from kinetree.kernel.tables.workspace import REPORT


@kernel
def landing(report, memory):
    return near_singular_step(report[0], memory[0])


# and leaves it
@pytest.mark.parametrize(
    "margin, before, expected",
    [
        (0.9 * NEAR, 1.0, True),  # near, from far away
        (1.1 * NEAR, 1.0, False),  # not near enough to spoil a step
        (0.9 * NEAR, 1.1 * 0.9 * NEAR / FALL, True),  # fell by more than FALL
        (0.9 * NEAR, 0.9 * 0.9 * NEAR / FALL, False),  # approaches slowly
        (0.9 * NEAR, 0.5 * NEAR, False),
    ],
)
def test_a_step_is_singular_if_its_margin_is_small_and_fell_far(margin, before, expected):
    best = 0.4
    report, memory = np.zeros(1, REPORT), np.zeros(1, MEMORY)
    report["pivot_margin"], report["best_margin"], memory["margin"] = (
        margin * best,
        best,
        before * best,
    )
    assert bool(landing(report.view(np.recarray), memory.view(np.recarray))) is expected

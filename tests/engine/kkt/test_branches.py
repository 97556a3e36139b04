"""When a step counts as landing beside a change point: near it, and much nearer than at its
beginning.
"""

import numpy as np
import pytest

from kinetree.engine.integrators.memory import MEMORY
from kinetree.engine.kkt.singular_steps import FALL, NEAR, lands
from kinetree.kernel.decorators import kernel
from kinetree.kernel.tables.workspace import REPORT


@kernel
def landing(report, memory):
    return lands(report[0], memory[0])


@pytest.mark.parametrize(
    "margin, before, expected",
    [
        (0.9 * NEAR, 1.0, True),  # near, from afar
        (1.1 * NEAR, 1.0, False),  # not near enough to spoil a step
        (0.9 * NEAR, 1.1 * 0.9 * NEAR / FALL, True),  # fell by more than FALL
        (0.9 * NEAR, 0.9 * 0.9 * NEAR / FALL, False),  # creeps along beside it
        (0.9 * NEAR, 0.5 * NEAR, False),
    ],
)  # and leaves it
def test_a_step_lands_where_it_comes_near_and_fell_far(margin, before, expected):
    widest = 0.4
    report, memory = np.zeros(1, REPORT), np.zeros(1, MEMORY)
    report["margin"], report["widest"], memory["margin"] = margin * widest, widest, before * widest
    assert bool(landing(report.view(np.recarray), memory.view(np.recarray))) is expected

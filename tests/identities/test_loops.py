"""Random mechanisms with one to six loops: relative, Cartesian and dense NumPy results agree.

The states are consistent: the closing joints are placed where the tree is, and velocities are
projected onto G v = 0. The tolerance is 1e-9 for well-posed constraints. It is larger for
mechanisms near a singular position, where every method loses digits with the distance from it;
those beyond 1e-6 are skipped.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from support.compare import difference, well_posed
from support.machine import cartesian
from support.random_models import mechanisms

FIGURE = 1e-9


@given(mechanisms())
@settings(max_examples=60)
def test_a_mechanism_is_closed_where_it_was_built(state):
    assert np.abs(state.g).max(initial=0.0) <= 1e-13 * (1.0 + np.abs(state.work.bodies["p"]).max())
    assert np.abs(state.G @ state.v - state.nu).max(initial=0.0) <= 1e-10 * (
        1.0 + np.abs(state.v).max(initial=0.0)
    )


@pytest.mark.parametrize("ratio", [1e2, 1e6])
@given(data=st.data())
@settings(max_examples=40)
def test_relative_and_cartesian_coordinates_and_dense_algebra_agree(ratio, data):
    state = data.draw(mechanisms(mass_ratio=ratio))
    assume(well_posed(state))
    vdot, push = state.dense()
    A = state.accelerations(vdot)
    ours, force = state.formulated("augmented")
    assert difference(state.accelerations(ours), A, 9.0) <= FIGURE
    assert difference(force, push, np.abs(state.f).max()) <= FIGURE
    free = cartesian(state)
    theirs, free_force = free.formulated("augmented")
    assert difference(free.accelerations(theirs), A, 9.0) <= FIGURE
    assert difference(free_force, free.dense()[1], np.abs(free.f).max()) <= FIGURE
    assert difference(free.accelerations(free.dense()[0]), A, 9.0) <= FIGURE

"""`augmented-printed` reaches the minimum of (23) and (27) of [Lee1994]: Kuhn-Tucker conditions."""

import numpy as np
import pytest

from kinetree.assembly.prepare import prepare
from kinetree.models.catalogue import model_entry
from support.machine import Machine

# joints without quaternions: q - q* is the difference of the numbers
MODELS = (
    "four-bar",
    "andrews",
    "excavator",
)


def predicted(name: str, off: float) -> Machine:
    """A state that violates the constraints, as after a step."""
    assembly, rng = prepare(model_entry(name).build()), np.random.default_rng(3)
    on = Machine(assembly.compiled, assembly.q, on_the_way(assembly, rng), assembly.x, assembly.t)
    return on.moved(off * rng.normal(size=on.nv), v=on.v + off * rng.normal(size=on.nv))


def on_the_way(assembly, rng) -> np.ndarray:
    state = Machine(assembly.compiled, assembly.q, assembly.v, assembly.x, assembly.t)
    return state.consistent(rng.normal(size=state.nv))


def off_the_minimum(change: np.ndarray, M: np.ndarray, G: np.ndarray) -> float:
    """Part of  M d + G^T tau  that no tau removes, in the mass norm, relative to d."""
    root = np.linalg.cholesky(M)
    y, W = root.T @ change, np.linalg.solve(root, G.T)
    return float(np.linalg.norm(y - W @ np.linalg.lstsq(W, y, rcond=1e-9)[0]) / np.linalg.norm(y))


def missed(name: str, formulation: str, off: float) -> tuple[float, float]:
    state = predicted(name, off)
    q, v, _ = state.compiled.split(state.settled(formulation)[2])
    back = state.at(q=q, v=v)
    assert np.abs(back.g).max() <= 1e-11 and np.abs(back.G @ v - back.nu).max() <= 1e-10
    return off_the_minimum(q - state.q, state.M, back.G), off_the_minimum(
        v - state.v, state.M, back.G
    )


@pytest.mark.parametrize("name", MODELS)
def test_the_printed_iteration_reaches_the_minimum(name):
    # the iteration stops at corrections of 1e-12
    assert max(missed(name, "augmented-printed", 1e-3)) <= 1e-9


@pytest.mark.parametrize("name", MODELS)
def test_the_shorter_iteration_misses_the_minimum_in_proportion_to_the_correction(name):
    """G changes in proportion to the correction, and so does the error."""
    far, near = (np.array(missed(name, "augmented", off)) for off in (1e-3, 1e-4))
    assert (far > 1e-6).all()
    np.testing.assert_array_less(near, far / 5.0)  # first order: a tenth

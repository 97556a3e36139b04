"""Costs of Runge-Kutta steps with a projection."""

import pytest

from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations import augmented
from kinetree.engine.integrators.integrate import integrate
from kinetree.models.rssr import rssr


@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9])
def test_the_slope_at_the_projected_end_serves_the_error_and_the_next_step(rtol):
    """Six evaluations per attempt, as in [Dormand1980], and two for the first slope and step."""
    assembly = prepare(rssr())
    result = integrate(
        augmented.rhs,
        assembly.y,
        2.0,
        project=augmented.project,
        tables=assembly.compiled.tables,
        method="dopri5",
        rtol=rtol,
    )
    assert result.done and result.log["position_error"].max() < 1e-13
    assert result.evaluations <= 2 + 6 * (result.accepted + result.rejected)

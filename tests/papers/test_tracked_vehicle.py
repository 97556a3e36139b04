"""The tracked vehicle: no step passes over the bump, at any tolerance."""

import numpy as np

import kinetree as kt
from kinetree.apps.papers.tracked_vehicle import WHEELS
from kinetree.models.tracked_vehicle import tracked_vehicle


def test_a_loose_tolerance_does_not_step_over_the_bump():
    """BDF at rtol 1e-3 would take steps longer than the bump; the road bounds them. 0.01 m of a
    bump of 0.254 m.
    """
    lift = []
    for rtol in (1e-3, 1e-7):
        run = kt.simulate(
            tracked_vehicle(), 3.0, rtol=rtol, integrator="bdf", output_interval=0.002
        )
        lift.append(max(run[f"arm {name}.wheel.position.z"].max() for name in WHEELS))
    assert abs(np.subtract(*lift)) < 0.01

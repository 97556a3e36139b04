"""Order of every structural integrator on a flexible loop with a driver."""

import math

import numpy as np
import pytest

import kinetree as kt

SEEN = ("rod.1.position", "rod.1.velocity", "block.velocity", "drive.force", "C.force")


def driven_loop():
    """A slider-crank with a soft rod; the crank swings to and fro, smoothly from rest."""
    m = kt.Model("driven loop")
    crank = m.body("crank", kt.rod(0.36, 0.15, along="x", axial=1e-4), position=(0.075, 0, 0))
    rod = m.beam(
        "rod",
        [(0.15, 0, 0), (0.45, 0, 0)],
        kt.Section([1e3, 1e3, 1e3, 0.05, 0.05, 0.05], 0.2, (2e-5, 1e-5, 1e-5)),
        elements=2,
        damping=2e-3,
    )
    block = m.body("block", kt.box(0.0755, (0.02, 0.02, 0.02)), position=(0.45, 0, 0))
    y = kt.Revolute(axis="y")
    m.joint("A", y, m.ground, crank, at=(0, 0, 0))
    m.joint("B", y, crank, rod, at=(0.15, 0, 0))
    m.joint("C", kt.Spherical(), rod, block, at=(0.45, 0, 0))
    m.joint("slide", kt.Translational(axis="x"), m.ground, block, at=(0.45, 0, 0))
    swing = kt.Function(
        lambda t: 2.0 - 2.0 * math.cos(3.0 * t),
        lambda t: 6.0 * math.sin(3.0 * t),
        lambda t: 18.0 * math.cos(3.0 * t),
    )
    m.constraint("drive", kt.Driver("A.angle", swing))
    return m


@pytest.mark.parametrize(
    "rule, more",
    [
        ("energy-conserving", {}),
        ("energy-conserving", {"history": True}),
        ("energy-conserving", {"convected": True}),
        ("energy-conserving", {"history": True, "convected": True}),
        ("midpoint", {}),
        ("trapezoidal", {}),
        ("generalized-alpha", {"spectral_radius": 0.5}),
    ],
)
def test_every_rule_is_of_order_two_on_a_flexible_loop_with_a_driver(rule, more):
    ends = []
    for step in (2e-3, 1e-3, 1.25e-4):
        sol = kt.simulate(driven_loop(), 0.4, integrator=rule, step=step, **more)
        ends.append([sol[name][-1] for name in SEEN])
    for name, coarse, fine, exact in zip(SEEN, *ends):
        order = math.log2(np.abs(coarse - exact).max() / np.abs(fine - exact).max())
        # the reference has a hundredth of the error, which adds 0.02
        assert 1.85 < order < 2.15, name

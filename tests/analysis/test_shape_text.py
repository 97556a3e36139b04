"""The summary of a mode shape names the direction and the parts that move."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.beams.shape_text import describe_shape


def cantilever(size: float) -> kt.Model:
    """A flat bar along x, twice as high (z) as wide (y)."""
    m = kt.Model("cantilever", gravity=(0, 0, 0))
    section = kt.Section.rectangle(0.02 * size, 0.04 * size, E=2.1e11, density=7850.0)
    arm = m.beam("arm", [(0, 0, 0), (size, 0, 0)], section, elements=6)
    m.joint("clamp", kt.Fixed(), m.ground, arm.end("-"))
    return m


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_bending_and_torsion_of_a_bar_are_distinguished_at_any_size(size):
    """Bending about the weak axis comes first, at half the frequency of the strong one."""
    found = kt.vibrations(cantilever(size), count=12)
    assert found.summary(0) == "along y 100 %: arm" and found.summary(1) == "along z 100 %: arm"
    assert "rotation about x 100 %: arm" in [found.summary(k) for k in range(12)]
    lines = str(found).splitlines()
    assert lines[0].startswith("Frequencies: ") and lines[1].endswith("along y 100 %: arm")


def test_the_part_that_moves_most_comes_first_and_a_part_at_rest_is_left_out():
    shape = np.zeros((4, 6))
    shape[:, :3] = (0.1, 0, 0), (0.5, 0, 0), (1.0, 0, 0.5), (0.05, 0, 0)
    bodies = ("beam.0", "beam.1", "mass", "rest")
    assert describe_shape(shape, bodies, 1.0) == "along x 83 %, z 17 %: mass, beam"
    assert describe_shape(0.0 * shape, bodies, 1.0) == "no motion"

"""Revolute joints are placed by cosines and sines that are computed together: same bits as one by
one, with angles that need a longer reduction among them.
"""

import math

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.build import build
from kinetree.engine.dynamics.kinematics import place_body, positions
from kinetree.kernel.decorators import JIT
from kinetree.kernel.mathematics import cos, sin

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python calls the C library")
USUAL = (0.0, 1e-9, 0.7, -2.0, 3.0, 100.0, -1e5)
RARE = (math.pi / 2, -math.pi, 1e15, 1e300)


def chain(n):
    """Hinges, and in their middle a joint of another kind."""
    m = kt.Model("chain")
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        body = m.body(f"b{i}", kt.sphere(1.0, 0.1))
        joint = kt.Cylindrical("x") if i == n // 2 else kt.Revolute("xyz"[i % 3])
        m.joint(f"j{i}", joint, place, body)
        place = body.at(0.1, 0.2, 0.3)
    return build(m)


@pytest.mark.parametrize("angles", [USUAL, USUAL + RARE], ids=["usual", "rare"])
def test_bits_are_those_of_single_angles(angles):
    compiled = chain(len(angles))
    work, q = compiled.workspace(), np.zeros(compiled.size["nq"])
    at = compiled.tables.links["iq"][1:]
    q[at] = angles
    positions(compiled.tables, work, q)
    revolute = compiled.tables.links["nv"][1:] == 1
    found = work.angles[:, 1 : len(at) + 1][:, revolute]
    single = np.array(angles)[revolute]
    np.testing.assert_array_equal(found[1], [cos(a) for a in single.tolist()])
    np.testing.assert_array_equal(found[2], [sin(a) for a in single.tolist()])
    one = compiled.workspace()
    for i in range(1, len(compiled.tables.links)):
        place_body(compiled.tables, one, i, q)
    np.testing.assert_array_equal(one.bodies["R"], work.bodies["R"])


def test_angles_that_are_not_finite_are_not_a_number():
    compiled = chain(3)
    work = compiled.workspace()
    positions(compiled.tables, work, np.array([math.inf, 0.1, 0.0, 0.3]))
    assert np.isnan(work.bodies["R"][1]).any()

"""Motions of a point on a line whose solution is written down: a bead on a turning wire, a rod on a
level rail.
"""

import numpy as np
import pytest

import kinetree as kt

RTOL = 1e-11
CLOSE = 1e-8  # local error 1e-11 over some thousand steps
WAYS = {"in the tree": {}, "cut": {"coordinates": "cartesian"}}
ways = pytest.mark.parametrize("way", WAYS)


def run(model, until, way):
    return kt.simulate(
        model, until, rtol=RTOL, output_interval=until / 50, progress=False, **WAYS[way]
    )


@ways
def test_a_bead_on_a_turning_wire_runs_out_along_a_cosh(way):
    """s = s0 cosh(W t) on a level wire that turns at W; it goes on spinning as it did, for nothing
    turns it.
    """
    rate, away = 2.0, 0.1
    m = kt.Model("bead")
    wire, bead = m.body("wire", kt.rod(1.0, 2.0, along="x")), m.body("bead", kt.sphere(0.2, 0.05))
    m.joint("hub", kt.Revolute(axis="z"), m.ground.at(0, 0, 1), wire)
    m.constraint("motor", kt.Driver("hub.angle", kt.Ramp(rate)))
    m.joint(
        "P",
        kt.PointOnLine(axis="x"),
        wire,
        bead,
        start={"displacement": away},
        speed=dict(
            zip(("wx", "wy", "wz"), kt.PointOnLine(axis="x").frame().T @ [0.0, 0.0, 3.0 - rate])
        ),
    )
    sol = run(m, 1.0, way)
    np.testing.assert_allclose(sol["P.displacement"], away * np.cosh(rate * sol.t), atol=CLOSE)
    np.testing.assert_allclose(
        sol["P.displacement.rate"], away * rate * np.sinh(rate * sol.t), atol=CLOSE
    )
    np.testing.assert_allclose(
        sol["bead.angular_velocity"], np.tile([0.0, 0.0, 3.0], (len(sol.t), 1)), atol=CLOSE
    )


@ways
def test_a_rod_on_a_level_rail_sinks_straight_down(way):
    """No force along the rail: the centre keeps its x, and  phi'^2 = 2 m g d (cos phi - cos phi0) /
    (I + m d^2 sin^2 phi).
    """
    mass, length, start = 2.0, 1.0, 1.2
    d, I = length / 2, mass * length**2 / 12
    m = kt.Model("rod")
    rod = m.body("rod", kt.rod(mass, length, along="z", axial=1e-3))
    turn = {"qw": np.cos(start / 2), "qx": 0.0, "qy": np.sin(start / 2), "qz": 0.0}
    m.joint(
        "P",
        kt.PointOnLine(axis=(1, 0, 0)),
        m.ground,
        rod.at(0, 0, d),
        start={"displacement": 0.3, **_in_joint_axes(turn)},
    )
    sol = run(m, 1.5, way)
    np.testing.assert_allclose(sol["rod.position.x"], sol["rod.position.x"][0], atol=CLOSE)
    phi = np.arccos(np.clip(-sol["rod.position.z"] / d, -1.0, 1.0))
    rate = np.linalg.norm(sol["rod.angular_velocity"], axis=1)
    expected = (
        2 * mass * 9.81 * d * (np.cos(phi) - np.cos(start)) / (I + mass * d**2 * np.sin(phi) ** 2)
    )
    assert rate.max() > 3.0
    np.testing.assert_allclose(
        rate**2, expected, atol=100 * CLOSE
    )  # of size ten, two digits lost in the arc cosine


def _in_joint_axes(quaternion: dict[str, float]) -> dict[str, float]:
    """A turn told in the axes of the joint, whose z is the line."""
    R = kt.PointOnLine(axis=(1, 0, 0)).frame()
    vector = R.T @ [quaternion[k] for k in ("qx", "qy", "qz")]
    return {"qw": quaternion["qw"], **dict(zip(("qx", "qy", "qz"), map(float, vector)))}


def test_as_a_slide_of_a_loop_it_takes_what_a_spherical_and_a_translational_joint_take():
    """A crank whose pin rides in a slot: with a block between pin and slot, or with the pin on the
    line itself.
    """
    ends = []
    for direct in (True, False):
        m = kt.Model("slotted")
        crank = m.body("crank", kt.rod(1.0, 0.4, along="x"))
        slot = m.body("slot", kt.box(2.0, (0.3, 0.1, 1.0)))
        m.joint(
            "A",
            kt.Revolute(axis="y"),
            m.ground,
            crank.end("-"),
            start={"angle": 0.4},
            speed={"angle": 1.0},
        )
        m.joint("S", kt.Translational(axis="x"), m.ground, slot)
        if direct:
            m.joint("P", kt.PointOnLine(axis="z"), slot, crank.end("+"))
        else:
            block = m.body("block", kt.sphere(1e-9, 0.05))
            m.joint("P", kt.Translational(axis="z"), slot, block)
            m.joint("B", kt.Spherical(), block, crank.end("+"))
        sol = kt.simulate(m, 1.0, rtol=1e-9, output_interval=0.1, progress=False)
        ends.append(sol["A.angle"])
        assert ("P" in sol.compiled.row_owner) == direct  # it closes the loop
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-6)  # the block weighs 1e-9 of the others

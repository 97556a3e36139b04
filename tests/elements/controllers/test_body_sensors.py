"""Inputs of controllers that are measured on bodies: what they say is what the channels of the run
say.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import ModelError, NameNotFound

WORLD = (
    "rod.position.z",
    "rod.velocity.x",
    "rod.tip.velocity.z",
    "rod.end+.position.x",
    "box.angular_velocity.y",
    "box.tip.position.y",
)
TURNED = [
    f"{what}.{axis} in rod"
    for what in ("box.tip.position", "box.tip.velocity", "box.angular_velocity")
    for axis in "xyz"
]


def copy(t, u, x, p, xdot, out):
    for k in range(len(out)):
        out[k] = u[k]


def machine(inputs) -> kt.Model:
    """A rod on a ball joint and a box on a hinge at its end, turned against it."""
    m = kt.Model("measured")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="z", axial=0.02), points={"tip": (0.1, 0.2, -0.4)})
    box = m.body("box", kt.box(0.5, (0.1, 0.2, 0.3)), points={"tip": (0.0, 0.3, 0.1)})
    m.joint(
        "A",
        kt.Spherical(),
        m.ground.at(0.1, 0, 1),
        rod.end("+"),
        speed={"wx": 1.0, "wy": -0.5, "wz": 2.0},
    )
    m.joint(
        "B",
        kt.Revolute(axis=(1, 1, 0)),
        rod.end("-"),
        box.at(0, 0.1, 0),
        start={"angle": 0.7},
        speed={"angle": 3.0},
    )
    m.controller(
        "probe",
        kt.Controller(copy, inputs=inputs, outputs=tuple(f"out{k}" for k in range(len(inputs)))),
    )
    return m


@pytest.fixture(scope="module", params=["relative", "cartesian"])
def run(request):
    inputs = (*WORLD, *TURNED)
    return kt.simulate(machine(inputs), 0.3, rtol=1e-8, coordinates=request.param), inputs


def test_in_world_axes_they_are_the_channels(run):
    sol, inputs = run
    for k, name in enumerate(inputs):
        if name in WORLD:
            np.testing.assert_allclose(sol[f"probe.out{k}"], sol[name], atol=1e-12)


def test_in_the_axes_of_a_body_they_are_turned_into_these(run):
    """R^T (p - p_rod), R^T v, R^T w with the rotation of the rod."""
    sol, _ = run
    w, x, y, z = sol["rod.quaternion"].T
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    turned = {
        "position": sol["box.tip.position"] - sol["rod.position"],
        "velocity": sol["box.tip.velocity"],
        "angular_velocity": sol["box.angular_velocity"],
    }
    first = len(WORLD)
    for k, values in enumerate(turned.values()):
        found = np.column_stack([sol[f"probe.out{first + 3 * k + i}"] for i in range(3)])
        np.testing.assert_allclose(found, np.einsum("ijt,ti->tj", R, values), atol=1e-12)


def test_channels_and_events_name_them_the_same_way(run):
    sol, inputs = run
    for k, name in enumerate(inputs):
        np.testing.assert_allclose(sol[name], sol[f"probe.out{k}"], atol=1e-12)
    assert sol.unit("box.tip.velocity.x in rod") == "m/s" and sol[
        "box.tip.velocity in rod"
    ].shape == (len(sol.t), 3)
    name = "box.tip.velocity.x in rod"
    level = 0.5 * (sol[name].min() + sol[name].max())
    again = kt.simulate(
        machine(inputs), 0.3, rtol=1e-8, events=[kt.Event(name, level=level, name="passing")]
    )
    times = again.events["passing"].t
    assert len(times)
    np.testing.assert_allclose(again.at(times)[name], level, atol=1e-6)
    with pytest.raises(NameNotFound, match="no channel named"):
        sol["box.tip.velocity.x in nowhere"]


def test_a_law_on_a_velocity_brakes_as_a_damper_does():
    """F = -c v at a point, by a controller that measures it and by a drag of the same size along z."""

    def brake(t, u, x, p, xdot, out):
        out[0] = -p[0] * u[0]

    def lift(measured: bool) -> kt.Model:
        m = kt.Model("lift")
        load = m.body("load", kt.box(2.0, (0.1, 0.1, 0.1)))
        m.joint("S", kt.Translational(axis="z"), m.ground, load)
        if measured:
            m.controller(
                "brake",
                kt.Controller(
                    brake, inputs=("load.velocity.z",), outputs=("force",), parameters=(5.0,)
                ),
            )
            m.force("pull", kt.PointForce((0.0, 0.0, "brake.force")), load)
        else:
            m.force("damper", kt.TorsionSpring("S.displacement", damping=5.0))
        return m

    ours, theirs = (
        kt.simulate(lift(measured), 1.0, rtol=1e-10)["load.position.z"][-1]
        for measured in (True, False)
    )
    assert ours == pytest.approx(theirs, abs=1e-8)


@pytest.mark.parametrize(
    "name, sentence, kind",
    [
        ("rod.acceleration.z", "accelerations follow from the forces", ModelError),
        ("rod.tip.velocity.x in bx", "in whose axes to measure", NameNotFound),
        ("rod.veloctiy.x", "Did you mean 'velocity'", NameNotFound),
        ("rod.tpi.velocity.x", "Did you mean 'tip'", NameNotFound),
        ("rodd.velocity.x", "no input named 'rodd.velocity.x'", NameNotFound),
    ],
)
def test_what_cannot_be_measured_is_said(name, sentence, kind):
    with pytest.raises(kind, match=sentence):
        kt.simulate(machine((name,)), 0.1)

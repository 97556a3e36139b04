"""Prescribed poses: against chains of driven slides and gimbals, against each other, and against
what the motor must give.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import kinetree as kt

X, Y = kt.Sine(0.3, 0.8, phase=0.2), kt.Ramp(0.5, start=0.1)
YAW, PITCH, ROLL = kt.Ramp(2.0, start=0.3), kt.Sine(1.2, 0.6), kt.Sine(0.7, 0.9, phase=1.0)
BODY = kt.mass(2.0, (0.3, 0.2, 0.25, 0.02, -0.01, 0.03), (0.1, -0.05, 0.2))
HOW = {
    "relative": {},
    "cartesian": {"coordinates": "cartesian"},
    "projection": {"formulation": "projection"},
}


def posed(**how) -> kt.Model:
    m = kt.Model("posed")
    body = m.body("body", BODY)
    m.float(body)
    m.constraint("hand", kt.PoseDriver("body.free", **how))
    return m


def gimbals() -> kt.Model:
    """The same motion by a gantry and three rings, each with a driver."""
    m = kt.Model("gimbals")
    rings = {"yaw": ("z", YAW), "pitch": ("y", PITCH), "roll": ("x", ROLL)}
    gantry = m.body("gantry", kt.sphere(1.0, 0.1))
    m.joint("slides", kt.SpatialTranslational(), m.ground, gantry, start={"z": 0.4})
    for label, motion in {"x": X, "y": Y, "z": 0.4}.items():
        m.constraint(f"drive {label}", kt.Driver(f"slides.{label}", motion))
    last = gantry
    for name, (axis, motion) in rings.items():
        body = m.body(
            "body" if name == "roll" else f"{name} ring",
            BODY if name == "roll" else kt.sphere(0.5, 0.2),
        )
        m.joint(name, kt.Revolute(axis=axis), last, body)
        m.constraint(f"drive {name}", kt.Driver(f"{name}.angle", motion))
        last = body
    return m


def turned(assembly) -> np.ndarray:
    quaternion = [assembly.coordinates[f"body.free.{q}"] for q in ("qw", "qx", "qy", "qz")]
    return Rotation.from_quat(quaternion, scalar_first=True).as_matrix()


def pose() -> dict:
    return {"position": (X, Y, 0.4), "sequence": "ZYX", "angles": (YAW, PITCH, ROLL)}


@pytest.mark.parametrize("how", HOW)
def test_a_pose_driver_moves_and_loads_the_body_as_driven_gimbals_do(how):
    one = kt.simulate(posed(**pose()), 1.0, rtol=1e-9, progress=False, **HOW[how])
    two = kt.simulate(gimbals(), 1.0, rtol=1e-9, progress=False)
    for what in (
        "position",
        "velocity",
        "acceleration",
        "angular_velocity",
        "angular_acceleration",
    ):
        np.testing.assert_allclose(one[f"body.{what}"], two[f"body.{what}"], atol=1e-9)
    R = Rotation.from_quat(one["body.quaternion"], scalar_first=True)
    reaction = two.reactions["roll"]
    np.testing.assert_allclose(one["hand.force"], reaction.force, atol=1e-7)
    np.testing.assert_allclose(R.apply(one["hand.torque"]), reaction.torque, atol=1e-7)


def test_the_work_in_the_ledger_is_that_of_the_motor():
    """dW/dt = force . velocity + torque . angular velocity, and nothing else does work."""
    sol = kt.simulate(posed(**pose()), 1.0, rtol=1e-10, output_interval=1e-3, progress=False)
    w_M = (
        Rotation.from_quat(sol["body.quaternion"], scalar_first=True)
        .inv()
        .apply(sol["body.angular_velocity"])
    )
    power = (sol["hand.force"] * sol["body.velocity"]).sum(axis=1) + (sol["hand.torque"] * w_M).sum(
        axis=1
    )
    np.testing.assert_allclose(sol.energy.power, power, atol=1e-9 * np.abs(power).max())
    assert sol.energy.imbalance < 1e-7 and set(sol.energy.by_source) == {
        "drivers"
    }  # 1000 times rtol


WAYS = {
    "axis and angle": {"axis": (1, 2, 2), "angle": PITCH},
    "rotation vector": {
        "rotation_vector": tuple(kt.Sine(1.2 * n, 0.6) for n in (1 / 3, 2 / 3, 2 / 3))
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_a_turn_about_one_axis_has_that_angle(way):
    sol = kt.simulate(posed(position=(0, 0, 0), **WAYS[way]), 1.0, rtol=1e-9, progress=False)
    expected = Rotation.from_rotvec(
        np.outer(1.2 * np.sin(1.2 * np.pi * sol.t), (1 / 3, 2 / 3, 2 / 3))
    )
    apart = Rotation.from_quat(sol["body.quaternion"], scalar_first=True) * expected.inv()
    assert apart.magnitude().max() < 1e-12


@pytest.mark.parametrize("letters", ["ZYX", "zyx", "XYX", "yz", "z"])
def test_sequences_are_read_as_elsewhere(letters):
    """Capital letters are turned axes, small ones fixed, as in rotations of bodies and in SciPy."""
    angles = (0.4, -0.8, 1.3)[: len(letters)]
    found = turned(kt.assemble(posed(position=(0, 0, 0), sequence=letters, angles=angles)))
    known = Rotation.from_euler(letters, angles if len(angles) > 1 else angles[0])
    np.testing.assert_allclose(found, known.as_matrix(), atol=1e-12)


def test_orientations_at_times_are_met_with_two_continuous_derivatives_and_rest_at_the_ends():
    times = (0.0, 0.4, 1.0, 1.5)
    keys = Rotation.from_euler(
        "zyx", [(0, 0, 0), (1.5, 0.3, 0), (2.5, 1.0, -1.0), (3.0, -0.5, 0.4)]
    )
    points = [(0, 0, 0), (0.3, 0.1, 0), (0.3, 0.4, 0.2), (0, 0, 0.5)]
    m = posed(times=times, positions=points, rotations=list(keys.as_matrix()))
    sol = kt.simulate(m, 1.8, rtol=1e-8, output_interval=1e-3, progress=False)
    at = np.rint(np.array(times) * 1000).astype(int)
    met = Rotation.from_quat(sol["body.quaternion"][at], scalar_first=True) * keys.inv()
    assert met.magnitude().max() < 1e-11
    np.testing.assert_allclose(sol["body.position"][at], points, atol=1e-12)
    still = sol["body.angular_velocity"][[0, -1]], sol["body.velocity"][[0, -1]]
    assert np.abs(still).max() < 1e-9
    inside = (sol.t > 0.01) & (sol.t < 1.49)
    for what in ("acceleration", "angular_acceleration"):
        jumps = np.abs(np.diff(sol[f"body.{what}"][inside], axis=0)).max()
        assert (
            jumps < 0.02 * np.abs(sol[f"body.{what}"][inside]).max()
        )  # a jump would be of the size of the whole


def test_inverse_dynamics_of_the_motion_gives_the_motor_back():
    m = posed(**pose())
    sol = kt.kinematics(m, 0.5, output_interval=0.01)
    efforts = kt.inverse_dynamics(m, sol)
    assert efforts.drives == tuple(
        f"body.free.{label}" for label in ("vx", "vy", "vz", "wx", "wy", "wz")
    )
    np.testing.assert_allclose(efforts.efforts[:, :3], sol["hand.force"], atol=1e-9)
    np.testing.assert_allclose(efforts.efforts[:, 3:], sol["hand.torque"], atol=1e-9)


def test_a_hand_that_is_led_tells_what_the_joints_of_the_arm_must_do():
    """A planar arm whose tip is led along a path: efforts at its joints move it the same way
    without the lead.
    """

    def arm(lead: bool, speeds, efforts=None) -> kt.Model:
        m = kt.Model("arm")
        upper, lower = m.body("upper", kt.rod(2.0, 0.5)), m.body("lower", kt.rod(1.0, 0.4))
        m.joint(
            "A",
            kt.Revolute(axis="y"),
            m.ground,
            upper.end("-"),
            start={"angle": 0.5},
            speed=speeds["A"],
        )
        m.joint(
            "B",
            kt.Revolute(axis="y"),
            upper.end("+"),
            lower.end("-"),
            start={"angle": -1.0},
            speed=speeds["B"],
        )
        if lead:
            x, z = 0.5 * np.cos(0.5) + 0.4 * np.cos(-0.5), -0.5 * np.sin(0.5) - 0.4 * np.sin(-0.5)
            m.constraint(
                "lead",
                kt.PoseDriver(
                    position=(kt.Sine(0.05, 0.5, offset=x), 0.0, kt.Sine(0.04, 1.0, offset=z))
                ),
                m.ground,
                lower.end("+"),
            )
        for name, f in (efforts or {}).items():
            m.force(f"motor {name}", kt.TorsionSpring(f"{name}.angle", torque=f))
        return m

    none = {"A": None, "B": None}
    led = kt.simulate(arm(True, none), 0.5, rtol=1e-10, output_interval=5e-3, progress=False)
    needed = kt.inverse_dynamics(arm(True, none), led, drives=["A.angle", "B.angle"])
    speeds = {name: {"angle": float(led[f"{name}.angle.rate"][0])} for name in "AB"}
    torques = {name: kt.Table(tuple(led.t), tuple(needed[f"{name}.angle"])) for name in "AB"}
    free = kt.simulate(
        arm(False, speeds, torques), 0.5, rtol=1e-10, progress=False, output_interval=5e-3
    )
    np.testing.assert_allclose(
        free["lower.end+.position"], led["lower.end+.position"], atol=1e-6
    )  # splines through 100 samples


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_spherical_joint_is_turned_between_moving_bodies(coordinates):
    """A disc on a swinging arm, turned against it: its angular velocity is that of the arm and the
    prescribed one.
    """
    m = kt.Model("swing")
    arm, disc = m.body("arm", kt.rod(1.0, 1.0, axial=1e-3)), m.body("disc", BODY)
    m.joint("A", kt.Revolute(axis="y"), m.ground, arm.end("-"), start={"angle": 0.4})
    m.joint("S", kt.Spherical(), arm.end("+"), disc.at(0.1, 0, 0))
    m.constraint("turn", kt.PoseDriver("S", axis="z", angle=kt.Ramp(4.0, start=0.2)))
    sol = kt.simulate(m, 1.0, rtol=1e-9, progress=False, coordinates=coordinates)
    R = Rotation.from_quat(sol["arm.quaternion"], scalar_first=True)
    expected = sol["arm.angular_velocity"] + R.apply(np.array([0.0, 0.0, 4.0]))
    np.testing.assert_allclose(sol["disc.angular_velocity"], expected, atol=1e-9)
    turned = R.inv() * Rotation.from_quat(sol["disc.quaternion"], scalar_first=True)
    assert (
        turned * Rotation.from_rotvec(np.outer(0.2 + 4.0 * sol.t, (0, 0, 1))).inv()
    ).magnitude().max() < 1e-10
    assert sol.energy.imbalance < 1e-6


@pytest.mark.parametrize("angle", [0.1, 1.5, 3.0, np.pi - 1e-3, np.pi])
def test_assembly_turns_a_machine_to_the_pose_and_never_to_its_opposite(angle):
    m = posed(position=(0.1, 0.2, 0.3), axis=(1, -1, 2), angle=float(angle))
    found = kt.assemble(m)
    expected = Rotation.from_rotvec(angle * np.array([1, -1, 2]) / np.sqrt(6)).as_matrix()
    np.testing.assert_allclose(turned(found), expected, atol=1e-10)
    assert "body.free.x moved from 0 to 0.1" in str(found)


def test_a_structural_integrator_follows_the_pose():
    sol = kt.simulate(
        posed(**pose()), 0.5, integrator="energy-conserving", step=2e-3, progress=False
    )
    expected = Rotation.from_euler(
        "ZYX",
        np.column_stack(
            [
                0.3 + 2.0 * sol.t,
                1.2 * np.sin(1.2 * np.pi * sol.t),
                0.7 * np.sin(1.8 * np.pi * sol.t + 1.0),
            ]
        ),
    )
    assert (
        Rotation.from_quat(sol["body.quaternion"], scalar_first=True) * expected.inv()
    ).magnitude().max() < 1e-10
    assert (
        sol.energy.imbalance < 1e-9
    )  # the work of the rows over a step is what they give to the bodies


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({}, "nothing is prescribed"),
        ({"axis": "z"}, "axis and angle go together"),
        ({"position": (1, 2)}, "position must be three"),
        ({"sequence": "ZYX", "angles": (1.0,)}, "'ZYX' needs 3 angles, got 1"),
        ({"sequence": "abc", "angles": (1, 2, 3)}, "sequence"),
        ({"axis": "z", "angle": 0.1, "rotation_vector": (0, 0, 1)}, "given in 2 ways"),
        ({"times": (0, 1)}, "times go together"),
        ({"times": (0, 1), "positions": [(0, 0, 0)]}, "one for each of the 2 times, got 1"),
        ({"times": (0, 1), "rotations": [(1, 0, 0, 0), (0, 1, 0, 0)]}, "half a turn apart"),
    ],
)
def test_what_cannot_be_a_pose_is_refused_in_words(wrong, words):
    with pytest.raises(kt.ModelError, match=words):
        kt.PoseDriver("body.free", **wrong)


@pytest.mark.parametrize(
    "make, words",
    [
        (
            lambda m: m.constraint("p", kt.PoseDriver("elbow", axis="z", angle=0.1)),
            "no joint named 'elbow'|elbow",
        ),
        (
            lambda m: m.constraint("p", kt.PoseDriver(axis="z", angle=0.1), m.ground),
            "name a joint, or give two markers, got 1",
        ),
        (
            lambda m: m.constraint(
                "p", kt.PoseDriver(axis="z", angle="fast"), m.ground, m.bodies["body"]
            ),
            "angle 1 must be a number",
        ),
    ],
)
def test_errors_name_the_constraint(make, words):
    m = posed(axis="z", angle=0.0)
    make(m)
    with pytest.raises(kt.ModelError, match=f"constraint 'p': .*({words})"):
        kt.assemble(m)

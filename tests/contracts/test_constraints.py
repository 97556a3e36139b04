"""Constraints against finite differences: G is the derivative of g, G v - nu its rate, gamma the
rate of that.

Rows are taken on a mechanism with a cut joint of every kind, in relative and in Cartesian
coordinates, with distances, drivers of every time function, couplings, gears and racks on tree
joints and on the cut joint. Angles at a cut are defined where the joint is closed, so motions stay
on it to second order; g of the other rows may have any value.

Rows of velocity alone (rolling wheels, blades) have no position level: their g is zero everywhere,
and gamma is the rate of G v. They do not feel a motion of the whole mechanism, whose parts do not
move against each other.
"""

import math
from dataclasses import MISSING, fields
from functools import partial

import numpy as np
import pytest

import kinetree as kt
from kinetree.elements.constraints.catalogue import CONSTRAINTS
from kinetree.elements.constraints.contract import Constraint
from kinetree.kernel.tables.rows import position_rows
from support.machine import Machine, cartesian, machine
from support.random_models import (
    CLASS,
    CLOSING,
    add_joint_here,
    random_coordinates,
    random_joint,
    random_mass,
    random_rotation,
)

SIGNALS = {
    "constant": lambda: 0.3,
    "ramp": lambda: kt.Ramp(0.7, start=0.2),
    "sine": lambda: kt.Sine(0.3, 0.9, phase=0.4),
    "table": lambda: kt.Table((0.0, 0.3, 0.9, 2.0), (0.0, 0.4, -0.2, 0.1)),
    "function": lambda: kt.Function(
        lambda t: math.sin(t), lambda t: math.cos(t), lambda t: -math.sin(t)
    ),
}


def winch(t):
    return 1.2 + 0.3 * t * t


def between_points(t, a, b, p):
    """Distance to a point that moves in time, and the angle between two axes."""
    x = b.position[0] - a.position[0] - p[0] * math.sin(t)
    y, z = b.position[1] - a.position[1], b.position[2] - a.position[2]
    turned = sum3(a.rotation, b.rotation)
    return math.sqrt(x * x + y * y + z * z) - p[1] + 0.3 * math.atan2(turned, 1.5 + t * t)


def sum3(A, B):
    total = 0.0
    for k in range(3):
        total += A[k, 0] * B[k, 1]
    return total


def slip(t, a, b, p):
    """Linear in the velocities, with a part that depends on time."""
    total = p[0] * math.cos(t) + a.position[0] * b.rotation[1, 2]
    for k in range(3):
        total += b.rotation[k, 0] * (b.velocity[k] - p[1] * a.velocity[k])
        total += a.rotation[k, 1] * (b.angular_velocity[k] - b.position[2] * a.angular_velocity[k])
    return total


def two_rows(t, a, b, p):
    return b.position[0] * a.position[1] - t, abs(b.rotation[0, 0]) ** 1.5 + p[0] * b.position[2]


def relation(t, s, p):
    return s[0] ** 3 - math.exp(0.3 * s[1]) * (s[2] + math.tanh(s[0] - t)) + p[0]


def linear_in_rates(t, s, u, p):
    return math.sin(s[0]) * u[0] + s[1] * s[1] * u[1] - p[0] * t


COORDINATES = ("J.angle", "K.angle", "K.displacement")
PROFILE = ((0.8, 0.0), (0.1, 0.7), (-0.6, 0.1), (0.0, -0.5))
SENSED = [
    (kind, label) for kind in CLOSING for label, _ in zip(CLASS[kind].labels, CLASS[kind].sensors)
]
ELEMENTS = {
    "distance": lambda model, a, b: model.constraint("e", kt.Distance(1.3), a, b),
    "distance as drawn": lambda model, a, b: model.constraint("e", kt.Distance(), a, b),
    "driven distance": lambda model, a, b: model.constraint(
        "e", kt.Distance(kt.Sine(0.2, 0.7, offset=1.3)), a, b
    ),
    "driven distance by a function": lambda model, a, b: model.constraint(
        "e", kt.Distance(winch), a, b
    ),
    "distance to ground": lambda model, a, b: model.constraint(
        "e", kt.Distance(0.9), model.ground.at(1, 2, 3), b
    ),
    "coupling": lambda model, a, b: model.constraint(
        "e", kt.Coupling("J.angle", "K.angle", ratio=-2.5, offset=0.3)
    ),
    "coupling as assembled": lambda model, a, b: model.constraint(
        "e", kt.Coupling("K.angle", "J.angle", ratio=0.4)
    ),
    "gear": lambda model, a, b: model.constraint(
        "e", kt.Gear("J.angle", "K.angle", teeth=(20, 35))
    ),
    "internal gear": lambda model, a, b: model.constraint(
        "e", kt.Gear("J.angle", "K.angle", (60, 20), internal=True)
    ),
    "rack and pinion": lambda model, a, b: model.constraint(
        "e", kt.RackAndPinion("K.displacement", "J.angle", 0.07)
    ),
    "coupling of three": lambda model, a, b: model.constraint(
        "e", kt.Coupling(terms={"J.angle": 2.0, "K.angle": -0.7, "K.displacement": 1.3}, offset=0.2)
    ),
    "differential": lambda model, a, b: model.constraint(
        "e", kt.Differential("J.angle", "K.angle", "K.displacement")
    ),
    "pose by turned axes": lambda model, a, b: model.constraint(
        "e",
        kt.PoseDriver(
            position=(0.3, kt.Sine(0.4, 0.5), kt.Ramp(0.2)),
            sequence="ZYX",
            angles=(kt.Ramp(0.7), kt.Sine(0.9, 0.8), 0.4),
        ),
        a,
        b,
    ),
    "pose by fixed axes": lambda model, a, b: model.constraint(
        "e", kt.PoseDriver(sequence="xz", angles=(kt.Sine(1.9, 0.3), winch)), a, b
    ),
    "pose by an axis": lambda model, a, b: model.constraint(
        "e", kt.PoseDriver(axis=(1, 2, -1), angle=kt.Sine(2.0, 0.6)), a, b
    ),
    "pose by a short rotation vector": lambda model, a, b: model.constraint(
        "e", kt.PoseDriver(rotation_vector=(kt.Sine(0.2, 0.7), 0.1, kt.Ramp(0.3))), a, b
    ),
    "pose by a long rotation vector": lambda model, a, b: model.constraint(
        "e", kt.PoseDriver(rotation_vector=(kt.Sine(1.2, 0.7), 2.1, kt.Ramp(3.0))), a, b
    ),
    "poses at times": lambda model, a, b: model.constraint(
        "e",
        kt.PoseDriver(
            times=(0.0, 0.3, 0.9, 1.5),
            positions=[(0, 0, 0), (0.1, 0.2, 0.3), (0.4, 0.1, 0), (0, 0, 1)],
            rotations=[
                ("zyx", (0.1, 0.2, 0.3)),
                ("zyx", (1.1, 0.2, -0.3)),
                ("x", 2.0),
                (1, 0, 0, 0),
            ],
        ),
        a,
        b,
    ),
    "pose of a joint": lambda model, a, b: model.constraint(
        "e", kt.PoseDriver("J", rotation_vector=(0.0, 0.1, kt.Ramp(1.0)))
    ),
    "rolling disc": lambda model, a, b: model.constraint("e", kt.Rolling(0.7), a, b),
    "rolling wheel with a crown": lambda model, a, b: model.constraint(
        "e", kt.Rolling(0.5, crown=0.2, axis=(1, 2, 0), normal=(0, 1, -1)), a, b
    ),
    "rolling ball": lambda model, a, b: model.constraint("e", kt.Rolling(0.4, 0.4), b, a),
    "rolling on the ground": lambda model, a, b: model.constraint(
        "e", kt.Rolling(0.3, normal="x"), model.ground.at(0.1, 0, 0), b
    ),
    "user code": lambda model, a, b: model.constraint(
        "e", kt.UserConstraint(between_points, (0.4, 1.3)), a, b
    ),
    "user code on one marker": lambda model, a, b: model.constraint(
        "e", kt.UserConstraint(between_points, (0.4, 1.3)), b
    ),
    "user code of velocities": lambda model, a, b: model.constraint(
        "e", kt.UserConstraint(slip, (0.4, 1.3), velocity=True), a, b
    ),
    "user code of two rows": lambda model, a, b: model.constraint(
        "e", kt.UserConstraint(two_rows, (0.4,), rows=2), a, b
    ),
    "user code of coordinates": lambda model, a, b: model.constraint(
        "e", kt.UserConstraint(relation, (0.4,), COORDINATES)
    ),
    "user code of rates": lambda model, a, b: model.constraint(
        "e", kt.UserConstraint(linear_in_rates, (0.4,), COORDINATES[:2], velocity=True)
    ),
    "cam with a roller": lambda model, a, b: model.constraint(
        "e", kt.CamFollower(PROFILE, "roller", radius=0.1), a, b
    ),
    "knife edge": lambda model, a, b: model.constraint("e", kt.KnifeEdge((1, -1, 2)), a, b),
    **{
        f"{signal} on J.angle": lambda model, a, b, f=f: model.constraint(
            "e", kt.Driver("J.angle", f())
        )
        for signal, f in SIGNALS.items()
    },
}


def add_example(constraint: type[Constraint], model: kt.Model, a, b) -> None:
    """One of a class that this file does not know: joint coordinates for names, 0.7 for every
    number that must be given.
    """
    names = iter(("J.angle", "K.angle", "K.displacement"))
    given = {
        f.name: next(names) if f.type == "str" else 0.7
        for f in fields(constraint)
        if f.default is MISSING
    }
    model.constraint("e", constraint(**given), *(a, b)[: constraint.markers[1]])


KNOWN = {
    kt.Distance,
    kt.Coupling,
    kt.Driver,
    kt.PoseDriver,
    kt.Rolling,
    kt.KnifeEdge,
    kt.UserConstraint,
    kt.CamFollower,
}
ELEMENTS |= {
    constraint.kind: partial(add_example, constraint)
    for constraint in CONSTRAINTS
    if constraint not in KNOWN
}
views = pytest.mark.parametrize(
    "view", [lambda state: state, cartesian], ids=["relative", "cartesian"]
)
# central differences of quantities of order one to ten: h^2 = 1e-10, rounding 1e-15 / h = 1e-10
H = 1e-5
CLOSE = 3e-8


def mechanism(kind: str, add=None, seed: int = 0, t: float = 0.43) -> Machine:
    """a and b float, c on b by J, d against b by K; a and c are closed by a cut joint C of the
    kind; then `add`.
    """
    rng = np.random.default_rng([seed, CLOSING.index(kind)])
    model = kt.Model("closed", gravity=(0, 0, 0))
    a, b, c, d = (
        model.body(name, random_mass(rng, m)) for name, m in zip("abcd", (1.0, 2.0, 0.5, 0.7))
    )
    model.float(a)
    model.float(b)

    def marker(body):
        return body.at(*rng.uniform(-0.5, 0.5, 3), rotation=random_rotation(rng))

    model.joint("J", kt.Revolute(), marker(b), marker(c))
    model.joint("K", kt.Cylindrical(), marker(d), marker(b))
    q = [
        *random_coordinates(kt.Free, rng),
        *random_coordinates(kt.Free, rng),
        *rng.uniform(-0.9, 0.9, 3),
    ]
    add_joint_here(model, machine(model, q=q), "C", random_joint(kind, rng), "a", "c", rng)
    if add is not None:
        add(model, marker(a), marker(d))
    state = machine(model, q=q, t=t)
    return state.at(v=on_joints(state, rng.normal(size=15), state.nu))


def on_joints(state: Machine, u: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The vector nearest to u with G u = right on the rows of the cut joint."""
    rows = list(state.compiled.joints["C"].rows)
    return u + np.linalg.lstsq(state.G[rows], (right - state.G @ u)[rows], rcond=None)[0]


def accelerated(state: Machine, view) -> tuple[Machine, np.ndarray]:
    """The state in the coordinates asked for, with accelerations that keep every joint."""
    vdot = on_joints(state, np.random.default_rng(9).normal(size=15), state.gamma)
    seen = view(state)
    if seen is state:
        return state, vdot
    rates = []
    for name in seen.names:
        a = state.acceleration(name, vdot)
        rates += [*a[3:], *(state.pose(name).R.T @ a[:3])]
    return seen, np.array(rates)


def check_jacobian(state: Machine) -> None:
    """G against differences of g along every freedom at fixed time."""
    G = np.zeros_like(state.G)
    for k in range(state.nv):
        e = np.zeros(state.nv)
        e[k] = H
        G[:, k] = (state.moved(e).g - state.moved(-e).g) / (2.0 * H)
    held = position_rows(state.tables)
    np.testing.assert_allclose(state.G[held], G[held], atol=CLOSE)
    np.testing.assert_array_equal(G[~held], 0.0)


def check_velocity(state: Machine) -> None:
    """G v - nu against the rate of g along the motion, time included."""
    after, before = (state.moved(s * H * state.v, t=state.t + s * H).g for s in (1, -1))
    rate, held = (after - before) / (2.0 * H), position_rows(state.tables)
    np.testing.assert_allclose((state.G @ state.v - state.nu)[held], rate[held], atol=CLOSE)
    np.testing.assert_array_equal(state.g[~held], 0.0)


def check_acceleration(state: Machine, vdot: np.ndarray) -> None:
    """G vdot - gamma against the rate of G v - nu along a motion with that acceleration."""

    def residual(s):
        there = state.moved(s * state.v + 0.5 * s * s * vdot, v=state.v + s * vdot, t=state.t + s)
        return there.G @ there.v - there.nu

    rate = (residual(H) - residual(-H)) / (2.0 * H)
    np.testing.assert_allclose(
        state.G @ vdot - state.gamma, rate, atol=10 * CLOSE * (1.0 + np.abs(vdot).max())
    )


def check_rigid_motion(state: Machine) -> None:
    """Rows of velocity alone between two bodies vanish where all bodies move as one."""
    rows = state.G[~position_rows(state.tables)]
    w, u = np.random.default_rng(4).normal(size=(2, 3))
    v = []
    for name in state.names:
        pose = state.pose(name)
        v += [*(u + np.cross(w, pose.p)), *(pose.R.T @ w)]
    np.testing.assert_allclose(rows @ np.array(v), 0.0, atol=1e-12)
    assert (np.abs(rows).max(axis=1, initial=0.0) > 0.1).all()


def check(state: Machine, view) -> None:
    seen, vdot = accelerated(state, view)
    check_jacobian(seen)
    check_velocity(seen)
    check_acceleration(seen, vdot)
    elements = state.compiled.model.constraints.values()
    if any(isinstance(e.spec, (kt.UserConstraint, kt.CamFollower)) for e in elements):
        return  # such an equation may depend on the motion of the whole mechanism
    if view is cartesian and not any(m.body.name == "ground" for e in elements for m in e.markers):
        check_rigid_motion(seen)


def test_every_constraint_of_the_catalogue_is_sampled_here():
    seen = set()
    for add in ELEMENTS.values():
        seen |= {
            type(e.spec) for e in mechanism("spherical", add).compiled.model.constraints.values()
        }
    assert seen == set(CONSTRAINTS)


@pytest.mark.parametrize("kind", CLOSING)
@pytest.mark.parametrize("seed", range(2))
@views
def test_rows_of_a_cut_joint(kind, seed, view):
    check(mechanism(kind, seed=seed), view)


@pytest.mark.parametrize("name", ELEMENTS)
@views
def test_rows_of_an_element(name, view):
    check(mechanism("revolute", ELEMENTS[name]), view)


def add_driver(coordinate: str, signal: str):
    return lambda model, a, b: model.constraint("e", kt.Driver(coordinate, SIGNALS[signal]()))


@pytest.mark.parametrize("signal", ["sine", "table"])
@pytest.mark.parametrize("kind, label", SENSED)
@views
def test_rows_of_a_driver_on_a_cut_joint(kind, label, signal, view):
    check(mechanism(kind, add_driver(f"C.{label}", signal)), view)


@pytest.mark.parametrize("coordinate", ["J.angle", "K.displacement", "K.angle"])
@views
def test_rows_of_a_driver_on_a_tree_joint(coordinate, view):
    check(mechanism("spherical", add_driver(coordinate, "sine")), view)


@pytest.mark.parametrize(
    "kind, label", [("revolute", "angle"), ("cylindrical", "displacement"), ("universal", "angle2")]
)
@views
def test_rows_of_a_coupling_between_a_tree_joint_and_a_cut_joint(kind, label, view):
    coupling = kt.Coupling("J.angle", f"C.{label}", ratio=1.7)
    check(mechanism(kind, lambda model, a, b: model.constraint("e", coupling)), view)


@pytest.mark.parametrize(
    "kind, label", [("revolute", "angle"), ("cylindrical", "displacement"), ("universal", "angle2")]
)
@views
def test_rows_of_user_code_of_a_coordinate_of_a_cut_joint(kind, label, view):
    coordinates = ("K.displacement", f"C.{label}", "J.angle")
    code = kt.UserConstraint(relation, (0.4,), coordinates)
    check(mechanism(kind, lambda model, a, b: model.constraint("e", code)), view)


# --- what the values mean
# -----------------------------------------------------------------------------------------


def own_row(state: Machine) -> float:
    return float(state.g[state.compiled.row_owner.index("e")])


def test_a_distance_is_kept_where_g_is_zero_and_pulls_positive():
    state = mechanism(
        "spherical", lambda model, a, b: model.constraint("e", kt.Distance(1.3), a, b)
    )
    a, b = (
        (state.pose(m.body.name) @ m.X_Bm).p for m in state.compiled.model.constraints["e"].markers
    )
    length = np.linalg.norm(b - a)
    assert own_row(state) == pytest.approx((length**2 - 1.3**2) / 2.6, rel=1e-13)
    drawn = mechanism("spherical", lambda model, a, b: model.constraint("e", kt.Distance(), a, b))
    assert own_row(drawn) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize(
    "constraint, ratio, offset",
    [
        (kt.Coupling("J.angle", "K.angle", ratio=-2.5, offset=0.3), -2.5, 0.3),
        (kt.Gear("J.angle", "K.angle", teeth=(20, 35)), -35 / 20, None),
        (kt.Gear("J.angle", "K.angle", teeth=(60, 20), internal=True), 20 / 60, None),
    ],
)
def test_a_coupling_is_first_less_ratio_times_second_less_offset(constraint, ratio, offset):
    state = mechanism("spherical", lambda model, a, b: model.constraint("e", constraint))
    first, second = state.q[14], state.q[16]
    expected = first - ratio * second - offset if offset is not None else 0.0
    assert own_row(state) == pytest.approx(expected, abs=1e-14)
    row = state.G[state.compiled.row_owner.index("e")]
    assert row[12] == 1.0 and row[14] == -ratio and np.count_nonzero(row) == 2


@pytest.mark.parametrize(
    "signal, formula",
    [
        ("constant", lambda t: 0.3),
        ("ramp", lambda t: 0.2 + 0.7 * t),
        ("function", math.sin),
        ("sine", lambda t: 0.3 * math.sin(2 * math.pi * 0.9 * t + 0.4)),
    ],
)
def test_a_driver_asks_for_the_value_of_its_time_function(signal, formula):
    for t in (0.2, 0.8):
        state = mechanism("spherical", add_driver("J.angle", signal), t=t)
        assert own_row(state) == pytest.approx(state.q[14] - formula(t), abs=1e-14)


@pytest.mark.parametrize("turns", [-2, 0, 1, 3])
def test_the_angle_of_a_cut_joint_counts_turns(turns):
    """x carries the turn: the driver sees the angle that was asked for, not its remainder."""
    state = mechanism("revolute", add_driver("C.angle", "constant"))
    there = state.at(x=state.x + 2 * np.pi * turns)
    assert own_row(there) == pytest.approx(own_row(state) + 2 * np.pi * turns, abs=1e-13)


# --- what cannot be forgotten
# --------------------------------------------------------------------------------------


def test_every_constraint_of_the_catalogue_writes_itself():
    assert all(
        issubclass(kind, Constraint) and kind.lower is not Constraint.lower for kind in CONSTRAINTS
    )


def test_a_constraint_that_gives_no_equation_is_refused_by_name(monkeypatch):
    class Idle(Constraint):
        kind, markers = "idle", (0, 0)

        def lower(self, to, name, markers):
            pass

    monkeypatch.setattr("kinetree.description.model.CONSTRAINTS", (*CONSTRAINTS, Idle))
    model = kt.Model("m")
    model.joint("J", kt.Revolute(), model.ground, model.body("b", kt.sphere(1.0, 0.1)))
    model.constraint("nothing", Idle())
    with pytest.raises(kt.ModelError, match="constraint 'nothing': a idle added no equation"):
        kt.assemble(model)


def test_a_constraint_of_several_equations_is_written_by_its_own_class(monkeypatch):
    """Two points pinned together: three rows, by a class that the compiler has never heard of."""

    class Pin(Constraint):
        kind, markers = "pin", (2, 2)

        def lower(self, to, name, markers):
            to.between_markers("point", name, markers)

    monkeypatch.setattr("kinetree.description.model.CONSTRAINTS", (*CONSTRAINTS, Pin))
    model = kt.Model("pinned")
    body = model.body("b", kt.box(1.0, (0.3, 0.2, 0.1)))
    model.float(body)
    model.constraint("pin", Pin(), model.ground, body.at(-0.2, 0, 0))
    twin = kt.Model("ball")
    other = twin.body("b", kt.box(1.0, (0.3, 0.2, 0.1)))
    twin.joint("ball", kt.Spherical(), twin.ground, other.at(-0.2, 0, 0))
    first, second = (
        kt.simulate(m, 0.3, rtol=1e-10, output_interval=0.1, progress=False) for m in (model, twin)
    )
    np.testing.assert_allclose(first["b.position"], second["b.position"], atol=1e-8)
    assert model.topology().extra == (("pin", 3),) and model.topology().mobility == 3


def test_a_joint_that_has_too_few_equations_for_its_freedoms_is_refused():
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Loose(kt.Revolute):
        kind = "revolute"
        reversal = kt.Revolute.reversal
        cut = kt.Revolute.cut[:2]

    model = kt.Model("m")
    model.joint("J", Loose(), model.ground, model.body("b", kt.sphere(1.0, 0.1)))
    with pytest.raises(
        kt.ModelError,
        match=r"joint 'J': a revolute joint has 1 degree of freedom, so it needs 5 equations .* has 4",
    ):
        kt.assemble(model, coordinates="cartesian")
